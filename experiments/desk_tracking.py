"""The groups A₅ and S₅ tracked by one Bedouin layer that is trained with a bounded number of passes, at desk scale (movahedi25, Figs. 1, 3 and 7).

For Figs. 1 and 7 the layer has one reflection, so that its fixed point can be found in sequence. For Fig. 3 it has four and a wider state, beside an
LSTM and two Mamba layers. The gradient goes through all passes of training.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import log10
from types import MethodType

import numpy as np
import torch
from torch import nn

from .bedouin_layer import Bedouin
from .compiled_passes import passed_quickly
from .desk import Cell, Plan
from .desk_brackets import parameters
from .fixed_point_layers import Lstm
from .groups import Tracker
from .judged import Found
from .layers import Model
from .scales import nearest_width
from .stacked import Member, Recipe
from .tasks import Task, task_named
from .training import TEST, accuracy

FIG1, FIG3, FIG7 = "movahedi25.fig1", "movahedi25.fig3", "movahedi25.fig7"
TASK, GROUPS = "A5.generators", {"A₅": "A5.generators", "S₅": "S5.generators"}
RATES, RATES_OF_FIG3 = (5e-3,), (1e-2,)

#: the longest trained word and words of the test
TRAINED, WORDS = 16, 512

#: keys and values of a state; the passes at most by which a fixed point is found in parallel
KEYS, VALUES, MOST = 4, 16, 100

#: cell -> passes of training and rows
CELLS = {"16 passes": (16, (FIG1, FIG7)), "8 passes": (8, (FIG1,)), "2 passes": (2, (FIG1,))}

#: of Fig. 3's layer keys and values of a state, reflections and passes; units of the LSTM
KEYS3, VALUES3, REFLECTIONS, PASSES, UNITS = 2, 32, 4, 16, 64
BEDOUIN, LSTM, MAMBA = "Bedouin of four reflections", "LSTM", "Mamba, two layers"


def bedouin(task: Task, keys: int, values: int, reflections: int, bound: int) -> Tracker:
    """One layer whose gate does not depend on the letter at first, with a number of passes."""
    layer = Bedouin(len(task.letters), keys, values, reflections)
    layer.bound = bound
    with torch.no_grad():
        layer.seen.weight[:values] = 0
    return Tracker(layer, len(task.letters), len(task.answers), scan=True)


def mamba(width: int, task: Task) -> Model:
    """Two Mamba layers."""
    return Model("Mamba [0, 1]", len(task.letters), len(task.answers), width, depth=2)


def build(member: Member, task: Task) -> nn.Module:
    """The network of a cell; two Mamba layers have about as many parameters as the LSTM, which has more than the layer of four reflections."""
    if member.kind in CELLS:
        return bedouin(task, KEYS, VALUES, 1, CELLS[member.kind][0])
    if member.kind.startswith(BEDOUIN):
        return bedouin(task, KEYS3, VALUES3, REFLECTIONS, PASSES)
    lstm = Tracker(Lstm(len(task.letters), UNITS), len(task.letters), len(task.answers))
    if member.kind.startswith(LSTM):
        return lstm
    return mamba(nearest_width(lambda n: parameters(mamba(n, task)), parameters(lstm), 64), task)


@torch.no_grad()
def apart(network: Tracker, seed: int) -> float:
    """The logarithm of the largest difference of the outputs found by passes and in sequence, over the largest output in sequence."""
    layer, task = network.layer, task_named(TASK)
    words, _ = task.sample(WORDS, TRAINED, np.random.default_rng([seed, TEST]))
    x = nn.functional.one_hot(torch.from_numpy(words), network.letters).float()
    bound, layer.bound, layer.most = layer.bound, 0, MOST
    by_passes, in_sequence = layer(x), layer.solved(x)
    layer.bound = bound
    return log10(float((by_passes - in_sequence).abs().max() / in_sequence.abs().max()))


def solved(network: nn.Module, member: Member, use: int, group: str) -> dict[str, float]:
    """The share of right answers at the last letter of words of a group."""
    if isinstance(network, Tracker) and isinstance(network.layer, Bedouin):
        network.layer.passed = MethodType(passed_quickly, network.layer)
    seed = member.seed if use == TEST else 1000 + member.seed
    with torch.no_grad():
        found = accuracy(lambda words: network(words).argmax(-1), task_named(GROUPS[group]), TRAINED, WORDS, seed)
    return {"last letter": float(found[-1]), "half the letters": float(found[TRAINED // 2 - 1])}


def measured(network: nn.Module, member: Member, use: int) -> dict[str, float]:
    """The share of right answers at the last letter; how far fixed points are apart before and after training."""
    assert isinstance(network, Tracker)
    seed, task = member.seed if use == TEST else 1000 + member.seed, task_named(TASK)
    with torch.no_grad():
        found = accuracy(lambda words: network(words).argmax(-1), task, TRAINED, WORDS, seed)
    said = {"last letter": float(found[-1]), "half the letters": float(found[TRAINED // 2 - 1])}
    if use == TEST and network.layer.bound == TRAINED:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(member.seed)
            first = bedouin(task, KEYS, VALUES, 1, TRAINED)
        said |= {"apart at first": apart(first, seed), "apart": apart(network, seed)}
    return said


def cell(name: str) -> Cell:
    """Networks that are trained with a number of passes."""
    bound, rows = CELLS[name]
    return Cell(
        name=name,
        rows=rows,
        task=task_named(TASK),
        build=build,
        recipe=Recipe(steps=1500, shortest=2, first=3, longest=TRAINED, grown=0.5, batch=32, averages=(0.9, 0.99)),
        rates=RATES,
        measure=measured,
        by="last letter",
        most=True,
        guess={"last letter": 1 / 60, "half the letters": 1 / 60, "apart at first": 0.0, "apart": 0.0},
        facts={"state": [KEYS, VALUES], "bound": bound},
    )


def cell_of_fig3(layer: str, group: str) -> Cell:
    """Networks of a layer on a group, all trained alike: with words of all lengths from the first step, as short ones can be learnt by heart."""
    return Cell(
        name=on(layer, group),
        rows=(FIG3,),
        task=task_named(GROUPS[group]),
        build=build,
        recipe=Recipe(steps=5000, shortest=2, longest=TRAINED, batch=32, averages=(0.9, 0.99)),
        rates=RATES_OF_FIG3,
        measure=partial(solved, group=group),
        by="last letter",
        most=True,
        guess={"last letter": 1 / 60, "half the letters": 1 / 60},
        facts={"state": [KEYS3, VALUES3], "reflections": REFLECTIONS, "bound": PASSES, "units": UNITS},
    )


def on(layer: str, group: str) -> str:
    """The name of a cell of Fig. 3."""
    return f"{layer}, on {group}"


def number(name: str, what: str, of: Found) -> list[float]:
    """A number of a cell."""
    return of(name, what)


def at_the_end(layers: tuple[str, ...], take: Callable[..., np.ndarray], of: Found) -> list[float]:
    """What is taken, seed by seed, of the numbers at the last letter of layers on both groups."""
    return take([of(on(layer, group), "last letter") for layer in layers for group in GROUPS], axis=0).tolist()


PLAN = Plan(
    cells=lambda: [
        *(cell(name) for name in CELLS),
        *(cell_of_fig3(layer, group) for layer in (MAMBA, LSTM, BEDOUIN) for group in GROUPS),
    ],
    sides={
        **{name: partial(number, name, "last letter") for name in CELLS},
        # both must solve both groups: the least counts; Mamba neither: the largest counts
        f"LSTM and {BEDOUIN}": partial(at_the_end, (LSTM, BEDOUIN), np.min),
        MAMBA: partial(at_the_end, (MAMBA,), np.max),
        "at the first weights": partial(number, "16 passes", "apart at first"),
        "after training": partial(number, "16 passes", "apart"),
    },
    findings={
        FIG1: (
            "Sixteen passes track A₅ to the sixteenth letter, eight do not",
            "Sixteen passes are not shown to track A₅ further than eight",
        ),
        FIG3: (
            "An LSTM and one Bedouin layer track A₅ and S₅ to the sixteenth letter, two Mamba layers do not",
            "An LSTM and one Bedouin layer are not shown to track A₅ and S₅ further than two Mamba layers",
        ),
        FIG7: (
            "Training brings the fixed points found by passes and in sequence together",
            "Training does not bring the fixed points found by passes and in sequence together",
        ),
    },
)
