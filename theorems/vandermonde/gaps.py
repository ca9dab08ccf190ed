"""What a gap in the nodes costs, and so how few random nodes on the circle are too few (after orvieto24, Sec. 4.1)."""

from __future__ import annotations

from random import Random

import numpy as np
import sympy
from flint import arb, arb_mat, fmpq, fmpq_poly, fmpz_poly

from ...constructions.vandermonde import gap_polynomial, sine_window
from ...numerics.aliases import Exact
from ...numerics.enclosures import certified_condition_number
from ...numerics.vandermonde import squared_modulus, vandermonde
from ..claim import claim
from ..evidence import Proof

# -- a gap in the nodes ------------------------------------------------------------------------------------------------------------


def chebyshev(m: int, x: fmpq) -> fmpq:
    """T_m(x), exact."""
    return fmpq_poly(fmpz_poly.chebyshev_t(m))(x)


def forced(m: int, mean: fmpq, c: fmpq) -> fmpq:
    """The bound of kappa^2: (T_m(z) - 1) / 2 for z = (1 + mean) / c^2 - 1, the mean of 2 (cos(t/2)/c)^2 - 1 under the window."""
    return (chebyshev(m, (1 + mean) / c**2 - 1) - 1) / 2


def _moment(d: int) -> arb:
    """The mean of exp(i d t) over 1/2 < t < 2 pi - 1/2, times the share of that arc."""
    return -(arb(d) / 2).sin() / (arb.pi() * d) if d else 1 - 1 / (2 * arb.pi())


def _quotient(gram: arb_mat, v: np.ndarray) -> arb:
    """v . G v / v . v for a vector of doubles."""
    column = arb_mat([[float(x)] for x in v])
    return (column.transpose() * gram * column)[0, 0] / (column.transpose() * column)[0, 0]


