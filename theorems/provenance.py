"""What a run of the checks rested on besides the code: versions, processor, seeds. For the header of ``lemmata verify --json``; git keeps none of it."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from .. import __version__

#: packages whose version may matter to a check
PACKAGES = ("numpy", "scipy", "sympy", "python-flint", "numba", "networkx", "automata-lib", "array-api-compat")

#: optional packages that comparisons need
EXTRAS = ("torch", "array-api-strict")


def header(effort: str, sabotage: bool = False) -> dict[str, Any]:
    """Versions, processor, kernels of linear algebra, seeds and effort of a run; a package that is missing has the version None.

    Every check seeds its own generators with numbers that stand in it. ``hash`` is the seed of Python's hashes: the order of sets depends on it.
    """
    return {
        "lemmata": __version__,
        "python": platform.python_version(),
        "packages": {name: _version(name) for name in (*PACKAGES, *EXTRAS)},
        "processor": {"machine": platform.machine(), "model": _processor(), "kernels": _kernels()},
        "system": platform.platform(),
        "seed": {"generators": "fixed in each check", "hash": os.environ.get("PYTHONHASHSEED", "random")},
        "effort": effort,
        "sabotage": sabotage,
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _processor() -> str:
    """The processor's name; Linux says it in a file, elsewhere Python may know it."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            names = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
    except OSError:
        names = []
    return names[0] if names else platform.processor()


def _kernels() -> list[dict[str, Any]]:
    """The libraries of linear algebra that are loaded, with the kernels that they chose: what OPENBLAS_CORETYPE changes."""
    from threadpoolctl import threadpool_info

    wanted = ("internal_api", "version", "architecture", "num_threads")
    return [{name: library.get(name) for name in wanted} for library in threadpool_info()]
