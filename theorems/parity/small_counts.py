"""Where rounding counts and where it does not: width 2, two letters, and all layers of small formats."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from flint import fmpq

from ...constructions import rounded_census
from ...constructions.rounded_census import SMALL, small_format
from ...constructions.rounded_counts import LETTERS, WIDTH_TWO, Counter, cycle, letter_pair, narrow_counter, rounded_once
from ...constructions.rounded_delta import Evaluation, step
from ...numerics.exact import rationals
from ...numerics.floating_point import BFLOAT16, BINARY16, E5M2, TIES
from ..claim import claim
from ..evidence import Proof
from .counts import KNOWN

#: of width 2, where both orders of a sum of two rounded products agree with rounding their exact sum
NARROW = tuple(Evaluation(kind, (0, 1), update) for kind in ("separate", "products") for update in (False, True))


@claim(
    "new.parity.float.counts.width-two",
    place="after grazzi25 Theorem 2",
    title="width 2 with free keys: DeltaNet layers count modulo 3 by rounding in float8 E4M3, E5M2 and bfloat16",
    says=r"In each of float8 E4M3, float8 E5M2 and bfloat16 there is a DeltaNet layer of width 2 with $0<1-\beta|k|^2<1$ and three states that the letter 1 runs through in a cycle and the letter 0 keeps, if each product of $k\cdot h$ is rounded, then their sum, "
    r"with $h+uk$ fused or not. So reads that are nondecreasing in each entry of the state, an exact sum and one rounding do not keep the period at 2.",
    hypotheses=(
        "rounding to nearest, ties to even; in E4M3 and bfloat16 any of five rules for ties",
        "k is not normalised: |k|^2 is 1.58 in E5M2, 1.28 in E4M3 and 1.20 in bfloat16",
    ),
    known=KNOWN,
    construction="lemmata.constructions.rounded_counts.narrow_counter",
    remarks=(
        "Whether keys with |k|^2 in [0.9, 1.1] can count so in width 2 is OPEN: none did among 1.3 million random and 3.7 million exhaustive layers with 3 or 4 bits.",
    ),
    sabotages={
        "k . h is rounded once": {"ways": (Evaluation("once", (0, 1), False),)},
        "beta is halved": {"change": lambda x: Counter(x.k, x.beta / 2, x.v, x.start)},
    },
)
def width_two_counts(proof: Proof, ways: Sequence[Evaluation] = NARROW, change: Callable[[Counter], Counter] = lambda x: x) -> None:
    r"""Three layers, every rounding computed.

    1. All that is stored is a number of the format, and the eigenvalue of the stored numbers lies in $(0,1)$. [checked: "every stored number"; "0 < 1 - beta |k|^2 < 1"]
    2. The letter 1 has a cycle of three states, and the letter 0 keeps them. [checked: "the letter 1 has a cycle of three"; "the letter 0 keeps"]
    """
    for format in proof.every("three formats, four evaluations", WIDTH_TWO, limited=False):
        layer = change(narrow_counter(format))
        proof.holds("every stored number is one of the format", all(x in format for x in layer.numbers()))
        proof.holds("0 < 1 - beta |k|^2 < 1", 0 < layer.eigenvalue < 1)
        for how in ways:
            for rule in ["even"] if format is E5M2 else TIES:
                states, length = cycle(layer, how, lambda x, rule=rule, format=format: format.round(x, rule))
                proof.holds("the letter 1 has a cycle of three states, the start the first", len(states) == length == 3)
            kept = all(tuple(step(layer, 0, rationals(list(h)), how, format.round)) == h for h in cycle(layer, how, format.round)[0])
            proof.holds("the letter 0 keeps them", kept)
        proof.certificate("witness", format.name, name=format.name, k=layer.k, beta=layer.beta, v=layer.v, start=layer.start)


def returns(a: Counter, b: Counter, rounded: Callable[[fmpq], fmpq], longest: int = 40) -> tuple[int, int]:
    """(length, preperiod) of the states after a b, a b a b, ...; (0, 0) if none comes back."""
    seen, h = {}, a.start
    for t in range(longest):
        if tuple(h) in seen:
            return t - seen[tuple(h)], seen[tuple(h)]
        seen[tuple(h)] = t
        for letter in (a, b):
            h = rounded_once(letter, h, rounded)
    return 0, 0


@claim(
    "new.parity.float.counts.letters",
    place="after grazzi25 Theorem 1",
    title="two letters count though each alone rests: A h + b exact and rounded once, periods 2, 4, 7 on (ab)ᵏ in bfloat16",
    says=r"Let $h'=A_xh+b_x$ be exact and each entry rounded once. A DeltaNet letter with $0\le1-\beta|k|^2\le1$ alone has period 1 (new.parity.stepwise.monotone). Yet in bfloat16 there are pairs of such letters of width 2 and starts from which "
    r"$(ab)^k$ has period 2, 4 and 7; period 2 also with $|k|^2\in[\frac9{10},\frac{11}{10}]$. So the theorem on one rounding excludes just those languages that a power of one letter refutes.",
    hypotheses=("rounding to nearest, with any of five rules for ties",),
    known="that each of two maps may settle and their product oscillate is plain for maps in general; for one symmetric nonnegative matrix and one rounding periods are 1 (Goles and Martínez 1990, for thresholds). Such a pair of letters in a format of machines was not found.",
    construction="lemmata.constructions.rounded_counts.letter_pair",
    sabotages={
        "b is a again": {"pair_of": lambda case: (letter_pair(case)[0],) * 2},
        "it is rounded to float16": {"rounded": BINARY16.round},
    },
)
def two_letters_count(proof: Proof, pair_of: Callable = letter_pair, rounded: Callable[[fmpq, str], fmpq] = BFLOAT16.round) -> None:
    r"""Four pairs of letters, every rounding computed.

    1. All that is stored is a number of bfloat16 and both eigenvalues lie in $(0,1)$. [checked: "every stored number"; "0 < 1 - beta |k|^2 < 1"]
    2. From the start $(ab)^k$ comes back after exactly 2, 4, 7 and 2 times, by every rule for ties. [checked: "a b comes back"]
    3. Each letter alone comes to rest: its matrix is symmetric with eigenvalues in $[0,1]$, and each entry is rounded once. [uses: new.parity.stepwise.monotone]
    4. In the fourth pair $|k|^2$ lies in $[\frac9{10},\frac{11}{10}]$ for both letters. [checked: "keys of the fourth pair"]
    """
    for case in proof.every("four pairs, five rules for ties", LETTERS, limited=False):
        a, b = pair_of(case)
        proof.holds("every stored number is one of bfloat16", all(x in BFLOAT16 for x in (*a.numbers(), *b.numbers())))
        proof.holds("0 < 1 - beta |k|^2 < 1 for both", all(0 < letter.eigenvalue < 1 for letter in (a, b)))
        for rule in TIES:

            def once(x: fmpq, rule: str = rule) -> fmpq:
                return rounded(x, rule)

            proof.exactly("a b comes back after so many times", returns(a, b, once), (case[0], 0))
        proof.certificate(
            "witness",
            f"period {case[0]}, k = {case[1].split()[0]}",
            period=case[0],
            start=a.start,
            letters=[{"k": x.k, "beta": x.beta, "v": x.v} for x in (a, b)],
        )
    for case in proof.every("the fourth pair", LETTERS[3:], limited=False):
        proof.holds("keys of the fourth pair have |k|^2 in [0.9, 1.1]", all(9 <= 10 * (x.k @ x.k) <= 11 for x in pair_of(case)))


@claim(
    "new.parity.float.counts.once",
    place="after grazzi25 Theorem 2",
    title="k·h rounded once: in all small formats tried, no DeltaNet [0, 1] layer counts beyond 2 on one letter",
    says=r"Let $k\cdot h$ be summed exactly and rounded once, $v-s$, $\beta(v-s)$ and $h+uk$ be rounded ($h+uk$ fused or not), to nearest, ties to even, what is too large to the largest number. In the five-bit formats E1M3, E2M2 and E3M1 every DeltaNet layer of width 2, and in E2M1 every one of width 3, "
    r"with $0\le1-\beta|k|^2<1$, has on $1,1,1,\dots$ from every state a period of at most 2. Period 2 occurs.",
    hypotheses=("keys are free, not normalised; subnormal numbers are kept, and no code is reserved for infinities",),
    known="for h' = A h + b rounded once the period is 1 (new.parity.stepwise.monotone); limit cycles of short word length were enumerated for digital filters of second order (Parker and Hess 1971), another recurrence",
    construction="lemmata.constructions.rounded_census.census",
    remarks=("For all formats and widths it is OPEN: 459,913 random layers of width 2, 3 and 6 in float16 had period 1 or 2.",),
    sabotages={
        "the census looks for period 1": {"column": 1},
        "a layer is left out": {"census": lambda *given: (rounded_census.census(*given)[0] - 1, *rounded_census.census(*given)[1:])},
    },
)
def one_rounding_counts_to_two(proof: Proof, census: Callable = rounded_census.census, column: int = 2) -> None:
    r"""All layers, by tables; signs and the order of coordinates change nothing, so $k_1\ge k_2\ge0$ and $v\ge0$.

    1. Changing the sign of $k_i$ and $h_i$, exchanging coordinates, or changing the signs of $h$ and $v$ changes no period, as rounding to even is odd. [prose]
    2. For the rest each layer is a map of a finite set of states, and its powers are composed until only cycles are left. [checked: "no state has a longer period than 2"; "in so many some state has period 2"; "so many layers"]
    """
    whole = "E1M3, E2M2, E3M1 at width 2; E2M1 at width 3: 7,960 layers, 7,977,864 states, up to signs and order"
    for (exponent, fraction, n), (number, apart, together) in proof.every(whole, SMALL.items(), limited=False):
        for fused, alternate in ((False, apart), (True, together)):
            found = census(small_format(exponent, fraction), n, "once", fused)
            proof.exactly("so many layers", found[0], number)
            proof.exactly("no state has a longer period than 2", found[column], 0)
            proof.exactly("in so many some state has period 2", found[1], alternate)
