"""orvieto24, Fig. 15: Lotka-Volterra by a linear recurrence with a linear or a one-hidden-layer head, eigenvalues random or learned."""

from __future__ import annotations

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from ..constructions.universality import training
from ..constructions.universality.maps import LOTKA_VOLTERRA_START, lotka_volterra, respond
from . import style

FINDING = "Lotka-Volterra: one hidden layer follows the response to the input, a linear readout does not"

#: length, inputs, units, neurons, rounds of the optimiser for the head; the paper has 2048, 10^4, 128 and 512
SIZES = {"quick": (64, 96, 10, 24, 400), "paper": (128, 200, 16, 48, 800)}
HORIZON, UNSEEN = 6.4, 32
EIGENVALUES, HEADS = ("random", "learned"), ("linear readout", "one hidden layer")


def compute(scale: str = "quick") -> xr.Dataset:
    """Outputs (input, k) on unseen inputs: of the system, and of the four models (eigenvalues, head)."""
    length, count, units, width, rounds = SIZES[scale]
    rng = np.random.default_rng(15)
    dt = HORIZON / length
    inputs = training.slow_inputs(rng, count + UNSEEN, length, 0.1)
    outputs = respond(lotka_volterra, LOTKA_VOLTERRA_START, inputs, dt, rtol=1e-6)
    seen, unseen = slice(0, count), slice(count, None)
    first = training.ring(rng, units)
    found = []
    for memory in (first, training.learn_eigenvalues(first, inputs[seen], outputs[seen])):
        features = memory.features(inputs)
        linear = features @ training.readout(features[seen], outputs[seen])
        head = training.learn_head(np.random.default_rng(16), features[seen], outputs[seen], width, rounds)
        found.append([linear[unseen], head(features[unseen])])
    return xr.Dataset(
        {
            "output": (("input", "k"), outputs[unseen], {"long_name": "prey z_1 of the system", "units": "population"}),
            "model": (("eigenvalues", "head", "input", "k"), np.array(found), {"long_name": "output of the model", "units": "population"}),
        },
        {
            "input": ("input", np.arange(UNSEEN), {"long_name": "unseen input", "units": "1"}),
            "k": ("k", np.arange(1, length + 1), {"long_name": "time step", "units": f"{dt:.3f} time units"}),
            "eigenvalues": ("eigenvalues", list(EIGENVALUES), {"long_name": "eigenvalues of the recurrence"}),
            "head": ("head", list(HEADS), {"long_name": "head"}),
        },
        {"source": "orvieto24, Figure 15", "dt": dt},
    )


def error(data: xr.Dataset, eigenvalues: str, head: str) -> float:
    """Root mean square error, relative to what the input does to the output (the spread about the mean response at each time)."""
    return training.relative_error(data.model.sel(eigenvalues=eigenvalues, head=head).values, data.output.values)


def outcome(data: xr.Dataset) -> str:
    """What the paper says of the figure, and whether the data bear it out."""
    table = {(e, h): error(data, e, h) for e in EIGENVALUES for h in HEADS}
    linear = table["learned", HEADS[0]]
    raw = float(np.sqrt(((data.model.sel(eigenvalues="learned", head=HEADS[0]) - data.output) ** 2).mean()) / data.output.std())
    gains = " and ".join(f"{100 * table['random', h]:.0f} % -> {100 * table['learned', h]:.0f} % ({h})" for h in HEADS)
    return (
        f"'works already quite well with linear projections': its error is {100 * raw:.0f} % of the spread of the outputs, but {100 * linear:.0f} % of what the input does to them; "
        f"with one hidden layer {100 * table['learned', HEADS[1]]:.0f} %; 'greatly benefits from learning the eigenvalues': {gains}"
    )


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """An unseen input with both heads, and the four errors."""
    figure = style.new_figure(FINDING, 11, 4.4)
    left, middle, right = figure.subplots(1, 3)
    time = data.k.values * data.attrs["dt"]
    for ax, i in zip((left, middle), (0, 1), strict=True):
        ax.plot(time, data.output.mean("input"), color=style.PALE, lw=5, label="mean over inputs")
        ax.plot(time, data.output.sel(input=i), color=style.BLACK, label="system, $z_1$")
        for head, colour, look in zip(HEADS, (style.BLUE, style.VERMILION), (":", "--"), strict=True):
            ax.plot(time, data.model.sel(input=i, eigenvalues="learned", head=head), look, color=colour, label=head)
        ax.set(xlabel="time", ylabel="prey (population)", title=f"unseen input {i + 1}")
    left.legend(fontsize=9)
    places = np.arange(2)
    for j, (head, colour, hatch) in enumerate(zip(HEADS, (style.BLUE, style.VERMILION), ("", "//"), strict=True)):
        heights = [100 * error(data, e, head) for e in EIGENVALUES]
        bars = right.bar(places + 0.4 * j - 0.2, heights, 0.36, color=colour, hatch=hatch, edgecolor="white", label=head)
        right.bar_label(bars, fmt="%.0f", fontsize=9)
    right.set_xticks(places, [f"{e}\neigenvalues" for e in EIGENVALUES])
    right.set(ylabel="error (% of the response)", title="32 unseen inputs")
    right.margins(y=0.25)
    right.legend(fontsize=9)
    return figure
