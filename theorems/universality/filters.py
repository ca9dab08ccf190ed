"""Filters that make one function of time and state out of the functions of the single steps (orvieto24, Theorem 4 and 8, App. D)."""

from __future__ import annotations

import sympy
from flint import fmpq

from ...numerics.aliases import Exact
from ..claim import claim
from ..evidence import Proof


def hat(t: fmpq) -> fmpq:
    """max(0, 1 - |t|), linear interpolation."""
    return max(fmpq(0), 1 - abs(t))


def cubic_spline(t: fmpq) -> fmpq:
    """The cubic B-spline with the knots -1, -1/2, 0, 1/2, 1, scaled to 1 at 0: 1 - 6 t^2 + 6 |t|^3, then 2 (1 - |t|)^3."""
    u = abs(t)
    return 1 - 6 * u * u + 6 * u**3 if 2 * u <= 1 else 2 * (1 - u) ** 3 if u <= 1 else fmpq(0)


def box(t: fmpq) -> fmpq:
    """1 on [-1, 1], else 0."""
    return fmpq(int(abs(t) <= 1))


# -- which filters interpolate ---------------------------------------------------------------------------------------------------


@claim(
    "orvieto24.eq23",
    place="Eq. 23 and the sentence after it, App. D",
    of="orvieto24.thm4",
    flaw="misprint",
    quotes=("Compactness in the support of $h$ leads to the desired property",),
    title="the filter needs h(0) = 1 as well for ∑ₖ fₖ(x) h(t − k) to equal fₖ at t = k",
    says=r"If $h$ has support in $[-1,1]$ then $\tilde f(x,t)=\sum_kf(x,k)h(t-k)$ satisfies $\tilde f(x,k)=f(x,k)$.",
    reading="f(x, k) on the right, where f(x, t) is printed",
    letter="After Eq. 23 the interpolation follows from h(0) = 1 and h(1) = h(-1) = 0, not from compact support alone. The bump of Theorem 8 has the second by "
    "continuity, and dividing it by h(0) gives the first.",
    sabotages={"h(0) = 1": {"filters": (("the hat", hat),)}},
)
def support_is_not_enough(proof: Proof, filters=(("twice the hat", lambda t: 2 * hat(t)), ("1 on [-1, 1]", box))) -> None:
    """At t = k the sum is f_k h(0) + f_(k-1) h(1) + f_(k+1) h(-1). For twice the hat, L = 1 and f_1(0) = 1 it is 2."""
    found = proof.smallest(
        "filters, then L",
        [(n, h, L) for n, h in filters for L in (1, 2)],
        lambda c: [k for k in range(1, c[2] + 1) if sum((c[1](fmpq(k - j)) for j in range(1, c[2] + 1)), fmpq(0)) != 1],
    )
    if found:
        (name, h, L), (k, *_) = found
        value = sum((h(fmpq(k - j)) for j in range(1, L + 1)), fmpq(0))
        proof.counterexample(
            given={"h": name, "L": L, "f_1(x)": "any f with f(0) = 1", "interpolated at x = 0, t = 1": value},
            words={"support": all(h(fmpq(t, 4)) == 0 for t in (-9, -6, -5, 5, 6, 9)), "value": bool(value != 1)},
            minimal=f"L = {L}",
        )
        proof.certificate("witness", f"{name}, linear between its knots", knots=[-1, 0, 1], values=[h(fmpq(t)) for t in (-1, 0, 1)], L=L)


