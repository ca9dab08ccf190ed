"""What the slips of Sec. 4.1 and App. B demand of their counterexamples, each of which is the smallest and the only one."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from ...exact import apply, cast, natural, number, points, vector
from ...registry import instances, statement
from ...schema import Fields, Items, Natural, Rational, Tuple, Vector
from ...typed import Data, Decided


@instances("grazzi25.sec4.1.triangular", "witness")
def the_matrix_of_order_three() -> Iterable[Data]:
    yield {"A": [[0, 1], [-1, -1]], "H0": [1, 0]}


@statement(
    "grazzi25.sec4.1.triangular",
    "witness",
    Fields(A=Items(Items(Natural(-1, 1), 2, 2), 2, 2), H0=Items(Natural(0, 1), 2, 2)),
    hypotheses={"shape": "A(1) is not triangular"},
    violates={"counts": "three different states come round: the layer counts modulo 3 at every length"},
)
def counts_modulo_three(data: Data) -> Decided:
    """A has an entry on both sides of its diagonal, and from H_0 returns after three different states."""
    a, h = [vector(row) for row in data["A"]], vector(data["H0"])
    states = [h]
    for _ in range(3):
        states.append(apply(a, states[-1]))
    different = states[0] != states[1] != states[2] != states[0]
    return {"shape": a[0][1] != 0 and a[1][0] != 0, "counts": different and states[3] == states[0]}


@instances("grazzi25.thm1.neither", "witness")
def the_sign() -> Iterable[Data]:
    yield {"a": -1, "b": 1, "h0": 0}


@statement(
    "grazzi25.thm1.neither",
    "witness",
    Fields(a=Natural(-1, 1), b=Natural(0, 1), h0=Natural(0, 0)),
    hypotheses={"parity": "the states are 0 and 1, exchanged by each letter 1: the layer outputs the parity at every length"},
    violates={"real": "its only eigenvalue, a(1), is real"},
)
def parity_by_a_real_scalar(data: Data) -> Decided:
    """h -> a h + b exchanges 0 and 1; a is a rational number."""
    a, b, h = (number(data[name]) for name in ("a", "b", "h0"))
    return {"parity": h == 0 and a * h + b == 1 and a * 1 + b == 0, "real": isinstance(a, Fraction)}


@instances("grazzi25.thm1.label", "witness")
def one_letter() -> Iterable[Data]:
    yield {"k": 1}


@statement("grazzi25.thm1.label", "witness", Fields(k=Natural(1, 1)), violates={"differ": "the two labels of 1^k differ"})
def even_is_not_odd(data: Data) -> Decided:
    """1 for even k is not k mod 2."""
    k = natural(data["k"])
    return {"differ": int(k % 2 == 0) != k % 2}


@instances("grazzi25.lemma1.cases", "witness")
def one_minus_powers_of_one_half() -> Iterable[Data]:
    yield {"terms": [[1, 0, 1], [Fraction(1, 2), 0, -1]], "D": [0, 1]}


@statement(
    "grazzi25.lemma1.cases",
    "witness",
    Fields(terms=Items(Tuple(Rational(4), Natural(0, 0), Rational(4)), 2, 2), D=Vector(2, 4)),
    hypotheses={"cast": "cast(a_k) = 1 for k >= 2"},
    violates={"interval": "every interval (-eps, 1) holds 0, whose cast is another", "equal": "a_k is 1 for no k"},
)
def approaches_from_below(data: Data) -> Decided:
    """a_k = c_1 + c_2 x^k with c_2 < 0 < x < 1 rises to c_1, its cast is that of a_2 and of c_1, and 0 < c_1 is cast elsewhere."""
    ((one, m, c), (x, n, e)), (d, _) = [(number(x), natural(m), number(c)) for x, m, c in data["terms"]], points(data["D"])
    form = one == 1 and m == n == 0 and 0 < x < 1 and e < 0
    settled = cast(c + e * x**2, d)
    return {
        "cast": form and settled == cast(c, d) == 1,
        "interval": form and c > 0 and cast(Fraction(0), d) != settled,
        "equal": form and c == 1 and e * x != 0,
    }


@instances("grazzi25.thm2.case", "witness")
def three_and_two() -> Iterable[Data]:
    yield {"m": 3, "n": 1, "d": 2, "k": 5}


@statement(
    "grazzi25.thm2.case",
    "witness",
    Fields(m=Natural(3, 3), n=Natural(1, 1), d=Natural(2, 2), k=Natural(5, 5)),
    hypotheses={"assumed": "k mod d = 1 and y_k = 0"},
    violates={"next": "y_(k+1) = 1", "shape": "a state of n x d entries is not n x n"},
)
def wrong_modulus(data: Data) -> Decided:
    """k leaves the rest 1 modulo d, m divides k + 1 and not k; d is not n."""
    m, n, d, k = (natural(data[name]) for name in ("m", "n", "d", "k"))
    return {"assumed": k % d == 1 and k % m > 0, "next": (k + 1) % m == 0, "shape": d != n}


@instances("grazzi25.thm1.jordan", "witness")
def the_quarter_turn() -> Iterable[Data]:
    yield {"A": [[0, 1], [-1, 0]]}


@statement(
    "grazzi25.thm1.jordan",
    "witness",
    Fields(A=Items(Items(Natural(-1, 1), 2, 2), 2, 2)),
    violates={"complex": "the eigenvalues are not real: the discriminant of the characteristic polynomial is negative"},
)
def negative_discriminant(data: Data) -> Decided:
    """(trace)^2 < 4 det for a real 2 x 2 matrix."""
    (a, b), (c, d) = (vector(row) for row in data["A"])
    return {"complex": (a + d) ** 2 < 4 * (a * d - b * c)}


@instances("grazzi25.appA2.index", "witness")
def two_ones() -> Iterable[Data]:
    yield {"A": 1, "B": 1}


@statement(
    "grazzi25.appA2.index",
    "witness",
    Fields(A=Natural(0, 1), B=Natural(0, 1)),
    violates={"differ": "A H_1 + B is not H_1, the state after one letter from 0"},
)
def no_fixed_point(data: Data) -> Decided:
    """H_1 = B from H_0 = 0."""
    a, b = natural(data["A"]), natural(data["B"])
    return {"differ": a * b + b != b}
