"""One hidden layer: how many neurons approximate a Barron function, in which sense (orvieto24, Theorem 1, Remark 1, Proposition 2)."""

from __future__ import annotations

from itertools import pairwise, product
from random import Random

import numpy as np
import sympy
from flint import arb, fmpq

from ...constructions.universality import networks
from ...constructions.universality.networks import Network, centred_steps, generic_points, greedy, greedy_uniform, staircase
from ...constructions.universality.spectra import Spectrum, fmpq_to_float, random_spectrum
from ...numerics import exact
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof

# -- Theorem 1 ---------------------------------------------------------------------------------------------------------------


@claim(
    "orvieto24.thm1",
    topic="universality",
    place="Theorem 1",
    title="2 r^2 C^2 / eps^2 neurons with any sigmoidal function approximate a Barron function uniformly on the ball of radius r",
    says=r"For every sigmoidal $\sigma$ and $D\ge2r^2C_f^2\epsilon^{-2}$ some $g(x)=\sum_{k\le D}c_k\sigma(\langle a_k,x\rangle+b_k)+c_0$ has $\sup_{\|x\|\le r}|f-g|\le\epsilon$.",
    reading="sigmoidal as printed: limits 0 and 1, nothing else; the theorem that is cited is about the mean square over a probability measure",
    sabotages={
        "a flat function, for which a constant is enough": {"amplitude": fmpq(1)},
        "spikes at equal distances, which neurons can cancel": {"points": [fmpq(i, 10) for i in range(-9, 10)]},
    },
)
def any_sigmoidal_function(proof: Proof, amplitude=fmpq(12, 5), points=None) -> None:
    """A step with spikes of height 1, 2, 3, ... at a dense sequence in (-1, 1) that no affine map but the identity sends to itself in three places.

    A neuron that is not constant on (-r, r) has infinitely many spikes there; two different neurons share at most two; so a network with any number of neurons is constant
    or unbounded on (-r, r), and a constant misses f = (12/5) x exp(-x^2/2) by its half-oscillation, which exceeds 1 for r = 1/2."""
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
    sigma = networks.spiked_step(spikes)
    far = sigma(exact.rationals([-3, -1, 1, 3]))
    half_oscillation = arb(amplitude) * arb(r) * (-arb(r * r) / 2).exp()
    proof.counterexample(
        given={
            "f": str(f),
            "C_f": str(barron),
            "r": r,
            "eps": eps,
            "D": width,
            "spikes (the first ones), of heights 1, 2, ...": spikes,
            "best constant": "0",
            "its error": f"{scale} r exp(-r^2/2) = {half_oscillation.str(6, radius=False)}",
        },
        hypotheses={
            "C_f is the amplitude": bool(sympy.simplify(barron - scale) == 0),
            "f is the inverse transform of F": bool(back == 0),
            "D >= 2 r^2 C_f^2 / eps^2": bool(width >= 2 * r * r * amplitude * amplitude / (eps * eps)),
            "sigma is 0 from -1 down and 1 from 1 on": list(far) == [0, 0, 1, 1] and all(abs(p) < 1 for p in spikes),
        },
        violates={
            "no affine map sends three spikes to spikes": len(set(ratios)) == len(ratios),
            "f is odd and increasing on (0, r), and its half-oscillation f(r) exceeds eps": bool(half_oscillation > arb(eps)) and r < 1,
        },
        how="certified",
        minimal="n = 1, r = 1/2, D = 3; for D <= 2 a constant is always enough",
    )


