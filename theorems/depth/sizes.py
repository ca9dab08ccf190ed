"""Comparing sizes: the same units in one layer (Theorem 6), the number of parameters (Theorem 2) and from which width on (lizaire26, App. A.4, A.5)."""

from __future__ import annotations

from itertools import product
from random import Random

import sympy

from ...constructions.depth import DeepLinear, as_one_layer, least_width, parameters
from ...numerics import exact
from ..claim import claim
from ..evidence import Proof
from .copying import random_network


@claim(
    "lizaire26.thm6",
    topic="depth",
    place="Theorem 6, App. A.4",
    title="for every L >= 1 one layer of width nL computes strictly more than the states of L layers of width n",
    says=r"$\mathcal H^{(\|)}_{RNN}(n,L)\subsetneq\mathcal H_{RNN}(nL,1)$ for all $n>1$, $L\ge1$.",
    sabotages={"two layers": {"depth": 2}},
)
def one_layer_is_one_layer(proof: Proof, depth: int = 1) -> None:
    """For L = 1 both are the same class by definition: joining the layers of a network with one layer returns that network."""
    network = random_network(Random(110), 2, depth)
    ((U, V),) = as_one_layer(network).layers
    proof.counterexample(
        given={"n": 2, "L": depth, "U": U, "V": V},
        hypotheses={"n > 1 and L >= 1": network.width > 1 and depth >= 1},
        violates={"the layer of width nL is a layer of width n": len(V) == network.width and bool((network.layers[0][1] == V).all())},
        minimal="L = 1, every n",
    )


@claim(
    "lizaire26.thm6.proof",
    topic="depth",
    place="Theorem 6, App. A.4 (proof)",
    title="for any input dimension, parts of the input matrix of one wide layer can have the ranks 1 and 2",
    says=r"There is $\tilde U$ with blocks $\operatorname{rank}\tilde U_1=1$ and $\operatorname{rank}\tilde U_2=2$, which $U^{(1)}$ and $U^{(2)}U^{(1)}$ cannot have.",
    reading="for every d; Theorem 2, to which the comparison leads, has d = 1",
    sabotages={"two channels": {"d": 2}},
)
def one_channel_has_rank_one(proof: Proof, d: int = 1) -> None:
    """A block of the input matrix has d columns, so its rank is at most d: for d = 1 the proof has no function to offer. (A longer copy serves, see lizaire26.prop1.)"""
    n, depth = 2, 2
    block = exact.identity(max(n, d))[:n, :d]
    proof.counterexample(
        given={"n": n, "L": depth, "d": d, "a block of the largest rank": block},
        hypotheses={"n > 1, L > 1": n > 1 and depth > 1},
        violates={"no block has rank 2": exact.rank(block) < 2},
        minimal=f"d = {d}",
    )


@claim(
    "lizaire26.thm2",
    topic="depth",
    place="Theorem 2, App. A.5",
    title="for n >= 4 a shallower network that copies as far as L layers of width n has more parameters; for n = 2, 3 not always",
    says=r"With $p=L(n-1)$ and $n\ge4$: if $L'<L$ layers of width $n'$ copy $p$ steps, $(2L'-1)n'^2+(L'+1)n'>(2L-1)n^2+(L+1)n$.",
    reading="up to a linear readout, since states of different widths cannot be equal; p = L(n - 1) as in the appendix, not (L + 1)(n - 1) as in the sketch; initial states not counted",
    uses=("lizaire26.lemma2.amended", "lizaire26.lemma3.amended"),
    sabotages={"widths from 3 on": {"least": 3}},
)
def parameters_of_copies(proof: Proof, least: int = 4) -> None:
    """By Lemma 3 the shallower network has width at least L (n - 1) / L' + 1, and the number of parameters grows with the width. With n = 4 + m, L' = 1 + r,
    L = L' + 1 + s the difference times L'^2 / (L - L') is a polynomial in m, r, s with positive coefficients. At n = 3 one exception is left, L = 2: 35 against 36."""
    m, r, s = sympy.symbols("m r s", nonnegative=True)
    n, k = least + m, 1 + r
    big = k + 1 + s
    width = big * (n - 1) / k + 1
    difference = (2 * k - 1) * width**2 + (k + 1) * width - (2 * big - 1) * n**2 - (big + 1) * n
    polynomial = sympy.Poly(sympy.cancel(difference * k**2 / (big - k)), m, r, s)
    for _ in proof.every("all n >= 4 and L' < L", [least], limited=False):
        proof.holds(
            "the coefficients are not negative, the constant is positive",
            bool(all(c >= 0 for c in polynomial.coeffs()) and polynomial.TC() > 0),
        )
    proof.holds(
        "n = 3, L = 2 is an exception: 35 parameters in one layer, 36 in two", _least_parameters(3, 2, 1) == 35 and parameters(3, 2) == 36
    )


