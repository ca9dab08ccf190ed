"""One layer with finitely many exact states, or with a margin: which languages it recognises, by the kind of its transitions."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations, product
from random import Random
from typing import Any

import sympy

from ...constructions.automata.read.families import all_automata
from ...constructions.languages import Language, language_of
from ...constructions.languages.monoid import Monoid
from ...constructions.languages.properties import decided
from ...constructions.languages.single_layers import generated, last_occurrences, over_a_group
from ...constructions.recurrence import Recurrence, reachable_with
from ..claim import claim
from ..evidence import Proof
from .finite_layers import Map, collapsed, delta_product, is_idempotent, one_hot_columns, one_sided, random_layers, then

EXACT = "words lead to finitely many states, held exactly"
LETTER_ALONE = "A and b are functions of the letter alone: no short convolution, no token shift, no position"
ONE_PRODUCT = "one inner product for all letters: with sums of moduli as the norm, one-hot columns have norm 1 and track every automaton"
DECODER = "the decoder is any function of the state before the letter, the state after it, and the letter"
AFTER = "the decoder is any function of the new state and the letter: the state before the letter would be a delay"
CLOSED = "gates and eigenvalues may be the ends of their ranges"
UNIT_KEYS = "keys have length 1; a layer may have several heads, each with keys of its own"


def languages(largest: int, letters: int = 2) -> list[Language]:
    """The states of every automaton with at most so many states, each machine once."""
    found = {}
    for n in range(1, largest + 1):
        for automaton in all_automata(n, letters):
            language = language_of(automaton, tracked=True)
            m = language.machine
            found.setdefault((m.delta.tobytes(), m.answers.tobytes(), m.n), language)
    return list(found.values())


def has(language: Language, property: str) -> bool:
    """Whether a language of small size has a property."""
    return decided(language, property) is None


def outcome(layer: Recurrence, language: Language, limit: int = 3_000) -> str:
    """ "right", or what is wrong with a layer that should output the machine's state after every nonempty word."""
    m = language.machine
    found = reachable_with(layer, lambda q, x: m.end(q, [m.letters.index(x)]), 0, m.letters, lambda q: q, limit)
    if not found.closed:
        return f"more than {limit} states"
    return "right" if found.mismatch is None else f"wrong after {found.mismatch}"


# -- norm at most 1 ------------------------------------------------------------------------------------------------------------


def any_factors(rng: Random) -> tuple[Any, Any]:
    """Up to three factors of eigenvalues 0, 1 and -1, with their writes."""
    return delta_product(rng, rng.randint(1, 3), (1, 2))


