"""How many random nodes on the circle are enough (after orvieto24, Sec. 4.1)."""

from __future__ import annotations

from itertools import product

import sympy
from flint import arb

from ...numerics.aliases import Exact
from ..claim import claim
from ..evidence import Proof


def balanced(ratio):
    """x with phi(x) = phi(ratio x) for phi(y) = y log y - y + 1: both tails weigh the same."""
    return sympy.exp(1 - ratio * sympy.log(ratio) / (ratio - 1))


def trace_moment(nodes: int, length: int, power: int) -> int:
    """E trace (V* V)^power for independent uniform nodes on the circle: over all ways in which the factors share nodes, the integer points of a linear system."""
    total = 0
    for labels in _partitions(power):
        blocks = max(labels) + 1
        points = 0
        for n in product(range(length), repeat=power):
            balance = [0] * blocks
            for i, label in enumerate(labels):
                balance[label] += n[i] - n[i - 1]
            points += not any(balance)
        total += points * _falling(nodes, blocks)
    return total


def binomial_moment(nodes: int, length: int, power: int) -> int:
    """length^(power + 1) E Bin(nodes, 1 / length)^power: the same sum, if all factors commuted."""
    return sum(length ** (power - max(labels)) * _falling(nodes, max(labels) + 1) for labels in _partitions(power))


def _falling(n: int, k: int) -> int:
    out = 1
    for i in range(k):
        out *= n - i
    return out


def _partitions(size: int) -> list[tuple[int, ...]]:
    """Set partitions of 0, ..., size - 1 as labels, each label at most one above those before."""
    out: list[tuple[int, ...]] = [()]
    for _ in range(size):
        out = [(*labels, new) for labels in out for new in range(max(labels, default=-1) + 2)]
    return out


