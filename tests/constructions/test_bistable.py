"""Hysteresis in balls, the unit's forms, its gradient by autograd, and stacks as formulas."""

from itertools import pairwise, product

import numpy as np
import pytest
from flint import arb, ctx, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st
from lemmata.constructions.automata.read.sources import from_regex
from lemmata.constructions.bistable import (
    BMRU,
    approximation,
    count_zeros,
    equilibria,
    flip_flops,
    fold_input,
    fold_state,
    gated,
    gradients,
    simplified,
    steady_input,
    surrogate_slope,
    thermometer,
    update,
)
from lemmata.constructions.bistable.depth import block_counter, relay
from lemmata.constructions.bistable.logic import always, compile_formula, holds, memories, once
from lemmata.constructions.bistable.scan import convergent_states
from lemmata.numerics import exact
from lemmata.numerics.scan import sequential_scan
from scipy.optimize import brentq

fractions = st.fractions(-4, 4, max_denominator=8).map(lambda q: fmpq(q.numerator, q.denominator))


# -- hysteresis ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("beta", [-3.0, -1.0, 0.0, 0.3, 1.5, 6.0])
@pytest.mark.parametrize("x", [-1.3, -0.01, 0.0, 0.25, 2.0])
def test_equilibria_are_fixed_points_and_complete(beta, x):
    found = equilibria(x, beta)
    for h in found:
        assert steady_input(h, beta).contains(arb(x))
        assert update(h, x, beta, 1).overlaps(h)
        # at the cusp the curve is flat, and 53 bits tell no more
        assert h.rad() < (1e-7 if x == beta == 0 else 1e-11)
    # a sign change of h - tanh(x + (beta + 1) h) on a fine grid for each of them, and no other
    grid = np.linspace(-1.1, 1.1, 4002)
    signs = np.sign(grid - np.tanh(x + (beta + 1) * grid))
    assert len(found) == (np.diff(signs) != 0).sum()


def test_the_fold_is_where_two_equilibria_meet():
    beta = 1.5
    h = brentq(lambda h: 1 / (1 - h * h) - (beta + 1), 0.1, 0.99)
    assert float(fold_state(beta).mid()) == pytest.approx(h, abs=1e-12)
    assert float(fold_input(beta).mid()) == pytest.approx(-(np.arctanh(h) - (beta + 1) * h), abs=1e-12)
    assert [len(equilibria(x, beta)) for x in (0.9, 0.91)] == [3, 1]
    with pytest.raises(ArithmeticError, match="away from the folds"):
        equilibria(fold_input(beta), beta)


def test_zeros_are_counted_for_whole_boxes_or_not_at_all():
    assert count_zeros(lambda h: h * h - 2, lambda h: 2 * h, -2, 2) == 2
    assert count_zeros(lambda h: h * h + 1, lambda h: 2 * h, -2, 2) == 0
    # a double zero cannot be certified
    assert count_zeros(lambda h: h * h, lambda h: 2 * h, -1, 2) is None
    wide = arb(1).union(arb(3))
    assert count_zeros(lambda h: h - wide / 4, lambda h: arb(1), 0, 1) == 1
    # for some points of the ball the zero lies outside
    assert count_zeros(lambda h: h - wide / 2, lambda h: arb(1), 0, 1) is None


# -- the unit -------------------------------------------------------------------------------------------------------------------------


@given(fractions, fractions.map(abs), fractions, fractions)
def test_eq10_is_eq9_and_eq8_for_large_alpha(x, beta, alpha, h):
    assert gated(h, x, beta, alpha) == simplified(h, x, beta, alpha)
    if alpha >= 1:
        assert all(approximation(s * alpha, x, beta, alpha) == simplified(s * alpha, x, beta, alpha) for s in (1, -1))


def test_shapes_are_refused_with_what_was_expected():
    with pytest.raises(ValueError, match=r"expected b_x, W_beta, b_beta, alpha of shapes"):
        BMRU(exact.zeros(2, 3), exact.zeros(2), exact.zeros(2, 3), exact.zeros(3), exact.zeros(2))
    with pytest.raises(ValueError, match="expected levels between"):
        thermometer([-6], 16)


def test_flip_flops_do_as_told():
    layer = flip_flops({"set": [1, 0], "reset": [0, -1], "keep": [0, 0]}, [-1, 1])
    assert layer.run(["keep", "set", "keep", "reset", "keep"]) == [(-1, 1), (1, 1), (1, 1), (1, -1), (1, -1)]


