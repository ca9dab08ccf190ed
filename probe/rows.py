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
    if kinds == {"diagonal plus rank one"} and all(_inside(known[n], UNIT) for n in ("w", "a", "|k|^2")):
        return "diagonal-minus-rank-one"
    return None


def _inside(x: Interval, y: Interval) -> bool:
    return y.low <= x.low and x.high <= y.high


def _within(rows: dict[str, Interval], x: Interval) -> str | None:
    return next((row for row, y in rows.items() if _inside(x, y)), None)
