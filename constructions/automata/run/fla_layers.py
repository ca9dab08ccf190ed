"""Compiled networks in the layers of flash-linear-attention as people use them: ``lemmata.compile("S5").to_fla("GatedDeltaProduct")``.

The layer has its default options (short convolution, gates, SiLU, normalised keys) but for sizes, ``allow_neg_eigval`` and the number of factors.
Its keys, values, strengths and gates come out of its own projections exactly (:mod:`.root_keys`): silu(32) is 32 in every format, keys have the
norm 32 or 64 before they are normalised, so the epsilon vanishes, and the scale K^(-1/2) is a power of two. Tokens are one-hot: the letters, then the
tokens that write the first state. Output i is the score of the automaton's state ``answers[i]``. Needs the extra ``fla``.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import nn

from .fla_cells import KINDS, Kind, Layer, refusal
from .fla_mamba import mamba_sizes, require_resets, set_mamba_weights
from .fla_plan import LayerPlan, plan_of
from .root_keys import chunk_needs
from .words import as_batch

if TYPE_CHECKING:
    from ..compiler import Network

#: what is 32 after a SiLU, in every format; its square and four times it are powers of two
RAW = 32.0
#: what the sigmoid makes exactly 0 or 1 of
SATURATED = 1024.0
#: sizes of keys whose scale K^(-1/2) is a power of two
KEY_SIZES = (4, 16, 64, 256)
#: significant bits of the formats
BITS = {torch.bfloat16: 8, torch.float16: 11, torch.float32: 24}
#: versions of flash-linear-attention that the tests run, and the first release, major and minor, of another library beside which each does not work:
#: its layers do not import beside that Triton, and its models are not written by that transformers
TESTED: dict[str, dict[str, tuple[int, int]]] = {"0.6.0": {}, "0.5.2": {"triton": (3, 9), "transformers": (5, 0)}}


@dataclass(eq=False)
class FlaLayer:
    """A layer of flash-linear-attention with weights that compute an automaton.

    Attributes:
        module: the layer itself, ``module(hidden)[0]`` has shape (batch, tokens, hidden_size).
        kind: the name of its class.
        arguments: what the class is called with.
        plan: keys, values and readout.
        before: how many tokens that write the first state come before a word.
        names: what the automaton's states are called.
    """

    module: nn.Module
    kind: Kind
    arguments: dict[str, Any]
    plan: LayerPlan
    before: int
    names: tuple[Hashable, ...]

    def tokens(self, words: torch.Tensor) -> torch.Tensor:
        """(batch, before + length) for letter indices (batch, length) or (length,): the first state's tokens come first.

        Raises ``ValueError`` for padding.
        """
        letters = len(self.plan.letters)
        batch, there = as_batch(words, letters)
        if not bool(there.all()):
            raise ValueError("expected words without padding, got -1")
        first = torch.arange(letters, letters + self.before, device=words.device)
        return torch.cat([first.expand(len(batch), -1), batch], 1)

    def hidden(self, words: torch.Tensor) -> torch.Tensor:
        """The layer's input for letter indices: one-hot tokens, in the data type of its weights."""
        weight = next(self.module.parameters())
        return nn.functional.one_hot(self.tokens(words).to(weight.device), self.arguments["hidden_size"]).to(weight.dtype)

    def scores(self, words: torch.Tensor) -> torch.Tensor:
        """(batch, length, states): a score for each entry of ``plan.answers`` after every letter."""
        return self.module(self.hidden(words))[0][:, self.before :, : len(self.plan.answers)]

    def states(self, words: torch.Tensor) -> torch.Tensor:
        """The automaton's state after every letter of ``words``, letter indices (batch, length)."""
        answers = torch.tensor(self.plan.answers, device=words.device)
        return answers[self.scores(words).argmax(-1).to(words.device)]

    def run(self, word: Iterable[Hashable]) -> list[Hashable]:
        """The names of the states after every letter of one word.

        Raises:
            ValueError: for a letter outside the alphabet.
        """
        number, word = {x: y for y, x in enumerate(self.plan.letters)}, list(word)
        for x in word:
            if x not in number:
                raise ValueError(f"expected a letter among {list(number)}, got {x!r}")
        indices = torch.tensor([[number[x] for x in word]], device=next(self.module.parameters()).device)
        return [self.names[q] for q in self.states(indices)[0].tolist()]

    def before_norm(self, words: Sequence[Sequence[int]] | np.ndarray) -> np.ndarray:
        """What exact arithmetic gives before the layer's ``o_norm``, after every letter: (batch, length, heads, values).

        From the states of the network's proof; keys, values and weights play no part. Raises ``ValueError`` for Mamba-2, which has no such heads.
        """
        if not KINDS[self.kind].delta:
            raise ValueError(f"expected a layer with the delta rule, got {self.kind}")
        batch = np.asarray(words)
        out = np.zeros((*batch.shape, self._module.num_heads, self._module.head_v_dim))
        scale = 2 * RAW * self._module.head_k_dim**-0.5
        state = np.zeros(len(batch), dtype=int)
        for t, letters in enumerate(batch.T):
            state = self.plan.move[state, letters]
            rows = self.plan.matrices[state]
            out[:, t, : rows.shape[1], : rows.shape[2]] = rows * scale
        return out

    def guarantees(self) -> dict[str, str]:
        """For each kernel that the layer calls in the data type of its weights: up to which length its output before ``o_norm`` is exact."""
        dtype = next(self.module.parameters()).dtype
        stored, summed = chunk_needs()
        if not KINDS[self.kind].delta:
            # states are written whole and then left alone: no number is ever changed
            return dict.fromkeys(KINDS[self.kind].paths(dtype), "every length")
        held = self.plan.exact and stored <= BITS[dtype] and summed <= 24
        return dict.fromkeys(KINDS[self.kind].paths(dtype), "every length" if held else "none proved")

    def config(self) -> dict[str, Any]:
        """What a program needs beside the weights, as plain data."""
        return {
            "layer": self.kind,
            "arguments": self.arguments,
            "letters": [str(x) for x in self.plan.letters],
            "first_tokens": list(range(len(self.plan.letters), len(self.plan.letters) + self.before)),
            "states": [str(self.names[q]) for q in self.plan.answers],
            "dtype": str(next(self.module.parameters()).dtype).removeprefix("torch."),
            "guarantees": self.guarantees(),
            "flash_linear_attention": version("flash-linear-attention"),
            "run_on_gpu": False,
        }

    def save(self, folder: str | Path) -> list[Path]:
        """Write ``config.json`` and ``model.safetensors`` into a folder, which is made if it is not there."""
        from safetensors.torch import save

        from ....theorems.files import write_all

        target = Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        weights = save({name: p.detach().contiguous() for name, p in self.module.state_dict().items()})
        contents: dict[Path, str | bytes] = {
            target / "config.json": json.dumps(self.config(), indent=1, ensure_ascii=False) + "\n",
            target / "model.safetensors": weights,
        }
        write_all(contents)
        return list(contents)

    @property
    def _module(self) -> Any:
        return self.module


