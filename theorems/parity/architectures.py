"""What Theorem 1 says of the layers in use (grazzi25, abstract and Sec. 4.1, Discussion; degeeter26, Eq. 11)."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
from flint import fmpq

from ...constructions import architectures, samples
from ...constructions.householder import GeneralizedHouseholder
from ...constructions.recurrence import Recurrence, Stack
from ...numerics import exact
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof
from .theorem1 import agrees, by_definition, certify_stack, points, random_stack, several_points, spectrum_is_nonnegative


def _positive(rng: Random) -> fmpq:
    """A number in (0, 1), as sigmoids and Mamba's exponentials give."""
    q = rng.randint(2, 5)
    return fmpq(rng.randint(1, q - 1), q)


def _transition(rng: Random, n: int, kind: str, gates: tuple[int, ...] = (0, 1)) -> Array:
    """A transition of one of the kinds diagonal (Mamba, GLA), delta (DeltaNet [0, 1]) and bmru."""
    if kind == "diagonal":
        return architectures.gla(exact.rationals([_positive(rng) for _ in range(n)]))
    if kind == "bmru":
        return architectures.bmru(exact.rationals([rng.choice(gates) for _ in range(n)]))
    return GeneralizedHouseholder(samples.nonzero_vector(rng, n), _positive(rng)).matrix()


def _with_transitions(layer: Recurrence, rng: Random, kinds: tuple[str, ...], gates: tuple[int, ...] = (0, 1)) -> Recurrence:
    """The same layer with transitions of these kinds for the letters 0, 1, 2."""
    n = len(layer.initial)
    table = {x: (_transition(rng, n, rng.choice(kinds), gates), layer.inputs(x)) for x in range(3)}
    return Recurrence.from_table(table, layer.initial, layer.decode)


def _settles(proof: Proof, describe: str, count: int, rng: Random, kinds: tuple[str, ...], gates: tuple[int, ...] = (0, 1)) -> None:
    """Record that random stacks with transitions of these kinds are eventually constant on 1^k."""
    moving, started, fractions, sets = 0, 0, 0, []
    for i in proof.each(describe, range(count)):
        stack, D = random_stack(rng, rng.randint(2, 3), [fmpq(1)]), points(rng, i)
        sets.append(D)
        stack = Stack(tuple(_with_transitions(layer, rng, kinds, gates) for layer in stack.layers))
        started += all(any(x != 0 for x in layer.initial.flat) for layer in stack.layers)
        fractions += any(exact.rational(x).q != 1 for layer in stack.layers for a in range(3) for x in layer.transition(a).flat)
        nonnegative = all(spectrum_is_nonnegative(layer.transition(x)) for layer in stack.layers for x in range(3))
        proof.holds("all spectra lie in [0, inf)", nonnegative)
        if not nonnegative:
            return
        traces = stack.eventual_outputs([1], D)
        proof.exactly("the output on 1^k has eventual period 1", traces[-1].least_period, 1)
        agrees(proof, stack, traces, D, by_definition, letters=30)
        moving += any(y != traces[1].period[0] for y in traces[1].before)
        if len(D) > 1:
            certify_stack(proof, stack, traces, D)
    several_points(proof, sets)
    proof.holds("half of the stacks start with states that are not 0", 2 * started >= count)
    proof.holds(
        "and have transitions that keep a fraction, but for units that keep all or nothing", 2 * fractions >= count or kinds == ("bmru",)
    )
    proof.holds("some second layers read words that are not constant", moving > 0)


