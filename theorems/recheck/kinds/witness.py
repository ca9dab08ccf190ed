"""Certificates of kind ``witness``."""

from ..exact import require
from ..registry import rule


@rule("witness")
def check_witness(data):
    """Named exact values, and nothing else; what they show is said by the claim's demand alone (``recheck/statements``)."""
    require(isinstance(data, dict) and data, "expected named values")
