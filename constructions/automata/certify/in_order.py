"""Programs rounded in one named order, bit for bit the same everywhere: rows of a product from the first column to the last, then the biases in order.

Every operation is rounded to the format. So a network is a finite machine; ``program_orbits.closed_in_order`` goes through it. PyTorch's dense products
have no defined order: what is found here is of this evaluator.
"""

from __future__ import annotations

import numpy as np

from ..rounding.layer import Format
from .programs import Op, Program, answered

#: operations whose rounding is defined
TAKEN = {"state", "letter", "linear", "maps", "add", "sub", "mul", "mix", "relu", "cat", "part"}


class InOrder:
    """A program in a format. Arrays are in the format's carrier."""

    def __init__(self, program: Program, form: Format):
        self.program, self.form = program, form
        self._stored = [tuple(form.stored(x) if x.dtype.kind == "f" else x for x in op.numbers) for op in program.ops]
        H = form.stored(program.initial)[None]
        for z in program.lead:
            H, _ = self.step(H, np.array([z]))
        self.start = H[0]

    @staticmethod
    def takes(program: Program) -> bool:
        """Whether all operations have a defined rounding."""
        return all(op.name in TAKEN for op in program.ops)

    def step(self, H: np.ndarray, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(states after, answers) of states (M, n) and letters read (M,)."""
        values: list[np.ndarray] = []
        with np.errstate(all="ignore"):
            for op, numbers in zip(self.program.ops, self._stored, strict=True):
                values.append(self._value(op, numbers, [values[i] for i in op.of], H, z))
        return values[self.program.after], answered(values[self.program.scores].astype(np.float64))

    def key(self, h: np.ndarray) -> bytes:
        # 0 and -0 are one state: they compare alike and no operation here tells them apart
        return (h + h.dtype.type(0)).tobytes()

    def _value(self, op: Op, n: tuple[np.ndarray, ...], v: list[np.ndarray], H: np.ndarray, z: np.ndarray) -> np.ndarray:
        rounded = self.form.rounded
        match op.name:
            case "state":
                return H
            case "letter":
                return n[0][z]
            case "linear":
                return self._product(np.broadcast_to(n[0], (len(H), *n[0].shape)), v[0], n[1][None])
            case "maps":
                return self._product(n[0][z], v[0], n[1][z][:, None])
            case "add":
                return rounded(v[0] + v[1])
            case "sub":
                return rounded(v[0] - v[1])
            case "mul":
                return rounded(v[0] * v[1])
            case "mix":
                return rounded(rounded(v[0] * v[1]) + rounded(rounded(1 - v[0]) * v[2]))
            case "relu":
                return np.maximum(v[0], 0)
            case "cat":
                return np.concatenate(v, axis=-1)
            case _:
                return v[0][:, n[0]]

    def _product(self, A: np.ndarray, v: np.ndarray, b: np.ndarray) -> np.ndarray:
        """A v + rows of b: (M, m, k), (M, k), (M or 1, rows, m)."""
        rounded = self.form.rounded
        total = rounded(A[..., 0] * v[:, None, 0])
        for j in range(1, A.shape[-1]):
            total = rounded(total + rounded(A[..., j] * v[:, None, j]))
        for row in b.swapaxes(0, 1):
            total = rounded(total + row)
        return total