def _mean_square(rows: Array, weights: Array) -> object:
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
    topic="universality",
    place="Theorem 1",
    kind="amended",
    amends="orvieto24.thm1",
    title="r^2 C^2 / eps^2 steps bring the mean square error over any probability measure on the ball of radius r down to eps: half the printed width",
    says=r"For every probability measure $\mu$ on $\|x\|\le r$ and $D\ge r^2C_f^2\epsilon^{-2}$ there are $D$ steps with $\|f-g\|_{L^2(\mu)}\le\epsilon$; $F$ may be a measure.",
    construction="lemmata.constructions.universality.networks.greedy",
    sabotages={
        "steps 0 and 1, not centred": {"steps": _printed},
        "draws are not averaged over D": {"average": lambda n: n + 1},
    },
)
def centred_steps_by_maurey(proof: Proof, steps=_centred, average=lambda n: n) -> None:
    """A wave on [-r, r] is a constant plus its derivative times centred steps +-1/2: total weight at most 2 r |w| |F|, so f is a constant plus 2 r C times a mean of steps +-1/2.

    The mean over all draws of D of them has squared error (mean |g|^2 - |f|^2) / D with |g| <= r C (Maurey); so some draw is as good, and the greedy choice is."""
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
    for case in proof.each("rational functions on 5 points", range(proof.pick(2, 4, 8))):
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
    for case in proof.each("random sums of waves in 2 or 3 variables, r = 1, 60 points of the ball", range(proof.pick(2, 3, 6))):
        n = 2 + case % 2
        f = random_spectrum(rng, n)
        points = _in_ball(np.random.default_rng(case), 60, n)
        eps = f.barron / 8
        width = 64
        network = approximate(f, points, width)
        error = _squared_error(f, network, points)
        proof.certified("mean square error at most r^2 C_f^2 / D", bool(error <= eps * eps), f"{error} > {eps * eps}")


def _in_ball(rng: np.random.Generator, count: int, n: int) -> Array:
    """Points uniform in the unit ball, rounded to multiples of 1/1024 towards 0, shape (count, n)."""
    x = rng.standard_normal((count, n))
    x *= rng.uniform(0, 1, (count, 1)) ** (1 / n) / np.linalg.norm(x, axis=1, keepdims=True)
    return np.trunc(x * 1024) / 1024


def approximate(f: Spectrum, points: Array, width: int, choose=greedy) -> Network:
    """A network of ``width`` steps for f on the points (p, n), by the greedy choice."""
    # one of each pair of opposite frequencies; the wave of w and -w together is 2 Re(F(w) exp(i <w, x>))
    waves = [(w, c) for w, c in f.atoms.items() if w > tuple(-a for a in w)]
    frequencies = np.array([[fmpq_to_float(a) for a in w] for w, _ in waves]).reshape(len(waves), points.shape[1])
    cosines = np.array([2 * fmpq_to_float(p) for _, (p, _) in waves])
    sines = np.array([-2 * fmpq_to_float(q) for _, (_, q) in waves])
    directions, thresholds, weights, constant = centred_steps(frequencies, cosines, sines, points)
    mass = np.abs(weights).sum()
    rows = np.sign(weights)[:, None] * (0.5 * np.sign(directions @ points.T - thresholds[:, None]))
    chosen, _ = choose(rows.T @ np.abs(weights), rows, width, mass)
    height = np.sign(weights[chosen]) * mass / width
    constant = float(constant) + sum(fmpq_to_float(p) for w, (p, _) in f.atoms.items() if not any(w))
    return Network(directions[chosen], -thresholds[chosen], height, constant - height.sum() / 2)


def _squared_error(f: Spectrum, network: Network, points: Array) -> arb:
    """The mean over the points of the squared error, in balls."""
    return sum((e * e for e in _errors(f, network, points)), arb(0)) / len(points)


def _errors(f: Spectrum, network: Network, points: Array) -> list[arb]:
    """The errors at the points, in balls; points and weights are doubles, so exact."""
    errors = []
    for x in points:
        on = network.inner @ x + network.bias >= 0
        errors.append(f(x) - sum((arb(float(c)) for c in network.outer[on]), arb(float(network.offset))))
    return errors


@claim(
    "new.universality.finitely-many",
    topic="universality",
    place="after orvieto24, Theorem 1",
    kind="new",
    title="uniformly on any m inputs, in any dimension, 2 r^2 C^2 ln(2m) / eps^2 steps are enough",
    says=r"For $x_1,\dots,x_m$ in the ball of radius $r$ and $D\ge2r^2C_f^2\ln(2m)\epsilon^{-2}$ there are $D$ steps with $\max_i|f(x_i)-g(x_i)|\le\epsilon$: Theorem 1's width is short of the factor $\ln(2m)$ here.",
    uses=("orvieto24.thm1.amended",),
    construction="lemmata.constructions.universality.networks.greedy_uniform",
    sabotages={"an eighth of the errors is believed": {"believed": 8}},
)
def uniformly_on_finitely_many(proof: Proof, believed: int = 1) -> None:
    """Hoeffding: a draw of steps in [-r C, r C] errs by more than eps at x_i with probability at most 2 exp(-D eps^2 / (2 r^2 C^2)); the sum over i stays below 1.

    Constructively: choose the steps one by one so that sum_i cosh(error_i / scale) grows no faster than it does on average."""
    for case in proof.each("random sums of waves in 2 or 3 variables, r = 1, 80 points of the ball", range(proof.pick(2, 4, 8))):
        n = 2 + case % 2
        f = random_spectrum(Random(1000 + case), n)
        points = _in_ball(np.random.default_rng(100 + case), 80, n)
        for width in (16, 64, 256):
            # D >= 2 r^2 C^2 ln(2m) / eps^2, solved for eps
            eps = f.barron * (arb(2 * len(points)).log() * 2 / width).sqrt() / believed
            worst = max((abs(e) for e in _errors(f, approximate(f, points, width, greedy_uniform), points)), key=lambda e: float(e.mid()))
            proof.certified(f"{width} steps: the largest error is below the bound", bool(worst <= eps), f"{worst} > {eps}")


