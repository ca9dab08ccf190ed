"""``lemmata data``: words of a language with exact labels, for training and testing."""

from __future__ import annotations

import re
import shlex
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from .automaton_input import automaton_of, group_of, require_one_input
from .console import out, print_json
from .options import Json
from .progress import stages

if TYPE_CHECKING:
    from ..constructions.automata import Automaton

#: words that one command writes
MOST_WORDS = 10**8


class Over(StrEnum):
    """What is uniform: ``words.OVER``."""

    words = "words"
    states = "states"
    accepted = "accepted"
    balanced = "balanced"


def data_command(
    regex: Annotated[str | None, typer.Option(help="A regular expression, one character a letter (docs/reference/inputs.md).")] = None,
    alphabet: Annotated[str | None, typer.Option(help="With --regex: all letters; otherwise those that it mentions.")] = None,
    group: Annotated[
        str | None, typer.Option(help="A group such as S5, A5, C60, PSL(2,7), or 16.7, the seventh group of order 16: its word problem.")
    ] = None,
    generators: Annotated[str | None, typer.Option(help="A permutation group in cycle notation, such as '(0 1)(2 3), (0 1 2)'.")] = None,
    elements: Annotated[bool, typer.Option("--elements", help="With --group or --generators: every element is a letter.")] = False,
    machine: Annotated[
        Path | None, typer.Option("--automaton", help="A JSON file: a DFA, NFA, Moore or Mealy machine (docs/reference/inputs.md).")
    ] = None,
    complete: Annotated[bool, typer.Option("--complete", help="With --automaton: add a sink for missing transitions.")] = False,
    minimal: Annotated[bool, typer.Option("--minimise", help="With --automaton or --task: minimise the automaton.")] = False,
    task: Annotated[
        str | None, typer.Option(help="parity, even-pairs, cycle-navigation, modular-arithmetic, or tomita-1 to tomita-7.")
    ] = None,
    length: Annotated[str, typer.Option(metavar="A:B", help="Lengths of the train words, or one length.")] = "1:40",
    count: Annotated[int, typer.Option(help="Train words in all.")] = 10_000,
    test_length: Annotated[str, typer.Option(metavar="A:B", help="Lengths of the test words.")] = "41:256",
    test_count: Annotated[int, typer.Option(help="Test words in all.")] = 1_000,
    over: Annotated[
        Over,
        typer.Option(
            help="Uniform over words, over the last states that a length reaches, over accepted words, or half accepted (balanced)."
        ),
    ] = Over.words,
    repeat: Annotated[bool, typer.Option("--repeat", help="A train word may come twice. Test words never do.")] = False,
    seed: Annotated[int, typer.Option(help="The same seed gives the same words.")] = 0,
    target: Annotated[
        Path | None, typer.Option("--out", help="FILE.npz, FILE.parquet, FILE.jsonl, or a new folder in Hugging Face's layout.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Draw words with exact labels, to train and test.

    Labels are the automaton's states after every letter. No test word is a train word. What shortcuts would get right is computed exactly. Without --out nothing is written.
    """
    require_one_input(
        {"--regex": regex, "--group": group, "--generators": generators, "--automaton": machine, "--task": task},
        {
            "--alphabet": (alphabet is not None, "--regex"),
            "--elements": (elements, "--group --generators"),
            "--complete": (complete, "--automaton"),
            "--minimise": (minimal, "--automaton --task"),
        },
    )
    wanted = (
        (_lengths("--length", length), _count("--count", count)),
        (_lengths("--test-length", test_length), _count("--test-count", test_count)),
    )
    if seed < 0:
        raise ValueError(f"expected a --seed of at least 0, got {seed}")
    with stages() as advance:
        advance("automaton")
        from ..constructions.automata.read.sources import from_permutations
        from ..words import split
        from ..words.card import card, facts
        from ..words.writing import ENDINGS, require_target, save

        if target is not None:
            require_target(target)
        found = group_of(group, generators, elements)
        automaton: Automaton = from_permutations(found) if found else automaton_of(regex, alphabet, machine, complete, task, minimal)
        advance("words")
        made = split(automaton, *wanted, seed=seed, over=over.value, repeat=repeat)
        advance("what shortcuts get right")
        said = facts(made)
        advance("writing")
        name = regex or group or generators or task or (machine.stem if machine else "")
        command = shlex.join(["lemmata", *sys.argv[1:]])
        # only a folder has a card
        folder = target is not None and target.suffix not in ENDINGS
        text = (
            card(made, f"Words of {name}", command, *_models(automaton, tracked=bool(found) or (regex is None and not automaton.accepting)))
            if folder
            else ""
        )
        written = [] if target is None else save(made, target, text)
    if as_json:
        print_json(said | {"written": [str(path) for path in written]})
        return
    _print(said)
    for path in written:
        out.print(f"written to {path}", soft_wrap=True)


def _lengths(option: str, text: str) -> range:
    """A:B as all lengths from A to B, a number as one length."""
    found = re.fullmatch(r"([0-9]{1,6})(?::([0-9]{1,6}))?", text, re.ASCII)
    if not found or int(found[2] or found[1]) < int(found[1]):
        raise ValueError(f"expected {option} as a length or as A:B with A <= B, got {text!r}")
    return range(int(found[1]), int(found[2] or found[1]) + 1)


def _count(option: str, count: int) -> int:
    if not 0 <= count <= MOST_WORDS:
        raise ValueError(f"expected {option} from 0 to {MOST_WORDS}, got {count}: draw in several runs with other seeds")
    return count


def _models(automaton: Automaton, tracked: bool) -> tuple[list[dict[str, Any]], str]:
    """Which models can do exactly this, with finitely many states held exactly, and what is asked of them."""
    from ..atlas.languages import Asked, table
    from ..constructions.languages import language_of

    models = table().subjects
    verdicts = Asked(language_of(automaton, tracked)).verdicts("exact", tuple(models))
    said = {"yes": "yes", "no": "no", "open": "not decided"}
    rows = [{"model": models[v.model].name, "answer": said[v.says], "layers": v.layers, "one": said[v.one]} for v in verdicts]
    asked = "the state after every letter" if tracked else "acceptance after every letter"
    return rows, f"To give {asked}, with finitely many states held exactly. `lemmata can` says why."


def _print(said: dict[str, Any]) -> None:
    letters = said["letters"]
    out.print(f"automaton: {said['states']} states, {len(letters)} letters; {said['class']}")
    for part in ("train words", "test words"):
        if said[part]["count"]:
            first, last = said[part]["lengths"]
            out.print(f"{part}: {said[part]['count']:,}, lengths {first} to {last}, uniform over {said['drawn uniformly over']}")
    share = said["test words that begin with a train word"]
    if share is not None and said["train words"]["count"]:
        out.print(f"test words that begin with a train word: {share:.2%}")
    if said["lengths that could not be balanced"]:
        out.print(f"lengths that could not be balanced: {', '.join(map(str, said['lengths that could not be balanced'][:20]))}")
    table = Table(
        "label",
        "length",
        "by the length",
        "by the last letter",
        "by the letter counts",
        title="what shortcuts get right",
        title_justify="left",
    )
    for label in ("last state", "acceptance"):
        for n, row in said[f"shortcuts: {label}"].items():
            table.add_row(label, str(n), *("too many" if x is None else f"{x:.2%}" for x in row.values()))
    if table.row_count:
        out.print(table)
