"""One layer that turns or that is time-invariant, with finitely many exact states; and one layer of norm at most 1 with a margin."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import lcm
from typing import Any

import sympy
from flint import fmpq

from ...constructions.languages import Language
from ...constructions.languages.single_layers import counts, window_and_clock
from ...numerics import exact
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof
from .finite_layers import period
from .one_layer import AFTER, CLOSED, EXACT, LETTER_ALONE, ONE_PRODUCT, UNIT_KEYS, has, languages, outcome

#: letters that turn by more than this are not built beside the argument
LARGEST_MODULUS = 4


def modulus(language: Language) -> int:
    """The least common multiple of the periods of the letters."""
    return lcm(*(period(tuple(row)) for row in language.machine.delta.tolist()))


@claim(
    "new.automata.one-layer.counts",
    place="after grazzi25 Theorem 2; degeeter26 Fig. 10",
    title="one diagonal layer, exact states: order of last occurrences and counts since then decide, modulo 2 for real ones",
    says=r"One diagonal layer with finitely many exact states recognises exactly the languages for which some $m$ has: the order of last occurrences, and the counts modulo $m$ of each letter since the last occurrence of each letter and since the start, decide. With real entries $m=2$.",
    hypotheses=(EXACT, LETTER_ALONE, AFTER, CLOSED, "one basis for all letters"),
    known="that the groups of one diagonal layer are abelian: Shakerinava, Khavari, Ravanbakhsh, Chandar (arXiv 2603.01959, abstract read), and new.automata.diagonal here. The class of languages was not found.",
    construction="lemmata.constructions.languages.single_layers.counts",
    sabotages={
        "counts modulo one less": {"build": lambda machine, m: counts(machine, max(1, m - 1))},
        "a letter turns about a centre of its own": {"centre": lambda c, other: other},
    },
)
def one_diagonal_layer_counts(proof: Proof, build: Callable = counts, centre: Callable[[Any, Any], Any] = lambda c, other: c) -> None:
    r"""Letters that turn a coordinate share its centre, since all of them permute one finite set.

    1. Let $P$ be the values of a coordinate. A letter acts on it as $x\mapsto ax+b$ and maps $P$ into $P$. If $a\ne0$ it permutes the finite set $P$, so it fixes the mean $c$ of $P$, and $a$ is a root of unity, real only if $\pm1$, or $P$ is one value. [checked: "the mean goes to the mean"] [prose]
    2. So every letter turns the coordinate about the one centre $c$, or overwrites it. Turns about one centre commute: the value is told by the last letter that overwrites, if any has come, and by how often each other letter came since then, modulo the orders of the $a$. [checked: "turns about one centre commute"] [prose]
    3. The last occurrence of a letter that overwrites is the last occurrence of one letter, so the order and the counts tell all coordinates. The decoder reads the last letter, which the order tells. [prose]
    4. Conversely the scalar for letters $y,z$ is set to $1$ by $y$ and turned by $z$; another is never set; and for every two letters one scalar tells which came last. [checked: "a turn counts"] [prose]
    5. Beside the argument, the layer for all automata with at most three states and two letters that have the property, at every length. [checked: "the layer outputs the state"] [prose]
    """
    a, b, c, x, other, n, total = sympy.symbols("a b c x other n total")
    proof.symbolically("the mean goes to the mean", (a * total + n * b) / n, a * (total / n) + b, "a, b, n, total")
    first = lambda y: c + a * (y - c)  # noqa: E731
    second = lambda y: centre(c, other) + b * (y - centre(c, other))  # noqa: E731
    proof.symbolically("turns about one centre commute", first(second(x)), second(first(x)), "a, b, c, x")
    k = sympy.Symbol("k", integer=True, nonnegative=True)
    proof.symbolically("a turn counts", a * a**k, a ** (k + 1), "a, k")
    built = 0
    with proof.beside():
        for language in proof.every("all automata with at most 3 states and 2 letters", languages(3)):
            m = modulus(language)
            if m <= LARGEST_MODULUS and has(language, "counts-mod-m"):
                proof.exactly("the layer outputs the state", outcome(build(language.machine, m), language), "right")
                proof.exactly("and real ones serve for m = 1 and 2", has(language, "counts-mod-2"), m <= 2)
                built += m > 1
        proof.holds("some layers turn", built > 0)


# -- time-invariant ----------------------------------------------------------------------------------------------------------------


def window_of(language: Language, build: Callable, windows: Sequence[int]) -> tuple[int, int] | None:
    """The least window, and then period up to 6, for which the layer is right; None if there is none."""
    for window, clock in product(windows, range(1, 7)):
        if outcome(build(language.machine, window, clock), language) == "right":
            return window, clock
    return None


@claim(
    "new.automata.one-layer.time-invariant",
    place="after grazzi25 Theorem 1 (time-invariant layers)",
    title="time-invariant layers, exact states: diagonal ones know length and last letter; one dense one the last letters too",
    says=r"Let $h_t=Ah_{t-1}+B(y_t)$ have finitely many exact states. (a) Stacks of such layers with diagonalisable $A$, and already one layer, recognise exactly the languages for which some $N$ has: the length modulo $N$ and the last letter decide. "
    r"(b) One layer with any $A$ recognises exactly the languages for which some $i$ has: the length and the last $i$ letters decide.",
    hypotheses=(
        EXACT,
        AFTER,
        "(a): a layer reads the letter and the new states of the layers below; no short convolution, token shift or position",
    ),
    known="two layers with any A have the late languages (new.bilinear.late); for saturating arithmetic Alsmann, Noori, Lange (arXiv 2601.19467) have more. With a margin in place of exact states diagonal layers know more as well.",
    construction="lemmata.constructions.languages.single_layers.window_and_clock",
    sabotages={
        "no clock": {"build": lambda machine, window, clock: window_and_clock(machine, window, 1)},
        "inputs move the mean": {"shift": lambda b: b + 1},
    },
)
def time_invariant_layers(proof: Proof, build: Callable = window_and_clock, shift: Callable[[Any], Any] = lambda b: b) -> None:
    r"""What is invertible permutes finitely many values, so letters do not move it apart; what is nilpotent is a window.

    1. (b) Split the space into the part where $A$ is invertible and the part where it is nilpotent. On the first every letter acts as $h\mapsto Ah+b_x$ on the finitely many values, one-to-one, so it permutes them and fixes their mean $c$: $b_x=c-Ac$ is the same for all letters. So this part is a clock, periodic from the start on. [checked: "the input is told by the mean"] [prose]
    2. If $A^\nu=0$ on the other part, it is a function of the last $\nu$ letters after that many, and of the whole word before. So the length and the last $\nu$ letters decide. [prose]
    3. (a) By induction what a layer reads is a function of the length modulo some $N$ and the letter. Consider a coordinate with eigenvalue $\lambda\ne0$ at lengths divisible by $N$. Every block of $N$ letters acts on its values there as $h\mapsto\lambda^Nh+c$, one-to-one, so as before $c$ is the same for all blocks. Changing the $i$-th letter changes $c$ by $\lambda^{N-i}$ times the change of input, so inputs do not depend on letters: the coordinate is a clock. [checked: "the input is told by the mean"] [prose]
    4. A coordinate with $\lambda=0$ is a function of the length modulo $N$ and the last letter. So all states are, for a multiple of $N$. [prose]
    5. Conversely a register of the last letters, which shows the start until it is full, and a cyclic shift. For one letter the register is the eigenvalue $0$, and cyclic shifts are diagonalisable. [checked: "a clock and a register output the state"; "a clock and the last letter output the state"] [prose]
    """
    A, c = sympy.symbols("A c", commutative=False)
    proof.symbolically("the input is told by the mean that the letter fixes", (A * c + shift(c - A * c)), c, "A, c of any size")
    built = 0
    with proof.beside():
        for language in proof.every("all automata with at most 3 states and 2 letters", languages(3)):
            if has(language, "length-and-last-letter"):
                proof.holds("a clock and the last letter output the state", window_of(language, build, [1]) is not None)
            elif has(language, "quasi-definite"):
                proof.holds("a clock and a register output the state", window_of(language, build, range(1, 5)) is not None)
                built += 1
        proof.holds("some registers are longer than one letter", built > 0)


# -- time-invariant, with a margin ------------------------------------------------------------------------------------------------


def last_letters(h: Any, q: int, window: int) -> list[int]:
    """The last letters, oldest first, that a scalar h -> h / (3 q) + j + 1 holds after letter number j of q; fewer if fewer came."""
    letters: list[int] = []
    while h > 0 and len(letters) < window:
        # what older letters add is at most one half
        digit = int(h.p // h.q)
        letters.append(digit - 1)
        h = (h - digit) * 3 * q
    return letters[::-1]


def follows(language: Language, window: int, period: int, longest: int, read: Callable = last_letters) -> bool:
    """Whether the last letters and the length modulo the period tell the state after every word to a length."""
    m = language.machine
    for word in (w for n in range(1, longest + 1) for w in product(range(m.k), repeat=n)):
        h = fmpq(0)
        for j in word:
            h = h / (3 * m.k) + j + 1
        letters = read(h, m.k, window)
        before = (len(word) - len(letters)) % period + period * m.n if len(letters) == window else 0
        if m.end(0, [0] * before + letters) != m.end(0, word):
            return False
    return True


@claim(
    "new.automata.margin.time-invariant",
    place="after lizaire26 Sec. 3 (one layer)",
    title="one time-invariant diagonal layer, bounded states and a margin: exactly the quasi-definite languages",
    says=r"Let $A$ be one diagonal matrix for all letters, $|\lambda|\le1$, with bounded states and a margin. One such layer recognises exactly the languages for which some $i$ has: the length and the last $i$ letters decide. A unit $h\mapsto h/(3q)+d$, $q$ letters as digits $d$, and a root of unity are enough.",
    hypotheses=(
        "states are bounded for all words, and the decoder reads the new state and the letter, with finitely many outputs that agree on states closer than some δ > 0",
        "no short convolution, no token shift, no position",
    ),
    known="quasi-definite (generalised definite with the length) languages are classical; with exact states it takes a matrix that is not diagonalisable (new.automata.one-layer.time-invariant). Stacks have the late languages (new.bilinear.late).",
    sabotages={
        "one letter is read": {"read": lambda h, q, window: last_letters(h, q, 1)},
        "half of the square is left out": {"half": 1},
    },
)
def time_invariant_with_a_margin(proof: Proof, read: Callable = last_letters, half: Any = sympy.Rational(1, 2)) -> None:
    r"""Inputs to what does not decay cannot depend on the letter, or some words grow without bound.

    1. *Only if.* Let $|\lambda|=1$, and let $d$ be the difference of the inputs of two letters. Two words that differ where $\operatorname{Re}(\lambda^jd)$ is positive or negative end $\sum_j|\operatorname{Re}(\lambda^jd)|$ apart, up to a turn of $d$. With $(\operatorname{Re}z)^2=\frac12(|z|^2+\operatorname{Re}z^2)$ this is at least $\frac1{2|d|}\sum_j(|d|^2+\operatorname{Re}\lambda^{2j}d^2)$. [checked: "the square of a real part"] [prose]
    2. If $\lambda^2\ne1$ the sums of $\lambda^{2j}$ are bounded; if $\lambda^2=1$ let $d$ be turned to be real. So the distance grows with the length unless $d=0$: such a coordinate depends on the length alone. [prose]
    3. The others decay: letters that came $i$ before move the state by less than $\delta$. So the length and the last $i$ letters decide. [prose]
    4. *If.* The scalar holds the last letters with a margin, and tells shorter words whole. For $t\ge i$ the answer depends, for each choice of the last $i$ letters, on $t$ alone, and is periodic from some $t$ on, as the language is regular: take $i$ larger than that. [uses: new.automata.margin.definite] [prose]
    5. Beside the argument, all automata with at most three states and two letters that are quasi-definite, on all words to a length. [checked: "the last letters and the length tell the state"] [prose]
    """
    x, y = sympy.symbols("x y", real=True)
    z = x + sympy.I * y
    proof.symbolically("the square of a real part", x**2, sympy.expand(half * (x**2 + y**2 + sympy.re(sympy.expand(z**2)))), "z = x + i y")
    longest = proof.pick(7, 8, 10)
    longer = 0
    with proof.beside():
        for language in proof.every("all quasi-definite automata with at most 3 states and 2 letters", languages(3)):
            if not has(language, "quasi-definite"):
                continue
            found = window_of(language, window_and_clock, range(1, 5))
            proof.holds("a window and a period serve", found is not None)
            if found is not None:
                window, period_ = found
                proof.holds("the last letters and the length tell the state", follows(language, window, period_, longest, read))
                longer += window > 1
        proof.holds("some windows are longer than one letter", longer > 0)


# -- norm at most 1, with a margin ---------------------------------------------------------------------------------------------------

#: DeltaNet in [0, 1] of width 2, beta = 1, no writes: a projects across the first key, b across the second
AB_KEYS = ((0, 1), (1, -1))


def margins(keys: Sequence[Sequence[int]], longest: int) -> tuple[Any, Any]:
    """(the least squared length after a word of a*b*, the largest after another word), over all words to a length, from (1, 0)."""
    A = [exact.identity(2) - (k @ k.T) * (fmpq(1) / (k.T @ k)[0, 0]) for k in (exact.rationals([[x] for x in key]) for key in keys)]
    inside, outside = [], []
    words: list[tuple[str, Array]] = [("", exact.rationals([[1], [0]]))]
    for _ in range(longest):
        words = [(w + "ab"[i], A[i] @ h) for w, h in words for i in range(2)]
        for w, h in words:
            (outside if "ba" in w else inside).append((h.T @ h)[0, 0])
    return min(inside), max(outside)


@claim(
    "new.automata.one-layer.margin",
    place="after grazzi25 Theorem 4",
    title="one layer of norm at most 1 with bounded states and a margin: idempotents have f(ef)ⁿ = (ef)ⁿ for some n",
    says=r"Let a layer $h\mapsto A(x)h+b(x)$ have $\|A(x)\|\le1$, bounded states, and a decoder with finitely many outputs that is constant, for each letter, on states closer than some $\delta>0$. In the syntactic monoid of a recognised language all idempotents satisfy $f(ef)^\omega=(ef)^\omega$. "
    r"So ``the first letter is $a$'' and ``$aba$ has come'' take two layers; $a^*b^*$ does not: one DeltaNet layer of width 2 recognises it.",
    hypotheses=(ONE_PRODUCT, LETTER_ALONE, "states are bounded, and the decoder reads the new state and the letter", CLOSED, UNIT_KEYS),
    known="monoids whose idempotents generate an L-trivial monoid are the divisors of L-trivial monoids by groups (Almeida; Stiffler, from memory); that alternating projections converge is von Neumann's. That it bounds recurrent layers was not found. Whether every such language has a layer is open.",
    sabotages={
        "projections that are not idempotent": {"square": lambda P: sympy.Symbol("R", commutative=False)},
        "keys at a right angle": {"keys": ((0, 1), (1, 0))},
    },
)
def margins_absorb(proof: Proof, square: Callable[[Any], Any] = lambda P: P, keys: Sequence[Sequence[int]] = AB_KEYS) -> None:
    r"""Powers of a product of projections converge to the projection onto what all of them keep.

    1. The words act on the closed convex hull of the states by affine maps that do not lengthen. Their closure is a compact semigroup. The powers of a word that is idempotent in the syntactic monoid have an idempotent in their closure, and every power has the same image there. [cited: Arzelà and Ascoli; a compact semigroup has an idempotent] [prose]
    2. Let $E,F$ be such idempotents for $e,f$, and $P,Q$ their linear parts on the span $V$ of differences of states: idempotent of norm at most 1, so orthogonal projections (step 2 of new.automata.one-layer.norm). [uses: new.automata.one-layer.norm]
    3. Let $z$ be an idempotent in the closure of the powers of $EF$, $Z$ its linear part. If $Zx=x$, no factor on the way shortens $x$, and $|x|^2-|Px|^2=|x-Px|^2$: so $Px=x=Qx$. Hence $Z$ projects onto the vectors that $P$ and $Q$ keep, and $ZQ=Z$, as $Q$ is symmetric. [checked: "a projection shortens what it moves"] [prose]
    4. So $t=Z(s.F-s)$ is the same for all states $s$, as $Z(Qd-d)=0$ for differences $d$. As $F$ is idempotent, $Z(s.FF-s)=2t$ is $t$ too: $t=0$, and $s.Fz-s.z=Z(s.F-s)=0$. [prose]
    5. So some powers of $e$ and $f$, of the same images, and some power of their product, act within $\delta$ of $E$, $F$, $z$ for all states; words after them do not spread states, and both sides end with the same letter. So $f(ef)^\omega$ and $(ef)^\omega$ are answered alike in every context. [prose]
    6. The layer for $a^*b^*$: projections across two keys at 45 degrees, from $(1,0)$. Accepted words leave a squared length of $\frac12$ at least, others $\frac14$ at most, since each $ba$ halves it once more. [checked: "the least length of accepted words"; "the largest of others"] [prose]
    """
    P, x, z = sympy.symbols("P x z", commutative=False)
    one = sympy.S.One
    lost = sympy.expand(z * x - z * P * P * x - z * (one - P) * (one - P) * x)
    proof.symbolically("a projection shortens what it moves", lost.subs(P**2, square(P)), 0, "x, z = x^T, projection P")
    longest = proof.pick(8, 10, 13)
    with proof.beside():
        for _ in proof.every(f"all words of at most {longest} letters", [longest]):
            inside, outside = margins(keys, longest)
            proof.exactly("the least length of accepted words, squared", inside, fmpq(1, 2))
            proof.exactly("the largest of others, squared", outside, fmpq(1, 4))
