"""Which instances the certificates of topic fixed_point speak of: finite domains gone through, and random layers drawn again from the claims' seeds."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from random import Random
from typing import Any

from ... import layer_families as layers
from ...exact import determinant, inverse, minus, one, plus, scaled, times
from ...families import basis, integer_vector, integers, nonzero_vector
from ...registry import instances
from ...typed import Data

HALF = Fraction(1, 2)


def rationals(rows: tuple[tuple[str, str], tuple[str, str]]) -> list[list[Fraction]]:
    """Text as fractions, row by row."""
    return [[Fraction(x) for x in row] for row in rows]


# -- the fixed point --------------------------------------------------------------------------------------------------------------


def with_states(seed: int, gate: Callable[..., Any]) -> Iterator[dict[str, Any]]:
    rng = Random(seed)
    for _ in range(4):
        d, length = rng.randint(2, 3), rng.randint(2, 4)
        yield {"tokens": layers.tokens(rng, gate, d, length), "initial": integer_vector(rng, d)}


@instances("movahedi25.eq2", "witness")
def ungated_tokens() -> Iterable[Data]:
    """Seed 31: four sequences, d = 2, 3 and T = 2, 3, 4."""
    return with_states(31, layers.no_gate)


@instances("movahedi25.thm2.1.dense.amended", "witness")
def gated_tokens() -> Iterable[Data]:
    """Seed 32: four sequences, d = 2, 3 and T = 2, 3, 4."""
    return with_states(32, layers.gate_of)


@instances("new.fixed-point.finite", "witness")
def with_and_without_gate() -> Iterable[Data]:
    """Seed 34: the first three of 40 sequences without a gate, and of 40 with it, d <= 3, T <= 4."""
    rng = Random(34)
    for gate in (layers.no_gate, layers.gate_of):
        drawn = [layers.tokens(rng, gate, rng.randint(1, 3), rng.randint(1, 4)) for _ in range(40)]
        yield from ({"tokens": tokens} for tokens in drawn[:3])


@instances("movahedi25.abstract.interpolates", "witness")
def three_of_25() -> Iterable[Data]:
    """Seed 37: the first three of 25 sequences without a gate, d = 2, 3 and T = 2, 3, 4."""
    rng = Random(37)
    for _ in range(3):
        yield {"tokens": layers.tokens(rng, layers.no_gate, rng.randint(2, 3), rng.randint(2, 4))}


@instances("movahedi25.sec2.1.diverge", "witness")
def doubling() -> Iterable[Data]:
    """Q = -1 and Lambda = 1/2."""
    yield {"decay": HALF, "Q": -1, "b": 1}


# -- Lipschitz constants -----------------------------------------------------------------------------------------------------------


def constant_layer(
    decay: Sequence[Fraction],
    gate: Sequence[Fraction | int],
    f: Sequence[Sequence[Fraction]],
    bound: Fraction,
    v: Sequence[Fraction],
    length: int,
) -> dict[str, Any]:
    return {"decay": decay, "gate": gate, "F": f, "bound": bound, "vector": v, "length": length}


@instances("movahedi25.thm2.1.amended", "witness")
def one_to_three_channels() -> Iterable[Data]:
    """Seed 21: d = 1, 2, 3, 1."""
    rng = Random(21)
    for d in (1, 2, 3, 1):
        norm = layers.tenths(rng)
        f, v = layers.sharp_contraction(rng, d, norm)
        decay = [rng.choice((Fraction(0), Fraction(1, 3), HALF, Fraction(2, 3))) for _ in range(d)]
        yield constant_layer(decay, layers.gate_of(decay), f, norm, v, 5)


@instances("new.fixed-point.signed-gain", "witness")
def three_layers() -> Iterable[Data]:
    """Decays -1/2; 1/3 and -1/3; -9/10, with I - Q = 1/2, 3/4, 19/20."""
    for decay, norm, length in (
        ((-HALF,), HALF, 9),
        ((Fraction(1, 3), Fraction(-1, 3)), Fraction(3, 4), 6),
        ((Fraction(-9, 10),), Fraction(19, 20), 24),
    ):
        d, least = len(decay), decay.index(min(decay))
        bound = (1 - decay[least]) / (1 - abs(decay[least])) * norm
        yield constant_layer(decay, layers.gate_of(decay), scaled(norm, one(d)), bound, one(d)[least], length)


@instances("new.fixed-point.modulus-gate", "witness")
def decays_of_both_signs() -> Iterable[Data]:
    """Seed 23: lambda = -1/2, 1/3, -2/3."""
    rng = Random(23)
    for x in (-HALF, Fraction(1, 3), Fraction(-2, 3)):
        d, norm = rng.randint(1, 2), layers.tenths(rng)
        f, v = layers.sharp_contraction(rng, d, norm)
        yield constant_layer([x] * d, [1 - abs(x)] * d, f, norm, v, 6)


@instances("new.fixed-point.root-gate", "witness")
def pythagorean_decays() -> Iterable[Data]:
    """Seed 77: lambda = 3/5, 4/5, 5/13."""
    rng = Random(77)
    for a, b, c in ((3, 4, 5), (4, 3, 5), (5, 12, 13)):
        d, norm = rng.randint(1, 2), layers.tenths(rng)
        f, v = layers.sharp_contraction(rng, d, norm)
        yield constant_layer([Fraction(a, c)] * d, [Fraction(b, c)] * d, f, norm * Fraction(b, c - a), v, 12)


@instances("new.fixed-point.no-uniform-contraction", "witness")
def decays_without_gate() -> Iterable[Data]:
    """Seed 35: lambda = 0, 1/2, 2/3."""
    rng = Random(35)
    for x in (Fraction(0), HALF, Fraction(2, 3)):
        d, norm = rng.randint(1, 2), layers.tenths(rng)
        f, v = layers.sharp_contraction(rng, d, norm)
        yield constant_layer([x] * d, [1] * d, f, norm / (1 - x), v, 8)


@instances("movahedi25.appD2.delta.amended", "witness")
def three_rates() -> Iterable[Data]:
    """k = 1/10, 1, 3/2: k - k^2/2 < 1 - e^-k < k."""
    for k in (Fraction(1, 10), Fraction(1), Fraction(3, 2)):
        yield {"k": k, "below": k - k * k / 2, "above": k, "Delta": Fraction(9, 10)}


@instances("movahedi25.thm2.1.selective.amended", "witness")
def gates_by_token() -> Iterable[Data]:
    """Seed 24: T = 2, 3, 4."""
    rng = Random(24)
    for length in (2, 3, 4):
        d = rng.randint(1, 3)
        yield {
            "tokens": [{"decay": layers.decays(rng, d), "F": scaled(Fraction(1, 10 * d), integers(rng, d, d, 9))} for _ in range(length)]
        }


def read_and_write(rng: Random, n: int, d: int, norm: Fraction) -> dict[str, Any]:
    return {"B": layers.unit_vector(rng, n), "C": layers.unit_vector(rng, n), "F": layers.contraction(rng, d, norm)}


@instances("movahedi25.thm2.1.selective.amended.scalar", "witness")
def scalar_gates_by_token() -> Iterable[Data]:
    """Seed 26: T = 3, 4, states of size 2 x 2."""
    rng = Random(26)
    for length in (3, 4):
        norm = Fraction(rng.randint(5, 9), 10)
        tokens = [{"decay": Fraction(rng.randint(0, 9), 10), **read_and_write(rng, 2, 2, norm)} for _ in range(length)]
        yield {"tokens": tokens, "bound": norm, "differences": integers(rng, length, 2)}


@instances("movahedi25.appD2.delta.amended.gate", "witness")
def constant_decays() -> Iterable[Data]:
    """Seed 74: T = 2, 3, 4."""
    rng = Random(74)
    for length in (2, 3, 4):
        n, d, norm = rng.randint(1, 3), rng.randint(1, 2), layers.tenths(rng)
        tokens = [read_and_write(rng, n, d, norm) for _ in range(length)]
        yield {"tokens": tokens, "decay": layers.fractions(rng, n, d), "bound": norm}


# -- transitions without a gate ----------------------------------------------------------------------------------------------------


@instances("new.fixed-point.permutations", "witness")
def all_permutations() -> Iterable[Data]:
    """All permutations of 2, ..., 5 points but the identity."""
    for n in range(2, 6):
        yield {"permutations": list(itertools.permutations(range(n)))[1:]}


@instances("new.fixed-point.signed-decay", "witness")
def four_reached_and_one_not() -> Iterable[Data]:
    """A turn by 106 degrees, a mirror, -1, a matrix with three signs; and the mirror along (1, 1, 1)."""
    yield {"A": rationals((("-7/25", "-24/25"), ("24/25", "-7/25"))), "decay": [Fraction(-1, 20)] * 2}
    yield {"A": rationals((("-3/5", "4/5"), ("4/5", "3/5"))), "decay": [Fraction(-1, 20), Fraction(1, 20)]}
    yield {"A": [[-1]], "decay": [Fraction(-1, 20)]}
    yield {"A": [[2, 1, 0], [-1, -3, 1], [0, 2, 1]], "decay": [Fraction(1, 20), Fraction(-1, 20), Fraction(1, 20)]}
    yield {"A": minus(one(3), [[Fraction(2, 3)] * 3] * 3), "decay": []}


@instances("new.fixed-point.signed-decay.basis", "witness")
def blocks_and_a_cycle() -> Iterable[Data]:
    """Seed 5: blocks with couplings of 1/10 in random coordinates; and a 4-cycle."""
    blocks = [[Fraction(0)] * 6 for _ in range(6)]
    for i in (0, 2):
        blocks[i][i] = blocks[i + 1][i + 1] = Fraction(1, 5)
        blocks[i][i + 1], blocks[i + 1][i] = Fraction(-1), Fraction(1)
    blocks[4][4] = blocks[5][5] = Fraction(-1, 5)
    blocks[0][2] = blocks[1][3] = blocks[4][5] = Fraction(1, 10)
    t = basis(Random(5), 6)
    decay = [Fraction(sign, 20) for sign in (1, 1, 1, 1, -1, -1)]
    yield {"A": times(times(inverse(t), blocks), t), "basis": t, "decay": decay, "pair": [], "omega": 0}
    yield {"A": [[0, 0, -1], [1, 0, -1], [0, 1, -1]], "basis": [], "decay": [], "pair": [[1, 1, 0], [0, 1, 1]], "omega": -1}


@instances("new.fixed-point.reflections", "witness")
def nine_mirrors() -> Iterable[Data]:
    """Five mirrors that contract, and four that do not."""
    for u in ((4, 2, 2, 1), (2, 1), (-3,), (1, 0, 0), (1, -5, 3), (1, 1), (1, 1, 1), (3, 2, 2, 1), (-1, 2, 0, 3, 2, 1)):
        yield {"u": u}


@instances("new.fixed-point.reflection-groups", "witness")
def eight_diagrams() -> Iterable[Data]:
    """A_1, A_2, A_3, A_4, A_7, D_4, D_6 and E_8."""
    diagrams = [(n, layers.path(n)) for n in (1, 2, 3, 4, 7)]
    diagrams += [(n, [*layers.path(n - 1), (n - 3, n - 1)]) for n in (4, 6)]
    diagrams.append((8, [*layers.path(7), (2, 7)]))
    for n, edges in diagrams:
        cartan = layers.cartan(n, edges)
        yield {"cartan": cartan, "basis": plus(one(n), cartan), "strength": HALF}  # pyright: ignore[reportArgumentType]


@instances("new.fixed-point.transpositions", "witness")
def helmert_axes() -> Iterable[Data]:
    """N = 2, 3, 5."""
    for n in (2, 3, 5):
        yield {"basis": layers.helmert(n)}


@instances("new.fixed-point.all-reflections", "witness")
def turned_axes() -> Iterable[Data]:
    """n = 2, 3, 5, turned by t = 1/(3n + 1)."""
    for n in (2, 3, 5):
        yield {"basis": layers.slightly_turned(n, Fraction(1, 3 * n + 1))}


@instances("new.fixed-point.any-letters", "witness")
def five_sets() -> Iterable[Data]:
    """Seed 58: a quarter turn, its inverse and a swap; -2 and 1; three permutations; three random matrices of each size 2, 3, 4, and the bases."""
    rng = Random(58)
    sets = [[[[0, -1], [1, 0]], [[0, 1], [-1, 0]], [[0, 1], [1, 0]]], [[[-2]], [[1]]]]
    sets.append([[[int(p[j] == i) for j in range(3)] for i in range(3)] for p in ((1, 2, 0), (0, 2, 1), (2, 1, 0))])
    sets = [[[[Fraction(x) for x in row] for row in a] for a in matrices] for matrices in sets]
    sets += [[basis(rng, n) for _ in range(3)] for n in (2, 3, 4)]
    for matrices in sets:
        t = next(t for t in (basis(rng, len(matrices[0])) for _ in range(10)) if all(is_regular(t, a) for a in matrices))
        if len(t) <= 3:
            yield {"matrices": matrices, "basis": t}


def is_regular(t: Sequence[Sequence[Fraction]], a: Sequence[Sequence[Fraction]]) -> bool:
    """No leading principal minor of T A^-1 T^-1 is 0."""
    m = times(times(t, inverse(a)), inverse(t))
    return all(determinant([row[:k] for row in m[:k]]) for k in range(1, len(m) + 1))


@instances("new.fixed-point.any-letters.groups", "witness")
def three_groups_in_order() -> Iterable[Data]:
    """S_4, S_5, A_5, each in its coordinates."""
    yield {"group": "S_4", "basis": [[0, 0, -5], [6, -3, 0], [0, -5, 3]]}
    yield {"group": "S_5", "basis": [[0, 0, -4, 5], [0, -5, 4, 0], [3, -2, -1, -3], [5, -2, 0, 2]]}
    yield {"group": "A_5", "basis": [[0, 4, 1], [-3, 1, -2], [-3, -1, 3]]}


# -- passes ------------------------------------------------------------------------------------------------------------------------


@instances("new.fixed-point.passes", "witness")
def three_decays() -> Iterable[Data]:
    """c = 1/3, 1/2, 9/10."""
    for c in (Fraction(1, 3), HALF, Fraction(9, 10)):
        yield {"c": c}


@instances("movahedi25.sec2.1.attracts", "witness")
def two_sequences() -> Iterable[Data]:
    """Seed 54: T = 2, 4, d = 2."""
    rng = Random(54)
    for length in (2, 4):
        tokens, norm = layers.contractive_tokens(rng, 2, length, nonzero_vector)
        yield {"tokens": tokens, "gamma": norm, "passes": 4}


@instances("new.fixed-point.passes.contractive", "witness")
def three_sequences() -> Iterable[Data]:
    """Seed 51: T = 2, 4, 6."""
    rng = Random(51)
    for length in (2, 4, 6):
        tokens, norm = layers.contractive_tokens(rng, rng.randint(1, 2), length, integer_vector)
        yield {"tokens": tokens, "gamma": norm, "passes": 3}


@instances("new.fixed-point.passes.linear", "witness")
def four_of_60() -> Iterable[Data]:
    """Seed 53: the first four of 60 sequences without gate or inputs, d <= 3, T <= 6, l <= 12."""
    rng = Random(53)
    for _ in range(4):
        d, length, passes = rng.randint(1, 3), rng.randint(1, 6), rng.randint(1, 12)
        c, gamma = layers.tenths(rng), layers.tenths(rng, 12)
        tokens = []
        for _ in range(length):
            decay = [c * rng.choice((-1, 1, 1, 1)) for _ in range(d)]
            tokens.append(layers.token(decay, [1] * d, layers.contractive_mixer(rng, d, gamma), [0] * d))
        yield {"tokens": tokens, "initial": nonzero_vector(rng, d), "c": c, "gamma": gamma, "passes": passes}


@instances("new.fixed-point.overshoot", "witness")
def rotation() -> Iterable[Data]:
    """The rotation by arccos 3/5, T = 1, 3, 5."""
    c, s = Fraction(3, 5), Fraction(4, 5)
    for length in (1, 3, 5):
        yield {"A": [[c, -s], [s, c]], "c": c, "length": length, "passes": 8}


# -- mixers of Eq. 10 --------------------------------------------------------------------------------------------------------------


@instances("new.fixed-point.equal-reflections", "witness")
def equal_angles() -> Iterable[Data]:
    """r = 2, 3, 5 factors at a point of the circle."""
    for alpha, z, r in (
        (Fraction(2, 5), (Fraction(21, 25), Fraction(8, 25)), 2),
        (Fraction(3, 10), (Fraction(53, 65), Fraction(18, 65)), 3),
        (Fraction(1, 5), (Fraction(4, 5), Fraction(1, 5)), 5),
    ):
        # the factors in the directions of 1 - z, turned by z each time, at the length |1 - z|
        vectors, (x, y) = [], (1 - z[0], -z[1])
        for _ in range(r):
            vectors.append([x, y])
            x, y = z[0] * x - z[1] * y, z[0] * y + z[1] * x
        yield {"alpha": alpha, "z": z, "vectors": vectors}


@instances("new.fixed-point.equal-reflections.thresholds", "witness")
def one_to_eight_factors() -> Iterable[Data]:
    """r = 1, ..., 8."""
    for r in range(1, 9):
        yield {"r": r}


@instances("new.fixed-point.one-reflection", "witness")
def four_of_40() -> Iterable[Data]:
    """Seed 83: the tokens 4, 8, 12 and 15 of 40, t on both sides of 1; and two factors."""
    rng = Random(83)
    for k in range(40):
        d = 1 + k % 4
        u = nonzero_vector(rng, d)
        gate = [layers.tenths(rng) for _ in range(d)]
        t = Fraction(rng.choice((1, 3, 9, 11, 20, 70)), 10)
        alpha = t * sum(x * x for x in u) / (2 * sum(g * x * x for g, x in zip(gate, u, strict=True)))
        decay = [layers.tenths(rng) for _ in range(d)]
        if k in (3, 7, 11, 14):
            yield {"decay": decay, "gate": gate, "u": u, "alpha": alpha, "second": []}
    yield {"decay": [HALF, Fraction(1, 4)], "gate": [1, 1], "u": [1, -1], "alpha": Fraction(1, 3), "second": [1, 2]}


# -- gradients and stopping ----------------------------------------------------------------------------------------------------------


@instances("movahedi25.appB.eq7", "witness")
def four_of_30() -> Iterable[Data]:
    """Seed 61: the first four of 30 sequences with a gate, d <= 3, T <= 4."""
    rng = Random(61)
    for _ in range(4):
        yield {"tokens": layers.tokens(rng, layers.gate_of, rng.randint(1, 3), rng.randint(1, 4))}


@instances("movahedi25.thm2.2.amended", "witness")
def three_and_the_sharp_case() -> Iterable[Data]:
    """Seed 62: J of size 2, 3, 4; and 3/5 of the rotation by arccos 3/5."""
    rng = Random(62)
    for d in (2, 3, 4):
        norm = layers.tenths(rng)
        yield {"J": layers.contraction(rng, d, norm), "gamma": norm, "delta": nonzero_vector(rng, d), "sharp": 0}
    c, s = Fraction(9, 25), Fraction(12, 25)
    yield {"J": [[c, s], [-s, c]], "gamma": Fraction(3, 5), "delta": [1, 2], "sharp": 1}


@instances("movahedi25.thm2.2.amended.parameters", "witness")
def four_of_100() -> Iterable[Data]:
    """Seed 63: the first four of 100 within the condition, d = 2, 3, kappa <= 12."""
    rng, found = Random(63), 0
    while found < 4:
        d, norm, kappa = rng.randint(2, 3), layers.tenths(rng), Fraction(rng.randint(1, 12))
        if ((kappa - 1) / (kappa + 1)) ** 2 + norm**2 < 1:
            values = [Fraction(1), kappa, rng.choice((Fraction(1), kappa))][:d]
            yield {"U": layers.orthogonal(rng, d), "values": values, "J": layers.contraction(rng, d, norm), "gamma": norm}
            found += 1


@instances("movahedi25.eq6.descent.amended", "witness")
def one_to_three_tokens() -> Iterable[Data]:
    """Seed 64: T = 1, 2, 3, d = 2."""
    rng = Random(64)
    for length in (1, 2, 3):
        norm = layers.tenths(rng)
        f, decay = layers.contraction(rng, 2, norm), Fraction(rng.randint(0, 9), 10)
        yield {"F": f, "decay": decay, "length": length, "gamma": norm, "delta": nonzero_vector(rng, 2 * length)}


@instances("movahedi25.appD2.stopping.amended", "witness")
def one_token() -> Iterable[Data]:
    """Seed 76: d = 1, 2, 3."""
    rng = Random(76)
    for d in (1, 2, 3):
        norm = layers.tenths(rng)
        yield {"F": layers.contraction(rng, d, norm), "gamma": norm, "b": nonzero_vector(rng, d), "passes": 4}


@instances("movahedi25.appC1.gap.amended", "witness")
def two_and_three_tokens() -> Iterable[Data]:
    """Seed 78: T = 2, 3, ||I - Q|| <= 1/2."""
    rng = Random(78)
    for length in (2, 3):
        yield {"norm": HALF, "inputs": integers(rng, length, 2)}


# -- the matrix state ---------------------------------------------------------------------------------------------------------------


@instances("movahedi25.eq9", "witness")
def three_of_50() -> Iterable[Data]:
    """Seed 71: the first three of 50 sequences, n, d <= 3, T <= 4."""
    rng = Random(71)
    for _ in range(3):
        tokens = layers.matrix_state_tokens(rng, 4)
        n, d = len(tokens[0]["decay"]), len(tokens[0]["x"])
        yield {"tokens": tokens, "before": [integers(rng, n, d) for _ in tokens]}


@instances("movahedi25.eq6", "witness")
def four_of_40_sequences() -> Iterable[Data]:
    """Seed 72: the first four of 40 sequences, n, d <= 3, T <= 4."""
    rng = Random(72)
    for _ in range(4):
        yield {"tokens": layers.matrix_state_tokens(rng, 4)}


# -- groups ------------------------------------------------------------------------------------------------------------------------


@instances("new.fixed-point.symmetric", "witness")
def two_to_four_generators() -> Iterable[Data]:
    """N = 2, 3, 4."""
    for n in (2, 3, 4):
        yield {"generators": layers.anticommuting(n)}


@instances("movahedi25.abstract.tracking", "witness")
def five_generators() -> Iterable[Data]:
    """N = 5."""
    yield {"generators": layers.anticommuting(5)}


# -- the witnesses that are printed ---------------------------------------------------------------------------------------------------


def printed(claim: Any, **data: Any) -> None:
    """The certificate of this claim holds the counterexample, or the example, that the ledger prints."""
    instances(claim, "witness")(lambda: [data])


printed("movahedi25.thm2.1", decay=[Fraction(-2, 3)], Q=[[Fraction(1, 3)]], difference=[1])
printed("movahedi25.appF1.neumann", decay=[0, HALF], t=1)
printed("movahedi25.appF1.pointwise", decay=HALF, F=Fraction(3, 4), differences=[1] * 3)
printed("movahedi25.thm2.1.selective", decays=[0, HALF], F=Fraction(9, 10), differences=[1, 0])
printed("movahedi25.thm2.1.dense", decay=[HALF], Q=[[HALF]])
printed("movahedi25.eq6.alpha", alpha=Fraction(3, 4), u=[1], delta=[Fraction(3, 4)], B=[1], C=[1], x=[1], passes=6)
printed("movahedi25.appD2.delta", delta=HALF, decay=Fraction(19, 20), F=HALF, differences=[1] * 8)
printed("movahedi25.thm2.2", Q=[[HALF, 0], [0, 1]], B=[[1, 0], [0, 0]], slope=[[1, 0], [0, -1]], x=[1, 1], y=[HALF, Fraction(-3, 2)])
printed("movahedi25.appF2.eigenvalues", J=[[0, -HALF], [HALF, 0]], M=[[1, -4], [0, 1]], w=[1, -1])
printed("movahedi25.appF2.strict", J=[[HALF, 0], [0, 0]], delta=[0, 1])
printed("movahedi25.eq6.descent", u=[Fraction(5, 13), Fraction(12, 13)], alpha=Fraction(9, 20), Delta=[HALF, Fraction(9, 10)], delta=[1, 1])
printed("movahedi25.appD2.stopping", Q=Fraction(1, 100), passes=10, tolerance=Fraction(1, 10))
printed("movahedi25.appC1.several", inputs=[1, 1], slope=-1, constant=1, solutions=[[1, 0], [1, 1], [1, 7]])
printed("movahedi25.appC1.gap", decay=HALF, Q=HALF, inputs=[1, 1], tolerance=Fraction(1, 10), visible=Fraction(1, 100))
# the second token is the first one turned by a quarter
printed(
    "new.fixed-point.gated.alternating",
    tokens=[
        {"decay": [Fraction(1, 25), Fraction(2, 5)], "Q": scaled(Fraction(1, 24), [[HALF, -4], [4, 8]])},  # pyright: ignore[reportArgumentType]
        {"decay": [Fraction(2, 5), Fraction(1, 25)], "Q": scaled(Fraction(1, 24), [[8, -4], [4, HALF]])},  # pyright: ignore[reportArgumentType]
    ],
)
