"""``lemmata.check``: does a kernel return the exact outputs of its rule?"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from .result import Result, listed

if TYPE_CHECKING:
    from ..kernels.checking import Feature
    from ..numerics.progress import Progress


@dataclass(frozen=True, repr=False, eq=False)
class Checked(Result):
    """What a kernel returned on exact test vectors. It is true in a condition if no feature is wrong and at least one was run.

    Attributes:
        kernel: The kernel's name.
        rule: The rule.
        dtype: The format.
        features: For each feature: the number of calls, and what is wrong.
    """

    kernel: str
    rule: str
    dtype: str
    features: tuple[Feature, ...]

    def __bool__(self) -> bool:
        return not self.faults and any(f.runs for f in self.features)

    @property
    def faults(self) -> list[str]:
        """A line for each wrong feature."""
        return [f.line for f in self.features if f.wrong]

    @property
    def diagnosis(self) -> str | None:
        """The most telling fault in a line: a chunk's border, or the plainest feature that is wrong. None if nothing is."""
        from ..kernels.checking import diagnosis

        return diagnosis(self.features)

    @property
    def data(self) -> dict[str, Any]:
        return {
            "kernel": self.kernel,
            "rule": self.rule,
            "format": self.dtype,
            "right": bool(self),
            "diagnosis": self.diagnosis,
            "features": [
                {
                    "feature": f.name,
                    "required": f.required,
                    "calls": f.runs,
                    "final states compared": f.states,
                    "wrong": f.wrong or None,
                    "first wrong step": f.step,
                    "call": f.where or None,
                    "not run": f.untaken or None,
                }
                for f in self.features
            ],
        }

    def parts(self) -> Iterator[RenderableType]:
        ran = [f for f in self.features if f.runs or f.wrong]
        wrong = sum(bool(f.wrong) for f in ran)
        verdict = f"{wrong} of {len(ran)} features wrong" if wrong else f"all {len(ran)} features equal" if ran else "nothing was run"
        yield Text.assemble(f"{self.kernel}, {self.rule} in {self.dtype}: ", (verdict, "red" if wrong else "green" if ran else "yellow"))
        if self.diagnosis:
            yield Text(self.diagnosis, "bold")
        table = Table("feature", "calls", "result", box=None, pad_edge=False)
        for f in self.features:
            result = (
                Text(f"{f.wrong} ({f.where})", "red") if f.wrong else Text("equal") if f.runs else Text(f"not run: {f.untaken}", "yellow")
            )
            table.add_row(f.name if f.required else f"{f.name} (stress)", str(f.runs), result)
        yield table
        if ran and not any(f.states for f in ran):
            yield Text("The kernel returned no final state, so none was compared.")


def check(
    kernel: Callable[..., Any] | str,
    rule: str,
    *,
    dtype: str = "float32",
    tensors: bool = False,
    features: str | Collection[str] | None = None,
    stress: bool = False,
    splits: bool = True,
    lengths: Collection[int] | None = None,
    progress: Progress | None = None,
) -> Checked:
    """Hold a kernel to exact test vectors: every number must be equal, without a tolerance.

    Args:
        kernel: Called with keywords q, k, v, beta, g (log gates), h0, scale, cu_seqlens, micro and normalise; returns outputs and the final state
            or None, or raises NotImplementedError for what it does not take. Or the name of a known implementation, such as "fla.ops.delta_rule.chunk_delta_rule".
            The last three rules have inputs of their own (docs/how-to/vectors.md).
        rule: linear, scalar-gate, channel-gate, delta, gated-delta, products, kda, mamba2, rwkv7 or complex-diagonal.
        dtype: float32, float16 or bfloat16: the vectors that are exact in this format are required.
        tensors: Call the kernel with torch tensors: gates, times and h0 in float32, the others in the format. Otherwise with NumPy arrays in float32.
        features: Only these features, for example "swap"; by default all that are required.
        stress: Also run the vectors that not every correct kernel returns.
        splits: Also hand the exact state on after n steps and run the rest.
        lengths: Only calls of that many steps, to be quick.
        progress: Called with the feature, and how many are done out of how many.

    Returns:
        For each feature how many calls were equal, or the first wrong step. It is true in a condition if nothing is wrong.

    Raises:
        ValueError: The rule, the format, a feature or the implementation is unknown, or a Triton kernel has nothing to run on.
        ModuleNotFoundError: The implementation's package is not installed.

    Example:
        >>> import lemmata as lm
        >>> import numpy as np
        >>> def delta(q, k, v, beta, h0, scale, **others):
        ...     S, o = h0.copy(), np.zeros_like(v)
        ...     for t in range(q.shape[1]):
        ...         key, b = k[:, t, :, :, None], np.minimum(beta[:, t, :, None], 1)  # wrong: beta may be 2
        ...         error = v[:, t] - (key * S).sum(axis=2)
        ...         S = S + key * (b * error)[:, :, None]
        ...         o[:, t] = scale * (q[:, t, :, :, None] * S).sum(axis=2)
        ...     return o, S
        >>> found = lm.check(delta, "delta", features=["write", "swap", "negative eigenvalue"], lengths=[1, 17])
        >>> found.diagnosis
        'negative eigenvalue: first wrong at 3 in head 0, sequence 0, off by up to 3 (17 steps)'
    """
    from ..kernels.audit import FORMATS
    from ..kernels.checking import checked
    from ..kernels.vectors import RULES, VECTORS
    from ..numerics.progress import silent
    from ..theorems.ledger import require_known

    require_known("rule", [rule], RULES)
    require_known("format", [dtype], FORMATS)
    wanted = listed(features)
    require_known("feature", wanted, [feature for of, feature in VECTORS if of == rule])
    if lengths is not None and not (lengths and all(n >= 1 for n in lengths)):
        raise ValueError(f"expected lengths of at least 1, got {sorted(lengths)}")
    name = kernel if isinstance(kernel, str) else getattr(kernel, "__name__", type(kernel).__name__)
    function = _implementation(kernel, rule, dtype) if isinstance(kernel, str) else _on_tensors(kernel, dtype) if tensors else kernel
    found = checked(function, rule, dtype, wanted, stress=stress, splits=splits, lengths=lengths, progress=progress or silent)
    return Checked(name, rule, dtype, tuple(found))


def _implementation(name: str, rule: str, dtype: str) -> Callable[..., Any]:
    from ..kernels.implementations import IMPLEMENTATIONS
    from ..theorems.ledger import require_known

    require_known("implementation", [name], IMPLEMENTATIONS)
    return IMPLEMENTATIONS[name].kernel(rule, dtype)


def _on_tensors(kernel: Callable[..., Any], dtype: str) -> Callable[..., Any]:
    """The kernel on torch tensors."""
    import torch

    from ..kernels.implementations import SINGLE, numbers, tensor

    def run(**inputs: Any) -> tuple[Any, Any]:
        arrays = {name: x for name, x in inputs.items() if getattr(x, "ndim", 0) and name != "cu_seqlens"}
        tensors = {name: tensor(x, "float32" if name in SINGLE else dtype) for name, x in arrays.items()}
        if inputs["cu_seqlens"] is not None:
            tensors["cu_seqlens"] = torch.tensor(inputs["cu_seqlens"], dtype=torch.int64)
        o, state = kernel(**(inputs | tensors))
        return tuple(None if x is None else numbers(x.detach()) for x in (o, state))  # type: ignore[return-value]

    return run
