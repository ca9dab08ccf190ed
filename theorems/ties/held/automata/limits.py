"""Limits on what is read, from both sides: what is just allowed comes out as it should, and one more is refused or done in another way.

The numbers are written out here: a limit that is moved must be noticed.
"""

from __future__ import annotations

from math import lcm
from typing import Any

from automata.fa.nfa import NFA
from sympy.combinatorics import Permutation, PermutationGroup

from .....constructions.automata import affine
from .....constructions.automata.algebra import group_names
from .....constructions.automata.automaton import Automaton
from .....constructions.automata.layers import copies, groups, level_vectors
from .....constructions.automata.layers import preimages as divided
from .....constructions.automata.levels.numbered import numbered
from .....constructions.automata.read import small_groups, sources
from .....constructions.automata.read.regular_expressions import automaton_of_expression
from ....claim import tie
from ....evidence import Proof
from .. import hold_refusals


def chain(n: int) -> NFA:
    """Words of at least n - 1 letters."""
    states = {str(q) for q in range(n)}
    steps = {str(q): {"a": {str(min(q + 1, n - 1))}} for q in range(n)}
    return NFA(states=states, input_symbols={"a"}, transitions=steps, initial_state="0", final_states={str(n - 1)})


@tie("grazzi25.sec1.regular")
def texts(proof: Proof) -> None:
    """Expressions by their length, alphabet, depth and counts; nondeterministic automata by their states."""
    longest, letters = 10_000, "".join(chr(0x4E00 + i) for i in range(1001))
    depth, count = 100, 10_000
    allowed = [
        ("a|" * (longest // 2 - 1) + "ab", None),
        ("(" * depth + "a" + ")" * depth, None),
        (f"[{letters[0]}-{letters[-2]}]", None),
        ("a", "a" + letters[:-2]),
        (f"(a*){{{count}}}", None),
    ]
    for text, alphabet in proof.tied("expressions as large as may be", allowed):
        found = automaton_of_expression(text, alphabet)
        first = text.lstrip("([")[0]
        proof.exactly("that word is in the language", found.run([first])[-1] in found.accepting, True)
    refused = [
        ("a|" * (longest // 2) + "a", None),
        ("(" * (depth + 1) + "a" + ")" * (depth + 1), None),
        (f"[{letters[0]}-{letters[-1]}]", None),
        ("a", "a" + letters[:-1]),
        (f"a{{{count + 1}}}", None),
    ]
    hold_refusals(proof, "one more", [(automaton_of_expression, given) for given in refused])
    hold_refusals(proof, "1001 states", [(sources.from_nfa, (chain(1001),))])


@tie("grazzi25.sec1.regular")
def names_of_states(proof: Proof) -> None:
    """Names and outputs are kept as tuples, one for each state, and names are different."""
    table = {"a": (1, 2, 0)}
    for kind in proof.tied("names and outputs", ("names", "outputs")):
        kept: dict[str, Any] = {kind: ["p", "q", "r"]}
        proof.exactly("kept", getattr(Automaton(table, **kept), kind), ("p", "q", "r"))
        wrong: list[dict[str, Any]] = [{kind: given} for given in (["p", "q"], list("pqrs"), 3)]
        hold_refusals(proof, f"{kind}: not one for each state", [(lambda given=given: Automaton(table, **given), ()) for given in wrong])
    hold_refusals(proof, "a name twice", [(lambda: Automaton(table, names=("p", "q", "p")), ())])


@tie("grazzi25.sec1.regular")
def groups_by_size(proof: Proof) -> None:
    """Groups by points, elements and letters; polygons by corners; small groups by their order; layers by their numbers."""
    degree = 500
    turn = lambda n: tuple((i + 1) % n for i in range(n))  # noqa: E731
    for text in proof.tied("a cycle to the last point", [f"(0 {degree - 1})"]):
        proof.exactly("from_cycles", sources.from_cycles(text), {text: (degree - 1, *range(1, degree - 1), 0)})
    named = [f"Z{degree}", f"Z{degree - 2} x Z2"]
    for name in proof.tied("groups on 500 points", named):
        proof.exactly("named_group: points", {len(g) for g in sources.named_group(name).values()}, {degree})
    bad = [
        (sources.from_cycles, (f"(0 {degree})",)),
        (sources.named_group, (f"Z{degree + 1}",)),
        (sources.named_group, (f"Z{degree - 1} x Z2",)),
    ]
    hold_refusals(proof, "one point more", bad)
    hold_refusals(proof, "one letter more", [(sources.all_elements, ({"a": turn(501)},))])
    for n in proof.tied("as many letters as may be", [500]):
        proof.exactly("all_elements", len(set(sources.all_elements({"a": turn(n)}).values())), n)
    hold_refusals(proof, "orders of small groups", [(small_groups.small_group, (order, 1)) for order in (0, 32)])
    for m in proof.tied("dihedral groups on both sides of the largest order that is named", [31, 361, 363]):
        group = PermutationGroup([Permutation(list(turn(m))), Permutation([-i % m for i in range(m)])])
        wanted = f"D{m}" if 2 * m <= 720 else f"order {2 * m} (solvable)"
        proof.exactly("structure", group_names.structure(group), wanted)
    limit = 500
    for m, k in proof.tied(
        "two cycles whose polygons need one field, as large as may be and larger", [(4, limit // 4), (3, limit // 3 + 1)]
    ):
        _, start = groups.block_matrices({"a": (*turn(m), *(m + i for i in turn(k)))})
        proof.exactly("block_matrices: planes, or points", len(start), 4 if lcm(m, k) <= limit else m + k)
    for most in proof.tied("numbers of a layer", [20_000_000]):
        rooms = [_has_room(1, most - n, n) for n in (1, 7)] + [_has_room(1, most - n + 1, n) for n in (1, 7)]
        proof.exactly("require_room", rooms, [True, True, False, False])


@tie("new.automata.preimages")
def divisions_by_their_number(proof: Proof) -> None:
    """Families of 64 divisions and of 65; 2000 pairs of states, and more; windows of more than 64 states; numbers to the base 256; 257 states."""
    for n in proof.tied("as many divisions as a family may have, and one more", (64, 65)):
        places = divided.one_place(Automaton({"turn": (*range(1, n), 0)}))
        found = divided.families(places, divided._Preimages(places))
        proof.exactly("families", [len(family) for family in found], [64] if n == 64 else [])
    for n in proof.tied("as many pairs of states as may be, and more", (63, 64)):
        automaton = Automaton({**{x: (x,) * n for x in range(n)}, "keep": tuple(range(n))})
        held = divided.held(divided.one_place(automaton))
        proof.exactly("held", held is None, n * (n - 1) // 2 > 2000)
        if held is not None:
            proof.exactly("held: seven digits of a coordinate", (len(held.bundles[0].others), held.width), (6, -(-(n - 1) // 7)))
    for number in proof.tied("digits", [0, 1, 254, 255, 256, 257, 65535, 65536, 10**9]):
        digits = level_vectors._digits(number)
        wanted = list(number.to_bytes(max(1, (number.bit_length() + 7) // 8), "little"))
        proof.exactly("_digits", digits, wanted)
    for m in proof.tied("as many states as have numbers of 8 bits, and one more", (257, 258)):
        vectors = level_vectors.LevelVectors(tuple({i: 1} for i in range(m)), m)
        proof.exactly("numbered", numbered(vectors, 0, True) is None, m > 257)


@tie("new.automata.copies")
def letters_that_act(proof: Proof) -> None:
    """Three actions of letters, and four: sets that two states are put into, with a letter that keeps them, one that swaps them."""
    rows = {"a": (0, 0, 0), "b": (1, 1, 1), "c": (2, 2, 2), "keep": (0, 1, 2)}
    for count in proof.tied("three actions and four", (3, 4)):
        automaton = Automaton({x: rows[x] for x in list(rows)[:count]} | {"again": rows["a"]})
        proof.exactly("copies_layer", copies.copies_layer(automaton) is None, count > 3)


@tie("grazzi25.sec1.regular")
def elements_of_groups(proof: Proof) -> None:
    """Groups of 10,000 elements are listed, of 10,001 refused: two cycles of letters that commute."""
    for m, k in proof.tied("10,000 elements, and one more", [(100, 100), (73, 137)]):
        turns = {"a": (*range(1, m), 0, *range(m, m + k)), "b": (*range(m), *range(m + 1, m + k), m)}
        if m * k > 10_000:
            hold_refusals(proof, "one element more", [(sources.from_permutations, (turns,))])
        else:
            proof.exactly("from_permutations", sources.from_permutations(turns).n, m * k)


def _has_room(width: int, maps: int, states: int) -> bool:
    try:
        affine.require_room(width, maps, states)
    except ArithmeticError:
        return False
    return True
