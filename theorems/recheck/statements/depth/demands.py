"""What the claims of topic depth demand of their certificates."""

from fractions import Fraction

from ... import intervals, polynomials
from ...exact import apply, matrix, natural, number, plus, rank, require, square, times, vector
from ...kinds.copy import check_copy
from ...registry import statement
from ...schema import Fields, Items, Matrix, Natural, Rational, Vector
from ...shapes import LinearLayer


def layers_of(data, width=None):
    """[(U, V), ...] of one width, the first U of shape (n, d) and the others (n, n)."""
    layers = [(matrix(a["U"]), square(matrix(a["V"]))) for a in data["layers"]]
    require(layers, "at least one layer")
    n = len(layers[0][1]) if width is None else width
    require(all(len(V) == n and len(U) == n for U, V in layers), f"layers of width {n}")
    require(all(len(U[0]) == n for U, _ in layers[1:]), "layers that read the one below")
    return layers


def word(rows, d):
    xs = [vector(row) for row in rows]
    require(xs and all(len(x) == d for x in xs), f"input vectors of {d} entries")
    return xs


def added(*vectors):
    return [sum(xs) for xs in zip(*vectors, strict=True)]


def run(layers, xs, biases=None, initial=None):
    """For every input the states of all layers, h^l_t = V h^l_(t-1) + U h^(l-1)_t + b."""
    n = len(layers[0][1])
    biases = biases or [[Fraction(0)] * n for _ in layers]
    states = initial or [[Fraction(0)] * n for _ in layers]
    out = []
    for x in xs:
        below, new = x, []
        for (U, V), b, h in zip(layers, biases, states, strict=True):
            below = added(apply(V, h), apply(U, below), b)
            new.append(below)
        states = new
        out.append(states)
    return out


def responses(layers, readout, steps, channel=0):
    """The outputs after a unit impulse in one channel."""
    d = len(layers[0][0][0])
    impulse = [[Fraction(int(t == 0 and i == channel)) for i in range(d)] for t in range(steps)]
    return [apply(readout, states[-1]) for states in run(layers, impulse)]


