"""The networks that commands build for the cells of the table, as ``knowledge/built.json`` has them, and what is said of them.

It is written by :mod:`.building`, which compiles them; reading it needs no mathematics.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from math import inf
from typing import Any

from .knowledge import EVERY, MEASURED, knowledge

FORMATS = ("float64", "float32", "float16", "bfloat16")

#: models whose layers are run by the delta rule, factor by factor; the others step by step, h -> A h + b
BY_FACTORS = (
    "delta-nonnegative",
    "delta-signed",
    "gated-delta-nonnegative",
    "gated-delta-signed",
    "householder-2",
    "householder-4",
    "householder",
)

#: the ways to run a network (docs/explanation/rounding.md), in words
PATHS = {
    "loop": "run step by step",
    "scan": "run as a parallel scan",
    "delta": "run factor by factor",
    "fused": "run in a fused kernel",
}


@dataclass(frozen=True, eq=False)
class Built:
    """A network that ``command`` builds for a task, or for one instance of it.

    ``widths`` of the layers; ``clock``: above 1 a linear layer below them counts letters modulo it. ``models`` hold every layer by definition.
    ``right_up_to``: way to run it -> data type -> a length up to which rounding leaves every word right, proved; ``EVERY`` if at every length.
    """

    task: str
    instance: str | None
    command: str
    widths: tuple[int, ...]
    clock: int
    models: tuple[str, ...]
    right_up_to: dict[str, dict[str, int | str]]

    @property
    def layers(self) -> int:
        """How many layers it has, the clock among them."""
        return len(self.widths) + (self.clock > 1)

    def path(self, model: str) -> str:
        """How a layer of this model is run."""
        return "delta" if model in BY_FACTORS and "delta" in self.right_up_to else "loop"

    def at_every_length(self, model: str) -> list[str]:
        """The data types in which rounding never makes it wrong."""
        return [dtype for dtype, n in self.right_up_to[self.path(model)].items() if n == EVERY]

    def shape(self) -> str:
        """Layers and widths in words."""
        clock = f"a clock of {self.clock} and " if self.clock > 1 else ""
        n = len(self.widths)
        if n == 1:
            return f"{clock}1 layer of width {self.widths[0]}"
        same = len(set(self.widths)) == 1
        widths = (
            f"width {self.widths[0]}"
            if same
            else f"widths {_listed(map(str, self.widths))}"
            if n <= 5
            else f"widths up to {max(self.widths)}"
        )
        return f"{clock}{n} layers of {widths}"

    def widths_in_words(self) -> str:
        """The widths, layer after layer."""
        return f"{'clock; ' if self.clock > 1 else ''}{', '.join(map(str, self.widths))}"

    def lengths(self, model: str) -> str:
        """Data types and lengths in words, as a layer of this model is run."""
        path = self.path(model)
        row = sorted(self.right_up_to[path].items(), key=lambda x: -inf if x[1] == EVERY else -int(x[1]))
        said = [f"{_up_to(n)} in {_listed(dtype for dtype, _ in same)}" for n, same in groupby(row, key=lambda x: x[1])]
        return f"right {'; '.join(said)}, {PATHS[path]}"

    def facts(self, model: str) -> dict[str, Any]:
        """As plain data, for a cell of this model."""
        return {
            "command": self.command,
            "instance": self.instance,
            "layers": self.layers,
            "widths": list(self.widths),
            "run": self.path(model),
            "right up to": self.right_up_to,
        }


@cache
def networks() -> tuple[Built, ...]:
    """All of them, in the order of ``builds.toml``."""
    return tuple(
        Built(x["task"], x["instance"], x["command"], tuple(x["widths"]), x["clock"], tuple(x["models"]), x["right up to"])
        for x in json.loads(MEASURED.read_text(encoding="utf-8"))
    )


@cache
def above(model: str) -> frozenset[str]:
    """The model and all that hold its layers as they are, by the inclusions of ``links.toml``."""
    found, waiting = {model}, [model]
    for small in waiting:
        larger = {x.large for x in knowledge().inclusions if x.small == small and x.layers == "one"} - found
        found |= larger
        waiting += sorted(larger)
    return frozenset(found)


@cache
def built_for(model: str, task: str, depth: str) -> tuple[Built, ...]:
    """The network with the fewest layers, and beside it the one that is right at every length in more data types, if there is one."""
    fit = [
        b for b in networks() if b.task == task and (depth == "many" or b.layers == 1) and any(model in above(small) for small in b.models)
    ]
    if not fit:
        return ()
    shallow = min(fit, key=lambda b: (b.layers, -len(b.at_every_length(model)), max(b.widths)))
    lasting = min(fit, key=lambda b: (-len(b.at_every_length(model)), b.layers, max(b.widths)))
    return (shallow,) if lasting.at_every_length(model) == shallow.at_every_length(model) else (shallow, lasting)


def _up_to(length: int | str) -> str:
    return f"at {length}" if isinstance(length, str) else f"up to {written(length)} letters"


def written(length: int | str) -> str:
    """A length for people: 41, 250,000, 5.8e14."""
    if isinstance(length, str) or length < 10**7:
        return length if isinstance(length, str) else f"{length:,}"
    digits, exponent = f"{length:.1e}".split("e")
    return f"{digits}e{int(exponent)}"


def _listed(names: Any) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
