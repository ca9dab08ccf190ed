"""Networks of many kinds and what ``lemmata certify`` says of each, as one table: ``python -P -m lemmata.experiments.certified``.

Networks are set by hand, or trained here from a seed in seconds. Rows of flash-linear-attention need the extra ``fla``; they are left out without it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np
import torch
from torch import nn

#: what is said of the weights, and of exact weights near them: an exit code of ``cli.exit_codes``, None where nothing affine is near
Codes = tuple[int, int | None]


@dataclass(frozen=True)
class Row:
    """A network: its name, the task, ``make()`` for the checkpoint, options of ``certify``, and the codes of ``weights`` and ``nearby``."""

    name: str
    task: str
    make: Callable[[], Any]
    codes: Codes
    options: dict[str, Any]


class Read(nn.Module):
    """An embedding, a recurrent layer, a head."""

    def __init__(self, embedding: list[list[float]], core: nn.Module, head: nn.Module) -> None:
        super().__init__()
        self.embed = nn.Embedding.from_pretrained(torch.tensor(embedding), freeze=False)
        self.core, self.head = core, head

    def forward(self, words: torch.Tensor) -> torch.Tensor:
        return self.head(self.core(self.embed(words))[0])


def filled(module: nn.Module, **parameters: Any) -> Any:
    """A module with these parameters."""
    with torch.no_grad():
        for name, entries in parameters.items():
            getattr(module, name).copy_(torch.as_tensor(entries, dtype=torch.float32))
    return module


def linear(weight: list[list[float]], bias: list[float]) -> Any:
    """A linear map."""
    return filled(nn.Linear(len(weight[0]), len(weight)), weight=weight, bias=bias)


def relu_parity() -> Read:
    """s = letter + old parity, as (relu(s), relu(s - 1)); the parity is their difference with the second one twice."""
    core = filled(
        nn.RNN(1, 2, nonlinearity="relu", batch_first=True),
        weight_ih_l0=[[1], [1]],
        weight_hh_l0=[[1, -2], [1, -2]],
        bias_ih_l0=[0, -1],
        bias_hh_l0=[0, 0],
    )
    return Read([[0.0], [1.0]], core, linear([[1, -2]], [-0.5]))


def tanh_parity(size: float = 4.0) -> Read:
    """tanh of size (s - 1) and size (s + 1), where s is the sum of letter and parity, each -1 or 1."""
    core = filled(
        nn.RNN(1, 2, batch_first=True),
        weight_ih_l0=[[size], [size]],
        weight_hh_l0=[[-size, size], [-size, size]],
        bias_ih_l0=[-2 * size, 0],
        bias_hh_l0=[0, 0],
    )
    head = nn.Sequential(linear([[-1, 1], [1, -1]], [-1, 1]), nn.ReLU(), linear([[0, 1], [1, 0]], [0, 0]))
    return Read([[-1.0], [1.0]], core, head)


def gated(kind: type[nn.Module], size: float, shut: float = 16.0) -> Any:
    """A GRU or LSTM of two units with h' = tanh(size (W x + U h + b)) as in :func:`tanh_parity`, an LSTM's inside one tanh more; its gates are saturated."""
    W, U, b = torch.tensor([[size], [size]]), torch.tensor([[-size, size], [-size, size]]), torch.tensor([-2 * size, 0])
    # gates before what is new: reset open and update shut, or input open, forget shut and, after it, output open
    shift = torch.tensor([shut, -shut] if kind is nn.GRU else [shut, -shut, 0, shut]).repeat_interleave(2)
    inputs, states = torch.zeros(len(shift) + 2 * (kind is nn.GRU), 1), torch.zeros(len(shift) + 2 * (kind is nn.GRU), 2)
    bias = torch.cat([shift, torch.zeros(len(inputs) - len(shift))])
    inputs[4:6], states[4:6], bias[4:6] = W, U, b
    return filled(
        kind(1, 2, batch_first=True), weight_ih_l0=inputs, weight_hh_l0=states, bias_ih_l0=bias, bias_hh_l0=torch.zeros(len(bias))
    )


def gru_parity() -> Read:
    """:func:`tanh_parity` as a GRU."""
    return Read([[-1.0], [1.0]], gated(nn.GRU, 4.0), tanh_parity().head)


def lstm_parity() -> Read:
    """The same as an LSTM: states are about tanh(1) = 0.76 in size."""
    core, one = gated(nn.LSTM, 8.0), float(np.tanh(1.0))
    with torch.no_grad():
        core.weight_hh_l0.div_(one)
    head = nn.Sequential(linear([[-1, 1], [1, -1]], [-one, one]), nn.ReLU(), linear([[0, 1], [1, 0]], [0, 0]))
    return Read([[-1.0], [1.0]], core, head)


#: keep, set and reset: a latch is on if the last letter but k is s
LATCH, ONE_HOT = "(k|s|r)*sk*", [[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0]]
LATCH_TOKENS = {"k": 0, "s": 1, "r": 2}


def gru_latch(keep: float = 3.0, restore: float = 2.0) -> Read:
    """A GRU of one unit: at k it moves a little towards tanh(restore h - 1/4), which has a fixed point of each sign if restore is 2, and none but about 0 if it is 0."""
    core = filled(
        nn.GRU(3, 1, batch_first=True),
        weight_ih_l0=[[16, -16, -16], [keep, -16, -16], [0, 4, -4]],
        weight_hh_l0=[[0], [0], [restore]],
        bias_ih_l0=[0, 0, -0.25 if restore else 0],
        bias_hh_l0=[0, 0, 0],
    )
    return Read(ONE_HOT, core, linear([[1]], [0]))


def lstm_latch() -> Read:
    """An LSTM of one unit: at k the cell keeps 0.88 of itself and takes half of tanh(4 h - 1/2)."""
    core = filled(
        nn.LSTM(3, 1, batch_first=True),
        weight_ih_l0=[[0, 8, 8], [2, -8, -8], [0, 8, -8], [8, 8, 8]],
        weight_hh_l0=[[0], [0], [4], [0]],
        bias_ih_l0=[0, 0, -0.5, 0],
        bias_hh_l0=[0, 0, 0, 0],
    )
    return Read(ONE_HOT, core, linear([[1]], [0]))


def disturbed(noise: float = 1e-3, seed: int = 0) -> Read:
    """:func:`relu_parity` in units of other sizes, each weight off by about ``noise``."""
    net, sizes = relu_parity(), torch.tensor([3.0, 0.2])
    generator = torch.Generator().manual_seed(seed)
    core: Any = net.core
    with torch.no_grad():
        for p in (core.weight_ih_l0, core.bias_ih_l0, core.weight_hh_l0):
            p.mul_(sizes.view(-1, *[1] * (p.ndim - 1)))
        core.weight_hh_l0.div_(sizes)
        net.head.get_parameter("weight").div_(sizes)
        for p in net.parameters():
            p += noise * torch.randn(p.shape, generator=generator)
    return net


def rotated(group: str, seed: int = 0) -> dict[str, torch.Tensor]:
    """The state dict of a compiled group in a random orthogonal basis, float32."""
    from scipy.stats import special_ortho_group

    from ..constructions.automata import compile_group
    from ..constructions.automata.read.sources import named_group

    model: Any = compile_group(named_group(group)).to_torch(torch.float64, trainable=True, parametrisation="dense")
    weights = {name: x.clone() for name, x in model.state_dict().items()}
    turn = torch.from_numpy(special_ortho_group.rvs(len(weights["layers.0.initial"]), random_state=seed))
    for name in ("maps.A", "maps.B", "initial"):
        weights[f"layers.0.{name}"] = turn @ weights[f"layers.0.{name}"]
    for name in ("maps.A", "read_state"):
        weights[f"layers.0.{name}"] = weights[f"layers.0.{name}"] @ turn.T
    return {name: x.float() for name, x in weights.items()}


def dense(A: Any, initial: Any, head: Any, bias: Any) -> dict[str, torch.Tensor]:
    """The state dict of h' = A[x] h with a linear head."""
    given = {"A": A, "initial": initial, "head.weight": head, "head.bias": bias}
    return {name: torch.as_tensor(np.asarray(x), dtype=torch.float32) for name, x in given.items()}


