"""Copying by one Bedouin layer some of whose parameters see the output before, and by two Mamba layers, at desk scale (movahedi25, Table 2 and Fig. 4).

A word of training has several copies of one length, read while they are to be said, w | w . v | v . u | u . Tested on one copy of twice the length.
Layers of Table 2 are trained and tested at the fixed point, those of Fig. 4 with ``BOUND`` passes, whose gradient goes through all of them.
"""

from __future__ import annotations

from functools import partial
from types import MethodType

import numpy as np
import torch
from torch import nn

from .bedouin_layer import PARTS, Bedouin
from .compiled_passes import passed_quickly
from .desk import Cell, Plan
from .desk_brackets import parameters
from .groups import Tracker
from .judged import Found
from .layers import Model
from .scales import nearest_width
from .stacked import Member, Recipe
from .tasks import UNASKED, Generator, Task
from .training import TEST

TABLE2, FIG4 = "movahedi25.table2", "movahedi25.fig4"
RATES = (1e-2,)

#: letters to copy; the longest trained word, copies in a word of training, words of the test
LETTERS, TRAINED, COPIES, WORDS = 26, 6, 3, 512

#: keys and values of a state
KEYS, VALUES = 16, 32

#: of the layer of Fig. 4, reflections, passes in training, passes that are counted at most
REFLECTIONS, BOUND, MOST = 4, 4, 100

FOUR, MAMBA = "Bedouin of four reflections", "Mamba, two layers"

#: the rows of Table 2 that are trained -> what sees the output before
DEPENDS = {"lambda, Q, B, C": PARTS, "B, C": ("write", "read"), "lambda, Q": ("decay", "mixer"), "none": ()}


def marked(count: int) -> Task:
    """So many words of the given length, each followed by "|", itself and "."; asked for is its next letter, from "|" on."""

    def sample(batch: int, length: int, rng: Generator) -> tuple[np.ndarray, np.ndarray]:
        drawn = rng.integers(LETTERS, size=(batch, count, length))
        sign = lambda i: np.full((batch, count, 1), LETTERS + i)  # noqa: E731
        silent = np.full((batch, count, length), UNASKED)
        words = np.concatenate([drawn, sign(0), drawn, sign(1)], axis=2)
        targets = np.concatenate([silent, drawn, silent[:, :, :2]], axis=2)
        return words.reshape(batch, -1), targets.reshape(batch, -1)

    names = tuple(map(str, range(LETTERS)))
    return Task("marked copies", (*names, "|", "."), names, sample)


def bedouin(depends: tuple[str, ...], task: Task, reflections: int = 1) -> Tracker:
    """One layer whose gate does not depend on the letter at first: solved with one reflection, else by passes."""
    layer = Bedouin(len(task.letters), KEYS, VALUES, reflections, depends)
    layer.bound = 0 if reflections == 1 else BOUND
    with torch.no_grad():
        layer.seen.weight[:VALUES] = 0
    return Tracker(layer, len(task.letters), len(task.answers), scan=reflections > 1)


def mamba(width: int, task: Task) -> Model:
    """Two Mamba layers."""
    return Model("Mamba [0, 1]", len(task.letters), len(task.answers), width, depth=2)


def build(member: Member, task: Task) -> nn.Module:
    """The network of a cell; two Mamba layers have about as many parameters as the layer of four reflections."""
    if member.kind in DEPENDS:
        return bedouin(DEPENDS[member.kind], task)
    four = bedouin(PARTS, task, REFLECTIONS)
    return four if member.kind == FOUR else mamba(nearest_width(lambda n: parameters(mamba(n, task)), parameters(four), 64), task)


def one_copy(length: int, seed: int) -> tuple[torch.Tensor, np.ndarray]:
    """Test words with one copy of a length, and what is asked for."""
    words, targets = marked(1).sample(WORDS, length, np.random.default_rng([seed, TEST]))
    return torch.from_numpy(words), targets


@torch.no_grad()
def right(network: nn.Module, length: int, seed: int) -> float:
    """The share of right letters in one copy of a length."""
    words, targets = one_copy(length, seed)
    asked = targets != UNASKED
    return float((network(words).argmax(-1).numpy() == targets)[asked].mean())


@torch.no_grad()
def settling(network: Tracker, seed: int) -> float:
    """The passes that copies of twice the trained length take until one changes the outputs by less than a tenth, ``MOST`` at most."""
    layer = network.layer
    bound, layer.bound, layer.most = layer.bound, 0, MOST
    network(one_copy(2 * TRAINED, seed)[0])
    layer.bound = bound
    return float(layer.passes)


def measured(network: nn.Module, member: Member, use: int) -> dict[str, float]:
    """The share of right letters at the trained length and at twice that, with the passes of training; of four reflections the passes to the fixed point."""
    seed = member.seed if use == TEST else 1000 + member.seed
    if member.kind == FOUR:
        assert isinstance(network, Tracker)
        network.layer.passed = MethodType(passed_quickly, network.layer)
    found = {name: right(network, n, seed) for name, n in (("trained length", TRAINED), ("twice", 2 * TRAINED))}
    if member.kind == FOUR and isinstance(network, Tracker) and use == TEST:
        found["passes"] = settling(network, seed)
    return found


def cell(name: str) -> Cell:
    """A layer of Table 2 or of Fig. 4."""
    return Cell(
        name=name,
        rows=(TABLE2 if name in DEPENDS else FIG4,),
        task=marked(COPIES),
        build=build,
        recipe=Recipe(steps=2000, shortest=2, first=3, longest=TRAINED, grown=0.3, batch=16),
        rates=RATES,
        measure=measured,
        by="twice",
        most=True,
        guess={"trained length": 1 / LETTERS, "twice": 1 / LETTERS, "passes": float(MOST)},
        facts={"state": [KEYS, VALUES], "letters": LETTERS, "copies": COPIES, "reflections": REFLECTIONS, "bound": BOUND},
    )


def number(name: str, what: str, of: Found) -> list[float]:
    """A number of a cell."""
    return of(name, what)


PLAN = Plan(
    cells=lambda: [cell(name) for name in (*DEPENDS, FOUR, MAMBA)],
    sides={
        **{name: partial(number, name, "twice") for name in (*DEPENDS, FOUR, MAMBA)},
        "letters of the longest word": lambda of: [4.0 * TRAINED + 2] * len(of(FOUR, "passes")),
        "passes that a trained network takes": partial(number, FOUR, "passes"),
    },
    findings={
        TABLE2: (
            "A Bedouin layer copies words of twice the trained length if B and C see the output before",
            "It is not shown that B and C must see the output before for a Bedouin layer to copy twice the trained length",
        ),
        FIG4: (
            "One Bedouin layer of four reflections copies words of twice the trained length better than two Mamba layers",
            "One Bedouin layer of four reflections does not copy words of twice the trained length better than two Mamba layers",
        ),
    },
)