@given(st.lists(st.floats(-1e6, 1e6).filter(lambda r: r != 0), max_size=20), st.floats(-4, 4))
def test_the_thermometer_survives_any_noise_but_zero(noise, first):
    levels = [fmpq(k) for k in (-3, -1, 0, 2)]
    unit = thermometer(levels, 16)
    as_exact = lambda r, flag: np.array([fmpq(*float(r).as_integer_ratio()), fmpq(flag)], dtype=object)  # noqa: E731
    states = unit.recurrence(exact.zeros(4) - 1).run([as_exact(first, 1), *(as_exact(r, 0) for r in noise)])
    assert states == [tuple(1 if first >= float(q.p) else -1 for q in levels)] * (len(noise) + 1)


# -- stacks and formulas ---------------------------------------------------------------------------------------------------------------

A, B = ("is", "a"), ("is", "b")


@pytest.mark.parametrize(
    ("formula", "regex", "layers"),
    [
        (A, "(a|b)*a", 1),
        (("since", B, A), "(a|b)*ab*", 1),
        (always(A), "a+", 1),
        (("and", B, ("since", B, ("and", A, always(A)))), "a+b+", 2),
        (once(("and", A, once(("and", B, once(A))))), "(a|b)*a(a|b)*b(a|b)*a(a|b)*", 3),
    ],
)
def test_formulas_stacks_and_expressions_agree(formula, regex, layers):
    automaton, stack = from_regex(regex, "ab"), compile_formula(formula, "ab")
    assert len(stack.layers) == layers
    for n in range(1, 7):
        for word in product("ab", repeat=n):
            expected = automaton.run(word)[-1] in automaton.accepting
            assert holds(formula, word) == expected
            assert stack.run(word)[-1] == expected


def test_one_unit_for_each_since():
    f = ("and", once(A), ("or", once(A), ("since", once(A), B)))
    assert [len(layer.initial) for layer in compile_formula(f, "ab").layers] == [1, 1]
    assert len(memories(f)) == 2


# -- torch --------------------------------------------------------------------------------------------------------------------------------


def bistable_torch():
    pytest.importorskip("torch", reason="needs the extra 'torch'")
    from lemmata.constructions.bistable import torch as bistable_torch

    return bistable_torch


@given(
    # torch takes the slope of |x| at 0 to be 0, and the algebra S(0) = 1
    st.lists(st.tuples(fractions.filter(bool), fractions.map(abs)), min_size=1, max_size=8),
    st.sampled_from([1, -1]),
    st.sampled_from([0.5, 1.0, 3.0]),
)
def test_autograd_gives_the_gradient_of_the_algebra(steps, start, sharpness):
    module = bistable_torch()
    import torch

    candidates, thresholds = (
        torch.tensor([float(v.p) / float(v.q) for v in column], dtype=torch.float64, requires_grad=True)
        for column in zip(*steps, strict=True)
    )
    one = torch.ones(1, dtype=torch.float64)
    last = module.bmru_states(candidates[None, :, None], thresholds[None, :, None], one, start * one, sharpness)[0, -1, 0]
    by_candidate, by_threshold = torch.autograd.grad(last, (candidates, thresholds))
    expected = gradients([c for c, _ in steps], [b for _, b in steps], fmpq(start), fmpq(1), lambda x: surrogate_slope(x, sharpness))
    assert float(by_candidate[0]) == pytest.approx(float(arb(expected[0]).mid()), abs=1e-14)
    assert float(by_threshold[0]) == pytest.approx(float(arb(expected[1]).mid()), abs=1e-14)


def test_the_gradient_is_the_same_at_length_100_000():
    module = bistable_torch()
    import torch

    found = set()
    for T in (1, 10, 100_000):
        candidates = torch.full((1, T, 1), 0.3)
        candidates[0, 0, 0] = -2
        candidates.requires_grad_()
        last = module.bmru_states(candidates, torch.ones(1, T, 1), torch.ones(1), torch.ones(1))[0, -1, 0]
        found.add(float(torch.autograd.grad(last, candidates)[0][0, 0, 0]))
    assert len(found) == 1
    assert found.pop() != 0


