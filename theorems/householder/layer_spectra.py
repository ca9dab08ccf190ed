"""From the numbers of a layer's transition to its eigenvalues: one lemma for each kind of matrix that ``lemmata probe`` knows.

The delta rule is in grazzi25 Table 1, products of factors in Proposition 1; the other kinds are here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy

from ..claim import claim
from ..evidence import Proof

Matrix = Any


def _cycle(entries: list[sympy.Symbol]) -> Matrix:
    """The matrix that takes unit vector i to d_i times unit vector i + 1, and the last to the first."""
    m = len(entries)
    A = sympy.zeros(m, m)
    for i, d in enumerate(entries):
        A[(i + 1) % m, i] = d
    return A


@claim(
    "new.householder.layers.blocks",
    place="transitions of layers in use (PD-SSM, Mamba-3, S4)",
    title="diagonals have their entries as eigenvalues, turns p ± iq, one-hot columns 0 and roots of products along cycles",
    says=r"$\operatorname{Diag}(a)$ has the eigenvalues $a_i$; $\begin{pmatrix}p&-q\\q&p\end{pmatrix}$ has $p\pm iq$, of modulus $\sqrt{p^2+q^2}$. "
    r"Let each column of $A$ have at most one entry other than $0$, of modulus at most $d$. Its eigenvalues are $0$ and the $m$-th roots of products of $m$ entries along cycles, so of modulus at most $d$.",
    known="the structure of PD-SSM (one-hot columns times a diagonal) is from Terzic et al.; the eigenvalues of a map with weights are folklore",
    sabotages={
        "a cycle whose last entry goes elsewhere": {"cycle": lambda d: _cycle(d).T @ _cycle(d)},
        "a turn with equal signs": {"turn": lambda p, q: sympy.Matrix([[p, q], [q, p]])},
    },
)
def blocks(
    proof: Proof,
    cycle: Callable[[list[sympy.Symbol]], Matrix] = _cycle,
    turn: Callable[[Any, Any], Matrix] = lambda p, q: sympy.Matrix([[p, -q], [q, p]]),
) -> None:
    r"""Characteristic polynomials; a map of finitely many places ends on cycles.

    1. The characteristic polynomial of a diagonal matrix is $\prod(x-a_i)$. [prose]
    2. That of the turn is $(x-p)^2+q^2$. [checked: "the turn"]
    3. One-hot columns are a map of places with weights. Order the places by the number of steps to a cycle: the matrix is block triangular, with zeros on the diagonal for places on no cycle, and a block for each cycle. [prose]
    4. A cycle of $m$ places with entries $d_i$ has the characteristic polynomial $x^m-\prod d_i$: its $m$-th power multiplies each unit vector by $\prod d_i$. So $|\lambda|^m=\prod|d_i|\le d^m$. [checked: "a cycle"] [prose]
    """
    x, p, q = sympy.symbols("x p q")
    proof.symbolically("the turn: (x - p)^2 + q^2", turn(p, q).charpoly(x).as_expr(), (x - p) ** 2 + q**2, "p, q")
    largest = proof.pick(3, 5, 7)
    with proof.beside():
        for m in proof.every(f"cycles of 1 to {largest} places", range(1, largest + 1)):
            d = list(sympy.symbols(f"d1:{m + 1}"))
            proof.symbolically("a cycle: x^m - prod d", cycle(d).charpoly(x).as_expr(), x**m - sympy.prod(d), "entries")


@claim(
    "new.householder.layers.read-first",
    place="transitions of layers in use (Comba)",
    title="the eigenvalues of a I − β k pᵀ, a state read by p before its gate acts, are a and a − β pᵀk",
    says=r"For $k,p\in\mathbb R^n$ and numbers $a,\beta$, $aI-\beta kp^\top$ has the eigenvalue $a-\beta\,p^\top k$ along $k\ne0$, and $a$ with multiplicity $n-1$ at least. "
    r"If $p=ck$ with $c\ge0$ it is symmetric, and its eigenvalues lie between $a-\beta|p||k|$ and $a$ for $\beta\ge0$.",
    known="the matrix determinant lemma",
    sabotages={"p is written in place of k": {"written": lambda k, p: p * p}},
)
def read_first(proof: Proof, written: Callable[[Any, Any], Any] = lambda k, p: k * p) -> None:
    r"""Only the inner product $p^\top k$ enters, so this holds in every dimension.

    1. $(aI-\beta kp^\top)k=(a-\beta\,p^\top k)k$. [checked: "A k = (a - beta p.k) k"]
    2. $Ax=ax$ for $p^\top x=0$, a space of $n-1$ dimensions if $p\ne0$. [checked: "A x = a x"] [prose]
    3. $p^\top A=(a-\beta\,p^\top k)p^\top$: on the quotient by that space $A$ is $a-\beta\,p^\top k$. So these are all eigenvalues, also where $p^\top k=0$. [checked: "p^T A"] [prose]
    4. If $p=ck$, $c\ge0$, then $kp^\top=c\,kk^\top$ is symmetric and $0\le p^\top k=|p||k|$. [prose]
    """
    a, beta, inner = sympy.symbols("a beta p.k")
    k, p, x = sympy.symbols("k p x", commutative=False)
    A = a - beta * written(k, p)
    proof.symbolically(
        "A k = (a - beta p.k) k", sympy.expand(A * k).subs(p * k, inner), sympy.expand((a - beta * inner) * k), "n, a, beta, k, p"
    )
    proof.symbolically("A x = a x if p.x = 0", sympy.expand(A * x).subs(p * x, 0), a * x, "n, a, beta, k, p, x with p.x = 0")
    proof.symbolically(
        "p^T A = (a - beta p.k) p^T", sympy.expand(p * A).subs(p * k, inner), sympy.expand((a - beta * inner) * p), "n, a, beta, k, p"
    )


@claim(
    "new.householder.layers.turned-keys",
    place="layers with a rotary embedding (RetNet, YOCO)",
    title="if keys and queries turn with the position, a gated layer is one without positions whose transition is aR⁻¹",
    says=r"Let $R$ turn planes by fixed angles, and let each gate $a_t$ be one number on each plane. The layer $S_t=a_tS_{t-1}+R^tk_tv_t^\top$, $o_t=S_t^\top R^tq_t$, has the outputs of $T_t=a_tR^{-1}T_{t-1}+k_tv_t^\top$, $o_t=T_t^\top q_t$, with $T_t=R^{-t}S_t$. "
    r"On a plane that $R$ turns by $\theta$, $aR^{-1}$ has the eigenvalues $ae^{\pm i\theta}$, of modulus $|a|$.",
    remarks=("The bounded change of coordinates is exact in real arithmetic; a rounded layer stores $S_t$.",),
    known="that turned keys and queries see differences of positions only is the purpose of the embedding (Su et al. 2021)",
    sabotages={
        "the queries are not turned": {"query": lambda q, turn: q},
        "a gate that is not one number on a plane": {"gate": lambda a, b, s, conjugate: a * s + b * conjugate},
    },
)
def turned_keys(
    proof: Proof,
    query: Callable[[Any, Any], Any] = lambda q, turn: q / turn,
    gate: Callable[[Any, Any, Any, Any], Any] = lambda a, b, s, conjugate: a * s,
) -> None:
    r"""A plane is a complex number $s$ for each value, and $R$ is multiplication by a unit $z$.

    1. $z^{-t}(as+z^tkv)=(az^{-1})\,z^{-(t-1)}s+kv$: the recurrence of $T=z^{-t}S$. [checked: "the recurrence"]
    2. The output is the real part of $\overline{z^tq}\,s$. Since $\bar z=z^{-1}$, it is that of $\bar q\,z^{-t}s$. [checked: "the output"]
    3. Multiplication by $az^{-1}$ is $a$ times a turn, with the eigenvalues $az^{\pm1}$. [uses: new.householder.layers.blocks] [prose]
    4. Heads consist of such planes, of coordinates that no angle turns ($z=1$), and of values that are independent of each other. [prose]
    """
    a, b, s, conjugate, k, v, q, z = sympy.symbols("a b s s* k v q* z", nonzero=True)
    t = sympy.Symbol("t", integer=True)
    after = gate(a, b, s, conjugate) + z**t * k * v
    proof.symbolically(
        "the recurrence: z^-t (a s + z^t k v) = (a / z) z^-(t-1) s + k v",
        sympy.expand(sympy.powsimp(sympy.expand(z**-t * after))),
        sympy.expand(sympy.powsimp(a / z * z ** (1 - t) * s + k * v)),
        "t, a, s, k, v, z",
    )
    proof.symbolically("the output: (q* / z^t) s = q* (z^-t s)", query(q, z**t) * s, q * z**-t * s, "t, q, s, z")


def _symmetric(proof: Proof, vector: Callable[[Any, Any], Any]) -> None:
    """Record that |y|^2 - (u.y)^2 lies between (1 - |u|^2) |y|^2 and |y|^2, by Lagrange's identity for two entries at a time."""
    u, v, y, z = sympy.symbols("u v y z", real=True)
    proof.symbolically(
        "Lagrange: (u_i^2 + u_j^2)(y_i^2 + y_j^2) - (u.y)^2 is a square",
        (u**2 + v**2) * (y**2 + z**2) - (u * y + v * z) ** 2,
        vector(u * z, v * y) ** 2,
        "pairs of entries",
    )


