"""What App. B and Sec. 3.1.3 quote on recurrences, convolutions and polynomials, as far as it can be checked (orvieto24)."""

from __future__ import annotations

import sympy
from flint import fmpq, fmpq_poly

from ..claim import claim
from ..evidence import Proof


@claim(
    "orvieto24.thm5",
    place="Theorem 5, App. B.1",
    title="recurrences with a nonlinearity inside approximate the solutions of controlled equations (Hanson and Raginsky)",
    says=r"For $\dot{\bar x}=\bar f(\bar x,u)$, $\bar y=h(\bar x)$, bounded inputs and (uniformly asymptotically incrementally) stable $\bar f$, some $\dot x=-x/\tau+\sigma(Ax+Bu)$, $y=Cx$ is within $\epsilon$ for all times.",
    reading="the sketch calls a network for the generator 'exactly' the right-hand side of (9), which has no outer weights and no bias; with A = A'C the projection Cx has them, and the network must approximate f + x/tau; C needs a row for each output, and M, the number of inputs, is printed",
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
    place="Theorem 6, condition 5",
    flaw="misprint",
    quotes=(r"(Time Homogeneous) For all $u \in \mathcal{U}$ let $u_t^\tau = u(t - \tau)$, then $H_t(u^\tau) = H_{t+\tau}(u)$",),
    extracted=True,
    title="the definition of time-homogeneity has the shift on the wrong side: convolutions do not satisfy it",
    says=r"For $u^\tau(t)=u(t-\tau)$, $H_t(u^\tau)=H_{t+\tau}(u)$.",
    reading="u^tau(t) = u(t - tau) for the u_t^tau of the text; a slip of the extraction would have to swap a sign or an index",
    letter="Condition 5 of Theorem 6 should read H_(t + tau)(u^tau) = H_t(u), as in Li et al. With u^tau(t) = u(t - tau) the printed condition fails for every "
    "convolution but 0.",
    sabotages={"no delay": {"delay": fmpq(0)}},
)
def delayed_backwards(proof: Proof, delay=fmpq(1)) -> None:
    """Delaying the input by tau delays the output: H_t(u^tau) = H_(t - tau)(u). For the mean of a hat over [t - 1, t], t = 0 and tau = 1 the printed sides are 0 and 1/2."""
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
        words={"shift": left == right, "differ": left != printed},
        minimal="t = 0, tau = 1",
    )
    proof.certificate("witness", "the integral over [t - 1, t] of a hat", knots=[-1, 0, 1], values=[0, 1, 0], t=t, tau=delay)


@claim(
    "orvieto24.thm6",
    place="Theorem 6, App. B.2",
    title="continuous, linear, causal, regular and time-homogeneous functionals are convolutions (Li et al.)",
    says=r"With $H_{t+\tau}(u^\tau)=H_t(u)$ in condition 5, $H_t(u)=\int_0^\infty\rho(s)^\top u(t-s)ds$ for an integrable $\rho$.",
    reading="condition 5 with its sign mended, as in the cited paper; M for d",
    sabotages={"the printed sign": {"sign": 1}},
)
def functionals_are_convolutions(proof: Proof, sign: int = -1) -> None:
    """Cited (Riesz's representation and a Radon-Nikodym argument). Checked: a moving average satisfies the corrected condition."""
    proof.cites(
        "Li, Han, E, Li, Approximation and optimization theory for linear continuous-time recurrent neural networks, JMLR 23 (2022)"
    )
    proof.exactly("the hat averaged over [-1/2, 1/2] is 3/4", moving_average(fmpq(1, 2)), fmpq(3, 4))
    quarters = [fmpq(i, 4) for i in range(-8, 9)]
    for t in proof.each("a moving average of a hat; t and tau multiples of 1/4 in [-2, 2]", quarters):
        for tau in quarters:
            proof.exactly("H_t(u^tau) = H_(t - tau)(u)", moving_average(t, tau), moving_average(t + sign * tau))


