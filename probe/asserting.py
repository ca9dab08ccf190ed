"""For tests of layers: assertions that say what to change.

They take what ``lemmata.probe_step`` returns, a layer of flash-linear-attention, or a step with the shapes of its state and its input.
Where an edit that is tried mends the layer, the message names it: it was applied to a copy, which was probed again.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING, Any

from .intervals import Interval

if TYPE_CHECKING:
    from ..api.probe import Probed
    from .report import Findings

#: a shape, as ``lemmata.probe_step`` takes it
Shape = tuple[int, ...] | int


def assert_reaches(layer: Any, eigenvalue: int, scope: str = "closure", *, state: Shape | None = None, input: Shape | None = None) -> None:
    """Fail unless a layer reaches an eigenvalue, -1, 0 or 1, in a scope: "these weights", "architecture" or "closure".

    Raises ``AssertionError`` with the range, the node of the graph that bounds it and what to change, and ``ValueError`` for another eigenvalue or scope.

    Example:
        >>> import lemmata as lm
        >>> import torch
        >>> from lemmata.probe.asserting import assert_reaches
        >>> assert_reaches(lm.probe_scan(lambda x: (torch.tanh(x), x), state=3, input=3), -1)
    """
    probed = _probed(layer, state, input)
    reach = next((r for r in probed.findings.reaches if r.target == eigenvalue), None)
    if not probed.findings.is_affine:
        graph = probed.findings.graph
        first = "" if graph is None or not graph.bends else f". What to change: the node {graph.bends}, the first that bends the state"
        raise AssertionError(f"expected the eigenvalue {eigenvalue}, got a step that is not affine in its state: {probed.name}{first}")
    if reach is None or scope not in reach.answers:
        raise ValueError(
            f"expected an eigenvalue among -1, 0, 1 and a scope among these weights, architecture, closure, got {eigenvalue} and {scope!r}"
        )
    if reach.answers[scope] != "yes":
        bounds = "; ".join(str(r) for r in probed.findings.ranges or [] if r.node)
        raise AssertionError(
            f"expected {probed.name} to reach the eigenvalue {eigenvalue} ({scope}), got {reach.answers[scope]}: {reach.reasons[scope]}"
            + (f". What bounds it: {bounds}" if bounds else "")
            + _to_change(probed, lambda after: any(r.target == eigenvalue and r.answers[scope] == "yes" for r in after.reaches))
        )


def assert_spectrum(layer: Any, within: str, *, state: Shape | None = None, input: Shape | None = None) -> None:
    """Fail unless all eigenvalues of all transitions lie in an interval such as "(0, 1)" or "[-1, 1]".

    Raises ``AssertionError`` with the range found and what to change, and ``ValueError`` for a text that is no interval.

    Example:
        >>> import lemmata as lm
        >>> import torch
        >>> from lemmata.probe.asserting import assert_spectrum
        >>> assert_spectrum(lm.probe_scan(lambda x: (torch.sigmoid(x), x), state=3, input=3), "(0, 1)")
    """
    wanted, probed = interval(within), _probed(layer, state, input)
    found = probed.findings.spectrum
    if not _lies_in(probed.findings, wanted):
        raise AssertionError(
            f"expected real eigenvalues in {within}, got {found or 'no bound'} for {probed.name}"
            + _to_change(probed, lambda after: _lies_in(after, wanted))
        )


def assert_can(
    layer: Any, task: str | None = None, *, regex: str | None = None, state: Shape | None = None, input: Shape | None = None
) -> None:
    """Fail unless any number of layers does a task of the table, or recognises a language: at the closure, with exact states.

    Raises ``AssertionError`` with the answer, its reason and what to change, and ``ValueError`` for an unknown task.

    Example:
        >>> import lemmata as lm
        >>> import torch
        >>> from lemmata.probe.asserting import assert_can
        >>> assert_can(lm.probe_scan(lambda x: (torch.tanh(x), x), state=3, input=3), "parity")
    """
    from .tasks import answer_in

    probed = _probed(layer, state, input)
    asked = probed.ask(task, regex)
    if asked.says() != "yes":
        answer, question = asked.at(), asked.question
        raise AssertionError(
            f"expected {probed.name} to do {question}, got {answer.says}: {answer.reason}"
            + _to_change(probed, lambda after: answer_in(after, question).says == "yes")
        )


def _probed(layer: Any, state: Shape | None, input: Shape | None) -> Probed:
    """What a probe finds, unless it was found already."""
    from ..api.probe import Probed, probe_layer, probe_step

    if isinstance(layer, Probed):
        return layer
    if state is not None and input is not None:
        return probe_step(layer, state, input)
    hidden = getattr(layer, "hidden_size", None)
    if hidden is None:
        raise ValueError(f"expected the shapes of the state and the input of a step, got none: {type(layer).__name__}")
    return probe_layer(layer, hidden)


def _to_change(probed: Probed, wanted: Callable[[Findings], bool]) -> str:
    """The first edit whose copy is as wanted; else which edits were tried on copies that are not."""
    from .advice import probed as edited

    tried = []
    for edit, after in edited(probed.findings):
        if wanted(after):
            return f". What to change: {edit.says}; the edited copy was probed and passes"
        tried.append(edit.says)
    return f". Edits that were tried and do not mend it: {'; '.join(tried)}" if tried else ". No edit is known that could mend it"


def _lies_in(found: Findings, wanted: Interval) -> bool:
    if found.spectrum is None or not found.spectrum.is_real:
        return False
    x = found.spectrum.real
    low = x.low > wanted.low or (x.low == wanted.low and (wanted.low_closed or not x.low_closed))
    return low and (x.high < wanted.high or (x.high == wanted.high and (wanted.high_closed or not x.high_closed)))


def interval(text: str) -> Interval:
    """An interval as people write it. Raises ``ValueError`` for another text.

    >>> str(interval("(0, 1]"))
    '(0, 1]'
    >>> str(interval("[0, inf)"))
    '[0, inf)'
    """
    left, right = text[:1], text[-1:]
    ends = text[1:-1].split(",")
    if left not in ("(", "[") or right not in (")", "]") or len(ends) != 2:
        raise ValueError(f"expected an interval such as (0, 1) or [-1, 1], got {text!r}")
    low, high = (inf if e.strip() == "inf" else -inf if e.strip() == "-inf" else Fraction(e.strip()) for e in ends)
    return Interval(low, high, left == "[", right == "]")
