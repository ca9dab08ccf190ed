"""Networks that are trained at once are trained as alone: their words, losses, Adam, clipping; a training that is stopped goes on with the same numbers."""

import platform
from dataclasses import replace
from types import MethodType

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the extra 'torch'")

from lemmata.experiments import stacked  # noqa: E402
from lemmata.experiments.allocation import keep_memory  # noqa: E402
from lemmata.experiments.arena import Classifier  # noqa: E402
from lemmata.experiments.bedouin_layer import PARTS, Bedouin  # noqa: E402
from lemmata.experiments.bilinear_layers import SecondOrder  # noqa: E402
from lemmata.experiments.compiled_passes import passed_quickly  # noqa: E402
from lemmata.experiments.compiled_readers import MicroSteps  # noqa: E402
from lemmata.experiments.compiled_recurrences import Entrywise, Response, of_all  # noqa: E402
from lemmata.experiments.copying import copying  # noqa: E402
from lemmata.experiments.delta_layers import Delta  # noqa: E402
from lemmata.experiments.fixed_point_layers import FixedPoint, Lstm  # noqa: E402
from lemmata.experiments.groups import Tracker  # noqa: E402
from lemmata.experiments.layers import KINDS, Model  # noqa: E402
from lemmata.experiments.once import AnsweredOnce, asked_once  # noqa: E402
from lemmata.experiments.stacked import Adam, Member, Networks, Recipe, Stack, curve, losses, train_stack  # noqa: E402
from lemmata.experiments.tasks import UNASKED, task_named  # noqa: E402
from lemmata.experiments.training import TRAIN, loss_of  # noqa: E402
from torch import nn  # noqa: E402

RECIPE = Recipe(steps=6, shortest=2, longest=5, batch=4)
TASK = task_named("modular-arithmetic")


class Plain(nn.Module):
    """A network without a recurrence, so that nothing is compiled."""

    def __init__(self, letters, answers, width=3):
        super().__init__()
        self.letters, self.into, self.out = letters, nn.Linear(letters, width), nn.Linear(width, answers)

    def forward(self, words):
        x = nn.functional.one_hot(words, self.letters).to(self.into.weight.dtype)
        return self.out(self.into(x).cumsum(1).tanh())


def plain(member, task):
    return Plain(len(task.letters), len(task.answers))


def stack(*members, **more):
    given = members or [("plain", seed, rate) for seed in (0, 1) for rate in (1e-2, 1e-1)]
    return Stack("made", tuple(Member(*m) for m in given), replace(RECIPE, **more))


def test_lengths_grow_and_rates_rise_and_fall():
    recipe = Recipe(steps=100, shortest=3, longest=21, first=7, grown=0.5, apart=2, warmup=0.1)
    assert [recipe.longest_at(step) for step in (0, 25, 50, 99)] == [7, 14, 21, 21]
    lengths = [recipe.length(step) for step in range(100)]
    assert all(n % 2 and 3 <= n <= recipe.longest_at(step) for step, n in enumerate(lengths))
    assert {3, 21} <= set(lengths)
    factors = [recipe.factor(step) for step in range(100)]
    assert factors[0] == pytest.approx(0.1)
    assert max(factors) == factors[9] > 0.97
    assert factors[-1] < 0.001
    assert replace(recipe, warmup=0).factor(0) == 1
    assert {replace(recipe, grown=0, first=None).longest_at(step) for step in (0, 99)} == {21}
    assert replace(recipe, shortest=1, longest=1, first=None).length(5) == 1


@pytest.mark.parametrize(
    "more",
    [
        *({name: 0} for name in ("steps", "batch", "apart", "first", "clip")),
        *({name: -0.1} for name in ("grown", "warmup", "decay")),
        {"shortest": 6},
        {"first": 6},
        {"grown": 1.1},
        {"averages": (0.9, 1.0)},
    ],
)
def test_a_recipe_without_sense_is_refused(more):
    with pytest.raises(ValueError, match="expected"):
        replace(RECIPE, **more)


def test_a_stack_has_networks_and_a_name_for_a_file():
    with pytest.raises(ValueError, match="at least one network"):
        Stack("made", (), RECIPE)
    with pytest.raises(ValueError, match="a name that a file can have"):
        Stack("a/b", (Member("plain", 0, 1.0),), RECIPE)