def trained_dense(seed: int = 5, steps: int = 600) -> dict[str, torch.Tensor]:
    """Parity from scratch: h' = A[x] h, two dense maps of width 2 kept near orthogonal by a penalty, trained on words of at most 28 letters."""
    generator = torch.Generator().manual_seed(seed)

    def drawn(*shape: int) -> torch.Tensor:
        return torch.randn(shape, generator=generator, dtype=torch.float64)

    A = (drawn(2, 2, 2) / 2 + torch.eye(2) / 2).requires_grad_()
    initial, weight, bias = drawn(2).requires_grad_(), drawn(2, 2).requires_grad_(), torch.zeros(2, dtype=torch.float64).requires_grad_()
    optimiser = torch.optim.Adam([A, initial, weight, bias], lr=2e-2)
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = 2e-2 * (1 - step / steps)
        longest = 5 + 24 * step // steps
        words = torch.randint(2, (32, int(torch.randint(2, longest, (1,), generator=generator))), generator=generator)
        h, scores = initial.expand(len(words), 2), []
        for x in words.unbind(1):
            h = (A[x] @ h[..., None])[..., 0]
            scores.append(h @ weight.T + bias)
        loss = nn.functional.cross_entropy(torch.stack(scores, 1).flatten(0, 1), (words.cumsum(1) % 2).flatten())
        loss = loss + 0.3 * ((A.mT @ A - torch.eye(2)) ** 2).sum()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return dense(*(x.detach().numpy() for x in (A, initial, weight, bias)))


