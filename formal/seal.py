"""What the kernel's proofs rest on, as data. Nothing here needs Rocq, and nothing a package.

``record.json`` and ``closed.json`` are written by ``make formal``, ``coqchk.json`` by ``make coqchk``, ``pins.json`` by ``lemmata pin``. The
record holds the versions, the digest of every proof's source, and each theorem. ``coqchk.json`` holds what Rocq's second checker accepted: the
versions, and for each file a digest of it with all that it imports. ``closed.json`` maps each theorem, and each definition that a statement
unfolds to, to its text without notations and to the names that this text uses. The pins hold the versions, a digest of each statement with all
that it unfolds to, and a digest of each file of OCaml around the verified checker: nothing is proved of these, so a person has looked at them.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent

#: whose versions are recorded and pinned
SYSTEMS = ("coq", "mathcomp", "flocq")

#: the theorems that say what a yes of the verified checker means
SOUNDNESS = (
    "checker_field.checked_networks_are_right",
    "checker_steps.checked_maps_are_affine",
    "checker_steps.checked_steps_are_the_map",
    "checker_steps.checked_steps_are_gh",
    "checker_real.checked_entries_are_real",
    "stored_sound.stored_networks_are_right",
    "stored_sound.stored_numbers_are_exact",
    "float.unrounded_networks_are_exact",
    "float_orders.networks_are_right_in_any_order",
    "float_orders.chunked_words_are_exact",
)

#: what the verified checker is extracted from
EXTRACTED = ("checker.v", "orders.v")


@cache
def record() -> dict[str, Any]:
    """Versions, digests of the sources, theorems; empty without a record."""
    return _read("record.json", {"coq": "", "mathcomp": "", "flocq": "", "sources": {}, "theorems": {}})


@cache
def clauses() -> dict[str, list[tuple[str, str]]]:
    """For each claim that the kernel has whole: the clauses of its words, each with the part of a statement that says it."""
    table = tomllib.loads((FOLDER / "clauses.toml").read_text(encoding="utf-8"))
    return {id: [(words, part) for words, part in pairs] for id, pairs in table.items()}


@cache
def closed() -> dict[str, Any]:
    """The text of each theorem's statement and of each definition, and what it uses."""
    return _read("closed.json", {})


@cache
def coqchk() -> dict[str, Any]:
    """What Rocq's second checker accepted: versions, and for each file the digest of it with all that it imports."""
    return _read("coqchk.json", {"coq": "", "mathcomp": "", "flocq": "", "accepted": {}})


@cache
def pins() -> dict[str, Any]:
    """What a person has looked at and pinned: versions, the program around the verified checker, statements, definitions."""
    return _read("pins.json", {"coq": "", "mathcomp": "", "flocq": "", "program": {}, "theorems": {}, "definitions": {}})


def forget() -> None:
    """Forget what was read, since the files have changed."""
    for reader in (record, closed, coqchk, pins, instances, digest, imports, closure):
        reader.cache_clear()


def files() -> list[str]:
    """The sources in the order in which they compile."""
    return [line for line in (FOLDER / "_CoqProject").read_text(encoding="utf-8").split() if line.endswith(".v")]


def program() -> list[str]:
    """The files of ``verified`` that the verified checker is built from."""
    return sorted(f"verified/{path.name}" for pattern in ("*.v", "*.ml") for path in (FOLDER / "verified").glob(pattern))


def program_sources() -> list[str]:
    """What the verified checker is built from: ``checker.v`` and ``orders.v`` with their imports, and the files of ``verified``."""
    return [*dict.fromkeys(source for name in EXTRACTED for source in sources_of(name)), *program()]


def require_sound() -> None:
    """Raise ``LookupError`` saying why, unless each source of the verified checker is recorded or pinned, and each theorem about it stands."""
    for name in program_sources():
        known = pins()["program"] if name in program() else record()["sources"]
        if digest(name) is None or digest(name) != known.get(name):
            raise LookupError(f"formal/{name} is not what {'is pinned: see lemmata pin' if name in program() else 'make formal recorded'}")
    for name in SOUNDNESS:
        require_proof(name)


@cache
def instances() -> dict[str, list[str]]:
    """For each theorem that ``reals.v`` instantiates: the theorems there that say it of the real, complex or algebraic numbers."""
    path, found = FOLDER / "reals.v", {}
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    for name, proof in re.findall(r"^Theorem (\w+).*?^Proof\.(.*?)Qed\.", text, re.DOTALL | re.MULTILINE):
        general = re.search(r"\b[a-z]\w*\.\w+", proof)
        found.setdefault(general[0] if general else "", []).append(f"reals.{name}")
    return found


@cache
def digest(name: str) -> str | None:
    """SHA-256 of a file in this folder; None if it is not there."""
    path = FOLDER / name
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None


@cache
def imports(name: str) -> tuple[str, ...]:
    """The files that a source imports, in the order of the source."""
    path = FOLDER / name
    text = _without_comments(path.read_text(encoding="utf-8")) if path.is_file() else ""
    listed = re.findall(r"\bFrom\s+lemmata\s+Require\s+(?:Import\s+|Export\s+)?(.*?)\.(?=\s)", text, re.DOTALL)
    return tuple(f"{module}.v" for names in listed for module in names.split())


def sources_of(name: str) -> list[str]:
    """A source and all that it imports, directly or not, the nearest first."""
    found = [name]
    for one in found:
        found += [other for other in imports(one) if other not in found]
    return found


@cache
def closure(name: str) -> str:
    """SHA-256 of a source and of all that it imports."""
    whole = {source: digest(source) for source in sources_of(name)}
    return hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()


