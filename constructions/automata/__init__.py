"""Finite automata as stacks of linear recurrences, in stages; each goes from one representation to the next, and uses none after it.

| stage | from | to |
| --- | --- | --- |
| ``read`` | a regular expression, a file, a group, a task | an ``automaton``: a total machine, an acceptor or a Moore machine |
| ``algebra`` | letters that permute the states | their group, its name, groups inside others |
| ``cascade`` | an automaton | a cascade of permutation-reset automata |
| ``layers`` | a group, or a window of letters | a layer or a stack, without a cascade |
| ``levels`` | a cascade | a layer for each level |
| ``choose`` | an automaton | the best candidate of all constructions |
| ``prove`` | a stack | its closure: the proof, and the network as plain data |
| ``rounding`` | a proved network | the lengths at which floats are right |
| ``run`` | a proved network | PyTorch modules |
| ``certify`` | trained weights | exact ones nearby, proved or refuted |

``compiler`` puts it together: :func:`compile_automaton` reads like this table. ``affine`` is the arithmetic that several stages share.
"""

from .automaton import Automaton
from .cascade.cascade import Cascade, excluded_states, krohn_rhodes
from .cascade.skeleton import Skeleton, skeleton
from .choose.candidate import Candidate
from .choose.ways import candidates
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
from .layers.reflections import addition_by_reflections, dihedral_by_reflections, mirror, solvable_by_reflections

__all__ = [
    "Automaton",
    "Candidate",
    "Cascade",
    "Network",
    "Skeleton",
    "addition_by_reflections",
    "candidates",
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
