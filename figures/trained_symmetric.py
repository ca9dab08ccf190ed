"""The picture of the experiment ``experiments/symmetric.py`` (grazzi25, Figs. 4, 7 and 8): sequence accuracy against length beside what is predicted."""

from __future__ import annotations

import xarray as xr
from matplotlib.figure import Figure

from ..experiments.symmetric import outcome as outcome
from . import style
from .lengths import against_length

FINDING = "One layer on $S_5$ and $C_{60}$: none learns what it has no exact weights for; what has them is found by some seeds"

TITLES = {
    "S5.swaps": "$S_5$, swaps and ()",
    "S5.threes": "$S_5$, up to three points moved",
    "S5.tokens4": "$S_5$, four tokens an element",
    "S5": "$S_5$, all 120 letters",
    "C60": "cyclic group of order 60",
    "C60.tokens2": "cyclic group, two tokens an element",
}


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """A panel for each task: the best seed of each layer, bands over all seeds, and the compiled network; the legend says what is predicted."""
    return against_length(data, FINDING, TITLES, "share of words with all answers right", 3, "in exact arithmetic, one layer:")
