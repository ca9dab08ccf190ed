"""Texts and n-gram models against their definitions, S4D against its recurrence, and the experiment on language in miniature and with made-up numbers."""

from collections import Counter
from math import log2

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the extra 'torch'")

import xarray as xr  # noqa: E402
from lemmata.experiments import characters  # noqa: E402
from lemmata.experiments.bilinear_layers import parameters_counted  # noqa: E402
from lemmata.experiments.state_space_layers import S4D, Convolution, DeepS4D  # noqa: E402
from lemmata.experiments.text import best_ngram, following, ngram_bits, text_of  # noqa: E402


def test_the_play_is_the_play_and_its_parts_are_one_after_the_other():
    text = text_of()
    whole = "".join(text.letters[i] for part in (text.training, text.choosing, text.test) for i in part)
    assert whole.startswith("THE TRAGEDY OF CORIOLANUS\n\nby William Shakespeare")
    assert whole.endswith("A dead march sounded.]")
    assert whole.isascii()
    assert [len(part) / len(whole) for part in (text.training, text.choosing)] == pytest.approx([0.8, 0.1], abs=1e-4)
    words, targets = text.task().sample(50, 9, np.random.default_rng(0))
    assert words.shape == targets.shape == (50, 9)
    assert np.array_equal(words[:, 1:], targets[:, :-1])
    trained = "".join(text.letters[i] for i in text.training)
    assert all("".join(text.letters[i] for i in [*word, last]) in trained for word, last in zip(words[:5], targets[:5, -1], strict=True))


def test_texts_of_the_users_own(tmp_path):
    (tmp_path / "b.txt").write_text("é" + "b" * 3000, encoding="utf-8")
    (tmp_path / "a.txt").write_text("a" * 3000, encoding="utf-8")
    text = text_of(tmp_path)
    assert text.letters == "\nabé"
    assert text.name.startswith(tmp_path.name)
    assert (text.training[:3000] == 1).all()
    assert text.training[3001] == 3
    # another text has another name, under which its checkpoints are kept
    assert text_of(tmp_path / "a.txt").name != text.name
    with pytest.raises(ValueError, match=r"expected a text, or a folder with \.txt files"):
        text_of(tmp_path / "c.txt")
    (tmp_path / "d.txt").write_bytes(b"\xff" * 5000)
    with pytest.raises(ValueError, match="expected UTF-8 in "):
        text_of(tmp_path / "d.txt")
    (tmp_path / "e.txt").write_text("short", encoding="utf-8")
    with pytest.raises(ValueError, match="expected a text of at least 2000 characters, got 5"):
        text_of(tmp_path / "e.txt")


@pytest.mark.parametrize("order", [0, 1, 2, 3])
def test_ngrams_are_counts(order):
    rng = np.random.default_rng(order)
    counted, read, letters, k = rng.integers(3, size=200), rng.integers(4, size=60), 4, 0.1
    grams = lambda n: Counter(tuple(counted[i : i + n]) for i in range(len(counted) - n + 1))  # noqa: E731
    long = grams(order + 1)
    # contexts that a letter follows
    before = Counter({c: sum(v for g, v in long.items() if g[:-1] == c) for c in {g[:-1] for g in long}})
    said = [
        (long[tuple(read[t - order : t + 1])] + k) / (before[tuple(read[t - order : t])] + k * letters) for t in range(order, len(read))
    ]
    assert ngram_bits(counted, read, letters, order, k) == pytest.approx(-np.mean([log2(p) for p in said]))


def test_more_letters_before_help_up_to_three_on_the_play():
    bits = [best_ngram(text_of(), order)[0] for order in (0, 1, 2, 3)]
    assert bits == sorted(bits, reverse=True)
    assert bits[3] < 2.7


def test_s4d_is_its_recurrence_whichever_way_it_runs():
    torch.manual_seed(0)
    layer, x = S4D(3, 4).double(), torch.randn(2, 9, 3, dtype=torch.float64)
    A = -np.exp(layer.log_decay.detach().numpy()) + 1j * layer.frequency.detach().numpy()
    step, C, D = np.exp(layer.log_step.detach().numpy()), layer.C.detach().numpy(), layer.D.detach().numpy()
    assert np.allclose(A.imag[0], [0, np.pi])
    assert np.allclose(A.real, -0.5)
    said, h = np.empty((2, 9, 3)), np.zeros((2, 3, 2), dtype=complex)
    for t in range(9):
        # the input is held for a step: the integral of exp(s A) u over s from 0 to the step
        u = x[:, t].numpy()[..., None]
        h = np.exp(step * A) * h + (np.exp(step * A) - 1) / A * u
        said[:, t] = 2 * ((C[0] + 1j * C[1]) * h).sum(-1).real + D * u[..., 0]
    for scan in (True, False):
        np.testing.assert_allclose(layer(x, scan).detach().numpy(), said, rtol=1e-11, atol=1e-13)
    stack = DeepS4D(3, 2, 4, 2, 4).double()
    np.testing.assert_allclose(stack(x).detach().numpy(), stack(x, scan=False).detach().numpy(), rtol=1e-10)
    # causal: what comes later changes nothing
    changed = x.clone()
    changed[:, 5:] += 1
    assert torch.allclose(stack(x)[:, :5], stack(changed)[:, :5])
    assert not torch.allclose(stack(x)[:, 5:], stack(changed)[:, 5:])
    pooled = DeepS4D(3, 2, 4, 2, 4, mean=True).double()
    assert pooled(x).shape == (2, 2)


