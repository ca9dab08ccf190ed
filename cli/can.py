"""``lemmata can``: which model can do which task, and why."""

from __future__ import annotations

from typing import Annotated

import typer

from .console import print_json
from .options import Json


def can_command(
    question: Annotated[
        str | None, typer.Argument(metavar="TASK", help="A task, or a group that is one: such as parity, S5, star-free.")
    ] = None,
    model: Annotated[str | None, typer.Option("--model", help="A class of transitions, or an architecture such as DeltaNet.")] = None,
    precision: Annotated[
        str,
        typer.Option(
            "--precision", help="The arithmetic: states, cast, rounded or reals; matters where not both TASK and --model are given."
        ),
    ] = "states",
    as_markdown: Annotated[
        bool, typer.Option("--markdown", help="Print the page with all tables: what docs/reference/expressivity.md holds.")
    ] = False,
    as_svg: Annotated[
        bool, typer.Option("--svg", help="Print the core of the table as a picture: what docs/reference/expressivity.svg holds.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Say which model can do which task, and why.

    The answer comes with the chain of claims behind it. Without TASK and --model the whole table is printed. CITED means that the answer rests on a publication that is not checked here.
    """
    from ..api.can import can
    from .expressivity import expressivity
    from .markdown import markdown

    answer = can(question, model=model).at(precision)
    if as_markdown:
        print(markdown(expressivity()), end="")
    elif as_svg:
        from ..atlas.picture import svg

        print(svg(), end="")
    elif as_json:
        print_json(answer.data)
    else:
        answer.print()