@claim(
    "new.universality.interval",
    topic="universality",
    place="after orvieto24, Theorem 1",
    kind="new",
    title="in one variable D steps are uniformly within V / (2 (D + 1)) of a function of variation V <= 2 r C: far fewer than printed, and no fewer do",
    says=r"For $n=1$, $D\ge rC_f/\epsilon-1$ neurons with a monotone $\sigma$ are enough for $\sup_{|x|\le r}|f-g|\le\epsilon$ (up to any $\delta>0$ if $\sigma$ is not the step itself), "
    r"and $s/(2s^2+1)<1$ for $s=rC_f/\epsilon$ recovers Theorem 1 for $n=1$. For $f(x)=x$ this is the least.",
    construction="lemmata.constructions.universality.networks.staircase",
    sabotages={"one step is lost": {"build": lambda t, levels: staircase(t[:-1], levels[:-1])}},
)
def equal_variation(proof: Proof, build=staircase) -> None:
    """Cut the interval where the variation so far passes multiples of V / (D + 1), and take the middle of the values on each piece.

    Beside a threshold the value is within V / (2 (D + 1)) of both levels, so of everything between them: a steep monotone sigma does as well as the step."""
    s = sympy.symbols("s", positive=True)
    # s / (2 s^2 + 1) is largest at s = 1 / sqrt 2
    proof.symbolically(
        "1/sqrt 8 - s/(2 s^2 + 1) is a square over a positive number",
        1 / sympy.sqrt(8) - s / (2 * s**2 + 1),
        (sympy.sqrt(2) * s - 1) ** 2 / (sympy.sqrt(8) * (2 * s**2 + 1)),
        free="s",
    )
    rng = Random(112)
    for _ in proof.each("piecewise linear functions with rational corners", range(proof.pick(3, 8, 20))):
        corners = sorted({fmpq(rng.randint(-8, 8), 4) for _ in range(6)})
        values = [fmpq(rng.randint(-5, 5)) for _ in corners]
        for count in (1, 2, 5):
            thresholds, levels, variation = _cut(corners, values, count)
            g = build(thresholds, levels)
            error = _largest_error(corners, values, g)
            proof.holds("sup error at most V / (2 (D + 1))", bool(error <= variation / (2 * (count + 1))))
            proof.exactly("with D neurons", g.width, count)
    for count in proof.every("f(x) = x on [-1, 1], D <= 6", range(1, 7)):
        thresholds, levels, _ = _cut([fmpq(-1), fmpq(1)], [fmpq(-1), fmpq(1)], count)
        # D + 1 values each serve an interval of values of f; these cover [-1, 1], of length 2
        least = fmpq(2, 2 * (count + 1))
        proof.exactly(
            "the error is the least that D + 1 values allow",
            _largest_error([fmpq(-1), fmpq(1)], [fmpq(-1), fmpq(1)], build(thresholds, levels)),
            least,
        )


def _cut(corners: list, values: list, count: int) -> tuple[list, list, fmpq]:
    """(thresholds, levels, variation) for pieces of equal variation of a piecewise linear function; constant functions get any thresholds."""
    variation = sum((abs(b - a) for a, b in pairwise(values)), fmpq(0))
    if variation == 0:
        first, last = corners[0], corners[-1] if len(corners) > 1 else corners[0] + 1
        return [first + (last - first) * fmpq(i + 1, count + 1) for i in range(count)], [values[0]] * (count + 1), variation
    share, travelled, thresholds = variation / (count + 1), fmpq(0), []
    for (x, y), (a, b) in zip(pairwise(corners), pairwise(values), strict=True):
        while len(thresholds) < count and travelled + abs(b - a) >= share * (len(thresholds) + 1) and a != b:
            thresholds.append(x + (y - x) * (share * (len(thresholds) + 1) - travelled) / abs(b - a))
        travelled = travelled + abs(b - a)
    edges = [corners[0], *thresholds, corners[-1]]
    levels = []
    for low, high in pairwise(edges):
        on = [_linear(corners, values, x) for x in (low, high, *(c for c in corners if low < c < high))]
        levels.append((min(on) + max(on)) / 2)
    return thresholds, levels, variation


