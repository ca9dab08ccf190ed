"""Certificates: exact evidence as JSON files, one per claim, for ``lemmata recheck``. The format is docs/reference/certificates.md."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .claim import claims
from .files import write_whole
from .ledger import STATED
from .ledger import digest as digest_of
from .records import Record

FORMAT, VERSION = "lemmata-certificates", 2


def digest(document: dict[str, Any]) -> str:
    """SHA-256 of the document without its digest, as canonical JSON (sorted keys, no spaces, ASCII)."""
    body = {k: v for k, v in document.items() if k != "sha256"}
    return digest_of(body)


def document(record: Record) -> dict[str, Any]:
    """The certificates of a claim, with what the ledger says of it: the checker compares both."""
    (c,) = claims([record.id])
    facts = {
        "format": FORMAT,
        "version": VERSION,
        "claim": record.id,
        **{name: getattr(c, name) for name in STATED},
        "verdict": record.verdict,
        "how": record.how,
        "scope": record.scope,
        "certificates": [{"kind": k.kind, "title": k.title, "data": k.data} for k in record.certificates],
    }
    return facts | {"sha256": digest(facts)}


def write_certificates(record: Record, directory: Path) -> Path | None:
    """Write ``directory/<claim id>.json`` whole or not at all; None if the claim has nothing exact to store."""
    if not record.certificates:
        return None
    target = directory / f"{record.id}.json"
    write_whole(target, json.dumps(document(record), indent=1, ensure_ascii=False) + "\n")
    return target
