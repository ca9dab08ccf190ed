"""Coq and its libraries: which versions are installed, and how they are called."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from pathlib import Path

from . import seal

TESTED = ("8.16.1",)
OLDEST, NEWEST = (8, 16), (8, 20)
PACKAGES = "coq libcoq-mathcomp libcoq-mathcomp-real-closed libcoq-mathcomp-algebra-tactics libcoq-mathcomp-zify libcoq-mathcomp-analysis libcoq-flocq"

#: what the proofs load of Mathematical Components, and the versions by a digest of the installed sources
LIBRARIES = (
    "ssreflect",
    "fingroup",
    "algebra",
    "solvable",
    "field",
    "bigenough",
    "real_closed",
    "algebra_tactics",
    "zify",
    "finmap",
    "classical",
    "analysis",
)
MATHCOMP = {"bdfb5de164ded64a6435d558608420acc46a3e781dcb63e70c692046ef41eff5": "1.15.0"}


class Refused(Exception):
    """Why there is no record, in one line."""


def versions() -> dict[str, str]:
    """The versions that are recorded and pinned; Refused, with what to do, if one is missing."""
    return {"coq": require_coq(), "mathcomp": require_mathcomp(), "flocq": require_flocq()}


def require_coq() -> str:
    """The version of coqc; Refused, with what to do, if there is none or if it is another generation."""
    if shutil.which("coqc") is None or shutil.which("coqchk") is None:
        raise Refused(f"expected coqc and coqchk, found neither; on Debian or Ubuntu: apt-get install {PACKAGES}")
    text = subprocess.run(["coqc", "--version"], capture_output=True, text=True, check=False).stdout or "no answer to coqc --version"
    found = re.search(r"version (\d+)\.(\d+)(\.\d+)?", text)
    if not found or not OLDEST <= (int(found[1]), int(found[2])) <= NEWEST:
        raise Refused(
            f"expected Coq {OLDEST[0]}.{OLDEST[1]} to {NEWEST[0]}.{NEWEST[1]} (tested: {', '.join(TESTED)}), got {text.splitlines()[0]!r}"
        )
    return found[0].removeprefix("version ")


def require_mathcomp() -> str:
    """The version of Mathematical Components, told by its installed sources; Refused, with what to do, if a part is missing."""
    where = subprocess.run(["coqc", "-where"], capture_output=True, text=True, check=False).stdout.strip()
    room, whole = Path(where) / "user-contrib" / "mathcomp", hashlib.sha256()
    for library in LIBRARIES:
        sources = sorted((room / library).glob("*.v"))
        if not where or not sources:
            raise Refused(f"expected Mathematical Components with {library}, found none; on Debian or Ubuntu: apt-get install {PACKAGES}")
        for path in sources:
            whole.update(f"{library}/{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return MATHCOMP.get(whole.hexdigest(), f"unknown, with sources {whole.hexdigest()}")


def require_flocq() -> str:
    """The version of Flocq as its source says it; Refused, with what to do, if it is missing."""
    where = subprocess.run(["coqc", "-where"], capture_output=True, text=True, check=False).stdout.strip()
    source = Path(where) / "user-contrib" / "Flocq" / "Version.v"
    said = re.search(r'parse "([\d.]+)"', source.read_text(encoding="utf-8")) if where and source.is_file() else None
    if said is None:
        raise Refused(f"expected Flocq, found none; on Debian or Ubuntu: apt-get install {PACKAGES}")
    return said[1]


def require_imports(files: list[str], build: Path) -> None:
    """Refused unless the imports that are read off the sources without Rocq are those that coqdep finds."""
    for line in run(["coqdep", "-Q", ".", "lemmata", *files], build, "coqdep cannot read the sources").replace("\\\n", " ").splitlines():
        targets, _, needed = line.partition(":")
        name = next((f"{t.removesuffix('.vo')}.v" for t in targets.split() if t.endswith(".vo")), None)
        ours = {f"{one.removesuffix('.vo')}.v" for one in needed.split() if one.endswith(".vo") and "/" not in one}
        if name in files and ours != set(seal.imports(name)):
            differ = ours ^ set(seal.imports(name))
            raise Refused(f"expected formal/{name} to import what its text says, but coqdep differs on {', '.join(sorted(differ))}")


def run(command: list[str], folder: Path, complaint: str) -> str:
    """Standard output of a command; Refused with the first line of its error otherwise."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = [x for x in (done.stderr or done.stdout).splitlines() if x.strip()]
        if any("mathcomp" in x for x in lines) and any("Cannot find" in x or "Unable to locate" in x for x in lines):
            raise Refused(f"expected Mathematical Components beside Coq, found none; on Debian or Ubuntu: apt-get install {PACKAGES}")
        raise Refused(f"{complaint}: {' '.join(lines[:3])[:300]}")
    return done.stdout
