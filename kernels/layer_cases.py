"""The long cases of ``make fla``: 4 words of 500 letters through flash-linear-attention's layers, in each kernel, and 10,000 letters by the audit.

What the kernels gave is recorded in ``layer_long.json``, case by case, and shown at the end of docs/reference/fla.md.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from ..constructions.automata import Automaton, Network, compile_automaton, compile_group
from ..constructions.automata.read.sources import all_elements, named_group
from ..constructions.automata.run.fla_plan import LayerPlan, plan_of
from ..constructions.automata.run.root_keys import chunk_needs
from ..numerics import exact
from ..theorems.files import write_whole
from .audit import Audit, Head, wy
from .layer_cells import Setting, measured

RECORD = Path(__file__).with_name("layer_long.json")
KERNELS = ("chunk", "fused_recurrent")
BATCH, LETTERS, EMULATED = 4, 500, 10_000


def random_automaton(seed: int, states: int) -> Automaton:
    """Two random permutations and two resets: one layer, with e f e = f e for idempotents e, f and a group among its maps."""
    rng = np.random.default_rng(seed)
    table: dict[str, tuple[int, ...]] = {x: tuple(rng.permutation(states).tolist()) for x in "pq"}
    return Automaton(table | {x: (int(rng.integers(states)),) * states for x in "rs"})


def all_of(name: str) -> Network:
    """The word problem of a group, with a letter for each element."""
    return compile_group(all_elements(named_group(name)))


#: (name, class, network)
CASES: list[tuple[str, str, Callable[[], Network]]] = [
    ("S3", "GatedDeltaProduct", partial(all_of, "S3")),
    ("S4", "GatedDeltaProduct", partial(all_of, "S4")),
    ("S5", "GatedDeltaProduct", partial(all_of, "S5")),
    ("Q8, signed permutations", "GatedDeltaProduct", partial(all_of, "Q8")),
    ("random automaton, 4 states", "GatedDeltaProduct", lambda: compile_automaton(random_automaton(1, 4))),
    ("random automaton, 6 states", "GatedDeltaProduct", lambda: compile_automaton(random_automaton(2, 6))),
    ("S5 by swaps of point 0", "DeltaNet", lambda: compile_group({f"(0 {i})": swap(5, i) for i in range(1, 5)})),
]


def swap(n: int, i: int) -> tuple[int, ...]:
    """The permutation of n points that exchanges 0 and i."""
    return tuple({0: i, i: 0}.get(j, j) for j in range(n))


def emulated(plan: LayerPlan, letters: int, seed: int = 0) -> Audit:
    """The chunked form of a random word in double precision, with the bits of each number that a kernel stores and of each sum.

    Raises ``ArithmeticError`` if the last state is not that of the network's proof.
    """
    rng, state = np.random.default_rng(seed), 0
    keys, columns, gates = [], [], []
    tokens = [(plan.start, False)]
    for y in rng.integers(len(plan.tokens), size=letters).tolist():
        state = int(plan.move[state, y])
        tokens.append((plan.tokens[y], y in plan.resets))
    for steps, empty in tokens:
        for j, step in enumerate(steps):
            keys.append(exact.as_float(step.key))
            columns.append(step.column)
            gates.append(0.0 if empty and j == 0 else 1.0)
    k = np.array(keys)
    v = np.array([[0.5 * (c == column) for c in range(plan.columns)] for column in columns])
    q = np.zeros_like(k)
    q[:, 0] = 1
    found, empty_state = Audit(), np.zeros((k.shape[1], plan.columns))
    head = Head(q, k, v, np.full(len(k), 2.0), np.array(gates), empty_state, empty_state[:1], empty_state, True)
    _, last = wy(found, head, 0.25, 64)
    if not np.array_equal(last, np.tile(plan.matrices[state], (plan.keys.copies, 1))):
        raise ArithmeticError("expected the last state of the network's proof, got another")
    return found


def run_long(word: str = "") -> None:
    """Print one line for each case whose name, class or kernel holds the word."""
    stored, summed = chunk_needs()
    for name, _, make in CASES:
        if word in f"{name}, audit":
            found = emulated(plan_of(make()), EMULATED)
            bits, sums = max(found.stored.values()), max(found.summed.values())
            said = f"{bits} bits stored (at most {stored}), {sums} summed (at most {summed}), last state exact"
            print(f"{name}, audit: {EMULATED:,} letters, {said}", flush=True)
            record(f"{name}, audit", said)
    for name, layer, make in CASES:
        for kernel in KERNELS:
            if word in (called := f"{name}, {layer}, {kernel}"):
                began = time.monotonic()
                found = measured(make(), layer, Setting("bfloat16", False, False, False, LETTERS), BATCH, mode=kernel)
                print(f"{called}, bfloat16: {BATCH} x {LETTERS} letters, {found} ({time.monotonic() - began:.0f} s)", flush=True)
                record(called, str(found))


def recorded() -> dict[str, str]:
    """What each long case gave when it last ran."""
    return json.loads(RECORD.read_text(encoding="utf-8"))


def record(case: str, found: str) -> None:
    """Keep what a case gave."""
    write_whole(RECORD, json.dumps(recorded() | {case: found}, ensure_ascii=False, indent=1, sort_keys=True) + "\n")


def section() -> list[str]:
    """The long cases as a part of the page."""
    found = recorded()
    rows = [(name, layer, kernel, found.get(f"{name}, {layer}, {kernel}", "not run")) for name, layer, _ in CASES for kernel in KERNELS]
    return [
        "## Long words",
        "",
        f"{BATCH} words of {LETTERS} letters in bfloat16, eval mode, in each kernel. `make fla` runs them anew; a case takes minutes.",
        "",
        "| network | layer | kernel | found |",
        "| --- | --- | --- | --- |",
        *(f"| {name} | {layer} | {kernel.replace('_', ' ')} | {said} |" for name, layer, kernel, said in rows),
        "",
        f"The chunked form of {EMULATED:,} random letters, in double precision with the bits of each number:",
        "",
        "| network | found |",
        "| --- | --- |",
        *(f"| {name} | {found.get(f'{name}, audit', 'not run')} |" for name, _, _ in CASES),
    ]
