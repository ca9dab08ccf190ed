"""How many threads the checks' linear algebra takes."""

from __future__ import annotations

import os


def one_thread() -> None:
    """One, unless the environment says otherwise; to be called before NumPy is imported.

    The checks' matrices are small: threads of BLAS that wait for each other on busy cores make some of them forty times slower.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
