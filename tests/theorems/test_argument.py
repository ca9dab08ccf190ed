"""Numbered arguments: steps, and the marks that say what carries them."""

from lemmata.theorems.argument import steps_of

ARGUMENT = """The idea.

1. One step, [0, 1] and all. [checked: "every x lies in [0, 1]"; "the end"] [uses: a.b, c.d]
   It goes on here. [cited: Banach's theorem]
2. Words. [prose]

A remark that belongs to no step.
"""


def test_steps_and_marks():
    first, second = steps_of(ARGUMENT)
    assert (first.number, first.text) == (1, "One step, [0, 1] and all. It goes on here.")
    assert first.checked == ("every x lies in [0, 1]", "the end")
    assert (first.uses, first.cited, first.is_prose) == (("a.b", "c.d"), ("Banach's theorem",), False)
    assert (second.text, second.is_prose, second.marks) == ("Words.", True, ("prose",))
