"""What App. B and Sec. 3.1.3 quote on recurrences, convolutions and polynomials, as far as it can be checked; the controlled equations of App. E.3 (orvieto24)."""

from __future__ import annotations

from collections.abc import Callable

import sympy
from flint import fmpq, fmpq_poly

from ...constructions.universality.maps import protein_transduction
from ..claim import claim
from ..evidence import Proof


@claim(
    "orvieto24.thm5",
    topic="universality",
    place="Theorem 5, App. B.1",
    title="recurrences with a nonlinearity inside approximate the solutions of controlled differential equations (Hanson and Raginsky)",
    says=r"For $\dot{\bar x}=\bar f(\bar x,u)$, $\bar y=h(\bar x)$, bounded inputs and (uniformly asymptotically incrementally) stable $\bar f$, some $\dot x=-x/\tau+\sigma(Ax+Bu)$, $y=Cx$ is within $\epsilon$ for all times.",
    reading="the sketch calls a network for the generator 'exactly' the right-hand side of (9), which has no outer weights and no bias; with A = A'C the projection Cx has them, and the network must approximate f + x/tau",
    sabotages={"the state matrix does not read the projection": {"reads": lambda inner, outer: sympy.diag(*inner)}},
)
def generator_of_the_projection(proof: Proof, reads=lambda inner, outer: inner * outer) -> None:
    """Cited. Checked: z = Cx obeys z' = -z/tau + C sigma(A'z + Bu) when A = A'C, a network with outer weights C, so any one-hidden-layer network is the generator of some (9)."""
    proof.cites("Hanson and Raginsky, Universal simulation of stable dynamical systems by recurrent neural nets, L4DC (2020)")
    x = sympy.Matrix(sympy.symbols("x1:4"))
    inner, outer = sympy.Matrix(sympy.symbols("a1:4")), sympy.Matrix([sympy.symbols("c1:4")])
    B, u, tau = sympy.Matrix(sympy.symbols("b1:4")), sympy.Symbol("u"), sympy.Symbol("tau", positive=True)
    sigma = sympy.Function("sigma")
    arguments = (reads(inner, outer) * x + B * u).applyfunc(sympy.expand)
    z = (outer * x)[0]
    derivative = sympy.expand((outer * (-x / tau + arguments.applyfunc(sigma)))[0])
    network = sum(outer[i] * sigma(sympy.expand(inner[i] * z + B[i] * u)) for i in range(3))
    proof.symbolically(
        "the projection has the generator -z/tau + network",
        derivative,
        sympy.expand(-z / tau + network),
        free="sigma, weights",
        up_to="N = 3, one input and output",
    )


# -- convolutions ---------------------------------------------------------------------------------------------------------------


def hat_integral(a: fmpq, b: fmpq) -> fmpq:
    """The integral of max(0, 1 - |s|) from a to b."""

    def up_to(x: fmpq) -> fmpq:
        x = max(fmpq(-1), min(fmpq(1), x))
        return (1 + x) ** 2 / 2 if x <= 0 else 1 - (1 - x) ** 2 / 2

    return up_to(b) - up_to(a)


def moving_average(t: fmpq, delay: fmpq = fmpq(0)) -> fmpq:
    """H_t of the hat delayed by ``delay``, for H_t(u) = integral of u(t - s) over 0 <= s <= 1."""
    return hat_integral(t - 1 - delay, t - delay)


