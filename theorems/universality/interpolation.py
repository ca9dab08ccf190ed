"""One function of time and state that is f_k at time k: what it costs (orvieto24, Theorem 4, App. D)."""

from __future__ import annotations

from random import Random

import sympy
from flint import acb, arb, fmpq, fmpz_poly

from ...constructions.universality.spectra import Spectrum, cosine, length, random_spectrum, sine
from ...numerics import exact
from ..claim import claim
from ..evidence import Proof

PI = arb.pi()


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
    topic="universality",
    place="Eq. 23 and after",
    title="a filter with support in [-1, 1] makes sum_k f_k(x) h(t - k) equal f_k at t = k",
    says=r"If $h$ has support in $[-1,1]$ then $\tilde f(x,t)=\sum_kf(x,k)h(t-k)$ satisfies $\tilde f(x,k)=f(x,k)$.",
    reading="f(x, k) on the right, where f(x, t) is printed",
    sabotages={"h(0) = 1": {"filters": (("the hat", hat),)}},
)
def support_is_not_enough(proof: Proof, filters=(("twice the hat", lambda t: 2 * hat(t)), ("1 on [-1, 1]", box))) -> None:
    """At t = k the sum is f_k h(0) + f_(k-1) h(1) + f_(k+1) h(-1). Theorem 8's bump is continuous, so h(1) = 0, but h(0) = 1 is demanded nowhere."""
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
            hypotheses={"h vanishes outside [-1, 1]": all(h(fmpq(t, 4)) == 0 for t in (-9, -6, -5, 5, 6, 9))},
            violates={"the value at t = 1 is not f_1(0) = 1": bool(value != 1)},
            minimal=f"L = {L}",
        )


@claim(
    "orvieto24.eq23.amended",
    topic="universality",
    place="Eq. 23 and after",
    kind="amended",
    amends="orvieto24.eq23",
    title="the filter interpolates every sequence of L functions if and only if h(0) = 1 and h(j) = 0 for 0 < |j| < L; its support does not matter",
    says=r"$\tilde f(\cdot,k)=f_k$ for all $f_1,\dots,f_L$ iff $(h(i-j))_{i,j\le L}$ is the identity.",
    sabotages={"a filter twice as wide": {"good": (lambda t: cubic_spline(t / 2),)}},
)
def nodes_of_the_filter(proof: Proof, good=(hat, cubic_spline)) -> None:
    """The functions f_k may be chosen one by one: f_j = 1 and all others 0 gives h(k - j) at time k."""
    largest = proof.pick(4, 8, 16)
    for L in proof.every(f"L <= {largest}; the hat, the cubic spline", range(1, largest + 1)):
        for h in good:
            matrix = exact.rationals([[h(fmpq(i - j)) for j in range(L)] for i in range(L)])
            proof.exactly("(h(i - j)) is the identity", matrix, exact.identity(L))
        if L > 1:
            bad = exact.rationals([[box(fmpq(i - j)) for j in range(L)] for i in range(L)])
            proof.holds("and it is not for the box", not (bad == exact.identity(L)).all())


