"""``lemmata compile --bmru``: an automaton as bistable layers, and what is said of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from rich.text import Text

from .tables import plain_table

if TYPE_CHECKING:
    from ..constructions.automata import Automaton
    from ..constructions.bistable.compiler import BistableNetwork
    from ..numerics.progress import Progress


def compiled(asked: dict[str, tuple[int, ...]] | Automaton, hybrid: bool, advance: Progress) -> BistableNetwork:
    """The network, with the least clock that serves if it may be a hybrid. Raises ``ValueError`` with the words that forbid it."""
    from ..constructions.automata.read.sources import from_permutations
    from ..constructions.bistable.compiler import compile_bistable, compile_hybrid

    automaton = from_permutations(asked) if isinstance(asked, dict) else asked
    return compile_hybrid(automaton, advance) if hybrid else compile_bistable(automaton, progress=advance)


def summary_of(network: BistableNetwork) -> dict[str, Any]:
    """What compile prints, as plain data."""
    from ..constructions.bistable.units import All, Before, Bit

    layers = []
    for layer in network.layers:
        kinds = Counter(type(s) for s in layer.sources)
        reads = layer.unit.W_x.shape[1]
        layers.append({"units": len(layer.sources), "reads": reads, "levels": kinds[Bit], "before": kinds[Before], "and": kinds[All]})
    outputs = network.automaton.outputs
    return {
        "states": network.automaton.n,
        "letters": [str(x) for x in network.automaton.letters],
        "outputs": None if outputs is None else list(dict.fromkeys(map(str, outputs))),
        "clock": network.clock,
        "levels": list(network.cascade.sizes),
        "layers": layers,
        "units": sum(network.widths),
        "states_closed": network.proof.states,
        "transitions_closed": network.proof.transitions,
    }


def parts(summary: dict[str, Any]) -> Iterator[RenderableType]:
    """What is printed of a bistable network: a table of the layers, and what was proved."""
    yield Text(f"minimal automaton: {summary['states']} states, {len(summary['letters'])} letters")
    if summary["outputs"] is not None:
        yield Text(f"outputs: {', '.join(summary['outputs'])}", no_wrap=True, overflow="ignore")
    yield Text(f"cascade of resets: levels of {', '.join(map(str, summary['levels'])) or 'no'} states")
    if summary["clock"] > 1:
        yield Text(
            f"linear layer: a clock, the number of letters modulo {summary['clock']} (eigenvalues: the roots of unity of that order)"
        )
    layers = plain_table("layer", "units", "reads", "bits of levels", "bits before", "and")
    for k, layer in enumerate(summary["layers"], start=1):
        layers.add_row(str(k), *(str(layer[name]) for name in ("units", "reads", "levels", "before", "and")))
    yield layers
    yield Text(
        f"proved: {summary['states_closed']} states of all layers together, {summary['transitions_closed']} transitions, all right; "
        "so the output is right at every length",
        no_wrap=True,
        overflow="ignore",
    )
