"""Finite automata as stacks of linear recurrences, by way of cascades of permutation-reset automata.

Each step is a function from one representation to the next: ``automaton`` a total automaton, an acceptor or a Moore machine (``sources``:
from DFAs, NFAs, ``regular_expressions`` by their ``derivatives``, groups; ``machine_files``: JSON; ``machines``: Mealy, partial and minimal
ones; ``tasks``) · ``choice`` which construction, by depth, width or room for rounding · ``skeleton`` the sets of states that words produce,
tiles and holonomy groups · ``cascade`` the cascade of permutation-reset automata · ``layers`` the recurrence of each level (and the
construction as printed, which fails; ``delays`` with entries 0 and 1) · ``closure`` the proof · ``delta_steps`` generalized Householder
factors as the delta rule applies them · ``document`` plain data · ``precision`` how long floats keep the margin · ``torch_module``,
``delta_rule``, ``trainable``, ``flash_layers`` real layers · ``root_keys``, ``fla_plan``, ``fla_layers`` flash-linear-attention's layers with their
default options. ``compiler`` puts it together.

Groups need no cascade: ``permuting`` recognises them in an automaton (``embedding``, ``group_names``), ``groups`` and ``reflections`` build
the layers, ``places`` makes reflections ready for the proof.
"""

from .automaton import Automaton
from .cascade import Cascade, excluded_states, krohn_rhodes
from .choice import Candidate, candidates, choose
from .compiler import (
    Network,
    compile_automaton,
    compile_candidate,
    compile_cascade,
    compile_cyclic,
    compile_dfa,
    compile_group,
    compile_one_hot,
    compile_regex,
    compile_representation,
)
from .reflections import addition_by_reflections, dihedral_by_reflections, mirror, solvable_by_reflections
from .skeleton import Skeleton, skeleton

__all__ = [
    "Automaton",
    "Candidate",
    "Cascade",
    "Network",
    "Skeleton",
    "addition_by_reflections",
    "candidates",
    "choose",
    "compile_automaton",
    "compile_candidate",
    "compile_cascade",
    "compile_cyclic",
    "compile_dfa",
    "compile_group",
    "compile_one_hot",
    "compile_regex",
    "compile_representation",
    "dihedral_by_reflections",
    "excluded_states",
    "krohn_rhodes",
    "mirror",
    "skeleton",
    "solvable_by_reflections",
]
