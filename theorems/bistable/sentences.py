"""Sentences of degeeter26 beside its equations: clocks of linear recurrences, what transients and limits tell, how limits are computed (Secs. 1 to 4)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy
from flint import arb, fmpq

from ...constructions.bistable import equilibria, fold_input, fold_state, heaviside, sign
from ...numerics.aliases import Exact
from ..claim import claim
from ..evidence import Proof
from .cases import E, Free
from .hysteresis import BETA, C, H, X, folds, tick

# -- linear recurrences (Secs. 1 and 2) --------------------------------------------------------------------------------------------


@claim(
    "degeeter26.sec2.linear",
    place="Sec. 2, linear recurrences with an internal clock",
    title="N ticks of an affine step have a closed form: A to the power N, and a geometric sum",
    says=r"For $f(x,h)=Ah+Bx$: $\tilde h_t[N]=A^Nh_{t-1}+S_NBx_t$ with $S_N=\sum_{k<N}A^k$, and $(I-A)S_N=I-A^N$. Without it $T$ inputs take $NT$ steps, $N$ for each.",
    sabotages={
        "the input enters once, which the kernel refutes": {"theorem": "recurrences.ticks_in_closed_form_once"},
        "the input enters at the first tick alone": {"step": lambda A, h, b: A * h},
        "a sum that starts at A": {"first": 1},
    },
)
def ticks_in_closed_form(
    proof: Proof,
    step: Callable[..., Any] = lambda A, h, b: A * h + b,
    first: int = 0,
    theorem: str = "recurrences.ticks_in_closed_form",
) -> None:
    r"""An induction over the ticks; $P=A^N$ and $S=S_N$ stand for what $N$ ticks have made.

    1. $N=0$: $P=I$ and $S=0$. [checked: "no tick"]
    2. One tick more sends $Ph+Sb$ to $(AP)h+(AS+I)b$, for matrices that need not commute. [checked: "one tick more"] [prose]
    3. $A$, $P$ and $S$ commute, being powers of $A$ and their sum. If $(I-A)S=I-P$, then $(I-A)(AS+I)=I-AP$. [checked: "the sum times I - A"] [prose]
    """
    proof.formally(
        "the kernel: N ticks at once, and how many there are",
        theorem,
        whole="every size, A, B, N and input",
        differs="any field for the reals",
    )
    A, P, S, h, b = sympy.symbols("A P S h b", commutative=False)
    proof.symbolically("no tick", h + first * b, h, "h, b")
    proof.symbolically("one tick more", step(A, P * h + S * b, b), A * P * h + (A * S + 1) * b, "A, P, S, h, b")
    a, p = sympy.symbols("a p")
    proof.symbolically("the sum times I - A", (1 - a) * (a * (1 - p) / (1 - a) + 1), 1 - a * p, "A, P")


@claim(
    "degeeter26.sec1.nonlinear",
    place="Sec. 1, on multistability",
    title="an affine step with two equilibria has a line of them, and none attracts: two attracting states need another step",
    says=r"If $Ah+b=h$ and $Ak+b=k$ with $h\ne k$, every $h+s(k-h)$ is an equilibrium of the step, so that no equilibrium attracts all states near it.",
    reading="for stable states that attract, at a constant input, and recurrences that are not affine in the state. States that are kept and attract nothing, as in Eq. 11, need no more than a linear recurrence (degeeter26.sec3.monostable)",
    remarks=("That nonlinear connections 'usually' prevent parallel computation is an opinion; Sec. 6 names methods that do without.",),
    sabotages={
        "squares, which the kernel refutes": {"theorem": "sentences.a_line_of_equilibria_of_squares"},
        "a quadratic step": {"step": lambda A, h, b: A * h * h + b},
    },
)
def a_line_of_equilibria(
    proof: Proof,
    step: Callable[..., Any] = lambda A, h, b: A * h + b,
    theorem: str = "sentences.a_line_of_equilibria",
) -> None:
    r"""Affine maps keep lines.

    1. $A(h+s(k-h))+b=(1-s)(Ah+b)+s(Ak+b)$, which is $h+s(k-h)$ for two equilibria. [checked: "a point of the line"] [prose]
    2. So each equilibrium $h$ has others as near as one likes, on the line to $k$. An orbit that starts in one of them stays there and does not tend to $h$. [prose]
    """
    proof.formally(
        "the kernel: a line of equilibria, and some of them near each",
        theorem,
        whole="every size, A, b and two equilibria",
        differs="an ordered field for the reals; 'near' in the largest entry; 'attracts all states near' fails since others, as near as one likes, stay",
    )
    A, h, k, b = sympy.symbols("A h k b", commutative=False)
    s = sympy.Symbol("s")
    proof.symbolically("a point of the line", step(A, (1 - s) * h + s * k, b), (1 - s) * step(A, h, b) + s * step(A, k, b), "A, h, k, b, s")


# -- what the clock keeps (Sec. 3) -------------------------------------------------------------------------------------------------


@claim(
    "degeeter26.sec3.transients",
    place="Sec. 3, on Fig. 1",
    title="two orbits with one limit come as near as one likes in finite time, but never meet in exact arithmetic",
    says=r"Let $0<c\le1$ and $\beta>-\frac1c$. Two orbits of Eq. 4b from different states differ at every tick. If they have one limit, they are within any $\varepsilon>0$ of each other from some tick on.",
    reading="'a strictly finite amount of time' at any given resolution. In exact arithmetic the transient tells the two states apart at every tick",
    sabotages={"beta below -1/c": {"shift": -1}},
)
def transients_never_meet(proof: Proof, shift: int = 1) -> None:
    r"""The step increases strictly, so that it sends no two states to one.

    1. $f'=1-c+c(\beta+1)s$ with $s=1-\tanh^2(\dots)\in(0,1]$; for $\beta=-\frac1c+q$, $q>0$, this is $(1-c)(1-s)+cqs>0$. [checked: "f' is"; "f' > 0"]
    2. So $f$ increases strictly, and different states stay different at every tick. [prose]
    3. Two sequences with one limit differ by less than $\varepsilon$ from some index on. [prose]
    """
    s, q = sympy.symbols("s q", positive=True)
    derivative: Exact = sympy.diff(tick(H, X, BETA, C), H).subs(sympy.tanh(X + (BETA + 1) * H) ** 2, 1 - s)
    slope = derivative.subs(BETA, shift * q - 1 / C)
    proof.symbolically("f' is (1 - c)(1 - s) + c q s", slope, (1 - C) * (1 - s) + C * q * s, "s, c, q, h, x")
    # c = 1/(1 + u) and s = 1/(1 + v) with u, v >= 0 are all numbers of (0, 1]
    u, v = sympy.symbols("u v", nonnegative=True)
    proof.holds("f' > 0", sympy.factor(slope.subs({C: 1 / (1 + u), s: 1 / (1 + v)})).is_positive, free="c and s in (0, 1], q > 0")


@claim(
    "degeeter26.sec3.fade",
    place="Sec. 3, second paragraph",
    of="degeeter26.sec3.convergence",
    flaw="overstatement",
    weight="wording",
    quotes=("This property is of great interest, as it ensures that the information encoded in the RNN unit will not fade over time.",),
    title="a clock that converges does not ensure that information stays: contractions converge too, and keep nothing",
    says=r"If the internal clock converges from every state, the information that the unit holds does not fade.",
    reading="of the property that Sec. 3 begins with, the limit. The paragraphs on Fig. 1 say what else is needed",
    letter="Sec. 3 says that convergence of the internal clock ensures that information does not fade. Contractions converge too, and keep nothing. "
    "Your unit of Fig. 1 (left), with beta = -1.5 and c = 0.01, sends all states to 0 at the input 0. What keeps information is a second stable equilibrium, as the paragraphs on Fig. 1 say.",
    sabotages={"the bistable unit of Fig. 1 (right)": {"beta": fmpq(3, 2)}, "one state": {"states": (1, 1)}},
)
def contractions_converge(proof: Proof, beta: fmpq = fmpq(-3, 2), states: tuple[int, int] = (1, -1)) -> None:
    """f' = 1 - c + c (beta + 1) s is linear in s, which lies in (0, 1], so it lies between 1 - c and 1 + c beta. For c = 1/100 and beta = -3/2 these are 99/100 and 197/200: a contraction.
    At x = 0 its one fixed point is 0, and the states 1 and -1 both end there."""
    c = fmpq(1, 100)
    ends = (1 - c, 1 + c * beta)
    contracts = max(map(abs, ends)) < 1
    proof.counterexample(
        given={"c": c, "beta": beta, "x": 0, "two states": states, "f' lies between": ends, "the limit of both": 0},
        words={
            "converges": bool(contracts),
            "differ": states[0] != states[1],
            "same": bool(contracts and tick(0, 0, sympy.Rational(str(beta)), C) == 0),
        },
        minimal="the unit of Fig. 1 (left)",
    )
    proof.certificate("witness", "Fig. 1 (left)", c=c, beta=beta, x="0", states=[fmpq(s) for s in states])


@claim(
    "degeeter26.sec3.any-dynamics",
    place="Sec. 3, before Sec. 4",
    of="degeeter26.sec3.convergence",
    flaw="remark",
    quotes=("a MRU can be built from any nonlinear dynamics", "by using its bifurcation diagram as an implicit activation function."),
    title="of dynamics with a stable cycle and one equilibrium, which repels, the zeros of F keep nothing",
    says=r"Any nonlinear dynamics becomes a memory recurrent unit, the zeros of $F_\theta$ being its states.",
    reading="for all dynamics, as printed. Sec. 3 begins with those that converge, and there nothing is wrong",
    remarks=("Only an uncharitable reading breaks it, as the section is on convergent RNNs: a remark, which counts nowhere.",),
    letter="Sec. 3 builds an MRU from any nonlinear dynamics. The zeros of F are equilibria, and cycles are not among them. For c = 1, beta = -3 and x = 0 the only zero, 0, repels, and a 2-cycle attracts. "
    "As Sec. 3 begins with convergent RNNs, this is a remark only.",
    sabotages={"feedback without a cycle": {"beta": fmpq(-2)}},
)
def cycles_are_no_zeros(proof: Proof, beta: fmpq = fmpq(-3)) -> None:
    """For c = 1, beta = -3, x = 0 the step is h -> -tanh 2h. F(h) = h + tanh 2h increases, so 0 is its only zero, and f'(0) = -2. Between 19/20 and 24/25 lies r with tanh 2r = r,
    so that r and -r form a 2-cycle; f' = -2 (1 - r^2) there, of modulus below 1/5."""
    low, high = fmpq(19, 20), fmpq(24, 25)
    ends = [((beta + 1) * arb(r)).tanh() + r for r in (low, high)]
    multiplier = abs((beta + 1) * (1 - low * low))
    proof.counterexample(
        given={
            "c": 1,
            "beta": beta,
            "x": 0,
            "f'(0)": beta + 1,
            "cycle": f"r and -r, r between {low} and {high}",
            "|f'| there at most": multiplier,
        },
        words={
            "only": bool(beta + 1 <= 0),
            "repels": bool(beta + 1 < -1),
            "cycle": bool(ends[0] < 0) and bool(ends[1] > 0),
            "attracts": bool(multiplier < 1),
        },
        how="certified",
        minimal="c = 1, beta = -3, x = 0",
    )
    proof.certificate("witness", "a 2-cycle that attracts", beta=beta, cycle=[low, high])


