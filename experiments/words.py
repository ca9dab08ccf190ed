"""Words of the sentences that experiments end in."""

from __future__ import annotations


def yes(holds: bool) -> str:
    """ "yes" or "no"."""
    return "yes" if holds else "no"


def of_seeds(which: str, count: int) -> str:
    """In words, whose number it is: "best of 3 seeds" for ``which`` = "best", "one seed" for a single one."""
    return "one seed" if count == 1 else f"{which} of {in_seeds(count)}"


def in_seeds(count: int) -> str:
    """How many: "1 seed", "3 seeds"."""
    return f"{count} seed{'' if count == 1 else 's'}"


def observations(outcome: str) -> list[str]:
    """The parts of an outcome that semicolons divide, those within brackets left whole."""
    parts, depth = [""], 0
    for character in outcome:
        depth += (character in "([") - (character in ")]")
        if character == ";" and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts]
