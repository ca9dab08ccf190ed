"""More words that leave layer 1 where it is, found by folding; and two layers where loops over a machine of one layer satisfy e f e = f e."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from random import Random
from typing import Any

import sympy

from ...constructions.automata import Automaton
from ...constructions.automata.read.families import all_automata, random_automaton
from ...constructions.languages import Language, language_of
from ...constructions.languages.folded_layers import folded_bound
from ...constructions.languages.two_layers import fibres, last_uses, two_layers
from ..claim import claim
from ..evidence import Proof
from .finite_layers import collapsed, one_hot_columns
from .layers_needed import FROM_BELOW, NO_WINDOWS, ONE_PRODUCT_EACH, TRACKS, built, constant_letters, least_layers, stacks
from .margin_stacks import MARGIN, READS
from .one_layer import CLOSED, DECODER, EXACT, UNIT_KEYS, any_factors, has, languages

#: letters of four states that take three layers, where contents without folding give two
FOUR_STATES = ((0, 0, 1, 2), (1, 2, 3, 1))


def by_folding(language: Language, exact: bool) -> int:
    """The bound by foldings, for the maps of a language's letters."""
    return folded_bound(language.machine.delta.tolist(), exact)


@claim(
    "new.automata.depth.foldings",
    place="after grazzi25 Sec. 4.3 (number of layers)",
    title="a larger lower bound on layers of norm at most 1, by words that Stallings' folding closes",
    says=r"Let $T$ be the semigroup of maps of an automaton's nonempty words. For an idempotent $z\in T$ let $H_z$ be the subgroup of the free group on the letters that the words acting as $z$ generate, $V_z$ the maps of the nonempty words in $H_z$, and $U_z$ the least subsemigroup of $V_z$ with all its idempotents and, for each $k$ in it and $x,y\in V_z$ with $yxy=y$, with $xky$ and $ykx$. "
    r"For idempotents $z_1,\dots,z_r$ let $z=z_1\cdots z_r$, $U_i$ what $U_{z_i},\dots,U_{z_r}$ generate, and $T_z$ what the words $uz_i\cdots z_r$, $u\in U_i$, $i\le r$, do to the points that they lead $X.z$ to. Let $D(T)=0$ if $T$ has one element, and otherwise $D(T)=1+\max\max(m_z,D(T_z))$ over all such sequences, where $m_z=1$ if $uz\ne z$ for some $u\in U_1$, and $m_z=0$ if not. Let $D'(T)$ be defined alike with $r=1$. "
    r"A stack of layers $h\mapsto Ah+b$, $\|A\|\le1$, that tracks the automaton has at least $D(T)$ layers with finitely many exact states, and at least $D'(T)$ with bounded states and a margin, unless all its letters are constant.",
    hypotheses=(EXACT, MARGIN, ONE_PRODUCT_EACH, FROM_BELOW, READS, DECODER, NO_WINDOWS, CLOSED, UNIT_KEYS, TRACKS),
    known="foldings: Stallings (1983), from memory. The elements over 1 under all relational morphisms into finite groups are U_z by Ash's theorem (1991, from memory; its version for inverse monoids in arXiv 2507.11685, abstract read); only the easy half is used. Their use for the depth of layers was not found.",
    remarks=(
        "Sequences of at most three idempotents are computed; each choice of them gives a bound.",
        "Larger subsemigroups with z in their least ideal may replace the words of value z, by the same proof. In 1,535 random automata this gave no larger bound.",
        "The letters (0, 0, 1, 2) and (1, 2, 3, 1) of four states take three layers by it, exactly or with a margin; new.automata.depth.exact says two.",
    ),
    construction="lemmata.constructions.languages.folded_layers.folded_bound",
    sabotages={
        "columns are one-hot, so that sums of moduli do not grow": {"draw": one_hot_columns},
        "transposes do not undo isometries": {"transposed": lambda P: sympy.Symbol(f"{P}'", commutative=False) / 2},
        "a layer more than the bound": {"least": lambda language, exact: by_folding(language, exact) + 1},
    },
)
def closed_words_leave_a_layer_alone(
    proof: Proof,
    draw: Callable = any_factors,
    transposed: Callable[[Any], Any] = lambda P: sympy.Symbol(f"{P}'", commutative=False),
    least: Callable[[Language, bool], int] = by_folding,
) -> None:
    r"""Words with the value of an idempotent are isometries where that idempotent projects, and isometries can be undone, which is folding.

    1. Let $(z,\hat z)$ be an idempotent in the least ideal of the semigroup of pairs (what a word does to the automaton, what it does to layer 1), over all words that act as $z$. With a margin, take the closure of these pairs, a compact semigroup. Let $Z$ be the linear part of $\hat z$ on differences of states, an orthogonal projection with the image $W$. [uses: new.automata.depth.exact, new.automata.depth.margin]
    2. The least ideal is completely simple: for a word $w$ that acts as $z$, $\hat z\hat w\hat z$ lies in a group with the unit $\hat z$, finite or compact. So its linear part is an isometry of $W$, and as norms are at most 1, $w$ maps $W$ onto $W$ as an isometry. [cited: Rees and Suschkewitsch: the least ideal of a finite or compact semigroup] [prose]
    3. Where $|Px|=|x|$ and $\|P\|\le1$, $P^\top Px=x$. So the prefixes of such words carry $W$ to subspaces, as isometries which transposes undo. [checked: "a transpose undoes an isometry"]
    4. If two prefixes $v,v'$ act alike, some $t$ completes both to words that act as $z$, and both carry $W$ to the preimage $P_t^\top W$: a subspace belongs to each vertex of the graph of these words. If one letter leads two vertices to one, its transpose leads back to both, so they have one subspace. If it leads one vertex to two, likewise. So the folded graph has a subspace for each place, and every word that it closes acts on $W$ as an isometry. Stallings: these are the words in $H_z$. [cited: Stallings 1983] [prose]
    5. So the words of $H_z$ act on $W$ through a group $\Gamma$, finite or compact, and $V_z$ is related to $\Gamma$. Idempotents of $V_z$ are related to $1$. If $k$ is, $x$ to $g$ and $y$ to $h$ with $yxy=y$, then $y=y(xy)^m$ is related to $h(gh)^m$, whose limit points contain $g^{-1}$; so $xky$ and $ykx$ are related to $1$, and so is all of $U_z$. [prose]
    6. Let $u\in U_z$, with a word (with a margin a limit of words) that acts as $u$, and as $1$ on $W$ with the linear part $P$. For $x\in W$, $|P^\top x-x|^2\le|x|^2-2\langle x,Px\rangle+|x|^2=0$, so $ZP=Z$. [checked: "what a word over 1 leaves"]
    7. Hence $t=Z(s.u-s)$ is the same for all states and $Z(s.u^m-s)=mt$ is bounded: $t=0$, and $s.u\hat z=s.\hat z$. [checked: "one more u adds t"] [prose]
    8. With exact states the projections of $\hat z_1,\dots,\hat z_r$ commute, and $\hat z_i\cdots\hat z_r$ has their product as its linear part. So $s.u\hat z_i\cdots\hat z_r=s.\hat z_i\cdots\hat z_r$ for $u\in U_i$: from $p=s.\hat z_1\cdots\hat z_r$ each word $u\hat z_i\cdots\hat z_r$ leads back to $p$, since $z_i\cdots z_r u$ is a product of the same words. [uses: new.automata.one-layer.norm] [prose]
    9. From $p$ on the layers above track $T_z$, by their states alone, and induction gives the bound, as in the two claims without foldings. One layer on top of none tells $u z$ from $z$ never. [uses: new.automata.depth.exact, new.automata.depth.margin]
    10. Beside the argument. [checked: "a stack has as many layers"; "no network that is built has fewer layers"; "at least the bound without foldings"; "two without foldings, three with them"] [prose]
    """
    P, x, z = sympy.symbols("P x z", commutative=False)
    Pt = sympy.Symbol("P'", commutative=False)
    back = transposed(P)
    lost = sympy.expand((z * back * P - z) * (back * P * x - x))
    parts = sympy.expand((z * Pt * P) * (Pt * P * x) - 2 * z * Pt * P * x + z * x)
    proof.symbolically("a transpose undoes an isometry: |P'Px - x|^2", lost, parts, "x, z = x^T, P' = P^T")
    left = sympy.expand((z * P - z) * (back * x - x))
    proof.symbolically(
        "what a word over 1 leaves: |P'x - x|^2", left, sympy.expand(z * P * Pt * x - z * P * x - z * Pt * x + z * x), "x, P"
    )
    Z, y, c = sympy.symbols("Z y c", commutative=False)
    proof.symbolically(
        "one more u adds t = Z c",
        collapsed(sympy.expand(Z * (y + c)) - sympy.expand(Z * y), Z),
        Z * c,
        "Z with Z U = Z, state y, input c of u",
    )
    count, others, largest = proof.pick((16, 3, 2), (40, 10, 3), (300, 60, 3))
    with proof.beside():
        describe = f"{count} random layers and {count // 4} random stacks of two, two letters of up to three factors with writes, seed 57"
        for layers, language in proof.each(describe, stacks(57, count, draw)):
            proof.holds("a stack has as many layers as the bounds for its own states", least(language, True) <= layers)
            proof.holds("a stack has as many layers as the bounds, with a margin", least(language, False) <= layers)
        for language in proof.every(f"all automata with at most {largest} states and 2 letters", languages(largest)):
            for exact in (True, False):
                enough = max(language.machine.n - 1, 0)
                folded = least(language, exact)
                proof.holds("at least the bound without foldings", least_layers(language, exact) <= folded)
                proof.holds("at most one layer less than states", folded <= enough or constant_letters(language))
        rng = Random(58)
        drawn = [random_automaton(rng, 4, 2).reachable() for _ in range(others)]
        for automaton in proof.each(f"{others} random automata with up to 4 states, compiled, seed 58", drawn):
            folded = least(language_of(automaton, tracked=True), True)
            proof.holds("no network that is built has fewer layers", folded <= max(built(automaton), 1))
        for letters in proof.each("the letters (0, 0, 1, 2), (1, 2, 3, 1)", [FOUR_STATES]):
            language = language_of(Automaton({"ab"[i]: f for i, f in enumerate(letters)}, 3), tracked=True)
            found = (least_layers(language, True), *(by_folding(language, exact) for exact in (True, False)))
            proof.exactly("two without foldings, three with them", found, (2, 3, 3))


