"""``lemmata vectors``: exact test vectors for recurrent kernels."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

import typer

from .console import out, print_json
from .options import Json
from .progress import progress
from .tables import plain_table


def vectors_command(
    folder: Annotated[Path, typer.Option("--out", help="The folder to write into: .npz files, and the checker exact_vectors.py.")],
    rule: Annotated[
        str | None,
        typer.Option(
            help="Only this rule: linear, scalar-gate, channel-gate, delta, gated-delta, products, kda, mamba2, rwkv7, complex-diagonal; or the backward pass of one of the first six, such as delta-gradient."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Write exact test vectors for recurrent kernels.

    On these inputs every correct kernel returns the same numbers. Each file is audited first, for four sizes of chunks and three formats. The checker beside them needs NumPy alone (docs/how-to/vectors.md).
    """
    from ..kernels.gradients import GRADIENT_RULES, GRADIENTS
    from ..kernels.listing import facts as facts_of
    from ..kernels.vectors import RULES, VECTORS
    from ..kernels.writing import write_vectors
    from ..theorems.ledger import require_known

    require_known("rule", [rule] if rule else None, (*RULES, *GRADIENT_RULES))
    count = sum(rule in (None, name) for name, _ in (*VECTORS, *GRADIENTS))
    with progress("auditing", count) as advance:
        rows = list(write_vectors(folder, rule, advance))
    facts = [facts_of(row) for row in rows]
    if as_json:
        print_json(facts)
        return
    for name, group in groupby(facts, key=lambda fact: fact["vector"].partition(".")[0]):
        _print(name, list(group))
    out.print(f"{len(facts)} files and exact_vectors.py written to {folder}", soft_wrap=True)


def _print(rule: str, facts: list[dict[str, Any]]) -> None:
    """The audit of the files of a rule, and why what is not required is stress."""
    table = plain_table(rule, "required in", "stored bits", "sums", "squaring", "criterion")
    for column in table.columns[:2]:
        column.no_wrap = True
    names = [fact["vector"].partition(".")[2] for fact in facts]
    for name, fact in zip(names, facts, strict=True):
        required = "all three" if len(fact["required in"]) == 3 else ", ".join(fact["required in"]) or "none"
        squaring = f"2^{fact['inverse by squaring']}" if fact["criterion"] is not None else ""
        criterion = {True: "met", False: "not met", None: ""}[fact["criterion"]]
        table.add_row(name, required, str(fact["stored bits"]), str(fact["summed bits"]), squaring, criterion)
    out.print(table)
    for reason in dict.fromkeys(fact["stress"] for fact in facts if fact["stress"]):
        named = [name for name, fact in zip(names, facts, strict=True) if fact["stress"] == reason]
        out.print(f"stress ({', '.join(named)}): {reason}", soft_wrap=True)
