"""From an automaton to a proved network."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from automata.fa.dfa import DFA

from ...numerics import exact
from ..closure import closure_data
from ..householder import permutation_matrix
from ..recurrence import Reachable, Recurrence, Stack, reachable_with
from .automaton import Automaton
from .cascade import Cascade, krohn_rhodes
from .layers import repaired_stack
from .sources import from_dfa, from_permutations, from_regex


@dataclass(frozen=True)
class Network:
    """A stack of linear recurrences that outputs the automaton's state, with the closure that proves it.

    ``proof`` lists every reachable state of the network beside the automaton's state, and every transition between them;
    ``cascade`` is the decomposition that the layers come from, None for a group, which needs none.
    """

    automaton: Automaton
    stack: Stack
    proof: Reachable
    cascade: Cascade | None = None

    @property
    def layers(self) -> tuple[Recurrence, ...]:
        return self.stack.layers

    @property
    def widths(self) -> list[int]:
        """The state dimension of each layer."""
        return [len(layer.initial) for layer in self.layers]

    def run(self, word: Iterable[Hashable]) -> list[tuple[Hashable, bool]]:
        """(name of the automaton's state, accepted) after every letter, computed by the network."""
        return [(self.automaton.name(q), q in self.automaton.accepting) for q in self.stack.run(word)]

    def to_json(self) -> str:
        """The network with exact entries, as docs/formats.md describes it: enough to simulate it without lemmata."""
        return json.dumps(network_document(self), indent=1, ensure_ascii=False)

    def to_torch(self, dtype: Any = None) -> Any:
        """A ``torch.nn.Module`` on batches of words, float64 unless ``dtype`` says otherwise (``torch_module.TorchNetwork``).

        Needs the ``torch`` extra.
        """
        import torch

        from .torch_module import TorchNetwork

        return TorchNetwork(network_document(self), self.automaton.letters, dtype or torch.float64)


def compile_automaton(automaton: Automaton) -> Network:
    """A network of n - 1 layers, widths n, n-1, ..., 2, for an automaton with n reachable states, proved at every length.

    The proof is exhaustive: all reachable states of the network, all letters, exact arithmetic. Raises ``ArithmeticError`` if
    it fails, or needs more than 100 000 network states (n! can be reachable), so that no unproved network is ever returned.
    """
    reachable = automaton.reachable()
    cascade = krohn_rhodes(reachable)
    return proved(reachable, repaired_stack(cascade), cascade)


def compile_dfa(dfa: DFA) -> Network:
    """:func:`compile_automaton` of automata-lib's total DFA."""
    return compile_automaton(from_dfa(dfa))


def compile_regex(text: str, alphabet: Iterable[str] | None = None) -> Network:
    """:func:`compile_automaton` of the minimal automaton of a regular expression (``sources.from_regex``)."""
    return compile_automaton(from_regex(text, alphabet))


def compile_group(generators: Mapping[Hashable, Sequence[int]] | Sequence[Sequence[int]]) -> Network:
    """One layer for the word problem of a permutation group on n points (grazzi25, Theorem 3), proved at every length.

    A(g) is the permutation matrix of g, B = 0 and H_0 = (1, ..., n): the state is H_0 with its entries moved, so it tells the
    element. A letter with c cycles is n - c reflections. The state's name is the element, as the tuple of images.
    """
    automaton = from_permutations(generators)
    named = dict(generators) if isinstance(generators, Mapping) else dict(enumerate(generators))
    n = len(next(iter(named.values())))
    start = exact.rationals([[i + 1] for i in range(n)])
    table = {x: (permutation_matrix(g), exact.zeros(n, 1)) for x, g in named.items()}
    element = {_moved(images, start): q for q, images in enumerate(automaton.names or ())}
    layer = Recurrence.from_table(table, start, lambda H, x: element.get(exact.freeze(H)))
    return proved(automaton, Stack((layer,)))


def _moved(images: Any, start: exact.Array) -> tuple:
    """P_g H_0, frozen: entry i of H_0 stands at place g(i)."""
    return exact.freeze(permutation_matrix(images) @ start)


def proved(automaton: Automaton, stack: Stack, cascade: Cascade | None = None) -> Network:
    """The network with its proof; raises ``ArithmeticError`` if the stack does not compute the automaton's state."""
    proof = reachable_with(stack, automaton.step, automaton.start, automaton.letters, lambda q: q)
    if not proof.closed:
        raise ArithmeticError(
            f"expected a proof within {len(proof.pairs)} reachable network states, needed more: the automaton is too large"
        )
    if proof.mismatch is not None:
        raise ArithmeticError(f"expected the network to compute the automaton, got a mistake after the word {proof.mismatch}")
    return Network(automaton, stack, proof, cascade)


def network_document(network: Network) -> dict[str, Any]:
    """The network as plain data (format ``lemmata-network``, version 1)."""
    automaton = network.automaton
    data = exact.as_text(closure_data(network.stack, network.proof, automaton.letters, lambda q: q))
    # what each layer reads, as a table of what lies below: the input letter, or the state and map of the layer before
    tables: list[dict[tuple, int]] = [{} for _ in network.layers]
    outputs: dict[tuple, int] = {}
    for _, letter, read, j in data["edges"]:
        source: tuple = (letter,)
        for level, index in enumerate(read):
            tables[level][source] = index
            source = (json.dumps(data["states"][j][level]), index)
        outputs[source] = int(data["automaton"][j])
    layers = []
    for level, maps in enumerate(data["layers"]):
        following = outputs if level == len(data["layers"]) - 1 else tables[level + 1]
        decoder = [{"state": json.loads(state), "map": index, "next": y} for (state, index), y in following.items()]
        layers.append({"initial": data["states"][0][level], "maps": maps, "decoder": decoder})
    return {
        "format": "lemmata-network",
        "version": 1,
        "field": data["field"],
        "letters": data["letters"],
        "first": [tables[0][letter,] for letter in range(len(data["letters"]))],
        "layers": layers,
        "states": [str(automaton.name(q)) for q in range(automaton.n)],
        "start": automaton.start,
        "accepting": sorted(automaton.accepting),
    }
