"""Eigenvalue ranges and norms (grazzi25, Eq. 2, Table 1, Fig. 2, App. E.4) and the architectures that they condemn."""

from __future__ import annotations

from itertools import pairwise, product
from random import Random

import numpy as np
import sympy
from flint import fmpq

from ...constructions import architectures, parity, samples
from ...constructions.householder import GeneralizedHouseholder
from ...constructions.recurrence import Recurrence, Stack
from ...numerics import exact
from ...numerics.exponential_sums import ExponentialSum
from ...numerics.jordan import jordan_form
from ..claim import claim
from ..closure import computes
from ..evidence import Proof
from .theorem1 import certify_stack, random_stack


def _symbols(name: str, n: int) -> sympy.Matrix:
    return sympy.Matrix(sympy.symbols(f"{name}1:{n + 1}", real=True))


def _householder(v: sympy.Matrix, beta) -> sympy.Matrix:
    return sympy.eye(len(v)) - beta * v * v.T / v.dot(v)


@claim(
    "grazzi25.eq2",
    topic="parity",
    place="Eq. 2, Sec. 4.2",
    title="2 s - 1 and I - 2 phi v v^T stretch the range [0, 1] to [-1, 1] and keep the norm <= 1",
    says=r"For $s\in[0,1]^n$, $\phi\in[0,1]$, $\|v\|=1$: $\mathrm{Diag}(2s-1)$ has eigenvalues in $[-1,1]$; $I-2\phi vv^\top$ has the eigenvalue "
    r"$1-2\phi\in[-1,1]$ along $v$ and $1$ across it; both have norm at most $1$.",
    hypotheses=("s in [0, 1]^n, phi in [0, 1]", "|v| = 1 (written with v v^T / v^T v)"),
    construction="lemmata.constructions.householder.GeneralizedHouseholder",
    sabotages={"the factor 3 in place of 2": {"scale": 3}},
)
def extended_range(proof: Proof, scale: int = 2) -> None:
    """|C x|^2 = |x|^2 - beta (2 - beta) (v.x)^2 for beta = 2 phi, in terms of inner products only, so for every n."""
    phi, s = sympy.symbols("phi s", real=True)
    beta = scale * phi
    for n in range(1, 4):
        v, x = _symbols("v", n), _symbols("x", n)
        c = _householder(v, beta)
        for left, right in zip(c * v, (1 - 2 * phi) * v, strict=True):
            proof.symbolically("C v = (1 - 2 phi) v", left, right, "v, phi", "n <= 3")
        across = x - v * (v.dot(x) / v.dot(v))
        for left, right in zip(c * across, across, strict=True):
            proof.symbolically("C x = x across v", left, right, "v, x", "n <= 3")
    xx, vx = sympy.symbols("xx vx", real=True)  # x.x and v.x for unit v
    squared = xx - 2 * beta * vx**2 + beta**2 * vx**2
    proof.symbolically("|C x|^2 = |x|^2 - 4 phi (1 - phi) (v.x)^2", squared, xx - 4 * phi * (1 - phi) * vx**2, "n, v, x, phi")
    proof.symbolically("1 - (2s-1)^2 = 4 s (1-s)", 1 - (scale * s - 1) ** 2, 4 * s * (1 - s), "s")
    ends = [sympy.sympify(1 - beta).subs(phi, t) for t in (0, 1)]
    proof.exactly("1 - 2 phi runs from 1 to -1", [int(e) for e in ends], [1, -1])


