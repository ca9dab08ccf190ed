"""A proved network as plain data: format ``lemmata-network``, version 3 (docs/reference/formats.md)."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Sequence
from typing import Any

from flint import fmpq

from ....numerics import exact
from ....numerics.cyclotomic import Cyclotomic
from ....numerics.progress import Progress, silent
from ..automaton import Automaton, brief
from .closure import LayerClosure
from .delta_steps import DeltaStep, delta_steps


def network_document(automaton: Automaton, proof: Sequence[LayerClosure], progress: Progress = silent) -> dict[str, Any]:
    """Everything that a stranger needs to run the network and to re-check that it computes the automaton.

    ``progress`` counts the maps whose micro-steps are found. Raises ``ValueError`` if two letters are written alike.
    """
    return {
        "format": "lemmata-network",
        "version": 3,
        "field": _field(proof),
        **automaton_document(automaton),
        "layers": _layers(automaton, proof, progress),
    }


def automaton_document(automaton: Automaton) -> dict[str, Any]:
    """``letters`` and ``automaton`` of a document. Raises ``ValueError`` if two letters are written alike."""
    letters = [str(x) for x in automaton.letters]
    if len(set(letters)) < len(letters):
        raise ValueError(f"expected letters that differ as text, got {letters}")
    return {
        "letters": letters,
        "automaton": {
            "states": texts([automaton.name(q) for q in range(automaton.n)]),
            "table": [list(automaton.table[x]) for x in automaton.letters],
            "start": automaton.start,
            "accepting": sorted(automaton.accepting),
            "outputs": None if automaton.outputs is None else texts(automaton.outputs),
        },
    }


def texts(names: Sequence[Hashable]) -> list[str]:
    """Names as text, and as Python writes them if some that differ (1 and "1") would look alike. Raises ``ValueError`` if they still do."""
    for write in (str, repr):
        found = {name: write(name) for name in names}
        if len(set(found.values())) == len(found):
            return [found[name] for name in names]
    raise ValueError(f"expected names of states, and outputs, that differ as text, got {brief(names)}")


def _layers(automaton: Automaton, proof: Sequence[LayerClosure], progress: Progress) -> list[dict[str, Any]]:
    total, done, layers = sum(len(closure.maps) for closure in proof), 0, []
    for closure, above in zip(proof, [*proof[1:], None], strict=True):
        maps = []
        for A, B in closure.maps:
            progress("steps", done, total)
            maps.append({"A": exact.as_text(A), "B": exact.as_text(B), "steps": exact_steps(A, B)})
            done += 1
        layers.append(_layer(automaton, closure, above, maps))
    return layers


def _layer(automaton: Automaton, closure: LayerClosure, above: LayerClosure | None, maps: list[dict[str, Any]]) -> dict[str, Any]:
    handed_on = {a.read: y for y, a in enumerate(above.arrows)} if above else {q: q for q in range(automaton.n)}
    letter = {x: i for i, x in enumerate(automaton.letters)}
    return {
        "states": exact.as_text(closure.states),
        "maps": maps,
        "letters": [[letter[a.letter], *ends, f] for a, ends, f in zip(closure.arrows, closure.ends, closure.map_of, strict=True)],
        "decoder": [[i, y, handed_on[z]] for (i, y), z in closure.decoder.items()],
    }


def micro_steps(A: exact.Array, B: exact.Array) -> list[DeltaStep] | None:
    """The delta rule's micro-steps of a map, or None if it is no contraction or exact ones were not found."""
    try:
        return delta_steps(A, B)
    except ValueError:
        return None


def exact_steps(A: exact.Array, B: exact.Array) -> list[dict[str, Any]] | None:
    """:func:`micro_steps` as text."""
    steps = micro_steps(A, B)
    if steps is None:
        return None
    return [
        {
            "v": exact.as_text(s.factor.v),
            "beta": exact.as_text(s.factor.beta * fmpq(1)),
            "scale": exact.as_text(s.factor.beta / (s.factor.v @ s.factor.v)),
            "write": exact.as_text(s.write * fmpq(1)),
        }
        for s in steps
    ]


def _field(proof: Sequence[LayerClosure]) -> int:
    """N of the field Q(zeta_N) that the entries lie in; 1 if all are rational."""
    matrices = [M for c in proof for M in (*c.states, *itertools.chain(*c.maps))]
    orders = {x.order for M in matrices for x in M.flat if isinstance(x, Cyclotomic) and len(x.coefficients) > 1}
    return orders.pop() if orders else 1