def test_words_are_those_of_the_seed_and_lengths_are_shared():
    made = stack(("a", 3, 1.0), ("b", 3, 0.1), ("a", 4, 1.0))
    for step in (0, 5):
        words, targets = made.words(TASK, step)
        assert words.shape == targets.shape == (3, 4, RECIPE.length(step))
        assert torch.equal(words[0], words[1])
        assert not torch.equal(words[0], words[2])
        for i, seed in enumerate((3, 3, 4)):
            expected = TASK.sample(4, RECIPE.length(step), np.random.default_rng([seed, TRAIN, step]))
            assert np.array_equal(words[i], expected[0])
            assert np.array_equal(targets[i], expected[1])


def test_losses_are_those_of_each_network_alone():
    networks, made = Networks(stack(), TASK, plain, torch.float64), stack()
    words, targets = made.words(TASK, 0)
    expected = [loss_of(networks.network(i), TASK, words[i], targets[i]) for i in range(4)]
    torch.testing.assert_close(losses(TASK, networks.scores(words), targets), torch.stack(expected), check_dtype=False)
    real = task_named("copy-first-input")
    _, goals = (torch.from_numpy(np.stack(x)) for x in zip(*(real.sample(4, 3, np.random.default_rng(s)) for s in (0, 1)), strict=True))
    said = torch.randn(2, 4, 3, 1, dtype=torch.float64)
    alone = [((said[i, :, -1, 0] - goals[i, :, -1]) ** 2).mean() for i in (0, 1)]
    torch.testing.assert_close(losses(real, said, goals), torch.stack(alone))


@pytest.mark.parametrize("tokens", [1, 8, 9, 16, 10_000])
def test_gradients_do_not_depend_on_how_many_go_at_once(monkeypatch, tokens):
    made, networks = stack(shortest=2, longest=2), Networks(stack(), TASK, plain, torch.float64)
    words, targets = made.words(TASK, 0)
    (whole,) = torch.autograd.grad(losses(TASK, networks.scores(words), targets).sum(), networks.theta)
    monkeypatch.setattr(stacked, "AT_ONCE", tokens)
    lost, gradient = networks.gradient(TASK, words, targets)
    torch.testing.assert_close(gradient, whole)
    torch.testing.assert_close(lost, losses(TASK, networks.scores(words), targets).detach())


def test_losses_leave_out_what_is_not_asked():
    torch.manual_seed(0)
    scores, targets = torch.randn(2, 3, 4, 5, dtype=torch.float64, requires_grad=True), torch.randint(5, (2, 3, 4))
    targets[0, 0], targets[1, :, 3] = UNASKED, UNASKED
    found = losses(TASK, scores, targets)
    expected = torch.stack(
        [nn.functional.cross_entropy(s.flatten(0, 1), t.flatten(), ignore_index=UNASKED) for s, t in zip(scores, targets, strict=True)]
    )
    torch.testing.assert_close(found, expected)
    weights = torch.tensor([2.0, -3.0], dtype=torch.float64)
    ours, theirs = (torch.autograd.grad((x * weights).sum(), scores)[0] for x in (found, expected))
    torch.testing.assert_close(ours, theirs)


@pytest.mark.parametrize("size", [1.0, 1e-13])
def test_micro_steps_are_the_layers_also_of_keys_too_short_to_normalise(size):
    torch.manual_seed(0)
    layer = Delta(4, 3, 2, factors=2, least=-1).double()
    raw = torch.randn(1, 2, 3, 16, dtype=torch.float64) * size
    raw.requires_grad_()
    layer.raw = lambda x: x[..., :12].split([6, 4, 2], dim=-1)
    ours, theirs = MicroSteps.apply(raw, torch.tensor([2.0]), 2, 3, 2), layer.micro_steps(raw[0])
    weights = [torch.randn_like(x) for x in theirs]
    for a, b in zip(ours, theirs, strict=True):
        torch.testing.assert_close(a[0], b)
    sums = [sum((x.view_as(w) * w).sum() for x, w in zip(out, weights, strict=True)) for out in (ours, theirs)]
    mine, expected = (torch.autograd.grad(s, raw)[0] for s in sums)
    torch.testing.assert_close(mine, expected)


