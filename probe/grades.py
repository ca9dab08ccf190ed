"""How sure an answer of a probe is, in the ledger's words, and in which arithmetics it holds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .ranges import DRAWS, Range

#: arithmetics of ``lemmata can --precision`` to which what is said of exact transitions carries over; rounding may attain an open end
CARRIED = ("exact", "margin")

CONTRACT = "if the contract holds"


@dataclass(frozen=True)
class Grade:
    """The grade of an answer: that of the weakest thing it rests on.

    Attributes:
        verdict: A word of the ledger: PROVED, CHECKED or OPEN.
        rests_on: What it rests on, the weakest last.
        precision: The arithmetics of the table in which it holds; empty where it names none.
    """

    verdict: str
    rests_on: tuple[str, ...] = ()
    precision: tuple[str, ...] = ()

    def __str__(self) -> str:
        return ", ".join((self.verdict, *self.rests_on))

    def of(self, answer: str) -> str:
        """An answer with its grade, in short.

        >>> Grade("CHECKED", ("seen", "if the contract holds")).of("no"), OPEN.of("not decided")
        ('no, if the contract holds: CHECKED', 'not decided, OPEN')
        """
        return f"{answer}, {CONTRACT}: {self.verdict}" if CONTRACT in self.rests_on else f"{answer}, {self.verdict}"


OPEN = Grade("OPEN")


def of_ranges(ranges: Iterable[Range] | None, contract: str) -> Grade:
    """The grade of what ranges say.

    PROVED if the graph gives all of them, and no kernel is replaced by its contract; OPEN where there are none.

    >>> str(of_ranges(None, ""))
    'OPEN'
    """
    known = list(ranges or ())
    if not known:
        return OPEN
    if all(r.by_graph for r in known):
        return _under(contract, "PROVED", ("by the graph for all weights",), CARRIED)
    return _under(contract, "CHECKED", (f"kinds and nodes seen on {DRAWS} draws",), CARRIED)


def of_witness(format: str, contract: str, attained: bool) -> Grade:
    """The grade of an eigenvalue seen in floats: in rounded arithmetic where it is attained, else on a way to a limit."""
    return _under(contract, "CHECKED", (f"seen in {format}",), ("rounded",) if attained else ())


def of_limit(contract: str) -> Grade:
    """The grade of an eigenvalue that the graph shows to be a limit."""
    return _under(contract, "PROVED", ("a limit in a bias, by the graph",), CARRIED)


def _under(contract: str, verdict: str, rests_on: tuple[str, ...], precision: tuple[str, ...]) -> Grade:
    return Grade("CHECKED", (*rests_on, CONTRACT), precision) if contract else Grade(verdict, rests_on, precision)
