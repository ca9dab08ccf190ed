"""The choice of device and array library: NumPy or torch on the CPU, CuPy or torch on a CUDA device. Nothing here is imported unless it is requested."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_info, threadpool_limits

from .. import __version__

#: the files whose text decides what a cell's numbers are, from the root of the package
CODE = (
    "gpu/measures.py",
    "gpu/conditioning.py",
    "gpu/least_squares.py",
    "numerics/cauchy.py",
    "numerics/compiled.py",
    "numerics/double_double.py",
    "numerics/enclosures.py",
    "numerics/haar.py",
    "numerics/lagrange.py",
    "numerics/lagrange_compiled.py",
    "numerics/lanczos.py",
    "numerics/low_rank.py",
    "numerics/vandermonde.py",
)


@dataclass(frozen=True)
class Device:
    """``name`` is "cpu", "cuda" or "torch", ``describe`` says which machine, ``put`` takes a NumPy array there and ``get`` brings one back.

    ``packages`` are the distributions whose versions the results depend on.
    """

    name: str
    describe: str
    put: Callable[[np.ndarray], Any]
    get: Callable[[Any], np.ndarray]
    packages: tuple[str, ...] = ()


CPU = Device("cpu", "CPU (NumPy)", np.asarray, np.asarray)


def choose(wanted: str = "auto") -> Device:
    """The device for "cpu", "cuda", "torch" (on CUDA where torch has it) or "auto", which is CuPy where CuPy and a device are found.

    Raises ``ValueError`` for another name, or for one that cannot be had, saying what is missing.
    """
    if wanted not in ("auto", "cpu", "cuda", "torch"):
        raise ValueError(f"expected a device among auto, cpu, cuda and torch, got {wanted!r}")
    if wanted == "cpu":
        return CPU
    if wanted == "torch":
        return _torch()
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


def made_with(device: Device) -> dict[str, str]:
    """What the bytes of a result depend on beside its parameters: code, versions, processor and device, as texts by name."""
    return dict(_made_with(device.name, device.describe.partition(";")[0], device.packages))


@contextmanager
def one_thread(device: Device) -> Iterator[None]:
    """Linear algebra on one thread for the time of a ``with`` block: sums are taken in one order, and workers do not wait for each other."""
    with threadpool_limits(1), _torch_on_one_thread() if device.name == "torch" else nullcontext():
        yield


@contextmanager
def _torch_on_one_thread() -> Iterator[None]:
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@cache
def stay_on_one_thread(name: str) -> None:
    """The same in a worker, for as long as it lives."""
    threadpool_limits(1)
    if name == "torch":
        import torch

        torch.set_num_threads(1)


@cache
def _made_with(name: str, describe: str, packages: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    root = Path(__file__).parents[1]
    code = sha256(b"".join((root / file).read_bytes() for file in CODE)).hexdigest()[:16]
    found = np.show_config(mode="dicts")["SIMD Extensions"]
    return (
        ("lemmata", __version__),
        ("code", code),
        *((package, version(package)) for package in ("numpy", "scipy", "numba", "python-flint", *packages)),
        ("blas", _blas()),
        ("processor", " ".join([platform.system(), platform.machine(), *found.get("baseline", []), *found.get("found", [])])),
        ("device", describe),
    )


def _blas() -> str:
    """NumPy's library and the kernels that it chose for this processor: another kernel rounds otherwise."""
    loaded = [library for library in threadpool_info() if library["user_api"] == "blas"]
    own = [library for library in loaded if "numpy" in Path(library["filepath"]).parent.name] or loaded
    return ", ".join(sorted({f"{x['internal_api']} {x['version']} {x.get('architecture', '')}".strip() for x in own})) or "none"


def _cuda() -> Device:
    import cupy  # pyright: ignore[reportMissingImports]

    name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    # the distribution's name carries the version of CUDA
    packages = tuple(sorted(name for name in ("cupy", "cupy-cuda12x", "cupy-cuda13x") if _installed(name)))
    return Device("cuda", f"{name} (CuPy)", cupy.asarray, cupy.asnumpy, packages)


def _torch() -> Device:
    if find_spec("torch") is None:
        raise ValueError("expected torch, which is not installed (extra torch); use --device cpu")
    import torch

    on = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    where = torch.cuda.get_device_name() if on.type == "cuda" else "CPU"
    return Device("torch", f"{where} (torch)", lambda array: torch.from_numpy(array).to(on), lambda array: array.cpu().numpy(), ("torch",))


def _installed(distribution: str) -> bool:
    from importlib.metadata import PackageNotFoundError

    try:
        return bool(version(distribution))
    except PackageNotFoundError:
        return False
