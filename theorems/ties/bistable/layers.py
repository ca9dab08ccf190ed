"""Scans, stacks and torch modules of bistable units: loop, scan and closed form, on every type of numbers and on both sides of each switch."""

from __future__ import annotations

import json
from functools import reduce
from itertools import pairwise, product
from random import Random
from typing import Any

import numpy as np
from flint import arb, fmpq

from ....constructions.automata.automaton import Automaton
from ....constructions.automata.read.machines import minimise
from ....constructions.automata.read.sources import from_regex
from ....constructions.bistable import BMRU, heaviside, refusals, sign, surrogate_slope
from ....constructions.bistable.cell import approximation, equilibria, fold_input, gated, simplified, steady_input, thermometer
from ....constructions.bistable.compiler import compile_bistable, compile_hybrid, timed
from ....constructions.bistable.depth import block_counter
from ....constructions.bistable.hybrids import delay_matrix, delay_stack
from ....constructions.bistable.logic import always, holds, once
from ....numerics import exact, scan
from ...claim import tie
from ...evidence import Proof

#: lengths around powers of two, where the scan pairs what is left over
LENGTHS = (1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33, 64, 65, 300, 301, 1025)

#: types in which sums and products of small integers are exact
KINDS = {"integers": np.int64, "floats": np.float64, "complex numbers": np.complex128, "exact numbers": object}


def small_maps(rng: Random, shape: tuple[int, ...], kind: Any) -> tuple[Any, Any]:
    """Maps h -> a h + b with a in {0, 1, -1} (and i for complex numbers) and small b: every product and sum is exact in every type."""
    units = (0, 1, -1, 1j, -1j) if kind is np.complex128 else (0, 1, 1, -1)
    values = (-3, -1, 0, 2, 5 + 2j) if kind is np.complex128 else (-3, -1, 0, 2, 5)
    a, b = (np.array([rng.choice(c) for _ in range(int(np.prod(shape)))], dtype=kind).reshape(shape) for c in (units, values))
    if kind is object:
        a, b = (np.frompyfunc(fmpq, 1, 1)(x) for x in (a, b))
    return a, b


def by_hand(a: np.ndarray, b: np.ndarray, start: Any) -> np.ndarray:
    """h_t = a_t h_(t-1) + b_t along axis 0, one position after the other."""
    states, h = [], start
    for factor, term in zip(a, b, strict=True):
        h = factor * h + term
        states.append(h)
    return np.array(states, dtype=b.dtype).reshape(b.shape)


