"""Selective gates and memory, and position encodings by linear attention (movahedi25, App. C.2, C.3 and F.3)."""

from . import encodings, runs, gates  # noqa: I001 (the order of the ledger)

__all__ = ["encodings", "gates", "runs"]
