"""How many heads of one factor in [0, 1] the order of last occurrences needs: as many as letters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

import sympy

from ...constructions.languages import paired_heads as heads
from ...constructions.languages.paired_heads import Head
from ..claim import claim
from ..closure import computes
from ..evidence import Proof


@claim(
    "new.automata.one-layer.one-factor-heads",
    place="after grazzi25 Proposition 1",
    title="the order of last occurrences of m letters takes exactly m heads of one factor in [0, 1] for m ≥ 3, one for m = 2",
    says=r"Let one layer have heads with transitions $I-\beta kk^\top$, $0\le\beta|k|^2\le1$, one factor for each letter and head, and finitely many exact states. Then each head consists of disjoint classes of letters, each with the letter that wrote it last, and of letters that it ignores. "
    r"To tell all orders of last occurrences of $m$ letters apart takes exactly $m$ heads for $m\ge3$, whatever their widths, one for $m=2$ and none for $m=1$: one head fails for three letters. With heads $c=0,\dots,m-1$ of classes $\{a,c-a\}$ modulo $m$ it is done.",
    hypotheses=(
        "A and b are functions of the letter alone; the decoder reads all heads after the letter, and the letter",
        "words are not empty",
    ),
    known="new.automata.one-layer.last-occurrences has the class of languages with any number of heads. The count is the colouring of the edges of a complete graph, with loops; we know no source for its use here.",
    construction="lemmata.constructions.languages.paired_heads.paired_heads",
    sabotages={
        "one head less": {"build": lambda m: heads.paired_heads(m)[1:]},
        "a head that is never ignored tells all": {"fewest": lambda m: min(m, 1)},
    },
)
def as_many_heads_as_letters(
    proof: Proof,
    build: Callable[[int], Sequence[Head]] = heads.paired_heads,
    fewest: Callable[[int], int] = lambda m: m if m > 2 else m - 1,
) -> None:
    r"""Let $V$ be the span of the differences of states of a head.

    1. $V$ is invariant under $A$. Either $A=1$ on $V$, or $k\in V$. The orbit of every difference is finite, so in the second case $\beta|k|^2=1$: $A$ is the projection along $k$. [prose]
    2. For $d=s.x-s$ the steps of $s,s.x,s.xx,\dots$ are $d,Ad,Ad,\dots$, so $Ad=0$. If $A=1$ on $V$, then $d=0$: the letter is ignored. Else $d$ is a multiple of $k$, and the letter sets the coordinate along $k$ to a constant. [prose]
    3. If $k_x,k_y\in V$ are neither parallel nor orthogonal, $P_xP_y$ has the eigenvalue $\cos^2$ of their angle on $V$, in $(0,1)$: infinitely many states. So keys are parallel or orthogonal, and parallel ones form the classes. [checked: "the trace of the product of two projections"] [prose]
    4. Let $z$ be a word of all letters but $a$, $b$. For $m\ge3$ it is not empty, and $abz$, $baz$ end alike; a head tells them apart only if $\{a,b\}$ is a class: a third letter of the class would overwrite both. For $m\ge2$ let $z$ have all letters but $a$: only a class $\{a\}$ tells $az$ from $z$. [prose]
    5. So the classes of two letters cover all $\frac12m(m-1)$ pairs, at most $\frac m2$ in a head, which takes $m-1$ heads for even $m$ and $m$ for odd $m$. With $m-1$ heads, $m$ even, all classes would be pairs, and none is $\{a\}$. [checked: "pairs in all heads"] [prose]
    6. In head $c$ let $a$ and $c-a$ modulo $m$ share a class. Each pair shares one in the head $c=a+b$, each letter is alone in the head $c=2a$, and the last letters of all classes determine the order. [checked: "each pair is a class once, each letter alone once"] [prose]
    7. Beside the argument: for few letters all heads are tried, and the layer is closed. [checked: "the least number by trying all"; "3 letters: the output is the order"; "4 letters: the output is the order"] [prose]
    """
    t = sympy.Symbol("t", real=True)
    first, second = sympy.Matrix([1, 0]), sympy.Matrix([sympy.cos(t), sympy.sin(t)])
    along = [sympy.eye(2) - v * v.T for v in (first, second)]
    proof.symbolically(
        "the trace of the product of two projections is cos^2", (along[0] * along[1]).trace(), sympy.cos(t) ** 2, free="angle t"
    )
    m = sympy.Symbol("m", positive=True)
    proof.symbolically("pairs in all heads: m - 1 times m/2", (m - 1) * m / 2, sympy.binomial(m, 2).expand(func=True), free="m")
    with proof.beside():
        for count in proof.each("m <= 9", range(1, 10)):
            found = build(count)
            pairs = [sum(head[a] == head[b] for head in found) for a, b in combinations(range(count), 2)]
            alone = [sum(head.count(head[a]) == 1 for head in found) for a in range(count)]
            proof.exactly("each pair is a class once, each letter alone once", (set(pairs) <= {1}, set(alone)), (True, {1}))
    with proof.beside():
        for count in proof.every("m <= 3 by all heads", (1, 2, 3)):
            proof.exactly("the least number by trying all", heads.fewest_heads(count, count), fewest(count))
        for count in (3, 4):
            layer = heads.layer_of_heads(count, build(count))
            what = f"{count} letters: the output is the order of last occurrences, on all words"
            computes(proof, what, layer, heads.order_after, (), list(range(count)), lambda q: q, certify=count == 3)


@claim(
    "new.automata.one-layer.two-factor-heads",
    place="after grazzi25 Proposition 1",
    title="with two factors in [0, 1] a head, the order of last occurrences of m ≥ 3 letters takes exactly ⌈m/2⌉ heads",
    says=r"Let one layer have heads whose transitions are products of at most two factors $I-\beta kk^\top$, $0\le\beta|k|^2\le1$, for each letter, and finitely many exact states. "
    r"To tell all orders of last occurrences of $m\ge3$ letters apart takes exactly $\lceil m/2\rceil$ heads, whatever their widths.",
    hypotheses=(
        "A and b are functions of the letter alone; the decoder reads all heads after the letter, and the letter",
        "words are not empty",
    ),
    known="new.automata.one-layer.one-factor-heads has m heads for one factor. We know no source for two.",
    remarks=(
        "Classes of one head may share letters: with three letters one head may keep the last letter of each pair, and another which letters have come.",
    ),
    construction="lemmata.constructions.languages.paired_heads.heads_of_two_factors",
    sabotages={
        "one head less": {"build": lambda m: heads.heads_of_two_factors(m)[1:]},
        "three factors in a head": {"factors": 3},
    },
)
def half_as_many_heads(
    proof: Proof, build: Callable[[int], Sequence[heads.Classes]] = heads.heads_of_two_factors, factors: int = 2
) -> None:
    r"""Let $V$ be the span of the differences of states of a head, and $A$ a letter's transition there.

    1. $A$ is idempotent and the letters act idempotently, as norms are at most $1$: $A$ is an orthogonal projection, and those of different letters commute. [uses: new.automata.one-layer.last-occurrences, new.automata.one-layer.norm]
    2. $A$ differs from $1$ by rank at most $2$, so it annihilates at most two dimensions. $V$ is the sum of the joint eigenspaces of the letters; the one that exactly the letters of a class $S$ annihilate is set to a constant by each of them and held by all others. So a head keeps the last letter of each of its classes, and a letter is in at most two classes. [prose]
    3. Let $m\ge3$ and $z$ be a word of all letters but $a,b$. Only the class $\{a,b\}$ tells $abz$ from $baz$. With $z$ all letters but $a$, only the class $\{a\}$ tells $az$ from $z$. So each letter is in $m$ classes, and there are at least $m/2$ heads. [checked: "no fewer heads, by trying all"] [prose]
    4. Two heads of one factor are one of two factors: projections on orthogonal keys. $m$ heads of one factor suffice. [uses: new.automata.one-layer.one-factor-heads] [checked: "half as many heads, two classes for each letter"; "all orders are told apart"]
    """
    for count in proof.every("m = 3 and 4 by all heads of at most two classes a letter", (3, 4)):
        alone = any(heads.classes_separate(count, [head]) for head in heads.all_classes(count, factors))
        proof.exactly("no fewer heads, by trying all: one does not suffice", alone, False)
    with proof.beside():
        for count in proof.each("3 to 6 letters", range(3, 7)):
            found = build(count)
            most = max(sum(x in c for c in head) for head in found for x in range(count))
            proof.exactly("half as many heads, two classes for each letter", (len(found), most), ((count + 1) // 2, 2))
            proof.holds("all orders are told apart", heads.classes_separate(count, found))
