"""Stacks of layers with bounded states and a margin, of any depth: which languages they recognise, by the kind of their transitions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, product
from random import Random
from typing import Any

import sympy
from flint import fmpq

from ...numerics import exact
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof
from .exact_stacks import WINDOWS
from .finite_layers import delta_product
from .one_layer import UNIT_KEYS

MARGIN = "states are bounded; a layer hands up, and the decoder says, one of finitely many values, the same for states closer than some δ > 0 that read the same"
READS = "a layer reads the letter and what the layers below hand up, before and after the letter; no position"


def powers_converge(A: Array) -> bool:
    """Whether the powers of a rational 2 x 2 matrix converge: it is I, or has the eigenvalues 1 and one of modulus below 1, or two of modulus below 1."""
    trace, det = A[0, 0] + A[1, 1], A[0, 0] * A[1, 1] - A[0, 1] * A[1, 0]
    if not (A - exact.identity(2)).any():
        return True
    at_one = 1 - trace + det
    return abs(det) < 1 and (at_one == 0 or abs(trace) < 1 + det)


def powers_vanish(A: Array) -> bool:
    """Whether the powers of a rational 2 x 2 matrix tend to 0."""
    return powers_converge(A) and 1 - (A[0, 0] + A[1, 1]) + A[0, 0] * A[1, 1] - A[0, 1] * A[1, 0] != 0


# -- factors in [0, 1] ---------------------------------------------------------------------------------------------------------


def _factors(rng: Random) -> Array:
    """A product of up to three factors with eigenvalues 0, 1/2 or 1."""
    return delta_product(rng, rng.randint(1, 3), (0, fmpq(1, 2), 1, 1))[0]


@claim(
    "new.automata.margin.semidefinite",
    place="after grazzi25 Theorem 1",
    title="stacks of products of factors in [0, 1], with bounded states and a margin, recognise star-free languages only",
    says=r"Let all transitions be products of symmetric matrices with eigenvalues in $[0,1]$, any number of them. While a word is read again and again, bounded states converge; so with a margin every recognised language is star-free, at every depth. So it is for DeltaNet and Gated DeltaNet with $\beta\le1$, for gates in $[0,1]$, and for DeltaProduct with factors in $[0,1]$.",
    hypotheses=(MARGIN, READS, WINDOWS, UNIT_KEYS),
    known="for nonnegative diagonal layers at finite precision Sarrof, Veitsman, Hahn (arXiv 2405.17394); for finitely many exact states new.automata.stacks.semidefinite. That products of projections stay star-free with a margin was not found. Star-free = aperiodic is Schützenberger's (1965).",
    remarks=("It is false without a margin: three factors count blocks modulo 2 in the sign of a state that tends to 0.",),
    sabotages={
        "beta = 2 in some factor": {"draw": lambda rng: delta_product(rng, 2, (1, 2))[0]},
        "factors are not symmetric": {"transposed": lambda P: sympy.Symbol(f"{P}'", commutative=False)},
    },
)
def semidefinite_stacks_are_aperiodic(
    proof: Proof, draw: Callable[[Random], Array] = _factors, transposed: Callable[[Any], Any] = lambda P: P
) -> None:
    r"""The only eigenvalue of modulus 1 of such a product is 1, so that bounded states come to rest.

    1. For a symmetric $P$ with eigenvalues in $[0,1]$: $|d|^2-|Pd|^2-|d-Pd|^2=2d^*(P-P^2)d\ge0$. So factors do not lengthen, and $|Ad|=|d|$ for their product $A$ implies $Ad=d$. [checked: "a factor shortens what it moves"] [prose]
    2. So $1$ is the only eigenvalue of $A$ of modulus $1$, and since $\|A\|\le1$ it has no Jordan block: $A^k$ converges to a projection $\Pi$ with $\Pi A=\Pi$, and $A^k-\Pi$ tends to $0$ geometrically. [prose]
    3. Let a layer read one word again and again: $h_{k+1}=Ah_k+c$. The steps are $h_{k+1}-h_k=A^k(h_1-h_0)$, so they tend to $t=\Pi(h_1-h_0)$, with a finite sum of errors. Bounded states have $t=0$, and converge. So do the states at each place within the word. [checked: "steps of the state"] [prose]
    4. By induction on the layers, what is handed up becomes periodic, one word for each repetition: states at one place converge, two of them in a row become closer than $\delta$ and give one value. Windows longer than the word see the same after a few repetitions. [prose]
    5. After a further word $w$ the states converge as well, so the answer to $uv^kw$ is constant for large $k$. The syntactic monoid is finite, so the powers of $v$ become periodic in it, with a period of $1$. [cited: Schützenberger: aperiodic = star-free] [prose]
    6. The kernel has this for one layer, without limits: steps under one word fall at a rate that does not depend on the width, and below every margin the answer no longer changes. It needs $|x|^2-|Ax|^2\ge c|x-Ax|^2$ only, which a factor with $\beta(1+c)\le2$ has. [checked: "the kernel: steps fall"; "the kernel: period 1"; "the kernel: factors"]
    7. Beside the argument, random products. [checked: "powers converge"; "some need more than two repetitions"] [prose]
    """
    proof.formally("the kernel: steps fall under one word", "settling.averaged_orbits_settle")
    proof.formally("the kernel: period 1 with a margin, one layer", "settling.averaged_words_have_period_one")
    proof.formally("the kernel: factors satisfy the inequality", "settling.delta_factors_are_averaged")
    P, A, d, z, h, c = sympy.symbols("P A d z h c", commutative=False)
    one, Pt = sympy.S.One, transposed(P)
    lost = z * d - z * Pt * P * d - z * (one - Pt) * (one - P) * d
    proof.symbolically("a factor shortens what it moves", lost, 2 * z * (P - P * P) * d, "d, z = d^*, symmetric P")
    step = lambda y: A * y + c  # noqa: E731
    proof.symbolically("steps of the state", step(step(h)) - step(h), A * (step(h) - h), "A, c, h of any size")
    count = proof.pick(40, 200, 1000)
    rng, slow = Random(71), 0
    with proof.beside():
        for A in proof.each(f"{count} random products of up to three factors in the plane, seed 71", [draw(rng) for _ in range(count)]):
            proof.holds("powers converge", powers_converge(A))
            slow += bool((A @ A @ A != A @ A).any())
        proof.holds("some need more than two repetitions", slow > 0)


# -- real diagonal transitions -----------------------------------------------------------------------------------------------------


@claim(
    "new.automata.margin.real-diagonal",
    place="after grazzi25 Theorem 2",
    title="real diagonal stacks with bounded states and a margin have groups of order 2ᵏ only",
    says=r"Let all transitions be diagonal with entries in $[-1,1]$. With bounded states and a margin every word has a period that divides $2^L$ in the syntactic monoid of every recognised language, $L$ the number of layers. So all its groups are 2-groups.",
    hypotheses=(MARGIN, READS, WINDOWS, "one basis for all letters of a layer"),
    known="for finitely many exact states new.automata.stacks.diagonal; for one letter and one layer grazzi25's Theorem 2.",
    sabotages={
        "a third root of unity counts as real": {"turn": sympy.Rational(-1, 2) + sympy.sqrt(3) / 2 * sympy.I},
        "one repetition in place of two": {"times": 1},
    },
)
def real_diagonal_stacks_have_2_groups(proof: Proof, turn: Any = sympy.S.NegativeOne, times: int = 2) -> None:
    r"""Twice the same word multiplies each coordinate by a square.

    1. Let a layer read one word again and again, and let it act on a coordinate as $f(h)=ah+b$, $a\in[-1,1]$. Then $f^4(h)-f^2(h)=a^2(f^2(h)-h)$: for $|a|<1$ the values after an even number of repetitions converge. [checked: "steps of two repetitions"] [prose]
    2. For $a=-1$ they stand still, $f^2(h)=h$; for $a=1$ values are bounded only if $b=0$, and then stand still as well. [checked: "a turn, twice"] [prose]
    3. By induction on the layers what the first $l$ layers hand up, while $v$ is read again and again, has a period that divides $2^l$ repetitions in the end: layer $l+1$ reads one word of $2^l$ repetitions again and again, and by steps 1 and 2 its states converge at each place of two such words. Two in a row become closer than $\delta$. [prose]
    4. So the answer to $uv^kw$ has a period in $k$ that divides $2^L$, for large $k$. The syntactic monoid is finite: the period of $v$ in it divides $2^L$, and a group whose elements have orders $2^j$ is a 2-group. [cited: Cauchy: a prime that divides the order of a group is the order of an element] [prose]
    """
    a, b, h = sympy.symbols("a b h")
    f = lambda factor, y: factor * y + b  # noqa: E731

    def repeated(factor: Any, y: Any, count: int) -> Any:
        for _ in range(count):
            y = f(factor, y)
        return y

    after = repeated(a, h, times)
    proof.symbolically("steps of two repetitions", repeated(a, after, times) - after, a**2 * (after - h), "a, b, h")
    proof.symbolically("a turn, twice", repeated(turn, h, 2), h, "b, h")


# -- any affine layers -------------------------------------------------------------------------------------------------------------

#: two bases in which diagonals lengthen some vectors
SHEAR = ((2, 1), (1, 1))


def _bounded_letters(eigenvalues: Sequence[Any]) -> list[Array]:
    """Letters with these eigenvalues in one slanted basis: their products are bounded if the eigenvalues have modulus at most 1, though norms exceed 1."""
    S = exact.rationals([list(row) for row in SHEAR])
    letters = []
    for pair in product(eigenvalues, repeat=2):
        D = exact.zeros(2, 2)
        D[0, 0], D[1, 1] = map(fmpq, pair)
        letters.append(S @ D @ exact.inverse(S))
    return letters


def _largest(letters: Sequence[Array], longest: int) -> fmpq:
    """The largest modulus of an entry of a product of at most so many letters."""
    words, largest = [exact.identity(2)], fmpq(0)
    for _ in range(longest):
        words = list({exact.freeze(A @ W): A @ W for A in letters for W in words}.values())
        largest = max([largest, *(abs(x) for W in words for x in W.flat)])
    return largest


@claim(
    "new.automata.margin.regular",
    place="after grazzi25 Sec. 2 (finite precision)",
    title="stacks of affine layers with bounded states and a margin are finite automata",
    says=r"Let every layer be $h\mapsto Ah+b$, where $A$ and $b$ are any functions of what it reads, finitely many letters and values handed up. No norm is bounded. With bounded states and a margin the stack answers as a finite automaton does: every recognised language is regular. "
    r"So $a^nb^n$, majority, balanced brackets, recall of any number of pairs and copying a word of any length are done by no stack of DeltaNet, Mamba, RWKV-7, S4, fixed-point, bilinear or dense layers in this arithmetic.",
    hypotheses=(MARGIN, READS, WINDOWS, "finitely many letters"),
    known="that machines with finitely many states, or noise, recognise regular languages only is old (Rabin 1963 for isolated cut-points of probabilistic automata, from memory; Maass and Orponen, NIPS 1996, for noise, abstract read). For layers that lengthen vectors we found no statement.",
    remarks=(
        "Without a margin it is false: one scalar counts.",
        "Layers that are not affine in their state need a hypothesis of their own.",
    ),
    sabotages={
        "a letter doubles": {"eigenvalues": (0, 1, 2)},
        "the input depends on the state": {"input_of": lambda b, h: b * h},
    },
)
def affine_stacks_with_a_margin_are_automata(
    proof: Proof, eigenvalues: Sequence[Any] = (0, 1, -1), input_of: Callable[[Any, Any], Any] = lambda b, h: b
) -> None:
    r"""States that are bounded for all words bound all products of transitions, so near states stay near.

    1. Let the layers below be a finite automaton with classes $c$, which tell all that is handed up from then on. Let $S_c$ be the states of this layer that occur with $c$, and $V_c$ the span of their differences. A word $w$ that leads $c$ to $c'$ acts on $S_c$ by one affine map, so on differences by one linear map $A_w:V_c\to V_{c'}$. [checked: "inputs cancel"] [prose]
    2. Choose a basis of $V_c$ among the differences of states. $A_w$ takes each of its vectors to a difference of states, of length at most the diameter $D$. So $|A_wx|\le K|x|$ on $V_c$ for all words $w$, and for all of the finitely many $c$, with one $K$. [prose]
    3. States of $S_c$ closer than $\delta/K$ stay closer than $\delta$ under every word, and hand up the same for ever. Bounded sets are covered by finitely many such pieces. So the layer and those below are a finite automaton, and so is the stack by induction; windows hold one of finitely many words. [prose]
    4. So the languages are regular. $a^nb^n$, majority and balanced brackets are not, since the words $a^n$ have different continuations. A copied word, or keys of any length with their values, tells more words apart than there are classes. [prose]
    5. Beside the argument: letters that lengthen vectors and whose products are bounded, all words to a length. [checked: "some letter lengthens"; "products are bounded by one number"] [prose]
    """
    A, b, g, h = sympy.symbols("A b g h", commutative=False)
    moved = (A * g + input_of(b, g)) - (A * h + input_of(b, h))
    proof.symbolically("inputs cancel: differences move linearly", sympy.expand(moved), sympy.expand(A * (g - h)), "A, b, states g and h")
    longest = proof.pick(4, 6, 8)
    S = exact.rationals([list(row) for row in SHEAR])
    number = sum(abs(x) for x in S.flat) * sum(abs(x) for x in exact.inverse(S).flat)
    with proof.beside():
        for _ in proof.every(f"all words of at most {longest} letters with eigenvalues 0, 1 and -1 in a slanted basis", [longest]):
            letters = _bounded_letters(eigenvalues)
            proof.holds("some letter lengthens a vector", max(abs(x) for W in letters for x in W.flat) > 1)
            proof.holds("products are bounded by one number", _largest(letters, longest) <= number)
        doubled = _largest(_bounded_letters((0, 2)), longest)
        proof.holds("products of letters that double are not", doubled > 2**longest)


# -- complex diagonals -------------------------------------------------------------------------------------------------------------


@claim(
    "new.automata.margin.complex-diagonal",
    place="after grazzi25 Theorem 2",
    title="complex diagonal stacks with bounded states and a margin have solvable groups only, one abelian factor for each layer",
    says=r"Let all transitions be diagonal with complex entries of modulus at most $1$. With bounded states and a margin every group in the syntactic monoid of a recognised language is solvable: it has a subnormal series with one abelian factor for each layer. So no such stack tracks $A_5$ or $S_5$.",
    hypotheses=(MARGIN, READS, WINDOWS, "finitely many letters", "one basis for all letters of a layer"),
    known="for finitely many exact states new.automata.stacks.diagonal; for groups and finite precision Shakerinava, Khavari, Ravanbakhsh, Chandar (arXiv 2603.01959, abstract read).",
    sabotages={
        "letters mix the coordinates": {"commuting": False},
        "the translation may grow": {"translated": lambda z, t: 2 * z + t},
    },
)
def complex_diagonals_with_a_margin_are_solvable(
    proof: Proof, commuting: bool = True, translated: Callable[[Any, Any], Any] = lambda z, t: z + t
) -> None:
    r"""A group of words is the image of a compact group of diagonal affine maps, whose commutators move nothing.

    1. Layers are finite automata with classes. Over each class a word acts on the states of the next layer by one diagonal affine map, and all these maps are bounded. The words' maps on the closed sets of states, for all classes and layers together, have a compact closure $S$, a semigroup. Words that are near act alike on classes, so $S$ maps onto the finite monoid $N$ of the words, continuously. [uses: new.automata.margin.regular] [prose]
    2. Let $G$ be a group in $N$. Above it lies a compact semigroup. Its least ideal has an idempotent $\varepsilon$, and what lies in it on both sides of $\varepsilon$ is a compact group $\Gamma$ that maps onto $G$. [cited: the least ideal of a compact semigroup is completely simple] [prose]
    3. $\Gamma$ permutes the states in the image of $\varepsilon$. Let $K_l$ be its elements that move nothing in the lowest $l$ layers. Over each state of these an element of $K_l$ acts on a coordinate of layer $l+1$ as $z\mapsto az+b$, and permutes a bounded set there. If this has two points, $a\ne0$. The commutator of two such maps has the linear part $1$: it is a translation. [checked: "the commutator is a translation"] [prose]
    4. A translation by $t$, repeated, is one by $mt$ for all $m$, in a bounded set: $t=0$. So $K_l/K_{l+1}$ embeds into a product of abelian groups, and $\Gamma$ and $G$ are solvable. [checked: "translations add up"] [prose]
    5. A group in the syntactic monoid is a quotient of a group in $N$, for a finite semigroup. [cited: groups in a quotient of a finite semigroup lift] [prose]
    """
    a, p = sympy.symbols("a p", commutative=commuting)
    b, q, z, t = sympy.symbols("b q z t", commutative=commuting)
    f, g = (lambda y: a * y + b), (lambda y: p * y + q)
    back_f, back_g = (lambda y: a**-1 * (y - b)), (lambda y: p**-1 * (y - q))
    commutator = lambda y: back_f(back_g(f(g(y))))  # noqa: E731
    moved = sympy.expand(commutator(z + t) - commutator(z))
    proof.symbolically("the commutator is a translation: it keeps differences", moved, t, "a, b, p, q, z, t, with a and p not 0")
    m = sympy.Symbol("m")
    proof.symbolically("translations add up", sympy.expand(translated(z + m * t, t) - z), (m + 1) * t, "m, t, z")


@claim(
    "new.automata.margin.turns",
    place="after grazzi25 Theorem 2",
    title="diagonal stacks with entries of modulus 1, bounded states, a margin: some repetition of every word changes nothing",
    says=r"Let all transitions be diagonal with entries of modulus $1$. With bounded states and a margin every word $v$ has an $n\ge1$ such that $uv^nw$ and $uw$ are answered alike for all words $u$ and all nonempty $w$. So no such stack remembers the last of set and reset, whatever the angles.",
    hypotheses=(MARGIN, READS, "finitely many letters", "no window: no short convolution, no token shift"),
    known="for finitely many exact states new.automata.stacks.turns. AUSSM (arXiv 2507.05238, abstract read) has such transitions.",
    sabotages={
        "a turn about another point": {"centre": lambda c: c + 1},
        "a translation comes back": {"translated": lambda z, t: z},
    },
)
def turns_with_a_margin_come_back(
    proof: Proof, centre: Callable[[Any], Any] = lambda c: c, translated: Callable[[Any, Any], Any] = lambda z, t: z + t
) -> None:
    r"""Finitely many turns come back together as nearly as one likes.

    1. By induction on the layers some $v^n$ acts as the identity on the classes of the layers below, which are finitely many. [uses: new.automata.margin.regular] [prose]
    2. Over each class $v^n$ then acts on the states of the next layer by one map $z\mapsto az+b$ for each coordinate, $|a|=1$. If $a=1$, repetitions move $z$ by $mb$: states are bounded, so $b=0$. Otherwise it turns about $b/(1-a)$. [checked: "translations add up"; "turns add up"; "the centre stays"] [prose]
    3. For finitely many numbers of modulus $1$ some power $m\ge1$ brings all of them as near to $1$ as one likes. So some $v^{nm}$ moves no state by $\delta$ or more; no word lengthens what is between two states of one class, so it acts as the identity on the classes with this layer as well. [cited: Dirichlet: simultaneous approximation] [prose]
    4. So $uv^nw$ and $uw$ lead to states of one class and nearer than $\delta$, with the same last letter. In the flip-flop $u$ sets, $v$ resets and $w$ says neither. [prose]
    """
    a, b, c, z, t, m = sympy.symbols("a b c z t m")
    power = sympy.Symbol("p")
    turned = centre(c) + a * (c + power * (z - c) - c)
    proof.symbolically("turns add up", sympy.expand(turned), sympy.expand(c + a * power * (z - c)), "a, centre c, z, p = a^m")
    proof.symbolically("the centre stays", sympy.simplify(a * (b / (1 - a)) + b), sympy.simplify(b / (1 - a)), "a not 1, b")
    proof.symbolically("translations add up", sympy.expand(translated(z + m * t, t) - z), (m + 1) * t, "m, t, z")


# -- ranges without their end points -----------------------------------------------------------------------------------------------


def _digits(word: Sequence[int], scale: int, digit: Callable[[int], int]) -> fmpq:
    """The state that a scalar h -> h / scale + digit has after a word, from 0."""
    h = fmpq(0)
    for x in word:
        h = h / scale + digit(x)
    return h


def _confused(q: int, i: int, longest: int, scale: int, digit: Callable[[int], int]) -> Iterator[tuple[Any, Any]]:
    """Words of at most ``longest`` of q letters whose last i letters differ, with states that are less than half of scale^(1 - i) apart."""
    words = [w for n in range(longest + 1) for w in product(range(q), repeat=n)]
    states = {w: _digits(w, scale, digit) for w in words}
    for u, v in combinations(words, 2):
        if u[-i:] != v[-i:] and abs(states[u] - states[v]) < fmpq(1, 2 * scale ** (i - 1)):
            yield u, v


@claim(
    "new.automata.margin.definite",
    place="after grazzi25 Theorem 1 (ranges without their end points)",
    title="transitions that all contract, bounded states and a margin: exactly the definite languages, and one scalar has them",
    says=r"Let $\|A(x)\|\le\rho<1$ in one norm for all letters of a layer: diagonals strictly inside the unit disc, or one matrix with spectral radius below $1$. With bounded states and a margin stacks of any depth recognise exactly the languages for which some $i$ has: the last $i$ letters decide. "
    r"One scalar $h\mapsto h/(3q)+d$ has them all, where $q$ letters are the digits $d=1,\dots,q$.",
    hypotheses=(MARGIN, READS, WINDOWS, "finitely many letters, so that entries below 1 are at most some ρ < 1"),
    known="definite events are Kleene's, Perles, Rabin and Shamir's (1963); that networks with noise compute only them is known (Maass and Sontag, NIPS 1998 and 1999; Siegelmann, Roitershtein and Ben-Hur, NIPS 1999, by weak ergodicity; abstracts read). With finitely many exact states less is left: new.automata.stacks.open-ranges.",
    sabotages={
        "digits overlap": {"scale": lambda q: q},
        "a letter is the digit 0": {"digit": lambda j: j},
    },
)
def contracting_stacks_are_definite(
    proof: Proof, scale: Callable[[Any], Any] = lambda q: 3 * q, digit: Callable[[int], int] = lambda j: j + 1
) -> None:
    r"""What lies further back than some number of letters moves no state by more than the margin.

    1. *Only if.* Two states of a layer that read the same $i$ letters are at most $\rho^iD$ apart, $D$ the diameter of its states: below $\delta$ for some $i$. So what it hands up is a function of the last $i$ letters that it reads; shorter words have no other with the same last $i$ letters. By induction on the layers, with windows, the last letters decide. [prose]
    2. *If.* With $a=1/(3q)$ the letters before the last one add at most $qa/(1-a)=q/(3q-1)\le\frac12$ and at least $0$ to the state. [checked: "what older letters add"; "it is at most one half"] [prose]
    3. So states with different last letters are at least $\frac12$ apart, and those after a letter at least $1$ from the start $0$. The state before is $(h-d)/a$, so states with different last $i$ letters are at least $\frac12a^{i-1}$ apart. [checked: "words that are confused"] [prose]
    """
    q = sympy.Symbol("q", positive=True)
    a = 1 / scale(q)
    proof.symbolically("what older letters add", sympy.simplify(q * a / (1 - a)), q / (3 * q - 1), "q")
    proof.symbolically("it is at most one half", sympy.simplify(sympy.Rational(1, 2) - q / (3 * q - 1)), (q - 1) / (2 * (3 * q - 1)), "q")
    cases = [(1, 1), (1, 3), (2, 1), (2, 2), (2, 3), (3, 2)][: proof.pick(4, 6, 6)]
    longest = proof.pick(4, 5, 6)
    with proof.beside():
        for letters, i in proof.every(f"last letters of words of at most {longest} of up to three letters", cases):
            proof.exactly("words that are confused", next(_confused(letters, i, longest, int(scale(letters)), digit), None), None)


def _released(rng: Random, c: int = 1) -> Array:
    """Diag(w) - c k (a * k)^T with w, a in (0, 1) and |k| = 1, in the plane."""
    w, a = ([fmpq(rng.randint(1, 19), 20) for _ in range(2)] for _ in range(2))
    k = rng.choice(((fmpq(3, 5), fmpq(4, 5)), (fmpq(4, 5), fmpq(-3, 5)), (fmpq(1), fmpq(0))))
    return exact.rationals([[w[i] * (i == j) - c * k[i] * a[j] * k[j] for j in range(2)] for i in range(2)])


@claim(
    "new.automata.margin.fading",
    place="after grazzi25 Theorem 1 (ranges without their end points)",
    title="letters whose transitions have spectral radius below 1, bounded states and a margin: every letter has a constant power",
    says=r"Let every transition have spectral radius below $1$, and let states be bounded, with a margin. In every recognised language a letter that is repeated often enough leads all states of the minimal automaton to one, at every depth. So it is for $\operatorname{Diag}(w)-\hat k(a\odot\hat k)^\top$ with $w,a\in(0,1)^n$, RWKV-7 as released, with its token shift or without.",
    hypotheses=(MARGIN, READS, WINDOWS),
    known="for gated fixed-point RNNs new.fixed-point.gated.automata, which has the converse; with finitely many exact states new.automata.stacks.open-ranges.",
    remarks=("Which of these languages RWKV-7 recognises is open: two letters in turn need not contract.",),
    sabotages={"the factor 2": {"draw": lambda rng: _released(rng, 2)}},
)
def fading_letters_have_constant_powers(proof: Proof, draw: Callable[[Random], Array] = _released) -> None:
    r"""The layers come to rest one after the other, wherever they were.

    1. A layer that reads one letter again and again tends to $h^*=(I-A)^{-1}c$, the only fixed point of $h\mapsto Ah+c$, from wherever it starts. [checked: "the fixed point"] [prose]
    2. So for words $u,u'$ the states after $ux^k$ and $u'x^k$ become closer than $\delta$, and give one value, the same for both. By induction on the layers every layer reads, in the end, one letter again and again, which does not depend on $u$; windows hold copies of it. [prose]
    3. After a further word $w$ the states for $u$ and $u'$ tend to each other as well, so for large $k$ the answers to $ux^kw$ and $u'x^kw$ agree. The minimal automaton has finitely many states, so one $k$ serves for all. [prose]
    4. RWKV-7 as released has such transitions: they are similar to symmetric matrices with eigenvalues in $(-1,1)$. [uses: new.automata.stacks.open-ranges]
    5. Beside the argument, random transitions of this kind. [checked: "powers vanish"; "some have a negative eigenvalue"] [prose]
    """
    A, c = sympy.symbols("A c")
    rest = c / (1 - A)
    proof.symbolically("the fixed point", sympy.simplify(A * rest + c), sympy.simplify(rest), "A that commutes with (I - A)^-1, c")
    count = proof.pick(40, 200, 1000)
    rng, negative = Random(72), 0
    with proof.beside():
        for M in proof.each(f"{count} random transitions of RWKV-7 as released, width 2, seed 72", [draw(rng) for _ in range(count)]):
            proof.holds("powers vanish", powers_vanish(M))
            negative += M[0, 0] * M[1, 1] - M[0, 1] * M[1, 0] < 0
        proof.holds("some have a negative eigenvalue", negative > 0)
