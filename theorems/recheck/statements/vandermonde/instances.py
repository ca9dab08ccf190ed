"""Of which instances the certificates of topic vandermonde speak: eigenvalues drawn again from their seeds, and those that the claims print."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from random import Random

from ... import families
from ...cyclotomic import cyclotomic_polynomial, element
from ...exact import rank, require, times
from ...registry import instances, statement
from ...typed import Certificates, Data
from .demands import to_power

HALF = Fraction(1, 2)
GAUSSIAN = families.GAUSSIAN


def roots_of_unity(n: int, powers: Iterable[int]) -> list[tuple[Fraction, ...]]:
    """Powers of exp(2 pi i / n), as coefficients."""
    modulus = cyclotomic_polynomial(n)
    return [to_power(element([0, 1], modulus), k, modulus) for k in powers]


# -- recall --------------------------------------------------------------------------------------------------------------------


@instances("orvieto24.eq4", "witness")
def recurrences() -> Iterable[Data]:
    rng = Random(81)
    for _ in range(6):
        nodes = families.gaussian_nodes(rng, rng.randint(1, 4))
        yield {"nodes": nodes, "inputs": families.gaussian_inputs(rng, rng.randint(2, 6))}


@instances("orvieto24.det", "witness")
def five_nodes() -> Iterable[Data]:
    yield {"nodes": [2, -1, HALF, 3, Fraction(-1, 3)]}


@instances("orvieto24.appE1", "witness")
def four_nodes() -> Iterable[Data]:
    rng = Random(80)
    for _ in range(4):
        yield {"nodes": [[Fraction(rng.randint(-700, 700), 1000) for _ in range(2)] for _ in range(4)], "length": 3}


@instances("orvieto24.appE1.positive", "witness")
def two_orders() -> Iterable[Data]:
    yield {"nodes": [[HALF, HALF / 2], [HALF / 2, HALF]]}


@instances("orvieto24.prop1", "witness")
def distinct_sevenths() -> Iterable[Data]:
    rng = Random(79)
    for _ in range(5):
        nodes = [Fraction(v, 7) for v in rng.sample(range(-9, 10), rng.randint(2, 6))]
        length = rng.randint(2, len(nodes))
        yield {"nodes": nodes, "length": length}
        rng.sample(range(1, 20), length)  # the inputs that the check recalls


@instances("orvieto24.prop1.bijective", "witness")
def two_units_and_one_input() -> Iterable[Data]:
    yield {"nodes": [1, 2], "length": 1, "state": [1, 0]}


@instances("orvieto24.prop1.amended", "witness")
def repeated_nodes() -> Iterable[Data]:
    yield {"nodes": GAUSSIAN[:3], "length": 3}
    yield {"nodes": [*GAUSSIAN[:3], GAUSSIAN[0]], "length": 4}
    yield {"nodes": [GAUSSIAN[3]] * 3, "length": 2}
    yield {"nodes": GAUSSIAN[1:6], "length": 2}


@instances("orvieto24.clock", "witness")
def clocks() -> Iterable[Data]:
    rng = Random(83)
    for _ in range(3):
        nodes = [Fraction(rng.randint(-4, 4), rng.randint(1, 3)) for _ in range(rng.randint(1, 4))]
        yield {"nodes": nodes, "inputs": [rng.choice((-3, -2, -1, 1, 2, 3)) for _ in range(6)]}


@instances("orvieto24.appC", "witness")
def blocks() -> Iterable[Data]:
    rng = Random(84)
    for _ in range(4):
        m, k = rng.randint(2, 3), rng.randint(1, 4)
        nodes = [families.gaussian_nodes(rng, rng.randint(1, 4)) for _ in range(m)]
        yield {"nodes": nodes, "inputs": [families.gaussian_inputs(rng, m) for _ in range(k)]}


@instances("orvieto24.pseudoinverse", "witness")
def three_nodes_at_least() -> Iterable[Data]:
    rng = Random(85)
    for _ in range(4):
        nodes = []
        while len(set(nodes)) < 3:
            nodes = families.gaussian_nodes(rng, rng.randint(3, 5))
        length = rng.randint(1, 3)
        yield {"nodes": nodes, "length": length}
        families.gaussian_inputs(rng, length)  # the inputs that the check recalls


@instances("orvieto24.pseudoinverse.transpose", "witness")
def third_roots() -> Iterable[Data]:
    yield {"field": 3, "nodes": [[1], [0, 1], [0, 0, 1]], "length": 2}


# -- real inputs -----------------------------------------------------------------------------------------------------------------


@instances("new.vandermonde.half-width", "witness")
def conjugates_and_real_nodes() -> Iterable[Data]:
    yield {"nodes": GAUSSIAN[3:6:2], "length": 4}
    yield {"nodes": GAUSSIAN[:3], "length": 3}
    yield {"nodes": GAUSSIAN[3:5], "length": 3}
    yield {"nodes": [GAUSSIAN[5], GAUSSIAN[8], GAUSSIAN[7]], "length": 5}


@instances("new.vandermonde.half-circle", "witness")
def halves_of_circles() -> Iterable[Data]:
    for length in (2, 5, 8):
        nodes = roots_of_unity(2 * length, range(1, 2 * ((length + 1) // 2), 2))
        yield {"field": 2 * length, "nodes": nodes, "length": length}


# -- conditioning ----------------------------------------------------------------------------------------------------------------


@instances("orvieto24.sec4.1.roots", "witness")
def all_roots() -> Iterable[Data]:
    for n in (3, 8):
        yield {"field": n, "nodes": roots_of_unity(n, range(n)), "length": n}


@instances("orvieto24.sec4.1.real", "witness")
def real_nodes_of_denominator_64() -> Iterable[Data]:
    rng = Random(88)
    for _ in range(5):
        k = rng.randint(3, 8)
        yield {"nodes": [Fraction(rng.randint(-64, 64), 64) for _ in range(rng.randint(k, 20))], "length": k}


@instances("orvieto24.sec4.1.real.width", "witness")
def equidistant_nodes() -> Iterable[Data]:
    yield {"families": [[Fraction(2 * i + 1 - n, n) for i in range(n)] for n in (2, 4, 8, 16, 32)]}


@instances("new.vandermonde.recency", "witness")
def fading_nodes() -> Iterable[Data]:
    rng, found = Random(91), 0
    while found < 5:
        nodes = [Fraction(rng.randint(-9, 9), 10) for _ in range(rng.randint(2, 12))]
        k = rng.randint(2, 8)
        if len(set(nodes)) >= k:
            found += 1
            yield {"nodes": nodes, "length": k}


@instances("orvieto24.complex", "witness")
def as_many_real_nodes_as_roots() -> Iterable[Data]:
    rng = Random(92)
    for k in (3, 5, 8):
        real = [Fraction(v, 32) for v in rng.sample(range(-32, 33), k + 2)]
        yield {"length": k, "real": real, "field": k + 2, "nodes": roots_of_unity(k + 2, range(k + 2))}


@instances("new.vandermonde.gap", "witness")
def nodes_beside_a_gap() -> Iterable[Data]:
    rng = Random(151)
    for degree, k, c in ((3, 2, Fraction(4, 5)), (5, 3, Fraction(4, 5)), (8, 7, Fraction(9, 10)), (20, 11, Fraction(19, 20))):
        high = 2 * c * c - 1
        cosines = [high, Fraction(-1), *(-1 + (1 + high) * Fraction(rng.randint(0, 1000), 1000) for _ in range(2 * (degree + k)))]
        yield {"degree": degree, "c": c, "cosines": cosines, "weights": [Fraction(rng.randint(1, 9), 3) for _ in cosines]}


@statement("new.vandermonde.gap")
def widths_of_windows(certificates: Certificates) -> None:
    """The windows have k + 1 entries."""
    require([len(data["window"]) for _, data in certificates] == [3, 4, 8, 12], "windows of k + 1 entries, k = 2, 3, 7, 11")


# -- sparse inputs ---------------------------------------------------------------------------------------------------------------


@instances("orvieto24.thm3", "witness")
def bases_of_full_rank() -> Iterable[Data]:
    rng = Random(86)
    for _ in range(5):
        length = rng.randint(2, 10)
        p = rng.randint(1, min(length, 5))
        basis = families.integers(rng, length, p)
        while rank(basis) < p:
            basis = families.integers(rng, length, p)
        yield {"nodes": [Fraction(x, 100) for x in sorted(rng.sample(range(-99, 100), p))], "basis": basis}
        families.nonzero_vector(rng, p)  # the inputs that the check recalls


@instances("orvieto24.thm3.eq7", "witness")
def two_nodes_and_one_step() -> Iterable[Data]:
    yield {"nodes": [HALF, -HALF], "basis": [[1, 0], [0, 1]], "steps": 1}


@instances("orvieto24.sec4.1.sparse", "witness")
def subspaces() -> Iterable[Data]:
    """In real form: Q and Q again on the diagonal, and a random basis of the same subspace."""
    rng = Random(90)
    for _ in range(4):
        length, nodes = rng.randint(3, 4), []
        while len(set(nodes)) < length:
            nodes = families.gaussian_nodes(rng, rng.randint(length, 6))
        p = rng.randint(1, length - 1)
        half = [row[:p] for row in families.reflections(rng, length, length)]
        Q = [row + [0] * p for row in half] + [[0] * p + row for row in half]
        yield {"nodes": nodes, "length": length, "orthonormal": Q, "basis": times(Q, families.basis(rng, 2 * p))}  # pyright: ignore[reportArgumentType]


@instances("new.vandermonde.haar", "witness")
def nodes_in_the_ring() -> Iterable[Data]:
    """16 Gaussian integers z with 950 <= |z| <= 1000 in the upper half-plane, in order."""
    rng, found = Random(87), set()
    while len(found) < 16:
        a, b = rng.randint(-999, 999), rng.randint(1, 999)
        if 950**2 <= a * a + b * b <= 1000**2:
            found.add((a, b))
    yield {"nodes": sorted(found)}
