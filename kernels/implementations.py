"""Known implementations of the rules, each called with the checker's arguments: what its interface takes, and how it names it.

An implementation is named by the path from which it is imported. Nothing is imported before it is used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module, metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from .checking import Kernel, NotTaken
from .vectors import DELTA as UPDATED

DTYPES = ("float32", "float16", "bfloat16")

#: inputs that stay in float32, as layers have them: gates, times and states
SINGLE = ("g", "w", "dt", "A", "h0")

DELTA, GATED, PRODUCTS = ("delta",), ("delta", "gated-delta"), ("delta", "gated-delta", "products")
KDA, MAMBA2, RWKV7, COMPLEX = ("kda",), ("mamba2",), ("rwkv7",), ("complex-diagonal",)
LINEAR, SCALAR, CHANNEL = ("linear",), ("linear", "scalar-gate"), ("linear", "scalar-gate", "channel-gate")


@dataclass(frozen=True)
class Implementation:
    """A function (q, k, v, ...) -> outputs, or (outputs, final state), and what its interface lacks.

    ``package`` is the distribution that holds it. ``gate`` is its name for log gates, and ``gates`` says whether it takes a number or a number for each
    channel; ``without`` names what it has no argument for. ``multiple``: lengths must be multiples. ``heads_first``: inputs are (B, H, T, ...).
    ``interpreted``: a Triton kernel. ``widest``: keys of more entries take too long. ``fixed``: further arguments.
    """

    name: str
    package: str
    rules: tuple[str, ...]
    gate: str | None = None
    gates: str = "number"
    without: frozenset[str] = frozenset()
    multiple: int = 1
    heads_first: bool = False
    interpreted: bool = False
    widest: int | None = None
    fixed: Mapping[str, Any] = field(default_factory=dict)

    @property
    def version(self) -> str | None:
        """The version of its package; None if it is not installed."""
        try:
            return metadata.version(self.package)
        except metadata.PackageNotFoundError:
            pass
        # unpacked beside, not installed: mamba-ssm needs a CUDA compiler for that
        spec = find_spec(self.package.replace("-", "_"))
        if spec is None or spec.origin is None:
            return None
        stated = re.search(r'^__version__ = "(.+)"$', Path(spec.origin).read_text(encoding="utf-8"), re.MULTILINE)
        return stated[1] if stated else None

    def function(self) -> Callable[..., Any]:
        """The function itself. Raises ``ImportError`` if its package is missing."""
        module, _, name = self.name.rpartition(".")
        found = getattr(import_module(module), name)
        # transformers' torch functions call other kernels if these are installed: the torch function is inside
        return getattr(found, "__wrapped__", found) if self.package == "transformers" else found

    def refuses(self, inputs: Mapping[str, Any]) -> str | None:
        """What of these inputs it has no argument for."""
        heads = {inputs[name].shape[2] for name in ("q", "v", "x", "B") if name in inputs}
        key = next(inputs[name] for name in ("q", "r", "B", "a") if name in inputs)
        asked = {
            "packed sequences": inputs["cu_seqlens"] is not None,
            "grouped heads": len(heads) > 1,
            "norm in the kernel": inputs.get("normalise", False),
            "scale": inputs.get("scale", self.usual_scale(key)) != self.usual_scale(key),
            "initial state": bool(inputs["h0"].any()),
            "several updates": inputs.get("micro", 1) > 1,
        }
        lacking = next((name for name, wanted in asked.items() if wanted and name in self.without), None)
        if self.widest is not None and key.shape[-1] > self.widest:
            return f"keys of more than {self.widest} entries take too long"
        return lacking or (f"lengths that are no multiple of {self.multiple}" if key.shape[1] % self.multiple else None)

    def usual_scale(self, key: np.ndarray) -> float:
        """The scale of a function that takes none."""
        return key.shape[-1] ** -0.5

    def kernel(self, rule: str, dtype: str, device: str = "cpu") -> Kernel:
        """The implementation as :func:`.checking.checked` calls it, on tensors of a format; gates and states stay in float32, as layers have them.

        Raises ``ValueError`` for a rule that it does not compute, or a Triton kernel that has nothing to run on.
        """
        if rule not in self.rules:
            raise ValueError(f"expected one of the rules {', '.join(self.rules)} for {self.name}, got {rule}")
        if self.interpreted:
            require_interpreter(dtype, device)
        import torch

        function = self.function()

        def made(x: np.ndarray, single: bool = False) -> Any:
            return tensor(x, "float32" if single else dtype, device)

        def run(**inputs: Any) -> tuple[np.ndarray, np.ndarray | None]:
            if (why := self.refuses(inputs)) is not None:
                raise NotTaken(why)
            main, more = self.arguments(rule, inputs, made)
            if inputs["cu_seqlens"] is not None:
                more["cu_seqlens"] = torch.tensor(inputs["cu_seqlens"], dtype=torch.int64, device=device)
            if self.heads_first:
                main = [x.transpose(1, 2).contiguous() for x in main]
                more |= {name: x.transpose(1, 2).contiguous() for name, x in more.items() if name in PER_STEP}
            found = function(*main, **more)
            o, state = found if isinstance(found, tuple) else (found, None)
            o = o.transpose(1, 2) if self.heads_first else o
            kept = None if state is None or "final state" in self.without else state
            return numbers(o), None if kept is None else numbers(kept)

        return run

    def arguments(self, rule: str, inputs: Mapping[str, Any], made: Callable[..., Any]) -> tuple[list[Any], dict[str, Any]]:
        """Queries, keys and values in order, all others by name. ``made(x)`` is a tensor in the format, ``made(x, True)`` one in float32."""
        q, h0, more = inputs["q"], inputs["h0"], dict(self.fixed)
        if rule in UPDATED:
            more["beta"] = made(inputs["beta"])
        if self.gate:
            gates = made(inputs["g"], True)
            if self.gates == "channel" and gates.ndim == 3:
                gates = gates[..., None].expand(*gates.shape, q.shape[-1]).contiguous()
            more[self.gate] = gates
        if "scale" not in self.without:
            more["scale"] = inputs["scale"]
        if "initial state" not in self.without:
            more["initial_state"] = made(h0, True) if h0.any() else None
        if "final state" not in self.without:
            more["output_final_state"] = True
        if inputs["normalise"]:
            more["use_qk_l2norm_in_kernel"] = True
        if "several updates" not in self.without:
            more["num_householder"] = inputs["micro"]
        return [made(inputs[name]) for name in ("q", "k", "v")], more


@dataclass(frozen=True)
class Named(Implementation):
    """A function that takes the rule's own inputs by name.

    ``names``: the rule's name of an input -> the function's. ``stretched``: an input that is multiplied by K^(1/2), a power of two here, because the
    function's own scale K^(-1/2) cannot be chosen.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    stretched: str = ""

    def usual_scale(self, key: np.ndarray) -> float:
        return 1.0

    def arguments(self, rule: str, inputs: Mapping[str, Any], made: Callable[..., Any]) -> tuple[list[Any], dict[str, Any]]:
        more = dict(self.fixed)
        for name, x in inputs.items():
            known = self.names.get(name, name)
            if name == "scale":
                more |= {} if "scale" in self.without else {known: x}
            elif name == "h0":
                more |= {} if "initial state" in self.without else {known: made(x, True) if x.any() else None}
            elif name != "cu_seqlens":
                more[known] = made(x, True) if name in SINGLE else made(x * x.shape[-1] ** 0.5 if name == self.stretched else x)
        return [], more