@claim(
    "grazzi25.abstract.parity",
    place="Abstract; Sec. 1; Sec. 4.1, Discussion",
    title="LRNNs whose transitions have only positive eigenvalues cannot solve parity; so Mamba, GLA, DeltaNet [0, 1] cannot",
    says=r"In the cast model, no stack of finitely many layers whose transitions have positive eigenvalues only recognises $(11)^*$, hence none computes the parity of words of every length; "
    r"in particular none of Mamba, GLA and DeltaNet layers with $\beta\|k\|^2\in(0,1)$.",
    reading="'finite precision' is the cast model of App. A.4 and B.1, and 'DeltaNet' the one with eigenvalues in [0, 1] and keys of norm 1",
    hypotheses=("cast model in every layer", "rational eigenvalues (for the exact computation)"),
    construction="lemmata.constructions.architectures",
    sabotages={"diagonal entries -1, as Eq. 2 allows": {"kinds": ("bmru",), "gates": (-1,)}},
)
def table_one_has_no_parity(proof: Proof, kinds: tuple[str, ...] = ("diagonal", "delta"), gates: tuple[int, ...] = (0, 1)) -> None:
    r"""Theorem 1 for positive spectra, and Table 1.

    1. A positive eigenvalue lies in $[0,\infty)$, so that Theorem 1 applies to every such stack. [uses: grazzi25.thm1] [checked: "all spectra lie in [0, inf)"]
    2. Mamba and GLA have eigenvalues in $(0,1)$, and $I-\beta kk^\top$ with $0<\beta|k|^2<1$ has $1$ and $1-\beta|k|^2$. [uses: grazzi25.table1]
    3. Whole stacks, with arbitrary decoders and the transients of the layers below. [checked: "the output on 1^k has eventual period 1"; "a simulation by the definition agrees"]
    4. A network that computes the parity $y_t$ outputs on $1^k$ a sequence of period $2$; one whose output is eventually constant does not. [prose]
    """
    proof.formally(
        "the kernel: no stack computes the parity",
        "parity.no_parity",
        differs="nonnegative eigenvalues, a field that may be any ordered one; real entries; that the architectures named have such spectra is new.parity.architectures",
    )
    rng = Random(13)
    count = proof.pick(4, 6, 100)
    describe = f"{count} random stacks of 2 or 3 layers of diagonal and DeltaNet [0, 1] transitions, n <= 3, |D| <= 5, seed 13"
    _settles(proof, describe, count, rng, kinds, gates)


@claim(
    "new.parity.architectures",
    place="after grazzi25 Theorem 1; degeeter26 Eq. 11",
    title="no stack that mixes Mamba, GLA, DeltaNet [0, 1] and BMRU layers recognises (11)* in the cast model",
    says=r"$\exp(-\Delta\exp w)$, $\alpha\in[0,1]$, $I-\beta kk^\top$ with $\beta\|k\|^2\in[0,1]$ and $\mathrm{Diag}(z)$, $z\in\{0,1\}^n$, have spectra in $[0,1]$, so "
    r"no stack of such layers, in any order and number, recognises $(11)^*$.",
    known="grazzi25 says so for the layers of its Table 1 (Sec. 4.1, Discussion), Sarrof et al. (2024) for diagonal ones. What is added are BMRU layers, mixtures, and whole stacks computed end to end.",
    construction="lemmata.constructions.architectures",
    sabotages={"the extended range of Eq. 2 (a gate may be -1)": {"gates": (-1,)}},
)
def architectures_without_parity(proof: Proof, gates=(0, 1)) -> None:
    r"""The spectra, then whole stacks of rational layers of these kinds in the cast model.

    1. Mamba's, GLA's and DeltaNet's transitions have their spectra in $[0,1]$. [uses: grazzi25.table1]
    2. A BMRU transition is a diagonal matrix of zeros and ones: it is idempotent, so its spectrum lies in $\{0,1\}$. [checked: "a BMRU transition is idempotent"]
    3. Theorem 1 applies to every stack of them. [uses: grazzi25.thm1] [checked: "all spectra lie in [0, inf)"; "the output on 1^k has eventual period 1"]
    """
    for n in proof.every("all BMRU gates, n <= 4", range(1, 5)):
        for gate in product(gates, repeat=n):
            a = architectures.bmru(np.array(gate, dtype=object))
            proof.exactly("a BMRU transition is idempotent, so its spectrum lies in {0, 1}", a @ a, a)
    rng = Random(12)
    count = proof.pick(5, 12, 200)
    kinds = ("diagonal", "delta", "bmru", "bmru")
    _settles(proof, f"{count} random stacks of 2 or 3 such layers, n <= 3, |D| <= 5, seed 12", count, rng, kinds, gates)
