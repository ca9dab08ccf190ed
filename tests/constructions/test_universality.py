"""Barron functions, one-hidden-layer networks, and one head for all time steps."""

from itertools import pairwise

import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st
from lemmata.constructions.universality import clocks, heads, maps, networks, spectra, vectors
from lemmata.constructions.universality.networks import Network, logistic, ramp, settled, staircase, step
from lemmata.numerics import exact
from lemmata.numerics.cyclotomic import root_of_unity

rational = st.builds(fmpq, st.integers(-6, 6), st.integers(1, 4))
tokens = st.builds(fmpq, st.integers(-6, 6), st.just(6))


def array(values):
    return exact.rationals(list(values))


@st.composite
def spectrum(draw, n):
    total = spectra.Spectrum({})
    for _ in range(draw(st.integers(0, 3))):
        wave = draw(st.sampled_from((spectra.cosine, spectra.sine)))
        total = total + wave(draw(st.lists(st.integers(-3, 3), min_size=n, max_size=n)), draw(rational))
    return total


@st.composite
def network(draw, n, activation):
    width = draw(st.integers(0, 3))
    numbers = st.integers(-3, 3)
    rows = draw(st.lists(st.lists(numbers, min_size=n, max_size=n), min_size=width, max_size=width))
    bias, outer = (draw(st.lists(rational, min_size=width, max_size=width)) for _ in range(2))
    return Network(array(rows).reshape(width, n), array(bias), array(outer), draw(rational), activation)


# -- spectra ---------------------------------------------------------------------------------------------------------------


def test_constants_of_a_wave():
    f = spectra.cosine((3, 4), 2)
    assert abs(f.barron - 10) < arb("1e-12")
    assert f.fourier_norm == 2
    assert abs(spectra.sine((1,))([fmpq(1, 2)]) - arb("0.5").sin()) < arb("1e-12")
    assert not spectra.cosine((1,), 0).atoms
    assert not (spectra.sine((0, 0))).atoms


@given(spectrum(2), spectrum(2), st.tuples(rational, rational))
def test_sums_and_products_of_functions(f, g, x):
    assert (f + g)(x).overlaps(f(x) + g(x))
    assert (f * g)(x).overlaps(f(x) * g(x))


@given(spectrum(2), st.lists(rational, min_size=3, max_size=3), st.data())
def test_change_of_variables(g, x, data):
    A = array(data.draw(st.lists(st.lists(rational, min_size=3, max_size=3), min_size=2, max_size=2)))
    f = g.after(A)
    assert f(x).overlaps(g(A @ array(x)))
    assert not f.barron > g.stretched(A)
    assert not f.fourier_norm > g.fourier_norm


# -- networks --------------------------------------------------------------------------------------------------------------


def test_activations_exactly():
    u = array([-1, 0, "1/2", 1, 2])
    assert list(step(u)) == [0, 1, 1, 1, 1]
    assert list(ramp(u)) == [0, 0, fmpq(1, 2), 1, 1]
    assert np.allclose(logistic(np.array([-800.0, 0.0, 800.0])), [0, 0.5, 1])


@pytest.mark.parametrize("activation", [step, ramp])
@given(data=st.data())
def test_a_matrix_in_front_costs_no_neuron(activation, data):
    g = data.draw(network(2, activation))
    A = array(data.draw(st.lists(st.lists(rational, min_size=3, max_size=3), min_size=2, max_size=2)))
    x = array(data.draw(st.lists(rational, min_size=3, max_size=3)))
    assert g.after(A)(x) == g(A @ x)
    assert g.after(A).width == g.width
    batch = np.stack([x, -x], axis=1)
    assert list(g.after(A)(batch)) == [g(A @ x), g(A @ -x)]


@pytest.mark.parametrize("activation", [step, ramp])
@given(data=st.data())
def test_settled_neurons_are_constant(activation, data):
    g = data.draw(network(2, activation))
    constant, left = settled(g, 1)
    for _ in range(3):
        x = array(data.draw(st.lists(tokens, min_size=2, max_size=2)))
        rest = sum((w * activation(array([array(row) @ x + b]))[0] for (row, b), w in left.items()), fmpq(0))
        assert constant + rest == g(x)


