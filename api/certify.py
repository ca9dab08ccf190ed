"""``lemmata.certify``: are trained weights right at every length?"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType

from .question import machine_of, question
from .result import Result, written_whole

if TYPE_CHECKING:
    from torch import nn

    from ..constructions.automata import Automaton
    from ..constructions.automata.certify.certifying import Certificate
    from ..constructions.automata.certify.nearby_programs import NearbyProgram
    from ..constructions.automata.certify.programs import Program
    from ..constructions.automata.certify.reading_parts import Reader
    from ..constructions.automata.certify.verdicts import Run
    from ..numerics.progress import Progress


@dataclass(frozen=True, repr=False, eq=False)
class Certified(Result):
    """What was found of a network's weights.

    Attributes:
        report: The verdict and what it is of, every way in which the weights were looked at, and a wrong word if there is one.
        lines: The same in sentences.
        took: What the checkpoint was compared with, such as "group S3".
        exact: Gives the exact network as plain data; None if none is right.
    """

    report: dict[str, Any]
    lines: list[str]
    took: str
    exact: Callable[[], dict[str, Any]] | None

    @property
    def verdict(self) -> str:
        """ "right" at every length, "wrong" on a word, or "open"."""
        return self.report["verdict"]

    @property
    def of(self) -> str:
        """What the verdict is of, such as "nearby exact weights"."""
        return self.report["of"]

    @property
    def data(self) -> dict[str, Any]:
        return self.report

    def document(self) -> dict[str, Any]:
        """The exact network as plain data, accepted by the independent checker.

        Raises:
            ValueError: No exact network was found that is right at every length.
            ArithmeticError: The proof that the format asks for does not close.
        """
        if self.exact is None:
            raise ValueError(f"expected an exact network that is right at every length, got the verdict {self.verdict} and none")
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
    checkpoint: str | Path | nn.Module | Mapping[str, Any],
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
    tokens: Mapping[str, int] | Sequence[int] | None = None,
    begin: Sequence[int] = (),
    answers: str | Sequence[Hashable] | None = None,
    nonlinearity: str | None = None,
    activation: str | None = None,
    of: str = "all",
    tolerance: float = 0.25,
    limit: int = 10_000,
    progress: Progress | None = None,
) -> Certified:
    """Prove trained weights right at every length, or give a word on which they are wrong.

    The weights as they are come first: in exact arithmetic, with every order of rounded sums, in boxes, and in one named order.
    Exact weights near them come second. The verdict names what it is of.

    Args:
        checkpoint: A module from words of tokens (batch, length) to scores; a state dict; a file with one, or with a checkpoint of the
            experiments; or an exported network as JSON.
        task: What it should do: a task, a group, or else a regular expression, as for ``lemmata.compile``.
        regex, automaton, group, generators, alphabet, elements, complete, minimise: What it should do, as for ``lemmata.compile``.
        tokens: The token of each letter; by default letter k is token k.
        begin: Tokens before every word, such as one that begins a text.
        answers: What the network's answers are: "states", "accepted" (answer 1 is accepted), "outputs", or a list of states or outputs.
        nonlinearity: "relu" or "tanh", of a state dict with an Elman layer, which does not tell.
        activation: What lies between the linear maps of a state dict's head, such as "relu".
        of: What the verdict is about: "weights" as they are, exact weights "nearby", or "all": wrong weights are wrong, whatever is near them.
        tolerance: The most that rounding may change an entry of a map or a first state, from 0 to 0.5.
        limit: The most states that are gone through.
        progress: Called with the stage, and how much of it is done out of how much.

    Returns:
        The verdict "right", "wrong" or "open", with what it is of.

    Raises:
        ValueError: A file or an input cannot be read, or a module does more than is read of it.

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

    advance = progress or silent
    asked = question(task, TASKS.__contains__, TASKS, regex=regex, automaton=automaton, group=group, generators=generators)
    if asked is None:
        raise ValueError("expected one of task, regex, automaton, group and generators, got none")
    if not 0 <= tolerance <= 0.5 or limit < 1:
        raise ValueError(f"expected a tolerance from 0 to 0.5 and a limit of at least 1, got {tolerance} and {limit}")
    if of not in OF:
        raise ValueError(f"expected a verdict of {', '.join(OF)}, got {of!r}")
    found = machine_of(asked, alphabet=alphabet, elements=elements, complete=complete, minimise=minimise)
    machine = (from_permutations(found) if isinstance(found, dict) else found).reachable()
    advance("reading", 0, 0)
    ask = Asked(machine, str(asked), isinstance(found, dict), tolerance, limit, of, advance)
    reading = Reading(tokens, tuple(begin), answers, nonlinearity, activation)
    if isinstance(checkpoint, str | Path):
        require_regular(Path(checkpoint))
        if _is_json(Path(checkpoint)):
            return _exported(Path(checkpoint), machine, str(asked))
    return _of_weights(checkpoint, ask, reading)


