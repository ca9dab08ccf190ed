"""``lemmata sweep``: a quantity over a grid and random draws, to disk."""

from __future__ import annotations

from enum import StrEnum
from itertools import product
from pathlib import Path
from typing import Annotated

import typer

from .console import err, out, print_json
from .options import Json
from .progress import progress
from .tables import plain_table


class Which(StrEnum):
    """Where sweeps run."""

    auto = "auto"
    cpu = "cpu"
    cuda = "cuda"


def sweep_command(
    kind: Annotated[str, typer.Argument(help="conditioning, reconstruction or overlaps.")],
    directory: Annotated[Path, typer.Option("--out", help="Folder for the results; an unfinished sweep there goes on.")],
    nodes: Annotated[list[int], typer.Option("--nodes", "-N", help="Width N; may be repeated.")],
    r_min: Annotated[list[float] | None, typer.Option(help="Least modulus of the eigenvalues; may be repeated.")] = None,
    length: Annotated[list[int] | None, typer.Option("--length", "-L", help="Length L of the input; may be repeated.")] = None,
    r_max: Annotated[float, typer.Option(help="Largest modulus of the eigenvalues.")] = 1.0,
    basis: Annotated[
        list[str] | None, typer.Option(help="all, or haarP: inputs from the P coarsest Haar wavelets; may be repeated.")
    ] = None,
    rank: Annotated[list[int] | None, typer.Option(help="Rank of the matrices, for overlaps; may be repeated.")] = None,
    words: Annotated[list[str] | None, typer.Option(help="I:J, such as 1:111, for overlaps; may be repeated.")] = None,
    draws: Annotated[int, typer.Option(min=1, help="Random draws for each combination.")] = 10,
    seed: Annotated[int, typer.Option(min=0, help="The results depend on nothing else.")] = 0,
    device: Annotated[Which, typer.Option(help="auto takes CUDA if CuPy and a device are there.")] = Which.auto,
    as_json: Json = False,
) -> None:
    """Compute a quantity over a grid and random draws.

    Conditioning and reconstruction over r_min, N and L, overlaps of random low-rank equations over N, rank and words. Killed at any time, it goes on where it stopped.
    """
    from ..gpu.devices import choose
    from ..gpu.sweeps import MEASURES, sweep
    from ..theorems.files import require_folder

    require_folder(directory, ["sweep.json", "results.nc", *(piece.name for piece in directory.glob("piece-*.npy"))])
    chosen = choose(device.value)
    if not as_json:
        err.print(f"on {chosen.describe}")
    given = {"r_min": r_min, "r_max": [r_max], "N": nodes, "L": length, "basis": basis or ["all"], "rank": rank, "words": words}
    wanted = MEASURES[kind].axes if kind in MEASURES else given
    axes = {name: given.get(name) or [] for name in wanted} | {"draw": list(range(draws))}
    with progress("sweeping", draws) as advance:
        data = sweep(kind, axes, directory, seed, chosen, lambda done, total: advance("", done, total))
    summary = MEASURES[kind].summary
    means = getattr(data, summary)("draw")
    varied = [name for name in axes if name not in ("draw", "r_max")]
    rows = [
        dict(zip(varied, values, strict=True))
        | {name: float(means[name].isel(dict(zip(varied, at, strict=True))).squeeze()) for name in data.data_vars}
        for at, values in zip(product(*(range(len(axes[n])) for n in varied)), product(*(axes[n] for n in varied)), strict=True)
    ]
    if as_json:
        print_json({"results": str(directory / "results.nc"), f"{summary}s": rows})
        return
    table = plain_table(*rows[0])
    for row in rows:
        table.add_row(*(f"{x:.4g}" if isinstance(x, float) else str(x) for x in row.values()))
    out.print(f"{summary}s of {draws} draws")
    out.print(table)
    out.print(f"all of it: {directory / 'results.nc'}", soft_wrap=True)
