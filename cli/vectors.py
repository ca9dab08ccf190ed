"""``lemmata vectors``: exact test vectors for recurrent kernels."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from .console import out, print_json
from .options import Json
from .progress import progress


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
    table = Table("vector", "required in", "stored bits", "summed bits", "inverse by squaring", "criterion")
    for fact in facts:
        required = ", ".join(fact["required in"]) or f"stress only: {fact['stress']}"
        squaring = f"2^{fact['inverse by squaring']}" if fact["criterion"] is not None else ""
        criterion = {True: "meets it", False: "not met", None: ""}[fact["criterion"]]
        table.add_row(fact["vector"], required, str(fact["stored bits"]), str(fact["summed bits"]), squaring, criterion)
    out.print(table)
    out.print(f"{len(facts)} files and exact_vectors.py written to {folder}", soft_wrap=True)
