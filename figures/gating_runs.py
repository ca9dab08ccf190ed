"""movahedi25, Theorem C.1: how long a selective gate stays above 0.99, and two other measures of memory, against the weight of the selective component."""

from __future__ import annotations

import numpy as np
import xarray as xr
from flint import arb
from matplotlib.figure import Figure

from ..constructions.gating import LEVEL, expected_run, logit, mean_gate, mean_log_gate, sampled_runs
from . import style

FINDING = "Runs above 0.99 shorten with |w| only for biases above ln 99; the typical memory always does"

BIASES = (3.0, float(logit(LEVEL)), 5.5, 7.0)
SIZES = np.array([0.25, 0.375, 0.5, 0.625, 0.75, *np.arange(1, 8.1, 0.5)])
#: sizes that are simulated as well; runs at small ones and large biases are too long
SIMULATED = (1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0)


def compute(scale: str = "quick") -> xr.Dataset:
    """Mean runs in closed form and by simulation with its standard error, and the two other measures (bias, size)."""
    draws = {"quick": 4000, "paper": 200_000}[scale]
    shape = (len(BIASES), len(SIZES))
    run, simulated, error, total, typical = (np.full(shape, np.nan) for _ in range(5))
    for i, b in enumerate(BIASES):
        for j, size in enumerate(SIZES):
            run[i, j] = float(expected_run(arb(b) if b != BIASES[1] else logit(LEVEL), arb(float(size))))
            total[i, j] = 1 / (1 - float(mean_gate(b, float(size))))
            typical[i, j] = -1 / float(mean_log_gate(b, float(size)))
            if size in SIMULATED:
                # three channels: the law depends on the norm of the weights alone
                runs = sampled_runs(1000 * i + j, draws, [float(size) * x for x in (2 / 3, -2 / 3, 1 / 3)], b)
                simulated[i, j], error[i, j] = runs.mean(), runs.std() / draws**0.5
    dims = ("b", "size")
    return xr.Dataset(
        {
            "run": (dims, run, {"long_name": "expected run above 0.99, closed form", "units": "steps"}),
            "run_simulated": (dims, simulated, {"long_name": "mean of simulated runs", "units": "steps"}),
            "run_error": (dims, error, {"long_name": "standard error of that mean", "units": "steps"}),
            "total": (dims, total, {"long_name": "1 / (1 - E gate), total of the mean weights of all past inputs", "units": "steps"}),
            "typical": (dims, typical, {"long_name": "-1 / E ln gate, time in which a typical weight decays by e", "units": "steps"}),
        },
        {
            "b": ("b", np.array(BIASES), {"long_name": "bias of the gate", "units": "1"}),
            "size": ("size", SIZES, {"long_name": "norm of the weights of the gate", "units": "1"}),
        },
        {"source": "movahedi25, Theorem C.1", "draws": draws},
    )


def outcome(data: xr.Dataset) -> str:
    """What the paper says, and whether the data bear it out."""
    steps = data.run.diff("size")
    directions = ", ".join(
        f"{'rises' if (steps[i] > 0).all() else 'falls' if (steps[i] < 0).all() else 'stays'} at b = {b:.3g}" for i, b in enumerate(BIASES)
    )
    worst = float((abs(data.run_simulated - data.run) / data.run_error.where(data.run_error > 0)).max())
    falls = all(bool((data[name].diff("size") < 0).all()) for name in ("total", "typical"))
    # a proportionality would make this quotient one number for each bias
    quotient = data.run * np.exp(data["size"] ** 2)
    spread = float((quotient.max("size") / quotient.min("size")).min())
    return (
        f"'memory falls like exp(-|w|^2)': {'no' if spread > 2 else 'yes'}, the mean run {directions}; simulation within {worst:.1f} standard errors of the closed form; "
        f"the total and the typical memory {'fall' if falls else 'do not all fall'} at these biases"
    )


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """Runs on the left; total (full) and typical memory (dashed) on the right."""
    figure = style.new_figure(FINDING, 11, 4.8)
    left, right = figure.subplots(1, 2)
    colours, markers = (style.BLUE, style.BLACK, style.VERMILION, style.PURPLE), "osv^"
    for b, colour, marker in zip(data.b.values, colours, markers, strict=True):
        name = "ln 99" if b == BIASES[1] else f"{b:g}"
        one = data.sel(b=b)
        left.plot(one["size"], one.run, color=colour)
        left.errorbar(one["size"], one.run_simulated, 2 * one.run_error, fmt=marker, color=colour, ms=5, label=f"b = {name}")
        right.plot(one["size"], one.total, color=colour, label=f"b = {name}")
        right.plot(one["size"], one.typical, "--", color=colour)
    printed = np.exp(-(data["size"] ** 2))
    left.plot(data["size"], printed, ":", color="#777777", label=r"$\exp(-|w|^2)$, as printed")
    left.set(
        yscale="log",
        ylim=(1e-4, 3e3),
        xlabel="norm |w| of the gate's weights",
        ylabel="mean run above 0.99 (steps)",
        title="lines: closed form; marks: simulation, 2 s.e.",
    )
    right.set(
        yscale="log",
        xlabel="norm |w| of the gate's weights",
        ylabel="memory (steps)",
        title="full: total of mean weights; dashed: typical decay time",
    )
    left.legend(fontsize=9, ncols=2, loc="lower right")
    return figure
