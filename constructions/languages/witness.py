"""Why a language does not have a property: words that a person can follow through the automaton."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field

from .machine import Word


@dataclass(frozen=True)
class Witness:
    """Named words that show that the property ``refutes`` fails, and in ``numbers`` what is no word, such as a modulus.

    ``says`` has the names in braces, as in "{u}{x}{v} and {u}{x}{x}{v}"; :mod:`.replay` has the code that checks it by the automaton alone.
    """

    refutes: str
    says: str
    words: Mapping[str, Word]
    numbers: Mapping[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        def written(found: re.Match) -> str:
            names = re.findall(r"\w+", found[0])
            if names[0] in self.numbers:
                return str(self.numbers[names[0]])
            return spelt(tuple(x for name in names for x in self.words[name]))

        # words that stand together are one word; an empty one beside a power says nothing
        said = re.sub(r"(?:\{\w+\})+", written, self.says)
        return re.sub(r"(?<=[ij)\d]) ε(?= |$)", "", re.sub(r"ε (?=['(]\S*\^|\('|'\S+'\^)", "", said))

    @property
    def data(self) -> dict[str, object]:
        """As plain data."""
        return {
            "property": self.refutes,
            "says": str(self),
            "words": {name: [str(x) for x in word] for name, word in self.words.items()},
            "numbers": dict(self.numbers),
        }


def spelt(word: Word) -> str:
    """A word in quotation marks, letters apart if some have several characters; ε for the empty word."""
    texts = [text(x) for x in word]
    return "'" + ("" if all(len(t) == 1 for t in texts) else " ").join(texts) + "'" if word else "ε"


def text(letter: Hashable) -> str:
    return str(letter)
