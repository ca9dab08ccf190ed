"""Bistable layers with linear, time-invariant ones between them: which languages, exactly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from itertools import product
from random import Random
from typing import Any

from sympy import Poly, Rational, symbols

from ...constructions.automata import Automaton
from ...constructions.automata.automaton import explored
from ...constructions.automata.cascade.skeleton import skeleton
from ...constructions.automata.read.machines import minimise
from ...constructions.automata.read.sources import from_regex
from ...constructions.bistable.compiler import BistableNetwork, NotBistable, compile_hybrid, timed
from ...constructions.bistable.hybrids import clock_matrix, delay_matrix, delay_stack, sandwich
from ...constructions.bistable.refusals import SameLength, by_length, end, said
from ...numerics import exact
from ...numerics.aliases import Exact
from ..claim import claim
from ..closure import computes
from ..evidence import Proof
from .languages import NO_POSITIONS, READ_AT_EACH_STEP
from .recognised import closes, machines, maps_of

ACTIONS = (1, 0, -1)
FINITE = "the states of all layers together that words reach are finitely many; decoders between the layers are arbitrary functions of a layer's new state and its letter"

#: star-free languages that are not invariant under stuttering, over their letters
STAR_FREE = {"(0|1)*11": "01", "(0|1)*1(0|1)*1(0|1)*": "01", "(ab)*": "ab", "(aab|b)*": "ab"}


def joint_automaton(stack: Any, letters: Sequence[Hashable]) -> Automaton:
    """The automaton of the states of all layers together that words reach."""
    arrays: dict[Any, Any] = {}

    def key(states: Any) -> Any:
        frozen = tuple(map(exact.freeze, states))
        arrays.setdefault(frozen, states)
        return frozen

    return explored(key(stack.initial), letters, lambda q, x: key(stack.step(arrays[q], x)[0]), lambda q: False)


def counts(automaton: Automaton, why: SameLength, most: int = 4) -> bool:
    """Whether the answer to every sequence of up to ``most`` of the two words, in their surroundings, is by the number of the first."""
    p = len(why.said)
    if len(why.word) != len(why.other) or len(set(why.said)) < 2:
        return False
    for m in range(1, most + 1):
        for chosen in product((False, True), repeat=m):
            q = end(automaton, automaton.start, why.before)
            for first in chosen:
                q = end(automaton, q, why.word if first else why.other)
            if said(automaton, end(automaton, q, why.after)) != why.said[(sum(chosen) - 1) % p]:
                return False
    return True


def middle_matrix(clock: int, sign: int) -> exact.Array:
    """A of the middle layer of ``sandwich``: a clock and a delay of one number, and a sign before all."""
    return exact.block_diagonal([clock_matrix(clock), delay_matrix(1)]) * sign


def _compiled_or_why(automaton: Automaton) -> Any:
    try:
        return compile_hybrid(automaton)
    except NotBistable as refused:
        return refused.why


@claim(
    "new.bistable.hybrid",
    place="after degeeter26 Fig. 10, the BMRU/LRU models",
    hypotheses=(READ_AT_EACH_STEP, NO_POSITIONS, FINITE),
    known="the union over N is the class of regular languages in AC0 (Barrington, Compton, Straubing, Therien 1992); that SSMs which mix diagonal input-dependent and time-invariant layers in fixed precision have it: Alsmann, Noori, Lange (arXiv 2601.19467). "
    "New: the class for each N, for units that see the state only after the step; one scalar of eigenvalue -1 already gives them 'yesterday'; the compiler, and words for refusals",
    title="BMRU and linear layers with N-th roots of unity: languages where no word of length divisible by N permutes states",
    says=r"Let $N\ge2$. Stacks of BMRU layers and linear layers $h_t=Ah_{t-1}+B(y_t)$, where all eigenvalues of $A$ that are roots of unity are $N$-th roots of unity, recognise exactly the regular languages in whose minimal automaton no word of a length divisible by $N$ has a cycle of two states or more; "
    r"one linear layer, a clock of period $N$ (for $N=2$: $h_t=-h_{t-1}$), is enough. So parity of the length is recognised with the eigenvalue $-1$, and the parity of the number of ones by no such stack, whatever its eigenvalues.",
    construction="lemmata.constructions.bistable.compiler.compile_hybrid",
    sabotages={
        "a linear layer with signs that the input chooses": {"chosen": lambda x: -1 if x == "b" else 1},
        "the clock is not read": {"compiler": lambda automaton: _blind(automaton)},
        "the words differ in length": {"words": lambda why: SameLength(why.before, why.word * 2, why.other, why.after, why.said)},
    },
)
def with_linear_layers(
    proof: Proof,
    chosen: Callable[[str], int] = lambda x: 1,
    compiler: Callable[[Automaton], Any] = _compiled_or_why,
    words: Callable[[SameLength], SameLength] = lambda why: why,
) -> None:
    r"""A clock makes every letter a new one; and a word as long as a multiple of all periods acts without a period on each layer.

    1. *Only if.* Let $|v|$ be divisible by $N$. By induction on the layers, what a layer reads on $v,v,v,\dots$ repeats from some $v$ on. A BMRU layer's step for $v$ is then a fixed product of writes and keeps, and idempotent. [prose]
    2. A linear layer's step for $v$ is $h\mapsto A^{|v|}h+c$; its finite orbit repeats after $p$ steps, and so do the differences $d_m$ of neighbours, with $d_{m+1}=A^{|v|}d_m$. So $d_m$ lies in the sum of generalised eigenspaces of roots of unity, which are $N$-th roots: there $U=A^{|v|}$ is unipotent,
       $U^p-1=(U-1)(1+U+\dots+U^{p-1})$ with an invertible second factor, so $U^pd=d$ gives $Ud=d$. All differences are one $d$ with $pd=0$: $h$ stands still. [prose]
    3. Hence $uv^mw$ is in the language for all large $m$ or for none; a word $v$ with a cycle of two states or more in the minimal automaton would contradict that for some $u,w$ (we say that it permutes these states). In small stacks of a unit, a clock with a delay, and a unit above them: no word of a length divisible by the clock's period permutes states of the stack. [prose] [checked: "no group in the stack"]
    4. *If.* On pairs (letter, number of letters modulo $N$) take the automaton's states with the number, and a sink once numbers are not in order. It is aperiodic: words that are in order and return to their number have a length divisible by $N$. Its cascade is compiled as without a clock; consecutive letters always differ in their number, so no letter is read twice, and only
       the number needs to be remembered by *Before* units. The clock is a cyclic shift of $N$ coordinates. [uses: new.bistable.compiler] [checked: "with the number of letters, aperiodic iff"; "compiled with a clock, or refused with words of one length"]
    5. For no $N$: words $v,w$ of one length, $v$ permuting states that $w$ leaves alone. Then $w^{N-1}v$ permutes them for every $N$. Without such words some $N$ serves: the sets of what words of length $t$ do are eventually periodic in $t$, so for some $s$ those of $s$ and $2s$ agree; with a map $f$ that has a cycle of $p$ states they hold $f^p$, which leaves the cycle alone; so there is none, and $N=s$ serves. [prose]
       [checked: "compiled with a clock, or refused with words of one length"]
    6. $(11)^*$ over $\{1\}$ takes $N=2$. Over $\{0,1\}$, $1$ exchanges the two states of the parity of ones, and $0$ leaves them alone. [checked: "parity of the length, and of ones"]
    """
    rng = Random(2121)
    count = proof.pick(6, 20, 60)
    for i in proof.each(f"{count} random stacks of a unit, a linear layer and a unit, N = 2, 3, seed 2121", range(count)):
        N = 2 + i % 2
        lower = {x: [rng.choice(ACTIONS)] for x in "ab"}
        table = {key: rng.choice(ACTIONS) for key in product("ab", range(2 * N), (1, -1), (1, -1))}
        stack = sandwich(lower, lambda x, N=N: middle_matrix(N, chosen(x)), lambda y, N=N, table=table: table[_read(y, N)], N)
        joint = joint_automaton(stack, "ab")
        proof.holds("no group in the stack among words of a length divisible by N", not by_length(joint).permutes(N))
        # the clock stands in one of its first N places: the others are those of a layer with signs
        upper = [table[key] for key in product("ab", range(N), (1, -1), (1, -1))]
        proof.certificate(
            "witness", f"a unit, a clock of period {N} with a delay, a unit", period=N, lower=[*lower["a"], *lower["b"]], upper=upper
        )
    found, n = Counter(), proof.pick(2, 3, 3)
    for automaton in proof.every(f"all automata with up to {n} states over 2 letters", machines("ab", product(maps_of(n), repeat=2))):
        lengths = by_length(automaton)
        for N in (2, 3):
            groups = skeleton(timed(automaton, N)).groups().values()
            proof.exactly("with the number of letters, aperiodic iff", all(g.order() == 1 for g in groups), not lengths.permutes(N))
        made = compiler(minimise(automaton))
        good = closes(made) == "right" if isinstance(made, BistableNetwork) else counts(automaton, words(made))
        proof.holds("compiled with a clock, or refused with words of one length", good)
        found[made.clock if isinstance(made, BistableNetwork) else 0] += 1
    expected = {2: {0: 2, 1: 6, 2: 5}, 3: {0: 88, 1: 14, 2: 114, 3: 7, 4: 6}}[n]
    for _ in proof.every(f"all automata with up to {n} states over 2 letters", [f"{found}"]):
        proof.exactly("how many take each period (1: no clock; 0: refused)", dict(found), expected)
    for _ in proof.every("the parity of the length, and of the number of ones", ["both"]):
        length, ones = compile_hybrid(from_regex("(11)*", "1")), _compiled_or_why(from_regex("(0*10*1)*0*", "01"))
        refused = isinstance(ones, SameLength) and (ones.word, ones.other) == (("1",), ("0",))
        proof.exactly("parity of the length, and of ones", (length.clock, closes(length), refused), (2, "right", True))
    for regex, letters in {"(11)*": "1", "((a|b)(a|b)(a|b))*a": "ab", "(0|1)*11": "01"}.items():
        network = compile_hybrid(from_regex(regex, letters))
        proof.certificate("bistable", regex, **network.document())


@claim(
    "new.bistable.hybrid.only-if",
    place="after degeeter26 Fig. 10, the BMRU/LRU models",
    hypotheses=(READ_AT_EACH_STEP, NO_POSITIONS, FINITE),
    known="new.bistable.hybrid has both directions; that idempotent words on each layer make a language aperiodic is classical. The step for linear layers is the decomposition by roots of unity.",
    title="BMRU and linear layers with N-th roots of unity: no word of length divisible by N permutes states, by the kernel",
    says=r"Let $N\ge1$. If a stack of BMRU layers and linear layers $h_t=Ah_{t-1}+B(y_t)$, where all eigenvalues of $A$ that are roots of unity are $N$-th roots of unity, recognises a language, then no word of a length divisible by $N$ has a cycle of two states or more in its minimal automaton. "
    r"The step for one layer: $h_{m+1}=A^nh_m+c$ with $N\mid n$ and finitely many states comes to rest.",
    construction="lemmata.constructions.bistable.hybrids.clock_matrix",
    sabotages={
        "any eigenvalues of modulus 1, which a clock refutes": {"theorem": "clocks.all_words_come_to_rest"},
        "a clock of period N + 1": {"period": lambda N: N + 1},
    },
)
def words_of_full_length_come_to_rest(
    proof: Proof, theorem: str = "clocks.words_come_to_rest", period: Callable[[int], int] = lambda N: N
) -> None:
    r"""What a word of a length divisible by $N$ does is repeated until every layer stands still.

    1. Let $|v|$ be divisible by $N$, and let a stack read $v,v,v,\dots$ after some word. By induction over the layers each layer's states along the copies of $v$ repeat from some copy on. [prose]
    2. A BMRU layer that reads the same in each copy does the same writes and keeps in each, which act idempotently. [checked: "the kernel: words act idempotently"]
    3. A linear layer that reads the same in each copy has $h_{m+1}=A^{|v|}h_m+c$ at their ends, and comes to rest. [checked: "the kernel: a word of a length divisible by N comes to rest"] It divides $X^{np}-1=(X^n-1)C$, where no eigenvalue of $A$ is a zero of $C$. [checked: "C = 1 + X^n + ..."] With its state at the ends of two copies its states between agree. [prose]
    4. So $uv^mw$ is in the language for all large $m$ or for none, for all words $u$, $w$. If $v$ had a cycle of two states or more, a word $u$ would lead into it, and some $w$ would tell two of its states apart: then $uv^mw$ would alternate for ever. [prose]
    5. Beside the argument, clocks of period $N$ come back after $N$ steps and not before. [checked: "a clock comes back"] [prose]
    """
    proof.formally("the kernel: words act idempotently", "bistable_stacks.words_idempotent")
    proof.formally(
        "the kernel: a word of a length divisible by N comes to rest",
        theorem,
        differs="an algebraically closed field for the complex numbers",
    )
    x, n, p, total = symbols("x n p C", positive=True)
    more = (total + x ** (n * p)) * (x**n - 1) - total * (x**n - 1)
    proof.symbolically("C = 1 + X^n + ... + X^(n (p - 1)): one term more", more, x ** (n * p + n) - x ** (n * p), free="x, n, p, C")
    with proof.beside():
        for N in proof.each("N <= 6", range(1, 7)):
            A = clock_matrix(period(N))
            power, back = A, 1
            while not (power == exact.identity(len(A))).all():
                power, back = power @ A, back + 1
            proof.exactly("a clock comes back after N steps and not before", back, N)


def _read(y: Any, N: int) -> Any:
    """(letter, clock, the lower unit now, and one step before) from what the upper unit of ``sandwich`` reads."""
    x, now, linear = y
    # a sign before all is read too
    return x, next(i for i in range(N) if linear[i]) + N * (min(linear[:N]) < 0), now, linear[N + 1]


def _blind(automaton: Automaton) -> Any:
    """The compiled network with a clock that its units do not read."""
    made = _compiled_or_why(automaton)
    if not isinstance(made, BistableNetwork) or made.clock == 1:
        return made
    letters = len(made.automaton.letters)
    for layer in made.layers:
        for W in (layer.unit.W_x, layer.unit.W_beta):
            W[:, letters : letters + made.clock] = 0
    return made


# -- 'yesterday' from a linear layer -----------------------------------------------------------------------------------------------


@claim(
    "new.bistable.delay",
    place="after degeeter26 Fig. 10, the BMRU/LRU models",
    hypotheses=(READ_AT_EACH_STEP, NO_POSITIONS, FINITE),
    known="cascades of flip-flops that read the state before the step recognise the star-free languages (Krohn and Rhodes; Knorozova and Ronca, arXiv 2312.09048); time-invariant SSM layers give 'yesterday' (Alsmann, Noori, Lange, arXiv 2601.19467). New: what is left of it for each sort of linear layer between BMRU layers",
    title="BMRU with delays: exactly the star-free languages; with diagonal contractions, finitely many states: nothing more",
    says=r"(a) Stacks of BMRU layers and linear layers $h_t=Ah_{t-1}+B(y_t)$, none of whose eigenvalues is a root of unity other than $1$, recognise star-free languages only; with delays $(v_t,v_{t-1})$, nilpotent blocks of size $2$, all of them. "
    r"(b) In a stack of BMRU layers and linear layers with diagonal $A$, all $0<|\lambda|<1$, the linear layers never move.",
    construction="lemmata.constructions.bistable.hybrids.delay_stack",
    sabotages={
        "a layer that forgets what was before": {"delay": lambda n: exact.block_diagonal([exact.zeros(n, n), exact.identity(n)])},
        "no state is moved on": {"delay": lambda n: exact.zeros(2 * n, 2 * n)},
    },
)
def yesterday(proof: Proof, delay: Callable[[int], Any] = delay_matrix) -> None:
    r"""A delay holds the state before the letter, which the next level of a cascade needs.

    1. (a), only if: the case $N=1$ of new.bistable.hybrid, whose steps 1 to 3 do not use $N\ge2$: no word permutes states, so the language is star-free (Schuetzenberger). [uses: new.bistable.hybrid] [prose]
    2. (a), if: each level of the cascade of resets is a BMRU layer; the delay behind it hands on its state before the letter and after it. Four languages, at every length. [checked: "the stack with delays"] [prose]
    3. (b): by induction on the layers, the second of two equal letters changes nothing in the layers below. While one letter is repeated, a linear layer above them reads the same again and again, so in each coordinate $h\mapsto\lambda h+c$ with one $c$; as $h_{m+1}-h_m=\lambda^m(h_1-h_0)$, its orbit
       is finite only if $h_1=h_0$. [prose]
    """
    for regex, letters in proof.each("four languages", list(STAR_FREE.items())):
        automaton = minimise(from_regex(regex, letters))
        stack = delay_stack(automaton, delay)
        computes(
            proof,
            "the stack with delays computes the automaton",
            stack,
            automaton.step,
            automaton.start,
            tuple(letters),
            lambda q: q,
            certify=False,
        )


@claim(
    "new.bistable.lru-delay",
    place="after degeeter26 Fig. 10, the BMRU/LRU models",
    known="that a fading memory with a small eigenvalue writes its inputs as digits is the idea of Cantor codes (Siegelmann and Sontag 1995); here one digit is read, linearly and with a margin, by the unit of degeeter26",
    title="a linear coordinate with 0 < λ < 1/2 is a delay of one bit for a bistable unit above it, with a margin, for ever",
    says=r"Let $s_t=\pm1$, $h_0=s_0$, $h_t=\lambda h_{t-1}+s_t$ and $0<\lambda<\frac12$. Then for all $t\ge1$ the bistable unit with candidate $h_t-s_t$ and threshold $0$ writes $s_{t-1}$, and $|h_t-s_t|\ge\lambda\frac{1-2\lambda}{1-\lambda}>0$.",
    remarks=(
        "For lambda > 1/2 it fails: after -1 for k steps and then +1, h = (1 - 2 lambda + lambda^(k+1)) / (1 - lambda) is negative for large k.",
    ),
    sabotages={
        "lambda up to 3/5": {"largest": Rational(3, 5)},
        "the input counts twice": {"step": lambda h, s, lam: lam * h + 2 * s},
    },
)
def one_digit(proof: Proof, largest: Exact = Rational(1, 2), step: Callable[[Any, Any, Any], Any] = lambda h, s, lam: lam * h + s) -> None:
    r"""Let $b=\frac1{1-\lambda}$, so that $1+\lambda b=b$. By induction $|h_t|\le b$ and $s_th_t\ge1-\lambda b$.

    1. At the start $h_0=s_0$, with $b-1=\lambda b\ge0$, so $|h_0|=1\le b$ and $s_0h_0=1\ge1-\lambda b$. [checked: "the start"; "lambda b is positive"] [prose]
    2. Given $|h_{t-1}|\le b$: for $s_t=1$, $b-h_t=\lambda(b-h_{t-1})$, $b+h_t=2+\lambda(b+h_{t-1})$ and $h_t=(1-\lambda b)+\lambda(b+h_{t-1})$; for $s_t=-1$ the same with the signs of $h_t$ and $h_{t-1}$ turned. No summand is negative. [checked: "the bound from above"; "the bound from below"; "the side of s"; "lambda b is positive"] [prose]
    3. $1-\lambda b=\frac{1-2\lambda}{1-\lambda}>0$. [checked: "what is left of s"; "it is positive"]
    4. $h_t-s_t=\lambda h_{t-1}$, so its sign is that of $h_{t-1}$, which is $s_{t-1}$, and its modulus at least $\lambda(1-\lambda b)$; the threshold $0$ lets the sign be written. [checked: "the candidate"] [prose] [uses: degeeter26.eq11]
    """
    lam, h = symbols("lambda", positive=True), symbols("h", real=True)
    b = 1 / (1 - lam)
    proof.symbolically("the start", b - 1, lam * b, free="lambda")
    for s in proof.every("both inputs", (1, -1), limited=False):
        after = step(h, s, lam)
        proof.symbolically("the bound from above", b - s * after, lam * (b - s * h), free="lambda, h")
        proof.symbolically("the bound from below", b + s * after, 2 + lam * (b + s * h), free="lambda, h")
        proof.symbolically("the side of s", s * after, (1 - lam * b) + lam * (b + s * h), free="lambda, h")
        proof.symbolically("the candidate", after - s, lam * h, free="lambda, h")
    proof.symbolically("what is left of s", 1 - lam * b, (1 - 2 * lam) / (1 - lam), free="lambda")
    # lambda = largest u / (1 + u) for u > 0 is every number of (0, largest)
    u = symbols("u", positive=True)
    value = largest * u / (1 + u)
    parts = ((1 - 2 * value) / (1 - value)).together().as_numer_denom()
    positive = all(c > 0 for part in parts for c in Poly(part, u).all_coeffs() if c != 0)
    proof.holds("it is positive", positive, free="lambda in (0, 1/2)")
    proof.holds("lambda b is positive", (value / (1 - value)).together().is_positive, free="lambda in (0, 1/2)")