@claim(
    "orvieto24.thm6.homogeneous",
    topic="universality",
    place="Theorem 6, condition 5",
    title="convolutions are time-homogeneous as defined: H_t of the delayed input is H_(t + tau) of the input",
    says=r"For $u^\tau(t)=u(t-\tau)$, $H_t(u^\tau)=H_{t+\tau}(u)$.",
    reading="u^tau for the u_t^tau of the text; with the printed sign only H = 0 is left among causal families: H_t would read the input at -t",
    sabotages={"no delay": {"delay": fmpq(0)}},
)
def delayed_backwards(proof: Proof, delay=fmpq(1)) -> None:
    """Delaying the input by tau delays the output: H_t(u^tau) = H_(t - tau)(u). A moving average of a hat shows it."""
    t = fmpq(0)
    left, printed, right = moving_average(t, delay), moving_average(t + delay), moving_average(t - delay)
    proof.counterexample(
        given={
            "H_t(u)": "integral of u over [t - 1, t]",
            "u(s)": "max(0, 1 - |s|)",
            "t": t,
            "tau": delay,
            "H_t(u^tau)": left,
            "H_(t+tau)(u)": printed,
            "H_(t-tau)(u)": right,
        },
        hypotheses={"H_t(u^tau) = H_(t-tau)(u), as for every convolution": left == right},
        violates={"H_t(u^tau) is not H_(t+tau)(u)": left != printed},
        minimal="t = 0, tau = 1",
    )


@claim(
    "orvieto24.thm6",
    topic="universality",
    place="Theorem 6, App. B.2",
    title="continuous, linear, causal, regular and time-homogeneous functionals are convolutions (Li et al.)",
    says=r"With $H_{t+\tau}(u^\tau)=H_t(u)$ in condition 5, $H_t(u)=\int_0^\infty\rho(s)^\top u(t-s)ds$ for an integrable $\rho$.",
    reading="condition 5 as in the cited paper",
    sabotages={"the printed sign": {"sign": 1}},
)
def functionals_are_convolutions(proof: Proof, sign: int = -1) -> None:
    """Cited (Riesz's representation and a Radon-Nikodym argument). Checked: a moving average satisfies the corrected condition."""
    proof.cites(
        "Li, Han, E, Li, Approximation and optimization theory for linear continuous-time recurrent neural networks, JMLR 23 (2022)"
    )
    quarters = [fmpq(i, 4) for i in range(-8, 9)]
    for t in proof.each("a moving average of a hat; t and tau multiples of 1/4 in [-2, 2]", quarters):
        for tau in quarters:
            proof.exactly("H_t(u^tau) = H_(t - tau)(u)", moving_average(t, tau), moving_average(t + sign * tau))


@claim(
    "orvieto24.thm7",
    topic="universality",
    place="Theorem 7 and the class before Theorem 6, App. B.2",
    title="linear recurrences, as defined, approximate every such family uniformly in time",
    says=r"For $\hat H_t(u)=\int_0^tCe^{As}Bu(t-s)ds$ and every $\epsilon$: $\sup_{t\in\mathbb R}\sup_{\|u\|<1}|H_t(u)-\hat H_t(u)|\le\epsilon$.",
    reading="the class as printed, integrals from 0 to t, with inputs on all of R",
    uses=("orvieto24.thm6",),
    sabotages={"inputs that start at time 0": {"begins": fmpq(0)}},
)
def nothing_at_time_zero(proof: Proof, begins=fmpq(-1)) -> None:
    """At t = 0 the printed integral is empty, so every member of the class outputs 0, but a convolution over [0, inf) still sees the input before time 0."""
    # u is the hat of height 3/4 and half-width 1/2 that begins at ``begins``
    t, height = fmpq(0), fmpq(3, 4)
    seen = height * fmpq(1, 2) * (hat_integral((t - 1 - begins) * 2 - 1, (t - begins) * 2 - 1))
    proof.counterexample(
        given={
            "H_t(u)": "integral of u over [t - 1, t]",
            "u": "a hat of height 3/4 on [-1, 0]",
            "t": t,
            "H_0(u)": seen,
            "every printed functional at t = 0": 0,
            "eps": fmpq(1, 4),
        },
        hypotheses={"|u| < 1": height < 1},
        violates={"|H_0(u) - 0| > eps": seen > fmpq(1, 4)},
        minimal="t = 0",
    )