# -- two layers are enough ---------------------------------------------------------------------------------------------------------


def consolidated(automaton: Automaton, moves: dict[Any, tuple[int, ...]], most: int = 60) -> Automaton | None:
    """The automaton above a machine of last uses: its states are pairs of a place and a state that occurs there, and one dead state, for letters read at other places.

    None for more than ``most`` states.
    """
    start, step = last_uses(moves)
    at = fibres(automaton, start, step)
    number = {(p, q): i for i, (p, q) in enumerate((p, q) for p, states in at.items() for q in states)}
    dead = len(number)
    if dead >= most:
        return None
    table = {}
    for p, states in at.items():
        for x, row in automaton.table.items():
            images = [dead] * (dead + 1)
            for q in states:
                images[number[p, q]] = number[step(p, x), row[q]]
            table[p, x] = images
    return Automaton(table, number[start, automaton.start])


def open_machines(states: int) -> Iterator[Automaton]:
    """Automata with so many states, all reachable, and two letters that one layer does not track, each machine once."""
    seen = set()
    for automaton in all_automata(states, 2):
        key = tuple(sorted(tuple(f) for f in automaton.table.values()))
        if key not in seen and automaton.reachable().n == states:
            seen.add(key)
            if not has(language_of(automaton, tracked=True), "efe-is-fe"):
                yield automaton


