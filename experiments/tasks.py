"""Tasks on which recurrent networks are trained and tested: batches from seeded generators, of any length.

Regular tasks read their answers off the automaton (``constructions.automata``). Source: Deletang et al. (2023) as grazzi25, App. E.1, uses it;
word problems of groups as in grazzi25, Sec. 5.1; copying as in lizaire26; the first input as in degeeter26, Sec. 5.2.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..constructions.automata.automaton import Automaton
from ..constructions.automata.read.sources import from_permutations, named_group
from ..constructions.automata.read.tasks import TASKS as AUTOMATA

#: the target where nothing is asked; a loss leaves it out
UNASKED = -1

Generator = np.random.Generator
#: (batch, length, generator) -> (inputs, targets)
Sample = Callable[[int, int, Generator], tuple[np.ndarray, np.ndarray]]


@dataclass(frozen=True)
class Task:
    """What is read and what is to be said. ``sample`` draws inputs and targets of exactly the given length.

    With ``letters``, inputs are their indices, shape (batch, length); with none, real vectors of ``features`` entries, (batch, length, features).
    With ``answers``, targets are their indices, ``UNASKED`` where nothing is asked; with none, real numbers, nan where nothing is; (batch, length).
    ``automaton`` decides a regular task; ``said`` is the answer in each of its states. ``sample`` raises ``ValueError`` for a length at which nothing can be asked.
    """

    name: str
    letters: tuple[str, ...]
    answers: tuple[str, ...]
    sample: Sample
    features: int = 0
    automaton: Automaton | None = None
    said: tuple[int, ...] = ()

    def targets(self, words: np.ndarray) -> np.ndarray:
        """The answers of a regular task after every letter of given words, (batch, length). Raises ``ValueError`` for another task."""
        if self.automaton is None:
            raise ValueError(f"expected a task that an automaton decides, got {self.name!r}")
        return np.array(self.said)[_states(np.array(list(self.automaton.table.values())), self.automaton.start, words)]

    def scaled(self, accuracy: Any) -> Any:
        """The papers' scaled accuracy: 1 for all right, 0 for guessing one of the answers."""
        return (accuracy - 1 / len(self.answers)) / (1 - 1 / len(self.answers))


def _regular(name: str, automaton: Automaton, answers: Sequence[str], answer_of: Sequence[int]) -> Task:
    """Words of independent uniform letters, an answer after each: ``answer_of`` the state."""
    table, said = np.array(list(automaton.table.values())), np.array(answer_of)

    def sample(batch: int, length: int, rng: Generator) -> tuple[np.ndarray, np.ndarray]:
        words = rng.integers(len(table), size=(batch, length))
        return words, said[_states(table, automaton.start, words)]

    return Task(name, tuple(map(str, automaton.letters)), tuple(answers), sample, automaton=automaton, said=tuple(answer_of))


def _states(table: np.ndarray, start: int, words: np.ndarray) -> np.ndarray:
    """The automaton's states after every letter, shape as ``words``."""
    q, states = np.full(len(words), start), np.empty_like(words)
    for t in range(words.shape[1]):
        states[:, t] = q = table[words[:, t], q]
    return states


def parity() -> Task:
    """Is the number of ones odd, after every letter."""
    automaton = AUTOMATA["parity"]()
    return _regular("parity", automaton, ["even", "odd"], [int(q in automaton.accepting) for q in range(automaton.n)])


def latch() -> Task:
    """A bit that the letters s and r set and reset, and k keeps; its value after every letter."""
    automaton = Automaton({"k": [0, 1], "s": [1, 1], "r": [0, 0]}, accepting=frozenset({1}))
    return _regular("latch", automaton, ["off", "on"], range(2))


def toggle() -> Task:
    """A bit that the letter f flips, r resets and k keeps; its value after every letter."""
    automaton = Automaton({"k": [0, 1], "f": [1, 0], "r": [0, 0]}, accepting=frozenset({1}))
    return _regular("toggle", automaton, ["off", "on"], range(2))


#: letters for which contractive ungated fixed-point layers are known (movahedi25.abstract.tracking and new.fixed-point.any-letters.groups): images of 0 to 4
GENERATORS: dict[str, list[Hashable]] = {
    "A5": [(0, 1, 3, 4, 2), (1, 2, 3, 4, 0)],
    "S5": [(1, 0, 2, 3, 4), (0, 2, 1, 3, 4), (0, 1, 3, 2, 4), (0, 1, 2, 4, 3)],
}


