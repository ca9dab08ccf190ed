"""``lemmata sweep``: a quantity over a grid and random draws, to disk."""

from __future__ import annotations

import re
from enum import StrEnum
from itertools import product
from pathlib import Path
from typing import Annotated, Any

import typer

from .console import err, out, print_json
from .options import Json
from .progress import progress
from .tables import plain_table
from .threads import one_thread


class Which(StrEnum):
    """Where sweeps run."""

    auto = "auto"
    cpu = "cpu"
    cuda = "cuda"
    torch = "torch"


def sweep_command(
    kind: Annotated[str, typer.Argument(help="conditioning, reconstruction or overlaps; or collect, the results of shards.")],
    collected: Annotated[Path | None, typer.Argument(metavar="[OUT]", help="The folder or FILE.nc to collect.", show_default=False)] = None,
    directory: Annotated[
        Path | None, typer.Option("--out", help="Folder for the results, or FILE.nc to stream them; an unfinished sweep there is resumed.")
    ] = None,
    nodes: Annotated[list[int] | None, typer.Option("--nodes", "-N", help="Width N; may be repeated.")] = None,
    r_min: Annotated[list[float] | None, typer.Option(help="Least modulus of the eigenvalues; may be repeated.")] = None,
    length: Annotated[list[int] | None, typer.Option("--length", "-L", help="Length L of the input; may be repeated.")] = None,
    r_max: Annotated[float | None, typer.Option(help="Largest modulus of the eigenvalues; 1 if not given.", show_default=False)] = None,
    basis: Annotated[
        list[str] | None, typer.Option(help="all, or haarP: inputs from the P coarsest Haar wavelets; may be repeated.")
    ] = None,
    rank: Annotated[list[int] | None, typer.Option(help="Rank of the matrices, for overlaps; may be repeated.")] = None,
    words: Annotated[list[str] | None, typer.Option(help="I:J, such as 1:111, for overlaps; may be repeated.")] = None,
    draws: Annotated[int, typer.Option(min=1, help="Random draws for each combination.")] = 10,
    first_draw: Annotated[int, typer.Option(min=0, help="Number of the first draw, for grids split over folders.")] = 0,
    seed: Annotated[int, typer.Option(min=0, help="Of the random numbers.")] = 0,
    device: Annotated[Which, typer.Option(help="auto takes CUDA if CuPy and a device are there.")] = Which.auto,
    jobs: Annotated[int | None, typer.Option(min=1, help="Number of processes; 1 if not given.", show_default=False)] = None,
    dask: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="The workers of a Dask scheduler, or local for a cluster of --jobs workers (extra dask)."),
    ] = None,
    shard: Annotated[
        str | None, typer.Option(metavar="I/N", help="The I-th of N parts only, for job arrays; then: lemmata sweep collect OUT.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Compute a quantity over a grid and random draws.

    Conditioning and reconstruction over r_min, N and L, overlaps of random low-rank equations over N, rank and words. After a kill, the same command resumes the sweep.
    """
    one_thread()
    from ..gpu import workers
    from ..gpu.devices import choose
    from ..gpu.grid import grid_of
    from ..gpu.sweeps import collect, compute, places, sweep
    from ..numerics.processes import require_jobs

    if kind == "collect":
        if collected is None or directory is not None:
            raise ValueError("expected lemmata sweep collect OUT")
        _require_files(collected)
        with collect(collected) as data:
            _print(data, collected, as_json)
        return
    if directory is None or collected is not None:
        raise ValueError("expected a folder or file for the results: --out DIR, or --out FILE.nc")
    given = {
        "r_min": r_min,
        "r_max": None if r_max is None else [r_max],
        "N": nodes,
        "L": length,
        "basis": basis,
        "rank": rank,
        "words": words,
    }
    axes: dict[str, Any] = {name: values for name, values in given.items() if values is not None} | {
        "draw": range(first_draw, first_draw + draws)
    }
    part = _shard(shard)
    require_jobs(jobs or 1)
    grid = grid_of(kind, axes, seed, places(directory)[2])
    _require_files(directory)
    chosen = choose(device.value)
    if not as_json:
        err.print(f"on {chosen.describe}")
    crew = workers.processes(jobs or 1) if dask is None else workers.dask(dask, jobs)
    with progress("sweeping", grid.cells) as advance, crew as executor:
        heard: Any = {"progress": advance, "executor": executor, "tell": err.print}
        if shard is not None:
            compute(kind, axes, directory, seed, chosen, shard=part, **heard)
            if not as_json:
                err.print(f"shard {shard} is done; when all are: lemmata sweep collect {directory}", soft_wrap=True)
            return
        data = sweep(kind, axes, directory, seed, chosen, **heard)
    with data:
        _print(data, directory, as_json)


def _shard(text: str | None) -> tuple[int, int]:
    # at most nine digits each, those of ASCII alone
    found = re.fullmatch("([0-9]{1,9})/([0-9]{1,9})", "1/1" if text is None else text)
    if found is None or not 1 <= int(found[1]) <= int(found[2]):
        raise ValueError(f"expected --shard I/N with 1 <= I <= N, such as 3/16, got {text!r:.60}")
    return int(found[1]), int(found[2])


def _require_files(chosen: Path) -> None:
    """What a sweep writes may be written."""
    from ..gpu.sweeps import places
    from ..theorems.files import require_folder, require_writable

    folder, results, _ = places(chosen)
    require_folder(folder, ["sweep.json", *(piece.name for piece in folder.glob("piece-*.npy"))])
    require_writable(results)


def _print(data: Any, chosen: Path, as_json: bool) -> None:
    """The median or mean over the draws, for each combination, of what fits in memory."""
    from ..gpu.grid import MOST
    from ..gpu.measures import MEASURES
    from ..gpu.sweeps import places

    results = str(places(chosen)[1])
    if data[next(iter(data.data_vars))].size > MOST:
        if as_json:
            print_json({"results": results})
        else:
            out.print(f"all of it: {results}", soft_wrap=True)
        return

    measure = MEASURES[data.attrs["sweep"]]
    summary, flags = measure.summary, list(measure.flags)
    means = getattr(data.drop_vars(flags), summary)("draw")
    axes = {name: [_plain(x) for x in data[name].values.tolist()] for name in data.dims}
    varied = [name for name in axes if name not in ("draw", "r_max")]
    rows = [
        dict(zip(varied, values, strict=True))
        | {name: float(means[name].isel(dict(zip(varied, at, strict=True))).squeeze()) for name in means.data_vars}
        | {name: _met(data[name].isel(dict(zip(varied, at, strict=True)))) for name in flags}
        for at, values in zip(product(*(range(len(axes[n])) for n in varied)), product(*(axes[n] for n in varied)), strict=True)
    ]
    if as_json:
        print_json({"results": results, f"{summary}s": rows})
        return
    table = plain_table(*rows[0])
    for row in rows:
        table.add_row(*(f"{x:.4g}" if isinstance(x, float) else str(x) for x in row.values()))
    out.print(f"{summary}s of {len(axes['draw'])} draws")
    out.print(table)
    out.print(f"all of it: {results}", soft_wrap=True)


def _met(flags: Any) -> str:
    """What the numbers of a variable with flags stand for, as far as they occur."""
    meanings = flags.attrs["flag_meanings"].split()
    return ", ".join(meanings[i] for i in sorted({int(i) for i in flags.values.ravel()}))


def _plain(value: Any) -> Any:
    return value.decode() if isinstance(value, bytes) else value
