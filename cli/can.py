"""``lemmata can``: which model can do which task, and why."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .console import print_json
from .exit_codes import of_answer
from .options import Json


def can_command(
    question: Annotated[
        str | None, typer.Argument(metavar="TASK", help="A task, or a group that is one: such as parity, S5, star-free.")
    ] = None,
    task: Annotated[str | None, typer.Option("--task", help="The same as TASK, as in other commands.")] = None,
    model: Annotated[str | None, typer.Option("--model", help="A class of transitions, or an architecture such as DeltaNet.")] = None,
    precision: Annotated[
        str | None,
        typer.Option("--precision", help="The arithmetic: exact (unless the task has its own), margin, rounded, log or reals."),
    ] = None,
    as_markdown: Annotated[
        bool, typer.Option("--markdown", help="Print the page with all tables: what docs/reference/expressivity.md holds.")
    ] = False,
    as_svg: Annotated[
        bool, typer.Option("--svg", help="Print the core of the table as a picture: what docs/reference/expressivity.svg holds.")
    ] = False,
    regex: Annotated[
        str | None,
        typer.Option(help="Instead of a task: a regular expression."),
    ] = None,
    alphabet: Annotated[str | None, typer.Option(help="With --regex: all letters; otherwise those that it mentions.")] = None,
    automaton: Annotated[Path | None, typer.Option(help="Instead of a task: a JSON file with a DFA, NFA, Moore or Mealy machine.")] = None,
    complete: Annotated[bool, typer.Option("--complete", help="With --automaton: add a sink for missing transitions.")] = False,
    group: Annotated[str | None, typer.Option(help="Instead of a task: a group such as S5; its generators are the letters.")] = None,
    generators: Annotated[str | None, typer.Option(help="Instead of a task: a permutation group in cycle notation.")] = None,
    elements: Annotated[bool, typer.Option("--elements", help="With --group or --generators: every element is a letter.")] = False,
    layers: Annotated[int | None, typer.Option("--layers", help="Which models recognise one language with at most so many layers.")] = None,
    draw: Annotated[Path | None, typer.Option("--draw", help="Draw a slide about a language into this PNG or SVG file.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Replay all words against a language by the automaton alone.")] = False,
    as_json: Json = False,
) -> None:
    """Say which model can do which task, and why.

    The answer comes with the chain of claims behind it. Without TASK and --model the whole table is printed. Of one model and one task the exit code is 0 for yes, 1 for no, 3 if open. CITED means that the answer rests on a publication that is not checked here.
    """
    if task is not None and question is not None:
        raise ValueError(f"expected TASK or --task, got both {question!r} and {task!r}")
    question = task if question is None else question
    only = {
        "--alphabet": alphabet is not None,
        "--elements": elements,
        "--complete": complete,
        "--draw": draw is not None,
        "--check": check,
    }
    if any(given is not None for given in (regex, automaton, group, generators)):
        from .can_language import about_a_language

        if as_markdown or as_svg:
            raise ValueError("expected --markdown and --svg about the table only, got them with a language")
        options = {
            "alphabet": alphabet,
            "elements": elements,
            "complete": complete,
            "layers": layers,
            "draw": draw,
            "check": check,
            "as_json": as_json,
        }
        return about_a_language(question, regex, automaton, group, generators, model, precision, **options)
    if wrong := [name for name, given in only.items() if given]:
        raise ValueError(f"expected {wrong[0]} with --regex, --automaton, --group or --generators, got it without them")
    from ..api.can import can
    from .expressivity import expressivity
    from .markdown import markdown

    answer = can(question, model=model, layers=layers)
    answer = answer if precision is None else answer.at(precision)
    if as_markdown:
        print(markdown(expressivity()), end="")
    elif as_svg:
        from ..atlas.picture import svg

        print(svg(), end="")
    elif as_json:
        print_json(answer.data)
    else:
        answer.print()
    if not (as_markdown or as_svg):
        raise typer.Exit(of_answer(answer.says))