# -- how limits are computed and differentiated (Sec. 3) -----------------------------------------------------------------------------


@claim(
    "degeeter26.sec3.implicit",
    place="Sec. 3, first paragraphs; before Sec. 4, on implicit differentiation",
    title="implicit gradients of the limit are 1 / (1/(1 − h²) − β − 1) in the input, finite off the folds; in the old state 0",
    says=r"On the solutions of Eq. 5, where $h^2\ne\frac\beta{\beta+1}$, $\frac{dh}{dx}=-\frac{F_x}{F_h}=\bigl(\frac1{1-h^2}-\beta-1\bigr)^{-1}$, positive on the outer branches; and $\frac{dh_t}{dh_{t-1}}=0$ off the middle equilibrium.",
    hypotheses=("0 < c <= 1, beta >= -1/c and |x| other than x_f",),
    reading="'stable if the input barely changes' off the folds, where the slope is finite",
    remarks=(
        "At a fold the slope is infinite, and beyond it the limit jumps to the other branch.",
        "So exact gradients of the convergent RNN pass nothing back through time; the constant gradient of Sec. 4.3 comes from Eq. 9 (degeeter26.sec4.3.jacobian.rewriting).",
    ),
    sabotages={"feedback beta in place of beta + 1": {"equation": lambda h, x: h - sympy.tanh(x + BETA * h)}},
)
def implicit_gradients(proof: Proof, equation: Callable[..., Any] = lambda h, x: h - sympy.tanh(x + (BETA + 1) * h)) -> None:
    r"""The implicit function theorem for Eq. 5, with $\tanh(\dots)=h$ on its solutions.

    1. $F_x=-(1-h^2)$ and $F_h=1-(\beta+1)(1-h^2)$ there. [checked: "F_x"; "F_h"]
    2. Their quotient is the slope. [checked: "the slope"]
    3. $\frac1{1-h^2}-\beta-1=\frac{(\beta+1)h^2-\beta}{1-h^2}$, which is $0$ at $h^2=\frac\beta{\beta+1}$, the folds, and positive beyond. [checked: "its denominator"] [prose]
    4. $F$ does not contain $h_{t-1}$, which chooses the solution. Off the middle equilibrium all states near by choose the same one, so the derivative is $0$. [uses: degeeter26.sec3.convergence] [prose]
    """
    on_it = lambda e: e.subs(sympy.tanh(X + (BETA + 1) * H), H)  # noqa: E731
    by_x, by_h = (on_it(sympy.diff(equation(H, X), v)) for v in (X, H))
    proof.symbolically("F_x", by_x, -(1 - H**2), "h, x, beta")
    proof.symbolically("F_h", by_h, 1 - (BETA + 1) * (1 - H**2), "h, x, beta")
    proof.symbolically("the slope", -by_x / by_h, 1 / (1 / (1 - H**2) - BETA - 1), "h, beta")
    proof.symbolically("its denominator", 1 / (1 - H**2) - BETA - 1, ((BETA + 1) * H**2 - BETA) / (1 - H**2), "h, beta")


