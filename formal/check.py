"""``make formal``: compile the proofs from scratch, check them again with ``coqchk``, and write what ``lemmata verify`` reads.

``record.json`` holds the versions, the digest of each source, and for each theorem its statement, the axioms it rests on, file and line.
``closed.json`` holds the same statements without notations, with every definition that they unfold to. Both are compared with ``pins.json``.
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
from typing import Any

from . import seal

HERE = seal.FOLDER
TESTED = ("8.16.1",)
OLDEST, NEWEST = (8, 16), (8, 20)
PACKAGES = "coq libcoq-mathcomp libcoq-mathcomp-real-closed libcoq-mathcomp-algebra-tactics libcoq-mathcomp-zify libcoq-mathcomp-analysis libcoq-flocq"

#: what the proofs load of Mathematical Components, and the versions by a digest of the installed sources
LIBRARIES = ("ssreflect", "fingroup", "algebra", "solvable", "field", "bigenough", "real_closed", "algebra_tactics", "zify")
MATHCOMP = {"a2adfcf1ec9528904a8b250b1fd4c89e02c2a18bb6beedf307c7d417536365bd": "1.15.0"}

#: prints, for each definition below the names given, its kind and what its text uses
DEPENDENCIES = """From elpi Require Import elpi.
Elpi Command dependencies.
Elpi Accumulate lp:{{
pred ours i:gref.
ours G :- coq.gref->path G ["lemmata"|_].

pred full i:gref, o:string.
full G S :- coq.gref->path G P, coq.gref->id G I, std.append P [I] L, std.string.concat "." L S.

pred uses i:gref, o:coq.gref.set.
uses (const C) R :- coq.env.const C (some B) T, !,
  coq.env.term-dependencies B X, coq.env.term-dependencies T Y, coq.gref.set.union X Y R.
uses (const C) R :- !, coq.env.const C none T, coq.env.term-dependencies T R.
uses (indt I) R :- !, coq.env.indt I _ _ _ T _ KT, coq.env.term-dependencies T X,
  std.fold KT X (t\\ a\\ r\\ sigma Y\\ coq.env.term-dependencies t Y, coq.gref.set.union a Y r) R.
uses (indc K) R :- coq.env.indc K _ _ _ T, coq.env.term-dependencies T R.

pred sort-of i:gref, o:string.
sort-of (const C) "transparent" :- coq.env.const C (some _) _, !.
sort-of (const _) "opaque" :- !.
sort-of (indt _) "inductive" :- !.
sort-of (indc _) "constructor".

pred say i:gref, i:list gref.
say G L :- sort-of G K, full G S, std.map L full N, std.string.concat " " N T, coq.say "DEFINITION" K S T "END".

pred visit i:list gref, i:coq.gref.set.
visit [] _.
visit [G|L] S :- coq.gref.set.mem G S, !, visit L S.
visit [G|L] S :- uses G D, coq.gref.set.elements D E, std.filter E ours O, say G O,
  std.append O L L1, visit L1 {coq.gref.set.add G S}.

main Args :- coq.gref.set.empty S, std.map Args (a\\ g\\ sigma N\\ a = str N, coq.locate N g) L, visit L S.
}}.
Elpi Typecheck.
"""


class Refused(Exception):
    """Why there is no record, in one line."""


def main() -> int:
    """Compile, check, record and compare; 0 if all went well, 2 with a line on standard error for each fault otherwise.

    With ``--installed`` only say which Coq and Mathematical Components are there.

    The record is written last, whole or not at all. It is written, too, where it differs from the pins, so that the difference can be read.
    """
    try:
        version, mathcomp, flocq = require_coq(), require_mathcomp(), require_flocq()
        if sys.argv[1:] == ["--installed"]:
            print(f"Coq {version}, Mathematical Components {mathcomp}, Flocq {flocq}")
            return 0
        files = seal.files()
        with tempfile.TemporaryDirectory() as folder:
            build = Path(folder)
            for name in files:
                shutil.copy(HERE / name, build / name)
            require_imports(files, build)
            for name in files:
                run(["coqc", "-w", "none", "-Q", ".", "lemmata", name], build, f"formal/{name} does not compile")
                print(f"compiled {name}", flush=True)
            theorems: dict[str, dict[str, Any]] = {}
            for name in files:
                theorems |= examined(name, build)
            print("printing what the statements unfold to", flush=True)
            table = closed(sorted(theorems), files, build)
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
        "mathcomp": mathcomp,
        "flocq": flocq,
        "sources": {name: seal.digest(name) for name in files},
        "theorems": dict(sorted(theorems.items())),
    }
    write("closed.json", table)
    write("record.json", record)
    seal.forget()
    print(f"{len(theorems)} theorems in {len(files)} files; written to formal/record.json and formal/closed.json")
    wrong = faults()
    for line in wrong:
        print(f"make formal: {line}", file=sys.stderr)
    return 2 if wrong else 0


def faults() -> list[str]:
    """What the new record has that it must not have: axioms that are not allowed, and differences from what is pinned."""
    record, pins = seal.record(), seal.pins()
    axioms = {name: seal.forbidden(name, t["axioms"]) for name, t in record["theorems"].items()}
    out = [f"{name} rests on axioms that formal/axioms.json does not allow: {', '.join(found)}" for name, found in axioms.items() if found]
    for name in pins["theorems"]:
        try:
            seal.require_proof(name)
        except LookupError as why:
            out.append(str(why))
    return list(dict.fromkeys(out))


def write(name: str, content: dict[str, Any]) -> None:
    """Write a file of this folder, whole or not at all."""
    unfinished = HERE / f".{name}"
    unfinished.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    unfinished.replace(HERE / name)


def with_libraries(modules: list[str]) -> list[str]:
    """Arguments of coqchk: every module, and all libraries but the checker's algebraic numbers and MathComp Analysis: ten minutes and more."""
    alone = [m for m in modules if m.startswith(("lemmata.checker", "lemmata.bounded_states"))]
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


