"""movahedi25, Fig. 3 in small: layers trained on S_3 at one length and tested on longer words. Needs the extra torch."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from . import style
from .points import measure_all, one_thread

FINDING = "Trained on $S_3$: past the training length gated layers guess; ungated ones with both signs last longest"

TRAINED_AT, STATES = 6, 8
#: seeds, steps of training, length of the test words
SIZES = {"smoke": (1, 5, 8), "quick": (2, 200, 16), "paper": (5, 3000, 48)}
LAYERS = {
    "diagonal": "diagonal, both signs",
    "gated": "fixed point, gate of Theorem 2.1",
    "positive": "fixed point, no gate, $\\Lambda>0$",
    "signed": "fixed point, no gate, both signs",
}
#: a transposition and a 3-cycle of three points
LETTERS = ((1, 0, 2), (1, 2, 0))


def words(count: int, length: int, generator: torch.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    """Random words over the two letters and, after each letter, the index of the product in S_3; both of shape (count, length)."""
    group = sorted({tuple(p) for p in np.array(np.meshgrid(*[range(3)] * 3)).reshape(3, -1).T.tolist() if len(set(p)) == 3})
    table = torch.tensor([[group.index(tuple(x[g[i]] for i in range(3))) for g in group] for x in LETTERS])
    word = torch.randint(2, (count, length), generator=generator)
    state, out = torch.full((count,), group.index((0, 1, 2))), []
    for t in range(length):
        state = table[word[:, t], state]
        out.append(state)
    return word, torch.stack(out, 1)


class Layer(torch.nn.Module):
    """A dense recurrence with one transition and input for each letter, and a two-layer decoder.

    ``kind`` is "diagonal", or names how Lambda and the gate G are parametrised in (I - G (I - Q))^-1 Lambda; ||I - Q|| < 1 always.
    """

    def __init__(self, kind: str, d: int):
        super().__init__()
        self.kind = kind
        self.raw = torch.nn.Parameter(torch.randn(2, d))
        self.mixer = torch.nn.Parameter(torch.randn(2, d, d))
        self.size = torch.nn.Parameter(torch.full((2,), 2.0))
        self.initial = torch.nn.Parameter(torch.randn(d))
        self.inputs = torch.nn.Parameter(torch.zeros(2, d))
        self.decoder = torch.nn.Sequential(torch.nn.Linear(d, 32), torch.nn.ReLU(), torch.nn.Linear(32, 6))

    def parts(self) -> tuple[torch.Tensor, torch.Tensor]:
        """(Lambda, G (I - Q)) of the two letters, shapes (2, d) and (2, d, d); the second is 0 for a diagonal layer."""
        decay = torch.tanh(self.raw) if self.kind in ("diagonal", "signed") else torch.sigmoid(self.raw + 1)
        if self.kind == "diagonal":
            return decay, torch.zeros_like(self.mixer)
        F = self.mixer * (torch.sigmoid(self.size) / torch.linalg.matrix_norm(self.mixer, 2))[:, None, None]
        gate = 1 - decay if self.kind == "gated" else torch.ones_like(decay)
        return decay, gate[:, :, None] * F

    def forward(self, word: torch.Tensor, passes: int | None = None) -> torch.Tensor:
        """Scores of the six elements after every letter, shape (count, length, 6): at the fixed point, or after ``passes`` diagonal passes from 0."""
        decay, feedback = self.parts()
        one = torch.eye(decay.shape[1])
        A, start, out = torch.linalg.solve(one - feedback, torch.diag_embed(decay)), self.initial.expand(len(word), -1), []
        if passes is None:
            state = start
            for t in range(word.shape[1]):
                state = (A[word[:, t]] @ state[:, :, None])[:, :, 0] + self.inputs[word[:, t]]
                out.append(state)
            return self.decoder(torch.stack(out, 1))
        # the inputs of the iteration that has this fixed point
        inputs = ((one - feedback) @ self.inputs[:, :, None])[word][..., 0]
        h = torch.zeros_like(inputs)
        for _ in range(passes):
            mixed = inputs + (feedback[word] @ h[..., None])[..., 0]
            state, out = start, []
            for t in range(word.shape[1]):
                state = decay[word[:, t]] * state + mixed[:, t]
                out.append(state)
            h = torch.stack(out, 1)
        return self.decoder(h)


@one_thread()
def train(kind: str, seed: int, steps: int, test_length: int, bound: int | str | None = None, trained_at: int = TRAINED_AT) -> list[float]:
    """The accuracy after every letter of 512 test words, after training on words of length ``trained_at``.

    ``bound`` is the number of passes in training and test; None for the fixed point; "sampled" for passes drawn from Gamma(4, 1), rounded up, in
    training and the fixed point in the test.
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model, generator = Layer(kind, STATES), torch.Generator().manual_seed(seed)
    optimiser = torch.optim.Adam(model.parameters(), 2e-2, fused=True)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps)
    fixed = bound if isinstance(bound, int) else None
    draws = np.ceil(np.random.default_rng(seed).gamma(4, 1, steps)).astype(int)
    for step in range(steps):
        word, target = words(64, trained_at, generator)
        passes = int(draws[step]) if bound == "sampled" else fixed
        loss = torch.nn.functional.cross_entropy(model(word, passes).reshape(-1, 6), target.reshape(-1))
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        schedule.step()
    with torch.no_grad():
        word, target = words(512, test_length, generator)
        return (model(word, fixed).argmax(-1) == target).double().mean(0).tolist()


