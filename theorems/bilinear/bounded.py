"""Networks with activations in depth only whose states stay bounded: what they forget, and what they may keep (lizaire26, around Theorem 5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from random import Random
from typing import Any

from flint import fmpq

from ...constructions.activations import DepthOnly, DepthOnlyLayer, PiecewiseLinear
from ...constructions.depth.only import keep_the_beginning, relu, step, sums_of_differences
from ...numerics import exact
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof

Word = tuple[int, ...]

#: slopes at most 2 in size, and not monotone
ZIGZAG = PiecewiseLinear((fmpq(1, 3), fmpq(5, 7), fmpq(3, 2)), (fmpq(1, 2), fmpq(-2), fmpq(2), fmpq(-1)))


def words(longest: int, shortest: int = 0) -> Iterator[Word]:
    """All words of 0 and 1 of these lengths."""
    return (w for length in range(shortest, longest + 1) for w in product((0, 1), repeat=length))


def after(network: DepthOnly, states: Sequence[Array], word: Sequence[int]) -> list[Array]:
    """The states of all layers after a word, from given ones."""
    for x in word:
        states = step(network, states, fmpq(x))
    return list(states)


def distance(one: Sequence[Array], other: Sequence[Array]) -> Any:
    """The largest difference of two states."""
    return max(abs(a - b) for h, g in zip(one, other, strict=True) for a, b in zip(h, g, strict=True))


def sum_over_filter(activation: Any) -> DepthOnly:
    """m_t = m_(t-1)/2 + x_t, and above it the sum of phi(m_t), bounded or not."""
    layers = [
        DepthOnlyLayer(exact.rationals([[v]]), exact.rationals([[1]]), exact.zeros(1), exact.zeros(1), activation)
        for v in (fmpq(1, 2), fmpq(1))
    ]
    return DepthOnly(tuple(layers), exact.rationals([[1]]), exact.zeros(1))


@claim(
    "new.bilinear.bounded",
    place="after lizaire26, Sec. 3.3 and 4.2",
    title="with Lipschitz activations in depth only, a network whose states stay bounded tracks neither parity nor a latch",
    says=r"Let all layers be $h^{(l)}_t=V^{(l)}h^{(l)}_{t-1}+U^{(l)}\varphi_{l-1}(h^{(l-1)}_t)+b^{(l)}$ with $\varphi_l$ Lipschitz on bounded sets, and the joint states $s(w)$ bounded over all words $w$. Then there are $C$, $\rho<1$ and a nonempty closed set $\Omega$ of limits of states, invariant under all letters, "
    r"with $|s\cdot az-s\cdot bz|\le C\rho^{|z|}$ for all $s\in\Omega$, letters $a,b$ and words $z$. So if a continuous readout of $s(w)$ is within $\frac13$ of the state of a strongly connected automaton, numbered by integers, then $q\cdot az=q\cdot bz$ for all $q$, $a$, $b$ and all $z$ from some length on.",
    reading="any depth and width, exact real numbers, any set of inputs; s.w is the state after w from s. Parity: q.0z and q.1z never agree. A latch: letters for 0, 1 and hold; z = hold, hold, ...",
    known="For one layer this is linear algebra. A mode with an eigenvalue of modulus 1 that stays bounded over a deeper layer is a coboundary in the sense of Livsic's theorem (1971), whose closing argument this follows; for finite precision and one layer see Grazzi et al. (2025, Theorem 1). "
    "That networks which contract forget their past is known (fading memory: Boyd and Chua 1985; stable recurrent models: Miller and Hardt, arXiv 1805.10369; abstracts read). Here no contraction is assumed. "
    "We know of no such statement for deep networks with arbitrary nonlinearities between the layers.",
    remarks=(
        "This is what the sentences around the paper's Theorem 5 need: without bounds on the states they are false (lizaire26.thm5.remark).",
        "Fading memory of the beginning does not follow: new.bilinear.beginning keeps the first letters for ever in bounded states. Nor of the time: a layer of its own may hold (-1)^t.",
        "Holder continuous activations do as well. For activations that are only continuous the differences need not be summable, and we do not know.",
        "For finite alphabets all limits of states after long words are such (new.bilinear.late); that proof rests on a theorem of Bohr, this one on nothing but compactness.",
    ),
    construction="lemmata.constructions.depth.only.sums_of_differences",
    sabotages={
        "the layers sum what they read": {"network": lambda signs, activation: _plain_sums(signs, activation)},
        "what is exchanged is not counted": {"exchanges": lambda count: 1},
        "states need not be bounded, which the kernel refutes": {"theorem": "bounded_states.unbounded_states_forget"},
    },
)
def bounded_states_forget(
    proof: Proof, network=sums_of_differences, exchanges=lambda count: count, theorem: str = "bounded_states.bounded_states_forget"
) -> None:
    r"""A letter that a mode does not forget may be exchanged again and again, each time with the same effect, until the state is out of bounds.

    1. The closure $S$ of the states is compact and invariant under the letters. By Zorn's lemma it has a minimal nonempty closed invariant subset $\Omega$: from each $s\in\Omega$ words lead arbitrarily near to each $s_0\in\Omega$. [prose]
    2. Write $V^{(l)}$ in triangular form over $\mathbb C$. Each coordinate $m$ of the states obeys $m_t=\lambda m_{t-1}+g_t$, where $g_t$ is Lipschitz in the input, the layers below and the coordinates before it, so by induction over the
       coordinates $|g(s\cdot az)-g(s\cdot bz)|\le C\rho^{|z|}$ on $\Omega$. To show is the same for $m$, with another $C$ and perhaps another $\rho$. [prose] [checked: "bounded sums of differences forget"]
    3. For $|\lambda|<1$ sum the geometric series. For $|\lambda|>1$ a bounded $m$ is determined by the future, $m_t-m'_t=-\sum_{k\ge1}\lambda^{-k}(g_{t+k}-g'_{t+k})$, which is at most $C\rho^{|z|}\sum|\lambda|^{-k}$. [prose]
    4. Let $|\lambda|=1$ and $D=m(s_0\cdot az)-m(s_0\cdot bz)$, $|z|=i$. Choose words $v_1,v_2,\dots$ so that $t_r=t_{r-1}\cdot azv_r$, $t_0=s_0$, stays within $\eta$ of $s_0$, and in $azv_1\cdots azv_M$ exchange $a$ for $b$ in some blocks. By 2 the letters
       exchanged earlier change what block $r$ contributes by at most $\sum_{j\ge1}\sum_{k\ge0}2C\rho^{j(i+1)+k}\le2C\rho^i/(1-\rho)^2$, what comes after $z$ by at most $C\rho^i/(1-\rho)$, and that $t_{r-1}$ is not $s_0$ by $\omega(\eta)\to0$. So each exchange changes the last
       $m$ by $\lambda^{\tau_r}(D+e_r)$ with $|e_r|\le E=3C\rho^i/(1-\rho)^2+\omega(\eta)$. [prose] [checked: "what is not forgotten adds up"]
    5. Of $M$ numbers $\lambda^{\tau_r}D$ a quarter at least lie within 45 degrees of one of four directions. Exchange in these blocks: $\frac M4(|D|/\sqrt2-E)\le2\sup|m|$. With $M\to\infty$ and $\eta\to0$: $|D|\le\sqrt2\cdot3C\rho^i/(1-\rho)^2$. [prose]
    6. An automaton beside the network: take $\Omega$ minimal for the pairs $(s(w),q(w))$, which go through 1 to 5 alike. As the automaton is strongly connected each $q$ occurs in it. For long $z$ the readouts at $s\cdot az$ and $s\cdot bz$ differ by less
       than $\frac13$, so the integers $q\cdot az$ and $q\cdot bz$ by less than $1$. [prose]
    7. The kernel has all of it. Its modes are what factors of a characteristic polynomial leave of a layer, the last of them $0$ by Cayley and Hamilton. Letters need no bound, since bounded states bound what letters write. Steps 2 to 5 need no axiom; 1 and 6 rest on those of classical logic.
       [checked: "the kernel: bounded states"; "the kernel: an automaton"; "the kernel: a bounded mode"]
    """
    proof.formally(
        "the kernel: bounded states forget a letter",
        theorem,
        whole="every depth, width, set of letters and activations",
        differs="layers have one width, narrower ones with units that stay 0; row vectors; the lowest layer reads any function of the letter",
    )
    proof.formally("the kernel: an automaton beside them forgets it", "bounded_states.bounded_states_track_no_latch")
    proof.formally("the kernel: a bounded mode forgets if what drives it does", "forgetting.mode_forgets")
    longest, ends = proof.pick((1, 3), (2, 4), (3, 6))
    shapes = ((1,), (-1,), (1, -1))
    scope = f"eigenvalues 1, -1, or both in two layers, over a filter; ReLU and a zigzag; all words over 0, 1, up to length {longest} before and {ends} after a letter"
    for signs, activation in proof.every(scope, product(shapes, (relu, ZIGZAG))):
        net = network(signs, activation)
        lipschitz = 1 if activation is relu else 2
        for prefix in words(longest):
            before = after(net, [layer.initial for layer in net.layers], prefix)
            pairs: dict[tuple[int, ...], Any] = {(): (after(net, before, (0,)), after(net, before, (1,)))}
            for z in words(ends):
                if z:
                    pairs[z] = step(net, pairs[z[:-1]][0], fmpq(z[-1])), step(net, pairs[z[:-1]][1], fmpq(z[-1]))
                gap = distance(*pairs[z])
                # the filter halves; each layer multiplies by the slope at most, and its second unit is one step late
                proof.holds("bounded sums of differences forget", gap <= 2 * fmpq(lipschitz) ** len(signs) / fmpq(2) ** len(z))
    rng, count, most = Random(2102), proof.pick(2, 3, 12), proof.pick(3, 4, 8)
    seen = 0
    for _ in proof.each(
        f"sums of {count} random piecewise linear functions over a filter, seed 2102, up to {most} exchanges", range(count)
    ):
        bend = PiecewiseLinear((fmpq(rng.randint(1, 9), 7),), (fmpq(rng.randint(-3, -1)), fmpq(rng.randint(1, 3))))
        net, slope = sum_over_filter(bend), max(map(abs, bend.slopes))
        back = tuple(rng.randint(0, 1) for _ in range(9))
        z, start = back[:5], after(net, [layer.initial for layer in net.layers], back)
        D = (after(net, start, (0, *z))[1] - after(net, start, (1, *z))[1])[0]
        # step 4 with C = slope, rho = 1/2 and returns to within 2^-8, over which 2 (i + 1) terms are compared
        error = 12 * slope / fmpq(2) ** len(z) + 2 * (len(z) + 1) * slope / fmpq(2) ** 8
        seen += abs(D) > error
        for M in range(1, most + 1):
            one = after(net, start, (0, *z, *back) * M)
            other = after(net, start, (1, *z, *back) * exchanges(M) + (0, *z, *back) * (M - exchanges(M)))
            proof.holds("what is not forgotten adds up", abs((one[1] - other[1])[0]) >= M * (abs(D) - error))
    proof.holds("some of these sums do not forget", seen > 0)


def _plain_sums(signs: Sequence[int], activation: Any) -> DepthOnly:
    """As ``sums_of_differences``, but nothing is subtracted: the states grow."""
    net = sums_of_differences(signs, activation)
    first, *others = net.layers
    r = exact.rationals
    sums = [DepthOnlyLayer(layer.V, r([[1, 0], [0, 0]]), layer.b, layer.initial, activation) for layer in others]
    return DepthOnly((first, *sums), net.readout, net.offset)


@claim(
    "new.bilinear.beginning",
    place="after lizaire26, Sec. 3.3 and 4.2",
    title="bounded states need not forget: two layers with ReLU in depth keep every letter for ever, the s-th with weight 3⁻ˢ",
    says=r"Layers of width 2, $r_t=r_{t-1}/3$, $h_t=x_t+r_t-1$ and above them $m_t=m_{t-1}+\operatorname{ReLU}(h_t)$, have $m_t=\sum_{s\le t}3^{-s}x_s\le\frac12$ for all words over $\{0,1\}$, and the states at time $t$ tell the word.",
    reading="exact real numbers; all activations ReLU, all states bounded",
    known="Numbers as memories of words are Siegelmann and Sontag's; there and in new.bilinear.finite-alphabet the last letters weigh most, or the states grow.",
    construction="lemmata.constructions.depth.only.keep_the_beginning",
    sabotages={"a decay of 1": {"decay": fmpq(1)}, "a decay of 1/2": {"decay": fmpq(1, 2), "ratio": fmpq(1, 2)}},
)
def a_clock_that_fades(proof: Proof, decay: fmpq = fmpq(1, 3), ratio: fmpq = fmpq(1, 3)) -> None:
    r"""A clock that fades weighs the letters, and a sum keeps them: what the first letter did stays, and later ones do less and less, as new.bilinear.bounded demands.

    1. $r_t=3^{-t}\le1$, so $\operatorname{ReLU}(x_t+r_t-1)$ is $r_t$ for $x_t=1$ and $0$ for $x_t=0$. [checked: "what the sum reads"]
    2. So $m_t=m_{t-1}+3^{-t}x_t$ from $m_0=0$: the step of an induction over $t$, with $r$ in $(0,1]$ arbitrary. The sum of all $3^{-s}$ is $\frac12$. [checked: "the step"; "the sum of all weights"] [prose]
    3. Words of one length have different sums: at the first letter where they differ the one is $3^{-s}$ ahead, and all later weights together are $3^{-s}/2$. The clock tells the length. [checked: "later weights are less"] [prose]

    Beside it, the network as it is built runs on all words up to length 6.
    """
    import sympy

    r, x = sympy.Symbol("r", positive=True), sympy.Symbol("x")
    s = sympy.Symbol("s", integer=True, positive=True)
    rate = sympy.Rational(int(ratio.p), int(ratio.q))
    first, second = keep_the_beginning(decay).layers
    # the first layer after the input, as the network has it: rows of V, U and b on (anything, clock)
    row = [sympy.Rational(int(v.p), int(v.q)) for v in (first.V[0, 1], first.U[0, 0], first.b[0], first.V[1, 1])]
    clock = row[3] * r
    held = row[0] * r + row[1] * x + row[2]
    one, zero = held.subs(x, 1), held.subs(x, 0)
    proof.symbolically("what the sum reads", one, clock, "r")
    proof.holds("what the sum reads", bool(zero.subs(r, 1) <= 0) and bool(sympy.diff(zero, r) > 0), free="r in (0, 1]")
    for top, below in proof.every("the network's own weights", [(second, first)], limited=False):
        proof.exactly("the step", [top.V[0, 0], top.U[0, 0], top.U[0, 1], top.b[0]], [1, 1, 0, 0])
        proof.exactly("the clock's rate", [below.V[1, 1], below.V[1, 0], below.initial[1]], [fmpq(1, 3), 0, 1])
        proof.exactly("the sum of all weights", rate / (1 - rate), sympy.Rational(1, 2))
    later = rate ** (s + 1) / (1 - rate)
    proof.holds("later weights are less", bool(sympy.simplify(later / rate**s) < 1), free="s")
    net = keep_the_beginning(decay)
    found = {}
    with proof.beside():
        for w in words(6):
            h, m = net.states([fmpq(v) for v in w])
            found[(h[1], m[0])] = w
            proof.exactly("the states tell the word", m[0], sum((fmpq(v) / fmpq(3) ** (k + 1) for k, v in enumerate(w)), fmpq(0)))
        proof.exactly("the states tell the word", len(found), 2**7 - 1)
    states = [[list(w), h, m] for (h, m), w in found.items() if len(w) <= 4]
    proof.certificate("witness", "words up to length 4", states=states)
