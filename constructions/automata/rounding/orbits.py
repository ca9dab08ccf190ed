"""Proof by exhaustion in floating point: every state that a layer can reach in a data type, when each operation is rounded as it is.

Rounding is deterministic, so a layer in floating point is itself a finite automaton. If its reachable states close, and the decoder reads
all of them right, then the layer is right at every length; if not, it is right on all words as long as those that were gone through. Small
sets are the rule: a rounded rotation soon runs in a cycle.

Two kinds of arithmetic: *in order*, entry by entry as the loop and the delta rule are written, bit for bit the same on every device; and
*in any order*, where a sum counts only if it is exact however it is taken, with or without fused multiply-adds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from math import inf

import numpy as np

from ....numerics.progress import Progress, silent
from .layer import FORMATS, Format, LayerNumbers

#: floating-point states that are gone through, beyond those of the exact layer
LARGEST_ORBIT = 5000
#: entries of maps that are applied, and how many at a time
LARGEST_WORK, PIECE = 10**8, 2**22
#: maps whose products are gone through for the scan
LARGEST_MONOID = 2000


@dataclass(frozen=True)
class Search:
    """How far states are gone through: bounds on states and operations, never a clock, so that the same command prints the same lengths everywhere.

    Attributes:
        states: So many states in floating point, beyond those of the exact layer.
        progress: Called with the states met.
    """

    states: int = LARGEST_ORBIT
    progress: Progress = silent

    @property
    def work(self) -> int:
        """Entries of maps that are applied: in proportion to the states."""
        return max(1, LARGEST_WORK * self.states // LARGEST_ORBIT)


#: takes about two seconds for all lengths of a large network that do not close
DEFAULT = Search()


#: (states (M, n), maps (M,)) -> states after the maps, and which of them the arithmetic determines
Step = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]


def right_at_every_length(
    layer: LayerNumbers,
    step: Step,
    start: np.ndarray,
    read: Callable[[np.ndarray], np.ndarray] = lambda H: H,
    search: Search = DEFAULT,
) -> float:
    """inf if the states that ``step`` reaches from ``start`` (n,) close and are all read right.

    Else a length that all words may have. ``read`` is what becomes of a state before it is decoded. What a map makes of a state is
    computed once, in however many places of the walks it is met. ``search`` bounds states and operations.
    """
    walks = layer.walks
    if walks is None:
        return 0
    limit, size = search.states + 2 * len(walks.state), len(start) ** 2
    orbit = _FloatOrbit(layer, step, start, read)
    # a pair of a node and a floating-point state is one number
    seen = np.zeros(1, dtype=np.int64)
    node, state = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
    length = work = 0
    while len(node):
        leaving = walks.first[node + 1] - walks.first[node]
        edges = np.arange(leaving.sum()) + np.repeat(walks.first[node] - leaving.cumsum() + leaving, leaving)
        work += len(edges) * size
        search.progress("states in floating point", len(seen), 0)
        if work > search.work:
            return length
        to = walks.after[edges]
        moved = orbit.after(np.repeat(state, leaving), walks.maps[edges], walks.state[to])
        if moved is None:
            return length
        reached = _distinct(moved * len(walks.state) + to)
        reached = reached[seen[np.searchsorted(seen, reached) % len(seen)] != reached]
        seen = np.sort(np.append(seen, reached))
        if len(seen) > 4 * limit:
            return length
        length += 1
        if len(seen) > limit:
            return length
        state, node = np.divmod(reached, len(walks.state))
    return inf


def _distinct(x: np.ndarray) -> np.ndarray:
    """The numbers in an array, each once, in order: ``numpy.unique`` by sorting, which is faster here than by hashing."""
    x = np.sort(x)
    return x[np.append(True, x[1:] != x[:-1])] if len(x) else x


class _FloatOrbit:
    """The states that a layer meets in floating point, by number, and what its maps make of them."""

    def __init__(self, layer: LayerNumbers, step: Step, start: np.ndarray, read: Callable[[np.ndarray], np.ndarray]):
        self.layer, self.step, self.read = layer, step, read
        self.states = [start]
        self._number = {_key(start): 0}
        self._moved: dict[int, int] = {}

    def after(self, states: np.ndarray, maps: np.ndarray, true: np.ndarray) -> np.ndarray | None:
        """The states after maps; None if some is not determined, or is not read as the layer's state ``true``."""
        shape = len(self.layer.A), len(self.layer.states)
        asked, which = np.unique((states * shape[0] + maps) * shape[1] + true, return_inverse=True)
        met, piece = self._moved, 1 + PIECE // len(self.states[0]) ** 2
        new = np.array([x for x in asked.tolist() if x not in met], dtype=np.int64)
        for some in np.split(new, range(piece, len(new), piece)) if len(new) else ():
            (H, f), q = np.divmod(some // shape[1], shape[0]), some % shape[1]
            after, determined = self.step(np.array([self.states[i] for i in H]), f)
            if not (determined & _decoded(self.layer, self.read(after).astype(np.float64), q, f)).all():
                return None
            for x, h in zip(some.tolist(), after, strict=True):
                j = met[x] = self._number.setdefault(_key(h), len(self.states))
                if j == len(self.states):
                    self.states.append(h)
        return np.array([met[x] for x in asked.tolist()], dtype=np.int64)[which]


def _decoded(layer: LayerNumbers, H: np.ndarray, true: np.ndarray, f: np.ndarray) -> np.ndarray:
    """Whether of the states that the maps ``f`` lead to the true one is the nearest to H, by more than float64 can be wrong."""
    error, last_bits = np.abs(H - layer.states[true]).max(1), 2.0**-48 * max(1.0, float(np.abs(layer.states).max()))
    right = error < layer.margins[f] * (1 - 1e-9) - last_bits
    for i in np.flatnonzero(~right):
        others = [j for j in layer.reached[f[i]] if j != true[i]]
        right[i] = bool(others) and error[i] < np.abs(layer.states[others] - H[i]).max(1).min() * (1 - 1e-9) - last_bits
    return right


def _key(H: np.ndarray) -> bytes:
    # 0 and -0 are one state: they compare alike and no operation here tells them apart
    return (H + H.dtype.type(0)).tobytes()


# -- in order ----------------------------------------------------------------------------------------------------------------


def loop_step(layer: LayerNumbers, form: Format) -> Step:
    """A H + B as ``torch_module.affine_step`` computes it: the products column by column, summed from the left, B last."""
    A, B = form.stored(layer.A), form.stored(layer.B)
    moved = _moved(A)
    columns = np.ascontiguousarray(A[..., moved].transpose(2, 0, 1))

    def step(H: np.ndarray, f: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return form.rounded(_in_order(columns[:, f] * H.T[moved, :, None], form) + B[f]), np.array(True)

    return step


def delta_step(layer: LayerNumbers, form: Format) -> Step:
    """The micro-steps of a map as ``delta_rule.delta_rule`` computes them: S + k (beta (v - k^T S)), the sum from the left."""
    keys, strengths, values = (form.stored(x) for x in _padded(layer))

    def step(H: np.ndarray, f: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        for k, beta, v in zip(keys[f].swapaxes(0, 1), strengths[f].T, values[f].T, strict=True):
            moved = _moved(k)
            w = form.rounded(beta * form.rounded(v - _in_order((k[:, moved] * H[:, moved]).T, form)))
            H = H.copy()
            H[:, moved] = form.rounded(H[:, moved] + form.rounded(k[:, moved] * w[:, None]))
        return H, np.array(True)

    return step


def _in_order(products: np.ndarray, form: Format) -> np.ndarray:
    """The sum over the first axis from the left, each product and each sum rounded; what is 0 everywhere may be left out."""
    return reduce(lambda total, x: form.rounded(total + x), form.rounded(products))


def _moved(a: np.ndarray) -> np.ndarray:
    """The last indices at which some entry is not 0; the first one if there are none."""
    found = np.flatnonzero(a.reshape(-1, a.shape[-1]).any(0))
    return found if len(found) else np.zeros(1, dtype=np.int64)


def _padded(layer: LayerNumbers) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Keys (maps, J, n), strengths (maps, J) and values (maps, J) of the micro-steps, filled up with ones that do nothing."""
    longest = max(len(steps) for steps in layer.micro if steps is not None)
    keys = np.zeros((len(layer.micro), longest, layer.states.shape[1]))
    strengths, values = np.zeros(keys.shape[:2]), np.zeros(keys.shape[:2])
    for f, steps in enumerate(layer.micro):
        for j, (k, beta, v) in enumerate(steps or ()):
            keys[f, j], strengths[f, j], values[f, j] = k, beta, v
    return keys, strengths, values


# -- in any order ------------------------------------------------------------------------------------------------------------


def fused_step(layer: LayerNumbers, form: Format) -> Step:
    """The micro-steps of a map in float32 in any order, from inputs in ``form``; determined where every operation is exact."""
    single = FORMATS["float32"]
    keys, strengths, values = (single.stored(form.stored(x)).astype(np.float64) for x in _padded(layer))

    def step(H: np.ndarray, f: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        determined = np.ones(len(H), dtype=bool)
        for k, beta, v in zip(keys[f].swapaxes(0, 1), strengths[f].T, values[f].T, strict=True):
            moved = _moved(k)
            key, part = k[:, moved], H[:, moved]
            w, fine = exact_sum(np.concatenate([v[:, None], -key * part], axis=1), single)
            w, also = exact_sum((beta * w)[:, None], single)
            part, last = exact_sum(np.stack([part, key * w[:, None]], axis=-1), single)
            H = H.copy()
            H[:, moved] = part
            determined &= fine & also & last.all(1)
        return H, determined

    return step


def exact_sum(terms: np.ndarray, form: Format) -> tuple[np.ndarray, np.ndarray]:
    """The sums over the last axis of ``terms``, products of two numbers of ``form`` in float64, and which are exact in any order.

    That is so if each term is a number of ``form`` and all are multiples of one power of two, at most 2^p of it together: so is every
    partial sum. 2^-24 is no smaller than any format's least number, and products of two numbers of at most 24 bits are exact in float64.

    Raises ``ValueError`` for a format of more than 24 bits: float64 would round the sizes themselves.
    """
    if form.unit < 2.0**-24:
        raise ValueError(f"expected a format of at most 24 bits, got {form.name}")
    quantum = _last_bit(terms).min(-1)
    size = np.abs(terms).sum(-1)
    representable = (form.stored(terms) == terms).all(-1)
    return terms.sum(-1), representable & (quantum >= 2.0**-24) & (size <= quantum / form.unit) & (size <= form.largest)


def _last_bit(x: np.ndarray) -> np.ndarray:
    """The largest power of two that each number is a multiple of; inf for 0."""
    mantissa, exponent = np.frexp(x)
    whole = (mantissa * 2.0**53).astype(np.int64)
    return np.where(x == 0, inf, np.ldexp((whole & -whole).astype(np.float64), exponent - 53))


def exact_scan(layer: LayerNumbers, form: Format) -> bool:
    """Whether every composition in float32 of the layer's maps in ``form`` is exact, however they are bracketed and sums are taken.

    Matrices with one entry 1 or -1 in each column at most multiply without a sum. Otherwise the products of maps are listed; they are
    closed, and what two of them meet is a multiple of the product of their last bits. (What is exact with 24 bits is so with 53.)
    """
    form, single = form if form.name != "float64" else FORMATS["float32"], FORMATS["float32"]
    A, B, start, walks = layer.A, layer.B, layer.states[0], layer.walks
    if walks is None or not all(np.array_equal(form.stored(x), x) for x in (A, B, start)):
        return False
    f, before, after = walks.moves.T
    if not np.array_equal(np.einsum("eij,ej->ei", A[f], layer.states[before]) + B[f], layer.states[after]):
        return False
    columns = np.abs(A).sum(1)
    if not B.any() and np.isin(A, (-1, 0, 1)).all() and (columns <= 1).all():
        products = A[:1] * 0 + 1
    else:
        found = _products(A, B)
        if found is None:
            return False
        A, B = found
        products = A
    row, entry = float(np.abs(products).sum(2).max()), float(np.abs(products).max())
    shift = max(float(np.abs(B).max()), float(np.abs(start).max()))
    bit = min(1.0, float(_last_bit(A).min()))
    bit_of_shift = min(1.0, float(_last_bit(B).min()), float(_last_bit(start).min()))
    room = 1 / single.unit
    return (
        min(bit * bit, bit * bit_of_shift) >= 2.0**-24
        and row * entry <= room * bit * bit
        and row * shift + shift <= room * bit * bit_of_shift
    )


def _products(A: np.ndarray, B: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """All compositions of the maps, (K, n, n) and (K, n), if float64 holds them exactly and they are not too many."""
    found: dict[bytes, tuple[np.ndarray, np.ndarray]] = {}
    waiting = list(zip(A, B, strict=True))
    for a, b in waiting:
        key = (np.concatenate([a.ravel(), b]) + 0.0).tobytes()
        if key in found:
            continue
        found[key] = a, b
        # multiples of 2^-12 below 2^8: their products and sums are exact in float64
        entries = np.append(a, b)
        if len(found) > LARGEST_MONOID or _last_bit(entries).min() < 2.0**-12 or np.abs(entries).max() > 2.0**8:
            return None
        waiting += [(c @ a, c @ b + d) for c, d in zip(A, B, strict=True)]
    return np.array([a for a, _ in found.values()]), np.array([b for _, b in found.values()])
