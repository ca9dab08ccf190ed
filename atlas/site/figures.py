"""The figures that ``lemmata figures`` and ``lemmata train`` draw: what each shows, which topic and claims it belongs to; read from the source text, nothing is drawn here."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ...cli.documents import home_of
from ...cli.where import ROOT, parsed
from ...experiments import registered
from ...experiments.words import observations
from ...figures import ALSO, FIGURES
from ...theorems.ledger import PAPERS, TOPICS, Entry
from .notebooks import size_of

#: "Fig. 3", "Figures 1 to 3", "Figures 10 and 11"
NUMBERS = re.compile(r"Fig(?:ure)?s?\.?\s+(\d+(?:(?:, | and | to )\d+)*)")

SUFFIXES = ("png", "svg", "csv", "txt")


@dataclass(frozen=True)
class Figure:
    """``finding`` is its title, ``says`` what is drawn, ``numbers`` the paper's figures that it shows, ``command`` what draws it."""

    name: str
    topic: str
    command: str
    finding: str
    says: str
    numbers: frozenset[int]

    @property
    def paper(self) -> str:
        """The key of the paper, or "new"."""
        return self.name.split(".")[0]


@cache
def figures() -> tuple[Figure, ...]:
    """All figures, in the order of ``lemmata figures``, then the trained ones."""
    drawn_at_once = (_figure(name, _topic(module), module, f"lemmata figures {name}") for name, module in FIGURES.items())
    trained = (
        Figure(
            r.name,
            r.topic,
            f"lemmata train {r.name} --scale desk --redraw",
            r.finding,
            r.says,
            frozenset(_numbers(r.place) | _own(r.name)),
        )
        for r in registered().values()
    )
    return (*drawn_at_once, *trained)


def _topic(module: str) -> str:
    return next(t for t in sorted(TOPICS, key=len, reverse=True) if module.startswith(t))


def of_topic(topic: str) -> list[Figure]:
    """The figures of a topic."""
    return [f for f in figures() if f.topic == topic]


def of_claim(e: Entry) -> list[Figure]:
    """The figures that a claim names in its place, or whose name begins its id."""
    named = next((paper for paper in PAPERS if paper in e.place), home_of(e.topic) if e.paper == "new" else e.paper)
    numbers = _numbers(e.place)
    id = re.sub(r"(?<=[A-Z])\.(?=\d)", "", f"{e.id}.")  # thmC.1 and thmC1 are one theorem
    return [f for f in figures() if (f.paper == named and f.numbers & numbers) or id.startswith(f"{f.name}.")]


@dataclass(frozen=True)
class Drawn:
    """Files of one figure by suffix; the PNG is always among them."""

    files: dict[str, Path]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the PNG."""
        with self.files["png"].open("rb") as file:
            return size_of(file.read(24))

    @property
    def outcome(self) -> list[str]:
        """What the data say of the paper's observations, one by one; none if nothing does."""
        return observations(self.files["txt"].read_text(encoding="utf-8").strip()) if "txt" in self.files else []


def drawn(folder: Path | None) -> dict[str, Drawn]:
    """The figures that are in a folder as ``lemmata figures --out`` writes it, by name; none without a folder.

    Raises ``ValueError`` if it is no folder, has no figure in it, or a file that should be a PNG is none.
    """
    if folder is None:
        return {}
    if not folder.is_dir():
        raise ValueError(f"expected a folder that lemmata figures --out has written, got {str(folder)!r}, which is none")
    found = {}
    for f in figures():
        files = {suffix: folder / f"{f.name}.{suffix}" for suffix in SUFFIXES}
        if files["png"].is_file():
            found[f.name] = Drawn({suffix: file for suffix, file in files.items() if file.is_file()})
    if not found:
        raise ValueError(
            f"expected figures such as {figures()[0].name}.png, got none in {str(folder)!r}: lemmata figures --out {folder} draws them"
        )
    for name, d in found.items():
        try:
            _ = d.size
        except ValueError as error:
            raise ValueError(f"expected a PNG in {name}.png, got other bytes: draw it anew") from error
    return found


def _figure(name: str, topic: str, module: str, command: str) -> Figure:
    tree = parsed(ROOT / "figures" / f"{module}.py")
    finding = _constant(tree, "FINDING")
    if finding is None:
        raise ValueError(f"expected FINDING, the title of {name}, in figures/{module}.py, got none")
    names = [name, *(also for also, shown in ALSO.items() if shown == name)]
    says = (ast.get_docstring(tree) or "").split("\n")[0]
    return Figure(name, topic, command, finding, says, frozenset().union(*map(_own, names)))


def _own(name: str) -> set[int]:
    """The number in the name of a figure."""
    return {int(m.group(1))} if (m := re.search(r"\.fig(\d+)", name)) else set()


def _constant(tree: ast.Module, name: str) -> str | None:
    """The text that a module gives a name; None if it gives none."""
    return next((ast.literal_eval(x.value) for x in tree.body if isinstance(x, ast.Assign) and _is_called(x, name)), None)


def _is_called(node: ast.Assign, name: str) -> bool:
    return any(isinstance(t, ast.Name) and t.id == name for t in node.targets)


def _numbers(text: str) -> set[int]:
    """The numbers of the figures that a text names."""
    return {n for match in NUMBERS.finditer(text) for n in _expanded(match.group(1))}


def _expanded(text: str) -> set[int]:
    """The numbers of "2, 3", "10 and 11", "1 to 3"."""
    out = {int(n) for n in re.findall(r"\d+", text)}
    for low, high in re.findall(r"(\d+) to (\d+)", text):
        out |= set(range(int(low), int(high) + 1))
    return out
