"""The compiled proofs, kept in ``build/formal``: a file is compiled once its imports are, and again only if one of them changed.

Beside each compiled file stands its key, a digest of the versions, of its source and of all that it imports. A file with another key is compiled.
Without the folder everything is compiled, and what is recorded is the same.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from . import seal
from .toolchain import Refused, require_imports, run


def compile_all(versions: dict[str, str], jobs: int) -> Path:
    """The folder with all files compiled, ``jobs`` at a time; what was not compiled before is printed."""
    files, build = seal.files(), seal.FOLDER.parent / "build" / "formal"
    build.mkdir(parents=True, exist_ok=True)
    for path in build.glob("*.v*"):
        if f"{path.name.partition('.')[0]}.v" not in files:
            path.unlink()
    for name in files:
        if seal.digest(name) != _digest(build / name):
            shutil.copy(seal.FOLDER / name, build / name)
        if seal.digest(name) != _digest(build / name):
            raise Refused(f"expected the sources to stay as they are, but formal/{name} has changed since this began")
    require_imports(files, build)
    # of the sources as they were copied: who edits one in the meantime does not change what its compiled file belongs to
    keys = {name: key(name, versions) for name in files}
    in_order(files, lambda name: _compile(name, keys[name], build), jobs)
    return build


def key(name: str, versions: dict[str, str], *more: str) -> str:
    """What a file's result depends on: the versions, its source with all that it imports, and more where more matters."""
    return hashlib.sha256(json.dumps([versions, seal.closure(name), *more]).encode()).hexdigest()


def in_order(files: list[str], work: Callable[[str], None], jobs: int) -> None:
    """Do ``work`` for each file after its imports, ``jobs`` at a time, first where the longest chain of files waits for it.

    Raises the first error that a file meets, once those at work have ended, and ``Refused`` for imports in a circle.
    """
    order = TopologicalSorter({name: [one for one in seal.imports(name) if one in files] for name in files})
    try:
        order.prepare()
    except CycleError as circle:
        raise Refused(f"expected no circle of imports, got {' -> '.join(circle.args[1])}") from None
    chain = chains(files)
    ready: list[str] = []
    running: dict[Future[None], str] = {}
    with ThreadPoolExecutor(jobs) as pool:
        while order.is_active():
            ready = sorted([*ready, *order.get_ready()], key=lambda name: -chain[name])
            while ready and len(running) < jobs:
                name = ready.pop(0)
                running[pool.submit(work, name)] = name
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                name = running.pop(future)
                future.result()
                order.done(name)


def chains(files: list[str]) -> dict[str, int]:
    """For each file the characters in the longest chain of files that starts with it, each of which imports the one before."""
    longest: dict[str, int] = {}
    for name in TopologicalSorter({one: [x for x in files if one in seal.imports(x)] for one in files}).static_order():
        above = max((longest[x] for x in files if name in seal.imports(x)), default=0)
        longest[name] = (seal.FOLDER / name).stat().st_size + above
    return longest


def _compile(name: str, expected: str, build: Path) -> None:
    stamp = build / f"{name}.key"
    compiled = build / f"{name}o"
    if compiled.is_file() and stamp.is_file() and stamp.read_text() == f"{expected} {_digest(compiled)}":
        return
    run(["coqc", "-w", "none", "-Q", ".", "lemmata", name], build, f"formal/{name} does not compile")
    stamp.write_text(f"{expected} {_digest(compiled)}")
    print(f"compiled {name}", flush=True)


def _digest(path: Path) -> str | None:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None
