"""The mixer of fixed-point RNNs: movahedi25, Theorem D.2 and Eq. 10, with the prose around them (App. D.3.2)."""

from __future__ import annotations

from random import Random

import numpy as np
import sympy
from flint import fmpq

from ...constructions import householder, samples
from ...constructions.householder import GeneralizedHouseholder
from ...constructions.unitary import adjoint, complex_reflection, gaussian_identity, inner, reflection_and_phase
from ...numerics import exact
from ...numerics.cyclotomic import gaussian
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof


def _mixer(alphas: list[fmpq], us: list[Array], n: int) -> Array:
    """Q = prod (I - 2 alpha u u^T) with unit u (Eq. 10)."""
    return householder.product([GeneralizedHouseholder(u, 2 * a) for a, u in zip(alphas, us, strict=True)], n)


def _is_strict(M: Array) -> bool:
    """||M|| < 1, exactly."""
    return exact.is_positive_definite(exact.identity(len(M)) - exact.multiply(M.T, M))


# -- Theorem D.2 ----------------------------------------------------------------------------------------------------------


def _unitary(rng: Random, n: int) -> Array:
    """A Gaussian-rational unitary matrix: complex reflections and phases 1, i, -1, -i, (3 + 4i)/5."""
    U = gaussian_identity(n)
    for _ in range(rng.randint(0, 2)):
        v = np.array([gaussian(rng.randint(-1, 1), rng.randint(-1, 1)) for _ in range(n)], dtype=object)
        U = complex_reflection(v) @ U if any(x != 0 for x in v) else U
    phases = [gaussian(1), gaussian(0, 1), gaussian(-1), gaussian("3/5", "4/5")]
    return np.array([U[i] * rng.choice(phases) for i in range(n)], dtype=object)


