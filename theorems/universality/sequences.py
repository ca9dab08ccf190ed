"""Recurrence and head together: how wide a head serves all time steps (orvieto24, Theorem 2)."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import numpy as np
import sympy
from flint import fmpq

from ...constructions import samples
from ...constructions.universality import heads as built
from ...constructions.universality.maps import SequenceModel, on_tokens, sequence_model
from ...constructions.universality.networks import Network, ramp, settled, step
from ...numerics import exact
from ...numerics.aliases import Exact
from ..claim import claim
from ..evidence import Proof


def as_data(g: Network) -> dict:
    """A head of steps, for a certificate."""
    return {"inner": [list(row) for row in g.inner], "bias": list(g.bias), "outer": list(g.outer), "offset": g.offset}


def positive_nodes(P: int) -> list[fmpq]:
    """Distinct positive nodes below 1."""
    return [1 - fmpq(1, 2 * i + 3) for i in range(P)]


def constant_head(k: int, value: fmpq) -> Network:
    """A head on k tokens without neurons."""
    return Network(exact.zeros(0, k), exact.zeros(0), exact.zeros(0), value)


def same_on_cube(proof: Proof, what: str, left: Network, right: Network, reach: object = 1) -> None:
    """Record that two heads of steps, or of ramps, agree for all |x_i| <= ``reach``, and that one of them raised by 1 would not."""
    raised = Network(right.inner, right.bias, right.outer, right.offset + 1, right.activation)
    found = settled(left, reach)
    proof.holds(what, found == settled(right, reach) and found != settled(raised, reach))


# -- what is said --------------------------------------------------------------------------------------------------------------


@claim(
    "orvieto24.abstract.universal",
    place="Abstract; contributions",
    title="a diagonal linear recurrence and one hidden layer approximate every continuous causal map on bounded inputs",
    says=r"For continuous $T_k$, $k\le L$, bounded $\mathcal V$ and $\epsilon>0$ there are a diagonal recurrence with real or complex eigenvalues and one head with one hidden layer such that $\sup_{\mathcal V}\max_k\|\hat y_k-T_k(v_{1:k})\|\le\epsilon$.",
    reading="'arbitrarily precise approximation of regular causal sequence-to-sequence maps' by a single layer, uniformly, without a bound on the width of the head",
    sabotages={"the heads come a step late": {"order": lambda networks: networks[:1] + networks[:-1]}},
)
def universal(proof: Proof, order=lambda networks: networks) -> None:
    r"""Every step by itself, by the universal approximation theorem; then one head for all of them.

    1. On the bounded set of $v_{1:k}$ some network $g_k$ with one hidden layer of steps is within $\epsilon$ of $T_k$. [cited: universal approximation theorem]
    2. One head on the states of a recurrence with a clock and $L$ distinct real nodes outputs exactly $g_k(v_{1:k})$ at step $k$. [uses: orvieto24.thm2.amended] [checked: "the head of the step, on the whole cube"]
    """
    proof.cites(
        "Cybenko; Leshno, Lin, Pinkus and Schocken: networks with one hidden layer are dense in the continuous functions on a compact set"
    )
    L = proof.pick(3, 4, 6)
    networks, _ = built.product_heads((0, 1), L, 3)
    model = sequence_model(positive_nodes(L), [g.after(exact.identity(k)[: g.inner.shape[1]]) for k, g in enumerate(order(networks), 1)], 1)
    for k, g in proof.each(f"products of neighbouring tokens, L = {L}", list(enumerate(networks, 1))):
        same_on_cube(proof, "the head of the step, on the whole cube", on_tokens(model.head, positive_nodes(L), k), g)


@claim(
    "orvieto24.thm2",
    place="Theorem 2",
    title="a recurrence of width dim V with a clock and one head of O(L / ε²) neurons approximate T uniformly on a bounded V",
    says=r"For bounded $\mathcal V$ of dimension $P$, $N\ge P$ units with suitable eigenvalues beside the clock, and steps as $\sigma$: $D\le L\,(c_Pr^2C^2\epsilon^{-2}+1)$ neurons give "
    r"$\sup_{\mathcal V}\max_k|\hat y_k-T_k(v_{1:k})|\le\epsilon$, where $\|v\|\le r$ and $C_{T_k}\le C$; $c_P$ depends on $P$ only.",
    reading="the supremum over V as printed, with a constant in O that may depend on dim V; one output; N counts the units that remember, the clock of Sec. 3.1.1 (the encoder has biases) being one more",
    remarks=(
        "In the mean square, and uniformly on finitely many inputs up to a logarithm, c does not depend on P: orvieto24.thm2.amended.rates. Whether it need in the supremum norm is new.universality.uniform, which is open.",
        "The factor L is the price of a clock of one unit (new.universality.price.lipschitz): units that read the constant can take it over (new.universality.clocks).",
        "Without structure P = L, and c_P is known to be O(P) only: then D = O(L^2 / eps^2) is what is known in the supremum norm.",
        "P units remember inputs and time together, with no unit for the clock (new.universality.bias.subspace); the head is then no wider but for exceptional directions (new.universality.bias.subspace), and for P = L at most twice as wide (new.universality.bias.head).",
    ),
    sabotages={"two shifts for each step": {"shifts": 2}},
)
def uniformly_on_bounded_sets(proof: Proof, shifts: int = 1) -> None:
    r"""Each step reads $P$ numbers, so a uniform bound in dimension $P$ serves it; one head does all steps.

    1. The state determines $v_{1:k}$, for suitable eigenvalues and $N\ge P$. [uses: orvieto24.eq7.amended]
    2. $v_{1:k}$ lies in a space of dimension at most $P$; in orthonormal coordinates $T_k$ has a constant at most $C_{T_k}$. [uses: orvieto24.appD.variables]
    3. In dimension $P$ some $c_Pr^2C^2\epsilon^{-2}$ steps are within $\epsilon$ of $T_k$ uniformly on the ball of radius $r$. [cited: Barron]
    4. The heads of the single steps combine, with one more neuron for each step. [uses: orvieto24.thm2.amended] [checked: "L heads and their shifts"]
    """
    proof.cites(
        "Barron, Neural net approximation (1992): D steps are within c r C sqrt(P / D) of f uniformly on the ball in dimension P; sharper in D: Matousek; Siegel, arXiv 2307.15285"
    )
    L, c, s = sympy.symbols("L c s", positive=True)
    proof.symbolically("L heads and their shifts", L * c * s**2 + shifts * L, L * (c * s**2 + 1), free="L, c, s = r C / eps")


@claim(
    "orvieto24.thm2.width",
    place="proof of Theorem 2, Sec. 3.2",
    flaw="gap",
    quotes=(
        r"with Barron constant $\mathcal{O}(\sum_{k=1}^L C_{f_k} + C'_{f_k}) = \mathcal{O}(L)$",
        "We let this be the function the 1-HL MLP $g$ has to approximate, and apply Thm. 1",
    ),
    title="the printed proof of Theorem 2 arrives at D = O(L⁴ / ε²), not O(L / ε²)",
    says=r"With $\tilde C=O(\sum_kC_{f_k}+C'_{f_k})=O(L)$, Theorem 1 needs $D=O(L/\epsilon^2)$ neurons.",
    reading="the width that the printed proof reaches, for T_k(v_1..k) = cos(w_k v_k) with different w_k in (1, 2], and whatever the extension",
    letter="Theorem 1 takes the constant squared, on a ball that contains the clock 1, ..., L. With C~ of order L the proof arrives at D = O(L^4 / eps^2). For "
    "T_k = cos(w_k v_k) with different w_k every extension has C~ >= sum w_k. In the mean square O(L / eps^2) is right for inputs of bounded norm, and "
    "O(L^2 / eps^2) for bounded tokens.",
    remarks=(
        "Rescaling the clock by alpha does not help: over each frequency the extension is a filter with h(0) - h(1) = 1, or h(0) - h(-1) = 1, so int |nu||H| >= 1, the constant is at least L max(1, 1/alpha) "
        "and the radius of the ball at least alpha (L - 1)/2.",
    ),
    uses=("new.universality.apart",),
    sabotages={
        "the constant is not squared and the clock not counted": {"count": lambda L, C: 2 * C},
        "all frequencies equal, where the constant need not grow": {"frequency": lambda k, L: fmpq(3, 2)},
    },
)
def fourth_power(proof: Proof, count=lambda L, C: 2 * ((L - 1) / 2) ** 2 * C**2, frequency=lambda k, L: 1 + fmpq(k, L)) -> None:
    """For w_k = 1 + k/L every extension has C~ >= (3L + 1)/2, and the ball that holds times 1, ..., L has radius (L - 1)/2 at least: D >= 2 r^2 C~^2 = (L - 1)^2 (3L + 1)^2 / 8 for eps = 1.

    For L = 8, 16, 32, 64 these are 3829, 67529, 1130257 and 18480161 neurons: about 16 times as many for twice the length."""
    L = sympy.symbols("L", positive=True)
    forced = sympy.summation(1 + sympy.Symbol("k") / L, (sympy.Symbol("k"), 1, L))
    D = count(L, forced)
    lengths = (8, 16, 32, 64)
    frequencies = [[frequency(k, length) for k in range(1, length + 1)] for length in lengths]
    sums = [sum(set(w), fmpq(0)) for w in frequencies]
    counts = [count(fmpq(length), C) for length, C in zip(lengths, sums, strict=True)]
    proof.counterexample(
        given={
            "T_k(v_1..k)": "cos((1 + k/L) v_k)",
            "C~ of every extension, at least": str(sympy.factor(forced)),
            "D for eps = 1, at least": str(sympy.factor(D)),
            "L": list(lengths),
            "D": counts,
        },
        words={
            "constants": all(w <= 2 for row in frequencies for w in row),
            "frequencies": all(len(set(row)) == len(row) for row in frequencies),
            "linear": sympy.limit(D / L, L, sympy.oo) == sympy.oo,
            "quartic": bool(sympy.limit(D / L**4, L, sympy.oo).is_positive),
            "twice": all(b > 12 * a for a, b in pairwise(counts)),
        },
        how="symbolic",
        minimal="cosines of different frequencies; inputs of one entry",
    )
    proof.certificate("witness", "frequencies of the steps, for four lengths", frequencies=frequencies)


# -- one head for all steps, built -------------------------------------------------------------------------------------------------


def _random_head(rng: Random, k: int, activation) -> Network:
    width = rng.randint(0, 3)
    return Network(
        samples.integers(rng, width, k, bound=3).reshape(width, k),
        samples.integers(rng, width, bound=2),
        samples.integers(rng, width, bound=3),
        fmpq(rng.randint(-4, 4), 3),
        activation,
    )


def _distinct_nodes(rng: Random, count: int) -> list[fmpq]:
    pool = sorted({fmpq(p, q) for q in range(1, 8) for p in range(-q, q + 1)}, key=str)
    return rng.sample(pool, count)


def _without_shifts(nodes: list, networks: list[Network], largest: int) -> SequenceModel:
    model = sequence_model(nodes, networks, largest)
    keep = [i for i, row in enumerate(model.head.inner) if np.any(row[1:] != 0)]
    head = Network(model.head.inner[keep], model.head.bias[keep], model.head.outer[keep], model.head.offset, model.head.activation)
    return SequenceModel(model.memory, head)


@claim(
    "new.universality.waiting",
    place="after orvieto24, Theorem 2",
    title="heads of steps for L time steps combine into one head, exactly, with ∑ (Dₖ + 1) − 1 neurons, if the state has a clock",
    says=r"Let head $i$ be $o_i+\sum_{m\le D_i}c_{i,m}[u_{i,m}(x)\ge0]$ with $|u_{i,m}|\le B$ on all states that occur, and let $t$ be the clock. The neurons $[u_{i,m}(x)+W(t-i)\ge0]$ with $W>B$ and weights $c_{i,m}$, "
    r"and $[2(t-i)+1\ge0]$ with weights $o_i-o_{i-1}-\sum_mc_{i-1,m}$ for $2\le i\le L$, with offset $o_1$, output head $k$ at every step $t=k\le L$. They are $\sum_k(D_k+1)-1$.",
    known="Gating neurons by a large multiple of a counter is a common trick; we know of no use for Theorem 2.",
    construction="lemmata.constructions.universality.networks.saturating_sum",
    sabotages={
        "W below B": {"surplus": -1},
        "saturated neurons are not corrected": {"jump": lambda o, S, i: o(i) - o(i - 1)},
    },
)
def neurons_wait(proof: Proof, surplus: int = 1, jump=lambda o, S, i: o(i) - o(i - 1) - S(i - 1)) -> None:
    r"""Before its step a neuron is off, after it on, at its step what it was; the constants telescope. With $W=B+g$, $g>0$, and $s=0,1,2,\dots$:

    1. At $t=i-1-s$ the argument is at most $B-W(1+s)<0$: off. At $t=i+1+s$ it is at least $-B+W(1+s)>0$: on. At $t=i$ it is $u$. [checked: "before its step: negative"; "after its step: positive"; "at its step: unchanged"]
    2. A shift is off for $t=i-1-s$ and on for $t=i+s$. [checked: "a shift is off before its step"; "and on from it"]
    3. With $S_i=\sum_mc_{i,m}$, at step $k$ the constants are $o_1+\sum_{i<k}S_i+\sum_{2\le i\le k}(o_i-o_{i-1}-S_{i-1})=o_k$, and the neurons of head $k$ are themselves. [checked: "the constants telescope"] [prose]
    4. $\sum_kD_k$ neurons and $L-1$ shifts. [checked: "their number"]
    """
    B, e, s = sympy.symbols("B e s", nonnegative=True)
    g = sympy.symbols("g", positive=True)
    W = B + surplus * g
    # |u| <= B: the largest value is B, the least -B, and e is what is missing
    proof.holds("before its step: negative", sympy.expand(B - e - W * (1 + s)).is_negative, free="B, u, W > B, t < i")
    proof.holds("after its step: positive", sympy.expand(-B + e + W * (1 + s)).is_positive, free="B, u, W > B, t > i")
    u, t, i = sympy.symbols("u t i", real=True)
    proof.symbolically("at its step: unchanged", (u + W * (t - i)).subs(t, i), u, free="u, i, W")
    proof.holds("a shift is off before its step", (2 * (-1 - s) + 1).expand().is_negative, free="t < i")
    proof.holds("and on from it", (2 * s + 1).is_positive, free="t >= i")
    o, S, count = (sympy.Function(name) for name in ("o", "S", "D"))
    j = sympy.symbols("j", integer=True)
    k = 2 + sympy.symbols("a", integer=True, nonnegative=True)
    # the shift of step j + 1 beside the saturated neurons of head j
    left = sympy.Sum(sympy.expand(S(j) + jump(o, S, j + 1)), (j, 1, k - 1)).doit()
    proof.symbolically("the constants telescope", o(1) + left, o(k), free="o, S, k >= 2")
    L = sympy.symbols("L", integer=True, positive=True)
    sizes: Exact = sympy.Sum(count(j), (j, 1, L))
    number = sizes + sympy.Sum(1, (j, 2, L)).doit()
    ones: Exact = sympy.Sum(1, (j, 1, L)).doit()
    proof.symbolically("their number", number, sizes + ones - 1, free="D_1, ..., D_L, L")


@claim(
    "orvieto24.thm2.amended",
    place="Theorem 2",
    amends="orvieto24.thm2.width",
    title="heads for the single steps combine into one, exactly, with one more neuron for each step, at any conditioning",
    says=r"Let $g_k$ have $D_k$ neurons, and $|v_i|\le b$. A diagonal recurrence with a clock and $N\ge L$ distinct nodes $|\lambda|\le1$, and one head with $\sum_k(D_k+1)-1$ neurons, output exactly "
    r"$g_k(v_{1:k})$ at every step $k$.",
    remarks=("How many neurons each head needs for an error eps is orvieto24.thm2.amended.rates.",),
    construction="lemmata.constructions.universality.maps.sequence_model",
    sabotages={
        "no neurons to correct the constants, which the kernel refutes": {"theorem": "heads.heads_combine_without_shifts"},
        "no shifts": {"build": _without_shifts},
        "tokens far larger than allowed for": {"largest_seen": 60},
        "the heads come a step late": {
            "build": lambda nodes, networks, largest: (
                sequence_model(nodes, networks[:1] + networks[:-1], largest) if len(networks) < 2 else _late(nodes, networks, largest)
            )
        },
    },
)
def one_shift_per_step(proof: Proof, build=sequence_model, largest_seen: int = 1, theorem: str = "heads.heads_combine") -> None:
    r"""Every neuron waits for its step, and one neuron for each step corrects the constants; nothing is approximated.

    1. With $N\ge L$ distinct nodes $V_k$ has a left inverse $\Omega_k$, so $g_k\circ\Omega_k$ is a head on the states of step $k$, with $D_k$ neurons. [uses: orvieto24.prop2.amended] [prose]
    2. The clock unit is $k$ at step $k$, and on bounded tokens all arguments are bounded. [uses: orvieto24.clock]
    3. So these heads on states combine into one, with one more neuron for each step after the first. [uses: new.universality.waiting] [checked: "D = sum of (D_k + 1), less 1"]
    4. On tokens of the cube, for random heads of steps and of ramps: every neuron is decided, and a run gives the same. [checked: "at step k all other neurons are constant on the cube, and what is left is g_k"; "a run of the recurrence"]
    5. The kernel has all of it. [checked: "the kernel: one head for all steps"]
    """
    proof.formally(
        "the kernel: one head for all steps",
        theorem,
        whole="every L, N, b, nodes and heads",
        differs="any real closed field for the reals, and its complex numbers; times from 0, L + 1 steps; activations are the Heaviside step and the ramp; nodes of any modulus; complex states are read through their real and imaginary parts",
    )
    rng, bent = Random(141), 0
    longest, cases = proof.pick(4, 5, 7), proof.pick(12, 40, 120)
    for case in proof.each(
        f"{cases} random rational heads and nodes, L <= {longest}, D_k <= 3, seed 141; steps and ramps; all tokens in [-1, 1]", range(cases)
    ):
        L, activation = rng.randint(1, longest), (step, ramp)[case % 2]
        networks = [_random_head(rng, k, activation) for k in range(1, L + 1)]
        nodes = _distinct_nodes(rng, L + case % 3 // 2)
        model = build(nodes, networks, 1)
        proof.exactly("D = sum of (D_k + 1), less 1", model.head.width, sum(g.width + 1 for g in networks) - 1)
        for k, g in enumerate(networks, 1):
            what = "at step k all other neurons are constant on the cube, and what is left is g_k"
            same_on_cube(proof, what, on_tokens(model.head, nodes, k), g, largest_seen)
            bent += bool(settled(g, largest_seen)[1])
        v = exact.rationals([rng.choice((fmpq(-1), fmpq(1), fmpq(rng.randint(-6, 6), 6))) for _ in range(L)]) * largest_seen
        proof.exactly("a run of the recurrence", [y[0] for y in model.run(v)], [g(v[:k]) for k, g in enumerate(networks, 1)])
        if activation is step and L > 1 and any(g.width for g in networks):
            proof.certificate(
                "shared-head",
                f"L = {L}, {model.head.width} neurons",
                nodes=nodes,
                largest=1,
                head=as_data(model.head),
                heads=[as_data(g) for g in networks],
            )
    proof.holds("as many heads as models, at least, are not constant on the cube", bent >= cases)
    pair = [Network(exact.rationals([[1]]), exact.rationals([0]), exact.rationals([2]), fmpq(-1)), constant_head(2, fmpq(7))]
    small = sequence_model([fmpq(1, 2), fmpq(0)], pair, 1).head
    proof.exhibit(
        "one head that is the sign of v_1 at step 1 and 7 at step 2; the first column reads the clock",
        nodes=[fmpq(1, 2), fmpq(0)],
        **as_data(small),
    )


@claim(
    "orvieto24.thm2.amended.rates",
    place="Theorem 2",
    amends="orvieto24.thm2.width",
    title="D = O(L / ε²) neurons do for bounded ‖v‖ and constants: in the mean square at each step, and on m sequences up to ln m",
    says=r"Let $r_k$ bound $\|v_{1:k}\|$. With $D_k\ge r_k^2C_{T_k}^2\epsilon^{-2}$ steps for head $k$ the error is $\epsilon$ in $L^2(\mu_k)$ at each step, "
    r"so $D=O(L/\epsilon^2)$ for bounded $\|v\|$ and $C_{T_k}$ after all, in the mean square; "
    r"and with $2r_k^2C_{T_k}^2\ln(2m)\epsilon^{-2}$ uniformly on $m$ sequences. ($r_k$ is $b\sqrt k$ at most.)",
    sabotages={
        "two shifts for each step": {"shifts": 2},
        "tokens of length b have norm b k": {"norm": lambda b, k: b * k},
    },
)
def neurons_for_an_error(proof: Proof, shifts: int = 1, norm=lambda b, k: b * sympy.sqrt(k)) -> None:
    r"""Theorem 1 for each step, then one head for all.

    1. $D_k=r_k^2C_{T_k}^2\epsilon^{-2}$ steps in the mean square, $2r_k^2C_{T_k}^2\ln(2m)\epsilon^{-2}$ uniformly on $m$ inputs. [uses: orvieto24.thm1.amended, new.universality.finitely-many]
    2. One head does all steps, with $\sum_k(D_k+1)-1$ neurons. [uses: orvieto24.thm2.amended]
    3. With $r_k\le r$ and $C_{T_k}\le C$ these are at most $L(r^2C^2\epsilon^{-2}+1)-1$. [checked: "L heads and their shifts"]
    4. $\|v_{1:k}\|^2\le kb^2$. [checked: "k tokens of length b"]
    """
    L, s, b = sympy.symbols("L s b", positive=True)
    proof.symbolically("L heads and their shifts", L * s**2 + shifts * (L - 1), L * (s**2 + 1) - 1, free="L, s = r C / eps")
    k, i = sympy.symbols("k i", integer=True, positive=True)
    squares: Exact = sympy.Sum(b**2, (i, 1, k)).doit()
    proof.symbolically("k tokens of length b", norm(b, k) ** 2, squares, free="b, k")


def _late(nodes: list, networks: list[Network], largest: int) -> SequenceModel:
    """Head k - 1 in the place of head k, blind to the newest token."""
    late = [networks[0]] + [g.after(exact.identity(k + 1)[:k]) for k, g in enumerate(networks[:-1], 1)]
    return sequence_model(nodes, late, largest)
