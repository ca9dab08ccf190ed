"""What the manuscripts of ``docs/papers`` take from the project: verdicts, tables and numbers, as LaTeX: ``python -m lemmata.cli.manuscripts [--build] FOLDER``.

A manuscript says ``\\ledger{id}{VERDICT}{method}`` beside each statement. The audit in :mod:`.manuscript_audit` compares that with the pins.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ..constructions.rounded_census import SMALL
from ..constructions.rounded_counts import COUNTERS, COUNTING, EVALUATIONS, MODULI
from ..theorems.files import write_whole
from ..theorems.ledger import ledger
from .latex import inline
from .manuscript_tables import (
    census,
    classes,
    counters,
    cycle_of_three,
    depths,
    first_open,
    four_states,
    grouped,
    horizons,
    narrow,
    open_of_four,
    pairs,
    periods,
    rows,
    small_formats,
    unit_keys,
)
from .where import ROOT

SOURCES = ROOT / "docs" / "papers"

#: the manuscripts, by the names of their files
MANUSCRIPTS = ("languages", "rounding")

CITED = re.compile(r"\\ledger\{([^}]+)\}\{([A-Z]+)\}\{([a-z]+)\}")
STATEMENT = re.compile(r"\\begin\{(theorem|proposition|lemma)\}.*?\\end\{\1\}", re.DOTALL)
LABEL = re.compile(r"\\label\{([^}]+)\}")

#: what the margin calls the way in which a claim was checked
METHODS = {
    "formal": "kernel",
    "symbolic": "all parameters",
    "exhaustive": "all cases",
    "certified": "certified",
    "exact": "instances",
    "statistical": "statistics",
    "float": "float64",
}


@dataclass(frozen=True)
class Measured:
    """A number that a manuscript prints, and where it is read."""

    value: str
    source: str


def source(name: str) -> str:
    """The text of a manuscript, with its appendix in its place."""
    text, proofs = ((SOURCES / f"{part}.tex").read_text(encoding="utf-8") for part in (name, f"{name}-proofs"))
    return text.replace(rf"\input{{{name}-proofs}}", proofs)


# -- numbers ---------------------------------------------------------------------------------------------------------------------


def said(id: str, pattern: str) -> Measured:
    """A number in what a claim, its remarks or its scope say. Raises ``ValueError`` if it is not there exactly once.

    Example: ``said("new.automata.rounded.solvable", r"their ([\\d,]+) states").value`` is ``"72"``.
    """
    entry = ledger()[id]
    found = {m for text in (entry.says, *entry.remarks, entry.scope) for m in re.findall(pattern, text)}
    if len(found) != 1:
        raise ValueError(f"expected one number for {pattern!r} in {id}, got {sorted(found)}")
    return Measured(found.pop(), id)


def measured() -> dict[str, Measured]:
    """Every number that ``\\measured{key}`` prints."""
    census = "lemmata.constructions.rounded_census.SMALL"
    counts = "lemmata.constructions.rounded_counts"
    once = "new.parity.float.counts.once"
    lifts, errors = "new.automata.one-factor.census", "new.parity.float.counts.errors"
    return {
        "evaluations": Measured(str(len(EVALUATIONS)), f"{counts}.EVALUATIONS"),
        "counting": Measured(str(len(COUNTING)), f"{counts}.COUNTING"),
        "settling": Measured(str(len(EVALUATIONS) - len(COUNTING)), f"{counts}.EVALUATIONS"),
        "counters": Measured(str(sum(map(len, COUNTERS.values()))), f"{counts}.COUNTERS"),
        "smalllayers": Measured(f"{sum(n for n, *_ in SMALL.values()):,}", census),
        "smallstates": said(once, r"layers, ([\d,]+) states"),
        "randomonce": said(once, r"([\d,]+) random layers"),
        "tried": said("new.parity.float.counts", r"Some ([\d,]+) layers"),
        "narrowrandom": said("new.parity.float.counts.width-two", r"among ([\d.]+) million random"),
        "narrowall": said("new.parity.float.counts.width-two", r"and ([\d.]+) million exhaustive"),
        "fourstates": said("new.automata.rounded.solvable", r"their ([\d,]+) states"),
        "censusleast": said("new.parity.float.census", r"at least \$([\d.]+)\$, and"),
        "censuswide": said("new.parity.float.census", r"n=8\$ at least \$([\d.]+)\$"),
        "boundlimit": said("new.automata.depth.exact", r"for up to ([\d,]+) elements"),
        "liftgroups": said(lifts, r"^\$([\d]+)\$ groups"),
        "liftorder": said(lifts, r"^\$\d+\$ groups of order at most \$(\d+)\$"),
        "liftsets": Measured(said(lifts, r"they have \$([\d{},]+)\$").value.replace("{,}", ","), lifts),
        "liftyes": Measured(said(lifts, r"of which \$([\d{},]+)\$").value.replace("{,}", ","), lifts),
        "nearstates": said(errors, r"of the format: (\d+) states"),
        "nearinto": said(errors, r"leads exactly \$(\d+)\$ of them"),
        "claims": Measured(f"{len(ledger()):,}", "lemmata.theorems.ledger.ledger"),
    }


def macros() -> str:
    """The numbers, and what the margin calls a method, as LaTeX."""
    lines = [rf"\expandafter\def\csname method@{how}\endcsname{{{name}}}" for how, name in METHODS.items()]
    lines += [rf"\expandafter\def\csname measured@{key}\endcsname{{{grouped(m.value)}}}% {m.source}" for key, m in measured().items()]
    return "\n".join(["% generated by python -m lemmata.cli.manuscripts", *lines, ""])


# -- tables ----------------------------------------------------------------------------------------------------------------------


def cited(text: str) -> list[tuple[str, str, str]]:
    """(id, verdict, method) of every claim that a manuscript states."""
    return [(m[1], m[2], m[3]) for m in CITED.finditer(text)]


def reproduction(name: str) -> str:
    """One row for each claim of each statement: its number, the command, what the ledger says, and how far the check went."""
    out = []
    for statement in STATEMENT.finditer(source(name)):
        label = LABEL.search(statement[0])
        for id, verdict, method in cited(statement[0]):
            entry = ledger()[id]
            number = rf"\ref{{{label[1]}}}" if label else ""
            out.append([number, rf"\cmd{{{id}}}", verdict, METHODS[method], inline(shortened(entry.scope))])
    return rows(out)


def kernel(name: str) -> str:
    """One row for each theorem of the kernel behind a statement: the statement's number, the theorem, and where it differs from the claim."""
    out: dict[tuple[str, str], list[str]] = {}
    for statement in STATEMENT.finditer(source(name)):
        label = LABEL.search(statement[0])
        for id, *_ in cited(statement[0]):
            for theorem, differs in ledger()[id].theorems.items():
                number = rf"\ref{{{label[1]}}}" if label else ""
                out.setdefault((id, theorem), [number, rf"\cmd{{{theorem}}}", inline(differs)])
    return rows(list(out.values()))