@tie("degeeter26.appB.thm2")
def scans(proof: Proof) -> None:
    """Each prefix is the loop's, for all types, lengths, axes and directions, and on both sides of the switch to the loop."""
    rng = Random(12)
    cases = [(kind, n) for kind in KINDS for n in LENGTHS if n <= 65 or kind == "floats"]
    for kind, n in proof.tied("lengths up to 65, floats up to 1025; integers, floats, complex and exact numbers", cases):
        a, b = small_maps(rng, (n, 2), KINDS[kind])
        start = np.array([b[0, 0] * 0 + 1, b[0, 0] * 0 - 2], dtype=b.dtype)
        wanted = by_hand(a, b, start)
        for name, found in (
            ("the scan", scan.associative_scan(scan.compose_affine, (a, b))),
            ("the loop", scan.sequential_scan(scan.compose_affine, (a, b))),
        ):
            proof.exactly(f"{name} composes {kind}", found[0] * start + found[1], wanted)
        columns = scan.associative_scan(scan.compose_affine, (a.T, b.T), axis=1)
        proof.exactly(f"along the other axis, {kind}", columns[0].T * start + columns[1].T, wanted)
        behind = scan.associative_scan(lambda late, early: scan.compose_affine(early, late), (a, b), reverse=True)
        proof.exactly(f"from the end, {kind}", behind[0][0] * start + behind[1][0], wanted[-1])
    for kind, wide, n in proof.tied(
        "511 to 513 entries at each position, lengths up to 9", product(("floats", "complex numbers"), (1, 511, 512, 513), (1, 2, 9))
    ):
        a, b = small_maps(rng, (n, wide), KINDS[kind])
        start = b[0] * 0 + 2
        proof.exactly(f"linear_recurrence on {kind}", scan.linear_recurrence(a, b, start), by_hand(a, b, start))
        proof.exactly(f"linear_recurrence along axis 1, {kind}", scan.linear_recurrence(a.T, b.T, start, axis=1).T, by_hand(a, b, start))
    for kind, n, size in proof.tied("matrices of up to 4 rows, lengths up to 17", product(KINDS, (1, 2, 5, 17), (1, 2, 4))):
        letters = [small_maps(rng, (size, size), KINDS[kind]) for _ in range(n)]
        # permutation-like factors keep numbers small
        A = np.stack(
            [np.roll(np.eye(size, dtype=int), t % size, axis=0).astype(KINDS[kind]) * (letters[t][0][0, 0] * 0 + 1) for t in range(n)]
        )
        B = np.stack([b for _, b in letters])
        found = scan.associative_scan(scan.compose_matrices, (A, B))
        H, wanted = B[0] * 0, []
        for factor, term in zip(A, B, strict=True):
            H = factor @ H + term
            wanted.append(H)
        proof.exactly(f"compose_matrices on {kind}", found[1], np.array(wanted, dtype=B.dtype))
    for strict in proof.extra("array_api_strict"):
        for kind, n in product((np.float64, np.complex128), (1, 2, 5, 33)):
            a, b = small_maps(rng, (n, 2), kind)
            start = b[0] * 0 + 2
            found = scan.linear_recurrence(strict.asarray(a), strict.asarray(b), strict.asarray(start))
            proof.exactly("array_api_strict: linear_recurrence, lengths up to 33", np.asarray(found), by_hand(a, b, start))


@tie("degeeter26.appB.thm2")
def switch_to_the_loop(proof: Proof) -> None:
    """The loop is taken on the CPU from ``wide`` entries at each position on, along any axis."""
    for wide, n in proof.tied("1 to 513 entries at each position, lengths 0 to 9", product((1, 2, 7, 512), (0, 1, 2, 9))):
        for entries in (wide - 1, wide, wide + 1):
            wanted = n > 0 and entries >= wide
            x = np.zeros((n, entries))
            proof.exactly(
                "prefers_loop: along the first axis, the last, and one between",
                [scan.prefers_loop(x, 0, wide), scan.prefers_loop(x.T, -1, wide), scan.prefers_loop(x.T[:, :, None], 1, wide)],
                [wanted] * 3,
            )
    for entries in proof.tied("511 to 513 entries, as it stands", (511, 512, 513)):
        proof.exactly("prefers_loop: from 512 on", scan.prefers_loop(np.zeros((3, entries))), entries >= 512)
        for torch in proof.extra("torch"):
            found = [scan.prefers_loop(torch.zeros((3, entries), device=where)) for where in ("cpu", "meta")]
            proof.exactly("torch: on the CPU alone", found, [entries >= 512, False])


