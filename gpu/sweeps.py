"""Sweeps over parameters, streamed to disk in pieces: a killed sweep goes on where it stopped and ends with the same bytes.

The random numbers of a cell depend on the seed and on the cell's own parameters, not on the grid around it, on the order, on the
size of the batches or on the device. Pieces are files that appear whole or not at all; the result is labelled xarray data (netCDF 3).
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr

from ..numerics.haar import haar
from ..numerics.low_rank import Word, overlaps, sample
from ..numerics.vandermonde import log_condition_number, vandermonde
from .devices import CPU, Device

#: cells to a piece: what can be lost by a kill, and what is computed at once
PIECE = 32
#: bytes of the matrices of one batch
BATCH_BYTES = 256 * 2**20

Cell = Mapping[str, Any]


@dataclass(frozen=True)
class Measure:
    """What a sweep computes: ``outputs`` maps a name to (long name, units); ``compute`` gives one row of them for each cell of a batch.

    ``axes`` are its axes in order, with the values of those that may be left out; cells of a batch agree in ``alike``; ``size`` is about the
    bytes that a cell takes; ``check`` raises ``ValueError`` for axes that make no sense together; ``summary`` is what to print of the draws.
    """

    outputs: Mapping[str, tuple[str, str]]
    compute: Callable[[Sequence[Cell], int, Device], np.ndarray]
    axes: Mapping[str, Sequence[Any]]
    alike: tuple[str, ...]
    size: Callable[[Cell], int]
    check: Callable[[Mapping[str, list]], None]
    summary: str = "median"


def ring_nodes(cell: Cell, seed: int) -> np.ndarray:
    """N independent nodes, uniform by area in the ring r_min <= |x| <= r_max (orvieto24, Sec. 4.1), for one cell; shape (N,)."""
    rng = _generator(cell, seed)
    radius = np.sqrt(rng.uniform(cell["r_min"] ** 2, cell["r_max"] ** 2, cell["N"]))
    return radius * np.exp(2j * np.pi * rng.uniform(0, 1, cell["N"]))


def _generator(cell: Cell, seed: int) -> np.random.Generator:
    radii = [int(np.float64(cell[name]).view(np.uint64)) for name in ("r_min", "r_max")]
    return np.random.default_rng([seed, cell["N"], cell["L"], cell["draw"], *radii])


def _basis(cell: Cell) -> np.ndarray | None:
    """The basis that the inputs are made of, shape (L, P); None for all inputs."""
    return None if cell["basis"] == "all" else haar(cell["L"], int(cell["basis"].removeprefix("haar")))


def _conditioning(cells: Sequence[Cell], seed: int, device: Device) -> np.ndarray:
    length = cells[0]["L"]
    nodes = np.stack([ring_nodes(cell, seed) for cell in cells])
    of_v = device.get(log_condition_number(device.put(nodes), length)) / np.log(10)
    rows = []
    for cell, x, accurate in zip(cells, nodes, of_v, strict=True):
        basis, V = _basis(cell), vandermonde(x, length)
        by_lapack = np.log10(np.linalg.cond(V if basis is None else V @ basis))
        rows.append([accurate if basis is None else by_lapack, by_lapack])
    return np.array(rows)


def _reconstruction(cells: Sequence[Cell], seed: int, device: Device) -> np.ndarray:
    rows = []
    for cell in cells:
        nodes, length, basis = ring_nodes(cell, seed), cell["L"], _basis(cell)
        rng = np.random.default_rng([seed, cell["draw"], length])
        psi = np.eye(length) if basis is None else basis
        inputs = psi @ rng.standard_normal(psi.shape[1])
        V = vandermonde(nodes, length)
        state, gamma = V @ inputs, V @ psi
        both = np.vstack([gamma.real, gamma.imag])
        found = [psi @ (np.linalg.pinv(both) @ np.concatenate([state.real, state.imag])), (psi @ (np.linalg.pinv(gamma) @ state)).real]
        rows.append([np.linalg.norm(x - inputs) / np.linalg.norm(inputs) for x in found])
    return np.array(rows)


def parse_words(text: str) -> tuple[Word, Word]:
    """(I, J) from text such as "1:111", letters 1 to 9; ":" is a pair of empty words. Raises ``ValueError`` for anything else."""
    left, colon, right = text.partition(":")
    if not colon or not all(c in "123456789" for c in left + right):
        raise ValueError(f"expected two words of the letters 1 to 9 such as 12:12, got {text!r}")
    return tuple(map(int, left)), tuple(map(int, right))


def _overlaps(cells: Sequence[Cell], seed: int, device: Device) -> np.ndarray:
    I, J = parse_words(cells[0]["words"])
    letters = max([1, *I, *J])
    drawn = [sample([seed, cell["N"], cell["rank"], cell["draw"]], 1, letters, cell["N"], cell["rank"]) for cell in cells]
    X = device.get(overlaps(*(device.put(np.concatenate(parts)) for parts in zip(*drawn, strict=True)), [(I, J)]))[:, 0]
    return np.stack([X, (X - (I == J)) ** 2], axis=1)


def _check_conditioning(axes: Mapping[str, list]) -> None:
    for name, length, n in product(axes["basis"], axes["L"], axes["N"]):
        wavelets = name.removeprefix("haar")
        if name != "all" and not (
            name.startswith("haar") and wavelets.isdigit() and 1 <= int(wavelets) <= min(length, n) and not length & (length - 1)
        ):
            raise ValueError(f"expected a basis all or haarP with P <= N and L a power of two, got {name!r} for N = {n}, L = {length}")
    for low, high in product(axes["r_min"], axes["r_max"]):
        if not 0 <= low <= high:
            raise ValueError(f"expected 0 <= r_min <= r_max, got {low} and {high}")


def _check_overlaps(axes: Mapping[str, list]) -> None:
    for text in axes["words"]:
        parse_words(text)


def _elimination_bytes(cell: Mapping[str, Any]) -> int:
    """The elimination holds about six complex arrays of N x L."""
    return 6 * 16 * cell["N"] * cell["L"]


#: axes of the sweeps over nodes of Vandermonde matrices
_NODES = {"r_min": (), "r_max": (1.0,), "N": (), "L": (), "basis": ("all",), "draw": ()}

MEASURES = {
    "conditioning": Measure(
        {
            "log10_kappa": ("log10 of the condition number of V_L; of V_L Psi, in double precision, for a basis Psi", "1"),
            "log10_kappa_lapack": ("the same by the SVD in double precision, which saturates", "1"),
        },
        _conditioning,
        _NODES,
        ("N", "L"),
        _elimination_bytes,
        _check_conditioning,
    ),
    "reconstruction": Measure(
        {
            "error": ("relative error of the inputs read off the real and imaginary parts of the last state", "1"),
            "error_complex": ("the same by the pseudoinverse of the complex matrix", "1"),
        },
        _reconstruction,
        _NODES,
        ("N", "L"),
        _elimination_bytes,
        _check_conditioning,
    ),
    "overlaps": Measure(
        {
            "overlap": ("X_IJ = <A_I Y, A_J Y> / N of the states of a random low-rank equation", "1"),
            "squared_error": ("(X_IJ - delta_IJ)^2, whose mean is the square of the L2 error in Eq. 15 of movahedi25", "1"),
        },
        _overlaps,
        {"N": (), "rank": (), "words": (), "draw": ()},
        ("N", "rank", "words"),
        lambda cell: 2 * 8 * cell["N"] * cell["rank"] * max([1, *map(int, cell["words"].replace(":", ""))]),
        _check_overlaps,
        summary="mean",
    ),
}

LABELS = {
    "r_min": ("least modulus of the eigenvalues", "1"),
    "r_max": ("largest modulus of the eigenvalues", "1"),
    "N": ("width: number of eigenvalues, or of units", "1"),
    "L": ("length of the input", "1"),
    "rank": ("rank of the matrices", "1"),
    "basis": ("what the inputs are made of: all, or haarP for the P coarsest Haar wavelets", "1"),
    "words": ("the words I:J of the overlap", "1"),
    "draw": ("number of the random draw", "1"),
}

#: netCDF 3 has no text of variable length: names are padded bytes
TEXT = {"basis": "S8", "words": "S16"}


def sweep(
    kind: str,
    axes: Mapping[str, Sequence[Any]],
    out: Path,
    seed: int = 0,
    device: Device = CPU,
    advance: Callable[[int, int], None] = lambda done, total: None,
) -> xr.Dataset:
    """Compute ``kind``, a key of ``MEASURES``, on the grid of ``axes`` into the folder ``out``: r_min, r_max, N, L, basis, draw for "conditioning" and
    "reconstruction", N, rank, words, draw for "overlaps".

    Writes ``results.nc`` when all is done, and goes on with what an earlier, unfinished run has left there. ``advance`` is called with
    the cells done and their number. Raises ``ValueError`` for an unknown kind, bad axes, or a folder that holds another sweep.
    """
    measure = MEASURES.get(kind)
    if measure is None:
        raise ValueError(f"expected a sweep among {', '.join(MEASURES)}, got {kind!r}")
    axes = _checked(measure, axes)
    out = Path(out)
    _claim_folder(out, {"kind": kind, "seed": seed, "axes": axes})
    cells = [dict(zip(axes, values, strict=True)) for values in product(*axes.values())]
    pieces = [cells[i : i + PIECE] for i in range(0, len(cells), PIECE)]
    done = 0
    for i, piece in enumerate(pieces):
        path = out / f"piece-{i:06d}.npy"
        if not path.exists():
            _write(path, lambda file, piece=piece: np.save(file, _rows(measure, piece, seed, device)))
        done += len(piece)
        advance(done, len(cells))
    values = np.concatenate([np.load(out / f"piece-{i:06d}.npy") for i in range(len(pieces))])
    data = _labelled(kind, measure, axes, values, seed)
    _write(out / "results.nc", lambda file: file.write(data.to_netcdf(engine="scipy")))
    return data


def _checked(measure: Measure, axes: Mapping[str, Sequence[Any]]) -> dict[str, list]:
    found = {name: list(axes.get(name, default)) for name, default in measure.axes.items()}
    for name, values in found.items():
        if not values:
            raise ValueError(f"expected at least one value of {name}, got none")
        if name in ("N", "L", "rank") and any(not isinstance(v, int) or v < 1 for v in values):
            raise ValueError(f"expected whole numbers {name} >= 1, got {values}")
    measure.check(found)
    return found


def _claim_folder(out: Path, description: dict[str, Any]) -> None:
    """Write what the folder is for, or check that it is for the same."""
    out.mkdir(parents=True, exist_ok=True)
    path, text = out / "sweep.json", json.dumps(description, indent=1) + "\n"
    if path.exists() and path.read_text(encoding="utf-8") != text:
        raise ValueError(f"expected an empty folder or the same sweep, got another sweep in {str(out)!r}")
    _write(path, lambda file: file.write(text.encode()))


def _rows(measure: Measure, piece: Sequence[Cell], seed: int, device: Device) -> np.ndarray:
    rows = np.empty((len(piece), len(measure.outputs)))
    for batch in _batches(measure, piece):
        rows[batch] = measure.compute([piece[i] for i in batch], seed, device)
    return rows


def _batches(measure: Measure, piece: Sequence[Cell]) -> Iterator[list[int]]:
    """Cells of one size, as many at once as memory allows."""
    sizes: dict[tuple, list[int]] = {}
    for i, cell in enumerate(piece):
        sizes.setdefault(tuple(cell[name] for name in measure.alike), []).append(i)
    for members in sizes.values():
        most = max(1, BATCH_BYTES // measure.size(piece[members[0]]))
        yield from (members[i : i + most] for i in range(0, len(members), most))


def _labelled(kind: str, measure: Measure, axes: Mapping[str, list], values: np.ndarray, seed: int) -> xr.Dataset:
    shape = [len(v) for v in axes.values()]
    variables = {
        name: (tuple(axes), values[:, k].reshape(shape), {"long_name": label, "units": units})
        for k, (name, (label, units)) in enumerate(measure.outputs.items())
    }
    arrays = {name: np.array(v, dtype=TEXT.get(name)) for name, v in axes.items()}
    coordinates = {name: (name, arrays[name], dict(zip(("long_name", "units"), LABELS[name], strict=True))) for name in axes}
    return xr.Dataset(variables, coordinates, {"sweep": kind, "seed": seed})


def _write(path: Path, write: Callable[[Any], Any]) -> None:
    """A file that appears whole or not at all."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with unfinished.open("wb") as file:
            write(file)
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)