@claim(
    "new.householder.layers.minus-rank-one",
    place="transitions of layers in use (RWKV-7)",
    title="Diag(w) − k(a⊙k)ᵀ with a ≥ 0 is similar to a symmetric matrix: its spectrum is real, from min w − max a |k|² to max w",
    says=r"Let $a\ge0$ and $u_i=\sqrt{a_i}\,k_i$. Then $\operatorname{Diag}(w)-k(a\odot k)^\top$ has the eigenvalues of $\operatorname{Diag}(w)-uu^\top$, which are real and lie between $\min w-|u|^2$ and $\max w$; and $|u|^2\le\max_ia_i\,|k|^2$.",
    remarks=("For a > 0 the two are similar, so that the first is diagonalisable. With a = 0 somewhere it need not be.",),
    known="Weyl's inequality for a symmetric matrix of rank one; that RWKV-7's transition is similar to a symmetric one was not found",
    sabotages={
        "the columns are not divided": {"back": lambda s: 1},
        "Lagrange's identity with a sum": {"vector": lambda x, y: x + y},
    },
)
def minus_rank_one(
    proof: Proof, back: Callable[[Any], Any] = lambda s: 1 / s, vector: Callable[[Any, Any], Any] = lambda x, y: x - y
) -> None:
    r"""Turn the coordinates by the roots of $a$, then bound the quadratic form.

    1. For $a>0$ let $r_i=\sqrt{a_i}$ and $R=\operatorname{Diag}(r)$. The entry $(i,j)$, $i\ne j$, of $R(\operatorname{Diag}(w)-k(a\odot k)^\top)R^{-1}$ is $-u_iu_j$, and entry $(i,i)$ is $w_i-u_i^2$. [checked: "off the diagonal"; "on the diagonal"]
    2. For $|x|=1$: $x^\top(\operatorname{Diag}(w)-uu^\top)x=\sum w_ix_i^2-(u\cdot x)^2$, at most $\max w$, and at least $\min w-|u|^2$ since $(u\cdot x)^2\le|u|^2$. [checked: "Lagrange"] [prose]
    3. Eigenvalues are continuous in $a$, so the same bounds and realness hold where some $a_i=0$. [prose]
    4. $|u|^2=\sum a_ik_i^2\le\max a\,|k|^2$. [prose]
    """
    r, s, k, l, w = sympy.symbols("r s k l w", positive=True)
    proof.symbolically("off the diagonal: r_i (-k_i k_j a_j) / r_j", r * (-k * l * s**2) * back(s), -(r * k) * (s * l), "entries, a = r^2")
    proof.symbolically("on the diagonal", r * (w - k * k * r**2) * back(r), w - (r * k) ** 2, "entries, a = r^2")
    _symmetric(proof, vector)


