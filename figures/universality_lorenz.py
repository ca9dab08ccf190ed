"""orvieto24, Fig. 13: the Lorenz system over its horizon: is it chaos that sends the output up or down, or the saddle at the origin?"""

from __future__ import annotations

from functools import partial

import numpy as np
import xarray as xr
from matplotlib.figure import Figure
from scipy.integrate import solve_ivp

from ..constructions.universality.maps import LORENZ_START, lorenz, respond
from ..constructions.universality.training import slow_inputs
from ..numerics.exact import Array
from . import style

FINDING = "Up or down is decided at a saddle, as well at r = 12, where there is no chaos"

#: step and length of the paper; random inputs and their amplitude; r with chaos and, below 13.9, without
DT, LENGTH, COUNT, AMPLITUDE, RS = 0.002, 512, 48, 40.0, (26.0, 12.0)
#: how far the growth of a disturbance is followed, and the starts on the attractor it is compared with
LONG, STARTS = 8.0, 100


def compute() -> xr.Dataset:
    """Outputs (r, input, k), the side of the saddle that each input leads to by its linearisation, and the growth of a disturbance of the start."""
    v = slow_inputs(np.random.default_rng(13), COUNT, LENGTH, AMPLITUDE)
    outputs = np.array([respond(partial(lorenz, r=r), LORENZ_START, v, DT, rtol=1e-6) for r in RS])
    times = np.linspace(0, LONG, 801)
    growth = grown(np.array(LORENZ_START), times)
    wide = ("r", "input", "k")
    return xr.Dataset(
        {
            "output": (wide, outputs[:, :, 3::4], {"long_name": "output z_1", "units": "1"}),
            "side": (("r", "input"), [saddle_coordinate(v, r) for r in RS], {"long_name": "unstable coordinate of start and input", "units": "1"}),
            "growth": ("time", growth, {"long_name": "largest growth of a small disturbance of the start", "units": "1"}),
            "usual": ("start", on_attractor(), {"long_name": "the same over the horizon, from starts on the attractor", "units": "1"}),
        },
        {
            "r": ("r", list(RS), {"long_name": "parameter r", "units": "1"}),
            "input": ("input", np.arange(COUNT), {"long_name": "random input", "units": "1"}),
            "k": ("k", np.arange(4, LENGTH + 1, 4), {"long_name": "time step", "units": f"{DT} time units"}),
            "time": ("time", times, {"long_name": "time", "units": "time units"}),
            "start": ("start", np.arange(STARTS), {"long_name": "start on the attractor", "units": "1"}),
        },
        {"source": "orvieto24, Figure 13", "horizon": DT * LENGTH, "rate at the saddle": unstable(26.0)[0]},
    )


def unstable(r: float, sigma: float = 10.0) -> tuple[float, Array]:
    """(rate, left eigenvector) of the unstable direction at the origin: the positive eigenvalue of (-sigma, sigma; r, -1)."""
    rates, left = np.linalg.eig(np.array([[-sigma, r], [sigma, -1.0]]))
    i = int(rates.argmax())
    return float(rates[i]), left[:, i] * np.sign(left[1, i])


def saddle_coordinate(v: Array, r: float) -> Array:
    """l (z_1(0), z_2(0)) + sum_k l_2 v_k times the integral of exp(-rate t) over step k: the linearisation at the origin leaves it on the side of this sign."""
    rate, left = unstable(r)
    edges = np.exp(-rate * DT * np.arange(v.shape[1] + 1))
    return left @ LORENZ_START[:2] + left[1] * (v @ ((edges[:-1] - edges[1:]) / rate))


def grown(start: Array, times: Array) -> Array:
    """The largest singular value of the derivative of z(t) by z(0), without input, r = 26."""

    def rates(_: float, both: Array) -> Array:
        (x, y, w), M = both[:3], both[3:].reshape(3, 3)
        jacobian = np.array([[-10.0, 10.0, 0.0], [26.0 - w, -1.0, -x], [y, x, -8 / 3]])
        return np.concatenate([lorenz(both[:3], 0.0), (jacobian @ M).ravel()])

    solved = solve_ivp(rates, (0.0, times[-1]), np.concatenate([start, np.eye(3).ravel()]), t_eval=times, rtol=1e-8, atol=1e-10)
    return np.linalg.norm(solved.y[3:].T.reshape(-1, 3, 3), 2, axis=(1, 2))


