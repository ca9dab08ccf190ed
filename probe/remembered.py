"""What a step may remember between two calls: all that its module or function can get at, as it is now."""

from __future__ import annotations

import inspect
import random
import sys
from collections import deque
from collections.abc import Iterator, Mapping
from itertools import chain
from types import FunctionType, GeneratorType, MethodType, ModuleType
from typing import Any

import numpy as np
import torch

#: packages whose own functions and classes are taken to remember nothing
LIBRARIES = sys.stdlib_module_names | {"numpy", "torch", "einops", "triton", "fla", "transformers", "lemmata"}

PLAIN = (bool, int, float, complex, str, bytes, type(None), torch.dtype, torch.device)

#: attributes that every module has; of these, where it keeps its tensors and parts
OF_MODULES = frozenset(vars(torch.nn.Module()))
KEPT = ("_parameters", "_buffers", "_modules")


def remembered(what: Any) -> dict[str, Any]:
    """Names and values of what a call may change: attributes, buffers, parameters, enclosed and global variables, generators, classes.

    Tensors are copied. What a library keeps in compiled code is not seen.

    >>> seen = [1]
    >>> remembered(lambda: seen)["seen[0]"]
    1
    """
    found: dict[str, Any] = {}
    _walk(what, "", found, {})
    return found


def random_states() -> tuple[Any, ...]:
    """The states of the generators that PyTorch, NumPy and Python share among all their callers."""
    return torch.random.get_rng_state(), repr(random.getstate()), repr(np.random.get_state(legacy=False))  # noqa: NPY002


def changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """The names whose values differ, or that only one of the two has."""
    return sorted(
        name for name in before.keys() | after.keys() if name not in before or name not in after or not same(before[name], after[name])
    )


def same(a: Any, b: Any) -> bool:
    """Whether two values are equal; two that are no numbers are."""
    if isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor):
        return a.shape == b.shape and a.dtype == b.dtype and bool(torch.equal(torch.nan_to_num(a), torch.nan_to_num(b)))
    return a is b or (type(a) is type(b) and bool(a == b or (a != a and b != b)))


def _walk(x: Any, path: str, found: dict[str, Any], seen: dict[int, Any]) -> None:
    """Follow everything that can be reached, each object once."""
    if isinstance(x, PLAIN):
        found[path] = x
    elif isinstance(x, torch.Tensor):
        found[path] = x.detach().clone()
    elif id(x) not in seen:
        # kept as long as the walk, so that no other object gets its id
        seen[id(x)] = x
        for name, value in _parts(x):
            _walk(value, _joined(path, name), found, seen)


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path and not name.startswith("[") else f"{path}{name}"


def _parts(x: Any) -> Iterator[tuple[str, Any]]:
    """The names and values that an object holds."""
    if isinstance(x, torch.nn.Module):
        yield from ((k, v) for k, v in vars(x).items() if k not in OF_MODULES)
        yield from chain.from_iterable(vars(x)[kept].items() for kept in KEPT)
        yield from _of_class(type(x))
    elif isinstance(x, Mapping):
        yield from ((f"[{k!r}]", v) for k, v in x.items())
    elif isinstance(x, list | tuple | deque):
        yield from ((f"[{i}]", v) for i, v in enumerate(x))
    elif isinstance(x, set | frozenset | bytearray | np.ndarray):
        yield "", repr(x.tobytes() if isinstance(x, np.ndarray) else sorted(map(repr, x)))
    elif isinstance(x, FunctionType):
        yield from _of_function(x)
    elif isinstance(x, MethodType):
        yield from (("self", x.__self__), ("", x.__func__))
    elif isinstance(x, GeneratorType):
        yield from inspect.getgeneratorlocals(x).items()
    elif isinstance(x, torch.Generator):
        yield "state", x.get_state()
    elif not isinstance(x, type | ModuleType) and not callable(x):
        yield from _of_object(x)
    elif not isinstance(x, type | ModuleType):
        yield from getattr(x, "__dict__", {}).items()
        yield from _of_class(type(x))


def _is_own(x: Any) -> bool:
    """Whether a function or a class is none of the libraries'."""
    return (getattr(x, "__module__", None) or "builtins").partition(".")[0] not in LIBRARIES


def _of_function(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """What a function encloses, names globally and defaults to."""
    if not _is_own(function):
        return
    names = inspect.getclosurevars(function)
    yield from ((k, v) for k, v in chain(names.nonlocals.items(), names.globals.items()))
    yield from ((f"default {i}", v) for i, v in enumerate(function.__defaults__ or ()))
    yield from vars(function).items()


def _of_class(kind: type) -> Iterator[tuple[str, Any]]:
    """What a class and those above it hold for all their objects, and what their methods get at."""
    for one in filter(_is_own, kind.__mro__):
        for name, value in vars(one).items():
            if not name.startswith("__") or isinstance(value, FunctionType):
                value = value.__func__ if isinstance(value, staticmethod | classmethod) else value
                yield (f"{one.__name__}.{name}", value) if not isinstance(value, FunctionType) else (name, value)


def _of_object(x: Any) -> Iterator[tuple[str, Any]]:
    """What an object would be copied by: an iterator, its place; a random generator, its state."""
    yield from getattr(x, "__dict__", {}).items()
    if _is_own(type(x)):
        yield from _of_class(type(x))
        yield from ((name, getattr(x, name)) for name in getattr(type(x), "__slots__", ()) if hasattr(x, name))
        return
    try:
        made = x.__reduce_ex__(2)
    except TypeError:  # no copy can be made of it
        return
    # the class comes first
    yield from ((f"({i})", part) for i, part in enumerate(made[1:]) if not isinstance(made, str))
