"""movahedi25, Fig. 1 and 3: accuracy on A_5 and S_5 against length for a bounded number of passes; the layers are constructed, not trained."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import xarray as xr
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from ..constructions.quaternions import CosetAction, generated, icosahedral, left_multiplication
from ..constructions.spin import clifford_generators, exchange
from ..numerics import exact
from . import style

FINDING = "The same layer, from diagonal to dense: the length up to which it tracks $A_5$ and $S_5$ grows with the passes"

PASSES = (1, 4, 16, 64, 256, 1024)
TASKS = {"A5": "$A_5$, a 3-cycle and a 5-cycle", "S5": "$S_5$, all transpositions"}


def iterates(A: np.ndarray, decay: np.ndarray, choice: np.ndarray, start: np.ndarray, passes: tuple[int, ...]) -> dict[int, np.ndarray]:
    """The iterates of the ungated layer after each number of ``passes``, shape (words, T, d, columns).

    ``A`` (letters, d, d) are orthogonal transitions, ``decay`` (letters,) the scalars c; Q = c A^T; ``choice`` (words, T) the letters; ``start`` (d, columns).
    """
    words, length = choice.shape
    feedback = np.eye(A.shape[1]) - decay[:, None, None] * A.transpose(0, 2, 1)
    h, out = np.zeros((words, length, *start.shape)), {}
    for count in range(1, max(passes) + 1):
        state, new = np.broadcast_to(start, (words, *start.shape)), np.empty_like(h)
        mixed = feedback[choice] @ h
        for t in range(length):
            state = decay[choice[:, t], None, None] * state + mixed[:, t]
            new[:, t] = state
        h = new
        if count in passes:
            out[count] = h
    return out


def a5_layer() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """(transitions, decays, the 120 elements (120, 4), the index of each one's permutation)."""
    letters = icosahedral()
    group = generated(list(letters.values()))
    action = CosetAction(group, generated([letters["a"], exact.unit_vector(4, 1)]))
    permutations = [action.permutation(q) for q in group]
    names = {p: k for k, p in enumerate(sorted(set(permutations)))}
    A = np.array([exact.as_float(left_multiplication(q)) for q in letters.values()])
    decay = np.array([float(q[0]) for q in letters.values()])
    return A, decay, np.array([exact.as_float(q) for q in group]), np.array([names[p] for p in permutations])


def _a5(choice: np.ndarray, passes: tuple[int, ...]) -> dict[int, np.ndarray]:
    """Whether the permutation read off is right (passes -> (words, T)): that of the nearest of the 120 lines."""
    A, decay, group, names = a5_layer()
    start = np.array([[1.0], [0], [0], [0]])
    state, truth = np.repeat(start[None], len(choice), 0), []
    for t in range(choice.shape[1]):
        state = A[choice[:, t]] @ state
        truth.append(names[abs(state[..., 0] @ group.T).argmax(-1)])
    wanted = np.array(truth).T
    return {k: names[abs(h[..., 0] @ group.T).argmax(-1)] == wanted for k, h in iterates(A, decay, choice, start, passes).items()}


def _s5(choice: np.ndarray, passes: tuple[int, ...]) -> dict[int, np.ndarray]:
    """Whether the permutation read off is right: g_i goes to the g_k that H g_i H^T is nearest to, up to sign."""
    generators = clifford_generators(5)
    pairs = list(combinations(range(5), 2))
    A = np.array([exchange(generators, j, k) for j, k in pairs]) / np.sqrt(2)
    g = np.array(generators, dtype=float)
    permutation, wanted = np.repeat(np.arange(5)[None], len(choice), 0), []
    for t in range(choice.shape[1]):
        for word, letter in enumerate(choice[:, t]):
            j, k = pairs[letter]
            swap = np.arange(5)
            swap[[j, k]] = k, j
            permutation[word] = swap[permutation[word]]
        wanted.append(permutation.copy())
    target = np.array(wanted).transpose(1, 0, 2)
    out = {}
    for count, h in iterates(A, np.full(len(pairs), np.sqrt(0.5)), choice, np.eye(len(g[0])), passes).items():
        turned = h[:, :, None] @ g @ h.swapaxes(-1, -2)[:, :, None]
        overlap = np.tensordot(turned, g, ([3, 4], [2, 1]))
        out[count] = (abs(overlap).argmax(-1) == target).all(-1)
    return out


def compute(scale: str = "quick") -> xr.Dataset:
    """The share of random words whose state is read rightly after t tokens (task, passes, length)."""
    words, length = {"quick": (16, 20), "paper": (200, 32)}[scale]
    passes, rng = PASSES, np.random.default_rng(1)
    right = {"A5": _a5(rng.integers(2, size=(words, length)), passes), "S5": _s5(rng.integers(10, size=(words, length)), passes)}
    values = np.array([[right[task][k].mean(0) for k in passes] for task in TASKS])
    return xr.Dataset(
        {"accuracy": (("task", "passes", "length"), values, {"long_name": "share of words whose state is right", "units": "1"})},
        {
            "task": ("task", list(TASKS), {"long_name": "word problem"}),
            "passes": ("passes", list(passes), {"long_name": "passes", "units": "1"}),
            "length": ("length", np.arange(1, length + 1), {"long_name": "length of the word", "units": "tokens"}),
        },
        {"source": "movahedi25, Figures 1 and 3"},
    )


def reach(data: xr.Dataset, task: str) -> list[int]:
    """For each number of passes the longest length up to which every word is right."""
    perfect = (data.accuracy.sel(task=task) == 1).values
    return [int(np.argmin(row)) if not row.all() else len(row) for row in perfect]


def outcome(data: xr.Dataset) -> str:
    """What the paper says of the figure, and whether the data bear it out."""
    reaches = {task: reach(data, task) for task in TASKS}
    grows = all(a <= b for r in reaches.values() for a, b in pairwise(r))
    text = "; ".join(f"{task}: {', '.join(map(str, r))}" for task, r in reaches.items())
    few = int(data.passes[PASSES.index(16)])
    short = "; ".join(f"{task}: up to length {r[PASSES.index(16)]}" for task, r in reaches.items())
    return (
        f"'more iterations turn the linear RNN from diagonal to dense': {'yes' if grows else 'no'}, for {', '.join(map(str, data.passes.values))} passes every word is right up to length {text}; "
        f"'in a few iterations', say {few}, these layers are right on {short}; they are constructed, the paper's trained and nonlinear in h"
    )


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """One panel for each group, one line for each number of passes."""
    figure = style.new_figure(FINDING, 11, 4.4)
    colours = (style.BLACK, style.PURPLE, style.ORANGE, style.GREEN, style.BLUE, style.VERMILION)
    panels = figure.subplots(1, 2, sharey=True)
    for ax, task, chance in zip(panels, TASKS, (60, 120), strict=True):
        for count, colour, marker in zip(data.passes.values, colours, "ov^Ds*", strict=True):
            ax.plot(
                data.length,
                data.accuracy.sel(task=task, passes=count),
                marker + "-",
                color=colour,
                ms=4,
                label=f"{count} pass{'es' if count > 1 else ''}",
            )
        ax.axhline(1 / chance, color=style.BLACK, ls=":", lw=1)
        ax.set(xlabel="length of the word (tokens)", title=f"{TASKS[task]}; dotted: guessing", ylim=(-0.03, 1.05))
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    panels[0].set_ylabel("share of words whose state is right")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside right center", fontsize=9)
    return figure
