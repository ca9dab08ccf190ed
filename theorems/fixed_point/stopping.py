"""When to stop, and dependence on the previous state: one fixed point, and the rule that makes two of it (movahedi25, App. C.1, D.2, Figure 7)."""

from __future__ import annotations

from random import Random

import numpy as np
import sympy
from flint import arb, ctx, fmpq

from ...constructions import samples
from ...constructions.fixed_point import Selective, lag_one_layer, ungated
from ...numerics import exact
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof
from .lipschitz import contraction_with_norm

# -- the stopping rule ---------------------------------------------------------------------------------------------------------


@claim(
    "movahedi25.appD2.stopping",
    place="App. D.2, after Eq. 9",
    of="movahedi25.eq6",
    flaw="overstatement",
    quotes=("the two phases are repeated until convergence",),
    weight="hypothesis",
    title="a pass that changes y by less than a tenth can be far from the fixed point",
    says=r"If $\|y^\ell-y^{\ell-1}\|_\infty<0.1\,\|y^\ell\|_\infty$ then $y^\ell$ is within a tenth of the fixed point, relatively, say within a half.",
    reading="'until convergence'; Figures 4, 6 and 7 count passes by this rule. A layer whose I - Q is not near 1 in norm stops where it should",
    letter="The rule of App. D.2 stops a slow iteration near its tenth pass, wherever it is. For scalar Q = 1/100 it stops at pass 10 with 90 percent of the way "
    "to go. With gamma = |I - Q| the error is at most gamma/(1 - gamma) times the last change. So the tolerance should shrink with 1 - gamma.",
    sabotages={"a mixer near 1": {"mixers": ("9/10",)}},
)
def slow_is_not_settled(proof: Proof, mixers=("9/10", "1/2", "1/10", "1/100", "1/1000")) -> None:
    r"""For scalar $Q=\epsilon$, $h^\ell=(1-(1-\epsilon)^\ell)h^*$: for small $\epsilon$ it grows like $\ell\epsilon h^*$, so a pass near the tenth changes it by less than a tenth of itself.

    At $\epsilon=\frac1{100}$, pass 10: the change is $(\frac{99}{100})^9\frac1{100}$, the value $1-(\frac{99}{100})^{10}$, and the error $(\frac{99}{100})^{10}>0.9$."""

    def stopped(q) -> tuple[int, fmpq]:
        q = exact.rational(q)
        layer = Selective(lambda x, previous: ungated([fmpq(1, 2)], exact.rationals([[q]]), [x]), exact.zeros(1))
        h, passes = layer.run_parallel([fmpq(1)], fmpq(1, 10))
        return passes, abs(1 - h[0, 0])  # the dense state is B x = 1

    found = proof.smallest("Q = 9/10, 1/2, 1/10, 1/100, 1/1000; T = d = 1", mixers, lambda q: stopped(q)[1] > fmpq(1, 2))
    if found:
        q, _ = found
        passes, error = stopped(q)
        proof.counterexample(
            given={
                "Q": q,
                "a pass": "y -> Q x + (1 - Q) y, from 0, x = 1",
                "it stops": "once |y^l - y^(l-1)| < |y^l| / 10",
                "passes until the rule stops": passes,
                "relative error there": error,
            },
            words={"mixer": 0 < exact.rational(q) < 2, "half": error > fmpq(1, 2)},
            minimal="T = d = 1",
        )
        proof.certificate("witness", "stopped too early", Q=exact.rational(q), passes=passes, tolerance=fmpq(1, 10))
        proof.exactly(
            "Q = 1/10^6: stopped at pass 10, with 99.999 percent of the way to go", stopped("1/1000000"), (10, (1 - fmpq(1, 10**6)) ** 10)
        )


