"""Names of types that many signatures share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

#: the data of a certificate, as JSON holds them
Data = dict[str, Any]

#: all certificates of a claim, (kind, data) each
Certificates = Sequence[tuple[str, Data]]

#: what a demand decided of the words of its claim
Decided = dict[str, bool]

#: a size, or the least and the largest one
Size = int | tuple[int, int]


class Schema(Protocol):
    """What :mod:`schema` declares: it raises Rejected, and says in words what it asks for."""

    def check(self, x: Any, what: str) -> None: ...

    def describe(self) -> str: ...
