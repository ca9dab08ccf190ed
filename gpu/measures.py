"""What a sweep computes for its cells, and which cells there can be. The random numbers of a cell depend on the seed and on the cell's own parameters alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import log
from typing import Any

import array_api_compat
import numpy as np

from ..numerics.haar import haar
from ..numerics.low_rank import Word, overlaps, sample
from ..numerics.vandermonde import powers
from .conditioning import METHODS, conditions
from .devices import Device
from .least_squares import least_squares

Cell = Mapping[str, Any]


@dataclass(frozen=True)
class Measure:
    """What a sweep computes: ``outputs`` maps a name to (long name, units), and ``flags`` the name of a whole number to what 0, 1, ... stand for; ``compute`` gives one row of them for each cell of a batch.

    ``axes`` are its axes in order, with the values of those that may be left out; cells of a batch agree in ``alike``; ``size`` is about the
    bytes that a cell takes; ``check`` raises ``ValueError`` for axes that make no sense together; ``summary`` is what to print of the draws.
    """

    outputs: Mapping[str, tuple[str, str]]
    compute: Callable[[Sequence[Cell], int, Device], np.ndarray]
    axes: Mapping[str, Sequence[Any]]
    alike: tuple[str, ...]
    size: Callable[[Cell], int]
    check: Callable[[Mapping[str, Sequence[Any]]], None]
    summary: str = "median"
    flags: Mapping[str, Sequence[str]] = field(default_factory=dict)


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


def decoding_errors(nodes: Any, basis: Any, inputs: Any) -> Any:
    """How far the inputs read off the last state are from ``inputs``, shape (b, L), relative to their norms; shape (b, 2).

    ``nodes`` (b, N) complex, ``inputs`` real, made of the real ``basis`` (L, P), None for all of R^L. The first column reads them off the real and
    imaginary parts of the state, the second is the real part of what the complex least squares give. NumPy, torch and CuPy arrays.
    """
    xp = array_api_compat.array_namespace(nodes, inputs)
    V = powers(nodes, inputs.shape[-1])
    gamma = V if basis is None else V @ xp.astype(basis, V.dtype)
    states = (V @ xp.astype(inputs, V.dtype)[..., None])[..., 0]
    by_parts = least_squares(xp.concat([xp.real(gamma), xp.imag(gamma)], axis=-2), xp.concat([xp.real(states), xp.imag(states)], axis=-1))
    found = [by_parts, xp.real(least_squares(gamma, states))]
    if basis is not None:
        found = [(basis @ x[..., None])[..., 0] for x in found]
    norm = xp.linalg.vector_norm(inputs, axis=-1)
    return xp.stack([xp.linalg.vector_norm(x - inputs, axis=-1) / norm for x in found], axis=-1)


def _conditioning(cells: Sequence[Cell], seed: int, device: Device) -> np.ndarray:
    return conditions(np.stack([ring_nodes(cell, seed) for cell in cells]), cells[0]["L"], _basis(cells[0]), device)


def _reconstruction(cells: Sequence[Cell], seed: int, device: Device) -> np.ndarray:
    basis = _basis(cells[0])
    nodes = np.stack([ring_nodes(cell, seed) for cell in cells])
    inputs = np.stack([_inputs(cell, basis, seed) for cell in cells])
    return device.get(decoding_errors(device.put(nodes), None if basis is None else device.put(basis), device.put(inputs)))


def _inputs(cell: Cell, basis: np.ndarray | None, seed: int) -> np.ndarray:
    """Standard Gaussian coefficients of the basis: the same for all nodes of a draw."""
    rng = np.random.default_rng([seed, cell["draw"], cell["L"]])
    return rng.standard_normal(cell["L"]) if basis is None else basis @ rng.standard_normal(basis.shape[1])


#: letters of a word, at most: the state after each of its beginnings is held
LONGEST_WORD = 1000


def parse_words(text: str) -> tuple[Word, Word]:
    """(I, J) from text such as "1:111", letters 1 to 9; ":" is a pair of empty words. Raises ``ValueError`` for anything else, and for long words."""
    left, colon, right = text.partition(":") if isinstance(text, str) else ("", "", "")
    if not colon or not all(c in "123456789" for c in left + right):
        raise ValueError(f"expected two words of the letters 1 to 9 such as 12:12, got {text!r:.60}")
    if (longest := max(len(left), len(right))) > LONGEST_WORD:
        raise ValueError(f"expected words of at most {LONGEST_WORD:,} letters, got one of {longest:,}: take shorter ones")
    return tuple(map(int, left)), tuple(map(int, right))


def _overlaps(cells: Sequence[Cell], seed: int, device: Device) -> np.ndarray:
    I, J = parse_words(cells[0]["words"])
    letters = max([1, *I, *J])
    drawn = [sample([seed, cell["N"], cell["rank"], cell["draw"]], 1, letters, cell["N"], cell["rank"]) for cell in cells]
    W, M, Y = (device.put(np.concatenate(parts)) for parts in zip(*drawn, strict=True))
    X = device.get(overlaps(W, M, Y, [(I, J)]))[:, 0]
    return np.stack([X, (X - (I == J)) ** 2], axis=1)


def _check_nodes(axes: Mapping[str, Sequence[Any]]) -> None:
    for name, length, n in product(axes["basis"], axes["L"], axes["N"]):
        wavelets = name.removeprefix("haar") if isinstance(name, str) else ""
        if name != "all" and not (
            wavelets.isdecimal() and name == f"haar{int(wavelets)}" and 1 <= int(wavelets) <= min(length, n) and not length & (length - 1)
        ):
            raise ValueError(f"expected a basis all or haarP with P <= N and L a power of two, got {name!r} for N = {n}, L = {length}")
    for low, high in product(axes["r_min"], axes["r_max"]):
        if not 0 <= low <= high <= 1e150:
            raise ValueError(f"expected 0 <= r_min <= r_max <= 1e150, got {low} and {high}")


def _check_powers(axes: Mapping[str, Sequence[Any]], bases: Sequence[str]) -> None:
    """What double precision cannot hold is refused where the matrix itself is needed."""
    radius, length = max(axes["r_max"]), max(axes["L"])
    if bases and radius > 1 and length * log(radius) > 300 * log(10):
        raise ValueError(f"expected r_max^L below 1e300 for what is computed with the matrix itself, got r_max = {radius}, L = {length}")


def _check_conditioning(axes: Mapping[str, Sequence[Any]]) -> None:
    _check_nodes(axes)
    _check_powers(axes, [name for name in axes["basis"] if name != "all"])


def _check_reconstruction(axes: Mapping[str, Sequence[Any]]) -> None:
    _check_nodes(axes)
    _check_powers(axes, axes["basis"])


def _check_overlaps(axes: Mapping[str, Sequence[Any]]) -> None:
    for text in axes["words"]:
        parse_words(text)


def _conditioning_bytes(cell: Cell) -> int:
    """Lagrange's formula holds about eight complex arrays of N x L."""
    return 8 * 16 * cell["N"] * cell["L"]


