"""Real representations of finite permutation groups by their characters modulo a prime (Burnside, Dixon): dimensions and ranks, exactly.

A prime p = 1 mod the exponent that does not divide the order keeps all characters apart, and the multiplicity of an eigenvalue is a whole
number below p: it is read off modulo p, and no character is ever lifted to the complex numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, isqrt, lcm

from flint import fmpz, nmod, nmod_mat

Images = tuple[int, ...]


@dataclass(frozen=True)
class RealIrreducible:
    """An irreducible real representation: its dimension, and the rank of 1 - rho(g) for each conjugacy class."""

    dimension: int
    ranks: tuple[int, ...]


class Characters:
    """The conjugacy classes of the group that permutations generate, and its irreducible characters modulo ``prime``."""

    def __init__(self, generators: Sequence[Images]):
        self.generators = [tuple(g) for g in generators]
        one = tuple(range(len(self.generators[0])))
        found, waiting = {one}, [one]
        for g in waiting:
            for x in self.generators:
                after = _times(x, g)
                if after not in found:
                    found.add(after)
                    waiting.append(after)
        self.elements = waiting
        self.classes: list[list[Images]] = []
        self.number: dict[Images, int] = {}
        for g in waiting:
            if g not in self.number:
                self._add_class(g)

    def _add_class(self, g: Images) -> None:
        members = [g]
        self.number[g] = len(self.classes)
        for h in members:
            for x in self.generators:
                after = _times(x, _times(h, _inverse(x)))
                if after not in self.number:
                    self.number[after] = len(self.classes)
                    members.append(after)
            if len(members) > len(self.elements):
                raise ArithmeticError(f"expected a class of at most {len(self.elements)} elements, as many as the group has, got more")
        self.classes.append(members)

    @cached_property
    def powers(self) -> list[list[int]]:
        """The classes of g, g^2, ..., 1 for a g of each class."""
        found = []
        for g, *_ in self.classes:
            h, steps = g, [self.number[g]]
            while steps[-1] != 0:
                h = _times(g, h)
                steps.append(self.number[h])
            found.append(steps)
        return found

    @cached_property
    def prime(self) -> int:
        """The least prime above 10^6 and the order that is 1 modulo the exponent."""
        exponent = lcm(*map(len, self.powers))
        p = (max(10**6, len(self.elements)) // exponent + 1) * exponent + 1
        while not fmpz(p).is_prime():
            p += exponent
        return p

    @cached_property
    def table(self) -> list[list[int]]:
        """A row for each irreducible character, its values modulo ``prime`` on the classes.

        With z_k the class sums, z_i z_j = sum of a_ijk z_k, and the values w_k of a central character satisfy (sum c_i a_i) w = (sum c_i w_i) w:
        weights c for which the eigenvalues differ give all of them at once. Then chi_k = w_k chi_1 / |C_k|, and chi_1 from orthogonality.
        """
        k, p, sizes = len(self.classes), self.prime, [len(c) for c in self.classes]
        weights = [pow(3, i * i + i, p) for i in range(k)]
        combined = [[0] * k for _ in range(k)]
        for i, members in enumerate(self.classes):
            inverses = [_inverse(x) for x in members]
            for n, (z, *_) in enumerate(self.classes):
                for x in inverses:
                    combined[self.number[_times(x, z)]][n] += weights[i]
        M = nmod_mat(k, k, [x % p for row in combined for x in row], p)
        roots = [nmod(-int(f[0]), p) / f[1] for f, _ in M.charpoly().factor()[1] if f.degree() == 1]
        if len(roots) < k:
            raise ValueError(f"expected weights that keep {k} characters apart modulo {p}, got {len(roots)} eigenvalues")
        return [self._row(M, root, sizes) for root in roots]

    def _row(self, M: nmod_mat, root: nmod, sizes: list[int]) -> list[int]:
        k, p, order = len(sizes), self.prime, len(self.elements)
        shifted = nmod_mat(k, k, [int(M[i, j]) - (int(root) if i == j else 0) for i in range(k) for j in range(k)], p)
        kernel, _ = shifted.nullspace()
        w = [kernel[i, 0] / kernel[0, 0] for i in range(k)]
        square = nmod(order, p) / sum((w[i] * w[self.inverse[i]] / sizes[i] for i in range(k)), nmod(0, p))
        d = next(d for d in range(1, isqrt(order) + 1) if nmod(d * d, p) == square)
        return [int(w[i] * d / sizes[i]) for i in range(k)]

    @cached_property
    def inverse(self) -> list[int]:
        """The class of the inverses of each class."""
        return [self.number[_inverse(members[0])] for members in self.classes]

    def indicator(self, row: Sequence[int]) -> int:
        """Frobenius and Schur: 1 for a real representation, 0 for one that is not its own conjugate, -1 for a quaternionic one."""
        p = self.prime
        total = sum(len(c) * row[self.number[_times(c[0], c[0])]] for c in self.classes)
        found = int(nmod(total, p) / len(self.elements))
        return found - p if found > 1 else found

    @cached_property
    def real(self) -> list[RealIrreducible]:
        """The irreducible real representations: a real chi, twice a quaternionic one, or chi and its conjugate."""
        found, seen = [], set()
        for row in self.table:
            if tuple(row) in seen:
                continue
            seen |= {tuple(row), tuple(row[j] for j in self.inverse)}
            copies = 1 if self.indicator(row) == 1 else 2
            # the multiplicity of the eigenvalue 1 is the mean over the powers
            fixed = [int(nmod(sum(row[j] for j in steps), self.prime) / len(steps)) for steps in self.powers]
            found.append(RealIrreducible(copies * row[0], tuple(copies * (row[0] - f) for f in fixed)))
        return found


def fewest_by_own(irreducibles: Sequence[RealIrreducible]) -> tuple[int, list[RealIrreducible]]:
    """(r, parts): the least r for which a faithful sum of parts has rank(1 - rho(g)) <= r for all g. Copies of a part are never needed."""
    best: tuple[float, list[RealIrreducible]] = (inf, [])

    def extend(total: list[int], parts: list[RealIrreducible]) -> None:
        nonlocal best
        if max(total) >= best[0]:
            return
        kernel = next((i for i in range(1, len(total)) if total[i] == 0), None)
        if kernel is None:
            best = (max(total), parts)
            return
        for rho in sorted(irreducibles, key=lambda rho: max(rho.ranks)):
            if rho.ranks[kernel]:
                extend([a + b for a, b in zip(total, rho.ranks, strict=True)], [*parts, rho])

    extend([0] * len(irreducibles[0].ranks), [])
    return int(best[0]), best[1]


def _times(g: Images, h: Images) -> Images:
    return tuple(g[i] for i in h)


def _inverse(g: Images) -> Images:
    found = [0] * len(g)
    for i, j in enumerate(g):
        found[j] = i
    return tuple(found)
