"""What a command may write: a new file or a regular, writable one, whole or not at all. Everything else is refused before any long work; and what it may read twice."""

from __future__ import annotations

import os
import secrets
import stat
import unicodedata
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path

#: kinds of things that are no regular files; a pipe or device would be replaced, not written to
KINDS = {
    stat.S_IFLNK: "a symbolic link",
    stat.S_IFDIR: "a directory",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def require_writable(*targets: Path) -> None:
    """Raise ``ValueError`` unless each target is new or a regular writable file, in a folder that can be written or made, and no two share a name.

    Names that differ in nothing but case or Unicode's normal form count as one: some file systems take them so.
    """
    names: dict[str, Path] = {}
    for target in targets:
        _require_folder(target.parent)
        found = _kind(target)
        if found is not None and stat.S_IFMT(found.st_mode) in KINDS:
            raise ValueError(
                f"expected a new or a regular file to write, got {str(target)!r}, which is {KINDS[stat.S_IFMT(found.st_mode)]}"
            )
        if found is not None and not _writable(target, found):
            raise ValueError(f"expected a file that may be written, got {str(target)!r}, which is read-only")
        other = names.setdefault(_one_name(target), target)
        if other is not target:
            raise ValueError(f"expected different files to write, got {str(other)!r} and {str(target)!r}")


def require_other(target: Path, read: Path) -> None:
    """Raise ``ValueError`` if a file to write is the one that is read."""
    if _one_name(target) == _one_name(read) or (target.exists() and read.exists() and target.samefile(read)):
        raise ValueError(f"expected another file to write than the one that is read, got {str(target)!r}")


def require_regular(read: Path) -> None:
    """Raise ``ValueError`` if what is to be read is there and no regular file: a pipe without a writer would be waited for without end."""
    if read.exists() and not read.is_file():
        raise ValueError(
            f"expected a regular file to read, got {str(read)!r}, which is {KINDS.get(stat.S_IFMT(read.stat().st_mode), 'none')}"
        )


def require_folder(folder: Path, names: Iterable[str] = ()) -> None:
    """Raise ``ValueError`` unless ``folder`` is a writable directory or can be made, and the files ``names`` in it may be written."""
    if str(folder) == "-":
        raise ValueError("expected a folder to write into, got '-'")
    _require_folder(folder)
    require_writable(*(folder / name for name in names))


def write_whole(target: Path, content: str | bytes) -> None:
    """Write a file so that it appears whole or not at all; its folder is made if need be. Text is written as UTF-8.

    A file that is there keeps its permissions. Raises ``ValueError`` for a target that :func:`require_writable` refuses.
    """
    write_all({target: content})


def write_all(contents: Mapping[Path, str | bytes]) -> None:
    """:func:`write_whole` for several files, of which none appears before all are written."""
    require_writable(*contents)
    with ExitStack() as cleaning:
        unfinished = []
        for target, content in contents.items():
            target.parent.mkdir(parents=True, exist_ok=True)
            # the name is known before the file is there, so an interrupt at any time finds it
            part = target.parent / f".unfinished-{secrets.token_hex(8)}"
            cleaning.callback(part.unlink, missing_ok=True)
            unfinished.append((part, target))
            part.write_bytes(content.encode() if isinstance(content, str) else content)
            if (found := _kind(target)) is not None:
                part.chmod(stat.S_IMODE(found.st_mode))
        for part, target in unfinished:
            os.replace(part, target)


def _require_folder(folder: Path) -> None:
    """The folder, or the nearest one above it that is there, is a directory that may be written; links to directories are."""
    there = next(above for above in (folder, *folder.absolute().parents) if os.path.lexists(above))
    if not there.is_dir():
        raise ValueError(f"expected a folder to write into, got {str(there)!r}, which is none")
    if not _writable(there, there.stat()):
        raise ValueError(f"expected a folder that may be written, got {str(there)!r}, which is read-only")


def _writable(path: Path, found: os.stat_result) -> bool:
    # the superuser may write everything; a file without any permission to write is read-only all the same
    return bool(found.st_mode & 0o222) and os.access(path, os.W_OK)


def _kind(path: Path) -> os.stat_result | None:
    """What lies at a path, links not followed; None if nothing does."""
    try:
        return path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return None


def _one_name(path: Path) -> str:
    return unicodedata.normalize("NFC", os.path.realpath(path)).casefold()
