"""The layers of the training house with compiled recurrences: what each makes of its input inside ``torch.vmap`` over networks.

A layer's own code makes the coefficients, so that a layer is described once; only the recurrence is another.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from types import MethodType
from typing import Any

import torch
from torch import nn
from torch.nn import functional

from ..constructions.bistable.torch import BMRU, LRU, Step
from .affine_layers import Affine, FullMatrix
from .bedouin_layer import Bedouin
from .bilinear_layers import SecondOrder
from .compiled_passes import BedouinPass
from .compiled_readers import Gate, Hidden, MicroSteps, Norm
from .compiled_recurrences import BedouinFixed, Convolution, DeltaRule, Entrywise, Matrices, Response, Selective, Steps, of_all, product
from .delta_layers import Delta, GatedDelta
from .fixed_point_layers import Lstm
from .groups import Tracker
from .layers import Between, Diagonal, Model
from .mamba_layer import Mamba
from .queried_delta import QueriedDelta, Short
from .state_space_layers import S4D


def entrywise(a: torch.Tensor, b: torch.Tensor, initial: torch.Tensor) -> torch.Tensor:
    """The states (batch, T, m); complex ones as (Re h, Im h)."""
    states = of_all(Entrywise.apply, a, b, initial.expand_as(b[:, 0]))
    return torch.cat([states.real, states.imag], dim=-1) if states.is_complex() else states


def diagonal(self: Diagonal, x: torch.Tensor, scan: bool = True) -> torch.Tensor:
    return entrywise(*self.coefficients(x))


def linear_unit(self: LRU, x: torch.Tensor, scan: bool = True, initial: torch.Tensor | None = None) -> torch.Tensor:
    b = self.drive(x)
    start = torch.zeros_like(b[:, 0]) if initial is None else torch.complex(*initial.chunk(2, dim=-1))
    return entrywise(self.eigenvalues().expand_as(b), b, start)


def bistable_unit(self: BMRU, x: torch.Tensor, scan: bool = True, initial: torch.Tensor | None = None) -> torch.Tensor:
    candidates = self.candidate(x)
    writes = of_all(Step.apply, candidates.abs() - self.threshold(x).abs(), 0.0, 1.0, self.sharpness)
    signs = of_all(Step.apply, candidates, -1.0, 1.0, self.sharpness)
    return entrywise(1 - writes, writes * signs * self.alpha, -self.alpha if initial is None else initial)


#: outputs of a product come in multiples of this; others are slow
MULTIPLE = 16


def linear(self: nn.Linear, x: torch.Tensor) -> torch.Tensor:
    return of_all(product, x, self.weight, self.bias)


def together(x: torch.Tensor, *maps: nn.Linear) -> torch.Tensor:
    """What several linear maps make of x, by one product, side by side, and zeros after them."""
    missing = -sum(m.out_features for m in maps) % MULTIPLE
    weight = functional.pad(torch.cat([m.weight for m in maps]), (0, 0, 0, missing))
    bias = torch.cat([m.weight.new_zeros(m.out_features) if m.bias is None else m.bias for m in maps])
    return of_all(product, x, weight, functional.pad(bias, (0, missing)))


def micro_steps(self: Delta, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    raw = together(x, self.key, self.value, self.strength)
    return of_all(MicroSteps.apply, raw, self.largest, self.factors, self.n, self.columns)


def delta_states(self: Delta, x: torch.Tensor) -> torch.Tensor:
    """The states (batch, T, n, columns)."""
    return of_all(DeltaRule.apply, *self.micro_steps(x), self.forgotten(x), self.initial.expand(len(x), -1, -1))


def delta(self: Delta, x: torch.Tensor, scan: bool = True) -> torch.Tensor:
    return self.read(delta_states(self, x))


def queried_delta(self: QueriedDelta, x: torch.Tensor, scan: bool = True) -> torch.Tensor:
    return (functional.normalize(self.query(x), dim=-1)[..., None, :] @ delta_states(self, x))[..., 0, :]


def full_matrix(self: FullMatrix, x: torch.Tensor, scan: bool = True) -> torch.Tensor:
    return self.read(of_all(Matrices.apply, *self.maps(x), self.initial.expand(len(x), -1, -1)))


def bedouin(self: Bedouin, x: torch.Tensor, scan: bool = True) -> torch.Tensor:
    """At the fixed point, or after a bounded number of passes. Raises ``ValueError`` for more reflections at the fixed point, and for passes without a bound."""
    if scan and self.bound:
        return self.bounded(x)
    if scan or self.r != 1:
        raise ValueError(
            f"expected a Bedouin layer that is solved, with one reflection, or bounded, got scan={scan} and {self.r}: train it alone"
        )
    return of_all(BedouinFixed.apply, self.embed(x), self.seen(x), self.hearing(), self.rate())


def bedouin_passed(self: Bedouin, v: torch.Tensor, seen: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """The outputs of a pass from those of the one before."""
    previous = functional.pad(y, (0, 0, 1, 0))[:, :-1]
    raw = seen + of_all(product, previous, self.hearing().mT, None)
    return of_all(BedouinPass.apply, raw, v, y, self.rate(), self.r)


def lstm(self: Lstm, x: torch.Tensor, scan: bool = True) -> torch.Tensor:
    """PyTorch's LSTM, letter after letter."""
    cell: Any = self.cell
    units = self.outputs
    drive = of_all(product, x, cell.weight_ih_l0, cell.bias_ih_l0 + cell.bias_hh_l0)
    h = c = torch.zeros_like(drive[:, 0, :units])
    states = []
    for t in range(x.shape[1]):
        enter, keep, new, show = (drive[:, t] + h @ cell.weight_hh_l0.mT).split(units, dim=-1)
        c = keep.sigmoid() * c + enter.sigmoid() * new.tanh()
        h = show.sigmoid() * c.tanh()
        states.append(h)
    return torch.stack(states, dim=1)


