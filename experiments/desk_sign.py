"""One unit that keeps a first sign through zeros, bistable or linear, at desk scale (degeeter26, Fig. 6).

About half of the first weights never learn the sign. So training is begun several times for each seed, and the best at the trained length counts,
for bistable and linear units alike.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

from .bistable_persistence import build as unit
from .bistable_persistence import first_sign
from .blocks import Reader, predictions
from .criteria import SEEDS
from .desk import Cell, Plan
from .judged import Found
from .once import AnsweredOnce, asked_once
from .stacked import Member, Recipe
from .tasks import Task
from .training import Run

ROW = "degeeter26.fig6"
RATES = (0.05, 0.02)

#: what is trained on, what is tested; the last is the row's
TRAINED, TESTED = 100, (2, 5, 20, 50, 100, 300, 1000, 10_000, 100_000)

#: how long a piece of a test sequence is
PIECE = 10_000

#: first weights that are tried for each seed
TRIES = 8

#: thresholds as PyTorch draws them, or at twice the candidates; and the linear unit
STARTS, LINEAR = ("BMRU", "BMRU, doubled"), "LRU"


def build(member: Member, task: Task) -> nn.Module:
    """A unit with its readout."""
    return AnsweredOnce(unit(Run("first-sign", member.kind, member.seed, 1, 1, 1, 1), task))


def errors(network: nn.Module, member: Member, use: int) -> dict[str, float]:
    """The mean squared error on both signs at every length; nothing here is random."""
    assert isinstance(network, AnsweredOnce)
    model = network.model
    return {f"error at {length}": error(model, length) for length in TESTED}  # type: ignore[arg-type]


@torch.no_grad()
def error(model: Reader, length: int) -> float:
    """The mean squared error on both signs after so many steps."""
    signs = torch.tensor([1.0, -1.0])

    def pieces() -> list[torch.Tensor]:
        sizes = [min(PIECE, length - first) for first in range(0, length, PIECE)]
        made = [torch.zeros(2, size, 1) for size in sizes]
        made[0][:, 0, 0] = signs
        return made

    return float((predictions(model, pieces())[:, 0] - signs).square().mean())


def cell(kind: str) -> Cell:
    """A unit; a network that guesses says 0."""
    return Cell(
        name=kind,
        rows=(ROW,),
        task=asked_once(first_sign()),
        build=build,
        recipe=Recipe(steps=2000, shortest=TRAINED, longest=TRAINED, batch=32),
        rates=RATES,
        measure=errors,
        by=f"error at {TRAINED}",
        guess=dict.fromkeys((f"error at {length}" for length in TESTED), 1.0),
        seeds=SEEDS * TRIES,
    )


def tried(of: Found, kind: str) -> tuple[np.ndarray, np.ndarray]:
    """At the better rate, the errors at the trained length of the best try of each seed, and which networks these are, (seeds,)."""
    errors = of.data.validation.sel(cell=kind).values.reshape(-1, SEEDS, TRIES)
    best = errors.min(-1)
    rate = int(np.median(best, axis=-1).argmin())
    return best[rate], rate * SEEDS * TRIES + np.arange(SEEDS) * TRIES + errors[rate].argmin(-1)


def read(of: Found, kind: str, length: int) -> list[float]:
    """The errors of these networks at a length."""
    return of.data.value.sel(cell=kind, number=f"error at {length}").values.ravel()[tried(of, kind)[1]].tolist()


def bistable(of: Found, length: int) -> list[float]:
    """The errors of bistable units, from the start that is better on validation words."""
    return read(of, min(STARTS, key=lambda kind: np.median(tried(of, kind)[0])), length)


def linear(of: Found, length: int) -> list[float]:
    """The errors of linear units."""
    return read(of, LINEAR, length)


PLAN = Plan(
    cells=lambda: [cell(kind) for kind in (*STARTS, LINEAR)],
    sides={
        "LRU at 100,000 steps": lambda of: linear(of, 100_000),
        "BMRU at 100,000 steps": lambda of: bistable(of, 100_000),
        "BMRU at 100 steps": lambda of: bistable(of, TRAINED),
        # both must reach it: of each seed the worse counts
        "BMRU and LRU at the trained length": lambda of: [max(p) for p in zip(bistable(of, TRAINED), linear(of, TRAINED), strict=True)],
        "who says 0": lambda of: [1.0] * SEEDS,
    },
    findings={
        ROW: (
            "A bistable unit keeps a sign at every length; what a linear unit keeps fades",
            "Some bistable units learn a sign and keep it at every length; linear units forget it, learnt or not",
        )
    },
)
