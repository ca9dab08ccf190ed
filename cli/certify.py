"""``lemmata certify``: are trained weights right at every length?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from .automaton_input import require_one_input, require_task
from .console import err, json_text, out, print_json
from .options import Json
from .progress import stages

PRINTED = Path("-")


def certify_command(
    checkpoint: Annotated[
        Path,
        typer.Argument(metavar="CHECKPOINT", help="torch.save(model.state_dict()) of a trainable network, or an exported network as JSON."),
    ],
    regex: Annotated[str | None, typer.Option(help="What it should do: a regular expression.")] = None,
    alphabet: Annotated[str | None, typer.Option(help="With --regex: all letters; otherwise those that it mentions.")] = None,
    group: Annotated[str | None, typer.Option(help="A group such as S5, A5, C60: its word problem.")] = None,
    generators: Annotated[str | None, typer.Option(help="A permutation group in cycle notation.")] = None,
    elements: Annotated[
        bool, typer.Option("--elements", help="With --group or --generators: every element is a letter, not the generators alone.")
    ] = False,
    machine: Annotated[Path | None, typer.Option("--automaton", "--dfa", help="A JSON file (docs/reference/inputs.md).")] = None,
    complete: Annotated[bool, typer.Option("--complete", help="With --automaton: add a sink for missing transitions.")] = False,
    minimal: Annotated[bool, typer.Option("--minimise", help="With --automaton or --task: as few states as can be.")] = False,
    task: Annotated[str | None, typer.Option(help="parity, even-pairs, cycle-navigation or modular-arithmetic.")] = None,
    tolerance: Annotated[float, typer.Option(help="The most that an entry of a map or a first state may change.", min=0, max=0.5)] = 0.25,
    limit: Annotated[int, typer.Option(help="So many states may the product of all layers have.", min=1, max=1_000_000)] = 10_000,
    target: Annotated[
        Path | None, typer.Option("--out", help="If it is right: write the exact network as JSON, for lemmata recheck; - prints it.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Prove trained weights right, or find a wrong word.

    The weights are rounded to exact numbers, and the proof is about these, at every length. What the unrounded weights do stands beside it. Exit code 0 if right, 1 if wrong or not decided.
    """
    from ..theorems.files import require_other, require_regular, require_writable

    require_one_input(
        {"--regex": regex, "--group": group, "--generators": generators, "--automaton": machine, "--task": task},
        {
            "--alphabet": (alphabet is not None, "--regex"),
            "--elements": (elements, "--group --generators"),
            "--complete": (complete, "--automaton"),
            "--minimise": (minimal, "--automaton --task"),
        },
    )
    if target == PRINTED and as_json:
        raise ValueError("expected --json or --out -, got both: either is all of standard output")
    if target is not None and target != PRINTED:
        require_writable(target)
        require_other(target, checkpoint)
    require_regular(checkpoint)
    with stages() as advance:
        from ..api.certify import certify

        if task is not None:
            # the option names a task and nothing else, so that a slip is not read as a regular expression
            require_task(task)
        found = certify(
            checkpoint,
            task,
            regex=regex,
            automaton=machine,
            group=group,
            generators=generators,
            alphabet=alphabet,
            elements=elements,
            complete=complete,
            minimise=minimal,
            tolerance=tolerance,
            limit=limit,
            progress=advance,
        )
        document, notes = None, []
        if target is not None and found.verdict == "right":
            advance("writing")
            try:
                document = found.document()
            except ArithmeticError as why:
                notes.append(f"not written: the format's proof does not close ({why})")
    if target is not None and document is not None:
        _write(target, document)
        found.report["written"] = str(target)
    if as_json:
        print_json(found.data)
    else:
        to = err if target == PRINTED else out
        found.print(to)
        for line in notes:
            to.print(line, soft_wrap=True)
        if document is not None and target != PRINTED:
            out.print(f"written to {target}", soft_wrap=True)
    raise typer.Exit(0 if found.verdict == "right" else 1)


def _write(target: Path, document: dict[str, Any]) -> None:
    if target == PRINTED:
        print(json_text(document))
        return
    from ..theorems.files import write_whole

    write_whole(target, json.dumps(document, ensure_ascii=False) + "\n")