@tie("degeeter26.eq11")
def units_by_entries(proof: Proof) -> None:
    """Steps, Eqs. 8 to 11 and thermometers entry by entry, on each type of numbers, ties and zeros among them."""
    rng = Random(31)
    halves = range(-26, 27)
    kinds = {"integers": lambda k: k, "rationals": lambda k: fmpq(k, 2), "floats": lambda k: k / 2, "balls": lambda k: arb(k) / 2}
    for _, make in proof.tied("numbers from -26 to 26: integers, halves, floats, balls", list(kinds.items())):
        numbers = [make(k) for k in halves]
        proof.exactly("H and S", [(heaviside(x), sign(x)) for x in numbers], [(int(k >= 0), 1 if k >= 0 else -1) for k in halves])
        for _ in range(40):
            k, m, b, a = rng.randint(-9, 9), rng.randint(-13, 13), rng.randint(1, 9), rng.randint(1, 13)
            h, x, beta, alpha = make(k), make(m), make(b), make(a)
            s = 1 if m >= 0 else -1
            # b k + 2 m is 2 b (h + x / beta) where the numbers are halves
            inside = 1 if k * b + (1 if make is kinds["integers"] else 2) * m >= 0 else -1
            proof.exactly("Eq. 8", approximation(h, x, beta, alpha) == alpha * (s if abs(m) >= b else inside), True)
            for found in (simplified(h, x, beta, alpha), gated(h, x, beta, alpha)):
                proof.exactly("Eqs. 9 and 10", found == (s * alpha if abs(m) >= b else h), True)
    for n, m in proof.tied("layers of 1 to 9 units on 1 to 5 inputs, 4 letters", product((1, 2, 3, 5, 9), (1, 2, 5))):
        draw = lambda *shape: np.array([fmpq(rng.randint(-6, 6), 2) for _ in range(int(np.prod(shape)))], dtype=object).reshape(shape)  # noqa: E731
        unit = BMRU(draw(n, m), draw(n), draw(n, m), draw(n), draw(n))
        start, H = draw(n), []
        layer, h = unit.recurrence(start), list(start)
        for x in (word := [draw(m) for _ in range(4)]):
            candidate = [sum((unit.W_x[i, j] * x[j] for j in range(m)), unit.b_x[i]) for i in range(n)]
            threshold = [abs(sum((unit.W_beta[i, j] * x[j] for j in range(m)), unit.b_beta[i])) for i in range(n)]
            gate = [int(abs(c) >= t) for c, t in zip(candidate, threshold, strict=True)]
            written = [a if c >= 0 else -a for a, c in zip(unit.alpha, candidate, strict=True)]
            proof.exactly("Eq. 11 a", (list(unit.candidate(x)), list(unit.threshold(x))), (candidate, threshold))
            proof.exactly("Eq. 11 c", (list(unit.gate(x)), list(unit.written(x))), (gate, written))
            h = [w if z else old for z, w, old in zip(gate, written, h, strict=True)]
            H.append(tuple(h))
        proof.exactly("Eq. 11 d", layer.run(word), H)
    for n, ceiling in proof.tied("thermometers of 0 to 9 units", product((0, 1, 2, 5, 9), (fmpq(1), fmpq(7, 2)))):
        levels = [ceiling * fmpq(k + 1, n + 1) - (ceiling / 4 if k == 0 else 0) for k in range(n)]
        layer = thermometer(levels, ceiling).recurrence(exact.zeros(n) - 1)
        for r in (fmpq(0), *levels, ceiling / 3, ceiling, *(q - fmpq(1, 99) for q in levels)):
            wanted = tuple(1 if q <= r else -1 for q in levels)
            later = [np.array([x, fmpq(0)], dtype=object) for x in (fmpq(-9), fmpq(1, 100), fmpq(77))]
            proof.exactly("what exceeds its level is kept", layer.run([np.array([r, fmpq(1)], dtype=object), *later]), [wanted] * 4)


@tie("degeeter26.sec3.solutions")
def solutions_by_signs(proof: Proof) -> None:
    """Equilibria: narrow balls, in order, at whose ends x - artanh(h) + (beta + 1) h changes its sign; as many as the folds allow."""
    for beta, x in proof.tied(
        "beta from -3/2 to 9, inputs of either sign", product((-1.5, -0.5, 0, 0.25, 1, 9), (-3, -0.6, -0.05, 0, 0.05, 0.6, 3))
    ):
        for width in (1e-6, 1e-12):
            found = equilibria(x, beta, width)
            b = float(beta)
            inside = b > 0 and abs(x) < (b * (b + 1)) ** 0.5 - float(np.arcsinh(b**0.5))
            proof.exactly("how many", len(found), 3 if inside else 1)
            proof.certified("in increasing order", all(p < q for p, q in pairwise(found)))
            for i, h in enumerate(found):
                values = [(arb(x) + (arb(beta) + 1) * e).tanh() - e for e in (h.lower(), h.upper())]
                # a triple zero is as narrow as the precision lets it be
                proof.certified("balls as narrow as they should be", x == beta == 0 or float(h.rad()) <= 2 * width)
                proof.certified("a change of sign between the ends", values[0] * (-1) ** (i % 2) > 0 > values[1] * (-1) ** (i % 2))
    for beta, h in proof.tied("states of either sign", product((-0.5, 0.5, 3.0), (-0.9, -0.1, 0.0, 0.5))):
        wanted = float(np.arctanh(h)) - (beta + 1) * h
        proof.closely("steady_input", abs(float(steady_input(arb(h), beta).mid()) - wanted), 1e-14 * (1 + abs(beta)))
        if beta > 0:
            wanted = (beta * (beta + 1)) ** 0.5 - float(np.arcsinh(beta**0.5))
            proof.closely("fold_input", abs(float(fold_input(beta).mid()) - wanted), 1e-14 * (1 + beta))


