"""Checkpoints and state dicts of PyTorch as modules: an embedding, a recurrent layer and a head, told by names and shapes alone.

Shapes do not tell ReLU from tanh, nor what lies between two linear maps: these have to be named.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import nn

from ..automaton import brief
from .programs import Program
from .reading_modules import heads, of_parts
from .reading_parts import Builder, Value, for_letters, numbers

#: what wrappers and trainers put before every name
PREFIXES = ("module.", "_orig_mod.", "model.", "state_dict.")
#: parameters of a layer or a cell, with gates a unit: an Elman layer has one
GATES = {1: "RNN", 3: "GRU", 4: "LSTM"}


def read_checkpoint(path: Path) -> Any:
    """What ``torch.save`` wrote, weights and plain data alone: a file that wants to run code is refused. Raises ``ValueError``."""
    import pickle

    try:
        return torch.load(path, map_location="cpu", weights_only=True)
    except (pickle.UnpicklingError, RuntimeError, EOFError, ValueError, KeyError, AttributeError, UnicodeDecodeError):
        raise ValueError(
            f"expected a checkpoint that holds weights alone (torch.save(model.state_dict(), FILE)), got none in {str(path)!r}"
        ) from None


def state_dict_of(found: Any, where: str) -> dict[str, torch.Tensor]:
    """The tensors by name, without wrappers' prefixes; of a dictionary with "state_dict" or "model" what lies there. Raises ``ValueError``."""
    for name in ("state_dict", "model"):
        if isinstance(found, Mapping) and isinstance(found.get(name), Mapping):
            found = found[name]
    if not isinstance(found, Mapping) or not found or not all(isinstance(x, torch.Tensor) for x in found.values()):
        raise ValueError(f"expected a state dict, names and tensors, got {brief(type(found).__name__)} in {where}")
    names = {str(name): x for name, x in found.items()}
    stripped = True
    while stripped:
        stripped = False
        for prefix in PREFIXES:
            if all(name.startswith(prefix) for name in names):
                names, stripped = {name.removeprefix(prefix): x for name, x in names.items()}, True
    for name, x in names.items():
        require_plain(brief(name), x)
    return names


def require_plain(name: str, x: torch.Tensor) -> None:
    """Raises ``ValueError`` unless the file holds each entry of a real tensor."""
    if x.layout is not torch.strided or x.is_quantized or x.is_meta or x.is_complex():
        raise ValueError(f"expected plain real tensors, got another kind for {name}: save .to_dense(), .dequantize() or .real of it")
    # a view may claim more entries than there are, and memory without end
    if x.numel() * x.element_size() > x.untyped_storage().nbytes():
        raise ValueError(
            f"expected a tensor that holds each of its {x.numel():,} entries, got an expanded view for {name}: save .contiguous() of it"
        )


def read_state_dict(
    weights: Mapping[str, torch.Tensor],
    tokens: Sequence[int],
    begin: Sequence[int] = (),
    nonlinearity: str | None = None,
    activation: str | None = None,
) -> Program:
    """The program of a state dict: at most one embedding, one recurrent layer or cell from the state 0, and a head of linear maps in their order.

    Args:
        weights: Tensors by name, without prefixes.
        tokens: The token of each letter.
        begin: Tokens before every word.
        nonlinearity: "relu" or "tanh", of an Elman layer or cell.
        activation: What lies between two linear maps of the head.

    Raises:
        ValueError: Names or shapes are of something else, or what they do not tell was not named.
    """
    known = list(dict.fromkeys([*tokens, *begin]))
    if any(name.rpartition(".")[2] == "A" and x.ndim == 3 for name, x in weights.items()):
        return for_letters(_affine(weights, Builder(known), activation), known, tokens, begin)
    groups: dict[str, dict[str, torch.Tensor]] = {}
    for name, x in weights.items():
        owner, _, parameter = name.rpartition(".")
        groups.setdefault(owner, {})[parameter] = x
    cores = [owner for owner, group in groups.items() if any(re.fullmatch(r"weight_hh(_l0)?", p) for p in group)]
    if len(cores) != 1:
        raise ValueError(f"expected one recurrent layer of PyTorch, got {len(cores)} among the names {brief(sorted(groups))}")
    core = _core(groups[cores[0]], nonlinearity)
    size: int = core.input_size
    embeddings = [g["weight"] for owner, g in groups.items() if set(g) == {"weight"} and re.search(r"emb|wte|tok", owner)]
    others = [g for owner, g in groups.items() if owner != cores[0] and not any(g.get("weight") is e for e in embeddings)]
    if len(embeddings) > 1 or any(not {"weight"} <= set(g) <= {"weight", "bias"} or g["weight"].ndim != 2 for g in others) or not others:
        raise ValueError(f"expected an embedding, a recurrent layer and linear maps, got the names {brief(sorted(groups))}")
    parts: list[nn.Module] = [core, *heads([(g["weight"], g.get("bias")) for g in others], activation)]
    if embeddings:
        if embeddings[0].ndim != 2 or embeddings[0].shape[1] != size:
            raise ValueError(f"expected an embedding into {size} entries, got the shape {tuple(embeddings[0].shape)}")
        parts.insert(0, nn.Embedding.from_pretrained(embeddings[0]))
    builder = Builder(known)
    program = builder.finished(of_parts(builder, parts), _dtype(weights))
    return for_letters(program, known, tokens, begin)


