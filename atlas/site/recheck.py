"""What the page needs that re-checks certificates: the checker as data, certificates that fit the ledger, and Pyodide's files.

Pyodide is CPython for browsers; its files come from npm's package ``pyodide``, and are copied as they are.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from ...theorems import recheck
from ...theorems.ledger import ledger

#: what the browser loads of the package; each line: one of these names must be there
PYODIDE = (("pyodide.mjs",), ("pyodide.asm.mjs", "pyodide.asm.js"), ("pyodide.asm.wasm",), ("python_stdlib.zip",), ("pyodide-lock.json",))

THEOREMS = Path(recheck.__file__).resolve().parent.parent


def checker() -> str:
    """JSON: path -> text of the stand-alone checker, as it is, and of the pins that bind the certificates."""
    paths = [*sorted((THEOREMS / "recheck").rglob("*.py")), *sorted((THEOREMS / "pins").glob("*.json"))]
    return json.dumps({f"theorems/{p.relative_to(THEOREMS).as_posix()}": p.read_text(encoding="utf-8") for p in paths}) + "\n"


def pyodide_files(folder: Path) -> list[Path]:
    """Pyodide's files in ``folder``, the unpacked npm package. Raises ``ValueError`` if one is missing."""
    found = []
    for names in PYODIDE:
        there = [folder / name for name in names if (folder / name).is_file()]
        if not there:
            raise ValueError(
                f"expected the unpacked npm package pyodide in {str(folder)!r}, found no {names[0]}; get it with: npm pack pyodide"
            )
        found += there
    # its licence (MPL-2.0) and version stand there
    return found + [path for path in (folder / "package.json", folder / "README.md") if path.is_file()]


def certificate_files(folder: Path) -> dict[str, Path]:
    """Claim -> its file in ``folder``, in the order of the ledger. Raises ``ValueError`` if one is of no claim, or does not fit the ledger."""
    if not folder.is_dir() or not list(folder.glob("*.json")):
        raise ValueError(
            f"expected certificates (*.json) in {str(folder)!r}, found none; write them with: lemmata verify --certificates DIR"
        )
    for path in sorted(folder.glob("*.json")):
        try:
            recheck.files.check_binding(path.stem, recheck.files.parsed(recheck.files.read(path)))
        except (recheck.Rejected, AttributeError, KeyError, TypeError) as why:
            said = str(why) if isinstance(why, recheck.Rejected) else "is no file of certificates"
            raise ValueError(f"{path.name} {said}; write certificates anew with: lemmata verify --certificates DIR") from None
    return {id: folder / f"{id}.json" for id in ledger() if (folder / f"{id}.json").is_file()}


def complete(certificates: Mapping[str, Path]) -> bool:
    """Every claim that has certificates is among them."""
    return not recheck.missing(certificates)
