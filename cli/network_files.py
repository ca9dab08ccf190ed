"""The files that a compiled network is written to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .console import err

if TYPE_CHECKING:
    from ..constructions.automata import Network


def write_network(network: Network, document: dict[str, Any], target: Path) -> list[str]:
    """Write JSON and, beside it, PyTorch weights; the paths written."""
    from ..theorems.files import write_whole

    write_whole(target, json.dumps(document, ensure_ascii=False) + "\n")
    try:
        import torch
    except ModuleNotFoundError:
        err.print("PyTorch weights were not written: they need the extra lemmata[torch]")
        return [str(target)]
    weights = target.with_suffix(".pt")
    torch.save(network.to_torch().state_dict(), weights)
    return [str(target), str(weights)]