@tie("new.bistable.languages")
def words_that_tell(proof: Proof) -> None:
    """Shortest words that lead to a state, and after which two states answer differently, against all words in order of their lengths."""
    rng = Random(33)
    for n in proof.tied("machines of 1 to 9 states, answers of either sign", range(1, 10)):
        table = {x: tuple(rng.randrange(n) for _ in range(n)) for x in "ab"}
        outputs = None if n % 3 == 0 else tuple(rng.randrange(-2, 2) for _ in range(n))
        automaton = minimise(Automaton(table, 0, frozenset(q for q in range(n) if rng.random() < 0.5), None, outputs))
        short = [w for k in range(7) for w in product("ab", repeat=k)]
        after = lambda q, w: reduce(lambda p, x: automaton.table[x][p], w, q)  # noqa: B023, E731
        answer = lambda q: (q in automaton.accepting, None if automaton.outputs is None else automaton.outputs[q])  # noqa: B023, E731
        for q in range(automaton.n):
            proof.exactly("end", [refusals.end(automaton, q, w) for w in short], [after(q, w) for w in short])
            parts = [f"answered {answer(q)[1]}"] if automaton.outputs is not None else []
            verdict = "accepted" if answer(q)[0] else "rejected"
            wanted = " and ".join([*parts, *([verdict] if not parts or automaton.accepting else [])])
            proof.exactly("said", refusals.said(automaton, q), wanted)
            for p in range(q):
                word = refusals.telling(automaton, p, q)
                proof.holds("telling: a word that tells", answer(after(p, word)) != answer(after(q, word)))
                first = next((w for w in short if answer(after(p, w)) != answer(after(q, w))), word)
                proof.exactly("telling: none is shorter", len(word), len(first))
        found = refusals.reaching(automaton)
        proof.exactly("reaching", {q: after(automaton.start, w) for q, w in found.items()}, {q: q for q in range(automaton.n)})
        lengths = {}
        for w in short:
            lengths.setdefault(after(automaton.start, w), len(w))
        proof.exactly("reaching: none is shorter", [len(found[q]) for q in lengths], list(lengths.values()))


@tie("new.bistable.compiler")
@tie("new.bistable.languages")
def clocked_machines(proof: Proof) -> None:
    """Machines that read the time too: from any start, the same states as long as the times are in order; the least clock by trying all."""
    rng = Random(34)
    cases = product(((1, 0), (3, 0), (3, 2), (7, 0), (7, 6)), (1, 2, 3, 5))
    for (n, start), clock in proof.tied("up to 7 states, clocks of up to 5", cases):
        table = {x: tuple(rng.randrange(n) for _ in range(n)) for x in "ab"}
        automaton = Automaton(table, start, frozenset())
        machine = timed(automaton, clock)
        word = [rng.choice("ab") for _ in range(30)]
        read = [(x, t % clock) for t, x in enumerate(word, 1)] if clock > 1 else word
        pairs = list(zip(automaton.run(word), [t % clock for t in range(1, 31)], strict=True))
        found = machine.run(read)
        together = [[p == q for p in pairs] for q in pairs]
        proof.exactly("the same states at the same times", [[p == q for p in found] for q in found], together)
    for word, period in proof.tied(
        "machines that move round at one letter, and rest at another, or not", product(("a", "ab"), range(1, 8))
    ):
        turn = tuple((q + 1) % period for q in range(period))
        automaton = Automaton(dict.fromkeys(word, turn), 0, frozenset({0}))
        proof.exactly("the least clock is the period", refusals.least_clock(refusals.by_length(automaton)), period)


