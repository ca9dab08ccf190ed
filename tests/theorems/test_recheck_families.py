"""The checker's own instances: families are those of the constructions, and a certificate about another instance is refused."""

from copy import deepcopy
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from lemmata.constructions import samples
from lemmata.constructions.universality.spectra import random_spectrum
from lemmata.theorems.bilinear.activations import random_piecewise
from lemmata.theorems.bilinear.degrees import random_bilinear, random_second_order
from lemmata.theorems.bilinear.ranks import random_cp
from lemmata.theorems.depth.copying import random_network
from lemmata.theorems.ledger import ledger
from lemmata.theorems.recheck import families
from lemmata.theorems.recheck.exact import Rejected
from lemmata.theorems.recheck.registry import INSTANCES, require_instances
from lemmata.theorems.recheck.schema import parsed
from lemmata.theorems.universality.barron import in_ball
from lemmata.theorems.universality.price import random_lipschitz
from lemmata.theorems.vandermonde.recall import pairs, random_inputs, random_nodes

SEEDS = range(5)


def plain(x):
    """Arrays and exact numbers as lists of fractions."""
    if isinstance(x, dict):
        return {k: plain(v) for k, v in x.items()}
    if isinstance(x, list | tuple | np.ndarray):
        return [plain(y) for y in x]
    return Fraction(str(x))


def same(left, right):
    return parsed(plain(left)) == parsed(plain(right))


@pytest.mark.parametrize("seed", SEEDS)
def test_families_are_those_of_the_constructions(seed):
    rng = lambda: Random(seed)  # noqa: E731
    assert same(families.integers(rng(), 3, 4, 2), samples.integers(rng(), 3, 4, bound=2))
    assert same(families.nonzero_vector(rng(), 1, 1), samples.nonzero_vector(rng(), 1, bound=1))
    assert same(families.basis(rng(), 2), samples.basis(rng(), 2))
    assert same(families.reflections(rng(), 3, 4), samples.orthogonal(rng(), 3, reflections=4))
    assert same(families.gaussian_nodes(rng(), 6), pairs(random_nodes(rng(), 6)))
    assert same(families.gaussian_inputs(rng(), 6), pairs(random_inputs(rng(), 6)))
    assert same(families.lipschitz_function(rng()), random_lipschitz(rng()))
    assert same(families.points_of_ball(rng(), 9, 2), [[Fraction(x) for x in p] for p in in_ball(rng(), 9, 2).tolist()])
    atoms = random_spectrum(rng(), 2).atoms
    assert same([list(families.waves(rng(), 2).items())], [list(atoms.items())])


@pytest.mark.parametrize("seed", SEEDS)
def test_networks_are_those_of_the_checks(seed):
    rng = lambda: Random(seed)  # noqa: E731
    layers, readout = families.linear_network(rng(), 2, 2, 2)
    network = random_network(rng(), 2, 2, 2)
    assert same([[a["U"], a["V"]] for a in layers], network.layers)
    assert same(readout, network.readout)
    data = lambda built: [{name: getattr(a, name) for name in ("A", "V", "U", "b", "initial")} for a in built]  # noqa: E731
    drawn = rng()
    layers = [families.second_order_layer(drawn, 2, m) for m in (1, 2)]
    assert same(layers, data(random_second_order(rng(), 2, 2)))
    assert same(families.bilinear_network(rng(), 2, 2), data(random_bilinear(rng(), 2, 2)))
    assert same(families.cp_network(rng(), 2, 2, 3), data(random_cp(rng(), 2, 2, 3)))
    for increasing in (True, False):
        found = [
            {"V": a.V, "U": a.U, "b": a.b, "initial": a.initial, "knots": a.activation.knots, "slopes": a.activation.slopes}
            for a in random_piecewise(rng(), 2, 2, increasing).layers
        ]
        assert same(families.piecewise_network(rng(), 2, 2, increasing), found)


TOPICS = ("universality", "vandermonde", "depth", "bilinear")
DRAWN = [key for key in INSTANCES if key[0] in ledger() and ledger()[key[0]].topic in TOPICS]


def changed(x):
    """The first number that is found, plus 1."""
    if isinstance(x, dict):
        name = next(iter(x))
        return {**x, name: changed(x[name])}
    if isinstance(x, list | tuple):
        return [changed(x[0]), *x[1:]] if x else [0]
    return str(Fraction(x) + 1) if isinstance(x, str) else x + 1


@pytest.mark.parametrize(("claim", "kind"), DRAWN)
def test_other_instances_are_refused(claim, kind):
    """One number changed, an instance too few, one in the place of another, none."""
    draw = INSTANCES[claim, kind]
    expected = list(draw())
    require_instances(draw(), deepcopy(expected), kind)
    for i, fields in enumerate(expected):
        for name in fields:
            bad = deepcopy(expected)
            bad[i][name] = changed(bad[i][name])
            with pytest.raises(Rejected, match=f"about another {name}"):
                require_instances(draw(), bad, kind)
    for bad in (expected[:-1], [*expected, expected[0]], []):
        with pytest.raises(Rejected, match=r"expected [0-9]+ certificates"):
            require_instances(draw(), bad, kind)
