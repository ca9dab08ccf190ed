"""Demands of the claims on the hysteresis h = tanh(x + (beta + 1) h), in rational intervals."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ...exact import natural, number, require
from ...intervals import divided, exact, exp, log, minus, plus, sqrt, tanh, times
from ...polynomials import count_real_roots, derivative, polynomial
from ...polynomials import plus as plus_p
from ...polynomials import scaled as scaled_p
from ...polynomials import times as times_p
from ...registry import statement
from ...schema import Either, Fields, Items, Matrix, Natural, Rational, Truth, Vector
from ...typed import Data, Decided


def image(h: tuple[Fraction, Fraction], x: tuple[Fraction, Fraction], beta: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    """tanh(x + (beta + 1) h) for intervals h, x, beta."""
    return tanh(plus(x, times(plus(beta, exact(1)), h)))


def tick(h: tuple[Fraction, Fraction], x: Fraction, beta: Fraction, c: Any) -> tuple[Fraction, Fraction]:
    """Eq. 4b on an interval h, for numbers x, beta, c with (1 - c) and c (beta + 1) >= 0 (increasing) or any point h."""
    return plus(times(exact(1 - c), h), times(exact(c), image(h, exact(x), exact(beta))))


def direction(h: Fraction, x: tuple[Fraction, Fraction], beta: tuple[Fraction, Fraction]) -> int:
    """1 or -1: the certain sign of tanh(x + (beta + 1) h) - h at a number h; x and beta are intervals."""
    low, high = minus(image(exact(h), x, beta), exact(h))
    require(low > 0 or high < 0, f"the sign of tanh(x + (beta + 1) h) - h at h = {h}")
    return 1 if low > 0 else -1


def bracket(pair: Sequence[str]) -> tuple[Fraction, Fraction]:
    low, high = (number(v) for v in pair)
    require(-1 < low < high < 1, "an interval of states")
    return low, high


def holds_solution(pair: Sequence[str], x: tuple[Fraction, Fraction], beta: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    """The interval [low, high] holds a solution of Eq. 5: the sign changes."""
    low, high = bracket(pair)
    require(direction(low, x, beta) != direction(high, x, beta), "Eq. 5 has a solution in the interval")
    return low, high


def fold_parts(beta: Fraction) -> tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]:
    """(u, x_f) as intervals: u = arcsinh sqrt(beta), x_f = sqrt(beta (beta + 1)) - u."""
    require(beta > 0, "beta > 0")
    u = log(plus(sqrt(exact(beta)), sqrt(exact(beta + 1))))
    return u, minus(sqrt(exact(beta * (beta + 1))), u)


def inside_fold(x: Fraction, beta: Fraction) -> None:
    require(abs(x) < fold_parts(beta)[1][0], "|x| < x_f")


def three_solutions(brackets: Sequence[Sequence[str]], x: Fraction, beta: Fraction) -> None:
    """Solutions in three disjoint intervals, the middle one within the folds' states and the outer ones beyond: those are stable, that is not."""
    require(len(brackets) == 3, "three intervals")
    inside_fold(x, beta)
    found = [holds_solution(b, exact(x), exact(beta)) for b in brackets]
    require(all(a[1] <= b[0] for a, b in itertools.pairwise(found)), "disjoint intervals")
    h2 = beta / (beta + 1)
    (_, below), (low, high), (above, _) = found
    require(
        below < 0 < above and below * below > h2 and above * above > h2, "h^2 > beta / (beta + 1) on the outer branches, one of each sign"
    )
    require(low * low < h2 and high * high < h2, "h^2 < beta / (beta + 1) on the middle branch")


@statement("degeeter26.sec3.solutions", "witness", Fields(beta=Rational(4), x=Rational(4), brackets=Matrix(3, 2, 24)))
def sec3_solutions(data: Data) -> None:
    """Inside |x| < x_f there are three solutions, the outer two stable (f' - 1 = c (beta - (beta + 1) h^2) < 0), the middle one not."""
    three_solutions(data["brackets"], number(data["x"]), number(data["beta"]))


