"""The parts of a claim: its check and each of its ties. One that fails takes the verdict away, so each can be asked alone, up to its first failure."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple


class Part(NamedTuple):
    """A claim and what of it is asked: "check", "tie 0", "tie 1", ..., or "whole" where the verdict is OPEN, which a failure does not take away."""

    claim: str
    name: str

    def __str__(self) -> str:
        return f"{self.claim}: {self.name}"


def part(text: str) -> Part:
    """The part that is written "grazzi25.thm3: tie 0"."""
    return Part(*text.split(": "))


def parts(id: str) -> list[Part]:
    """All parts of a claim."""
    from lemmata.theorems.claim import _TIES
    from lemmata.theorems.ledger import ledger

    if ledger()[id].verdict == "OPEN":
        return [Part(id, "whole")]
    return [Part(id, "check"), *(Part(id, f"tie {k}") for k in range(len(_TIES.get(id, ()))))]


def stands(asked: Part, effort: str) -> bool:
    """Whether a part comes out as it should. An error is a failure, except that of memory: it says as little as a check that does not end."""
    from lemmata.theorems.claim import evidence_for
    from lemmata.theorems.records import record

    c = _claim(asked.claim)
    if asked.name == "whole":
        return record(c, effort).as_expected
    proof = evidence_for(c, effort, stops=True)
    try:
        _functions(asked)[0](proof)
    except MemoryError:
        raise
    except Exception:
        return False
    if asked.name != "check":
        return not proof.steps and bool(proof.compared or proof.not_compared) and all(s.held for s in proof.compared)
    return _as_pinned(proof, effort)


def _as_pinned(proof: Any, effort: str) -> bool:
    from lemmata.theorems.ledger import ledger

    pinned = ledger()[proof.claim]
    same = (proof.verdict, proof.how) == (pinned.verdict, pinned.how)
    asked = {one["theorem"]: one["differs"] for one in proof.formal} == pinned.theorems
    return same and asked and (effort != "standard" or proof.scope == pinned.scope)


@cache
def _by_id() -> dict[str, Any]:
    from lemmata.theorems import claims

    return {c.id: c for c in claims()}


def _claim(id: str) -> Any:
    return _by_id()[id]


def _functions(asked: Part) -> list[Callable[..., None]]:
    """What a part runs: the check, or one tie, or all of them."""
    from lemmata.theorems.claim import _TIES

    check, ties = _claim(asked.claim).check, _TIES.get(asked.claim, [])
    if asked.name == "whole":
        return [check, *ties]
    return [check] if asked.name == "check" else [ties[int(asked.name.split()[1])]]


@cache
def spoken(asked: Part) -> frozenset[str]:
    """The names that a part and its helpers in the same module call by name: what it speaks of."""
    waiting, seen, names = [inspect.unwrap(f) for f in _functions(asked)], set(), set()
    while waiting:
        f: Any = waiting.pop()
        if f in seen:
            continue
        seen.add(f)
        here = {name for code in _codes(f.__code__) for name in code.co_names}
        given = [x for x in (*(f.__defaults__ or ()), *(f.__kwdefaults__ or {}).values()) if isinstance(x, types.FunctionType)]
        names |= here | {x.__name__ for x in given}
        known = [f.__globals__.get(name) for name in sorted(here)]
        waiting += [g for g in (*known, *given) if isinstance(g, types.FunctionType) and g.__module__ == f.__module__]
    return frozenset(names)


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for x in code.co_consts:
        if isinstance(x, types.CodeType):
            yield from _codes(x)
