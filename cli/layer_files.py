"""``lemmata compile --to fla:LAYER``: what it needs, and what it says about the layer that it writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .network_files import PRINTED

#: what the names of flash-linear-attention's layers begin with
FLA = "fla:"


def require_library(library: str, target: Path | None, other: bool) -> None:
    """Raise ``ValueError`` unless ``library`` names a layer and ``target`` a folder; ``other`` are options that do not go with it."""
    if not library.startswith(FLA):
        raise ValueError(f"expected --to fla:LAYER, such as fla:GatedDeltaProduct, got {library!r}")
    if target is None or target == PRINTED:
        raise ValueError("expected --to with --out DIR, a folder for the weights and the config, got none")
    if target.exists() and not target.is_dir():
        raise ValueError(f"expected a folder for --out with --to, got the file {str(target)!r}")
    if other:
        raise ValueError("expected --to without --draw, --stored and --bmru")


def layer_lines(config: dict[str, Any]) -> list[str]:
    """The class, its arguments, how far it is exact by each of its kernels, and where it was run."""
    arguments = ", ".join(f"{name}={value!r}" for name, value in config["arguments"].items())
    exact = ", ".join(f"{path}: {length}" for path, length in config["guarantees"].items())
    return [
        f"fla.layers.{config['layer']}({arguments})",
        f"exact before its output norm in {config['dtype']}, kernel {exact}",
        "checked in Triton's interpreter; not run on a GPU",
    ]
