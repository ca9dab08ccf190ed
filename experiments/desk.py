"""The rows of the list of the papers' figures, trained at desk scale and judged by their criteria.

A training of the list has a module with ``PLAN = Plan(...)``: its cells, which are trained, and what each side of a criterion is. A cell is a shape of
network on a task; all its learning rates and seeds are trained in one stack. The rate of a cell is chosen by the median of its seeds on validation
words, and criteria are judged on test words.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib import import_module
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .criteria import SEEDS
from .judged import Found, names_of
from .reproduction import Row, listed
from .stacked import Build, Member, Recipe, Stack, curve, train_stack
from .training import PAUSE, TEST

if TYPE_CHECKING:
    import xarray as xr
    from torch import nn

    from ..numerics.progress import Progress
    from .tasks import Task

#: what the random numbers of the words are for by which rates are chosen
VALIDATION = 3

#: parts of the steps over which losses are averaged for the picture
PARTS = 40

#: trainings of the list that are run -> their modules
MODULES = {
    "brackets": "desk_brackets",
    "copying": "desk_copying",
    "tracking": "desk_tracking",
    "arithmetic": "desk_arithmetic",
    "permutations": "desk_permutations",
    "sign": "desk_sign",
    "first": "desk_first",
    "digits": "desk_digits",
    "paths": "desk_paths",
    "signals": "desk_signals",
    "images": "desk_images",
    "signs": "desk_signs",
    "letters": "desk_letters",
    "equations": "desk_equations",
    "arena": "desk_arena",
}

#: (network, its member, VALIDATION or TEST) -> numbers by name
Measure = Callable[["nn.Module", Member, int], dict[str, float]]


@dataclass(frozen=True, kw_only=True)
class Cell:
    """Networks of one shape on one task, for some rows, at every rate and from every seed.

    ``measure`` finds numbers of a trained network, for validation or for the test. The rate is chosen by the number ``by``: the least median, or with ``most``
    the largest. ``guess`` has the numbers of a network that guesses, which a diverged one gets.
    """

    name: str
    rows: tuple[str, ...]
    task: Task
    build: Build
    recipe: Recipe
    rates: tuple[float, ...]
    measure: Measure
    by: str
    guess: Mapping[str, float]
    most: bool = False
    seeds: int = SEEDS
    #: what else tells this cell from another of its name, for files that are kept between runs
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def stack(self) -> Stack:
        """What is trained at once."""
        members = tuple(Member(self.name, seed, rate) for rate in self.rates for seed in range(self.seeds))
        return Stack(self.name, members, self.recipe)


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How a training of the list is run: its cells, what each side of a criterion is, and by row the finding if it is reproduced and if not."""

    cells: Callable[[], list[Cell]]
    sides: Mapping[str, Callable[[Found], Sequence[float]]]
    findings: Mapping[str, tuple[str, str]]

    def of(self, row: str) -> list[Cell]:
        """The cells of a row."""
        return [cell for cell in self.cells() if row in cell.rows]


def plan(row: Row) -> Plan:
    """How a row is run. Raises ``ValueError`` for a row whose training is not written."""
    if row.id not in trainable():
        raise ValueError(f"expected a row that can be trained, among {', '.join(trainable())}, got {row.id}")
    return _imported(row)


def _imported(row: Row) -> Plan:
    """The plan of a row's training."""
    return import_module(f".{MODULES[row.training.name]}", __package__).PLAN


def trainable() -> list[str]:
    """The rows that can be trained, in the order of the list."""
    return [row.id for row in listed().rows.values() if row.training.name in MODULES and row.id in _imported(row).findings]


def row_named(name: str) -> Row:
    """A row of the list. Raises ``ValueError`` for an unknown name."""
    rows = listed().rows
    if name not in rows:
        raise ValueError(f"expected a row among {', '.join(rows)}, got {name!r}")
    return rows[name]


def compute(row: Row, folder: Path | None = None, progress: Progress | None = None, pause: float = PAUSE) -> xr.Dataset:
    """Train the cells of a row, and the numbers of every network.

    With a ``folder`` a cell that was stopped goes on from its checkpoint, and one that is done is read. Raises ``ValueError`` as ``train_stack``.
    """
    cells = plan(row).of(row.id)
    total, before, found = sum(cell.recipe.steps for cell in cells), 0, []
    for cell in cells:
        found.append(_done(cell, folder) or _trained(cell, folder, _shifted(progress, before, total), pause))
        before += cell.recipe.steps
    return with_sides(row, _labelled(row, cells, found))


