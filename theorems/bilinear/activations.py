"""Activations between layers instead of products: Theorem 5, Lemma 4 and the remark after them (lizaire26, Sec. 3.3, App. A.10).

On a finite alphabet one layer computes everything; on real inputs the product x_1 ... x_T is out of reach, for reasons other than the printed ones.
"""

from __future__ import annotations

from itertools import product
from math import prod
from random import Random

import numpy as np
import sympy
from flint import fmpq

from ...constructions import samples
from ...constructions.activations import (
    DepthOnly,
    DepthOnlyLayer,
    PiecewiseLinear,
    causal_function,
    collision,
    parity_by_cosine,
    parity_by_homeomorphism,
    product_of_positive_numbers,
    tent,
)
from ...constructions.bilinear import entries, variables
from ...numerics import exact
from ..claim import claim
from ..evidence import Proof


@claim(
    "lizaire26.thm5.remark",
    topic="bilinear",
    place="Sec. 3.3, after Theorem 5",
    title="no RNN with activations applied only in depth, however complex, tracks states on arbitrarily long sequences",
    says=r"Deep RNNs whose nonlinear activations act across layers but not in time cannot perform state-tracking tasks such as parity; this holds for arbitrarily complex nonlinearities.",
    reading="the remark, not Theorem 5, whose function is another one; activations may be homeomorphisms, as the theorem's proof demands",
    construction="lemmata.constructions.activations.parity_by_homeomorphism",
    sabotages={"a linear activation": {"activation": lambda u: u}},
)
def parity_by_depth_only(proof: Proof, activation=None) -> None:
    """One linear layer counts: s_t = s_(t-1) + x_t. Two units hold pi s + pi/2 and 2 pi s. The activation u + sin(u)/10 adds (-1)^s / 10 to the first and
    nothing to the second, so the first minus half of the second is pi/2 + (-1)^s / 10: the parity, at every length.

    With cos as the activation one unit does, cos(pi s) = (-1)^s; and with a piecewise linear homeomorphism the arithmetic is that of integers, here run on
    10^6 letters. The states grow without bound, which is what finite precision forbids."""
    s, u = sympy.symbols("s", integer=True), sympy.symbols("u", real=True)
    network = parity_by_homeomorphism()
    (layer,) = network.layers
    activation = activation or layer.activation

    def closed_form(net: DepthOnly, phi) -> sympy.Expr:
        (own,) = net.layers
        outputs = [phi(h0 + row[0] * s) for h0, row in zip(own.initial, own.U, strict=True)]
        return sympy.simplify(sum(w * y for w, y in zip(net.readout[0], outputs, strict=True)) + net.offset[0] - (-1) ** s)

    word = [1, 0, 1, 1, 1, 0]
    cosine = parity_by_cosine()
    long_word = np.random.default_rng(0).integers(0, 2, 10**6)
    sums = np.cumsum(long_word)
    zigzag = 4 * tent(2.0 * sums) - 4 * tent(2.0 * sums + 1) + 4
    proof.counterexample(
        given={
            "activation": str(activation(u)),
            "layer": "h_t = h_(t-1) + (pi, 2 pi) x_t, h_0 = (pi/2, 0)",
            "readout": "10 y_1 - 5 y_2 - 5 pi",
            "word": word,
            "outputs": [sympy.simplify(y) for y in network.run(word)],
        },
        hypotheses={
            "the activation is strictly increasing, its slope at least 9/10": bool(
                sympy.minimum(sympy.diff(activation(u), u), u) >= sympy.Rational(9, 10)
            )
        },
        violates={
            "the output is (-1)^s for every integer s (symbolic)": closed_form(network, activation) == 0,
            "so it is for one unit and cos (symbolic)": closed_form(cosine, sympy.cos) == 0,
            "and for a piecewise linear homeomorphism on 10^6 random letters (integers)": bool(np.array_equal(zigzag, 1 - 2 * (sums % 2))),
        },
        how="symbolic",
        minimal="one layer, width 2 (width 1 for cos), every length",
    )