@claim(
    "orvieto24.eq23.amended",
    place="Eq. 23 and the sentence after it, App. D",
    amends="orvieto24.eq23",
    title="the filter interpolates every sequence of L functions if and only if h(0) = 1 and h(j) = 0 for 0 < |j| < L",
    says=r"$\tilde f(\cdot,k)=f_k$ for all $k\le L$ and all $f_1,\dots,f_L$ iff $h(0)=1$ and $h(j)=0$ for $0<|j|<L$. The support of $h$ does not matter. The hat and the cubic spline on $[-1,1]$ have this for every $L$.",
    sabotages={
        "a filter twice as wide": {"good": (lambda t: cubic_spline(t / 2),)},
        "the hat is doubled": {"good": (lambda t: 2 * hat(t),)},
        "the sum starts at 2": {"first": 2},
        "a hat twice as wide, which the kernel refutes": {"theorem": "universality.wide_hat_interpolates"},
    },
)
def nodes_of_the_filter(
    proof: Proof, good=(hat, cubic_spline), first: int = 1, theorem: str = "universality.hat_and_spline_interpolate"
) -> None:
    r"""The functions $f_k$ may be chosen one by one.

    1. With $h(i)=\delta_{i0}$ at the integers $\tilde f(x,k)=\sum_{j\le L}f_j(x)\,\delta_{k-j,0}=f_k(x)$, for symbolic $1\le k\le L$. [checked: "such a filter gives f_k"]
    2. Conversely $f_j=\delta_{ij}$ gives $\sum_{j\le L}\delta_{ij}h(k-j)=h(k-i)$ at time $k$, for symbolic $1\le i\le L$ and every $k$; so $h(k-i)$ must be $\delta_{ki}$, and $k-i$ runs through $-L<j<L$.
       [checked: "f_j = 1 for j = i, and 0 else, gives h(k - i)"]
    3. The hat and the spline are $0$ from $|t|=1$ on. [checked: "1 at 0, and 0 at 1, 2 and on"]
    """
    proof.formally(
        "the kernel: interpolation iff h(0) = 1 and h(j) = 0",
        "universality.interpolates_iff",
    )
    proof.formally(
        "the kernel: the hat and the spline",
        theorem,
        whole="every L > 0, filter and functions",
        differs="any ring for the values of f and h, any set for the inputs (not empty), an ordered field for the two filters; times from 0",
    )
    k, j = sympy.symbols("k j", integer=True)
    before, after = sympy.symbols("a b", integer=True, nonnegative=True)
    f, h = sympy.Function("f"), sympy.Function("h")
    here, L = 1 + before, 1 + before + after
    picked = sympy.Sum(f(j) * sympy.KroneckerDelta(here - j, 0), (j, first, L)).doit()
    proof.symbolically("such a filter gives f_k", sympy.piecewise_fold(picked), f(here), free="f_1, ..., f_L, 1 <= k <= L")
    seen = sympy.Sum(sympy.KroneckerDelta(here, j) * h(k - j), (j, first, L)).doit()
    proof.symbolically("f_j = 1 for j = i, and 0 else, gives h(k - i)", sympy.piecewise_fold(seen), h(k - here), free="h, k, 1 <= i <= L")
    for g in good:
        values = [g(fmpq(s)) for s in (-1, 0, 1)]
        proof.exactly("1 at 0, and 0 at 1, 2 and on (the support is [-1, 1])", [*values, g(fmpq(2)), g(fmpq(-2))], [0, 1, 0, 0, 0])
    proof.certificate("witness", "the hat, linear between its knots", knots=[-1, 0, 1], values=[hat(fmpq(t)) for t in (-1, 0, 1)], L=8)


# -- their constants -------------------------------------------------------------------------------------------------------------


def at_end(F: sympy.Expr, x: sympy.Symbol, end: object) -> sympy.Expr:
    """The limit of a sum, term by term."""
    total: Exact = sum(sympy.limit(term, x, end) for term in sympy.Add.make_args(F))
    return total


