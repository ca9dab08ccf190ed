"""grazzi25, Theorem 2: stacks with real spectra count modulo powers of two only."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import cast

import numpy as np
import sympy
from flint import fmpq

from ...constructions import automata, parity, samples
from ...constructions.recurrence import LayerTrace, Recurrence, Stack
from ...numerics import exact
from ...numerics.aliases import Exact
from ...numerics.cyclotomic import root_of_unity
from ...numerics.exact import Array
from ...numerics.finite_precision import FiniteSet
from ..claim import claim
from ..closure import computes
from ..evidence import Proof
from .theorem1 import (
    agrees,
    by_definition,
    certify_stack,
    counter_of_letters,
    hasty,
    late_stack,
    points,
    random_stack,
    several_points,
    slow_alternation,
    without_inner_casts,
)

#: eigenvalues that let states alternate for ever
SIGNS = [fmpq(1), fmpq(-1), fmpq(-1), fmpq(-1, 2)]


def _products(layer: Recurrence, letters: list, length: int) -> list[Array]:
    """A(x_1) ... A(x_length) for all words over the letters."""
    out = [layer.transition(x) for x in letters]
    for _ in range(length - 1):
        out = [p @ layer.transition(x) for p in out for x in letters]
    return out


def _is_real(a: Array) -> bool:
    """Every eigenvalue is real."""
    return exact.count_real_roots(exact.characteristic_polynomial(a)) == len(a)


def _letters_read(trace: LayerTrace) -> list:
    return list(dict.fromkeys(trace.before + trace.period))


@claim(
    "grazzi25.thm2",
    place="Theorem 2, App. B.2",
    title="if the products of 2ⁱ⁻¹ transitions of layer i have real spectra, the output on 1ᵏ has eventual period dividing 2ᴸ",
    says=r"If for every layer $i\le L$ all products $A(x_1)\cdots A(x_{2^{i-1}})$ have real spectra, then in the cast model the output on $1^k$ is "
    r"eventually periodic with a period dividing $2^L$; so $(1^m)^*$ is recognised only for $m\mid2^L$. Hence a stack that counts modulo an $m$ that is no power of two has a layer "
    r"$i$ and $x_1,\dots,x_{2^{i-1}}$ whose product $A(x_1)\cdots A(x_{2^{i-1}})$ has an eigenvalue that is not real.",
    reading="products of 2^(i-1) transitions, which is what App. B.2 proves. In the text at hand the last index reads 2^i - 1, which a slip of extraction (a lost brace in the exponent) "
    "explains as well as a misprint; the theorem with that index would be false (step 8). 'k mod d' in the proof of the one-layer case is k mod m.",
    hypotheses=(
        "cast model in every layer",
        "real spectra of the products of 2^(i-1) transitions of layer i",
        "rational eigenvalues (for the exact computation)",
    ),
    construction="lemmata.constructions.recurrence.Stack.eventual_outputs",
    sabotages={
        "a level less, which the kernel refutes": {"theorem": "false_variants.counts_powers_of_two_a_level_less"},
        "the period is said to divide 2^(i-2)": {"bound": lambda level: 2 ** max(level - 1, 0)},
        "the input has period 3 instead of being 1^k": {"word": (0, 1, 2)},
        "nothing moves": {"stacks_of": lambda rng, depth: Stack(tuple(counter_of_letters(0) for _ in range(depth)))},
        "the casts inside the sum are dropped": {"simulate": without_inner_casts},
        "the outer cast is not waited for": {"prepare": hasty},
        "products of an even number of reflections": {"odd": lambda i: 2 ** (i - 1)},
    },
)
def real_spectra_count_powers_of_two(
    proof: Proof,
    bound=lambda level: 2**level,
    word=(1,),
    stacks_of=lambda rng, depth: random_stack(rng, depth, rng.choice((samples.DYADIC, SIGNS))),
    simulate=by_definition,
    prepare=lambda layer: layer,
    odd=lambda i: 2**i - 1,
    theorem: str = "period.counts_powers_of_two",
) -> None:
    r"""Each layer at most doubles the period of the word that it reads, if the product of its transitions over one period has real eigenvalues.

    1. Let layer $i$ read $x_1\dots x_\tau$ and then $y_1\dots y_p$ for ever, with $p=2^{i-1}$; for $i=1$ the word is $1^k$ and $p=1$. Put $C=A(y_p)\cdots A(y_1)$. At time $\tau+pj+r$,
       $0\le r<p$, the terms that it casts are, by the unrolled state, of two sorts: finitely many $MC^jV$ (from $H_0$ and the letters up to $\tau$), and $MC^qV_s$ for each $s\le p$ and $q<j$
       (from the letters of the periods), with $M=A(y_r)\cdots A(y_1)$, besides $r$ terms that do not depend on $j$. [uses: grazzi25.thm1.unrolled.amended] [prose]
    2. By hypothesis $C$, a product of $2^{i-1}$ transitions of the layer, has real eigenvalues. So the Jordan form of $C$ makes every entry of $MC^jV$ a sum as in Lemma 1 in the variable $j$, and its
       cast is $2$-periodic in $j$ from some $j$ on. [checked: "all products of 2^(i-1) transitions have real spectra"] [uses: grazzi25.lemma1]
    3. Along even and along odd $j$ the argument of the outer cast is then an arithmetic progression, as in the display of App. B.2, entry by entry constant or beyond the last
       midpoint in the end. So the state is $2$-periodic in $j$, and has a period dividing $2p=2^i$ in time. [uses: grazzi25.thm2.display.amended] [prose]
    4. A decoder is a function of state and letter: the next layer reads a word of eventual period dividing $2^i$, whose beginning is the transient. By induction the output of layer $L$ has a
       period dividing $2^L$. [checked: "the input of layer i has a period dividing 2^(i-1)"]
    5. The outputs of all layers, transients included, are those of the definition. [checked: "a simulation by the definition agrees"]
    6. The indicator of $m\mid k$ has least period $m$. So $(1^m)^*$ is recognised only if $m\mid2^L$, and then $m$ is a power of two. [prose]
    7. The bound is attained: the binary counters among the stacks have period $2^L$. [checked: "the binary counters attain it"]
    8. Products of $2^i-1$ transitions in place of $2^{i-1}$ would not do. An odd number of reflections of the plane is a reflection, with the eigenvalues $\pm1$; two layers of them add modulo 3, at every length.
       [checked: "every product of 2^i - 1 reflections squares to I"; "the last output is the sum modulo 3"]
    """
    proof.formally("the kernel: on a constant word the output's period divides 2^L", "period.real_stacks_have_period")
    proof.formally(
        "the kernel: (1^m)* is recognised only if m divides 2^L",
        theorem,
        whole="every width, depth, decoder and finite D",
        differs="real entries (complex ones in the next step); an ordered field for the reals; 'eventually' under a double negation; ties in the cast may be broken in any way",
    )
    proof.formally(
        "the kernel: nor with complex entries",
        "complex_layers.complex_counts_powers_of_two",
        differs="a real closed field for the reals; real and imaginary parts are cast one by one",
    )
    rng = Random(8)
    count = proof.pick(5, 10, 60)
    deepest = proof.pick(2, 3, 3)
    family = [(depth, stacks_of(rng, depth), points(rng, i)) for depth in range(1, deepest + 1) for i in range(count)]
    drawn = len(family)
    family += [(depth, parity.counting_stack(depth), FiniteSet([-1, 0, 1])) for depth in range(1, deepest + 1)]
    family += [(2, late_stack(), FiniteSet(range(6))), (1, slow_alternation(), FiniteSet([-15, 0, 16, 31]))]
    describe = f"{len(family)} stacks of 1 to {deepest} layers, n <= 3, eigenvalues 0, +-1/2, +-1, +-2, arbitrary decoders, and the binary counters, seed 8"
    moving = 0
    several_points(proof, [D for _, _, D in family])
    symmetric = [len(D) for _, _, D in family[:drawn] if {-x for x in D.values} == set(D.values)]
    proof.holds("half of the random ones are symmetric, some of these of five points", 2 * len(symmetric) >= drawn and max(symmetric) >= 5)
    for i, (depth, stack, D) in enumerate(proof.each(describe, family)):
        traces = Stack(tuple(prepare(layer) for layer in stack.layers)).eventual_outputs(word, D)
        for level, (layer, trace) in enumerate(zip(stack.layers, traces, strict=False)):
            products = _products(layer, _letters_read(trace), 2**level)
            proof.holds("all products of 2^(i-1) transitions have real spectra", all(map(_is_real, products)))
        for level, trace in enumerate(traces):
            proof.exactly("the input of layer i has a period dividing 2^(i-1)", bound(level) % trace.least_period, 0)
        agrees(proof, stack, traces, D, simulate)
        moving += i < drawn and traces[-1].least_period > 1
        if len(D) > 1:
            certify_stack(proof, stack, traces, D)
        if drawn <= i < drawn + deepest:
            proof.exactly("the binary counters attain it", traces[-1].least_period, 2**depth)
    counter = parity.counting_stack(3).eventual_outputs([1], FiniteSet([-1, 0, 1]))[-1]
    proof.exhibit(
        "three scalar layers with transitions 1 and -1, D = {-1, 0, 1}: period 8", outputs=[counter.letter(t) for t in range(1, 12)]
    )
    proof.holds("an eighth of the random outputs alternate for ever", 8 * moving > drawn)
    _odd_products(proof, odd)


def _odd_products(proof: Proof, length, m: int = 3) -> None:
    """Record that the index of the theorem matters: with products of 2^i - 1 transitions two layers of reflections would be admitted, and they add modulo 3."""
    stack = automata.addition_by_reflections(m)
    computes(proof, f"the last output is the sum modulo {m}", stack, lambda q, x: (q + x) % m, 0, tuple(range(m)), lambda q: q)
    first, second = stack.layers
    reads = sorted(set(product(range(m), (0, 1))))
    for i, layer, letters in proof.every(
        "all words of 2^i - 1 letters of layer i", ((1, first, range(m)), (2, second, reads)), limited=False
    ):
        for a in _products(layer, list(letters), length(i)):
            proof.exactly("every product of 2^i - 1 reflections squares to I", a @ a, exact.identity(len(a)))


@claim(
    "new.parity.powers-of-two",
    place="after grazzi25 Theorem 2",
    title="Theorem 2 is tight: p scalar layers with transitions 1 and −1 count modulo 2ᵖ",
    says=r"For every $p\ge1$ there is a stack of $p$ scalar layers with $A\in\{1,-1\}$, $B=0$ that outputs the number of ones modulo $2^p$.",
    uses=("grazzi25.thm2",),
    known="A cascade of p parity bits counts modulo 2^p, a binary counter (in Krohn and Rhodes' theory Z_(2^p) divides a wreath product of p copies of Z_2); "
    "grazzi25 has m | 2^L as a necessary condition only.",
    construction="lemmata.constructions.parity.counting_stack",
    sabotages={
        "one layer too few": {"stack_of": lambda p: parity.counting_stack(max(p - 1, 1))},
        "bits flip at every letter": {"bit": lambda carry, low, bit, weight: (1 - bit, low + (1 - bit) * weight, carry and bit)},
    },
)
def a_binary_counter(
    proof: Proof,
    stack_of=parity.counting_stack,
    bit=lambda carry, low, bit, weight: (bit ^ carry, low + (bit ^ carry) * weight, int(carry and (bit ^ carry) == 0)),
) -> None:
    r"""Layer $i$ holds the bit of weight $w=2^i$ and flips it when all lower bits have just become zero.

    Let $c$ be the number of ones so far modulo $w$ and $x$ the letter. *Invariant*: layer $i$ reads a carry $\kappa\in\{0,1\}$ and the new value $c'=c+x-\kappa w\in[0,w)$.

    1. For $w=1$ it reads $(x,0)$: $\kappa=x$ and $c'=0=0+x-x\cdot1$. [checked: "base: the first layer reads the bit"]
    2. With the old bit $\beta$ the count modulo $2w$ was $c+\beta w$. The new bit is $\beta'=\beta\oplus\kappa$, and the layer hands up $c'+\beta'w$ and the carry $\kappa'=\kappa(1-\beta')$. In each of
       the four cases of $(\kappa,\beta)$ one has $c'+\beta'w=(c+\beta w)+x-2w\kappa'$, the invariant for the next layer. [checked: "step: the invariant"] [prose]
    3. $0\le c'<w$ and $\beta'\in\{0,1\}$ give $0\le c'+\beta'w<2w$. By induction over the layers and over the word, at the last layer, $w=2^{p-1}$, the output is the number of ones modulo $2^p$.
       [checked: "step: the bounds"] [prose]
    4. A layer holds its bit as $1$ or $-1$, so that $A=-1$ flips it at $\kappa=1$ and $A=1$ keeps it at $\kappa=0$. [checked: "a sign holds the bit"]

    Beside it, the construction's layers for small $p$ do the same, and their products with a counter are closed.
    """
    low, weight, x = sympy.symbols("c w x", nonnegative=True)
    base_carry, base_low = x, 0
    proof.symbolically("base: the first layer reads the bit and the count 0", base_low, x - base_carry, "x")
    for carry, old in proof.every("both carries and both bits", product((0, 1), repeat=2), limited=False):
        after = low + x - carry * weight  # what the layer reads
        _, count, handed = bit(carry, after, old, weight)
        proof.symbolically(
            "step: the invariant for the next layer", count, (low + old * weight) + x - 2 * weight * handed, "c, w, x and both bits"
        )
        # c' = w - 1 - d with d >= 0: the count stays below 2 w
        d = sympy.Symbol("d", nonnegative=True)
        room = sympy.expand(2 * weight - 1 - bit(carry, weight - 1 - d, old, weight)[1])
        proof.holds(
            "step: the bounds 0 <= c' + beta' w <= 2 w - 1",
            bool(room.is_nonnegative) and bool(bit(carry, low, old, weight)[1].is_nonnegative),
            free="c < w and both bits",
        )
        proof.exactly("a sign holds the bit", (1 - 2 * carry) * (1 - 2 * old), 1 - 2 * bit(carry, 0, old, 1)[0])
    with proof.beside():
        _counters(proof, stack_of, bit)
    proof.exhibit("counting modulo 8", stack="bits held as 1 (zero) and -1 (one)", outputs=stack_of(3).run([1] * 10))


def _counters(proof: Proof, stack_of, bit) -> None:
    """Record that the construction's layers are those of the argument, and what its stacks count."""
    for p in range(1, proof.pick(5, 7, 9)):
        stack = stack_of(p)
        found = computes(
            proof, f"the output is the number of ones modulo {2**p}", stack, lambda q, x, p=p: (q + x) % 2**p, 0, (0, 1), lambda q: q
        )
        proof.exactly("2^p states are reachable", len(found.pairs), 2**p)
        for i, layer in enumerate(stack.layers[1:], start=1):
            last = i == p - 1
            for carry, old, c in product((0, 1), (0, 1), (0, 2**i - 1)):
                after = layer.step(parity.scalar(1 - 2 * old), (carry, c))
                new, count, handed = bit(carry, c, old, 2**i)
                proof.exactly(
                    "the construction's layer hands up what step 2 says",
                    layer.decode(after, (carry, c)),
                    count if last else (handed, count),
                )
                proof.exactly("the construction's layer hands up a bit held as 1 or -1", after[0, 0], 1 - 2 * new)


# -- what the paper concludes from it ------------------------------------------------------------------------------------


@claim(
    "grazzi25.thm2.discussion",
    place="Sec. 4.1, Discussion",
    flaw="overstatement",
    weight="wording",
    quotes=("diagonal or triangular with real entries, cannot solve counting modulo m",),
    title="real diagonal transitions do count modulo m where m is a power of two",
    says=r"No stack of layers with real diagonal or triangular $A(x)$ recognises $(1^m)^*$, $m\ge2$.",
    letter="In the Discussion after Theorem 2 the words 'for m not a power of two' are missing. One scalar layer with a(1) = -1 counts modulo 2, and p of them count modulo 2^p.",
    reading="as printed, without 'm not a power of two'",
    sabotages={"the smallest m is 3": {"moduli": (3, 5, 6)}},
)
def diagonal_layers_do_count(proof: Proof, moduli=(2, 3, 4)) -> None:
    """Scalar layers are diagonal; p of them count modulo 2^p, so m = 2 is already a counterexample: h -> -h at the letter 1, from 1."""

    def counts(m: int) -> bool:
        p = (m - 1).bit_length()
        network = parity.counting_stack(p)
        return computes(Proof(), "count", network, lambda q, x: (q + x) % m, 0, (0, 1), lambda q: q).mismatch is None

    found = proof.smallest("m, with ceil(log2 m) scalar layers", moduli, counts)
    if found:
        m, _ = found
        computes(
            proof,
            f"the output is the count modulo {m}",
            parity.counting_stack((m - 1).bit_length()),
            lambda q, x: (q + x) % m,
            0,
            (0, 1),
            lambda q: q,
        )
        proof.counterexample(
            given={"m": m, "layer": "h -> -h at the letter 1, h -> h at 0, h_0 = 1; output 1 iff h = -1"},
            words={
                "scalar": all(len(H) == 1 for H in parity.counting_stack((m - 1).bit_length()).initial),
                "counts": m == 2 and counts(m),
            },
            minimal=f"n = 1, m = {m}",
        )


@claim(
    "grazzi25.abstract.modulo3",
    place="Abstract; Sec. 1; Sec. 4.2 before Sec. 4.3",
    title="stacks of layers with real triangular transitions do not count modulo 3",
    says=r"In the cast model no stack of finitely many layers, each with real upper triangular (or each with real lower triangular) transitions, recognises $(1^3)^*$.",
    reading="'non-triangular matrices are needed to count modulo 3' with real entries, as the Discussion of Sec. 4.1 says; in one layer the triangles are of one sort",
    hypotheses=("cast model in every layer", "rational entries (for the exact computation)"),
    sabotages={
        "modulo 2, which the kernel refutes": {"theorem": "false_variants.triangular_stacks_do_not_count_two"},
        "upper and lower triangular transitions in one layer": {"mixed": True},
        "m = 2": {"m": 2},
    },
)
def triangular_stacks(proof: Proof, mixed: bool = False, m: int = 3, theorem: str = "period.triangular_stacks_do_not_count_three") -> None:
    r"""Products of upper triangular matrices are upper triangular, with the products of the diagonals on the diagonal.

    1. For upper triangular $A$, $B$ one has $(AB)_{ij}=\sum_{i\le l\le j}A_{il}B_{lj}$, which is $0$ for $i>j$ and $A_{ii}B_{ii}$ for $i=j$. So every product of the transitions of a
       layer has its eigenvalues, which are real, on the diagonal. [checked: "the product is upper triangular"] [prose]
    2. By Theorem 2 the output on $1^k$ has an eventual period that divides $2^L$. [uses: grazzi25.thm2] [checked: "the period of the output divides 2^L"]
    3. $3\nmid2^L$, and the indicator of $3\mid k$ has least period $3$. [checked: "the output is not the indicator of"] [prose]
    """
    proof.formally(
        "the kernel: no triangular stack counts modulo 3",
        theorem,
        whole="every width, depth, decoder and finite D",
        differs="an ordered field for the reals; lower triangular, the upper ones by reversing the order of the states",
    )
    size = 3
    a, b = (
        sympy.Matrix(
            size, size, lambda i, j, name=name: sympy.Symbol(f"{name}{i}{j}") if i <= j or (mixed and name == "b" and i > j) else 0
        )
        for name in "ab"
    )
    c = a * b
    for i in range(size):
        for j in range(i + 1):
            left, right = cast(Exact, a[i, i]), cast(Exact, b[i, i])
            expected = left * right if i == j else 0
            proof.symbolically("the product is upper triangular, its diagonal the product", c[i, j], expected, "entries", "n <= 3")
    rng = Random(14)
    count = proof.pick(4, 4, 40)
    depths = (1, 2) if proof.effort == "quick" else (1, 2, 3)
    alternating, started, sets = 0, 0, []
    family = [(depth, i) for depth in depths for i in range(1, count + 1)]
    for depth, i in proof.each(f"{len(family)} random triangular stacks of 1 to {depths[-1]} layers, n <= 3, |D| <= 5, seed 14", family):
        stack, D = random_stack(rng, depth, samples.DYADIC), points(rng, i)
        sets.append(D)
        stack = Stack(tuple(_triangular(layer, rng) for layer in stack.layers))
        started += all(any(x != 0 for x in layer.initial.flat) for layer in stack.layers)
        traces = stack.eventual_outputs([1], D)
        proof.exactly("the period of the output divides 2^L", 2**depth % traces[-1].least_period, 0)
        agrees(proof, stack, traces, D, by_definition, letters=30)
        start = len(traces[-1].before) + 1
        outputs = [traces[-1].letter(t) for t in range(start, start + m * 2**depth)]
        # a decoder reads 1 at some of the outputs and 0 at the others
        told_apart = {y for t, y in enumerate(outputs, start) if t % m == 0}.isdisjoint(y for t, y in enumerate(outputs, start) if t % m)
        proof.holds(f"the output is not the indicator of {m} | k, however read", not told_apart)
        alternating += traces[-1].least_period > 1
        if len(D) > 1:
            certify_stack(proof, stack, traces, D)
    several_points(proof, sets)
    proof.holds("some outputs alternate for ever", alternating > 0)
    proof.holds("half of the stacks start with states that are not 0", 2 * started >= len(family))


def _triangular(layer: Recurrence, rng: Random) -> Recurrence:
    """The same layer with upper triangular transitions for the letters 0, 1, 2."""
    n = len(layer.initial)
    table = {x: (samples.triangular(rng, n, samples.DYADIC), layer.inputs(x)) for x in range(3)}
    return Recurrence.from_table(table, layer.initial, layer.decode)


@claim(
    "grazzi25.abstract.triangular",
    place="Abstract; Sec. 4.2 before Sec. 4.3",
    of="grazzi25.abstract.modulo3",
    flaw="overstatement",
    weight="hypothesis",
    quotes=(
        "non-triangular matrices are needed to count modulo 3",
        "we cannot count modulo 3 with triangular state transition matrices, even when allowing negative eigenvalues",
    ),
    title="non-triangular transitions are not needed to count modulo 3: a complex scalar does",
    says=r"A layer as in Eq. 1 that counts modulo $3$ has a transition that is not triangular.",
    letter="The abstract and Sec. 4.2 say that counting modulo 3 needs matrices that are not triangular. Eq. 1 allows complex entries, and the 1 x 1 matrix exp(2 pi i / 3) counts modulo 3. The word 'real' is missing; the Discussion of Sec. 4.1 has it.",
    reading="Eq. 1 allows complex A; 'real' is missing",
    sabotages={"the sixth root of one": {"order": 6}},
)
def a_complex_scalar_counts_modulo_three(proof: Proof, order: int = 3) -> None:
    """A 1 x 1 matrix is triangular, and multiplication by exp(2 pi i / 3) has order 3: from 1 it visits the three cube roots of 1."""
    zeta = root_of_unity(order)
    one = np.array([[zeta**0]], dtype=object)
    powers = {exact.freeze(one * zeta**k): k for k in range(3)}
    table = {0: (one, one * 0), 1: (one * zeta, one * 0)}
    layer = Recurrence.from_table(table, one, lambda H, x: powers.get(exact.freeze(H)))
    found = computes(proof, "the state is zeta^(number of ones)", layer, lambda q, x: (q + x) % 3, 0, (0, 1), lambda q: q)
    proof.counterexample(
        given={"A(1)": f"exp(2 pi i / {order})", "A(0)": 1, "B": 0, "H_0": 1, "states on 1^4": [H[0, 0] for H in layer.states([1] * 4)]},
        words={"scalar": layer.transition(1).shape == (1, 1), "counts": found.mismatch is None},
        minimal="n = 1",
    )
