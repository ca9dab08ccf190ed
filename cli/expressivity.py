"""The expressivity table as a document: what docs/reference/expressivity.md holds, drawn from the ledger and ``atlas/knowledge``."""

from __future__ import annotations

from ..atlas.built import FORMATS, networks, written
from ..atlas.cells import asked_in, has_network, open_cells, short, shown_in
from ..atlas.knowledge import EVERY, PRECISIONS, Task, knowledge
from ..atlas.undecided import before, open_groups
from .blocks import Block, Counts, Facts, Generated, Heading, Paragraph

LEGEND = (
    '"1 layer": one layer does it; "layers": several do and one does not ("layers?": one may); "no": no number of layers does; "not 1": one layer does not, '
    'more may; "?": open; "no*": unless a conjecture of complexity theory fails'
)

#: what a cell of the page says, and what it adds
CELLS = {
    "1 layer": "one layer suffices",
    "layers": "several layers suffice, and one does not",
    "layers?": "several layers suffice, and one may",
    "no": "no number of layers suffices",
    "not 1": "one layer does not suffice, and more may",
    "?": "open",
    "an asterisk": "unless a conjecture of complexity theory fails",
    "nothing added": "the cell rests on proved claims alone",
    "d": "the weakest claim joins identities that the machine decided with prose (DERIVED)",
    "c": "the weakest claim is checked on instances (CHECKED)",
    "lit": "the cell rests on a publication that is not checked here (CITED)",
    "+": "a command builds a network, listed at the end with its data types and lengths",
}

#: a bar within a table
PIPE = r"\|"

#: what the grade of a chain adds to a cell; nothing if all of it is proved by machine
GRADE = {"PROVED": "", "DERIVED": " d", "CHECKED": " c", "CITED": " lit", None: ""}


def kinds(precision: str) -> dict[str, list[Task]]:
    """The tasks of an arithmetic by kind, as they come."""
    tasks = asked_in(precision)
    return {kind: [t for t in tasks if t.kind == kind] for kind in dict.fromkeys(t.kind for t in tasks)}


def expressivity() -> list[Block]:
    """Models, tasks, and the tables for each arithmetic."""
    known = knowledge()
    out: list[Block] = [
        Generated("lemmata can --markdown"),
        Heading(1, "Which recurrent model can do which task"),
        Paragraph(
            "For readers who ask what a recurrent model can compute. Every cell follows from claims of the ledger, by inclusions of "
            "models and reductions of tasks. `lemmata can TASK --model MODEL` prints the chain."
        ),
        Paragraph(
            "A network has finitely many layers with any decoders between them, and is right after every letter of words of every length. The table is about what exists, "
            "not about what training finds."
        ),
        Facts(list(CELLS.items())),
        Paragraph("If no command builds a network, nothing more is known about data types than the heading says."),
    ]
    for precision in PRECISIONS:
        out.append(Heading(2, PRECISIONS[precision].capitalize()))
        for kind, tasks in kinds(precision).items():
            out += [Heading(3, kind.capitalize()), Counts(["model", *(t.name for t in tasks)], _rows(precision, tasks))]
    out += [
        *_open(),
        *_networks(),
        Heading(2, "Models"),
        Facts([(m.name, f"{m.says}: ${m.transition}$" + (f" ({', '.join(m.names)})" if m.names else "")) for m in known.models.values()]),
        Heading(2, "Tasks"),
        Facts([(t.name, t.says) for t in known.tasks.values()]),
        Heading(2, "Cited"),
        Facts([(f"arXiv {p.arxiv}" if p.arxiv else "no arXiv", p.text) for p in known.publications.values()]),
    ]
    return out


def _rows(precision: str, tasks: list[Task]) -> list[list[str]]:
    rows = []
    for m in shown_in(precision):
        said = [short(m.id, t.id, precision) for t in tasks]
        rows.append(
            [
                m.name,
                *(
                    word + GRADE[grade] + (" +" if has_network(m.id, t.id, word) else "")
                    for t, (word, grade) in zip(tasks, said, strict=True)
                ),
            ]
        )
    return rows


def _open() -> list[Block]:
    """How many cells are open, before and now, and why each kind of them is."""
    earlier = before()
    rows = [
        [
            meaning,
            str(len(shown_in(precision)) * len(asked_in(precision))),
            str(len(open_cells(precision, "many"))),
            str(len(open_cells(precision, "one"))),
        ]
        for precision, meaning in PRECISIONS.items()
    ]
    rows.append(["an earlier table, of 22 models and three arithmetics", *map(str, (earlier.cells, earlier.any, earlier.one))])
    still, cells = earlier.still_open, len(earlier.recurrent) * len(earlier.regular)
    rows.append(
        [
            f"its {len(earlier.recurrent)} recurrent models and {len(earlier.regular)} regular tasks, today, exact states",
            str(cells),
            *(str(still[d]) for d in ("many", "one")),
        ]
    )
    reasons = [[PRECISIONS[g.arithmetic], g.name, str(g.many), str(g.one), g.because] for g in open_groups()]
    return [
        Heading(2, "Open cells"),
        Counts(["arithmetic", "cells", "open, any number of layers", "open, one layer"], rows),
        Paragraph("Why each kind of cell is open:"),
        Counts(["arithmetic", "models", "open, any number of layers", "open, one layer", "what is missing"], reasons),
    ]


def _networks() -> list[Block]:
    """What the commands build, measured."""
    out: list[Block] = [
        Heading(2, "Networks that commands build"),
        Paragraph(
            "Each network is compiled and proved right at every length in exact arithmetic. For each data type there is a length up to which rounding changes no answer, "
            "rounded down to two digits. [Rounding](../explanation/rounding.md) has the proofs."
        ),
        Paragraph(
            "The first length is for the step-by-step loop, h → A h + b. Where the delta rule differs, its length follows after a slash."
        ),
        Paragraph(
            "A plus sign marks a cell if one of these networks belongs to the model or to one that it contains, with as many layers. "
            "If a task has parameters, the network is for the instance named."
        ),
        Paragraph("That rounding leaves a network right decides a cell only if a claim says so; integers are not rounded."),
    ]
    header = ["task", "command", "layers of width", *FORMATS]
    rows = [
        [
            _task(b.task, b.instance),
            f"`{b.command.replace('|', PIPE)}`",
            b.widths_in_words(),
            *(_lengths(b.right_up_to, dtype) for dtype in FORMATS),
        ]
        for b in networks()
    ]
    return [*out, Counts(header, rows)]


def _task(id: str, instance: str | None) -> str:
    return knowledge().tasks[id].name + (f": {instance}" if instance else "")


def _lengths(right_up_to: dict[str, dict[str, int | str]], dtype: str) -> str:
    said = [written(right_up_to[path][dtype]) for path in ("loop", "delta") if path in right_up_to and dtype in right_up_to[path]]
    return " / ".join(dict.fromkeys(said)).replace(EVERY, "every") or "-"
