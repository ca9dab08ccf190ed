"""``lemmata compile`` and ``sweep``: networks and grids."""

import json
import os

import pytest


def test_compile(run, tmp_path):
    target = tmp_path / "n" / "network.json"
    code, out, _ = run("compile", "--regex", "(ab|c)*", "--out", str(target))
    assert code == 0
    assert "right at every length" in out
    assert json.loads(target.read_text(encoding="utf-8"))["format"] == "lemmata-network"
    assert target.stat().st_mode & 0o777 == 0o666 & ~current_umask()
    assert run("recheck", str(target))[0] == 0
    assert "120 reachable states" in run("compile", "--group", "S5")[1]
    (tmp_path / "dfa.json").write_text('{"table": {"a": [1, 0]}, "accepting": [0]}', encoding="utf-8")
    assert run("compile", "--dfa", str(tmp_path / "dfa.json"))[0] == 0


def current_umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_compile_writes_weights_for_pytorch(run, tmp_path):
    torch = pytest.importorskip("torch", reason="needs the extra 'torch'")
    assert run("compile", "--task", "parity", "--out", str(tmp_path / "parity.json"))[0] == 0
    weights = torch.load(tmp_path / "parity.json.pt", weights_only=True)
    assert weights["layers.0.A"].tolist() == [[[1.0]], [[-1.0]]]


def test_without_pytorch_it_names_the_extra(run, tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "torch", None)
    code, _, err = run("compile", "--task", "parity", "--out", str(tmp_path / "parity.json"))
    assert (code, err) == (0, "PyTorch weights were not written: they need the extra lemmata[torch]\n")


def test_how_long_it_is_right_is_said_for_every_path_and_data_type(run):
    _, out, _ = run("compile", "--group", "Z5", "--prefer", "narrow")
    table = out[out.index("right up to so many letters") :].splitlines()
    assert table[1].split() == ["path", "float64", "float32", "float16", "bfloat16"]
    assert [line.split()[0] for line in table[2:6]] == ["loop", "scan", "delta", "fused"]
    assert table[2].count("every length") == 4
    assert table[4].split()[-1] == "167"
    _, out, _ = run("compile", "--regex", "ab*", "--construction", "one-hot")
    assert "fused" in out
    assert next(line for line in out.splitlines() if line.split()[:1] == ["fused"]).split()[1:] == ["-"] * 4


@pytest.mark.parametrize("task", ["parity", "even-pairs", "cycle-navigation", "modular-arithmetic"])
@pytest.mark.parametrize("construction", ["best", "holonomy", "one-hot"])
def test_tasks(run, task, construction):
    code, out, _ = run("compile", "--task", task, "--construction", construction, "--json")
    assert code == 0
    summary = json.loads(out)
    assert all(layer["contracting"] for layer in summary["layers"]) == (construction != "one-hot" or task in ("parity", "cycle-navigation"))
    promised = summary["right_up_to"]
    assert set(promised) == {"loop", "scan", "delta", "fused"}
    assert all(promised[path]["float64"] == "every length" or promised[path]["float64"] > 10**11 for path in ("loop", "scan"))
    assert (promised["delta"]["float32"] is None) == (not all(layer["contracting"] for layer in summary["layers"]))


def test_the_construction_is_chosen(run, tmp_path):
    def summary(*arguments):
        return json.loads(run("compile", *arguments, "--json")[1])

    counter = ("--automaton", str(tmp_path / "counter.json"))
    (tmp_path / "counter.json").write_text(json.dumps({"table": {"+": [*range(1, 12), 0], "r": [0] * 12}}), encoding="utf-8")
    assert [summary(*counter, "--prefer", p)["construction"] for p in ("exact", "shallow", "narrow")] == [
        "unrounded",
        "rotation",
        "rotation",
    ]
    # the exact one is built, and the narrow one is mentioned with its lengths where it is less than half as wide
    both = summary(*counter)
    assert ([layer["width"] for layer in both["layers"]], both["narrower"]["widths"]) == ([5], [2])
    assert {n for row in both["right_up_to"].values() for n in row.values()} == {"every length"}
    assert isinstance(both["narrower"]["right_up_to"]["fused"]["bfloat16"], int)
    assert "--prefer narrow: rotation, widths 2" in run("compile", *counter)[1]
    assert summary(*counter, "--prefer", "narrow")["narrower"] is None
    assert summary("--group", "S5")["narrower"] is None
    # a polygon for each factor
    assert [layer["width"] for layer in summary("--group", "C4xC4", "--construction", "rotation")["layers"]] == [4]
    assert [layer["width"] for layer in summary("--group", "D5", "--construction", "dihedral")["layers"]] == [2, 2]
    assert summary("--group", "S5", "--prefer", "narrow")["construction"] == "two-reflections"


