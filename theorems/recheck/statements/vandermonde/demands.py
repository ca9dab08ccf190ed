"""What the claims of topic vandermonde demand of their certificates."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ...cyclotomic import cyclotomic_polynomial, element, reduce
from ...exact import (
    apply,
    determinant,
    dot,
    matrix,
    natural,
    one,
    rank,
    require,
    times,
    transpose,
    vector,
)
from ...gaussian_numbers import ONE, ZERO, complex_times, complex_vector, conjugate, product, real_form, total
from ...registry import statement
from ...schema import Fields, Items, Matrix, Natural, Vector
from ...typed import Data, Decided

# -- Gaussian-rational nodes -------------------------------------------------------------------------------------------------


def complex_vandermonde(nodes: Sequence[tuple[Fraction, Fraction]], k: int) -> list[list[tuple[Fraction, Fraction]]]:
    """Rows (x^(k-1), ..., x, 1)."""
    rows = []
    for x in nodes:
        row = [ONE]
        for _ in range(k - 1):
            row.append(product(row[-1], x))
        rows.append(row[::-1])
    return rows


def recurrent_states(
    nodes: Sequence[tuple[Fraction, Fraction]], inputs: Sequence[tuple[Fraction, Fraction]]
) -> list[tuple[Fraction, Fraction]]:
    """x_k = Lambda x_(k-1) + (1, ..., 1) u_k from 0, the last state."""
    state = [ZERO] * len(nodes)
    for u in inputs:
        state = [total((product(x, h), u)) for x, h in zip(nodes, state, strict=True)]
    return state


# -- real nodes ----------------------------------------------------------------------------------------------------------------


def vandermonde(nodes: Sequence[Fraction], k: int) -> list[list[Fraction]]:
    return [[x ** (k - 1 - j) for j in range(k)] for x in nodes]


def real_nodes(data: Data, at_least: int = 1) -> tuple[list[Fraction], int]:
    nodes, k = vector(data["nodes"]), natural(data["length"])
    require(at_least <= k <= 64, f"a length of at least {at_least}")
    return nodes, k


def gram(V: Sequence[Sequence[Fraction]]) -> list[list[Fraction]]:
    return times(transpose(V), V)


# -- cyclotomic nodes ----------------------------------------------------------------------------------------------------------


def roots(data: Data) -> tuple[Any, ...]:
    """(modulus, nodes, conjugates) in Q(zeta_n): powers of zeta, given by their coefficients; conjugates by z^-1 = z^(n-1)."""
    n = natural(data["field"])
    require(1 <= n <= 200, "a field of moderate order")
    modulus = cyclotomic_polynomial(n)
    nodes = [element(x, modulus) for x in data["nodes"]]
    require(nodes and all(to_power(x, n, modulus) == element(1, modulus) for x in nodes), "n-th roots of unity")
    return modulus, nodes, [to_power(x, n - 1, modulus) for x in nodes]


def field_product(x: tuple[Fraction, ...], y: tuple[Fraction, ...], modulus: Sequence[int]) -> tuple[Fraction, ...]:
    out = [Fraction(0)] * max(len(x) + len(y) - 1, 1)
    for i, u in enumerate(x):
        for j, v in enumerate(y):
            out[i + j] += u * v
    return reduce(out, modulus)


def field_sum(values: Sequence[tuple[Fraction, ...]], modulus: Sequence[int]) -> tuple[Fraction, ...]:
    out = []
    for x in values:
        out = [(out[i] if i < len(out) else 0) + (x[i] if i < len(x) else 0) for i in range(max(len(x), len(out)))]
    return reduce(out, modulus) if out else ()


def to_power(x: tuple[Fraction, ...], k: int, modulus: Sequence[int]) -> tuple[Fraction, ...]:
    out = element(1, modulus)
    for _ in range(k):
        out = field_product(out, x, modulus)
    return out


def field_gram(
    left: Sequence[tuple[Fraction, ...]], right: Sequence[tuple[Fraction, ...]], k: int, modulus: Sequence[int]
) -> list[list[tuple[Fraction, ...]]]:
    """sum_j left_j^(k-1-a) right_j^(k-1-b): V* V with the conjugates on the left, V^T V with the nodes themselves."""
    powers = [[to_power(x, k - 1 - a, modulus) for a in range(k)] for x in left]
    others = [[to_power(x, k - 1 - b, modulus) for b in range(k)] for x in right]
    return [
        [field_sum([field_product(p[a], q[b], modulus) for p, q in zip(powers, others, strict=True)], modulus) for b in range(k)]
        for a in range(k)
    ]


# -- recall --------------------------------------------------------------------------------------------------------------------


@statement("orvieto24.eq4", "witness", Fields(nodes=Matrix((1, 4), 2, 4), inputs=Matrix((3, 5), 2, 4), state=Matrix((1, 4), 2, 8)))
def state_is_vandermonde(data: Data) -> None:
    """The state after the inputs is V_k u, and not 0."""
    nodes, inputs, state = (complex_vector(data[name]) for name in ("nodes", "inputs", "state"))
    require(len(inputs) > 1 and any(x != ZERO for x in state), "at least two inputs, a state other than 0")
    require(recurrent_states(nodes, inputs) == state, "the state of the recurrence")
    require([row[0] for row in complex_times(complex_vandermonde(nodes, len(inputs)), [[u] for u in inputs])] == state, "V_k u")


@statement("orvieto24.det", "witness", Fields(nodes=Vector(5, 4)))
def determinant_is_a_product(data: Data) -> None:
    """det V_n of distinct nodes is the product of the differences, earlier minus later."""
    nodes = vector(data["nodes"])
    require(len(set(nodes)) == len(nodes) > 2, "at least three distinct nodes")
    expected = Fraction(1)
    for i, x in enumerate(nodes):
        for y in nodes[i + 1 :]:
            expected *= x - y
    require(determinant(vandermonde(nodes, len(nodes))) == expected, "the product of differences")


@statement("orvieto24.appE1", "witness", Fields(nodes=Matrix(4, 2, 12), length=Natural(3, 3)))
def minors_differ_from_zero(data: Data) -> None:
    """Any L rows of V_L are independent, N > L distinct nodes in the disc."""
    nodes, length = complex_vector(data["nodes"]), natural(data["length"])
    require(1 < length < len(nodes) <= 8 and len(set(nodes)) == len(nodes), "N > L > 1 distinct nodes")
    require(all(a * a + b * b <= 1 for a, b in nodes), "nodes in the disc")
    for left in range(len(nodes)):
        rows = [x for i, x in enumerate(nodes) if i != left][:length]
        require(rank(real_form(complex_vandermonde(rows, length))) == 2 * length, "L independent rows")


@statement(
    "orvieto24.appE1.positive",
    "witness",
    Fields(nodes=Matrix(2, 2, 4)),
    hypotheses={"nodes": "distinct nodes in the disc", "order": "the second draw is the first, in another order"},
    violates={"opposite": "the determinants are opposite, and not 0"},
)
def opposite_determinants(data: Data) -> Decided:
    """Refuted: two orders of the same distinct nodes in the disc have opposite determinants, so one of them is not positive."""
    first, second = (vector(nodes) for nodes in data["nodes"])
    a, b = (determinant(vandermonde(nodes, len(nodes))) for nodes in (first, second))
    return {
        "nodes": len(set(first)) == len(first) > 1 and all(abs(x) <= 1 for x in first),
        "order": sorted(first) == sorted(second),
        "opposite": a == -b != 0,
    }


@statement(
    "orvieto24.complex.disk",
    "witness",
    Fields(nodes=Matrix(2, 2, 8)),
    hypotheses={"disk": "all nodes lie in the unit disk"},
    violates={"worse": "the condition number of the first two is above that of the others"},
)
def worse_inside(data: Data) -> Decided:
    """The condition number of V_2 grows with tr(G)^2 / det G, G = V_2' V_2."""
    pairs = [vector(nodes) for nodes in data["nodes"]]
    grams = [times(transpose(v), v) for v in (vandermonde(nodes, 2) for nodes in pairs)]
    require(all(determinant(g) > 0 for g in grams), "distinct nodes")
    first, second = ((g[0][0] + g[1][1]) ** 2 / determinant(g) for g in grams)
    return {"disk": all(abs(x) <= 1 for nodes in pairs for x in nodes), "worse": first > second}