def test_staircases():
    g = staircase([fmpq(0), fmpq(1)], [fmpq(2), fmpq(5), fmpq(4)])
    assert [g(array([x])) for x in (-1, 0, "1/2", 1, 9)] == [2, 5, 5, 4, 4]
    assert staircase([], [fmpq(3)])(array([7])) == 3
    for thresholds, levels in (([1, 0], [1, 2, 3]), ([0], [1]), ([0, 0], [1, 2, 3])):
        with pytest.raises(ValueError, match="expected ascending thresholds"):
            staircase(thresholds, levels)


def test_thresholds_of_equal_variation():
    u = np.linspace(0, 1, 1001)
    assert np.allclose(networks.monotone_thresholds(u**2, u, 3), np.sqrt([0.25, 0.5, 0.75]), atol=1e-3)


@given(st.integers(1, 40), st.integers(0, 1000))
def test_greedy_choices_keep_their_bounds(count, seed):
    rng = np.random.default_rng(seed)
    dictionary, weights = rng.choice([-0.5, 0.5], (12, 30)), rng.dirichlet(np.ones(12))
    mass = 3.0
    target = mass * weights @ dictionary
    _, found = networks.greedy(target, dictionary, count, mass)
    variance = (mass / 2) ** 2 - (target**2).mean()
    assert ((found - target) ** 2).mean() <= variance / count + 1e-12
    chosen, found = networks.greedy_uniform(target, dictionary, count, mass)
    assert np.abs(found - target).max() <= mass / 2 * np.sqrt(2 * np.log(60) / count) + 1e-12
    assert len(chosen) == count


def test_generic_points_are_generic():
    points = networks.generic_points(9)
    ratios = networks.affine_ratios(points)
    assert len(set(ratios)) == len(ratios) == 9 * 8 * 7
    assert all(0 < q < p < 1 for p, q in pairwise(points))
    assert points[:8] == networks.generic_points(8)
    sigma = networks.spiked_step(points, 100)
    assert list(sigma(array([-2, points[4], points[4] / 2, 2]))) == [0, 100, 1, 1]


# -- one head for all steps --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("activation", [step, ramp])
@given(data=st.data())
def test_one_head_serves_all_steps(activation, data):
    length = data.draw(st.integers(1, 4))
    single = [data.draw(network(k, activation)) for k in range(1, length + 1)]
    nodes = [fmpq(1, k + 1) * (-1) ** k for k in range(length + data.draw(st.integers(0, 1)))]
    model = maps.sequence_model(nodes, single, 1)
    assert model.head.width == sum(g.width + 1 for g in single) - 1
    v = array(data.draw(st.lists(tokens, min_size=length, max_size=length)))
    assert [y[0] for y in model.run(v)] == [g(v[:k]) for k, g in enumerate(single, 1)]
    for k, g in enumerate(single, 1):
        assert settled(maps.on_tokens(model.head, nodes, k), 1) == settled(g, 1)


def test_smooth_activations_saturate():
    length = 4
    nodes = list(np.exp(1j * np.pi * (2 * np.arange(2) + 1) / 4))
    rng = np.random.default_rng(0)
    single = [Network(rng.normal(size=(3, k)), rng.normal(size=3), rng.normal(size=3), 0.5, logistic) for k in range(1, length + 1)]
    model = maps.sequence_model(nodes, single, 1.0, saturation=40.0)
    v = rng.uniform(-1, 1, (length, 7))
    outputs = model.run(list(v))
    for k, g in enumerate(single, 1):
        assert np.allclose(outputs[k - 1], g(v[:k]), atol=1e-12)


def test_too_few_nodes_are_refused():
    with pytest.raises(ValueError, match="expected an invertible matrix"):
        maps.recall([fmpq(1, 2)], 2)
    with pytest.raises(ValueError, match="expected nodes and conjugates with at least 3"):
        maps.recall([0.5 + 0.5j], 3)
    assert maps.recall([0.5 + 0.5j], 2).shape == (2, 3)


def test_filters_and_products_err_as_much_as_they_say():
    taps = array([1, -2])
    single, bound = heads.filter_heads(taps, 3, 2)
    assert bound == 1
    # the worst tokens are the signs of the taps
    assert single[2](array([0, -1, 1])) == 2
    single, bound = heads.product_heads((0, 1), 3, 3)
    assert [g.width for g in single] == [0, 6, 6]
    for p, q in ((1, 1), (1, -1), (0, 0), ("1/3", "-1/2")):
        v = array([0, p, q])
        assert abs(single[2](v) - v[1] * v[2]) <= bound


