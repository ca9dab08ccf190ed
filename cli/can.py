"""``lemmata can``: which model can do which task, and why."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from .console import STYLE, out, print_json
from .options import Json

MARKS = {"yes": ("yes", "green"), "no": ("no", "red"), "open": ("open", "yellow")}


def can_command(
    model: Annotated[str | None, typer.Option("--model", help="A class of transitions, or an architecture such as DeltaNet.")] = None,
    task: Annotated[str | None, typer.Option("--task", help="Such as parity, S5, star-free.")] = None,
    precision: Annotated[
        str,
        typer.Option(
            "--precision", help="The arithmetic: states, cast, rounded or reals; matters where not both --model and --task are given."
        ),
    ] = "states",
    as_markdown: Annotated[
        bool, typer.Option("--markdown", help="Print the page with all tables: what docs/reference/expressivity.md holds.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Say which model can do which task, with the chain of claims that shows it; the whole table if neither is named.

    Answers follow from the ledger by inclusions of models and reductions of tasks. What rests on publications that are not checked here says CITED.
    """
    from ..atlas.cells import cell, model_named, places, task_named
    from ..atlas.inference import DEPTHS, Place
    from ..atlas.knowledge import PRECISIONS, knowledge
    from ..theorems.ledger import require_known
    from .expressivity import expressivity
    from .markdown import markdown

    require_known("precision", [precision], PRECISIONS)
    models = [model_named(model).id] if model is not None else list(knowledge().models)
    tasks = [task_named(task).id] if task is not None else list(knowledge().tasks)
    if as_markdown:
        print(markdown(expressivity()), end="")
        return
    if model is not None and task is not None:
        chosen = places(models[0], tasks[0])
    else:
        chosen = [Place(m, t, depth, precision) for m in models for t in tasks for depth in DEPTHS]
    if as_json:
        print_json([cell(p) for p in chosen])
    elif model is not None and task is not None:
        _page(models[0], tasks[0], chosen)
    elif model is not None or task is not None:
        _rows(chosen, model is not None, precision)
    else:
        _table(precision)


def _page(model: str, task: str, chosen: list[Any]) -> None:
    """One model and one task: the answers, then the chains that give them, each once."""
    from ..atlas.cells import LAYERS, answer, chain, networks_of, promises, recipe
    from ..atlas.knowledge import PRECISIONS, knowledge

    m, t = knowledge().models[model], knowledge().tasks[task]
    out.print(Text.assemble((m.name, "bold"), f" ({', '.join(m.names)}): {m.says}"))
    out.print(Text.assemble((t.name, "bold"), f": {t.says}\n"))
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for name in ("arithmetic", *LAYERS.values(), "why"):
        table.add_column(name)
    chains: list[list[str]] = []
    for precision, meaning in PRECISIONS.items():
        row, numbers = [meaning], []
        cells = [(p, *answer(p)) for p in chosen if p.precision == precision]
        if precision == "reals" and not any(reason for _, _, reason in cells):
            continue
        for place, said, reason in cells:
            row.append(_mark(said, reason))
            if reason is not None:
                lines = list(chain(place))
                if lines not in chains:
                    chains.append(lines)
                numbers.append(chains.index(lines) + 1)
        table.add_row(*row, ", ".join(f"({k})" for k in dict.fromkeys(numbers)))
    out.print(table)
    for k, lines in enumerate(chains, 1):
        out.print()
        out.print(Text(f"({k}) " + "\n    ".join(lines)))
    if not chains:
        out.print("\nopen: no claim of the ledger and no publication that it cites decides this")
    for b in dict.fromkeys(b for place in chosen for b in networks_of(place)):
        out.print(Text(f"\nbuild it: {b.command}"), soft_wrap=True)
        instance = f"for {b.instance}: " if b.instance else ""
        out.print(Padding(f"{instance}{b.shape()}, {b.lengths(model)}", (0, 0, 0, 4)))
    for command in dict.fromkeys(filter(None, map(recipe, chosen))):
        out.print(Text(f"\nbuild any of them: {command}"), soft_wrap=True)
    for line in promises(model, task):
        out.print(f"\n{line}")


def _mark(said: str, reason: Any) -> Text:
    word, colour = MARKS[said]
    text = Text(word, colour)
    if reason is not None:
        text.append(f" {reason.grade}", STYLE.get(reason.grade, "dim"))
        if reason.fact.unless:
            text.append(f", unless {reason.fact.unless}", "dim")
    return text


def _rows(chosen: list[Any], by_task: bool, precision: str) -> None:
    """One model against all tasks, or one task against all models."""
    from ..atlas.cells import LAYERS, answer
    from ..atlas.knowledge import PRECISIONS, knowledge

    known = knowledge()
    out.print(f"{PRECISIONS[precision]}\n")
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for name in ("task" if by_task else "model", *LAYERS.values()):
        table.add_column(name)
    for one, many in zip(chosen[::2], chosen[1::2], strict=True):
        name = known.tasks[one.task].name if by_task else known.models[one.model].name
        table.add_row(name, *(_mark(*answer(place)) for place in (one, many)))
    out.print(table)


def _table(precision: str) -> None:
    """All models against all tasks, a table for each kind of task."""
    from ..atlas.cells import short
    from ..atlas.knowledge import PRECISIONS, knowledge
    from .expressivity import LEGEND, kinds

    known = knowledge()
    out.print(f"{PRECISIONS[precision]}; {LEGEND}")
    for kind, tasks in kinds().items():
        table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold", title=f"\n{kind}", title_justify="left")
        table.add_column("model", max_width=14)
        for t in tasks:
            table.add_column(t.name, min_width=7)
        for id, m in known.models.items():
            said = [short(id, t.id, precision) for t in tasks]
            table.add_row(m.names[0], *(Text(word, STYLE.get(grade or "OPEN", "")) for word, grade in said))
        out.print(table)
    out.print("\nwhy: lemmata can --model MODEL --task TASK")
