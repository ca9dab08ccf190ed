"""Topic householder, row by row: floats beside exact numbers, up to 13 rows, and with what is refused."""

from . import chunks, contractions, factors, gains, gaussian, pairs, rotations

__all__ = ["chunks", "contractions", "factors", "gains", "gaussian", "pairs", "rotations"]
