"""A slide about one regular language: its automaton, the ladder of classes with its rung, and the word that forbids the rung below."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from math import cos, pi, sin
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyBboxPatch

from ..cli.titles import set_text
from ..constructions.automata import Automaton
from ..constructions.languages import Witness
from ..constructions.languages.ladder import WAY
from ..theorems.files import write_whole
from . import style
from .automata import picture_kind

if TYPE_CHECKING:
    from ..api.languages import LanguageAnswer

#: inches of a slide of 16:9, dots to an inch, and the least size of letters, which stays legible at half size
WIDTH, HEIGHT, DOTS, SMALL = 12.8, 7.2, 150, 15

#: automata with more states are described and not drawn
MOST_STATES = 12

#: characters of a line beside the ladder, lines of the forbidding word, and letters on one arrow
LINE, MOST_LINES, MOST_LETTERS = 52, 3, 18

ARROW = {"arrowstyle": "-|>", "lw": 1.8, "color": "#333333", "mutation_scale": 18, "shrinkA": 0, "shrinkB": 0}


#: of each class on the way up, its name on a slide
NAMES = (
    "regular",
    "solvable groups only",
    "periods are powers of 2",
    "star-free",
    "star-free, stutter-invariant",
    "order of last occurrences",
    "last letter",
)

#: characters of the names beside a rung
BESIDE = 34


@dataclass(frozen=True)
class Rung:
    """A class of languages, the properties that define it, and the names of models that recognise exactly these; ``one`` if it takes one layer of them."""

    name: str
    properties: tuple[str, ...]
    models: tuple[str, ...]
    one: bool = False

    @property
    def who(self) -> str:
        """The first names, as many as there is room for."""
        names = [set_text(name) for name in self.models]
        while len(names) > 1 and len(", ".join(names)) > BESIDE:
            names.pop()
        return f"{'1 layer: ' if self.one else ''}{', '.join(names)}"

    @property
    def able(self) -> str:
        """One of the models, as a sentence names it."""
        return f"{'one layer of ' if self.one else ''}{set_text(self.models[0])}"


def rungs(answer: LanguageAnswer) -> list[Rung]:
    """The first rung of each level, the largest class first; each lies in the one before it. By any number of layers, or else by one, in the answer's arithmetic."""
    found = []
    for name, properties in zip(NAMES, WAY, strict=True):
        many = answer.exactly(properties)
        one = [] if many else answer.exactly(properties, "1")
        # names that most readers know stand first
        models = sorted(many or one, key=lambda name: not name.startswith(("DeltaNet", "Mamba")))
        found.append(Rung(name, properties, tuple(models), bool(one)))
    return found


def lit(answer: LanguageAnswer) -> int:
    """The number of the lowest rung that the language is known to be on."""
    return max(i for i, properties in enumerate(WAY) if all(answer.asked.has(id) for id in properties))


def forbidding(answer: LanguageAnswer) -> Witness | None:
    """The words that keep the language from the rung below its own; None on the lowest rung, or if that was not decided."""
    below = WAY[lit(answer) + 1 :][:1]
    found = [answer.asked.witness(id) for properties in below for id in properties]
    return next((w for w in found if isinstance(w, Witness)), None)


def title(answer: LanguageAnswer) -> str:
    """The finding: the class, who recognises it, and who does not."""
    subject = answer.subject[0].upper() + answer.subject[1:]
    if len(answer.models) == 1:
        (verdict,) = answer.verdicts
        name = set_text(answer.model_names[0])
        if verdict.says == "open":
            return f"{subject}: whether {name} can is not decided"
        if verdict.says == "no":
            return f"{subject}: no number of layers of {name} can"
        return f"{subject}: {verdict.layers} layer{'' if verdict.layers == '1' else 's'} of {name} can"
    here, ladder = lit(answer), rungs(answer)
    able = next((rung.able for rung in reversed(ladder[: here + 1]) if rung.models), None)
    unable = next((rung.able for rung in ladder[here + 1 :] if rung.models), None) if forbidding(answer) else None
    if able is None:
        return f"{subject}: in the class “{NAMES[here]}”"
    if here == len(WAY) - 1:
        return f"{subject}: the last letter decides, and every model can" if answer.precision == "exact" else f"{subject}: {able} can"
    return f"{subject}: {able} can, {unable} cannot" if unable else f"{subject}: {able} can"


def draw_language(answer: LanguageAnswer, path: Path) -> None:
    """Write the slide as a PNG or SVG file, by its name. Raises ``ValueError`` for another ending."""
    write_whole(path, drawn(answer, picture_kind(path)))


def drawn(answer: LanguageAnswer, kind: str) -> bytes:
    """The picture in a format of matplotlib's: the same bytes each time."""
    metadata = {"Date": None} if kind == "svg" else {"Software": None}
    buffer = BytesIO()
    with style.styled():
        slide(answer).savefig(buffer, format=kind, dpi=DOTS, metadata=metadata)
    return buffer.getvalue()


@style.styled()
def slide(answer: LanguageAnswer) -> Figure:
    """The figure that :func:`draw_language` writes."""
    figure = Figure(figsize=(WIDTH, HEIGHT))
    figure.suptitle("\n".join(wrap(title(answer), 64)), fontsize=22, x=0.03, y=0.965, ha="left", va="top", fontweight="bold")
    draw_automaton(answer.automaton.reachable(), answer.tracked, figure.add_axes((0.01, 0.14, 0.45, 0.68)))
    draw_ladder(answer, figure.add_axes((0.47, 0.14, 0.52, 0.68)))
    note = f"any number of layers unless said; {answer.numbers}"
    figure.text(0.97, 0.03, note, fontsize=SMALL, ha="right", color="#444444")
    return figure


