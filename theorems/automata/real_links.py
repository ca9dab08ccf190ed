"""Stacks over the reals: real numbers pass between layers, states are bounded, the decoder has a margin. What is star-free then, and what the hypotheses are for."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import sympy
from flint import arb

from ..claim import claim
from ..evidence import Proof

STATES = "all states are bounded; a layer reads the letter and the states of the layers below, before and after the letter; no position"
LINKS = "A and b are uniformly continuous functions of the states below, for each letter, on what is reached"
DECODER = "the decoder is a uniformly continuous real function of all states and the letter, at least 1 on words of the language and at most 0 on all others"
NORMALISERS = "a normalisation has an epsilon, so that it is continuous at 0; short convolutions are allowed"

KNOWN = (
    "for layers with finite precision grazzi25, Theorem 1, and Sarrof, Veitsman, Hahn (arXiv 2405.17394); for finitely many values between layers new.automata.margin.semidefinite; "
    "Knorozova and Ronca (arXiv 2405.11657) have star-free languages by positive recurrent weights. That averaged maps have steps that tend to 0 is Baillon, Bruck and Reich (1978). "
    "For real numbers between layers nothing was found. From memory."
)


@claim(
    "new.automata.reals.star-free",
    place="after grazzi25 Theorem 1",
    title="averaged transitions with one constant, bounded real states, continuous links, a margin: star-free languages only",
    says=r"Let all transitions satisfy $|g|^2-|Ag|^2\ge c\,|g-Ag|^2$ with one $c>0$, let states be bounded real vectors, links and decoder uniformly continuous, and let a regular language be decided with a margin at every length. Then it is star-free, at every depth and width. "
    r"So it is for diagonal decays in $[0,1]$ (Mamba, GLA) and for DeltaNet and Gated DeltaNet with $\beta|k|^2\le2-\delta$, where $c=\frac\delta{2-\delta}$, and for products of boundedly many such factors.",
    hypotheses=(STATES, LINKS, DECODER, NORMALISERS),
    known=KNOWN,
    remarks=(
        "States need not converge: only steps from one repetition to the next tend to 0. A vector (cos log k, sin log k) turns for ever and so slowly that it does no harm.",
        "The constant must be one for all transitions (new.automata.reals.uniform), states bounded (new.automata.reals.unbounded), and normalisation continuous (new.automata.reals.normalised).",
        "The converse over the reals is OPEN for decays strictly inside (0, 1); a bit they do hold (new.automata.reals.open-gates).",
    ),
    sabotages={
        "the constant is larger": {"constant": lambda b: (2 - b) / b + sympy.Rational(1, 4)},
        "the factor is not symmetric": {"length": lambda k, g: sympy.Symbol("other")},
        "the steps of the layer above leave out the change of b": {"change": lambda e, b, b1: e},
        "states need not be bounded, which the kernel refutes": {"theorem": "averaged_stacks.unbounded_stacks_come_to_rest"},
    },
)
def averaged_stacks_are_star_free(
    proof: Proof,
    constant: Callable[[Any], Any] = lambda b: (2 - b) / b,
    length: Callable[[Any, Any], Any] = lambda k, g: k * g,
    change: Callable[[Any, Any, Any], Any] = lambda e, b, b1: e + b1 - b,
    theorem: str = "averaged_stacks.stacks_come_to_rest",
) -> None:
    r"""While a word is repeated, the steps from one repetition to the next tend to 0, layer by layer.

    1. A factor $P=I-bkk^\top$, $|k|=1$: with $x=k\cdot g$, $|g|^2-|Pg|^2=b(2-b)x^2$ and $|g-Pg|^2=b^2x^2$, so $c=\frac{2-b}b$. For $0\le b\le2-\delta$ this is at least $\frac\delta{2-\delta}$. A decay $a\in[0,1]$ has $c=1$ in each entry. [checked: "a factor: |g|^2 - |Pg|^2"; "a decay"; "the constant falls with b"; "the kernel: factors"]
    2. A product of $n$ such maps has $\frac cn$: the losses add up, and $|x_1+\dots+x_n|^2\le n\sum|x_i|^2$. So the map of a whole word $u$ has $c'=\frac c{|u|}$. [checked: "the parallelogram"]
    3. Fix $w,u$. Claim, by induction on the layers: for each prefix $v$ of $u$, the state after $wu^{k+1}v$ minus that after $wu^kv$ tends to 0. In a layer let $h_{k+1}=A_kh_k+b_k$ be the map of $u$; by induction and uniform continuity $A_{k+1}-A_k\to0$ and $b_{k+1}-b_k\to0$. With $g_k=h_{k+1}-h_k$, $g_{k+1}=A_{k+1}g_k+e_k$ and $e_k=(A_{k+1}-A_k)h_k+b_{k+1}-b_k\to0$. [checked: "steps of a layer"] [prose]
    4. Suppose $\limsup|g_k|=2d>0$ and $|h_k|\le R$. Choose $K>\frac{8R}d$, then $M$ with $\frac{12Kd^2}{c'M}\le\frac{d^2}{64}$, $J=KM$, and $\varepsilon$ with $J\varepsilon\le\frac d2$ and $K\varepsilon\le\frac d8$. From some $N$ on $|e_k|\le\varepsilon$ and $|g_k|\le3d$. Take $k\ge N+J$ with $|g_k|\ge d$. As $|g_{s+1}|\le|g_s|+\varepsilon$, the $J$ steps before have $|g_s|\ge\frac d2$. [prose]
    5. There $|Ag_s|\ge|g_{s+1}|-\varepsilon$, so $c'|g_s-Ag_s|^2\le|g_s|^2-|g_{s+1}|^2+2\varepsilon|g_{s+1}|$, and these add up to at most $9d^2+6dJ\varepsilon\le12d^2$. [checked: "losses telescope"; "at most 12 d^2"]
    6. One of $M$ blocks of $K$ steps has at most $\frac{12d^2}{c'M}$. In it, by Cauchy and Schwarz, $\sum|g_{s+1}-g_s|\le\sqrt{K\frac{12d^2}{c'M}}+K\varepsilon\le\frac d8+\frac d8$. So $g$ stays within $\frac d4$ of its first vector, of length at least $\frac d2$, and $h$ moves by at least $K\frac d4>2R$: a contradiction. [checked: "it moves too far"] [prose]
    7. So $g_k\to0$ after $u$, and within $u$ by uniform continuity. After a further word $y$ the states after $wu^ky$ and $wu^{k+1}y$ come together, and with the margin both words are in the language or neither, for large $k$. [prose]
    8. The syntactic monoid is finite, so powers of $u$ become periodic in it. If $u^k$ and $u^{k+1}$ differed in the cycle, some $w,y$ would tell them apart for infinitely many $k$. So it is aperiodic. [cited: Schützenberger: aperiodic = star-free] [prose]
    9. The kernel has steps 3 to 6 at the ends of the repetitions, by epsilons and letter by letter, with no limit and no square root: for each $\varepsilon$ some $k$ from which on the states of all layers are that near. [checked: "the kernel: states one repetition apart"]
    """
    proof.formally("the kernel: factors are averaged", "settling.delta_factors_are_averaged")
    proof.formally(
        "the kernel: states one repetition apart come together, at every depth",
        theorem,
        differs="an archimedean ordered field for the reals; squared lengths; layers of one width; one modulus of continuity for all letters",
    )
    b, a, x, s, g = sympy.symbols("b a x s g", real=True)
    # x = k . g; what is orthogonal to k, of squared length s, is kept
    inner = length(sympy.S.One, x)
    lost = (x**2 + s) - ((x - b * inner) ** 2 + s)
    proof.symbolically(
        "a factor: |g|^2 - |Pg|^2 = c |g - Pg|^2",
        sympy.expand(lost),
        sympy.expand(sympy.cancel(constant(b) * (b * x) ** 2)),
        "b, x = k . g, s",
    )
    proof.symbolically(
        "a decay: g^2 - a^2 g^2 - (g - a g)^2 = 2 a (1 - a) g^2",
        sympy.expand(g**2 - a**2 * g**2 - (g - a * g) ** 2),
        sympy.expand(2 * a * (1 - a) * g**2),
        "a, g",
    )
    delta = sympy.Symbol("delta", positive=True)
    proof.symbolically(
        "the constant falls with b: at b = 2 - delta it is delta / (2 - delta)",
        sympy.simplify((2 - b) / b).subs(b, 2 - delta),
        delta / (2 - delta),
        "delta",
    )
    y, z = sympy.symbols("y z", real=True)
    proof.symbolically(
        "the parallelogram: 2 y^2 + 2 z^2 - (y + z)^2 = (y - z)^2",
        sympy.expand(2 * y**2 + 2 * z**2 - (y + z) ** 2),
        sympy.expand((y - z) ** 2),
        "y, z, entry by entry",
    )
    A, B, h, p, q = sympy.symbols("A B h p q", commutative=False)
    first = A * h + p
    second = B * first + q
    error = change((B - A) * h, p, q)
    proof.symbolically(
        "steps of a layer: g' = A' g + e",
        sympy.expand(second - first),
        sympy.expand(B * (first - h) + error),
        "A, A' = B, b = p, b' = q, h",
    )
    n, e = sympy.symbols("n e", nonnegative=True)
    proof.symbolically(
        "losses telescope: s^2 - (n - e)^2 = s^2 - n^2 + 2 e n - e^2",
        sympy.expand(s**2 - (n - e) ** 2),
        sympy.expand(s**2 - n**2 + 2 * e * n - e**2),
        "s, n, e",
    )
    d, K, R = sympy.symbols("d K R", positive=True)
    proof.symbolically("at most 12 d^2: 9 d^2 + 2 (3 d) (d / 2)", 9 * d**2 + 2 * (3 * d) * (d / 2), 12 * d**2, "d, J e = d / 2")
    proof.symbolically("it moves too far: K (d/2 - d/4) at K = 8 R / d is 2 R", (K * (d / 2 - d / 4)).subs(K, 8 * R / d), 2 * R, "d, R")


@claim(
    "new.automata.reals.hoelder",
    place="after grazzi25 Theorem 1",
    title="Hölder links, bounded real states, any matrices: if no word turns at its limit, languages are star-free",
    says=r"Let links and decoder be Hölder continuous and all states bounded; transitions may be any matrices. Suppose: whenever the states below converge along $wu^k$, the limit of the product of the transitions of $u$ has no eigenvalue of modulus 1 other than 1 (Jordan blocks at 1 are allowed, and eigenvalues above 1). "
    r"Then the states after $wu^kv$, $v$ a prefix of $u$, converge geometrically for all $w,u$, at every depth, and a regular language that is decided with a margin is star-free. This is grazzi25's Theorem 1 without finite precision.",
    hypotheses=(
        STATES,
        "A and b are Hölder continuous functions of the states below, for each letter, on the closure of what is reached",
        DECODER,
        NORMALISERS,
    ),
    known=KNOWN,
    remarks=("beta_k = 2 - 2^-k has the limit -1, and states that alternate (new.automata.reals.uniform): the hypothesis is on limits.",),
    sabotages={
        "the correction has the wrong sign": {"sign": 1},
        "an eigenvalue -1 at the limit": {"block": sympy.Matrix([[-1]])},
    },
)
def states_converge_geometrically(proof: Proof, sign: int = -1, block: Any = sympy.Matrix([[1, 1, 0], [0, 1, 1], [0, 0, 1]])) -> None:
    r"""A bounded orbit of an affine map that converges geometrically, split by the eigenvalues of the limit.

    1. Induction on layers: the states below converge geometrically along $wu^kv$, so by Hölder continuity $A_k=A+O(r^k)$ and $b_k=b+O(r^k)$ for the map of $u$, $r<1$. As $h_k$ is bounded, $h_{k+1}=Ah_k+b+e_k$ with $e_k=O(r^k)$. In the lowest layer $e_k=0$. [prose]
    2. The space is a sum of subspaces that $A$ keeps: eigenvalues of modulus below 1, above 1, and the eigenvalue 1. On the first $h_k$ minus the fixed point is a sum of $A^{k-j}e_j$ and $A^kh_0$, which falls geometrically. [prose]
    3. For the others $A$ is invertible there, and where $\sum_jA^{-j-1}e_{k+j}$ converges, $f_k=-\sum_{j\ge0}A^{-j-1}e_{k+j}$ has $f_{k+1}=Af_k+e_k$. It converges, and is $O(\rho^k)$ with some $\rho<1$: $A^{-j}$ grows at most like a power of $j$. [checked: "the correction solves the recursion"] [prose]
    4. $y_k=h_k-f_k$ is bounded with $y_{k+1}=Ay_k+b$. For eigenvalues above 1, $y_k$ is the fixed point, as all else grows. For the eigenvalue 1, $y_k$ is a polynomial in $k$; a bounded one is constant. So $h_k=y+f_k$ converges geometrically. [checked: "orbits of a Jordan block are polynomials"] [prose]
    5. States within $u$, and after a further word, converge likewise. By the margin the answers to $wu^ky$ and $wu^{k+1}y$ agree for large $k$, and the finite syntactic monoid is aperiodic. [cited: Schützenberger: aperiodic = star-free] [prose]
    """
    A, e0, rest = sympy.symbols("A e0 rest", commutative=False)
    # f_k = -(A^-1 e_k + A^-1 r) with r = sum of A^-j-1 e_(k+1+j), and f_(k+1) = -r
    f = sign * (A**-1 * e0 + A**-1 * rest)
    proof.symbolically(
        "the correction solves the recursion: A f_k + e_k = f_(k+1)",
        sympy.expand(A * f + e0),
        -rest,
        "A invertible, e_k, the tail of the sum",
    )
    m = sympy.Symbol("m", integer=True, nonnegative=True)
    size = block.rows
    start = sympy.Matrix(sympy.symbols(f"y0:{size}"))
    nilpotent = block - sympy.eye(size)
    power = sympy.zeros(size)
    for j in range(size):
        power += sympy.ff(m, j) / sympy.factorial(j) * nilpotent**j
    step = (block * power - power.subs(m, m + 1)) * start
    proof.holds(
        "orbits of a Jordan block are polynomials: the sum of binomials steps as the block does",
        all(sympy.expand(sympy.expand_func(x)) == 0 for x in step),
        free="the start, the number of steps; a block of three",
    )


# -- what the hypotheses are for ----------------------------------------------------------------------------------------------


def _exact_products(bound: Callable[[Any], Any]) -> tuple[Any, Any, Any]:
    """The two sides of the step of the lower bound 1/2 + q' for products of 1 - 2^-j, with q = 2^-(t + 2), and their difference."""
    q = sympy.Symbol("q", positive=True)
    left = sympy.expand(bound(2 * q) * (1 - q))
    right = sympy.expand(bound(q))
    return left, right, sympy.factor(left - right)


