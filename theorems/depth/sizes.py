"""Numbers of parameters: Theorem 2 and from which width on (lizaire26, Sec. 3.1, App. A.5)."""

from __future__ import annotations

from itertools import product

import sympy

from ...constructions.depth import DeepLinear, least_width, parameters
from ...numerics import exact
from ..claim import claim
from ..evidence import Proof


def _is_positive(polynomial: sympy.Poly) -> bool:
    """No coefficient is negative, and the constant is positive: so is the polynomial for arguments that are not negative."""
    return bool(all(c >= 0 for c in polynomial.coeffs()) and polynomial.TC() > 0)


def _cost(width, depth, initial: bool = False):
    """(2L - 1) n^2 + (L + 1) n, and nL more with initial states."""
    return (2 * depth - 1) * width**2 + (depth + 1) * width + (depth * width if initial else 0)


def _difference(least: int, initial: bool) -> sympy.Poly:
    """L'^2 / (L - L') times the difference of the numbers of parameters of a copy of L (n - 1) steps in L' and in L layers.

    The width of the shallower one is L (n - 1) / L' + 1; n = least + m, L' = 1 + r, L = L' + 1 + s; a polynomial in m, r, s.
    """
    m, r, s = sympy.symbols("m r s", nonnegative=True)
    n, k = least + m, 1 + r
    big = k + 1 + s
    difference = _cost(big * (n - 1) / k + 1, k, initial) - _cost(n, big, initial)
    return sympy.Poly(sympy.cancel(difference * k**2 / (big - k)), m, r, s)


def _grows_with_the_width(proof: Proof, initial: bool = False) -> None:
    n, k, step = sympy.symbols("n k t", nonnegative=True)
    growth = sympy.Poly(_cost(n + 1 + step, k + 1, initial) - _cost(n + 1, k + 1, initial), n, k, step)
    proof.holds(
        "the number of parameters grows with the width: no coefficient of the growth is negative",
        all(c >= 0 for c in growth.coeffs()),
        free="n, L",
    )


def _least_parameters(n: int, depth: int, shallow: int, initial: bool = False) -> int:
    """Parameters of the narrowest network of ``shallow`` layers that copies depth (n - 1) steps."""
    return int(_cost(least_width(depth * (n - 1), shallow), shallow, initial))


#: (L, L') with a copy of L (n - 1) steps that is no larger in L' < L layers
EXCEPTIONS = {2: [(2, 1), (3, 1), (4, 1), (5, 1), (4, 2), (6, 3), (8, 4)], 3: [(2, 1)]}


def _exceptions_below_four(proof: Proof, width, deepest: int) -> None:
    """Theorem 2 for n = 2 and 3: a polynomial with positive coefficients bounds the difference from below, but for a few cases, and these are gone through.

    The narrowest network of L' layers has the width c + 1, c = ceil(L (n - 1) / L'), and L <= c L' / (n - 1).
    """
    c, k = sympy.symbols("c k", positive=True)
    u, v, width_n, big = sympy.symbols("u v n L", nonnegative=True)
    corners = {2: ((3, 2), (2, 5), (6, 1)), 3: ((4, 2), (3, 2), (5, 1))}
    proof.symbolically(
        "the bound falls with L: the number of parameters of L layers rises by 2 n^2 + n",
        _cost(width_n, big + 1) - _cost(width_n, big),
        2 * width_n**2 + width_n,
        free="n, L",
    )
    for n in proof.every("n = 2, 3 and all L' < L", (2, 3), limited=False):
        deep = c * k / (n - 1)
        bound = _cost(c + 1, k) - _cost(n, deep)
        for c0, k0 in corners[n]:
            # the quadrant c >= c0, k >= k0, or the ray on which one of them is fixed
            at = {c: c0 + u, k: k0 + v} if (c0, k0) == corners[n][0] else ({c: c0, k: k0 + v} if k0 > 1 else {c: c0 + u, k: k0})
            proof.holds("positive from here on", _is_positive(sympy.Poly(sympy.expand(bound.subs(at)), u, v)))
        pairs = [(deep, shallow) for shallow in range(1, 5) for deep in range(shallow + 1, deepest + 1)]
        # c = n - 1 only for L <= L'; every (c, L') with c >= n, below and beside the corners, has L' <= 4 and L <= c L' / (n - 1) <= 8
        left = [(a, b) for a in range(n, 9) for b in range(1, 9) if not _covered(a, b, corners[n])]
        proof.holds("what is left has L' <= 4 and L <= 8", all(b <= 4 and a * b <= deepest * (n - 1) for a, b in left))
        found = [(deep, shallow) for deep, shallow in pairs if parameters(width(deep * (n - 1), shallow), shallow) <= parameters(n, deep)]
        proof.exactly("the exceptions", found, EXCEPTIONS[n])