#: keyword arguments with a row for each step
PER_STEP = ("beta", "alpha", "gk", "q", "k", "v")


def tensor(x: np.ndarray, dtype: str, device: str = "cpu") -> Any:
    """An array as a tensor of a format; complex numbers in single precision."""
    import torch

    return torch.tensor(x, dtype=torch.complex64 if np.iscomplexobj(x) else getattr(torch, dtype), device=device)


def numbers(x: Any) -> np.ndarray:
    """A tensor of real or complex numbers as an array in single precision."""
    return (x if x.is_complex() else x.float()).cpu().numpy()


def require_interpreter(dtype: str, device: str) -> None:
    """Raise ``ValueError`` unless Triton kernels can run, and round as on a device."""
    if device != "cpu":
        return
    from os import environ

    if environ.get("TRITON_INTERPRET") != "1":
        raise ValueError("expected a GPU, or Triton's interpreter (set TRITON_INTERPRET=1 before Python starts), got neither")
    from . import interpreter

    if dtype == "bfloat16" and not interpreter.is_patched():
        raise ValueError(
            "expected lemmata.kernels.interpreter.patched() around bfloat16, which Triton's interpreter does not round, got nothing"
        )


def _lacks(*names: str) -> frozenset[str]:
    return frozenset(names)


PLAIN = _lacks("packed sequences", "grouped heads", "norm in the kernel", "several updates")
ONE = _lacks("several updates")
PACKED = _lacks("packed sequences")

