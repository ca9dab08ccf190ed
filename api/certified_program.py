"""What ``lemmata.certify`` says of a module or of weights that became a program."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from math import inf
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..constructions.automata import Automaton
    from ..constructions.automata.certify.certifying import Certificate
    from ..constructions.automata.certify.nearby_programs import NearbyProgram
    from ..constructions.automata.certify.program_orbits import Target
    from ..constructions.automata.certify.verdicts import Verdicts

#: what the answers of a network can be
ANSWERS = ("states", "accepted", "outputs")


def target_of(automaton: Automaton, count: int, answers: str | Sequence[Hashable] | None, group: bool) -> tuple[Target, list[str]]:
    """(target, what the answers are called) for a network of ``count`` answers.

    Args:
        automaton: Its states are reachable, and numbered in that order.
        count: How many answers the network has.
        answers: "states", "accepted" (answer 1 is accepted, 0 is not) or "outputs", or the outputs or states that answers 0, 1, ... mean.
        group: Whether it is the word problem of a group, whose states are the elements.

    Raises:
        ValueError: The answers are of another number, or are named by something else.
    """
    from ..constructions.automata.certify.program_orbits import Target

    names = [str(automaton.name(q)) for q in range(automaton.n)]
    outputs = None if automaton.outputs is None else [str(x) for x in automaton.outputs]
    if answers is None:
        divides = 0 < len(automaton.accepting) < automaton.n
        if outputs is not None and len(set(outputs)) == count:
            answers = "outputs"
        elif count == 2 and divides and not group:
            answers = "accepted"
        else:
            answers = "states"
    if isinstance(answers, str) and answers not in ANSWERS:
        raise ValueError(f"expected answers among {', '.join(ANSWERS)}, or a list, got {answers!r}")
    if answers == "accepted":
        labels, called = [int(q in automaton.accepting) for q in range(automaton.n)], ["not accepted", "accepted"]
    elif answers == "states":
        labels, called = list(range(automaton.n)), names
    else:
        said = outputs if outputs is not None else names
        called = list(dict.fromkeys(said)) if isinstance(answers, str) else [str(x) for x in answers]
        if isinstance(answers, str) and outputs is None:
            raise ValueError("expected a machine with outputs for answers=outputs, got an acceptor")
        if not isinstance(answers, str) and not set(called) & set(said):
            raise ValueError(f"expected answers among {', '.join(dict.fromkeys(said))}, got {', '.join(called)}")
        labels = [called.index(x) if x in called else -1 for x in said]
    if len(called) != count:
        raise ValueError(
            f"expected weights of {len(called)} answers ({', '.join(called[:6])}{', ...' if len(called) > 6 else ''}), got {count}: "
            "another task? answers= says what the answers are"
        )
    return Target(automaton, tuple(labels)), called


def facts(found: Verdicts, called: list[str], of: str) -> dict[str, Any]:
    """What was found, as plain data."""
    letters = [str(x) for x in found.target.automaton.letters]
    wrong, near = found.wrong(), found.nearby
    verdict = found.verdict(of)
    report: dict[str, Any] = {
        "verdict": verdict,
        "of": _of(found, of),
        "read": found.program.says,
        "taken": found.program.taken or None,
        "answers": called,
        "wrong": None,
        "right up to": _count(inf if found.proved else found.right_to),
        "ways": [{"of": f.of, "verdict": f.verdict, "why": f.why or None, "right up to": f.right_to} for f in found.findings],
        "nearby": None,
        "run": [{"of": r.of, "all words of": r.short, "random words of": r.long, "right": r.word is None} for r in found.runs],
    }
    if wrong is not None:
        from ..constructions.automata.certify.verdicts import standing

        word = wrong.word or ()
        report["wrong"] = {
            "word": [letters[x] for x in word],
            "says": _name(called, wrong.says),
            "right": _name(called, wrong.expected),
            "of": wrong.of,
            "stands": standing(found.program, word, wrong.says) or None,
        }
    if near is not None:
        report["nearby"] = _facts_nearby(near, letters)
    return report


def _facts_nearby(near: Certificate | NearbyProgram, letters: list[str]) -> dict[str, Any]:
    """What became of exact weights near by."""
    from ..constructions.automata.certify.nearby_programs import NearbyProgram

    what = ("transitions", "inputs", "first state")
    if isinstance(near, NearbyProgram):
        found = near.finding
        return {
            "verdict": near.verdict,
            "rounded to": [near.says],
            "changed": [dict(zip(what, near.changes, strict=True))],
            "margin": None,
            "states": found.states,
            "why": None if near.verdict == "right" else f"{near.says}: {found.why}" if found.why else None,
            "wrong on": None if found.word is None else [letters[x] for x in found.word],
        }
    return {
        "verdict": near.verdict,
        "rounded to": [layer.rounding.says for layer in near.layers],
        "changed": [dict(zip(what, layer.rounding.changes, strict=True)) for layer in near.layers],
        "margin": near.margin if near.verdict == "right" else None,
        "states": None if near.machine is None else len(near.machine.table),
        "why": near.why or None,
        "wrong on": None if near.word is None else [str(x) for x in near.word],
    }


def _of(found: Verdicts, of: str) -> str:
    """What the verdict is of."""
    verdict, wrong = found.verdict(of), found.wrong()
    if of != "nearby" and verdict == "wrong" and wrong is not None:
        return wrong.of
    if of != "nearby" and found.proved is not None:
        return found.proved.of
    return "nearby exact weights" if of == "nearby" or verdict == "right" else "the weights as they are"


def sentences(report: dict[str, Any], of: str) -> Iterable[str]:
    """The same in lines, the verdict first."""
    wrong, near, verdict = report["wrong"], report["nearby"], report["verdict"]
    closed = next((way for way in report["ways"] if way["verdict"] == "right"), None)
    near_first = of == "nearby" or (verdict == "right" and closed is None)
    if near_first and near is not None:
        yield from _nearby(near, first=True)
    elif near_first:
        yield "not decided: no exact weights are near, or the next state is neither affine in the state nor a ReLU of that"
    if wrong is not None:
        word = wrong["word"]
        count = f"{len(word)} letter{'' if len(word) == 1 else 's'}"
        yield f"wrong on this word: {_short(word)} ({count}): says {wrong['says']}, right is {wrong['right']}"
        yield f"this is of {wrong['of']}" + (f"; it stands {wrong['stands']}" if wrong["stands"] else "")
    elif closed is not None and of != "nearby":
        yield f"right at every length: {closed['of']} ({closed['why']})"
    elif verdict == "open" and of != "nearby":
        yield f"not decided: the weights as they are are right up to {report['right up to']:,} letters, then unknown"
        for way in report["ways"]:
            yield f"{way['of']}: {way['why']}"
    if wrong is None and near_first and isinstance(report["right up to"], int):
        yield f"the weights as they are: right up to {report['right up to']:,} letters in exact arithmetic (proved)"
    if not near_first and near is not None:
        yield from _nearby(near, first=False)
    for run in report["run"]:
        if run["right"]:
            yield f"{run['of']}: right on all words of {run['all words of']} letters, random ones of {run['random words of']} and long runs of one letter (run)"
    yield f"read as {report['read']}" + (f", {report['taken']}" if report["taken"] else "")


def _nearby(near: dict[str, Any], first: bool) -> Iterable[str]:
    says = near["rounded to"][-1] if near["rounded to"] else ""
    changed = ", ".join(f"{what} by {change:.2g}" for what, change in near["changed"][-1].items()) if near["changed"] else ""
    if near["verdict"] == "right":
        margin = "" if near["margin"] is None else ", no decision can change" if near["margin"] == inf else f", margin {near['margin']:.3g}"
        yield f"right at every length: nearby exact weights, {says} (largest changes: {changed}), {near['states']:,} states close{margin}"
    elif near["verdict"] == "wrong" and first:
        yield f"wrong on this word: {_short(near['wrong on'])}: nearby exact weights, {says} (largest changes: {changed})"
    elif near["verdict"] == "wrong":
        yield f"nearby exact weights, {says}: wrong on {_short(near['wrong on'])}"
    else:
        yield ("not decided: " if first else "") + f"nearby exact weights: {near['why']}"


def _short(word: list[str]) -> str:
    """A word as one writes it; of a long one the beginning."""
    between = "" if all(len(x) == 1 for x in word) else " "
    return between.join(word) if len(word) <= 40 else f"{between.join(word[:40])}..."


def _name(called: list[str], answer: int | None) -> str:
    return "nothing" if answer is None or not 0 <= answer < len(called) else called[answer]


def _count(length: float) -> int | str:
    return "every length" if length == inf else int(length)