@claim(
    "new.automata.reals.uniform",
    place="after grazzi25 Theorem 1",
    title="uniformity is needed: with β = 2 − 2⁻ᵏ < 2 at every step, two layers of width 1 tell the parity of the length for ever",
    says=r"Let layer 1 be $z\mapsto z/2$ from $\frac12$ at every letter, and layer 2 DeltaNet of width 1 with $k=1$, $\beta=2-z<2$, $v=0$, from $h=1$. Then $(-1)^th_t>\frac12$ at every length: (aa)* with a margin, by bounded states, linear links, and transitions with $|A|<1$. So new.automata.reals.star-free needs one constant for all transitions.",
    known="that contractions whose factors tend to isometries need not contract is elementary; as a limit of that theorem it was not stated",
    sabotages={"z stays": {"fall": 1}, "beta = 2 - 2 z": {"bound": lambda q: sympy.Rational(3, 4) + q}},
)
def one_constant_is_needed(proof: Proof, fall: int = 2, bound: Callable[[Any], Any] = lambda q: sympy.Rational(1, 2) + q) -> None:
    r"""A product of $1-2^{-j}$ does not fall to 0.

    1. After $t$ letters $z=2^{-t-1}$, and $1-\beta=-(1-z)$; so $h_t=(-1)^t\prod_{j=2}^{t+1}(1-2^{-j})$. [checked: "z halves"; "the factor is"]
    2. $|h_t|\ge\frac12+2^{-t-1}$: it holds for $t=0$, and with $q=2^{-t-2}\le\frac14$, $(\frac12+2q)(1-q)-(\frac12+q)=\frac q2(1-4q)\ge0$. [checked: "base"; "step"; "its sign"] [prose]
    """
    t = sympy.Symbol("t", integer=True, nonnegative=True)
    proof.symbolically(
        "z halves: 2^-(t+1) / 2 = 2^-(t+2)", sympy.powsimp(sympy.Rational(1, 2) ** (t + 1) / fall), sympy.Rational(1, 2) ** (t + 2), "t"
    )
    z, q = sympy.Symbol("z"), sympy.Symbol("q", positive=True)
    proof.symbolically("the factor is 1 - beta = -(1 - z)", sympy.expand(1 - (2 - z)), sympy.expand(-(1 - z)), "z")
    left, right, difference = _exact_products(bound)
    for whole in proof.every("t = 0", [bound(sympy.Rational(1, 2))], limited=False):
        proof.exactly("base: 1 = 1/2 + 1/2", whole, sympy.S.One)
    proof.symbolically("step: (1/2 + 2q)(1 - q) - (1/2 + q)", left - right, sympy.expand(q / 2 * (1 - 4 * q)), "q")
    proof.holds(
        "its sign: a positive number times q (1 - 4 q)",
        sympy.cancel(difference / (q * (1 - 4 * q))) == sympy.Rational(1, 2),
        free="q in (0, 1/4]",
    )


