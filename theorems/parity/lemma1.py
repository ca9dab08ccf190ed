"""grazzi25, Lemma 1: finite sums of C(k, m) lambda^(k-m) under ``cast``."""

from __future__ import annotations

from itertools import product
from random import Random

import sympy
from flint import fmpq

from ...constructions import samples
from ...numerics.aliases import Exact
from ...numerics.exponential_sums import ExponentialSum
from ...numerics.finite_precision import FiniteSet
from ..claim import claim
from ..evidence import Proof

Key = tuple[fmpq, int]


def _growth(key: Key, k: int) -> fmpq:
    """g(k + 1) / g(k) for g(k) = C(k, m) lambda^(k-m), lambda > 0 and k >= m."""
    x, m = key
    return x * fmpq(k + 1, k + 1 - m)


def _without_growth(D: FiniteSet, a: ExponentialSum) -> tuple[int, tuple[fmpq, fmpq]]:
    """As ``FiniteSet.settles``, but the threshold is the first k at which the leading term outweighs the rest, whatever grows."""
    start = 1 + max((m for _, m in a.terms), default=-1)
    thresholds, values = [0], []
    for parity in (0, 1):
        above = 0
        for y in D.midpoints:
            shifted = (a - y).on_parity(parity)
            if shifted.terms:
                lead = max(shifted.terms)
                thresholds.append(next(k for k in range(start, start + 500) if shifted.is_dominated_by(lead, k)))
                above += shifted.terms[lead] > 0
        values.append(D.values[above])
    return max(thresholds), (values[0], values[1])


