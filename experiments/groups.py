"""Word problems of A_5 and S_5 by single fixed-point layers (movahedi25, Fig. 2a and 3): gates, ranges of alpha, and the learned spectra.

Letters are generators, a 3-cycle and a 5-cycle, or the four swaps of neighbours; or all elements, as in the paper, in shorter words. Trained at the fixed point itself, found by
the dense recurrence; tested there, and by passes, whose number is counted. Beside it what is predicted, and exact weights.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from torch import nn
from torch.nn import functional

from ..constructions.fixed_point.bases import cartan, mirror_letters, near_orthonormal, path
from ..constructions.quaternions import icosahedral, left_multiplication
from ..figures import style
from ..numerics import exact
from ..numerics.progress import Progress
from .experiment import Axis, Experiment, Found, Observation
from .fixed_point_layers import FixedPoint, Lstm
from .layers import Diagonal
from .tasks import Task, task_named
from .training import Run, accuracy, train
from .words import of_seeds

#: reflections of the mixer, columns of the state, hidden units of the decoder, the LSTM's units for each of the width
REFLECTIONS, COLUMNS, HIDDEN, UNITS = 4, 4, 64, 8


@dataclass(frozen=True)
class Prediction:
    """What theory says of one such layer, at every length: yes, no or open, on generators and on all elements, by which claims."""

    answer: str
    claims: tuple[str, ...] = ()
    of_elements: str = ""

    def on(self, task: str) -> str:
        """On a task of ``TASKS``."""
        return self.of_elements if self.of_elements and task in ELEMENTS else self.answer


PAPER = "gate Delta, alpha in (0, 1), r = 4"
FREE = "no gate, any contracting mixer"
#: layer -> prediction; r = 1 only while the passes settle: then all eigenvalues are positive. Mixers that converge have all elements, of contracting ones that is not known
LAYERS = {
    "diagonal [-1, 1]": Prediction("no", ("grazzi25.abstract.modulo3",)),
    "gate 1 - Lambda, sum alpha < 0.5, r = 4": Prediction("no", ("new.fixed-point.gated.letters",)),
    "gate Delta, sum alpha < 0.5, r = 4": Prediction("open"),
    "gate Delta, alpha in (0, 1), r = 1": Prediction("no", ("grazzi25.thm1", "new.fixed-point.one-reflection")),
    PAPER: Prediction("open"),
    FREE: Prediction("yes", ("movahedi25.abstract.tracking", "new.fixed-point.any-letters.groups"), "open"),
    "LSTM": Prediction("yes"),
}
FIXED = [layer for layer in LAYERS if layer not in ("diagonal [-1, 1]", "LSTM")]
GENERATORS, ELEMENTS = ("A5.generators", "S5.generators"), ("A5", "S5")
TASKS = (*GENERATORS, *ELEMENTS)
PASSES = "passes until one changes the states by less than a thousandth"
#: which layers are trained on a task
TRAINED = dict.fromkeys(GENERATORS, tuple(LAYERS)) | {"A5": ("diagonal [-1, 1]", PAPER, FREE, "LSTM"), "S5": (FREE, "LSTM")}
CELLS = [(task, layer) for task, layers in TRAINED.items() for layer in layers]


@dataclass(frozen=True)
class Training:
    """Steps, lengths of the words, words in a batch, the first learning rate."""

    steps: int
    shortest: int
    longest: int
    batch: int
    rate: float = 1e-2


@dataclass(frozen=True)
class Size:
    """Seeds, steps of training, longest word in training, longest test word, number of test words, passes at most in the test, width.

    ``elements``: the training with all elements as letters, if it is not that with generators.
    """

    seeds: int
    steps: int
    longest: int
    tested: int
    words: int
    most: int
    width: int
    elements: Training | None = None

    def training(self, task: str) -> Training:
        """How a task is trained."""
        plain = Training(self.steps, min(2, self.longest), self.longest, 32)
        return self.elements or plain if task in ELEMENTS else plain


SIZES = {
    "smoke": Size(1, 2, 4, 8, 8, 8, 3, Training(2, 1, 2, 4)),
    "quick": Size(1, 300, 12, 32, 64, 512, 6, Training(150, 1, 3, 256)),
    "desk": Size(3, 2000, 16, 64, 128, 512, 8, Training(3000, 1, 4, 256)),
    "paper": Size(3, 50000, 16, 50, 8192, 1024, 64),
}

#: learnt: this share of right answers after every letter up to the trained length; far: up to twice that
ENOUGH = 0.9


class Tracker(nn.Module):
    """One layer and a decoder with one hidden layer of the normalised state and the letter: letters (batch, T) to scores (batch, T, answers).

    ``scan`` is handed to the layer: off, fixed points are found by the dense recurrence.
    """

    def __init__(self, layer: Any, letters: int, answers: int, scan: bool = False):
        super().__init__()
        self.letters, self.layer, self.scan = letters, layer, scan
        self.decoder = nn.Sequential(nn.Linear(layer.outputs + letters, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, answers))

    def forward(self, words: torch.Tensor) -> torch.Tensor:
        x = functional.one_hot(words, self.letters).to(next(self.parameters()).dtype)
        states = self.layer(x, self.scan)
        return self.decoded(functional.layer_norm(states, states.shape[-1:]), x)

    def decoded(self, states: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        """The scores, from normalised states and the letters."""
        return self.decoder(torch.cat([states, x], dim=-1))


def built(run: Run, task: Task) -> Tracker:
    """The model that a run names."""
    letters, n = len(task.letters), run.width
    layer: nn.Module
    if run.kind == "diagonal [-1, 1]":
        layer = Diagonal(letters, COLUMNS * n, "signed")
    elif run.kind == "LSTM":
        layer = Lstm(letters, UNITS * n)
    elif run.kind == FREE:
        layer = FixedPoint(letters, n, COLUMNS)
    else:
        gate = "complement" if run.kind.startswith("gate 1 - Lambda") else "griffin"
        layer = FixedPoint(
            letters, n, COLUMNS, gate, 1 if "r = 1" in run.kind else REFLECTIONS, "paper" if "(0, 1)" in run.kind else "contractive"
        )
    return Tracker(layer, letters, len(task.answers), scan=run.kind.startswith("diagonal"))


def run(size: Size, seed: int, task: str, layer: str) -> Run | None:
    """The run of a point, if the layer is trained on the task."""
    how = size.training(task)
    return Run(task, layer, seed, size.width, how.steps, how.shortest, how.longest, how.batch, how.rate) if layer in TRAINED[task] else None


def lengths(size: Any) -> list[int]:
    """Words on which passes are counted: the trained length halved, itself, doubled, ... up to the longest test word."""
    return [n for n in (size.longest // 2, size.longest, 2 * size.longest, 4 * size.longest) if n <= size.tested]


def known(size: Size, at: dict[str, list[Any]]) -> dict[str, Any]:
    """The passes of the exact networks, and how the tasks are trained."""
    hows = [size.training(task) for task in TASKS]
    return {
        "exact_passes": (
            ("generators", "whole"),
            [exact_passes(task, size) for task in GENERATORS],
            {"long_name": PASSES, "units": "passes"},
        ),
        "longest": ("task", [how.longest for how in hows], {"long_name": "longest word in training", "units": "letters"}),
        "steps": ("task", [how.steps for how in hows], {"long_name": "steps of training", "units": "1"}),
    }


def measure(run: Run, folder: Path | None, progress: Progress | None, device: torch.device | None, size: Size) -> dict[str, Any]:
    """Of one trained run: accuracy at the fixed point; accuracy and number of passes by iteration; radii and eigenvalues of the letters."""
    task = task_named(run.task)
    model = train(run, folder, progress, device, build=built, task=task)
    found: dict[str, Any] = {"accuracy": reached(model, task, size, run.seed, size.tested).tolist()}
    layer, missing = model.layer, [np.nan] * len(lengths(size))
    if not isinstance(layer, FixedPoint):
        return found | {"by_passes": missing, "passes": missing, "radius": [np.nan], "re": [[np.nan]], "im": [[np.nan]]}
    with torch.no_grad():
        eigenvalues = eigenvalues_of(layer.maps()[0])
        radius = eigenvalues_of(layer.tokens()[1]).abs().amax(-1)
    by_passes, passes = swept(model, task, size, run.seed)
    return found | {
        "by_passes": by_passes,
        "passes": passes,
        "radius": radius.tolist(),
        "re": eigenvalues.real.tolist(),
        "im": eigenvalues.imag.tolist(),
    }


def eigenvalues_of(matrices: torch.Tensor) -> torch.Tensor:
    """Of square matrices (..., n, n), complex (..., n); nan for a training that went to numbers that are not finite."""
    if not matrices.isfinite().all():
        return torch.full(matrices.shape[:-1], torch.nan, dtype=torch.complex64)
    return torch.linalg.eigvals(matrices)


def reached(model: Tracker, task: Task, size: Any, seed: int, length: int) -> np.ndarray:
    """The share of right answers at every place of the test words, (length,)."""
    device = next(model.parameters()).device
    with torch.no_grad():
        return accuracy(lambda words: model(words.to(device)).argmax(-1), task, length, size.words, seed)


def swept(model: Tracker, task: Task, size: Any, seed: int) -> tuple[list[float], list[float]]:
    """(accuracy at the last letter, passes) by iteration to the tolerance, on words of every length; nan passes where ``size.most`` do not settle."""
    model.scan, model.layer.most = True, size.most
    right, passes = [], []
    for length in lengths(size):
        right.append(float(reached(model, task, size, seed, length)[-1]))
        passes.append(float(model.layer.passes) if model.layer.settled else np.nan)
    return right, passes


def exact_layer(task: str) -> FixedPoint:
    """Exact weights without a gate, in float64: A_5 by the quaternions of its double cover, S_5 by near-orthonormal simple roots."""
    if task == "A5.generators":
        quaternions = list(icosahedral().values())
        A = np.array([[[float(_real(x)) for x in row] for row in left_multiplication(q)] for q in quaternions])
        decay = np.array([[float(_real(q[0]))] * 4 for q in quaternions])
    else:
        C = cartan(path(4), 4)
        letters = mirror_letters(C, near_orthonormal(C), exact.rationals([[13]])[0, 0] / 20)
        A = np.array([[[float(_real(x)) for x in row] for row in a] for a, _ in letters])
        decay = np.array([[float(_real(x)) for x in row] for _, row in letters])
    layer = FixedPoint(len(A), 4).double()
    layer.place(torch.from_numpy(decay), torch.from_numpy(np.eye(4) - decay[:, :, None] * np.linalg.inv(A)))
    with torch.no_grad():
        layer.initial.copy_(torch.tensor([[1.0], [0.3], [0.1], [0.7]]))
    return layer


def _real(x: Any) -> float:
    """A rational or a real cyclotomic number as a float."""
    return float(x.ball().real.mid()) if hasattr(x, "ball") else int(x.p) / int(x.q) if hasattr(x, "p") else float(x)


def exact_passes(task: str, size: Size) -> list[float]:
    """How many passes the exact network takes, on random words of every length; nan where ``size.most`` do not settle."""
    layer, found = exact_layer(task), []
    layer.most = size.most
    letters = layer.decay.shape[0]
    for length in lengths(size):
        words = torch.from_numpy(np.random.default_rng(0).integers(letters, size=(size.words, length)))
        with torch.no_grad():
            layer(functional.one_hot(words, letters).double())
        found.append(float(layer.passes) if layer.settled else np.nan)
    return found


def learnt(data: xr.Dataset, times: int = 1) -> xr.DataArray:
    """Is the best seed right enough after every letter, up to ``times`` the trained length? (task, layer); False where nothing was trained."""
    far = data.length > times * data.longest
    return (data.accuracy.where(~far, 1.0).min("length", skipna=False) >= ENOUGH).any("seed")


def agreeing(data: xr.Dataset, tasks: tuple[str, ...]) -> tuple[int, list[str]]:
    """How many cells have a prediction for every length, and the names of those that do not go with it at twice the trained length."""
    far = learnt(data, 2)
    decided = [(task, layer) for task, layer in CELLS if task in tasks and LAYERS[layer].on(task) != "open"]
    return len(decided), [
        f"{layer} on {task}" for task, layer in decided if bool(far.sel(task=task, layer=layer)) != (LAYERS[layer].on(task) == "yes")
    ]


def of_generators(data: xr.Dataset) -> xr.Dataset:
    """With generators as letters."""
    return data.sel(task=list(GENERATORS))


def both(data: xr.Dataset) -> list[str]:
    """The fixed-point layers that learn both groups at the trained length."""
    return [layer for layer in FIXED if bool(learnt(of_generators(data)).sel(layer=layer).all())]


def fixed_alone(data: xr.Dataset) -> bool:
    """Whether a fixed-point layer learns both groups at the trained length, and the diagonal one neither."""
    return bool(both(data)) and not bool(learnt(of_generators(data)).sel(layer="diagonal [-1, 1]").any())


def predicted(data: xr.Dataset) -> str:
    """How many cells go as predicted, and which do not."""
    decided, against = agreeing(data, GENERATORS)
    return f"{decided - len(against)} of {decided} cells" + (f", not: {', '.join(against)}" if against else "")


def inside(data: xr.Dataset, layer: str, there: Callable[[xr.DataArray, xr.DataArray], Any]) -> bool:
    """Whether all learned eigenvalues of a layer are where they have to be."""
    re, im = (data[name].sel(layer=layer) for name in ("re", "im"))
    return bool(there(re, im).where(re.notnull(), True).all())


def passes(data: xr.Dataset) -> str:
    """Of one task: passes without a gate, by the length of the word."""
    found = data.passes.sel(layer=FREE).fillna(np.inf).median("seed").values
    said = ", ".join(str(round(x)) if np.isfinite(x) else f"more than {data.attrs['most']}" for x in found)
    return f"{said} on words of {', '.join(map(str, data.whole.values))} letters"


def rest(data: xr.Dataset) -> str:
    """How it was trained, what is learnt of all elements, and where passes diverge."""
    generators, elements = of_generators(data), data.sel(task=list(ELEMENTS))
    trained, tried = int(generators.longest[0]), int(elements.accuracy.sel(layer=FREE, task="A5").isel(length=0).count())
    far, paper = learnt(generators, 2).sel(layer=FIXED), generators.radius.sel(layer=PAPER)
    ended = int(generators.radius.sel(layer=FIXED).isnull().all("letter").sum())
    of_all = "; ".join(
        f"{task} as letters all elements, learnt (and at twice the length): {_learners(elements, task)}" for task in ELEMENTS
    )
    return (
        f"generators, trained up to {trained}, {int(generators.steps[0])} steps, {of_seeds('best', data.sizes['seed'])}, "
        f"{ENOUGH} or more after every letter; up to {2 * trained}: {int(far.sum())} of {far.size} fixed-point cells; "
        f"all elements, {int(elements.steps[0])} steps, {of_seeds('best', tried)}, trained up to {int(elements.longest[0])}; {of_all}; "
        f"the paper's mixer, alpha in (0, 1), has letters whose passes diverge (radius 1 or more) in "
        f"{int((paper.max('letter') >= 1).sum())} of {paper.max('letter').size} runs; "
        f"trainings that ended in numbers that are not finite: {ended}; "
        f"{'; '.join(f'passes without a gate, {task}: {passes(data.sel(task=task))}' for task in GENERATORS)}"
    )


def _learners(data: xr.Dataset, task: str) -> str:
    """Which of the layers that were trained on a task learnt it, in words."""
    at, far = (learnt(data, times).sel(task=task) for times in (1, 2))
    said = [f"{layer} {'yes' if at.sel(layer=layer) else 'no'} ({'yes' if far.sel(layer=layer) else 'no'})" for layer in TRAINED[task]]
    return ", ".join(said)


TITLES = {
    "A5.generators": "$A_5$, a 3-cycle and a 5-cycle",
    "S5.generators": "$S_5$, swaps of neighbours",
    "A5": "$A_5$, all 60 elements",
    "S5": "$S_5$, all 120 elements",
}
COLOURS = dict(zip(LAYERS, (style.BLACK, style.VERMILION, style.ORANGE, style.SKY, style.PURPLE, style.BLUE, style.GREEN), strict=True))
MARKERS = dict(zip(LAYERS, "xosv^D*", strict=True))
WORDS = {"yes": "possible", "no": "impossible", "open": "open"}


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """Above accuracy, a panel for each task; below the spectra of the gated layer, of the paper's mixer and of the free one, and passes."""
    figure = style.new_figure(EXPERIMENT.finding, 17.0, 9.4)
    panels = figure.subplots(2, 4)
    for ax, task in zip(panels[0], data.task.values, strict=True):
        _accuracy(ax, data.sel(task=task), str(task))
    generators = data.sel(task=list(GENERATORS))
    for ax, layer in zip(panels[1], (FIXED[0], PAPER, FREE), strict=False):
        _spectra(ax, generators.sel(layer=layer), layer)
    _passes(panels[1, 3], generators)
    handles, labels = panels[0, 0].get_legend_handles_labels()
    figure.legend(
        handles,
        labels,
        loc="outside lower center",
        ncols=4,
        fontsize=9,
        title="at every length, with one layer, letters generators:",
        title_fontsize=9,
    )
    return figure


