"""Second-order layers, row by row: sums written out, up to 12 units, in each type of numbers."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod
from random import Random

import numpy as np
from flint import fmpq

from ....constructions import activations, bilinear, late_forgetting
from ....constructions.depth import only
from ....numerics import exact
from ...claim import tie
from ...evidence import Proof
from . import POSITIVE, hold, hold_refusals, integers, plain


@tie("lizaire26.lemma4")
def second_order_sums(proof: Proof) -> None:
    """A step by its sums; the same as a recurrence; low-rank tensors; weighted automata as products of matrices; stacks of up to 10 layers."""
    rng = Random(321)
    for n, m, R in proof.tied(
        "up to 12 units, 5 inputs, rank 13", [(1, 1, 1), (2, 3, 2), (3, 2, 5), (5, 5, 7), (7, 1, 9), (9, 3, 12), (12, 2, 13)]
    ):
        A = integers(rng, n * m, n, 2).reshape(n, m, n)
        V, U, b, start = integers(rng, n, n, 2), integers(rng, n, m, 2), integers(rng, n, 1)[:, 0], integers(rng, n, 1)[:, 0]
        inputs = [integers(rng, m, 1)[:, 0] for _ in range(4)]
        wanted, h = [], list(start)
        for x in inputs:
            h = [
                b[k]
                + sum(V[k, i] * h[i] for i in range(n))
                + sum(U[k, j] * x[j] for j in range(m))
                + sum(A[i, j, k] * h[i] * x[j] for i, j in product(range(n), range(m)))
                for k in range(n)
            ]
            wanted.append(h)
        for one in (fmpq(1), 1.0, 1 + 0j):
            layer = bilinear.SecondOrderLayer(A * one, V * one, U * one, b * one, start * one)
            given = [x * one for x in inputs]
            proof.exactly("steps", [list(state) for state in bilinear.run([layer], given)], wanted)
            proof.exactly("one step", list(layer.step(start * one, given[0])), wanted[0])
            proof.exactly("as a recurrence", [list(state) for state in layer.recurrence().run(given)], wanted)
            bare = bilinear.bilinear_layer(A * one, start * one)
            if isinstance(one, fmpq):
                alone = [sum(A[i, j, k] * start[i] * inputs[0][j] for i, j in product(range(n), range(m))) for k in range(n)]
                proof.exactly("the product alone", list(bare.step(start * one, given[0])), alone)
            else:
                hold_refusals(proof, "floats beside rationals", [(bare.step, (start * one, given[0]))])
            left, middle, right = integers(rng, n, R, 2), integers(rng, m, R, 2), integers(rng, n, R, 2)
            tensor = [
                [[sum(left[i, r] * middle[j, r] * right[k, r] for r in range(R)) for k in range(n)] for j in range(m)] for i in range(n)
            ]
            found = bilinear.cp_tensor(left * one, middle * one, right * one)
            proof.exactly(
                "cp_tensor, cp_layer",
                (found.tolist(), bilinear.cp_layer(left * one, middle * one, right * one, start * one).A.tolist()),
                (tensor, tensor),
            )
        letters = [integers(rng, n, n, 1) for _ in range(m)]
        automaton = bilinear.weighted_automaton(start * fmpq(1), [T * fmpq(1) for T in letters])
        word = [rng.randrange(m) for _ in range(13)]
        one_hot = [np.array([fmpq(int(i == x)) for i in range(m)], dtype=object) for x in word]
        h, wanted_states = list(start), []
        for x in word:
            h = [sum(letters[x][i, j] * h[j] for j in range(n)) for i in range(n)]
            wanted_states.append(h)
        proof.exactly("weighted_automaton, run", [list(h) for h in bilinear.run([automaton], one_hot)], wanted_states)
        for one in (0.5, 1 - 2j):
            typed = bilinear.weighted_automaton(start * one, [T * one for T in letters])
            tensor = [[[letters[x][k, i] * one for k in range(n)] for x in range(m)] for i in range(n)]
            proof.exactly("weighted_automaton: floats", (typed.A.tolist(), list(typed.initial)), (tensor, [x * one for x in start]))
        if n == m:
            added = bilinear.residual(bilinear.SecondOrderLayer(A * fmpq(1), V * fmpq(1), U * fmpq(1), b * fmpq(1), start * fmpq(1)))
            proof.exactly("residual", list(added.step(start, inputs[0])), [x + y for x, y in zip(wanted[0], inputs[0], strict=True)])
    for n in proof.tied("up to 13 layers that hand on", POSITIVE):
        x = integers(rng, n, 1)[:, 0] * fmpq(1)
        found = bilinear.run([bilinear.identity_layer(n)] * min(n, 10), [x, -x])
        proof.exactly("identity_layer", [list(h) for h in found], [list(x), list(-x)])
        gens = bilinear.variables([f"x{i}" for i in range(n)])
        total = gens[0] * 0
        for i, g in enumerate(gens):
            total = total + g ** (i + 1) * gens[0]
        degrees = [{0, i + 1} if i else ({1, 2} if n > 1 else {2}) for i in range(n)]
        proof.exactly("variables, degrees_in", [bilinear.degrees_in(total, i) for i in range(n)], degrees)
        proof.exactly("degrees_in: from the last variable", [bilinear.degrees_in(total, -i) for i in range(1, n + 1)], degrees[::-1])
        proof.exactly("entries", plain(bilinear.entries([*range(n)], n, 1)), plain(np.array([[fmpq(i)] for i in range(n)], dtype=object)))
    hold(
        proof,
        "numbers of each type",
        lambda x: bilinear.entries([x] * 13),
        lambda x: np.array([fmpq(x) if isinstance(x, int) else x] * 13, dtype=object),
        [(x,) for x in (-3, fmpq(-1, 2), 0.5, -2j)],
    )
    mixed = bilinear.SecondOrderLayer(exact.zeros(2, 3, 2), exact.zeros(2, 2), exact.zeros(2, 3), exact.zeros(2), exact.zeros(2))
    hold_refusals(proof, "sizes", [(bilinear.identity_layer, (-2,)), (bilinear.residual, (mixed,))])


@tie("new.bilinear.continuous")
def points_of_spheres(proof: Proof) -> None:
    """Points of spheres of 13 to 1 dimensions, height by height from the last coordinate, of either sign, and the poles."""
    rng = Random(322)
    for T in proof.tied("13 to 1 coordinates", POSITIVE[::-1]):
        small = only.small_letters([fmpq(rng.randint(-3, 3)) for _ in range(T - 1)])
        for k in range(4):
            raw = [rng.choice((-3, -2, 1, 2, 5)) for _ in range(T)] if k else [0] * (T - 1) + [-1]
            point = [fmpq(x, sum(map(abs, raw))) for x in raw]
            # at a negative height it is the pair of the opposite point, exchanged; that turns all heights below
            sign, swaps, heights = 1, [False] * T, [fmpq(1)] * T
            for j in reversed(range(T)):
                swaps[j] = sign * point[j] < 0
                sign = -sign if swaps[j] else sign
                below = sum((abs(x) for x in point[: j + 1]), fmpq(0))
                heights[j] = abs(point[j]) / below if below else fmpq(0)
            pole = not any(raw[:-1])
            words = ([fmpq(1)], [fmpq(0)]) if not pole or T == 1 else ([fmpq(0)] * (T - 1), [fmpq(0)] * (T - 1))
            words = words[::-1] if swaps[0] and (not pole or T == 1) else words
            for j in range(T - 1 if pole and T > 1 else 1, T):
                d, least = small[j - 1]
                fallen, rest = d + min(2 * heights[j], fmpq(1)) * (least - d), 1 - max(2 * heights[j] - 1, fmpq(0))
                words = [x * rest for x in words[0]] + [d * rest + 1 - rest], [x * rest for x in words[1]] + [fallen * rest]
                words = words[::-1] if swaps[j] else words
            proof.exactly("words_on_sphere", only.words_on_sphere(point, small), words)
        hold_refusals(proof, "a point off the sphere", [(only.words_on_sphere, ([fmpq(2, T)] * T, small))])


@tie("new.bilinear.bounded")
def differences_and_automata(proof: Proof) -> None:
    """Sums of differences with 13 to 0 signs, which leave the last value and the first; automata of up to 16 states, their memory by words, and networks that say their states."""
    rng = Random(323)
    for count in proof.tied("13 to 0 signs", (*POSITIVE[::-1], 0)):
        signs, half = [rng.choice((-1, 1)) for _ in range(count)], fmpq(1, 2)
        phi = lambda u: abs(u) + fmpq(1, 2)  # noqa: E731
        word = [fmpq(rng.randint(-2, 2)) for _ in range(5)]
        m, wanted = fmpq(0), []
        for t, x in enumerate(word, 1):
            m = m / 3 + x
            y = phi(m)
            for s in signs:
                # what is summed leaves the last value, and the first, 1/2, with the sign's power
                y = phi(y - s**t * half)
            wanted.append(y)
        proof.exactly("sums_of_differences", only.sums_of_differences(signs, phi, fmpq(1, 3)).run(word), wanted)
    registers = [[[(2 * q + a) % 2**i for a in range(2)] for q in range(2**i)] for i in (1, 2, 3, 4)]
    turning = [[[(q + 1) % n] * k for q in range(n)] for n, k in ((13, 1), (12, 2), (5, 13), (1, 1))]
    last = [[list(range(k))] * k for k in (13, 12, 7, 3)]
    # the length modulo 3, and the last letter
    both = [[[((q // 2 + 1) % 3) * 2 + a for a in range(2)] for q in range(6)]]
    never = [[[q ^ a for a in range(2)] for q in range(2)], [[0, 1, q] for q in range(2)]]
    for delta in proof.tied("automata of 16 to 1 states, 13 to 1 letters", [*registers[::-1], *turning, *last, *both, *never]):
        k, n = len(delta[0]), len(delta)
        apart, memory = {(row[a], row[b]) for row in delta for a in range(k) for b in range(a)}, 0
        while any(p != q for p, q in apart) and memory <= n * n:
            apart, memory = {(delta[p][a], delta[q][a]) for p, q in apart for a in range(k)}, memory + 1
        forgets = memory <= n * n
        proof.exactly("memory_length", only.memory_length(delta), memory if forgets else None)
        start = rng.randrange(n)
        steps, layer = 1, {delta[start][a] for a in range(k)}
        while start not in layer and steps <= n:
            layer, steps = {delta[q][a] for q in layer for a in range(k)}, steps + 1
        back, q = only.way_back(delta, start), start
        for a in back:
            q = delta[q][a]
        proof.exactly("way_back", (q, len(back)), (start, steps))
        if forgets:
            word, q, states = [rng.randrange(k) for _ in range(9)], start, []
            for a in word:
                q = delta[q][a]
                states.append(q)
            proof.exactly("forgetful_network", only.forgetful_network(delta, start).run(word), states)
        else:
            hold_refusals(proof, "automata that do not forget", [(only.forgetful_network, (delta, start))])
        for _ in range(4):
            zeros, tail, q = rng.randint(0, 5), [rng.randrange(k) for _ in range(3)], start
            for a in [0] * zeros + tail:
                q = delta[q][a]
            code = zeros * k**3 + sum(a * k ** (2 - j) for j, a in enumerate(tail))
            proof.exactly("_state_after", only._state_after(delta, start, code, 3, k), q)
    hold_refusals(proof, "no way back", [(only.way_back, ([[1], [1]], 0))])


@tie("new.bilinear.discontinuous")
def products_by_digits(proof: Proof) -> None:
    """The four layers, with digits in bases 3 to 13; products of 0 and powers of 2 of either sign."""
    rng, half = Random(331), fmpq(1, 2)
    none, plane = [[0, 0], [0, 0]], [0, 0]
    for base in proof.tied("bases 3 to 13", (3, 4, 5, 7, 9, 12, 13)):
        network = only.product_of_real_numbers(base)
        wanted = [
            (none, [[1], [-8]], plane, plane),
            ([[1, 0], [0, base]], [[half, half], [half, -half]], [-2, 2], plane),
            (none, [[1, 0], [0, -1]], [0, -2], plane),
            (none, [[1, 1], [1, -1]], plane, plane),
        ]
        found = [tuple(x.tolist() for x in (layer.V, layer.U, layer.b, layer.initial)) for layer in network.layers]
        proof.exactly("product_of_real_numbers: its layers", found, wanted)
        proof.exactly("its readout", (network.readout.tolist(), network.offset.tolist()), ([[half / 2, -half / 2]], [0]))
    for length in proof.tied("words of up to 9 numbers", (1, 2, 5, 9)):
        word = [rng.choice((-1, 1)) * fmpq(2) ** rng.randint(-2, 2) for _ in range(length)]
        for x in (word, [*word, fmpq(0), fmpq(2)]):
            wanted = [prod(x[: t + 1], start=fmpq(1)) for t in range(len(x))]
            proof.exactly("product_of_real_numbers", list(only.product_of_real_numbers().run(x)), wanted)


@tie("new.bilinear.late")
def lengths_of_cycles(proof: Proof) -> None:
    """The length of the cycle that a letter leads each state to, by walking on for long: cycles of 13 to 1 states, in every order of the states."""
    rng = Random(323)
    for n in proof.tied("13 states to 1", POSITIVE[::-1]):
        for _ in range(6):
            order = rng.sample(range(n), n)
            cut = rng.randint(0, n - 1)
            table = [0] * n
            for i, q in enumerate(order):
                # two cycles, the second with a tail that leads to it
                table[q] = order[(i + 1) % cut] if i < cut else order[i + 1] if i + 1 < n else order[rng.randint(cut, n - 1)]
            wanted = []
            for q in range(n):
                for _ in range(n):
                    q = table[q]
                walked = [q]
                while (q := table[q]) != walked[0]:
                    walked.append(q)
                wanted.append(len(walked))
            proof.exactly("_cycles", late_forgetting._cycles([[q, 0] for q in table]), wanted)


@tie("lizaire26.thm5.remark")
def parity_by_networks(proof: Proof) -> None:
    """What the networks put out after each letter: 1 or -1, by the sum so far; for integers of either sign. Products of positive numbers by multiplying."""
    import sympy

    words = [[1], [0, 1, 1, 0, 1], [1] * 13, [-1, 2, -3, 5, 0, -2], [0, 0, 0]]
    for word in proof.tied("words of up to 13 integers", words):
        wanted = [(-1) ** (sum(word[: t + 1]) % 2) for t in range(len(word))]
        for make in (activations.parity_by_cosine, activations.parity_by_homeomorphism):
            proof.exactly(make.__name__, [sympy.simplify(y) for y in make().run(word)], wanted)
        proof.exactly("parity_by_tent", activations.parity_by_tent().run([Fraction(x) for x in word]), wanted)
    for row in proof.tied("up to 5 positive numbers", [[2, 3, 5], [1], [7, 1, 1, 2, 3]]):
        found = activations.product_of_positive_numbers().run([sympy.Integer(x) for x in row])
        proof.exactly("product_of_positive_numbers", [sympy.simplify(y) for y in found], [prod(row[: t + 1]) for t in range(len(row))])
