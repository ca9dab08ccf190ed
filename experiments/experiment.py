"""What an experiment is: one declaration, from which its runs, its data, its picture, its row in docs/experiments.md and its place on the site follow."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
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

    from .many import Measure
    from .training import Run


@dataclass(frozen=True)
class Asked:
    """How the table of models answers for a task: whoever does ``harder`` does it, and whoever does it does ``easier``. ``built``: layer -> claim that it does."""

    harder: str
    easier: str
    built: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Observation:
    """What the paper observes, and whether the data show it: ``holds(data)``; ``detail(data)`` are the numbers behind the answer."""

    says: str
    place: str
    holds: Callable[[xr.Dataset], Any]
    detail: Callable[[xr.Dataset], str] | None = None

    def sentence(self, data: xr.Dataset) -> str:
        """The observation in quotes, yes or no, and the numbers."""
        detail = f" ({self.detail(data)})" if self.detail else ""
        return f"'{self.says}': {yes(bool(self.holds(data)))}{detail}"


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


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """A declaration. It stands in a module of this folder as ``EXPERIMENT = ...("paper.what", topic=..., finding=..., place=..., ...)``.

    ``topic`` is that of the theorems that predict it; ``finding`` the title of its picture; ``place`` says where in the paper it stands. These are
    literals, since they are read without importing anything. ``reads`` names what may be read of the user's own, "mnist" or "text".
    With ``models`` (layer -> model of the table) and ``asked`` (task -> :class:`Asked`) the command line adds ``predicted`` (task, layer) to the data.

    An experiment without ``picture`` has a module ``figures/trained_<module>.py`` with ``draw(data)``.
    """

    name: str = field(kw_only=False)
    topic: str
    finding: str
    place: str
    reads: tuple[str, ...] = ()
    models: Mapping[str, str] | None = None
    asked: Mapping[str, Asked] | None = None
    observations: tuple[Observation, ...] = ()
    rest: Callable[[xr.Dataset], str] | None = None
    picture: Picture | None = None

    @property
    def source(self) -> str:
        """The paper and the place; of what is new the place alone."""
        paper = self.name.split(".")[0]
        return self.place if paper == "new" else f"{paper}, {self.place}"

    def outcome(self, data: xr.Dataset) -> str:
        """Whether each observation holds in the data, then how they were made. ``data`` has ``predicted`` as well, if the experiment asks the table."""
        parts = [o.sentence(data) for o in self.observations]
        return "; ".join([*parts, self.rest(data)] if self.rest else parts)

    def runs(self, scale: str = "quick", seeds: int | None = None, **read: Path) -> list[Run]:
        """All runs of a scale, in order. Raises ``ValueError`` for an unknown scale and for fewer than one seed."""
        raise NotImplementedError

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
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class ByHand(Experiment):
    """An experiment whose runs, data and sentence are functions of its module."""

    planned: Callable[..., list[Run]]
    computed: Callable[..., xr.Dataset]
    said: Callable[[xr.Dataset], str]

    def outcome(self, data: xr.Dataset) -> str:
        """The sentence of the module."""
        return self.said(data)

    def runs(self, *arguments: Any, **named: Any) -> list[Run]:
        """The runs of the module."""
        return self.planned(*arguments, **named)

    def compute(self, *arguments: Any, **named: Any) -> xr.Dataset:
        """The data of the module."""
        return self.computed(*arguments, **named)


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
    """A number that ``measure`` finds of a run, or a list of them along more dimensions."""

    long_name: str
    units: str
    along: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class OnAxes(Experiment):
    """A run for every point of the ``axes`` and every seed.

    - ``run(size, seed, **point)`` makes the run;
    - ``measure(run, folder, progress, device, size=...)`` trains it and gives a dictionary with the names of ``found``;
    - ``along`` are further dimensions of what is found; ``beside(size, coordinates)`` gives variables that need no training;
    - ``attributes(size)`` is kept with the data;
    - ``once(scale, **point)``: whether that point has one seed only, unless a number of seeds is asked for.
    """

    sizes: Mapping[str, Any]
    axes: Mapping[str, Axis]
    run: Callable[..., Run]
    measure: Measure
    found: Mapping[str, Found]
    along: Mapping[str, Axis] = field(default_factory=dict)
    beside: Callable[[Any, dict[str, list[Any]]], Mapping[str, tuple[Any, Any, dict[str, str]]]] | None = None
    attributes: Callable[[Any], dict[str, Any]] = lambda size: {"steps": size.steps}
    once: Callable[..., bool] | None = None

    def points(self, scale: str, seeds: int | None) -> list[tuple[dict[str, Any], int]]:
        """Every point of the axes with each of its seeds, in order, the seeds fastest."""
        size, numbers = chosen(self.sizes, scale, seeds)
        points: list[dict[str, Any]] = [{}]
        for name, axis in self.axes.items():
            points = [point | {name: value} for point in points for value in axis.at(size)]
        single = self.once if seeds is None else None
        return [(point, seed) for point in points for seed in numbers if seed == 0 or not (single and single(scale, **point))]

    def runs(self, scale: str = "quick", seeds: int | None = None, **read: Path) -> list[Run]:
        size = chosen(self.sizes, scale, seeds)[0]
        return [self.run(size, seed, **point) for point, seed in self.points(scale, seeds)]

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
        import xarray as xr

        from .many import measure_all

        size, numbers = chosen(self.sizes, scale, seeds)
        results = measure_all(self.runs(scale, seeds), partial(self.measure, size=size), folder, device, progress, jobs)
        at = {name: axis.at(size) for name, axis in self.axes.items()}
        cells = [(*(at[name].index(point[name]) for name in at), seed) for point, seed in self.points(scale, seeds)]
        shape = (*map(len, at.values()), len(numbers))
        more = {name: axis.at(size) for name, axis in self.along.items()}
        variables = {
            name: ((*at, "seed", *f.along), placed([r[name] for r in results], cells, shape), {"long_name": f.long_name, "units": f.units})
            for name, f in self.found.items()
        }
        coordinates = {name: (name, at[name], axis.attributes) for name, axis in self.axes.items()}
        coordinates |= {"seed": ("seed", list(numbers), {"long_name": "random seed", "units": "1"})}
        coordinates |= {name: (name, more[name], axis.attributes) for name, axis in self.along.items()}
        beside = self.beside(size, at | more) if self.beside else {}
        return xr.Dataset({**variables, **beside}, coordinates, {"source": self.source, "scale": scale, **self.attributes(size)})


def placed(values: Sequence[Any], cells: Sequence[tuple[int, ...]], shape: tuple[int, ...]) -> np.ndarray:
    """Values at their cells, nan elsewhere; shorter lists are filled up with nan."""
    rows = [np.array(value, dtype=float) for value in values]
    whole = np.full((*shape, *np.max([row.shape for row in rows], axis=0).astype(int)), np.nan)
    for cell, row in zip(cells, rows, strict=True):
        whole[(*cell, *(slice(n) for n in row.shape))] = row
    return whole