@claim(
    "grazzi25.lemma1",
    place="Lemma 1",
    title="cast(aₖ) is 2-periodic from a computable threshold on; constant if every λ ≥ 0",
    says=r"For $a_k=\sum_i c_i\binom k{m_i}\lambda_i^{k-m_i}$ with rational data and any finite $\mathbb D\subset\mathbb Q$ one can "
    r"compute $\bar k$ and $\bar a_1,\bar a_2\in\mathbb D$ with $\mathrm{cast}(a_{2k})=\bar a_1$, $\mathrm{cast}(a_{2k+1})=\bar a_2$ for "
    r"all indices beyond $\bar k$; if all $\lambda_i\ge0$ then $\bar a_1=\bar a_2$.",
    reading="the two values are chosen before k, as the proof does; the lemma is for real data and says that a threshold exists, the check computes one "
    "from rational data. In case 3 of the proof the intervals are meant as (c_1, c_1 + eps) and (c_1 - eps, c_1).",
    hypotheses=("c_i, lambda_i rational, m_i natural", "D finite, nonempty, rational"),
    construction="lemmata.numerics.finite_precision.FiniteSet.settles",
    sabotages={
        "one value for both parities, which the kernel refutes": {"theorem": "thresholds.threshold_of_one_value"},
        "the threshold is taken at once": {"settles": lambda D, a: (0, D.settles(a)[1])},
        "ratios to the leading term are taken to fall from the start": {"settles": _without_growth},
        "even and odd values are swapped": {"settles": lambda D, a: (D.settles(a)[0], D.settles(a)[1][::-1])},
        "a tie goes to the larger element": {
            "settles": lambda D, a: (D.settles(a)[0], tuple(_cast_upward(D, a(D.settles(a)[0] + k)) for k in (0, 1)))
        },
    },
)
def effective_threshold(proof: Proof, settles=FiniteSet.settles, theorem: str = "thresholds.threshold_is_computed") -> None:
    r"""cast changes its value only at midpoints of $\mathbb D$, and $a_k$ minus a midpoint is a sum of the same kind, whose sign settles.

    1. Let $z_1<\dots<z_d$ be the elements of $\mathbb D$ and $y_j=(z_j+z_{j+1})/2$. Then $\mathrm{cast}(x)=z_{1+\#\{j:\,y_j<x\}}$, so that
       $\mathrm{cast}(a_k)$ is known from the signs of the $d-1$ sequences $a_k-y_j$, each of which has one more term, $-y_j\binom k01^k$. [prose]
    2. Fix the parity of $k$. For $k>\max m_i$ terms with $\lambda_i=0$ vanish, and $\lambda_i^{k-m_i}=\pm|\lambda_i|^{k-m_i}$ with a sign that does not depend on $k$.
       So along even and along odd $k$ the sequence is a sum $\sum_ic_ig_i(k)$ of the same form with all $\lambda_i>0$; equal $(\lambda,m)$ are merged. If none
       is left the sign is $0$. [prose]
    3. Let $(X,M)$ be the largest pair $(\lambda,m)$ in lexicographic order, $(x,m)$ another one. A term grows by the factor $\lambda\frac{k+1}{k+1-m}$ in a step.
       [checked: "a term grows by lambda (k+1)/(k+1-m) per step"]
    4. Hence the ratio of the other term to the leading one does not grow in the step from $k$ iff $(k+1)(X-x)\ge mX-Mx$. The left side does not decrease in $k$: once this holds
       it holds for ever. If $X=x$ then $M>m$ and it always holds; if $X>x$ it holds for large $k$, and then the ratio tends to $0$, as its factor
       tends to $x/X<1$ (for $X=x$ the ratio is of the order $k^{m-M}$). [checked: "the factors compare as"] [prose]
    5. So a $\bar k$ exists at which no ratio grows any more and the leading term outweighs all others together; beyond it the sign is that of the
       leading coefficient. Both conditions are rational inequalities at one $k$, hence $\bar k$ is found by trying $k=1,2,\dots$
       [checked: "from the threshold on no ratio to the leading term grows"; "at the threshold the leading term outweighs the rest"]
    6. The values so found are those of the cast sequence. [checked: "the next 12 values are the two predicted"]
    7. If all $\lambda_i\ge0$, step 2 introduces no sign, and both parities have the same leading term. [checked: "all lambda >= 0: the two values agree"]
    8. The kernel has all of it, as a program. It uses $(1+h)^k\ge\binom kjh^j$ in place of step 4's limit. [checked: "the kernel: a program from the terms"]
       Its cast is one of Theorem 1's, with ties broken downwards. [checked: "the kernel: this rounding is a cast"]
    """
    proof.formally(
        "the kernel: a program from the terms and the set to the threshold and the two values",
        theorem,
        whole="all terms and finite sets",
        differs="an Archimedean field, as the rational numbers are: over them the theorem, which is no bare existence and rests on no axiom, is a program; "
        "D as a list that is not empty",
    )
    proof.formally("the kernel: this rounding is a cast, with ties broken downwards", "thresholds.to_nearest_is_a_cast")
    k, m, x, M, X = sympy.symbols("k m lambda M Lambda", positive=True)
    growth = sympy.combsimp(sympy.binomial(k + 1, m) / sympy.binomial(k, m)) * x
    proof.symbolically("a term grows by lambda (k+1)/(k+1-m) per step", growth, x * (k + 1) / (k + 1 - m), "k >= m and lambda")
    proof.symbolically(
        "the factors compare as (k+1)(X-x) with mX - Mx",
        X * (k + 1) * (k + 1 - m) - x * (k + 1) * (k + 1 - M),
        (k + 1) * ((k + 1) * (X - x) - (m * X - M * x)),
        "k, (X, M) and (x, m)",
    )
    rng = Random(1)
    count = proof.pick(40, 150, 1500)
    family = [(samples.exponential_sum(rng, samples.REAL), samples.finite_set(rng)) for _ in range(count)]
    family += [(samples.exponential_sum(rng, samples.NONNEGATIVE), samples.finite_set(rng)) for _ in range(count)]
    family += _boundary_cases()
    alternating, wide, mixed = 0, 0, 0
    for a, D in proof.each(f"{len(family)} sums of up to 4 terms, m <= 2, |D| <= 5, ties included, seed 1", family):
        threshold, values = settles(D, a)
        for parity in (0, 1):
            for y in D.midpoints:
                shifted = (a - y).on_parity(parity)
                if shifted.terms:
                    lead = max(shifted.terms)
                    alive = all(m <= threshold for _, m in shifted.terms)
                    falls = alive and all(_growth(key, threshold) <= _growth(lead, threshold) for key in shifted.terms)
                    proof.holds("from the threshold on no ratio to the leading term grows", falls)
                    proof.holds("at the threshold the leading term outweighs the rest", shifted.is_dominated_by(lead, threshold))
        window = range(threshold, threshold + 12)
        proof.exactly("the next 12 values are the two predicted", [_cast(D, a(k)) for k in window], [values[k % 2] for k in window])
        if all(x >= 0 for x, _ in a.terms):
            proof.exactly("all lambda >= 0: the two values agree", values[0], values[1])
        alternating += values[0] != values[1]
        wide += len(D) > 2
        mixed += len(a.terms) > 1 and any(m > 0 for _, m in a.terms)
        if a.terms and len(D) > 1:
            proof.certificate(
                "cast-of-sum",
                "cast(a_k) is 2-periodic from the threshold on",
                terms=[[x, m, c] for (x, m), c in a.terms.items()],
                D=D,
                threshold=threshold,
                even=values[0],
                odd=values[1],
            )
    proof.holds("a twentieth of the casts alternate for ever", 20 * alternating > len(family))
    proof.holds("a third of the sets have three points or more", 3 * wide > len(family))
    proof.holds("a third of the sums have several terms, and powers of k", 3 * mixed > len(family))
    a, D = ExponentialSum({(fmpq(2), 0): fmpq(1), (fmpq(3, 2), 2): fmpq(-1)}), FiniteSet([-1, 1])
    threshold, values = settles(D, a)
    proof.exhibit(
        "2^k - C(k,2) (3/2)^(k-2) is positive, then negative, then positive for ever",
        D=D,
        threshold=threshold,
        cast=[_cast(D, a(k)) for k in range(threshold + 3)],
        values=values,
    )