@claim(
    "orvieto24.thm4.filter",
    topic="universality",
    place="Theorem 4, proof: the filter; Eq. 37",
    title="for a continuous filter with support in [-1, 1] the constants C_h and C'_h are finite",
    says=r"$C_h=\int|\nu||H(\nu)|d\nu<\infty$ for a filter with support in $[-1,1]$, $h(0)=1$.",
    reading="Eq. 23 asks for the support only; smoothness comes in with Theorem 8",
    sabotages={"the cubic spline's transform": {"transform": lambda nu: 3 * (sympy.sin(nu / 4) / (nu / 4)) ** 4 / (8 * sympy.pi) * 2}},
)
def the_hat_has_none(proof: Proof, transform=lambda nu: (1 - sympy.cos(nu)) / (sympy.pi * nu**2)) -> None:
    """The hat's transform is (1 - cos nu) / (pi nu^2): each period of |nu| |H| adds at least 1 / (pi (m + 1)), a harmonic series. Linear interpolation has a kink."""
    nu = sympy.symbols("nu", positive=True)
    t = sympy.symbols("t", real=True)
    direct = sympy.integrate(2 * (1 - t) * sympy.cos(nu * t), (t, 0, 1)) / (2 * sympy.pi)
    # nu H(nu) = (1 - cos nu) / (pi nu) >= (1 - cos nu) / (2 pi^2 (m + 1)) on [2 pi m, 2 pi (m + 1)], and 1 - cos integrates to 2 pi over a period
    period = sympy.integrate(1 - sympy.cos(nu), (nu, 0, 2 * sympy.pi))
    harmonic = [sum((fmpq(1, m) for m in range(1, 2**k + 1)), fmpq(0)) for k in range(8)]
    proof.counterexample(
        given={"h": "max(0, 1 - |t|)", "H": str(transform(nu)), "C_h over m periods, at least": "(1 + 1/2 + ... + 1/m) 2 / pi"},
        hypotheses={"h(0) = 1, h(1) = h(-1) = 0, continuous": hat(fmpq(0)) == 1 and hat(fmpq(1)) == hat(fmpq(-1)) == 0},
        violates={
            "H is the transform of the hat": bool(sympy.simplify(direct - transform(nu)) == 0),
            "one period of 1 - cos integrates to 2 pi": bool(period == 2 * sympy.pi),
            "the harmonic numbers of 2^k are at least 1 + k/2 (k < 8; Oresme)": all(h >= 1 + fmpq(k, 2) for k, h in enumerate(harmonic)),
        },
        how="symbolic",
        minimal="linear interpolation",
    )


@claim(
    "new.universality.filters",
    topic="universality",
    place="after orvieto24, Theorem 4",
    kind="new",
    title="sinc has C'_h = 1 and C_h = pi/2, the least of all filters; the cubic B-spline on [-1, 1] has 1 and (12/pi) ln 2: no Beurling-Malliavin theorem is needed",
    says=r"$C_h\ge\pi/2$ and $C'_h\ge1$ for every $h$ with $h(0)=1$, $h(j)=0$ at the other integers; $\sin(\pi t)/(\pi t)$ attains both. "
    r"The cubic B-spline with support $[-1,1]$ has $C'_h=1$, $C_h=\tfrac{12}\pi\ln2\approx2.648$.",
    sabotages={
        "a spline of half the width": {"width": fmpq(1, 2)},
        "the triangle wave is shifted": {"wave": lambda nu: sympy.pi - nu},
    },
)
def constants_of_filters(proof: Proof, width=fmpq(1), wave=lambda nu: nu) -> None:
    """tau(nu), the distance to 2 pi Z, is at most |nu|, and its mean is pi/2. So C_h >= integral of tau H = sum_j tau_j h(j) = (pi/2) h(0). For sinc, tau = |nu| on all of its spectrum.

    The spline's transform is positive, so C'_h = h(0) = 1, and C_h = (12/pi) times the integral of sin^4 x / x^3, which is ln 2."""
    nu, j = sympy.symbols("nu", positive=True), sympy.symbols("j", integer=True, nonzero=True)
    mean = sympy.integrate(wave(nu), (nu, 0, sympy.pi)) / sympy.pi
    proof.symbolically("the mean of tau is pi/2", mean, sympy.pi / 2, free="nu")
    coefficient = sympy.simplify(sympy.integrate(wave(nu) * sympy.cos(j * nu), (nu, 0, sympy.pi)) / sympy.pi)
    proof.symbolically(
        "its other Fourier coefficients are those of a triangle wave, summable", coefficient, ((-1) ** j - 1) / (sympy.pi * j**2), free="j"
    )
    proof.symbolically("C_h of sinc, H = 1/(2 pi) on [-pi, pi]", sympy.integrate(nu / sympy.pi, (nu, 0, sympy.pi)), sympy.pi / 2, free="nu")
    proof.symbolically("C'_h of sinc", sympy.integrate(1 / sympy.pi, (nu, 0, sympy.pi)), 1, free="nu")
    x = sympy.symbols("x", real=True)
    proof.symbolically(
        "two integrations by parts: (sin^4)'' = 2 cos 2x - 2 cos 4x",
        sympy.expand_trig(sympy.diff(sympy.sin(x) ** 4, x, 2)),
        sympy.expand_trig(2 * sympy.cos(2 * x) - 2 * sympy.cos(4 * x)),
        free="x",
    )
    spline = _spline_constant(width, proof.pick(40, 120, 400))
    proof.certified(
        "C_h of the cubic spline is (12/pi) ln 2",
        bool(spline.overlaps(12 / PI * arb.const_log2())) and bool(spline.rad() < arb("0.01")),
        str(spline),
    )
    total = _integral(lambda z: 3 / PI * z.sinc() ** 4, proof.pick(40, 120, 400), tail=lambda end: 1 / (PI * end**3))
    proof.certified("C'_h = 1", bool(total.overlaps(arb(1))) and bool(total.rad() < arb("0.01")), str(total))