@statement("orvieto24.prop1", "witness", Fields(nodes=Vector((2, 5), 4), length=Natural(2, 4), inverse=Matrix((2, 4), (2, 5), 8)))
def left_inverse(data: Data) -> None:
    """W V_k = I for N >= k distinct nodes."""
    nodes, k = real_nodes(data, 2)
    require(len(set(nodes)) == len(nodes) >= k, "N >= k distinct nodes")
    require(times(matrix(data["inverse"]), vandermonde(nodes, k)) == one(k), "a left inverse")


@statement(
    "orvieto24.prop1.bijective",
    "witness",
    Fields(nodes=Items(Natural(1, 2), 2, 2), length=Natural(1, 1), state=Vector(2, 4)),
    hypotheses={"nodes": "the nodes are distinct", "wide": "N >= L"},
    violates={"rank": "rank of (V_k, state) exceeds rank of V_k"},
)
def a_state_is_not_reached(data: Data) -> Decided:
    """Refuted: N >= L = k distinct nodes, and a state outside the range of V_k."""
    nodes, k = real_nodes(data)
    state = vector(data["state"])
    V = vandermonde(nodes, k)
    return {
        "nodes": len(set(nodes)) == len(nodes),
        "wide": len(nodes) >= k,
        "rank": rank([[*row, x] for row, x in zip(V, state, strict=True)]) > rank(V),
    }


