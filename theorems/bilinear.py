"""Topic bilinear: depth with multiplication, polynomial degrees, and Theorem 3 (lizaire26, Sec. 3.2, App. A.6, A.7). Begun."""

from __future__ import annotations

from math import comb
from random import Random

import numpy as np
import sympy
from flint import fmpq

from ..constructions import samples
from ..constructions.bilinear import SecondOrderLayer, bilinear_layer, degrees_in, entries, identity_layer, run, variables
from ..numerics import exact
from .claim import claim
from .evidence import Proof


def random_bilinear(rng: Random, n: int, depth: int, d: int = 1) -> list[SecondOrderLayer]:
    """Layers of a BIRNN with positive integer tensors, so that nothing cancels."""
    return [
        bilinear_layer(abs(samples.integers(rng, n, d if level == 0 else n, n)) + 1, abs(samples.integers(rng, n)) + 1)
        for level in range(depth)
    ]


def random_second_order(rng: Random, n: int, depth: int) -> list[SecondOrderLayer]:
    """Layers of a second-order RNN, all parts random."""
    return [
        SecondOrderLayer(
            samples.integers(rng, n, 1 if level == 0 else n, n),
            samples.integers(rng, n, n),
            samples.integers(rng, n, 1 if level == 0 else n),
            samples.integers(rng, n),
            samples.integers(rng, n),
        )
        for level in range(depth)
    ]


def degree(t: int, s: int, depth: int) -> int:
    """C(t - s + L - 1, L - 1): the degree of h_t^(L) in x_s."""
    return comb(t - s + depth - 1, depth - 1)


@claim(
    "new.bilinear.degrees",
    topic="bilinear",
    place="after lizaire26, App. A.6",
    kind="new",
    title="a BIRNN's state h_t is homogeneous in each input x_s of degree C(t-s+L-1, L-1), of total degree C(t+L-1, L)",
    says=r"Every component of $h^{(L)}_t$ is $0$ or homogeneous in $x_s$ of degree exactly $\binom{t-s+L-1}{L-1}$ for each $s\le t$, so of total degree $\binom{t+L-1}{L}$ in the inputs.",
    sabotages={"a bias": {"spoil": lambda layers: _with_bias(layers)}},
)
def binomial_degrees(proof: Proof, spoil=lambda layers: layers) -> None:
    """h_t^(l) is a product of h_(t-1)^(l) and h_t^(l-1), so degrees add: D(t, l) = D(t-1, l) + D(t, l-1), with D(s, 0) = 1 for x_s itself and 0
    before it, which is Pascal's rule. Networks are run on variables, in FLINT."""
    width, deepest, longest = proof.pick((1, 3, 3), (2, 3, 4), (2, 4, 4))
    for t in proof.every("t - s <= 20, L <= 20", range(21)):
        for level in range(2, 21):
            proof.exactly("Pascal's rule", degree(t, 0, level), (degree(t - 1, 0, level) if t else 0) + degree(t, 0, level - 1))
            proof.exactly("the degrees in x_1 .. x_t add up", sum(degree(t + 1, s, level) for s in range(1, t + 2)), comb(t + level, level))
    rng = Random(101)
    cases = [
        (n, depth, t)
        for n in range(1, width + 1)
        for depth in range(1, deepest + 1)
        for t in range(1, longest + 1)
        if comb(t + depth - 1, depth) <= 20
    ]
    for n, depth, t in proof.each(f"random integer networks, n <= {width}, L <= {deepest}, T <= {longest}", cases):
        x = variables([f"x{s}" for s in range(1, t + 1)])
        state = run(spoil(random_bilinear(rng, n, depth)), x)[-1]
        found = [[degrees_in(entry, s) for s in range(t)] for entry in state]
        proof.exactly("homogeneous of degree C(t-s+L-1, L-1) in each x_s", found, [[{degree(t, s, depth)} for s in range(1, t + 1)]] * n)
        proof.exactly("total degree C(t+L-1, L)", {entry.total_degree() for entry in state}, {comb(t + depth - 1, depth)})


def _with_bias(layers: list[SecondOrderLayer]) -> list[SecondOrderLayer]:
    return [SecondOrderLayer(a.A, a.V, a.U, a.b + 1, a.initial) for a in layers]


