"""What depth adds to bistable units: on a word of period p, L layers settle after L (p - 1) letters; so they count blocks of equal letters up to L + 1."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby, product
from random import Random
from typing import Any

import numpy as np

from ...constructions import samples
from ...constructions.bistable import BMRU
from ...constructions.bistable.depth import block_counter, relay
from ...constructions.bistable.logic import unit_stack
from ...constructions.recurrence import Recurrence, Stack
from ..claim import claim
from ..closure import closure_data, computes
from ..evidence import Proof
from .languages import ANY_DECODER, NO_POSITIONS, READ_AT_EACH_STEP, two_unit_tables
from .unit import random_unit, weights

KERNEL_DIFFERS = "an ordered field for the reals, times from 0; gates and candidates are any functions of what a layer reads, of which Eq. 11 is an instance"


def settled_from(outputs: Sequence[Any], period: int) -> int:
    """The first time, counted from 1, from which on the outputs repeat after ``period`` letters, as far as they are given."""
    late = [t for t in range(1, len(outputs) - period + 1) if outputs[t - 1] != outputs[t + period - 1]]
    return max(late, default=0) + 1


def _closed_unit(rng: Random, n: int, m: int) -> BMRU:
    """A layer whose thresholds are out of reach."""
    unit = random_unit(rng, n, m)
    return BMRU(unit.W_x * 0, unit.b_x * 0, unit.W_beta * 0, unit.b_beta * 0 + 1, unit.alpha)


@claim(
    "new.bistable.settling",
    place="after degeeter26 Sec. 4.3, Stationarity",
    title="on a word of period p, L BMRU layers of any width settle after L (p − 1) letters, and some do no sooner",
    says=r"Let $x_{t+p}=x_t$ for all $t\ge1$. The outputs of a stack of $L$ layers, of any widths and with any decoders, satisfy $y_{t+p}=y_t$ for all $t>L(p-1)$, with every rounding that leaves $0$ and rounded numbers alone too. "
    r"For all $L$ and $p$ there are $L$ layers of one unit each that say $[t>L(p-1)]$ on a word of period $p$.",
    hypotheses=(READ_AT_EACH_STEP, NO_POSITIONS),
    known="p = 1 is degeeter26 Sec. 4.3 (stationarity) and new.bistable.stutter; that words over flip-flops act idempotently is textbook (left regular bands), the transient's length and that it is attained we have not found",
    uses=("new.bistable.stutter",),
    construction="lemmata.constructions.bistable.depth.relay",
    sabotages={
        "one block more, which the kernel refutes": {"theorem": "bistable_depth.counting_one_more"},
        "the letters of one layer less": {"after": lambda L, p: (L - 1) * (p - 1)},
        "a relay of one layer less": {"chain": lambda L, p: relay(max(L - 1, 1), p)},
        "units that are never written": {"draw": _closed_unit},
    },
)
def periodic_words_settle(
    proof: Proof,
    theorem: str = "bistable_depth.periodic_words_settle",
    after: Callable[[int, int], int] = lambda L, p: L * (p - 1),
    chain: Callable[[int, int], Stack] = relay,
    draw: Callable[..., BMRU] = random_unit,
) -> None:
    r"""A word that a layer has just read acts no more.

    1. For each unit a word of letters keeps the state or writes the last candidate of the word: so it acts as it does twice, $w\circ w=w$. [uses: new.bistable.monoid]
    2. Let a layer read a stream of period $p$ from time $s$ on, and $h_t$ be its state. For $t\ge s+p-1$ the last $p$ letters are a word $w$ with $h_t=w(h_{t-p})$, and the next $p$ letters are $w$ again: $h_{t+p}=w(h_t)=w(w(h_{t-p}))=h_t$.
       So the layer, and what it hands up, has period $p$ from time $s+p-1$ on. [prose]
    3. By induction layer $k$ has period $p$ from time $1+k(p-1)$ on. For stacks of two units, and for random ones with ties and skip connections. [checked: "two layers settle"; "the outputs repeat"; "some stacks settle late"]
    4. Attained: unit $k$ is set at the letter $k(p-1)\bmod p$ if unit $k-1$ is set. If that happens first at time $1+(k-1)(p-1)$, then the letter of unit $k$ comes again $p-1$ letters later and not sooner. [checked: "the relay is set"]
    """
    proof.formally(
        "the kernel: outputs have period p after L (p - 1) letters",
        theorem,
        whole="every depth, width, decoder, period and word",
        differs=KERNEL_DIFFERS,
    )
    proof.formally(
        "the kernel: L layers of one unit that take as long",
        "bistable_depth.settling_is_attained",
        whole="every L and p",
        differs=KERNEL_DIFFERS,
    )
    late = 0
    some = list(two_unit_tables())[:: proof.pick(9, 3, 1)]
    for low, high in proof.each(f"{len(some)} of the 729 stacks of two layers of one unit over {{a, b}}", some):
        outputs = unit_stack((low, high), (-1, -1)).run("ab" * 3)
        late += settled_from(outputs, 2) == 3
        proof.holds("two layers settle after 2 letters of abab..", settled_from(outputs, 2) <= after(2, 2) + 1)
    proof.holds("some stacks settle late", late > 0)
    rng, moving = Random(341), 0
    count = proof.pick(6, 20, 100)
    for _ in proof.each(f"{count} random integer stacks of 1 to 3 layers, n <= 3, words of period 1 to 4, seed 341", range(count)):
        p, layers, reads, listed = rng.randint(1, 4), [], 2, []
        for _ in range(rng.randint(1, 3)):
            n = rng.randint(1, 3)
            unit, start = draw(rng, n, reads), samples.integers(rng, n)
            layers.append(unit.recurrence(start, lambda H, x: np.concatenate([x, H[:, 0]])))
            listed.append({**weights(unit), "start": start})
            reads += n
        word = [samples.integers(rng, 2, bound=2) for _ in range(p)]
        outputs = [tuple(y) for y in Stack(tuple(layers)).run([word[t % p] for t in range(len(layers) * (p - 1) + 2 * p)])]
        moving += len({y[2:] for y in outputs}) > 1
        proof.holds("the outputs repeat after L (p - 1) letters", settled_from(outputs, p) <= after(len(layers), p) + 1)
        proof.certificate("witness", f"{len(layers)} layers on a word of period {p}", stack=listed, word=word)
    proof.holds("some of them change their states", moving > 0)
    largest = proof.pick(2, 3, 5)
    for L, p in proof.every(f"L, p <= {largest}", product(range(1, largest + 1), repeat=2)):
        late_by = L * (p - 1)
        outputs = chain(L, p).run([t % p for t in range(late_by + 2 * p)])
        proof.exactly("the relay is set after L (p - 1) letters", outputs, [t > late_by for t in range(1, late_by + 2 * p + 1)])
    proof.certificate(
        "witness", "a relay of three units on a word of period 3", layers=3, period=3, due=[2, 1, 0], outputs=[t > 6 for t in range(1, 13)]
    )


def number_of_blocks(word: Sequence[str]) -> int:
    """The number of maximal runs of one letter."""
    return sum(1 for _ in groupby(word))


@claim(
    "new.bistable.depth",
    place="after degeeter26 Sec. 5.4",
    title="at every width, L BMRU layers recognise 'at least m blocks' if and only if m ≤ L + 1: a strict hierarchy of depth",
    says=r"Let $N(w)$ be the number of blocks of equal letters of a nonempty word $w$ over $\{a,b\}$, and $L\ge1$. A stack of $L$ layers, of any widths and with any decoders, recognises $N\ge m$ iff $m\le L+1$; two units a layer suffice, at every length. "
    r"On the words that begin with $a$ a function $g(N)$ is computed by $L$ layers iff $g(n+2)=g(n)$ for all $n>L$.",
    hypotheses=(READ_AT_EACH_STEP, NO_POSITIONS, ANY_DECODER),
    known="degeeter26 Sec. 5.4 finds that width matters more than depth in its experiments; by new.bistable.since this is a hierarchy of nested 'since', which is strict and decidable (Etessami and Wilke 2000; Therien and Wilke 2002); "
    "alternating blocks separate the depths of transformers too (Yang, Cadilhac, Chiang, arXiv 2506.16055). New are the exact number of layers and a proof of one line for every width",
    construction="lemmata.constructions.bistable.depth.block_counter",
    sabotages={
        "L layers for L + 2 blocks, which the kernel refutes": {"theorem": "bistable_depth.counting_one_more"},
        "one layer less": {"counter": lambda L: block_counter(max(L - 1, 1))},
        "the letters of the units exchanged": {"letters": "ba", "counter": lambda L: _renamed(block_counter(L))},
    },
)
def blocks_are_counted_by_layers(
    proof: Proof,
    theorem: str = "bistable_depth.counting_takes_depth",
    counter: Callable[[int], Stack] = block_counter,
    letters: str = "ab",
) -> None:
    r"""The word $abab\dots$ has one more block after each letter, and a stack loses sight of them.

    1. Only if: on $abab\dots$ the outputs of $L$ layers have period $2$ from time $L+1$ on, and the prefix of length $t$ has $t$ blocks. So $g(t+2)=g(t)$ for $t\ge L+1$, and $[N\ge m]$ with $m\ge L+2$ breaks that at $t=m-1$ (or $m-2$). [uses: new.bistable.settling]
    2. If: layer $k$ reads the letter and $\min(N,k)$. Its unit for the letter $x$ is set where $x$ is read and $N\ge k$, and never reset; so at a letter $y\ne x$ it is set iff $N-1\ge k$, as the last $x$ was read with $N-1$ blocks. This
       tells $N\ge k+1$: the layer hands up $\min(N,k+1)$. At every length, by closing the product with the automaton that counts. [checked: "L = 1 counts"; "L = 2 counts"; "L = 3 counts"]
    3. On words that begin with $a$ the last letter gives the parity of $N$, so that beyond $L$ all of $g$ is known. [prose]
    4. So recognising $N\ge m$ takes exactly $m-1$ layers for $m\ge2$. [uses: new.bistable.settling]
    """
    proof.formally(
        "the kernel: L layers recognise N >= m iff m <= L + 1",
        theorem,
        whole="every L >= 1, m, width, decoder and word",
        differs=KERNEL_DIFFERS,
    )
    proof.formally(
        "the kernel: L layers of two units output min(N, L + 1)",
        "bistable_depth.two_units_count",
        whole="every L >= 1 and word",
        differs=KERNEL_DIFFERS,
    )
    proof.formally(
        "the kernel: L layers compute g(N) on words that begin with a iff g has period 2 beyond L",
        "bistable_depth.counted_functions",
        whole="every L >= 1, g, width and decoder",
        differs=KERNEL_DIFFERS,
    )
    for L in range(1, proof.pick(2, 3, 5) + 1):
        delta = lambda q, x, L=L: (x, min(q[1] + (x != q[0]), L + 1))  # noqa: E731
        stack = counter(L)
        found = computes(proof, f"L = {L} counts up to {L + 1}", stack, delta, ("", 0), letters, lambda q: q[1], certify=False)
        if found.closed and found.mismatch is None:
            proof.certificate("automaton", f"{L} layers count blocks up to {L + 1}", **closure_data(stack, found, letters, lambda q: q[1]))
    proof.exhibit(
        "the words that no two layers tell apart", few="aba", many="ababa", blocks=[number_of_blocks("aba"), number_of_blocks("ababa")]
    )


def _renamed(stack: Stack) -> Stack:
    """The lowest layer reads the other letter, and hands up the right one."""
    first = stack.layers[0]
    other = {"a": "b", "b": "a"}
    swapped = Recurrence(lambda x: first.transition(other[x]), lambda x: first.inputs(other[x]), first.initial, first.decode)
    return Stack((swapped, *stack.layers[1:]))