def test_memory_is_kept_where_glibc_allows_it():
    assert keep_memory() == (platform.libc_ver()[0] == "glibc")


@pytest.mark.parametrize("decay", [0.0, 0.1])
def test_adam_is_pytorchs_for_each_row(decay):
    torch.manual_seed(0)
    rates, gradients = (1e-2, 1e-1, 3.0), 3 * torch.randn(5, 3, 7, dtype=torch.float64)
    gradients[:, 1] *= 0.01
    theta = torch.randn(3, 7, dtype=torch.float64)
    ours = theta.clone()
    adam = Adam(ours, torch.tensor(rates, dtype=torch.float64), replace(RECIPE, decay=decay, averages=(0.9, 0.99)))
    for i, rate in enumerate(rates):
        row = nn.Parameter(theta[i].clone())
        peer = torch.optim.AdamW([row], rate, betas=(0.9, 0.99), weight_decay=decay)
        for gradient in gradients[:, i]:
            row.grad = gradient.clone()
            nn.utils.clip_grad_norm_([row], RECIPE.clip)
            peer.param_groups[0]["lr"] = rate / 2
            peer.step()
        theta[i] = row.detach()
    for gradient in gradients:
        adam.step(gradient, 0.5)
    torch.testing.assert_close(ours, theta, rtol=1e-12, atol=1e-12)


def test_a_network_of_a_stack_is_trained_as_alone_even_beside_one_that_diverges():
    members = [("plain", 0, 1e-2), ("plain", 1, 1e-1), ("plain", 0, float("inf"))]
    together, found = train_stack(stack(*members), TASK, plain)
    for i in (0, 1):
        alone, lost = train_stack(stack(members[i]), TASK, plain)
        torch.testing.assert_close(together.theta[i], alone.theta[0])
        assert found[:, i] == pytest.approx(lost[:, 0], rel=1e-5)
        assert not torch.equal(together.theta[i], Networks(stack(members[i]), TASK, plain).theta[0])
    assert np.isnan(found[-1]).tolist() == [False, False, True]


def test_a_stopped_training_goes_on_with_the_same_numbers(tmp_path):
    made, stages = stack(), []
    whole, found = train_stack(made, TASK, plain, progress=lambda *stage: stages.append(stage))
    assert [done for _, done, _ in stages] == [1, 2, 3, 4, 5, 6]
    assert "median loss" in stages[0][0]
    for until in (2, 4):
        train_stack(made, TASK, plain, tmp_path, pause=0, until=until)
    torch.randn(3)  # the caller's random numbers do not matter
    resumed, again = train_stack(made, TASK, plain, tmp_path, pause=0)
    assert torch.equal(whole.theta, resumed.theta)
    assert np.array_equal(found, again)
    # once done, it is done
    train_stack(made, TASK, plain, tmp_path, lambda *stage: pytest.fail("trained again"))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["made.csv", "made.pt"]
    kept = np.genfromtxt(tmp_path / "made.csv", delimiter=",", names=True)
    assert len(kept) == 6
    names = kept.dtype.names or ()
    assert len(names) == 4
    assert kept[names[0]] == pytest.approx(found[:, 0], rel=1e-4)


def test_a_curve_has_means_of_what_is_done():
    found = np.array([[1.0, 2.0], [3.0, 4.0], [np.nan] * 2, [np.nan] * 2])
    assert np.array_equal(curve(found, 2), [[2, 3], [np.nan] * 2], equal_nan=True)
    assert curve(found).shape == (4, 2)


@pytest.mark.parametrize("other", [{"steps": 7}, {"decay": 0.1}])
def test_a_checkpoint_of_another_stack_is_refused(tmp_path, other):
    train_stack(stack(), TASK, plain, tmp_path)
    with pytest.raises(ValueError, match="expected a checkpoint of the stack 'made'"):
        train_stack(stack(**other), TASK, plain, tmp_path)
    (tmp_path / "made.pt").write_bytes(b"nothing of the kind")
    with pytest.raises(ValueError, match="expected a checkpoint, got another kind of file"):
        train_stack(stack(), TASK, plain, tmp_path)


