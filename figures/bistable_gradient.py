"""degeeter26, Fig. 7: the gradient of the last state with respect to the first candidate and the first threshold, by autograd."""

from __future__ import annotations

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from . import style

FINDING = "The gradient does not depend on T; the threshold's is 0 if the first write changes nothing"

LENGTHS = {"quick": (1, 10, 100, 1000, 10_000, 100_000), "paper": (1, 10, 100, 1000, 10_000, 100_000, 1_000_000)}
CASES = ("written at the first step only", "written again at the middle")
STARTS = (-1.0, 1.0)
VARIABLES = ("candidate", "threshold")


def gradient(length: int, again: bool, start: float) -> tuple[float, float]:
    """(d h_T / d candidate_1, d h_T / d threshold_1) of one unit, alpha = alpha_surr = 1, in double precision, through the scan."""
    import torch

    from ..constructions.bistable.torch import bmru_states

    first, threshold = (torch.tensor([v], dtype=torch.float64, requires_grad=True) for v in (2.0, 1.0))
    rest = torch.full((length - 1,), 0.25, dtype=torch.float64)
    if again and length > 1:
        rest[(length - 1) // 2] = 3.0
    candidates = torch.cat([first, rest])[None, :, None]
    thresholds = torch.cat([threshold, torch.ones(length - 1, dtype=torch.float64)])[None, :, None]
    one = torch.ones(1, dtype=torch.float64)
    bmru_states(candidates, thresholds, one, start * one)[0, -1, 0].backward()
    assert first.grad is not None
    assert threshold.grad is not None
    return float(first.grad), float(threshold.grad)


def compute(scale: str = "quick") -> xr.Dataset:
    """Gradients (with respect to, case, initial state, T)."""
    lengths = LENGTHS[scale]
    values = np.array([[[gradient(T, bool(again), h) for T in lengths] for h in STARTS] for again in range(2)])
    return xr.Dataset(
        {"gradient": (("of", "case", "start", "T"), np.moveaxis(values, -1, 0), {"long_name": "gradient of the last state", "units": "1"})},
        {
            "of": ("of", list(VARIABLES), {"long_name": "with respect to the first"}),
            "case": ("case", list(CASES), {"long_name": "when the state is written"}),
            "start": ("start", np.array(STARTS), {"long_name": "initial state", "units": "1"}),
            "T": ("T", np.array(lengths), {"long_name": "length", "units": "steps"}),
        },
        {"source": "degeeter26, Figure 7"},
    )


def outcome(data: xr.Dataset) -> str:
    """What the paper says of the figure, and whether the data bear it out."""
    first, again = (data.gradient.sel(case=c) for c in CASES)
    constant = bool((first == first.isel(T=0)).all())
    zero = bool((again.isel(T=slice(1, None)) == 0).all())
    lost = abs(float(first.sel(of="threshold", start=1.0).isel(T=-1)))
    return (
        f"'it stays constant': {'yes, to the last bit, up to T = ' if constant else 'no, at T = '}{int(data['T'][-1])}; 'null if updated later': {'yes' if zero else 'no'}; "
        f"'non-zero if never updated after the first step': the threshold's is {lost:g} for h_0 = S(h-hat_1) alpha"
    )


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """One panel for each variable."""
    figure = style.new_figure(FINDING, 9.5, 4)
    for ax, of in zip(figure.subplots(1, 2), data.of.values, strict=True):
        one = data.gradient.sel(of=of)
        for start, colour, marker in zip(data.start.values, (style.BLUE, style.VERMILION), "os", strict=True):
            ax.semilogx(
                data["T"], one.sel(case=CASES[0], start=start), marker + "-", color=colour, label=f"first step only, $h_0$ = {start:+g}"
            )
        ax.semilogx(data["T"][1:], one.sel(case=CASES[1], start=-1.0)[1:], "^--", color=style.BLACK, label="written again later")
        symbol = "$\\hat h_1$" if of == "candidate" else "$β_1$"
        ax.set(xlabel="length T (steps)", ylabel=f"$\\partial h_T\\,/\\,\\partial$ {symbol}", title=f"first {of}")
        ax.legend(fontsize=9, loc="center right")
    return figure
