"""Which matrices have 2-cycles when every step is rounded once: those with a negative principal minor."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, product
from random import Random

import numpy as np
import sympy
from flint import fmpq

from ...constructions import samples
from ...numerics import exact
from ...numerics.exact import Array
from ...numerics.finite_precision import FiniteSet
from ..claim import claim
from ..evidence import Proof


def principal_minors(a: Array) -> Iterator[tuple[tuple[int, ...], fmpq]]:
    """(indices, minor), the smallest index sets first."""
    n = len(a)
    for size in range(1, n + 1):
        for chosen in combinations(range(n), size):
            yield chosen, exact.determinant(a[np.ix_(chosen, chosen)])


def reversed_vector(a: Array, chosen: tuple[int, ...]) -> Array | None:
    """A rational d with d_i (A d)_i < 0 wherever d_i != 0, near the eigenvector of a negative eigenvalue of A on the indices ``chosen``."""
    block = a[np.ix_(chosen, chosen)]
    values, vectors = np.linalg.eig(np.array([[float(x.p) / float(x.q) for x in row] for row in block]))
    real = [i for i in range(len(values)) if abs(values[i].imag) < 1e-9 and values[i].real < 0]
    for i in sorted(real, key=lambda i: values[i].real):
        direction = np.real(vectors[:, i] / max(vectors[:, i], key=abs))
        for digits in (1, 2, 4, 8, 12):
            d = exact.zeros(len(a))
            for index, x in zip(chosen, direction, strict=True):
                d[index] = fmpq(round(float(x) * 10**digits), 10**digits)
            if reverses(a, d):
                return d
    return None


def reverses(a: Array, d: Array) -> bool:
    """d is not 0, and A d has the opposite sign of d wherever d is not 0."""
    image = a @ d
    return any(x != 0 for x in d) and all(x == 0 or x * y < 0 for x, y in zip(d, image, strict=True))


def cycle_from(a: Array, d: Array) -> tuple[FiniteSet, Array, Array, Array]:
    """(D, b, p, q) with q = cast(A p + b) and p = cast(A q + b), from a vector whose signs A reverses: each entry gets two numbers of its own."""
    apart = 1 + 2 * max(abs(x) for x in [*d, *(a @ d)])
    centre = exact.rationals([apart * i for i in range(len(d))])
    p, q = centre + d / 2, centre - d / 2
    return FiniteSet([*p, *q]), centre - a @ centre, p, q


@claim(
    "new.parity.stepwise.minors",
    place="after grazzi25 Theorem 1",
    title="rounding once per step can alternate for ever for some b and D exactly if a principal minor of A is negative",
    says=r"For $A\in\mathbb R^{n\times n}$ there are $b$, a finite $\mathbb D$ and states $p\ne q$ in $\mathbb D^n$ with $q=\mathrm{cast}(Ap+b)$, $p=\mathrm{cast}(Aq+b)$ if and only if a principal minor of $A$ is negative. "
    r"If none is, no nondecreasing roundings $\rho_1,\dots,\rho_n$ of the entries have such a pair. So what decides is not the spectrum, but the minors ($P_0$-matrices).",
    hypotheses=("A h + b exact, then rounded once per step",),
    known="That A reverses the signs of a vector exactly if a principal minor is negative is in Fiedler and Ptak (1966) on P_0-matrices; both directions are shown here. "
    "That 2-cycles of rounded recurrences are decided by it is new to us.",
    remarks=(
        "It explains new.parity.stepwise.two-cycle: those matrices have nonnegative spectra and a negative diagonal entry.",
        "It is about period 2 alone: without a negative minor there may be longer cycles (a turn by a small angle); for symmetric A there are none (new.parity.stepwise.monotone).",
    ),
    sabotages={
        "only the determinant is looked at": {"minors": lambda a: list(principal_minors(a))[-1:]},
        "the diagonal alone": {"minors": lambda a: list(principal_minors(a))[: len(a)]},
        "b = 0 and all entries share two numbers": {"built": lambda a, d: (FiniteSet([*(d / 2), *(-d / 2)]), 0 * d, d / 2, -d / 2)},
        "the diagonal decides, which the kernel refutes": {"theorem": "stepwise.diagonals_decide"},
    },
)
def minors_decide(
    proof: Proof, minors: Callable = principal_minors, built: Callable = cycle_from, theorem: str = "stepwise.two_cycles"
) -> None:
    r"""A 2-cycle is a vector whose signs $A$ reverses, and such a vector is a negative minor.

    1. Let $p\ne q$ be such a pair for nondecreasing $\rho_i$, $d=p-q$. If $d_i>0$ then $\rho_i((Ap+b)_i)=q_i<p_i=\rho_i((Aq+b)_i)$, so $(Ap+b)_i<(Aq+b)_i$ and $(Ad)_i<0$; likewise for $d_i<0$. So $d_i(Ad)_i<0$ wherever $d_i\ne0$. [prose]
    2. Let $T$ be the support of $d$ and $e_i=-(Ad)_i/d_i>0$. Then $(A_T+\mathrm{diag}(e))d_T=0$, and $0=\det(A_T+\mathrm{diag}(e))=\sum_{S\subseteq T}\det A_S\prod_{i\in T\setminus S}e_i$. The term of $S=\emptyset$ is positive,
       so some $\det A_S<0$. [checked: "det(A + diag(e)) is the sum"; "no vector is reversed"]
    3. Conversely let $\det A_T<0$. Nonreal eigenvalues come in pairs with a positive product, so $A_T$ has an eigenvalue $\lambda<0$; its eigenvector, extended by zeros, is a $d$ with $d_i(Ad)_i=\lambda d_i^2<0$ wherever $d_i\ne0$.
       [checked: "a negative minor gives a vector"] [prose]
    4. Let $c_i=iM$ with $M>2\max_i(|d_i|,|(Ad)_i|)$, $p=c+\frac d2$, $q=c-\frac d2$, $\mathbb D$ the set of their entries, $b=c-Ac$. Then $Ap+b=c+\frac12Ad$; entry $i$ lies nearest to $c_i\pm\frac{d_i}2$, and on the side of $-d_i$:
       its cast is $q_i$. Likewise $\mathrm{cast}(Aq+b)=p$. [checked: "cast(A p + b) = q"; "cast(A q + b) = p"] [prose]
    """
    proof.formally(
        "the kernel: a pair iff a principal minor is negative",
        theorem,
        whole="every n and A, ties broken in any way",
        differs="a real closed field for the reals; a principal minor is the determinant of A with the other rows replaced by those of 1",
    )
    proof.formally(
        "the kernel: nondecreasing roundings have no pair", "stepwise.monotone_two_cycles", differs="an ordered field for the reals"
    )
    for n in range(1, proof.pick(3, 4, 5)):
        a = sympy.Matrix(n, n, lambda i, j: sympy.Symbol(f"a{i}{j}"))
        e = sympy.symbols(f"e0:{n}")
        expansion = sum(
            (a.extract(list(s), list(s)).det() if s else 1) * sympy.prod(e[i] for i in range(n) if i not in s)
            for size in range(n + 1)
            for s in combinations(range(n), size)
        )
        proof.symbolically(
            "det(A + diag(e)) is the sum over S", (a + sympy.diag(*e)).det(method="berkowitz"), expansion, "A, e", f"n <= {n}"
        )
    vectors = [exact.rationals(d) for d in product(range(-4, 5), repeat=2) if any(d)]
    largest = proof.pick(1, 2, 3)
    matrices = (exact.rationals([m[:2], m[2:]]) for m in product(range(-largest, largest + 1), repeat=4))
    for a in proof.every(f"all integer 2 x 2 matrices with entries up to {largest}", matrices):
        _decide(proof, a, minors, built, vectors)
    rng = Random(16)
    count = proof.pick(20, 100, 1000)
    for n in proof.each(f"{count} random integer matrices, n = 3 or 4, seed 16", [rng.randint(3, 4) for _ in range(count)]):
        a = samples.integers(rng, n, n, bound=2) + rng.randint(0, 3) * exact.identity(n)
        _decide(proof, a, minors, built, [samples.nonzero_vector(rng, n) for _ in range(20)])
    proof.holds("some have nonnegative minors and are not symmetric", any(e["what"] == "without a 2-cycle" for e in proof.exhibits))


def _decide(proof: Proof, a: Array, minors: Callable, built: Callable, vectors: list[Array]) -> None:
    negative = [chosen for chosen, minor in minors(a) if minor < 0]
    if not negative:
        proof.holds("no vector is reversed where no minor is negative", not any(reverses(a, d) for d in vectors))
        if not np.array_equal(a, a.T) and not any(e["what"] == "without a 2-cycle" for e in proof.exhibits):
            proof.exhibit("without a 2-cycle", A=a)
        return
    d = reversed_vector(a, negative[0])
    proof.holds("a negative minor gives a vector whose signs are reversed", d is not None)
    if d is None:
        return
    D, b, p, q = built(a, d)
    proof.exactly("cast(A p + b) = q", D.cast(a @ p + b), q)
    proof.exactly("cast(A q + b) = p", D.cast(a @ q + b), p)
    if len(a) > 2 and len(proof.certificates) < 12:
        proof.certificate("witness", "a 2-cycle from a negative minor", A=a, b=b, D=D, minor=list(negative[0]), orbit=[p, q, p])
