"""``lemmata.probe_model``: what are the transitions of all recurrent layers of a model, and what can they reach?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from rich.text import Text

from .result import Result

if TYPE_CHECKING:
    from ..numerics.progress import Progress
    from ..probe.folders import Layer
    from ..probe.letters import Letters


@dataclass(frozen=True, repr=False, eq=False)
class ProbedModel(Result):
    """What a probe found of each recurrent layer of a model.

    Attributes:
        folder: The model.
        layers: The recurrent layers in order, each with what was found, or why it was refused.
        attention: Names of layers that keep keys and values of all tokens.
        letters: For a small vocabulary, the transition of each token in each layer.
    """

    folder: str
    layers: tuple[Layer, ...]
    attention: tuple[str, ...]
    letters: tuple[Letters, ...] = ()

    @property
    def row(self) -> str | None:
        """The row of the table that holds all layers; None if one has another, or there is attention."""
        rows = {layer.found.row if layer.found else None for layer in self.layers}
        return next(iter(rows)) if len(rows) == 1 and not self.attention else None

    @property
    def data(self) -> dict[str, Any]:
        from ..probe.report import facts

        return {
            "folder": self.folder,
            "layers": [
                {"name": x.name, "class": x.kind, "refused": x.refused or None, "found": facts(x.found) if x.found else None}
                for x in self.layers
            ],
            "attention": list(self.attention),
            "row": self.row,
            "letters": [x.data for x in self.letters],
        }

    def parts(self) -> Iterator[RenderableType]:
        for layer in self.layers:
            yield Text.assemble((layer.name, "bold"), f": {layer.kind}")
            yield from (Text(f"  {line}") for line in _lines(layer))
        if not self.layers:
            yield Text("no recurrent layer was found")
        if self.attention:
            yield Text(f"attention, whose keys and values grow with the text: {', '.join(self.attention)}")
        yield Text(f"row of the table for all layers: {self.row or 'none'}")
        yield from (Text(line) for letters in self.letters for line in letters.lines())


def _lines(layer: Layer) -> Iterator[str]:
    """What is said of a layer."""
    f = layer.found
    if f is None:
        yield f"refused: {layer.refused}"
        return
    if not f.is_affine:
        yield f"nonlinear; row of the table: {f.row or 'none'}"
        return
    kinds = ", ".join(sorted(f.kinds)) + (f"; {f.driver}" if f.driver else "")
    yield f"{kinds}; eigenvalues for all weights: {f.spectrum or 'not decided'}"
    (reach,) = (r for r in f.reaches if r.target == -1)
    yield f"eigenvalue -1: {', '.join(f'{scope} {answer}' for scope, answer in reach.answers.items())}"
    yield "; ".join((*map(str, f.step.earlier), f"row of the table: {f.row or 'none'}"))


def probe_model(folder: str | Path, *, dtype: str = "float64", progress: Progress | None = None) -> ProbedModel:
    """Say what the transitions of a whole model are: of every recurrent layer by its name in the model.

    The code of each layer is that of transformers or flash-linear-attention. No code in the folder is run, and its weights are loaded as tensors alone.

    Args:
        folder: A folder with config.json and weights, as ``save_pretrained`` of transformers writes it.
        dtype: The format to compute in.
        progress: Called with the layer's name, and how many are done out of how many.

    Returns:
        A row for each recurrent layer, with what :func:`lemmata.probe_layer` finds, and the names of layers that attend. For a vocabulary of at most 64 tokens also each token's transitions.

    Raises:
        ValueError: The folder has no model, lacks weights, or names a model that no installed library has.
        ModuleNotFoundError: PyTorch or transformers is not installed.

    Example:
        >>> import lemmata as lm
        >>> lm.probe_model("no such folder")
        Traceback (most recent call last):
        ...
        lemmata.probe.steps.Refused: expected a folder with config.json, as transformers writes it, got no such folder
    """
    import torch

    from ..numerics.progress import silent
    from ..probe.folders import loaded, probed
    from ..probe.letters import of_model
    from ..theorems.ledger import require_known

    require_known("format", [dtype], ["float64", "float32"])
    model, advance, found = loaded(Path(folder)), progress or silent, []
    threads = torch.get_num_threads()
    # matrices are small: more threads take ten times as long
    torch.set_num_threads(1)
    try:
        for layer in probed(model, getattr(torch, dtype)):
            found.append(layer)
            advance(layer.name, len(found), len(model.recurrent))
        letters = of_model(model, found)
    finally:
        torch.set_num_threads(threads)
    return ProbedModel(str(folder), tuple(found), model.attention, tuple(letters))
