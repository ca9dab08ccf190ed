"""The expressivity table as a document: what docs/reference/expressivity.md holds, drawn from the ledger and ``atlas/knowledge``."""

from __future__ import annotations

from ..atlas.built import FORMATS, networks, written
from ..atlas.cells import has_network, short
from ..atlas.knowledge import EVERY, PRECISIONS, Task, knowledge
from .blocks import Block, Counts, Facts, Heading, Paragraph

LEGEND = (
    '"1 layer": one layer does it; "layers": several do and one does not ("layers?": one may); "no": no number of layers does; "not 1": one layer does not, '
    'more may; "?": open; "no*": unless a conjecture of complexity theory fails'
)

#: a bar within a table
PIPE = r"\|"

#: what the grade of a chain adds to a cell; nothing if all of it is proved by machine
GRADE = {"PROVED": "", "DERIVED": " d", "CHECKED": " c", "CITED": " lit", None: ""}


def kinds() -> dict[str, list[Task]]:
    """The tasks by kind, as they come."""
    tasks = knowledge().tasks.values()
    return {kind: [t for t in tasks if t.kind == kind] for kind in dict.fromkeys(t.kind for t in tasks)}


def expressivity() -> list[Block]:
    """Models, tasks, and the tables for each arithmetic but the reals."""
    known = knowledge()
    out: list[Block] = [
        Heading(1, "Which recurrent model can do which task"),
        Paragraph(
            "Written by `lemmata can --markdown`. Every cell follows from claims of the ledger, by inclusions of models and reductions of tasks, and "
            "`lemmata can --model MODEL --task TASK` prints the chain. A network has finitely many layers with any decoders between them, is right after every letter of "
            "words of every length, and is measured by what exists, not by what training finds."
        ),
        Paragraph(
            f'{LEGEND}. A bare cell rests on proved claims alone; "d": the weakest claim joins identities decided by machine with prose (DERIVED); "c": the weakest claim is checked on instances (CHECKED); "lit": it rests on a publication that is not '
            'checked here (CITED); "+": a command builds it, [below](#networks-that-commands-build) with data types and lengths. A yes is about every length; '
            "where no command builds it, nothing more is said of data types than the heading says."
        ),
    ]
    for precision in ("states", "cast", "rounded"):
        out.append(Heading(2, PRECISIONS[precision].capitalize()))
        for kind, tasks in kinds().items():
            out += [Heading(3, kind.capitalize()), Counts(["model", *(t.name for t in tasks)], _rows(precision, tasks))]
    out += [
        *_networks(),
        Heading(2, "Models"),
        Facts([(m.name, f"{m.says}: ${m.transition}$" + (f" ({', '.join(m.names)})" if m.names else "")) for m in known.models.values()]),
        Heading(2, "Tasks"),
        Facts([(t.name, t.says) for t in known.tasks.values()]),
        Heading(2, "Cited"),
        Facts([(f"arXiv {p.arxiv}", p.text) for p in known.publications.values()]),
    ]
    return out


def _rows(precision: str, tasks: list[Task]) -> list[list[str]]:
    rows = []
    for id, m in knowledge().models.items():
        said = [short(id, t.id, precision) for t in tasks]
        rows.append(
            [
                m.name,
                *(
                    word + GRADE[grade] + (" +" if has_network(id, t.id, word) else "")
                    for t, (word, grade) in zip(tasks, said, strict=True)
                ),
            ]
        )
    return rows


def _networks() -> list[Block]:
    """What the commands build, measured."""
    out: list[Block] = [
        Heading(2, "Networks that commands build"),
        Paragraph(
            "Compiled and proved right at every length in exact arithmetic; then, for each data type, a length up to which rounding leaves every word right, proved as "
            "[rounding](../explanation/rounding.md) says and rounded down here to two digits. Run step by step, h -> A h + b; where it differs, after a slash, run factor by factor, as the delta rule. "
            "A cell of the tables has a + if one of these networks is in the model by definition, or in one that the model holds, with as many layers as the cell says. "
            "Of a task that stands for many, the network is for the instance named. That rounding leaves a network right decides a cell only if a claim says so (whole numbers are not rounded)."
        ),
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
