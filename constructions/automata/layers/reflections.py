"""One reflection per letter and layer: addition modulo m (grazzi25, Theorem 6, App. D), the dihedral and all solvable groups."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import pairwise
from math import lcm
from typing import Any, NamedTuple

import numpy as np

from ....numerics.aliases import Exact, Key
from ....numerics.cyclotomic import root_of_unity, rotation_order
from ....numerics.exact import Array, freeze, rationals
from ....numerics.primes import prime_factors
from ...householder import compose
from ...parity import scalar
from ...recurrence import Recurrence, Stack
from ..algebra.permutation_group import permutation_group


def mirror(m: int, k: int, order: int | None = None) -> Array:
    """H(pi k / m): the reflection of the plane at the line of angle pi k / (2 m), exact in Q(zeta_lcm(4, 2m)) or a larger ``order``."""
    order = order or rotation_order(2 * m)
    zeta, i = root_of_unity(order, k * (order // (2 * m))), root_of_unity(order, order // 4)
    cos, sin = (zeta + zeta.conjugate()) / 2, (zeta - zeta.conjugate()) / (2 * i)
    return np.array([[cos, sin], [sin, -cos]], dtype=object)


def addition_by_reflections(m: int) -> Stack:
    """Two layers that add modulo m, every transition a reflection: theta(i, 1) = (1-2i) pi/m, theta(i, 0) = (1+2i) pi/m.

    Layer 1 is the scalar h -> -h + 1, the parity of the position; layer 2 lives on 2m points of the circle, rotated ones
    at even and mirrored ones at odd times. Letters are 0 .. m-1. Raises ``ValueError`` for m < 1.
    """
    if m < 1:
        raise ValueError(f"expected a modulus m >= 1, got {m}")
    position = {x: (scalar(-1), scalar(1)) for x in range(m)}
    first = Recurrence.from_table(position, scalar(0), lambda H, x: (x, int(H[0, 0])))
    one = mirror(m, 0)[:, :1]
    nothing = one * 0
    turns = {(x, odd): (mirror(m, 1 - 2 * x if odd else 1 + 2 * x), nothing) for x in range(m) for odd in (0, 1)}
    points = {}
    for i in range(m):
        # d_i = R(2 i pi / m) d_0 and c_i = R(-2 i pi / m) H(pi / m) d_0, each as the image of (1, 0)
        points[freeze(mirror(m, 2 * i) @ one)] = i
        points[freeze(mirror(m, 1 - 2 * i) @ one)] = i
    second = Recurrence.from_table(turns, one, lambda H, y: points.get(freeze(H)))
    return Stack((first, second))


def dihedral_step(m: int, element: tuple[int, int], letter: tuple[str, int]) -> tuple[int, int]:
    """The product letter * element in D_m; (theta, epsilon) stands for r^theta s^epsilon, ("r", a) for r^a, ("s", a) for r^a s."""
    theta, epsilon = element
    kind, a = letter
    return ((theta + a) % m, epsilon) if kind == "r" else ((a - theta) % m, 1 - epsilon)


def dihedral_by_reflections(m: int) -> Stack:
    """Two layers of width 2, each with one reflection per letter, for the word problem of D_m; m = 3 is S_3.

    The angle theta turns at a rotation and flips at a reflection; a layer with one reflection per letter can only flip. So layer
    2 holds phi = eta theta, where the sign eta changes at every rotation: phi -> -phi - eta a at r^a, phi -> -phi + eta a at r^a s.
    Layer 1 holds the two signs, eta and (-1)^epsilon, and flips one of them at each letter. Letters are ("r", a), ("s", a) with
    0 <= a < m, outputs (theta, epsilon). Raises ``ValueError`` for m < 1.
    """
    if m < 1:
        raise ValueError(f"expected a modulus m >= 1, got {m}")
    letters = [(kind, a) for kind in "rs" for a in range(m)]
    flips = {"r": rationals([[-1, 0], [0, 1]]), "s": rationals([[1, 0], [0, -1]])}
    signs = rationals([[1], [1]])
    first = Recurrence.from_table({x: (flips[x[0]], signs * 0) for x in letters}, signs, lambda H, x: (x, int(H[0, 0]), int(H[1, 0] == -1)))
    start = mirror(m, 0)[:, :1]
    polygon = {freeze(mirror(m, 2 * phi)[:, :1]): phi for phi in range(m)}

    def flip(letter: tuple[tuple[str, int], int, int]) -> Array:
        (_, a), eta, _ = letter
        # eta is the sign after the letter: at a rotation it has just changed
        return mirror(m, 2 * eta * a)

    def decode(H: Array, letter: tuple[tuple[str, int], int, int]) -> tuple[int, int] | None:
        phi = polygon.get(freeze(H))
        return None if phi is None else (letter[1] * phi % m, letter[2])

    return Stack((first, Recurrence(flip, lambda _: start * 0, start, decode)))


# -- solvable groups -------------------------------------------------------------------------------------------------------

Images = tuple[int, ...]


class Factor(NamedTuple):
    """G_i > G_(i+1) of prime index p: ``t`` generates G_i over G_(i+1), ``exponent[x]`` is the c with x in t^c G_(i+1), for x in G_i."""

    p: int
    powers: tuple[Images, ...]
    exponent: Mapping[Images, int]


class Reduced(NamedTuple):
    """What a level reads: an element of G_i, the sign (-1)^t after the letter, and the part of the product that is known."""

    element: Images
    sign: int
    known: Images


def composition_factors(generators: Sequence[Images]) -> list[Factor]:
    """A chain G = G_0 > G_1 > ... > 1, each normal in the one before with prime index. Raises ``ValueError`` if G is not solvable."""
    group = permutation_group(generators)
    if not group.is_solvable:
        raise ValueError(f"expected a solvable group, got one of order {group.order()} that is not")
    # the derived subgroups are what they are; SymPy's generators of them, and so its composition series, are drawn at random
    derived: Exact = group.derived_series()
    series = [{tuple(x.array_form) for x in H.elements} for H in derived]
    series = [series[0], *(H for upper, lower in pairwise(series) for H in _between(upper, lower))]
    factors = []
    for upper, lower in pairwise(series):
        t = min(upper - lower)
        powers: list[Images] = [tuple(range(len(t)))]
        for _ in range(len(upper) // len(lower) - 1):
            powers.append(compose(t, powers[-1]))
        factors.append(Factor(len(powers), tuple(powers), {compose(power, x): c for c, power in enumerate(powers) for x in lower}))
    return factors


def _between(upper: set[Images], lower: set[Images]) -> list[set[Images]]:
    """Groups from below ``upper`` down to ``lower``, each of prime index in the one before, if the quotient of the two is abelian.

    The least element outside of the group H reached so far has a power whose order modulo H is prime: with it, H grows.
    """
    chain = [lower]
    while chain[0] != upper:
        t = min(upper - chain[0])
        powers = [tuple(range(len(t))), t]
        while (after := compose(t, powers[-1])) not in chain[0]:
            powers.append(after)
        p = prime_factors(len(powers))[-1]
        chain.insert(0, {compose(g, h) for g in powers[:: len(powers) // p] for h in chain[0]})
    return chain[1:]


def solvable_by_reflections(generators: Mapping[Key, Sequence[int]]) -> Stack:
    """The word problem of a solvable permutation group, one reflection (or nothing) per letter and layer; outputs are tuples of images.

    With g = t_0^a_0 t_1^a_1 ... along a composition series a letter x adds to a_0 and leaves x_1 = t_0^-a_0' x t_0^a_0 in G_1 for the rest,
    so each level is addition modulo a prime p. It adds by reflections if it keeps phi = (-1)^t a: phi -> (-1)^t c - phi turns at every letter.
    The first layer is the clock (-1)^t, the others are scalars for p = 2 and planes for p > 2. An addition can be undone, so the old
    a_i is known too. Raises ``ValueError`` if the group is not solvable.
    """
    letters = {x: tuple(g) for x, g in generators.items()}
    identity = tuple(range(len(next(iter(letters.values())))))
    factors = composition_factors(list(letters.values()))
    clock = {x: (scalar(-1), scalar(0)) for x in letters}

    def first_read(H: Array, x: Hashable) -> Reduced | Images:
        read = Reduced(letters[x], int(H[0, 0]), identity)
        return read if factors else read.known

    layers = [Recurrence.from_table(clock, scalar(1), first_read)]
    # one field for all layers: an exported network has its numbers in one
    order = lcm(*(rotation_order(2 * factor.p) for factor in factors if factor.p > 2))
    layers += [_addition(factor, order, last=factor is factors[-1]) for factor in factors]
    return Stack(tuple(layers))


def _addition(factor: Factor, order: int, last: bool) -> Recurrence:
    p = factor.p
    start = scalar(1) if p == 2 else mirror(p, 0, order)[:, :1]
    corner = {freeze(scalar((-1) ** a) if p == 2 else mirror(p, 2 * a, order)[:, :1]): a for a in range(p)}

    def reflect(read: Reduced) -> Array:
        c = factor.exponent[read.element]
        return scalar((-1) ** c) if p == 2 else mirror(p, 2 * read.sign * c, order)

    def decode(H: Array, read: Reduced) -> Any:
        phi = corner.get(freeze(H))
        if phi is None:
            return None
        new = phi if p == 2 else read.sign * phi % p
        old = (new - factor.exponent[read.element]) % p
        known = compose(read.known, factor.powers[new])
        if last:
            return known
        rest = compose(_inverse(factor.powers[new]), compose(read.element, factor.powers[old]))
        return Reduced(rest, read.sign, known)

    return Recurrence(reflect, lambda _: start * 0, start, decode)


def _inverse(g: Images) -> Images:
    return tuple(sorted(range(len(g)), key=g.__getitem__))
