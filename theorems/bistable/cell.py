"""The bistable recurrent cell behind the unit, and the singularity that organises its equilibria (degeeter26, App. A, Fig. 12)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy
from flint import arb

from ...numerics.aliases import Exact
from ..claim import claim
from ..evidence import Proof
from .hysteresis import number_of_equilibria

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
        rational: Exact = sympy.diff(steady(H, W, B), H, n).subs(sympy.tanh(W * H + B), A - 1)
        derivative = rational * (H if n == 2 else 1)
        out.append(sympy.together(sympy.expand(derivative.subs(W, V / H).subs(H, h))))
    return out


def _on_curve(expression: Any, point: dict[str, Any]) -> Any:
    """An expression in a, v and q at the points of the curve: a rational function of k."""
    return sympy.factor(expression.subs({A: point["a"], V: point["wh"], Q: point["h2"]}))


def _roots_inside(expression: Any) -> int:
    """Real roots of the numerator of a rational function of k in (1, 4.2361], which holds (1, 2 + sqrt 5), by Sturm."""
    factors = [sympy.Poly(f, K) for f, _ in sympy.factor_list(sympy.numer(sympy.together(expression)), K)[1]]
    return int(sum(f.count_roots(1, ABOVE_END) - (f.eval(1) == 0) for f in factors))


def certificate_of(point: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A singular state with h > 0 as certificates hold it: h^2, a = 1 + tanh(...), and the products w_a h."""
    return {"h2": str(point["h2"]), "a": str(point["a"]), "wh": str(point["wh"]), **more}


@claim(
    "degeeter26.appA.fig12",
    place="App. A, Eq. 15, Fig. 12",
    title="with Uₕ = 1, Uₐ = wₐ = bₕ = 0 the cell's steady states are those of Eq. 5 with β = tanh(bₐ), singular at bₐ = 0",
    says=r"Eq. 14c at $h_t=h_{t-1}$ is Eq. 15 for every $c\neq1$, and $1+\tanh b_a=\beta+1$ with $\beta=\tanh b_a$, which has the sign of $b_a$. "
    r"At $b_a=0$: $X'(0)=X''(0)=0\neq X'''(0)=2$, $\partial_{b_a}X'\ne0$.",
    remarks=("So degeeter26.sec3.solutions counts the steady states.",),
    sabotages={"feedback tanh without 1": {"steady": lambda h, w, b: sympy.atanh(h) - sympy.tanh(w * h + b) * h}},
)
def the_cell_is_the_hysteresis(proof: Proof, steady: Callable[..., Any] = steady_input_of_cell) -> None:
    r"""Divide by $1-c$, compare, differentiate.

    1. $h=ch+(1-c)g$ iff $(1-c)(h-g)=0$: Eq. 15 for $c\ne1$. [checked: "h = c h + (1 - c) g"] [prose]
    2. Solved for the input it is $\operatorname{artanh}h-(1+\tanh b_a)h$, Eq. 5 with $\beta=\tanh b_a$. This is odd in $b_a$, and positive for $b_a>0$.
       [checked: "Eq. 15 is Eq. 5"; "tanh is odd"; "tanh b_a > 0 for b_a > 0"] [prose]
    3. At $b_a=0$ two derivatives vanish at $h=0$ and the third is $2$; $b_a$ moves the first with derivative $-1$. [checked: "the cusp at b_a = 0"; "unfolded by b_a"]
    4. For the figure's values, by certified bisection: one at $b_a=-1$ and three at $b_a=1$, for $x=\frac1{10}$. [checked: "the number of equilibria"]
    """
    c, g = sympy.symbols("c g")
    proof.symbolically("h = c h + (1 - c) g iff (1 - c)(h - g) = 0", H - (c * H + (1 - c) * g), (1 - c) * (H - g), "h, c, g")
    proof.symbolically("Eq. 15 is Eq. 5", steady(H, 0, B), sympy.atanh(H) - (sympy.tanh(B) + 1) * H, "h, b_a")
    size = sympy.Symbol("b", positive=True)
    proof.symbolically("tanh is odd", sympy.tanh(-B), -sympy.tanh(B), "b_a")
    proof.holds("tanh b_a > 0 for b_a > 0", sympy.tanh(size).is_positive, free="b_a > 0")
    at_zero = steady(H, 0, 0)
    for n, value in proof.every("three derivatives at the origin", ((1, 0), (2, 0), (3, 2)), limited=False):
        proof.exactly("the cusp at b_a = 0", sympy.diff(at_zero, H, n).subs(H, 0), value)
    for mixed in proof.every("the mixed derivative there", [sympy.diff(steady(H, 0, B), H, B).subs({H: 0, B: 0})], limited=False):
        proof.exactly("unfolded by b_a", mixed, -1)
    for b, count in proof.every("the two values of the figure", ((-1, 1), (1, 3)), limited=False):
        proof.certified("the number of equilibria at b_a = -1 and 1", number_of_equilibria(arb(b).tanh(), arb(1) / 10) == count)
    proof.certificate(
        "witness", "b_a = 1, x = 1/10", b_a="1", x="1/10", brackets=[["-99/100", "-9/10"], ["-1/2", "0"], ["1/2", "999/1000"]]
    )
    proof.certificate("witness", "b_a = -1, x = 1/10", b_a="-1", x="1/10", brackets=[["1/100", "1/2"]])


