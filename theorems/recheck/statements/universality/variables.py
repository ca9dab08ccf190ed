"""What the claims of topic universality demand of their certificates: changes of variables."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction

from ...exact import (
    apply,
    dot,
    matrix,
    norm_at_most,
    rank,
    require,
    transpose,
    vector,
)
from ...gaussian_numbers import conjugate, product
from ...gaussian_numbers import total as complex_total
from ...registry import statement
from ...schema import Fields, Matrix, Vector
from ...typed import Data, Decided
from .demands import ascending, is_real, length_of, spectrum, total

# -- changes of variables ------------------------------------------------------------------------------------------------------


def images(
    atoms: Sequence[tuple[Sequence[Fraction], Sequence[Fraction]]], A: Sequence[Sequence[Fraction]]
) -> dict[tuple[Fraction, ...], list[list[Fraction]]]:
    """{A^T w: [coefficients]}."""
    out = {}
    for w, c in atoms:
        out.setdefault(tuple(apply(transpose(A), w)), []).append(c)
    return out


def in_phase(group: Sequence[Sequence[Fraction]]) -> bool:
    first = group[0]
    return all(first[0] * c[1] == first[1] * c[0] and dot(first, c) > 0 for c in group)


def triangle(group: Sequence[Sequence[Fraction]]) -> None:
    """|sum c| <= sum |c|, equal if all are in phase and strictly less if not, decided."""
    together = [sum(c[0] for c in group), sum(c[1] for c in group)]
    if not in_phase(group):
        require(length_of(together)[1] < total(length_of(c) for c in group)[0], "coefficients out of phase lose nothing")


@statement(
    "orvieto24.appD.variables",
    "witness",
    Fields(A=Matrix((1, 3), (1, 3), 4), frequencies=Matrix((2, 6), (1, 3), 4), coefficients=Matrix((2, 6), 2, 4)),
)
def constants_shrink(data: Data) -> None:
    """|A| <= 1: moving frequencies by A^T shortens them, and coefficients that meet lose unless they are in phase: C_f <= int |A^T w| |G| <= C_g."""
    atoms, A = spectrum(data), matrix(data["A"])
    require(norm_at_most(A, 1) and any(any(v) for v in images(atoms, A)), "|A| <= 1, and not all frequencies go to 0")
    for w, _ in atoms:
        moved = apply(transpose(A), w)
        require(dot(moved, moved) <= dot(w, w), "a frequency gets longer")
    for group in images(atoms, A).values():
        triangle(group)


@statement(
    "orvieto24.appD.variables.equality",
    "witness",
    Fields(A=Matrix(2, 1, 4), frequencies=Matrix(4, 2, 4), coefficients=Matrix(4, 2, 4)),
    hypotheses={"matrix": "A is not 0"},
    violates={"zero": "f is the zero function: all atoms cancel", "constant": "C_g > 0"},
)
def constant_zero(data: Data) -> Decided:
    """C_f = |A| C_g; refuted by a real g with C_g > 0 and A != 0 for which all atoms off 0 cancel, so C_f = 0."""
    atoms, A = spectrum(data), matrix(data["A"])
    require(is_real(atoms), "g is real")
    return {
        "matrix": any(any(row) for row in A),
        "zero": all(not any(v) or not any(sum(c[i] for c in group) for i in (0, 1)) for v, group in images(atoms, A).items()),
        "constant": any(any(w) and any(c) for w, c in atoms),
    }


@statement(
    "orvieto24.thm2.norm",
    "witness",
    Fields(omega=Matrix(1, 4, 4), frequencies=Matrix(2, 1, 4), coefficients=Matrix(2, 2, 4)),
    hypotheses={"inverse": "Omega_1 V_1 = 1", "norm": "|Omega_1| = 1/2", "constants": "C_(T_1) = C'_(T_1) = 1"},
    violates={"exceeds": "C'_(f_1) > |Omega_1| C'_(T_1)"},
)
def coefficients_stay(data: Data) -> Decided:
    """C'_(f_1) <= |Omega_1| C'_(T_1); refuted by Omega_1 of norm below 1 that recovers one token from units that all hold it: no atoms meet, so C'_(f_1) = C'_(T_1) > 0."""
    atoms, (row,) = spectrum(data), matrix(data["omega"])
    require(is_real(atoms) and len(atoms[0][0]) == 1, "a real function of one token")
    require(not any(imaginary for _, (_, imaginary) in atoms), "real coefficients")
    barron, total = (sum(abs(w) ** power * abs(c) for (w,), (c, _) in atoms) for power in (1, 0))
    return {
        "inverse": sum(row) == 1,
        "norm": dot(row, row) == Fraction(1, 4),
        "constants": barron == total == 1,
        "exceeds": len(images(atoms, [row])) == len(atoms) and dot(row, row) < 1,
    }


@statement(
    "orvieto24.thm2.norm.amended",
    "witness",
    Fields(A=Matrix((1, 3), (1, 3), 4), frequencies=Matrix((4, 8), (1, 3), 4), coefficients=Matrix((4, 8), 2, 4)),
)
def fourier_norm_shrinks(data: Data) -> None:
    """Coefficients that meet lose unless they are in phase; none meet if A^T is injective."""
    atoms, A = spectrum(data), matrix(data["A"])
    groups = images(atoms, A)
    require(len(atoms) >= 3 and len(A) == len(atoms[0][0]), "three atoms, and A with a row for each variable of g")
    require(any(any(row) for row in A), "A is not 0")
    require(rank(A) < len(A) or len(groups) == len(atoms), "an injective map brings atoms together")
    for group in groups.values():
        triangle(group)


@statement(
    "orvieto24.appD.transform",
    "witness",
    Fields(cuts=Vector(9, 4)),
    hypotheses={"function": "f is 2/(1 + x^2)"},
    violates={"differ": "F by (11) is not F by (16) at 0", "twice": "it is 2 pi times as large"},
)
def lower_sum(data: Data) -> Decided:
    """F(0) = G(0) for n = p = A = 1, by (16); refuted for G = exp(-|w|), where (11) gives F(0) = int f, more than G(0) = 1 already on the cuts.

    By (10) f(x) = 1/(1 - i x) + 1/(1 + i x), as exp(-a w) has the integral 1/a over w >= 0. With x = tan(t/2), dx = (1 + x^2)/2 dt, f(x) dx is dt, and
    t goes from -pi to pi. Both identities are of degree 4 at most, and hold at more points than that.
    """
    x = vector(data["cuts"])
    require(len(x) > 4 and x[0] == 0 and ascending(x), "five ascending cuts from 0 at least")
    f, exponents = [2 / (1 + y * y) for y in x], [(Fraction(1), -y) for y in x]
    return {
        "function": all(
            product(product(a, conjugate(a)), (z, Fraction(0))) == complex_total([a, conjugate(a)])
            for a, z in zip(exponents, f, strict=True)
        ),
        "differ": 2 * sum((b - a) * z for (a, b), z in zip(itertools.pairwise(x), f[1:], strict=True)) > 1,
        "twice": all(z * (1 + y * y) / 2 == 1 for y, z in zip(x, f, strict=True)),
    }


@statement(
    "orvieto24.thm2.class",
    "witness",
    Fields(omega=Matrix(1, 2, 4), recall=Matrix(2, 1, 4), direction=Matrix(1, 2, 4)),
    hypotheses={"recovers": "Omega_1 recovers the token"},
    violates={"constant": "f_1 is T_1(0) = 1 arbitrarily far out"},
)
def constant_direction(data: Data) -> Decided:
    """f_1 = T_1 o Omega_1 has an integrable transform; refuted by a direction with Omega_1 d = 0, along which f_1 is constant, so f_1 does not tend to 0."""
    omega, recall, (d,) = matrix(data["omega"]), matrix(data["recall"]), matrix(data["direction"])
    N = len(recall) // 2
    require(recall == [[1]] * N + [[0]] * N, "N units hold the token, in their real parts")
    return {
        "recovers": len(omega) == 1 and dot(omega[0], [x for (x,) in recall]) == 1,
        "constant": any(d) and dot(omega[0], d) == 0,
    }
