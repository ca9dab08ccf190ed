"""What the claims of topic universality demand of their certificates: recurrence and head together."""

import itertools
from fractions import Fraction

from ..exact import apply, determinant, inverse, matrix, natural, number, one, rank, require, times, transpose, vector
from ..registry import statement
from ..schema import Fields, Items, Matrix, Natural, Rational, Vector
from .universality import ascending, vandermonde

# -- widths ----------------------------------------------------------------------------------------------------------------------


@statement("orvieto24.thm2.width", "witness", Fields(frequencies=Matrix(4, (8, 64), 8)))
def fourth_power(data):
    """Theorem 1's 2 r^2 C~^2 is O(L) for the interpolation; refuted by cosines of different frequencies in (1, 2], where C~ is at least their sum, on a ball of radius (L - 1)/2.

    For lengths that double the width grows more than 12-fold each time, and is at least (9/32) L^4.
    """
    widths = []
    for w in map(vector, data["frequencies"]):
        L = len(w)
        require(len(set(w)) == L >= 2 and all(1 < x <= 2 for x in w), "different frequencies in (1, 2]")
        widths.append((L, 2 * Fraction(L - 1, 2) ** 2 * sum(w) ** 2))
    require(len(widths) >= 3, "three lengths at least")
    require(all(Fraction(9, 32) * L**4 <= D for L, D in widths), "a width below (9/32) L^4")
    require(
        all(M == 2 * L and E > 12 * D for (L, D), (M, E) in itertools.pairwise(widths)), "lengths that double, widths that grow 12-fold"
    )


def model(data):
    """(nodes, head, heads) of a certificate of kind shared-head: |nodes| <= 1, all different, at least as many as steps."""
    nodes, heads = vector(data["nodes"]), data["heads"]
    require(
        len(set(nodes)) == len(nodes) >= len(heads) >= 2 and all(abs(x) <= 1 for x in nodes),
        "different nodes in [-1, 1], one for each step",
    )
    require(number(data["largest"]) == 1, "tokens in [-1, 1]")
    require(all(len(row) == k for k, g in enumerate(heads, 1) for row in g["inner"]), "head k reads k tokens")
    return nodes, data["head"], heads


@statement(
    "orvieto24.thm2.amended",
    "shared-head",
    Fields(
        nodes=Vector((2, 6), 4),
        largest=Natural(1, 1),
        head=Fields(inner=Matrix((3, 14), (3, 7), 48), bias=Vector((3, 14), 48), outer=Vector((3, 14), 8), offset=Rational(4)),
        heads=Items(Fields(inner=Matrix((0, 3), (1, 5), 4), bias=Vector((0, 3), 4), outer=Vector((0, 3), 4), offset=Rational(4)), 2, 5),
    ),
)
def one_shift_per_step(data):
    """sum (D_k + 1) - 1 neurons."""
    _, head, heads = model(data)
    require(sum(len(g["bias"]) for g in heads) >= 1, "heads with neurons")
    require(len(head["bias"]) == sum(len(g["bias"]) + 1 for g in heads) - 1, "another number of neurons")


@statement("orvieto24.thm2.amended")
def several_lengths(certificates):
    """Five certificates at least, one of three steps and five neurons."""
    sizes = [(len(d["heads"]), len(d["head"]["bias"])) for _, d in certificates]
    require(len(sizes) >= 5 and any(L >= 3 and D >= 5 for L, D in sizes), "too few or too small")


@statement(
    "new.universality.shifts",
    "shared-head",
    Fields(
        nodes=Vector((3, 7), 8),
        largest=Natural(1, 1),
        head=Fields(inner=Matrix((2, 6), (4, 8), 4), bias=Vector((2, 6), 4), outer=Vector((2, 6), 4), offset=Rational(4)),
        heads=Items(
            Fields(inner=Items(Natural(0, 0), 0, 0), bias=Items(Natural(0, 0), 0, 0), outer=Items(Natural(0, 0), 0, 0), offset=Rational(4)),
            3,
            7,
        ),
    ),
)
def alternating_constants(data):
    """The heads are the constants -1, 1, -1, ..., without neurons, and the shared head has L - 1."""
    _, head, heads = model(data)
    require(len(heads) >= 3, "three steps at least")
    require(all(g["bias"] == [] and number(g["offset"]) == (-1) ** k for k, g in enumerate(heads, 1)), "the constants (-1)^k")
    require(len(head["bias"]) == len(heads) - 1, "another number of neurons")


def invariant(data):
    """(rows, thresholds, weights, offset) of the last head; every head is it on padded tokens, and the shared head has its neurons and does not read the clock."""
    _, head, heads = model(data)
    last, L = heads[-1], len(heads)
    rows = matrix(last["inner"])
    for k, g in enumerate(heads, 1):
        require(matrix(g["inner"]) == [row[L - k :] for row in rows], f"head {k} is not the last one on padded tokens")
        require([vector(g[x]) for x in ("bias", "outer")] == [vector(last[x]) for x in ("bias", "outer")], f"head {k} has other weights")
        require(number(g["offset"]) == number(last["offset"]), f"head {k} has another offset")
    require(len(head["bias"]) == len(rows) and all(number(row[0]) == 0 for row in head["inner"]), "the neurons of one step, and no clock")
    require(any(vector(last["outer"])), "a head that is not constant")
    return rows, [-b for b in vector(last["bias"])], vector(last["outer"]), number(last["offset"])


