"""What the checker knows: a rule for each kind of certificate, and what each claim demands of its certificates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, TypeVar

from .exact import matrix, natural, number, require, vector
from .schema import Fields, Matrix, Natural, Rational, Text, Vector, parsed
from .typed import Certificates, Data, Decided, Schema

Function = TypeVar("Function", bound=Callable[..., Any])


#: kind -> rule(data); raises Rejected unless the data prove what the kind says
RULES: dict[str, Callable[[Data], None]] = {}

#: kinds whose rule itself declares exact keys, sizes and numbers
WHOLE = {"automaton", "network", "bistable"}

#: (claim, kind) -> schema of the data, checked before any arithmetic
SCHEMAS: dict[tuple[str, str], Schema] = {}

#: (claim, kind) -> generator of what the certificates must speak of, one after the other
INSTANCES: dict[tuple[str, str], Callable[[], Iterable[Data]]] = {}

#: (claim, kind) -> demand(data); raises Rejected unless what was proved is what the claim says
DEMANDS: dict[tuple[str, str], Callable[[Data], set[str]]] = {}

#: claim -> demand([(kind, data), ...]) on all of its certificates together
COVERS: dict[str, Callable[[Certificates], set[str]]] = {}

#: refuted claim -> the words of its counterexamples
WORDS: dict[str, Words] = {}


@dataclass(frozen=True)
class Words:
    """The words of the counterexamples of one claim, each under a key: hypotheses that hold, and what is violated.

    They stand here once. The claim's check and the demands decide each key with arithmetic of their own. Keys under ``beyond`` are decided by
    the check alone, since no certificate holds what they speak of.
    """

    hypotheses: dict[str, str] = field(default_factory=dict)
    violates: dict[str, str] = field(default_factory=dict)
    beyond: tuple[str, ...] = ()

    @property
    def all(self) -> dict[str, str]:
        """key -> sentence."""
        return self.hypotheses | self.violates

    def require_all(self, decided: set[str]) -> None:
        """The demands decided every word but those beyond them."""
        left = [sentence for key, sentence in self.all.items() if key not in decided and key not in self.beyond]
        require(not left, f"no demand decides: {'; '.join(left)}")


def rule(kind: str) -> Callable[[Function], Function]:
    """Register the rule of a kind of certificate."""

    def register(check: Function) -> Function:
        require(kind not in RULES, f"two rules for the kind {kind!r}")
        RULES[kind] = check
        return check

    return register


def statement(
    claim: str,
    kind: str | None = None,
    data: Schema | None = None,
    hypotheses: Mapping[str, str] | None = None,
    violates: Mapping[str, str] | None = None,
    beyond: Sequence[str] = (),
) -> Callable[[Function], Function]:
    """Register what ``claim`` says, as a demand on each of its certificates of one kind, or on all of them together if no kind is given.

    ``data`` is the schema of what the demand reads. For a refuted claim, ``hypotheses`` and ``violates`` are its :class:`Words`. The demand
    returns what it decided of them, {key: True or False}; between them the demands of a claim decide all but those ``beyond`` them.
    """
    if hypotheses or violates:
        require(claim not in WORDS, f"words twice for {claim!r}")
        WORDS[claim] = Words(dict(hypotheses or {}), dict(violates or {}), tuple(beyond))

    def register(demand: Function) -> Function:
        if kind is None:
            require(claim not in COVERS, f"two demands for {claim!r}")
            COVERS[claim] = heeded(claim, demand)
            return demand
        require((claim, kind) not in DEMANDS, f"two demands for {claim, kind!r}")
        DEMANDS[claim, kind] = heeded(claim, demand)
        if data is not None:
            SCHEMAS[claim, kind] = data
        return demand

    return register


def refuted(
    claim: str, hypotheses: Mapping[str, str], violates: Mapping[str, str], **data: Schema | int | str
) -> Callable[[Callable[..., Decided]], Callable[[Data], Decided]]:
    """Register what refutes ``claim`` with one witness: the short form of :func:`statement`, for a demand on a few numbers.

    ``data`` names what the witness holds, each with its schema or, as an integer or as text, with the only number that it may be. The decorated
    demand takes them by name, as exact numbers, and decides all words.
    """
    of = {k: Natural(x, x) if isinstance(x, int) else Text(x) if isinstance(x, str) else x for k, x in data.items()}

    def register(demand: Callable[..., Decided]) -> Callable[[Data], Decided]:
        @wraps(demand)
        def on_data(found: Data) -> Decided:
            return demand(**{name: _read(schema, found[name]) for name, schema in of.items()})

        return statement(claim, "witness", Fields(None, **of), hypotheses, violates)(on_data)

    return register


def _read(schema: Schema, x: Any) -> Any:
    """What the schema of one number, a vector or a matrix let through, as exact numbers; anything else as it is."""
    read = {Natural: natural, Rational: number, Text: number, Vector: vector, Matrix: matrix}.get(type(schema))
    return read(x) if read else x


def instances(claim: str, kind: str) -> Callable[[Function], Function]:
    """Register which instances the certificates of one kind speak of, so that nobody can choose them.

    The decorated generator takes nothing and yields, in order, the fields that name an instance, as {key: value}: it goes through a finite domain,
    or draws the random family again from the claim's seed, with the standard library alone. Numbers are compared as numbers.
    """

    def register(draw: Function) -> Function:
        require((claim, kind) not in INSTANCES, f"two domains for {claim, kind!r}")
        INSTANCES[claim, kind] = draw
        return draw

    return register


def check_certificates(claim: str, certificates: Sequence[Mapping[str, Any]]) -> None:
    """Raise Rejected unless every certificate holds by the rule of its kind and shows what the claim says, on the instances that the claim names."""
    for _, ask in stages(claim, certificates):
        ask()


def stages(claim: str, certificates: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, Callable[[], None]]]:
    """(name, what raises Rejected) for each thing that is asked, in order: first what needs no arithmetic."""
    contents = [(c["kind"], c["data"]) for c in certificates]
    decided: set[str] = set()
    for i, (kind, data) in enumerate(contents, start=1):
        yield "schema", lambda: require_schema(claim, kind, data, i)  # noqa: B023  asked before the next one
    yield "repeats", lambda: require(len({(kind, parsed(data)) for kind, data in contents}) == len(contents), "holds a certificate twice")
    for kind in dict.fromkeys(kind for kind, _ in contents):
        if (claim, kind) in INSTANCES:
            same = [data for k, data in contents if k == kind]
            yield "instances", lambda: require_instances(INSTANCES[claim, kind](), same, kind)  # noqa: B023
    for kind, data in contents:
        yield "rule", lambda: RULES[kind](data)  # noqa: B023
        yield "demand", lambda: decided.update(DEMANDS[claim, kind](data))  # noqa: B023
    if claim in COVERS:
        yield "demand", lambda: decided.update(COVERS[claim](contents))
    yield "demand", lambda: words_of(claim).require_all(decided)


def words_of(claim: str) -> Words:
    """The words of the claim's counterexamples; none of a claim that has no counterexample."""
    return WORDS.get(claim, Words())