def to_fla(
    network: Network,
    layer: str = "GatedDeltaProduct",
    dtype: torch.dtype | str = torch.bfloat16,
    train: bool = False,
    autocast: bool = False,
    **options: Any,
) -> FlaLayer:
    """A layer of flash-linear-attention that computes a proved network's automaton.

    Args:
        network: of one layer, whose letters permute its coordinates up to signs, or forget the state.
        layer: "GatedDeltaProduct", "GatedDeltaNet", "DeltaNet" or "Mamba2".
        dtype: of the weights: bfloat16, float16 or float32, PyTorch's own or its name.
        train: whether it is to run in train mode, and with gradients.
        autocast: whether it is to run under ``torch.autocast``, with weights in float32.
        options: of the layer, such as ``use_short_conv=False``, beside its sizes.

    Raises:
        ValueError: if the layer cannot hold the network, or does not run so; the message says what would work.
        ModuleNotFoundError: without the extra ``fla``.
    """
    if layer not in KINDS:
        raise ValueError(unknown(layer))
    dtype = data_type(dtype)
    require_version()
    plan, kind = plan_of(network), KINDS[layer]
    if (reason := refusal(layer, dtype, train, autocast)) is not None:
        raise ValueError(reason)
    require_class(plan, layer)
    before = first_tokens(plan, kind)
    sizes = sizes_of(plan, kind, max(len(plan.tokens) + before, len(plan.answers))) if kind.delta else mamba_sizes(plan)
    if taken := sorted(sizes.keys() & options.keys()):
        raise ValueError(f"expected options beside the sizes that the network decides, got {', '.join(taken)}")
    arguments = sizes | options
    if dtype == torch.float32 and kind.delta and not kind.wide_chunks and not autocast:
        arguments["mode"] = "fused_recurrent"
    module = getattr(import_module("fla.layers"), layer)(**arguments)
    if kind.delta:
        set_weights(module, plan, before)
    else:
        set_mamba_weights(module, plan)
    names = tuple(network.automaton.name(q) for q in range(network.automaton.n))
    return FlaLayer(module.to(dtype).train(train), layer, arguments, plan, before, names)


def data_type(name: torch.dtype | str) -> torch.dtype:
    """A data type that the layers have. Raises ``ValueError`` for others."""
    found = getattr(torch, name, None) if isinstance(name, str) else name
    if found not in BITS:
        raise ValueError(f"expected bfloat16, float16 or float32, got {name}")
    return found


def unknown(layer: str) -> str:
    """Why there are no weights for a layer of that name."""
    known = ", ".join(KINDS)
    if layer.upper().replace("-", "").startswith("RWKV7"):
        return (
            f"expected a layer among {known}, got {layer}: in fla its gates are exp(-0.6065 sigmoid) and its strengths at most 1, so it has no "
            "eigenvalue -1 and no gate 1, which states that stay the same need"
        )
    return f"expected a layer among {known}, got {layer!r}"