def _cast(D: FiniteSet, x: fmpq) -> fmpq:
    """Eq. 4 as printed: the nearest element, the smaller one at a tie."""
    return min(D.values, key=lambda z: (abs(z - x), z))


def _cast_upward(D: FiniteSet, x: fmpq) -> fmpq:
    """The nearest element, the larger one at a tie."""
    return min(D.values, key=lambda z: (abs(z - x), -z))


def _boundary_cases() -> list[tuple[ExponentialSum, FiniteSet]]:
    """The empty sum, lambda = 0, exact ties that last for ever, approach to a midpoint from either side, a term that leads at first and then does not."""
    one, half = fmpq(1), fmpq(1, 2)
    two_points = FiniteSet([0, 1])
    sums = [
        {},
        {(fmpq(0), 0): one},
        {(fmpq(0), 2): one},
        {(one, 0): half},
        {(one, 0): half, (half, 0): one},
        {(one, 0): half, (half, 0): -one},
        {(-one, 0): half},
        {(-one, 1): one, (one, 1): one},
        {(-half, 0): one, (one, 0): half},
    ]
    late = ExponentialSum({(fmpq(2), 0): one, (fmpq(3, 2), 2): -one})
    return [(ExponentialSum(terms), D) for terms in sums for D in (two_points, FiniteSet([0]))] + [(late, FiniteSet([-1, 1]))]


# -- what is misprinted ----------------------------------------------------------------------------------------------------


def _printed_conclusion(values: tuple[int, ...], D: tuple[int, ...]) -> bool:
    """There is a threshold so that for every k >= it there are a1, a2 in D with cast(a_2k) = a1 and cast(a_2k+1) = a2.

    ``values`` is one period of cast(a_k); with the quantifiers in this order a1 and a2 may depend on k.
    """
    n = len(values)
    return all(any((values[2 * k % n], values[(2 * k + 1) % n]) == pair for pair in product(D, D)) for k in range(n))


def _intended_conclusion(values: tuple[int, ...], D: tuple[int, ...]) -> bool:
    """There are a threshold and a1, a2 in D so that for every k >= it cast(a_2k) = a1 and cast(a_2k+1) = a2."""
    n = len(values)
    return any(all((values[2 * k % n], values[(2 * k + 1) % n]) == pair for k in range(n)) for pair in product(D, D))