def heeded(claim: str, demand: Callable[[Any], Any]) -> Callable[[Any], set[str]]:
    """The demand, which is Rejected unless all that it decides is True, and then returns the keys of the words that it decided."""

    @wraps(demand)
    def heed(what: Any) -> set[str]:
        decided = demand(what)
        if not isinstance(decided, dict):  # what a demand hands to another one
            return set()
        for key, value in decided.items():
            require(key in words_of(claim).all, f"a demand of {claim} decides {key!r}, which is under no word")
            require(value is True, f"the counterexample fails: {words_of(claim).all[key]}")
        return set(decided)

    return heed


def require_schema(claim: str, kind: str, data: Data, i: int) -> None:
    """The kind is known, the claim speaks of it, and the data have the declared keys, sizes and numbers."""
    require(kind in RULES, f"certificate {i} is of an unknown kind, {kind!r}")
    require((claim, kind) in DEMANDS, f"certificate {i} ({kind}) says nothing about {claim}")
    if (claim, kind) in SCHEMAS:
        SCHEMAS[claim, kind].check(data, "data")


def require_instances(expected: Iterable[Data], found: Sequence[Data], kind: str) -> None:
    """The certificates speak of these instances, all of them and in this order."""
    expected = list(expected)
    require(len(expected) == len(found), f"expected {len(expected)} certificates of kind {kind}, got {len(found)}")
    for i, (fields, data) in enumerate(zip(expected, found, strict=True), start=1):
        for name, value in fields.items():
            require(
                name in data and parsed(data[name]) == parsed(value), f"certificate {i} ({kind}) is about another {name} than the claim's"
            )
