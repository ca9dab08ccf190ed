"""The papers' trained figures and tables: what is said of each, by which criterion it is judged here, and how the papers and we train for it.

``reproduction.toml`` holds them, and was written before the runs that it judges. A row is a figure or a table, or several that share one observation;
its sentences are the paper's, each with a criterion of ``criteria``. A row is reproduced if all sentences that decide it hold.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ..papers import papers
from .criteria import KINDS, Criterion

FILE = Path(__file__).parent / "reproduction.toml"

#: the settings of a training, in the order of its table -> what each is
SETTINGS = {
    "data": "data",
    "width": "width",
    "heads": "heads",
    "layers": "layers",
    "convolution": "short convolution",
    "start": "first weights",
    "batch": "words in a step",
    "steps": "steps",
    "rate": "learning rate",
    "warmup": "warm-up",
    "decay": "weight decay",
    "clipping": "norm of the gradient, at most",
    "lengths": "trained lengths",
    "tested": "tested lengths",
    "seeds": "seeds",
}

#: what a paper is silent about
UNSAID = "not stated"

#: words of a description of the paper's picture
DESCRIBED = 90

#: words of a quote, core-minutes of the kept run, core-minutes of one that takes longer, and how many may
WORDS, MINUTES, LONG, LONGER = 40, 60, 180, 4


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What a paper sets and where it says so, and what the desk scale sets where that differs, with the reason.

    Where the paper is silent, ``paper`` is "not stated" and ``desk`` what we took.
    """

    paper: str
    place: str = ""
    desk: str = ""
    why: str = ""

    def __post_init__(self) -> None:
        silent = self.paper == UNSAID
        if not self.paper or silent == bool(self.place):
            raise ValueError(
                f"expected what the paper sets and where it says so, or {UNSAID!r} alone, got {self.paper!r} at {self.place!r}"
            )
        if silent and (not self.desk or self.why):
            raise ValueError(f"expected what we took, without a reason, where the paper is silent, got {self.desk!r} since {self.why!r}")
        if not silent and (bool(self.desk) != bool(self.why) or self.desk == self.paper):
            raise ValueError(f"expected a difference from {self.paper!r} with its reason, or neither, got {self.desk!r} since {self.why!r}")

    @property
    def here(self) -> str:
        """What the desk scale sets."""
        return self.desk or self.paper


@dataclass(frozen=True, kw_only=True)
class Training:
    """How some rows are trained: the settings of :data:`SETTINGS`, the experiment that trains them, the core-minutes planned for the run that is kept.

    ``substitute`` are other data than the paper's; ``long``: one of the few that may take longer.
    """

    name: str
    experiment: str
    minutes: int
    settings: Mapping[str, Setting]
    long: bool = False
    substitute: str = ""

    def __post_init__(self) -> None:
        if list(self.settings) != list(SETTINGS):
            raise ValueError(f"expected the settings {', '.join(SETTINGS)}, got {', '.join(self.settings)}")
        most = LONG if self.long else MINUTES
        if not 0 < self.minutes <= most:
            raise ValueError(f"expected at most {most} core-minutes, got {self.minutes}")


@dataclass(frozen=True, kw_only=True)
class Sentence:
    """What a paper says of a row: ``words`` are its own, from the numbered ``unit`` of its text; ``cannot`` says why it is not judged at desk scale."""

    place: str
    unit: int
    words: str
    criterion: Criterion
    decides: bool = False
    cannot: str = ""

    def __post_init__(self) -> None:
        if not 0 < len(self.words.split()) <= WORDS:
            raise ValueError(f"expected a quote of at most {WORDS} words, got {len(self.words.split())}: {self.words!r}")
        if self.decides and self.cannot:
            raise ValueError(f"expected a sentence that can be judged to decide, got {self.words!r}")


@dataclass(frozen=True, kw_only=True)
class Row:
    """A figure or a table: where it stands, what the paper's own ``picture`` of it shows in our words, how it is trained, what its criteria compare, its sentences.

    ``printed`` are units of the text with its numbers. ``tried``: after the run, what was tried, what it cost, and what is in doubt where the row is not reproduced.
    """

    id: str
    place: str
    picture: str
    training: Training
    measure: str
    sentences: tuple[Sentence, ...]
    printed: tuple[int, ...] = ()
    tried: str = ""

    def __post_init__(self) -> None:
        if self.paper not in papers():
            raise ValueError(f"expected the key of a paper and a name, got {self.id!r}")
        if not 0 < len(self.picture.split()) <= DESCRIBED:
            raise ValueError(f"expected the paper's picture in at most {DESCRIBED} words, got {self.picture!r}")
        if not self.deciding:
            raise ValueError(f"expected a sentence that decides {self.id}, got none")

    @property
    def paper(self) -> str:
        """The paper's key."""
        return self.id.split(".")[0]

    @property
    def deciding(self) -> tuple[Sentence, ...]:
        """The sentences that must hold for the row to be reproduced, the one that gives the row its kind first."""
        return tuple(s for s in self.sentences if s.decides)

    @property
    def kind(self) -> str:
        """Its kind in words."""
        return self.deciding[0].criterion.title


