"""Misprints of degeeter26 in ranges and formulas: Eq. 13 at 0, Theorem 2 and Eq. 16c at the last time, ticks of Sec. 2, Eq. 9 at the threshold."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from flint import fmpq

from ...constructions.bistable import gated
from ..claim import claim
from ..evidence import Proof


@claim(
    "degeeter26.eq13.zero",
    place="Sec. 4.2, Eq. 13; Fig. 5",
    flaw="misprint",
    quotes=("The case", "is special and leads to a constant derivative equal to 1, which is also called the"),
    title="Eq. 13 is 0/0 for αₛᵤᵣᵣ = 0, and runs from 0 to 1 for αₛᵤᵣᵣ = 1 alone",
    says=r"$f(x)=\frac1{\pi a}\arctan(a\pi x)+\frac12$ for every $a\ge0$ of Fig. 5, and is similar to $H$.",
    reading="as printed, for a = 0 as well; the limit for a -> 0 is x + 1/2 (degeeter26.eq13)",
    letter="Eq. 13 is 0/0 for alpha_surr = 0, a case that the text uses; its limit is x + 1/2. Eq. 13 runs from 1/2 - 1/(2 alpha_surr) to 1/2 + 1/(2 alpha_surr). "
    "So it runs from 0 to 1 for alpha_surr = 1 alone, and for 2 from 1/4 to 3/4. Eq. 12 is its derivative and is right.",
    sabotages={"alpha_surr = 1": {"sharpnesses": (fmpq(1),)}},
)
def no_value_at_zero(proof: Proof, sharpnesses: Iterable[fmpq] = (fmpq(0), fmpq(2))) -> None:
    """pi a = 0 for a = 0, in the denominator. For a > 0 arctan runs from -pi/2 to pi/2, so f runs from 1/2 - 1/(2a) to 1/2 + 1/(2a); for a = 2 that is from 1/4 to 3/4."""
    for a in sharpnesses:
        ends = [fmpq(1, 2) + s / (2 * a) for s in (-1, 1)] if a else []
        proof.counterexample(
            given={"alpha_surr": a} | ({"f runs from and to": ends} if ends else {"pi alpha_surr": 0}),
            words={"height": ends != [0, 1]} if ends else {"denominator": bool(a == 0)},
            minimal=f"alpha_surr = {a}",
        )
        proof.certificate("witness", f"alpha_surr = {a}", sharpness=a, **({"ends": ends} if ends else {}))


@claim(
    "degeeter26.appB.thm3.range",
    place="App. B, Theorem 2, Eqs. 16b and 16c",
    flaw="misprint",
    extracted=True,
    quotes=("Assume a first-order linear recurrence of the following form:", "Assume a sequence of inputs"),
    title="the recurrences of Theorem 2 and Eq. 16c end before the last input: hₜ is printed for 0 < t < T",
    says=r"With $T$ inputs $h_t=a_t\odot h_{t-1}+b_t$ for $0<t<T$ gives all states, and $b_t=z_t\odot S(\hat h_t)\odot\alpha$ for $t=0$ as well.",
    reading="as printed in Theorem 2 and Eq. 16c; t <= T is meant, and b_0 = h_0. A lost stroke of the sign may explain it",
    letter="Theorem 2 and Eq. 16c define states for 0 < t < T. The array of Theorem 2 runs to c_T, and Theorem 3 has T inputs, so t <= T is meant. For T = 1 no state after the input is defined. "
    "The first pair should hold h_0, that is b_0 = h_0: Eq. 16b at t = 0 would need an input x_0.",
    sabotages={"times up to T": {"times": lambda T: range(1, T + 1)}},
)
def the_last_input_has_no_state(proof: Proof, times: Callable[[int], Any] = lambda T: range(1, T)) -> None:
    """For T = 1 there is no t with 0 < t < 1. A unit with alpha = beta = 1 and h_0 = -1 is in the state 1 after the input 2, and Eq. 16c ends with h_0 = -1."""
    alpha, beta, start, x = fmpq(1), fmpq(1), fmpq(-1), fmpq(2)
    inputs = [x]
    states = [start]
    for t in times(len(inputs)):
        states.append(gated(states[-1], inputs[t - 1], beta, alpha))
    after = gated(start, x, beta, alpha)
    proof.counterexample(
        given={"T": 1, "alpha": alpha, "beta": beta, "h_0": start, "x_1": x, "states of Eq. 16c": states, "h_1 of Eq. 11": after},
        words={"written": bool(after != start), "missing": after not in states},
        minimal="T = 1",
    )
    proof.certificate("witness", "one input", alpha=alpha, beta=beta, start=start, inputs=inputs)


@claim(
    "degeeter26.sec2.linear.index",
    place="Sec. 2, display of the linear recurrence",
    flaw="misprint",
    extracted=True,
    quotes=("Using linear recurrence of the form",),
    title="the linear recurrence of Sec. 2 is printed with the state of tick n on the left and that of tick n − 1 on the right",
    says=r"$f_\theta(x_t,\tilde h_t[n];\theta)=A\tilde h_t[n-1]+Bx_t$, with $\tilde h_t[n+1]=f_\theta(x_t,\tilde h_t[n];\theta)$ by Eq. 2b.",
    reading="f at the state of tick n - 1, as Eq. 2b has it; then the value after N ticks has the closed form of degeeter26.sec2.linear",
    letter="In the display of Sec. 2 for linear recurrences the argument of f should be h_t[n-1], as in Eq. 2b. As printed f(h[n]) = A h[n-1] + B x, so a tick would skip a state. "
    "With A = 2, x = 0 and the states 1, 2 the next would be 2 in place of 4.",
    sabotages={"the state of tick n on the right": {"used": 1}},
)
def a_tick_behind(proof: Proof, used: int = 0) -> None:
    """Two ticks of A = 2 from 1 lead to 4 = A^2; with the state before on the right the second leads to 2."""
    A, start = 2, 1
    states = [start, A * start]
    printed = A * states[used]
    proof.counterexample(
        given={"A": A, "x": 0, "states of ticks 0 and 1": states, "tick 2 as printed": printed, "A^2 h[0]": A * A * start},
        words={"moves": states[0] != states[1], "behind": printed != A * A * start},
        minimal="A = 2, N = 2",
    )
    proof.certificate("witness", "a growing state", A=A, start=start)


@claim(
    "degeeter26.eq9.greater",
    place="Sec. 4.1, sentence after Eq. 9",
    flaw="misprint",
    quotes=("It is only every time", "is greater than", "is updated"),
    title="by Eq. 9 the state is updated for |x| = β too, where the sentence after it asks for more than β",
    says=r"By Eq. 9 $h_t$ is updated only if $|x_t|>\beta$.",
    reading="'greater than' as >; Eq. 9 has >=, and Eq. 10 agrees with it if H(0) = 1, which the paper does not say",
    letter="After Eq. 9 'greater than beta' should read 'at least beta', as Eqs. 8 and 9 have it. With alpha = beta = x = 1 the state -1 is updated to 1. "
    "Beside S(0) = 1 the text should say H(0) = 1, for Eqs. 10 and 11.",
    sabotages={"an input below the threshold": {"x": fmpq(1, 2)}, "a state that has the value already": {"start": fmpq(1)}},
)
def updated_at_the_threshold(proof: Proof, x: fmpq = fmpq(1), start: fmpq = fmpq(-1)) -> None:
    """At |x| = beta Eq. 9 takes its first line."""
    alpha, beta = fmpq(1), fmpq(1)
    after = gated(start, x, beta, alpha)
    proof.counterexample(
        given={"alpha": alpha, "beta": beta, "x": x, "h": start, "h by Eq. 9": after},
        words={"equal": bool(abs(x) == beta), "updated": bool(after != start)},
        minimal="alpha = beta = 1",
    )
    proof.certificate("witness", "an input at the threshold", alpha=alpha, beta=beta, x=x, start=start)
