"""``lemmata probe``: what is a layer's transition, and what can it reach?"""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .exit_codes import OF, YES
from .options import Json
from .progress import progress

if TYPE_CHECKING:
    from ..api.probe import Probed


def probe_command(
    layer: Annotated[
        str | None,
        typer.Argument(
            metavar="LAYER",
            help="MODULE:CLASS, a class of torch modules whose call is a step: (state, input) to the next state; fla:CLASS, a layer of flash-linear-attention; or a folder with a whole model in transformers' format.",
        ),
    ] = None,
    state: Annotated[str | None, typer.Option(help="The state's shape, such as 4,3; not for fla.")] = None,
    input: Annotated[str | None, typer.Option(help="The input's shape, such as 5; not for fla.")] = None,
    options: Annotated[list[str] | None, typer.Option("--set", help="An argument of the class, such as width=4; may be repeated.")] = None,
    weights: Annotated[
        Path | None,
        typer.Option(
            help="Trained weights of the layer, a state dictionary that torch.save wrote; without LAYER those of a trainable network."
        ),
    ] = None,
    dtype: Annotated[str, typer.Option(help="float64 or float32.")] = "float64",
    task: Annotated[str | None, typer.Option(help="Also say whether any number of such layers does this task of the table.")] = None,
    regex: Annotated[str | None, typer.Option(help="Also say whether any number of such layers recognises this language.")] = None,
    closure: Annotated[
        str | None,
        typer.Option(
            help="Also follow letters, the unit vectors of the input, through all states that this format reaches: float64, float32, bfloat16 or float16."
        ),
    ] = None,
    draw: Annotated[Path | None, typer.Option(help="Draw eigenvalues, their bounds and the unit circle into this PNG or SVG file.")] = None,
    zoo: Annotated[
        bool, typer.Option("--zoo", help="All layers of libraries that are installed, or those whose class has LAYER in its name.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Say what a torch layer's transition is, where its eigenvalues lie for all weights, and which row of the table holds it.

    Exit code 0 if answered, 2 if refused. With --task or --regex 0 is yes, 1 no and 3 not decided: the answer at the closure, with exact states.
    An advice is an edit that changes a cell of the table; it was applied to a copy, which was probed again.
    The code of MODULE is run; nothing in a folder or a file of weights is.
    """
    if layer is None and weights is not None and not zoo:
        raise typer.Exit(
            _checkpoint(
                weights,
                {"--state": state, "--input": input, "--set": options, "--regex": regex, "--closure": closure, "--draw": draw},
                task,
                as_json,
            )
        )
    many = _many(
        layer,
        zoo,
        dtype,
        task,
        as_json,
        alone={
            "--state": state,
            "--input": input,
            "--set": options,
            "--weights": weights,
            "--regex": regex,
            "--closure": closure,
            "--draw": draw,
        },
    )
    if many is not None:
        raise typer.Exit(many)
    if layer is None or ":" not in layer:
        raise ValueError(f"expected MODULE:CLASS, fla:CLASS, a folder or --zoo, got {layer or 'none'}")
    from ..api.probe import probe_layer, probe_step

    library, _, name = layer.rpartition(":")
    given = dict(_option(o) for o in options or ())
    if library == "fla":
        if state is not None or input is not None:
            raise ValueError("expected no --state and no --input for a layer of flash-linear-attention, got one")
        _ready_for_triton()
        given = FLASH | given
        module = _made(f"fla.layers:{name}", given)
    else:
        if state is None or input is None:
            raise ValueError("expected --state and --input, the shapes of the two, got none")
        module = _made(layer, given)
    if weights is not None:
        _load(module, weights)
    with progress("probing", 5) as advance:
        found = (
            probe_layer(module, given["hidden_size"], dtype=dtype, name=name, progress=advance)
            if library == "fla"
            else probe_step(module, _shape("state", state or ""), _shape("input", input or ""), dtype=dtype, name=name, progress=advance)
        )
    raise typer.Exit(_told(found, task, regex, closure, draw, as_json, None if weights is None else _trained(found, weights, input, task)))


def _told(found: Probed, task: str | None, regex: str | None, closure: str | None, draw: Path | None, as_json: bool, trained: Any) -> int:
    """Print what was found, the states of a rounded format, the answer to a task or a language, and advice; the exit code."""
    closed = None if closure is None else found.closure(closure, task, regex)
    asked = None if task is None and regex is None else found.ask(task, regex, closed)
    advice = found.advice(task, regex)
    if draw is not None:
        found.draw(draw)
    if as_json:
        from .console import print_json

        print_json(
            found.data
            | {"advice": None if advice is None else advice.data}
            | ({} if closed is None else {"closure": closed.data})
            | ({} if asked is None else {"asked": asked.data})
            | (trained[1] if trained else {})
        )
    else:
        found.print()
        for line in trained[0] if trained else ():
            print(line)
        if closed is not None:
            print()
            closed.print()
        if asked is not None:
            print()
            asked.print()
        if advice is not None:
            print(f"\nadvice: {advice}")
        if draw is not None:
            print(f"\nwrote {draw}")
    return YES if asked is None else OF[asked.says()]


def _checkpoint(weights: Path, alone: dict[str, Any], task: str | None, as_json: bool) -> int:
    """The exit code for the weights of a trainable network of this project."""
    given = [name for name, value in alone.items() if value]
    if given:
        raise ValueError(f"expected a layer for {', '.join(given)}, got none")
    from .probe_many import probe_checkpoint

    return probe_checkpoint(weights, task, as_json)


def _trained(found: Any, weights: Path, input: str | None, task: str | None) -> tuple[list[str], dict[str, Any]]:
    """What is said of the letters of a layer with trained weights, in lines and as plain data."""
    from ..probe.letters import of_units
    from .probe_many import certified

    f, shape = found.findings, () if input is None else _shape("input", input)
    said = certified(weights, task)[1]
    if len(shape) != 1 or not f.is_affine or f.driver is not None:
        return ["letters: expected an affine step whose input has one axis, got another", *said], {"letters": None, "certificate": said}
    letters = of_units(f.step, *shape, str(f.spectrum or "not decided"))
    return [*letters.lines(), *said], {"letters": letters.data, "certificate": said}


def _many(layer: str | None, zoo: bool, dtype: str, task: str | None, as_json: bool, alone: dict[str, Any]) -> int | None:
    """The exit code for a folder or for the zoo; None for a layer alone."""
    is_folder = layer is not None and ":" not in layer and Path(layer).is_dir()
    if not (zoo or is_folder):
        return None
    given = [name for name, value in (alone | ({"--task": task} if zoo else {})).items() if value]
    if given:
        raise ValueError(f"expected no {', '.join(given)} with {'--zoo' if zoo else 'a folder'}, got one")
    from .probe_many import probe_folder, probe_zoo

    _choose_interpreter()
    return probe_zoo(layer or "", as_json) if zoo else probe_folder(Path(layer or ""), dtype, task, as_json)


#: sizes of a layer of flash-linear-attention, unless --set names others
FLASH: dict[str, Any] = {"hidden_size": 16, "layer_idx": 0}


def _ready_for_triton() -> None:
    """Raises ``ValueError`` where flash-linear-attention is not installed."""
    from importlib.util import find_spec

    if find_spec("fla") is None:
        raise ValueError("expected the extra 'fla' for a layer of flash-linear-attention, got none: pip install 'lemmata[fla]'")
    _choose_interpreter()


def _choose_interpreter() -> None:
    """Without a GPU, Triton's interpreter has to be chosen before Triton is imported."""
    import warnings
    from os import environ

    environ.setdefault("TRITON_INTERPRET", "1")
    # without a GPU the interpreter is what was chosen
    warnings.filterwarnings("ignore", message="Triton is not supported on current platform")


def _made(layer: str, options: dict[str, Any]) -> Any:
    """An instance of the class that MODULE:CLASS names."""
    from importlib import import_module
    from inspect import signature

    import torch

    module, _, name = layer.rpartition(":")
    if not module or not name:
        raise ValueError(f"expected MODULE:CLASS, such as mylayers:Delta, got {layer!r}")
    # a folder here must not hide what an installed library imports
    found_here = [] if module.startswith("fla.") else [str(Path.cwd())]
    before = sys.path[:]
    sys.path[:0] = found_here
    try:
        found = import_module(module)
        kind = getattr(found, name, None)
    except ModuleNotFoundError as why:
        raise ValueError(f"expected a module that can be imported from here, got {module!r}: {why}") from why
    finally:
        sys.path[:] = before
    if not (isinstance(kind, type) and issubclass(kind, torch.nn.Module)):
        there = [n for n, x in vars(found).items() if isinstance(x, type) and issubclass(x, torch.nn.Module)]
        got = "none" if kind is None else type(kind).__name__
        raise ValueError(f"expected a class of torch modules {name} in {module}, got {got}{_near(name, there)}")
    if module.startswith("fla."):
        # these classes take any name, and drop those that they do not know
        known = [n for c in kind.__mro__ if c is not torch.nn.Module for n in signature(c.__init__).parameters]
        for given in options:
            if given not in known:
                raise ValueError(f"expected arguments that {name} takes, by --set NAME=VALUE, got {given}{_near(given, known)}")
    torch.manual_seed(0)
    try:
        return kind(**options).eval()
    except TypeError as why:
        raise ValueError(f"expected arguments that {name} takes, by --set NAME=VALUE, got: {why}") from why


def _near(name: str, known: list[str]) -> str:
    """What may have been meant, in brackets."""
    from difflib import get_close_matches

    near = get_close_matches(name, known, 3)
    return f" (did you mean {', '.join(near)}?)" if near else ""


def _option(text: str) -> tuple[str, Any]:
    name, sign, value = text.partition("=")
    if not sign or not name.isidentifier():
        raise ValueError(f"expected NAME=VALUE, such as width=4, got {text!r}")
    try:
        return name, ast.literal_eval({"true": "True", "false": "False", "none": "None"}.get(value, value))
    except (ValueError, SyntaxError):
        return name, value


def _shape(what: str, text: str) -> tuple[int, ...]:
    parts = [p.strip() for p in text.split(",")]
    if not all(p.isascii() and p.isdigit() and int(p) > 0 for p in parts):
        raise ValueError(f"expected the shape of the {what}, such as 4,3, got {text!r}")
    return tuple(map(int, parts))


def _load(module: Any, path: Path) -> None:
    import pickle

    import torch

    from ..theorems.files import require_regular

    require_regular(path)
    try:
        module.load_state_dict(torch.load(path, map_location="cpu", weights_only=True))
    except (pickle.UnpicklingError, RuntimeError, AttributeError, EOFError) as why:
        raise ValueError(f"expected weights of {type(module).__name__} in {path}, got: {str(why).splitlines()[0]}") from why