@claim(
    "new.bilinear.finite-alphabet",
    topic="bilinear",
    place="after lizaire26, Sec. 3.3",
    kind="new",
    title="over a finite alphabet one layer of width 2 with a bi-Lipschitz activation in depth computes every causal function",
    says=r"For every $f:\{0,\dots,k-1\}^+\to[-1,1]$ there is a piecewise linear $\varphi$ with slopes in $[\frac34,\frac54]$ so that $4\varphi(2s_t)-4\varphi(2s_t+1)+4=f(w_1\cdots w_t)$ with $s_t=(k+1)s_{t-1}+w_t+1$.",
    reading="unbounded precision: states grow by the factor k + 1 a step",
    construction="lemmata.constructions.activations.causal_function",
    sabotages={"the base is one too small": {"network": lambda f, k: causal_function(f, k - 1)}},
)
def everything_over_a_finite_alphabet(proof: Proof, network=causal_function) -> None:
    """Positional notation without the digit 0 keeps every word as a number of its own, and the activation may take any value near that number.

    Three functions beyond automata: balanced brackets, palindromes, and whether the length is prime."""
    longest = proof.pick(5, 7, 9)
    functions = {
        "balanced brackets": _balanced,
        "palindromes": lambda w: int(w == w[::-1]),
        "prime lengths": lambda w: sympy.isprime(len(w)) * 2 - 1,
    }
    for (name, f), k in proof.every(
        f"{', '.join(functions)}; all words up to length {longest} over 2 letters, {longest - 2} over 3", product(functions.items(), (2, 3))
    ):
        net = network(f, k)
        for word in product(range(k), repeat=longest if k == 2 else longest - 2):
            outputs = net.run(list(word))
            proof.exactly(f"the output is right: {name}", outputs, [f(word[: t + 1]) for t in range(len(word))])
        phi = net.layers[0].activation
        steps = [phi(fmpq(m + 1)) - phi(fmpq(m)) for m in range(-3, 200)]
        proof.holds("the slopes lie in [3/4, 5/4]", all(fmpq(3, 4) <= step <= fmpq(5, 4) for step in steps))


def _balanced(word: tuple[int, ...]) -> int:
    """1 if the word of brackets, 0 opening and others closing, is balanced."""
    depth = 0
    for x in word:
        depth += 1 if x == 0 else -1
        if depth < 0:
            return 0
    return int(depth == 0)


# -- real inputs -----------------------------------------------------------------------------------------------------------


@claim(
    "lizaire26.lemma4",
    topic="bilinear",
    place="Lemma 4, App. A.10",
    title="one layer with activations on its outputs only does not compute a generic bilinear recurrence on real inputs, whatever the activations",
    says=r"Let $f_t=A(x_t)f_{t-1}$, $A(x)$ linear in $x$, and $A(u)^tf_0\ne0$ for some $u$ and all $t$. A layer $h_t=Vh_{t-1}+Ux_t+b$ of width $m$ whose state determines $f_T$ has $m\ge T$.",
    reading="any functions as activations and readout, not homeomorphisms only; generic: A(u)^t f_0 is not 0",
    sabotages={
        "a recurrence that adds instead of multiplying": {"f": lambda xs: sum(xs, fmpq(0))},
        "a layer as wide as the word is long": {"excess": 0},
    },
)
def linear_states_have_a_kernel(proof: Proof, f=lambda xs: prod(xs, start=fmpq(1)), excess: int = 1) -> None:
    """On inputs x_s u with numbers x_s, f_T is x_1 ... x_T A(u)^T f_0. The state is affine in (x_1, ..., x_T), so for m < T it is constant along a line
    x + r w. The product is not: with all x_s nonzero, its leading coefficient in r is the product of the w_s and x_s over the s with w_s nonzero and zero.

    The printed proof has it that the state must encode all inputs because the activation is a homeomorphism; it must because the product has no translation invariance."""
    rng = Random(108)
    count = proof.pick(8, 25, 80)
    for _ in proof.each(f"{count} random layers, m <= 4, T = m + 1", range(count)):
        m = rng.randint(1, 4)
        V, U, b = samples.integers(rng, m, m), samples.integers(rng, m, 1), samples.integers(rng, m)
        T = m + excess
        if excess == 0:
            V, U = np.eye(m, k=-1, dtype=int) * fmpq(1), exact.unit_vector(m, 0)[:, None]

        def state(xs, V=V, U=U, b=b, m=m):
            h = exact.zeros(m)
            for x in xs:
                h = V @ h + U[:, 0] * x + b
            return h

        rows = [state(exact.unit_vector(T, t)) - state([fmpq(0)] * T) for t in range(T)]
        kernel = exact.nullspace(np.array(rows, dtype=object).T)
        proof.holds("there is a kernel", kernel.shape[1] > 0)
        if kernel.shape[1]:
            w = kernel[:, 0]
            x = [fmpq(rng.choice((-3, -2, -1, 1, 2, 3))) for _ in range(T)]
            shifted = [[a + r * c for a, c in zip(x, w, strict=True)] for r in range(1, T + 2)]
            proof.exactly("the state stays", all(np.array_equal(state(y), state(x)) for y in shifted), True)
            proof.holds("f_T does not", any(f(y) != f(x) for y in shifted))