@claim(
    "movahedi25.thmD2",
    place="Theorem D.2",
    title="U is unitary iff every U y is z H₁ … Hₗ y for some phase z and reflections; one reflection always does",
    says=r"For unitary $U$ and every $y$ there are a phase $z$ and one reflection $H$ with $Uy=zHy$ (so $\ell=1$); conversely, if every $Uy$ is of the form "
    r"$zH_1\cdots H_\ell y$ then $U$ keeps lengths and is unitary.",
    hypotheses=("complex reflections I - 2 v v^* / v^* v, which may depend on y",),
    remarks=(
        "The theorem chooses the reflections for each vector, so it does not factorise U. What factorises an orthogonal mixer once and for all is the theorem of Cartan and "
        "Dieudonné (grazzi25.prop1.2.orthogonal); the paper's Eq. 10, with r reflections chosen per token, needs no more than that as its motivation.",
    ),
    construction="lemmata.constructions.unitary.reflection_and_phase",
    sabotages={
        "without the phase, which the kernel refutes": {"theorem": "phases.unitary_iff_reflected_without_phase"},
        "without the phase": {"with_phase": False},
        "real combinations only": {"probes": lambda n: [v for v in _probes(n) if all(x == x.conjugate() for x in v)]},
    },
)
def one_reflection_and_a_phase(
    proof: Proof, with_phase: bool = True, probes=lambda n: _probes(n), theorem: str = "phases.unitary_iff_reflected"
) -> None:
    r"""One way by an explicit reflection, the other by polarisation.

    1. Let $w=y^*Uy=|w|z$ with $|z|=1$ ($z=1$ if $w=0$) and $v=y-\bar zUy$. Then $v^*y=|y|^2-|w|$ and $v^*v=2(|y|^2-|w|)$, so $2v^*y=v^*v$, and the reflection along $v$ takes $y$ to
       $y-v=\bar zUy$. [checked: "2 v^* y = v^* v"; "U y = z H y"; "H is a reflection"; "|z| = 1"]
    2. If $v=0$, $Uy=zy$: take a mirror that contains $y$; in dimension 1 the only reflection is $-1$, and $-z$ serves. [checked: "U y = z H y"]
    3. Conversely $z$ and reflections keep lengths: $|y-2v(v^*y)/v^*v|^2=|y|^2$. So $|Uy|=|y|$ for all $y$. [checked: "a reflection keeps the length"]
    4. For $G=U^*U$, $y=e_i$ gives $G_{ii}=1$, and $y=e_i+e_j$, $y=e_i+ie_j$ give $G_{ii}+G_{jj}+2\operatorname{Re}G_{ij}$ and $G_{ii}+G_{jj}-2\operatorname{Im}G_{ij}$, both 2. So $G=I$.
       [checked: "y = e_i + e_j"; "y = e_i + i e_j"; "a matrix is unitary iff these vectors keep their lengths"]
    5. The identities hold in every dimension; what is built is checked on the matrices in the scope. [prose]
    """
    proof.formally(
        "the kernel: a phase and one reflection, and the converse",
        theorem,
        whole="every n >= 1, U and y",
        differs="any algebraically closed field with a norm for the complex numbers",
    )
    s, r = sympy.symbols("s r", real=True)  # |y|^2 and |w|
    proof.symbolically("2 v^* y = v^* v", 2 * (s - r), s - 2 * r + s, "n, unitary U, y")
    overlap, vv = sympy.symbols("overlap vv", positive=True)  # |v^* y|^2 and v^* v
    proof.symbolically("a reflection keeps the length", s - 4 * overlap / vv + 4 * overlap / vv**2 * vv, s, "n, v, y")
    p, q, a, b = sympy.symbols("p q a b", real=True)
    G = sympy.Matrix([[p, a + sympy.I * b], [a - sympy.I * b, q]])
    for name, y, value in (("e_i + e_j", (1, 1), p + q + 2 * a), ("e_i + i e_j", (1, sympy.I), p + q - 2 * b)):
        y = sympy.Matrix(y)
        proof.symbolically(f"y = {name}", (y.H * G * y)[0], value, "Hermitian G")
    rng = Random(61)
    wanted, largest = proof.pick((20, 2), (60, 3), (300, 4))
    found, draws = [], samples.tries("rational overlaps", 1000 * wanted)
    while len(found) < wanted:
        next(draws)
        n = rng.randint(1, largest)
        U = _unitary(rng, n)
        y = np.array([gaussian(rng.randint(-1, 1), rng.randint(-1, 1)) for _ in range(n)], dtype=object)
        pair = reflection_and_phase(U, y)
        if pair is not None:
            found.append((U, y, *pair))
    overlaps = {str(inner(y, U @ y) * inner(y, U @ y).conjugate()) for U, y, _, _ in found}
    proof.holds("|y^* U y| takes four values at least", len(overlaps) >= 4)
    for k, (U, y, H, z) in enumerate(
        proof.each(f"{wanted} Gaussian-rational U and y with rational |y^* U y|, n <= {largest}, seed 61", found),
    ):
        phase = z if with_phase else gaussian(1)
        proof.exactly("U y = z H y", (U @ y).tolist(), (H @ y * phase).tolist())
        proof.exactly("H is a reflection", [(H @ H).tolist(), H.tolist()], [exact.identity(len(y)).tolist(), adjoint(H).tolist()])
        proof.exactly("|z| = 1", z * z.conjugate() == 1, True)
        bent = U.copy()
        if k % 2:
            bent[rng.randrange(len(y)), rng.randrange(len(y))] += gaussian(0, 1)
        unitary = (adjoint(bent) @ bent).tolist() == gaussian_identity(len(y)).tolist()
        kept = all(inner(bent @ v, bent @ v) == inner(v, v) for v in probes(len(y)))
        proof.exactly("a matrix is unitary iff these vectors keep their lengths", unitary, kept)
        if len(y) >= 2 and any(x != 0 for x in y) and k < 16:
            # Gaussian numbers, each as its coefficients of 1 and i
            rows = {"U": [[x.coefficients for x in row] for row in U], "H": [[x.coefficients for x in row] for row in H]}
            proof.certificate("witness", "U y = z H y", y=[x.coefficients for x in y], z=z.coefficients, **rows)
    # unit columns whose inner product is 3i/5: only e_i + i e_j notices
    skew = np.array([[gaussian(1), gaussian(0, "3/5")], [gaussian(0), gaussian("4/5")]], dtype=object)
    kept = all(inner(skew @ v, skew @ v) == inner(v, v) for v in probes(2))
    proof.exactly("a matrix is unitary iff these vectors keep their lengths", kept, False)


