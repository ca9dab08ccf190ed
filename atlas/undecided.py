"""Why cells of the table are open, with their numbers: what ``knowledge/open.toml`` says of each kind."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from .cells import open_cells
from .inference import DEPTHS
from .knowledge import PRECISIONS, read_table


@dataclass(frozen=True)
class OpenGroup:
    """Models whose cells are open for one reason, in an arithmetic; ``many`` and ``one`` count these cells. No models: all of the arithmetic's."""

    arithmetic: str
    name: str
    models: list[str]
    because: str
    many: int = 0
    one: int = 0


def open_groups() -> list[OpenGroup]:
    """All kinds of open cells. A cell counts in the first group of its arithmetic that names its model.

    Raises ``ValueError`` if a cell belongs to none.
    """
    groups = [OpenGroup(**x) for x in read_table("open")["group"]]
    counts: Counter[tuple[int, str]] = Counter()
    for precision in PRECISIONS:
        for depth in DEPTHS:
            for place in open_cells(precision, depth):
                mine = (i for i, g in enumerate(groups) if g.arithmetic == precision and (not g.models or place.model in g.models))
                i = next(mine, None)
                if i is None:
                    raise ValueError(f"expected a reason in open.toml for {place.model} and {place.task}, {precision}, {depth}")
                counts[i, depth] += 1
    return [replace(g, many=counts[i, "many"], one=counts[i, "one"]) for i, g in enumerate(groups)]


def unexplained(model: str) -> list[str]:
    """The arithmetics in which a cell of the model is open and no group names it."""
    named = {g["arithmetic"] for g in read_table("open")["group"] if not g["models"] or model in g["models"]}
    return [p for p in PRECISIONS if p not in named and any(x.model == model for d in DEPTHS for x in open_cells(p, d))]


@dataclass(frozen=True)
class Before:
    """An earlier table, of fewer models and tasks: all cells, and those that were open for any number of layers and for one; its recurrent models and regular tasks."""

    cells: int
    any: int
    one: int
    recurrent: list[str]
    regular: list[str]

    @property
    def still_open(self) -> dict[str, int]:
        """How many cells of its recurrent models and regular tasks are open today, with exact states, by depth."""
        return {d: sum(p.model in self.recurrent and p.task in self.regular for p in open_cells("exact", d)) for d in DEPTHS}


def before() -> Before:
    """The table before languages were asked about."""
    return Before(**read_table("open")["before"])
