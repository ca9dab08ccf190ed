"""What counters modulo 3 do with an error in their state: they keep it."""

from __future__ import annotations

from ...constructions.rounded_counts import COUNTERS, COUNTING, Counter, counter, cycle, states_near
from ...constructions.rounded_delta import Evaluation
from ...numerics.floating_point import Format
from ..claim import claim
from ..evidence import Proof

#: letters after which every orbit has come back
LONGEST = 400


def led_back(layer: Counter, format: Format, how: Evaluation, spacings: int) -> tuple[int, int, int]:
    """(states near the start, those that the letter 1 leads into the start's cycle, those of them that are there at the start's own time)."""
    own, modulus = cycle(layer, how, format.round)
    near = into = in_phase = 0
    for start in states_near(layer, format, spacings):
        states, length = cycle(Counter(layer.k, layer.beta, layer.v, start), how, format.round, LONGEST)
        near += 1
        if length and states[-1] in own:
            into += 1
            in_phase += states[-1] == own[(len(states) - 1) % modulus]
    return near, into, in_phase


@claim(
    "new.parity.float.counts.errors",
    place="after grazzi25 Theorem 2",
    title="counters modulo 3 correct no error: of 125 states near the start only the start itself keeps the right count",
    says=r"Take the layer modulo 3 of new.parity.float.counts in bfloat16, float16 or float32, and each of its 16 evaluations, ties to even. Move each entry of $h_0$ by at most two spacings of the format: 125 states, $h_0$ among them. "
    r"The letter 1, read again and again, leads exactly $5$ of them into the three states of the counter, and exactly one of these, $h_0$ itself, with the right count. So no error of at most two spacings in an entry is corrected.",
    hypotheses=("rounding to nearest, ties to even; gradual underflow in float16",),
    known="Chung, Choi, Kim (arXiv 2605.07755, abstract read): affine trackers do not correct errors. Rounded steps are not affine, and parity is corrected (new.automata.horizon.corrected); these counters are not.",
    remarks=(
        "Most of the 125 states run through three states of their own: they count as well, and an error changes which states, or the count.",
        "Other layers modulo 3 may correct errors; none was sought.",
    ),
    construction="lemmata.constructions.rounded_counts.states_near",
    sabotages={
        "the layers modulo 2, which correct some errors": {"modulus": 2},
        "three spacings": {"spacings": 3},
    },
)
def counters_keep_errors(proof: Proof, modulus: int = 3, spacings: int = 2) -> None:
    r"""Three layers, 16 evaluations, 125 states, until each state comes back.

    1. All orbits are followed in exact arithmetic with every rounding computed. [checked: "125 states, 5 led into the cycle, 1 with the right count"]
    """
    cases = [(format, how) for format in COUNTERS for how in COUNTING]
    for format, how in proof.every("three formats, 16 evaluations, 125 states each", cases, limited=False):
        found = led_back(counter(format, modulus), format, how, spacings)
        proof.exactly("125 states, 5 led into the cycle, 1 with the right count", found, (125, 5, 1))
