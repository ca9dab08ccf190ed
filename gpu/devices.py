"""The choice of device and array library: NumPy on the CPU, CuPy on a CUDA device. Nothing here is imported unless it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Device:
    """``name`` is "cpu" or "cuda", ``describe`` says which machine, ``put`` takes a NumPy array there and ``get`` brings one back."""

    name: str
    describe: str
    put: Callable[[np.ndarray], Any]
    get: Callable[[Any], np.ndarray]


CPU = Device("cpu", "CPU (NumPy)", np.asarray, np.asarray)


def choose(wanted: str = "auto") -> Device:
    """The device for "cpu", "cuda" or "auto", which is CUDA where CuPy and a device are found.

    Raises ``ValueError`` for another name, or for "cuda" where it cannot be had, saying what is missing.
    """
    if wanted not in ("auto", "cpu", "cuda"):
        raise ValueError(f"expected a device among auto, cpu and cuda, got {wanted!r}")
    if wanted == "cpu":
        return CPU
    missing = why_no_cuda()
    if missing is None:
        return _cuda()
    if wanted == "cuda":
        raise ValueError(f"expected a CUDA device, got none: {missing}; use --device cpu")
    return Device("cpu", f"CPU (NumPy); no CUDA: {missing}", np.asarray, np.asarray)


def why_no_cuda() -> str | None:
    """What is missing for CUDA, in a few words; None if nothing is."""
    if find_spec("cupy") is None:
        return "CuPy is not installed (extra gpu)"
    import cupy  # pyright: ignore[reportMissingImports]

    try:
        return None if cupy.cuda.runtime.getDeviceCount() > 0 else "no device"
    except cupy.cuda.runtime.CUDARuntimeError as error:
        return str(error)


def _cuda() -> Device:
    import cupy  # pyright: ignore[reportMissingImports]

    name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    return Device("cuda", f"{name} (CuPy)", cupy.asarray, cupy.asnumpy)