def test_waves_are_fitted_and_cut():
    z = np.stack(np.meshgrid(np.linspace(-1, 1, 9), np.linspace(-1, 1, 9))).reshape(2, -1)
    values = np.cos(np.pi / 6 * z[0]) - 2 * np.sin(np.pi / 6 * (z[0] - z[1]))
    waves = heads.fit_waves(z, values)
    assert np.abs(waves(z) - values).max() < 1e-4
    network, bound = heads.waves_head(waves, 1.0, 200)
    assert np.abs(network(z) - waves(z)).max() <= bound * (1 + 1e-9) < 0.2
    assert network.width <= 200
    assert waves.barron >= 0


# -- controlled equations --------------------------------------------------------------------------------------------------


def test_responses_are_causal_and_conserve_the_receptor():
    rng = np.random.default_rng(1)
    inputs = rng.uniform(0, 0.1, (2, 12))
    inputs[1, :6] = inputs[0, :6]
    y = maps.respond(maps.protein_transduction, maps.PROTEIN_START, inputs, 0.5)
    assert y.shape == (2, 12)
    assert np.allclose(y[0, :6], y[1, :6], atol=1e-7)
    assert abs(y[0, 6] - y[1, 6]) > 1e-5
    rates = maps.protein_transduction(np.array([0.7, 0.1, 0.5, 0.3, 0.2]), 0.3)
    assert abs(rates[2] + rates[3] + rates[4]) < 1e-15


def test_prey_without_predators_grow_exponentially():
    y = maps.respond(maps.lotka_volterra, (1.0, 0.0), np.zeros((1, 3)), 0.5)
    assert np.allclose(y[0], np.exp([0.5, 1.0, 1.5]), rtol=1e-6)


def test_a_solution_that_explodes_is_an_error():
    with pytest.raises(ArithmeticError, match="expected a solution up to step"), np.errstate(all="ignore"):
        maps.respond(lambda z, v: [z[0] ** 2], (1.0,), np.zeros((1, 4)), 1.0)


# -- time-invariant maps ---------------------------------------------------------------------------------------------------


def test_one_head_serves_every_step_of_a_time_invariant_map():
    nodes = [fmpq(1, 2), fmpq(-1, 3), fmpq(1, 5)]
    head = Network(exact.rationals([[1, -2, 3]]), exact.rationals([-1]), exact.rationals([5]), fmpq(1))
    model = maps.invariant_model(nodes, head, 3)
    tokens = exact.rationals([1, "-1/2", "2/3"])
    assert model.head.width == head.width
    assert [y[0] for y in model.run(tokens)] == [head(exact.rationals([0] * (3 - k) + list(tokens[:k]))) for k in (1, 2, 3)]


def test_integer_staircases_follow_a_function_and_move_by_one():
    corners, values = [fmpq(-1), fmpq(0), fmpq(1)], [fmpq(0), fmpq(1), fmpq(0)]
    start, jumps = clocks.levels(corners, values, 2)
    assert (start, jumps) == (0, [(fmpq(-1, 2), 1), (fmpq(0), 1), (fmpq(1, 2), -1), (fmpq(1), -1)])
    assert clocks.schedule(start, jumps, 2)[:4] == [fmpq(-1, 2), fmpq(0), fmpq(2), fmpq(2)]
    assert clocks.schedule(-2, [], 2)[4:] == [fmpq(-2), fmpq(-2), fmpq(2), fmpq(2)]


def test_functions_that_are_too_steep_have_no_schedule():
    start, jumps = clocks.levels([fmpq(-1), fmpq(0), fmpq(1)], [fmpq(-1), fmpq(4), fmpq(4)], 2)
    with pytest.raises(ValueError, match="at most 4 steps"):
        clocks.schedule(start, jumps, 2)


def test_a_scheduled_head_has_the_thresholds_of_every_step():
    nodes, thresholds = [fmpq(1, 2), fmpq(1), fmpq(-1, 3)], [[fmpq(i), fmpq(-1)] for i in range(3)]
    model = clocks.scheduled_model(nodes, [fmpq(0), fmpq(0), fmpq(1)], thresholds, 1)
    for at, outputs in ((fmpq(0), [0, -1, -1]), (fmpq(-1), [-1, -1, -1]), (fmpq(-2), [0, 0, 0]), (fmpq(2), [0, 0, 0])):
        assert model.run([at] * 3) == outputs