def _spline_constant(width: fmpq, periods: int) -> arb:
    """C_h of the cubic spline on [-width, width]: (12 / (pi width)) times the integral of sin^4 x / x^3."""
    core = _integral(lambda z: z.sinc() ** 3 * z.sin(), periods, tail=lambda end: 1 / (2 * end * end))
    return 12 / PI / arb(width) * core


def _integral(f, periods: int, tail) -> arb:
    """A ball around the integral of f >= 0 over [0, inf): Arb's rigorous integration up to ``periods`` pi, and a remainder between 0 and ``tail(end)``."""
    end = PI * periods
    body = acb.integral(lambda z, _: f(z), 0, acb(end)).real
    return body + arb(0).union(tail(end))


# -- the constant of the interpolation ---------------------------------------------------------------------------------------------


@claim(
    "orvieto24.eq27",
    topic="universality",
    place="Eq. 27 and 28",
    title="the transform of h(t - k) is exp(i nu k) H(nu)",
    says=r"$\frac1{2\pi}\int h(t-k)e^{-i\nu t}dt=e^{i\nu k}H(\nu)$.",
    reading="with the transform of Eq. 24; harmless, since moduli follow in (29)",
    sabotages={"the other sign in the transform": {"sign": 1}},
)
def shifted_filter(proof: Proof, sign: int = -1) -> None:
    """A shift by k multiplies the transform by exp(-i nu k)."""
    t, nu = sympy.symbols("t nu", real=True)
    gaussian = sympy.exp(-(t**2) / 2)

    def transform(h):
        return sympy.simplify(
            sympy.integrate(sympy.expand(h * sympy.exp(sign * sympy.I * nu * t)), (t, -sympy.oo, sympy.oo)) / (2 * sympy.pi)
        )

    H, shifted = transform(gaussian), transform(gaussian.subs(t, t - 1))
    proof.counterexample(
        given={"h": str(gaussian), "k": 1, "transform of h(t - 1)": str(shifted), "exp(i nu) H": str(sympy.exp(sympy.I * nu) * H)},
        hypotheses={},
        violates={
            "they differ at nu = pi/2": bool(sympy.simplify((shifted - sympy.exp(sympy.I * nu) * H).subs(nu, sympy.pi / 2)) != 0),
            "it is exp(-i nu) H": bool(sympy.simplify(shifted / H - sympy.exp(-sympy.I * nu)) == 0),
        },
        how="symbolic",
        minimal="L = 1",
    )


def interpolated(functions: list[Spectrum], pieces: int) -> arb:
    """A ball around the integral of |(w, nu)| |F~(w, nu)| for the sinc interpolation of f_1, ..., f_L.

    F~(w, nu) = sum_k F_k(w) exp(-i nu k) / (2 pi) for |nu| <= pi. The range of nu is cut into ``pieces``, on each of which the integrand is enclosed whole.
    """
    frequencies = sorted({w for f in functions for w in f.atoms})
    total = arb(0)
    for i in range(pieces):
        nu = arb(PI * (2 * i - pieces) / pieces).union(PI * (2 * i + 2 - pieces) / pieces)
        turns = [acb(0, -nu * k).exp() for k in range(1, len(functions) + 1)]
        for w in frequencies:
            value = sum((acb(*(arb(x) for x in f.atoms.get(w, (0, 0)))) * turn for f, turn in zip(functions, turns, strict=True)), acb(0))
            # |nu| by itself where w = 0: a ball that holds 0 has no square root
            total += abs(value) * ((length(w) ** 2 + nu**2).sqrt() if any(w) else abs(nu)) / pieces
    return total


