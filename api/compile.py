"""``lemmata.compile``: an automaton as a stack of linear recurrent layers, proved right at every length."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType

from ..cli import bistable_summary, network_summary
from ..cli.network_files import require_outputs, write_network
from ..numerics.progress import Progress, silent
from .question import machine_of, question
from .result import Result
from .within import is_within, within

if TYPE_CHECKING:
    from ..constructions.automata import Automaton, Network
    from ..constructions.automata.choose.candidate import Prefer
    from ..constructions.automata.choose.ways import Construction
    from ..constructions.bistable.compiler import BistableNetwork


@dataclass(frozen=True, repr=False, eq=False)
class Compiled(Result):
    """A network with exact weights, and the proof that it is right at every length.

    Attributes:
        network: The network: layers, widths, automaton and proof.
        took: What the input was taken to be, such as "group S5".
        document: The network as plain data (docs/reference/formats.md): what ``save`` writes.
        bistable: Whether its layers are bistable units.
        narrower: A network of less than half the width, whose numbers floats do round; None unless "best" chose between the two.
        effort: So many states in floating point are gone through for a guaranteed length; None for 5,000.
        progress: Called while they are.
    """

    network: Network | BistableNetwork
    took: str
    document: dict[str, Any]
    bistable: bool = False
    narrower: Network | None = None
    effort: int | None = None
    progress: Progress | None = None

    def run(self, word: Iterable[Hashable]) -> list[tuple[Hashable, bool]]:
        """The state of the automaton after every letter, and whether the word so far is accepted, by the network.

        Args:
            word: Letters of the automaton.
        """
        return self.network.run(word)

    def outputs(self, word: Iterable[Hashable]) -> list[Hashable]:
        """What the network says after every letter, of an automaton with outputs.

        Args:
            word: Letters of the automaton.

        Raises:
            ValueError: The automaton has no outputs, or the layers are bistable, whose networks say states alone.
        """
        if self.bistable:
            raise ValueError("expected linear layers, got bistable ones: their states are in run")
        return self.network.outputs(word)  # type: ignore[union-attr]

    def to_torch(self, *args: Any, **options: Any) -> Any:
        """The network as a ``torch.nn.Module`` on batches of words. Needs the extra ``torch``.

        Args:
            args: As the network's own ``to_torch`` takes them: ``dtype``, first.
            options: ``trainable=True`` gives parameters, right at initialisation; ``parametrisation="delta"`` factors.
        """
        return self.network.to_torch(*args, **options)

    def to_fla(
        self, layer: str = "GatedDeltaProduct", *, dtype: Any = "bfloat16", train: bool = False, autocast: bool = False, **options: Any
    ) -> Any:
        """A layer of flash-linear-attention with weights that compute the automaton. Needs the extra ``fla``.

        Args:
            layer: Its class: GatedDeltaProduct, GatedDeltaNet, DeltaNet or Mamba2.
            dtype: Of the weights: "bfloat16", "float16" or "float32", or PyTorch's own.
            train: Whether it is to run in train mode, and with gradients.
            autocast: Whether it is to run under ``torch.autocast``, with weights in float32.
            options: Options of the class beside its sizes, such as ``use_short_conv=False``.

        Returns:
            The layer as ``module``, with ``run``, ``states``, ``guarantees`` and ``save`` (docs/how-to/flash-linear-attention.md).

        Raises:
            ValueError: The layer cannot hold the network, or does not run so; the message says what would work.
        """
        if self.bistable:
            raise ValueError("expected affine layers, got bistable ones: flash-linear-attention has none")
        return self.network.to_fla(layer, dtype, train, autocast, **options)  # type: ignore[union-attr]

    def to_huggingface(self, path: str | Path, *, layer: str = "GatedDeltaProduct", dtype: Any = "bfloat16") -> list[Path]:
        """Write a causal language model that flash-linear-attention's classes load, and its tokenizer. Needs the extra ``fla``.

        Args:
            path: A folder, which is made if it is not there.
            layer: The class of its layer: GatedDeltaProduct, GatedDeltaNet or DeltaNet.
            dtype: Of the weights: "bfloat16", "float16" or "float32", or PyTorch's own.

        Returns:
            The files that were written. After each letter the likeliest token is "=" and the automaton's state.

        Raises:
            ValueError: The layer cannot hold the network, which must have one layer.
        """
        if self.bistable:
            raise ValueError("expected affine layers, got bistable ones: flash-linear-attention has none")
        return self.network.to_huggingface(path, layer, dtype)  # type: ignore[union-attr]

    def save(self, path: str | Path, *, draw: str | Path | None = None, stored: str | None = None) -> list[Path]:
        """Write the network as JSON and, where PyTorch is installed, its weights to ``PATH.pt``. All files appear, or none.

        Args:
            path: A new file, or one to replace.
            draw: A PNG or SVG file for a picture of the cascade, or of the states of a single layer.
            stored: A data type: the numbers that torch stores in it are written to ``PATH.DTYPE``, for the verified checker.

        Returns:
            The files that were written.

        Raises:
            ValueError: A file cannot be written, or a picture or stored numbers are wanted of bistable layers.
        """
        target, drawing = Path(path), None if draw is None else Path(draw)
        require_outputs(target, drawing, None, stored)
        return [Path(file) for file in write_network(self.network, self.document, target, drawing, stored)]

    @property
    def data(self) -> dict[str, Any]:
        """States, letters, layers with their widths and margins, and the lengths for which each data type keeps the network right."""
        return self._summary

    @cached_property
    def _summary(self) -> dict[str, Any]:
        if self.bistable:
            return bistable_summary.summary_of(self.network)  # type: ignore[arg-type]
        return network_summary.summary_of(self.network, self.document, self.narrower, self.effort, self.progress or silent)  # type: ignore[arg-type]

    def parts(self) -> Iterator[RenderableType]:
        return bistable_summary.parts(self.data) if self.bistable else network_summary.parts(self.data)


def compile(
    task: str | None = None,
    *,
    model: str | None = None,
    regex: str | None = None,
    automaton: Automaton | str | Path | None = None,
    group: str | None = None,
    generators: str | None = None,
    alphabet: str | None = None,
    elements: bool = False,
    complete: bool = False,
    minimise: bool = False,
    construction: Construction = "best",
    prefer: Prefer | None = None,
    bmru: bool = False,
    hybrid: bool = False,
    effort: int | None = None,
    progress: Progress | None = None,
) -> Compiled:
    r"""Compile an automaton into linear recurrent layers, and prove that the network is right at every length.

    Args:
        task: A task, such as "parity"; or a group, such as "S5"; or else a regular expression, such as "(a|b)\*abb".
        model: The class of transitions, such as "DeltaProduct_4", that the network must be in. Without ``construction`` all are tried.
        regex: A regular expression (docs/reference/inputs.md).
        automaton: An automaton, or the path of a JSON file with one.
        group: A group; its generators are the letters.
        generators: A permutation group in cycle notation, such as "(0 1)(2 3), (0 1 2)".
        alphabet: With ``regex``: all letters; otherwise those that it mentions.
        elements: With a group: every element is a letter.
        complete: With ``automaton``: add a sink for missing transitions.
        minimise: With ``automaton`` or ``task``: as few states as possible.
        construction: How the network is built (docs/how-to/compiling.md); "best" chooses.
        prefer: What "best" means: "exact" (the default), "shallow" or "narrow".
        bmru: Bistable layers instead of linear ones.
        hybrid: With ``bmru``: a linear layer below them counts letters.
        effort: So many states in floating point are gone through for each guaranteed length; 5,000 by default.
        progress: Called with the stage, and how much of it is done out of how much.

    Returns:
        The proved network, with ``run``, ``to_torch`` and ``save``; ``took`` says how the input was read.

    Raises:
        ValueError: The input cannot be read, or no network in ``model`` was found; then the message says whether one exists.
        ArithmeticError: The automaton is too large. No unproved network is ever returned.

    Example:
        >>> import lemmata as lm
        >>> network = lm.compile("(a|b)*abb")
        >>> network.took
        'regex (a|b)*abb'
        >>> [accepted for _, accepted in network.run("abab")], network.run("abb")[-1][1]
        ([False, False, False, False], True)
        >>> lm.compile("S5", elements=True, model="DeltaProduct_4").network.widths
        [5]
    """
    from ..constructions.automata.compiler import Network, narrower

    advance = progress or silent
    asked = question(task, _is_task, _tasks(), regex=regex, automaton=automaton, group=group, generators=generators)
    if asked is None:
        raise ValueError("expected one of task, regex, automaton, group and generators, got none")
    if hybrid and not bmru:
        raise ValueError("expected hybrid with bmru only")
    if bmru and (construction != "best" or prefer is not None):
        raise ValueError("expected bmru without construction and prefer, which are for affine layers")
    advance("automaton", 0, 0)
    machine = machine_of(asked, alphabet=alphabet, elements=elements, complete=complete, minimise=minimise)
    if bmru:
        found = bistable_summary.compiled(machine, hybrid, advance)
        made = Compiled(found, str(asked), found.document(), bistable=True)
    else:
        network = compiled(machine, construction, prefer or "exact", advance)
        chosen = construction == "best" and prefer in (None, "exact")
        other = narrower(network, advance) if chosen else None
        made = Compiled(network, str(asked), network.document(advance), narrower=other, effort=effort, progress=advance)
    if model is not None and not is_within(made.document, model):
        if bmru or construction != "best":
            raise ValueError(_outside(made, model))
        given = {"regex": regex, "automaton": automaton, "group": group, "generators": generators}
        options = {"alphabet": alphabet, "elements": elements, "complete": complete}
        if _is_excluded(task, model, given | options):
            raise ValueError(f"{_outside(made, model)}; none exists: lemmata can says why")
        inside = within(machine, model, prefer or "exact", advance)
        if inside is None:
            raise ValueError(f"{_outside(made, model)}; none of the constructions gives one")
        made = Compiled(inside, str(asked), inside.document(), bistable=not isinstance(inside, Network), effort=effort, progress=advance)
    return made


def compiled(machine: dict[str, tuple[int, ...]] | Automaton, construction: Construction, prefer: Prefer, advance: Progress) -> Network:
    """The affine network of an automaton, or of a group's letters. Raises ``ArithmeticError``, saying what would work, if it is too large."""
    from ..constructions.automata import compile_automaton, compile_group
    from ..constructions.automata.read.sources import from_permutations
    from ..constructions.householder import compose

    if isinstance(machine, dict):
        if construction == "best" and prefer == "exact":
            return compile_group(machine, advance)
        if construction == "rotation" and all(compose(g, h) == compose(h, g) for g in machine.values() for h in machine.values()):
            # a product of cyclic groups turns a polygon for each factor
            return compile_group(machine, advance, polygons=True)
        machine = from_permutations(machine)
    try:
        return compile_automaton(machine, construction, prefer, advance)
    except ArithmeticError as error:
        raise ArithmeticError(f"{error}; {_instead(machine.reachable())}") from None


