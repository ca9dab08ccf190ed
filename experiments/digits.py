"""Images as sequences: the MNIST files if their folder is given, else the 8 x 8 digits that come with scikit-learn. Nothing is downloaded."""

from __future__ import annotations

import gzip
import struct
from pathlib import Path

import numpy as np


def images(mnist: Path | None = None, count: int = 100) -> np.ndarray:
    """The first ``count`` images with entries between 0 and 1, shape (count, height, width).

    ``mnist`` is a folder with train-images-idx3-ubyte or t10k-images-idx3-ubyte, also with the ending .gz. Raises ``ValueError`` if it holds
    neither, or another kind of file by that name.
    """
    if mnist is None:
        from sklearn.datasets import load_digits

        return load_digits().images[:count] / 16.0
    names = [f"{part}-images{dot}idx3-ubyte{end}" for part in ("train", "t10k") for dot in "-." for end in ("", ".gz")]
    path = next((mnist / name for name in names if (mnist / name).is_file()), None)
    if path is None:
        raise ValueError(f"expected a file such as {names[0]} in {str(mnist)!r}, found none")
    return read_idx(path)[:count] / 255.0


def read_idx(path: Path) -> np.ndarray:
    """The array in an IDX file of unsigned bytes with three dimensions. Raises ``ValueError`` for anything else, or a file cut short."""
    data = (gzip.decompress if path.suffix == ".gz" else bytes)(path.read_bytes())
    if len(data) < 16 or data[:4] != b"\x00\x00\x08\x03":
        raise ValueError(f"expected an IDX file of bytes with three dimensions, got another kind in {str(path)!r}")
    shape = struct.unpack(">III", data[4:16])
    if len(data) != 16 + np.prod(shape):
        raise ValueError(f"expected {np.prod(shape)} bytes after the header of {str(path)!r}, got {len(data) - 16}")
    return np.frombuffer(data, dtype=np.uint8, offset=16).reshape(shape)
