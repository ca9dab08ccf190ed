"""The page of what rounding counts, ``docs/reference/rounding.md``: evaluation, width and formats against periods, each with the claim that says it."""

from __future__ import annotations

from dataclasses import dataclass

from ..constructions.rounded_census import SMALL
from ..constructions.rounded_counts import COUNTERS, COUNTING, EVALUATIONS, MODULI
from ..theorems.ledger import ledger
from .reference import table


@dataclass(frozen=True)
class Line:
    """What is known of the periods on words of one letter, or of two; without a claim it is only seen, or open."""

    evaluation: str
    where: str
    certified: str
    excluded: str
    claim: str | None = None
    seen: str = ""

    def cells(self) -> list[str]:
        if self.claim is None:
            return [self.evaluation, self.where, self.certified, self.excluded, self.seen, "OPEN"]
        return [self.evaluation, self.where, self.certified, self.excluded, self.seen, f"`{self.claim}`, {ledger()[self.claim].verdict}"]


ONCE = "k·h summed exactly, rounded once"
PRODUCTS = "products rounded, summed exactly, rounded once"
PARTIAL = "products and partial sums rounded, or fused"

LINES = (
    Line(
        "A h + b exact, each entry rounded once",
        "every format and width, A symmetric positive semidefinite",
        "",
        "all but 1",
        "new.parity.stepwise.monotone",
    ),
    Line("the same, two letters, (ab)ᵏ", "bfloat16, width 2", "2, 4, 7", "", "new.parity.float.counts.letters"),
    Line("a h + b, nondecreasing on the way, a in [0, 1]", "every format, diagonal", "", "all but 1", "new.automata.rounded.diagonal"),
    Line(ONCE, "six formats, width 2, unit keys", "2", "", "new.parity.float.unit-key"),
    Line(ONCE, "E1M3, E2M2, E3M1 at width 2; E2M1 at width 3", "2", "all above 2", "new.parity.float.counts.once"),
    Line(ONCE, "all other formats and widths", "", "", None, "1 and 2, in 459,913 random layers in float16"),
    Line(PRODUCTS, "E4M3, E5M2, bfloat16, width 2, free keys", "3", "", "new.parity.float.counts.width-two"),
    Line(PRODUCTS, "0.9 ≤ |k|² ≤ 1.1", "", "", None, "1 and 2, in 1.3 million random layers of 3 and 4 bits"),
    Line(PARTIAL, "six formats, width 2, unit keys", "2", "", "new.parity.float.unit-key"),
    Line(PARTIAL, "8 bits or more, width 1", "2", "", "new.parity.float.scalar"),
    Line(
        f"{PARTIAL}, the middle term not last: {len(COUNTING)} of {len(EVALUATIONS)}",
        "bfloat16, float16, float32, width 3, unit keys",
        ", ".join(map(str, MODULI)),
        "",
        "new.parity.float.counts",
    ),
    Line(f"the other {len(EVALUATIONS) - len(COUNTING)}", "the same layers", "1", "", "new.parity.float.counts"),
    Line(PARTIAL, "width 2, unit keys, odd periods", "", "", None, "none in 808,226 layers in bfloat16"),
    Line("a complex unit, products and sums rounded", "every format of 3 bits or more", "3, 6", "", "new.parity.float.turns"),
)


def page() -> str:
    """The page, without the line that says who wrote it."""
    parts = [
        "# What rounding counts",
        "For people who ask whether a rounded layer with eigenvalues in [0, 1] can count. In exact arithmetic such a layer comes to rest on 1, 1, 1, …",
        "A step of the delta rule is s = k·h, u = β(v − s), h′ = h + uk. A period is the length of the cycle of its states on words of one letter.",
        f"Width 3 has {len(EVALUATIONS)} evaluations that round partial sums. They are the products of three choices: products and sums separate or fused, six orders, and h + uk fused or not.",
        "## Which periods occur",
        table(["evaluation", "formats and width", "certified", "excluded", "seen only", "claim"], [line.cells() for line in LINES]),
        "No line is about a device. Products of bfloat16 that are summed in float32 and rounded once come close to one rounding.",
        "## Stacks",
        "Counters modulo the primes up to 13 make stacks that track every solvable group over these primes (`new.automata.rounded.solvable`). The stack for S₄ has four layers, and all its states are listed.",
        "## All layers of small formats",
        "Up to signs and the order of coordinates. No layer has a period above 2.",
        table(
            ["format", "width", "layers", "of period 2, h + uk rounded twice", "of period 2, h + uk fused"],
            [[f"E{e}M{m}", str(n), f"{number:,}", str(apart), str(fused)] for (e, m, n), (number, apart, fused) in SMALL.items()],
        ),
        "## The layers of width 3",
        "β is 0 at the letter 0. Numbers are hexadecimal, as C and Python read them.",
        table(
            ["format", "modulus", "k", "β at the letter 1", "v", "state at the start"],
            [_layer(format.name, modulus, text) for format, layers in COUNTERS.items() for modulus, text in layers.items()],
        ),
    ]
    return "\n\n".join(parts) + "\n"


def _layer(name: str, modulus: int, text: str) -> list[str]:
    x = text.split()
    return [name, str(modulus), f"`{' '.join(x[:3])}`", f"`{x[3]}`", f"`{x[4]}`", f"`{' '.join(x[5:])}`"]