def test_copies_of_neurons_cancel_before_and_after_their_step():
    heads_ = [
        Network(array([1])[:, None], array([0]), array([5]), fmpq(2)),
        Network(array([0, 1])[None, :], array([0]), array([3]), fmpq(-1)),
    ]
    model = clocks.biased_model([fmpq(1, 2), fmpq(1, 3)], heads_, fmpq(2), fmpq(1))
    assert model.head.width == 1 + 2 + 1
    for v in ([fmpq(1), fmpq(1)], [fmpq(-1), fmpq(1)], [fmpq(1), fmpq(-1)], [fmpq(0), fmpq(-1, 2)]):
        assert model.run(v) == [2 + 5 * (v[0] >= 0), -1 + 3 * (v[1] >= 0)]


def test_complex_units_recall_two_real_inputs():
    heads_ = [Network(array([0] * i + [1] + [0] * (3 - i))[None, :], array([0]), array([1]), fmpq(0)) for i in range(4)]
    outputs = vectors.vector_model(2, 2, heads_).run([[fmpq(1), fmpq(-1)], [fmpq(-1, 2), fmpq(1, 3)]])
    # the padded past is (0, 1 | 0, -1), then (1, -1/2 | -1, 1/3)
    assert outputs == [[1, 1, 1, 0], [1, 0, 0, 1]]
    with pytest.raises(ValueError, match="even length"):
        vectors.real_reader(3)
    with pytest.raises(ValueError, match="rational real part"):
        vectors.real_part(root_of_unity(8))


def test_two_free_tokens_and_two_units_leave_no_room_for_the_newest_token():
    newest = [Network(array([0] * k + [1])[None, :], array([0]), array([1]), fmpq(0)) for k in range(2)]
    with pytest.raises(ValueError, match="tells its states"):
        clocks.separating_head([fmpq(1, 3), fmpq(1, 2)], exact.identity(2), newest, fmpq(1))


# -- three maps, end to end ------------------------------------------------------------------------------------------------


def test_filters_and_products_run_on_the_states_of_a_recurrence():
    L, nodes = 6, [fmpq(1, k) for k in range(2, 8)]
    taps = array([1, "-1/2", "1/4"])
    for steps in (1, 2, 4, 8):
        single, bound = heads.filter_heads(taps, L, steps)
        model = maps.invariant_model(nodes, single[-1], L)
        assert (bound, model.head.width, len(single)) == (fmpq(7, 4) / (steps + 1), steps, L)
        # the worst tokens are the signs of the taps, the newest first
        assert abs(model.run(array([0, 0, 0, 1, -1, 1]))[-1][0] - fmpq(7, 4)) == bound
    for steps in (1, 3, 7):
        single, bound = heads.product_heads((0, 2), L, steps)
        assert fmpq(2, steps + 1) <= bound <= fmpq(2, steps + 1) * (1 + fmpq(1, 10**5))
        model = maps.invariant_model(nodes, single[-1], L)
        assert model.head.width == 2 * steps
        v = array([1, -1, "1/2", 0, -1, "3/5"])
        outputs = model.run(v)
        assert max(abs(y[0] - (v[k] * v[k - 2] if k > 1 else 0)) for k, y in enumerate(outputs)) <= bound


def test_protein_heads_keep_their_bounds():
    problem = heads.protein_problem()
    assert problem.basis.shape == (16, 2)
    truth = heads.respond(maps.protein_transduction, heads.PROTEIN_START, (problem.basis @ problem.z).T, problem.dt)
    nodes = list(np.exp(1j * np.pi * (2 * np.arange(8) + 1) / 16))
    errors = []
    for neurons in (16, 64):
        each, staircases, residuals = heads.protein_heads(problem, neurons)
        assert all(abs(g.width - neurons) <= 4 for g in each)
        model = maps.sequence_model(nodes, each, float(np.abs(problem.basis).sum(axis=1).max()))
        assert model.head.width == sum(g.width + 1 for g in each) - 1
        found = np.abs(np.array(model.run(list(problem.basis @ problem.z))).T - truth).max(axis=0)
        bounds = np.array(staircases) + residuals
        assert (found <= bounds * (1 + 1e-9)).all()
        # at some step the bound is attained up to a tenth
        assert (bounds / found).min() <= 10 / 9
        errors.append(found.max())
    assert errors[1] < errors[0]


@pytest.mark.parametrize("activation", [step, ramp, logistic])
def test_units_are_not_asked_about_complex_coordinates(activation):
    one = Network(np.ones((1, 1)), np.zeros(1), np.ones(1), 0.0, activation)
    with pytest.raises(ValueError, match="expected real coordinates, got complex128"):
        one(np.array([1 + 1j]))
