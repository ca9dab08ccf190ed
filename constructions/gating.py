"""Selective gates, how long they stay open, and position encodings by linear attention (movahedi25, App. C and D.3.1).

A gate lambda_t = sigma(w'x_t + b) with x_t ~ N(0, I) depends on |w| and b alone: w'x_t is |w| times a standard Gaussian.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

import numpy as np
from flint import acb, arb, fmpq

from ..numerics import exact
from ..numerics.exact import Array
from .recurrence import Recurrence

#: the level above which the paper calls a gate open
LEVEL = fmpq(99, 100)

Token = TypeVar("Token", bound=Hashable)


def normal_cdf(x: arb) -> arb:
    """Phi(x), the probability that a standard Gaussian is at most x, as a ball."""
    return (-x / arb(2).sqrt()).erfc() / 2


def logit(p: fmpq) -> arb:
    """ln(p / (1 - p)), the inverse of the sigmoid, for 0 < p < 1; 1 - p is formed exactly."""
    if not 0 < p < 1:
        raise ValueError(f"expected a level between 0 and 1, got {p}")
    return arb(p / (1 - p)).log()


def expected_run(b: Any, size: Any, level: fmpq = LEVEL) -> arb:
    """E[number of steps before the gate first falls to ``level`` or below] = Phi(-a) / Phi(a), a = (logit(level) - b) / size, size = |w| > 0.

    Raises ``ValueError`` for a size that is not positive: at w = 0 the gate never moves, and the run is 0 or without end.
    """
    if not arb(size) > 0:
        raise ValueError(f"expected |w| > 0, got {size}: at w = 0 the run is infinite if b > logit(level) and 0 if not")
    a = (logit(level) - arb(b)) / arb(size)
    return normal_cdf(-a) / normal_cdf(a)


def sampled_runs(seed: int, draws: int, w: Sequence[float], b: float, level: float = 0.99, block: int = 64) -> np.ndarray:
    """Lengths of ``draws`` independent runs, from the gates themselves: x_t standard Gaussian, lambda_t = sigma(w'x_t + b), until lambda_t <= level."""
    rng, weights = np.random.default_rng(seed), np.asarray(w, dtype=float)
    runs, going = np.zeros(draws, dtype=int), np.arange(draws)
    while len(going):
        gates = 1 / (1 + np.exp(-(rng.standard_normal((len(going), block, len(weights))) @ weights + b)))
        closed = gates <= level
        first = np.where(closed.any(axis=1), closed.argmax(axis=1), block)
        runs[going] += first
        going = going[first == block]
    return runs


def gaussian_mean(f: Callable[[acb, bool], acb], bound: arb) -> arb:
    """E f(Z), Z standard Gaussian, as a ball: Arb's integral over [-20, 20], and beyond it |f(z)| <= ``bound`` e^(|z| - 20).

    ``f(z, analytic)`` must not be finite where ``analytic`` is asked for and f is not holomorphic on the box z.
    """
    scale = (2 * acb.pi()).sqrt()
    inside = acb.integral(lambda z, analytic: f(z, analytic) * (-z * z / 2).exp() / scale, -20, 20).real
    # e^(z - 20 - z^2/2) <= e^(-200 - 19 (z - 20)) for z >= 20: the tails hold less than bound e^(-200)
    return inside + bound * arb(-200).exp() * arb(0, 1)


def mean_gate(b: Any, size: Any) -> arb:
    """E sigma(b + size Z): the mean of the gate."""
    return gaussian_mean(lambda z, _: 1 / (1 + (-(acb(b) + acb(size) * z)).exp()), arb(1))


def mean_log_gate(b: Any, size: Any) -> arb:
    """E ln sigma(b + size Z): the typical rate at which a product of gates decays, per step."""
    # |ln sigma(u)| <= 1 + |u|
    bound = 1 + abs(arb(b)) + 20 * arb(size)
    return gaussian_mean(lambda z, analytic: -(1 + (-(acb(b) + acb(size) * z)).exp()).log(analytic=analytic), bound)


# -- position encodings by linear attention (App. C.2) ---------------------------------------------------------------------


def linear_attention(
    key: Callable[[Any], Array], query: Callable[[Any], Array], value: Callable[[Any], Array], n: int, d: int
) -> Recurrence:
    """h_t = h_(t-1) + key(x_t) value(x_t)', y_t = query(x_t)' h_t: a state of shape (n, d), n for keys and queries, d for values."""
    return Recurrence(
        lambda x: exact.identity(n),
        lambda x: np.outer(key(x), value(x)),
        exact.zeros(n, d),
        lambda H, x: query(x) @ H,
    )


def copying_sequence(tokens: Sequence[Token], delimiter: Token) -> list[Token]:
    """x_1 .. x_n, the delimiter, x_1 .. x_(n-1): what a model has read when it has copied x_1 .. x_n."""
    return [*tokens, delimiter, *tokens[:-1]]


def one_sequence_layer(length: int) -> tuple[Recurrence, list[int]]:
    """(layer, sequence): linear attention whose keys and queries depend on the current token alone and whose outputs p_t repeat with period ``length``,
    for the one sequence of tokens 1 .. length and delimiter 0, embedded as unit vectors.

    The keys are unit vectors; the query of token j has the product 2^(j-i) with the keys i <= j, 1 with the next and 0 with all others.
    """
    if length < 1:
        raise ValueError(f"expected a length of 1 or more, got {length}")
    one = exact.identity(length + 1)
    products = exact.zeros(length + 1, length + 1)
    for j in range(length + 1):
        for i in range(1, length + 1):
            products[j, i] = fmpq(2) ** (j - i) if i <= j else fmpq(int(i == j + 1))
    layer = linear_attention(lambda x: one[x], lambda x: products[x], lambda x: one[x], length + 1, length + 1)
    return layer, copying_sequence(range(1, length + 1), 0)


def state_dependent_copy(sequence: Sequence[Array], length: int, before: Array | None = None) -> list[Array]:
    """p_t = x_((t - 1) mod length + 1) by h_t = h_(t-1) + B_t x_t', p_t = C_t' h_t, where B_t and C_t depend on h_(t-1) alone.

    B_t is the unit vector of the first empty row, so the filled rows count the steps, and C_t reads the row of ``length`` steps ago, if there is one.
    ``before`` is h_0, of shape (rows, d) with enough empty rows at its end; zero with a row for each token if left out. No token may be zero.
    """
    h = exact.zeros(len(sequence), len(sequence[0])) if before is None else before
    n, outputs = len(h), []
    for x in sequence:
        if not any(x):
            raise ValueError("expected tokens other than zero, got a zero vector")
        filled = sum(any(row) for row in h)
        h = h + np.outer(exact.unit_vector(n, filled), x)
        outputs.append(exact.unit_vector(n, filled % length) @ h)
    return outputs


def copy_with_positions(length: int, tokens: int) -> Recurrence:
    """The second layer of App. C.2: letters (position, token), position 0 .. length - 1; the output is the token stored first under the position of the letter.

    Keys and queries are the positions, values the tokens (unit vectors, ``tokens`` of them); the current token is taken off again.
    """
    places, names = exact.identity(length), exact.identity(tokens)
    layer = linear_attention(lambda x: places[x[0]], lambda x: places[x[0]], lambda x: names[x[1]], length, tokens)
    return Recurrence(layer.transition, layer.inputs, layer.initial, lambda H, x: layer.decode(H, x) - names[x[1]])
