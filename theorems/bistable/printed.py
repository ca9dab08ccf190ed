"""Misprints of degeeter26 in ranges and formulas: Eq. 13 at 0, Theorem 2 and Eq. 16c at the last time."""

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