@claim(
    "new.vandermonde.gap",
    place="after orvieto24, Sec. 4.1, 'r_min -> 1'",
    title="an arc of length g without nodes forces κ ≥ sinh(m arcosh(cos(π/(2k+4)) / cos(g/4))), m + k = L − 1",
    says=r"If no node lies in an open arc of length $g<2\pi$ of the circle, all nodes lie on the circle, and $m+k=L-1$, $\tfrac\pi{2k+4}\le\tfrac g4$, then "
    r"$\kappa(V_L)\ge\sinh\bigl(m\operatorname{arcosh}\tfrac{\cos(\pi/(2k+4))}{\cos(g/4)}\bigr)$, whatever $N$; and the same holds for $BV_L$ with any diagonal matrix $B$ of input weights.",
    known="That gaps spoil the condition is known (Groechenig 1992: gaps below 2 pi / L are harmless; Pan 2016: nodes must be nearly equally spaced; the least eigenvalue for a full circle but an arc is Slepian's, "
    "exp(-L g / 2) to first order, which this bound has for kappa^-2). "
    "Barnett (arXiv 2004.09643; abstract read) has explicit, non-asymptotic lower bounds for equally spaced nodes on an arc; Shah and Urschel (arXiv 2604.15135; abstract read) have the exact rate for squares, and bounds for Vandermonde matrices, which we have not compared with this one. "
    "New to us is that nodes outside the arc may lie anywhere, with any input weights.",
    remarks=(
        "The bound is far from sharp for short arcs. For g = 1 and L = 10 it is at most 0.49. Equally spaced nodes outside the arc have a condition number above 2.5 (16 nodes) and above 4.3 (in the limit of many).",
    ),
    construction="lemmata.constructions.vandermonde.gap_polynomial",
    sabotages={
        "the cosine of g/2 for that of g/4": {"polynomial": lambda m, c: gap_polynomial(m, 2 * c * c - 1)},
        "no polynomial": {"polynomial": lambda m, c: [fmpq(1)] + [fmpq(0)] * m},
        "twice the bound": {"bound": lambda m, mean, c: 4 * forced(m, mean, c)},
        "a node in the gap": {"most": lambda c: 2 * c * c - fmpq(19, 20)},
    },
)
def gaps_are_felt(proof: Proof, polynomial=gap_polynomial, bound=forced, most=lambda c: 2 * c * c - 1) -> None:
    r"""A polynomial that is small outside the gap and large in it, times one that is concentrated there. Let $c=\cos(g/4)$, the gap centred at $1$, and $y(t)=\cos(t/2)/c$.

    1. $P_m(e^{it})=e^{imt/2}T_m(y(t))$ is a polynomial of degree $m$ in $e^{it}$: $P_0=1$, $P_1=(1+z)/2c$, $P_{m+1}=\tfrac{1+z}cP_m-zP_{m-1}$. [checked: "the half-angle goes away"; "the recurrence of T_m"; "at the nodes |P_m|^2 = T_m(y)^2"]
    2. Outside the gap $|y|\le1$, so $|P_m|\le1$ at every node. [checked: "no node in the gap"; "|P_m| <= 1 at every node"; "T_m(cos p) = cos(m p)"]
    3. Let $f\in\mathbb R^{k+1}$, $F(z)=\sum f_jz^j$ and $q$ the coefficients of $Q=P_mF$, of degree $L-1$. For any weights $\sigma_{\min}^2|q|^2\le\sum_ib_i^2|Q(\lambda_i)|^2\le\sum_ib_i^2|F(\lambda_i)|^2\le\sigma_{\max}^2|f|^2$, so
       $\kappa^2\ge|q|^2/|f|^2$: the mean of $T_m(y(t))^2$ with the weight $|F(e^{it})|^2/|f|^2$. [prose] [checked: "two inputs show it"]
    4. $T_m(y)^2=\tfrac12(T_m(z)+1)$, $z=2y^2-1=(1+\cos t)/c^2-1$, is at least $0$ and at least $\psi(z)=\tfrac12(T_m(z)-1)$ for $z\ge1$; $\max(0,\psi)$ is convex and does not fall, because all coefficients of $T_m(1+s)$ are positive, by induction: $T_{m+1}-T_m=(T_m-T_{m-1})+2sT_m$.
       So the mean is at least $\psi$ of the mean of $z$ (Jensen). [prose] [checked: "T_m(y)^2 in terms of z"; "the coefficients of T_m(1 + s) grow"; "the ratio of the two inputs is at least the bound"]
    5. For $f_j=\sin\frac{\pi(j+1)}{k+2}$ the mean of $\cos t$ is $\sum f_jf_{j+1}/\sum f_j^2=\cos\frac\pi{k+2}$, so $z=2x^2-1$ with $x=\cos(\tfrac\pi{2k+4})/c$, and $\psi(z)=T_m(x)^2-1=\sinh^2(m\operatorname{arcosh}x)$.
       [checked: "neighbours of the window"; "the mean of z is 2 x^2 - 1"; "psi(2 x^2 - 1) is a square of sinh"]

    Beside the argument the bound is compared with equally spaced nodes for $g=1$, $L=10$.
    """
    t, p, u, c, z, s = sympy.symbols("t p u c z s", positive=True)
    m = sympy.symbols("m", integer=True, positive=True)
    spin = sympy.exp(sympy.I * t / 2)
    proof.symbolically("the half-angle goes away", 2 * sympy.cos(t / 2).rewrite(sympy.exp) * spin, 1 + sympy.exp(sympy.I * t), free="t")
    T = sympy.Function("T")
    step = (2 * sympy.cos(t / 2) / c * T(m) - T(m - 1)) * spin ** (m + 1)
    written = ((1 + z) / c * T(m) * spin**m - z * T(m - 1) * spin ** (m - 1)).subs(z, sympy.exp(sympy.I * t))
    proof.symbolically(
        "the recurrence of T_m becomes that of P_m",
        sympy.powsimp(sympy.expand(step.rewrite(sympy.exp))),
        sympy.powsimp(sympy.expand(written)),
        free="t, c, m",
    )
    cosines = 2 * sympy.cos(p) * sympy.cos(m * p) - sympy.cos((m - 1) * p)
    proof.symbolically("T_m(cos p) = cos(m p), the step", sympy.expand_trig(cosines), sympy.expand_trig(sympy.cos(m * p + p)), free="m, p")
    a, j = sympy.symbols("alpha j", real=True)
    around = sympy.expand_trig(sympy.sin(j * a) + sympy.sin((j + 2) * a) - 2 * sympy.cos(a) * sympy.sin((j + 1) * a))
    proof.symbolically(
        "neighbours of the window: sin(j a) + sin((j + 2) a) = 2 cos(a) sin((j + 1) a)", sympy.simplify(around), 0, free="a, j"
    )
    x = sympy.cos(a / 2) / c
    proof.symbolically("the mean of z is 2 x^2 - 1", (1 + sympy.cos(a)) / c**2 - 1, 2 * x**2 - 1, free="a, c")
    proof.symbolically(
        "psi(2 x^2 - 1) is a square of sinh",
        ((sympy.cosh(2 * m * u) - 1) / 2).rewrite(sympy.exp),
        (sympy.sinh(m * u) ** 2).rewrite(sympy.exp),
        free="m, x = cosh(u)",
    )
    V, W = sympy.symbols("T_m T_l")
    proof.symbolically(
        "the coefficients of T_m(1 + s) grow: T_(m+1) - T_m = (T_m - T_(m-1)) + 2 s T_m",
        2 * (1 + s) * V - W - V,
        (V - W) + 2 * s * V,
        free="s, T",
    )
    rng = Random(151)
    cases = ((3, 2, fmpq(4, 5)), (5, 3, fmpq(4, 5)), (8, 7, fmpq(9, 10)), (20, 11, fmpq(19, 20)))
    for degree, k, c_ in proof.each(
        "(m, k, cos(g/4)) = (3, 2, 4/5), (5, 3, 4/5), (8, 7, 9/10), (20, 11, 19/20), 2 L nodes with rational cosines and weights, seed 151",
        cases,
    ):
        high = most(c_)
        cosine = [high, fmpq(-1), *(-1 + (1 + high) * fmpq(rng.randint(0, 1000), 1000) for _ in range(2 * (degree + k)))]
        weight = [fmpq(rng.randint(1, 9), 3) for _ in cosine]
        f, P = sine_window(k), polynomial(degree, c_)
        q = [sum((P[i] * f[n - i] for i in range(degree + 1) if 0 <= n - i <= k), fmpq(0)) for n in range(degree + k + 1)]
        proof.holds("no node in the gap", all(x_ <= 2 * c_ * c_ - 1 for x_ in cosine))
        small = [squared_modulus(P, x_) for x_ in cosine]
        proof.exactly(
            "at the nodes |P_m|^2 = T_m(y)^2 = (T_m(z) + 1)/2", small, [(chebyshev(degree, (1 + x_) / c_**2 - 1) + 1) / 2 for x_ in cosine]
        )
        proof.holds("|P_m| <= 1 at every node", all(v <= 1 for v in small))
        of_q, of_f = (sum((b * squared_modulus(w, x_) for b, x_ in zip(weight, cosine, strict=True)), fmpq(0)) for w in (q, f))
        ratio: Exact = sum(v * v for v in q) / sum(v * v for v in f)
        mean = sum((f[i] * f[i + 1] for i in range(k)), fmpq(0)) / sum(v * v for v in f)
        # the Rayleigh quotients of V* B^2 V at f and at q: their ratio is at most kappa^2
        proof.holds("two inputs show it: the quotients at f and q differ by |q|^2/|f|^2 at least", bool(of_f / of_q * ratio >= ratio > 1))
        proof.exactly(
            "T_m(y)^2 in terms of z: T_2m(y) = 2 T_m(y)^2 - 1 = T_m(2 y^2 - 1)",
            fmpz_poly.chebyshev_t(2 * degree),
            fmpz_poly.chebyshev_t(degree)(fmpz_poly([-1, 0, 2])),
        )
        proof.holds(
            "the ratio of the two inputs is at least the bound, and less than three times",
            bool(bound(degree, mean, c_) <= ratio <= 3 * bound(degree, mean, c_) + 3),
        )
        proof.certificate(
            "witness",
            f"L = {degree + k + 1}, {len(cosine)} nodes",
            cosines=cosine,
            weights=weight,
            c=c_,
            window=f,
            degree=degree,
            polynomial=P,
        )
    with proof.beside():
        quarter, best = arb(1) / 4, [arb.pi() / (2 * k + 4) for k in range(9)]
        seen = [((9 - k) * (a.cos() / quarter.cos()).acosh()).sinh() for k, a in enumerate(best) if a < quarter]
        proof.certified("g = 1, L = 10: the bound is below 0.49 for every k", bool(seen) and all(v < arb("0.49") for v in seen))
        spaced = np.exp(1j * np.linspace(0.5, 2 * np.pi - 0.5, 16))
        proof.certified(
            "g = 1, L = 10: 16 equally spaced nodes have more than 2.5", bool(certified_condition_number(spaced, 10) > arb("2.5"))
        )
        # the Gram matrix of the uniform weight outside the arc; any two vectors bound kappa^2 from below
        gram = arb_mat([[_moment(i - j) for j in range(10)] for i in range(10)])
        low, *_, high = np.linalg.eigh([[float(x.mid()) for x in row] for row in gram.tolist()])[1].T
        stretch, shrink = (_quotient(gram, v) for v in (high, low))
        proof.certified("g = 1, L = 10: in the limit of many they have more than 4.3", bool(stretch / shrink > arb("4.3") ** 2))