@claim(
    "new.universality.filters",
    place="after orvieto24, Theorem 4",
    title="sinc interpolates with C'ₕ = 1 and Cₕ = π/2; the cubic B-spline on [−1, 1] with 1 and (12/π) ln 2",
    says=r"$\sin(\pi t)/(\pi t)$ is $1$ at $0$ and $0$ at the other integers, with $C'_h=1$, $C_h=\tfrac\pi2$. "
    r"The cubic B-spline with support $[-1,1]$ and $h(0)=1$ has $H\ge0$, $C'_h=1$ and $C_h=\tfrac{12}\pi\ln2\approx2.648$: no Beurling-Malliavin theorem is needed for Theorem 4.",
    known="Both filters and their transforms are in every book on interpolation; the two values of C_h are easy integrals.",
    sabotages={
        "a spline of half the width": {"width": sympy.Rational(1, 2)},
        "sinc with twice the band": {"band": 2 * sympy.pi},
    },
)
def constants_of_filters(proof: Proof, width=sympy.Integer(1), band=sympy.pi) -> None:
    r"""Closed forms: an antiderivative is differentiated back, and its ends are limits.

    1. $\frac1{2\pi}\int_{-\pi}^{\pi}e^{i\nu t}d\nu=\frac{\sin\pi t}{\pi t}$, so $H=\frac1{2\pi}$ on $[-\pi,\pi]$, and its two integrals. [checked: "sinc has the transform 1/(2 pi) on [-pi, pi]"; "sinc vanishes at the integers"; "C_h of sinc"; "C'_h of sinc"]
    2. The spline, $1-6t^2+6|t|^3$ and then $2(1-|t|)^3$, has $H(\nu)=\frac3{8\pi}\bigl(\frac{\sin(\nu/4)}{\nu/4}\bigr)^4$. [checked: "the spline's transform"; "the spline interpolates"] [prose]
    3. With $x=\nu/4$: $C'_h=\frac3\pi\int_0^\infty\frac{\sin^4x}{x^4}dx$ and $C_h=\frac{12}\pi\int_0^\infty\frac{\sin^4x}{x^3}dx$, where the integrals are $\frac\pi3$ and $\ln2$.
       [checked: "the integrand of C_h"; "the integrand of C'_h"; "an antiderivative of sin^4 x / x^3"; "an antiderivative of sin^4 x / x^4"; "C_h of the spline"; "C'_h of the spline"] [prose]
    """
    x, t, nu = sympy.symbols("x t nu", positive=True)
    j = sympy.symbols("j", integer=True, nonzero=True)
    sinc = sympy.integrate(sympy.cos(nu * t), (nu, 0, band)) / sympy.pi
    proof.symbolically("sinc has the transform 1/(2 pi) on [-pi, pi]", sinc, sympy.sin(sympy.pi * t) / (sympy.pi * t), free="t")
    proof.symbolically("sinc vanishes at the integers", sympy.sin(sympy.pi * j) / (sympy.pi * j), 0, free="j")
    proof.symbolically("C_h of sinc", sympy.integrate(nu / sympy.pi, (nu, 0, band)), sympy.pi / 2, free="nu")
    proof.symbolically("C'_h of sinc", sympy.integrate(1 / sympy.pi, (nu, 0, band)), 1, free="nu")
    inner, outer = 1 - 6 * t**2 + 6 * t**3, 2 * (1 - t) ** 3
    half = sympy.Rational(1, 2)
    transform = sum(sympy.integrate(p * sympy.cos(nu * t), (t, a, b)) for p, a, b in ((inner, 0, half), (outer, half, width))) / sympy.pi
    printed = 3 / (8 * sympy.pi) * (sympy.sin(nu / 4) / (nu / 4)) ** 4
    difference = sympy.expand(sympy.expand_trig(((transform - printed) * nu**4).subs(nu, 4 * x)))
    proof.symbolically("the spline's transform, times nu^4", difference, 0, free="nu")
    for i in proof.every("the integers of the support and beside it", range(-2, 3), limited=False):
        proof.exactly("the spline interpolates: its values at -2, ..., 2", cubic_spline(fmpq(i)), int(i == 0))
    fourth = sympy.sin(x) ** 4
    by_parts = -fourth / (2 * x**2) - sympy.diff(fourth, x) / (2 * x) + sympy.Ci(2 * x) - sympy.Ci(4 * x)
    total = by_parts_of_fourth(x)
    back = lambda F: sympy.expand(sympy.expand_trig(sympy.diff(F, x)))  # noqa: E731
    proof.symbolically("an antiderivative of sin^4 x / x^3", back(by_parts), fourth / x**3, free="x")
    proof.symbolically("an antiderivative of sin^4 x / x^4", back(total), fourth / x**4, free="x")
    for name, factor, power in (("C_h", 4 * x, 3), ("C'_h", 1, 4)):
        integrand, of_x = 2 * factor * printed.subs(nu, 4 * x) * 4, fourth / x**power * {3: 12, 4: 3}[power] / sympy.pi
        proof.symbolically(f"the integrand of {name}, nu = 4 x", integrand, of_x, free="x")
    # the limit at 0 of the sum as a whole, since its terms have poles there
    ends = [at_end(F, x, sympy.oo) - sympy.limit(F, x, 0) for F in (by_parts, total)]
    proof.symbolically("C_h of the spline is (12/pi) ln 2", 12 / sympy.pi * ends[0], 12 / sympy.pi * sympy.log(2), free="nu")
    proof.symbolically("C'_h of the spline is 1", 3 / sympy.pi * ends[1], 1, free="nu")