def closed(theorems: list[str], files: list[str], build: Path) -> dict[str, dict[str, Any]]:
    """The text without notations of each statement and of each definition that it unfolds to, and the names that the text uses.

    The libraries are required and not imported, so that each name is printed with its module. A definition is printed whole, a proof by
    its statement alone.
    """
    required = f"From lemmata Require {' '.join(Path(name).stem for name in files)}.\n"
    asked = " ".join(f'"lemmata.{name}"' for name in theorems)
    (build / "dependencies.v").write_text(f"{required}{DEPENDENCIES}Elpi dependencies {asked}.\n", encoding="utf-8")
    text = run(["coqc", "-w", "none", "-Q", ".", "lemmata", "dependencies.v"], build, "the definitions cannot be listed")
    listed = re.findall(r"DEFINITION\s+(\S+)\s+(\S+)\s+(.*?)\s*\bEND\b", text, re.DOTALL)
    found = {name: (kind, used.split()) for kind, name, used in listed}
    # 10^6: Rocq would print dots for what is nested deeper
    lines = [required, "Set Printing All. Set Printing Width 200. Set Printing Depth 1000000."]
    for name, (kind, _) in found.items():
        ask = f"Print {name}." if kind in ("transparent", "inductive") else f"Check @{name}."
        lines.append(f'Goal True. idtac "=== {name}". Abort. {ask}')
    (build / "unfold.v").write_text("\n".join(lines), encoding="utf-8")
    text = run(["coqc", "-w", "none", "-Q", ".", "lemmata", "unfold.v"], build, "the definitions cannot be printed")
    # which arguments are implicit, said after the definition, changes nothing where all are printed
    parts = re.findall(r"=== (\S+)\n(.*?)(?:^Arguments .*?)?(?==== |\Z)", text, re.DOTALL | re.MULTILINE)
    printed = {name: " ".join(one.split()) for name, one in parts}
    missing = [name for name in (*(f"lemmata.{t}" for t in theorems), *found) if name not in printed]
    if missing:
        raise Refused(f"the text of {missing[0]} cannot be printed")
    return {
        name.removeprefix("lemmata."): {
            "text": printed[name],
            "uses": sorted({used.removeprefix("lemmata.") for used in found[name][1]} - {name.removeprefix("lemmata.")}),
        }
        for name in sorted(found)
    }


def examined(name: str, build: Path) -> dict[str, dict[str, Any]]:
    """Each theorem of a file: statement as the kernel has it, axioms, file and line."""
    module = Path(name).stem
    source = (build / name).read_text(encoding="utf-8")
    found = [(m[1], source[: m.start()].count("\n") + 1) for m in re.finditer(r"^Theorem (\w+)", source, re.MULTILINE)]
    if not found:
        return {}
    names = [theorem for theorem, _ in found]
    # together first: the libraries below are then read once; one by one only to tell which rests on what
    together = f"Definition all_of_them := ({', '.join(f'@{theorem}' for theorem in names)})."
    statements, (assumptions,) = asked(module, names, [f"{together} Print Assumptions all_of_them."], build)
    if assumptions == CLOSED:
        axioms = dict.fromkeys(names, "")
    else:
        axioms = dict(zip(names, asked(module, [], [f"Print Assumptions {theorem}." for theorem in names], build)[1], strict=True))
    return {
        f"{module}.{theorem}": {
            "statement": re.sub(r"\n     ", "\n", statement.partition(":")[2]).strip(),
            "axioms": [x.split()[0] for x in axioms[theorem].splitlines() if x and x != CLOSED and not x.startswith((" ", "Axioms:"))],
            "file": f"formal/{name}",
            "line": line,
        }
        for (theorem, line), statement in zip(found, statements, strict=True)
    }


CLOSED = "Closed under the global context"


def asked(module: str, theorems: list[str], questions: list[str], build: Path) -> tuple[list[str], list[str]]:
    """The statements of theorems of a module, and Rocq's answers to further questions."""
    sentences = [*(f"Check @{theorem}." for theorem in theorems), *questions]
    lines = [f"From mathcomp Require Import all_ssreflect all_algebra.\nFrom lemmata Require Import {module}.\nSet Printing Width 110."]
    lines += [f'Goal True. idtac "=== next". Abort. {sentence}' for sentence in sentences]
    (build / "examine.v").write_text("\n".join(lines), encoding="utf-8")
    text = run(["coqc", "-w", "none", "-Q", ".", "lemmata", "examine.v"], build, f"the theorems of formal/{module}.v cannot be examined")
    answers = [answer.strip() for answer in text.split("=== next\n")[1:]]
    if len(answers) != len(sentences):
        raise Refused(f"the theorems of formal/{module}.v cannot be examined")
    return answers[: len(theorems)], answers[len(theorems) :]


if __name__ == "__main__":
    sys.exit(main())