@claim(
    "new.automata.reals.normalised",
    place="after grazzi25 Theorem 1",
    title="normalisation without epsilon counts: three keys at 0, 60 and 120 degrees, β = 1, give h/|h| period 2 on (abc)ᵏ for ever",
    says=r"Let $k_a,k_b,k_c\in\mathbb R^2$ be unit keys at 0, 60 and 120 degrees, $\beta=1$ and $v=0$ for all three letters. The map of $abc$ has the eigenvalues $0$ and $-\frac18$. From an eigenvector $h/|h|$ changes its sign with each $abc$, for ever: with RMSNorm without epsilon the next layer tells the parity of $k$ with a margin, by factors in $[0,1]$ and bounded states. "
    r"With an epsilon it does not (new.automata.reals.star-free).",
    known="that three projections can have a negative eigenvalue is new.householder.three-projections",
    sabotages={"the third key at 90 degrees": {"third": (0, 1)}, "beta = 0 at c": {"strength": 0}},
)
def normalisation_counts(proof: Proof, third: tuple[Any, Any] = (-sympy.Rational(1, 2), sympy.sqrt(3) / 2), strength: int = 1) -> None:
    r"""A negative eigenvalue, and a length that is divided out.

    1. $P_cP_bP_a=(I-k_ck_c^\top)(I-k_bk_b^\top)(I-k_ak_a^\top)$ has trace $-\frac18$ and determinant 0. [checked: "the trace"; "the determinant"]
    2. So there is $x\ne0$ with $P_cP_bP_ax=-\frac18x$, and $h=x$ gives $h/|h|=(-1)^kx/|x|$ after $(abc)^k$. [checked: "an eigenvector"; "a unit of the other sign"] [prose]
    """
    keys = [(sympy.S.One, sympy.S.Zero), (sympy.Rational(1, 2), sympy.sqrt(3) / 2), third]
    total = sympy.eye(2)
    for i, k in enumerate(keys):
        v = sympy.Matrix(k)
        total = (sympy.eye(2) - (strength if i == 2 else 1) * v * v.T) * total
    total = sympy.simplify(total)
    for A in proof.every("the map of abc", [total], limited=False):
        proof.holds("the trace is -1/8", sympy.simplify(A.trace() + sympy.Rational(1, 8)) == 0)
        proof.holds("the determinant is 0", sympy.simplify(A.det()) == 0)
        # the image of P_c is spanned by what is orthogonal to k_c
        x = sympy.Matrix([-third[1], third[0]])
        proof.holds("an eigenvector to -1/8", sympy.simplify(A * x + x / 8) == sympy.zeros(2, 1))
        length = sympy.Symbol("l", positive=True)
        proof.holds("a unit of the other sign: (-l/8) / (l/8) = -1", sympy.simplify((-length / 8) / (length / 8)) == -1)


