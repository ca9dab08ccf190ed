"""grazzi25, Fig. 3: a 3-cycle is two swaps, and each swap is the reflection along v_1 = (1, -1, 0) or v_2 = (0, 1, -1), normalised.

In the product H_1 H_2 the right factor acts first; the columns of the figure are in the order of time.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from ..constructions.householder import GeneralizedHouseholder, product
from ..numerics.exact import as_float, rationals
from . import style

FINDING = "A 3-cycle is two swaps, so its matrix is a product of two Householder reflections"

V1, V2 = (1, -1, 0), (0, 1, -1)
COLOURS = (style.BLUE, style.VERMILION, style.GREEN)


def compute() -> xr.Dataset:
    """The matrices of the two swaps and of their product, (matrix, row, column), multiplied in exact rationals."""
    first, second = (GeneralizedHouseholder(rationals(v)) for v in (V2, V1))
    matrices = [first.matrix(), second.matrix(), product([second, first], 3)]
    points = np.arange(1, 4)
    return xr.Dataset(
        {"entry": (("matrix", "row", "column"), [as_float(m) for m in matrices], {"long_name": "entry of the matrix", "units": "1"})},
        {
            "matrix": ("matrix", ["H_2", "H_1", "H_1 H_2"], {"long_name": "matrix, in the order in which it acts"}),
            "row": ("row", points, {"long_name": "position after"}),
            "column": ("column", points, {"long_name": "position before"}),
        },
        {"source": "grazzi25, Figure 3", "v_1": f"{V1} / sqrt 2", "v_2": f"{V2} / sqrt 2"},
    )


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """One column per matrix: where it sends the elements 1, 2, 3 (wires) above, its entries below; colours follow the elements."""
    figure = style.new_figure(FINDING, 9.6, 5.4)
    wires, grids = figure.subplots(2, 3)
    titles = (
        "first  $H_2 = I - 2v_2v_2^\\top$\nswaps positions 2 and 3",
        "then  $H_1 = I - 2v_1v_1^\\top$\nswaps positions 1 and 2",
        "together  $P = H_1H_2$\nsends 1 → 2 → 3 → 1",
    )
    before = [0, 1, 2]  # the element at each position
    for i, title in enumerate(titles):
        matrix = data["entry"].values[i]
        elements = [0, 1, 2] if i == 2 else before
        wires[i].set_title(title)
        _wires(wires[i], matrix, elements)
        _entries(grids[i], matrix, elements)
        before = [elements[int(np.argmax(row))] for row in matrix]
    root = r"/\sqrt{2}"
    grids[0].set_xlabel(rf"$v_2 = (0, 1, -1){root}$")
    grids[1].set_xlabel(rf"$v_1 = (1, -1, 0){root}$")
    grids[2].set_xlabel(r"$P\,e_1 = e_2,\ P\,e_2 = e_3,\ P\,e_3 = e_1$")
    wires[0].set_ylabel("where the elements go")
    grids[0].set_ylabel("the matrix")
    figure.align_ylabels()
    return figure


def _wires(ax: Axes, matrix: np.ndarray, elements: list[int]) -> None:
    """An arrow from every position, left, to its image, right; discs carry the elements."""
    _bare(ax, (-0.25, 1.25), (2.5, -0.5))
    for start, element in enumerate(elements):
        end, colour = int(np.argmax(matrix[:, start])), COLOURS[element]
        arrow = {"arrowstyle": "-|>", "color": colour, "lw": 2.2, "shrinkA": 13, "shrinkB": 13, "mutation_scale": 16}
        ax.annotate("", (1, end), (0, start), arrowprops=arrow)
        for x, y in ((0, start), (1, end)):
            ax.plot(x, y, "o", color=colour, markersize=22)
            ax.text(x, y, str(element + 1), color="white", ha="center", va="center_baseline", fontweight="bold", fontsize=13)


def _entries(ax: Axes, matrix: np.ndarray, elements: list[int]) -> None:
    """The entries as a grid; a one is filled with the colour of the element that it moves."""
    _bare(ax, (-0.5, 2.5), (2.5, -0.5))
    ax.set_aspect("equal")
    for (row, column), entry in np.ndenumerate(matrix):
        colour = COLOURS[elements[column]] if entry else "white"
        ax.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, facecolor=colour, edgecolor="#888888", linewidth=0.8))
        look: dict[str, Any] = {"color": "white", "fontweight": "bold"} if entry else {"color": "#666666"}
        ax.text(column, row, f"{entry:g}", ha="center", va="center_baseline", fontsize=14, **look)


def _bare(ax: Axes, x: tuple[float, float], y: tuple[float, float]) -> None:
    """No ticks, grid or spines: positions and entries are written into the picture."""
    ax.set(xlim=x, ylim=y, xticks=[], yticks=[])
    ax.grid(False)
    for spine in ax.spines.values():
        spine.set_visible(False)
