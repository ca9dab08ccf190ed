"""Faults that kernels had, or could have, each as one wrong step of :class:`..chunked.Chunked`; :mod:`..finding` says which tests find them.

``theirs`` names the thread where a library's fault is told; what the thread leaves open is said in ``ours``. Faults without a thread are ours.
"""

from . import gates, layout, sequences, updates  # each registers its faults
from .declared import FAULTS, FLA, Fault, Thread

__all__ = ["FAULTS", "FLA", "Fault", "Thread", "gates", "layout", "sequences", "updates"]
