"""Arithmetic modulo 5 with brackets by two Bedouin layers of four reflections, and by two DeltaNet layers, at desk scale (movahedi25, Table 1 and Fig. 6).

Bedouin layers are trained with ``BOUND`` passes, whose gradient goes through all of them, and tested until a pass changes the outputs by less than a tenth.
"""

from __future__ import annotations

from functools import partial
from types import MethodType

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from .bedouin_layer import Bedouin
from .compiled_passes import passed_quickly
from .desk import Cell, Plan
from .judged import Found
from .layers import Between, Model
from .scales import nearest_width
from .stacked import Member, Recipe
from .tasks import Task, task_named
from .training import TEST, accuracy

FIG6, TABLE1 = "movahedi25.fig6", "movahedi25.table1"
TASK = "bracketed-arithmetic"
RATES = (5e-3,)

#: the longest trained word, lengths of the test, test words of each length
TRAINED, TESTED, WORDS = 21, (23, 29, 35, 41), 128

#: keys and values of a state, reflections, features between layers; passes in training
KEYS, VALUES, REFLECTIONS, HIDDEN, BOUND = 4, 16, 4, 32, 4

#: the bounds of Fig. 6 that are compared; the lengths at which passes are counted, MANY where they do not settle, and words for it
FEW, MANY, LENGTHS, COUNTED = 20, 512, (23, 81), 8

BEDOUIN, DELTANET = "Bedouin of four reflections, two layers", "DeltaNet [-1, 1], two layers"


class TwoBedouins(nn.Module):
    """Two Bedouin layers over one-hot letters, joined and decoded as the layers of ``Model`` are."""

    def __init__(self, letters: int, answers: int):
        super().__init__()
        self.letters = letters
        self.layers = nn.ModuleList(Bedouin(n, KEYS, VALUES, REFLECTIONS) for n in (letters, HIDDEN))
        self.between = Between(VALUES, letters, HIDDEN)
        self.decoder = nn.Sequential(nn.Linear(VALUES + HIDDEN, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, answers))
        for layer in self.bedouins():
            layer.bound = BOUND
            with torch.no_grad():
                layer.seen.weight[:VALUES] = 0

    def bedouins(self) -> list[Bedouin]:
        """The two layers."""
        return [layer for layer in self.layers if isinstance(layer, Bedouin)]

    def settling(self, most: int) -> TwoBedouins:
        """Itself, from now on with passes until one changes the outputs by less than a tenth, ``most`` at most."""
        for layer in self.bedouins():
            layer.bound, layer.most, layer.passed = 0, most, MethodType(passed_quickly, layer)
        return self

    def forward(self, words: torch.Tensor) -> torch.Tensor:
        first, second = self.layers
        x = functional.one_hot(words, self.letters).to(next(self.parameters()).dtype)
        x = self.between(first(x), x)
        return self.decoder(torch.cat([second(x), x], dim=-1))


def parameters(model: nn.Module) -> int:
    """How many numbers a model has."""
    return sum(p.numel() for p in model.parameters())


def delta_net(width: int, task: Task) -> Model:
    """Two DeltaNet layers whose states have as many columns as keys."""
    return Model("DeltaNet [-1, 1]", len(task.letters), len(task.answers), width, hidden=HIDDEN, depth=2, columns=width)


def build(member: Member, task: Task) -> nn.Module:
    """Two Bedouin layers, or two DeltaNet layers with about as many parameters."""
    bedouin = TwoBedouins(len(task.letters), len(task.answers))
    if member.kind == BEDOUIN:
        return bedouin
    return delta_net(nearest_width(lambda width: parameters(delta_net(width, task)), parameters(bedouin), 32), task)


@torch.no_grad()
def scaled(network: nn.Module, seed: int) -> float:
    """The mean scaled accuracy at the tested lengths; only the last letter of a word has an answer."""
    task = task_named(TASK)
    found = [accuracy(lambda words: network(words).argmax(-1), task, n, WORDS, seed)[-1] for n in TESTED]
    return float(np.mean(task.scaled(np.array(found))))


@torch.no_grad()
def passes(network: TwoBedouins, length: int, seed: int) -> float:
    """The passes of the slower layer on words of a length."""
    words, _ = task_named(TASK).sample(COUNTED, length, np.random.default_rng([seed, TEST]))
    network(torch.from_numpy(words))
    return float(max(layer.passes for layer in network.bedouins()))


def measured(network: nn.Module, member: Member, use: int) -> dict[str, float]:
    """Scaled accuracies past the trained length; of Bedouin layers with few and with many passes, and the passes that they take."""
    seed = member.seed if use == TEST else 1000 + member.seed
    if not isinstance(network, TwoBedouins):
        return {"beyond": scaled(network, seed)}
    found = {"beyond": scaled(network.settling(FEW), seed)}
    if use == TEST:
        found["few passes"] = found["beyond"]
        found["beyond"] = scaled(network.settling(MANY), seed)
        found |= {f"passes at {n} letters": passes(network, n, seed) for n in LENGTHS}
    return found


def cell(name: str, rows: tuple[str, ...]) -> Cell:
    """Two layers of a kind."""
    return Cell(
        name=name,
        rows=rows,
        task=task_named(TASK),
        build=build,
        recipe=Recipe(steps=1500, shortest=3, first=5, longest=TRAINED, grown=0.5, apart=2, batch=32, averages=(0.9, 0.99)),
        rates=RATES,
        measure=measured,
        by="beyond",
        most=True,
        guess={"beyond": 0.0, "few passes": 0.0} | {f"passes at {n} letters": float(MANY) for n in LENGTHS},
        facts={"state": [KEYS, VALUES], "reflections": REFLECTIONS, "bound": BOUND, "hidden": HIDDEN},
    )


def number(name: str, what: str, of: Found) -> list[float]:
    """A number of a cell."""
    return of(name, what)


PLAN = Plan(
    cells=lambda: [cell(BEDOUIN, (FIG6, TABLE1)), cell(DELTANET, (TABLE1,))],
    sides={
        BEDOUIN: partial(number, BEDOUIN, "beyond"),
        DELTANET: partial(number, DELTANET, "beyond"),
        f"at most {FEW} passes": partial(number, BEDOUIN, "few passes"),
        f"at most {MANY} passes": partial(number, BEDOUIN, "beyond"),
        # passes of no network settled, so their numbers at two lengths are no sides
    },
    findings={
        FIG6: (
            "Twenty passes are as good as 512 for arithmetic with brackets",
            "Twenty passes are not shown to be as good as 512 for arithmetic with brackets",
        ),
        TABLE1: (
            "Two Bedouin layers calculate with brackets better than two DeltaNet layers of as many parameters",
            "Two Bedouin layers do not calculate with brackets better than two DeltaNet layers of as many parameters",
        ),
    },
)
