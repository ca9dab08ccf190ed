"""Every symmetric group by one ungated fixed-point layer: transpositions as elements of order 8 of a spin group.

For anticommuting g_1, ..., g_N with g_i^2 = 1 the element (1 + g_j g_k)/sqrt 2 is a rotation with eigenvalues e^(+-i pi/4); conjugation by it takes g_k to g_j and
g_j to -g_k and fixes the others: the transposition (j k), up to signs (the exchange of Majorana operators; Ivanov, Phys. Rev. Lett. 86 (2001) 268).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..numerics.exact import Array

_X, _Z, _ONE = np.array([[0, 1], [1, 0]]), np.array([[1, 0], [0, -1]]), np.eye(2, dtype=int)


def clifford_generators(n: int) -> list[Array]:
    """N anticommuting symmetric matrices with square 1 and entries 0, 1, -1, of size 2^(N-1) (Jordan and Wigner); raises ``ValueError`` for N < 1."""
    if n < 1:
        raise ValueError(f"expected at least one generator, got {n}")
    m = n - 1
    strings = [[_Z] * k + [_X] + [_ONE] * (m - k - 1) for k in range(m)] + [[_Z] * m]
    out = []
    for factors in strings:
        matrix = np.eye(1, dtype=int)
        for factor in factors:
            matrix = np.kron(matrix, factor)
        out.append(matrix)
    return out


def exchange(generators: list[Array], j: int, k: int) -> Array:
    """1 + g_j g_k, which is sqrt 2 times an orthogonal matrix; raises ``ValueError`` for j = k."""
    if j == k:
        raise ValueError(f"expected two different generators, got {j} twice")
    return np.eye(len(generators[0]), dtype=int) + generators[j] @ generators[k]


def conjugated(generators: list[Array], A: Array, scale: int) -> tuple[int, ...] | None:
    """p with A g_i A^T = +- scale g_p(i) for all i: the permutation that A stands for; None if there is none."""
    out = []
    for g in generators:
        turned = A @ g @ A.T
        places = [k for k, h in enumerate(generators) if np.array_equal(turned, scale * h) or np.array_equal(turned, -scale * h)]
        if len(places) != 1:
            return None
        out.append(places[0])
    return tuple(out)


# -- the algebra itself, without matrices ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CliffordElement:
    """An integer combination of words in anticommuting generators with square 1: ``terms`` maps increasing words to coefficients other than 0.

    Computed from g_i^2 = 1 and g_i g_j = -g_j g_i alone, so an identity here holds for all matrices with these relations, of any number and size.
    """

    terms: tuple[tuple[tuple[int, ...], int], ...]

    @staticmethod
    def of(terms: dict[tuple[int, ...], int]) -> CliffordElement:
        """The element with these coefficients; zeros are left out."""
        return CliffordElement(tuple(sorted((w, c) for w, c in terms.items() if c)))

    @staticmethod
    def scalar(c: int) -> CliffordElement:
        """c times the empty word."""
        return CliffordElement.of({(): c})

    @staticmethod
    def generator(i: int) -> CliffordElement:
        """g_i."""
        return CliffordElement.of({(i,): 1})

    def __add__(self, other: CliffordElement) -> CliffordElement:
        out = dict(self.terms)
        for word, c in other.terms:
            out[word] = out.get(word, 0) + c
        return CliffordElement.of(out)

    def __sub__(self, other: CliffordElement) -> CliffordElement:
        return self + -1 * other

    def __rmul__(self, c: int) -> CliffordElement:
        return CliffordElement.of({word: c * x for word, x in self.terms})

    def __mul__(self, other: CliffordElement) -> CliffordElement:
        out: dict[tuple[int, ...], int] = {}
        for v, a in self.terms:
            for w, b in other.terms:
                word, sign = _in_order(v + w)
                out[word] = out.get(word, 0) + sign * a * b
        return CliffordElement.of(out)

    def reversed(self) -> CliffordElement:
        """The transpose, for symmetric generators: every word read backwards."""
        out = {}
        for word, c in self.terms:
            ordered, sign = _in_order(word[::-1])
            out[ordered] = sign * c
        return CliffordElement.of(out)


def _in_order(word: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
    """The word with its letters in increasing order and pairs of equal letters cancelled, and the sign of the exchanges."""
    letters, sign = list(word), 1
    for end in range(len(letters), 1, -1):
        for i in range(end - 1):
            if letters[i] > letters[i + 1]:
                letters[i], letters[i + 1], sign = letters[i + 1], letters[i], -sign
    out: list[int] = []
    for x in letters:
        if out and out[-1] == x:
            out.pop()
        else:
            out.append(x)
    return tuple(out), sign
