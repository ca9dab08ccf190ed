"""Theorem 1 for layers with activations: handing states on through tanh (lizaire26, App. A.3, second footnote)."""

from __future__ import annotations

import sympy
from flint import arb, fmpq

from ..claim import claim
from ..evidence import Proof


@claim(
    "lizaire26.thm1.footnote",
    place="Theorem 1, App. A.3 (footnote on nonlinear layers)",
    flaw="overstatement",
    quotes=(
        "Even in the case where the last layer has to be non-linear, one could find parameters such that the last layer approximates the identity operator to an arbitrary precision",
    ),
    weight="wording",
    title="a tanh layer without a readout does not approximate the identity: on [0, 9/10] it errs by more than 1/20",
    says="If the last layer has to be nonlinear, some of its parameters make it as near to the identity as one likes, on bounded inputs.",
    reading="for tanh, which Definition 1 names first, and for hidden states themselves, which Definition 3 compares; one unit, or n units of which one is read",
    letter="The footnote says that a nonlinear last layer can approximate the identity on bounded inputs. For tanh this needs a linear readout: tanh(u y) / u for small u. The hidden states themselves, which Definition 3 compares, stay away from it. On [0, 9/10] the error of tanh(u y + b) exceeds 1/20 for all u and b.",
    remarks=("Up to a linear readout, which Lemmas 2 and 3 use, the footnote is right: see the amended entry.",),
    sabotages={"the identity as activation": {"inverse": lambda y: arb(y)}, "an error of 1/5": {"error": fmpq(1, 5)}},
)
def tanh_is_not_affine(proof: Proof, inverse=lambda y: arb(y).atanh(), error: fmpq = fmpq(1, 20)) -> None:
    r"""Where $\tanh(uy+b)$ is within $e$ of $y$ at $y=0$ and $y=9/10$, $uy+b\ge\operatorname{artanh}(-e)$ and $uy+b\ge\operatorname{artanh}(9/10-e)$ there, so at the middle $y=9/20$ it is at least
    their mean, about $0.602$ for $e=1/20$. But within $e$ at the middle means $uy+b\le\operatorname{artanh}(1/2)\approx0.549$."""
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
        words={"points": all(abs(y) <= top for y in points), "none": bool(at_middle > allowed)},
        how="certified",
        minimal="n = 1, error 1/20 on [0, 9/10]",
    )
    proof.certificate("witness", "three points in a line", points=points, error=error)


@claim(
    "lizaire26.thm1.footnote.amended",
    place="Theorem 1, App. A.3 (footnote on nonlinear layers)",
    amends="lizaire26.thm1.footnote",
    title="up to a linear readout it does: tanh(u y) / u is within u² |y|³ / 3 of y",
    says=r"$|\tanh(uy)/u-y|\le u^2|y|^3/3$ for $u>0$ and all real $y$.",
    sabotages={"the fifth power": {"remainder": lambda z: z**5 / 3}},
)
def small_weights(proof: Proof, remainder=lambda z: z**3 / 3) -> None:
    r"""With $z=u|y|$ the claim is $0\le z-\tanh z\le z^3/3$ for $z\ge0$; tanh is odd.

    1. $z-\tanh z$ is $0$ at $0$ and has the derivative $\tanh^2z\ge0$: it is not negative. [checked: "(z - tanh z)'"; "both start at 0"] [prose]
    2. $\tanh z-z+z^3/3$ is $0$ at $0$ and has the derivative $z^2-\tanh^2z=(z-\tanh z)(z+\tanh z)$, which is not negative by the first step. [checked: "(tanh z - z + z^3/3)'"; "z^2 - tanh^2 z"; "both start at 0"] [prose]
    """
    z = sympy.symbols("z", nonnegative=True)
    proof.symbolically("(z - tanh z)' = tanh^2 z", sympy.diff(z - sympy.tanh(z), z), sympy.tanh(z) ** 2, free="z")
    proof.symbolically(
        "(tanh z - z + z^3/3)' = z^2 - tanh^2 z", sympy.diff(sympy.tanh(z) - z + remainder(z), z), z**2 - sympy.tanh(z) ** 2, free="z"
    )
    proof.symbolically("z^2 - tanh^2 z is a product", z**2 - sympy.tanh(z) ** 2, (z - sympy.tanh(z)) * (z + sympy.tanh(z)), free="z")
    proof.symbolically("both start at 0", sympy.tanh(0) - 0 + remainder(sympy.Integer(0)), 0, free="z")
    for u, y in ((fmpq(1, 10), fmpq(2)), (fmpq(1, 100), fmpq(-3)), (fmpq(1), fmpq(1, 2))):
        proof.certificate("witness", f"u = {u}, y = {y}", u=u, y=y)
