"""Rotations, counting modulo m, the zero matrix and boolean transitions (grazzi25, App. A.3, C.1, C.5)."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import sympy
from flint import arb, fmpq

from ...constructions import householder
from ...constructions.householder import GeneralizedHouseholder
from ...numerics import exact
from ...numerics.aliases import Exact
from ..claim import claim
from ..closure import computes
from ..evidence import Proof
from .norms import certify_product


@claim(
    "grazzi25.appC1",
    place="App. C.1",
    title="every rotation of the plane is a product of two reflections, whose mirrors enclose half the angle",
    says=r"$R(\theta)=(I-2v_1v_1^\top)(I-2v_2v_2^\top)$ with $v_1=(-\sin\tfrac\theta2,\cos\tfrac\theta2)$, $v_2=(0,1)$.",
    construction="lemmata.constructions.householder.rotation_as_two_reflections",
    sabotages={"the mirrors enclose the whole angle": {"half": 1}},
)
def rotation_is_two_reflections(proof: Proof, half=sympy.Rational(1, 2)) -> None:
    r"""Multiply with symbols.

    1. The first factor is $\begin{pmatrix}1-2\sin^2\frac\theta2&2\sin\frac\theta2\cos\frac\theta2\\\cdot&1-2\cos^2\frac\theta2\end{pmatrix}=\begin{pmatrix}\cos\theta&\sin\theta\\\sin\theta&-\cos\theta\end{pmatrix}$
       and the second $\operatorname{diag}(1,-1)$; the product is $R(\theta)$. [checked: "the first factor"; "the second factor"; "the product is R(theta)"]
    2. $v_1$ has length 1 for every $\theta$, and so has $v_2$. Their inner product is $\cos\frac\theta2$. [checked: "v_1 has length 1"; "v_2 has length 1"; "the vectors enclose half the angle"]
    """
    theta = sympy.Symbol("theta", real=True)
    v1, v2 = sympy.Matrix([-sympy.sin(half * theta), sympy.cos(half * theta)]), sympy.Matrix([0, 1])
    first, last = (sympy.eye(2) - 2 * v * v.T for v in (v1, v2))
    rotation = sympy.Matrix([[sympy.cos(theta), -sympy.sin(theta)], [sympy.sin(theta), sympy.cos(theta)]])
    mirror = sympy.Matrix([[sympy.cos(theta), sympy.sin(theta)], [sympy.sin(theta), -sympy.cos(theta)]])
    identities: list[tuple[str, Exact, Exact]] = [
        ("the first factor", first, mirror),
        ("the second factor", last, sympy.diag(1, -1)),
        ("the product is R(theta)", first * last, rotation),
    ]
    for what, matrix, wanted in identities:
        for left, right in zip(matrix, wanted, strict=True):
            doubled = [sympy.expand_trig(entry.subs(theta, 2 * theta)) for entry in (left, right)]
            proof.symbolically(what, doubled[0], doubled[1], "theta")
    proof.symbolically("v_1 has length 1", v1.dot(v1), 1, "theta")
    proof.symbolically("v_2 has length 1", v2.dot(v2), 1, "theta")
    proof.symbolically("the vectors enclose half the angle", v1.dot(v2), sympy.cos(theta / 2), "theta")
    # Pythagorean angles: cos(theta/2) = 4/5 and 12/13 have rational sine and cosine
    for sine, cosine in (("3/5", "4/5"), ("5/13", "12/13"), ("-8/17", "15/17")):
        proof.certificate("witness", f"the angle with sin(theta/2) = {sine}", sine=exact.rational(sine), cosine=exact.rational(cosine))


@claim(
    "grazzi25.appC1.counting",
    place="App. C.1; Theorem 3 (cyclic groups)",
    title="R(2 π / m), a product of two reflections, counts modulo m at every length",
    says=r"With $A(1)=R(2\pi/m)\in\mathcal M^2_2(\{-1\})$, $H_0=(1,0)^\top$ the state after $t$ ones is the $t\bmod m$-th vertex of the $m$-gon.",
    construction="lemmata.constructions.householder.rotation_counter",
    sabotages={"the angle is 4 pi / m": {"turn": lambda m: householder.exact_rotation(m, 2)}, "the decoder is off by one": {"shift": 1}},
)
def rotations_count(proof: Proof, turn=householder.exact_rotation, shift: int = 0) -> None:
    r"""The state after $t$ ones is $R(2\pi t/m)H_0$, a vertex of the $m$-gon, and the vertices are as many as the remainders.

    1. $R(\theta)R(\varphi)=R(\theta+\varphi)$ and $R(2\pi)=I$, so $A(1)^tH_0$ depends on $t\bmod m$ only, and the letter 0 changes nothing. [prose]
    2. In exact cyclotomic arithmetic the reachable states are closed under both letters, and each is decoded to its remainder: right at every length. [checked: "the output is the number of ones modulo m"]
    3. The transition is a product of two reflections (of two equal ones for $m=1$). [uses: grazzi25.appC1] [checked: "two reflections multiply to the transition"; "their number is two"]
    4. Steps 2 and 3 are computed for each modulus in the scope. [prose]
    """
    largest = proof.pick(8, 24, 60)
    for m in proof.every(f"m <= {largest}", range(1, largest + 1)):
        layer = householder.rotation_counter(m)
        computes(
            proof,
            "the output is the number of ones modulo m",
            layer,
            lambda q, x, m=m: (q + x) % m,
            0,
            (0, 1),
            lambda q, m=m: (q + shift) % m,
        )
        R = turn(m)
        # R(0) = I is no reflection at all, or any one of them twice
        factors = householder.reflections(R) or [GeneralizedHouseholder(R[:, 0])] * 2
        proof.exactly("two reflections multiply to the transition", householder.product(factors, 2), layer.transition(1))
        proof.exactly("their number is two", len(factors), 2)


@claim(
    "new.householder.decoder-margin",
    place="after grazzi25 App. C.1, the decoder arg max D_i^T H",
    title="the argmax decoder bears every error of the state below sin(π/m), and not that one",
    says=r"Let $m\ge2$. If $\|\delta\|<\sin(\pi/m)$ then $\arg\max_iD_i^\top(D_t+\delta)=t$, and some $\delta$ of length $\sin(\pi/m)$ makes a tie. So the state needs about $\log_2(m/\pi)$ bits after the point.",
    known="Known: half the least distance of a code is what nearest-neighbour decoding bears; here for the m-gon, which the paper decodes without naming a margin.",
    construction="lemmata.constructions.householder.decoder_tolerance",
    sabotages={
        "the tolerance is the whole distance of neighbours, 2 sin(pi/m)": {"tolerance": lambda m: 2 * sympy.sin(sympy.pi / m)},
        "1 - cos(2 pi/m)": {"tolerance": lambda m: 1 - sympy.cos(2 * sympy.pi / m)},
    },
)
def decoder_margin(proof: Proof, tolerance=lambda m: sympy.sin(sympy.pi / m)) -> None:
    r"""Compare the lead of $D_t$ over $D_{t+s}$ with what an error can do to it.

    1. The lead is $1-\cos\frac{2\pi s}m=2\sin^2\frac{\pi s}m$, and $|D_{t+s}-D_t|^2=4\sin^2\frac{\pi s}m$. [checked: "the lead is 2 sin^2(pi s/m)"; "the distance is 2 sin(pi s/m)"]
    2. An error $\delta$ changes the difference by $\delta^\top(D_{t+s}-D_t)\le2|\delta|\sin\frac{\pi s}m$ (Cauchy and Schwarz, with equality along $D_{t+s}-D_t$), so a tie takes
       $|\delta|\ge\sin\frac{\pi s}m$, and that length along $D_{t+1}-D_t$ makes one for $s=1$. [checked: "the tolerance, along the neighbour, makes a tie"] [prose]
    3. $\sin\frac{\pi s}m-\sin\frac\pi m=2\cos\frac{\pi(s+1)}{2m}\sin\frac{\pi(s-1)}{2m}\ge0$ for $1\le s\le m-1$, as the angles lie in $[0,\frac\pi2]$. So $s=1$ is the worst.
       [checked: "sin(pi s/m) - sin(pi/m) is a product"; "the angles lie in [0, pi/2]"] [prose]
    4. For large $m$ the margin is about $\pi/m$, so an error below it takes about $\log_2(m/\pi)$ bits after the point. [checked: "sin(pi/m) is about pi/m"] [prose]
    """
    m = sympy.Symbol("m", positive=True)
    x, y = sympy.symbols("x y", real=True)  # pi s/m and pi/m
    lead, distance = 1 - sympy.cos(2 * x), (sympy.cos(2 * x) - 1) ** 2 + sympy.sin(2 * x) ** 2
    proof.symbolically("the lead is 2 sin^2(pi s/m)", sympy.expand_trig(lead), 2 * sympy.sin(x) ** 2, "s, m")
    proof.symbolically("the distance is 2 sin(pi s/m)", sympy.expand_trig(distance), 4 * sympy.sin(x) ** 2, "s, m")
    tie = 2 * sympy.sin(sympy.pi / m) ** 2 - 2 * tolerance(m) * sympy.sin(sympy.pi / m)
    proof.symbolically("the tolerance, along the neighbour, makes a tie", tie, 0, "m")
    # with the half sum x and the half difference y of the angles
    difference = sympy.expand_trig(sympy.sin(x + y) - sympy.sin(x - y))
    proof.symbolically("sin(pi s/m) - sin(pi/m) is a product", difference, 2 * sympy.cos(x) * sympy.sin(y), "s, m")
    # s = 1 + p and m = s + 1 + q with p, q >= 0
    p, q = sympy.symbols("p q", nonnegative=True)
    order, size = 1 + p, 2 + p + q
    inside = (order - 1).is_nonnegative and (order + 1).is_positive and (size - order - 1).is_nonnegative
    proof.holds("the angles lie in [0, pi/2]", inside, free="s, m with 1 <= s < m")
    proof.symbolically("sin(pi/m) is about pi/m: the quotient tends to 1", sympy.limit(tolerance(sympy.pi / y) / y, y, 0), 1, "m")
    for size_ in (2, 3, 5, 8, 24, 100):
        ball = householder.decoder_tolerance(size_)
        rounded: list[Exact] = [(ball * 10**6 * fmpq(c, 1000) + arb(off)).floor().unique_fmpz() for c, off in ((999, -0.5), (1001, 0.5))]
        below, above = (fmpq(int(n), 10**6) for n in rounded)
        proof.certificate("witness", f"m = {size_}", m=size_, below=below, above=above)


@claim(
    "grazzi25.appC5.zero",
    place="App. C.5, the zero matrix; remark after Theorem 4",
    title="the zero matrix is a product of n GH matrices, and of no fewer",
    says=r"$0=\prod_{i=1}^n(I-e_ie_i^\top)\in\mathcal M^n_n(\{0\})$, and $0\notin\mathcal M^n_k(\mathbb R)$ for $k<n$.",
    construction="lemmata.constructions.householder.zero_factors",
    sabotages={
        "n - 1 factors, which the kernel refutes": {"theorem": "false_variants.zero_is_fewer_factors"},
        "one projection is dropped": {"factors_of": lambda n: householder.zero_factors(n)[1:]},
    },
)
def zero_needs_n_factors(proof: Proof, factors_of=householder.zero_factors, theorem: str = "few_factors.zero_is_n_factors") -> None:
    r"""The number of factors is at least the rank of $M-I$, and $0-I$ has full rank.

    1. $\prod_i(I-e_ie_i^\top)=0$: each factor deletes one coordinate and keeps the others. [checked: "the projections multiply to 0"]
    2. A product of $k$ factors differs from $I$ by rank at most $k$, and $\operatorname{rank}(0-I)=n$, so $k\ge n$. [uses: new.householder.rank] [checked: "their number is rank(0 - I)"]
    3. The formula is the same for every $n$; the machine writes it out for the sizes in the scope only. [prose]
    """
    proof.formally("the kernel: n projections", theorem)
    proof.formally("the kernel: and no fewer factors", "householder.zero_needs_n_factors", whole="every n and field", differs="any field")
    largest = proof.pick(5, 12, 20)
    for n in proof.every(f"n <= {largest}", range(1, largest + 1)):
        factors = factors_of(n)
        proof.exactly("the projections multiply to 0", householder.product(factors, n), exact.zeros(n, n))
        proof.exactly("their number is rank(0 - I)", len(factors), exact.rank(-exact.identity(n)))
        certify_product(proof, f"0 as {n} GH factors", factors, exact.zeros(n, n), low="0", high="0", fewest=True)


def _largest_fibre(function: tuple[int, ...]) -> int:
    return max(function.count(q) for q in function)


@claim(
    "grazzi25.appA3",
    place="App. A.3, last sentence",
    title="one-hot boolean transitions can have norm above 1: the norm is the root of the largest fibre",
    says=r"For $f:Q\to Q$ and its matrix $A$, $\|A\|=\sqrt{\max_q|f^{-1}(q)|}$, so it exceeds 1 unless $f$ is a permutation. Sharper: $\|A\|_1=1$, products are matrices of compositions, and all their norms are at most $\sqrt{|Q|}$.",
    reading="delta(w, q) is printed for delta(q, w) in the display",
    remarks=(
        "The paper says that allowing norms above 1 can make a recurrence unstable. That is true of the model class; this recurrence is stable, as its products have norms at most sqrt|Q|.",
    ),
    construction="lemmata.constructions.householder.boolean_transition",
    sabotages={
        "rows are taken for columns": {"matrix_of": lambda f: householder.boolean_transition(f).T},
        "the matrices are doubled": {"matrix_of": lambda f: householder.boolean_transition(f) * 2},
    },
)
def boolean_transitions(proof: Proof, matrix_of=householder.boolean_transition) -> None:
    r"""$AA^\top$ is diagonal with the sizes of the fibres.

    1. Column $q$ of $A$ is $e_{f(q)}$, so $AA^\top=\sum_qe_{f(q)}e_{f(q)}^\top=\operatorname{diag}(|f^{-1}(q)|)$, and $\|A\|^2$ is the largest entry. It is 1 only if all fibres have one element.
       [checked: "A A^T = diag(fibre sizes)"; "the norm is 1 only for permutations"]
    2. Columns sum to 1, and $A_fA_g=A_{f\circ g}$, so every product of transitions is such a matrix, with norm at most $\sqrt{|Q|}$. [checked: "every column sums to 1"; "products are compositions"; "largest fibre <= |Q|"]
    3. The formulas are the same for every finite $Q$; the machine goes through the sizes in the scope. [prose]
    """
    largest = proof.pick(3, 4, 5)
    everything = (f for n in range(1, largest + 1) for f in product(range(n), repeat=n))
    for f in proof.every(f"all functions on n <= {largest} states", everything):
        n, A = len(f), matrix_of(f)
        fibres = exact.rationals(np.diag([f.count(q) for q in range(n)]))
        gram = exact.multiply(A, A.T)
        proof.exactly("A A^T = diag(fibre sizes)", gram, fibres)
        proof.exactly("the norm is 1 only for permutations", max(gram[q, q] for q in range(n)) == 1, sorted(f) == list(range(n)))
        proof.exactly("every column sums to 1", [sum(column) for column in A.T], [1] * n)
        proof.holds("largest fibre <= |Q|", bool(max(gram[q, q] for q in range(n)) <= n))
        proof.certificate("witness", f"the function {f}", function=list(f), A=A)
    rng = Random(51)
    for _ in proof.each("200 random pairs of functions, n <= 6, seed 51", range(200)):
        n = rng.randint(1, 6)
        f, g = ([rng.randrange(n) for _ in range(n)] for _ in range(2))
        proof.exactly(
            "products are compositions", exact.multiply(matrix_of(f), matrix_of(g)), householder.boolean_transition([f[q] for q in g])
        )
