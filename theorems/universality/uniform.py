"""Beyond the mean square: how many neurons approximate a Barron function uniformly (after orvieto24, Theorem 1)."""

from __future__ import annotations

from itertools import pairwise, product
from random import Random

import numpy as np
import sympy
from flint import arb, fmpq

from ...constructions.universality import networks
from ...constructions.universality.networks import Network, greedy_uniform, staircase
from ...constructions.universality.spectra import random_spectrum
from ...numerics import exact
from ...numerics.aliases import Exact
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof
from .barron import approximate, dyadic, errors_at, in_ball


@claim(
    "new.universality.finitely-many",
    place="after orvieto24, Theorem 1",
    title="uniformly on any m inputs, in any dimension, 2 r² C² ln(2m) / ε² steps are enough",
    says=r"For $x_1,\dots,x_m$ in the ball of radius $r$ and $D\ge2r^2C_f^2\ln(2m)\epsilon^{-2}$ there are $D$ steps with $\max_i|f(x_i)-g(x_i)|\le\epsilon$: Theorem 1's width times $\ln(2m)$.",
    known="Hoeffding's inequality and a union bound on Maurey's random draw; the greedy choice is the usual derandomisation (Raghavan's pessimistic estimators). New is at most the constant for centred steps.",
    construction="lemmata.constructions.universality.networks.greedy_uniform",
    sabotages={
        "a sixteenth of the errors is believed": {"believed": 16},
        "a sixteenth of the neurons": {"neurons": lambda width: width // 16},
    },
)
def uniformly_on_finitely_many(proof: Proof, believed: int = 1, neurons=lambda width: width) -> None:
    r"""Hoeffding's inequality for Maurey's draw, and a union bound over the inputs.

    1. $f$ is a constant plus the mean of functions $h$ with $|h|\le rC_f$ on the ball, each one centred step. [uses: orvieto24.thm1.amended]
    2. Hoeffding: the mean of $D$ draws errs by more than $\epsilon$ at $x_i$ with probability at most $2e^{-D\epsilon^2/(2r^2C_f^2)}$; for the $D$ of the claim $m$ of these
       add up to at most $1$, and Hoeffding's bound is not attained, so some draw is good at all $x_i$. [prose]
    3. Constructively: with $\mathbb E\cosh(sX)\le e^{s^2c^2/2}$ for $|X|\le c$, the steps can be chosen one by one so that $\sum_i\cosh(s\,\text{error}_i)$ grows by no more than this factor each
       time; from $m$ at the start, $\tfrac12e^{sD\epsilon}\le me^{Ds^2c^2/2}$ at the end, and $s=\epsilon/c^2$ gives the claim. [prose]
    4. Networks built so, with the number of neurons counted and the errors enclosed. [checked: "with 16 steps"; "with 256 steps"; "16 steps: the largest error is below the bound"; "256 steps: the largest error"]
    """
    wanted = np.array([1.0, -2.0, 3.0])
    rows = np.stack([0 * wanted, wanted, 2 * wanted, -wanted])
    for count in (1, 3):
        chosen, found = greedy_uniform(wanted, rows, count, 1.0)
        proof.exactly("what the dictionary holds is chosen at once, and again", (chosen, list(found)), ([1] * count, list(wanted)))
    count = proof.pick(2, 4, 8)
    for case in proof.each(
        f"{count} random sums of waves in 2 or 3 variables, seeds 1000, ..., r = 1, 80 points of the ball, seeds 100, ...", range(count)
    ):
        n = 2 + case % 2
        f = random_spectrum(Random(1000 + case), n)
        points = in_ball(Random(100 + case), 80, n)
        for width in (16, 64, 256):
            # D >= 2 r^2 C^2 ln(2m) / eps^2, solved for eps
            eps = f.barron * (arb(2 * len(points)).log() * 2 / width).sqrt() / believed
            network = approximate(f, points, neurons(width), greedy_uniform)
            proof.exactly(f"with {width} steps", network.width, width)
            worst = max((abs(e) for e in errors_at(f, network, points)), key=lambda e: float(e.mid()))
            proof.certified(f"{width} steps: the largest error is below the bound, and not 0", bool(0 < worst <= eps), f"{worst} > {eps}")
            if width == 64:
                proof.certificate(
                    "witness",
                    f"{width} steps on {len(points)} inputs",
                    frequencies=[list(w) for w in f.atoms],
                    coefficients=[list(c) for c in f.atoms.values()],
                    points=dyadic(points),
                    inner=dyadic(network.inner),
                    bias=dyadic(network.bias),
                    outer=dyadic(network.outer),
                    offset=dyadic(network.offset),
                )


@claim(
    "new.universality.interval",
    place="after orvieto24, Theorem 1",
    title="in one variable D steps are uniformly within V / (2 (D + 1)) of a function of variation V; for f(x) = x none are nearer",
    says=r"For $n=1$, $D\ge rC_f/\epsilon-1$ neurons with a monotone $\sigma$ are enough for $\sup_{|x|\le r}|f-g|\le\epsilon$ (up to any $\delta>0$ if $\sigma$ is not the step itself), "
    r"so Theorem 1 holds for $n=1$ and monotone $\sigma$, since $s-1\le2s^2$ for $s=rC_f/\epsilon$. For $f(x)=x$ no $D$ steps are nearer than $V/(2(D+1))$.",
    known="Folklore: a function of bounded variation is cut into pieces of equal variation; the lower bound is the pigeonhole principle.",
    construction="lemmata.constructions.universality.networks.staircase",
    sabotages={"one step is lost": {"build": lambda t, levels: staircase(t[:-1], levels[:-1])}},
)
def equal_variation(proof: Proof, build=staircase) -> None:
    r"""Cut the interval where the variation so far passes multiples of $V/(D+1)$, and take the middle of the values on each piece.

    1. On a piece the values of $f$ fill an interval no longer than the variation on it, $V/(D+1)$; its middle is within half of that. [checked: "sup error at most V / (2 (D + 1))"; "with D neurons"] [prose]
    2. Beside a threshold $f$ is within $V/(2(D+1))$ of both levels, so of everything between them: ramps of width $2d$ for the steps cost at most the slope of $f$ times $d$. [checked: "steep ramps: at most that and slope times half their width"] [prose]
    3. $V\le2rC_f$ on $[-r,r]$, so $D\ge s-1$ steps with $s=rC_f/\epsilon$ are enough; and $2s^2\ge s-1$. [checked: "2 s^2 - (s - 1) is positive: a square and a positive number"] [prose]
    4. $D$ steps have at most $D+1$ values, and each value is within $e$ of an interval of length $2e$ of the values of $f(x)=x$ only: $2e(D+1)\ge2r$. [checked: "the error is the least that D + 1 values allow"] [prose]
    """
    s = sympy.symbols("s", positive=True)
    proof.symbolically(
        "2 s^2 - (s - 1) is positive: a square and a positive number",
        2 * s**2 - (s - 1),
        2 * (s - sympy.Rational(1, 4)) ** 2 + sympy.Rational(7, 8),
        free="s",
    )
    rng = Random(112)
    count = proof.pick(3, 8, 20)
    for _ in proof.each(f"{count} piecewise linear functions with rational corners, seed 112", range(count)):
        corners = sorted({fmpq(rng.randint(-8, 8), 4) for _ in range(6)})
        values = [fmpq(rng.randint(-5, 5)) for _ in corners]
        for count in (1, 2, 5):
            thresholds, levels, variation = _cut(corners, values, count)
            g = build(thresholds, levels)
            error = _largest_error(corners, values, g)
            proof.holds("sup error at most V / (2 (D + 1))", bool(error <= variation / (2 * (count + 1))))
            proof.exactly("with D neurons", g.width, count)
            if variation and count > 1:
                proof.certificate("witness", f"{count} steps", corners=corners, values=values, thresholds=thresholds, levels=levels)
            if variation:
                ramps, extra = _error_of_ramps(corners, values, g)
                proof.holds(
                    "steep ramps: at most that and slope times half their width", bool(0 < ramps <= variation / (2 * (count + 1)) + extra)
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
    thresholds, levels, _ = _cut([fmpq(-1), fmpq(1)], [fmpq(-1), fmpq(1)], 3)
    proof.exhibit("f(x) = x on [-1, 1] with 3 steps, within 1/4", thresholds=thresholds, levels=levels)


def _cut(corners: list, values: list, count: int) -> tuple[list, list, Exact]:
    """(thresholds, levels, variation) for pieces of equal variation of a piecewise linear function; constant functions get any thresholds."""
    variation: Exact = sum((abs(b - a) for a, b in pairwise(values)), fmpq(0))
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


def _error_of_ramps(corners: list, values: list, g: Network) -> tuple[fmpq, fmpq]:
    """(largest error, d times the largest slope) with ramps that rise over [t - d, t + d] for steps at t, disjoint (or steps, if two thresholds meet). Both functions are linear between the places."""
    jumps = [-b for b in g.bias]
    d = min([b - a for a, b in pairwise([corners[0], *jumps, corners[-1]])]) / 8
    slope = max(abs((b - a) / (y - x)) for (x, y), (a, b) in zip(pairwise(corners), pairwise(values), strict=True))
    if d <= 0:
        return _largest_error(corners, values, g), fmpq(0)
    steep = Network(g.inner / (2 * d), g.bias / (2 * d) + fmpq(1, 2), g.outer, g.offset, networks.ramp)
    places = [*corners, *(t + e for t in jumps for e in (-d, d))]
    return max(abs(_linear(corners, values, x) - steep(np.array([x], dtype=object))) for x in places), d * slope


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
    place="after orvieto24, Theorem 1",
    title="uniformly on the ball, in any dimension, about 128 (r C / ε)³ steps are enough: the power 3 for Theorem 1's 2",
    known="Symmetrisation and contraction are standard; dimension-free uniform rates of shallow networks by Rademacher averages are known (Klusowski and Barron, for ramps). The staircases and the constant are ours.",
    says=r"With $K$ waves drawn from $|F|$ and $m$ steps for each, $\sup_{\|x\|\le r}|f-g|\le rC_f\bigl(\tfrac4{\sqrt K}+\tfrac1{m+1}\bigr)$ for some draw; "
    r"$K=64s^2$, $m=2s-1$, $s=rC_f/\epsilon$ give $\epsilon$ with fewer than $128s^3$ steps.",
    sabotages={
        "maps that stretch": {"maps": (lambda t: 5 * t,)},
        "half as many waves": {"waves": lambda s: 32 * s**2},
    },
)
def contraction(proof: Proof, maps=(_positive_part, _clipped, abs), waves=lambda s: 64 * s**2) -> None:
    r"""Few waves, drawn at random, are uniformly near $f$, by contraction of Rademacher averages; then each wave is a staircase.

    1. $f-f(0)$ is $C_f$ times a mean of waves that are $1$-Lipschitz functions of $\langle w,x\rangle/\|w\|$ and $0$ at $0$. [prose]
    2. The mean over draws of $K$ waves of the largest error is at most $2C_f/K$ times the mean of $\sup_x|\sum_j\pm\psi_j|$ (symmetrisation), at most twice as much with the linear forms
       for the $\psi_j$ (contraction), whose supremum is $r\|\sum\pm w_j/\|w_j\|\|$, at most $r\sqrt K$ in the mean. [cited: Ledoux and Talagrand, Theorem 4.12] [checked: "the mean largest sum at most doubles"]
    3. Each wave, of variation at most $2r$, is a staircase of $m$ steps, within $r/(m+1)$. [uses: new.universality.interval]
    4. $4/\sqrt K+1/(m+1)=1/s$ for $K=64s^2$, $m=2s-1$. [checked: "K = 64 s^2 and m = 2 s - 1 give eps = r C / s"]
    """
    proof.cites("Ledoux and Talagrand, Probability in Banach Spaces (1991), Theorem 4.12: contraction of Rademacher averages")
    rng = Random(115)
    count = proof.pick(6, 20, 60)
    for case in proof.each(
        f"{count} random rational sets of up to 4 vectors with up to 5 entries, seed 115, all signs; three contractions", range(count)
    ):
        vectors = exact.rationals([[fmpq(rng.randint(-6, 6), 3) for _ in range(2 + case % 4)] for _ in range(rng.randint(1, 4))])
        for phi in maps:
            image = exact.map_entries(phi, vectors)
            proof.holds("the mean largest sum at most doubles", bool(mean_largest_sum(image) <= 2 * mean_largest_sum(vectors)))
    proof.exactly("the mean largest sum of one vector (1, 1) is 1", mean_largest_sum(exact.rationals([[1, 1]])), fmpq(1))
    s, r, c = sympy.symbols("s r C", positive=True)
    bound = r * c * (4 / sympy.sqrt(waves(s)) + 1 / (2 * s - 1 + 1))
    proof.symbolically("K = 64 s^2 and m = 2 s - 1 give eps = r C / s", bound, r * c / s, free="s, r, C")


@claim(
    "new.universality.uniform",
    place="after orvieto24, Theorem 1",
    title="for monotone sigmoidal functions the printed width 2 r² C² / ε² is enough uniformly on the ball, in every dimension",
    says=r"For every monotone sigmoidal $\sigma$ and $D\ge2r^2C_f^2\epsilon^{-2}$ some $g$ with $D$ neurons has $\sup_{\|x\|\le r}|f-g|\le\epsilon$, $x\in\mathbb R^n$, up to any $\delta>0$.",
    uses=("new.universality.interval", "new.universality.finitely-many"),
    known="With a factor that depends on the dimension it is known: c n s^2 steps (Barron, Neural net approximation, 1992; by the Vapnik-Chervonenkis dimension of half-spaces), and an error of order "
    "D^(-1/2 - 1/(2n)) with a constant in n (Matousek; Siegel, arXiv 2307.15285). So for fixed n and large s the width 2 s^2 is enough; open are one constant for all n, and small s.",
    remarks=(
        "For n = 1 it is true (new.universality.interval), for any m inputs with the factor ln(2m) (new.universality.finitely-many), in the mean square with half the width (orvieto24.thm1.amended), "
        "on the ball in any dimension with 128 s^3 (new.universality.dimension-free), all with s = r C_f / eps.",
    ),
    sabotages={"three times s^2 neurons in one variable": {"needed": lambda s: 3 * s**2}},
)
def uniformly_without_the_dimension(proof: Proof, needed=lambda s: s - 1) -> None:
    """With s = r C / eps: in one variable s - 1 neurons are enough, and s - 1 <= 2 s^2. In n variables c(n) s^2 are; whether c(n) = 2 does for every n and every s is not known to us."""
    s = sympy.symbols("s", positive=True)
    gap: Exact = sympy.Poly(2 * s**2 - needed(s), s)
    proof.holds("n = 1: 2 s^2 exceeds what is needed, for all s", bool(gap.discriminant() < 0 and gap.LC() > 0))
    proof.lacks("a proof or a counterexample for n >= 2 with a constant that does not depend on n, or for small s")
