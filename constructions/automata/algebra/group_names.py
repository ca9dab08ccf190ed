"""Names of finite permutation groups by structure, as far as orders tell them: Z6, Z2 x Z4, S3, D4, Q8, A5, Z3 x S4, else the order."""

from __future__ import annotations

from collections import Counter
from math import factorial, lcm, prod
from typing import TYPE_CHECKING

from ....numerics.aliases import Exact
from ....numerics.primes import prime_factors
from .permutation_group import permutation_group

if TYPE_CHECKING:
    from sympy.combinatorics import PermutationGroup

#: elements of larger groups are not listed
LARGEST_LISTED = 720


def structure(group: PermutationGroup) -> str:
    """The name of a group up to isomorphism; ``order N (solvable)`` or ``order N (not solvable)`` where no name was found.

    D_n has order 2n, S3 is not called D3; a factor that acts on points of its own is named by itself.
    """
    order = int(group.order())
    if order == 1:
        return "trivial"
    if group.is_abelian:
        return " x ".join(f"Z{m}" for m in invariant_factors(int(p) for p in group.abelian_invariants()))
    moved = [orbit for orbit in group.orbits() if len(orbit) > 1]
    if name := _symmetric(order, sum(map(len, moved))):
        return name
    parts = [_restricted(group, sorted(orbit)) for orbit in moved]
    if len(parts) > 1 and prod(int(p.order()) for p in parts) == order:
        abelian = [p for p in parts if p.is_abelian]
        factors = invariant_factors(int(q) for p in abelian for q in p.abelian_invariants())
        return " x ".join([*(f"Z{m}" for m in factors), *sorted(structure(p) for p in parts if not p.is_abelian)])
    if order <= LARGEST_LISTED and (name := _by_element_orders(group, order)):
        return name
    return f"order {order} ({'solvable' if group.is_solvable else 'not solvable'})"


def invariant_factors(prime_powers) -> list[int]:
    """Cyclic factors m_1 | m_2 | ... of the abelian group that is a product of cyclic groups of prime power order."""
    by_prime: dict[int, list[int]] = {}
    for q in prime_powers:
        by_prime.setdefault(prime_factors(q)[0], []).append(q)
    count = max(map(len, by_prime.values()), default=0)
    columns = [[1] * (count - len(powers)) + sorted(powers) for powers in by_prime.values()]
    return [prod(column[i] for column in columns) for i in range(count)]


def _symmetric(order: int, points: int) -> str | None:
    """S_n or A_n if a group of that order that moves n points must be it."""
    if order == factorial(points):
        return f"S{points}"
    return f"A{points}" if 2 * order == factorial(points) else None


def _restricted(group: PermutationGroup, orbit: list[int]) -> PermutationGroup:
    number = {q: i for i, q in enumerate(orbit)}
    generators: Exact = group.generators
    return permutation_group([number[g(q)] for q in orbit] for g in generators)


def _by_element_orders(group: PermutationGroup, order: int) -> str | None:
    """Q8, D_n, and A_n and S_n for n <= 6: among the groups of their order, the numbers of elements of each order single them out."""
    elements: Exact = list(group.elements)
    orders = Counter(int(g.order()) for g in elements)
    if order == 8 and orders[2] == 1:
        return "Q8"
    for n in (3, 4, 5, 6):
        for name, counts in ((f"S{n}", element_orders(n)), (f"A{n}", element_orders(n, even=True))):
            if orders == counts:
                return name
    if order % 2 == 0 and (rotation := next((g for g in elements if 2 * g.order() == order), None)):
        turns = {rotation**k for k in range(order // 2)}
        if all(g.order() == 2 for g in elements if g not in turns):
            return f"D{order // 2}"
    return None


def element_orders(n: int, even: bool = False) -> Counter[int]:
    """How many permutations of n points (even ones only) have each order, by cycle types."""
    counts: Counter[int] = Counter()
    from sympy.utilities.iterables import partitions

    types: Exact = partitions(n)
    for cycles in types:
        if not even or (n - sum(cycles.values())) % 2 == 0:
            counts[lcm(*cycles)] += factorial(n) // prod(length**times * factorial(times) for length, times in cycles.items())
    return counts
