"""Rounding after every step, as hardware does: where the cast model's Theorem 1 fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice, product

import numpy as np
from flint import fmpq

from ...constructions import architectures, parity
from ...numerics import exact
from ...numerics.exact import Array
from ...numerics.finite_precision import FiniteSet
from ..claim import claim
from ..evidence import Proof
from .theorem1 import spectrum_is_nonnegative

LIMIT_CYCLES = "That rounding inside a stable linear recurrence leaves limit cycles is known from digital filters (Jackson 1970)"


def _integer_matrices(largest: int) -> Iterator[tuple[int, int, int, int]]:
    """2 x 2 integer matrices (a, b, c, d) in order of their largest entry, with real eigenvalues >= 0."""
    for bound in range(largest + 1):
        for a, b, c, d in product(range(-bound, bound + 1), repeat=4):
            trace, determinant = a + d, a * d - b * c
            nonnegative = trace >= 0 and determinant >= 0 and trace * trace >= 4 * determinant
            if nonnegative and max(map(abs, (a, b, c, d))) == bound:
                yield a, b, c, d


def _two_cycle(matrix: tuple[int, int, int, int], D: tuple[int, ...]) -> tuple | None:
    """A state of D^2 that step-wise rounding (B = 0) sends to another one and back; ties go down."""
    a, b, c, d = matrix

    def cast(x: int) -> int:
        return min(D, key=lambda z: (abs(z - x), z))

    for h in product(D, repeat=2):
        g = cast(a * h[0] + b * h[1]), cast(c * h[0] + d * h[1])
        if g != h and (cast(a * g[0] + b * g[1]), cast(c * g[0] + d * g[1])) == h:
            return h, g
    return None


@claim(
    "new.parity.stepwise.two-cycle",
    place="after grazzi25 Theorem 1, App. A.4",
    title="with rounding at every step a nonnegative spectrum does not suffice: three 2 × 2 matrices that alternate for ever",
    says=r"There are $A\in\mathbb Z^{2\times2}$ with spectrum in $[0,\infty)$ and $H_0\ne H_1$ with $\mathrm{cast}(AH_0)=H_1$, $\mathrm{cast}(AH_1)=H_0$: one with $\mathbb D=\{-1,1\}$, "
    r"one with $\mathbb D=\{-1,0,1\}$, and one with $\mathbb D=\{-1,0,1\}$ and both eigenvalues positive.",
    known=f"{LIMIT_CYCLES}. grazzi25 states its Theorem 1 for another model (products in infinite precision, then cast) and calls it a simplification (App. A.4, B.1).",
    remarks=("n = 1 has no such example, nor has a symmetric matrix (new.parity.stepwise.monotone).",),
    sabotages={"only symmetric matrices are searched": {"admissible": lambda m: m[1] == m[2]}},
)
def rounding_at_every_step(proof: Proof, admissible=lambda m: True) -> None:
    r"""Search $2\times2$ integer matrices by their largest entry; each find is an orbit of two states.

    1. For $\mathbb D=\{-1,1\}$ entries of modulus 1 suffice. For $\mathbb D=\{-1,0,1\}$ they are 4 at most, and 8 at most with both eigenvalues positive. [checked: "the search finds a 2-cycle"]
    2. Sturm and Descartes decide the signs of the eigenvalues, and a determinant other than 0 makes both positive. [checked: "every eigenvalue is real and >= 0"; "both are positive where they should be"]
    3. In each case $H_0$ goes to another state $H_1$, and back. [checked: "the rounded state returns after two steps"; "and not after one"]
    """
    cases = (((-1, 1), 1, False), ((-1, 0, 1), 4, False), ((-1, 0, 1), 8, True))
    for D, largest, positive in proof.every("the three cases of the claim", cases, limited=False):
        what = f"D = {{{', '.join(map(str, D))}}}" + ", both eigenvalues positive" * positive
        regular = lambda m, positive=positive: m[0] * m[3] != m[1] * m[2] or not positive  # noqa: E731
        candidates = (m for m in _integer_matrices(largest) if admissible(m) and regular(m))
        found = next(((m, cycle) for m in candidates if (cycle := _two_cycle(m, D))), None)
        proof.holds("the search finds a 2-cycle", found is not None)
        if found is None:
            return
        entries, (h, g) = found
        a = exact.rationals([entries[:2], entries[2:]])
        layer = parity.power_recurrence(a, exact.rationals([[x] for x in h]))
        points = FiniteSet(D)
        states = list(islice(layer.stepwise_states([1] * 4, points), 5))
        proof.holds("every eigenvalue is real and >= 0", spectrum_is_nonnegative(a))
        proof.holds("both are positive where they should be: the determinant is not 0", exact.determinant(a) != 0 or not positive)
        proof.exactly("the rounded state returns after two steps", states[2], states[0])
        proof.holds("and not after one", not np.array_equal(states[0], states[1]))
        proof.exhibit(
            f"a 2-cycle, {what}",
            **{
                "A(1)": a,
                "characteristic polynomial": str(exact.characteristic_polynomial(a)),
                "H_0": list(h),
                "A H_0": (a @ layer.initial)[:, 0],
                "H_1": list(g),
                "A H_1": (a @ states[1])[:, 0],
                "H_2": states[2][:, 0],
            },
        )
        proof.certificate("witness", what, A=a, D=points, orbit=[s[:, 0] for s in states[:3]])


# -- one more rounding inside a step ---------------------------------------------------------------------------------------


def rounded_delta(D: FiniteSet, k: Array, beta: fmpq, h: Array, single: bool = False) -> Array:
    """A DeltaNet step with v = 0 in which D holds every intermediate result: h + k u, u = -beta (k . h).

    Rounded are k . h, u and the new state; with ``single`` also each product and sum of two numbers on the way.
    """
    cast = D.cast_scalar
    if single:
        s = D.values[0] * 0
        for x, y in zip(k, h, strict=True):
            s = cast(s + cast(x * y))
        u = cast(-beta * s)
        return exact.rationals([cast(y + cast(x * u)) for x, y in zip(k, h, strict=True)])
    u = cast(-beta * cast(k @ h))
    return D.cast(h + k * u)


def rounded_once(D: FiniteSet, k: Array, beta: fmpq, h: Array, single: bool = False) -> Array:
    """The same step, rounded at its end only."""
    return D.cast(h - beta * k * (k @ h))


@claim(
    "new.parity.stepwise.delta",
    place="after grazzi25 Theorem 1",
    title="rounding computes parity: a DeltaNet [0, 1] layer of width 2 with D = {−1, 0, 1}, if k.h is rounded before it is used",
    says=r"Let $\mathbb D=\{-1,0,1\}$, $k=(\frac35,\frac45)$, $v=0$, $\beta(1)=\frac34$, $\beta(0)=0$, $h_0=(-1,0)$ and $s=\mathrm{cast}(k\cdot h)$, $u=\mathrm{cast}(-\beta s)$, "
    r"$h'=\mathrm{cast}(h+uk)$. Then $h_t=(-1,0)$ if $x_1+\dots+x_t$ is even and $(0,1)$ if it is odd, for every word. The same holds if every product and every sum is rounded.",
    hypotheses=("every intermediate result is rounded onto D; k and beta are held exactly",),
    remarks=(
        "If k.h is rounded and beta (k.h) is not, this orbit settles: (-1, 0), (-1, 1), (-1, 1), ... Which products are rounded matters.",
    ),
    known=f"{LIMIT_CYCLES}. grazzi25, Theorem 1, and new.parity.stepwise.monotone exclude parity for the transition I - beta k k^T, which is positive semidefinite, "
    "in models that round less often.",
    sabotages={
        "the step is rounded at its end only": {"step": rounded_once},
        "beta = 1/4": {"beta": fmpq(1, 4)},
        "beta = 0": {"beta": fmpq(0)},
    },
)
def rounding_computes_parity(proof: Proof, step: Callable = rounded_delta, beta: fmpq = fmpq(3, 4)) -> None:
    r"""Two states and two letters, in exact arithmetic.

    1. From $(-1,0)$: $k\cdot h=-\frac35$ is cast to $-1$, $u=\mathrm{cast}(\frac34)=1$, and $h+k=(-\frac25,\frac45)$ is cast to $(0,1)$. [checked: "the letter 1 exchanges"]
    2. From $(0,1)$: $k\cdot h=\frac45$ is cast to $1$, $u=\mathrm{cast}(-\frac34)=-1$, and $h-k=(-\frac35,\frac15)$ is cast to $(-1,0)$. [checked: "the letter 1 exchanges"]
    3. The letter $0$ has $u=\mathrm{cast}(0)=0$ and keeps the state. So both letters lead from these two states to these two: every word. [checked: "the letter 0 keeps"]
    4. With each product and sum rounded, the products $k_ih_i$ and $uk_i$ are cast to $-1$, $0$ or $1$ and lead to the same states. [checked: "the letter 1 exchanges"]
    5. Yet $\beta|k|^2=\frac34$ and $I-\beta kk^\top$ is positive semidefinite: rounded once per step the orbit is constant. [checked: "I - beta k k^T is positive semidefinite"; "rounded once"; "with beta (k.h) exact"]
    """
    D, k = FiniteSet([-1, 0, 1]), exact.rationals(["3/5", "4/5"])
    even, odd = exact.rationals([-1, 0]), exact.rationals([0, 1])
    for single in proof.every("k.h, u and the state rounded, or every product and sum", (False, True), limited=False):
        for before, after in ((even, odd), (odd, even)):
            proof.exactly("the letter 1 exchanges the two states", step(D, k, beta, before, single), after)
            proof.exactly("the letter 0 keeps them", step(D, k, fmpq(0), before, single), before)
    once = half = [even]
    for _ in range(4):
        once = [*once, rounded_once(D, k, beta, once[-1])]
        half = [*half, D.cast(half[-1] - beta * D.cast_scalar(k @ half[-1]) * k)]
    for A in proof.every("the letter 1", [architectures.delta_rule(beta, k)], limited=False):
        proof.holds("0 <= beta |k|^2 <= 1", 0 <= beta * (k @ k) <= 1)
        proof.holds("I - beta k k^T is positive semidefinite", exact.is_positive_semidefinite(A))
        proof.exactly("rounded once per step the state settles", once[-1], once[-2])
        proof.exactly("with beta (k.h) exact it settles as well", half[-1], half[-2])
    proof.exhibit("the layer", D=D, k=k, beta=["0 at the letter 0", f"{beta} at the letter 1"], v=0, states={"even": even, "odd": odd})
    proof.certificate("witness", "two states exchanged", D=D, k=k, beta=beta, even=even, odd=odd)
