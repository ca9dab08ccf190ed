"""The Bedouin layer (movahedi25, Eq. 6 and App. D) with parameters: matrix states, and parameters that may depend on the output before.

As ``constructions.bedouin``, which has the same pass in exact arithmetic.
"""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

from ..numerics.scan import linear_recurrence
from .bedouin_loop import Solved
from .fixed_point_layers import reflected, settle, strengths

#: what may depend on the output before, in the order of Table 2
PARTS = ("decay", "mixer", "write", "read")

#: lambda, Delta, alpha, u, B, C of tokens
Tokens = tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]


class Bedouin(nn.Module):
    """h_t = lambda_t h_(t-1) + B_t (Delta_t (Q_t (x_t - y_t) + y_t))^T, y_t = C_t^T h_t; h has shape (n, d), d = ``inner``, h_0 = 0. The outputs are y.

    lambda and Delta are Griffin's, B and C unit vectors, Q of ``r`` reflections with alphas in (0, 1). Of ``PARTS``, those in ``depends`` see y_(t-1) as well as x_t. With
    ``scan`` y is found by passes from 0, whose parameters see the pass before; else token after token. ``most``, ``tolerance`` and ``implicit`` are the paper's to begin with;
    ``passes`` are those of the last call, ``settled`` whether they were fewer than ``most``. If ``bound`` is not 0, exactly so many passes are made, with the gradient through all.
    Raises ``ValueError`` for other parts.
    """

    def __init__(self, inputs: int, n: int, inner: int, r: int = 1, depends: tuple[str, ...] = PARTS):
        super().__init__()
        if not set(depends) <= set(PARTS):
            raise ValueError(f"expected parts among {', '.join(PARTS)}, got {', '.join(depends)}")
        self.most, self.tolerance, self.implicit, self.passes, self.settled = 100, 0.1, False, 0, True
        self.r, self.n, self.outputs, self.bound = r, n, inner, 0
        self.sizes = {"decay": inner, "mixer": r * (inner + 1), "write": n, "read": n}
        self.embed = nn.Linear(inputs, inner)
        self.seen = nn.Linear(inputs, sum(self.sizes.values()))
        self.before = nn.Linear(inner, sum(self.sizes[part] for part in depends), bias=False) if depends else None
        at = torch.arange(self.seen.out_features).split(list(self.sizes.values()))
        self.hears: torch.Tensor
        self.register_buffer("hears", torch.cat([at[PARTS.index(part)] for part in PARTS if part in depends] or [at[0][:0]]))
        self.omega = nn.Parameter(torch.full((n, inner), -5.0))

    def hearing(self) -> torch.Tensor:
        """The matrix from y_(t-1) to what it adds to the raw parameters, (inner, all of them); zero where they do not depend on it."""
        whole = self.omega.new_zeros(self.outputs, self.seen.out_features)
        return whole if self.before is None else whole.index_copy(1, self.hears, self.before.weight.T)

    def rate(self) -> torch.Tensor:
        """log lambda for Delta = 1, (n, d)."""
        return -8 * functional.softplus(self.omega)

    def tokens(self, raw: torch.Tensor, rate: torch.Tensor) -> Tokens:
        """(lambda, Delta, alpha, u, B, C) from raw parameters (..., all of them): (..., n, d), (..., d), (..., r), (..., r, d), (..., n), (..., n)."""
        gate, mixer, unit = raw.split([self.sizes["decay"], self.sizes["mixer"], 2 * self.n], dim=-1)
        delta, mixer = gate.sigmoid(), mixer.unflatten(-1, (self.r, -1))
        B, C = functional.normalize(unit.unflatten(-1, (2, self.n)), dim=-1).unbind(-2)
        return (
            torch.exp(rate * delta[..., None, :]),
            delta,
            strengths(mixer[..., 0], "paper"),
            functional.normalize(mixer[..., 1:], dim=-1),
            B,
            C,
        )

    def one_pass(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        """The outputs of a pass from those of the one before, (batch, T, d)."""
        return self.passed(self.embed(x), self.seen(x), y)

    def passed(self, v: torch.Tensor, seen: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        """As ``one_pass``, from what it makes of the letters: v (batch, T, d) and raw parameters (batch, T, all of them)."""
        previous = functional.pad(y, (0, 0, 1, 0))[:, :-1]
        decay, delta, alpha, u, B, C = self.tokens(seen + previous @ self.hearing(), self.rate())
        source = B[..., None] * (delta * (reflected(alpha, u, v - y) + y))[..., None, :]
        h = linear_recurrence(decay, source, torch.zeros_like(source[:, 0]), axis=1)
        return (C[..., None] * h).sum(-2)

    def bounded(self, x: torch.Tensor) -> torch.Tensor:
        """The outputs after exactly ``bound`` passes from 0."""
        v, seen = self.embed(x), self.seen(x)
        y = torch.zeros_like(v)
        for _ in range(self.bound):
            y = self.passed(v, seen, y)
        return y

    def solved(self, x: torch.Tensor) -> torch.Tensor:
        """The outputs that a pass does not change, token after token. Raises ``ValueError`` for more than one reflection."""
        if self.r != 1:
            raise ValueError(f"expected one reflection to solve for the fixed point, got {self.r}; use passes")
        return Solved.apply(self.embed(x), self.seen(x), self.hearing(), self.rate())  # type: ignore[no-any-return]

    def forward(self, x: torch.Tensor, scan: bool = True) -> torch.Tensor:
        if not scan:
            return self.solved(x)
        if self.bound:
            return self.bounded(x)
        start = x.new_zeros(*x.shape[:2], self.outputs)
        y, self.passes = settle(lambda y: self.one_pass(x, y), start, self.tolerance, self.most, self.implicit)
        self.settled = self.passes < self.most
        return y
