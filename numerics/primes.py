"""Primes, by FLINT."""

from __future__ import annotations

from flint import fmpz


def prime_factors(n: int) -> list[int]:
    """The primes that divide n >= 1, the least first: ``prime_factors(60) == [2, 3, 5]``, and none for 1. Raises ``ValueError`` for n < 1."""
    if n < 1:
        raise ValueError(f"expected a positive integer, got {n}")
    return [int(p) for p, _ in fmpz(n).factor()]
