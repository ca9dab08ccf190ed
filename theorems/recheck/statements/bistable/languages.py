"""Demands of the claims on what stacks of units recognise."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from ...exact import natural, number, require, vector
from ...registry import statement
from ...schema import Either, Fields, Items, Matrix, Natural, Text, Truth, Tuple, Words
from ...shapes import BISTABLE_LAYER
from ...typed import Certificates, Data
from .unit import read_layer, stack_states

#: the regular expressions of each claim, as the claims name them; minimal automata of at most five states
REGEXES = {
    "new.bistable.since": ("(a|b|c)*ac*", "a+b+", "(a|b|c)*a(a|b|c)*b(a|b|c)*", "(a+b+)+", "(a|b|c)*ab*c(a|b|c)*"),
    "new.bistable.not-all-star-free": ("(0|1)*1(0|1)*1(0|1)*", "(0|1)*11"),
}


def units_only(data: Data) -> None:
    """All maps are those of units: A is diagonal with entries 0 and 1, and B is +-1 where A is 0, and 0 where A is 1."""
    require(data["field"] == 1, "a rational network")
    require(all(abs(number(x)) == 1 for network in data["states"] for h in network for row in h for x in row), "states +-1")
    for layer in data["layers"]:
        for m in layer:
            a, b = m["A"], m["B"]
            for i, row in enumerate(a):
                require(all(number(x) == 0 for j, x in enumerate(row) if j != i) and len(b[i]) == 1, "a diagonal transition")
                kept, written = number(row[i]), number(b[i][0])
                require((kept == 1 and written == 0) or (kept == 0 and abs(written) == 1), "each unit keeps, or writes +-1")


def steps(data: Data) -> dict[tuple[int, int], int]:
    """(i, letter) -> j of the automaton of a certificate of kind ``automaton``."""
    return {(i, x): j for i, x, _, j in data["edges"]}


def answers_to(data: Data, regex: Any) -> None:
    """The output after every nonempty word up to length 8 (10 for two letters) is membership; automata of at most five states each differ before that."""
    edges, letters = steps(data), "".join(data["letters"])
    require(
        len(set(data["automaton"])) <= 5 and set(letters) == set(re.sub(r"[^a-z01]", "", regex)),
        "a small automaton, over the expression's letters",
    )
    member = re.compile(regex)
    answers = set()
    for n in range(1, (10 if len(letters) == 2 else 8) + 1):
        for word in itertools.product(range(len(letters)), repeat=n):
            i = 0
            for x in word:
                i = edges[i, x]
            expected = bool(member.fullmatch("".join(letters[x] for x in word)))
            answers.add(expected)
            require(data["outputs"][i] == str(expected), "the output is membership")
    require(answers == {True, False}, "some words are in, and some are not")


def star_free(data: Data) -> None:
    """One of the five languages, by one to three layers of units."""
    require(set(data["automaton"]) == {str(q) for q in range(len(set(data["automaton"])))}, "states called 0, 1, ...")
    require(data["regex"] in REGEXES["new.bistable.since"] and 1 <= len(data["layers"]) <= 3, "one of the five, in one to three layers")
    answers_to(data, data["regex"])


# -- compiled layers ------------------------------------------------------------------------------------------------------------------

#: the languages of each claim, and the period of the clock that each takes
COMPILED = {
    "new.bistable.compiler": {"(1+0+)+1+": 1, "a+b+": 1, "(a|b|c)*a+b+c+": 1, "(a+b+c+)+": 1},
    "new.bistable.languages": {"(1+0+)+1+": 1},
    "new.bistable.hybrid": {"(11)*": 2, "((a|b)(a|b)(a|b))*a": 3, "(0|1)*11": 2},
}


def accepts(data: Data, word: tuple[int, ...]) -> bool:
    """Whether the automaton of a certificate of kind ``bistable`` accepts a word of letters' indices."""
    q = data["automaton"]["start"]
    for x in word:
        q = data["automaton"]["table"][x][q]
    return q in data["automaton"]["accepting"]


