"""Which model recognises a given regular language: the rows of ``knowledge/languages.toml``, and what the procedures say of the language.

A row ties a model, an arithmetic and a number of layers to properties of :mod:`..constructions.languages`; a language that has them, or not, gives a yes or a no.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

from sympy.combinatorics import Permutation

from ..constructions.automata import Automaton
from ..constructions.automata.choose.ways import choose
from ..constructions.languages import PROPERTIES, Language, Undecided, Witness
from ..constructions.languages.folded_layers import folded_bound
from ..constructions.languages.layers_of_norm_one import Bound, bound
from ..constructions.languages.properties import decided, implied
from ..numerics.progress import Progress
from ..theorems.ledger import HOLDS, ledger, require_known
from .cells import models_named
from .knowledge import KINDER, PRECISIONS, Publication, knowledge, read_table

#: a model whose own name says the arithmetic: transformers, whose rows count whatever is asked
OWN = "own"

#: an argument that stands in the table alone is weaker than any claim that holds
ARGUED = "ARGUED"
GRADES = (*HOLDS, ARGUED)

#: automata with more states are not decomposed to see how few layers a command builds: the number of states bounds it
MOST_COMPILED = 8

#: an arithmetic -> the claim of the lower bound on layers of norm at most 1
BOUNDS = {"exact": "new.automata.depth.exact", "margin": "new.automata.depth.margin"}
#: the claim of a bound that is never lower, for fewer elements
FOLDINGS = "new.automata.depth.foldings"

Alternatives = list[list[str]]


@dataclass(frozen=True, kw_only=True)
class Row:
    """One of ``exactly``, ``holds`` (a yes) and ``within`` (a no if it fails); ``most`` layers are enough for a yes.

    ``swaps``: a yes for letters that are products of at most so many swaps alone. ``joins``: what ties the claims together, in prose.
    """

    models: list[str]
    arithmetic: str
    layers: str
    exactly: Alternatives | None = None
    holds: Alternatives | None = None
    within: Alternatives | None = None
    most: int | str | None = None
    needs: str | None = None
    swaps: int | None = None
    unless: str | None = None
    claims: list[str] = field(default_factory=list)
    cites: list[str] = field(default_factory=list)
    place: str | None = None
    rounding: str | None = None
    argument: str | None = None
    joins: str | None = None
    build: str | None = None

    @property
    def alternatives(self) -> Alternatives:
        return next(x for x in (self.exactly, self.holds, self.within) if x is not None)

    @property
    def grade(self) -> str:
        """The grade of what carries the row: of the weakest of its claims, publications and argument."""
        grades = [ledger()[id].verdict for id in self.claims] + ["CITED"] * bool(self.cites) + [ARGUED] * bool(self.argument)
        return GRADES[max(map(GRADES.index, grades))]


@dataclass(frozen=True, kw_only=True)
class Subject:
    """A model that is asked about."""

    id: str
    name: str
    transition: str
    names: list[str]


@dataclass(frozen=True)
class Table:
    """What ``languages.toml`` says. Raises ``ValueError`` for a name that is not known, or a row that nothing carries."""

    subjects: dict[str, Subject]
    rows: list[Row]
    publications: dict[str, Publication]
    norm_one: list[str]

    def __post_init__(self) -> None:
        for row in self.rows:
            require_known("model", row.models, self.subjects)
            require_known("arithmetic", [row.arithmetic], (*PRECISIONS, OWN))
            require_known("number of layers", [row.layers], ("any", "1"))
            require_known("property", [id for all_of in row.alternatives for id in all_of], PROPERTIES)
            require_known("publication", row.cites, self.publications)
            require_known("claim", row.claims, ledger())
            if not (row.claims or row.cites or row.argument) or bool(row.cites) != bool(row.place):
                raise ValueError(f"expected claims, publications with a place, or an argument for {row.models}")
            if (row.rounding is not None) is not (row.arithmetic == "rounded"):
                raise ValueError(
                    f"expected a format and an order for {row.models} where operations are rounded alone, got {row.rounding!r}"
                )
            if row.joins is not None and row.grade == "PROVED":
                raise ValueError(f"expected a row that prose joins to be less than PROVED, got {row.claims}")
            for id in row.claims:
                if ledger()[id].verdict not in HOLDS:
                    raise ValueError(f"expected a claim that holds, got {id}, which is {ledger()[id].verdict}")
        require_known("model", self.norm_one, self.subjects)


@cache
def table() -> Table:
    """The rows, and the models that they are about."""
    data = read_table("languages")
    known = knowledge()
    subjects = [Subject(id=m.id, name=m.name, transition=m.transition, names=m.names) for m in known.models.values()]
    rows = [Row(**{("exactly" if key == "is" else key): value for key, value in x.items()}) for x in data["row"]]
    return Table({s.id: s for s in subjects}, rows, known.publications, data["norm"]["models"])


# -- one language --------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Verdict:
    """``says`` "yes", "no" or "open" of a model; ``row`` is why, and ``against`` the properties that the language does not have, for a no.

    ``least`` and ``most`` bound the number of layers of a yes, and ``least`` that of what is open; ``one`` says the same of a single layer,
    with its row; ``built`` is a row whose command builds a yes.
    """

    model: str
    arithmetic: str
    says: str
    row: Row | None = None
    against: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None
    one: str = "open"
    one_row: Row | None = None
    one_against: tuple[str, ...] = ()
    built: Row | None = None

    @property
    def layers(self) -> str:
        """The number of layers of a yes in words."""
        if self.says != "yes":
            return ""
        if self.least == self.most:
            return str(self.least)
        return f"{self.least} to {self.most}" if self.most is not None else f"{self.least} or more"


@dataclass(frozen=True)
class Within:
    """Whether a model recognises a language with at most so many ``layers``: "yes", "no" or "open", and why in a line."""

    model: str
    layers: int
    says: str
    because: str


class Asked:
    """A language, with the verdicts on all models.

    ``maps`` are permutations of points whose products the states tell apart, one for each letter; by default the maps of the states.
    """

    def __init__(self, language: Language, maps: Sequence[Sequence[int]] | None = None):
        self.language = language
        self._maps = maps if maps is not None else language.machine.delta.tolist()
        self._bounds: dict[bool, Bound | Undecided] = {}
        self._folded: dict[bool, int | Undecided] = {}
        self._depth: int | None = None

    @cached_property
    def swaps(self) -> int | None:
        """If letters are permutations: the most swaps that one of them takes, the points less the cycles."""
        if any(len(set(f)) < len(f) for f in self._maps):
            return None
        return max(len(f) - len(Permutation(list(f)).full_cyclic_form) for f in self._maps)

    def has(self, property: str) -> bool | None:
        """Whether the language has a property; None if that was not decided."""
        found = decided(self.language, property)
        return None if isinstance(found, Undecided) else found is None

    def witness(self, property: str) -> Witness | Undecided | None:
        return decided(self.language, property)

    def decide(self, progress: Progress) -> None:
        """Decide all properties and bound the layers, which is then kept; each is told before it begins."""
        steps = [(PROPERTIES[id].name, lambda id=id: self.witness(id)) for id in PROPERTIES]
        steps += [(f"layers of norm at most 1, {name}", lambda name=name: self.least_layers(name == "exact")) for name in BOUNDS]
        for done, (name, step) in enumerate(steps):
            progress(f"deciding: {name}", done, len(steps))
            step()

    def holds(self, alternatives: Alternatives) -> bool | None:
        """Whether all properties of one alternative hold."""
        values = [_all(map(self.has, all_of)) for all_of in alternatives]
        return True if True in values else None if None in values else False

    def against(self, alternatives: Alternatives) -> tuple[str, ...]:
        """A property that fails in each alternative, none of which holds."""
        return tuple(next(id for id in all_of if self.has(id) is False) for all_of in alternatives)

    def bound(self, exact: bool) -> Bound | Undecided:
        """The lower bound by contents on layers of norm at most 1, or why it was not computed."""
        if exact not in self._bounds:
            try:
                self._bounds[exact] = bound(self.language.machine, self.language.monoid, exact)
            except Undecided as limit:
                self._bounds[exact] = limit
        return self._bounds[exact]

    def folded(self, exact: bool) -> int | Undecided:
        """The lower bound by foldings on layers of norm at most 1, or why it was not computed."""
        if exact not in self._folded:
            try:
                self._folded[exact] = folded_bound(self.language.machine.delta.tolist(), exact)
            except Undecided as limit:
                self._folded[exact] = limit
        return self._folded[exact]

    def least_layers(self, exact: bool) -> tuple[int, str] | Undecided:
        """The larger lower bound on layers of norm at most 1, with its claim: by foldings if that one is larger. Or why none was computed."""
        found = self.bound(exact)
        if isinstance(found, Undecided):
            return found
        # one layer less than states is enough, and so is one layer where the bound with exact states is 1
        largest = max(found.layers, 1) if exact and found.layers < 2 else max(self.language.machine.n - 1, 1)
        folded = self.folded(exact) if found.layers < largest else found.layers
        if isinstance(folded, int) and folded > found.layers:
            return folded, FOLDINGS
        return found.layers, BOUNDS["exact" if exact else "margin"]

    def verdict(self, model: str, arithmetic: str) -> Verdict:
        """What the rows say of one model in one arithmetic."""
        yes, no = self._row(model, arithmetic, "any")
        one_yes, one_no = self._row(model, arithmetic, "1")
        if yes and yes.most == 1:
            one_yes = one_yes or yes
        assert not ((yes or one_yes) and no), f"{model} and {arithmetic}: {yes or one_yes} against {no}"
        assert not (one_yes and one_no), f"{model} and {arithmetic}, one layer: {one_yes} against {one_no}"
        if no:
            against = self.against(no.alternatives)
            return Verdict(model, arithmetic, "no", no, against, one="no", one_row=no, one_against=against)
        one = "yes" if one_yes else "no" if one_no else "open"
        refusing = self.against(one_no.alternatives) if one_no else ()
        least = 1 if one_yes else max(2 if one_no else 1, self._least(model, arithmetic))
        if not yes and not one_yes:
            return Verdict(model, arithmetic, "open", least=least, one=one, one_row=one_no, one_against=refusing)
        row = one_yes or yes
        most = self._most(yes, one_yes)
        built = next((r for r in self._yes(model, arithmetic) if r.build is not None), None)
        return Verdict(model, arithmetic, "yes", row, (), least, most, one, one_yes or one_no, refusing, built)

    def _least(self, model: str, arithmetic: str) -> int:
        if model not in table().norm_one or arithmetic not in BOUNDS:
            return 1
        found = self.least_layers(arithmetic == "exact")
        return 1 if isinstance(found, Undecided) else max(1, found[0])

    def _most(self, yes: Row | None, one_yes: Row | None) -> int | None:
        if one_yes:
            return 1
        if yes is not None and yes.most == "states - 1":
            return max(1, min(self.language.machine.n - 1, self.depth))
        return yes.most if yes is not None and isinstance(yes.most, int) else None

    @property
    def depth(self) -> int:
        """The layers of the shallowest network of norm at most 1 that ``lemmata compile`` builds for the machine; one less than states if there are many."""
        if self._depth is None:
            m = self.language.machine
            automaton = Automaton({x: row.tolist() for x, row in zip(m.letters, m.delta, strict=True)})
            self._depth = choose(automaton).depth if m.n <= MOST_COMPILED else m.n - 1
        return self._depth

    def within(self, model: str, arithmetic: str, layers: int) -> Within:
        """Whether a model recognises the language with at most so many layers: by the fewest that are known, and the lower bound.

        Raises ``ValueError`` for fewer than one layer.
        """
        if layers < 1:
            raise ValueError(f"expected at least 1 layer, got {layers}")
        v = self.verdict(model, arithmetic)
        if v.says == "no":
            return Within(model, layers, "no", "no number of layers does")
        if v.most is not None and v.most <= layers:
            return Within(model, layers, "yes", f"{v.most} {'is' if v.most == 1 else 'are'} enough")
        if v.least is not None and v.least > layers:
            return Within(model, layers, "no", f"it takes {v.least} at least")
        known = (
            f"{v.most} are enough"
            if v.most is not None
            else "some number is enough"
            if v.says == "yes"
            else "no number is known to be enough"
        )
        return Within(model, layers, "open", f"it takes {v.least} at least, and {known}")

    def _row(self, model: str, arithmetic: str, layers: str) -> tuple[Row | None, Row | None]:
        """The best rows that say yes and no: a known number of layers first, then a command, then the strongest grade."""
        yes = [row for row in self._yes(model, arithmetic) if row.layers == layers]
        no = [row for row in self._no(model, arithmetic) if row.layers == layers]
        best = min(yes, key=lambda r: (r.most is None, r.build is None, GRADES.index(r.grade)), default=None)
        return best, min(no, key=lambda r: GRADES.index(r.grade), default=None)

    def yes_row(self, model: str, arithmetic: str, properties: set[str]) -> Row | None:
        """The best row by which a model recognises every language with some properties, by any number of layers."""
        rows = [r for r in table().rows if model in r.models and r.within is None and r.swaps is None and _leads(r.arithmetic, arithmetic)]
        rows = [r for r in rows if r.layers == "any" and any(set(all_of) <= properties for all_of in r.alternatives)]
        return min(rows, key=lambda r: GRADES.index(r.grade), default=None)

    def _yes(self, model: str, arithmetic: str) -> list[Row]:
        """The rows of a model that say yes, in this arithmetic or a harsher one."""
        rows = [r for r in table().rows if model in r.models and r.within is None and _leads(r.arithmetic, arithmetic)]
        rows = [r for r in rows if r.swaps is None or (self.swaps is not None and self.swaps <= r.swaps)]
        return [r for r in rows if self.holds(r.alternatives)]

    def _no(self, model: str, arithmetic: str) -> list[Row]:
        """The rows of a model that say no, in this arithmetic or a kinder one."""
        rows = [r for r in table().rows if model in r.models and r.holds is None and _leads(arithmetic, r.arithmetic)]
        return [r for r in rows if self.holds(r.alternatives) is False]

    def verdicts(self, arithmetic: str, models: Iterable[str] | None = None) -> list[Verdict]:
        """All models, in the table's order."""
        return [self.verdict(model, arithmetic) for model in (table().subjects if models is None else models)]


