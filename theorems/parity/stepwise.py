"""Rounding after every step, as hardware does: where the cast model's Theorem 1 fails, and where it still holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
    topic="parity",
    place="after grazzi25 Theorem 1, App. A.4",
    kind="new",
    title="with rounding at every step a nonnegative spectrum does not suffice: three 2 x 2 matrices that alternate for ever",
    says=r"There are $A\in\mathbb Z^{2\times2}$ with spectrum in $[0,\infty)$ and $H_0\ne H_1$ with $\mathrm{cast}(AH_0)=H_1$, $\mathrm{cast}(AH_1)=H_0$: one with $\mathbb D=\{-1,1\}$, "
    r"one with $\mathbb D=\{-1,0,1\}$, and one with $\mathbb D=\{-1,0,1\}$ and both eigenvalues positive.",
    known=f"{LIMIT_CYCLES}. grazzi25 states its Theorem 1 for another model (products in infinite precision, then cast) and calls it a simplification (App. A.4, B.1).",
    remarks=("n = 1 has no such example (new.parity.stepwise.scalar), nor has a symmetric matrix (new.parity.stepwise.symmetric).",),
    sabotages={"only symmetric matrices are searched": {"admissible": lambda m: m[1] == m[2]}},
)
def rounding_at_every_step(proof: Proof, admissible=lambda m: True) -> None:
    r"""Search $2\times2$ integer matrices by their largest entry; each find is an orbit of two states.

    1. For $\mathbb D=\{-1,1\}$: entries of modulus 1 suffice. [checked: "D = {-1, 1}: "]
    2. For $\mathbb D=\{-1,0,1\}$, where $0$ is at hand, 4 and below. [checked: "D = {-1, 0, 1}: "]
    3. With both eigenvalues positive, 8 and below; those of the one found are $1$ and $1$. Sturm and Descartes decide all signs.
       [checked: "D = {-1, 0, 1}, both eigenvalues positive: "]
    """
    for D, what, extra in (
        ((-1, 1), "D = {-1, 1}", lambda m: True),
        ((-1, 0, 1), "D = {-1, 0, 1}", lambda m: True),
        ((-1, 0, 1), "D = {-1, 0, 1}, both eigenvalues positive", lambda m: m[0] * m[3] - m[1] * m[2] > 0),
    ):
        largest = 9 if what.endswith("positive") else 5
        candidates = (m for m in _integer_matrices(largest) if admissible(m) and extra(m))
        found = next(((m, cycle) for m in candidates if (cycle := _two_cycle(m, D))), None)
        proof.holds(f"{what}: the search finds a 2-cycle", found is not None)
        if found is None:
            return
        entries, (h, g) = found
        a = exact.rationals([entries[:2], entries[2:]])
        layer = parity.power_recurrence(a, exact.rationals([[x] for x in h]))
        points = FiniteSet(D)
        states = list(islice(layer.stepwise_states([1] * 4, points), 5))
        proof.holds(f"{what}: every eigenvalue is real and >= 0", spectrum_is_nonnegative(a))
        proof.exactly(f"{what}: the rounded state returns after two steps", states[2], states[0])
        proof.holds(f"{what}: and not after one", not np.array_equal(states[0], states[1]))
        if what.endswith("positive"):
            proof.holds(f"{what}: the determinant is not 0", exact.determinant(a) != 0)
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
    proof.whole("it says that certain matrices exist, and they are written down")


@claim(
    "new.parity.stepwise.scalar",
    topic="parity",
    place="after grazzi25 Theorem 1",
    kind="new",
    title="a scalar a >= 0 is eventually constant under step-wise rounding as well",
    says=r"For $a\ge0$, any $b$ and any finite $\mathbb D$, $h_k=\mathrm{cast}(a h_{k-1}+b)$ is eventually constant.",
    known="Elementary: orbits of a nondecreasing map of a finite chain settle.",
    remarks=(
        "It stays true if the product is rounded before the sum, since both roundings are nondecreasing: so it covers diagonal layers in floating point.",
    ),
    sabotages={"a negative scalar": {"low": -2}, "every map is constant": {"high": 0}},
)
def monotone_maps_settle(proof: Proof, low: int = 0, high: int = 3) -> None:
    r"""$h\mapsto\mathrm{cast}(ah+b)$ is nondecreasing on the chain $\mathbb D$, and every orbit of a nondecreasing self-map of a finite chain settles.

    1. For $a\ge0$ the map $h\mapsto ah+b$ is nondecreasing, and so is cast (a larger number has no smaller nearest element, ties included).
       [checked: "h -> cast(a h + b) is nondecreasing"] [prose]
    2. Let $f$ be nondecreasing. If $h_1\ge h_0$ then $h_2=f(h_1)\ge f(h_0)=h_1$, and so on: the orbit climbs; if $h_1\le h_0$ it descends. In a chain of $n$ elements it stands still
       after at most $n-1$ steps. [checked: "after n steps every orbit is at a fixed point"] [prose]
    3. The orbits of the maps of step 1 do so. [checked: "the orbit stands still"]
    """
    largest = proof.pick(4, 6, 7)
    maps = ((n, f) for n in range(1, largest + 1) for f in product(range(n), repeat=n) if all(x <= y for x, y in pairwise(f)))
    for n, f in proof.every(f"all nondecreasing self-maps of chains of <= {largest} elements", maps):
        proof.holds("after n steps every orbit is at a fixed point", all(f[_iterate(f, x, n)] == _iterate(f, x, n) for x in range(n)))
    rng = Random(6)
    count = proof.pick(50, 300, 3000)
    family = [(samples.fraction(rng, low, high), samples.fraction(rng, -2, 2), samples.finite_set(rng)) for _ in range(count)]
    longest = 0
    for a, b, D in proof.each(f"{count} random a >= 0, b, D", family):
        images = [D.cast_scalar(a * z + b) for z in D.values]
        proof.exactly("h -> cast(a h + b) is nondecreasing", images, sorted(images))
        orbit = [D.values[0]]
        while len(orbit) <= len(D):
            orbit.append(D.cast_scalar(a * orbit[-1] + b))
        proof.exactly("the orbit stands still", orbit[-1], orbit[-2])
        if len(set(orbit)) > 2:
            longest = max(longest, len(set(orbit)))
            proof.certificate("witness", "an orbit that settles", A=[[a]], b=[b], D=D, orbit=[[x] for x in orbit])
    proof.holds("some orbits visit three states", longest >= 3)


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
    title="with symmetric positive semidefinite A the state settles if A h + b is exact and rounded once per step",
    says=r"If $A(1)$ is symmetric positive semidefinite then $H_k=\mathrm{cast}(A(1)H_{k-1}+B(1))$, with $A(1)H_{k-1}+B(1)$ computed exactly and rounded once, is eventually constant on $1^k$ for "
    r"every $B(1)$, $H_0$ and finite $\mathbb D$.",
    hypotheses=("A(1) symmetric positive semidefinite (real)", "A h + b exact, then rounded once per step, ties as printed"),
    known="The energy is that of Goles and Olivos (1980) for symmetric threshold networks, whose orbits have period at most 2; that semidefinite weights leave no 2-cycle is known for two levels "
    "(Hopfield networks in parallel mode: Goles, Fogelman and Pellegrin 1985; Bruck and Goodman 1988). Here D is any finite set and ties go down.",
    remarks=(
        "By induction on the layers a stack of such layers (Mamba, GLA, BMRU, DeltaNet [0, 1]) settles on 1^k in this model of rounding, so that it does not find the parity.",
        "It says nothing of arithmetic that rounds k.h before it goes on: there a DeltaNet [0, 1] layer computes parity (new.parity.stepwise.delta).",
    ),
    sabotages={
        "symmetric but indefinite": {"sample": lambda rng, n: exact.identity(n) * -1},
        "spectrum in [0, inf) but not symmetric": {
            "sample": lambda rng, n: exact.rationals([[-1, -1], [1, 1]]),
            "sizes": (2,),
            "points": (-1, 1),
        },
        "ties broken in turn": {"rounding": _cast_alternating, "sample": lambda rng, n: exact.zeros(n, n), "points": (-1, 1), "inputs": 0},
        "A = 0": {"sample": lambda rng, n: exact.zeros(n, n)},
    },
)
def energy_decreases(
    proof: Proof, sample=samples.positive_semidefinite, sizes=(1, 2, 3, 4), points=None, inputs=None, rounding=_cast_down
) -> None:
    r"""An energy of Goles and Olivos leaves only 2-cycles, and positive semidefiniteness excludes them.

    Write $x_t$ for the states, $A=A(1)$, $b=B(1)$ (one column; the others do not interact) and
    $E_t=\frac12(|x_t|^2+|x_{t-1}|^2)-x_t\cdot Ax_{t-1}-b\cdot(x_t+x_{t-1})$.

    1. With $G_t(z)=\frac12|z|^2-z\cdot(Ax_t+b)$ one has $E_{t+1}-E_t=G_t(x_{t+1})-G_t(x_{t-1})$, because $x_t\cdot Ax_{t-1}=x_{t-1}\cdot Ax_t$.
       [checked: "E_{t+1} - E_t = G(x_{t+1}) - G(x_{t-1})"]
    2. $G_t(z)=\frac12|z-(Ax_t+b)|^2+\text{const}$, so $x_{t+1}=\mathrm{cast}(Ax_t+b)$ minimises it over $\mathbb D^n$, and $E$ never increases. It takes finitely many values,
       so it is constant from some $t$ on. [checked: "the energy never increases"] [prose]
    3. From then on $x_{t-1}$ is a minimiser as well; cast takes the smallest one in every entry, so $x_{t+1}\le x_{t-1}$ entry by entry. Along even and along odd $t$ the states
       descend in a finite set: in the end $x_{t+1}=x_{t-1}$. [prose]
    4. Let $p,q$ be such a 2-cycle, $q=\mathrm{cast}(Ap+b)$, $p=\mathrm{cast}(Aq+b)$. cast is nondecreasing, so every entry of $q-p$ has the sign of the entry of
       $A(p-q)$ or is $0$: $(q-p)\cdot A(p-q)\ge0$. [prose]
    5. That is $-(q-p)\cdot A(q-p)\ge0$, and $A$ is positive semidefinite: $A(q-p)=0$. Then $Ap+b=Aq+b$ has one cast, and $p=q$. [checked: "(q-p).(Ap-Aq) = -(q-p).A(q-p)"] [prose]
    6. Instances. [checked: "A is symmetric positive semidefinite"; "the state is constant in the end"]
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
    moving, coupled = 0, 0
    for n, a in proof.each(f"{len(family)} random rational A = X X^T of any rank, n <= {max(sizes)}, |D| <= 5", family):
        proof.holds("A is symmetric positive semidefinite", np.array_equal(a, a.T) and exact.is_positive_semidefinite(a))
        D = FiniteSet(points) if points else samples.finite_set(rng)
        b = samples.integers(rng, n) / 2 if inputs is None else exact.zeros(n)
        states = _orbit(a, b, D, exact.rationals([rng.choice(D.values) for _ in range(n)]), rounding)
        energies = [_energy(a, b, x, y) for x, y in pairwise(states)]
        proof.holds("the energy never increases", all(x >= y for x, y in pairwise(energies)))
        proof.exactly("the state is constant in the end", states[-1], states[-2])
        moving += len(states) > 3
        coupled += any(a[i, j] != 0 for i in range(n) for j in range(i))
        if n > 1 and len(states) > 3:
            proof.certificate("witness", "an orbit that settles", A=a, b=b, D=D, orbit=states)
            if not proof.exhibits:
                proof.exhibit("an orbit that settles", A=a, b=b, D=D, states=states)
    proof.holds("a tenth of the orbits move for two steps or more", 10 * moving > len(family))
    proof.holds("half of the transitions are not diagonal", 2 * coupled > len(family))
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
    topic="parity",
    place="after grazzi25 Theorem 1",
    kind="new",
    title="rounding computes parity: a DeltaNet [0, 1] layer of width 2 with D = {-1, 0, 1}, if k.h is rounded before it is used",
    says=r"Let $\mathbb D=\{-1,0,1\}$, $k=(\frac35,\frac45)$, $v=0$, $\beta(1)=\frac34$, $\beta(0)=0$, $h_0=(-1,0)$ and $s=\mathrm{cast}(k\cdot h)$, $u=\mathrm{cast}(-\beta s)$, "
    r"$h'=\mathrm{cast}(h+uk)$. Then $h_t=(-1,0)$ if $x_1+\dots+x_t$ is even and $(0,1)$ if it is odd, for every word. The same holds if every product and every sum is rounded.",
    hypotheses=("every intermediate result is rounded onto D; k and beta are held exactly",),
    remarks=(
        "If k.h is rounded and beta (k.h) is not, this orbit settles: (-1, 0), (-1, 1), (-1, 1), ... Which products are rounded matters.",
    ),
    known=f"{LIMIT_CYCLES}. grazzi25, Theorem 1, and new.parity.stepwise.symmetric exclude parity for the transition I - beta k k^T, which is positive semidefinite, "
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
    3. The letter $0$ has $u=\mathrm{cast}(0)=0$ and keeps the state. [checked: "the letter 0 keeps"]
    4. With each product and sum rounded, the products $k_ih_i$ and $uk_i$ are cast to $-1$, $0$ or $1$ and lead to the same states. [checked: "the letter 1 exchanges"]
    5. Yet $\beta|k|^2=\frac34$ and $I-\beta kk^\top$ is positive semidefinite: rounded once per step the orbit is constant. [checked: "I - beta k k^T is positive semidefinite"; "rounded once"; "with beta (k.h) exact"]
    """
    D, k = FiniteSet([-1, 0, 1]), exact.rationals(["3/5", "4/5"])
    even, odd = exact.rationals([-1, 0]), exact.rationals([0, 1])
    for single in proof.every("k.h, u and the state rounded, or every product and sum", (False, True), limited=False):
        for before, after in ((even, odd), (odd, even)):
            proof.exactly("the letter 1 exchanges the two states", step(D, k, beta, before, single), after)
            proof.exactly("the letter 0 keeps them", step(D, k, fmpq(0), before, single), before)
    proof.holds("0 <= beta |k|^2 <= 1", 0 <= beta * (k @ k) <= 1)
    proof.holds("I - beta k k^T is positive semidefinite", exact.is_positive_semidefinite(architectures.delta_rule(beta, k)))
    once = [even]
    for _ in range(4):
        once.append(rounded_once(D, k, beta, once[-1]))
    proof.exactly("rounded once per step the state settles", once[-1], once[-2])
    half = [even]
    for _ in range(4):
        half.append(D.cast(half[-1] - beta * D.cast_scalar(k @ half[-1]) * k))
    proof.exactly("with beta (k.h) exact it settles as well", half[-1], half[-2])
    proof.whole("two states are closed under both letters, so that every word is covered")
    proof.exhibit("the layer", D=D, k=k, beta=["0 at the letter 0", f"{beta} at the letter 1"], v=0, states={"even": even, "odd": odd})
    proof.certificate("witness", "two states exchanged", D=D, k=k, beta=beta, even=even, odd=odd)
