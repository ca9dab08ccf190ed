"""orvieto24, Fig. 5: a linear recurrence with a one-hidden-layer head learns the protein transduction system; two unseen inputs, and the eigenvalues."""

from __future__ import annotations

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from ..constructions.universality import training
from ..constructions.universality.maps import PROTEIN_START, protein_transduction, respond
from . import style

FINDING = "A small recurrence and a head learn the protein response; the learned eigenvalues forget"

#: length, inputs, units, neurons, rounds of the optimiser for the head; the paper has 2048, 10^4, 128 and 256
SIZES = {"quick": (64, 96, 10, 24, 400), "paper": (128, 200, 16, 48, 800)}
HORIZON, UNSEEN = 20.48, 32


def compute(scale: str = "quick") -> xr.Dataset:
    """Outputs of the system and of the model (input, k) on unseen inputs, and the eigenvalues before and after learning."""
    length, count, units, width, rounds = SIZES[scale]
    rng = np.random.default_rng(5)
    dt = HORIZON / length
    inputs = 0.05 + training.slow_inputs(rng, count + UNSEEN, length, 0.05)
    outputs = respond(protein_transduction, PROTEIN_START, inputs, dt, rtol=1e-6)
    seen, unseen = slice(0, count), slice(count, None)
    first = training.ring(rng, units, widest=0.3)
    memory = training.learn_eigenvalues(first, inputs[seen], outputs[seen])
    features = memory.features(inputs)
    head = training.learn_head(rng, features[seen], outputs[seen], width, rounds)
    linear = features[unseen] @ training.readout(features[seen], outputs[seen])
    dims = ("input", "k")
    return xr.Dataset(
        {
            "driver": (dims, inputs[unseen], {"long_name": "input v", "units": "concentration per time"}),
            "output": (dims, outputs[unseen], {"long_name": "signal z_1 of the system", "units": "concentration"}),
            "model": (dims, head(features[unseen]), {"long_name": "output of the model", "units": "concentration"}),
            "linear": (dims, linear, {"long_name": "output of a linear readout", "units": "concentration"}),
            "modulus": (("stage", "unit"), np.abs([first.eigenvalues, memory.eigenvalues]), {"long_name": "|lambda|", "units": "1"}),
            "angle": (
                ("stage", "unit"),
                np.angle([first.eigenvalues, memory.eigenvalues]),
                {"long_name": "angle of lambda", "units": "radians"},
            ),
        },
        {
            "input": ("input", np.arange(UNSEEN), {"long_name": "unseen input", "units": "1"}),
            "k": ("k", np.arange(1, length + 1), {"long_name": "time step", "units": f"{dt:.2f} time units"}),
            "stage": ("stage", ["at first", "learned"], {"long_name": "eigenvalues"}),
            "unit": ("unit", np.arange(units), {"long_name": "unit", "units": "1"}),
        },
        {"source": "orvieto24, Figure 5", "dt": dt},
    )


def errors(data: xr.Dataset) -> tuple[float, float]:
    """Root mean square errors of the model and of the linear readout, relative to what the input does to the output."""
    found = [training.relative_error(data[name].values, data.output.values) for name in ("model", "linear")]
    return found[0], found[1]


def outcome(data: xr.Dataset) -> str:
    """What the paper says of the figure, and whether the data bear it out."""
    model, linear = errors(data)
    learned = data.modulus.sel(stage="learned")
    return (
        f"'the architecture learns the map': on unseen inputs the error is {100 * model:.0f} % of what the input does to the output, {100 * linear:.0f} % with a linear readout; "
        f"'the memory vanishes': {'yes' if float(learned.max()) < 1 else 'no'}, the learned moduli lie between {float(learned.min()):.2f} and {float(learned.max()):.4f}"
    )


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """Two unseen inputs, and the eigenvalues in the complex plane."""
    figure = style.new_figure(FINDING, 11, 4.4)
    *panels, right = figure.subplots(1, 3)
    time = data.k.values * data.attrs["dt"]
    for ax, i in zip(panels, (0, 1), strict=True):
        one = data.sel(input=i)
        ax.plot(time, one.output, color=style.BLACK, label="system, $z_1$")
        ax.plot(time, one.model, "--", color=style.VERMILION, label="recurrence and head")
        ax.plot(time, one.driver, ":", color=style.BLUE, label="input v")
        ax.set(xlabel="time", ylabel="concentration", title=f"unseen input {i + 1}")
    panels[0].legend(fontsize=9)
    for stage, look in (
        ("at first", {"marker": "o", "mfc": "none", "color": style.BLUE}),
        ("learned", {"marker": "x", "color": style.VERMILION}),
    ):
        one = data.sel(stage=stage)
        right.plot(one.modulus * np.cos(one.angle), one.modulus * np.sin(one.angle), ls="", label=stage, **look)
    turn = np.linspace(-0.06, 0.42, 100)
    right.plot(np.cos(turn), np.sin(turn), color="#888888", lw=1, label="unit circle")
    right.set(xlabel=r"Re $\lambda$", ylabel=r"Im $\lambda$", title="eigenvalues", ylim=(-0.12, 0.42))
    right.legend(fontsize=9, loc="lower left")
    return figure
