"""Topic bistable: persistent memory (De Geeter et al. 2026): the hysteresis, its approximation, the unit and its gradient, languages, the scan."""

from . import approximation, gradient, hysteresis, unit

__all__ = ["approximation", "gradient", "hysteresis", "unit"]
