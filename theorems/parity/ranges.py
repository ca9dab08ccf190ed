"""Eigenvalue ranges and norms (grazzi25, Eq. 2, Table 1, Fig. 2, App. E.4)."""

from __future__ import annotations

from itertools import pairwise, product
from random import Random

import numpy as np
import sympy
from flint import fmpq

from ...constructions import architectures, parity, samples
from ...constructions.recurrence import Recurrence
from ...numerics import exact
from ...numerics.aliases import Exact
from ...numerics.exponential_sums import ExponentialSum
from ...numerics.jordan import jordan_form
from ..claim import claim
from ..closure import computes
from ..evidence import Proof

#: inner products of two real vectors x and v, so that what follows holds in every dimension
XX, VX, VV = sympy.symbols("xx vx vv", real=True)

Combination = tuple[sympy.Expr, sympy.Expr]


def _along(beta, vx=VX, vv=VV):
    """C = I - beta v v^T on combinations a x + b v, as (a, b); ``vx`` and ``vv`` are v.x and v.v."""
    return lambda c: (c[0], c[1] - beta * (c[0] * vx + c[1] * vv))


def _squared(c: Combination, vx=VX, vv=VV) -> sympy.Expr:
    """|a x + b v|^2."""
    a, b = c
    return a**2 * XX + 2 * a * b * vx + b**2 * vv


@claim(
    "grazzi25.eq2",
    place="Eq. 2, Sec. 4.2",
    title="2 s − 1 and I − 2 φ v vᵀ stretch the range [0, 1] to [−1, 1] and keep the norm ≤ 1",
    says=r"For $s\in[0,1]^n$, $\phi\in[0,1]$, $\|v\|=1$: $\mathrm{Diag}(2s-1)$ has eigenvalues in $[-1,1]$; $I-2\phi vv^\top$ has the eigenvalue "
    r"$1-2\phi\in[-1,1]$ along $v$ and $1$ across it; both have norm at most $1$.",
    hypotheses=("s in [0, 1]^n, phi in [0, 1]", "|v| = 1"),
    construction="lemmata.constructions.householder.GeneralizedHouseholder",
    sabotages={"the factor 3 in place of 2": {"scale": 3}, "v is not normalised": {"unit": 2}},
)
def extended_range(proof: Proof, scale: int = 2, unit: int = 1) -> None:
    r"""Everything is said with the inner products $x\cdot x$, $v\cdot x$ and $v\cdot v=1$, so it holds in every dimension.

    1. $Cv=(1-2\phi)v$, and $Cx=x$ for $v\cdot x=0$. [checked: "C v = (1 - 2 phi) v"; "C x = x across v"] [prose]
    2. $|Cx|^2=|x|^2-4\phi(1-\phi)(v\cdot x)^2$. [checked: "|C x|^2 = |x|^2 - 4 phi (1 - phi) (v.x)^2"] [prose]
    3. Every $\phi\in(0,1]$ is $p/(p+q)$ with $p>0$, $q\ge0$; then $4\phi(1-\phi)=4pq/(p+q)^2\ge0$, and at $\phi=0$ it is $0$, so that $|Cx|\le|x|$, and $(1-2\phi)^2=1-4\phi(1-\phi)\le1$.
       [checked: "4 phi (1 - phi)"; "1 - (2s-1)^2 = 4 s (1-s)"] [prose]
    4. The norm of $\mathrm{Diag}(2s-1)$ is its largest $|2s_i-1|$, and $1-(2s_i-1)^2=4s_i(1-s_i)\ge0$ as well. [checked: "1 - (2s-1)^2 = 4 s (1-s)"; "4 phi (1 - phi)"] [prose]
    5. The ends of the range are attained. [checked: "1 - 2 phi runs from 1 to -1"]
    """
    phi, s = sympy.symbols("phi s", real=True)
    beta = scale * phi
    act = _along(beta, VX, unit)
    proof.symbolically("C v = (1 - 2 phi) v", act((0, 1))[1], 1 - 2 * phi, "n, v, phi")
    across = _along(beta, 0, unit)((1, 0))
    proof.symbolically("C x = x across v", across[0] ** 2 + across[1] ** 2, 1, "n, v, x with v.x = 0, phi")
    proof.symbolically(
        "|C x|^2 = |x|^2 - 4 phi (1 - phi) (v.x)^2", _squared(act((1, 0)), VX, unit), XX - 4 * phi * (1 - phi) * VX**2, "n, v, x, phi"
    )
    p, q = sympy.Symbol("p", positive=True), sympy.Symbol("q", nonnegative=True)
    stretch = 4 * phi * (1 - phi)
    nonnegative = bool(sympy.factor(stretch.subs(phi, p / (p + q))).is_nonnegative)
    proof.holds("4 phi (1 - phi) >= 0 for phi = p / (p + q), p > 0, q >= 0", nonnegative, free="phi in (0, 1]")
    proof.symbolically("1 - (2s-1)^2 = 4 s (1-s)", 1 - (scale * s - 1) ** 2, 4 * s * (1 - s), "s")
    for end, eigenvalue in proof.every("both ends of the range", ((0, 1), (1, -1)), limited=False):
        proof.exactly("4 phi (1 - phi) is 0 at both ends", int(stretch.subs(phi, end)), 0)
        proof.exactly("1 - 2 phi runs from 1 to -1", int(sympy.sympify(1 - beta).subs(phi, end)), eigenvalue)


