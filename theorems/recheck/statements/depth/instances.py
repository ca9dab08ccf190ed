"""Of which instances the certificates of topic depth speak: sizes gone through, networks drawn again from their seeds, and the examples that the claims print."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import product
from random import Random

from ... import families
from ...exact import require
from ...registry import instances, statement
from ...typed import Certificates, Data
from .demands import copied, layers_of, least_width, parameters

HALF = Fraction(1, 2)

# -- copies: the sizes are the claim's, the networks are witnesses ---------------------------------------------------------


def require_sizes(found: Sequence[tuple[int, ...]], expected: Sequence[tuple[int, ...]]) -> None:
    """The networks have the claim's sizes, all of them and in this order."""
    require(found == list(expected), f"expected networks of the sizes {list(expected)}, got {found}")


@instances("lizaire26.lemma2", "copy")
def printed_registers() -> Iterable[Data]:
    """ceil(p / (n - 1)) layers that shift their units, fed into the last unit from the first one below, and read at the component 1 + L (n - 1) - p."""
    for n, p in ((2, 1), (2, 3), (3, 1), (3, 3), (4, 5)):
        depth = -(-p // (n - 1))
        shift = [[int(j == i + 1) for j in range(n)] for i in range(n)]
        first, above = [[int(i == n - 1)] for i in range(n)], [[int((i, j) == (n - 1, 0)) for j in range(n)] for i in range(n)]
        layers = [{"U": above if level else first, "V": shift} for level in range(depth)]
        yield {"layers": layers, "readout": [[int(i == depth * (n - 1) - p) for i in range(n)]], "p": p}


@statement("lizaire26.thm1")
def sizes_of_a_layer_more(certificates: Certificates) -> None:
    """n and L."""
    found = [(n, depth) for n, depth, _, _ in (copied(data) for _, data in certificates)]
    require_sizes(found, [(2, 2), (2, 4), (3, 2), (3, 3), (4, 3)])


@statement("lizaire26.memory")
def sizes_of_memory(certificates: Certificates) -> None:
    """n and L."""
    found = [(n, depth) for n, depth, _, _ in (copied(data) for _, data in certificates)]
    require_sizes(found, [(2, 1), (2, 4), (4, 2), (5, 3)])


@statement("new.depth.channels")
def sizes_with_channels(certificates: Certificates) -> None:
    """All n from 2 to 5, L <= 3, d <= 2 for which p >= 1."""
    found = [(n, depth, d) for n, depth, d, _ in (copied(data) for _, data in certificates)]
    require_sizes(found, [(n, depth, d) for n, depth, d in product((2, 3, 4, 5), (1, 2, 3), (1, 2)) if depth * (n - d) >= d])


@instances("new.depth.finite-length", "witness")
def near_copies() -> Iterable[Data]:
    for p in (1, 2, 5):
        yield {"p": p, "error": Fraction(1, 1000)}


#: (n, L, d)
NEAR = ((1, 2, 1), (3, 2, 1), (2, 3, 1), (4, 3, 1), (4, 2, 2), (2, 4, 2))


@instances("new.depth.approximate-copies", "witness")
def near_copies_in_layers() -> Iterable[Data]:
    for n, depth, d in NEAR:
        yield {"p": n * depth // d, "error": Fraction(1, 10 ** (n * depth // d))}


@statement("new.depth.approximate-copies")
def sizes_of_near_copies(certificates: Certificates) -> None:
    """n, L and d."""
    layers = [layers_of(data) for _, data in certificates]
    require_sizes([(len(a[0][1]), len(a), len(a[0][0][0])) for a in layers], NEAR)


@statement("new.depth.delayed-links")
def sizes_of_delayed_links(certificates: Certificates) -> None:
    """n and L."""
    layers = [layers_of(data) for _, data in certificates]
    require_sizes([(len(a[0][1]), len(a)) for a in layers], [(1, 4), (2, 3), (3, 2), (4, 1)])


@instances("lizaire26.lemma2.readout", "witness")
def printed_readout() -> Iterable[Data]:
    yield {"p": 1, "inputs": [1, 2, 3, 4]}


# -- random networks -------------------------------------------------------------------------------------------------------


@instances("lizaire26.lemma3", "witness")
def networks_with_transfer_functions() -> Iterable[Data]:
    rng = Random(195)
    for n, depth in product((1, 2, 3), (1, 2)):
        layers, readout = families.linear_network(rng, n, depth)
        yield {"layers": layers, "readout": readout}


@instances("lizaire26.prop1", "witness")
def networks_to_join() -> Iterable[Data]:
    rng = Random(196)
    for n, depth in product((1, 2, 3), (2, 3)):
        yield {"layers": families.linear_network(rng, n, depth)[0]}


@instances("lizaire26.thm6.one", "witness")
def network_of_one_layer() -> Iterable[Data]:
    yield {"layers": families.linear_network(Random(110), 2, 1)[0]}


# -- printed networks ------------------------------------------------------------------------------------------------------


@instances("new.depth.ranks", "witness")
def cascades() -> Iterable[Data]:
    """n poles 1/2, 1/3, ... in each layer, all different; every unit reads all units below."""
    for n, depth in product((1, 2, 3), (2, 3)):
        layers = [
            {
                "U": [[1] * (n if level else 1)] * n,
                "V": [[Fraction(int(i == j), level * n + i + 2) for j in range(n)] for i in range(n)],
            }
            for level in range(depth)
        ]
        yield {"layers": layers, "readout": [[1] * n]}


#: two layers on two channels with biases and initial states, and a word
LAYERS = [
    {"U": [[1, 2], [0, 1]], "V": [[0, 1], [1, 1]], "b": [1, -1], "initial": [2, 0]},
    {"U": [[1, -1], [3, 0]], "V": [[HALF, 0], [1, 0]], "b": [0, 1], "initial": [1, 1]},
]
INPUTS = [[1, 0], [2, -1], [0, 3]]


@instances("lizaire26.prop2", "witness")
def two_words() -> Iterable[Data]:
    yield {"a": Fraction(1, 3), "layers": LAYERS, "inputs": INPUTS, "others": [[0, 1], [1, 1], [-2, 5]]}


@instances("lizaire26.cor2", "witness")
def one_word() -> Iterable[Data]:
    yield {"layers": LAYERS, "inputs": INPUTS}


@instances("lizaire26.thm6", "witness")
def wide_layers() -> Iterable[Data]:
    yield {"n": 2, "U": [[0], [0], [1], [0]], "V": [[0] * 4] * 4, "inputs": [[1], [0]]}
    yield {"n": 1, "U": [[0, 0], [1, 0], [0, 0]], "V": [[0] * 3] * 3, "inputs": [[1, 0], [0, 0]]}


@instances("lizaire26.thm1.footnote", "witness")
def three_points() -> Iterable[Data]:
    yield {"points": [0, Fraction(9, 20), Fraction(9, 10)], "error": Fraction(1, 20)}


@instances("lizaire26.thm1.footnote.amended", "witness")
def small_weights() -> Iterable[Data]:
    yield {"u": Fraction(1, 10), "y": 2}
    yield {"u": Fraction(1, 100), "y": -3}
    yield {"u": 1, "y": HALF}


# -- sizes -----------------------------------------------------------------------------------------------------------------


def shallower(deepest: tuple[int, int, int] = (2, 3, 6)) -> list[tuple[int, int]]:
    """(L, L') with L' < L."""
    return [(depth, shallow) for depth in deepest for shallow in range(1, depth)]


@instances("lizaire26.thm2", "witness")
def narrowest_networks() -> Iterable[Data]:
    for n in (4, 5, 9):
        widths = [(depth, shallow, least_width(depth * (n - 1), shallow)) for depth, shallow in shallower()]
        yield {"n": n, "rows": [[*row, parameters(row[2], row[1])] for row in widths]}


@instances("new.depth.parameters", "witness")
def narrowest_of_hankel_rank() -> Iterable[Data]:
    yield {"rows": [[n, depth, shallow, -(-n * depth // shallow)] for n in (1, 2, 3) for depth, shallow in shallower((2, 3, 5))]}


@instances("lizaire26.params", "witness")
def sizes_counted() -> Iterable[Data]:
    yield {"rows": [[*size, parameters(*size)] for size in product(range(1, 6), range(1, 6), (1, 2, 3))]}


@instances("lizaire26.params.initial", "witness")
def sizes_with_initial_states() -> Iterable[Data]:
    widths = [(n, depth, shallow, least_width(depth * (n - 1), shallow)) for n in (4, 6) for depth, shallow in shallower()]
    yield {"rows": [[*row, parameters(row[3], row[2]) + row[3] * row[2]] for row in widths], "even": [2, 4, 10, 1000]}


@instances("lizaire26.appA5.1", "witness")
def ends_of_the_quadratic() -> Iterable[Data]:
    yield {"pairs": [[2, 1], [3, 1], [3, 2], [5, 3], [9, 8]]}


# -- misprints: the examples that the claims print -------------------------------------------------------------------------


@instances("lizaire26.thm6.blocks", "witness")
def register_of_two_layers() -> Iterable[Data]:
    shift, above = [[0, 0], [1, 0]], [[0, 1], [0, 0]]
    both = [[0, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0]]
    layers = [{"U": [[1], [0]], "V": shift}, {"U": above, "V": shift}]
    yield {"layers": layers, "U": [[1], [0], [0], [0]], "V": both, "inputs": [[1], [2], [3]]}


@instances("lizaire26.lemma3.start", "witness")
def first_time() -> Iterable[Data]:
    yield {"p": 1, "t": 1}


@instances("lizaire26.appB1.test-sets", "witness")
def both_sizes() -> Iterable[Data]:
    yield {"section": 2000, "appendix": 200}