def below(functions: list[Spectrum], bound: arb) -> tuple[bool, arb]:
    """Whether the constant of the sinc interpolation is certainly at most ``bound``, and a ball around it; undecided at 3200 pieces counts as no."""
    pieces = 100
    while True:
        value = interpolated(functions, pieces)
        if value <= bound or value > bound or pieces >= 3200:
            return bool(value <= bound), value
        pieces *= 2


@claim(
    "orvieto24.eq33",
    topic="universality",
    place="Eq. 33 to 35",
    title="the interpolation has Barron constant at most C_(f_k) C'_h + C_h C'_(f_k), for a single k",
    says=r"$\tilde C\le C_{f_k}C'_h+C_hC'_{f_k}$.",
    reading="as printed, the sum over k being lost after (32); for the k with the largest right-hand side",
    sabotages={"one function": {"functions": lambda w: [cosine((w,))]}},
)
def lost_sum(proof: Proof, functions=lambda w: [cosine((w,)), cosine((w,))]) -> None:
    """Twice the same wave cos(w x) under sinc: |exp(-i nu) + exp(-2 i nu)| has mean 4/pi, so C~ >= (4/pi) w, more than w + pi/2 once w >= 6."""
    given = {}

    def breaks(w):
        f = functions(w)
        constant = interpolated(f, 400)
        single = max((g.barron + PI / 2 * g.fourier_norm for g in f), key=float)
        given.update({"w": w, "C~": constant.str(4), "C_f + (pi/2) C'_f": single.str(6, radius=False)})
        return bool(constant > single)

    found = proof.smallest("L = 2, f_1 = f_2 = cos(w x), w = 1, 2, ...", range(1, 12), breaks)
    if found:
        proof.counterexample(
            given={"L": 2, "f_1 = f_2": f"cos({found[0]} x)", "h": "sinc, C'_h = 1, C_h = pi/2", **given},
            hypotheses={},
            violates={"C~ exceeds the bound (balls)": breaks(found[0])},
            how="certified",
            minimal=f"L = 2, w = {found[0]}",
        )


@claim(
    "orvieto24.thm4.amended",
    topic="universality",
    place="Theorem 4",
    kind="amended",
    amends="orvieto24.eq33",
    title="with the sum over k the bound holds, and with the best filter reads: the sum of C_(f_k) + (pi/2) C'_(f_k)",
    says=r"$\tilde C\le\sum_{k\le L}\bigl(C_{f_k}C'_h+C_hC'_{f_k}\bigr)$; $C'_h=1$, $C_h=\tfrac\pi2$ for $h=\operatorname{sinc}$. It holds for Fourier measures. It is $O(L)$ only if all $C_{f_k}$ and $C'_{f_k}$ are bounded.",
    uses=("new.universality.filters", "orvieto24.eq23.amended"),
    sabotages={
        "half of pi/2": {"constant": PI / 4},
        "the sum is lost": {"add": lambda terms: max(terms, key=float)},
    },
)
def sum_of_constants(proof: Proof, constant=PI / 2, add=lambda terms: sum(terms, arb(0))) -> None:
    """|(w, nu)| <= |w| + |nu| and |F~(w, nu)| <= |H(nu)| sum_k |F_k(w)|."""
    rng = Random(131)
    cases = [
        [random_spectrum(rng, 1 + i % 2) + cosine((1,) * (1 + i % 2), 5) for _ in range(1 + i % 4)] for i in range(proof.pick(4, 10, 30))
    ]
    cases += [[cosine((1,))], [cosine((8,))] * 3]
    for functions in proof.each("random sums of waves of one or two variables, L <= 4; one wave; equal waves", cases):
        bound = add([f.barron + constant * f.fourier_norm for f in functions])
        holds, value = below(functions, bound)
        proof.certified("C~ is at most the sum", holds, f"{value} > {bound}")
    proof.certified("for f_1 = 1 they are equal", bool(interpolated([cosine((0,))], 200).overlaps(constant)))


