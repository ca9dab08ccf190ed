"""``lemmata compile``: an automaton as a stack of linear recurrent layers."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .automaton_input import automaton_of, group_of, require_one_input
from .console import out, print_json
from .network_files import write_network
from .network_summary import print_network, summary_of
from .options import Json
from .progress import progress

if TYPE_CHECKING:
    from ..constructions.automata import Automaton, Network


class Construction(StrEnum):
    """How a network is built."""

    best = "best"
    holonomy = "holonomy"
    excluded = "excluded"
    one_hot = "one-hot"


def compile_command(
    regex: Annotated[
        str | None, typer.Option(help="A regular expression: | & * + ? {m,n} ( ) . [a-z] and \\, one character a letter (docs/inputs.md).")
    ] = None,
    alphabet: Annotated[str | None, typer.Option(help="With --regex: all letters; otherwise those that it mentions.")] = None,
    group: Annotated[str | None, typer.Option(help="A group such as S5, A5, C60, D4, Q8, M11, S3xC4: its word problem.")] = None,
    generators: Annotated[str | None, typer.Option(help="A permutation group in cycle notation, such as '(0 1)(2 3), (0 1 2)'.")] = None,
    dfa: Annotated[
        Path | None,
        typer.Option("--automaton", "--dfa", help="A JSON file: a DFA, NFA, Moore or Mealy machine (docs/inputs.md)."),
    ] = None,
    complete: Annotated[bool, typer.Option("--complete", help="With --automaton: add a sink for missing transitions.")] = False,
    minimal: Annotated[bool, typer.Option("--minimise", help="With --automaton or --task: as few states as can be.")] = False,
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
    require_one_input(
        {"--regex": regex, "--group": group, "--generators": generators, "--automaton": dfa, "--task": task},
        {
            "--alphabet": (alphabet is not None, "--regex"),
            "--complete": (complete, "--automaton"),
            "--minimise": (minimal, "--automaton --task"),
        },
    )
    asked = group_of(group, generators) or automaton_of(regex, alphabet, dfa, complete, task, minimal)
    network = _compiled(asked, construction)
    document = network.document()
    written = write_network(network, document, target) if target is not None else []
    if draw is not None:
        from ..figures.automata import draw_network

        draw_network(network, draw)
        written.append(str(draw))
    if as_json:
        print_json(summary_of(network, document) | {"written": written})
        return
    print_network(network, summary_of(network, document))
    for path in written:
        out.print(f"written to {path}", soft_wrap=True)


def _compiled(asked: dict[str, tuple[int, ...]] | Automaton, construction: Construction) -> Network:
    from ..constructions.automata import compile_cascade, compile_cyclic, compile_group, compile_one_hot, excluded_states, krohn_rhodes

    if isinstance(asked, dict):
        if construction is not Construction.best:
            raise ValueError(f"expected no --construction {construction} with --group: a group is one layer")
        return compile_group(asked)
    if construction is Construction.one_hot:
        return compile_one_hot(asked)
    if construction is Construction.best and (network := compile_cyclic(asked)):
        return network
    decompose = excluded_states if construction is Construction.excluded else krohn_rhodes
    cascade = decompose(asked.reachable())
    with progress("proving", max(len(cascade.sizes), 1)) as advance:
        return compile_cascade(cascade, lambda done: advance(f"layer {done}"))
