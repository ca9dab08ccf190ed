"""The training house: tasks, layers, one training loop, and the papers' experiments made of them.

``tasks``: seeded generators of words and answers. ``layers``: recurrences with parameters, on the project's scan. ``training``: a run that can be
killed and goes on with the same numbers. ``many``: all runs of an experiment, in one process or several. An experiment is a module with

- ``SIZES``: scale -> sizes, for smoke (tests), quick, desk and paper;
- ``runs(scale, seeds)``: all its runs, made before anything is trained;
- ``compute(scale, seeds, folder, device, tick, jobs)``: labelled data, an ``xarray.Dataset`` (``mnist`` as well if images are read, ``text`` if a text is);
- ``outcome(data)``: what the data say, in a sentence: does the paper's observation hold here, and which claim predicts it;
- if the table of models and tasks predicts it: ``MODELS`` and ``ASKED``, for which the command line adds ``predicted`` (task, layer) to the data;

a line in ``EXPERIMENTS`` and a module ``figures/trained_NAME.py`` with ``FINDING``, ``draw(data)`` and ``outcome``. Needs the extra ``torch``; nothing
here imports theorems, figures or the atlas: the command line puts prediction and drawing beside.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

#: name ("paper.what") -> module in this folder, imported when asked for
EXPERIMENTS = {
    "grazzi25.ranges": "ranges",
    "grazzi25.fig4": "symmetric",
    "grazzi25.table3": "arithmetic",
    "new.learnability": "learnability",
    "movahedi25.copying": "copying",
    "movahedi25.groups": "groups",
    "movahedi25.iterations": "iterations",
    "degeeter26.fig6": "bistable_persistence",
    "degeeter26.fig8": "bistable_copy",
    "degeeter26.fig10": "bistable_images",
    "degeeter26.fig11": "bistable_paths",
    "lizaire26.fig7": "depth",
    "lizaire26.fig8": "products",
    "lizaire26.fig9": "characters",
    "lizaire26.table1": "arena",
    "orvieto24.fig4": "decoders",
    "orvieto24.fig14": "odes",
}


def load(name: str) -> ModuleType:
    """The module of one experiment. Raises ``ValueError`` for an unknown name."""
    if name not in EXPERIMENTS:
        raise ValueError(f"expected an experiment among {', '.join(EXPERIMENTS)}, got {name!r}")
    return import_module(f".{EXPERIMENTS[name]}", __name__)
