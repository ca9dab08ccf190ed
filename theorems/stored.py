"""What is generated from the sources and stored: the words of the claims, and the evidence of each. Reading it imports no mathematics.

A file holds the digest of the sources that it comes from and counts only as long as they are the same. A release ships both in
``theorems/shipped``; what is not there is generated when it is first asked for, and kept in the folder of :func:`home`. Files appear whole or not at
all, and one process at a time runs a check for its evidence, so any number of processes may share the folder, and any may be killed.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import sys
from collections.abc import Iterable
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import __version__
from ..numerics.progress import Progress, silent
from .files import write_all, write_whole
from .ledger import TOPICS, Entry, Evidence, ledger

if TYPE_CHECKING:
    from .records import Record

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "theorems"

#: an import from a folder that is named by dots
IMPORT = re.compile(rb"from (\.+)([a-z_]\w*)")

#: what a release ships
SHIPPED = FOLDER / "shipped"

#: the effort at which evidence is generated; what is stored at a higher one counts, too
EFFORT = os.environ.get("LEMMATA_EVIDENCE", "standard")

#: what every check may load apart from its topic: rooms, and modules beside the topics (the words of a paper and the pins change no evidence)
SHARED = ("numerics", "constructions", "formal")
MODULES = ("argument", "claim", "closure", "evidence", "records")


@cache
def home() -> Path | None:
    """Where generated things are kept: the folder that ``LEMMATA_CACHE`` names, ``.lemmata-cache`` of a checkout, else the user's; None if none can be written."""
    user = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "lemmata" / __version__
    own = [ROOT / ".lemmata-cache"] if (ROOT / "pyproject.toml").is_file() else []
    named = [Path(os.environ["LEMMATA_CACHE"])] if os.environ.get("LEMMATA_CACHE") else []
    return next((folder for folder in named or [*own, user] if _may_be_written(folder)), None)


def _may_be_written(folder: Path) -> bool:
    there = next(above for above in (folder, *folder.absolute().parents) if above.exists())
    return there.is_dir() and os.access(there, os.W_OK)


@cache
def folders(topic: str) -> tuple[str, ...]:
    """The folders of theorems/ that a topic and its ties are read from: its own, and those that its modules import, the nearest first."""
    found = [topic]
    for name in found:
        imported = [other for path in [*_modules(name), *_ties(name)] for other in imported_by(path)]
        found += [other for other in dict.fromkeys(imported) if other not in found and (FOLDER / other).is_dir()]
    return tuple(found)


def imported_by(path: Path, above: Path | None = None) -> list[str]:
    """The names that a module imports from the folder ``above``, by default theorems/, wherever in the folder it stands."""
    text = _content(path.as_posix())
    # a pattern that begins with a letter is found ten times as fast as one that begins with a line
    found = [m for m in IMPORT.finditer(text) if not text[text.rfind(b"\n", 0, m.start()) + 1 : m.start()].strip()]
    return [m[2].decode() for m in found if path.parents[len(m[1]) - 1] == (above or FOLDER)]


@cache
def _content(path: str) -> bytes:
    return Path(path).read_bytes()


def _modules(topic: str) -> list[Path]:
    return sorted((FOLDER / topic).rglob("*.py"))


def _ties(topic: str) -> list[Path]:
    """The ties of a topic: a module or a folder of them, and its rows in held."""
    ties = FOLDER / "ties"
    rows = [path for name in ("__init__", topic) for path in (ties / "held").glob(f"{name}.py")]
    return sorted([*ties.glob(f"{topic}.py"), *(ties / topic).rglob("*.py"), *rows])


@cache
def sources_of_words(topic: str) -> str:
    """The digest of all sources that the words of a topic are read from."""
    return _digest(path for name in folders(topic) for path in _modules(name))


@cache
def sources_of_evidence(topic: str) -> str:
    """The digest of all sources that a check of a topic may load."""
    shared = [*(path for name in SHARED for path in (ROOT / name).rglob("*")), *(FOLDER / f"{name}.py" for name in MODULES)]
    kept = [path for path in shared if path.suffix in (".py", ".v", ".json", ".toml", "") and path.is_file() and "_build" not in path.parts]
    return hashlib.sha256(f"{sources_of_words(topic)} {_digest([*kept, *_ties(topic)])}".encode()).hexdigest()


def _digest(paths: Iterable[Path]) -> str:
    """SHA-256 of the names and contents of files."""
    total, above = hashlib.sha256(), len(ROOT.as_posix()) + 1
    for name in sorted({path.as_posix() for path in paths}):
        content = _content(name)
        total.update(f"{name[above:]} {len(content)}\n".encode() + content)
    return total.hexdigest()


def forget() -> None:
    """Forget digests and texts, since the sources have changed."""
    from . import declared

    for cached in (_content, folders, sources_of_words, sources_of_evidence, declared.module):
        cached.cache_clear()


# -- words ------------------------------------------------------------------------------------------------------------


def words(topic: str) -> dict[str, dict[str, Any]]:
    """What the claims of a topic say, as :func:`lemmata.theorems.declared.declared` reads it; stored, since it takes a second to read them all."""
    found = _stored(f"words/{topic}.json", sources_of_words(topic))
    if found is None:
        from .declared import declared

        found = {"claims": declared(topic)}
        _keep(f"words/{topic}.json", {"sources": sources_of_words(topic)} | found)
    return found["claims"]