def shortened(scope: str, most: int = 120) -> str:
    """What a check went through, up to its first parts."""
    if len(scope) <= most:
        return scope
    kept = scope[:most].rsplit("; " if "; " in scope[:most] else " ", 1)[0]
    return f"{kept}; ..."


def moduli() -> str:
    """The moduli, as a list."""
    return ", ".join(map(str, MODULI[:-1])) + rf" and {MODULI[-1]}%" + "\n"


def sources_of_numbers() -> str:
    """Every number of the text and where it is read."""
    used = {key for name in MANUSCRIPTS for key in re.findall(r"\\measured\{(\w+)\}", source(name))}
    return rows([[grouped(m.value), rf"\cmd{{{m.source}}}"] for key, m in measured().items() if key in used])


#: what writes each generated file
WRITERS: dict[str, Callable[[], str]] = {
    "numbers.tex": macros,
    "classes.tex": classes,
    "depths.tex": depths,
    "census.tex": census,
    "open.tex": first_open,
    "four.tex": four_states,
    "open-four.tex": partial(open_of_four, 2),
    "open-three-letters.tex": partial(open_of_four, 3),
    "horizons.tex": horizons,
    "periods.tex": periods,
    "unit.tex": unit_keys,
    "small.tex": small_formats,
    "counters.tex": counters,
    "cycle.tex": cycle_of_three,
    "narrow.tex": narrow,
    "pairs.tex": pairs,
    "moduli.tex": moduli,
    "sources.tex": sources_of_numbers,
    **{f"reproduce-{name}.tex": partial(reproduction, name) for name in MANUSCRIPTS},
    **{f"kernel-{name}.tex": partial(kernel, name) for name in MANUSCRIPTS},
}


def write(folder: Path) -> None:
    """Write all of it into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, made in WRITERS.items():
        write_whole(folder / name, made())


def build(folder: Path, passes: int = 3) -> list[Path]:
    """The PDFs, in a folder that holds the generated files; LaTeX runs until references stand. Raises ``CalledProcessError`` if it stops."""
    places = f"{SOURCES}{os.pathsep}{folder.resolve()}{os.pathsep}"
    for name in MANUSCRIPTS:
        for _ in range(passes):
            command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", f"-output-directory={folder.resolve()}", f"{name}.tex"]
            ran = subprocess.run(command, cwd=SOURCES, env=os.environ | {"TEXINPUTS": places}, capture_output=True, text=True, check=False)
            if ran.returncode:
                print(ran.stdout[-2000:], file=sys.stderr)
                ran.check_returncode()
    return [folder / f"{name}.pdf" for name in MANUSCRIPTS]


def main(arguments: list[str]) -> None:
    """``FOLDER`` writes the generated files; ``--build FOLDER`` the PDFs as well."""
    folder = Path(arguments[-1])
    write(folder)
    if "--build" in arguments:
        print("\n".join(str(pdf) for pdf in build(folder)))


if __name__ == "__main__":
    main(sys.argv[1:])
