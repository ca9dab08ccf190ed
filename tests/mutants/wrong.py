"""Wrong results: what a mutant of one function hands out, and when.

A :class:`Fault` says what becomes of a result ("off", "zero", "dropped") and when: always, for arguments of a size from k on, for one type of numbers, for negative numbers,
or after t steps of a sequence. ``happened`` counts the results that changed.
"""

from __future__ import annotations

import dataclasses
import sys
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import flint
import numpy as np

#: numbers with an exact arithmetic of their own
EXACT = flint.fmpq | flint.fmpz | Fraction | flint.arb | flint.acb | flint.fmpq_poly | flint.fmpz_poly

#: matrices of FLINT
MATRICES = flint.fmpq_mat | flint.fmpz_mat | flint.arb_mat | flint.acb_mat

#: integers beyond it are seeds and moduli, no sizes
LARGEST_SIZE = 10_000


@dataclass
class Fault:
    """``what`` becomes of a result, ``when``, and the size or number of steps, or type, that decides when."""

    what: str
    when: str
    bound: Any = None
    happened: int = field(default=0, compare=False)
    #: calls that met the condition: those with a result, and those that raised an error of their own, so that there was none that could be wrong
    returned: int = field(default=0, compare=False)
    refused: int = field(default=0, compare=False)
    #: results with late steps, none of which could be changed
    inert: int = field(default=0, compare=False)
    #: an error of the fault itself, not of the code under test: it must not count as noticed
    trouble: str = field(default="", compare=False)

    def __str__(self) -> str:
        when = {"always": "", "size": f" from size {self.bound} on", "type": f" for {self.bound}", "negative": " for negative numbers"}
        return {"off": "wrong result", "zero": "returns zero", "dropped": "last element dropped"}[self.what] + (
            f" after {self.bound} steps" if self.when == "steps" else when[self.when]
        )

    def call(self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The function's result, changed if its arguments say so."""
        try:
            applies = self.applies([*args, *kwargs.values()])
        except Exception as error:
            self.trouble, applies = f"{type(error).__name__}: {error}", False
        try:
            result = function(*args, **kwargs)
        except Exception:
            self.refused += applies
            raise
        self.returned += applies
        try:
            return self.change(result) if applies else result
        except Exception as error:
            self.trouble = f"{type(error).__name__}: {error}"
            return result

    @property
    def is_refused(self) -> bool:
        """Whether each call that the condition singles out raised an error."""
        return self.when in ("size", "type", "negative") and self.refused > 0 and not self.returned

    @property
    def is_without_effect(self) -> bool:
        """Whether calls that the condition singles out had results, none of which this fault can change: objects without numbers."""
        met = self.inert if self.when == "steps" else self.returned
        return self.when != "always" and met > 0 and not self.happened

    def applies(self, arguments: list[Any]) -> bool:
        if self.when == "size":
            return max(map(size, arguments), default=0) >= self.bound
        if self.when == "type":
            return any(self.bound in kinds(x) for x in arguments)
        if self.when == "negative":
            return any(any(map(is_negative, numbers(x))) for x in arguments)
        return True

    def change(self, result: Any) -> Any:
        changed = self._after_steps(result, self.bound) if self.when == "steps" else self._changed(result)
        # a result that cannot be changed comes back as the same object
        self.happened += changed is not result
        return changed

    def _changed(self, result: Any) -> Any:
        if isinstance(result, types.GeneratorType):
            return (self._changed(x) for x in result)
        return {"off": off, "zero": zero, "dropped": dropped}[self.what](result)

    def _after_steps(self, result: Any, t: int) -> Any:
        if isinstance(result, types.GeneratorType):
            return self._late(result, t)
        if isinstance(result, list | tuple) and len(result) > t and not hasattr(result, "_fields"):
            late = [self._changed(x) for x in result[t:]]
            if any(x is not y for x, y in zip(late, result[t:], strict=True)):
                return type(result)([*result[:t], *late])
            self.inert += 1
        if is_array(result) and len(result.shape) and result.shape[0] > t:
            return put(result, -1, off(result[(-1,) * len(result.shape)]))
        return result

    def _late(self, items: Iterator[Any], t: int) -> Iterator[Any]:
        for i, x in enumerate(items):
            yield self._changed(x) if i >= t else x


# -- what becomes of a result ---------------------------------------------------------------------------------------------


def off(x: Any) -> Any:
    """The same kind of thing with one number wrong: an exact one by 1, a float by one in a hundred and a hundredth; a truth negated; a text longer."""
    if isinstance(x, bool | np.bool_):
        return not x
    if isinstance(x, str):
        return x + "'"
    if isinstance(x, float | complex | np.floating | np.complexfloating):
        return x * type(x)(1.01) + type(x)(0.01)
    if isinstance(x, int | np.integer | EXACT) or (hasattr(x, "to_text") and not dataclasses.is_dataclass(x)):
        return x + 1
    if is_array(x):
        return put(x, -1, off(entry(x))) if prod(x.shape) else x
    if isinstance(x, MATRICES):
        if not x.nrows() * x.ncols():
            return x
        changed = type(x)(x)
        changed[x.nrows() - 1, x.ncols() - 1] += 1
        return changed
    if isinstance(x, Mapping) and x and isinstance(x, dict):
        last = list(x)[-1]
        changed = off(x[last])
        return x if changed is x[last] else {**x, last: changed}
    if isinstance(x, list | tuple):
        for i in reversed(range(len(x))):
            changed = off(x[i])
            if changed is not x[i]:
                return rebuilt(x, [*x[:i], changed, *x[i + 1 :]])
        return x
    if isinstance(x, set | frozenset):
        return dropped(x)
    if dataclasses.is_dataclass(x) and not isinstance(x, type):
        return in_a_field(x, off)
    if isinstance(x, types.FunctionType | types.MethodType):
        return lambda *args, **kwargs: off(x(*args, **kwargs))
    if _module(x).startswith("sympy"):
        return x + 1 if hasattr(x, "__add__") else x
    return x


def zero(x: Any) -> Any:
    """The same shape, every number 0 and every truth False; what holds no numbers stays as it is."""
    if isinstance(x, bool | np.bool_):
        return False if x else x
    if isinstance(x, str) or x is None:
        return x
    if is_array(x):
        if not prod(x.shape):
            return x
        if isinstance(x, np.ndarray) and x.dtype.hasobject:
            out = np.empty_like(x)
            for at in np.ndindex(x.shape):
                out[at] = zero(x[at])
            return out
        return x * 0 if x.dtype != np.bool_ else x & False
    if isinstance(x, int | float | complex | np.number | EXACT) or hasattr(x, "to_text"):
        return x * 0 if x != 0 else x
    if isinstance(x, list | tuple):
        changed = [zero(y) for y in x]
        return rebuilt(x, changed) if any(a is not b for a, b in zip(x, changed, strict=True)) else x
    if isinstance(x, dict):
        changed = {k: zero(v) for k, v in x.items()}
        return changed if any(changed[k] is not v for k, v in x.items()) else x
    if dataclasses.is_dataclass(x) and not isinstance(x, type):
        return in_a_field(x, zero)
    if isinstance(x, types.FunctionType | types.MethodType):
        return lambda *args, **kwargs: zero(x(*args, **kwargs))
    if _module(x).startswith("sympy") and not _module(x).startswith("sympy.combinatorics") and hasattr(x, "__mul__") and x != 0:
        return x * 0
    return x


def dropped(x: Any) -> Any:
    """The same without its last element; what has no elements stays as it is."""
    if isinstance(x, str):
        return x[:-1] if x else x
    if isinstance(x, list | tuple) and not hasattr(x, "_fields"):
        return x[:-1] if len(x) else x
    if is_array(x):
        return x[:-1] if len(x.shape) and x.shape[0] else x
    if isinstance(x, dict):
        return {k: x[k] for k in list(x)[:-1]} if x else x
    if isinstance(x, set | frozenset):
        return type(x)(sorted(x, key=repr)[:-1]) if x else x
    return in_a_field(x, dropped) if dataclasses.is_dataclass(x) and not isinstance(x, type) else x


def rebuilt(x: Any, values: list[Any]) -> Any:
    return type(x)(*values) if hasattr(x, "_fields") else type(x)(values)


def in_a_field(x: Any, change: Callable[[Any], Any]) -> Any:
    """A dataclass with the first field that can be changed, changed. A change that the class refuses, a state out of range, is no change."""
    for f in dataclasses.fields(x):
        if not f.init or not hasattr(x, f.name):
            continue
        old = getattr(x, f.name)
        new = change(old)
        if new is not old and (found := _replaced(x, f.name, new)) is not None:
            return found
    return x


def _replaced(x: Any, name: str, value: Any) -> Any:
    try:
        return dataclasses.replace(x, **{name: value})
    except ValueError:
        return None


# -- arrays of any library ------------------------------------------------------------------------------------------------


def is_array(x: Any) -> bool:
    torch = sys.modules.get("torch")
    return isinstance(x, np.ndarray) or (torch is not None and isinstance(x, torch.Tensor)) or _module(x).startswith("array_api")


def _module(x: Any) -> str:
    # classes that SymPy makes as it goes have none
    return type(x).__module__ or ""


def prod(shape: Sequence[int]) -> int:
    return int(np.prod(shape, dtype=int)) if len(shape) else 1


def entry(x: Any) -> Any:
    """The last number of an array, as a Python number or an exact one."""
    last = x[(-1,) * len(x.shape)] if len(x.shape) else x[()]
    return last.item() if hasattr(last, "item") else last


def put(x: Any, where: int, value: Any) -> Any:
    """A copy with the last number replaced; a number of the wrong kind leaves it as it is."""
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(x, torch.Tensor):
        change = torch.zeros_like(x).reshape(-1)
        last = entry(x.detach())
        if isinstance(last, bool):
            return ~x
        change[where] = value - last
        return x + change.reshape(x.shape)
    out = np.array(x) if isinstance(x, np.ndarray) else None
    if out is None:
        return x + 1
    out[(where,) * out.ndim if out.ndim else ()] = value
    return out


# -- when -----------------------------------------------------------------------------------------------------------------


def size(x: Any, deep: int = 2) -> int:
    """The size of an argument: a number for an integer, the longest axis of an array, the length of a sequence, the largest of a dataclass's fields."""
    if isinstance(x, bool) or x is None:
        return 0
    if isinstance(x, int | np.integer | flint.fmpz):
        return abs(int(x)) if abs(int(x)) <= LARGEST_SIZE else 0
    if is_array(x):
        return max(x.shape, default=1)
    if isinstance(x, MATRICES):
        return max(x.nrows(), x.ncols())
    if isinstance(x, str | list | tuple | dict | set | frozenset):
        inside = (
            max((size(y, deep - 1) for y in x if not isinstance(y, int | str)), default=0) if deep and not isinstance(x, str | dict) else 0
        )
        return max(len(x), inside)
    if dataclasses.is_dataclass(x) and not isinstance(x, type) and deep:
        return max((size(getattr(x, f.name, None), deep - 1) for f in dataclasses.fields(x)), default=0)
    return 0


def numbers(x: Any, deep: int = 3) -> Iterator[Any]:
    """The numbers in an argument, a hundred of them at most."""
    if is_array(x):
        flat = (
            x.reshape(-1)[:100]
            if isinstance(x, np.ndarray)
            else [entry(x)]
            if prod(x.shape) and str(getattr(x, "device", "")) != "meta"
            else []
        )
        yield from (y.item() if isinstance(y, np.generic) else y for y in flat)
    elif isinstance(x, flint.fmpq_poly | flint.fmpz_poly):
        yield from x.coeffs()[:100]
    elif isinstance(x, MATRICES):
        yield from x.entries()[:100]
    elif isinstance(x, int | float | complex | np.number | EXACT) or hasattr(x, "to_text"):
        yield x
    elif isinstance(x, list | tuple) and deep:
        for y in x[:100]:
            yield from numbers(y, deep - 1)
    elif isinstance(x, dict) and deep:
        for y in list(x.values())[:100]:
            yield from numbers(y, deep - 1)
    elif dataclasses.is_dataclass(x) and not isinstance(x, type) and deep:
        for f in dataclasses.fields(x):
            yield from numbers(getattr(x, f.name, None), deep - 1)


def is_negative(x: Any) -> bool:
    if isinstance(getattr(x, "polynomial", None), flint.fmpq_poly):  # a cyclotomic number has coefficients
        return any(c < 0 for c in x.polynomial.coeffs())
    return (
        isinstance(x, int | float | np.number | flint.fmpq | flint.fmpz | flint.arb | Fraction)
        and not isinstance(x, np.complexfloating)
        and bool(x < 0)
    )


def kinds(x: Any) -> set[str]:
    """The types of numbers in an argument: float, complex, exact, torch."""
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(x, torch.Tensor):
        return {"torch", "complex" if x.is_complex() else "float"}
    if isinstance(x, np.ndarray) and x.dtype != object:
        return {{"c": "complex", "f": "float"}.get(x.dtype.kind, "integer")}
    return {
        "complex" if isinstance(y, complex | np.complexfloating) else "float" if isinstance(y, float | np.floating) else "exact"
        for y in numbers(x)
    }