@claim(
    "grazzi25.table1.norm",
    topic="parity",
    place="Sec. 3.1, after Table 1",
    title="the transitions of Table 1 have eigenvalues and norm in [0, 1]",
    says=r"For $\beta\in(0,1)$ and $k\in\mathbb R^n$, $I-\beta kk^\top$ has its eigenvalues and its norm in $[0,1]$.",
    reading="k_t is any vector, as Table 1 has it; Sec. 4.2 normalises it silently",
    sabotages={"|k| = 1": {"keys": (1,)}},
)
def keys_are_not_normalised(proof: Proof, keys=(1, 2, 3)) -> None:
    """n = 1: the eigenvalue is 1 - beta k^2."""
    betas = [fmpq(p, q) for q in range(2, 6) for p in range(1, q)]
    found = proof.smallest(
        "n = 1, integer keys k, then beta = p/q by denominator",
        product(keys, betas),
        lambda c: abs(architectures.delta_rule(c[1], exact.rationals([c[0]]))[0, 0]) > 1,
    )
    if found:
        (k, beta), _ = found
        a = architectures.delta_rule(beta, exact.rationals([k]))
        proof.counterexample(
            given={"k": [k], "beta": beta, "I - beta k k^T": a},
            hypotheses={"beta lies in (0, 1)": 0 < beta < 1},
            violates={"the eigenvalue is negative": a[0, 0] < 0, "its modulus, the norm, exceeds 1": abs(a[0, 0]) > 1},
            minimal="n = 1",
        )
        proof.certificate("not-below-one", "the norm exceeds 1", matrix=a, vector=[1], strict=True)


@claim(
    "grazzi25.table1.norm.amended",
    topic="parity",
    place="Sec. 3.1, after Table 1",
    kind="amended",
    amends="grazzi25.table1.norm",
    title="I - beta k k^T has spectrum in [0, 1] iff 0 <= beta |k|^2 <= 1, and norm <= 1 iff 0 <= beta |k|^2 <= 2",
    says=r"$I-\beta kk^\top$ has the eigenvalue $1-\beta\|k\|^2$ along $k$ and $1$ across it ($n\ge2$).",
    hypotheses=("k nonzero",),
    sabotages={"the norm of k enters to the first power": {"weight": lambda v: sympy.sqrt(v.dot(v))}},
)
def eigenvalue_along_the_key(proof: Proof, weight=lambda v: v.dot(v)) -> None:
    """Apply the matrix to k and to a vector across k; the two iff's are |1 - t| <= 1 and 0 <= 1 - t <= 1 for t = beta |k|^2."""
    beta, t = sympy.symbols("beta t", real=True)
    for n in range(1, 4):
        k, x = _symbols("k", n), _symbols("x", n)
        a = sympy.eye(n) - beta * k * k.T
        for left, right in zip(a * k, (1 - beta * weight(k)) * k, strict=True):
            proof.symbolically("A k = (1 - beta |k|^2) k", left, right, "k, beta", "n <= 3")
        across = x - k * (k.dot(x) / k.dot(k))
        for left, right in zip(a * across, across, strict=True):
            proof.symbolically("A x = x across k", left, right, "k, x", "n <= 3")
    proof.symbolically("1 - (1-t)^2 = t (2-t): the norm bound", 1 - (1 - t) ** 2, t * (2 - t), "t")


@claim(
    "grazzi25.fig2.monotone",
    topic="parity",
    place="Fig. 2, caption",
    title="with nonnegative eigenvalues the states on 111... diverge or converge monotonically",
    says=r"If the eigenvalues of $A(1)$ are nonnegative, every entry of $A(1)^kH_0+\sum_{i<k}A(1)^iB(1)$ diverges or converges monotonically in $k$.",
    reading="'monotonically' entry by entry, from k = 0 on",
    sabotages={"n = 1": {"size": 1}},
)
def states_need_not_be_monotone(proof: Proof, size: int = 2) -> None:
    """A nilpotent block lets a one pass through: 0, 1, 0, 0, ..."""
    values = (0, 1)
    upper = [(a, b, c) for a, b, c in product(values, repeat=3)] if size == 2 else [(a,) for a in values]

    def first_entries(entries: tuple, start: tuple) -> list[fmpq]:
        a = exact.rationals([[entries[0], entries[1]], [0, entries[2]]] if size == 2 else [[entries[0]]])
        layer = parity.power_recurrence(a, exact.rationals([[x] for x in start]))
        return [H[0, 0] for H in layer.states([1] * 6)]

    def breaks(candidate: tuple) -> bool:
        s = first_entries(*candidate)
        rises, falls = any(x < y for x, y in pairwise(s)), any(x > y for x, y in pairwise(s))
        return rises and falls

    candidates = product(upper, product(values, repeat=size))
    found = proof.smallest(f"upper triangular {size} x {size} matrices and H_0 with entries 0, 1 (B = 0)", candidates, breaks)
    if found:
        (entries, start), _ = found
        s = first_entries(entries, start)
        a = exact.rationals([[entries[0], entries[1]], [0, entries[2]]])
        proof.counterexample(
            given={"A(1)": a, "B(1)": 0, "H_0": list(start), "first entry of the state for k = 0 .. 6": s},
            hypotheses={"the eigenvalues, on the diagonal, are nonnegative": entries[0] >= 0 and entries[2] >= 0},
            violates={
                "the entry rises and falls": breaks((entries, start)),
                "it does not diverge (A^2 = A^3)": np.array_equal(a @ a, a @ a @ a),
            },
            minimal="n = 2",
        )