@claim(
    "new.automata.reals.unbounded",
    place="after grazzi25 Theorem 1",
    title="bounded states are needed: a sum that grows and the link cos(πh) tell parity, with eigenvalues 1 alone",
    says=r"The layer $h\mapsto h+x$, $x\in\{0,1\}$, from 0, with the uniformly continuous readout $\cos(\pi h)$ has the values $\pm1$ by the parity of the word. All transitions are $I$, $c=1$ in new.automata.reals.star-free; only states are unbounded.",
    known="folklore: counters with a periodic readout",
    sabotages={"cos(2 pi h)": {"frequency": 2}},
)
def bounded_states_are_needed(proof: Proof, frequency: int = 1) -> None:
    r"""1. $\cos(\pi(h+1))=-\cos(\pi h)$ and $\cos0=1$. [checked: "one more"; "at the start"] [prose]"""
    h = sympy.Symbol("h", real=True)
    proof.symbolically(
        "one more changes the sign",
        sympy.expand_trig(sympy.cos(frequency * sympy.pi * (h + 1))).subs(sympy.sin(frequency * sympy.pi), 0),
        -sympy.cos(frequency * sympy.pi * h),
        "h",
    )
    for start in proof.every("the start", [sympy.cos(0)], limited=False):
        proof.exactly("at the start it is 1", start, sympy.S.One)


