"""The fewest reflections per letter by a group's own representations, from characters; abelian groups, whose covers need far fewer."""

from __future__ import annotations

from itertools import product
from math import prod

from ...constructions import householder
from ...constructions.automata.layers.covers import Images, abelian_by_cover, cover_layer
from ...constructions.automata.read.sources import named_group
from ...constructions.householder import compose
from ...numerics.characters import Characters, RealIrreducible, fewest_by_own
from ..claim import claim
from ..closure import computes
from ..evidence import Proof

#: groups and the fewest reflections of their own representations, all elements as letters
TABLE = {
    **{f"Z{m}": 1 if m == 2 else 2 for m in range(2, 25)},
    **{f"D{m}": 2 for m in range(3, 13)},
    **{"S3": 2, "S4": 2, "S5": 4, "S6": 4, "S7": 6, "A4": 2, "A5": 2, "A6": 4, "A7": 6, "Q8": 4},
    **{"Z2xA4": 3, "Z2xS4": 3, "Z3xA4": 4, "S3xS3": 4},
}


def _cyclic_product(m: int, k: int) -> list[Images]:
    return list(named_group("x".join([f"Z{m}"] * k)).values())


@claim(
    "new.automata.fewest-reflections.abelian",
    place="after grazzi25 Theorem 3",
    title="one layer tracks every abelian group with two reflections per letter, though its own representations need ever more",
    says=r"For a finite abelian group $G\ne1$, all elements but $1$ as letters, the fewest factors per letter in one layer with finitely many states are $1$ if $g^2=1$ for all $g$, and $2$ otherwise. "
    r"Its own faithful representations need $k$ for $G=\mathbb Z_2^k$ and $2k$ for $\mathbb Z_m^k$, $m\ge3$: the gap between a group and its covers is not bounded.",
    hypotheses=("as in new.automata.fewest-reflections: finitely many states, any decoder, any width, any B, no gate",),
    known="Shakerinava, Khavari et al. (arXiv 2603.01959): one complex diagonal layer computes abelian groups and no others; there a letter may turn all coordinates. Characters modulo a prime: Burnside, Dixon (1967). "
    "The number of factors, by the same cover: the preprint How Many Householders Does State Tracking Need? (Hack-Nation, October 2026), Lemma L7.",
    construction="lemmata.constructions.automata.layers.covers.abelian_by_cover",
    sabotages={
        "quaternionic characters are taken for real ones": {"real_of": lambda c: _without_indicator(c)},
        "representations need not be faithful": {"fewest": lambda parts: (min(max(rho.ranks) for rho in parts), [])},
        "each letter turns the block of another": {"cover": lambda orders: _displaced(orders)},
    },
)
def abelian_groups(proof: Proof, real_of=lambda c: c.real, fewest=fewest_by_own, cover=abelian_by_cover) -> None:
    r"""Count for each cyclic subgroup separately how far its letters have turned it: the product of $G$ is the sum of these counts.

    1. Let each letter $g$ choose a cyclic subgroup $C_g\ni g$, and $\Gamma$ be the direct product of the chosen subgroups, which acts on a sum of planes, one for each (a line for order $2$): faithful. $\Gamma\to G$, $(c_1,c_2,\dots)\mapsto c_1c_2\cdots$ is a homomorphism as $G$ is abelian,
       and the letter $g$ is lifted to its own coordinate: a turn of one plane, so rank $2$, or $1$ if all orders are $2$. [uses: new.automata.fewest-reflections] [checked: "the output is the product"; "two reflections, one if all squares are 1"]
    2. No letter but $1$ has rank $0$, and an element of order $\ge3$ has no lift of rank $1$, which would be a reflection, of order $2$. So this is least. [uses: new.householder.rank] [prose]
    3. A faithful $\rho$ of $\mathbb Z_m^k$: let the prime $p$ divide $m$, odd if possible. On the subgroup $\mathbb Z_p^k$ of elements of order $p$ it is faithful, so it contains characters that generate the dual group, and $k$ of them that are a basis. Some $g$ is moved by all $k$, so the rank is $k$ at least,
       and $2k$ if these are not real, $p\ge3$; if $m$ is a power of $2$, $m\ge4$, they are restrictions of characters of $\mathbb Z_m^k$ that are not real, since real ones are trivial on squares. Coordinates as planes, or lines, attain it. [prose] [checked: "k lines or planes, by characters"]
    4. By characters: $\operatorname{rank}(1-\rho(g))=\dim\rho-\frac1{o(g)}\sum_j\chi(g^j)$ is a whole number below $p$, found modulo a prime $p\equiv1$ modulo the exponent; real representations by the indicator of Frobenius and Schur; a faithful sum of parts by search.
       [checked: "squares of dimensions add up to the order"; "characters are orthonormal"; "as many real representations as classes of g and its inverse"; "the table of groups"]
    """
    for orders in proof.each("Z_2^2, Z_2^3, Z_3^2, Z_2 x Z_4, Z_6, Z_2 x Z_6", _covered(proof)):
        tracked = cover(orders)
        name = " x ".join(f"Z_{m}" for m in orders)
        what = f"{name}: the output is the product, on all words"
        computes(
            proof,
            f"the output is the product: {what}",
            cover_layer(tracked),
            _times,
            tracked.identity,
            sorted(tracked.elements),
            lambda g: g,
            certify=len(orders) == 2 and prod(orders) < 9,
        )
        for A, _ in tracked.maps.values():
            proof.holds("two reflections, one if all squares are 1", len(householder.reflections(A)) <= (1 if max(orders) == 2 else 2))
    powers = [(2, k) for k in range(1, 5)] + [(m, k) for m in (3, 4, 5, 6) for k in (1, 2)]
    for m, k in proof.each("Z_2^k for k <= 4, Z_m^k for k <= 2, 3 <= m <= 6", powers):
        found, _ = fewest(real_of(Characters(_cyclic_product(m, k))))
        proof.exactly("k lines or planes, by characters", found, k if m == 2 else 2 * k)
    table = {name: r for name, r in TABLE.items() if proof.effort != "quick" or name in ("S3", "S4", "S5", "A5", "Q8", "D7", "Z12")}
    dimensions = {}
    for name in proof.each("groups of a table: cyclic and dihedral ones of order <= 24, small S_n and A_n, Q_8, products", table):
        group = Characters(list(named_group(name).values()))
        _are_characters(proof, group)
        parts = real_of(group)
        symmetric = {min(i, j) for i, j in enumerate(group.inverse)}
        proof.exactly("as many real representations as classes of g and its inverse", len(parts), len(symmetric))
        found, sum_of = fewest(parts)
        proof.exactly("the table of groups", found, table[name])
        dimensions[name] = (found, [rho.dimension for rho in sum_of])
    shown = {name: list(r) for name, r in dimensions.items() if name[0] not in "ZD" or "x" in name}
    proof.exhibit("own representations: the fewest reflections, and the dimensions of the parts", **shown)