@claim(
    "orvieto24.thm7",
    place="Theorem 7, App. B.2",
    title="stable linear recurrences approximate every such family of functionals uniformly in time",
    says=r"For $\hat H_t(u)=\int_0^\infty Ce^{As}Bu(t-s)ds$ with stable diagonal $A$ and every $\epsilon$: $\sup_t\sup_{\|u\|\le1}|H_t(u)-\hat H_t(u)|\le\epsilon$; it is $\|\rho-\hat\rho\|_{L^1}$ for every $t$.",
    reading="with integrals over [0, inf) for the printed [0, t], since inputs live on all of R; y(t) for x(t) in the display before the class",
    sabotages={"the difference quotient is doubled": {"factor": 2}},
)
def sums_of_exponentials(proof: Proof, factor: int = 1) -> None:
    r"""Kernels that are sums of exponentials are dense in $L^1(0,\infty)$.

    1. The functionals are convolutions with integrable kernels. [uses: orvieto24.thm6]
    2. With $x=e^{-s}$ kernels $\sum_jc_je^{-js}$ are $x$ times polynomials, and the norm of $\rho$ is that of $\rho(-\log x)/x$ in $L^1(0,1)$. [checked: "the norm of rho is that of rho(-log x)/x"] [prose]
    3. Polynomials are dense there. [cited: Weierstrass]
    4. Diagonal recurrences reach Jordan blocks: $se^{-s}$ up to $\delta/(1+\delta)$ by two exponentials. [checked: "the distance is delta / (1 + delta)"]
    """
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


@claim(
    "orvieto24.thm7.class",
    place="the class before Theorem 6, App. B.2",
    flaw="misprint",
    quotes=("the class of functionals parametrizable with linear RNNs with hidden state of dimension",),
    extracted=True,
    title="the printed class integrates from 0 to t, where the functionals act on inputs on all of R",
    says=r"For $\hat H_t(u)=\int_0^tCe^{As}Bu(t-s)ds$ and every $\epsilon$: $\sup_{t\in\mathbb R}\sup_{\|u\|<1}|H_t(u)-\hat H_t(u)|\le\epsilon$.",
    reading="the class as printed, with inputs on all of R, as in Theorem 6; the same limits stand in the display before it, so it is no slip of the extraction",
    letter="The functionals of Theorems 6 and 7 act on inputs on all of R. So the class needs the integral over [0, inf), with stable A, as in Li et al. With the "
    "printed integral from 0 to t every member is 0 at t = 0.",
    uses=("orvieto24.thm6",),
    sabotages={"inputs that start at time 0": {"begins": fmpq(0)}},
)
def nothing_at_time_zero(proof: Proof, begins=fmpq(-1)) -> None:
    """At t = 0 the printed integral is empty, so every member of the class outputs 0; the integral of a hat of height 3/4 on [-1, 0] over [-1, 0] is 3/8, more than eps = 1/4."""
    # u is the hat of height 3/4 and half-width 1/2 that begins at ``begins``
    t, height, eps = fmpq(0), fmpq(3, 4), fmpq(1, 4)
    seen = height * fmpq(1, 2) * (hat_integral((t - 1 - begins) * 2 - 1, (t - begins) * 2 - 1))
    proof.counterexample(
        given={
            "H_t(u)": "integral of u over [t - 1, t]",
            "u": "a hat of height 3/4 on [-1, 0]",
            "t": t,
            "H_0(u)": seen,
            "every printed functional at t = 0": 0,
            "eps": eps,
        },
        words={"small": height < 1, "far": seen > eps},
        minimal="t = 0",
    )
    proof.certificate(
        "witness",
        "the integral over [t - 1, t] of a hat",
        knots=[begins, begins + fmpq(1, 2), begins + 1],
        values=[fmpq(0), height, fmpq(0)],
        t=t,
        eps=eps,
    )


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
    place="after orvieto24, Sec. 3.1.3",
    title="N coefficients of a Lipschitz past leave the mean square error l² t² / (6 N (N + 1)) at most",
    says=r"For $u$ with Lipschitz constant $\ell$ on $[0,t]$ and its best polynomial of degree $<N$, the mean square error is at most $\ell^2t^2/(6N(N+1))$: a power of $N$ better than the $O(t^2\ell^2/N)$ that is quoted from the theory of HiPPO.",
    known="The rate N^-2 for the mean square of a Lipschitz function is the classical one (Jackson; Legendre series of functions in a weighted Sobolev space); the constant follows from Sturm and Liouville's equation.",
    sabotages={
        "Legendre polynomials are paired without the weight": {"weight": fmpq_poly([1])},
        "one power of N more": {"bound": lambda N: fmpq(2, 3) / (N * N * (N + 1))},
    },
)
def lipschitz_pasts(proof: Proof, weight=fmpq_poly([1, 0, -1]), bound=lambda N: fmpq(2, 3) / (N * (N + 1))) -> None:
    r"""The derivatives of Legendre polynomials are orthogonal too.

    1. $\int(1-x^2)P_n'P_m'=n(n+1)\int P_nP_m$, from $((1-x^2)P_n')'=-n(n+1)P_n$. [checked: "the derivatives are orthogonal"] [prose]
    2. So for $u=\sum a_np_n$ with orthonormal $p_n$ (mean over $[-1,1]$) $\sum n(n+1)a_n^2$ is the mean of $(1-x^2)u'^2\le\tfrac23\ell^2$. [checked: "the mean of 1 - x^2 is 2/3"] [prose]
    3. $\sum_{n\ge N}a_n^2\le\frac1{N(N+1)}\sum n(n+1)a_n^2$; on $[0,t]$ the slope is $\ell t/2$. [checked: "its error is within the bound"] [prose]
    """
    most = proof.pick(6, 10, 16)
    for n in proof.every(f"n, m <= {most}", range(most + 1)):
        for m in range(most + 1):
            inner = (weight * fmpq_poly.legendre_p(n).derivative() * fmpq_poly.legendre_p(m).derivative()).integral()
            expected = fmpq(2 * n * (n + 1), 2 * n + 1) if n == m else fmpq(0)
            proof.exactly("the derivatives are orthogonal", inner(1) - inner(-1), expected)
    mean = fmpq_poly([1, 0, -1]).integral()
    proof.exactly("the mean of 1 - x^2 is 2/3", (mean(1) - mean(-1)) / 2, fmpq(2, 3))
    for N in proof.each("u = |x| on [-1, 1], l = 1, t = 2, N <= 40", range(1, 41)):
        proof.holds("its error is within the bound, and not 0", bool(0 < mean_square_tail(N) <= bound(N)))
    proof.exactly("for N = 1 it is the variance of |x|", mean_square_tail(1), fmpq(1, 3) - fmpq(1, 2) ** 2)
    proof.certificate(
        "witness",
        "u = |x| on [-1, 1]: the mean square error of its best polynomial of degree below N",
        N=[2, 3, 5, 8, 13],
        error=[mean_square_tail(N) for N in (2, 3, 5, 8, 13)],
    )