def language_of(claim: str, data: Data) -> str:
    """The one expression of the claim over these letters that agrees on all words of up to 8 letters; automata of at most five states."""
    letters = data["letters"]
    states = data["automaton"]["states"]
    require(len(states) <= 5 and states == [str(q) for q in range(len(states))], "a small automaton, with states called 0, 1, ...")
    require(all(len(x) == 1 for x in letters), "letters of one character")
    words = [w for n in range(1, 9) for w in itertools.product(range(len(letters)), repeat=n)]
    inside = {"".join(letters[x] for x in w): accepts(data, w) for w in words}
    fitting = [
        regex
        for regex in COMPILED[claim]
        if set(re.sub(r"[^a-z01]", "", regex)) == set(letters) and all(bool(re.fullmatch(regex, w)) == there for w, there in inside.items())
    ]
    require(len(fitting) == 1 and set(inside.values()) == {True, False}, "one of the claim's languages")
    require(data["clock"] == COMPILED[claim][fitting[0]], "the clock that the language takes")
    require(all(a == 1 for layer in data["layers"] for a in layer["alpha"]), "alpha = 1")
    return fitting[0]


def all_languages(claim: str) -> Callable[..., Any]:
    """Each language of the claim has a certificate."""

    def demand(certificates: Certificates) -> None:
        require({language_of(claim, data) for kind, data in certificates if kind == "bistable"} == set(COMPILED[claim]), "all languages")

    return demand


for _claim in COMPILED:
    statement(_claim, "bistable")(lambda data, _claim=_claim: language_of(_claim, data))
for _claim in ("new.bistable.compiler", "new.bistable.hybrid"):
    statement(_claim)(all_languages(_claim))


@statement(
    "new.bistable.hybrid",
    "witness",
    Fields(period=Natural(2, 3), lower=Items(Natural(-1, 1), 2, 2), upper=Items(Natural(-1, 1), 16, 24)),
)
def no_group_by_length(data: Data) -> None:
    """In a stack of a unit, a clock with a delay and a unit, no word over a, b of a length divisible by the period has a cycle of two states or more.

    Sets of maps of one length, with that length modulo the period, repeat: all lengths are seen.
    """
    period = natural(data["period"])
    letters = clocked_maps(period, data["lower"], data["upper"])
    maps, length, seen = frozenset(letters), 1, set()
    while (maps, length % period) not in seen:
        seen.add((maps, length % period))
        require(length % period or not any(map(permutes, maps)), "no word of a length divisible by the period permutes states")
        maps, length = frozenset(tuple(g[q] for q in f) for f in maps for g in letters), length + 1


def clocked_maps(period: int, lower: Sequence[int], upper: Sequence[int]) -> list[tuple[int, ...]]:
    """What a and b do to the states (lower unit, clock, what the lower unit was one step before, upper unit) that words reach, numbered as they are reached.

    ``lower`` is the lower unit's action by letter; ``upper`` the upper unit's by letter, clock, and lower unit now and before, each 1 before -1.
    """
    read = dict(zip(itertools.product((0, 1), range(period), (1, -1), (1, -1)), upper, strict=True))

    def step(state: tuple[int, int, int, int], x: int) -> tuple[int, int, int, int]:
        before, clock, _, high = state
        now, clock = lower[x] or before, (clock + 1) % period
        return now, clock, before, read[x, clock, now, before] or high  # pyright: ignore[reportArgumentType]

    states = [(-1, 0, -1, -1)]
    for q in states:
        states += [after for after in dict.fromkeys((step(q, 0), step(q, 1))) if after not in states]
    return [tuple(states.index(step(q, x)) for q in states) for x in (0, 1)]


def permutes(f: tuple[int, ...]) -> bool:
    """Whether a map has a cycle of two points or more."""
    images = set(range(len(f)))
    for _ in f:
        images = {f[q] for q in images}
    return any(f[q] != q for q in images)


#: the languages that are refused
REFUSED = {"(0|1)*11", "(a+b+a+b+)*"}


