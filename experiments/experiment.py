"""What an experiment is: one declaration, from which its runs, its data, its picture, its section in docs/experiments and its place on the site follow."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..numerics.progress import Progress
from .scales import chosen
from .words import yes

if TYPE_CHECKING:
    import torch
    import xarray as xr
    from matplotlib.figure import Figure

    from .training import Run


@dataclass(frozen=True)
class Asked:
    """How the table of models answers for a task: whoever does ``harder`` does it, and whoever does it does ``easier``. ``built``: layer -> claim that it does."""

    harder: str
    easier: str
    built: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Observation:
    """What the paper observes, and whether the data show it. Without ``place`` it is not the paper's, but what the claims in ``theory`` predict.

    ``holds(data)`` is true or false, or words where it is neither; ``detail(data)`` are the numbers behind the answer, in a few words;
    ``theory`` is what is proved of it, with the claims.
    ``over(data)``: the parts of the data that are judged one after the other, by name.
    """

    says: str
    place: str
    holds: Callable[[xr.Dataset], Any]
    detail: Callable[[xr.Dataset], str] | None = None
    theory: str = ""
    over: Callable[[xr.Dataset], Mapping[str, xr.Dataset]] = lambda data: {"": data}

    def answers(self, data: xr.Dataset) -> dict[str, tuple[str, str]]:
        """By part of the data, the answer and the numbers."""
        found = {name: (self.holds(part), self.detail(part) if self.detail else "") for name, part in self.over(data).items()}
        return {name: (held if isinstance(held, str) else yes(bool(held)), numbers) for name, (held, numbers) in found.items()}

    def sentence(self, data: xr.Dataset) -> str:
        """The observation in quotes, or the prediction and its claims; the answers, and the numbers."""
        head = f"'{self.says}'" if self.place else self.says + (f", predicted by {self.theory}" if self.theory else "")
        said = ((name, held + (f" ({numbers})" if numbers else "")) for name, (held, numbers) in self.answers(data).items())
        return "; ".join(f"{head}, {name}: {answer}" if name else f"{head}: {answer}" for name, answer in said)


def each(dimension: str) -> Callable[[xr.Dataset], dict[str, xr.Dataset]]:
    """The parts of data at each value of a dimension."""
    return lambda data: {str(value): data.sel({dimension: value}) for value in data[dimension].values}


@dataclass(frozen=True)
class Picture:
    """A panel for each task with accuracies against the length: titles by task, what the vertical axis shows, panels in a row, a heading of the legend.

    ``guess`` is the share of right answers of who guesses, drawn as a dotted line.
    """

    titles: Mapping[str, str]
    ylabel: str = "share of right answers"
    columns: int = 3
    heading: str = ""
    guess: float | None = None


@dataclass(frozen=True)
class Axis:
    """The values along a dimension, the same for all sizes or a function of the size, and what they are."""

    values: Sequence[Any] | Callable[[Any], Sequence[Any]]
    long_name: str
    units: str | None = None

    def at(self, size: Any) -> list[Any]:
        """The values at a size."""
        return list(self.values(size) if callable(self.values) else self.values)

    @property
    def attributes(self) -> dict[str, str]:
        """What xarray keeps of it."""
        return {"long_name": self.long_name} | ({"units": self.units} if self.units else {})


@dataclass(frozen=True)
class Found:
    """A number that ``measure`` finds of a run, or a list of them along more dimensions. Without ``seeds`` it is the same for every seed."""

    long_name: str
    units: str
    along: tuple[str, ...] = ()
    seeds: bool = True


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """A declaration. It stands in a module of this folder as ``EXPERIMENT = ...("paper.what", topic=..., finding=..., place=..., ...)``.

    ``topic`` is that of the theorems that predict it; ``finding`` the title of its picture; ``place`` says where in the paper it stands. These are
    literals, since they are read without importing anything. ``reads`` names what may be read of the user's own, "mnist" or "text": a field of the size.
    With ``models`` (layer -> model of the table) and ``asked`` (task -> :class:`Asked`) the command line adds ``predicted`` (task, layer) to the data.

    A run is trained for every point of the ``axes`` and every seed:

    - ``run(size, seed, **point)`` makes the run, or None where nothing is trained; points with the same run share it;
    - ``measure(run, folder, progress, device, size=...)`` trains it and gives a dictionary with the names of ``found``;
    - ``along`` are further dimensions; ``beside(size, coordinates)`` gives variables that need no training;
    - ``finish(size, data)`` is the data as they are kept, where that is not all that was found;
    - ``attributes(size)`` is kept with the data;
    - ``once(scale, **point)``: whether that point has one seed only, unless a number of seeds is asked for.

    ``observations`` and ``rest`` are what is said of the data, and ``remarks`` what they do not say: how the training differs from the paper's.
    The picture is ``picture``, or what the module's own function ``draw(data)`` draws.
    """

    name: str = field(kw_only=False)
    topic: str
    finding: str
    place: str
    reads: tuple[str, ...] = ()
    models: Mapping[str, str] | None = None
    asked: Mapping[str, Asked] | None = None
    sizes: Mapping[str, Any]
    axes: Mapping[str, Axis]
    run: Callable[..., Run | None]
    measure: Callable[..., dict[str, Any]]
    found: Mapping[str, Found]
    along: Mapping[str, Axis] = field(default_factory=dict)
    beside: Callable[[Any, dict[str, list[Any]]], Mapping[str, tuple[Any, Any, dict[str, str]]]] | None = None
    finish: Callable[[Any, xr.Dataset], xr.Dataset] | None = None
    attributes: Callable[[Any], dict[str, Any]] = lambda size: {"steps": size.steps}
    once: Callable[..., bool] | None = None
    observations: tuple[Observation, ...] = ()
    rest: Callable[[xr.Dataset], str] | None = None
    remarks: tuple[str, ...] = ()
    picture: Picture | Callable[[xr.Dataset], Figure]

    @property
    def source(self) -> str:
        """The paper and the place; of what is new the place alone."""
        paper = self.name.split(".")[0]
        return self.place if paper == "new" else f"{paper}, {self.place}"

    def outcome(self, data: xr.Dataset) -> str:
        """Whether each observation holds in the data, then how they were made. ``data`` has ``predicted`` as well, if the experiment asks the table."""
        parts = [o.sentence(data) for o in self.observations]
        return "; ".join([*parts, self.rest(data)] if self.rest else parts)

    def size(self, scale: str, **read: Path) -> Any:
        """The size of a scale, with what is read of the user's own. Raises ``ValueError`` for an unknown scale."""
        return replace(chosen(self.sizes, scale, None)[0], **read)

    def cells(self, scale: str = "quick", seeds: int | None = None, **read: Path) -> list[tuple[dict[str, Any], int, Run]]:
        """Every point of the axes where something is trained, with each of its seeds and its run, in order, the seeds fastest."""
        size, numbers = self.size(scale, **read), chosen(self.sizes, scale, seeds)[1]
        points: list[dict[str, Any]] = [{}]
        for name, axis in self.axes.items():
            points = [point | {name: value} for point in points for value in axis.at(size)]
        single = self.once if seeds is None else None
        every = [(point, seed) for point in points for seed in numbers if seed == 0 or not (single and single(scale, **point))]
        return [(point, seed, run) for point, seed in every if (run := self.run(size, seed, **point)) is not None]

    def runs(self, scale: str = "quick", seeds: int | None = None, **read: Path) -> list[Run]:
        """All runs of a scale, in order. Raises ``ValueError`` for an unknown scale and for fewer than one seed."""
        return list(dict.fromkeys(run for *_, run in self.cells(scale, seeds, **read)))

    def compute(
        self,
        scale: str = "quick",
        seeds: int | None = None,
        folder: Path | None = None,
        device: torch.device | None = None,
        progress: Progress | None = None,
        jobs: int = 1,
        **read: Path,
    ) -> xr.Dataset:
        """The labelled data of all runs.

        ``folder`` keeps checkpoints and finished runs; ``progress`` is called with progress; ``jobs`` processes share the runs, with the same numbers.
        Raises ``ValueError`` as :meth:`runs`.
        """
        import xarray as xr

        from .many import measure_all

        size, runs, trained = self.size(scale, **read), self.runs(scale, seeds, **read), self.cells(scale, seeds, **read)
        of_run = dict(zip(runs, measure_all(runs, partial(self.measure, size=size), folder, device, progress, jobs), strict=True))
        at = {name: axis.at(size) for name, axis in self.axes.items()}
        numbers = list(chosen(self.sizes, scale, seeds)[1])
        cells = [(*(at[name].index(point[name]) for name in at), seed) for point, seed, _ in trained]
        shape = (*map(len, at.values()), len(numbers))
        more = {name: axis.at(size) for name, axis in self.along.items()}

        def variable(name: str, f: Found) -> xr.Variable:
            values = placed([of_run[run][name] for *_, run in trained], cells, shape)
            whole = xr.Variable((*at, "seed", *f.along), values, {"long_name": f.long_name, "units": f.units})
            return whole if f.seeds else whole.isel(seed=0)

        coordinates = {name: (name, at[name], axis.attributes) for name, axis in self.axes.items()}
        coordinates |= {"seed": ("seed", numbers, {"long_name": "random seed", "units": "1"})}
        coordinates |= {name: (name, more[name], axis.attributes) for name, axis in self.along.items()}
        variables: dict[str, Any] = {name: variable(name, f) for name, f in self.found.items()}
        variables |= self.beside(size, at | more) if self.beside else {}
        attributes = {"source": self.source, "scale": scale, **self.attributes(size)}
        data = xr.Dataset(variables, coordinates, attributes)
        return self.finish(size, data) if self.finish else data


def placed(values: Sequence[Any], cells: Sequence[tuple[int, ...]], shape: tuple[int, ...]) -> np.ndarray:
    """Values at their cells, nan elsewhere; shorter lists are filled up with nan."""
    rows = [np.array(value, dtype=float) for value in values]
    whole = np.full((*shape, *np.max([row.shape for row in rows], axis=0).astype(int)), np.nan)
    for cell, row in zip(cells, rows, strict=True):
        whole[(*cell, *(slice(n) for n in row.shape))] = row
    return whole