@claim(
    "movahedi25.appD2.stopping.amended",
    place="App. D.2, after Eq. 9",
    amends="movahedi25.appD2.stopping",
    title="a contraction by γ is within γ/(1 − γ) times the last change of its fixed point, and this is sharp",
    says=r"If $f$ contracts by $\gamma<1$, in any norm, $\|h^\ell-h^*\|\le\frac{\gamma}{1-\gamma}\|h^\ell-h^{\ell-1}\|$; so the tolerance must shrink with $1-\gamma$. Equality for $I-Q=\gamma I$, $\Lambda=0$.",
    uses=("movahedi25.thm2.1.amended",),
    sabotages={
        "gamma times the last change, which the kernel refutes": {"theorem": "gradients.last_change_bounds_the_error_alone"},
        "gamma in place of gamma/(1 - gamma)": {"factor": lambda g: g},
        "1/(1 - gamma)": {"factor": lambda g: 1 / (1 - g)},
    },
)
def last_change_bounds_the_error(
    proof: Proof, factor=lambda g: g / (1 - g), theorem: str = "gradients.last_change_bounds_the_error"
) -> None:
    r"""Banach's bound after the fact: what is still to come is a geometric series that begins with the last change.

    1. Let $a=\|h^{\ell-1}-h^*\|$, $e=\|h^\ell-h^*\|$, $c=\|h^\ell-h^{\ell-1}\|$. Then $e\le\gamma a$, and $a\le e+c$. [cited: the triangle inequality] [prose]
    2. $(1-\gamma)\bigl(\frac\gamma{1-\gamma}c-e\bigr)=\gamma(c+e-a)+(\gamma a-e)\ge0$. [checked: "(1 - gamma)(bound - e), as nonnegative terms"]
    3. For $I-Q=\gamma I$, $\Lambda=0$ and $h^*=1$, from 0: $h^\ell=1-\gamma^\ell$, so $e=\gamma^\ell$ and $c=\gamma^{\ell-1}-\gamma^\ell$. [checked: "equality: a pass from 1 - gamma^l";
       "equality: gamma^l = gamma/(1 - gamma) (gamma^(l-1) - gamma^l)"] [prose]
    """
    proof.formally(
        "the kernel: Banach's bound after the fact",
        theorem,
        whole="every contraction of a group with a norm",
        differs="an ordered field for the reals; any abelian group with a norm",
    )
    proof.formally(
        "the kernel: equality for gamma h + b",
        "gradients.last_change_attained",
        differs="a real closed field for the reals; the pass for I - Q = gamma I and Lambda = 0 is h -> gamma h + b",
    )
    a, e, c = sympy.symbols("a e c")
    g = sympy.Symbol("gamma", positive=True)
    n = sympy.Symbol("l", integer=True, positive=True)
    bound = factor(g)
    proof.symbolically(
        "(1 - gamma)(bound - e), as nonnegative terms", (1 - g) * (bound * c - e), g * (c + e - a) + (g * a - e), "gamma, a, e, c"
    )
    proof.symbolically("equality: a pass from 1 - gamma^l", (1 - g) + g * (1 - g**n), 1 - g ** (n + 1), "gamma, l")
    proof.symbolically("equality: gamma^l = gamma/(1 - gamma) (gamma^(l-1) - gamma^l)", g**n, bound * (g ** (n - 1) - g**n), "gamma, l")
    rng = Random(76)
    for d in (1, 2, 3):
        norm = fmpq(rng.randint(1, 9), 10)
        proof.certificate(
            "witness", f"{d} channels", F=contraction_with_norm(rng, d, norm), gamma=norm, b=samples.nonzero_vector(rng, d), passes=4
        )


# -- dependence on the previous state ---------------------------------------------------------------------------------------------


