"""Margins, and lengths that floating point keeps."""

from __future__ import annotations

from itertools import combinations, product
from random import Random

import numpy as np

from ....constructions.automata.cascade.cascade import Move
from ....constructions.automata.choose.cascades import level_margin
from ....constructions.automata.choose.ways import choose
from ....constructions.automata.compiler import compile_automaton
from ....constructions.automata.layers.transitive import least_distance, orbit
from ....constructions.automata.levels.repaired import level_maps, vertex
from ....constructions.automata.read import sources, tasks
from ....constructions.automata.rounding.precision import guaranteed_length
from ....numerics import exact
from ...claim import tie
from ...evidence import Proof
from .common import half_distance, machines


@tie("new.automata.float-length")
def promised_margins(proof: Proof) -> None:
    """Margins and rooms that the compiler compares, against distances and norms of all states; distances for each type of numbers."""
    rng = Random(70)
    for m in proof.tied("levels of 2 to 12 states", range(2, 13)):
        corners = [vertex(m, q) for q in range(m)]
        starts = [exact.unit_vector(m, q)[:, None] for q in range(m)]
        for resets in (False, True):
            # what a map leads to: corners after a permutation; after a reset to 0 what that writes of each old state
            A, B = level_maps(Move(None, 0), m)
            written = [A @ H + B for H in corners] if resets else []
            groups = [np.array([exact.as_float(H)[:, 0] for H in found]) for found in (corners, written) if found]
            margin = min(half_distance(found) for found in groups)
            norm = max(float(np.linalg.norm(exact.as_float(H))) for H in (*starts, *corners, *written))
            proof.closely("the margin of a level", abs(level_margin(m, resets)[0] - margin), 1e-12)
            proof.closely("the room of a level", abs(level_margin(m, resets)[1] - margin / norm), 1e-12)
    for name in proof.tied("groups in the plane and in space, of 6 to 60 elements", ("D3", "D4", "D5", "D7", "A4", "S4", "A5")):
        candidate = choose(sources.from_permutations(sources.named_group(name)), "two-reflections")
        (layer,) = candidate.stack().layers
        states, seen = [layer.initial], {exact.freeze(layer.initial)}
        for H in states:
            for x in candidate.automaton.letters:
                after = layer.transition(x) @ H
                if exact.freeze(after) not in seen:
                    seen.add(exact.freeze(after))
                    states.append(after)
        points = np.array([exact.as_float(H)[:, 0] for H in states])
        whole = bool((points == np.round(points)).all())
        room = float("inf") if whole else half_distance(points) / float(np.linalg.norm(points, axis=1).max())
        proof.closely("the margin of a group", abs(candidate.margin - half_distance(points)), 1e-9)
        proof.holds("the room of a group", candidate.room == room or abs(candidate.room - room) < 1e-9)
    for n in proof.tied("1 to 13 points, as integers, exact numbers and floats", range(1, 14)):
        points = [rng.sample(range(-20, 20), 3) for _ in range(n)]
        wanted = min((max(abs(a - b) for a, b in zip(p, q, strict=True)) for p, q in combinations(points, 2)), default=float("inf"))
        for array in (np.array(points), np.array(points, dtype=float), exact.rationals(points), np.array(points, dtype=complex)):
            proof.exactly("the least distance", least_distance(array), float(wanted))


@tie("new.automata.float-length")
def lengths_by_path(proof: Proof) -> None:
    """Step by step every network runs, and its length is that of the layer that fails first; the delta rule runs contractions alone."""
    automaton, formats = machines()["random, 4 states, 3 letters"], ("float64", "float32", "float16", "bfloat16")
    documents = {name: compile_automaton(automaton, name).document() for name in ("one-hot", "holonomy", "delays")}
    for document, dtype in proof.tied(
        "a network that is no contraction and two that are, four formats", product(documents.values(), formats)
    ):
        apart = [guaranteed_length(document | {"layers": [layer]}, dtype) for layer in document["layers"]]
        found = guaranteed_length(document, dtype)
        proof.exactly("the length of the layer that fails first", found, min(x for x in apart if x is not None))
        proof.holds("a length is positive", found is not None and found > 0)
    for path, dtype in proof.tied("the delta rule's two paths, four formats", product(("delta", "fused"), formats)):
        proof.exactly("closed to what is no contraction", guaranteed_length(documents["one-hot"], dtype, path), None)


@tie("new.automata.float-length")
def orbits(proof: Proof) -> None:
    """The vectors that a group moves the start to, in exact numbers, integers, floats and complex numbers."""
    kinds = {"exact": exact.rationals, "integers": np.array, "floats": lambda rows: np.array(rows, dtype=float)}
    for n in proof.tied("cyclic groups of 1 to 10 elements", range(1, 11)):
        automaton = tasks.cycle_navigation(n)
        shift = [[1 if i == (j + 1) % n else 0 for j in range(n)] for i in range(n)]
        for kind, make in kinds.items():
            matrices = {"-": make(shift).T, "0": make(shift) @ make(shift).T, "+": make(shift)}
            found = orbit(automaton, matrices, make([[i] for i in range(n)]))
            assert found is not None
            moved = sorted([(i - k) % n for i in range(n)] for k in range(n))
            proof.exactly(f"the vectors of an orbit, {kind}", sorted([int(x) for x in H[:, 0].tolist()] for H in found.states), moved)
            proof.exactly("the layer of an orbit", found.layer.run("+-0++"), automaton.run("+-0++"))
        constant = orbit(automaton, {x: exact.identity(1) for x in "-0+"}, exact.identity(1))
        proof.holds("no layer where one vector would be two states", (constant is None) == (n > 1))
    for n in proof.tied("powers of the imaginary unit", (1, 2, 4)):
        automaton, root = tasks.cycle_navigation(n), {1: 1, 2: -1, 4: 1j}[n]
        matrices = {x: np.array([[complex(root) ** k]]) for x, k in zip("-0+", (n - 1, 0, 1), strict=True)}
        found = orbit(automaton, matrices, np.array([[1 + 2j]]))
        assert found is not None
        turned = {(1 + 2j) * root**k for k in range(n)}
        proof.exactly("the vectors of an orbit, complex", ({H.item() for H in found.states}, len(found.states)), (turned, n))
        proof.exactly("the layer of an orbit, complex", found.layer.run("+-0++"), automaton.run("+-0++"))