def _generic(n: int, depth: int, steps: int):
    """(variables' names, last state) of a BIRNN with d = 1 whose tensors and initial states are variables too; the inputs come first."""
    names = [f"x{s}" for s in range(1, steps + 1)]
    for level in range(depth):
        m = 1 if level == 0 else n
        names += [f"a{level}_{i}{j}{k}" for i in range(n) for j in range(m) for k in range(n)] + [f"h{level}_{i}" for i in range(n)]
    rest = variables(names)
    x, rest = rest[:steps], rest[steps:]
    layers = []
    for level in range(depth):
        m = 1 if level == 0 else n
        A = entries(rest[: n * m * n], n, m, n)
        layers.append(bilinear_layer(A, entries(rest[n * m * n : n * m * n + n])))
        rest = rest[n * m * n + n :]
    return run(layers, x)


@claim(
    "lizaire26.thm3",
    topic="bilinear",
    place="Theorem 3, App. A.7",
    title="what a linear BIRNN computes, one with a layer more computes too",
    says=r"$\mathcal H_{BIRNN}(n,L)\subseteq\mathcal H_{BIRNN}(n,L+1)$ for linear BIRNNs.",
    reading="BIRNNs as defined, with the bilinear term alone; the proof hands states on by a layer that this class does not have",
    uses=("new.bilinear.degrees",),
    sabotages={"two layers against two": {"depths": (2, 2)}},
)
def depth_changes_the_degree(proof: Proof, depths: tuple[int, int] = (1, 2)) -> None:
    """After two steps one layer is of degree 1 in x_1, and every network with two layers, whatever its parameters, of degree 2 (or 0 identically):
    h_2 = A ×1 h_1 ×2 (h_2 of layer 1), and both factors contain x_1. h_t = x_t h_(t-1) is not 0."""
    shallow, deep = depths
    copying = exact.zeros(2, 1, 2)
    copying[0, 0, 0] = copying[1, 0, 1] = fmpq(1)
    function = run([bilinear_layer(copying, exact.rationals([1, 1]))], variables(["x1", "x2"]))[-1]
    if shallow == 2:
        function = run(random_bilinear(Random(1), 2, 2), variables(["x1", "x2"]))[-1]
    generic = _generic(2, deep, 2)[-1]
    one, two = ({d for entry in state for d in degrees_in(entry, 0)} for state in (function, generic))
    proof.counterexample(
        given={
            "n": 2,
            "d": 1,
            "L": shallow,
            "h_2 of h_t = x_t h_(t-1), h_0 = (1, 1)": [str(entry) for entry in function],
            "degrees in x_1": sorted(one),
        }
        | {f"degrees in x_1 of every monomial of h_2 for L = {deep}, all parameters variables": sorted(two)},
        hypotheses={"h_2 is not 0": any(entry != 0 for entry in function)},
        violates={"no monomial of the deeper network has a degree of the function": not one & two},
        minimal=f"n = 2, d = 1, L = {shallow}, T = 2",
    )


@claim(
    "lizaire26.thm3.amended",
    topic="bilinear",
    place="Theorem 3, App. A.7",
    kind="amended",
    amends="lizaire26.thm3",
    title="second-order RNNs, which have a linear term as well, compute strictly more with each layer",
    says=r"$\mathcal H_{2RNN}(n,L)\subsetneq\mathcal H_{2RNN}(n,L+1)$: the layer $U=I$ hands states on, and $h^{(L)}_2$ has degree at most $L$ in $x_1$, which $L+1$ layers exceed.",
    uses=("new.bilinear.degrees",),
    sabotages={
        "the last layer is bilinear": {
            "last": lambda n: bilinear_layer(np.full((n, n, n), fmpq(1), dtype=object), exact.rationals([1] * n))
        }
    },
)
def an_identity_layer(proof: Proof, last=identity_layer) -> None:
    """Linear terms do not raise degrees, so the largest degree is that of the products: C(t-s+L-1, L-1), L for t = 2 and s = 1. Positive tensors attain it."""
    rng = Random(102)
    count = proof.pick(4, 10, 30)
    deepest = proof.pick(2, 3, 4)
    x = variables(["x1", "x2"])
    for _ in proof.each(f"{count} random second-order networks, n <= 2, L <= {deepest}, T = 2", range(count)):
        n, depth = rng.randint(1, 2), rng.randint(1, deepest)
        layers = random_second_order(rng, n, depth)
        states = run(layers, x)
        proof.exactly("an identity layer changes nothing", [list(h) for h in run([*layers, last(n)], x)], [list(h) for h in states])
        proof.holds("the degree of h_2 in x_1 is at most L", all(d <= depth for entry in states[-1] for d in degrees_in(entry, 0)))
        more = run(random_bilinear(rng, n, depth + 1), x)[-1]
        proof.holds("L + 1 layers reach degree L + 1", any(depth + 1 in degrees_in(entry, 0) for entry in more))


