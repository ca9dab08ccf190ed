"""The row of the table (``lemmata can``) to whose class of transitions a layer belongs, with the earlier tokens that it reads."""

from __future__ import annotations

from collections.abc import Sequence

from .intervals import Interval, point
from .ranges import Range
from .spectrum import Spectrum
from .steps import DELAY, ROTARY, SHIFT, SHORT, Earlier

#: transitions with a scalar gate, by the row without one
GATED = {"delta-nonnegative": "gated-delta-nonnegative", "delta-signed": "gated-delta-signed"}

#: rows whose layers read a window of their last inputs, a token shift included, by the row without one
WINDOWED = {
    row: f"{row}-convolution"
    for row in (
        "open-diagonal",
        "diagonal-nonnegative",
        "diagonal-signed",
        "delta-nonnegative",
        "delta-signed",
        "gated-delta-nonnegative",
        "gated-delta-signed",
        "channel-gated-delta",
        "diagonal-minus-rank-one",
    )
} | {
    "linear-attention": "diagonal-nonnegative-convolution",
    "rwkv-7-released": "rwkv-7-shift",
    "householder-2": "gated-householder-2-convolution",
    "gated-householder-2": "gated-householder-2-convolution",
}

#: of these, rows that stand in the table with a window alone, by the row that holds the others
WITHOUT_WINDOW = {"gated-householder-2": "householder"}

#: rows whose ranges have no end points, by the row with them
CLOSED = {
    "open-diagonal": "diagonal-nonnegative",
    "open-diagonal-convolution": "diagonal-nonnegative-convolution",
    "rwkv-7-released": "diagonal-minus-rank-one",
    "rwkv-7-shift": "diagonal-minus-rank-one-convolution",
}

UNIT, SIGNED, TWICE = Interval(point(0).low, point(1).low), Interval(point(-1).low, point(1).low), Interval(point(0).low, point(2).low)


def row_of(
    kinds: set[str], ranges: list[Range] | None, found: Spectrum | None, earlier: Sequence[Earlier] = (), turned: bool = False
) -> str | None:
    """The smallest row that holds a layer, by its id; None if no row is known to.

    Rows with end points hold the layer's closure as well. A layer that reads earlier tokens is in no row of layers that do not. One whose keys and
    queries turn with the position, with one gate on each plane, is a complex diagonal.
    """
    if turned and found is not None:
        return _within({"diagonal-complex": UNIT}, found.modulus.closure) if all(e.by == (ROTARY,) for e in earlier) else None
    row = _of_transitions(kinds, ranges, found)
    if row is None or not earlier:
        return WITHOUT_WINDOW.get(row or "", row)
    return _with_earlier(row, earlier)


def at_the_closure(row: str | None) -> str | None:
    """The row that holds the limits of a row's layers as well; None where the table has none.

    >>> at_the_closure("open-diagonal"), at_the_closure("delta-signed")
    ('diagonal-nonnegative', 'delta-signed')
    """
    return row if row is None or not row.startswith(("open-", "rwkv-7")) else CLOSED.get(row)


def _with_earlier(row: str, earlier: Sequence[Earlier]) -> str | None:
    """The row of the same transitions whose layers read the earlier tokens too; None where code without a name reads them."""
    if not all(e.back and e.by and set(e.by) <= {SHORT, SHIFT, DELAY} for e in earlier):
        return None
    return WINDOWED.get(row)


def _of_transitions(kinds: set[str], ranges: list[Range] | None, found: Spectrum | None) -> str | None:
    if found is None or ranges is None:
        return None
    if kinds == {"diagonal"}:
        if found.real == point(1):
            return "linear-attention"
        if _strictly_inside(found.real):
            return "open-diagonal"
        return _within({"diagonal-nonnegative": UNIT, "diagonal-signed": SIGNED}, found.real.closure)
    if kinds <= {"diagonal", "rotation"}:
        return _within({"diagonal-complex": UNIT}, found.modulus.closure)
    if kinds <= {"diagonal", "column one-hot"}:
        return _within({"permutation-diagonal": UNIT}, found.modulus.closure)
    known = {r.name: r.interval.closure for r in ranges}
    if kinds == {"a (I - beta k k^T)"} and "|k|^2" in known and _inside(known["|k|^2"], UNIT):
        row = _within({"delta-nonnegative": UNIT, "delta-signed": TWICE}, known["beta"])
        if known["a"] == point(1):
            return row
        return GATED.get(row or "") if _inside(known["a"], UNIT) else None
    if kinds == {"diagonal plus rank one"} and "|k|^2" in known and _inside(known["w"], UNIT) and _inside(known["|k|^2"], UNIT):
        return _minus_rank_one({r.name: r.interval for r in ranges})
    if kinds == {"a (I - beta k k^T)"} and "p.k" in known:
        return _read_first({r.name: r.interval for r in ranges})
    if kinds == {"a (I - rank r)"} and _inside(known["a"], UNIT):
        return _of_factors(known)
    return None


def _of_factors(known: dict[str, Interval]) -> str | None:
    """Of a product of factors of norm at most 1, by their number; a gate times more than two is a product of still more."""
    if not (_inside(known["beta of a factor"], TWICE) and _inside(known["|k|^2 of a factor"], UNIT)):
        return None
    two = known["factors"] == point(2)
    if known["a"] != point(1):
        return "gated-householder-2" if two else "householder"
    if _inside(known["beta of a factor"], UNIT):
        return "factors-nonnegative-2" if two else "factors-nonnegative-3"
    return "householder-2" if two else "householder-4" if known["factors"].high <= 4 else "householder"


def _minus_rank_one(known: dict[str, Interval]) -> str | None:
    """By the coefficient of -k k^T: a, beta w, or b w entry by entry. The rows without end points hold the layer, not its closure."""
    coefficient = _coefficient(known)
    if "beta" in known and _inside(known["beta"], UNIT):
        return "channel-gated-delta"
    open_ended = all(map(_strictly_inside, (known["w"], coefficient)))
    return "rwkv-7-released" if open_ended else "diagonal-minus-rank-one" if _inside(coefficient, TWICE) else None


def _coefficient(known: dict[str, Interval]) -> Interval:
    return known["a"] if "a" in known else known["beta" if "beta" in known else "b"] * known["w"]


def reflects(ranges: list[Range] | None) -> bool:
    """Whether the coefficient of -k k^T comes up to 2, as networks of the rows diagonal-minus-rank-one need it: with 1, no limit is a reflection."""
    known = {r.name: r.interval for r in ranges or () if r.kind == "diagonal plus rank one"}
    return "w" in known and _coefficient(known).high >= 2


def _read_first(known: dict[str, Interval]) -> str | None:
    """Of a I - beta k p^T, p a nonnegative multiple of k: Diag(w) - k' (a' k')^T with equal entries w = a and a' = beta p.k, |k'| = 1."""
    open_ended = _strictly_inside(known["a"]) and _strictly_inside(known["beta"]) and _inside(known["p.k"], UNIT)
    return "rwkv-7-released" if open_ended else None


def _strictly_inside(x: Interval) -> bool:
    return _inside(x, UNIT) and 0 not in x and 1 not in x


def _inside(x: Interval, y: Interval) -> bool:
    return y.low <= x.low and x.high <= y.high


def _within(rows: dict[str, Interval], x: Interval) -> str | None:
    return next((row for row, y in rows.items() if _inside(x, y)), None)
