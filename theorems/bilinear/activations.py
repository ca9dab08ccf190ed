"""Activations between layers instead of products: Theorem 5, Lemma 4 and the remark after them (lizaire26, Sec. 3.3, App. A.10).

On a finite alphabet one layer computes everything; on real inputs the product x_1 ... x_T is out of reach, for reasons other than the printed ones.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
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
    joint_state_pieces,
    parity_by_cosine,
    parity_by_homeomorphism,
    product_of_positive_numbers,
    tent,
)
from ...numerics import exact
from ..claim import claim
from ..evidence import Proof


@claim(
    "lizaire26.thm5.remark",
    place="Sec. 3.3, around Theorem 5; Sec. 4.2",
    flaw="false",
    quotes=("no deep RNN with nonlinear activations applied only in depth can perform state-tracking on arbitrarily long sequences.",),
    title="activations applied in depth only do track states on arbitrarily long sequences: one layer of width 2 does parity",
    says=r"Deep RNNs whose nonlinear activations act across layers but not in time cannot perform state-tracking tasks such as parity on arbitrarily long sequences; this holds for arbitrarily complex nonlinearities.",
    reading="the sentences, not Theorem 5, whose function is another one; exact arithmetic and homeomorphisms, as in the theorem's proof; parity, which Sec. 4.2 names as the case of Theorem 5",
    letter="With activations in depth alone, one layer of width 2 tracks parity at every length. It counts the ones, s, in two units, 2s and 2s + 1. A strictly increasing activation with phi(u + 4) = phi(u) + 4 reads the parity off them. The states grow without bound. With bounded states and Lipschitz activations parity is out of reach.",
    construction="lemmata.constructions.activations.parity_by_tent",
    sabotages={"a linear activation": {"activation": lambda u: u}},
)
def parity_by_depth_only(proof: Proof, activation=tent) -> None:
    """One linear layer counts, s_t = s_(t-1) + x_t, in two units 2s and 2s + 1. The activation u + g(u)/4 with a zigzag g of period 4 (slopes 3/4 and 5/4) makes 2s + (-1)^s / 4 and 2s + 1 of them, so 4 y_1 - 4 y_2 + 4 = (-1)^s.
    As phi(u + 4) = phi(u) + 4 two values of s decide all. With u + sin(u)/10 and the units pi s + pi/2 and 2 pi s the same is done by a smooth homeomorphism, and with cos one unit does.
    The states grow without bound, and must: with bounded states and Lipschitz activations no such network tracks parity (new.bilinear.bounded)."""
    s, u = sympy.symbols("s", integer=True), sympy.symbols("u", real=True)

    def output(count: int) -> Fraction:
        return 4 * activation(Fraction(2 * count)) - 4 * activation(Fraction(2 * count + 1)) + 4

    quarters = [Fraction(k, 4) for k in range(-16, 17)]
    shifts = [activation(x + 4) - activation(x) for x in quarters]
    slopes = [(activation(x + Fraction(1, 4)) - activation(x)) * 4 for x in quarters]
    network = parity_by_homeomorphism()
    (layer,) = network.layers
    closed = [layer.activation(h0 + row[0] * s) for h0, row in zip(layer.initial, layer.U, strict=True)]
    smooth = sympy.simplify((network.readout @ np.array(closed) + network.offset)[0] - (-1) ** s)
    slope = sympy.minimum(sympy.diff(layer.activation(u), u), u)
    (cosine,) = parity_by_cosine().layers
    long_word = np.random.default_rng(0).integers(0, 2, 10**6)
    sums = np.cumsum(long_word)
    zigzag = 4 * activation(2.0 * sums) - 4 * activation(2.0 * sums + 1) + 4
    proof.counterexample(
        given={
            "activation": "phi(u) = u + g(u)/4, g of period 4, linear between g(0) = 1, g(1) = 0, g(2) = -1, g(3) = 0",
            "layer": "h_t = h_(t-1) + (2, 2) x_t, h_0 = (0, 1)",
            "readout": "4 y_1 - 4 y_2 + 4",
            "outputs for s = 0, 1, 2, 3": [output(k) for k in range(4)],
            "smooth": "phi(u) = u + sin(u)/10, units pi s + pi/2 and 2 pi s, readout 10 y_1 - 5 y_2 - 5 pi",
            "one unit": "cos(pi s)",
        },
        words={
            "slopes": set(slopes) == {Fraction(3, 4), Fraction(5, 4)},
            "shift": all(shift == 4 for shift in shifts),
            "sine-slope": bool(slope >= sympy.Rational(9, 10)),
            "sign": [output(0), output(1)] == [1, -1],
            "sine": smooth == 0,
            "cosine": sympy.simplify(cosine.activation(cosine.U[0, 0] * s) - (-1) ** s) == 0,
            "words": bool(np.array_equal(zigzag, 1 - 2 * (sums % 2))),
        },
        how="exact",
        minimal="one layer, width 2 (width 1 for cos), every length",
    )
    knots = [[k, activation(Fraction(k)) - k] for k in range(4)]
    proof.certificate(
        "witness",
        "parity at every length",
        period=4,
        perturbation=knots,
        scales=[2, 2],
        initial=[0, 1],
        readout=[4, -4],
        offset=4,
        sine={
            "amplitude": fmpq(1, 10),
            "scales": [quarter_turns(row[0]) for row in layer.U],
            "initial": [quarter_turns(h) for h in layer.initial],
            "readout": [int(w) for w in network.readout[0]],
            "offset": quarter_turns(network.offset[0]),
        },
        cosine=quarter_turns(cosine.U[0, 0]),
    )


def quarter_turns(angle: sympy.Expr) -> int:
    """An angle in quarters of a turn."""
    return int(2 * angle / sympy.pi)


@claim(
    "new.bilinear.finite-alphabet",
    place="after lizaire26, Sec. 3.3",
    title="each causal function of words into [−1, 1] has a layer of width 2 with its own bi-Lipschitz activation in depth",
    says=r"For every $f:\{0,\dots,k-1\}^+\to[-1,1]$ there is a piecewise linear $\varphi$ with slopes in $[\frac34,\frac54]$ so that $4\varphi(2s_t)-4\varphi(2s_t+1)+4=f(w_1\cdots w_t)$ with $s_t=(k+1)s_{t-1}+w_t+1$.",
    reading="unbounded precision: states grow by the factor k + 1 a step",
    known="That one real number can hold a whole word, and an activation then everything, is Siegelmann and Sontag's remark; here without any nonlinearity in time and with slopes near 1.",
    construction="lemmata.constructions.activations.causal_function",
    sabotages={"the base is one too small": {"network": lambda f, k: causal_function(f, k - 1)}},
)
def everything_over_a_finite_alphabet(proof: Proof, network=causal_function) -> None:
    r"""Positional notation without the digit 0 keeps every word as a number of its own, and the activation may take any value near that number.

    1. $s_t$ has the digits $w_i+1\in\{1,\dots,k\}$ in base $k+1$, so different words give different numbers $s$. [prose] [checked: "words are told apart"]
    2. Let $\varphi(2s)=2s+f/4$ at the number $s$ of a word, $\varphi(2s)=2s$ at other integers, $\varphi(m)=m$ at odd $m$, linear between. Neighbouring knots differ by 1 and values by $1\pm f/4$: slopes in $[\frac34,\frac54]$.
       [checked: "the slopes lie in [3/4, 5/4]"]
    3. The units hold $2s_t$ and $2s_t+1$, so the readout is $4(2s+f/4)-4(2s+1)+4=f$. [checked: "the readout is f"; "the output is right"]
    4. Run on balanced brackets, palindromes and prime lengths, which no automaton recognises. [checked: "the output is right"]
    """
    number, value = sympy.symbols("s f")
    proof.symbolically("the readout is f", 4 * (2 * number + value / 4) - 4 * (2 * number + 1) + 4, value, "s, f")
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
        short = [w for length in range(1, 5) for w in product(range(k), repeat=length)]
        proof.exactly("words are told apart", len({net.states(list(w))[0][0] for w in short}), len(short))
        phi = net.layers[0].activation
        steps = [phi(fmpq(m + 1)) - phi(fmpq(m)) for m in range(-3, 200)]
        proof.holds("the slopes lie in [3/4, 5/4]", all(fmpq(3, 4) <= step <= fmpq(5, 4) for step in steps))
        if k == 2:
            table = [[list(w), f(w)] for w in short]
            values = [phi(fmpq(m)) for m in range(2 * 3**4)]
            proof.certificate("witness", f"{name} on words up to length 4", k=k, table=table, activation=values)


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
    place="Lemma 4, App. A.10",
    title="one layer with activations on its outputs only does not compute a generic bilinear recurrence on real inputs",
    says=r"Let $f_t=A(x_t)f_{t-1}$, $A(x)$ linear in $x$, and $A(u)^tf_0\ne0$ for some $u$ and all $t$. A layer $h_t=Vh_{t-1}+Ux_t+b$ of width $m$ whose state determines $f_T$ has $m\ge T$.",
    reading="any functions as activations and readout, not homeomorphisms only; generic: A(u)^t f_0 is not 0",
    remarks=("That the state must encode all inputs follows from the product's lack of translation invariance, for every activation.",),
    sabotages={
        "wider than the word is long, which the kernel refutes": {"theorem": "bilinear.linear_layers_are_wider"},
        "a recurrence that adds instead of multiplying": {"f": lambda xs: sum(xs, fmpq(0))},
        "a layer as wide as the word is long": {"excess": 0},
        "the layers read nothing": {"gain": 0},
    },
)
def linear_states_have_a_kernel(
    proof: Proof,
    f=lambda xs: prod(xs, start=fmpq(1)),
    excess: int = 1,
    gain: int = 1,
    theorem: str = "bilinear.linear_layers_are_wide",
) -> None:
    r"""The state is affine in the inputs, so for $m<T$ it is constant along a line; the product is constant along no line.

    1. On inputs $x_su$ with numbers $x_s$, $f_T=x_1\cdots x_T\,A(u)^Tf_0$, and $A(u)^Tf_0\ne0$; so the state determines $x_1\cdots x_T$. [prose]
    2. The state is affine in $(x_1,\dots,x_T)$, with a derivative of $m$ rows. For $m<T$ it has a kernel vector $w\ne0$, and the state is the same at $x+rw$ for all $r$. [checked: "there is a kernel"; "the state stays"]
    3. Take all $x_s\ne0$. $\prod_s(x_s+rw_s)$ is a polynomial in $r$ whose degree is the number of $s$ with $w_s\ne0$, at least 1, with the leading coefficient $\prod_{w_s\ne0}w_s\prod_{w_s=0}x_s\ne0$. So it is not
       constant, and the state does not determine it. [prose] [checked: "f_T does not"]
    """
    proof.formally(
        "the kernel: m >= T",
        theorem,
        whole="every m, T, layer and bilinear recurrence",
        differs="any field for the reals; times from 0",
    )
    rng = Random(108)
    count = proof.pick(8, 25, 80)
    reads = 0
    for k in proof.each(f"{count} random layers, m <= 4, T = m + 1, seed 108", range(count)):
        m = rng.randint(1, 4)
        V, U, b = samples.integers(rng, m, m), samples.integers(rng, m, 1) * gain, samples.integers(rng, m)
        T = m + excess
        if excess == 0:
            V, U = np.eye(m, k=-1, dtype=int) * fmpq(1), exact.unit_vector(m, 0)[:, None]

        def state(xs, V=V, U=U, b=b, m=m):
            h = exact.zeros(m)
            for x in xs:
                h = V @ h + U[:, 0] * x + b
            return h

        rows = [state(exact.unit_vector(T, t)) - state([fmpq(0)] * T) for t in range(T)]
        derivative = np.array(rows, dtype=object).T
        reads += exact.rank(derivative) == m
        kernel = exact.nullspace(derivative)
        proof.holds("there is a kernel", kernel.shape[1] > 0)
        if kernel.shape[1]:
            w = kernel[:, 0]
            x = [fmpq(rng.choice((-3, -2, -1, 1, 2, 3))) for _ in range(T)]
            shifted = [[a + r * c for a, c in zip(x, w, strict=True)] for r in range(1, T + 2)]
            proof.exactly("the state stays", all(np.array_equal(state(y), state(x)) for y in shifted), True)
            proof.holds("f_T does not", any(f(y) != f(x) for y in shifted))
            other = next((y for y in shifted if f(y) != f(x)), None)
            if other is not None and k < 8 and exact.rank(derivative) == m:
                layer = {"V": V, "U": U, "b": b, "initial": exact.zeros(m), "knots": [], "slopes": [fmpq(1)]}
                proof.certificate("collision", f"one layer of width {m}, T = {T}", layers=[layer], inputs=[x, other])
    proof.holds("some layers keep as much as their width allows", reads > 0)


@claim(
    "lizaire26.lemma4.proof",
    place="Lemma 4, App. A.10 (proof)",
    flaw="gap",
    quotes=("is a homeomorphism, h must encode",),
    root="lizaire26.thm5.proof",
    title="that an activation is a homeomorphism does not make the state encode all inputs",
    says=r"If $\varphi$ is a homeomorphism and $f_t=\ell(\varphi(h_t))$ for all $t$, then $h_t$ encodes $(x_1,\dots,x_t)$.",
    reading="the step as it stands: of f it uses that all inputs occur in it. The lemma is true (lizaire26.lemma4)",
    letter="In the proof of Lemma 4 the state must determine f_t, not all inputs. With the identity as activation one unit computes x_1 + ... + x_t at every length, and its state is that sum. "
    "The lemma holds for another reason: a state of fewer than T units is constant along a line of inputs, and the product of T inputs is not.",
    sabotages={"one input twice": {"word": (1, 1)}, "a unit that forgets": {"decay": 0}},
)
def the_sum_is_enough(proof: Proof, word: tuple[int, int] = (1, 2), decay: int = 1) -> None:
    """U = V = 1, b = h_0 = 0 and the identity compute the sum; after (1, 2) and (2, 1) the state is 3."""
    x, y = word
    states = [decay * a + b for a, b in (word, word[::-1])]
    given = {"activation": "identity", "U, V": (1, decay), "x": x, "y": y, "states after (x, y) and (y, x)": states}
    words = {"computes": states == [x + y, y + x], "same": states[0] == states[1], "differ": x != y}
    proof.counterexample(given, words=words, minimal="t = 2, one unit", witness="x y")


@claim(
    "lizaire26.thm5.proof",
    place="Theorem 5, App. A.10 (proof)",
    flaw="gap",
    quotes=(
        "Then, either (1)",
        "encodes the full sequence",
        "or (2)",
        "encodes the 2RNN state from some previous time step along with all subsequent inputs",
    ),
    title="a state that determines fₜ need not encode all inputs, nor an earlier f and all inputs since",
    says=r"If $f_t=\ell(\varphi(h^{(L)}_t))$, then $h^{(L)}_t$ encodes $(x_1,\dots,x_t)$ or $(x_t,\dots,x_{t-i+1},f_{t-i})$ for some $i\in[t-1]$.",
    reading="the proof uses of the inputs' domain its dimension only, so that it would hold for positive inputs as well",
    letter="The last state need not encode all inputs, nor f_(t-i) and the inputs since. For positive inputs two layers of one unit, with log and exp, compute f_t = x_t f_(t-1) at every length. Their last state is log f_t alone, the same after (2, 3) and (3, 2). A proof must use inputs at which the product loses information, such as 0.",
    construction="lemmata.constructions.activations.product_of_positive_numbers",
    sabotages={"the last two inputs are the same": {"words": ((2, 3), (2, 3))}},
)
def logarithms(proof: Proof, words=((2, 3), (3, 2))) -> None:
    """For positive inputs log and exp, homeomorphisms, compute f_t = x_t f_(t-1) at every length with one unit a layer. Its state log f_t encodes f_t alone: after (2, 3) and (3, 2) it is log 6.

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
        words={
            "positive": all(sympy.simplify(y - z) == 0 for y, z in zip(outputs, (a, a * b, a * b * c), strict=True)),
            "states": sympy.simplify(sympy.expand_log(states[0] - states[1])) == 0,
            "second": one[1] != two[1],
            "first": one[0] != two[0],
        },
        how="symbolic",
        minimal="t = 2, one unit a layer",
    )
    proof.certificate("witness", "two words of positive numbers with one product", words=[one, two], keep=1, read=1)


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