@claim(
    "grazzi25.table1",
    place="Table 1, Sec. 3.1",
    title="the transitions of Table 1 have eigenvalues and norm in [0, 1], if the keys are normalised",
    says=r"For $\alpha=\mathrm{sigmoid}(u)$ the entries of $\mathrm{Diag}(\alpha)$, for $\Delta=\mathrm{softplus}(u)$ those of $\mathrm{Diag}(\exp(-\Delta e^w))$ lie in $(0,1)$. "
    r"$I-\beta kk^\top$, $k\ne0$, has the eigenvalue $1-\beta\|k\|^2$ along $k$ and $1$ across it; it lies in $[0,1]$ iff $0\le\beta\|k\|^2\le1$, and the norm is at most $1$ iff "
    r"$0\le\beta\|k\|^2\le2$. So for $\|k\|=1$ and $\beta\in(0,1)$ both lie in $[0,1]$.",
    reading="keys of norm 1, as Sec. 4.2 has them; Table 1 does not say so (grazzi25.table1.norm)",
    construction="lemmata.constructions.architectures",
    sabotages={
        "the norm of k enters to the first power": {"weight": lambda kk: sympy.sqrt(kk)},
        "Mamba without softplus: Delta may be negative": {"steps": lambda e: sympy.log(e)},
    },
)
def normalised_keys(proof: Proof, weight=lambda kk: kk, steps=lambda e: sympy.log(1 + e)) -> None:
    r"""Diagonal entries by their signs, the delta rule by inner products, so for every dimension.

    1. With $e=e^u>0$ the sigmoid is $\alpha=e/(1+e)$, and $\alpha$ and $1-\alpha=1/(1+e)$ are positive. [checked: "GLA: alpha > 0 and 1 - alpha > 0"]
    2. With $c=e^w>0$ the exponent $-c\log(1+e)$ of Mamba's entry is negative, so that the entry lies in $(0,1)$. [checked: "Mamba: the exponent is negative"; "Mamba: the entry is exp of it"] [prose]
    3. $(I-\beta kk^\top)k=(1-\beta k\cdot k)k$, and $x$ with $k\cdot x=0$ is kept. Only inner products enter, so this holds in every dimension. [checked: "A k = (1 - beta |k|^2) k"; "A x = x across k"] [prose]
    4. With $t=\beta|k|^2$ the eigenvalue $1-t$ lies in $[0,1]$ iff $0\le t\le1$. And $|Ax|^2=|x|^2-\beta(2-t)(k\cdot x)^2$, which is at most $|x|^2$ for all $x$ iff $\beta(2-t)\ge0$; multiplied by
       $|k|^2>0$ this is $t(2-t)\ge0$, that is $0\le t\le2$. [checked: "|A x|^2 = |x|^2 - beta (2 - t) (k.x)^2"; "1 - (1-t)^2 = t (2-t)"; "0 <= 1 - t <= 1 iff"; "t (2 - t) >= 0 iff"] [prose]
    """
    e, c = sympy.symbols("e c", positive=True)
    alpha = e / (1 + e)
    proof.holds("GLA: alpha > 0 and 1 - alpha > 0", bool(alpha.is_positive) and bool(sympy.together(1 - alpha).is_positive), free="u")
    proof.holds("Mamba: the exponent is negative", bool((-c * steps(e)).is_negative), free="u, w")
    entry = architectures.mamba(np.array([steps(e)]), np.array([sympy.log(c)]))[0, 0]
    proof.symbolically("Mamba: the entry is exp of it", entry, sympy.exp(-c * steps(e)), "e = exp(u), c = exp(w)")
    beta, t = sympy.symbols("beta t", real=True)
    proof.symbolically("A k = (1 - beta |k|^2) k", _along(beta)((0, 1))[1], 1 - beta * weight(VV), "n, k, beta")
    across = _along(beta, 0)((1, 0))
    proof.symbolically("A x = x across k", across[0] ** 2 + across[1] ** 2, 1, "n, k, x with k.x = 0, beta")
    proof.symbolically(
        "|A x|^2 = |x|^2 - beta (2 - t) (k.x)^2, t = beta |k|^2",
        _squared(_along(beta)((1, 0))),
        XX - beta * (2 - beta * weight(VV)) * VX**2,
        "n, k, x, beta",
    )
    k: Exact = sympy.Matrix(sympy.symbols("k1 k2", real=True))
    built = sympy.Matrix(architectures.delta_rule(beta, np.array(list(k), dtype=object)))
    with proof.beside():
        for left, right in zip(built * k, (1 - beta * weight(k.dot(k))) * k, strict=True):
            proof.symbolically("the constructor builds this matrix: A k for n = 2", left, right, "k, beta")
    proof.symbolically("1 - (1-t)^2 = t (2-t)", 1 - (1 - t) ** 2, t * (2 - t), "t")
    unit = sympy.And(1 - t >= 0, 1 - t <= 1).as_set()
    proof.holds("0 <= 1 - t <= 1 iff 0 <= t <= 1", unit == sympy.Interval(0, 1), free="t")
    proof.holds("t (2 - t) >= 0 iff 0 <= t <= 2", (t * (2 - t) >= 0).as_set() == sympy.Interval(0, 2), free="t")


