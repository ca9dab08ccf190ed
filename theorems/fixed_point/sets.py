"""Sets of transitions in common coordinates: a condition on each one alone (after movahedi25, Theorem 2.1)."""

from __future__ import annotations

from random import Random

import numpy as np
import sympy
from flint import fmpq

from ...constructions import samples
from ...constructions.fixed_point.sets import common_layer
from ...numerics import exact
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof
from .automata import is_gated


def random_transition(rng: Random, n: int) -> Array:
    """A rational n x n matrix with eigenvalues in the open disc |z - 1/2| < 1/2, not real ones among them, or a semisimple 0; Jordan blocks occur."""
    blocks: list[Array] = []
    while (left := n - sum(len(b) for b in blocks)) > 0:
        kind = rng.choice(("real", "zero", "complex", "Jordan"))
        x = fmpq(rng.randint(1, 9), 10)
        if left == 1 or kind in ("real", "zero"):
            blocks.append(np.array([[x * (kind != "zero")]], dtype=object))
        elif kind == "Jordan":
            blocks.append(np.array([[x, fmpq(1)], [fmpq(0), x]], dtype=object))
        else:
            # |z|^2 < Re z
            y = fmpq(rng.randint(1, 9), 10) * min(x, 1 - x)
            blocks.append(np.array([[x, -y], [y, x]], dtype=object))
    V = samples.basis(rng, n)
    return exact.multiply(V, exact.block_diagonal(blocks), exact.inverse(V))


#: two by two: a product with the eigenvalue 1, one with an eigenvalue above 5, and a singular matrix
PAIRS = (
    ([[0, "-1/64"], [1, "1/4"]], [["1/4", 1], ["-1/64", 0]]),
    ([["1/2", 1], [0, "1/2"]], [["1/2", 0], [5, "1/2"]]),
    ([["1/2", 3], [0, 0]], [["1/2", "-1/3"], ["1/3", "1/2"]]),
)


