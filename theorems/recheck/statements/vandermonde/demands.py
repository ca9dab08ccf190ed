"""What the claims of topic vandermonde demand of their certificates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from ...cyclotomic import cyclotomic_polynomial, element, reduce
from ...exact import (
    apply,
    determinant,
    dot,
    inverse,
    is_positive_semidefinite,
    matrix,
    minus,
    natural,
    number,
    one,
    rank,
    require,
    scaled,
    times,
    transpose,
    vector,
)
from ...gaussian_numbers import ONE, ZERO, complex_times, complex_vector, conjugate, product, real_form, total
from ...registry import statement
from ...schema import Fields, Items, Matrix, Natural, Rational, Vector
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


# -- sparse inputs -------------------------------------------------------------------------------------------------------------


@statement("orvieto24.thm3", "witness", Fields(nodes=Vector((2, 4), 8), basis=Matrix((2, 8), (2, 4), 4)))
def enough_units(data: Data) -> None:
    """P nodes have rank V_k Psi_k = rank Psi_k for every k, Psi of rank P; P - 1 of them do not have rank P."""
    nodes, basis = vector(data["nodes"]), matrix(data["basis"])
    length, p = len(basis), len(basis[0])
    require(len(nodes) == p == rank(basis) and length >= 2, "Psi of rank P, and P nodes")
    V = vandermonde(nodes, length)
    for k in range(1, length + 1):
        require(rank(times([row[length - k :] for row in V], basis[:k])) == rank(basis[:k]), "rank V_k Psi_k = rank Psi_k")
    require(p == 1 or rank(times(V[1:], basis)) < p, "P - 1 nodes do not do")


@statement(
    "orvieto24.thm3.eq7",
    "witness",
    Fields(nodes=Vector(2, 4), basis=Matrix(2, 2, 4), steps=Natural(1, 1)),
    hypotheses={"nodes": "the nodes are distinct", "rank": "V_L Psi has full rank"},
    violates={"singular": "Gamma_k^T Gamma_k is singular"},
)
def singular_normal_equations(data: Data) -> Decided:
    """Refuted: V_L Psi has full column rank and Gamma_k^T Gamma_k, k <= L, is singular."""
    nodes, basis, k = vector(data["nodes"]), matrix(data["basis"]), natural(data["steps"])
    length, p = len(basis), len(basis[0])
    require(1 <= k <= length and len(nodes) >= p, "k <= L, N >= P")
    V = vandermonde(nodes, length)
    return {
        "nodes": len(set(nodes)) == len(nodes),
        "rank": rank(times(V, basis)) == p,
        "singular": determinant(gram(times([row[length - k :] for row in V], basis[:k]))) == 0,
    }


def reconstruction(V: Sequence[Sequence[Fraction]], basis: Sequence[Sequence[Fraction]]) -> list[list[Fraction]]:
    gamma = times(V, basis)
    return times(times(basis, inverse(gram(gamma))), transpose(gamma))


@statement(
    "orvieto24.sec4.1.sparse",
    "witness",
    Fields(
        nodes=Matrix((3, 6), 2, 4),
        length=Natural(3, 3),
        orthonormal=Matrix(6, 4, 12),
        basis=Matrix(6, 4, 12),
        low=Rational(12),
        high=Rational(12),
        x=Vector(6, 12),
        y=Vector(6, 12),
    ),
)
def no_worse_than_all(data: Data) -> None:
    """In real form: Omega is the same for two bases of a subspace, one orthonormal, and kappa(Omega)^2 <= high / low <= kappa(V)^2."""
    nodes, length = complex_vector(data["nodes"]), natural(data["length"])
    Q, basis, low, high = matrix(data["orthonormal"]), matrix(data["basis"]), number(data["low"]), number(data["high"])
    x, y = vector(data["x"]), vector(data["y"])
    V = real_form(complex_vandermonde(nodes, length))
    require(
        len(set(nodes)) >= length and len(Q) == len(basis) == 2 * length and len(Q[0]) == len(basis[0]) < 2 * length,
        "N >= L distinct nodes, a proper subspace",
    )
    require(gram(Q) == one(len(Q[0])) != gram(basis), "an orthonormal basis, and another one")
    require(rank(basis) == len(basis[0]) == rank([[*r, *s] for r, s in zip(Q, basis, strict=True)]), "of the same subspace")
    require(reconstruction(V, Q) == reconstruction(V, basis), "Omega does not depend on the basis")
    G = gram(V)
    inner = times(times(transpose(Q), G), Q)
    require(0 < low < high, "0 < low < high")
    require(is_positive_semidefinite(minus(inner, scaled(low, one(len(inner))))), "low <= |V Q a|^2 / |a|^2")
    require(is_positive_semidefinite(minus(scaled(high, one(len(inner))), inner)), "|V Q a|^2 / |a|^2 <= high")
    large, small = dot(x, apply(G, x)) / dot(x, x), dot(y, apply(G, y)) / dot(y, y)
    require(large * low >= small * high, "kappa(V)^2 >= high / low")


@statement(
    "new.vandermonde.haar",
    "witness",
    Fields(
        nodes=Items(Items(Natural(-999, 999), 2, 2), 16, 16),
        length=Natural(4096, 4096),
        modulus=Natural(2305843009213693951, 2305843009213693951),
    ),
)
def haar_wavelets_are_determined(data: Data) -> None:
    """16 different nodes (a + bi)/1000 in the ring: (Re, Im) of V Psi, Psi 32 Haar wavelets of length 4096, has rank 32 modulo a number."""
    nodes, length, modulus = [(x, y) for x, y in data["nodes"]], natural(data["length"]), natural(data["modulus"], 2**61)
    require(length == 4096 and len(set(nodes)) == len(nodes) == 16 and modulus > 10**6, "16 different nodes, L = 4096")
    require(all(isinstance(v, int) for x in nodes for v in x), "integers")
    require(all(950**2 <= x * x + y * y <= 1000**2 for x, y in nodes), "nodes in the ring")
    # a pivot with an inverse modulo any number is not 0, whether the number is prime or not
    unit = pow(1000, -1, modulus)
    rows = []
    for x, y in nodes:
        re, im, real, imaginary = 1, 0, [0] * 32, [0] * 32
        for j in range(length - 1, -1, -1):
            for c, entry in haar(j, length):
                real[c] += entry * re
                imaginary[c] += entry * im
            re, im = (re * x - im * y) * unit % modulus, (re * y + im * x) * unit % modulus
        rows += [real, imaginary]
    for column in range(32):
        pivot = next((i for i in range(column, 32) if rows[i][column] % modulus), None)
        require(pivot is not None, "rank 32")
        assert pivot is not None  # said once more, for the type checker
        rows[column], rows[pivot] = rows[pivot], rows[column]
        unit = pow(rows[column][column], -1, modulus)
        for i in range(column + 1, 32):
            q = rows[i][column] * unit % modulus
            rows[i] = [(u - q * v) % modulus for u, v in zip(rows[i], rows[column], strict=True)]


def haar(j: int, length: int) -> Iterator[tuple[int, int]]:
    """(column, value) of the first 32 Haar functions at point j, where they are not 0: the constant, then 1, 2, 4, 8, 16 steps up and down."""
    yield 0, 1
    column, width = 1, length
    while column < 32:
        yield column + j // width, 1 if j % width < width // 2 else -1
        column, width = 2 * column, width // 2
