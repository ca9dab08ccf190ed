"""Maps of levels and their micro-steps, row by row: up to 13 states, one-hot vectors and simplex corners, in each type of numbers."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import numpy as np
from flint import fmpq

from .....constructions.automata.affine import Orbit
from .....constructions.automata.automaton import Automaton
from .....constructions.automata.cascade.cascade import Move, _identity, excluded_states, krohn_rhodes
from .....constructions.automata.compiler import compile_automaton
from .....constructions.automata.layers.reflections import addition_by_reflections, solvable_by_reflections
from .....constructions.automata.levels import delays
from .....constructions.automata.levels import repaired as layers
from .....constructions.automata.prove import delta_steps, document
from .....constructions.automata.prove.delta_steps import DeltaStep
from .....constructions.automata.read import families, sources, tasks
from .....constructions.householder import GeneralizedHouseholder
from .....numerics import exact
from ....claim import tie
from ....evidence import Proof
from .. import POSITIVE, hold, hold_refusals, integers, products


def unit(n: int, i: int, one: Any = fmpq(1)) -> np.ndarray:
    """e_i as a column."""
    return np.array([[one if j == i else one * 0] for j in range(n)], dtype=object)


def moved(g: tuple[int, ...], one: Any = fmpq(1)) -> np.ndarray:
    return np.array([[one if g[j] == i else one * 0 for j in range(len(g))] for i in range(len(g))], dtype=object)


def composed(steps: list[DeltaStep], n: int) -> tuple[list[list[fmpq]], list[list[fmpq]]]:
    """(A, B) of micro-steps, from their definition S - beta v (v^T S) / v^T v + write v."""
    A, B = exact.identity(n), exact.zeros(n, 1)
    for step in steps:
        v = np.array(step.factor.v, dtype=object)
        F = exact.identity(n) - np.outer(v, v) * (fmpq(step.factor.beta) / sum(x * x for x in v))
        A, B = np.array(products([F, A]), dtype=object), np.array(products([F, B]), dtype=object) + v[:, None] * step.write
    return A.tolist(), B.tolist()


@tie("grazzi25.thm4")
def maps_of_levels(proof: Proof) -> None:
    """Moves, one-hot maps, two slots, corners of a simplex: what is read off every state; up to 13 states."""
    rng = Random(431)
    for m in proof.tied("levels of 1 to 13 states", reversed(POSITIVE)):
        g, r = tuple(rng.sample(range(m), m)), rng.randrange(m)
        permutes, resets = Move(g, None), Move(None, r)
        proof.exactly("a move", ([permutes(i) for i in range(m)], [resets(i) for i in range(m)]), (list(g), [r] * m))
        proof.exactly("a move: from the end", (permutes(-1), resets(-1)), (g[m - 1], r))
        proof.exactly("_identity", (_identity(m), _identity(-m)), (Move(tuple(range(m)), None), Move((), None)))
        zeros = [[fmpq(0)] * m for _ in range(m)]
        for move, A, B in ((permutes, moved(g).tolist(), [[fmpq(0)]] * m), (resets, zeros, unit(m, r).tolist())):
            found = layers.one_hot_maps(move, m)
            proof.exactly("one_hot_maps", (found[0].tolist(), found[1].tolist()), (A, B))
            two = delays.two_slot_maps(move, m)
            slots = np.zeros((2 * m, 2 * m), dtype=object)
            if move is permutes:
                slots[:m, :m] = moved(g)
            else:
                slots[m:, :m] = exact.identity(m)
            proof.exactly("two_slot_maps", (two[0].tolist(), two[1].tolist()), (slots.tolist(), [*B, *[[fmpq(0)]] * m]))
        ends = layers.one_hot_maps(Move(None, -1), m), delays.two_slot_maps(Move(None, -1), m), layers.level_maps(Move(None, -1), m)
        proof.exactly("a reset to the last state", [B.tolist()[:m] for _, B in ends], [unit(m, m - 1).tolist()] * 3)
        layer = layers.printed_layer({-1: permutes, 0.5: resets}, m, r)
        proof.exactly("printed_layer: the new state and the letter", layer.run([-1, -1, 0.5]), [(g[r], -1), (g[g[r]], -1), (r, 0.5)])
        proof.exactly("printed_layer: the start", layer.initial.tolist(), unit(m, r).tolist())
        if m > 1:
            corners = [(unit(m, q) - fmpq(1, m)) for q in range(m)]
            for move, q, spare in product((permutes, resets), range(m), (fmpq(0), fmpq(2, 7))):
                A, B = layers.level_maps(move, m)
                H = corners[q] + spare
                after = np.array(products([A, H]), dtype=object) + B
                proof.exactly("old_and_new_state, from every corner", layers.old_and_new_state(after, move), (q, move(q)))
            codes = layers.old_state(m)
            proof.exactly("old_state", (sorted(codes.values()), len(codes)), (list(range(m)), m))
            wrong = [corners[0] * 2, unit(m, 0) + unit(m, m - 1), corners[0] + fmpq(99)]
            proof.exactly("old_and_new_state: no state", [layers.old_and_new_state(H, resets) for H in wrong], [None] * 3)
        for one in (fmpq(-1), 1.0, 2j, -0.5):
            hot = [delays._hot(unit(m, q, one)) for q in range(m)]
            proof.exactly("_hot", hot, list(range(m)))
            several = [unit(m, 0, one) * 0, np.full((m, 1), one, dtype=object)]
            proof.exactly("_hot: none, or all", [delays._hot(H) for H in several], [None, 0 if m == 1 else None])
    for _ in proof.tied("a level without states", [()]):
        proof.exactly("old_state: no states", layers.old_state(-2), {})
    bad: list[tuple[Any, tuple[Any, ...]]] = [(f, (Move((0, -1), None), 2)) for f in (layers.one_hot_maps, delays.two_slot_maps)]
    hold_refusals(
        proof,
        "points and sizes below 0",
        [*bad, (layers.level_maps, (Move(None, 0), -2)), (layers.printed_layer, ({0: Move((0, -1), None)}, 2))],
    )


@tie("grazzi25.thm4")
def micro_steps_of_maps(proof: Proof) -> None:
    """Micro-steps compose to the map: permutations, projections, ranges of one dimension, in each type of numbers, up to 13 rows."""
    rng = Random(432)
    for n in proof.tied("1 to 13 rows", POSITIVE):
        g = tuple(rng.sample(range(n), n))
        A, none = moved(g), exact.zeros(n, 1)
        found = delta_steps.delta_steps(A, none)
        loops = len({frozenset(_orbit(g, i)) for i in range(n)})
        proof.exactly("a permutation", (composed(found, n), len(found)), ((A.tolist(), none.tolist()), n - loops))
        simplex = A - fmpq(1, n)
        if n > 1:
            found = delta_steps.delta_steps(simplex, none)
            proof.exactly("a permutation of corners", (composed(found, n), len(found)), ((simplex.tolist(), none.tolist()), n - loops + 1))
        text = document.exact_steps(A, none) or []
        told = [
            DeltaStep(GeneralizedHouseholder(exact.rationals(s["v"]), exact.rational(s["beta"])), exact.rational(s["write"])) for s in text
        ]
        proof.exactly("exact_steps: as text", composed(told, n), (A.tolist(), none.tolist()))
        lengths = [sum(exact.rational(x) ** 2 for x in s["v"]) * exact.rational(s["scale"]) for s in text]
        proof.exactly("exact_steps: beta over v^T v", lengths, [exact.rational(s["beta"]) for s in text])
        reset = exact.zeros(n, n), unit(n, n - 1) * fmpq(-3, 2)
        told = [
            DeltaStep(GeneralizedHouseholder(exact.rationals(s["v"]), exact.rational(s["beta"])), exact.rational(s["write"]))
            for s in document.exact_steps(*reset) or []
        ]
        proof.exactly("exact_steps: a reset as text", composed(told, n), (reset[0].tolist(), reset[1].tolist()))
        proof.exactly("exact_steps, micro_steps", [len(text), len(document.micro_steps(A, none) or [])], [n - loops] * 2)
        reset = exact.zeros(n, n), unit(n, n - 1)
        proof.exactly("a reset", composed(delta_steps.delta_steps(*reset), n), (reset[0].tolist(), reset[1].tolist()))
        if n > 1:
            # u w^T with |w| <= |u|, and an input across u
            u, across = unit(n, 0) + unit(n, n - 1) * 2, unit(n, 0) * 4 - unit(n, n - 1) * 2
            for w in (u * fmpq(1, 5), unit(n, n - 1) * fmpq(1, 3), u * fmpq(-1, 5)):
                rank_one = np.array(products([u, w.T]), dtype=object), across
                found = delta_steps.delta_steps(*rank_one)
                proof.exactly("rank one with an input", composed(found, n), (rank_one[0].tolist(), across.tolist()))
            proof.exactly("_turned: nothing to turn", delta_steps._turned(u[:, 0], u[:, 0], fmpq(0)), [])
            line = delta_steps._range(exact.zeros(n, n), across[:, 0])
            proof.exactly("_range: of 0, across the input", (any(line), line @ across[:, 0]), (True, 0))
            basis = delta_steps._orthogonal_basis(n, [u[:, 0], across[:, 0]])
            gram = products([basis, np.array(basis).T.tolist()]) if basis else []
            apart = all((x != 0) == (i == j) for i, row in enumerate(gram) for j, x in enumerate(row))
            orthogonal = all(b @ u[:, 0] == 0 and b @ across[:, 0] == 0 for b in basis)
            proof.exactly("_orthogonal_basis", (len(basis), apart, orthogonal), (n - 2, True, True))
        for one in (1.0, 1 + 0j):
            proof.exactly("_permutation: in each type", delta_steps._permutation(moved(g, one)), list(g))
            proof.exactly("_permutation: none", delta_steps._permutation(moved(g, one) * 0), None)
            v, H = [one * x for x in range(1, n + 1)], [[one * (x % 3 - 1)] for x in range(n)]
            square = sum(x * x for x in range(1, n + 1))
            dot = sum(x * y[0] for x, y in zip(v, H, strict=True))
            step = DeltaStep(GeneralizedHouseholder(np.array(v, dtype=object), one * square / 2**9), one * 3)
            wanted = [[y[0] - x * dot / 2**9 + 3 * x] for x, y in zip(v, H, strict=True)]
            close = np.array(step.apply(np.array(H, dtype=object)) - np.array(wanted, dtype=object), dtype=complex)
            proof.closely("apply", float(np.abs(close).max()), 1e-9)
            if n > 1:
                column = np.array([one * 2, *[one * 0] * (n - 2), one], dtype=object)
                M = np.outer(column, np.array([one * (j + 1) for j in range(n)], dtype=object))
                proof.exactly("_range: the first column that is not 0", list(delta_steps._range(M, column)), list(M[:, 0]))
                f = column - unit(n, 0, one)[:, 0]
                (turned,) = delta_steps._turned(column, unit(n, 0, one)[:, 0], one * 0)
                proof.exactly("_turned: its vector", list(turned.factor.v), list(f))
                proof.closely(
                    "_turned: u goes to t", float(np.abs((turned.apply(column[:, None]) - unit(n, 0, one)).astype(complex)).max()), 1e-12
                )
        chain = {i: i + 1 for i in range(n - 1)}
        proof.exactly("_closing: one chain", delta_steps._closing(chain, [0]), {n - 1: 0})
        pairs = {2 * i: 2 * i + 1 for i in range(n)}
        proof.exactly("_closing: many chains", delta_steps._closing(pairs, [2 * i for i in range(n)]), {2 * i + 1: 2 * i for i in range(n)})
        proof.exactly("_closing: numbers of either sign", delta_steps._closing({-n: n}, [-n]), {n: -n})


def _orbit(g: tuple[int, ...], i: int) -> list[int]:
    found = [i]
    while g[found[-1]] != i:
        found.append(g[found[-1]])
    return found


@tie("new.automata.holonomy")
def cascades_of_many_levels(proof: Proof) -> None:
    """Up to twelve levels: moves, chains, groups and reads of each; networks of ten layers; states that encode nothing."""
    # a letter that merges the last two states of those left: each set is smaller by one
    for n in proof.tied("2 to 13 states, one level fewer", (2, 4, 7, 11, 13)):
        table = {f"down {k}": tuple(min(q, k) for q in range(n)) for k in range(n)}
        automaton = Automaton({"down": tuple(max(q - 1, 0) for q in range(n)), "top": (n - 1,) * n}, n - 1)
        cascade = krohn_rhodes(Automaton(table, n - 1), "levels")
        state, q = cascade.start, n - 1
        for x in [f"down {k}" for k in (n - 2, n // 2, 1, 0) if 0 <= k < n]:
            proof.exactly(
                "moves: one for each level",
                (len(cascade.moves(x, state)), len(cascade.chain(state))),
                (len(cascade.sizes), len(cascade.sizes) + 1),
            )
            state, q = cascade.step(state, x), table[x][q]
            proof.exactly("emulated", cascade.emulated(state), q)
        proof.exactly("as many levels", len(cascade.sizes), n - 1)
        if n < 12:
            proof.exactly("level_groups: no permutation", [g.order() for g in cascade.level_groups()], [1] * (n - 1))
        if n == 11:
            network = compile_automaton(automaton, "holonomy")
            word = ["down"] * 4 + ["top"] + ["down"] * 12
            proof.exactly(
                "ten layers", (len(network.layers), len(network.widths), len(network.proof), len(network.document()["layers"])), (10,) * 4
            )
            wanted, now = [], n - 1
            for x in word:
                now = automaton.table[x][now]
                wanted.append(now)
            proof.exactly("ten layers: the states", [q for q, _ in network.run(word)], wanted)
    shrinking = excluded_states(families.full_transformations(3))
    for _ in proof.tied("all maps of three points", [()]):
        proof.exactly("excluded_states: its groups", [g.order() for g in shrinking.level_groups()], [6, 2])
    for name in proof.tied("solvable groups and cycles: a vector that is no corner", ("S3", "D4", "C2xC3")):
        letters = sources.named_group(name)
        stack = solvable_by_reflections(letters)
        below = [(x, layer) for x, layer in zip(letters, stack.layers, strict=False)]
        read: Any = next(iter(letters))
        for layer in stack.layers[:-1]:
            read = layer.decode(layer.initial, read)
        last = stack.layers[-1]
        proof.exactly("solvable_by_reflections", (last.decode(last.initial * 3, read), len(below) > 0), (None, True))
    for m in proof.tied("addition modulo 1 to 13", POSITIVE):
        first, second = addition_by_reflections(m).layers
        proof.exactly("addition: no corner", second.decode(second.initial * 0, first.decode(first.initial, 0)), None)
    for n in proof.tied("orbits of 1 to 13 entries in each type of numbers", POSITIVE):
        for one in (fmpq(1), 1.0, 1 + 0j):
            orbit = Orbit(unit(n, 0, one) * -1)
            turn = orbit.number_of(moved(tuple((i + 1) % n for i in range(n)), one), unit(n, 0, one) * 0)
            again = orbit.number_of(moved(tuple((i + 1) % n for i in range(n)), one), unit(n, 0, one) * 0)
            other = orbit.number_of(moved(tuple(range(n)), one), unit(n, 0, one))
            numbers = [0]
            for _ in range(n):
                numbers.append(orbit.after(numbers[-1], turn))
            proof.exactly("number_of, after", (turn, again, other, numbers), (0, 0, 1, [*range(n), 0]))
            proof.exactly("after: -e_0 + e_0", orbit.states[orbit.after(0, other)].tolist(), (unit(n, 0, one) * 0).tolist())


@tie("grazzi25.sec1.regular")
def weights_of_types(proof: Proof) -> None:
    """Modules on negative numbers and many words: steps, scores, padding at the end, the delta rule entry by entry."""
    rng = Random(433)
    for torch in proof.extra("torch"):
        from .....constructions.automata.run import trainable
        from .....constructions.automata.run.delta_rule import DeltaRuleLayer, _read, delta_rule, run_delta_rule
        from .....constructions.automata.run.torch_module import affine_step

        for n in POSITIVE:
            A, B, H = (integers(rng, *shape).astype(float) - 5 for shape in ((n * 3, n), (3, n), (3, n)))
            A = A.reshape(3, n, n)
            found = affine_step(*(torch.tensor(x) for x in (A, B, H)))
            proof.exactly("affine_step", found.tolist(), [(A[i] @ H[i] + B[i]).tolist() for i in range(3)])
            S, key = (torch.tensor(integers(rng, n, 13).astype(float).T[..., None] - 1) for _ in range(2))
            proof.exactly(
                "_read",
                _read(S, key)[:, 0, 0].tolist(),
                [float(x @ y) for x, y in zip(S[..., 0].numpy(), key[..., 0].numpy(), strict=True)],
            )
            codes = integers(rng, n, 2).astype(float) - 3
            state, bias, letter = trainable._nearest(codes)
            for h in (codes, codes * -1 + 0.25):
                scores = h @ state.T + bias
                distances = ((h[:, None] - codes[None]) ** 2).sum(-1)
                nearest = [bool(distances[i][scores[i].argmax()] == distances[i].min()) for i in range(n)]
                proof.exactly("_nearest: the largest score", nearest, [True] * n)
            greatest = max(float(((x - y) ** 2).sum()) for x in codes for y in codes)
            proof.closely("_nearest: a letter falls behind by more", abs(letter - (9.0 if greatest else 1.0)), 1e-9)
            values = trainable._parameter(codes, torch.float64)
            proof.exactly("_parameter", (values.tolist(), values.requires_grad), (codes.tolist(), True))
        hold_refusals(proof, "complex parameters", [(trainable._parameter, (np.array([-1j, None], dtype=object)[:1], torch.float64))])
        exactly = trainable._parameter(np.array([fmpq(-1, 2), None], dtype=object)[:1], torch.float32)
        proof.exactly("_parameter: rationals", exactly.tolist(), [-0.5])
        automaton = Automaton({-1: (1, 2, 0), 0.5: (0, 0, 2), 2j: (1, 0, 2)}, 0, frozenset({1}), (-1, 0.5, 2j), (-3, -2.5, 1j))
        network = compile_automaton(automaton, "holonomy")
        words = [[rng.randrange(3) for _ in range(12)] + [-1] for _ in range(13)]
        wanted = [[*network.automaton.run([automaton.letters[i] for i in word[:-1]]), -1] for word in words]
        batch, expected = torch.tensor(words), [[q in network.automaton.accepting for q in row[:-1]] + [False] for row in wanted]
        module = network.to_torch()
        for automaton_of, how in (
            (tasks.cycle_navigation(5), "rotation"),
            (tasks.cycle_navigation(7), "permutation"),
            (automaton, "holonomy"),
        ):
            compiled = compile_automaton(automaton_of, how)  # type: ignore[arg-type]
            first, numbers = compiled.stack.layers[0], [[rng.randrange(3) for _ in range(14)] for _ in range(13)]
            exactly = [[H[:, 0] for H in first.states([automaton_of.letters[i] for i in word])][1:] for word in numbers]
            states = np.array([[[complex(x).real for x in h] for h in row] for row in exactly])
            for dtype, close in ((None, 1e-13), (torch.float64, 1e-13), (torch.float32, 1e-5)):
                layer = compiled.to_torch(dtype).layers[0]
                proof.exactly("to_torch: its data type", layer.A.dtype, dtype or torch.float64)
                for scan in (False, True):
                    found = layer.states(torch.tensor(numbers), scan).double().numpy()
                    proof.closely("TorchLayer.states", float(np.abs(found - states).max()), close)
        for scan in (False, True):
            proof.exactly(
                "forward, accepts: no letter at the end",
                (module(batch, scan).tolist(), module.accepts(batch, scan).tolist()),
                (wanted, expected),
            )
        for parametrisation in ("dense", "delta"):
            model = network.to_torch(trainable=True, parametrisation=parametrisation)
            logits = model(batch)
            proof.exactly("trainable: the states", model.predict(batch).tolist(), wanted)
            proof.exactly("trainable: the logits", (logits.shape, logits[:, -1].abs().max().item()), ((13, 13, 3), 0.0))
            layer, there = model.layers[0], batch >= 0
            tokens = torch.nn.functional.one_hot(batch.clamp(min=0), 3).float() * there[..., None]
            for signs in (1.0, -1.0):
                step_by_step, by_scan = (layer.states(tokens * signs, there, scan) for scan in (False, True))
                proof.closely("trainable: states by the loop and the scan", float((step_by_step - by_scan).detach().abs().max()), 1e-3)
                kept = (step_by_step[:, -1] == step_by_step[:, -2]).all().item()
                proof.exactly("trainable: a state stays without a letter", (tuple(step_by_step.shape[:2]), kept), ((13, 13), True))
                # the same with a letter at the end: states by the mixed maps, and the pair with the largest score
                given, here = tokens[:, :-1] * signs - 0.125, there[:, :-1]
                with torch.no_grad():
                    states, found = layer.states(given, here, False), layer(given, here)
                    A, B = layer.maps(given @ layer.select)
                    H = layer.initial.expand(13, -1, -1)
                    for t in range(12):
                        H = A[:, t] @ H + B[:, t]
                    scores = states @ layer.read_state.T + given @ layer.read_letter.T + layer.read_bias
                    handed = layer.following[scores.argmax(-1)]
                proof.closely("trainable: the last state", float((states[:, -1] - H[..., 0]).abs().max()), 1e-4)
                proof.closely("trainable: what is handed on", float((found - handed).abs().max()), 1e-5)
        rows = [word[:-1] for word in words]
        found = run_delta_rule(
            network.document(), torch.tensor(rows), lambda q, k, v, b, scale, initial_state: delta_rule(q, k, v, b, scale, initial_state)
        )
        proof.exactly("run_delta_rule: thirteen words", found.tolist(), [row[:-1] for row in wanted])
        (first, *_) = network.document()["layers"]
        rule = DeltaRuleLayer(first, 1)
        given = rule.inputs(torch.tensor(rows))
        proof.exactly("inputs: as many steps, reads", (given.q.shape[0], tuple(given.reads.shape)), (13, (13, 12, len(rule.initial))))
        n = len(rule.initial)
        ends = np.cumsum([[len(rule.steps[int(rule.map_of[x])]) + n - 1 for x in row] for row in rows], axis=1)
        proof.exactly("inputs: where it reads", given.reads.tolist(), (ends[..., None] - n + np.arange(n)).tolist())


@tie("grazzi25.sec1.regular")
def nothing_between(proof: Proof) -> None:
    """Words with no letters and modules asked for none."""
    for torch in proof.extra("torch"):
        from .....constructions.automata.run.delta_rule import delta_rule

        for batch, n in product((1, 13), (1, 5)):
            empty = torch.zeros(batch, 0, 1, n)
            outputs, last = delta_rule(
                empty, empty, torch.zeros(batch, 0, 1, 1), torch.zeros(batch, 0, 1), 1.0, -torch.ones(batch, 1, n, 1)
            )
            proof.exactly(
                "the delta rule: no steps",
                (tuple(outputs.shape), last.tolist()),
                ((batch, 0, 1, 1), (-torch.ones(batch, 1, n, 1)).tolist()),
            )
    hold(proof, "no letters", lambda: solvable_by_reflections(sources.named_group("C5")).run([]), list, [()], "run")