@claim(
    "new.automata.one-layer.norm",
    place="after grazzi25 Theorem 4",
    title="one layer of norm at most 1 with finitely many exact states: idempotents satisfy efe = fe",
    says=r"Let a layer $h\mapsto A(x)h+b(x)$ have $\|A(x)\|\le1$ and finitely many states. Then all idempotents $e,f$ of its transition monoid satisfy $efe=fe$, where $ef$ is first $e$, then $f$. "
    r"So does every language that the layer recognises: $a^*b^*$ and ``the first letter is $a$'' are none, for DeltaNet, Gated DeltaNet and DeltaProduct with any number of factors.",
    hypotheses=(ONE_PRODUCT, EXACT, LETTER_ALONE, DECODER, CLOSED, UNIT_KEYS),
    known="monoids whose idempotents form a right regular band are studied as R-unipotent ones and by Birget, Margolis and Rhodes (1990, abstract read); that contractions with finitely many exact states are such was not found. "
    "Nowak, Cotterell and Boumasmoud (arXiv 2606.01765, abstract read) reduce recurrent networks to divisors of wreath products.",
    remarks=(
        "Finitely many exact states are needed: over the reals, with a margin, one DeltaNet layer of width 2 recognises a*b*.",
        "Every contraction is a product of such factors, so DeltaProduct with enough factors has all layers of norm at most 1.",
    ),
    sabotages={
        "any norm, which the kernel refutes": {"theorem": "false_variants.one_layer_no_first_letter_of_any_norm"},
        "columns are one-hot, so that sums of moduli do not grow": {"draw": one_hot_columns},
        "idempotents are not symmetric": {"transposed": lambda P: sympy.Symbol(f"{P}'", commutative=False)},
    },
)
def contractions_have_one_sided_idempotents(
    proof: Proof,
    draw: Callable = any_factors,
    transposed: Callable[[Any], Any] = lambda P: P,
    theorem: str = "layers_of_norm_one.one_layer_no_first_letter",
) -> None:
    r"""On differences of states, idempotents are orthogonal projections, and these commute.

    1. Let $S$ be the states, $V$ the span of $S-S$, and $N$ the finite monoid of what words do to $S$. A word acts on $V$ by a product of transitions, and its element of $N$ determines it there. [prose]
    2. If $e$ is idempotent, so is $E$, its linear part on $V$, and $|E|\le1$. For $y$ in the image and $x\ne0$ in the kernel $|y|=|E(y+tx)|\le|y+tx|$ for all $t$, and at $t=-\langle x,y\rangle/|x|^2$ the right side is shorter unless $\langle x,y\rangle=0$. So $E=E^\top$. [checked: "an oblique idempotent"] [prose]
    3. $EFE$ is symmetric with eigenvalues in $[0,1]$, and has finitely many powers: they are $0$ and $1$, so $(EFE)^2=EFE$. Then $D=FE-EFE$ has $D^\top D=EFE-(EFE)^2=0$, so $FE=EFE=(EFE)^\top=EF$. [checked: "what F E has beyond E F E"] [prose]
    4. So $W=FE$ is idempotent, for the words $ef$ and $fe$ alike. With $d=s.ef-s$ the steps of $s,\ s.ef,\ s.efef,\dots$ are $d,Wd,Wd,\dots$; these are finitely many states, so $Wd=0$ and $ef$ is idempotent on $S$. [checked: "the steps of ef"] [prose]
    5. So $s.ef=s'.ef$ iff $W(s-s')=0$ iff $s.fe=s'.fe$. The states $s$ and $s.e$ agree after $ef$, hence after $fe$: $s.fe=s.e\,fe$. [prose]
    6. Let the decoder read the state before the last letter too. If the words $w=w'y$ and $z=z'c$ act idempotently on (state before, state, letter), then $t.ww'=t.w'$ for all states $t$, so $s.wzw'=s.wzww'=s.zww'=s.zw'$ by step 5: these idempotents satisfy it too. [prose]
    7. A recognised language has a syntactic monoid that is a quotient of such a monoid. Idempotents of a quotient of a finite monoid come from idempotents. [prose]
    8. The kernel has all of it, with words for elements of the monoid. [checked: "the kernel: words that"; "the kernel: what is recognised"; "the kernel: a*b* is not"; "the kernel: nor is"; "the kernel: products of"]
    9. Beside the argument, random layers with all their states. [checked: "all idempotents satisfy e f e = f e"; "some layer has"] [prose]
    """
    proof.formally("the kernel: words that act idempotently on the states", "layers_of_norm_one.one_sided_actions")
    proof.formally(
        "the kernel: what is recognised satisfies it",
        "layers_of_norm_one.one_sided_idempotents",
        whole="every width, alphabet, finite set of states and decoder",
        differs="any ordered field for the reals; idempotents as words that may be doubled in every context; "
        "that the states are finitely many is said of the words from one start",
    )
    proof.formally("the kernel: a*b* is not recognised", "layers_of_norm_one.one_layer_no_sorted_words")
    proof.formally("the kernel: nor is the first letter", theorem)
    proof.formally("the kernel: products of factors under a gate are contractions", "layers_of_norm_one.gated_products_are_contractions")
    s, t, q, n = sympy.symbols("s t q n", real=True)
    proof.symbolically(
        "an oblique idempotent lengthens a vector", (n + 2 * t * s + t**2 * q).subs(t, -s / q), n - s**2 / q, "<x, y>, |y|^2, and |x|^2 > 0"
    )
    E, F, W, d = sympy.symbols("E F W d", commutative=False)
    Et, Ft = transposed(E), transposed(F)
    proof.symbolically(
        "what F E has beyond E F E",
        collapsed((Et * Ft - Et * Ft * Et) * (F * E - E * F * E), E, F),
        collapsed(E * F * E - (E * F * E) ** 2, E, F),
        "orthogonal projections E and F",
    )
    proof.symbolically("the steps of ef from the second on", collapsed(W * (W * d), W), W * d, "idempotent W, d")
    count = proof.pick(40, 120, 600)
    rich = 0
    with proof.beside():
        describe = f"{count} random layers with finitely many states, two letters of up to three factors with writes, seed 31"
        for layer in proof.each(describe, random_layers(31, count, 2, draw)):
            elements = layer.elements
            proof.holds("all idempotents satisfy e f e = f e", one_sided(elements))
            rich += any(then(f, f) != f for f in elements) and sum(is_idempotent(f) for f in elements) > 2
        proof.holds("some layer has elements that are not idempotent, and several idempotents", rich > 0)


