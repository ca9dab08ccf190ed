"""What networks with activations in depth only can and cannot keep (lizaire26, Sec. 3.3): builders for the claims around Theorem 5.

* pairs of words of positive numbers on a sphere, of which a network that computes products merges none
* the core of a network: what its states keep for ever
* a network with one discontinuous activation that multiplies all real numbers
* bounded networks: with eigenvalues 1 and -1, with memory of the beginning, and for automata that forget
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from flint import fmpq

from ...numerics import exact
from ...numerics.exact import Array
from ..activations import Activation, DepthOnly, DepthOnlyLayer, PiecewiseLinear

IDENTITY = PiecewiseLinear((), (fmpq(1),))
HALF, THIRD = fmpq(1, 2), fmpq(1, 3)

#: what the digits in base 3 do to a product: they stand for a positive number, a negative one and 0
DIGIT_SIGNS = (1, -1, 0)


def step_back(network: DepthOnly, states: Sequence[Array], x: Any) -> list[Array]:
    """The states of all layers before the input x, from those after it: h_(t-1) = V^-1 (h_t - U y_t - b), layer by layer. Raises ``ZeroDivisionError`` for singular V."""
    y, before = np.atleast_1d(np.asarray(x, dtype=object)), []
    for layer, h in zip(network.layers, states, strict=True):
        before.append(exact.inverse(layer.V) @ (h - layer.U @ y - layer.b))
        y = np.array([layer.activation(u) for u in h], dtype=object)
    return before


def step(network: DepthOnly, states: Sequence[Array], x: Any) -> list[Array]:
    """The states of all layers after the input x."""
    y, after = np.atleast_1d(np.asarray(x, dtype=object)), []
    for layer, h in zip(network.layers, states, strict=True):
        h, y = layer.step(h, y)
        after.append(h)
    return after


# -- pairs of words on a sphere ------------------------------------------------------------------------------------------------

#: two words of positive numbers, as the logarithms of their letters to base 2
Pair = tuple[list[fmpq], list[fmpq]]


def words_on_sphere(point: Sequence[fmpq], small: Sequence[tuple[fmpq, fmpq]]) -> Pair:
    """The pair of words at a point of the sphere |p_1| + ... + |p_T| = 1; at -p it is the same pair, exchanged.

    ``small`` holds for the lengths 2 .. T the logarithms of two last letters, d and d'. Going up from the equator p_T = 0, where both words
    end with 2^d, the last letter of the second falls to 2^d'; then the logarithms go in a straight line to those of (1, .., 1, 2) and (1, .., 1).
    Raises ``ValueError`` for a point off the sphere or a list of another length.
    """
    if sum((abs(c) for c in point), fmpq(0)) != 1 or len(small) != len(point) - 1:
        raise ValueError(f"expected |p| = 1 and {len(point) - 1} pairs of small letters, got {point} and {len(small)} pairs")
    if point[-1] < 0:
        one, other = words_on_sphere([-c for c in point], small)
        return other, one
    height = point[-1]
    if len(point) == 1:
        return [fmpq(1)], [fmpq(0)]
    falls, contracts = min(2 * height, fmpq(1)), max(2 * height - 1, fmpq(0))
    zeros = [fmpq(0)] * (len(point) - 1)
    one, other = words_on_sphere([c / (1 - height) for c in point[:-1]], small[:-1]) if height < 1 else (zeros, zeros)
    d, smaller = small[-1]
    first, second = [*one, d], [*other, d + falls * (smaller - d)]
    ends = [*zeros, fmpq(1)], [*zeros, fmpq(0)]
    mix = lambda word, end: [(1 - contracts) * a + contracts * b for a, b in zip(word, end, strict=True)]  # noqa: E731
    return mix(first, ends[0]), mix(second, ends[1])


def small_letters(logarithms: Sequence[fmpq]) -> list[tuple[fmpq, fmpq]]:
    """Beside each d a d' so small that 2^d f(x) > 2^d' f(x') for all pairs of words (x, x') of the length before, f the product."""
    largest, pairs = fmpq(1), []
    for d in logarithms:
        smaller = d - 1 - 2 * largest
        pairs.append((d, smaller))
        # of |log f|, one letter more
        largest += max(abs(d), abs(smaller), fmpq(1))
    return pairs


# -- what is kept for ever -----------------------------------------------------------------------------------------------------


def core(V: Array) -> tuple[Array, Array, int]:
    """(C, W, index): C V = W C with W invertible and as large as possible, and the least power from which on the rank of V stays.

    C, of shape (r, n), has r = rank V^n rows: C h is what the matrix keeps of h for ever.
    """
    powers = [exact.identity(len(V))]
    while exact.rank(powers[-1]) != exact.rank(V @ powers[-1]):
        powers.append(V @ powers[-1])
    reduced, r = exact.to_flint(powers[-1]).rref()
    C = exact.from_flint(reduced)[:r]
    W = C @ V @ right_inverse(C)
    return C, W, len(powers) - 1


def right_inverse(C: Array) -> Array:
    """C^T (C C^T)^-1, for rows that are linearly independent; of shape (n, 0) for none."""
    return C.T @ exact.inverse(C @ C.T) if len(C) else exact.zeros(C.shape[1], 0)


def settling_time(network: DepthOnly) -> int:
    """After how many equal inputs all states are a function of the cores: 0 if all V are invertible, else 1 + sum of (index - 1) over the singular ones."""
    indices = [index for index in (core(layer.V)[2] for layer in network.layers) if index > 0]
    return 1 + sum(index - 1 for index in indices) if indices else 0


def with_core_after(network: DepthOnly, start: Sequence[Array], target: Sequence[Array], x: Any, steps: int) -> list[list[Array]]:
    """[states before, states after ``steps`` inputs x]: ``start``, changed in its cores so that the cores afterwards are ``target``.

    Layer by layer: the core after the steps is W^steps times the core before, plus what the layer below sends, which is known.
    """
    inputs = [np.atleast_1d(np.asarray(x, dtype=object))] * steps
    before, after = [], []
    for layer, h, wanted in zip(network.layers, start, target, strict=True):
        C, W, _ = core(layer.V)
        change = wanted - C @ _last(layer, h, inputs)
        for _ in range(steps):
            change = exact.inverse(W) @ change if len(W) else change
        h = h + right_inverse(C) @ change
        before.append(h)
        outputs = []
        for y in inputs:
            h, out = layer.step(h, y)
            outputs.append(out)
        after.append(h)
        inputs = outputs
    return [before, after]


def _last(layer: DepthOnlyLayer, h: Array, inputs: Sequence[Array]) -> Array:
    for y in inputs:
        h, _ = layer.step(h, y)
    return h


def remember_everything(n: int, depth: int) -> DepthOnly:
    """``depth`` layers of width n with invertible V, without activations, whose states after nL inputs tell all of them.

    The V are diagonal, with nL different entries, and each unit reads the first unit of the layer below.
    """
    layers = []
    for level in range(depth):
        V = exact.zeros(n, n)
        for i in range(n):
            V[i, i] = fmpq(1, 1 + level * n + i)
        U = exact.zeros(n, 1 if level == 0 else n)
        U[:, 0] = fmpq(1)
        layers.append(DepthOnlyLayer(V, U, exact.zeros(n), exact.zeros(n), IDENTITY))
    return DepthOnly(tuple(layers), exact.zeros(1, n), exact.zeros(1))


# -- the product of all real numbers -------------------------------------------------------------------------------------------


def logarithm_with_a_jump(u: fmpq) -> fmpq:
    """log_2 |u|, and 1 more for u < 0; 0 at 0. Discontinuous at 0 only. Raises ``ValueError`` where it is irrational: off 0 and the powers of 2 of either sign."""
    if u == 0:
        return fmpq(0)
    p, q = int(abs(u).p), int(u.q)
    if p & (p - 1) or q & (q - 1):
        raise ValueError(f"expected 0 or a power of 2 with either sign, whose logarithm is rational, got {u}")
    return fmpq(p.bit_length() - q.bit_length() + (u < 0))


def power_of_two(u: fmpq) -> fmpq:
    """2^u for integers; raises ``ValueError`` for others."""
    if u.q != 1:
        raise ValueError(f"expected an integer, to stay with rational numbers, got {u}")
    return fmpq(2) ** int(u.p)


def exponential_below_zero(u: fmpq) -> fmpq:
    """u for u > 0, 2^u - 1 for u <= 0: increasing and continuous, onto (-1, infinity)."""
    return u if u > 0 else power_of_two(u) - 1


def sign_of_digits(number: int) -> int:
    """0 if a digit of the number in base 3 is 2; else 1 or -1, as the digit 1 occurs evenly or oddly often."""
    sign = 1
    while number:
        number, digit = divmod(number, 3)
        sign *= DIGIT_SIGNS[digit]
    return sign


def magnitude_or_sign(u: fmpq) -> fmpq:
    """2^u for u > 0, 1 + u from 0 down to -1, -1 - u down to -2, and at -2 - m the sign of the digits of m, linear between. Continuous."""
    if u > 0:
        return power_of_two(u)
    if u >= -2:
        return max(1 + u, -1 - u)
    place = -2 - u
    below = int(place.floor())
    return sign_of_digits(below) * (below + 1 - place) + sign_of_digits(below + 1) * (place - below)


def product_of_real_numbers(base: int = 3) -> DepthOnly:
    """x_1 ... x_t for all real numbers at every length: four layers of width 2, activations in depth only, one of them discontinuous, at 0.

    It runs, exactly, on 0 and powers of 2 of either sign.

    1. x and -8x; log_2 |u|, with a jump for u < 0, makes log_2 |x| of them and a digit: 0 for x > 0, 1 for x < 0, 2 for x = 0.
    2. The sum of the logarithms, and the number with these digits in ``base`` 3.
    3. The first is at least -1, the second is sent below -2: so one activation makes 2^(sum) of one and the sign of the product of the other.
    4. a c = ((a + c)^2 - (a - c)^2) / 4.
    """
    half, zero, none = fmpq(1, 2), exact.zeros(2, 2), exact.zeros(2)
    r = exact.rationals
    layers = (
        DepthOnlyLayer(zero, r([[1], [-8]]), none, none, logarithm_with_a_jump),
        DepthOnlyLayer(r([[1, 0], [0, base]]), r([[half, half], [half, -half]]), r([-2, 2]), none, exponential_below_zero),
        DepthOnlyLayer(zero, r([[1, 0], [0, -1]]), r([0, -2]), none, magnitude_or_sign),
        DepthOnlyLayer(zero, r([[1, 1], [1, -1]]), none, none, lambda u: u * u),
    )
    return DepthOnly(layers, r([[fmpq(1, 4), fmpq(-1, 4)]]), exact.zeros(1))


# -- bounded states ------------------------------------------------------------------------------------------------------------


def relu(u: Any) -> Any:
    """max(u, 0)."""
    return u if u > 0 else u * 0


def keep_the_beginning(decay: fmpq = THIRD) -> DepthOnly:
    """Words of 0 and 1 in bounded states: two layers of width 2 with ReLU whose second sums decay^t x_t for ever. For a decay below 1/2 it tells the word.

    Raises ``ValueError`` for a decay outside [0, 1], whose powers are no weights that ReLU lets through.
    """
    if not 0 <= decay <= 1:
        raise ValueError(f"expected a decay in [0, 1], got {decay}")
    r = exact.rationals
    # units x_t + decay^t - 1 and decay^t: ReLU makes x_t decay^t of the first
    first = DepthOnlyLayer(r([[0, decay], [0, decay]]), r([[1], [0]]), r([-1, 0]), r([0, 1]), relu)
    second = DepthOnlyLayer(r([[1, 0], [0, 0]]), exact.identity(2), exact.zeros(2), exact.zeros(2), relu)
    return DepthOnly((first, second), r([[1, 0]]), exact.zeros(1))


def sums_of_differences(signs: Sequence[int], activation: Activation, decay: fmpq = HALF) -> DepthOnly:
    """Bounded states in spite of eigenvalues 1 and -1: a filter m_t = decay m_(t-1) + x_t below, and a layer with the eigenvalue s for each sign s.

    It sums phi(m_t) - s phi(m_(t-1)) over the layer below, m_t = s m_(t-1) + ..., which gives phi(m_t) and s^t times a constant. Each layer has the units m_t and m_(t-1).
    """
    r = exact.rationals
    layers = [DepthOnlyLayer(r([[decay, 0], [1, 0]]), r([[1], [0]]), exact.zeros(2), exact.zeros(2), activation)]
    for s in signs:
        layers.append(DepthOnlyLayer(r([[s, 0], [1, 0]]), r([[1, -s], [0, 0]]), exact.zeros(2), exact.zeros(2), activation))
    return DepthOnly(tuple(layers), r([[1, 0]]), exact.zeros(1))


# -- automata that forget ------------------------------------------------------------------------------------------------------


def memory_length(delta: Sequence[Sequence[int]]) -> int | None:
    """The least i so that q.az = q.bz for all states q, letters a, b and words z of length i or more; None if there is none. ``delta[q][a]`` is the next state."""
    apart = {frozenset((row[a], row[b])) for row in delta for a in range(len(row)) for b in range(a)}
    # as many steps as there are pairs, and a pair of states has come back
    for i in range(len(delta) * (len(delta) - 1) // 2 + 1):
        apart = {pair for pair in apart if len(pair) == 2}
        if not apart:
            return i
        apart = {frozenset(delta[q][a] for q in pair) for pair in apart for a in range(len(delta[0]))}
    return None


def way_back(delta: Sequence[Sequence[int]], start: int) -> list[int]:
    """A shortest nonempty word that leads from ``start`` to itself. Raises ``ValueError`` if there is none."""
    words: dict[int, list[int]] = {}
    border: list[tuple[int, list[int]]] = [(start, [])]
    while border:
        found = [(delta[q][a], [*w, a]) for q, w in border for a in range(len(delta[q]))]
        border = []
        for q, w in found:
            if q not in words:
                words[q] = w
                border.append((q, w))
        if start in words:
            return words[start]
    raise ValueError(f"expected a way back to state {start}, as in a strongly connected automaton")


def forgetful_network(delta: Sequence[Sequence[int]], start: int) -> DepthOnly:
    """One layer whose output after each letter is the number of the automaton's state, with bounded states and a piecewise linear activation.

    A register of the last i letters, a clock (a permutation matrix) and a unit that writes both in base k; the activation looks the state up. The state after w is
    that after e^n z with the letter e = 0, z the last i letters of u..uw and n the rest's length modulo the length of u, where u leads from ``start`` to itself.
    Raises ``ValueError`` for automata that do not forget, or that cannot return to ``start``.
    """
    i, back, k = memory_length(delta), way_back(delta, start), len(delta[0])
    if i is None:
        raise ValueError("expected an automaton that forgets: after long words no letter before may matter")
    period, register = len(back), (back * (i + 1))[::-1][:i]
    values = [_state_after(delta, start, code, i, k) for code in range(k**i * period)]
    size = i + period + 1
    V, U, begin = np.zeros((size, size), dtype=object), np.zeros((size, 1), dtype=object), np.zeros(size, dtype=object)
    for j in range(i - 1):
        V[j + 1, j], V[-1, j] = 1, k ** (j + 1)
    for m in range(period):
        V[i + (m + 1) % period, i + m], V[-1, i + m] = 1, k**i * ((m + 1) % period)
    if i:
        U[0], U[-1] = 1, 1
    begin[:i], begin[i + -i % period] = register, 1
    readout = np.zeros((1, size), dtype=object)
    readout[0, -1] = 1
    zero = np.zeros(size, dtype=object)
    return DepthOnly((DepthOnlyLayer(V, U, zero, begin, lambda u: interpolated(values, u)),), readout, np.zeros(1, dtype=object))


def _state_after(delta: Sequence[Sequence[int]], start: int, code: int, i: int, k: int) -> int:
    """The state after 0^n z, for the code n k^i + (z in base k, the last letter last)."""
    n, z = divmod(code, k**i)
    letters = [z // k ** (i - 1 - j) % k for j in range(i)]
    q = start
    for a in [0] * n + letters:
        q = delta[q][a]
    return q


def interpolated(values: Sequence[Any], u: Any) -> Any:
    """The values at 0, 1, 2, ..., linear between and constant outside: Lipschitz."""
    if u <= 0 or u >= len(values) - 1:
        return values[0 if u <= 0 else -1]
    below = int(exact.rational(u).floor())
    return values[below] * (below + 1 - u) + values[below + 1] * (u - below)
