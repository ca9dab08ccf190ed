"""Topic bistable, row by row: units and scans in each type of numbers, stacks of up to 13 layers, letters and states."""

from . import cells, scans, stacks, units

__all__ = ["cells", "scans", "stacks", "units"]