@claim(
    "movahedi25.appC1.several",
    place="App. C.1, third paragraph",
    title="with dependence on the previous state the fixed point may not be unique",
    says=r"There are tokens that depend on $h_{t-1}$ for which $h=f(h)$ has more than one solution.",
    reading="without asking that the matrices I - G_t (I - Q_t) be invertible",
    sabotages={
        "invertible mixers, which the kernel refutes": {"theorem": "sentences.a_line_of_solutions_with_mixers"},
        "an invertible mixer at both tokens": {"mixer": lambda p: 1 - p / 2},
    },
)
def a_line_of_fixed_points(proof: Proof, mixer=lambda p: 1 - p, theorem: str = "sentences.a_line_of_solutions") -> None:
    r"""The first state makes the second mixer 0, and then every $h_2$ solves $h_2=h_2$.

    1. $d=1$, $\Lambda=0$, $Q_t=1-h_{t-1}$, $h_0=0$, inputs $1,1$. At the first token $Q_1=1$, and $f(h)_1=1$ for every $h_1$. [checked: "the first token: h_1 = 1"]
    2. At the second $Q_2=0$: $f(h)_2=Q_2b_2+(1-Q_2)h_2=h_2$ for every $h_2$. [checked: "the second token: every h_2 is kept"]
    """
    proof.formally(
        "the kernel: two solutions for tokens that depend on the state before",
        theorem,
        whole="two tokens of one channel",
        differs="any field for the reals; times from 0",
    )
    h = sympy.Symbol("h")
    first, second = mixer(sympy.Integer(0)), mixer(sympy.Integer(1))
    proof.symbolically("the first token: h_1 = 1", first * 1 + (1 - first) * h, 1, "h_1")
    proof.symbolically("the second token: every h_2 is kept", second * 1 + (1 - second) * h, h, "h_2")
    proof.certificate("witness", "a line of fixed points", inputs=[1, 1], slope=-1, constant=1, solutions=[[1, 0], [1, 1], [1, 7]])


@claim(
    "movahedi25.appC1.gap",
    place="App. C.1 and Figure 7",
    of="movahedi25.appC1.several",
    flaw="gap",
    quotes=(
        "fixed-points found in parallel (or chunked) form at training time or sequentially at inference time could not be equivalent anymore",
        "we observe that this is indeed the case at initialization",
    ),
    title="different end values of sequential and parallel iterations can come from the stopping rule alone",
    says=r"A difference between the values found token by token and in parallel, each stopped by the rule of App. D.2, shows that the fixed point is not unique.",
    reading="'while we observe that this is indeed the case at initialization' (Figure 7); that the difference can come from the rule alone, not that it does in the paper's model, where alpha in "
    "(0, 1) allows tokens whose map does not contract",
    letter="Figure 7 need not show several fixed points, since the stopping rule alone can make the two methods differ. Take d = 1, Lambda = Q = 1/2 and the "
    "inputs 1, 1. The fixed point is unique; stopped at a relative change of 0.1, they differ. A much smaller change would tell the two explanations apart.",
    sabotages={"stopped at 10^-12": {"tolerance": fmpq(1, 10**12), "visible": fmpq(1, 10**9)}},
)
def the_rule_makes_the_gap(proof: Proof, tolerance: fmpq = fmpq(1, 10), visible: fmpq = fmpq(1, 100)) -> None:
    r"""A fixed linear layer, $d=1$, $T=2$, $Q=\Lambda=\frac12$: one fixed point, $(1,2)$, and the rule alone separates the two methods.

    Token by token each equation is solved up to the rule before the next is read; in parallel the rule looks at the whole sequence."""
    layer = Selective(lambda x, p: ungated([fmpq(1, 2)], exact.rationals([["1/2"]]), [x]), exact.zeros(1))
    inputs = [fmpq(1), fmpq(1)]
    one_by_one, most = layer.run_sequential(inputs, tolerance)
    together, passes = layer.run_parallel(inputs, tolerance)
    solution = layer.solve(inputs)
    gap = abs(one_by_one - together).max() / abs(together).max()
    proof.counterexample(
        given={
            "Lambda = Q": fmpq(1, 2),
            "a pass": "f_t = Lambda f_(t-1) + Q x_t + (1 - Q) h_t, from 0",
            "x": inputs,
            "tolerance": tolerance,
            "token by token": one_by_one[:, 0],
            "in parallel": together[:, 0],
            "fixed point": solution[:, 0],
            "passes": [most, passes],
            "relative gap": gap,
        },
        words={"fixed": np.array_equal(layer.parallel(inputs, solution), solution), "differ": gap > visible},
        minimal="d = 1, T = 2, linear",
    )
    proof.certificate(
        "witness", "one fixed point, two values", decay=fmpq(1, 2), Q=fmpq(1, 2), inputs=inputs, tolerance=tolerance, visible=visible
    )


