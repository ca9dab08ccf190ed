"""``lemmata probe FOLDER`` and ``lemmata probe --zoo``: many layers at once."""

from __future__ import annotations

from pathlib import Path

from .exit_codes import NOT_DECIDED, OF, REFUSED, YES
from .progress import progress

#: what is said of the trained weights of a whole model
WHOLE = "not certified: lemmata certify reads modules and state dicts, and no folder with a model"


def probe_folder(folder: Path, dtype: str, task: str | None, as_json: bool) -> int:
    """Print what is found of a model's layers; the exit code. Answered if one layer was; with a task, by the row that holds all layers."""
    from ..api.probe_model import probe_model

    with progress("probing", 1) as advance:
        found = probe_model(folder, dtype=dtype, progress=advance)
    said = None if task is None else _said(found.row, task)
    if as_json:
        from .console import print_json

        print_json(found.data | {"certificate": [WHOLE]} | ({} if task is None else {"task": task, "answer": said}))
    else:
        found.print()
        print(WHOLE)
        if task is not None:
            print(
                f"{task}, any number of layers of this row: {said}" + ("; the row may hold more than these layers" if said == "yes" else "")
            )
    if task is not None:
        return NOT_DECIDED if said is None else OF[said]
    return YES if any(layer.found for layer in found.layers) else REFUSED


def _said(row: str | None, task: str) -> str:
    """What the table says of stacks of a row's layers; "not decided" without a row."""
    from ..api.can import Answer, can

    if row is None:
        return "not decided"
    answer = can(task, model=row)
    if not isinstance(answer, Answer):
        raise ValueError(f"expected a task of the table, such as parity, got {task!r}")
    return "not decided" if answer.says("many") == "open" else answer.says("many")


def probe_zoo(name: str, as_json: bool) -> int:
    """Print the zoo's table, of all layers or of those whose title has a text in it; the exit code."""
    from ..api.probe_zoo import probe_zoo

    with progress("probing", 1) as advance:
        found = probe_zoo(name, progress=advance)
    if as_json:
        from .console import print_json

        print_json(found.data)
    else:
        found.print()
    return YES


def probe_checkpoint(path: Path, task: str | None, as_json: bool) -> int:
    """Print the letters of a trainable network of this project at its weights, and its certificate; the exit code: with a task, by the certificate."""
    from ..probe.letters import of_checkpoint
    from ..theorems.files import require_regular

    require_regular(path)
    layers = of_checkpoint(path)
    verdict, said = certified(path, task)
    if as_json:
        from .console import print_json

        print_json({"weights": str(path), "letters": [x.data for x in layers], "certificate": said})
    else:
        for line in [line for layer in layers for line in layer.lines()] + said:
            print(line)
    return YES if task is None else OF.get(verdict, NOT_DECIDED)


def certified(path: Path, task: str | None) -> tuple[str, list[str]]:
    """The verdict of ``lemmata certify`` on trained weights, empty without one, and what is said of it."""
    from ..api.certify import certify

    if task is None:
        return "", ["not certified: name what the network should do, by --task"]
    try:
        found = certify(path, task)
    except ValueError as why:
        return "", [f"not certified: {why}"]
    return str(found.data["verdict"]), [f"certify: {line}" for line in found.lines]