def group_below(monoid: Monoid, largest: int) -> dict[Any, Map] | None:
    """Permutations for the letters, of as few points as serve, such that the elements of words that permute nothing form a right regular band; None if none do."""
    letters = monoid.machine.letters
    for points in range(1, largest + 1):
        for chosen in product(permutations(range(points)), repeat=len(letters)):
            if is_right_regular_band(over_identity(monoid, chosen)):
                return dict(zip(letters, chosen, strict=True))
    return None


def over_identity(monoid: Monoid, chosen: tuple[Map, ...]) -> list[Map]:
    """The elements of the words for which the product of the letters' permutations is the identity."""
    identity = tuple(range(len(chosen[0])))
    found = {(0, identity): None}
    for i, g in (queue := list(found)):
        for a, p in enumerate(chosen):
            new = (int(monoid.right[i, a]), tuple(p[j] for j in g))
            if new not in found:
                found[new] = None
                queue.append(new)
    return [tuple(monoid.maps[i].tolist()) for i, g in found if g == identity]


def is_right_regular_band(elements: list[Map]) -> bool:
    """Whether x x = x and x y x = y x."""
    return all(map(is_idempotent, elements)) and all(then(then(x, y), x) == then(y, x) for x, y in product(elements, repeat=2))


@claim(
    "new.automata.one-layer.norm.converse",
    place="after grazzi25 Theorem 4",
    title="every language whose idempotents satisfy efe = fe is recognised by one layer of partial permutation matrices",
    says=r"If all idempotents of the syntactic monoid satisfy $efe=fe$, some layer $h\mapsto A(x)h+b(x)$ with partial permutation matrices $A(x)$, hence $\|A(x)\|\le1$, has finitely many states and recognises the language.",
    hypotheses=(LETTER_ALONE,),
    known="monoids with efe = fe are the divisors of right regular bands by groups: Ash's theorem (1991; for this case Birget, Margolis, Rhodes 1990), Tilson's derived category theorem (1987), and that right regular bands are a local variety "
    "(Jones, Szendrei 1992), all from memory but the abstract of Birget, Margolis and Rhodes: what is built by weak conjugation is all that lies over 1 wherever it is regular, hence where the idempotents form a band. For regular monoids, embeddings into left regular bands by groups are Szendrei's (abstract of doi 10.1007/s10998-021-00384-z read). The layer that keeps a copy for each element of a group is ours.",
    remarks=(
        "The group may be large, and searching for it is no decision; efe = fe is decidable.",
        "Nothing is said of the least width, or of a bound on the group.",
    ),
    construction="lemmata.constructions.languages.single_layers.over_a_group",
    sabotages={
        "the group forgets its letters": {"below": lambda monoid, largest: dict.fromkeys(monoid.machine.letters, (0,))},
        "automata without the property": {"wanted": lambda language: True},
    },
)
def one_sided_idempotents_are_one_layer(
    proof: Proof,
    below: Callable[[Monoid, int], dict[Any, Map] | None] = group_below,
    wanted: Callable[[Language], bool] = lambda language: has(language, "efe-is-fe"),
) -> None:
    r"""A layer for a right regular band, and a copy of it for each element of a group.

    1. Let $efe=fe$ hold in $M$. Then $M$ divides a semidirect product of a right regular band by a finite group $G$: the state of the language's automaton is determined by the product $g_t$ of the letters in $G$, and by the order of last occurrences of the pairs (product before the letter, letter).
       [cited: Ash 1991, or Birget, Margolis and Rhodes 1990; Tilson 1987; Jones and Szendrei 1992]
    2. One scalar for each pair tells whether it came, and one for every two pairs which came last. The layer keeps a block of such scalars for each $g\in G$. The letter $x$ acts on block $g$ as the pair $(g,x)$ does, and moves it to block $gx$. [prose]
    3. So a transition is a permutation of blocks times a diagonal of zeros and ones. A coordinate that is moved along and never overwritten tells which block began at the identity: the block is the one of $g_t$, and its scalars are those of the true word. [prose]
    4. For all automata with at most three states and two letters a group is found, over whose identity the elements are a right regular band. Where it has at most two elements the layer is built, and proved at every length.
       [checked: "a group serves"; "the layer outputs the state"; "its transitions have norm at most 1"]
    """
    for theorem in (
        "Ash, Inevitable graphs (1991): the elements that every relational morphism into a group sends over the identity; for this case Birget, Margolis, Rhodes (1990)",
        "Tilson, Categories as algebra (1987): the derived category theorem",
        "Jones, Szendrei, Local varieties of completely regular monoids (1992)",
    ):
        proof.cites(theorem)
    largest, built = 3, 0
    for language in proof.every(
        f"all automata with at most {largest} states and 2 letters whose idempotents satisfy e f e = f e", languages(largest)
    ):
        if not wanted(language):
            continue
        group = below(language.monoid, 4)
        proof.holds("a group serves", group is not None and is_right_regular_band(over_identity(language.monoid, tuple(group.values()))))
        if group is not None and len(generated(group)) <= 2:
            layer = over_a_group(language.machine, group)
            proof.exactly("the layer outputs the state", outcome(layer, language), "right")
            columns = [layer.transition(x) for x in language.machine.letters]
            ones = all((A != 0).sum(axis).max() <= 1 and all(a in (0, 1) for a in A.flat) for A in columns for axis in (0, 1))
            proof.holds("its transitions have norm at most 1", ones)
            built += 1
    proof.holds("some layers are built", built > 0)