@claim(
    "movahedi25.appC1.gap.amended",
    place="App. C.1",
    amends="movahedi25.appC1.gap",
    title="with dependence on the state just before, the fixed point is unique as soon as each I − Gₜ (I − Qₜ) is invertible",
    says=r"Let the parameters of token $t$ be any functions of $x_t$ and $h_{t-1}$ for which $I-G_t(I-Q_t)$ is invertible. Then $h=f(h)$ has exactly one solution, found token after token.",
    hypotheses=("dependence on the state (or output) just before, as in App. D.3",),
    construction="lemmata.constructions.fixed_point.Selective",
    sabotages={
        "any matrices, which the kernel refutes": {"theorem": "recurrences.one_solution_token_after_token_always"},
        "a mixer that is not invertible": {"mixer": lambda p: 1 - p},
        "two solutions": {"moved": lambda h: h * 0},
    },
)
def unique_without_contraction(
    proof: Proof,
    mixer=lambda p: 1 / (1 + p * p),
    moved=lambda h: h,
    theorem: str = "recurrences.one_solution_token_after_token",
) -> None:
    r"""Given the state before, the equation of a token is linear with an invertible matrix; no contraction is needed.

    1. Let $h_1,\dots,h_{t-1}$ be determined. The parameters $\Lambda_t,G_t,Q_t$ of token $t$ are then fixed, and $h_t=\Lambda_th_{t-1}+s_t+K_th_t$, $K_t=G_t(I-Q_t)$, $s_t=G_tQ_tB_tx_t$, says
       $(I-K_t)h_t=\Lambda_th_{t-1}+s_t$. [checked: "h - f(h) = (I - K) h - (Lambda p + s)"]
    2. $I-K_t$ is invertible, so there is exactly one $h_t$: two would differ by $e$ with $(I-K_t)e=0$. [checked: "two solutions differ by e with (I - K) e = 0"]
    3. Induction over $t$. The layer $Q=1/(1+h_{t-1}^2)$, $\Lambda=0$ is an example with mixers arbitrarily near 0. [checked: "an example: the mixer is not 0"] [prose]
    """
    proof.formally(
        "the kernel: one solution, on every prefix",
        theorem,
        whole="every size, length and dependence on the state before",
        differs="any field for the reals, and any matrices for diagonal ones; times from 0",
    )
    h, g, p, s, K, L = sympy.symbols("h g p s K Lambda", commutative=False)
    proof.symbolically(
        "h - f(h) = (I - K) h - (Lambda p + s)",
        h - (L * p + s + K * h),
        sympy.expand((1 - K) * h) - (L * p + s),
        "Lambda, K, h, p, s of any size",
    )
    two = (h - (L * p + s + K * h)) - (g - (L * p + s + K * g))
    proof.symbolically(
        "two solutions differ by e with (I - K) e = 0",
        sympy.expand(two),
        sympy.expand((1 - K) * (moved(h) - g)),
        "Lambda, K, h, h', p, s of any size",
    )
    x = sympy.Symbol("p", real=True)
    proof.holds("an example: the mixer is not 0, for any state", bool(sympy.sympify(mixer(x)).is_nonzero), free="h_(t-1)")
    rng = Random(78)
    for T in (2, 3):
        inputs = [samples.integers(rng, 2) for _ in range(T)]
        proof.certificate(
            "witness",
            f"{T} tokens, I - Q of norm at most 1/2",
            norm=fmpq(1, 2),
            inputs=inputs,
            solution=lag_one_layer(fmpq(1, 2)).solve(inputs),
        )


