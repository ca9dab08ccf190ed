"""What the manuscripts of ``docs/papers`` take from the project: verdicts, tables and numbers, as LaTeX: ``python -m lemmata.cli.manuscripts [--build] FOLDER``.

A manuscript says ``\\ledger{id}{VERDICT}{method}`` beside each statement. The audit in :mod:`.manuscript_audit` compares that with the pins.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ..atlas.languages import table as table_of_languages
from ..constructions.automata import Automaton
from ..constructions.automata.read.sources import from_regex
from ..constructions.languages import Language, language_of
from ..constructions.languages.layers_of_norm_one import bound
from ..constructions.rounded_census import SMALL
from ..constructions.rounded_counts import COUNTERS, COUNTING, EVALUATIONS, LETTERS, MODULI, WIDTH_TWO, counter, cycle
from ..constructions.rounded_delta import Evaluation, dot
from ..numerics.exact import rationals
from ..numerics.floating_point import BFLOAT16
from ..theorems.files import write_whole
from ..theorems.ledger import ledger
from .latex import inline
from .rounding import LINES
from .where import ROOT

SOURCES = ROOT / "docs" / "papers"

#: the manuscripts, by the names of their files
MANUSCRIPTS = ("languages", "rounding")

CITED = re.compile(r"\\ledger\{([^}]+)\}\{([A-Z]+)\}\{([a-z]+)\}")
STATEMENT = re.compile(
    r"\\begin\{(theorem|proposition|lemma|corollary)\}.*?\\end\{\1\}",
    re.DOTALL,
)
LABEL = re.compile(r"\\label\{([^}]+)\}")

#: what the margin calls the way in which a claim was checked
METHODS = {
    "formal": "kernel",
    "symbolic": "all parameters",
    "exhaustive": "all cases",
    "certified": "certified",
    "exact": "instances",
    "statistical": "statistics",
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
    return {
        "evaluations": Measured(str(len(EVALUATIONS)), f"{counts}.EVALUATIONS"),
        "counting": Measured(str(len(COUNTING)), f"{counts}.COUNTING"),
        "settling": Measured(str(len(EVALUATIONS) - len(COUNTING)), f"{counts}.EVALUATIONS"),
        "counters": Measured(str(sum(map(len, COUNTERS.values()))), f"{counts}.COUNTERS"),
        "letterpairs": Measured(str(len(LETTERS)), f"{counts}.LETTERS"),
        "widthtwo": Measured(str(len(WIDTH_TWO)), f"{counts}.WIDTH_TWO"),
        "smalllayers": Measured(f"{sum(n for n, *_ in SMALL.values()):,}", census),
        "smallperiods": Measured(str(sum(a for _, a, _ in SMALL.values())), census),
        "smallfused": Measured(str(sum(b for *_, b in SMALL.values())), census),
        "smallstates": said(once, r"layers, ([\d,]+) states"),
        "randomonce": said(once, r"([\d,]+) random layers"),
        "tried": said("new.parity.float.counts", r"Some ([\d,]+) layers"),
        "narrowrandom": said("new.parity.float.counts.width-two", r"among ([\d.]+) million random"),
        "narrowall": said("new.parity.float.counts.width-two", r"and ([\d.]+) million exhaustive"),
        "fourstates": said("new.automata.rounded.solvable", r"their ([\d,]+) states"),
        "censusleast": said("new.parity.float.census", r"at least \$([\d.]+)\$, and"),
        "censuswide": said("new.parity.float.census", r"n=8\$ at least \$([\d.]+)\$"),
        "boundlimit": said("new.automata.depth.exact", r"for up to ([\d,]+) elements"),
        "certificates": Measured(f"{sum(len(e.certificates) for e in ledger().values()):,}", "the pins of all claims"),
        "claims": Measured(f"{len(ledger()):,}", "the pins of all claims"),
    }


def macros() -> str:
    """The numbers as LaTeX."""
    lines = [rf"\expandafter\def\csname measured@{key}\endcsname{{{grouped(m.value)}}}% {m.source}" for key, m in measured().items()]
    return "\n".join(["% generated by python -m lemmata.cli.manuscripts", *lines, ""])


def grouped(number: str) -> str:
    """A number with thin groups: 7{,}960."""
    return number.replace(",", "{,}")


# -- tables ----------------------------------------------------------------------------------------------------------------------


def rows(cells: Sequence[Sequence[str]]) -> str:
    """Rows of a table, each cell LaTeX already."""
    return "\n".join(" & ".join(line) + r" \\" for line in cells) + "\n"


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


#: what a class of languages is, in mathematics
CLASSES = {
    "last-letter": "the last letter decides",
    "length-and-last-letter": r"length modulo some $N$ and last letter",
    "definite": r"definite: the last $i$ letters decide, some $i$",
    "quasi-definite": r"length modulo some $N$ and last $i$ letters",
    "late": r"first $i$ letters, last $i$ letters, length modulo $N$",
    "stutter-invariant": r"letters idempotent",
    "order-of-last-occurrences": r"order of last occurrences: $aua$ and $ua$ act alike",
    "counts-mod-2": r"order and parities since last occurrences",
    "counts-mod-m": r"order and counts modulo some $m$ since last occurrences",
    "aperiodic": r"star-free",
    "clocked": r"star-free but for the length modulo some $N$",
    "periods-powers-of-2": r"all periods powers of $2$",
    "solvable": r"all groups solvable",
    "efe-is-fe": r"idempotents satisfy $efe=fe$",
    "constant-powers": r"every letter has a constant power",
}

ARITHMETICS = {"exact": "E", "margin": "M"}


def classes() -> str:
    """The rows of the table of models by languages that are exact, in the arithmetics E and M."""
    known = table_of_languages()
    out = []
    for row in known.rows:
        if row.exactly is None or row.arithmetic not in ARITHMETICS:
            continue
        models = "; ".join(known.subjects[m].name for m in row.models)
        what = " or ".join(" and ".join(CLASSES[p] for p in all_of) for all_of in row.exactly)
        depth = "one" if row.layers == "1" else "any" if row.most is None else f"any ({row.most} suffice)"
        out.append([inline(models), ARITHMETICS[row.arithmetic], depth, what, row.grade])
    return rows(sorted(out, key=lambda line: line[1]))


def moved(images: Sequence[Sequence[int]]) -> Language:
    """The states of a machine whose letters act by these maps, started in 0."""
    return language_of(Automaton({"abcdefghij"[i]: tuple(f) for i, f in enumerate(images)}), tracked=True)


def climbers(n: int) -> Language:
    """The maps that move one of ``n`` points to a neighbour and fix the rest, and the identity."""
    still = list(range(n))
    up = [[i + 1 if j == i else j for j in still] for i in range(n - 1)]
    down = [[i if j == i + 1 else j for j in still] for i in range(n - 1)]
    return moved([still, *up, *down])


def all_maps(n: int) -> Language:
    """Generators of all maps of ``n`` points: a swap, a cycle, and a map that joins two points; the identity is a power of the swap."""
    still = list(range(n))
    return moved([[1, 0, *still[2:]], [*still[1:], 0], [0, 0, *still[2:]]])


def machines() -> dict[str, Callable[[], Language]]:
    """The rows of the table of depths."""
    named: dict[str, Callable[[], Language]] = {}
    for n in (2, 3, 4, 5):
        named[rf"order-preserving maps of ${n}$ points"] = lambda n=n: climbers(n)
    for n in (2, 3, 4):
        named[rf"all maps of ${n}$ points"] = lambda n=n: all_maps(n)
    for pattern, letters, name in (
        ("a*b*", "ab", r"$a^*b^*$"),
        ("a*b*c*", "abc", r"$a^*b^*c^*$"),
        ("a(a|b)*", "ab", r"first letter $a$"),
        ("(a|b)*aba(a|b)*", "ab", r"contains $aba$"),
        ("(a|b)*a(a|b)*a(a|b)*", "ab", r"two or more $a$"),
        ("(b|ab*a)*", "ab", r"even number of $a$"),
        ("(a(ab)*b)*", "ab", r"Dyck words of depth at most $2$"),
    ):
        named[name] = lambda pattern=pattern, letters=letters: language_of(from_regex(pattern, letters))
    named[r"letters $0122$, $3213$, $0312$"] = lambda: moved([[0, 1, 2, 2], [3, 2, 1, 3], [0, 3, 1, 2]])
    return named


def depths() -> str:
    """The two lower bounds, for the automata of the table."""
    out = []
    for name, make in machines().items():
        language = make()
        exact, margin = (bound(language.machine, language.monoid, e).layers for e in (True, False))
        out.append([name, str(language.machine.n), str(len(language.monoid)), str(exact), str(margin)])
    return rows(out)


def periods() -> str:
    """Which periods occur: evaluation, width and formats, with the claim that says it."""
    out = []
    for line in LINES:
        verdict = "open" if line.claim is None else ledger()[line.claim].verdict
        out.append([inline(x) for x in (line.evaluation, line.where, line.certified, line.excluded, line.seen)] + [verdict])
    return rows(out)


def small_formats() -> str:
    """All layers of small formats."""
    return rows([[f"E{e}M{m}", str(n), grouped(f"{number:,}"), str(a), str(b)] for (e, m, n), (number, a, b) in SMALL.items()])


def hexadecimal(number: str) -> str:
    """A number of a format as C and Python read it."""
    return rf"\texttt{{{number}}}"


def counters() -> str:
    """The layers of width 3 that count."""
    out = []
    for format, layers in COUNTERS.items():
        for modulus, text in layers.items():
            x = [hexadecimal(n) for n in text.split()]
            out.append([inline(format.name), str(modulus), " ".join(x[:3]), x[3], x[4], " ".join(x[5:])])
    return rows(out)


def cycle_of_three() -> str:
    """The states of the layer modulo 3 in bfloat16 on 1, 1, 1, ..., with what leads from each to the next."""
    layer, how = counter(BFLOAT16, 3), Evaluation("separate", (0, 1, 2), update=False)
    states, length = cycle(layer, how, BFLOAT16.round)
    out = []
    for t, h in enumerate(states[:length]):
        s = dot(layer.k, rationals(h), how, BFLOAT16.round)
        u = BFLOAT16.round(layer.beta * BFLOAT16.round(layer.v - s))
        out.append([rf"$h_{t}$", *(rf"${x}$" for x in (*h, s, u))])
    return rows(out)


def narrow() -> str:
    """The layers of width 2 that count modulo 3."""
    return rows([[inline(format.name), *_split(text, (2, 1, 1, 2))] for format, text in WIDTH_TWO.items()])


def pairs() -> str:
    """The pairs of letters of width 2 in bfloat16."""
    return rows([[str(n), *_split(a, (2, 1, 1)), *_split(b, (2, 1, 1)), _split(h, (2,))[0]] for n, a, b, h in LETTERS])


def _split(text: str, lengths: Sequence[int]) -> list[str]:
    """Fractions in groups: a vector in brackets, a number alone."""
    numbers, out = [rf"{x}" for x in text.split()], []
    for n in lengths:
        part, numbers = numbers[:n], numbers[n:]
        out.append(rf"$({','.join(part)})$" if n > 1 else rf"${part[0]}$")
    return out


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
    "periods.tex": periods,
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
