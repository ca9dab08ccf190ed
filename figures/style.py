"""How every figure looks: colours that colour-blind readers can tell apart, sizes that survive halving, reproducible bytes."""

from __future__ import annotations

from typing import Any

from matplotlib import rc_context
from matplotlib.figure import Figure
from matplotlib.rcsetup import cycler

#: Okabe & Ito's palette without yellow, which is too pale for lines; each colour is paired with a marker or a label where it matters
BLUE, VERMILION, GREEN, ORANGE, PURPLE, SKY, BLACK = "#0072B2", "#D55E00", "#009E73", "#E69F00", "#CC79A7", "#56B4E9", "#000000"
PALE = "#DDDDDD"

SETTINGS: Any = {
    "font.size": 11,
    "axes.titlesize": 11,
    "figure.titlesize": 13,
    "legend.fontsize": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": PALE,
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "axes.prop_cycle": cycler(color=[BLUE, VERMILION, GREEN, ORANGE, PURPLE, SKY, BLACK]),
    "lines.linewidth": 1.6,
    "lines.markersize": 6,
    "legend.frameon": False,
    "svg.hashsalt": "lemmata",  # the ids inside an SVG are random otherwise
}


def styled() -> Any:
    """Matplotlib with the settings above, as a context or as a decorator; the caller's own settings come back afterwards."""
    return rc_context(SETTINGS)


def new_figure(finding: str, width: float, height: float) -> Figure:
    """An empty figure, ``width`` x ``height`` inches, with what it shows as its title. Not known to pyplot."""
    figure = Figure(figsize=(width, height), layout="constrained")
    figure.suptitle(finding)
    return figure
