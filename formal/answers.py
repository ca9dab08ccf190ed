"""What Rocq says of the compiled proofs: each theorem's statement and axioms, and the definitions that the statements unfold to."""

from __future__ import annotations

import json
import re
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from . import seal
from .compiled import key
from .toolchain import Refused, run

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


@dataclass(frozen=True)
class Answers:
    """``theorems`` maps the theorems of a file to what the record holds of them; ``closed`` has the text and the uses of each definition."""

    theorems: dict[str, dict[str, Any]]
    closed: dict[str, dict[str, Any]]


def ask_all(versions: dict[str, str], build: Path, jobs: int) -> Answers:
    """What Rocq says of all compiled files, ``jobs`` of them at a time; an answer is kept beside its file, and holds as long as its key does.

    Raises ``Refused`` if two files print one definition differently.
    """
    questions = Path(__file__).read_text(encoding="utf-8")
    files = [name for name in seal.files() if theorems_of(name)]
    theorems: dict[str, dict[str, Any]] = {}
    table: dict[str, dict[str, Any]] = {}
    with ThreadPoolExecutor(jobs) as pool:
        for name, one in zip(files, pool.map(lambda name: ask(name, key(name, versions, questions), build), files), strict=True):
            theorems |= one.theorems
            if differ := [x for x, text in one.closed.items() if table.setdefault(x, text) != text]:
                raise Refused(f"{differ[0]} is printed in another way for formal/{name} than for a file before it")
    return Answers(dict(sorted(theorems.items())), dict(sorted(table.items())))


def ask(name: str, expected: str, build: Path) -> Answers:
    """What Rocq says of one file, from what is kept if its key is the expected one."""
    kept = build / f"{name}.answers"
    if kept.is_file():
        content = json.loads(kept.read_text(encoding="utf-8"))
        if content.pop("key") == expected:
            return Answers(**content)
    with tempfile.TemporaryDirectory() as folder:
        theorems = examined(name, build, Path(folder))
        answers = Answers(theorems, closed(name, sorted(theorems), build, Path(folder)))
    kept.write_text(json.dumps({"key": expected} | asdict(answers)), encoding="utf-8")
    print(f"recorded {name}", flush=True)
    return answers


def closed(name: str, theorems: list[str], build: Path, folder: Path) -> dict[str, dict[str, Any]]:
    """The text without notations of each statement and of each definition that it unfolds to, and the names that the text uses.

    The file is required and not imported, so that each name is printed with its module. A definition is printed whole, a proof by
    its statement alone.
    """
    required = f"From lemmata Require {Path(name).stem}.\n"
    asked = " ".join(f'"lemmata.{one}"' for one in theorems)
    text = coq(
        f"{required}{DEPENDENCIES}Elpi dependencies {asked}.\n", build, folder, f"the definitions for formal/{name} cannot be listed"
    )
    listed = re.findall(r"DEFINITION\s+(\S+)\s+(\S+)\s+(.*?)\s*\bEND\b", text, re.DOTALL)
    found = {one: (kind, used.split()) for kind, one, used in listed}
    # 10^6: Rocq would print dots for what is nested deeper
    lines = [required, "Set Printing All. Set Printing Width 200. Set Printing Depth 1000000."]
    for one, (kind, _) in found.items():
        question = f"Print {one}." if kind in ("transparent", "inductive") else f"Check @{one}."
        lines.append(f'Goal True. idtac "=== {one}". Abort. {question}')
    text = coq("\n".join(lines), build, folder, f"the definitions for formal/{name} cannot be printed")
    # which arguments are implicit, said after the definition, changes nothing where all are printed
    parts = re.findall(r"=== (\S+)\n(.*?)(?:^Arguments .*?)?(?==== |\Z)", text, re.DOTALL | re.MULTILINE)
    printed = {one: " ".join(text.split()) for one, text in parts}
    missing = [one for one in (*(f"lemmata.{t}" for t in theorems), *found) if one not in printed]
    if missing:
        raise Refused(f"the text of {missing[0]} cannot be printed")
    return {
        one.removeprefix("lemmata."): {
            "text": printed[one],
            "uses": sorted({used.removeprefix("lemmata.") for used in found[one][1]} - {one.removeprefix("lemmata.")}),
        }
        for one in sorted(found)
    }


def theorems_of(name: str) -> list[tuple[str, int]]:
    """The theorems of a source, each with its line."""
    source = (seal.FOLDER / name).read_text(encoding="utf-8")
    return [(m[1], source[: m.start()].count("\n") + 1) for m in re.finditer(r"^Theorem (\w+)", source, re.MULTILINE)]


def examined(name: str, build: Path, folder: Path) -> dict[str, dict[str, Any]]:
    """Each theorem of a file: statement as the kernel has it, axioms, file and line."""
    module, found = Path(name).stem, theorems_of(name)
    names = [theorem for theorem, _ in found]
    # together first: the libraries below are then read once; one by one only to tell which rests on what
    together = f"Definition all_of_them := ({', '.join(f'@{theorem}' for theorem in names)})."
    statements, (assumptions,) = asked(module, names, [f"{together} Print Assumptions all_of_them."], build, folder)
    if assumptions == CLOSED:
        axioms = dict.fromkeys(names, "")
    else:
        axioms = dict(zip(names, asked(module, [], [f"Print Assumptions {theorem}." for theorem in names], build, folder)[1], strict=True))
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


def asked(module: str, theorems: list[str], questions: list[str], build: Path, folder: Path) -> tuple[list[str], list[str]]:
    """The statements of theorems of a module, and Rocq's answers to further questions."""
    sentences = [*(f"Check @{theorem}." for theorem in theorems), *questions]
    lines = [f"From mathcomp Require Import all_ssreflect all_algebra.\nFrom lemmata Require Import {module}.\nSet Printing Width 110."]
    lines += [f'Goal True. idtac "=== next". Abort. {sentence}' for sentence in sentences]
    text = coq("\n".join(lines), build, folder, f"the theorems of formal/{module}.v cannot be examined")
    answers = [answer.strip() for answer in text.split("=== next\n")[1:]]
    if len(answers) != len(sentences):
        raise Refused(f"the theorems of formal/{module}.v cannot be examined")
    return answers[: len(theorems)], answers[len(theorems) :]


def coq(text: str, build: Path, folder: Path, complaint: str) -> str:
    """What Rocq prints for a text, which may load the compiled files."""
    (folder / "questions.v").write_text(text, encoding="utf-8")
    return run(["coqc", "-w", "none", "-Q", str(build), "lemmata", "questions.v"], folder, complaint)
