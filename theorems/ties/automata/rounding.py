"""Formats and numbers of layers in floating point, against rationals rounded one operation after the other.

Roundings are those of :mod:`lemmata.numerics.floating_point`, computed.
"""

from __future__ import annotations

from math import inf
from random import Random
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq

from ....constructions.automata.automaton import Automaton
from ....constructions.automata.compiler import compile_automaton
from ....constructions.automata.read import tasks
from ....constructions.automata.rounding.layer import FORMATS, LayerNumbers, as_floats, micro_steps, states_by_map
from ....numerics.exact import rational
from ....numerics.floating_point import BFLOAT16, BINARY16, BINARY32, BINARY64
from ...claim import tie
from ...evidence import Proof
from ..shared import refuses, spread
from .common import machines

EXACT = {"float64": BINARY64, "float32": BINARY32, "float16": BINARY16, "bfloat16": BFLOAT16}

UNITS = {"float64": fmpq(1, 2**53), "float32": fmpq(1, 2**24), "float16": fmpq(1, 2**11), "bfloat16": fmpq(1, 2**8)}


def q(x: Any) -> fmpq:
    """A float as the rational that it is."""
    return fmpq(*float(x).as_integer_ratio())


def f(x: fmpq) -> float:
    return int(x.p) / int(x.q)


def stored(name: str, x: fmpq) -> fmpq:
    """A float64 number in a format: to halves by way of float32."""
    return EXACT[name].round(x if name in ("float64", "float32") else BINARY32.round(x))


def vector(name: str, values: Any) -> list[fmpq]:
    return [stored(name, q(x)) for x in np.asarray(values, dtype=float).ravel()]


def documents() -> dict[str, dict[str, Any]]:
    """Rotations, permutations, levels, delays, and maps that are no contractions; one and several layers."""
    flip_flop = Automaton({"set": [1, 1], "reset": [0, 0], "keep": [0, 1]}, 0, frozenset({1}))
    four = machines()["random, 4 states, 3 letters"]
    found = {
        "a turn by a fifth": (tasks.cycle_navigation(5), "rotation"),
        "a cycle of three": (tasks.cycle_navigation(3), "permutation"),
        "flip-flop": (flip_flop, "holonomy"),
        "flip-flop, one-hot": (flip_flop, "one-hot"),
        "levels": (four, "holonomy"),
        "delays": (four, "delays"),
        "a sign": (tasks.parity(), None),
    }
    return {name: (compile_automaton(a, how) if how else compile_automaton(a)).document() for name, (a, how) in found.items()}


def layers() -> dict[str, LayerNumbers]:
    return {
        f"{name}, layer {k}": LayerNumbers(layer, d["field"]) for name, d in documents().items() for k, layer in enumerate(d["layers"], 1)
    }


@tie("new.automata.float-length")
def formats(proof: Proof) -> None:
    """Stored numbers, and results of one operation, in four formats."""
    rng = Random(92)
    drawn = [rng.choice((-1, 1)) * rng.uniform(0.5, 1) * 2.0 ** rng.randint(-26, 12) for _ in range(60)]
    ends = (
        [1 + k * 2.0**-9 for k in range(9)]
        + [1 + k * 2.0**-12 for k in range(9)]
        + [0.0, -0.5, 2.0**-24, -3 * 2.0**-25, 1 + 2.0**-9 + 2.0**-30]
    )
    for name, form in proof.tied("about 80 numbers of either sign, ties and underflow among them", FORMATS.items()):
        x = np.array(drawn + ends)
        found = form.stored(x)
        proof.exactly(f"stored in {name}", [q(y) for y in found], vector(name, x))
        proof.exactly("shapes stay", form.stored(x[:12].reshape(3, 4)).shape, (3, 4))
        y = found[::-1].copy()
        for what, ours, theirs in (
            ("products", found * y, lambda a, b: a * b),
            ("sums", found + y, lambda a, b: a + b),
            ("differences", found - y, lambda a, b: a - b),
        ):
            wanted = [EXACT[name].round(theirs(q(a), q(b))) for a, b in zip(found, y, strict=True)]
            proof.exactly(f"{what} in {name}", [q(z) for z in form.rounded(ours)], wanted)
        proof.exactly("the unit roundoff", q(form.unit), UNITS[name])
        half = fmpq(2) ** (EXACT[name].lowest - (0 if name == "float64" else 1))
        proof.exactly("what underflow can be off", q(form.underflow), half)
        proof.holds("the largest number, or a bit less", fmpq(9, 10) * EXACT[name].largest <= q(form.largest) <= EXACT[name].largest)


def real_part(x: Any, field: int) -> arb:
    """An entry of a document, in a ball."""
    if not isinstance(x, list):
        return arb(rational(x))
    return sum((arb(rational(c)) * arb.cos_pi_fmpq(fmpq(2 * k, field)) for k, c in enumerate(x)), arb(0))