#: what a verdict can be about
OF = ("all", "weights", "nearby")


@dataclass(frozen=True)
class Asked:
    """What is asked of the weights. ``group``: whether the machine is the word problem of a group."""

    machine: Automaton
    took: str
    group: bool
    tolerance: float
    limit: int
    of: str
    advance: Progress


@dataclass(frozen=True)
class Reading:
    """How the weights are to be read; see :func:`certify`."""

    tokens: Mapping[str, int] | Sequence[int] | None
    begin: tuple[int, ...]
    answers: str | Sequence[Hashable] | None
    nonlinearity: str | None
    activation: str | None

    def token_of(self, letters: Sequence[Hashable]) -> list[int]:
        """The token of each letter. Raises ``ValueError`` unless each has one."""
        names = [str(x) for x in letters]
        if self.tokens is None:
            return list(range(len(names)))
        if isinstance(self.tokens, Mapping):
            if missing := [x for x in names if x not in self.tokens]:
                raise ValueError(f"expected a token for each of the letters {', '.join(names)}, got none for {missing[0]}")
            found = [int(self.tokens[x]) for x in names]
        else:
            found = [int(t) for t in self.tokens]
        if len(found) != len(names) or len(set(found)) < len(found) or min((*found, *self.begin)) < 0:
            raise ValueError(f"expected {len(names)} different tokens of at least 0 for the letters {', '.join(names)}, got {found}")
        return found


