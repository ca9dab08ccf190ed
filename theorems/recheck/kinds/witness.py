"""Certificates of kind ``witness``."""

from __future__ import annotations

from ..exact import require
from ..registry import rule
from ..typed import Data


@rule("witness")
def check_witness(data: Data) -> None:
    """Named exact values, and nothing else; what they show is said by the claim's demand alone (``recheck/statements``)."""
    require(isinstance(data, dict) and data, "expected named values")