@tie("new.automata.float-length")
def numbers_of_layers(proof: Proof) -> None:
    """Entries to the nearest float, micro-steps that compose to the map, what maps lead to, walks by going through them."""
    with ctx.workprec(400):
        for document in proof.tied("layers of seven networks, up to 5 states", documents().values()):
            for layer in document["layers"]:
                field = document["field"]
                check_entries(proof, layer, field)
                check_walks(proof, layer, LayerNumbers(layer, field))
    for field, entries in proof.tied(
        "Q, Q(i), Q(zeta_5), Q(zeta_20)",
        (
            (1, ["1/3", "-7/5", "0"]),
            (4, [["1/3", "5"], "2/7", ["0", "1"]]),
            (5, [["-1", "2", "1/3"], ["0", "1", "0", "0", "0"]]),
            (20, [["0", "0", "0", "0", "1/2", "0", "-1/2"], []]),
        ),
    ):
        with ctx.workprec(400):
            wanted = [float(real_part(x, field).mid()) for x in entries]
        proof.closely("as_floats", float(np.abs(as_floats([entries], field)[0] - wanted).max()), 1e-300 if field in (1, 4) else 1e-16)
    for m in proof.tied("a map without micro-steps", [{"A": [["2"]], "B": [["0"]], "steps": None}]):
        proof.holds("is refused", refuses(micro_steps, m, 1))


def check_entries(proof: Proof, layer: dict[str, Any], field: int) -> None:
    for m in layer["maps"]:
        for part in ("A", "B"):
            found = as_floats(m[part], field)
            for row, floats in zip(m[part], found, strict=True):
                for x, y in zip(row, floats, strict=True):
                    exact = real_part(x, field)
                    # nearest: no further than half of the last bit
                    proof.holds("entries to the nearest float", bool(abs(exact - arb(q(y))) <= abs(exact) / 2**53 + arb(2) ** -300))
        if m["steps"] is None:
            continue
        n = len(m["A"])
        A, B = np.eye(n), np.zeros(n)
        steps = micro_steps(m, field)
        for step, (k, beta, v) in zip(m["steps"], steps, strict=False):
            A, B = A - beta * np.outer(k, k @ A), B + beta * k * (v - k @ B)
            proof.certified("squared keys between 1/2 and 2", 0.5 < float(k @ k) <= 2)
            if not any(isinstance(x, list) for x in step["v"]):
                mantissas = {abs(np.frexp(x)[0]) for x in k if x}
                whole = all((x * 2.0**40) % (min(abs(y) for y in k if y) * 2.0**40) == 0 for x in k) or len(mantissas) > 1
                proof.holds("rational keys are small integers, scaled", whole)
        proof.closely("micro-steps compose to A", float(np.abs(A - as_floats(m["A"], field)).max()), 1e-14)
        proof.closely("and B", float(np.abs(B - as_floats(m["B"], field)[:, 0]).max()), 1e-14)
        proof.exactly("as many as the document has, or one", len(steps), max(1, len(m["steps"])))


def check_walks(proof: Proof, layer: dict[str, Any], numbers: LayerNumbers) -> None:
    wanted: list[list[int]] = [[] for _ in layer["maps"]]
    for i, y, _ in layer["decoder"]:
        g = layer["letters"][y][3]
        if i not in wanted[g]:
            wanted[g].append(i)
    proof.exactly("states that maps lead to", states_by_map(layer), wanted)
    least = [min((np.abs(numbers.states[i] - numbers.states[j]).max() for i in w for j in w if i < j), default=inf) for w in wanted]
    proof.exactly("margins", numbers.margins.tolist(), [float(x) / 2 for x in least])
    proof.exactly("contractions", numbers.contracts, all(m["steps"] is not None for m in layer["maps"]))
    edges, nodes = walks_of(layer, numbers)
    walks = numbers.walks
    assert walks is not None
    proof.exactly("nodes of the walks", sorted(walks.state.tolist()), sorted(i for _, i in nodes))
    proof.exactly("moves", [tuple(row) for row in walks.moves.tolist()], sorted({(g, i, j) for (_, i), g, (_, j) in edges}))
    out = [int(walks.first[v + 1] - walks.first[v]) for v in range(len(walks.state))]
    proof.exactly("steps that leave a node", sorted(out), sorted(sum(a == node for a, _, _ in edges) for node in nodes))
    found = {(int(walks.state[walks.before[e]]), int(walks.maps[e]), int(walks.state[walks.after[e]])) for e in range(len(walks.maps))}
    proof.exactly("steps", found, {(i, g, j) for (_, i), g, (_, j) in edges})


def walks_of(layer: dict[str, Any], numbers: LayerNumbers) -> tuple[set[tuple[Any, int, Any]], list[tuple[int, int]]]:
    """Steps ((place, state), map, (place, state)) and nodes that words reach."""

    def image(g: int, i: int) -> int:
        after = numbers.A[g] @ numbers.states[i] + numbers.B[g]
        return min(range(len(numbers.states)), key=lambda j: float(np.abs(numbers.states[j] - after).max()))

    leave = lambda node: {(g, (b, image(g, node[1]))) for _, a, b, g in layer["letters"] if a == node[0]}  # noqa: E731
    nodes = spread([(0, 0)], lambda node: sorted({there for _, there in leave(node)}))
    return {(node, g, there) for node in nodes for g, there in leave(node)}, nodes