@statement(
    "new.universality.invariant",
    "shared-head",
    Fields(
        nodes=Vector((2, 5), 8),
        largest=Natural(1, 1),
        head=Fields(inner=Matrix((2, 4), (3, 6), 16), bias=Vector((2, 4), 4), outer=Vector((2, 4), 4), offset=Rational(4)),
        heads=Items(Fields(inner=Matrix((2, 4), (1, 5), 4), bias=Vector((2, 4), 4), outer=Vector((2, 4), 4), offset=Rational(4)), 2, 5),
    ),
)
def one_head_for_all_steps(data):
    """The head of one step serves all of them, on padded tokens, without more neurons; it reads the first token."""
    rows, *_ = invariant(data)
    require(any(row[0] for row in rows), "the last head does not read the first token")


def range_of_error(thresholds, weights, value, reach, turns=()):
    """(least, largest) of value(u) minus the steps, |u| <= reach; ``value`` is monotone between the places ``turns``."""
    edges = sorted({-reach, reach, *(x for x in (*turns, *thresholds) if -reach < x < reach)})
    found = []
    for a, b in itertools.pairwise(edges):
        steps = sum((c for t, c in zip(thresholds, weights, strict=True) if t <= a), Fraction(0))
        found += [value(a) - steps, value(b) - steps]
    return min(found), max(found)


@statement(
    "new.universality.filter",
    "shared-head",
    Fields(
        nodes=Vector(6, 8),
        largest=Natural(1, 1),
        head=Fields(inner=Matrix((1, 8), 7, 16), bias=Vector((1, 8), 8), outer=Vector((1, 8), 4), offset=Rational(8)),
        heads=Items(Fields(inner=Matrix((1, 8), (1, 6), 4), bias=Vector((1, 8), 8), outer=Vector((1, 8), 4), offset=Rational(8)), 6, 6),
    ),
)
def staircase_along_the_filter(data):
    """The supremum over all tokens in [-1, 1] of the error for h = (1, -1/2, 1/4) is |h|_1 / (D + 1) at every step from the third on, and no more before."""
    rows, thresholds, weights, offset = invariant(data)
    L, taps = len(rows[0]), [Fraction(1), Fraction(-1, 2), Fraction(1, 4)]
    require(L >= 3 and all(row == [Fraction(0)] * (L - 3) + taps[::-1] for row in rows), "the rows are the taps")
    for k in range(1, L + 1):
        reach = sum(map(abs, taps[:k]))
        low, high = range_of_error(thresholds, weights, lambda u: u, reach)
        largest, bound = max(abs(low - offset), abs(high - offset)), Fraction(7, 4) / (len(rows) + 1)
        require(largest == bound if k >= 3 else largest <= bound, f"another error at step {k}")


@statement(
    "new.universality.product",
    "shared-head",
    Fields(
        nodes=Vector(6, 8),
        largest=Natural(1, 1),
        head=Fields(inner=Matrix((6, 30), 7, 16), bias=Vector((6, 30), 16), outer=Vector((6, 30), 32), offset=Rational(4)),
        heads=Items(
            Fields(inner=Matrix((6, 30), (1, 6), 4), bias=Vector((6, 30), 16), outer=Vector((6, 30), 32), offset=Rational(4)), 6, 6
        ),
    ),
)
def two_squares(data):
    """With rows that read v_k + v_(k-2) and v_k - v_(k-2), m each, the error is at most 2 / (m + 1) (1 + 10^-5) for all tokens in [-1, 1], after two steps by squares, before by equality of both halves."""
    rows, thresholds, weights, offset = invariant(data)
    L, m = len(rows[0]), len(rows) // 2
    start = [Fraction(0)] * (L - 3)
    require(L >= 3 and m >= 1 and len(rows) == 2 * m, "two halves")
    require(rows[:m] == [[*start, 1, 0, 1]] * m and rows[m:] == [[*start, -1, 0, 1]] * m, "the sum and the difference")
    require(thresholds[:m] == thresholds[m:] and weights[:m] == [-c for c in weights[m:]] and offset == 0, "one staircase, with both signs")
    low, high = range_of_error(thresholds[:m], weights[:m], lambda u: u * u / 4, Fraction(2), (Fraction(0),))
    require(high - low <= Fraction(2, m + 1) * (1 + Fraction(1, 10**5)), "an error above the bound")


# -- what the state knows ------------------------------------------------------------------------------------------------------------