def _deaf(network: DepthOnly) -> DepthOnly:
    return DepthOnly(tuple(replace(layer, U=layer.U * 0) for layer in network.layers), network.readout, network.offset)


@claim(
    "lizaire26.thm5.remark.amended",
    place="Theorem 5 and the sentences around it, Sec. 3.3",
    amends="lizaire26.thm5.remark",
    title="L layers of width n, piecewise linear in depth, do not compute the product of T real inputs unless nL ≥ T",
    says=r"If the states of $L$ layers of width $n$ with piecewise linear activations, applied in depth only, determine $x_1\cdots x_T$ on some open set of inputs, then $nL\ge T$; so no finite network computes $f_t=x_tf_{t-1}$.",
    reading="finitely many pieces on bounded sets, homeomorphisms or not (ReLU included); any readout of the states",
    construction="lemmata.constructions.activations.collision",
    sabotages={
        "the networks read nothing": {"network": lambda rng, n, depth: _deaf(random_piecewise(rng, n, depth))},
        "as many states as inputs": {"network": lambda rng, n, depth: register(n * depth + 1)},
    },
)
def pieces_have_kernels(proof: Proof, network=random_piecewise) -> None:
    r"""The joint state is piecewise affine in the inputs, with too few rows to tell them apart.

    1. Away from finitely many surfaces all activations stay on one piece near $x$, and the joint state of all layers after $T$ inputs is affine there, with a derivative of $nL$ rows. [prose]
    2. For $nL<T$ it has a kernel vector $w\ne0$, and the state is constant along $x+rw$ for small $r$, where the product of nonzero inputs is not. [uses: lizaire26.lemma4] [prose] [checked: "two inputs with the same states"; "the states agree"; "the products differ"]
    3. So $nL\ge T$ for every $T$ at which the states determine the product; a finite network fails from $T=nL+1$ on. [checked: "the products differ"]
    4. The networks found are no constants: their joint states do depend on the inputs. [checked: "some joint states keep as much as their size allows"]
    """
    rng = Random(109)
    count, full = proof.pick(10, 40, 150), 0
    for k in proof.each(f"{count} random networks, n, L <= 3, half of them homeomorphisms, T = nL + 1, seed 109", range(count)):
        n, depth = rng.randint(1, 3), rng.randint(1, 3)
        net = network(rng, n, depth) if network is not random_piecewise else random_piecewise(rng, n, depth, increasing=k % 2 == 0)
        x = [fmpq(rng.choice((-1, 1)) * rng.randint(1, 50), 53) for _ in range(n * depth + 1)]
        full += exact.rank(joint_state_pieces(net, x)[1]) == n * depth
        other = collision(net, x)
        proof.holds("two inputs with the same states", other is not None)
        if other is not None:
            proof.exactly("the states agree", [list(h) for h in net.states(other)], [list(h) for h in net.states(x)])
            proof.holds("the products differ", prod(other, start=fmpq(1)) != prod(x, start=fmpq(1)))
            if k < 5:
                proof.certificate("collision", f"n = {n}, L = {depth}", **_collision_data(net, x, other))
    proof.holds("some joint states keep as much as their size allows", full > 0)


