"""Documents as Markdown; formulas stay between dollar signs."""

from __future__ import annotations

import re

from .blocks import Block, Counts, Facts, Heading, Items, Numbers, Paragraph
from .tables import number_lines

#: formulas, code, and links within the project, which stay as they are
WHOLE = re.compile(r"(\$\$[^$]+\$\$|\$[^$]+\$|`+[^`]+`+|\[[^\[\]]+\]\((?:#[\w-]+|[\w./-]+\.md(?:#[\w-]+)?)\))")

#: what Markdown would read as a mark: an asterisk or underscore that could open emphasis, a tag, a link, an escape
MARK = re.compile(r"\*(?=\S)|(?<![^\W_])_|<(?=[A-Za-z/!?])|\](?=\()|\\(?=[^\w\s])")


def markdown(blocks: list[Block]) -> str:
    """The document as text, with one blank line between blocks and a line break at the end."""
    return "\n\n".join(_block(block) for block in blocks) + "\n"


def inline(text: str) -> str:
    """Our words in Markdown: outside formulas and code, what Markdown would read as a mark is escaped."""
    parts = WHOLE.split(" ".join(text.split()))
    return "".join(part if i % 2 else MARK.sub(r"\\\g<0>", part) for i, part in enumerate(parts))


def _block(block: Block) -> str:
    match block:
        case Heading(level, text):
            return f"{'#' * level} {inline(text)}"
        case Paragraph(text):
            return inline(text)
        case Facts(rows):
            return "\n".join(f"- **{inline(name)}**: {inline(text)}" for name, text in rows)
        case Items(rows):
            return "\n".join(f"- {inline(text)}" for text in rows)
        case Numbers(title, given, hypotheses, violates):
            lines = [*number_lines(given, 100), *(f"given: {x}" for x in hypotheses), *(f"but: {x}" for x in violates)]
            return f"{inline(title)}:\n\n" + "\n".join(["```text", *lines, "```"])
        case Counts(head, rows):
            return "\n".join("| " + " | ".join(row) + " |" for row in (head, ["---", *["---:"] * (len(head) - 1)], *rows))
