"""Words and signatures, row by row: up to 13 letters, iterated sums by definition."""

from __future__ import annotations

from itertools import product
from math import factorial
from random import Random

from flint import fmpq

from ....constructions import signature
from ...claim import tie
from ...evidence import Proof
from . import POSITIVE, hold, matrix


@tie("movahedi25.eq13")
def signatures_of_lines(proof: Proof) -> None:
    """All words in order; the signature of a line, and of two lines by Chen's identity; pairs of words up to renaming."""
    rng = Random(371)
    hold(
        proof,
        "up to 13 letters, lengths 0 to 12",
        signature.words,
        lambda n, k: [w for m in range(k + 1) for w in product(range(1, n + 1), repeat=m)],
        [(1, 12), (2, 7), (3, 4), (13, 2), (12, 1), (5, 0)],
    )
    for letters in proof.tied("1 to 13 letters, words of up to 3", POSITIVE):
        depth = 3 if letters < 6 else 2
        steps = matrix(rng, 2, letters)

        def of_line(word: tuple[int, ...], step: int, steps=steps) -> fmpq:
            out = fmpq(1, factorial(len(word)))
            for x in word:
                out = out * steps[step, x - 1]
            return out

        found = signature.signature(steps, depth)
        wanted = {
            word: sum((of_line(word[:k], 0) * of_line(word[k:], 1) for k in range(len(word) + 1)), fmpq(0))
            for n in range(depth + 1)
            for word in product(range(1, letters + 1), repeat=n)
        }
        proof.exactly("signature", found, wanted)
    for length in proof.tied("words of up to 6 letters, up to renaming", range(7)):
        first = [w for w in product(range(1, length + 1), repeat=length) if all(x <= 1 + max(w[:i], default=0) for i, x in enumerate(w))]
        proof.exactly("_first_use", sorted(signature._first_use(length)), sorted(first))
