"""Exit codes of ``lemmata can``, ``probe`` and ``certify``: one table, in docs/reference/inputs.md."""

from __future__ import annotations

from collections.abc import Callable

#: yes: right at every length, or answered; no: wrong, with the word or the reason; refused, as for every error; not decided: right to some length, then unknown
YES, NO, REFUSED, NOT_DECIDED = 0, 1, 2, 3

#: the exit code of a verdict or an answer
OF = {"right": YES, "yes": YES, "wrong": NO, "no": NO, "open": NOT_DECIDED, "not decided": NOT_DECIDED, "not excluded": NOT_DECIDED}


def of_answer(says: Callable[[], str]) -> int:
    """The code of what an answer about one model and one task says; ``YES`` where the question names none, or several."""
    try:
        return OF[says()]
    except ValueError:
        return YES
