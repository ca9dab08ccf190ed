"""``lemmata.sweep``: a quantity over a grid and random draws, to disk."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import xarray as xr

    from ..numerics.progress import Progress


def sweep(
    kind: str,
    out: str | Path,
    *,
    N: int | Iterable[int] | None = None,
    L: int | Iterable[int] | None = None,
    r_min: float | Iterable[float] | None = None,
    r_max: float | None = None,
    basis: str | Iterable[str] | None = None,
    rank: int | Iterable[int] | None = None,
    words: str | Iterable[str] | None = None,
    draws: int = 10,
    first_draw: int = 0,
    seed: int = 0,
    device: str = "auto",
    jobs: int = 1,
    progress: Progress | None = None,
) -> xr.Dataset:
    """Compute a quantity over a grid and random draws. Killed at any time, it goes on where it stopped.

    Args:
        kind: "conditioning" or "reconstruction" over r_min, N and L; "overlaps" over N, rank and words.
        out: A folder for the results, or a file FILE.nc to stream them.
        N: Widths.
        L: Lengths of the input.
        r_min: Least moduli of the eigenvalues.
        r_max: Largest modulus of the eigenvalues; 1 if not given.
        basis: "all", or "haarP": inputs from the P coarsest Haar wavelets.
        rank: Ranks of the matrices, for overlaps.
        words: Pairs of words such as "1:111", for overlaps.
        draws: Random draws for each combination.
        first_draw: The number of the first draw, for grids split over folders.
        seed: Of the random numbers.
        device: "auto", "cpu", "cuda" or "torch".
        jobs: The number of processes.
        progress: Called with the stage, and how much of it is done out of how much.

    Returns:
        Labelled data, one dimension for each axis; every condition number with its method and a bound of its error.

    Raises:
        ValueError: The axes do not fit the kind, or the folder holds another sweep.

    Example:
        >>> import lemmata as lm
        >>> data = lm.sweep("conditioning", "sweep", N=[2, 4], L=8, r_min=0.5, draws=3, device="cpu")
        >>> dict(data.sizes)
        {'r_min': 1, 'r_max': 1, 'N': 2, 'L': 1, 'basis': 1, 'draw': 3}
    """
    from ..gpu import sweeps, workers
    from ..gpu.devices import choose
    from ..numerics.processes import require_jobs
    from ..numerics.progress import silent

    require_jobs(jobs)
    axes = axes_of(draws, first_draw, r_min=r_min, r_max=r_max, N=N, L=L, basis=basis, rank=rank, words=words)
    with workers.processes(jobs) as executor:
        return sweeps.sweep(kind, axes, Path(out), seed, choose(device), progress or silent, executor)


def axes_of(draws: int, first_draw: int, **given: Any) -> dict[str, Any]:
    """The axes of a sweep by name: lists of the values that are given, and the numbers of the draws."""
    axes = {name: _values(value) for name, value in given.items() if value is not None}
    return axes | {"draw": range(first_draw, first_draw + draws)}


def _values(value: Any) -> list[Any]:
    return list(value) if isinstance(value, Iterable) and not isinstance(value, str) else [value]