@statement(
    "degeeter26.sec3.stability",
    "witness",
    Fields(c=Rational(8), beta=Rational(4), x=Rational(4), bracket=Vector(2, 24)),
)
def sec3_stability(data: Data) -> None:
    """0 < c <= 1, beta > -2/c: an equilibrium with f' < 1, which has |f'| < 1."""
    c, beta, x = (number(data[k]) for k in ("c", "beta", "x"))
    require(0 < c <= 1 and beta > -2 / c, "0 < c <= 1 and beta > -2/c")
    low, high = holds_solution(data["bracket"], exact(x), exact(beta))
    require(low > 0, "an interval of positive states")
    slopes = [1 - c + c * (beta + 1) * (1 - h * h) for h in (low, high)]
    require(all(-1 < s < 1 for s in slopes), "f' lies in (-1, 1) on the interval")


@statement(
    "degeeter26.sec3.stability.modulus",
    "witness",
    Fields(c=Rational(4), beta=Rational(4), x=Rational(4), h=Rational(4), cycle=Vector(2, 24)),
    hypotheses={"below": "df/dh < 1"},
    violates={"leave": "df/dh < -1: nearby orbits leave", "two-cycle": "f(r) + r changes its sign in the interval, so f(r) = -r somewhere"},
)
def sec3_stability_modulus(data: Data) -> Decided:
    """df/dh < 1 at an equilibrium that repels, df/dh < -1, inside a 2-cycle."""
    c, beta, x, h = (number(data[k]) for k in ("c", "beta", "x", "h"))
    require(0 < c <= 1 and h == 0 == x + (beta + 1) * h, "0 < c <= 1, and tanh(0) = 0 is an equilibrium")
    slope = 1 - c + c * (beta + 1)
    low, high = bracket(data["cycle"])
    require(low > 0, "a cycle of states other than 0")
    ends = [plus(tick(exact(r), x, beta, c), exact(r)) for r in (low, high)]
    return {"below": slope < 1, "leave": slope < -1, "two-cycle": ends[0][1] < 0 < ends[1][0]}


@statement(
    "degeeter26.sec3.stability.amended",
    "witness",
    Fields(c=Rational(4), beta=Rational(4), x=Rational(4), start=Rational(4), ticks=Natural(20, 100), below=Rational(4)),
)
def sec3_stability_amended(data: Data) -> None:
    """At beta = -2/c each step brings the orbit's last two states nearer; below, 0 repels at x = 0."""
    c, beta, x, below = (number(data[k]) for k in ("c", "beta", "x", "below"))
    require(0 < c <= 1 and beta == -2 / c and below < -2 / c, "beta at the boundary, and one below it")
    require(1 - c + c * (below + 1) < -1, "f'(0) < -1 at the equilibrium 0 for the input 0")
    h, ticks = exact(number(data["start"])), natural(data["ticks"])
    require(ticks >= 20, "an orbit of some length")
    states = [h]
    for _ in range(ticks):
        # f decreases here, so ends are taken one by one
        ends = [tick(exact(e), x, beta, c) for e in states[-1]]
        states.append((min(e[0] for e in ends), max(e[1] for e in ends)))
    gaps = [minus(b, a) for a, b in itertools.pairwise(states)]
    sizes = [(min(abs(g[0]), abs(g[1])), max(abs(g[0]), abs(g[1]))) for g in gaps]
    require(all(g[0] > 0 or g[1] < 0 for g in gaps), "the orbit moves")
    require(all(later[1] < earlier[0] for earlier, later in itertools.pairwise(sizes)), "and each step is smaller than the one before")


@statement(
    "degeeter26.sec3.convergence",
    "witness",
    Fields(c=Rational(4), beta=Rational(4), x=Rational(4), start=Rational(8), ticks=Natural(1, 100), goal=Vector(2, 24)),
)
def sec3_convergence(data: Data) -> None:
    """The orbit of the start ends near a stable equilibrium: after some ticks of Eq. 4b it lies in an interval that holds one, beyond the folds' states."""
    c, beta, x, h = (number(data[k]) for k in ("c", "beta", "x", "start"))
    require(0 < c <= 1 and beta > 0, "0 < c <= 1, beta > 0")
    inside_fold(x, beta)
    low, high = holds_solution(data["goal"], exact(x), exact(beta))
    require(min(low * low, high * high) > beta / (beta + 1) and low * high > 0, "the goal is a stable equilibrium")
    require(not low <= h <= high, "the start lies outside")
    state = exact(h)
    for _ in range(natural(data["ticks"])):
        state = tick(state, x, beta, c)
    require(low < state[0] and state[1] < high, "the orbit has come to the goal")


