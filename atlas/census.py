"""How many layers of norm at most 1 small automata take: the lower bound against the fewest layers that are known, machine by machine.

``python -m lemmata.atlas.census > docs/reference/layers.md`` writes the page; it takes some minutes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from random import Random

from ..cli.blocks import Block, Code, Counts, Generated, Heading, Paragraph
from ..cli.markdown import markdown
from ..constructions.automata import Automaton
from ..constructions.automata.read.families import all_automata, random_automaton
from ..constructions.languages import Language, Undecided, language_of
from ..theorems.ledger import ledger
from . import census_methods
from .languages import Asked

COMMAND = "python -m lemmata.atlas.census > docs/reference/layers.md"

#: the claim by which one layer is enough
CONVERSE = "new.automata.one-layer.norm.converse"

#: seed of the random automata
SEED = 60


@dataclass(frozen=True)
class Family:
    """Automata whose states are tracked; each machine is counted once."""

    says: str
    automata: Callable[[], Iterable[Automaton]]


@dataclass
class Found:
    """Of one family in one arithmetic: machines by (lower bound, fewest layers known), those without a bound, and the first that is open."""

    counts: Counter[tuple[int, int]] = field(default_factory=Counter)
    uncomputed: int = 0
    first_open: Language | None = None

    @property
    def decided(self) -> int:
        return sum(count for (least, most), count in self.counts.items() if least == most)

    @property
    def open(self) -> int:
        return sum(count for (least, most), count in self.counts.items() if least < most)

    def bounded(self, least: int) -> int:
        """How many have this bound."""
        return sum(count for (bound, _), count in self.counts.items() if bound == least)


def _random(states: int, letters: int, count: int) -> Callable[[], Iterator[Automaton]]:
    def drawn() -> Iterator[Automaton]:
        rng = Random(f"{SEED}, {states}, {letters}")
        return (random_automaton(rng, states, letters) for _ in range(count))

    return drawn


FAMILIES = (
    Family("all with 1 or 2 states, 2 letters", lambda: (a for n in (1, 2) for a in all_automata(n, 2))),
    Family("all with 3 states, 2 letters", lambda: all_automata(3, 2)),
    Family("all with 3 states, 3 letters", lambda: all_automata(3, 3)),
    Family("random, up to 4 states, 2 letters", _random(4, 2, 2_000)),
    Family("random, up to 4 states, 3 letters", _random(4, 3, 600)),
    Family("random, up to 5 states, 2 letters", _random(5, 2, 600)),
)


def machines(family: Family) -> Iterator[Language]:
    """The states of each automaton that can be reached, each machine once."""
    seen = set()
    for automaton in family.automata():
        language = language_of(automaton, tracked=True)
        m = language.machine
        key = (m.n, m.delta.tobytes(), m.answers.tobytes())
        if key not in seen:
            seen.add(key)
            yield language


def fewest(asked: Asked, least: int) -> int:
    """The fewest layers that are known: none where the last letter decides, one where efe = fe, else those of the network that is built."""
    return 0 if least == 0 else 1 if asked.has("efe-is-fe") else asked.depth


@cache
def counted(family: Family) -> dict[str, Found]:
    """What is known of a family with exact states, and with a margin."""
    found = {"exact": Found(), "margin": Found()}
    for language in machines(family):
        asked = Asked(language)
        for arithmetic, known in found.items():
            bound = asked.bound(arithmetic == "exact")
            if isinstance(bound, Undecided):
                known.uncomputed += 1
                continue
            most = fewest(asked, bound.layers)
            known.counts[bound.layers, most] += 1
            smaller = known.first_open is None or language.machine.n < known.first_open.machine.n
            if bound.layers < most and smaller:
                known.first_open = language
    return found


def table_text(language: Language) -> str:
    """A machine in a line: where each letter leads."""
    m = language.machine
    return "; ".join(f"{x}: {' '.join(map(str, row.tolist()))}" for x, row in zip(m.letters, m.delta, strict=True))


def document(families: Iterable[Family] = FAMILIES) -> list[Block]:
    """The page."""
    found = {family.says: counted(family) for family in families}
    blocks: list[Block] = [
        Generated(COMMAND),
        Heading(1, "How many layers of norm at most 1 small automata take"),
        Paragraph(
            "For whoever asks how deep a stack of DeltaNet, Gated DeltaNet or DeltaProduct layers must be. "
            "Each machine is counted once, and its states are tracked. A machine is decided if the lower bound is a number of layers that is known to be enough."
        ),
        Paragraph(
            "The bounds are `new.automata.depth.exact` and `new.automata.depth.margin`. One layer is enough where efe = fe "
            f"(`{CONVERSE}`, {ledger()[CONVERSE].verdict}); otherwise `lemmata compile` builds the network. No layer is needed where the last letter decides."
        ),
    ]
    for arithmetic, words in (("exact", "Finitely many exact states"), ("margin", "Bounded states with a margin")):
        highest = max((bound for known in found.values() for bound, _ in known[arithmetic].counts), default=0)
        head = ["machines", "number", *(f"bound {k}" for k in range(highest + 1)), "not computed", "decided", "open"]
        rows = []
        for says, by in found.items():
            known = by[arithmetic]
            total = known.counts.total() + known.uncomputed
            numbers = [total, *(known.bounded(k) for k in range(highest + 1)), known.uncomputed, known.decided, known.open]
            rows.append([says, *(f"{number:,}" for number in numbers)])
        blocks += [Heading(2, words), Counts(head, rows)]
        firsts = {says: by[arithmetic].first_open for says, by in found.items()}
        opens = [f"{says}: {table_text(first)}" for says, first in firsts.items() if first is not None]
        if opens:
            blocks += [Paragraph("A first open machine of each row, as the states where its letters lead:"), Code("\n".join(opens), "text")]
    return blocks


if __name__ == "__main__":
    print(markdown([*document(), *census_methods.blocks()]), end="")
