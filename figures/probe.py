"""What a probe saw of a layer: eigenvalues at its weights and at others, the bounds for all weights, and the unit circle."""

from __future__ import annotations

from io import BytesIO
from math import inf
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Annulus, Circle

from ..theorems.files import write_whole
from . import style
from .automata import picture_kind

if TYPE_CHECKING:
    from ..api.probe import Probed
    from ..probe.spectrum import Spectrum

#: inches of the figure, and the part of the plane that it shows
WIDTH, HEIGHT, EXTENT = 7.0, 8.2, 1.6

#: characters of a line of the title
LINE = 62

#: how far below the axis the bar of the bounds lies, so that eigenvalues on the axis are seen
BELOW = -0.16


def draw_probe(probed: Probed, path: Path) -> None:
    """Write the figure as a PNG or SVG file, by its name. Raises ``ValueError`` for another ending, or a step that is not affine."""
    kind = picture_kind(path)
    metadata = {"Date": None} if kind == "svg" else {"Software": None}
    buffer = BytesIO()
    with style.styled():
        figure = Figure(figsize=(WIDTH, HEIGHT))
        draw_eigenvalues(probed, figure.add_axes((0.13, 0.18, 0.84, 0.84 * WIDTH / HEIGHT)))
        figure.savefig(buffer, format=kind, dpi=150, metadata=metadata)
    write_whole(path, buffer.getvalue())


def title(probed: Probed) -> str:
    """The finding: where all eigenvalues lie."""
    found = probed.findings
    known = "no bound of its eigenvalues is known" if found.spectrum is None else f"all eigenvalues are {found.spectrum}"
    return f"{probed.name}: {known}"


def draw_eigenvalues(probed: Probed, ax: Axes) -> None:
    """Eigenvalues that were seen, bounds for all weights and the unit circle. Raises ``ValueError`` for a step that is not affine: it has no transition."""
    from ..probe.spectrum import TURNED

    found = probed.findings
    if not found.is_affine:
        raise ValueError(f"expected a step that is affine in its state, got one that is not: {probed.name}")
    ax.add_patch(Circle((0, 0), 1, fill=False, ec=style.BLACK, lw=1.2, label="unit circle"))
    if found.spectrum is not None:
        _draw_bounds(found.spectrum, f"bounds for all weights, {found.grade.verdict}", ax)
    elsewhere, here = _eigenvalues(found.anywhere), _eigenvalues(found.here)
    ax.plot(elsewhere.real, elsewhere.imag, "x", color=style.SKY, ms=5, mew=1.2, label="seen, other weights")
    ax.plot(here.real, here.imag, "o", color=style.BLUE, ms=4, label="seen, these weights")
    outside = int((np.maximum(np.abs(elsewhere.real), np.abs(elsewhere.imag)) > EXTENT).sum())
    ax.set(xlim=(-EXTENT, EXTENT), ylim=(-EXTENT, EXTENT), aspect="equal", xlabel="real part", ylabel="imaginary part")
    more = f"\n{outside} of {len(elsewhere)} eigenvalues seen at other weights lie outside" if outside else ""
    if found.spectrum is not None and TURNED in found.spectrum.claims:
        more += "\nseen before keys turn with the position"
    ax.set_title("\n".join(wrap(title(probed), LINE)) + more, loc="left")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.11), ncols=2)


def _draw_bounds(spectrum: Spectrum, label: str, ax: Axes) -> None:
    """A bar below the real axis, with a hollow mark at an end that is never attained; or a ring."""
    look: Any = {"color": style.VERMILION}
    if spectrum.is_real:
        ends = ((spectrum.real.low, spectrum.real.low_closed), (spectrum.real.high, spectrum.real.high_closed))
        low, high = (float(np.clip(float(end), -EXTENT, EXTENT)) for end, _ in ends)
        ax.plot([low, high], [BELOW, BELOW], "-", lw=4, solid_capstyle="butt", label=label, **look)
        for end, closed in ends:
            if abs(end) < inf:
                ax.plot([float(end)], [BELOW], "o", ms=9, mfc=style.VERMILION if closed else "white", mew=2, **look)
        return
    inner, outer = float(spectrum.modulus.low), min(float(spectrum.modulus.high), 2 * EXTENT)
    ring = Circle((0, 0), outer) if inner == 0 else Annulus((0, 0), outer, max(outer - inner, 1e-9))
    ring.set(fc=style.VERMILION, alpha=0.15, ec=style.VERMILION, label=label)
    ax.add_patch(ring)


def _eigenvalues(drawn: Any) -> Any:
    return np.concatenate([s.eigenvalues for s in drawn]) if drawn else np.zeros(0, dtype=complex)