@statement(
    "new.bistable.languages",
    "witness",
    Either(
        Fields(regex=Text("(0|1)*11"), uxv=Items(Text("0", "1"), 1, 8), uxxv=Items(Text("0", "1"), 2, 9)),
        Fields(
            regex=Text("(a+b+a+b+)*"),
            u=Items(Text("a", "b"), 0, 8),
            v=Items(Text("a", "b"), 1, 8),
            w=Items(Text("a", "b"), 0, 8),
            period=Natural(2, 5),
        ),
    ),
)
def languages(data: Data) -> None:
    """u x v and u x x v, of which one is in the language; or u v^i w for three periods of i, in and outside in turn."""
    regex = data["regex"]
    require(regex in REFUSED, "a language of the claim")
    if "uxv" in data:
        one, two = ("".join(data[key]) for key in ("uxv", "uxxv"))
        require(any(two == one[: i + 1] + one[i:] for i in range(len(one))), "the second word repeats a letter of the first")
        require(bool(re.fullmatch(regex, one)) != bool(re.fullmatch(regex, two)), "one of them is in the language")
        return
    u, v, w = ("".join(data[key]) for key in "uvw")
    period = natural(data["period"])
    inside = [bool(re.fullmatch(regex, u + v * i + w)) for i in range(1, 3 * period + 1)]
    require(period > 1 and v and inside == inside[:period] * 3 and set(inside) == {True, False}, "in and outside, with the period")


@statement("new.bistable.languages")
def languages_all(certificates: Certificates) -> None:
    all_languages("new.bistable.languages")(certificates)
    require({d["regex"] for kind, d in certificates if kind == "witness"} == REFUSED, "both refusals")


# -- since ------------------------------------------------------------------------------------------------------------------------------


def memories(f: Sequence[Any]) -> list[Any]:
    """The "since" formulas inside, the inner ones first."""
    inside = [m for g in f[1:] for m in memories(g)] if f[0] != "is" else []
    return inside + ([f] if f[0] == "since" else [])


def truth(f: Sequence[Sequence[str] | str], letter: str, held: dict[str, Any]) -> bool:
    kind = f[0]
    if kind == "is":
        return letter == f[1]
    if kind == "since":
        return held[repr(f)]
    require(len(f) == {"not": 2, "and": 3, "or": 3}.get(kind), "a formula")  # pyright: ignore[reportArgumentType]
    parts = [truth(g, letter, held) for g in f[1:]]
    return not parts[0] if kind == "not" else all(parts) if kind == "and" else any(parts)


@statement("new.bistable.since", "automaton")
def since(data: Data) -> Any:
    """The output after every nonempty word is the truth of the formula, or membership in one of five languages.

    For a formula all pairs of a state of the network and truths of the "since" inside are visited.
    """
    units_only(data)
    require(("regex" in data) != ("formula" in data), "a formula or an expression")
    require(data["outputs"][0] == "False" and set(data["outputs"]) == {"True", "False"}, "truths, the first of them before any letter")
    if "regex" in data:
        return star_free(data)
    f, letters, edges = data["formula"], data["letters"], steps(data)
    units = list({repr(m): m for m in memories(f)}.values())
    require(units and len(units) <= 4, "a formula with some since")
    require(all(len(layer[0]["A"]) <= len(units) for layer in data["layers"]), "one unit for each since")
    require(data["automaton"][0] == str((False,) * (len(units) + 1)), "starts where nothing is true")
    waiting = [(0, (False,) * len(units))]
    seen = set(waiting)
    while waiting:
        i, before = waiting.pop()
        for x, letter in enumerate(letters):
            held = {}
            for m, old in zip(units, before, strict=True):
                held[repr(m)] = truth(m[2], letter, held) or (truth(m[1], letter, held) and old)
            j, now = edges[i, x], tuple(held.values())
            answer = truth(f, letter, held)
            require(data["outputs"][j] == str(answer), "the output is the formula's truth")
            require(data["automaton"][j] == str((*now, answer)), "named by the truths of the since, and of the formula")
            if (j, now) not in seen:
                seen.add((j, now))
                waiting.append((j, now))


# -- stacks of two units ---------------------------------------------------------------------------------------------------------------------