def test_what_cannot_be_stacked_is_refused():
    def wider(member, task):
        return Plain(len(task.letters), len(task.answers), 3 + member.seed)

    with pytest.raises(ValueError, match="weights of the same names and shapes"):
        Networks(stack(), TASK, wider)
    with pytest.raises(ValueError, match="expected a layer among"):
        Networks(stack(), TASK, lambda m, task: FixedPoint(len(task.letters), 2))
    made = Networks(stack(), TASK, lambda m, task: Tracker(Bedouin(9, 2, 3), 9, 5, scan=True))
    with pytest.raises(ValueError, match="a Bedouin layer that is solved"):
        made.scores(stack().words(TASK, 0)[0])
    made = Networks(stack(), TASK, lambda m, task: Tracker(SecondOrder(9, 3, recurrent=True), 9, 5))
    with pytest.raises(ValueError, match="affine in the state"):
        made.scores(stack().words(TASK, 0)[0])
    with pytest.raises(ValueError, match="under torch"):
        of_all(Entrywise.apply, *(torch.ones(1, 1, 1) for _ in range(3)))


def distances(made, task, build, dtype, words=None):
    """How far scores and gradients of a stack are from those of its networks alone, over the norms of all."""
    networks = Networks(made, task, build, dtype)
    inputs, targets = made.words(task, 0)
    scores, (_, gradient) = networks.scores(inputs), networks.gradient(task, inputs, targets)
    off, whole = np.zeros(2), np.zeros(2)
    for i in range(len(made.members)):
        model = Networks(made, task, build, dtype).models[i].to(dtype)
        alone = model(inputs[i].to(dtype) if networks.real else inputs[i])
        own = torch.cat([g.flatten() for g in torch.autograd.grad(loss_of(model, task, inputs[i], targets[i]), list(model.parameters()))])
        for k, (a, b) in enumerate(((alone, scores[i]), (own, gradient[i]))):
            off[k] += float((a - b).detach().square().sum())
            whole[k] += float(a.detach().square().sum())
    return np.sqrt(off / whole)


#: how far a stack may be from its networks alone
BOUNDS = {torch.float64: 1e-10, torch.float32: 1e-5}
each_type = pytest.mark.parametrize("dtype", BOUNDS, ids=["float64", "float32"])


@pytest.mark.programs
@each_type
@pytest.mark.parametrize("kind", KINDS)
def test_every_layer_says_what_it_says_alone(kind, dtype):
    """At one letter, at a few, and at more words than a loop takes at once."""
    for length, batch in ((1, 1), (2, 3), (7, 11)):
        made = stack(*((kind, seed, 1.0) for seed in (0, 1, 2)), shortest=length, longest=length, batch=batch)
        build = lambda m, task: Model(m.kind, len(task.letters), len(task.answers), 3, depth=2)  # noqa: E731
        assert (distances(made, TASK, build, dtype) < BOUNDS[dtype]).all()


@pytest.mark.programs
@each_type
@pytest.mark.parametrize("depends", [(), ("decay",), ("mixer",), ("write", "read"), PARTS])
def test_bedouin_layers_say_what_they_say_alone(depends, dtype):
    task = copying(5)
    for length, batch in ((2, 1), (9, 6)):
        made = stack(*(("Bedouin", seed, 1.0) for seed in (0, 1)), shortest=length, longest=length, batch=batch)
        build = lambda m, task: Tracker(Bedouin(6, 4, 7, depends=depends), 6, 5)  # noqa: E731
        assert (distances(made, task, build, dtype) < BOUNDS[dtype]).all()


@pytest.mark.programs
@each_type
@pytest.mark.parametrize(("r", "depends", "bound"), [(1, PARTS, 1), (1, (), 3), (2, ("write", "read"), 4), (4, PARTS, 5)])
def test_bounded_passes_say_what_they_say_alone(r, depends, bound, dtype):
    def build(member, task):
        layer = Bedouin(9, 3, 5, r=r, depends=depends)
        layer.bound = bound
        return Tracker(layer, 9, 5, scan=True)

    for length, batch in ((2, 1), (7, 6)):
        made = stack(*(("Bedouin", seed, 1.0) for seed in (0, 1, 2)), shortest=length, longest=length, batch=batch)
        assert (distances(made, TASK, build, dtype) < BOUNDS[dtype]).all()


@pytest.mark.programs
@each_type
def test_the_lstm_says_what_it_says_alone(dtype):
    made = stack(*(("LSTM", seed, 1.0) for seed in (0, 1)), shortest=6, longest=6, batch=4)
    assert (distances(made, TASK, lambda m, task: Tracker(Lstm(9, 7), 9, 5), dtype) < BOUNDS[dtype]).all()


