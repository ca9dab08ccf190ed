"""The claims' own data under other draws: each check is run again while the generators of random numbers are replaced."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

#: draws after which a check that waits for something else is given up
MOST_DRAWS = 20_000


class TooManyDrawsError(Exception):
    """The check draws until something holds that never does."""


class Constant(random.Random):
    """Draws always the same: the integer nearest to ``value``, the first of a choice, no shuffling."""

    value = 0

    def __init__(self, seed: Any = None) -> None:
        super().__init__(0)
        self.left = MOST_DRAWS

    def spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise TooManyDrawsError

    def randint(self, a: int, b: int) -> int:
        self.spend()
        return min(max(self.value, a), b)

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        self.spend()
        low, high = (0, start) if stop is None else (start, stop)
        return min(max(self.value, low), high - 1)

    def choice(self, seq: Any) -> Any:
        self.spend()
        return seq[0]

    def choices(self, population: Any, *args: Any, k: int = 1, **others: Any) -> list[Any]:
        self.spend()
        return [population[0]] * k

    def random(self) -> float:
        self.spend()
        return 0.0

    def uniform(self, a: float, b: float) -> float:
        self.spend()
        return a

    def shuffle(self, x: Any) -> None:
        self.spend()

    def sample(self, population: Any, k: int, **others: Any) -> list[Any]:
        self.spend()
        return list(population)[:k]


class Ones(Constant):
    """Draws 1 wherever it can."""

    value = 1


class Shifted(random.Random):
    """The same draws from another seed."""

    def __init__(self, seed: Any = None) -> None:
        super().__init__(seed if seed is None else f"another {seed}")


@contextmanager
def replaced(generator: type[random.Random]) -> Iterator[None]:
    """``random.Random`` of all loaded modules is another class, and NumPy's generators start from other seeds."""
    import sys

    genuine, numpys = random.Random, np.random.default_rng
    places = [m for m in list(sys.modules.values()) if m and (m.__name__ or "").startswith("lemmata.") and vars(m).get("Random") is genuine]
    for m in places:
        m.Random = generator  # type: ignore[attr-defined]
    np.random.default_rng = lambda seed=None: numpys(None if seed is None else [*np.atleast_1d(seed), 7])  # type: ignore[assignment]
    random.Random = generator  # type: ignore[misc]
    try:
        yield
    finally:
        random.Random, np.random.default_rng = genuine, numpys  # type: ignore[misc]
        for m in places:
            m.Random = genuine  # type: ignore[attr-defined]


DRAWS: dict[str, type[random.Random]] = {"seed": Shifted, "zero draws": Constant, "one draws": Ones}


def certificates_of(id: str, effort: str = "standard") -> list[dict[str, Any]]:
    """The certificates that the claim's check records, as JSON holds them; those recorded before the check failed, if it fails."""
    from lemmata.theorems import claims
    from lemmata.theorems.evidence import Proof

    (c,) = claims([id])
    proof = Proof(effort, claim=id)
    try:
        c.check(proof)
    except Exception:
        if effort == "standard" and random.Random not in DRAWS.values():
            raise
    return json.loads(json.dumps([{"kind": k.kind, "title": k.title, "data": k.data} for k in proof.certificates]))