@claim(
    "lizaire26.thm5.proof",
    topic="bilinear",
    place="Theorem 5, App. A.10 (proof)",
    title="a state that determines f_t encodes all inputs, or some earlier f and all inputs since",
    says=r"If $f_t=\ell(\varphi(h^{(L)}_t))$, then $h^{(L)}_t$ encodes $(x_1,\dots,x_t)$ or $(x_t,\dots,x_{t-i+1},f_{t-i})$ for some $i\in[t-1]$.",
    reading="the proof uses of the inputs' domain its dimension only, so that it would hold for positive inputs as well",
    construction="lemmata.constructions.activations.product_of_positive_numbers",
    sabotages={"the last two inputs are the same": {"words": ((2, 3), (2, 3))}},
)
def logarithms(proof: Proof, words=((2, 3), (3, 2))) -> None:
    """For positive inputs log and exp, homeomorphisms, compute f_t = x_t f_(t-1) at every length with one unit a layer. Its state log f_t encodes f_t alone.

    So a proof must use inputs at which the product loses information: the repaired ones use a zero, or that pieces are linear."""
    network = product_of_positive_numbers()
    one, two = (list(w) for w in words)
    a, b, c = sympy.symbols("a b c", positive=True)
    outputs = network.run([a, b, c])
    states = [sympy.simplify(sympy.expand_log(network.states(w)[-1][0])) for w in (one, two)]
    proof.counterexample(
        given={
            "activations": "log, exp",
            "layers": "h^1_t = x_t, h^2_t = h^2_(t-1) + log x_t",
            "words": (one, two),
            "last layer's states": states,
            "f_1": (one[0], two[0]),
        },
        hypotheses={
            "the outputs are a, ab, abc for all positive a, b, c": all(
                sympy.simplify(y - z) == 0 for y, z in zip(outputs, (a, a * b, a * b * c), strict=True)
            )
        },
        violates={
            "the states agree": sympy.simplify(sympy.expand_log(states[0] - states[1])) == 0,
            "x_2 differs": one[1] != two[1],
            "f_1 differs": one[0] != two[0],
        },
        how="symbolic",
        minimal="t = 2, one unit a layer",
    )


def random_piecewise(rng: Random, n: int, depth: int, increasing: bool = True) -> DepthOnly:
    """A network with one input channel, integer matrices and piecewise linear activations, homeomorphisms if ``increasing``."""
    layers = []
    for level in range(depth):
        knots = tuple(sorted({fmpq(rng.randint(-20, 20), 7) for _ in range(rng.randint(1, 3))}))
        slopes = tuple(fmpq(rng.randint(1, 5) if increasing else rng.randint(-3, 3), 2) for _ in range(len(knots) + 1))
        m = 1 if level == 0 else n
        layers.append(
            DepthOnlyLayer(
                samples.integers(rng, n, n, bound=2),
                samples.integers(rng, n, m, bound=2),
                samples.integers(rng, n),
                samples.integers(rng, n),
                PiecewiseLinear(knots, slopes),
            )
        )
    return DepthOnly(tuple(layers), samples.integers(rng, 1, n), exact.zeros(1))


def register(n: int) -> DepthOnly:
    """A layer that holds the last n inputs."""
    identity = PiecewiseLinear((), (fmpq(1),))
    layer = DepthOnlyLayer(np.eye(n, k=-1, dtype=int) * fmpq(1), exact.unit_vector(n, 0)[:, None], exact.zeros(n), exact.zeros(n), identity)
    return DepthOnly((layer,), exact.zeros(1, n), exact.zeros(1))