# -- Sec. 1, 3.1.3 and App. B.2 in small ----------------------------------------------------------------------------------------


@claim(
    "orvieto24.sec1.filters",
    place="Sec. 1, Results on SSMs expressivity",
    title="of an even map no linear filter has a smaller largest error than the filter 0",
    says=r"If $T(-v)=T(v)$ and $f$ is linear, $\max(|T(v)-f(v)|,|T(-v)-f(-v)|)\ge|T(v)|$ for every $v$; so $\sup|T-f|\ge\sup|T|$ on every symmetric set, as for $T_k=v_k^2$.",
    reading="'cannot provide satisfactory approximations' as: for some maps none is better than 0; uniformly on a set with v also containing -v",
    sabotages={
        "a bias, which the kernel refutes": {"theorem": "recurrences.filters_on_even_maps_with_a_bias"},
        "an odd map": {"even": lambda v: v**3},
        "a filter with a bias": {"bias": 1},
    },
)
def filters_on_even_maps(proof: Proof, even=lambda v: v**2, bias: int = 0, theorem: str = "recurrences.filters_on_even_maps") -> None:
    r"""The errors at $v$ and $-v$ add up to twice the map.

    1. $(T(v)-f(v))+(T(-v)-f(-v))=2T(v)$, since $f(-v)=-f(v)$. [checked: "the two errors add up to 2 T(v)"]
    2. The larger of two numbers is at least half of their sum in modulus. [prose]
    """
    proof.formally(
        "the kernel: no filter is better than 0",
        theorem,
        whole="every even map and odd filter",
        differs="an ordered field for the reals; 'every bound of |T - f| bounds |T|' for suprema; odd maps for linear ones",
    )
    taps, tokens = sympy.symbols("f0 f1 f2"), sympy.symbols("v0 v1 v2", real=True)

    def error(sign: int):
        return even(sign * tokens[0]) - bias - sum((f * sign * v for f, v in zip(taps, tokens, strict=True)), sympy.Integer(0))

    proof.symbolically("the two errors add up to 2 T(v)", sympy.expand(error(1) + error(-1)), 2 * even(tokens[0]), free="v, f")


