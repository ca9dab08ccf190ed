"""A recurrent network as a short program: from the state before a letter to the state after it, and to scores.

Every network that ``certify`` reads becomes one: cells of PyTorch, layers of flash-linear-attention, those of the experiments. A program has no control
flow, so it can be run in float64 (here), enclosed with every order of sums (``enclosing.py``), or rounded in one named order (``in_order.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import NamedTuple

import numpy as np
from scipy.special import erf, expit

#: functions of one number that libraries compute within a stated error (``enclosing.LIBRARY``)
CURVES = {
    "tanh": np.tanh,
    "sigmoid": expit,
    "silu": lambda x: x * expit(x),
    "gelu": lambda x: x * (1 + erf(x / sqrt(2))) / 2,
}


class Op(NamedTuple):
    """One operation on earlier values, by their numbers ``of``; ``numbers`` are its weights, in float64.

    | name | value |
    |---|---|
    | state | the state before the letter |
    | letter | row x of a table (letters, k) |
    | linear | W v + the rows of b; W (m, k), b (rows, m) |
    | maps | A[x] v + b[x]; A (letters, m, k), b (letters, m) |
    | add, sub, mul | entry by entry |
    | mix | z v + (1 - z) w, of (z, v, w), z in [0, 1] |
    | relu, tanh, sigmoid, silu, gelu | entry by entry |
    | cat, part | joined; the entries that an array of indices names |
    | layer norm | (v - mean) / sqrt(variance + eps) w + b; w, b, [eps] |
    | rms norm | v / sqrt(mean of squares + eps) w, in groups of len(w); w, [eps] |
    """

    name: str
    of: tuple[int, ...] = ()
    numbers: tuple[np.ndarray, ...] = ()


@dataclass(eq=False)
class Program:
    """``ops`` in order; value ``after`` is the next state, value ``scores`` what is said. The first state is ``initial`` (n,).

    Scores are one per answer and the largest counts, or a single one, whose sign says answer 1 or 0. ``front[v][x]`` is (front after, letter that
    the program reads) of input letter x: a short convolution reads windows of letters, and every other network has one front, 0.
    ``lead`` are letters read before every word, such as a token that begins a text. ``dtype`` is the format that the module computes in, ``says``
    names the parts that were read, and ``taken`` what was computed in float64 and is taken as it is. ``kernels``: the module runs kernels of another library.
    """

    initial: np.ndarray
    letters: int
    ops: list[Op] = field(default_factory=list)
    after: int = -1
    scores: int = -1
    front: list[list[tuple[int, int]]] = field(default_factory=list)
    lead: tuple[int, ...] = ()
    dtype: str = "float32"
    says: str = ""
    taken: str = ""
    kernels: bool = False

    def __post_init__(self) -> None:
        self.front = self.front or [[(0, x) for x in range(self.letters)]]

    def add(self, name: str, *of: int, numbers: Sequence[np.ndarray] = ()) -> int:
        """Append an operation; the number of its value. An equal earlier one without weights is taken instead."""
        if not numbers:
            for i, op in enumerate(self.ops):
                if op.name == name and op.of == of:
                    return i
        self.ops.append(Op(name, of, tuple(np.asarray(x, dtype=np.float64 if x.dtype.kind == "f" else np.int64) for x in numbers)))
        return len(self.ops) - 1

    @property
    def width(self) -> int:
        return len(self.initial)

    @property
    def first(self) -> np.ndarray:
        """The state at the beginning of a word, after ``lead``, in float64."""
        H = self.initial[None]
        for z in self.lead:
            H = self.step(H, np.array([z]))[0]
        return H[0]

    @property
    def answers(self) -> int:
        """How many answers there are: two where there is one score."""
        found = self.step(self.initial[None], np.zeros(1, dtype=np.int64))[1].shape[-1]
        return max(2, found)

    @property
    def reads(self) -> int:
        """Letters that the program itself reads, windows included."""
        return 1 + max((*(z for row in self.front for _, z in row), *self.lead))

    def step(self, H: np.ndarray, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(states after, scores) in float64, of states (M, n) and letters read (M,)."""
        values: list[np.ndarray] = []
        for op in self.ops:
            values.append(evaluated(op, [values[i] for i in op.of], H, z))
        return values[self.after], values[self.scores]

    def run(self, words: np.ndarray) -> np.ndarray:
        """The answers in float64 after every letter of ``words`` (batch, length); -1 where no score is largest, or none is a number."""
        H, at = np.tile(self.first, (len(words), 1)), np.zeros(len(words), dtype=np.int64)
        front, said = np.array(self.front), np.empty_like(words)
        with np.errstate(all="ignore"):
            for t in range(words.shape[1]):
                at, z = front[at, words[:, t]].T
                H, scores = self.step(H, z)
                said[:, t] = answered(scores)
        return said

    def states_after(self, word: Sequence[int]) -> list[int]:
        """:meth:`run` on one word."""
        return self.run(np.array([word], dtype=np.int64).reshape(1, -1)).tolist()[0]


