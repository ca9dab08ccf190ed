"""The re-checker draws the families of topics householder, parity and signature as the checks do, and refuses other instances."""

import copy
from fractions import Fraction
from random import Random

import pytest
from lemmata.constructions import samples
from lemmata.numerics import exact
from lemmata.theorems import claims, decide
from lemmata.theorems.ledger import entries
from lemmata.theorems.recheck import matrix_families as families
from lemmata.theorems.recheck.exact import Rejected
from lemmata.theorems.recheck.registry import COVERS, INSTANCES, require_instances

TOPICS = ("householder", "parity", "signature")
LEDGER = {e.id: e for e in entries(topics=list(TOPICS))}
DECLARED = sorted(key for key in INSTANCES if key[0] in LEDGER)

SAME = {
    "integers": lambda rng, n: samples.integers(rng, n, n),
    "nonzero_vector": samples.nonzero_vector,
    "basis": samples.basis,
    "orthogonal": samples.orthogonal,
    "contraction": samples.contraction,
    "positive_semidefinite": samples.positive_semidefinite,
}


def fractions(x):
    """Nested lists of fractions of an exact array."""
    return [fractions(y) for y in x] if hasattr(x, "__len__") else Fraction(int(x.p), int(x.q))


@pytest.mark.parametrize("name", SAME)
def test_matrices_are_drawn_as_the_checks_draw_them(name):
    for seed in range(8):
        n, one, two = 1 + seed % 4, Random(seed), Random(seed)
        draw = getattr(families, name)
        found = draw(one, n, n) if name == "integers" else draw(one, n)
        assert found == fractions(SAME[name](two, n))
        assert one.random() == two.random(), "as many draws"


def test_sets_sums_and_blocks_are_drawn_as_the_checks_draw_them():
    for seed in range(20):
        one, two = Random(seed), Random(seed)
        assert families.finite_set(one) == fractions(samples.finite_set(two).values)
        assert families.symmetric_set(one) == fractions(samples.symmetric_set(two).values)
        drawn = samples.exponential_sum(two, samples.REAL)
        assert families.exponential_sum(one, families.REAL) == [
            [Fraction(str(x)), m, Fraction(str(c))] for (x, m), c in drawn.terms.items()
        ]
        blocks, p = samples.jordan_blocks(two, 3, samples.REAL), samples.basis(two, 3)
        matrix = families.with_jordan_form(families.jordan_blocks(one, 3, families.REAL), families.basis(one, 3))
        assert matrix == fractions(samples.with_jordan_form(blocks, p))
        assert families.triangular(one, 3, families.DYADIC) == fractions(samples.triangular(two, 3, samples.DYADIC))


def test_turns_and_block_sums():
    half = Fraction(1, 2)
    assert families.turns([half], [Fraction(3)]) == [[0, -half, 0], [half, 0, 0], [0, 0, 3]]
    assert families.turns([]) == []
    assert families.product_of([], 2) == fractions(exact.identity(2))


@pytest.mark.parametrize("key", DECLARED, ids=lambda key: f"{key[0]}-{key[1]}")
def test_other_instances_are_refused(key):
    claim, kind = key
    expected = list(INSTANCES[key]())
    assert len(expected) == LEDGER[claim].certificates.count(kind)
    require_instances(expected, copy.deepcopy(expected), kind)
    with pytest.raises(Rejected, match="expected"):
        require_instances(expected, expected[:-1], kind)
    with pytest.raises(Rejected, match="another"):
        require_instances(expected, [*expected[:-1], bent(expected[-1])], kind)
    if any(x != expected[0] for x in expected):
        with pytest.raises(Rejected, match="another"):
            require_instances(expected, [expected[0]] * len(expected), kind)


def bent(fields):
    """The same fields with the last leaf changed."""
    name = list(fields)[-1]
    return {**fields, name: changed(fields[name])}


def changed(x):
    if isinstance(x, dict):
        *_, last = x
        return {**x, last: changed(x[last])}
    if isinstance(x, list | tuple):
        return [*x[:-1], changed(x[-1])] if x else [1]
    try:
        return Fraction(x) + 1
    except ValueError:
        return "another"


@pytest.fixture(scope="module")
def stacks():
    (claim,) = claims(["grazzi25.abstract.modulo3"])
    return [(c.kind, c.data) for c in decide(claim, "standard").certificates]


def test_the_seeded_stacks_hold(stacks):
    COVERS["grazzi25.abstract.modulo3"](stacks)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda listed: listed.reverse(), "seeded stack"),
        (lambda listed: listed.pop(), "stacks"),
        (lambda listed: listed[3][1]["layers"][0]["H0"][0].__setitem__(0, "7"), "maps and start"),
        (lambda listed: listed[3][1]["layers"][0]["maps"][0]["A"][0].__setitem__(0, "7"), "maps and start"),
        (lambda listed: listed[0][1]["D"].__setitem__(0, "-7"), "the set"),
        (lambda listed: listed[0][1].update(outputs={"before": [], "period": ["0", "1", "2"]}), "last decoder"),
    ],
)
def test_other_stacks_are_refused(stacks, change, why):
    listed = copy.deepcopy(stacks)
    change(listed)
    with pytest.raises(Rejected, match=why):
        COVERS["grazzi25.abstract.modulo3"](listed)


def test_another_product_of_the_family_of_numbers_is_refused():
    (claim,) = claims(["new.householder.number"])
    listed = [(c.kind, c.data) for c in decide(claim, "standard").certificates]
    COVERS[claim.id](listed)
    for other in (listed[::-1], [listed[-1]] * len(listed)):
        with pytest.raises(Rejected, match="in its order"):
            COVERS[claim.id](other)
