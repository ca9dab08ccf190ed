"""The bistable recurrent cell behind the unit, and the singularity that organises its equilibria (degeeter26, App. A, Fig. 12)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy
from flint import arb, fmpq

from ...constructions.bistable import equilibria, fold_input
from ..claim import claim
from ..evidence import Proof

H, X, W, B = sympy.symbols("h x w b", real=True)
K, Q = sympy.symbols("k q", positive=True)
A, V = sympy.symbols("a v")
#: the feedback 1 + tanh(...) stays in (0, 2); along the curve below k runs from 1 to this value
END = 2 + sympy.sqrt(5)
ABOVE_END = sympy.Rational(42361, 10000)


def feedback(h: Any, w: Any, b: Any) -> Any:
    """a = 1 + tanh(w_a h + b_a), with the input's part in b (Eq. 14b)."""
    return 1 + sympy.tanh(w * h + b)


def steady_input_of_cell(h: Any, w: Any, b: Any) -> Any:
    """Eq. 15 solved for U_h x + b_h, at a fixed argument b = U_a x + b_a of the feedback."""
    return sympy.atanh(h) - feedback(h, w, b) * h


def singular_points() -> dict[str, Any]:
    """All points with w h != 0 where two derivatives in h vanish, as rational functions of k in (1, 2 + sqrt 5).

    a = 1 + tanh(...), S = a (2 - a), p = 1 / (1 - h^2), and w h, h^2, w^2.
    """
    r, s = (K + 1 / K) / 2, (K - 1 / K) / 4
    a = (3 - r) / 2
    p = a / (1 - s)
    S = a * (2 - a)
    wh = (p - a) / S
    h2 = 1 - 1 / p
    return {name: sympy.factor(e) for name, e in {"a": a, "p": p, "S": S, "wh": wh, "h2": h2, "w2": wh**2 / h2, "s": s}.items()}


def _derivatives(steady: Callable[..., Any]) -> list[Any]:
    """The first derivative, h times the second, and the third, with tanh(...) = a - 1 and w = v / h: rational in a, v and q = h^2."""
    h, out = sympy.sqrt(Q), []
    for n in (1, 2, 3):
        derivative = sympy.diff(steady(H, W, B), H, n).subs(sympy.tanh(W * H + B), A - 1) * (H if n == 2 else 1)
        out.append(sympy.together(sympy.expand(derivative.subs(W, V / H).subs(H, h))))
    return out


def _on_curve(expression: Any, point: dict[str, Any]) -> Any:
    """An expression in a, v and q at the points of the curve: a rational function of k."""
    return sympy.factor(expression.subs({A: point["a"], V: point["wh"], Q: point["h2"]}))


def _roots_inside(expression: Any) -> int:
    """Real roots of the numerator of a rational function of k in (1, 4.2361], which holds (1, 2 + sqrt 5), by Sturm."""
    factors = [sympy.Poly(f, K) for f, _ in sympy.factor_list(sympy.numer(sympy.together(expression)), K)[1]]
    return int(sum(f.count_roots(1, ABOVE_END) - (f.eval(1) == 0) for f in factors))


@claim(
    "degeeter26.appA.fig12",
    topic="bistable",
    place="App. A, Eq. 15, Fig. 12",
    title="with U_h = 1, U_a = w_a = b_h = 0 the cell's steady states are those of Eq. 5 with beta = tanh(b_a), singular at b_a = 0",
    says=r"Eq. 14c at $h_t=h_{t-1}$ is Eq. 15 for every $c\neq1$, and $1+\tanh b_a=\beta+1$. At $b_a=0$: $X'(0)=X''(0)=0\neq X'''(0)=2$, $\partial_\beta X'\ne0$.",
    uses=("degeeter26.sec3.solutions.amended",),
    sabotages={"feedback tanh without 1": {"steady": lambda h, w, b: sympy.atanh(h) - sympy.tanh(w * h + b) * h}},
)
def the_cell_is_the_hysteresis(proof: Proof, steady: Callable[..., Any] = steady_input_of_cell) -> None:
    """Divide by 1 - c, compare, differentiate; then the numbers of equilibria at b_a = +-1 in balls."""
    c, g = sympy.symbols("c g")
    proof.symbolically("h = c h + (1 - c) g iff (1 - c)(h - g) = 0", H - (c * H + (1 - c) * g), (1 - c) * (H - g), "h, c, g")
    proof.symbolically("Eq. 15 is Eq. 5", steady(H, 0, B), sympy.atanh(H) - (sympy.tanh(B) + 1) * H, "h, b_a")
    at_zero = steady(H, 0, 0)
    for n, value in ((1, 0), (2, 0), (3, 2)):
        proof.symbolically("the cusp at b_a = 0", sympy.diff(at_zero, H, n).subs(H, 0), value, "the object itself")
    proof.symbolically("unfolded by b_a", sympy.diff(steady(H, 0, B), H, B).subs({H: 0, B: 0}), -1, "the object itself")
    x = fmpq(1, 10)
    for b, count in proof.each("b_a = -1 and 1, x = 1/10", ((-1, 1), (1, 3))):
        proof.certified("the number of equilibria", len(equilibria(x, arb(b).tanh())) == count)
    proof.certified("the fold at b_a = 1 lies beyond x = 1/10", bool(fold_input(arb(1).tanh()) > x))


