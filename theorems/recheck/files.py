"""Files of certificates: their format, and how a file is bound to its claim."""

from __future__ import annotations

import gc
import hashlib
import json
import sys
from collections.abc import Container, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from .kinds.bistable import check_bistable
from .kinds.network import check_network
from .limits import Rejected, bound, factor_of, metered, raised, require, within
from .registry import check_certificates

#: what is pinned of each claim; lies beside this folder
PINS = Path(__file__).resolve().parent.parent / "pins"

#: fields of a file of certificates that must be the pinned ones
BOUND = ("verdict", "how", "scope")

#: fields whose digest must be the pinned one
STATED = ("title", "says", "kind", "flaw")

#: what a rule or a demand may raise where the data are malformed
MALFORMED = (KeyError, TypeError, ValueError, IndexError, AttributeError, ZeroDivisionError, OverflowError, RecursionError)

#: format of a compiled network -> the rule that checks it
NETWORKS = {"lemmata-network": check_network, "lemmata-bistable": check_bistable}


@cache
def ledger() -> dict[str, dict[str, Any]]:
    """Claim -> what is pinned of it: verdict, how, scope, the digest of its statement, and the kind of each certificate."""
    entries = {}
    for path in sorted(PINS.glob("*.json")):
        entries |= json.loads(path.read_text(encoding="utf-8"))
    require(entries, f"expected the pins (*.json) in {str(PINS)!r}, found none")
    return {
        id: pin | {"certificates": [k for k, times in pin.get("certificates", []) for _ in range(times)]} for id, pin in entries.items()
    }


def digest_of(body: Any) -> str:
    """SHA-256 of plain data as canonical JSON."""
    return hashlib.sha256(json.dumps(body, sort_keys=True, separators=(",", ":")).encode("ascii")).hexdigest()


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object without duplicate keys."""
    table = dict(pairs)
    require(len(table) == len(pairs), "has an object with a key twice")
    return table


def read(path: Path | str) -> bytes:
    """What is in a regular file, or as much of it as shows that it is too large."""
    path = Path(path)
    try:
        require(path.is_file(), "is no regular file")
        with path.open("rb") as file:
            return file.read(min(bound("bytes"), path.stat().st_size) + 1)
    except OSError as error:
        raise Rejected(f"cannot be read: {error.strerror}") from None


def parsed(data: bytes) -> Any:
    """The JSON document in bytes. Networks may be larger than certificates, which may hold anything."""
    values = sum(data.count(x) for x in (b",", b"[", b"{"))
    within("bytes", len(data), "the file")
    within("values", values, "the file")
    try:
        document = json.loads(data.decode("utf-8"), object_pairs_hook=unique, parse_int=whole, parse_float=refuse, parse_constant=refuse)
    except RecursionError:
        raise Rejected("is nested too deeply") from None
    except ValueError:
        raise Rejected("is not JSON in UTF-8") from None
    if isinstance(document, dict) and not is_network(document):
        within("claim bytes", len(data), "the file")
        within("claim values", values, "the file")
        within("depth", depth(document), "the file")
    return document


def is_network(document: dict[str, Any]) -> bool:
    return isinstance(document.get("format"), str) and document["format"] in NETWORKS


def depth(document: Any) -> int:
    """How many lists and objects are inside one another."""
    found, level = 0, [document]
    while level := [x for x in level if isinstance(x, list | dict)]:
        found += 1
        level = [child for x in level for child in (x.values() if isinstance(x, dict) else x)]
    return found


def whole(text: str) -> int:
    """An integer; Python would read the digits of a long one for hours."""
    within("digits", len(text.removeprefix("-")), "a number")
    require(text != "-0", "holds -0")
    return int(text)


def refuse(text: str) -> NoReturn:
    raise Rejected(f"holds {text[:40]}: floats are refused")


def check_file(path: Path | str) -> tuple[str, int]:
    """(claim id, number of certificates) of a file all of whose certificates hold and show what the ledger says; Rejected otherwise."""
    return check_bytes(read(path))


def check_bytes(data: bytes) -> tuple[str, int]:
    """:func:`check_file` of what a file holds."""
    with without_collections():
        return check_document(parsed(data))


@contextmanager
def without_collections() -> Iterator[None]:
    """Python's collector of cyclic garbage goes through millions of lists again and again; there are no cycles here."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def check_document(document: Any) -> tuple[str, int]:
    """:func:`check_file` of a file's JSON document."""
    require(isinstance(document, dict), "is no JSON object")
    try:
        with metered():
            return checked(document)
    except MALFORMED as error:
        raise Rejected(f"is malformed: {type(error).__name__}: {error!s:.200}") from None