def by_parts_of_fourth(x: sympy.Symbol) -> sympy.Expr:
    """An antiderivative of sin^4 x / x^4."""
    fourth = sympy.sin(x) ** 4
    known = -fourth / (3 * x**3) - sympy.diff(fourth, x) / (6 * x**2) - sympy.diff(fourth, x, 2) / (6 * x)
    return known + (8 * sympy.Si(4 * x) - 4 * sympy.Si(2 * x)) / 6


@claim(
    "new.universality.filters.least",
    place="after orvieto24, Theorem 4",
    title="no filter that interpolates has smaller constants than sinc: Cₕ ≥ π/2 and C'ₕ ≥ 1",
    says=r"If $h=\int e^{i\nu t}H(\nu)d\nu$ has $h(0)=1$ and $h(j)=0$ at the other integers, then $C'_h\ge1$ and $C_h\ge\tfrac\pi2$.",
    known="Duality with a triangle wave is the standard tool for such extremal problems (Favard, Sz.-Nagy); we have not seen it for this question.",
    sabotages={"the triangle wave is shifted": {"wave": lambda nu: sympy.pi - nu}, "a wave that exceeds |nu|": {"wave": lambda nu: 2 * nu}},
)
def no_filter_has_less(proof: Proof, wave=lambda nu: nu) -> None:
    r"""Pair $H$ with the triangle wave $\tau(\nu)$, the distance from $\nu$ to $2\pi\mathbb Z$.

    1. $1=h(0)=\int H\le\int|H|=C'_h$. [prose]
    2. $\tau=\sum_j\tau_je^{ij\nu}$ with $\tau_0=\tfrac\pi2$ and the summable coefficients of a triangle wave. [checked: "the mean of tau is pi/2"; "its other Fourier coefficients"]
    3. $0\le\tau(\nu)\le|\nu|$, so $C_h=\int|\nu||H|\ge\bigl|\int\tau H\bigr|=\bigl|\sum_j\tau_jh(j)\bigr|=\tfrac\pi2|h(0)|$; the sum may be exchanged because $\sum|\tau_j|<\infty$ and $H$ is integrable. [checked: "tau is |nu| on [0, pi]"] [prose]
    4. For sinc $|\nu|=\tau(\nu)$ wherever $H\ne0$, so it attains both. [uses: new.universality.filters] [prose]
    """
    nu, j = sympy.symbols("nu", positive=True), sympy.symbols("j", integer=True, nonzero=True)
    proof.symbolically("tau is |nu| on [0, pi]", wave(nu), nu, free="nu in [0, pi]")
    proof.symbolically("the mean of tau is pi/2", sympy.integrate(wave(nu), (nu, 0, sympy.pi)) / sympy.pi, sympy.pi / 2, free="nu")
    coefficient = sympy.simplify(sympy.integrate(wave(nu) * sympy.cos(j * nu), (nu, 0, sympy.pi)) / sympy.pi)
    triangle = ((-1) ** j - 1) / (sympy.pi * j**2)
    proof.symbolically("its other Fourier coefficients are those of a triangle wave, summable", coefficient, triangle, free="j")


