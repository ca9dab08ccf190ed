"""Certificates: exact evidence as JSON files, one per claim, for ``lemmata recheck``. The format is docs/certificates.md."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

from .records import Record

FORMAT, VERSION = "lemmata-certificates", 1


def digest(document: dict[str, Any]) -> str:
    """SHA-256 of the document without its digest, as canonical JSON (sorted keys, no spaces, ASCII)."""
    body = {k: v for k, v in document.items() if k != "sha256"}
    return hashlib.sha256(json.dumps(body, sort_keys=True, separators=(",", ":")).encode("ascii")).hexdigest()


def write_certificates(record: Record, directory: Path) -> Path | None:
    """Write ``directory/<claim id>.json`` whole or not at all; None if the claim has nothing exact to store."""
    if not record.certificates:
        return None
    document: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "claim": record.id,
        "title": record.title,
        "verdict": record.verdict,
        "certificates": [{"kind": c.kind, "title": c.title, "data": c.data} for c in record.certificates],
    }
    document["sha256"] = digest(document)
    target = directory / f"{record.id}.json"
    write_whole(target, json.dumps(document, indent=1, ensure_ascii=False) + "\n")
    return target


def write_whole(target: Path, text: str) -> None:
    """Write a file so that it appears whole or not at all; its folder is made if need be."""
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".unfinished-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        # a temporary file is private; the one that stays is as readable as any other
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise
