"""Coordinates in which ungated iterations converge to any finite set of transitions, and the least dimension (after movahedi25, Eq. 4)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from itertools import permutations, product
from random import Random

import numpy as np
import sympy
from flint import fmpq

from ...constructions import householder, samples
from ...constructions.automata.layers.groups import even_permutations_as_rotations
from ...constructions.fixed_point.bases import mirror_letters, separated_decay, separates, signed_fifth_turn
from ...numerics import exact
from ...numerics.aliases import Exact
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof
from .mirrors import contracting_letters

KNOWN_SCALINGS = (
    "Fisher and Fuller, On the stabilization of matrices and the convergence of linear iterative processes, Proc. Camb. Phil. Soc. 54 (1958) 417: the diagonal scaling, and its use for a convergent linear iteration; "
    "reviews: Kushel (arXiv 1907.07089), Sun (arXiv 2301.01272). New is what it says of the ungated layer"
)


def conjugates(T: Array, matrices: list[Array]) -> list[Array]:
    """T A^-1 T^-1 for each A."""
    return [exact.multiply(T, exact.inverse(A), exact.inverse(T)) for A in matrices]


def is_regular(M: Array) -> bool:
    """No leading principal minor is 0."""
    return all(exact.determinant(M[:k, :k]) != 0 for k in range(1, len(M) + 1))


@claim(
    "new.fixed-point.any-letters",
    place="after Eq. 4",
    title="any finite set of invertible transitions is had by convergent ungated iterations, in almost all coordinates",
    says=r"If the leading principal minors of $M$ are not $0$, some diagonal $\Lambda$ gives $\Lambda M$ simple positive eigenvalues below $2$; with $M=A^{-1}$, $Q=\Lambda M$ the iteration without a gate converges at every length to the transition $A$. "
    r"For invertible $A_1,\dots,A_r$ all $T$ outside a proper algebraic set make these minors of every $TA_k^{-1}T^{-1}$ nonzero. So every finite group of matrices, all elements as letters, is tracked in its own dimension.",
    hypotheses=(
        "convergence at each finite length; without a gate no iteration contracts over all lengths unless the state fades (`new.fixed-point.no-uniform-contraction`)",
    ),
    known=KNOWN_SCALINGS,
    construction="lemmata.constructions.fixed_point.bases.separated_decay",
    sabotages={
        "decays all equal": {"decay": lambda M: (exact.rationals(["1/9"] * len(M)), [fmpq(k + 1, 9) for k in range(len(M) + 1)])},
        "decays that are positive": {"decay": lambda M: (abs(separated_decay(M)[0]), separated_decay(M)[1])},
        "no change of coordinates": {"coordinates": lambda rng, n: exact.identity(n)},
    },
)
def rows_one_by_one(proof: Proof, decay=separated_decay, coordinates=samples.basis) -> None:
    r"""A new row with a small decay hardly moves the eigenvalues so far and adds one near 0, of the sign that one chooses.

    1. Let $M_k$ be the leading part of size $k$, $D_k=\det M_k$, and suppose $\Lambda_k$ given with points $0<s_1<\dots<s_{k+1}$ at which $p(s)=\det(s-\Lambda_kM_k)$ alternates in sign: $k$ simple eigenvalues between them. $k=0$: $p=1$, $s_1=1$.
       With a new last decay $\varepsilon$, $p_\varepsilon(s)$ is linear in $\varepsilon$, and $p_0(s)=s\,p(s)$. So for small $\varepsilon$ it has at the points the signs of $p$. [checked: "linear in the new decay"; "s p(s) without it"]
    2. $p_\varepsilon(0)=(-1)^{k+1}\varepsilon\det\Lambda_k\,D_{k+1}$, and $\det\Lambda_k\,D_k>0$ as a product of positive eigenvalues. With the sign of $D_{k+1}/D_k$ for $\varepsilon$ it has the sign $(-1)^{k+1}$; $p_\varepsilon(s_1)$ has the sign $(-1)^k$. So an eigenvalue lies in $(0,s_1)$,
       and a point below it is the new first one. [checked: "the value at 0"] [cited: intermediate value theorem]
    3. After $n$ rows divide $\Lambda$ so that $s_1+s_{n+1}=2$: all eigenvalues of $I-Q$ lie in $(-r,r)$, $r=1-s_1<1$. [checked: "n + 1 points with alternating signs, in (0, 2)"] The iteration converges at every length to $Q^{-1}\Lambda=A$. [uses: new.fixed-point.finite, movahedi25.eq2]
    4. $(\det T)^kD_k(TMT^{-1})$ is a polynomial in the entries of $T$. It is not $0$: over the complex numbers some $T$ makes $M$ triangular, with the eigenvalues on the diagonal, none $0$. So the product over all $k$ and all matrices is a polynomial other than $0$,
       and $T$ may be any matrix where it is not $0$. [cited: Schur's triangular form] [checked: "one basis for all matrices"]
    5. Steps 1 to 4 hold for every $n$; the machine goes through the sizes and matrices of the scope. [prose]
    """
    s, e = sympy.symbols("s epsilon")
    for n in (1, 2, 3):
        M = sympy.Matrix(n, n, sympy.symbols(f"m:{n * n}"))
        lam = [*sympy.symbols(f"l1:{n}"), e] if n > 1 else [e]
        p = (s * sympy.eye(n) - sympy.diag(*lam) * M).det()
        before = (s * sympy.eye(n - 1) - sympy.diag(*lam[:-1]) * M[:-1, :-1]).det() if n > 1 else sympy.Integer(1)
        proof.symbolically("linear in the new decay", sympy.expand(p).diff(e, 2), sympy.Integer(0), "M, Lambda, s", up_to="n <= 3")
        proof.symbolically("s p(s) without it", p.subs(e, 0), s * before, "M, Lambda, s", up_to="n <= 3")
        product_of_decays: Exact = sympy.prod(lam)
        proof.symbolically("the value at 0", p.subs(s, 0), (-1) ** n * product_of_decays * M.det(), "M, Lambda", up_to="n <= 3")
    rng = Random(58)
    quarter = exact.rationals([[0, -1], [1, 0]])
    sets: list[list[Array]] = [[quarter, -quarter, exact.rationals([[0, 1], [1, 0]])], [exact.rationals([[-2]]), exact.rationals([[1]])]]
    sets.append([householder.permutation_matrix(p) for p in ((1, 2, 0), (0, 2, 1), (2, 1, 0))])
    sets += [[samples.basis(rng, n) for _ in range(3)] for n in (2, 3, 4)[: proof.pick(2, 3, 3)]]
    for matrices in proof.each(
        f"{len(sets)} sets of two or three matrices, quarter turns and permutations among them, the others random, n <= 4, seed 58", sets
    ):
        n = len(matrices[0])
        candidates = ((T, conjugates(T, matrices)) for T in (coordinates(rng, n) for _ in range(10)))
        T, conjugated = next((c for c in candidates if all(map(is_regular, c[1]))), (None, []))
        proof.holds("one basis for all matrices: no leading minor is 0", T is not None)
        if T is not None:
            found = [decay(M) for M in conjugated]
            for M, (lam, points) in zip(conjugated, found, strict=True):
                what = "n + 1 points with alternating signs, in (0, 2)"
                proof.holds(what, separates(M, lam, points) and points[0] + points[-1] <= 2)
            if n <= 3:
                data = [{"decay": lam, "points": points} for lam, points in found]
                proof.certificate("witness", f"{len(matrices)} matrices of size {n}", matrices=matrices, basis=T, letters=data)
    T = exact.rationals([[1, 1], [0, 1]])
    lam, points = separated_decay(exact.multiply(T, -quarter, exact.inverse(T)))
    proof.exhibit("a quarter turn in slanted coordinates", T=T, A=exact.multiply(T, quarter, exact.inverse(T)), Lambda=lam, points=points)


# -- all letters of S_4, S_5 and A_5 --------------------------------------------------------------------------------------------

Images = tuple[int, ...]


def in_simple_roots(p: Images) -> Array:
    """e_i -> e_p(i) in the coordinates of the roots e_j - e_(j+1): integers, shape (n - 1, n - 1)."""
    n = len(p)
    # e_a - e_b is the sum of the roots from a to b - 1, or minus that
    columns = [[int(p[j] <= i < p[j + 1]) - int(p[j + 1] <= i < p[j]) for i in range(n - 1)] for j in range(n - 1)]
    return exact.rationals(columns).T


#: coordinates for S_4 and S_5, from those of the simple roots, and for A_5, from its two-fold axes
COORDINATES = {
    "S_4": exact.rationals([[0, 0, -5], [6, -3, 0], [0, -5, 3]]),
    "S_5": exact.rationals([[0, 0, -4, 5], [0, -5, 4, 0], [3, -2, -1, -3], [5, -2, 0, 2]]),
    "A_5": exact.rationals([[0, 4, 1], [-3, 1, -2], [-3, -1, 3]]),
}

#: no eigenvalue of I - Q is larger
RADII = {"S_4": fmpq(24, 25), "S_5": fmpq(9999, 10000), "A_5": fmpq(249, 250)}


def _letters(name: str) -> dict[Images, Array]:
    if name == "A_5":
        return even_permutations_as_rotations()
    return {p: in_simple_roots(p) for p in permutations(range(int(name[2:])))}


def _without_signs(C: Array, T: Array, c: fmpq) -> list[tuple[Array, Array]]:
    return [(A, abs(s)) for A, s in mirror_letters(C, T, c)]


@claim(
    "new.fixed-point.any-letters.groups",
    place="after Eq. 4; the tasks of Figures 1 to 3",
    title="convergent ungated iterations have all letters of S₄ in dimension 3, of S₅ in 4 and of A₅ in 3, one basis each",
    says=r"For integer $T$ and rational $\Lambda$, one for each letter, all eigenvalues of $I-Q$, $Q=\Lambda TA^{-1}T^{-1}$, are real and lie in $(-r,r)$: for the 24 permutations in $S_4$ on $\mathbb R^3$ with $r=0.96$, the 120 in $S_5$ on $\mathbb R^4$ with $r=0.9999$, "
    r"and the 60 rotations $A_5$ of the icosahedron with $r=0.996$. So one ungated layer of that size tracks the group, all elements as letters, at every length. "
    r"In other coordinates $\|I-Q\|<1$ for the adjacent transpositions of $S_4$ and $S_5$, with $\|I-Q\|^2<\frac35$, and for 52 of the 60 letters of $A_5$, with $\|I-Q\|\le\sin72^\circ$.",
    hypotheses=("all letters: convergence at each finite length, no contraction; with eigenvalues of this size many passes are needed",),
    known=KNOWN_SCALINGS + "; that reflections and rotations track their groups: Grazzi et al., Theorem 3, and DeltaProduct (Siems et al.)",
    construction="lemmata.constructions.fixed_point.bases.separated_decay",
    sabotages={
        "decays that are positive": {"decay": lambda M: (abs(separated_decay(M)[0]), separated_decay(M)[1]), "groups": ("S_4",)},
        "transposed matrices": {"letter": lambda A: A.T, "groups": ("S_4",)},
        "mirrors with decays of one sign": {"contracting": partial(contracting_letters, letters_of=_without_signs), "groups": ()},
        "mirrors in the simple roots as coordinates": {
            "contracting": partial(contracting_letters, basis=lambda C: exact.identity(len(C))),
            "groups": (),
        },
        "Lambda = D cos 36": {"contracting": partial(contracting_letters, decay=lambda A: signed_fifth_turn(A) * -2), "groups": ()},
    },
)
def all_letters(
    proof: Proof, decay=separated_decay, letter=lambda A: A, groups=tuple(COORDINATES), contracting=contracting_letters
) -> None:
    r"""For each letter decays, and points between which the eigenvalues lie; where mixers contract, mirrors near the axes, or signs that turn a rotation into one by an acute angle.

    1. The matrices multiply like the permutations, and no two are equal. [checked: "matrices multiply like the permutations"; "no two are equal"]
    2. At points $0<s_1<\dots<s_{n+1}$, $s_1+s_{n+1}=2$, $\det(s-Q)$ alternates in sign: so $Q$ has $n$ eigenvalues between them, and those of $I-Q$ lie in $(-r,r)$, $r=1-s_1$. [checked: "S_4: eigenvalues of I - Q in (-r, r)"; "S_5: eigenvalues of I - Q in (-r, r)"; "A_5: eigenvalues of I - Q in (-r, r)"] [prose]
    3. The iteration converges at every length, to $Q^{-1}\Lambda=TAT^{-1}$, [uses: new.fixed-point.finite, movahedi25.eq2] and from a vector that only $1$ fixes the state is the product of the letters. [checked: "no two are equal"] [prose]
    4. *Contraction.* With $T=I+C$, $C$ tridiagonal with rows $-1,2,-1$, $A_i$ the adjacent transposition in these coordinates of the simple roots and $\Lambda=\frac{13}{20}(I-2e_ie_i^\top)$, the norms are as stated, and the layers are closed together with the groups.
       [checked: "S_4: ||I - Q||^2 < 3/5"; "S_5: ||I - Q||^2 < 3/5"; "S_4: the product"; "S_5: the product"]
    5. $A_5$, two-fold axes as coordinates: 48 rotations are a sign matrix $D$ times a rotation by $72^\circ$, four are sign matrices, and the other eight have zero diagonals, so no contractive mixer. [uses: new.fixed-point.signed-decay] [checked: "letters of the three kinds"; "a sign matrix: Q = I"]
       With $\Lambda=\cos72^\circ D$, $N=(I-Q)^\top(I-Q)$ and $c=\cos72^\circ$: $(N-(1-c^2))(N-(1-c)^2)=0$, so $\|I-Q\|^2=1-c^2$, as $0<c<1$. [checked: "N has the eigenvalues 1 - c^2 and (1 - c)^2"; "0 < c < 1"] [prose]
    6. Two generators reach all 60 rotations from $1$, and the layer on the two is closed together with the group; so every letter, a word in the two, acts rightly. [checked: "A_5: the product"; "60 rotations, as many as permutations"; "the matrix of a word in the two"] [prose]
    """
    for name in groups:
        T, n, matrices = COORDINATES[name], int(name[2:]), {g: letter(A) for g, A in _letters(name).items()}
        generators = [(1, 2, 3, 4, 0), (1, 2, 0, 3, 4)] if name == "A_5" else [(*range(1, n), 0), (1, 0, *range(2, n))]
        right = all(np.array_equal(matrices[householder.compose(x, g)], matrices[x] @ A) for x in generators for g, A in matrices.items())
        for _ in proof.every(f"the group {name}", [name], limited=False):
            proof.holds("matrices multiply like the permutations", right)
            proof.exactly("no two are equal", len({exact.freeze(A) for A in matrices.values()}), {"S_4": 24, "S_5": 120, "A_5": 60}[name])
        inverse, found = exact.inverse(T), []
        for _, A in proof.every(f"all elements of {name}", sorted(matrices.items()), limited=False):
            M = T @ A.T @ inverse if name == "A_5" else exact.multiply(T, exact.inverse(A), inverse)
            lam, points = decay(M)
            inside = separates(M, lam, points) and points[0] + points[-1] == 2 and points[0] >= 1 - RADII[name]
            proof.holds(f"{name}: eigenvalues of I - Q in (-r, r)", inside)
            found.append({"decay": lam, "points": points})
        # entries of Q(zeta_5), each as its coefficients
        shown = (
            {"images": generators, "matrices": [[[x.polynomial.coeffs() for x in row] for row in matrices[g]] for g in generators]}
            if name == "A_5"
            else {"images": [], "matrices": []}
        )
        proof.certificate("witness", name, group=name, basis=T, letters=found, **shown)
    contracting(proof)
    lam, points = separated_decay(
        exact.multiply(COORDINATES["S_4"], exact.inverse(in_simple_roots((1, 2, 3, 0))), exact.inverse(COORDINATES["S_4"]))
    )
    proof.exhibit("S_4: a 4-cycle, which no contractive mixer has in dimension 3", T=COORDINATES["S_4"], Lambda=lam, points=points)


# -- fewer dimensions do not suffice -----------------------------------------------------------------------------------------------


def _generated(letters: Iterable[Images], n: int) -> set[Images]:
    found = {tuple(range(n))}
    waiting, letters = list(found), list(letters)
    for g in waiting:
        new = {householder.compose(x, g) for x in letters} - found
        found |= new
        waiting += sorted(new)
    return found


def _commute(group: Iterable[Images]) -> bool:
    members = list(group)
    return all(householder.compose(p, q) == householder.compose(q, p) for p in members for q in members)


#: generators of each group, and the dimensions below its least one
TOO_SMALL = {
    "S_3": ([(1, 0, 2), (0, 2, 1)], 6, (1,)),
    "S_4": ([(1, 0, 2, 3), (1, 2, 3, 0)], 24, (1, 2)),
    "S_5": ([(1, 0, 2, 3, 4), (1, 2, 3, 4, 0)], 120, (1, 2, 3)),
    "A_5": ([(1, 2, 0, 3, 4), (1, 2, 3, 4, 0)], 60, (1, 2)),
}


@claim(
    "new.fixed-point.least-dimension",
    place="after Eq. 4; the tasks of Figures 1 to 3",
    title="a layer with finitely many states tracks S₃, S₄, S₅, A₅ in dimension 2, 3, 4, 3 and in no smaller one",
    says=r"A layer $H_t=A(x_t)H_{t-1}+B(x_t)$ with finitely many states, any dense $A(x)\in\mathbb R^{d\times d}$, any $B(x)$ and any decoder, whose output is the product of its letters, which generate $S_3$, $S_4$, $S_5$ or $A_5$, has $d\ge2,3,4,3$. "
    r"Ungated fixed-point layers with $\|I-Q\|<1$ attain it, on all letters of $S_3$, all transpositions of $S_4$ and $S_5$, and 52 letters of $A_5$; convergent ones on all letters.",
    hypotheses=("finitely many states are reached (as in finite precision); with infinitely many, dimension 1 keeps the whole word",),
    known="least degrees of projective and modular representations (Feit and Tits, Canad. J. Math. 30 (1978) 1092); finite subgroups of SO(3) (Klein). That covers have to be considered: `new.automata.fewest-reflections`",
    sabotages={
        "the symmetries of the square for S_4": {"groups": {"D_4": ([(1, 2, 3, 0), (0, 3, 2, 1)], 8, (1, 2))}},
        "the group A_5 x {1, -1} for S_5": {"groups": {"S_5": ([(1, 2, 0, 3, 4, 5, 6), (1, 2, 3, 4, 0, 6, 5)], 120, (1, 2, 3))}},
    },
)
def no_smaller_dimension(proof: Proof, groups=None) -> None:
    r"""The layer carries a finite group of $d\times d$ matrices that maps onto $G$; small orthogonal groups are few.

    1. There is a finite group $\Gamma$ of invertible matrices on a space of dimension at most $d$ that maps onto $G$. [uses: new.automata.fewest-reflections] It may be taken in $O(d)$: average an inner product.
       [cited: a finite group leaves an inner product invariant]
    2. $d=1$: $\Gamma\subseteq\{\pm1\}$ is abelian, $G$ is not. [checked: "dimension 1: G is not abelian"]
    3. $d=2$: the rotations in $\Gamma$ are abelian, of index at most $2$; so are their images in $G$, among which are all squares. [checked: "dimension 2: squares that do not commute"]
    4. $d=3$, $G=S_5$: the rotations $\Gamma_0$ in $\Gamma$ have index at most $2$, so their image contains the squares of $S_5$, which generate $A_5$. [checked: "dimension 3: squares generate 60 elements, which are perfect"] Finite rotation groups are cyclic, dihedral, or of order $12$, $24$, $60$, the last one $A_5$. [cited: Klein]
       Only it maps onto a group that contains $A_5$, and onto $A_5$ itself; so $\Gamma\ne\Gamma_0$, as $\Gamma$ maps onto 120 elements. For $\gamma\in\Gamma$ with determinant $-1$ the rotation $-\gamma$ normalises $\Gamma_0$ and generates with it a finite rotation group, which is $\Gamma_0$ again. So $-1\in\Gamma$,
       $|\Gamma|=120$, and $\Gamma\cong S_5$ has an element other than $1$ that commutes with all; but $S_5$ has none. [checked: "dimension 3: no element but 1 commutes with all"]
    5. The dimensions are attained. [uses: new.fixed-point.s3.signed, new.fixed-point.transpositions, new.fixed-point.any-letters.groups]
    """
    for name, (letters, order, dimensions) in proof.every("S_3, S_4, S_5, A_5", (groups or TOO_SMALL).items(), limited=False):
        group = _generated(letters, len(letters[0]))
        proof.exactly(f"{name}: its order", len(group), order)
        squares = [householder.compose(g, g) for g in group]
        proof.holds("dimension 1: G is not abelian", not _commute(letters))
        if 2 in dimensions:
            proof.holds("dimension 2: squares that do not commute", not _commute(set(squares)))
        if 3 in dimensions:
            rotations = _generated(set(squares), len(letters[0]))
            commutators = {_commutator(p, q) for p in rotations for q in rotations}
            perfect = _generated(commutators, len(letters[0])) == rotations
            proof.holds("dimension 3: squares generate 60 elements, which are perfect", len(rotations) == 60 and perfect)
            central = [g for g in group if all(householder.compose(g, x) == householder.compose(x, g) for x in letters)]
            proof.exactly("dimension 3: no element but 1 commutes with all", len(central), 1)
    proof.cites("Klein: the finite rotation groups of the sphere are cyclic, dihedral, tetrahedral, octahedral or icosahedral")


@claim(
    "new.fixed-point.least-dimension.contraction",
    place="after Eq. 4; the tasks of Figures 1 to 3",
    title="in dimension 3 convergent mixers have all letters of S₄, contractive ones no 4-cycle",
    says=r"A layer $H_t=A(x_t)H_{t-1}+B(x_t)$, $A(x)\in\mathbb R^{3\times3}$, with finitely many states, whose output is the product of letters that generate $S_4$, has $A(x)$ with the eigenvalues $\pm i$ for every letter $x$ that is a $4$-cycle. So no ungated mixer for it "
    r"has $\|I-Q\|<1$, in any coordinates, though convergent iterations have all 24 letters.",
    hypotheses=("finitely many states are reached (as in finite precision)",),
    known="finite subgroups of O(3) (Klein). " + KNOWN_SCALINGS,
    sabotages={"3-cycles in place of 4-cycles": {"length": 3}},
)
def four_cycles_turn_by_ninety(proof: Proof, length: int = 4) -> None:
    r"""The only groups in three dimensions that map onto $S_4$ are the cube's, and there a 4-cycle is a quarter turn, up to sign.

    1. The layer carries a finite group $\Gamma$ on the span $V$ of its states' differences; then $A(x)$ itself is the element of $\Gamma$ over $x$ if $V=\mathbb R^3$. [uses: new.automata.fewest-reflections]
       Less does not suffice: in $O(2)$ the rotations are abelian, of index at most $2$ in $\Gamma$, so the squares in $S_4$ would commute. [checked: "squares of S_4 do not commute"] [prose]
    2. In an invariant inner product the rotations $\Gamma_0\subseteq\Gamma$ have index at most $2$, so they map onto $S_4$ or $A_4$. Rotation groups are cyclic, dihedral, or those of the tetrahedron, the cube and the icosahedron. [cited: Klein] The first two have an abelian subgroup of index $2$ at most,
       which $A_4$ and $S_4$ have not, and the last one is simple. So $\Gamma_0$ is the tetrahedron's or the cube's group. For $\gamma\in\Gamma$ with determinant $-1$ the rotation $-\gamma$ normalises $\Gamma_0$, so it lies in the cube's group. Hence $\Gamma$ is in the cube's full group, the 48 signed permutation matrices.
       [checked: "squares of A_4 do not commute"; "48 signed permutation matrices"]
    3. An element over a $4$-cycle has an order that $4$ divides. Every such one among the 48 has the eigenvalues $\pm i$. [checked: "an order that 4 divides: det(A^2 + 1) = 0"]
    4. Such a matrix has no contractive mixer in any coordinates. [uses: new.fixed-point.signed-decay.basis] Convergent ones exist. [uses: new.fixed-point.any-letters.groups]
    """
    even, symmetric = _generated([(1, 2, 0, 3), (0, 2, 3, 1)], 4), _generated([(1, 0, 2, 3), (1, 2, 3, 0)], 4)
    for _ in proof.every("the groups S_4 and A_4", [(symmetric, even)], limited=False):
        proof.holds("squares of S_4 do not commute", len(symmetric) == 24 and not _commute({householder.compose(g, g) for g in symmetric}))
        proof.holds("squares of A_4 do not commute", len(even) == 12 and not _commute({householder.compose(g, g) for g in even}))
    choices: Exact = [[fmpq(s) for s in choice] for choice in product((1, -1), repeat=3)]
    signs = [np.diag(choice) for choice in choices]
    full = [D @ householder.permutation_matrix(p) for p in permutations(range(3)) for D in signs]
    for _ in proof.every("the symmetries of the cube", [full], limited=False):
        proof.exactly("48 signed permutation matrices", len({exact.freeze(A) for A in full}), 48)
    one = exact.identity(3)
    for _, A in proof.every("the 48 symmetries of the cube", enumerate(full), limited=False):
        order = next(k for k in range(1, 7) if np.array_equal(np.linalg.matrix_power(A, k), one))
        if order % length == 0:
            proof.exactly(f"an order that {length} divides: det(A^2 + 1) = 0", exact.determinant(A @ A + one), fmpq(0))
    proof.cites("Klein: the finite rotation groups of the sphere are cyclic, dihedral, tetrahedral, octahedral or icosahedral")


def _commutator(p: Images, q: Images) -> Images:
    inverse = [tuple(sorted(range(len(x)), key=x.__getitem__)) for x in (p, q)]
    return householder.compose(householder.compose(p, q), householder.compose(inverse[0], inverse[1]))