@claim(
    "new.vandermonde.random",
    place="after orvieto24, Sec. 4.1, 'r_min -> 1'",
    title="N ≥ 4.8 L ln(20 L) independent uniform nodes on the circle have κ ≤ 2 with probability 0.9, for every L",
    says=r"For $N$ independent uniform $\lambda_i$ on the circle, $K>1$, $0<\eta<1$ and $N\ge c_KL\ln(2L/\eta)$: $\kappa(V_L)\le K$ with probability at least $1-\eta$. Here $1/c_K=x\ln x-x+1$, "
    r"$x=\exp\bigl(1-\tfrac{K^2\ln K^2}{K^2-1}\bigr)$; $c_2<4.8$, $c_{10}<1.14$. The same holds for the real matrix of $(\operatorname{Re}V,\operatorname{Im}V)$, and for that one also when the nodes are uniform on the upper half of the circle.",
    known="the matrix Chernoff bound (Ahlswede and Winter 2002; Tropp 2012) with its two tails balanced. Groechenig, Poetscher and Rauhut (2007) learn trigonometric polynomials from const L ln L random samples so, "
    "with another constant. Cohen, Davenport and Leviatan (arXiv 1111.4422; abstract read) treat uniform samples of trigonometric polynomials; that they bound the same Gram matrix G by |G - I| <= 1/2 with the same inequality is from memory. "
    "So new are the balanced tails only, and half of the circle. For the real decoder and nodes on half of the circle we know of no statement.",
    remarks=("For the upper tail the counts of step 7 do instead of the trace inequality: all moments are at most the binomial ones.",),
    sabotages={
        "tails that are not balanced": {"balance": lambda ratio: 1 / sympy.sqrt(ratio)},
        "a smaller constant": {"constant": "4.7"},
        "two moments are forgotten": {"moment": lambda nodes, length, power: binomial_moment(nodes, length, power) + 1},
    },
)
def enough_random_nodes(proof: Proof, balance=balanced, constant: str = "4.8", moment=trace_moment) -> None:
    r"""$V^*V=\sum_iX_i$ with independent $X_i=v_iv_i^*$, $v_i=(\lambda_i^{L-1},\dots,1)^*$, so $0\le X_i\le L$ and $\mathbb EX_i=I$.

    1. $\mathbb E\lambda^d=0$ for integers $d\ne0$, so $\mathbb EX_i=I$. For the real matrix take $\operatorname{Re}X_i$, of the same trace $L$; its entries are $\cos dt$, of mean $0$ on $[0,\pi]$ already.
       [checked: "the mean of exp(i d t)"; "the mean of cos(d t) over half of the circle"]
    2. A convex function lies below its chord: $e^{\theta s}\le1+(e^{\theta L}-1)s/L$ on $[0,L]$, so $\mathbb Ee^{\theta X}\le\bigl(1+\tfrac{e^{\theta L}-1}L\bigr)I\le\exp\bigl(\tfrac{e^{\theta L}-1}L\bigr)I$. [prose]
    3. $\operatorname{tr}e^{A+B}\le\operatorname{tr}e^Ae^B$, one summand after the other: $\mathbb E\operatorname{tr}e^{\theta V^*V}\le L\exp\bigl(\tfrac NL(e^{\theta L}-1)\bigr)$, for $\theta$ of both signs. [cited: Golden and Thompson]
    4. Markov with $\theta=\ln(y)/L$: $\lambda_{\max}\ge yN$ ($y>1$) and $\lambda_{\min}\le yN$ ($y<1$) have probability at most $L\exp(-\tfrac NL\varphi(y))$, $\varphi(y)=y\ln y-y+1$. [checked: "Markov's exponent"]
    5. $\varphi(x)=\varphi(K^2x)$; $\varphi$ is convex with its zero at $1$, so $x<1<K^2x$. [checked: "both tails weigh the same"; "phi is convex"]
    6. Unless one of the two happens, $\kappa^2<K^2$; together they have at most $2L\exp(-\tfrac NL\varphi(x))\le\eta$. [checked: "the width for eta"; "c_2 is below the constant"; "c_10 is below 1.14"]
    7. Second opinion: the moments of the trace, counted, are at most those of a binomial variable, as step 3 says for commuting summands. [checked: "the moments are at most the binomial ones"; "the second moment is the binomial one"]
    """
    proof.cites("Golden (1965), Thompson (1965): tr exp(A + B) <= tr exp(A) exp(B) for Hermitian matrices")
    d, t = sympy.symbols("d", integer=True, nonzero=True), sympy.symbols("t", real=True)
    turn = sympy.integrate(sympy.exp(sympy.I * d * t), (t, 0, 2 * sympy.pi))
    proof.symbolically("the mean of exp(i d t) over the circle is 0", turn, 0, free="d other than 0")
    half = sympy.integrate(sympy.cos(d * t), (t, 0, sympy.pi))
    proof.symbolically("the mean of cos(d t) over half of the circle is 0", half, 0, free="d other than 0")
    y, K, L, N, eta = sympy.symbols("y K L N eta", positive=True)
    phi = lambda s: s * sympy.log(s) - s + 1  # noqa: E731
    theta = sympy.log(y) / L
    exponent = N / L * (sympy.exp(theta * L) - 1) - theta * y * N
    proof.symbolically("Markov's exponent", exponent, -N / L * phi(y), free="y, L, N")
    x = balance(K**2)
    gap = sympy.expand_log(phi(K**2 * x) - phi(x), force=True)
    proof.symbolically("both tails weigh the same", gap, 0, free="K")
    proof.symbolically("phi is convex: its second derivative is 1/y", sympy.diff(phi(y), y, 2), 1 / y, free="y")
    slope: Exact = sympy.diff(phi(y), y).subs(y, 1)
    proof.symbolically("and its zero, with slope 0, is at 1", phi(sympy.Integer(1)) + slope**2, 0, free="y")
    rate = sympy.symbols("rate", positive=True)
    tails = 2 * L * sympy.exp(-(L / rate * sympy.log(2 * L / eta)) / L * rate)
    proof.symbolically("the width for eta", sympy.simplify(tails), eta, free="L, eta, phi(x)")
    for name, ratio, below in (("c_2 is below the constant", 4, constant), ("c_10 is below 1.14", 100, "1.14")):
        log_x = 1 - arb(ratio) * arb(ratio).log() / (ratio - 1)
        proof.certified(name, bool(1 / (log_x.exp() * (log_x - 1) + 1) < arb(below)))
    most = proof.pick(4, 4, 5)
    for power in proof.every(f"moments up to {most}, L <= 3, N <= 4", range(1, most + 1)):
        for length in (1, 2, 3):
            for nodes in (1, 2, 4):
                counted = moment(nodes, length, power)
                proof.holds("the moments are at most the binomial ones", counted <= binomial_moment(nodes, length, power))
                if power == 2:
                    proof.exactly("the second moment is the binomial one", counted, nodes * length**2 + nodes * (nodes - 1) * length)
