"""Second-order layers and causal functions: every size from 1 on, on integers, complex numbers and polynomials."""

from __future__ import annotations

from itertools import pairwise, product
from random import Random
from typing import Any

import numpy as np
from flint import fmpq

from ...constructions import samples
from ...constructions.activations import DepthOnly, DepthOnlyLayer, PiecewiseLinear, causal_function, parity_by_tent
from ...constructions.bilinear import SecondOrderLayer, run
from ...constructions.depth import only
from ...constructions.depth.only import keep_the_beginning
from ...constructions.late_forgetting import late_memory, late_states, prefix_and_suffix_network
from ...numerics import exact
from ..claim import tie
from ..evidence import Proof


def random_layer(rng: Random, n: int, m: int) -> SecondOrderLayer:
    draw = lambda *shape: samples.integers(rng, *shape)  # noqa: E731
    return SecondOrderLayer(draw(n, m, n), draw(n, n), draw(n, m), draw(n), draw(n))


@tie("new.bilinear.continuous")
def kept_and_forgotten(proof: Proof) -> None:
    """What a matrix keeps for ever, steps forwards and backwards, and cores that are led to a target, by sizes and indices that were built in."""
    rng = Random(44)
    for kept, index in proof.tied("0 to 4 coordinates that are kept beside chains of length 0 to 6", product(range(5), range(7))):
        chain, whole = exact.zeros(index, index), exact.identity(kept) * 2 + np.triu(samples.integers(rng, kept, kept, bound=1), 1)
        for i in range(index - 1):
            chain[i + 1, i] = fmpq(1)
        n = kept + index
        if not n:
            continue
        S = samples.basis(rng, n)
        V = exact.multiply(exact.multiply(S, exact.block_diagonal([whole, chain])), exact.inverse(S))
        C, W, found = only.core(V)
        proof.exactly("the index, and how much is kept", (found, C.shape, W.shape), (index, (kept, n), (kept, kept)))
        proof.exactly("C V = W C", (C @ V).tolist(), (W @ C).tolist())
        proof.exactly("C and W have full rank", [exact.rank(M) if kept else 0 for M in (C, W)], [kept, kept])
        proof.exactly("right_inverse", (C @ only.right_inverse(C)).tolist(), exact.identity(kept).tolist())
    shapes = [*product((1, 2, 3, 5), (1, 2, 4)), (1, 9)]
    for n, depth in proof.tied("up to 4 layers of width up to 5, 9 of width 1, states of either sign", shapes):
        draw = lambda *shape: samples.integers(rng, *shape, bound=2)  # noqa: E731
        layers = []
        for level in range(depth):
            b, h = draw(n, 1)[:, 0], draw(n, 1)[:, 0]
            layers.append(DepthOnlyLayer(samples.basis(rng, n), draw(n, 1 if level == 0 else n), b, h, only.relu))
        network = DepthOnly(tuple(layers), exact.zeros(1, n), exact.zeros(1))
        states = [layer.initial for layer in layers]
        for x in (fmpq(-2), fmpq(0), fmpq(3, 2)):
            below, wanted = [x], []
            for layer, h in zip(layers, states, strict=True):
                new = [
                    sum((layer.V[i, j] * h[j] for j in range(n)), fmpq(0))
                    + sum((layer.U[i, j] * y for j, y in enumerate(below)), fmpq(0))
                    + layer.b[i]
                    for i in range(n)
                ]
                wanted.append(new)
                below = [max(y, fmpq(0)) for y in new]
            after = only.step(network, states, x)
            proof.exactly("a step of all layers", [list(h) for h in after], wanted)
            proof.exactly("and back", [list(h) for h in only.step_back(network, after, x)], [list(h) for h in states])
            states = after
        singular = [DepthOnlyLayer(np.tril(layer.V, -1), layer.U, layer.b, layer.initial, only.relu) for layer in layers[:-1]]
        network = DepthOnly((*singular, layers[-1]), network.readout, network.offset)
        proof.exactly(
            "settling_time", only.settling_time(network), 1 + sum(only.core(layer.V)[2] - 1 for layer in singular) if singular else 0
        )
        target = [draw(len(only.core(layer.V)[0]), 1)[:, 0] for layer in network.layers]
        for steps in (1, 3):
            before, after = only.with_core_after(network, [layer.initial for layer in layers], target, fmpq(2), steps)
            for _ in range(steps):
                before = only.step(network, before, fmpq(2))
            proof.exactly("the states that it names are reached", [list(h) for h in before], [list(h) for h in after])
            proof.exactly(
                "and their cores are the target",
                [list(only.core(layer.V)[0] @ h) for layer, h in zip(network.layers, after, strict=True)],
                [list(c) for c in target],
            )
        entries = [layer.V[i, i] for layer in only.remember_everything(n, depth).layers for i in range(n)]
        proof.exactly("remember_everything: so many different entries", entries, [fmpq(1, k) for k in range(1, n * depth + 1)])


