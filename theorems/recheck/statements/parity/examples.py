"""What the claims of topic parity demand of single layers, matrices and orbits."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction

from ...cyclotomic import cyclotomic_polynomial, field_matrix, field_times
from ...exact import apply, cast, dot, freeze, matrix, minus, natural, number, one, plus, points, require, square, times, vector
from ...polynomials import count_real_roots
from ...registry import statement
from ...schema import Fields, Items, Matrix, Natural, Rational, Tuple, Vector
from ...spectra import characteristic, has_negative_eigenvalue, spectrum_is_nonnegative
from ...sums import check_jordan_form, power_entries, sign_is_settled
from ...typed import Certificates, Data, Decided
from .demands import least_period, reads_ones

# -- automata ----------------------------------------------------------------------------------------------------------------


def adds(data: Data, m: int, letters: tuple[int, ...]) -> bool:
    """Whether the automaton adds these letters modulo m; it must start in 0, read these letters and output its states."""
    names = [str(x) for x in letters]
    require(
        data["letters"] == names and data["automaton"][0] == "0" and data["outputs"] == data["automaton"],
        "outputs the state, from 0, of these letters",
    )
    require(set(data["automaton"]) == {str(q) for q in range(m)}, f"all states modulo {m}")
    names = data["automaton"]
    return all((number(names[i]) + letters[letter] - number(names[j])) % m == 0 for i, letter, _, j in data["edges"])


def adds_modulo(data: Data, m: int, letters: tuple[int, ...]) -> None:
    """The automaton adds these letters modulo m from 0, and the outputs are its states."""
    require(adds(data, m, letters), f"addition modulo {m}")


def has_scalar_layers(data: Data, *maps: tuple[int, int]) -> bool:
    """Every layer is rational and 1 x 1, and its maps (A, B) are among these."""
    found = [(matrix(f["A"]), matrix(f["B"])) for layer in data["layers"] for f in layer]
    return data["field"] == 1 and all((a, b) in [([[x]], [[y]]) for x, y in maps] for a, b in found)


def scalar_layers(data: Data, *maps: tuple[int, int]) -> None:
    """Raise Rejected unless the layers are scalar with these maps."""
    require(has_scalar_layers(data, *maps), "scalar layers with these maps")


@statement("grazzi25.thm1.converse", "automaton")
def parity_by_a_sign(data: Data) -> None:
    """One layer with a(0) = 1, b(0) = 0, a(1) = -1, b(1) = 1, from 0, outputs the parity, which is its state."""
    adds_modulo(data, 2, (0, 1))
    scalar_layers(data, (1, 0), (-1, 1))
    require(
        len(data["layers"]) == 1 and [[[number(x) for x in row] for row in h] for (h,) in data["states"]] == [[[0]], [[1]]],
        "two states, 0 and 1",
    )
    require(all(number(q) == number(h[0][0]) for (h,), q in zip(data["states"], data["automaton"], strict=True)), "the state is the parity")


@statement(
    "grazzi25.thm1.fig2",
    "automaton",
    hypotheses={"parity": "the layer computes parity at every length (closure of 4 states)"},
    violates={"complex": "A(1) has no real eigenvalue, so no negative one"},
)
def parity_without_negative_eigenvalues(data: Data) -> Decided:
    """A layer computes the parity, and no transition has a negative eigenvalue."""
    require(data["field"] == 1 and len(data["layers"]) == 1, "one rational layer")
    maps = [matrix(f["A"]) for f in data["layers"][0]]
    require(not any(map(has_negative_eigenvalue, maps)), "no negative eigenvalue")
    turns = [maps[read] for _, letter, (read,), _ in data["edges"] if letter == 1]
    return {"parity": adds(data, 2, (0, 1)), "complex": all(count_real_roots(characteristic(a)) == 0 for a in turns)}


@statement("grazzi25.appE4", "automaton")
def running_sign(data: Data) -> None:
    """Letters 1 and -1: the output is (-1)^(number of letters -1 read)."""
    require(data["letters"] == ["1", "-1"] and data["automaton"] == ["0", "1"] and data["outputs"] == ["1", "-1"], "signs of two states")
    require(
        all((int(data["automaton"][i]) + letter - int(data["automaton"][j])) % 2 == 0 for i, letter, _, j in data["edges"]),
        "parity of the letters -1",
    )
    scalar_layers(data, (1, 0), (-1, 0))


@statement("grazzi25.thm2", "automaton")
def adds_with_odd_products_real(data: Data) -> None:
    """Two layers add modulo 3; single transitions of the first, and products of three of the second, square to I."""
    adds_modulo(data, 3, (0, 1, 2))
    modulus = cyclotomic_polynomial(data["field"])
    first, second = ([field_matrix(f["A"], modulus) for f in layer] for layer in data["layers"])
    for a in [*first, *(field_times(field_times(x, y, modulus), z, modulus) for x in second for y in second for z in second)]:
        identity = field_matrix([[int(i == j) for j in range(len(a))] for i in range(len(a))], modulus)
        require(freeze(field_times(a, a, modulus)) == freeze(identity), "the product squares to I")


@statement("new.parity.powers-of-two", "automaton")
def binary_counter(data: Data) -> None:
    """p scalar layers with transitions 1 and -1 and no inputs output the number of ones modulo 2^p."""
    adds_modulo(data, 2 ** len(data["layers"]), (0, 1))
    scalar_layers(data, (1, 0), (-1, 0))


@statement("new.parity.powers-of-two")
def binary_counters(certificates: Certificates) -> None:
    """p = 1, ..., 6."""
    require([len(data["layers"]) for _, data in certificates] == [1, 2, 3, 4, 5, 6], "one counter for each p up to 6")


@statement(
    "grazzi25.thm2.discussion",
    "automaton",
    hypotheses={"scalar": "every layer is scalar"},
    violates={"counts": "the layer counts modulo 2 at every length"},
)
def counts_modulo_two(data: Data) -> Decided:
    """Layers with real diagonal transitions count modulo some m >= 2: here scalar ones, modulo 2."""
    return {"scalar": has_scalar_layers(data, (1, 0), (-1, 0)), "counts": adds(data, 2, (0, 1))}


@statement(
    "grazzi25.abstract.triangular",
    "automaton",
    hypotheses={"scalar": "the transitions are 1 x 1, hence triangular"},
    violates={"counts": "the layer counts modulo 3 at every length"},
)
def complex_scalar(data: Data) -> Decided:
    """A layer of 1 x 1, hence triangular, transitions counts modulo 3."""
    require(len(data["layers"]) == 1, "one layer")
    return {"scalar": all(len(f["A"]) == len(f["A"][0]) == 1 for f in data["layers"][0]), "counts": adds(data, 3, (0, 1))}


# -- single matrices and orbits ------------------------------------------------------------------------------------------------


@statement(
    "grazzi25.table1.norm",
    "witness",
    Fields(k=Vector(1, 4), beta=Rational(4)),
    hypotheses={"range": "beta lies in (0, 1)"},
    violates={"negative": "the eigenvalue is negative", "norm": "its modulus, the norm, exceeds 1"},
)
def eigenvalue_in_unit_interval(data: Data) -> Decided:
    """For 0 < beta < 1 the eigenvalue 1 - beta |k|^2 along k lies in [0, 1]; refuted by a key for which it does not."""
    k, beta = vector(data["k"]), number(data["beta"])
    eigenvalue = 1 - beta * dot(k, k)
    return {"range": 0 < beta < 1, "negative": eigenvalue < 0, "norm": abs(eigenvalue) > 1}


@statement(
    "grazzi25.fig2.monotone",
    "witness",
    Fields(A=Matrix(2, 2, 4), H0=Vector(2, 4)),
    hypotheses={"spectrum": "the eigenvalues, on the diagonal, are nonnegative"},
    violates={"turns": "the entry rises and falls", "bounded": "it does not diverge: the eigenvalues lie below 1"},
)
def rises_and_falls(data: Data) -> Decided:
    """A upper triangular with diagonal in [0, 1): the first entry of A^k H_0 converges to 0, but rises and falls."""
    a, h = square(matrix(data["A"])), vector(data["H0"])
    n = len(a)
    require(not any(a[i][j] for i in range(n) for j in range(i)), "an upper triangular transition")
    entries = []
    for _ in range(7):
        entries.append(h[0])
        h = apply(a, h)
    steps = list(itertools.pairwise(entries))
    return {
        "spectrum": all(a[i][i] >= 0 for i in range(n)),
        "turns": any(x < y for x, y in steps) and any(x > y for x, y in steps),
        "bounded": all(a[i][i] < 1 for i in range(n)),
    }


@statement(
    "grazzi25.fig2.monotone.amended",
    "witness",
    Fields(
        A=Matrix((1, 4), (1, 4), 8),
        B=Matrix((1, 4), 1, 4),
        H0=Matrix((1, 4), 1, 4),
        P=Matrix((1, 4), (1, 4), 8),
        P_inverse=Matrix((1, 4), (1, 4), 8),
        blocks=Items(Tuple(Rational(4), Natural(1, 4)), 1, 3),
        threshold=Natural(2, 30),
        signs=Items(Natural(-1, 1), 1, 4),
    ),
)
def monotone_in_the_end(data: Data) -> None:
    """Spectrum in [0, inf); from the threshold on every entry of H_{k+1} - H_k = A^k ((A - I) H_0 + B) has the sign listed, and not all are 0."""
    a, b, h = square(matrix(data["A"])), matrix(data["B"]), matrix(data["H0"])
    require(
        spectrum_is_nonnegative(a) and any(data["signs"]) and natural(data["threshold"]) <= 10_000,
        "a spectrum in [0, inf), and states that move",
    )
    step = plus(times(minus(a, one(len(a))), h), b)
    entries = power_entries(check_jordan_form(a, data), one(len(a)), step)
    signs = [[sign_is_settled(row[0], Fraction(0), data["threshold"], parity) for parity in (0, 1)] for row in entries]
    require(signs == [[s, s] for s in data["signs"]], "the signs of the differences")


@statement(
    "new.parity.half",
    "eventually-periodic",
    Fields(
        D=Vector(2, 4),
        layers=Items(
            Fields(
                maps=Items(Fields(A=Matrix(1, 1, 4), B=Matrix(1, 1, 4)), 1, 1),
                H0=Matrix(1, 1, 4),
                before=Items(Natural(0, 0), 0, 0),
                period=Items(Natural(0, 0), 1, 1),
                P=Matrix(1, 1, 4),
                P_inverse=Matrix(1, 1, 4),
                blocks=Items(Tuple(Rational(4), Natural(1, 1)), 1, 1),
                settled=Natural(2, 2),
                threshold=Natural(2, 2),
                cycle=Items(Matrix(1, 1, 4), 2, 2),
            ),
            1,
            1,
        ),
    ),
)
def half_in_the_cast_model(data: Data) -> None:
    """D = {-1, 1}, h -> -h/2 + 1 from -1: the cast state has period 2 from the start."""
    reads_ones(data)
    (layer,) = data["layers"]
    half_layer(data, matrix(layer["maps"][0]["A"]), [number(x) for x in layer["maps"][0]["B"][0]], Fraction(1))
    require(matrix(layer["H0"]) == [[-1]] and least_period(layer["cycle"]) == 2, "from -1, with period 2")


@statement(
    "new.parity.half",
    "stepwise-orbit",
    Fields(A=Matrix(1, 1, 4), b=Vector(1, 4), D=Vector(2, 4), orbit=Matrix(3, 1, 4), eigenvalues=Vector(1, 4)),
)
def half_rounded_at_every_step(data: Data) -> None:
    """D = {-1, 1}, h -> cast(-h/2) from 1: an orbit of two states."""
    half_layer(data, matrix(data["A"]), [number(x) for x in data["b"]], Fraction(0))
    require([[number(x) for x in h] for h in data["orbit"]] == [[1], [-1], [1]], "1, -1, 1")


def half_layer(data: Data, a: Sequence[Sequence[Fraction]], b: Sequence[Fraction], expected: Fraction) -> None:
    require(
        points(data["D"])[0] == [-1, 1] and a == [[Fraction(-1, 2)]] and b == [expected], "D = {-1, 1}, the transition -1/2 and this input"
    )


@statement("new.parity.half")
def both_models(certificates: Certificates) -> None:
    """One certificate of each sort."""
    require(sorted(kind for kind, _ in certificates) == ["eventually-periodic", "stepwise-orbit"], "both models")


def rounded_steps(data: Data) -> tuple[list[list[Fraction]], list[Fraction], list[list[Fraction]]]:
    """(A, D, orbit) with h -> cast(A h + b) from each state of the orbit to the next; b = 0 if it is not given."""
    a, (d, _) = square(matrix(data["A"])), points(data["D"])
    b = vector(data["b"]) if "b" in data else [Fraction(0)] * len(a)
    orbit = [vector(h) for h in data["orbit"]]
    require(all(len(h) == len(a) and set(h) <= set(d) for h in orbit) and len(b) == len(a), "states in D^n")
    for h, after in itertools.pairwise(orbit):
        require([cast(x + y, d) for x, y in zip(apply(a, h), b, strict=True)] == after, f"the state after {h}")
    return a, d, orbit


@statement("new.parity.stepwise.two-cycle", "witness", Fields(A=Matrix(2, 2, 4), D=Vector((2, 3), 4), orbit=Matrix(3, 2, 4)))
def alternates(data: Data) -> None:
    """Rounded at every step, h -> cast(A h) exchanges two states, though A is an integer 2 x 2 matrix with spectrum in [0, inf)."""
    a, _, orbit = rounded_steps(data)
    require(len(a) == 2 and all(x.denominator == 1 for row in a for x in row) and spectrum_is_nonnegative(a), "spectrum in [0, inf)")
    require(len(orbit) == 3 and orbit[0] == orbit[2] != orbit[1], "an orbit of two states")


@statement("new.parity.stepwise.two-cycle")
def three_examples(certificates: Certificates) -> None:
    """D = {-1, 1}; D = {-1, 0, 1}; and D = {-1, 0, 1} with both eigenvalues positive."""
    require([points(data["D"])[0] for _, data in certificates] == [[-1, 1], [-1, 0, 1], [-1, 0, 1]], "the three sets D")
    require(characteristic(matrix(certificates[2][1]["A"]))[0] > 0, "positive eigenvalues in the third")


@statement(
    "new.parity.stepwise.delta", "witness", Fields(D=Vector(3, 4), k=Vector(2, 4), beta=Rational(4), even=Vector(2, 4), odd=Vector(2, 4))
)
def rounding_computes_parity(data: Data) -> None:
    """0 < beta |k|^2 <= 1, yet s = cast(k.h), u = cast(-beta s), h' = cast(h + u k) exchanges two states of D^n; beta = 0 keeps them."""
    (d, _), k, beta = points(data["D"]), vector(data["k"]), number(data["beta"])
    even, odd = vector(data["even"]), vector(data["odd"])
    require(0 < beta * dot(k, k) <= 1 and even != odd and set(even) | set(odd) <= set(d), "0 < beta |k|^2 <= 1, two states in D^n")
    for h, after in ((even, odd), (odd, even)):
        for strength, expected in ((beta, after), (Fraction(0), h)):
            u = cast(-strength * cast(dot(k, h), d), d)
            require([cast(x + u * y, d) for x, y in zip(h, k, strict=True)] == expected, f"the state after {h}")
            s = Fraction(0)
            for x, y in zip(k, h, strict=True):
                s = cast(s + cast(x * y, d), d)
            v = cast(-strength * s, d)
            require(
                [cast(x + cast(v * y, d), d) for x, y in zip(h, k, strict=True)] == expected,
                f"the state after {h}, every product and sum rounded",
            )
