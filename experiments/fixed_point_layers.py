"""Fixed-point RNNs with parameters (movahedi25): a diagonal recurrence, iterated in depth until it no longer changes, with the gradient there.

``settle`` is the iteration, with the number of passes it took. ``FixedPoint`` is the layer of Eq. 1 to 4, of Theorem 2.1 and of Eq. 10, over letters.
The matrix states of Eq. 6, whose parameters may depend on the state before, are in ``bedouin_layer.py``. Tokens as in ``constructions.fixed_point``.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn
from torch.nn import functional

Step = Callable[[torch.Tensor], torch.Tensor]


def iterate(step: Step, h: torch.Tensor, tolerance: float, most: int) -> tuple[torch.Tensor, int]:
    """(h, passes): ``step`` again and again from ``h``, until a pass changes the largest entry by less than ``tolerance`` times it, ``most`` passes at most."""
    for passes in range(1, most + 1):
        before, h = h, step(h)
        if (h - before).abs().max() < tolerance * h.abs().max():
            return h, passes
    return h, most


def settle(step: Step, start: torch.Tensor, tolerance: float, most: int, implicit: bool = True) -> tuple[torch.Tensor, int]:
    """(h, passes) as ``iterate``, with the gradient of the last pass alone; ``implicit`` makes it that of the fixed point, (I - J^T)^-1 times it.

    The inverse is applied by the transposed iteration, with the same tolerance (App. B, Eq. 7). Without it, it is what the paper trains with (Theorem 2.2).
    """
    with torch.no_grad():
        h, passes = iterate(step, start, tolerance, most)
    if not torch.is_grad_enabled():
        return h, passes
    out = step(h)
    if implicit and out.requires_grad:
        at = h.clone().requires_grad_()
        image = step(at)

        def solved(g: torch.Tensor) -> torch.Tensor:
            return iterate(lambda v: g + torch.autograd.grad(image, at, v, retain_graph=True)[0], g, tolerance, most)[0]

        out.register_hook(solved)
    return out, passes


def reflections(alpha: torch.Tensor, u: torch.Tensor) -> torch.Tensor:
    """Q = prod_i (I - 2 alpha_i u_i u_i^T / u_i.u_i), Eq. 10: from (..., r) and (..., r, n), shape (..., n, n)."""
    u = functional.normalize(u, dim=-1)
    Q = torch.eye(u.shape[-1], dtype=u.dtype, device=u.device)
    for i in range(u.shape[-2]):
        # Q (I - 2 alpha u u^T)
        column = u[..., i, :, None]
        Q = Q - 2 * alpha[..., i, None, None] * (Q @ column) * column.mT
    return Q


def reflected(alpha: torch.Tensor, u: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """Q v, Q as in ``reflections`` for unit vectors u: from (..., r), (..., r, n) and (..., n), shape (..., n)."""
    for a, w in zip(reversed(alpha.unbind(-1)), reversed(u.unbind(-2)), strict=True):
        v = v - 2 * a[..., None] * (w * v).sum(-1, keepdim=True) * w
    return v


def strengths(raw: torch.Tensor, range_: str) -> torch.Tensor:
    """The alphas of r reflections, (..., r): "paper" in (0, 1) each, "contractive" with a sum below 1/2, for which ||I - Q|| < 1."""
    if range_ == "paper":
        return raw.sigmoid()
    if range_ == "contractive":
        return raw.sigmoid() / (2 * raw.shape[-1])
    raise ValueError(f"expected the range paper or contractive, got {range_!r}")


class FixedPoint(nn.Module):
    """H_t = Lambda_t H_(t-1) + F_t H_t + B_t, F = G (I - Q), solved by passes of the diagonal recurrence from 0; H has shape (n, columns).

    The letters' parameters are free: x (batch, T, letters) is one-hot and picks them. ``gate`` and what it makes of Lambda and G:
    "complement" (Theorem 2.1) 0 < Lambda < 1, G = I - Lambda; "griffin" (App. D) G = Delta in (0, 1), Lambda = exp(-8 softplus(omega) Delta);
    "none" (Eq. 3) G = I, Lambda in (-1, 1). ``mixer`` and what it makes of Q: a number r of reflections with alphas in ``range_``, or 0: any with
    ||I - Q|| < 1. The initial state is learned. ``most``, ``tolerance`` and ``implicit`` may be changed at any time; ``passes`` are those of
    the last call, ``settled`` whether they were fewer than ``most``.
    Raises ``ValueError`` for other gates and ranges.
    """

    def __init__(self, letters: int, n: int, columns: int = 1, gate: str = "none", mixer: int = 0, range_: str = "contractive"):
        super().__init__()
        if gate not in ("complement", "griffin", "none"):
            raise ValueError(f"expected the gate complement, griffin or none, got {gate!r}")
        self.gate, self.mixer, self.range_ = gate, mixer, range_
        self.most, self.tolerance, self.implicit, self.passes, self.settled = 32, 1e-3, True, 0, True
        self.outputs = n * columns
        self.decay = nn.Parameter(torch.randn(letters, n) + (0.0 if gate == "none" else 1.0))
        # Griffin's omega; at -5 decays are between 0.95 and 1
        self.omega = nn.Parameter(torch.full((n,), -5.0)) if gate == "griffin" else None
        self.alpha = nn.Parameter(torch.randn(letters, mixer or 1) + (0.0 if mixer else 2.0))
        self.directions = nn.Parameter(torch.randn(letters, mixer or n, n))
        self.drive = nn.Parameter(torch.zeros(letters, n, columns))
        self.initial = nn.Parameter(torch.randn(n, columns))
        strengths(self.alpha, range_)
        if gate == "none" and not mixer:
            self._start_orthogonal()

    def _start_orthogonal(self) -> None:
        """First weights with A = S exp(K), signs S and rotations by 60 degrees at most: Lambda = S/2, Q = S exp(-K) S/2, so ||I - Q|| <= sqrt 3/2."""
        signs, K = self.decay.detach().sign(), self.directions.detach()
        K = (K - K.mT) / 2
        turn = torch.linalg.matrix_exp(K * (torch.pi / 3 / torch.linalg.matrix_norm(K, 2))[:, None, None])
        one = torch.eye(K.shape[-1], dtype=K.dtype, device=K.device)
        self.place(signs / 2, one - 0.5 * signs[:, :, None] * turn.mT * signs[:, None, :])

    @torch.no_grad()
    def place(self, decay: torch.Tensor, F: torch.Tensor) -> None:
        """Make these Lambda (letters, n), in (-1, 1), and F = I - Q (letters, n, n), of norms below 1, the weights. For layers without gate and reflections."""
        self.decay.copy_(torch.atanh(decay))
        self.directions.copy_(F)
        self.alpha.copy_(torch.logit(torch.linalg.matrix_norm(F, 2))[:, None])

    def mixers(self) -> torch.Tensor:
        """Q of every letter, (letters, n, n)."""
        one = torch.eye(self.directions.shape[-1], dtype=self.decay.dtype, device=self.decay.device)
        if self.mixer:
            return reflections(strengths(self.alpha, self.range_), self.directions)
        size = self.alpha.sigmoid() / torch.linalg.matrix_norm(self.directions, 2)[:, None]
        return one - size[..., None] * self.directions

    def tokens(self) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """(Lambda, F = G (I - Q), B) of every letter: (letters, n), (letters, n, n), (letters, n, columns)."""
        if self.omega is not None:
            gate = self.decay.sigmoid()
            decay = torch.exp(-8 * functional.softplus(self.omega) * gate)
        elif self.gate == "complement":
            decay = self.decay.sigmoid()
            gate = 1 - decay
        else:
            decay, gate = self.decay.tanh(), torch.ones_like(self.decay)
        Q = self.mixers()
        one = torch.eye(Q.shape[-1], dtype=Q.dtype, device=Q.device)
        return decay, gate[..., None] * (one - Q), gate[..., None] * (Q @ self.drive)

    def maps(self) -> tuple[torch.Tensor, torch.Tensor]:
        """(A, C) of every letter's dense recurrence H_t = A H_(t-1) + C, where the passes settle if they do."""
        decay, F, B = self.tokens()
        one = torch.eye(F.shape[-1], dtype=F.dtype, device=F.device)
        return torch.linalg.solve(one - F, torch.diag_embed(decay)), torch.linalg.solve(one - F, B)

    def spectrum(self) -> torch.Tensor:
        """The eigenvalues of the letters' dense transitions, (letters, n), complex."""
        return torch.linalg.eigvals(self.maps()[0])

    def forward(self, x: torch.Tensor, scan: bool = True) -> torch.Tensor:
        """The states (batch, T, n columns): by passes, or with ``scan`` off by the dense recurrence, step by step."""
        if not scan:
            A, C = (torch.einsum("btl,l...->bt...", x, table) for table in self.maps())
            H, steps = self.initial, []
            for t in range(x.shape[1]):
                H = A[:, t] @ H + C[:, t]
                steps.append(H)
            return torch.stack(steps, dim=1).flatten(-2)
        decay, F, B = self.tokens()
        # axes: unit, word, column, time
        a = torch.einsum("btl,ln->nbt", x, decay)
        along = propagator(a)
        first = a[:, :, None, :1] * self.initial[:, None, :, None]
        source = torch.einsum("btl,lnc->nbct", x, B)
        fixed = torch.cat([source[..., :1] + first, source[..., 1:]], dim=-1) @ along
        mixed = self._mixing(F, x)

        def step(h: torch.Tensor) -> torch.Tensor:
            return fixed + mixed(h) @ along

        h, self.passes = settle(step, torch.zeros_like(fixed), self.tolerance, self.most, self.implicit)
        self.settled = self.passes < self.most
        return h.permute(1, 3, 0, 2).flatten(-2)

    def _mixing(self, F: torch.Tensor, x: torch.Tensor) -> Step:
        """h (n, batch, columns, T) to F_t h_t: for few letters by few large products, for many by one for each place of a word."""
        if len(F) > F.shape[-1]:
            placed = torch.einsum("btl,lij->btij", x, F)
            return lambda h: torch.einsum("btij,jbct->ibct", placed, h)
        picks, stacked = x.movedim(-1, 0)[:, None, :, None, :], F.flatten(0, 1)
        return lambda h: ((stacked @ h.flatten(1)).view(len(F), *h.shape) * picks).sum(0)


def propagator(a: torch.Tensor) -> torch.Tensor:
    """The recurrence h_t = a_t h_(t-1) + c_t from 0 as a matrix P, h = c P: from a (..., T) to the products over s < r <= t, (..., s, t), 0 for t < s."""
    T = a.shape[-1]
    columns, column = [], torch.zeros_like(a)
    for t, unit in enumerate(torch.eye(T, dtype=a.dtype, device=a.device)):
        column = a[..., t, None] * column + unit
        columns.append(column)
    return torch.stack(columns, dim=-1)


class Lstm(nn.Module):
    """PyTorch's LSTM, the upper bound of the paper's Figures 1 and 3."""

    def __init__(self, letters: int, units: int):
        super().__init__()
        self.outputs, self.cell = units, nn.LSTM(letters, units, batch_first=True)

    def forward(self, x: torch.Tensor, scan: bool = True) -> torch.Tensor:
        return self.cell(x)[0]
