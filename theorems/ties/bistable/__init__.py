"""Topic bistable: scans, layers, compiled stacks, formulas of past temporal logic, units of cascades."""

from . import layers, logic, units

__all__ = ["layers", "logic", "units"]