def growing() -> dict[str, torch.Tensor]:
    """A parity with the eigenvalue -1.36 on the letter 1: right on every word whose numbers a format has."""
    turn = np.array([[0.8, -0.6], [0.6, 0.8]])
    A = [np.eye(2), turn @ np.diag([-1.36, 0.31]) @ turn.T]
    return dense(A, turn @ [1, 0], [turn @ [1, 0], turn @ [-1, 0]], [0, 0])


def fading() -> dict[str, torch.Tensor]:
    """A parity that halves its state at each 1, with a bias of the answers: wrong after the fifth."""
    return dense([np.eye(1), -np.eye(1) / 2], [1.0], [[1.0], [-1.0]], [0.0, 0.05])


def trained_cell(seed: int = 1, steps: int = 500) -> nn.Module:
    """Parity from scratch by a tanh layer of six units and a head with one hidden layer, on words of at most twelve letters."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        head = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 2))
        net = Read(torch.randn(2, 3).tolist(), nn.RNN(3, 6, batch_first=True), head)
        optimiser = torch.optim.Adam(net.parameters(), lr=1e-2)
        for _ in range(steps):
            words = torch.randint(2, (64, int(torch.randint(1, 13, (1,)))))
            loss = nn.functional.cross_entropy(net(words).flatten(0, 1), (words.cumsum(1) % 2).flatten())
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
    return net


def experiment(steps: int = 300) -> dict[str, Any]:
    """A checkpoint of the experiments' own training loop."""
    from dataclasses import asdict

    from .training import Run, train

    run = Run("parity", "DeltaNet [-1, 1]", 0, 3, steps, 1, 24)
    return {"run": asdict(run), "model": train(run).state_dict()}


def flash_parity(steps: float = 0.0) -> nn.Module:
    """flash-linear-attention's own DeltaNet: the token 2 writes 1, the letter 1 turns the sign; ``steps`` disturbs the strength of that."""
    layers: Any = __import__("fla.layers", fromlist=["DeltaNet"])
    layer = layers.DeltaNet(hidden_size=4, num_heads=1, allow_neg_eigval=True, use_short_conv=False, layer_idx=0)
    axis = torch.eye(4)
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter.zero_()
        # the hidden entry 3 is always 1: it gives key and query; SiLU leaves 32 as it is
        layer.k_proj.weight[0] = layer.q_proj.weight[0] = 32 * axis[3]
        layer.v_proj.weight[0] = 32 * axis[2]
        layer.b_proj.weight[0] = (40.0 - steps) * axis[1] - 40.0 * axis[0]
        layer.o_norm.weight.fill_(1.0)
        layer.o_proj.weight.copy_(axis)
    head = linear([[1, 0, 0, 0], [-1, 0, 0, 0]], [0, 0])
    return Read([[1.0, 0, 0, 1.0], [0, 1.0, 0, 1.0], [0, 0, 1.0, 1.0]], layer, head)


class Wrapped(nn.Module):
    """As DistributedDataParallel wraps a module."""

    def __init__(self, module: nn.Module) -> None:
        super().__init__()
        self.module = module

    def forward(self, words: torch.Tensor) -> torch.Tensor:
        return self.module(words)


def prefixed(prefix: str) -> dict[str, torch.Tensor]:
    """The ReLU network's state dict with a prefix before each name."""
    return {prefix + name: x for name, x in relu_parity().state_dict().items()}


