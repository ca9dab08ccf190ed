"""How many GH factors a given contraction needs: a criterion for every number, bounds from one pencil, and what the bounds leave open."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import numpy as np
import sympy
from flint import fmpq, fmpq_poly

from ...constructions import householder, samples
from ...constructions.householder import GeneralizedHouseholder, PencilForm
from ...numerics import exact
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof
from .contractions import QUARTER_TURN, all_in_range, turns
from .fewest import compact_form
from .norms import factor_data


class Criterion(NamedTuple):
    """D, E, W, C of the criterion, and the basis X = [Y Q] in which the compact form shows them."""

    D: Array
    E: Array
    W: Array
    C: Array
    X: Array


def criterion_of(factors: list[GeneralizedHouseholder], frame: Array, triangle: Array) -> Criterion:
    """Read W and C off a product of k factors, none of them I, of dimension n with I - M invertible; m = k - n."""
    n = len(frame)
    M, one = householder.product(factors, n), exact.identity(n)
    Y, Q = exact.multiply(exact.inverse(triangle.T), frame.T), exact.nullspace(frame)
    W, C = (exact.multiply(left.T, triangle.T, Q) if Q.shape[1] else exact.zeros(left.shape[1], 0) for left in (Y, Q))
    return Criterion(one - M, one - exact.multiply(M, M.T), W, C, np.hstack([Y, Q]))


def form_of(criterion: Criterion) -> PencilForm:
    """The picture with k dimensions that the criterion describes."""
    form = PencilForm(criterion.D, criterion.E, criterion.D.T)
    return form.extended(criterion.W, criterion.C) if criterion.W.shape[1] else form


def definite(criterion: Criterion) -> Criterion:
    """The same D, E and zeros with C + C^T > 0, by leaving out what C + C^T does not see."""
    W, C = criterion.W, criterion.C
    kernel = exact.nullspace(C + C.T) if len(C) else exact.zeros(0, 0)
    if kernel.shape[1] == 0:
        return criterion
    rest = exact.nullspace(kernel.T)
    skew = exact.multiply(kernel.T, C, kernel)
    null = exact.nullspace(skew)
    kept, gone = (
        np.hstack([rest, exact.multiply(kernel, null)]),
        exact.multiply(kernel, exact.nullspace(null.T) if null.shape[1] else exact.identity(len(skew))),
    )
    if gone.shape[1]:
        inside = exact.inverse(exact.multiply(gone.T, C, gone))
        C = C - exact.multiply(C, gone, inside, gone.T, C)
    if null.shape[1]:
        across = exact.nullspace(exact.multiply(kernel, null).T @ C @ kept[:, : rest.shape[1]])
        kept = exact.multiply(rest, across)
    return definite(criterion._replace(W=exact.multiply(W, kept), C=exact.multiply(kept.T, C, kept)))


def all_real(form: PencilForm) -> bool:
    """All eigenvalues of the pencil are real (Sturm)."""
    spectrum = exact.characteristic_polynomial(form.pencil())
    return exact.count_real_roots(spectrum) == spectrum.degree()


def _products(rng: Random, largest: int, more: int, count: int) -> list[list[GeneralizedHouseholder]]:
    """Products of n + m factors, none of them I, with eigenvalues in [-1, 1], ends included, and I - M invertible."""
    values = [fmpq(-1), fmpq(-1, 2), fmpq(0), fmpq(1, 3), fmpq(2, 3)]
    family = []
    for n in range(1, largest + 1):
        for m in range(more + 1):
            family += [_without_fixed_vectors(rng, n, n + m, values) for _ in range(count)]
    return family


def _without_fixed_vectors(rng: Random, n: int, k: int, values: list[fmpq], most: int = 1000) -> list[GeneralizedHouseholder]:
    """k factors with 1 - beta among the values, drawn again until I - M is invertible; at most so often."""
    for _ in range(most):
        factors = [GeneralizedHouseholder(samples.nonzero_vector(rng, n), 1 - rng.choice(values)) for _ in range(k)]
        if exact.rank(exact.identity(n) - householder.product(factors, n)) == n:
            return factors
    raise ValueError(f"expected a product of {k} factors of dimension {n} without the eigenvalue 1, found none in {most} draws")


def _without_moves(factors: list[GeneralizedHouseholder], x: Array) -> list[GeneralizedHouseholder]:
    """The same product, which fixes x, from factors that all fix x: the reflections that move x on its way are collected in front."""
    turned, still = exact.identity(len(x)), []
    for factor in reversed(factors):
        v = exact.multiply(turned.T, factor.v[:, None])[:, 0]
        if v @ x == 0:
            still.append(GeneralizedHouseholder(v, factor.beta))
        else:
            turned = factor.apply(turned)
    return householder.reflections(turned) + still[::-1]


@claim(
    "new.householder.number",
    place="after grazzi25 Proposition 1.2",
    title="a contraction is a product of r + m GH factors, r = rank(I − M), iff some determinant has only real zeros",
    says=r"Let $\|M\|\le1$, $r=\operatorname{rank}(I-M)$, and $D,E\in\mathbb R^{r\times r}$ the matrices of $I-M$ and $I-MM^\top$ on the complement of $\ker(I-M)$. For every $m\ge0$, $M$ is a product of at most $r+m$ "
    r"GH matrices with eigenvalues in $[-1,1]$ iff there are $W\in\mathbb R^{r\times m}$, $C\in\mathbb R^{m\times m}$ with $C+C^\top>0$ and $\begin{pmatrix}E&W\\W^\top&C+C^\top\end{pmatrix}\ge0$ such that "
    r"$\det\begin{pmatrix}D-sE&(1-s)W\\-sW^\top&C-s(C+C^\top)\end{pmatrix}$ has only real zeros $s$.",
    known="m = 0 contains Cartan and Dieudonné's rank(I - M) for orthogonal matrices (Scherk 1950; there E = 0) and new.householder.n-factors. The compact form is Schreiber and Van Loan's (1989); "
    "products of elementary Blaschke-Potapov factors (Potapov 1955) are the same subject over the complex numbers, where all zeros are allowed, and real rational functions as products of degree-one factors are Bart, Gohberg and Kaashoek's, by complementary triangular forms. The criterion, as far as we know, is not in print.",
    remarks=(
        "For each m the criterion is a sentence about finitely many real numbers and polynomials, so the least number of factors can be computed for every contraction with algebraic entries (Tarski).",
        "For m = 1 it asks for one vector w with w w^T <= E such that one polynomial of degree r + 1 in s has only real zeros (take C = 1/2).",
    ),
    construction="lemmata.constructions.householder.PencilForm.factors",
    sabotages={
        "I - M^T M in place of I - MM^T": {"defect": lambda M: exact.identity(len(M)) - exact.multiply(M.T, M)},
        "every root is called real": {"real": lambda form: True},
        "the factors come in the opposite order": {"factors_of": lambda form: form.factors()[::-1]},
        "S is transposed": {"transposed": True},
    },
)
def number_of_factors(
    proof: Proof,
    defect=lambda M: exact.identity(len(M)) - exact.multiply(M, M.T),
    real=all_real,
    factors_of=PencilForm.factors,
    transposed: bool = False,
) -> None:
    r"""A product of $k$ factors is a triangular pencil of size $k$; in another basis the pencil shows $M$ in one corner, and nothing else about it matters than that its eigenvalues are real.

    1. If $Mx=x$, a product of $k$ factors can be rewritten as at most $k$ factors that all fix $x$. On the way of $x$ through the product no length is lost, so only reflections move it. With $G_j$ the product of
       the reflections among the last $j$ factors that move it, the others become $G_j^{-1}CG_j$, along vectors orthogonal to $x$, and what is left in front, $G$, is orthogonal and fixes $x$: if $p$ reflections moved $x$,
       $G$ is $\operatorname{rank}(I-G)\le p$ reflections, along vectors of the range of $I-G$, orthogonal to $x$. So let $I-M$ be invertible, $r=n$. [prose] [uses: grazzi25.prop1.2.orthogonal, new.householder.rank]
    2. Only if. Let $M=I-VS^{-1}V^\top$ be the compact form of $k=n+m$ factors $\ne I$, with $\Delta_0=S+S^\top-V^\top V\ge0$ diagonal; put $Y=S^{-\top}V^\top$, let the columns of $Q$ be a basis of $\ker V$, and $X=[Y\ Q]$.
       $V$ has rank $n$, and $VY=D^\top$, $VQ=0$ show that $X$ is invertible. [prose]
    3. $Y^\top S=V$ gives $Q^\top S^\top Y=0$, so $X^\top S^\top X=\begin{pmatrix}D&W\\0&C\end{pmatrix}$ with $W=Y^\top S^\top Q$, $C=Q^\top S^\top Q$; and $\Delta_0Q=(S+S^\top)Q$ gives $X^\top\Delta_0X=\begin{pmatrix}E&W\\W^\top&C+C^\top\end{pmatrix}=:\Delta$.
       [checked: "Y^T S^T Y = D"; "Q^T S^T Y is"; "Y^T Delta_0 Y"; "Y^T Delta_0 Q"]
    4. So the determinant is $\det(X)^2\det(S^\top-s\Delta_0)$, a product of real linear factors. [prose]
    5. $C+C^\top\ge0$. Where it has a kernel, $C$ is skew and $W$ vanishes: a Schur complement over the invertible part of that skew block, and for its kernel the restriction of $C$ to vectors across the columns beside it, leave a smaller $m$,
       with the same $D$, $E$ and real zeros, until $C+C^\top>0$. Conversely $W=0$, $C=\frac12$ adds the real zero $\frac12$, so a smaller $m$ can be filled up.
       [prose]
    6. If. Put $L=\begin{pmatrix}D&W\\0&C\end{pmatrix}$ and $V=[D^\top\ 0]$. As $D+D^\top-E=DD^\top$, $L+L^\top-\Delta=V^\top V$, and $L+L^\top=\Delta+V^\top V$ is positive definite: $V(a,b)=0$ means $a=0$, and then $b^\top(C+C^\top)b>0$.
       [checked: "D + D^T - E = D D^T for"] [prose]
    7. All eigenvalues of $\Delta x=tLx$ are real, so there is a real eigenvector $x$. If $z^\top Lx=0$ then $z^\top\Delta x=0$; such $z$ and $x$ together span, as $x^\top Lx>0$. On the space of these $z$ the pencil has the other eigenvalues. By induction
       a basis $X$ makes $X^\top LX$ lower triangular and $X^\top\Delta X$ diagonal. [prose]
    8. With $VX=[v_1\cdots v_k]$ and $S=X^\top L^\top X$, $S_{ij}=v_i^\top v_j$ for $i<j$ and $2S_{ii}=\Delta_i+|v_i|^2$: the compact form of factors with $\beta_i=|v_i|^2/S_{ii}\in[0,2]$, whose product is
       $I-VL^{-\top}V^\top=I-D^\top D^{-\top}D=M$. [checked: "I - D^T D^-T D = M"] [prose]
    9. Beside the argument, random products with their pencils; $m=0$ fails for scaled quarter turns. [checked: "X^T S^T X = [[D, W], [0, C]]"; "X^T Delta_0 X = [[E, W], [W^T, C + C^T]]"; "Delta >= 0"; "L + L^T > 0"; "all zeros are real"; "a scaled turn fails with m = 0"] [prose]
    10. And the constructions of steps 1, 5 and 8. [checked: "all factors fix x, and there are no more of them"; "W vanishes where C + C^T does"; "the construction finds at most n + m factors"; "every 1 - beta lies in [-1, 1]"] [prose]
    """
    V, Vt, S, St, Q = sympy.symbols("V Vt S St Q", commutative=False)
    Y, Yt = St**-1 * Vt, V * S**-1
    D, Dt = V * S**-1 * Vt, V * St**-1 * Vt
    free = "S, V, Q (noncommuting)"
    proof.symbolically("Y^T S^T Y = D", Yt * St * Y, D, free)
    proof.symbolically("Q^T S^T Y is Q^T V^T = 0", St * Y, Vt, free)
    proof.symbolically("Y^T Delta_0 Y = D + D^T - D D^T", Yt * (S + St - Vt * V) * Y, D + Dt - D * Dt, free)
    proof.symbolically("Y^T Delta_0 Q = W, as V Q = 0", sympy.expand(Yt * (S + St - Vt * V) * Q).subs(V * Q, 0), Yt * St * Q, free)
    m, t = sympy.symbols("M Mt", commutative=False)
    proof.symbolically("D + D^T - E = D D^T for E = I - M M^T", 1 - m + 1 - t - (1 - m * t), (1 - m) * (1 - t), "M (noncommuting)")
    proof.symbolically("I - D^T D^-T D = M", 1 - t * t**-1 * (1 - m), m, "M (noncommuting)")
    with proof.beside():
        rng = Random(61)
        largest, more, count = proof.pick((2, 1, 2), (3, 2, 2), (4, 2, 6))
        family = _products(rng, largest, more, count)
        proof.holds("products of n, n + 1 and n + 2 factors occur", {len(f) - len(f[0].v) for f in family} == set(range(more + 1)))
        for factors in proof.each(f"{len(family)} random rational products of n + m factors, n <= {largest}, m <= {more}, seed 61", family):
            frame, triangle, delta = compact_form(factors)
            n, triangle = len(frame), triangle.T if transposed else triangle
            criterion = criterion_of(factors, frame, triangle)._replace(E=defect(householder.product(factors, len(frame))))
            D, E, W, C, X = criterion
            proof.holds("X is invertible", exact.rank(X) == len(factors))
            form = form_of(criterion)
            proof.exactly("X^T S^T X = [[D, W], [0, C]]", exact.multiply(X.T, triangle.T, X), form.L)
            proof.exactly("X^T Delta_0 X = [[E, W], [W^T, C + C^T]]", exact.multiply(X.T, delta, X), form.Delta)
            proof.exactly("D + D^T - E = D D^T", D + D.T - E, exact.multiply(D, D.T))
            if not np.array_equal(form.Delta, exact.multiply(X.T, delta, X)):
                continue
            smaller = definite(criterion)
            if smaller is not criterion:
                proof.exactly("W vanishes where C + C^T does", exact.multiply(W, exact.nullspace(C + C.T)).any(), False)
                proof.holds("where C + C^T has a kernel, a smaller m is left", smaller.W.shape[1] < W.shape[1])
                form = form_of(smaller)
            proof.holds("Delta >= 0", exact.is_positive_semidefinite(form.Delta))
            proof.holds("L + L^T > 0", exact.is_positive_definite(form.L + form.L.T))
            proof.holds("all zeros are real", real(form))
            again, M = factors_of(form), exact.identity(n) - D
            proof.holds(
                "the construction finds at most n + m factors, and their product is M",
                len(again) <= len(factors) and np.array_equal(householder.product(again, n), M),
            )
            proof.holds("every 1 - beta lies in [-1, 1]", all_in_range(again))
            if smaller.W.shape[1] and len(again) == len(form.L):
                proof.certificate(
                    "witness", f"n = {n}, m = {smaller.W.shape[1]}", matrix=M, W=smaller.W, C=smaller.C, factors=factor_data(again)
                )
        for n in proof.each(
            f"products of four factors, two of which move e_1 and back, 2 <= n <= {largest + 1}, seed 61", range(2, largest + 2)
        ):
            x, mirror = exact.unit_vector(n, 0), GeneralizedHouseholder(samples.nonzero_vector(rng, n) + exact.unit_vector(n, 0) * 4)
            away = mirror.apply(x[:, None])[:, 0]
            inner = [GeneralizedHouseholder(v - away * ((v @ away) / (away @ away)), fmpq(1, 2)) for v in exact.identity(n)[:2] + 1]
            factors = [mirror, *(f for f in inner if any(e != 0 for e in f.v)), mirror]
            kept = _without_moves(factors, x)
            proof.holds(
                "all factors fix x, and there are no more of them",
                all(f.v @ x == 0 for f in kept)
                and len(kept) <= len(factors)
                and np.array_equal(householder.product(kept, n), householder.product(factors, n)),
            )
        proof.holds("a scaled turn fails with m = 0", not real(householder.pencil_form(turns(2, fmpq(3, 5)))))


@claim(
    "new.householder.between",
    place="after grazzi25 Proposition 1.2",
    title="the least number of GH factors of a contraction lies between r + g and r + h, which agree for n ≤ 3",
    says=r"Let $\|M\|\le1$, $r=\operatorname{rank}(I-M)$, and let $(I-M,I-MM^\top)$ on the complement of $\ker(I-M)$ have $h$ pairs of nonreal eigenvalues, counted with algebraic multiplicity, of geometric multiplicity at most $g$. "
    r"The least number $k$ of GH matrices with eigenvalues in $[-1,1]$ whose product is $M$ satisfies $r+g\le k\le r+h\le\lfloor3n/2\rfloor$. So $k=r+h$ if $h\le1$: for $n\le3$, and with $h=0$ for symmetric and for orthogonal $M$.",
    known="For orthogonal matrices it is Cartan and Dieudonné's, Scherk's theorem; new.householder.minimum and new.householder.pencil are the case of the worst M, and of invertible I - M. We know of no such bounds in print.",
    uses=("new.householder.rank",),
    construction="lemmata.constructions.householder.contraction_factor_bounds",
    sabotages={
        "one factor less is claimed to do": {
            "bounds": lambda M: (householder.contraction_factor_bounds(M)[0], householder.contraction_factor_bounds(M)[1] - 1)
        },
        "one factor more is claimed to be needed": {
            "bounds": lambda M: (householder.contraction_factor_bounds(M)[0] + 1, householder.contraction_factor_bounds(M)[1])
        },
        "the last factor is dropped": {"factors_of": lambda M: householder.fewest_contraction_factors(M)[:-1]},
        "the extra factor is no reflection": {"height": fmpq(2)},
    },
)
def between_two_numbers(
    proof: Proof, bounds=householder.contraction_factor_bounds, factors_of=householder.fewest_contraction_factors, height: fmpq = fmpq(1)
) -> None:
    r"""The lower bound counts the columns of the criterion, the upper one builds them: a reflection for each pair.

    1. Lower bound. For nonreal $s$ the matrix of the criterion is invertible, so its first $r$ columns are independent: $-sW^\top$ is injective on $\ker(D-sE)$, and $g\le m$. [uses: new.householder.number]
       [checked: "a product of k factors: low <= k"]
    2. Upper bound. Real eigenvalues are split off, one factor each, which leaves the other eigenvalues (step 7 of new.householder.number). If none is left and $p(s)=\det(L-s\Delta)$ has degree $2h>0$, then $\Delta>0$ and $p>0$ on the real line.
       [prose] [uses: new.householder.number]
    3. Take any $u\ne0$, $W=\Delta u$, $C=\frac12u^\top\Delta u$. $\begin{pmatrix}\Delta&W\\W^\top&2C\end{pmatrix}\ge0$ has the kernel $(u,-1)$, so one eigenvalue $t=1/s$ is 0: the extra factor is a reflection.
       [checked: "(u, -1) is in the kernel"; "the extended Delta is >= 0"]
    4. $q(s)$, the extended determinant, has degree $2h$ with a positive leading coefficient, $q(0)=C\det L>0$, and at $s=1$ the block $(1-s)W$ vanishes: $q(1)=-C\,p(1)<0$. So $q$ has two real zeros. Three real eigenvalues are split off, and $2h-2$ are left:
       one extra factor for each pair. The leading coefficient: $t=0$ is a simple eigenvalue, the other real ones are positive, and nonreal ones come in pairs. [prose] [checked: "q(0) > 0 > q(1)"; "three eigenvalues are real"]
    5. $2h\le r\le n$ gives $r+h\le\lfloor3n/2\rfloor$. A real eigenvalue exists for odd $r$, so $h\le1$ for $n\le3$. If $M=M^\top$, $D$ and $E=D(2-D)$ commute; if $M$ is orthogonal, $E=0$: no eigenvalue is nonreal.
       [prose] [checked: "n <= 3: the bounds agree"; "symmetric and orthogonal matrices: both bounds are rank(I - M)"]
    6. Beside the argument, the construction meets the upper bound. [checked: "the factors multiply to M"; "the construction needs at most high factors, and at least low"; "every 1 - beta lies in [-1, 1]"] [prose]
    """
    delta, u, ut = sympy.symbols("Delta u ut", commutative=False)
    C = ut * delta * u * sympy.Rational(int(height.p), int(height.q)) / 2
    proof.symbolically("(u, -1) is in the kernel: the last row", ut * (delta * u) + 2 * C * -1, 0, "Delta, u (noncommuting)")
    m = sympy.Symbol("M", commutative=False)
    proof.symbolically("for symmetric M, E = D (2 - D)", 1 - m * m, (1 - m) * (2 - (1 - m)), "M (noncommuting)")
    with proof.beside():
        rng = Random(62)
        largest, more, count = proof.pick((2, 1, 2), (3, 2, 2), (4, 2, 8))
        products = _products(rng, largest, more, count)
        for factors in proof.each(
            f"{len(products)} random rational products of n to n + {more} factors, n <= {largest}, seed 62", products
        ):
            proof.holds("a product of k factors: low <= k", bounds(householder.product(factors, len(factors[0].v)))[0] <= len(factors))
        count = proof.pick(3, 8, 40)
        for form in proof.each(
            f"{count} random strict contractions without a real eigenvalue, n = 2 and n = 4, seed 62",
            [_unreal_pencil(rng) for _ in range(count)],
        ):
            u = form.Delta[:, :1]
            wide = form.extended(u, u[:1] * height / 2)
            n = len(u)
            end = exact.zeros(n + 1)
            end[0], end[n] = fmpq(1), fmpq(-1)
            proof.exactly("(u, -1) is in the kernel", wide.Delta @ end, exact.zeros(n + 1))
            proof.holds("the extended Delta is >= 0", exact.is_positive_semidefinite(wide.Delta))
            proof.holds("q(0) > 0 > q(1)", exact.determinant(wide.L) > 0 > exact.determinant(wide.L - wide.Delta))
            proof.holds("three eigenvalues are real", exact.count_real_roots(exact.characteristic_polynomial(wide.pencil())) >= 3)
        family = _known(Random(64), proof.pick(4, 6, 8))
        for M in proof.each(
            f"{len(family)} rational contractions with rational real eigenvalues, n <= {max(map(len, family))}, seed 64", family
        ):
            factors, (low, high) = factors_of(M), bounds(M)
            proof.exactly("the factors multiply to M", householder.product(factors, len(M)), M)
            proof.holds("every 1 - beta lies in [-1, 1]", all_in_range(factors))
            proof.holds("the construction needs at most high factors, and at least low", low <= len(factors) <= high <= 3 * len(M) // 2)
            if low and exact.rank(exact.identity(len(M)) - M) == len(M):
                title = f"n = {len(M)}: {len(factors)} factors, between {low} and {high}"
                proof.certificate("witness", title, matrix=M, factors=factor_data(factors), **_pairs(M))
        small = [samples.integers(rng, n, n) / (3 * n) for n in (1, 2, 3) for _ in range(proof.pick(1, 2, 10))]
        for M in proof.each(f"{len(small)} random contractions, n <= 3, seed 62", small):
            low, high = bounds(M)
            proof.exactly("n <= 3: the bounds agree", low, high)
        for n in proof.each(f"symmetric and orthogonal matrices, n <= {largest + 1}, seed 62", range(1, largest + 2)):
            Q = samples.orthogonal(rng, n)
            spread = exact.block_diagonal([exact.rationals([[samples.fraction(rng, -1, 1)]]) for _ in range(n)])
            for M in (Q, exact.multiply(Q.T, spread, Q)):
                r = exact.rank(exact.identity(n) - M)
                proof.exactly("symmetric and orthogonal matrices: both bounds are rank(I - M)", list(bounds(M)), [r, r])


def _unreal_pencil(rng: Random, most: int = 1000) -> PencilForm:
    """The pencil of a strict contraction of dimension 2 or 4, mostly skew, drawn again until no eigenvalue is real; at most so often."""
    for _ in range(most):
        n = rng.choice((2, 4))
        skew, M = samples.integers(rng, n, n), samples.integers(rng, n, n)
        M = M + (skew - skew.T) * 3
        form = householder.pencil_form(M / (1 + sum(abs(x) for x in M.flat)))
        if exact.count_real_roots(exact.characteristic_polynomial(form.pencil())) == 0:
            return form
    raise ValueError(f"expected a pencil without a real eigenvalue, found none in {most} draws")


def _pairs(M: Array) -> dict[str, list]:
    """The pencil's spectrum as x^2 + b x + c for its nonreal pairs, all rational here, and the polynomial of its real eigenvalues."""
    _, parts = exact.characteristic_polynomial(householder.pencil_form(M).pencil()).factor()
    rest, pairs = fmpq_poly([1]), []
    for part, multiplicity in parts:
        if exact.count_real_roots(part):
            rest *= part ** int(multiplicity) / part.leading_coefficient() ** int(multiplicity)
        else:
            monic = part / part.leading_coefficient()
            pairs += [[monic[1], monic[0]]] * int(multiplicity)
    return {"pairs": pairs, "rest": rest.coeffs()}


def _known(rng: Random, largest: int) -> list[Array]:
    """Q^T (c_1 J + c_2 J + ... + diagonal) Q, with equal c_i, different ones and c_i = 1, and fixed vectors."""
    family = [exact.identity(2), -exact.identity(3), exact.zeros(2, 2)]
    scales = [[fmpq(3, 5)], [fmpq(3, 5), fmpq(3, 5)], [fmpq(3, 5), fmpq(1, 2)], [fmpq(3, 5), fmpq(1)], [fmpq(1, 2)] * 3]
    for n, c in ((n, c) for n in range(2, largest + 1) for c in scales if 2 * len(c) in (n, n - 1)):
        line = [exact.rationals([[rng.choice([1, fmpq(1, 2), -1])]])] * (n - 2 * len(c))
        Q = samples.orthogonal(rng, n)
        family.append(exact.multiply(Q.T, exact.block_diagonal([QUARTER_TURN * x for x in c] + line), Q))
    return family
