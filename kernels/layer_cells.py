"""In which settings compiled layers of flash-linear-attention run: ``python -m lemmata.kernels.layer_cells`` measures and writes docs/reference/fla.md.

Each cell runs the library's own layer in Triton's interpreter (:mod:`.interpreter`) on random letters: below and above 64 tokens, with and without
gradients, in train mode, under autocast, and by a prefill that single letters follow. What is compared is the input of the layer's output norm, with
the exact states of the network's proof, and the automaton's states. ``--long`` prints the long cases alone.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

from ..constructions.automata import Automaton, Network, compile_automaton, compile_group
from ..constructions.automata.read.sources import named_group
from ..constructions.automata.run.fla_cells import KINDS, refusal
from ..theorems.files import write_whole
from .interpreter import patched

COMMAND = "python -m lemmata.kernels.layer_cells"
PAGE = Path(__file__).parents[1] / "docs" / "reference" / "fla.md"
#: letters of the short and the long run, and of a prefill with single letters after it
SHORT, LONG, PREFILL, SINGLE = 20, 70, 70, 4

#: a network for each class
NETWORKS: dict[str, Callable[[], Network]] = {
    "GatedDeltaProduct": lambda: compile_group(named_group("S3")),
    "GatedDeltaNet": lambda: compile_group(named_group("C2xC2")),
    "DeltaNet": lambda: compile_group(named_group("C2xC2")),
    "Mamba2": lambda: compile_automaton(Automaton({"hold": (0, 1, 2), "a": (0, 0, 0), "b": (1, 1, 1), "c": (2, 2, 2)})),
}


class Setting(NamedTuple):
    """How a layer is run; ``steps`` is how many letters come one by one after a prefill."""

    dtype: str
    autocast: bool
    train: bool
    gradients: bool
    letters: int
    steps: int = 0


class Found(NamedTuple):
    """What came out: the largest error before the output norm (None where it is not compared), wrong letters, and why it did not run."""

    error: float | None
    wrong: int
    refused: str = ""

    def __str__(self) -> str:
        if self.refused:
            return f"no: {self.refused}"
        right = "right" if not self.wrong else f"{self.wrong} wrong"
        return right if self.error is None else f"{right}, error {self.error:.2g}"


def settings() -> Iterator[Setting]:
    """All cells of a layer."""
    for dtype, autocast in (("bfloat16", False), ("float16", False), ("float32", False), ("float32", True)):
        for train, gradients in ((False, False), (False, True), (True, True)):
            for letters in (SHORT, LONG):
                yield Setting(dtype, autocast, train, gradients, letters)
        yield Setting(dtype, autocast, False, False, PREFILL, SINGLE)


def measured(network: Network, layer: str, setting: Setting, batch: int = 2, **options: Any) -> Found:
    """Run one cell. Raises ``RuntimeError`` outside Triton's interpreter."""
    from ..constructions.automata.run.fla_layers import to_fla

    if os.environ.get("TRITON_INTERPRET") != "1":
        raise RuntimeError("expected TRITON_INTERPRET=1 before Triton is imported")
    dtype = getattr(torch, setting.dtype)
    refused = refusal(layer, dtype, setting.train, setting.autocast)
    # what to_fla refuses is run all the same, so that the table shows why
    made = to_fla(network, layer, dtype, setting.train and refused is None, setting.autocast, **options)
    made.module.train(setting.train)
    letters = network.automaton.letters
    words = torch.from_numpy(np.random.default_rng(0).integers(len(letters), size=(batch, setting.letters + setting.steps)))
    seen: list[np.ndarray] = []
    watched = getattr(made.module, "o_norm", None)
    hook = watched.register_forward_pre_hook(lambda _, given: seen.append(given[0].detach().float().numpy())) if watched else None
    cast = torch.autocast("cpu", torch.bfloat16) if setting.autocast else nullcontext()
    try:
        with patched(), torch.set_grad_enabled(setting.gradients), cast:
            scores = _in_steps(made, words, setting) if setting.steps else made.scores(words)
    except (AssertionError, ValueError) as error:
        return Found(None, 0, str(error).split(". ")[0].rstrip("."))
    finally:
        if hook:
            hook.remove()
    answers = torch.tensor(made.plan.answers)[scores.argmax(-1)]
    expected = torch.tensor([network.automaton.run([letters[i] for i in word]) for word in words.tolist()])
    error = None
    if seen:
        error = float(np.abs(np.concatenate(seen, 1)[:, made.before :] - made.before_norm(words.numpy())).max())
    return Found(error, int((answers != expected).sum()))


def _in_steps(made: Any, words: torch.Tensor, setting: Setting) -> torch.Tensor:
    """Scores of a prefill and of single letters after it."""
    from fla.models.utils import Cache

    made.module.layer_idx = 0
    hidden, cache, outputs = made.hidden(words), Cache(), []
    ends = [made.before + setting.letters + i for i in range(setting.steps + 1)]
    for first, last in zip([0, *ends], ends, strict=False):
        output, _, cache = made.module(hidden[:, first:last], past_key_values=cache, use_cache=True)
        outputs.append(output)
    return torch.cat(outputs, 1)[:, made.before :, : len(made.plan.answers)]


def kernel(layer: str, setting: Setting, before: int) -> str:
    """The kernel that a cell calls."""
    dtype = torch.bfloat16 if setting.autocast else getattr(torch, setting.dtype)
    return KINDS[layer].path(dtype, setting.gradients, setting.train, setting.letters + before)


def page() -> str:
    """The page, all of it measured."""
    from importlib.metadata import version

    lines = [
        f"<!-- generated by {COMMAND} -->",
        "# Which settings of flash-linear-attention's layers run",
        "",
        "For people who put a compiled network into their model ([how to](../how-to/flash-linear-attention.md)).",
        "Each cell ran the library's own layer, with its default options, on two words of random letters.",
        "The error is the largest one before the layer's output norm, against exact states. Right means that every state was the automaton's.",
        "",
        f"flash-linear-attention {version('flash-linear-attention')}, Triton {version('triton')}, PyTorch {version('torch')}, Triton's interpreter on a CPU. Not run on a GPU.",
        "",
    ]
    for layer, make in NETWORKS.items():
        network = make()
        lines += [
            f"## {layer}",
            "",
            "| weights | mode | letters | kernel | found |",
            "| --- | --- | --- | --- | --- |",
        ]
        for setting in settings():
            found = measured(network, layer, setting)
            weights = setting.dtype + (", autocast to bfloat16" if setting.autocast else "")
            mode = ("train" if setting.train else "eval") + (", gradients" if setting.gradients else "")
            count = f"{setting.letters}" + (f", then {setting.steps} one by one" if setting.steps else "")
            lines.append(f"| {weights} | {mode} | {count} | {kernel(layer, setting, 2).replace('_', ' ')} | {found} |")
            print(layer, setting, found, file=sys.stderr, flush=True)
        lines.append("")
    from .layer_cases import section

    return "\n".join([*lines, *section()]) + "\n"


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__)
    parser.add_argument(
        "--long", nargs="?", const="", metavar="WORD", help="print the long cases whose names hold WORD, or all, and write nothing"
    )
    chosen = parser.parse_args(arguments)
    warnings.filterwarnings("ignore")
    if chosen.long is not None:
        from .layer_cases import run_long

        run_long(chosen.long)
        return
    write_whole(PAGE, page())


if __name__ == "__main__":
    main()