def _linear(corners: list, values: list, x: fmpq) -> fmpq:
    for i in range(len(corners) - 1):
        if corners[i] <= x <= corners[i + 1]:
            return values[i] + (values[i + 1] - values[i]) * (x - corners[i]) / (corners[i + 1] - corners[i])
    return values[0] if x < corners[0] else values[-1]


def _largest_error(corners: list, values: list, g: Network) -> fmpq:
    """sup |f - g| over [corners[0], corners[-1]]: at corners and on both sides of thresholds, f being linear between."""
    jumps = [-b for b in g.bias]
    errors = [abs(_linear(corners, values, x) - g(np.array([x], dtype=object))) for x in corners]
    for i, x in enumerate(jumps):
        if corners[0] <= x <= corners[-1]:
            here, after = _linear(corners, values, x), g(np.array([x], dtype=object))
            errors += [abs(here - after), abs(here - (after - g.outer[i]))]
    return max(errors)


@claim(
    "orvieto24.thm1.relu",
    topic="universality",
    place="after Theorem 1",
    title="a difference of two ReLUs is sigmoidal, so ReLU networks need at most twice as many neurons",
    says=r"$\operatorname{ReLU}(x)-\operatorname{ReLU}(x-1)$ is $0$ for $x\le0$ and $1$ for $x\ge1$.",
    construction="lemmata.constructions.universality.networks.ramp",
    sabotages={"the second ReLU is not shifted": {"shift": 0}},
)
def two_relus(proof: Proof, shift: int = 1) -> None:
    """x on [0, 1], and x - (x - 1) = 1 above: exact on both sides, so even bounded and monotone."""
    points = exact.rationals([fmpq(i, 4) for i in range(-12, 13)])
    relu = lambda u: u * (u > 0)  # noqa: E731
    for x in proof.each("multiples of 1/4 in [-3, 3]; the function is linear between", points):
        value = relu(x) - relu(x - shift)
        proof.exactly("0, x, 1 on the three pieces", value, fmpq(0) if x <= 0 else x if x <= 1 else fmpq(1))
        proof.exactly("the ramp of networks", networks.ramp(np.array([x], dtype=object))[0], value)


# -- several outputs -----------------------------------------------------------------------------------------------------------


@claim(
    "new.universality.outputs",
    topic="universality",
    place="after orvieto24, Remark 1",
    kind="new",
    title="S outputs share their neurons: D >= r^2 C^2 / eps^2 with the Barron constant of the vector-valued function, whatever S",
    says=r"For $f:\mathbb R^n\to\mathbb R^S$ and $C_f=\int\|\omega\|\,\|F(\omega)\|_2\,d\omega$, $D\ge r^2C_f^2\epsilon^{-2}$ steps with weights in $\mathbb R^S$ give $\|f-g\|_{L^2(\mu;\mathbb R^S)}\le\epsilon$. "
    r"$C_f\le\sum_jC_{f_j}$, and $\sqrt S\max_jC_{f_j}$ if all $|F_j|$ are equal: $S^2r^2C^2\epsilon^{-2}$ neurons for the 1-norm then, not $2S^3r^2C^2\epsilon^{-2}$.",
    uses=("orvieto24.thm1.amended",),
    sabotages={"weights in the 1-norm": {"size": lambda v: sum(abs(x) for x in v)}},
)
def shared_neurons(proof: Proof, size=lambda v: arb(sum((x * x for x in v), fmpq(0))).sqrt()) -> None:
    """The derivative of a wave with coefficients in C^S is a curve in R^S of length at most 2 r |w| |F(w)|; Maurey's argument works in any Hilbert space."""
    rng = Random(113)
    for case in proof.each("curves through 5 rational points of R^S, S <= 4", range(proof.pick(3, 6, 12))):
        s = 1 + case % 4
        curve = exact.rationals([[rng.randint(-4, 4) for _ in range(s)] for _ in range(4)] + [[9] * s])
        jumps = curve[1:] - curve[:-1]
        sizes = [size(j) for j in jumps]
        mass = sum(sizes, arb(0))
        # the step at threshold i: -1/2 of the unit vector up to point i, +1/2 after it
        second = arb(0)
        for j, length in zip(jumps, sizes, strict=True):
            if not any(j):
                continue
            unit = [arb(x) / length for x in j]
            second += length / mass * sum(((mass * u / 2) ** 2 for u in unit), arb(0))
        proof.certified("a draw has mean square (V/2)^2", bool(second.overlaps(mass * mass / 4)), f"{second} is not {mass * mass / 4}")
        signs = [[fmpq(1, 2) if p > i else fmpq(-1, 2) for p in range(5)] for i in range(4)]
        rebuilt = [sum((jumps[i] * signs[i][p] for i in range(4)), (curve[0] + curve[-1]) / 2) for p in range(5)]
        proof.exactly("the curve is a constant plus the mean of the steps", np.array(rebuilt, dtype=object), curve)


