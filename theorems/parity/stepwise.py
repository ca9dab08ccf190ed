"""Rounding after every step, as hardware does: where the cast model's Theorem 1 fails, and where it still holds."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, pairwise, product
from random import Random

import numpy as np
import sympy
from flint import fmpq

from ...constructions import architectures, parity, samples
from ...numerics import exact
from ...numerics.exact import Array
from ...numerics.finite_precision import FiniteSet
from ..claim import claim
from ..evidence import Proof


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
    "grazzi25.thm1.stepwise",
    topic="parity",
    place="Theorem 1, App. A.4",
    title="Theorem 1 also holds when the state is rounded after every step",
    says=r"If $A(1)$ has its spectrum in $[0,\infty)$, then $H_k=\mathrm{cast}(A(1)H_{k-1}+B(1))$ is eventually constant.",
    reading="the theorem read for arithmetic that rounds as it goes; the paper proves it for the cast model only",
    sabotages={"only symmetric matrices are searched": {"admissible": lambda m: m[1] == m[2]}},
)
def rounding_at_every_step(proof: Proof, admissible=lambda m: True) -> None:
    """Search 2 x 2 integer matrices by largest entry for a 2-cycle under rounding; n = 1 cannot have one."""
    for D, what, extra in (
        ((-1, 1), "D = {-1, 1}", lambda m: True),
        ((-1, 0, 1), "D = {-1, 0, 1}", lambda m: True),
        ((-1, 0, 1), "D = {-1, 0, 1}, both eigenvalues positive", lambda m: m[0] * m[3] - m[1] * m[2] > 0),
    ):
        largest = 9 if what.endswith("positive") else 5
        candidates = (m for m in _integer_matrices(largest) if admissible(m) and extra(m))
        found = proof.smallest(f"integer 2 x 2 matrices by largest entry, {what}", candidates, lambda m, D=D: _two_cycle(m, D))
        if not found:
            return
        entries, (h, g) = found
        a = exact.rationals([entries[:2], entries[2:]])
        layer = parity.power_recurrence(a, exact.rationals([[x] for x in h]))
        points = FiniteSet(D)
        states = list(islice(layer.stepwise_states([1] * 4, points), 5))
        spectrum = exact.rational_eigenvalues(a)
        proof.counterexample(
            given={
                "A(1)": a,
                "B(1)": 0,
                "D": list(D),
                "H_0": list(h),
                "A H_0": (a @ layer.initial)[:, 0],
                "H_1": list(g),
                "A H_1": (a @ states[1])[:, 0],
                "H_2": list(h),
            }
            | ({"eigenvalues": list(spectrum)} if spectrum else {"characteristic polynomial": str(exact.characteristic_polynomial(a))}),
            hypotheses={"every eigenvalue is real and >= 0": _spectrum_is_nonnegative(a)},
            violates={
                "the rounded state alternates for ever": np.array_equal(states[0], states[2]) and not np.array_equal(states[0], states[1])
            },
            minimal=f"n = 2, entries <= {max(map(abs, entries))} for {what}",
        )
        if sum(spectrum.values()) == 2:
            proof.certificate(
                "stepwise-orbit", f"a 2-cycle under step-wise rounding, {what}", A=a, b=a[:, 0] * 0, D=points,
                orbit=[s[:, 0] for s in states[:3]], eigenvalues=[x for x, m in spectrum.items() for _ in range(m)],
            )  # fmt: skip


def _spectrum_is_nonnegative(a: Array) -> bool:
    """Real roots only, and by Descartes none negative: det(xI - A) has coefficients of alternating sign."""
    p = exact.characteristic_polynomial(a)
    n = len(a)
    return exact.count_real_roots(p) == n and all(c * (-1) ** (n - k) >= 0 for k, c in enumerate(p.coeffs()))


@claim(
    "new.parity.stepwise.scalar",
    topic="parity",
    place="after grazzi25 Theorem 1",
    kind="new",
    title="a scalar a >= 0 is eventually constant under step-wise rounding as well",
    says=r"For $a\ge0$, any $b$ and any finite $\mathbb D$, $h_k=\mathrm{cast}(a h_{k-1}+b)$ is eventually constant.",
    sabotages={"a negative scalar": {"low": -2}},
)
def monotone_maps_settle(proof: Proof, low: int = 0) -> None:
    """h -> cast(a h + b) is nondecreasing on the chain D, and every orbit of a nondecreasing self-map of a chain settles."""
    largest = proof.pick(4, 6, 7)
    maps = ((n, f) for n in range(1, largest + 1) for f in product(range(n), repeat=n) if all(x <= y for x, y in pairwise(f)))
    for n, f in proof.every(f"all nondecreasing self-maps of chains of <= {largest} elements", maps):
        proof.holds("after n steps every orbit is at a fixed point", all(f[_iterate(f, x, n)] == _iterate(f, x, n) for x in range(n)))
    rng = Random(6)
    count = proof.pick(50, 300, 3000)
    family = [(samples.fraction(rng, low, 3), samples.fraction(rng, -2, 2), samples.finite_set(rng)) for _ in range(count)]
    for a, b, D in proof.each(f"{count} random a >= 0, b, D", family):
        images = [D.cast_scalar(a * z + b) for z in D.values]
        proof.exactly("h -> cast(a h + b) is nondecreasing", images, sorted(images))


def _iterate(f: tuple[int, ...], x: int, n: int) -> int:
    for _ in range(n):
        x = f[x]
    return x


def _cast_down(D: FiniteSet, array: Array, step: int) -> Array:
    return D.cast(array)


def _cast_alternating(D: FiniteSet, array: Array, step: int) -> Array:
    """Ties go down at even and up at odd steps: not a function of the value any more."""
    key = (lambda x: lambda z: (abs(z - x), -z)) if step % 2 else (lambda x: lambda z: (abs(z - x), z))
    return exact.map_entries(lambda x: min(D.values, key=key(x)), array)


@claim(
    "new.parity.stepwise.symmetric",
    topic="parity",
    place="after grazzi25 Theorem 1",
    kind="new",
    title="with symmetric positive semidefinite transitions, step-wise rounding is eventually constant too, at any depth",
    says=r"If $A(1)$ is symmetric positive semidefinite then $H_k=\mathrm{cast}(A(1)H_{k-1}+B(1))$ is eventually constant for every $B(1)$, $H_0$ "
    r"and finite $\mathbb D$. So no stack of Mamba, GLA, BMRU or DeltaNet $[0,1]$ layers finds the parity with rounding at every step.",
    hypotheses=("A(x) symmetric positive semidefinite for every x (real)", "H_k = cast(A H_{k-1} + B), ties as printed"),
    sabotages={
        "symmetric but indefinite": {"sample": lambda rng, n: exact.identity(n) * -1},
        "spectrum in [0, inf) but not symmetric": {
            "sample": lambda rng, n: exact.rationals([[-1, -1], [1, 1]]),
            "sizes": (2,),
            "points": (-1, 1),
        },
        "ties broken in turn": {"rounding": _cast_alternating, "sample": lambda rng, n: exact.zeros(n, n), "points": (-1, 1), "inputs": 0},
    },
)
def energy_decreases(
    proof: Proof, sample=samples.positive_semidefinite, sizes=(1, 2, 3, 4), points=None, inputs=None, rounding=_cast_down
) -> None:
    """An energy of Goles and Olivos, and positive semidefiniteness against the 2-cycles that it leaves.

    With E_t = (|x_t|^2 + |x_{t-1}|^2) / 2 - x_t . A x_{t-1} - b . (x_t + x_{t-1}) and A symmetric, E_{t+1} - E_t =
    G(x_{t+1}) - G(x_{t-1}) where G(z) = |z|^2 / 2 - z . (A x_t + b); cast minimises G over D^n, so E never increases. Where
    it stays equal, x_{t-1} minimises G as well and the tie rule gives x_{t+1} <= x_{t-1}; finitely many states leave
    x_{t+1} = x_{t-1}. In such a 2-cycle p, q monotonicity of cast gives (q - p) . (A p - A q) >= 0, that is
    (q-p) . A (q-p) <= 0, so A (q - p) = 0, both have the same image, and p = q.
    """
    pp, qq, rr, r_aq, p_aq, bp, bq, br = sympy.symbols("pp qq rr rAq pAq bp bq br")
    # p, q, r = x_{t-1}, x_t, x_{t+1}; q . A p = p . A q by symmetry
    before = (qq + pp) / 2 - p_aq - (bq + bp)
    after = (rr + qq) / 2 - r_aq - (br + bq)
    proof.symbolically(
        "E_{t+1} - E_t = G(x_{t+1}) - G(x_{t-1})", after - before, (rr / 2 - r_aq - br) - (pp / 2 - p_aq - bp), "n, symmetric A, and b"
    )
    p_ap, q_aq = sympy.symbols("pAp qAq")
    difference = (p_aq - q_aq) - (p_ap - p_aq)  # (q - p) . (A p - A q)
    proof.symbolically("(q-p).(Ap-Aq) = -(q-p).A(q-p)", difference, -(q_aq - 2 * p_aq + p_ap), "n, symmetric A, and b")
    rng = Random(7)
    count = proof.pick(10, 40, 400)
    family = [(n, sample(rng, n)) for n in sizes for _ in range(count)]
    for n, a in proof.each(f"{len(family)} random rational A = X X^T of any rank, n <= {max(sizes)}, |D| <= 5", family):
        proof.holds("A is symmetric positive semidefinite", np.array_equal(a, a.T) and exact.is_positive_semidefinite(a))
        D = FiniteSet(points) if points else samples.finite_set(rng)
        b = samples.integers(rng, n) / 2 if inputs is None else exact.zeros(n)
        states = _orbit(a, b, D, exact.rationals([rng.choice(D.values) for _ in range(n)]), rounding)
        energies = [_energy(a, b, x, y) for x, y in pairwise(states)]
        proof.holds("the energy never increases", all(x >= y for x, y in pairwise(energies)))
        proof.exactly("the state is constant in the end", states[-1], states[-2])
    for beta in proof.each("DeltaNet [0,1]: beta in {0, 1/2, 1}, |k| = 1", [fmpq(0), fmpq(1, 2), fmpq(1)]):
        a = architectures.delta_rule(beta, exact.rationals(["3/5", "4/5"]))
        proof.holds("I - beta k k^T is symmetric positive semidefinite", exact.is_positive_semidefinite(a))


def _orbit(a: Array, b: Array, D: FiniteSet, state: Array, rounding, longest: int = 200) -> list[Array]:
    """States until one repeats its predecessor, or ``longest`` of them."""
    states = [state, rounding(D, a @ state + b, 1)]
    while not np.array_equal(states[-1], states[-2]) and len(states) < longest:
        states.append(rounding(D, a @ states[-1] + b, len(states)))
    return states


def _energy(a: Array, b: Array, previous: Array, current: Array) -> fmpq:
    return (current @ current + previous @ previous) / 2 - current @ a @ previous - b @ (current + previous)
