"""The training house: tasks, layers, one training loop, and the papers' experiments made of them.

``tasks``: seeded generators of words and answers. ``layers``: recurrences with parameters, on the project's scan. ``training``: a run that can be
killed and goes on with the same numbers. An experiment is a module with ``SIZES`` (per scale), ``compute`` (labelled data, all runs of it),
``ASKED`` (which cell of the table of models and tasks predicts what) and ``outcome`` (what the data say, in a sentence), and a line in
``EXPERIMENTS``. Needs the extra ``torch``; nothing here imports theorems, figures or the atlas: the command line puts prediction and drawing beside.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

#: name ("paper.what") -> module in this folder, imported when asked for
EXPERIMENTS = {"grazzi25.ranges": "ranges"}


def load(name: str) -> ModuleType:
    """The module of one experiment. Raises ``ValueError`` for an unknown name."""
    if name not in EXPERIMENTS:
        raise ValueError(f"expected an experiment among {', '.join(EXPERIMENTS)}, got {name!r}")
    return import_module(f".{EXPERIMENTS[name]}", __name__)
