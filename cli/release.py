"""What a release holds besides the sources, written before its wheel is built: ``python -m lemmata.cli.release``."""

from __future__ import annotations

import os

from ..theorems import stored
from ..theorems.ledger import ledger
from .progress import progress


def jobs() -> int:
    """Two processes where there are two cores."""
    return min(2, os.cpu_count() or 1)


def gather_all() -> None:
    """Have the evidence of all claims stored, with a progress bar; at once where it is."""
    with progress("gathering", len(ledger())) as advance:
        stored.gather(ledger().values(), advance, jobs())


def main() -> None:
    """Write words and evidence into the package."""
    with progress("gathering", len(ledger())) as advance:
        count = stored.ship(advance, jobs())
    print(f"words and evidence of {count} claims in {os.path.relpath(stored.SHIPPED)}")


if __name__ == "__main__":
    main()
