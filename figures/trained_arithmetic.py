"""The picture of the experiment ``experiments/arithmetic.py`` (grazzi25, Tables 3 and 5, Fig. 6): accuracy against length, and the compiled network."""

from __future__ import annotations

import xarray as xr
from matplotlib.figure import Figure

from ..experiments.arithmetic import outcome as outcome
from . import style
from .lengths import against_length

FINDING = "Arithmetic modulo 5: briefly trained, no layer comes near compiled weights"

TITLES = {"modular-arithmetic": "without brackets", "bracketed-arithmetic": "with brackets (no automaton)"}


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """A panel for each task: the best seed of each layer, bands over all seeds, and the compiled network; guessing is right once in five."""
    figure = against_length(data, FINDING, TITLES, "share of right answers; dotted: guessing", 2)
    for ax in figure.axes:
        ax.axhline(0.2, color=style.BLACK, lw=1, ls=":")
    return figure
