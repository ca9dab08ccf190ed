"""Words with exact labels: how many there are, drawn uniformly, split into train and test, with what a shortcut would get right.

The state after every letter comes from the automaton itself, so no label is wrong. ``lemmata data`` writes the words; docs/how-to/data.md shows how to use them.
"""

from .counting import reached, words_to
from .drawing import OVER, draw, run
from .hardness import shortcuts
from .splitting import Split, split

__all__ = ["OVER", "Split", "draw", "reached", "run", "shortcuts", "split", "words_to"]
