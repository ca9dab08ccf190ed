"""``make formal``: compile the proofs, record what they prove, and compare it with what is pinned.

``record.json`` holds the versions, the digest of each source, and for each theorem its statement, the axioms it rests on, file and line.
``closed.json`` holds the same statements without notations, with every definition that they unfold to. Both are compared with ``pins.json``.
What was compiled is kept in ``build/formal``; ``make coqchk`` reads it again with Rocq's second checker.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from . import seal
from .answers import ask_all
from .compiled import compile_all
from .toolchain import Refused, versions


def main() -> int:
    """Compile, record and compare; 0 if all went well, 2 with a line on standard error for each fault otherwise.

    With ``--installed`` only say which Coq and Mathematical Components are there.

    The record is written last, whole or not at all. It is written, too, where it differs from the pins, so that the difference can be read.
    """
    parser = options("compile the proofs, record what they prove, compare it with the pins")
    parser.add_argument("--installed", action="store_true", help="only say which versions are there")
    given = parser.parse_args()
    try:
        found = versions()
        if given.installed:
            print(f"Coq {found['coq']}, Mathematical Components {found['mathcomp']}, Flocq {found['flocq']}")
            return 0
        files = seal.files()
        answers = ask_all(found, compile_all(found, given.jobs), given.jobs)
    except (Refused, OSError, KeyboardInterrupt) as why:
        return refused("make formal", why, "formal/record.json stays as it was")
    write("closed.json", answers.closed)
    write("record.json", found | {"sources": {name: seal.digest(name) for name in files}, "theorems": answers.theorems})
    seal.forget()
    print(f"{len(answers.theorems)} theorems in {len(files)} files; written to formal/record.json and formal/closed.json")
    wrong = faults()
    for line in wrong:
        print(f"make formal: {line}", file=sys.stderr)
    if unread := seal.not_checked_again():
        print(f"{len(unread)} files, such as formal/{unread[0]}, count only after: make coqchk")
    return 2 if wrong else 0


def options(description: str) -> argparse.ArgumentParser:
    """``--jobs N``, which this command and ``make coqchk`` have."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes of Rocq at a time")
    return parser


def refused(command: str, why: BaseException, afterwards: str) -> int:
    """The exit code of a command that writes nothing, after one line on standard error that says why."""
    what = f"{why.strerror}: {why.filename}" if isinstance(why, OSError) else str(why) or "interrupted"
    print(f"{command}: {what}; {afterwards}", file=sys.stderr)
    return 130 if isinstance(why, KeyboardInterrupt) else 2


def faults() -> list[str]:
    """What the new record has that it must not have: axioms that are not allowed, and differences from what is pinned."""
    record, pins = seal.record(), seal.pins()
    axioms = {name: seal.forbidden(name, t["axioms"]) for name, t in record["theorems"].items()}
    out = [f"{name} rests on axioms that formal/axioms.json does not allow: {', '.join(found)}" for name, found in axioms.items() if found]
    for name in pins["theorems"]:
        try:
            seal.require_recorded(name)
        except LookupError as why:
            out.append(str(why))
    return list(dict.fromkeys(out))


def write(name: str, content: dict[str, Any]) -> None:
    """Write a file of this folder, whole or not at all."""
    unfinished = seal.FOLDER / f".{name}"
    unfinished.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    unfinished.replace(seal.FOLDER / name)


if __name__ == "__main__":
    sys.exit(main())
