"""Small recurrent models trained to output the first input (degeeter26, Sec. 5.2), for Figures 6, 8 and 9. Needs torch."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch

from ..constructions.bistable import thermometer
from ..constructions.bistable_torch import BMRU, LRU, LastOutput

#: how long a piece of a long test sequence is
PIECE = 2500


def signs(batch: int, length: int, rng: torch.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    """+1 or -1, then zeros (Fig. 6): inputs (batch, length, 1) and the first one."""
    first = torch.randint(0, 2, (batch,), generator=rng) * 2.0 - 1
    x = torch.zeros(batch, length, 1)
    x[:, 0, 0] = first
    return x, first


def flagged(batch: int, length: int, rng: torch.Generator, sd: float = 1.0, start: bool = True) -> tuple[torch.Tensor, torch.Tensor]:
    """(r_t, f_t) with Gaussian r_t and a flag at the first step, which holds r_1 from N(0, 1) (Sec. 5.2); double precision."""
    r = torch.randn(batch, length, generator=rng, dtype=torch.float64) * sd
    flag = torch.zeros_like(r)
    if start:
        r[:, 0] = torch.randn(batch, generator=rng, dtype=torch.float64)
        flag[:, 0] = 1
    return torch.stack([r, flag], dim=-1), r[:, 0]


def build(kind: str, inputs: int, units: int, hidden: int, seed: int) -> LastOutput:
    """A one-layer model, "BMRU" or "LRU", with as many units and the same readout."""
    torch.manual_seed(seed)
    return LastOutput(BMRU(inputs, units), units, hidden) if kind == "BMRU" else LastOutput(LRU(inputs, units), 2 * units, hidden)


def train(
    model: LastOutput,
    sample: Callable[[int, torch.Generator], tuple[torch.Tensor, torch.Tensor]],
    steps: int,
    batch: int,
    rate: float,
) -> None:
    """Adam on the mean squared error with a one-cycle rate; deterministic for a given model."""
    rng = torch.Generator().manual_seed(1)
    optimiser = torch.optim.Adam(model.parameters(), lr=rate)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=steps)
    for _ in range(steps):
        x, y = sample(batch, rng)
        loss = ((model(x.float()) - y.float()) ** 2).mean()
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        schedule.step()


def errors_at(model: LastOutput, lengths: Sequence[int], sd: float, batch: int, seed: int = 2) -> list[float]:
    """Mean squared errors after each of the increasing ``lengths``, on the same sequences, with noise of standard deviation ``sd``, read in pieces."""
    rng = torch.Generator().manual_seed(seed)
    dtype = next(model.parameters()).dtype
    state, goal, read, errors = None, torch.zeros(0), 0, []
    for length in lengths:
        while read < length:
            x, first = flagged(batch, min(PIECE, length - read), rng, sd, start=read == 0)
            goal = first if read == 0 else goal
            state = model.layer.last_state(x.to(dtype), state)
            read += x.shape[1]
        with torch.no_grad():
            errors.append(float(((model.readout(state)[:, 0] - goal) ** 2).mean()))
    return errors


def by_hand(units: int, reach: float = 3.5) -> LastOutput:
    """The layer of claim new.bistable.copy-first with a linear readout: no training; r within ``reach`` is found within reach / (units + 1)."""
    step = 2 * reach / (units + 1)
    levels = [f"{round(1000 * (-reach + step * (i + 1)))}/1000" for i in range(units)]
    exact = thermometer(levels, 16)
    model = LastOutput(BMRU(2, units), units, 0).double()
    weights = {"candidate": (exact.W_x, exact.b_x), "threshold": (exact.W_beta, exact.b_beta)}
    with torch.no_grad():
        for name, (W, b) in weights.items():
            linear = getattr(model.layer, name)
            linear.weight.copy_(torch.tensor(np.array([[float(v.p) / float(v.q) for v in row] for row in W])))
            linear.bias.copy_(torch.tensor(np.array([float(v.p) / float(v.q) for v in b])))
        readout = model.readout
        readout.weight.fill_(step / 2)
        readout.bias.fill_(0.0)
    return model