def _accuracy(ax: Axes, data: xr.Dataset, task: str) -> None:
    """Best seed of each layer at the fixed point, bands over all seeds."""
    for layer in TRAINED[task]:
        accuracy = data.accuracy.sel(layer=layer)
        every = slice(LAYERS_AT[layer], None, 6)
        ax.plot(
            data.length,
            accuracy.max("seed"),
            color=COLOURS[layer],
            marker=MARKERS[layer],
            markevery=every,
            ms=5,
            label=f"{layer}: {WORDS[LAYERS[layer].answer]}",
        )
        ax.fill_between(data.length, accuracy.min("seed"), accuracy.max("seed"), color=COLOURS[layer], alpha=0.12, lw=0)
    ax.axvline(int(data.longest), color=style.PURPLE, lw=1)
    ax.text(int(data.longest) + 0.5, 0.93, "trained up to here", color=style.PURPLE, fontsize=9)
    ax.set(title=TITLES[task], xlabel="length of the word (letters)", ylabel="share of right answers, fixed point", ylim=(0, 1.04))


#: markers of different layers at different places
LAYERS_AT = {layer: i for i, layer in enumerate(LAYERS)}


def _passes(ax: Axes, data: xr.Dataset) -> None:
    """The median of the seeds on A_5, and the exact network; where they do not settle, no point."""
    task = str(data.task.values[0])
    for layer in FIXED:
        passes = data.passes.sel(task=task, layer=layer).fillna(np.inf).median("seed")
        ax.plot(data.whole, passes.where(np.isfinite(passes)), color=COLOURS[layer], marker=MARKERS[layer], ms=5)
    exact = data.exact_passes.sel(generators=task)
    label = "exact weights, no gate" + ("" if exact.notnull().any() else ": given up")
    ax.plot(data.whole, exact, "--", color=style.BLACK, marker="P", label=label)
    ax.plot(data.whole, data.whole, ":", color=style.BLACK, lw=1, label="one pass for each letter")
    ax.axhline(data.attrs["most"], color=style.PALE, lw=2)
    ax.text(float(data.whole[-1]), data.attrs["most"] * 1.05, "given up here", fontsize=9, ha="right", va="bottom")
    ax.set_xscale("log", base=2)
    ax.set_yscale("log", base=2)
    for axis, top in ((ax.xaxis, data.whole[-1]), (ax.yaxis, data.attrs["most"])):
        ticks = [2**k for k in range(1, 12) if float(data.whole[0]) <= 2**k <= top]
        axis.set_ticks(ticks, [str(n) for n in ticks])
    ax.set(title="passes until they settle, $A_5$", xlabel="length of the word (letters)", ylabel="passes, median of the seeds")
    ax.legend(fontsize=9)


