"""The row of the table (``lemmata can``) to whose class of transitions a layer's closure belongs."""

from __future__ import annotations

from .intervals import Interval, point
from .ranges import Range
from .spectrum import Spectrum

#: transitions with a scalar gate, by the row without one
GATED = {"delta-nonnegative": "gated-delta-nonnegative", "delta-signed": "gated-delta-signed"}

UNIT, SIGNED, TWICE = Interval(point(0).low, point(1).low), Interval(point(-1).low, point(1).low), Interval(point(0).low, point(2).low)


def row_of(kinds: set[str], ranges: list[Range] | None, found: Spectrum | None) -> str | None:
    """The smallest row that holds all transitions of a closure, by its id; None if no row is known to."""
    if found is None or ranges is None:
        return None
    if kinds == {"diagonal"}:
        return _within({"diagonal-nonnegative": UNIT, "diagonal-signed": SIGNED}, found.real.closure)
    if kinds <= {"diagonal", "rotation"}:
        return _within({"diagonal-complex": UNIT}, found.modulus.closure)
    if kinds <= {"diagonal", "column one-hot"}:
        return _within({"permutation-diagonal": UNIT}, found.modulus.closure)
    known = {r.name: r.interval.closure for r in ranges}
    if kinds == {"a (I - beta k k^T)"} and _inside(known["|k|^2"], UNIT):
        row = _within({"delta-nonnegative": UNIT, "delta-signed": TWICE}, known["beta"])
        if known["a"] == point(1):
            return row
        return GATED.get(row or "") if _inside(known["a"], UNIT) else None
    if kinds == {"diagonal plus rank one"} and _inside(known["w"], UNIT) and _inside(known["|k|^2"], UNIT):
        return _minus_rank_one({r.name: r.interval for r in ranges})
    if kinds == {"a (I - rank r)"} and known["a"] == point(1):
        return (
            _within({"householder-2": point(2), "householder-4": Interval(point(2).low, point(4).low)}, known["factors"]) or "householder"
        )
    return None


def _minus_rank_one(known: dict[str, Interval]) -> str | None:
    """By the coefficient of -k k^T: a, or beta w. The row of layers as released has no end points: it holds the layer, not its closure."""
    coefficient = known["a"] if "a" in known else known["beta"] * known["w"]
    open_ended = all(_inside(x, UNIT) and 0 not in x and 1 not in x for x in (known["w"], coefficient))
    return "rwkv-7-released" if open_ended else "diagonal-minus-rank-one" if _inside(coefficient, TWICE) else None


def _inside(x: Interval, y: Interval) -> bool:
    return y.low <= x.low and x.high <= y.high


def _within(rows: dict[str, Interval], x: Interval) -> str | None:
    return next((row for row, y in rows.items() if _inside(x, y)), None)
