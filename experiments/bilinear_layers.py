"""Linear and second-order RNN layers, and the paper's stacks of them (lizaire26, Definitions 1 and 2, Eq. 2).

A layer maps (batch, T, inputs) to its states (batch, T, units), by the project's scan or step by step. Weights and the learned initial state start
uniformly in [-1, 1] / sqrt(units), as in the paper.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from ..numerics.scan import associative_scan, compose_matrices


class SecondOrder(nn.Module):
    """h_t = A x_1 h_(t-1) x_2 x_t + V h_(t-1) + U x_t + b. Without A ("none") it is a linear RNN.

    ``product`` says what A (units, inputs, units) is: "none", "full", or "cp", of CP rank ``units``: sum_r a_r (x) b_r (x) c_r.
    ``linear`` = False leaves V, U and b out, as in a BIRNN. ``recurrent`` puts tanh around the new state; there is no scan then.
    Raises ``ValueError`` for another product, a layer without any term, and a scan of a layer with tanh.
    """

    def __init__(self, inputs: int, units: int, product: str = "full", linear: bool = True, recurrent: bool = False):
        super().__init__()
        if product not in ("none", "full", "cp") or (product == "none" and not linear):
            raise ValueError(f"expected the product full or cp, or none in a layer with linear terms, got {product!r}")
        self.product, self.linear, self.recurrent, self.outputs = product, linear, recurrent, units

        def uniform(*shape: int) -> nn.Parameter:
            return nn.Parameter((2 * torch.rand(*shape) - 1) / units**0.5)

        if product == "full":
            self.A = uniform(units, inputs, units)
        elif product == "cp":
            self.a, self.b, self.c = uniform(units, units), uniform(inputs, units), uniform(units, units)
        if linear:
            self.V, self.U, self.bias = uniform(units, units), uniform(units, inputs), uniform(units)
        self.initial = uniform(units)

    def tensor(self) -> torch.Tensor:
        """A, shape (units, inputs, units): the first axis meets the state, the second the input, the third is the new state's."""
        if self.product == "cp":
            return torch.einsum("ir,jr,kr->ijk", self.a, self.b, self.c)
        return self.A

    def maps(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """(transition, drive) of each input: (batch, T, units, units), (batch, T, units, 1)."""
        n = self.outputs
        transition = x.new_zeros(*x.shape[:2], n, n)
        if self.product != "none":
            transition = torch.einsum("ijk,btj->btki", self.tensor(), x)
        if not self.linear:
            return transition, x.new_zeros(*x.shape[:2], n, 1)
        return transition + self.V, self._drive(x)[..., None]

    def forward(self, x: torch.Tensor, scan: bool = True) -> torch.Tensor:
        if not scan:
            return self._loop(x)
        if self.recurrent:
            raise ValueError("expected scan=False for tanh in the recurrence, got scan=True: it is not affine in the state")
        products, sums = associative_scan(compose_matrices, self.maps(x), axis=1)
        return (products @ self.initial[:, None] + sums)[..., 0]

    def _drive(self, x: torch.Tensor) -> torch.Tensor:
        return x @ self.U.T + self.bias if self.linear else x.new_zeros(*x.shape[:2], self.outputs)

    def _loop(self, x: torch.Tensor) -> torch.Tensor:
        """Step by step, without forming the transitions where a cheaper order exists."""
        # time first: a step of the loop works on one contiguous slice
        drive = self._drive(x).transpose(0, 1)
        if self.product != "full":
            V = self.V if self.linear else x.new_zeros(self.outputs, self.outputs)
            gates, a, c = ((x @ self.b).transpose(0, 1), self.a, self.c) if self.product == "cp" else (None, None, None)
            states = Steps.apply(drive, V, self.initial, self.recurrent, gates, a, c)
            return states.transpose(0, 1)  # type: ignore[union-attr]
        h, steps = self.initial.expand(len(x), -1), []
        for row, transition in zip(drive, torch.einsum("ijk,btj->tbik", self.tensor(), x), strict=True):
            new = row + torch.bmm(h[:, None], transition)[:, 0]
            new = torch.addmm(new, h, self.V.T) if self.linear else new
            h = new.tanh() if self.recurrent else new
            steps.append(h)
        return torch.stack(steps, dim=1)


class Steps(torch.autograd.Function):
    """The states h_t = f(d_t + V h_(t-1) + c ((a^T h_(t-1)) * g_t)), (T, batch, n), f = tanh or the identity; no c term where gates are None.

    Its gradient is the same recurrence backwards. The gradients of V, a and c are one product over all steps each, where autograd, which goes through
    the loop, adds a small one in each step.
    """

    @staticmethod
    def forward(  # type: ignore[override]
        ctx: Any,
        drive: torch.Tensor,
        V: torch.Tensor,
        initial: torch.Tensor,
        recurrent: bool,
        gates: torch.Tensor | None,
        a: torch.Tensor | None,
        c: torch.Tensor | None,
    ) -> torch.Tensor:
        states = drive.new_empty(len(drive) + 1, *drive.shape[1:])
        states[0] = initial
        slots, backwards = states.unbind(), V.T
        for t, row in enumerate(drive.unbind()):
            new = torch.addmm(row, slots[t], backwards, out=slots[t + 1])
            if gates is not None and a is not None and c is not None:
                new.addmm_((slots[t] @ a) * gates[t], c.T)
            if recurrent:
                new.tanh_()
        ctx.save_for_backward(states, V, gates, a, c)
        ctx.recurrent = recurrent
        return states[1:]

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        states, V, gates, a, c = ctx.saved_tensors
        (grad,) = grads
        errors = torch.empty_like(grad, memory_format=torch.contiguous_format)
        slopes = 1 - states[1:] ** 2 if ctx.recurrent else None
        carried = torch.zeros_like(states[0])
        for t in range(len(grad) - 1, -1, -1):
            error = torch.add(grad[t], carried, out=errors[t])
            if slopes is not None:
                error.mul_(slopes[t])
            carried = error @ V
            if gates is not None:
                carried.addmm_((error @ c) * gates[t], a.T)
        flat, before = errors.flatten(0, 1), states[:-1].flatten(0, 1)
        first = errors, flat.T @ before, carried.sum(0), None
        if gates is None:
            return *first, None, None, None
        read, sent, gate = before @ a, flat @ c, gates.flatten(0, 1)
        return *first, (read * sent).view(gates.shape), before.T @ (sent * gate), flat.T @ (read * gate)


@dataclass(frozen=True)
class Stack:
    """A kind of stack: the layers' terms, and where tanh is applied: nowhere, on every layer's output ("depth"), or around every new state ("recurrence")."""

    product: str
    linear: bool = True
    tanh: str = "nowhere"


STACKS = {
    "linear RNN": Stack("none"),
    "tanh in depth": Stack("none", tanh="depth"),
    "tanh in the recurrence": Stack("none", tanh="recurrence"),
    "2RNN": Stack("full"),
    "BIRNN": Stack("full", linear=False),
    "CPRNN": Stack("cp"),
    "CPRNN, tanh": Stack("cp", tanh="recurrence"),
}


class DeepRNN(nn.Module):
    """``depth`` layers of ``width`` units, each reads the states of the one below, and a linear readout: (batch, T, inputs) to (batch, T, outputs).

    Raises ``ValueError`` for an unknown kind and for no layers.
    """

    def __init__(self, kind: str, inputs: int, outputs: int, width: int, depth: int):
        super().__init__()
        if kind not in STACKS:
            raise ValueError(f"expected a stack among {', '.join(STACKS)}, got {kind!r}")
        if depth < 1:
            raise ValueError(f"expected at least one layer, got {depth}")
        stack = STACKS[kind]
        self.tanh = stack.tanh
        reads = [inputs] + [width] * (depth - 1)
        self.layers = nn.ModuleList(SecondOrder(n, width, stack.product, stack.linear, stack.tanh == "recurrence") for n in reads)
        self.readout = nn.Linear(width, outputs)

    def forward(self, x: torch.Tensor, scan: bool = False) -> torch.Tensor:
        """Short words are faster step by step."""
        for layer in self.layers:
            x = layer(x, scan)
            if self.tanh == "depth":
                x = x.tanh()
        return self.readout(x)


def parameters_counted(model: nn.Module) -> int:
    """The number of parameters with the readout, without initial states, as the paper counts."""
    return sum(p.numel() for name, p in model.named_parameters() if not name.endswith("initial"))
