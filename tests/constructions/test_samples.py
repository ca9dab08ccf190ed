"""Instances that are drawn until a property holds."""

from random import Random

import pytest
from lemmata.constructions import samples
from lemmata.constructions.depth import DeepLinear
from lemmata.theorems.depth.copying import random_network


def test_draws_are_bounded_and_say_what_did_not_come():
    draws = samples.tries("a square root of -1", 3)
    assert [next(draws) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(ArithmeticError, match="expected a square root of -1 within 3 draws, got none"):
        next(draws)


def test_a_broken_construction_ends_the_draws(monkeypatch):
    monkeypatch.setattr(DeepLinear, "run", lambda self, inputs: [])
    with pytest.raises(ArithmeticError, match="a network that is not silent within 1000 draws"):
        random_network(Random(1), 2, 2)


def test_no_vector_but_0_is_an_error(monkeypatch):
    monkeypatch.setattr(samples, "integers", lambda rng, *shape, bound=3: samples.exact.zeros(*shape))
    for draw in (samples.nonzero_vector, samples.basis):
        with pytest.raises(ArithmeticError, match="within 10000 draws"):
            draw(Random(1), 2)
