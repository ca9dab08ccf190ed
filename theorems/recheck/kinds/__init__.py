"""The kinds of certificates, a file each; every rule says in its docstring what it establishes."""

from . import (
    automaton,
    bistable,
    cast_of_sum,
    collision,
    contraction,
    copy,
    eigenvector,
    eventually_periodic,
    gh_product,
    network,
    not_below_one,
    overlap_moment,
    shared_head,
    stepwise_orbit,
    witness,
)

__all__ = [
    "automaton",
    "bistable",
    "cast_of_sum",
    "collision",
    "contraction",
    "copy",
    "eigenvector",
    "eventually_periodic",
    "gh_product",
    "network",
    "not_below_one",
    "overlap_moment",
    "shared_head",
    "stepwise_orbit",
    "witness",
]
