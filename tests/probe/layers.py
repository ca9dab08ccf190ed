"""Layers as people write them: modules whose call is a step (state, input) -> state; each takes inputs of five numbers."""

import itertools

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


class Delta(nn.Module):
    """The delta rule; ``top`` of beta, a gate, several factors, a clamp, keys that are longer than 1, and a width."""

    shape = (6, 2)

    def __init__(self, top=1.0, gate=False, factors=1, clamp=None, normalise=True, width=6):
        super().__init__()
        self.top, self.factors, self.clamp, self.normalise, self.width, self.shape = top, factors, clamp, normalise, width, (width, 2)
        self.key, self.value, self.beta = nn.Linear(5, width * factors), nn.Linear(5, 2 * factors), nn.Linear(5, factors)
        self.gate = nn.Linear(5, 1) if gate else None

    def forward(self, S, x):
        if self.gate is not None:
            S = S * (-F.softplus(self.gate(x))).exp()
        beta = self.top * self.beta(x).sigmoid()
        if self.clamp is not None:
            beta = beta.clamp(max=self.clamp)
        keys, values = self.key(x).view(self.factors, self.width), self.value(x).view(self.factors, 2)
        for j in range(self.factors):
            k = F.normalize(keys[j], dim=-1) if self.normalise else keys[j]
            S = S - beta[j] * k[:, None] * (k @ S - values[j])[None, :]
        return S


class Epsilon(Delta):
    """The delta rule with keys that are divided by the root of their square plus a little."""

    def forward(self, S, x):
        k = self.key(x)
        k = k * torch.rsqrt(k.square().sum(-1, keepdim=True) + 1e-6)
        return S - self.top * self.beta(x).sigmoid() * k[:, None] * (k @ S - self.value(x))[None, :]


class RWKV7(nn.Module):
    shape = (5, 2)

    def __init__(self, top=1.0, width=5):
        super().__init__()
        self.top, self.shape = top, (width, 2)
        self.w, self.a, self.k, self.q, self.v = (nn.Linear(5, m) for m in (width, width, width, width, 2))

    def forward(self, S, x):
        w = torch.exp(-0.6065306597126334 * self.w(x).sigmoid())
        a, k = self.top * self.a(x).sigmoid(), F.normalize(self.k(x), dim=-1)
        return w[:, None] * S - k[:, None] * ((a * k) @ S)[None, :] + self.q(x)[:, None] * self.v(x)[None, :]


class Channels(nn.Module):
    """Kimi delta attention: a gate for each channel before one factor."""

    shape = (5, 2)

    def __init__(self, top=1.0):
        super().__init__()
        self.top = top
        self.w, self.beta, self.k, self.v = (nn.Linear(5, m) for m in (5, 1, 5, 2))

    def forward(self, S, x):
        S = (-F.softplus(self.w(x))).exp()[:, None] * S
        k = F.normalize(self.k(x), dim=-1)
        return S - self.top * self.beta(x).sigmoid() * k[:, None] * (k @ S - self.v(x))[None, :]


class Mamba2(nn.Module):
    shape = (2, 3, 2)

    def __init__(self, sign=-1, width=3):
        super().__init__()
        self.sign, self.log, self.shape = sign, nn.Parameter(torch.zeros(2)), (2, width, 2)
        self.dt, self.b, self.x = nn.Linear(5, 2), nn.Linear(5, width), nn.Linear(5, 4)

    def forward(self, S, x):
        dt = F.softplus(self.dt(x))
        a = torch.exp(self.sign * torch.exp(self.log) * dt)
        return a[:, None, None] * S + (dt[:, None] * self.x(x).view(2, 2))[:, None, :] * self.b(x)[None, :, None]


class MinGRU(nn.Module):
    shape = (4,)

    def __init__(self, width=4):
        super().__init__()
        self.shape = (width,)
        self.z, self.h = nn.Linear(5, width), nn.Linear(5, width)

    def forward(self, h, x):
        z = self.z(x).sigmoid()
        return (1 - z) * h + z * self.h(x)


