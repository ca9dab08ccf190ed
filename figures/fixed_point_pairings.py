"""movahedi25, Fig. 9: the pairings of the words I = 12 and J = 1112 for random matrices of rank r, all of them, exactly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np
import xarray as xr
from matplotlib.figure import Figure
from matplotlib.patches import Arc

from . import style

FINDING = "Bounded rank: a pairing that is not the identity survives as N grows, and the moment tends to 1/r, not to 0"

WORDS = ("12", "1112")


def matchings(items: Sequence[int]) -> Iterator[list[tuple[int, int]]]:
    """All perfect matchings of the items."""
    if not items:
        yield []
        return
    first, *rest = items
    for k, partner in enumerate(rest):
        for others in matchings(rest[:k] + rest[k + 1 :]):
            yield [(first, partner), *others]


def pairings(I: str, J: str) -> list[tuple[list[tuple[int, int]], list[tuple[int, int]], int, int]]:
    """All Wick pairings of E<A_I Y, A_J Y>/N for A_i = W_i M_i^T/sqrt(N r): (pairs of the W, pairs of the M, a, b) with the value N^a r^b.

    Places 0, 1, ... are the matrices of A_I, then of A_J, each word read from the vector Y outwards: the last letter acts first. Entry k of the chain of a word
    has the column index of W and M in common, of dimension r, and rows of dimension N before (M) and after (W).
    """
    letters = list(reversed(I)) + list(reversed(J))
    n = len(I)
    # rows: 0 .. n for the first word, n + 1 .. for the second; Y joins rows 0 and n + 1, the inner product joins the ends
    before = [k if k < n else k + 1 for k in range(len(letters))]
    ends = [(0, n + 1), (n, len(letters) + 1)]
    kinds = sorted(set(letters))
    places = [[k for k, x in enumerate(letters) if x == kind] for kind in kinds]
    if any(len(p) % 2 for p in places):
        return []
    choices: list[list[tuple[int, int]]] = [[]]
    for p in places:
        choices = [old + new for old in choices for new in matchings(p)]
    out = []
    for W in choices:
        for M in choices:
            rows = ends + [(before[a] + 1, before[b] + 1) for a, b in W] + [(before[a], before[b]) for a, b in M]
            N = _classes(len(letters) + 2, rows) - 1 - len(letters) // 2
            r = _classes(len(letters), W + M) - len(letters) // 2
            out.append((W, M, N, r))
    return out


def _classes(count: int, pairs: Sequence[tuple[int, int]]) -> int:
    """How many classes the pairs leave of 0, ..., count - 1."""
    parent = list(range(count))

    def root(x: int) -> int:
        while parent[x] != x:
            x = parent[x]
        return x

    for a, b in pairs:
        parent[root(a)] = root(b)
    return sum(root(x) == x for x in range(count))


def moment(I: str, J: str, N: int, r: int) -> Fraction:
    """E<A_I Y, A_J Y>/N, exactly."""
    return sum((Fraction(N) ** a * Fraction(r) ** b for _, _, a, b in pairings(I, J)), Fraction(0))


def sampled(N: int, r: int, draws: int) -> np.ndarray:
    """<A_1 A_2 Y, A_1^3 A_2 Y>/N for random draws."""
    out = []
    for k in range(draws):
        rng = np.random.default_rng([9, N, r, k])
        (W1, M1), (W2, M2) = ((rng.standard_normal((N, r)), rng.standard_normal((N, r))) for _ in range(2))
        scale = np.sqrt(N * r)
        y = W2 @ (M2.T @ rng.standard_normal(N)) / scale
        first = W1 @ (M1.T @ y) / scale
        third = W1 @ (M1.T @ (W1 @ (M1.T @ first))) / scale**2
        out.append(first @ third / N)
    return np.array(out)


def compute(scale: str = "quick") -> xr.Dataset:
    """The exponents of all pairings, the exact moment (N, r), and sampled ones."""
    draws = {"quick": 2000, "paper": 100_000}[scale]
    all_pairings, ranks, sizes = pairings(*WORDS), [1, 2, 4, 8, 16], [16, 64, 256]
    exact = np.array([[float(moment(*WORDS, n, r)) for r in ranks] for n in sizes])
    samples = [sampled(64, r, draws) for r in ranks]
    return xr.Dataset(
        {
            "power_of_N": ("pairing", [a for *_, a, _ in all_pairings], {"long_name": "power of N", "units": "1"}),
            "power_of_r": ("pairing", [b for *_, b in all_pairings], {"long_name": "power of r", "units": "1"}),
            "moment": (("N", "r"), exact, {"long_name": "E<A_I Y, A_J Y>/N, exact", "units": "1"}),
            "mean": ("r", [s.mean() for s in samples], {"long_name": "mean of the samples at N = 64", "units": "1"}),
            "standard_error": ("r", [s.std(ddof=1) / np.sqrt(draws) for s in samples], {"long_name": "its standard error", "units": "1"}),
        },
        {
            "pairing": ("pairing", np.arange(len(all_pairings)), {"long_name": "pairing", "units": "1"}),
            "N": ("N", sizes, {"long_name": "dimension", "units": "1"}),
            "r": ("r", ranks, {"long_name": "rank", "units": "1"}),
        },
        {"source": "movahedi25, Figure 9"},
    )


def outcome(data: xr.Dataset) -> str:
    """What the paper says of the figure, and whether the data bear it out."""
    leading = data.where(data.power_of_N == 0, drop=True)
    powers = ", ".join(f"r^{int(b)}" for b in leading.power_of_r.values)
    off = abs(data["mean"] - data.moment.sel(N=64)) / data.standard_error
    return (
        f"'a pairing other than the identity keeps the largest scaling for bounded r': yes, {leading.sizes['pairing']} of {data.sizes['pairing']} pairings, worth {powers}; "
        f"samples at N = 64 within {float(off.max()):.1f} standard errors of the exact moment"
    )


@style.styled()
def draw(data: xr.Dataset) -> Figure:
    """Left: the surviving pairing as arcs over the two words. Right: the exact moment against r, and samples."""
    figure = style.new_figure(FINDING, 10.5, 4.4)
    left, right = figure.subplots(1, 2)
    W, M, _, _ = next(p for p in pairings(*WORDS) if p[2] == 0)
    letters = "".join(reversed(WORDS[0])) + "".join(reversed(WORDS[1]))
    x = np.array([*range(2), *range(3, 7)])
    for k, letter in enumerate(letters):
        left.text(x[k], 0, f"$A_{letter}$", ha="center", va="center", fontsize=15)
    for pairs, side, colour, name in ((W, 1, style.BLUE, "W with W"), (M, -1, style.VERMILION, "M with M")):
        for k, (a, b) in enumerate(pairs):
            width = abs(x[b] - x[a])
            left.add_patch(
                Arc(
                    ((x[a] + x[b]) / 2, 0.3 * side),
                    width,
                    0.8 * width,
                    theta1=0 if side > 0 else 180,
                    theta2=180 if side > 0 else 360,
                    color=colour,
                    lw=2,
                )
            )
            left.plot([], [], color=colour, label=name if k == 0 else None)
    left.text(0.5, -1.9, "I = 12", ha="center")
    left.text(4.5, -1.9, "J = 1112", ha="center")
    left.set(xlim=(-0.6, 6.6), ylim=(-2.2, 2.6), title="the surviving pairing, worth 1/r")
    left.axis("off")
    left.legend(loc="upper left", fontsize=9)
    for n, colour, marker in zip(data.N.values, (style.GREEN, style.ORANGE, style.BLUE), "o^s", strict=True):
        right.loglog(data.r, data.moment.sel(N=n), marker + "-", color=colour, label=f"exact, N = {n}")
    right.loglog(data.r, 1 / data.r, ":", color=style.BLACK, label="1/r")
    right.errorbar(data.r, data["mean"], 2 * data.standard_error, fmt="x", color=style.BLACK, capsize=3, label="samples, N = 64")
    right.set(xlabel="rank r", ylabel=r"$E\langle A_IY,A_JY\rangle/N$", title="exact moment")
    right.set_xticks(data.r.values, [str(r) for r in data.r.values])
    right.legend(fontsize=9)
    return figure
