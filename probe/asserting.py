"""For tests of layers: assertions that say what to change. They take what ``lemmata.probe_step`` returns."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from .intervals import Interval

if TYPE_CHECKING:
    from ..api.probe import Probed


def assert_reaches(probed: Probed, eigenvalue: int, scope: str = "closure") -> None:
    """Fail unless a layer reaches an eigenvalue, -1, 0 or 1, in a scope: "these weights", "architecture" or "closure".

    Raises ``AssertionError`` with the range and the node of the graph that bounds it, and ``ValueError`` for another eigenvalue or scope.
    """
    reach = next((r for r in probed.findings.reaches if r.target == eigenvalue), None)
    if not probed.findings.is_affine:
        raise AssertionError(f"expected the eigenvalue {eigenvalue}, got a step that is not affine in its state: {probed.name}")
    if reach is None or scope not in reach.answers:
        raise ValueError(
            f"expected an eigenvalue among -1, 0, 1 and a scope among these weights, architecture, closure, got {eigenvalue} and {scope!r}"
        )
    if reach.answers[scope] != "yes":
        bounds = "; ".join(str(r) for r in probed.findings.ranges or [] if r.node)
        raise AssertionError(
            f"expected {probed.name} to reach the eigenvalue {eigenvalue} ({scope}), got {reach.answers[scope]}: {reach.reasons[scope]}"
            + (f". What bounds it: {bounds}" if bounds else "")
        )


def assert_spectrum(probed: Probed, within: str) -> None:
    """Fail unless all eigenvalues of all transitions lie in an interval such as "(0, 1)" or "[-1, 1]".

    Raises ``AssertionError`` with the range found, and ``ValueError`` for a text that is no interval.
    """
    wanted, found = interval(within), probed.findings.spectrum
    if found is None:
        raise AssertionError(f"expected eigenvalues in {within}, got no bound for {probed.name}")
    x = found.real
    inside = (x.low > wanted.low or (x.low == wanted.low and (wanted.low_closed or not x.low_closed))) and (
        x.high < wanted.high or (x.high == wanted.high and (wanted.high_closed or not x.high_closed))
    )
    if not (found.is_real and inside):
        raise AssertionError(f"expected real eigenvalues in {within}, got {found} for {probed.name}")


def assert_can(probed: Probed, task: str) -> None:
    """Fail unless the table says that stacks of the layer's row solve a task. The row may hold more than the layer.

    Raises ``AssertionError`` with the row and its answer, and ``ValueError`` for an unknown task.
    """
    from ..api.can import can

    if probed.row is None:
        raise AssertionError(f"expected a row of the table for {probed.name}, got none: {probed.why_no_row}")
    said = can(task, model=probed.row).says("many")
    if said != "yes":
        raise AssertionError(
            f"expected {probed.name} to solve {task}, got {said} for its row, {probed.row}: lemmata can --model {probed.row}"
        )


def interval(text: str) -> Interval:
    """An interval as people write it. Raises ``ValueError`` for another text.

    >>> str(interval("(0, 1]"))
    '(0, 1]'
    """
    left, right = text[:1], text[-1:]
    ends = text[1:-1].split(",")
    if left not in ("(", "[") or right not in (")", "]") or len(ends) != 2:
        raise ValueError(f"expected an interval such as (0, 1) or [-1, 1], got {text!r}")
    return Interval(Fraction(ends[0].strip()), Fraction(ends[1].strip()), left == "[", right == "]")
