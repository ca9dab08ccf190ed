"""grazzi25, Lemma 1: finite sums of C(k, m) lambda^(k-m) under ``cast``."""

from __future__ import annotations

from itertools import product
from random import Random

import sympy
from flint import fmpq

from ...constructions import samples
from ...numerics.exponential_sums import ExponentialSum, monotone_from
from ...numerics.finite_precision import FiniteSet
from ..claim import claim
from ..evidence import Proof


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
    "grazzi25.lemma1",
    topic="parity",
    place="Lemma 1",
    title="Lemma 1's conclusion, as its quantifiers stand, makes a cast sequence eventually 2-periodic",
    says=r"If for some $\bar k$ and every $k\ge\bar k$ there are $\bar a_1,\bar a_2\in\mathbb D$ with "
    r"$\mathrm{cast}(a_{2k})=\bar a_1$ and $\mathrm{cast}(a_{2k+1})=\bar a_2$, then $\mathrm{cast}(a_k)$ is eventually 2-periodic.",
    reading="the quantifiers are taken in the printed order: the two values may depend on k",
    sabotages={"the two values are chosen before k": {"conclusion": _intended_conclusion}},
)
def quantifiers_as_printed(proof: Proof, conclusion=_printed_conclusion) -> None:
    """Since cast takes values in D, the printed conclusion holds for every sequence: a 3-periodic one satisfies it."""
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
            hypotheses={"the printed conclusion holds": conclusion(values, D)},
            violates={"no two values serve all large k: the sequence is not eventually 2-periodic": not _intended_conclusion(values, D)},
            minimal=f"period {len(values)}, |D| = 2",
        )


def _printed_order(i: tuple[int, int], j: tuple[int, int]) -> bool:
    """The order demanded for i > j, terms being (lambda, m)."""
    return i[0] > j[0] or (i[0] == j[0] and i[1] > j[1])


@claim(
    "grazzi25.lemma1.order",
    topic="parity",
    place="App. B, proof of Lemma 1",
    title="with the printed order of the terms, the first one dominates: b_k -> 0",
    says=r"If $\lambda_i>\lambda_j$, or $\lambda_i=\lambda_j$ and $m_i>m_j$, for all $i>j$, then "
    r"$b_k=\sum_{i\ge2}c_i\binom k{m_i}\lambda_i^{k-m_i}\big/\binom k{m_1}\lambda_1^{k-m_1}\to0$.",
    reading="'for all i, j with i > j', as printed; the proof needs i < j",
    sabotages={"the order is turned round (i < j), as the proof needs": {"order": lambda i, j: _printed_order(j, i)}},
)
def order_of_the_terms(proof: Proof, order=_printed_order) -> None:
    """Two terms with lambda = 1 and m = 0, 1 are in the printed order, yet b_k = k."""

    def grows(pair: tuple[tuple[int, int], tuple[int, int]]) -> bool:
        first, second = pair
        # |g_2 / g_1| is nondecreasing if g_1 / g_2 is nonincreasing
        return order(second, first) and _printed_order(second, first)

    terms = list(product((1, 2), (0, 1)))
    found = proof.smallest("pairs (lambda_1, m_1), (lambda_2, m_2) with lambda in {1, 2}, m in {0, 1}", product(terms, terms), grows)
    if found:
        (first, second), _ = found
        g1, g2 = (ExponentialSum({(fmpq(x), m): fmpq(1)}) for x, m in (first, second))
        start = max(monotone_from((fmpq(second[0]), second[1]), (fmpq(first[0]), first[1])), 1)
        ratio = g2(start) / g1(start)
        proof.counterexample(
            given={
                "(lambda_1, m_1)": first,
                "(lambda_2, m_2)": second,
                "c_1 = c_2": 1,
                "b_k for k = 1 .. 5": [g2(k) / g1(k) for k in range(1, 6)],
            },
            hypotheses={"the printed order holds": order(second, first)},
            violates={f"b_k never falls below {ratio} from k = {start} on, so it does not tend to 0": ratio > 0},
            minimal="n = 2 terms",
        )