def _covered(proof: Proof) -> list[tuple[int, ...]]:
    few = [(2, 2), (2, 4), (6,)]
    return few if proof.effort == "quick" else [*few, (2, 2, 2), (3, 3), (2, 6)]


def _are_characters(proof: Proof, group: Characters) -> None:
    """Modulo the prime, which divides no class's size, rows are orthonormal."""
    p, order = group.prime, len(group.elements)
    proof.exactly("squares of dimensions add up to the order", sum(row[0] ** 2 for row in group.table), order)
    sizes = [len(c) for c in group.classes]
    for (i, chi), (j, psi) in product(enumerate(group.table), repeat=2):
        if i <= j:
            total = sum(size * x * psi[k] for size, x, k in zip(sizes, chi, group.inverse, strict=True)) % p
            proof.holds("characters are orthonormal", total == (order % p if i == j else 0))


def _times(g: Images, x: Images) -> Images:
    return compose(x, g)


def _without_indicator(group: Characters) -> list[RealIrreducible]:
    """As if every character were that of a real representation."""
    found = []
    for row in group.table:
        fixed = [sum(row[j] for j in steps) * pow(len(steps), -1, group.prime) % group.prime for steps in group.powers]
        found.append(RealIrreducible(row[0], tuple(row[0] - f for f in fixed)))
    return found


def _displaced(orders: tuple[int, ...]):
    tracked = abelian_by_cover(orders)
    letters, maps = list(tracked.maps), list(tracked.maps.values())
    return tracked._replace(maps=dict(zip(letters, [*maps[1:], maps[0]], strict=True)))
