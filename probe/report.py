"""The stages of a probe, one after the other, and what they come to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import torch
from torch.utils._pytree import tree_leaves

from ..numerics.progress import Progress, silent
from .affine import Affine, affine_map
from .delays import without_delay
from .drivers import Driver, without_driver
from .grades import OPEN, Grade, of_limit, of_ranges, of_witness
from .graph import Graph, traced
from .limits import sharp
from .ranges import DRAWS, NEAR, Range, Seen, draws, factor_ranges, ranges, zero
from .rows import row_of
from .spectrum import Spectrum, spectrum, turned
from .steps import ROTARY, Refused, Step, in_format
from .structure import Block, blocks
from .witness import Sample, Witness, climbed, nearest, samples

#: eigenvalues that decide what a layer can do: forgetting at once, keeping, alternating
TARGETS = (-1, 0, 1)

#: the scopes of a verdict: the weights as they are; values attained for some weights, in real arithmetic; limits of these
SCOPES = ("these weights", "architecture", "closure")

#: how far beyond 1 counts
BEYOND = 1e-6

#: inputs on which a step is compared with its affine map
INPUTS = 3

STAGES = 5


@dataclass(frozen=True)
class Reach:
    """Whether an eigenvalue is reached, by scope.

    Attributes:
        target: The eigenvalue.
        answers: For each of :data:`SCOPES` "yes", "no" or "not decided".
        reasons: For each the reason, in a line.
        grades: For each how sure it is, and in which arithmetics.
    """

    target: int
    answers: dict[str, str]
    reasons: dict[str, str]
    grades: dict[str, Grade]

    @property
    def rounded(self) -> dict[str, str]:
        """The answers in rounded arithmetic: a range of exact transitions excludes nothing there."""
        return {
            scope: answer if "rounded" in self.grades[scope].precision else "not excluded" if answer == "no" else "not decided"
            for scope, answer in self.answers.items()
        }

    @property
    def without_witness(self) -> Reach:
        """The answers for a step with a driver, whose state was drawn: no text need lead to it, so that a witness shows nothing."""
        return self.without("seen at a state of the driver that was drawn, to which no text need lead")

    def without(self, reason: str) -> Reach:
        """The answers where a witness shows nothing, for a reason."""
        drawn = [s for s, answer in self.answers.items() if answer == "yes" and not self.reasons[s].startswith("every transition")]
        return Reach(
            self.target,
            self.answers | dict.fromkeys(drawn, "not decided"),
            self.reasons | dict.fromkeys(drawn, reason),
            self.grades | dict.fromkeys(drawn, OPEN),
        )


@dataclass(frozen=True)
class Findings:
    """What the stages found.

    Attributes:
        step: What was probed.
        affine: How far it is from its affine map, at the worst of the inputs tried.
        graph: The traced graph, or None where PyTorch cannot trace it.
        blocks: The blocks of A(x) at these weights and the first input.
        kinds: The kinds of blocks over all draws of weights and inputs.
        ranges: The numbers of the transition, or None where a kind has none.
        spectrum: Where the eigenvalues lie, or None.
        reaches: What is reached.
        row: The row of the table that holds the layer, or None.
        warnings: What a user of the layer should know, a sentence each.
        driver: The part of the state given which the step is affine, or None; what else is found is then of the rest.
        here: Transitions seen at these weights.
        anywhere: Transitions seen at other weights.
    """

    step: Step
    affine: Affine
    graph: Graph | None
    blocks: list[Block]
    kinds: set[str]
    ranges: list[Range] | None
    spectrum: Spectrum | None
    reaches: list[Reach]
    row: str | None
    warnings: tuple[str, ...] = ()
    driver: Driver | None = None
    here: tuple[Sample, ...] = field(default=(), repr=False)
    anywhere: tuple[Sample, ...] = field(default=(), repr=False)

    @property
    def is_affine(self) -> bool:
        """Whether nothing but rounding parts the step from its affine map."""
        return self.affine.holds

    @property
    def for_all_weights(self) -> bool:
        """Whether the graph proves it for all weights."""
        return self.graph is not None and self.graph.is_affine

    @property
    def grade(self) -> Grade:
        """How sure the ranges are, and with them the spectrum and the row."""
        return of_ranges(self.ranges, self.step.contract)


def findings(step: Step, progress: Progress = silent) -> Findings:
    """Probe a step, stage by stage."""
    progress("graph", 0, STAGES)
    step = without_delay(step) or step
    graph = traced(step)
    progress("transition", 1, STAGES)
    affine, found = _transition(step)
    if not affine.holds:
        driven = without_driver(step)
        if driven is None:
            return Findings(step, affine, graph, [], set(), None, None, [], "nonlinear")
        rest = findings(driven[0], progress)
        return replace(rest, driver=driven[1], row=None, warnings=(), reaches=[r.without_witness for r in rest.reaches])
    progress("ranges", 2, STAGES)
    kinds, known, seen = {b.kind for b in found}, None, list[Seen]()
    if graph is not None:
        wide, wider = _widened(step, graph)
        seen = list(draws(wide, wider))
        kinds |= {b.kind for some, _ in seen for b in some}
        # what the graph may not say for all weights says nothing about ranges
        known = ranges(wider, seen) if graph.is_affine else None
        if known is None and step.factors and graph.is_affine and kinds == {"a (I - rank r)"}:
            known = factor_ranges(map(_ranges, step.factors))
    spectral, is_turned = spectrum(known), _is_turned(step, seen)
    if spectral is not None and is_turned:
        spectral = turned(spectral)
    progress("witnesses", 3, STAGES)
    always = {r.interval.low for r in known or () if r.name in ("a", "diagonal entries") and r.interval.low == r.interval.high}
    here, anywhere = samples(step, these=True), samples(step, these=False)
    reaches = [_reach(step, target, spectral, of_ranges(known, step.contract), target in always, here, anywhere) for target in TARGETS]
    ends = None if graph is None else sharp(graph)
    reaches = [_with_limit(r, step) if ends is not None and r.target in (ends.low, ends.high) else r for r in reaches]
    reaches = [r.without("seen before the turn by a position's angle") if is_turned and r.target else r for r in reaches]
    progress("row", 4, STAGES)
    row = row_of(kinds, known, spectral, step.earlier, is_turned)
    warnings = tuple(_warnings(step, spectral, anywhere))
    progress("done", STAGES, STAGES)
    return Findings(step, affine, graph, found, kinds, known, spectral, reaches, row, warnings, None, tuple(here), tuple(anywhere))


def _warnings(step: Step, spectral: Spectrum | None, seen: list[Sample]) -> Iterator[str]:
    """What was seen at some weights and inputs and surprises those who look at eigenvalues alone."""
    if spectral is not None and spectral.is_real and spectral.real.low < -1:
        # look below -1 where the range allows it
        best = _climbed(step, nearest(step, max(-2.0, (float(spectral.real.low) - 1) / 2), seen))
        lowest = 0.0 if best is None else float(best.eigenvalue.real)
    else:
        lowest = 0.0
    least, norm = min((s.least for s in seen), default=0.0), max((s.norm for s in seen), default=0.0)
    if min(least, lowest) < -1 - BEYOND:
        yield f"below -1: an eigenvalue {min(least, lowest):.3g} was seen, so states can grow while they alternate"
    if spectral is not None and spectral.modulus.high <= 1 and norm > 1 + BEYOND:
        yield f"norm can exceed 1: {norm:.3g} was seen, so products of transitions may grow though no eigenvalue is beyond 1"


def _ranges(step: Step) -> list[Range] | None:
    graph = traced(step)
    if graph is None or not graph.is_affine:
        return None
    wide, wider = _widened(step, graph)
    return ranges(wider, list(draws(wide, wider)))


def _is_turned(step: Step, seen: list[Seen]) -> bool:
    """Whether keys turn with the position, and the gate of a head is one number on all draws, so that turns and gates commute."""
    if not any(ROTARY in e.by for e in step.earlier) or any(b.kind != "diagonal" for found, _ in seen for b in found):
        return False
    gates = [np.diag(b.matrix).reshape(step.shape) for found, _ in seen for b in found]
    return bool(gates) and len(step.shape) > 1 and all(np.allclose(g, g[..., :1], rtol=NEAR, atol=0) for g in gates)


def _widened(step: Step, graph: Graph) -> tuple[Step, Graph]:
    """The step and its graph in float64, in which nodes are told apart by more digits; as they are where the step's code takes another way there."""
    try:
        wide = in_format(step, torch.float64)
    except Refused:
        return step, graph
    wider = traced(wide)
    return (wide, wider) if wider is not None and _operations(wider) == _operations(graph) else (step, graph)