def _outside(made: Compiled, model: str) -> str:
    """That a network is in no class of the name ``model``, and which ones it is in."""
    from ..atlas.cells import models_named
    from ..atlas.knowledge import knowledge
    from ..atlas.membership import models_of

    names = ", ".join(knowledge().models[id].name for id in models_of(made.document) if id in knowledge().models)
    wanted = " or ".join(m.name for m in models_named(model))
    return f"expected a network of the model {wanted}, got one of: {names or 'no model of the table'}"


def _is_excluded(task: str | None, model: str, given: dict[str, Any]) -> bool:
    """Whether the table says that no network of the model exists."""
    from .can import can

    try:
        return can(task, model=model, **{name: value for name, value in given.items() if value}).says(layers="many") == "no"
    except (ValueError, ArithmeticError):
        # several rows of one name, or a question that the table does not answer
        return False


def _tasks() -> list[str]:
    from ..constructions.automata.read.tasks import TASKS

    return list(TASKS)


def _is_task(text: str) -> bool:
    return text in _tasks()


def _instead(automaton: Automaton) -> str:
    """What would work where a cascade is too large."""
    from ..constructions.automata.affine import LARGEST_LAYER

    n, letters = automaton.n, len(automaton.letters)
    if n * n * (letters + 1) <= LARGEST_LAYER:
        return f"--construction one-hot takes one layer of width {n}, of norm above 1"
    return f"{n:,} states and {letters} letters are too many for --construction one-hot as well"
