"""How many layers of norm at most 1 an automaton needs: a lower bound for every automaton, in two arithmetics, and automata for which it is sharp."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

import sympy

from ...constructions.automata import Automaton, compile_automaton
from ...constructions.automata.read.families import full_transformations, random_automaton
from ...constructions.automata.read.sources import from_regex
from ...constructions.languages import Language, language_of
from ...constructions.languages.layers_of_norm_one import bound
from ..claim import claim
from ..evidence import Proof
from .finite_layers import Map, closed, collapsed, one_hot_columns, random_layers, random_stacks, then
from .margin_stacks import MARGIN, READS
from .one_layer import CLOSED, DECODER, EXACT, UNIT_KEYS, any_factors, languages

ONE_PRODUCT_EACH = "one inner product for each layer, the same for all that the layer reads: with sums of moduli as the norm, one-hot columns have norm 1 and track every automaton in one layer"
NO_WINDOWS = "no short convolution, no token shift, no position"
FROM_BELOW = "a layer reads the letter and any function of the states of the layers below, before and after it"
TRACKS = "to track is to output the automaton's state after every nonempty word; who recognises a language tracks its minimal automaton"

#: monoids with more elements are passed over in the instances beside the arguments
FEW_ELEMENTS = 150


def least_layers(language: Language, exact: bool) -> int:
    """The bound: with finitely many exact states, or with a margin."""
    return bound(language.machine, language.monoid, exact).layers


def of_maps(maps: Sequence[Map]) -> Language:
    """The states of a machine whose letters act by these maps, started in 0."""
    return language_of(Automaton({"abc"[i]: f for i, f in enumerate(maps)}), tracked=True)


def stacks(seed: int, count: int, draw: Callable) -> Iterator[tuple[int, Language]]:
    """Random stacks of one and of two layers with finitely many states and a small monoid: the number of layers, and the states of all layers together."""
    for layer in random_layers(seed, count, 2, draw, most=12):
        if len(closed(layer.maps, FEW_ELEMENTS)) <= FEW_ELEMENTS:
            yield 1, of_maps(layer.maps)
    for maps in random_stacks(seed + 1, count // 4, 2, draw, most=20):
        if len(closed(maps, FEW_ELEMENTS)) <= FEW_ELEMENTS:
            yield 2, of_maps(maps)


def built(automaton: Automaton) -> int:
    """The least number of layers that a command builds; every one is of norm at most 1."""
    return min(len(compile_automaton(automaton, way).widths) for way in ("holonomy", "excluded"))


def constant_letters(language: Language) -> bool:
    """Whether the last letter decides, so that no layer is needed."""
    return bool((language.machine.delta == language.machine.delta[:, :1]).all())


@claim(
    "new.automata.depth.exact",
    place="after grazzi25 Sec. 4.3 (number of layers)",
    title="a computable lower bound on layers of norm at most 1 for every automaton, with finitely many exact states",
    says=r"Let $T$ be a semigroup of maps, $E$ its idempotents. The content of $e\in E$ is all $f\in E$ with $e=afb$, where $a,b$ are products of idempotents or empty; that of a product $z=e_1\cdots e_r$ is the union of theirs, and $U_z$ is what the content generates. "
    r"Let $d(T)=0$ if $T$ has one element. Else $d(T)=1+\max_z m_z$: $m_z=0$ if $uz=z$ for all $u\in U_z$, and otherwise $m_z=\max(1,d(T_z))$, where $T_z$ is what the words $uz$ do to the image of $z$. "
    r"A stack of layers $h\mapsto Ah+b$, $\|A\|\le1$, with finitely many exact states that tracks an automaton with the maps $T$ has at least $d(T)$ layers, unless all its letters are constant.",
    hypotheses=(EXACT, ONE_PRODUCT_EACH, FROM_BELOW, DECODER, NO_WINDOWS, CLOSED, UNIT_KEYS, TRACKS),
    known="The Krohn-Rhodes complexity bounds the depth too, and is 0 for aperiodic automata (Rhodes and Tilson, from memory). Depth hierarchies are known for bistable stacks (new.bistable.depth), counting transformers (Yang, Cadilhac, Chiang, arXiv 2506.16055; abstract read) and cascades of reset automata by their number (Borelli, Geatti, Montali, Montanari, STACS 2025, doi 10.4230/LIPIcs.STACS.2025.20; abstract read). None was found for linear recurrent layers of norm at most 1, which hold any number of resets and groups.",
    remarks=(
        "lemmata can prints the bound with its words, for up to 2,000 elements.",
        "It is 1 exactly if efe = fe, and then one layer is enough (new.automata.one-layer.norm.converse). It is not always the least number: new.automata.depth.foldings has a larger bound, first with four states.",
        "Windows over the letters lower it: with a short convolution one layer recognises a*b*.",
    ),
    sabotages={
        "columns are one-hot, so that sums of moduli do not grow": {"draw": one_hot_columns},
        "the projections need not commute": {"commuting": False},
        "a layer more than the bound": {"least": lambda language: least_layers(language, True) + 1},
    },
)
def layers_with_exact_states(
    proof: Proof,
    draw: Callable = any_factors,
    commuting: bool = True,
    least: Callable[[Language], int] = lambda language: least_layers(language, True),
) -> None:
    r"""After a word whose factors are idempotent on layer 1, layer 1 stands still under all of them, and the layers above must do the rest.

    1. On differences of states of layer 1, words that act idempotently have commuting orthogonal projections as linear parts. [uses: new.automata.one-layer.norm]
    2. Let $f_1,\dots,f_k$ act idempotently on layer 1, and let $z$ be a product in which all of them occur, in any order. Its linear part $Z$ is the product of their projections. So $ZU=Z$ for the linear part $U$ of every product $u$ of them. [checked: "a projection is absorbed"] [prose]
    3. Hence $t=Z(s.u-s)$ is the same for all states $s$, and $Z(s.u^m-s)=mt$. There are finitely many states, so $t=0$ and $s.uz=s.z$. [checked: "one more u adds t"] [prose]
    4. In $T$, give each idempotent a word, and take a power of it that also acts idempotently on layer 1. If $e=afb$ with products $a,b$ of idempotents, all factors of $a$ and $b$ are in the content of $e$. As $e=e\cdots e$, some word of $e$ has all words of its content as factors, and so has one of $z$. By step 3 then $s.uz=s.z$ for $u\in U_z$. [prose]
    5. Read $z$: layer 1 is in $p=s.z$. It is in $p$ after each further word $uz$, since $p.uz=p.z=s.zz=s.z$, and runs through the same states within it. So the other layers, looked at after each such word, are a stack over the letters $uz$, again of norm at most 1 with finitely many states: what a layer hands up within a word follows from its state at the beginning. [prose]
    6. It tracks the image of $z$ by its state alone. For let the word of the last factor of $z$ be read once more: this changes neither the automaton's state nor layer 1, and all that the decoder then reads follows from the upper states. [prose]
    7. So if no layer is above, $uz=z$. Otherwise the layers above number at least $d(T_z)$ by induction, from every state of the image: words are chosen to act idempotently on the next layer from all these starts at once. With no layer and no letter to read, one state is told from none other, which is $d=0$. [prose]
    8. The kernel has the lemma of steps 2 and 3, what it says of one layer, and one step of the induction for words that are idempotent in the syntactic monoid. [checked: "the kernel: what z absorbs"; "the kernel: one layer"; "the kernel: one step"]
    9. Beside the argument: random stacks of one and two layers track their own states; no network that is built has fewer layers than the bound; of all automata with at most three states none has. [checked: "a stack has as many layers as the bound"; "the bound of one layer is 1"; "no network that is built has fewer layers"; "at most one layer less than states"] [prose]
    """
    proof.formally("the kernel: what z absorbs on one layer", "layers_of_norm_one.products_of_idempotents")
    proof.formally("the kernel: one layer recognises no more", "layers_of_norm_one.one_layer_absorbs")
    proof.formally("the kernel: one step, the layers above read the words u z", "layers_needed.one_step")
    E, F = sympy.symbols("E F", commutative=commuting)
    Z, c, y = sympy.symbols("Z c y", commutative=False)
    proof.symbolically(
        "a projection is absorbed by a product in which it occurs", collapsed((E * F) * E, E, F), E * F, "commuting projections E and F"
    )
    # Z U = Z, written out; y is the state after some u's
    step = sympy.expand(Z * (y + c)) - sympy.expand(Z * y)
    proof.symbolically("one more u adds t = Z c", step, Z * c, "Z with Z U = Z, state y, input c of u")
    count, others, largest = proof.pick((24, 6, 2), (80, 20, 3), (400, 100, 3))
    several = 0
    with proof.beside():
        describe = f"{count} random layers and {count // 4} random stacks of two, two letters of up to three factors with writes, seed 51"
        for layers, language in proof.each(describe, stacks(51, count, draw)):
            proof.holds("a stack has as many layers as the bound for its own states", least(language) <= layers)
            several += least_layers(language, True) == 2
        proof.holds("the bound of some stack is 2", several > 0)
        for language in proof.every(f"all automata with at most {largest} states and 2 letters", languages(largest)):
            m = language.machine
            bounded = least(language)
            proof.holds("at most one layer less than states", bounded <= max(m.n - 1, 0) or constant_letters(language))
            one_sided = _one_sided(language)
            proof.exactly("the bound of one layer is 1 where e f e = f e", bounded <= 1, one_sided or constant_letters(language))
        rng = Random(52)
        for automaton in proof.each(
            f"{others} random automata with 3 or 4 states, compiled, seed 52",
            [random_automaton(rng, rng.choice((3, 4)), 2) for _ in range(others)],
        ):
            reachable = automaton.reachable()
            proof.holds(
                "no network that is built has fewer layers", least(language_of(reachable, tracked=True)) <= max(built(reachable), 1)
            )


def _one_sided(language: Language) -> bool:
    """Whether e f e = f e for all idempotents, by multiplying maps."""
    elements = [tuple(row) for row in language.monoid.maps.tolist()]
    own = [f for f in closed([tuple(row) for row in language.machine.delta.tolist()]) if then(f, f) == f]
    assert all(f in elements for f in own)
    return all(then(then(e, f), e) == then(f, e) for e in own for f in own)


@claim(
    "new.automata.depth.margin",
    place="after grazzi25 Sec. 4.3 (number of layers)",
    title="a computable lower bound on layers of norm at most 1 for every automaton, with bounded states and a margin",
    says=r"Let $d'(T)$ be defined as $d(T)$ in new.automata.depth.exact, with $z$ running over the idempotents alone, each with its own content. "
    r"A stack of layers $h\mapsto Ah+b$, $\|A\|\le1$, with bounded states and a margin that tracks an automaton with the maps $T$ has at least $d'(T)$ layers, unless all its letters are constant.",
    hypotheses=(MARGIN, ONE_PRODUCT_EACH, READS, NO_WINDOWS, CLOSED, UNIT_KEYS, TRACKS),
    known="as for new.automata.depth.exact. That alternating projections converge is von Neumann's.",
    remarks=(
        "z has to be idempotent: a*b* takes two layers with exact states, and one with a margin (new.automata.one-layer.margin).",
        "Without a margin nothing follows: one scalar that is read exactly can hold the whole word.",
    ),
    sabotages={
        "z need not be idempotent": {"least": lambda language: least_layers(language, True)},
        "idempotents are not symmetric": {"transposed": lambda P: sympy.Symbol(f"{P}'", commutative=False)},
    },
)
def layers_with_a_margin(
    proof: Proof,
    least: Callable[[Language], int] = lambda language: least_layers(language, False),
    transposed: Callable[[Any], Any] = lambda P: P,
) -> None:
    r"""States closer than the margin hand up the same for ever, so a layer acts as a finite machine, whose idempotents lift to projections.

    1. Call two states of layer 1 alike if it hands up the same from them, whatever is read from then on. States closer than $\delta$ stay so and are alike; as states are bounded, there are finitely many classes. Words act on the classes by a finite monoid $N$. [prose]
    2. The words act on the closed convex hull of the states by affine maps that do not lengthen. Their closure $S$ is a compact semigroup. Words that are uniformly closer than $\delta$ act alike on the classes, so $S$ maps onto $N$, continuously. What lies above an idempotent of $N$ is a compact semigroup, and holds an idempotent of $S$. [cited: Arzelà and Ascoli; a compact semigroup has an idempotent] [prose]
    3. Let $f_1,\dots,f_k\in S$ be idempotent. Their linear parts $P_i$ on differences are orthogonal projections. Let $z$ be an idempotent in the closure of the powers of $f_1\cdots f_k$, with linear part $Z$. If $Zx=x$, no factor shortens $x$, so $P_ix=x$: $Z$ projects onto the vectors that all $P_i$ keep, and $ZP_i=Z$. [uses: new.automata.one-layer.norm] [checked: "a projection shortens what it moves"; "what all keep"]
    4. Let $u$ be a product of the $f_i$. As in new.automata.depth.exact, $t=Z(s.u-s)$ is the same for all $s$, and $Z(s.u^m-s)=mt$ is bounded, so $t=0$ and $s.uz=s.z$. So classes satisfy it. [checked: "one more u adds t"] [prose]
    5. In $T$, let $z$ be idempotent and a product of idempotents, and give each idempotent of its content a word that acts idempotently on $N$ as well. Some word of $z$ is a product of these in which each occurs, and has a power that acts idempotently on $N$. This power still acts as $z$, and $uz$ and $z$ act alike on classes. [prose]
    6. After $z$ layer 1 is in one class, and again after each word $uz$; along such a word it hands up the same each time. So the layers above are a stack over the letters $uz$: a layer hands up, with such a letter, the finitely many values along it, and states closer than $\delta$ stay so. [prose]
    7. If $z$ is read once more the automaton's state stays, as $z$ is idempotent, and so does the class of layer 1. So the upper states alone tell the state in the image of $z$; from here on as in steps 6 and 7 of new.automata.depth.exact. [uses: new.automata.depth.exact]
    8. Beside the argument: finitely many exact states have a margin, so random stacks of them obey it; the bound is at most the one with exact states; $a^*b^*$ has bound 1. [checked: "a stack has as many layers as the bound"; "at most the bound with exact states"; "a*b* is recognised by one layer"] [prose]
    """
    P, x, z = sympy.symbols("P x z", commutative=False)
    one, Pt = sympy.S.One, transposed(P)
    lost = sympy.expand(z * x - z * Pt * P * x - z * (one - Pt) * (one - P) * x)
    proof.symbolically("a projection shortens what it moves", collapsed(lost, P), 0, "x, z = x^T, projection P")
    Z = sympy.Symbol("Z", commutative=False)
    # P Z = Z, transposed
    proof.symbolically("what all keep: Z P = (P Z)^T", Z * Pt, Z * P, "projections Z and P with P Z = Z")
    y, c = sympy.symbols("y c", commutative=False)
    proof.symbolically(
        "one more u adds t = Z c", sympy.expand(Z * (y + c)) - sympy.expand(Z * y), Z * c, "Z with Z U = Z, state y, input c of u"
    )
    count, largest = proof.pick((24, 2), (80, 3), (400, 3))
    with proof.beside():
        describe = f"{count} random layers and {count // 4} random stacks of two, two letters of up to three factors with writes, seed 53"
        for layers, language in proof.each(describe, stacks(53, count, any_factors)):
            proof.holds("a stack has as many layers as the bound for its own states", least(language) <= layers)
        for language in proof.every(f"all automata with at most {largest} states and 2 letters", languages(largest)):
            proof.holds("at most the bound with exact states", least(language) <= least_layers(language, True))
        for regex in proof.each("a*b*, with the layer of new.automata.one-layer.margin", ["a*b*"]):
            proof.holds("a*b* is recognised by one layer with a margin", least(language_of(from_regex(regex))) <= 1)


# -- where it is sharp -----------------------------------------------------------------------------------------------------------


def raising(n: int, i: int) -> Map:
    """i goes to i + 1, all other points stay; points are 0, ..., n - 1."""
    return tuple(i + 1 if j == i else j for j in range(n))


def lowering(n: int, i: int) -> Map:
    """i goes to i - 1, all other points stay."""
    return tuple(i - 1 if j == i else j for j in range(n))


def steps(n: int) -> list[Map]:
    """The maps that move one point to a neighbour, and the identity: they generate all order-preserving maps of n points."""
    return [raising(n, i) for i in range(n - 1)] + [lowering(n, i) for i in range(1, n)] + [tuple(range(n))]


def up_and_down(n: int) -> Map:
    """First n - 2 is raised, then n - 3, and so on to 0; then 1 is lowered, then 2, and so on to n - 1."""
    z = tuple(range(n))
    for f in [raising(n, i) for i in reversed(range(n - 1))] + [lowering(n, i) for i in range(1, n)]:
        z = then(z, f)
    return z


def tracked(maps: Sequence[Map]) -> Language:
    return language_of(Automaton({str(i): f for i, f in enumerate(maps)}), tracked=True)


@claim(
    "new.automata.depth.sharp",
    place="after grazzi25 Sec. 4.3 (number of layers)",
    title="all maps of n points, and all order-preserving ones, take exactly n − 1 layers of norm at most 1",
    says=r"Let $n\ge2$, and let the letters of an automaton with $n$ states generate all maps of its states, or all order-preserving maps for one order (a semigroup with the identity). "
    r"Stacks of layers $h\mapsto Ah+b$, $\|A\|\le1$, that track it have at least $n-1$ layers, and $n-1$ are enough, both with finitely many exact states and with bounded states and a margin. "
    r"So no fixed number of layers of DeltaNet, Gated DeltaNet or DeltaProduct with any number of factors in $[-1,1]$ is enough for all regular languages, nor for all star-free ones; and $|Q|-1$ in grazzi25.sec4.3.depth is the least number that serves for all automata with $|Q|$ states.",
    hypotheses=(MARGIN, "finitely many exact states are a special case", ONE_PRODUCT_EACH, READS, NO_WINDOWS, CLOSED, UNIT_KEYS, TRACKS),
    known="that all maps of n points have Krohn-Rhodes complexity n - 1 is Rhodes's (from memory); order-preserving maps have complexity 0, since they are aperiodic. Cascades of reset automata have a hierarchy by their number (STACS 2025, doi 10.4230/LIPIcs.STACS.2025.20; abstract read); here a layer has any width. A hierarchy by depth of linear recurrent layers was not found.",
    remarks=(
        "The identity has to be what some nonempty word does, which fails for two points and two resets alone: there the last letter decides.",
        "Layers of norm above 1 or of other kinds need fewer: one of PD-SSM, of any matrices, of a bilinear or classical RNN.",
    ),
    sabotages={
        "a layer more": {"layers": lambda n: n},
        "nothing is lowered again": {"word": lambda n: tuple(min(j + 1, n - 1) for j in range(n))},
        "points are lowered by two": {"returns": lambda j, n: j - 2},
    },
)
def all_maps_take_all_layers(
    proof: Proof,
    layers: Callable[[int], int] = lambda n: n - 1,
    word: Callable[[int], Map] = up_and_down,
    returns: Callable[[Any, Any], Any] = lambda j, n: j - 1,
) -> None:
    r"""One product in which all neighbours are exchanged takes away one point and leaves the rest as it was.

    1. The maps $a_i$ raise $i$ to $i+1$ and $b_i$ lower $i$ to $i-1$, and fix the rest. Let $z=a_{n-1}a_{n-2}\cdots a_1\,b_2b_3\cdots b_n$, from left to right. The first half takes each $j<n$ to $j+1$ and fixes $n$: only $a_j$ moves $j$, and $a_{j-1}$, which comes next, does not move $j+1$. The second half then takes each $j\ge2$ to $j-1$. [checked: "up and down again"] [prose]
    2. So $z$ fixes $1,\dots,n-1$ and takes $n$ to $n-1$. It is idempotent, a product of idempotents, and has all $a_i,b_i$ in its content. On its image, the words $a_iz$ ($i<n-1$) and $b_iz$ ($i<n$) act as the raising and lowering maps of $n-1$ points, and $z$ as the identity. [prose]
    3. *At least.* So whoever tracks the raising and lowering maps and the identity on $n$ points has a layer more than what tracks them on $n-1$. For $n=2$ these are two resets and the identity: the last letter does not decide, so one layer is needed. By induction $n-1$. [uses: new.automata.depth.margin]
    4. All maps of $n$ points contain the order-preserving ones, and whoever tracks letters that generate a semigroup tracks all its elements, word by word. [prose]
    5. *Enough.* Every automaton with $n\ge2$ states takes at most $n-1$ layers of products of factors with eigenvalues in $[-1,1]$, with finitely many exact states. [uses: grazzi25.sec4.3.depth]
    6. Beside the argument, small $n$. [checked: "z fixes all points but the last"; "what the words u z do"; "the bound"; "one layer fewer is refuted and n - 1 are built"] [prose]
    """
    j, n = sympy.symbols("j n", integer=True, positive=True)
    proof.symbolically("up and down again", returns(j + 1, n), j, "j < n")
    largest, order, maps = proof.pick((5, 3, 3), (7, 4, 3), (7, 5, 4))
    with proof.beside():
        for size in proof.every(f"n from 2 to {largest}", range(2, largest + 1)):
            z = word(size)
            proof.exactly("z fixes all points but the last", z, (*range(size - 1), size - 2))
            image = range(size - 1)
            above = {tuple(then(u, z)[q] for q in image) for u in steps(size)}
            proof.holds("what the words u z do holds the steps of n - 1 points", above >= set(steps(size - 1)))
        for size in proof.every(f"order-preserving maps of 2 to {order} points", range(2, order + 1)):
            for exact in (True, False):
                proof.exactly("the bound", least_layers(tracked(steps(size)), exact), layers(size))
        for size in proof.every(f"all maps of 2 to {maps} points", range(2, maps + 1)):
            for exact in (True, False):
                proof.exactly("the bound", least_layers(language_of(full_transformations(size), tracked=True), exact), layers(size))
            automaton = full_transformations(size)
            proof.exactly(
                "one layer fewer is refuted and n - 1 are built", len(compile_automaton(automaton, "excluded").widths), layers(size)
            )


@claim(
    "new.automata.depth.sharp.exact",
    place="after grazzi25 Sec. 4.3 (number of layers)",
    title="with finitely many exact states, all maps of n + 1 points take exactly n layers of norm at most 1",
    says=r"Let the letters be all maps of $n+1$ points, or the identity and the maps that move one point to a neighbour and fix the rest. "
    r"A stack of $n$ layers $h\mapsto Ah+b$, each $A$ a product of factors with eigenvalues in $[-1,1]$, with finitely many exact states tracks the points. "
    r"Every stack with $\|A\|\le1$ and finitely many exact states that tracks them has at least $n$ layers. "
    r"Words over the second kind of letters act $n+1$ times as they do $n$ times.",
    hypotheses=(EXACT, ONE_PRODUCT_EACH, FROM_BELOW, DECODER, NO_WINDOWS, CLOSED, TRACKS),
    known="as for new.automata.depth.sharp, which has any generators and the case of a margin as well.",
    remarks=(
        "The second kind of letters generates the order-preserving maps. What they track is aperiodic, so no number of layers is enough for all star-free languages.",
    ),
    sabotages={
        "a layer more, which the kernel refutes": {"theorem": "false_variants.all_maps_need_one_more"},
        "nothing is lowered again": {"word": lambda n: tuple(min(j + 1, n - 1) for j in range(n))},
    },
)
def exact_states_take_all_layers(
    proof: Proof, theorem: str = "layers_needed.depth_of_all_maps", word: Callable[[int], Map] = up_and_down
) -> None:
    r"""Raise the points from the top on, then lower them from the bottom on: all return but the highest.

    1. Let $z$ be a product of words that are idempotent in the syntactic monoid. It leads the lowest layer to a state in which every word $uz$ leaves it, $u$ a product of the same words. So the layers above track what the words $uz$ do. [uses: new.automata.depth.exact]
    2. Let $z$ raise the points from the top on, and then lower them from the bottom on. It takes the highest point to the one below it and fixes the rest, and all raising and lowering maps occur in it. So the words $az$, with $a$ such a map or the identity, act as those of one point fewer: $n+1$ points take a layer more than $n$. [checked: "z fixes all points but the last"] [prose]
    3. Two points take a layer, for the identity keeps them apart. By induction $n+1$ points take $n$. [checked: "the kernel: all maps"; "the kernel: order-preserving maps"]
    4. And $n$ layers are enough for every automaton with $n+1$ states. [uses: grazzi25.sec4.3.depth] [checked: "the kernel: enough"]
    5. The orbit of a point under a nondecreasing map is monotone, so it stands after $n$ steps. [checked: "the kernel: aperiodic"]
    """
    proof.formally(
        "the kernel: all maps take n layers and no fewer",
        theorem,
        whole="every n, width, finite set of states and decoder",
        differs="any ordered field for the reals; transitions have norm at most 1 for whatever the layers below may hand up; "
        "that the states are finitely many is said of the words from one start",
    )
    proof.formally("the kernel: order-preserving maps take n layers and no fewer", "layers_needed.depth_of_order_preserving_maps")
    proof.formally("the kernel: enough for every automaton", "layers_needed.layers_enough")
    proof.formally("the kernel: aperiodic", "layers_needed.order_preserving_maps_are_aperiodic")
    largest = proof.pick(5, 7, 9)
    with proof.beside():
        for size in proof.every(f"2 to {largest} points", range(2, largest + 1)):
            proof.exactly("z fixes all points but the last", word(size), (*range(size - 1), size - 2))
