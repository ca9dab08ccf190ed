"""Files of certificates: their format, and how a file is bound to its claim."""

import gc
import hashlib
import json
import sys
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from .exact import MOST_DIGITS, Rejected, require
from .kinds.bistable import check_bistable
from .kinds.network import check_network
from .registry import check_certificates

#: what the ledger says of each claim; lies beside this folder
LEDGER = Path(__file__).resolve().parent.parent / "ledger"

#: fields of a file of certificates that must be the ledger's
BOUND = ("title", "says", "kind", "flaw", "verdict", "how", "scope")

#: format of a compiled network -> the rule that checks it
NETWORKS = {"lemmata-network": check_network, "lemmata-bistable": check_bistable}

#: bytes of a file
LARGEST_FILE = 32 * 2**20

#: values of a file, counted as commas and opening brackets, before it is read as JSON
MOST_VALUES = 3_000_000


@cache
def ledger():
    """Claim -> what the ledger says of it."""
    entries = {}
    for path in sorted(LEDGER.glob("*.json")):
        entries |= json.loads(path.read_text(encoding="utf-8"))
    require(entries, f"expected the ledger (*.json) in {str(LEDGER)!r}, found none")
    return entries


def unique(pairs):
    """A JSON object without duplicate keys."""
    table = dict(pairs)
    require(len(table) == len(pairs), "has an object with a key twice")
    return table


def read(path):
    """The JSON document of a regular file of moderate size."""
    path = Path(path)
    try:
        require(path.is_file(), "is no regular file")
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise Rejected(f"cannot be read: {error.strerror}") from None
    require(len(data) <= LARGEST_FILE, f"has more than {LARGEST_FILE} bytes")
    require(
        sum(data.count(x) for x in (b",", b"[", b"{")) <= MOST_VALUES, f"has more than {MOST_VALUES} values (commas and opening brackets)"
    )
    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=unique, parse_int=whole, parse_float=refuse, parse_constant=refuse)
    except RecursionError:
        raise Rejected("is nested too deeply") from None
    except ValueError:
        raise Rejected("is not JSON in UTF-8") from None


def whole(text):
    """An integer; Python would read the digits of a long one for hours."""
    require(len(text) <= MOST_DIGITS, f"holds a number of more than {MOST_DIGITS} digits")
    require(text != "-0", "holds -0")
    return int(text)


def refuse(text):
    raise Rejected(f"holds {text[:40]}: floats are refused")


def check_file(path):
    """(claim id, number of certificates) of a file all of whose certificates hold and show what the ledger says; Rejected otherwise."""
    with without_collections():
        return check_document(read(path))


@contextmanager
def without_collections():
    """Python's collector of cyclic garbage goes through millions of lists again and again; there are no cycles here."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def check_document(document):
    """:func:`check_file` of what a file holds."""
    require(isinstance(document, dict), "is no JSON object")
    try:
        if document.get("format") in NETWORKS:
            NETWORKS[document["format"]](document)
            return f"a network for {len(document['automaton']['states'])} states", 1
        require(document["format"] == "lemmata-certificates" and document["version"] == 2, "is of another format or version")
        body = {k: v for k, v in document.items() if k != "sha256"}
        digest = hashlib.sha256(json.dumps(body, sort_keys=True, separators=(",", ":")).encode("ascii")).hexdigest()
        require(digest == document["sha256"], "does not match its digest: it was changed or damaged")
        claim, certificates = document["claim"], document["certificates"]
        check_binding(claim, document)
        check_certificates(claim, certificates)
        return claim, len(certificates)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, ZeroDivisionError, OverflowError, RecursionError) as error:
        raise Rejected(f"is malformed: {type(error).__name__}: {error!s:.200}") from None


def check_binding(claim, document):
    """The file says of its claim what the ledger says, and holds as many certificates of each kind, in this order."""
    require(isinstance(claim, str) and claim in ledger(), f"is about {claim!r}, which the ledger does not know")
    entry = ledger()[claim]
    for name in BOUND:
        require(document.get(name) == entry.get(name), f"says another {name} of {claim} than the ledger")
    kinds = [c["kind"] for c in document["certificates"]]
    require(
        kinds and kinds == entry.get("certificates"),
        f"holds {len(kinds)} certificates, the ledger {len(entry.get('certificates', []))} of {claim}",
    )


def files_of(directory):
    """The certificate files of a directory, sorted, or the one file given; Rejected if there is none."""
    directory = Path(directory)
    if directory.is_file():
        return [directory]
    require(directory.is_dir(), f"expected a file or a directory of certificates, got {str(directory)!r}")
    files = sorted(directory.glob("*.json"))
    require(files, f"expected certificates (*.json) in {str(directory)!r}, found none")
    return files


def missing(claims):
    """The claims of the ledger that have certificates and are not among ``claims``."""
    return [id for id, entry in ledger().items() if entry.get("certificates") and id not in claims]


def main(arguments):
    """Check a file or directory; print a line for each file; with --all, every claim that has certificates must be there. 0 if all hold, 2 otherwise."""
    everything = "--all" in arguments
    paths = [x for x in arguments if x != "--all"]
    try:
        (directory,) = paths
        files = files_of(directory)
    except (ValueError, Rejected) as error:
        print(f"recheck: {error}" if isinstance(error, Rejected) else "usage: python recheck PATH [--all]", file=sys.stderr)
        return 2
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
