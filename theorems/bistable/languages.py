"""What stacks of BMRU layers recognise: exactly past temporal logic with "since" and without "yesterday"; so neither parity nor even a second 1."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from random import Random
from typing import Any

import numpy as np
from flint import fmpq

from ...constructions import samples
from ...constructions.automata.read.sources import from_regex
from ...constructions.bistable import BMRU, flip_flops
from ...constructions.bistable.logic import TRUE, always, compile_formula, formula_step, holds, memories, once, unit_formulas, unit_stack
from ...constructions.recurrence import Recurrence, Stack, reachable_with
from ...numerics import exact
from ..claim import claim
from ..closure import closure_data, computes
from ..evidence import Proof
from .unit import random_unit, tells, weights

ACTIONS = (0, 1, -1)
LETTERS = ("a", "b")
ALL_STACKS = "all 729 stacks of two layers of one unit over {a, b}"

#: what every claim about languages assumes of the architecture
READ_AT_EACH_STEP = "the output is read at the last step: mean pooling (degeeter26 Sec. 5.4) separates 01 from 011"
NO_POSITIONS = "no positional encoding (degeeter26 Sec. 5.3), which makes a repeated letter another one"
ANY_DECODER = "decoders between the layers are arbitrary functions of a layer's new states and its letter; a GLU with skip connection approximates them"


def two_unit_tables() -> Iterator[tuple[dict, dict]]:
    """All stacks of two layers with one unit each over {a, b}: 3^2 tables below, 3^4 above."""
    second = [(x, (s,)) for x in LETTERS for s in (False, True)]
    for low in product(ACTIONS, repeat=2):
        for high in product(ACTIONS, repeat=4):
            yield dict(zip(LETTERS, low, strict=True)), dict(zip(second, high, strict=True))


def state_maps(stack: Stack, letters: Sequence[Any] = LETTERS) -> dict[Any, tuple[int, ...]]:
    """What each letter does to all 2^L states of a stack with one unit a layer, as tuples of indices."""
    states: list[tuple[int, ...]] = list(product((-1, 1), repeat=len(stack.layers)))
    index = {s: i for i, s in enumerate(states)}
    maps = {}
    for x in letters:
        after = [stack.step(tuple(np.array([[fmpq(h)]], dtype=object) for h in s), x)[0] for s in states]
        maps[x] = tuple(index[tuple(int(H[0, 0]) for H in new)] for new in after)
    return maps


def then(f: tuple[int, ...], g: tuple[int, ...]) -> tuple[int, ...]:
    """First f, then g."""
    return tuple(g[i] for i in f)


def monoid(generators: Sequence[tuple[int, ...]]) -> set[tuple[int, ...]]:
    """All products of maps of 0 .. n-1, the identity included."""
    found = [tuple(range(len(generators[0])))]
    seen = set(found)
    for f in found:
        for g in generators:
            h = then(f, g)
            if h not in seen:
                seen.add(h)
                found.append(h)
    return seen


def is_aperiodic(elements: set[tuple[int, ...]]) -> bool:
    """No element generates a nontrivial group: f^(n+1) = f^n for n at least the number of points."""
    for f in elements:
        power = f
        for _ in f:
            power = then(power, f)
        if then(power, f) != power:
            return False
    return True


def _flipping(actions: Any, initial: Any, decode: Any) -> Recurrence:
    """A broken unit: "keep" turns the state round."""
    layer = flip_flops(actions, initial, decode)
    keep = lambda x: layer.transition(x) * (-1)  # noqa: E731
    return Recurrence(keep, layer.inputs, layer.initial, decode)


# -- the monoid ------------------------------------------------------------------------------------------------------------------


@claim(
    "new.bistable.monoid",
    place="after degeeter26 Eq. 11",
    known="known algebra: left and right regular bands of resets and identities (Krohn and Rhodes 1965; new.automata.bistable-band); Sarrof, Veitsman, Hahn (arXiv 2405.17394) and Knorozova and Ronca (arXiv 2312.09048) for stacks of flip-flops",
    title="words of a layer act idempotently; in a stack letters do, words not always, and the transition monoid is aperiodic",
    says=r"$U_2^n$ has $3^n$ elements, all with $f\circ f=f$ and $f\,g\,f=g\,f$ ($f$ first). A stack's monoid divides a wreath product of these, so it is aperiodic; two layers over two letters already have a word that is not idempotent.",
    uses=("new.automata.bistable-band",),
    construction="lemmata.constructions.bistable.flip_flops",
    sabotages={"keep turns the state round": {"layer": _flipping}},
)
def monoids(proof: Proof, layer: Callable[..., Recurrence] = flip_flops) -> None:
    r"""Each unit is a flip-flop: its letters are the identity and two constants.

    1. $U_2=\{1,c_+,c_-\}$ satisfies $ff=f$ and $fgf=gf$, and identities hold in products: so in $U_2^n$, which has $3^n$ elements. [checked: "3^n elements"; "every word acts"; "f g f = g f"]
    2. A stack is a cascade of such layers; its monoid divides their wreath product, which is aperiodic as each $U_2^n$ is (Krohn and Rhodes). [prose] [checked: "aperiodic"]
    3. Letters of a stack act idempotently (new.bistable.stutter says why), words need not. [checked: "every letter acts"; "some word of some stack"]
    """
    largest = proof.pick(2, 2, 3)
    for n in proof.every(f"one layer, n <= {largest} units, all letters", range(1, largest + 1)):
        actions = {a: list(a) for a in product(ACTIONS, repeat=n)}
        unit = layer(actions, [-1] * n, lambda H, x: None)
        states: list[tuple[int, ...]] = list(product((-1, 1), repeat=n))
        maps = []
        for a in actions:
            after = [tuple(int(h) for h in unit.step(np.array(s, dtype=object)[:, None] * fmpq(1), a)[:, 0]) for s in states]
            maps.append(tuple(states.index(s) for s in after))
        elements = monoid(maps)
        proof.exactly("3^n elements", len(elements), 3**n)
        proof.holds("every word acts as it does twice", all(then(f, f) == f for f in elements))
        proof.holds("f g f = g f", all(then(then(f, g), f) == then(g, f) for f in elements for g in elements))
    not_idempotent = 0
    for low, high in proof.every(ALL_STACKS, two_unit_tables()):
        maps = state_maps(unit_stack((low, high), (-1, -1), layer))
        elements = monoid(list(maps.values()))
        proof.holds("aperiodic", is_aperiodic(elements))
        proof.holds("every letter acts as it does twice", all(then(f, f) == f for f in maps.values()))
        not_idempotent += any(then(f, f) != f for f in elements)
    for _ in proof.every(ALL_STACKS, [f"{not_idempotent} stacks"]):
        proof.holds("some word of some stack does not", not_idempotent > 0)
    # the upper unit stores what the lower one held before b sets it
    high = _high(lambda x, bit: 0 if x == "b" else 1 if bit else -1)
    proof.certificate("witness", "a stack of two units and a word that is not idempotent", low={"a": 0, "b": 1}, high=high, word="ab")


def _high(action: Callable[[str, bool], int]) -> list[list[Any]]:
    """The upper layer's actions as rows [letter, state below, action]."""
    return [[x, bit, action(x, bit)] for x in LETTERS for bit in (False, True)]


