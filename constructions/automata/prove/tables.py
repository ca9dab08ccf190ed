"""A proved stack as tables: the states and letters that its proof lists, by number. No arithmetic is left, so it is exact and fast."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

from .closure import LayerClosure


class Tables:
    """The layers of a proof in series; what the last one hands on is the output.

    ``layers[k][i][y]`` is (state after, letter of the next layer or output) for letter y in state i of layer k.
    """

    def __init__(self, proof: Sequence[LayerClosure]):
        self.letters = {arrow.read: y for y, arrow in enumerate(proof[0].arrows)}
        above = [{arrow.read: y for y, arrow in enumerate(closure.arrows)} for closure in proof[1:]]
        self.layers = [_rows(closure, number) for closure, number in zip(proof, [*above, None], strict=True)]

    def run(self, word: Iterable[Hashable]) -> list[int]:
        """The outputs after every letter. Raises ``ValueError`` for a letter outside the alphabet.

        A letter that is met again in the same states of all layers is looked up whole.
        """
        met: list[tuple[int, ...]] = [(0,) * len(self.layers)]
        number, known, at, outputs = {met[0]: 0}, {}, 0, []
        for x in word:
            if (at, x) not in known:
                if x not in self.letters:
                    raise ValueError(f"expected a letter among {list(self.letters)}, got {x!r}")
                y, after = self.letters[x], []
                for rows, i in zip(self.layers, met[at], strict=True):
                    j, y = rows[i][y]
                    after.append(j)
                j = number.setdefault(tuple(after), len(met))
                if j == len(met):
                    met.append(tuple(after))
                known[at, x] = j, y
            at, y = known[at, x]
            outputs.append(y)
        return outputs


def _rows(closure: LayerClosure, number: dict[Any, int] | None) -> list[dict[int, tuple[int, int]]]:
    rows: list[dict[int, tuple[int, int]]] = [{} for _ in closure.states]
    for p, i in closure.place:
        for y in closure.leaving[p]:
            j = closure.move[i, closure.map_of[y]]
            handed = closure.decoder[j, y]
            rows[i][y] = j, handed if number is None else number[handed]
    return rows
