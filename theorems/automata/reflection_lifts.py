"""One head with one factor per letter tracks a group iff its letters lift to reflections: the criterion, all groups of order up to 31, and two heads."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import sympy

from ...constructions.automata.algebra import reflection_lifts as lifts
from ...constructions.automata.layers import covers
from ...constructions.automata.layers.covers import Images, Tracked, by_matrices, cover_layer
from ...constructions.automata.read.small_groups import automorphisms, small_groups
from ...constructions.householder import compose, permutation_matrix
from ...numerics import exact
from ..claim import claim
from ..closure import computes
from ..evidence import Proof


@claim(
    "new.automata.fewest-reflections.covers",
    place="after grazzi25 Theorem 3",
    title="one layer with rank(I − A(x)) ≤ r tracks a group iff matrices of that kind generate a finite cover of it",
    says=r"Let letters $x$ out of a finite set stand for elements of a finite group $G$. There is a layer $H_t=A(x_t)H_{t-1}+B(x_t)$ with finitely many states, $\operatorname{rank}(A(x)-I)\le r$, whose state and last letter determine the product of the letters, "
    r"if and only if there are invertible matrices $\rho(x)$ with $\operatorname{rank}(\rho(x)-I)\le r$ that generate a finite group, and equal products of them belong to equal products in $G$.",
    hypotheses=("states of any shape n x d; a product of r factors has rank(A - I) at most r (new.householder.rank)",),
    known="new.automata.fewest-reflections has the proof in words and its neighbours; the idempotent word is Suschkewitsch's.",
    construction="lemmata.constructions.automata.layers.covers.carried",
    sabotages={
        "no factor at all, which the kernel refutes": {"theorem": "one_factor.no_factor_is_needed"},
        "the empty word in place of the idempotent": {"word_of": lambda moves: []},
    },
)
def covers_by_the_kernel(proof: Proof, theorem: str = "covers.covers", word_of=covers.smallest_image) -> None:
    r"""As in new.automata.fewest-reflections, steps 1 to 6, for matrices of rank $r$ in place of $r$ factors.

    1. A word $e$ that acts as an idempotent of smallest image; between its images all words permute, and the linear parts on their differences are the matrices. [checked: "the kernel: a layer of rank r iff a finite cover of rank r"]
    2. Conversely the matrices, started in $I$, with $B=0$, are such a layer. [checked: "the kernel: a layer of rank r iff a finite cover of rank r"]
    """
    proof.formally(
        "the kernel: a layer of rank r iff a finite cover of rank r",
        theorem,
        whole="every finite alphabet, group, layer and r",
        differs="an ordered field for the reals",
    )
    with proof.beside():
        for tracked in proof.each(
            "S_4 by three mirrors of the cube, with a memory of two letters", [covers.with_memory(covers.cube_by_mirrors())]
        ):
            found = covers.carried(tracked, word_of)
            proof.holds("the lifts permute", all(sorted(lift) == list(range(len(found.points))) for lift in found.lifts.values()))
            proof.holds("their rank is 1", all(found.rank(A) <= 1 for A in found.linear.values()))


def next_coefficient(c: sympy.Expr, beta: sympy.Expr) -> sympy.Expr:
    """The d with (I - c u v^T)(I - u v^T) = I - d u v^T, where v^T u = beta."""
    return c + 1 - c * beta


@claim(
    "new.automata.one-factor",
    place="after grazzi25 Theorem 3",
    title="one layer, one head, one factor a letter tracks (G, Σ) iff Σ lifts to reflections or 1 of a finite Coxeter group",
    says=r"Let letters $\Sigma$ generate a finite group $G$. One layer $H_t=A(x_t)H_{t-1}+B(x_t)$ with finitely many states, each $A(x)=I-\beta vv^\top$, outputs the product of its letters iff there are a finite Coxeter group $W$, reflections or $1$, $t_x\in W$, that generate $W$, and a homomorphism $W\to G$ with $t_x\mapsto x$. "
    r"It suffices to ask this for each connected component $C$ of the graph of pairs of letters that do not commute, and then $W$ is irreducible: with $K=\langle C\rangle$ not abelian, $C$ lies in the classes under $K$ of involutions $x_1,\dots,x_n$ that satisfy the relations of an irreducible diagram.",
    hypotheses=("one head; finitely many states are reached; any width, any B, any decoder of the state and the last letter",),
    known="the case of one factor of new.automata.fewest-reflections.covers, with finite groups that reflections generate (Coxeter, Ann. of Math. 35, 1934). The reduction to components has no source that we know; from memory.",
    construction="lemmata.constructions.automata.algebra.reflection_lifts.largest_liftable",
    sabotages={
        "a factor's powers are added up": {"after": lambda c, beta: c + 1},
        "the group itself in place of a cover, which S_4 refutes": {"theorem": "one_factor.no_cover_is_needed"},
        "all pairs of letters are joined": {"joined": lambda table, letters: [frozenset(x for x in letters if x)]},
    },
)
def letters_lift_to_reflections(
    proof: Proof, after=next_coefficient, joined=lifts.components, theorem: str = "one_factor.covers_by_reflections"
) -> None:
    r"""The minimum over covers, for one factor.

    1. A layer gives a finite $\Gamma$ that maps onto $G$, with lifts $\gamma_x$ that generate it and a faithful real $\rho$ with $\operatorname{rank}(I-\rho(\gamma_x))\le1$, $\rho(\gamma_x)^2=1$; and conversely. [uses: new.automata.fewest-reflections.covers] [checked: "the kernel: a finite cover by reflections or 1"]
    2. $I-uv^\top$ with $\beta=v^\top u$ has the powers $I-c_kuv^\top$ with $c_{k+1}=c_k+1-c_k\beta$, and $1-\beta c_k=(1-\beta)^k$. If $\beta=0$, then $c_k=k$; so finite order and $u,v\ne0$ mean that $(1-\beta)^k=1$ with $\beta\ne0$: $\beta=2$, an involution, and a reflection in an inner product that $\Gamma$ keeps; in an orthonormal basis for it all factors are of the form $I-\beta vv^\top$. [checked: "1 - beta c is multiplied by 1 - beta"; "no power is 1 for beta = 0"; "the kernel: a finite cover by reflections or 1"] [prose]
    3. So $\Gamma=W$ is a finite group generated by reflections. Conversely such a $W$ is given by its reflections. [prose]
    4. If all letters lift, so do the letters of a component $C$: $W_C=\langle t_x:x\in C\rangle$ maps onto $\langle C\rangle$, and reflections that do not commute keep it connected: $W_C$ is irreducible. If each component lifts, the product of the $W_C$ maps onto $G$, since different components commute. [prose]
    5. All reflections of an irreducible $W_C$ are conjugate to simple ones, so their images are the conjugates of the images of simple ones, under the group that these generate. Reflections that satisfy a diagram's relations give a homomorphism. [prose]
    """
    beta, c = sympy.symbols("beta c")
    proof.formally("the kernel: a finite cover by reflections or 1", theorem, differs="an ordered field for the reals")
    proof.symbolically("1 - beta c is multiplied by 1 - beta", 1 - beta * after(c, beta), (1 - beta * c) * (1 - beta), free="c, beta")
    proof.symbolically("no power is 1 for beta = 0: c grows by 1", after(c, sympy.Integer(0)), c + 1, free="c")
    with proof.beside():
        for order in proof.each("all groups of order 6 to 16, all involutions as letters", range(6, 17)):
            for table in small_groups(order):
                letters = lifts.involutions(table)
                parts = joined(table, letters)
                apart = all(table[x, y] == table[y, x] for p in parts for q in parts if p != q for x in p for y in q)
                inside = all(len(joined(table, part)) == 1 for part in parts)
                alone = all(len(part) == 1 or any(table[x, y] != table[y, x] for x in part for y in part) for part in parts)
                proof.holds("different components commute, and each is one", apart and inside and alone)


# -- all small groups --------------------------------------------------------------------------------------------------------

#: order and our number of each group of order up to 31, not abelian, that involutions generate: sets of involutions that generate it, up to automorphisms, and how many lift
CENSUS: dict[tuple[int, int], tuple[int, int]] = {
    (6, 2): (2, 2),
    (8, 3): (6, 6),
    (10, 2): (4, 4),
    (12, 3): (18, 18),
    (14, 2): (8, 8),
    (16, 3): (100, 12),
    (16, 7): (8, 0),
    (16, 12): (36, 36),
    (18, 3): (10, 0),
    (18, 5): (18, 18),
    (20, 3): (80, 80),
    (22, 2): (28, 28),
    (24, 4): (448, 36),
    (24, 6): (40, 0),
    (24, 11): (284, 284),
    (24, 14): (42, 42),
    (26, 2): (72, 72),
    (28, 3): (476, 476),
    (30, 4): (360, 360),
}

#: PSL(2, 7) on the points of the projective plane of order 2, whose lines are i, i + 1, i + 3 modulo 7
FANO: tuple[Images, ...] = ((1, 2, 3, 4, 5, 6, 0), (0, 1, 4, 3, 2, 6, 5))


def pauli() -> list[Images]:
    """X, Y, Z on the eight vectors i^k e_0 and i^k e_1, numbered k and 4 + k."""
    x = (4, 5, 6, 7, 0, 1, 2, 3)
    y = (5, 6, 7, 4, 3, 0, 1, 2)
    z = (0, 1, 2, 3, 6, 7, 4, 5)
    return [x, y, z]


@claim(
    "new.automata.one-factor.census",
    place="after grazzi25 Theorem 3",
    title="of 2,040 generating sets of involutions in 19 groups of order at most 31, 1,482 lift to reflections",
    says=r"$19$ groups of order at most $31$ are not abelian and generated by involutions. Up to automorphisms they have $2{,}040$ generating sets of involutions, of which $1{,}482$ lift to reflections of a finite Coxeter group. No set lifts for the Pauli group $\langle X,Y,Z\rangle$ of order $16$, for $C_3^2\rtimes C_2$ of order $18$ and for one group of order $24$; for $D_4\times C_2$ it is $12$ of $100$, for $S_3\times C_2^2$ $36$ of $448$; for dihedral groups and $S_4$ all lift. No generating set of $\mathrm{PSL}(2,7)$ lifts.",
    hypotheses=("involutions as letters: a letter of another order never lifts, and in an abelian group all involutions do",),
    known="the classification of finite Coxeter groups (Coxeter 1934) and their normal subgroups (Maxwell, J. Algebra 1998), from memory. The table has no source that we know.",
    construction="lemmata.constructions.automata.algebra.reflection_lifts.generating_sets",
    sabotages={
        "dihedral groups only": {"largest": lambda table: lifts.largest_liftable(table, [])},
        "all involutions lift": {"largest": lambda table: [frozenset(lifts.involutions(table))]},
    },
)
def small_groups_by_reflections(proof: Proof, largest: Callable[..., list[frozenset[int]]] = lifts.largest_liftable) -> None:
    r"""All homomorphisms from the irreducible Coxeter groups of rank at most $4$, for each group.

    1. A set of letters lifts iff each of its components is single or lies among the images of the reflections of one irreducible $W$ under a homomorphism: steps 4 and 5 of new.automata.one-factor, which rest on no layer. [prose]
    2. $W$ of rank $5$ or more is of type $A_n$, $B_n$, $D_n$ or $E_n$. Its quotients that are not abelian have orders that $5$ divides, and at least $120$. [cited: Coxeter's classification; Maxwell, normal subgroups] So for the groups here rank $4$ suffices.
    3. For each group all homomorphisms are listed, then all sets of involutions, one of each orbit of its automorphisms. [checked: "sets of involutions that generate it, and how many lift"]
    4. Pauli's $X,Y,Z$ are three involutions that generate a group of order $16$; they are in no set that lifts. [checked: "X, Y and Z do not lift"]
    5. In $\mathrm{PSL}(2,7)$, which is simple, a generating set is one component. The largest sets that lift generate groups of order $24$. [checked: "PSL(2, 7): order 168, 21 involutions, no largest set generates it"]
    """
    found: dict[tuple[int, int], tuple[int, int]] = {}
    for order in range(2, 32):
        for number, table in enumerate(small_groups(order), start=1):
            if (table == table.T).all() or len(lifts.generated(table, lifts.involutions(table))) < order:
                continue
            sets, known = lifts.generating_sets(table, automorphisms(table)), largest(table)
            found[order, number] = (len(sets), sum(lifts.obstruction(table, s, known) is None for s in sets))
    for key in proof.every("all groups of order at most 31 that are not abelian and generated by involutions", CENSUS, limited=False):
        proof.exactly("sets of involutions that generate it, and how many lift", found.get(key), CENSUS[key])
        proof.exactly("as many groups", len(found), len(CENSUS))
    table, elements = lifts.table_of(pauli())
    letters = [elements.index(x) for x in pauli()]
    for order in proof.every("the Pauli group by X, Y, Z", [16], limited=False):
        proof.exactly("X, Y and Z do not lift: a group of order 16", (len(table), [int(table[x, x]) for x in letters]), (order, [0, 0, 0]))
        proof.exactly(
            "X, Y and Z do not lift: all three are one component", lifts.obstruction(table, letters, largest(table)), frozenset(letters)
        )
    table, _ = lifts.table_of(FANO)
    for order in proof.every("PSL(2, 7)", [168], limited=False):
        what = "PSL(2, 7): order 168, 21 involutions, no largest set generates it"
        sizes = {len(lifts.generated(table, s)) for s in largest(table)}
        proof.exactly(what, (len(table), len(lifts.involutions(table)), sizes), (order, 21, {24}))
    proof.exhibit(
        "generating sets of involutions, and how many lift, by order and our number", **{f"{k[0]}.{k[1]}": v for k, v in CENSUS.items()}
    )


# -- two heads -----------------------------------------------------------------------------------------------------------------


def signs(images: Sequence[int]) -> exact.Array:
    """The matrix of size n that takes e_i to e_images[i], where n + j stands for -e_j."""
    n = len(images)
    return exact.rationals([[(images[i] == j) - (images[i] == n + j) for i in range(n)] for j in range(n)])


def on_points(A: exact.Array) -> Images:
    """The permutation of e_1, ..., e_n, -e_1, ..., -e_n by a signed permutation matrix."""
    n = len(A)
    images = [next(j for j in range(n) if A[j, i] != 0) for i in range(n)]
    flips = [A[j, i] == -1 for i, j in enumerate(images)]
    return tuple((j + n * ((k >= n) != f)) % (2 * n) for k in range(2 * n) for j, f in [(images[k % n], flips[k % n])])


def two_heads(first: Sequence[exact.Array], second: Sequence[exact.Array]) -> Tracked:
    """Letters by pairs of signed permutation matrices, one for each head, and the permutations of all signed unit vectors."""
    matrices = {}
    for A, B in zip(first, second, strict=True):
        left, right = on_points(A), on_points(B)
        matrices[(*left, *(len(left) + p for p in right))] = exact.block_diagonal([A, B])
    start = exact.rationals([[2**i] for i in [*range(len(first[0])), *range(len(second[0]))]])
    return by_matrices(matrices, start, {g: g for g in matrices})


def a3_beside_b3() -> Tracked:
    """The simple reflections of A_3, as swaps of four coordinates, beside those of B_3, whose first two have a product of order 4."""
    swaps = [permutation_matrix(g) for g in ((1, 0, 2, 3), (0, 2, 1, 3), (0, 1, 3, 2))]
    return two_heads(swaps, [signs((3, 1, 2)), signs((1, 0, 2)), signs((0, 2, 1))])


def s3_beside_d4() -> Tracked:
    """Three letters: (a, b), (c, d), (a, 1), with a, c swaps of three coordinates and b, d mirrors of the square."""
    a, c = permutation_matrix((1, 0, 2)), permutation_matrix((0, 2, 1))
    return two_heads([a, c, a], [signs((2, 1)), signs((1, 0)), exact.identity(2)])


def order_of(g: Images) -> int:
    """The least k > 0 with g^k = 1."""
    k, power = 1, g
    while power != tuple(range(len(g))):
        k, power = k + 1, compose(g, power)
    return k


@claim(
    "new.automata.one-factor.heads",
    place="after grazzi25 Theorem 3",
    title="two heads with one reflection each track groups that no single head does: A₃ beside B₃, and S₃ beside D₄",
    says=r"Let $a_i$ and $b_i$ be simple reflections of $A_3$ and of $B_3$, with $a_1a_2$ of order $3$ and $b_1b_2$ of order $4$. Two heads, one reflection or $1$ a letter each, track the group of the letters $(a_i,b_i)$, of order $576$; no single head with one factor does. Nor does one for the three letters $(a,b),(c,d),(a,1)$ with $S_3=\langle a,c\rangle$ and $D_4=\langle b,d\rangle$, a group of order $48$, which two heads of widths $3$ and $2$ track.",
    hypotheses=("as in new.automata.one-factor; a head is a block of the state with a factor of its own",),
    known="that heads are blocks is the usual definition; the separation has no source that we know, from memory.",
    construction="lemmata.constructions.automata.layers.covers.cover_layer",
    sabotages={
        "the second head repeats the first": {
            "large": lambda: two_heads(*[[permutation_matrix(g) for g in ((1, 0, 2, 3), (0, 2, 1, 3), (0, 1, 3, 2))]] * 2)
        },
        "two letters": {
            "small": lambda: two_heads([permutation_matrix((1, 0, 2)), permutation_matrix((0, 2, 1))], [signs((2, 1)), signs((1, 0))])
        },
    },
)
def two_heads_do_more(proof: Proof, large: Callable[[], Tracked] = a3_beside_b3, small: Callable[[], Tracked] = s3_beside_d4) -> None:
    r"""A product of two letters of order $12$ would need a dihedral group.

    1. The states of both layers are closed, and the output is the product of the letters after every word. [checked: "A_3 beside B_3: the output is the product"; "S_3 beside D_4: the output is the product"; "a reflection or 1 in each head"; "the order of the group"]
    2. The letters form one component, so a single head needs an irreducible $W$. [checked: "the letters are one component"] [uses: new.automata.one-factor]
    3. Two letters have a product of order $12$, so the order of the product of their lifts is a multiple of $12$. [checked: "two letters have a product of order 12"] In an irreducible finite Coxeter group of rank $3$ or more, products of two reflections have order at most $5$. [cited: Coxeter's classification] So $W$ is dihedral.
    4. Quotients of dihedral groups are dihedral, or of order at most $2$, and have a cyclic subgroup of index at most $2$. These groups have none. [checked: "no element has half the order of the group"]
    """
    cases = [("A_3 beside B_3", large, 576, 4), ("S_3 beside D_4", small, 48, 3)]
    for name, build, order, width in proof.every("A_3 beside B_3, and S_3 beside D_4", cases, limited=False):
        tracked = build()
        what = f"{name}: the output is the product of the letters, on all words"
        letters = sorted(tracked.elements)
        found = computes(
            proof, what, cover_layer(tracked), lambda g, x: compose(x, g), tracked.identity, letters, lambda g: g, certify=order < 100
        )
        for A, _ in tracked.maps.values():
            for B in (A[:width, :width], A[width:, width:]):
                rank = exact.rank(B - exact.identity(len(B)))
                proof.holds("a reflection or 1 in each head", rank <= 1 and bool((B == B.T).all()) and exact.is_orthogonal(B))
        elements = {g for _, g in found.pairs}
        proof.exactly("the order of the group", len(elements), order)
        alone = [[compose(x, y) == compose(y, x) for y in letters if y != x] for x in letters]
        proof.holds("the letters are one component: one commutes with no other", any(not any(others) for others in alone))
        proof.holds("two letters have a product of order 12", 12 in {order_of(compose(x, y)) for x in letters for y in letters})
        proof.holds("no element has half the order of the group", all(2 * order_of(g) < order for g in elements))