def _probes(n: int) -> list[Array]:
    """e_i, e_i + e_j and e_i + i e_j."""
    basis = [np.array([gaussian(int(i == k)) for i in range(n)], dtype=object) for k in range(n)]
    return basis + [basis[i] + basis[j] * c for i in range(n) for j in range(i) for c in (gaussian(1), gaussian(0, 1))]


# -- the prose before Theorem D.2 -----------------------------------------------------------------------------------------


@claim(
    "movahedi25.appD.orthogonal",
    place="App. D.3.2, sentence before Theorem D.2",
    of="movahedi25.eq6",
    flaw="false",
    quotes=(
        r"$\mathbf{I} - \mathbf{Q}_t$ needs to be contractive which is satisfied if $\mathbf{Q}_t$ is either orthogonal or contractive as well",
    ),
    root="movahedi25.eq10.negative",
    title="I − Q need not be contractive if Q is orthogonal or contractive",
    says=r"$Q^\top Q=I$ implies $\|I-Q\|<1$, and so does $\|Q\|<1$.",
    letter="I - Q_t need not be contractive when Q_t is orthogonal or contractive. Q = -1 is orthogonal with |I - Q| = 2, and Q = 0 is contractive with |I - Q| = "
    "1. For an orthogonal Q the condition is that all rotation angles stay below 60 degrees, that is, Q + Q^T - I is positive definite.",
    sabotages={"Q = I": {"Q": 1}, "a positive contractive Q": {"values": (fmpq(1, 2), fmpq(1, 3))}},
)
def orthogonal_or_contractive_is_not_enough(proof: Proof, Q: int = -1, values=(fmpq(1, 2), fmpq(0), fmpq(-1, 2))) -> None:
    """In one dimension Q = -1 is orthogonal and |1 - Q| = 2; of the contractive numbers 1/2, 0, -1/2 the second already has |1 - Q| = 1."""
    proof.counterexample(
        given={"Q": Q, "I - Q": 1 - Q},
        words={"orthogonal": Q * Q == 1, "difference": not abs(1 - Q) < 1},
        minimal="d = 1",
    )
    if abs(1 - Q) > 1:
        proof.certificate("not-below-one", "Q = -1 is orthogonal", matrix=[[fmpq(1 - Q)]], vector=[fmpq(1)], strict=True)
    found = proof.smallest("scalars 1/2, 0, -1/2", values, lambda q: abs(q) < 1 and not abs(1 - q) < 1)
    if found:
        q, _ = found
        proof.counterexample(
            given={"Q": q, "I - Q": 1 - q},
            words={"short": abs(q) < 1, "difference": not abs(1 - q) < 1},
            minimal="d = 1",
        )
        proof.certificate("not-below-one", f"Q = {q} is contractive", matrix=[[1 - q]], vector=[fmpq(1)], strict=False)


