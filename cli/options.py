"""Arguments and options that several commands share."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Effort(StrEnum):
    """How many and how large the instances are."""

    quick = "quick"
    standard = "standard"
    thorough = "thorough"


Ids = Annotated[list[str] | None, typer.Argument(help="Claim ids; all claims if none is given.", show_default=False)]
Id = Annotated[str, typer.Argument(metavar="ID", help="A claim id; see lemmata list.", show_default=False)]
Papers = Annotated[list[str] | None, typer.Option("--paper", help="Only claims of this paper; may be repeated.")]
Topics = Annotated[list[str] | None, typer.Option("--topic", help="Only claims of this topic; may be repeated.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
Out = Annotated[Path | None, typer.Option("--out", help="Write into this file instead; - prints.")]
