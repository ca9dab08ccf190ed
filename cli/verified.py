"""The verified checker of exported networks: a native program from a proof in Rocq (docs/explanation/formal.md), which ``make verified`` builds."""

from __future__ import annotations

import subprocess
from pathlib import Path

from ..formal import seal

#: an installed package has neither the Makefile nor the sources of the checker
CHECKOUT = (seal.FOLDER.parent / "Makefile").exists()
HOW = "run: make verified (it needs Coq and OCaml)"
HOW_ELSEWHERE = "an installed package cannot build it: run make verified in a clone of the repository, and lemmata recheck --verified there"


def require_program() -> Path:
    """The program; ``ValueError`` with what to do if it was not built, if it is of other sources, or if they are no longer proved right."""
    program = seal.FOLDER / "verified" / "_build" / "lemmata-verified"
    if not program.exists():
        raise ValueError(f"expected the verified checker, which was not built here; {HOW if CHECKOUT else HOW_ELSEWHERE}")
    try:
        seal.require_sound()
    except LookupError as why:
        raise ValueError(f"expected a verified checker that is proved right, but {why}; run: make formal, then make verified") from None
    said = subprocess.run([program, "--sources"], capture_output=True, text=True, check=False)
    built_from = {name: digest for digest, _, name in (line.partition("  ") for line in said.stdout.splitlines())}
    if said.returncode or not built_from:
        raise ValueError("expected a verified checker that says what it was built from, got another program; run: make verified")
    for name in dict.fromkeys((*seal.program_sources(), *built_from)):
        if built_from.get(name) != seal.digest(name):
            raise ValueError(f"expected the verified checker of today's sources, but it was built from another {name}; run: make verified")
    return program


#: what the checker knows of floating point
DTYPES, WAYS = ("float32", "float16", "bfloat16"), ("loop", "delta", "fused", "scan", "chunk")

#: micro-steps of a chunk: by default kernels' longest, and as many terms of size 1 as a sum in float32 holds
CHUNK, LONGEST_CHUNK = 128, 2**24


def require_stored(dtype: str, way: str) -> None:
    """Raise ``ValueError`` unless the checker knows the data type and the way to run."""
    for what, name, among in (("data type", dtype, DTYPES), ("path", way, WAYS)):
        if name not in among:
            raise ValueError(f"expected a {what} among {', '.join(among)}, got {name!r}")


def chunk_length(text: int | str | None, way: str) -> int:
    """The most micro-steps of a chunk, by default 128. Raises ``ValueError`` for what is no such number, and for one on another path."""
    if text is None:
        return CHUNK
    if way != "chunk":
        raise ValueError(f"expected --chunk with --path chunk only, got the path {way}")
    digits = str(text)
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 8 and 1 <= int(digits) <= LONGEST_CHUNK):
        raise ValueError(f"expected --chunk with a number of micro-steps from 1 to {LONGEST_CHUNK}, got {digits!r}")
    return int(digits)


def stored_verdict(program: Path, path: Path, dtype: str, way: str, limits: int = 1, chunk: int = CHUNK) -> tuple[bool, str]:
    """Whether a file of stored numbers is right at every length in the data type, and what the search met, or why not.

    On the path "chunk" the chunks have at most ``chunk`` micro-steps.
    """
    done = subprocess.run([program, "--stored", dtype, way, path, str(limits), str(chunk)], capture_output=True, text=True, check=False)
    word, _, rest = done.stdout.strip().partition(" ")
    if done.returncode == 0 and word == "holds":
        return True, rest.partition(" ")[2]
    if word in ("malformed", "rejected"):
        return False, rest
    return False, f"stopped the verified checker (exit code {done.returncode})"


def verdict(program: Path, path: Path, limits: int = 1) -> tuple[int, str | None]:
    """(states of the automaton, None) of a network that the checker accepts within so many times the limits, else (0, why not)."""
    done = subprocess.run([program, path, str(limits)], capture_output=True, text=True, check=False)
    word, _, rest = done.stdout.strip().partition(" ")
    if done.returncode == 0 and word == "holds":
        return int(rest), None
    if word == "malformed":
        return 0, rest
    if word == "rejected":
        return 0, "is not proved right; lemmata recheck without --verified says what is wrong"
    return 0, f"stopped the verified checker (exit code {done.returncode})"
