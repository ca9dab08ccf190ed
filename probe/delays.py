"""A part of the state that is forgotten after a few tokens: a delay, such as a short convolution or a token shift that keeps its inputs in the state."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import torch

from .drivers import dependence
from .graph import traced
from .steps import DELAY, Earlier, Step, Weights


def without_delay(step: Step) -> Step | None:
    """The step of the other coordinates, whose input is a window of inputs; None if no part of the state is forgotten, or all of it.

    Which coordinates depend on which is seen on draws; that the delay reads nothing but earlier inputs is then proved by traced graphs, else there is none.
    """
    x = step.draw(torch.Generator().manual_seed(4))
    if step.is_black_box or step.contract or step.earlier or not isinstance(x, torch.Tensor):
        return None
    levels = _levels(dependence(step, x, torch.Generator().manual_seed(4))[0])
    delay = levels[-1] if levels else ()
    if not delay or len(delay) == step.size or not _is_proved(step, levels):
        return None
    return _rest(step, delay, len(levels))


def _levels(depends: np.ndarray) -> list[tuple[int, ...]]:
    """The coordinates that are forgotten after 1, 2, ... tokens: each level depends on the one before alone."""
    found: list[tuple[int, ...]] = []
    while True:
        known = np.zeros(len(depends), dtype=bool)
        known[list(found[-1] if found else ())] = True
        level = tuple(np.flatnonzero(~(depends & ~known).any(1)).tolist())
        if not level or (found and level == found[-1]):
            return found
        found.append(level)


def _is_proved(step: Step, levels: list[tuple[int, ...]]) -> bool:
    """Whether the traced graph of each level, given the one before, does not depend on the other coordinates."""
    for before, level in zip([(), *levels], levels, strict=False):
        graph = traced(_level(step, before, level))
        if graph is None or graph.in_place or graph.degrees.get(graph.output) != 0:
            return False
    return True


def _level(step: Step, given: tuple[int, ...], wanted: tuple[int, ...]) -> Step:
    """The wanted coordinates after a token, as a step of the coordinates that are not given; the input is the input and what is given, in a row."""
    rest = [i for i in range(step.size) if i not in given]
    places, chosen = torch.argsort(torch.tensor([*rest, *given])), torch.tensor(wanted)
    example = step.draw(torch.Generator().manual_seed(0))
    # the graph wants a state in and out: what is wanted is written before zeros
    padding = len(rest)

    def call(weights: Weights, state: torch.Tensor, both: Any) -> torch.Tensor:
        x = both[len(given) :].reshape(example.shape).to(example.dtype)
        after = step(weights, torch.cat([state.reshape(-1), both[: len(given)].to(step.dtype)]).index_select(0, places), x)
        found = after.index_select(0, chosen)
        return torch.cat([found, torch.zeros(padding, dtype=step.dtype)])[:padding] if len(wanted) < padding else found[:padding]

    def draw(generator: torch.Generator) -> torch.Tensor:
        known = torch.randn(len(given), generator=generator, dtype=torch.float64)
        return torch.cat([known, step.draw(generator).reshape(-1).to(torch.float64)])

    return replace(step, shape=(padding,), draw=draw, call=call, many=None, factors=())


def _rest(step: Step, delay: tuple[int, ...], back: int) -> Step:
    """The coordinates beside the delay, from a window of inputs (back + 1, *shape)."""
    kept = [i for i in range(step.size) if i not in delay]
    places, chosen, late = torch.argsort(torch.tensor([*kept, *delay])), torch.tensor(kept), torch.tensor(delay)

    def call(weights: Weights, state: torch.Tensor, window: torch.Tensor) -> torch.Tensor:
        before = torch.zeros(step.size, dtype=step.dtype)
        for x in window[:back]:
            before = step(weights, before, x)
        whole = torch.cat([state.reshape(-1), before.index_select(0, late)]).index_select(0, places)
        return step(weights, whole, window[back]).index_select(0, chosen)

    said = f"{len(delay)} of {step.size} coordinates of the state are a delay, forgotten after {back} token{'s' * (back > 1)}, by the traced graph"
    return replace(
        step,
        shape=(len(kept),),
        draw=lambda generator: torch.stack([step.draw(generator) for _ in range(back + 1)]),
        call=call,
        many=None,
        held=said,
        earlier=(Earlier(back, (DELAY,)),),
        factors=(),
    )
