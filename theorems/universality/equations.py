"""The controlled differential equations of App. E.3 as sequence maps (orvieto24)."""

from __future__ import annotations

from collections.abc import Callable

import sympy
from flint import acb_poly, fmpq, fmpq_poly

from ...constructions.universality.maps import lorenz, lotka_volterra, protein_transduction
from ...numerics.aliases import Exact
from ..claim import claim
from ..evidence import Proof


def runge_kutta_step(z: list[fmpq], dt: fmpq, driver: Callable[[fmpq], fmpq]) -> list[fmpq]:
    """One classical Runge-Kutta step of protein transduction from time 0, in rational arithmetic; ``driver(t)`` is the input at the stages 0, dt/2 and dt."""
    rates: dict[str, Exact] = {
        "k1": fmpq(7, 100),
        "k2": fmpq(3, 5),
        "k3": fmpq(1, 20),
        "k4": fmpq(3, 10),
        "V": fmpq(17, 1000),
        "Km": fmpq(3, 10),
    }
    slope = lambda y, t: protein_transduction(y, driver(t), **rates)  # noqa: E731
    along = lambda k, share: [a + dt * share * b for a, b in zip(z, k, strict=True)]  # noqa: E731
    half = fmpq(1, 2)
    k1 = slope(z, fmpq(0))
    k2 = slope(along(k1, half), dt / 2)
    k3 = slope(along(k2, half), dt / 2)
    k4 = slope(along(k3, fmpq(1)), dt)
    return [a + dt * (p + 2 * q + 2 * r + s) / 6 for a, p, q, r, s in zip(z, k1, k2, k3, k4, strict=True)]


#: the rates of App. E.3 for the Lorenz system
ATTRACTOR: dict[str, Exact] = {"sigma": fmpq(10), "r": fmpq(26), "b": fmpq(8, 3)}

START = [fmpq(1), fmpq(0), fmpq(1), fmpq(0), fmpq(0)]
DT = fmpq(1, 100)


@claim(
    "orvieto24.appE3.causal",
    place="App. E.3; Definition 1",
    title="with the input held at vₖ over the step from (k-1) dt to k dt, yₖ is a function of v₁, …, vₖ, and of vₖ indeed",
    says=r"For $v(t)=v_k$ on $((k-1)\Delta,k\Delta]$ the sampled controlled equation is a causal sequence map $y_k=T_k(v_{1:k})$ in the sense of Definition 1.",
    reading="inputs held over each step, which App. E.3 leaves open",
    remarks=(
        "Sampled from a function of time it is one up to the step size only: a Runge-Kutta step reads v at dt/2 as well, and at 0, which is no token; a bump that vanishes at all samples changes y_1.",
    ),
    construction="lemmata.constructions.universality.maps.respond",
    sabotages={
        "the input is interpolated to the next token": {"held": lambda now, after: lambda t: now + (after - now) * t / DT},
        "the decay of the signal enters the receptor": {
            "field": lambda z, v, **k: [*protein_transduction(z, v, **k)[:4], protein_transduction(z, v, **k)[4] + z[1]]
        },
    },
)
def held_inputs(proof: Proof, held=lambda now, after: lambda t: now, field=protein_transduction) -> None:
    r"""A step reads its own token only.

    1. The $k$-th step starts from the state after $v_1,\dots,v_{k-1}$ and reads $v_k$, whatever comes after. [checked: "y_1 does not depend on v_2"] [prose]
    2. It does read it: three tokens give three outputs. [checked: "y_2 depends on v_2"]
    3. The receptor is conserved, so $y=z_1$ obeys three equations with one input. [checked: "z_3 + z_4 + z_5 is constant"; "z_1' does not depend on z_2"]
    """
    values = [fmpq(0), fmpq(1, 20), fmpq(1, 10)]
    for first in proof.each("tokens 0, 1/20, 1/10; two steps, exactly", values):
        z = {after: runge_kutta_step(START, DT, held(first, after)) for after in values}
        proof.holds("y_1 does not depend on v_2", len({tuple(v) for v in z.values()}) == 1)
        second = {after: runge_kutta_step(z[after], DT, held(after, fmpq(0)))[0] for after in values}
        proof.holds("y_2 depends on v_2", len(set(second.values())) == len(values))
    z, v = sympy.symbols("z1:6"), sympy.Symbol("v")
    rates = dict(zip(("k1", "k2", "k3", "k4", "V", "Km"), sympy.symbols("k1:5 V K_m", positive=True), strict=True))
    f = field(z, v, **rates)
    proof.symbolically("z_3 + z_4 + z_5 is constant", f[2] + f[3] + f[4], 0, free="rates, state, input")
    for i in (0, 2, 3, 4):
        proof.symbolically(f"z_{i + 1}' does not depend on z_2", sympy.diff(f[i], z[1]), 0, free="rates, state, input")
    proof.certificate("witness", "the step, and tokens after the first", dt=DT, first=values[1], second=values)