@claim(
    "movahedi25.appD.orthogonal.amended",
    place="App. D.3.2, sentence before Theorem D.2",
    amends="movahedi25.appD.orthogonal",
    title="for orthogonal Q, I − Q is contractive iff all rotation angles are below 60 degrees, that is, Q + Qᵀ > I",
    says=r"For orthogonal $Q$ with eigenvalues $e^{i\theta}$, $\|I-Q\|=\max2|\sin\tfrac\theta2|$; so $\|I-Q\|<1$ iff $Q+Q^\top-I$ is positive definite, iff all $|\theta|<60°$.",
    sabotages={
        "angles below 90 degrees": {"criterion": lambda Q: exact.is_positive_definite(Q + Q.T)},
        "Q is not orthogonal": {"orthogonal": 2},
    },
)
def angles_below_sixty_degrees(
    proof: Proof, criterion=lambda Q: exact.is_positive_definite(Q + Q.T - exact.identity(len(Q))), orthogonal: int = 1
) -> None:
    r"""For orthogonal $Q$ the defect $I-(I-Q)^\top(I-Q)$ is linear in $Q$.

    1. $I-(I-Q)^\top(I-Q)=Q+Q^\top-Q^\top Q=Q+Q^\top-I$, so $\|I-Q\|<1$ iff $Q+Q^\top-I$ is positive definite. [checked: "I - (I-Q)^T (I-Q) = Q + Q^T - I"; "||I - Q|| < 1 iff Q + Q^T > I"]
    2. $Q$ is normal, so $\|I-Q\|=\max|1-e^{i\theta}|$, and $|1-e^{i\theta}|^2=4\sin^2\frac\theta2$, below 1 iff $|\theta|<60°$. [checked: "|1 - e^(i theta)|^2 = 4 sin^2(theta/2)"] [prose]
    """
    q, t = sympy.symbols("Q Qt", commutative=False)
    defect = sympy.expand(1 - (1 - t) * (1 - q)).subs(t * q, orthogonal)
    proof.symbolically("I - (I-Q)^T (I-Q) = Q + Q^T - I", defect, q + t - 1, "n, orthogonal Q (noncommuting)")
    theta = sympy.Symbol("theta", real=True)
    squared = sympy.expand((1 - sympy.exp(sympy.I * theta)) * (1 - sympy.exp(-sympy.I * theta)), complex=False)
    proof.symbolically(
        "|1 - e^(i theta)|^2 = 4 sin^2(theta/2)",
        squared.rewrite(sympy.cos).subs(theta, 2 * theta),
        sympy.expand(4 * sympy.sin(theta) ** 2),
        "theta",
    )
    rng = Random(62)
    near = exact.rationals([["4/5", "-3/5"], ["3/5", "4/5"]])  # 36.9 degrees
    far = exact.rationals([["5/13", "-12/13"], ["12/13", "5/13"]])  # 67.4 degrees
    sides = [_is_strict(exact.identity(2) - Q) for Q in (near, far)]
    proof.exactly("36.9 degrees are below, 67.4 degrees above", sides, [True, False])
    family = [
        near,
        far,
        near.T,
        exact.identity(2),
        -exact.identity(3),
        exact.block_diagonal([near, far]),
        exact.block_diagonal([near, near, exact.rationals([[1]])]),
    ]
    chosen = len(family)
    family += [samples.orthogonal(rng, rng.randint(1, 5)) for _ in range(proof.pick(20, 80, 400))]
    for k, Q in enumerate(proof.each(f"{len(family)} rational orthogonal Q, n <= 5, angles on both sides of 60 degrees, seed 62", family)):
        proof.exactly("||I - Q|| < 1 iff Q + Q^T > I", _is_strict(exact.identity(len(Q)) - Q), criterion(Q))
        if k < chosen and not np.array_equal(Q, exact.identity(len(Q))):
            proof.certificate("witness", f"an orthogonal matrix of size {len(Q)}", Q=Q)


