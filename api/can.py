"""``lemmata.can``: which model can do which task, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ..atlas.cells import (
    LAYERS,
    answer,
    asked_in,
    cell,
    chain,
    models_named,
    names_a_model,
    names_a_task,
    networks_of,
    places,
    promises,
    recipe,
    short,
    shown_in,
    task_named,
)
from ..atlas.inference import DEPTHS, Place
from ..atlas.knowledge import PRECISIONS, Task, knowledge
from ..cli.console import STYLE
from ..cli.expressivity import LEGEND, kinds
from ..cli.titles import set_text
from ..theorems.ledger import require_known
from .question import Question, question
from .result import Result, written_whole

if TYPE_CHECKING:
    from pathlib import Path

    from ..constructions.automata import Automaton
    from .languages import LanguageAnswer

MARKS = {"yes": ("yes", "green"), "no": ("no", "red"), "open": ("open", "yellow")}


@dataclass(frozen=True, repr=False)
class Answer(Result):
    """What the table says of one model and one task, of one of them, or of all.

    Attributes:
        models: The ids of the models that the name may mean; None for all models.
        task: The id of the task; None for all tasks.
        took: What the question was taken to be about, such as "task S_5".
        precision: The arithmetic that is printed where not both are given: exact, margin, rounded, log or reals. A task may have its own.
    """

    models: tuple[str, ...] | None
    task: str | None
    took: str
    precision: str = "exact"

    def at(self, precision: str) -> Answer:
        """The same question in another arithmetic: exact, margin, rounded, log or reals.

        Args:
            precision: One of these five.
        """
        require_known("precision", [precision], PRECISIONS)
        return replace(self, precision=precision)

    def says(self, layers: str = "many", precision: str | None = None) -> str:
        """Of one model and one task: "yes", "no" or "open".

        Args:
            layers: "one" layer, or "many" for any number of layers.
            precision: Another arithmetic than that of the answer.

        Raises:
            ValueError: The question names no model or no task, or the rows of a name that stands for several do not agree.
        """
        if self.models is None or self.task is None:
            raise ValueError("expected a question about one model and one task: lemmata.can(task, model=model)")
        require_known("number of layers", [layers], DEPTHS)
        chosen = self.at(precision or self.precision).precision
        said = {m: answer(Place(m, self.task, layers, chosen))[0] for m in self.models}
        if len(set(said.values())) > 1:
            raise ValueError(
                f"expected one model, got {', '.join(f'{knowledge().models[m].names[0]} ({word})' for m, word in said.items())}"
            )
        return said[self.models[0]]

    @property
    def places(self) -> list[Place]:
        """The cells of the table that the question is about."""
        if self.models is not None and self.task is not None:
            return [p for m in self.models for p in places(m, self.task)]
        models = [m.id for m in shown_in(self.precision)] if self.models is None else self.models
        tasks = [t.id for t in asked_in(self.precision)] if self.task is None else [self.task]
        return [Place(m, t, depth, self.precision) for m in models for t in tasks for depth in DEPTHS]

    @property
    def data(self) -> list[dict[str, Any]]:
        """A dictionary for each cell: the answer, its grade, the chain of claims, and what a command builds."""
        return [cell(p) for p in self.places]

    def parts(self) -> Iterator[RenderableType]:
        if self.models is not None and self.task is not None:
            if len(self.models) > 1:
                yield from self._summary(self.models, self.task)
            for k, model in enumerate(self.models):
                if k:
                    yield Text("")
                yield from self._cell(model, self.task)
        elif self.models is not None:
            for k, model in enumerate(self.models):
                if k:
                    yield Text("")
                yield from replace(self, models=(model,))._rows()
        else:
            yield from self._rows() if self.task is not None else self._table()

    def _summary(self, models: tuple[str, ...], task: str) -> Iterator[RenderableType]:
        """The rows that a bare name may mean, with their answers in the arithmetic of the question."""
        yield Text(f"{len(models)} rows have this name; {PRECISIONS[self.precision]}\n")
        table = _plain_table("model", *LAYERS.values())
        for m in models:
            table.add_row(
                set_text(knowledge().models[m].name), *(_mark(*answer(Place(m, task, depth, self.precision))) for depth in DEPTHS)
            )
        yield table
        yield Text("")

    def _cell(self, model: str, task: str) -> Iterator[RenderableType]:
        """One model and one task: the answers, then the chains that give them, each once."""
        m, t = knowledge().models[model], knowledge().tasks[task]
        yield Text.assemble((set_text(m.name), "bold"), f" ({set_text(', '.join(m.names))}): {m.says}")
        yield Text.assemble((set_text(t.name), "bold"), f": {set_text(t.says)}\n")
        table = _plain_table("arithmetic", *LAYERS.values(), "why")
        chains: list[list[str]] = []
        for precision, meaning in PRECISIONS.items():
            row: list[str | Text] = [meaning]
            numbers = []
            cells = [(p, *answer(p)) for p in places(model, task) if p.precision == precision]
            if precision in ("log", "reals") and not any(reason for _, _, reason in cells):
                continue
            if m.own not in (None, precision) or t.own not in (None, precision):
                continue
            for place, said, reason in cells:
                row.append(_mark(said, reason))
                if reason is not None:
                    lines = list(chain(place))
                    if lines not in chains:
                        chains.append(lines)
                    numbers.append(chains.index(lines) + 1)
            table.add_row(*row, ", ".join(f"({k})" for k in dict.fromkeys(numbers)))
        yield table
        for k, lines in enumerate(chains, 1):
            yield Text(f"\n({k}) " + "\n    ".join(map(set_text, lines)))
        if not chains:
            yield Text("\nopen: no claim of the ledger and no publication that it cites decides this")
        for b in dict.fromkeys(b for place in places(model, task) for b in networks_of(place)):
            yield written_whole(f"\nbuild it: {b.command}")
            instance = f"for {set_text(b.instance)}: " if b.instance else ""
            yield Padding(f"{instance}{b.shape()}, {b.lengths(model)}", (0, 0, 0, 4))
        for command in dict.fromkeys(filter(None, map(recipe, places(model, task)))):
            yield written_whole(f"\nbuild any of them: {command}")
        for line in promises(model, task):
            yield Text(f"\n{line}")

    def _rows(self) -> Iterator[RenderableType]:
        """One model against all tasks, or one task against all models."""
        who = f"{set_text(knowledge().models[self.models[0]].name)}; " if self.models is not None else ""
        yield Text(f"{who}{PRECISIONS[self.precision]}\n")
        table = _plain_table("task" if self.task is None else "model", *LAYERS.values())
        for one, many in zip(self.places[::2], self.places[1::2], strict=True):
            name = knowledge().tasks[one.task].name if self.task is None else knowledge().models[one.model].name
            table.add_row(set_text(name), *(_mark(*answer(place)) for place in (one, many)))
        yield table

    def _table(self) -> Iterator[RenderableType]:
        """All models against all tasks, a table for each kind of task."""
        yield Text(f"{PRECISIONS[self.precision]}; {LEGEND}")
        for kind, tasks in kinds(self.precision).items():
            table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold", title=f"\n{kind}", title_justify="left")
            table.add_column("model", max_width=14)
            for t in tasks:
                table.add_column(set_text(t.name), min_width=7)
            for m in shown_in(self.precision):
                said = [short(m.id, t.id, self.precision) for t in tasks]
                table.add_row(set_text(m.names[0]), *(Text(word, STYLE.get(grade or "OPEN", "")) for word, grade in said))
            yield table
        yield Text("\nwhy: lemmata can TASK --model MODEL")


def can(
    task: str | None = None,
    *,
    model: str | None = None,
    regex: str | None = None,
    automaton: Automaton | str | Path | None = None,
    group: str | None = None,
    generators: str | None = None,
    alphabet: str | None = None,
    elements: bool = False,
    complete: bool = False,
    layers: int | None = None,
) -> Answer | LanguageAnswer:
    """Say which recurrent model can do which task, or recognise which language, with what shows it.

    Args:
        task: A task of the table, such as "parity" or "S5" (``lemmata.can()`` lists them); or a group; or else a regular expression.
        model: A class of transitions, or an architecture that people call so, such as "DeltaNet".
        regex: A regular expression (docs/reference/inputs.md).
        automaton: An automaton, or the path of a JSON file with one. Without accepting states and outputs its states are to be tracked.
        group: A group; its generators are the letters.
        generators: A permutation group in cycle notation, such as "(0 1)(2 3), (0 1 2)".
        alphabet: With ``regex``: all letters; otherwise those that it mentions.
        elements: With a group: every element is a letter.
        complete: With ``automaton``: add a sink for missing transitions.
        layers: Of one language: which models recognise it with at most so many layers.

    Returns:
        Of a task: the answer in every arithmetic, for one model or for all. Of a language: for each model a yes with its number of layers,
        a no with words that forbid it, or "open". Its ``check`` replays all words. Of neither: the whole table.

    Raises:
        ValueError: A name is not known, the input cannot be read, or ``layers`` is asked of a task that stands for many languages.

    Example:
        >>> import lemmata as lm
        >>> lm.can("S5", model="DeltaNet [0, 1]").says(layers="many")
        'no'
        >>> lm.can("S5", model="DeltaProduct_4").says(layers="one")
        'yes'
        >>> lm.can("S5").took
        'task S_5'
        >>> answer = lm.can("a*b*", model="bistable")
        >>> answer.took
        'regex a*b*'
        >>> answer.says(), answer.says(layers="one"), all(answer.check().values())
        ('yes', 'no', True)
        >>> lm.can("a*b*", model="DeltaNet [-1, 1]", layers=1).says()
        'no'
    """
    if task is not None and names_a_model(task) and not names_a_task(task):
        raise ValueError(f"expected a task, got the model {task}: ask with --model, or lemmata.can(task, model={task!r})")
    names = [t.name for t in knowledge().tasks.values()]
    asked = question(task, names_a_task, names, regex=regex, automaton=automaton, group=group, generators=generators)
    options = {name: value for name, value in {"alphabet": alphabet, "elements": elements, "complete": complete}.items() if value}
    if asked is None or asked.kind == "task":
        if options:
            raise ValueError(f"expected {next(iter(options))} with regex, automaton, group or generators only, got it without them")
        row = None if asked is None else task_named(asked.given)
        if layers is not None:
            return _of_machine(row, model, layers)
        chosen = None if model is None else tuple(m.id for m in models_named(model))
        if row is None:
            return Answer(chosen, None, "all tasks")
        return Answer(chosen, row.id, f"task {row.name}", row.own or "exact")
    from .languages import answer_of

    return answer_of(asked, model, layers, **options)


def _of_machine(task: Task | None, model: str | None, layers: int) -> LanguageAnswer:
    """A task that is one machine, as a question about its language with at most so many layers."""
    from .languages import answer_of

    if task is None or task.machine is None:
        given = "all tasks" if task is None else f"{task.name}, which stands for many languages or none"
        raise ValueError(f"expected one language with layers, such as parity or a regular expression, got {given}")
    (kind, given), *options = task.machine.items()
    answer = answer_of(Question(kind, given), model, layers, **dict(options))
    return replace(answer, took=f"task {task.name}: {answer.took}", precision=task.own or "exact")


def _plain_table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for name in columns:
        table.add_column(name)
    return table


def _mark(said: str, reason: Any) -> Text:
    word, colour = MARKS[said]
    text = Text(word, colour)
    if reason is not None:
        text.append(f" {reason.grade}", STYLE.get(reason.grade, "dim"))
        if reason.fact.unless:
            text.append(f", unless {reason.fact.unless}", "dim")
    return text
