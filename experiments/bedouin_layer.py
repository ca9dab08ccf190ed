"""The Bedouin layer (movahedi25, Eq. 6 and App. D) with parameters: matrix states, and parameters that may depend on the output before.

As ``constructions.bedouin``, which has the same pass in exact arithmetic.
"""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

from ..numerics.scan import linear_recurrence
from .fixed_point_layers import reflections, settle, strengths

#: what may depend on the output before, in the order of Table 2
PARTS = ("decay", "mixer", "write", "read")


class Bedouin(nn.Module):
    """h_t = lambda_t h_(t-1) + B_t (Delta_t (Q_t (x_t - y_t) + y_t))^T, y_t = C_t^T h_t, solved for y by passes from 0; h has shape (n, d), d = ``inner``.

    lambda and Delta are Griffin's, B and C unit vectors, Q of ``r`` reflections with alphas in (0, 1). Of ``PARTS``, those in ``depends`` see the previous pass's
    y_(t-1) as well as x_t. ``most``, ``tolerance`` and ``implicit`` are the paper's to begin with; ``passes`` are those of the last call. The outputs are y.
    Raises ``ValueError`` for other parts.
    """

    def __init__(self, inputs: int, n: int, inner: int, r: int = 1, depends: tuple[str, ...] = PARTS):
        super().__init__()
        if not set(depends) <= set(PARTS):
            raise ValueError(f"expected parts among {', '.join(PARTS)}, got {', '.join(depends)}")
        self.most, self.tolerance, self.implicit, self.passes = 32, 0.1, False, 0
        self.r, self.outputs, self.depends = r, inner, depends
        self.sizes = {"decay": inner, "mixer": r * (inner + 1), "write": n, "read": n}
        self.embed = nn.Linear(inputs, inner)
        self.seen = nn.ModuleDict({part: nn.Linear(inputs, size) for part, size in self.sizes.items()})
        self.before = nn.ModuleDict({part: nn.Linear(inner, self.sizes[part], bias=False) for part in depends})
        self.omega = nn.Parameter(torch.full((n, inner), -5.0))

    def tokens(self, x: torch.Tensor, y: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        """(lambda, Delta, Q, B, C) from the inputs and the previous pass's outputs: (.., n, d), (.., d), (.., d, d), (.., n), (.., n) after (batch, T)."""
        previous = functional.pad(y, (0, 0, 1, 0))[:, :-1]
        values = {part: self.seen[part](x) for part in PARTS}
        values |= {part: values[part] + self.before[part](previous) for part in self.depends}
        delta = values["decay"].sigmoid()
        raw = values["mixer"].unflatten(-1, (self.r, -1))
        Q = reflections(strengths(raw[..., 0], "paper"), raw[..., 1:])
        B, C = (functional.normalize(values[part], dim=-1) for part in ("write", "read"))
        return torch.exp(-8 * functional.softplus(self.omega) * delta[..., None, :]), delta, Q, B, C

    def one_pass(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        """The outputs of a pass from those of the one before, (batch, T, d)."""
        decay, delta, Q, B, C = self.tokens(x, y)
        mixed = (Q @ (self.embed(x) - y)[..., None])[..., 0] + y
        source = B[..., None] * (delta * mixed)[..., None, :]
        h = linear_recurrence(decay, source, torch.zeros_like(source[:, 0]), axis=1)
        return (C[..., None] * h).sum(-2)

    def forward(self, x: torch.Tensor, scan: bool = True) -> torch.Tensor:
        start = x.new_zeros(*x.shape[:2], self.outputs)
        y, self.passes = settle(lambda y: self.one_pass(x, y), start, self.tolerance, self.most, self.implicit)
        return y
