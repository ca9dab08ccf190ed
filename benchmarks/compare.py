"""Results that are the same on every machine: written, or compared with those that are stored."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def write_or_check(path: Path, found: dict[str, Any], check: bool) -> None:
    """Write results as JSON, or end the program with an error if they differ from those of the file."""
    text = json.dumps(found, ensure_ascii=False, indent=1) + "\n"
    if not check:
        path.write_text(text, encoding="utf-8")
    elif path.read_text(encoding="utf-8") != text:
        sys.exit(f"expected the numbers of {path.name}, got others")