def with_sides(row: Row, data: xr.Dataset) -> xr.Dataset:
    """The data with the numbers of every side of a criterion, one for each seed, (side, seed)."""
    known, of = plan(row).sides, Found(data)
    asked = dict.fromkeys(name for s in row.sentences if not s.cannot for name in names_of(s) if name in known)
    sides = [list(map(float, known[name](of))) for name in asked]
    whole = np.full((len(sides), data.sizes["seed"]), np.nan)
    for i, side in enumerate(sides):
        whole[i, : len(side)] = side
    return data.assign(side=(("named", "seed"), whole, {"long_name": "a side of a criterion"})).assign_coords(named=list(asked))


def _shifted(progress: Progress | None, before: int, total: int) -> Progress | None:
    """A cell's progress as that of all cells."""
    return None if progress is None else lambda stage, done, _: progress(stage, before + done, total)


def _identity(cell: Cell) -> dict[str, Any]:
    """What must be the same for numbers to be taken from a file."""
    return json.loads(json.dumps({"stack": asdict(cell.stack), "facts": dict(cell.facts)}))


def _done(cell: Cell, folder: Path | None) -> Any:
    """The numbers of a cell that was trained before, or None. Raises ``ValueError`` for those of another cell of its name."""
    path = None if folder is None else folder / f"{cell.name}.json"
    if path is None or not path.exists():
        return None
    stored = json.loads(path.read_text(encoding="utf-8"))
    if stored["cell"] != _identity(cell):
        raise ValueError(
            f"expected the numbers of the cell {cell.name!r} in {str(path)!r}, got another's: use another folder, or remove it"
        )
    return stored["found"]


def _trained(cell: Cell, folder: Path | None, progress: Progress | None, pause: float) -> Any:
    """Train a cell and measure its networks; the numbers are kept in the folder."""
    networks, losses = train_stack(cell.stack, cell.task, cell.build, folder, progress, pause)
    numbers = []
    for i, member in enumerate(cell.stack.members):
        network = networks.network(i).eval()
        said = [cell.measure(network, member, use) for use in (VALIDATION, TEST)]
        numbers.append([{name: x if isfinite(x) else cell.guess[name] for name, x in one.items()} for one in said])
    parts = np.where(np.isfinite(rows := curve(losses, PARTS)), rows, -1.0)
    found = {"numbers": numbers, "losses": parts.tolist(), "minutes": networks.spent / 60}
    text = json.dumps({"cell": _identity(cell), "found": found})
    if folder is not None:
        unfinished = folder / f".{cell.name}.{os.getpid()}.part"
        unfinished.write_text(text, encoding="utf-8")
        os.replace(unfinished, folder / f"{cell.name}.json")
    return json.loads(text)["found"]


def _labelled(row: Row, cells: list[Cell], found: list[Any]) -> xr.Dataset:
    """The numbers of all networks of a row, with names."""
    import xarray as xr

    names = list(dict.fromkeys(name for f in found for name in f["numbers"][0][1]))
    rates, seeds = max(len(cell.rates) for cell in cells), max(cell.seeds for cell in cells)
    test, validation = (np.full((len(cells), rates, seeds, *more), np.nan) for more in ((len(names),), ()))
    tried, losses = np.full((len(cells), rates), np.nan), np.full((len(cells), rates, PARTS), np.nan)
    for c, (cell, f) in enumerate(zip(cells, found, strict=True)):
        tried[c, : len(cell.rates)] = cell.rates
        for i, (valid, tested) in enumerate(f["numbers"]):
            at = c, i // cell.seeds, i % cell.seeds
            validation[at] = valid[cell.by]
            test[at] = [tested.get(name, np.nan) for name in names]
        of_rates = np.array(f["losses"]).reshape(-1, len(cell.rates), cell.seeds)
        losses[c, : len(cell.rates), : len(of_rates)] = np.median(of_rates, axis=-1).T
    over = ("cell", "rate", "seed")
    return xr.Dataset(
        {
            "value": ((*over, "number"), test, {"long_name": "on test words"}),
            "validation": (over, validation, {"long_name": "on the words by which the rate is chosen"}),
            "tried": (("cell", "rate"), tried, {"long_name": "learning rate"}),
            "loss": (("cell", "rate", "part"), losses, {"long_name": "median loss over each part of the steps; -1 where it diverged"}),
            "minutes": ("cell", [f["minutes"] for f in found], {"long_name": "core-minutes of all rates", "units": "min"}),
            "most": ("cell", [cell.most for cell in cells], {"long_name": "whether the rate of the largest number is chosen"}),
            "regular": (
                "cell",
                [cell.task.automaton is not None for cell in cells],
                {"long_name": "whether an automaton decides the task"},
            ),
        },
        {"cell": [cell.name for cell in cells], "number": names, "seed": list(range(seeds))},
        {"row": row.id, "steps": [cell.recipe.steps for cell in cells]},
    )