def _all(values: Iterable[bool | None]) -> bool | None:
    known = list(values)
    return False if False in known else None if None in known else True


def _leads(here: str, there: str) -> bool:
    """Whether a yes in one arithmetic is one in the other."""
    if OWN in (here, there):
        return True
    while here != there and here in KINDER:
        here = KINDER[here]
    return here == there


def family_says(family: list[str], members: Iterable[Asked], model: str, arithmetic: str) -> tuple[str, str]:
    """What the rows say of all languages with the properties of a family, by any number of layers and by one.

    Yes if the properties imply what a row asks for, and nothing else is needed; no if a member is refused.
    """
    known = implied(family)
    rows = [r for r in table().rows if model in r.models and r.within is None and _leads(r.arithmetic, arithmetic)]
    able = [r for r in rows if r.swaps is None and any(set(all_of) <= known for all_of in r.alternatives)]
    one = any((r.layers == "1" or r.most == 1) and r.needs is None for r in able)
    verdicts = [asked.verdict(model, arithmetic) for asked in members]
    many = "yes" if able else "no" if any(v.says == "no" for v in verdicts) else "open"
    return many, "yes" if one else "no" if any(v.one == "no" for v in verdicts) else "open"


def exactly(properties: Iterable[str], layers: str, arithmetic: str) -> list[str]:
    """The models that recognise exactly the languages with these properties, by "1" or "any" number of layers, in an arithmetic or in their own."""
    wanted = list(properties)
    known = implied(wanted)
    able = [row for row in table().rows if row.within is None and row.swaps is None and _leads(row.arithmetic, arithmetic)]
    able = [row for row in able if layers == "any" or "1" in (row.layers, str(row.most))]
    bound = [row for row in table().rows if row.holds is None and _leads(arithmetic, row.arithmetic) and layers in ("1", row.layers)]
    enough = {m for row in able if any(known >= set(all_of) for all_of in row.alternatives) for m in row.models}

    def needs(model: str, property: str) -> bool:
        return any(model in row.models and all(property in implied(all_of) for all_of in row.alternatives) for row in bound)

    return [m for m in table().subjects if m in enough and all(needs(m, property) for property in wanted)]