def checked(document: dict[str, Any]) -> tuple[str, int]:
    """:func:`check_document`, where what is malformed may raise anything."""
    if is_network(document):
        NETWORKS[document["format"]](document)
        return f"a network for {len(document['automaton']['states'])} states", 1
    require(document["format"] == "lemmata-certificates" and document["version"] == 2, "is of another format or version")
    body = {k: v for k, v in document.items() if k != "sha256"}
    require(digest_of(body) == document["sha256"], "does not match its digest: it was changed or damaged")
    claim, certificates = document["claim"], document["certificates"]
    check_binding(claim, document)
    check_certificates(claim, certificates)
    return claim, len(certificates)


def check_binding(claim: Any, document: dict[str, Any]) -> None:
    """The file says of its claim what is pinned, and holds as many certificates of each kind, in this order."""
    require(isinstance(claim, str) and claim in ledger(), f"is about {claim!r}, which the ledger does not know")
    entry = ledger()[claim]
    for name in BOUND:
        require(document.get(name) == entry[name], f"says another {name} of {claim} than the ledger")
    stated = {name: document.get(name) for name in STATED}
    require(
        digest_of(stated) == entry["statement_digest"], f"says another {', '.join(STATED[:-1])} or {STATED[-1]} of {claim} than the ledger"
    )
    kinds = [c["kind"] for c in document["certificates"]]
    require(
        kinds and kinds == entry["certificates"],
        f"holds {len(kinds)} certificates, the ledger {len(entry['certificates'])} of {claim}",
    )


def files_of(directory: Path | str) -> list[Path]:
    """The certificate files of a directory, sorted, or the one file given; Rejected if there is none."""
    require(str(directory), "expected a file or a directory of certificates, got an empty path")
    directory = Path(directory)
    if directory.is_file():
        return [directory]
    require(directory.is_dir(), f"expected a file or a directory of certificates, got {str(directory)!r}")
    files = sorted(directory.glob("*.json"))
    require(files, f"expected certificates (*.json) in {str(directory)!r}, found none")
    return files


def missing(claims: Container[str]) -> list[str]:
    """The claims of the ledger that have certificates and are not among ``claims``."""
    return [id for id, entry in ledger().items() if entry["certificates"] and id not in claims]


USAGE = "usage: python recheck PATH [--all] [--limits TIMES]"


def main(arguments: Iterable[str]) -> int:
    """Check a file or directory; print a line for each file; with --all, every claim that has certificates must be there. 0 if all hold, 2 otherwise.

    ``--limits 4`` allows four times of what :mod:`limits` bounds.
    """
    arguments = list(arguments)
    try:
        factor = 1
        if "--limits" in arguments:
            at = arguments.index("--limits")
            (_, given), arguments[at : at + 2] = arguments[at : at + 2], []
            factor = factor_of(given)
        everything = "--all" in arguments
        (directory,) = (x for x in arguments if x != "--all")
        files = files_of(directory)
    except (ValueError, Rejected) as error:
        print(f"recheck: {error}" if isinstance(error, Rejected) else USAGE, file=sys.stderr)
        return 2
    with raised(factor):
        return check_all(files, everything)


def check_all(files: Iterable[Path], everything: bool) -> int:
    """:func:`main` for the files found."""
    bad, seen = 0, set()
    for path in files:
        try:
            claim, count = check_file(path)
            seen.add(claim)
            print(f"{claim}: {count} certificates hold" if count > 1 else f"{claim}: 1 certificate holds")
        except Rejected as why:
            bad += 1
            print(f"{path.name} {why}", file=sys.stderr)
    absent = missing(seen) if everything else []
    for claim in absent:
        print(f"{claim}: no certificates here, but the ledger has some", file=sys.stderr)
    return 2 if bad or absent else 0