def root_coefficient(n: int) -> fmpq:
    """The square of the n-th coefficient of sqrt(x) in the orthonormal Legendre basis of [0, 1], by the moments of P_n(2x - 1)."""
    shifted = fmpq_poly.legendre_p(n)(fmpq_poly([-1, 2]))
    moment = sum((c / (fmpq(3, 2) + j) for j, c in enumerate(shifted.coeffs())), fmpq(0))
    return (2 * n + 1) * moment * moment


@claim(
    "orvieto24.sec3.1.3.weaker",
    place="Sec. 3.1.3, 'a weaker requirement'",
    title="a polynomial error O(1/N) asks less than a Lipschitz constant: √x has it, and has no Lipschitz constant",
    says=r"Lipschitz inputs on $[0,1]$ have the mean square error $O(1/N)$, even $O(1/N^2)$. For $\sqrt x$ it is below $1/N$ for $N\ge1$, while $\sqrt x/x$ has no bound.",
    reading="the mean square error of the best polynomial of degree below N, as for LegS",
    sabotages={
        "coefficients that do not fall": {"square": lambda n: sympy.Integer(1) / (n + 1)},
        "a Lipschitz function": {"rise": lambda x: x},
    },
)
def root_is_not_lipschitz(
    proof: Proof, square=lambda n: 4 / ((2 * n - 1) ** 2 * (2 * n + 1) * (2 * n + 3) ** 2), rise=lambda x: x ** sympy.Rational(1, 2)
) -> None:
    r"""The coefficients of $\sqrt x$ in closed form, and a telescoping sum.

    1. One way: [uses: new.universality.hippo]
    2. The squares of the coefficients of $\sqrt x$ are $\frac4{(2n-1)^2(2n+1)(2n+3)^2}$. [checked: "the squares of the coefficients"] [prose]
    3. For $n\ge1$ that is less than $\frac1{n(n+1)}$, and $\sum_{n\ge N}\frac1{n(n+1)}=\frac1N$. [checked: "the square is below 1/(n (n + 1))"; "a telescoping sum"]
    4. $\sqrt x/x\to\infty$ as $x\to0$. [checked: "the slope from 0 has no bound"]
    """
    most = proof.pick(6, 12, 20)
    for n in proof.every(f"n <= {most}", range(most + 1), limited=True):
        proof.exactly("the squares of the coefficients", root_coefficient(n), _rational(square(sympy.Integer(n))))
    n, x = sympy.Symbol("n", positive=True), sympy.Symbol("x", positive=True)
    at = n + 1
    gap = sympy.factor(sympy.together(1 / (at * (at + 1)) - square(at)))
    numerator, denominator = (sympy.Poly(part, n).all_coeffs() for part in sympy.fraction(gap))
    proof.holds("the square is below 1/(n (n + 1)) for n > 1", all(c > 0 for c in (*numerator, *denominator)), free="n > 1")
    proof.holds("the square is below 1/(n (n + 1)) for n = 1", bool(square(sympy.Integer(1)) < sympy.Rational(1, 2)))
    proof.symbolically("a telescoping sum", 1 / n - 1 / (n + 1), 1 / (n * (n + 1)), free="n")
    proof.exactly("the slope from 0 has no bound", sympy.limit(rise(x) / x, x, 0, "+"), sympy.oo, free="x")


def shifted_product(m: int, n: int) -> fmpq:
    """The integral over [0, 1] of the product of the Legendre polynomials of degrees m and n in 2 x - 1."""
    product = fmpq_poly.legendre_p(m)(fmpq_poly([-1, 2])) * fmpq_poly.legendre_p(n)(fmpq_poly([-1, 2]))
    return product.integral()(1)


@claim(
    "orvieto24.sec3.1.3.squares",
    place="Sec. 3.1.3, the error of LegS",
    of="orvieto24.sec3.1.3.weaker",
    flaw="misprint",
    quotes=("the error is then simply the sum of the small polynomial coefficients above degree",),
    title="the squared error of a projection is the sum of the squares of the other coefficients, not of the coefficients",
    says=r"$|u-g|^2$ is the sum of the coefficients of $u$ whose degree is too high for $g$.",
    reading="the coefficients in an orthonormal basis, as LegS has it; with N coefficients g has the degree N - 1, where N is printed",
    letter="In Sec. 3.1.3 the squared error is the sum of the squares of the coefficients that g leaves out, from degree N on. With the coefficients 3 and 4 it is 25, and the error is 5. "
    "Their sum is 7. The polynomial with N coefficients has the degree N - 1.",
    sabotages={"no coefficient is left out": {"coefficients": (0, 0)}, "one coefficient, 1": {"coefficients": (1, 0)}},
)
def squares_are_added(proof: Proof, coefficients: tuple[int, int] = (3, 4)) -> None:
    r"""With $p_n=\sqrt{2n+1}\,P_n(2x-1)$ and $u=3p_1+4p_2$ the constant $g$ is $0$, and $\int u^2=9+16$ (Parseval)."""
    squared = sum((c * c * (2 * n + 1) * shifted_product(n, n) for n, c in enumerate(coefficients, 1)), fmpq(0))
    total = sum(coefficients)
    proof.counterexample(
        given={"N": 1, "coefficients of degrees 1 and 2": coefficients, "squared error": squared, "sum of the coefficients": total},
        words={
            "orthonormal": all((2 * n + 1) * shifted_product(n, n) == 1 for n in (1, 2)) and shifted_product(1, 2) == 0,
            "squared": squared != total,
            "plain": squared != total * total,
        },
        minimal="N = 1, degree 2",
    )
    proof.certificate("witness", "two coefficients", coefficients=[fmpq(c) for c in coefficients])


def _rational(x: sympy.Rational) -> fmpq:
    return fmpq(int(x.p), int(x.q))


@claim(
    "orvieto24.appB2.output",
    place="App. B.2, first display of the solution",
    of="orvieto24.thm7",
    flaw="misprint",
    quotes=("linear continuous-time RNN on one-dimensional inputs", "has solutions given by a convolution"),
    extracted=True,
    title="the convolution is the output y, not the state x, and C stands in it without a transpose",
    says=r"$x(t)=\int_0^tC^\top e^{As}Bu(t-s)\,ds$ for $\dot x=Ax+Bu$, $y=Cx$, $C\in\mathbb R^{1\times N}$.",
    reading="y(t) and C; extraction may have changed a letter. The inputs have M entries, the output has one. In Theorem 6 the d of the inputs and the M of the kernel are one number",
    letter="In App. B.2 the convolution is y(t), not x(t), and C is already a row, so C e^(As) B. With N = M = 1, A = 0, B = u = 1 and C = 2 the state is t. The integral is 2t. It is the output that is one-dimensional, since B has M columns. In Theorem 6 d and M are one number.",
    sabotages={"an output that is the state": {"c": 1}},
)
def output_for_state(proof: Proof, c: int = 2) -> None:
    """x' = 1 from 0 gives x(t) = t; the integral of c over [0, t] is c t."""
    t = fmpq(1)
    proof.counterexample(
        given={"N = M": 1, "A": 0, "B = u": 1, "C": c, "x(0)": 0, "t": t, "x(t)": t, "the integral": c * t},
        words={"time": t > 0, "differ": t != c * t},
        minimal="N = 1, t = 1",
    )
    proof.certificate("witness", "one unit without decay", B=1, u=1, C=c, t=1)