@statement(
    "degeeter26.sec3.convergence.unstable",
    "witness",
    Fields(c=Rational(4), beta=Rational(4), x=Rational(4), h=Rational(4)),
    hypotheses={"fixed": "0 stays 0", "critical": "X'(h_f) = 0"},
    violates={"slope": "f'(0) > 1", "repels": "X''(h_f) > 0, so states just below h_f move away"},
)
def sec3_convergence_unstable(data: Data) -> Decided:
    """A state that stays where it is, although it repels: tanh(0) = 0 and f' > 1. At a fold X(h) = artanh(h) - (beta + 1) h, the input that has the
    equilibrium h, has X' = 1 / (1 - h^2) - (beta + 1) = 0 and X'' = 2 h / (1 - h^2)^2 > 0, so f(h) < h on both sides."""
    c, beta, x, h = (number(data[k]) for k in ("c", "beta", "x", "h"))
    require(0 < c <= 1, "0 < c <= 1")
    h2 = beta / (beta + 1) if beta > 0 else Fraction(0)
    return {
        # tanh(0) = 0
        "fixed": h == 0 == x + (beta + 1) * h,
        "critical": 1 / (1 - h2) == beta + 1,
        "slope": 1 - c + c * (beta + 1) > 1,
        "repels": 2 * sqrt(exact(h2))[0] / (1 - h2) ** 2 > 0,
    }


# -- Sec. 4.1 -----------------------------------------------------------------------------------------------------------------------


def sign(x: Any) -> int:
    return 1 if x >= 0 else -1


def eq8(h: Fraction | int, x: Fraction, beta: Fraction, alpha: Fraction | int) -> Any:
    return alpha * sign(x) if abs(x) >= beta else alpha * sign(h + x / beta)


def eq9(h: Fraction, x: Fraction, beta: Fraction, alpha: Fraction) -> Fraction:
    return alpha * sign(x) if abs(x) >= beta else h


@statement(
    "degeeter26.sec4.1.qualitative",
    "witness",
    Fields(beta=Rational(4), inner=Rational(4), brackets=Matrix(3, 2, 24), between=Rational(12), outer=Rational(4)),
)
def sec4_1_qualitative(data: Data) -> None:
    """Inside |x| < x_f two stable solutions of both signs, and Eq. 8 keeps both; beyond beta one, as beta > x_f, and Eq. 8 takes the sign of x.

    Between the middle branch and the line -x/beta a state goes up by the hysteresis and down by Eq. 8.
    """
    beta, inner, between, outer = (number(data[k]) for k in ("beta", "inner", "between", "outer"))
    three_solutions(data["brackets"], inner, beta)
    require(inner > 0 and direction(between, exact(inner), exact(beta)) == 1, "between the two the hysteresis goes up")
    require(eq8(between, inner, beta, 1) == -1, "and Eq. 8 down")
    require(all(eq8(s, inner, beta, 1) == s for s in (1, -1)), "Eq. 8 keeps both")
    require(abs(outer) >= beta > fold_parts(beta)[1][1], "|x| >= beta > x_f")
    require(all(eq8(s, outer, beta, 1) == sign(outer) for s in (1, -1)), "Eq. 8 takes the sign of x")


@statement("new.bistable.gap", "witness", Fields(betas=Vector(8, 8)))
def gap(data: Data) -> None:
    """x_f < beta with the gap u - (1 - exp(-2u)) / 2, and x_f / beta increases with beta."""
    betas = [number(b) for b in data["betas"]]
    require(len(betas) > 2 and all(a < b for a, b in itertools.pairwise(betas)), "several increasing beta")
    ratios = []
    for beta in betas:
        u, x_f = fold_parts(beta)
        difference = minus(exact(beta), x_f)
        formula = minus(u, times(exact(Fraction(1, 2)), minus(exact(1), exp(times(exact(-2), u)))))
        require(difference[0] > 0, "the fold comes before the threshold")
        off = minus(difference, formula)
        require(off[0] <= 0 <= off[1] and off[1] - off[0] < Fraction(1, 10**30), "the gap is as stated")
        ratios.append(divided(x_f, exact(beta)))
    require(all(a[1] < b[0] for a, b in itertools.pairwise(ratios)) and ratios[0][0] > 0, "the ratio increases")


