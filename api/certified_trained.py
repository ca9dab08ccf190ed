"""What ``lemmata.certify`` says of a state dict of lemmata's own trainable network."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from math import inf
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..constructions.automata import Automaton
    from ..constructions.automata.certify.certifying import Certificate, Trial
    from ..constructions.automata.certify.trained_weights import TrainedNetwork


def facts(network: TrainedNetwork, found: Certificate, trial: Trial, automaton: Automaton, of: str = "all") -> dict[str, Any]:
    """What was found, as plain data."""
    near = found.verdict
    # a word counts against the weights if they are wrong on it as they are
    wrong = _wrong(found, network, automaton) or _wrong(trial, network, automaton)
    verdict = ("wrong" if wrong else "right" if near == "right" and of == "all" else "open") if of != "nearby" else near
    if of == "nearby" and near == "wrong":
        wrong = wrong or {
            "word": [str(x) for x in found.word or ()],
            "says": _name(automaton, found.says or 0),
            "right": _name(automaton, found.expected or 0),
        }
    return {
        "verdict": verdict,
        "of": "nearby exact weights" if of == "nearby" or verdict == "right" else "the weights as they are",
        "nearby": near,
        "layers": [
            {
                "width": layer.layer.width,
                "rounded to": layer.rounding.says,
                "changed": dict(zip(("transitions", "inputs", "first state"), layer.rounding.changes, strict=True)),
                "states": len(layer.orbit.states),
                "margin": layer.margin if layer.decision else None,
            }
            for layer in found.layers
        ],
        "largest change": found.change if found.layers else None,
        "margin": found.margin if near == "right" else None,
        "states": len(found.machine.table) if found.machine else None,
        "wrong": wrong,
        "why": found.why or None,
        "rounded wrong on": None if found.word is None else [str(x) for x in found.word],
        "unrounded": {
            "right up to": _count(found.unrounded),
            "run on all words of": trial.short,
            "run on random words of": trial.long,
            "wrong on": None if trial.word is None else [str(x) for x in trial.word],
        },
    }


def _wrong(found: Certificate | Trial, network: TrainedNetwork, automaton: Automaton) -> dict[str, Any] | None:
    """The word of ``found``, what the weights as they are say after it, and what is right; None if they are right on it."""
    if found.word is None:
        return None
    letter = {x: i for i, x in enumerate(automaton.letters)}
    says, expected = network.states_after([letter[x] for x in found.word])[-1], automaton.run(found.word)[-1]
    if says == expected:
        return None
    return {"word": [str(x) for x in found.word], "says": _name(automaton, says), "right": _name(automaton, expected)}


def _name(automaton: Automaton, q: int) -> str:
    return "nothing" if q < 0 else str(automaton.name(q))


def _count(length: float | None) -> int | str | None:
    return length if length is None else "every length" if length == inf else int(length)


def sentences(report: dict[str, Any], found: Certificate, trial: Trial) -> Iterable[str]:
    """The same in lines."""
    wrong, right_nearby = report["wrong"], report["nearby"] == "right"
    if wrong is not None:
        yield from _wrong_lines(report, trial)
    if wrong is None or right_nearby or wrong["word"] == report["rounded wrong on"]:
        for k, layer in enumerate(report["layers"], start=1):
            changed = ", ".join(f"{what} by {change:.2g}" for what, change in layer["changed"].items())
            yield f"layer {k}, width {layer['width']}: rounded to {layer['rounded to']} (largest changes: {changed})"
    if right_nearby:
        margin = "no decision can change" if report["margin"] == inf else f"margin {report['margin']:.3g}"
        yield f"right at every length, {margin}: the rounded weights close with {report['states']:,} states, and every answer is the automaton's"
        yield from _unrounded(report, trial)
        return
    if wrong is not None:
        return
    if found.word is not None:
        yield (
            f"not decided: the rounded weights are wrong on {written(found.word)}, the weights as they are, in float64, are right on it: "
            "rounding changes what they decide"
        )
    else:
        yield f"not decided, it does not close: {found.why}"
    yield f"the weights as they are, in float64, are right on all words of up to {trial.short} letters and on 64 random ones of {trial.long}"


def _wrong_lines(report: dict[str, Any], trial: Trial) -> Iterable[str]:
    wrong = report["wrong"]
    says, right = (x if len(x) <= 40 else f"{x[:37]}..." for x in (wrong["says"], wrong["right"]))
    yield f"wrong on this word: {written(wrong['word'])} ({counted(wrong['word'])}): says {says}, right is {right}"
    if report["rounded wrong on"] == wrong["word"]:
        yield "both as rounded, where no shorter word is wrong, and as they are, in float64"
        return
    shortest = len(wrong["word"]) <= trial.short
    more = f"; no shorter word is wrong (all words of up to {trial.short} letters were run)" if shortest else ""
    yield f"the weights as they are, in float64{more}"


def _unrounded(report: dict[str, Any], trial: Trial) -> Iterable[str]:
    length = report["unrounded"]["right up to"]
    known = "at every length" if length == "every length" else f"up to {length:,} letters"
    if trial.word is None:
        yield (
            f"the weights as they are: right {known} in exact arithmetic (proved); in float64 right on all words of up to {trial.short} letters "
            f"and on 64 random ones of {trial.long} (run)"
        )
    else:
        word = written(trial.word) if len(trial.word) <= 40 else f"{written(trial.word[:40])}..."
        yield (
            f"the weights as they are: right {known} in exact arithmetic (proved); in float64 wrong after the {len(trial.word)} letters "
            f"{word}: rounding mends them, the certificate is about the rounded ones"
        )


def counted(word: list[str]) -> str:
    """How many letters, in words."""
    return f"{len(word)} letter{'' if len(word) == 1 else 's'}"


def written(word: Iterable[Hashable]) -> str:
    """A word as one writes it: letters of one character without spaces."""
    letters = [str(x) for x in word]
    return ("" if all(len(x) == 1 for x in letters) else " ").join(letters)
