"""Words as files: NumPy's .npz, Parquet, JSON lines, or a folder that Hugging Face's ``datasets`` loads."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ..theorems.files import write_whole
from .splitting import Part, Split

ENDINGS = (".npz", ".parquet", ".jsonl")

#: words that are written at a time
ROWS = 2**16


def save(split: Split, target: Path, card: str) -> list[Path]:
    """Write the words to a file, by its ending, or as Parquet files with a card into a new or empty folder; the paths written.

    Raises:
        ValueError: for another ending, and for a folder that holds something.
        ModuleNotFoundError: for Parquet without pyarrow.
    """
    require_target(target)
    if target.suffix not in ENDINGS:
        target.mkdir(parents=True, exist_ok=True)
        paths = [target / f"{name}.parquet" for name in _parts(split)]
        for name, path in zip(_parts(split), paths, strict=True):
            _write_parquet(split, {name: _parts(split)[name]}, path)
        write_whole(target / "README.md", card)
        return [*paths, target / "README.md"]
    target.parent.mkdir(parents=True, exist_ok=True)
    {".npz": _write_npz, ".parquet": _write_parquet, ".jsonl": _write_lines}[target.suffix](split, _parts(split), target)
    return [target]


def require_target(target: Path) -> None:
    """Raise ``ValueError`` unless the ending is known, or there is no such folder yet, or an empty one."""
    if target.suffix not in ENDINGS and (target.suffix or (target.exists() and (not target.is_dir() or any(target.iterdir())))):
        raise ValueError(f"expected a file that ends with {', '.join(ENDINGS)}, or a new folder, got {target}")


def _parts(split: Split) -> dict[str, Part]:
    return {name: part for name, part in (("train", split.train), ("test", split.test)) if len(part)}


def _write_npz(split: Split, parts: dict[str, Part], path: Path) -> None:
    """Padded arrays: letters, states (the state after each letter) with -1 as padding, lengths, accepted (of the whole word); and the automaton."""
    a = split.automaton
    arrays: dict[str, Any] = {
        "alphabet": np.array([str(x) for x in a.letters]),
        "table": np.array([a.table[x] for x in a.letters]),
        "start": np.array(a.start),
        "accepting": np.isin(np.arange(a.n), sorted(a.accepting)),
    }
    for name, part in parts.items():
        longest = max(part.letters)
        lengths = np.concatenate([np.full(len(words), n) for n, words in part.letters.items()])
        for field, values, size in (("letters", part.letters, len(a.letters)), ("states", part.states, a.n)):
            padded = np.full((len(part), longest), -1, dtype=np.min_scalar_type(-size))
            row = 0
            for n, block in values.items():
                padded[row : row + len(block), :n] = block
                row += len(block)
            arrays[f"{name}_{field}"] = padded
        arrays[f"{name}_lengths"] = lengths
        last = np.concatenate([_last(split, part, n) for n in part.letters])
        arrays[f"{name}_accepted"] = arrays["accepting"][last]
    unfinished = path.with_name(f".{path.name}.part.npz")
    np.savez(unfinished, **arrays)
    unfinished.replace(path)


def _last(split: Split, part: Part, n: int) -> np.ndarray:
    """The state after each word of a length."""
    states = part.states[n]
    return states[:, -1].astype(np.intp) if n else np.full(len(states), split.automaton.start)


def _blocks(split: Split, parts: dict[str, Part]) -> Iterator[tuple[str, np.ndarray, np.ndarray, np.ndarray]]:
    """(part, letters, states, accepted) for at most ``ROWS`` words of one length at a time."""
    accepting = np.isin(np.arange(split.automaton.n), sorted(split.automaton.accepting))
    for name, part in parts.items():
        for n, words in part.letters.items():
            last = accepting[_last(split, part, n)]
            for i in range(0, len(words), ROWS):
                yield name, words[i : i + ROWS], part.states[n][i : i + ROWS], last[i : i + ROWS]


def _write_parquet(split: Split, parts: dict[str, Part], path: Path) -> None:
    """Columns: split, letters (a list of numbers), states, accepted."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    small = (
        pa.from_numpy_dtype(np.min_scalar_type(len(split.automaton.letters) - 1)),
        pa.from_numpy_dtype(np.min_scalar_type(split.automaton.n - 1)),
    )
    schema = pa.schema([("split", pa.string()), ("letters", pa.list_(small[0])), ("states", pa.list_(small[1])), ("accepted", pa.bool_())])
    unfinished = path.with_name(f".{path.name}.part")
    with pq.ParquetWriter(unfinished, schema) as writer:
        for name, letters, states, accepted in _blocks(split, parts):
            offsets = pa.array(np.arange(len(letters) + 1, dtype=np.int32) * np.int32(letters.shape[1]))
            columns = [
                pa.array([name] * len(letters)),
                pa.ListArray.from_arrays(offsets, pa.array(letters.ravel())),
                pa.ListArray.from_arrays(offsets, pa.array(states.ravel())),
                pa.array(accepted),
            ]
            writer.write_table(pa.Table.from_arrays(columns, schema=schema))
    unfinished.replace(path)


def _write_lines(split: Split, parts: dict[str, Part], path: Path) -> None:
    """One JSON object to a word: split, letters as they are called, states, accepted."""
    names = [json.dumps(str(x), ensure_ascii=False) for x in split.automaton.letters]
    unfinished = path.with_name(f".{path.name}.part")
    with unfinished.open("w", encoding="utf-8") as file:
        for name, letters, states, accepted in _blocks(split, parts):
            for word, after, good in zip(letters.tolist(), states.tolist(), accepted.tolist(), strict=True):
                file.write(
                    f'{{"split": "{name}", "letters": [{", ".join([names[x] for x in word])}], "states": {after}, "accepted": {"true" if good else "false"}}}\n'
                )
    unfinished.replace(path)