@claim(
    "orvieto24.rmk1",
    topic="universality",
    place="Remark 1",
    title="S stacked networks of accuracy eps / S have accuracy eps in the 1-norm, with S^3 times the neurons of one of accuracy eps",
    says=r"If $N(\epsilon)=2r^2C^2\epsilon^{-2}$ neurons serve one output, $S\,N(\epsilon/S)=2r^2C^2S^3\epsilon^{-2}$ serve $S$ in the 1-norm.",
    reading="given Theorem 1, and C the largest of the constants of the outputs",
    sabotages={"errors do not accumulate": {"share": lambda eps, s: eps}},
)
def stacked_outputs(proof: Proof, share=lambda eps, s: eps / s) -> None:
    """S widths at accuracy eps / S; the S errors add up to eps."""
    r, c, eps, s = sympy.symbols("r C epsilon S", positive=True)
    one = lambda e: 2 * r**2 * c**2 / e**2  # noqa: E731
    proof.symbolically("S N(eps/S) = 2 r^2 C^2 S^3 / eps^2", s * one(share(eps, s)), 2 * r**2 * c**2 * s**3 / eps**2, free="r, C, eps, S")
    proof.symbolically("the errors add up to eps", s * share(eps, s), eps, free="eps, S")


# -- Proposition 2 -------------------------------------------------------------------------------------------------------------


def printed_width(r: object, c: object, norm: object, s: int, eps: object, factor: int) -> object:
    """factor r^2 (|Omega| C)^2 S^3 / eps^2."""
    return factor * r * r * (norm * c) ** 2 * s**3 / (eps * eps)


@claim(
    "orvieto24.prop2.constant",
    topic="universality",
    place="Proposition 2; Remark 1",
    title="Proposition 2's width is Remark 1's for f_k = T_k o Omega_k, whose constant is at most |Omega_k| C_(T_k)",
    says=r"Remark 1 with $C_{f_k}\le\|\Omega_k\|C_{T_k}$ gives the bound $4r^2C_{T_k}^2\|\Omega_k\|^2S^3\epsilon^{-2}$ of Proposition 2.",
    reading="Proposition 2 is said to be based on Remark 1; its last sentence quotes Theorem 1 with 4 as well",
    sabotages={"the same factor in both": {"factors": (4, 4)}},
)
def two_or_four(proof: Proof, factors=(2, 4)) -> None:
    """2 r^2 C^2 and 4 r^2 C^2 differ. The 4 is Barron's (2 r C)^2, for the mean square; centred steps need 1."""
    remark, proposition = (printed_width(fmpq(1), fmpq(1), fmpq(1), 1, fmpq(1), factor) for factor in factors)
    proof.counterexample(
        given={"r = C = |Omega| = S = eps": 1, "Remark 1": remark, "Proposition 2": proposition},
        hypotheses={},
        violates={"the widths differ": bool(remark != proposition)},
        minimal="r = C = |Omega| = S = eps = 1",
    )


def near_nodes(gap: fmpq) -> tuple[Array, Array]:
    """(V_2, its inverse) for the nodes 1 and 1 - gap."""
    V = exact.rationals([[1, 1], [1 - gap, 1]])
    return V, exact.inverse(V)