@claim(
    "degeeter26.sec3.newton",
    place="Sec. 3, before Sec. 4, on iterative methods",
    title="inside the memory region Newton's method from an outer state finds the equilibrium of its branch",
    says=r"Let $\beta>0$, $x>-x_f$ and $h_0\in[\sqrt{\beta/(\beta+1)},1]$. Newton's method for $F(h)=h-\tanh(x+(\beta+1)h)$ from $h_0$ converges to the upper solution of Eq. 5, monotonically from the second iterate on; so from $-h_0$ to the lower one for $x<x_f$.",
    reading="for constant beta and a state of an outer branch, which after the first step each state is; outside the memory region the method may start on the wrong side",
    sabotages={
        "feedback beta - 1": {"shift": -1},
        "below the fold": {"start": lambda beta: fold_state(beta) / 50},
    },
)
def newton_from_the_old_state(proof: Proof, shift: int = 1, start: Callable[[fmpq], arb] = lambda beta: fold_state(beta)) -> None:
    r"""Beyond the fold's state $F$ increases and is convex.

    1. With $t=\tanh(x+(\beta+1)h)$: $F'=1-(\beta+1)(1-t^2)$ and $F''=2(\beta+1)^2t(1-t^2)$. [checked: "F'"; "F''"]
    2. At $h_f=\sqrt{\beta/(\beta+1)}$ and $x=-x_f$ the argument is $\operatorname{artanh}h_f$; for $x>-x_f$ and $h\ge h_f$ it is greater, so $t>h_f$. Hence $F''>0$, and $F'>0$ as $1-(\beta+1)(1-h_f^2)=0$.
       [checked: "the argument at the fold"; "F' vanishes at t = h_f"] [prose]
    3. $F(h_f)=h_f-t<0$ and $F(1)>0$: there is one solution $h_+$ in $(h_f,1)$. [prose]
    4. The graph lies above its tangents. So the first iterate is at least $h_+$, all later ones are, and they decrease: they converge, and the limit is the solution. [prose]
    5. So it is in balls, from the fold's state and from 1: six iterates come within $10^{-6}$. [checked: "six iterates"] [prose]
    6. $F(-h,-x)=-F(h,x)$ turns the upper branch into the lower one. [checked: "F is odd"]
    """
    at = lambda h, x: h - sympy.tanh(x + (BETA + shift) * h)  # noqa: E731
    t = sympy.Symbol("t")
    with_t = lambda e: e.subs(sympy.tanh(X + (BETA + shift) * H), t)  # noqa: E731
    proof.symbolically("F' = 1 - (beta + 1)(1 - t^2)", with_t(sympy.diff(at(H, X), H)), 1 - (BETA + 1) * (1 - t**2), "h, x, beta")
    second = 2 * (BETA + 1) ** 2 * t * (1 - t**2)
    proof.symbolically("F'' = 2 (beta + 1)^2 t (1 - t^2)", with_t(sympy.diff(at(H, X), H, 2)), second, "h, x, beta")
    u = sympy.Symbol("u", positive=True)
    beta, h_f, x_f = folds(u)
    proof.symbolically("the argument at the fold is artanh h_f", (-x_f + (beta + 1) * h_f).rewrite(sympy.exp), u, "beta = sinh^2 u")
    proof.symbolically("F' vanishes at t = h_f", (1 - (beta + 1) * (1 - h_f**2)).rewrite(sympy.exp), 0, "beta = sinh^2 u")
    proof.symbolically("F is odd", at(-H, -X), -at(H, X), "h, x, beta")
    with proof.beside():
        for b, ratio in [(fmpq(1, 2), fmpq(1, 3)), (fmpq(3, 2), fmpq(-3, 4)), (fmpq(4), fmpq(0))]:
            x = (fold_input(b) * arb(ratio)).mid()
            goal = equilibria(x, b)[2]
            near = [abs(_newton(h.mid(), x, b, 6) - goal) < arb(10) ** -6 for h in (start(b), arb(1))]
            proof.certified(f"six iterates, beta = {b}, x = {ratio} x_f", all(map(bool, near)))