@statement("new.bistable.exact-scan", "witness", Fields(beta=Rational(4), inputs=Vector((6, 12), 8), sides=Items(Natural(-1, 1), 6, 12)))
def exact_scan(data: Data) -> None:
    """From the whole branch of the side before, the map of Eq. 4b (c = 1) leads into the branch that Eq. 9 predicts with the threshold x_f, and maps it into itself."""
    beta, inputs = number(data["beta"]), [number(x) for x in data["inputs"]]
    x_f = fold_parts(beta)[1]
    h2 = beta / (beta + 1)
    h_f = sqrt(exact(h2))[0]
    branch = {1: (h_f, Fraction(1)), -1: (Fraction(-1), -h_f)}

    def within(state: tuple[Fraction, Fraction], side: int) -> bool:
        return state[0] * side > 0 and min(state[0] ** 2, state[1] ** 2) > h2

    side = 1
    require(len(inputs) == len(data["sides"]) > 3, "a side for each of several inputs")
    for x, listed in zip(inputs, data["sides"], strict=True):
        require(abs(x) > x_f[1] or abs(x) < x_f[0], "an input off the folds")
        state = tick(branch[side], x, beta, 1)
        side = side if abs(x) < x_f[0] else sign(x)
        for _ in range(60):
            if within(state, side):
                break
            state = tick(state, x, beta, 1)
        require(within(state, side), "all orbits from the branch reach the predicted one")
        require(within(tick(branch[side], x, beta, 1), side), "where they stay")
        require(side == listed, "the side is the listed one")
    require(len(set(data["sides"])) == 2, "both sides occur")


def chain_step(points: Sequence[Fraction], rises: Sequence[bool], h: Fraction) -> Fraction:
    """One tick of a continuous nondecreasing map with these fixed points: constant outside; in a gap it leaves one end with slope 2 and is flat at the other."""
    for low, high, up in zip(points, points[1:], rises, strict=False):
        if low <= h <= high:
            return min(high, 2 * h - low) if up else max(low, 2 * h - high)
    return min(max(h, points[0]), points[-1])


@statement(
    "new.bistable.convergent-scan",
    "witness",
    Fields(maps=Items(Fields(points=Vector((1, 5), 8), rises=Items(Truth(), 0, 4)), 4, 4), start=Rational(4), states=Vector(4, 8)),
)
def convergent_scan(data: Data) -> None:
    """Each state is where the clock ends, which is the next equilibrium in the direction of the first tick; the places, composed as tables, say the same."""
    h, before, place = number(data["start"]), None, None
    require(len(data["maps"]) == len(data["states"]) >= 3, "a state for each of several maps")
    for f, listed in zip(data["maps"], data["states"], strict=True):
        points, rises = [number(p) for p in f["points"]], f["rises"]
        require(
            all(a < b for a, b in itertools.pairwise(points)) and len(rises) == len(points) - 1,
            "increasing equilibria, and a side for each gap",
        )
        require(all(up in (True, False) for up in rises) and all(0 < p < 1 for p in points), "sides, and equilibria in (0, 1)")
        ends = []
        for start in before if before is not None else [h]:
            up, state = chain_step(points, rises, start) >= start, start
            while (after := chain_step(points, rises, state)) != state:
                state = after
            near = [p for p in points if (p >= start if up else p <= start)]
            require(state == (min(near) if up else max(near)), "the next equilibrium in the direction")
            ends.append(points.index(state))
        require(ends == sorted(ends), "a nondecreasing map")
        place = ends[0 if place is None else place]
        require(points[place] == number(listed), "the state at the place that the tables say")
        before = points


