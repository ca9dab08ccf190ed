"""What ``lemmata compile`` says of a network: as plain data, and as tables."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from rich.text import Text

from ..numerics.progress import Progress, silent
from .tables import plain_table

if TYPE_CHECKING:
    from ..constructions.automata import Cascade, Network


def summary_of(
    network: Network, document: dict[str, Any], narrower: Network | None = None, effort: int | None = None, progress: Progress = silent
) -> dict[str, Any]:
    """What compile prints, as plain data; ``narrower`` is mentioned beside the network. ``effort`` bounds the states in floating point."""
    from ..constructions.automata.rounding.layer import LayerNumbers

    layers = []
    for closure, layer in zip(network.proof, document["layers"], strict=True):
        found = LayerNumbers(layer, document["field"])
        steps = [m["steps"] for m in layer["maps"]]
        layers.append(
            {
                "width": found.states.shape[1],
                "letters": len(layer["letters"]),
                "transitions": len({json.dumps(m["A"]) for m in layer["maps"]}),
                "gh_factors": None if None in steps else max(map(len, steps)),
                "contracting": found.contracts,
                "states": len(layer["states"]),
                "margin": float(found.margins.min()),
                "pairs_closed": len(closure.place),
                "transitions_closed": closure.transitions,
            }
        )
    return {
        "states": network.automaton.n,
        "letters": document["letters"],
        "outputs": None if (said := document["automaton"]["outputs"]) is None else list(dict.fromkeys(said)),
        "construction": network.construction,
        "decomposition": _levels(network.cascade) if network.cascade else [],
        "layers": layers,
        "right_up_to": _lengths(document, effort, progress),
        "narrower": None
        if narrower is None
        else {
            "construction": narrower.construction,
            "widths": narrower.widths,
            "right_up_to": _lengths(narrower.document(), effort, progress),
        },
    }


def _lengths(document: dict[str, Any], effort: int | None, progress: Progress) -> dict[str, dict[str, int | str | None]]:
    from ..constructions.automata.rounding.orbits import DEFAULT, Search
    from ..constructions.automata.rounding.precision import guaranteed_lengths

    search = Search(DEFAULT.states if effort is None else effort, progress)
    return {path: {d: _finite(n) for d, n in row.items()} for path, row in guaranteed_lengths(document, search).items()}


def _levels(cascade: Cascade) -> list[dict[str, Any]]:
    """The states of each level, the group that its permutations generate and, for a holonomy cascade, the groups of its classes of sets."""
    from ..constructions.automata.algebra.group_names import structure

    groups = cascade.skeleton.groups() if cascade.skeleton else {}
    return [
        {
            "states": size,
            "group": structure(generated),
            "order": int(generated.order()),
            "groups": [
                {
                    "set": [str(cascade.automaton.name(q)) for q in sorted(X)],
                    "tiles": len(cascade.tiles(X)),
                    "first": cascade.first(X),
                    "group": structure(g),
                    "order": int(g.order()),
                }
                for X, g in groups.items()
                if cascade.level(X) == k
            ],
        }
        for k, (size, generated) in enumerate(zip(cascade.sizes, cascade.level_groups(), strict=True))
    ]


def _finite(length: float | None) -> int | str | None:
    if length is None:
        return None
    return "every length" if length == float("inf") else int(length)


def _counted(groups: list[dict[str, Any]]) -> str:
    """The names of the holonomy groups that are not trivial, the largest first."""
    names = Counter((-g["order"], g["group"]) for g in groups if g["order"] > 1)
    return ", ".join(name + (f" ({count} times)" if count > 1 else "") for (_, name), count in sorted(names.items())) or "-"


def _generated(level: dict[str, Any]) -> str:
    """The level's group, and whether it is more than its classes account for."""
    own = max((g["order"] for g in level["groups"]), default=level["order"])
    named = level["group"] if level["order"] > 1 else "-"
    starts = [g["first"] for g in level["groups"]]
    shared = len(starts) > len(set(starts))
    return f"{named} (shared positions)" if shared and level["order"] > own else named


def _reach(right_up_to: dict[str, dict[str, int | str | None]]) -> RenderableType:
    reach = plain_table("path", *right_up_to["loop"])
    for path, row in right_up_to.items():
        reach.add_row(path, *("-" if n is None else f"{n:,}" if isinstance(n, int) else n for n in row.values()))
    return reach


def parts(summary: dict[str, Any]) -> Iterator[RenderableType]:
    """What is printed of a network: tables of the cascade and of the layers, and what was proved."""
    yield Text(f"automaton: {summary['states']} reachable states, {len(summary['letters'])} letters")
    if summary["outputs"] is not None:
        yield Text(f"outputs: {', '.join(summary['outputs'])}", no_wrap=True, overflow="ignore")
    if summary["construction"]:
        yield Text(f"construction: {summary['construction']}")
    if summary["decomposition"]:
        levels = plain_table("level", "states", "classes of sets", "their groups", "the level's group")
        for k, level in enumerate(summary["decomposition"], start=1):
            classes = str(len(level["groups"])) if level["groups"] else "-"
            levels.add_row(str(k), str(level["states"]), classes, _counted(level["groups"]), _generated(level))
        yield levels
    layers = plain_table("layer", "width", "letters", "transitions", "GH factors", "norm <= 1", "states", "margin")
    for i, layer in enumerate(summary["layers"], start=1):
        factors = f"<= {layer['gh_factors']}" if layer["gh_factors"] is not None else "none: no contraction"
        contracting = "yes" if layer["contracting"] else "no"
        counts = (str(layer[name]) for name in ("width", "letters", "transitions"))
        margin = "one state" if layer["margin"] == float("inf") else f"{layer['margin']:.3g}"
        layers.add_row(str(i), *counts, factors, contracting, str(layer["states"]), margin)
    yield layers
    yield Text("right up to so many letters, whatever rounding does:")
    yield _reach(summary["right_up_to"])
    pairs, transitions = (sum(layer[name] for layer in summary["layers"]) for name in ("pairs_closed", "transitions_closed"))
    yield Text(
        f"proved: {pairs} reachable pairs of place and state, {transitions} transitions, all right; so the output is right at every length"
    )
    if (other := summary["narrower"]) is not None:
        yield Text(f"--prefer narrow: {other['construction']}, widths {', '.join(map(str, other['widths']))}, right up to so many letters:")
        yield _reach(other["right_up_to"])
