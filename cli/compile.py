"""``lemmata compile``: an automaton as a stack of linear recurrent layers."""

from __future__ import annotations

import json
from collections import Counter
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .console import err, out, print_json
from .options import Json
from .progress import progress
from .tables import plain_table

if TYPE_CHECKING:
    from ..constructions.automata import Cascade, Network


class Construction(StrEnum):
    """How a network is built."""

    best = "best"
    holonomy = "holonomy"
    excluded = "excluded"
    one_hot = "one-hot"


def compile_command(
    regex: Annotated[str | None, typer.Option(help="A regular expression: | & * + ? ( ), one character a letter.")] = None,
    group: Annotated[str | None, typer.Option(help="A permutation group such as S5, A5, Z60, D4: its word problem.")] = None,
    dfa: Annotated[Path | None, typer.Option(help="A JSON file with table {letter: [next states]}, start, accepting.")] = None,
    task: Annotated[str | None, typer.Option(help="parity, even-pairs, cycle-navigation or modular-arithmetic.")] = None,
    construction: Annotated[
        Construction,
        typer.Option(
            help="Cascade by holonomy or excluded states; one layer of norm > 1 (one-hot); best: a rotation if the letters are one, else holonomy."
        ),
    ] = Construction.best,
    target: Annotated[
        Path | None, typer.Option("--out", help="Write the network as JSON (docs/formats.md), and PyTorch weights (.pt) beside it.")
    ] = None,
    draw: Annotated[Path | None, typer.Option(help="Draw the cascade, or the states of a single layer, into this PNG or SVG file.")] = None,
    as_json: Json = False,
) -> None:
    """Compile an automaton into linear recurrent layers.

    And prove that the network is right at every length.
    """
    network = _compiled(regex, group, dfa, task, construction)
    document = network.document()
    written = _write_network(network, document, target) if target is not None else []
    if draw is not None:
        from ..figures.automata import draw_network

        draw_network(network, draw)
        written.append(str(draw))
    if as_json:
        print_json(_summary(network, document) | {"written": written})
        return
    _print_network(network, _summary(network, document))
    for path in written:
        out.print(f"written to {path}", soft_wrap=True)


def _compiled(regex: str | None, group: str | None, dfa: Path | None, task: str | None, construction: Construction) -> Network:
    from ..constructions.automata import compile_cascade, compile_cyclic, compile_group, compile_one_hot, excluded_states, krohn_rhodes
    from ..constructions.automata.sources import from_json, from_regex, named_group
    from ..constructions.automata.tasks import TASKS

    if sum(x is not None for x in (regex, group, dfa, task)) != 1:
        raise ValueError("expected exactly one of --regex, --group, --dfa and --task")
    if group is not None:
        if construction is not Construction.best:
            raise ValueError(f"expected no --construction {construction} with --group: a group is one layer")
        return compile_group(named_group(group))
    if task is not None and task not in TASKS:
        raise ValueError(f"expected a task among {', '.join(TASKS)}, got {task!r}")
    if regex is not None:
        automaton = from_regex(regex)
    else:
        automaton = TASKS[task]() if task is not None else from_json(dfa.read_text(encoding="utf-8"))  # type: ignore[union-attr]
    if construction is Construction.one_hot:
        return compile_one_hot(automaton)
    if construction is Construction.best and (network := compile_cyclic(automaton)):
        return network
    decompose = excluded_states if construction is Construction.excluded else krohn_rhodes
    cascade = decompose(automaton.reachable())
    with progress("proving", max(len(cascade.sizes), 1)) as advance:
        return compile_cascade(cascade, lambda done: advance(f"layer {done}"))


def _write_network(network: Network, document: dict[str, Any], target: Path) -> list[str]:
    from ..theorems.files import write_whole

    write_whole(target, json.dumps(document, ensure_ascii=False) + "\n")
    try:
        import torch
    except ModuleNotFoundError:
        err.print("PyTorch weights were not written: they need the extra lemmata[torch]")
        return [str(target)]
    weights = target.with_suffix(".pt")
    torch.save(network.to_torch().state_dict(), weights)
    return [str(target), str(weights)]


def _summary(network: Network, document: dict[str, Any]) -> dict[str, Any]:
    """What compile prints, as plain data."""
    from ..constructions.automata.precision import DATA_TYPES, guaranteed_length, precision

    layers = []
    for closure, layer in zip(network.proof, document["layers"], strict=True):
        found = precision(layer, document["field"])
        steps = [m["steps"] for m in layer["maps"]]
        layers.append(
            {
                "width": found.width,
                "letters": len(layer["letters"]),
                "transitions": len({json.dumps(m["A"]) for m in layer["maps"]}),
                "gh_factors": None if None in steps else max(map(len, steps)),
                "contracting": found.contracts,
                "states": len(layer["states"]),
                "margin": found.margin,
                "pairs_closed": len(closure.place),
                "transitions_closed": closure.transitions,
            }
        )
    return {
        "states": network.automaton.n,
        "letters": document["letters"],
        "decomposition": _levels(network.cascade) if network.cascade else [],
        "layers": layers,
        "right_up_to": {d: _finite(guaranteed_length(document, d)) for d in DATA_TYPES},
    }


def _levels(cascade: Cascade) -> list[dict[str, Any]]:
    """The states of each level and, for a holonomy cascade, the groups of its classes of sets."""
    groups = cascade.skeleton.groups() if cascade.skeleton else {}
    return [
        {
            "states": size,
            "groups": [
                {"set": [str(cascade.automaton.name(q)) for q in sorted(X)], "tiles": len(cascade.tiles(X)), "order": int(g.order())}
                for X, g in groups.items()
                if cascade.level(X) == k
            ],
        }
        for k, size in enumerate(cascade.sizes)
    ]


def _finite(length: float) -> int | str:
    return "every length" if length == float("inf") else int(length)


def _print_network(network: Network, summary: dict[str, Any]) -> None:
    out.print(f"automaton: {summary['states']} reachable states, {len(summary['letters'])} letters")
    if any(level["groups"] for level in summary["decomposition"]):
        levels = plain_table("level", "states", "classes of sets", "orders of their groups")
        for k, level in enumerate(summary["decomposition"], start=1):
            orders = Counter(g["order"] for g in level["groups"] if g["order"] > 1)
            text = ", ".join(f"{order}" + (f" x {count}" if count > 1 else "") for order, count in sorted(orders.items())) or "-"
            levels.add_row(str(k), str(level["states"]), str(len(level["groups"])), text)
        out.print(levels)
    layers = plain_table("layer", "width", "letters", "transitions", "GH factors", "norm <= 1", "states", "margin")
    for i, layer in enumerate(summary["layers"], start=1):
        factors = f"<= {layer['gh_factors']}" if layer["gh_factors"] is not None else "none: no contraction"
        contracting = "yes" if layer["contracting"] else "no"
        counts = (str(layer[name]) for name in ("width", "letters", "transitions"))
        margin = "one state" if layer["margin"] == float("inf") else f"{layer['margin']:.3g}"
        layers.add_row(str(i), *counts, factors, contracting, str(layer["states"]), margin)
    out.print(layers)
    reach = "; ".join(f"{d} {n:,}" if isinstance(n, int) else f"{d} {n}" for d, n in summary["right_up_to"].items())
    out.print(f"length up to which rounding cannot make it wrong: {reach}")
    pairs, transitions = (sum(layer[name] for layer in summary["layers"]) for name in ("pairs_closed", "transitions_closed"))
    out.print(
        f"proved: {pairs} reachable pairs of place and state, {transitions} transitions, all right; so the output is right at every length"
    )
