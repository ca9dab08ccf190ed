"""Where the numbers of a transition lie for all weights and inputs: the node of the graph that is the number, and its interval.

That a node *is* the number is seen on draws of weights and inputs, not proved; the interval of a node holds for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import torch

from .affine import transition
from .graph import SCALE, Graph
from .intervals import EVERYTHING, Interval, point, shown
from .rules import MOVING, name_of
from .steps import Step
from .structure import Block, blocks

#: draws of weights and inputs on which a node must be the number
DRAWS = 4

#: how near, beside the larger of 1 and the number
NEAR = 1e-9

#: an entry of a transition below that, beside the largest, counts as 0
ZERO = 1e-11

#: numbers that multiply entries of the state which stay in their places
STAYING = ("a", "w", "diagonal entries", "nonzero entries")

#: one draw: the blocks of A(x), and the values of the nodes
Seen = tuple[list[Block], dict[Any, np.ndarray]]


@dataclass(frozen=True)
class Range:
    """Where a number of the transition lies, and the node that it is.

    Attributes:
        kind: The kind of matrix whose number it is.
        name: "diagonal entries", "modulus", "nonzero entries", "a", "beta", "|k|^2" or "w".
        interval: Where it lies.
        node: The name of the node, or "" where none was found.
        by_graph: Whether the graph proves it, the kind as well; else the kind and the node were seen on draws.
    """

    kind: str
    name: str
    interval: Interval
    node: str = ""
    by_graph: bool = False

    def __str__(self) -> str:
        if self.interval.low == self.interval.high:
            return f"{self.name} = {shown(self.interval.low)}"
        return f"{self.name} in {self.interval}" + (f" (node {self.node})" if self.node else "")


def draws(step: Step, graph: Graph, count: int = DRAWS, seed: int = 1) -> Iterator[Seen]:
    """Transitions at random weights and inputs, with what every node of the graph is there."""
    generator = torch.Generator().manual_seed(seed)
    for _ in range(count):
        weights, x = step.drawn_weights(generator, SCALE), step.draw(generator)
        A = transition(step, weights, x)[0].numpy()
        state = torch.zeros(step.size, dtype=step.dtype)
        values = {n: v.to(torch.float64).numpy() for n, v in graph.run(weights, state, x).items()}
        yield blocks(A, ZERO * max(1.0, float(np.abs(A).max()))), values


def ranges(graph: Graph, seen: list[Seen]) -> list[Range] | None:
    """The ranges of the numbers of a transition, by its kinds; None where the kinds differ from draw to draw, or one has no such numbers."""
    kinds = [{b.kind for b in found} for found, _ in seen]
    if any(k != kinds[0] for k in kinds):
        return None
    found: list[Range] = []
    for kind in sorted(kinds[0]):
        of_kind = [[b for b in blocks if b.kind == kind] for blocks, _ in seen]
        search = Search(graph, kind, of_kind, [values for _, values in seen])
        more = (
            search.rank_one()
            if kind == "diagonal plus rank one"
            else search.delta_rule()
            if kind == "a (I - beta k k^T)"
            else search.entries()
        )
        if not more:
            return None
        found += more
    return found


def factor_ranges(factors: Iterable[Iterable[Range] | None]) -> list[Range] | None:
    """The ranges of a product of factors a (I - beta k k^T) from those of each; None where a factor has none, or is of another kind."""
    found: list[dict[str, Range]] = []
    for known in factors:
        by_name = {r.name: r for r in known or ()}
        if set(by_name) != {"a", "beta", "|k|^2"}:
            return None
        found.append(by_name)
    kind, gate = "a (I - rank r)", point(1)
    for f in found:
        gate = gate * f["a"].interval
    result = [Range(kind, "factors", point(len(found))), Range(kind, "a", gate)]
    for name in ("a", "beta", "|k|^2"):
        whole = found[0][name].interval
        for f in found[1:]:
            whole = whole.hull(f[name].interval)
        result.append(Range(kind, f"{name} of a factor", whole, found[0][name].node))
    return result


#: the numbers of a kind of block: what they are called, and the numbers
NUMBERS: dict[str, tuple[str, Callable[[Block], np.ndarray]]] = {
    "diagonal": ("diagonal entries", lambda b: np.diag(b.matrix)),
    "rotation": ("modulus", lambda b: np.array([b.facts["modulus"]])),
    "column one-hot": ("nonzero entries", lambda b: b.matrix[b.matrix != 0]),
}


@dataclass(frozen=True)
class Search:
    """Looks for nodes of a graph that are the numbers of one kind of block, on all draws."""

    graph: Graph
    kind: str
    blocks: list[list[Block]]
    values: list[dict[Any, np.ndarray]]

    def entries(self) -> list[Range]:
        """The node whose entries are all the numbers of a kind; none for a kind without numbers."""
        if self.kind not in NUMBERS:
            return []
        name, numbers = NUMBERS[self.kind]
        return [self._constant_or_node(name, [np.concatenate([numbers(b) for b in found]) for found in self.blocks])]

    def delta_rule(self) -> list[Range]:
        """a, beta and |k|^2 of a (I - beta k k^T)."""
        a = self._constant_or_node("a", [np.array([b.facts["a"] for b in found]) for found in self.blocks])
        for node, lengths in self._keys():
            wanted = [
                np.array([b.facts["beta"] / s for b, s in zip(found, squares, strict=True)])
                for found, squares in zip(self.blocks, lengths, strict=True)
            ]
            beta = self._constant_or_node("beta", wanted, node)
            if beta.interval != EVERYTHING:
                return [a, beta, Range(self.kind, "|k|^2", (self.graph.values[node].length or EVERYTHING).square(), node.name)]
        return []

    def rank_one(self) -> list[Range]:
        """w, a and |k|^2 of Diag(w) - k (a k)^T; w, beta and |k|^2 where a is beta w."""
        for node in self.graph.nodes:
            parts = [
                self._split([b.matrix for b in found], values.get(node)) for found, values in zip(self.blocks, self.values, strict=True)
            ]
            whole = [p for p in parts if p is not None]
            if len(whole) < len(parts):
                continue
            w, a = self._constant_or_node("w", [w for w, _ in whole]), self._constant_or_node("a", [a for _, a in whole])
            square = Range(self.kind, "|k|^2", (self.graph.values[node].length or EVERYTHING).square(), node.name)
            if EVERYTHING not in (w.interval, a.interval):
                return [w, a, square]
            if any((w == 0).any() for w, _ in whole):
                continue
            beta = self._constant_or_node("beta", [a / w for w, a in whole])
            if EVERYTHING not in (w.interval, beta.interval):
                return [w, beta, square]
        return []

    def _split(self, matrices: list[np.ndarray], value: np.ndarray | None) -> tuple[np.ndarray, np.ndarray] | None:
        """The numbers w and a of Diag(w) - k (a k)^T, or of its transpose, if k, up to its sign, is among the vectors of a node."""
        if value is None or not value.ndim:
            return None
        ws, coefficients = [], []
        for A in matrices:
            if value.shape[-1] != len(A):
                return None
            fits = [s for k in value.reshape(-1, len(A)) for M in (A, A.T) if (s := _coefficients(M, k)) is not None]
            if not fits:
                return None
            ws.append(fits[0][0])
            coefficients.append(fits[0][1])
        return np.concatenate(ws), np.concatenate(coefficients)

    def _keys(self) -> Iterator[tuple[Any, list[list[float]]]]:
        """Nodes that compute vectors, the last first, among which are those of all blocks, with the squares of their norms."""
        for node in reversed([n for n in self.graph.nodes if n.op == "call_function" and name_of(n) not in MOVING]):
            lengths = [
                [_parallel(values.get(node), b.vector) for b in found] for found, values in zip(self.blocks, self.values, strict=True)
            ]
            if all(s is not None for row in lengths for s in row):
                yield node, [[float(s or 0) for s in row] for row in lengths]

    def _constant_or_node(self, name: str, wanted: list[np.ndarray], key: Any = None) -> Range:
        """What the graph proves of entries that stay in their places; else the last node that has the numbers wanted.

        A number that is equal on all draws is not yet a constant: two gates may add up to it there, or a clamp give it, and not for other weights.
        """
        found, direct = self._last(name, wanted), self.graph.direct
        if self.kind == "diagonal" and direct.is_all:
            return Range(self.kind, name, direct.factor, found.node if found.interval == direct.factor else "", by_graph=True)
        values = np.concatenate(wanted)
        if name in STAYING and direct.factor.low == direct.factor.high and _equal(values, direct.factor.low):
            return Range(self.kind, name, direct.factor)
        whole = Fraction(round(float(values[0]))) if values.size and np.isfinite(values[0]) else Fraction(0)
        if key is not None and _equal(values, whole) and self._only_keys_multiply(key):
            return Range(self.kind, name, point(whole))
        # a constant that happens to be in the graph need not be the one that meets the state
        return Range(self.kind, name, EVERYTHING) if found.interval.low == found.interval.high else found

    def _only_keys_multiply(self, key: Any) -> bool:
        """Whether all that multiplies the state, on its ways to the output, is the key or a constant: then the transition is a polynomial in the key."""
        for factor in self.graph.multipliers:
            if factor is None:
                return False
            source = _computed(factor)
            if source is not key:
                interval = self.graph.values[factor].entries
                if interval.low != interval.high:
                    return False
        return True

    def _last(self, name: str, wanted: list[np.ndarray]) -> Range:
        """Of all nodes that have the numbers wanted among their entries, or their negatives, the last: the one that meets the state.

        An earlier one may be equal on the draws alone: a gate before it is replaced for large inputs.
        """
        for node in reversed(self.graph.nodes):
            for sign in (1, -1):
                if all(_among(sign * w, values.get(node)) for w, values in zip(wanted, self.values, strict=True)):
                    entries = self.graph.values[node].entries
                    return Range(self.kind, name, entries if sign > 0 else -entries, _computed(node).name)
        return Range(self.kind, name, EVERYTHING)


def _equal(values: np.ndarray, number: Any) -> bool:
    """Whether all values are a number, within rounding."""
    size = abs(float(number))
    return bool(np.isfinite(size) and np.abs(values - float(number)).max() <= NEAR * max(1.0, size))


def _computed(node: Any) -> Any:
    """The node whose entries one only moves."""
    while node.op == "call_function" and name_of(node) in MOVING and name_of(node) != "getitem":
        node = node.args[0]
    return node


def _among(wanted: np.ndarray, value: np.ndarray | None) -> bool:
    """Whether all numbers are entries of an array."""
    if value is None or not value.size or not wanted.size:
        return False
    gaps = np.abs(wanted[:, None] - value.reshape(1, -1)).min(axis=1)
    return bool((gaps <= NEAR * np.maximum(1, np.abs(wanted))).all())


def _parallel(value: np.ndarray | None, unit: np.ndarray | None) -> float | None:
    """The square of the norm of the vector in an array that is a multiple of a unit vector; None if there is none."""
    if value is None or unit is None or not value.ndim or value.shape[-1] != len(unit):
        return None
    for v in value.reshape(-1, len(unit)):
        square = float(v @ v)
        if square > 0 and abs(abs(v @ unit) - np.sqrt(square)) <= NEAR * np.sqrt(square):
            return square
    return None


def _coefficients(A: np.ndarray, k: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """w and a with A = Diag(w) - k (a k)^T, if there are any."""
    if np.abs(k).min() <= 1e-6:
        return None
    n = len(A)
    slopes = -A / k[:, None]  # a_j k_j in every row of column j but the j-th
    off = ~np.eye(n, dtype=bool)
    means = np.array([slopes[off[:, j], j].mean() for j in range(n)])
    if np.abs((slopes - means[None, :])[off]).max() > 1e-7 * max(1.0, np.abs(means).max()):
        return None
    return np.diag(A) + k * means, means / k
