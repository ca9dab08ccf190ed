"""The syntax of regular expressions: one and closed (docs/reference/inputs.md), read by recursive descent into ``derivatives.Terms``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn

from ..automaton import Automaton, brief, explored
from .derivatives import Expression, Terms

#: bounds on what is read: characters, brackets within brackets, a repetition's count, letters
LARGEST_TEXT, LARGEST_DEPTH, LARGEST_COUNT, LARGEST_ALPHABET = 10_000, 100, 10_000, 1000

OPERATORS = frozenset(r"|&*+?(){}[].\^$")
#: what stands for something else in a class: [...]
CLASS_OPERATORS = frozenset("[]^-\\")


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
    terms = Terms()
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
    letters = list(alphabet) if isinstance(alphabet, Iterable) else []
    if not 1 <= len(letters) <= LARGEST_ALPHABET or not all(isinstance(x, str) and len(x) == 1 and not _is_half(x) for x in letters):
        raise ValueError(f"expected an alphabet of 1 to {LARGEST_ALPHABET} letters, each a single character, got {brief(alphabet)}")
    if twice := sorted({x for x in letters if letters.count(x) > 1}):
        raise ValueError(f"expected an alphabet of different letters, got {twice[0]!r} twice")
    return frozenset(letters)


def _is_half(x: str) -> bool:
    """Half a surrogate pair, which cannot be written."""
    return "\ud800" <= x <= "\udfff"


class _Parser:
    """Recursive descent: a union of intersections of sequences of repetitions."""

    def __init__(self, text: str, alphabet: frozenset[str] | None, terms: Terms):
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

    def whole(self) -> Expression:
        expression = self.union() if self.text else self.terms.empty()
        if self.here:
            self.fail(f"an unexpected {self.here!r}")
        return expression

    def union(self) -> Expression:
        parts = [self.intersection()]
        while self.took("|"):
            parts.append(self.intersection())
        return self.terms.either(parts)

    def intersection(self) -> Expression:
        parts = [self.sequence()]
        while self.took("&"):
            parts.append(self.sequence())
        return self.terms.both(parts)

    def sequence(self) -> Expression:
        factors = []
        while self.here and self.here not in "|&)":
            factors.append(self.repetition())
        if not factors:
            self.fail(f"no expression before {self.here!r}" if self.here else "no expression (the empty word is written ())")
        sequence = self.terms.empty()
        for factor in reversed(factors):
            sequence = self.terms.cat(factor, sequence)
        return sequence

    def repetition(self) -> Expression:
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

    def atom(self) -> Expression:
        if self.here == "(":
            return self.bracket()
        if self.here == "[":
            return self.letter_class()
        if self.took("."):
            return self.terms.letter((), negated=True)
        if self.here in "*+?{":
            self.fail(f"nothing to repeat before {self.here!r}")
        return self.terms.letter(self.letter(OPERATORS))

    def bracket(self) -> Expression:
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
        if _is_half(x):
            self.fail("half a surrogate pair, which is no character", start)
        if self.alphabet is not None and x not in self.alphabet:
            self.fail(f"the letter {x!r}, which is not in the alphabet {brief(''.join(sorted(self.alphabet)))},", start)
        self.at += 1
        self.mentioned.add(x)
        return x

    def letter_class(self) -> Expression:
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
        if not first <= last or ord(last) - ord(first) >= LARGEST_ALPHABET:
            self.fail(f"a range from {first!r} to {last!r} (expected at most {LARGEST_ALPHABET} letters, in order)", start)
        letters = {chr(c) for c in range(ord(first), ord(last) + 1)}
        if self.alphabet is not None and not letters <= self.alphabet:
            self.fail(f"a range with {min(letters - self.alphabet)!r}, which is not in the alphabet,", start)
        self.mentioned |= letters
        return letters
