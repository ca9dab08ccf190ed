"""Topic depth, row by row: networks in each type of numbers, up to 13 units and layers; layers of tanh units with parameters of either sign."""

from . import networks, tanh_units

__all__ = ["networks", "tanh_units"]