# -- evidence ---------------------------------------------------------------------------------------------------------


def stored_evidence(entry: Entry) -> Evidence | None:
    """The evidence that is stored of a claim; None if there is none from these sources, or only from a lower effort."""
    found = _stored(f"evidence/{entry.id}.json", sources_of_evidence(entry.topic))
    return Evidence(**found["evidence"]) if found and found["effort"] in (EFFORT, "standard") else None


def evidence(entry: Entry) -> Evidence:
    """The evidence of a claim: stored, or else by running its check, which a line on standard error says."""
    if (found := stored_evidence(entry)) is not None:
        return found
    with _alone(f"evidence/{entry.id}"):
        # another process may have run it in the meantime
        if (found := stored_evidence(entry)) is not None:
            return found
        print(f"lemmata: no evidence of {entry.id} is stored for these sources; running its check, once", file=sys.stderr, flush=True)
        return _generated(entry)


def _generated(entry: Entry) -> Evidence:
    from threadpoolctl import threadpool_limits

    from .records import evidence_of, verify

    with threadpool_limits(1, "blas"):
        (record,) = verify(entry.id, EFFORT)
    if not record.as_expected:
        print(f"lemmata: {entry.id} came out as {record.verdict}, and not as it is pinned: see lemmata verify {entry.id}", file=sys.stderr)
    return evidence_of(record)


def gather(entries: Iterable[Entry], progress: Progress = silent, jobs: int = 1) -> None:
    """Run the checks of those entries whose evidence is not stored, in several processes; nothing where nothing can be stored."""
    wanted = [e for e in entries if e.given is None]
    if home() is None or all(stored_evidence(e) is not None for e in wanted):
        return
    with _alone("all"):
        missing = [e.id for e in wanted if stored_evidence(e) is None]
        if missing:
            _gather(missing, progress, jobs)


def _gather(ids: list[str], progress: Progress, jobs: int) -> None:
    from threadpoolctl import threadpool_limits

    from .records import verify

    print(f"lemmata: no evidence of {len(ids)} claims is stored for these sources; running their checks, once", file=sys.stderr, flush=True)
    done: list[str] = []

    def count(record: Record) -> None:
        done.append(record.id)
        progress("evidence", len(done), len(ids))

    progress("evidence", 0, len(ids))
    with threadpool_limits(1, "blas"):
        verify(ids, EFFORT, jobs=jobs, on_record=count)


def ship(progress: Progress = silent, jobs: int = 1) -> int:
    """Write the words and the evidence of all claims into ``theorems/shipped``, from where a wheel takes them; how many claims.

    Raises ``ValueError`` where nothing can be stored, and for evidence that is missing since its check came out as another than the pinned.
    """
    everything, folder = ledger(), home()
    if folder is None or EFFORT != "standard":
        raise ValueError("expected a folder in which evidence can be stored, at standard effort, got none")
    gather(everything.values(), progress, jobs)
    contents = {f"words/{topic}.json": {"sources": sources_of_words(topic), "claims": words(topic)} for topic in TOPICS}
    for id, entry in everything.items():
        found = _stored(f"evidence/{id}.json", sources_of_evidence(entry.topic))
        if found is None:
            raise ValueError(f"expected {id} to come out as it is pinned, got something else: see lemmata verify {id}")
        contents[f"evidence/{id}.json"] = found
    # what an earlier release shipped may be of claims that are no more
    shutil.rmtree(SHIPPED, ignore_errors=True)
    write_all({SHIPPED / name: _text(content) for name, content in contents.items()})
    return len(everything)


def keep(record: Record, effort: str) -> None:
    """Store the evidence of a record that came out as expected; quick evidence does not replace better."""
    from .records import evidence_of

    sources = sources_of_evidence(record.topic)
    before = _stored(f"evidence/{record.id}.json", sources)
    if record.as_expected and (before is None or (before["effort"], effort) == ("quick", "standard")):
        filled = {name: value for name, value in asdict(evidence_of(record)).items() if value}
        _keep(f"evidence/{record.id}.json", {"sources": sources, "effort": effort, "evidence": filled})


# -- files ------------------------------------------------------------------------------------------------------------


def _stored(name: str, sources: str) -> dict[str, Any] | None:
    """A stored file that comes from these sources, of the release or else of the cache."""
    for folder in (SHIPPED, home()):
        path = folder / name if folder else None
        if path and path.is_file():
            found = json.loads(path.read_text(encoding="utf-8"))
            if found["sources"] == sources:
                return found
    return None


def _keep(name: str, content: dict[str, Any]) -> None:
    if (folder := home()) is not None:
        write_whole(folder / name, _text(content))


def _text(content: dict[str, Any]) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")) + "\n"


def _alone(name: str) -> Any:
    """A lock that one process at a time holds, and that the system releases when it ends; none where nothing can be stored."""
    from contextlib import nullcontext

    from filelock import FileLock

    if (folder := home()) is None:
        return nullcontext()
    lock = folder / "locks" / f"{name}.lock"
    lock.parent.mkdir(parents=True, exist_ok=True)
    return FileLock(lock)