def stack_of_two(data: Data) -> Callable[..., Any]:
    """The step of a stack of two units over {a, b}: the upper one reads the letter and whether the lower one's new state is +1."""
    low, high = data["low"], {(x, bit): action for x, bit, action in data["high"]}
    require(set(low) == {"a", "b"} and set(high) == {(x, bit) for x in "ab" for bit in (False, True)}, "an action for all that is read")
    require(
        all(v in (0, 1, -1) for v in (*low.values(), *high.values())) and any(low.values()) and any(high.values()), "set, reset or keep"
    )

    def step(state: tuple[int, int], letter: str) -> tuple[int, int]:
        below = low[letter] or state[0]
        return below, high[letter, below == 1] or state[1]

    return step


def acting(step: Callable[..., Any], word: str) -> list[tuple[int, int]]:
    """What a word does to the four states, in order."""
    out = []
    for state in itertools.product((-1, 1), repeat=2):
        for letter in word:
            state = step(state, letter)
        out.append(state)
    return out


@statement(
    "new.bistable.monoid",
    "witness",
    Fields(
        low=Fields(a=Natural(-1, 1), b=Natural(-1, 1)),
        high=Items(Tuple(Text("a", "b"), Truth(), Natural(-1, 1)), 4, 4),
        word=Words("ab", 8),
    ),
)
def monoid(data: Data) -> None:
    """A stack of two units where every letter acts idempotently and this word does not."""
    step, word = stack_of_two(data), data["word"]
    require(all(acting(step, x) == acting(step, x + x) for x in "ab"), "letters act idempotently")
    require(acting(step, word) != acting(step, word + word), "the word does not")


@statement(
    "new.bistable.parity",
    "witness",
    Fields(
        low=Fields(a=Natural(-1, 1), b=Natural(-1, 1)),
        high=Items(Tuple(Text("a", "b"), Truth(), Natural(-1, 1)), 4, 4),
        start=Items(Natural(-1, 1), 2, 2),
    ),
)
def parity(data: Data) -> None:
    """The stack has the same states after a and aa, of which (aa)* holds one."""
    step, state = stack_of_two(data), tuple(data["start"])
    require(all(h in (1, -1) for h in state) and len(state) == 2, "a start for both units")
    first = step(state, "a")
    require(step(first, "a") == first, "the same states after a and aa")


@statement(
    "new.bistable.not-all-star-free",
    "witness",
    Fields(
        regex=Text("(0|1)*1(0|1)*1(0|1)*", "(0|1)*11"),
        table=Fields(**{"0": Items(Natural(0, 4), 3, 5), "1": Items(Natural(0, 4), 3, 5)}),  # pyright: ignore[reportArgumentType]
        start=Natural(0, 4),
        accepting=Items(Natural(0, 4), 1, 4),
    ),
)
def not_all_star_free(data: Data) -> None:
    """An automaton for the expression, with an aperiodic transition monoid; 1 is outside the language and 11 inside."""
    regex, table, start, accepting = data["regex"], data["table"], natural(data["start"]), {natural(q) for q in data["accepting"]}
    require(regex in REGEXES["new.bistable.not-all-star-free"] and set(table) == {"0", "1"}, "one of the two languages")
    n = len(table["0"])
    require(n <= 5 and all(len(row) == n and all(natural(q) < n for q in row) for row in table.values()) and start < n, "a total automaton")
    member = re.compile(regex)

    def accepts(word: str) -> bool:
        q = start
        for x in word:
            q = table[x][q]
        return q in accepting

    words = ("".join(w) for k in range(11) for w in itertools.product("01", repeat=k))
    require(all(accepts(w) == bool(member.fullmatch(w)) for w in words), "the automaton of the expression")
    elements = waiting = [tuple(range(n))]
    elements = set(elements)
    while waiting:
        f = waiting.pop()
        for row in table.values():
            g = tuple(row[q] for q in f)
            if g not in elements:
                elements.add(g)
                waiting.append(g)
    for f in elements:
        power = tuple(range(n))
        for _ in range(n):
            power = tuple(f[q] for q in power)
        require(tuple(f[q] for q in power) == power, "the transition monoid is aperiodic")
    require(not accepts("1") and accepts("11"), "1 is outside, 11 inside")