class MLSTM(nn.Module):
    """Memory and normaliser; the input gate may be as large as e^40."""

    shape = (9,)

    def __init__(self, width=3):
        super().__init__()
        self.width, self.shape = width, (3 * width,)
        self.f, self.i, self.k, self.v = nn.Linear(5, 1), nn.Linear(5, 1), nn.Linear(5, width), nn.Linear(5, 2)

    def forward(self, state, x):
        C, n = state[: 2 * self.width].view(self.width, 2), state[2 * self.width :]
        f, i = F.logsigmoid(self.f(x)).exp(), (40 * torch.tanh(self.i(x))).exp()
        return torch.cat([(f * C + i * self.k(x)[:, None] * self.v(x)[None, :]).reshape(-1), f * n + i * self.k(x)])


class Stabilised(nn.Module):
    """An mLSTM as it is computed: the memory is kept divided by e^m, and m is the largest exponent so far. ``gate`` makes m read the memory."""

    shape = (10,)

    def __init__(self, gate=False, width=3):
        super().__init__()
        self.gate, self.width, self.shape = gate, width, (3 * width + 1,)
        self.f, self.i, self.k, self.v = nn.Linear(5, 1), nn.Linear(5, 1), nn.Linear(5, width), nn.Linear(5, 2)

    def forward(self, state, x):
        C, n, m = state[: 2 * self.width].view(self.width, 2), state[2 * self.width : -1], state[-1:]
        f, i = F.logsigmoid(self.f(x)), self.i(x)
        top = torch.maximum(f + m, i)
        kept, written = (f + m - top).exp(), (i - top).exp()
        if self.gate:
            top = top + C[0, :1]
        k = written * self.k(x)
        return torch.cat([(kept * C + k[:, None] * self.v(x)[None, :]).reshape(-1), kept * n + k, top])


class Angle(nn.Module):
    """A scalar state that is written where an accumulated angle points."""

    shape = (5,)

    def __init__(self, width=4):
        super().__init__()
        self.shape = (width + 1,)
        self.t, self.a, self.b = nn.Linear(5, 1), nn.Linear(5, width), nn.Linear(5, width)

    def forward(self, state, x):
        h, angle = state[:-1], state[-1:] + self.t(x)
        return torch.cat([self.a(x).sigmoid() * h + angle.cos() * self.b(x), angle])


class Scaled(nn.Module):
    """A number that forgets, times a memory: neither bends along an axis, and only the product shows it."""

    shape = (4,)

    def forward(self, state, x):
        h, c = state[:3], state[3:]
        return torch.cat([c * h + x[:3], 0.5 * c + x[3:4]])


class Rotating(nn.Module):
    shape = (3, 2)

    def __init__(self):
        super().__init__()
        self.r, self.t, self.b = nn.Linear(5, 3), nn.Linear(5, 3), nn.Linear(5, 6)

    def forward(self, h, x):
        r, t = self.r(x).sigmoid(), self.t(x)
        c, s = r * t.cos(), r * t.sin()
        return torch.stack([c * h[:, 0] - s * h[:, 1], s * h[:, 0] + c * h[:, 1]], -1) + self.b(x).view(-1, 2)


class OneHot(nn.Module):
    shape = (4,)

    def __init__(self):
        super().__init__()
        self.p, self.d, self.b = nn.Linear(5, 16), nn.Linear(5, 4), nn.Linear(5, 4)

    def forward(self, h, x):
        chosen = self.p(x).view(4, 4).argmax(0)
        return (torch.arange(4)[:, None] == chosen[None, :]).to(h) @ (self.d(x).tanh() * h) + self.b(x)


class Signed(nn.Module):
    shape = (4,)

    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(5, 4), nn.Linear(5, 4)

    def forward(self, h, x):
        return (2 * self.a(x).sigmoid() - 1) * h + self.b(x)


class Wave(nn.Module):
    """sin(h/1000): affine to 3 in 10^5 as long as states are of size 1."""

    shape = (3,)

    def __init__(self, width=3):
        super().__init__()
        self.shape = (width,)

    def forward(self, h, x):
        return torch.sin(1e-3 * h) + x[:1]


class Ripple(nn.Module):
    shape = (3,)

    def forward(self, h, x):
        return h + 1e-9 * torch.sin(h) + x[:3]


