"""Rank collapse of the low-rank mixer: what independence of the derivatives gives, and what it does not (movahedi25, App. D.3.2)."""

from __future__ import annotations

import sympy
from flint import fmpq

from ...numerics import exact
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof


@claim(
    "movahedi25.appD.collapse",
    place="App. D.3.2, 'a problem of rank collapse'",
    title="each uᵢ has its own derivative of the mixer; a fixed gradient by the mixer turns all uᵢ towards one line",
    says=r"$\partial Q/\partial u_i$ depends on $u_i$ alone. For a fixed symmetric $G=\partial\mathcal L/\partial Q$ a step is $u_i\mapsto(I-2\eta\alpha_iG)u_i$: power iterations with the same eigenvectors, which all tend "
    r"to the line of the least eigenvalue of $G$ if it is simple, $0<2\eta\alpha_i\|G\|<1$, and $u_i$ has a part along it.",
    reading="gradient descent on vectors that are normalised afterwards; the gradient by Q fixed, as for a loss linear in Q",
    sabotages={
        "the vectors share their derivative": {"mixed": 1},
        "the largest eigenvalue": {"steps": lambda s, low, high: ((1 - s * high), (1 - s * low))},
    },
)
def turns_towards_one_line(proof: Proof, mixed: int = 0, steps=lambda s, low, high: (1 - s * low, 1 - s * high)) -> None:
    r"""The derivative of $\alpha uu^\top$, and a quotient of two geometric sequences.

    1. $\partial Q/\partial u_{ij}=\alpha_i(e_ju_i^\top+u_ie_j^\top)$, without the other vectors. [checked: "the derivative by u_1 is free of u_2"]
    2. $\langle G,\alpha(du\,u^\top+u\,du^\top)\rangle=2\alpha\,du\cdot Gu$, so a step subtracts $2\eta\alpha Gu$. [checked: "the gradient by u is 2 alpha G u"]
    3. In the plane of two eigenvectors of $G$, $g_1<g_2$, the slope of $u$ against the first is multiplied by $\frac{1-sg_2}{1-sg_1}$, $s=2\eta\alpha$, which lies in $(0,1)$ for $s\|G\|<1$: it tends to $0$.
       [checked: "the slope shrinks: the quotient is below 1"; "and above 0"]
    4. So does every other slope in higher dimension, one by one; normalising changes no slope. [prose]
    """
    a, b = sympy.symbols("alpha_1 alpha_2", positive=True)
    u, v, g = sympy.Matrix(sympy.symbols("u1 u2")), sympy.Matrix(sympy.symbols("v1 v2")), sympy.symbols("g11 g12 g22")
    Q = a * u * u.T + b * v * v.T + mixed * u * v.T
    G = sympy.Matrix([[g[0], g[1]], [g[1], g[2]]])
    for j in (0, 1):
        derivative = Q.diff(u[j])
        unit = sympy.Matrix([int(i == j) for i in (0, 1)])
        expected = a * (unit * u.T + u * unit.T)
        proof.exactly("the derivative by u_1 is free of u_2", list(sympy.simplify(derivative - expected)), [0] * 4, free="u, v, alpha")
        proof.symbolically(
            "the gradient by u is 2 alpha G u", sympy.expand((G.T * derivative).trace()), sympy.expand(2 * a * (G * u)[j]), free="u, v, G"
        )
    # |G| = 1 in units of the step: eigenvalues low < high between -1 and 1, 0 < s < 1
    x, y, z = sympy.symbols("x y z", positive=True)
    s, low = x / (1 + x), -1 + 2 * y / (1 + y)
    high = low + (1 - low) * z / (1 + z)
    first, second = steps(s, low, high)
    gap = sympy.factor(sympy.together(first - second))
    proof.holds("the slope shrinks: the quotient is below 1", gap.is_positive is True, free="0 < s < 1, -1 < g_1 < g_2 < 1")
    proof.holds("and above 0", all(sympy.factor(sympy.together(f)).is_positive is True for f in (first, second)), free="s, g_1, g_2")


def descent(P: Array, us: list[Array], alpha: fmpq) -> list[Array]:
    """Minus the gradients of |Q - P|^2 / 2 by the unit vectors, along the sphere."""
    Q = sum((alpha * np_outer(u) for u in us), exact.zeros(len(P), len(P)))
    slopes = [-2 * alpha * ((Q - P) @ u) for u in us]
    return [s - (s @ u) * u for s, u in zip(slopes, us, strict=True)]


def np_outer(u: Array) -> Array:
    """u u^T."""
    return u.reshape(-1, 1) @ u.reshape(1, -1)


@claim(
    "movahedi25.appD.collapse.loss",
    place="App. D.3.2, 'a problem of rank collapse'",
    flaw="remark",
    quotes=("gradient-based optimization guides them in the same direction, resulting in a collapsed parameterization",),
    title="independent derivatives alone need not collapse the mixer: whether they do depends on the loss",
    says=r"For every loss, since the derivatives of $Q$ by the $u_i$ do not depend on each other, gradient descent guides the $u_i$ in the same direction.",
    reading="as an argument for all losses; the paper reports what it observed in training, so this is a remark",
    letter="A remark on rank collapse: independent derivatives alone do not cause it. Take the loss |Q - I/2|^2 / 2, alpha = 1/2 and the vectors (1, 0), (3/5, 4/5). A descent step turns them apart. "
    "For a gradient by Q that stays the same they do turn to one line.",
    sabotages={"a loss that asks for rank 1": {"target": ((1, 0), (0, 0))}},
)
def turned_apart(proof: Proof, target=(("1/2", 0), (0, "1/2"))) -> None:
    r"""The loss is $\frac14(u_1\cdot u_2)^2$ up to a constant, so descent makes $|u_1\cdot u_2|$ smaller: its rate is $-c(1-c^2)=-\frac{48}{125}$ at $c=\frac35$."""
    P, alpha = exact.rationals([list(row) for row in target]), fmpq(1, 2)
    us = [exact.rationals([1, 0]), exact.rationals(["3/5", "4/5"])]
    first, second = descent(P, us, alpha)
    rate = first @ us[1] + us[0] @ second
    proof.counterexample(
        given={"alpha": alpha, "u_1": us[0], "u_2": us[1], "loss": "|Q - I/2|^2 / 2", "u_1.u_2": us[0] @ us[1], "its rate": rate},
        words={"unit": all(u @ u == 1 for u in us), "apart": bool(rate * (us[0] @ us[1]) < 0)},
        minimal="d = r = 2",
    )
    proof.certificate("witness", "two unit vectors and I/2", alpha=alpha, us=us, target=P)