@statement("orvieto24.prop1.amended", "witness", Fields(nodes=Matrix((3, 5), 2, 4), length=Natural(2, 4), rank=Natural(1, 3)))
def rank_counts_distinct_nodes(data: Data) -> None:
    """rank V_k = min(k, number of distinct nodes)."""
    nodes, k = complex_vector(data["nodes"]), natural(data["length"])
    require(k > 1, "k > 1")
    require(rank(real_form(complex_vandermonde(nodes, k))) == 2 * min(k, len(set(nodes))) == 2 * natural(data["rank"]), "the rank")


@statement("orvieto24.clock", "witness", Fields(nodes=Vector((3, 4), 4), inputs=Vector(6, 4), state=Vector((4, 5), 8)))
def clock_and_state(data: Data) -> None:
    """The unit with eigenvalue 1 that reads ones shows k, the others V_k v."""
    nodes, inputs, state = (vector(data[name]) for name in ("nodes", "inputs", "state"))
    k = len(inputs)
    require(k > 1 and any(state[1:]), "at least two inputs, a state other than 0")
    units = [Fraction(0)] * (1 + len(nodes))
    for v in inputs:
        units = [units[0] + 1] + [x * h + v for x, h in zip(nodes, units[1:], strict=True)]
    require(units == state and state == [k, *apply(vandermonde(nodes, k), inputs)], "the clock, and V_k v")


@statement(
    "orvieto24.appC",
    "witness",
    Fields(nodes=Items(Matrix((1, 4), 2, 4), 3, 3), inputs=Items(Matrix(3, 2, 4), 1, 4), state=Matrix((6, 11), 2, 8)),
)
def state_by_blocks(data: Data) -> None:
    """M > 1 blocks, block j reading entry j: the state is V_(k,1) v_1, ..., V_(k,M) v_M."""
    blocks, inputs = [complex_vector(nodes) for nodes in data["nodes"]], [complex_vector(v) for v in data["inputs"]]
    state = complex_vector(data["state"])
    require(len(blocks) > 1 and inputs and all(len(v) == len(blocks) for v in inputs), "M > 1 blocks, one entry of the inputs for each")
    joint = [x for j, nodes in enumerate(blocks) for x in recurrent_states(nodes, [v[j] for v in inputs])]
    formula = []
    for j, nodes in enumerate(blocks):
        formula += [row[0] for row in complex_times(complex_vandermonde(nodes, len(inputs)), [[v[j]] for v in inputs])]
    require(any(x != ZERO for x in state) and joint == state == formula, "the state, not 0, is diag(V) vec(v)")