@pytest.mark.parametrize("seed", range(4))
def test_scan_and_loop_have_the_same_bits_and_gradients(seed):
    module = bistable_torch()
    import torch

    torch.manual_seed(seed)
    layer, x = module.BMRU(3, 5), torch.randn(4, 37, 3)
    with torch.no_grad():
        outputs = [layer(x, scan).numpy().view(np.int32) for scan in (True, False)]
        # a state is alpha, -alpha or the one before, whatever rounds (new.bistable.exact-scan)
        assert np.array_equal(*outputs)
        # in another batch a candidate is summed otherwise; none of these is so near to its threshold that a decision could change
        room = (layer.candidate(x).abs() - layer.threshold(x).abs()).abs().min()
        assert room > 8 * 2.0**-24 * x.abs().max()
        assert torch.equal(layer.last_state(x[:, 20:], layer.last_state(x[:, :20], None)), layer(x)[:, -1])
    slopes, layer, x = [], layer.double(), x.double()
    for scan in (True, False):
        states = layer(x, scan)
        slopes.append(torch.autograd.grad((states * torch.arange(37.0)[None, :, None]).sum(), list(layer.parameters())))
    # a slope is a sum of at most 4 x 37 x 37 products of a weight up to 36, surrogate slopes up to 1, and an input or 1
    terms = 4 * 37 * 37
    bound = 2 * terms * 2.0**-53 * terms * 36 * max(1.0, float(x.abs().max()))
    assert all(bool(((a - b).abs() <= bound).all()) for a, b in zip(*slopes, strict=True))


def test_torch_and_exact_layers_agree():
    module = bistable_torch()
    import torch

    rng = np.random.default_rng(2)
    W, b, V, c, alpha = (rng.integers(-3, 4, shape) for shape in ((4, 2), 4, (4, 2), 4, 4))
    layer = module.BMRU(2, 4)
    with torch.no_grad():
        for parameter, value in (
            (layer.candidate.weight, W),
            (layer.candidate.bias, b),
            (layer.threshold.weight, V),
            (layer.threshold.bias, c),
            (layer.alpha, alpha),
        ):
            parameter.copy_(torch.tensor(value))
    word = rng.integers(-3, 4, (30, 2))
    states = BMRU(*(exact.rationals(v) for v in (W, b, V, c, alpha))).recurrence(exact.rationals(-alpha)).run(exact.rationals(word))
    assert np.array_equal(
        layer(torch.tensor(word[None], dtype=torch.float32)).detach().numpy()[0], exact.as_float(np.array(states, dtype=object))
    )


def test_a_stack_of_two_has_a_gradient_that_grows_with_the_length():
    module = bistable_torch()
    import torch

    one, found = torch.ones(1, dtype=torch.float64), []
    for T in (5, 10, 20):
        candidates = torch.zeros(1, T, 1, dtype=torch.float64)
        candidates[0, 0, 0] = 2
        candidates.requires_grad_()
        below = module.bmru_states(candidates, torch.ones_like(candidates), one, -one)
        last = module.bmru_states(below / 2, torch.ones_like(below), one, -one)[0, -1, 0]
        found.append(float(torch.autograd.grad(last, candidates)[0][0, 0, 0]))
    assert found[1] / found[0] == pytest.approx(2)
    assert found[2] / found[0] == pytest.approx(4)


def test_the_linear_unit_by_scan_by_loop_and_by_powers():
    module = bistable_torch()
    import torch

    torch.manual_seed(0)
    layer, x = module.LRU(2, 6).double(), torch.randn(3, 50, 2, dtype=torch.float64)
    states = layer(x)
    assert torch.allclose(states, layer(x, scan=False), atol=1e-12)
    assert torch.allclose(layer.last_state(x[:, 30:], layer.last_state(x[:, :30], None)), states[:, -1], atol=1e-12)
    assert (layer.eigenvalues().abs() < 1).all()


