"""``lemmata.can`` for any regular language: which models recognise it, with how many layers, and the words that forbid the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from shlex import quote
from typing import Any

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ..atlas.knowledge import PRECISIONS
from ..atlas.languages import (
    ARGUED,
    BOUNDS,
    FOLDINGS,
    GRADES,
    OWN,
    Asked,
    Row,
    Subject,
    Verdict,
    Within,
    exactly,
    reasons,
    row_data,
    subject_named,
    table,
)
from ..cli.console import STYLE
from ..cli.titles import set_text
from ..constructions.automata import Automaton
from ..constructions.languages import PROPERTIES, Undecided, Witness, language_of
from ..constructions.languages.replay import replay
from ..constructions.languages.witness import spelt
from ..theorems.ledger import ledger, require_known
from .question import Question, machine_of
from .result import Result, written_whole

COLOURS = {"yes": "green", "no": "red", "open": "yellow"}

#: models whose letters are products of so many reflections, and the claim that several tokens make a letter of several
SWAPS_A_TOKEN = {
    "delta-signed": 1,
    "gated-delta-signed": 1,
    "delta-signed-convolution": 1,
    "gated-delta-signed-convolution": 1,
    "householder-2": 2,
    "householder-4": 4,
}
TOKENS = "grazzi25.sec4.3.tokens"

#: the claim that a pause after every letter makes up for a letter that is taken twice for once
PAUSES = "new.automata.pauses"


@dataclass(frozen=True, repr=False, eq=False)
class LanguageAnswer(Result):
    """What is known of one regular language, or of the states of an automaton, for all models or for one.

    Attributes:
        took: What the question was taken to be, such as "regex a*b*".
        subject: What is recognised, as a sentence begins with it.
        automaton: The automaton that was asked about.
        tracked: Whether its states are to be known, and not only what it accepts and says.
        models: The ids of the models that are printed.
        precision: The arithmetic: exact, margin, rounded, log or reals.
        source: The options of ``lemmata compile`` that name the same automaton; None for one that has no file.
        layers: At most so many layers, if the question names a number.
    """

    took: str
    subject: str
    automaton: Automaton
    tracked: bool
    models: tuple[str, ...]
    precision: str = "exact"
    source: str | None = None
    asked: Asked = field(default=None)  # type: ignore[assignment]
    layers: int | None = None

    def at(self, precision: str) -> LanguageAnswer:
        """The same question in another arithmetic.

        Args:
            precision: exact, margin, rounded, log or reals.
        """
        require_known("precision", [precision], PRECISIONS)
        return replace(self, precision=precision)

    def says(self, model: str | None = None, layers: str | int | None = None, precision: str | None = None) -> str:
        """Of one model: "yes", "no" or "open", which means not decided.

        Args:
            model: A model; the only one of the question by default.
            layers: "one" layer, "many" for any number of layers, or the most layers; that of the question by default, and otherwise "many".
            precision: Another arithmetic than that of the answer.

        Raises:
            ValueError: No model is named, the name stands for several, or the number of layers is below 1.
        """
        layers = layers if layers is not None else self.layers if self.layers is not None else "many"
        if not isinstance(layers, int):
            require_known("number of layers", [layers], ("one", "many"))
        ids = self.models if model is None else tuple(s.id for s in subject_named(model))
        if len(ids) != 1:
            raise ValueError(f"expected one model, got {', '.join(ids)}")
        arithmetic = self.at(precision or self.precision).precision
        if isinstance(layers, int):
            return self.asked.within(ids[0], arithmetic, layers).says
        found = self.asked.verdict(ids[0], arithmetic)
        return found.one if layers == "one" else found.says

    @property
    def verdicts(self) -> list[Verdict]:
        """One verdict for each model."""
        return self.asked.verdicts(self.precision, self.models)

    @property
    def within(self) -> list[Within]:
        """Of each model whether at most ``layers`` layers are enough. Raises ``ValueError`` if the question names no number."""
        if self.layers is None:
            raise ValueError("expected a number of layers: lemmata.can(..., layers=2)")
        return [self.asked.within(model, self.precision, self.layers) for model in self.models]

    @property
    def witnesses(self) -> list[Witness]:
        """The words against each property that the language does not have, of those that were decided."""
        found = [self.asked.witness(id) for id in PROPERTIES]
        return [w for w in found if isinstance(w, Witness)]

    def check(self) -> dict[str, bool]:
        """Every witness replayed by the automaton alone, with code that shares nothing with the procedures: property -> whether it holds."""
        return {w.refutes: replay(self.automaton, w, self.tracked) for w in self.witnesses}

    @property
    def model_names(self) -> list[str]:
        """The names that people give the models that are printed: of each the first."""
        return [table().subjects[model].names[0] for model in self.models]

    @property
    def numbers(self) -> str:
        """How numbers are held in the arithmetic of the question."""
        return PRECISIONS[self.precision]

    def exactly(self, properties: Iterable[str], layers: str = "any") -> list[str]:
        """The names of the models that recognise exactly the languages with some properties, in the arithmetic of the question.

        Args:
            properties: Names of ``lemmata.constructions.languages.PROPERTIES``.
            layers: "any" number of layers, or "1".
        """
        return [table().subjects[model].names[0] for model in exactly(properties, layers, self.precision)]

    def draw(self, path: str | Path) -> Path:
        """Draw a slide into a PNG or SVG file: the automaton, the ladder of classes with this language's rung, and the word that forbids the rung below.

        Args:
            path: The file.

        Raises:
            ValueError: The name has another ending.
        """
        from ..figures.languages import draw_language

        draw_language(self, Path(path))
        return Path(path)

    # -- what it says ---------------------------------------------------------------------------------------------------------------

    @property
    def sentence(self) -> str:
        """One sentence that can be quoted: model, convolution, layers, arithmetic and what it rests on."""
        verdicts = self.verdicts
        # a claim or a publication before an argument
        able = sorted((v for v in verdicts if v.says == "yes"), key=lambda v: v.row is not None and v.row.grade == ARGUED)
        chosen = able[0] if able and len(self.models) == len(table().subjects) else verdicts[0]
        model, arithmetic = table().subjects[chosen.model], self._arithmetic(chosen.row)
        who = f"{model.name} ({', '.join(model.names)}){_convolution(model)}"
        if chosen.says == "open":
            return f"Whether {who} {self._does}, {arithmetic}, is not decided."
        assert chosen.row is not None
        rests = f"({_carriers(chosen.row)})"
        if chosen.says == "yes":
            plural = "layer" if chosen.layers == "1" else "layers"
            needs = f" with {chosen.row.needs}" if chosen.row.needs else ""
            return f"{_capital(self.subject)} is {self._done} by {chosen.layers} {plural} of {who}{needs}, {arithmetic} {rests}."
        lacks = " and ".join(f"“{PROPERTIES[id].name}”" for id in chosen.against)
        return f"{_capital(self.subject)} is {self._done} by no number of layers of {who}, {arithmetic}: it is not {lacks} {rests}."

    @property
    def _done(self) -> str:
        return "tracked" if self.tracked else "recognised"

    @property
    def _does(self) -> str:
        return f"{'tracks' if self.tracked else 'recognises'} {self.subject}"

    def _arithmetic(self, row: Row | None) -> str:
        return "in the arithmetic that its name says" if row is not None and row.arithmetic == OWN else f"with {PRECISIONS[self.precision]}"

    def with_tokens(self, verdict: Verdict) -> str | None:
        """How several tokens a letter make a yes of what is none, or one layer of several; None if that is not known.

        Reflections: a letter of several swaps is one swap for each token, or as many as a token has factors. Pauses: what takes a letter twice for once
        tells letters apart if each is followed by a pause.
        """
        if self.precision != "rounded" and verdict.model in SWAPS_A_TOKEN and verdict.one != "yes" and self.asked.swaps is not None:
            tokens = -(-self.asked.swaps // SWAPS_A_TOKEN[verdict.model])
            if tokens > 1:
                return f"with {tokens} tokens a letter one layer does it ({TOKENS}; {ledger()[TOKENS].verdict})"
        if verdict.against == ("stutter-invariant",) and self.asked.has("aperiodic"):
            padded = self.asked.yes_row(verdict.model, self.precision, {"aperiodic", "stutter-invariant"})
            if padded is not None:
                return f"with 2 tokens a letter, itself and a pause, it does ({PAUSES}, {', '.join(padded.claims)}; {_weakest(padded.grade, PAUSES)})"
        return None

    def builds(self, verdict: Verdict) -> str | None:
        """The command that builds a yes; None if no command does."""
        if verdict.built is None or verdict.built.build is None or self.source is None:
            return None
        # the answer to the empty word may cost a state that no letter leads back to
        if verdict.built.swaps is not None and not self._permutes:
            return None
        return " ".join(filter(None, ("lemmata compile", self.source, verdict.built.build)))

    @property
    def _permutes(self) -> bool:
        """Whether every letter permutes the states that are reached, as they are compiled."""
        reached = self.automaton.reachable()
        return all(len(set(row)) == reached.n for row in reached.table.values())

    @property
    def data(self) -> dict[str, Any]:
        """The machine, every property with its witness, and a verdict for each model."""
        machine = self.asked.language.machine
        properties = []
        for id, p in PROPERTIES.items():
            found = self.asked.witness(id)
            properties.append(
                {
                    "id": id,
                    "name": p.name,
                    "means": p.means,
                    "source": p.source,
                    "has": None if isinstance(found, Undecided) else found is None,
                    "witness": found.data if isinstance(found, Witness) else None,
                    "not decided": str(found) if isinstance(found, Undecided) else None,
                }
            )
        bounds = {name: self.asked.least_layers(name == "exact") for name in BOUNDS}
        return {
            "took": self.took,
            "sentence": self.sentence,
            "arithmetic": self.precision,
            "states": machine.n,
            "letters": [str(x) for x in machine.letters],
            "elements": len(self.asked.language.monoid) if self.asked.language.monoid.complete else None,
            "properties": properties,
            "layers of norm at most 1": {name: None if isinstance(b, Undecided) else b[0] for name, b in bounds.items()},
            "bounded by": {name: None if isinstance(b, Undecided) else b[1] for name, b in bounds.items()},
            "models": [
                {
                    "model": v.model,
                    "answer": v.says,
                    "least": v.least,
                    "most": v.most,
                    "one layer": v.one,
                    "against": list(v.against),
                    "against one layer": list(v.one_against),
                    "because": row_data(v.row),
                    "because of one layer": row_data(v.one_row),
                    "build": self.builds(v),
                    "with tokens": self.with_tokens(v),
                }
                for v in self.verdicts
            ],
        } | (
            {}
            if self.layers is None
            else {"at most": self.layers, "within": [{"model": w.model, "answer": w.says, "because": w.because} for w in self.within]}
        )

    def parts(self) -> Iterator[RenderableType]:
        if self.layers is not None:
            yield from self._within()
            return
        yield Text(set_text(self.sentence))
        machine, monoid = self.asked.language.machine, self.asked.language.monoid
        size = f"{len(monoid):,}" if monoid.complete else f"more than {len(monoid) - 1:,}"
        yield Text(f"\n{self.took}: {machine.n} states, {machine.k} letters, {size} elements in the transition monoid\n")
        verdicts = self.verdicts
        yield from self._table(verdicts)
        if len(self.models) <= 3:
            yield from self._reasons(verdicts)
        yield from self._bounds()
        used = dict.fromkeys(id for v in verdicts for id in (*v.against, *v.one_against))
        if used:
            yield Text("\nwhy not:")
        for id in used:
            yield written_whole(f"  not “{set_text(PROPERTIES[id].name)}”: {self.asked.witness(id)}")
        limits = {id: w for id in PROPERTIES if isinstance(w := self.asked.witness(id), Undecided)}
        for id, limit in limits.items():
            yield written_whole(f"  “{set_text(PROPERTIES[id].name)}” was not decided: {limit}")

    def _within(self) -> Iterator[RenderableType]:
        """Which models recognise it with at most so many layers."""
        number = f"at most {self.layers} layer{'' if self.layers == 1 else 's'}"
        # a heading: whether they do is said row by row
        yield Text(f"{self.took}, with {number}; {PRECISIONS[self.precision]}\n")
        shown = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
        for name in ("model", number, "because"):
            shown.add_column(name)
        for w in self.within:
            word = Text("not decided" if w.says == "open" else w.says, COLOURS[w.says])
            shown.add_row(set_text(table().subjects[w.model].name), word, w.because)
        yield shown
        yield from self._bounds()

    def _table(self, verdicts: list[Verdict]) -> Iterator[RenderableType]:
        shown = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
        for name in ("model", "answer", "layers", "one layer", "rests on"):
            shown.add_column(name)
        for v in verdicts:
            model = table().subjects[v.model]
            grade = "" if v.row is None else v.row.grade
            shown.add_row(
                set_text(model.name),
                Text("not decided" if v.says == "open" else v.says, COLOURS[v.says]),
                v.layers,
                Text("?" if v.one == "open" else v.one, COLOURS[v.one]),
                Text(
                    "" if v.row is None else f"{_carriers(v.row)}{f', unless {v.row.unless}' if v.row.unless else ''}",
                    STYLE.get(grade, "dim"),
                ),
            )
        yield shown

    def _reasons(self, verdicts: list[Verdict]) -> Iterator[RenderableType]:
        for v in verdicts:
            rows = [row for row in (v.row, v.one_row if v.one_row is not v.row else None) if row is not None]
            lines = [set_text(line) for row in rows for line in reasons(row)]
            if lines:
                yield Text(f"\n{set_text(table().subjects[v.model].name)}")
            for line in lines:
                yield Padding(line, (0, 0, 0, 4))
            if tokens := self.with_tokens(v):
                yield written_whole(f"    {tokens}")
            if v.row is not None and v.says == "yes":
                command = self.builds(v)
                yield written_whole(f"    build it: {command}" if command else "    a construction exists, not implemented")

    def _bounds(self) -> Iterator[RenderableType]:
        """The least number of layers of norm at most 1, with the words that force it."""
        if self.precision not in BOUNDS:
            return
        exact = self.precision == "exact"
        found, best = self.asked.bound(exact), self.asked.least_layers(exact)
        if isinstance(found, Undecided) or isinstance(best, Undecided):
            yield written_whole(f"\nlayers of norm at most 1: {found}")
            return
        m = self.asked.language.machine
        layers, claim = best
        by = "foldings" if claim == FOLDINGS else "contents"
        yield written_whole(
            f"\nlayers of norm at most 1, without a convolution: at least {max(1, layers)}, by {by} ({claim}; {ledger()[claim].verdict})"
        )
        if claim == FOLDINGS:
            yield written_whole(f"  by contents at least {max(1, found.layers)} ({BOUNDS[self.precision]}), as follows")
        for level in found.levels:
            states = ", ".join(spelt(m.spelled(m.reaching[q])) for q in level.points)
            yield written_whole(
                f"  after {spelt(m.spelled(level.z))} a layer stands still, and the states after {states} must still be told apart"
            )
            if level.u is not None:
                yield written_whole(f"  {spelt(m.spelled(level.u))} before it still counts")
        if found.idempotents:
            yield written_whole("  and two idempotents have e f e other than f e")


def tracked_of(asked: Question, machine: Automaton | dict[str, tuple[int, ...]]) -> tuple[Automaton, bool]:
    """The automaton of a machine, and whether its states are to be known: of a group, and of an automaton that accepts and says nothing."""
    from ..constructions.automata.read.sources import from_permutations

    automaton = from_permutations(machine) if isinstance(machine, dict) else machine
    return automaton, isinstance(machine, dict) or (asked.kind != "regex" and automaton.outputs is None and not automaton.accepting)


def answer_of(asked: Question, model: str | None = None, layers: int | None = None, **options: Any) -> LanguageAnswer:
    """The answer to a question about a regular expression, an automaton or a group, with at most so many layers if a number is given.

    ``options`` as in ``lemmata.compile``. Raises ``ValueError`` for fewer than one layer.
    """
    if layers is not None and layers < 1:
        raise ValueError(f"expected at least 1 layer, got {layers}")
    machine = machine_of(asked, **options)
    automaton, tracked = tracked_of(asked, machine)
    subject = {"regex": f"the language {asked.given}", "group": f"the word problem of {asked.given}"}.get(asked.kind, "the automaton")
    if isinstance(machine, dict):
        letters = (
            "every element is a letter"
            if options.get("elements")
            else "one generator is the letter"
            if len(machine) == 1
            else f"{len(machine)} generators are the letters"
        )
        took = f"{asked}, of which {letters}"
    else:
        took = str(asked)
    models = tuple(table().subjects) if model is None else tuple(s.id for s in subject_named(model))
    flags = [f"--{name}" if value is True else f"--{name} {quote(value)}" for name, value in options.items() if value]
    source = " ".join([f"--{asked.kind} {quote(str(asked.given))}", *flags]) if isinstance(asked.given, str | Path) else None
    # the points of a group's permutations are fewer than its elements
    found = Asked(language_of(automaton, tracked), list(machine.values()) if isinstance(machine, dict) else None)
    return LanguageAnswer(took, subject, automaton, tracked, models, source=source, asked=found, layers=layers)


def _convolution(model: Subject) -> str:
    return "" if any(word in model.name for word in ("convolution", "shift", "delay", "transformer", "RASP")) else ", without a convolution"


def _carriers(row: Row) -> str:
    """What carries a row, briefly."""
    sources = [f"arXiv {s.arxiv}" if s.arxiv else s.text.split(":")[0] for key in row.cites for s in [table().publications[key]]]
    needs = f"; with {row.needs}" if row.needs else ""
    return f"{', '.join([*row.claims, *sources, *(['an argument'] * bool(row.argument))])}; {row.grade}{needs}"


def _weakest(grade: str, claim: str) -> str:
    """The weaker of a grade and a claim's verdict."""
    return max(grade, ledger()[claim].verdict, key=GRADES.index)


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
