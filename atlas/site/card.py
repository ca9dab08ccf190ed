"""The picture that stands for the site where somebody shares a link: a part of the table, as PNG."""

from __future__ import annotations

from io import BytesIO
from textwrap import wrap

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

from ...cli.titles import set_text
from ..knowledge import knowledge
from .pages import table_cell

#: pixels of what sites show of a link
WIDTH, HEIGHT = 1200, 630

MODELS = ("diagonal-nonnegative", "diagonal-signed", "delta-nonnegative", "delta-signed", "householder-4", "nonlinear")
TASKS = ("parity", "mod3", "S3", "S4", "S5", "flip-flop")

#: answer -> colours of ground and ink, as style.css has them
COLOURS = {"yes": ("#d7ecf7", "#08415f"), "no": ("#fbe0cf", "#6b2b05"), "some": ("#faf0c9", "#584700"), "open": ("#ececef", "#4a4f57")}


def card_png() -> bytes:
    """The bytes of the picture: the models and tasks that most people ask for, with exact finite states."""
    known = knowledge()
    models = [known.models[m] for m in MODELS if m in known.models]
    tasks = [known.tasks[t] for t in TASKS if t in known.tasks]
    figure = Figure(figsize=(WIDTH / 100, HEIGHT / 100), dpi=100, facecolor="#fdfdfc")
    figure.text(0.05, 0.88, "What linear recurrent networks can and cannot do", fontsize=25, weight="bold", color="#1b1d21")
    figure.text(0.05, 0.055, "lemmata: every cell with its proof, its check or its citation", fontsize=16, color="#5a6069")
    left, top, step, row = 0.26, 0.74, 0.119, 0.098
    for k, t in enumerate(tasks):
        figure.text(left + (k + 0.5) * step, top + 0.035, _short(set_text(t.name)), fontsize=13, ha="center", color="#1b1d21")
    for i, m in enumerate(models):
        y = top - (i + 1) * row
        name = "\n".join(wrap(set_text(m.names[0]), 22))
        figure.text(0.05, y + 0.5 * row, name, fontsize=15, va="center", color="#1b1d21")
        for k, t in enumerate(tasks):
            cell = table_cell(m.id, t, "exact")
            ground, ink = COLOURS[cell["answer"]]
            box = FancyBboxPatch(
                (left + k * step + 0.005, y + 0.012),
                step - 0.01,
                row - 0.024,
                "round,pad=0,rounding_size=0.008",
                facecolor=ground,
                edgecolor="none",
            )
            figure.add_artist(box)
            figure.text(left + (k + 0.5) * step, y + 0.37 * row, cell["word"], fontsize=14, ha="center", color=ink)
    out = BytesIO()
    FigureCanvasAgg(figure).print_png(out, metadata={"Software": None})
    return out.getvalue()


def _short(name: str) -> str:
    """A name in two lines if it is long."""
    words = name.split()
    return name if len(name) < 14 else f"{' '.join(words[: len(words) // 2])}\n{' '.join(words[len(words) // 2 :])}"