def subject_named(name: str) -> list[Subject]:
    """The models that a name is given to: :func:`.cells.models_named`."""
    return [table().subjects[m.id] for m in models_named(name)]


def reasons(row: Row) -> Iterator[str]:
    """What carries a row, in lines."""
    for id in row.claims:
        yield f"{id} {ledger()[id].verdict}: {ledger()[id].title}"
    for key in row.cites:
        source = table().publications[key]
        yield f"{source.text}{f', arXiv {source.arxiv}' if source.arxiv else ''}: {row.place}"
    if row.rounding:
        yield f"rounding: {row.rounding}"
    if row.joins:
        yield f"joined in prose: {row.joins}"
    if row.argument:
        yield f"argument, no claim of the ledger yet: {row.argument}"
    if row.unless:
        yield f"unless {row.unless}"


def row_data(row: Row | None) -> dict[str, Any] | None:
    """A row as plain data."""
    if row is None:
        return None
    return {
        "properties": row.alternatives,
        "relation": "is" if row.exactly is not None else "holds" if row.holds is not None else "within",
        "grade": row.grade,
        "claims": row.claims,
        "cites": row.cites,
        "place": row.place,
        "argument": row.argument,
        "joins": row.joins,
        "rounding": row.rounding,
        "needs": row.needs,
        "unless": row.unless,
    }
