"""Topic parity, row by row: each operation of exact numbers against the definition, at sizes up to 13."""

from . import arrays, casts, counters, fields, jordan, recurrences, samples

__all__ = ["arrays", "casts", "counters", "fields", "jordan", "recurrences", "samples"]