@statement(
    "orvieto24.pseudoinverse",
    "witness",
    Fields(nodes=Matrix((3, 4), 2, 4), length=Natural(1, 3), inverse=Items(Matrix((3, 4), 2, 16), 1, 3)),
)
def penrose(data: Data) -> None:
    """W V = I and V W Hermitian for W = (V* V)^-1 V*, at least L distinct nodes."""
    nodes, length = complex_vector(data["nodes"]), natural(data["length"])
    W = [complex_vector(row) for row in data["inverse"]]
    V = complex_vandermonde(nodes, length)
    require(len(set(nodes)) >= length >= 1 and len(W) == length, "at least L distinct nodes")
    require(complex_times(W, V) == [[ONE if i == j else ZERO for j in range(length)] for i in range(length)], "W V = I")
    P = complex_times(V, W)
    require(all(P[i][j] == conjugate(P[j][i]) for i in range(len(P)) for j in range(len(P))), "V W is Hermitian")
    adjoint = [[conjugate(x) for x in column] for column in zip(*V, strict=True)]
    require(complex_times(complex_times(adjoint, V), W) == adjoint, "V* V W = V*")


@statement(
    "orvieto24.pseudoinverse.transpose",
    "witness",
    Fields(field=Natural(3, 3), nodes=Items(Items(Natural(0, 1), 1, 3), 3, 3), length=Natural(2, 2)),
    hypotheses={"rank": "V has full column rank: a 2 x 2 minor is not 0", "wide": "N >= L"},
    violates={"zeros": "V^T V has a row of zeros"},
)
def singular_transposed_gram(data: Data) -> Decided:
    """Refuted: N >= L distinct nodes for which V^T V has a row of zeros."""
    modulus, nodes, _ = roots(data)
    length = natural(data["length"])
    require(len(set(nodes)) == len(nodes) and length == 2, "distinct nodes, and two inputs")
    # the minor of two rows (x, 1) and (y, 1) is x - y
    return {
        "rank": any(x != nodes[0] for x in nodes[1:]),
        "wide": len(nodes) >= length,
        "zeros": any(not any(map(any, row)) for row in field_gram(nodes, nodes, length, modulus)),
    }


# -- real inputs ---------------------------------------------------------------------------------------------------------------


@statement("new.vandermonde.half-width", "witness", Fields(nodes=Matrix((2, 3), 2, 4), length=Natural(3, 5), rank=Natural(2, 5)))
def rank_of_real_and_imaginary_parts(data: Data) -> None:
    """(Re V, Im V) has the rank min(k, number of different nodes and conjugates)."""
    nodes, k = complex_vector(data["nodes"]), natural(data["length"])
    V = complex_vandermonde(nodes, k)
    stacked = [[x for x, _ in row] for row in V] + [[y for _, y in row] for row in V]
    closed = {*nodes, *map(conjugate, nodes)}
    require(k > 1 and rank(stacked) == min(k, len(closed)) == natural(data["rank"]), "the rank")