#: (L, L') with a copy of L (n - 1) steps that is no larger in L' < L layers
EXCEPTIONS = {2: [(2, 1), (3, 1), (4, 1), (5, 1), (4, 2), (6, 3), (8, 4)], 3: [(2, 1)]}


@claim(
    "new.depth.exceptions",
    topic="depth",
    place="after lizaire26, Theorem 2",
    kind="new",
    title="for n = 3 Theorem 2's copy has one exception, L = 2 and L' = 1; for n = 2 it has seven",
    says=r"The pairs $(L,L')$, $L'<L$, for which $L'$ layers copy $L(n-1)$ steps with at most $\#\mathrm{params}(n,L)$ parameters: $(2,1)$ for $n=3$; $(2,1),(3,1),(4,1),(5,1),(4,2),(6,3),(8,4)$ for $n=2$.",
    reading="integer widths; initial states not counted",
    uses=("lizaire26.lemma2.amended", "lizaire26.lemma3.amended"),
    sabotages={"widths rounded down": {"width": lambda p, shallow: p // shallow + 1}},
)
def exceptions_are_few(proof: Proof, width=least_width) -> None:
    """Let c = ceil(L (n - 1) / L'), so that the least width is c + 1 and L <= c L' / (n - 1). The difference is then at least a polynomial in c and L', positive
    but for c = n and small L', and L' = 1 and small c; those pairs are gone through."""
    c, k = sympy.symbols("c k", positive=True)
    u, v = sympy.symbols("u v", nonnegative=True)
    corners = {2: ((3, 2), (2, 5), (6, 1)), 3: ((4, 2), (3, 2), (5, 1))}
    for n in proof.every("n = 2, 3 and all L' < L", (2, 3), limited=False):
        deep = c * k / (n - 1)
        bound = (2 * k - 1) * (c + 1) ** 2 + (k + 1) * (c + 1) - (2 * deep - 1) * n**2 - (deep + 1) * n
        for c0, k0 in corners[n]:
            # the quadrant c >= c0, k >= k0, or the ray on which one of them is fixed
            at = {c: c0 + u, k: k0 + v} if (c0, k0) == corners[n][0] else ({c: c0, k: k0 + v} if k0 > 1 else {c: c0 + u, k: k0})
            polynomial = sympy.Poly(sympy.expand(bound.subs(at)), u, v)
            proof.holds("positive from here on", bool(all(x >= 0 for x in polynomial.coeffs()) and polynomial.TC() > 0))
        pairs = [(deep, shallow) for shallow in range(1, 5) for deep in range(shallow + 1, 9)]
        found = [(deep, shallow) for deep, shallow in pairs if parameters(width(deep * (n - 1), shallow), shallow) <= parameters(n, deep)]
        proof.exactly("the exceptions", found, EXCEPTIONS[n])


def _least_parameters(n: int, depth: int, shallow: int) -> int:
    """Parameters of the narrowest network of ``shallow`` layers that copies depth (n - 1) steps."""
    return parameters(least_width(depth * (n - 1), shallow), shallow)


@claim(
    "new.depth.parameters",
    topic="depth",
    place="after lizaire26, Theorem 2",
    kind="new",
    title="with a function of Hankel rank nL instead of a copy, Theorem 2 holds for all n >= 1, all depths and all d",
    says=r"For $f\in\mathcal H_{RNN}(n,L)$ of Hankel rank $nL$ every shallower network that computes it has $n'L'\ge nL$, and then "
    r"$(2L'-1)n'^2+(L'+d)n'-(2L-1)n^2-(L+d)n\ge(r-1)\big(n^2(r(2L'-1)-1)+dn\big)>0$ with $r=L/L'>1$.",
    reading="up to a linear readout; initial states not counted",
    uses=("lizaire26.thm1",),
    sabotages={"a deeper network (r < 1)": {"shallower": False}},
)
def hankel_functions_need_parameters(proof: Proof, shallower: bool = True) -> None:
    """The number of parameters grows with the width, so n' = r n is the least to compare with. With r > 1 and L' >= 1 both terms are positive, since
    r(2L' - 1) >= r > 1."""
    n, k, r, d = sympy.symbols("n k r d", positive=True)
    difference = (2 * k - 1) * (r * n) ** 2 + (k + d) * r * n - (2 * k * r - 1) * n**2 - (k * r + d) * n
    proof.symbolically(
        "the difference for L' = k, L = r k", difference, (r - 1) * (n**2 * (r * (2 * k - 1) - 1) + d * n), free="n, k, r, d"
    )
    largest = proof.pick(8, 20, 40)
    cases = ((m, deep, shallow) for m in range(1, largest + 1) for deep in range(2, largest + 1) for shallow in range(1, largest + 1))
    for m, deep, shallow in proof.every(
        f"n, L <= {largest}, all L' < L", (c for c in cases if (c[2] < c[1]) == shallower and c[1] != c[2])
    ):
        width = -(-m * deep // shallow)
        proof.holds("the narrowest shallower network has more parameters", parameters(width, shallow) > parameters(m, deep))


@claim(
    "lizaire26.params",
    topic="depth",
    place="Theorem 2, Sec. 3.1 (note)",
    title="L layers of width n with one input channel have (2L - 1) n^2 + (L + 1) n parameters, initial states not counted",
    says=r"$\#\mathrm{params}(n,L)=(2L-1)n^2+(L+1)n$ for $d=1$; with $d$ channels $(2L-1)n^2+(L+d)n$.",
    construction="lemmata.constructions.depth.parameters",
    sabotages={"the biases are forgotten": {"biases": 0}},
)
def counting_parameters(proof: Proof, biases: int = 1) -> None:
    """The entries of U, V and b of a network, counted."""
    largest = proof.pick(5, 8, 12)
    for n, depth, d in proof.every(f"n, L <= {largest}, d <= 3", product(range(1, largest + 1), range(1, largest + 1), (1, 2, 3))):
        network = DeepLinear(
            tuple((exact.zeros(n, d if level == 0 else n), exact.zeros(n, n)) for level in range(depth)), exact.zeros(1, n)
        )
        entries = sum(U.size + V.size + biases * len(V) for U, V in network.layers)
        proof.exactly("the count", entries, parameters(n, depth, d))


@claim(
    "lizaire26.params.initial",
    topic="depth",
    place="Theorem 2, Sec. 3.1 (note)",
    title="counting initial states as well, nL more, does not change Theorem 2 for copies and n >= 4",
    says=r"With $p=L(n-1)$, $n\ge4$: if $L'<L$ layers of width $n'$ copy $p$ steps, $(2L'-1)n'^2+(2L'+1)n'>(2L-1)n^2+(2L+1)n$.",
    uses=("lizaire26.thm2",),
    sabotages={"widths from 3 on": {"least": 3}},
)
def initial_states_do_not_matter(proof: Proof, least: int = 4) -> None:
    """The shallower network may have fewer units, by L - L' at most (n'L' >= L(n - 1) + L'), so this needs a look: at n = 3, L = 2 it is 40 against 42."""
    largest = proof.pick(12, 40, 120)
    for n in proof.every(f"4 <= n <= {largest}, L <= {largest}, all L' < L", range(least, largest + 1)):
        cheaper = []
        for depth in range(2, largest + 1):
            for shallow in range(1, depth):
                width = -(-depth * (n - 1) // shallow) + 1
                if _least_parameters(n, depth, shallow) + shallow * width <= parameters(n, depth) + depth * n:
                    cheaper.append((depth, shallow))
        proof.exactly("no shallower network is as small", cheaper, [])


@claim(
    "lizaire26.appA5.1",
    topic="depth",
    place="App. A.5.1",
    title="the width from which on a copy costs more parameters in fewer layers is 1 + L'(1 + sqrt(12a + 1)) / 2a, largest for L = 2, L' = 1",
    says=r"$\#(\tfrac L{L'}(n-1)+1,L')-\#(n,L)=\tfrac{L-L'}{L'^2}(an^2+bn+c)$ with $a=2LL'-L-L'$, $b=-2a-L'$, $c=a-L'(3L'-1)$; the larger root falls in $L$ and, at $L=L'+1$, in $L'$; its maximum is $(3+\sqrt{13})/2<4$.",
    uses=("lizaire26.params",),
    sabotages={"b = -2a + L'": {"middle": lambda a, k: -2 * a + k}},
)
def critical_width(proof: Proof, middle=lambda a, k: -2 * a - k) -> None:
    """Identities in n, L and L'. Both derivatives of the root have one sign: the paper's in L, and at L = L' + 1 the one in L', whose
    numerator is -(4 L'^2 + 2) S - (52 L'^2 - 22) with S = sqrt(24 L'^2 - 11) > 0."""
    n, big, k = sympy.symbols("n L k", positive=True)
    a = 2 * big * k - big - k
    b, c = middle(a, k), a - k * (3 * k - 1)

    def params(width, depth):
        return (2 * depth - 1) * width**2 + (depth + 1) * width

    difference = params(big / k * (n - 1) + 1, k) - params(n, big)
    proof.symbolically("the difference", difference, (big - k) / k**2 * (a * n**2 + b * n + c), free="n, L, L'")
    root = 1 + k * (1 + sympy.sqrt(12 * a + 1)) / (2 * a)
    proof.symbolically("the larger root", a * root**2 + b * root + c, 0, free="L, L'")
    derivative = -(6 * a + sympy.sqrt(12 * a + 1) + 1) * k * (2 * k - 1) / (2 * a**2 * sympy.sqrt(12 * a + 1))
    proof.symbolically("its derivative in L", sympy.diff(root, big), derivative, free="L, L'")
    edge = root.subs(big, k + 1)
    proof.symbolically("at L = L' + 1", edge, 1 + k * (1 + sympy.sqrt(24 * k**2 - 11)) / (4 * k**2 - 2), free="L'")
    S = sympy.sqrt(24 * k**2 - 11)
    falling = (-(4 * k**2 + 2) * S - (52 * k**2 - 22)) / ((4 * k**2 - 2) ** 2 * S)
    proof.symbolically("its derivative in L'", sympy.diff(edge, k), falling, free="L'")
    m = sympy.symbols("m")
    for positive in (24 * k**2 - 11, 52 * k**2 - 22):
        proof.holds("positive for L' = 1 + m, m >= 0", all(x > 0 for x in sympy.Poly(positive.subs(k, 1 + m), m).all_coeffs()))
    proof.exactly("the maximum, at L' = 1", sympy.simplify(edge.subs(k, 1) - (3 + sympy.sqrt(13)) / 2) == 0, True)
    proof.holds("it is below 4", bool(sympy.sqrt(13) < 5))