def draw_ladder(answer: LanguageAnswer, ax: Axes) -> None:
    """A box for each class, the largest above; that of the language is filled and marked, and the word that forbids the next stands between them."""
    here, witness = lit(answer), forbidding(answer)
    lines = _shown(str(witness)) if witness is not None else []
    gap = 0.42 * len(lines) + 0.35 if lines else 0
    y = 0.0
    for i, rung in enumerate(rungs(answer)):
        own = i == here
        look = {"fc": style.BLUE if own else "white", "ec": style.BLUE if i <= here else "#999999", "lw": 2.5 if own else 1.5}
        ax.add_patch(
            FancyBboxPatch(
                (0.02, y - 0.9), 9.96, 0.84, boxstyle="round,pad=0,rounding_size=0.12", linestyle="-" if i <= here else "--", **look
            )
        )
        colour = "white" if own else "black" if i < here else "#555555"
        ax.text(
            0.2,
            y - 0.49,
            f"{'▶ ' if own else ''}{rung.name}",
            fontsize=16 if own else SMALL,
            color=colour,
            va="center",
            fontweight="bold" if own else "normal",
        )
        if rung.models:
            ax.text(9.8, y - 0.49, rung.who, fontsize=SMALL, color=colour, va="center", ha="right")
        y -= 1.0
        if own and lines:
            ax.text(0.35, y - 0.16, "\n".join(lines), fontsize=SMALL, color=style.VERMILION, va="top", linespacing=1.25)
            y -= gap
    ax.set(xlim=(0, 10), ylim=(y, 0.1))
    ax.axis("off")


def _shown(text: str) -> list[str]:
    """What is said, in a few lines; cut with an ellipsis where it is longer."""
    lines = wrap(text, LINE, break_long_words=True)
    return lines if len(lines) <= MOST_LINES else [*lines[: MOST_LINES - 1], lines[MOST_LINES - 1][: LINE - 2] + " …"]


def draw_automaton(automaton: Automaton, tracked: bool, ax: Axes) -> None:
    """States on a circle, the start on the left; letters on arrows; accepting states have two rings."""
    ax.axis("off")
    n = automaton.n
    if n > MOST_STATES:
        ax.text(0.5, 0.5, f"{n} states, {len(automaton.letters)} letters", fontsize=20, ha="center", va="center", transform=ax.transAxes)
        return
    places = _places(n, automaton.start)
    edges: dict[tuple[int, int], list[str]] = {}
    for x, row in automaton.table.items():
        for p, q in enumerate(row):
            edges.setdefault((p, q), []).append(str(x))
    radius = 0.24 if n <= 6 else 0.18
    for (p, q), letters in edges.items():
        label = ", ".join(letters)
        _arrow(ax, places, p, q, label if len(label) <= MOST_LETTERS else label[:MOST_LETTERS] + " …", radius, (q, p) in edges)
    for q, (x, y) in places.items():
        ax.add_patch(Circle((x, y), radius, fc="white", ec="black", lw=2, zorder=3))
        if q in automaton.accepting and not tracked:
            ax.add_patch(Circle((x, y), 0.8 * radius, fc="white", ec="black", lw=1.6, zorder=3))
        ax.text(x, y, str(q), fontsize=SMALL, ha="center", va="center", zorder=4)
    x, y = places[automaton.start]
    # from above, as letters that stay leave outwards
    near, far = 0.71 * radius, 0.71 * (radius + 0.5)
    ax.annotate("", (x - near, y + near), (x - far, y + far), arrowprops=ARROW | {"lw": 2.6, "color": style.GREEN})
    ax.set(xlim=(-2.1, 1.75), ylim=(-1.85, 1.85))
    ax.set_aspect("equal")


def _places(n: int, start: int) -> dict[int, tuple[float, float]]:
    """Points on a circle, the start on the left."""
    if n == 1:
        return {start: (0.0, 0.0)}
    order = [(start + i) % n for i in range(n)]
    return {q: (-1.2 * cos(2 * pi * i / n), 1.2 * sin(2 * pi * i / n)) for i, q in enumerate(order)}


def _arrow(ax: Axes, places: dict[int, tuple[float, float]], p: int, q: int, label: str, radius: float, both: bool) -> None:
    """An arrow with its letters; one back to its state goes outwards."""
    box = {"boxstyle": "round,pad=0.12", "fc": "white", "ec": "none"}
    (x, y), (u, v) = places[p], places[q]
    if p == q:
        length = (x * x + y * y) ** 0.5
        a, b = (x / length, y / length) if length else (0.0, 1.0)
        left, right = (
            (x + radius * (0.8 * a - 0.6 * b), y + radius * (0.8 * b + 0.6 * a)),
            (x + radius * (0.8 * a + 0.6 * b), y + radius * (0.8 * b - 0.6 * a)),
        )
        ax.annotate("", right, left, arrowprops=ARROW | {"connectionstyle": "arc3,rad=-1.9"})
        ax.text(x + (radius + 0.33) * a, y + (radius + 0.33) * b, label, fontsize=SMALL, ha="center", va="center", zorder=5, bbox=box)
        return
    # shortened to the circles' edges
    length = ((u - x) ** 2 + (v - y) ** 2) ** 0.5
    a, b = (u - x) / length, (v - y) / length
    bend = 0.22 if both else 0.08
    begin, end = (x + radius * a, y + radius * b), (u - radius * a, v - radius * b)
    ax.annotate("", end, begin, arrowprops=ARROW | {"connectionstyle": f"arc3,rad={-bend}"})
    inner = length - 2 * radius
    ax.text(
        (x + u) / 2 - b * inner * bend / 2,
        (y + v) / 2 + a * inner * bend / 2,
        label,
        fontsize=SMALL,
        ha="center",
        va="center",
        zorder=5,
        bbox=box,
    )