@claim(
    "grazzi25.lemma1.amended",
    topic="parity",
    place="Lemma 1",
    kind="amended",
    amends="grazzi25.lemma1",
    title="cast(a_k) is 2-periodic from a computable threshold on; constant if every lambda >= 0",
    says=r"For $a_k=\sum_i c_i\binom k{m_i}\lambda_i^{k-m_i}$ with rational data and any finite $\mathbb D\subset\mathbb Q$ one can "
    r"compute $\bar k$ and $\bar a_1,\bar a_2\in\mathbb D$ with $\mathrm{cast}(a_{2k})=\bar a_1$, $\mathrm{cast}(a_{2k+1})=\bar a_2$ for "
    r"all indices beyond $\bar k$; if all $\lambda_i\ge0$ then $\bar a_1=\bar a_2$.",
    hypotheses=("c_i, lambda_i rational, m_i natural", "D finite, nonempty, rational"),
    construction="lemmata.numerics.finite_precision.FiniteSet.settles",
    sabotages={
        "the threshold is taken at once": {"settles": lambda D, a: (0, D.settles(a)[1])},
        "even and odd values are swapped": {"settles": lambda D, a: (D.settles(a)[0], D.settles(a)[1][::-1])},
        "a tie goes to the larger element": {
            "settles": lambda D, a: (D.settles(a)[0], tuple(_cast_upward(D, a(D.settles(a)[0] + k)) for k in (0, 1)))
        },
    },
)
def effective_threshold(proof: Proof, settles=FiniteSet.settles) -> None:
    """cast(a_k) changes only when a_k crosses a midpoint y of D, and a_k - y is a sum of the same kind.

    Along even and along odd k all its terms have one sign pattern with lambda > 0. The ratio of any term to the fastest
    growing one is nonincreasing from a computable k on; as soon as the others together weigh less, the sign is settled.
    """
    k, m, x = sympy.symbols("k m lambda", positive=True)
    growth = sympy.combsimp(sympy.binomial(k + 1, m) / sympy.binomial(k, m)) * x
    proof.symbolically("a term grows by lambda (k+1)/(k+1-m) per step", growth, x * (k + 1) / (k + 1 - m), "k >= m and lambda")
    rng = Random(1)
    count = proof.pick(40, 150, 1500)
    family = [(samples.exponential_sum(rng, samples.REAL), samples.finite_set(rng)) for _ in range(count)]
    family += [(samples.exponential_sum(rng, samples.NONNEGATIVE), samples.finite_set(rng)) for _ in range(count)]
    family += _boundary_cases()
    for a, D in proof.each(f"{len(family)} sums of up to 4 terms, m <= 2, |D| <= 5, ties included", family):
        threshold, values = settles(D, a)
        for parity in (0, 1):
            for y in D.midpoints:
                shifted = (a - y).on_parity(parity)
                if shifted.terms:
                    lead = max(shifted.terms)
                    monotone = all(monotone_from(lead, key) <= threshold for key in shifted.terms if key != lead)
                    proof.holds("from the threshold on every ratio to the leading term is nonincreasing", monotone)
                    proof.holds("at the threshold the leading term outweighs the rest", shifted.is_dominated_by(lead, threshold))
        window = range(threshold, threshold + 12)
        proof.exactly("the next 12 values are the two predicted", [D.cast_scalar(a(k)) for k in window], [values[k % 2] for k in window])
        if all(x >= 0 for x, _ in a.terms):
            proof.exactly("all lambda >= 0: the two values agree", values[0], values[1])
        proof.certificate(
            "cast-of-sum",
            "cast(a_k) is 2-periodic from the threshold on",
            terms=[[x, m, c] for (x, m), c in a.terms.items()],
            D=D,
            threshold=threshold,
            even=values[0],
            odd=values[1],
        )


def _cast_upward(D: FiniteSet, x: fmpq) -> fmpq:
    """The nearest element, the larger one at a tie."""
    return min(D.values, key=lambda z: (abs(z - x), -z))


def _boundary_cases() -> list[tuple[ExponentialSum, FiniteSet]]:
    """The empty sum, lambda = 0, exact ties that last for ever, approach to a midpoint from either side."""
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
    return [(ExponentialSum(terms), D) for terms in sums for D in (two_points, FiniteSet([0]))]
