"""Whether a fused kernel keeps its contract: both take one draw of tokens from the same random state."""

from __future__ import annotations

import copy
import inspect
import os
from contextlib import nullcontext
from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import torch

from ..kernels.interpreter import patched
from .contracts import VERSION, Arguments, Contract, arguments_at
from .steps import Refused

if TYPE_CHECKING:
    from .flash import Contracted

#: how far the two may be apart in float32, beside the largest entry
APART = 1e-4


def device() -> str | None:
    """Where kernels can run in this process: on a GPU, or by Triton's interpreter on the processor; None if neither is there."""
    if torch.cuda.is_available():
        return "cuda"
    return "cpu" if os.environ.get("TRITON_INTERPRET") == "1" else None


def how_held(step: Contracted, name: str) -> str:
    """How a contract is known to hold, in words.

    Raises :class:`~.steps.Refused` if the kernel is seen to break it, or if it cannot be run and its version is not the one held to it.
    """
    if device() is None:
        found = version("flash-linear-attention")
        if found != VERSION:
            raise Refused(
                f"expected flash-linear-attention {VERSION}, to whose kernels the contracts are held, got {found} and no way to run them"
            )
        return f"not compared in this process; tests compare it in version {VERSION}"
    gap = gap_to_kernel(step)
    if not gap <= APART:
        raise Refused(f"expected a kernel that keeps its contract, got states {gap:.1g} apart: {step.kernel} of {name}")
    return "compared with the kernel on a draw"


def gap_to_kernel(step: Contracted, first: int = 0) -> float:
    """The largest distance of the kernel's last state from the contract's, in float32, beside the largest entry; micro-steps before the first are left out."""
    step = copy.deepcopy(step).float()
    x = torch.randn(1, step.window, step.hidden, generator=torch.Generator().manual_seed(1))
    contract, kernel, arguments, _ = step.called(x)
    steps = step.window * step.factors
    values = () if contract.shape == "x" else (arguments["v"].shape[-1],)
    start = torch.randn(1, *step.shape, *values, generator=torch.Generator().manual_seed(2))
    there = _last_state(getattr(import_module(type(step.layer).__module__), kernel), arguments, start)[0]
    with torch.no_grad():
        if not values:
            state = _run(contract, start[0], arguments, range(first, steps), steps)
        else:
            # column by column
            state = torch.stack(
                [
                    _run(
                        contract,
                        start[0, ..., j],
                        arguments | {n: arguments[n][..., j : j + 1] for n in contract.columns},
                        range(first, steps),
                        steps,
                    )
                    for j in range(*values)
                ],
                dim=-1,
            )
    return float((state - there).abs().max() / max(1.0, float(there.abs().max())))


def _run(contract: Contract, state: torch.Tensor, arguments: Arguments, times: range, steps: int) -> torch.Tensor:
    for t in times:
        state = contract.rule(state, arguments_at(arguments, t, steps))
    return state


def _last_state(function: Any, arguments: Arguments, start: torch.Tensor) -> torch.Tensor:
    """The state after a kernel, keys before values."""
    where = device() or "cpu"
    turned = bool(arguments.get("state_v_first")) and start.ndim == 4
    given = (start.transpose(-1, -2) if turned else start).contiguous().clone()
    options = arguments | {"initial_state": given, "output_final_state": True}
    known = inspect.signature(function).parameters
    moved = {k: v.to(where) if isinstance(v, torch.Tensor) else v for k, v in options.items() if k in known}
    with torch.no_grad(), patched() if where == "cpu" else nullcontext():
        last = function(**moved)[1].to("cpu")
    return last.transpose(-1, -2) if turned else last