def _operations(graph: Graph) -> list[tuple[Any, ...]]:
    """The operations of a graph with the numbers that they are given, whatever the formats."""
    return [(n.name, n.target, [a for a in tree_leaves((n.args, n.kwargs)) if isinstance(a, int | float)]) for n in graph.nodes]


def _transition(step: Step) -> tuple[Affine, list[Block]]:
    """The worst deviation over a few inputs, and the blocks at the first."""
    generator = torch.Generator().manual_seed(0)
    seen = [affine_map(step, step.weights, step.draw(generator), seed) for seed in range(1 if step.is_black_box else INPUTS)]
    if not all(np.isfinite(a.A).all() and np.isfinite(a.b).all() for a in seen):
        raise Refused(f"expected finite states after an input, got others: {step.name}")
    worst = max(seen, key=lambda a: a.deviation)
    first = seen[0]
    return worst, blocks(first.A, _tolerance(step, first)) if worst.holds else []


def _tolerance(step: Step, affine: Affine) -> float:
    return zero(step) * max(1.0, float(abs(affine.A).max()))


def _reach(
    step: Step, target: int, spectral: Spectrum | None, grade: Grade, always: bool, these: list[Sample], anywhere: list[Sample]
) -> Reach:
    """A range alone says no; a witness alone says yes, or a lemma by which every transition has the eigenvalue."""
    if always:
        reason = "every transition has it" if grade.verdict == "PROVED" else "every transition of the kinds seen has it"
        return Reach(target, dict.fromkeys(SCOPES, "yes"), dict.fromkeys(SCOPES, reason), dict.fromkeys(SCOPES, grade))
    no = ("no", f"eigenvalues are {spectral}", grade)
    excluded = spectral is not None and (target not in spectral.real.closure or abs(target) not in spectral.modulus.closure)
    said = (
        no if excluded else _here(nearest(step, target, these), step),
        no
        if spectral is not None and (target not in spectral.real or abs(target) not in spectral.modulus)
        else ("not decided", "the range does not exclude it, and a float witness shows no exact value", OPEN),
        no if excluded else _limit(_climbed(step, nearest(step, target, anywhere)), step),
    )
    by_scope = dict(zip(SCOPES, said, strict=True))
    return Reach(
        target,
        {scope: answer for scope, (answer, _, _) in by_scope.items()},
        {scope: reason for scope, (_, reason, _) in by_scope.items()},
        {scope: grade for scope, (_, _, grade) in by_scope.items()},
    )


