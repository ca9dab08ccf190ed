"""The fewest reflections per letter in one layer for dicyclic, Frobenius and other metacyclic groups (after grazzi25, Theorem 3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from math import gcd

from ...constructions import householder
from ...constructions.automata.layers.covers import cover_layer
from ...constructions.automata.layers.metacyclic import Element, Metacyclic, metacyclic_by_polygons
from ...constructions.householder import compose
from ..claim import claim
from ..closure import computes
from ..evidence import Proof

#: orders of two rotations, none by half a turn, that generate the rotations of a tetrahedron, a cube or an icosahedron
PAIRS = ({3}, {4}, {5}, {3, 4}, {3, 5})


class Table:
    """Products and orders of all elements of a group."""

    def __init__(self, group: Metacyclic):
        self.group = group
        self.one: Element = (0, 0)
        self.order = {g: len(self.powers(g)) for g in group.elements}

    def powers(self, g: Element) -> list[Element]:
        found, h = [self.one], g
        while h != self.one:
            found.append(h)
            h = self.group.times(g, h)
        return found

    def conjugates(self, g: Element) -> set[Element]:
        """The elements h g h^-1: what the generators and their inverses lead to."""
        times, found, new = self.group.times, {g}, [g]
        while new:
            x = new.pop()
            for h in ((1, 0), (0, 1)):
                y = times(times(h, x), self.powers(h)[-1])
                if y not in found:
                    found.add(y)
                    new.append(y)
        return found

    def restless(self) -> Iterator[tuple[Element, Element]]:
        """Pairs of elements of order at least 3 that do not commute; the first of them a^i b^j with i a divisor of m, or 0."""
        times, m = self.group.times, self.group.m
        large = [g for g in self.group.elements if self.order[g] >= 3]
        return ((g, h) for g in large if m % (g[0] or m) == 0 for h in large if times(g, h) != times(h, g))

    def sixth_power(self, g: Element, h: Element) -> bool:
        """(g h)^6 = 1 or (g h^-1)^6 = 1."""
        times = self.group.times
        return any(6 % self.order[times(g, k)] == 0 for k in (h, self.powers(h)[-1]))

    def is_power_group(self, p: int) -> bool:
        order = len(self.group.elements)
        while order % p == 0:
            order //= p
        return order == 1


@cache
def at_least(group: Metacyclic) -> int:
    """A lower bound: 1, 2, or 3 and 4 by two elements that do not commute, as two rotations of planes could not do."""
    table = Table(group)
    found = 1 if max(table.order.values()) <= 2 else 2
    for g, h in table.restless():
        orders = {table.order[g], table.order[h]}
        odd = all(k % 2 for k in orders)
        if orders not in PAIRS or (orders == {4} and not table.sixth_power(g, h)) or (odd and table.is_power_group(min(orders))):
            found = max(found, 4 if odd else 3)
    return found


@cache
def at_most(group: Metacyclic, by_polygons=Metacyclic.factors) -> int:
    """An upper bound: each letter by polygons, perhaps after a central element was split off, which turns a polygon, or a sign, of its own."""
    table, times = Table(group), group.times
    central = [z for z in group.elements if all(times(z, g) == times(g, z) for g in ((1, 0), (0, 1)))]
    alone = {g: by_polygons(group, g) for g in group.elements}
    return max(min(alone[times(g, z)] + min(table.order[z] - 1, 2) for z in central) for g in group.elements)


def presentations(largest: int) -> Iterator[Metacyclic]:
    """Metacyclic groups of order up to ``largest`` that are not abelian: t a divisor of m or 0, u the least of its powers by units."""
    for m in range(3, largest // 2 + 1):
        for s in range(2, largest // m + 1):
            for u in (u for u in range(2, m) if gcd(u, m) == 1 and pow(u, s, m) == 1):
                for t in (t for t in (0, *range(1, m)) if (u - 1) * t % m == 0 and (t == 0 or m % t == 0)):
                    group = Metacyclic(m, s, u, t)
                    if u == min(pow(u, k, m) for k in range(1, group.period) if gcd(k, group.period) == 1):
                        yield group


@cache
def _told_apart(group: Metacyclic) -> tuple:
    """What does not depend on the presentation: how many elements have which order, number of conjugates and of square roots."""
    table, times = Table(group), group.times
    roots = Counter(times(g, g) for g in group.elements)
    # as many conjugates as cosets of the centraliser
    conjugates = {g: len(table.conjugates(g)) for g in group.elements}
    return tuple(sorted(Counter((table.order[g], conjugates[g], roots[g]) for g in group.elements).items()))


@claim(
    "new.automata.fewest-reflections.metacyclic",
    place="after grazzi25 Theorem 3",
    title="one layer takes 3 reflections a letter for dicyclic groups, 4 for nonabelian order 3p; bounds for metacyclic groups",
    says=r"All elements as letters. (i) If two factors per letter suffice, two elements of order $\ge3$ that do not commute have orders $3,3$; $4,4$; $5,5$; $3,4$ or $3,5$, and if both are $4$, $(gh)^6=1$ or $(gh^{-1})^6=1$. If three suffice, two of odd order that do not commute have orders $3,3$; $5,5$ or $3,5$ and do not generate a $p$-group. "
    r"(ii) So the dicyclic group of order $4m$, $m\ge2$, takes exactly $3$; $\mathbb Z_m\rtimes\mathbb Z_4$ with $bab^{-1}=a^u$, $u^2\equiv-1$ modulo $m\ge5$, exactly $3$; a nonabelian group of order $3p$, $p\ge7$ prime, exactly $4$; a dihedral group with an element of order $\ge3$, $2$. "
    r"(iii) Of $109$ kinds of nonabelian metacyclic groups of order $\le60$, bounds by formulas meet for $54$; for $43$ of the others they are $3$ and $4$.",
    hypotheses=("as in new.automata.fewest-reflections: finitely many states, any decoder, any width, any B, no gate",),
    known="The preprint How Many Householders Does State Tracking Need? (Hack-Nation, October 2026) has an atlas of the 319 groups of order <= 63 with the value for 106 abelian and 32 other groups, and 2 as the lower bound of all the rest. "
    "Siems et al., DeltaProduct (arXiv 2502.10297): dihedral groups by two factors.",
    remarks=(
        "Characters are not needed: the groups are multiplied out from their presentations, and both bounds are counted.",
        "Smallest open cases, between 3 and 4: the semidihedral and the modular group of order 16, and S_3 x Z_3",
    ),
    construction="lemmata.constructions.automata.layers.metacyclic.metacyclic_by_polygons",
    sabotages={
        "a polygon less than a letter turns": {"by_polygons": lambda group, g: max(group.factors(g) - 1, 0)},
        "elements of order 6 may move each other": {"lower": lambda group: min(at_least(group), 2)},
        "each letter moves the polygons as another": {"layer_of": lambda group: _displaced(group)},
    },
)
def metacyclic_groups(proof: Proof, by_polygons=Metacyclic.factors, lower=at_least, layer_of=metacyclic_by_polygons) -> None:
    r"""Two planes that turn live in $\mathbb R^4$, where few finite groups are; and a cover may turn one polygon where the group itself turns many.

    1. Let $g,h$ of order $\ge3$ not commute, with lifts $\gamma,\delta$ of rank $\le2$. A lift of rank $1$ is a reflection, one of rank $2$ and order $\ge3$ turns a plane by an angle that is no half turn. [uses: new.automata.fewest-reflections, new.householder.rank]
       If $g$ has odd order and a lift of rank $3$, a power whose order has only primes of $g$'s order lifts $g$ too, has odd order, so even rank: $2$. [prose]
    2. $\Delta=\langle\gamma,\delta\rangle\subset SO(4)=(S^3\times S^3)/\pm1$ has images $L,R$ in $SO(3)$, in which $\gamma,\delta$ turn by the same angles as in $\mathbb R^4$ (step 5 of the claim on $S_n$). [uses: new.automata.fewest-reflections.symmetric] If $L$ and $R$ are cyclic, their lifts to $S^3$ commute, so $\gamma,\delta$ do. A finite group generated by two rotations,
       none a half turn, is cyclic or that of the tetrahedron, cube or icosahedron: so one of $L,R$ is one of these, and $\gamma,\delta$ have orders $3,3$; $3,4$; $4,4$; $3,5$ or $5,5$, of which those of $g,h$ are divisors $\ge3$. [cited: Klein, finite rotation groups]
    3. If both are $4$, $L$ and $R$ are cyclic or the cube's, where quarter turns about different axes have $ab$, $ab^{-1}$ of order $3$: for a sign $\gamma\delta^{\pm1}$ has images of order $1$ or $3$ in both, and its sixth power is $1$. For odd $p$ a Sylow $p$-subgroup of $L$ or $R$ is cyclic, so one of $\Delta$, or of a quotient, is abelian: $\langle g,h\rangle$ is no $p$-group.
       [prose]
    4. Upper bounds for $\langle a,b\mid a^m=1,b^s=a^t,bab^{-1}=a^u\rangle$. Let $k\ge1$ be least with $u^k=\pm1$. $b$ takes $m$-gon $0$ to $1$ to $\dots$ to $k-1$ and back, mirrored if $u^k=-1$, and turns a polygon of its own with as many corners as its order (none if $t=0$ and $b$ moves the others faithfully). $a$ turns polygon $0$ by a corner. The turns $(v_0,\dots,v_{k-1})\mapsto a^{\sum v_ru^r}$,
       $b\mapsto b$ are a homomorphism onto the group: $b$ takes $e_{k-1}$ to $\pm e_0$ and $u^{k-1}$ to $u^k=\pm1$. [checked: "the output is the product, on all words"]
    5. Powers of $a$: one polygon, $2$. A lift of $a^ib^j$: a cycle of $l$ polygons fixes a plane (rank $2l-2$), or a line if it comes back mirrored, whatever turns are put in ($2l-1$). If some cycle mirrors or $a^ib^j$ is conjugate to $b^j$ by a power of $a$, no more is needed; else one cycle does not return: $2$ more.
       [checked: "as many reflections as the formula says"] A central $z$ may be split off, $g=(gz)z^{-1}$: the direct product with a polygon or a sign for $z$ maps onto the group. [prose]
    6. Dicyclic, $s=2,u=-1,t=m/2$: powers of $a$: $2$; $a^ib$: mirrored, and $b$'s own polygon: $3$. $a$ and $b$ have orders $2m\ge4$ and $4$ and do not commute; for $m=2$ the products $ab^{\pm1}$ have order $4$: $3$ is least. [checked: "dicyclic: 3"]
       $u^2=-1$, $s=4$: $b$ takes two polygons round, mirrored: $3$; $a^ib^2$ mirrors both: $2$; orders $m\ge5$ and $4$: $3$ is least. [checked: "u^2 = -1: 3"] Order $3p$: $k=3$, $a$ takes $2$, the others, conjugate to $b^{\pm1}$, take $4$; orders $p\ge7$ and $3$: $4$ is least. [checked: "order 3p: 4"]
    7. The rest of (iii): both bounds for each presentation, $t$ a divisor of $m$. Kinds are told apart by the numbers of elements with given order, centraliser and roots; a kind counts as settled if the bounds meet and agree for all of its presentations. [checked: "109 kinds, bounds that meet"; "no upper bound is below a lower one"]
       Families of step 6 are for all $m$, $p$ as said there; the machine looks at those of the scope. [prose]
    """
    for group in proof.each("layers of the dicyclic group of order 12 and of Z_5 x| Z_4, all elements as letters", _closed(proof)):
        tracked = layer_of(group)
        what = f"the output is the product, on all words, for {group}"
        letters = sorted(tracked.elements)
        computes(proof, what, cover_layer(tracked), lambda g, x: compose(x, g), tracked.identity, letters, lambda g: g, certify=False)
        most = max(len(householder.reflections(A)) for A, _ in tracked.maps.values())
        proof.exactly("as many reflections as the formula says", most, max(by_polygons(group, g) for g in group.elements))
    for m in proof.every("m <= 20", range(2, 21)):
        dicyclic = Metacyclic(2 * m, 2, 2 * m - 1, m)
        proof.exactly("dicyclic: 3", (lower(dicyclic), at_most(dicyclic, by_polygons)), (3, 3))
        for u in (u for u in range(2, m) if m >= 5 and (u * u + 1) % m == 0):
            quarter = Metacyclic(m, 4, u, 0)
            proof.exactly("u^2 = -1: 3", (lower(quarter), at_most(quarter, by_polygons)), (3, 3))
    for p in proof.every("p = 7, 13, 19, 31", (7, 13, 19, 31)):
        u = next(u for u in range(2, p) if pow(u, 3, p) == 1)
        if p == 7:
            most = max(len(householder.reflections(A)) for A, _ in layer_of(Metacyclic(p, 3, u, 0)).maps.values())
            proof.exactly("as many reflections as the formula says, order 21", most, 4)
        proof.exactly("order 3p: 4", (lower(Metacyclic(p, 3, u, 0)), at_most(Metacyclic(p, 3, u, 0), by_polygons)), (4, 4))
    kinds: dict[tuple, list[tuple[int, int]]] = {}
    for group in proof.every("metacyclic groups of order <= 60", list(presentations(60))):
        kinds.setdefault(_told_apart(group), []).append((lower(group), at_most(group, by_polygons)))
    bounds = [(max(low for low, _ in found), min(high for _, high in found)) for found in kinds.values()]
    proof.holds("no upper bound is below a lower one", all(low <= high for low, high in bounds))
    settled = sum(len(set(found)) == 1 and found[0][0] == found[0][1] for found in kinds.values())
    proof.exactly("109 kinds, bounds that meet, and 3 and 4", (len(kinds), settled, bounds.count((3, 4))), (109, 54, 43))
    proof.exhibit(
        "kinds of nonabelian metacyclic groups of order <= 60 by (lower, upper) bound",
        **{str(b): n for b, n in sorted(Counter(bounds).items())},
    )


def _closed(proof: Proof) -> list[Metacyclic]:
    few = [Metacyclic(6, 2, 5, 3), Metacyclic(5, 4, 2, 0)]
    return [*few, Metacyclic(7, 3, 2, 0)] if proof.effort == "thorough" else few


def _displaced(group: Metacyclic):
    """Each letter moves the polygons as the next one should."""
    tracked = metacyclic_by_polygons(group)
    maps = list(tracked.maps.values())
    return tracked._replace(maps=dict(zip(tracked.maps, [*maps[1:], maps[0]], strict=True)))