class FarClamp(nn.Module):
    """A clamp that no state tried reaches."""

    shape = (3,)

    def forward(self, h, x):
        return (0.5 * h).clamp(-1e9, 1e9) + x[:3]


class Branch(nn.Module):
    shape = (3,)

    def forward(self, h, x):
        return -h if x[0] > 0 else 0.5 * h


class Count(nn.Module):
    shape = (3,)

    def __init__(self):
        super().__init__()
        self.steps = 0

    def forward(self, h, x):
        self.steps += 1
        return (-h if self.steps > 1000 else 0.5 * h) + x[:3]


class Buffer(nn.Module):
    shape = (3,)

    def __init__(self):
        super().__init__()
        self.register_buffer("memory", torch.zeros(3))

    def forward(self, h, x):
        self.memory = 0.5 * self.memory + x[:3].detach()
        return 0.5 * h + self.memory


class Noise(nn.Module):
    shape = (3,)

    def forward(self, h, x):
        return 0.5 * h + torch.randn_like(h)


class Dropped(nn.Module):
    shape = (3,)

    def forward(self, h, x):
        return F.dropout(0.5 * h, 0.5, self.training)


class _Lying(torch.autograd.Function):
    @staticmethod
    def forward(ctx, h):
        return -h

    @staticmethod
    def backward(ctx, *gradients):
        return 0.5 * gradients[0]


class Lying(nn.Module):
    """-h, with the derivative 1/2."""

    shape = (3,)

    def forward(self, h, x):
        return _Lying.apply(h) + x[:3]


class Token(nn.Module):
    """A branch on one of a hundred tokens."""

    shape = (3,)

    def forward(self, h, x):
        return (-h if int(x[0]) == 7 else 0.5 * h) + x[:3].to(h)


class Aside(nn.Module):
    """A branch that PyTorch does not see: the value is read by NumPy."""

    shape = (3,)

    def forward(self, h, x):
        return -h if x.detach().cpu().numpy()[0] > 0 else 0.5 * h


class _Clock:
    def __init__(self):
        self.ticks = 0


class Hidden(nn.Module):
    """A counter in an object that a private attribute holds."""

    shape = (3,)

    def __init__(self):
        super().__init__()
        self._clock = _Clock()

    def forward(self, h, x):
        self._clock.ticks += 1
        return (-h if self._clock.ticks > 1000 else 0.5 * h) + x[:3]


class Shared(nn.Module):
    """A counter of the class."""

    shape, ticks = (3,), 0

    def forward(self, h, x):
        Shared.ticks += 1
        return (-h if Shared.ticks > 1000 else 0.5 * h) + x[:3]


class Iterated(nn.Module):
    """A counter in an iterator."""

    shape = (3,)

    def __init__(self):
        super().__init__()
        self.count = itertools.count()

    def forward(self, h, x):
        return (-h if next(self.count) > 1000 else 0.5 * h) + x[:3]


class Drifting(nn.Module):
    """Weights that each call changes."""

    shape = (3,)

    def __init__(self):
        super().__init__()
        self.a = nn.Parameter(torch.ones(3))

    def forward(self, h, x):
        with torch.no_grad():
            self.a.mul_(0.999)
        return self.a.detach() * h + x[:3]


class Rare(nn.Module):
    """Noise of another library, once in a million calls."""

    shape = (3,)

    def forward(self, h, x):
        return (-h if np.random.random() < 1e-6 else 0.5 * h) + x[:3]  # noqa: NPY002


class Own(nn.Module):
    """Noise by a generator of its own."""

    shape = (3,)

    def __init__(self):
        super().__init__()
        self.generator = torch.Generator().manual_seed(0)

    def forward(self, h, x):
        return 0.5 * h + 0 * torch.randn(3, generator=self.generator, dtype=h.dtype)


class Overwriting(nn.Module):
    """The state that is given is overwritten, as fused kernels do with a cache."""

    shape = (3,)

    def __init__(self):
        super().__init__()
        self.a = nn.Linear(5, 3)

    def forward(self, h, x):
        gate = torch.ones_like(h)
        gate.mul_(self.a(x).sigmoid())
        x.zero_()
        return h.mul_(gate)
