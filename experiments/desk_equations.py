"""Driven differential equations by a linear recurrence and a head, at desk scale (orvieto24, Figs. 5 and 14 to 16).

Errors are relative to predicting the mean output at each step. Inputs that training does not see are half for the choice of the rate, half for the test.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial

import numpy as np
import torch
from torch import nn

from ..constructions.bistable.torch import LRU
from .desk import Cell, Plan
from .judged import Found
from .odes import Size, relative_error, response_task, responses, tokens
from .stacked import Member, Recipe, freeze
from .tasks import Generator, Task
from .training import TEST, TRAIN

ROW = "orvieto24.fig14"
RATES, SEEDS = (1e-2, 3e-3), 6

#: trajectories for training and beside it, their length; units, neurons of the hidden layer
SIZE = Size(SEEDS, 1200, 2000, 2000, 800, 64, 16, 64)

#: systems -> their names in ``odes``
NAMES = {"Lorenz": "Lorenz", "protein transduction": "protein", "Lotka and Volterra": "Lotka-Volterra"}

LINEAR, HIDDEN, FIRST = "linear readout", "hidden layer", "recurrence at its first weights"


class Followed(nn.Module):
    """A linear recurrence, its eigenvalues near the unit circle at first, and a head: (batch, T, 2) to (batch, T, 1)."""

    def __init__(self, kind: str):
        super().__init__()
        self.memory = LRU(2, SIZE.units, 0.9, 0.999, 0.6)
        if kind == FIRST:
            freeze(self.memory)
        states = 2 * SIZE.units
        layers = [nn.Linear(states, 1)] if kind == LINEAR else [nn.Linear(states, SIZE.hidden), nn.ReLU(), nn.Linear(SIZE.hidden, 1)]
        self.head = nn.Sequential(*layers)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.memory(x))


@cache
def trajectories(system: str) -> Task:
    """Inputs that training sees, and what the system makes of them."""
    return response_task(NAMES[system], SIZE)


def task_of(system: str) -> Task:
    """The task, which integrates the equations when it is first asked."""

    def sample(batch: int, length: int, rng: Generator) -> tuple[np.ndarray, np.ndarray]:
        return trajectories(system).sample(batch, length, rng)

    return Task(NAMES[system], (), (), sample, features=2)


def built(member: Member, task: Task, kind: str) -> nn.Module:
    """The network of a cell."""
    return Followed(kind)


@cache
def first_radius(seed: int) -> float:
    """The greatest radius of the eigenvalues with which a seed begins."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return radii(Followed(HIDDEN))[1]


def radii(network: nn.Module) -> tuple[float, float]:
    """The least and the greatest radius of the eigenvalues."""
    assert isinstance(network, Followed)
    found = network.memory.eigenvalues().detach().abs()
    return float(found.min()), float(found.max())


@torch.no_grad()
def errors(network: nn.Module, member: Member, use: int, system: str) -> dict[str, float]:
    """Relative errors: of all steps, of the last tenth and of the steps before it; and radii of eigenvalues."""
    name = NAMES[system]
    _, seen = responses(name, SIZE.seen, SIZE.length, TRAIN)
    inputs, outputs = responses(name, SIZE.unseen, SIZE.length, TEST)
    half = slice(SIZE.unseen // 2, None) if use == TEST else slice(SIZE.unseen // 2)
    found = network(torch.from_numpy(tokens(name, inputs[half])).float())[..., 0].double().numpy() * seen.std() + seen.mean()
    wanted, last = outputs[half], SIZE.length - SIZE.length // 10
    least, most = radii(network)
    return {
        "error": relative_error(found, wanted),
        "last tenth": relative_error(found[:, last:], wanted[:, last:]),
        "the rest": relative_error(found[:, :last], wanted[:, :last]),
        "least radius": least,
        "greatest radius": most,
        "first greatest radius": first_radius(member.seed),
    }


def cell(system: str, kind: str) -> Cell:
    """A head on a recurrence, on one system."""
    steps = SIZE.lorenz_steps if system == "Lorenz" else SIZE.steps
    return Cell(
        name=title(system, kind),
        rows=(ROW,),
        task=task_of(system),
        build=partial(built, kind=kind),
        recipe=Recipe(steps=steps, shortest=SIZE.length, longest=SIZE.length, batch=16),
        rates=RATES,
        measure=partial(errors, system=system),
        by="error",
        guess=dict.fromkeys(["error", "last tenth", "the rest", "least radius", "greatest radius", "first greatest radius"], 1.0),
        seeds=SEEDS,
        facts={"units": SIZE.units, "hidden": SIZE.hidden},
    )


def title(system: str, kind: str) -> str:
    """The name of a cell."""
    return f"{system}, {kind}"


#: systems with the heads that are trained on them
SHAPES = (
    *((system, kind) for system in ("Lorenz", "protein transduction") for kind in (LINEAR, HIDDEN)),
    ("Lorenz", FIRST),
    ("Lotka and Volterra", HIDDEN),
    ("Lotka and Volterra", FIRST),
)


def read(system: str, kind: str, number: str = "error") -> Callable[[Found], Sequence[float]]:
    """A side of a criterion: a number of a cell."""
    return lambda of: of(title(system, kind), number)


def constant(of: Found) -> list[float]:
    """What a circle, or who says the mean, has for every seed."""
    return [1.0] * SEEDS


PLAN = Plan(
    cells=lambda: [cell(*shape) for shape in SHAPES],
    sides={
        "Lorenz, linear readout": read("Lorenz", LINEAR),
        "Lorenz, hidden layer": read("Lorenz", HIDDEN),
        "protein transduction, linear readout": read("protein transduction", LINEAR),
        "protein transduction, hidden layer": read("protein transduction", HIDDEN),
        "who says the mean": constant,
        "least radius of a trained eigenvalue, protein transduction": read("protein transduction", HIDDEN, number="least radius"),
        "the unit circle": constant,
        "Lotka and Volterra, recurrence at its first weights": read("Lotka and Volterra", FIRST),
        "Lotka and Volterra, recurrence trained": read("Lotka and Volterra", HIDDEN),
        "greatest radius of the first eigenvalues, Lotka and Volterra": read("Lotka and Volterra", HIDDEN, number="first greatest radius"),
        "greatest radius of the trained eigenvalues, Lotka and Volterra": read("Lotka and Volterra", HIDDEN, number="greatest radius"),
        "Lorenz, hidden layer, last tenth of the interval": read("Lorenz", HIDDEN, number="last tenth"),
        "Lorenz, hidden layer, the rest": read("Lorenz", HIDDEN, number="the rest"),
        "Lorenz, hidden layer, recurrence at its first weights": read("Lorenz", FIRST),
        "Lorenz, hidden layer, recurrence trained": read("Lorenz", HIDDEN),
    },
    findings={
        ROW: (
            "After a linear recurrence a hidden layer learns far more of the Lorenz system than a linear readout does",
            "On the Lorenz system a hidden layer is not shown to be better than a linear readout",
        )
    },
)