@statement(
    "new.bistable.varying-scan",
    "witness",
    Fields(inputs=Vector((4, 12), 8), betas=Vector((4, 12), 4), start=Rational(4), ticks=Natural(1, 100), brackets=Matrix((4, 12), 2, 24)),
)
def varying_scan(data: Data) -> None:
    """From each interval of states (at first the start) the map of Eq. 4b (c = 1) for the next input leads into the next interval, which it maps into itself around a solution of Eq. 5."""
    inputs, betas = [number(x) for x in data["inputs"]], [number(b) for b in data["betas"]]
    require(
        len(inputs) == len(betas) == len(data["brackets"]) > 3 and len(set(betas)) > 1,
        "a feedback that changes, and an interval for each step",
    )
    state = exact(number(data["start"]))
    for x, beta, pair in zip(inputs, betas, data["brackets"], strict=True):
        require(beta >= -1, "a map that increases")
        low, high = holds_solution(pair, exact(x), exact(beta))
        require(direction(low, exact(x), exact(beta)) == 1, "states of the interval go inwards")
        require(high - low <= Fraction(1, 10**3), "a narrow interval")
        for _ in range(natural(data["ticks"])):
            state = tick(state, x, beta, 1)
            if low < state[0] and state[1] < high:
                break
        require(low < state[0] and state[1] < high, "the clock ends in the interval")
        state = (low, high)


@statement("new.bistable.decided", "witness", Fields(beta=Rational(4), low=Rational(48), high=Rational(48)))
def decided(data: Data) -> None:
    """Two rational inputs, nearer to each other than 1e-14, on the two sides of the fold."""
    beta, low, high = (number(data[k]) for k in ("beta", "low", "high"))
    x_f = fold_parts(beta)[1]
    require(0 < high - low < Fraction(1, 10**14), "two inputs that are near")
    require(low < x_f[0] and x_f[1] < high, "the fold lies between them")


@statement(
    "degeeter26.sec4.3.jacobian.rewriting",
    "witness",
    Either(
        Fields(alpha=Rational(4), beta=Rational(4), x=Rational(4), h=Rational(4), radius=Rational(8)),
        Fields(beta=Rational(4), x=Rational(4), low=Rational(24), high=Rational(24)),
    ),
    hypotheses={"ranges": "alpha >= 1 and |x| < beta", "agree": "Eqs. 8 and 9 agree on +-alpha", "solves": "it solves Eq. 5"},
    violates={
        "flat": "Eq. 8, nondecreasing in h, has one value around h: derivative 0",
        "identity": "Eq. 9 is the identity there: derivative 1",
        "limit": "no other equilibrium within 1/100, and X increases there: all these states have one limit",
    },
)
def jacobian_rewriting(data: Data) -> Decided:
    """Eq. 8, or the convergent RNN, has derivative 0 at a state that is kept, where Eq. 9 has derivative 1."""
    beta, x = number(data["beta"]), number(data["x"])
    if "radius" in data:
        alpha, h, radius = (number(data[k]) for k in ("alpha", "h", "radius"))
        require(radius > 0 and abs(h) == alpha, "a state +-alpha, and states around it")
        around = (h - radius, h, h + radius)
        both = (alpha, -alpha)
        return {
            "ranges": alpha >= 1 and abs(x) < beta,
            "agree": all(eq8(s, x, beta, alpha) == eq9(s, x, beta, alpha) == s for s in both),
            "flat": all(eq8(s, x, beta, alpha) == h for s in around),
            "identity": all(eq9(s, x, beta, alpha) == s for s in around),
        }
    inside_fold(x, beta)
    low, high = bracket([data["low"], data["high"]])
    below, above = (direction(h, exact(x), exact(beta)) for h in (low, high))
    require(below == 1, "all its states go to that equilibrium, so the limit is constant")
    # X increases beyond the fold: one equilibrium in the interval, where the sign changes
    return {"solves": below != above, "limit": low > 0 and low * low > beta / (beta + 1)}


# -- the cell -------------------------------------------------------------------------------------------------------------------------


@statement("degeeter26.appA.fig12", "witness", Fields(b_a=Rational(4), x=Rational(4), brackets=Matrix((1, 3), 2, 24)))
def appA_fig12(data: Data) -> None:
    """beta = tanh(b_a) has the sign of b_a: one solution for b_a < 0, at least three for b_a > 0."""
    b, x = number(data["b_a"]), number(data["x"])
    beta = tanh(exact(b))
    found = [holds_solution(pair, exact(x), beta) for pair in data["brackets"]]
    require(all(a[1] <= c[0] for a, c in itertools.pairwise(found)), "disjoint intervals")
    require((b < 0 and beta[1] < 0 and len(found) == 1) or (b > 0 and beta[0] > 0 and len(found) == 3), "the number of solutions")


