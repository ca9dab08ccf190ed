"""Topic automata: from automata to networks, and from networks to modules, every route and every backend, against the automaton itself."""

from . import (
    cascades,
    compiled,
    covers,
    groups,
    in_torch,
    machines,
    maps,
    parts,
    precision,
    reflections,
    rounding,
    rounding_bounds,
    rounding_steps,
    tasks,
    trainable,
)

__all__ = [
    "cascades",
    "compiled",
    "covers",
    "groups",
    "in_torch",
    "machines",
    "maps",
    "parts",
    "precision",
    "reflections",
    "rounding",
    "rounding_bounds",
    "rounding_steps",
    "tasks",
    "trainable",
]
