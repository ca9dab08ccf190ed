"""Models, tasks and facts as ``knowledge/*.toml`` hold them, read and held to the ledger."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from ..theorems.ledger import HOLDS, ledger

FOLDER = Path(__file__).with_name("knowledge")

#: what the commands of builds.toml come to, written by :mod:`.building`
MEASURED = FOLDER / "built.json"

EVERY = "every length"

#: what regular tasks have, by the procedures of constructions/languages, written by :mod:`.regular`
REGULAR = FOLDER / "regular.json"

#: how numbers are held: the one vocabulary of the table, of ``lemmata can`` and of the site
PRECISIONS = {
    "exact": "finitely many states, held exactly",
    "margin": "bounded states, finitely many values handed up, with a margin",
    "rounded": "every operation rounded, in the format and order that each answer names",
    "log": "numbers of O(log T) bits, decoders fixed piecewise linear maps",
    "reals": "real numbers, exactly, with what each answer assumes",
}

#: an arithmetic -> the one in which each of its yes is a yes too
KINDER = {"exact": "margin", "margin": "reals"}

#: what a fact says that comes from a row of languages.toml in which the number of layers is not counted
UNCOUNTED = "not counted"


@dataclass(frozen=True, kw_only=True)
class Model:
    """A class of transitions, and the architectures that it covers. ``holds`` is the formula by which compiled networks are of it (:mod:`.membership`).

    ``own`` is the arithmetic of which alone its theorems speak, for what is no recurrence of the table.
    """

    id: str
    name: str
    transition: str
    says: str
    names: list[str]
    holds: str
    own: str | None = None


@dataclass(frozen=True, kw_only=True)
class Task:
    """What a network is to say after every letter. ``kind`` is the table that it stands in; ``machine`` names the automaton of a task that is one.

    A task that stands for many languages has a ``family``, the properties that are exactly theirs or that all of them have, and ``members``.
    ``own`` is the arithmetic in which alone it can be asked.
    """

    id: str
    kind: str
    name: str
    says: str
    machine: dict[str, Any] | None = None
    family: list[str] | None = None
    members: list[dict[str, Any]] = field(default_factory=list)
    own: str | None = None


@dataclass(frozen=True, kw_only=True)
class Inclusion:
    """Every layer of the small class is one of the large class; with ``layers`` "many", several."""

    small: str
    large: str
    because: str
    layers: str = "one"
    claims: list[str] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class Reduction:
    """Whoever does the harder task does the easier one, with the same layers."""

    harder: str
    easier: str
    because: str
    claims: list[str] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class Fact:
    """What claims or publications decide by themselves; ``place`` is where in the publications.

    ``layers`` of a yes is how many do, in words if there is no one number; of a no "1" for a single layer, "any" for every number.
    ``rounding`` names format and order of evaluation where operations are rounded, ``assumes`` what is assumed of real numbers.
    ``cast``: a no that stands even if exact states are cast onto a finite set when they are read. ``derived``: from a row of languages.toml.
    """

    can: bool
    model: str
    task: str
    layers: str
    precision: str
    claims: list[str] = field(default_factory=list)
    cites: list[str] = field(default_factory=list)
    width: str | None = None
    command: str | None = None
    note: str | None = None
    unless: str | None = None
    place: str | None = None
    rounding: str | None = None
    assumes: str | None = None
    cast: bool = False
    derived: bool = False


@dataclass(frozen=True, kw_only=True)
class Publication:
    """What we cite and do not check."""

    text: str
    arxiv: str


@dataclass(frozen=True)
class Knowledge:
    """Everything that is put in. Raises ``ValueError`` where a name is not known, or a fact rests on nothing."""

    models: dict[str, Model]
    tasks: dict[str, Task]
    inclusions: list[Inclusion]
    reductions: list[Reduction]
    facts: list[Fact]
    publications: dict[str, Publication]

    def __post_init__(self) -> None:
        entries = ledger()
        for link in self.inclusions:
            _known("model", [link.small, link.large], self.models)
        for link in self.reductions:
            _known("task", [link.harder, link.easier], self.tasks)
        for fact in self.facts:
            _known("model", [fact.model], self.models)
            _known("task", [fact.task], self.tasks)
            _known("precision", [fact.precision], PRECISIONS)
            _known("publication", fact.cites, self.publications)
            if not fact.claims and not fact.cites:
                raise ValueError(f"expected a claim or a publication for {fact.model} and {fact.task}, got none")
            _require_words(fact)
            if not fact.can and fact.layers not in ("1", "any"):
                raise ValueError(f"expected layers 1 or any where {fact.model} cannot do {fact.task}, got {fact.layers!r}")
        for rest in (*self.inclusions, *self.reductions, *self.facts):
            _known("claim", rest.claims, entries)
            for id in rest.claims:
                if entries[id].verdict in ("OPEN", "REFUTED"):
                    raise ValueError(f"expected a claim that holds, got {id}, which is {entries[id].verdict}")


def _require_words(fact: Fact) -> None:
    """What a fact must say beside what carries it: a place, a format with an order, an assumption."""
    for word, given, wanted in (
        ("place", fact.place, bool(fact.cites)),
        ("rounding", fact.rounding, fact.precision == "rounded"),
        ("assumes", fact.assumes, fact.precision == "reals"),
    ):
        if (given is not None) is not wanted:
            raise ValueError(f"expected {'a' if wanted else 'no'} field {word} for {fact.model} and {fact.task}, got {given!r}")
    if fact.cast and (fact.can or fact.precision != "exact"):
        raise ValueError(f"expected the remark cast of a no in exact, got it for {fact.model} and {fact.task}")


def _known(what: str, names: list[str], known: Any) -> None:
    for name in names:
        if name not in known:
            raise ValueError(f"expected a known {what}, got {name!r}")


def read_table(name: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


def _used() -> set[str]:
    """The claims that some fact or link rests on."""
    known = knowledge()
    return {id for rest in (*known.inclusions, *known.reductions, *known.facts) for id in rest.claims}


def undecided() -> list[str]:
    """Claims of the topics in ``beside.toml`` that neither decide a cell nor are listed there with the reason why not."""
    beside, used = read_table("beside"), _used()
    modules = {name for group in beside["module"] for name in group["names"]}
    listed = used | {id for group in beside["claim"] for id in group["names"]}
    mine = [e for e in ledger().values() if e.topic in beside["topics"] and e.kind != "finding" and e.verdict in HOLDS]
    return [e.id for e in mine if e.id not in listed and ".".join(e.check.split(".")[2:-1]) not in modules]


def stale() -> list[str]:
    """Names in ``beside.toml`` that are no claims, no modules of claims, or claims that decide a cell after all."""
    beside, used = read_table("beside"), _used()
    modules = {".".join(e.check.split(".")[2:-1]) for e in ledger().values()}
    names = [name for group in beside["module"] for name in group["names"] if name not in modules]
    return names + [id for group in beside["claim"] for id in group["names"] if id in used or id not in ledger()]


def _facts_of(row: dict[str, Any]) -> Iterator[Fact]:
    """The facts of one entry of facts.toml, which may name several models and tasks."""
    rest = {key: value for key, value in row.items() if key not in ("model", "models", "task", "tasks")}
    for model in row.get("models") or [row["model"]]:
        for task in row.get("tasks") or [row["task"]]:
            yield Fact(model=model, task=task, **rest)


def _facts_of_networks() -> Iterator[Fact]:
    """That a compiled network of whole numbers, right at every length in each data type however it is run, does its task with every operation rounded.

    Of tasks that stand for many (an ``instance``) one network decides nothing.
    """
    for b in json.loads(MEASURED.read_text(encoding="utf-8")):
        lasting = all(length == EVERY for row in b["right up to"].values() for length in row.values())
        if b["instance"] is None and b["whole numbers"] and lasting:
            claim = (
                "new.bistable.bit-equal" if "bistable" in b["models"] or "bistable-clock" in b["models"] else "new.automata.float-length"
            )
            layers = len(b["widths"]) + (b["clock"] > 1)
            for model in b["models"]:
                yield Fact(
                    can=True,
                    model=model,
                    task=b["task"],
                    layers=str(layers),
                    precision="rounded",
                    claims=[claim],
                    rounding="formats of 8 bits or more, any order: whole numbers are not rounded",
                    command=b["command"],
                    note="the compiled network holds whole numbers, which no format of 8 bits or more rounds",
                )


def _facts_of_rows(models: dict[str, Model], rows: list[dict[str, Any]]) -> Iterator[Fact]:
    """What the exact classes of languages.toml decide of regular tasks; an argument that no claim and no publication carries decides nothing.

    A task that is one machine: by its properties. One that stands for many: yes if its properties imply those of the row, no if a member lacks them.
    """
    regular = json.loads(REGULAR.read_text(encoding="utf-8"))
    for row in rows:
        # how many swaps a letter takes is no property of a language
        if "argument" in row or "swaps" in row:
            continue
        relation = next(x for x in ("is", "holds", "within") if x in row)
        one = row["layers"] == "1"
        for task, known in regular.items():
            for says, note in _decisions(row[relation], relation, known):
                # several heads are none of the table's layers
                if says and one and "needs" in row:
                    continue
                most = row.get("most", 1 if one else UNCOUNTED)
                for model in row["models"]:
                    own = row["arithmetic"] == "own"
                    yield Fact(
                        can=says,
                        model=model,
                        task=task,
                        layers=("at most |Q| - 1" if most == "states - 1" else str(most)) if says else "1" if one else "any",
                        precision=(models[model].own or "") if own else row["arithmetic"],
                        claims=row.get("claims", []),
                        cites=row.get("cites", []),
                        place=row.get("place"),
                        rounding=row.get("rounding", "the one format of the model" if own and models[model].own == "rounded" else None),
                        unless=row.get("unless") if not says else None,
                        note=f"{note}; {row['joins']}" if "joins" in row else note,
                        derived=True,
                    )


def _decisions(alternatives: list[list[str]], relation: str, known: dict[str, Any]) -> Iterator[tuple[bool, str]]:
    """A yes or a no of a row for a task, with the property that decides it; none if neither follows."""
    members, implied = known["members"], known["family"]
    if relation != "within":
        able = next(
            (a for a in alternatives if (set(a) <= set(implied) if implied is not None else all(members[0]["has"][p] for p in a))), None
        )
        if able is not None:
            yield True, f"every such language is {' and '.join(able)}" if able else "every regular language"
    if relation != "holds":
        for member in members:
            lacking = [next((p for p in a if member["has"][p] is False), None) for a in alternatives]
            if all(lacking):
                yield False, f"{member['name']} is not {' nor '.join(dict.fromkeys(map(str, lacking)))}"
                return


@cache
def knowledge() -> Knowledge:
    """What ``knowledge/*.toml`` say."""
    links, facts, languages = read_table("links"), read_table("facts"), read_table("languages")
    models = {m["id"]: Model(**m) for m in read_table("models")["model"]}
    return Knowledge(
        models=models,
        tasks={t["id"]: Task(**t) for t in read_table("tasks")["task"]},
        inclusions=[Inclusion(**x) for x in links["inclusion"]],
        reductions=[Reduction(**x) for x in links["reduction"]],
        facts=[*(f for x in facts["fact"] for f in _facts_of(x)), *_facts_of_networks(), *_facts_of_rows(models, languages["row"])],
        publications={key: Publication(**x) for key, x in (facts["publication"] | languages["publication"]).items()},
    )
