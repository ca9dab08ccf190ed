"""The product of real inputs by networks with activations in depth only: how many units continuous activations need, and what one discontinuity does (lizaire26, Theorem 5)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

import numpy as np
import sympy
from flint import fmpq

from ...constructions import samples
from ...constructions.activations import DepthOnly, DepthOnlyLayer, PiecewiseLinear, joint_state_pieces
from ...constructions.depth.only import (
    DIGIT_SIGNS,
    core,
    product_of_real_numbers,
    remember_everything,
    settling_time,
    small_letters,
    step,
    step_back,
    with_core_after,
    words_on_sphere,
)
from ...numerics import exact
from ..claim import claim
from ..evidence import Proof


def random_network(rng: Random, n: int, indices: list[int]) -> DepthOnly:
    """A layer of width n for each index, the size of a nilpotent Jordan block of its V; the rest of V is invertible. Activations with random slopes of both signs."""
    layers = []
    for level, index in enumerate(indices):
        blocks = [(fmpq(rng.choice((-2, -1, 1, 2))), 1)] * (n - index) + [(fmpq(0), index)] * (index > 0)
        V = samples.with_jordan_form(blocks, samples.basis(rng, n))
        U = samples.integers(rng, n, 1 if level == 0 else n)
        bend = PiecewiseLinear((fmpq(rng.randint(-9, 9), 7),), (fmpq(rng.randint(-3, -1)), fmpq(rng.randint(1, 3))))
        layers.append(DepthOnlyLayer(V, U, samples.integers(rng, n), samples.integers(rng, n), bend))
    return DepthOnly(tuple(layers), exact.zeros(1, n), exact.zeros(1))


def _forgotten(rng: Random, V: np.ndarray) -> np.ndarray:
    """A random vector without core."""
    C = core(V)[0]
    kernel = exact.nullspace(C) if len(C) else exact.identity(len(V))
    return kernel @ samples.integers(rng, kernel.shape[1])


def sphere(T: int, parts: int) -> Iterator[list[fmpq]]:
    """The points of |p_1| + ... + |p_T| = 1 whose coordinates are multiples of 1/parts."""
    for c in product(range(-parts, parts + 1), repeat=T):
        if sum(map(abs, c)) == parts:
            yield [fmpq(a, parts) for a in c]


@claim(
    "new.bilinear.continuous",
    place="after lizaire26, Theorem 5",
    title="continuous activations in depth: states tell a product of T inputs only if nL ≥ T (ker V = ker V²) or T < (nL/2 + 1)²",
    says=r"Let the activations be continuous and $\ker V^{(l)}=\ker(V^{(l)})^2$ for all $l$ (invertible or diagonalisable, say). If for some $\varepsilon>0$ the last states determine $x_1\cdots x_T$ for inputs in $(0,\varepsilon]$, then $nL\ge T$; for every $n$ and $L$, $nL=T$ is possible. "
    r"For any $V^{(l)}$ and inputs in $(0,\varepsilon]\cup\{1\}$, $T<(r+1)(k+1)\le(nL/2+1)^2$ with $r=\sum_l\operatorname{rank}(V^{(l)})^n$ and $k=1+\sum(\operatorname{index}V^{(l)}-1)$ over the singular $V^{(l)}$, $k=0$ if there are none.",
    reading="any readout of the states of all layers, continuous or not; homeomorphisms or not; the index of V is the size of its largest nilpotent Jordan block",
    known="MacKay, Vicol, Ba and Grosse (Reversible Recurrent Neural Networks, 2018) argue that a recurrent network whose step can be undone cannot forget, on a task of repeating letters, in finite precision. The printed Theorem 5 claims it for homeomorphisms. "
    "We know of no proof for real states, nor of Borsuk and Ulam's theorem in this place. "
    "The same tool serves other statements: continuous nonlinear widths (DeVore, Howard and Micchelli 1989; a summary read, the use of Borsuk's theorem from memory), and the latent dimension of continuous sum decompositions, at least the size of the set (Wagstaff et al., arXiv 1901.09006; abstract read, the tool not checked).",
    remarks=(
        "Of the layers only this is used: the step is continuous, and one-to-one in the state for the input 0. So no continuous recurrent network on R^N, linear in time or not, whose step at 0 can be undone, multiplies T > N numbers.",
        "Whether nL >= T for every V we do not know: where V has nilpotent blocks of size 2 or more, two letters followed by ones can leave their product in a single core.",
        "On inputs that stay away from 0 it fails: two layers of one unit, log and exp, multiply positive numbers at every length. Without continuity it fails as well (new.bilinear.discontinuous).",
        "For activations in C^1 and inputs near 0 the constant rank theorem gives the first bound as well, and T < (nL + 1)^2 for the second.",
    ),
    construction="lemmata.constructions.depth.only.words_on_sphere",
    sabotages={
        "the last letter does not fall": {"letters": lambda logarithms: [(d, d) for d in logarithms]},
        "V is singular": {"indices": lambda rng, n, depth: [0] * (depth - 1) + [1]},
        "nilpotent blocks of size 2": {"semisimple": lambda rng, n, depth: [min(n, 2)] * depth},
        "one equal input too few": {"settle": lambda network: settling_time(network) - 1},
        "a layer forgets": {
            "rememberer": lambda n, depth: random_network(Random(1), n, [0] * (depth - 1) + [n]),
        },
    },
)
def words_on_a_sphere(
    proof: Proof,
    letters=small_letters,
    indices=lambda rng, n, depth: [0] * depth,
    semisimple=lambda rng, n, depth: [rng.randint(0, 1) for _ in range(depth)],
    settle=settling_time,
    rememberer=remember_everything,
) -> None:
    r"""Pairs of words are laid on a sphere of dimension $T-1$, antipodes exchanged, so that no pair has the same states; by Borsuk and Ulam the states need $T$ numbers.

    1. Let all $V^{(l)}$ be invertible at first, and let $s_t(x)\in\mathbb R^{nL}$ be the states after $x=(x_1,\dots,x_t)$ and $f_t(x)=x_1\cdots x_t$. For each input the step $s_t\mapsto s_{t+1}$ is one-to-one, whatever the activations: $h^{(l)}_t=(V^{(l)})^{-1}(h^{(l)}_{t+1}-U^{(l)}y-b^{(l)})$,
       where $y$ is known from the layer below. [checked: "the step can be undone"]
    2. If $f_t(x)\ne f_t(x')$ for positive words, then $s_t(x)\ne s_t(x')$: append equal letters up to the length $T$. [prose]
    3. By induction over $t$ there is a continuous $x:S^{t-1}\to(0,\varepsilon]^t$ with $s_t(x_p)\ne s_t(x_{-p})$ for all $p$. For $t=1$ take the letters $\varepsilon$ and $\varepsilon/2$. Given $x$ on $S^{t-1}$, by 1
       $s_{t+1}(x_p,0)\ne s_{t+1}(x_{-p},0)$. By compactness there is $\delta>0$ so that $s_{t+1}(x_p,u)\ne s_{t+1}(x_{-p},u')$ for all $p$ and all $u,u'\in[0,\delta]$; choose $\delta'\in(0,\delta]$ with
       $\delta f_t(x_p)>\delta'f_t(x_{-p})$ for all $p$. [prose]
    4. On $S^t$ let the equator carry the pairs $(x_p,\delta),(x_{-p},\delta)$. Towards the north pole the last letter of the second word first falls from $\delta$ to $\delta'$: told apart by 3. Then
       $f_{t+1}$ is larger for the first word, a half-space in the logarithms of the letters, and these go in a straight line to those of one pair, the same for all $p$: told apart by 2. The southern half has the
       pairs exchanged. [checked: "antipodes are exchanged"; "one pair at the pole"; "near the equator the words before are a pair on the smaller sphere"; "above it the products are in order"]
    5. So $p\mapsto s_T(x_p)-s_T(x_{-p})$ is an odd continuous map $S^{T-1}\to\mathbb R^{nL}$ without a zero, and $nL\ge T$. [cited: Borsuk-Ulam theorem]
    6. It is sharp: with different entries $\lambda_{l,i}$ of diagonal $V^{(l)}$, identities as activations and units that read the first unit below, unit $(l,i)$ responds with $1/((1-\lambda_{l,i}z)\prod_{j<l}(1-\lambda_{j,1}z))$; by partial
       fractions and Vandermonde's determinant the states tell $nL$ inputs. [checked: "nL inputs are told by invertible layers"] [prose]
    7. For singular $V^{(l)}$ let $C^{(l)}h$ be its core: $CV=WC$ with $W$ invertible of size $\operatorname{rank}V^n$. If $\ker V^{(l)}=\ker(V^{(l)})^2$, then $V^{(l)}h$ is a function of the core. So the cores after a step are a continuous function of those before
       and the input, one-to-one for each input, layer by layer as in 1; and with a letter to come they determine $f_t$. As in 3 to 5, $T-1\le r$, and $r<nL$. [checked: "the cores before tell the states after"; "the step of the cores can be undone"] [prose]
    8. For any $V^{(l)}$ the other coordinates forget: after $k$ equal inputs all states are one continuous function of the cores, by induction over the layers, since a core can be followed backwards.
       [checked: "after k equal inputs the cores tell the states"] [prose]
    9. So follow each input by $k$ ones, which do not change $f$. From block to block the cores, $r$ numbers, are mapped continuously, and one-to-one for the input 0: layer by layer the nilpotent parts before the block are known
       from the cores below, hence all that is sent up, hence the core before the block. As in 3 to 5, $\lfloor T/(k+1)\rfloor\le r$. [prose]
    10. The index and the rank of $V^n$ add up to $n$ at most, so $r+k\le nL$ and $(r+1)(k+1)\le(nL/2+1)^2$. [checked: "(r + 1)(k + 1) <= (nL/2 + 1)^2"]
    """
    rng = Random(2101)
    count = proof.pick(4, 12, 40)
    for _ in proof.each(f"{count} random networks, n, L <= 3, activations not monotone, seed 2101", range(count)):
        n, depth = rng.randint(1, 3), rng.randint(1, 3)
        network = random_network(rng, n, indices(rng, n, depth))
        states, x = [samples.integers(rng, n) for _ in range(depth)], fmpq(rng.randint(-9, 9), 5)
        invertible = all(exact.rank(layer.V) == n for layer in network.layers)
        undone = step_back(network, step(network, states, x), x) if invertible else None
        proof.holds("the step can be undone", undone is not None and all(np.array_equal(a, b) for a, b in zip(undone, states, strict=True)))
        network = random_network(rng, n, semisimple(rng, n, depth))
        alike = [h + _forgotten(rng, layer.V) for layer, h in zip(network.layers, states, strict=True)]
        following = step(network, states, x)
        proof.exactly("the cores before tell the states after", [list(h) for h in step(network, alike, x)], [list(h) for h in following])
        cores = [core(layer.V)[0] @ h for layer, h in zip(network.layers, states, strict=True)]
        found = with_core_after(network, alike, [core(layer.V)[0] @ h for layer, h in zip(network.layers, following, strict=True)], x, 1)[0]
        proof.exactly(
            "the step of the cores can be undone",
            [list(core(layer.V)[0] @ h) for layer, h in zip(network.layers, found, strict=True)],
            [list(p) for p in cores],
        )
        network = random_network(rng, n, [rng.randint(0, n) for _ in range(depth)])
        target = [samples.integers(rng, len(core(layer.V)[0])) for layer in network.layers]
        starts = [[samples.integers(rng, n) for _ in range(depth)] for _ in range(2)]
        one, other = (with_core_after(network, start, target, fmpq(1), max(settle(network), 0))[1] for start in starts)
        if settling_time(network):
            proof.exactly("after k equal inputs the cores tell the states", [list(h) for h in one], [list(h) for h in other])
    longest, parts = proof.pick(3, 4, 5), 6
    for T in proof.every(f"T <= {longest}, points of the sphere with coordinates in sixths", range(2, longest + 1)):
        small = letters([fmpq(-k) for k in range(1, T)])
        poles = [words_on_sphere([*[fmpq(0)] * (T - 1), fmpq(sign)], small) for sign in (1, -1)]
        for p in sphere(T, parts):
            one, other = words_on_sphere(p, small)
            height = abs(p[-1])
            proof.exactly("antipodes are exchanged", words_on_sphere([-c for c in p], small), (other, one))
            if 2 * height <= 1:
                before = words_on_sphere([c / (1 - height) for c in p[:-1]], small[:-1])
                proof.exactly("near the equator the words before are a pair on the smaller sphere", (one[:-1], other[:-1]), before)
                proof.holds("their last letters are small", max(one[-1], other[-1]) <= small[-1][0])
            if 2 * height >= 1:
                proof.holds("above it the products are in order", (sum(one) > sum(other)) == (p[-1] > 0) and sum(one) != sum(other))
        ends = [fmpq(0)] * (T - 1) + [fmpq(1)], [fmpq(0)] * T
        proof.exactly("one pair at the pole", poles, [ends, ends[::-1]])
    for n, depth in proof.every("n, L <= 3", product((1, 2, 3), repeat=2)):
        network = rememberer(n, depth)
        derivative = joint_state_pieces(network, [fmpq(1)] * (n * depth))[1]
        full = exact.rank(derivative) == n * depth and all(exact.rank(layer.V) == n for layer in network.layers)
        proof.holds("nL inputs are told by invertible layers", full)
        layers = [{"V": layer.V, "U": layer.U} for layer in network.layers]
        proof.certificate("witness", f"{depth} layers of width {n} tell {n * depth} inputs", layers=layers)
    for n, depth in proof.every("n, L <= 4", product((1, 2, 3, 4), repeat=2)):
        for found in product([(r, i) for i in range(n + 1) for r in range(n - i + 1) if i > 0 or r == n], repeat=depth):
            singular = [i for _, i in found if i > 0]
            r, k = sum(r for r, _ in found), 1 + sum(i - 1 for i in singular) if singular else 0
            bound = 4 * (r + 1) * (k + 1) <= (n * depth + 2) ** 2 if singular else r == n * depth
            proof.holds("(r + 1)(k + 1) <= (nL/2 + 1)^2", bound)
    proof.cites("the Borsuk-Ulam theorem (Matousek, Using the Borsuk-Ulam Theorem, Theorem 2.1.1)")


@claim(
    "new.bilinear.discontinuous",
    place="after lizaire26, Theorem 5",
    title="with one activation discontinuous, at 0 only, four layers of width 2 with activations in depth multiply real inputs",
    says=r"Let $\varphi_1(u)=\log_2|u|+[u<0]$, $\varphi_1(0)=0$, discontinuous at 0 only. There are a continuous increasing $\varphi_2$, a continuous $\varphi_3$ and $\varphi_4(u)=u^2$ with which a network of the form $h^{(l)}_t=V^{(l)}h^{(l)}_{t-1}+U^{(l)}y^{(l-1)}_t+b^{(l)}$, "
    r"$y^{(l)}_t=\varphi_l(h^{(l)}_t)$, of 4 layers of width 2 with linear readout has the output $x_1\cdots x_t$ at each $t$, for all real inputs.",
    reading="exact real numbers; the second layer's state grows as 3^t. The form is the paper's Eq. 2 with the last activation before the readout, as in its proof of Theorem 5",
    known="That some functions as activations do it follows from the axiom of choice; that logarithms turn products into sums is old. new.bilinear.continuous shows that some discontinuity is needed.",
    remarks=(
        "That the logarithm has no limit at 0 is essential. If an activation in this place had finite limits from both sides, the network on positive inputs would extend continuously to 0, and the bounds of new.bilinear.continuous would hold: "
        "its proof uses positive inputs and their limit 0 only.",
        "Width 1 is not decided: neither a network of any depth with one discontinuous activation nor a proof that there is none.",
    ),
    construction="lemmata.constructions.depth.only.product_of_real_numbers",
    sabotages={
        "digits in base 2": {"network": lambda: product_of_real_numbers(2)},
        "0 counts as positive": {"signs": (1, -1, 1)},
    },
)
def logarithm_and_digits(proof: Proof, network=product_of_real_numbers, signs=DIGIT_SIGNS) -> None:
    r"""A logarithm that jumps at 0 gives the size and a digit for the sign; sums keep the size, and the digits, written one behind the other, the sign of the product and whether it is 0.

    1. The first layer holds $x$ and $-8x$. What the second one reads is $(\log_2x,0)$ for $x>0$, $(\log_2|x|,1)$ for $x<0$ and $(-2,2)$ for $x=0$: a digit $d$ for the sign of $x$. [checked: "what the second layer reads"]
    2. Its states are $S_t=S_{t-1}+\log_2|x_t|$ (where $x_t\ne0$) and $E_t=3E_{t-1}+d_t$, from $(0,0)$. [checked: "the second layer's step"] [prose]
    3. Let $c(E)$ be the product of $1,-1,0$ over the digits $0,1,2$ of $E$ in base 3. Then $c(0)=1$ and $c(3E+d)=c(E)c(d)$: the last digit of $3E+d$ is $d$ and those before are $E$'s. [checked: "the digits before"; "the last digit"]
    4. So $f(S,E)=2^Sc(E)$ is $1$ at the beginning and is multiplied by $x_t$ in each step. [checked: "f at the beginning"; "f is multiplied by x"] [prose]
    5. $\varphi_2(u)=u$ for $u>0$ and $2^u-1$ for $u\le0$ is continuous and increasing, and $\varphi_2(E)=E$ for integers $E\ge0$. [checked: "the second activation fits together"; "the second activation increases"; "and keeps E"] [prose]
    6. $\varphi_3(u)=2^u$ for $u>0$, $|1+u|$ for $-2\le u\le0$, $c(m)$ at $-2-m$ and linear between these is continuous. It makes $2^S$ of $\varphi_2(S)>-1$, and $c(E)$ of $-2-E$. [checked: "the third activation fits together"; "the third activation gives 2^S"; "what the third layer holds"] [prose]
    7. The last layer and the readout multiply: $((a+c)^2-(a-c)^2)/4=ac$. [checked: "the output"]
    8. $\varphi_1$ is continuous off 0, where $|u|$ tends to 0 and the logarithm to $-\infty$. [checked: "at 0 there is no limit"] [prose]
    """
    free = "real inputs x, sums S and numbers E"
    p, u = sympy.symbols("p u", positive=True)
    S, c, part, a = sympy.symbols("S c part a", real=True)
    E = sympy.Symbol("E", integer=True, nonnegative=True)
    first, second, third, fourth = network().layers
    rational = lambda M: sympy.Matrix(np.vectorize(lambda v: sympy.Rational(int(v.p), int(v.q)), otypes=[object])(np.atleast_2d(M)))  # noqa: E731
    column = lambda v: rational(v).T  # noqa: E731

    def jump(v):
        return sympy.Integer(0) if v == 0 else sympy.expand_log(sympy.log(abs(v)), force=True) / sympy.log(2) + int(v.is_negative)

    log = sympy.log(p) / sympy.log(2)
    for x, size, digit in proof.every("x > 0, x < 0, x = 0", ((p, log, 0), (-p, log, 1), (sympy.Integer(0), -2, 2)), limited=False):
        below = (rational(first.U) * x + column(first.b)).applyfunc(jump)
        reads = (rational(second.U) * below + column(second.b)).applyfunc(sympy.simplify)
        for found, expected in zip(reads, (size, digit), strict=True):
            proof.symbolically("what the second layer reads", found, expected, free)
        after = rational(second.V) * sympy.Matrix([S, E]) + reads
        for found, expected in zip(after, (S + size, 3 * E + digit), strict=True):
            proof.symbolically("the second layer's step", found, expected, free)
        proof.symbolically("the digits before", sympy.floor((after[1]) / 3), E, free)
        proof.symbolically("the last digit", sympy.Mod(after[1], 3), digit, free)
        now, then = 2**S * c, 2 ** after[0] * c * signs[digit]
        proof.symbolically("f is multiplied by x", sympy.simplify(then - x * now), 0, free)
    start = second.initial
    for begins in proof.every("the network's initial state", [start], limited=False):
        proof.exactly("f at the beginning", [begins[0], begins[1]], [fmpq(0), fmpq(0)])
    below_zero, above_zero = 2**a - 1, a
    proof.exactly("the second activation fits together", below_zero.subs(a, 0), above_zero.subs(a, 0), free="u")
    proof.holds("the second activation increases", bool(sympy.diff(2**S - 1, S).is_positive), free="u")
    proof.exactly("and keeps E", [below_zero.subs(a, 0), above_zero.subs(a, E)], [0, E], free="E")
    # the pieces of the third, from the right: 2^u, 1 + u, -1 - u, and lines between the values at -2 - m
    line = signs[0] * (1 - part) + c * part
    ends = [(2**a, 1 + a, 0), (1 + a, -1 - a, -1), (-1 - a, line.subs(part, -2 - a), -2)]
    for right, left, at in proof.every("the joints 0, -1 and -2", ends, limited=False):
        proof.symbolically("the third activation fits together", right.subs(a, at), left.subs(a, at), free)
    proof.symbolically("the third activation gives 2^S", (2**a).subs(a, S), 2**S, free)
    proof.symbolically("the third activation gives 2^S", (1 + a).subs(a, below_zero.subs(a, S)), 2**S, free)
    held = rational(third.U) * sympy.Matrix([a, E]) + column(third.b)
    for found, expected in zip(held, (a, -2 - E), strict=True):
        proof.symbolically("what the third layer holds", found, expected, free)
    top = (rational(fourth.U) * sympy.Matrix([a, c]) + column(fourth.b)).applyfunc(lambda v: v**2)
    proof.symbolically("the output", sympy.expand((rational(network().readout) * top)[0]), a * c, free)
    for layers in proof.every("the network's four layers", [network().layers], limited=False):
        proof.exactly("only the second layer has memory", [bool(np.any(layer.V)) for layer in layers], [False, True, False, False])
    proof.holds("at 0 there is no limit", sympy.limit(sympy.log(u) / sympy.log(2), u, 0, "+") == -sympy.oo, free="u")
    with proof.beside():
        powers = [fmpq(v) for v in (1, -2, 0)] + [fmpq(1, 4), fmpq(-1, 2)]
        words = [list(w) for w in product(powers, repeat=3)]
        outputs = [network().run(w) for w in words]
        proof.exactly("as built it multiplies (125 words)", outputs, [[w[0], w[0] * w[1], w[0] * w[1] * w[2]] for w in words])
    layers = [{"V": layer.V, "U": layer.U, "b": layer.b} for layer in network().layers]
    proof.certificate("witness", "all words of length 3 over 1, -2, 0, 1/4, -1/2", layers=layers, readout=network().readout, words=words)
