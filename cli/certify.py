"""``lemmata certify``: are trained weights right at every length?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from ..api.certified_program import ANSWERS
from .automaton_input import require_one_input, require_task
from .console import err, json_text, out, print_json
from .exit_codes import OF
from .options import Json
from .progress import stages

PRINTED = Path("-")


def certify_command(
    checkpoint: Annotated[
        Path,
        typer.Argument(
            metavar="CHECKPOINT",
            help="A file of torch.save(model.state_dict()): of a trainable network, of an embedding with a recurrent layer of PyTorch and a head, or of an experiment; or an exported network as JSON.",
        ),
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
    tokens: Annotated[str | None, typer.Option(help="The token of each letter, such as 0=5,1=7; by default letter k is token k.")] = None,
    begin: Annotated[str | None, typer.Option(help="Tokens before every word, such as 1,0.")] = None,
    answers: Annotated[
        str | None,
        typer.Option(help="What the answers are: states, accepted (answer 1), outputs, or states or outputs joined by commas."),
    ] = None,
    nonlinearity: Annotated[str | None, typer.Option(help="relu or tanh, of an Elman layer: weights do not tell.")] = None,
    activation: Annotated[str | None, typer.Option(help="What lies between the linear maps of a head, such as relu.")] = None,
    of: Annotated[str, typer.Option(help="What the exit code is about: weights as they are, nearby exact weights, or all.")] = "all",
    tolerance: Annotated[float, typer.Option(help="The most that an entry of a map or a first state may change.", min=0, max=0.5)] = 0.25,
    limit: Annotated[
        int, typer.Option("--limit", "--effort", help="So many states are gone through at most.", min=1, max=1_000_000)
    ] = 10_000,
    target: Annotated[
        Path | None, typer.Option("--out", help="If it is right: write the exact network as JSON, for lemmata recheck; - prints it.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Prove trained weights right, or find a wrong word.

    The weights as they are come first, then exact weights near them; each line names what it is about. Exit code 0 if right at every length, 1 if wrong on a word. It is 2 if refused, 3 if not decided.
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
            tokens=None if tokens is None else _tokens(tokens),
            begin=() if begin is None else [_token(x) for x in begin.split(",")],
            answers=answers if answers in (None, *ANSWERS) else [x.strip() for x in answers.split(",")],
            nonlinearity=nonlinearity,
            activation=activation,
            of=of,
            tolerance=tolerance,
            limit=limit,
            progress=advance,
        )
        document, notes = None, []
        if target is not None and found.exact is not None:
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
    raise typer.Exit(OF[found.verdict])


def _tokens(text: str) -> dict[str, int]:
    """LETTER=TOKEN, joined by commas."""
    pairs = [part.rpartition("=") for part in text.split(",")]
    if not all(letter and sign for letter, sign, _ in pairs):
        raise ValueError(f"expected LETTER=TOKEN joined by commas, such as 0=5,1=7, got {text!r}")
    return {letter.strip(): _token(token) for letter, _, token in pairs}


def _token(text: str) -> int:
    if not (text.strip().isascii() and text.strip().isdigit()):
        raise ValueError(f"expected a token, a number of at least 0, got {text.strip()!r}")
    return int(text)


def _write(target: Path, document: dict[str, Any]) -> None:
    if target == PRINTED:
        print(json_text(document))
        return
    from ..theorems.files import write_whole

    write_whole(target, json.dumps(document, ensure_ascii=False) + "\n")