def _collision_data(network: DepthOnly, x: list[fmpq], other: list[fmpq]) -> dict:
    layers = [
        {"V": a.V, "U": a.U, "b": a.b, "initial": a.initial, "knots": list(a.activation.knots), "slopes": list(a.activation.slopes)}  # type: ignore[attr-defined]
        for a in network.layers
    ]
    return {"layers": layers, "inputs": [x, other]}


@claim(
    "lizaire26.thm5",
    place="Theorem 5, App. A.10; abstract",
    title="some function of a single-layer second-order RNN is computed by no RNN with activations in depth only",
    says=r"There is $f\in\mathcal H_{2RNN}(n,1)$ that no RNN of any finite depth and width computes whose activations, homeomorphisms, act in depth only.",
    reading="real inputs, exact values at every length; homeomorphisms, as the proof demands. The abstract says the same: multiplicative interactions cannot, in general, be replaced by layerwise nonlinearities",
    remarks=(
        "The printed proof does not show it (lizaire26.thm5.proof); the one here is another. For piecewise linear activations no outside theorem is needed (lizaire26.thm5.remark.amended).",
        "Without continuity it is false: with one activation that is discontinuous, at 0 only, four layers of width 2 compute the product at every length (new.bilinear.discontinuous).",
    ),
    uses=("lizaire26.thm5.remark.amended",),
    sabotages={"a recurrence that adds": {"multiply": lambda f, x: f + x}},
)
def the_product_serves(proof: Proof, multiply=lambda f, x: f * x) -> None:
    r"""The product of the inputs is such a function, and Borsuk and Ulam's theorem says why.

    1. $f_t=x_tf_{t-1}$ is a single-layer second-order RNN. [checked: "f_t = x_t f_(t-1) is the product"]
    2. Homeomorphisms are continuous. So if $L$ layers of width $n$ compute $f_T$ by any readout of their states, $T<(nL/2+1)^2$, and $T\le nL$ if all $V^{(l)}$ are invertible or diagonalisable. [uses: new.bilinear.continuous] [cited: Borsuk-Ulam theorem]
    3. So a network of finite depth and width fails from some length on. [prose]
    """
    f = fmpq(1)
    for x, expected in zip((2, -3, 5), (2, -6, -30), strict=True):
        f = multiply(f, x)
        proof.exactly("f_t = x_t f_(t-1) is the product", f, fmpq(expected))
    proof.cites("the Borsuk-Ulam theorem (Matousek, Using the Borsuk-Ulam Theorem, Theorem 2.1.1), by new.bilinear.continuous")
