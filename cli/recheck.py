"""``lemmata recheck``: certificates, verified by the independent checker."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from .console import err, out, print_json
from .options import Json
from .progress import progress


def recheck_command(
    directory: Annotated[
        str, typer.Argument(metavar="PATH", help="What verify --certificates or compile --out wrote: a directory or a file.")
    ],
    everything: Annotated[bool, typer.Option("--all", help="Every claim that has certificates must be there.")] = False,
    verified: Annotated[
        bool,
        typer.Option(
            "--verified", help="Exported networks only: the checker that is proved sound in Rocq, where make verified has built it."
        ),
    ] = False,
    limits: Annotated[str, typer.Option("--limits", metavar="TIMES", help="Allow so many times the work, memory and sizes.")] = "1",
    as_json: Json = False,
) -> None:
    """Verify certificates with the independent checker.

    It uses the standard library alone. Exit code 2 if one is rejected, or, with --all, missing.
    """
    from ..theorems.recheck import Rejected, files_of, missing
    from ..theorems.recheck.limits import factor_of, raised

    if verified and everything:
        raise ValueError("expected no --all with --verified: the verified checker is for exported networks")
    results: list[dict[str, Any]] = []
    try:
        factor, files = factor_of(limits), files_of(directory)
    except Rejected as error:
        raise ValueError(str(error)) from None
    check = _verified_check(factor) if verified else _check
    with raised(factor), progress("re-checking", len(files)) as advance:
        for path in files:
            claim, count, why = check(path)
            results.append({"file": path.name, "claim": claim, "certificates": count, "holds": why is None, "why": why})
            advance(path.name)
    bad = [r for r in results if not r["holds"]]
    absent = missing({r["claim"] for r in results}) if everything else []
    if as_json:
        # a list of files, or with --all also what is not there
        print_json({"files": results, "missing": absent} if everything else results)
    else:
        for r in results:
            if r["holds"]:
                out.print(Text.assemble(("holds ", "green"), f" {r['claim']} ({r['certificates']})"))
        for r in bad:
            err.print(Text(f"REJECTED {r['file']} {r['why']}", "red"), soft_wrap=True)
        for claim in absent:
            err.print(Text(f"MISSING {claim}: no certificates here, but the ledger has some", "red"), soft_wrap=True)
        left_out = f", {len(absent)} claims missing" if everything else ""
        out.print(f"\n{sum(r['certificates'] for r in results)} certificates in {len(results)} files: {len(bad)} files rejected{left_out}")
    raise typer.Exit(2 if bad or absent else 0)


def _check(path: Path) -> tuple[str | None, int, str | None]:
    """(claim, number of certificates, why it is rejected)."""
    from ..theorems.recheck import Rejected, check_file

    try:
        return *check_file(path), None
    except Rejected as why:
        return None, 0, str(why)


def _verified_check(limits: int) -> Callable[[Path], tuple[str | None, int, str | None]]:
    """The same by the verified checker; ``ValueError`` if it was not built."""
    from .verified import require_program, verdict

    program = require_program()

    def check(path: Path) -> tuple[str | None, int, str | None]:
        states, why = verdict(program, path, limits)
        return (f"a network for {states} states", 1, None) if why is None else (None, 0, why)

    return check