def _dtype(weights: Mapping[str, torch.Tensor]) -> str:
    dtypes = {str(x.dtype).removeprefix("torch.") for x in weights.values()}
    if len(dtypes) != 1 or not dtypes <= {"float64", "float32", "float16", "bfloat16"}:
        raise ValueError(f"expected floats of one type, got {', '.join(sorted(dtypes))}")
    return dtypes.pop()


def _affine(weights: Mapping[str, torch.Tensor], builder: Builder, activation: str | None) -> Program:
    """h' = A[x] h + B[x] with a matrix for each token: parameters A (tokens, n, n), B (tokens, n) and initial (n,), and a head of linear maps."""
    named = {name.rpartition(".")[2]: x for name, x in weights.items()}
    A = named["A"]
    tokens, n, _ = A.shape
    B, initial = named.get("B", torch.zeros(tokens, n)), named.get("initial")
    if tuple(A.shape) != (tokens, n, n) or B.numel() != tokens * n or initial is None or initial.numel() != n:
        raise ValueError(f"expected A (tokens, n, n), B (tokens, n) and initial (n,), got A of the shape {tuple(A.shape)}")
    if max(builder.tokens) >= tokens:
        raise ValueError(f"expected tokens below {tokens}, got {max(builder.tokens)}")
    others: dict[str, dict[str, torch.Tensor]] = {}
    for name, x in weights.items():
        owner, _, parameter = name.rpartition(".")
        if parameter not in ("A", "B", "initial"):
            others.setdefault(owner, {})[parameter] = x
    if any(not {"weight"} <= set(g) <= {"weight", "bias"} or g["weight"].ndim != 2 for g in others.values()) or not others:
        raise ValueError(f"expected linear maps beside A, B and initial, got the names {brief(sorted(weights))}")
    h, slot = builder.state(numbers(initial).reshape(n))
    chosen = list(builder.tokens)
    after = Value(builder.program.add("maps", h.number, numbers=[numbers(A)[chosen], numbers(B).reshape(tokens, n)[chosen]]), n)
    builder.becomes(slot, after)
    builder.parts.append("A[x] h + B[x]")
    value = after
    for module in heads([(g["weight"], g.get("bias")) for g in others.values()], activation):
        found = builder.module(module, value)
        assert isinstance(found, Value)
        value = found
    return builder.finished(value, _dtype(weights))


def _core(group: Mapping[str, torch.Tensor], nonlinearity: str | None) -> Any:
    """A layer or a cell of PyTorch with these parameters."""
    layers = sorted({int(m[1]) for p in group if (m := re.fullmatch(r"weight_hh_l([0-9]{1,3})", p))})
    suffix = "_l0" if layers else ""
    hidden, inputs = group[f"weight_hh{suffix}"].shape[-1], group[f"weight_ih{suffix}"].shape[-1]
    gates = group[f"weight_hh{suffix}"].shape[0] / hidden
    if gates not in GATES or any("reverse" in p or "weight_hr" in p for p in group):
        raise ValueError(f"expected an RNN, a GRU or an LSTM in one direction, got {gates:g} rows for each unit")
    kind, options = GATES[int(gates)], {"bias": f"bias_ih{suffix}" in group, "dtype": group[f"weight_hh{suffix}"].dtype}
    if kind == "RNN":
        if nonlinearity not in ("relu", "tanh"):
            raise ValueError(f"expected the nonlinearity relu or tanh, which weights do not tell, got {nonlinearity}")
        options["nonlinearity"] = nonlinearity
    if layers:
        options["num_layers"] = len(layers)
    module: Any = getattr(nn, kind if layers else f"{kind}Cell")(inputs, hidden, **options)
    try:
        module.load_state_dict(dict(group))
    except RuntimeError as why:
        raise ValueError(f"expected the parameters of one {kind}, got others: {str(why).splitlines()[-1].strip()}") from None
    return module