def state_of(data: Data) -> tuple[Any, ...]:
    """(U_h, S, U_a h, w_a h, h^2, a) of a state, and whether the first two derivatives in h of Eq. 15 vanish there.

    With phi = U_h x + a h + b_h, a = 1 + tanh(theta), theta = U_a x + w_a h + b_a: phi' = a + S w h, h phi'' = 2 S w h - 2 (a - 1) S (w h)^2,
    and tanh' = 1 - h^2, tanh'' = -2 h (1 - h^2) at the state.
    """
    h2, a, wh, uh, uah = (number(data[k]) for k in ("h2", "a", "wh", "U_h", "uah"))
    require(0 < h2 < 1 and 0 < a < 2 and wh and uh, "0 < h^2 < 1, 0 < a < 2, w_a and U_h not 0")
    S = a * (2 - a)
    first, second = a + S * wh, 2 * S * wh - 2 * (a - 1) * S * wh * wh
    vanish = (1 - h2) * first == 1 and -2 * h2 * (1 - h2) * first * first + (1 - h2) * second == 0
    return (uh, S, uah, wh, h2, a), vanish


@statement(
    "degeeter26.appA.modifications", "witness", Fields(h2=Rational(8), a=Rational(8), wh=Rational(8), U_h=Rational(4), uah=Rational(4))
)
def appA_modifications(data: Data) -> None:
    """A hysteresis singularity with w_a != 0: G_hhh != 0, G_x != 0, and b_a unfolds it."""
    (uh, S, uah, wh, h2, a), vanish = state_of(data)
    require(vanish, "G_h = 0 and G_hh = 0")
    t = a - 1
    first, second = a + S * wh, 2 * S * wh - 2 * t * S * wh * wh
    third = -6 * t * S * wh**2 + wh**3 * (4 * t * t * S - 2 * S * S)
    # h^2 G_hhh: tanh''' = -2 (1 - h^2)(1 - 3 h^2)
    require(-2 * (1 - h2) * (1 - 3 * h2) * h2 * first**3 - 6 * h2 * (1 - h2) * first * second + (1 - h2) * third != 0, "G_hhh is not 0")
    require(uh + uah * S != 0, "G_x is not 0")
    require(uh * S * (1 - 2 * t * wh) != 0, "the determinant of the unfolding is not 0")


@statement(
    "degeeter26.appA.modifications.exception",
    "witness",
    Fields(h2=Rational(4), a=Rational(4), wh=Rational(4), U_h=Rational(4), uah=Rational(4)),
    hypotheses={
        "vanish": "two derivatives in h vanish there",
        "only": "and nowhere else: w^2 increases along the curve of all such points",
    },
    violates={"proportional": "G_x = 0, proportional to U_h + U_a S h"},
)
def appA_modifications_exception(data: Data) -> Decided:
    """The only singular state for its w_a (w_a^2 is monotone along their curve) has G_x = 0."""
    (uh, S, uah, wh, h2, a), vanish = state_of(data)
    # along the curve, 1 < k < 2 + sqrt 5, w^2 = 8 k^2 (k - 1)(6k - 1 - k^2) / ((k + 1)(k^2 - 4k - 1))^2, and h^2 = 2 (k - 1) / (6k - 1 - k^2)
    above = times_p(polynomial([0, 0, -8, 8]), polynomial([-1, 6, -1]))
    root = times_p(polynomial([1, 1]), polynomial([-1, -4, 1]))
    change = plus_p(times_p(derivative(above), root), scaled_p(-2, times_p(above, derivative(root))))
    monotone = count_real_roots(change, Fraction(1), Fraction(42361, 10000)) == 0
    k = a_to_k(a)
    require(h2 == 2 * (k - 1) / (6 * k - 1 - k * k), "the state lies on the curve")
    require(wh == -4 * k * (k - 1) / ((k + 1) * (k * k - 4 * k - 1)), "with its w_a h")
    return {"vanish": vanish, "only": monotone, "proportional": uh + uah * S == 0}


def a_to_k(a: Fraction) -> Fraction:
    """The k > 1 with a = (3 - (k + 1/k)/2)/2: k + 1/k = 6 - 4a; rational for the certificates."""
    total = 6 - 4 * a
    square = total * total - 4
    require(square >= 0, "a point of the curve")
    low, high = sqrt(exact(square))
    # the root is rational with a small denominator
    root = ((low + high) / 2).limit_denominator(10**6)
    require(root * root == square, "a rational point of the curve")
    return (total + root) / 2