@claim(
    "movahedi25.appD.low-rank",
    place="App. D.3.2, the low-rank mixer sum alpha_i u_i u_i^T",
    of="movahedi25.eq6",
    flaw="false",
    quotes=(r"This can be controlled ensuring $\sum_i \alpha_{it} \leq 1$",),
    weight="hypothesis",
    root="movahedi25.eq10.negative",
    title="∑ αᵢ ≤ 1 does not make I − Q contractive for Q = ∑ αᵢ uᵢ uᵢᵀ with fewer terms than dimensions",
    says=r"If $\alpha_i>0$ and $\sum_i\alpha_i\le1$ then $\|I-\sum_{i\le r}\alpha_i\bar u_i\bar u_i^\top\|<1$.",
    letter="Sum alpha_i <= 1 does not make I - Q_t contractive for Q_t = sum alpha_i u_i u_i^T with fewer terms than dimensions. A vector x orthogonal to all u_i "
    "has (I - Q_t) x = x. Then Q_t is also singular, so A_t = Q_t^(-1) Lambda_t does not exist.",
    sabotages={"r = d: orthonormal vectors in every direction": {"rank": lambda d: d}},
)
def low_rank_mixers_are_singular(proof: Proof, rank=lambda d: 1) -> None:
    """For r < d some x is orthogonal to all u_i: (I - Q) x = x, so the norm is at least 1, and Q x = 0. The least case is d = 2, r = 1, Q = e_1 e_1^T, x = e_2."""
    dimensions = [2, 3]

    def fails(d: int) -> bool:
        return not _is_strict(exact.identity(d) - _low_rank(d, rank(d)))

    found = proof.smallest("d = 2, 3 with r = 1, alpha_i = 1/r, u_i = e_i", dimensions, fails)
    if found:
        d, _ = found
        Q = _low_rank(d, rank(d))
        x = exact.unit_vector(d, d - 1)
        proof.counterexample(
            given={"d": d, "r": rank(d), "alpha_1": fmpq(1, rank(d)), "Q": Q, "x": x, "(I - Q) x": (exact.identity(d) - Q) @ x},
            words={
                "sum": sum(Q[i, i] for i in range(d)) <= 1,
                "kept": np.array_equal((exact.identity(d) - Q) @ x, x),
                "singular": exact.determinant(Q) == 0,
            },
            minimal="d = 2, r = 1",
        )
        proof.certificate("witness", "one term in two dimensions", alphas=[fmpq(1, rank(d))], us=[exact.unit_vector(d, 0)])


def _low_rank(d: int, r: int) -> Array:
    Q = exact.zeros(d, d)
    for i in range(r):
        Q[i, i] = fmpq(1, r)
    return Q


# -- Eq. 10 ---------------------------------------------------------------------------------------------------------------

_ALPHAS = (fmpq(1, 4), fmpq(1, 3), fmpq(1, 2), fmpq(2, 3), fmpq(3, 4))


@claim(
    "movahedi25.eq10.contractive",
    place="Eq. 10 and the sentence after it",
    of="movahedi25.eq6",
    flaw="false",
    quotes=(
        (
            r"This avoids rank collapse by forcing $\mathbf{Q}_t$ to be full-rank, while $\mathbf{I} - \mathbf{Q}_t$ of rank r remains contractive and stabilizes "
            "the fixed-point iteration"
        ),
    ),
    root="movahedi25.eq10.negative",
    title="for 0 < α < 1, Q = ∏ (I − 2 α u uᵀ) can be singular, and I − Q need not be contractive",
    says=r"$0<\alpha_i<1$ forces $Q$ of Eq. 10 to be invertible, and $\|I-Q\|<1$.",
    remarks=(
        "One root for several consequences: I - Q is contractive for one factor iff alpha < 1/2, and every later statement that uses |I - Q| < 1 for Eq. 10 needs such a bound.",
        "Rank: I - Q has rank r for independent vectors; equal vectors are where rank collapse would show, and Eq. 10 does not exclude them.",
    ),
    letter="With 0 < alpha < 1 a mixer of Eq. 10 can be singular, and I - Q need not be contractive. At alpha = 1/2 one factor is the projection I - u u^T, so Q "
    "u = 0. For one factor |I - Q| = 2 alpha, which exceeds 1 for alpha > 1/2. Sum alpha_i < 1/2 suffices for both, and is necessary for r = 1.",
    sabotages={"only values of alpha for which the claim holds": {"alphas": (fmpq(1, 4), fmpq(1, 3))}},
)
def alpha_one_half_is_a_projection(proof: Proof, alphas=_ALPHAS) -> None:
    """In one dimension Q = 1 - 2 alpha: for alpha = 1/2 it is 0, so Q is singular, and |I - Q| = 1. The search takes alpha = 1/4, 1/3, 1/2, ... in this order."""
    u = exact.unit_vector(1, 0)
    found = proof.smallest(
        "d = r = 1, alpha in {1/4, 1/3, 1/2, 2/3, 3/4}", alphas, lambda a: not _is_strict(exact.identity(1) - _mixer([a], [u], 1))
    )
    if found:
        a, _ = found
        Q = _mixer([a], [u], 1)
        proof.counterexample(
            given={"alpha": a, "u": u, "Q": Q, "I - Q": exact.identity(1) - Q},
            words={"alpha": 0 < a < 1, "norm": not _is_strict(exact.identity(1) - Q), "determinant": exact.determinant(Q) == 0},
            minimal="d = r = 1",
        )
        proof.certificate("witness", "one factor in one dimension", alphas=[a], us=[u])


