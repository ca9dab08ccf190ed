"""``python -m lemmata.theorems.attacks [NAME ...] [--size N]``: run the searches, print the cases tried, exit with 1 if a claim is broken."""

from __future__ import annotations

import argparse
import sys

from . import ATTACKS


def main() -> int:
    """Run the named attacks, or all; 0 if no case breaks a claim."""
    parser = argparse.ArgumentParser(prog="python -m lemmata.theorems.attacks", description="Search for counterexamples to claims.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(ATTACKS)}; all if none is given")
    parser.add_argument("--size", type=int, default=1000, help="more cases for a larger size (default: 1000)")
    options = parser.parse_args()
    if unknown := [name for name in options.names if name not in ATTACKS]:
        parser.error(f"expected names among {', '.join(ATTACKS)}, got {', '.join(unknown)}")
    failed = False
    for name in options.names or ATTACKS:
        found = ATTACKS[name].search(options.size)
        print(f"{name}: {ATTACKS[name].claim}: {ATTACKS[name].says}: {found.cases} cases, {len(found.broken)} broken", flush=True)
        for line in found.broken:
            print(f"  {line}")
        failed = failed or bool(found.broken)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