@pytest.mark.parametrize("kind", ["float32", "complex64"])
def test_the_backward_loop_gives_the_gradient_of_autograd(kind):
    module = bistable_torch()
    import torch
    from lemmata.numerics.scan import linear_recurrence, prefers_loop

    generator = torch.Generator().manual_seed(0)
    dtype = getattr(torch, kind)
    a, b, initial = (torch.randn(shape, dtype=dtype, generator=generator) for shape in ((32, 9, 17), (32, 9, 17), (17,)))
    weights = torch.randn(32, 9, 17, generator=generator)
    assert prefers_loop(b, 1)

    def of(recurrence, *values):
        leaves = [x.clone().requires_grad_() for x in values]
        states = recurrence(leaves[0], leaves[1], leaves[2].expand(32, -1))
        loss = (weights * states.real + weights.flip(1) * (states * 1j).real).sum()
        return [states.detach(), *torch.autograd.grad(loss, leaves)]

    by_hand, by_autograd = (of(f, a, b, initial) for f in (module.entrywise_recurrence, lambda *x: linear_recurrence(*x, axis=1)))
    # the sums of absolute values: each way rounds a term at most 4 T times (a complex product takes three roundings to a part), and 32 words more in the last sum
    weights = weights.abs() + weights.flip(1).abs()
    sizes = of(lambda *x: linear_recurrence(*x, axis=1), *(x.abs() for x in (a, b, initial)))
    for one, other, size in zip(by_hand, by_autograd, sizes, strict=True):
        assert bool(((one - other).abs() <= 2 * (4 * 9 + 32) * 2.0**-24 * size.abs()).all())


# -- depth ------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_the_counter_counts_blocks_and_no_more_than_it_can(layers):
    stack = block_counter(layers)
    for word in product("ab", repeat=7):
        blocks = 1 + sum(x != y for x, y in pairwise(word))
        assert stack.run(word)[-1] == min(blocks, layers + 1)


@given(st.integers(1, 4), st.integers(1, 5))
def test_the_relay_is_set_after_as_many_letters_as_a_stack_can_take(layers, period):
    late = layers * (period - 1)
    outputs = relay(layers, period).run([t % period for t in range(late + 2 * period)])
    assert outputs == [False] * late + [True] * (2 * period)


def test_stacks_without_layers_are_refused():
    with pytest.raises(ValueError, match="at least one layer, got 0"):
        block_counter(0)
    with pytest.raises(ValueError, match="period of at least 1, got 2 and 0"):
        relay(2, 0)


# -- the convergent RNN -------------------------------------------------------------------------------------------------------------


@settings(max_examples=15)
@given(st.lists(st.tuples(fractions, fractions.filter(lambda b: b >= -1)), min_size=1, max_size=4), fractions)
def test_the_scan_of_the_convergent_rnn_is_its_clock_step_by_step(inputs, start):
    together = convergent_states(inputs, start)
    for t, (x, beta) in enumerate(inputs):
        # where f(h) - h vanishes the clock stands; where it has a sign, the next solution in that direction is the limit
        assert any(together[t].overlaps(h) for h in equilibria(x, beta))
        alone = convergent_states(inputs[: t + 1], start, scan=sequential_scan)[-1]
        assert together[t].overlaps(alone)
    (x, beta), first = inputs[0], together[0]
    moved = update(arb(start), x, beta, 1) - arb(start)
    assert not (moved > 0 and first < start)
    assert not (moved < 0 and first > start)


def test_the_convergent_rnn_stands_on_the_unstable_state_and_forgets_it_when_pushed():
    zero, push = (fmpq(0), fmpq(1)), (fmpq(-1, 10**30), fmpq(1))
    assert convergent_states([zero, zero], fmpq(0)) == [0, 0]
    found = convergent_states([zero, push, zero], fmpq(0))
    assert found[0] == 0
    assert found[1] < 0
    assert found[2] < 0
    # a start beside the unstable state, nearer than 64 bits tell
    assert convergent_states([zero], fmpq(1, 10**30))[0] > 0
    assert convergent_states([], fmpq(0)) == []


def test_a_small_feedback_has_three_solutions_near_zero():
    low, middle, high = (convergent_states([(fmpq(0), fmpq(1, 10**20))], fmpq(s, 2))[0] for s in (-1, 0, 1))
    assert low < 0
    assert middle == 0
    assert high > 0


def test_the_convergent_rnn_says_when_the_bits_do_not_suffice():
    with ctx.workprec(300):
        below = fmpq((equilibria(fmpq(1, 2), fmpq(3, 2), 1e-60)[1] * arb(2) ** 150).floor().unique_fmpz(), 2**150)
    with pytest.raises(ArithmeticError, match="away from the middle solution"):
        convergent_states([(fmpq(1, 2), fmpq(3, 2))], below, bits=64)
    assert convergent_states([(fmpq(1, 2), fmpq(3, 2))], below)[0] < 0