def _spectra(ax: Axes, data: xr.Dataset, layer: str) -> None:
    """Eigenvalues of all letters and seeds; hollow where the letter's passes diverge; the circle, and the disc of the gated layer."""
    angle = np.linspace(0, 2 * np.pi, 200)
    ax.plot(np.cos(angle), np.sin(angle), color=style.BLACK, lw=1)
    ax.plot(0.5 + 0.5 * np.cos(angle), 0.5 * np.sin(angle), "--", color=style.VERMILION, lw=1)
    inside = np.broadcast_to((data.radius < 1).values[..., None], data.re.shape)
    for i, (task, marker) in enumerate(zip(data.task.values, "os", strict=True)):
        colour, x, y = (style.BLUE, style.GREEN)[i], data.re.values[i], data.im.values[i]
        ax.plot(x[inside[i]], y[inside[i]], marker, color=colour, ms=4, alpha=0.7, label=TITLES[str(task)])
        ax.plot(x[~inside[i]], y[~inside[i]], marker, mfc="none", color=colour, ms=5)
    outside = int((np.hypot(data.re, data.im) > 2.2).sum())
    ax.set(title=layer, xlabel=f"real part ({outside} beyond the frame)" if outside else "real part", ylabel="imaginary part")
    ax.set(xlim=(-2.2, 2.2), ylim=(-1.7, 1.7), aspect="equal")
    ax.legend(fontsize=8, loc="lower left")