# -- random nodes have gaps ------------------------------------------------------------------------------------------------------


def no_gap(nodes: int, x: fmpq) -> fmpq:
    """The probability that none of the gaps between uniform nodes on a circle of length 1 exceeds x (Whitworth 1897; Stevens 1939)."""
    total, binomial = fmpq(0), 1
    for j in range(nodes + 1):
        if j * x < 1:
            total += (-1) ** j * binomial * (1 - j * x) ** (nodes - 1)
        binomial = binomial * (nodes - j) // (j + 1)
    return total


def by_second_moment(nodes: int, x: fmpq) -> fmpq:
    """1 / (N (1 - x)^(N - 1)): one over the mean number of gaps above x."""
    return 1 / (nodes * (1 - x) ** (nodes - 1))


@claim(
    "new.vandermonde.logarithm",
    place="after orvieto24, Sec. 4.1, 'r_min -> 1'",
    title="about L ln L random nodes on the circle are needed: N = ρL have κ ≥ L to the power π/(4ρ) − o(1) with high probability",
    says=r"$N$ independent uniform nodes on the circle, $0<\eta<1<\eta N$, $\ell=\ln(\eta N)$, $b=\tfrac{\pi\ell}{2(N-1+\ell)}$, $m+k=L-1$, $a=\tfrac\pi{2k+4}\le b$: $\kappa(V_L)\ge\sinh(m\sqrt{b^2-a^2})$ with probability at least $1-\eta$, whatever the input weights. "
    r"So for $L\ge404$ and $N\le\tfrac13L\ln L$, $\kappa(V_L)\ge2.48$ with probability at least $\tfrac12$; and for $N=\rho L$, $L\to\infty$, with probability at least $1-N^{-1/2}$, $\kappa(V_L)\ge L^{\pi/4\rho-o(1)}$.",
    known="The largest of N spacings is about ln(N)/N of the circle (Whitworth, Stevens, Levy). For N = L the least singular value of random nodes is known to be tiny (Tucci and Whiting 2012); that const L ln L random samples are enough is known too (Groechenig, Poetscher, Rauhut 2007). "
    "That fewer cannot do, with a rate, we did not find.",
    hypotheses=("independent uniform angles", "kappa is infinite if N < L"),
    remarks=(
        "The constant 2.48 is far from sharp. Twelve draws of N = 808 nodes for L = 404 (default_rng(404)) have condition numbers between 83 and 1366; the theorem says 2.48.",
    ),
    sabotages={
        "a fifth of the probability": {"chance": lambda nodes, x: by_second_moment(nodes, x) / 5},
        "a stronger constant": {"factor": "2.49"},
        "the squares are added": {"depth": lambda a, b: (a * a + b * b).sqrt()},
    },
)
def random_nodes_have_gaps(proof: Proof, chance=by_second_moment, factor: str = "2.48", depth=lambda a, b: (b * b - a * a).sqrt()) -> None:
    r"""The number $Z$ of gaps longer than the share $x$ of the circle has a small variance, so it is not $0$; then the bound for one gap.

    1. The arc of length $x$ after a node is free with probability $(1-x)^{N-1}$; those after two nodes are both free with probability $(1-2x)_+^{N-1}\le(1-x)^{2(N-1)}$: the second node lies outside $x$ on both sides of the first, the others outside both arcs.
       So $\operatorname{Var}Z\le\mathbb EZ$ and (Chebyshev) $P(Z=0)\le1/\mathbb EZ=1/(N(1-x)^{N-1})$. [prose] [checked: "two arcs are not free more often"; "Whitworth's probability is at most that"]
    2. For $x=\ell/(N-1+\ell)$: $-\ln(1-x)\le x/(1-x)=\ell/(N-1)$, so $N(1-x)^{N-1}\ge Ne^{-\ell}=1/\eta$. [checked: "x / (1 - x) = l / (N - 1)"] [prose]
    3. A gap of length $g=2\pi x$ has $\cos(g/4)=\cos b$; and $\cos a\ge\cos b\cosh\sqrt{b^2-a^2}$, because $\frac d{ds}\ln\cos\sqrt{b^2-s}=\frac{\tan}{2\sqrt{b^2-s}}\ge\frac12\ge\frac{\tanh\sqrt s}{2\sqrt s}=\frac d{ds}\ln\cosh\sqrt s$. So $\operatorname{arcosh}\frac{\cos a}{\cos b}\ge\sqrt{b^2-a^2}$.
       [uses: new.vandermonde.gap] [prose] [checked: "arcosh(cos a / cos b) is at least the root"; "and at most a quarter more"]
    4. $N\le\frac13L\ln L$: more nodes have smaller gaps, so let $N$ be the largest such integer. For $L\ge404$ it is at least $2L$, so with $\eta=\frac12$ $\ell\ge\ln L$, and $b\ge\frac{3\pi}{2(L+3)}$. With $k+2=\lceil\frac9{16}L\rceil$, $a\le\frac{8\pi}{9L}$ and $m\ge\frac7{16}L$:
       $m\sqrt{b^2-a^2}\ge\frac{7\pi}{16}\sqrt{\frac94(\frac L{L+3})^2-\frac{64}{81}}$, which grows with $L$. [checked: "L = 404: L ln L / 3 is at least 2 L"; "b is 3 pi / (2 (L + 3)) for l = ln L, N = L ln(L) / 3"; "L = 404: the bound"; "L / (L + 3) grows"]
    5. $N=\rho L$: with $\eta=N^{-1/2}$, $\ell=\frac12\ln N$ and $k=\lceil L/\sqrt\ell\rceil$, $a/b\to0$ and $m/L\to1$, so the exponent is $(1-o(1))Lb=(1-o(1))\frac\pi{4\rho}\ln N$. [prose]
    """
    x, N, ell, L = sympy.symbols("x N l L", positive=True)
    proof.symbolically(
        "two arcs are not free more often than independent ones: the difference is x^2", (1 - x) ** 2 - (1 - 2 * x), x**2, free="x"
    )
    share = ell / (N - 1 + ell)
    proof.symbolically("x / (1 - x) = l / (N - 1)", share / (1 - share), ell / (N - 1), free="l, N")
    largest = proof.pick(20, 30, 60)
    for nodes in proof.each(f"N <= {largest}, x = 1/40, ..., 20/40", range(2, largest + 1)):
        for i in range(1, 21):
            exact = no_gap(nodes, fmpq(i, 40))
            proof.holds("Whitworth's probability is at most that", bool(0 <= exact <= chance(nodes, fmpq(i, 40))))
    # N = 2: one node at 0, the other anywhere; the longer gap is at most x with probability 2 x - 1
    proof.exactly(
        "Whitworth's probability for two nodes", [no_gap(2, fmpq(i, 8)) for i in range(4, 9)], [fmpq(2 * i, 8) - 1 for i in range(4, 9)]
    )
    for i in proof.each("b = 1/12, ..., 9/12, a = b/5, ..., 4b/5", range(1, 10)):
        for j in range(1, 5):
            b = arb(i) / 12
            a = b * j / 5
            exact, root = (a.cos() / b.cos()).acosh(), depth(a, b)
            proof.certified("arcosh(cos a / cos b) is at least the root", bool(exact >= root))
            proof.certified("and at most a quarter more", bool(exact <= root * arb(5) / 4))
    log = sympy.log(L)
    proof.symbolically(
        "b is 3 pi / (2 (L + 3)) for l = ln L, N = L ln(L) / 3, one node more",
        sympy.pi * log / (2 * (L * log / 3 + log)),
        3 * sympy.pi / (2 * (L + 3)),
        free="L",
    )
    proof.certified("L = 404: L ln L / 3 is at least 2 L", bool(arb(404).log() > 6))
    proof.symbolically("L / (L + 3) grows: its slope is 3 / (L + 3)^2", sympy.diff(L / (L + 3), L), 3 / (L + 3) ** 2, free="L")
    exponent = 7 * arb.pi() / 16 * (arb(9) / 4 * (arb(404) / 407) ** 2 - arb(64) / 81).sqrt()
    proof.certified("L = 404: the bound", bool(exponent.sinh() >= arb(factor)))
    draws = np.random.default_rng(404)
    with proof.beside():
        for _ in proof.each("beside it, twelve draws of 808 nodes for L = 404", range(proof.pick(1, 12, 12))):
            nodes = np.exp(1j * draws.uniform(0, 2 * np.pi, 808))
            proof.closely(
                "drawn: above 83 and below 1366, so 2.48 is far from sharp", abs(np.linalg.cond(vandermonde(nodes, 404)) - 724.5), 641.5
            )
