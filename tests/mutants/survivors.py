"""Survivors that are harmless, with the reason of each (``survivors.toml``: "name of the mutant" = "reason")."""

from __future__ import annotations

import tomllib
from pathlib import Path


def reasons() -> dict[str, str]:
    """name of the mutant -> why no claim need notice it."""
    path = Path(__file__).with_name("survivors.toml")
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
