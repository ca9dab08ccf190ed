"""How a layer's states move by its affine maps, exactly."""

from operator import mul

from .effort import STEP, multiplication
from .exact import require
from .ring import Ring, pack, rounded, unpack, width_of
from .whole import Whole


class Moves:
    """The maps H -> A H + B of a layer of width n on its listed states; entries as in the file, in Q(zeta_field).

    With S = s H and A' = a A, B' = a B in integers, A H + B is the state H_j if and only if A' S + s B' = a S_j.
    """

    def __init__(self, field, states, maps, effort, what, real=True):
        n = self.width = len(states[0])
        listed, used = Whole(states, f"the states of {what}", effort), Whole([m for f in maps for m in f], f"the maps of {what}", effort)
        s, a = listed.denominator, used.denominator
        sizes = listed.size(states), used.size(f[0] for f in maps), used.size(f[1] for f in maps)
        self.ring = Ring(field, (n * sizes[1] + a) * sizes[0] + s * sizes[2] + sum(sizes))
        longest = max((len(x) for h in states for row in h for x in row if isinstance(x, list)), default=1)
        longest = max(longest, max((len(x) for f in maps for m in f for row in m for x in row if isinstance(x, list)), default=1))
        element = self.ring.bits * longest
        effort.hold(2 * n * len(states) + 2 * n * n * len(maps), 2 * element, f"the numbers of {what}")
        effort.spend(
            len(states) * len(maps) * n * (multiplication(2 * n * element, element) + STEP) + 20 * self.ring.length * n * len(states), f"the moves of {what}"
        )
        if real:
            require(all(self._is_real(listed.integers(x)) for h in states for (x,) in h), f"the states of {what}: expected real numbers, got a complex one")
            entries = [x for f in maps for m in f for row in m for x in row]
            require(all(self._is_real(used.integers(x)) for x in entries), f"the maps of {what}: expected real numbers, got a complex one")
        polynomial = self.ring.polynomial
        self.states = [[polynomial(listed.integers(x)) for (x,) in h] for h in states]
        self.number = {tuple(self.ring.key(a * x) for x in h): i for i, h in enumerate(self.states)}
        require(len(self.number) == len(states), f"the states of {what}: expected states that differ, got two alike")
        self.maps = [([[polynomial(used.integers(x)) for x in row] for row in A], [s * polynomial(used.integers(x)) for (x,) in B]) for A, B in maps]
        widest = max(width_of(A) for A, _ in self.maps) + width_of(self.states) + n.bit_length()
        self.slot = rounded(max(widest, width_of(B for _, B in self.maps)) + 3)
        self.columns = [([pack(column, self.slot) for column in zip(*A, strict=True)], pack(B, self.slot)) for A, B in self.maps]
        self.known = {}

    def _is_real(self, integers):
        return len(integers) < 2 or self.ring.key(self.ring.polynomial(integers)) == self.ring.key(self.ring.conjugate(integers))

    def after(self, i, f):
        """The index of the state that map f leads to from state i; None if it is not listed."""
        if (i, f) not in self.known:
            columns, inputs = self.columns[f]
            total = sum(map(mul, self.states[i], columns)) + inputs
            self.known[i, f] = self.number.get(tuple(map(self.ring.key, unpack(total, self.width, self.slot))))
        return self.known[i, f]
