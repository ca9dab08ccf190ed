"""Topics fixed_point and gating: the checker's own instances are those of the checks, and no others are accepted."""

from copy import deepcopy
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from flint import fmpq
from lemmata.constructions.fixed_point import gated, ungated
from lemmata.constructions.fixed_point.bases import cartan, helmert, path, slightly_turned
from lemmata.constructions.spin import clifford_generators
from lemmata.theorems.fixed_point import bedouin, equality, lipschitz
from lemmata.theorems.ledger import ledger
from lemmata.theorems.recheck import Rejected, layer_families
from lemmata.theorems.recheck.registry import DEMANDS, INSTANCES, SCHEMAS, require_instances
from lemmata.theorems.recheck.schema import parsed

OURS = sorted(key for key in INSTANCES if key[0] in ledger() and ledger()[key[0]].topic in ("fixed_point", "gating"))


def plain(x):
    """Fractions, lists and objects in place of exact arrays, to compare with the families."""
    if isinstance(x, dict):
        return parsed({k: plain(v) for k, v in x.items()})
    if isinstance(x, list | tuple | np.ndarray):
        return tuple(plain(v) for v in x)
    return Fraction(int(x.p), int(x.q)) if isinstance(x, fmpq) else Fraction(int(x)) if isinstance(x, np.integer) else x


def leaves(x, place=()):
    items = x.items() if isinstance(x, dict) else enumerate(x) if isinstance(x, list | tuple) else None
    return [(place, x)] if items is None else [leaf for k, v in items for leaf in leaves(v, (*place, k))]


def with_leaf(x, place, value):
    if not place:
        return value
    if isinstance(x, dict):
        return {k: with_leaf(v, place[1:], value) if k == place[0] else v for k, v in x.items()}
    return [with_leaf(v, place[1:], value) if k == place[0] else v for k, v in enumerate(x)]


def test_every_claim_with_certificates_names_its_instances():
    closed = {("new.fixed-point.s3.signed", "automaton")}  # one closed product with the group, which its demand describes whole
    automata = {(id, "automaton") for id in ("movahedi25.abstract.tracking", "new.fixed-point.any-letters.groups")}
    certified = {id for id, e in ledger().items() if e.topic in ("fixed_point", "gating") and e.certificates}
    assert certified == {id for id, _ in [*OURS, *closed, *automata]}
    assert all(key in SCHEMAS for key in OURS)


def test_letters_have_the_names_that_the_claim_gives_them():
    with pytest.raises(Rejected, match="the letters a and b"):
        DEMANDS["movahedi25.abstract.tracking", "automaton"]({"field": 5, "letters": ["a", "\uff11"]})


@pytest.mark.parametrize(("claim", "kind"), OURS, ids=[claim for claim, _ in OURS])
def test_other_instances_are_refused(claim, kind):
    expected = list(INSTANCES[claim, kind]())
    require_instances(expected, deepcopy(expected), kind)
    with pytest.raises(Rejected, match="expected"):
        require_instances(expected, expected[:-1], kind)
    if len(expected) > 1:
        with pytest.raises(Rejected, match="another"):
            require_instances(expected, expected[::-1], kind)
    found = leaves(expected)
    for place, value in Random(claim).sample(found, min(20, len(found))):
        changed = with_leaf(expected, place, f"{value}, changed" if isinstance(value, str) else value + 1)
        with pytest.raises(Rejected, match="another"):
            require_instances(expected, changed, kind)


@pytest.mark.parametrize("seed", range(5))
def test_layers_are_drawn_as_the_checks_draw_them(seed):
    for d in (1, 2, 3):
        norm = Fraction(3, 7)
        ours, theirs = Random(seed), Random(seed)
        assert parsed(layer_families.sharp_contraction(ours, d, norm)) == plain(lipschitz.sharp_contraction(theirs, d, fmpq(3, 7)))
        assert parsed(layer_families.decays(ours, d)) == plain(lipschitz.decays(theirs, d))
        for gate, layer in ((layer_families.no_gate, ungated), (layer_families.gate_of, gated)):
            tokens = equality.tokens_data(equality.random_tokens(theirs, layer, d, 4))
            assert parsed(layer_families.tokens(ours, gate, d, 4)) == plain(tokens)
        tokens = [bedouin.as_data(t) for t in bedouin.random_sequence(theirs, 4)]
        assert parsed(layer_families.matrix_state_tokens(ours, 4)) == plain(tokens)
        assert ours.random() == theirs.random()


def test_fixed_constructions_agree():
    for n in (2, 3, 4, 5):
        assert parsed(layer_families.anticommuting(n)) == plain(clifford_generators(n))
        assert parsed(layer_families.helmert(n)) == plain(helmert(n))
        assert parsed(layer_families.slightly_turned(n, Fraction(1, 20))) == plain(slightly_turned(n, fmpq(1, 20)))
        assert parsed(layer_families.cartan(n, layer_families.path(n))) == plain(cartan(path(n), n))
