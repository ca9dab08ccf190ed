"""Of which instances the certificates of topic universality speak: functions and heads drawn again from their seeds, and the examples that the claims print."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import factorial
from random import Random
from typing import Any

from ... import families
from ...exact import is_positive_semidefinite, minus, one, require, times, transpose
from ...registry import instances, statement
from ...typed import Certificates, Data
from ..vandermonde.instances import roots_of_unity

HALF = Fraction(1, 2)


def positive_nodes(count: int) -> list[Fraction]:
    """2/3, 4/5, 6/7, ..."""
    return [1 - Fraction(1, 2 * i + 3) for i in range(count)]


def spectrum(total: dict[tuple[int, ...], tuple[Fraction, Fraction]]) -> dict[str, Any]:
    """The fields of a sum of waves."""
    return {"frequencies": list(total), "coefficients": list(total.values())}


def only(atoms: Sequence[tuple[tuple[int, ...], tuple[Fraction, Fraction]]]) -> dict[tuple[int, ...], tuple[Fraction, Fraction]]:
    """One sum of waves."""
    return families.sum_of_waves({}, atoms)


# -- one hidden layer --------------------------------------------------------------------------------------------------------


@instances("orvieto24.thm1", "witness")
def three_neurons() -> Iterable[Data]:
    yield {"amplitude": Fraction(12, 5), "r": HALF, "eps": 1, "width": 3, "height": 100}


@instances("orvieto24.thm1.amended", "witness")
def functions_on_five_points() -> Iterable[Data]:
    rng = Random(111)
    for case in range(4):
        points = sorted(Fraction(rng.randint(-9, 9), 4) + Fraction(i, 100) for i in range(5))
        yield {"points": points, "values": [*(rng.randint(-6, 6) for _ in range(4)), 7 + case]}


@instances("new.universality.finitely-many", "witness")
def waves_on_the_ball() -> Iterable[Data]:
    for case in range(4):
        n = 2 + case % 2
        points = families.points_of_ball(Random(100 + case), 80, n)
        yield {**spectrum(families.waves(Random(1000 + case), n)), "points": points}


@instances("orvieto24.prop2", "witness")
def waves_of_two_outputs() -> Iterable[Data]:
    rng = Random(116)
    for case, scale in enumerate((2, 3, HALF)):
        targets = [spectrum(families.waves(rng, 2)) for _ in range(2)]
        rotation = [[Fraction(3, 5), Fraction(4, 5)], [Fraction(-4, 5), Fraction(3, 5)]]
        yield {"scale": scale, "rotation": rotation, "targets": targets, "points": families.points_of_ball(Random(case), 30, 2)}


@instances("new.universality.constants", "witness")
def two_factors() -> Iterable[Data]:
    rng = Random(123)
    for _ in range(6):
        yield {"factors": [spectrum(families.waves(rng, 2)) for _ in range(2)]}
        for _ in range(4):
            rng.randint(-9, 9)  # the points at which the check compares values


@instances("new.universality.interval", "witness")
def piecewise_linear_functions() -> Iterable[Data]:
    """Each function with 2 and with 5 steps; one that is constant is left out."""
    rng = Random(112)
    for _ in range(8):
        corners = sorted({Fraction(rng.randint(-8, 8), 4) for _ in range(6)})
        values = [rng.randint(-5, 5) for _ in corners]
        if len(set(values)) > 1:
            yield {"corners": corners, "values": values}
            yield {"corners": corners, "values": values}


@statement("new.universality.interval")
def two_and_five_steps(certificates: Certificates) -> None:
    """2 steps and 5 by turns."""
    steps = [len(data["thresholds"]) for _, data in certificates]
    require(steps == [2, 5] * (len(steps) // 2), "2 steps and 5 by turns")


@instances("new.universality.outputs", "witness")
def curves() -> Iterable[Data]:
    rng = Random(113)
    for case in range(6):
        s = 1 + case % 4
        curve = [*families.integers(rng, 4, s, 4), [9] * s]
        if s > 1:
            yield {"curve": curve}


@instances("orvieto24.prop2.penalty", "witness")
def near_nodes() -> Iterable[Data]:
    yield {"nodes": [1, Fraction(999, 1000)], "tokens": [[1, -1]], "states": [[1999, -2000]], "bias": [0], "largest": 1000}


@instances("orvieto24.prop2.amended", "witness")
def heads_of_three_neurons() -> Iterable[Data]:
    rng = Random(114)
    for _ in range(10):
        nodes = rng.sample([1 - Fraction(1, q) for q in range(2, 500)], rng.randint(2, 4))
        inner, (bias,), (outer,) = (
            [[rng.randint(-3, 3) for _ in range(n)] for _ in range(rows)] for rows, n in ((3, len(nodes)), (1, 3), (1, 3))
        )
        yield {"nodes": nodes, "tokens": {"inner": inner, "bias": bias, "outer": outer, "offset": rng.randint(-3, 3)}}


# -- filters and interpolation ------------------------------------------------------------------------------------------------


@instances("orvieto24.eq23", "witness")
def twice_the_hat() -> Iterable[Data]:
    yield {"knots": [-1, 0, 1], "values": [0, 2, 0], "L": 1}


@instances("orvieto24.eq23.amended", "witness")
def hat() -> Iterable[Data]:
    yield {"knots": [-1, 0, 1], "values": [0, 1, 0], "L": 8}


@instances("orvieto24.eq27", "witness")
def box_of_width_one() -> Iterable[Data]:
    yield {"a": HALF, "k": 1, "share": HALF}


@instances("orvieto24.thm4", "witness")
def three_functions() -> Iterable[Data]:
    yield {"functions": [spectrum(only(families.cosine([8])))] * 3}
    yield {"functions": [spectrum(only(f)) for f in (families.cosine([1]), families.sine([1]), families.cosine([2], -1))]}


@instances("new.universality.root", "witness")
def rudin_and_shapiro() -> Iterable[Data]:
    P, Q = [1], [1]
    while len(P) < 1024:
        P, Q = P + Q, P + [-x for x in Q]
    yield {"P": P, "Q": Q}


# -- changes of variables ------------------------------------------------------------------------------------------------------


@instances("orvieto24.appD.variables", "witness")
def contractions() -> Iterable[Data]:
    """Entries in quarters, halved until |A| <= 1."""
    rng = Random(122)
    for _ in range(8):
        p, n = rng.randint(1, 3), rng.randint(1, 3)
        A = [[Fraction(rng.randint(-3, 3), 4) for _ in range(n)] for _ in range(p)]
        while not is_positive_semidefinite(minus(one(n), times(transpose(A), A))):
            A = [[x / 2 for x in row] for row in A]
        yield {"A": A, **spectrum(families.waves(rng, p))}
        for _ in range(n):
            rng.randint(-4, 4)  # the point at which the check compares values


@instances("orvieto24.thm2.norm.amended", "witness")
def rational_maps() -> Iterable[Data]:
    rng = Random(124)
    for _ in range(8):
        p, n = rng.randint(1, 3), rng.randint(1, 3)
        A = [[Fraction(rng.randint(-6, 6), rng.randint(1, 4)) for _ in range(n)] for _ in range(p)]
        g = families.waves(rng, p, of=families.cosine([1] * p, 20))
        if any(any(row) for row in A):
            yield {"A": A, **spectrum(g)}


@instances("orvieto24.appD.variables.equality", "witness")
def waves_that_cancel() -> Iterable[Data]:
    yield {"A": [[1], [1]], **spectrum(only([*families.sine([1, 0]), *families.sine([0, 1], -1)]))}


@instances("orvieto24.thm2.norm", "witness")
def four_units() -> Iterable[Data]:
    yield {"omega": [[Fraction(1, 4)] * 4], **spectrum(only(families.cosine([1])))}


@instances("orvieto24.appD.transform", "witness")
def cuts_in_quarters() -> Iterable[Data]:
    yield {"cuts": [Fraction(i, 4) for i in range(9)]}


@instances("orvieto24.thm2.class", "witness")
def imaginary_direction() -> Iterable[Data]:
    yield {"omega": [[1, 0]], "recall": [[1], [0]], "direction": [[0, 1]]}


# -- what is quoted --------------------------------------------------------------------------------------------------------------


@instances("orvieto24.thm6.homogeneous", "witness")
def delay_of_one() -> Iterable[Data]:
    yield {"knots": [-1, 0, 1], "values": [0, 1, 0], "t": 0, "tau": 1}


@instances("orvieto24.thm7.class", "witness")
def input_before_zero() -> Iterable[Data]:
    yield {"knots": [-1, -HALF, 0], "values": [0, Fraction(3, 4), 0], "t": 0, "eps": Fraction(1, 4)}


@instances("new.universality.hippo", "witness")
def numbers_of_coefficients() -> Iterable[Data]:
    yield {"N": [2, 3, 5, 8, 13]}


@instances("orvieto24.appE3.causal", "witness")
def three_tokens() -> Iterable[Data]:
    yield {"dt": Fraction(1, 100), "first": Fraction(1, 20), "second": [0, Fraction(1, 20), Fraction(1, 10)]}


# -- recurrence and head together ------------------------------------------------------------------------------------------------


@instances("orvieto24.thm2.width", "witness")
def frequencies_of_the_steps() -> Iterable[Data]:
    yield {"frequencies": [[1 + Fraction(k, L) for k in range(1, L + 1)] for L in (8, 16, 32, 64)]}


def random_head(rng: Random, k: int) -> dict[str, Any]:
    """A head of at most three steps on k tokens."""
    width = rng.randint(0, 3)
    inner, bias = families.integers(rng, width, k), families.integer_vector(rng, width, 2)
    return {"inner": inner, "bias": bias, "outer": families.integer_vector(rng, width), "offset": Fraction(rng.randint(-4, 4), 3)}


@instances("orvieto24.thm2.amended", "shared-head")
def heads_of_every_step() -> Iterable[Data]:
    """Of 40 draws the even ones, whose heads are steps, with two steps of time and a neuron at least."""
    rng = Random(141)
    pool = sorted({Fraction(p, q) for q in range(1, 8) for p in range(-q, q + 1)}, key=str)
    for case in range(40):
        L = rng.randint(1, 5)
        heads = [random_head(rng, k) for k in range(1, L + 1)]
        nodes = rng.sample(pool, L + case % 3 // 2)
        if case % 2 == 0 and L > 1 and any(g["bias"] for g in heads):
            yield {"nodes": nodes, "largest": 1, "heads": heads}
        for _ in range(L):
            rng.choice((-1, 1, rng.randint(-6, 6)))  # the tokens that the check runs


def padded(g: dict[str, Any], L: int) -> list[dict[str, Any]]:
    """The heads v_1, ..., v_k -> g(0, ..., 0, v_1, ..., v_k)."""
    return [{**g, "inner": [row[L - k :] for row in g["inner"]]} for k in range(1, L + 1)]


@instances("new.universality.invariant", "shared-head")
def one_head_of_the_past() -> Iterable[Data]:
    """Every neuron reads the first token with weight 2 and the newest with weight 1."""
    rng = Random(146)
    for case in range(10):
        L, width = rng.randint(2, 5), rng.randint(1, 4)
        inner = [[2, *row[1:-1], 1] for row in families.integers(rng, width, L)]
        g = {"inner": inner, "bias": families.integer_vector(rng, width, 1), "outer": [2**i for i in range(width)], "offset": case}
        yield {"nodes": positive_nodes(L), "largest": 1, "heads": padded(g, L)}


@instances("new.universality.price", "shared-head")
def staircases_with_unrelated_values() -> Iterable[Data]:
    for widths in ((1, 0, 2), (2, 3)):
        M, heads = sum(widths) + len(widths), []
        values = [(2 * factorial(M - 1) + 1) ** i for i in range(M)]
        for k, D in enumerate(widths, 1):
            own, values = values[: D + 1], values[D + 1 :]
            jumps = [b - a for a, b in itertools.pairwise(own)]
            bias = [1 - Fraction(2 * i, D + 1) for i in range(1, D + 1)]
            heads.append({"inner": [[0] * (k - 1) + [1]] * D, "bias": bias, "outer": jumps, "offset": own[0]})
        yield {"nodes": positive_nodes(len(widths)), "largest": 1, "heads": heads}


def lipschitz_maps(rng: Random, L: int) -> dict[str, Any]:
    """The direction of the linear form, and L functions of it."""
    direction = [Fraction(rng.choice((-1, 1)), 2 ** (j + 1)) for j in range(L)][::-1]
    maps = [families.lipschitz_function(rng) for _ in range(L)]
    return {"direction": direction, "corners": [c for c, _ in maps], "values": [v for _, v in maps]}


@instances("new.universality.clocks", "witness")
def maps_on_schedule() -> Iterable[Data]:
    rng = Random(153)
    for L, n in ((1, 1), (2, 3), (4, 2), (6, 5)):
        drawn = lipschitz_maps(rng, L)
        if L > 1:
            yield {"nodes": positive_nodes(L), "n": n, **drawn}
        for _ in range(L):
            rng.randint(-10, 10)  # the tokens that the check runs


@instances("new.universality.exchange", "witness")
def maps_in_blocks() -> Iterable[Data]:
    rng = Random(157)
    for L, Q, n in ((3, 1, 1), (5, 2, 2), (6, 3, 1), (4, 4, 2)):
        yield {"period": Q, "n": n, **lipschitz_maps(rng, L)}


def head_of_the_newest(rng: Random, k: int) -> dict[str, Any]:
    """A head of at most two steps, the first of which reads the newest token alone."""
    width = rng.randint(0, 2) if k > 2 else 1
    inner, bias, outer = families.integers(rng, width, k), families.integer_vector(rng, width, 1), families.integer_vector(rng, width)
    if width:
        inner[0], bias[0], outer[0] = [0] * (k - 1) + [3], Fraction(k, 9), k  # pyright: ignore[reportArgumentType, reportCallIssue]
    return {"inner": inner, "bias": bias, "outer": outer, "offset": Fraction(rng.randint(-4, 4), 3)}


@instances("new.universality.bias.head", "witness")
def heads_under_a_bias() -> Iterable[Data]:
    rng = Random(154)
    for case in range(6):
        L = 1 + case % 4
        heads = [head_of_the_newest(rng, k) for k in range(1, L + 1)]
        if L > 1:
            yield {"nodes": positive_nodes(L), "beta": Fraction(3, 2), "heads": heads}
        for _ in range(L):
            rng.randint(-6, 6)  # the tokens that the check runs


@instances("new.universality.bias.subspace", "witness")
def heads_on_subspaces() -> Iterable[Data]:
    """Bases whose first P rows are 2 I, and heads of two steps, none in an exceptional direction."""
    rng = Random(156)
    for L, P in ((2, 1), (3, 2), (4, 2), (5, 3), (4, 1)):
        basis = [[2 * int(i == j) for j in range(P)] if i < P else row for i, row in enumerate(families.integers(rng, L, P, 2))]
        heads = []
        for k in range(1, L + 1):
            inner = [[x + Fraction(k, 7) for x in row] for row in families.integers(rng, 2, k, 4)]
            heads.append({"inner": inner, "bias": families.integer_vector(rng, 2, 1), "outer": [3, k], "offset": Fraction(k, 2)})
        yield {"nodes": [Fraction(1, 3), HALF, Fraction(3, 4)][:P], "basis": basis, "heads": heads}
        for _ in range(P):
            rng.randint(-4, 4)  # the coordinates that the check runs


@instances("new.universality.vectors", "witness")
def halves_of_circles() -> Iterable[Data]:
    for L in (2, 4, 6):
        yield {"field": 2 * L, "nodes": roots_of_unity(2 * L, range(1, L, 2)), "length": L}


# -- what the state knows --------------------------------------------------------------------------------------------------------


@instances("orvieto24.eq7", "witness")
def early_step() -> Iterable[Data]:
    yield {"nodes": [HALF, Fraction(1, 3)], "basis": one(2), "k": 1}


@instances("orvieto24.eq7.amended", "witness")
def bases_of_tokens() -> Iterable[Data]:
    """Of the first five draws those that are not 0."""
    rng = Random(145)
    for _ in range(5):
        L = rng.randint(2, 6)
        P = rng.randint(1, min(3, L))
        basis = families.integers(rng, L, P, 2)
        if any(any(row) for row in basis):
            yield {"nodes": positive_nodes(P), "basis": basis}


@instances("new.universality.prefix", "witness")
def four_nodes() -> Iterable[Data]:
    yield {"nodes": positive_nodes(4), "tokens": [1, -1, 2]}


@instances("orvieto24.rmk2", "witness")
def one_unit_too_few() -> Iterable[Data]:
    for L in range(2, 7):
        yield {"nodes": positive_nodes(L - 1)}


@statement("orvieto24.rmk2")
def one_token_more(certificates: Certificates) -> None:
    """One token more than units."""
    require(all(len(data["tokens"]) == len(data["nodes"]) + 1 for _, data in certificates), "one token more than units")
