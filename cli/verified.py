"""The verified checker of exported networks: a native program from a proof in Rocq (docs/formal.md), which ``make verified`` builds."""

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path

ROOM = Path(__file__).resolve().parent.parent / "formal" / "verified"

#: an installed package has neither the Makefile nor the sources of the checker
CHECKOUT = (ROOM.parents[1] / "Makefile").exists()
HOW = "run: make verified (it needs Coq and OCaml)"
HOW_ELSEWHERE = "an installed package cannot build it: run make verified in a clone of the repository, and lemmata recheck --verified there"


def require_program() -> Path:
    """The program; ``ValueError`` with what to do if it was not built, or from other sources than those beside it."""
    program, sources = ROOM / "_build" / "lemmata-verified", ROOM / "_build" / "sources.json"
    if not program.exists() or not sources.exists():
        raise ValueError(f"expected the verified checker, which was not built here; {HOW if CHECKOUT else HOW_ELSEWHERE}")
    for name, digest in json.loads(sources.read_text(encoding="utf-8")).items():
        if not (ROOM / name).exists() or hashlib.sha256((ROOM / name).read_bytes()).hexdigest() != digest:
            raise ValueError(
                f"expected the verified checker of today's sources, but {Path(name).name} was changed since it was built; run: make verified"
            )
    return program


def verdict(program: Path, path: Path) -> tuple[int, str | None]:
    """(states of the automaton, None) of a network that the checker accepts, else (0, why not)."""
    done = subprocess.run([program, path], capture_output=True, text=True, check=False)
    word, _, rest = done.stdout.strip().partition(" ")
    if done.returncode == 0 and word == "holds":
        return int(rest), None
    if word == "malformed":
        return 0, rest
    if word == "rejected":
        return 0, "is not proved right; lemmata recheck without --verified says what is wrong"
    return 0, f"stopped the verified checker (exit code {done.returncode})"
