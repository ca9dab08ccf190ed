"""Which method decides how many layers of norm at most 1 small automata take, with finitely many exact states: each automaton up to renaming states and letters."""

from __future__ import annotations

import numpy as np

from ..cli.blocks import Block, Code, Counts, Heading, Paragraph
from ..theorems.automata.layers_of_four_states import CONTENTS, FOLDINGS, LOOPS, NONE, ONE, OPEN, decided, smallest_open
from ..theorems.automata.small_semigroups import maps_of, one_sided, semigroups, up_to_names

#: the claim of the table, and those behind it
CLAIMS = (
    "new.automata.depth.four-states",
    "new.automata.one-layer.norm.converse",
    "new.automata.depth.exact",
    "new.automata.depth.two-layers",
    "new.automata.depth.foldings",
    "grazzi25.sec4.3.depth",
)

#: the row of three states that take more than one layer
TWO = "2, one less than states, and the bound by contents"
ROWS = (NONE, ONE, TWO, LOOPS, CONTENTS, FOLDINGS, OPEN)


def three_states(letters: int) -> dict[str, int]:
    """How many automata of three states and so many letters take no layer, one and two."""
    rows = up_to_names(3, letters)
    none = (maps_of(3).images[rows] == maps_of(3).images[rows][..., :1]).all(axis=(1, 2))
    one = np.array([one_sided(3, np.flatnonzero(row)) for row in semigroups(3, rows)]) & ~none
    return {NONE: int(none.sum()), ONE: int(one.sum()), TWO: int((~none & ~one).sum())}


def letters_text(letters: list[int]) -> str:
    """Letters of four states, such as a: 0 0 1 2; b: 1 2 3 1."""
    return "; ".join(f"{'abc'[i]}: {' '.join(map(str, maps_of(4).images[f].tolist()))}" for i, f in enumerate(letters))


def blocks() -> list[Block]:
    """The section of the page on small automata."""
    families = {"3 states, 2 letters": three_states(2), "3 states, 3 letters": three_states(3)}
    families |= {f"4 states, {k} letters": decided(k).counts() for k in (2, 3)}
    rows = [[name, *(f"{known.get(name, 0):,}" for known in families.values())] for name in ROWS]
    rows.append(["together", *(f"{sum(known.values()):,}" for known in families.values())])
    opens = [f"4 states, {k} letters: {letters_text(letters)}" for k in (2, 3) if (letters := smallest_open(k)) is not None]
    return [
        Heading(2, "What decides automata of four states"),
        Paragraph(
            "With finitely many exact states. Automata are counted up to renaming states and letters; every state is reachable from one of them. "
            "Loops are tried over cyclic groups of at most 4 elements for two letters, and of 2 for three."
        ),
        Paragraph(
            "A larger semigroup of maps takes no fewer layers. So an automaton may be decided by a larger one that takes two layers, or a smaller one that takes three."
        ),
        Paragraph(f"The claims are {', '.join(f'`{id}`' for id in CLAIMS)}."),
        Counts(["layers and what decides", *families], rows),
        Paragraph("The compiler was not asked; it may build two layers for some that are open here."),
        Paragraph(
            "The open automaton with the smallest semigroup of maps; with three letters, no open one with two letters is part of it:"
        ),
        Code("\n".join(opens), "text"),
    ]
