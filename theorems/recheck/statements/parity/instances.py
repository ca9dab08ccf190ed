"""Which sums, layers and matrices the certificates of topic parity are about: finite domains, families drawn again from their seeds, fixed witnesses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import chain, combinations
from random import Random
from typing import Any

from ... import matrix_families as families
from ...exact import apply, determinant, matrix, minus, number, one, plus, require, scaled, times
from ...floating import FORMATS
from ...kinds.eventually_periodic import letter_at, simulated
from ...registry import instances
from ...typed import Certificates, Data
from ..householder.instances import fixed

# -- Lemma 1 and the displays ----------------------------------------------------------------------------------------------


@instances("grazzi25.lemma1", "cast-of-sum")
def exponential_sums() -> Iterable[Data]:
    """Seed 1: 150 sums with eigenvalues of both signs, 150 with nonnegative ones, each with a set D, and ten boundary cases; those not 0, onto two points or more."""
    rng = Random(1)
    family = [
        (families.exponential_sum(rng, values), families.finite_set(rng))
        for values in (families.REAL, families.NONNEGATIVE)
        for _ in range(150)
    ]
    boundary = (
        [(0, 0, 1)],
        [(0, 2, 1)],
        [(1, 0, "1/2")],
        [(1, 0, "1/2"), ("1/2", 0, 1)],
        [(1, 0, "1/2"), ("1/2", 0, -1)],
        [(-1, 0, "1/2")],
        [(-1, 1, 1), (1, 1, 1)],
        [("-1/2", 0, 1), (1, 0, "1/2")],
    )
    family += [([[Fraction(x), m, Fraction(c)] for x, m, c in terms], [0, 1]) for terms in boundary]
    family.append(([[Fraction(2), 0, Fraction(1)], [Fraction(3, 2), 2, Fraction(-1)]], [-1, 1]))
    return [{"terms": terms, "D": D} for terms, D in families.once(family) if terms and len(D) > 1]


fixed("grazzi25.lemma1.quantifiers", "witness", {"D": [0, 1], "period": [0, 0, 1]})
fixed("grazzi25.lemma1.order", "witness", {"terms": [[1, 0], [1, 1]], "coefficients": [1, 1]})
fixed("grazzi25.thm1.unrolled", "witness", {"steps": [[0, 1]], "H0": 0}, *({"steps": [[2, 1]] * k, "H0": 0} for k in range(1, 6)))
fixed("grazzi25.thm1.display", "witness", {"A": 1, "B": 1, "H0": 0, "D": [0, 1, 2, 3], "tau": 2, "k": 2})
fixed(
    "grazzi25.thm2.display",
    "witness",
    {"A": 0, "B": 1, "H0": 0, "D": [-2, -1, 0, 1, 2], "tau": 2, "k": 3},
    {"A": 1, "B": 0, "H0": 1, "D": [-2, -1, 0, 1, 2], "tau": 2, "k": 3},
)

# -- layers and stacks -----------------------------------------------------------------------------------------------------


def complex_layer(rng: Random) -> tuple[Any, ...]:
    """U T U^-1 for a nonnegative triangular T of size 1 or 2 and U = I + i N, with complex B and H_0, as a real layer of twice the size: (A, H_0, B)."""
    n = rng.choice((1, 2))
    t = families.triangular(rng, n, families.NONNEGATIVE)
    upper = [[Fraction(int(j == i + 1)) for j in range(n)] for i in range(n)]
    # (I + iN) T (I - iN) = T + N T N + i (N T - T N)
    real = plus(t, times(times(upper, t), upper))
    imaginary = minus(times(upper, t), times(t, upper))
    a = [x + scaled(-1, [y])[0] for x, y in zip(real, imaginary, strict=True)] + [y + x for x, y in zip(real, imaginary, strict=True)]
    h, b = ([*families.integers(rng, n, 1), *families.integers(rng, n, 1)] for _ in range(2))
    return a, h, b


def single_layers() -> list[Any]:
    """Seed 3: twelve layers for each n <= 4 with random Jordan blocks, twelve complex ones, each with D; the counters by 1 and by -2. (D, A, B, H_0) where D has two points."""
    rng, family = Random(3), []
    for n in range(1, 5):
        for _ in range(12):
            blocks = families.jordan_blocks(rng, n, families.NONNEGATIVE)
            a = families.with_jordan_form(blocks, families.basis(rng, n))
            h, b = families.integers(rng, n, 1), families.integers(rng, n, 1)
            family.append((families.finite_set(rng), a, b, h))
    for _ in range(12):
        a, h, b = complex_layer(rng)
        family.append((families.finite_set(rng), a, b, h))
    family.append(([0, 1, 2, 3, 4, 5], one(1), one(1), scaled(0, one(1))))
    family.append(([-7, -3, 0, 3], one(2), [[-2], [-2]], [[0], [0]]))
    return families.once([x for x in family if len(x[0]) > 1])


def require_single_layers(certificates: Certificates) -> None:
    """The layers are those of the seeded family, in its order."""
    found = []
    for _, data in certificates:
        (layer,) = data["layers"]
        (f,) = layer["maps"]
        found.append(([number(x) for x in data["D"]], matrix(f["A"]), matrix(f["B"]), matrix(layer["H0"])))
    require(found == single_layers(), "the layers of the seeded family")


#: letters of 111... on which the decoders are compared
COMPARED = 12


def require_stacks(expected: Iterable[Any], certificates: Certificates) -> None:
    """The certificates are about the stacks (D, [({letter: (A, B)}, H_0, decoder or None), ...]) on two points or more, in their order: the same D, maps and
    H_0, and on the first letters of 111... each layer reads, and the last one puts out, what the decoder below makes of state and letter."""
    expected = [(D, layers) for D, layers in expected if len(D) > 1]
    require(len(expected) == len(certificates), f"{len(expected)} stacks")
    for (D, layers), (_, data) in zip(expected, certificates, strict=True):
        require([number(x) for x in data["D"]] == D and len(data["layers"]) == len(layers), "the set and the depth of the seeded stack")
        read = [1] * COMPARED
        for (table, start, decoder), layer, above in zip(layers, data["layers"], [*data["layers"][1:], None], strict=True):
            maps = [(matrix(f["A"]), matrix(f["B"])) for f in layer["maps"]]
            require(matrix(layer["H0"]) == start and all(f in table.values() for f in maps), "maps and start of the seeded layer")
            if decoder is None:
                continue
            require(
                [maps[letter_at(layer, t)] for t in range(1, COMPARED + 1)] == [table[x] for x in read], "what the decoder below puts out"
            )
            states = simulated(maps, layer["before"], layer["period"], start, D, COMPARED + 1)
            read = [decoder(state, x) for state, x in zip(states[1:], read, strict=True)]
            if above is None:
                require([number(letter_at(data["outputs"], t)) for t in range(1, COMPARED + 1)] == read, "what the last decoder puts out")


def nonnegative_stacks() -> Iterator[tuple[Any, ...]]:
    """Seed 4: 20 stacks of two or three layers with eigenvalues >= 0, then D for each; and two layers h -> h + x."""
    rng = Random(4)
    for i in range(20):
        layers = families.stack(rng, rng.randint(2, 3), families.NONNEGATIVE)
        yield families.set_number(rng, i), layers
    yield [0, 1, 2, 3, 4, 5], [families.counter(1, 1, lambda state, x: int(state[0][0] + x) % 3)] * 2


def stacks_of(seed: int, count: int, kinds: tuple[str, ...]) -> Iterator[tuple[Any, ...]]:
    """Stacks of two or three layers with H_0 and B as drawn, D, and then transitions of the kinds."""
    rng = Random(seed)
    for i in range(count):
        layers = families.stack(rng, rng.randint(2, 3), [Fraction(1)])
        D = families.set_number(rng, i)
        changed = [
            ({x: (families.gate_or_key(rng, len(start), kinds), table[x][1]) for x in range(3)}, start, read)
            for table, start, read in layers
        ]
        yield D, changed


#: eigenvalues that let states alternate for ever
SIGNS = [Fraction(x) for x in ("1", "-1", "-1", "-1/2")]


def binary_counter(depth: int) -> list[Any]:
    """The transitions 1 and -1 from 1; the first layer reads 0 and 1, the others pairs, whose maps are the same two."""
    return [({0: (one(1), [[0]]), 1: ([[-1]], [[0]])}, one(1), None)] * depth


def real_stacks() -> Iterator[tuple[Any, ...]]:
    """Seed 8: for 1, 2, 3 layers ten stacks with eigenvalues from one of two lists, and D; the binary counters; two layers h -> h + x; h -> 16 x - h."""
    rng = Random(8)
    for depth in (1, 2, 3):
        for i in range(10):
            layers = families.stack(rng, depth, rng.choice((families.DYADIC, SIGNS)))
            yield families.set_number(rng, i), layers
    for depth in (1, 2, 3):
        yield [-1, 0, 1], binary_counter(depth)
    yield [0, 1, 2, 3, 4, 5], [families.counter(1, 1, lambda state, x: int(state[0][0] + x) % 3)] * 2
    yield [-15, 0, 16, 31], [families.counter(-1, 16, lambda state, _: int(state[0][0]))]


def seeded_triangular_stacks() -> Iterator[tuple[Any, ...]]:
    """Seed 14: four stacks of 1, 2 and 3 layers with H_0 and B as drawn, D numbered from 1, and then upper triangular transitions."""
    rng = Random(14)
    for depth in (1, 2, 3):
        for i in range(1, 5):
            layers = families.stack(rng, depth, families.DYADIC)
            D = families.set_number(rng, i)
            yield (
                D,
                [
                    ({x: (families.triangular(rng, len(start), families.DYADIC), table[x][1]) for x in range(3)}, start, read)
                    for table, start, read in layers
                ],
            )


#: claim -> its seeded layers or stacks, whose D comes first; the demands compare the rest
FAMILIES = {
    "grazzi25.thm1.layer": single_layers,
    "grazzi25.thm1": nonnegative_stacks,
    "grazzi25.thm2": real_stacks,
    "grazzi25.abstract.modulo3": seeded_triangular_stacks,
    "grazzi25.abstract.parity": lambda: stacks_of(13, 6, ("diagonal", "delta")),
    "new.parity.architectures": lambda: stacks_of(12, 12, ("diagonal", "delta", "bmru", "bmru")),
}

for claim, family in FAMILIES.items():
    instances(claim, "eventually-periodic")(lambda family=family: [{"D": D} for D, *_ in family() if len(D) > 1])


@instances("grazzi25.sec4.1.counter", "eventually-periodic")
def twenty_sets() -> Iterable[Data]:
    """Seed 5: of 20 sets D those of two points or more."""
    rng = Random(5)
    return [{"D": D} for D in families.once([families.finite_set(rng) for _ in range(20)]) if len(D) > 1]


fixed("new.parity.half", "eventually-periodic", {"D": [-1, 1]})
fixed("new.parity.half", "stepwise-orbit", {"D": [-1, 1], "A": [["-1/2"]], "b": [0]})

# -- single matrices and orbits --------------------------------------------------------------------------------------------

fixed("grazzi25.table1.norm", "witness", {"k": [2], "beta": "2/3"})
fixed("grazzi25.fig2.monotone", "witness", {"A": [[0, 1], [0, 0]], "H0": [0, 1]}, {"A": [["1/2", 1], [0, "1/4"]], "H0": [0, 1]})


@instances("grazzi25.fig2.monotone.amended", "witness")
def moving_layers() -> Iterable[Data]:
    """Seed 10: Jordan blocks for twenty layers of each n <= 4, then for each a basis, H_0 and B; those whose states move for ever."""
    rng = Random(10)
    family = [(n, families.jordan_blocks(rng, n, families.NONNEGATIVE)) for n in (1, 2, 3, 4) for _ in range(20)]
    for n, blocks in family:
        a = families.with_jordan_form(blocks, families.basis(rng, n))
        h, b = families.integers(rng, n, 1), families.integers(rng, n, 1)
        step = [row[0] for row in plus(times(minus(a, one(n)), h), b)]
        for _ in range(n):
            step = apply(a, step)
        if any(step):
            yield {"A": a, "B": b, "H0": h}


fixed(
    "new.parity.stepwise.two-cycle",
    "witness",
    {"A": [[-1, -1], [1, 1]], "D": [-1, 1]},
    {"D": [-1, 0, 1]},
    {"D": [-1, 0, 1]},
)
fixed(
    "new.parity.stepwise.delta",
    "witness",
    {"D": [-1, 0, 1], "k": ["3/5", "4/5"], "beta": "3/4", "even": [-1, 0], "odd": [0, 1]},
)


def moving_orbits(orbits: Iterable[Any]) -> list[dict[str, Any]]:
    """The first twelve orbits of width two or more that move for two steps at least."""
    chosen = [data for data in orbits if len(data["A"]) > 1 and len(data["orbit"]) > 3]
    return chosen[:12]


@instances("new.parity.stepwise.monotone", "witness")
def one_block() -> Iterable[Data]:
    """Seed 15: 150 sizes up to 5; for each (A, w), a staircase with two to five numbers, and an orbit; the first twelve that move, of size 2 or more."""
    rng = Random(15)
    sizes = [rng.randint(1, 5) for _ in range(150)]

    def orbits() -> Iterator[dict[str, Any]]:
        for n in sizes:
            a, w = families.symmetrizable(rng, n)
            families.staircase(rng)
            for _ in range(rng.randint(2, 5)):
                families.fraction(rng, -4, 4)
            b, rho, orbit = families.rounded_orbit(rng, a)
            yield {"A": a, "b": b, "blocks": [n], "weights": w, "rounding": rho, "orbit": orbit}

    return moving_orbits(orbits())


@instances("new.parity.stepwise.triangular", "witness")
def several_blocks() -> Iterable[Data]:
    """Seed 18: 150 sizes from 2 to 5; for each an integer matrix whose diagonal blocks are replaced by random (A, w), zeros to their right, and an orbit; the first twelve that move."""
    rng = Random(18)
    sizes = [rng.randint(2, 5) for _ in range(150)]

    def orbits() -> Iterator[dict[str, Any]]:
        for n in sizes:
            a, blocks, weights = families.integers(rng, n, n), [], []
            while sum(blocks) < n:
                start = sum(blocks)
                size = rng.randint(1, n - start)
                block, w = families.symmetrizable(rng, size)
                for i in range(size):
                    a[start + i] = [*a[start + i][:start], *block[i], *([Fraction(0)] * (n - start - size))]
                blocks.append(size)
                weights += w
            b, rho, orbit = families.rounded_orbit(rng, a)
            yield {"A": a, "b": b, "blocks": blocks, "weights": weights, "rounding": rho, "orbit": orbit}

    return moving_orbits(orbits())


@instances("new.parity.stepwise.minors", "witness")
def negative_minors() -> Iterable[Data]:
    """Seed 16: 100 sizes 3 or 4; for each integers in [-2, 2] plus 0 to 3 times I, and twenty vectors; the first twelve with a negative principal minor, and the first such."""
    rng = Random(16)
    sizes = [rng.randint(3, 4) for _ in range(100)]
    left = 12
    for n in sizes:
        a = plus(families.integers(rng, n, n, 2), scaled(Fraction(rng.randint(0, 3)), one(n)))
        for _ in range(20):
            families.nonzero_vector(rng, n)
        minors = chain.from_iterable(combinations(range(n), size) for size in range(1, n + 1))
        chosen = next((c for c in minors if determinant([[a[i][j] for j in c] for i in c]) < 0), None)
        if chosen and left:
            left -= 1
            yield {"A": a, "minor": list(chosen)}


# -- formats of machines ---------------------------------------------------------------------------------------------------

for claim in ("underflow", "unit-key", "turns"):
    fixed(f"new.parity.float.{claim}", "witness", *({"name": name} for name in FORMATS))
fixed("new.parity.float.scalar", "witness", *({"name": name} for name, (precision, _, _) in FORMATS.items() if precision >= 8))
fixed(
    "new.parity.float.counts",
    "witness",
    *({"name": name, "modulus": m} for name in ("bfloat16", "float16", "float32") for m in (3, 5, 7, 11, 13)),
)
fixed("new.parity.float.counts.width-two", "witness", *({"name": name} for name in ("float8_e5m2", "float8_e4m3fn", "bfloat16")))
fixed(
    "new.parity.float.counts.letters",
    "witness",
    *({"period": p, "start": s} for p, s in ((2, ["66", "-230"]), (4, ["-64", "-245/8"]), (7, ["101/64", "41"]), (2, ["-177", "-145/4"]))),
)
