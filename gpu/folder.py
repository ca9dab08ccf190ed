"""The folder of a sweep: what it is for, which process works on it, and pieces that are whole, right and in their place, or as good as absent."""

from __future__ import annotations

import json
import os
import secrets
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock, Timeout

#: of sweep.json and the pieces
FORMAT = 2

Shard = tuple[int, int]

#: in place of a shard's, while results are streamed
COLLECTING: Shard = (0, 0)


@dataclass(frozen=True)
class Folder:
    """A folder that is claimed for one sweep: ``about`` is what ``sweep.json`` says; the digests of its pieces depend on that text."""

    path: Path
    about: Mapping[str, Any]

    @classmethod
    def claim(cls, path: Path, about: Mapping[str, Any]) -> Folder:
        """Write what the folder is for, or check that it is for the same. Raises ``ValueError`` if it holds another sweep, or one made with something else."""
        path.mkdir(parents=True, exist_ok=True)
        folder = cls(path, {"format": FORMAT} | dict(about))
        # of two sweeps that begin at once one writes and the other one reads
        with _lock(path / ".claim.lock", 60):
            if not (path / "sweep.json").exists():
                folder.write("sweep.json", folder._text())
            elif (found := cls.open(path)) != folder:
                raise ValueError(_difference(found, folder))
        return folder

    @classmethod
    def open(cls, path: Path) -> Folder:
        """The folder as it is. Raises ``ValueError`` if it is no sweep's, or an older version's."""
        try:
            text = (path / "sweep.json").read_text(encoding="utf-8")
        except FileNotFoundError:
            raise ValueError(f"expected the folder of a sweep, got {str(path)!r} without sweep.json") from None
        try:
            about: Any = json.loads(text)
            known = about["format"] == FORMAT
        except (ValueError, TypeError, KeyError):
            about, known = None, False
        if not known:
            raise ValueError(f"expected sweep.json of format {FORMAT} in {str(path)!r}, got something else; take another folder")
        return cls(path, about)

    @contextmanager
    def held(self, shard: Shard) -> Iterator[None]:
        """No other process works on the same shard for the time of a ``with`` block; the lock of a dead one is free. Raises ``ValueError`` if one does."""
        tag = f"{shard[0]}-of-{shard[1]}"
        holder = self.path / f".{tag}.holder"
        try:
            with _lock(self.path / f".{tag}.lock", 0):
                holder.write_text(f"process {os.getpid()} on {socket.gethostname()}", encoding="utf-8")
                # what a killed process left: nobody else writes under this tag
                for part in self.path.glob(f".*.{tag}.*.part"):
                    part.unlink(missing_ok=True)
                try:
                    yield
                finally:
                    holder.unlink(missing_ok=True)
        except Timeout:
            who = holder.read_text(encoding="utf-8") if holder.exists() else "another process"
            raise ValueError(
                f"expected a folder that nobody works on, got {str(self.path)!r}, where {who} is at it; wait for it, or take --shard i/n for each"
            ) from None

    def name(self, index: int) -> str:
        return f"piece-{index:06d}.npy"

    def read(self, index: int, shape: tuple[int, int]) -> np.ndarray | None:
        """Piece number ``index``, shape and all; None if it is absent. Raises ``ValueError`` if it is not what was written there."""
        try:
            content = (self.path / self.name(index)).read_bytes()
        except FileNotFoundError:
            return None
        data, digest = content[:-32], content[-32:]
        if digest != self._digest(index, data):
            raise ValueError("a piece that is not as it was written")
        rows = np.load(BytesIO(data), allow_pickle=False)
        if rows.shape != shape or rows.dtype != np.float64:
            raise ValueError("a piece of another shape")
        return rows

    def write_piece(self, index: int, rows: np.ndarray, shard: Shard) -> None:
        """An array in NumPy's format, and after it the SHA-256 of what the folder is for, the piece's number and the array."""
        stream = BytesIO()
        np.save(stream, rows)
        self.write(self.name(index), stream.getvalue() + self._digest(index, stream.getvalue()), shard)

    def write(self, name: str, content: bytes, shard: Shard = (1, 1)) -> None:
        """A file of the folder that appears whole or not at all."""
        self.build(self.path / name, lambda part: part.write_bytes(content), shard)

    def build(self, target: Path, fill: Callable[[Path], Any], shard: Shard) -> None:
        """The same for any file on the folder's disk that ``fill`` writes."""
        part = self.path / f".{target.name}.{shard[0]}-of-{shard[1]}.{secrets.token_hex(8)}.part"
        try:
            fill(part)
            os.replace(part, target)
        except OSError as error:
            raise OSError(
                error.errno, f"{error.strerror or error}; finished pieces are stored, and the same command resumes", str(target)
            ) from None
        finally:
            part.unlink(missing_ok=True)

    def _text(self) -> bytes:
        return (json.dumps(self.about, indent=1) + "\n").encode()

    def _digest(self, index: int, data: bytes) -> bytes:
        return sha256(sha256(self._text()).digest() + index.to_bytes(8, "big") + data).digest()


def whole_pieces(
    folder: Folder, wanted: Mapping[int, tuple[int, int]], keep: Callable[[int, np.ndarray], None]
) -> tuple[list[int], list[int]]:
    """(absent, damaged): the numbers of the pieces that are to be computed; ``keep`` is called with each of the others. ``wanted`` has their shapes."""
    absent, damaged = [], []
    for index, shape in wanted.items():
        try:
            rows = folder.read(index, shape)
        except ValueError:
            damaged.append(index)
            continue
        if rows is None:
            absent.append(index)
        else:
            keep(index, rows)
    return absent, damaged


@contextmanager
def _lock(path: Path, seconds: float) -> Iterator[None]:
    with FileLock(path, timeout=seconds):
        yield


def _difference(found: Folder, asked: Folder) -> str:
    """Which sweep is there and which is requested, in a line."""
    there, here = found.about, asked.about
    for name in here:
        if name != "made with" and there.get(name) != here[name]:
            return (
                f"expected an empty folder or the same sweep, got another sweep in {str(found.path)!r}: "
                f"{name} {_short(there.get(name))} there, {_short(here[name])} requested"
            )
    begun, now = there.get("made with", {}), here["made with"]
    parts = [f"{name} {begun.get(name)!r} there, {now.get(name)!r} here" for name in now if begun.get(name) != now[name]]
    return (
        f"expected the code, versions, processor and device that began the sweep in {str(found.path)!r}, since others round otherwise; "
        f"got {'; '.join(parts)}; finish it there, or begin in another folder"
    )


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 100 else text[:97] + "..."
