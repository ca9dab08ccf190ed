"""Copies with one wrong response, and links with a delay: what depth costs when copies need not be exact or links may wait (after lizaire26)."""

from __future__ import annotations

from itertools import product
from random import Random

import sympy
from flint import fmpq

from ...constructions.depth import DeepLinear, copy_network, deep_near_copy, delayed_links, parameters
from ...numerics import exact
from ...numerics.cyclotomic import Cyclotomic
from ..claim import claim
from ..evidence import Proof
from .copying import copies, network_data, random_network, responses


def _near_response(network: DeepLinear, p: int, error: fmpq, steps: int) -> bool:
    """The first ``steps`` responses are error I, 0, ..., 0, I (after p steps), 0, ..., 0."""
    d = len(network.readout)
    wanted = {0: error, p: fmpq(1)}
    return all(
        all(y[i] == (wanted.get(k, 0) if i == c else 0) for i in range(d))
        for c in range(d)
        for k, y in enumerate(responses(network, c, steps))
    )


@claim(
    "new.depth.approximate-copies",
    place="after lizaire26, Lemma 3 and Sec. 4.1 (Figure 6)",
    title="with one wrong response, as small as one likes, nL / d units in L layers copy d channels p = nL / d steps at length 2p",
    says=r"Let $d\mid n$, $p=nL/d$, and $n/d$ or $d$ be even or $L\le2$. For every $\varepsilon>0$ some $L$ layers of width $n$ and a readout have the responses $\varepsilon I$ at $0$, $I$ at $p$ and $0$ "
    r"at all other times below $2p$ (so on white inputs of length $2p$ the mean squared error is $\varepsilon^2$). For $d=1$ the condition is needed: if $n$ is odd and $L\ge3$, no $\varepsilon\ne0$ has such a network.",
    reading="real weights; time 0 is the step at which the input enters; lizaire26's experiment has T = 2p; Lemma 3 is about exact copies",
    remarks=(
        "The response at time 2p is I / epsilon: a word of length 2p + 1 shows it.",
        "For odd d > 1 and odd n / d with L > 2 we do not know; nor, for d = 1, n odd and L > 2, how small several wrong responses can be made.",
    ),
    known="that approximation needs fewer states than exactness is familiar from partial realisation, and cascades of second-order sections from filter design; we know of no place with the count for layers",
    uses=("new.depth.finite-length",),
    construction="lemmata.constructions.depth.deep_near_copy",
    sabotages={
        "one step more": {"horizon": lambda p: 2 * p + 1},
        "the last layer has no memory": {"network": lambda n, depth, a, d: _forgetful(deep_near_copy(n, depth, a, d))},
        "the readout is 1": {"network": lambda n, depth, a, d: _read_whole(deep_near_copy(n, depth, a, d))},
        "the cosine has the other sign": {"section": lambda c, v: 1 + 2 * c * v + v**2},
        "one degree more": {"numerator": lambda n, depth: depth * n},
    },
)
def approximate_copies(
    proof: Proof,
    network=deep_near_copy,
    horizon=lambda p: 2 * p,
    section=lambda c, v: 1 - 2 * c * v + v**2,
    numerator=lambda n, depth: depth * (n - 1),
) -> None:
    r"""$\varepsilon/(1-z^p/\varepsilon)=\varepsilon+z^p+z^{2p}/\varepsilon+\dots$, and the denominator is a product of $L$ real factors, one for each layer.

    1. $\varepsilon=(1-z^p/\varepsilon)(\varepsilon+z^p)+z^{2p}/\varepsilon$, so the transfer function $\varepsilon/(1-z^p/\varepsilon)$ has the responses said, up to time $2p-1$. [checked: "the responses up to 2p"]
    2. Let $a^p=1/\varepsilon$ and $m=n/d$. If $m$ is even, put $v=(az)^{m/2}$: $1-z^p/\varepsilon=1-v^{2L}=(1-v^2)\prod_{l=1}^{L-1}\big(1-2\cos\tfrac{\pi l}Lv+v^2\big)$, as the $2L$ roots are
       $\pm1$ and $e^{\pm i\pi l/L}$. [cited: roots of unity] [checked: "two conjugate roots"]
    3. If $d$ is even, put $v=(az)^m$ and let $R$ turn each of $d/2$ pairs of channels by $2\pi/L$: $\prod_{l<L}(1-R^lv)=1-v^L$, the same with the roots $R^l$ of unity, as $R$ is multiplication by a
       complex number. If $L\le2$: $1-v$ and $(1-v)(1+v)$. [cited: roots of unity] [checked: "a rotation is multiplication"; "two layers"]
    4. Every factor is $1-\sum_{k\le m}F_kz^k$ with $d\times d$ matrices $F_k$, all powers of one rotation, so that they commute. A layer of $d$ registers of $m$ units holds $y_t,\dots,y_{t-m+1}$ with
       $y_t=x_t+\sum_kF_ky_{t-k}$, and hands $y_t$ on: it divides by its factor. The $L$ layers, read with weight $\varepsilon$, divide $\varepsilon$ by the product. [checked: "a layer divides"; "the networks themselves"] [prose]
    5. On white inputs the mean squared error at length $T=2p$ is $\frac1{Td}\sum_k(T-k)\lVert g_k-[k=p]I\rVert^2=\varepsilon^2$: only $k=0$ counts. [checked: "the mean squared error"] [prose]
    6. Conversely let $d=1$ and let $L$ layers of width $n$ have the responses $c\ne0$, $0$, ..., $1$ at $p=nL$, ..., $0$ below $2p$. Their transfer function is $N/D$, $D=\prod_l\det(I-zV_l)$,
       $D(0)=1$, $\deg D\le p$ and $\deg N\le L(n-1)<p$. [uses: lizaire26.lemma3] [checked: "the numerator stays below z^p"]
    7. Write $D=1+zA+\delta z^p$, $\deg A\le p-2$. Then $(c+z^p)D$ and $N$ agree below $z^{2p}$, so the coefficients at $p$, ..., $2p-1$ vanish: $c\delta+1=0$ and $A=0$. Hence $D=1-z^p/c$. [checked: "the coefficients from p on"] [prose]
    8. $D$ has degree $nL$, so each $\det(I-zV_l)$ has degree $n$; if $n$ is odd it has a real root, by the intermediate value theorem. The real roots of $D$ are simple, and at most two, by Rolle: $D'$ vanishes at $0$
       only, where $D=1$. So $L\le2$. [cited: Rolle; the intermediate value theorem] [checked: "the derivative"]
    """
    z, c, v, x, delta, A, theta, p, n, depth = sympy.symbols("z c v x delta A theta p n L")
    proof.symbolically("the responses up to 2p", (1 - z**p / c) * (c + z**p) + z ** (2 * p) / c, c, free="epsilon, z, p")
    turn = sympy.exp(sympy.I * theta)
    proof.symbolically(
        "two conjugate roots have a real factor", (1 - turn * v) * (1 - v / turn), section((turn + 1 / turn) / 2, v), free="theta, v"
    )
    s, a, b = sympy.symbols("s a b")
    turned = sympy.Matrix([[c, -s], [s, c]]) * sympy.Matrix([a, b])
    proof.symbolically(
        "a rotation is multiplication by c + i s", turned[0] + sympy.I * turned[1], (c + sympy.I * s) * (a + sympy.I * b), free="c, s, a, b"
    )
    proof.symbolically("two layers", (1 - v) * (1 + v), 1 - v**2, free="v")
    y, F = sympy.symbols("y F", commutative=False)
    proof.symbolically("a layer divides: x + F y is y for x = (1 - F) y", (1 - F) * y + F * y, y, free="F, y")
    proof.symbolically("the mean squared error, T = 2p, d channels", (2 * p - 0) * x * c**2 / (2 * p * x), c**2, free="epsilon, p, d")
    proof.symbolically("the numerator stays below z^p, p = nL, by L >= 1", n * depth - numerator(n, depth), depth, free="n, L")
    proof.symbolically(
        "the coefficients from p on: at p, at p + 1 .. 2p - 1 (A), and beyond",
        (c + z**p) * (1 + z * A + delta * z**p),
        (c + c * z * A) + (c * delta + 1) * z**p + z ** (p + 1) * A + delta * z ** (2 * p),
        free="c, delta, A, z, p",
    )
    proof.symbolically("the derivative is a multiple of z^(p-1)", sympy.diff(1 - z**p / c, z), -p * z ** (p - 1) / c, free="c, p, z")
    with proof.beside():
        sizes = [(w, k, d) for w in range(1, 7) for k in range(1, 6) for d in (1, 2, 3, 4) if _exists(w, k, d) and w * k <= 20]
        made = [(network(w, k, fmpq(2), d), w * k // d) for w, k, d in sizes]
        proof.exactly(
            "the networks themselves, n <= 6, L <= 5, d <= 4, nL <= 20, epsilon = 2^-p: one response is wrong before 2p",
            [_near_response(built, lag, fmpq(1, 2**lag), horizon(lag)) for built, lag in made],
            [True] * len(sizes),
        )
        proof.exactly(
            "and have L layers of width n", [(built.width, len(built.layers)) for built, _ in made], [(w, k) for w, k, _ in sizes]
        )
    for w, k, d in ((1, 2, 1), (3, 2, 1), (2, 3, 1), (4, 3, 1), (4, 2, 2), (2, 4, 2)):
        lag = w * k // d
        built = deep_near_copy(w, k, fmpq(10), d)
        proof.certificate("witness", f"n = {w}, L = {k}, d = {d}", **_rational_data(built), p=lag, error=str(fmpq(1, 10**lag)))
    small = deep_near_copy(2, 3, fmpq(10))
    proof.exhibit("three layers of width 2 copy 6 steps at length 12, but for 10^-6", **_rational_data(small))


def _exists(n: int, depth: int, d: int) -> bool:
    return n % d == 0 and (n // d % 2 == 0 or d % 2 == 0 or depth <= 2)


def _rational_data(network: DeepLinear) -> dict:
    """The network for ``lemmata recheck``, where the cosines are rational (2 pi / m for m = 1, 2, 3, 4 or 6)."""
    layers = [(exact.map_entries(_as_rational, U), exact.map_entries(_as_rational, V)) for U, V in network.layers]
    return network_data(DeepLinear(tuple(layers), network.readout))


def _as_rational(x: fmpq | Cyclotomic) -> fmpq:
    if isinstance(x, Cyclotomic) and x.polynomial.degree() < 1:
        return x.polynomial[0]
    return exact.rational(x)


def _forgetful(network: DeepLinear) -> DeepLinear:
    *below, (U, V) = network.layers
    return DeepLinear((*below, (U, V * 0)), network.readout)


def _read_whole(network: DeepLinear) -> DeepLinear:
    return DeepLinear(network.layers, network.readout * 2)


@claim(
    "new.depth.delayed-links",
    place="after lizaire26, Lemmas 2 and 3 and Theorem 2",
    title="L layers of width n that read the one below a step late copy up to nL − 1 steps, and p steps cost 3 (p + 1) parameters",
    says=r"Let $h^{(l)}_t=V^{(l)}h^{(l)}_{t-1}+U^{(l)}h^{(l-1)}_{t-1}+b^{(l)}$ for $l>1$, and the first layer as usual. Then $L$ layers of width $n\ge1$ with a linear readout copy one channel $p$ steps forward iff "
    r"$L-1\le p\le nL-1$ (usual links: $p\le L(n-1)$), with the same number of parameters, $(2L-1)n^2+(L+1)n$. For given $p\ge0$ the least number is $3(p+1)$, for $n=1$ and $L=p+1$ only.",
    reading="for exact copies at every length; initial states not counted, as in Theorem 2",
    remarks=("For d channels the same proof with new.depth.channels gives L - 1 <= p and (p + 1) d <= nL.",),
    known="that a stacked RNN is one layer with block bidiagonal weights and an output L - 1 steps late is Turek et al. 2020 (the delayed RNN), and retiming of circuits (Leiserson and Saxe 1991); the count of copies and their least cost is what we add",
    construction="lemmata.constructions.depth.delayed_links",
    sabotages={
        "the links have no delay": {"late": lambda level, t: t},
        "another network": {"joined": lambda network: delayed_links(DeepLinear(network.layers, network.readout * 2))},
        "a step fewer": {"farthest": lambda n, depth: n * depth - 2},
        "a cheaper unit": {"least": lambda units: 2 * units},
        "random networks are silent": {"draw": lambda rng, n, depth: DeepLinear(random_network(rng, n, depth).layers, exact.zeros(1, n))},
    },
)
def links_with_a_delay(
    proof: Proof,
    late=lambda level, t: t - level + 1,
    joined=delayed_links,
    farthest=lambda n, depth: n * depth - 1,
    least=lambda units: 3 * units,
    draw=random_network,
) -> None:
    r"""The same weights with usual links give the same outputs, $L-1$ steps earlier.

    1. As for Lemma 3, take the difference of two runs, on a word and on the word $0$: biases and initial states cancel, and the copy of the word is left. So let them be $0$. [checked: "biases cancel"] [prose]
    2. Let $h$ be the states with usual links, $h_s=0$ for $s\le0$, and $k^{(l)}_t=h^{(l)}_s$ with $s=t-l+1$. In the first layer $s=t$. In the others $h^{(l)}_s=V^{(l)}h^{(l)}_{s-1}+U^{(l)}h^{(l-1)}_s$, and
       $h^{(l)}_{s-1}=k^{(l)}_{t-1}$, $h^{(l-1)}_s=k^{(l-1)}_{t-1}$: so $k$ are the states with delayed links. [checked: "the first layer"; "its own state"; "the state below"; "second opinion: the outputs"] [prose]
    3. So the output $wk^{(L)}_t$ is the usual one at time $t-(L-1)$. It is $x_{t-p}$ for all words iff the usual one is $x_{t-q}$ with $q=p-L+1$; as no output depends on a later input, $q\ge0$. [checked: "the last layer"]
    4. Usual links copy $q\ge0$ steps iff $q\le L(n-1)$: if, by registers (and layers with $U=I$, $V=0$ for those that are not needed), only if by Lemma 3. That is $L-1\le p\le nL-1$.
       [uses: lizaire26.lemma2, lizaire26.lemma3] [checked: "the largest p"; "an identity layer"; "registers with delayed links copy"] [prose]
    5. $(2L-1)n^2+(L+1)n=3nL+n(n-1)(2L-1)$, and the last term is positive but for $n=1$. So the number of parameters is at least $3nL\ge3(p+1)$, with equality iff $n=1$ and $L=p+1$; these copy $p$
       steps by step 4. [uses: lizaire26.params] [checked: "the number of parameters"; "the last term is positive"]
    """
    n, depth, t, level = sympy.symbols("n L t l", integer=True)
    V, U, h, k, g, f, b = sympy.symbols("V U h k g f b", commutative=False)
    proof.symbolically(
        "biases cancel in the difference", (V * h + U * g + b) - (V * k + U * f + b), V * (h - k) + U * (g - f), free="U, V, b, states"
    )
    proof.symbolically("the first layer reads x_t", late(1, t), t, free="t")
    proof.symbolically("its own state is one step older", late(level, t) - 1, late(level, t - 1), free="l, t")
    proof.symbolically("the state below, a step ago, has the same index", late(level, t), late(level - 1, t - 1), free="l, t")
    proof.symbolically("the last layer is L - 1 steps late", late(depth, t), t - (depth - 1), free="L, t")
    proof.symbolically("the largest p: L (n - 1) + L - 1", depth * (n - 1) + depth - 1, farthest(n, depth), free="n, L")
    proof.symbolically("an identity layer changes nothing", 1 * h + 0 * k, h, free="states")
    with proof.beside():
        rng = Random(98)
        pairs = []
        for width, layers in product((1, 2, 3), (1, 2, 3)):
            usual = draw(rng, width, layers)
            word = [rng.choice((-2, -1, 1, 2)) for _ in range(12)]
            pairs.append(([y[0] for y in joined(usual).run(word)], [0] * (layers - 1) + [y[0] for y in usual.run(word)][: 13 - layers]))
        left, right = zip(*pairs, strict=True)
        proof.exactly("second opinion: the outputs of 9 random networks, n, L <= 3, are those L - 1 steps later", left, right)
        proof.holds("and none of them is silent", all(map(any, right)))
        sizes = [(w, k, p) for w in range(1, 5) for k in range(1, 5) for p in range(k - 1, w * k)]
        proof.exactly(
            "registers with delayed links copy every p from L - 1 to nL - 1, n, L <= 4",
            [copies(joined(copy_network(w, k, p - k + 1)), p) for w, k, p in sizes],
            [True] * len(sizes),
        )
    cost = parameters(n, depth)  # type: ignore[arg-type]
    proof.symbolically("the number of parameters", cost, least(n * depth) + n * (n - 1) * (2 * depth - 1), free="n, L")
    m, r = sympy.symbols("m r", nonnegative=True)
    extra = sympy.Poly(sympy.expand((m + 2) * (m + 1) * (2 * r + 1)), m, r)
    proof.holds(
        "the last term is positive for n = 2 + m, L = 1 + r",
        all(bool(x > 0) for x in extra.coeffs()) and bool(extra.TC() > 0),
        free="n > 1, L",
    )
    for w, k in ((1, 4), (2, 3), (3, 2), (4, 1)):
        proof.certificate("witness", f"n = {w}, L = {k}", **network_data(copy_network(w, k, k * (w - 1))), p=w * k - 1)
    small = copy_network(1, 4, 0)
    proof.exhibit("four layers of width 1 with delayed links copy 3 steps", **network_data(small))
