"""``lemmata pin``: the kernel's statements, and the pins of all claims, written anew."""

from __future__ import annotations

import os

from rich.padding import Padding
from rich.text import Text

from .console import out
from .options import Topics
from .progress import progress
from .threads import one_thread


def pin_command(topic: Topics = None) -> None:
    """Pin what the checks come to (for maintainers).

    First the statements of the kernel's theorems are pinned, and each that is new or changed is shown. The pages
    that hold words or counts of the ledger are written too. Look hard at the difference: it is what the ledger will say.
    """
    from ..theorems.ledger import TOPICS, require_known

    one_thread()
    from ..theorems.claim import claims
    from ..theorems.records import pin, pin_statements
    from .citation import write_citation
    from .documents import write_claims, write_findings
    from .experiments import write_experiments
    from .reference import write_pages

    require_known("topic", topic, TOPICS)
    for name, what in pin_statements().items():
        out.print(Text(f"pinned {name}", "bold"))
        out.print(Padding(Text(what), (0, 0, 1, 2)))
    # all topics at once: a claim of one may use a claim of another
    with progress("pinning", len(claims(topics=topic))) as advance:
        for path in pin(topic, on_record=lambda one: advance(one.id)):
            out.print(os.path.relpath(path), soft_wrap=True)
    for path in [*write_findings(), *write_claims(), *write_citation(), *write_experiments(), *write_pages()]:
        out.print(os.path.relpath(path), soft_wrap=True)