def word_problem(name: str, letters: str = "all") -> Task:
    """The product of what was read in the group ``name`` (S3, A5, ...). Letters are "all" elements, or the "swaps" or "threes": those that move at most two or three points.

    For A5 and S5 there are "generators" as well: a 3-cycle and a 5-cycle, and the four swaps of neighbours. The answer after g is g applied after what came before. Raises ``ValueError`` for other groups and letters.
    """
    named: dict[Hashable, Sequence[int]] = {**named_group(name)}
    elements = from_permutations(named).names or ()
    moved = {g: sum(i != x for i, x in enumerate(_images(g))) for g in elements}
    chosen: dict[str, Sequence[Hashable]] = {
        "all": elements,
        "swaps": [g for g in elements if moved[g] <= 2],
        "threes": [g for g in elements if moved[g] <= 3],
    }
    chosen["generators"] = GENERATORS.get(name, [])
    if letters not in chosen or len(chosen[letters]) < 2:
        raise ValueError(f"expected the letters all, or swaps, threes or generators of a group that has some, got {letters!r} of {name}")
    automaton = from_permutations({_text(g): _images(g) for g in chosen[letters]})
    answers = [_text(g) for g in automaton.names or ()]
    return _regular(name if letters == "all" else f"{name}.{letters}", automaton, answers, range(automaton.n))


def spaced_word_problem(name: str, tokens: int) -> Task:
    """A word problem with ``tokens`` letters for each element: itself, then "-", which changes nothing; answers come tokens - 1 letters late.

    What is said before there is an answer is the identity (grazzi25, App. E.2.1). Raises ``ValueError`` for fewer than one token.
    """
    if tokens < 1:
        raise ValueError(f"expected at least 1 token for an element, got {tokens}")
    plain = word_problem(name)
    assert plain.automaton is not None
    start, elements = plain.automaton.start, len(plain.letters)
    table = np.array([*plain.automaton.table.values(), range(plain.automaton.n)])

    def sample(batch: int, length: int, rng: Generator) -> tuple[np.ndarray, np.ndarray]:
        words = np.full((batch, length), elements)
        words[:, ::tokens] = rng.integers(elements, size=words[:, ::tokens].shape)
        targets = np.full_like(words, start)
        targets[:, tokens - 1 :] = _states(table, start, words)[:, : max(length - tokens + 1, 0)]
        return words, targets

    return Task(f"{name}.tokens{tokens}", (*plain.letters, "-"), plain.answers, sample)


def _images(g: Hashable) -> tuple[int, ...]:
    assert isinstance(g, tuple)
    return g


def _text(g: Hashable) -> str:
    """A permutation by its images, such as 1 0 2."""
    return " ".join(map(str, _images(g)))


#: the modulus of the arithmetic tasks, as in grazzi25
MODULUS = 5