def _reconstruction_bytes(cell: Cell) -> int:
    """Matrix and factors, complex and in parts, and the basis."""
    return 8 * 16 * max(cell["N"], cell["L"]) * cell["L"]


#: axes of the sweeps over nodes of Vandermonde matrices
_NODES = {"r_min": (), "r_max": (1.0,), "N": (), "L": (), "basis": ("all",), "draw": ()}

MEASURES = {
    "conditioning": Measure(
        {
            "log10_kappa": ("log10 of the condition number kappa of V_L, or of V_L Psi for a basis Psi", "1"),
            "log10_kappa_lapack": ("the same by the SVD in double precision, which saturates", "1"),
            "method": ("what log10_kappa was computed by", "1"),
            "kappa_error": ("bound of the relative error of kappa, proved if the method is certified or rank", "1"),
        },
        _conditioning,
        _NODES,
        ("N", "L", "basis"),
        _conditioning_bytes,
        _check_conditioning,
        flags={"method": METHODS},
    ),
    "reconstruction": Measure(
        {
            "error": ("relative error of the inputs read off the real and imaginary parts of the last state", "1"),
            "error_complex": ("the same by the pseudoinverse of the complex matrix", "1"),
        },
        _reconstruction,
        _NODES,
        ("N", "L", "basis"),
        _reconstruction_bytes,
        _check_reconstruction,
    ),
    "overlaps": Measure(
        {
            "overlap": ("X_IJ = <A_I Y, A_J Y> / N of the states of a random low-rank equation", "1"),
            "squared_error": ("(X_IJ - delta_IJ)^2, whose mean is the square of the L2 error in Eq. 15 of movahedi25", "1"),
        },
        _overlaps,
        {"N": (), "rank": (), "words": (), "draw": ()},
        ("N", "rank", "words"),
        lambda cell: 8 * cell["N"] * (2 * cell["rank"] * max([1, *map(int, cell["words"].replace(":", ""))]) + len(cell["words"])),
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
