"""orvieto24, Fig. 13: the Lorenz system over its horizon: is it chaos that sends the output up or down, or the saddle at the origin?"""

from __future__ import annotations

from functools import partial

import numpy as np
import xarray as xr
from matplotlib.figure import Figure
from scipy.integrate import solve_ivp

from ..constructions.universality.maps import LORENZ_START, goes_up, lorenz, respond, saddle_coordinate, slow_inputs, unstable
from ..numerics.exact import Array
from . import style

FINDING = "Up or down is decided at a saddle, as well at r = 12, where there is no chaos"

#: step and length of the paper; random inputs and their amplitude (ours: the paper gives none); r with chaos and, below 13.9 (Sparrow 1982), without
DT, LENGTH, COUNT, AMPLITUDE, RS = 0.002, 512, 48, 40.0, (26.0, 12.0)
#: how far the growth of a disturbance is followed, and the starts on the attractor it is compared with
LONG, STARTS = 8.0, 40


def compute() -> xr.Dataset:
    """Outputs (r, input, k), the side of the saddle that each input leads to by its linearisation, and the growth of a disturbance of the start."""
    v = slow_inputs(np.random.default_rng(13), COUNT, LENGTH, AMPLITUDE)
    outputs = np.array([respond(partial(lorenz, r=r), LORENZ_START, v, DT, rtol=1e-6) for r in RS])
    k = np.arange(4, LENGTH + 1, 4)
    growth = grown(np.array([LORENZ_START]), np.array([0.0, *(DT * k), LONG]))[0]
    wide = ("r", "input", "k")
    return xr.Dataset(
        {
            "output": (wide, outputs[:, :, k - 1], {"long_name": "output z_1", "units": "1"}),
            "side": (
                ("r", "input"),
                [saddle_coordinate(v, r, DT) for r in RS],
                {"long_name": "unstable coordinate of start and input", "units": "1"},
            ),
            "growth": ("k", growth[1:-1], {"long_name": "largest growth of a small disturbance of the start", "units": "1"}),
        },
        {
            "r": ("r", list(RS), {"long_name": "parameter r", "units": "1"}),
            "input": ("input", np.arange(COUNT), {"long_name": "random input", "units": "1"}),
            "k": ("k", k, {"long_name": "time step", "units": f"{DT} time units"}),
        },
        {
            "source": "orvieto24, Figure 13",
            "rate at the saddle": unstable(26.0)[0],
            "growth later": float(growth[-1]),
            # over the same horizon, from starts on the attractor: quartiles
            "growth on the attractor": np.quantile(on_attractor(), [0.25, 0.5, 0.75]).tolist(),
        },
    )


def grown(starts: Array, times: Array) -> Array:
    """The largest singular value of the derivative of z(t) by z(0) at each time, for each of ``starts`` (m, 3), without input, r = 26; shape (m, times)."""
    m = len(starts)

    def rates(_: float, flat: Array) -> Array:
        both = flat.reshape(m, 4, 3)
        x, y, w = both[:, 0].T
        one = np.ones(m)
        jacobian = np.array([[-10 * one, 10 * one, 0 * one], [26 - w, -one, -x], [y, x, -8 / 3 * one]]).transpose(2, 0, 1)
        # rows 1 to 3 are the columns of the derivative
        return np.concatenate([np.array(lorenz(both[:, 0].T, 0.0)).T[:, None], both[:, 1:] @ jacobian.mT], axis=1).ravel()

    begin = np.concatenate([starts[:, None], np.tile(np.eye(3), (m, 1, 1))], axis=1).ravel()
    solved = solve_ivp(rates, (0.0, times[-1]), begin, t_eval=times, rtol=1e-6, atol=1e-8)
    return np.linalg.norm(solved.y.T.reshape(-1, m, 4, 3)[:, :, 1:], 2, axis=(2, 3)).T


def on_attractor() -> Array:
    """The growth over the horizon from starts one time unit apart, along a trajectory that has run for 20 units."""
    at = np.arange(20.0, 20.0 + STARTS)
    solved = solve_ivp(lambda _, z: lorenz(z, 0.0), (0.0, at[-1]), np.array(LORENZ_START), t_eval=at, rtol=1e-6, atol=1e-8)
    return grown(solved.y.T, np.array([0.0, DT * LENGTH]))[:, -1]


def up(data: xr.Dataset) -> xr.DataArray:
    """Which outputs go up, (r, input)."""
    return xr.apply_ufunc(goes_up, data.output, input_core_dims=[["k"]])


def outcome(data: xr.Dataset) -> str:
    """What the paper says of the figure, and whether the data bear it out."""
    agree = (up(data) == (data.side > 0)).mean("input")
    both = up(data).mean("input")
    split = {float(r): 0 < float(both.sel(r=r)) < 1 for r in data.r.values}
    peak, end = float(data.growth.max()), float(data.growth[-1])
    later, usual = data.attrs["growth later"] / end, data.attrs["growth on the attractor"][1]
    chaos = split[RS[0]] and not split[RS[1]]
    return (
        f"'the output is binary, up or down': {'yes' if split[RS[0]] else 'no'}, {float(both.sel(r=RS[0])):.0%} go up; 'by the butterfly effect': {'yes' if chaos else 'no'}, "
        f"{float(both.sel(r=RS[1])):.0%} go up at r = {RS[1]:g} as well, where the undriven system has no chaos, and the saddle at the origin (a case of orvieto24.appE3.lorenz) says which: its linearisation is right "
        f"for {float(agree.sel(r=RS[0])):.0%} and {float(agree.sel(r=RS[1])):.0%} of the inputs; a disturbance of the start grows up to {peak:.0f}-fold by leaving the saddle (rate {data.attrs['rate at the saddle']:.1f}), "
        f"is {end:.0f}-fold at the horizon {DT * LENGTH}, and {later:.1f} times that at time {LONG:g}; over a horizon on the attractor the median growth is {usual:.1f}-fold"
    )


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """Outputs for both r, coloured by the side of the saddle, and the growth of a disturbance."""
    figure = style.new_figure(FINDING, 12.5, 4.2)
    *panels, right = figure.subplots(1, 3)
    time = data.k.values * DT
    for ax, r in zip(panels, data.r.values, strict=True):
        for i in data.input.values:
            plus = float(data.side.sel(r=r, input=i)) > 0
            ax.plot(time, data.output.sel(r=r, input=i), "-" if plus else "--", color=style.VERMILION if plus else style.BLUE, lw=0.8)
        ax.set(xlabel="time", title=f"r = {r:g}: " + ("chaotic in the long run" if r == RS[0] else "no chaos without input"))
    panels[0].set(ylabel="output $z_1$", ylim=(-34, 25))
    for side, colour, look in (("above", style.VERMILION, "-"), ("below", style.BLUE, "--")):
        panels[0].plot([], [], look, color=colour, label=f"{side} the saddle's separatrix (linearised)")
    panels[0].legend(fontsize=8, loc="lower left")
    right.semilogy(time, data.growth, color=style.BLACK, label="from the paper's start")
    leaving = time[time <= 0.75]
    right.semilogy(leaving, np.exp(data.attrs["rate at the saddle"] * leaving), ":", color=style.VERMILION, label="rate of the saddle")
    low, middle, high = data.attrs["growth on the attractor"]
    bars = [[middle - low], [high - middle]]
    right.errorbar([DT * LENGTH], [middle], yerr=bars, fmt="D", color=style.GREEN, capsize=3, label="from the attractor, quartiles")
    right.set(xlabel="time", ylabel="growth of a disturbance", title="r = 26")
    right.legend(fontsize=8)
    return figure
