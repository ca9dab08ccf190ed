"""Recurrence and head together: how wide a head serves all time steps (orvieto24, Theorem 2)."""

from __future__ import annotations

from itertools import combinations, pairwise
from random import Random

import numpy as np
import sympy
from flint import fmpq

from ...constructions import samples
from ...constructions.recurrence import Recurrence
from ...constructions.universality import heads as built
from ...constructions.universality.maps import SequenceModel, on_tokens, protein_transduction, remembering, sequence_model
from ...constructions.universality.networks import Network, ramp, settled, step
from ...constructions.vandermonde import recall_matrix
from ...numerics import exact
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof


def printed_count(L: sympy.Expr, per_step: sympy.Expr, r: sympy.Expr, eps: sympy.Expr) -> sympy.Expr:
    """Theorem 1's 2 r^2 C^2 / eps^2 for the constant of Theorem 4, L times ``per_step``, on a ball that holds inputs of size r and the clock, centred: (L - 1)/2."""
    return 2 * (r**2 + ((L - 1) / 2) ** 2) * (L * per_step) ** 2 / eps**2


@claim(
    "orvieto24.thm2.width",
    topic="universality",
    place="Theorem 2; its proof in Sec. 3.2",
    title="Theorem 1 applied to the interpolation of Theorem 4, of constant O(L), gives an MLP of width O(L / eps^2)",
    says=r"With $\tilde C=O(\sum_kC_{f_k}+C'_{f_k})=O(L)$, Theorem 1 needs $D=O(L/\epsilon^2)$ neurons.",
    reading="the width that the printed proof reaches; for T_k = exp(-v^2/2) at every k, so that all C_(f_k) are equal",
    uses=("new.universality.constants", "new.universality.filters"),
    sabotages={"the constant is not squared and the clock not counted": {"count": lambda L, c, r, eps: 2 * r**2 * L * c / eps**2}},
)
def fourth_power(proof: Proof, count=printed_count) -> None:
    """The constant enters squared, and the clock runs over an interval of length L - 1, which the ball must hold: L^2 times L^2.

    (This takes |Omega_k| as bounded; for real eigenvalues the printed route adds a factor exponential in k, which is not needed either.)"""
    L, r, eps = sympy.symbols("L r epsilon", positive=True)
    # C + (pi/2) C' of the Gaussian of one variable
    per_step = sympy.sqrt(2 / sympy.pi) + sympy.pi / 2
    D = count(L, per_step, r, eps)
    order = sympy.limit(D / L**4, L, sympy.oo)
    fixed = sympy.limit(D.subs(r, 1).subs(eps, 1).subs(L, 32) / D.subs(r, 1).subs(eps, 1).subs(L, 16), L, sympy.oo)
    proof.counterexample(
        given={
            "T_k(v_1..k)": "exp(-v_k^2 / 2)",
            "C + (pi/2) C'": str(per_step),
            "D": str(sympy.factor(D)),
            "D(L = 32) / D(L = 16) for r = eps = 1": f"{float(fixed):.1f}",
        },
        hypotheses={"C_f and C'_f do not depend on L": per_step.is_number},
        violates={
            "D / L is unbounded": sympy.limit(D / L, L, sympy.oo) == sympy.oo,
            "D / L^4 tends to a positive number": bool(order.is_positive),
        },
        how="symbolic",
        minimal="any fixed T_k; inputs of one entry",
    )


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
    "orvieto24.thm2.amended",
    topic="universality",
    place="Theorem 2",
    kind="amended",
    amends="orvieto24.thm2.width",
    title="heads for the single steps combine into one, with one more neuron per step: D = sum of (D_k + 1), so O(L max C^2 r^2 / eps^2), at any conditioning",
    says=r"Let $g_k$ have $D_k$ neurons, and $|v_i|\le b$. A diagonal recurrence with a clock and $N\ge L$ distinct nodes $|\lambda|\le1$, and one head with $\sum_k(D_k+1)-1$ neurons, output exactly "
    r"$g_k(v_{1:k})$ at every step $k$. With $D_k\ge r_k^2C_{T_k}^2\epsilon^{-2}$, $r_k$ bounding $\|v_{1:k}\|$, the error is $\epsilon$ in $L^2(\mu_k)$ at each step, "
    r"so $D=O(L/\epsilon^2)$ for bounded $\|v\|$ and $C_{T_k}$ after all, in the mean square; "
    r"and with $2r_k^2C_{T_k}^2\ln(2m)\epsilon^{-2}$ uniformly on $m$ sequences. ($r_k$ is $b\sqrt k$ at most.)",
    uses=(
        "orvieto24.prop2.amended",
        "orvieto24.prop1.amended",
        "orvieto24.clock",
        "orvieto24.thm1.amended",
        "new.universality.finitely-many",
    ),
    construction="lemmata.constructions.universality.maps.sequence_model",
    sabotages={
        "no shifts": {"build": _without_shifts},
        "tokens far larger than allowed for": {"largest_seen": 60},
        "the heads come a step late": {
            "build": lambda nodes, networks, largest: (
                sequence_model(nodes, networks[:1] + networks[:-1], largest) if len(networks) < 2 else _late(nodes, networks, largest)
            )
        },
    },
)
def one_shift_per_step(proof: Proof, build=sequence_model, largest_seen: int = 1) -> None:
    """A neuron of head k gets a multiple of the clock minus k that outweighs everything else: before step k it is 0, after it 1. What the saturated neurons add up to,
    and the change of constants, one step neuron per time step corrects. Nothing is approximated."""
    rng = Random(141)
    longest = proof.pick(4, 5, 7)
    for case in proof.each(
        f"random rational heads and nodes, L <= {longest}; steps and ramps; D_k <= 3; all tokens in [-1, 1]", range(proof.pick(12, 40, 120))
    ):
        L, activation = rng.randint(1, longest), (step, ramp)[case % 2]
        networks = [_random_head(rng, k, activation) for k in range(1, L + 1)]
        nodes = _distinct_nodes(rng, L + case % 3 // 2)
        model = build(nodes, networks, 1)
        proof.exactly("D = sum of (D_k + 1), less 1", model.head.width, sum(g.width + 1 for g in networks) - 1)
        for k, g in enumerate(networks, 1):
            proof.holds(
                "at step k all other neurons are constant on the cube, and what is left is g_k",
                settled(on_tokens(model.head, nodes, k), largest_seen) == settled(g, largest_seen),
            )
        v = exact.rationals([rng.choice((fmpq(-1), fmpq(1), fmpq(rng.randint(-6, 6), 6))) for _ in range(L)]) * largest_seen
        proof.exactly("a run of the recurrence", [y[0] for y in model.run(v)], [g(v[:k]) for k, g in enumerate(networks, 1)])
        if activation is step:
            proof.certificate(
                "shared-head",
                f"L = {L}, {model.head.width} neurons",
                nodes=nodes,
                largest=1,
                head=_as_data(model.head),
                heads=[_as_data(g) for g in networks],
            )


def _as_data(g: Network) -> dict:
    return {"inner": [list(row) for row in g.inner], "bias": list(g.bias), "outer": list(g.outer), "offset": g.offset}


def _late(nodes: list, networks: list[Network], largest: int) -> SequenceModel:
    """Head k - 1 in the place of head k, blind to the newest token."""
    late = [networks[0]] + [g.after(exact.identity(k + 1)[:k]) for k, g in enumerate(networks[:-1], 1)]
    return sequence_model(nodes, late, largest)


@claim(
    "new.universality.shifts",
    topic="universality",
    place="after orvieto24, Theorem 2",
    kind="new",
    title="the L - 1 shifts cannot be spared: with states (k, V_k v) a head of steps needs L - 1 neurons for T_k = (-1)^k, although every T_k is constant",
    says=r"For $T_k(v_{1:k})=(-1)^k$, states $(k,V_kv)$ and $\epsilon<1$ every head of steps has $D\ge L-1$; the construction has exactly that.",
    uses=("orvieto24.thm2.amended",),
    sabotages={"one neuron less": {"fewest": lambda L: L - 2}},
)
def alternating_constants(proof: Proof, fewest=lambda L: L - 1) -> None:
    """For v = 0 the states (k, 0) lie on a line, which D steps cut into at most D + 1 pieces, with one output each; neighbouring steps differ by 2 and need two pieces."""
    largest = proof.pick(5, 7, 10)
    for L in proof.every(f"L <= {largest}, all places for fewer than L - 1 jumps", range(1, largest + 1)):
        heads = [Network(exact.zeros(0, k), exact.zeros(0), exact.zeros(0), fmpq((-1) ** k)) for k in range(1, L + 1)]
        model = sequence_model(_generic(L), heads, 1)
        proof.exactly("the construction has as many", model.head.width, fewest(L))
        proof.exactly("and is right", [y[0] for y in model.run([fmpq(0)] * L)], [fmpq((-1) ** k) for k in range(1, L + 1)])
        for jumps in combinations(range(1, L), max(L - 2, 0)):
            # steps k and k + 1 with no jump between them share an output, which misses one of them by 1 or more
            proof.holds("fewer leave two neighbours together", any(k not in jumps for k in range(1, L)) or L == 1)


# -- the width of the recurrence ------------------------------------------------------------------------------------------------


def _generic(P: int) -> list[fmpq]:
    """Distinct positive nodes below 1."""
    return [1 - fmpq(1, 2 * i + 3) for i in range(P)]


@claim(
    "orvieto24.thm2.clock",
    topic="universality",
    place="Theorem 2; Theorem 3",
    title="a recurrence of width dim V with different eigenvalues, which remembers all inputs of V, is enough for every sequence of maps T_k",
    says=r"For $N\ge\dim\mathcal V$ and perfect memory of $v_{1:k}$ at every $k$, some head has $\sup_k|g(x_k)-T_k(v_{1:k})|\le\epsilon$.",
    reading="the encoder of Proposition 1, the identity; the clock takes one more unit, or a bias in the encoder",
    sabotages={"an encoder with a bias": {"bias": fmpq(5)}},
)
def no_sense_of_time(proof: Proof, bias=fmpq(0)) -> None:
    """Without bias or clock the input 0 leaves the state 0 at all times, so g(0) must be T_1(0) and T_2(0, 0), whatever the width."""
    layer = _biased([fmpq(1, 2)], bias)
    first, second = (H[0, 0] for H in layer.run([fmpq(0), fmpq(0)]))
    seen = [layer.run([fmpq(a)] * 2)[k][0, 0] for a in (-1, 1) for k in (0, 1)]
    proof.counterexample(
        given={
            "V": "span of (1, 1), |v| <= 1",
            "N": 1,
            "lambda": fmpq(1, 2),
            "T_1": 0,
            "T_2": 1,
            "x_1 and x_2 for v = 0": [first, second],
            "eps": fmpq(1, 4),
        },
        hypotheses={
            "memory is perfect: different inputs of V have different states at each step": seen[0] != seen[2] and seen[1] != seen[3]
        },
        violates={"the states of steps 1 and 2 are equal, but T_1 and T_2 differ by 1 > 2 eps": first == second},
        minimal="L = 2, N = dim V = 1",
    )


@claim(
    "orvieto24.thm2.clock.amended",
    topic="universality",
    place="Theorem 2; Theorem 3",
    kind="amended",
    amends="orvieto24.thm2.clock",
    title="for bounded inputs from a P-dimensional space P units remember inputs and time together, if the encoder has a bias; without one no width does",
    says=r"With $u_k=\beta+v_k$, $\beta$ large, $0<\lambda_i<1$ and $V_k\Psi_k$ of the rank of $\Psi_k$ for all $k$, the states of different steps are never equal, and $(k,v_{1:k})$ is a function of $x_k\in\mathbb R^P$: "
    r"$N=\dim\mathcal V$ is enough, with no unit for the clock. With $\beta=0$ the state of $v=0$ is $0$ at all times, whatever $N$.",
    uses=("orvieto24.eq4",),
    sabotages={"a small bias": {"bias": lambda lam, L, b: fmpq(1)}},
)
def time_in_the_bias(proof: Proof, bias=lambda lam, L, b: 4 * L * b / lam**L) -> None:
    """The first unit lies in the interval beta s_k +- b s_k, s_k = 1 + lambda + ... + lambda^(k-1): disjoint for different k once beta lambda^k > b (s_k + s_(k+1))."""
    rng = Random(142)
    for _ in proof.each("random rational bases, L <= 7, P <= 3", range(proof.pick(5, 20, 60))):
        L = rng.randint(2, 7)
        P = rng.randint(1, min(3, L))
        nodes, b = _generic(P), fmpq(1)
        basis = samples.integers(rng, L, P, bound=2)
        for k in range(1, L + 1):
            V = recall_matrix(nodes, k)
            proof.exactly("V_k Psi_k has the rank of Psi_k", exact.rank(V @ basis[:k]), exact.rank(basis[:k]))
        beta = bias(nodes[0], L, b)
        sums = [sum((nodes[0] ** j for j in range(k)), fmpq(0)) for k in range(1, L + 1)]
        intervals = [((beta - b) * s, (beta + b) * s) for s in sums]
        proof.holds(
            "the first unit's intervals are disjoint",
            all(high < low for (_, high), (low, _) in pairwise(intervals)),
        )
        layer = _biased(nodes, beta)
        for _ in range(3):
            v = [fmpq(rng.choice((-1, 1))) for _ in range(L)]
            first = [H[0, 0] for H in layer.run(v)]
            proof.holds("the states lie in them", all(low <= x <= high for x, (low, high) in zip(first, intervals, strict=True)))
        still = list(_biased(nodes, fmpq(0)).run([fmpq(0)] * L))
        proof.holds("without a bias the zero input leaves no trace", all(np.all(H == 0) for H in still))


def _biased(nodes: list[fmpq], beta: fmpq) -> Recurrence:
    """x_k = diag(nodes) x_(k-1) + (1, ..., 1)^T (beta + v_k)."""
    layer = remembering(nodes)
    transition = layer.transition(0)[1:, 1:]
    return Recurrence(lambda v: transition, lambda v: layer.inputs(v + beta)[1:], layer.initial[1:], lambda H, v: H)


# -- built end to end ------------------------------------------------------------------------------------------------------------


def _largest_error(model: SequenceModel, target, tokens: list[Array]) -> fmpq:
    """The largest error over steps and token sequences, exactly; ``target(v, k)`` is y_k."""
    worst = fmpq(0)
    for v in tokens:
        for k, y in enumerate(model.run(v), 1):
            worst = max(worst, abs(y[0] - target(v, k)))
    return worst


def _serves(proof: Proof, model: SequenceModel, nodes: list[fmpq], heads: list[Network]) -> None:
    """The model is its heads on the whole cube, so the errors are those of the staircases."""
    for k, g in enumerate(heads, 1):
        proof.holds(
            "for all tokens in [-1, 1] the output is that of the staircases", settled(on_tokens(model.head, nodes, k), 1) == settled(g, 1)
        )


def _tokens(rng: Random, L: int, count: int) -> list[Array]:
    """Rational tokens in [-1, 1], the ends among them."""
    return [exact.rationals([rng.choice((fmpq(-1), fmpq(1), fmpq(rng.randint(-20, 20), 20))) for _ in range(L)]) for _ in range(count)]


@claim(
    "new.universality.filter",
    topic="universality",
    place="after orvieto24, Theorem 2",
    kind="new",
    title="a linear filter, end to end: the sup error is exactly sum |h| / (D_k + 1) with D_k neurons a step, over all tokens in [-1, 1]",
    says=r"$y_k=\sum_jh_jv_{k-j}$: $\sup_{|v_i|\le1}\max_k|\hat y_k-y_k|=\|h\|_1/(D_k+1)$ with $D=L(D_k+1)-1$ neurons: $O(L/\epsilon)$.",
    uses=("orvieto24.thm2.amended", "new.universality.interval"),
    construction="lemmata.constructions.universality.heads.filter_heads",
    sabotages={"the taps in reverse": {"heads_of": lambda taps, L, steps: built.filter_heads(taps[::-1], L, steps)}},
)
def filter_end_to_end(proof: Proof, heads_of=built.filter_heads) -> None:
    """One staircase per step along the filter's row; the worst tokens are the signs of the taps."""
    rng = Random(143)
    L, taps = proof.pick(4, 6, 8), [fmpq(1), fmpq(-1, 2), fmpq(1, 4)]
    nodes = _generic(L)
    target = lambda v, k: sum((h * v[k - 1 - j] for j, h in enumerate(taps) if j < k), fmpq(0))  # noqa: E731
    worst_tokens = exact.rationals([0] * (L - 3) + [1, -1, 1])
    for steps in proof.each(f"h = (1, -1/2, 1/4), L = {L}, D_k = 1, 2, 4, 8; all tokens in [-1, 1]", (1, 2, 4, 8)):
        heads, bound = heads_of(taps, L, steps)
        model = sequence_model(nodes, heads, 1)
        proof.exactly("D = L (D_k + 1) - 1", model.head.width, L * (steps + 1) - 1)
        proof.certificate(
            "shared-head",
            f"a filter, {steps} steps a head",
            nodes=nodes,
            largest=1,
            head=_as_data(model.head),
            heads=[_as_data(g) for g in heads],
        )
        proof.exactly("the bound is |h|_1 / (D_k + 1)", bound, sum(abs(h) for h in taps) / (steps + 1))
        _serves(proof, model, nodes, heads)
        error = _largest_error(model, target, [worst_tokens, *_tokens(rng, L, proof.pick(3, 6, 12))])
        proof.exactly("the largest error is the bound", error, bound)


@claim(
    "new.universality.product",
    topic="universality",
    place="after orvieto24, Theorem 2",
    kind="new",
    title="a product of two past tokens, end to end: the sup error is at most 2 / (m + 1) with 2 m neurons a step, over all tokens in [-1, 1]",
    says=r"$y_k=v_{k-i}v_{k-j}$: $\sup_{|v|\le1}\max_k|\hat y_k-y_k|\le\tfrac2{m+1}(1+10^{-5})$ with $2m$ neurons a step, so $O(L/\epsilon)$ too: two squares, two staircases.",
    uses=("orvieto24.thm2.amended", "new.universality.interval"),
    construction="lemmata.constructions.universality.heads.product_heads",
    sabotages={"a sum of squares": {"heads_of": lambda lags, L, m: _sum_of_squares(lags, L, m)}},
)
def product_end_to_end(proof: Proof, heads_of=built.product_heads) -> None:
    """p q = ((p + q)^2 - (p - q)^2) / 4, each square of variation 2 on [-2, 2]."""
    rng = Random(144)
    L, lags = proof.pick(4, 6, 8), (0, 2)
    nodes = _generic(L)
    target = lambda v, k: v[k - 1] * v[k - 3] if k > 2 else fmpq(0)  # noqa: E731
    for m in proof.each(f"lags 0 and 2, L = {L}, m = 1, 3, 7, 15; all tokens in [-1, 1]", (1, 3, 7, 15)):
        heads, bound = heads_of(lags, L, m)
        model = sequence_model(nodes, heads, 1)
        proof.exactly("D = (L - 2) 2 m + L - 1", model.head.width, (L - 2) * 2 * m + L - 1)
        proof.holds(
            "the bound is at most 2 / (m + 1), up to roundings of square roots", bool(bound <= fmpq(2, m + 1) * (1 + fmpq(1, 10**5)))
        )
        proof.holds(
            "the largest error is at most the bound", bool(_largest_error(model, target, _tokens(rng, L, proof.pick(5, 10, 20))) <= bound)
        )


def _sum_of_squares(lags: tuple[int, int], L: int, m: int) -> tuple[list[Network], fmpq]:
    heads, bound = built.product_heads(lags, L, m)
    return [
        Network(g.inner, g.bias, g.outer * np.array([1] * m + [-1] * m, dtype=object) if g.width else g.outer, g.offset, g.activation)
        for g in heads
    ], bound


@claim(
    "new.universality.protein",
    topic="universality",
    place="after orvieto24, Theorem 2; App. E.3",
    kind="new",
    title="protein transduction, end to end: the sup error falls with the width, below the bound by variations, down to that of the waves",
    says=r"For the system of App. E.3 with inputs held over each of $16$ steps of $0.5$, from a space of dimension $2$: recurrence, clock and head with $D=\sum_k(D_k+1)-1$ neurons err by at most "
    r"$\max_k\sum_mV_{k,m}/(2(D_{k,m}+1))$ and the error of nine waves per step.",
    uses=("orvieto24.thm2.amended", "new.universality.interval", "new.vandermonde.half-circle"),
    construction="lemmata.constructions.universality.heads.protein_heads",
    sabotages={
        "the cosine input is lost": {"change": lambda z: z * np.array([[1.0], [0.0]])},
        "another reaction rate": {"field": lambda z, v: protein_transduction(z, v, k2=0.3)},
    },
)
def protein_end_to_end(proof: Proof, change=lambda z: z, field=protein_transduction) -> None:
    """Waves are fitted to the outputs at each step, by least squares; each wave is a ridge function, so a staircase. The recurrence has the nodes exp(i pi (2j + 1)/16)."""
    problem = built.protein_problem()
    truth = built.respond(field, built.PROTEIN_START, (problem.basis @ problem.z).T, problem.dt)
    L = len(problem.basis)
    nodes = list(np.exp(1j * np.pi * (2 * np.arange(L // 2) + 1) / L))
    errors = []
    widths = (16, 64, 256)
    for neurons in proof.each(f"about {', '.join(map(str, widths))} neurons a step; 121 inputs on a grid", widths):
        heads, bounds, residuals = built.protein_heads(problem, neurons)
        model = sequence_model(nodes, heads, float(np.abs(problem.basis).sum(axis=1).max()))
        outputs = np.array(model.run(list(problem.basis @ change(problem.z)))).T
        errors.append(float(np.abs(outputs - truth).max()))
        proof.closely(
            "the largest error is at most the bound", errors[-1], max(b + r for b, r in zip(bounds, residuals, strict=True)) * (1 + 1e-9)
        )
        proof.exactly("D = sum of (D_k + 1), less 1", model.head.width, sum(g.width + 1 for g in heads) - 1)
    for narrow, wide in pairwise(errors):
        proof.closely("four times as many neurons err less", wide, narrow)