@claim(
    "grazzi25.table1.norm",
    place="Sec. 3.1, after Table 1",
    flaw="overstatement",
    weight="hypothesis",
    quotes=("These matrices consistently have eigenvalues (and norm) in the range $[0, 1]$.",),
    title="eigenvalues and norms lie in [0, 1] only for keys of length at most 1, which Table 1 does not ask for",
    says=r"For $\beta\in(0,1)$ and $k\in\mathbb R^n$, $I-\beta kk^\top$ has its eigenvalues and its norm in $[0,1]$.",
    letter="Eigenvalues and norms lie in [0, 1] only if |k_t| <= 1, which Table 1 does not ask for. With n = 1, beta = 2/3 and k = 2 the eigenvalue is -5/3. Please add |k_t| = 1 to the caption, as Sec. 4.2 has it.",
    reading="k_t is any vector, as Table 1 has it; Sec. 4.2 normalises it silently",
    sabotages={"|k| = 1": {"keys": (1,)}},
)
def keys_are_not_normalised(proof: Proof, keys=(1, 2, 3)) -> None:
    """n = 1: the eigenvalue is 1 - beta k^2; k = 2 and beta = 2/3 give -5/3."""
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
            words={"range": 0 < beta < 1, "negative": a[0, 0] < 0, "norm": abs(a[0, 0]) > 1},
            minimal="n = 1",
        )
        proof.certificate("witness", "a key of length 2", k=[fmpq(k)], beta=beta)


# -- Fig. 2 ----------------------------------------------------------------------------------------------------------------


