"""Triton's interpreter with bfloat16 as a device computes it, and with loop counters that kernels may convert. For tests; nothing switches it on by itself.

Triton keeps bfloat16 as the 16 bits in an unsigned integer. Its interpreter (3.9) cuts float32 to bfloat16 where a device rounds to nearest even, and
it adds, multiplies and compares the integers in place of the numbers. Inside :func:`patched` it converts to float32, computes, and rounds.
Set ``TRITON_INTERPRET=1`` before Triton is imported. Five further changes, all undone at the end:

* ``range`` in six modules of flash-linear-attention gives integers that have a method ``to``: on a device a loop counter is a tensor;
* ``gather`` in three modules of that library is looked up when it is called: the interpreter replaces what ``triton.language`` holds, not a copy of it;
* ``log1p`` of the device's library, which the interpreter does not have, is by NumPy in the one module that calls it;
* the autotuner takes the first of its choices: there is no device whose speed could tell;
* a conversion of float32 to float16 rounds to nearest even too.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any

import numpy as np

#: modules whose kernels convert a loop counter
LOOPS = (
    "fla.ops.abc.chunk",
    "fla.ops.common.chunk_delta_h",
    "fla.ops.common.chunk_h",
    "fla.ops.gated_delta_product.chunk_deltaproduct_h",
    "fla.ops.generalized_delta_rule.dplr.chunk_h_fwd",
    "fla.ops.mesa_net.chunk_h_fwd",
)

#: the module that calls functions of the device's own library
DEVICE = "fla.ops.utils.op"

#: modules that hold a copy of ``triton.language.gather``
COPIED = (
    "fla.ops.generalized_delta_rule.dplr.chunk_A_fwd",
    "fla.ops.generalized_delta_rule.dplr.wy_fast_fwd",
    "fla.ops.kda.chunk_intra",
)

_active = 0


def is_patched() -> bool:
    """Whether the code runs inside :func:`patched`."""
    return _active > 0


def widened(bits: np.ndarray) -> np.ndarray:
    """bfloat16, as 16 bits in an unsigned integer, to float32; exact."""
    return (np.ascontiguousarray(bits).astype(np.uint32) << 16).view(np.float32)


def rounded(x: np.ndarray) -> np.ndarray:
    """float32 to the 16 bits of bfloat16, to nearest, ties to even. NaN stays NaN, and what is too large becomes infinite."""
    x = np.ascontiguousarray(x, dtype=np.float32)
    bits = x.view(np.uint32)
    # half a unit less one, and one more if the last kept bit is odd; a carry moves into the exponent as it should
    out = ((bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))) >> np.uint32(16)).astype(np.uint16)
    return np.where(np.isnan(x), np.uint16(0x7FC0), out)


class Counter(int):
    """A loop counter that a kernel may convert, and so are its sums, differences and products with integers."""

    def to(self, dtype: Any) -> Counter:
        return self

    def __add__(self, other: Any) -> Any:
        return _counted(int.__add__(self, other))

    def __sub__(self, other: Any) -> Any:
        return _counted(int.__sub__(self, other))

    def __mul__(self, other: Any) -> Any:
        return _counted(int.__mul__(self, other))


def _counted(result: Any) -> Any:
    return result if result is NotImplemented else Counter(result)


def counters(*limits: Any) -> Iterator[Counter]:
    """``range`` with counters that have a method ``to``."""
    return map(Counter, builtins.range(*(int(x) for x in limits)))


def gathered(*arguments: Any, **more: Any) -> Any:
    """``triton.language.gather`` as it is when a kernel calls it."""
    import triton.language as tl

    return tl.gather(*arguments, **more)


def _log1p(x: Any) -> Any:
    """log(1 + x) of what the interpreter holds."""
    import triton.language as tl
    from triton.runtime.interpreter import TensorHandle

    return tl.core.tensor(TensorHandle(np.log1p(x.handle.data), x.handle.dtype), x.type)


@contextmanager
def patched() -> Iterator[None]:
    """Triton's interpreter as it ought to be, until the end of the block. Raises ``ModuleNotFoundError`` without Triton."""
    global _active
    from triton.runtime import interpreter
    from triton.runtime.autotuner import Autotuner

    with ExitStack() as undo:
        for name, method in _methods(interpreter).items():
            _set(undo, interpreter.InterpreterBuilder, name, method)
        _set(undo, Autotuner, "_bench", lambda self, *args, **kwargs: [0.0, 0.0, 0.0])
        for name in LOOPS if find_spec("fla") else ():
            _set(undo, import_module(name), "range", counters)
        for name in COPIED if find_spec("fla") else ():
            _set(undo, import_module(name), "gather", gathered)
        if find_spec("fla"):
            _set(undo, import_module(DEVICE), "tldevice", SimpleNamespace(**vars(import_module(DEVICE).tldevice) | {"log1p": _log1p}))
        _active += 1
        try:
            yield
        finally:
            _active -= 1


