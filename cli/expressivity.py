"""The expressivity table as a document: what docs/expressivity.md holds, drawn from the ledger and ``atlas/knowledge``."""

from __future__ import annotations

from ..atlas.cells import short
from ..atlas.knowledge import PRECISIONS, Task, knowledge
from .blocks import Block, Counts, Facts, Heading, Paragraph

LEGEND = (
    '"1 layer": one layer does it; "layers": several do and one does not ("layers?": one may); "no": no number of layers does; "not 1": one layer does not, '
    'more may; "?": open; "no*": unless a conjecture of complexity theory fails'
)

#: what the grade of a chain adds to a cell; nothing if all of it is proved by machine
GRADE = {"PROVED": "", "CHECKED": " c", "CITED": " lit", None: ""}


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
            f'{LEGEND}. A bare cell rests on proved claims alone; "c": the weakest claim is checked on instances (CHECKED); "lit": it rests on a publication that is not '
            "checked here (CITED)."
        ),
    ]
    for precision in ("states", "cast", "rounded"):
        out.append(Heading(2, PRECISIONS[precision].capitalize()))
        for kind, tasks in kinds().items():
            out += [Heading(3, kind.capitalize()), Counts(["model", *(t.name for t in tasks)], _rows(precision, tasks))]
    out += [
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
        rows.append([m.name, *(word + GRADE[grade] for word, grade in said)])
    return rows