def off_by(shift: float) -> Read:
    """The ReLU network with another threshold."""
    net = relu_parity()
    net.head = linear([[1, -2]], [shift - 0.5])
    return net


ROWS = (
    Row("S₃ in a rotated basis", "S3", lambda: rotated("S3"), (3, 0), {}),
    Row("A₅ in a rotated basis", "A5", lambda: rotated("A5"), (3, 0), {}),
    Row("C₂ × C₂ in a rotated basis", "C2xC2", lambda: rotated("C2xC2"), (3, 0), {}),
    Row("parity from scratch, two dense maps", "parity", trained_dense, (1, 0), {}),
    Row("parity that grows, eigenvalue −1.36", "parity", growing, (1, 3), {}),
    Row("parity that fades, wrong after 5 letters", "parity", fading, (1, 3), {}),
    Row("ReLU layer of PyTorch", "parity", relu_parity, (0, None), {}),
    Row("ReLU layer, another threshold", "parity", lambda: off_by(1.0), (1, 1), {}),
    Row("ReLU layer, disturbed in other units", "parity", disturbed, (1, 0), {}),
    Row("GRU", "parity", gru_parity, (0, None), {}),
    Row("LSTM", "parity", lstm_parity, (0, None), {}),
    Row("GRU, a latch", LATCH, gru_latch, (0, None), {"tokens": LATCH_TOKENS}),
    Row("GRU, a latch that fades", LATCH, lambda: gru_latch(12.0, 0.0), (3, None), {"tokens": LATCH_TOKENS, "begin": (2,)}),
    Row("LSTM, a latch", LATCH, lstm_latch, (0, None), {"tokens": LATCH_TOKENS}),
    Row("tanh layer with an MLP head", "parity", tanh_parity, (0, None), {}),
    Row("tanh layer with an MLP head, trained", "parity", trained_cell, (3, None), {}),
    Row("wrapped as by DistributedDataParallel", "parity", lambda: Wrapped(relu_parity()), (0, None), {}),
    Row("state dict of it", "parity", lambda: prefixed("module."), (0, None), {"nonlinearity": "relu"}),
    Row("state dict of a compiled module", "parity", lambda: prefixed("_orig_mod."), (0, None), {"nonlinearity": "relu"}),
    Row("checkpoint of an experiment", "parity", experiment, (1, 3), {}),
    Row("DeltaNet of flash-linear-attention", "parity", flash_parity, (3, 0), {"begin": (2,)}),
    Row("DeltaNet, a weaker turn", "parity", lambda: flash_parity(38.0), (3, 0), {"begin": (2,)}),
)


def table(rows: tuple[Row, ...] = ROWS) -> Iterator[tuple[Row, Any]]:
    """(row, what is found) of each network that can be built here."""
    from ..api.certify import certify

    for row in rows:
        if row.options.get("begin") and find_spec("fla") is None:
            continue
        yield row, certify(row.make(), row.task, **row.options)


def codes(found: Any) -> Codes:
    """The exit codes of what was found: of the weights, and of exact weights near them."""
    from ..cli.exit_codes import OF

    near = found.report.get("nearby")
    near = near if isinstance(near, str | None) else near["verdict"]
    wrong = found.report["wrong"] is not None
    weights = "wrong" if wrong else "right" if found.verdict == "right" and found.of != "nearby exact weights" else "open"
    return OF[weights], None if near is None else OF[near]


def main() -> int:
    """Print the table; 1 if some code is another than declared."""
    from ..kernels.interpreter import patched

    different = 0
    print("| network | the weights as they are | nearby exact weights | what is said |\n|---|---|---|---|")
    # layers of flash-linear-attention are held to their kernels, in Triton's interpreter
    with patched() if find_spec("fla") else nullcontext():
        for row, found in table():
            got = codes(found)
            different += got != row.codes
            mark = "" if got == row.codes else f" (declared {row.codes})"
            print(f"| {row.name} | {got[0]} | {'' if got[1] is None else got[1]}{mark} | {found.lines[0]} |", flush=True)
    return int(different > 0)


if __name__ == "__main__":
    import os
    import warnings

    warnings.simplefilter("ignore")
    os.environ.setdefault("TRITON_INTERPRET", "1")
    torch.set_num_threads(1)
    sys.exit(main())
