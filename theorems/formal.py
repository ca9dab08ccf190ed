"""Theorems that the kernel of Rocq has checked, as ``formal/record.json`` lists them (``make formal`` writes it); nothing here needs Rocq."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

ROOM = Path(__file__).resolve().parent.parent / "formal"


@cache
def record() -> dict[str, Any]:
    """What ``make formal`` wrote: version, hashes of the sources, theorems; empty without a record."""
    path = ROOM / "record.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"sources": {}, "theorems": {}}


def theorem(name: str) -> dict[str, Any]:
    """Statement, axioms, file and line of "module.theorem".

    Raises ``LookupError`` saying why there is no proof to rely on: no such theorem, its negation is what the kernel proved, axioms, or a
    source that was changed since.
    """
    found = record()["theorems"].get(name)
    module, _, short = name.partition(".")
    if found is None and f"{module}.not_{short}" in record()["theorems"]:
        raise LookupError(f"the kernel has proved the negation of {name}")
    if found is None:
        raise LookupError(f"the kernel has no proof of {name}: see make formal")
    if found["axioms"]:
        raise LookupError(f"{name} rests on axioms: {', '.join(found['axioms'])}")
    if _digest(ROOM / f"{module}.v") != record()["sources"].get(f"{module}.v"):
        raise LookupError(f"formal/{module}.v was changed since make formal wrote its record")
    return found


@cache
def _digest(path: Path) -> str | None:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else None
