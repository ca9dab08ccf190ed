"""Groups tracked in the smallest dimension by contractive ungated layers: mirrors near the axes (after movahedi25, Eq. 4; the task of Figures 1 to 3)."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import sympy
from flint import fmpq

from ...constructions import householder
from ...constructions.automata.layers.groups import even_permutations_as_rotations
from ...constructions.fixed_point import mixer_for
from ...constructions.fixed_point.bases import (
    cartan,
    contraction_form,
    helmert,
    mirror_letters,
    near_orthonormal,
    path,
    signed_fifth_turn,
    signed_permutation_normals,
    slightly_turned,
    transposition_decay,
)
from ...constructions.recurrence import Recurrence
from ...numerics import exact
from ...numerics.aliases import Exact
from ...numerics.cyclotomic import root_of_unity
from ...numerics.exact import Array
from ..claim import claim
from ..closure import computes
from ..evidence import Proof

KNOWN_MIRRORS = (
    "that reflections track the groups they generate (Grazzi et al., Theorem 3; Siems et al., DeltaProduct); G^(-1/2) is Loewdin's symmetric orthogonalisation (J. Chem. Phys. 18 (1950) 365); reflection groups: "
    "Humphreys, Reflection Groups and Coxeter Groups, Ch. 1"
)


def _branched(n: int) -> list[tuple[int, int]]:
    """The edges of D_n."""
    return [*path(n - 1), (n - 3, n - 1)]


def _exceptional(n: int) -> list[tuple[int, int]]:
    """The edges of E_n, n = 6, 7, 8."""
    return [*path(n - 1), (2, n - 1)]


@claim(
    "new.fixed-point.reflection-groups",
    place="after Eq. 4",
    title="one contractive ungated layer of dimension n tracks any finite reflection group of rank n on its simple reflections",
    says=r"Let $u_1,\dots,u_n$ be independent unit vectors, $G=(u_i\cdot u_j)$, $m_i=\sum_j(u_i\cdot u_j)^2<2$. In the orthonormal basis $e_j=\sum_k(G^{-1/2})_{kj}u_k$ the reflection along $u_i$ has a $\Lambda$ with "
    r"$\|I-Q\|\le2\sqrt{m_i-1}/m_i<1$. Simple roots of a finite reflection group have all $m_i<2$. So one layer of dimension $n$ without a gate, $\|I-Q\|<1$ for every letter, tracks it on simple reflections at every length: "
    r"$S_N$ in $\mathbb R^{N-1}$ on adjacent transpositions, for every $N$, with $\|I-Q\|\le\sqrt8/3$.",
    known=KNOWN_MIRRORS,
    construction="lemmata.constructions.fixed_point.bases.mirror_letters",
    sabotages={
        "the simple roots as coordinates": {"basis": lambda C: exact.identity(len(C))},
        "a star with four rays, which is no finite group": {"diagrams": {"star": ([(0, 1), (0, 2), (0, 3), (0, 4)], 5)}},
        "the exponent 1 in place of 1/2": {"power": 2},
    },
)
def mirrors_near_axes(proof: Proof, basis=near_orthonormal, diagrams=None, power: int = 1) -> None:
    r"""The orthonormal basis nearest to the roots has each root within $45^\circ$ of an axis of its own.

    1. With $R=G^{1/2}$ the vectors $e_j$ are orthonormal, as $G^{-1/2}GG^{-1/2}=I$, and $e_i\cdot u_i=(G^{-1/2}G)_{ii}=R_{ii}$. [cited: the root of a positive definite matrix]
    2. For $c>0$ the matrix $2c^3R-3c^2R^2+R^4=(R-c)\,R(R+2c)\,(R-c)$ is positive semidefinite. Its diagonal, with $(R^2)_{ii}=1$, $(R^4)_{ii}=(G^2)_{ii}=m_i$, gives $R_{ii}\ge\frac{3c^2-m_i}{2c^3}$, which is $1/\sqrt{m_i}$ for $c=\sqrt{m_i}$.
       [checked: "2 c^3 r - 3 c^2 r^2 + r^4 = (r - c)^2 r (r + 2 c)"; "the bound at c^2 = m is 1/c"]
    3. So $p=R_{ii}^2\ge1/m_i>\frac12$: the reflection contracts, and $\|I-Q\|^2=4p(1-p)\le\frac4{m_i}(1-\frac1{m_i})$, since the difference is $4(p-\frac1{m_i})(p+\frac1{m_i}-1)\ge0$. [checked: "the bound on 4 p (1 - p)"] [uses: new.fixed-point.reflections]
    4. Simple roots are independent, with $u_i\cdot u_j=-\cos(\pi/m_{ij})$: $0$ or at most $-\frac12$. [cited: Humphreys, Ch. 1 and 2] Three of them are not all joined, as $|u_i+u_j+u_k|^2\le3-6\cdot\frac12=0$ would make them dependent. [checked: "three roots that are all joined"]
       So the roots joined to $u_i$ are orthogonal to each other, and $m_i-1$ is the square of $u_i$'s projection on their span, below $1$, as $u_i$ is not in the span. [cited: Bessel's inequality]
    5. For $S_N$ a root is joined to two others at most, by $-\frac12$: $m_i\le\frac32$, and $2\sqrt{1/2}/\frac32=\sqrt8/3$. [checked: "S_N: m <= 3/2, so the bound is sqrt 8 / 3"]
    6. A vector that only $1$ fixes exists, all others lying in finitely many proper subspaces: from it the state is the product of the letters, and the iteration converges at every length. [uses: new.fixed-point.finite, movahedi25.eq2]
    7. Integers: in the coordinates $I+C$ of the simple roots, $C$ Cartan's matrix, $I+C\approx\sqrt{8G}$, the decay $\frac12(I-2e_ie_i^\top)$ contracts for all types $A$, $D$, $E$ tried. [checked: "in integer coordinates"; "m < 2"]
    """
    r, c, p, m = sympy.symbols("r c p m", positive=True)
    what = "2 c^3 r - 3 c^2 r^2 + r^4 = (r - c)^2 r (r + 2 c)"
    proof.symbolically(
        what, 2 * c**3 * r**power - 3 * c**2 * r**2 + r**4, (r - c) ** 2 * r * (r + 2 * c), "c, and R, which commutes with c"
    )
    proof.symbolically("the bound at c^2 = m is 1/c", (3 * c**2 - c**2) / (2 * c**3), 1 / c, "c")
    what = "the bound on 4 p (1 - p): 4 q (1 - q) - 4 p (1 - p) = 4 (p - q)(p + q - 1), q = 1/m"
    proof.symbolically(what, 4 / m * (1 - 1 / m) - 4 * p * (1 - p), 4 * (p - 1 / m) * (p + 1 / m - 1), "p, m")
    x, y, z = sympy.symbols("x y z")
    v = sympy.Matrix([1, 1, 1])
    joined = (v.T * sympy.Matrix([[1, x, y], [x, 1, z], [y, z, 1]]) * v)[0]
    proof.symbolically("three roots that are all joined: |sum|^2 = 3 + 2 (x + y + z)", joined, 3 + 2 * (x + y + z), "x, y, z <= -1/2")
    half = sympy.Rational(3, 2)
    proof.symbolically("S_N: m <= 3/2, so the bound is sqrt 8 / 3", 2 * sympy.sqrt(half - 1) / half, sympy.sqrt(8) / 3, "N")
    listed = {f"A_{n}": (path(n), n) for n in (1, 2, 3, 4, 7)} | {
        "D_4": (_branched(4), 4),
        "D_6": (_branched(6), 6),
        "E_8": (_exceptional(8), 8),
    }
    for name, (edges, n) in (diagrams or listed).items():
        C = cartan(edges, n)
        proof.holds("m < 2", all(x < 8 for x in np.diag(C @ C)))  # C = 2 G
        letters = mirror_letters(C, basis(C), fmpq(1, 2))
        contract = all(exact.is_positive_definite(contraction_form(A, lam)) for A, lam in letters)
        proof.holds("in integer coordinates every simple reflection contracts", contract)
        proof.certificate("witness", name, cartan=C, basis=basis(C), strength=fmpq(1, 2))
    proof.cites("simple roots are independent, at angles pi - pi / m (Humphreys, Reflection Groups and Coxeter Groups, Ch. 1 and 2)")
    C = cartan(path(4), 4)
    A, lam = mirror_letters(C, near_orthonormal(C), fmpq(1, 2))[1]
    proof.exhibit("S_5: the transposition (1 2) in the coordinates I + C", T=near_orthonormal(C), A=A, Lambda=lam, Q=mixer_for(A, lam))


@claim(
    "new.fixed-point.transpositions",
    place="after Eq. 4; the tasks of Figures 1 to 3",
    title="for every n one contractive ungated layer of dimension n − 1 tracks Sₙ with all transpositions as letters",
    says=r"In the orthonormal basis of $\{x\in\mathbb R^N:\sum x_i=0\}$ along $h_k=(N-k)e_k-e_{k+1}-\dots-e_N$ the transposition $(k\,j)$, $k<j$, has with $m=N-k$ and $\Lambda=\frac1m(I-2\hat h_k\hat h_k^\top)$, diagonal in this basis, "
    r"$\|I-Q\|=\sqrt{1-1/m^2}<1$, the least for any diagonal $\Lambda$. So one layer of dimension $N-1$ without a gate tracks every product of transpositions, at every length.",
    known=KNOWN_MIRRORS
    + "; the basis is Helmert's. The layer of `new.fixed-point.symmetric` takes dimension 2^(N-1), with the norm 1/sqrt 2",
    construction="lemmata.constructions.fixed_point.bases.helmert",
    sabotages={
        "decays of one sign": {
            "decay": lambda H, k: (
                transposition_decay(H, k) + np.outer(H[k - 1], H[k - 1]) * (fmpq(2, H.shape[1] - k) / (H[k - 1] @ H[k - 1]))
            )
        },
        "the axes in another order": {"basis": lambda n: helmert(n)[::-1]},
    },
)
def all_transpositions(proof: Proof, basis=helmert, decay=transposition_decay) -> None:
    r"""The transpositions that meet $k$ and later places all lie around one axis, their mean; and these axes are orthogonal.

    1. For $k<l$ the vector $h_k$ is constant on the places after $k$, where the entries of $h_l$ have sum $0$: they are orthogonal. $|h_k|^2=m^2+m$. [checked: "the entries of h have sum 0"; "|h_k|^2 = m^2 + m"] [prose]
    2. The normal of $(k\,j)$ is $u=(e_k-e_j)/\sqrt2$, and $u\cdot h_k=(m+1)/\sqrt2$: so its share in that axis is $p=\frac{(m+1)^2}{2(m^2+m)}=\frac{m+1}{2m}>\frac12$. [checked: "the share is (m + 1)/(2 m)"]
    3. So the reflection contracts, with $\Lambda=(2p-1)(I-2\hat h_k\hat h_k^\top)$, $2p-1=\frac1m$, and the least $\|I-Q\|^2=4p(1-p)=1-\frac1{m^2}$. [checked: "2 p - 1 = 1/m"; "4 p (1 - p) = 1 - 1/m^2"] [uses: new.fixed-point.reflections]
    4. From $x$ with $N$ different entries and sum $0$ the state is a different one for each product, and the iteration converges at every length. [uses: new.fixed-point.finite, movahedi25.eq2] [prose]

    Beside the argument the machine goes through all transpositions for three $N$.
    """
    m = sympy.Symbol("m", positive=True)
    p = (m + 1) / (2 * m)
    proof.symbolically("|h_k|^2 = m^2 + m", m**2 + m * 1, m * (m + 1), "m = N - k")
    proof.symbolically("the share is (m + 1)/(2 m)", (m + 1) ** 2 / (2 * (m**2 + m)), p, "m")
    proof.symbolically("the entries of h have sum 0", m + m * (-1), 0, "m = N - k")
    proof.symbolically("2 p - 1 = 1/m", 2 * p - 1, 1 / m, "m")
    proof.symbolically("4 p (1 - p) = 1 - 1/m^2", 4 * p * (1 - p), 1 - 1 / m**2, "m")
    with proof.beside():
        _all_transpositions_of(proof, (2, 3, 5), basis, decay)
    H = helmert(5)
    proof.exhibit("S_5: the axes, and Lambda for (1 2), (1 3), (1 4), (1 5)", H=H, Lambda=exact.rationals(["-1/4", "1/4", "1/4", "1/4"]))


def _all_transpositions_of(proof: Proof, sizes: tuple[int, ...], basis, decay) -> None:
    """Instances: the axes, and the norm for every transposition of N places."""
    for N in sizes:
        H = basis(N)
        gram = H @ H.T
        squares: Exact = [fmpq((N - k) * (N - k + 1)) for k in range(1, N)]
        proof.exactly("the h are orthogonal, with the squares m^2 + m", gram, np.diag(squares))
        plane = exact.identity(N) - np.ones((N, N), dtype=int) * fmpq(1, N)
        for k, j in combinations(range(N), 2):
            swap = householder.permutation_matrix(tuple(j if i == k else k if i == j else i for i in range(N)))
            F = plane @ swap - decay(H, k + 1)
            room = plane * (1 - fmpq(1, (N - 1 - k) ** 2)) - F.T @ F
            proof.holds("|| P - Lambda ||^2 = 1 - 1/m^2", exact.is_positive_semidefinite(room) and exact.rank(room) < N - 1)
        proof.certificate("witness", f"N = {N}", basis=H)


@claim(
    "new.fixed-point.all-reflections",
    place="after Eq. 4",
    title="all reflections among signed permutations, in a dihedral group and of the icosahedron contract, in one basis each",
    says=r"There is an orthonormal basis of $\mathbb R^n$ in which each of the $n^2$ reflections among the signed permutations of $n$ coordinates has a $\Lambda$ with $\|I-Q\|<1$, for every $n$: the rows of $(I-tK)^{-1}(I+tK)$, $K_{ij}=1$ for $i<j$, "
    r"$K^\top=-K$, $0<t<\frac1{3n}$. So have the reflections of any dihedral group, in almost every basis of the plane, and the 15 of the icosahedron, along its two-fold axes, with $\|I-Q\|\le\sin72^\circ$. One ungated layer of that dimension tracks "
    r"each group, all reflections as letters, at every length.",
    known=KNOWN_MIRRORS,
    remarks=(
        "For S_N: `new.fixed-point.transpositions`. For F_4, H_4, E_6, E_7 and E_8 we do not know; a local search in floating point found bases for 20 of 24, 48 of 60, 28 of 36, 39 of 63 and 56 of 120 reflections, none for all.",
    ),
    construction="lemmata.constructions.fixed_point.bases.slightly_turned",
    sabotages={
        "the basis is not turned": {"turned": lambda n, t: exact.identity(n)},
        "the basis is turned far": {"turned": lambda n, t: slightly_turned(n, 30 * t)},
    },
)
def all_near_axes(proof: Proof, turned=slightly_turned) -> None:
    r"""In the standard basis $e_i\pm e_j$ is $45^\circ$ from two axes; a small turn brings one of them nearer.

    1. $O=(I-tK)^{-1}(I+tK)$ is orthogonal, as $I+tK$ and its transpose $I-tK$ commute. $O=I+2tK+E$ with $E=2t^2(I-tK)^{-1}K^2=2\sum_{r\ge2}t^rK^r$. With $q=n-1\ge1$ the entries of $K^r$ are at most $q^{r-1}$, by induction,
       so $|E_{ij}|\le\frac{2t^2q}{1-tq}$ if $tq<1$. [checked: "I + tK and I - tK commute"; "(I - tK) O, for O = I + 2tK + E"; "the geometric series"] [prose]
    2. Let $u=e_i+se_j$, $s=\pm1$. If $sK_{ij}>0$, row $i$ has $O_{ii}+sO_{ij}\ge1+2t-\frac{4t^2q}{1-tq}=1+\frac{2t(1-3tq)}{1-tq}>1$; if $sK_{ij}<0$, row $j$ has $|O_{ji}+sO_{jj}|$ at least the same. With $|u|^2=2$ the share of that axis is above $\frac12$. [checked: "more than 1 by"; "2 t (1 - 3 t q)/(1 - t q) > 0"] [prose]
    3. $O_{ii}\ge1-\frac{2t^2q}{1-tq}>1-t$ for $3tq<1$, and $(1-t)^2>\frac12$ as $t<\frac1{3n}\le\frac16$ for $n\ge2$: the normals $e_i$. For $n=1$, $O=1$. [checked: "less than t"; "(1 - t)^2 > 1/2"]
    4. In the plane a normal has a share above $\frac12$ unless it is $45^\circ$ from both axes, which excludes finitely many bases. The icosahedron's 15 normals, in coordinates along two-fold axes that are orthogonal, have a largest coordinate $1$ or $\cos36^\circ$: $2\cos36^\circ\sin36^\circ=\sin72^\circ$.
       [checked: "its largest coordinate is 1 or cos 36"; "there are 15: three with 1, twelve with cos 36"] [prose]
    5. A share above $\frac12$ makes the reflection contract; [uses: new.fixed-point.reflections] the iteration converges at every length, and from a vector that only $1$ fixes the state is the product. [uses: new.fixed-point.finite, movahedi25.eq2] [prose]

    Beside the argument the machine goes through all reflections for three $n$.
    """
    t, q = sympy.symbols("t q", positive=True)
    K = sympy.Symbol("K", commutative=False)
    proof.symbolically("I + tK and I - tK commute", (1 + t * K) * (1 - t * K), sympy.expand((1 - t * K) * (1 + t * K)), "t, K of any size")
    rest = 2 * t**2 * K**2  # (I - tK) E
    proof.symbolically("(I - tK) O, for O = I + 2tK + E", sympy.expand((1 - t * K) * (1 + 2 * t * K)) + rest, 1 + t * K, "t, K of any size")
    proof.symbolically(
        "the geometric series: 2 t^2 q (1 + t q + ...)",
        2 * t**2 * q + t * q * (2 * t**2 * q / (1 - t * q)),
        2 * t**2 * q / (1 - t * q),
        "t q < 1",
    )
    proof.symbolically(
        "more than 1 by 2 t (1 - 3 t q)/(1 - t q)", 2 * t - 2 * (2 * t**2 * q / (1 - t * q)), 2 * t * (1 - 3 * t * q) / (1 - t * q), "t, q"
    )
    proof.symbolically("less than t by t (1 - 3 t q)/(1 - t q)", t - 2 * t**2 * q / (1 - t * q), t * (1 - 3 * t * q) / (1 - t * q), "t, q")
    s = sympy.Symbol("s", positive=True)
    small = 1 / (3 * q + 3 + s)  # every t in (0, 1/(3 n)), n = q + 1
    more = sympy.factor((2 * t * (1 - 3 * t * q) / (1 - t * q)).subs(t, small))
    proof.holds("2 t (1 - 3 t q)/(1 - t q) > 0", more.is_positive is True, free="q, t in (0, 1/(3 n)), n = q + 1")
    sixth = sympy.expand(sympy.fraction(sympy.together((1 - 1 / (6 + s)) ** 2 - sympy.Rational(1, 2)))[0])
    proof.holds("(1 - t)^2 > 1/2", sixth.is_positive is True, free="t in (0, 1/6)")
    with proof.beside():
        _all_signed_permutations(proof, (2, 3, 5), turned)
    cosine = -(root_of_unity(5, 2) + root_of_unity(5, 3)) / 2
    normals = [_axis(A) for A in even_permutations_as_rotations().values() if A.trace() == -1]
    counts = {"1": 0, "cos 36": 0}
    for u in proof.every("the normals of the icosahedron", normals, limited=False):
        largest = next((name for name, y in (("cos 36", cosine), ("1", cosine * 0 + 1)) if any(x == y or x == -y for x in u)), None)
        proof.holds("its largest coordinate is 1 or cos 36", largest in counts)
        if largest in counts:
            counts[largest] += 1
    for _ in proof.every("the icosahedron", [counts], limited=False):
        proof.exactly("there are 15: three with 1, twelve with cos 36", (len(normals), counts["1"], counts["cos 36"]), (15, 3, 12))
    proof.exhibit("a basis for the nine reflections in R^3", O=slightly_turned(3, fmpq(1, 10)))


def _all_signed_permutations(proof: Proof, sizes: tuple[int, ...], turned) -> None:
    """Instances: the turned basis, and the shares of all normals in it."""
    for n in sizes:
        small = fmpq(1, 3 * n + 1)
        O = turned(n, small)
        proof.exactly("O is orthogonal", O @ O.T, exact.identity(n))
        signs = np.array([[int(j > i) - int(j < i) for j in range(n)] for i in range(n)], dtype=object)
        bound = 2 * small * small * (n - 1) / (1 - small * (n - 1))
        proof.holds("the entries of E", all(abs(x) <= bound for x in (O - exact.identity(n) - signs * (2 * small)).flat))
        shares = [max(x * x for x in O @ u) / (u @ u) for u in signed_permutation_normals(n)]
        proof.holds("every share is above 1/2", len(shares) == n * n and all(x > fmpq(1, 2) for x in shares))
        proof.certificate("witness", f"n = {n}", basis=O)


def _axis(A: Array) -> list:
    """A unit vector u with A = 2 u u^T - 1, signs forgotten: coordinates are halves of 0, 1, golden ratio and its inverse, or 2, up to sign."""
    half, golden = fmpq(1, 2), -(root_of_unity(5, 2) + root_of_unity(5, 3))
    squares = [(A[i, i] + 1) / 2 for i in range(3)]
    return [next(x for x in (golden * 0, golden * 0 + 1, golden * 0 + half, golden / 2, (golden - 1) / 2) if x * x == y) for y in squares]


# -- S_4, S_5 and A_5 -------------------------------------------------------------------------------------------------------------

Images = tuple[int, ...]

#: starting points that only 1 fixes, in the coordinates of the simple roots
STARTS = {3: (1, 3, 8), 4: (1, 3, 8, 2)}

#: ||I - Q||^2 is below this for adjacent transpositions in the coordinates I + C, Lambda = 13/20 (1, ..., -1, ..., 1)
BOUND = fmpq(3, 5)


def _swap(n: int, i: int) -> Images:
    return (*range(i), i + 1, i, *range(i + 2, n))


def _tracks(proof: Proof, what: str, matrices: dict[Images, Array], start: Array) -> None:
    """The state is g(start) after the product g, read off by a table."""
    one = tuple(range(len(next(iter(matrices)))))
    state, waiting = {exact.freeze(start): one}, [(one, start)]
    for g, H in waiting:
        for x, A in matrices.items():
            new = A @ H
            if exact.freeze(new) not in state:
                state[exact.freeze(new)] = householder.compose(x, g)
                waiting.append((householder.compose(x, g), new))
    table = {g: (A, start * 0) for g, A in matrices.items()}
    layer = Recurrence.from_table(table, start, lambda H, x: state.get(exact.freeze(H)))
    computes(proof, what, layer, lambda g, x: householder.compose(x, g), one, list(matrices), lambda g: g)


def _fixes_the_axes(A: Array) -> bool:
    return all(x == 0 or x == 1 or x == -1 for x in A.flat)


def contracting_letters(proof: Proof, basis=near_orthonormal, letters_of=mirror_letters, decay=signed_fifth_turn) -> None:
    """Letters of S_4, S_5 and A_5 whose mixers contract, in dimensions 3, 4, 3; the layers closed together with the groups."""
    for n in (4, 5):
        C = cartan(path(n - 1), n - 1)
        T = basis(C)
        letters = {_swap(n, i): letter for i, letter in enumerate(letters_of(C, T, fmpq(13, 20)))}
        for A, lam in proof.every(f"the adjacent transpositions of S_{n}", letters.values(), limited=False):
            F = exact.identity(n - 1) - mixer_for(A, lam)
            proof.holds(f"S_{n}: ||I - Q||^2 < 3/5", exact.is_positive_definite(exact.identity(n - 1) * BOUND - F.T @ F))
        start = T @ exact.rationals(STARTS[n - 1])[:, None]
        _tracks(proof, f"S_{n}: the product at every length", {g: A for g, (A, _) in letters.items()}, start)
    rotations = even_permutations_as_rotations()
    five, three = (1, 2, 3, 4, 0), (1, 2, 0, 3, 4)
    start = exact.rationals([[1], [2], [7]])
    _tracks(proof, "A_5: the product at every length", {g: rotations[g] for g in (five, three)}, start)
    for group in proof.every("the rotations A_5", [rotations.values()], limited=False):
        proof.exactly("60 rotations, as many as permutations", len({exact.freeze(A) for A in group}), 60)
    for g in proof.every("the two generators of A_5", (five, three), limited=False):
        right = all(np.array_equal(rotations[householder.compose(g, h)], rotations[g] @ A) for h, A in rotations.items())
        proof.holds("the matrix of a word in the two is the product of its matrices", right)
    c = (root_of_unity(5) + root_of_unity(5, 4)) / 2
    kinds = {"signs": 0, "a turn by 72": 0, "zero diagonal": 0}
    one = exact.identity(3)
    for A in proof.every("the 60 rotations", rotations.values(), limited=False):
        if all(A[i, i] == 0 for i in range(3)):
            kinds["zero diagonal"] += 1
            continue
        lam = decay(A)
        F = one - lam[:, None] * A.T
        kinds["signs" if _fixes_the_axes(A) else "a turn by 72"] += 1
        if not _fixes_the_axes(A):
            N = F.T @ F
            proof.exactly(
                "N has the eigenvalues 1 - c^2 and (1 - c)^2", (N - one * (1 - c * c)) @ (N - one * ((1 - c) * (1 - c))), exact.zeros(3, 3)
            )
        else:
            proof.exactly("a sign matrix: Q = I", F, exact.zeros(3, 3))
    for ball in proof.every("c = cos 72", [c.ball().real], limited=False):
        proof.certified("0 < c < 1", bool(ball > 0) and bool(ball < 1))
    for found in proof.every("the kinds of letters", [kinds], limited=False):
        proof.exactly("letters of the three kinds", list(found.values()), [4, 48, 8])
    A = rotations[five]
    proof.exhibit("A_5: the 5-cycle 0 -> 1 -> 2 -> 3 -> 4", A=A, Lambda=decay(A), Q=decay(A)[:, None] * A.T)