@claim(
    "grazzi25.fig2.monotone.amended",
    topic="parity",
    place="Fig. 2, caption",
    kind="amended",
    amends="grazzi25.fig2.monotone",
    title="with nonnegative eigenvalues every entry is monotone from a computable k on",
    says=r"If the eigenvalues of $A(1)$ are nonnegative, every entry of the state on $1^k$ is eventually monotone.",
    hypotheses=("rational eigenvalues (for the exact computation)",),
    uses=("grazzi25.lemma1.amended",),
    sabotages={"an eigenvalue -1": {"eigenvalues": [fmpq(-1)]}, "monotone from the start": {"threshold": lambda s: 0}},
)
def states_are_eventually_monotone(proof: Proof, eigenvalues=tuple(samples.NONNEGATIVE), threshold=lambda s: s.threshold) -> None:
    """H_{k+1} - H_k = A^k ((A - I) H_0 + B) has exponential sums as entries; their sign settles, alike on even and odd k."""
    rng = Random(10)
    count = proof.pick(5, 20, 200)
    family = [(n, samples.jordan_blocks(rng, n, eigenvalues)) for n in (1, 2, 3, 4) for _ in range(count)]
    for n, blocks in proof.each(f"{len(family)} random layers, n <= 4", family):
        a = samples.with_jordan_form(blocks, samples.basis(rng, n))
        layer = parity.power_recurrence(a, samples.integers(rng, n, 1), samples.integers(rng, n, 1))
        step = exact.multiply(a - exact.identity(n), layer.initial) + layer.inputs(1)
        for entry, difference in enumerate(_differences(a, step)):
            settled = [difference.settles(p) for p in (0, 1)]
            proof.exactly("the sign of the difference settles alike on even and odd k", settled[0].sign, settled[1].sign)
            start = max(threshold(s) for s in settled)
            states = [H[entry, 0] for H in layer.states([1] * (start + 6))][start:]
            signs = {(y > x) - (y < x) for x, y in pairwise(states)}
            proof.exactly("the next steps have that sign", signs, {settled[0].sign})


def _differences(a, step) -> list[ExponentialSum]:
    return list(jordan_form(a).power_entries(exact.identity(len(a)), step)[:, 0])


def _sign_layer(sign_of_one: int = -1) -> Recurrence:
    """The running product of the signs of the entries of a diagonal transition; letters are the signs."""
    table = {s: (parity.scalar(sign_of_one if s == -1 else 1), parity.scalar(0)) for s in (1, -1)}
    return Recurrence.from_table(table, parity.scalar(1), lambda H, x: int(H[0, 0]))