def modular_arithmetic() -> Task:
    """The value modulo 5 of digits joined by +, - and *, after every digit: expressions without brackets, cut off anywhere."""
    automaton = AUTOMATA["modular-arithmetic"]()
    letters = list(map(str, automaton.letters))
    table = np.array(list(automaton.table.values()))
    values = [automaton.output(q) for q in range(automaton.n)]
    said = np.array([v if isinstance(v, int) else UNASKED for v in values])

    def sample(batch: int, length: int, rng: Generator) -> tuple[np.ndarray, np.ndarray]:
        words = rng.integers(MODULUS, size=(batch, length))
        words[:, 1::2] = rng.integers(MODULUS, len(letters), size=(batch, length // 2))
        return words, said[_states(table, automaton.start, words)]

    return Task(
        "modular-arithmetic", tuple(letters), tuple(map(str, range(MODULUS))), sample, automaton=automaton, said=tuple(map(int, said))
    )


def bracketed_arithmetic() -> Task:
    """The value modulo 5 of a whole expression with brackets and signs, which is the label of its last letter. No automaton decides it.

    Of length 1 it is a digit, 2 a digit with a sign, 3 and 4 the same in brackets, else (E op E) with a random place of op.
    """
    letters = (*map(str, range(MODULUS)), "+", "-", "*", "(", ")")
    index = {x: i for i, x in enumerate(letters)}

    def expression(length: int, rng: Generator) -> tuple[str, int]:
        if length <= 2:
            digit = int(rng.integers(MODULUS))
            return ("-" * (length - 1)) + str(digit), (-digit if length == 2 else digit) % MODULUS
        if length <= 4:
            text, value = expression(length - 2, rng)
            return f"({text})", value
        first = int(rng.integers(1, length - 3))
        (left, a), (right, b) = expression(first, rng), expression(length - 3 - first, rng)
        op = "+-*"[rng.integers(3)]
        return f"({left}{op}{right})", {"+": a + b, "-": a - b, "*": a * b}[op] % MODULUS

    def sample(batch: int, length: int, rng: Generator) -> tuple[np.ndarray, np.ndarray]:
        if length < 1:
            raise ValueError(f"expected an expression of at least one letter, got length {length}")
        drawn = [expression(length, rng) for _ in range(batch)]
        targets = np.full((batch, length), UNASKED)
        targets[:, -1] = [value for _, value in drawn]
        return np.array([[index[x] for x in text] for text, _ in drawn]), targets

    return Task("bracketed-arithmetic", letters, tuple(map(str, range(MODULUS))), sample)


def delayed_copy(delay: int = 4, letters: int = 4) -> Task:
    """The letter of ``delay`` steps before; no label before there is one. Raises ``ValueError`` for a delay below 0 or no letters."""
    if delay < 0 or letters < 1:
        raise ValueError(f"expected a delay of at least 0 and at least one letter, got {delay} and {letters}")
    names = tuple(map(str, range(letters)))

    def sample(batch: int, length: int, rng: Generator) -> tuple[np.ndarray, np.ndarray]:
        words = rng.integers(letters, size=(batch, length))
        targets = np.full_like(words, UNASKED)
        targets[:, delay:] = words[:, : max(length - delay, 0)]
        return words, targets

    return Task(f"copy-{delay}", names, names, sample)


def repeat(letters: int = 4) -> Task:
    """Repeat a word after it has ended: n letters, then n times "?", the i-th of which has the i-th letter as its label. Lengths are even."""
    names = tuple(map(str, range(letters)))

    def sample(batch: int, length: int, rng: Generator) -> tuple[np.ndarray, np.ndarray]:
        if length % 2 or length < 2:
            raise ValueError(f"expected an even length of at least 2 for a word and its copy, got {length}")
        words = np.full((batch, length), letters)
        targets = np.full((batch, length), UNASKED)
        words[:, : length // 2] = targets[:, length // 2 :] = rng.integers(letters, size=(batch, length // 2))
        return words, targets

    return Task("repeat", (*names, "?"), names, sample)


def copy_first_input(sd: float = 1.0) -> Task:
    """(r_t, f_t) with the flag f = 1 at the first step only, r_1 from N(0, 1), later ones from N(0, sd^2); r_1 is the label of the last step."""

    def sample(batch: int, length: int, rng: Generator) -> tuple[np.ndarray, np.ndarray]:
        if length < 1:
            raise ValueError(f"expected at least one step, got length {length}")
        r = rng.standard_normal((batch, length))
        r[:, 1:] *= sd
        flag = np.zeros_like(r)
        flag[:, 0] = 1
        targets = np.full((batch, length), np.nan)
        targets[:, -1] = r[:, 0]
        return np.stack([r, flag], axis=-1), targets

    return Task("copy-first-input", (), (), sample, features=2)


#: name -> task; every group's word problem is ``word_problem``
TASKS: dict[str, Callable[[], Task]] = {
    "parity": parity,
    "latch": latch,
    "toggle": toggle,
    "modular-arithmetic": modular_arithmetic,
    "bracketed-arithmetic": bracketed_arithmetic,
    "C3": lambda: word_problem("C3"),
    "S3": lambda: word_problem("S3"),
    "S3.swaps": lambda: word_problem("S3", "swaps"),
    "S4": lambda: word_problem("S4"),
    "A5": lambda: word_problem("A5"),
    "A5.generators": lambda: word_problem("A5", "generators"),
    "S5": lambda: word_problem("S5"),
    "S5.generators": lambda: word_problem("S5", "generators"),
    "S5.swaps": lambda: word_problem("S5", "swaps"),
    "S5.threes": lambda: word_problem("S5", "threes"),
    "S5.tokens4": lambda: spaced_word_problem("S5", 4),
    "C60": lambda: word_problem("C60"),
    "C60.tokens2": lambda: spaced_word_problem("C60", 2),
    "copy-4": delayed_copy,
    "repeat": repeat,
    "copy-first-input": copy_first_input,
}


def task_named(name: str) -> Task:
    """The task of that name. Raises ``ValueError`` for an unknown one."""
    if name not in TASKS:
        raise ValueError(f"expected a task among {', '.join(TASKS)}, got {name!r}")
    return TASKS[name]()
