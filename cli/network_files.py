"""The files that a compiled network is written to."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .console import err, json_text

if TYPE_CHECKING:
    from ..constructions.automata import Network
    from ..constructions.bistable.compiler import BistableNetwork

#: the name that stands for standard output
PRINTED = Path("-")


def weights_of(target: Path) -> Path:
    """Where PyTorch's weights lie: .pt after the whole name, so that two networks never share them."""
    return target.with_name(f"{target.name}.pt")


def stored_in(target: Path, dtype: str) -> Path:
    """Where the numbers lie that torch stores in a data type."""
    return target.with_name(f"{target.name}.{dtype}")


def require_outputs(target: Path | None, drawing: Path | None, read: Path | None, stored: str | None = None) -> None:
    """Raise ``ValueError`` if a network cannot be written to ``target`` and drawn into ``drawing``, before it is compiled from ``read``.

    ``stored`` is a data type whose numbers are written too.
    """
    from ..theorems.files import require_other, require_writable

    outputs = []
    if target is not None and target != PRINTED:
        if target.suffix.lower() == ".pt":
            raise ValueError(f"expected another name than *.pt for the JSON file, got {str(target)!r}: the weights are written to FILE.pt")
        outputs += [target, weights_of(target)]
    if stored is not None:
        from ..constructions.automata.rounding.stored_numbers import require_stored

        require_stored(stored)
        if target is None or target == PRINTED:
            raise ValueError("expected --stored with --out FILE: it writes FILE.DTYPE")
        outputs.append(stored_in(target, stored))
    if drawing is not None:
        from ..figures.automata import picture_kind

        picture_kind(drawing)
        outputs.append(drawing)
    require_writable(*outputs)
    for output in outputs if read is not None else ():
        require_other(output, read)  # type: ignore[arg-type]


def write_network(
    network: Network | BistableNetwork, document: dict[str, Any], target: Path | None, drawing: Path | None, stored: str | None = None
) -> list[str]:
    """Write JSON and, beside it, PyTorch weights and stored numbers, and draw; the paths written. All files appear, or none.

    Prints the JSON alone for "-".
    """
    from ..theorems.files import write_all

    contents: dict[Path, str | bytes] = {}
    if target == PRINTED:
        print(json_text(document))
    elif target is not None:
        contents[target] = json.dumps(document, ensure_ascii=False) + "\n"
        try:
            import torch
        except ModuleNotFoundError:
            err.print("PyTorch weights were not written: they need the extra lemmata[torch]")
        else:
            weights = BytesIO()
            torch.save(network.to_torch().state_dict(), weights)
            contents[weights_of(target)] = weights.getvalue()
        if stored is not None:
            from ..constructions.automata.rounding.stored_numbers import stored_numbers

            if document["format"] != "lemmata-network":
                raise ValueError("expected linear layers for stored numbers, got bistable ones")
            contents[stored_in(target, stored)] = json.dumps(stored_numbers(document, stored), ensure_ascii=False) + "\n"
    if drawing is not None:
        from ..constructions.automata import Network
        from ..figures.automata import drawn, picture_kind

        if not isinstance(network, Network):
            raise ValueError("expected linear layers for a picture, got bistable ones")

        contents[drawing] = drawn(network, picture_kind(drawing))
    write_all(contents)
    return [str(path) for path in contents]
