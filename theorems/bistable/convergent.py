"""The convergent RNN itself, for inputs and feedbacks that change at every step: maps between equilibria, and a scan of them (degeeter26, Sec. 3, Eq. 7)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import numpy as np
import sympy
from flint import arb, ctx, fmpq

from ...constructions.bistable import approximation, equilibria, fold_input, sign, simplified, update
from ...constructions.bistable.scan import Input, compose_maps, convergent_states, scanned
from ...numerics.scan import bracketings, evaluate
from ..claim import claim
from ..evidence import Proof
from .approximation import grid
from .hysteresis import BETA, H, is_equilibrium

# -- any nondecreasing map with finitely many fixed points ---------------------------------------------------------------------------


class Chain:
    """A continuous nondecreasing map of [0, 1] with given fixed points in (0, 1), in exact rationals; ``rises[i]`` is its side of the diagonal in gap i.

    In a gap that rises it goes from the lower fixed point with slope 2 to the upper one, and is flat there; in a gap that falls the other way
    round. Below the lowest fixed point and above the highest it is constant. So a fixed point may attract, repel, or do one on each side.
    """

    def __init__(self, points: Sequence[fmpq], rises: Sequence[bool]):
        self.points, self.rises = list(points), list(rises)

    def __call__(self, h: fmpq) -> fmpq:
        if h <= self.points[0] or h >= self.points[-1]:
            return self.points[0] if h <= self.points[0] else self.points[-1]
        i = bisect_left(self.points, h)
        low, high = self.points[i - 1], self.points[i]
        return min(high, 2 * h - low) if self.rises[i - 1] else max(low, 2 * h - high)

    def clock(self, h: fmpq) -> fmpq:
        """The limit of h, F(h), F(F(h)), ...: it is reached."""
        while self(h) != h:
            h = self(h)
        return h

    def limit_of(self, h: fmpq) -> int:
        """The next fixed point in the direction of F(h) - h, without the clock; h itself where that is 0."""
        i = bisect_left(self.points, h)
        return i if self(h) >= h else i - 1


def random_chain(rng: Random) -> Chain:
    """One to five fixed points n/30 with random gaps between."""
    points = sorted(rng.sample(range(1, 30), rng.randint(1, 5)))
    return Chain([fmpq(n, 30) for n in points], [rng.random() < 0.5 for _ in points[1:]])


def scan_row(row: Sequence[int]) -> np.ndarray:
    """A map as ``compose_maps`` takes it: one row of five values, filled up with the last."""
    return np.array([[*row, *[row[-1]] * (5 - len(row))]])


@claim(
    "new.bistable.convergent-scan",
    place="after degeeter26 Eq. 7",
    title="every convergent RNN with continuous scalar updates and finitely many equilibria is an exact parallel scan",
    says=r"Let $f_t$ be continuous, with a finite set $E_t$ of equilibria, and let $R_t(h)=\lim_nf_t^n(h)$ exist for every $h$. Then $R_t(h)\in E_t$, so step $t$ is a map $E_{t-1}\to E_t$ that needs no other step, and "
    r"$h_T=(R_T\circ\dots\circ R_2)(R_1(h_0))$ is a scan of tables of places. If $f_t$ is nondecreasing, $R_t(h)$ is the next equilibrium in the direction of $f_t(h)-h$ ($h$ itself where that is $0$), and $R_t$ is nondecreasing.",
    hypotheses=("the clock converges from every state: degeeter26's definition of a convergent RNN",),
    remarks=(
        "A continuous nondecreasing map of a closed bounded interval into itself is convergent: its orbits are monotone and bounded. No equilibrium need be hyperbolic, and a state that stands on an unstable one stays there.",
    ),
    known="degeeter26 Sec. 3 solves Eq. 7 for each step in parallel and leaves the choice to h_(t-1), which is sequential as it stands. A scan of the maps of a finite automaton is classical (Ladner and Fischer 1980); "
    "other parallel schemes for nonlinear RNNs iterate (Lim et al., arXiv 2309.12252; Danieli et al., ParaRNN, 2025), this one is exact",
    construction="lemmata.constructions.bistable.scan.scanned",
    sabotages={
        "the clock goes up, which the kernel refutes": {"theorem": "bistable_scan.clock_goes_up"},
        "maps composed in the other order": {"compose": lambda first, then: compose_maps(then, first)},
        "ties go up": {"limit": lambda chain, h: min(bisect_left(chain.points, h), len(chain.points) - 1)},
        "maps that do not move": {"draw": lambda rng: Chain([fmpq(1, 2)], [])},
    },
)
def places_are_scanned(
    proof: Proof,
    theorem: str = "bistable_scan.next_equilibrium",
    compose: Callable[..., Any] = compose_maps,
    limit: Callable[[Chain, fmpq], int] = Chain.limit_of,
    draw: Callable[[Random], Chain] = random_chain,
) -> None:
    r"""One step forgets all but the equilibrium that it ends in, and there are few.

    1. If $f^n(h)\to l$ and $f$ is continuous at $l$, then $f(l)=l$: so $R_t(h)\in E_t$, and $h_t\in E_t$ for $t\ge1$. [checked: "the kernel: the states are the scan"]
    2. So the step is a map $E_{t-1}\to E_t$, found from $f_{t-1}$ and $f_t$ alone, as a row of places; rows compose associatively, and their prefixes say at which place of $E_T$ the state is. [checked: "the kernel: the states are the scan"; "every bracketing"]
    3. Let $f$ be nondecreasing. If $f(h)\ge h$, then $h\le f(h)\le f(f(h))\le\dots$, and every equilibrium $e\ge h$ bounds this orbit, since $f(e)=e$; so the limit, an equilibrium itself, is the least one that is at least $h$. The same downwards.
       From $h\le k$ follows $f^n(h)\le f^n(k)$, and the limits keep the order. [checked: "the kernel: the next equilibrium"]
    4. Exact piecewise linear maps whose equilibria attract, repel or do one on each side, with starts on equilibria too: the row found by direction is where the clock ends, and the scan is the clock. [checked: "the next fixed point"; "the maps are nondecreasing"; "the scan is the clock"; "states that move"]
    """
    proof.formally(
        "the kernel: the next equilibrium in the direction of f(h) - h, and the order of limits",
        theorem,
        whole="every update, state and limit",
        differs="an ordered field for the reals",
    )
    proof.formally(
        "the kernel: the states are the scan of rows of places, which compose associatively, and each is an equilibrium",
        "bistable_scan.convergent_rnn_is_a_scan",
        whole="every length, start and sequence of updates",
        differs="an ordered field for the reals; the equilibria of a step are given as a list",
    )
    rng, moved = Random(351), 0
    count, length = proof.pick((10, 6), (40, 8), (300, 10))
    trees = bracketings(5)
    for _ in proof.each(f"{count} words of {length} random piecewise linear maps with 1 to 5 fixed points, seed 351", range(count)):
        chains = [draw(rng) for _ in range(length)]
        start = fmpq(rng.randint(0, 60), 60)
        by_clock, maps = [start], []
        before = [start]
        for f in chains:
            maps.append([limit(f, h) for h in before])
            proof.holds(
                "the next fixed point is where the clock ends",
                all(f.points[i] == f.clock(h) for i, h in zip(maps[-1], before, strict=True)),
            )
            proof.holds("the maps are nondecreasing", maps[-1] == sorted(maps[-1]))
            by_clock.append(f.clock(by_clock[-1]))
            before = f.points
        moved += len(set(by_clock)) > 2
        indices = scanned(maps)
        proof.exactly("the scan is the clock", [f.points[i] for f, i in zip(chains, indices, strict=True)], by_clock[1:])
        rows = [scan_row(row) for row in maps[:5]]
        proof.holds("every bracketing of five maps", all(int(evaluate(tree, compose, rows)[0, 0]) == indices[4] for tree in trees))
    proof.holds("states that move are among them", moved > 0)
    chains, start = [random_chain(Random(seed)) for seed in (354, 355, 356, 357)], fmpq(1, 7)
    clock = [start]
    for f in chains:
        clock.append(f.clock(clock[-1]))
    maps = [{"points": f.points, "rises": f.rises} for f in chains]
    proof.certificate("witness", "four piecewise linear maps", maps=maps, start=start, states=clock[1:])


# -- the cell ---------------------------------------------------------------------------------------------------------------------------


def varying_words(rng: Random, count: int, length: int) -> list[list[Input]]:
    """Words with beta in {-1/2, 1/4, 1, 3/2, 3} and x up to two thresholds, both drawn anew at each step; every fourth step repeats the one before."""
    words = []
    for _ in range(count):
        word: list[Input] = []
        for t in range(length):
            beta = rng.choice(grid("-1/2", "1/4", 1, "3/2", 3))
            word.append(word[-1] if t % 4 == 3 else (fmpq(rng.randint(-32, 32), 16) * (abs(beta) + fmpq(1, 4)), beta))
        words.append(word)
    return words


def by_the_clock(inputs: Sequence[Input], start: fmpq, ticks: int = 2000) -> list[arb]:
    """Balls that hold the states of Eq. 4b with c = 1 after up to so many ticks a step: the map increases for beta >= -1, so two ends bound every orbit between."""
    low = high = arb(start)
    states = []
    for x, beta in inputs:
        for _ in range(ticks):
            below, above = update(low, x, beta, 1).lower(), update(high, x, beta, 1).upper()
            moved = max(abs(float(below - low)), abs(float(above - high)))
            low, high = below, above
            if moved < 1e-14:
                break
        states.append(low.union(high))
    return states


def unstable_words() -> list[tuple[list[Input], fmpq]]:
    """Words at whose end the state stands exactly on the unstable equilibrium 0, or has just left it."""
    zero = [(fmpq(0), b) for b in grid("-1/2", 1, 2)]
    return [(zero, fmpq(1)), ([*zero[1:], (fmpq(1, 100), fmpq(2))], fmpq(0)), ([zero[1], (fmpq(-1, 50), fmpq(1)), zero[1]], fmpq(0))]


@claim(
    "new.bistable.varying-scan",
    place="after degeeter26 Eq. 7",
    title="the convergent RNN is a parallel scan for all inputs and feedbacks: maps between at most three equilibria compose",
    says=r"Let $0<c\le1$, $\beta_t\ge-\frac2c$, any $x_t$ and $h_0$, and $E_t$ the at most three solutions of Eq. 5. $R_t(h)=\lim_nf_t^n(h)$ is $h$ on $E_t$, and else the next element of $E_t$ in the direction of $f_t(h)-h$; folds included. "
    r"So step $t$ is a nondecreasing map $E_{t-1}\to E_t$ that needs no other step, and $h_T=(R_T\circ\dots\circ R_2)(R_1(h_0))$ in every bracketing.",
    known="degeeter26 Sec. 3 solves Eq. 7 for each step in parallel and leaves the choice to h_(t-1); new.bistable.exact-scan has the scan for constant beta, and an example of a beta that grows where the side is lost",
    construction="lemmata.constructions.bistable.scan.convergent_states",
    sabotages={
        "the side of Eq. 9 with the fold for a threshold": {"states": lambda inputs, start: _by_sides(inputs, start)},
        "the boundary of Eq. 8": {"states": lambda inputs, start: _by_line(inputs, start)},
    },
)
def maps_between_equilibria(
    proof: Proof,
    states: Callable[[Sequence[Input], fmpq], list[arb]] = convergent_states,
) -> None:
    r"""The cell has at most three equilibria, and they say where each orbit goes.

    1. For $\beta\ge-\frac1c$ the cell is nondecreasing, orbits are bounded, as $|f(h)|\le(1-c)|h|+c$, and $f(h)-h$ has the sign of $x-X(h)$ on $(-1,1)$. For $-\frac2c\le\beta\le0$ there is one equilibrium, which all orbits reach.
       [uses: degeeter26.sec3.solutions, degeeter26.sec3.convergence, degeeter26.sec3.stability.amended]
    2. So the RNN is convergent, the next equilibrium in the direction of $f(h)-h$ is the limit, and the maps $E_{t-1}\to E_t$ are scanned. [uses: new.bistable.convergent-scan]
    3. For $|x|<x_f$ this says: from above (below) the middle solution to the upper (lower) one. At the folds $x=\mp x_f$ the double solution $\pm h_f$ attracts from the outside and repels inwards, and step 2 holds as it stands. [prose]
    4. Words in which $x_t$ and $\beta_t$ change at every step, by the scan in balls and by the clock, whose orbits are bounded by two that increase; and words that stand on the unstable equilibrium and leave it. [checked: "the scan's states solve Eq. 5"; "the clock comes within 1e-9"; "some step turns the side"; "on the unstable equilibrium"]
    """
    words = varying_words(Random(352), *proof.pick((4, 8), (8, 12), (40, 24)))
    for word in proof.each(
        f"{len(words)} words of {len(words[0])} inputs, beta_t in {{-1/2, 1/4, 1, 3/2, 3}}, |x_t| up to 2 |beta_t| + 1/2, seed 352", words
    ):
        found = states(word, fmpq(1, 3))
        proof.certified("the scan's states solve Eq. 5", all(is_equilibrium(h, x, b) for h, (x, b) in zip(found, word, strict=True)))
        clock = by_the_clock(word, fmpq(1, 3))
        proof.certified(
            "the clock comes within 1e-9 of them", all(bool(abs(h - e) < arb(10) ** -9) for h, e in zip(clock, found, strict=True))
        )
        certify_word(proof, f"{len(word)} random inputs", word, fmpq(1, 3), found, 100)
    lost = [(fmpq(1, 100), fmpq(1, 10)), (fmpq(-5, 2), fmpq(4))]
    for _ in proof.each("(x, beta) = (1/100, 1/10), then (-5/2, 4)", ["a beta that grows"]):
        found = states(lost, fmpq(1))
        turns = (
            bool(found[0] > 0)
            and bool(found[1] < 0)
            and bool(fold_input(4) > fmpq(5, 2))
            and bool(abs(by_the_clock(lost, fmpq(1))[1] - found[1]) < arb(10) ** -9)
        )
        proof.certified("some step turns the side although its input lies inside the folds", turns)
    for word, start in proof.each("three words through the state 0", unstable_words()):
        found = states(word, start)
        stays = [bool(h == 0) for h in found]
        proof.exactly("on the unstable equilibrium the state stays, and leaves it with the input", stays, _zero_until_pushed(word, start))
    word = [(x, beta) for x, beta in (grid(*pair) for pair in (("1/100", "1/10"), ("-5/2", 4), (1, 4), ("1/2", "-1/2")))]
    certify_word(proof, "a beta that grows, and falls", word, fmpq(1), states(word, fmpq(1)), 25)


def _zero_until_pushed(word: Sequence[Input], start: fmpq) -> list[bool]:
    """Whether the state is 0: with a single equilibrium at x = 0 it is; with three it stays 0 if it was; for x != 0 never."""
    zero, out = start == 0, []
    for x, beta in word:
        zero = x == 0 and (zero or beta <= 0)
        out.append(bool(zero))
    return out


def certify_word(proof: Proof, title: str, word: Sequence[Input], start: fmpq, found: Sequence[arb], ticks: int) -> None:
    """A certificate: for each step an interval around a solution of Eq. 5, which the clock enters from the interval before within so many ticks."""
    middles = [fmpq(round(float(h.mid()) * 10**5), 10**5) for h in found]
    top = 1 - fmpq(1, 10**9)
    brackets = [[max(m - fmpq(1, 2000), -top), min(m + fmpq(1, 2000), top)] for m in middles]
    inputs, betas = zip(*word, strict=True)
    proof.certificate("witness", title, inputs=inputs, betas=betas, start=start, ticks=ticks, brackets=brackets)


def _by_sides(inputs: Sequence[Input], start: fmpq) -> list[arb]:
    """Eq. 9 with x_f for beta: the side is kept inside the folds."""
    side, out = sign(start), []
    for x, beta in inputs:
        found = equilibria(x, beta)
        side = simplified(side, arb(x), fold_input(beta), 1) if beta > 0 else sign(found[0])
        out.append(found[-1] if side > 0 else found[0])
    return out


def _by_line(inputs: Sequence[Input], start: fmpq) -> list[arb]:
    """Eq. 8: the line h = -x / beta for the middle solution, and the threshold beta for the fold."""
    h, out = arb(start), []
    for x, beta in inputs:
        found = equilibria(x, beta)
        h = found[-1] if beta <= 0 or approximation(h, arb(x), arb(beta), 1) > 0 else found[0]
        out.append(h)
    return out


# -- finite precision decides --------------------------------------------------------------------------------------------------------


def convergents(x: arb, count: int) -> list[fmpq]:
    """The first continued-fraction convergents of a ball, as many as it determines."""
    found: list[fmpq] = []
    p, q, p1, q1 = 1, 0, 0, 1
    for _ in range(count):
        a = x.floor().unique_fmpz()
        if a is None:
            break
        p, q, p1, q1 = int(a) * p + p1, int(a) * q + q1, p, q
        found.append(fmpq(p, q))
        x = 1 / (x - a)
    return found


@claim(
    "new.bistable.decided",
    place="after degeeter26 Eq. 7, new.bistable.varying-scan",
    title="rational inputs meet no fold, and states meet the next unstable equilibrium only at 0 or where nothing changed",
    says=r"Let $x,\beta,x',\beta'$ be algebraic. If $\beta>0$, $|x|\ne x_f(\beta)$. If one $h$ solves Eq. 5 for $(x,\beta)$ and for $(x',\beta')\ne(x,\beta)$, then $h=x=x'=0$; an algebraic $h$ solves it for $h=x=0$ only. "
    r"So on rational inputs, floating-point numbers among them, balls of some finite precision decide every comparison of the scan.",
    known="the theorem of Lindemann on exponentials of algebraic numbers is classical (1882); we have not found it used for the ties of a bistable unit",
    uses=("degeeter26.sec3.solutions",),
    construction="lemmata.constructions.bistable.scan.convergent_states",
    sabotages={
        "the clock in double precision": {"compute": lambda word, start: by_the_clock(word, start, 300)},
        "exp(2u) in place of exp(u)": {"root": lambda s: s + sympy.sqrt(s**2 + 1) + 1},
        "balls around the fold in place of numbers beside it": {"beside": lambda beta, count: [fmpq(0)] * 2},
    },
)
def nothing_is_left_open(
    proof: Proof,
    compute: Callable[[Sequence[Input], fmpq], list[arb]] = convergent_states,
    root: Callable[[Any], Any] = lambda s: s + sympy.sqrt(s**2 + 1),
    beside: Callable[[fmpq, int], list[fmpq]] = lambda beta, count: convergents(fold_input(beta), count),
) -> None:
    r"""If $a\ne0$ is algebraic, $e^a$ is not.

    1. With $\sqrt\beta=\sinh u$: $e^u=\sqrt\beta+\sqrt{\beta+1}$ is algebraic, $u>0$, so $u$ is not; nor is $x_f=\sqrt{\beta(\beta+1)}-u$. [checked: "e^u = s + sqrt(s^2 + 1)"] [cited: Lindemann 1882]
    2. A solution is $h=\tanh a$ with $a=x+(\beta+1)h$, so $e^{2a}=\frac{1+h}{1-h}$. If $h$ is algebraic, $a$ and $e^{2a}$ are, so $a=0$, $h=0$ and $x=0$. [checked: "e^(2a) = (1 + h) / (1 - h)"] [cited: Lindemann 1882]
    3. If $h$ solves it for both, $(x-x')+(\beta-\beta')h=0$. If $\beta=\beta'$ then $x=x'$. Otherwise $h=-\frac{x-x'}{\beta-\beta'}$ is algebraic, and step 2 holds for both. [checked: "artanh h is the same"]
    4. Two different real numbers are told apart by balls of some precision; equal ones occur for equal inputs and at $0$ only, where the code says so. Inputs as near to the fold as its continued fraction comes, and starts as near to the middle solution. [uses: new.bistable.varying-scan] [checked: "inputs beside the fold"; "starts beside the middle"; "so near that"]
    """
    proof.cites("Lindemann (1882): exp(a) is transcendental for every algebraic a other than 0")
    s, a = sympy.Symbol("s", positive=True), sympy.Symbol("a", real=True)
    proof.symbolically("e^u = s + sqrt(s^2 + 1) for s = sinh u", sympy.sinh(sympy.log(root(s))).rewrite(sympy.exp), s, "s = sqrt(beta) > 0")
    h = sympy.tanh(a)
    proof.symbolically("e^(2a) = (1 + h) / (1 - h) for h = tanh a", ((1 + h) / (1 - h)).rewrite(sympy.exp), sympy.exp(2 * a), "a")
    x, y, gamma = sympy.symbols("x x' gamma", real=True)
    proof.symbolically(
        "artanh h is the same for both", (x + (BETA + 1) * H) - (y + (gamma + 1) * H), (x - y) + (BETA - gamma) * H, "x, beta, x', beta', h"
    )
    count = proof.pick(20, 30, 60)
    beta = fmpq(3, 2)
    with ctx.workprec(400):
        near = beside(beta, count)[-2:]
        middles = convergents(equilibria(fmpq(1, 2), beta, 1e-100)[1] + 1, count)[-2:]
        low, high = min(near), max(near)
        proof.certified("so near that 64 bits do not tell", bool(abs(fold_input(beta) - low) < arb(10) ** -14))
    for _ in proof.each(f"convergent {count} of the fold at beta = 3/2 and of the middle solution at x = 1/2", ["both sides"]):
        # from the lower branch: inside the fold it keeps the side, beyond it goes up
        sides = [bool(compute([(x, beta)], fmpq(-1))[0] > 0) for x in (low, high)]
        proof.certified("inputs beside the fold are told apart", sides == [False, True], str(sides))
        sides = [bool(compute([(fmpq(1, 2), beta)], m - 1)[0] > 0) for m in (min(middles), max(middles))]
        proof.certified("starts beside the middle solution are told apart", sides == [False, True], str(sides))
    proof.certificate("witness", "two inputs beside the fold", beta=beta, low=low, high=high)
