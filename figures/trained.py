"""The picture of an experiment: what its declaration draws, or accuracies against the length, as its declaration says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..experiments.experiment import Experiment, Picture
from . import style
from .lengths import against_length

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Drawn:
    """What :func:`lemmata.figures.contents` writes: a picture and a sentence."""

    experiment: Experiment

    def draw(self, data: xr.Dataset) -> Figure:
        """The picture."""
        picture = self.experiment.picture
        return _by_length(self.experiment, picture, data) if isinstance(picture, Picture) else picture(data)

    def outcome(self, data: xr.Dataset) -> str:
        """What the data say of the paper's observations."""
        return self.experiment.outcome(data)


@style.styled()
def _by_length(experiment: Experiment, picture: Picture, data: xr.Dataset) -> Figure:
    """A panel for each task: the best seed of each layer, bands over all seeds, the compiled network, and a line for who guesses."""
    figure = against_length(data, experiment.finding, picture.titles, picture.ylabel, picture.columns, picture.heading)
    if picture.guess is not None:
        for ax in figure.axes:
            ax.axhline(picture.guess, color=style.BLACK, lw=1, ls=":")
    return figure