def require_version(beside: str = "triton") -> None:
    """Raise ``ModuleNotFoundError`` without flash-linear-attention, and ``ValueError`` for a version that the tests do not run, or not ``beside`` that library."""
    try:
        found = version("flash-linear-attention")
    except PackageNotFoundError:
        raise ModuleNotFoundError("layers of flash-linear-attention need the extra lemmata[fla], on Linux") from None
    if found not in TESTED:
        raise ValueError(f"expected flash-linear-attention {' or '.join(TESTED)}, which are tested, got {found}")
    late = TESTED[found].get(beside)
    if late is not None and tuple(map(int, version(beside).split(".")[:2])) >= late:
        raise ValueError(f"expected {beside} before {late[0]}.{late[1]} with flash-linear-attention {found}, got {version(beside)}")


def require_class(plan: LayerPlan, layer: str) -> None:
    """Raise ``ValueError`` if the layer has too few factors for a letter, or no gate that empties the state."""
    kind = KINDS[layer]
    if not kind.delta:
        require_resets(plan)
        return
    gated = "GatedDeltaProduct" if plan.factors > 1 else "GatedDeltaNet"
    if plan.resets and not kind.gated:
        raise ValueError(f"expected letters that permute the states, got one that resets, and {layer} has no gate: take {gated}")
    if plan.factors > 1 and not kind.products:
        raise ValueError(f"expected one reflection a letter, got {plan.factors}, and {layer} has one: take GatedDeltaProduct")


def first_tokens(plan: LayerPlan, kind: Layer) -> int:
    """How many tokens write the first state."""
    steps = max(1, plan.factors) if kind.products else 1
    return max(1, -(-len(plan.start) // steps)) if kind.delta else 1


def sizes_of(plan: LayerPlan, kind: Layer, hidden: int) -> dict[str, Any]:
    """The arguments that the network decides, for one-hot tokens of width ``hidden``."""
    n, rows = len(plan.keys.signs), plan.keys.rows
    head = next(size for size in KEY_SIZES if size >= rows)
    values = 1 << max(1, (plan.columns - 1).bit_length())
    if not kind.products and not kind.gated:
        # sizes of the heads are hidden_size * expand / num_heads, exact for a power of two
        hidden = 1 << (hidden - 1).bit_length()
        return {
            "hidden_size": hidden,
            "num_heads": n,
            "expand_k": n * head / hidden,
            "expand_v": n * values / hidden,
            "allow_neg_eigval": True,
        }
    shared = {"hidden_size": hidden, "head_dim": head, "num_heads": n, "expand_v": values / head, "allow_neg_eigval": True}
    return shared | ({"num_householder": max(1, plan.factors)} if kind.products else {})


def set_weights(module: nn.Module, plan: LayerPlan, before: int, outputs: int = 0) -> None:
    """Write the plan into a layer's projections; convolutions pass on the present. Scores come out along the axes from ``outputs`` on."""
    m: Any = module
    steps, heads = getattr(m, "num_householder", 1), m.num_heads
    dk, dv = m.head_k_dim, m.head_v_dim
    first = [plan.start[i * steps : (i + 1) * steps] for i in range(before)]
    with torch.no_grad():
        for name, p in m.named_parameters():
            p.zero_()
            if "conv1d" in name and name.endswith("weight"):
                p[..., -1] = 1
            elif "norm" in name:
                p.fill_(1)
            elif name == "dt_bias":
                # softplus(-1024) = 0: the gate is exp(0)
                p.fill_(-SATURATED)
            elif name == "g_proj.weight":
                p.fill_(4)
        m.b_proj.weight.fill_(-SATURATED)
        for y, token in enumerate([*plan.tokens, *first]):
            for j, step in enumerate(token):
                for head in range(j * heads, (j + 1) * heads):
                    key = np.array([RAW if x != 0 else 0.0 for x in step.key])
                    m.k_proj.weight[head * dk : head * dk + len(key), y] = torch.from_numpy(key).to(m.k_proj.weight)
                    m.b_proj.weight[head, y] = SATURATED
                    if step.column is not None:
                        m.v_proj.weight[head * dv + step.column, y] = RAW
        for y in plan.resets:
            # softplus(2048 - 1024) = 1024, and exp(-1024) = 0
            m.a_proj.weight[:, y] = 2 * SATURATED
        for h in range(heads):
            m.q_proj.weight[h * dk + h, :] = RAW
        for i in range(len(plan.answers)):
            m.o_proj.weight[outputs + i] = _readout(plan.matrices[plan.read[i]], heads, dv).to(m.o_proj.weight)


def _readout(matrix: np.ndarray, heads: int, dv: int) -> torch.Tensor:
    """The weights of a score: the entries of its own state, head by head."""
    out = torch.zeros(heads, dv)
    out[: len(matrix), : matrix.shape[1]] = torch.from_numpy(matrix)
    return out.flatten()