@dataclass(frozen=True, kw_only=True)
class Outside:
    """Measurements of a paper that are no row: units of its text, and what they are about."""

    paper: str
    place: str
    what: str
    units: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Beside:
    """An experiment of ours that stands beside the rows, and its question."""

    experiment: str
    says: str


@dataclass(frozen=True, kw_only=True)
class Listed:
    """The whole list."""

    training: Mapping[str, Training]
    rows: Mapping[str, Row]
    outside: tuple[Outside, ...]
    beside: tuple[Beside, ...]

    def __post_init__(self) -> None:
        if (count := sum(row.training.long for row in self.rows.values())) > LONGER:
            raise ValueError(f"expected at most {LONGER} rows that take longer, got {count}")

    def units(self, paper: str) -> list[int]:
        """The units of a paper's text that a sentence quotes, that hold a row's numbers, or that are outside; one twice if two name it."""
        rows = [r for r in self.rows.values() if r.paper == paper]
        quoted = {s.unit for r in rows for s in r.sentences}
        named = {i for r in rows for i in r.printed} | quoted
        return sorted([*named, *(i for o in self.outside if o.paper == paper for i in o.units)])


@cache
def listed() -> Listed:
    """The list that the project keeps.

    >>> listed().rows["grazzi25.table3"].kind
    'ordered with values'
    """
    return read(tomllib.loads(FILE.read_text(encoding="utf-8")))


def read(facts: Mapping[str, Any]) -> Listed:
    """A list from its facts, as TOML has them. Raises ``ValueError`` for what makes no sense, with the row or training that has it."""
    training = {name: _named(name, _training, name, given) for name, given in facts["training"].items()}
    rows = [_named(given.get("id", "a row"), _row, given, training) for given in facts["row"]]
    if len({row.id for row in rows}) < len(rows):
        raise ValueError("expected rows of different names, got two that share one")
    idle = set(training) - {given["training"] for given in facts["row"]}
    if idle:
        raise ValueError(f"expected a row for each training, got none for {', '.join(sorted(idle))}")
    return Listed(
        training=training,
        rows={row.id: row for row in rows},
        outside=tuple(Outside(**given | {"units": tuple(given["units"])}) for given in facts.get("outside", [])),
        beside=tuple(Beside(**given) for given in facts.get("beside", [])),
    )


def _named(name: str, make: Any, *given: Any) -> Any:
    """What ``make`` makes; what is wrong with it is said with its name."""
    try:
        return make(*given)
    except (TypeError, ValueError) as why:
        raise ValueError(f"{name}: {why}") from why


def _training(name: str, given: Mapping[str, Any]) -> Training:
    own: dict[str, Any] = {field: v for field, v in given.items() if not isinstance(v, dict)}
    settings = {setting: _named(setting, lambda v: Setting(**v), v) for setting, v in given.items() if isinstance(v, dict)}
    return Training(name=name, settings=settings, **own)


def _row(given: Mapping[str, Any], training: Mapping[str, Training]) -> Row:
    if given["training"] not in training:
        raise ValueError(f"expected a training among {', '.join(training)}, got {given['training']!r}")
    own: dict[str, Any] = {name: v for name, v in given.items() if name != "sentence"}
    own |= {"training": training[given["training"]], "printed": tuple(given.get("printed", ()))}
    return Row(sentences=tuple(map(_sentence, given["sentence"])), **own)


def _sentence(given: Mapping[str, Any]) -> Sentence:
    """A sentence: what is not its own are the fields of its criterion."""
    if given["kind"] not in KINDS:
        raise ValueError(f"expected a kind among {', '.join(KINDS)}, got {given['kind']!r}")
    own = {name: given[name] for name in ("place", "unit", "words", "decides", "cannot") if name in given}
    rest: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in given.items() if name not in own and name != "kind"}
    return Sentence(**own, criterion=KINDS[given["kind"]](**rest))
