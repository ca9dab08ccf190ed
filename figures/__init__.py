"""The papers' figures, regenerated: each is computed, kept as labelled data, then drawn.

One module per figure with ``FINDING`` (one line, the title), ``compute() -> xarray.Dataset`` (named dimensions; ``long_name`` and
``units`` as attributes) and ``draw(data) -> matplotlib.figure.Figure``. A new figure is a new module and a line in ``FIGURES``.
"""

from __future__ import annotations

import os
from importlib import import_module
from io import BytesIO
from pathlib import Path
from types import ModuleType

#: name ("paper.figure") -> module in this folder, imported when asked for
FIGURES = {
    "grazzi25.fig2": "parity_states",
    "grazzi25.fig3": "householder_swaps",
}


def load(name: str) -> ModuleType:
    """The module of one figure. Raises ``ValueError`` for an unknown name."""
    if name not in FIGURES:
        raise ValueError(f"expected a figure among {', '.join(FIGURES)}, got {name!r}")
    return import_module(f".{FIGURES[name]}", __name__)


def make(name: str, out: Path) -> list[Path]:
    """Compute and draw one figure; write NAME.png (200 dpi), NAME.svg and NAME.csv, the data behind it, into the folder ``out``.

    Every file appears whole or not at all, and the same figure gives the same bytes again. Returns the three paths. Raises
    ``ValueError`` for an unknown name and ``OSError`` if ``out`` cannot be written.
    """
    figure = load(name)
    data = figure.compute()
    contents = {"png": _render(figure, data, "png"), "svg": _render(figure, data, "svg"), "csv": _table(data)}
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    return [_write(out / f"{name}.{suffix}", content) for suffix, content in contents.items()]


def _render(figure: ModuleType, data, suffix: str) -> bytes:
    from .style import styled

    # without these two entries a file would carry the time and the version that made it
    metadata = {"Date": None} if suffix == "svg" else {"Software": None}
    buffer = BytesIO()
    with styled():
        figure.draw(data).savefig(buffer, format=suffix, dpi=200, metadata=metadata)
    return buffer.getvalue()


def _table(data) -> bytes:
    return data.to_dataframe().reset_index().to_csv(index=False, lineterminator="\n").encode()


def _write(path: Path, content: bytes) -> Path:
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        unfinished.write_bytes(content)
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)
    return path
