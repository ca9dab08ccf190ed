"""Groups tracked in the smallest dimension by contractive ungated layers: mirrors near the axes (after movahedi25, Eq. 4; the task of Figures 1 to 3)."""

from __future__ import annotations

import numpy as np
import sympy
from flint import fmpq

from ...constructions import householder
from ...constructions.automata.groups import even_permutations_as_rotations
from ...constructions.fixed_point import mixer_for
from ...constructions.fixed_point_bases import cartan, contraction_form, mirror_letters, near_orthonormal, path, signed_fifth_turn
from ...constructions.recurrence import Recurrence
from ...numerics import exact
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
    topic="fixed_point",
    place="after Eq. 4",
    kind="new",
    title="one contractive ungated layer of dimension n tracks any finite reflection group of rank n on its simple reflections",
    says=r"Let $u_1,\dots,u_n$ be independent unit vectors, $G=(u_i\cdot u_j)$, $m_i=\sum_j(u_i\cdot u_j)^2<2$. In the orthonormal basis $e_j=\sum_k(G^{-1/2})_{kj}u_k$ the reflection along $u_i$ has a $\Lambda$ with "
    r"$\|I-Q\|\le2\sqrt{m_i-1}/m_i<1$. Simple roots of a finite reflection group have all $m_i<2$. So one layer of dimension $n$ without a gate, $\|I-Q\|<1$ for every letter, tracks it on simple reflections at every length: "
    r"$S_N$ in $\mathbb R^{N-1}$ on adjacent transpositions, for every $N$, with $\|I-Q\|\le\sqrt8/3$.",
    known=KNOWN_MIRRORS,
    uses=("new.fixed-point.reflections", "new.fixed-point.finite", "movahedi25.eq2"),
    construction="lemmata.constructions.fixed_point_bases.mirror_letters",
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
    proof.whole("identities in commuting matrices, in p and m and in three roots; a layer tracks what its transitions multiply to")
    C = cartan(path(4), 4)
    A, lam = mirror_letters(C, near_orthonormal(C), fmpq(1, 2))[1]
    proof.exhibit("S_5: the transposition (1 2) in the coordinates I + C", T=near_orthonormal(C), A=A, Lambda=lam, Q=mixer_for(A, lam))


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


