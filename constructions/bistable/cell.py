"""The bistable memory recurrent unit (degeeter26): the hysteresis behind it, its approximations (Eqs. 8 to 10), and the layer (Eq. 11).

The hysteresis part works in rigorous balls (Arb); the unit's part has no number type of its own and is exact on rationals.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from flint import arb

from ...numerics import exact
from ...numerics.aliases import Key
from ..architectures import bmru
from ..recurrence import Recurrence

Array = np.ndarray

# -- the hysteresis: h = tanh(x + (beta + 1) h) ------------------------------------------------------------------------------


def update(h: arb, x: Any, beta: Any, c: Any) -> arb:
    """One tick of the internal clock: (1 - c) h + c tanh(x + (beta + 1) h) (Eq. 4b)."""
    return (1 - arb(c)) * h + arb(c) * (arb(x) + (arb(beta) + 1) * h).tanh()


def steady_input(h: arb, beta: Any) -> arb:
    """The one input at which h in (-1, 1) is an equilibrium: artanh(h) - (beta + 1) h, Eq. 5 solved for x."""
    return arb(h).atanh() - (arb(beta) + 1) * arb(h)


def fold_state(beta: Any) -> arb:
    """The state at the folds, sqrt(beta / (beta + 1)) for beta > 0: there artanh(h) - (beta + 1) h turns round."""
    # beta once, so that wide balls stay tight
    return (1 / (1 + 1 / arb(beta))).sqrt()


def fold_input(beta: Any) -> arb:
    """x_f = sqrt(beta (beta + 1)) - arcsinh(sqrt(beta)) for beta > 0: two stable equilibria exactly for |x| < x_f."""
    beta = arb(beta)
    return (beta * (beta + 1)).sqrt() - beta.sqrt().asinh()


def equilibria(x: Any, beta: Any, width: float = 1e-12) -> list[arb]:
    """Balls around all solutions h of h = tanh(x + (beta + 1) h), in increasing order, of radius ``width`` or what the precision in ``flint.ctx`` can tell.

    Between the folds the steady input is monotone, so that bisection finds the one solution of each piece. Raises ``ArithmeticError`` where
    the balls cannot tell x from a fold.
    """
    x, beta = arb(x), arb(beta)
    if beta > 0:
        h, f = fold_state(beta), fold_input(beta)
        if not (abs(x) < f or abs(x) > f):
            raise ArithmeticError(f"expected an input away from the folds at +-{f.str(8)}, got {x.str(8)}: more bits, or another input")
        pieces = [p for p, there in (((-1, -h, 1), x < f), ((-h, h, -1), abs(x) < f), ((h, 1, 1), x > -f)) if there]
    else:
        pieces = [(-1, 1, 1)]
    return [_bisect(x, beta, arb(low), arb(high), slope, width) for low, high, slope in pieces]


def _bisect(x: arb, beta: arb, low: arb, high: arb, slope: int, width: float) -> arb:
    """A ball around the zero of steady_input - x in (low, high): pushed in from both ends as far as signs are certain."""
    ends = []
    for side in (-1, 1):
        a, b = low.lower(), high.upper()
        while b - a > width / 2:
            middle = ((a + b) / 2).mid()
            beyond = (steady_input(middle, beta) - x) * slope * side > 0
            a, b = (a, middle) if beyond == (side > 0) else (middle, b)
        ends.append(b if side > 0 else a)
    return ends[0].union(ends[1])


def count_zeros(g: Callable[[arb], arb], slope: Callable[[arb], arb], low: Any, high: Any, pieces: int = 400) -> int | None:
    """How many zeros g has in [low, high], by certified bisection; None if so many ``pieces`` do not decide.

    The interval is cut until on every piece g has one sign or g' has one. A run of pieces where g' has the same sign holds exactly one zero
    if the signs of g before and after it differ, and none otherwise. The functions may carry balls of parameters: the number then holds for
    every point of them.
    """
    ends = [_sign(g(arb(low))), _sign(g(arb(high)))]
    todo, marks = [(arb(low), arb(high))], []  # marks, in order: ("g", sign) or ("g'", sign)
    while todo:
        a, b = todo.pop()
        whole = a.union(b)
        value = _sign(g(whole))
        rises = 0 if value else _sign(slope(whole))
        if value or rises:
            marks.append(("g", value) if value else ("g'", rises))
            continue
        pieces -= 1
        if pieces < 0:
            return None
        middle = ((a + b) / 2).mid()
        todo += [(middle, b), (a, middle)]
    marks, found, last, run = [*marks, ("g", ends[1])], 0, ends[0], 0
    for kind, value in marks:
        if kind == "g":
            if not (last and value) or (run == 0 and last != value):
                return None
            found += last != value
            last, run = value, 0
        elif run not in (0, value):
            return None
        else:
            run = value
    return found


def _sign(ball: arb) -> int:
    """1 or -1 if certain, 0 if the ball holds 0."""
    return 1 if ball > 0 else -1 if ball < 0 else 0


# -- the unit ----------------------------------------------------------------------------------------------------------------


def sign(x: Any) -> int:
    """S of the paper, with S(0) = 1."""
    return 1 if x >= 0 else -1


def heaviside(x: Any) -> int:
    """H with H(0) = 1, which Eq. 9 needs: at |x| = beta the state is written."""
    return 1 if x >= 0 else 0


def approximation(h: Any, x: Any, beta: Any, alpha: Any) -> Any:
    """Eq. 8: outside the memory region the sign of x; inside, the side of the line h = -x / beta on which h lies."""
    return alpha * sign(x) if abs(x) >= beta else alpha * sign(h + x / beta)


def simplified(h: Any, x: Any, beta: Any, alpha: Any) -> Any:
    """Eq. 9: outside the memory region the sign of x; inside, h."""
    return alpha * sign(x) if abs(x) >= beta else h


def gated(h: Any, x: Any, beta: Any, alpha: Any, gate: Callable[[Any], Any] = heaviside) -> Any:
    """Eq. 10: the same with a binary gate."""
    z = gate(abs(x) - beta)
    return z * sign(x) * alpha + (1 - z) * h


@dataclass(frozen=True)
class BMRU:
    """A layer of n bistable memory recurrent units on m inputs (Eq. 11): ``W_x``, ``W_beta`` of shape (n, m), ``b_x``, ``b_beta``, ``alpha`` (n,)."""

    W_x: Array
    b_x: Array
    W_beta: Array
    b_beta: Array
    alpha: Array

    def __post_init__(self) -> None:
        n, m = np.shape(self.W_x)
        shapes = [np.shape(a) for a in (self.b_x, self.W_beta, self.b_beta, self.alpha)]
        if shapes != [(n,), (n, m), (n,), (n,)]:
            raise ValueError(f"expected b_x, W_beta, b_beta, alpha of shapes {(n,)}, {(n, m)}, {(n,)}, {(n,)}, got {shapes}")

    def candidate(self, x: Array) -> Array:
        """h-hat of Eq. 11a."""
        return self.W_x @ x + self.b_x

    def threshold(self, x: Array) -> Array:
        """beta of Eq. 11b, nonnegative."""
        return abs(self.W_beta @ x + self.b_beta)

    def gate(self, x: Array) -> Array:
        """z of Eq. 11c: 1 writes, 0 keeps."""
        return np.array([heaviside(abs(h) - b) for h, b in zip(self.candidate(x), self.threshold(x), strict=True)], dtype=object)

    def written(self, x: Array) -> Array:
        """S(h-hat) alpha: what is stored where the gate is 1."""
        return np.array([sign(h) for h in self.candidate(x)], dtype=object) * self.alpha

    def recurrence(self, initial: Array, decode: Callable[[Array, Any], Any] = lambda H, x: tuple(H[:, 0])) -> Recurrence:
        """The layer as a recurrence on vectors of shape (m,): A = Diag(1 - z), B = z S(h-hat) alpha; ``initial`` has shape (n,)."""
        start = np.asarray(initial, dtype=object)[:, None]
        return Recurrence(lambda x: bmru(1 - self.gate(x)), lambda x: (self.gate(x) * self.written(x))[:, None], start, decode)


def flip_flops(
    actions: Mapping[Key, Sequence[int]], initial: Sequence[int], decode: Callable[[Array, Any], Any] = lambda H, x: tuple(H[:, 0])
) -> Recurrence:
    """A layer over a finite alphabet that sets (+1), resets (-1) or keeps (0) each unit as ``actions[letter]`` says; ``initial`` entries are +-1.

    The weights of Eq. 11 on one-hot letters: candidate 2, -2 or 0 against the threshold 1, alpha = 1.
    """
    maps = _flip_flop_maps(len(initial), tuple(map(tuple, actions.values())))
    return Recurrence.from_table(dict(zip(actions, maps, strict=True)), exact.rationals(list(initial))[:, None], decode)


@lru_cache(maxsize=1024)
def _flip_flop_maps(n: int, actions: tuple[tuple[int, ...], ...]) -> list[tuple[Array, Array]]:
    """(A, B) of the layer of n units for each letter, from its weights."""
    W = 2 * exact.rationals(list(zip(*actions, strict=True))) if n and actions else exact.zeros(n, len(actions))
    unit = BMRU(W, exact.zeros(n), W * 0, exact.zeros(n) + 1, exact.zeros(n) + 1)
    layer = unit.recurrence(exact.zeros(n))
    one_hot = [exact.unit_vector(len(actions), j) for j in range(len(actions))]
    return [(layer.transition(x), layer.inputs(x)) for x in one_hot]


# -- its gradient ------------------------------------------------------------------------------------------------------------


def surrogate_slope(x: Any, sharpness: Any = 1, pi: Any = None) -> Any:
    """Eq. 12: 1 / (1 + (alpha_surr pi x)^2), in balls; given a ``pi`` (SymPy's, say), in the arithmetic of the numbers given."""
    if pi is None:
        x, sharpness, pi = arb(x), arb(sharpness), arb.pi()
    scaled = sharpness * pi * x
    # not ** 2, which Arb takes through a logarithm
    return 1 / (1 + scaled * scaled)


def gradients(
    candidates: Sequence[Any], thresholds: Sequence[Any], initial: Any, alpha: Any, slope: Callable[[Any], Any] = surrogate_slope
) -> tuple[Any, Any]:
    """(d h_T / d h-hat_1, d h_T / d beta_1) of one unit with the paper's surrogates, forward along the sequence.

    H' is ``slope``, S' is 2 ``slope`` and |x|' is S(x) (torch has 0 at 0); with exact entries nothing is rounded but the slopes.
    """
    by_candidate, by_threshold = 0, 0
    for t, (x, beta) in enumerate(zip(candidates, thresholds, strict=True)):
        s, z = sign(x), heaviside(abs(x) - beta)
        by_candidate, by_threshold = (1 - z) * by_candidate, (1 - z) * by_threshold
        if t == 0:
            gate = slope(abs(x) - beta)
            by_candidate = by_candidate + gate * s * (s * alpha - initial) + z * alpha * 2 * slope(x)
            by_threshold = by_threshold - gate * (s * alpha - initial)
    return by_candidate, by_threshold


# -- what a layer can hold whatever the noise -----------------------------------------------------------------------------------


def thermometer(levels: Sequence[Any], ceiling: Any) -> BMRU:
    """Units that store, at a flag, whether r exceeds each level, and then keep it for every r != 0, however large.

    Inputs (r, flag); unit i writes +1 if the flag is 1 and levels[i] <= r <= ceiling, and nothing otherwise: candidate r + u f, threshold
    |2 r + 2 v f|, so that without the flag |r| < 2 |r|. Levels lie strictly between -ceiling / 3 and the ceiling.
    """
    ceiling, levels = exact.rational(ceiling), [exact.rational(q) for q in levels]
    for q in levels:
        if not -ceiling < 3 * q < 3 * ceiling:
            raise ValueError(f"expected levels between -{ceiling}/3 and {ceiling}, got {q}")
    n = len(levels)
    W_x = np.array([[exact.rational(1), (ceiling - 3 * q) / 2] for q in levels], dtype=object).reshape(n, 2)
    W_beta = np.array([[exact.rational(2), -(ceiling + 3 * q) / 2] for q in levels], dtype=object).reshape(n, 2)
    return BMRU(W_x, exact.zeros(n), W_beta, exact.zeros(n), exact.zeros(n) + 1)
