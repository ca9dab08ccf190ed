"""Shapes of data that several schemas share: factors, layers and tokens."""

from __future__ import annotations

from typing import Any

from .schema import Fields, Items, Matrix, Rational, Vector


def GHFactors(n: Any, low: Any, high: Any, digits: Any = 4, beta: Any = 4) -> Any:
    """``low`` to ``high`` factors I - beta v v^T / v^T v of dimension n; ``digits`` for an entry of v, and ``beta`` for beta."""
    return Items(Fields(v=Vector(n, digits), beta=Rational(beta)), low, high)


def LinearLayer(n: Any, m: Any) -> Any:
    """A linear layer of width n that reads m numbers."""
    return Fields(U=Matrix(n, m, 4), V=Matrix(n, n, 4))


def Token(n: Any) -> Any:
    """A token of a fixed-point layer of width n."""
    return Fields(decay=Vector(n, 4), gate=Vector(n, 4), Q=Matrix(n, n, 4), b=Vector(n, 4))


#: a second-order layer whose width and input are 1 or 2
SECOND_ORDER_LAYER = Fields(
    A=Items(Matrix((1, 2), (1, 2), 4), 1, 2),
    V=Matrix((1, 2), (1, 2), 4),
    U=Matrix((1, 2), (1, 2), 4),
    b=Vector((1, 2), 4),
    initial=Vector((1, 2), 4),
)

#: a layer of a stack of bistable units: the weights of Eq. 11 on what it reads, and the states at the start
BISTABLE_LAYER = Fields(
    W_x=Matrix((1, 3), (1, 8), 4),
    b_x=Vector((1, 3), 4),
    W_beta=Matrix((1, 3), (1, 8), 4),
    b_beta=Vector((1, 3), 4),
    alpha=Vector((1, 3), 4),
    start=Vector((1, 3), 4),
)
