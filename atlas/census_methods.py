"""Which method decides how many layers of norm at most 1 small automata take, with finitely many exact states: each automaton up to renaming states and letters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement, permutations, product

from ..cli.blocks import Block, Code, Counts, Heading, Paragraph
from ..constructions.automata import Automaton
from ..constructions.languages import Undecided, language_of
from ..constructions.languages.folded_layers import folded_bound
from ..constructions.languages.two_layers import two_layers
from .languages import Asked

Letters = tuple[tuple[int, ...], ...]

NONE, ONE, BUILT, LOOPS, FOLDED, OPEN = (
    "the last letter decides",
    "one layer: efe = fe",
    "the compiler's network, and the bound by contents",
    "two layers by loops, and the bound by contents",
    "the compiler's network, and the bound by foldings",
    "open",
)
METHODS = (NONE, ONE, BUILT, LOOPS, FOLDED, OPEN)
#: the claims behind them
CLAIMS = (
    "new.automata.one-layer.norm.converse",
    "new.automata.depth.exact",
    "new.automata.depth.two-layers",
    "new.automata.depth.foldings",
)


@dataclass
class Decided:
    """Of a family: automata by (method, layers); those that are open by their two bounds; and the first of these."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    first_open: Letters | None = None


def start_of(letters: Letters) -> int | None:
    """The first state from which all others are reached, if there is one."""
    n = len(letters[0])
    return next((q for q in range(n) if Automaton(dict(enumerate(letters)), q).reachable().n == n), None)


def up_to_names(states: int, letters: int) -> Iterator[Letters]:
    """All automata of so many states, all reachable from some state, and letters: the least of each class under renaming states and letters."""
    renamings = list(permutations(range(states)))
    for chosen in combinations_with_replacement(product(range(states), repeat=states), letters):
        if all(renamed(chosen, p) >= chosen for p in renamings) and start_of(chosen) is not None:
            yield chosen


def renamed(letters: Letters, p: Sequence[int]) -> Letters:
    """State q is called p[q]; letters are sorted."""
    back = [p.index(i) for i in range(len(p))]
    return tuple(sorted(tuple(p[f[q]] for q in back) for f in letters))


def decided(letters: Letters) -> tuple[str, str]:
    """The method that decides the number of layers, and the number; "open" and the bounds on both sides."""
    automaton = Automaton({"abc"[i]: f for i, f in enumerate(letters)}, start_of(letters) or 0)
    asked = Asked(language_of(automaton, tracked=True))
    least = asked.bound(True)
    assert not isinstance(least, Undecided)
    if least.layers == 0:
        return NONE, "0"
    if asked.has("efe-is-fe"):
        return ONE, str(least.layers)
    if least.layers == asked.depth:
        return BUILT, str(least.layers)
    if least.layers == 2 and two_layers(automaton) is not None:
        return LOOPS, "2"
    folded = folded_bound(letters, exact=True)
    return (FOLDED, str(folded)) if folded == asked.depth else (OPEN, f"{max(folded, least.layers)} to {asked.depth}")


def counted(family: Iterable[Letters]) -> Decided:
    """What decides each automaton of a family."""
    found = Decided()
    for letters in family:
        method, layers = decided(letters)
        found.counts[method, layers] += 1
        if method == OPEN and found.first_open is None:
            found.first_open = letters
    return found


def blocks() -> list[Block]:
    """The section of the page on small automata."""
    families = {
        "all with 3 states, 2 letters": counted(up_to_names(3, 2)),
        "all with 4 states, 2 letters": counted(up_to_names(4, 2)),
    }
    keys = sorted({key for known in families.values() for key in known.counts}, key=lambda key: (METHODS.index(key[0]), key[1]))
    rows = [[f"{layers}, {method}", *(f"{known.counts[method, layers]:,}" for known in families.values())] for method, layers in keys]
    rows.append(["together", *(f"{known.counts.total():,}" for known in families.values())])
    opens = [
        f"{says}: " + "; ".join(f"{'abc'[i]}: {' '.join(map(str, f))}" for i, f in enumerate(known.first_open))
        for says, known in families.items()
        if known.first_open is not None
    ]
    return [
        Heading(2, "What decides automata of four states"),
        Paragraph(
            "With finitely many exact states. Automata are counted up to renaming states and letters; every state is reachable from one of them. "
            "Loops are tried over cyclic groups of at most 3 elements."
        ),
        Paragraph(f"The claims are {', '.join(f'`{id}`' for id in CLAIMS)}."),
        Counts(["layers and what decides", *families], rows),
        *(
            [Paragraph("The first open automaton of each family, in the order of its maps:"), Code("\n".join(opens), "text")]
            if opens
            else []
        ),
    ]
