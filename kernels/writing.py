"""Vectors as files, with the checker beside them; each is audited before it is written."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..numerics.progress import Progress, silent
from .audit import CHUNKS, Audit, audit, criterion, heads
from .backward import audit_gradients
from .base import Vector
from .gradients import GRADIENTS
from .vectors import DELTA, VECTORS

CHECKER = Path(__file__).with_name("exact_vectors.py")


@dataclass(frozen=True)
class Row:
    """What the audit of a file found: the worst tensor and sum for each chunk length, and whether the simple criterion explains the inverse."""

    name: str
    audits: dict[int, Audit]
    simple: bool | None
    formats: tuple[str, ...]
    stress: str

    @property
    def needs(self) -> str:
        """What an algorithm needs that leaves the formats; empty where the rule inverts no matrix."""
        bits = max(found.doubling for found in self.audits.values())
        return f"an inverse by repeated squaring needs {bits} bits" if bits else ""


def audited(made: Vector) -> Row:
    """The audit for every chunk length.

    Raises ``ArithmeticError`` if a format that the vector promises does not hold every tensor.
    """
    audits = {chunk: (audit_gradients if "gradients" in made.arrays else audit)(made, chunk) for chunk in CHUNKS}
    for chunk, found in audits.items():
        for name in made.formats:
            if not found.fits(name):
                worst = max(found.stored, key=found.stored.__getitem__)
                raise ArithmeticError(f"expected {made.name} to fit {name} in chunks of {chunk}, got {found.stored[worst]} bits in {worst}")
    simple = all(criterion(head.k, head.beta) for head in heads(made)) if made.rule in DELTA else None
    return Row(made.name, audits, simple, made.formats, made.stress)


def contents(made: Vector) -> dict[str, np.ndarray]:
    """The arrays of a vector's file by name."""
    return {
        **made.arrays,
        "rule": np.array(made.rule),
        "feature": np.array(made.feature),
        "scale": np.array(made.scale),
        "micro": np.array(made.micro),
        "normalise": np.array(made.normalise),
        "formats": np.array(made.formats, dtype="U8"),
        "stress": np.array(made.stress),
        "arguments": np.array(made.arguments),
    }


def save(made: Vector, folder: Path, needs: str = "") -> Path:
    """One vector as an .npz file, with what :attr:`Row.needs` says; the same bytes every time."""
    path, unfinished = folder / f"{made.name}.npz", folder / f".{made.name}.part.npz"
    arrays: dict[str, Any] = contents(made) | {"needs": np.array(needs)}
    np.savez_compressed(unfinished, **arrays)
    unfinished.replace(path)
    return path


def write_vectors(folder: Path, rule: str | None = None, progress: Progress = silent) -> Iterator[Row]:
    """Audit and write the vectors of a rule, or all, and the checker beside them.

    Args:
        folder: is made if it is not there; files of the same names are replaced.
        rule: one of ``vectors.RULES`` and ``gradients.GRADIENT_RULES``.
        progress: is called with the name of each file that is done, how many there are so far and in all.

    Yields:
        The audit of each file.
    """
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(CHECKER, folder / CHECKER.name)
    plans = [(key, plan) for key, plan in (VECTORS | GRADIENTS).items() if rule in (None, key[0])]
    for done, (key, plan) in enumerate(plans, 1):
        made = plan.draw(*key)
        row = audited(made)
        save(made, folder, row.needs)
        progress(made.name, done, len(plans))
        yield row
