"""Docstrings of public functions as Markdown: arguments as a list, examples as code."""

from __future__ import annotations

import inspect
import re

#: heads of sections with a name in each line, and what stands above the list
NAMED = {"Args:": "Arguments", "Attributes:": "Attributes", "Raises:": "Raises"}


def sections(doc: str) -> str:
    """A docstring as Markdown: its arguments as a list, its example as code."""
    parts = []
    for part in re.split(r"\n\n", doc):
        head, _, body = part.partition("\n")
        if head in NAMED:
            # one line may document several names
            rows = re.findall(r"^    (\w+(?:, \w+)*): (.*(?:\n {8}.*)*)", body, re.MULTILINE)
            parts.append(f"{NAMED[head]}:\n\n" + "\n".join(f"- {_marked(n)}: {words(t)}" for n, t in rows))
        elif head == "Returns:":
            parts.append(f"Returns: {words(body)}")
        elif head == "Example:":
            parts.append(f"```pycon\n{inspect.cleandoc(body)}\n```")
        else:
            parts.append(words(part))
    return "\n\n".join(parts)


def _marked(names: str) -> str:
    return ", ".join(f"`{name}`" for name in names.split(", "))


def words(text: str) -> str:
    """A docstring's words in Markdown: code between single marks."""
    return " ".join(text.replace("``", "`").split())
