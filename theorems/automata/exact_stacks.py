"""Stacks of layers with finitely many exact states, of any depth: which languages they recognise, by the kind of their transitions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from random import Random
from typing import Any

import sympy
from flint import fmpq

from ...constructions import householder
from ...constructions.automata.read.machines import minimise
from ...constructions.automata.read.sources import from_regex
from ...constructions.bistable.hybrids import delay_stack
from ...constructions.householder import GeneralizedHouseholder
from ...constructions.recurrence import Recurrence, Stack, reachable_with
from ...numerics import exact
from ...numerics.cyclotomic import root_of_unity
from ...numerics.exact import Array
from ..claim import claim
from ..closure import computes
from ..evidence import Proof
from .finite_layers import closed, delta_product, period, random_layers, random_stacks, then
from .one_layer import CLOSED, EXACT, UNIT_KEYS

ANY_DEPTH = "a layer reads the letter and any function of the states of the layers below, before and after it; no position"
WINDOWS = "windows of bounded length, such as short convolutions and token shifts, are allowed"

# -- factors in [0, 1] ---------------------------------------------------------------------------------------------------------


@claim(
    "new.automata.stacks.semidefinite",
    place="after grazzi25 Theorem 1",
    title="stacks of products of any number of factors in [0, 1] with finitely many exact states recognise star-free languages only",
    says=r"Let all transitions be products of symmetric matrices with eigenvalues in $[0,1]$, any number of them, and let all layers together have finitely many states. Then no word permutes two states or more: every recognised language is star-free. "
    r"So it is for DeltaNet and Gated DeltaNet with $\beta\le1$ and DeltaProduct with factors in $[0,1]$, although three such factors can have a negative eigenvalue.",
    hypotheses=(EXACT, ANY_DEPTH, WINDOWS, UNIT_KEYS),
    known="for diagonal transitions Sarrof, Veitsman, Hahn (arXiv 2405.17394); for one letter and eigenvalues that are no negative numbers grazzi25's Theorem 1. That products of projections on finitely many states have no groups, at every depth, was not found. Star-free = aperiodic is Schützenberger's (1965).",
    remarks=(
        "It is false if states are real numbers that are cast when they are read: three factors count blocks modulo 2 there.",
        "Stutter invariance holds for at most two factors in a letter (new.automata.settled), and fails for three.",
    ),
    sabotages={
        "beta = 2 in some factor": {"draw": lambda rng: delta_product(rng, 2, (1, 2))},
        "factors are not symmetric": {"transposed": lambda P: sympy.Symbol(f"{P}'", commutative=False)},
    },
)
def semidefinite_stacks_are_aperiodic(
    proof: Proof,
    draw: Callable = lambda rng: delta_product(rng, rng.randint(2, 3), (0, 1, 1)),
    transposed: Callable[[Any], Any] = lambda P: P,
) -> None:
    r"""What keeps the length of a vector along such factors does not move it.

    1. For a symmetric $P$ with eigenvalues in $[0,1]$: $|d|^2-|Pd|^2-|d-Pd|^2=2d^\top(P-P^2)d\ge0$. So $|Pd|=|d|$ implies $Pd=d$. [checked: "a factor shortens what it moves"] [prose]
    2. Let a layer read one word again and again, and let this permute a finite set $X$ of its states, with $p$ repetitions acting as the identity. The linear part $A$ of the word has $A^pd=d$ for $d\in X-X$. Norms along the factors do not grow, so all keep $|d|$, and all fix $d$. [prose]
    3. So the word acts on $X$ as $x\mapsto x+t$. Repeated, it reaches $x+kt$: these are finitely many, so $t=0$, and the word moves nothing in $X$. [prose]
    4. Let $v$ be a word. By induction on the layers, from some repetition of $v$ on the layers below are in one state at its end. Then the layer reads one word again and again, moves on a cycle in the end, and by step 3 the cycle is one state. So $v^{k+1}$ and $v^k$ act alike for large $k$. Windows longer than $v$ see the same after a few repetitions. [prose]
    5. So the transition monoid is aperiodic, and so is the syntactic monoid of every recognised language. [cited: Schützenberger: aperiodic = star-free] [prose]
    6. Beside the argument, random layers and random stacks of two layers. [checked: "no word permutes states of a layer"; "no word permutes states of two layers"; "some word needs two repetitions"] [prose]
    """
    P, d, z = sympy.symbols("P d z", commutative=False)
    one, Pt = sympy.S.One, transposed(P)
    lost = z * d - z * Pt * P * d - z * (one - Pt) * (one - P) * d
    proof.symbolically("a factor shortens what it moves", lost, 2 * z * (P - P * P) * d, "d, z = d^T, symmetric P")
    count, pairs = proof.pick((40, 15), (120, 40), (500, 200))
    delays = 0
    with proof.beside():
        for layer in proof.each(
            f"{count} random layers of two letters of up to three factors with writes, seed 41", random_layers(41, count, 2, draw)
        ):
            elements = layer.elements
            proof.holds("no word permutes states of a layer", all(period(f) == 1 for f in elements))
            delays += any(then(f, f) != f for f in elements)
        for maps in proof.each(f"{pairs} random stacks of two such layers, seed 42", random_stacks(42, pairs, 2, draw)):
            proof.holds("no word permutes states of two layers", all(period(f) == 1 for f in closed(maps)))
        proof.holds("some word needs two repetitions to settle", delays > 0)


#: keys of three projections onto lines at 0, 45 and 90 degrees
DELAY_KEYS = ((0, 1), (1, -1), (1, 0))


def halved_delay(keys: Sequence[Sequence[int]] = DELAY_KEYS) -> Array:
    """The product of the projections across the keys, the first one applied first."""
    factors = [GeneralizedHouseholder(exact.rationals(list(k)), fmpq(1)) for k in keys]
    return householder.product(list(reversed(factors)), 2)


def _blocks(n: int, block: Array) -> Array:
    """``block`` on each pair (value now, value before) of n values."""
    A = exact.zeros(2 * n, 2 * n)
    for i, j in product(range(2), repeat=2):
        A[n * i : n * (i + 1), n * j : n * (j + 1)] = exact.identity(n) * block[i, j]
    return A


@claim(
    "new.automata.stacks.three-factors",
    place="after grazzi25 Proposition 1.3",
    title="stacks of layers of three or more factors in [0, 1] with exact states recognise exactly the star-free languages",
    says=r"The product of the projections onto lines at $0°,45°,90°$ is $\frac12e_2e_1^\top$, which squares to $0$: with a write along the last key it holds the value of the letter before. So stacks of DeltaProduct$_k$ with factors in $[0,1]$, $k\ge3$, and finitely many exact states recognise exactly the star-free languages, "
    r"where $k\le2$ leaves those that are invariant under stuttering.",
    hypotheses=(EXACT, ANY_DEPTH, CLOSED, UNIT_KEYS, "no short convolution is needed"),
    known="that cascades of resets with the state before the letter recognise the star-free languages is Krohn and Rhodes; for nonnegative diagonal layers whose states are rounded when read, Sarrof, Veitsman, Hahn (arXiv 2405.17394). That three projections are the least number that makes a delay was not found.",
    remarks=("DeltaProduct ties its writes to the keys; the delay writes along its last key alone.",),
    construction="lemmata.constructions.bistable.hybrids.delay_stack",
    sabotages={
        "two projections": {"keys": DELAY_KEYS[1:]},
        "the lines in another order": {"keys": (DELAY_KEYS[1], DELAY_KEYS[0], DELAY_KEYS[2])},
    },
)
def three_factors_are_star_free(proof: Proof, keys: Sequence[Sequence[int]] = DELAY_KEYS) -> None:
    r"""Three projections delay one value; bistable units and delays have all star-free languages.

    1. *Only if.* Such stacks recognise star-free languages only. [uses: new.automata.stacks.semidefinite]
    2. $P_{90}P_{45}P_{0}=\frac12e_2e_1^\top$, and its square is $0$. With the write $v\,e_1$ along the last key, $h_t=\frac12e_2e_1^\top h_{t-1}+v_te_1=(v_t,\frac12v_{t-1})$. [checked: "the product of the three projections"; "its square"; "the last key is the axis that is written"]
    3. *If.* Stacks of bistable layers with delays between them recognise every star-free language. A bistable unit is a head of width 1 with $\beta\in\{0,1\}$; a delay of $n$ values is $n$ heads of three factors. [uses: new.bistable.delay]
    4. Such stacks for languages that repeat letters, closed at every length. [checked: "the stack of three factors"]
    """
    A = halved_delay(keys)
    for _ in proof.every("the three projections", [A], limited=False):
        proof.exactly("the product of the three projections", A, exact.rationals([[0, 0], [fmpq(1, 2), 0]]))
        proof.exactly("its square is 0", A @ A, exact.zeros(2, 2))
        proof.exactly("the last key is the axis that is written", list(keys[-1]), [1, 0])
    chosen = [("(0|1)*11", "01"), ("(ab)*", "ab"), ("(a|b)*aba(a|b)*", "ab"), ("0*10*1[01]*", "01")]
    for regex, letters in proof.each(
        "four star-free languages, three of which are not invariant under stuttering", chosen[: proof.pick(2, 4, 4)]
    ):
        automaton = minimise(from_regex(regex, letters))
        stack = delay_stack(automaton, lambda n: _blocks(n, A))
        computes(
            proof,
            "the stack of three factors computes the automaton",
            stack,
            automaton.step,
            automaton.start,
            tuple(letters),
            lambda q: q,
            certify=False,
        )


# -- open ranges -----------------------------------------------------------------------------------------------------------------


def _strict(rng: Random) -> tuple[Array, Array]:
    """A diagonal strictly inside (0, 1), or 0, with an input; also in a slanted basis."""
    S = exact.rationals(rng.choice(([[1, 0], [0, 1]], [[1, 1], [0, 1]], [[2, 1], [1, 1]])))
    D = exact.zeros(2, 2)
    for i in range(2):
        D[i, i] = fmpq(rng.choice((0, 1, 2)), 3)
    return S @ D @ exact.inverse(S), exact.rationals([[rng.choice((0, 1))], [rng.choice((0, 1, -1))]])


@claim(
    "new.automata.stacks.open-ranges",
    place="after grazzi25 Theorem 1 (ranges without their end points)",
    title="with finitely many exact states, eigenvalues of modulus below 1 that do not delay remember the last letter only",
    says=r"Let every transition have spectral radius below $1$ and $\ker A^2=\ker A$, and let the layers have finitely many states. Then their states are functions of the last letter. Such are diagonals in $(0,1)$; $\operatorname{Diag}(w)-\hat k(a\odot\hat k)^\top$ with $w,a\in(0,1)^n$, RWKV-7 as released; "
    r"and gated fixed-point RNNs, $(\Lambda+(I-\Lambda)Q)^{-1}\Lambda$ with $0\le\Lambda<1$, $\|I-Q\|<1$. With a token shift in every layer: the last letters, one more for each layer, so exactly the definite languages.",
    hypotheses=(
        EXACT,
        "a layer reads the letter and the new states of the layers below, and so does the decoder: the states before the letter would be a token shift",
        "no short convolution, and no position",
    ),
    known="that contractions forget is old (definite events; Kleene, Perles, Rabin and Shamir 1963); here the point is how little finitely many exact states leave, where a margin leaves more (new.fixed-point.gated.automata).",
    remarks=(
        "The other half needs nothing: decoders read the last letter.",
        "In floating point a gate rounds to 0 and 1, so that the closed range counts.",
        "A nilpotent block would delay, which is why kernels are compared.",
    ),
    sabotages={
        "the end point 1 is allowed": {"draw": lambda rng: delta_product(rng, 1, (0, 1))},
        "the mixer is not subtracted": {"mixer": lambda K: sympy.S.One + K},
        "w is not turned along": {"scaled": lambda r: 1},
    },
)
def open_ranges_keep_the_last_letter(
    proof: Proof,
    draw: Callable = _strict,
    mixer: Callable[[Any], Any] = lambda K: sympy.S.One - K,
    scaled: Callable[[Any], Any] = lambda r: r,
) -> None:
    r"""Repeating a letter brings all of finitely many states together, and what happens in many steps happens in one.

    1. While a layer reads one $x$, differences of states go to $Ad,A^2d,\dots$: finitely many, so $A^i(I-A^j)d=0$ for some $j\ge1$. As the spectral radius is below $1$, $I-A^j$ is invertible, and commutes with $A$: $A^id=0$. [prose]
    2. $\ker A^2=\ker A$ gives $Ad=0$ for all differences of states: $x$ leads all states of the layer to one. So the state depends on what the layer reads, and by induction on the layers that depends on the letter. [prose]
    3. A diagonal in $(0,1)$ is invertible, with eigenvalues below $1$. [prose]
    4. RWKV-7: with $r_i=\sqrt{a_i}$ the matrix is similar to $\operatorname{Diag}(w)-uu^\top$, $u_i=r_i\hat k_i$, $|u|^2<1$. This is symmetric with eigenvalues between $-|u|^2>-1$ and $\max w<1$. [checked: "off the diagonal"; "on the diagonal"] [prose]
    5. Fixed points: let $K=I-Q$, and $Av=\mu v$ with $|\mu|\ge1$. Then $\mu(\Lambda+(I-\Lambda)Q)v=\Lambda v$ reads $(\mu-\lambda_i)v_i=\mu(1-\lambda_i)(Kv)_i$, and $|\mu|(1-\lambda_i)\le|\mu|-\lambda_i\le|\mu-\lambda_i|$, so $|v|\le|Kv|<|v|$ unless $v=0$. [checked: "the equation of an eigenvector"] [prose]
    6. And if $A^2v=0$, let $u=\Lambda v$ and $z=Av$, so that $u=(\Lambda+(I-\Lambda)Q)z$ and $\Lambda z=0$. Where $\lambda_i\ne0$, $z_i=0$; where $\lambda_i=0$, $0=u_i=(Qz)_i$, in which only such places of $z$ count. The block of $Q$ there is invertible, as $\|I-Q\|<1$, so $z=0$. [prose]
    7. With a token shift a layer reads its letter and the one before it: by induction layer $l$ is a function of the last $l+1$ letters, and the shifts alone hand up these letters. [prose]
    8. Beside the argument, random layers. [checked: "every letter is constant"] [prose]
    """
    r, s, k, l, w, K, L, v, mu = (
        *sympy.symbols("r s k l w", positive=True),
        *sympy.symbols("K Lambda v", commutative=False),
        sympy.Symbol("mu"),
    )
    proof.symbolically(
        "off the diagonal: r_i (-k_i k_j a_j) / r_j", scaled(r) * (-k * l * s**2) / scaled(s), -(r * k) * (s * l), "entries, a = r^2"
    )
    proof.symbolically("on the diagonal", scaled(r) * (w - k * k * r**2) / scaled(r), w - (r * k) ** 2, "entries, a = r^2")
    Q = mixer(K)
    both = mu * (L + (1 - L) * Q) * v - L * v
    proof.symbolically(
        "the equation of an eigenvector", sympy.expand(both), sympy.expand((mu - L) * v - mu * (1 - L) * K * v), "Lambda, K, v, mu"
    )
    count = proof.pick(30, 80, 300)
    with proof.beside():
        drawn = random_layers(43, count, 2, draw, most=12)
        for layer in proof.each(f"{count} random layers with finitely many states, seed 43", drawn):
            proof.holds("every letter is constant", all(len(set(x)) == 1 for x in layer.maps))


# -- diagonal transitions, any depth -----------------------------------------------------------------------------------------------


def _signs(rng: Random) -> tuple[Array, Array]:
    A = exact.zeros(2, 2)
    for i in range(2):
        A[i, i] = fmpq(rng.choice((0, 1, -1)))
    return A, exact.rationals([[rng.choice((0, 0, 1, -1))], [rng.choice((0, 0, 1, -1))]])


@claim(
    "new.automata.stacks.diagonal",
    place="after grazzi25 Theorem 2; degeeter26 Fig. 10",
    title="diagonal stacks with exact states: real ones have groups of order 2ᵏ only, complex ones solvable groups only",
    says=r"Let all transitions be diagonal and all layers together have finitely many states. In the transition monoid every group is solvable, with a subnormal series with one abelian factor for each layer. If the transitions are real, every word has a period that divides $2^L$, $L$ the number of layers, and every group is a 2-group. "
    r"The same holds for the syntactic monoid of every recognised language.",
    hypotheses=(EXACT, ANY_DEPTH, WINDOWS, "one basis for all letters of a layer"),
    known="Shakerinava, Khavari, Ravanbakhsh, Chandar (arXiv 2603.01959, abstract read): k complex diagonal layers at finite precision track a group iff it has a subnormal series of length k with abelian factors. Ours is for every language, hence every group inside its monoid, and has the real case.",
    sabotages={
        "letters mix the coordinates": {"draw": lambda rng: delta_product(rng, 2, (1, 2))},
        "a third root of unity counts as real": {"turn": (sympy.Rational(-1, 2), sympy.sqrt(3) / 2)},
    },
)
def diagonal_stacks_are_solvable(
    proof: Proof, draw: Callable = _signs, turn: tuple[Any, Any] = (sympy.S.NegativeOne, sympy.S.Zero)
) -> None:
    r"""Layer by layer, what acts trivially below acts on each coordinate about a common centre.

    1. An affine map $x\mapsto ax+b$ that permutes a finite set of numbers fixes its mean $c$, so it is $x\mapsto c+a(x-c)$: such maps of one set commute. [checked: "the mean goes to the mean"; "maps about one centre commute"] [prose]
    2. Let $G$ be a group in the transition monoid, with unit $e$. It permutes the finitely many states in the image of $e$. Let $K_l$ be the elements that move nothing in the lowest $l$ layers, so $K_0=G$, $K_L=1$. Over each state of the lowest $l$ layers an element of $K_l$ acts on layer $l+1$ by one diagonal affine map, and permutes the finitely many states there; so by step 1 $K_l/K_{l+1}$ embeds into a product of abelian groups. Hence $G$ is solvable. [prose]
    3. Real transitions: $a$ permutes a finite set about its mean, so $a=\pm1$, or the set is one number. Either way its square moves nothing: $K_l/K_{l+1}$ has exponent 2, and $g^{2^L}=1$. So every period divides $2^L$, and a group whose elements have orders $2^j$ is a 2-group. [checked: "a real turn, twice"] [cited: Cauchy: a prime that divides the order of a group is the order of an element] [prose]
    4. A group in the syntactic monoid is a quotient of a group in the transition monoid. Windows see the same after a few repetitions of a word, and so add no group. [cited: groups in a quotient of a finite semigroup lift] [prose]
    5. Beside the argument, random real layers, and stacks of two. [checked: "periods divide 2 for one layer"; "periods divide 4 for two layers"; "some period is 4"] [prose]
    """
    a, b, c, x, n, total = sympy.symbols("a b c x n total")
    proof.symbolically("the mean goes to the mean", (a * total + n * b) / n, a * (total / n) + b, "a, b, n, total")
    about = lambda factor, y: c + factor * (y - c)  # noqa: E731
    proof.symbolically("maps about one centre commute", about(a, about(b, x)), about(b, about(a, x)), "a, b, c, x")
    # (re, im) as a complex number: a real one of modulus 1 squares to 1
    re, im = turn
    proof.symbolically("a real turn, twice", about((re + sympy.I * im) ** 2, x), x, "c, x")
    count, pairs = proof.pick((30, 60), (80, 120), (300, 400))
    seen: set[int] = set()
    with proof.beside():
        for layer in proof.each(f"{count} random real diagonal layers of width 2, seed 44", random_layers(44, count, 2, draw)):
            proof.holds("periods divide 2 for one layer", all(2 % period(f) == 0 for f in layer.elements))
        for maps in proof.each(f"{pairs} random stacks of two such layers, seed 45", random_stacks(45, pairs, 2, draw)):
            periods = {period(f) for f in closed(maps)}
            seen |= periods
            proof.holds("periods divide 4 for two layers", all(4 % p == 0 for p in periods))
        proof.holds("some period is 4", 4 in seen)


def _turned(rng: Random) -> tuple[Array, Array]:
    """Signs 1 and -1 about the centre (1/2, -1): turns of finitely many values share their centre."""
    A, centre = exact.zeros(2, 2), exact.rationals([[fmpq(1, 2)], [-1]])
    for i in range(2):
        A[i, i] = fmpq(rng.choice((1, -1)))
    return A, centre - A @ centre


@claim(
    "new.automata.stacks.turns",
    place="after grazzi25 Theorem 2",
    title="stacks of diagonal layers with entries of modulus 1 and exact states: some repetition of every word changes nothing",
    says=r"Let all transitions be diagonal with entries of modulus $1$ and all layers together have finitely many states. Then every letter permutes the states, and every word $v$ has an $n\ge1$ such that $uv^nw$ and $uw$ are answered alike for all words $u$ and all nonempty $w$. "
    r"So no such stack remembers the last of set and reset.",
    hypotheses=(EXACT, ANY_DEPTH, "no window: no short convolution, no token shift; the decoder reads the new states and the letter"),
    known="that invertible transitions on finitely many states make a group is elementary; with resets among the letters new.automata.stacks.diagonal bounds what is left. AUSSM (arXiv 2507.05238, abstract read) has such transitions.",
    remarks=("Word problems of solvable groups are had by such stacks: step 2 of new.automata.stacks.diagonal.converse.",),
    sabotages={"a letter may reset": {"draw": _signs}, "the entry 0": {"entry": sympy.S.Zero}},
)
def turning_stacks_permute(proof: Proof, draw: Callable = _turned, entry: Any = sympy.Symbol("a", nonzero=True)) -> None:
    r"""What each layer does can be undone, from below to above.

    1. On a coordinate a letter acts as $h\mapsto ah+b$ with $a\ne0$: from the new value the old one is $(ah+b-b)/a$. [checked: "the old value from the new one"] [prose]
    2. By induction on the layers the old states of all layers are told by the new ones and the letter: those below are, so the letter's $a$ and $b$ for this layer are known. [prose]
    3. So a letter maps the finitely many states into themselves, one to one: it permutes them. Some repetition $v^n$ is the identity, and after a nonempty $w$ the states and the last letter are the same with it and without. [prose]
    4. Flip-flop: $u$ sets, $v$ resets, $w$ says neither. [prose]
    5. Beside the argument, random stacks of two layers. [checked: "letters permute"; "some word has a period above 2"] [prose]
    """
    b, h = sympy.symbols("b h")
    a = sympy.Symbol("a", nonzero=True)
    proof.symbolically("the old value from the new one", sympy.expand((entry * h + b - b) / a), h, "a other than 0, b, h")
    count = proof.pick(30, 80, 300)
    periods: set[int] = set()
    with proof.beside():
        for maps in proof.each(f"{count} random stacks of two layers of signs, seed 46", random_stacks(46, count, 2, draw)):
            proof.holds("letters permute", all(sorted(f) == list(range(len(f))) for f in maps))
            periods |= {period(f) for f in closed(maps)}
        proof.holds("some word has a period above 2", max(periods) > 2)


def twisted(m: int, follows: bool = True) -> Stack:
    """The dihedral group of order 2m by two diagonal layers: a sign, and a number that letter "turn" multiplies by a root of unity or its inverse, as the sign before it says.

    The output is (sign, power of the root of unity) of a reflection "flip" and a rotation "turn".
    """
    zeta = root_of_unity(m)
    one = zeta * 0 + 1
    powers = [one]
    while len(powers) < m:
        powers.append(powers[-1] * zeta)
    sign = {"flip": -1, "turn": 1}
    lower = Recurrence.from_table(
        {x: (exact.rationals([[s]]), exact.rationals([[0]])) for x, s in sign.items()},
        exact.rationals([[1]]),
        # the sign before the letter is its own, turned back
        lambda H, x: (x, int(H[0, 0].p) * sign[x], int(H[0, 0].p)),
    )

    def factor(read: tuple[str, int, int]) -> Array:
        x, before, _ = read
        a = exact.zeros(1, 1)
        a[0, 0] = one if x == "flip" else powers[1] if before == 1 or not follows else powers[-1]
        return a

    start = exact.zeros(1, 1)
    start[0, 0] = one
    upper = Recurrence(factor, lambda read: exact.zeros(1, 1), start, lambda H, read: (read[2], powers.index(H[0, 0])))
    return Stack((lower, upper))


@claim(
    "new.automata.stacks.diagonal.converse",
    place="after grazzi25 Theorem 2; degeeter26 Fig. 10",
    title="diagonal stacks in [−1, 1] have every language with groups of order 2ᵏ, complex ones every one with solvable groups",
    says=r"With finitely many exact states, stacks of diagonal layers with entries $0,1,-1$ recognise every language all of whose groups are 2-groups; with roots of unity too, every language all of whose groups are solvable. The state before the letter comes from bistable units and a clock $h\mapsto-h$.",
    hypotheses=(EXACT, ANY_DEPTH, CLOSED),
    known="Krohn and Rhodes; for groups Shakerinava, Khavari, Ravanbakhsh, Chandar (arXiv 2603.01959, abstract read). New is the state before a reset without a convolution, from a clock.",
    sabotages={"the turn does not follow the sign": {"group": lambda m: twisted(m, False)}},
)
def solvable_groups_by_diagonal_stacks(proof: Proof, group: Callable[[int], Stack] = twisted) -> None:
    r"""Groups by their series, resets by bistable units, and the state before the letter by a clock.

    1. The holonomy cascade of the language's automaton has levels that permute or reset their states, and their groups divide its monoid: they are solvable, or 2-groups. [uses: new.automata.holonomy]
    2. A group $G$ with an abelian normal subgroup $N$ embeds into $N\wr G/N$: a letter multiplies the coordinates by elements of $N$ that the $G/N$-part before the letter chooses, and that part is known from the part after it and the letter. So one layer of roots of unity for each factor of the series tracks $G$; for 2-groups the factors have order 2, and signs serve.
       [cited: Kaloujnine and Krasner] [prose]
    3. A level with resets: track the product $g_t$ of its permutations, a reset counting as the identity. A reset to $r$ writes $r\,g_t^{-1}$ into units that are held or overwritten, and the state is what they hold, times $g_t$. [prose]
    4. The next level reads the state before the letter. The map from a word to its last two letters is a definite language, aperiodic, so bistable units with a clock of period 2 recognise it over every finite alphabet, that of a level's states too. [uses: new.bistable.hybrid] [prose]
    5. Dihedral groups by two layers, a sign and a root of unity, at every length. [checked: "the stack is the dihedral group"]
    """
    largest = proof.pick(4, 6, 8)
    for m in proof.every(f"dihedral groups of order 2 m, 2 <= m <= {largest}", range(2, largest + 1)):
        # the letter turns on the right: (s, j) turn = (s, j + s)
        step = lambda q, x, m=m: (-q[0], q[1]) if x == "flip" else (q[0], (q[1] + q[0]) % m)  # noqa: E731
        found = reachable_with(group(m), step, (1, 0), ("flip", "turn"), lambda q: q, 1_000)
        proof.exactly("the stack is the dihedral group", (found.closed, found.mismatch, len(found.pairs)), (True, None, 2 * m))