@claim(
    "degeeter26.appA.modifications",
    topic="bistable",
    place="App. A, last sentence",
    title="changing U_h != 0, U_a, w_a, b_h deforms the diagram without altering the existence of a hysteresis singularity",
    says=r"For all $U_h\ne0$, $U_a$, $w_a$, $b_h$ there is a $b_a$ for which Eq. 15 has a hysteresis singularity in $x$: $G=G_h=G_{hh}=0$, $G_{hhh}\neq0$, $G_x\ne0$.",
    uses=("degeeter26.appA.modifications.amended",),
    sabotages={"U_a = 0": {"input_weight": sympy.Integer(0)}},
)
def one_input_weight_destroys_it(proof: Proof, input_weight: Any = -sympy.Rational(9, 8) * sympy.sqrt(2)) -> None:
    """For each w_a != 0 there is just one point where two derivatives vanish (w^2 is monotone along the curve of such points). There G_x is proportional to
    U_h + U_a S h, so one value of U_a, -U_h / (S h), makes it 0. k = 3 gives numbers that can be checked by hand."""
    point = {name: e.subs(K, 3) for name, e in singular_points().items()}
    h = sympy.sqrt(point["h2"])
    w = point["wh"] / h
    first, second, _ = (_on_curve(d, point) for d in _derivatives(steady_input_of_cell))
    proof.counterexample(
        given={"U_h": 1, "b_h": 0, "w_a": str(w), "U_a": str(input_weight), "h": str(h), "1 + tanh(U_a x + w_a h + b_a)": str(point["a"])}
        | {"b_a": "as the last number and x = artanh(h) - 2h/3 make it"},
        hypotheses={
            "two derivatives in h vanish there": first == 0 and second == 0,
            "and nowhere else: w^2 increases along the curve of all such points": _roots_inside(sympy.diff(singular_points()["w2"], K))
            == 0,
        },
        violates={"G_x = 0, proportional to U_h + U_a S h": sympy.simplify(1 + input_weight * point["S"] * h) == 0},
        how="symbolic",
        minimal="w_a = 3/sqrt 2, U_a = -9 sqrt 2 / 8",
    )


@claim(
    "degeeter26.appA.modifications.amended",
    topic="bistable",
    place="App. A, last sentence",
    kind="amended",
    amends="degeeter26.appA.modifications",
    title="for every w_a there is exactly one singular state, on a rational curve; it is a hysteresis if and only if U_h + U_a S h != 0 there",
    says=r"With $a=1+\tanh(\cdot)$, $S=a(2-a)$, $p=\frac1{1-h^2}$: two derivatives vanish iff $p=\frac a{1-s}$, $s=\sqrt{(1-a)(2-a)}$, $wh=\frac{p-a}S$; rational in $k$, where $s=\frac{k-1/k}4$, $1<k<2+\sqrt5$. There $w^2$ increases "
    r"from $0$ to $\infty$ and the third derivative has no zero. For $w_a=0$: $h=0$, $a=1$.",
    sabotages={"the other branch, s -> -s": {"points": lambda: _other_branch()}},
)
def the_curve_of_singularities(proof: Proof, points: Callable[[], dict[str, Any]] = singular_points) -> None:
    """X' = 0 gives w h = (p - a) / S, and h X'' = 0 then a quadratic in p with discriminant a^2 (1 - a)(2 - a): no points for a > 1. The root a / (1 + s) is below
    1 for a < 1, though p >= 1. What is left is the curve; derivatives are counted by Sturm's theorem. h -> -h, w -> -w gives the curve for w < 0."""
    p = sympy.Symbol("p", positive=True)
    S = A * (2 - A)
    quadratic = (p**2 - 2 * p + A) * S + (p - A) ** 2 * (A - 1)
    proof.symbolically("the discriminant", sympy.discriminant(quadratic, p), 4 * A**2 * (1 - A) * (2 - A), "a")
    first, second, third = _derivatives(steady_input_of_cell)
    proof.symbolically("X' = 0 gives v = w h", first.subs(V, (p - A) / S).subs(Q, 1 - 1 / p), 0, "a, p")
    proof.symbolically("h X'' is then that quadratic", second.subs(V, (p - A) / S).subs(Q, 1 - 1 / p) * S, 2 * quadratic, "a, p")
    point = points()
    proof.symbolically("s^2 = (1 - a)(2 - a) on the curve", point["s"] ** 2, (1 - point["a"]) * (2 - point["a"]), "k")
    proof.symbolically("X' = 0 on the curve", _on_curve(first, point), 0, "k")
    proof.symbolically("X'' = 0 on the curve", _on_curve(second, point), 0, "k")
    inside = [bool(point["h2"].subs(K, 3) > 0), bool(point["p"].subs(K, 3) > 1)]
    for _ in proof.every("the curve, 1 < k < 2 + sqrt 5", ["Sturm"], limited=False):
        changes = [_roots_inside(point[name]) for name in ("h2", "p")]
        proof.exactly("p > 1, so 0 < h^2 < 1: no sign changes, and right at k = 3", [changes, inside], [[0, 0], [True, True]])
        proof.exactly("the third derivative has no zero on it", _roots_inside(_on_curve(third, point)), 0)
        proof.exactly("w^2 is monotone", _roots_inside(sympy.diff(point["w2"], K)), 0)
        proof.exactly("from 0", sympy.limit(point["w2"], K, 1, "+"), 0)
        proof.exactly("to infinity", sympy.limit(point["w2"], K, END, "-"), sympy.oo)


def _other_branch() -> dict[str, Any]:
    point = singular_points()
    p = sympy.factor(point["a"] / (1 + point["s"]))
    wh, h2 = (p - point["a"]) / point["S"], 1 - 1 / p
    return {name: sympy.factor(e) for name, e in (point | {"p": p, "wh": wh, "h2": h2, "w2": wh**2 / h2}).items()}
