"""``lemmata certify``."""

import json

import pytest
from lemmata.constructions.automata import compile_group
from lemmata.constructions.automata.read.sources import named_group

torch = pytest.importorskip("torch", reason="needs the extra 'torch'")

from lemmata.api.certified_trained import facts, sentences  # noqa: E402
from lemmata.constructions.automata.certify.certifying import Certificate, Trial  # noqa: E402
from lemmata.constructions.automata.certify.trained_weights import TrainedNetwork  # noqa: E402

NETWORK = compile_group(named_group("S3"))


@pytest.fixture
def checkpoint(tmp_path):
    """A checkpoint of disturbed weights for S3; ``swap`` exchanges two answers."""

    def made(noise=0.01, swap=False, **more):
        model, generator = NETWORK.to_torch(trainable=True), torch.Generator().manual_seed(0)
        with torch.no_grad():
            for p in model.parameters():
                p += noise * torch.randn(p.shape, generator=generator)
            if swap:
                model.layers[0].following[[1, 2]] = model.layers[0].following[[2, 1]].clone()
        torch.save({"state_dict": model.state_dict(), **more} if more else model.state_dict(), tmp_path / "model.pt")
        return str(tmp_path / "model.pt")

    return made


def test_right_and_written(run, checkpoint, tmp_path):
    target = str(tmp_path / "exact.json")
    code, out, _ = run("certify", checkpoint(), "--group", "S3", "--out", target)
    # the weights as they are drift, and are wrong
    assert code == 1
    assert "right at every length, margin 0.4" in out
    assert "in float64 wrong after the" in out
    assert run("certify", checkpoint(), "--group", "S3", "--of", "nearby")[0] == 0
    assert run("recheck", target)[0] == 0
    code, out, _ = run("certify", target, "--group", "S3", "--json")
    assert code == 0
    assert json.loads(out)["verdict"] == "right"


def test_wrong_on_a_word(run, checkpoint, tmp_path):
    target = tmp_path / "exact.json"
    code, out, _ = run("certify", checkpoint(swap=True, epoch=3), "--group", "S3", "--out", str(target))
    assert code == 1
    assert "wrong on this word: cycle (1 letter): says (0, 1, 2), right is (1, 2, 0)" in out
    assert not target.exists()


def test_rounding_that_changes_a_decision_is_no_verdict_on_the_weights():
    """A word on which the rounded weights are wrong says nothing against weights that are right on it."""
    weights = TrainedNetwork({name: x.double().numpy() for name, x in NETWORK.to_torch(trainable=True).state_dict().items()})
    right = NETWORK.automaton.run(["cycle"])[0]
    found = Certificate("wrong", NETWORK.automaton, [], word=["cycle"], says=0, expected=right)
    trial = Trial(3, 10)
    report = facts(weights, found, trial, NETWORK.automaton)
    assert (report["verdict"], report["wrong"]) == ("open", None)
    assert "rounding changes what they decide" in " ".join(sentences(report, found, trial))


def test_data(run, checkpoint):
    code, out, _ = run("certify", checkpoint(0), "--group", "S3", "--json")
    found = json.loads(out)
    assert (code, found["verdict"], found["states"], found["unrounded"]["wrong on"]) == (0, "right", 6, None)


def test_an_exported_network_for_another_automaton(run, tmp_path):
    network = tmp_path / "network.json"
    assert run("compile", "--regex", "(a|b)*ab", "--out", str(network))[0] == 0
    code, out, _ = run("certify", str(network), "--regex", "(a|b)*a(a|b)")
    assert code == 1
    assert "wrong on this word: aa (2 letters): not accepted, right is accepted" in out
    assert run("certify", str(network), "--regex", "(ba|a|b)*ab")[0] == 0
    network.write_text(network.read_text().replace('"start": 0', '"start": 1'))
    assert run("certify", str(network), "--regex", "(a|b)*ab")[0] == 2


class Code:
    """A pickle that wants to run code."""

    def __reduce__(self):
        return print, ("never",)


@pytest.mark.parametrize("content", ["code", "text", "other weights", "a list"])
def test_bad_checkpoints_are_one_line(run, tmp_path, content):
    path = tmp_path / "model.pt"
    if content == "text":
        path.write_text("hello")
    else:
        torch.save({"code": Code(), "other weights": torch.nn.Linear(2, 2).state_dict(), "a list": [1]}[content], path)
    code, out, err = run("certify", str(path), "--task", "parity")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "expected" in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--task", "parity"], "another task"),
        (["--task", "partiy"], "expected a task among parity"),
        ([], "exactly one of"),
        (["--group", "S3", "--json", "--out", "-"], "--json or --out -"),
    ],
)
def test_bad_requests_are_one_line(run, checkpoint, arguments, said):
    code, _, err = run("certify", checkpoint(), *arguments)
    assert code == 2
    assert said in err
    assert err.count("\n") == 1


def test_nothing_is_overwritten(run, checkpoint, tmp_path):
    path = checkpoint()
    before = (tmp_path / "model.pt").read_bytes()
    assert run("certify", path, "--group", "S3", "--out", path)[0] == 2
    assert run("certify", path, "--group", "S3", "--out", str(tmp_path))[0] == 2
    assert (tmp_path / "model.pt").read_bytes() == before