@claim(
    "lizaire26.sec3.2.degree",
    topic="bilinear",
    place="Sec. 3.2, before Theorem 3",
    title="the largest degree of a BIRNN's polynomials grows exponentially with the depth",
    says=r"For a fixed length $T$ the degree of $h^{(L)}_T$ grows exponentially in $L$.",
    reading="for a fixed length; the degree is C(T+L-1, L), a polynomial in L of degree T - 1",
    uses=("new.bilinear.degrees",),
    sabotages={"length and depth grow together": {"length": lambda depth: depth}},
)
def polynomial_growth(proof: Proof, length=lambda depth: 2) -> None:
    """For T = 2 the degree is L + 1: it goes up by one with each layer."""
    degrees = []
    for depth in range(1, 7):
        t = length(depth)
        if comb(t + depth - 1, depth) > 60:
            break
        state = run(random_bilinear(Random(depth), 1, depth), variables([f"x{s}" for s in range(1, t + 1)]))[-1]
        degrees.append(int(state[0].total_degree()))
    proof.counterexample(
        given={"n": 1, "T": 2, "L": list(range(1, len(degrees) + 1)), "degree": degrees},
        hypotheses={"six depths were computed, or as many as stay small": len(degrees) >= 3},
        violates={"the degree is L + 1": degrees == [depth + 1 for depth in range(1, len(degrees) + 1)]},
        minimal="n = 1, T = 2",
    )


# -- activations in depth only ---------------------------------------------------------------------------------------------


def _waving(u):
    """u + sin(u)/10, a homeomorphism of the line: its derivative is at least 9/10."""
    return u + sympy.sin(u) / 10


@claim(
    "lizaire26.thm5.remark",
    topic="bilinear",
    place="Sec. 3.3, after Theorem 5",
    title="no RNN with activations applied only in depth, however complex, tracks states on arbitrarily long sequences",
    says=r"Deep RNNs whose nonlinear activations act across layers but not in time cannot perform state-tracking tasks such as parity; this holds for arbitrarily complex nonlinearities.",
    reading="the remark, not Theorem 5, whose function is another one; activations may be homeomorphisms, as the theorem's proof demands",
    sabotages={"a linear activation": {"activation": lambda u: u}},
)
def parity_by_depth_only(proof: Proof, activation=_waving) -> None:
    """One linear layer counts: s_t = s_(t-1) + x_t. Two units hold pi s + pi/2 and 2 pi s. The activation u + sin(u)/10 adds (-1)^s / 10 to the first and
    nothing to the second, so the first minus half of the second is pi/2 + (-1)^s / 10: the parity, at every length.

    (With cos as the activation one unit does: cos(pi s) = (-1)^s. The states grow without bound, which is what finite precision forbids.)"""
    s = sympy.symbols("s", integer=True)
    first, second = activation(sympy.pi * s + sympy.pi / 2), activation(2 * sympy.pi * s)
    readout = sympy.simplify((first - second / 2 - sympy.pi / 2) * 10)
    identity = sympy.simplify(readout - (-1) ** s) == 0
    u = sympy.symbols("u", real=True)
    slope = sympy.diff(activation(u), u)
    word = [1, 0, 1, 1, 1, 0]
    counts = [sum(word[: t + 1]) for t in range(len(word))]
    proof.counterexample(
        given={
            "activation": str(activation(u)),
            "layer": "h_t = h_(t-1) + (pi, 2 pi) x_t, h_0 = (pi/2, 0)",
            "readout": "10 (y_1 - y_2/2 - pi/2)",
            "word": word,
            "outputs": [str(readout.subs(s, k)) for k in counts],
        },
        hypotheses={
            "the activation is strictly increasing, its slope at least 9/10": bool(sympy.minimum(slope, u) >= sympy.Rational(9, 10))
        },
        violates={"the output is (-1)^s for every integer s (symbolic)": bool(identity)},
        how="symbolic",
        minimal="one layer, width 2, every length",
    )
