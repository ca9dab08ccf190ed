"""What ``lemmata certify`` says of a trained network, as numbers that are kept with a row."""

from __future__ import annotations

from torch import nn

from .tasks import Task

#: the states that are gone through at most
LIMIT = 1000


def certified(network: nn.Module, task: Task, limit: int = LIMIT) -> dict[str, float]:
    """``certify``: its exit code of the weights as they are; ``wrong word``: the letters of a word on which they are wrong, 0 without one.

    For models of one layer whose answers are the automaton's states.
    """
    from ..api.certify import certify
    from ..cli.exit_codes import OF

    found = certify(network, automaton=task.automaton, answers="states", of="weights", limit=limit)
    wrong = found.report["wrong"]
    return {"certify": float(OF[found.verdict]), "wrong word": float(len(wrong["word"]) if wrong else 0)}


#: the numbers of a network that diverged: not decided
UNKNOWN = {"certify": 3.0, "wrong word": 0.0}
