"""Names for the type checker: what Python's types cannot say is ``Any`` under a name that says what it is."""

from typing import Any

#: a number or a matrix of FLINT, SymPy or ``numerics/cyclotomic.py``; their stubs do not know each other
Exact = Any

#: a hashable key of a mapping that is read: ``Mapping`` is invariant in its keys, so ``Mapping[Hashable, int]`` takes no ``dict[str, int]``
Key = Any
