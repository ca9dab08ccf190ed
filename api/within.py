"""Networks whose transitions stay within a model of the table: the constructions are tried one after the other, and membership decides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..constructions.automata import Automaton, Network
    from ..constructions.automata.choose.candidate import Prefer
    from ..constructions.bistable.compiler import BistableNetwork
    from ..numerics.progress import Progress

#: constructions that are not among the best, though they have transitions of few kinds
NAMED = ("delays", "addition", "dihedral", "solvable", "two-reflections")

#: letters before the one that is read that a convolution of size 4 keeps
LONGEST_WINDOW = 3


def is_within(document: dict[str, Any], model: str) -> bool:
    """Whether every layer of a network, as plain data, is of a model that has the name, or of a smaller one."""
    from ..atlas.built import above
    from ..atlas.cells import models_named
    from ..atlas.membership import models_of

    wanted = models_named(model)
    return any(m.id in above(small) for small in models_of(document) for m in wanted)


def within(
    machine: dict[str, tuple[int, ...]] | Automaton, model: str, prefer: Prefer, advance: Progress
) -> Network | BistableNetwork | None:
    """The first proved network whose transitions are within the model, the best by ``prefer`` first and bistable layers last; None if there is none."""
    for network in networks(machine, prefer, advance):
        if is_within(network.document(), model):
            return network
    return None


def networks(machine: dict[str, tuple[int, ...]] | Automaton, prefer: Prefer, advance: Progress) -> Iterator[Network | BistableNetwork]:
    """Networks of one automaton, each by another construction."""
    from ..constructions.automata.choose.candidate import FEW_READS, ranked
    from ..constructions.automata.choose.ways import candidates
    from ..constructions.automata.compiler import compile_candidate, proved
    from ..constructions.automata.layers.windows import window_stack
    from ..constructions.automata.read.sources import from_permutations

    automaton = (from_permutations(machine) if isinstance(machine, dict) else machine).reachable()
    found = [*candidates(automaton), *(c for name in NAMED for c in candidates(automaton, name) if c.construction == name)]  # type: ignore[arg-type] # names of constructions
    group = permutes(automaton)
    for candidate in ranked(found, prefer):
        # a cascade of a group has one level, of every transition that the group has
        if candidate.reads_at_most(FEW_READS) and not (group and candidate.cascade):
            advance(f"trying {candidate.construction}", 0, 0)
            try:
                yield compile_candidate(candidate, advance)
            except ArithmeticError:
                # too large to be proved: the next one may be smaller
                continue
    for signed in (False, True):
        advance("trying a window", 0, 0)
        stacks = (window_stack(automaton, length, signed) for length in range(1, LONGEST_WINDOW + 1) if not group)
        if stack := next(filter(None, stacks), None):
            yield proved(automaton, stack, progress=advance)
    yield from _bistable(automaton, advance)


def permutes(automaton: Automaton) -> bool:
    """Whether every letter permutes the states."""
    return all(len(set(images)) == automaton.n for images in automaton.table.values())


def _bistable(automaton: Automaton, advance: Progress) -> Iterator[BistableNetwork]:
    """Bistable layers, alone and above a clock; none for an automaton that they would make smaller, whose states they could not tell apart."""
    from ..constructions.automata.read.machines import minimise
    from ..constructions.bistable.compiler import compile_bistable, compile_hybrid, one_unit_a_layer

    if permutes(automaton) or minimise(automaton).n < automaton.n:
        return
    for compiler in (compile_bistable, compile_hybrid):
        advance("trying bistable layers", 0, 0)
        try:
            network = compiler(automaton, progress=advance)
        except (ValueError, ArithmeticError):
            # refused with words, or too large
            continue
        yield network
        if network.clock == 1 and max(network.widths, default=1) > 1:
            yield one_unit_a_layer(network, advance)
