"""Topic universality, row by row: up to 13 nodes and steps; numbers of each type that are integers, so that sums are exact."""

from . import clocks, heads, models, networks, spectra, systems

__all__ = ["clocks", "heads", "models", "networks", "spectra", "systems"]