@claim(
    "new.universality.root",
    topic="universality",
    place="after orvieto24, Theorem 4",
    kind="new",
    title="the constant of the interpolation is O(sqrt L), not O(L), and no extension does better in general",
    says=r"With sinc, $\tilde C\le\int\sqrt{\|w\|^2+\pi^2/3}\,\bigl(\sum_k|F_k(w)|^2\bigr)^{1/2}dw$, so $\sqrt L$ times a constant under a common envelope $|F_k|\le E$. "
    r"For $f_k(x)=s_k\cos(wx)$ with Rudin-Shapiro signs every extension $\tilde f$ has $\tilde C\ge w\sqrt{L/2}$.",
    uses=("new.universality.filters",),
    sabotages={
        "half the mean of nu^2": {"spread": PI * PI / 6 / 4},
        "all signs equal": {"next_pair": lambda p, q, n: (p + q * fmpz_poly([0] * n + [1]), q + p * fmpz_poly([0] * n + [1]))},
    },
)
def square_root_of_the_length(
    proof: Proof, spread=PI * PI / 3, next_pair=lambda p, q, n: (p + q * fmpz_poly([0] * n + [1]), p - q * fmpz_poly([0] * n + [1]))
) -> None:
    """Cauchy and Schwarz over nu in [-pi, pi]: the mean of |w|^2 + nu^2 is |w|^2 + pi^2/3, that of |sum_k F_k exp(-i nu k)|^2 is sum |F_k|^2.

    Below: pair f~ with P(nu) = sum_k s_k exp(i nu k) and the wave: L = integral of F~ P over |w'| = w, at most max|P| C~ / w, and |P|^2 + |Q|^2 = 2 L for a Golay pair."""
    w, nu = sympy.symbols("w nu", positive=True)
    proof.symbolically(
        "the mean of w^2 + nu^2", sympy.integrate(w**2 + nu**2, (nu, 0, sympy.pi)) / sympy.pi, w**2 + sympy.pi**2 / 3, free="w"
    )
    rng = Random(132)
    cases = [[random_spectrum(rng, 1) for _ in range(1 + i % 5)] for i in range(proof.pick(4, 10, 30))]
    cases += [[cosine((0,))], [cosine((1,)), sine((1,)), cosine((1,), -1)]]
    for functions in proof.each("random sums of waves, L <= 5; a constant; quarter turns", cases):
        bound = arb(0)
        for frequency in {v for f in functions for v in f.atoms}:
            squares = sum((length(f.atoms.get(frequency, (fmpq(0), fmpq(0)))) ** 2 for f in functions), arb(0))
            bound += (length(frequency) ** 2 + spread).sqrt() * squares.sqrt()
        holds, value = below(functions, bound)
        proof.certified("C~ is at most the root of squares", holds, f"{value} > {bound}")
    most = proof.pick(6, 9, 12)
    p, q = fmpz_poly([1]), fmpz_poly([1])
    for m in proof.every(f"L = 2^m, m <= {most}", range(most + 1)):
        L = 2**m
        flipped = [fmpz_poly(list(reversed(poly.coeffs()))) for poly in (p, q)]
        # on the circle z^(L-1) conj(P(z)) is the reversed polynomial
        proof.exactly("|P|^2 + |Q|^2 = 2 L on the circle", p * flipped[0] + q * flipped[1] == fmpz_poly([0] * (L - 1) + [2 * L]), True)
        proof.exactly("all coefficients are signs", {abs(int(c)) for c in p.coeffs()}, {1})
        p, q = next_pair(p, q, L)


@claim(
    "orvieto24.thm8",
    topic="universality",
    place="Theorem 8, App. D",
    title="a smooth bump on [-1, 1] with a decreasing positive transform between exp(-(1 +- eps) c nu^delta), delta < 1",
    says=r"For $\delta\in(0,1)$, $c>0$ some $h\in C^\infty$ is real, even, nonnegative, supported in $[-1,1]$, with $H$ decreasing for $\nu\ge0$ and $e^{-(1+\epsilon)c\nu^\delta}\lesssim H\lesssim e^{-(1-\epsilon)c\nu^\delta}$.",
    reading="the decay is that of a stretched exponential; 'exponentially decaying' (delta = 1) is impossible: h would be analytic and vanish on an interval",
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