@claim(
    "new.fixed-point.small-groups",
    topic="fixed_point",
    place="after Eq. 4; the tasks of Figures 1 to 3",
    kind="new",
    title="contractive ungated layers track S_4 in dimension 3, S_5 in 4, and A_5 in 3 on 52 of its 60 letters",
    says=r"With $T=I+C$, tridiagonal with rows $-1,3,-1$, $A_i$ the adjacent transposition in these coordinates of the simple roots, $\Lambda=\frac{13}{20}(I-2e_ie_i^\top)$: $\|I-Q\|^2<\frac35$, and the layer computes every product in $S_4$ in $\mathbb R^3$, "
    r"in $S_5$ in $\mathbb R^4$. With two-fold axes of the icosahedron as coordinates, 48 of its 60 rotations are a sign matrix $D$ times a rotation by $72^\circ$: $\Lambda=\cos72^\circ D$ has $\|I-Q\|=\sin72^\circ$; four are $D$; the other eight have zero diagonals, and no $\Lambda$. "
    r"All at every length.",
    hypotheses=(
        "the letters of S_4 and S_5 are the adjacent transpositions; their 4-cycles contract in no coordinates of these representations (`new.fixed-point.signed-decay.basis`)",
    ),
    known=KNOWN_MIRRORS
    + "; A_5 in three dimensions as rotations: DeltaProduct. The layers of `new.fixed-point.symmetric` and `new.fixed-point.a5` take 8, 16 and 4 dimensions, with smaller norms",
    uses=("new.fixed-point.signed-decay", "new.fixed-point.finite", "movahedi25.eq2"),
    construction="lemmata.constructions.fixed_point_bases.signed_fifth_turn",
    sabotages={
        "decays of one sign": {"letters_of": lambda C, T, c: [(A, abs(s)) for A, s in mirror_letters(C, T, c)]},
        "the simple roots as coordinates": {"basis": lambda C: exact.identity(len(C))},
        "Lambda = D cos 36": {"decay": lambda A: signed_fifth_turn(A) * -2},
    },
)
def in_the_smallest_dimension(proof: Proof, basis=near_orthonormal, letters_of=mirror_letters, decay=signed_fifth_turn) -> None:
    r"""Mirrors near the axes for the symmetric groups; for $A_5$ signs that turn the rotations into ones by an acute angle.

    1. $S_4$ and $S_5$: the norms of the three and four letters, and the layers closed together with the group. [checked: "S_4: ||I - Q||^2 < 3/5"; "S_5: ||I - Q||^2 < 3/5"; "S_4: the product"; "S_5: the product"]
    2. The 60 rotations multiply like the even permutations: from $1$ two generators reach all, and the layer on the two is closed together with the group; so every letter, a word in the two, acts rightly. [checked: "A_5: the product"; "60 rotations, as many as permutations"; "the matrix of a word in the two"]
    3. With $\Lambda=\cos72^\circ D$ and $N=(I-Q)^\top(I-Q)$, $c=\cos72^\circ$: $(N-(1-c^2))(N-(1-c)^2)=0$, so $\|I-Q\|^2=1-c^2$, as $0<c<1$. [checked: "N has the eigenvalues 1 - c^2 and (1 - c)^2"; "0 < c < 1"; "letters of the three kinds"]
    4. A zero diagonal leaves no $\Lambda$. [checked: "letters of the three kinds"] [uses: new.fixed-point.signed-decay]
    5. A contractive mixer at every letter makes the iteration converge at every length. [uses: new.fixed-point.finite, movahedi25.eq2]
    """
    for n in (4, 5):
        C = cartan(path(n - 1), n - 1)
        T = basis(C)
        letters = {_swap(n, i): letter for i, letter in enumerate(letters_of(C, T, fmpq(13, 20)))}
        for A, lam in letters.values():
            F = exact.identity(n - 1) - mixer_for(A, lam)
            proof.holds(f"S_{n}: ||I - Q||^2 < 3/5", exact.is_positive_definite(exact.identity(n - 1) * BOUND - F.T @ F))
        start = T @ exact.rationals(STARTS[n - 1])[:, None]
        _tracks(proof, f"S_{n}: the product at every length", {g: A for g, (A, _) in letters.items()}, start)
    rotations = even_permutations_as_rotations()
    five, three = (1, 2, 3, 4, 0), (1, 2, 0, 3, 4)
    start = exact.rationals([[1], [2], [7]])
    _tracks(proof, "A_5: the product at every length", {g: rotations[g] for g in (five, three)}, start)
    proof.exactly("60 rotations, as many as permutations", len({exact.freeze(A) for A in rotations.values()}), 60)
    for g in (five, three):
        right = all(np.array_equal(rotations[householder.compose(g, h)], rotations[g] @ A) for h, A in rotations.items())
        proof.holds("the matrix of a word in the two is the product of its matrices", right)
    c = (root_of_unity(5) + root_of_unity(5, 4)) / 2
    kinds = {"signs": 0, "a turn by 72": 0, "zero diagonal": 0}
    one = exact.identity(3)
    for A in rotations.values():
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
    ball = c.ball().real
    proof.certified("0 < c < 1", bool(ball > 0) and bool(ball < 1))
    proof.exactly("letters of the three kinds", list(kinds.values()), [4, 48, 8])
    proof.whole("the layers are closed together with the groups, and all letters are gone through")
    A = rotations[five]
    proof.exhibit("A_5: the 5-cycle 0 -> 1 -> 2 -> 3 -> 4", A=A, Lambda=decay(A), Q=decay(A)[:, None] * A.T)
