"""Training: tasks, layers, one training loop, and the papers' experiments made of them.

``tasks``: seeded generators of words and answers. ``layers``: recurrences with parameters, on the project's scan. ``training``: a run that can be
killed and resumes reproducibly. ``many``: all runs of an experiment, in one process or several. ``experiment``: what a declaration says.

An experiment is a module with ``EXPERIMENT = ...``, an ``Experiment`` or a function that makes one, such as ``grid.word_table``.
It is registered by standing there. Its sizes have the scales smoke (tests), quick, desk and paper. Needs the extra ``torch``;
nothing here imports claims or the atlas: the command line puts the prediction beside. Pictures have the style of ``figures``.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from ..papers import papers

if TYPE_CHECKING:
    from .experiment import Experiment

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Registered:
    """What is read of a declaration without importing it: its literal words, and the first line of its module."""

    name: str
    module: str
    topic: str
    finding: str
    place: str
    says: str


@cache
def registered() -> dict[str, Registered]:
    """All experiments by name, by paper in the order of the papers, what is new last. Raises ``ValueError`` for a name that two have."""
    order = [*papers(), "new"]
    found = [r for path in sorted(FOLDER.glob("*.py")) if (r := _declared(path)) is not None]
    names = [r.name for r in found]
    if len(set(names)) < len(names):
        raise ValueError(f"expected experiments of different names, got {', '.join(sorted(names))}")
    return {r.name: r for r in sorted(found, key=lambda r: (order.index(r.name.split(".")[0]), _natural(r.name)))}


def load(name: str) -> Experiment:
    """One experiment. Raises ``ValueError`` for an unknown name."""
    if name not in registered():
        raise ValueError(f"expected an experiment among {', '.join(registered())}, got {name!r}")
    return import_module(f".{registered()[name].module}", __name__).EXPERIMENT


def _declared(path: Path) -> Registered | None:
    text = path.read_text(encoding="utf-8")
    if not re.search(r"^EXPERIMENT = ", text, re.MULTILINE):
        return None
    tree = ast.parse(text)
    call = next(
        n.value for n in tree.body if isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Name) and n.targets[0].id == "EXPERIMENT"
    )
    if not isinstance(call, ast.Call) or not call.args:
        raise ValueError(f"expected EXPERIMENT = ...(name, ...) in experiments/{path.name}")
    words = {k.arg: k.value for k in call.keywords}
    name, topic, finding, place = (ast.literal_eval(node) for node in (call.args[0], words["topic"], words["finding"], words["place"]))
    return Registered(name, path.stem, topic, finding, place, (ast.get_docstring(tree) or "").split("\n")[0])


def _natural(name: str) -> list[tuple[int, str]]:
    """fig4 before fig14."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", name)]
