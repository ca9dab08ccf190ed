"""Figures made of many independent measurements: a progress bar, and nothing lost when they are stopped."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..numerics.progress import Progress, silent


def measure_points(
    points: Iterable[tuple], measure: Callable[..., Any], keep: Path | None = None, progress: Progress = silent
) -> list[Any]:
    """``measure(*point)`` for every point, in order; a measurement is a number or a list of numbers.

    Each is written to the file ``keep``, a line of JSON, as soon as it is there; points found in the file are not measured again. A line
    cut off by a crash is measured again. ``progress`` counts the points.
    """
    points = list(points)
    known = _read(keep)
    results = []
    for done, point in enumerate(points, 1):
        key = json.dumps(point)
        if key not in known:
            known[key] = measure(*point)
            if keep is not None:
                keep.parent.mkdir(parents=True, exist_ok=True)
                with keep.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([key, known[key]]) + "\n")
        results.append(known[key])
        progress("points", done, len(points))
    return results


def _read(keep: Path | None) -> dict[str, Any]:
    if keep is None or not keep.exists():
        return {}
    text = keep.read_text(encoding="utf-8")
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        # the next line must not be glued to a broken one
        keep.write_text(whole, encoding="utf-8")
    return dict(json.loads(line) for line in whole.splitlines())


@contextmanager
def one_thread() -> Iterator[None]:
    """torch on one thread: small networks are faster so, and their results do not depend on the number of cores. Usable as a decorator."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
