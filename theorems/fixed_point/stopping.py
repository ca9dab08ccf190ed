"""When to stop, and dependence on the previous state: one fixed point, and the rule that makes two of it (movahedi25, App. C.1, D.2, Figure 7)."""

from __future__ import annotations

from random import Random

import numpy as np
from flint import arb, ctx, fmpq

from ...constructions import samples
from ...constructions.fixed_point import Selective, dense_states, diagonal_layer, gated, iterate, lag_one_layer, ungated
from ...numerics import exact
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof
from .lipschitz import contraction_with_norm, decays

# -- the stopping rule ---------------------------------------------------------------------------------------------------------


@claim(
    "movahedi25.appD2.stopping",
    topic="fixed_point",
    place="App. D.2, after Eq. 9",
    title="when a pass changes y by less than a tenth, the iteration has converged to about that accuracy",
    says=r"If $\|y^\ell-y^{\ell-1}\|_\infty<0.1\,\|y^\ell\|_\infty$ then $y^\ell$ is within a tenth of the fixed point, relatively, say within a half.",
    reading="'until convergence'; Figures 4, 6 and 7 count passes by this rule",
    sabotages={"a mixer near 1": {"mixers": ("9/10",)}},
)
def slow_is_not_settled(proof: Proof, mixers=("9/10", "1/2", "1/10", "1/100", "1/1000")) -> None:
    """For scalar Q = eps, h^l = (1 - (1 - eps)^l) h*: for small eps it grows like l eps h*, so the 10th pass changes it by less than a tenth of itself."""

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
            given={"Q": q, "passes until the rule stops": passes, "relative error there": error},
            hypotheses={"|1 - Q| < 1": 0 < exact.rational(q) < 2},
            violates={"the relative error is above one half": error > fmpq(1, 2)},
            minimal="T = d = 1",
        )
        proof.exactly(
            "Q = 1/10^6: stopped at pass 10, with 99.999 percent of the way to go", stopped("1/1000000"), (10, (1 - fmpq(1, 10**6)) ** 10)
        )


@claim(
    "movahedi25.appD2.stopping.amended",
    topic="fixed_point",
    place="App. D.2, after Eq. 9",
    kind="amended",
    amends="movahedi25.appD2.stopping",
    title="a contraction by gamma is within gamma/(1 - gamma) times the last change of its fixed point, and this is sharp",
    says=r"If $f$ contracts by $\gamma$, $\|h^\ell-h^*\|\le\frac{\gamma}{1-\gamma}\|h^\ell-h^{\ell-1}\|$; so the tolerance must shrink with $1-\gamma$. Equality for $I-Q=\gamma I$, $\Lambda=0$.",
    uses=("movahedi25.thm2.1.amended",),
    sabotages={"gamma in place of gamma/(1 - gamma)": {"factor": lambda g: g}},
)
def last_change_bounds_the_error(proof: Proof, factor=lambda g: g / (1 - g)) -> None:
    """h^l - h* is the sum of all later changes, each at most gamma times the one before."""
    rng = Random(76)
    count, longest = proof.pick((12, 4), (40, 6), (150, 12))
    for _ in proof.each(f"{count} rational gated layers, d <= 3, T <= {longest}, three passes", range(count)):
        d, T, norm = rng.randint(1, 3), rng.randint(1, longest), fmpq(rng.randint(1, 9), 10)
        mixer, decay = exact.identity(d) - contraction_with_norm(rng, d, norm), decays(rng, d)
        tokens = [gated(decay, mixer, samples.integers(rng, d)) for _ in range(T)]
        target, h = dense_states(tokens), exact.zeros(T, d)
        for _ in range(3):
            before, h = h, diagonal_layer(tokens, h)
            error, change = h - target, h - before
            proof.holds(
                "|h^l - h*| <= gamma/(1 - gamma) |h^l - h^(l-1)|", (error * error).sum() <= factor(norm) ** 2 * (change * change).sum()
            )
    for gamma in proof.each("Lambda = 0, gamma in {1/4, 1/2, 9/10}: equality", (fmpq(1, 4), fmpq(1, 2), fmpq(9, 10))):
        token = gated([fmpq(0)], exact.rationals([[1 - gamma]]), [fmpq(1)])
        first, second = iterate([token], 1)[0, 0], iterate([token], 2)[0, 0]
        proof.exactly("error = gamma/(1 - gamma) change", dense_states([token])[0, 0] - second, factor(gamma) * (second - first))


