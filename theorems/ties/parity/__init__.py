"""Topic parity: exact arithmetic, finite sets, layers that count, and rounding, against computations by hand."""

from . import finite_sets, layers, numbers, rounding, wide

__all__ = ["finite_sets", "layers", "numbers", "rounding", "wide"]
