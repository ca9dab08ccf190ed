"""``lemmata recheck``: certificates, verified by the independent checker."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from .console import err, out, print_json
from .options import Json
from .progress import progress


def recheck_command(
    directory: Annotated[
        Path, typer.Argument(metavar="PATH", help="What verify --certificates or compile --out wrote: a directory or a file.")
    ],
    everything: Annotated[bool, typer.Option("--all", help="Every claim that has certificates must be there.")] = False,
    as_json: Json = False,
) -> None:
    """Verify certificates with the independent checker.

    It uses the standard library alone. Exit code 2 if one is rejected, or, with --all, missing.
    """
    from ..theorems.recheck import Rejected, check_file, files_of, missing

    results: list[dict[str, Any]] = []
    try:
        files = files_of(directory)
    except Rejected as error:
        raise ValueError(str(error)) from None
    with progress("re-checking", len(files)) as advance:
        for path in files:
            try:
                claim, count = check_file(path)
                results.append({"file": path.name, "claim": claim, "certificates": count, "holds": True, "why": None})
            except Rejected as why:
                results.append({"file": path.name, "claim": None, "certificates": 0, "holds": False, "why": str(why)})
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