@claim(
    "new.automata.depth.two-layers",
    place="after grazzi25 Sec. 4.3 (number of layers)",
    title="two layers suffice if, over a machine of one layer, idempotent loops satisfy efe = fe at every place",
    says=r"Let a machine $P$ read an automaton's letters, with idempotents that satisfy $efe=fe$. Let $X_p$ be the automaton's states that occur with the place $p$ of $P$. If for every $p$ the idempotents among the maps of $X_p$ by words that lead $P$ from $p$ to $p$ satisfy $efe=fe$, then two layers with partial permutation matrices and finitely many exact states track the automaton. "
    r"For $P$ one may take the product of the letters in a finite group together with the order in which the pairs (product before the letter, letter) were last read.",
    hypotheses=(EXACT, FROM_BELOW, "the upper layer reads the lower one's state before the letter"),
    known="that efe = fe is local, by consolidating a category, follows Tilson (1987); the converse for one layer is Ash's theorem with theorems of Tilson and of Jones and Szendrei, from memory (new.automata.one-layer.norm.converse says what was read). That all automata of two layers arise so, for large enough groups, is likely and not claimed.",
    remarks=(
        "A search over groups is no decision: where none is found the number of layers stays open.",
        "With k layers for P, k + 1 layers track the automaton, by the same proof.",
    ),
    construction="lemmata.constructions.languages.two_layers.two_layers",
    sabotages={
        "the lower layer has no group": {"enough": lambda automaton: dict.fromkeys(automaton.table, (0,))},
        "letters may be read at any place": {"above": lambda automaton, moves: automaton},
    },
)
def loops_over_one_layer(
    proof: Proof,
    enough: Callable[[Automaton], dict[Any, tuple[int, ...]] | None] = lambda automaton: two_layers(automaton, 2),
    above: Callable[[Automaton, dict[Any, tuple[int, ...]]], Automaton | None] = consolidated,
) -> None:
    r"""The upper layer tracks an automaton whose letters are pairs (place, letter), with a dead state for letters read elsewhere.

    1. $P$ is tracked by one layer with partial permutation matrices. [uses: new.automata.one-layer.norm.converse]
    2. Let $Q$ have the states $(p,x)$, $x\in X_p$, and a dead state. Its letter $(p,a)$ takes $(p,x)$ to $(p.a,x.a)$, and all states elsewhere to the dead one. [prose]
    3. A word of $Q$ other than the empty one takes all states at all places but one, $p$, to the dead state, and $X_p$ to one $X_{p'}$. If it is idempotent and not constant, $p'=p$ and it is a loop at $p$. Let $e,f$ be two such. If they are loops at different places, $ef$ and $fe$ are the dead state, and $efe=fe$. If at one place, $efe=fe$ by hypothesis; with the empty word and the dead state too. [checked: "idempotents of the machine above satisfy e f e = f e"] [prose]
    4. So one layer tracks $Q$, reading $p$ before the letter and the letter, and its states on the words that occur are those of the automaton. [uses: new.automata.one-layer.norm.converse]
    5. The products in a group with the order of last uses are a machine of one layer, by the construction of the same claim. [uses: new.automata.one-layer.norm.converse]
    6. Beside the argument: the bound by foldings is at most 2. [checked: "the bound is at most two"] [prose]
    """
    states, most = proof.pick((3, 20), (3, 120), (3, 1000))
    found = tested = 0
    machines = list(islice(open_machines(states), most))
    for automaton in proof.each(f"the first {most} automata with {states} states and two letters that take more than one layer", machines):
        moves = enough(automaton)
        if moves is None:
            continue
        found += 1
        upper = above(automaton, moves)
        if upper is not None:
            tested += 1
            proof.holds("idempotents of the machine above satisfy e f e = f e", has(language_of(upper, tracked=True), "efe-is-fe"))
        proof.holds("the bound is at most two", by_folding(language_of(automaton, tracked=True), True) <= 2)
    proof.holds("some machines above are looked at", found > 0 and tested > 0)
