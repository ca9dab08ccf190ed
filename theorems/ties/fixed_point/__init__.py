"""Topic fixed_point: tokens of layers, and the transitions that they can have, against exact linear algebra."""

from . import groups, tokens, transitions, wide

__all__ = ["groups", "tokens", "transitions", "wide"]