@claim(
    "lizaire26.thm5.remark.amended",
    topic="bilinear",
    place="Theorem 5 and the remark after it, Sec. 3.3",
    kind="amended",
    amends="lizaire26.thm5.remark",
    title="on real inputs, L layers of width n with piecewise linear activations in depth do not compute x_1 ... x_T unless nL >= T",
    says=r"If the states of $L$ layers of width $n$ with piecewise linear activations, applied in depth only, determine $x_1\cdots x_T$ on some open set of inputs, then $nL\ge T$; so no finite network computes $f_t=x_tf_{t-1}$.",
    reading="finitely many pieces on bounded sets, homeomorphisms or not (ReLU included); any readout of the states",
    construction="lemmata.constructions.activations.collision",
    sabotages={"as many states as inputs": {"network": lambda rng, n, depth: register(n * depth + 1)}},
)
def pieces_have_kernels(proof: Proof, network=random_piecewise) -> None:
    """Away from finitely many surfaces the joint state is affine in the inputs, with a derivative of at most nL rows. For nL < T it has a kernel vector w, and near x
    the state is constant along x + r w, where the product of nonzero inputs is not constant (see Lemma 4). Two such inputs are found for each network."""
    rng = Random(109)
    count = proof.pick(10, 40, 150)
    for k in proof.each(f"{count} random networks, n, L <= 3, half of them homeomorphisms, T = nL + 1", range(count)):
        n, depth = rng.randint(1, 3), rng.randint(1, 3)
        net = network(rng, n, depth) if network is not random_piecewise else random_piecewise(rng, n, depth, increasing=k % 2 == 0)
        x = [fmpq(rng.choice((-1, 1)) * rng.randint(1, 50), 53) for _ in range(n * depth + 1)]
        other = collision(net, x)
        proof.holds("two inputs with the same states", other is not None)
        if other is not None:
            proof.exactly("the states agree", [list(h) for h in net.states(other)], [list(h) for h in net.states(x)])
            proof.holds("the products differ", prod(other, start=fmpq(1)) != prod(x, start=fmpq(1)))
            if k < 5:
                proof.certificate("collision", f"n = {n}, L = {depth}", **_collision_data(net, x, other))


def _collision_data(network: DepthOnly, x: list[fmpq], other: list[fmpq]) -> dict:
    layers = [
        {"V": a.V, "U": a.U, "b": a.b, "initial": a.initial, "knots": list(a.activation.knots), "slopes": list(a.activation.slopes)}  # type: ignore[attr-defined]
        for a in network.layers
    ]
    return {"layers": layers, "inputs": [x, other]}


@claim(
    "new.bilinear.smooth",
    topic="bilinear",
    place="after lizaire26, Theorem 5",
    kind="new",
    title="with C^1 activations in depth and invertible V, the states tell x_1 ... x_T on inputs near 0 only if nL >= T; without invertibility T < (nL + 1)^2",
    says=r"Let $\varphi_l\in C^1$. If the states after every $t\le T$ determine $f_t=x_1\cdots x_t$ for inputs in a neighbourhood of $0$, and all $V^{(l)}$ are invertible, then $nL\ge T$. "
    r"For any $V^{(l)}$ and inputs near $0$ and equal to $1$, $T<(nL+1)^2$.",
    reading="any readout of the states",
    sabotages={"layers that read the one above": {"feedback": 1}},
)
def the_rank_grows_at_zero(proof: Proof, feedback: int = 0) -> None:
    """Let s_t be the joint state. By induction over t, near 0 there are inputs where D s_t has rank t. The map s_t -> s_(t+1) for a fixed input is a local
    diffeomorphism: block triangular with V^(l) on the diagonal (checked). Take x with rank D s_t = t and f_t(x) != 0, and suppose that D s_(t+1) has rank at
    most t near (x, 0), so exactly t. By the constant rank theorem s_(t+1) is constant on a curve through (x, 0); on the slices of fixed last input D s_(t+1) is injective, so
    the curve leaves the slice: it is (x(u), u). There f_(t+1) = u f_t(x(u)) is constant, hence 0, so f_t(x(u)) = 0 for u != 0 and f_t(x) = 0: contradiction.

    If V is not invertible, its nilpotent parts forget after n steps; after nL inputs 1, which do not change f, they are functions of the invertible
    parts, layer by layer, and the argument holds for the blocks of one input and nL ones. On positive inputs it fails, and log and exp show why."""
    sizes = proof.pick(((1, 1), (1, 2), (2, 1)), ((1, 1), (1, 2), (1, 3), (2, 1), (2, 2)), ((1, 1), (1, 2), (1, 3), (1, 4), (2, 1), (2, 2)))
    for n, depth in proof.every(
        f"(n, L) in {sizes}, activations u + u^2 in one network and u - u^3 in another, all parameters and states variables", sizes
    ):
        for activation in (lambda u: u + u * u, lambda u: u - u * u * u):
            jacobian, blocks = _step_jacobian(n, depth, activation, feedback)
            expected = _determinant(blocks[0])
            for block in blocks[1:]:
                expected = expected * _determinant(block)
            proof.exactly("det D(s_t -> s_(t+1)) is the product of the det V", _determinant(jacobian) - expected == 0, True)
    proof.cites("the constant rank theorem (Lee, Introduction to Smooth Manifolds, Theorem 4.12)")


