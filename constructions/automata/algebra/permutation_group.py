"""SymPy's permutation groups, loaded when one is asked for: that takes as long as compiling S_5."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sympy.combinatorics import PermutationGroup


def permutation_group(generators: Iterable[Sequence[int]]) -> PermutationGroup:
    """The group that permutations generate, each given by its images."""
    from sympy.combinatorics import Permutation, PermutationGroup

    return PermutationGroup([Permutation(list(g)) for g in generators])
