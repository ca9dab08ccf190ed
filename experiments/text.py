"""Text, character by character: a play of Shakespeare's that comes with the project, or any file; and what n-gram models make of it.

The play is *Coriolanus* (1623, in the public domain), with which Karpathy's tiny Shakespeare begins as well: Project Gutenberg's etext 2ws3610 of 1998, as
the Open Knowledge Foundation's Python package ``shakespeare`` 0.6 has it, without Gutenberg's header.
"""

from __future__ import annotations

import lzma
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

import numpy as np

from .tasks import Generator, Task

PLAY = Path(__file__).parent / "data" / "coriolanus.txt.xz"

#: shares of the text for training and for the choice between models; the rest is for the test, as in lizaire26, App. B.3
SHARES = 0.8, 0.1


@dataclass(frozen=True)
class Text:
    """``letters`` in order, and the text as their indices: the parts for training, for choosing, and for the test, one after the other.

    ``name`` tells texts apart: a file's name and eight digits of the text's SHA-256.
    """

    name: str
    letters: str
    training: np.ndarray
    choosing: np.ndarray
    test: np.ndarray

    def task(self) -> Task:
        """Pieces of the training part from random places; the next letter is the target after each."""

        def sample(batch: int, length: int, rng: Generator) -> tuple[np.ndarray, np.ndarray]:
            return following(self.training, rng.integers(len(self.training) - length, size=batch), length)

        return Task(self.name, tuple(self.letters), tuple(self.letters), sample)


def following(text: np.ndarray, starts: np.ndarray, length: int) -> tuple[np.ndarray, np.ndarray]:
    """(letters, the next ones), both (len(starts), length)."""
    pieces = text[starts[:, None] + np.arange(length + 1)]
    return pieces[:, :-1], pieces[:, 1:]


@cache
def text_of(path: Path | None = None, shortest: int = 2000) -> Text:
    """The project's play, or a UTF-8 file, or all of a folder's ``.txt`` files in the order of their names.

    Raises ``ValueError`` where there is none, for what is not UTF-8, and for fewer than ``shortest`` characters.
    """
    text = lzma.decompress(PLAY.read_bytes()).decode("ascii") if path is None else _read(path)
    if len(text) < shortest:
        raise ValueError(f"expected a text of at least {shortest} characters, got {len(text)} in {str(path)!r}")
    letters = "".join(sorted(set(text)))
    index = {x: i for i, x in enumerate(letters)}
    places = [round(share * len(text)) for share in np.cumsum(SHARES)]
    digits = sha256(text.encode()).hexdigest()[:8]
    return Text(f"{'coriolanus' if path is None else path.stem} {digits}", letters, *np.split(np.array([index[x] for x in text]), places))


def _read(path: Path) -> str:
    paths = sorted(path.glob("*.txt")) if path.is_dir() else [path]
    if not paths or not all(p.is_file() for p in paths):
        raise ValueError(f"expected a text, or a folder with .txt files, got {str(path)!r}")
    parts = []
    for p in paths:
        try:
            parts.append(p.read_text(encoding="utf-8"))
        except UnicodeDecodeError as error:
            raise ValueError(f"expected UTF-8 in {str(p)!r}, got something else ({error})") from None
    return "\n".join(parts)


def ngram_bits(counted: np.ndarray, read: np.ndarray, letters: int, order: int, k: float) -> float:
    """Bits per character of ``read``, by (count of the letter after the ``order`` letters before it + k) / (count of these + k letters), from ``counted``.

    The first ``order`` letters of ``read`` are not asked for.
    """

    def grams(text: np.ndarray, n: int) -> np.ndarray:
        return np.sum([text[i : len(text) - n + 1 + i] * letters ** (n - 1 - i) for i in range(n)], axis=0)

    seen, asked = grams(counted, order + 1), grams(read, order + 1)
    after, before = _counts(seen, asked), _counts(seen // letters, asked // letters)
    return float(-np.log2((after + k) / (before + k * letters)).mean())


def _counts(seen: np.ndarray, asked: np.ndarray) -> np.ndarray:
    """How often each of ``asked`` is among ``seen``."""
    known, counts = np.unique(seen, return_counts=True)
    place = np.searchsorted(known, asked).clip(max=len(known) - 1)
    return np.where(known[place] == asked, counts[place], 0)


def best_ngram(text: Text, order: int, ks: tuple[float, ...] = (1.0, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001)) -> tuple[float, float]:
    """(bits per character of the test part, k) of the k that does best on the part for choosing."""
    bits = {k: ngram_bits(text.training, text.choosing, len(text.letters), order, k) for k in ks}
    k = min(bits, key=lambda k: bits[k])
    return ngram_bits(text.training, text.test, len(text.letters), order, k), k
