"""From an automaton to a proved network."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from automata.fa.dfa import DFA

from ...numerics import exact
from ...numerics.aliases import Key
from ...numerics.progress import Progress, silent
from ..recurrence import Recurrence, Stack
from .automaton import Automaton
from .cascade.cascade import Cascade
from .choose.candidate import Candidate, Prefer
from .choose.ways import Construction, choose
from .layers.groups import LARGEST_POLYGON, block_matrices, matrix_group, representation_layer, rotations
from .layers.level_vectors import signed_matrices
from .levels.repaired import repaired_stack
from .prove.closure import LayerClosure, close_by_layers
from .prove.document import network_document
from .prove.tables import Tables
from .read.sources import from_dfa, from_permutations, from_regex, permutations_of

#: automata with more states are not compiled once more to say how narrow a network could be
LARGEST_COMPARED = 500


@dataclass(frozen=True, eq=False)
class Network:
    """A stack of linear recurrences that outputs the automaton's state, with the closure that proves it.

    ``proof`` lists, for each layer, every state that it can be in and every letter that it can read (``closure.py``); ``cascade`` is
    the decomposition that the layers come from, None for a network of one layer, which needs none. ``construction`` is its name, one of
    ``choose.ways.Construction``.
    """

    automaton: Automaton
    stack: Stack
    proof: list[LayerClosure]
    cascade: Cascade | None = None
    construction: str | None = None

    @property
    def layers(self) -> tuple[Recurrence, ...]:
        return self.stack.layers

    @property
    def widths(self) -> list[int]:
        """The state dimension of each layer."""
        return [len(layer.initial) for layer in self.layers]

    def run(self, word: Iterable[Hashable]) -> list[tuple[Hashable, bool]]:
        """(name of the automaton's state, accepted) after every letter, by the states and letters of the proof.

        Equivalent to ``stack.run``, which multiplies the matrices for every letter; raises ``ValueError`` for a letter outside the alphabet.
        """
        said = [(self.automaton.name(q), q in self.automaton.accepting) for q in range(self.automaton.n)]
        return [said[q] for q in self._tables.run(word)]

    def outputs(self, word: Iterable[Hashable]) -> list[Hashable]:
        """What the Moore machine says after every letter, computed by the network; ``ValueError`` if the automaton has no outputs."""
        return [self.automaton.output(q) for q in self._tables.run(word)]

    @cached_property
    def _tables(self) -> Tables:
        return Tables(self.proof)

    def document(self, progress: Progress = silent) -> dict[str, Any]:
        """The network as plain data, as docs/reference/formats.md describes it."""
        return network_document(self.automaton, self.proof, progress)

    def to_json(self) -> str:
        """The network with exact entries and its proof: enough to simulate and to re-check it without lemmata (docs/reference/formats.md)."""
        return json.dumps(self.document(), ensure_ascii=False)

    def to_torch(self, dtype: Any = None, trainable: bool = False, parametrisation: str = "dense") -> Any:
        """A ``torch.nn.Module`` on batches of words, float64 unless ``dtype`` says otherwise (``torch_module.TorchNetwork``).

        With ``trainable`` a model with parameters that computes the same at initialisation, float32 by default
        (``trainable.TrainableNetwork``); its transitions are "dense" or products of GH factors, "delta". Needs the ``torch`` extra.
        """
        import torch

        if trainable:
            from .run.trainable import TrainableNetwork

            return TrainableNetwork(self.document(), dtype or torch.float32, parametrisation, self.automaton.letters)  # type: ignore[arg-type]

        from .run.torch_module import TorchNetwork

        return TorchNetwork(self.document(), dtype or torch.float64, self.automaton.letters)

    def to_fla(
        self, layer: str = "GatedDeltaProduct", dtype: Any = "bfloat16", train: bool = False, autocast: bool = False, **options: Any
    ) -> Any:
        """A layer of flash-linear-attention with weights that compute the automaton (``fla_layers.to_fla``). Needs the ``fla`` extra."""
        from .run.fla_layers import to_fla

        return to_fla(self, layer, dtype, train, autocast, **options)

    def to_huggingface(self, path: str | Path, layer: str = "GatedDeltaProduct", dtype: Any = "bfloat16") -> list[Path]:
        """A causal language model in a folder, its likeliest token the automaton's state (``fla_language_model``). Needs the ``fla`` extra."""
        from .run.fla_language_model import to_huggingface

        return to_huggingface(self, path, layer, dtype)

    def __repr__(self) -> str:
        return f"Network of {len(self.layers)} layers, widths {self.widths}, for {self.automaton.n} states"


def compile_automaton(
    automaton: Automaton, construction: Construction = "best", prefer: Prefer = "exact", progress: Progress = silent
) -> Network:
    """A network for the reachable states, proved at every length, by the best construction or the one named (``choose``).

    ``prefer`` says what is best: ``"exact"`` no number that floats round, ``"shallow"`` few layers, ``"narrow"`` little width. Every transition is a
    contraction and a product of at most as many GH factors as the layer is wide, except by ``"one-hot"``. With ``"holonomy"`` there is a
    layer for each level of the holonomy cascade, at most n wide (grazzi25, Theorem 4, repaired).

    The proof is exhaustive and exact; raises ``ArithmeticError`` if it fails or the automaton is too large, so that no unproved
    network is ever returned, and ``ValueError`` if the construction does not fit. ``progress`` is called with the stages (:mod:`lemmata.numerics.progress`).
    """
    progress("cascade", 0, 0)
    return compile_candidate(choose(automaton, construction, prefer), progress)


def compile_candidate(candidate: Candidate, progress: Progress = silent) -> Network:
    """:func:`compile_automaton` from the choice on."""
    return proved(candidate.automaton, candidate.stack(), candidate.cascade, progress, candidate.construction)


def narrower(network: Network, progress: Progress = silent) -> Network | None:
    """The network of ``prefer="narrow"`` for the same automaton, if its widest layer is less than half as wide; else None.

    None as well for automata of more than :data:`LARGEST_COMPARED` states.
    """
    if max(network.widths) <= 2 or network.automaton.n > LARGEST_COMPARED:
        return None
    try:
        candidate = choose(network.automaton, prefer="narrow")
    except ArithmeticError:
        # what is narrow need not be small enough to be proved
        return None
    return compile_candidate(candidate, progress) if 2 * candidate.width < max(network.widths) else None


def compile_cascade(cascade: Cascade, progress: Progress = silent) -> Network:
    """:func:`compile_automaton` of a cascade's automaton by that cascade."""
    return proved(cascade.automaton, repaired_stack(cascade), cascade, progress)


def compile_dfa(dfa: DFA, construction: Construction = "best", prefer: Prefer = "exact", progress: Progress = silent) -> Network:
    """:func:`compile_automaton` of automata-lib's total DFA."""
    return compile_automaton(from_dfa(dfa), construction, prefer, progress)


def compile_regex(
    text: str,
    alphabet: Iterable[str] | None = None,
    construction: Construction = "best",
    prefer: Prefer = "exact",
    progress: Progress = silent,
) -> Network:
    """:func:`compile_automaton` of the minimal automaton of a regular expression (``sources.from_regex``)."""
    return compile_automaton(from_regex(text, alphabet), construction, prefer, progress)


def compile_one_hot(automaton: Automaton, progress: Progress = silent) -> Network:
    """:func:`compile_automaton` by the construction one-hot: one layer, 0/1 transitions of norm up to sqrt(n)."""
    return compile_automaton(automaton, "one-hot", progress=progress)


def compile_cyclic(automaton: Automaton, progress: Progress = silent) -> Network | None:
    """One layer that turns a polygon, two reflections a letter, if the letters generate a cyclic group with as many elements as states.

    A scalar for two states; None for every other automaton (``groups.rotations``).
    """
    reachable = automaton.reachable()
    found = rotations(reachable)
    return proved(reachable, Stack((representation_layer(reachable, *found),)), None, progress) if found else None


def compile_group(
    generators: Mapping[Key, Sequence[int]] | Sequence[Sequence[int]], progress: Progress = silent, polygons: bool = False
) -> Network:
    """One layer for the word problem of a permutation group on n points (grazzi25, Theorem 3), proved at every length.

    Each letter is a signed permutation matrix, with a block for each orbit of the points: entries 0, 1 and -1, which no float rounds. A cyclic
    group of order m has cycles of the prime powers in m. With ``prefer`` other than ``"exact"`` such an orbit is the m-gon instead, two
    reflections a letter, and any other the entries (1, ..., m), moved by permutation matrices, m minus the number of cycles reflections.
    B = 0. The automaton's states are named by the group's elements, as tuples of images.
    """
    named = permutations_of(generators)
    automaton = from_permutations(named)
    if polygons:
        turns = rotations(automaton) if automaton.n <= LARGEST_POLYGON else None
        matrices, start = turns or block_matrices(named)
    else:
        matrices, start = signed_matrices(named)
    return proved(automaton, Stack((representation_layer(automaton, matrices, start),)), None, progress)


def compile_representation(matrices: Mapping[Key, exact.Array], start: exact.Array) -> Network:
    """One layer for the word problem of the group generated by exact orthogonal matrices, A(w) = matrices[w], B = 0.

    ``start``, shape (n, 1), must be moved by every element but the identity: the state is then the image of ``start``. Raises
    ``ValueError`` if a matrix is not orthogonal, ``start`` has a stabiliser, or the group has more than 10 000 elements.
    """
    automaton = matrix_group(matrices)
    return proved(automaton, Stack((representation_layer(automaton, matrices, start),)))


def proved(
    automaton: Automaton, stack: Stack, cascade: Cascade | None = None, progress: Progress = silent, construction: str | None = None
) -> Network:
    """The network with its proof; raises ``ArithmeticError`` if the stack was not proved to compute the automaton's state."""
    return Network(automaton, stack, close_by_layers(stack, automaton, progress), cascade, construction)
