"""Whether a fused kernel keeps its contract: both take one draw of tokens from the same random state."""

from __future__ import annotations

import copy
import inspect
import os
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import torch
from torch.utils._pytree import tree_map_only

from ..kernels.interpreter import patched
from .contracts import VERSION, Arguments, Contract, arguments_at
from .steps import Refused

if TYPE_CHECKING:
    from .flash import Contracted

#: how far the two may be apart in float32, beside the largest entry
APART = 1e-4


def _turned(S: torch.Tensor, arguments: Arguments) -> torch.Tensor:
    """A state in the kernel's order of axes, and back: some keep values before keys."""
    return S.transpose(-1, -2).contiguous() if arguments.get("state_v_first") and S.ndim == 4 else S


@dataclass(frozen=True)
class Call:
    """How a kernel is given its states, and how it returns them: keys before values, the state of the values first.

    Attributes:
        given: Takes the states, the driver or None and the arguments, and returns more arguments.
        last: Takes what the kernel returns and its arguments, and returns the states and the driver, or None if it returns none.
        one_by_one: Whether a token alone is given to a call, as when a text is continued from a cache.
        apart: How far the two may be apart in float32, beside the largest entry.
    """

    given: Callable[[list[torch.Tensor], torch.Tensor | None, Arguments], Arguments] = lambda S, _, a: {"initial_state": _turned(S[0], a)}
    last: Callable[[Any, Arguments], tuple[list[torch.Tensor], torch.Tensor | None]] = lambda out, a: ([_turned(out[1], a)], None)
    one_by_one: bool = False
    apart: float = APART


#: kernels that keep more than one state, or a driver
CALLS = {
    "fused_recurrent_gsa": Call(
        lambda S, _, a: {"initial_state": (S[1].transpose(-1, -2).contiguous(), S[0])},
        lambda out, a: ([out[1][1], out[1][0].transpose(-1, -2)], None),
    ),
    # the sum of the weights so far is not in its states, so that they depend on where a text is cut into calls
    "chunk_abc": Call(
        lambda S, _, a: {"initial_state": (S[1].transpose(-1, -2).contiguous(), S[0])},
        lambda out, a: ([out[1][1], out[1][0].transpose(-1, -2)], None),
        one_by_one=True,
    ),
    # it rounds keys, and keys times a gate, to float16
    "chunk_mesa_net": Call(
        lambda S, _, a: {"h_kv_init": S[0], "h_kk_init": S[1]},
        lambda out, a: ([out[2], out[1]], None),
        apart=2.0**-9,
    ),
    "fused_recurrent_lightnet": Call(
        lambda S, z, a: {"initial_state": (_turned(S[0], a), None if z is None else z[:, None])},
        lambda out, a: ([_turned(out[1][0], a)], out[1][1][:, 0]),
    ),
} | dict.fromkeys(
    ("fused_recurrent_precond_gated_delta_rule", "fused_recurrent_precond_kda"),
    Call(
        lambda S, z, a: {"initial_state": _turned(S[0], a), "initial_A_state": None if z is None else z.exp()},
        lambda out, a: ([_turned(out[1], a)], out[2].log()),
    ),
)


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
    if not gap <= CALLS.get(step.kernel, Call()).apart:
        raise Refused(f"expected a kernel that keeps its contract, got states {gap:.1g} apart: {step.kernel} of {name}")
    return "compared with the kernel on a draw"


def gap_to_kernel(step: Contracted, first: int = 0) -> float:
    """The largest distance of the kernel's last states from the contract's, in float32, beside the largest entry; micro-steps before the first are left out."""
    step = copy.deepcopy(step).float()
    x = torch.randn(1, step.window, step.hidden, generator=torch.Generator().manual_seed(1))
    contract, kernel, arguments, _ = step.called(x)
    steps, call = step.window * step.factors, CALLS.get(kernel, Call())
    generator = torch.Generator().manual_seed(2)
    shape = step.shape[1:] if contract.driven else step.shape
    writes = contract.writes(arguments)
    starts = [torch.randn(1, *shape, *(() if w is None else w.shape[-1:]), generator=generator) for w in writes or [None]]
    driver = torch.randn(1, *shape, generator=generator) if contract.driven else None
    function = getattr(import_module(type(step.layer).__module__), kernel)
    there, drove = starts, driver
    for given in _tokens(arguments, steps) if call.one_by_one else [arguments]:
        after = _called(function, given | {"output_final_state": True} | call.given(there, drove, given))
        there, drove = call.last(after, given)
    gap, largest = 0.0, 1.0
    with torch.no_grad():
        for start, write, last in zip(starts, writes or [None], there, strict=True):
            columns = range(1) if write is None else range(start.shape[-1])
            for j in columns:
                column = start[0] if write is None else start[0, ..., j]
                given = arguments if write is None else arguments | _column(contract, arguments, write, j)
                state = column if driver is None else torch.stack([driver[0], column])
                after = _run(contract, state, given, range(first, steps), steps)
                pairs = [(after if driver is None else after[1], last[0] if write is None else last[0, ..., j])]
                pairs += [] if drove is None else [(after[0], drove[0])]
                gap = max([gap, *(float((ours - theirs).abs().max()) for ours, theirs in pairs)])
                largest = max([largest, *(float(theirs.abs().max()) for _, theirs in pairs)])
    return gap / largest


def _tokens(arguments: Arguments, steps: int) -> list[Arguments]:
    """The arguments of calls for one token each."""
    is_long = {name: isinstance(v, torch.Tensor) and v.ndim >= 2 and v.shape[:2] == (1, steps) for name, v in arguments.items()}
    return [{name: v[:, t : t + 1].contiguous() if is_long[name] else v for name, v in arguments.items()} for t in range(steps)]


def _column(contract: Contract, arguments: Arguments, write: torch.Tensor, j: int) -> Arguments:
    """The arguments of one column of a state, of what is written into it."""
    return {name: (write if name == "v" else arguments[name])[..., j : j + 1] for name in contract.columns}


def _run(contract: Contract, state: torch.Tensor, arguments: Arguments, times: range, steps: int) -> torch.Tensor:
    for t in times:
        state = contract.rule(state, arguments_at(arguments, t, steps))
    return state


def _called(function: Any, arguments: Arguments) -> Any:
    """What a kernel returns, on the processor."""
    where = device() or "cpu"
    known = inspect.signature(function).parameters
    moved = {k: v for k, v in arguments.items() if k in known}
    with torch.no_grad(), patched() if where == "cpu" else nullcontext():
        return tree_map_only(torch.Tensor, lambda t: t.to("cpu"), function(**tree_map_only(torch.Tensor, lambda t: t.to(where), moved)))
