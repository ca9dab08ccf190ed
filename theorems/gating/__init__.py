"""Selective gates and memory, and position encodings by linear attention (movahedi25, App. C.2, C.3 and F.3)."""

from . import encodings, runs

__all__ = ["encodings", "runs"]
