"""``lemmata compile --bmru``: bistable layers, or words."""

import json

import pytest


def test_bistable_layers_are_written_and_rechecked(run, tmp_path):
    target = tmp_path / "network.json"
    code, out, _ = run("compile", "--bmru", "--regex", "a+b+", "--out", str(target))
    assert code == 0
    assert "cascade of resets: levels of 3, 2, 2 states" in out
    assert "proved: 7 states of all layers together, 14 transitions, all right; so the output is right at every length" in out
    assert json.loads(target.read_text(encoding="utf-8"))["format"] == "lemmata-bistable"
    assert run("recheck", str(target))[0] == 0


def test_the_summary_is_plain_data(run):
    summary = json.loads(run("compile", "--bmru", "--hybrid", "--regex", "(0|1)*11", "--json")[1])
    assert (summary["clock"], summary["states"], summary["states_closed"]) == (2, 3, 13)
    assert sum(layer["units"] for layer in summary["layers"]) == summary["units"]
    assert all(layer["units"] == layer["levels"] + layer["before"] + layer["and"] for layer in summary["layers"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--bmru", "--task", "parity"), "with '1' accepted and '11' rejected"),
        (("--bmru", "--regex", "(a+b+a+b+)*"), "with 'a' ('ba')^i 'b' accepted, rejected for i = 1, ..., 2"),
        (("--bmru", "--hybrid", "--task", "parity"), "that counts '1' and not '0'"),
        (("--bmru", "--group", "S3"), "invariant under stuttering"),
        (("--hybrid", "--task", "parity"), "--hybrid with --bmru"),
        (("--bmru", "--task", "even-pairs", "--prefer", "narrow"), "without --construction, --prefer and --draw"),
    ],
)
def test_refusals_are_one_line(run, arguments, message):
    code, out, err = run("compile", *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