def _with_limit(reach: Reach, step: Step) -> Reach:
    """The answers where the graph shows that the eigenvalue is a limit; one that every transition has is a limit already."""
    if reach.answers["architecture"] == "yes":
        return reach
    said = (
        {"closure": "yes"},
        {"closure": "a limit for weights whose bias grows, by the traced graph"},
        {"closure": of_limit(step.contract)},
    )
    answers, reasons, grades = said
    return Reach(reach.target, reach.answers | answers, reach.reasons | reasons, reach.grades | grades)


def _climbed(step: Step, best: Witness | None) -> Witness | None:
    return best if best is None or best.approaches or step.is_black_box else climbed(step, best)


def _format(step: Step) -> str:
    return str(step.dtype).removeprefix("torch.")


def _here(seen: Witness | None, step: Step) -> tuple[str, str, Grade]:
    """What inputs show of these weights."""
    if seen is None:
        return "not decided", "no transition was finite", OPEN
    if seen.gap == 0:
        return (
            "yes",
            f"attained in {_format(step)}, with an input that was found",
            of_witness(_format(step), step.contract, attained=True),
        )
    return "not decided", f"the nearest eigenvalue seen is {seen.gap:.2g} away", OPEN


def _limit(best: Witness | None, step: Step) -> tuple[str, str, Grade]:
    """What weights and inputs show of the closure."""
    if best is not None and best.approaches:
        near = f"weights were found with an eigenvalue within {max(best.gap, best.gaps[-1]):.0e} of it"
        return "yes", near, of_witness(_format(step), step.contract, attained=False)
    gap = "no finite one" if best is None else f"{best.gap:.2g} away"
    return "not decided", f"not excluded; the nearest eigenvalue seen is {gap}", OPEN


def facts(found: Findings) -> dict[str, Any]:
    """The findings as plain data."""
    return {
        "layer": found.step.name,
        "state": list(found.step.shape),
        "format": _format(found.step),
        "affine": found.is_affine,
        "for all weights": found.for_all_weights,
        "deviation": found.affine.deviation,
        "bound": found.affine.bound,
        "derivative differs by": found.affine.derivative,
        "kinds": sorted(found.kinds),
        "ranges": [
            {"kind": r.kind, "name": r.name, "range": str(r.interval), "node": r.node, "by graph": r.by_graph} for r in found.ranges or []
        ],
        "spectrum": None
        if found.spectrum is None
        else {"says": str(found.spectrum), "lemma": found.spectrum.lemma, "claims": list(found.spectrum.claims)},
        "grade": str(found.grade),
        "reaches": [_reach_facts(r) for r in found.reaches],
        "row": found.row,
        "warnings": list(found.warnings),
        "driver": None if found.driver is None else {"says": str(found.driver), "coordinates": list(found.driver.coordinates)},
        "contract": found.step.contract or None,
        "held": found.step.held or None,
        "earlier tokens": [{"says": str(e), "back": e.back, "by": list(e.by)} for e in found.step.earlier],
        "draws": DRAWS,
    }


def _reach_facts(reach: Reach) -> dict[str, Any]:
    return {
        "eigenvalue": reach.target,
        "answers": reach.answers,
        "reasons": reach.reasons,
        "grades": {scope: str(grade) for scope, grade in reach.grades.items()},
        "arithmetics": {scope: list(grade.precision) for scope, grade in reach.grades.items()},
        "rounded": reach.rounded,
    }
