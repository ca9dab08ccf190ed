"""Which matrices and products the certificates of topic householder are about: finite domains, families drawn again from their seeds, fixed witnesses."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import isqrt
from random import Random
from typing import Any

from ... import matrix_families as families
from ...exact import dot, minus, one, rank, scaled, transpose
from ...registry import instances
from ...roots import norm_below
from ...typed import Data


def fixed(claim: Any, kind: Any, *listed: Any) -> None:
    """The certificates are about these instances, which the claim or its check names."""
    instances(claim, kind)(lambda: listed)


def products(claim: Any, kind: Any, *family: Any, kept: Any = lambda factors: True, changed: Any = lambda factors: factors) -> None:
    """The certificates are about the products of a seeded family that are kept."""
    seed, *sizes = family

    @instances(claim, kind)
    def drawn() -> Iterable[Data]:
        """Seeded products of GH factors."""
        lists = families.once([changed(f) for f in families.products(Random(seed), *sizes) if kept(f)])
        return [{"factors": families.listed(f)} for f in lists]


def matrices(listed: Sequence[Sequence[Sequence[Fraction]]]) -> list[dict[str, Any]]:
    """Each matrix once."""
    return [{"matrix": m} for m in families.once(listed)]


# -- norms -----------------------------------------------------------------------------------------------------------------

products("grazzi25.prop1.1", "contraction", 21, 5, 4, 6, -1, 1)
products("grazzi25.eq3.inclusion", "gh-product", 22, 3, 2, 3, 0, 1, changed=lambda factors: [*factors, (factors[0][0], 0)])


@instances("grazzi25.sec4.3.triangular", "witness")
def triangular_pairs() -> Iterable[Data]:
    """Seed 26: for n = 2, 3, 4 two upper triangular matrices with diagonals from -1, -1/2, 1/3, 1."""
    rng, values = Random(26), [Fraction(x) for x in ("-1", "-1/2", "1/3", "1")]
    for n in (2, 3, 4):
        yield {"S": families.triangular(rng, n, values), "T": families.triangular(rng, n, values)}


# -- Proposition 1.2, and how many factors ---------------------------------------------------------------------------------


@instances("grazzi25.prop1.2.contraction", "gh-product")
def contractions() -> Iterable[Data]:
    """Seed 41: for n = 1 .. 5 the matrices -I, 0, I/2, -I/2 and eight random contractions other than I."""
    rng, family = Random(41), []
    for n in range(1, 6):
        family += [scaled(Fraction(c), one(n)) for c in ("1", "-1", "0", "1/2", "-1/2")]
        family += [families.contraction(rng, n) for _ in range(8)]
    return matrices([m for m in family if m != one(len(m))])


@instances("new.householder.n-factors", "gh-product")
def strict_products() -> Iterable[Data]:
    """Seed 42: of 25 products of n factors with eigenvalues in [-3/4, 3/4], n <= 4, those of norm below 1."""
    rng, family = Random(42), []
    for _ in range(25):
        n = rng.randint(1, 4)
        factors = [(families.nonzero_vector(rng, n), 1 - families.fraction(rng, -3, 3) / 4) for _ in range(n)]
        family.append(families.product_of(factors, n))
    return matrices([m for m in family if norm_below(m, 1)])


@instances("new.householder.minimum", "gh-product")
def mixed_turns() -> Iterable[Data]:
    """Seed 43, after 40 matrices that are only looked at: for n <= 6 with 0, some and n // 2 turns by c J or J, c = 1/2 or 3/5, other entries in [-1, 1], turned."""
    rng, family = Random(43), []
    for _ in range(40):
        n = rng.choice((2, 4))
        families.integers(rng, n, n)
    for n in range(1, 7):
        for blocks in (0, n // 2, rng.randint(0, n // 2)):
            c = rng.choice([Fraction(1, 2), Fraction(3, 5)])
            scales = [rng.choice([c, Fraction(1)]) for _ in range(blocks)]
            line = [families.fraction(rng, -1, 1) for _ in range(n - 2 * blocks)]
            family.append(families.turned(families.orthogonal(rng, n), families.turns(scales, line)))
    return matrices([m for m in family if m != one(len(m))])


fixed(
    "new.householder.half-turn",
    "gh-product",
    *({"matrix": families.turns([Fraction(k, 10)])} for k in range(1, 10, 2)),
)
fixed("new.householder.pencil", "witness", *[{"s": [Fraction(25, 16), Fraction(-15, 16)]}] * 4)
fixed("new.householder.minimum.sharp", "witness", *({"c": Fraction(3, 5), "n": n} for n in range(2, 8)))


def products_with_all_eigenvalues_in_range() -> Iterator[list[tuple[list[Fraction], Fraction]]]:
    """Seed 61: for n <= 3 and m <= 2 two products of n + m factors other than I, eigenvalues -1, -1/2, 0, 1/3, 2/3, drawn again until I - M is invertible."""
    rng, values = Random(61), [Fraction(x) for x in ("-1", "-1/2", "0", "1/3", "2/3")]
    for n, m, _ in itertools.product((1, 2, 3), (0, 1, 2), (1, 2)):
        while True:
            factors = [(families.nonzero_vector(rng, n), 1 - rng.choice(values)) for _ in range(n + m)]
            if rank(minus(one(n), families.product_of(factors, n))) == n:
                break
        yield factors


@instances("new.householder.between", "witness")
def known_contractions() -> Iterable[Data]:
    """Seed 64: I and -I and 0, and for n = 2 .. 6 turns by equal, different and full scales with an entry 1, 1/2 or -1 beside them, turned; those without the eigenvalue 1."""
    rng, half, c = Random(64), Fraction(1, 2), Fraction(3, 5)
    family = [one(2), scaled(-1, one(3)), scaled(0, one(2))]
    for n in range(2, 7):
        for scales in ([c], [c, c], [c, half], [c, Fraction(1)], [half] * 3):
            if 2 * len(scales) in (n, n - 1):
                line = [rng.choice([Fraction(1), half, Fraction(-1)])] * (n - 2 * len(scales))
                family.append(families.turned(families.orthogonal(rng, n), families.turns(scales, line)))
    return matrices([m for m in family if rank(minus(one(len(m)), m)) == len(m)])


fixed(
    "new.householder.four",
    "witness",
    {"nu": [["5/3", "4/3"], ["5/4", "3/4"]]},
    {"nu": [["13/7", "40/21"], ["17/33", "10/11"]]},
    {"nu": [["181/19", "180/19"], ["13/12", "5/12"]], "W": [[1], [0], [4], [0]], "C": [[11]]},
)
fixed("new.householder.near", "witness", {"radius": Fraction(1, 10**6), "c": Fraction(3, 5)})


@instances("new.householder.rank", "witness")
def few_factors() -> Iterable[Data]:
    """Seed 31: products of 1, 2, 3 and 4 factors of dimension 6 with eigenvalues in [-1, 1]."""
    rng = Random(31)
    for k in (1, 2, 3, 4):
        yield {"factors": families.listed(families.gh_factors(rng, 6, k, -1, 1)), "k": k}


@instances("grazzi25.prop1.2.orthogonal", "gh-product")
def orthogonal_matrices() -> Iterable[Data]:
    """Seed 32: for n = 1 .. 6 the matrix -I and six random products of reflections other than I."""
    rng, family = Random(32), []
    for n in range(1, 7):
        family += [scaled(-1, one(n)), *(families.orthogonal(rng, n) for _ in range(6))]
    return matrices([m for m in family if m != one(len(m))])


def permutation_matrix(p: tuple[int, ...]) -> list[list[int]]:
    """The matrix that takes e_i to e_p(i)."""
    return [[int(p[j] == i) for j in range(len(p))] for i in range(len(p))]


@instances("grazzi25.prop1.2.permutation", "gh-product")
def permutations() -> Iterable[Data]:
    """All permutations of at most four points but the identities."""
    for n in (2, 3, 4):
        for p in itertools.permutations(range(n)):
            if list(p) != sorted(p):
                yield {"matrix": permutation_matrix(p)}


fixed("grazzi25.prop1.2.permutation.display", "witness", {"P": permutation_matrix((1, 0))})
fixed("grazzi25.fig3", "gh-product", {"factors": [{"v": [1, -1, 0], "beta": 2}, {"v": [0, 1, -1], "beta": 2}]})

# -- Proposition 1.3 -------------------------------------------------------------------------------------------------------

products(
    "grazzi25.prop1.3",
    "witness",
    *(23, 5, 4, 6, -1, 1),
    changed=lambda factors: [(v, Fraction(7, 4) if beta == 2 else beta) for v, beta in factors],
)
fixed(
    "grazzi25.prop1.3.display",
    "witness",
    {"factors": [{"v": [-1, 0], "beta": "3/2"}, {"v": [2, -1], "beta": "3/2"}], "eigenvalue": ["2/5", "3/10"]},
)


@instances("grazzi25.prop1.3.display.amended", "witness")
def factors_on_complex_vectors() -> Iterable[Data]:
    """Seed 27: two factors for each n <= 3 with eigenvalues in (-1, 1] and a vector of sum not 0, on the vector with entries k - 1 + i (k + 1)."""
    for (factor,) in families.products(Random(27), 3, 2, 1, -1, 1):
        v, beta = factor
        if beta != 2 and sum(v):
            yield {"factors": families.listed([factor]), "vector": [[k - 1, k + 1] for k in range(len(v))]}


products("grazzi25.prop1.3.two", "witness", 24, 5, 5, 2, 0, 1, kept=lambda f: len(f) == 2 and f[0][1] and f[1][1] and dot(f[0][0], f[1][0]))
products("grazzi25.prop1.3.orthogonal", "witness", 25, 4, 3, 4, 0, 1)
fixed("new.householder.three-projections", "gh-product", {"factors": [{"v": v, "beta": 1} for v in ([-1, 0], [-1, -1], [-1, 2])]})
fixed("new.householder.three-projections", "eigenvector", {"eigenvalue": "-1/10", "vector": [0, 1]})
fixed("new.householder.three-projections", "eventually-periodic", {"D": [-1, 1]})

# -- rotations, zero, boolean transitions ----------------------------------------------------------------------------------

fixed("grazzi25.appC1", "witness", *({"sine": s, "cosine": c} for s, c in (("3/5", "4/5"), ("5/13", "12/13"), ("-8/17", "15/17"))))
fixed("new.householder.decoder-margin", "witness", *({"m": m} for m in (2, 3, 5, 8, 24, 100)))
fixed("grazzi25.appC5.zero", "gh-product", *({"matrix": scaled(0, one(n))} for n in range(1, 13)))


@instances("grazzi25.appA3", "witness")
def functions() -> Iterable[Data]:
    """All functions on at most four states."""
    for n in (1, 2, 3, 4):
        for f in itertools.product(range(n), repeat=n):
            yield {"function": list(f)}


# -- mixers ----------------------------------------------------------------------------------------------------------------


def is_rational_square(x: Fraction) -> bool:
    """x >= 0 is the square of a rational number."""
    return all(isqrt(part) ** 2 == part for part in (x.numerator, x.denominator))


@instances("movahedi25.thmD2", "witness")
def unitary_matrices() -> Iterable[Data]:
    """Seed 61: U of dimension 1 to 3, y with parts in [-1, 1], those with rational |y^* U y|; of the first 16 those with n >= 2 and y not 0."""
    rng, found = Random(61), []
    while len(found) < 16:
        n = rng.randint(1, 3)
        u = families.gaussian_unitary(rng, n)
        y = [(Fraction(rng.randint(-1, 1)), Fraction(rng.randint(-1, 1))) for _ in range(n)]
        rows = [[(a, -b) for a, b in row] for row in u]
        a, b = families.inner(y, [families.inner(row, y) for row in rows])
        if is_rational_square(a * a + b * b):
            found.append({"U": [[families.trimmed(x) for x in row] for row in u], "y": [families.trimmed(x) for x in y]})
    return [data for data in families.once(found) if len(data["y"]) >= 2 and any(data["y"])]


def orthogonal_examples() -> Any:
    """Turns by 36.9 and 67.4 degrees and by -36.9, -I, and direct sums of them."""
    near, far = ([[c, -s], [s, c]] for c, s in ((Fraction(4, 5), Fraction(3, 5)), (Fraction(5, 13), Fraction(12, 13))))
    sums = families.block_diagonal([near, far]), families.block_diagonal([near, near, one(1)])
    return near, far, transpose(near), scaled(-1, one(3)), *sums


fixed("movahedi25.appD.orthogonal", "not-below-one", {"matrix": [[2]], "vector": [1]}, {"matrix": [[1]], "vector": [1]})
fixed("movahedi25.appD.orthogonal.amended", "witness", *({"Q": q} for q in orthogonal_examples()))
fixed("movahedi25.appD.low-rank", "witness", {"alphas": [1], "us": [[1, 0]]})
fixed("movahedi25.eq10.contractive", "witness", {"alphas": ["1/2"], "us": [[1]]})
fixed("movahedi25.appD.collapse.loss", "witness", {"alpha": "1/2", "us": [[1, 0], ["3/5", "4/5"]], "target": [["1/2", 0], [0, "1/2"]]})
fixed("movahedi25.eq10.negative", "witness", {"alphas": ["3/4"], "us": [[1]], "vector": [1]})


@instances("movahedi25.eq10.amended", "witness")
def small_mixers() -> Iterable[Data]:
    """Seed 63: of 12 mixers, d <= 4, r <= 4, the alphas in the ratio of integers up to 5 with the sum 99/200, those with r >= 2."""
    rng = Random(63)
    for _ in range(12):
        d, r = rng.randint(1, 4), rng.randint(1, 4)
        weights = [rng.randint(1, 5) for _ in range(r)]
        us = [families.nonzero_vector(rng, d) for _ in range(r)]
        if r >= 2:
            yield {"alphas": [Fraction(99, 200) * Fraction(w, sum(weights)) for w in weights], "us": us}
