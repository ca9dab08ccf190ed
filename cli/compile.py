"""``lemmata compile``: an automaton as a stack of linear recurrent layers."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from .automaton_input import require_one_input, require_task
from .console import err, out, print_json
from .layer_files import FLA, layer_lines, require_library
from .network_files import PRINTED, require_outputs, write_network
from .options import Json
from .progress import stages


class Construction(StrEnum):
    """How a network is built: ``constructions.automata.choose.ways.Construction``."""

    best = "best"
    holonomy = "holonomy"
    wide_holonomy = "wide-holonomy"
    disjoint = "disjoint"
    excluded = "excluded"
    delays = "delays"
    unrounded = "unrounded"
    register = "register"
    rotation = "rotation"
    signed = "signed"
    permutation = "permutation"
    two_reflections = "two-reflections"
    addition = "addition"
    dihedral = "dihedral"
    solvable = "solvable"
    one_hot = "one-hot"


class Prefer(StrEnum):
    """What the best construction is best at."""

    exact = "exact"
    shallow = "shallow"
    narrow = "narrow"


def compile_command(
    given: Annotated[
        str | None, typer.Argument(metavar="INPUT", help="A task, a group such as S5, or else a regular expression; the options say which.")
    ] = None,
    regex: Annotated[
        str | None,
        typer.Option(help="A regular expression: | & * + ? {m,n} ( ) . [a-z] and \\, one character a letter (docs/reference/inputs.md)."),
    ] = None,
    alphabet: Annotated[str | None, typer.Option(help="With --regex: all letters; otherwise those that it mentions.")] = None,
    group: Annotated[str | None, typer.Option(help="A group such as S5, A5, C60, D4, Q8, M11, S3xC4: its word problem.")] = None,
    generators: Annotated[str | None, typer.Option(help="A permutation group in cycle notation, such as '(0 1)(2 3), (0 1 2)'.")] = None,
    elements: Annotated[
        bool, typer.Option("--elements", help="With --group or --generators: every element is a letter, not the generators alone.")
    ] = False,
    dfa: Annotated[
        Path | None,
        typer.Option("--automaton", "--dfa", help="A JSON file: a DFA, NFA, Moore or Mealy machine (docs/reference/inputs.md)."),
    ] = None,
    complete: Annotated[bool, typer.Option("--complete", help="With --automaton: add a sink for missing transitions.")] = False,
    minimal: Annotated[bool, typer.Option("--minimise", help="With --automaton or --task: as few states as can be.")] = False,
    task: Annotated[str | None, typer.Option(help="parity, even-pairs, cycle-navigation or modular-arithmetic.")] = None,
    construction: Annotated[
        Construction,
        typer.Option(
            help="A cascade by holonomy (three ways), excluded states, delays or unrounded levels; a register of the last letters; for letters that permute the states a rotation, "
            "signed or plain permutation matrices, two-reflections, addition, dihedral or solvable; one layer of norm > 1 (one-hot); or the best by --prefer (docs/how-to/compiling.md)."
        ),
    ] = Construction.best,
    prefer: Annotated[
        Prefer | None,
        typer.Option(help="No rounding in any data type (exact, the default), fewest layers (shallow) or least width (narrow)."),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(help="A class of transitions that every layer must be in, such as 'DeltaNet [-1, 1]' (lemmata can lists them)."),
    ] = None,
    bmru: Annotated[
        bool,
        typer.Option(
            "--bmru",
            help="Bistable layers instead (degeeter26); what they cannot recognise is refused, with words (docs/how-to/compiling.md).",
        ),
    ] = False,
    hybrid: Annotated[
        bool, typer.Option("--hybrid", help="With --bmru: above a linear layer that counts letters modulo the least number that serves.")
    ] = False,
    target: Annotated[
        Path | None,
        typer.Option(
            "--out", help="Write the network as JSON (docs/reference/formats.md), and PyTorch weights to FILE.pt; - prints the JSON alone."
        ),
    ] = None,
    library: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="fla:LAYER",
            help="With --out DIR: weights and config for a layer of flash-linear-attention, GatedDeltaProduct, GatedDeltaNet, DeltaNet or Mamba2 (docs/how-to/flash-linear-attention.md).",
        ),
    ] = None,
    dtype: Annotated[str | None, typer.Option(help="With --to: bfloat16 (the default), float16 or float32.")] = None,
    stored: Annotated[
        str | None,
        typer.Option(
            metavar="DTYPE",
            help="With --out: also FILE.DTYPE, the numbers that torch stores in float32, float16 or bfloat16, for recheck --verified --format DTYPE.",
        ),
    ] = None,
    draw: Annotated[Path | None, typer.Option(help="Draw the cascade, or the states of a single layer, into this PNG or SVG file.")] = None,
    effort: Annotated[
        int | None,
        typer.Option(
            help="So many states in floating point are gone through for a guaranteed length; 5000 by default.", min=1, max=10_000_000
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Compile an automaton into a network, and prove it.

    The network has linear recurrent layers, or bistable ones, with exact weights. It is proved right at every length, or refused.
    """
    require_one_input(
        {"INPUT": given, "--regex": regex, "--group": group, "--generators": generators, "--automaton": dfa, "--task": task},
        {}
        if given is not None  # what it is, lemmata.compile finds out
        else {
            "--alphabet": (alphabet is not None, "--regex"),
            "--elements": (elements, "--group --generators"),
            "--complete": (complete, "--automaton"),
            "--minimise": (minimal, "--automaton --task"),
        },
    )
    if hybrid and not bmru:
        raise ValueError("expected --hybrid with --bmru only")
    if bmru and (construction is not Construction.best or prefer is not None or draw is not None):
        raise ValueError("expected --bmru without --construction, --prefer and --draw, which are for affine layers")
    if target == PRINTED and as_json:
        raise ValueError("expected --json or --out -, got both: either is all of standard output")
    if dtype is not None and library is None:
        raise ValueError("expected --dtype with --to only")
    if library is None:
        require_outputs(target, draw, dfa, stored)
    else:
        require_library(library, target, draw is not None or bmru or stored is not None)
    with stages() as advance:
        from ..api.compile import compile

        if task is not None:
            # the option names a task and nothing else, so that a slip is not read as a regular expression
            require_task(task)
        made = compile(
            task or given,
            model=model,
            regex=regex,
            automaton=dfa,
            group=group,
            generators=generators,
            alphabet=alphabet,
            elements=elements,
            complete=complete,
            minimise=minimal,
            construction=construction.value,
            prefer=None if prefer is None else prefer.value,
            bmru=bmru,
            hybrid=hybrid,
            effort=effort,
            progress=advance,
        )
        advance("summary")
        summary = made.data
        advance("writing")
        if library is not None and target is not None:
            layer = made.to_fla(library.removeprefix(FLA), dtype=dtype or "bfloat16")
            written, lines = [str(path) for path in layer.save(target)], layer_lines(layer.config())
        else:
            written, lines = write_network(made.network, made.document, target, draw, stored), []
    if as_json:
        print_json({"took": made.took} | summary | {"written": written})
        return
    to = err if target == PRINTED else out
    if given is not None:
        to.print(f"input: {made.took}", soft_wrap=True, markup=False)
    made.print(to)
    for line in lines:
        to.print(line, soft_wrap=True, markup=False)
    for path in written:
        to.print(f"written to {path}", soft_wrap=True)
