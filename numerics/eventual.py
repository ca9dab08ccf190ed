"""What a recurrence in the cast model does for ever on an eventually periodic input, computed and not guessed.

This is the proof of grazzi25 Theorems 1 and 2 (App. B.1, B.2) carried out in exact arithmetic: along each residue class
of time every term is  M C^j V  with C the product of the transitions over one period; the Jordan form of C turns the
entries into exponential sums, whose casts are eventually 2-periodic (Lemma 1); the sum of these is linear in j along
even and along odd j, so that its cast settles too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, cycle, islice

import numpy as np
from flint import fmpq

from .exact import Array, identity, multiply, zeros
from .exponential_sums import ExponentialSum
from .finite_precision import FiniteSet, cast_model_states
from .jordan import JordanForm, jordan_form

Step = tuple[Array, Array]


@dataclass(frozen=True)
class Eventually:
    """The states are periodic from time ``threshold`` on: state(t) = cycle[(t - threshold) % len(cycle)].

    ``transient`` holds the states at times 0 .. threshold - 1; ``settled`` is the index j (periods of the input after its
    preperiod) from which the cast of every single term is 2-periodic.
    """

    transient: list[Array]
    cycle: list[Array]
    settled: int
    monodromy: JordanForm

    @property
    def threshold(self) -> int:
        return len(self.transient)

    @property
    def period(self) -> int:
        """The least period of the cycle."""
        n = len(self.cycle)
        return next(p for p in range(1, n + 1) if n % p == 0 and all(np.array_equal(self.cycle[i], self.cycle[i % p]) for i in range(n)))

    def state(self, t: int) -> Array:
        """The state after t letters, for every t >= 0."""
        return self.transient[t] if t < self.threshold else self.cycle[(t - self.threshold) % len(self.cycle)]


def eventual_states(before: Sequence[Step], period: Sequence[Step], initial: Array, D: FiniteSet) -> Eventually:
    """The states of the cast model for all times, on the steps ``before`` followed by ``period`` for ever.

    Steps are pairs (A, B) of rational matrices, shapes (n, n) and (n, d); ``initial`` has shape (n, d). Raises
    ``ValueError`` if the product of the transitions over one period has an irrational eigenvalue, or ``period`` is empty.
    """
    if not period:
        raise ValueError("expected a period of at least one step, got an empty one")
    terms = [initial]
    for transition, inputs in before:
        terms = [multiply(transition, term) for term in terms] + [inputs]
    n, p = len(initial), len(period)
    monodromy = jordan_form(_product(period, n))
    residues = [_residue(period, r, terms, monodromy, D) for r in range(p)]
    settled = max(residue.settled for residue in residues)
    last = max(residue.last(settled) for residue in residues)
    threshold = len(before) + p * last
    steps = chain(before, cycle(period))
    states = list(islice(cast_model_states(steps, initial, D), threshold + 2 * p))
    return Eventually(states[:threshold], states[threshold:], settled, monodromy)


def _product(steps: Sequence[Step], n: int) -> Array:
    """A(w_last) ... A(w_first)."""
    product = identity(n)
    for transition, _ in steps:
        product = multiply(transition, product)
    return product


@dataclass(frozen=True)
class _Residue:
    """The terms of the state at times |before| + p j + r, entry by entry, as sequences in j."""

    constant: Array
    fixed: list[Array]  # arrays of ExponentialSum: one cast each
    accumulated: list[Array]  # arrays of ExponentialSum: the sum of their casts at 0 .. j-1
    D: FiniteSet

    @property
    def settled(self) -> int:
        """From this j on every single cast is 2-periodic."""
        return max((self.D.settles(s)[0] for terms in self.fixed + self.accumulated for s in terms.flat), default=0)

    def last(self, settled: int) -> int:
        """From this j >= ``settled`` on the cast of the sum of all terms is 2-periodic as well."""
        start = settled + settled % 2
        entries = np.ndindex(self.constant.shape)
        return max([start] + [self.D.settles(self._argument(index, start))[0] for index in entries])

    def _argument(self, index: tuple[int, ...], start: int) -> ExponentialSum:
        """The argument of the outer cast for j >= ``start`` (even): linear in j plus a 2-periodic part."""
        total, alternating, slope = self.constant[index], fmpq(0), fmpq(0)
        for terms in self.fixed:
            _, (even, odd) = self.D.settles(terms[index])
            total, alternating = total + (even + odd) / 2, alternating + (even - odd) / 2
        for terms in self.accumulated:
            _, (even, odd) = self.D.settles(terms[index])
            head = sum((self.D.cast_scalar(terms[index](q)) for q in range(start)), fmpq(0))
            # sum over q in start .. j-1: (even + odd)/2 each, plus (even - odd)/2 left over when j is odd
            slope = slope + (even + odd) / 2
            total = total + head - start * (even + odd) / 2 + (even - odd) / 4
            alternating = alternating - (even - odd) / 4
        one = fmpq(1)
        return ExponentialSum({(one, 1): slope, (one, 0): total, (-one, 0): alternating})


def _residue(period: Sequence[Step], r: int, terms: list[Array], monodromy: JordanForm, D: FiniteSet) -> _Residue:
    n = len(terms[0])
    head = _product(period[:r], n)
    constant = zeros(*terms[0].shape)
    accumulated = []
    for s, (_, inputs) in enumerate(period, start=1):
        if s <= r:
            # injected in the current period: its cast does not depend on j
            constant = constant + D.cast(multiply(_product(period[s:r], n), inputs))
        accumulated.append(monodromy.power_entries(head, multiply(_product(period[s:], n), inputs)))
    return _Residue(constant, [monodromy.power_entries(head, v) for v in terms], accumulated, D)
