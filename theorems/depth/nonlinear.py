"""Theorem 1 for layers with activations: handing states on through tanh (lizaire26, App. A.3, second footnote)."""

from __future__ import annotations

import sympy
from flint import arb, fmpq

from ..claim import claim
from ..evidence import Proof


@claim(
    "lizaire26.thm1.footnote",
    topic="depth",
    place="Theorem 1, App. A.3 (footnote on nonlinear layers)",
    title="where the last layer has to be nonlinear, it can still approximate the identity as well as one likes on bounded inputs",
    says=r"For $|y|\le a$ and any $\varepsilon>0$ there are $u,b$ with $|\sigma(uy+b)-y|\le\varepsilon$.",
    reading="tanh, and hidden states themselves, as in Definition 3; one unit, or n units of which one is read",
    sabotages={"the identity as activation": {"inverse": lambda y: arb(y)}, "an error of 1/5": {"error": fmpq(1, 5)}},
)
def tanh_is_not_affine(proof: Proof, inverse=lambda y: arb(y).atanh(), error: fmpq = fmpq(1, 20)) -> None:
    """At y = 0 and y = 9/10 an error of at most e makes u y + b at least artanh(-e) and artanh(9/10 - e); their mean, the value at 9/20, then exceeds artanh(9/20 + e).

    So the error is above 1/20 for every u and b. Scaling by 1/u, which would help, needs a readout."""
    top = fmpq(9, 10)
    points = (fmpq(0), top / 2, top)
    at_middle = (inverse(-error) + inverse(top - error)) / 2
    allowed = inverse(points[1] + error)
    proof.counterexample(
        given={
            "a": top,
            "error": error,
            "u y + b at the middle is at least": at_middle.str(8),
            "but at most": allowed.str(8),
        },
        hypotheses={"the points 0, 9/20, 9/10 lie in [-a, a]": all(abs(y) <= top for y in points)},
        violates={"no u and b serve (balls)": bool(at_middle > allowed)},
        how="certified",
        minimal="n = 1, error 1/20 on [0, 9/10]",
    )


@claim(
    "lizaire26.thm1.footnote.amended",
    topic="depth",
    place="Theorem 1, App. A.3 (footnote on nonlinear layers)",
    kind="amended",
    amends="lizaire26.thm1.footnote",
    title="up to a linear readout it can: tanh(u y) / u is within u^2 |y|^3 / 3 of y",
    says=r"$|\tanh(uy)/u-y|\le u^2|y|^3/3$ for $u>0$: the inclusion of Theorem 1 holds approximately for tanh networks with readouts, on bounded inputs and lengths.",
    sabotages={"the fifth power": {"remainder": lambda z: z**5 / 3}},
)
def small_weights(proof: Proof, remainder=lambda z: z**3 / 3) -> None:
    """z - tanh z starts at 0 with derivative tanh^2 z >= 0, so 0 <= tanh z <= z for z >= 0; and tanh z - z + z^3/3 starts at 0 with derivative z^2 - tanh^2 z >= 0."""
    z = sympy.symbols("z", nonnegative=True)
    proof.symbolically("(z - tanh z)' = tanh^2 z", sympy.diff(z - sympy.tanh(z), z), sympy.tanh(z) ** 2, free="z")
    proof.symbolically(
        "(tanh z - z + z^3/3)' = z^2 - tanh^2 z", sympy.diff(sympy.tanh(z) - z + remainder(z), z), z**2 - sympy.tanh(z) ** 2, free="z"
    )
    proof.symbolically("both start at 0", sympy.tanh(0) - 0 + remainder(sympy.Integer(0)), 0, free="z")
