"""``lemmata recheck``: certificates, verified by the independent checker."""

from __future__ import annotations

from typing import Annotated

import typer

from .console import err, out, print_json
from .options import Json
from .progress import progress


def recheck_command(
    directory: Annotated[
        str, typer.Argument(metavar="PATH", help="What verify --certificates or compile --out wrote: a directory or a file.")
    ],
    everything: Annotated[bool, typer.Option("--all", help="Every claim that has certificates must be there.")] = False,
    verified: Annotated[
        bool,
        typer.Option(
            "--verified", help="Exported networks only: the checker that is proved sound in Rocq, where make verified has built it."
        ),
    ] = False,
    dtype: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="DTYPE",
            help="With --verified: what compile --stored DTYPE wrote is right at every length, every operation rounded: float32, float16 or bfloat16.",
        ),
    ] = None,
    way: Annotated[
        str,
        typer.Option(
            "--path", metavar="PATH", help="With --format: how the network runs: loop, delta, or in any order of sums fused, scan or chunk."
        ),
    ] = "loop",
    chunk: Annotated[
        str | None,
        typer.Option(
            "--chunk",
            metavar="STEPS",
            help="With --path chunk: the most micro-steps of a chunk, shorter ones included.",
            show_default="128",
        ),
    ] = None,
    limits: Annotated[str, typer.Option("--limits", metavar="TIMES", help="Allow so many times the work, memory and sizes.")] = "1",
    as_json: Json = False,
) -> None:
    """Verify certificates with an independent checker.

    The checker uses the standard library alone. Exit code 2 if a file is rejected, or, with --all, missing.
    """
    from ..api.recheck import recheck
    from ..theorems.recheck import Rejected, files_of

    try:
        count = len(files_of(directory))
    except Rejected as error:
        raise ValueError(str(error)) from None
    with progress("re-checking", count) as advance:
        found = recheck(
            directory, everything=everything, verified=verified, dtype=dtype, way=way, chunk=chunk, limits=limits, progress=advance
        )
    if as_json:
        print_json(found.data)
    else:
        for line in found.complaints():
            err.print(line, soft_wrap=True)
        for line in found.holding():
            out.print(line, soft_wrap=True)
    raise typer.Exit(0 if found.holds else 2)