@tie("new.bistable.depth")
def counted_blocks(proof: Proof) -> None:
    """Blocks, counted by hand."""
    rng = Random(14)
    for L in proof.tied("L <= 12, words of up to 60 letters", range(1, 13)):
        for word in ["ab" * (L + 2), "ba" * (L + 2), *("".join(rng.choice("ab") * rng.randint(1, 3) for _ in range(20)) for _ in range(3))]:
            blocks = [1 + sum(x != y for x, y in pairwise(word[:t])) for t in range(1, len(word) + 1)]
            proof.exactly("the outputs are min(N, L + 1)", block_counter(L).run(word), [min(n, L + 1) for n in blocks])


@tie("degeeter26.eq13")
def surrogates_in_torch(proof: Proof) -> None:
    """H and S forward, Eq. 12 and twice Eq. 12 backward."""
    for torch in proof.extra("torch"):
        from ....constructions.bistable import torch as bistable_torch

        points = [-3.0, -1.0, -0.25, -1e-3, 0.0, 1e-3, 0.25, 1.0, 3.0]
        for sharpness, dtype in product((0.0, 0.5, 1.0, 3.0, 10.0), (torch.float32, torch.float64)):
            for name, module, step_of, times in (("H", bistable_torch.heaviside, heaviside, 1), ("S", bistable_torch.sign, sign, 2)):
                x = torch.tensor(points, dtype=dtype, requires_grad=True)
                y = module(x, sharpness)
                y.sum().backward()
                proof.exactly(f"torch: {name}, with {name}(0) = 1", [int(v) for v in y.tolist()], [step_of(v) for v in points])
                slopes = [times * float(surrogate_slope(v, sharpness)) for v in x.tolist()]
                worst = max(abs(a - b) for a, b in zip(x.grad.tolist(), slopes, strict=True))
                proof.closely(f"torch: the slope of {name} is {times} times Eq. 12", worst, 1e-6 if dtype is torch.float32 else 1e-14)
                if sharpness == 1.0:
                    again = torch.tensor(points, dtype=dtype, requires_grad=True)
                    module(again).sum().backward()
                    proof.exactly(f"torch: {name}, the sharpness is 1 unless another is given", again.grad.tolist(), x.grad.tolist())


