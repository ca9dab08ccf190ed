"""A cell of the table, in words and as data."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from ..theorems.ledger import require_known
from .built import Built, built_for
from .inference import DEPTHS, GRADES, Place, Reason, answers
from .knowledge import PRECISIONS, UNCOUNTED, Fact, Model, Task, knowledge

LAYERS = {"one": "one layer", "many": "any number of layers"}


def models_named(name: str) -> list[Model]:
    """The models that a name is given to, by id, name or architecture, whatever the case; ``ValueError`` with near names if there is none.

    A bare name whose options change the range, such as DeltaNet, gives all rows that it may mean.
    """
    models, wanted = list(knowledge().models.values()), _plain(name)
    found = [m for m in models if wanted in (_plain(key) for key in _names(m))]
    if not found:
        found = [m for m in models if any(_plain(n).startswith((f"{wanted}[", f"{wanted}with")) for n in m.names)]
    if not found:
        bare = dict.fromkeys(bare_name(n) for m in models for n in m.names)
        require_known("model", [name], [*dict.fromkeys([*bare, *(key for m in models for key in _names(m))])])
    return found


def bare_name(name: str) -> str:
    """An architecture without the options that choose its range: DeltaNet of "DeltaNet [0, 1] with convolution"."""
    return name.split(" [")[0].split(" with")[0]


def model_named(name: str) -> Model:
    """The one model of this name. Raises ``ValueError`` if it stands for none or for several."""
    found = models_named(name)
    if len(found) > 1:
        raise ValueError(f"expected one model, got {name}, which may mean {', '.join(m.names[0] for m in found)}")
    return found[0]


def _names(m: Model) -> tuple[str, ...]:
    return (m.id, m.name, *m.names)


def shown_in(precision: str) -> list[Model]:
    """The models of the table of an arithmetic: those of which something is known there, and none whose theorems speak of another."""
    known = models_answered(precision)
    return [m for m in knowledge().models.values() if m.own in (None, precision) and m.id in known]


def asked_in(precision: str) -> list[Task]:
    """The tasks of the table of an arithmetic: none that can be asked in another alone."""
    return [t for t in knowledge().tasks.values() if t.own in (None, precision)]


def open_cells(precision: str, depth: str) -> list[Place]:
    """The cells of the table of an arithmetic that are open, for one layer or for many."""
    cells = (Place(m.id, t.id, depth, precision) for m in shown_in(precision) for t in asked_in(precision))
    return [p for p in cells if answer(p)[0] == "open"]


@cache
def models_answered(precision: str) -> frozenset[str]:
    """The models of which something is known in an arithmetic."""
    found = answers()
    return frozenset(p.model for p in (*found.yes, *found.no) if p.precision == precision)


def names_a_model(name: str) -> bool:
    """Whether a model has this id, name or architecture, whatever the case."""
    known = {_plain(key) for m in knowledge().models.values() for key in _names(m)}
    return any(key == _plain(name) or key.startswith((f"{_plain(name)}[", f"{_plain(name)}with")) for key in known)


def task_named(name: str) -> Task:
    """The task of this id or name, whatever the case; ``S5`` and ``S_5`` are one. Raises ``ValueError`` naming near ones."""
    return _named("task", name, {key: t for t in knowledge().tasks.values() for key in (t.id, t.name)})


def names_a_task(name: str, kind: str | None = None) -> bool:
    """Whether a task, or a task of this kind, has this id or name, whatever the case."""
    tasks = [t for t in knowledge().tasks.values() if kind in (None, t.kind)]
    return _plain(name) in {_plain(key) for t in tasks for key in (t.id, t.name)}


def _named(what: str, name: str, known: dict[str, Any]) -> Any:
    plain = {_plain(key): found for key, found in known.items()}
    if _plain(name) not in plain:
        require_known(what, [name], list(known))
    return plain[_plain(name)]


def _plain(name: str) -> str:
    return name.lower().replace("_", "").replace(" ", "").replace("-", "")


def answer(place: Place) -> tuple[str, Reason | None]:
    """Yes, no or open, and why. What no number of layers can do is said of one layer with the same reason, if that stands as well."""
    found = answers()
    if place in found.yes:
        return "yes", found.yes[place]
    reasons = [found.no[p] for p in (place._replace(depth="many"), place) if p in found.no]
    if place in found.no:
        return "no", min(reasons, key=lambda reason: GRADES.index(reason.grade))
    return "open", None


def sentence(place: Place) -> str:
    """The answer as a sentence."""
    said, reason = answer(place)
    model, task = knowledge().models[place.model].name, knowledge().tasks[place.task].name
    where = PRECISIONS[place.precision]
    if reason is None:
        return f"{model}, {task}, {LAYERS[place.depth]}: open ({where})"
    unless = f", unless {reason.fact.unless}" if reason.fact.unless else ""
    return f"{model}, {task}, {LAYERS[place.depth]}: {said}{unless} ({where})"


def short(model: str, task: str, precision: str) -> tuple[str, str | None]:
    """Both cells of a model and a task in two words, with the grade of what they rest on.

    "1 layer" and "layers" do it (one layer does not, or with a question mark: may), "no" number of layers does, "not 1" layer does.
    """
    (one, why_one), (many, why_many) = (answer(Place(model, task, depth, precision)) for depth in DEPTHS)
    if one == "yes" and why_one:
        return "1 layer", why_one.grade
    if many == "yes" and why_many:
        return ("layers" if one == "no" else "layers?"), why_many.grade
    if many == "no" and why_many:
        return ("no*" if why_many.fact.unless else "no"), why_many.grade
    if one == "no" and why_one:
        return "not 1", why_one.grade
    return "?", None


def recipe(place: Place) -> str | None:
    """Of a task that stands for many: how to build a network for each of them, if a command does."""
    said, reason = answer(place)
    single = any(b.instance is None for b in networks_of(place))
    return reason.fact.command if said == "yes" and reason and not single else None


def length_said(place: Place) -> str:
    """Of a yes: data types and lengths of the network that a command builds; where none does, what the claims promise."""
    built = networks_of(place)
    return f"{built[0].shape()}, {built[0].lengths(place.model)}" if built else _promised(place)


def promises(model: str, task: str) -> list[str]:
    """Of a model that does a task, while no command builds that: what is said of length and numbers, in exact arithmetic and where it is rounded."""
    yes = [p for p in places(model, task) if answer(p)[0] == "yes"]
    if not yes or any(networks_of(p) for p in yes):
        return []
    return [f"no command builds it; {said}" for said in dict.fromkeys(_promised(p) for p in yes if p == yes[0] or p.precision == "rounded")]


def _promised(place: Place) -> str:
    formats = "in the formats that it names" if place.precision == "rounded" else "and says nothing of a data type"
    return f"what it rests on promises every length ({PRECISIONS[place.precision]}) {formats}"


def has_network(model: str, task: str, word: str) -> bool:
    """Whether a command builds what a word of :func:`short` says."""
    return word in ("1 layer", "layers", "layers?") and bool(built_for(model, task, "one" if word == "1 layer" else "many"))


def networks_of(place: Place) -> tuple[Built, ...]:
    """Networks that commands build for the cell, at most two; that there is one decides nothing by itself."""
    return built_for(place.model, place.task, place.depth)


def chain(place: Place) -> Iterator[str]:
    """Why, a line for each link: the fact that decides, and how it comes from there to this cell."""
    said, reason = answer(place)
    if reason is None:
        return
    where = f", {reason.fact.place}" if reason.fact.place else ""
    yield f"{_decided(reason.fact)}: {', '.join([*reason.fact.claims, *map(_published, reason.fact.cites)])}{where}"
    if reason.fact.rounding or reason.fact.assumes:
        yield f"rounding: {reason.fact.rounding}" if reason.fact.rounding else f"assumes: {reason.fact.assumes}"
    here = (reason.fact.model, reason.fact.task)
    for step in reason.steps:
        there = (step.place.model, step.place.task)
        if there[0] != here[0]:
            yield f"so {_can(said)} {knowledge().models[there[0]].name}: {step.because}{_carried(step.claims)}"
        elif there[1] != here[1]:
            yield f"so {said} for {knowledge().tasks[there[1]].name}: {step.because}{_carried(step.claims)}"
        here = there
    cast = _even_if_cast(place)
    if said == "no" and cast is not None:
        yield f"so it is even if exact states are cast onto a finite set when they are read ({', '.join(cast.claims)})"


def _even_if_cast(place: Place) -> Reason | None:
    """Why a no stands even if exact states are cast when they are read, of every number of layers if possible."""
    found = answers().cast
    return found.get(place._replace(depth="many"), found.get(place))


def _can(said: str) -> str:
    return "can" if said == "yes" else "cannot"


def _carried(claims: tuple[str, ...]) -> str:
    return f" ({', '.join(claims)})" if claims else ""


def _published(key: str) -> str:
    publication = knowledge().publications[key]
    return f"{publication.text} (arXiv {publication.arxiv})" if publication.arxiv else publication.text


def _decided(fact: Fact) -> str:
    model, task = knowledge().models[fact.model].name, knowledge().tasks[fact.task].name
    note = f"; {fact.note}" if fact.note else ""
    if not fact.can:
        return f"{model} cannot do {task} with {LAYERS['one' if fact.layers == '1' else 'many']}{note}"
    if fact.layers == UNCOUNTED:
        return f"{model} can do {task}{note}"
    if not fact.layers.isdigit():
        width = f"; width: {fact.width}" if fact.width else ""
        return f"{model} can do {task} (layers: {fact.layers}{width}){note}"
    width = f" of width {fact.width}" if fact.width else ""
    return f"{model} can do {task} with {fact.layers} layer{'' if fact.layers == '1' else 's'}{width}{note}"


def cell(place: Place) -> dict[str, Any]:
    """The cell as plain data."""
    said, reason = answer(place)
    facts: dict[str, Any] = {
        "model": place.model,
        "task": place.task,
        "layers": place.depth,
        "precision": place.precision,
        "answer": said,
    }
    if reason is None:
        return facts
    fact = reason.fact
    return facts | {
        "grade": reason.grade,
        "unless": fact.unless,
        "claims": reason.claims,
        "cites": fact.cites,
        "place": fact.place,
        "rounding": fact.rounding,
        "assumes": fact.assumes,
        "even if cast": said == "no" and _even_if_cast(place) is not None,
        "enough layers": fact.layers if fact.can else None,
        "width": fact.width,
        "command": recipe(place) or next((b.command for b in networks_of(place)), None),
        "built": [b.facts(place.model) for b in networks_of(place)] if said == "yes" else [],
        "length": length_said(place) if said == "yes" else None,
        "chain": list(chain(place)),
    }


def places(model: str, task: str) -> list[Place]:
    """The cells of a model and a task: every arithmetic, one layer and many."""
    return [Place(model, task, depth, precision) for precision in PRECISIONS for depth in DEPTHS]
