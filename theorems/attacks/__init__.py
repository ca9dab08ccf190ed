"""Attacks: searches for counterexamples to claims where they would be expected first. ``python -m lemmata.theorems.attacks`` runs them all.

An attack knows nothing of the argument that it attacks: it decides each case from the definitions. It is no evidence for a claim; a case that it breaks is
evidence against one.
"""

from . import depth, heads, reflections, rounding, training
from .attack import ATTACKS, Attack, Outcome

__all__ = ["ATTACKS", "Attack", "Outcome", "depth", "heads", "reflections", "rounding", "training"]
