"""A whole model in transformers' format, a folder with config.json and weights: its recurrent layers by name. Nothing in the folder is executed."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

import torch

from ..kernels.interpreter import patched
from .flash import step_of_layer
from .mixers import attends, in_pytorch, is_recurrent, step_of_mixer
from .report import Findings, findings
from .steps import Refused

#: what the weights are called, the safe format first
WEIGHTS = ("model.safetensors", "model.safetensors.index.json", "pytorch_model.bin", "pytorch_model.bin.index.json")

#: where layers of flash-linear-attention are
FLASH = "fla.layers."


@dataclass(frozen=True)
class Layer:
    """A recurrent layer of a model.

    Attributes:
        name: Its name in the model, such as "model.layers.0.linear_attn".
        kind: Its class.
        found: What a probe found, or None.
        refused: Why it was refused; empty if it was not.
    """

    name: str
    kind: str
    found: Findings | None
    refused: str = ""


@dataclass(frozen=True)
class Model:
    """A model that was loaded.

    Attributes:
        module: The model.
        hidden: How many numbers a token has.
        vocabulary: How many tokens it knows.
        recurrent: Its recurrent layers by name.
        attention: Names of layers that keep keys and values of all tokens.
    """

    module: torch.nn.Module
    hidden: int
    vocabulary: int
    recurrent: dict[str, torch.nn.Module]
    attention: tuple[str, ...]


def loaded(folder: Path) -> Model:
    """The model of a folder, with its weights, in float32.

    Raises :class:`~.steps.Refused` for a folder without config.json or weights, for a model whose code would come from the folder, and for
    weights that are not all there.
    """
    if not (folder / "config.json").is_file():
        raise Refused(f"expected a folder with config.json, as transformers writes it, got {folder}")
    if not any((folder / name).is_file() for name in WEIGHTS):
        raise Refused(f"expected weights in {folder}, one of {', '.join(WEIGHTS)}, got none")
    _require_known(folder)
    with _quietly():
        module, missing = _read(folder)
    if missing:
        raise Refused(f"expected all weights of the model in {folder}, got none for {', '.join(missing[:3])}")
    sizes = module.config.get_text_config()
    return Model(
        module,
        int(sizes.hidden_size),
        int(sizes.vocab_size),
        {name: m for name, m in module.named_modules() if _is_flash(m) or is_recurrent(m)},
        tuple(name for name, m in module.named_modules() if not _is_flash(m) and not is_recurrent(m) and attends(m)),
    )


def probed(model: Model, dtype: torch.dtype) -> Iterator[Layer]:
    """The recurrent layers one after the other, each with what a probe found, or why it was refused."""
    for name, module in model.recurrent.items():
        kind = type(module).__name__
        try:
            step = (step_of_layer if _is_flash(module) else step_of_mixer)(module, model.hidden, dtype, kind)
            yield Layer(name, kind, findings(step))
        except Refused as why:
            yield Layer(name, kind, None, str(why))


@contextmanager
def running(model: Model) -> Iterator[None]:
    """The model can be called: its fused kernels run by Triton's interpreter, and other libraries' functions are those in PyTorch."""
    with ExitStack() as stack:
        if any(map(_is_flash, model.recurrent.values())):
            stack.enter_context(patched())
        for module in {type(m).__module__ for m in model.recurrent.values() if not _is_flash(m)}:
            stack.enter_context(in_pytorch(module))
        yield


def _is_flash(module: torch.nn.Module) -> bool:
    return type(module).__module__.startswith(FLASH) and hasattr(module, "layer_idx")


def _require_known(folder: Path) -> None:
    """The code of the model is an installed library's, whatever the folder has."""
    from transformers import CONFIG_MAPPING

    try:
        kind = json.loads((folder / "config.json").read_text(encoding="utf-8")).get("model_type")
    except (ValueError, AttributeError) as why:
        raise Refused(f"expected config.json of a model, got another file: {folder}") from why
    if kind not in CONFIG_MAPPING and find_spec("fla"):
        # its models are made known to transformers, where some of them take the place of its own: not sooner than needed
        import_module("fla")
    if kind not in CONFIG_MAPPING:
        raise Refused(f"expected a model that transformers or flash-linear-attention has, got {kind!r}: code in a folder is not run")


def _read(folder: Path) -> tuple[Any, list[str]]:
    """The model, and the names of weights that the files lack."""
    from transformers import AutoModel, AutoModelForCausalLM

    kinds: tuple[Any, ...] = (AutoModelForCausalLM, AutoModel)
    options: dict[str, Any] = {
        "trust_remote_code": False,
        "local_files_only": True,
        "dtype": torch.float32,
        "attn_implementation": "eager",
        "output_loading_info": True,
    }
    for kind in kinds:
        try:
            module, info = kind.from_pretrained(str(folder), **options)
        except ValueError as why:
            if "Unrecognized configuration class" in str(why) and kind is AutoModelForCausalLM:
                continue
            raise Refused(f"expected a model that can be read, got {str(why).splitlines()[0]}") from why
        except (OSError, RuntimeError, TypeError, KeyError, ImportError, UnpicklingError) as why:
            raise Refused(f"expected a model that can be read, got {type(why).__name__}: {str(why).strip().splitlines()[0]}") from why
        return module.eval(), sorted(map(str, info["missing_keys"]))
    raise AssertionError("the second class takes every configuration, or raises")


@contextmanager
def _quietly() -> Iterator[None]:
    """The library's progress bars and remarks are left out."""
    from transformers.utils import logging

    level, shown = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.set_verbosity(level)
        if shown:
            logging.enable_progress_bar()