@claim(
    "degeeter26.appA.modifications",
    place="App. A, last sentence",
    title="other Uₕ, Uₐ, wₐ, bₕ deform the diagram; but for one Uₐ each there is a hysteresis singularity, and bₐ unfolds it",
    says=r"With $a=1+\tanh(\cdot)$, $S=a(2-a)$, $p=\frac1{1-h^2}$: two derivatives in $h$ vanish iff $p=\frac a{1-s}$, $s=\sqrt{(1-a)(2-a)}$, $wh=\frac{p-a}S$; rational in $k$, where $s=\frac{k-1/k}4$, $1<k<2+\sqrt5$. There $w^2$ increases "
    r"from $0$ to $\infty$ and the third derivative has no zero, so for every $w_a\ne0$ there is one singular state (for $w_a=0$: $h=0$, $a=1$); it is a hysteresis iff $G_x\propto U_h+U_aSh\ne0$, and then $b_a$ unfolds it.",
    reading="generically: for all parameters but those with U_h + U_a S h = 0 at the singular state, a set of codimension 1 (degeeter26.appA.modifications.exception)",
    sabotages={"the other branch, s -> -s": {"points": lambda: _other_branch()}},
)
def the_curve_of_singularities(proof: Proof, points: Callable[[], dict[str, Any]] = singular_points) -> None:
    r"""Solve two equations for the singular states, and find that they lie on one rational curve.

    1. Solve Eq. 15 for $X=U_hx+b_h$ at fixed $b=U_ax+b_a$: $X(h)=\operatorname{artanh}h-ah$. $X'=0$ gives $wh=\frac{p-a}S$. [checked: "X' = 0 gives v = w h"]
    2. Then $hX''$ is, but for a factor, a quadratic in $p$ with discriminant $4a^2(1-a)(2-a)$: there are no points for $1<a<2$. [checked: "h X'' is then that quadratic"; "the discriminant"] [prose]
    3. Its roots are $\frac a{1\pm s}$. For $a<1$ the root $\frac a{1+s}$ is below $1$, though $p\ge1$. What is left is the curve. [checked: "the two roots"; "s^2 = (1 - a)(2 - a)"; "X' = 0 on the curve"; "X'' = 0 on the curve"] [prose]
    4. On the curve $p>1$, so $0<h^2<1$; the third derivative has no zero; and $w^2$ increases from $0$ to $\infty$, by Sturm's theorem: each $w_a\ne0$ has one $k$, and $h$ has the sign of $w_a$ as $wh>0$.
       [checked: "p > 1, so"; "the third derivative"; "w^2 is monotone"; "from 0"; "to infinity"] [prose]
    5. For the full Eq. 15 as $g(h,x,b_a)=0$: $g_x=U_h+U_aSh$, and $g_xg_{hb}-g_bg_{hx}=U_hS(1-2(a-1)wh)$, positive for $U_h>0$ on the curve as $a\le1$ and $wh\ge0$. So where $g_x\ne0$ the singularity is a hysteresis, and $b_a$ unfolds it.
       [checked: "g_x"; "the determinant of the unfolding"; "a < 1 and w h > 0 on the curve"] [prose]
    """
    p = sympy.Symbol("p", positive=True)
    S = A * (2 - A)
    quadratic = (p**2 - 2 * p + A) * S + (p - A) ** 2 * (A - 1)
    proof.symbolically("the discriminant", sympy.discriminant(quadratic, p), 4 * A**2 * (1 - A) * (2 - A), "a")
    s = sympy.sqrt((1 - A) * (2 - A))
    proof.symbolically(
        "the two roots are a / (1 +- s)", quadratic, (p * (1 + s) - A) * (p * (1 - s) - A) * _leading(quadratic, p, s), "a, p"
    )
    first, second, third = _derivatives(steady_input_of_cell)
    proof.symbolically("X' = 0 gives v = w h", first.subs(V, (p - A) / S).subs(Q, 1 - 1 / p), 0, "a, p")
    proof.symbolically("h X'' is then that quadratic", second.subs(V, (p - A) / S).subs(Q, 1 - 1 / p) * S, 2 * quadratic, "a, p")
    point = points()
    proof.symbolically("s^2 = (1 - a)(2 - a) on the curve", point["s"] ** 2, (1 - point["a"]) * (2 - point["a"]), "k")
    proof.symbolically("X' = 0 on the curve", _on_curve(first, point), 0, "k")
    proof.symbolically("X'' = 0 on the curve", _on_curve(second, point), 0, "k")
    inside = [bool(point[name].subs(K, 3) > (1 if name == "p" else 0)) for name in ("h2", "p", "wh")] + [bool(point["a"].subs(K, 3) < 1)]
    # Sturm's theorem counts the zeros on the whole curve, so that one value of k tells a sign
    curve = "k in (1, 2 + sqrt 5)"
    changes = [_roots_inside(point[name]) for name in ("h2", "p")]
    proof.exactly("p > 1, so 0 < h^2 < 1: no sign changes, and right at k = 3", [*changes, *inside[:2]], [0, 0, True, True], free=curve)
    changes = [_roots_inside(1 - point["a"]), _roots_inside(point["wh"])]
    proof.exactly(
        "a < 1 and w h > 0 on the curve: no sign changes, and right at k = 3", [*changes, *inside[2:]], [0, 0, True, True], free=curve
    )
    proof.exactly("the third derivative has no zero on it", _roots_inside(_on_curve(third, point)), 0, free=curve)
    proof.exactly("w^2 is monotone", _roots_inside(sympy.diff(point["w2"], K)), 0, free=curve)
    proof.exactly("from 0", sympy.limit(point["w2"], K, 1, "+"), 0, free=curve)
    proof.exactly("to infinity", sympy.limit(point["w2"], K, END, "-"), sympy.oo, free=curve)
    uh, ua, ba, bh = sympy.symbols("U_h U_a b_a b_h", real=True)
    theta = ua * X + W * H + ba
    g = uh * X + (1 + sympy.tanh(theta)) * H + bh - sympy.atanh(H)
    at = lambda e: sympy.expand(e).subs(sympy.tanh(theta), A - 1)  # noqa: E731
    proof.symbolically("g_x = U_h + U_a S h", at(sympy.diff(g, X)), uh + ua * S * H, "parameters")
    determinant = at(sympy.diff(g, X)) * at(sympy.diff(g, H, ba)) - at(sympy.diff(g, ba)) * at(sympy.diff(g, H, X))
    proof.symbolically("the determinant of the unfolding", determinant, uh * S * (1 - 2 * (A - 1) * W * H), "parameters")
    for k in ("3/2", "2", "3", "4"):
        at_k = {name: e.subs(K, sympy.Rational(k)) for name, e in point.items()}
        proof.certificate("witness", f"k = {k}", **certificate_of(at_k, U_h="1", uah="1/2"))
    known = {name: str(point[name].subs(K, 3)) for name in ("a", "h2", "wh", "w2")}
    proof.exhibit("the singular state of w_a = 3 / sqrt 2 (k = 3)", **known)


