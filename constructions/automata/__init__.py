"""Finite automata as stacks of linear recurrences, by way of cascades of permutation-reset automata.

Each step is a function from one representation to the next: ``automaton`` a total automaton · ``cascade`` the cascade of
permutation-reset automata that emulates it · ``layers`` the recurrence of each level (and the construction as printed, which
fails) · ``compiler`` all of it with the proof · ``sources`` DFAs, regular expressions and groups · ``reflections`` addition
modulo m.
"""

from .automaton import Automaton
from .cascade import Cascade, krohn_rhodes
from .compiler import Network, compile_automaton, compile_dfa, compile_group, compile_regex
from .reflections import addition_by_reflections, dihedral_by_reflections, mirror

__all__ = [
    "Automaton",
    "Cascade",
    "Network",
    "addition_by_reflections",
    "compile_automaton",
    "compile_dfa",
    "compile_group",
    "compile_regex",
    "dihedral_by_reflections",
    "krohn_rhodes",
    "mirror",
]
