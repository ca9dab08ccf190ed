"""``lemmata pin``: the ledger, written anew from the checks."""

from __future__ import annotations

import os

from .console import out
from .options import Topics
from .progress import progress
from .threads import one_thread


def pin_command(topic: Topics = None) -> None:
    """Write the ledger anew from the checks (for maintainers).

    And docs/findings.md from the ledger. Look hard at the difference: it is what the ledger will say.
    """
    from ..theorems.ledger import TOPICS, require_known

    one_thread()
    from ..theorems.records import pin
    from .documents import write_findings

    require_known("topic", topic, TOPICS)
    with progress("pinning", len(topic or TOPICS)) as advance:
        for name in topic or TOPICS:
            for path in pin([name]):
                out.print(os.path.relpath(path), soft_wrap=True)
            advance(name)
    for path in write_findings():
        out.print(os.path.relpath(path), soft_wrap=True)
