"""orvieto24, Fig. 3, 6 and 8: an image read pixel by pixel, and what the pseudoinverse makes of the last state, for several widths and nodes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from ..experiments.digits import images
from ..numerics.vandermonde import vandermonde
from . import style

FINDING = "With roots of unity, L units recover the image; reading real and imaginary parts halves the width"

CHOICES = ("r_min = 0", "r_min = 0.9", "r_min = 0.999", "roots of unity", "r_min = 0.999, real decoder")


def compute(scale: str = "quick", mnist: Path | None = None) -> xr.Dataset:
    """The image and its reconstructions (nodes, width, row, column); widths are L/4, L/2, 3L/4, L and 2L."""
    image = images(mnist, 1)[0]
    length = image.size
    widths = np.array([length // 4, length // 2, 3 * length // 4, length, 2 * length])
    found = np.empty((len(CHOICES), len(widths), *image.shape))
    for i, choice in enumerate(CHOICES):
        for j, n in enumerate(widths):
            V = vandermonde(nodes_of(choice, int(n)), length)
            if choice.endswith("real decoder"):
                # real inputs are read off 2N real numbers (new.vandermonde.half-width)
                V = np.vstack([np.real(V), np.imag(V)])
            found[i, j] = (np.linalg.pinv(V) @ (V @ image.ravel())).real.reshape(image.shape)
    errors = np.sqrt(((found - image) ** 2).mean((2, 3)) / (image**2).mean())
    return xr.Dataset(
        {
            "reconstruction": (("nodes", "N", "row", "column"), found, {"long_name": "reconstructed pixel", "units": "1"}),
            "image": (("row", "column"), image, {"long_name": "pixel", "units": "1"}),
            "error": (("nodes", "N"), errors, {"long_name": "root mean square error over that of the image", "units": "1"}),
        },
        {
            "nodes": ("nodes", list(CHOICES), {"long_name": "choice of the eigenvalues"}),
            "N": ("N", widths, {"long_name": "width", "units": "1"}),
            "row": ("row", np.arange(image.shape[0]), {"long_name": "row", "units": "pixel"}),
            "column": ("column", np.arange(image.shape[1]), {"long_name": "column", "units": "pixel"}),
        },
        {"source": "orvieto24, Figures 3, 6 and 8", "L": length, "images": "MNIST" if mnist else "scikit-learn digits"},
    )


def nodes_of(choice: str, n: int) -> np.ndarray:
    """Random nodes in a ring, the same angles for each of them, or the n-th roots of unity."""
    if choice == "roots of unity":
        return np.exp(2j * np.pi * np.arange(n) / n)
    r = float(choice.removeprefix("r_min = ").removesuffix(", real decoder"))
    rng = np.random.default_rng([8, n])
    return np.sqrt(rng.uniform(r**2, 1, n)) * np.exp(2j * np.pi * rng.uniform(0, 1, n))


def outcome(data: xr.Dataset) -> str:
    """What the paper says of the figures, and whether the data bear it out."""
    length = data.attrs["L"]

    def error(choice: str, width: int) -> str:
        return f"{float(data.error.sel(nodes=choice, N=width)):.1e}"

    yes = float(data.error.sel(nodes="roots of unity", N=length)) < 1e-10
    artifacts = float(data.error.sel(nodes="roots of unity", N=length // 2)) > 0.1
    recent = data.reconstruction.sel(nodes="r_min = 0", N=length // 2) - data.image
    rows = np.sqrt((recent**2).mean("column"))
    half = len(rows) // 2
    past = bool(rows[half:].mean() < rows[:half].mean())
    return (
        f"'perfect with the roots of unity at N = L': error {error('roots of unity', length)}, {'yes' if yes else 'no'}; 'artifacts for smaller N': "
        f"{error('roots of unity', length // 2)} at L/2, {'yes' if artifacts else 'no'}; 'only the recent past for r_min = 0': at L/2 {'yes' if past else 'no'}, error {error('r_min = 0', length)} at L; "
        f"near the circle a real decoder has error {error(CHOICES[-1], length // 2)} with L/2 units, the complex one {error('r_min = 0.999', length)} with L"
    )


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """One row for each choice of nodes, one column for each width; errors below the images."""
    figure = style.new_figure(FINDING, 9.5, 9)
    grid = figure.subplots(len(data.nodes), len(data.N) + 1)
    length = data.attrs["L"]
    for i, choice in enumerate(data.nodes.values):
        for j, n in enumerate([None, *data.N.values]):
            ax = grid[i, j]
            shown = data.image if n is None else data.reconstruction.sel(nodes=choice, N=n)
            ax.imshow(shown, cmap="gray", vmin=0, vmax=1)
            ax.set(xticks=[], yticks=[])
            ax.grid(False)
            if i == 0:
                ax.set_title("image" if n is None else f"N = {n / length:g} L")
            if n is None:
                ax.set_ylabel(choice.replace(", ", "\n"), fontsize=10)
            else:
                ax.set_xlabel(f"error {float(data.error.sel(nodes=choice, N=n)):.1g}", fontsize=9)
    return figure