@claim(
    "orvieto24.thm7.stable",
    topic="universality",
    place="Theorem 7, App. B.2",
    kind="new",
    title="with integrals over [0, inf) and stable diagonal A it holds: the error is the L1 distance of the kernels, and exponentials are dense",
    says=r"$\sup_{\|u\|\le1}|H_t(u)-\hat H_t(u)|=\|\rho-\hat\rho\|_{L^1}$ for every $t$; with $x=e^{-s}$ kernels $\sum_jc_je^{-js}$ are $x$ times polynomials, and $L^1(0,\infty)\cong L^1(0,1)$, where polynomials are dense.",
    uses=("orvieto24.thm6",),
    sabotages={"the difference quotient is doubled": {"factor": 2}},
)
def sums_of_exponentials(proof: Proof, factor: int = 1) -> None:
    """Density is Weierstrass's theorem, cited. Checked: the substitution, and that diagonal recurrences reach Jordan blocks: s exp(-s) up to delta / (1 + delta) by two exponentials."""
    proof.cites("Weierstrass, approximation by polynomials")
    s, x, delta = sympy.symbols("s x delta", positive=True)
    kernel = s * sympy.exp(-s)
    q = sympy.simplify(kernel.subs(s, -sympy.log(x)) / x)
    proof.symbolically(
        "the norm of rho is that of rho(-log x)/x", sympy.integrate(kernel, (s, 0, sympy.oo)), sympy.integrate(q, (x, 0, 1)), free="s"
    )
    quotient = factor * (sympy.exp(-s) - sympy.exp(-(1 + delta) * s)) / delta
    # 1 - exp(-delta s) <= delta s, so the difference has one sign and its norm is its integral
    distance = sympy.integrate(kernel, (s, 0, sympy.oo)) - sympy.integrate(sympy.expand(quotient), (s, 0, sympy.oo))
    proof.symbolically("the distance is delta / (1 + delta)", sympy.simplify(distance), delta / (1 + delta), free="delta")


# -- polynomial approximation of the past (Sec. 3.1.3) ---------------------------------------------------------------------------


def mean_square_tail(count: int) -> fmpq:
    """The mean over [-1, 1] of the square of |x| minus its best polynomial of degree below ``count``; exact, by Legendre polynomials."""
    total = fmpq(1, 3)
    for n in range(0, count, 2):
        # the integral of x P_n(x) over [0, 1]; the coefficient in the orthonormal basis of the uniform measure has square (2n + 1) times its square
        moment = sum((c / (j + 2) for j, c in enumerate(fmpq_poly.legendre_p(n).coeffs())), fmpq(0))
        total = total - (2 * n + 1) * moment * moment
    return total


@claim(
    "new.universality.hippo",
    topic="universality",
    place="after orvieto24, Sec. 3.1.3",
    kind="new",
    title="N coefficients of a Lipschitz past leave the squared error l^2 t^2 / (6 N (N + 1)): one power of N better than the O(t^2 l^2 / N) that is quoted",
    says=r"For $u$ with Lipschitz constant $\ell$ on $[0,t]$ and its best polynomial of degree $<N$, the mean square error is at most $\ell^2t^2/(6N(N+1))$.",
    sabotages={
        "Legendre polynomials are paired without the weight": {"weight": fmpq_poly([1])},
        "one power of N more": {"bound": lambda N: fmpq(2, 3) / (N * N * (N + 1))},
    },
)
def lipschitz_pasts(proof: Proof, weight=fmpq_poly([1, 0, -1]), bound=lambda N: fmpq(2, 3) / (N * (N + 1))) -> None:
    """The derivatives of Legendre polynomials are orthogonal for the weight 1 - x^2, with n (n + 1) times the norm: so sum n (n + 1) a_n^2 is the mean of (1 - x^2) u'^2, at most (2/3) l^2 on [-1, 1]."""
    most = proof.pick(6, 10, 16)
    for n in proof.every(f"n, m <= {most}", range(most + 1)):
        for m in range(most + 1):
            inner = (weight * fmpq_poly.legendre_p(n).derivative() * fmpq_poly.legendre_p(m).derivative()).integral()
            expected = fmpq(2 * n * (n + 1), 2 * n + 1) if n == m else fmpq(0)
            proof.exactly("the derivatives are orthogonal", inner(1) - inner(-1), expected)
    mean = fmpq_poly([1, 0, -1]).integral()
    proof.exactly("the mean of 1 - x^2 is 2/3", (mean(1) - mean(-1)) / 2, fmpq(2, 3))
    for N in proof.each("u = |x| on [-1, 1], l = 1, t = 2, N <= 40", range(1, 41)):
        proof.holds("its error is within the bound", bool(mean_square_tail(N) <= bound(N)))


