"""The papers' figures, regenerated: each is computed, stored as labelled data, then drawn.

One module per figure with ``FINDING`` (one line, the title), ``compute() -> xarray.Dataset`` (named dimensions; ``long_name`` and
``units`` as attributes) and ``draw(data) -> matplotlib.figure.Figure``. A new figure is a new module and a line in ``FIGURES``. Where it makes
sense ``compute`` takes ``scale`` ("quick" or "paper"; "smoke" is for tests, and quick where a figure has no such size) and ``mnist``, a folder, and, where it
takes long, ``keep`` and ``progress`` (see ``points.py``); ``outcome(data)`` is one line on the paper's claim and the data.
"""

from __future__ import annotations

from importlib import import_module
from inspect import signature
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ..numerics.progress import Progress, silent
from ..theorems.files import require_folder, write_all
from .kept import file_name, kept, packed

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr
    from matplotlib.figure import Figure

#: name ("paper.figure") -> module in this folder, imported on request
FIGURES = {
    "grazzi25.fig2": "parity_states",
    "grazzi25.fig3": "householder_swaps",
    "orvieto24.fig2": "vandermonde_conditioning",
    "orvieto24.fig7": "vandermonde_error",
    "orvieto24.fig8": "vandermonde_images",
    "orvieto24.fig9": "vandermonde_sparsity",
    "orvieto24.fig10": "vandermonde_widths",
    "lizaire26.fig4": "depth_memory",
    "lizaire26.fig6": "depth_copies",
    "new.depth.frontier": "depth_frontier",
    "movahedi25.fig1": "fixed_point_depth",
    "movahedi25.fig6": "fixed_point_passes",
    "movahedi25.fig7": "fixed_point_methods",
    "movahedi25.fig9": "fixed_point_pairings",
    "movahedi25.thmC1": "gating_runs",
    "movahedi25.eq15": "signature_rate",
    "orvieto24.thm2": "universality_width",
    "orvieto24.fig13": "universality_lorenz",
    "degeeter26.fig1": "bistable_clock",
    "degeeter26.fig2": "bistable_equilibria",
    "degeeter26.fig3": "bistable_fold",
    "degeeter26.fig4": "bistable_switching",
    "degeeter26.fig5": "bistable_surrogate",
    "degeeter26.fig7": "bistable_gradient",
    "degeeter26.fig12": "bistable_cell",
}

#: figures that another one shows as well
ALSO = {
    "orvieto24.fig3": "orvieto24.fig8",
    "orvieto24.fig6": "orvieto24.fig8",
    "orvieto24.fig11": "orvieto24.fig10",
    "orvieto24.fig12": "orvieto24.fig9",
}

SCALES = ("smoke", "quick", "paper")

#: dots to an inch of the PNG files
DPI = 200


def load(name: str) -> ModuleType:
    """The module of one figure. Raises ``ValueError`` for an unknown name."""
    name = ALSO.get(name, name)
    if name not in FIGURES:
        raise ValueError(f"expected a figure among {', '.join(FIGURES)}, got {name!r}")
    return import_module(f".{FIGURES[name]}", __name__)


def make(
    name: str,
    out: Path,
    scale: str = "quick",
    mnist: Path | None = None,
    progress: Progress = silent,
    redraw: bool = False,
) -> list[Path]:
    """Compute and draw one figure at a scale, "quick" or "paper"; write NAME.png (``DPI``), NAME.svg and NAME.csv, the data behind it, into the folder ``out``.

    With ``redraw`` the data are those that are stored with the project (``kept.py``); those of the scale paper are written in that form as well. Every file appears whole or not at all, and the same figure gives the same bytes again. Where the figure has an ``outcome``, NAME.txt holds it. Long ones keep
    finished measurements in ``out`` until they are done, and go on from there. ``progress`` counts the points that are measured. Returns the paths. Raises ``ValueError`` for an unknown name
    or scale, and, before anything is computed, if a file cannot be written.
    """
    figure = load(name)
    if scale not in SCALES:
        raise ValueError(f"expected a scale among {', '.join(SCALES)}, got {scale!r}")
    taken = signature(figure.compute).parameters
    if scale == "smoke" and "smoke" not in getattr(figure, "SIZES", ()):
        scale = "quick"
    out = Path(out)
    require_folder(out, files(name, scale))
    keep = out / f".{name}.{scale}.points"
    if redraw:
        data = kept(ALSO.get(name, name), scale)
    else:
        data = figure.compute(
            **{k: v for k, v in {"scale": scale, "mnist": mnist, "keep": keep, "progress": progress}.items() if k in taken}
        )
    written = {out / f"{name}.{suffix}": content for suffix, content in contents(figure, data).items()}
    if scale == "paper" and not redraw:
        written[out / file_name(name, scale)] = packed(data)
    write_all(written)
    keep.unlink(missing_ok=True)
    return list(written)


def contents(figure: Any, data) -> dict[str, bytes]:
    """What is written for a figure, by suffix: the picture twice, the data, and the outcome if the module says one. ``figure`` has ``draw``."""
    drawn = drawing(figure, data)
    found = {"png": saved(drawn, "png"), "svg": saved(drawn, "svg"), "csv": table(data)}
    return found | ({"txt": (figure.outcome(data) + "\n").encode()} if hasattr(figure, "outcome") else {})


def files(name: str, scale: str) -> list[str]:
    """The names of the files that :func:`make` writes or may write, the one with finished measurements last."""
    return [*(f"{name}.{suffix}" for suffix in ("png", "svg", "csv", "txt")), file_name(name, scale), f".{name}.{scale}.points"]


def drawing(figure: Any, data) -> Figure:
    """The figure in the project's style, with its layout solved once for all formats."""
    from .style import styled

    with styled():
        drawn = figure.draw(data)
        drawn.draw_without_rendering()
        drawn.set_layout_engine("none")
    return drawn


def saved(drawn: Figure, suffix: str) -> bytes:
    """A drawing as a "png" or an "svg" file: the same bytes each time."""
    from .style import styled

    # without these two entries a file would carry the time and the version that made it
    metadata = {"Date": None} if suffix == "svg" else {"Software": None}
    buffer = BytesIO()
    with styled():
        drawn.savefig(buffer, format=suffix, dpi=DPI, metadata=metadata)
    return buffer.getvalue()


def table(data: xr.Dataset) -> bytes:
    """The data as CSV, no value twice: a row for each place of the dimensions that a variable has, and variables of the same dimensions share their rows."""
    import pandas as pd

    alike: dict[tuple, list] = {}
    for name, variable in data.data_vars.items():
        alike.setdefault(variable.dims, []).append(name)
    # as objects whole numbers stay whole beside empty cells
    tables = [_rows(data[names]).astype(object) for names in alike.values()]
    labels = [name for name in [*data.dims, *data.coords] if any(name in table for table in tables)]
    columns = list(dict.fromkeys([*labels, *data.data_vars])) if len(tables) > 1 else list(tables[0])
    return pd.concat(tables, ignore_index=True)[columns].to_csv(index=False, lineterminator="\n").encode()


def _rows(data: xr.Dataset) -> pd.DataFrame:
    """Variables of the same dimensions, a row for each place; a single row where there are none."""
    return (data.to_dataframe() if data.dims else data.expand_dims("row").to_dataframe().reset_index(drop=True)).reset_index(
        drop=not data.dims
    )
