"""movahedi25, Fig. 6: how many passes the fixed-point iteration needs, against the length of the sequence; constructed and random networks, none trained."""

from __future__ import annotations

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from ..constructions.fixed_point import Token, dense_states, diagonal_layer, gated, ungated
from ..constructions.quaternions import OCTAHEDRAL, left_multiplication
from ..numerics.exact import as_float
from . import style

FINDING = "Contracting layers need equally many passes at every length; states that must not fade need more and more"

NETWORKS = {
    "random, gated": "random mixers, input gate",
    "one bit": "remembers one bit, no gate, c = 1/2",
    "S3": "tracks $S_3$, no gate",
}
TOLERANCE = 0.1


def _contraction(rng: np.random.Generator, d: int, norm: float) -> np.ndarray:
    F = rng.standard_normal((d, d))
    return F * (norm / np.linalg.norm(F, 2))


def network(name: str, length: int, seed: int) -> tuple[list[Token], np.ndarray]:
    """(tokens, initial state) of one network on a random word of the given length."""
    rng = np.random.default_rng([6, length, seed])
    if name == "random, gated":
        d, fixed = 8, np.random.default_rng([6, seed])
        mixers, decay = [np.eye(d) - _contraction(fixed, d, 0.7) for _ in range(4)], fixed.uniform(0, 1, d)
        return [gated(decay, mixers[rng.integers(4)], rng.standard_normal(d)) for _ in range(length)], np.zeros(d)
    if name == "one bit":
        half = np.array([0.5])
        return [ungated(half, half[:, None], np.array([float(t == 0)])) for t in range(length)], np.zeros(1)
    letters = list(OCTAHEDRAL.values())
    tokens = []
    for _ in range(length):
        q = letters[rng.integers(len(letters))]
        A, c = as_float(left_multiplication(q)), float(q[0])
        tokens.append(ungated(np.full(4, c), c * A.T, np.zeros(4)))
    return tokens, np.array([1.0, 0, 0, 0])


def errors(name: str, length: int, seed: int, passes: int) -> tuple[np.ndarray, int]:
    """(relative errors after passes 1, 2, ..., the pass at which the rule of App. D.2 stops; 0 if it does not)."""
    tokens, initial = network(name, length, seed)
    target = dense_states(tokens, initial)
    h, out, stopped = target * 0, [], 0
    for count in range(1, passes + 1):
        new = diagonal_layer(tokens, h, initial)
        if not stopped and abs(new - h).max() < TOLERANCE * abs(new).max():
            stopped = count
        h = new
        out.append(abs(h - target).max() / abs(target).max())
    return np.array(out), stopped


def compute(scale: str = "quick") -> xr.Dataset:
    """Passes until the true relative error stays below 0.1 (network, length, word), and the errors of all passes at one length."""
    lengths, words, passes = {"quick": ([2, 4, 8, 12, 16], 3, 300), "paper": ([2, 4, 8, 12, 16, 20, 24, 28], 20, 600)}[scale]
    shape = (len(NETWORKS), len(lengths), words)
    needed, stops, at_stop = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    curves = np.zeros((len(NETWORKS), passes))
    for i, name in enumerate(NETWORKS):
        for j, length in enumerate(lengths):
            for k in range(words):
                error, stopped = errors(name, length, k, passes)
                above = np.flatnonzero(error > TOLERANCE)
                if not stopped or error[-1] > TOLERANCE:
                    raise ArithmeticError(f"expected {name} to settle within {passes} passes at length {length}, it did not")
                needed[i, j, k] = above[-1] + 2 if len(above) else 1
                stops[i, j, k] = stopped
                at_stop[i, j, k] = error[stopped - 1]
                if length == 16 and k == 0:
                    curves[i] = error
    dims = ("network", "length", "word")
    return xr.Dataset(
        {
            "needed": (dims, needed, {"long_name": "passes until the relative error stays below 0.1", "units": "1"}),
            "stopped": (dims, stops, {"long_name": "pass at which the rule of App. D.2 stops", "units": "1"}),
            "error_at_stop": (dims, at_stop, {"long_name": "relative error when the rule stops", "units": "1"}),
            "error": (("network", "passes"), curves, {"long_name": "relative error at length 16", "units": "1"}),
        },
        {
            "network": ("network", list(NETWORKS), {"long_name": "network"}),
            "length": ("length", lengths, {"long_name": "length of the sequence", "units": "tokens"}),
            "word": ("word", np.arange(words), {"long_name": "random word", "units": "1"}),
            "passes": ("passes", np.arange(1, passes + 1), {"long_name": "passes", "units": "1"}),
        },
        {"source": "movahedi25, Figure 6"},
    )


def outcome(data: xr.Dataset) -> str:
    """What the paper says of the figure, and whether the data bear it out."""
    needed = data.needed.median("word")
    last = int(data.length[-1])
    growth = {name: needed.sel(network=name, length=last).item() / needed.sel(network=name, length=4).item() for name in NETWORKS}
    worst = {name: data.error_at_stop.sel(network=name).max().item() for name in NETWORKS}
    return (
        "'the number of iterations does not scale with the sequence length': "
        f"from length 4 to {last} it grows {growth['random, gated']:.1f}-fold with a contraction, {growth['one bit']:.1f}-fold for one remembered bit, {growth['S3']:.1f}-fold for S3; "
        f"the rule 'change < 0.1' stopped with relative errors up to {worst['random, gated']:.2f}, {worst['one bit']:.2f} and {worst['S3']:.2f}; networks constructed or random, not the paper's trained ones"
    )


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """Left: passes needed against length. Right: error against passes at length 16, with the pass at which the rule stops."""
    figure = style.new_figure(FINDING, 10.5, 4.4)
    left, right = figure.subplots(1, 2)
    looks = zip(NETWORKS, (style.BLUE, style.GREEN, style.VERMILION), "os^", strict=True)
    for name, colour, marker in looks:
        needed = data.needed.sel(network=name)
        left.plot(data.length, needed.median("word"), marker + "-", color=colour, label=NETWORKS[name])
        left.fill_between(data.length, needed.min("word"), needed.max("word"), color=colour, alpha=0.2, lw=0)
        curve = data.error.sel(network=name)
        right.semilogy(data.passes, curve.clip(1e-12), color=colour, label=NETWORKS[name])
        stop = int(data.stopped.sel(network=name, length=16, word=0))
        if stop:
            right.plot([stop], [curve[stop - 1].clip(1e-12)], marker, color=colour, ms=10, mfc="white", mew=2)
    left.set(xlabel="length T (tokens)", ylabel="passes until relative error stays < 0.1", title="passes against length", ylim=(0, None))
    left.legend(fontsize=9, loc="upper left")
    right.axhline(TOLERANCE, color=style.BLACK, ls=":", lw=1)
    right.set(
        xlabel="passes", ylabel="relative error, largest entry", title="T = 16; open marks: where 'change < 0.1' stops", xlim=(0, 150)
    )
    return figure
