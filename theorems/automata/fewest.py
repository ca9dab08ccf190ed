"""How many reflections per letter one layer needs to track a group (after grazzi25, Theorem 3): representations of groups that cover it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

from ...constructions import householder
from ...constructions.automata.layers import covers
from ...constructions.automata.layers.covers import Images, Tracked, by_matrices, carried, cover_layer, is_odd, with_memory
from ...constructions.automata.layers.groups import even_permutations_as_rotations
from ...constructions.householder import compose, permutation_matrix
from ...numerics import exact
from ...numerics.exact import Array
from ..claim import claim
from ..closure import computes
from ..evidence import Proof


def _of_points(letters: Sequence[Images], matrix=permutation_matrix) -> Tracked:
    """Permutations of points by n x n matrices."""
    start = exact.rationals([[2**i] for i in range(len(letters[0]))])
    return by_matrices({g: matrix(g) for g in letters}, start, {g: g for g in letters})


def _of_the_cube() -> Tracked:
    """S_4 by two rotations of the cube: a quarter turn and a third."""
    quarter = exact.rationals([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    matrices = {covers.of_diagonals(A): A for A in (quarter, permutation_matrix((1, 2, 0)))}
    return by_matrices(matrices, exact.rationals([[1], [2], [4]]), {g: g for g in matrices})


def _layers(proof: Proof) -> Iterator[tuple[str, Tracked]]:
    """Layers that carry a group or a cover of one, each also with a memory of the last two letters and in another basis."""
    third = exact.rationals([[0, -1], [1, -1]])
    cycle = (1, 2, 0)
    bare = {
        "S_3 by swaps of coordinates": _of_points([(1, 0, 2), (0, 2, 1)]),
        "Z_3 in an oblique basis": by_matrices({cycle: third}, exact.rationals([[1], [0]]), {cycle: cycle}),
        "S_4 by three mirrors of the cube": covers.cube_by_mirrors(),
        "the quaternion group by a group of order 16": covers.quaternions_by_cover(),
    }
    if proof.effort != "quick":
        bare |= {
            "A_4 by permutation matrices": _of_points([(1, 2, 0, 3), (0, 2, 3, 1)]),
            "S_4 by rotations of the cube": _of_the_cube(),
        }
    for name, tracked in bare.items():
        yield name, tracked
        yield f"{name}, with a memory", with_memory(tracked)


def _closed(found: covers.Carried, tracked: Tracked) -> dict[tuple[int, ...], list[tuple[Array, Images]]]:
    """For each product of lifts, all pairs (linear map on the span of the differences, product of the letters in G) that belong to it."""
    one = tuple(range(len(found.points)))
    reached = {one: [(found.differences, tracked.identity)]}
    waiting = [(one, found.differences, tracked.identity)]
    for p, D, g in waiting:
        for x, lift in found.lifts.items():
            q, M, h = compose(lift, p), found.linear[x] @ D, compose(tracked.elements[x], g)
            known = reached.setdefault(q, [])
            if not any((M == N).all() and h == k for N, k in known):
                known.append((M, h))
                waiting.append((q, M, h))
    return reached


@claim(
    "new.automata.fewest-reflections",
    place="after grazzi25 Theorem 3",
    title="the least number of factors per letter is the least max rank(I − ρ(γ)) over finite covers Γ of G and their lifts γ",
    says=r"Let one layer $H_t=A(x_t)H_{t-1}+B(x_t)$ with finitely many states, each $A(x)$ a product of $r$ factors $I-\beta vv^\top$ at most, output the product of its letters in a finite group $G$ that they generate. "
    r"Then there are a finite group $\Gamma$ that maps onto $G$, lifts $\gamma_x\mapsto x$ that generate $\Gamma$, and a faithful real $\rho$ of $\Gamma$ with $\operatorname{rank}(I-\rho(\gamma_x))\le r$; and conversely. "
    r"So the least $r$ is $\min_{\Gamma,\rho,\gamma}\max_x\operatorname{rank}(I-\rho(\gamma_x))$. $\Gamma=G$ is not enough: $S_4$ with the letters $(0\,1),(1\,2),(0\,1)(2\,3)$, up to names, takes $1$ and its own representations $2$; "
    r"the quaternion group, all elements as letters, $3$ and its own $4$.",
    hypotheses=(
        "finitely many states are reached (as in finite precision); with infinitely many, one factor and width 1 keep the whole word",
        "the decoder may read the state and the last letter, in any way",
        "factors I - beta v v^T with any beta; no gate that scales the whole state",
    ),
    known="Siems et al., DeltaProduct (arXiv 2502.10297): upper bounds, S_n in one layer with n - 1 factors, in four layers with one, A_5 as rotations with two. That a finite transition semigroup has a group in its least ideal is Suschkewitsch's theorem; "
    "that a product of r factors differs from I by rank r at most, Scherk's. "
    "Siems, Grazzi et al., Complex KDA (arXiv 2609.24797, September 2026), Proposition 21: a group that maps onto G, by an idempotent word, if no transition expands; gates and several heads allowed. "
    "The preprint How Many Householders Does State Tracking Need? (Hack-Nation, October 2026) has the minimum over covers, with this proof, and leaves the quaternion group between 2 and 6.",
    construction="lemmata.constructions.automata.layers.covers.carried",
    sabotages={
        "the empty word in place of the idempotent": {"word_of": lambda moves: []},
        "the letters' maps are forgotten": {"layer_of": lambda tracked: _forgetful(tracked)},
        "the quaternion group by its own representation": {"quaternions": lambda: _quaternions_alone()},
        "a start that a mirror fixes": {"cube": lambda: covers.cube_by_mirrors()._replace(start=exact.rationals([[1], [1], [1]]))},
        "the group itself in place of its covers, which the kernel refutes": {"theorem": "symmetric_four.the_group_itself_is_enough"},
        "two factors for the quaternion group, which the kernel refutes": {"eight": "quaternions.quaternions_in_two"},
        "a theorem on S_4 that does not exist": {"four": "symmetric_four.four_letters_in_their_own_group"},
    },
)
def fewest_reflections(
    proof: Proof,
    word_of=covers.smallest_image,
    layer_of=lambda tracked: tracked,
    quaternions=covers.quaternions_by_cover,
    cube=covers.cube_by_mirrors,
    theorem: str = "group_covers.fewest_factors",
    four: str = "symmetric_four.four_letters",
    eight: str = "quaternions.quaternion_letters",
) -> None:
    r"""Write $f_x(H)=A(x)H+B(x)$, $f_u$ for the map of a word, $S$ for the finite set of states, $\pi(u)\in G$ for the product of $u$'s letters.

    1. If two words $u,v$ lead to one state, so do $ux,vx$, after the same last letter: the outputs $x\pi(u)$ and $x\pi(v)$ agree, so $\pi(u)=\pi(v)$. The state determines the product, whatever the decoder reads. In particular words with the same map
       of $S$ have the same product: $\pi$ is defined on the finite monoid $M$ of maps $f_u|_S$. [checked: "the state determines the product"]
    2. Take a word whose map has the smallest image, and its power $e$ with $ee=e$. Then every $eue$ permutes $S_e=f_e(S)$, since no image is smaller. These permutations form a group $eMe$, and $\pi(e)^2=\pi(e)$ gives $\pi(e)=1$,
       so $\pi(eue)=\pi(u)$. Let $\gamma_x=exe$, and $\Gamma$ what they generate. [checked: "e is idempotent"; "e x e permutes the states of e"]
    3. $\pi:\Gamma\to G$ is a homomorphism, onto since the letters generate $G$, and takes $\gamma_x$ to $x$. [checked: "products of lifts determine products of letters"; "all of G is covered"]
    4. $\Gamma$ acts on $S_e$ by affine maps. Let $V$ be the span of all columns of differences of states in $S_e$, and $\rho$ the linear parts on $V$. If $\rho(\gamma)=1$, then $\gamma$ moves all of $S_e$ by one vector, and as $\gamma$ has finite order by $0$:
       $\rho$ is faithful. [checked: "only the identity has linear part 1"]
    5. Let $E$ be the linear part of $f_e$; $E=1$ on $V$. So $\rho(\gamma_x)-1=E(A(x)-I)E$ on $V$, of rank at most $\operatorname{rank}(A(x)-I)$, and this is at most the number of factors. [checked: "rank(rho - 1) on V is at most rank(A - I)"]
    6. Conversely let $\Gamma,\rho,\gamma_x$ be given, $\rho$ orthogonal without loss, and $H_0$ a vector that only $1\in\Gamma$ fixes: all others lie in finitely many proper subspaces. $A(x)=\rho(\gamma_x)$, $B=0$ has the product in $\Gamma$ as its state, and
       $\operatorname{rank}(I-\rho(\gamma_x))$ reflections for $x$. The decoder applies $\pi$. [uses: grazzi25.thm3.amended]
    7. $S_4=W(B_3)/\{\pm1\}$ acts on the four diagonals of the cube; the mirrors of $W(B_3)$ lift two swaps and a product of two disjoint swaps, one reflection each. [checked: "S_4 by three mirrors"; "one reflection for each letter"; "a swap, a swap that meets it, two disjoint swaps"]
       In a faithful $\rho$ of $S_4$ itself $(0\,1)$ and its conjugate $(2\,3)$ would be reflections, of determinant $-1$, and so would $(0\,1)(2\,3)$, whose determinant is $1$. [checked: "the kernel: S_4"]
    8. $\Gamma=\langle a,b\mid a^4=b^4=1,bab^{-1}=a^{-1}\rangle$ of order $16$ maps onto the quaternion group by $a\mapsto i$, $b\mapsto j$; in $\mathbb R^4$ let $a$ turn the first plane by $90°$, and $b$ reflect it and turn the second. Every coset of the kernel has an element of rank $3$ at most.
       [checked: "quaternions: the output is the product"; "three reflections at most"; "they multiply to A"] A faithful real $\rho$ of the quaternion group itself has a part where $-1$ acts as $-1$: there $i,j$ make it a module over Hamilton's quaternions, its dimension is a multiple of $4$, and $-1$ has rank $4$ at least.
       [checked: "the kernel: the quaternion group"]
    9. Two do not suffice for $i,j$: lifts of them of rank $2$ have powers with conjugates $g,h$ in one Sylow $2$-subgroup, of rank $2$ at most, and $\pi(g)=\pm i$, $\pi(h)=\pm j$. They do not commute, so in $\langle g,h\rangle$ is a $w$ with $c=[w,x]$ a central involution, for $x=g$, say.
       Let $V$ be where $\rho(c)=-1$. On it $w$ takes eigenvectors $1$ of $g$ to eigenvectors $-1$. $g$ has no such eigenvector: with it $g^2$ would be $1$ or a reflection, and squares have no determinant $-1$. So $\dim V\le2$. Both $g,h$ are $1$ beside $V$: otherwise each part has rank $1$ at most, and the square is $1$.
       On $V$ $g$ and $w$ anticommute, so their squares are numbers, $\pm1$: $g^2=c$, and $w^2=c$ or $1$. The former makes $V$ a module over the quaternions, of dimension $4$ at least. So $w^2=1$, $\pi(w)=\pm1$ is central, and $-1=\pi(g^2)=\pi([w,g])=1$. [checked: "the kernel: the quaternion group"]
    10. Steps 1 to 6 hold for every layer, group and $r$. [checked: "the kernel: the least number of factors is the least rank over covers"]
    """
    proof.formally(
        "the kernel: the least number of factors is the least rank over covers",
        theorem,
        whole="every finite group, alphabet, layer and r; S_4 with its three letters; the quaternion group with all elements",
        differs="a real closed field for the reals",
    )
    real = "a real closed field for the reals"
    proof.formally("the kernel: S_4 takes one factor, its own representations two", four, differs=real)
    proof.formally("the kernel: the quaternion group takes three factors, its own representations four", eight, differs=real)
    for _, tracked in proof.each(
        "layers of S_3, Z_3, A_4, S_4 and the quaternion group, with and without a memory of two letters", _layers(proof)
    ):
        tracked = layer_of(tracked)
        _, moves = tracked.states()
        proof.holds("the state determines the product", all(len(gs) == 1 for gs in tracked.products(moves).values()))
        found = carried(tracked, word_of)
        proof.exactly("e is idempotent", [found.idempotent[q] for q in found.idempotent], found.idempotent)
        permutes = all(sorted(lift) == list(range(len(found.points))) for lift in found.lifts.values())
        proof.holds("e x e permutes the states of e", permutes)
        if permutes:
            _carries(proof, found, tracked)
    mirrors = cube()
    what = "S_4 by three mirrors: the output is the product, on all words"
    computes(proof, what, cover_layer(mirrors), _times, mirrors.identity, sorted(mirrors.elements), lambda g: g)
    types = sorted(sorted(map(len, householder.cycles(g))) for g in mirrors.elements)
    proof.exactly("a swap, a swap that meets it, two disjoint swaps", types, [[1, 1, 2], [1, 1, 2], [2, 2]])
    for A, _ in mirrors.maps.values():
        proof.exactly("one reflection for each letter", len(householder.reflections(A)), 1)
    covered = quaternions()
    what = "quaternions: the output is the product, on all words"
    computes(proof, what, cover_layer(covered), _times, covered.identity, sorted(covered.elements), lambda g: g)
    for A, _ in covered.maps.values():
        factors = householder.reflections(A)
        proof.holds("three reflections at most", len(factors) <= 3)
        proof.exactly("they multiply to A", householder.product(factors, len(A)), A)
    i, j = _named(covered, 1), _named(covered, 4)
    proof.exhibit("the quaternion group with three reflections: i and j", i=covered.maps[i][0], j=covered.maps[j][0])


def _carries(proof: Proof, found: covers.Carried, tracked: Tracked) -> None:
    """Steps 3 to 5."""
    reached = _closed(found, tracked)
    proof.holds("products of lifts determine products of letters, and linear maps", all(len(pairs) == 1 for pairs in reached.values()))
    group = {g for pairs in reached.values() for _, g in pairs}
    proof.exactly("all of G is covered", len(group), len(_generated(list(tracked.elements.values()))))
    linear = {exact.freeze(M) for pairs in reached.values() for M, _ in pairs}
    proof.exactly("only the identity has linear part 1: as many maps as elements", len(linear), len(reached))
    for x, (A, _) in tracked.maps.items():
        rank = exact.rank(A - exact.identity(len(A)))
        proof.holds("rank(rho - 1) on V is at most rank(A - I)", found.rank(found.linear[x]) <= rank)


def _times(g: Images, x: Images) -> Images:
    return compose(x, g)


def _named(tracked: Tracked, image: int) -> Images:
    """The element that takes the first point to ``image``."""
    return next(g for g in tracked.elements.values() if g[0] == image)


def _generated(letters: Sequence[Images]) -> set[Images]:
    found = {tuple(range(len(letters[0])))}
    waiting = list(found)
    for g in waiting:
        new = {compose(x, g) for x in letters} - found
        found |= new
        waiting += sorted(new)
    return found


def _forgetful(tracked: Tracked) -> Tracked:
    return tracked._replace(maps={x: (A * 0, B) for x, (A, B) in tracked.maps.items()})


def _quaternions_alone() -> Tracked:
    """Left multiplication by the eight quaternions on R^4."""
    i = exact.rationals([[0, -1, 0, 0], [1, 0, 0, 0], [0, 0, 0, -1], [0, 0, 1, 0]])
    j = exact.rationals([[0, 0, -1, 0], [0, 0, 0, 1], [1, 0, 0, 0], [0, -1, 0, 0]])
    powers = [exact.identity(4), i, i @ i, i @ i @ i]
    matrices = {f"i^{p} j^{q}": A @ j if q else A for q in range(2) for p, A in enumerate(powers)}
    elements = covers.quaternion_group(matrices)
    return by_matrices(
        {elements[x]: A for x, A in matrices.items()}, exact.rationals([[1], [0], [0], [0]]), {g: g for g in elements.values()}
    )


# -- symmetric and alternating groups ----------------------------------------------------------------------------------------


def _of_each_type(n: int) -> list[Images]:
    """A permutation of n points for each cycle type."""

    def partitions(rest: int, most: int) -> Iterator[tuple[int, ...]]:
        if rest == 0:
            yield ()
        for k in range(min(rest, most), 0, -1):
            yield from ((k, *others) for others in partitions(rest - k, k))

    found = []
    for lengths in partitions(n, n):
        g: list[int] = []
        for k in lengths:
            g += [len(g) + (i + 1) % k for i in range(k)]
        found.append(tuple(g))
    return found


def least_matrix(g: Images) -> Array:
    """The permutation matrix if the number of points is odd or 2, else the one with its sign on vectors of sum 0."""
    return permutation_matrix(g) if len(g) % 2 or len(g) == 2 else covers.signed_permutation_matrix(g)


def _conjugate(g: Images, t: Images) -> Images:
    inverse = tuple(sorted(range(len(t)), key=t.__getitem__))
    return compose(t, compose(g, inverse))


FIVE: Images = (1, 2, 3, 4, 0)


@claim(
    "new.automata.fewest-reflections.symmetric",
    place="after grazzi25 Theorem 3",
    title="one layer for Sₙ, all elements as letters: exactly 1, 2, 2, 4, 4 reflections for n = 2, …, 6; A₅: 2, A₆: 4",
    says=r"The fewest factors per letter of a one-layer network with finitely many states that outputs products in $S_n$, all elements as letters, are $1,2,2,4,4$ for $n=2,\dots,6$; at most $n-1$ for odd $n$ and $n-2$ for even $n\ge4$, at least $4$ for $n\ge5$. "
    r"$A_4$ and $A_5$ take $2$, $A_6$ takes $4$; cyclic and dihedral groups with an element of order $\ge3$ take $2$. For $S_5$ one $5$-cycle among generating letters forces $4$. "
    r"So Theorem 3's $k-1=n-1$ is the least for $S_2,S_3,S_5$, and one more than needed for every even $n\ge4$.",
    hypotheses=("as in new.automata.fewest-reflections: finitely many states, any decoder, any width, any B, no gate",),
    known="Siems et al., DeltaProduct (arXiv 2502.10297) have the upper bounds n - 1 for S_n and 2 for A_5 in one layer, and S_n in four layers with one reflection. "
    "Siems, Grazzi et al., Complex KDA (arXiv 2609.24797, September 2026), Theorem 4: S_5 needs 4 if no transition expands, gates and several heads allowed.",
    remarks=("All larger n: new.automata.fewest-reflections.every-symmetric, which rests on more of group theory.",),
    uses=("grazzi25.thm3",),
    construction="lemmata.constructions.automata.layers.covers.signed_permutation_matrix",
    sabotages={
        "the sign is left out": {"matrix": permutation_matrix},
        "a conjugate by an even permutation": {"odd": (1, 2, 0, 3, 4)},
        "a 5-cycle and its own power": {"odd": (0, 2, 4, 1, 3)},
    },
)
def fewest_for_symmetric_groups(proof: Proof, matrix=least_matrix, odd: Images = (1, 0, 2, 3, 4)) -> None:
    r"""A lift of odd order has even rank, so rank $3$ would be a rotation of one plane, and two of these live in $\mathbb R^4$, where groups are known.

    1. Upper bounds. $P_g$ has rank $n-c(g)\le n-1$. For even $n$ take $\operatorname{sgn}(g)P_g$ on the vectors of sum $0$: an even $g$ has $c(g)\ge2$, so rank $n-c(g)\le n-2$; an odd $g$ has rank $n-1$ minus the number of its cycles of even length, which is odd, so at least
       $1$. [checked: "n - cycles, or n - 1 - even cycles"; "n - 1 at most, n - 2 for even n"; "reflections multiply to it"] It is faithful, since $P_g\ne\pm1$ there unless $g=1$. [checked: "S_4: the output is the product"; "S_5: the output is the product"]
    2. $S_2$ takes $1$, $A_n\subset S_n$ no more than $S_n$ (rotations of the cube for $A_4$), $A_5$ two: [uses: new.automata.a5] Turns and mirrors of the plane do cyclic and dihedral groups. [uses: grazzi25.thm3.cyclic]
    3. Lower bounds. By the theorem a layer gives a finite $\Gamma\subset O(V)$, $\pi:\Gamma\to G$ onto, and lifts of the letters with $\operatorname{rank}(1-\gamma_x)\le r$. A real $\gamma\ne1$ of rank $1$ and finite order is a reflection: a letter of order $\ge3$ needs $2$. [uses: new.automata.fewest-reflections]
    4. Let $c$ be a letter of order $5$, $\gamma_c$ of rank $\le3$. A power $\gamma$ of $\gamma_c$ has order $5^a$ and still lifts $c$; its eigenvalues $\ne1$ come in conjugate pairs, so it has rank $2$: a rotation of a plane by an angle $\theta$. Each conjugate $\gamma'=\tau\gamma\tau^{-1}$ lifts
       $d=\pi(\tau)c\pi(\tau)^{-1}$ and turns a plane by the same angle. $\Delta=\langle\gamma,\gamma'\rangle$ fixes all vectors orthogonal to both planes: a finite subgroup of $SO(4)$ that maps onto $\langle c,d\rangle$. [prose]
    5. Let $L,R:\Delta\to SO(3)$ be the two maps of $SO(4)=(S^3\times S^3)/\pm1$; together they have the kernel $\Delta\cap\{\pm1\}$. For $x\mapsto ax\bar b$ to fix some $x\ne0$ is $b=x^{-1}ax$; in a suitable basis it turns one plane by the angle by which $a$ turns $\mathbb R^3$. So
       $L(\gamma),R(\gamma),L(\gamma'),R(\gamma')$ are rotations by the same angle $\theta$. [prose]
    6. Let $\langle c,d\rangle$ be simple and not abelian. $\pm1$ maps to its centre, so to $1$; the kernels of $L$ and $R$ in $\Delta/\pm1$ commute, so $\pi$ is trivial on one, say that of $L$, and $\langle c,d\rangle$ is a quotient of the finite rotation group $L(\Delta)$. These are cyclic, dihedral,
       of order $12$, $24$, or the $60$ of the icosahedron, so $L(\Delta)\cong A_5\cong\langle c,d\rangle$. [cited: Klein, finite rotation groups]
    7. $A_6$, and $S_n\supset A_6$ for $n\ge6$: a $5$-cycle and a conjugate generate $A_6$, not $A_5$. So rank $\le3$ is impossible. [checked: "two conjugate 5-cycles generate A_6"]
    8. $S_5$: let $\pi(\tau)$ be odd. Then $d$ is not conjugate to $c$ in $A_5$, and $c,d$ generate $A_5$. But rotations of the icosahedron of order $5$ by the same angle are conjugate in its group, so $c,d$ are, by the isomorphism of step 6: impossible. [checked: "an odd conjugate of c is none in A_5"; "c and its odd conjugate generate A_5"; "equal angle, conjugate"]
       Any odd $t$ with $\langle c,tct^{-1}\rangle=A_5$ serves, such as $(0\,1)$, and $\Gamma$ has an element over it as the letters generate $S_5$. [checked: "t is odd"]
    9. For $n\ge6$ the formulas of step 1 are looked at on the cycle types of the scope; they hold for all $n$ as said there. [prose]
    """
    largest = proof.pick(6, 8, 9)
    for n in proof.every(f"a permutation of each cycle type, 2 <= n <= {largest}", range(2, largest + 1)):
        for g in _of_each_type(n):
            A, lengths = matrix(g), [len(c) for c in householder.cycles(g)]
            signed = n % 2 == 0 and n > 2 and is_odd(g)
            expected = n - 1 - sum(k % 2 == 0 for k in lengths) if signed else n - len(lengths)
            rank = exact.rank(A - exact.identity(n))
            proof.exactly("n - cycles, or n - 1 - even cycles", rank, expected)
            proof.holds("n - 1 at most, n - 2 for even n > 2", rank <= (n - 2 if n % 2 == 0 and n > 2 else n - 1))
            if n <= 6:
                factors = householder.reflections(A)
                proof.exactly(
                    "reflections multiply to it", (len(factors), exact.freeze(householder.product(factors, n))), (rank, exact.freeze(A))
                )
    four = _of_points(sorted(permutations(range(4))), matrix)
    computes(
        proof,
        "S_4: the output is the product, with all 24 elements as letters",
        cover_layer(four),
        _times,
        four.identity,
        sorted(four.elements),
        lambda g: g,
    )
    five = _of_points([FIVE, (1, 0, 2, 3, 4)], matrix)
    computes(
        proof,
        "S_5: the output is the product, with a 5-cycle and a swap",
        cover_layer(five),
        _times,
        five.identity,
        sorted(five.elements),
        lambda g: g,
    )
    proof.holds("t is odd", is_odd(odd))
    even = sorted(even_permutations_as_rotations())
    d = _conjugate(FIVE, odd)
    proof.holds("an odd conjugate of c is none in A_5", all(_conjugate(FIVE, g) != d for g in even))
    proof.exactly("c and its odd conjugate generate A_5", _generated([FIVE, d]), set(even))
    turns = {g: A for g, A in even_permutations_as_rotations().items() if sorted(map(len, householder.cycles(g))) == [5]}
    for g, A in turns.items():
        for h, C in turns.items():
            if A.trace() == C.trace():
                proof.holds("equal angle, conjugate in the icosahedron's group", any(_conjugate(g, t) == h for t in even))
    c6 = (1, 2, 3, 4, 0, 5)
    d6 = _conjugate(c6, (5, 0, 2, 3, 4, 1))
    generated = _generated([c6, d6])
    same = any(_conjugate(c6, g) == d6 for g in generated)
    proof.exactly("two conjugate 5-cycles generate A_6", (len(generated), any(map(is_odd, generated)), same), (360, False, True))
    proof.exhibit("reflections for each cycle type of S_6, by the sign times the permutation", **_table(6))


def _table(n: int) -> dict[str, int]:
    types = _of_each_type(n)
    return {" ".join(str(len(c)) for c in householder.cycles(g)): exact.rank(least_matrix(g) - exact.identity(n)) for g in types}
