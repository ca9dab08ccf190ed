"""One hidden layer: how many neurons approximate a Barron function in the mean square, and why not uniformly with every sigmoidal function (orvieto24, Theorem 1)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import sympy
from flint import arb, fmpq

from ...constructions.universality import networks
from ...constructions.universality.networks import Network, centred_steps, generic_points, greedy
from ...constructions.universality.spectra import Spectrum, fmpq_to_float, random_spectrum
from ...numerics import exact
from ...numerics.aliases import Exact
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof

# -- Theorem 1 ---------------------------------------------------------------------------------------------------------------


@claim(
    "orvieto24.thm1",
    place="Theorem 1",
    of="orvieto24.thm2",
    flaw="overstatement",
    quotes=(
        r"where $\sigma$ is any sigmoidal function",
        r"then there exist parameters such that $\sup_{\|x\| \leq r} |f(x) - g(x)| \leq \epsilon$",
    ),
    weight="hypothesis",
    title="2 r² C² / ε² neurons of any sigmoidal kind need not approximate a Barron function uniformly on a ball of radius r",
    says=r"For every sigmoidal $\sigma$ and $D\ge2r^2C_f^2\epsilon^{-2}$ some $g(x)=\sum_{k\le D}c_k\sigma(\langle a_k,x\rangle+b_k)+c_0$ has $\sup_{\|x\|\le r}|f-g|\le\epsilon$.",
    reading="sigmoidal as the footnote has it: limits 0 and 1, nothing else; the supremum over the ball, as printed (Barron's theorem is about the mean square over a probability measure)",
    letter="Barron's theorem bounds the mean square over a probability measure on the ball, not the supremum. With the supremum, and any function with the limits "
    "0 and 1, Theorem 1 fails. Our example is a step with spikes of height 100 at a sequence that falls to 0; we have no continuous one. For monotone "
    "sigma in one variable it is true.",
    remarks=(
        "A continuous example is not known to us. In one variable it would have to be rough on every interval: where sigma is smooth and no polynomial, D neurons come "
        "arbitrarily near every polynomial of degree D, and these are within (pi/2) r C_f / (D + 1) of f (Favard), less than eps for D >= 2 r^2 C_f^2 / eps^2.",
        "Spikes of heights 1, 2, 3, ... (sigma unbounded, limits as in the footnote) leave nothing but constants: a neuron that jumps inside the ball has weight 0 in every network with a bounded error.",
    ),
    sabotages={
        "a flat function, for which a constant is enough": {"amplitude": fmpq(1)},
        "spikes at equal distances, which neurons can cancel": {"points": [fmpq(i, 10) for i in range(1, 9)]},
        "low spikes": {"height": 3},
    },
)
def any_sigmoidal_function(proof: Proof, amplitude=fmpq(12, 5), points=None, height: int = 100) -> None:
    r"""A step with spikes of height 100 at a sequence $p_1>p_2>\dots\to0$ of which no affine map but the identity sends three points to points of it.

    A neuron that jumps inside $(-r,r)$ has infinitely many spikes there; two different neurons share at most two; beside a spike that is not shared $g$ jumps by $99|c|$, so
    $|c|\le2e/99$ for an error $e$. Off countably many points three neurons therefore move $g$ by at most $6e/99$, but $f(x)=\tfrac{12}5xe^{-x^2/2}$, $C_f=\tfrac{12}5$, varies by
    $2f(\tfrac12)=2.118$ on $[-\tfrac12,\tfrac12]$. So $2.118\le2e+6e/99$, and $e\ge1.0278>\epsilon=1$, though $D=3\ge2r^2C_f^2\epsilon^{-2}=2.88$."""
    x, w = sympy.symbols("x w", real=True)
    scale = sympy.Rational(int(amplitude.p), int(amplitude.q))
    f = scale * x * sympy.exp(-(x**2) / 2)
    transform = -sympy.I * scale * w * sympy.exp(-(w**2) / 2) / sympy.sqrt(2 * sympy.pi)
    # |w| |F(w)| is even
    barron = sympy.simplify(2 * sympy.integrate(w * scale * w * sympy.exp(-(w**2) / 2) / sympy.sqrt(2 * sympy.pi), (w, 0, sympy.oo)))
    back = sympy.simplify(sympy.integrate(transform * sympy.exp(sympy.I * w * x), (w, -sympy.oo, sympy.oo)) - f)
    r, eps, width = fmpq(1, 2), fmpq(1), 3
    spikes = generic_points(proof.pick(7, 8, 10)) if points is None else points
    ratios = networks.affine_ratios(spikes)
    far = networks.spiked_step(spikes, height)(exact.rationals([-3, 0, 1, 3, spikes[0]]))
    variation = 2 * arb(amplitude) * arb(r) * (-arb(r * r) / 2).exp()
    # of an error e: f varies by at most 2 e and what the neurons move, 2 e / (height - 1) each
    least = variation / arb(2 + fmpq(2 * width, height - 1))
    proof.counterexample(
        given={
            "f": str(f),
            "C_f": str(barron),
            "r": r,
            "eps": eps,
            "D": width,
            "sigma": "0 below 0, 1 from 0 on, but the height below at the spikes",
            "spikes (the first ones)": spikes,
            "the j-th spike": "just above 2^-j, so that (p_k - p_i)/(p_j - p_i) differ for all triples",
            "their height": height,
            "least error, at least": least.str(5, radius=False),
        },
        words={
            "amplitude": bool(sympy.simplify(barron - scale) == 0),
            "inverse": bool(back == 0),
            "width": bool(width >= 2 * r * r * amplitude * amplitude / (eps * eps)),
            "sigmoid": list(far) == [0, 1, 1, 1, height] and all(0 < p < 1 for p in spikes),
            "spikes": len(set(ratios)) == len(ratios),
            "increase": bool(least > arb(eps)) and r < 1,
        },
        how="certified",
        minimal="n = 1, r = 1/2, D = 3, sigma bounded by 100; for D <= 2 a constant is always enough",
    )
    proof.certificate(
        "witness",
        "f(x) = A x exp(-x^2/2), C_f = A; spikes of the step",
        amplitude=amplitude,
        r=r,
        eps=eps,
        width=width,
        height=height,
        spikes=spikes,
    )


def _mean_square(rows: Array, weights: Array) -> Exact:
    """Sum of weights times the mean over the points of the squared rows."""
    return (weights * (rows * rows).sum(axis=1)).sum() / rows.shape[1]


def _centred(along: list, thresholds: list) -> Array:
    """Steps +-1/2, shape (thresholds, points)."""
    return exact.rationals([[fmpq(1, 2) if t > s else fmpq(-1, 2) for t in along] for s in thresholds])


def _printed(along: list, thresholds: list) -> Array:
    """Steps 0, 1."""
    return exact.rationals([[1 if t > s else 0 for t in along] for s in thresholds])


@claim(
    "orvieto24.thm1.amended",
    place="Theorem 1",
    amends="orvieto24.thm1",
    title="r² C² / ε² steps bring the mean square error over any probability measure on the ball down to ε",
    says=r"For every probability measure $\mu$ on $\|x\|\le r$ and $D\ge r^2C_f^2\epsilon^{-2}$ there are $D$ steps with $\|f-g\|_{L^2(\mu)}\le\epsilon$; $F$ may be a measure. Barron has $4r^2C_f^2\epsilon^{-2}$; steps $\pm\tfrac12$ instead of $0,1$ save the factor 4.",
    construction="lemmata.constructions.universality.networks.greedy",
    sabotages={
        "steps 0 and 1, not centred": {"steps": _printed},
        "draws are not averaged over D": {"average": lambda n: n + 1},
        "a sixteenth of the neurons": {"neurons": lambda width: width // 16},
    },
)
def centred_steps_by_maurey(proof: Proof, steps=_centred, average=lambda n: n, neurons=lambda width: width) -> None:
    r"""Every wave is a mean of centred steps, and a random draw of $D$ of them errs by its standard deviation over $\sqrt D$ (Maurey).

    1. On $[-r,r]$ a wave is a constant plus an integral of centred steps, $\tfrac12\int_{-r}^{r}\operatorname{sign}(z-t)\,\psi'(t)\,dt$, with $\psi(t)=\cos(\omega t+\theta)$.
       [checked: "a wave is a constant plus an integral of centred steps"]
    2. Its variation is at most $2r\omega$, because $|\cos a-\cos b|=2|\sin\tfrac{a+b}2\sin\tfrac{a-b}2|\le|a-b|$. [checked: "cos a - cos b = -2 sin((a+b)/2) sin((a-b)/2)"] [prose]
    3. With $\omega=\|w\|$ along the direction $w/\|w\|$ and weights $|F(w)|$, integrated over $w$: $f$ is a constant plus $2rC_f$ times a mean of functions $\pm\tfrac12$ of one
       linear form each; that is, a mean of functions $h$ with $|h|\le rC_f$. [checked: "f is a constant plus the mean of the steps"; "each step has size at most half the variation"] [prose]
    4. For $D$ independent draws the mean of $\|f-\tfrac1D\sum h_i\|^2_{L^2(\mu)}$ is $(\mathbb E\|h\|^2-\|f\|^2)/D\le r^2C_f^2/D$; some draw is no worse than the mean, and the greedy choice finds one.
       [checked: "the mean squared error over all draws is the variance over D"; "the greedy choice is no worse"] [prose]
    5. With whole networks of $D=r^2C_f^2\epsilon^{-2}$ steps, in two and three variables. [checked: "mean square error at most r^2 C_f^2 / D"; "with D = r^2 C_f^2 / eps^2 steps"]
    """
    w, r = sympy.symbols("w r", positive=True)
    z, t, theta = sympy.symbols("z t theta", real=True)
    wave = sympy.cos(w * t + theta)
    slope = sympy.diff(wave, t)
    from_steps = (sympy.integrate(slope, (t, -r, z)) - sympy.integrate(slope, (t, z, r))) / 2 + (wave.subs(t, r) + wave.subs(t, -r)) / 2
    proof.symbolically("a wave is a constant plus an integral of centred steps", from_steps, wave.subs(t, z), free="w, theta, r, z")
    # |sin| <= 1 and |sin u| <= |u| bound the variation by |w| per unit of length
    a, b = sympy.symbols("a b", real=True)
    proof.symbolically(
        "cos a - cos b = -2 sin((a+b)/2) sin((a-b)/2)",
        sympy.expand_trig(sympy.cos(2 * a) - sympy.cos(2 * b)),
        sympy.expand_trig(-2 * sympy.sin(a + b) * sympy.sin(a - b)),
        free="a, b",
    )
    rng = Random(111)
    count = proof.pick(2, 4, 8)
    for case in proof.each(f"{count} rational functions on 5 points, seed 111", range(count)):
        points = sorted(fmpq(rng.randint(-9, 9), 4) + fmpq(i, 100) for i in range(5))
        values = exact.rationals([rng.randint(-6, 6) for _ in points[:-1]] + [7 + case])
        jumps = values[1:] - values[:-1]
        mass = sum(abs(j) for j in jumps)
        rows = steps(points, points[:-1]) * np.array([1 if j >= 0 else -1 for j in jumps], dtype=object)[:, None]
        weights = np.array([abs(j) / mass for j in jumps], dtype=object)
        target = weights @ rows * mass
        centre = (values[0] + values[-1]) / 2
        proof.exactly("f is a constant plus the mean of the steps", target + centre, values)
        total = mass * mass * _mean_square(rows, weights)
        proof.holds("each step has size at most half the variation", bool(total <= (mass / 2) ** 2))
        proof.certificate("witness", "a function on 5 points, and all draws of up to 2 steps", points=points, values=values)
        variance = total - (target * target).sum() / len(points)
        for count in (1, 2, 3):
            mean = fmpq(0)
            for draw in product(range(len(weights)), repeat=count):
                chance = np.prod([weights[i] for i in draw])
                error = target - rows[list(draw)].sum(axis=0) * mass / average(count)
                mean = mean + chance * (error * error).sum() / len(points)
            proof.exactly("the mean squared error over all draws is the variance over D", mean, variance / count)
            _, found = greedy(target, rows, count, mass)
            error = target - found
            proof.holds("the greedy choice is no worse", bool((error * error).sum() / len(points) <= variance / count))
    count = proof.pick(2, 3, 6)
    for case in proof.each(
        f"{count} random sums of waves in 2 or 3 variables, seed 111, r = 1, 60 points of the ball, seeds 0, 1, ...", range(count)
    ):
        n = 2 + case % 2
        f = random_spectrum(rng, n)
        points = in_ball(Random(case), 60, n)
        eps, width = f.barron / 8, 64
        network = approximate(f, points, neurons(width))
        proof.exactly("with D = r^2 C_f^2 / eps^2 steps", network.width, width)
        error = _squared_error(f, network, points)
        proof.certified("mean square error at most r^2 C_f^2 / D, and not 0", bool(0 < error <= eps * eps), f"{error} > {eps * eps}")


def in_ball(rng: Random, count: int, n: int) -> Array:
    """Points of the grid of width 1/1024, uniform in the unit ball, shape (count, n).

    Raises ``ArithmeticError`` if fewer than one in a thousand points of the cube lie in the ball, which takes n > 8.
    """
    points: list[list[int]] = []
    for _ in range(1000 * count):
        if len(points) == count:
            break
        x = [rng.randint(-1024, 1024) for _ in range(n)]
        if sum(a * a for a in x) <= 1024**2:
            points.append(x)
    if len(points) < count:
        raise ArithmeticError(f"expected {count} points in the ball among {1000 * count} of the cube, got {len(points)}")
    return np.array(points).reshape(count, n) / 1024


def dyadic(values: object) -> object:
    """Doubles as the rationals that they are."""
    return exact.map_entries(lambda x: exact.rational(Fraction(float(x))), np.asarray(values))[()]


#: what frequencies and weights are rounded to: sums of so few of them are exact in doubles, so that no kernel of linear algebra decides a greedy choice
GRID = 2.0**30


def on_grid(values: Array) -> Array:
    """The nearest multiples of 1 / ``GRID``."""
    return np.rint(values * GRID) / GRID


def approximate(f: Spectrum, points: Array, width: int, choose=greedy) -> Network:
    """A network of ``width`` steps for f on the points (p, n), by the greedy choice; the same on every machine."""
    # one of each pair of opposite frequencies; the wave of w and -w together is 2 Re(F(w) exp(i <w, x>))
    waves = [(w, c) for w, c in f.atoms.items() if w > tuple(-a for a in w)]
    frequencies = on_grid(np.array([[fmpq_to_float(a) for a in w] for w, _ in waves]).reshape(len(waves), points.shape[1]))
    cosines = np.array([2 * fmpq_to_float(p) for _, (p, _) in waves])
    sines = np.array([-2 * fmpq_to_float(q) for _, (_, q) in waves])
    directions, thresholds, weights, constant = centred_steps(frequencies, cosines, sines, points)
    weights, constant = on_grid(weights), on_grid(constant)
    mass = np.abs(weights).sum()
    rows = np.sign(weights)[:, None] * (0.5 * np.sign(directions @ points.T - thresholds[:, None]))
    chosen, _ = choose(rows.T @ np.abs(weights), rows, width, mass)
    height = np.sign(weights[chosen]) * mass / width
    constant = float(constant) + sum(fmpq_to_float(p) for w, (p, _) in f.atoms.items() if not any(w))
    return Network(directions[chosen], -thresholds[chosen], height, constant - height.sum() / 2)


def _squared_error(f: Spectrum, network: Network, points: Array) -> arb:
    """The mean over the points of the squared error, in balls."""
    return sum((e * e for e in errors_at(f, network, points)), arb(0)) / len(points)


def errors_at(f: Spectrum, network: Network, points: Array) -> list[arb]:
    """The errors at the points, in balls; points and weights are doubles, so exact."""
    errors = []
    for x in points:
        on = network.inner @ x + network.bias >= 0
        errors.append(f(x) - sum((arb(float(c)) for c in network.outer[on]), arb(float(network.offset))))
    return errors


@claim(
    "orvieto24.thm1.relu",
    place="after Theorem 1",
    title="a difference of two ReLUs is sigmoidal, so ReLU networks need at most twice as many neurons",
    says=r"$\operatorname{ReLU}(x)-\operatorname{ReLU}(x-1)$ is $0$ for $x\le0$, $x$ on $[0,1]$ and $1$ for $x\ge1$: sigmoidal, and one neuron with it is two ReLU neurons.",
    construction="lemmata.constructions.universality.networks.ramp",
    sabotages={
        "the second ReLU is not shifted": {"shift": 0},
        "no shift, which the kernel refutes": {"theorem": "universality.relu_difference_unshifted"},
    },
)
def two_relus(proof: Proof, shift: int = 1, theorem: str = "universality.relu_difference") -> None:
    r"""The three pieces, each with a free variable: for $x=-t\le0$ both terms are $0$, for $x=1/(1+t)\in(0,1]$ the second is, for $x=1+t\ge1$ the difference is $x-(x-1)=1$.

    So $c\,\sigma(u)=c\operatorname{ReLU}(u)-c\operatorname{ReLU}(u-1)$: a neuron with this $\sigma$ is two ReLU neurons."""
    proof.formally("the kernel: a difference of two ReLUs", theorem)
    proof.formally("the kernel: it is sigmoidal", "universality.ramp_sigmoidal")
    proof.formally(
        "the kernel: a network of D such neurons is one of 2 D ReLUs",
        "universality.ramp_is_two_relus",
        whole="every x, and every network",
        differs="an ordered field for the reals",
    )
    t = sympy.symbols("t", nonnegative=True)
    value = lambda x: sympy.Max(0, x) - sympy.Max(0, sympy.together(x - shift))  # noqa: E731
    proof.symbolically("0 for x <= 0", value(-t), 0, free="x <= 0")
    proof.symbolically("x for 0 < x <= 1", value(1 / (1 + t)), 1 / (1 + t), free="x in (0, 1]")
    proof.symbolically("1 for x >= 1", value(1 + t), 1, free="x >= 1")