def compute(scale: str = "quick", keep: Path | None = None, tick: Callable[[float], None] | None = None) -> xr.Dataset:
    """Accuracies (layer, seed, length)."""
    seeds, steps, length = SIZES[scale]
    points = [(kind, seed, steps, length) for kind in LAYERS for seed in range(seeds)]
    values = np.array(measure_all(points, train, keep, tick)).reshape(len(LAYERS), seeds, length)
    return xr.Dataset(
        {"accuracy": (("layer", "seed", "length"), values, {"long_name": "share of right states after that many letters", "units": "1"})},
        {
            "layer": ("layer", list(LAYERS), {"long_name": "layer"}),
            "seed": ("seed", np.arange(seeds), {"long_name": "random seed", "units": "1"}),
            "length": ("length", np.arange(1, length + 1), {"long_name": "length of the word", "units": "tokens"}),
        },
        {"source": "movahedi25, Figure 3", "steps": steps},
    )


def outcome(data: xr.Dataset) -> str:
    """What the paper says of the figure, and whether the data bear it out."""
    best = data.accuracy.max("seed")
    at = best.sel(length=TRAINED_AT)
    far = best.isel(length=-1)
    text = "; ".join(
        f"{kind} {float(at.sel(layer=kind)):.2f} at length {TRAINED_AT}, {float(far.sel(layer=kind)):.2f} at {int(data.length[-1])}"
        for kind in LAYERS
    )
    ahead = float(far.sel(layer="signed")) > float(far.sel(layer="diagonal"))
    return (
        f"'one fixed-point layer tracks groups where diagonal ones do not': {'yes' if ahead else 'no'}, past the trained length, on S3, {STATES} units, {data.attrs['steps']} steps, best of {data.sizes['seed']} seeds: {text}; "
        "much smaller than the paper's experiment; the layer constructed in new.fixed-point.s3.signed is right at every length with 2 units"
    )


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """One line for each layer: the best seed; bands: all seeds."""
    figure = style.new_figure(FINDING, 10.5, 4.4)
    ax = figure.subplots()
    colours = (style.BLACK, style.VERMILION, style.ORANGE, style.BLUE)
    for kind, colour, marker in zip(LAYERS, colours, "os^D", strict=True):
        accuracy = data.accuracy.sel(layer=kind)
        ax.plot(data.length, accuracy.max("seed"), marker + "-", color=colour, ms=4, label=LAYERS[kind])
        ax.fill_between(data.length, accuracy.min("seed"), accuracy.max("seed"), color=colour, alpha=0.15, lw=0)
    finish(figure, ax, TRAINED_AT, int(data.length[-1]))
    return figure


def finish(figure: Figure, ax: Axes, trained_at: int, longest: int) -> None:
    """Where training stopped and what guessing gives, labels and legend."""
    ax.axvline(trained_at, color=style.PURPLE, lw=1)
    ax.axhline(1 / 6, color=style.BLACK, ls=":", lw=1)
    ax.text(trained_at + 0.2, 0.03, "trained at this length", color=style.PURPLE, fontsize=9)
    ax.text(longest, 0.1, "guessing", ha="right", fontsize=9)
    ax.set(xlabel="length of the word (tokens)", ylabel="share of right states, best seed", ylim=(0, 1.03))
    figure.legend(*ax.get_legend_handles_labels(), loc="outside right center", fontsize=9)