# -- products of at most two factors in [0, 1] ---------------------------------------------------------------------------------


def two_factors(rng: Random) -> tuple[Any, Any]:
    """One or two factors with beta 0 or 1, with their writes."""
    return delta_product(rng, rng.randint(1, 2), (0, 1))


@claim(
    "new.automata.one-layer.last-occurrences",
    place="after grazzi25 Proposition 1",
    title="one layer of diagonal maps, the delta rule or two factors in [0, 1], exact states: the order of last occurrences decides",
    says=r"Let a layer's transitions be products of at most two symmetric matrices with eigenvalues in $[0,1]$: diagonal in $[0,1]$, $\alpha(I-\beta kk^\top)$ with $\alpha,\beta\in[0,1]$, two such factors, bistable. "
    r"With finitely many exact states and any number of heads one layer recognises exactly the languages in which the order of last occurrences of the letters decides: $aua$ and $ua$ act alike.",
    hypotheses=(EXACT, LETTER_ALONE, AFTER, CLOSED, UNIT_KEYS),
    known="x y x = y x defines the right regular bands; for bistable units new.bistable.depth has the stacks of such layers. The proof that two semidefinite factors are diagonalisable is Wu's (1988, from memory); it is not used here. That DeltaNet has this class was not found.",
    remarks=(
        "One head of width n with one factor is not enough for three letters; k letters take at most k (k + 1) / 2 heads of width 1.",
        "Three factors are too many: their product can be a delay (new.automata.stacks.three-factors).",
    ),
    construction="lemmata.constructions.languages.single_layers.last_occurrences",
    sabotages={
        "beta = 2: eigenvalues -1": {"draw": lambda rng: delta_product(rng, 1, (1, 2))},
        "three factors": {"draw": lambda rng: delta_product(rng, 3, (1,))},
        "the scalars add up": {"unit": lambda h, beta, v: h + beta * v},
    },
)
def order_of_last_occurrences(
    proof: Proof,
    draw: Callable = two_factors,
    unit: Callable[[Any, Any, Any], Any] = lambda h, beta, v: (1 - beta) * h + beta * v,
) -> None:
    r"""Letters act idempotently, and idempotents of one layer of norm at most 1 multiply to idempotents.

    1. Let $A=PQ$ be a letter's transition on the span $V$ of the differences of states, $P,Q$ symmetric with eigenvalues in $[0,1]$. A word $v$ that permutes states, $|A_v^pd|=|d|$, keeps the length of a difference at every factor. There $|d|^2-|Pd|^2-|d-Pd|^2=2d^\top(P-P^2)d\ge0$, so $Pd=d$: the word keeps every difference, is a translation, and moves none of finitely many states. [checked: "a semidefinite contraction"] [prose]
    2. So $A^{m+1}=A^m$ on $V$ for some $m$. If $PQPQd=0$ then, with $y=Qd$, $y^\top PQPy=0$, so $QPy=0$, so $y^\top Py=d^\top QPy=0$ and $Py=0$: $A^2d=0$ implies $Ad=0$. Hence $A^2=A$ on $V$. [checked: "what is 0 with y^T P Q P y"; "what is 0 with y^T P y"] [prose]
    3. The steps of a state under $x,x,\dots$ are $d,Ad,Ad,\dots$, so $Ad=0$ and $x$ acts idempotently. By steps 3 and 4 of new.automata.one-layer.norm products of idempotents are idempotent, so all words are, and $efe=fe$ is $xyx=yx$ for all words. [uses: new.automata.one-layer.norm]
    4. Then $uava\,w$ and $uva\,w$ act alike: a word acts as its letters in the order of their last occurrences. The same holds if the decoder reads the last letter too. [prose]
    5. Conversely a scalar $h\mapsto(1-\beta)h+\beta v$ with $\beta\in\{0,1\}$ is held or overwritten: for each letter one head of width 1 tells whether it came, for every two letters one tells which came last, and together they tell the order. [checked: "beta = 1 overwrites"; "beta = 0 holds"] [prose]
    6. Beside the argument: random layers, and the layer for all automata with at most three states and two letters that have the property, at every length. [checked: "x y x = y x, and"; "the layer outputs the state"] [prose]
    """
    d, P, Q, y, z = sympy.symbols("d P Q y z", commutative=False)
    one = sympy.S.One
    proof.symbolically(
        "a semidefinite contraction shortens what it moves",
        z * d - z * P * P * d - z * (one - P) * (one - P) * d,
        2 * z * (P - P * P) * d,
        "d, z = d^T, symmetric P",
    )
    # R with R^2 = Q, R symmetric: z Q z^T is the square of a length
    R = sympy.Symbol("R", commutative=False)
    proof.symbolically(
        "what is 0 with y^T P Q P y", z * P * R * R * P * y - (z * P * R) * (R * P * y), 0, "y, z = y^T, P, Q = R^2 with R = R^T"
    )
    proof.symbolically("what is 0 with y^T P y", z * (Q * P * Q) * d - (z * Q) * P * (Q * d), 0, "d, z = d^T, P, Q")
    h, v = sympy.symbols("h v", real=True)
    proof.symbolically("beta = 1 overwrites", unit(h, 1, v), v, "h, v")
    proof.symbolically("beta = 0 holds", unit(h, 0, v), h, "h, v")
    count, largest = proof.pick((40, 2), (120, 3), (600, 3))
    with proof.beside():
        describe = f"{count} random layers with finitely many states, two letters of one or two factors with writes, seed 32"
        for layer in proof.each(describe, random_layers(32, count, 2, draw)):
            proof.holds("x y x = y x, and x x = x, for all words", is_right_regular_band(layer.elements))
        built = 0
        for language in proof.every(f"all automata with at most {largest} states and 2 letters", languages(largest)):
            if has(language, "order-of-last-occurrences"):
                proof.exactly("the layer outputs the state", outcome(last_occurrences(language.machine), language), "right")
                built += language.machine.n > 1
        proof.holds("some layers are built", built > 0)


