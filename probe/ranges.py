"""Where the numbers of a transition lie for all weights and inputs: the node of the graph that is the number, and its interval.

That a node *is* the number is seen on draws of weights and inputs, not proved; the interval of a node holds for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np
import torch

from .affine import ROUNDINGS, transition
from .graph import SCALE, Graph
from .intervals import EVERYTHING, Interval, point, shown
from .operations import MOVING, name_of, shape_of
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

#: what a I - beta k p^T is called
READ_FIRST = "a I - beta k p^T"

#: one draw: the blocks of A(x), and the values of the nodes
Seen = tuple[list[Block], dict[Any, np.ndarray]]


@dataclass(frozen=True)
class Range:
    """Where a number of the transition lies, and the node that it is.

    Attributes:
        kind: The kind of matrix whose number it is.
        name: "diagonal entries", "modulus", "nonzero entries", "a", "beta", "b", "|k|^2", "p.k" or "w".
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
        yield blocks(A, zero(step) * max(1.0, float(np.abs(A).max()))), values


def zero(step: Step) -> float:
    """Below which an entry of a transition counts as 0, beside the largest: in other formats than float64 a hundred roundings."""
    return ZERO if step.dtype == torch.float64 else ROUNDINGS * torch.finfo(step.dtype).eps / 2


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
            else search.delta_rule() or search.read_before_the_gate()
            if kind == "a (I - beta k k^T)"
            else search.oblique()
            if kind == "a (I - u v^T)"
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

    def read_before_the_gate(self) -> list[Range]:
        """a, beta and p.k of a I - beta k p^T, where p is a multiple of k: a state that is read before its gate acts."""
        a = self._constant_or_node("a", [np.array([b.facts["a"] for b in found]) for found in self.blocks])
        erased = [np.array([b.facts["a"] * b.facts["beta"] for b in found]) for found in self.blocks]
        for (k, squares), (p, others) in permutations(self._keys(), 2):
            lengths = [np.sqrt(np.array(x) * np.array(y)) for x, y in zip(squares, others, strict=True)]
            beta = self._constant_or_node("beta", [c / x for c, x in zip(erased, lengths, strict=True)])
            if EVERYTHING in (a.interval, beta.interval):
                continue
            most = (self.graph.values[k].length or EVERYTHING) * (self.graph.values[p].length or EVERYTHING)
            together = most if _stem(self.graph, k) is _stem(self.graph, p) else (-most).hull(most)
            return [Range(READ_FIRST, r.name, r.interval, r.node) for r in (a, beta)] + [
                Range(READ_FIRST, "p.k", together, f"{k.name} and {p.name}")
            ]
        return []

    def oblique(self) -> list[Range]:
        """a, beta and p.k of a (I - beta p k^T), where p is k times a nonnegative number for each entry: p.k is a sum of these with weights k^2."""
        a = self._constant_or_node("a", [np.array([b.facts["a"] for b in found]) for found in self.blocks])
        for node in self.graph.nodes:
            for key, by in self._products(node):
                times, length = self.graph.values[by].entries, self.graph.values[key].length
                inner = [self._inner(found, values, node, key) for found, values in zip(self.blocks, self.values, strict=True)]
                if length is None or any(i is None for i in inner):
                    continue
                wanted = [np.array([b.facts["beta"] for b in f]) / i for f, i in zip(self.blocks, inner, strict=True)]
                beta = self._constant_or_node("beta", wanted)
                if EVERYTHING not in (a.interval, beta.interval):
                    return [a, beta, Range(self.kind, "p.k", length.square() * times, f"{node.name} and {key.name}")]
        return []

    def _inner(self, found: list[Block], values: dict[Any, np.ndarray], p: Any, k: Any) -> np.ndarray | None:
        """p.k of each block a (I - beta p k^T), if the two nodes have its vectors."""
        first, second = values.get(p), values.get(k)
        if first is None or second is None or first.shape != second.shape:
            return None
        inner = []
        for b in found:
            left, _, right = np.linalg.svd(b.facts["a"] * np.eye(len(b.matrix)) - b.matrix)
            fits = _parallel(first, left[:, 0]) is not None and _parallel(second, right[0]) is not None
            if not fits or first.size != len(b.matrix) * (first.size // len(b.matrix)):
                return None
            rows = zip(first.reshape(-1, len(b.matrix)), second.reshape(-1, len(b.matrix)), strict=True)
            inner.append(next(float(x @ y) for x, y in rows if _parallel(x, left[:, 0]) is not None))
        return np.array(inner)

    def rank_one(self) -> list[Range]:
        """w, a and |k|^2 of Diag(w) - k (a k)^T; where a is beta w, w, beta and |k|^2; where it is b w entry by entry, w, b and |k|^2."""
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
            ratios = [a / w for w, a in whole]
            beta = self._constant_or_node("beta" if self._one_to_a_block(ratios) else "b", ratios)
            if EVERYTHING not in (w.interval, beta.interval):
                return [w, beta, square]
            for key, times in self._products(node):
                beta = self._constant_or_node("beta", self._times(ratios, times))
                inner = (self.graph.values[key].length or EVERYTHING).square() * self.graph.values[times].entries
                if EVERYTHING not in (w.interval, beta.interval, inner):
                    return [w, beta, Range(self.kind, "p.k", inner, f"{node.name} and {key.name}")]
        return []

    def _products(self, node: Any) -> Iterator[tuple[Any, Any]]:
        """The vectors and nonnegative numbers, entry by entry, whose product a node is."""
        if node.op == "call_function" and name_of(node) == "mul":
            for key, times in permutations([n for n in node.args if isinstance(n, torch.fx.Node)], 2):
                if self.graph.values[times].entries.low >= 0 and shape_of(key) == shape_of(times):
                    yield key, times

    def _times(self, ratios: list[np.ndarray], node: Any) -> list[np.ndarray]:
        """Numbers of all blocks times those of a node, the row of it after which each block has one number; none for a block without such a row."""
        result = []
        for numbers, found, values in zip(ratios, self.blocks, self.values, strict=True):
            ends = np.cumsum([len(b.matrix) for b in found])[:-1]
            multiplied = []
            for part in np.split(numbers, ends):
                rows = values.get(node, np.zeros((0, len(part)))).reshape(-1, len(part))
                one = [part * row for row in rows if _equal(part * row, (part * row)[0])]
                multiplied.append(one[0] if one else np.full(1, np.nan))
            result.append(np.concatenate(multiplied))
        return result

    def _one_to_a_block(self, numbers: list[np.ndarray]) -> bool:
        """Whether all coordinates of each block have one number."""
        ends = [np.cumsum([len(b.matrix) for b in found])[:-1] for found in self.blocks]
        parts = [part for values, end in zip(numbers, ends, strict=True) for part in np.split(values, end)]
        return all(_equal(part, part[0]) for part in parts)

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


def _stem(graph: Graph, node: Any) -> Any:
    """The node whose vectors are multiplied by nonnegative numbers, one to a vector, to give those of a node."""
    while True:
        node = _computed(node)
        if node.op != "call_function" or name_of(node) not in ("mul", "div", "true_divide"):
            return node
        first, second = node.args[:2]
        if name_of(node) == "mul" and _scales(graph, first):
            first, second = second, first
        if not _scales(graph, second):
            return node
        node = first


def _scales(graph: Graph, argument: Any) -> bool:
    """Whether an argument is a nonnegative number for each vector along the last axis."""
    if not isinstance(argument, torch.fx.Node):
        return isinstance(argument, int | float) and argument >= 0
    while argument.op == "call_function" and name_of(argument) == "expand":
        argument = argument.args[0]
    return shape_of(argument)[-1:] in ((), (1,)) and graph.values[argument].entries.low >= 0


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