@statement("new.vandermonde.half-circle", "witness", Fields(field=Natural(4, 16), nodes=Matrix((1, 4), (1, 8), 4), length=Natural(2, 8)))
def half_circle_gram(data: Data) -> None:
    """ceil(L/2) roots of z^L = -1, one of each conjugate pair: Re V* V = L/2 I, plus w w^T / 2 for odd L."""
    modulus, nodes, conjugates = roots(data)
    length = natural(data["length"])
    require(length > 1 and len(nodes) == (length + 1) // 2 and len({*nodes, *conjugates}) == length, "half of L nodes, conjugates left out")
    require(all(to_power(x, length, modulus) == element(-1, modulus) for x in nodes), "roots of z^L = -1")
    G, H = field_gram(conjugates, nodes, length, modulus), field_gram(nodes, conjugates, length, modulus)
    for a in range(length):
        for b in range(length):
            expected = Fraction(length * (a == b)) + (Fraction((-1) ** (a + b)) if length % 2 else 0)
            require(field_sum([G[a][b], H[a][b]], modulus) == element(str(expected), modulus), "twice the entry of M^T M")


# -- conditioning --------------------------------------------------------------------------------------------------------------


def orthogonal_columns(data: Data) -> None:
    """V* V = N I for N different roots of unity, k = length <= N."""
    modulus, nodes, conjugates = roots(data)
    k = natural(data["length"])
    require(1 < k <= len(nodes) == len(set(nodes)), "1 < k <= N different nodes")
    expected = [[element(len(nodes) * int(a == b), modulus) for b in range(k)] for a in range(k)]
    require(field_gram(conjugates, nodes, k, modulus) == expected, "V* V = N I")


@statement("orvieto24.sec4.1.roots", "witness", Fields(field=Natural(3, 8), nodes=Matrix((3, 8), (1, 4), 4), length=Natural(3, 8)))
def perfectly_conditioned(data: Data) -> None:
    orthogonal_columns(data)


def chebyshev(n: int) -> list[int]:
    """Coefficients of T_n, constant first."""
    a, b = [1], [0, 1]
    for _ in range(n):
        up = [0] + [2 * c for c in b]
        a, b = b, [x - (a[i] if i < len(a) else 0) for i, x in enumerate(up)]
    return a


def badly_conditioned(nodes: Sequence[Fraction], k: int) -> None:
    """At least k distinct nodes in [-1, 1]: |V c|^2 <= N for c of T_(k-1), and |V e|^2 = N for the last input, so kappa >= |c| >= 2^(k-2)."""
    require(len(set(nodes)) >= k > 2 and all(abs(x) <= 1 for x in nodes), "at least k > 2 distinct nodes in [-1, 1]")
    V, c = vandermonde(nodes, k), [Fraction(x) for x in reversed(chebyshev(k - 1))]
    values = apply(V, c)
    require(dot(values, values) <= len(nodes) and all(row[-1] == 1 for row in V), "|V c|^2 <= N = |V e|^2")
    require(
        dot(c, c) >= 4 ** (k - 2) and 4 * dot(c, c) * -(-k // 2) >= (2 * sum(map(abs, c))) ** 2, "|c| >= 2^(k-2), and Cauchy and Schwarz"
    )


@statement("orvieto24.sec4.1.real", "witness", Fields(nodes=Vector((6, 10), 8), length=Natural(3, 8)))
def real_nodes_lose(data: Data) -> None:
    badly_conditioned(*real_nodes(data))


@statement(
    "orvieto24.sec4.1.real.width",
    "witness",
    Fields(families=Matrix(5, (2, 32), 8)),
    hypotheses={"nodes": "the nodes are real and distinct"},
    violates={"condition": "kappa <= 2 for N = 2, 4, ..., 32"},
)
def width_does_no_harm(data: Data) -> Decided:
    """Refuted: for two inputs kappa <= 2 at widths that double from 2 to 32 at least, and kappa does not grow."""
    families = [vector(nodes) for nodes in data["families"]]
    require([len(nodes) for nodes in families] == [2 << i for i in range(len(families))] and len(families) >= 5, "widths 2, 4, 8, ...")
    squares = []
    for nodes in families:
        require(all(abs(x) <= 1 for x in nodes), "nodes in [-1, 1]")
        G = gram(vandermonde(nodes, 2))
        require(G[0][1] == G[1][0] == 0, "orthogonal columns")
        squares.append(max(G[0][0], G[1][1]) / min(G[0][0], G[1][1]))
    require(squares == sorted(squares, reverse=True), "kappa does not grow")
    return {"nodes": all(len(set(nodes)) == len(nodes) for nodes in families), "condition": all(x <= 4 for x in squares)}


@statement("new.vandermonde.recency", "witness", Fields(nodes=Vector((6, 10), 8), length=Natural(3, 8)))
def old_columns_are_short(data: Data) -> None:
    """r < 1 the largest modulus: |V e_first|^2 <= N r^(2(k-1)) and |V e_last|^2 = N, so kappa >= r^-(k-1), at least k distinct nodes."""
    nodes, k = real_nodes(data, 2)
    r = max(abs(x) for x in nodes)
    require(0 < r < 1 and len(set(nodes)) >= k, "moduli below 1, at least k distinct nodes")
    columns = transpose(vandermonde(nodes, k))
    require(
        dot(columns[0], columns[0]) <= len(nodes) * r ** (2 * (k - 1)) and dot(columns[-1], columns[-1]) == len(nodes), "the two columns"
    )


@statement(
    "orvieto24.complex",
    "witness",
    Fields(length=Natural(3, 8), real=Vector((5, 10), 8), field=Natural(5, 10), nodes=Matrix((5, 10), (1, 6), 4)),
)
def complex_against_real(data: Data) -> None:
    """N roots of unity with V* V = N I, and N real nodes with kappa >= 2^(k-2), k > 2."""
    reals, k = vector(data["real"]), natural(data["length"])
    orthogonal_columns(data)
    require(len(reals) == len(data["nodes"]), "the same width")
    badly_conditioned(reals, k)
