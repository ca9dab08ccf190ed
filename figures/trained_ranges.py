"""The picture of the experiment ``experiments/ranges.py`` (grazzi25, Figs. 1 and 4): accuracy against length beside what is predicted and possible."""

from __future__ import annotations

import xarray as xr
from matplotlib.figure import Figure

from ..experiments.ranges import outcome as outcome
from . import style
from .lengths import against_length

FINDING = "One layer, trained on short words: what the range of the eigenvalues lets it learn"

TITLES = {"parity": "parity", "S3.swaps": "$S_3$, letters: swaps and ()", "S3": "$S_3$, all six letters"}


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """A panel for each task: the best seed of each layer, bands over all seeds, and the compiled network; the legend says what is predicted."""
    return against_length(data, FINDING, TITLES, "share of right answers", 3, "in exact arithmetic, one layer:")