@tie("degeeter26.eq11")
def layers_in_torch(proof: Proof) -> None:
    """The bistable layer and the linear recurrent unit: scan, loop and sums by hand; narrow and wide, real and complex, with their gradients."""
    for torch in proof.extra("torch"):
        from ....constructions.bistable.torch import BMRU, LRU, bmru_states
        from ....constructions.torch_recurrence import entrywise_recurrence

        rng = Random(16)
        for kind, batch, n, steps in [
            (kind, *shape, steps)
            for kind in (np.float64, np.complex128)
            for shape in ((1, 2), (1, 129), (3, 42), (3, 43), (3, 129))
            for steps in (1, 2, 9, 17)
        ]:
            a, b = small_maps(rng, (steps, batch, n), kind)
            start = b[0] * 0 + 2
            moved = [torch.from_numpy(np.ascontiguousarray(np.moveaxis(x, 0, 1))).requires_grad_() for x in (a, b)]
            h0 = torch.from_numpy(start).requires_grad_()
            states = entrywise_recurrence(moved[0], moved[1], h0)
            proof.exactly(
                "torch: entrywise_recurrence, 2 to 387 entries at a step, 1 to 17 steps",
                np.moveaxis(states.detach().numpy(), 1, 0),
                by_hand(a, b, start),
            )
            weights = torch.arange(1, states.numel() + 1, dtype=torch.float64).reshape(states.shape) % 7
            (states * states.conj() * weights).real.sum().backward()
            found = [x.grad.clone() for x in (*moved, h0)]
            for x in (*moved, h0):
                x.grad = None
            h, looped = h0, []
            for t in range(steps):
                h = moved[0][:, t] * h + moved[1][:, t]
                looped.append(h)
            again = torch.stack(looped, dim=1)
            (again * again.conj() * weights).real.sum().backward()
            proof.exactly(
                "torch: and the gradients of a, b and h_0",
                [bool(torch.equal(x.grad, y)) for x, y in zip((*moved, h0), found, strict=True)],
                [True] * 3,
            )
        for (batch, n), steps in product(((1, 1), (4, 5), (4, 40), (1, 150)), (1, 2, 9, 33)):
            candidates = torch.tensor(
                [rng.choice((-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0)) for _ in range(batch * steps * n)], dtype=torch.float64
            )
            candidates, thresholds = candidates.reshape(batch, steps, n), torch.ones(n, dtype=torch.float64)
            alpha, start = torch.arange(1, n + 1, dtype=torch.float64), -torch.arange(1, n + 1, dtype=torch.float64)
            wanted = torch.empty_like(candidates)
            for i, j in product(range(batch), range(n)):
                h = float(start[j])
                for t in range(steps):
                    x = float(candidates[i, t, j])
                    h = sign(x) * float(alpha[j]) if abs(x) >= 1.0 else h
                    wanted[i, t, j] = h
            for by_scan in (True, False):
                found = bmru_states(candidates, thresholds.expand_as(candidates), alpha, start, 1.0, by_scan)
                proof.exactly("torch: Eq. 11 by the scan and by the loop, widths 1 to 150, 1 to 33 steps", found.numpy(), wanted.numpy())
        for kind, units, steps in product((BMRU, LRU), (1, 3, 60), (1, 2, 9, 33)):
            torch.manual_seed(7)
            layer = kind(2, units)
            x = torch.randn(3, steps, 2)
            scanned, looped = layer(x).detach(), layer(x, scan=False).detach()
            proof.closely(f"torch: {kind.__name__} by the scan and by the loop", float((scanned - looped).abs().max()), 1e-5)
            proof.closely(
                f"torch: {kind.__name__}, the last state alone", float((layer.last_state(x, None) - scanned[:, -1]).abs().max()), 1e-5
            )
            half = (steps + 1) // 2
            before = layer.last_state(x[:, :half], None)
            rest = layer(x[:, half:], initial=before).detach() if half < steps else before[:, None]
            proof.closely(f"torch: {kind.__name__}, in two parts", float((rest[:, -1] - scanned[:, -1]).abs().max()), 1e-5)
            if half < steps:
                proof.closely(
                    f"torch: {kind.__name__}, the last state from another",
                    float((layer.last_state(x[:, half:], before) - scanned[:, -1]).abs().max()),
                    1e-5,
                )
        lru = LRU(1, 3)
        powers, drive = lru.eigenvalues().detach().numpy(), lru.drive(torch.ones(1, 1, 1)).detach().numpy()[0, 0]
        total = sum(drive * powers**k for k in range(6))
        found = lru(torch.ones(1, 6, 1)).detach().numpy()[0, -1]
        proof.closely("torch: LRU, a geometric sum", float(np.max(np.abs(found - np.concatenate([total.real, total.imag])))), 1e-5)
        gain = np.exp(lru.log_gamma.detach().numpy())
        proof.closely("torch: LRU starts with gamma^2 = 1 - |lambda|^2", float(np.max(np.abs(gain**2 - 1 + np.abs(powers) ** 2))), 1e-5)


