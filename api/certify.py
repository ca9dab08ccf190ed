"""``lemmata.certify``: are trained weights right at every length?"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType

from .question import machine_of, question
from .result import Result, written_whole

if TYPE_CHECKING:
    from ..constructions.automata import Automaton
    from ..constructions.automata.certify.certifying import Certificate, Trial
    from ..constructions.automata.certify.trained_weights import TrainedNetwork
    from ..numerics.progress import Progress


@dataclass(frozen=True, repr=False, eq=False)
class Certified(Result):
    """What was found of a checkpoint.

    Attributes:
        report: The verdict, the layers, the largest change by rounding, the margin, and a wrong word if there is one.
        lines: The same in sentences.
        took: What the checkpoint was compared with, such as "group S3".
        exact: Gives the exact network as plain data.
    """

    report: dict[str, Any]
    lines: list[str]
    took: str
    exact: Callable[[], dict[str, Any]]

    @property
    def verdict(self) -> str:
        """ "right" at every length, "wrong" on a word, or "open"."""
        return self.report["verdict"]

    @property
    def data(self) -> dict[str, Any]:
        return self.report

    def document(self) -> dict[str, Any]:
        """The exact network as plain data, accepted by the independent checker.

        Raises:
            ValueError: The verdict is not "right".
            ArithmeticError: The proof that the format asks for does not close.
        """
        if self.verdict != "right":
            raise ValueError(f"expected weights that are right at every length, got the verdict {self.verdict}")
        return self.exact()

    def save(self, path: str | Path) -> Path:
        """Write the exact network as JSON, for ``lemmata.recheck``; raises as :meth:`document` does.

        Args:
            path: A new file, or one to replace.
        """
        from ..theorems.files import require_writable, write_whole

        require_writable(Path(path))
        write_whole(Path(path), json.dumps(self.document(), ensure_ascii=False) + "\n")
        return Path(path)

    def parts(self) -> Iterator[RenderableType]:
        return map(written_whole, self.lines)


def certify(
    checkpoint: str | Path,
    task: str | None = None,
    *,
    regex: str | None = None,
    automaton: Automaton | str | Path | None = None,
    group: str | None = None,
    generators: str | None = None,
    alphabet: str | None = None,
    elements: bool = False,
    complete: bool = False,
    minimise: bool = False,
    tolerance: float = 0.25,
    limit: int = 10_000,
    progress: Progress | None = None,
) -> Certified:
    """Round trained weights to exact numbers and prove them right at every length, or give a word on which they are wrong.

    Args:
        checkpoint: What ``torch.save(model.state_dict(), path)`` wrote of a trainable network, or an exported network as JSON.
        task: What it should do: a task, a group, or else a regular expression, as for ``lemmata.compile``.
        regex, automaton, group, generators, alphabet, elements, complete, minimise: What it should do, as for ``lemmata.compile``.
        tolerance: The most that rounding may change an entry of a map or a first state, from 0 to 0.5.
        limit: The most states that the product of all layers may have.
        progress: Called with the stage, and how much of it is done out of how much.

    Returns:
        The verdict "right", "wrong" or "open", on the rounded weights, and what the weights as they are do.

    Raises:
        ValueError: A file or an input cannot be read.

    Example:
        >>> import lemmata as lm
        >>> network = lm.compile("parity")
        >>> files = network.save("parity.json")
        >>> lm.certify("parity.json", "parity")
        right at every length, margin 1: exact as it is, its proof holds, and its automaton does what is asked for
    """
    from ..constructions.automata.read.sources import from_permutations
    from ..constructions.automata.read.tasks import TASKS
    from ..numerics.progress import silent
    from ..theorems.files import require_regular

    path, advance = Path(checkpoint), progress or silent
    asked = question(task, TASKS.__contains__, TASKS, regex=regex, automaton=automaton, group=group, generators=generators)
    if asked is None:
        raise ValueError("expected one of task, regex, automaton, group and generators, got none")
    if not 0 <= tolerance <= 0.5 or limit < 1:
        raise ValueError(f"expected a tolerance from 0 to 0.5 and a limit of at least 1, got {tolerance} and {limit}")
    require_regular(path)
    machine = machine_of(asked, alphabet=alphabet, elements=elements, complete=complete, minimise=minimise)
    machine = (from_permutations(machine) if isinstance(machine, dict) else machine).reachable()
    advance("reading", 0, 0)
    if _is_json(path):
        return _exported(path, machine, str(asked))
    return _trained(path, machine, tolerance, limit, advance, str(asked))


def _is_json(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(1) == b"{"


# -- trained weights ----------------------------------------------------------------------------------------------------------


def _trained(path: Path, automaton: Automaton, tolerance: float, limit: int, advance: Progress, took: str) -> Certified:
    from ..constructions.automata.certify.certifying import certify, tried
    from ..constructions.automata.certify.trained_weights import load

    network = load(path)
    found = certify(network, automaton, tolerance, limit, advance)
    advance("running", 0, 0)
    trial = tried(network, automaton)
    report = facts(network, found, trial, automaton)
    return Certified(report, list(sentences(report, found, trial, automaton)), took, lambda: _document(network, found))


def _document(network: TrainedNetwork, found: Certificate) -> dict[str, Any]:
    """The exact network, accepted by the independent checker."""
    from ..constructions.automata.certify.certified_document import certified_document
    from ..theorems.recheck import Rejected
    from ..theorems.recheck.kinds.network import check_network

    document = certified_document(found, network.answers.tolist())
    try:
        check_network(document)
    except Rejected as why:
        raise ArithmeticError(f"the re-checker refuses it: {why}") from None
    return document


def facts(network: TrainedNetwork, found: Certificate, trial: Trial, automaton: Automaton) -> dict[str, Any]:
    """What was found, as plain data."""
    verdict, wrong = found.verdict, None
    if verdict != "right":
        # a word counts against the weights if they are wrong on it as they are
        wrong = _wrong(found, network, automaton) or _wrong(trial, network, automaton)
        verdict = "wrong" if wrong else "open"
    return {
        "verdict": verdict,
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
        "margin": found.margin if verdict == "right" else None,
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


def sentences(report: dict[str, Any], found: Certificate, trial: Trial, automaton: Automaton) -> Iterable[str]:
    wrong = report["wrong"]
    if wrong is None or wrong["word"] == report["rounded wrong on"]:
        for k, layer in enumerate(report["layers"], start=1):
            changed = ", ".join(f"{what} by {change:.2g}" for what, change in layer["changed"].items())
            yield f"layer {k}, width {layer['width']}: rounded to {layer['rounded to']} (largest changes: {changed})"
    if report["verdict"] == "right":
        margin = "no decision can change" if report["margin"] == inf else f"margin {report['margin']:.3g}"
        yield f"right at every length, {margin}: the rounded weights close with {report['states']:,} states, and every answer is the automaton's"
        yield from _unrounded(report, trial)
        return
    if wrong is not None:
        says, right = (x if len(x) <= 40 else f"{x[:37]}..." for x in (wrong["says"], wrong["right"]))
        yield f"wrong on this word: {written(wrong['word'])} ({_letters(wrong['word'])}): says {says}, right is {right}"
        if report["rounded wrong on"] == wrong["word"]:
            yield "both as rounded, where no shorter word is wrong, and as they are, in float64"
        else:
            yield "the weights as they are, in float64" + (
                f"; no shorter word is wrong (all words of up to {trial.short} letters were run)"
                if len(wrong["word"]) <= trial.short
                else ""
            )
        return
    if found.word is not None:
        yield (
            f"no verdict: the rounded weights are wrong on {written(found.word)}, the weights as they are, in float64, are right on it: "
            "rounding changes what they decide"
        )
    else:
        yield f"no verdict, it does not close: {found.why}"
    yield f"the weights as they are, in float64, are right on all words of up to {trial.short} letters and on 64 random ones of {trial.long}"


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


def _letters(word: list[str]) -> str:
    return f"{len(word)} letter{'' if len(word) == 1 else 's'}"


def written(word: Iterable[Hashable]) -> str:
    """A word as one writes it: letters of one character without spaces."""
    letters = [str(x) for x in word]
    return ("" if all(len(x) == 1 for x in letters) else " ").join(letters)


# -- exported networks --------------------------------------------------------------------------------------------------------


def _exported(path: Path, automaton: Automaton, took: str) -> Certified:
    """An exported network: its own proof re-checked, then its automaton compared with what is asked for."""
    from ..constructions.automata.rounding.layer import LayerNumbers
    from ..theorems.recheck import Rejected, check_file

    try:
        check_file(path)
    except Rejected as why:
        raise ValueError(f"expected a network that lemmata recheck accepts, got another: {why}") from None
    document = json.loads(path.read_text(encoding="utf-8"))
    if document["format"] != "lemmata-network":
        raise ValueError(f"expected an exported network, got {document['format']}")
    letters = [str(x) for x in automaton.letters]
    if sorted(letters) != sorted(document["letters"]):
        raise ValueError(f"expected a network on the letters {', '.join(letters)}, got {', '.join(document['letters'])}")
    wrong = _difference(document, automaton)
    margin = min(float(LayerNumbers(layer, document["field"]).margins.min()) for layer in document["layers"])
    report: dict[str, Any] = {"verdict": "wrong" if wrong else "right", "margin": margin, "wrong": wrong, "largest change": 0.0}
    if wrong:
        word = written(wrong["word"])
        line = f"wrong on this word: {word} ({_letters(wrong['word'])}): {wrong['says']}, right is {wrong['right']}"
    else:
        said = "no decision can change" if margin == inf else f"margin {margin:.3g}"
        line = f"right at every length, {said}: exact as it is, its proof holds, and its automaton does what is asked for"
    return Certified(report, [line], took, lambda: document)


def _difference(document: dict[str, Any], automaton: Automaton) -> dict[str, Any] | None:
    """The shortest nonempty word after which the network's automaton and ``automaton`` differ in what they accept or say."""
    theirs = document["automaton"]
    number = {x: i for i, x in enumerate(document["letters"])}
    accepting = set(theirs["accepting"])

    def observed(q: int, p: int) -> tuple[str, str]:
        if automaton.outputs is not None and theirs["outputs"] is not None:
            return theirs["outputs"][q], str(automaton.outputs[p])
        return tuple("accepted" if yes else "not accepted" for yes in (q in accepting, p in automaton.accepting))  # type: ignore[return-value]

    start = (theirs["start"], automaton.start)
    words: dict[tuple[int, int], list[str]] = {start: []}
    waiting = [start]
    for q, p in waiting:
        for x in automaton.letters:
            at = theirs["table"][number[str(x)]][q], automaton.table[x][p]
            word = [*words[q, p], str(x)]
            says, right = observed(*at)
            if says != right:
                return {"word": word, "says": says, "right": right}
            if at not in words:
                words[at] = word
                waiting.append(at)
    return None