def _covered(c: int, k: int, corners: tuple) -> bool:
    """(c, L') lies in the quadrant, on the ray of fixed c, or on the ray of fixed L'."""
    (c0, k0), (c1, k1), (c2, k2) = corners
    return (c >= c0 and k >= k0) or (c == c1 and k >= k1) or (k == k2 and c >= c2)


@claim(
    "lizaire26.thm2",
    place="Theorem 2, App. A.5",
    title="for n ≥ 4 a shallower network that copies as far as L layers of width n has more parameters",
    says=r"With $p=L(n-1)$ and $n\ge4$: $f_p\in\mathcal L_{n,1}\circ\mathcal H_{RNN}(n,L)$, and if $L'<L$ layers of width $n'$ copy $p$ steps, $(2L'-1)n'^2+(L'+1)n'>(2L-1)n^2+(L+1)n$.",
    reading="up to a linear readout, as in the appendix; p = L(n - 1) as there, where the sketch has (L + 1)(n - 1); initial states not counted",
    remarks=(
        "Without a readout states of different widths cannot be equal, and the theorem says no more than Theorem 1.",
        "For n = 3 the copy has the one exception L = 2, L' = 1: 35 parameters against 36. For n = 2 there are seven pairs (L, L'): (2, 1), (3, 1), (4, 1), (5, 1), (4, 2), (6, 3) and (8, 4).",
    ),
    sabotages={
        "width 3, which the kernel refutes": {"theorem": "rnn.deep_copies_are_cheap_for_three"},
        "widths from 3 on": {"least": 3},
        "widths rounded down": {"width": lambda p, shallow: p // shallow + 1},
        "half of the exceptions": {"deepest": 4},
    },
)
def parameters_of_copies(
    proof: Proof, least: int = 4, theorem: str = "rnn.deep_copies_are_cheap", width=least_width, deepest: int = 8
) -> None:
    r"""By Lemma 3 the shallower network is so wide that its recurrent matrices cost more.

    1. $L$ layers of width $n$ copy $p=L(n-1)$ steps. [uses: lizaire26.lemma2]
    2. If $L'$ layers of width $n'$ do, $L(n-1)\le L'(n'-1)$, so $n'\ge w:=L(n-1)/L'+1$. [uses: lizaire26.lemma3]
    3. The number of parameters grows with the width, so it is at least its value at $w$. [checked: "the number of parameters grows"]
    4. With $n=4+m$, $L'=1+r$ and $L=L'+1+s$ the difference at $w$, times $L'^2/(L-L')>0$, is a polynomial in $m,r,s\ge0$ without a negative coefficient and with a positive constant. [checked: "positive for all n >= 4"]
    5. For $n=2$ and $3$ the bound of step 3 falls with $L$ and is positive but for a few cases, which are gone through. [checked: "the bound falls with L"; "positive from here on"; "what is left"; "the exceptions"]
    """
    proof.formally(
        "the kernel: the copy exists, and a shallower one has more parameters",
        theorem,
        whole="every n >= 4, L, L' and n'",
        differs="any field; times from 0",
    )
    _grows_with_the_width(proof)
    proof.holds(
        "positive for all n >= 4 and L' < L: the coefficients are not negative, the constant is positive",
        _is_positive(_difference(least, False)),
    )
    proof.holds(
        "not so for n >= 3, where L = 2 is an exception",
        not _is_positive(_difference(3, False)) and _least_parameters(3, 2, 1) < parameters(3, 2),
    )
    _exceptions_below_four(proof, width, deepest)
    for n in (4, 5, 9):
        rows = [[depth, k, least_width(depth * (n - 1), k), _least_parameters(n, depth, k)] for depth in (2, 3, 6) for k in range(1, depth)]
        proof.certificate("witness", f"n = {n}", n=n, rows=rows)


@claim(
    "lizaire26.thm2.sketch",
    place="Theorem 2, Sec. 3.1 (sketch of the proof)",
    flaw="misprint",
    quotes=("required to compute the copy function fp introduced in Equation 3 with",),
    weight="proof",
    title="the sketch's copy of (L + 1)(n − 1) steps is not computed by L layers; the appendix has L (n − 1)",
    says=r"With $p=(L+1)(n-1)$, $f_p\in\mathcal L_{n,1}\circ\mathcal H_{RNN}(n,L)$.",
    letter="The sketch of the proof of Theorem 2 takes f_p with p = (L + 1)(n - 1). By Lemma 3, L layers of width n cannot compute it. The appendix has p = L(n - 1), which is right.",
    sabotages={"the appendix": {"steps": lambda n, depth: depth * (n - 1)}},
)
def too_far_a_copy(proof: Proof, steps=lambda n, depth: (depth + 1) * (n - 1)) -> None:
    r"""By Lemma 3 $L$ layers copy at most $L(n-1)$ steps: for $n=4$, $L=1$ it is 3, and the sketch has 6."""
    n, L = 4, 1
    given = {"n": n, "L": L, "p": steps(n, L), "the largest p": L * (n - 1)}
    words = {"width": n >= 4, "longer": steps(n, L) > L * (n - 1)}
    proof.counterexample(given, words=words, minimal="n = 4, L = 1", witness="n L")


@claim(
    "new.depth.parameters",
    place="after lizaire26, Theorem 2",
    title="for a function of Hankel rank nL Theorem 2 holds for all n ≥ 1, all depths and all d",
    says=r"For $f\in\mathcal H_{RNN}(n,L)$ of Hankel rank $nL$ every shallower network that computes it has $n'L'\ge nL$, and then "
    r"$(2L'-1)n'^2+(L'+d)n'-(2L-1)n^2-(L+d)n\ge(r-1)\big(n^2(r(2L'-1)-1)+dn\big)>0$ with $r=L/L'>1$.",
    reading="up to a linear readout; initial states not counted",
    known="that the Hankel rank is the least number of states is classical (Ho and Kalman 1966); the count of parameters is new",
    sabotages={"a deeper network (r < 1)": {"ratio": lambda s: 1 / (1 + s)}},
)
def hankel_functions_need_parameters(proof: Proof, ratio=lambda s: 1 + s) -> None:
    r"""With so many states needed, fewer layers must be wider, and width costs squares.

    1. With $A,B,w$ of all $n'L'$ states together, the responses are $g_{i+j+1}=wA^i\cdot A^{j+1}B$: the Hankel matrix has rank at most $n'L'$, so $n'\ge nL/L'=rn$. [checked: "a response factors"] [uses: lizaire26.cor2] [prose]
    2. The number of parameters grows with the width. [checked: "the number of parameters grows"]
    3. At $n'=rn$ the difference is the product that is printed. [checked: "the difference for L' = k"]
    4. With $r=1+s$, $L'=1+m$ that product is $s$ times a polynomial in $n,d,s,m$ without a negative coefficient, in which $n^2s$ occurs: positive for $s>0$. [checked: "the product is positive"] [prose]
    """
    A, B, w = sympy.symbols("A B w", commutative=False)
    i, j = sympy.symbols("i j", integer=True, nonnegative=True)
    proof.symbolically(
        "a response factors through the states", w * A ** (i + j + 1) * B, (w * A**i) * (A ** (j + 1) * B), free="w, A, B, i, j"
    )
    _grows_with_the_width(proof)
    n, k, r, d = sympy.symbols("n k r d", positive=True)
    s, m = sympy.symbols("s m", nonnegative=True)
    difference = (2 * k - 1) * (r * n) ** 2 + (k + d) * r * n - (2 * k * r - 1) * n**2 - (k * r + d) * n
    right = (r - 1) * (n**2 * (r * (2 * k - 1) - 1) + d * n)
    proof.symbolically("the difference for L' = k, L = r k", difference, right, free="n, k, r, d")
    factor = (
        sympy.Poly(sympy.cancel(right.subs({r: ratio(s), k: 1 + m}) / s), n, d, s, m) if ratio(s) == 1 + s else sympy.Poly(-1, n, d, s, m)
    )
    proof.holds(
        "the product is positive for r = 1 + s, L' = 1 + m, s > 0",
        bool(all(x >= 0 for x in factor.coeffs()) and factor.coeff_monomial(n**2 * s) > 0),
        free="n, d, r, L'",
    )
    rows = [[a, deep, shallow, -(-a * deep // shallow)] for a in (1, 2, 3) for deep in (2, 3, 5) for shallow in range(1, deep)]
    proof.certificate("witness", "the narrowest shallower networks, d = 1", rows=rows)


@claim(
    "lizaire26.params",
    place="Theorem 2, Sec. 3.1 (note)",
    title="L layers of width n with one input channel have (2L − 1) n² + (L + 1) n parameters, initial states not counted",
    says=r"$\#\mathrm{params}(n,L)=(2L-1)n^2+(L+1)n$ for $d=1$; with $d$ channels $(2L-1)n^2+(L+d)n$.",
    construction="lemmata.constructions.depth.parameters",
    sabotages={
        "without biases, which the kernel refutes": {"theorem": "rnn.number_of_parameters_without_biases"},
        "the biases are forgotten": {"biases": 0},
    },
)
def counting_parameters(proof: Proof, biases: int = 1, theorem: str = "rnn.number_of_parameters") -> None:
    r"""$U^{(1)}$ has $nd$ entries, each further $U^{(l)}$ and each $V^{(l)}$ $n^2$, each bias $n$.

    1. $nd+(L-1)n^2+Ln^2+Ln=(2L-1)n^2+(L+d)n$. [checked: "the sum over the layers"]
    2. The networks of the code have so many entries. [checked: "the entries of networks"]
    """
    proof.formally("the kernel: the entries add up", theorem, whole="every n, L and d", differs="with initial states too")
    n, depth, d = sympy.symbols("n L d")
    count = n * d + (depth - 1) * n**2 + depth * n**2 + biases * depth * n
    proof.symbolically("the sum over the layers", count, (2 * depth - 1) * n**2 + (depth + d) * n, free="n, L, d")
    sizes = list(product(range(1, 6), range(1, 6), (1, 2, 3)))
    entries = []
    for n, depth, d in sizes:
        network = DeepLinear(tuple((exact.zeros(n, n if level else d), exact.zeros(n, n)) for level in range(depth)), exact.zeros(1, n))
        entries.append(sum(U.size + V.size + biases * len(V) for U, V in network.layers))
    proof.exactly("the entries of networks with n, L <= 5, d <= 3", entries, [parameters(*size) for size in sizes])
    proof.certificate("witness", "n <= 5, L <= 5, d <= 3", rows=[[*size, parameters(*size)] for size in sizes])


@claim(
    "lizaire26.params.initial",
    place="Theorem 2, Sec. 3.1 (note)",
    title="counting initial states as well, nL more, does not change Theorem 2",
    says=r"With $p=L(n-1)$, $n\ge4$: if $L'<L$ layers of width $n'$ copy $p$ steps, $(2L'-1)n'^2+(2L'+1)n'>(2L-1)n^2+(2L+1)n$.",
    remarks=(
        "The count matters below n = 4: for n = 2 the copy then has infinitely many exceptions, all even L with L' = L / 2 (12 L - 6 against 12 L - 2 parameters), where without initial states there are seven.",
    ),
    sabotages={
        "width 3, which the kernel refutes": {"theorem": "rnn.deep_copies_are_cheap_for_three"},
        "widths from 3 on": {"least": 3},
    },
)
def initial_states_do_not_matter(proof: Proof, least: int = 4, theorem: str = "rnn.deep_copies_are_cheap_with_starts") -> None:
    r"""The shallower network may have fewer units, by $L-L'$ at most, so this needs a look; the polynomial of Theorem 2 still has no negative coefficient.

    1. As there, the width of the shallower network is at least $L(n-1)/L'+1$, and the number of parameters grows with the width. [uses: lizaire26.thm2] [checked: "the number of parameters grows"]
    2. With $n=4+m$, $L'=1+r$, $L=L'+1+s$ the difference, times $L'^2/(L-L')$, has no negative coefficient and a positive constant. [checked: "positive for all n >= 4"]
    3. For $n=2$, even $L$ and $L'=L/2$ the width is $3$, with $24L'-6=12L-6$ parameters against $12L-2$. [checked: "for n = 2"]
    """
    proof.formally(
        "the kernel: a shallower copy has more parameters, initial states counted",
        theorem,
        whole="every n >= 4, L, L' and n'",
        differs="any field; times from 0",
    )
    _grows_with_the_width(proof, initial=True)
    proof.holds(
        "positive for all n >= 4 and L' < L: the coefficients are not negative, the constant is positive",
        _is_positive(_difference(least, True)),
    )
    proof.holds("not so for n >= 3: the polynomial has a coefficient below 0", not _is_positive(_difference(3, True)))
    big = sympy.symbols("L")
    proof.symbolically(
        "for n = 2 and L' = L / 2 the width 3 costs 4 parameters less", _cost(2, big, True) - _cost(3, big / 2, True), 4, free="L"
    )
    rows = [
        [n, deep, k, least_width(deep * (n - 1), k), _least_parameters(n, deep, k, True)]
        for n in (4, 6)
        for deep in (2, 3, 6)
        for k in range(1, deep)
    ]
    proof.certificate("witness", "n = 4 and 6, and n = 2 with L' = L / 2", rows=rows, even=[2, 4, 10, 1000])


@claim(
    "lizaire26.appA5.1",
    place="App. A.5.1",
    title="from the width 1 + L'(1 + √(12a + 1)) / 2a on, below 4, a copy costs more parameters in fewer layers",
    says=r"$\#(\tfrac L{L'}(n-1)+1,L')-\#(n,L)=\tfrac{L-L'}{L'^2}(an^2+bn+c)$ with $a=2LL'-L-L'$, $b=-2a-L'$, $c=a-L'(3L'-1)$; the larger root falls in $L$ and, at $L=L'+1$, in $L'$; its maximum is $(3+\sqrt{13})/2<4$.",
    uses=("lizaire26.params",),
    sabotages={"b = -2a + L'": {"middle": lambda a, k: -2 * a + k}},
)
def critical_width(proof: Proof, middle=lambda a, k: -2 * a - k) -> None:
    r"""The critical width is where the difference of the numbers of parameters vanishes; it is largest where $L$ and $L'$ are smallest.

    1. The difference factors as said, and the larger root of the quadratic is $1+L'(1+\sqrt{12a+1})/2a$. [checked: "the difference"; "the larger root"]
    2. Its derivative in $L$ is negative, as $a>0$: so $L=L'+1$ is the worst case. [checked: "its derivative in L is"; "a is positive"] [prose]
    3. There the root is $1+L'(1+S)/(4L'^2-2)$ with $S=\sqrt{24L'^2-11}$, and its derivative in $L'$ is $-\big((4L'^2+2)S+52L'^2-22\big)/\big((4L'^2-2)^2S\big)<0$. [checked: "at L = L' + 1"; "its derivative in L' is"; "positive for L'"] [prose]
    4. So the maximum is at $L'=1$: $(3+\sqrt{13})/2\approx3.30$, below $4$. [checked: "the maximum"; "it is below 4"]
    """
    n, big, k = sympy.symbols("n L k", positive=True)
    a = 2 * big * k - big - k
    b, c = middle(a, k), a - k * (3 * k - 1)

    def params(width, depth):
        return (2 * depth - 1) * width**2 + (depth + 1) * width

    difference = params(big / k * (n - 1) + 1, k) - params(n, big)
    proof.symbolically("the difference", difference, (big - k) / k**2 * (a * n**2 + b * n + c), free="n, L, L'")
    root = 1 + k * (1 + sympy.sqrt(12 * a + 1)) / (2 * a)
    proof.symbolically("the larger root", a * root**2 + b * root + c, 0, free="L, L'")
    r, s, m = sympy.symbols("r s m", nonnegative=True)
    proof.holds(
        "a is positive for L' = 1 + r, L = L' + 1 + s",
        _is_positive(sympy.Poly(sympy.expand(a.subs(big, k + 1 + s).subs(k, 1 + r)), r, s)),
        free="L' < L",
    )
    derivative = -(6 * a + sympy.sqrt(12 * a + 1) + 1) * k * (2 * k - 1) / (2 * a**2 * sympy.sqrt(12 * a + 1))
    proof.symbolically("its derivative in L is", sympy.diff(root, big), derivative, free="L, L'")
    edge = root.subs(big, k + 1)
    proof.symbolically("at L = L' + 1", edge, 1 + k * (1 + sympy.sqrt(24 * k**2 - 11)) / (4 * k**2 - 2), free="L'")
    S = sympy.sqrt(24 * k**2 - 11)
    falling = (-(4 * k**2 + 2) * S - (52 * k**2 - 22)) / ((4 * k**2 - 2) ** 2 * S)
    proof.symbolically("its derivative in L' is", sympy.diff(edge, k), falling, free="L'")
    for positive in (24 * k**2 - 11, 52 * k**2 - 22):
        proof.holds("positive for L' = 1 + m, m >= 0", all(x > 0 for x in sympy.Poly(positive.subs(k, 1 + m), m).all_coeffs()), free="L'")
    for one in proof.every("the worst case, L' = 1 and L = 2", [1], limited=False):
        proof.exactly("the maximum, at L' = 1", sympy.simplify(edge.subs(k, one) - (3 + sympy.sqrt(13)) / 2) == 0, True)
        proof.holds("it is below 4", bool(sympy.sqrt(13) < 5))
    proof.certificate("witness", "the quadratic at its ends", pairs=[[2, 1], [3, 1], [3, 2], [5, 3], [9, 8]])
