"""The universal minimum floor(3n/2) of GH factors for contractions of dimension n: new; the arguments stand in the checks."""

from __future__ import annotations

from random import Random

import numpy as np
import sympy
from flint import fmpq, fmpq_poly

from ...constructions import householder, samples
from ...constructions.householder import GeneralizedHouseholder
from ...numerics import exact
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof
from .contractions import QUARTER_TURN, all_in_range, pencil, turns
from .norms import certify_product, factor_data


def _even_reflection_gain(M: Array) -> tuple[fmpq, fmpq]:
    """(p(1) of M, p(1) of H M) for p(s) = det((I - M) - s (I - MM^T)) and the reflection H of the first axis."""
    one = exact.identity(len(M))

    def at_one(N: Array) -> fmpq:
        return exact.determinant((one - N) - (one - exact.multiply(N, N.T)))

    mirror = GeneralizedHouseholder(exact.unit_vector(len(M), 0)).matrix()
    return at_one(M), at_one(exact.multiply(mirror, M))


@claim(
    "new.householder.minimum",
    place="after grazzi25 Proposition 1.2",
    title="floor(3n/2) GH factors with eigenvalues in [−1, 1] suffice for every contraction",
    says=r"Every $M\in\mathbb R^{n\times n}$ with $\|M\|\le1$ is a product of at most $\lfloor 3n/2\rfloor$ GH matrices with eigenvalues in $[-1,1]$.",
    known="Known are 3n (grazzi25, by the SVD) and n for orthogonal matrices (Cartan and Dieudonné, Scherk); the number floor(3n/2) is ours, as far as we know.",
    construction="lemmata.constructions.householder.fewest_contraction_factors",
    sabotages={
        "the last factor is dropped": {"factors_of": lambda M: householder.fewest_contraction_factors(M)[:-1]},
        "the bound n": {"bound": lambda n: n},
        "the polar form's 2n - 1 factors": {"factors_of": lambda M: householder.contraction_factors(M)},
    },
)
def three_halves_suffice(proof: Proof, factors_of=householder.fewest_contraction_factors, bound=lambda n: sympy.floor(n * 3 / 2)) -> None:
    r"""Induction on the dimension: odd dimensions cost one factor, two dimensions cost three. Let $f(n)$ be the number that suffices.

    1. If $|Mx|=|x|$ for some $x\ne0$, the reflection $H$ that takes $Mx$ to $x$ makes $HM$ fix $x$. Then $HM$ and its transpose both fix $x$ ($|HM|\le1$), so $HM$ is a contraction on
       $x^\perp$: one factor for one dimension. [prose] [uses: grazzi25.prop1.2.orthogonal]
    2. Otherwise $\|M\|<1$; let $K=(I-M)^{-1}$ and $R=K+K^\top-I>0$. If the pencil has a real eigenvector, $Kx=\sigma Rx$, then one factor along $x$, with $\beta=|x|^2/x^\top Kx\in(0,2)$, leaves
       $I-V_2S_{22}^{-1}V_2^\top$ on the vectors $V_2$ that are $R$-orthogonal to $x$: a strict contraction of dimension $n-1$. [prose] [uses: new.householder.n-factors] [checked: "the factors multiply to M"; "every 1 - beta lies in [-1, 1]"]
    3. For odd $n$ a real eigenvalue exists. For even $n$ let $p(s)=\det\big((I-M)-s(I-MM^\top)\big)$. It is positive for large $|s|$, and
       $(I-M)-(I-MM^\top)=-M(I-M^\top)$ gives $p(1)=\det M\det(I-M)$, with $\det(I-M)>0$. So $\det M\le0$ gives a real eigenvalue.
       [checked: "(I - M) - (I - MM^T) = -M (I - M^T)"; "p(1) = det(M) det(I - M)"; "the pencil of M or of HM has a real eigenvalue"]
    4. If $\det M>0$, one reflection $H$ in front makes $\det HM<0$. After the factor of step 2 the dimension is odd and the next one costs a factor: three for two dimensions.
       [checked: "p(1) <= 0 for M or for HM"]
    5. $f(0)=0$, $f(2m+1)\le f(2m)+1$ and $f(2m)\le f(2m-2)+3$ give $f(n)\le\lfloor3n/2\rfloor$; a dimension saved in step 1 saves at least its own factor.
       [checked: "f(2m+1) = f(2m) + 1"; "f(2m) = f(2m-2) + 3"; "there are at most floor(3n/2)"]
    """
    m, t = sympy.symbols("M Mt", commutative=False)
    proof.symbolically("(I - M) - (I - MM^T) = -M (I - M^T)", (1 - m) - (1 - m * t), -m * (1 - t), "M (noncommuting)")
    half = sympy.Symbol("m", integer=True, positive=True)
    proof.symbolically("f(2m+1) = f(2m) + 1", bound(2 * half + 1), bound(2 * half) + 1, "m")
    proof.symbolically("f(2m) = f(2m-2) + 3", bound(2 * half), bound(2 * half - 2) + 3, "m")
    rng = Random(43)
    count = proof.pick(10, 40, 300)
    for _ in proof.each(f"{count} random strict contractions, n in {{2, 4}}, seed 43", range(count)):
        n = rng.choice((2, 4))
        M = samples.integers(rng, n, n)
        M = M / (1 + sum(abs(x) for x in M.flat))
        p1, p1_reflected = _even_reflection_gain(M)
        one = exact.identity(n)
        d = exact.determinant(M)
        proof.exactly("p(1) = det(M) det(I - M)", p1, d * exact.determinant(one - M))
        proof.holds("p(1) <= 0 for M or for HM", p1 <= 0 or p1_reflected <= 0)
        real = [
            exact.count_real_roots(exact.characteristic_polynomial(pencil(N)))
            for N in (M, exact.multiply(GeneralizedHouseholder(exact.unit_vector(n, 0)).matrix(), M))
        ]
        proof.holds("the pencil of M or of HM has a real eigenvalue", real[0 if d <= 0 else 1] > 0)
    largest = proof.pick(4, 6, 8)
    family = _with_rational_pencils(rng, largest)
    proof.holds("a third of the block rotations turn something", 3 * sum(not np.array_equal(M, M.T) for M in family) >= len(family))
    for M in proof.each(f"{len(family)} rational block rotations, scaled and mixed with isometries, n <= {largest}, seed 43", family):
        n, factors = len(M), factors_of(M)
        proof.exactly("the factors multiply to M", householder.product(factors, n), M)
        proof.holds("every 1 - beta lies in [-1, 1]", all_in_range(factors))
        proof.holds("there are at most floor(3n/2)", bool(len(factors) <= bound(n)))
        if not np.array_equal(M, exact.identity(n)):
            certify_product(proof, "M as at most floor(3n/2) GH factors", factors, M)
    mixed = turns(3, fmpq(3, 5))
    proof.exhibit("a contraction of dimension 3 as four factors", M=mixed, factors=factor_data(factors_of(mixed)))