# -- the controlled equations of App. E.3 -------------------------------------------------------------------------------------


def runge_kutta_step(z: list[fmpq], dt: fmpq, driver: Callable[[fmpq], fmpq]) -> list[fmpq]:
    """One classical Runge-Kutta step of protein transduction from time 0, in rational arithmetic; ``driver(t)`` is the input at the stages 0, dt/2 and dt."""
    rates = {"k1": fmpq(7, 100), "k2": fmpq(3, 5), "k3": fmpq(1, 20), "k4": fmpq(3, 10), "V": fmpq(17, 1000), "Km": fmpq(3, 10)}
    slope = lambda y, t: protein_transduction(y, driver(t), **rates)  # noqa: E731
    along = lambda k, share: [a + dt * share * b for a, b in zip(z, k, strict=True)]  # noqa: E731
    half = fmpq(1, 2)
    k1 = slope(z, fmpq(0))
    k2 = slope(along(k1, half), dt / 2)
    k3 = slope(along(k2, half), dt / 2)
    k4 = slope(along(k3, fmpq(1)), dt)
    return [a + dt * (p + 2 * q + 2 * r + s) / 6 for a, p, q, r, s in zip(z, k1, k2, k3, k4, strict=True)]


START = [fmpq(1), fmpq(0), fmpq(1), fmpq(0), fmpq(0)]
DT = fmpq(1, 100)


@claim(
    "orvieto24.appE3.causal",
    topic="universality",
    place="App. E.3; Definition 1",
    title="with v_k = v(k dt) and y_k = z_1(k dt) by Runge-Kutta steps of dt, y_k is a function of the tokens v_1, ..., v_k",
    says=r"The sampled controlled equation is a sequence-to-sequence map $y_k=T_k(v_1,\dots,v_k)$ in the sense of Definition 1.",
    reading="inputs v(t) that are functions of time, sampled; for 16 wavelets the tokens determine the input from the 16th on, but not before",
    sabotages={"inputs that are the same": {"bump": lambda t: fmpq(0)}},
)
def between_the_samples(proof: Proof, bump=lambda t: 4 * t * (DT - t) / (DT * DT)) -> None:
    """A Runge-Kutta step reads the input at dt/2 too (and at 0, which is no token). A bump that vanishes at all samples changes y_1."""
    still, pushed = (runge_kutta_step(START, DT, driver)[0] for driver in (lambda t: fmpq(0), bump))
    proof.counterexample(
        given={
            "dt": DT,
            "v": "0, and 4 t (dt - t) / dt^2 on [0, dt]",
            "their difference in y_1, about": f"{int((pushed - still).p) / int((pushed - still).q):.3g}",
        },
        hypotheses={"the inputs agree at the samples 0 and dt": bump(fmpq(0)) == bump(DT) == 0},
        violates={"y_1 differs": pushed != still},
        minimal="one step",
    )


@claim(
    "orvieto24.appE3.causal.amended",
    topic="universality",
    place="App. E.3; Definition 1",
    kind="amended",
    amends="orvieto24.appE3.causal",
    title="with the input held at v_k over the step from (k-1) dt to k dt, y_k is a function of v_1, ..., v_k, and of v_k indeed",
    says=r"For $v(t)=v_k$ on $((k-1)\Delta,k\Delta]$ the map is causal in the sense of Definition 1.",
    construction="lemmata.constructions.universality.maps.respond",
    sabotages={"the input is interpolated to the next token": {"held": lambda now, after: lambda t: now + (after - now) * t / DT}},
)
def held_inputs(proof: Proof, held=lambda now, after: lambda t: now) -> None:
    """A step reads its own token only."""
    values = [fmpq(0), fmpq(1, 20), fmpq(1, 10)]
    for first in proof.each("tokens 0, 1/20, 1/10; two steps, exactly", values):
        z = {after: runge_kutta_step(START, DT, held(first, after)) for after in values}
        proof.holds("y_1 does not depend on v_2", len({tuple(v) for v in z.values()}) == 1)
        second = {after: runge_kutta_step(z[after], DT, held(after, fmpq(0)))[0] for after in values}
        proof.holds("y_2 depends on v_2", len(set(second.values())) == len(values))