@tie("new.bilinear.continuous")
@tie("new.bilinear.discontinuous")
def functions_by_hand(proof: Proof) -> None:
    """Activations and pairs of words, from their definitions."""
    rng = Random(45)
    for u in proof.tied("numbers from -40 to 40, and their quarters", [fmpq(k, 4) for k in range(-160, 161)]):
        proof.exactly("relu", only.relu(u), max(u, fmpq(0)))
        proof.exactly("relu: of what type", type(only.relu(u)), fmpq)
        for values in ([5], [2, -1], [fmpq(1, 2), 0, -3, 7, 7, 1, -2, 4, 9]):
            place = min(max(u, fmpq(0)), fmpq(len(values) - 1))
            k = min(int(place.floor()), max(len(values) - 2, 0))
            rest = place - k
            wanted = values[k] * (1 - rest) + (values[k + 1] * rest if len(values) > 1 else 0)
            proof.exactly("interpolated", only.interpolated(values, u) == wanted, True)
        if u.q == 1:
            k = int(u.p)
            proof.exactly("power_of_two", only.power_of_two(u), fmpq(2**k) if k >= 0 else fmpq(1, 2**-k))
            proof.exactly("exponential_below_zero", only.exponential_below_zero(u), u if k > 0 else fmpq(1, 2**-k) - 1)
            for s in (1, -1):
                wanted = k + (s < 0)
                proof.exactly("logarithm_with_a_jump", only.logarithm_with_a_jump(s * only.power_of_two(u)), fmpq(wanted))
        if u < 0 or u.q == 1:
            proof.exactly("magnitude_or_sign", only.magnitude_or_sign(u), magnitude_by_hand(u))
    for count in proof.tied("up to 12 knots", range(13)):
        knots = sorted(rng.sample([fmpq(k, 2) for k in range(-20, 21)], count))
        slopes = [fmpq(rng.choice((-3, 1, 2, 5)), 2) for _ in range(count + 1)]
        function, steps = PiecewiseLinear(tuple(knots), tuple(slopes)), [fmpq(k, 4) for k in range(-44, 45)]
        piece = lambda u: sum(u >= k for k in knots)  # noqa: B023, E731
        proof.exactly("piece", [function.piece(u) for u in steps], [piece(u) for u in steps])
        values = [function(u) for u in steps]
        rises = [slopes[piece(u)] / 4 for u in steps[:-1]]
        proof.exactly("from knot to knot with the slopes", [b - a for a, b in pairwise(values)], rises)
        proof.exactly("0 at 0", function(fmpq(0)), 0)
    proof_of = lambda m: 0 if "2" in digits(m) else (-1) ** digits(m).count("1")  # noqa: E731
    for m in proof.tied("numbers up to 300 in base 3", range(300)):
        proof.exactly("sign_of_digits", only.sign_of_digits(m), proof_of(m))
    for length in proof.tied("points of spheres of up to 13 coordinates", (*range(1, 9), 13)):
        logarithms = [fmpq(rng.randint(-3, 3)) for _ in range(length - 1)]
        small = only.small_letters(logarithms)
        proof.exactly("small_letters: the letters themselves", [d for d, _ in small], logarithms)
        reach = fmpq(1)
        for d, smaller in small:
            proof.holds("and letters so small that they outweigh all before", smaller + reach < d - reach)
            reach += max(abs(d), abs(smaller), fmpq(1))
        for _ in range(6):
            weights = [rng.choice((-3, -1, 0, 1, 2)) for _ in range(length - 1)] + [rng.choice((-2, -1, 1, 4))]
            total = sum(map(abs, weights))
            point = [fmpq(w, total) for w in weights]
            pair, turned = (only.words_on_sphere([s * c for c in point], small) for s in (1, -1))
            proof.exactly("at the other pole the pair is exchanged", turned, (pair[1], pair[0]))
            proof.exactly("the pair of words", pair, pair_by_hand(point, small))


