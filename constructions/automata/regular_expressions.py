"""Regular expressions: one closed syntax (docs/inputs.md), read by recursive descent and run by partial derivatives.

A state is a set of *terms*, expressions that the rest of the word may match; a letter takes each term to the set of its partial
derivatives (Antimirov 1996; an intersection is derived part by part, as Brzozowski does). Sets are bit masks over the terms met so far.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from reprlib import repr as brief
from typing import Any, NoReturn

from .automaton import Automaton, explored

#: bounds on what is read: characters, brackets within brackets, a repetition's count, letters
LARGEST_TEXT, LARGEST_DEPTH, LARGEST_COUNT, LARGEST_ALPHABET = 10_000, 100, 10_000, 1000
#: derivatives of terms that are put together, over all states and letters, before an expression is refused
LARGEST_WORK = 3_000_000

OPERATORS = frozenset(r"|&*+?(){}[].\^$")
#: what stands for something else in a class: [...]
CLASS_OPERATORS = frozenset(r"[]^-\\")


def automaton_of_expression(text: str, alphabet: Iterable[str] | None = None) -> Automaton:
    """The automaton of the derivatives of an expression, total but not minimal; letters in sorted order, states numbered.

    ``alphabet``: all letters there are; by default those that the expression mentions. Raises ``ValueError`` for what is not in the
    syntax, with the place, for letters outside the alphabet or none at all, and for an automaton that is too large.
    """
    if not isinstance(text, str):
        raise ValueError(f"expected a regular expression as text, got {brief(text)}")
    if len(text) > LARGEST_TEXT:
        raise ValueError(f"expected a regular expression of at most {LARGEST_TEXT} characters, got {len(text)}")
    letters = None if alphabet is None else checked_alphabet(alphabet)
    terms = _Terms()
    parser = _Parser(text, letters, terms)
    expression = parser.whole()
    letters = sorted(parser.mentioned if letters is None else letters)
    if not 1 <= len(letters) <= LARGEST_ALPHABET:
        got = f"{brief(text)}: pass an alphabet" if not letters else f"{len(letters)} of them"
        raise ValueError(f"expected a regular expression with 1 to {LARGEST_ALPHABET} letters, got {got}")
    found = explored(terms.mask(expression), letters, terms.after, lambda state: bool(state & terms.nullable))
    return Automaton(found.table, found.start, found.accepting)


def checked_alphabet(alphabet: Iterable[str]) -> frozenset[str]:
    """The letters of an alphabet. Raises ``ValueError`` if some are not single characters, come twice, or there is none."""
    letters = list(alphabet) if isinstance(alphabet, Iterable) else None
    if not letters or not all(isinstance(x, str) and len(x) == 1 for x in letters):
        raise ValueError(f"expected an alphabet of at least one letter, each a single character, got {brief(alphabet)}")
    if twice := sorted({x for x in letters if letters.count(x) > 1}):
        raise ValueError(f"expected an alphabet of different letters, got {twice[0]!r} twice")
    return frozenset(letters)


# -- expressions ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Node:
    """An expression; equal ones are one object, made by :class:`_Terms`. ``nullable``: the empty word matches."""

    nullable: bool


@dataclass(frozen=True, eq=False)
class _Empty(_Node):
    """The empty word."""


@dataclass(frozen=True, eq=False)
class _Letter(_Node):
    """One letter of ``letters``, or one that is not in it if ``negated``."""

    letters: frozenset[str]
    negated: bool


@dataclass(frozen=True, eq=False)
class _Cat(_Node):
    head: _Node
    tail: _Node


@dataclass(frozen=True, eq=False)
class _Repeat(_Node):
    """``low`` to ``high`` copies, None for any number."""

    body: _Node
    low: int
    high: int | None


@dataclass(frozen=True, eq=False)
class _Any(_Node):
    """A union."""

    parts: tuple[_Node, ...]


@dataclass(frozen=True, eq=False)
class _All(_Node):
    """An intersection."""

    parts: tuple[_Node, ...]


@dataclass
class _Terms:
    """Makes expressions, numbers the terms, and derives them; ``nullable`` is the mask of the terms that the empty word matches."""

    nullable: int = 0
    _known: dict[tuple, _Node] = field(default_factory=dict)
    _terms: list[_Node] = field(default_factory=list)
    _number: dict[_Node, int] = field(default_factory=dict)
    _derived: dict[tuple[_Node, Hashable], int] = field(default_factory=dict)
    _work: int = 0

    def _make(self, kind: type[_Node], nullable: bool, *content: Any) -> Any:
        return self._known.setdefault((kind, *content), kind(nullable, *content))

    def empty(self) -> _Node:
        return self._make(_Empty, True)

    def letter(self, letters: Iterable[str], negated: bool = False) -> _Node:
        return self._make(_Letter, False, frozenset(letters), negated)

    def cat(self, head: _Node, tail: _Node) -> _Node:
        if isinstance(head, _Empty):
            return tail
        return head if isinstance(tail, _Empty) else self._make(_Cat, head.nullable and tail.nullable, head, tail)

    def repeat(self, body: _Node, low: int, high: int | None) -> _Node:
        if high == 0 or isinstance(body, _Empty):
            return self.empty()
        if (low, high) == (1, 1) or (isinstance(body, _Repeat) and (body.low, body.high) == (0, None)):
            return body
        low = 0 if body.nullable else low
        return self._make(_Repeat, low == 0, body, low, high)

    def either(self, parts: Iterable[_Node]) -> _Node:
        parts = tuple(dict.fromkeys(parts))
        return parts[0] if len(parts) == 1 else self._make(_Any, any(p.nullable for p in parts), parts)

    def both(self, parts: Iterable[_Node]) -> _Node:
        parts = tuple(dict.fromkeys(parts))
        return parts[0] if len(parts) == 1 else self._make(_All, all(p.nullable for p in parts), parts)

    def mask(self, term: _Node) -> int:
        """The set of this one term."""
        number = self._number.setdefault(term, len(self._terms))
        if number == len(self._terms):
            self._terms.append(term)
            self.nullable |= term.nullable << number
        return 1 << number

    def members(self, mask: int) -> list[_Node]:
        """The terms of a set, in order of discovery."""
        found = []
        while mask:
            lowest = mask & -mask
            found.append(self._terms[lowest.bit_length() - 1])
            mask ^= lowest
        self._spend(len(found))
        return found

    def _spend(self, steps: int) -> None:
        self._work += steps
        if self._work > LARGEST_WORK:
            raise ValueError(f"expected a regular expression whose automaton is found in {LARGEST_WORK} steps, got one that takes more")

    def after(self, mask: int, x: str) -> int:
        """The set of terms after a letter."""
        found = 0
        for term in self.members(mask):
            found |= self.derive(term, x)
        return found

    def derive(self, term: _Node, x: str) -> int:
        """The partial derivatives of a term."""
        # along a chain of factors: after a nullable one the next one may begin; from the end, so that each link is derived once
        chain = [term]
        while isinstance(term, _Cat) and term.head.nullable and (term.tail, x) not in self._derived:
            term = term.tail
            chain.append(term)
        for link in reversed(chain):
            if (link, x) not in self._derived:
                self._derived[link, x] = self._derive(link, x)
        return self._derived[chain[0], x]

    def _derive(self, term: _Node, x: str) -> int:
        match term:
            case _Letter(letters=letters, negated=negated):
                return self.mask(self.empty()) if (x in letters) != negated else 0
            case _Cat(head=head, tail=tail):
                return self._followed(self.derive(head, x), tail) | (self.derive(tail, x) if head.nullable else 0)
            case _Repeat(body=body, low=low, high=high):
                rest = self.repeat(body, max(low - 1, 0), None if high is None else high - 1)
                return self._followed(self.derive(body, x), rest)
            case _Any(parts=parts):
                found = 0
                self._spend(len(parts))
                for part in parts:
                    found |= self.derive(part, x)
                return found
            case _All(parts=parts):
                masks = [self.derive(part, x) for part in parts]
                return self.mask(self.both(self.either(self.members(mask)) for mask in masks)) if all(masks) else 0
            case _:
                return 0

    def _followed(self, mask: int, tail: _Node) -> int:
        found = 0
        for term in self.members(mask):
            found |= self.mask(self.cat(term, tail))
        return found


# -- syntax -----------------------------------------------------------------------------------------------------------------


class _Parser:
    """Recursive descent: a union of intersections of sequences of repetitions."""

    def __init__(self, text: str, alphabet: frozenset[str] | None, terms: _Terms):
        self.text, self.alphabet, self.terms = text, alphabet, terms
        self.at = self.depth = 0
        self.mentioned: set[str] = set()

    def fail(self, what: str, at: int | None = None) -> NoReturn:
        raise ValueError(f"expected a regular expression, got {brief(self.text)}: {what} at position {(self.at if at is None else at) + 1}")

    @property
    def here(self) -> str:
        """The next character, empty at the end."""
        return self.text[self.at : self.at + 1]

    def took(self, character: str) -> bool:
        if self.here != character:
            return False
        self.at += 1
        return True

    def whole(self) -> _Node:
        expression = self.union() if self.text else self.terms.empty()
        if self.here:
            self.fail(f"an unexpected {self.here!r}")
        return expression

    def union(self) -> _Node:
        parts = [self.intersection()]
        while self.took("|"):
            parts.append(self.intersection())
        return self.terms.either(parts)

    def intersection(self) -> _Node:
        parts = [self.sequence()]
        while self.took("&"):
            parts.append(self.sequence())
        return self.terms.both(parts)

    def sequence(self) -> _Node:
        factors = []
        while self.here and self.here not in "|&)":
            factors.append(self.repetition())
        if not factors:
            self.fail(f"no expression before {self.here!r}" if self.here else "no expression (the empty word is written ())")
        sequence = self.terms.empty()
        for factor in reversed(factors):
            sequence = self.terms.cat(factor, sequence)
        return sequence

    def repetition(self) -> _Node:
        body = self.atom()
        if not self.here or self.here not in "*+?{":
            return body
        low, high = self.counts()
        if self.here and self.here in "*+?{":
            self.fail("a second repetition (put the first into brackets)")
        return self.terms.repeat(body, low, high)

    def counts(self) -> tuple[int, int | None]:
        for sign, low, high in (("*", 0, None), ("+", 1, None), ("?", 0, 1)):
            if self.took(sign):
                return low, high
        opened = self.at
        self.at += 1
        low = self.count()
        high = low
        if self.took(","):
            high = None if self.here == "}" else self.count()
        if not self.took("}"):
            self.fail("a count that is not {m}, {m,} or {m,n}", opened)
        if high is not None and high < low:
            self.fail(f"a count of at least {low} and at most {high}", opened)
        return low, high

    def count(self) -> int:
        start = self.at
        while self.here and self.here in "0123456789":
            self.at += 1
        digits = self.text[start : self.at]
        if not digits:
            self.fail("no number", start)
        # bounded before it is converted: thousands of digits are refused too
        if len(digits.lstrip("0")) > len(str(LARGEST_COUNT)) or int(digits) > LARGEST_COUNT:
            self.fail(f"a count above {LARGEST_COUNT}", start)
        return int(digits)

    def atom(self) -> _Node:
        if self.here == "(":
            return self.bracket()
        if self.here == "[":
            return self.letter_class()
        if self.took("."):
            return self.terms.letter((), negated=True)
        if self.here in "*+?{":
            self.fail(f"nothing to repeat before {self.here!r}")
        return self.terms.letter(self.letter(OPERATORS))

    def bracket(self) -> _Node:
        opened = self.at
        self.at += 1
        self.depth += 1
        if self.depth > LARGEST_DEPTH:
            self.fail(f"more than {LARGEST_DEPTH} brackets within each other", opened)
        expression = self.terms.empty() if self.here == ")" else self.union()
        if not self.took(")"):
            self.fail("a '(' that is not closed", opened)
        self.depth -= 1
        return expression

    def letter(self, operators: frozenset[str]) -> str:
        r"""One letter: a character that is no operator and no white space, or \ and one that is."""
        start, escaped = self.at, self.took("\\")
        x = self.here
        if not x:
            self.fail("a \\ with nothing after it" if escaped else "no letter", start)
        if escaped and not (x in OPERATORS | CLASS_OPERATORS or x.isspace()):
            self.fail(f"a \\ before {x!r}, which is no operator and no white space", start)
        if not escaped and (x in operators or x.isspace() or x == "ε"):
            meant = "the empty word is ()" if x == "ε" else "as a letter it has a \\ before it"
            self.fail(f"an unexpected {x!r} ({meant})", start)
        if "\ud800" <= x <= "\udfff":
            self.fail("half a surrogate pair, which is no character", start)
        if self.alphabet is not None and x not in self.alphabet:
            self.fail(f"the letter {x!r}, which is not in the alphabet {brief(''.join(sorted(self.alphabet)))},", start)
        self.at += 1
        self.mentioned.add(x)
        return x

    def letter_class(self) -> _Node:
        """``[abc]``, ``[a-z]``, ``[^abc]``."""
        opened = self.at
        self.at += 1
        negated, letters = self.took("^"), set()
        if negated and self.alphabet is None:
            self.fail("letters that a [^...] leaves, and no alphabet to take them from,", opened)
        while self.here and self.here != "]":
            letters |= self.letters()
        if not self.took("]"):
            self.fail("a '[' that is not closed", opened)
        if not letters or (negated and letters == self.alphabet):
            self.fail("a class without letters", opened)
        return self.terms.letter(letters, negated)

    def letters(self) -> set[str]:
        """A letter of a class, or a range."""
        start = self.at
        first = self.letter(CLASS_OPERATORS)
        if not self.took("-"):
            return {first}
        last = self.letter(CLASS_OPERATORS)
        if not first < last or ord(last) - ord(first) >= LARGEST_ALPHABET:
            self.fail(f"a range from {first!r} to {last!r} (expected 2 to {LARGEST_ALPHABET} letters in order)", start)
        letters = {chr(c) for c in range(ord(first), ord(last) + 1)}
        if self.alphabet is not None and not letters <= self.alphabet:
            self.fail(f"a range with {min(letters - self.alphabet)!r}, which is not in the alphabet,", start)
        self.mentioned |= letters
        return letters