def unfolded(name: str) -> list[str]:
    """The definitions that a statement unfolds to, down to the library's names, in order."""
    found = list(closed()[name]["uses"])
    for one in found:
        found += [other for other in closed()[one]["uses"] if other not in found]
    return sorted(found)


def seal(name: str) -> str:
    """SHA-256 of a statement closed under the definitions that it unfolds to."""
    table = closed()
    whole = [table[name]["text"], {one: table[one]["text"] for one in unfolded(name)}]
    return hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()


def text_digest(name: str) -> str:
    """SHA-256 of one definition's text."""
    return hashlib.sha256(closed()[name]["text"].encode()).hexdigest()


def allowed_axioms() -> dict[str, set[str]]:
    """The axioms that a file may use, as ``axioms.json`` names them; a file that is not listed may use none."""
    return {name: set(axioms) for name, axioms in _read("axioms.json", {}).items()}


def forbidden(name: str, axioms: list[str]) -> list[str]:
    """Those of a theorem's axioms that its file may not use; the exact checker's files may use none."""
    file = f"{name.partition('.')[0]}.v"
    granted = set() if file.startswith("checker") else allowed_axioms().get(file, set())
    return [axiom for axiom in axioms if axiom not in granted]


def axioms_of(names: Iterable[str]) -> list[str]:
    """The axioms that recorded theorems rest on, by their short names, in order."""
    theorems = record()["theorems"]
    return sorted({axiom.rpartition(".")[2] for name in names if name in theorems for axiom in theorems[name]["axioms"]})


def require_proof(name: str) -> dict[str, Any]:
    """What the record holds of a theorem, whose file ``coqchk`` has accepted as it is.

    Raises ``LookupError`` saying which file, definition, statement or version differs from what was proved, checked again and pinned.
    """
    found = require_recorded(name)
    require_checked_again(f"{name.partition('.')[0]}.v")
    return found


def require_checked_again(file: str) -> None:
    """Raise ``LookupError`` unless ``coqchk`` accepted the file, with these imports and under the recorded versions."""
    if not _is_checked_again(file):
        raise LookupError(f"coqchk has not accepted formal/{file} as it is now: see make coqchk")


def not_checked_again() -> list[str]:
    """The files that ``coqchk`` has not accepted as they are now."""
    return [name for name in files() if not _is_checked_again(name)]


def _is_checked_again(file: str) -> bool:
    same = all(coqchk()[system] == record()[system] for system in SYSTEMS)
    return same and coqchk()["accepted"].get(file) == closure(file)


def require_recorded(name: str) -> dict[str, Any]:
    """What ``make formal`` recorded of a theorem.

    Raises ``LookupError`` saying which file, definition, statement or version differs from what was proved and pinned.
    """
    found, pinned = record()["theorems"].get(name), pins()["theorems"].get(name)
    module, _, short = name.partition(".")
    if found is None and f"{module}.not_{short}" in record()["theorems"]:
        raise LookupError(f"the kernel has proved the negation of {name}")
    if found is None:
        raise LookupError(f"the kernel has no proof of {name}: see make formal")
    for system in SYSTEMS:
        if record()[system] != pins()[system]:
            raise LookupError(f"the record names {system} {record()[system]}, and {system} {pins()[system]} is pinned: see lemmata pin")
    if forbidden(name, found["axioms"]):
        raise LookupError(f"{name} rests on axioms: {', '.join(forbidden(name, found['axioms']))}")
    for source in sources_of(f"{module}.v"):
        if digest(source) is None or digest(source) != record()["sources"].get(source):
            raise LookupError(f"formal/{source}, on which {name} rests, was changed since make formal wrote its record")
    if pinned is None:
        raise LookupError(f"the statement of {name} is not pinned: see lemmata pin")
    _require_pinned(name, found, pinned)
    return found


def _require_pinned(name: str, found: dict[str, Any], pinned: dict[str, str]) -> None:
    """The statement, and all that it unfolds to, are what was pinned."""
    if found["statement"] != pinned["statement"]:
        raise LookupError(f"the record's statement of {name} is not the pinned one: see lemmata pin")
    try:
        same, used = seal(name) == pinned["seal"], unfolded(name)
    except KeyError as missing:
        raise LookupError(f"closed.json lacks {missing.args[0]}, to which the statement of {name} unfolds: see make formal") from None
    if not same:
        changed = [one for one in used if text_digest(one) != pins()["definitions"].get(one)]
        what = f"the definition of {changed[0]}" if changed else "its text without notations"
        raise LookupError(f"the statement of {name} is not the pinned one, {what} differs: see lemmata pin")


def pinned_now(names: list[str]) -> dict[str, Any]:
    """The pins of these theorems, from what the record says now."""
    used = sorted({one for name in names for one in unfolded(name)})
    return {
        **{system: record()[system] for system in SYSTEMS},
        "program": {name: digest(name) for name in program()},
        "theorems": {name: {"statement": record()["theorems"][name]["statement"], "seal": seal(name)} for name in sorted(names)},
        "definitions": {one: text_digest(one) for one in used},
    }


def _read(name: str, empty: dict[str, Any]) -> dict[str, Any]:
    path = FOLDER / name
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else empty


def _without_comments(text: str) -> str:
    """A Rocq source without its comments, which nest."""
    out, depth = [], 0
    for part in re.split(r"(\(\*|\*\))", text):
        if part == "(*":
            depth += 1
        elif part == "*)" and depth:
            depth -= 1
        elif not depth:
            out.append(part)
    return "".join(out)