@claim(
    "new.fixed-point.gated.sets",
    place="after Theorem 2.1",
    title="a finite set of transitions is gated, in common coordinates of a wider layer, if and only if each of them is for itself",
    says=r"Let $B_1,\dots,B_p$ be real $n\times n$. There are gated tokens, $0\le\Lambda<1$, $\|I-Q\|<1$, with transitions $A_a$, and one injective $S$ with $A_aS=SB_a$ for all $a$, iff for each $a$ every eigenvalue of $B_a$ is in the open disc "
    r"$|z-\frac12|<\frac12$ or is $0$ and semisimple. Width $n+\sum_a\operatorname{rank}B_a$ suffices. So products of gated transitions are under no condition but that on the single factors.",
    known="gated transitions are resolvents of strongly monotone matrices in a diagonal metric (new.fixed-point.gated.disc); a matrix is stable iff it is monotone in some metric (Lyapunov). New is that more channels make the "
    "metrics of all letters diagonal at once; in given coordinates that asks for the diagonal stability of each (Barker, Berman, Plemmons 1978)",
    construction="lemmata.constructions.fixed_point.sets.common_layer",
    sabotages={
        "the channels of one letter serve all": {"build": lambda matrices: _first_letters_channels(matrices)},
        "the other channels are not computed": {"build": lambda matrices: _without_reading(matrices)},
    },
)
def common_coordinates(proof: Proof, build=common_layer) -> None:
    r"""Give each letter channels of its own, in which its Lyapunov metric is diagonal; all other channels it computes from these.

    1. *Only if.* Eigenvalues of $B_a$ are eigenvalues of $A_a$, so 0 or $|z|^2\le\rho\operatorname{Re}z$, $\rho<1$. [uses: new.fixed-point.gated.disc] If $u=A_av$ and $A_au=0$, then $\Lambda u=0$; $(D+Q)u=Dv$ gives $Qu=Dv$ and
       $u\cdot Qu=(Du)\cdot v=0$, while $u\cdot Qu\ge(1-\gamma)|u|^2$: $u=0$. [checked: "u.Qu = (1 - gamma)|u|^2 + squares"] So 0 is semisimple for $A_a$, and for $B_a$ as $S$ is injective. [prose]
    2. *If.* Let $X$ be $B$ on $\mathbb R^n/\ker B$, invertible as 0 is semisimple, and $M=X^{-1}-I$: its eigenvalues $\frac1z-1$ have positive real parts. [uses: new.fixed-point.gated.disc.filled] So $PM+M^\top P=I$ for some $P>0$, [cited: Lyapunov's theorem]
       $P=L\operatorname{diag}(d)L^\top$, and in the coordinates $g=L^\top(x+\ker B)$ the form $d$ is diagonal: $H=d(X^{-1}-I)$ has a positive definite symmetric part. [prose]
    3. $Sx$ holds the coordinates $g_a$ of all letters, and $x$ itself if these do not determine it. Under $a$: $\Lambda=\frac{td}{1+td}$ on $g_a$ and 0 elsewhere; $Q$ is $tH$ on $g_a$ and $q(h-Rg_a)$ elsewhere, where the next state is computed from the next $g_a$ by $R$.
       Then $(\Lambda+(I-\Lambda)Q)A=\Lambda$ for $A=(X,RX)$ from $g_a$. [checked: "own channels move by X"; "the others are computed"] [uses: movahedi25.thm2.1.dense.amended]
    4. $|x-tHx|^2=|x|^2-2t\,x\cdot Hx+t^2|Hx|^2<|x|^2$ for small $t$, say $|F|\le\gamma<1$, $F=I-tH$. And $|qRx+(1-q)y|^2\le q|Rx|^2+(1-q)|y|^2$, so $|(I-Q)(x,y)|^2\le(\gamma^2+q|R|^2)|x|^2+(1-q)|y|^2$: below 1 for small $q$.
       [checked: "q a^2 + (1 - q) b^2 - (q a + (1 - q) b)^2"] [prose]

    Beside the argument the layers of some sets are built, exactly.
    """
    g, uu, uf, ff = sympy.symbols("gamma uu uF FF", positive=True)
    squares = ((g**2 * uu - 2 * g * uf + ff) + (g**2 * uu - ff)) / (2 * g)
    proof.symbolically("u.Qu = (1 - gamma)|u|^2 + squares", uu - uf, (1 - g) * uu + squares, free="u, Q of any size, gamma > 0")
    D, X, R = sympy.symbols("D X R", commutative=False)
    # Lambda = D (1 + D)^-1, Q = D (X^-1 - 1): (1 + D) (Lambda + (1 - Lambda) Q) X = (D + Q) X = D
    proof.symbolically("own channels move by X", sympy.expand((D + D * (X**-1 - 1)) * X), D, free="D, X of any size")
    q, a, b = sympy.symbols("q a b", real=True)
    proof.symbolically("the others are computed", sympy.expand(-q * R * X + q * (R * X)), 0, free="q, R, X of any size")
    proof.symbolically(
        "q a^2 + (1 - q) b^2 - (q a + (1 - q) b)^2",
        q * a**2 + (1 - q) * b**2 - (q * a + (1 - q) * b) ** 2,
        q * (1 - q) * (a - b) ** 2,
        "q, a, b",
    )
    rng, count = Random(61), proof.pick(2, 6, 20)
    sets = [[exact.rationals(B) for B in pair] for pair in PAIRS]
    sets += [[random_transition(rng, n) for _ in range(p)] for n, p in [(2 + k % 2, 1 + k % 3) for k in range(count)]]
    with proof.beside():
        for matrices in proof.each(f"three chosen pairs and {count} random sets of up to three matrices, n <= 3, seed 61", sets):
            S, tokens = build(matrices)
            proof.exactly("S is injective", exact.rank(S), len(matrices[0]))
            for B, token in zip(matrices, tokens, strict=True):
                proof.exactly("A S = S B", token.dense()[0] @ S, S @ B)
                proof.holds("0 <= Lambda < 1 and ||I - Q|| < 1", is_gated(token))
    for matrices in sets[:3]:
        S, tokens = common_layer(matrices)
        data = [{"decay": t.decay, "Q": t.mixer} for t in tokens]
        proof.certificate("witness", "two matrices in common coordinates", matrices=matrices, S=S, tokens=data)
    product = sets[1][0] @ sets[1][1]
    proof.exhibit(
        "a product of two fading transitions", matrices=list(PAIRS[1]), trace=np.trace(product), determinant=exact.determinant(product)
    )


def _first_letters_channels(matrices):
    """Every letter is given the token of the first one."""
    S, tokens = common_layer(matrices)
    return S, [tokens[0]] * len(tokens)


def _without_reading(matrices):
    """Mixers without the part that computes the other channels."""
    S, tokens = common_layer(matrices)
    for token in tokens:
        for i, x in enumerate(token.decay):
            if x == 0:
                token.mixer[i, [j for j in range(len(token.decay)) if j != i]] = fmpq(0)
    return S, tokens
