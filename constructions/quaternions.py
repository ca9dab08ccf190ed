"""Finite groups of unit quaternions as ungated fixed-point layers: the binary octahedral group tracks S_3, the binary icosahedral group A_5.

A quaternion a + bi + cj + dk is an array (4,); its left multiplication is a 4 x 4 orthogonal matrix with eigenvalues e^(+-i theta), cos theta = a.
With the transition A orthogonal, Q = c A^T and Lambda = c I, so ||I - Q||^2 = 1 - 2 c cos theta + c^2: a contraction iff 0 < c < 2 cos theta. So letters
must be realised by elements with a > 0, which coverings of the group provide (Conway, Smith, *On Quaternions and Octonions*, 2003, Ch. 3).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from flint import fmpq

from ..numerics import exact
from ..numerics.cyclotomic import cosine_and_sine, root_of_unity
from ..numerics.exact import Array
from .fixed_point import Token

HALF = fmpq(1, 2)


def multiply(p: Array, q: Array) -> Array:
    """The Hamilton product."""
    return left_multiplication(p) @ q


def left_multiplication(q: Array) -> Array:
    """The matrix of x -> q x, orthogonal for unit q, shape (4, 4)."""
    a, b, c, d = q
    return np.array([[a, -b, -c, -d], [b, a, -d, c], [c, d, a, -b], [d, -c, b, a]], dtype=object)


def conjugate(q: Array) -> Array:
    """a - bi - cj - dk."""
    return np.array([q[0], -q[1], -q[2], -q[3]], dtype=object)


def orthogonal_token(A: Array, decay: Array) -> Token:
    """The ungated token with transition A, orthogonal, and no input: Q = Lambda A^T."""
    return Token(decay, decay * 0 + 1, decay[:, None] * A.T, decay * 0)


# -- S_3 by the binary octahedral group -----------------------------------------------------------------------------------

#: Q(zeta_8) holds sqrt 2
_ROOT_HALF = (root_of_unity(8) + root_of_unity(8, 7)) / 2

#: the transposition (j k) of the axes i, j, k, the transposition (i j), and the cycle i -> j -> k, by elements of order 8, 8 and 6
OCTAHEDRAL = {
    (0, 2, 1): np.array([_ROOT_HALF, _ROOT_HALF, fmpq(0), fmpq(0)], dtype=object),
    (1, 0, 2): np.array([_ROOT_HALF, fmpq(0), fmpq(0), _ROOT_HALF], dtype=object),
    (1, 2, 0): np.array([HALF, HALF, HALF, HALF], dtype=object),
}


def axes(q: Array) -> tuple[int, int, int]:
    """How x -> q x q^-1 permutes the axes i, j, k, signs forgotten: the homomorphism of the binary octahedral group onto S_3."""
    image = []
    for axis in (1, 2, 3):
        unit = exact.unit_vector(4, axis)
        turned = multiply(multiply(q, unit), conjugate(q))
        (place,) = [k for k in (1, 2, 3) if turned[k] != 0]
        image.append(place - 1)
    return image[0], image[1], image[2]


# -- A_5 by the binary icosahedral group ----------------------------------------------------------------------------------


def icosahedral() -> dict[str, Array]:
    """A generator of order 6 (a 3-cycle of A_5) and one of order 10 (a 5-cycle), in Q(zeta_5), which holds sqrt 5."""
    golden = 1 + root_of_unity(5) + root_of_unity(5, 4)
    return {
        "a": np.array([HALF, HALF, HALF, HALF], dtype=object),
        "b": np.array([golden / 2, (golden - 1) / 2, HALF, fmpq(0)], dtype=object),
    }


def generated(generators: Sequence[Array], limit: int = 200) -> list[Array]:
    """All products of the generators, 1 first; raises ``ValueError`` beyond ``limit`` elements."""
    one = exact.unit_vector(4, 0)
    found, seen = [one], {exact.freeze(one)}
    for q in found:
        for g in generators:
            new = multiply(g, q)
            if exact.freeze(new) not in seen:
                seen.add(exact.freeze(new))
                found.append(new)
                if len(found) > limit:
                    raise ValueError(f"expected a group of at most {limit} elements, got more")
    return found


class CosetAction:
    """How a finite group of quaternions permutes the cosets q H of a subgroup H, by left multiplication."""

    def __init__(self, group: Sequence[Array], subgroup: Sequence[Array]):
        self.index: dict[Any, int] = {}
        self.representatives: list[Array] = []
        for q in group:
            if exact.freeze(q) not in self.index:
                for s in subgroup:
                    self.index[exact.freeze(multiply(q, s))] = len(self.representatives)
                self.representatives.append(q)

    def permutation(self, q: Array) -> tuple[int, ...]:
        """The permutation of the cosets by q."""
        return tuple(self.index[exact.freeze(multiply(q, r))] for r in self.representatives)


# -- dihedral groups with decays of both signs ----------------------------------------------------------------------------


def plane_rotation(m: int, k: int = 1) -> Array:
    """The rotation by 2 pi k / m, shape (2, 2), in the cyclotomic field."""
    c, s = cosine_and_sine(m, k)
    return np.array([[c, -s], [s, c]], dtype=object)


def plane_reflection(m: int, k: int = 1) -> Array:
    """The reflection [[cos, sin], [sin, -cos]] of the angle 2 pi k / m."""
    c, s = cosine_and_sine(m, k)
    return np.array([[c, s], [s, -c]], dtype=object)


def signed_s3(c: fmpq = HALF) -> dict[tuple[int, ...], tuple[Array, Token]]:
    """All six letters of S_3 in dimension 2: for each permutation its orthogonal matrix A and a token with Lambda = c diag(+-1, +-1), Q = Lambda A^T.

    The signs make Q a multiple of a rotation by at most 60 degrees, so ||I - Q||^2 <= 1 - c + c^2 < 1 for 0 < c < 1.
    """
    letters = {
        (0, 1, 2): (plane_rotation(3, 0), (1, 1)),
        (1, 2, 0): (plane_rotation(3, 1), (-1, -1)),
        (2, 0, 1): (plane_rotation(3, 2), (-1, -1)),
        (1, 0, 2): (plane_reflection(6, 1), (1, -1)),
        (2, 1, 0): (plane_reflection(6, 3), (-1, 1)),
        (0, 2, 1): (plane_reflection(6, 5), (1, -1)),
    }
    return {g: (A, orthogonal_token(A, exact.rationals(signs) * c)) for g, (A, signs) in letters.items()}