def test_levels_and_their_groups_are_named(run, tmp_path):
    (tmp_path / "dfa.json").write_text('{"table": {"a": [3, 3, 3, 1], "b": [0, 2, 1, 2]}}', encoding="utf-8")
    shared, disjoint = (run("compile", "--dfa", str(tmp_path / "dfa.json"), "--construction", c)[1] for c in ("holonomy", "disjoint"))
    assert "Z2 (2 times)  S3 (shared positions)" in shared
    assert "Z2 x Z2" in disjoint
    assert "shared" not in disjoint
    levels = json.loads(run("compile", "--dfa", str(tmp_path / "dfa.json"), "--construction", "holonomy", "--json")[1])["decomposition"]
    assert [level["group"] for level in levels] == ["trivial", "S3"]
    assert [g["group"] for g in levels[1]["groups"]] == ["Z2", "Z2"]


@pytest.mark.parametrize(
    ("suffix", "arguments"),
    [
        ("png", ("--regex", "(ab|c)*d?")),
        ("svg", ("--group", "Z7")),
        ("svg", ("--task", "parity")),
        ("svg", ("--regex", "a*", "--construction", "excluded")),
    ],
)
def test_drawings(run, tmp_path, suffix, arguments):
    target = tmp_path / f"drawing.{suffix}"
    assert run("compile", *arguments, "--draw", str(target))[0] == 0
    assert target.stat().st_size > 5000


