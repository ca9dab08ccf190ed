"""How well a diagonal recurrence remembers: condition numbers of its Vandermonde matrix (orvieto24, Sec. 4.1, App. E.2)."""

from __future__ import annotations

from math import isqrt
from random import Random

import numpy as np
import sympy
from flint import arb, fmpq, fmpz_poly

from ...constructions import samples
from ...constructions.vandermonde import recall_matrix
from ...numerics import exact
from ...numerics.cyclotomic import root_of_unity
from ...numerics.enclosures import certified_condition_number
from ...numerics.vandermonde import condition_number, vandermonde
from ..claim import claim
from ..evidence import Proof
from .recall import adjoint

# -- roots of unity --------------------------------------------------------------------------------------------------------


@claim(
    "orvieto24.sec4.1.roots",
    topic="vandermonde",
    place="Sec. 4.1; App. E.1, Figure 8",
    title="with the N-th roots of unity as eigenvalues the condition number of V_k is exactly 1, for every k <= N",
    says=r"$V_k^*V_k=N\,I$ for $\lambda_j=e^{2\pi ij/N}$ and $k\le N$, so $\kappa(V_k)=1$.",
    sabotages={"one input too many": {"longest": lambda n: n + 1}},
)
def roots_of_unity(proof: Proof, longest=lambda n: n) -> None:
    """Different powers are orthogonal: the sum of all N-th roots of unity to the power d is 0 unless N divides d."""
    largest = proof.pick(6, 10, 16)
    for n in proof.every(f"N <= {largest}, all k <= N", range(1, largest + 1)):
        for k in range(1, longest(n) + 1):
            V = recall_matrix([root_of_unity(n, j) for j in range(n)], k)
            proof.exactly("V* V = N I", adjoint(V) @ V, exact.identity(k) * n)


# -- real nodes ------------------------------------------------------------------------------------------------------------


def chebyshev_nodes(n: int) -> list:
    """cos((2i + 1) pi / 2n), exact in Q(zeta_4n)."""
    z = [root_of_unity(4 * n, 2 * i + 1) for i in range(n)]
    return [(x + x.conjugate()) / 2 for x in z]


@claim(
    "orvieto24.sec4.1.real",
    topic="vandermonde",
    place="Sec. 4.1, Crucial role of complex numbers",
    title="for real eigenvalues the condition number of V_k grows exponentially with the width N",
    says=r"If $\Lambda$ is real, $\kappa(V_k)$ grows exponentially with $N$.",
    reading="N grows and k stays; for N = k see the amended claim",
    sabotages={"k = N": {"inputs": lambda n: n}},
)
def wide_real_recurrences(proof: Proof, inputs=lambda n: 2) -> None:
    """For two inputs and Chebyshev nodes V* V = diag(N/2, N): the condition number is sqrt 2 for every N."""
    sizes = range(2, proof.pick(6, 10, 16) + 1)
    grams = {n: (lambda V: V.T @ V)(recall_matrix(chebyshev_nodes(n), inputs(n))) for n in sizes}
    flat = {n: bool(G.shape == (2, 2) and G[0, 1] == 0 and G[1, 0] == 0 and G[1, 1] == 2 * G[0, 0]) for n, G in grams.items()}
    proof.counterexample(
        given={
            "k": 2,
            "nodes": "cos((2i + 1) pi / 2N), i < N",
            "V^T V for N = 3": grams[3],
            "condition number": "sqrt 2 for every N tried",
        },
        hypotheses={"the nodes are real": all(x == x.conjugate() for n in sizes for x in chebyshev_nodes(n))},
        violates={f"V^T V = diag(N/2, N) for N = 2 .. {sizes[-1]}": all(flat.values())},
        minimal=f"k = 2 inputs, N = 2 .. {sizes[-1]}",
    )


def chebyshev_coefficients(n: int) -> list[int]:
    """The coefficients of T_n, constant first: T_(n+1) = 2 x T_n - T_(n-1)."""
    a, b = fmpz_poly([1]), fmpz_poly([0, 1])
    for _ in range(n):
        a, b = b, fmpz_poly([0, 2]) * b - a
    return [int(c) for c in a.coeffs()]