def _newton(h: arb, x: arb, beta: fmpq, steps: int) -> arb:
    """Iterates of Newton's method for Eq. 5, from a number; each is the middle of its ball."""
    for _ in range(steps):
        t = (x + (beta + 1) * h).tanh()
        h = (h - (h - t) / (1 - (beta + 1) * (1 - t * t))).mid()
    return h


# -- the unit (Sec. 4.2) -------------------------------------------------------------------------------------------------------------


@claim(
    "degeeter26.sec4.2.derivative",
    place="Sec. 4.2, before Eq. 12",
    title="off 0 the derivatives of S and H are 0; at 0 their symmetric difference quotients exceed every bound",
    says=r"$H$ and $S$ are constant on each side of $0$; $\frac{H(e)-H(-e)}{2e}=\frac1{2e}$ and $\frac{S(e)-S(-e)}{2e}=\frac1e$ for every $e>0$.",
    reading="the gradient at 0 as the limit of symmetric difference quotients: there is no derivative, and from the right, as H(0) = 1, the quotient is 0",
    sabotages={
        "one jump for both, which the kernel refutes": {"theorem": "sentences.steps_have_one_jump"},
        "a ramp": {"step": lambda v: v * v},
    },
)
def steps_have_no_gradient(proof: Proof, step: Callable[[Any], Any] = heaviside, theorem: str = "sentences.steps_have_no_gradient") -> None:
    r"""Two cases, by the side of $0$.

    1. Two numbers of one side have one value. [checked: "constant on a side"]
    2. Across $0$ the values differ by $1$ and by $2$, so the quotients are $\frac1{2e}$ and $\frac1e$. [checked: "the jump of H"; "the jump of S"]
    """
    proof.formally(
        "the kernel: constant on each side, and the quotients across 0",
        theorem,
        whole="all e > 0",
        differs="an ordered field for the reals; S(0) = 1, which no part of the statement uses",
    )
    e = Free(E)
    for side in proof.every("both sides of 0, all e > 0", (1, -1), limited=False):
        values = [f(Free(side) * e * k) - f(Free(side) * e) for f in (step, sign) for k in (2, 3)]
        proof.exactly("constant on a side", [Free(v) for v in values], [Free(0)] * 4)
    proof.exactly("the jump of H over 2e", Free(step(e) - step(-e)) / (2 * e), Free(1) / (2 * e), free="e > 0")
    proof.exactly("the jump of S over 2e", Free(sign(e) - sign(-e)) / (2 * e), Free(1) / e, free="e > 0")
