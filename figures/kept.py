"""Data that took long to compute, stored compressed with the project: a reader redraws in seconds.

A file is JSON under xz: xarray's own dictionary of a dataset, floats with nine significant digits.
"""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import xarray as xr

#: what is kept with the project
FOLDER = Path(__file__).parent / "data"


def file_name(name: str, scale: str) -> str:
    """The name of the file for a figure or an experiment at a scale."""
    return f"{name}.{scale}.json.xz"


def packed(data: xr.Dataset) -> bytes:
    """The dataset as the bytes of such a file; the same data give the same bytes."""
    return lzma.compress(json.dumps(_short(data.to_dict())).encode())


def unpacked(content: bytes) -> xr.Dataset:
    """The dataset from the bytes of such a file. Raises ``ValueError`` for other bytes."""
    import xarray as xr

    try:
        return xr.Dataset.from_dict(json.loads(lzma.decompress(content)))
    except (lzma.LZMAError, UnicodeDecodeError, json.JSONDecodeError, KeyError, TypeError) as error:
        raise ValueError(f"expected data as lemmata keeps them (JSON under xz), got something else ({error})") from None


def kept(name: str, scale: str, folder: Path = FOLDER) -> xr.Dataset:
    """The stored data of a figure or an experiment. Raises ``ValueError`` if there are none at that scale."""
    path = folder / file_name(name, scale)
    if not path.is_file():
        there = sorted(p.name.removesuffix(".json.xz") for p in folder.glob("*.json.xz"))
        raise ValueError(f"expected stored data among {', '.join(there) or 'none'}, got {name}.{scale}: compute them, without --redraw")
    return unpacked(path.read_bytes())


def _short(x: Any) -> Any:
    """Floats with nine significant digits, NumPy's numbers as Python's."""
    if isinstance(x, dict):
        return {str(k): _short(v) for k, v in x.items()}
    if isinstance(x, list | tuple):
        return [_short(v) for v in x]
    if isinstance(x, float | np.floating):
        return float(f"{x:.9g}")
    return x.item() if isinstance(x, np.generic) else x
