"""Topic bistable: persistent memory (De Geeter et al. 2026): the hysteresis, its approximation, the unit and its gradient, languages, the scan."""

from . import (
    approximation,
    cell,
    convergent,
    gradient,
    growth,
    hybrids,
    hysteresis,
    languages,
    layers,
    magmas,
    memory,
    recognised,
    rules,
    scan,
    unit,
)

__all__ = [
    "approximation",
    "cell",
    "convergent",
    "gradient",
    "growth",
    "hybrids",
    "hysteresis",
    "languages",
    "layers",
    "magmas",
    "memory",
    "recognised",
    "rules",
    "scan",
    "unit",
]
