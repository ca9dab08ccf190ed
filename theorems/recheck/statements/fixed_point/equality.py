"""What the claims of topic fixed_point demand of their certificates: the fixed point, and its transitions."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from ...exact import (
    apply,
    characteristic_polynomial,
    inverse,
    matrix,
    minus,
    number,
    one,
    plus,
    require,
    times,
    vector,
)
from ...polynomials import times as polynomial_times
from ...registry import statement
from ...schema import Fields, Items, Matrix, Natural, Rational, Vector
from ...shapes import Token
from ...typed import Data, Decided
from .demands import (
    add,
    diagonal,
    differences,
    fixed_point,
    is_strict,
    layer_of,
    loop,
    one_pass,
    passes,
    scaled_rows,
    square_of_size,
    times_entries,
)

# -- the fixed point -------------------------------------------------------------------------------------------------------------


def keeps_dense_states(data: Data, gate_of: Callable[..., Any]) -> None:
    """The states are those of the dense recurrence, and a pass keeps them; the layer has the gate of the statement."""
    layer, initial, states = layer_of(data["tokens"]), vector(data["initial"]), matrix(data["states"])
    require(len(layer) >= 2 and any(map(any, states)), "at least two tokens and states that are not 0")
    require(all(g == gate_of(x) for decay, gate, _, _ in layer for x, g in zip(decay, gate, strict=True)), "the gate of the statement")
    require(one_pass(layer, states, initial) == states, "a pass does not keep the states")
    state = initial
    for t, (decay, gate, f, s), h in zip(data["tokens"], layer, states, strict=True):
        q = matrix(t["Q"])
        left = plus(diagonal(decay), scaled_rows(gate, q)) if gate_of(Fraction(1, 2)) != 1 else q
        require(minus(one(len(f)), scaled_rows(gate, f)) == left, "I - G (I - Q) is not the matrix of the statement")
        state = apply(inverse(left), add(times_entries(decay, state), s))
        require(state == h, "not the states of the dense recurrence")


@statement(
    "movahedi25.eq2", "witness", Fields(tokens=Items(Token((2, 3)), 2, 4), initial=Vector((2, 3), 4), states=Matrix((2, 4), (2, 3), 8))
)
def ungated_states(data: Data) -> None:
    """h_t = Q^-1 (Lambda h_(t-1) + Q b_t) is a fixed point of the ungated pass."""
    keeps_dense_states(data, lambda x: 1)


@statement(
    "movahedi25.thm2.1.dense.amended",
    "witness",
    Fields(tokens=Items(Token((2, 3)), 2, 4), initial=Vector((2, 3), 4), states=Matrix((2, 4), (2, 3), 12)),
)
def gated_states(data: Data) -> None:
    """h_t = (Lambda + (I - Lambda) Q)^-1 (Lambda h_(t-1) + (I - Lambda) Q b_t) is a fixed point of the gated pass."""
    keeps_dense_states(data, lambda x: 1 - x)


@statement(
    "movahedi25.thm2.1.dense",
    "witness",
    Fields(decay=Vector(1, 4), Q=Matrix(1, 1, 4)),
    hypotheses={"below": "|Lambda| < 1 and |1 - Q| < 1"},
    violates={"differ": "the transitions differ"},
)
def two_transitions(data: Data) -> Decided:
    """(Lambda + (I - Lambda) Q)^-1 Lambda differs from Q^-1 Lambda."""
    decay = vector(data["decay"])
    q = square_of_size(data["Q"], len(decay))
    dense = inverse(plus(diagonal(decay), scaled_rows([1 - x for x in decay], q)))
    return {
        "below": all(abs(x) < 1 for x in decay) and is_strict(minus(one(len(q)), q)),
        "differ": times(dense, diagonal(decay)) != times(inverse(q), diagonal(decay)),
    }


@statement("new.fixed-point.finite", "witness", Fields(tokens=Items(Token((1, 3)), 1, 4), loop=Matrix((1, 12), (1, 12), 8)))
def triangular(data: Data) -> None:
    """The linear part of the pass has the characteristic polynomial of its diagonal blocks G_t (I - Q_t), whatever stands below."""
    layer = layer_of(data["tokens"])
    m = loop(layer)
    require(m == matrix(data["loop"]) and any(map(any, m)), "the matrix of the pass")
    product = [Fraction(1)]
    for _, gate, f, _ in layer:
        product = polynomial_times(product, characteristic_polynomial(scaled_rows(gate, f))[::-1])
    require(product == characteristic_polynomial(m)[::-1], "other eigenvalues than those of the diagonal blocks")


@statement(
    "movahedi25.abstract.interpolates",
    "witness",
    Fields(tokens=Items(Token((2, 3)), 2, 4), iterates=Items(Matrix((2, 4), (2, 3), 8), 3, 3)),
)
def passes_mix(data: Data) -> None:
    """h^1 is the diagonal recurrence on Q b, and h^(l+1) - h^l is L F (h^l - h^(l-1)): one more mixing."""
    layer, given = layer_of(data["tokens"]), [matrix(h) for h in data["iterates"]]
    require(len(given) >= 2 and all(g == 1 for _, gate, _, _ in layer for g in gate), "no gate, at least two passes")
    require(given == [passes(layer, k + 1) for k in range(len(given))], "not the iterates")
    silent = [(decay, gate, f, [Fraction(0)] * len(s)) for decay, gate, f, s in layer]
    still = [(decay, [Fraction(0)] * len(gate), f, s) for decay, gate, f, s in layer]  # no mixing at all
    require(any(map(any, given[0])) and given[0] == one_pass(still, given[0]), "the first pass is no diagonal recurrence")
    before = [[Fraction(0)] * len(v) for v in given[0]]
    for now, after in itertools.pairwise(given):
        require(differences(after, now) == one_pass(silent, differences(now, before)), "a pass does more than one mixing")
        before = now


@statement("movahedi25.sec2.1.diverge", "witness", Fields(decay=Rational(4), Q=Rational(4), b=Natural(1, 1), errors=Vector(4, 4)))
def doubling_error(data: Data) -> None:
    """Q invertible, |Lambda| < 1: from 0 the error of the state is multiplied by 1 - Q, of modulus above 1."""
    decay, q, b, errors = number(data["decay"]), number(data["Q"]), number(data["b"]), vector(data["errors"])
    require(q != 0 and abs(decay) < 1 and abs(1 - q) > 1 and b != 0 and len(errors) >= 3, "an invertible Q with |1 - Q| > 1")
    layer = [([decay], [Fraction(1)], [[1 - q]], [q * b])]
    require(errors == [passes(layer, k)[0][0] - fixed_point(layer)[0][0] for k in range(len(errors))], "not the errors")