def test_the_convolution_has_the_gradient_of_the_sum():
    draw = torch.Generator().manual_seed(1)
    kernel, x = (torch.randn(*shape, dtype=torch.float64, generator=draw, requires_grad=True) for shape in ((2, 5), (3, 5, 2)))
    assert torch.autograd.gradcheck(Convolution.apply, (kernel, x))
    plain = torch.stack([sum(kernel[:, s] * x[:, t - s] for s in range(t + 1)) for t in range(5)], dim=1)
    # three transforms of 10 numbers, each off by at most 5 log2(10) roundings of its norm; the sum itself by 5
    bound = (3 * 5 * np.log2(10) + 5) * 2.0**-53 * float((kernel.norm(dim=1) * x.norm(dim=1)).detach().max())
    np.testing.assert_allclose(Convolution.apply(kernel, x).detach().numpy(), plain.detach().numpy(), rtol=0, atol=bound)


def test_wrong_stacks_are_refused():
    with pytest.raises(ValueError, match="expected an even number of states, got 3"):
        S4D(2, 3)
    with pytest.raises(ValueError, match="expected at least one layer, got 0"):
        DeepS4D(2, 2, 2, 0, 2)


def test_widths_are_matched_by_parameters():
    for kind in characters.KINDS:
        goal = characters.counted(kind, 66, 32, 1)
        n = characters.matched_width(kind, 66, 32, 4)
        away = [abs(characters.counted(kind, 66, m, 4) - goal) for m in (n - 1, n, n + 1)]
        assert away[1] == min(away)
        assert n < 32
        assert goal == parameters_counted(characters.Characters(kind, 66, 32, 1))


def test_bits_are_those_of_the_second_halves():
    text = text_of()
    model = characters.Characters("RNN", len(text.letters), 4, 1)
    starts = np.array([0, 100, 7])
    words, targets = following(text.test, starts, 6)
    chances = model(torch.from_numpy(words)).softmax(-1).detach().numpy()
    said = [-log2(chances[i, t, targets[i, t]]) for i in range(3) for t in (3, 4, 5)]
    assert characters.bits(model, text.task(), text.test, starts, 6) == pytest.approx(np.mean(said), rel=1e-5)


def made_up(bits):
    at = {"kind": list(characters.KINDS), "matched": list(characters.MATCHED), "depth": [1, 2, 4], "base": [16, 32]}
    shape = tuple(len(values) for values in at.values())
    return xr.Dataset(
        {
            "bits": ((*at, "seed"), np.broadcast_to(bits, (*shape, 3)).copy()),
            "training": ((*at, "seed"), np.full((*shape, 3), 2.0)),
            "width": (tuple(at), np.full(shape, 16)),
            "parameters": (tuple(at), np.full(shape, 1000), {"long_name": "parameters"}),
            "ngram": ("order", [4.8, 3.6, 2.9, 2.6]),
        },
        {**at, "seed": [0, 1, 2], "order": [0, 1, 2, 3]},
        {"steps": 1, "text": "made up"},
    )


def test_the_sentence_on_language_follows_the_numbers():
    said = characters.EXPERIMENT.outcome(made_up(2.5))
    assert "no (bits that depth 4 gains, same width +0.00, +0.00; same parameters +0.00, +0.00)" in said
    assert "'depth helps RNNs by width and by parameters': no" in said
    assert "better than the best of these: 18 of 18 sizes" not in said
    assert "better than the best of these: 36 of 36 sizes" in said
    assert "no claim predicts any of this" in said
    data = made_up(2.5)
    data["bits"] = data.bits - 0.1 * data.depth
    data.bits.loc[{"kind": "CPRNN", "depth": 4}] = data.bits.sel(kind="CPRNN", depth=2) + 0.01
    data.bits.loc[{"kind": "S4D", "matched": "parameters"}] = 2.7
    said = characters.EXPERIMENT.outcome(data)
    assert "'depth helps RNNs by width and by parameters': yes" in said
    assert "'CPRNNs saturate after the second depth': yes" in said
    assert "'depth helps S4 by width, with no clear benefit by parameters': yes" in said
    assert "'small S4 is worse than RNNs and CPRNNs at every depth': yes" in said
    # one seed of three does not decide
    data.bits.loc[{"kind": "RNN", "depth": 4, "seed": 0}] = 5.0
    assert characters.EXPERIMENT.outcome(data) == said


def test_language_in_miniature():
    data = characters.EXPERIMENT.compute("smoke")
    assert dict(data.bits.sizes) == {"kind": 3, "matched": 2, "depth": 2, "base": 1, "seed": 1}
    assert bool((data.bits > 1).all())
    assert bool((data.width.sel(matched="parameters", depth=2) <= data.width.sel(matched="width", depth=2)).all())
    assert len(characters.draw(data).axes) == 6
    assert "no claim" in characters.EXPERIMENT.outcome(data)
