"""Exact test vectors for recurrent kernels: inputs on which every correct kernel returns the same numbers, in every order of summation.

``vectors`` makes them, ``audit`` shows why they are exact, ``exact_vectors`` is the checker that another project copies. docs/how-to/vectors.md is for its users.
"""

from .audit import Audit, audit
from .exact_vectors import check
from .vectors import VECTORS, Vector, vector
from .writing import write_vectors

__all__ = ["VECTORS", "Audit", "Vector", "audit", "check", "vector", "write_vectors"]