def _leading(quadratic: Any, p: Any, s: Any) -> Any:
    """The factor beside (p (1 + s) - a)(p (1 - s) - a)."""
    return sympy.Poly(quadratic, p).LC() / sympy.expand(1 - s**2)


@claim(
    "degeeter26.appA.modifications.exception",
    place="App. A, last sentence",
    flaw="overstatement",
    quotes=(
        "Modifications of the parameters",
        "lead to translations and deformations of the bifurcation plot without alteration of the existence of a hysteresis singularity.",
    ),
    weight="hypothesis",
    letter="App. A says that U_a and w_a deform the bifurcation diagram and leave the hysteresis singularity in existence. For each w_a other than 0 one value of U_a destroys it. An example is U_h = 1, b_h = 0, w_a = 3/sqrt 2, U_a = -9 sqrt 2/8. There the derivative G_x vanishes at the only singular state, h = 1/sqrt 2. 'Generically' would make the sentence right.",
    title="some parameters Uₐ, wₐ do destroy the hysteresis singularity, if only a thin set of them",
    says=r"For all $U_h\ne0$, $U_a$, $w_a$, $b_h$ there is a $b_a$ for which Eq. 15 has a hysteresis singularity in $x$: $G=G_h=G_{hh}=0$, $G_{hhh}\neq0$, $G_x\ne0$.",
    uses=("degeeter26.appA.modifications",),
    sabotages={"U_a = 0": {"input_weight": sympy.Integer(0)}},
)
def one_input_weight_destroys_it(proof: Proof, input_weight: Any = -sympy.Rational(9, 8) * sympy.sqrt(2)) -> None:
    """For each w_a != 0 there is just one point where two derivatives vanish (w^2 is monotone along the curve of such points). There G_x is proportional to
    U_h + U_a S h, so one value of U_a, -U_h / (S h), makes it 0. k = 3 gives numbers that can be checked by hand: h^2 = 1/2, a = 2/3, S = 8/9, w_a h = 3/2, U_a h = -9/8."""
    point = {name: e.subs(K, 3) for name, e in singular_points().items()}
    h = sympy.sqrt(point["h2"])
    w = point["wh"] / h
    first, second, _ = (_on_curve(d, point) for d in _derivatives(steady_input_of_cell))
    proof.counterexample(
        given={"U_h": 1, "b_h": 0, "w_a": str(w), "U_a": str(input_weight), "h": str(h), "1 + tanh(U_a x + w_a h + b_a)": str(point["a"])}
        | {"x": str(sympy.atanh(h) - point["a"] * h), "b_a": f"artanh({point['a'] - 1}) - U_a x - w_a h"},
        words={
            "vanish": bool(first == 0 and second == 0),
            "only": _roots_inside(sympy.diff(singular_points()["w2"], K)) == 0,
            "proportional": bool(sympy.simplify(1 + input_weight * point["S"] * h) == 0),
        },
        how="symbolic",
        minimal="w_a = 3/sqrt 2, U_a = -9 sqrt 2 / 8",
    )
    proof.certificate("witness", "k = 3", **certificate_of(point, U_h="1", uah=str(sympy.simplify(input_weight * h))))


def _other_branch() -> dict[str, Any]:
    point = singular_points()
    p: Exact = sympy.factor(point["a"] / (1 + point["s"]))
    wh, h2 = (p - point["a"]) / point["S"], 1 - 1 / p
    return {name: sympy.factor(e) for name, e in (point | {"p": p, "wh": wh, "h2": h2, "w2": wh**2 / h2}).items()}