@claim(
    "grazzi25.fig2.monotone",
    place="Fig. 2, caption",
    of="grazzi25.thm1",
    flaw="overstatement",
    weight="wording",
    quotes=("If the eigenvalues of $A(1)$ are nonnegative, the states either diverge or converge monotonically",),
    title="nonnegative eigenvalues do not make the states on 111… monotone, only eventually so",
    says=r"If the eigenvalues of $A(1)$ are nonnegative, every entry of $A(1)^kH_0+\sum_{i<k}A(1)^iB(1)$ diverges or converges monotonically in $k$.",
    letter="The caption of Fig. 2 says that with nonnegative eigenvalues the states diverge or converge monotonically. A(1) = [[0, 1], [0, 0]] with H_0 = (0, 1) and B = 0 gives 0, 1, 0, 0, ... Monotonically from some time on is right, and is what Theorem 1 needs.",
    reading="'monotonically' entry by entry, from k = 0 on",
    sabotages={"n = 1": {"size": 1}},
)
def states_need_not_be_monotone(proof: Proof, size: int = 2) -> None:
    """A nilpotent block lets a one pass through: 0, 1, 0, 0, ... With positive eigenvalues 1/2 and 1/4 the entry is 0, 1, 3/4, 7/16, ..."""
    values = (0, 1)
    upper = [(a, b, c) for a, b, c in product(values, repeat=3)] if size == 2 else [(a,) for a in values]

    def matrix(entries: tuple):
        return exact.rationals([[entries[0], entries[1]], [0, entries[2]]] if size == 2 else [[entries[0]]])

    def first_entries(entries: tuple, start: tuple) -> list[fmpq]:
        layer = parity.power_recurrence(matrix(entries), exact.rationals([[x] for x in start]))
        return [H[0, 0] for H in layer.states([1] * 6)]

    def breaks(candidate: tuple) -> bool:
        s = first_entries(*candidate)
        rises, falls = any(x < y for x, y in pairwise(s)), any(x > y for x, y in pairwise(s))
        return rises and falls

    candidates = product(upper, product(values, repeat=size))
    found = proof.smallest(f"upper triangular {size} x {size} matrices and H_0 with entries 0, 1 (B = 0)", candidates, breaks)
    if not found:
        return
    for what, (entries, start) in (
        ("entries 0, 1", found[0]),
        ("positive eigenvalues", ((fmpq(1, 2), 1, fmpq(1, 4)), (0, 1))),
    ):
        s, a = first_entries(entries, start), matrix(entries)
        proof.counterexample(
            given={"A(1)": a, "B(1)": 0, "H_0": list(start), "first entry of the state for k = 0 .. 6": s},
            words={
                "spectrum": entries[0] >= 0 and entries[2] >= 0,
                "turns": breaks((entries, start)),
                "bounded": entries[0] < 1 and entries[2] < 1,
            },
            minimal=f"n = 2, {what}",
        )
        proof.certificate("witness", f"an entry that rises and falls, {what}", A=a, H0=[fmpq(x) for x in start])


@claim(
    "grazzi25.fig2.monotone.amended",
    place="Fig. 2, caption",
    amends="grazzi25.fig2.monotone",
    title="with nonnegative eigenvalues every entry is monotone from a computable k on",
    says=r"If the eigenvalues of $A(1)$ are nonnegative, every entry of the state on $1^k$ is eventually monotone.",
    hypotheses=("rational eigenvalues (for the exact computation)",),
    sabotages={"an eigenvalue -1": {"eigenvalues": [fmpq(-1)]}, "monotone from the start": {"threshold": lambda s: 0}},
)
def states_are_eventually_monotone(proof: Proof, eigenvalues=tuple(samples.NONNEGATIVE), threshold=lambda s: s.threshold) -> None:
    r"""The differences of the states are powers of $A$ applied to one vector, and their signs settle.

    1. $H_{k+1}-H_k=A^k\bigl((A-I)H_0+B\bigr)$, by induction from $H_{k+1}-H_k=A(H_k-H_{k-1})$. [prose]
    2. Its entries are sums as in Lemma 1 with $\lambda\ge0$, so their signs settle, and alike on even and odd $k$. [uses: grazzi25.lemma1]
       [checked: "the sign of the difference settles alike on even and odd k"]
    3. From there on the entry rises, falls or stands still, as the states themselves do. [checked: "the next steps have that sign"]
    """
    rng = Random(10)
    count = proof.pick(5, 20, 200)
    family = [(n, samples.jordan_blocks(rng, n, eigenvalues)) for n in (1, 2, 3, 4) for _ in range(count)]
    bent = 0
    for n, blocks in proof.each(f"{len(family)} random layers, n <= 4, seed 10", family):
        a = samples.with_jordan_form(blocks, samples.basis(rng, n))
        layer = parity.power_recurrence(a, samples.integers(rng, n, 1), samples.integers(rng, n, 1))
        step = exact.multiply(a - exact.identity(n), layer.initial) + layer.inputs(1)
        signs, last = [], 0
        for entry, difference in enumerate(_differences(a, step)):
            settled = [difference.settles(p) for p in (0, 1)]
            proof.exactly("the sign of the difference settles alike on even and odd k", settled[0].sign, settled[1].sign)
            start = max(threshold(s) for s in settled)
            states = [H[entry, 0] for H in layer.states([1] * (start + 6))]
            steps = [(y > x) - (y < x) for x, y in pairwise(states)]
            proof.exactly("the next steps have that sign", set(steps[start:]), {settled[0].sign})
            bent += len(set(steps)) == 3
            signs.append(settled[0].sign)
            last = max(last, start)
        if any(signs):
            form = jordan_form(a)
            proof.certificate(
                "witness", "from the threshold on every entry is monotone", A=a, B=layer.inputs(1), H0=layer.initial,
                P=form.basis, P_inverse=form.basis_inverse, blocks=[[x, size] for x, size in form.blocks], threshold=last, signs=signs,
            )  # fmt: skip
    proof.holds("some entries rise, stand still and fall before they settle", bent > 0)


