"""The cheapest copy of d channels: how wide and how deep (after lizaire26, Theorem 2)."""

from __future__ import annotations

import sympy

from ...constructions.depth import least_width, parameters
from ..evidence import Proof


def _cheapest(p: int, d: int) -> list[tuple[int, int]]:
    """All (n, L) with p d <= L (n - d) and the fewest parameters; more than p d layers never help, as the width is d + 1 from there on."""
    shapes = [(least_width(p, depth, d), depth) for depth in range(1, p * d + 1)]
    least = min(parameters(n, depth, d) for n, depth in shapes)
    return [(n, depth) for n, depth in shapes if parameters(n, depth, d) == least]


def cheapest_shape(proof: Proof, width, least, cost) -> None:
    r"""For p >= 3d + 5 and (p, d) other than (8, 1) the cheapest n, L with p d <= L (n - d) are n = 2d, L = p alone; recorded for new.depth.channels.

    Per step a layer of $n=d+k$ units costs least at $k=d$; the saving of a shallow network, one matrix of $n^2$ entries, is too small to change that.

    1. $n>d$, so let $n=d+k$, $k\ge1$. The number of parameters is $L(2n^2+n)-n^2+dn$, which grows with $L$ and, for $L=1$, with $n$.
    2. If $k>pd$, it is at least that of $L=1$, which exceeds the one for $k=pd$. So let $k\le pd$; then it is at least that for $L=pd/k\ge1$, a fraction perhaps.
    3. For $k=d+j$ that exceeds the one for $n=2d$, $L=p$ by $\frac j{d+j}F(j)$, $F(j)=pd(2j-1)-(3d+j)(d+j)$.
    4. For $j<0$, where $d+j=k\ge1$, both terms of $F$ are negative, so the difference is positive.
    5. For $1\le j\le(p-1)d$: $F$ is concave in $j$, so it is at least the less of $F(1)$ and $F((p-1)d)$.
    6. $F(1)=pd-(3d+1)(d+1)$, which for $p=3d+5+q$ is $d-1+qd$, positive unless $d=1$ and $q=0$, that is $(p,d)=(8,1)$.
    7. $F((p-1)d)=pd\big((p-4)d-1\big)>0$, as $p\ge8$.
    8. For $j=0$ the constraint is $L\ge p$, and $L=p$ is cheapest. The number there is $8pd^2+2pd-2d^2$.
    """
    p, d, j, n, depth, q, m, r = sympy.symbols("p d j n L q m r")
    proof.symbolically("linear in L, with the slope 2 n^2 + n", cost(n, depth, d), depth * (2 * n**2 + n) - n**2 + d * n, free="n, L, d")
    proof.symbolically("one layer: n^2 + (1 + d) n", cost(n, 1, d), n**2 + (1 + d) * n, free="n, d")
    F = p * d * (2 * j - 1) - (3 * d + j) * (d + j)
    proof.symbolically("the difference", cost(2 * d + j, p * d / (d + j), d) - cost(width(d), p, d), j / (d + j) * F, free="p, d, j")
    k = 1 + r
    proof.holds(
        "F is negative for j = -1 - m, d = k + 1 + m, k = 1 + r",
        _positive(-F.subs(d, k - j).subs(j, -1 - m), m, r, p),
    )
    proof.symbolically("F is concave in j: its second derivative", sympy.diff(F, j, 2), -2, free="p, d, j")
    start = F.subs(j, 1).subs(p, least(d) + q)
    proof.symbolically("F at 1 for p = 3d + 5 + q", start, d - 1 + q * d, free="d, q")
    proof.holds(
        "it is positive for d = 2 + m, and for d = 1, q = 1 + r",
        _positive(start.subs(d, 2 + m), m, q) and _positive(start.subs({d: 1, q: 1 + r}), r),
    )
    end = F.subs(j, (p - 1) * d)
    proof.symbolically("F at (p - 1) d", end, p * d * ((p - 4) * d - 1), free="p, d")
    proof.holds("so it is positive too, for p = 8 + q, d = 1 + m", _positive(end.subs({p: 8 + q, d: 1 + m}), q, m))
    proof.symbolically("the least number", cost(width(d), p, d), 8 * p * d**2 + 2 * p * d - 2 * d**2, free="p, d")
    pairs = [(lag, c) for c in range(1, 5) for lag in range(3 * c + 5, 3 * c + 20) if (lag, c) != (8, 1)]
    proof.exactly(
        "second opinion: all depths compared, d <= 4, 15 lags each",
        [_cheapest(*pair) for pair in pairs],
        [[(width(c), lag)] for lag, c in pairs],
    )
    proof.exactly("for p = 8, d = 1 there are two", _cheapest(8, 1), [(3, 4), (2, 8)])


def _positive(polynomial: sympy.Expr, *variables: sympy.Symbol) -> bool:
    """No coefficient is negative, and the constant is positive: so is the polynomial for arguments that are not negative."""
    expanded = sympy.Poly(sympy.expand(polynomial), *variables)
    return all(bool(c >= 0) for c in expanded.coeffs()) and bool(expanded.TC() > 0)