@claim(
    "new.householder.layers.gate-before-factor",
    place="transitions of layers in use (KDA, Gated DeltaNet-2)",
    title="(I − k(b⊙k)ᵀ) Diag(w), b, w ≥ 0, has real eigenvalues θμ, θ between the wᵢ and μ between 1 − max b |k|² and 1",
    says=r"Let $b,w\ge0$ and $u_i=\sqrt{b_i}\,k_i$. Then $(I-k(b\odot k)^\top)\operatorname{Diag}(w)$ has the eigenvalues of $\operatorname{Diag}(\sqrt w)(I-uu^\top)\operatorname{Diag}(\sqrt w)$, which are real. Each is $\theta\mu$ with $\min w\le\theta\le\max w$ and $1-|u|^2\le\mu\le1$; and $|u|^2\le\max_ib_i\,|k|^2$. With all $b_i=\beta$ this is $(I-\beta kk^\top)\operatorname{Diag}(w)$.",
    remarks=("For b, w > 0 the two are similar, so that the first is diagonalisable.",),
    known="Ostrowski's theorem on congruent symmetric matrices; for KDA and Gated DeltaNet-2 it was not found",
    sabotages={
        "the gate is turned on one side only": {"half": lambda v: v},
        "Lagrange's identity with a sum": {"vector": lambda x, y: x + y},
    },
)
def gate_before_factor(
    proof: Proof, half: Callable[[Any], Any] = sympy.sqrt, vector: Callable[[Any, Any], Any] = lambda x, y: x - y
) -> None:
    r"""Turn the coordinates by the roots of $b$ and of $w$, then bound the quadratic form.

    1. For $b,w>0$ let $r_i=\sqrt{b_iw_i}$ and $R=\operatorname{Diag}(r)$. Entry $(i,j)$, $i\ne j$, of $RAR^{-1}$ is $-\sqrt{w_i}u_iu_j\sqrt{w_j}$, and entry $(i,i)$ is $w_i(1-u_i^2)$. [checked: "off the diagonal"; "on the diagonal"]
    2. For $|x|=1$ let $y=\operatorname{Diag}(\sqrt w)x$, so $\min w\le|y|^2=\sum w_ix_i^2\le\max w$. The form is $|y|^2-(u\cdot y)^2$, between $(1-|u|^2)|y|^2$ and $|y|^2$. [checked: "Lagrange"] [prose]
    3. Eigenvalues are continuous in $b$ and $w$, so the same holds where some are $0$. [prose]
    4. $|u|^2=\sum b_ik_i^2\le\max b\,|k|^2$. [prose]
    """
    b, c, k, l, w, v = sympy.symbols("b c k l w v", positive=True)
    r, s = sympy.sqrt(b) * half(w), sympy.sqrt(c) * half(v)
    u, t = sympy.sqrt(b) * k, sympy.sqrt(c) * l
    proof.symbolically(
        "off the diagonal: r_i (-k_i b_j k_j w_j) / r_j", r * (-k * c * l * v) / s, -sympy.sqrt(w) * u * t * sympy.sqrt(v), "entries"
    )
    proof.symbolically("on the diagonal", r * (1 - k * b * k) * w / r, w * (1 - u**2), "entries")
    _symmetric(proof, vector)
