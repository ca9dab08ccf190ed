"""The command line: ``lemmata list | show | witness | errata | papers | map | verify | can | atlas | recheck | compile | certify | sweep | figures | train | reproduce | data | vectors | check | pin | new``, a file for each command.

Tables go to standard output, progress to standard error; ``--json`` prints strict JSON only, {"error": ...} where a command fails. Exit codes: 0 as expected, 1 a verdict
differs from the pinned one, 2 bad input, a rejected certificate or a missing extra, 130 interrupted, 143 terminated (what was done is
printed and kept). ``list``, ``show``, ``witness``, ``errata``, ``papers``, ``map`` and ``can`` read the ledger and import no mathematics, so that they answer at once.

The modules without a command (tables, Markdown, LaTeX, formulas, progress) also print the results of the public functions, so importing the package loads no command.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import typer

    from .commands import main

    app: typer.Typer

__all__ = ["app", "main"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        from . import commands

        return commands.main if name == "main" else commands.application()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