@claim(
    "orvieto24.prop2.penalty",
    topic="universality",
    place="Proposition 2 and after; contribution 2",
    title="reading the state instead of the tokens costs the head neurons: a factor |Omega_k|^2, large for ill-conditioned recurrences",
    says=r"The width needed from $x_k$ exceeds that from $v_{1:k}$ by the penalty $\|\Omega_k\|^2$; it depends on the condition number of the reconstruction.",
    sabotages={"a head that forgets the reconstruction": {"absorb": lambda head, omega: head}},
)
def no_penalty(proof: Proof, absorb=lambda head, omega: head.after(omega)) -> None:
    """sigma(<a, Omega x> + b) = sigma(<Omega^T a, x> + b): a neuron on tokens is a neuron on states. One neuron for the sign of v_1 - v_2, at any conditioning."""
    head = Network(exact.rationals([[1, -1]]), exact.rationals([0]), exact.rationals([1]), fmpq(0))
    gap = fmpq(1, 1000)
    V, omega = near_nodes(gap)
    tokens = [exact.rationals(v) for v in product((-1, 0, 1), repeat=2)]
    states = [V @ v for v in tokens]
    on_states = absorb(head, omega)
    outputs = [on_states(x) for x in states]
    largest = max(abs(x) for x in omega.ravel())
    # the squared norm of Omega is at least its largest entry squared; the printed width at r = C = S = eps = 1
    printed = printed_width(1, 1, largest, 1, 1, 4)
    proof.counterexample(
        given={
            "nodes": [1, 1 - gap],
            "Omega_2": omega,
            "head on tokens": "[v_1 - v_2 >= 0]",
            "inner weights on states": on_states.inner,
            "printed width, at least": printed,
        },
        hypotheses={
            "Omega_2 V_2 = I": bool(np.array_equal(omega @ V, exact.identity(2))),
            "|Omega_2|^2 >= 10^6": bool(largest * largest >= 10**6),
        },
        violates={
            "the head on states has one neuron, as on tokens": on_states.width == head.width == 1,
            "and the same outputs on all tokens of {-1, 0, 1}^2": outputs == [head(v) for v in tokens],
        },
        minimal="k = 2, D = 1; the nodes may be as close as one likes",
    )


@claim(
    "orvieto24.prop2.amended",
    topic="universality",
    place="Proposition 2",
    kind="amended",
    amends="orvieto24.prop2.penalty",
    title="a head on states needs exactly as many neurons as one on tokens, r^2 C_(T_k)^2 / eps^2 with r the bound of the tokens; conditioning enters the weights only",
    says=r"For every $g$ with $D$ neurons, $g\circ\Omega_k$ has $D$ neurons, and $g\circ V_k$ too: the least widths on states and on tokens agree whenever $\Omega_kV_k=I$.",
    uses=("orvieto24.thm1.amended",),
    construction="lemmata.constructions.universality.networks.Network.after",
    sabotages={"the transposed matrix": {"compose": lambda head, m: Network(head.inner @ m.T, head.bias, head.outer, head.offset)}},
)
def same_width(proof: Proof, compose=lambda head, m: head.after(m)) -> None:
    """A linear map in front goes into the inner weights, in both directions."""
    rng = Random(114)
    for _ in proof.each("random networks of up to 4 neurons and ill-conditioned V_k, k <= 4", range(proof.pick(5, 20, 60))):
        k = rng.randint(1, 4)
        nodes = [1 - fmpq(i, rng.randint(5, 500)) for i in range(k)]
        while len(set(nodes)) < k:
            nodes = [1 - fmpq(i, rng.randint(5, 500)) for i in range(k)]
        V = exact.rationals([[x ** (k - 1 - j) for j in range(k)] for x in nodes])
        omega = exact.inverse(V)
        width = rng.randint(0, 4)
        head = Network(
            exact.rationals([[rng.randint(-3, 3) for _ in range(k)] for _ in range(width)]).reshape(width, k),
            exact.rationals([rng.randint(-3, 3) for _ in range(width)]),
            exact.rationals([rng.randint(-3, 3) for _ in range(width)]),
            fmpq(rng.randint(-3, 3)),
        )
        on_states = compose(head, omega)
        back = compose(on_states, V)
        for _ in range(4):
            v = exact.rationals([fmpq(rng.randint(-8, 8), 3) for _ in range(k)])
            proof.exactly("the same output from the state", on_states(V @ v), head(v))
            proof.exactly("and back", back(v), head(v))
        proof.exactly("the same width", (on_states.width, back.width), (width, width))
