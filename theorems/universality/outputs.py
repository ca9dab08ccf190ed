"""Several outputs, and heads that read states instead of tokens (orvieto24, Remark 1, Proposition 2)."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import sympy
from flint import arb, fmpq

from ...constructions.universality.networks import Network
from ...constructions.universality.spectra import random_spectrum
from ...numerics import exact
from ...numerics.aliases import Exact
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof
from .barron import approximate, dyadic, errors_at, in_ball

# -- several outputs -----------------------------------------------------------------------------------------------------------


@claim(
    "new.universality.outputs",
    place="after orvieto24, Remark 1",
    title="S outputs share their neurons: r² C² / ε² steps with the Barron constant of the vector-valued function",
    known="Maurey's lemma holds in every Hilbert space (Pisier 1981), so also for outputs in R^S; said here because Remark 1 pays S^3.",
    says=r"For $f:\mathbb R^n\to\mathbb R^S$ and $C_f=\int\|\omega\|\,\|F(\omega)\|_2\,d\omega$, $D\ge r^2C_f^2\epsilon^{-2}$ steps with weights in $\mathbb R^S$ give $\|f-g\|_{L^2(\mu;\mathbb R^S)}\le\epsilon$. "
    r"$C_f\le\sum_jC_{f_j}$, and $\sqrt S\max_jC_{f_j}$ if all $|F_j|$ are equal: $S^2r^2C^2\epsilon^{-2}$ neurons for the 1-norm then, not $2S^3r^2C^2\epsilon^{-2}$.",
    sabotages={"weights in the 1-norm": {"size": lambda v: sum(abs(x) for x in v)}},
)
def shared_neurons(proof: Proof, size=lambda v: arb(sum((x * x for x in v), fmpq(0))).sqrt()) -> None:
    r"""Maurey's argument works in any Hilbert space, here $L^2(\mu;\mathbb R^S)$.

    1. A wave with coefficients in $\mathbb C^S$ is a curve in $\mathbb R^S$ of length at most $2r\|w\|\|F(w)\|_2$ on the ball. [prose]
    2. A curve is a constant plus its derivative times centred steps: a mean of $\pm\tfrac12$ times unit vectors, with total weight the length $V$. [checked: "the curve is a constant plus the mean of the steps"] [prose]
    3. Each such step has size $V/2$ at every point, whatever $S$. [checked: "a draw has mean square (V/2)^2"]
    4. So the mean of $D$ draws has squared error at most $r^2C_f^2/D$, as for one output. [uses: orvieto24.thm1.amended] [prose]
    5. $\|F\|_2\le\sum_j|F_j|$, so $C_f\le\sum_jC_{f_j}$, and $\|F\|_2=\sqrt S|F_1|$ if all moduli are equal. [prose]
    """
    rng = Random(113)
    count = proof.pick(3, 6, 12)
    for case in proof.each(f"{count} curves through 5 rational points of R^S, S <= 4, seed 113", range(count)):
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
        proof.certified(
            "a draw has mean square (V/2)^2", bool(abs(second - mass * mass / 4) < arb("1e-9")), f"{second} is not {mass * mass / 4}"
        )
        signs = [[fmpq(1, 2) if p > i else fmpq(-1, 2) for p in range(5)] for i in range(4)]
        rebuilt = [sum((jumps[i] * signs[i][p] for i in range(4)), (curve[0] + curve[-1]) / 2) for p in range(5)]
        proof.exactly("the curve is a constant plus the mean of the steps", np.array(rebuilt, dtype=object), curve)
        if s > 1:
            proof.certificate("witness", f"a curve in R^{s}", curve=curve)


@claim(
    "orvieto24.rmk1",
    place="Remark 1",
    title="S stacked networks of accuracy ε / S have accuracy ε in the 1-norm, with S³ times the neurons of one",
    says=r"If $N(\epsilon)=2r^2C^2\epsilon^{-2}$ neurons serve one output with error $\epsilon$, $S\,N(\epsilon/S)=2r^2C^2S^3\epsilon^{-2}$ serve $S$ with error $\epsilon$ in the 1-norm.",
    reading="given Theorem 1, and C the largest of the constants of the outputs",
    sabotages={
        "errors do not accumulate": {"share": lambda eps, s: eps},
        "errors do not accumulate, which the kernel refutes": {"theorem": "universality.stacked_outputs_without_accumulation"},
    },
)
def stacked_outputs(proof: Proof, share=lambda eps, s: eps / s, theorem: str = "universality.stacked_outputs") -> None:
    r"""Stacking adds widths, and the 1-norm adds errors: $S$ times $N(\epsilon/S)$, and $S$ times $\epsilon/S$.

    1. $S\cdot2r^2C^2(\epsilon/S)^{-2}=2r^2C^2S^3\epsilon^{-2}$. [checked: "S N(eps/S) = 2 r^2 C^2 S^3 / eps^2"]
    2. $S\cdot\epsilon/S=\epsilon$. [checked: "the errors add up to eps"]
    """
    proof.formally(
        "the kernel: stacked networks",
        theorem,
        whole="every S, n, activation, outputs and set of inputs",
        differs="an ordered field for the reals; the error at every point of any set of inputs; at most N(eps) neurons",
    )
    r, c, eps, s = sympy.symbols("r C epsilon S", positive=True)
    one = lambda e: 2 * r**2 * c**2 / e**2  # noqa: E731
    proof.symbolically("S N(eps/S) = 2 r^2 C^2 S^3 / eps^2", s * one(share(eps, s)), 2 * r**2 * c**2 * s**3 / eps**2, free="r, C, eps, S")
    proof.symbolically("the errors add up to eps", s * share(eps, s), eps, free="eps, S")


# -- Proposition 2 -------------------------------------------------------------------------------------------------------------


def printed_width(r: Exact, c: Exact, norm: Exact, s: int, eps: Exact, factor: int) -> Exact:
    """factor r^2 (|Omega| C)^2 S^3 / eps^2."""
    return factor * r * r * (norm * c) ** 2 * s**3 / (eps * eps)


@claim(
    "orvieto24.prop2",
    place="Proposition 2",
    title="4 r² C² |Ω|² S³ / ε² neurons, C the Barron constant of T, approximate T ∘ Ω on states of norm at most r",
    says=r"For $T:\mathbb R^k\to\mathbb R^S$ with Barron constants at most $C_T$, a matrix $\Omega$ and a probability measure on $\|x\|\le r$, $D=4r^2C_T^2\|\Omega\|^2S^3\epsilon^{-2}$ neurons give "
    r"$\sum_j\|T_j\circ\Omega-g_j\|_{L^2}\le\epsilon$.",
    reading="'at level eps' in the mean square, the sense of Barron's theorem; uniformly, it says what Theorem 1 says, with the same trouble. C_T is the largest of the constants of the outputs",
    remarks=(
        "Remark 1, on which it rests, has 2 where this has 4: 4 is Barron's own (2 r C)^2, and both are safe in the mean square, where 1 is enough.",
        "It is far from sharp: neither |Omega| nor S^3 is needed (orvieto24.prop2.amended, new.universality.outputs): r^2 C_T^2 / eps^2 steps with r the bound of the tokens will do, at any conditioning.",
    ),
    sabotages={
        "the norm of Omega is left out": {"norm": lambda omega: fmpq(1)},
        "a sixteenth of the neurons": {"neurons": lambda d: d // 16},
    },
)
def states_of_bounded_norm(proof: Proof, norm=lambda omega: omega[0, 0], neurons=lambda d: d) -> None:
    r"""The Barron constant of $T_j\circ\Omega$ is at most $\|\Omega\|C_T$; then Theorem 1 for every output.

    1. $C_{T_j\circ\Omega}\le\|\Omega\|C_{T_j}$. [uses: orvieto24.appD.variables] [checked: "C_f <= |Omega| C_T"]
    2. So $r^2\|\Omega\|^2C_T^2(S/\epsilon)^2$ steps approximate one output within $\epsilon/S$ in the mean square; $S$ such networks err by $\epsilon$ together. [uses: orvieto24.thm1.amended, orvieto24.rmk1]
    3. Their number is a quarter of what is printed. [checked: "S networks of r^2 (|Omega| C)^2 (S / eps)^2 steps"]
    4. Built for random sums of waves $T$, $S=2$, and a matrix with orthogonal columns, so that $\|\Omega\|$ is rational. [checked: "the error of the outputs together is at most eps"; "with no more than the printed number"]
    """
    r, c, n, eps, s = sympy.symbols("r C n epsilon S", positive=True)
    proof.symbolically(
        "S networks of r^2 (|Omega| C)^2 (S / eps)^2 steps are a quarter of what is printed",
        s * (r * n * c * s / eps) ** 2,
        4 * (r * n * c) ** 2 * s**3 / eps**2 / 4,
        free="r, C, |Omega|, S, eps",
    )
    rng = Random(116)
    count = proof.pick(2, 3, 6)
    for case in proof.each(
        f"{count} pairs of random sums of waves of two variables, seed 116, Omega = 1/2, 2 and 3 times a rotation of the plane, r = 1, 30 states, seeds 0, 1, ...",
        range(count),
    ):
        scale = (fmpq(2), fmpq(3), fmpq(1, 2))[case % 3]
        rotation = exact.rationals([[fmpq(3, 5), fmpq(4, 5)], [fmpq(-4, 5), fmpq(3, 5)]])
        size = norm(exact.identity(2) * scale)
        targets = [random_spectrum(rng, 2) for _ in range(2)]
        composed = [t.after(rotation * scale) for t in targets]
        points = in_ball(Random(case), 30, 2)
        largest = max((t.barron for t in targets), key=float)
        for t, f in zip(targets, composed, strict=True):
            proof.certified("C_f <= |Omega| C_T", bool(f.barron <= size * t.barron + arb("1e-9")))
        # eps such that each output needs 36 steps
        eps_ = 2 * size * largest / 6
        errors, width, built = arb(0), 0, []
        for f in composed:
            network = approximate(f, points, neurons(36))
            built.append(network)
            mean = sum((e * e for e in errors_at(f, network, points)), arb(0)) / len(points)
            errors, width = errors + mean.sqrt(), width + network.width
        proof.certified("the error of the outputs together is at most eps, and not 0", bool(0 < errors <= eps_), f"{errors} > {eps_}")
        printed = 4 * size * size * largest * largest * 8 / (eps_ * eps_)
        proof.certified("with no more than the printed number of neurons", bool(width <= printed), f"{width} > {printed}")
        proof.exactly("a quarter of them", width, 72)
        spectra = [{"frequencies": [list(w) for w in t.atoms], "coefficients": [list(c) for c in t.atoms.values()]} for t in targets]
        heads = [{name: dyadic(getattr(g, name)) for name in ("inner", "bias", "outer", "offset")} for g in built]
        proof.certificate(
            "witness",
            f"two outputs, |Omega| = {scale}",
            scale=scale,
            rotation=rotation,
            targets=spectra,
            points=dyadic(points),
            networks=heads,
        )


def near_nodes(gap: fmpq) -> tuple[Array, Array]:
    """(V_2, its inverse) for the nodes 1 and 1 - gap."""
    V = exact.rationals([[1, 1], [1 - gap, 1]])
    return V, exact.inverse(V)


@claim(
    "orvieto24.prop2.penalty",
    place="after Proposition 2 (Sec. 3.2); contribution 2",
    flaw="overstatement",
    quotes=(
        "Hence, the MLP has to pay a penalty for reconstruction",
        "the MLP width is affected by the ease of reconstruction",
    ),
    weight="result",
    title="reading the state instead of the tokens costs the head no neurons, however badly conditioned",
    says=r"The width needed from $x_k$ exceeds that from $v_{1:k}$ by the penalty $\|\Omega_k\|^2$; it depends on the condition number of the reconstruction.",
    reading="'the MLP has to pay a penalty for reconstruction' and 'the MLP width is affected by the ease of reconstruction', as statements on the width that is needed, not on the bound",
    letter="The factor |Omega_k|^2 belongs to the bound, not to the width that is needed. Since sigma(<a, Omega x> + b) = sigma(<Omega^T a, x> + b), whatever D "
    "neurons do with the tokens D neurons do with the state. Conditioning is paid in the size and the precision of weights, not in the width.",
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
            "r = C = S = eps": 1,
            "4 r^2 C^2 |Omega|^2 S^3 / eps^2, at least": printed,
        },
        words={
            "inverse": bool(np.array_equal(omega @ V, exact.identity(2))),
            "large": bool(largest * largest >= 10**6),
            "head": on_states.width == head.width == 1,
            "outputs": outputs == [head(v) for v in tokens],
        },
        minimal="k = 2, D = 1; the nodes may be as close as one likes",
    )
    proof.certificate(
        "witness",
        "one neuron on states for [v_1 - v_2 >= 0]",
        nodes=[fmpq(1), 1 - gap],
        tokens=head.inner,
        states=on_states.inner,
        bias=on_states.bias,
        largest=largest,
    )


@claim(
    "orvieto24.prop2.amended",
    place="Proposition 2",
    amends="orvieto24.prop2.penalty",
    title="the least widths of heads on states and of heads on tokens agree whenever Ωₖ Vₖ = I",
    says=r"For every $g$ with $D$ neurons, $g\circ\Omega_k$ has $D$ neurons, and $g\circ V_k$ too; so the least widths on states and on tokens agree whenever $\Omega_kV_k=I$, at any conditioning.",
    construction="lemmata.constructions.universality.networks.Network.after",
    sabotages={
        "inner weights are doubled": {"moved": lambda M, a: 2 * M.T * a},
        "Omega_k is no left inverse": {"recovers": False},
        "states without a left inverse, which the kernel refutes": {"theorem": "universality.widths_agree_for_all_states"},
    },
)
def same_width(proof: Proof, moved=lambda M, a: M.T * a, recovers: bool = True, theorem: str = "universality.least_widths_agree") -> None:
    r"""A linear map in front goes into the inner weights, neuron by neuron, in both directions.

    1. $\langle\Omega^\top a,x\rangle=\langle a,\Omega x\rangle$: with the inner weights $\Omega^\top a$ a neuron on states has the argument of the neuron $a$ on $\Omega x$; biases, outer weights and $D$ stay.
       [checked: "a neuron on states is the neuron on Omega x"; "a neuron on tokens is the neuron on V v"]
    2. On the state $x=Vv$ its argument is $\langle a,v\rangle$ if $\Omega V=I$: the same outputs. So a least network on tokens gives one as wide on states; and a least network on states one as wide on tokens.
       [checked: "on the state V v it is the neuron on v"]
    """
    proof.formally("the kernel: a linear map in front costs no neurons", "universality.output_after")
    proof.formally(
        "the kernel: the least widths agree, whatever is asked of the function",
        theorem,
        whole="every N, k, matrices, activation and network",
        differs="an ordered field for the reals",
    )
    k, N = sympy.symbols("k N", integer=True, positive=True)
    a, b, x, v = (sympy.MatrixSymbol(name, size, 1) for name, size in (("a", k), ("b", N), ("x", N), ("v", k)))
    omega, V = sympy.MatrixSymbol("Omega", k, N), sympy.MatrixSymbol("V", N, k)
    same = lambda left, right: left.doit() == right.doit()  # noqa: E731
    on_states = moved(omega, a).T
    proof.holds("a neuron on states is the neuron on Omega x, of any sizes", same(on_states * x, a.T * (omega * x)))
    proof.holds("a neuron on tokens is the neuron on V v, of any sizes", same(moved(V, b).T * v, b.T * (V * v)))
    recalled = (on_states * (V * v)).doit().subs(omega * V, sympy.Identity(k) if recovers else omega * V)
    proof.holds("on the state V v it is the neuron on v, if Omega V = I", same(recalled, a.T * v))
    rng = Random(114)
    for _ in range(proof.pick(5, 10, 20)):
        nodes = rng.sample([1 - fmpq(1, q) for q in range(2, 500)], rng.randint(2, 4))
        V_ = exact.rationals([[z ** (len(nodes) - 1 - j) for j in range(len(nodes))] for z in nodes])
        inner, bias, outer = (exact.rationals([rng.randint(-3, 3) for _ in range(3 * n)]) for n in (len(nodes), 1, 1))
        head = Network(inner.reshape(3, len(nodes)), bias, outer, fmpq(rng.randint(-3, 3)))
        on_states_ = head.after(exact.inverse(V_))
        proof.certificate("witness", f"3 neurons, {len(nodes)} tokens", nodes=nodes, tokens=as_weights(head), states=as_weights(on_states_))


def as_weights(g: Network) -> dict:
    """A network for a certificate."""
    return {"inner": g.inner, "bias": g.bias, "outer": g.outer, "offset": g.offset}


@claim(
    "orvieto24.prop2.four",
    place="Sec. 3.2, after Proposition 2",
    flaw="misprint",
    quotes=(
        "the width bound is similar to that of an MLP",
        r"which would be $4r^2 C_{T_k}^2 S^3 \epsilon^{-2}$ (see Thm. 1)",
    ),
    extracted=True,
    title="Theorem 1 with Remark 1 gives 2 r² C² S³ / ε² neurons, where 4 r² C² S³ / ε² is quoted from it",
    says=r"By Theorem 1 a head on the tokens takes $4r^2C_{T_k}^2S^3\epsilon^{-2}$ neurons.",
    reading="2 as Theorem 1 and Remark 1 have it; 4 is Barron's own factor",
    letter="After Proposition 2 the width 4 r^2 C^2 S^3 / eps^2 is quoted from Theorem 1. Theorem 1 and Remark 1 have 2 there, so r = C = S = eps = 1 gives 2 against 4. Proposition 2 itself is then twice what its proof gives.",
    sabotages={"Barron's factor in Theorem 1": {"factor": 4}},
)
def two_and_four(proof: Proof, factor: int = 2) -> None:
    """The same bound twice, with another factor."""
    by_remark, quoted = printed_width(1, 1, 1, 1, 1, factor), printed_width(1, 1, 1, 1, 1, 4)
    proof.counterexample(
        given={"r = C = S = eps": 1, "Theorem 1 with Remark 1": by_remark, "after Proposition 2": quoted},
        words={"remark": by_remark == 2, "differ": by_remark != quoted},
        minimal="r = C = S = eps = 1",
    )
    proof.certificate("witness", "all sizes 1", r=1, C=1, S=1, eps=1)
