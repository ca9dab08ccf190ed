"""``lemmata.draw``: the papers' figures."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import RenderableType

from .result import Result, written_whole

if TYPE_CHECKING:
    from ..numerics.progress import Progress


@dataclass(frozen=True, repr=False)
class Drawn(Result):
    """The files of a figure; a notebook shows the picture.

    Attributes:
        name: The figure.
        files: The picture as PNG and SVG, the data as CSV, and the outcome as text if the figure has one.
    """

    name: str
    files: tuple[Path, ...]

    @property
    def outcome(self) -> str:
        """One line on the paper's claim and the data; empty if the figure has none."""
        return "".join(file.read_text(encoding="utf-8").strip() for file in self.files if file.suffix == ".txt")

    @property
    def data(self) -> list[str]:
        """The paths of the files."""
        return [str(file) for file in self.files]

    def parts(self) -> Iterator[RenderableType]:
        for file in self.files:
            yield written_whole(str(file))
        if self.outcome:
            yield written_whole(f"  {self.outcome}")

    def _repr_html_(self) -> str:
        (picture,) = (file for file in self.files if file.suffix == ".png")
        return f'<img alt="{self.name}" style="max-width:100%" src="data:image/png;base64,{b64encode(picture.read_bytes()).decode()}">'


def draw(
    name: str,
    out: str | Path = "figures-out",
    *,
    scale: str = "quick",
    mnist: str | Path | None = None,
    redraw: bool = False,
    progress: Progress | None = None,
) -> Drawn:
    """Draw a figure of a paper anew, from data that are computed now.

    Args:
        name: The figure, such as "grazzi25.fig2".
        out: The folder for the files.
        scale: "quick" takes seconds; "paper" has the paper's sizes.
        mnist: A folder with MNIST's images; digits of 8 x 8 pixels if there is none.
        redraw: Draw the data that are kept with the project; compute nothing.
        progress: Called with the stage, and how much of it is done out of how much.

    Returns:
        The files, and whether the data bear the paper out.

    Raises:
        ValueError: The name is not known, or a file cannot be written.
        ModuleNotFoundError: The figure needs an extra that is not installed.

    Example:
        >>> import lemmata as lm
        >>> [file.name for file in lm.draw("grazzi25.fig2", "pictures").files]
        ['grazzi25.fig2.png', 'grazzi25.fig2.svg', 'grazzi25.fig2.csv']
    """
    from ..figures import make
    from ..numerics.progress import silent

    return Drawn(name, tuple(make(name, Path(out), scale, None if mnist is None else Path(mnist), progress or silent, redraw)))