def digits(m: int) -> str:
    """m in base 3."""
    return digits(m // 3) + str(m % 3) if m else ""


def magnitude_by_hand(u: fmpq) -> fmpq:
    """2^u on the right; on the left the values at integers, joined by lines."""
    if u > 0:
        return fmpq(2 ** int(u.p))
    at = lambda k: 1 if k == 0 else 0 if k == 1 else (0 if "2" in digits(k - 2) else (-1) ** digits(k - 2).count("1"))  # noqa: E731
    # -1 - u from -1 down to -2: the value at -2 is 1, the sign of 0
    k = int((-u).floor())
    return at(k) * (k + 1 + u) + at(k + 1) * (-u - k)


def pair_by_hand(point: list[fmpq], small: list[tuple[fmpq, fmpq]]) -> tuple[list[fmpq], list[fmpq]]:
    """The pair of words by the docstring, from the first coordinate on: each coordinate appends a letter and draws the pair towards its pole."""
    rest = fmpq(0)
    pair: tuple[list[fmpq], list[fmpq]] = ([], [])
    for k, c in enumerate(point):
        rest = rest + abs(c)
        # the height of the first k + 1 coordinates on their own sphere
        height = abs(c) / rest if rest else fmpq(0)
        if k == 0:
            pair = ([fmpq(1)], [fmpq(0)]) if c >= 0 else ([fmpq(0)], [fmpq(1)])
            continue
        one, other = pair if c >= 0 else (pair[1], pair[0])
        if height == 1 or not rest:
            one, other = [fmpq(0)] * k, [fmpq(0)] * k
        d, smaller = small[k - 1]
        falls, pulled = min(2 * height, fmpq(1)), max(2 * height - 1, fmpq(0))
        first, second = [*one, d], [*other, d * (1 - falls) + smaller * falls]
        first = [(1 - pulled) * a + pulled * (i == k) for i, a in enumerate(first)]
        second = [(1 - pulled) * a for a in second]
        pair = (first, second) if c >= 0 else (second, first)
    return pair


@tie("new.bilinear.bounded")
@tie("new.bilinear.forgetting")
def bounded_networks(proof: Proof) -> None:
    """Networks with bounded states: sums, and states of automata, on long words."""
    rng = Random(46)
    for decay in proof.tied("decays 0 to 1, words of 40 bits", (fmpq(0), fmpq(1, 3), fmpq(2, 5), fmpq(1, 2), fmpq(1))):
        word = [rng.choice((0, 1)) for _ in range(40)]
        found = list(only.keep_the_beginning(decay).run(word))
        proof.exactly(
            "keep_the_beginning", found, [sum((decay**t * x for t, x in enumerate(word[: k + 1], 1)), fmpq(0)) for k in range(40)]
        )
    for signs, decay in proof.tied(
        "up to 4 layers, words of 20 numbers", product(((), (1,), (-1,), (1, -1), (-1, -1, 1)), (fmpq(0), fmpq(1, 2), fmpq(-1, 3)))
    ):
        word = [fmpq(rng.randint(-5, 5), 2) for _ in range(20)]
        phi = lambda u: max(u, -u / 2)  # noqa: E731
        m, found = [], list(only.sums_of_differences(signs, phi, decay).run(word))
        for x in word:
            m.append((decay * m[-1] if m else 0) + x)
        for s in signs:
            sums, before = [], fmpq(0)
            for now in m:
                sums.append((s * sums[-1] if sums else 0) + phi(now) - s * phi(before))
                before = now
            m = sums
        proof.exactly("sums_of_differences", found, [phi(x) for x in m])
    for k, length in proof.tied("registers of up to 3 letters, over 2 and 3 letters", ((2, 0), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2))):
        delta = [[(q * k + a) % k**length for a in range(k)] for q in range(k**length)]
        proof.exactly("memory_length", only.memory_length(delta), length)
        shift = [delta[q] for q in range(len(delta))]
        for start in range(len(delta)):
            back = only.way_back(shift, start)
            q = start
            for a in back:
                q = delta[q][a]
            proof.exactly("way_back", q, start)
            word, q, wanted = [rng.randrange(k) for _ in range(25)], start, []
            for a in word:
                q = delta[q][a]
                wanted.append(fmpq(q))
            proof.exactly("forgetful_network", list(only.forgetful_network(delta, start).run(word)), wanted)
    for n in proof.tied("cycles of up to 9 states", range(2, 10)):
        # letter 0 steps on, letter 1 too: only the length matters, and a cycle of n leads back
        proof.exactly("memory_length of a clock", only.memory_length([[(q + 1) % n] * 2 for q in range(n)]), 0)
        proof.exactly("way_back of a clock", len(only.way_back([[(q + 1) % n] * 2 for q in range(n)], n - 1)), n)
        proof.exactly("no memory length suffices", only.memory_length([[q, (q + 1) % n] for q in range(n)]), None)


