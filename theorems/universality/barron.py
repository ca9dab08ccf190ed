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
        "spikes at equal distances, which neurons can cancel": {"points": [fmpq(i, 10) for i in range(1, 9)]},
        "low spikes": {"height": 3},
    },
)
def any_sigmoidal_function(proof: Proof, amplitude=fmpq(12, 5), points=None, height: int = 100) -> None:
    """A step with spikes of height 100 at a sequence that falls to 0 and that no affine map but the identity sends to itself in three places.

    A neuron that jumps inside (-r, r) has infinitely many spikes there; two different neurons share at most two; beside a spike that is not shared g jumps by |c| (100 - 1), so
    |c| <= 2 eps / 99. So three neurons move g by at most 6/99, but f(x) = (12/5) x exp(-x^2/2) varies by 2 f(1/2) = 2.118 on [-1/2, 1/2], and 2.118 - 6/99 > 2 eps.
    (With spikes of height 1, 2, 3, ... no number of neurons does.)"""
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
    moved = width * 2 * eps / (height - 1)
    least = (variation - arb(moved)) / 2
    proof.counterexample(
        given={
            "f": str(f),
            "C_f": str(barron),
            "r": r,
            "eps": eps,
            "D": width,
            "spikes (the first ones)": spikes,
            "their height": height,
            "least error, at least": least.str(5, radius=False),
        },
        hypotheses={
            "C_f is the amplitude": bool(sympy.simplify(barron - scale) == 0),
            "f is the inverse transform of F": bool(back == 0),
            "D >= 2 r^2 C_f^2 / eps^2": bool(width >= 2 * r * r * amplitude * amplitude / (eps * eps)),
            "sigma is 0 below 0, 1 from 1 on, and bounded": list(far) == [0, 1, 1, 1, height] and all(0 < p < 1 for p in spikes),
        },
        violates={
            "no affine map sends three spikes to spikes": len(set(ratios)) == len(ratios),
            "f increases on [-r, r], by more than 2 eps and what three neurons of weight 2 eps / (height - 1) can do": bool(
                least > arb(eps)
            )
            and r < 1,
        },
        how="certified",
        minimal="n = 1, r = 1/2, D = 3, sigma bounded by 100; for D <= 2 a constant is always enough",
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
            if variation:
                proof.holds(
                    "steep ramps: at most that and slope times half their width",
                    _ramps_do_as_well(corners, values, g, variation / (2 * (count + 1))),
                )
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


def _ramps_do_as_well(corners: list, values: list, g: Network, bound: fmpq) -> bool:
    """With ramps that rise over [t - d, t + d] for steps at t, disjoint: the sup error grows by at most d times the largest slope. Both functions are linear between the places listed."""
    jumps = [-b for b in g.bias]
    d = min([b - a for a, b in pairwise([corners[0], *jumps, corners[-1]])]) / 8
    if d <= 0:
        return True
    steep = Network(g.inner / (2 * d), g.bias / (2 * d) + fmpq(1, 2), g.outer, g.offset, networks.ramp)
    slope = max(abs((b - a) / (y - x)) for (x, y), (a, b) in zip(pairwise(corners), pairwise(values), strict=True))
    places = [*corners, *(t + e for t in jumps for e in (-d, d))]
    return all(abs(_linear(corners, values, x) - steep(np.array([x], dtype=object))) <= bound + d * slope for x in places)


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


# -- uniformly on the ball, in any dimension -----------------------------------------------------------------------------------


def _positive_part(t: fmpq) -> fmpq:
    return max(t, fmpq(0))


def _clipped(t: fmpq) -> fmpq:
    return max(min(t, fmpq(1)), fmpq(-1))


def mean_largest_sum(vectors: Array) -> fmpq:
    """The mean over all signs e of the largest |sum_j e_j t_j|, t a row of ``vectors``; exact."""
    signs = exact.rationals(list(product((-1, 1), repeat=vectors.shape[1])))
    sums = signs @ vectors.T
    return sum((max(abs(x) for x in row) for row in sums), fmpq(0)) / len(signs)


@claim(
    "new.universality.dimension-free",
    topic="universality",
    place="after orvieto24, Theorem 1",
    kind="new",
    title="uniformly on the ball of radius r, in any dimension, about 128 (r C / eps)^3 steps are enough: dimension-free, with the power 3 for Theorem 1's 2",
    says=r"With $K$ waves drawn from $|F|$ and $m$ steps for each, $\sup_{\|x\|\le r}|f-g|\le rC_f\bigl(\tfrac4{\sqrt K}+\tfrac1{m+1}\bigr)$ for some draw; "
    r"$K=64s^2$, $m=2s-1$, $s=rC_f/\epsilon$ give $\epsilon$. Whether $O(s^2)$ steps do for $n\ge2$ is open here.",
    uses=("new.universality.interval",),
    sabotages={
        "maps that stretch": {"maps": (lambda t: 5 * t,)},
        "half as many waves": {"waves": lambda s: 32 * s**2},
    },
)
def contraction(proof: Proof, maps=(_positive_part, _clipped, abs), waves=lambda s: 64 * s**2) -> None:
    """f - f(0) is C times a mean of waves that are 1-Lipschitz functions of <w, x>/|w|, 0 at 0. Symmetrisation (a factor 2) and contraction (2) leave the sup of a linear form: r |sum +-w/|w||, at most r sqrt K in the mean.

    Contraction is cited; it is checked over all signs on small sets. Then each wave is a staircase."""
    proof.cites("Ledoux and Talagrand, Probability in Banach Spaces (1991), Theorem 4.12: contraction of Rademacher averages")
    rng = Random(115)
    for case in proof.each(
        "random rational sets of up to 4 vectors with up to 5 entries, all signs; three contractions", range(proof.pick(6, 20, 60))
    ):
        vectors = exact.rationals([[fmpq(rng.randint(-6, 6), 3) for _ in range(2 + case % 4)] for _ in range(rng.randint(1, 4))])
        for phi in maps:
            image = exact.map_entries(phi, vectors)
            proof.holds("the mean largest sum at most doubles", bool(mean_largest_sum(image) <= 2 * mean_largest_sum(vectors)))
    s, r, c = sympy.symbols("s r C", positive=True)
    bound = r * c * (4 / sympy.sqrt(waves(s)) + 1 / (2 * s - 1 + 1))
    proof.symbolically("K = 64 s^2 and m = 2 s - 1 give eps = r C / s", bound, r * c / s, free="s, r, C")


@claim(
    "new.universality.uniform",
    topic="universality",
    place="after orvieto24, Theorem 1",
    kind="new",
    title="for monotone sigmoidal functions the printed width 2 r^2 C^2 / eps^2 is enough uniformly on the ball, in every dimension",
    says=r"For every monotone sigmoidal $\sigma$ and $D\ge2r^2C_f^2\epsilon^{-2}$ some $g$ with $D$ neurons has $\sup_{\|x\|\le r}|f-g|\le\epsilon$, $x\in\mathbb R^n$, up to any $\delta>0$.",
    uses=("new.universality.interval", "new.universality.finitely-many"),
    sabotages={"three times s^2 neurons in one variable": {"needed": lambda s: 3 * s**2}},
)
def uniformly_without_the_dimension(proof: Proof, needed=lambda s: s - 1) -> None:
    """With s = r C / eps: in one variable s - 1 neurons are enough (new.universality.interval), and s - 1 <= 2 s^2. In more, 2 s^2 ln(2m) serve any m inputs, and 128 s^3 the whole
    ball (new.universality.dimension-free); whether 2 s^2 do is not known here."""
    s = sympy.symbols("s", positive=True)
    gap = sympy.Poly(2 * s**2 - needed(s), s)
    proof.holds("n = 1: 2 s^2 exceeds what is needed, for all s", bool(gap.discriminant() < 0 and gap.LC() > 0))
    proof.lacks("a proof or a counterexample for n >= 2: between s^2 ln(2m) on m inputs and s^3 on the ball")
