"""The claims: statement, source, check, verdict, evidence; and the independent re-checker (``recheck``).

``verify`` runs checks and returns records; ``claims`` lists the registered claims; ``decide`` gives the evidence of one; ``entries``
reads the ledger of what each claim says and came to, without importing any mathematics. Topics are imported when they are needed.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .ledger import TOPICS, Entry, entries

if TYPE_CHECKING:
    from .claim import Claim, claims, decide
    from .evidence import Proof
    from .records import Record, to_json, verify

__all__ = ["TOPICS", "Claim", "Entry", "Proof", "Record", "claims", "decide", "entries", "to_json", "verify"]

_HOME = dict.fromkeys(("Claim", "claims", "decide"), "claim") | {"Proof": "evidence"}
_HOME |= dict.fromkeys(("Record", "to_json", "verify"), "records")


def __getattr__(name: str) -> Any:
    if name in TOPICS:
        return import_module(f".{name}", __name__)
    if name in _HOME:
        return getattr(import_module(f".{_HOME[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