def answered(scores: np.ndarray) -> np.ndarray:
    """The answers that scores (M, k) say, -1 for none."""
    if scores.shape[-1] == 1:
        s = scores[:, 0]
        return np.where(s > 0, 1, np.where(s < 0, 0, -1))
    best = scores.argmax(-1)
    alone = (scores == scores.max(-1, keepdims=True)).sum(-1) == 1
    return np.where(alone & np.isfinite(scores).all(-1), best, -1)


def evaluated(op: Op, v: list[np.ndarray], H: np.ndarray, z: np.ndarray) -> np.ndarray:
    """The value of one operation in float64, (M, k)."""
    n = op.numbers
    match op.name:
        case "state":
            return H
        case "letter":
            return n[0][z]
        case "linear":
            return v[0] @ n[0].T + n[1].sum(0)
        case "maps":
            return (n[0][z] @ v[0][..., None])[..., 0] + n[1][z]
        case "add":
            return v[0] + v[1]
        case "sub":
            return v[0] - v[1]
        case "mul":
            return v[0] * v[1]
        case "mix":
            return v[0] * v[1] + (1 - v[0]) * v[2]
        case "relu":
            return np.maximum(v[0], 0)
        case "cat":
            return np.concatenate(v, axis=-1)
        case "part":
            return v[0][:, n[0]]
        case "layer norm":
            centred = v[0] - v[0].mean(-1, keepdims=True)
            return centred / np.sqrt((centred**2).mean(-1, keepdims=True) + n[2][0]) * n[0] + n[1]
        case "rms norm":
            groups = v[0].reshape(len(v[0]), -1, len(n[0]))
            return (groups / np.sqrt((groups**2).mean(-1, keepdims=True) + n[1][0]) * n[0]).reshape(v[0].shape)
        case name:
            return CURVES[name](v[0])


def affine_maps(program: Program) -> tuple[np.ndarray, np.ndarray] | None:
    """(A, B) of each letter read, (letters, n, n) and (letters, n), in float64; None unless the next state is affine in the state.

    Affine by its form: operations on what depends on the state are linear ones, sums, parts and products with what does not.
    """
    depends = [False] * len(program.ops)
    for i, op in enumerate(program.ops):
        inner = [depends[j] for j in op.of]
        depends[i] = op.name == "state" or any(inner)
    needed, waiting = set(), [program.after]
    while waiting:
        i = waiting.pop()
        if i not in needed and depends[i]:
            needed.add(i)
            op = program.ops[i]
            linear = op.name in ("state", "linear", "maps", "add", "sub", "cat", "part")
            if not (linear or (op.name == "mul" and not all(depends[j] for j in op.of)) or (op.name == "mix" and not depends[op.of[0]])):
                return None
            waiting += op.of
    n, z = program.width, np.arange(program.reads)
    # from the values at 0 and at the axes
    shift = program.step(np.zeros((len(z), n)), z)[0]
    columns = [program.step(np.tile(e, (len(z), 1)), z)[0] - shift for e in np.eye(n)]
    return np.stack(columns, axis=-1), shift