# -- one symmetric factor in [-1, 1] ---------------------------------------------------------------------------------------------


@claim(
    "new.automata.one-layer.symmetric",
    place="after grazzi25 Theorem 2",
    title="one layer with symmetric transitions in [−1, 1] and finitely many exact states: every letter acts as its cube",
    says=r"Let a layer's transitions be symmetric with eigenvalues in $[-1,1]$, such as $\alpha(I-\beta kk^\top)$ with $\alpha\in[0,1]$, $\beta\in[0,2]$, and let it have finitely many states. Then every letter acts as its cube, $x^3=x$, and idempotents satisfy $efe=fe$: "
    r"one layer of DeltaNet or Gated DeltaNet with eigenvalues in $[-1,1]$ does not count letters modulo 3.",
    hypotheses=(EXACT, LETTER_ALONE, AFTER, CLOSED, UNIT_KEYS),
    known="that one reflection per letter does not give rotations is grazzi25's Theorem 2; with finitely many states the cube is elementary. It is necessary only: which languages one such layer recognises is open.",
    sabotages={
        "two reflections": {"draw": lambda rng: delta_product(rng, 2, (2,))},
        "eigenvalues i and -i": {"cube": lambda a: a**3 + a},
    },
)
def letters_are_their_cubes(
    proof: Proof,
    draw: Callable = lambda rng: delta_product(rng, 1, (0, 1, 2)),
    cube: Callable[[Any], Any] = lambda a: a**3 - a,
) -> None:
    r"""Finitely many states leave the eigenvalues 0, 1 and -1.

    1. Let $V$ be the span of the differences of states. On $V$ the transition $A$ of a letter is symmetric, and the orbit of every difference is finite. So its eigenvalues there are $0$, $1$ and $-1$, and $A^3=A$. [checked: "0, 1 and -1 are roots"] [prose]
    2. So $A^2$ is idempotent on $V$, and with $d=s.xx-s$ the steps of $s,\ s.xx,\ s.xxxx,\dots$ are $d,A^2d,A^2d,\dots$: finitely many states, so $A^2d=0$. Then $s.xxx-s.x=Ad=A^3d=A\,A^2d=0$. [checked: "the third step"] [prose]
    3. The norm is at most 1, which gives $efe=fe$. [uses: new.automata.one-layer.norm]
    4. Beside the argument, random layers. [checked: "every letter acts as its cube"; "some letter is no square"] [prose]
    """
    for a in proof.every("the three eigenvalues", (0, 1, -1), limited=False):
        proof.exactly("0, 1 and -1 are roots of x^3 - x", cube(a), 0)
    A, d = sympy.symbols("A d", commutative=False)
    proof.symbolically("the third step from A^3 = A", (A**3 * d).subs(A**3, A), A * d, "A with A^3 = A, d")
    count = proof.pick(40, 120, 600)
    turned = 0
    with proof.beside():
        describe = f"{count} random layers with finitely many states, two letters of one factor with writes, seed 33"
        for layer in proof.each(describe, random_layers(33, count, 2, draw)):
            proof.holds("every letter acts as its cube", all(then(then(x, x), x) == x for x in layer.maps))
            turned += any(then(x, x) != x for x in layer.maps)
        proof.holds("some letter is no square of itself", turned > 0)
