"""What follows from a layer's own ranges, whatever its row: theorems about transitions, and the property that each leaves a recognised language."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .intervals import Interval, point
from .report import Findings

UNIT, SIGNED = Interval(point(0).low, point(1).low), Interval(point(-1).low, point(1).low)


@dataclass(frozen=True)
class Theorem:
    """A theorem that holds of stacks of the layer.

    Attributes:
        claim: The id of the claim.
        arithmetic: "exact" or "margin".
        property: What every recognised language has: an id of ``constructions/languages``.
    """

    claim: str
    arithmetic: str
    property: str


def theorems(found: Findings, scope: str) -> Iterator[Theorem]:
    """The theorems whose premises the ranges give, with the ends at the closure and without them for values that are attained.

    Nothing follows for a layer with a driver, or one that reads positions: the theorems have letters alone.

    >>> from types import SimpleNamespace as Named
    >>> list(theorems(Named(spectrum=None, driver=None), "closure"))
    []
    """
    spectrum = found.spectrum
    if spectrum is None or found.driver is not None or any(e.back == 0 for e in found.step.earlier):
        return
    closed = scope == "closure"
    modulus = spectrum.modulus.closure if closed else spectrum.modulus
    real = spectrum.real.closure if closed else spectrum.real
    windows = bool(found.step.earlier)
    if _fades(modulus):
        yield Theorem("new.automata.margin.fading", "margin", "constant-powers")
    if _fades(modulus) and (0 not in modulus or _is_symmetric(found)):
        yield Theorem("new.automata.stacks.open-ranges", "exact", "definite" if windows else "last-letter")
    if spectrum.is_real and real.low >= 0 and not windows and _is_diagonalisable(found, real):
        yield Theorem("new.automata.settled", "exact", "stutter-invariant")
    if _is_semidefinite(found, closed):
        yield Theorem("new.automata.stacks.semidefinite", "exact", "aperiodic")
        yield Theorem("new.automata.margin.semidefinite", "margin", "aperiodic")
    if found.kinds == {"diagonal"}:
        yield Theorem("new.automata.stacks.diagonal", "exact", "periods-powers-of-2")
        if _within(real, SIGNED):
            yield Theorem("new.automata.margin.real-diagonal", "margin", "periods-powers-of-2")
    if found.kinds and found.kinds <= {"diagonal", "rotation"}:
        yield Theorem("new.automata.stacks.diagonal", "exact", "solvable")
        if modulus.high <= 1:
            yield Theorem("new.automata.margin.complex-diagonal", "margin", "solvable")


def _within(x: Interval, y: Interval) -> bool:
    return y.low <= x.low and x.high <= y.high


def _fades(modulus: Interval) -> bool:
    """Whether the spectral radius of every transition is below 1."""
    return modulus.high < 1 or (modulus.high == 1 and not modulus.high_closed)


def _is_symmetric(found: Findings) -> bool:
    return found.kinds <= {"diagonal", "a (I - beta k k^T)"}


def _is_diagonalisable(found: Findings, real: Interval) -> bool:
    """Symmetric, or similar to a symmetric matrix because no weight of the similarity is 0."""
    if _is_symmetric(found):
        return True
    weights = {r.name: r.interval for r in found.ranges or () if r.kind == "diagonal plus rank one"}
    if found.kinds != {"diagonal plus rank one"} or 0 in real:
        return False
    # I - k (b k)^T times Diag(w) is invertible, so no w is 0; of Diag(w) - k (a k)^T each a has to be positive
    return "a" not in weights or 0 not in weights["a"]


def _is_semidefinite(found: Findings, closed: bool) -> bool:
    """Whether each transition is a product of symmetric matrices with eigenvalues in [0, 1]."""
    known = {r.name: r.interval.closure if closed else r.interval for r in found.ranges or ()}
    if found.kinds == {"diagonal"}:
        return _within(known["diagonal entries"], UNIT)
    strength = known.get("beta", known.get("beta of a factor"))
    square = known.get("|k|^2", known.get("|k|^2 of a factor"))
    gate = known.get("a", known.get("w"))
    if found.kinds not in ({"a (I - beta k k^T)"}, {"diagonal plus rank one"}, {"a (I - rank r)"}) or None in (strength, square, gate):
        return False
    return _within(gate, UNIT) and _within(strength * square, UNIT)  # type: ignore[operator]