#: how most functions name the state that they begin with
STATE = {"h0": "initial_state"}

FLA, OURS, MAMBA = "fla-core", "lemmata", "mamba_ssm"

_ALL = (
    Implementation("lemmata.kernels.own.step_by_step", OURS, DELTA, without=PLAIN),
    Implementation("lemmata.kernels.own.scan", OURS, (*CHANNEL, *PRODUCTS, *KDA), "g", without=PLAIN - ONE, widest=64),
    Implementation("lemmata.kernels.own.loop", OURS, (*CHANNEL, *PRODUCTS, *KDA), "g", without=PLAIN - ONE, widest=64),
    Implementation("lemmata.kernels.own.entrywise_scan", OURS, CHANNEL, "g", without=PLAIN - ONE),
    Implementation("lemmata.kernels.own.entrywise_loop", OURS, CHANNEL, "g", without=PLAIN - ONE),
    Implementation("lemmata.kernels.mamba.selective_scan_reference", MAMBA, LINEAR, without=PLAIN | _lacks("initial state")),
    *(
        Implementation(
            f"transformers.models.{model}.modeling_{model}.torch_{kind}_gated_delta_rule",
            "transformers",
            GATED,
            "g",
            without=_lacks("scale", "packed sequences", "several updates"),
        )
        for model, kind in (("qwen3_next", "chunk"), ("qwen3_next", "recurrent"), ("olmo_hybrid", "chunk"))
    ),
    *(
        Implementation(
            f"transformers.models.kimi_linear.modeling_kimi_linear.{kind}_kimi_delta_attention",
            "transformers",
            KDA,
            "g",
            "channel",
            without=PLAIN - _lacks("norm in the kernel") | _lacks("scale"),
        )
        for kind in ("chunk", "recurrent")
    ),
    Implementation("fla.ops.delta_rule.naive.delta_rule_recurrence", FLA, DELTA, without=PLAIN | _lacks("scale"), heads_first=True),
    Implementation(
        "fla.ops.delta_rule.naive.delta_rule_chunkwise",
        FLA,
        DELTA,
        without=PLAIN | _lacks("scale", "initial state", "final state"),
        heads_first=True,
        multiple=32,
    ),
    Implementation("fla.ops.gated_delta_rule.naive.naive_recurrent_gated_delta_rule", FLA, GATED, "g", without=PLAIN),
    Implementation("fla.ops.gated_delta_rule.naive.naive_chunk_gated_delta_rule", FLA, GATED, "g", without=PLAIN),
    Implementation(
        "fla.ops.gated_delta_product.naive.naive_recurrent_gated_delta_product",
        FLA,
        PRODUCTS,
        "g",
        without=_lacks("grouped heads", "norm in the kernel"),
    ),
    Implementation("fla.ops.linear_attn.naive.naive_recurrent_linear_attn", FLA, LINEAR, without=PLAIN),
    Implementation("fla.ops.gla.naive.naive_recurrent_gla", FLA, CHANNEL, "gk", "channel", without=PLAIN | _lacks("scale")),
    Implementation("fla.ops.simple_gla.naive.naive_recurrent_simple_gla", FLA, SCALAR, "g", without=PLAIN),
    Implementation("fla.ops.simple_gla.naive.naive_chunk_simple_gla", FLA, SCALAR, "g", without=PLAIN),
    Implementation("fla.ops.delta_rule.chunk_delta_rule", FLA, DELTA, without=ONE | _lacks("grouped heads"), interpreted=True),
    Implementation("fla.ops.delta_rule.fused_recurrent_delta_rule", FLA, DELTA, without=ONE | _lacks("grouped heads"), interpreted=True),
    Implementation("fla.ops.gated_delta_rule.chunk_gated_delta_rule", FLA, GATED, "g", without=ONE, interpreted=True),
    Implementation("fla.ops.gated_delta_rule.fused_recurrent_gated_delta_rule", FLA, GATED, "g", without=ONE, interpreted=True),
    Implementation(
        "fla.ops.gated_delta_product.chunk_gated_delta_product", FLA, PRODUCTS, "g", without=_lacks("grouped heads"), interpreted=True
    ),
    Implementation(
        "fla.ops.gla.chunk_gla", FLA, CHANNEL, "g", "channel", without=ONE | _lacks("grouped heads", "norm in the kernel"), interpreted=True
    ),
    Implementation(
        "fla.ops.gla.fused_recurrent_gla",
        FLA,
        CHANNEL,
        "gk",
        "channel",
        without=ONE | _lacks("grouped heads", "norm in the kernel"),
        interpreted=True,
    ),
    Implementation(
        "fla.ops.simple_gla.chunk_simple_gla",
        FLA,
        SCALAR,
        "g",
        without=ONE | _lacks("grouped heads", "norm in the kernel"),
        interpreted=True,
    ),
    Implementation(
        "fla.ops.simple_gla.fused_recurrent_simple_gla",
        FLA,
        SCALAR,
        "g",
        without=ONE | _lacks("grouped heads", "norm in the kernel"),
        interpreted=True,
    ),
    Implementation(
        "fla.ops.linear_attn.chunk_linear_attn",
        FLA,
        LINEAR,
        without=ONE | _lacks("grouped heads", "norm in the kernel"),
        interpreted=True,
        fixed={"normalize": False},
    ),
    Implementation(
        "fla.ops.linear_attn.fused_recurrent_linear_attn",
        FLA,
        LINEAR,
        without=ONE | _lacks("grouped heads", "norm in the kernel"),
        interpreted=True,
        fixed={"normalize": False},
    ),
    Implementation("fla.ops.kda.naive.naive_recurrent_kda", FLA, KDA, "g", "channel", without=PLAIN - _lacks("grouped heads")),
    Implementation("fla.ops.kda.naive.naive_chunk_kda", FLA, KDA, "g", "channel", without=PLAIN - _lacks("grouped heads"), multiple=64),
    Implementation("fla.ops.kda.chunk_kda", FLA, KDA, "g", "channel", without=ONE, interpreted=True),
    Implementation("fla.ops.kda.fused_recurrent_kda", FLA, KDA, "g", "channel", without=ONE, interpreted=True),
    Named("lemmata.kernels.own.gated_scan", OURS, MAMBA2, without=PACKED, names=STATE),
    Named("lemmata.kernels.own.gated_loop", OURS, MAMBA2, without=PACKED, names=STATE),
    Named("lemmata.kernels.mamba.selective_scan_reference_of_mamba2", MAMBA, MAMBA2, without=PACKED | _lacks("initial state")),
    Named("lemmata.kernels.mamba.state_space_duality", MAMBA, MAMBA2, without=PACKED, multiple=64, names=STATE),
    Named(
        "transformers.models.mamba2.modeling_mamba2.mamba2_chunk_scan",
        "transformers",
        MAMBA2,
        without=PACKED,
        names={"x": "hidden_states", "h0": "initial_states"},
        fixed={"chunk_size": 64, "return_final_states": True},
    ),
    Named("lemmata.kernels.own.two_keys_scan", OURS, RWKV7, without=PACKED, widest=64, names=STATE),
    Named("lemmata.kernels.own.two_keys_loop", OURS, RWKV7, without=PACKED, widest=64, names=STATE),
    *(
        Named(
            f"fla.ops.generalized_delta_rule.dplr.naive.dplr_{kind}",
            FLA,
            RWKV7,
            without=PACKED | _lacks("scale"),
            multiple=multiple,
            heads_first=True,
            names=STATE | {"r": "q", "w": "gk", "a": "alpha", "b": "beta"},
            stretched="r",
        )
        for kind, multiple in (("recurrence", 1), ("chunkwise", 32))
    ),
    *(
        Named(f"fla.ops.rwkv7.{kind}_rwkv7", FLA, RWKV7, interpreted=True, names=STATE, fixed={"output_final_state": True})
        for kind in ("chunk", "fused_recurrent")
    ),
    Named("lemmata.kernels.own.complex_scan", OURS, COMPLEX, without=PACKED, names=STATE),
    Named("lemmata.kernels.own.complex_loop", OURS, COMPLEX, without=PACKED, names=STATE),
)

#: name -> implementation
IMPLEMENTATIONS = {one.name: one for one in _ALL}
