"""What a fault is, and how a wrong step is registered as one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..chunked import Chunked


@dataclass(frozen=True)
class Thread:
    """An issue or a pull request, and what it tells in one sentence of our own."""

    repository: str
    number: int
    says: str

    @property
    def url(self) -> str:
        """Where it stands; GitHub leads from an issue's address to a pull request of the same number."""
        return f"https://github.com/{self.repository}/issues/{self.number}"


@dataclass(frozen=True)
class Fault:
    """A wrong step.

    ``kernel`` is :class:`.chunked.Chunked` with it; ``what`` it does; ``rule`` in which it shows; ``names``: features that exact vectors must name;
    ``alone``: they name nothing else; ``logic``: wrong in exact arithmetic too; ``exact``: exact vectors find it.
    """

    name: str
    what: str
    kernel: type[Chunked]
    rule: str
    names: tuple[str, ...]
    alone: bool
    logic: bool
    exact: bool
    theirs: tuple[Thread, ...]
    ours: str
    stress: bool


#: name -> fault
FAULTS: dict[str, Fault] = {}


def fault(
    name: str,
    *names: str,
    rule: str = "gated-delta",
    alone: bool = False,
    logic: bool = True,
    exact: bool = True,
    theirs: tuple[Thread, ...] = (),
    ours: str = "",
    stress: bool = False,
) -> Callable[[type[Chunked]], type[Chunked]]:
    """Register a subclass of :class:`.chunked.Chunked`, whose docstring says what it does, as a fault."""

    def register(kernel: type[Chunked]) -> type[Chunked]:
        what = (kernel.__doc__ or "").strip()
        FAULTS[name] = Fault(name, what, kernel, rule, names, alone, logic, exact, theirs, ours, stress)
        return kernel

    return register


FLA = "fla-org/flash-linear-attention"