@claim(
    "orvieto24.eq27",
    place="Eq. 27 and 28, App. D",
    of="orvieto24.thm4",
    flaw="misprint",
    quotes=(r"the factor $e^{i\nu k}$ comes from the shift $h(\cdot - k)$",),
    extracted=True,
    title="the transform of h(t − k) has the factor exp(−i ν k), with the transform as defined",
    says=r"$\frac1{2\pi}\int h(t-k)e^{-i\nu t}dt=e^{i\nu k}H(\nu)$.",
    reading="with the transform of Eq. 24. The sign stands in both displays and in the sentence after them, so it is no slip of the extraction",
    letter="The shift of h by k gives the factor exp(-i nu k) in (27) and (28), with the transform of (24). It does no harm, since moduli follow in (29).",
    sabotages={"the other sign in the transform": {"sign": 1}},
)
def shifted_filter(proof: Proof, sign: int = -1) -> None:
    """For h = 1 on [-1/2, 1/2], k = 1 and nu = pi/2 the transform of h(t - 1) is -i H(nu), and exp(i nu k) H(nu) is i H(nu), with H(nu) = sqrt(2)/pi^2."""
    t, nu = sympy.symbols("t nu", real=True)
    half = sympy.Rational(1, 2)

    def transform(shift: int) -> sympy.Expr:
        whole = sympy.integrate(sympy.exp(sign * sympy.I * nu * t).subs(nu, sympy.pi / 2), (t, shift - half, shift + half)) / (2 * sympy.pi)
        return sympy.simplify(whole.rewrite(sympy.cos))

    H, shifted = transform(0), transform(1)
    proof.counterexample(
        given={
            "h": "1 on [-1/2, 1/2]",
            "k": 1,
            "nu": "pi/2",
            "H(nu)": str(H),
            "transform of h(t - 1)": str(shifted),
            "exp(i nu k) H(nu)": str(sympy.I * H),
        },
        words={
            "transform": bool(sympy.simplify(H) != 0),
            "differ": bool(sympy.simplify(shifted - sympy.I * H) != 0),
            "phase": bool(sympy.simplify(shifted + sympy.I * H) == 0),
        },
        how="symbolic",
        minimal="L = 1",
    )
    proof.certificate("witness", "h = 1 on [-a, a], nu = share pi", a=fmpq(1, 2), k=1, share=fmpq(1, 2))


@claim(
    "orvieto24.thm8",
    place="Theorem 8, App. D",
    title="a smooth bump on [−1, 1] with a decreasing positive transform between exp(−(1 ± ε) c νᵟ), δ < 1",
    says=r"For $\delta\in(0,1)$, $c>0$ some $h\in C^\infty$ is real, even, nonnegative, supported in $[-1,1]$, with $H$ decreasing for $\nu\ge0$ and $e^{-(1+\epsilon)c\nu^\delta}\lesssim H\lesssim e^{-(1-\epsilon)c\nu^\delta}$.",
    reading="the decay is that of a stretched exponential; 'exponentially decaying' after the theorem is a finding",
    uses=("new.universality.filters",),
    sabotages={"delta = 0: no decay": {"delta": fmpq(0)}},
)
def smooth_bumps(proof: Proof, delta=fmpq(1, 2)) -> None:
    """Cited. What follows from it is checked: H > 0 gives C'_h = h(0), so h / h(0) interpolates with C'_h = 1, and exp(-c nu^delta) |nu| is integrable; a spline does as well."""
    proof.cites("Tlas, Bump functions with monotone Fourier transforms satisfying decay bounds, J. Approx. Theory 278 (2022)")
    # substituting u = nu^delta: the integral of nu exp(-nu^delta) over [0, inf) is Gamma(2 / delta) / delta
    proof.holds("the integral of nu exp(-nu^delta) converges: delta > 0", bool(delta > 0))
    if delta > 0:
        nu = sympy.symbols("nu", positive=True)
        exponent = sympy.Rational(int(delta.p), int(delta.q))
        proof.symbolically(
            "its value for delta = 1/2 and c = 1",
            sympy.integrate(nu * sympy.exp(-(nu**exponent)), (nu, 0, sympy.oo)),
            sympy.gamma(2 / exponent) / exponent,
            free="nu",
        )