def second_order(self: SecondOrder, x: torch.Tensor, scan: bool = True) -> torch.Tensor:
    """Raises ``ValueError`` for tanh in the recurrence of a full product."""
    if self.product != "full":
        drive = of_all(product, x, self.U, self.bias) if self.linear else x.new_zeros(*x.shape[:2], self.outputs)
        V = self.V if self.linear else x.new_zeros(self.outputs, self.outputs)
        more = (of_all(product, x, self.b.mT, None), self.a, self.c) if self.product == "cp" else (None, None, None)
        return of_all(Steps.apply, drive, V, self.initial, self.recurrent, *more)
    if self.recurrent:
        raise ValueError("expected a recurrence that is affine in the state, got tanh around it: train it alone")
    return of_all(Matrices.apply, *self.maps(x), self.initial[:, None].expand(len(x), -1, -1))[..., 0]


def convolved(convolution: nn.Conv1d, x: torch.Tensor) -> torch.Tensor:
    """The silu of a short causal convolution of each channel, (batch, T, channels)."""
    return of_all(Convolution.apply, x, convolution.weight[:, 0], convolution.bias)


def short(self: Short, x: torch.Tensor) -> torch.Tensor:
    return convolved(self.convolution, self.linear(x))


def mamba(self: Mamba, x: torch.Tensor, scan: bool = True) -> torch.Tensor:
    u, z = self.enter(x).chunk(2, dim=-1)
    u = convolved(self.convolution, u)
    read = of_all(Selective.apply, together(u, self.step, self.key, self.query), u, self.log_rate.exp(), self.least)
    return of_all(Gate.apply, read, self.skip, u, z)


def state_space(self: S4D, x: torch.Tensor, scan: bool = True) -> torch.Tensor:
    return of_all(Response.apply, self.kernel(x.shape[1]), x)


def between(self: Between, states: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    first, _, second = self.mix
    skip = self.skip.weight, self.skip.bias
    return self.norm(of_all(Hidden.apply, states, x, first.weight, first.bias, second.weight, second.bias, *skip))


def decoded(self: Model | Tracker, states: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    first, _, second = self.decoder
    return of_all(Hidden.apply, states, x, first.weight, first.bias, second.weight, second.bias)


def normed(self: nn.LayerNorm, x: torch.Tensor) -> torch.Tensor:
    return of_all(Norm.apply, x, self.weight, self.bias, self.eps)


def of_letters(self: Affine, words: torch.Tensor, letters: torch.Tensor) -> torch.Tensor:
    """A loop makes the maps of a letter as quickly as it looks them up."""
    return self(letters[words])


#: of layers that look up the maps of each letter otherwise
AFFINE = {"of_letters": of_letters}

#: layer -> its methods inside ``torch.vmap``, with compiled recurrences
METHODS: dict[type[nn.Module], dict[str, Callable[..., Any]]] = {
    nn.Linear: {"forward": linear},
    nn.LayerNorm: {"forward": normed},
    Between: {"forward": between},
    Model: {"decoded": decoded},
    Tracker: {"decoded": decoded},
    Short: {"forward": short},
    Diagonal: {"forward": diagonal},
    LRU: {"forward": linear_unit},
    BMRU: {"forward": bistable_unit},
    Delta: {"forward": delta, "micro_steps": micro_steps} | AFFINE,
    GatedDelta: {"forward": delta, "micro_steps": micro_steps} | AFFINE,
    QueriedDelta: {"forward": queried_delta} | AFFINE,
    FullMatrix: {"forward": full_matrix} | AFFINE,
    Mamba: {"forward": mamba},
    S4D: {"forward": state_space},
    SecondOrder: {"forward": second_order},
    Bedouin: {"forward": bedouin, "passed": bedouin_passed},
    Lstm: {"forward": lstm},
}

#: layer -> attributes that networks of one stack may differ in, besides their weights
CONSTANTS: dict[type[nn.Module], tuple[str, ...]] = {Delta: ("largest",), GatedDelta: ("largest",), Mamba: ("least",)}


def skeleton(models: list[nn.Module]) -> tuple[nn.Module, dict[str, torch.Tensor]]:
    """One model for all, with compiled recurrences, and its state by name with the axis of the networks first: weights, buffers and constants.

    Raises ``ValueError`` for a layer without a compiled recurrence, and for models whose weights differ in name or shape.
    """
    shapes = [{name: x.shape for name, x in model.state_dict().items()} for model in models]
    if any(other != shapes[0] for other in shapes):
        raise ValueError("expected models with weights of the same names and shapes, got different ones: train them in different stacks")
    whole: Any = deepcopy(models[0])
    state = {name: torch.stack([dict(model.state_dict())[name] for model in models]) for name in shapes[0]}
    for name, module in whole.named_modules():
        kind = type(module)
        if hasattr(module, "outputs") and kind not in METHODS:
            raise ValueError(f"expected a layer among {', '.join(k.__name__ for k in METHODS)}, got {kind.__name__}")
        for method, function in METHODS.get(kind, {}).items():
            setattr(module, method, MethodType(function, module))
        for constant in CONSTANTS.get(kind, ()):
            values = [float(getattr(model.get_submodule(name), constant)) for model in models]
            delattr(module, constant)
            module.register_buffer(constant, torch.tensor(values[0]))
            state[f"{name}.{constant}"] = torch.tensor(values)
    return whole, state