def on_attractor() -> Array:
    """The growth over the horizon from starts one time unit apart, along a trajectory that has run for 20 units."""
    at = np.arange(20.0, 20.0 + STARTS)
    solved = solve_ivp(lambda _, z: lorenz(z, 0.0), (0.0, at[-1]), np.array(LORENZ_START), t_eval=at, rtol=1e-8, atol=1e-10)
    return np.array([grown(z, np.array([0.0, DT * LENGTH]))[-1] for z in solved.y.T])


def up(data: xr.Dataset) -> xr.DataArray:
    """Which outputs go up: at the first swing, where |z_1| is largest, z_1 is positive."""
    furthest = abs(data.output).argmax("k")
    return data.output.isel(k=furthest) > 0


def outcome(data: xr.Dataset) -> str:
    """What the paper says of the figure, and whether the data bear it out."""
    agree = (up(data) == (data.side > 0)).mean("input")
    both = up(data).mean("input")
    split = {float(r): 0 < float(both.sel(r=r)) < 1 for r in data.r.values}
    end = float(data.growth.sel(time=data.attrs["horizon"], method="nearest"))
    peak = float(data.growth.where(data.time <= data.attrs["horizon"]).max())
    later = float(data.growth[-1]) / end
    chaos = split[RS[0]] and not split[RS[1]]
    return (
        f"'the output is binary, up or down': {'yes' if split[RS[0]] else 'no'}, {float(both.sel(r=RS[0])):.0%} go up; 'by the butterfly effect': {'yes' if chaos else 'no'}, "
        f"{float(both.sel(r=RS[1])):.0%} go up at r = {RS[1]:g} as well, where no trajectory is chaotic, and the saddle at the origin (a case of orvieto24.appE3.lorenz) says which: its linearisation is right "
        f"for {float(agree.sel(r=RS[0])):.0%} and {float(agree.sel(r=RS[1])):.0%} of the inputs; a disturbance of the start grows up to {peak:.0f}-fold by leaving the saddle (rate {data.attrs['rate at the saddle']:.1f}), "
        f"is {end:.0f}-fold at the horizon {data.attrs['horizon']}, and {later:.1f} times that at time {float(data.time[-1]):g}; over a horizon on the attractor the median growth is {float(data.usual.median()):.1f}-fold"
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
        ax.set(xlabel="time", title=f"r = {r:g}: " + ("chaotic in the long run" if r == RS[0] else "no chaos"))
    panels[0].set_ylabel("output $z_1$")
    for side, colour, look in (("above", style.VERMILION, "-"), ("below", style.BLUE, "--")):
        panels[0].plot([], [], look, color=colour, label=f"{side} the saddle's separatrix (linearised)")
    panels[0].legend(fontsize=8, loc="lower left")
    right.semilogy(data.time, data.growth, color=style.BLACK, label="from the paper's start")
    leaving = data.time.values[data.time.values <= 0.75]
    right.semilogy(leaving, np.exp(data.attrs["rate at the saddle"] * leaving), ":", color=style.VERMILION, label="rate of the saddle")
    right.axvline(data.attrs["horizon"], color=style.PURPLE, lw=1, label="horizon of the paper")
    low, middle, high = np.quantile(data.usual, [0.25, 0.5, 0.75])
    right.errorbar(
        [data.attrs["horizon"]], [middle], yerr=[[middle - low], [high - middle]], fmt="D", color=style.GREEN, capsize=3, label="from the attractor, quartiles"
    )
    right.set(xlabel="time", ylabel="growth of a disturbance", title="r = 26")
    right.legend(fontsize=8)
    return figure
