"""The micro-steps of the delta rule, H -> H - scale v (v^T H) + write v, composed exactly.

Beside the matrix runs a column for what is written. With r_j = v_j^T F_(j-1) ... F_1 the row that step j reads, k steps compose to
[I 0] - (v_1 u_1 + ... + v_k u_k), where u_j = scale_j r_j - [0 write_j] and r_j = [v_j 0] - (v_j^T v_1 u_1 + ... + v_j^T v_(j-1) u_(j-1)).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm
from typing import Any

from .effort import STEP, Effort, multiplication
from .exact import require
from .grammar import shown
from .ring import Ring, Rows, in_lowest_terms, width_of
from .whole import Whole, common_denominator, ratio


class Step:
    """A step in integers: v = vector / c, scale v v^T = (p / q) vector vector^T, write v = (t / q) vector."""

    def __init__(self, step: dict[str, Any], effort: Effort, what: str) -> None:
        self.step, self.parts = step, [Whole([[row]], what, effort) for row in (step["v"], [step["scale"]], [step["write"]])]
        c, s, w = (part.denominator for part in self.parts)
        self.q = lcm(s * c * c, w * c)
        self.beta, self.factors = ratio(step["beta"]), (self.q // (s * c * c), self.q // (w * c))
        v, _, written = self.parts
        require(v.largest, f"{what}: expected vectors that are not 0")
        require(0 <= self.beta[0] <= 2 * self.beta[1], f"{what}: expected beta in [0, 2], got {shown(step['beta'])}")
        require(self.beta[0] or not written.largest, f"{what}: expected beta > 0 where something is written, got 0")

    def sizes(self) -> tuple[list[int], int, int]:
        """(vector, p, t), the sizes of their elements."""
        v, scale, written = self.parts
        return [v.size(x) for x in self.step["v"]], self.factors[0] * scale.largest, self.factors[1] * written.largest

    def elements(self, ring: Ring) -> tuple[list[int], int, int]:
        """(vector, p, t) in a ring; they must be real."""
        rows = []
        for part, row in zip(self.parts, (self.step["v"], [self.step["scale"]], [self.step["write"]]), strict=True):
            part.enter(ring).require_real(row)
            rows.append(part.row(row))
        vector, (scale,), (write,) = rows
        return vector, self.factors[0] * scale, self.factors[1] * write


def require_composition(
    steps: Sequence[Any],
    A: Sequence[Sequence[Sequence[str] | str]],
    B: Sequence[Sequence[Sequence[Any] | str]],
    used: Whole,
    field: int,
    effort: Effort,
    what: str,
) -> None:
    """The steps, in turn, are H -> A H + B, and in each of them scale v^T v = beta lies in [0, 2]; their numbers are real.

    ``used`` are the entries of A and B (and more) in integers.
    """
    n, k = len(A), len(steps)
    effort.spend(STEP * (60 * k + k * (k + n) + n * n), what)
    steps = [Step(step, effort, what) for step in steps]
    order = field if max(part.length for part in [used, *(part for step in steps for part in step.parts)]) > 1 else 1
    size = 0 if order == 1 else largest_size(steps, used, effort, what)
    effort.hold((k + n) * (n + 1), order * (size.bit_length() + 20), what)
    ring = Ring(order, size)
    elements, used = [step.elements(ring) for step in steps], used.enter(ring)
    lengths, total, D = compose(
        [v for v, _, _ in elements], [(p, t, step.q) for (_, p, t), step in zip(elements, steps, strict=True)], -1, ring, effort, what
    )
    for step, (_, p, _), length in zip(steps, elements, lengths, strict=True):
        # p / q = scale / c^2 and length = c^2 v^T v
        require(ring.key(p * length * step.beta[1]) == ring.key(step.q * step.beta[0]), f"{what}: expected scale v^T v = beta")
    a, none = used.denominator, [0] * (n + 1)
    for i, (row, b) in enumerate(zip(A, B, strict=True)):
        wanted = [-x for x in used.row([*row, *b])]
        wanted[i] += a
        same = all(ring.key(a * x) == ring.key(D * y) for x, y in zip(total[i] if total else none, wanted, strict=True))
        require(same, f"{what}: expected steps that compose to the map")


def largest_size(steps: Sequence[Any], used: Whole, effort: Effort, what: str) -> int:
    """A bound for the sizes of all numbers that :func:`require_composition` computes."""
    sizes = [step.sizes() for step in steps]
    # max(1, p): no factor of 0 hides the size of what it multiplies
    terms = [(max(1, p), t, step.q) for (_, p, t), step in zip(sizes, steps, strict=True)]
    lengths, total, D = compose([v for v, _, _ in sizes], terms, 1, Ring(1, 0), effort, what)
    betas = [p * length * step.beta[1] + q * step.beta[0] for step, (p, _, q), length in zip(steps, terms, lengths, strict=True)]
    return sum(betas) + used.denominator * max((x for row in total for x in row), default=1) + D * (used.denominator + used.largest)


def compose(
    vectors: Sequence[Sequence[int]], terms: Sequence[tuple[int, int, int]], sign: int, ring: Ring, effort: Effort, what: str
) -> tuple[list[int], list[list[int]], int]:
    """(each vector's v^T v, total, D): the steps compose to [I 0] - total / D, shape (n, n + 1).

    With ``sign`` 1 instead of -1 every minus is a plus: on the sizes of all numbers that computes a bound for the sizes of all results.
    """
    # a common divisor of a polynomial's coefficients does not show in its number, and a bound is for what was not cancelled
    cancel = ring.order == 1 and sign == -1
    columns = [list(column) for column in zip(*vectors, strict=True)]
    n, k, gram = len(columns), len(vectors), product(vectors, columns, effort, what)
    effort.spend(k * k * (STEP + ring.cost), what)
    gram = [[ring.fold(x) for x in row] for row in gram]
    rows, denominators = Rows(n + 1), []
    for j, (vector, (p, t, q)) in enumerate(zip(vectors, terms, strict=True)):
        common = common_denominator([d for g, d in zip(gram[j], denominators, strict=False) if g], what)
        factors = [sign * g * (common // d) if g else 0 for g, d in zip(gram[j], denominators, strict=False)]
        row = [common * x + y for x, y in zip([*vector, 0], rows.combination(factors, effort, what), strict=True)]
        effort.spend((n + 1) * (STEP + ring.cost + multiplication(p.bit_length(), width_of([row]))), what)
        row = [ring.fold(p * ring.fold(x)) for x in row]
        row[-1] += sign * t * common
        row, d = in_lowest_terms(row, q * common) if cancel else (row, q * common)
        rows.append(row)
        denominators.append(d)
    D = common_denominator(denominators, what)
    total = product(columns, [[x * (D // d) for x in row] for row, d in zip(rows.rows, denominators, strict=True)], effort, what)
    return [row[j] for j, row in enumerate(gram)], total, D


def product(a: Sequence[Sequence[int]], b: Sequence[Sequence[int]], effort: Effort, what: str) -> list[list[int]]:
    """The product of two matrices of integers; none of its rows if ``b`` has none."""
    if not b:
        return []
    rows = Rows(len(b[0]), b)
    return [rows.combination(row, effort, what) for row in a]