@tie("new.bilinear.degrees")
def stacks_of_second_order_layers(proof: Proof) -> None:
    """Layers one above the other, step by step and entry by entry, on rationals, floats and complex numbers."""
    rng = Random(48)
    kinds = {
        "rationals": lambda: fmpq(rng.randint(-3, 3)),
        "floats": lambda: float(rng.randint(-3, 3)),
        "complex numbers": lambda: complex(rng.randint(-1, 1), rng.randint(-1, 1)),
    }
    for kind, n, depth in proof.tied("n <= 7, up to 4 layers, words of 3 letters", product(kinds, (1, 2, 3, 7), (1, 2, 4))):
        number = kinds[kind]

        def draw(*shape: int, number: Any = number, kind: str = kind) -> np.ndarray:
            flat = [number() for _ in range(int(np.prod(shape)))]
            return np.array(flat, dtype=object if kind == "rationals" else None).reshape(shape)

        layers = [SecondOrderLayer(draw(n, n, n), draw(n, n), draw(n, n), draw(n), draw(n)) for _ in range(depth)]
        states, word, wanted = [list(layer.initial) for layer in layers], [draw(n) for _ in range(3)], []
        for x in word:
            below = list(x)
            for at, layer in enumerate(layers):
                h, every = states[at], range(n)
                below = [
                    layer.b[k]
                    + sum(layer.V[k, i] * h[i] + layer.U[k, i] * below[i] for i in every)
                    + sum(layer.A[i, j, k] * h[i] * below[j] for i in every for j in every)
                    for k in every
                ]
                states[at] = below
            wanted.append(below)
        found = run(layers, word)
        if kind == "rationals":
            proof.exactly("run, rationals", [list(h) for h in found], wanted)
        else:
            scale = float(np.abs(np.array(wanted)).max())
            proof.closely(f"run, {kind}", float(np.abs(np.array(found) - np.array(wanted)).max()), 1e-12 * max(1.0, scale))


@tie("lizaire26.lemma1")
@tie("lizaire26.appA6")
@tie("lizaire26.lemma4")
@tie("lizaire26.abstract.degree")
@tie("new.bilinear.degrees")
def second_order_steps(proof: Proof) -> None:
    """A step is Definition 1 written out, and the step of the layer as a recurrence with transitions A(x)."""
    rng = Random(45)
    for n, m in proof.tied("n, m <= 8", [*product(range(1, 5), range(1, 5)), (5, 3), (8, 2), (2, 8)]):
        layer = random_layer(rng, n, m)
        h, x = samples.integers(rng, n), samples.integers(rng, m)
        written = [
            layer.b[k]
            + sum((layer.V[k, i] * h[i] for i in range(n)), fmpq(0))
            + sum((layer.U[k, j] * x[j] for j in range(m)), fmpq(0))
            + sum((layer.A[i, j, k] * h[i] * x[j] for i in range(n) for j in range(m)), fmpq(0))
            for k in range(n)
        ]
        proof.exactly("a step is Definition 1", list(layer.step(h, x)), written)
        proof.exactly("the recurrence takes the same step", list(layer.recurrence().step(h[:, None], x)[:, 0]), written)