@claim(
    "grazzi25.appE4",
    topic="parity",
    place="App. E.4, Products in Log-space",
    title="computing products with signs in log space is computing parity of the number of negative factors",
    says=r"For nonzero reals, $\prod_ta_t=(-1)^{\#\{t:a_t<0\}}\exp\sum_t\log|a_t|$: the running sign is a parity automaton.",
    hypotheses=("all factors nonzero (a zero factor makes the product 0 whatever its sign is called)",),
    uses=("grazzi25.thm1.converse",),
    sabotages={"the sign of a negative factor is dropped": {"layer": lambda: _sign_layer(1)}},
)
def signs_are_parity(proof: Proof, layer=_sign_layer) -> None:
    """The sign is multiplicative on nonzero reals; closure of the running sign with the parity automaton."""
    one = layer()
    computes(
        proof, "the running sign is (-1)^(number of negative factors)", one, lambda q, s: (q + (s < 0)) % 2, 0, (1, -1), lambda q: (-1) ** q
    )
    rng = Random(11)
    for _ in proof.each("50 random words of 1 to 12 nonzero rationals", range(50)):
        word = [samples.fraction(rng, 1, 4) * rng.choice((1, -1)) for _ in range(rng.randint(1, 12))]
        sign = one.run([1 if a > 0 else -1 for a in word])[-1]
        value, size = fmpq(1), fmpq(1)
        for a in word:
            value, size = value * a, size * abs(a)
        proof.exactly("sign times product of moduli is the product", sign * size, value)


@claim(
    "new.parity.architectures",
    topic="parity",
    place="after grazzi25 Theorem 1; degeeter26 Eq. 11",
    kind="new",
    title="no stack of Mamba, GLA, DeltaNet [0, 1] and BMRU layers recognises (11)* in the cast model",
    says=r"$\exp(-\Delta\exp w)$, $\alpha\in[0,1]$, $I-\beta kk^\top$ with $\beta\|k\|^2\in[0,1]$ and $\mathrm{Diag}(z)$, $z\in\{0,1\}^n$, have spectra in $[0,1]$, so "
    r"no stack of such layers, in any order and number, recognises $(11)^*$.",
    uses=("grazzi25.thm1.layers", "grazzi25.table1.norm.amended", "new.parity.stepwise.symmetric"),
    construction="lemmata.constructions.architectures",
    sabotages={"the extended range of Eq. 2 (a gate may be -1)": {"gates": (-1,)}},
)
def architectures_without_parity(proof: Proof, gates=(0, 1)) -> None:
    """The spectra, then whole stacks of rational layers of these kinds in the cast model."""
    delta, w = sympy.Symbol("Delta", positive=True), sympy.Symbol("w", real=True)
    entry = architectures.mamba(np.array([delta]), np.array([w]))[0, 0]
    proof.holds("exp(-Delta exp(w)) > 0 for all real w and Delta > 0", bool(entry.is_positive))
    for n in proof.every("all BMRU gates, n <= 4", range(1, 5)):
        for gate in product(gates, repeat=n):
            a = architectures.bmru(np.array(gate, dtype=object))
            proof.exactly("a BMRU transition is idempotent, so its spectrum lies in {0, 1}", a @ a, a)
    rng = Random(12)
    count = proof.pick(5, 20, 200)
    for _ in proof.each(f"{count} random stacks of 2 or 3 such layers, n <= 3, |D| <= 5", range(count)):
        stack, D = random_stack(rng, rng.randint(2, 3), [fmpq(1)]), samples.finite_set(rng)
        stack = Stack(tuple(_with_transitions(layer, rng, gates) for layer in stack.layers))
        traces = stack.eventual_outputs([1], D)
        proof.exactly("the output on 1^k has eventual period 1", traces[-1].least_period, 1)
        certify_stack(proof, stack, traces, D)


def _with_transitions(layer: Recurrence, rng: Random, gates: tuple[int, ...]) -> Recurrence:
    """The same layer with GLA, DeltaNet [0, 1] or BMRU transitions for the letters 0, 1, 2."""
    n = len(layer.initial)

    def transition():
        kind = rng.choice(("gla", "delta", "bmru"))
        if kind == "gla":
            return architectures.gla(exact.rationals([samples.fraction(rng) for _ in range(n)]))
        if kind == "bmru":
            return architectures.bmru(exact.rationals([rng.choice(gates) for _ in range(n)]))
        return GeneralizedHouseholder(samples.nonzero_vector(rng, n), samples.fraction(rng)).matrix()

    table = {x: (transition(), layer.inputs(x)) for x in range(3)}
    return Recurrence.from_table(table, layer.initial, layer.decode)
