"""``lemmata train``: the papers' experiments, trained here, beside what the theorems predict."""

from __future__ import annotations

import shutil
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any

import typer

from .console import err, out
from .progress import progress
from .sweep import Which


def train_command(
    name: Annotated[str, typer.Argument(help="An experiment, such as grazzi25.ranges.")],
    directory: Annotated[Path, typer.Option("--out", help="Directory for the files; an unfinished training there goes on.")] = Path(
        "train-out"
    ),
    scale: Annotated[
        str, typer.Option(help="quick (under a minute of one core), or larger: desk, paper (neither has been run yet).")
    ] = "quick",
    seeds: Annotated[int | None, typer.Option(help="Random seeds; the scale's own number if not given.")] = None,
    device: Annotated[Which, typer.Option(help="auto takes CUDA if there is a device.")] = Which.auto,
) -> None:
    """Train an experiment's networks and say whether the paper's observation holds here.

    PNG, SVG, the data as CSV, and the sentence. Killed at any time, it goes on where it stopped and ends with the same numbers.
    """
    from .. import experiments
    from ..figures import contents
    from ..figures.points import one_thread
    from ..theorems.files import require_folder, write_all

    experiment = experiments.load(name)
    # before anything is made or trained
    planned = experiment.runs(scale, seeds)
    require_folder(directory, [f"{name}.{suffix}" for suffix in ("png", "svg", "csv", "txt")])
    from ..experiments.training import device_named

    chosen = device_named(device.value)
    err.print(f"on {chosen.type}, {len(planned)} runs")
    folder = directory / f".{name}.{scale}"
    with progress("training", len(planned)) as advance, one_thread():
        data = experiment.compute(scale, seeds, folder, chosen, lambda said, done, total: advance(said, done, total))
    data["predicted"] = (
        ("task", "layer"),
        [[predicted(experiment, task, layer) for layer in experiment.MODELS] for task in experiment.ASKED],
    )
    figure = import_module(f"..figures.trained_{experiments.EXPERIMENTS[name]}", __package__)
    written = {directory / f"{name}.{suffix}": content for suffix, content in contents(figure, data).items()}
    write_all(written)
    shutil.rmtree(folder)
    for path in written:
        out.print(str(path), soft_wrap=True)
    out.print(experiment.outcome(data))


def predicted(experiment: ModuleType, task: str, layer: str) -> str:
    """Yes, no or open: what the table says of one such layer, with finitely many states that are held exactly."""
    from ..atlas.cells import answer
    from ..atlas.inference import Place
    from ..theorems.ledger import ledger

    asked: Any = experiment.ASKED[task]
    if layer in asked.built and ledger()[asked.built[layer]].verdict in ("PROVED", "CHECKED"):
        return "yes"
    place = {t: answer(Place(experiment.MODELS[layer], t, "one", "states"))[0] for t in (asked.harder, asked.easier)}
    return "yes" if place[asked.harder] == "yes" else "no" if place[asked.easier] == "no" else "open"