@claim(
    "orvieto24.thm4.arguments",
    place="Theorem 4 and after Eq. 23, App. D",
    flaw="misprint",
    quotes=(r"leads to the desired property $\tilde{f}(x, k) = f(x, t)$, for all $k = 1, 2, \dots, L$",),
    extracted=True,
    title="after Eq. 23 f(x, t) should be f(x, k), and the arguments of f stand in two orders",
    says=r"$\tilde f(x,k)=f(x,t)$ for all $k=1,\dots,L$.",
    reading="f(x, k); Theorem 4 itself has f(k, .) on [1, ..., L] x R^n and f(x, k) in its last line",
    letter="After Eq. 23 read f(x, k) for f(x, t). With L = 2, f(x, 1) = 0 and f(x, 2) = 1 the interpolation is 0 at k = 1, not f(x, 2). Theorem 4 writes f(k, x) first and f(x, k) later.",
    sabotages={"equal functions": {"values": (1, 1)}},
)
def time_for_index(proof: Proof, values: tuple[int, int] = (0, 1)) -> None:
    """The hat interpolates two constants."""
    k, t = 1, 2
    interpolated = sum((v * hat(fmpq(k - j)) for j, v in enumerate(values, start=1)), fmpq(0))
    proof.counterexample(
        given={
            "L": 2,
            "h": "the hat",
            "f(x, 1), f(x, 2)": list(values),
            "k": k,
            "t": t,
            "interpolated at k": interpolated,
            "f(x, t)": values[t - 1],
        },
        words={"right": interpolated == values[k - 1], "differ": interpolated != values[t - 1]},
        minimal="L = 2",
    )
    proof.certificate("witness", "two constants", values=list(values), k=k, t=t)


@claim(
    "orvieto24.thm8.exponential",
    place="App. D, after Theorem 8",
    flaw="overstatement",
    quotes=(r"ensures that we can design $h$ on a compact support with exponentially decaying frequencies",),
    weight="wording",
    title="no filter with a compact support has an exponentially decaying transform, and those of Theorem 8 decay more slowly",
    says=r"Theorem 8 gives an $h\ne0$ with compact support and $|H(\nu)|\le Ce^{-a|\nu|}$ for some $C,a>0$.",
    reading="'exponentially' as a power of e to a multiple of |nu|. Integrals (37) need far less, and Theorem 8 gives it",
    letter="After Theorem 8 the decay is called exponential. It is that of exp(-c nu^delta) with delta < 1, which is slower. "
    "An exponentially decaying transform makes h analytic, so h would vanish everywhere. The integrals in (37) converge all the same.",
    sabotages={"the power 1": {"power": 2}, "a small frequency": {"root": 3}},
)
def slower_than_exponential(proof: Proof, power: int = 1, root: int = 4) -> None:
    r"""With delta = 1/2 and c = epsilon = 1 Theorem 8 bounds H from below by a multiple of exp(-2 sqrt nu); exp(-nu) is less by any factor from some nu on, by 1000 at nu = 16.

    No other h does better: if $|H(\nu)|\le Ce^{-a|\nu|}$, then $h(t)=\int H(\nu)e^{i\nu t}d\nu$ is analytic for $|\operatorname{Im}t|<a$, and it is 0 outside $[-1,1]$.
    """
    nu, factor = root**2, 1000
    # e > 27/10
    gained = fmpq(27, 10) ** max(0, nu - 2 * root**power)
    given = {
        "delta": "1/2",
        "c": 1,
        "epsilon": 1,
        "nu": nu,
        "factor": factor,
        "sqrt nu": root,
        "exponent of the lower bound": -2 * root**power,
        "exponent of exp(-nu)": -nu,
    }
    words = {"delta": bool(0 < fmpq(power, 2) < 1), "slower": bool(gained > factor)}
    proof.counterexample(given, words=words, minimal="delta = 1/2, a = 1", witness="nu factor")