EXPERIMENT = Experiment(
    "movahedi25.groups",
    topic="fixed_point",
    place="Figures 2a and 3",
    finding="One layer on $A_5$ and $S_5$: what it learns, where its eigenvalues come to lie, how many passes that takes",
    sizes=SIZES,
    axes={"task": Axis(TASKS, "task"), "layer": Axis(tuple(LAYERS), "layer")},
    run=run,
    measure=measure,
    found={
        "accuracy": Found("share of right answers, at the fixed point", "1", ("length",)),
        "by_passes": Found("share of right answers, by passes", "1", ("whole",)),
        "passes": Found(PASSES, "passes", ("whole",)),
        "radius": Found("spectral radius of G (I - Q)", "1", ("letter",)),
        "re": Found("real part of the eigenvalues", "1", ("letter", "unit")),
        "im": Found("imaginary part of the eigenvalues", "1", ("letter", "unit")),
    },
    along={
        "generators": Axis(GENERATORS, "task"),
        "length": Axis(lambda size: range(1, size.tested + 1), "length of the word", "letters"),
        "whole": Axis(lengths, "length of the word", "letters"),
    },
    beside=known,
    attributes=lambda size: {"most": size.most},
    observations=(
        Observation(
            "one fixed-point layer learns A₅ and S₅ at the trained length, diagonal ones do not",
            "Figures 2a and 3",
            fixed_alone,
            lambda data: f"learnt on both: {'; '.join(both(data)) or 'none'}",
            "without a gate, weights exist for generators (movahedi25.abstract.tracking, new.fixed-point.any-letters.groups)",
        ),
        Observation(
            "at twice the trained length layers learn what weights exist for, and nothing else",
            "",
            lambda data: not agreeing(data, GENERATORS)[1],
            predicted,
        ),
        Observation(
            "eigenvalues with the gate 1 - Λ are in the disc |z - 1/2| ≤ 1/2",
            "",
            lambda data: inside(data, "gate 1 - Lambda, sum alpha < 0.5, r = 4", lambda re, im: np.hypot(re - 0.5, im) <= 0.5 + 1e-4),
        ),
        Observation(
            "eigenvalues with sum alpha < 0.5 and the gate Δ have positive real parts",
            "",
            lambda data: inside(data, "gate Delta, sum alpha < 0.5, r = 4", lambda re, im: re > 0),
        ),
    ),
    rest=rest,
    remarks=(
        "The paper trains 50,000 steps by at most 16 passes. Here the fixed point is found by the dense recurrence.",
        "A first run with fewer steps found neither S₅ nor the LSTM's weights: that was too little training.",
        "The networks that learnt A₅ are right at every tested length only if the equation is solved exactly. Passes do not settle on long words (`new.fixed-point.overshoot`).",
        "With the gate 1 - Λ every letter fades (`new.fixed-point.gated.disc`). With one reflection all eigenvalues are positive while the passes settle (`new.fixed-point.one-reflection`).",
        "Whether contracting mixers have all elements as letters is open. The LSTM is trained too little to say anything of it.",
    ),
    picture=draw,
)