def _set(undo: ExitStack, owner: Any, name: str, value: Any) -> None:
    """Set an attribute, and back at the end."""
    if name in vars(owner):
        undo.callback(setattr, owner, name, vars(owner)[name])
    else:
        undo.callback(delattr, owner, name)
    setattr(owner, name, value)


def _methods(interpreter: Any) -> dict[str, Callable[..., Any]]:
    """The methods of the interpreter's builder that meet bfloat16."""
    import triton.language as tl

    Handle, old = interpreter.TensorHandle, interpreter.InterpreterBuilder

    def numbers(x: Any) -> np.ndarray:
        return widened(x.data) if x.dtype.scalar == tl.bfloat16 else x.data

    def handle(x: np.ndarray, kind: Any) -> Any:
        return Handle(rounded(x) if kind == tl.bfloat16 else x, kind)

    def converted(before: Callable[..., Any]) -> Callable[..., Any]:
        def convert(self: Any, source: Any, target: Any, *mode: Any) -> Any:
            a, b = source.dtype.scalar, target.scalar
            if a == b == tl.bfloat16:
                return source
            if a == tl.bfloat16:
                wide = Handle(widened(source.data), tl.float32)
                return wide if b == tl.float32 else old_cast(self, wide, target)
            if b == tl.bfloat16:
                return Handle(rounded(source.data.astype(np.float32)), b)
            if a == tl.float32 and b == tl.float16:
                return Handle(source.data.astype(np.float16), b)
            return before(self, source, target, *mode)

        return convert

    old_cast = old.cast_impl

    def binary(self: Any, lhs: Any, rhs: Any, op: Callable[..., Any]) -> Any:
        if lhs.dtype.scalar != tl.bfloat16:
            return old_binary(self, lhs, rhs, op)
        out = op(widened(lhs.data), widened(rhs.data))
        return Handle(out, tl.int1) if out.dtype == np.bool_ else handle(out, tl.bfloat16)

    old_binary = old.binary_op

    def unary(self: Any, arg: Any, op: Callable[..., Any]) -> Any:
        return handle(op(numbers(arg)), arg.dtype.scalar)

    def ternary(self: Any, one: Any, two: Any, three: Any, op: Callable[..., Any]) -> Any:
        # a choice between bits is a choice between numbers
        if three.dtype.scalar != tl.bfloat16 or op is np.where:
            return old_ternary(self, one, two, three, op)
        return handle(op(*(numbers(x) for x in (one, two, three))), tl.bfloat16)

    old_ternary = old.ternary_op

    def fma(self: Any, x: Any, y: Any, z: Any) -> Any:
        if z.dtype.scalar != tl.bfloat16:
            return old_fma(self, x, y, z)
        # the product of two bfloat16 is exact in float32; the sum is rounded to float32 first
        return handle(numbers(x) * numbers(y) + numbers(z), tl.bfloat16)

    old_fma = old.create_fma

    def dot(self: Any, a: Any, b: Any, d: Any, precision: Any, most: Any) -> Any:
        if tl.bfloat16 not in (a.dtype.scalar, b.dtype.scalar, d.dtype.scalar):
            return old_dot(self, a, b, d, precision, most)
        out = np.matmul(numbers(a), numbers(b), dtype=np.float32) + numbers(d)
        return handle(out.astype(numbers(d).dtype), d.dtype.scalar)

    old_dot = old.create_dot
    return {
        "cast_impl": converted(old_cast),
        "create_fp_to_fp": converted(old.create_fp_to_fp),
        "binary_op": binary,
        "unary_op": unary,
        "ternary_op": ternary,
        "create_fma": fma,
        "create_dot": dot,
        "create_rsqrt": lambda self, arg: handle((1 / np.sqrt(numbers(arg))).astype(numbers(arg).dtype), arg.dtype.scalar),
    }
