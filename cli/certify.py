"""``lemmata certify``: are trained weights right at every length?"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .automaton_input import automaton_of, group_of, require_one_input
from .console import err, json_text, out, print_json
from .options import Json
from .progress import stages

if TYPE_CHECKING:
    from ..constructions.automata import Automaton
    from ..constructions.automata.certifying import Certificate, Trial
    from ..constructions.automata.trained_weights import TrainedNetwork

PRINTED = Path("-")


def certify_command(
    checkpoint: Annotated[
        Path,
        typer.Argument(metavar="CHECKPOINT", help="torch.save(model.state_dict()) of a trainable network, or an exported network as JSON."),
    ],
    regex: Annotated[str | None, typer.Option(help="What it should do: a regular expression.")] = None,
    alphabet: Annotated[str | None, typer.Option(help="With --regex: all letters; otherwise those that it mentions.")] = None,
    group: Annotated[str | None, typer.Option(help="A group such as S5, A5, C60: its word problem.")] = None,
    generators: Annotated[str | None, typer.Option(help="A permutation group in cycle notation.")] = None,
    elements: Annotated[
        bool, typer.Option("--elements", help="With --group or --generators: every element is a letter, not the generators alone.")
    ] = False,
    machine: Annotated[Path | None, typer.Option("--automaton", "--dfa", help="A JSON file (docs/reference/inputs.md).")] = None,
    complete: Annotated[bool, typer.Option("--complete", help="With --automaton: add a sink for missing transitions.")] = False,
    minimal: Annotated[bool, typer.Option("--minimise", help="With --automaton or --task: as few states as can be.")] = False,
    task: Annotated[str | None, typer.Option(help="parity, even-pairs, cycle-navigation or modular-arithmetic.")] = None,
    tolerance: Annotated[float, typer.Option(help="The most that an entry of a map or a first state may change.", min=0, max=0.5)] = 0.25,
    limit: Annotated[int, typer.Option(help="So many states may the product of all layers have.", min=1, max=1_000_000)] = 10_000,
    target: Annotated[
        Path | None, typer.Option("--out", help="If it is right: write the exact network as JSON, for lemmata recheck; - prints it.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Round trained weights to exact numbers, and prove them right at every length, or give a word on which they are wrong.

    What is certified are the rounded weights; what the unrounded ones do is said beside it. Exit code 0 if right, 1 if wrong or not decided.
    """
    from ..theorems.files import require_other, require_regular, require_writable

    require_one_input(
        {"--regex": regex, "--group": group, "--generators": generators, "--automaton": machine, "--task": task},
        {
            "--alphabet": (alphabet is not None, "--regex"),
            "--elements": (elements, "--group --generators"),
            "--complete": (complete, "--automaton"),
            "--minimise": (minimal, "--automaton --task"),
        },
    )
    if target == PRINTED and as_json:
        raise ValueError("expected --json or --out -, got both: either is all of standard output")
    if target is not None and target != PRINTED:
        require_writable(target)
        require_other(target, checkpoint)
    require_regular(checkpoint)
    generated = group_of(group, generators, elements)
    if generated is not None:
        from ..constructions.automata.sources import from_permutations

        automaton = from_permutations(generated)
    else:
        automaton = automaton_of(regex, alphabet, machine, complete, task, minimal)
    automaton = automaton.reachable()
    exported = _is_json(checkpoint)
    with stages() as advance:
        advance("reading")
        report, document = _exact(checkpoint, automaton) if exported else _trained(checkpoint, automaton, tolerance, limit, target, advance)
    if target is not None and document is not None:
        _write(target, document)
        report["written"] = str(target)
    lines = report.pop("lines")
    if as_json:
        print_json(report)
    else:
        for line in lines:
            (err if target == PRINTED else out).print(line, soft_wrap=True)
        if "written" in report and target != PRINTED:
            out.print(f"written to {target}", soft_wrap=True)
    raise typer.Exit(0 if report["verdict"] == "right" else 1)


def _is_json(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(1) == b"{"


# -- trained weights ----------------------------------------------------------------------------------------------------------


def _trained(
    path: Path, automaton: Automaton, tolerance: float, limit: int, target: Path | None, advance: Any
) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """(what is said, the exact network to write)."""
    from ..constructions.automata.certifying import certify, tried
    from ..constructions.automata.trained_weights import load

    network = load(path)
    found = certify(network, automaton, tolerance, limit, advance)
    advance("running")
    trial = tried(network, automaton)
    report = _facts(network, found, trial, automaton)
    report["lines"] = list(_lines(report, found, trial, automaton))
    if found.verdict != "right" or target is None:
        return report, None
    advance("writing")
    try:
        document = _document(network, found)
    except ArithmeticError as why:
        report["lines"].append(f"not written: the format's proof does not close ({why})")
        return report, None
    return report, document


def _document(network: TrainedNetwork, found: Certificate) -> dict[str, Any]:
    """The exact network, accepted by the independent checker."""
    from ..constructions.automata.certified_document import certified_document
    from ..theorems.recheck import Rejected
    from ..theorems.recheck.kinds.network import check_network

    document = certified_document(found, network.answers.tolist())
    try:
        check_network(document)
    except Rejected as why:
        raise ArithmeticError(f"the re-checker refuses it: {why}") from None
    return document


def _facts(network: TrainedNetwork, found: Certificate, trial: Trial, automaton: Automaton) -> dict[str, Any]:
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


def _lines(report: dict[str, Any], found: Certificate, trial: Trial, automaton: Automaton) -> Iterable[str]:
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


def _exact(path: Path, automaton: Automaton) -> tuple[dict[str, Any], dict[str, Any]]:
    """An exported network: its own proof re-checked, then its automaton compared with what is asked for."""
    from ..constructions.automata.precision_layer import LayerNumbers
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
        report["lines"] = [f"wrong on this word: {word} ({_letters(wrong['word'])}): {wrong['says']}, right is {wrong['right']}"]
    else:
        said = "no decision can change" if margin == inf else f"margin {margin:.3g}"
        report["lines"] = [f"right at every length, {said}: exact as it is, its proof holds, and its automaton does what is asked for"]
    return report, document


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


def _write(target: Path, document: dict[str, Any]) -> None:
    if target == PRINTED:
        print(json_text(document))
        return
    from ..theorems.files import write_whole

    write_whole(target, json.dumps(document, ensure_ascii=False) + "\n")
