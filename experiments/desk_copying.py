"""Copying by one Bedouin layer some of whose parameters see the output before, and by two Mamba layers, at desk scale (movahedi25, Table 2 and Fig. 4).

A word of training has several copies, read while they are to be said. For Table 2 they have different lengths, w | w v | v u | u; no mark stands before
a word, so places tell nothing, and the first letter of a copy is not asked for. For Fig. 4 they have one length and marks, w | w . v | v . u | u .
Tested on one copy of twice the length.
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
from .desk import Cell, Found, Plan
from .desk_brackets import parameters
from .groups import Tracker
from .layers import Model
from .scales import nearest_width
from .stacked import Member, Recipe
from .tasks import UNASKED, Generator, Task
from .training import TEST

TABLE2, FIG4 = "movahedi25.table2", "movahedi25.fig4"
RATES = (1e-2,)

#: letters to copy; the longest trained word, copies in a word of training, words of the test
LETTERS, TRAINED, COPIES, WORDS = 26, 6, 2, 512

#: copies in a word of Fig. 4's training
MARKED = 3

#: keys and values of a state
KEYS, VALUES = 16, 32

#: of the layer of Fig. 4, reflections, passes in training, passes that are counted at most
REFLECTIONS, BOUND, MOST = 4, 4, 100

FOUR, MAMBA = "Bedouin of four reflections", "Mamba, two layers"

#: the rows of Table 2 that are trained -> what sees the output before
DEPENDS = {"lambda, Q, B, C": PARTS, "B, C": ("write", "read"), "lambda, Q": ("decay", "mixer"), "none": ()}


def streams(lengths: np.ndarray, total: int, rng: Generator) -> tuple[np.ndarray, np.ndarray]:
    """Words of these lengths (batch, words), each followed by "|" and itself, cut off after so many letters, and what is asked for.

    In a copy the next letter is asked for, so that the first is not. Raises ``ValueError`` if the words do not fill the letters.
    """
    drawn = rng.integers(LETTERS, size=(*lengths.shape, int(lengths.max())))
    ends = np.cumsum(2 * lengths + 1, axis=1)
    if ends[:, -1].min() < total:
        raise ValueError(f"expected words that fill {total} letters, got one of {ends[:, -1].min()}")
    at = np.arange(total)
    which = (at[:, None] >= ends[:, None, :]).sum(-1)
    row = np.arange(len(lengths))[:, None]
    own = lengths[row, which]
    # places from "|" on
    place = at - (ends[row, which] - own - 1)
    words = np.where(place == 0, LETTERS, drawn[row, which, np.where(place < 0, place + own, place - 1)])
    asked = (place > 0) & (place < own)
    return words, np.where(asked, drawn[row, which, np.where(asked, place, 0)], UNASKED)


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


def copies() -> Task:
    """Streams of words of 2 letters up to the given length, with places for ``COPIES`` of the longest."""

    def sample(batch: int, length: int, rng: Generator) -> tuple[np.ndarray, np.ndarray]:
        total = COPIES * (2 * length + 1)
        return streams(rng.integers(2, length, size=(batch, total // 5 + 1), endpoint=True), total, rng)

    names = tuple(map(str, range(LETTERS)))
    return Task("copies", (*names, "|"), names, sample)


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


def one_copy(name: str, length: int, seed: int) -> tuple[torch.Tensor, np.ndarray]:
    """Test words with one copy of a length, as a cell is trained on them, and what is asked for."""
    rng = np.random.default_rng([seed, TEST])
    if name in DEPENDS:
        words, targets = streams(np.full((WORDS, 1), length), 2 * length + 1, rng)
    else:
        words, targets = marked(1).sample(WORDS, length, rng)
    return torch.from_numpy(words), targets


@torch.no_grad()
def right(network: nn.Module, name: str, length: int, seed: int) -> float:
    """The share of right letters in one copy of a length."""
    words, targets = one_copy(name, length, seed)
    asked = targets != UNASKED
    return float((network(words).argmax(-1).numpy() == targets)[asked].mean())


@torch.no_grad()
def settling(network: Tracker, seed: int) -> float:
    """The passes that copies of twice the trained length take until one changes the outputs by less than a tenth, ``MOST`` at most."""
    layer = network.layer
    bound, layer.bound, layer.most = layer.bound, 0, MOST
    network(one_copy(FOUR, 2 * TRAINED, seed)[0])
    layer.bound = bound
    return float(layer.passes)


def measured(network: nn.Module, member: Member, use: int) -> dict[str, float]:
    """The share of right letters at the trained length and at twice that, with the passes of training; of four reflections the passes to the fixed point."""
    seed = member.seed if use == TEST else 1000 + member.seed
    if member.kind == FOUR:
        assert isinstance(network, Tracker)
        network.layer.passed = MethodType(passed_quickly, network.layer)
    found = {name: right(network, member.kind, n, seed) for name, n in (("trained length", TRAINED), ("twice", 2 * TRAINED))}
    if member.kind == FOUR and isinstance(network, Tracker) and use == TEST:
        found["passes"] = settling(network, seed)
    return found


def cell(name: str) -> Cell:
    """A layer of Table 2 or of Fig. 4."""
    table = name in DEPENDS
    facts = {"state": [KEYS, VALUES], "letters": LETTERS, "copies": COPIES, "reflections": REFLECTIONS, "bound": BOUND}
    return Cell(
        name=name,
        rows=(TABLE2 if table else FIG4,),
        task=copies() if table else marked(MARKED),
        build=build,
        recipe=Recipe(steps=3500 if table else 2000, shortest=2, first=3, longest=TRAINED, grown=0.3, batch=16),
        rates=RATES,
        measure=measured,
        by="twice",
        most=True,
        guess={"trained length": 1 / LETTERS, "twice": 1 / LETTERS, "passes": float(MOST)},
        facts=facts if table else facts | {"marked": MARKED},
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
            "At twice the trained length it does not decide copying by a Bedouin layer whether B and C see the output before",
        ),
        FIG4: (
            "One Bedouin layer of four reflections copies words of twice the trained length better than two Mamba layers",
            "One Bedouin layer of four reflections does not copy words of twice the trained length better than two Mamba layers",
        ),
    },
)