@claim(
    "new.automata.reals.open-gates",
    place="after grazzi25 Theorem 1 (ranges without their end points)",
    title="decays strictly inside (0, 1) keep a bit for ever over the reals: two layers of width 1, margin above 0.433",
    says=r"The letters are write $+1$, write $-1$, hold. Layer 1 from $z=\frac25$: a write $z\mapsto\frac z4+\frac38$, a hold $z\mapsto\frac z2$. Layer 2 from 0: a write $h\mapsto\frac h8\pm\frac78$, a hold $h\mapsto(1-z)h$ with $z$ after the letter. All decays lie strictly in $(0,1)$, states in $[-1,1]$, links are linear, and after each word with a write "
    r"the bit last written times $h$ is at least $\frac34\prod_{j\ge2}(1-2^{-j})>0.433$. One layer, or decays at most $1-d$, cannot (new.automata.margin.definite): it needs real numbers between layers and decays whose supremum is 1.",
    known="the same with gates that reach 0 is the example beside new.fixed-point.gated.depth",
    remarks=("Which star-free languages such gates have over the reals is OPEN.",),
    sabotages={
        "z does not fall": {"hold": 1},
        "the second layer writes with weight 1/2": {"weight": sympy.Rational(1, 2)},
        "a margin of 0.44": {"claimed": "0.44"},
    },
)
def open_gates_keep_a_bit(proof: Proof, hold: int = 2, weight: Any = sympy.Rational(1, 8), claimed: str = "0.433") -> None:
    r"""The more letters a bit is held, the closer its decay is to 1.

    1. $z\in(0,\frac12]$ always: from $z\le\frac12$ a write gives at most $\frac18+\frac38$ and more than 0, a hold at most $\frac14$. After $j$ holds $z\le2^{-j-1}$. [checked: "a write gives at most 1/2"; "a hold halves"]
    2. $|h|\le1$ always: $\frac18+\frac78=1$, and $1-z<1$. After a write the bit times $h$ is at least $\frac78-\frac18=\frac34$. [checked: "weights add up to 1"; "after a write"]
    3. After $j$ holds it is at least $\frac34\prod_{i=2}^{j+1}(1-2^{-i})$, and $\prod_{i\ge2}(1-2^{-i})\ge\prod_{i=2}^{40}(1-2^{-i})\cdot(1-2^{-40})$, as $\prod_{i>40}(1-2^{-i})\ge1-\sum_{i>40}2^{-i}$. [checked: "the margin exceeds"] [prose]
    4. Decays are $\frac14$, $\frac12$, $\frac18$ and $1-z\in[\frac12,1)$. [checked: "all decays lie strictly inside"] [prose]
    """
    z = sympy.Symbol("z")
    proof.symbolically(
        "a write gives at most 1/2: z/4 + 3/8 at z = 1/2",
        (z / 4 + sympy.Rational(3, 8)).subs(z, sympy.Rational(1, 2)),
        sympy.Rational(1, 2),
        "z, monotone",
    )
    j = sympy.Symbol("j", integer=True, nonnegative=True)
    proof.symbolically(
        "a hold halves: 2^-(j+1) / 2 = 2^-(j+2)",
        sympy.powsimp(sympy.Rational(1, 2) ** (j + 1) / hold),
        sympy.Rational(1, 2) ** (j + 2),
        "j",
    )
    proof.symbolically("weights add up to 1", weight + sympy.Rational(7, 8), sympy.S.One, "the two weights")
    for w in proof.every("the weight of a write", [weight], limited=False):
        proof.holds("after a write: 7/8 - w = 3/4", sympy.Rational(7, 8) - w == sympy.Rational(3, 4))
        proof.holds("all decays lie strictly inside (0, 1)", all(0 < a < 1 for a in (w, sympy.Rational(1, 4), sympy.Rational(1, hold))))
    for _ in proof.every("the product", [40], limited=False):
        total = arb(3) / 4
        for i in range(2, 41):
            total *= 1 - arb(2) ** -i
        proof.certified(f"the margin exceeds {claimed}", total * (1 - arb(2) ** -40) > arb(claimed))