def _step_jacobian(n: int, depth: int, activation, feedback: int):
    """(derivative of one step by the states, the matrices V), polynomials in all parameters."""
    names = [f"h{k}_{i}" for k in range(depth) for i in range(n)] + [
        f"v{k}_{i}{j}" for k in range(depth) for i in range(n) for j in range(n)
    ]
    names += [f"u{k}_{i}{j}" for k in range(depth) for i in range(n) for j in range(1 if k == 0 else n)] + ["x"]
    rest = variables(names)
    x = rest.pop()
    states, rest = [entries(rest[k * n : (k + 1) * n]) for k in range(depth)], rest[n * depth :]
    V, rest = [entries(rest[k * n * n : (k + 1) * n * n], n, n) for k in range(depth)], rest[n * n * depth :]
    below, after = entries([x + feedback * states[-1][0]]), []
    for k in range(depth):
        m = len(below)
        U, rest = entries(rest[: n * m], n, m), rest[n * m :]
        after.append(V[k] @ states[k] + U @ below)
        below = entries([activation(p) for p in after[-1]])
    columns = range(n * depth)
    rows = [p.derivative(j) for block in after for p in block for j in columns]
    return entries(rows, n * depth, n * depth), V


def _determinant(M: np.ndarray):
    """By expansion along the first row; for polynomials."""
    if len(M) == 1:
        return M[0, 0]
    total = M[0, 0] * 0
    for j in range(len(M)):
        minor = np.delete(M[1:], j, axis=1)
        total = total + (-1) ** j * M[0, j] * _determinant(minor)
    return total


@claim(
    "lizaire26.thm5",
    topic="bilinear",
    place="Theorem 5, App. A.10",
    title="some function of a single-layer second-order RNN is computed by no RNN with activations in depth only",
    says=r"There is $f\in\mathcal H_{2RNN}(n,1)$ that no RNN of any finite depth and width computes whose activations, homeomorphisms, act in depth only.",
    reading="real inputs, exact values at every length; homeomorphisms, as the proof demands",
    uses=("lizaire26.lemma4", "lizaire26.thm5.remark.amended"),
    sabotages={"a recurrence that adds": {"multiply": lambda f, x: f + x}},
)
def what_is_open(proof: Proof, multiply=lambda f, x: f * x) -> None:
    """f_t = x_t f_(t-1) serves for piecewise linear activations (thm5.remark.amended) and for C^1 ones (new.bilinear.smooth). For homeomorphisms that are neither,
    nothing here or in the paper decides it: the printed proof assumes what a state must encode (thm5.proof).

    For activations without any condition the theorem is false: choose numbers g(x), one for each real x, linearly independent over the field Q(pi)
    (part of a basis, so by the axiom of choice); then sum_k pi^k g(x_(t-k)) determines t and all inputs, and an activation can do the rest."""
    f = fmpq(1)
    for x, expected in zip((2, -3, 5), (2, -6, -30), strict=True):
        f = multiply(f, x)
        proof.exactly("f_t = x_t f_(t-1) is the product", f, fmpq(expected))
    proof.lacks(
        "homeomorphisms that are neither continuously differentiable nor piecewise linear, such as singular functions: neither a proof nor a network is known"
    )