# -- depth -----------------------------------------------------------------------------------------------------------------------------------


def states_of(data: Data, length: int) -> list[list[Fraction]]:
    """The states of a stack after each of so many letters of its word for ever."""
    layers, word = [(read_layer(one_layer), vector(one_layer["start"])) for one_layer in data["stack"]], [vector(x) for x in data["word"]]
    return stack_states(layers, [word[t % len(word)] for t in range(length)])


@statement(
    "new.bistable.settling",
    "witness",
    Either(
        Fields(stack=Items(BISTABLE_LAYER, 1, 3), word=Matrix((1, 4), 2, 4)),
        Fields(layers=Natural(2, 5), period=Natural(2, 5), due=Items(Natural(0, 4), 2, 5), outputs=Items(Truth(), 4, 50)),
    ),
)
def settling(data: Data) -> None:
    """The states of a stack on a word for ever have its period from L (p - 1) letters on; or a relay that takes as long.

    A relay reads 0, 1, .., p - 1 for ever: unit k is set at its letter if unit k - 1 is set. It has not settled after L (p - 1) - 1 letters, and has one later.
    """
    if "stack" in data:
        late, period = len(data["stack"]) * (len(data["word"]) - 1), len(data["word"])
        states = states_of(data, late + 2 * period)
        require(
            all(states[t] == states[t + period] for t in range(late, late + period)), "the states after L (p - 1) letters have the period"
        )
        return
    layers, period, due = natural(data["layers"]), natural(data["period"]), [natural(x) for x in data["due"]]
    require(layers >= 2 and period >= 2 and len(due) == layers and all(x < period for x in due), "a letter for each of several units")
    late, bits, outputs = layers * (period - 1), [False] * layers, []
    require(len(data["outputs"]) >= late + period, "outputs for one period more than it takes")
    for t in range(len(data["outputs"])):
        for k in range(layers):
            bits[k] = bits[k] or (t % period == due[k] and (k == 0 or bits[k - 1]))
        outputs.append(bits[-1])
    require(outputs == data["outputs"], "the outputs of the relay")
    require(outputs[late - 1] != outputs[late - 1 + period], "the outputs at the times L (p - 1) and L (p - 1) + p differ")
    require(all(outputs[t] == outputs[t + period] for t in range(late, len(outputs) - period)), "later outputs have the period")


@statement("new.bistable.settling")
def settling_all(certificates: Certificates) -> None:
    """Not all of the stacks stand still."""
    runs = [states_of(data, 3 * len(data["word"])) for _, data in certificates if "stack" in data]
    require(any(len(set(map(tuple, states))) > 1 for states in runs), "some stack changes its states")


@statement("new.bistable.depth", "automaton")
def depth(data: Data) -> None:
    """L layers of two units output min(number of blocks, L + 1) after every nonempty word up to length 9; the automaton has 2 (L + 1) + 1 states or fewer."""
    units_only(data)
    layers, edges = len(data["layers"]), steps(data)
    require(data["letters"] == ["a", "b"] and 1 <= layers <= 5, "two letters and a few layers")
    require(all(len(m["A"]) == 2 for layer in data["layers"] for m in layer), "two units a layer")
    require(len(set(data["automaton"])) <= 2 * (layers + 1) + 1, "a small automaton")
    require((data["automaton"][0], data["outputs"][0]) == (str(("", 0)), "0"), "no letter and no block at the start")
    for n in range(1, 10):
        for word in itertools.product((0, 1), repeat=n):
            i = 0
            for x in word:
                i = edges[i, x]
            blocks = 1 + sum(x != y for x, y in itertools.pairwise(word))
            count = min(blocks, layers + 1)
            require(data["outputs"][i] == str(count), "the output is the number of blocks, up to L + 1")
            require(data["automaton"][i] == str(("ab"[word[-1]], count)), "named by the last letter and the count")


@statement("new.bistable.depth")
def depth_all(certificates: Certificates) -> None:
    require([len(d["layers"]) for _, d in certificates] == [1, 2, 3], "L = 1, 2, 3")
