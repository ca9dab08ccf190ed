"""Which letters of a vocabulary have which transitions at trained weights, and where in the range that leaves them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .structure import blocks

if TYPE_CHECKING:
    import torch

    from .folders import Layer, Model
    from .steps import Step

#: letters of a large vocabulary that are looked at
MOST = 64

#: an entry of a transition below that, beside the largest, counts as 0
ZERO = 1e-9


@dataclass(frozen=True)
class Letter:
    """The transition of a letter.

    Attributes:
        name: The letter.
        kinds: The kinds of its blocks.
        eigenvalues: Those of all blocks, sorted by real part.
    """

    name: str
    kinds: tuple[str, ...]
    eigenvalues: tuple[complex, ...]

    @property
    def is_real(self) -> bool:
        return all(abs(x.imag) <= ZERO for x in self.eigenvalues)

    def __str__(self) -> str:
        low, high = self.eigenvalues[0].real, self.eigenvalues[-1].real
        ends = f"real, from {low:.4g} to {high:.4g}" if self.is_real else f"of modulus up to {max(map(abs, self.eigenvalues)):.4g}"
        return f"{self.name}: {', '.join(self.kinds)}; eigenvalues {ends}"


@dataclass(frozen=True)
class Letters:
    """The letters of one layer.

    Attributes:
        layer: The layer's name.
        letters: Each letter with its transition.
        given: What else the transitions depend on; empty for letters alone.
        span: Where eigenvalues lie for all weights, in words.
    """

    layer: str
    letters: tuple[Letter, ...]
    given: str = ""
    span: str = "not decided"

    @property
    def went(self) -> str:
        """Where in the range training went: the ends over all letters."""
        values = [x for letter in self.letters for x in letter.eigenvalues]
        if all(letter.is_real for letter in self.letters):
            ends = f"real, from {min(x.real for x in values):.4g} to {max(x.real for x in values):.4g}"
        else:
            ends = f"of modulus {min(map(abs, values)):.4g} to {max(map(abs, values)):.4g}"
        return f"eigenvalues at these weights: {ends}; for all weights: {self.span}"

    @property
    def data(self) -> dict[str, Any]:
        return {
            "layer": self.layer,
            "given": self.given or None,
            "went": self.went,
            "letters": [
                {"letter": x.name, "kinds": list(x.kinds), "eigenvalues": [[v.real, v.imag] for v in x.eigenvalues]} for x in self.letters
            ],
        }

    def lines(self) -> Iterator[str]:
        """What a person reads: where training went, then a line for each letter."""
        yield f"{self.layer}: {self.went}"
        if self.given:
            yield f"  {self.given}"
        yield from (f"  {letter}" for letter in self.letters)


def letter(name: str, A: np.ndarray) -> Letter:
    """A letter by its transition.

    >>> str(letter("a", np.diag([1.0, -1.0])))
    'a: diagonal; eigenvalues real, from -1 to 1'
    """
    found = blocks(A, ZERO * max(1.0, float(np.abs(A).max())))
    values = np.concatenate([b.eigenvalues for b in found])
    return Letter(name, tuple(sorted({b.kind for b in found})), tuple(sorted(map(complex, values), key=lambda x: (x.real, x.imag))))


def of_units(step: Step, size: int, span: str) -> Letters:
    """The letters of a step whose inputs are the unit vectors: letter i is the i-th."""
    import torch

    from .affine import transition

    units = torch.eye(size, dtype=step.dtype)[:MOST]
    found = tuple(letter(f"letter {i}", transition(step, step.weights, x)[0].numpy()) for i, x in enumerate(units))
    return Letters(step.name, found, "letters are taken to be the unit vectors of the input", span)


def of_checkpoint(path: Path) -> list[Letters]:
    """The letters of each layer of a trainable network of this project, from a file that ``torch.save`` wrote.

    Raises ``ValueError`` for another file.
    """
    from ..constructions.automata.trained_weights import load

    network = load(path)
    span = "of modulus at most 1" if network.parametrisation == "delta" else "any"
    return [
        Letters(
            f"layer {i}, width {layer.width}",
            tuple(letter(f"letter {y}", A) for y, A in enumerate(layer.A[:MOST])),
            "" if i == 1 else "letters are what the layer below hands on",
            span,
        )
        for i, layer in enumerate(network.layers, start=1)
    ]


def of_model(model: Model, layers: Iterable[Layer]) -> list[Letters]:
    """The letters of each layer of a model: that of a token is the transition in the text that repeats it.

    Layers that are not affine are left out, and so are those with a driver, whose transitions depend on its state. Nothing is said of a vocabulary
    of more than :data:`MOST` tokens.
    """
    import torch

    from .affine import transition

    known = {x.name: x.found for x in layers if x.found is not None and x.found.is_affine and x.found.driver is None}
    if model.vocabulary > MOST or not known:
        return []
    windows = {name: len(f.step.draw(torch.Generator())) for name, f in known.items()}
    found: dict[str, list[Letter]] = {name: [] for name in known}
    for token in range(model.vocabulary):
        inputs = _inputs(model, token, max(windows.values()))
        for name, f in known.items():
            x = inputs[name][-windows[name] :].to(f.step.dtype)
            found[name].append(letter(f"token {token}", transition(f.step, f.step.weights, x)[0].numpy()))
    given = "the transition of a token is that in the text which repeats it"
    return [Letters(name, tuple(letters), given, str(known[name].spectrum or "not decided")) for name, letters in found.items()]


def _inputs(model: Model, token: int, window: int) -> dict[str, torch.Tensor]:
    """What each recurrent layer is given, (window, hidden), in the text that repeats a token."""
    import torch

    from .folders import running

    seen: dict[str, torch.Tensor] = {}

    def watch(name: str) -> Any:
        def hook(module: Any, arguments: tuple[Any, ...], options: dict[str, Any]) -> None:
            given = arguments[0] if arguments else options["hidden_states"]
            seen[name] = given[0].detach()

        return hook

    handles = [m.register_forward_pre_hook(watch(name), with_kwargs=True) for name, m in model.recurrent.items()]
    try:
        with torch.no_grad(), running(model):
            model.module(torch.full((1, window), token), use_cache=False)
    finally:
        for handle in handles:
            handle.remove()
    return seen
