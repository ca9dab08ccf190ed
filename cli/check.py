"""``lemmata check``: does a kernel return the exact outputs of its rule?"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from .options import Json
from .progress import progress


def check_command(
    kernel: Annotated[
        str,
        typer.Argument(
            metavar="KERNEL", help="FILE.py:FUNCTION, or a known implementation, named by its import (docs/reference/kernels.md)."
        ),
    ],
    rule: Annotated[
        str, typer.Option(help="linear, scalar-gate, channel-gate, delta, gated-delta, products, kda, mamba2, rwkv7 or complex-diagonal.")
    ],
    dtype: Annotated[str, typer.Option(help="float32, float16 or bfloat16.")] = "float32",
    tensors: Annotated[bool, typer.Option("--tensors", help="The function takes torch tensors, not NumPy arrays.")] = False,
    feature: Annotated[list[str] | None, typer.Option(help="Only this feature, for example swap; may be repeated.")] = None,
    stress: Annotated[bool, typer.Option("--stress", help="Also run the vectors that not every correct kernel returns.")] = False,
    length: Annotated[list[int] | None, typer.Option(min=1, help="Only calls of that many steps; may be repeated.")] = None,
    as_json: Json = False,
) -> None:
    """Hold a kernel to exact test vectors.

    Every number must be equal, without a tolerance. Exit code 0 if all are, 1 if not. The code in FILE.py is run.
    """
    from ..api.check import check
    from ..kernels.checking import chosen

    function = _loaded(kernel) if ":" in kernel else kernel
    with progress("checking", len(chosen(rule, dtype, feature, stress))) as advance:
        found = check(
            function, rule, dtype=dtype, tensors=tensors, features=feature, stress=stress, lengths=length or None, progress=advance
        )
    if as_json:
        from .console import print_json

        print_json(found.data)
    else:
        found.print()
    raise typer.Exit(0 if found else 1)


def _loaded(where: str) -> Callable[..., Any]:
    """The function that FILE.py:FUNCTION names. Raises ``ValueError`` if there is none."""
    from importlib.util import module_from_spec, spec_from_file_location

    from ..theorems.files import require_regular

    file, _, name = where.rpartition(":")
    path = Path(file)
    require_regular(path)
    spec = spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ValueError(f"expected a file of Python code, got {path}")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    function = getattr(module, name, None)
    if not callable(function):
        raise ValueError(f"expected a function {name} in {path}, got {'none' if function is None else type(function).__name__}")
    return function