@tie("new.bistable.compiler")
def compiled_layers(proof: Proof) -> None:
    """Compiled stacks of bistable layers, with and without a clock, by the recurrence and in torch."""
    rng = Random(18)
    texts = ["a+b+", "(a|b|c)*ab*c(a|b|c)*", "(aaa)*", "a(ba)*", "(a|b)*bb"]
    for text in proof.tied("automata of up to 6 states, words of up to 40 letters", texts):
        automaton = from_regex(text)
        network = compile_hybrid(automaton)
        proof.exactly("widths are those of the layers", network.widths, [len(layer.start) for layer in network.layers])
        proof.exactly("the JSON has all layers", len(json.loads(network.to_json())["layers"]), len(network.layers))
        batch = [[rng.choice(automaton.letters) for _ in range(40)] for _ in range(3)]
        wanted = [[network.automaton.run(word)[t] for t in range(len(word))] for word in batch]
        for word, states in zip(batch, wanted, strict=True):
            said = [(network.automaton.name(q), q in network.automaton.accepting) for q in states]
            proof.exactly("the states and what is accepted", network.run(word), said)
            proof.exactly("as the automaton before", [yes for _, yes in said], [q in automaton.accepting for q in automaton.run(word)])
        answers = tuple((q * q) % 5 - 2 for q in range(automaton.n))
        speaking = (
            compile_bistable(Automaton(automaton.table, automaton.start, automaton.accepting, None, answers))
            if network.clock == 1
            else None
        )
        if speaking is not None:
            machine = Automaton(automaton.table, automaton.start, automaton.accepting, None, answers)
            said_by = {speaking.automaton.name(q): speaking.automaton.output(q) for q in range(speaking.automaton.n)}
            for word in batch:
                wanted_answers = [machine.output(q) for q in machine.run(word)]
                proof.exactly("answers of either sign", [said_by[name] for name, _ in speaking.run(word)], wanted_answers)
        for torch in proof.extra("torch"):
            for dtype, by_scan in product((torch.float32, torch.float64, torch.bfloat16), (True, False)):
                module = network.to_torch(dtype)
                kinds = {x.dtype for x in module.state_dict().values() if x.is_floating_point()}
                proof.exactly("torch: weights of that type", (module.readout.weight.dtype, dtype in kinds), (dtype, True))
                indices = torch.stack([module.encode(word) for word in batch])
                proof.exactly("torch: the states, by the scan and by the loop", module(indices, by_scan).tolist(), wanted)
                gap = torch.cat([indices[:, :7], torch.full((3, 2), -1), indices[:, 7:]], dim=1)
                found = module(gap, by_scan)
                proof.exactly(
                    "torch: where there is no letter nothing moves", torch.cat([found[:, :7], found[:, 9:]], dim=1).tolist(), wanted
                )


@tie("new.bistable.since")
def formulas(proof: Proof) -> None:
    """Once and always, by all words."""
    f = ("is", "a")
    for word in proof.tied("all words of up to 6 letters over a, b", [w for n in range(1, 7) for w in product("ab", repeat=n)]):
        proof.exactly("once and always", (holds(once(f), word), holds(always(f), word)), ("a" in word, set(word) == {"a"}))


@tie("new.bistable.delay")
def delayed_cascades(proof: Proof) -> None:
    """A wide level of resets, against the automaton itself."""
    rng = Random(20)
    for n in proof.tied("one level of up to 9 units, 12 letters", (2, 6, 7, 9)):
        automaton = minimise(Automaton({f"to {q}": [q] * n for q in range(n)}, 0, frozenset(), outputs=tuple(range(n))))
        word = [rng.choice(automaton.letters) for _ in range(12)]
        stack = delay_stack(automaton)
        proof.exactly("the stack gives the automaton's states", stack.run(word), automaton.run(word))
    for n in proof.tied("n <= 9", range(10)):
        v, before = [fmpq(3 * i - 4) for i in range(n)], [fmpq(i * i + 1, 7) for i in range(n)]
        held = delay_matrix(n) @ np.array([*v, *before], dtype=object)
        proof.exactly("delay_matrix moves what came last", list(held), [fmpq(0)] * n + v)
