"""``lemmata can`` about a regular expression, an automaton or a group."""

from __future__ import annotations

from pathlib import Path

import typer

from .console import out, print_json
from .exit_codes import YES, of_answer
from .progress import stages


def about_a_language(
    task: str | None,
    regex: str | None,
    automaton: Path | None,
    group: str | None,
    generators: str | None,
    model: str | None,
    precision: str | None,
    *,
    alphabet: str | None,
    elements: bool,
    complete: bool,
    layers: int | None,
    draw: Path | None,
    check: bool,
    as_json: bool,
) -> None:
    """Print which models recognise it, or, with ``check``, whether every witness holds. Raises ``ArithmeticError`` if one does not.

    A ``task`` beside it is a second input, and is refused.
    """
    from ..api.can import can
    from ..api.languages import LanguageAnswer

    asked = can(
        task,
        model=model,
        regex=regex,
        automaton=automaton,
        group=group,
        generators=generators,
        alphabet=alphabet,
        elements=elements,
        complete=complete,
        layers=layers,
    )
    assert isinstance(asked, LanguageAnswer)
    answer = asked if precision is None else asked.at(precision)
    with stages() as progress:
        answer.asked.decide(progress)
    if draw is not None:
        answer.draw(draw)
    checked = answer.check() if check else {}
    if as_json:
        print_json(answer.data | ({"checked": checked} if check else {}))
    elif not check:
        answer.print()
    else:
        for id, holds in checked.items():
            out.print(f"{'holds' if holds else 'FAILS'}  {id}: {next(w for w in answer.witnesses if w.refutes == id)}", soft_wrap=True)
        out.print(f"{sum(checked.values())} of {len(checked)} witnesses hold, replayed by the automaton alone")
    if not all(checked.values()):
        raise ArithmeticError(f"expected every witness to hold, got {', '.join(id for id, holds in checked.items() if not holds)}")
    raise typer.Exit(of_answer(answer.says) if model is not None else YES)
