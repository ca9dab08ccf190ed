"""``lemmata data``: what it prints, writes and refuses."""

import json

import pytest


def test_it_prints_counts_and_shortcuts(run):
    code, out, _ = run("data", "--regex", "a*b*", "--length", "1:8", "--count", "20", "--test-length", "9", "--test-count", "10")
    assert code == 0
    assert "3 states, 2 letters; aperiodic" in out
    assert "train words: 20, lengths 1 to 8, uniform over words" in out
    assert "what shortcuts get right" in out


def test_json_and_folder(run, tmp_path):
    pytest.importorskip("pyarrow")
    target = tmp_path / "words"
    code, out, _ = run("data", "--task", "parity", "--count", "50", "--test-count", "5", "--out", str(target), "--json")
    assert code == 0
    said = json.loads(out)
    assert said["shortcuts: last state"]["256"] == {"length": 0.5, "last letter": 0.5, "letter counts": 1.0}
    card = (target / "README.md").read_text(encoding="utf-8")
    assert "To give acceptance after every letter" in card
    assert "| model | answer | layers | one layer |" in card
    assert "path: test.parquet" in card


@pytest.mark.parametrize(
    ("arguments", "asked", "row"),
    [
        (["--group", "S5"], "the state", "| column one-hot times diagonal | yes | 1 | yes |"),
        (["--regex", "(aa)*"], "acceptance", "| delta rule, [0, 1] | no |"),
        (["--regex", "a*b*"], "acceptance", "| delta rule, [0, 1] | yes | 2 or more | no |"),
        (["--task", "tomita-1"], "acceptance", "| delta rule, [0, 1] | yes | 1 | yes |"),
    ],
)
def test_the_card_says_which_models_do_exactly_this(run, tmp_path, arguments, asked, row):
    pytest.importorskip("pyarrow")
    words = ["--length", "3:6", "--count", "1", "--test-length", "7", "--test-count", "1"]
    assert run("data", *arguments, *words, "--out", str(tmp_path / "words"))[0] == 0
    card = (tmp_path / "words" / "README.md").read_text(encoding="utf-8")
    assert f"To give {asked} after every letter" in card
    assert row in card


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--task", "parity", "--length", "5:3"], "expected --length as a length or as A:B with A <= B, got '5:3'"),
        (["--task", "parity", "--length", "٣"], "expected --length"),
        (["--task", "parity", "--count", "-1"], "expected --count from 0 to"),
        (["--task", "parity", "--length", "3", "--count", "9"], "at most 8 different train words"),
        (["--task", "parity", "--seed", "-1"], "expected a --seed of at least 0"),
        (["--task", "nothing"], "expected a task among"),
        (["--group", "16.15"], "expected a number from 1 to 14"),
        (["--task", "parity", "--regex", "a"], "expected exactly one of"),
        ([], "expected exactly one of"),
        (["--task", "parity", "--out", "words.csv"], "expected a file that ends with"),
    ],
)
def test_bad_input_is_one_line(run, arguments, words):
    code, out, err = run("data", *arguments)
    assert code == 2
    assert words in err
    # on a slow machine the stages are named before
    assert err.strip().splitlines()[-1].startswith(("lemmata: ", "lemmata data: "))
    assert not out
