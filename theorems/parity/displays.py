"""Displays of App. B.1 and B.2 (grazzi25): the unrolled state, and the states of one layer whose cast terms have settled."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import sympy
from flint import fmpq

from ...constructions import parity
from ...constructions.recurrence import Recurrence
from ...numerics import exact
from ...numerics.finite_precision import FiniteSet
from ..claim import claim
from ..evidence import Proof

# -- the unrolled state --------------------------------------------------------------------------------------------------


def _printed_unrolling(steps: list[tuple], initial):
    """sum_{i=1}^{k-1} (prod_{j=i+1}^{k-1} A_j) B_i + (prod_{i=1}^k A_i) H_0, products latest first (the kind reading)."""
    k, total = len(steps), 0
    for i in range(1, k):
        total = total + _latest_first(steps[i : k - 1]) * steps[i - 1][1]
    return total + _latest_first(steps) * initial


def _unrolling(steps: list[tuple], initial):
    """sum_{i=1}^{k} (prod_{j=i+1}^{k} A_j) B_i + (prod_{i=1}^k A_i) H_0, products latest first."""
    total = 0
    for i in range(1, len(steps) + 1):
        total = total + _latest_first(steps[i:]) * steps[i - 1][1]
    return total + _latest_first(steps) * initial


def _latest_first(steps: list[tuple]):
    out = 1
    for a, _ in steps:
        out = a * out
    return out


def _recursion(steps: list[tuple], state):
    for a, b in steps:
        state = a * state + b
    return state


@claim(
    "grazzi25.thm1.unrolled",
    place="App. B.1, unrolled recursion",
    flaw="misprint",
    weight="proof",
    extracted=True,
    quotes=("By unrolling the recursion in 1 we obtain a closed-form expression for the state",),
    title="the printed closed form of the state differs from the recursion",
    says=r"$H_k=\sum_{i=1}^{k-1}\bigl(\prod_{j=i+1}^{k-1}A(x_j)\bigr)B(x_i)+\bigl(\prod_{i=1}^kA(x_i)\bigr)H_0$.",
    letter="In App. B.1 the sum in the unrolled state, and the products in it, should run to k, not to k - 1. At k = 1 the input B(x_1) is lost. The products go from the latest factor to the earliest. The formula for 1^k further down is right.",
    reading="products run from the latest factor to the earliest; in the printed order of the indices they are reversed as well. The bound k - 1 stands in three places, which no slip of extraction explains.",
    sabotages={"the sum and its products run to k": {"closed_form": _unrolling}},
)
def printed_closed_form(proof: Proof, closed_form=_printed_unrolling) -> None:
    """At k = 1 the printed sum is empty, so that B(x_1) is lost: for scalars A = 0, B = 1, H_0 = 0 it gives 0, and H_1 = 1."""
    candidates = ((k, a, b, h) for k in range(0, 4) for a, b, h in product((0, 1, 2), repeat=3))
    found = proof.smallest(
        "k = 0 .. 3, then constant scalars a, b, h in {0, 1, 2}",
        candidates,
        lambda c: closed_form([(c[1], c[2])] * c[0], c[3]) != _recursion([(c[1], c[2])] * c[0], c[3]),
    )
    if found:
        (k, a, b, h), _ = found
        steps = [(a, b)] * k
        proof.counterexample(
            given={"k": k, "A": a, "B": b, "H_0": h, "printed": closed_form(steps, h), "recursion": _recursion(steps, h)},
            words={"length": k >= 1, "differ": closed_form(steps, h) != _recursion(steps, h)}
            | {str(j): closed_form([(2, 1)] * j, 0) != _recursion([(2, 1)] * j, 0) for j in range(1, 6)},
            minimal=f"k = {k}, n = 1",
        )
        for letters, start in ((steps, h), *(([(2, 1)] * j, 0) for j in range(1, 6))):
            proof.certificate("witness", f"k = {len(letters)}", steps=exact.rationals(letters), H0=fmpq(start))


@claim(
    "grazzi25.thm1.unrolled.amended",
    place="App. B.1, unrolled recursion",
    amends="grazzi25.thm1.unrolled",
    title="the state is the sum over i ≤ k of the later transitions applied to B(xᵢ), plus all of them on H₀",
    says=r"$H_k=\sum_{i=1}^{k}A(x_k)\cdots A(x_{i+1})\,B(x_i)+A(x_k)\cdots A(x_1)\,H_0$.",
    construction="lemmata.constructions.recurrence.Recurrence.closed_form",
    sabotages={
        "a sum up to k - 1, which the kernel refutes": {"theorem": "recurrences.closed_form_without_the_last"},
        "the printed bounds k - 1": {"closed_form": _printed_unrolling},
    },
)
def closed_form_of_the_state(proof: Proof, closed_form: Callable = _unrolling, theorem: str = "recurrences.closed_form") -> None:
    r"""Induction on the length of the word, in noncommuting symbols.

    Write $P=A(x_k)\cdots A(x_1)$ and $S=\sum_{i\le k}A(x_k)\cdots A(x_{i+1})B(x_i)$, so that the claim reads $H_k=S+PH_0$.

    1. For $k=0$ the sum is empty and the product is $I$, and for $k=1$ the formula is the recursion. [checked: "base: no letter"; "base: one letter"]
    2. $P$ and $S$ enter the recursion as one letter with transition $P$ and input $S$; a word of $k+1$ letters is this letter and the last one, and the formula gives
       $AS+B+APH_0$, which is $AH_k+B$. [checked: "step: the closed form of k + 1 letters is A H_k + B"] [prose]
    3. It is the formula for $k+1$ letters, since $A\cdot A(x_k)\cdots A(x_{i+1})B(x_i)$ is its $i$-th summand and $B$ its last one: multiplication from the left distributes over the sum.
       [checked: "step: left multiplication goes into every summand"] [prose]
    """
    proof.formally(
        "the kernel: the closed form of a state",
        theorem,
        whole="every n, alphabet, A, B, H_0, word and k",
        differs="any field for the reals; the state is a column",
    )
    a, b, p, s, h, q, v = sympy.symbols("A B P S H0 Q V", commutative=False)
    proof.symbolically("base: no letter", closed_form([], h), h, "H_0")
    proof.symbolically("base: one letter", closed_form([(a, b)], h), a * h + b, "A, B, H_0")
    proof.symbolically(
        "step: the closed form of k + 1 letters is A H_k + B", closed_form([(p, s), (a, b)], h), a * (s + p * h) + b, "P, S, A, B, H_0"
    )
    # one summand Q V of S, the others together S: its successor is A Q V
    proof.symbolically(
        "step: left multiplication goes into every summand",
        closed_form([(0, v), (q, s), (a, b)], h),
        a * q * v + (a * s + b),
        "a summand Q V, the others S, A, B",
    )


# -- one layer whose cast terms have settled -------------------------------------------------------------------------------


def _printed_constant(head, C, D, tau, k):
    """App. B.1: the argument of the outer cast at k >= tau, for casts C_i = C and D_i = D from tau on; ``head`` is the sum of C_i over i < tau."""
    return head + D + (1 - tau) * C + k * C


def _amended_constant(head, C, D, tau, k):
    """The same with as many terms C as there are indices tau .. k - 1."""
    return head + D + (k - tau) * C


@claim(
    "grazzi25.thm1.display",
    place="App. B.1, display of the settled state",
    flaw="misprint",
    weight="proof",
    extracted=True,
    quotes=(r"$\widehat{D}_k = \text{cast}(A(1)^k H_0) = \widehat{D}$ and hence",),
    title="the displayed settled state counts one term too many",
    says=r"If $\widehat C_i=\widehat C$ and $\widehat D_i=\widehat D$ for $i\ge\tau$ then "
    r"$\widehat H_k=\mathrm{cast}\bigl(\sum_{i=0}^{\tau-1}\widehat C_i+\widehat D+(1-\tau)\widehat C+k\widehat C\bigr)$ for $k\ge\tau$.",
    letter="In the last display of App. B.1, (1 - tau) C + k C counts one term C too many. There are k - tau indices from tau to k - 1, so -tau C + k C is meant. The conclusion does not change.",
    reading="the sum in the line above runs over i = 0 .. k - 1. No slip of extraction makes -tau into (1 - tau).",
    sabotages={"k - tau terms": {"display": _amended_constant}},
)
def settled_state_as_printed(proof: Proof, display=_printed_constant) -> None:
    """The counter A = B = 1, H_0 = 0 has C_i = 1 and D_i = 0 throughout, so with tau = k = 2 the state is cast(2) = 2; the display gives 2 + 0 + (1 - 2) + 2 = 3."""
    D = FiniteSet([0, 1, 2, 3])
    layer = parity.power_recurrence(parity.scalar(1), parity.scalar(0), parity.scalar(1))
    settled = layer.eventual_states([], [1], D).settled

    def differs(tau: int, k: int) -> tuple | None:
        C, last = _cast_terms(layer, D, k + 1)
        displayed, true = _cast(D, display(sum(C[:tau], fmpq(0)), fmpq(1), fmpq(0), tau, k)), _cast(D, sum(C[:k], fmpq(0)) + last[k])
        return (displayed, true) if displayed != true else None

    candidates = ((tau, k) for tau in range(settled, 3) for k in range(tau, 4))
    found = proof.smallest("tau, then k >= tau, for the counter", candidates, lambda c: differs(*c))
    if found:
        (tau, k), (displayed, true) = found
        proof.counterexample(
            given={"A(1)": 1, "B(1)": 1, "H_0": 0, "D": D, "tau": tau, "k": k, "displayed H_k": displayed, "H_k by definition": true},
            words={"settled": settled <= tau <= k, "differ": displayed != true},
            minimal="n = 1",
        )
        proof.certificate("witness", "the counter", A=fmpq(1), B=fmpq(1), H0=fmpq(0), D=D, tau=tau, k=k)


@claim(
    "grazzi25.thm1.display.amended",
    place="App. B.1, display of the settled state",
    amends="grazzi25.thm1.display",
    title="with k − τ terms C the displayed state is right",
    says=r"$\widehat H_k=\mathrm{cast}\bigl(\sum_{i=0}^{\tau-1}\widehat C_i+\widehat D+(k-\tau)\widehat C\bigr)$ for $k\ge\tau$.",
    sabotages={
        "one term C more, which the kernel refutes": {"theorem": "displays.settled_display_with_one_more"},
        "the display as printed": {"display": _printed_constant},
    },
)
def settled_state(proof: Proof, display=_amended_constant, theorem: str = "displays.settled_display") -> None:
    r"""Induction on $k\ge\tau$ for the argument $\sum_{i<k}\widehat C_i+\widehat D_k$ of the outer cast.

    1. At $k=\tau$ it is $\sum_{i<\tau}\widehat C_i+\widehat D$. [checked: "base: k = tau"]
    2. From $k$ to $k+1$ the sum gains $\widehat C_k=\widehat C$, and $\widehat D_{k+1}=\widehat D_k$. The two steps make an induction. [checked: "step: one more term C"] [prose]
    """
    proof.formally(
        "the kernel: the settled state",
        theorem,
        whole="every tau, k, cast and terms that settle",
        differs="any Abelian group for the matrices; any function for the cast; the C_i and D_k as any sequences that are constant from tau on",
    )
    head, C, D, tau, k = sympy.symbols("head C D tau k")
    proof.symbolically("base: k = tau", display(head, C, D, tau, tau), head + D, "sum, C, D, tau")
    proof.symbolically("step: one more term C", display(head, C, D, tau, k + 1), display(head, C, D, tau, k) + C, "sum, C, D, tau, k")


def _cast(D: FiniteSet, x: fmpq) -> fmpq:
    """Eq. 4 as printed: the nearest element, the smaller one at a tie."""
    return min(D.values, key=lambda z: (abs(z - x), z))


def _cast_terms(layer: Recurrence, D: FiniteSet, horizon: int) -> tuple[list[fmpq], list[fmpq]]:
    """(cast(A^k B), cast(A^k H_0)) for k < horizon, scalars."""
    a, b, h = layer.transition(1)[0, 0], layer.inputs(1)[0, 0], layer.initial[0, 0]
    return [_cast(D, a**k * b) for k in range(horizon)], [_cast(D, a**k * h) for k in range(horizon)]


def _printed_display(head, first, C: tuple, D: tuple, tau, k) -> tuple:
    """(argument of cast for H_2k, for H_2k+1) as printed; C = (C_1, C_2), D = (D_1, D_2) for odd and even indices.

    ``head`` is the sum of C_i over 0 <= i < tau, ``first`` its term C_0, which the printed sum from 1 leaves out.
    """
    (odd, even), (last_odd, last_even) = C, D
    start = head - first
    return start + (k - tau / 2 + 1) * even + (k - tau / 2) * odd + k * last_even, start + (k - tau / 2 + 1) * (even + odd) + k * last_odd


def _amended_display(head, first, C: tuple, D: tuple, tau, k) -> tuple:
    """The same with i from 0, as many odd as even indices up to 2k - 1, and the H_0 term once."""
    (odd, even), (last_odd, last_even) = C, D
    start = head + (k - tau / 2) * (even + odd)
    return start + last_even, start + even + last_odd


@claim(
    "grazzi25.thm2.display",
    place="App. B.2, display of H_2k and H_2k+1",
    flaw="misprint",
    weight="proof",
    extracted=True,
    quotes=(r"Finally, if for simplicity we consider $\tau \bmod 2 = 0$, we have that for $2k \geq \tau$",),
    title="the displayed states count the term of H₀ k times, and one letter's term once too often",
    says=r"$\widehat H_{2k}=\mathrm{cast}\bigl(\sum_{i=1}^{\tau-1}\widehat C_i+(k-\tfrac\tau2+1)\bar C_2+(k-\tfrac\tau2)\bar C_1+k\bar D_2\bigr)$ and the "
    r"like for $2k+1$.",
    letter="In App. B.2 the display of H_2k and H_2k+1 has four slips. The sum should start at i = 0. The term D of H_0 counts once, not k times. There is one C_2 too many at 2k, and one C_1 at 2k + 1. It stays linear in k, so the proof stands.",
    reading="C_1, D_1 are the values at odd and C_2, D_2 at even indices, as defined just above the display. Four slips in two lines are none of extraction.",
    sabotages={"the corrected display": {"display": _amended_display}},
)
def display_as_printed(proof: Proof, display=_printed_display) -> None:
    """With A = 0, B = 1, H_0 = 0 only C_0 = 1 is not 0, and the sum from i = 1 loses it: 0 for 1. With A = 1, B = 0, H_0 = 1 the term of H_0 is counted k times."""

    D = FiniteSet([-2, -1, 0, 1, 2])

    def differs(candidate: tuple[int, int, int]) -> tuple | None:
        a, b, h = candidate
        layer = parity.power_recurrence(parity.scalar(a), parity.scalar(h), parity.scalar(b))
        settled = layer.eventual_states([], [1], D).settled
        tau = settled + settled % 2
        k = tau // 2 + 2
        C, last = _cast_terms(layer, D, 2 * k + 1)
        settled_terms = (C[tau + 1], C[tau]), (last[tau + 1], last[tau])
        displayed = _cast(D, display(sum(C[:tau], fmpq(0)), C[0] if tau else fmpq(0), *settled_terms, fmpq(tau), fmpq(k))[0])
        true = _cast(D, sum(C[: 2 * k], fmpq(0)) + last[2 * k])
        return (tau, k, displayed, true) if displayed != true else None

    for what, chosen in (("h = 0", ((1,), (0,))), ("b = 0", ((0,), (1,)))):
        found = proof.smallest(f"scalars a in {{0, 1, -1}}, b, h in {{0, 1}}, {what}", product((0, 1, -1), *chosen), differs)
        if not found:
            return
        (a, b, h), (tau, k, displayed, true) = found
        proof.counterexample(
            given={"A(1)": a, "B(1)": b, "H_0": h, "D": D, "tau": tau, "k": k, "displayed H_2k": displayed, "H_2k by definition": true},
            words={"settled": tau % 2 == 0, "differ": displayed != true},
            minimal=f"n = 1, {what}",
        )
        proof.certificate("witness", "a scalar layer", A=fmpq(a), B=fmpq(b), H0=fmpq(h), D=D, tau=tau, k=k)


@claim(
    "grazzi25.thm2.display.amended",
    place="App. B.2, display of H_2k and H_2k+1",
    amends="grazzi25.thm2.display",
    title="with the sum from 0, equal counts of odd and even terms and H₀ once, the display is right",
    says=r"$\widehat H_{2k}=\mathrm{cast}\bigl(\sum_{i<\tau}\widehat C_i+(k-\tfrac\tau2)(\bar C_1+\bar C_2)+\bar D_2\bigr)$, "
    r"$\widehat H_{2k+1}=\mathrm{cast}\bigl(\sum_{i<\tau}\widehat C_i+(k-\tfrac\tau2)(\bar C_1+\bar C_2)+\bar C_2+\bar D_1\bigr)$ for even $\tau\le2k$.",
    sabotages={
        "one pair of terms more, which the kernel refutes": {"theorem": "displays.alternating_display_with_one_more"},
        "the display as printed": {"display": _printed_display},
    },
)
def display_amended(proof: Proof, display=_amended_display, theorem: str = "displays.alternating_display") -> None:
    r"""Induction on $k\ge\tau/2$ for the arguments $\sum_{i<2k}\widehat C_i+\widehat D_{2k}$ and $\sum_{i<2k+1}\widehat C_i+\widehat D_{2k+1}$ of the outer cast.

    1. At $2k=\tau$ they are $\sum_{i<\tau}\widehat C_i+\bar D_2$ and $\sum_{i<\tau}\widehat C_i+\bar C_2+\bar D_1$. [checked: "base: H at 2k = tau"; "base: H at 2k + 1 = tau + 1"]
    2. From $k$ to $k+1$ the first sum gains the terms with indices $2k$ and $2k+1$, which are $\bar C_2$ and $\bar C_1$, the second those with indices $2k+1$ and $2k+2$; the terms
       of $H_0$ stay. The two steps make an induction. [checked: "step at even indices"; "step at odd indices"] [prose]
    """
    proof.formally(
        "the kernel: both states",
        theorem,
        whole="every even tau, k, cast and terms that alternate",
        differs="any Abelian group for the matrices; any function for the cast; the C_i and D_k as any sequences that alternate from tau on",
    )
    head, first, odd, even, last_odd, last_even, tau, k = sympy.symbols("head C0 C1 C2 D1 D2 tau k")
    at = lambda j: display(head, first, (odd, even), (last_odd, last_even), tau, j)  # noqa: E731
    free = "sum, C_1, C_2, D_1, D_2, tau, k"
    proof.symbolically("base: H at 2k = tau", at(tau / 2)[0], head + last_even, free)
    proof.symbolically("base: H at 2k + 1 = tau + 1", at(tau / 2)[1], head + even + last_odd, free)
    proof.symbolically("step at even indices", at(k + 1)[0], at(k)[0] + even + odd, free)
    proof.symbolically("step at odd indices", at(k + 1)[1], at(k)[1] + odd + even, free)