@tie("new.bilinear.finite-alphabet")
def causal_functions(proof: Proof) -> None:
    """Functions that every letter matters to, on long words."""
    rng = Random(47)
    for length, k in proof.tied("words of up to 40 letters over 1 to 5", product((1, 2, 7, 8, 9, 10, 12, 20, 40), range(1, 6))):
        word = [rng.randrange(k) for _ in range(length)]
        f = lambda w: fmpq(sum((i + 1) * x for i, x in enumerate(w)) % 11 - 5, 5)  # noqa: E731
        proof.exactly("the outputs are f", list(causal_function(f, k).run(word)), [f(tuple(word[: t + 1])) for t in range(length)])
    for length in proof.tied("words of up to 200 integers", (1, 2, 9, 200)):
        word = [rng.randrange(-3, 4) for _ in range(length)]
        outputs = [(-1) ** sum(word[: t + 1]) for t in range(length)]
        proof.exactly("parity_by_tent", [fmpq(y) if isinstance(y, int) else y for y in parity_by_tent().run(word)], outputs)
    for base in proof.tied("other values", [np.array([0, 1, 1, 0])]):
        proof.exactly("a constant", list(causal_function(lambda w: fmpq(-1), 2).run(list(base))), [fmpq(-1)] * 4)


@tie("new.bilinear.beginning")
def fading_sums(proof: Proof) -> None:
    """The sum of decay^t x_t, for every decay in [0, 1]."""
    rng = Random(55)
    decays = (fmpq(0), fmpq(1, 7), fmpq(1, 3), fmpq(1, 2), fmpq(1))
    for decay, length in proof.tied("decays from 0 to 1, words of up to 30 letters", product(decays, (1, 2, 7, 30))):
        word = [rng.randrange(2) for _ in range(length)]
        sums = [sum((decay ** (s + 1) * x for s, x in enumerate(word[: t + 1])), fmpq(0)) for t in range(length)]
        outputs = keep_the_beginning(decay).run([fmpq(x) for x in word])
        proof.exactly("keep_the_beginning: the sums so far", outputs, sums)


def forgetful(n: int, cycle: int, letters: int) -> tuple[list[list[int]], int]:
    """(table, start): n states that lead nowhere, two that tell the first letter, then a cycle of this length; the start leads to it."""
    first, again = n, n + letters
    table = [[q] * letters for q in range(n)]
    table += [[again] * letters for _ in range(letters)]
    table += [[again + (i + 1) % cycle] * letters for i in range(cycle)]
    table.append([first + a for a in range(letters)])
    return table, len(table) - 1


@tie("new.bilinear.late")
def clocks_and_registers(proof: Proof) -> None:
    """Automata with long cycles behind many states that lead nowhere; the clock's period is that of the cycle."""
    cases = [(0, 1, 1), (0, 7, 1), (9, 5, 1), (12, 6, 1), (0, 2, 2)]
    for idle, cycle, letters in proof.tied("up to 20 states, one or two letters", cases):
        delta, start = forgetful(idle, cycle, letters)
        word = [(t * t + t // 3) % letters for t in range(3 * len(delta) + 2 * cycle + 3)]
        q, states = start, []
        for a in word:
            q = delta[q][a]
            states.append(q)
        proof.exactly(
            "late_states are those of the cycle", sorted(late_states(delta, start)), list(range(idle + letters, idle + letters + cycle))
        )
        proof.exactly("late_memory", late_memory(delta, start), 0)
        network = prefix_and_suffix_network(delta, start)
        proof.exactly("the network gives the states", network.run(word), states)
        width = 2 * len(delta) + cycle + len(delta)
        proof.exactly("a clock of this period, and one unit for each first letter", len(network.layers[0].V), width)