@claim(
    "movahedi25.appC1.gap.amended.converges",
    place="App. C.1",
    amends="movahedi25.appC1.gap",
    title="if each token's map contracts and depends continuously on the state before, both iterations converge at every length",
    says=r"Let the parameters of token $t$ be continuous functions of $x_t$ and $h_{t-1}$ with $\|G_t(I-Q_t)\|\le\gamma<1$. Then the parallel and the sequential iteration converge to the one solution of "
    r"$h=f(h)$, from every start, at every length.",
    hypotheses=("dependence on the state (or output) just before, as in App. D.3",),
    construction="lemmata.constructions.fixed_point.Selective",
    sabotages={"I - Q of norm 2": {"norm": fmpq(2)}},
)
def lag_one_converges(proof: Proof, norm: fmpq = fmpq(1, 2)) -> None:
    r"""Induction over the tokens: a contraction whose parameters converge has iterates that converge.

    1. The solution exists and is unique, as $I-G_t(I-Q_t)$ is invertible. [uses: movahedi25.appC1.gap.amended]
    2. If the iterates of $h_1,\dots,h_{t-1}$ converge to it, token $t$ sees parameters that converge, by continuity, and a map $h_t\mapsto c^\ell+K^\ell h_t$ with $c^\ell\to c$, $K^\ell\to K$,
       $\|K^\ell\|\le\gamma$. [prose]
    3. With $h=c+Kh$ for the solution, $c^\ell+K^\ell h^\ell-h=K^\ell(h^\ell-h)+(c^\ell-c)+(K^\ell-K)h$. [checked: "the error after a pass"] So the error satisfies $e_{\ell+1}\le\gamma e_\ell+r_\ell$ with $r_\ell\to0$, and
       $e_\ell\to0$. In the sequential iteration, with $\ell$ passes for each token, $r$ stays the same during the passes of token $t$: its error is at most $\gamma^\ell e_0+\frac r{1-\gamma}$, and $r\to0$ with $\ell$. [prose]

    Beside the argument the machine compares exact solutions with iterates in balls of 256 bits.
    """
    c, C, K, M, h, g = sympy.symbols("c C K M h g", commutative=False)  # C, M: the token as the iterates see it; g: the iterate
    proof.symbolically(
        "the error after a pass",
        sympy.expand(C + M * g - (c + K * h)),
        sympy.expand(M * (g - h) + (C - c) + (M - K) * h),
        "c, K, h and their approximations, of any size",
    )
    with proof.beside():
        _iterates_in_balls(proof, norm)


def _iterates_in_balls(proof: Proof, norm: fmpq) -> None:
    """Instances: exact solutions, and 60 passes from random starts."""
    rng, count = Random(75), proof.pick(3, 8, 30)
    longest = proof.pick(3, 4, 5)
    layer = lag_one_layer(norm)
    for p in ([0, 0], [fmpq(3, 5), fmpq(-4, 5)], [2, 1]):
        state = exact.rationals(p)
        mixing = exact.identity(2) - layer.token(state, state).mixer
        across, size = exact.rationals([-p[1], p[0]]), state @ state
        images = [list(mixing @ across), list(mixing @ state)]
        wanted = [list(across * norm), list(state * norm * (1 - size) / (1 + size))]
        proof.exactly("I - Q has the factor norm across the state, and (1 - |p|^2)/(1 + |p|^2) of that along it", images, wanted)
    saved, ctx.prec = ctx.prec, 256
    try:
        for _ in proof.each(
            f"{count} rational input sequences, d = 2, T <= {longest}, seed 75; mixers and decays rational functions of the state before",
            range(count),
        ):
            T = rng.randint(2, longest)
            inputs = [samples.integers(rng, 2) for _ in range(T)]
            h = layer.solve(inputs)
            proof.exactly("f(h) = h", layer.parallel(inputs, h), h)
            t, e = rng.randrange(T), samples.nonzero_vector(rng, 2)
            moved = h.copy()
            moved[t] = moved[t] + e
            proof.holds("h - f(h) is not 0 where h first differs", ((moved - layer.parallel(inputs, moved))[t] != 0).any())
            balls, target = [_balls(x) for x in inputs], _balls(h)
            start = _balls(samples.integers(rng, T, 2))
            in_balls = Selective(layer.token, _balls(layer.initial))
            for _ in range(60):
                start = in_balls.parallel(balls, start)
            proof.certified("60 passes from a random start: within 10^-6", all(bool(abs(x) < arb("1e-6")) for x in (start - target).flat))
    finally:
        ctx.prec = saved


def _balls(array: Array) -> Array:
    return exact.map_entries(arb, np.asarray(array, dtype=object))
