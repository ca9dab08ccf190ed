"""The rules of all operations, by name: what a traced graph asks of an interval."""

from __future__ import annotations

from . import rules_of_arithmetic, rules_of_functions, rules_of_moves
from .values import RULES

#: the modules whose rules are registered as they are imported
TOPICS = (rules_of_arithmetic, rules_of_functions, rules_of_moves)

__all__ = ["RULES", "TOPICS"]
