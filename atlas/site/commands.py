"""What each command of ``lemmata`` is for, as its ``--help`` says it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from inspect import cleandoc

from typer.core import TyperArgument, TyperCommand, TyperGroup
from typer.main import get_command


@dataclass(frozen=True)
class Command:
    """``arguments`` and ``options`` are pairs of what is typed and what it means."""

    name: str
    usage: str
    summary: str
    more: str
    arguments: tuple[tuple[str, str], ...]
    options: tuple[tuple[str, str], ...]


@cache
def commands() -> tuple[Command, ...]:
    """All of them, in the order of ``lemmata --help``."""
    from ...cli import app

    group = get_command(app)
    if not isinstance(group, TyperGroup):
        raise TypeError(f"expected a group of commands, got {type(group).__name__}")
    return tuple(_command(name, c) for name, c in group.commands.items() if isinstance(c, TyperCommand) and not c.hidden)


def _command(name: str, command: TyperCommand) -> Command:
    summary, _, more = cleandoc(command.help or "").partition("\n\n")
    context = command.context_class(command, info_name=f"lemmata {name}")
    rows = [(p, p.get_help_record(context)) for p in command.params]
    pairs = [(isinstance(p, TyperArgument), row) for p, row in rows if row is not None]
    return Command(
        name,
        " ".join(["lemmata", name, *command.collect_usage_pieces(context)]),
        " ".join(summary.split()),
        more,
        tuple(row for argument, row in pairs if argument),
        tuple(row for argument, row in pairs if not argument and row[0] != "--help"),
    )