def _differences(a, step) -> list[ExponentialSum]:
    return list(jordan_form(a).power_entries(exact.identity(len(a)), step)[:, 0])


# -- App. E.4 --------------------------------------------------------------------------------------------------------------


def _sign_layer(sign_of_one: int = -1) -> Recurrence:
    """The running product of the signs of the entries of a diagonal transition; letters are the signs."""
    table = {s: (parity.scalar(sign_of_one if s == -1 else 1), parity.scalar(0)) for s in (1, -1)}
    return Recurrence.from_table(table, parity.scalar(1), lambda H, x: int(H[0, 0]))


@claim(
    "grazzi25.appE4",
    place="App. E.4, Products in Log-space",
    title="computing products with signs in log space is computing parity of the number of negative factors",
    says=r"For nonzero reals, $\prod_ta_t=(-1)^{\#\{t:a_t<0\}}\exp\sum_t\log|a_t|$: the running sign is a parity automaton.",
    hypotheses=("all factors nonzero (a zero factor makes the product 0 whatever its sign is called)",),
    sabotages={
        "the sign of a negative factor is dropped": {"layer": lambda: _sign_layer(1)},
        "moduli are added, not their logarithms": {"join": lambda x, y: x + y},
    },
)
def signs_are_parity(proof: Proof, layer=_sign_layer, join=lambda x, y: sympy.exp(sympy.log(x) + sympy.log(y))) -> None:
    r"""Induction on the number of factors; the signs are a closed automaton.

    1. The empty product is $1=(-1)^0\exp0$. [checked: "base: the empty product"]
    2. Let $\prod=\sigma\exp\ell$ with $\sigma=\pm1$ and let the next factor be $\tau y$ with $\tau=\pm1$, $y>0$. The product becomes $(\sigma\tau)\exp(\ell+\log y)$, in each of the
       four cases of signs. With step 1 this is an induction. [checked: "step: sign and modulus of the product"] [prose]
    3. $\sigma\mapsto\sigma\tau$ is the parity automaton of the number of negative factors, at every length. [checked: "the running sign is"]
    """
    one = layer()
    computes(
        proof, "the running sign is (-1)^(number of negative factors)", one, lambda q, s: (q + (s < 0)) % 2, 0, (1, -1), lambda q: (-1) ** q
    )
    x, y = sympy.symbols("x y", positive=True)
    for nothing in proof.every("the empty sum", [sympy.Integer(0)], limited=False):
        proof.exactly("base: the empty product is (-1)^0 exp(0)", int(sympy.exp(nothing)), 1)
    for sign, factor in proof.every("both signs", product((1, -1), repeat=2), limited=False):
        after = int(one.step(parity.scalar(sign), factor)[0, 0])
        proof.symbolically(
            "step: sign and modulus of the product", after * join(x, y), (sign * x) * (factor * y), "x, y > 0 and both signs"
        )
