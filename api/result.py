"""What every result can do: print itself in a terminal and in a notebook, and become plain data."""

from __future__ import annotations

from collections.abc import Iterable
from io import StringIO
from typing import Any

from rich.console import Console, RenderableType
from rich.text import Text

from ..cli.console import SafeConsole, out

#: a console that writes into its own file, in a notebook as well: there rich would else show each part by itself
PLAIN: dict[str, Any] = {"markup": False, "highlight": False, "emoji": False, "force_jupyter": False}

#: how a notebook shows what a terminal would: colours by name, columns kept
PAGE = '<pre style="white-space:pre;overflow-x:auto;line-height:normal;font-family:monospace">{code}</pre>'


class Result:
    """The answer of a public function. ``str`` and ``repr`` are what the command line prints; notebooks show the same in colour."""

    def parts(self) -> Iterable[RenderableType]:
        """What is printed, part by part. A text with ``no_wrap`` is printed as it is, whatever the width."""
        raise NotImplementedError

    @property
    def data(self) -> Any:
        """The result as plain data: dictionaries, lists, strings and numbers."""
        raise NotImplementedError

    def print(self, console: Console = out) -> None:
        """Print all parts, by default on standard output.

        Args:
            console: A console of rich.
        """
        for part in self.parts():
            console.print(part, soft_wrap=isinstance(part, Text) and part.no_wrap is True)

    def __str__(self) -> str:
        page = SafeConsole(file=StringIO(), width=out.width, color_system=None, **PLAIN)
        self.print(page)
        lines = page.file.getvalue().splitlines()  # type: ignore[attr-defined]
        return "\n".join(line.rstrip() for line in lines).rstrip("\n")

    __repr__ = __str__

    def _repr_html_(self) -> str:
        page = SafeConsole(file=StringIO(), width=out.width, record=True, force_terminal=True, color_system="standard", **PLAIN)
        self.print(page)
        return page.export_html(inline_styles=True, code_format=PAGE)


def listed(names: str | Iterable[str] | None) -> list[str] | None:
    """One name or several as a list; None stays None."""
    return None if names is None else [names] if isinstance(names, str) else list(names)


def written_whole(text: str) -> Text:
    """A text that is not wrapped: a path or a command, to be copied."""
    return Text(text, no_wrap=True, overflow="ignore")
