"""Rounding counts: DeltaNet [0, 1] layers of width 3 whose rounding errors count modulo odd primes, and the evaluations in which they do."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from flint import fmpq

from ...constructions.rounded_counts import COUNTERS, COUNTING, EVALUATIONS, MODULI, SETTLING, Counter, counter, cycle
from ...constructions.rounded_delta import Evaluation, evaluations, step
from ...numerics.exact import rationals
from ...numerics.floating_point import TIES, Format
from ..claim import claim
from ..evidence import Proof

KNOWN = (
    "limit cycles of rounded digital filters have any length (Jackson 1970; Claasen, Mecklenbräuker and Peek 1973-76), for coefficients near the unit circle or two's complement overflow. "
    "That a layer I - beta k k^T with eigenvalues in [0, 1], in formats of machines, counts modulo an odd number was not found. grazzi25, Theorem 2, excludes it in a model whose products are exact; "
    "Chung, Choi, Kim (2605.07755) say that affine networks cannot correct errors: here rounding does. From memory."
)


def cycles(format: Format, layer: Counter, how: Evaluation) -> list[tuple[list[tuple[fmpq, ...]], int]]:
    """The cycle by each rule for ties; by one rule alone if nothing is a tie on the way."""
    ties = [False]

    def rounded(x: fmpq) -> fmpq:
        ties[0] = ties[0] or format.is_tie(x)
        return format.round(x)

    found = [cycle(layer, how, rounded)]
    if ties[0]:
        found += [cycle(layer, how, lambda x, rule=rule: format.round(x, rule)) for rule in TIES if rule != "even"]
    return found


@claim(
    "new.parity.float.counts",
    place="after grazzi25 Theorem 2",
    title="rounding counts: DeltaNet [0, 1] layers of width 3 count modulo 3, 5, 7, 11 and 13 in bfloat16, float16 and float32",
    says=r"In each of bfloat16, float16 and float32, and for each $m\in\{3,5,7,11,13\}$, there is a DeltaNet layer of width 3 with $\bigl||k|^2-1\bigr|\le2^{1-p}$ ($p$ the precision), $\frac12\le\beta(1)\le1$, $\beta(0)=0$, "
    r"$0<1-\beta|k|^2<1$ and a start $h_0$ with: the letter 1 runs through exactly $m$ states, the first of them $h_0$, in a cycle, and the letter 0 keeps them. So the state tells the number of ones modulo $m$ at every length. "
    r"A step $s=k\cdot h$, $u=\beta(v-s)$, $h'=h+uk$ has 24 evaluations whose partial sums are rounded: products and sums of $k\cdot h$ separate or fused, in six orders, $h+uk$ fused or not. It holds in exactly the 16 of them in which $k_2h_2$ is not added last. "
    r"In the other eight, and if $k\cdot h$ is rounded once, its products before or not, the state comes to rest from $h_0$.",
    hypotheses=(
        "rounding to nearest, with any of five rules for ties: even, up, down, away from zero, to zero",
        "gradual underflow in float16",
    ),
    known=KNOWN,
    construction="lemmata.constructions.rounded_counts.counter",
    remarks=(
        "Products of bfloat16 that are added up in float32 and rounded once are nearly rounded once: there the layers settle. No claim is made about a device.",
        "Found by random search. Some 1,100 layers that count were tried in all 24 evaluations; none counts in more than 16.",
    ),
    sabotages={
        "the middle term is added last": {"counting": SETTLING[:8], "settling": ()},
        "beta = 1, and h moves otherwise": {"change": lambda x: Counter(x.k, fmpq(1), x.v, x.start)},
        "the value v is doubled": {"change": lambda x: Counter(x.k, x.beta, 2 * x.v, x.start)},
        "k . h is rounded once": {"counting": SETTLING[8:10], "settling": ()},
    },
)
def rounding_counts(
    proof: Proof,
    change: Callable[[Counter], Counter] = lambda x: x,
    counting: Sequence[Evaluation] = COUNTING,
    settling: Sequence[Evaluation] = SETTLING,
) -> None:
    r"""Fifteen layers, 28 evaluations and five rules for ties, in exact arithmetic with every rounding computed.

    1. Everything that is stored is a number of the format, $k$ has length 1 up to rounding, and the exact eigenvalue lies in $(0,1)$. [checked: "every stored number"; "| |k|^2 - 1 |"; "1/2 <= beta <= 1"; "0 < 1 - beta |k|^2 < 1"]
    2. The 24 evaluations are two kinds of sums, six orders and two kinds of writing; in 16 of them the middle term is not the last. [checked: "24 evaluations"; "16 of them"]
    3. In each of the 16, by every rule for ties, the letter 1 returns to $h_0$ after exactly $m$ letters, and the letter 0 keeps each state on the way: every word is covered.
       [checked: "the letter 1 has a cycle of m states"; "the letter 0 keeps"]
    4. In the other eight, and with $k\cdot h$ rounded once, a state is met that the letter 1 keeps. [checked: "it comes to rest"]
    """
    for whole, part in proof.every("the evaluations", [(EVALUATIONS, counting)], limited=False):
        kinds = {(how.sum, how.order, how.update) for how in whole}
        proof.exactly("24 evaluations: two kinds of sums, six orders, two of writing", len(kinds), 2 * 6 * 2)
        proof.holds(
            "they are those of width 3 that round partial sums",
            kinds == {(h.sum, h.order, h.update) for h in evaluations(3) if h.sum != "once"},
        )
        proof.exactly(
            "16 of them do not add the middle term last", {str(how) for how in part}, {str(how) for how in whole if how.order[-1] != 1}
        )
    pairs = [(format, modulus) for format in COUNTERS for modulus in MODULI]
    for format, modulus in proof.every("three formats, five moduli, 28 evaluations, five rules for ties", pairs, limited=False):
        layer = change(counter(format, modulus))
        proof.holds("every stored number is one of the format", all(x in format for x in layer.numbers()))
        proof.holds("| |k|^2 - 1 | <= 2^(1 - p)", abs(layer.k @ layer.k - 1) <= fmpq(2) ** (1 - format.precision))
        proof.holds("1/2 <= beta <= 1", fmpq(1, 2) <= layer.beta <= 1)
        proof.holds("0 < 1 - beta |k|^2 < 1 for the stored numbers", 0 < layer.eigenvalue < 1)
        for how in counting:
            found = cycles(format, layer, how)
            proof.holds("the letter 1 has a cycle of m states, the start the first", all(len(s) == n == modulus for s, n in found))
            kept = all(tuple(step(layer, 0, rationals(state), how, format.round)) == state for state in found[0][0])
            proof.holds("the letter 0 keeps them", kept)
        for how in settling:
            proof.holds("it comes to rest", all(length == 1 for _, length in cycles(format, layer, how)))
        proof.certificate(
            "witness",
            f"{format.name}, modulo {modulus}",
            name=format.name,
            modulus=modulus,
            k=layer.k,
            beta=layer.beta,
            v=layer.v,
            start=layer.start,
        )
    proof.exhibit(
        "the layer modulo 3 in bfloat16", k=list(counter(pairs[0][0], 3).k), beta=counter(pairs[0][0], 3).beta, v=counter(pairs[0][0], 3).v
    )
