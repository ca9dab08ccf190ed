"""``lemmata probe --zoo``: what a probe says of layers that libraries ship."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from rich.text import Text

from .result import Result

if TYPE_CHECKING:
    from ..numerics.progress import Progress
    from ..probe.zoo import Row


@dataclass(frozen=True, repr=False, eq=False)
class Zoo(Result):
    """The zoo's table.

    Attributes:
        versions: The versions of the libraries.
        rows: What was found, by library.
    """

    versions: str
    rows: dict[str, list[Row]]

    @property
    def data(self) -> dict[str, Any]:
        return {"versions": self.versions, "layers": [{"library": name} | row.data for name, rows in self.rows.items() for row in rows]}

    def parts(self) -> Iterator[RenderableType]:
        from ..probe.zoo import HEADER

        for library, rows in self.rows.items():
            yield Text(library, "bold")
            for row in rows:
                layer, transition, *rest = map(str, astuple(row))
                yield Text(f"{layer}: {transition}")
                yield from (Text(f"  {name}: {cell}") for name, cell in zip(HEADER[2:], rest, strict=True) if cell)
        yield Text(self.versions)


def probe_zoo(name: str = "", *, progress: Progress | None = None) -> Zoo:
    """Probe the layers of the zoo.

    Args:
        name: Only layers whose title has this text in it.
        progress: Called with the layer, and how many are done out of how many.

    Raises:
        ValueError: No layer of the zoo has such a title.
    """
    import torch

    from ..numerics.progress import silent
    from ..probe.animals import ZOO
    from ..probe.zoo import row, versions

    advance, animals = progress or silent, [a for a in ZOO if name.lower() in a.title.lower()]
    if not animals:
        raise ValueError(f"expected a part of the title of a layer of the zoo, such as DeltaNet, got {name!r}")
    found: dict[str, list[Row]] = {}
    threads = torch.get_num_threads()
    # matrices are small: more threads take ten times as long
    torch.set_num_threads(1)
    try:
        for i, animal in enumerate(animals):
            advance(animal.title, i, len(animals))
            found.setdefault(animal.library, []).append(row(animal))
    finally:
        torch.set_num_threads(threads)
    return Zoo(versions(), found)