# -- dependence on the previous state ---------------------------------------------------------------------------------------------


@claim(
    "movahedi25.appC1.several",
    topic="fixed_point",
    place="App. C.1, third paragraph",
    title="with dependence on the previous state the fixed point may not be unique",
    says=r"There are tokens that depend on $h_{t-1}$ for which $h=f(h)$ has more than one solution.",
    reading="without asking that each token's map contracts",
    sabotages={"an invertible mixer at both tokens": {"mixer": lambda p: 1 - p / 2}},
)
def a_line_of_fixed_points(proof: Proof, mixer=lambda p: 1 - p) -> None:
    """d = 1, T = 2: the first state makes the second mixer 0, and then every h_2 solves h_2 = h_2. But then that token's own map does not contract."""
    layer = Selective(lambda x, p: ungated([fmpq(0)], np.array([[mixer(p[0])]], dtype=object), [x]), exact.zeros(1))
    for second in proof.each("h_1 = 1, h_2 in {0, 1, 7}", (0, 1, 7)):
        h = exact.rationals([[1], [second]])
        proof.exactly("f(h) = h", layer.parallel([fmpq(1), fmpq(1)], h), h)


@claim(
    "movahedi25.appC1.gap",
    topic="fixed_point",
    place="App. C.1 and Figure 7",
    title="where sequential and parallel iterations end in different values, they found different fixed points",
    says=r"A difference between the values found token by token and in parallel, each stopped by the rule of App. D.2, shows that the fixed point is not unique.",
    sabotages={"stopped at 10^-12": {"tolerance": fmpq(1, 10**12), "visible": fmpq(1, 10**9)}},
)
def the_rule_makes_the_gap(proof: Proof, tolerance: fmpq = fmpq(1, 10), visible: fmpq = fmpq(1, 100)) -> None:
    """A fixed linear layer, d = 1, T = 2, with Q = 1/2 and decay 1/2: one fixed point, and the rule alone separates the two methods."""
    layer = Selective(lambda x, p: ungated([fmpq(1, 2)], exact.rationals([["1/2"]]), [x]), exact.zeros(1))
    inputs = [fmpq(1), fmpq(1)]
    one_by_one, most = layer.run_sequential(inputs, tolerance)
    together, passes = layer.run_parallel(inputs, tolerance)
    solution = layer.solve(inputs)
    gap = abs(one_by_one - together).max() / abs(together).max()
    proof.counterexample(
        given={
            "token by token": one_by_one[:, 0],
            "in parallel": together[:, 0],
            "fixed point": solution[:, 0],
            "passes": [most, passes],
            "relative gap": gap,
        },
        hypotheses={
            "it is a fixed point, and Q is invertible at every token, so the only one": np.array_equal(
                layer.parallel(inputs, solution), solution
            )
        },
        violates={"the two methods differ visibly": gap > visible},
        minimal="d = 1, T = 2, linear",
    )


@claim(
    "movahedi25.appC1.gap.amended",
    topic="fixed_point",
    place="App. C.1",
    kind="amended",
    amends="movahedi25.appC1.gap",
    title="if each token's map contracts, given the state before it, there is one fixed point, and both methods tend to it at every length",
    says=r"Let the parameters of token $t$ be continuous functions of $x_t$ and $h_{t-1}$ with $\|G_t(I-Q_t)\|\le\gamma<1$. Then $h=f(h)$ has exactly one solution, and the parallel and the sequential "
    r"iteration converge to it from every start.",
    hypotheses=("dependence on the state (or output) just before, as in App. D.3",),
    construction="lemmata.constructions.fixed_point.Selective",
    sabotages={"I - Q of norm 2": {"norm": fmpq(2)}},
)
def lag_one_is_unique(proof: Proof, norm: fmpq = fmpq(1, 2)) -> None:
    """Induction over t. Given h_1, ..., h_(t-1) the equation for h_t is linear with an invertible matrix. If the iterates of h_1, ..., h_(t-1) converge, token t
    sees parameters that converge and a contraction by gamma, so its iterates converge to the solution. Exact solutions, iterates in balls of 256 bits."""
    rng, count = Random(75), proof.pick(3, 8, 30)
    longest = proof.pick(3, 4, 5)
    layer = lag_one_layer(norm)
    saved, ctx.prec = ctx.prec, 256
    try:
        for _ in proof.each(
            f"{count} rational input sequences, d = 2, T <= {longest}; mixers and decays rational functions of the state before",
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
