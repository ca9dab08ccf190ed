"""Networks that commands build for the tasks of the table, measured: layers, widths, models, and how long floating point keeps them right.

``knowledge/builds.toml`` has the commands; ``python -m lemmata.atlas.building`` compiles each of them and writes what it came to into
``knowledge/built.json``, from which the cells take it.
"""

from __future__ import annotations

import json
import shlex
import tomllib
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from math import floor, inf, log10
from typing import Any

from ..cli.progress import stages
from .knowledge import EVERY, FOLDER, MEASURED
from .membership import has_whole_numbers, models_of

#: what is proved for more letters than this is kept to two digits, rounded down: the last ones are of a bound, and of the machine
EXACT_UP_TO = 1000


def asked() -> list[dict[str, str | None]]:
    """Task, instance and command of every network that is to be built."""
    tasks = tomllib.loads((FOLDER / "builds.toml").read_text(encoding="utf-8"))["task"]
    return [
        {"task": t["id"], "instance": t.get("instance"), "command": f"lemmata compile {options}"}
        for t in tasks
        for options in t["commands"]
    ]


def document_of(command: str) -> dict[str, Any]:
    """The network that a command builds, as it prints it."""
    from ..cli import app

    program, *arguments = shlex.split(command)
    if program != "lemmata":
        raise ValueError(f"expected a command lemmata ..., got {command!r}")
    printed = StringIO()
    with redirect_stdout(printed), redirect_stderr(StringIO()):
        app([*arguments, "--out", "-"], standalone_mode=False)
    return json.loads(printed.getvalue())


def measured(command: str) -> dict[str, Any]:
    """What a command's network comes to."""
    document = document_of(command)
    bistable = document["format"] == "lemmata-bistable"
    lengths = bistable_lengths(document) if bistable else affine_lengths(document)
    return {
        "widths": [len(layer["W_x"]) if bistable else len(layer["states"][0]) for layer in document["layers"]],
        "clock": document.get("clock", 1),
        "models": models_of(document),
        "whole numbers": has_whole_numbers(document),
        "right up to": {path: {dtype: rounded_down(n) for dtype, n in row.items()} for path, row in lengths.items()},
    }


def affine_lengths(document: dict[str, Any]) -> dict[str, dict[str, float]]:
    """The lengths of docs/explanation/rounding.md; paths that are closed to the network are left out."""
    from ..constructions.automata.rounding.precision import guaranteed_lengths

    return {
        path: {d: n for d, n in row.items() if n is not None}
        for path, row in guaranteed_lengths(document).items()
        if None not in row.values()
    }


def bistable_lengths(document: dict[str, Any]) -> dict[str, dict[str, float]]:
    """Every length in the formats in which no sum of a layer or of the readout can be rounded, in any order; others are left out.

    All terms are integers: what is read is 0, 1 or alpha times a sign, and with magnitudes that add up to at most 2^p every partial sum is a
    number of the format. The state itself is written or kept as it is (new.bistable.bit-equal). A clock is a permutation matrix.
    """
    from ..constructions.automata.rounding.layer import FORMATS

    alpha = max([1, *(abs(a) for layer in document["layers"] for a in layer["alpha"])])
    sums = [(layer[W], layer[b]) for layer in document["layers"] for W, b in (("W_x", "b_x"), ("W_beta", "b_beta"))]
    sums.append((document["readout"]["W"], document["readout"]["b"]))
    largest = max(sum(alpha * abs(w) for w in row) + abs(b) for rows, shifts in sums for row, b in zip(rows, shifts, strict=True))
    row = {name: inf for name, form in FORMATS.items() if largest <= 1 / form.unit}
    return {"loop": row, "scan": row}


def rounded_down(length: float) -> int | str:
    """A length as it is kept."""
    if length == inf:
        return EVERY
    if length <= EXACT_UP_TO:
        return int(length)
    digit = 10 ** (floor(log10(length)) - 1)
    return int(length // digit) * digit


def main() -> None:
    """Measure all of them and write ``built.json``."""
    networks, known = [], {}
    with stages() as advance:
        for k, what in enumerate(todo := asked()):
            advance(str(what["command"]), k, len(todo))
            command = str(what["command"])
            known[command] = known.get(command) or measured(command)
            networks.append({**what, **known[command]})
    MEASURED.write_text("[\n" + ",\n".join(json.dumps(x, ensure_ascii=False) for x in networks) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
