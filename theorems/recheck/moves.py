"""How a layer's states move by its affine maps, exactly."""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul
from typing import Any

from .effort import STEP, Effort, multiplication
from .ring import Ring, pack, rounded, unpack, width_of
from .whole import Whole


class Moves:
    """The maps H -> A H + B of a layer of width n on its listed states; entries as in the file, in Q(zeta_field).

    With S = s H and A' = a A, B' = a B in integers, A H + B is the state H_j if and only if A' S + s B' = a S_j.
    """

    def __init__(
        self,
        field: int,
        states: Sequence[Sequence[Sequence[Sequence[str] | str]]],
        maps: Sequence[Any],
        effort: Effort,
        what: str,
        real: bool = True,
    ) -> None:
        n = self.width = len(states[0])
        effort.spend(STEP * (12 * len(states) + 40 * len(maps)), what)
        columns, matrices = [[x for (x,) in h] for h in states], [m for f in maps for m in f]
        listed, used = Whole([columns], f"the states of {what}", effort), Whole(matrices, f"the maps of {what}", effort)
        s, a = listed.denominator, used.denominator
        length = max(listed.length, used.length)
        ring = self.ring = Ring(
            field if length > 1 else 1, (n * used.largest + a) * listed.largest + (s + 1) * used.largest + listed.largest
        )
        element = ring.bits * length
        effort.hold(n * (len(states) + n * len(maps)), 2 * element, f"the numbers of {what}")
        slot = element if length <= 1 else 2 * element
        each = STEP + slot + multiplication(n * slot, element) + ring.cost
        effort.spend(len(states) * (len(maps) * (8 * STEP + n * each) + n * ring.cost), f"the moves of {what}")
        listed.enter(ring)
        self.used = used.enter(ring)
        if real:
            for whole, rows in ((listed, columns), (used, [row for m in matrices for row in m])):
                for row in rows:
                    whole.require_real(row)
        self.states = [listed.row(h) for h in columns]
        #: of each state the first that is equal to it
        self.first, self.number = [], {}
        for i, h in enumerate(self.states):
            self.first.append(self.number.setdefault(tuple([ring.key(a * x) for x in h]), i))
        entries = [([used.row(row) for row in A], [s * x for x in used.row([x for (x,) in B])]) for A, B in maps]
        widest = max(width_of(A) for A, _ in entries) + width_of(self.states) + n.bit_length()
        self.slot = rounded(max(widest, width_of(B for _, B in entries)) + 3)
        self.maps = [([pack(column, self.slot) for column in zip(*A, strict=True)], pack(B, self.slot)) for A, B in entries]
        self.known = {}

    def after(self, i: int, f: int) -> int:
        """The first state that is equal to what map f makes of state i; None if there is none."""
        if (i, f) not in self.known:
            columns, inputs = self.maps[f]
            total = sum(map(mul, self.states[i], columns)) + inputs
            self.known[i, f] = self.number.get(tuple(map(self.ring.key, unpack(total, self.width, self.slot))))
        return self.known[i, f]