@claim(
    "new.bistable.stutter",
    place="after degeeter26 Sec. 4.3, Stationarity",
    title="a stack of BMRU layers, of any depth and with any decoders, cannot tell a letter from the same letter twice",
    says=r"Let every layer read what the layer below puts out from its new state and the letter. Then $f_x\circ f_x=f_x$ for every letter $x$ of the stack, so the outputs after $u\,x\,v$ and $u\,x\,x\,v$ agree for all words $u,v$: "
    r"what is recognised is invariant under stuttering.",
    hypotheses=(READ_AT_EACH_STEP, NO_POSITIONS),
    known="the analogue for logics without 'next' is Lamport's and Peled and Wilke's (1997); for flip-flop stacks that read the state before the step it fails (Knorozova and Ronca, arXiv 2312.09048), and that is the difference made by reading the state after it",
    sabotages={
        "a count of letters, which the kernel refutes": {"theorem": "bistable_stacks.bistable_counts"},
        "keep turns the state round": {"layer": _flipping},
        "a positional encoding": {"second": lambda x: x + 1},
        "stacks of zeros": {
            "draw": lambda rng, n, m: BMRU(exact.zeros(n, m), exact.zeros(n), exact.zeros(n, m), exact.zeros(n), exact.zeros(n))
        },
    },
)
def repeated_letters(
    proof: Proof,
    layer: Callable[..., Recurrence] = flip_flops,
    second: Callable[[Any], Any] = lambda x: x,
    draw: Callable[..., BMRU] = random_unit,
    theorem: str = "bistable_stacks.bistable_stutter",
) -> None:
    r"""Repeat a letter, and go up layer by layer.

    1. Layer 1 does not move at the second $x$: its step is idempotent. [uses: degeeter26.sec4.3.stationarity]
    2. So what it hands on, a function of its new state and the letter, is the same again: layer 2 reads a repeated letter and does not move either; and so on by induction on the layers. [prose]
    3. Hence the states after $uxx$ and $ux$ agree, and all that follows does. By brute force: all small stacks, and random deeper ones with skip connections. [uses: degeeter26.eq11] [checked: "every letter acts"; "the states after u x v"; "stacks that write and keep"]
    """
    proof.formally(
        "the kernel: a repeated letter changes no later output",
        theorem,
        whole="every depth, width, decoder, word and state",
        differs="an ordered field for the reals; gates and candidates are any functions of what a layer reads, of which Eq. 11 is an instance",
    )
    for low, high in proof.every(ALL_STACKS, two_unit_tables()):
        maps = state_maps(unit_stack((low, high), (-1, -1), layer))
        proof.holds("every letter acts as it does twice", all(then(f, f) == f for f in maps.values()))
    rng = Random(311)
    count = proof.pick(8, 30, 150)
    for _ in proof.each(f"{count} random integer stacks of 2 or 3 layers, n <= 3, skip connections, seed 311", range(count)):
        m, layers, units, starts = rng.randint(1, 2), [], [], []
        reads = m
        for _ in range(rng.randint(2, 3)):
            n = rng.randint(1, 3)
            unit = draw(rng, n, reads)
            units.append(unit)
            starts.append(samples.integers(rng, n))
            layers.append(unit.recurrence(starts[-1], lambda H, x: np.concatenate([x, H[:, 0]])))
            reads += n
        stack = Stack(tuple(layers))
        word = [samples.integers(rng, m, bound=2) for _ in range(rng.randint(1, 5))]
        i = rng.randrange(len(word))
        stuttered = [*word[: i + 1], second(word[i]), *word[i + 1 :]]
        outputs = [tuple(y) for y in stack.run(word)]
        again = [tuple(y)[m:] for y in stack.run(stuttered)]
        proof.exactly("the states after u x v and u x x v agree", again[i + 1 :], [y[m:] for y in outputs[i:]])
        if len(proof.certificates) < 4 and tells(units[0], word) and any(x != 0 for x in word[i]):
            stack_data = [{**weights(unit), "start": start} for unit, start in zip(units, starts, strict=True)]
            proof.certificate("witness", f"{len(units)} layers", stack=stack_data, word=word, repeat=i)
    proof.exactly("stacks that write and keep are among them", len(proof.certificates), 4)