def _with_rational_pencils(rng: Random, largest: int) -> list[Array]:
    """Q^T (c_1 J + c_2 J + ... + diagonal) Q: every eigenvalue that the construction meets is rational."""
    family = []
    for n in range(1, largest + 1):
        for blocks in (0, n // 2, rng.randint(0, n // 2)):
            c = rng.choice([fmpq(1, 2), fmpq(3, 5)])
            scales = [rng.choice([c, fmpq(1)]) for _ in range(blocks)]
            line = [exact.rationals([[samples.fraction(rng, -1, 1)]]) for _ in range(n - 2 * blocks)]
            middle = exact.block_diagonal([QUARTER_TURN * c for c in scales] + line)
            q = samples.orthogonal(rng, n)
            family.append(exact.multiply(q.T, middle, q))
    return family


@claim(
    "new.householder.half-turn",
    place="after grazzi25 Proposition 1.2",
    title="c times a quarter turn, 0 < c < 1, needs three GH factors, so 2n − 1 is tight for n = 2",
    says=r"For $0<c<1$ and $J=\begin{pmatrix}0&-1\\1&0\end{pmatrix}$, $cJ$ is a product of three GH matrices with eigenvalues in $[-1,1]$, and of no fewer, whatever their $\beta$.",
    known="For c = 1 two reflections do (Cartan and Dieudonné); we know of no statement for c < 1.",
    construction="lemmata.constructions.householder.fewest_contraction_factors",
    sabotages={
        "c J is replaced by the reflection c diag(1, -1)": {"turn": ((1, 0), (0, -1))},
        "the middle factor has beta = 1 - c": {"middle": lambda c: 1 - c},
    },
)
def scaled_quarter_turn(proof: Proof, turn=((0, -1), (1, 0)), middle=lambda c: 1 + c) -> None:
    r"""Two factors fail because $C_1=cJC_2^{-1}$ would have to be symmetric with an eigenvalue 1; three are written down.

    1. $\det(I-cJ)=1+c^2\ne0$, so 1 is no eigenvalue of $cJ$. But every GH matrix of the plane has it, for the vectors orthogonal to its own. [checked: "det(I - cJ) = 1 + c^2"; "1 + c^2 > 0"] [prose]
    2. Let $cJ=C_1C_2$. As $cJ$ is invertible, $C_2^{-1}=I-\gamma zz^\top$ with a unit $z=(p,q)$. $C_1=cJ(I-\gamma zz^\top)$ is symmetric, but its entries off the diagonal differ
       by $c(2-\gamma)$. So $\gamma=2$. [checked: "the entries off the diagonal differ by c (2 - gamma)"] [prose]
    3. Then $C_1=cJ(I-2zz^\top)$ has the characteristic polynomial $x^2-c^2$, at 1 equal to $1-c^2\ne0$: it is no GH matrix, by step 1's reason. [checked: "det(x I - C_1) = x^2 - c^2"; "1 - c^2 > 0"] [prose]
    4. $cJ=\begin{pmatrix}0&-1\\-1&0\end{pmatrix}\big(I-(1+c)e_1e_1^\top\big)\big(I-(1-c)e_2e_2^\top\big)$: the first is the reflection along $(1,1)$, and the eigenvalues $-c$, $c$ lie in $[-1,1]$.
       [checked: "three factors multiply to cJ"; "1 - c^2 > 0"]
    """
    # 0 < c < 1 as c = 1/(1 + u) with u > 0
    u = sympy.Symbol("u", positive=True)
    inside = 1 / (1 + u)
    c, gamma, p, q, x = sympy.symbols("c gamma p q x", real=True)
    one, J = sympy.eye(2), sympy.Matrix(turn)
    proof.symbolically("det(I - cJ) = 1 + c^2", (one - c * J).det(), 1 + c**2, "c")
    proof.holds("1 + c^2 > 0", (1 + inside**2).is_positive, free="c in (0, 1)")
    z = sympy.Matrix([p, q])

    def on_circle(expression):
        """The remainder modulo p^2 + q^2 - 1."""
        return sympy.rem(sympy.expand(expression), p**2 + q**2 - 1, p)

    first = c * J * (one - gamma * z * z.T)
    differ = on_circle(first[1, 0] - first[0, 1])
    proof.symbolically("the entries off the diagonal differ by c (2 - gamma)", differ, c * (2 - gamma), "c, gamma, unit z = (p, q)")
    spectrum = on_circle((x * one - first.subs(gamma, 2)).det())
    proof.symbolically("det(x I - C_1) = x^2 - c^2", spectrum, x**2 - c**2, "c, x, unit z = (p, q)")
    proof.holds("1 - c^2 > 0", sympy.factor(1 - inside**2).is_positive, free="c in (0, 1)")
    e1, e2 = sympy.Matrix([1, 0]), sympy.Matrix([0, 1])
    ones = sympy.Matrix([1, 1])
    three = (one - ones * ones.T) * (one - middle(c) * e1 * e1.T) * (one - (1 - c) * e2 * e2.T)
    for found, wanted in zip(three, c * J, strict=True):
        proof.symbolically("three factors multiply to cJ", found, wanted, "c")
    for k in range(1, 10, proof.pick(4, 2, 1)):
        M = exact.rationals(turn) * fmpq(k, 10)
        certify_product(proof, f"{k}/10 J as three GH factors", householder.fewest_contraction_factors(M), M)


@claim(
    "new.householder.pencil",
    place="after grazzi25 Proposition 1.2",
    title="k GH factors force k ≥ n + the geometric multiplicity of any nonreal eigenvalue of (I − M, I − MMᵀ)",
    says=r"Let $I-M$ be invertible and $s\in\mathbb C\setminus\mathbb R$. If $M$ is a product of $k$ GH matrices, with any real $\beta_i$, then $k\ge n+\dim\ker\big((I-M)-s(I-MM^\top)\big)$.",
    known="The compact form (Schreiber and Van Loan 1989) and Frobenius' rank inequality are known; the bound, as far as we know, is not in print.",
    remarks=("No norm is assumed. For strict contractions the case k = n is the 'only if' of new.householder.n-factors.",),
    uses=("new.householder.rank",),
    sabotages={
        "s (2 - beta) = 1 allowed, which the kernel refutes": {"theorem": "false_variants.pencil_rank_for_every_s"},
        "Delta without V^T V": {"gram": 0},
        "k factors are counted as k - 1": {"counted": -1},
        "S is transposed": {"transposed": True},
    },
)
def nonreal_eigenvalues_cost_factors(
    proof: Proof, gram: int = 1, counted: int = 0, transposed: bool = False, theorem: str = "few_factors.pencil_eigenvalue"
) -> None:
    r"""In compact form $(I-M)-s(I-MM^\top)=Y^\top TY$ with an invertible $k\times k$ matrix $T$, for nonreal $s$; a large kernel needs room between $n$ and $k$.

    1. Leave out factors with $\beta_i=0$. With unit $v_i$, $V=[v_1\cdots v_k]$ ($n\times k$) and $S$ upper triangular, $S_{ii}=1/\beta_i$, $S_{ij}=v_i^\top v_j$ for $i<j$, the product is
       $M=I-VS^{-1}V^\top$, by induction over the factors. [checked: "I - V S^-1 V^T = (I - v_1 v_1^T / S_11)"; "M = I - V S^-1 V^T"]
    2. $S+S^\top-V^\top V=\Delta:=\operatorname{diag}(2/\beta_i-1)$: off the diagonal $v_i^\top v_j$ cancels, on it $2/\beta_i-1$ is left. [checked: "S + S^T - V^T V = Delta"]
    3. With $Y=S^{-\top}V^\top$ ($k\times n$): $I-M=VS^{-1}V^\top=Y^\top S^\top Y$, and $I-MM^\top=VS^{-1}(S+S^\top-V^\top V)S^{-\top}V^\top=Y^\top\Delta Y$. Hence
       $(I-M)-s(I-MM^\top)=Y^\top(S^\top-s\Delta)Y$ for every $s$. [checked: "(I - M) - s (I - M M^T) = Y^T (S^T - s Delta) Y"]
    4. $T=S^\top-s\Delta$ is lower triangular, and $\beta_iT_{ii}=1-s(2-\beta_i)$. For nonreal $s$ this is not 0: its imaginary part is $-\operatorname{Im}s\,(2-\beta_i)$, and for $\beta_i=2$ it is 1. So $T$ is invertible.
       [checked: "beta T_ii = 1 - s (2 - beta)"; "beta = 2 leaves 1"]
    5. $I-M=Y^\top S^\top Y$ is invertible, so $Y$ is injective and $Y^\top:\mathbb C^k\to\mathbb C^n$ onto, with a kernel of dimension $k-n$. For $x$ in the kernel of the pencil, $TYx\in\ker Y^\top$, and
       $x\mapsto TYx$ is injective. So the kernel has dimension at most $k-n$. [prose]
    6. The inequality and both sides of the identity are computed for random products, where nonreal eigenvalues occur as soon as $k>n$ and never for $k=n$. [checked: "k = n: every eigenvalue of the pencil is real";
       "k >= n + 1 where an eigenvalue is not real"; "nonreal eigenvalues occur"]
    """
    proof.formally(
        "the kernel: n plus the dimension of the pencil's kernel is at most k",
        theorem,
        whole="every n and k",
        differs="any field; p independent row vectors in the kernel for its dimension; for nonreal s and real beta the hypothesis s (2 - beta) != 1 holds",
    )
    s, beta = sympy.symbols("s beta")
    V, Vt, W, Wt, S, St, D = sympy.symbols("V Vt W Wt S St D", commutative=False)
    # W = S^-1, and V^T V = S + S^T - Delta
    rules = {Vt * V: gram * (S + St - D), W * S: 1, S * W: 1, St * Wt: 1, Wt * St: 1}

    def reduced(expression):
        expression = sympy.expand(expression)
        for product, value in rules.items():
            expression = sympy.expand(expression.subs(product, value))
        return expression

    M, Mt = 1 - V * W * Vt, 1 - V * Wt * Vt
    proof.symbolically(
        "(I - M) - s (I - M M^T) = Y^T (S^T - s Delta) Y",
        reduced((1 - M) - s * (1 - M * Mt)),
        reduced(V * W * (St - s * D) * Wt * Vt),
        "n, k, V, S (noncommuting), s",
    )
    a, v1, v1t, v2, v2t = sympy.symbols("a v1 v1t V2 V2t", commutative=False)
    compact = 1 - (v1 * a * v1t - v1 * a * (v1t * v2) * W * v2t + v2 * W * v2t)
    proof.symbolically(
        "I - V S^-1 V^T = (I - v_1 v_1^T / S_11)(I - V_2 S_22^-1 V_2^T)",
        compact,
        (1 - v1 * a * v1t) * (1 - v2 * W * v2t),
        "v_1, V_2 (noncommuting blocks)",
    )
    proof.symbolically("beta T_ii = 1 - s (2 - beta)", beta * (1 / beta - s * (2 / beta - 1)), 1 - s * (2 - beta), "s, beta")
    proof.symbolically("beta = 2 leaves 1", (1 - s * (2 - beta)).subs(beta, 2), 1, "s")
    rng = Random(45)
    largest, count = proof.pick((3, 8), (3, 10), (4, 20))
    family = [_without_identities(rng, n, n + more) for n in range(1, largest + 1) for more in (0, 1, 2) for _ in range(count)]
    nonreal = 0
    for factors in proof.each(
        f"{len(family)} random rational products, n <= {largest}, n <= k <= n + 2, eigenvalues in [-2, 2], seed 45", family
    ):
        n, k = len(factors[0].v), len(factors)
        M_ = householder.product(factors, n)
        left, right = exact.identity(n) - M_, exact.identity(n) - exact.multiply(M_, M_.T)
        frame, triangle, delta = compact_form(factors)
        triangle = triangle.T if transposed else triangle
        inverse = exact.inverse(triangle)
        proof.exactly("M = I - V S^-1 V^T", exact.multiply(frame, inverse, frame.T), left)
        proof.exactly("S + S^T - V^T V = Delta", triangle + triangle.T - exact.multiply(frame.T, frame), delta)
        if exact.determinant(left) != 0:
            spectrum = generalised_polynomial(left, right)
            real = exact.count_real_roots(spectrum)
            nonreal += real < spectrum.degree()
            if k == n:
                proof.exactly("k = n: every eigenvalue of the pencil is real", real, spectrum.degree())
            elif real < spectrum.degree():
                proof.holds("k >= n + 1 where an eigenvalue is not real", k + counted >= n + 1)
    proof.holds("nonreal eigenvalues occur", nonreal > 0)
    for n in range(2, proof.pick(4, 6, 8)):
        M_ = turns(n, fmpq(3, 5))
        factors = householder.fewest_contraction_factors(M_)
        title = f"n = {n}: the multiplicity n // 2 of a nonreal eigenvalue is met by the number of factors"
        proof.certificate("witness", title, factors=factor_data(factors), s=[fmpq(25, 16), fmpq(-15, 16)])


def _without_identities(rng: Random, n: int, k: int) -> list[GeneralizedHouseholder]:
    """k GH factors, none of them I, with eigenvalues on both sides of the unit interval."""
    values = [fmpq(-2), fmpq(-1), fmpq(-1, 2), fmpq(0), fmpq(1, 3), fmpq(3, 2)]
    return [GeneralizedHouseholder(samples.nonzero_vector(rng, n), 1 - rng.choice(values)) for _ in range(k)]


def compact_form(factors: list[GeneralizedHouseholder]) -> tuple[Array, Array, Array]:
    """(V, S, Delta) with product = I - V S^-1 V^T, for vectors of any length: S_ii = v.v / beta, Delta_ii = 2 S_ii - v.v."""
    V = exact.rationals([f.v for f in factors]).T
    gram = exact.multiply(V.T, V)
    k = len(factors)
    S, delta = exact.zeros(k, k), exact.zeros(k, k)
    for i, f in enumerate(factors):
        S[i, i + 1 :] = gram[i, i + 1 :]
        S[i, i] = gram[i, i] / f.beta
        delta[i, i] = 2 * S[i, i] - gram[i, i]
    return V, S, delta


@claim(
    "new.householder.minimum.sharp",
    place="after grazzi25 Proposition 1.2",
    title="floor(3n/2) is sharp for every n: c (J + … + J) with 0 < c < 1 needs that many GH factors",
    says=r"For $0<c<1$, $c\,(J\oplus\dots\oplus J)$ (with a last $1\times1$ block $c$ for odd $n$) is a product of $\lfloor3n/2\rfloor$ GH matrices with eigenvalues in $[-1,1]$, and of no fewer, whatever their $\beta$.",
    known="We know of no lower bound above rank(M - I) in print.",
    remarks=(
        "Products of k factors with eigenvalues in [-1, 1] form a compact set, so fewer than floor(3n/2) fail on a whole neighbourhood of this matrix.",
        "The number is the least that serves every contraction; a given M may need fewer: new.householder.between bounds its least number, new.householder.number decides it.",
    ),
    uses=("new.householder.minimum",),
    sabotages={
        "J is replaced by a diagonal block": {"block": ((1, 0), (0, 1))},
        "the number is n + 1": {"number": lambda n: n + 1},
    },
)
def three_halves_are_needed(proof: Proof, block=((0, -1), (1, 0)), number=lambda n: sympy.floor(n * 3 / 2)) -> None:
    r"""Each block $cJ$ contributes an eigenvector of the pencil to one and the same nonreal eigenvalue.

    1. $J(1,-i)^\top=i(1,-i)^\top$ and $JJ^\top=I$, so on the block $(I-cJ)x-s(1-c^2)x=0$ for $x=(1,-i)^\top$ and $s=(1-ic)/(1-c^2)$, which is not real. [checked: "(I - cJ) x = s (I - c^2 J J^T) x"; "Im s = -c/(1 - c^2)"]
    2. $I-M$ is invertible: $\det(I-cJ)=1+c^2$, and the last block of an odd $n$ is $1-c$. [checked: "det(I - cJ) = 1 + c^2"; "1 - c > 0"]
    3. The $\lfloor n/2\rfloor$ vectors of the blocks are independent, so $s$ has at least that geometric multiplicity, and $k\ge n+\lfloor n/2\rfloor=\lfloor3n/2\rfloor$. [uses: new.householder.pencil]
       [checked: "n + floor(n/2) for n = 2m"; "n + floor(n/2) for n = 2m + 1"]
    4. Three factors for each block and one for the last entry of an odd $n$ reach that number. [uses: new.householder.half-turn] [checked: "the construction uses floor(3n/2)"]
    5. The general step 3 is prose inside new.householder.pencil; the multiplicities are computed exactly for the sizes in the scope. [checked: "the nonreal eigenvalue has multiplicity floor(n/2)"] [prose]
    """
    proof.formally("the kernel: no fewer factors", "few_factors.quarter_turns_need", differs="the lower bound; the axes in another order")
    u = sympy.Symbol("u", positive=True)
    inside = 1 / (1 + u)
    c = sympy.Symbol("c", real=True)
    J, one, x = sympy.Matrix(block), sympy.eye(2), sympy.Matrix([1, -sympy.I])
    s = (1 - sympy.I * c) / (1 - c**2)
    for entry in (one - c * J) * x - s * (one - c**2 * J * J.T) * x:
        proof.symbolically("(I - cJ) x = s (I - c^2 J J^T) x", entry, 0, "c")
    proof.symbolically("Im s = -c/(1 - c^2)", (s - sympy.conjugate(s)) / (2 * sympy.I), -c / (1 - c**2), "c")
    proof.symbolically("det(I - cJ) = 1 + c^2", (one - c * J).det(), 1 + c**2, "c")
    proof.holds("1 - c > 0", sympy.factor(1 - inside).is_positive)
    m = sympy.Symbol("m", integer=True, positive=True)
    proof.symbolically("n + floor(n/2) for n = 2m", 2 * m + m, number(2 * m), "m")
    proof.symbolically("n + floor(n/2) for n = 2m + 1", 2 * m + 1 + m, number(2 * m + 1), "m")
    largest = proof.pick(4, 7, 10)
    for n in proof.each(f"c = 3/5, 2 <= n <= {largest}", range(2, largest + 1)):
        M = exact.block_diagonal([exact.rationals(block) * fmpq(3, 5)] * (n // 2) + [exact.rationals([["3/5"]])] * (n % 2))
        factors = householder.fewest_contraction_factors(M)
        proof.holds("the construction uses floor(3n/2)", bool(len(factors) == number(n)))
        # the real quadratic whose roots are s and its conjugate annihilates a space of twice the multiplicity
        A = pencil(M)
        quadratic = exact.multiply(A, A) - A * fmpq(25, 8) + exact.identity(n) * fmpq(425, 128)
        proof.exactly("the nonreal eigenvalue has multiplicity floor(n/2)", n - exact.rank(quadratic), 2 * (n // 2))
        proof.certificate("witness", f"n = {n}, c = 3/5", c=fmpq(3, 5), n=n, factors=factor_data(factors))
    proof.exhibit("3/5 J as three factors", factors=factor_data(householder.fewest_contraction_factors(turns(2, fmpq(3, 5)))))


def generalised_polynomial(left: Array, right: Array) -> fmpq_poly:
    """det(s right - left) as a polynomial in s, by interpolation at 0 .. n (right may be singular or indefinite)."""
    n = len(left)
    total = fmpq_poly([0])
    for j in range(n + 1):
        basis = fmpq_poly([exact.determinant(right * fmpq(j) - left)])
        for k in range(n + 1):
            if k != j:
                basis = basis * fmpq_poly([fmpq(-k, j - k), fmpq(1, j - k)])
        total = total + basis
    return total
