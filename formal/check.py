"""``make formal``: compile the proofs from scratch, check them again with ``coqchk``, and write ``record.json``, which ``lemmata verify`` reads.

The record holds, for each theorem, its closed statement, the axioms it rests on (none is what we want), file and line; and the hash of
each source. A source that was changed since has no record, and the claims that rest on it lose the grade "formal".
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
TESTED = ("8.16.1",)
OLDEST, NEWEST = (8, 16), (8, 20)
PACKAGES = "coq libcoq-mathcomp libcoq-mathcomp-real-closed libcoq-mathcomp-algebra-tactics libcoq-mathcomp-zify"


class Refused(Exception):
    """Why there is no record, in one line."""


def main() -> int:
    """Compile, check and record; 0 if all went well, 2 with one line on standard error otherwise. The record is written last, whole or not at all."""
    try:
        version = require_coq()
        files = [line for line in (HERE / "_CoqProject").read_text(encoding="utf-8").split() if line.endswith(".v")]
        with tempfile.TemporaryDirectory() as folder:
            build = Path(folder)
            for name in files:
                shutil.copy(HERE / name, build / name)
                run(["coqc", "-w", "none", "-Q", ".", "lemmata", name], build, f"formal/{name} does not compile")
                print(f"compiled {name}", flush=True)
            theorems = {}
            for name in files:
                theorems |= examined(name, build)
            modules = [f"lemmata.{Path(name).stem}" for name in files]
            print("coqchk reads the compiled files again, with the libraries they load: a minute or two", flush=True)
            run(["coqchk", "-silent", "-Q", ".", "lemmata", *with_libraries(modules)], build, "coqchk does not accept the compiled files")
    except Refused as why:
        print(f"make formal: {why}; formal/record.json stays as it was", file=sys.stderr)
        return 2
    except OSError as why:
        print(f"make formal: {why.strerror}: {why.filename}; formal/record.json stays as it was", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("make formal: interrupted; formal/record.json stays as it was", file=sys.stderr)
        return 130
    record = {
        "coq": version,
        "sources": {name: digest(HERE / name) for name in files},
        "theorems": dict(sorted(theorems.items())),
    }
    target = HERE / "record.json"
    unfinished = HERE / ".record.json"
    unfinished.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    unfinished.replace(target)
    open_ones = [name for name, t in theorems.items() if t["axioms"]]
    print(f"{len(theorems)} theorems in {len(files)} files, {len(open_ones)} of them with axioms; written to formal/record.json")
    if open_ones:
        print(f"make formal: expected proofs without axioms, got axioms under {', '.join(open_ones)}", file=sys.stderr)
    return 2 if open_ones else 0


def with_libraries(modules: list[str]) -> list[str]:
    """Arguments of coqchk: every module, and the libraries of all but the checker's, whose algebraic numbers would take it ten minutes."""
    alone = [m for m in modules if m.startswith("lemmata.checker")]
    return [m for m in modules if m not in alone] + [x for m in alone for x in ("-norec", m)]


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


def run(command: list[str], folder: Path, complaint: str) -> str:
    """Standard output of a command; Refused with the first line of its error otherwise."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = [x for x in (done.stderr or done.stdout).splitlines() if x.strip()]
        if any("mathcomp" in x for x in lines) and any("Cannot find" in x or "Unable to locate" in x for x in lines):
            raise Refused(f"expected Mathematical Components beside Coq, found none; on Debian or Ubuntu: apt-get install {PACKAGES}")
        raise Refused(f"{complaint}: {' '.join(lines[:3])[:300]}")
    return done.stdout


def digest(path: Path) -> str:
    """SHA-256 of a source."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def examined(name: str, build: Path) -> dict[str, dict[str, object]]:
    """Each theorem of a file: statement as the kernel has it, axioms, file and line."""
    module = Path(name).stem
    source = (build / name).read_text(encoding="utf-8")
    found = [(m[1], source[: m.start()].count("\n") + 1) for m in re.finditer(r"^Theorem (\w+)", source, re.MULTILINE)]
    if not found:
        return {}
    asked = [f"From mathcomp Require Import all_ssreflect all_algebra.\nFrom lemmata Require Import {module}.\nSet Printing Width 110."]
    for theorem, _ in found:
        asked.append(
            f'Goal True. idtac "=== {theorem}". Abort. Check @{theorem}.\nGoal True. idtac "=== axioms". Abort. Print Assumptions {theorem}.'
        )
    (build / "examine.v").write_text("\n".join(asked), encoding="utf-8")
    text = run(["coqc", "-w", "none", "-Q", ".", "lemmata", "examine.v"], build, f"the theorems of formal/{name} cannot be examined")
    parts = dict(re.findall(r"=== (?!axioms)(\w+)\n(.*?)(?==== (?!axioms)\w+\n|\Z)", text, re.DOTALL))
    out: dict[str, dict[str, object]] = {}
    for theorem, line in found:
        if theorem not in parts:
            raise Refused(f"the theorem {theorem} of formal/{name} cannot be examined")
        statement, _, assumptions = parts[theorem].partition("=== axioms\n")
        closed = assumptions.strip() == "Closed under the global context"
        axioms = [] if closed else [x for x in assumptions.splitlines() if x and not x.startswith((" ", "Axioms:"))]
        out[f"{module}.{theorem}"] = {
            "statement": re.sub(r"\n     ", "\n", statement.partition(":")[2]).strip(),
            "axioms": axioms,
            "file": f"formal/{name}",
            "line": line,
        }
    return out


if __name__ == "__main__":
    sys.exit(main())