@claim(
    "new.automata.reals.beta",
    place="after grazzi25 Theorem 1 (ranges without their end points)",
    title="DeltaNet with β = 9/10 at every letter keeps a flip-flop for ever, with margin 4/5",
    says=r"DeltaNet of width 2 with $\beta=\frac9{10}$ at every letter: writes $\pm1$ have $k=e_1$, $v=\pm1$, and a hold has $k=e_2$, $v=0$. From 0 the state has $|h_1|\le1$, and after each word with a write the bit last written times $h_1$ is at least $\frac45$. So $\beta<1$ does not make DeltaNet forget: what is orthogonal to its keys stays. A diagonal layer with decays at most $1-d$ cannot hold (new.automata.margin.definite).",
    known="folklore, that delta rules keep what is orthogonal to the key; the margin is elementary",
    sabotages={"the hold reads e_1": {"hold": 0}, "beta = 1/2": {"beta": sympy.Rational(1, 2)}},
)
def beta_below_one_keeps(proof: Proof, hold: int = 1, beta: Any = sympy.Rational(9, 10)) -> None:
    r"""1. A write maps $h_1$ to $\frac1{10}h_1\pm\frac9{10}$: from $|h_1|\le1$ to $|h_1|\le1$ with at least $\frac9{10}-\frac1{10}$ of the bit's sign. [checked: "a write"; "at most 1"; "at least 4/5"] [prose]
    2. A hold does not change $h_1$. [checked: "a hold"]
    """
    h1, h2, s = sympy.symbols("h1 h2 s")
    units = [sympy.Matrix([1, 0]), sympy.Matrix([0, 1])]

    def after(k: Any, v: Any) -> Any:
        h = sympy.Matrix([h1, h2])
        return (h + beta * (v - (k.T * h)[0]) * k).applyfunc(sympy.expand)

    proof.symbolically("a write: h1 / 10 + 9 s / 10", after(units[0], s)[0], h1 / 10 + 9 * s / 10, "h, s")
    proof.symbolically("a hold keeps h1", after(units[hold], 0)[0], h1, "h")
    for b in proof.every("the ends of [-1, 1]", [beta], limited=False):
        ends = [(1 - b) * end * sign + b for end, sign in product((-1, 1), repeat=2)]
        proof.holds("at most 1: (1 - beta) + beta", bool(max(ends) <= 1))
        proof.holds("at least 4/5: beta - (1 - beta)", bool(min(ends) >= sympy.Rational(4, 5)))