@statement("orvieto24.eq7", "witness", Fields(nodes=Vector(2, 4), basis=Matrix(2, 2, 4), k=Natural(1, 1)))
def singular_at_first(data):
    """Omega_k of (7) is defined for every k; refuted by different nodes, an independent basis of P vectors and a step k < P, where Gamma_k^T Gamma_k is singular."""
    nodes, basis, k = vector(data["nodes"]), matrix(data["basis"]), natural(data["k"])
    P = len(basis[0])
    require(len(set(nodes)) == len(nodes) >= P and rank(basis) == P and 1 <= k < P, "different nodes, N >= P = rank Psi, k < P")
    gamma = times(vandermonde(nodes, k), basis[:k])
    require(rank(gamma) == min(k, len(nodes)), "Gamma_k has the largest rank that it can have")
    require(determinant(times(transpose(gamma), gamma)) == 0, "Gamma_k^T Gamma_k is invertible")


def pseudoinverse(m):
    """M^+ by a rank factorisation M = F G; M is not 0."""
    columns = []
    for j in range(len(m[0])):
        if rank([[row[i] for i in (*columns, j)] for row in m]) > len(columns):
            columns.append(j)
    F = [[row[i] for i in columns] for row in m]
    left = times(inverse(times(transpose(F), F)), transpose(F))
    G = times(left, m)
    return times(times(transpose(G), inverse(times(G, transpose(G)))), left)


def keeps_the_rank(nodes, basis):
    """At every step rank V_k Psi_k = rank Psi_k, and Psi_k (V_k Psi_k)^+ V_k Psi_k = Psi_k."""
    require(
        len(set(nodes)) == len(nodes) >= len(basis[0]) and any(any(row) for row in basis), "N >= P different nodes, a basis that is not 0"
    )
    for k in range(1, len(basis) + 1):
        seen = basis[:k]
        gamma = times(vandermonde(nodes, k), seen)
        require(rank(gamma) == rank(seen), f"the rank falls at step {k}")
        if any(any(row) for row in seen):
            require(times(times(seen, pseudoinverse(gamma)), gamma) == seen, f"the tokens are not recovered at step {k}")


@statement("orvieto24.eq7.amended", "witness", Fields(nodes=Vector((1, 3), 4), basis=Matrix((2, 6), (1, 3), 4)))
def recall_of_prefixes(data):
    """The pseudoinverse recovers the tokens at every step, early ones included."""
    basis = matrix(data["basis"])
    require(len(basis) >= 2, "two steps at least")
    keeps_the_rank(vector(data["nodes"]), basis)


@statement(
    "new.universality.bias",
    "witness",
    Fields(nodes=Vector((1, 3), 4), basis=Matrix((4, 7), (1, 3), 4), beta=Rational(8), largest=Rational(4)),
)
def time_in_the_bias(data):
    """Intervals of the first unit for tokens of modulus at most ``largest`` and the bias ``beta`` are disjoint for different steps, and the tokens are recovered at each."""
    nodes, basis, beta, largest = vector(data["nodes"]), matrix(data["basis"]), number(data["beta"]), number(data["largest"])
    require(
        all(0 < x < 1 for x in nodes) and len(nodes) == len(basis[0]) and largest > 0 and len(basis) >= 2, "P nodes in (0, 1), two steps"
    )
    keeps_the_rank(nodes, basis)
    sums = list(itertools.accumulate(nodes[0] ** j for j in range(len(basis))))
    ends = [x for s in sums for x in ((beta - largest) * s, (beta + largest) * s)]
    require(beta > largest and ascending(ends), "the intervals of two steps meet")


@statement("new.universality.prefix", "witness", Fields(nodes=Vector(4, 4), omega=Matrix(4, 4, 12), tokens=Items(Natural(-1, 2), 3, 3)))
def one_reconstruction(data):
    """Omega V_L = I, and Omega x_k = (0, ..., 0, v_1, ..., v_k) for every k, x_k from the recurrence."""
    nodes, omega, tokens = vector(data["nodes"]), matrix(data["omega"]), vector(data["tokens"])
    L = len(omega)
    require(2 <= len(tokens) <= L and all(tokens) and times(omega, vandermonde(nodes, L)) == one(L), "Omega V_L = I, tokens that are not 0")
    state = [Fraction(0)] * len(nodes)
    for k, v in enumerate(tokens, 1):
        state = [x * s + v for x, s in zip(nodes, state, strict=True)]
        require(apply(omega, state) == [Fraction(0)] * (L - k) + tokens[:k], f"step {k} is not recovered")


@statement("orvieto24.rmk2", "witness", Fields(nodes=Vector((1, 5), 8), tokens=Vector((2, 6), 12)))
def a_lost_input(data):
    """Fewer than L different real units: an input other than 0 that ends in the state 0, like the input 0."""
    nodes, tokens = vector(data["nodes"]), vector(data["tokens"])
    require(
        1 <= len(nodes) < len(tokens) and len(set(nodes)) == len(nodes) and any(tokens),
        "fewer units than tokens, and an input that is not 0",
    )
    require(not any(apply(vandermonde(nodes, len(tokens)), tokens)), "the state is not 0")