@pytest.mark.programs
@each_type
def test_state_space_layers_say_what_they_say_alone(dtype):
    task = asked_once(task_named("parity"))
    build = lambda m, task: AnsweredOnce(Classifier(len(task.letters), 0, len(task.answers), 6, 2, 4))  # noqa: E731
    for length, batch in ((1, 1), (2, 3), (7, 11), (40, 2)):
        made = stack(*(("S4D", seed, 1.0) for seed in (0, 1, 2)), shortest=length, longest=length, batch=batch)
        assert (distances(made, task, build, dtype) < BOUNDS[dtype]).all()


@pytest.mark.programs
@pytest.mark.parametrize(("m", "T", "batch"), [(1, 1, 1), (3, 2, 1), (2, 9, 5)])
def test_responses_are_sums_over_what_came_before(m, T, batch):
    kernel, x = torch.randn(2, m, T, dtype=torch.float64), torch.randn(2, batch, T, m, dtype=torch.float64)
    expected = [[sum(kernel[r, :, s] * x[r, :, t - s] for s in range(t + 1)) for t in range(T)] for r in range(2)]
    torch.testing.assert_close(Response.apply(kernel, x), torch.stack([torch.stack(y, dim=1) for y in expected]))
    assert torch.autograd.gradcheck(Response.apply, (kernel.requires_grad_(), x.requires_grad_()))


@pytest.mark.programs
def test_bounded_passes_are_those_of_the_iteration():
    torch.manual_seed(0)
    layer, x = Bedouin(3, 2, 4, r=2), torch.randn(2, 5, 3)
    layer.most, layer.tolerance = 3, 0.0
    with torch.no_grad():
        iterated = layer(x)
        layer.bound = 3
        bounded = layer(x)
        layer.passed = MethodType(passed_quickly, layer)
        torch.testing.assert_close(bounded, iterated)
        torch.testing.assert_close(layer(x), iterated)


@pytest.mark.programs
def test_real_inputs_and_rows_of_both_ranges_share_a_stack():
    real = task_named("copy-first-input")
    build = lambda m, task: Model(m.kind, 0, 0, 3, features=2)  # noqa: E731
    made = stack(("BMRU", 0, 1.0), ("BMRU", 1, 1.0), shortest=5, longest=5)
    assert (distances(made, real, build, torch.float64) < 1e-10).all()
    for name in ("DeltaNet", "Mamba", "Gated DeltaNet"):
        rows = [(f"{name} [{least}, 1]", seed, 1.0) for least in (0, -1) for seed in (0, 1)]
        both = lambda m, task: Model(m.kind, len(task.letters), len(task.answers), 3)  # noqa: E731
        assert (distances(stack(*rows), TASK, both, torch.float64) < 1e-10).all()


@pytest.mark.programs
def test_a_recurrence_with_another_gradient_would_be_noticed(monkeypatch):
    right = Entrywise.backward
    monkeypatch.setattr(Entrywise, "backward", staticmethod(lambda ctx, g: tuple(1.01 * x for x in right(ctx, g))))
    build = lambda m, task: Model(m.kind, len(task.letters), len(task.answers), 3)  # noqa: E731
    scores, gradients = distances(stack(("diagonal [-1, 1]", 0, 1.0)), TASK, build, torch.float32)
    assert scores < 1e-5 < 1e-4 < gradients


@pytest.mark.programs
def test_a_stack_learns_parity_and_its_networks_stand_alone():
    parity = task_named("parity")
    made = stack(*(("DeltaNet [-1, 1]", seed, 2e-2) for seed in (0, 1, 2)), steps=150, longest=8, batch=32)
    networks, found = train_stack(made, parity, lambda m, task: Model(m.kind, 2, 2, 4))
    assert np.median(found[-20:]) < 0.3 < np.median(found[:20])
    words, _ = (torch.from_numpy(x) for x in parity.sample(64, 8, np.random.default_rng(0)))
    scores = networks.scores(words.expand(3, -1, -1))
    for i in range(3):
        torch.testing.assert_close(networks.network(i)(words), scores[i], rtol=1e-4, atol=1e-4)