def test_a_compile_that_fails_writes_nothing(run, tmp_path):
    # all 2^16 subsets are images: too many for holonomy
    n = 16
    table = {"turn": [(i + 1) % n for i in range(n)], "swap": [1, 0, *range(2, n)], "drop": [0, 0, *range(2, n)]}
    (tmp_path / "dfa.json").write_text(json.dumps({"table": table}), encoding="utf-8")
    code, _, err = run(
        "compile", "--dfa", str(tmp_path / "dfa.json"), "--construction", "holonomy", "--out", str(tmp_path / "network.json")
    )
    assert (code, err.count("\n")) == (2, 1)
    assert [p.name for p in tmp_path.iterdir()] == ["dfa.json"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("compile",),
        ("compile", "--regex", "a", "--group", "S3"),
        ("compile", "--regex", "(a"),
        ("compile", "--group", "Q7"),
        ("compile", "--group", "A5", "--construction", "solvable"),
        ("compile", "--regex", "(ab)*", "--construction", "rotation"),
        ("compile", "--task", "chess"),
        ("compile", "--group", "S3", "--to", "fla:GatedDeltaProduct"),
        ("compile", "--group", "S3", "--to", "fla:GatedDeltaProduct", "--out", "-"),
        ("compile", "--group", "S3", "--to", "onnx", "--out", "layer"),
        ("compile", "--group", "S3", "--to", "fla:DeltaNet", "--out", "layer", "--draw", "picture.png"),
        ("compile", "--group", "S3", "--dtype", "bfloat16"),
        ("compile", "--regex", "a{2"),
        ("compile", "--regex", "a", "--alphabet", "aa"),
        ("compile", "--task", "parity", "--alphabet", "01"),
        ("compile", "--regex", "a", "--complete"),
        ("compile", "--group", "S3", "--minimise"),
        ("compile", "--generators", "(0 1"),
        ("compile", "--generators", "(0 1)", "--group", "S3"),
        ("compile", "--task", "parity", "--draw", "picture.gif"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_two(run, arguments):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("lemmata: expected")
    assert err.count("\n") == 1


def strict(text):
    def refuse(word):
        raise AssertionError(f"{word} is no JSON")

    return json.loads(text, parse_constant=refuse)


def test_moore_machines_show_what_they_say(run, tmp_path):
    summary = json.loads(run("compile", "--task", "cycle-navigation", "--json")[1])
    assert summary["outputs"] == ["0", "4", "1", "3", "2"]
    assert "outputs: 0, 4, 1, 3, 2\n" in run("compile", "--task", "cycle-navigation")[1]
    assert json.loads(run("compile", "--task", "parity", "--json")[1])["outputs"] is None
    target = tmp_path / "network.json"
    assert run("compile", "--task", "cycle-navigation", "--out", str(target))[0] == 0
    assert json.loads(target.read_text(encoding="utf-8"))["automaton"]["outputs"] == ["0", "4", "1", "3", "2"]


def test_files_are_completed_and_minimised_on_request(run, tmp_path):
    source = tmp_path / "machine.json"
    source.write_text('{"table": {"a": [1, 2, null], "b": [1, 1, 1]}, "accepting": [1]}', encoding="utf-8")
    code, _, err = run("compile", "--automaton", str(source))
    assert (code, err.count("\n")) == (2, 1)
    assert "got none for the letter 'a' in state 2" in err
    assert json.loads(run("compile", "--automaton", str(source), "--complete", "--json")[1])["states"] == 4
    source.write_text('{"table": {"a": [1, 2, 1], "b": [0, 0, 0]}, "accepting": [1, 2]}', encoding="utf-8")
    assert json.loads(run("compile", "--dfa", str(source), "--json")[1])["states"] == 3
    assert json.loads(run("compile", "--dfa", str(source), "--minimise", "--json")[1])["states"] == 2
    source.write_text('{"table": {"a": [[0, 1], []], "b": [[0], []]}, "accepting": [1]}', encoding="utf-8")
    assert json.loads(run("compile", "--automaton", str(source), "--json")[1])["states"] == 2


def test_alphabets_and_groups_by_generators(run):
    assert json.loads(run("compile", "--regex", "[^a]*", "--alphabet", "cab", "--json")[1])["letters"] == ["a", "b", "c"]
    summary = json.loads(run("compile", "--generators", "(0 1)(2 3), (0 1 2)", "--json")[1])
    assert (summary["states"], summary["letters"]) == (12, ["(0 1)(2 3)", "(0 1 2)"])
    assert json.loads(run("compile", "--group", "S3xC4", "--json")[1])["states"] == 24


def test_a_file_that_is_no_text(run, tmp_path):
    (tmp_path / "machine.json").write_bytes(b"\xff\xfe")
    code, out, err = run("compile", "--automaton", str(tmp_path / "machine.json"))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "expected a JSON file in UTF-8" in err


def test_one_state_has_an_infinite_margin_in_words(run):
    (layer,) = strict(run("compile", "--group", "Z1", "--json")[1])["layers"]
    assert layer["margin"] == "inf"
    assert "one state" in run("compile", "--group", "Z1")[1]


def test_a_sweep_of_equal_nodes_has_infinite_condition_in_words(run, tmp_path):
    code, out, _ = run(
        "sweep", "conditioning", "--r-min", "0", "--r-max", "0", "-N", "2", "-L", "2", "--draws", "2", "--out", str(tmp_path), "--json"
    )
    assert code == 0
    assert strict(out)["medians"][0]["log10_kappa"] == "inf"


def test_an_input_is_a_task_a_group_or_else_an_expression(run):
    for given, took in (("parity", "task parity"), ("S3", "group S3"), ("(a|b)*abb", "regex (a|b)*abb")):
        code, out, _ = run("compile", given)
        assert (code, out.splitlines()[0]) == (0, f"input: {took}")
        kind, _, name = took.partition(" ")
        assert out.partition("\n")[2] == run("compile", f"--{kind}", name)[1]
        assert json.loads(run("compile", given, "--json")[1])["took"] == took
    assert run("compile", "partiy")[0] == run("compile", "S3", "--group", "S3")[0] == run("compile", "parity", "--elements")[0] == 2


def test_every_element_is_a_letter(run):
    code, out, _ = run("compile", "--group", "S3", "--elements", "--json")
    assert code == 0
    assert sorted(json.loads(out)["letters"]) == ["()", "(0 1 2)", "(0 1)", "(0 2 1)", "(0 2)", "(1 2)"]
    code, _, err = run("compile", "--task", "parity", "--elements")
    assert code == 2
    assert err == "lemmata: expected --elements with --group or --generators only, got it with --task\n"