@claim(
    "orvieto24.sec4.1.real.amended",
    topic="vandermonde",
    place="Sec. 4.1, Crucial role of complex numbers",
    kind="amended",
    amends="orvieto24.sec4.1.real",
    title="for real eigenvalues in [-1, 1] the condition number of V_k grows exponentially with k, for every N: like 2.41^k at least",
    says=r"For any $N\ge k$ real $\lambda_i\in[-1,1]$, $\kappa(V_k)\ge\|c\|_2\ge\frac{\|c\|_1}{\sqrt{\lceil k/2\rceil}}$, $c$ the coefficients of the Chebyshev polynomial $T_{k-1}$, and "
    r"$\|c\|_1=\frac12\big((1+\sqrt2)^{k-1}+(1-\sqrt2)^{k-1}\big)$.",
    hypotheses=("all |lambda| <= 1, as in every stable recurrence",),
    sabotages={"twice the bound, for three nodes": {"factor": 2, "extreme": True}},
)
def chebyshev_polynomials_are_hidden(proof: Proof, factor: int = 1, extreme: bool = False) -> None:
    """V c holds the values of T_(k-1) at the nodes, at most 1 in modulus, so |V c| <= sqrt N, while |c| is exponentially large; and the column of
    ones has the length sqrt N. So kappa >= (sqrt N / 1) / (sqrt N / |c|) = |c|."""
    z = sympy.symbols("z")
    largest = proof.pick(6, 12, 20)
    for n in range(largest + 1):
        value = sum(c * ((z + 1 / z) / 2) ** j for j, c in enumerate(chebyshev_coefficients(n)))
        proof.symbolically(
            "T_n((z + 1/z)/2) = (z^n + z^-n)/2, so |T_n| <= 1 on [-1, 1]", value, (z**n + z**-n) / 2, free="z", up_to=f"n <= {largest}"
        )
    sums = [sum(map(abs, chebyshev_coefficients(n))) for n in range(60)]
    for n in proof.every("n < 60", range(2, 60)):
        proof.exactly("the sums of moduli satisfy a_n = 2 a_(n-1) + a_(n-2), from 1, 1", sums[n], 2 * sums[n - 1] + sums[n - 2])
        proof.holds("half of the coefficients are 0", sum(c != 0 for c in chebyshev_coefficients(n)) <= n // 2 + 1)
    rng = Random(88)
    count = proof.pick(4, 12, 30)
    for _ in proof.each(f"{count} random sets of rational nodes in [-1, 1]", range(count)):
        k = rng.randint(1, 8)
        nodes = [fmpq(rng.randint(-64, 64), 64) for _ in range(rng.randint(k, 20))]
        c = np.array([fmpq(x) for x in reversed(chebyshev_coefficients(k - 1))], dtype=object)
        values = recall_matrix(nodes, k) @ c
        proof.holds("the entries of V c are at most 1 in modulus", all(-1 <= x <= 1 for x in values))
    top = proof.pick(5, 9, 15)
    for k in proof.each(f"k = 2 .. {top}, Chebyshev and random nodes, N = k and N = 3k", range(2, top + 1)):
        norm = arb(sum(x * x for x in chebyshev_coefficients(k - 1))).sqrt() * factor
        draws = np.random.default_rng(k)
        families = [np.cos((2 * np.arange(n) + 1) * np.pi / (2 * n)) for n in (k, 3 * k)] + [draws.uniform(-1, 1, n) for n in (k, 3 * k)]
        if extreme:
            families.append(np.array([-1.0, 0.0, 1.0][: max(k, 2)]))
        for nodes in families:
            if len(set(nodes)) >= k:
                proof.certified("kappa >= |c|", bool(certified_condition_number(nodes, k) >= norm), f"k = {k}, N = {len(nodes)}")


@claim(
    "new.vandermonde.recency",
    topic="vandermonde",
    place="after orvieto24, Sec. 4.1 and Figure 3 ('only the recent past')",
    kind="new",
    title="inputs are forgotten at the rate of the largest eigenvalue: kappa(V_k) >= r^-(k-1) for all |lambda| <= r < 1, whatever the width",
    says=r"If $|\lambda_i|\le r$ for all $i$, the column of $V_k$ for an input $j$ steps ago has norm at most $\sqrt N\,r^j$, and $\kappa(V_k)\ge r^{-(k-1)}$.",
    sabotages={"the rate of the smallest eigenvalue": {"rate": min}},
)
def old_inputs_fade(proof: Proof, rate=max) -> None:
    """The column of the last input is all ones, of norm sqrt N; a unit input k - 1 steps ago moves the state by at most sqrt N r^(k-1)."""
    rng = Random(91)
    count = proof.pick(8, 30, 100)
    for _ in proof.each(f"{count} random sets of up to 12 rational nodes, k <= 8", range(count)):
        nodes = [fmpq(rng.randint(-9, 9), 10) for _ in range(rng.randint(1, 12))]
        k, r = rng.randint(1, 8), rate(abs(x) for x in nodes)
        V = recall_matrix(nodes, k)
        squares = [sum(x * x for x in column) for column in V.T]
        proof.exactly("the column of the last input has norm sqrt N", squares[-1], fmpq(len(nodes)))
        proof.holds(
            "the one j steps ago at most sqrt N r^j", all(square <= len(nodes) * r ** (2 * (k - 1 - j)) for j, square in enumerate(squares))
        )
    top = proof.pick(4, 7, 11)
    for k in proof.each(f"k = 2 .. {top}, random complex nodes with |lambda| <= 1/2", range(2, top + 1)):
        draws = np.random.default_rng(k)
        nodes = 0.5 * np.sqrt(draws.uniform(0, 1, 2 * k)) * np.exp(2j * np.pi * draws.uniform(0, 1, 2 * k))
        # moduli rounded up to 1/2 at most, so the bound is 2^(k-1)
        proof.certified("kappa >= 2^(k-1)", bool(certified_condition_number(nodes * (1 - 1e-12), k) >= arb(2) ** (k - 1)), f"k = {k}")


# -- random nodes ----------------------------------------------------------------------------------------------------------


def circle_conditions(length: int, width: int, draws: int, seed: int) -> np.ndarray:
    """Condition numbers of V for ``draws`` sets of ``width`` independent uniform nodes on the unit circle."""
    angles = np.random.default_rng(seed).uniform(0, 2 * np.pi, (draws, width))
    return np.asarray(condition_number(np.exp(1j * angles), length))


@claim(
    "new.vandermonde.circle",
    topic="vandermonde",
    place="after orvieto24, Sec. 4.1, 'r_min -> 1'",
    kind="new",
    title="on the unit circle random eigenvalues are well conditioned if N is many times L, and badly if N = L",
    says=r"For $L=32$ and i.i.d. uniform $\lambda_i$ on the circle: with $N=L$, $\kappa(V_L)\ge50$ with probability at least $0.9$; with $N=32L$, $\kappa(V_L)\le2$ with probability at least $0.9$. "
    r"So $r_{\min}\to1$ alone does not give a well-conditioned map.",
    hypotheses=("independent uniform angles, L = 32",),
    sabotages={"the widths are exchanged": {"widths": (32 * 32, 32)}},
)
def random_nodes_on_the_circle(proof: Proof, widths: tuple[int, int] = (32, 32 * 32)) -> None:
    """V* V / N is an average of N rank-one matrices with mean I: it settles for N much larger than L, and for N = L two of the N angles are
    likely to be much closer than 2 pi / N."""
    draws = proof.pick(200, 400, 2000)
    narrow, wide = (circle_conditions(32, width, draws if width == 32 else draws // 2, 89) for width in widths)
    for _ in proof.each(f"L = 32, {draws} and {draws // 2} independent draws", [0]):
        proof.statistically("N = L: kappa >= 50", int((narrow >= 50).sum()), len(narrow), 0.9)
        proof.statistically("N = 32 L: kappa <= 2", int((wide <= 2).sum()), len(wide), 0.9)


# -- sparse inputs ---------------------------------------------------------------------------------------------------------


def _squared_condition(G) -> sympy.Expr:
    """kappa^2 of a matrix from its 2 x 2 Gram matrix, in radicals."""
    M = sympy.Matrix([[sympy.Rational(str(x)) for x in row] for row in G])
    low, high = sorted(M.eigenvals(multiple=True), key=lambda e: float(e))
    return high / low


@claim(
    "orvieto24.sec4.1.sparse",
    topic="vandermonde",
    place="Sec. 4.1, Sparseness improves conditioning",
    title="restricting the inputs to a subspace, given by any basis, improves the conditioning of the reconstruction map",
    says=r"$\kappa(V_L\Psi)\le\kappa(V_L)$ for $\Psi\in\mathbb R^{L\times P}$.",
    reading="for every basis Psi, as in Assumption A",
    sabotages={"an orthonormal basis": {"basis": ((1, 0), (0, 1))}},
)
def bases_have_condition_numbers(proof: Proof, basis=((1, 1), (0, 1))) -> None:
    """With the nodes 1 and -1 V is sqrt 2 times an orthogonal matrix, so kappa(V) = 1 and kappa(V Psi) = kappa(Psi), which can be anything."""
    V, psi = recall_matrix([fmpq(1), fmpq(-1)], 2), exact.rationals(basis)
    with_basis = _squared_condition((V @ psi).T @ (V @ psi))
    proof.counterexample(
        given={"nodes": [1, -1], "V": V, "Psi": psi, "kappa(V)^2": 1, "kappa(V Psi)^2": str(with_basis)},
        hypotheses={
            "V^T V = 2 I, so kappa(V) = 1": np.array_equal(V.T @ V, exact.identity(2) * 2),
            "Psi has full rank": exact.rank(psi) == 2,
        },
        violates={"kappa(V Psi) > 1": bool(sympy.simplify(with_basis - 1) > 0)},
        minimal="L = N = P = 2",
    )


@claim(
    "orvieto24.sec4.1.sparse.amended",
    topic="vandermonde",
    place="Sec. 4.1, Sparseness improves conditioning; App. E.2, Figure 9",
    kind="amended",
    amends="orvieto24.sec4.1.sparse",
    title="for an orthonormal basis, and N >= L, restricting the inputs never hurts; for a general one kappa(V Psi) <= kappa(V) kappa(Psi)",
    says=r"If $\Psi^\top\Psi=I$ and $V$ is injective, $\sigma_{\min}(V)\le\sigma(V\Psi)\le\sigma_{\max}(V)$, so $\kappa(V\Psi)\le\kappa(V)$; in general $\kappa(V\Psi)\le\kappa(V)\kappa(\Psi)$.",
    sabotages={"a basis that is not orthonormal": {"stretch": 3}},
)
def orthonormal_bases(proof: Proof, stretch: int = 1) -> None:
    """|V Psi a| lies between sigma_min(V) |a| and sigma_max(V) |a|, since |Psi a| = |a|. Both quadratic forms are compared exactly: Psi^T V^T V Psi
    lies between m and M as soon as V^T V does."""
    rng = Random(90)
    count = proof.pick(6, 20, 60)
    for _ in proof.each(f"{count} random real V with N <= 8, L <= 4, and random orthonormal Psi", range(count)):
        length = rng.randint(1, 4)
        nodes = [fmpq(rng.randint(-8, 8), 8) for _ in range(rng.randint(length, 8))]
        V = recall_matrix(nodes, length)
        if exact.rank(V) < length:
            continue
        gram = V.T @ V
        psi = samples.orthogonal(rng, length, reflections=rng.randint(0, length))[:, : rng.randint(1, length)]
        psi = psi * np.array([fmpq(stretch) ** j for j in range(psi.shape[1])], dtype=object) * fmpq(stretch)
        low, high = _bounds(gram)
        small = psi.T @ gram @ psi
        one = exact.identity(psi.shape[1])
        proof.holds("m <= V^T V <= M", exact.is_positive_semidefinite(gram - exact.identity(length) * low))
        proof.holds("so m <= Psi^T V^T V Psi", exact.is_positive_semidefinite(small - one * low))
        proof.holds("and Psi^T V^T V Psi <= M", exact.is_positive_semidefinite(one * high - small))


def _bounds(gram) -> tuple[fmpq, fmpq]:
    """Rational bounds m <= G <= M, m within a thousandth of the smallest eigenvalue."""
    values = np.linalg.eigvalsh(exact.as_float(gram))
    low, high = fmpq(max(isqrt(int(values[0] ** 2 * 10**12)) - 10**3, 0), 10**6), fmpq(int(values[-1] * 10**6) + 10**3, 10**6)
    one = exact.identity(len(gram))
    while low > 0 and not exact.is_positive_semidefinite(gram - one * low):
        low = low / 2
    while not exact.is_positive_semidefinite(one * high - gram):
        high = high * 2
    return low, high


@claim(
    "new.vandermonde.accuracy",
    topic="vandermonde",
    place="after orvieto24, Figures 2 and 7 (condition numbers computed in double precision)",
    kind="new",
    title="the condition numbers of this project are right to 12 digits where LAPACK's are wrong by any factor",
    says=r"$\kappa(V)$ by rank-revealing elimination of the Cauchy matrix $VF$ agrees with rigorous balls to a relative error of $10^{-12}$, also where $\kappa>10^{20}$ and the SVD of $V$ in double precision saturates.",
    construction="lemmata.numerics.vandermonde.condition_number",
    sabotages={"LAPACK on the matrix itself": {"kappa": lambda nodes, length: np.linalg.cond(vandermonde(nodes, length))}},
)
def accurate_condition_numbers(proof: Proof, kappa=condition_number) -> None:
    """Every entry of every Schur complement of a Cauchy matrix is a product of differences of the data, so no digit is lost, however small the
    pivots become. The nodes are exact doubles for both sides."""
    sizes = proof.pick((8, 16), (8, 20, 40), (8, 20, 40, 80))
    for n in proof.each(
        f"random nodes, N = {', '.join(map(str, sizes))}: real in [-1, 1] and [0, 1], 20 in the disc and in a ring; N = L and N = 2L", sizes
    ):
        rng = np.random.default_rng(n)
        disc = np.sqrt(rng.uniform(0, 1, n)) * np.exp(2j * np.pi * rng.uniform(0, 1, n))
        ring = rng.uniform(0.9, 1, n) * np.exp(2j * np.pi * rng.uniform(0, 1, n))
        # balls take long where singular values lie close together, as they do in the disc
        for nodes in (rng.uniform(-1, 1, n), rng.uniform(0, 1, n), disc[:20], ring[:20]):
            for length in (len(nodes), len(nodes) // 2):
                truth = certified_condition_number(nodes, length)
                error = abs(truth - float(kappa(nodes, length))) / truth
                proof.certified("relative error below 1e-12", bool(error < arb(10) ** -12), f"N = {len(nodes)}, L = {length}")
