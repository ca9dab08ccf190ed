"""Masked arrays are refused: a computation that forgets the mask would use the numbers that it hides."""

from __future__ import annotations

from typing import Any

import numpy as np


def refuse_masked(*arrays: Any) -> None:
    """Raise ``ValueError`` if one of ``arrays`` is a NumPy masked array, also where its mask hides nothing."""
    if any(isinstance(x, np.ma.MaskedArray) for x in arrays):
        raise ValueError("expected an array without a mask, got a masked one: take its .filled(value), or .data if nothing is hidden")