def least_width(lag, layers):
    """The least n with lag <= L (n - 1)."""
    return -(-lag // layers) + 1


def parameters(n, depth, d=1):
    """Entries of U, V and b in all layers."""
    return n * d + (depth - 1) * n * n + depth * n * n + depth * n


def biased(data):
    """Layers with biases and initial states, not all 0."""
    layers = layers_of(data)
    n = len(layers[0][1])
    biases, initial = ([vector(a[name]) for a in data["layers"]] for name in ("b", "initial"))
    require(all(len(v) == n for v in biases + initial), "biases and initial states of the layers' width")
    require(any(x for v in biases + initial for x in v), "a bias or initial state other than 0")
    return layers, biases, initial


# -- linearity -------------------------------------------------------------------------------------------------------------


@statement(
    "lizaire26.prop2",
    "witness",
    Fields(
        a=Rational(4),
        layers=Items(Fields(U=Matrix(2, 2, 4), V=Matrix(2, 2, 4), b=Vector(2, 4), initial=Vector(2, 4)), 2, 2),
        inputs=Matrix(3, 2, 4),
        others=Matrix(3, 2, 4),
    ),
)
def states_are_affine(data):
    """All states of the word a x + (1 - a) y are the combination of those of x and y."""
    layers, biases, initial = biased(data)
    a, d = number(data["a"]), len(layers[0][0][0])
    xs, ys = word(data["inputs"], d), word(data["others"], d)
    require(a not in (0, 1) and xs != ys and len(xs) == len(ys), "two different words of one length, and a other than 0 and 1")
    mixed = [[a * u + (1 - a) * v for u, v in zip(x, y, strict=True)] for x, y in zip(xs, ys, strict=True)]
    left, right = run(layers, xs, biases, initial), run(layers, ys, biases, initial)
    require(left != right, "states that depend on the word")
    expected = [
        [[a * u + (1 - a) * v for u, v in zip(h, k, strict=True)] for h, k in zip(s, t, strict=True)]
        for s, t in zip(left, right, strict=True)
    ]
    require(run(layers, mixed, biases, initial) == expected, "the states are affine in the word")


@statement(
    "lizaire26.prop2.bias",
    "witness",
    Fields(
        layers=Items(
            Fields(
                U=Items(Items(Natural(1, 1), 1, 1), 1, 1),
                V=Items(Items(Natural(0, 0), 1, 1), 1, 1),
                b=Items(Natural(1, 1), 1, 1),
                initial=Items(Natural(0, 0), 1, 1),
            ),
            1,
            1,
        ),
        inputs=Items(Items(Natural(1, 1), 1, 1), 1, 1),
        others=Items(Items(Natural(2, 2), 1, 1), 1, 1),
    ),
    violates={"additive": "h(x + y) differs from h(x) + h(y)"},
)
def states_are_not_additive(data):
    """Refuted as linear: h(x + y) differs from h(x) + h(y)."""
    layers, biases, initial = biased(data)
    d = len(layers[0][0][0])
    xs, ys = word(data["inputs"], d), word(data["others"], d)
    total = run(layers, [added(x, y) for x, y in zip(xs, ys, strict=True)], biases, initial)[-1][-1]
    require(
        total != added(run(layers, xs, biases, initial)[-1][-1], run(layers, ys, biases, initial)[-1][-1]), "the last state is not additive"
    )


@statement(
    "lizaire26.cor2",
    "witness",
    Fields(layers=Items(Fields(U=Matrix(2, 2, 4), V=Matrix(2, 2, 4), b=Vector(2, 4), initial=Vector(2, 4)), 2, 2), inputs=Matrix(3, 2, 4)),
)
def one_step_of_all_layers(data):
    """h^l_t = P_l0 x_t + sum_j P_lj (V_j h^j_(t-1) + b_j), P_lj = U_l ... U_(j+1), along the word."""
    layers, biases, initial = biased(data)
    require(len(layers) > 1, "at least two layers")
    before = initial
    xs = word(data["inputs"], len(layers[0][0][0]))
    for x, states in zip(xs, run(layers, xs, biases, initial), strict=True):
        for top in range(len(layers)):
            formula = x
            terms = [added(apply(layers[j][1], before[j]), biases[j]) for j in range(top + 1)]
            for U, _ in layers[: top + 1]:
                formula = apply(U, formula)
            for j, term in enumerate(terms):
                for U, _ in layers[j + 1 : top + 1]:
                    term = apply(U, term)
                formula = added(formula, term)
            require(formula == states[top], "the formula gives the state")
        before = states


# -- copies ----------------------------------------------------------------------------------------------------------------


def copied(data):
    """(n, L, d, p) of a network that copies, by the rule of the kind."""
    layers, p = layers_of(data), natural(data["p"])
    n, d = len(layers[0][1]), len(layers[0][0][0])
    require(p >= 1 and len(matrix(data["readout"])) == d, "a lag of at least 1, and an output for each channel")
    return n, len(layers), d, p


@statement(
    "lizaire26.lemma2", "copy", Fields(layers=Items(LinearLayer((2, 4), (1, 4)), 1, 3), readout=Matrix(1, (2, 4), 4), p=Natural(1, 5))
)
def as_few_layers(data):
    n, depth, d, p = copied(data)
    require(d == 1 and n > 1 and depth == -(-p // (n - 1)), "one channel, n > 1 and L = ceil(p / (n - 1))")


@statement("lizaire26.thm1", "copy", Fields(layers=Items(LinearLayer((2, 4), (1, 4)), 2, 4), readout=Matrix(1, (2, 4), 4), p=Natural(2, 9)))
def one_layer_too_many(data):
    """The copy of L (n - 1) steps, L > 1, which by Lemma 3 needs all L layers."""
    n, depth, d, p = copied(data)
    require(d == 1 and n > 1 and depth > 1 and p == depth * (n - 1) > (depth - 1) * (n - 1), "n > 1, L > 1 and p = L (n - 1)")


@statement(
    "lizaire26.memory", "copy", Fields(layers=Items(LinearLayer((2, 5), (1, 5)), 1, 4), readout=Matrix(1, (2, 5), 4), p=Natural(1, 12))
)
def farthest(data):
    n, depth, d, p = copied(data)
    require(d == 1 and n > 1 and p == depth * (n - 1), "n > 1 and p = L (n - 1)")


@statement(
    "new.depth.channels",
    "copy",
    Fields(layers=Items(LinearLayer((2, 5), (1, 5)), 1, 3), readout=Matrix((1, 2), (2, 5), 4), p=Natural(1, 12)),
)
def farthest_with_channels(data):
    n, depth, d, p = copied(data)
    require(p * d <= depth * (n - d) < (p + 1) * d, "the largest p with p d <= L (n - d)")


@statement(
    "lizaire26.lemma2.readout",
    "witness",
    Fields(layers=Items(LinearLayer(3, 1), 1, 1), readout=Matrix(1, 3, 4), p=Natural(1, 1), inputs=Items(Natural(1, 4), 4, 4)),
    hypotheses={"sizes": "n > 1, p >= 1, L = ceil(p / (n - 1))"},
    violates={"output": "the output is another"},
)
def another_output(data):
    """Refuted: the printed network, read at its first component, does not give the inputs p steps later."""
    layers, readout, p, inputs = layers_of(data), matrix(data["readout"]), natural(data["p"]), vector(data["inputs"])
    n = len(layers[0][1])
    require(n > 1 and p >= 1 and len(layers) == -(-p // (n - 1)), "n > 1, p >= 1 and L = ceil(p / (n - 1)) layers")
    unit = [[Fraction(int(i == j)) for j in range(n)] for i in range(n)]
    shift = [unit[i + 1] if i + 1 < n else [Fraction(0)] * n for i in range(n)]
    require(all(shift == V for _, V in layers) and readout == [unit[0]], "the printed V, and the readout of the first component")
    require(layers[0][0] == [[x] for x in unit[-1]], "the printed U of the first layer")
    require(all([[Fraction(0)] * n] * (n - 1) + [unit[0]] == U for U, _ in layers[1:]), "the printed U above")
    outputs = [apply(readout, states[-1])[0] for states in run(layers, [[x] for x in inputs])]
    require(outputs != ([Fraction(0)] * p + inputs)[: len(inputs)], "the outputs differ from f_p")


def resolvent(V):
    """(adj(I - zV), det(I - zV)): M_0 = I, M_(k+1) = V M_k + c_(k+1) I, polynomials lowest coefficient first."""
    n = len(V)
    one = [[Fraction(int(i == j)) for j in range(n)] for i in range(n)]
    M, c, terms = one, [Fraction(1)], []
    for k in range(1, n + 1):
        terms.append(M)
        VM = times(V, M)
        c.append(-sum(VM[i][i] for i in range(n)) / k)
        M = plus(VM, [[c[-1] * x for x in row] for row in one])
    require(not any(x for row in M for x in row), "Cayley and Hamilton")
    return [[polynomials.trimmed([t[i][j] for t in terms]) for j in range(n)] for i in range(n)], polynomials.trimmed(c)


def polynomial_product(A, B):
    out = []
    for row in A:
        out.append([])
        for column in zip(*B, strict=True):
            total = []
            for p, q in zip(row, column, strict=True):
                total = polynomials.plus(total, polynomials.times(p, q))
            out[-1].append(total)
    return out


def constants(m):
    return [[polynomials.trimmed([x]) for x in row] for row in m]


def transfer(layers, readout):
    """(N, D) of the network, D(0) = 1."""
    numerator, denominator = None, [Fraction(1)]
    for U, V in layers:
        adjugate, c = resolvent(V)
        step = polynomial_product(adjugate, constants(U))
        numerator = step if numerator is None else polynomial_product(step, numerator)
        denominator = polynomials.times(denominator, c)
    return polynomial_product(constants(readout), numerator), denominator


@statement(
    "lizaire26.lemma3",
    "witness",
    Fields(layers=Items(LinearLayer((1, 3), (1, 3)), 1, 2), readout=Matrix(1, (1, 3), 4), N=Matrix(1, (1, 5), 4), D=Vector((1, 4), 4)),
)
def numerators_have_low_degree(data):
    """The transfer function of a network that is not silent is N / D, D(0) = 1, and deg N <= L (n - 1)."""
    layers, readout = layers_of(data), matrix(data["readout"])
    n, depth = len(layers[0][1]), len(layers)
    require(len(readout) == 1 == len(layers[0][0][0]), "one channel and one output")
    numerator, denominator = transfer(layers, readout)
    require(
        numerator[0] == [polynomials.polynomial(c) for c in data["N"]] and denominator == polynomials.polynomial(data["D"]),
        "N and D as listed",
    )
    N, D = numerator[0][0], denominator
    require(N and D[0] == 1 and len(N) - 1 <= depth * (n - 1), "N is not 0, D(0) = 1 and deg N <= L (n - 1)")
    steps = 2 * n * depth + 2
    g = [y[0] for y in responses(layers, readout, steps)]
    product = [sum(D[k] * g[t - k] for k in range(min(t, len(D) - 1) + 1)) for t in range(steps)]
    require(product == (N + [Fraction(0)] * steps)[:steps], "D times the responses is N")


@statement(
    "lizaire26.lemma3.proof",
    "witness",
    Fields(layers=Items(LinearLayer(2, 1), 1, 1), readout=Matrix(1, 2, 4), p=Natural(1, 1)),
    hypotheses={"copies": "the network copies one step forward"},
    violates={"component": "no component is a multiple of one input"},
)
def no_component_is_an_input(data):
    """Refuted: the network copies one step, and in each component of h_t both x_t and x_(t-1) occur."""
    check_copy(data)
    n, depth, d, p = copied(data)
    require((n, depth, d, p) == (2, 1, 1, 1), "two units, one layer, one channel and one step: no unit to spare")
    ((U, V),) = layers_of(data)
    now, past = [row[0] for row in U], apply(V, [row[0] for row in U])
    require(all(now) and all(past), "no component is a multiple of one input")


@statement("new.depth.ranks", "witness", Fields(layers=Items(LinearLayer((1, 3), (1, 3)), 2, 3), readout=Matrix(1, (1, 3), 4)))
def full_rank(data):
    """The Hankel matrix of the responses of L layers of width n has rank n L."""
    layers, readout = layers_of(data), matrix(data["readout"])
    require(len(layers) > 1 and len(readout) == 1, "at least two layers, one output")
    units = len(layers) * len(layers[0][1])
    g = [y[0] for y in responses(layers, readout, 2 * units + 1)]
    require(rank([[g[1 + i + j] for j in range(units)] for i in range(units)]) == units, "rank n L")


@statement(
    "new.depth.finite-length",
    "witness",
    Fields(layers=Items(LinearLayer((1, 5), 1), 1, 1), readout=Matrix(1, (1, 5), 8), p=Natural(1, 5), error=Rational(8)),
)
def nearly_a_copy(data):
    """One layer of width p: the responses before time 2p are error, 0, ..., 0, 1 (at p), 0, ..., 0."""
    layers, readout, p, error = layers_of(data), matrix(data["readout"]), natural(data["p"]), number(data["error"])
    require(p >= 1 and 0 < error < 1 and len(layers) == 1 and len(layers[0][1]) == p, "one layer of width p, an error in (0, 1)")
    g = [y[0] for y in responses(layers, readout, 2 * p)]
    require(g == [error] + [Fraction(int(k == p)) for k in range(1, 2 * p)], "only the first response is wrong, by the error")


# -- sizes -----------------------------------------------------------------------------------------------------------------


def joined(layers):
    """(U, V) of the joint states: row blocks P_l0 and P_lj V_j."""
    n = len(layers[0][1])
    U, V = [], []
    for top in range(len(layers)):
        P = layers[0][0]
        for W, _ in layers[1 : top + 1]:
            P = times(W, P)
        U += P
        blocks = []
        for j in range(len(layers)):
            block = layers[j][1] if j <= top else [[Fraction(0)] * n for _ in range(n)]
            for W, _ in layers[j + 1 : top + 1]:
                block = times(W, block)
            blocks.append(block)
        V += [[x for block in blocks for x in block[i]] for i in range(n)]
    return U, V


@statement(
    "lizaire26.prop1",
    "witness",
    Fields(layers=Items(LinearLayer((1, 3), (1, 3)), 2, 3), U=Matrix((2, 9), 1, 4), V=Matrix((2, 9), (2, 9), 4)),
)
def one_wide_layer(data):
    """The layer (U, V) of width nL has the joint states of L > 1 layers, on an impulse followed by 2 nL zeros in every channel: so on every word."""
    layers, U, V = layers_of(data), matrix(data["U"]), square(matrix(data["V"]))
    n, depth, d = len(layers[0][1]), len(layers), len(layers[0][0][0])
    require(depth > 1 and len(V) == len(U) == n * depth and len(U[0]) == d, "L > 1 layers, and one of width n L")
    require(joined(layers) == (U, V), "the blocks of Corollary 2")
    for channel in range(d):
        xs = [[Fraction(int(t == 0 and i == channel)) for i in range(d)] for t in range(2 * n * depth + 1)]
        deep = [[x for h in states for x in h] for states in run(layers, xs)]
        require(any(map(any, deep)) and deep == [states[0] for states in run([(U, V)], xs)], "the same states, not all 0")


@statement(
    "lizaire26.thm6",
    "witness",
    Fields(n=Natural(1, 2), U=Matrix((3, 4), (1, 2), 4), V=Matrix((3, 4), (3, 4), 4), inputs=Items(Items(Natural(0, 1), 1, 2), 2, 2)),
)
def hidden_from_the_first_block(data):
    """A layer of width nL, L > 1, whose first n states do not depend on the first input, and whose next n do."""
    U, V, n = matrix(data["U"]), square(matrix(data["V"])), natural(data["n"])
    require(n >= 1 and len(U) == len(V) and len(V) % n == 0 and len(V) >= 2 * n, "a layer of width n L, L > 1")
    first, second = (states[0][0] for states in (run([(U, V)], [x]) for x in word(data["inputs"], len(U[0]))))
    require(first[:n] == second[:n] and first[n : 2 * n] != second[n : 2 * n], "the first block is blind where the second is not")


@statement(
    "lizaire26.thm6.one",
    "witness",
    Fields(layers=Items(LinearLayer(2, 1), 1, 1), U=Matrix(2, 1, 4), V=Matrix(2, 2, 4)),
    hypotheses={"sizes": "n > 1 and L >= 1, V not 0"},
    violates={"same": "the layer of width nL is the layer of width n"},
)
def the_same_class(data):
    """Refuted for L = 1: the joint layer is the layer itself."""
    layers, U, V = layers_of(data), matrix(data["U"]), square(matrix(data["V"]))
    require(len(layers) == 1 and len(V) > 1 and any(map(any, V)), "L = 1, n > 1, V not 0")
    require((U, V) == layers[0] == joined(layers), "the layer of width n L is the layer of width n")


@statement(
    "lizaire26.thm6.proof",
    "witness",
    Fields(block=Matrix(2, 1, 4)),
    hypotheses={"sizes": "n > 1, L > 1"},
    violates={"rank": "no block has rank 2"},
)
def one_column(data):
    """Refuted for d = 1: a block, of more than one row, has one column, and so not rank 2."""
    block = matrix(data["block"])
    require(len(block) > 1 and len(block[0]) == 1 and rank(block) == 1, "n > 1 rows, d = 1 column, and the largest rank there is, 1")


@statement("lizaire26.thm2", "witness", Fields(n=Natural(4, 9), rows=Items(Items(Natural(1, 2499), 4, 4), 8, 8)))
def shallower_copies_cost_more(data):
    """n >= 4: L' < L layers that copy L (n - 1) steps have more parameters."""
    n = natural(data["n"])
    require(n >= 4 and data["rows"], "n >= 4, and something to compare")
    for depth, shallow, width, count in data["rows"]:
        require(1 <= natural(shallow) < natural(depth), "1 <= L' < L")
        require(
            width == least_width(depth * (n - 1), shallow) and count == parameters(width, shallow), "the narrowest network and its size"
        )
        require(count > parameters(n, depth), "it has more parameters")


@statement(
    "lizaire26.thm2.sketch",
    "witness",
    Fields(n=Natural(4, 4), L=Natural(1, 1)),
    hypotheses={"width": "n >= 4"},
    violates={"longer": "p exceeds L (n - 1)"},
)
def too_far(data):
    """Refuted: (L + 1)(n - 1) steps are more than the L (n - 1) that L layers of width n >= 4 copy."""
    n, depth = natural(data["n"]), natural(data["L"])
    require(n >= 4 and depth >= 1 and (depth + 1) * (n - 1) > depth * (n - 1), "n >= 4, L >= 1, and the lag exceeds L (n - 1)")


@statement("new.depth.parameters", "witness", Fields(rows=Items(Items(Natural(1, 15), 4, 4), 21, 21)))
def fewer_layers_cost_more(data):
    """n' = ceil(n L / L') units in L' < L layers cost more than n in L, d = 1."""
    require(data["rows"], "something to compare")
    for n, depth, shallow, width in data["rows"]:
        require(
            natural(n) >= 1 and 1 <= natural(shallow) < natural(depth) and natural(width) == -(-n * depth // shallow),
            "L' < L and n' = ceil(n L / L')",
        )
        require(parameters(width, shallow) > parameters(n, depth), "more parameters")


@statement("lizaire26.params", "witness", Fields(rows=Items(Items(Natural(1, 265), 4, 4), 75, 75)))
def count_of_parameters(data):
    """Rows (n, L, d, count): the entries of U, V and b, and (2L - 1) n^2 + (L + d) n."""
    require(data["rows"], "something to count")
    for n, depth, d, count in data["rows"]:
        require(min(natural(n), natural(depth), natural(d)) >= 1, "n, L, d >= 1")
        require(count == parameters(n, depth, d) == (2 * depth - 1) * n * n + (depth + d) * n, "the count")


@statement(
    "lizaire26.params.initial", "witness", Fields(rows=Items(Items(Natural(1, 1054), 5, 5), 16, 16), even=Items(Natural(2, 1000), 4, 4))
)
def with_initial_states(data):
    """n >= 4: more parameters also with initial states; n = 2 and L' = L / 2: fewer."""
    require(data["rows"] and data["even"], "something to compare")
    for n, depth, shallow, width, count in data["rows"]:
        require(natural(n) >= 4 and 1 <= natural(shallow) < natural(depth), "n >= 4 and L' < L")
        require(
            width == least_width(depth * (n - 1), shallow) and count == parameters(width, shallow) + width * shallow,
            "the narrowest network",
        )
        require(count > parameters(n, depth) + n * depth, "more parameters, initial states included")
    for depth in data["even"]:
        shallow = natural(depth) // 2
        require(depth >= 2 and depth % 2 == 0 and least_width(depth, shallow) == 3, "an even L, and L' = L / 2 layers of width 3")
        require(parameters(3, shallow) + 3 * shallow < parameters(2, depth) + 2 * depth, "fewer parameters for n = 2")


@statement("lizaire26.appA5.1", "witness", Fields(pairs=Items(Items(Natural(1, 9), 2, 2), 5, 5)))
def critical_widths(data):
    """For each (L, L') the quadratic is the difference of sizes, is positive from 4 on and, for (2, 1) alone of those listed, negative at 3."""
    require([2, 1] in data["pairs"] and len(data["pairs"]) > 1, "the pair (2, 1), and others")
    for depth, shallow in data["pairs"]:
        require(1 <= natural(shallow) < natural(depth), "1 <= L' < L")
        a = 2 * depth * shallow - depth - shallow
        b, c = -2 * a - shallow, a - shallow * (3 * shallow - 1)
        for n in range(1, 8):
            width = Fraction(depth * (n - 1), shallow) + 1
            difference = (2 * shallow - 1) * width**2 + (shallow + 1) * width - parameters(n, depth)
            require(difference == Fraction(depth - shallow, shallow**2) * (a * n * n + b * n + c), "the quadratic")
        require(a > 0 and 16 * a + 4 * b + c > 0 and 8 * a + b > 0, "positive and rising at n = 4")
        require((9 * a + 3 * b + c < 0) == ([depth, shallow] == [2, 1]), "negative at n = 3 for L = 2, L' = 1 only")
        # at (3 + sqrt 13)/2 the square is 3 x + 1, so the value is (3a + b) x + a + c, exactly 0 for (2, 1)
        x = intervals.divided(intervals.plus(intervals.exact(3), intervals.sqrt(intervals.exact(13))), intervals.exact(2))
        value = intervals.plus(intervals.times(intervals.exact(3 * a + b), x), intervals.exact(a + c))
        require((3 * a + b, a + c) == (0, 0) if [depth, shallow] == [2, 1] else value[0] > 0, "no other critical width is as large")


# -- tanh ------------------------------------------------------------------------------------------------------------------


def artanh(y):
    """log((1 + y) / (1 - y)) / 2 of a fraction, |y| < 1."""
    return intervals.divided(intervals.log(intervals.exact((1 + y) / (1 - y))), intervals.exact(2))


@statement(
    "lizaire26.thm1.footnote",
    "witness",
    Fields(points=Vector(3, 4), error=Rational(4)),
    hypotheses={"points": "the points 0, 9/20, 9/10 lie in [-a, a]"},
    violates={"none": "no u and b serve (balls)"},
)
def not_a_line(data):
    """Refuted: no u, b have tanh(u y + b) within the error of y at three equidistant points."""
    points, error = vector(data["points"]), number(data["error"])
    require(len(points) == 3 and points[0] < points[1] < points[2] and points[0] + points[2] == 2 * points[1], "three points in a row")
    require(error > 0 and all(y - error > -1 and y + error < 1 for y in points), "values of tanh")
    low = intervals.divided(intervals.plus(artanh(points[0] - error), artanh(points[2] - error)), intervals.exact(2))
    require(low[0] > artanh(points[1] + error)[1], "the mean at the ends exceeds what is allowed in the middle")


@statement("lizaire26.thm1.footnote.amended", "witness", Fields(u=Rational(8), y=Rational(4)))
def nearly_the_identity(data):
    """|tanh(u y) / u - y| <= u^2 |y|^3 / 3 for u > 0 and a y other than 0."""
    u, y = number(data["u"]), number(data["y"])
    require(u > 0 and y != 0, "u > 0 and y other than 0")
    low, high = intervals.minus(intervals.divided(intervals.tanh(intervals.exact(u * y)), intervals.exact(u)), intervals.exact(y))
    require(max(abs(low), abs(high)) <= u * u * abs(y) ** 3 / 3, "the error")