@claim(
    "movahedi25.eq10.negative",
    place="Eq. 10 and the sentences after it",
    of="movahedi25.eq6",
    flaw="false",
    quotes=(
        r"while $\mathbf{I} - \mathbf{Q}_t$ of rank r remains contractive and stabilizes the fixed-point iteration",
        r"$\mathbf{Q}_t$ also has negative eigenvalues as in (Grazzi et al., 2024)",
    ),
    title="a contractive I − Q and a negative eigenvalue of Q exclude each other",
    says=r"$Q$ of Eq. 10 has negative eigenvalues while $\|I-Q\|<1$.",
    letter="A contractive I - Q and a negative eigenvalue of Q exclude each other, for every Q. If Q v = c v with c < 0, then |(I - Q) v| = (1 - c) |v| > |v|. "
    "So one factor of Eq. 10 has the first property for alpha < 1/2, the second for alpha > 1/2, and never both.",
    sabotages={"a positive eigenvalue": {"alpha": fmpq(1, 4)}, "Q v = -mu v": {"sign": -1}},
)
def contractive_excludes_negative(proof: Proof, alpha=fmpq(3, 4), sign: int = 1) -> None:
    """Q v = mu v with mu < 0 gives |(I - Q) v| = (1 - mu)|v| > |v|, for every Q. The example is one factor with alpha = 3/4 in one dimension: Q = -1/2 and |I - Q| = 3/2."""
    proof.formally(
        "the kernel: a contractive I - Q leaves Q positive eigenvalues only",
        "mixers.contractive_means_positive",
        differs="any Q; row vectors",
    )
    m, v = sympy.symbols("mu v", commutative=False)
    Q, negative = sympy.Symbol("Q", commutative=False), sympy.Symbol("mu", negative=True)
    proof.symbolically(
        "(I - Q) v = (1 - mu) v", sympy.expand((1 - Q) * v).subs(Q * v, sign * m * v), sympy.expand((1 - m) * v), "n, Q, v, mu"
    )
    proof.holds("1 - mu > 1 for every mu < 0", (1 - negative - 1).is_positive)
    mixer = _mixer([alpha], [exact.unit_vector(1, 0)], 1)
    proof.counterexample(
        given={"alpha": alpha, "u = v": [1], "Q": mixer, "mu": mixer[0, 0], "|(I - Q) v| / |v| = 1 - mu": 1 - mixer[0, 0]},
        words={"alpha": 0 < alpha < 1, "negative": mixer[0, 0] < 0, "norm": 1 - mixer[0, 0] > 1},
        minimal="d = r = 1; all Q by |(I - Q)v| = (1 - mu)|v|",
    )
    proof.certificate("witness", "one factor in one dimension", alphas=[alpha], us=[[fmpq(1)]], eigenvalue=mixer[0, 0], vector=[fmpq(1)])