@claim(
    "orvieto24.appE3.lorenz",
    place="App. E.3, Lorenz system",
    title="with σ = 10, r = 26, b = 8/3 and no input, no equilibrium of the Lorenz system is stable",
    says=r"The origin and $(\pm\sqrt{b(r-1)},\pm\sqrt{b(r-1)},r-1)$ are unstable: $r=26>\sigma(\sigma+b+3)/(\sigma-b-1)=470/19$.",
    reading="what can be decided here of 'a chaotic behaviour': no rest. An attractor would need more",
    sabotages={"r = 24": {"r": fmpq(24)}},
)
def lorenz_equilibria(proof: Proof, r=fmpq(26)) -> None:
    r"""Each equilibrium has an eigenvalue in the right half-plane.

    1. At the two points off the origin the field is $0$ and has one characteristic polynomial, for all parameters. [checked: "they are equilibria"; "the characteristic polynomial"]
    2. At the given ones that polynomial has two conjugate roots with a positive real part, isolated in balls. This is what Routh and Hurwitz say of $x^3+a_2x^2+a_1x+a_0$ with $a_2a_1<a_0$: here $1312<\frac{4000}3$.
       [checked: "roots in the right half-plane"; "Routh and Hurwitz fail"; "the threshold"]
    3. At the origin a block of determinant $\sigma-\sigma r<0$ has a positive eigenvalue. [checked: "the origin"]
    4. So none of the three is stable. [cited: Lyapunov's first method]
    """
    sigma, b = fmpq(10), fmpq(8, 3)
    S, R, B, X = sympy.symbols("sigma r b x")
    x, y, z = sympy.symbols("z1:4")
    field = sympy.Matrix([S * (y - x), (R - z) * x - y, y * x - B * z])
    c = sympy.sqrt(B * (R - 1))
    printed = X**3 + (S + B + 1) * X**2 + B * (R + S) * X + 2 * S * B * (R - 1)
    for sign in (1, -1):
        at = {x: sign * c, y: sign * c, z: R - 1}
        polynomial = sympy.expand(field.jacobian([x, y, z]).subs(at).charpoly(X).as_expr())
        proof.symbolically("they are equilibria", field.subs(at).dot(field.subs(at)), 0, free="sigma, r, b")
        proof.symbolically("the characteristic polynomial", polynomial, printed, free="sigma, r, b")
    for rayleigh in proof.every("the printed parameters", [r], limited=False):
        cubic = fmpq_poly([2 * sigma * b * (rayleigh - 1), b * (rayleigh + sigma), sigma + b + 1, 1])
        growing = [root for root in acb_poly(cubic).roots() if root.real > 0]
        proof.certified("roots in the right half-plane", len(growing) == 2)
        proof.holds("Routh and Hurwitz fail: a b < c", bool((sigma + b + 1) * b * (rayleigh + sigma) < 2 * sigma * b * (rayleigh - 1)))
        proof.exactly("the threshold is 470/19", sigma * (sigma + b + 3) / (sigma - b - 1), fmpq(470, 19))
        proof.holds("the origin: the determinant of (-sigma, sigma; r, -1) is negative", bool(sigma - sigma * rayleigh < 0))
    proof.certificate("witness", "the parameters", sigma=sigma, r=r, b=b)


@claim(
    "orvieto24.fig13.caption",
    place="Figure 13, caption",
    of="orvieto24.appE3.lorenz",
    flaw="misprint",
    quotes=(
        "Behavior of the input-output LV map for random low-frequency inputs",
        "Plotted is also an illustration of the 3-dimensional dynamics",
    ),
    title="the caption of Figure 13 says LV where the Lorenz system is meant: LV has two state equations, and no chaos",
    says="Figure 13 shows the input-output map of the Lotka-Volterra system, with three-dimensional dynamics.",
    letter="In the caption of Figure 13 'LV' should be 'LZ'. App. E.3 refers to it for the Lorenz system, which has three state equations. The Lotka-Volterra system has two, and without input it conserves a quantity, so it has no chaos.",
    sabotages={"the Lorenz system": {"field": lambda z, v, **rates: lorenz([*z, fmpq(0)], v, **ATTRACTOR)}},
)
def two_equations(proof: Proof, field=lotka_volterra) -> None:
    """Without input d z_1 - c ln z_1 + b z_2 - a ln z_2 is constant along the two equations; at the point (2, 3) its rate is computed."""
    z, rates = [fmpq(2), fmpq(3)], {"a": fmpq(1), "b": fmpq(3, 5), "c": fmpq(1), "d": fmpq(7, 10)}
    slopes = field(z, fmpq(0), **rates)
    rate = (rates["d"] - rates["c"] / z[0]) * slopes[0] + (rates["b"] - rates["a"] / z[1]) * slopes[1]
    others = lorenz([*z, fmpq(0)], fmpq(0), **ATTRACTOR)
    proof.counterexample(
        given={"state equations of LV": len(slopes), "of LZ": len(others), **rates, "z": z, "rate of the conserved quantity": rate},
        words={"lorenz": len(others) == 3, "two": len(slopes) == 2, "conserved": rate == 0},
        minimal="by counting",
    )
    proof.certificate("witness", "the parameters of App. E.3", z=z, **rates)
