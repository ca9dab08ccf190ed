"""Random changes of honest network files: the checker rejects in a line, or what it accepts is still true, as an independent simulator sees it."""

import copy
import random

import pytest
from lemmata.theorems.recheck import Rejected
from lemmata.theorems.recheck.kinds.network import check_network

from .network_files import MACHINES, computes, document

CHANGES = 100


def nodes(x, path=()):
    """Paths of everything below the document."""
    for key, child in x.items() if isinstance(x, dict) else enumerate(x) if isinstance(x, list) else ():
        yield (*path, key)
        yield from nodes(child, (*path, key))


def at(x, path):
    for key in path:
        x = x[key]
    return x


def other_type(rng, x):
    return rng.choice([None, True, 0, -1, 1.5, "", "0", [], {}, [x], {"x": x}, str(x)])


def other_text(rng, x):
    return rng.choice(
        [f"+{x}", f" {x}", f"{x} ", f"0{x}", f"{x}/1", f"{x}/0", f"-{x}", f"{x}e0", f"{x}_0", "\uff11", "-0", f"{x}1", "1/2", f"{x}\n"]
    )


def changed(rng, x):
    """Another value in place of ``x``."""
    if isinstance(x, bool) or x is None:
        return other_type(rng, x)
    if isinstance(x, int):
        return rng.choice([x + 1, x - 1, -x - 1, x + 100, other_type(rng, x)])
    if isinstance(x, str):
        return rng.choice([other_text(rng, x), other_text(rng, x), other_type(rng, x)])
    if isinstance(x, dict):
        return rng.choice([{**x, "extra": 0}, dict(list(x.items())[1:]), dict(reversed(x.items())), other_type(rng, x)])
    items = list(x)
    if not items:
        return rng.choice([["0"], [0], other_type(rng, x)])
    i, j = rng.randrange(len(items)), rng.randrange(len(items))
    swapped = list(items)
    swapped[i], swapped[j] = items[j], items[i]
    return rng.choice([items[:i] + items[i + 1 :], [*items, items[i]], [*items[:i], items[j], *items[i + 1 :]], swapped, items[::-1], []])


def change(rng, network):
    """One node of the network changed, or replaced by another node of the same kind."""
    out, paths = copy.deepcopy(network), list(nodes(network))
    # a kind of node first, so that the few keys are changed as often as the many numbers
    kinds = sorted({tuple("#" if isinstance(key, int) else key for key in path) for path in paths})
    kind = rng.choice(kinds)
    alike = [path for path in paths if tuple("#" if isinstance(key, int) else key for key in path) == kind]
    path = rng.choice(alike)
    parent = at(out, path[:-1])
    parent[path[-1]] = copy.deepcopy(at(network, rng.choice(alike))) if rng.random() < 0.25 else changed(rng, parent[path[-1]])
    return out, path


@pytest.mark.parametrize("name", MACHINES)
def test_a_changed_network_is_rejected_or_still_true(name):
    network, rng = document(name), random.Random(name)
    check_network(network)
    assert computes(network)
    reasons, accepted = [], []
    for _ in range(CHANGES):
        other, path = change(rng, network)
        try:
            check_network(other)
        except Rejected as why:
            reasons.append(str(why))
        else:
            accepted.append((path, computes(other)))
    assert [path for path, right in accepted if not right] == []
    assert [why for why in reasons if len(why.splitlines()) != 1] == []
    assert len(reasons) > CHANGES / 2


def test_the_simulator_notices_a_wrong_output_and_a_wrong_step():
    network = document("a sign")
    wrong = copy.deepcopy(network)
    wrong["layers"][0]["decoder"] = [[i, y, 1 - z] for i, y, z in wrong["layers"][0]["decoder"]]
    assert not computes(wrong)
    wrong = copy.deepcopy(network)
    wrong["layers"][0]["maps"][0]["steps"][0]["scale"] = "1"
    assert computes(network)
    assert not computes(wrong)
