"""Machines made from machines: Mealy as Moore, partial as total, and the fewest states that do the same."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, cast

from ....numerics.aliases import Key
from ..automaton import Automaton, brief, explored

#: what the state is called, and says, that a partial machine is completed with
SINK = "sink"

PartialTable = Mapping[Key, Sequence[Any]]


def from_mealy(
    table: Mapping[Key, Sequence[int]],
    outputs: Mapping[Key, Sequence[Hashable]],
    start: int = 0,
    accepting: Iterable[int] = frozenset(),
    names: Sequence[Hashable] | None = None,
) -> Automaton:
    """The Moore machine of a Mealy machine that says ``outputs[letter][q]`` when it reads ``letter`` in state q.

    Its states are the reachable pairs (state, what was said last), so that the output after every nonempty word is the same. Before the
    first letter nothing was said; the start gets an output that some letter says, so that it costs no state of its own where it can.
    Raises ``ValueError`` for a bad table, and for outputs that are not one for each letter and state.
    """
    mealy = Automaton(table, start, frozenset(accepting), None if names is None else tuple(names))
    if not isinstance(outputs, Mapping) or set(outputs) != set(mealy.table):
        raise ValueError(f"expected outputs {{letter: [output in each state]}} for the letters {mealy.letters}, got {brief(outputs)}")
    for x, said in outputs.items():
        if isinstance(said, str) or not isinstance(said, Sequence) or len(said) != mealy.n:
            raise ValueError(f"expected {mealy.n} outputs for the letter {brief(x)}, one for each state, got {brief(said)}")
    reached = cast(Any, Automaton(mealy.table, mealy.start).reachable().names)
    into_start = (outputs[x][q] for q in reached for x in mealy.letters if mealy.table[x][q] == mealy.start)
    first = next(into_start, outputs[mealy.letters[0]][mealy.start])
    pairs = explored(
        (mealy.start, first),
        mealy.letters,
        lambda pair, x: (mealy.table[x][pair[0]], outputs[x][pair[0]]),
        lambda pair: pair[0] in mealy.accepting,
        lambda pair: pair[1],
    )
    names = tuple((mealy.name(q), said) for q, said in cast(Any, pairs.names))
    return Automaton(pairs.table, 0, pairs.accepting, names, pairs.outputs)


def completed(
    table: PartialTable, names: Sequence[Hashable], outputs: Sequence[Hashable] | None, complete: bool
) -> tuple[dict[Hashable, tuple[int, ...]], tuple[Hashable, ...], tuple[Hashable, ...] | None]:
    """(table, names, outputs) with a sink for the transitions that are None, if there are any and ``complete`` asks for it.

    The sink is called and says "sink", with a "'" more while some state is or does. Raises ``ValueError``, naming the first letter and
    state, if a transition is missing and ``complete`` is false.
    """
    missing = next(((x, q) for x, images in table.items() for q, after in enumerate(images) if after is None), None)
    if missing is None:
        return {x: tuple(images) for x, images in table.items()}, tuple(names), None if outputs is None else tuple(outputs)
    if not complete:
        x, q = missing
        raise ValueError(
            f"expected a transition for every letter, got none for the letter {brief(x)} in state {brief(names[q])}; ask to complete it with a sink"
        )
    n = len(names)
    full = {x: (*(n if after is None else after for after in images), n) for x, images in table.items()}
    return full, (*names, _new(SINK, names)), None if outputs is None else (*outputs, _new(SINK, outputs))


def _new(text: str, taken: Sequence[Hashable]) -> str:
    while text in taken:
        text += "'"
    return text


def minimise(automaton: Automaton) -> Automaton:
    """The automaton with the fewest states that accepts the same words and says the same, states in order of discovery.

    Hopcroft's partition refinement, first by acceptance and output, in O(letters n log n). A state stands for a class of old ones and
    has the name of the first of them.
    """
    old = automaton.reachable()
    observed: list[Hashable] = [(q in old.accepting, None if old.outputs is None else old.outputs[q]) for q in range(old.n)]
    block_of = _refined(list(old.table.values()), observed)
    first: dict[int, int] = {}
    for q, block in enumerate(block_of):
        first.setdefault(block, q)
    number = {block: k for k, block in enumerate(first)}
    return Automaton(
        {x: tuple(number[block_of[images[q]]] for q in first.values()) for x, images in old.table.items()},
        0,
        frozenset(number[block_of[q]] for q in old.accepting),
        tuple(old.name(q) for q in first.values()),
        None if old.outputs is None else tuple(old.outputs[q] for q in first.values()),
    ).reachable()


def _refined(maps: list[Sequence[int]], observed: list[Hashable]) -> list[int]:
    """The number of each state's block in the coarsest partition that refines what is observed and that the maps respect."""
    n = len(observed)
    numbers: dict[Hashable, int] = {}
    block_of = [numbers.setdefault(seen, len(numbers)) for seen in observed]
    blocks: list[set[int]] = [set() for _ in numbers]
    for q, block in enumerate(block_of):
        blocks[block].add(q)
    before: list[list[list[int]]] = [[[] for _ in range(n)] for _ in maps]
    for came_from, images in zip(before, maps, strict=True):
        for q, after in enumerate(images):
            came_from[after].append(q)
    waiting = {(block, x) for block in range(len(blocks)) for x in range(len(maps))}
    while waiting:
        splitter, x = waiting.pop()
        hit: dict[int, set[int]] = {}
        for after in blocks[splitter]:
            for q in before[x][after]:
                hit.setdefault(block_of[q], set()).add(q)
        for block, part in hit.items():
            rest = len(blocks[block]) - len(part)
            if rest == 0:
                continue
            smaller = part if len(part) <= rest else blocks[block] - part
            blocks[block] -= smaller
            for q in smaller:
                block_of[q] = len(blocks)
            # if the block still waits, both halves do now; if not, the smaller half is enough
            waiting |= {(len(blocks), y) for y in range(len(maps))}
            blocks.append(smaller)
    return block_of