def _is_json(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(1) == b"{"


# -- weights ------------------------------------------------------------------------------------------------------------------


def _of_weights(checkpoint: str | Path | nn.Module | Mapping[str, Any], ask: Asked, reading: Reading) -> Certified:
    """A module, or what a file or a dictionary holds."""
    from torch import nn

    from ..constructions.automata.certify.reading_weights import read_checkpoint, read_state_dict, state_dict_of
    from ..experiments.exporting import is_checkpoint, program_of, run_of
    from ..experiments.layers import Model

    tokens = reading.token_of(ask.machine.letters)
    if isinstance(checkpoint, nn.Module):
        if isinstance(checkpoint, Model):
            import copy

            return _experiment(program_of(copy.deepcopy(checkpoint)), ask, reading, tokens)
        return _module(checkpoint, ask, reading, tokens)
    where = "the dictionary" if isinstance(checkpoint, Mapping) else repr(str(checkpoint))
    found = checkpoint if isinstance(checkpoint, Mapping) else read_checkpoint(Path(checkpoint))
    if is_checkpoint(found):
        model, task = run_of(found)
        if reading.tokens is None:
            tokens = _tokens_of_task(ask.machine, task.letters)
        answers = reading.answers if reading.answers is not None else _answers_of_task(task)
        return _experiment(program_of(model), ask, replace(reading, answers=answers), tokens)
    weights = state_dict_of(found, where)
    if (
        any(re.search(r"(^|\.)weight_hh(_l[0-9]+)?$", name) or re.fullmatch(r"(.*\.)?A", name) for name in weights)
        and "scale" not in weights
    ):
        return _program(read_state_dict(weights, tokens, reading.begin, reading.nonlinearity, reading.activation), ask, reading, None)
    return _trained(weights, ask)


def _module(module: nn.Module, ask: Asked, reading: Reading, tokens: list[int]) -> Certified:
    from ..constructions.automata.certify.reading_modules import read_module

    readers: list[Reader] = []
    if any(type(m).__module__.startswith("fla.") for m in module.modules()):
        from ..probe.programs import read_layer

        readers.append(read_layer)
    program, run = read_module(module, tokens, reading.begin, readers)
    return _program(program, ask, reading, run)


def _tokens_of_task(machine: Automaton, letters: Sequence[str]) -> list[int]:
    """The tokens of an experiment's letters, whose names are the automaton's or differ in how permutations are written."""
    number = {_plain(x): i for i, x in enumerate(letters)}
    names = [_plain(x) for x in machine.letters]
    if any(x not in number for x in names):
        raise ValueError(
            f"expected a task on the letters {', '.join(letters)}, got {', '.join(map(str, machine.letters))}: tokens= maps them"
        )
    return [number[x] for x in names]


def _answers_of_task(task: Any) -> list[str]:
    return list(task.answers)


def _plain(x: Hashable) -> str:
    """A name without what tells a tuple from its entries: (1, 0, 2) and "1 0 2" are one."""
    return " ".join(re.findall(r"[^\s(),]+", str(x)))


def _experiment(program: Program, ask: Asked, reading: Reading, tokens: list[int]) -> Certified:
    if max(tokens) >= program.letters:
        raise ValueError(f"expected tokens below {program.letters}, got {max(tokens)}")
    program.front = [[(0, t) for t in tokens]]
    program.letters = len(tokens)
    return _program(program, ask, reading, None)


def _program(program: Program, ask: Asked, reading: Reading, run: Run | None) -> Certified:
    from ..constructions.automata.certify.verdicts import certified
    from .certified_program import facts, sentences, target_of

    target, called = target_of(ask.machine, program.answers, reading.answers, ask.group)
    found = certified(program, target, ask.tolerance, ask.limit, run, ask.advance)
    report = facts(found, called, ask.of)
    return Certified(report, list(sentences(report, ask.of)), ask.took, _exact(found.nearby, list(range(program.answers))))


def _exact(nearby: Certificate | NearbyProgram | None, answers: list[int]) -> Callable[[], dict[str, Any]] | None:
    """The nearby exact network, if it is right."""
    from ..constructions.automata.certify.certifying import Certificate

    # the format has affine layers alone
    if not isinstance(nearby, Certificate) or nearby.verdict != "right":
        return None
    return lambda: _checked(nearby, answers)


def _trained(weights: Mapping[str, Any], ask: Asked) -> Certified:
    """A state dict of lemmata's own trainable network."""
    from ..constructions.automata.certify.certifying import certify, tried
    from ..constructions.automata.certify.trained_weights import of_state_dict
    from .certified_trained import facts, sentences

    network = of_state_dict(weights)
    found = certify(network, ask.machine, ask.tolerance, ask.limit, ask.advance)
    ask.advance("running", 0, 0)
    trial = tried(network, ask.machine)
    report = facts(network, found, trial, ask.machine, ask.of)
    return Certified(report, list(sentences(report, found, trial)), ask.took, _exact(found, network.answers.tolist()))


def _checked(found: Certificate, answers: list[int]) -> dict[str, Any]:
    """The exact network, accepted by the independent checker."""
    from ..constructions.automata.certify.certified_document import certified_document
    from ..theorems.recheck import Rejected
    from ..theorems.recheck.kinds.network import check_network

    document = certified_document(found, answers)
    try:
        check_network(document)
    except Rejected as why:
        raise ArithmeticError(f"the re-checker refuses it: {why}") from None
    return document


# -- exported networks --------------------------------------------------------------------------------------------------------


def _exported(path: Path, automaton: Automaton, took: str) -> Certified:
    """An exported network: its own proof re-checked, then its automaton compared with what is asked for."""
    from ..constructions.automata.rounding.layer import LayerNumbers
    from ..theorems.recheck import Rejected, check_file
    from .certified_trained import counted, written

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
    verdict = "wrong" if wrong else "right"
    report: dict[str, Any] = {
        "verdict": verdict,
        "of": "the exported network, in exact arithmetic",
        "margin": margin,
        "wrong": wrong,
        "largest change": 0.0,
    }
    if wrong:
        word = written(wrong["word"])
        line = f"wrong on this word: {word} ({counted(wrong['word'])}): {wrong['says']}, right is {wrong['right']}"
    else:
        said = "no decision can change" if margin == inf else f"margin {margin:.3g}"
        line = f"right at every length, {said}: exact as it is, its proof holds, and its automaton does what is asked for"
    return Certified(report, [line], took, None if wrong else lambda: document)


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
