"""The mixer of fixed-point RNNs: movahedi25, Theorem D.2 and Eq. 10, with the prose around them (App. D)."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import sympy
from flint import fmpq

from ...constructions import householder, samples
from ...constructions.householder import GeneralizedHouseholder
from ...constructions.unitary import adjoint, complex_reflection, gaussian_identity, reflection_and_phase
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
    topic="householder",
    place="Theorem D.2",
    title="U is unitary iff every U y is z H_1 ... H_l y for some phase z and reflections; one reflection always does",
    says=r"For unitary $U$ and every $y$ there are a phase $z$ and one reflection $H$ with $Uy=zHy$ (so $\ell=1$); conversely, if every $Uy$ is of the form "
    r"$zH_1\cdots H_\ell y$ then $U$ keeps lengths and is unitary.",
    hypotheses=("complex reflections I - 2 v v^* / v^* v, which may depend on y",),
    construction="lemmata.constructions.unitary.reflection_and_phase",
    sabotages={"without the phase": {"with_phase": False}},
)
def one_reflection_and_a_phase(proof: Proof, with_phase: bool = True) -> None:
    """With w = y^* U y = |w| z put v = y - conj(z) U y: 2 v^* y = v^* v, so H y = y - v = conj(z) U y."""
    s, r = sympy.symbols("s r", real=True)  # |y|^2 and |w|
    proof.symbolically("2 v^* y = v^* v", 2 * (s - r), s - 2 * r + s, "n, unitary U, y")
    rng = Random(61)
    wanted, largest = proof.pick((20, 2), (60, 3), (300, 4))
    found = []
    while len(found) < wanted:
        n = rng.randint(1, largest)
        U = _unitary(rng, n)
        y = np.array([gaussian(rng.randint(-1, 1), rng.randint(-1, 1)) for _ in range(n)], dtype=object)
        pair = reflection_and_phase(U, y)
        if pair is not None:
            found.append((U, y, *pair))
    for U, y, H, z in proof.each(f"{wanted} Gaussian-rational U and y with rational |y^* U y|, n <= {largest}", found):
        phase = z if with_phase else gaussian(1)
        proof.exactly("U y = z H y", (U @ y).tolist(), (H @ y * phase).tolist())
        proof.exactly("H is a reflection", [(H @ H).tolist(), H.tolist()], [exact.identity(len(y)).tolist(), adjoint(H).tolist()])
        proof.exactly("|z| = 1", z * z.conjugate() == 1, True)


@claim(
    "movahedi25.thmD2.use",
    topic="householder",
    place="App. D, sentence between Theorem D.2 and Eq. 10",
    title="by Theorem D.2 a unitary matrix is a phase times a product of reflections chosen once",
    says=r"Since Theorem D.2 needs one reflection, every unitary $U$ would be $zH$ with one reflection $H$.",
    reading="the reflections are used in Eq. 10 independently of the vector that they act on; the theorem chooses them for each y",
    sabotages={"U = diag(1, 1, -1), which is a reflection": {"diagonal": (1, 1, -1)}},
)
def no_factorisation(proof: Proof, diagonal=(1, "i", -1)) -> None:
    """z H has the eigenvalues z, ..., z, -z, so U - z I has rank at most 1 for that z; three distinct eigenvalues exclude it.

    For each of the eigenvalues (any other z leaves U - z I invertible) the rank is computed.
    """
    entries = [gaussian(0, 1) if x == "i" else gaussian(x) for x in diagonal]
    U = np.array([[entries[i] if i == j else gaussian(0) for j in range(3)] for i in range(3)], dtype=object)
    ranks = [sum(x != z for x in entries) for z in entries]
    ys = [np.array([gaussian(x) for x in y], dtype=object) for y in product((0, 1), repeat=3)]
    served = [reflection_and_phase(U, y) for y in ys]
    ok = all(pair is None or (U @ y).tolist() == (pair[0] @ y * pair[1]).tolist() for y, pair in zip(ys, served, strict=True))
    proof.counterexample(
        given={"U": f"diag{diagonal}", "rank(U - z I) for z among its eigenvalues": ranks},
        hypotheses={
            "U is unitary": all(x * x.conjugate() == 1 for x in entries),
            "each of the 0/1 vectors y with rational |y^* U y| has its own z, H with U y = z H y": ok,
        },
        violates={"no z makes U - z I of rank <= 1, so U is not z H": min(ranks) > 1},
        minimal="N = 3",
    )


# -- the prose before Theorem D.2 -----------------------------------------------------------------------------------------


@claim(
    "movahedi25.appD.orthogonal",
    topic="householder",
    place="App. D, sentence before Theorem D.2",
    title="I - Q is contractive if Q is orthogonal",
    says=r"$Q^\top Q=I$ implies $\|I-Q\|<1$.",
    sabotages={"Q = I": {"Q": [[1]]}},
)
def orthogonal_is_not_enough(proof: Proof, Q=((-1,),)) -> None:
    """Q = -1."""
    Q = exact.rationals(Q)
    proof.counterexample(
        given={"Q": Q, "I - Q": exact.identity(len(Q)) - Q},
        hypotheses={"Q is orthogonal": exact.is_orthogonal(Q)},
        violates={"||I - Q|| is not below 1": not _is_strict(exact.identity(len(Q)) - Q)},
        minimal="d = 1",
    )
    if abs(1 - Q[0, 0]) >= 1:
        proof.certificate("not-below-one", "||I - Q|| >= 1", matrix=exact.identity(len(Q)) - Q, vector=[1], strict=True)


@claim(
    "movahedi25.appD.orthogonal.amended",
    topic="householder",
    place="App. D, sentence before Theorem D.2",
    kind="amended",
    amends="movahedi25.appD.orthogonal",
    title="for orthogonal Q, I - Q is contractive iff all rotation angles are below 60 degrees, that is, Q + Q^T > I",
    says=r"For orthogonal $Q$ with eigenvalues $e^{i\theta}$, $\|I-Q\|=\max2|\sin\tfrac\theta2|$; so $\|I-Q\|<1$ iff $Q+Q^\top-I$ is positive definite.",
    sabotages={"angles below 90 degrees": {"criterion": lambda Q: exact.is_positive_definite(Q + Q.T)}},
)
def angles_below_sixty_degrees(proof: Proof, criterion=lambda Q: exact.is_positive_definite(Q + Q.T - exact.identity(len(Q)))) -> None:
    """(I - Q)^T (I - Q) = 2I - Q - Q^T, and I minus that is Q + Q^T - I; on an eigenvector it is 2 cos(theta) - 1."""
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
    family = [
        near,
        far,
        near.T,
        exact.identity(2),
        -exact.identity(3),
        exact.block_diagonal([near, far]),
        exact.block_diagonal([near, near, exact.rationals([[1]])]),
    ]
    family += [samples.orthogonal(rng, rng.randint(1, 5)) for _ in range(proof.pick(20, 80, 400))]
    for Q in proof.each(f"{len(family)} rational orthogonal Q, n <= 5, angles on both sides of 60 degrees", family):
        proof.exactly("||I - Q|| < 1 iff Q + Q^T > I", _is_strict(exact.identity(len(Q)) - Q), criterion(Q))


@claim(
    "movahedi25.appD.contractive",
    topic="householder",
    place="App. D, sentence before Theorem D.2",
    title="I - Q is contractive if Q is contractive",
    says=r"$\|Q\|<1$ implies $\|I-Q\|<1$.",
    sabotages={"a positive Q": {"values": (fmpq(1, 2), fmpq(1, 3))}},
)
def contractive_is_not_enough(proof: Proof, values=(fmpq(1, 2), fmpq(0), fmpq(-1, 2))) -> None:
    """Q = 0 already gives ||I - Q|| = 1."""
    found = proof.smallest("scalars 1/2, 0, -1/2", values, lambda q: abs(q) < 1 and not abs(1 - q) < 1)
    if found:
        q, _ = found
        proof.counterexample(
            given={"Q": q, "I - Q": 1 - q},
            hypotheses={"|Q| < 1": abs(q) < 1},
            violates={"|1 - Q| is not below 1": not abs(1 - q) < 1},
            minimal="d = 1",
        )
        proof.certificate("not-below-one", "|I - Q| >= 1", matrix=[[1 - q]], vector=[1], strict=False)


@claim(
    "movahedi25.appD.low-rank",
    topic="householder",
    place="App. D, the low-rank mixer sum alpha_i u_i u_i^T",
    title="sum alpha_i <= 1 makes I - Q contractive for Q = sum_{i<=r} alpha_i u_i u_i^T",
    says=r"If $\alpha_i>0$ and $\sum_i\alpha_i\le1$ then $\|I-\sum_{i\le r}\alpha_i\bar u_i\bar u_i^\top\|<1$.",
    sabotages={"r = d: orthonormal vectors in every direction": {"rank": lambda d: d}},
)
def low_rank_mixers_are_singular(proof: Proof, rank=lambda d: 1) -> None:
    """For r < d some x is orthogonal to all u_i: (I - Q) x = x, so the norm is at least 1, and Q x = 0."""
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
            hypotheses={"sum alpha_i <= 1": sum(Q[i, i] for i in range(d)) <= 1},
            violates={
                "(I - Q) x = x, so ||I - Q|| >= 1": np.array_equal((exact.identity(d) - Q) @ x, x),
                "Q is singular": exact.determinant(Q) == 0,
            },
            minimal="d = 2, r = 1",
        )
        proof.certificate("not-below-one", "||I - Q|| >= 1", matrix=exact.identity(d) - Q, vector=x, strict=False)


def _low_rank(d: int, r: int) -> Array:
    Q = exact.zeros(d, d)
    for i in range(r):
        Q[i, i] = fmpq(1, r)
    return Q


# -- Eq. 10 ---------------------------------------------------------------------------------------------------------------

_ALPHAS = [fmpq(1, 4), fmpq(1, 3), fmpq(1, 2), fmpq(2, 3), fmpq(3, 4)]


def _eq10(id: str, title: str, says: str, violated: str, breaks, harmless_alphas) -> None:
    """Register a claim about Eq. 10 that one factor in dimension one, Q = 1 - 2 alpha, already breaks."""

    def check(proof: Proof, alphas=tuple(_ALPHAS)) -> None:
        """In one dimension Q = 1 - 2 alpha takes every value in (-1, 1)."""
        u = exact.unit_vector(1, 0)
        found = proof.smallest("d = r = 1, alpha in {1/4, 1/3, 1/2, 2/3, 3/4}", alphas, lambda a: breaks(_mixer([a], [u], 1)))
        if found:
            a, _ = found
            Q = _mixer([a], [u], 1)
            proof.counterexample(
                given={"alpha": a, "u": u, "Q": Q, "I - Q": exact.identity(1) - Q},
                hypotheses={"0 < alpha < 1": 0 < a < 1},
                violates={violated: breaks(Q)},
                minimal="d = r = 1",
            )

    claim(
        id, topic="householder", place="Eq. 10 and the sentences after it", title=title, says=says,
        sabotages={"only values of alpha for which the claim holds": {"alphas": harmless_alphas}},
    )(check)  # fmt: skip


_eq10(
    "movahedi25.eq10.full-rank",
    "Q = prod (I - 2 alpha u u^T) with 0 < alpha < 1 has full rank",
    r"$0<\alpha_i<1$ forces $Q$ to be invertible.",
    "det Q = 0",
    lambda Q: exact.determinant(Q) == 0,
    (fmpq(1, 4), fmpq(3, 4)),
)
_eq10(
    "movahedi25.eq10.contractive",
    "I - Q is contractive for Q of Eq. 10",
    r"$0<\alpha_i<1$ implies $\|I-Q\|<1$.",
    "||I - Q|| is not below 1",
    lambda Q: not _is_strict(exact.identity(1) - Q),
    (fmpq(1, 4), fmpq(1, 3)),
)


@claim(
    "movahedi25.eq10.rank",
    topic="householder",
    place="Eq. 10 and the sentence after it",
    title="I - Q has rank r",
    says=r"$I-Q$ has rank exactly $r$ for $0<\alpha_i<1$.",
    sabotages={"independent vectors": {"us": ((1, 0), (0, 1))}},
)
def rank_of_the_mixer(proof: Proof, us=((1, 0), (1, 0))) -> None:
    """Equal vectors collapse, which is the 'rank collapse' that the parametrisation was to prevent: rank <= r only."""
    alphas = [fmpq(1, 4)] * len(us)
    Q = _mixer(alphas, [exact.rationals(u) for u in us], 2)
    rank = exact.rank(exact.identity(2) - Q)
    proof.counterexample(
        given={"u_1, u_2": [list(u) for u in us], "alpha_1, alpha_2": alphas, "Q": Q, "rank(I - Q)": rank},
        hypotheses={"0 < alpha < 1": all(0 < a < 1 for a in alphas), "r <= d": len(us) <= 2},
        violates={"the rank is below r": rank < len(us)},
        minimal="r = 2",
    )


@claim(
    "movahedi25.eq10.negative",
    topic="householder",
    place="Eq. 10 and the sentences after it",
    title="I - Q can be contractive while Q has a negative eigenvalue",
    says=r"There are $Q$ as in Eq. 10 with $\|I-Q\|<1$ and a negative eigenvalue.",
    sabotages={"a positive eigenvalue is called negative": {"sign": -1}},
)
def contractive_excludes_negative(proof: Proof, sign: int = 1) -> None:
    """Q v = mu v with mu < 0 gives |(I - Q) v| = (1 - mu)|v| > |v|; one factor already shows both sides."""
    alphas = [fmpq(k, 12) for k in range(1, 12)]
    both = [a for a in alphas if sign * (1 - 2 * a) < 0 and _is_strict(exact.identity(1) - _mixer([a], [exact.unit_vector(1, 0)], 1))]
    mu = sympy.Symbol("mu", negative=True)
    proof.holds("1 - mu > 1 for every mu < 0", bool((1 - mu - 1).is_positive))
    a = fmpq(3, 4)
    Q = _mixer([a], [exact.unit_vector(1, 0)], 1)
    proof.counterexample(
        given={
            "alpha": a,
            "Q = its eigenvalue mu": Q[0, 0],
            "|(I - Q) v| / |v| = 1 - mu": 1 - Q[0, 0],
            "values alpha = k/12 that have both properties": both,
        },
        hypotheses={"Q has a negative eigenvalue": Q[0, 0] < 0},
        violates={"||I - Q|| >= 1 - mu > 1": 1 - Q[0, 0] > 1, "no alpha = k/12 has both properties": not both},
        minimal="d = r = 1; all Q by |(I - Q)v| = (1 - mu)|v|",
    )


@claim(
    "movahedi25.eq10.amended",
    topic="householder",
    place="Eq. 10",
    kind="amended",
    amends="movahedi25.eq10.contractive",
    title="sum alpha_i < 1/2 makes I - Q contractive and Q invertible with no eigenvalue in (-inf, 0]; for r = 1 it is necessary",
    says=r"$\|I-\prod_i(I-2\alpha_iu_iu_i^\top)\|\le\sum_i2\alpha_i$ for $\alpha_i\in[0,1]$, with equality for $r=1$.",
    uses=("grazzi25.prop1.1",),
    sabotages={"sum alpha_i < 1": {"limit": fmpq(1)}},
)
def small_angles_contract(proof: Proof, limit=fmpq(1, 2)) -> None:
    """Telescope: I - C_1 C_2 = (I - C_1) + C_1 (I - C_2), with ||C_1|| <= 1 and ||I - C|| = 2 alpha."""
    u = exact.unit_vector(2, 0)
    for alpha in proof.each("r = 1: alpha = k/12, 0 <= k <= 12", [fmpq(k, 12) for k in range(13)]):
        contractive = _is_strict(exact.identity(2) - _mixer([alpha], [u], 2))
        proof.exactly("r = 1: ||I - Q|| < 1 iff alpha < 1/2", contractive, alpha < limit)
    c1, c2 = sympy.symbols("C1 C2", commutative=False)
    proof.symbolically("I - C_1 C_2 = (I - C_1) + C_1 (I - C_2)", 1 - c1 * c2, (1 - c1) + c1 * (1 - c2), "C_1, C_2 (noncommuting)")
    rng = Random(63)
    count = proof.pick(20, 80, 500)
    for _ in proof.each(f"{count} random mixers, d <= 4, r <= 4, sum alpha_i just below the limit", range(count)):
        d, r = rng.randint(1, 4), rng.randint(1, 4)
        weights = [rng.randint(1, 5) for _ in range(r)]
        alphas = [limit * fmpq(99, 100) * fmpq(w, sum(weights)) for w in weights]
        Q = _mixer(alphas, [samples.nonzero_vector(rng, d) for _ in range(r)], d)
        proof.holds("||I - Q|| < 1", _is_strict(exact.identity(d) - Q))
        negative = [x for x in exact.rational_eigenvalues(Q) if x <= 0]
        proof.holds("Q is invertible, no rational eigenvalue is <= 0", exact.determinant(Q) != 0 and not negative)