@claim(
    "new.bistable.parity",
    place="after degeeter26 Sec. 4.3; grazzi25 Theorem 1",
    title="no stack of BMRU layers recognises (11)*, in any precision and with any decoders: 1 and 11 lead to the same states",
    says=r"Transitions have their spectrum in $\{0,1\}$, so the parity theorem applies in the cast model; in exact arithmetic, and in floating point, already $f_1\circ f_1=f_1$ rules it out.",
    hypotheses=(READ_AT_EACH_STEP, NO_POSITIONS),
    known="not new: grazzi25 Theorem 1 and Sarrof, Veitsman, Hahn (arXiv 2405.17394) exclude parity for nonnegative eigenvalues, in finite precision; for exact arithmetic it is one line from new.bistable.stutter",
    sabotages={
        "a count of letters, which the kernel refutes": {"theorem": "bistable_stacks.bistable_counts"},
        "keep turns the state round, the scalar -1": {"layer": _flipping},
        "units that never write": {
            "layer": lambda actions, initial, decode: flip_flops({x: [0] * len(initial) for x in actions}, initial, decode)
        },
    },
)
def no_parity(proof: Proof, layer: Callable[..., Recurrence] = flip_flops, theorem: str = "bistable_stacks.bistable_no_parity") -> None:
    r"""$1$ and $11$ lead to the same states.

    1. $f_1\circ f_1=f_1$ for the step of a stack, so the states after $1$ and $11$ agree, and every decoder answers the same. [uses: new.bistable.stutter] [checked: "one state on a, aa, aaa"; "how many of the stacks"]
    2. $11\in(11)^*$, $1\notin(11)^*$. [prose]
    3. In the cast model: $A^2=A$, so the spectrum lies in $\{0,1\}$ and the parity theorem applies. [uses: new.parity.architectures] [checked: "A^2 = A"]
    """
    proof.formally(
        "the kernel: spectra in {0, 1}; no parity in the cast model, in exact arithmetic, and with rounding",
        theorem,
        whole="every depth, width, decoder and state",
        differs="an ordered field for the reals; floating point is any rounding of products and sums that leaves 0 and rounded numbers alone (one zero); gates and candidates are any functions of what a layer reads",
    )
    moved = 0
    for low, high in proof.every(ALL_STACKS + ", all initial states", two_unit_tables()):
        for start in product((-1, 1), repeat=2):
            stack = unit_stack((low, high), start, layer)
            states = stack.run("aaa")
            moved += states[0] != tuple(h > 0 for h in start)
            proof.exactly("one state on a, aa, aaa", len(set(states)), 1)
            one = stack.layers[0].transition("a")
            proof.exactly("A^2 = A", one @ one, one)
    # the lower unit keeps what it has in 2 of 3 cases for either start, and so does the upper one
    for _ in proof.every(ALL_STACKS + ", all initial states", [f"{moved} move"]):
        proof.exactly("how many of the stacks and starts move at a", moved, 4 * 729 * 5 // 9)
    for low in ({"a": 1, "b": -1}, {"a": 0, "b": 1}, {"a": -1, "b": 0}):
        high = _high(lambda x, bit: 1 if (x == "a") == bit else -1)
        proof.certificate("witness", f"a stack of two units, {low}", low=low, high=high, start=[-1, -1])


# -- since -------------------------------------------------------------------------------------------------------------------------


def random_formula(rng: Random, size: int, letters: Sequence[str] = LETTERS) -> tuple:
    """A formula with ``size`` connectives."""
    if size == 0:
        return ("is", rng.choice(letters))
    kind = rng.choice(("not", "and", "or", "since", "since"))
    if kind == "not":
        return ("not", random_formula(rng, size - 1, letters))
    left = rng.randint(0, size - 1)
    return (kind, random_formula(rng, left, letters), random_formula(rng, size - 1 - left, letters))


A, B, C = ("is", "a"), ("is", "b"), ("is", "c")
#: regular expression over an alphabet -> a formula for it
STAR_FREE = {
    ("(a|b|c)*ac*", "abc"): ("since", C, A),
    ("a+b+", "ab"): ("and", B, ("since", B, ("and", A, always(A)))),
    ("(a|b|c)*a(a|b|c)*b(a|b|c)*", "abc"): once(("and", B, once(A))),
    ("(a+b+)+", "ab"): ("and", B, once(("and", A, always(A)))),
    ("(a|b|c)*ab*c(a|b|c)*", "abc"): once(("and", C, ("since", ("or", B, C), A))),
}


@claim(
    "new.bistable.since",
    place="after degeeter26 Eq. 11",
    hypotheses=(READ_AT_EACH_STEP, NO_POSITIONS, ANY_DECODER),
    known="'since' as a flip-flop, and star-free = flip-flop stacks: Knorozova and Ronca (arXiv 2312.09048), Sarrof, Veitsman, Hahn (arXiv 2405.17394); temporal logics for SSMs: arXiv 2601.19467. New is that this unit's stack reads the state after the step and so loses 'yesterday'",
    title="BMRU stacks are past temporal logic without 'yesterday': one unit for each 'since', one layer for each level of nesting",
    says=r"$s_t=\psi_t\lor(\varphi_t\land s_{t-1})$ is a unit that writes $+\alpha$ where $\psi$, $-\alpha$ where $\lnot\psi\land\lnot\varphi$, and keeps otherwise; and a unit that starts at $-\alpha$ and sets on $P$, resets on $Q$, holds "
    r"$(\lnot Q)\,\mathsf S\,P$ (one that starts at $+\alpha$: $\lnot((\lnot P)\,\mathsf S\,Q)$).",
    construction="lemmata.constructions.bistable.logic.compile_formula",
    sabotages={
        "the units start true": {"compiler": lambda f, letters: _started_at_one(compile_formula(f, letters))},
        "a missing reset": {"languages": {("(a|b|c)*ac*", "abc"): ("since", TRUE, A)}},
        "a+b+ without the order": {"languages": {("a+b+", "ab"): ("and", B, once(A))}},
        "set and reset exchanged": {
            "formulas": lambda tables, initial: unit_formulas([{y: -a for y, a in t.items()} for t in tables], initial)
        },
    },
)
def units_are_sinces(
    proof: Proof,
    compiler: Callable[..., Stack] = compile_formula,
    formulas: Callable[..., list] = unit_formulas,
    languages: dict = STAR_FREE,
) -> None:
    r"""A unit is a bit that is set, reset or kept, and so is the truth of a 'since'.

    1. $\varphi\,\mathsf S\,\psi$ holds at $t$ iff $\psi_t\lor(\varphi_t\land(\varphi\,\mathsf S\,\psi)_{t-1})$, and is false before the word: a unit from $-\alpha$ that writes $+\alpha$ where $\psi$, $-\alpha$ where $\lnot\psi\land\lnot\varphi$, and keeps otherwise. [uses: degeeter26.eq11] [prose]
    2. By induction on nesting: what is inside $\varphi$ and $\psi$ is read off the layers below at the same time, so a formula whose 'since' are nested $k$ deep needs $k$ layers. Against the definition of 'since' on all short words, and at all lengths by closing the product with the formula's
       automaton. [checked: "the definition on all words"; "the stack holds the formula"]
    3. Conversely a unit that sets on $P$ and resets on $Q$ holds $(\lnot Q)\,\mathsf S\,P$ if it starts at $-\alpha$, and $\lnot((\lnot P)\,\mathsf S\,Q)$ if it starts at $+\alpha$; $P$ and $Q$ are Boolean in the letter and the states below, formulas by induction. At all lengths, for all stacks of two units.
       [checked: "each unit holds its formula"]
    4. The logic without 'yesterday' is invariant under stuttering, as stacks are. [uses: new.bistable.stutter]
    5. Five star-free languages, the flip-flop and $a^+b^+$ among them, have formulas with 'since' nested one to three deep. Their stacks are closed with the minimal automata of the regular expressions, which automata-lib makes; the
       transition monoids are aperiodic. [checked: "the stack answers as the expression"; "the minimal automaton is aperiodic"; "the number of layers"]
    """
    rng = Random(312)
    count, longest = proof.pick((8, 4), (40, 5), (200, 6))
    words = [w for n in range(1, longest + 1) for w in product(LETTERS, repeat=n)]
    for f in proof.each(f"{count} random formulas with up to 5 connectives, seed 312", [random_formula(rng, i % 6) for i in range(count)]):
        stack = compiler(f, LETTERS)
        proof.holds(f"the definition on all words of length <= {longest}", all(stack.run(w)[-1] == holds(f, w) for w in words))
        delta, start = formula_step(f)
        small = len(memories(f)) in (1, 2) and len(proof.certificates) < 4
        if small:
            certify_formula(proof, f, LETTERS)
        computes(proof, "the stack holds the formula", stack, delta, start, LETTERS, lambda q: q[-1], certify=False)
    for tables in proof.every(ALL_STACKS + ", all initial states", two_unit_tables()):
        for initial in product((-1, 1), repeat=2):
            stack = unit_stack(tables, initial)
            pair = formulas(tables, initial)
            delta, start = _pair_step(pair)
            found = reachable_with(stack, delta, start, LETTERS, lambda q: q[-2:])
            proof.exactly("each unit holds its formula, after every word", (found.closed, found.mismatch), (True, None))
    for (regex, alphabet), formula in proof.every("five languages with an expression", languages.items()):
        automaton, letters = from_regex(regex, alphabet), tuple(alphabet)
        output = lambda q, accepting=automaton.accepting: q in accepting  # noqa: E731
        stack = compiler(formula, alphabet)
        found = computes(
            proof, "the stack answers as the expression", stack, automaton.step, automaton.start, letters, output, certify=False
        )
        if found.closed and found.mismatch is None:
            proof.certificate("automaton", regex, **closure_data(stack, found, letters, output), regex=regex)
        proof.holds("the number of layers is 1, 2 or 3", 1 <= len(stack.layers) <= 3)
        proof.holds("the minimal automaton is aperiodic", is_aperiodic(monoid([tuple(t) for t in automaton.table.values()])))


def certify_formula(proof: Proof, f: tuple, letters: Sequence[str]) -> None:
    """A certificate that the compiled stack outputs the truth of the formula after every nonempty word."""
    delta, start = formula_step(f)
    stack = compile_formula(f, letters)
    found = reachable_with(stack, delta, start, letters, lambda q: q[-1], limit=5000)
    proof.certificate("automaton", str(f), **closure_data(stack, found, letters, lambda q: q[-1]), formula=f)


def _pair_step(formulas: Sequence[tuple]) -> tuple[Any, tuple[bool, ...]]:
    """The automaton of two formulas side by side; the last two entries of a state are their truths."""
    steps = [formula_step(f) for f in formulas]
    sizes = [len(start) for _, start in steps]

    def delta(state: tuple[bool, ...], x: Any) -> tuple[bool, ...]:
        first, second = steps[0][0](state[: sizes[0]], x), steps[1][0](state[sizes[0] : sum(sizes)], x)
        return (*first, *second, first[-1], second[-1])

    return delta, (False,) * (sum(sizes) + 2)


def _started_at_one(stack: Stack) -> Stack:
    return Stack(tuple(Recurrence(one.transition, one.inputs, one.initial * 0 + 1, one.decode) for one in stack.layers))


@claim(
    "new.bistable.not-all-star-free",
    place="after degeeter26 Sec. 4.3",
    hypotheses=(READ_AT_EACH_STEP, NO_POSITIONS),
    known="the two languages are textbook examples of star-free languages that are not stutter-invariant; the rest is new.bistable.stutter. Flip-flop stacks that read the state before the step do recognise them (Knorozova and Ronca, arXiv 2312.09048)",
    title="star-free is not enough: 'two or more ones' and 'ends in 11' are star-free, and no BMRU stack recognises them",
    says=r"The minimal automata of $\Sigma^*1\Sigma^*1\Sigma^*$ and $\Sigma^*11$ are aperiodic, but the letter $1$ does not act idempotently, and a stack cannot tell $1$ from $11$.",
    sabotages={
        "a language that does not count: some 1": {"regexes": ("(0|1)*1(0|1)*",)},
        "parity, which is not star-free": {"regexes": ("(11)*",)},
    },
)
def a_second_one(proof: Proof, regexes: tuple[str, ...] = ("(0|1)*1(0|1)*1(0|1)*", "(0|1)*11")) -> None:
    r"""Two words that a stack cannot tell apart.

    1. Both languages are star-free: the transition monoids of their minimal automata are aperiodic (Schuetzenberger). [checked: "star-free: the monoid"] [prose]
    2. $1$ is outside each and $11$ inside, but every stack has the same states after both. [uses: new.bistable.stutter] [checked: "1 is outside, 11 inside"]
    """
    for regex in proof.every("the two languages", regexes, limited=False):
        automaton = from_regex(regex, "01")
        proof.holds("star-free: the monoid is aperiodic", is_aperiodic(monoid([tuple(t) for t in automaton.table.values()])))
        one, two = (automaton.run(w)[-1] in automaton.accepting for w in ("1", "11"))
        proof.exactly("1 is outside, 11 inside", (one, two), (False, True))
        data = {letter: list(row) for letter, row in automaton.table.items()}
        proof.certificate("witness", regex, regex=regex, table=data, start=automaton.start, accepting=sorted(automaton.accepting))