@claim(
    "movahedi25.eq10.amended",
    place="Eq. 10",
    amends="movahedi25.eq10.contractive",
    title="∑ αᵢ < 1/2 makes I − Q contractive and Q invertible with no eigenvalue in (−∞, 0]; for r = 1 it is necessary",
    says=r"$\|I-\prod_i(I-2\alpha_iu_iu_i^\top)\|\le\sum_i2\alpha_i$ for $\alpha_i\in[0,1]$, with equality for $r=1$.",
    remarks=("For r = 2 equal factors the bound is not the truth: new.fixed-point.equal-reflections.thresholds.",),
    sabotages={
        "half the distance, which the kernel refutes": {"theorem": "false_variants.mixer_near_by_half"},
        "sum alpha_i < 1": {"limit": fmpq(1)},
        "all alpha_i are 0": {"scale": 0},
    },
)
def small_angles_contract(proof: Proof, limit=fmpq(1, 2), scale: int = 1, theorem: str = "mixers.mixer_near") -> None:
    r"""Telescope the product; no partial product lengthens.

    1. $I-C_1C_2\cdots=(I-C_1)+C_1(I-C_2\cdots)$, and $\|C_1\|\le1$, so $\|I-\prod C_i\|\le\sum\|I-C_i\|$ by induction. [checked: "I - C_1 C_2 = (I - C_1) + C_1 (I - C_2)"] [uses: grazzi25.prop1.1]
    2. $I-C_i=2\alpha_iu_iu_i^\top$ has norm $2\alpha_i$; for $r=1$ that is all, so $\|I-Q\|<1$ iff $\alpha<\frac12$. [checked: "r = 1: ||I - Q|| < 1 iff alpha < 1/2"]
    3. If $\|I-Q\|<1$, $Qv=\mu v$ gives $|1-\mu|<1$, so $\mu$ is no number $\le0$, and $Q$ is invertible. [prose] [checked: "Q is invertible, no eigenvalue is <= 0"]
    4. Random mixers just below the limit contract, and $I-Q$ is not 0. [checked: "||I - Q|| < 1"; "Q is not I"]
    """
    proof.formally("the kernel: distance from I", theorem)
    proof.formally(
        "the kernel: one factor attains it",
        "mixers.factor_attains",
        whole="every n and r",
        differs="an ordered field for the reals; 'no row vector gets longer than c times' for the norm",
    )
    proof.formally("the kernel: below 1/2, I - Q is contractive", "mixers.mixer_contracts")
    proof.formally(
        "the kernel: below 1/2, the eigenvalues of Q are positive", "mixers.mixer_eigenvalues", differs="real eigenvalues; row vectors"
    )
    proof.formally("the kernel: below 1/2, Q is invertible", "mixers.mixer_invertible")
    proof.formally("the kernel: for r = 1 it is necessary", "mixers.one_factor_needs_it")
    proof.formally("the kernel: such Q of r factors are M_r([-1, 1])", "mixers.mixers_are_gh", differs="an ordered field for the reals")
    u = exact.unit_vector(2, 0)
    for alpha in proof.each("r = 1: alpha = k/12, 0 <= k <= 12", [fmpq(k, 12) for k in range(13)]):
        contractive = _is_strict(exact.identity(2) - _mixer([alpha], [u], 2))
        proof.exactly("r = 1: ||I - Q|| < 1 iff alpha < 1/2", contractive, alpha < limit)
    beyond = exact.characteristic_polynomial(_mixer([fmpq(3, 4)], [u], 2))
    proof.holds("alpha = 3/4 does have a negative eigenvalue", exact.has_root_in(beyond, fmpq(-2), fmpq(0)))
    c1, c2 = sympy.symbols("C1 C2", commutative=False)
    proof.symbolically("I - C_1 C_2 = (I - C_1) + C_1 (I - C_2)", 1 - c1 * c2, (1 - c1) + c1 * (1 - c2), "C_1, C_2 (noncommuting)")
    rng = Random(63)
    count = proof.pick(20, 80, 500)
    for k in proof.each(f"{count} random mixers, d <= 4, r <= 4, sum alpha_i just below the limit, seed 63", range(count)):
        d, r = rng.randint(1, 4), rng.randint(1, 4)
        weights = [rng.randint(1, 5) for _ in range(r)]
        alphas = [scale * limit * fmpq(99, 100) * fmpq(w, sum(weights)) for w in weights]
        vectors = [samples.nonzero_vector(rng, d) for _ in range(r)]
        Q = _mixer(alphas, vectors, d)
        proof.holds("||I - Q|| < 1", _is_strict(exact.identity(d) - Q))
        proof.holds("Q is not I", not np.array_equal(Q, exact.identity(d)))
        spectrum = exact.characteristic_polynomial(Q)
        # all roots lie in the disc of radius 1 about 1
        proof.holds("Q is invertible, no eigenvalue is <= 0", not exact.has_root_in(spectrum, fmpq(-2), fmpq(0)))
        if k < 12 and r >= 2:
            proof.certificate("witness", f"d = {d}, r = {r}", alphas=alphas, us=vectors)
