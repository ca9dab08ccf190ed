"""Tables that fit 80 columns: words stay whole, ids are never broken."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest
from textwrap import wrap
from typing import Any

from rich.table import Table
from rich.text import Text

from .console import out

#: width of the left column of blocks, where verdicts and classes stand
LEFT = 16


def plain_table(*columns: str) -> Table:
    """A table without lines, all columns to the right."""
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for name in columns:
        table.add_column(name, justify="right")
    return table


def blocks(rows: Iterable[tuple[Text, list[Text]]]) -> Text:
    """A narrow left column and, beside it, the lines of each row, wrapped between words; print it with ``soft_wrap``."""
    done = []
    for left, lines in rows:
        pieces = [piece for text in lines for line in text.split("\n") for piece in _wrapped(line, out.width - LEFT)]
        marks = left.split("\n")
        for i in range(max(len(pieces), len(marks))):
            mark = marks[i] if i < len(marks) else Text()
            mark.pad_right(LEFT - mark.cell_len)
            done.append(mark.append_text(pieces[i]) if i < len(pieces) else mark)
            done[-1].rstrip()
    return Text("\n").join(done)


def _wrapped(line: Text, width: int) -> list[Text]:
    if line.cell_len <= width:
        return [line]
    if line.spans:
        return list(line.wrap(out, width))
    # plain lines are most of a long list, and textwrap is quicker
    return [Text(piece, line.style) for piece in wrap(line.plain, width, break_long_words=False, break_on_hyphens=False)]


def counted(n: int, what: str) -> str:
    """A number and what it counts: 1 file, 2 files."""
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def facts(rows: dict[str, Any]) -> Table:
    """Names in bold on the left, what they are beside them; empty ones are left out."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    for name, value in rows.items():
        if value:
            table.add_row(name, value if isinstance(value, Text) else Text(str(value)))
    return table


def evidence(steps: list[dict[str, Any]]) -> Table:
    """What was recorded: what, how, scope, how many times; a step that failed says so."""
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column("what was checked", ratio=5)
    table.add_column("how", no_wrap=True)
    table.add_column("scope", ratio=4)
    table.add_column("count", justify="right", no_wrap=True)
    for step in steps:
        failed = step.get("held") is False
        what = Text.assemble(step["what"], (" FAILED", "bold red") if failed else "")
        table.add_row(what, step["how"], Text("illustrates" if step.get("beside") else step["scope"] or "one instance"), str(step["count"]))
    return table


def number_lines(given: dict[str, Any], width: int) -> list[str]:
    """Each ``name = value`` as lines of at most ``width`` characters, a matrix as aligned rows where these fit."""
    return [line for name, value in given.items() for line in _matrix_lines(name, value, width) or _lines(name, value, width)]


def _lines(name: str, value: Any, width: int) -> list[str]:
    text = f"{name}: {'; '.join(f'{k}: {flat(x)}' for k, x in value.items())}" if isinstance(value, dict) else f"{name} = {flat(value)}"
    return wrap(text, width, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)


def _matrix_lines(name: str, value: Any, width: int) -> list[str]:
    """The rows of a matrix; none if it is no matrix, or too wide."""
    rows = value if isinstance(value, list) and value and all(isinstance(row, list) and row for row in value) else [[]]
    if not rows[0] or not all(isinstance(x, str | int | float) for row in rows for x in row):
        return []
    columns = [max(len(str(x)) for x in column if x is not None) for column in zip_longest(*rows)]
    lines = [" ".join(f"{x!s:>{n}}" for x, n in zip(row, columns, strict=False)) for row in rows]
    lines = [f"{f'{name} =' if i == 0 else ' ' * (len(name) + 2)} [ {line} ]" for i, line in enumerate(lines)]
    return lines if max(map(len, lines)) <= width else []


def flat(value: Any) -> str:
    """Nested lists as (a, b, (c, d))."""
    if isinstance(value, list):
        return "(" + ", ".join(flat(x) for x in value) + ")"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {flat(x)}" for key, x in value.items()) + "}"
    return str(value)