@claim(
    "grazzi25.lemma1.quantifiers",
    place="Lemma 1",
    flaw="remark",
    quotes=(r"such that for every $k \geq \bar{k}$ there exist $\bar{a}_1, \bar{a}_2 \in \mathbb{D}$",),
    title="in the printed order of its quantifiers Lemma 1's conclusion holds for every sequence and says nothing",
    says=r"If for some $\bar k$ and every $k\ge\bar k$ there are $\bar a_1,\bar a_2\in\mathbb D$ with "
    r"$\mathrm{cast}(a_{2k})=\bar a_1$ and $\mathrm{cast}(a_{2k+1})=\bar a_2$, then $\mathrm{cast}(a_k)$ is eventually 2-periodic.",
    letter="In Lemma 1 the two values are quantified after k. Read to the letter, the conclusion then holds for every sequence. What the proof shows is: there are k-bar, a_1 and a_2 such that for every k >= k-bar.",
    reading="the quantifiers are taken in the printed order: the two values may depend on k. No slip of extraction moves words.",
    sabotages={"the two values are chosen before k": {"conclusion": _intended_conclusion}},
)
def quantifiers_as_printed(proof: Proof, conclusion=_printed_conclusion) -> None:
    """Since cast takes values in D, the printed conclusion holds for every sequence: the 3-periodic 0, 0, 1, 0, 0, 1, ... satisfies it."""
    D = (0, 1)
    periods = (values for n in range(1, 5) for values in product(D, repeat=n))
    found = proof.smallest(
        "one period of cast(a_k) in {0, 1}, shortest first",
        periods,
        lambda values: conclusion(values, D) and not _intended_conclusion(values, D),
    )
    if found:
        values, _ = found
        proof.counterexample(
            given={"D": list(D), "one period of cast(a_k)": list(values)},
            words={"printed": conclusion(values, D), "period": not _intended_conclusion(values, D)},
            minimal=f"period {len(values)}, |D| = 2",
        )
        proof.certificate("witness", "a sequence in D that is not 2-periodic", D=[fmpq(x) for x in D], period=[fmpq(x) for x in values])


def _printed_order(i: tuple[int, int], j: tuple[int, int]) -> bool:
    """The order demanded for i > j, terms being (lambda, m)."""
    return i[0] > j[0] or (i[0] == j[0] and i[1] > j[1])


@claim(
    "grazzi25.lemma1.order",
    place="App. B, proof of Lemma 1",
    flaw="misprint",
    extracted=True,
    quotes=("such that the functions g_i are in decreasing order of growth",),
    title="the printed order of the terms makes the slowest one lead: the quotient bₖ does not tend to 0",
    says=r"If $\lambda_i>\lambda_j$, or $\lambda_i=\lambda_j$ and $m_i>m_j$, for all $i>j$, then "
    r"$b_k=\sum_{i\ge2}c_i\binom k{m_i}\lambda_i^{k-m_i}\big/\binom k{m_1}\lambda_1^{k-m_1}\to0$.",
    letter="In the proof of Lemma 1 the terms are put in decreasing order of growth. The display below asks for lambda_i > lambda_j where i > j, which is increasing order. It should read i < j.",
    reading="'for all i, j with i > j', as printed; the proof needs i < j. The words before the display say 'decreasing', so the slip is in the display.",
    sabotages={"the order is turned round (i < j), as the proof needs": {"order": lambda i, j: _printed_order(j, i)}},
)
def order_of_the_terms(proof: Proof, order=_printed_order) -> None:
    """Two terms with lambda = 1 and m = 0, 1 and coefficients 1 are in the printed order, yet b_k = C(k, 1) / C(k, 0) = k."""
    k = sympy.Symbol("k", positive=True, integer=True)

    def ratio(first: tuple[int, int], second: tuple[int, int]) -> Exact:
        (x, m), (y, n) = first, second
        return sympy.combsimp(sympy.binomial(k, n) * sympy.Integer(y) ** (k - n) / (sympy.binomial(k, m) * sympy.Integer(x) ** (k - m)))

    terms = list(product((1, 2), (0, 1)))
    found = proof.smallest(
        "pairs (lambda_1, m_1), (lambda_2, m_2) with lambda in {1, 2}, m in {0, 1}",
        product(terms, terms),
        lambda pair: order(pair[1], pair[0]) and sympy.limit(ratio(*pair), k, sympy.oo) != 0 and pair[0] != pair[1],
    )
    if found:
        (first, second), _ = found
        g1, g2 = (ExponentialSum({(fmpq(x), m): fmpq(1)}) for x, m in (first, second))
        values = [g2(j) / g1(j) for j in range(1, 6)]
        proof.counterexample(
            given={
                "(lambda_1, m_1)": first,
                "(lambda_2, m_2)": second,
                "c_1 = c_2": 1,
                "b_k": str(ratio(first, second)),
                "b_k for k = 1 .. 5": values,
            },
            words={
                "order": order(second, first),
                "grows": bool(sympy.expand_func(ratio(first, second)) == k) and values == [1, 2, 3, 4, 5],
            },
            minimal="n = 2 terms",
        )
        proof.certificate("witness", "b_k grows", terms=[[fmpq(x), m] for x, m in (first, second)], coefficients=[fmpq(1), fmpq(1)])