@claim(
    "orvieto24.appE3.receptor",
    topic="universality",
    place="App. E.3, protein transduction",
    kind="new",
    title="the receptor is conserved: z_3 + z_4 + z_5 = 1 for every input, so the system has four dimensions, not five, and z_2 is a by-product",
    says=r"$\dot z_3+\dot z_4+\dot z_5=0$, and $\dot z_1,\dot z_3,\dot z_4,\dot z_5$ do not depend on $z_2$.",
    construction="lemmata.constructions.universality.maps.protein_transduction",
    sabotages={
        "the decay of the signal enters the receptor": {
            "field": lambda z, v, **k: [*protein_transduction(z, v, **k)[:4], protein_transduction(z, v, **k)[4] + z[1]]
        }
    },
)
def receptor_is_conserved(proof: Proof, field=protein_transduction) -> None:
    """Free, bound and activated receptor turn into each other. So y = z_1 obeys three equations with one input."""
    z, v = sympy.symbols("z1:6"), sympy.Symbol("v")
    rates = dict(zip(("k1", "k2", "k3", "k4", "V", "Km"), sympy.symbols("k1:5 V K_m", positive=True), strict=True))
    f = field(z, v, **rates)
    proof.symbolically("z_3 + z_4 + z_5 is constant", f[2] + f[3] + f[4], 0, free="rates, state, input")
    for i in (0, 2, 3, 4):
        proof.symbolically(f"z_{i + 1}' does not depend on z_2", sympy.diff(f[i], z[1]), 0, free="rates, state, input")


@claim(
    "orvieto24.appE3.lorenz",
    topic="universality",
    place="App. E.3, Lorenz system",
    title="with sigma = 10, r = 26, b = 8/3 and no input, no equilibrium of the Lorenz system is stable",
    says=r"The origin and $(\pm\sqrt{b(r-1)},\pm\sqrt{b(r-1)},r-1)$ are unstable: $r=26>\sigma(\sigma+b+3)/(\sigma-b-1)=470/19$.",
    reading="what can be decided of 'a chaotic behaviour'",
    sabotages={"r = 24": {"r": fmpq(24)}},
)
def lorenz_equilibria(proof: Proof, r=fmpq(26)) -> None:
    """Routh and Hurwitz: x^3 + a x^2 + b x + c with positive coefficients is stable iff a b > c."""
    sigma, b = fmpq(10), fmpq(8, 3)
    S, R, B, X = sympy.symbols("sigma r b x")
    x, y, z = sympy.symbols("z1:4")
    field = sympy.Matrix([S * (y - x), (R - z) * x - y, y * x - B * z])
    c = sympy.sqrt(B * (R - 1))
    at = {x: c, y: c, z: R - 1}
    polynomial = sympy.expand(field.jacobian([x, y, z]).subs(at).charpoly(X).as_expr())
    proof.symbolically("they are equilibria", field.subs(at).dot(field.subs(at)), 0, free="sigma, r, b")
    printed = X**3 + (S + B + 1) * X**2 + B * (R + S) * X + 2 * S * B * (R - 1)
    proof.symbolically("the characteristic polynomial", polynomial, printed, free="sigma, r, b")
    proof.holds("Routh and Hurwitz fail: a b < c", bool((sigma + b + 1) * b * (r + sigma) < 2 * sigma * b * (r - 1)))
    proof.exactly("the threshold is 470/19", sigma * (sigma + b + 3) / (sigma - b - 1), fmpq(470, 19))
    proof.holds("the origin: the determinant of (-sigma, sigma; r, -1) is negative", bool(sigma - sigma * r < 0))
