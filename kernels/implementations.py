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

DTYPES = ("float32", "float16", "bfloat16")

DELTA, GATED, PRODUCTS = ("delta",), ("delta", "gated-delta"), ("delta", "gated-delta", "products")
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

    def refuses(
        self, q: np.ndarray, v: np.ndarray, h0: np.ndarray, scale: float, cu_seqlens: Any, micro: int, normalise: bool
    ) -> str | None:
        """What of these inputs it has no argument for."""
        asked = {
            "packed sequences": cu_seqlens is not None,
            "grouped heads": v.shape[2] != q.shape[2],
            "norm in the kernel": normalise,
            "scale": scale != q.shape[-1] ** -0.5,
            "initial state": bool(h0.any()),
            "several updates": micro > 1,
        }
        lacking = next((name for name, wanted in asked.items() if wanted and name in self.without), None)
        if self.widest is not None and q.shape[-1] > self.widest:
            return f"keys of more than {self.widest} entries take too long"
        return lacking or (f"lengths that are no multiple of {self.multiple}" if q.shape[1] % self.multiple else None)

    def kernel(self, rule: str, dtype: str, device: str = "cpu") -> Kernel:
        """The implementation as :func:`.checking.checked` calls it, on tensors of a format; gates and states stay in float32, as layers have them.

        Raises ``ValueError`` for a rule that it does not compute, or a Triton kernel that has nothing to run on.
        """
        if rule not in self.rules:
            raise ValueError(f"expected one of the rules {', '.join(self.rules)} for {self.name}, got {rule}")
        if self.interpreted:
            require_interpreter(dtype, device)
        import torch

        function, form = self.function(), getattr(torch, dtype)

        def run(
            q: Any, k: Any, v: Any, beta: Any, g: Any, h0: Any, scale: float, cu_seqlens: Any, micro: int, normalise: bool
        ) -> tuple[np.ndarray, np.ndarray | None]:
            if (why := self.refuses(q, v, h0, scale, cu_seqlens, micro, normalise)) is not None:
                raise NotTaken(why)
            tensor = lambda x, kind=form: torch.tensor(x, dtype=kind, device=device)  # noqa: E731
            main, more = [tensor(x) for x in (q, k, v)], dict(self.fixed)
            if rule in PRODUCTS:
                more["beta"] = tensor(beta)
            if self.gate:
                gates = tensor(g, torch.float32)
                if self.gates == "channel" and gates.ndim == 3:
                    gates = gates[..., None].expand(*gates.shape, q.shape[-1]).contiguous()
                more[self.gate] = gates
            if "scale" not in self.without:
                more["scale"] = scale
            if "initial state" not in self.without:
                more["initial_state"] = tensor(h0, torch.float32) if h0.any() else None
            if "final state" not in self.without:
                more["output_final_state"] = True
            if cu_seqlens is not None:
                more["cu_seqlens"] = tensor(cu_seqlens, torch.int64)
            if normalise:
                more["use_qk_l2norm_in_kernel"] = True
            if "several updates" not in self.without:
                more["num_householder"] = micro
            if self.heads_first:
                main = [x.transpose(1, 2).contiguous() for x in main]
                more |= {name: more[name].transpose(1, 2).contiguous() for name in ("beta",) if name in more}
            found = function(*main, **more)
            o, state = found if isinstance(found, tuple) else (found, None)
            o = o.transpose(1, 2) if self.heads_first else o
            kept = None if state is None or "final state" in self.without else state.float().cpu().numpy()
            return o.float().cpu().numpy(), kept

        return run


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

FLA, OURS, MAMBA = "fla-core", "lemmata", "mamba_ssm"

_ALL = (
    Implementation("lemmata.kernels.own.step_by_step", OURS, DELTA, without=PLAIN),
    Implementation("lemmata.kernels.own.scan", OURS, (*CHANNEL, *PRODUCTS), "g", without=PLAIN - ONE, widest=64),
    Implementation("lemmata.kernels.own.loop", OURS, (*CHANNEL, *PRODUCTS), "g", without=PLAIN - ONE, widest=64),
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
)

#: name -> implementation
IMPLEMENTATIONS = {one.name: one for one in _ALL}
