"""``lemmata can``."""

import io
import json
import sys

import lemmata as lm
import pytest
from lemmata import cli


def test_a_model_and_a_task(run):
    code, out, _ = run("can", "S5", "--model", "DeltaNet")
    assert code == 0
    assert "4 rows have this name" in out
    assert "new.automata.settled" in out
    assert "no PROVED" in out
    assert "yes CHECKED" in out


def test_the_command_that_builds_it(run):
    _, out, _ = run("can", "s_5", "--model", "DeltaProduct_4")
    assert "build it: lemmata compile --group S5 --elements" in out
    said = " ".join(out.split())
    assert "1 layer of width 5, right at every length in float64, float32, float16 and bfloat16, run factor by factor" in said


def test_data_types_and_lengths_of_what_is_built(run):
    code, out, _ = run("can", "A5", "--model", "DeltaProduct_2", "--json")
    assert code == 0
    cells = {(c["layers"], c["precision"]): c for c in json.loads(out)}
    (built,) = cells["one", "exact"]["built"]
    assert built["widths"] == [3]
    assert built["right up to"]["delta"]["bfloat16"] < built["right up to"]["delta"]["float32"] < built["right up to"]["delta"]["float64"]
    assert cells["one", "rounded"]["answer"] == "open"  # up to some length is no answer


def test_a_yes_that_no_command_builds_says_what_is_promised(run):
    _, out, _ = run("can", "S5", "--model", "RWKV-7 (c = 2)")
    assert "no command builds it; what it rests on promises every length" in " ".join(out.split())


def test_a_task_that_stands_for_many_is_built_for_an_instance(run):
    _, out, _ = run("can", "copying", "--model", "DeltaProduct")
    said = " ".join(out.split())
    assert "for p = 3, two letters: " in said
    assert "build any of them: lemmata compile --regex R" in said


def test_open_says_so(run):
    code, out, _ = run("can", "product", "--model", "S4")
    assert code == 3
    assert "open" in out


def test_a_row_a_column_and_the_table(run):
    for arguments in (["--model", "BMRU"], ["parity", "--precision", "rounded"], []):
        code, out, _ = run("can", *arguments)
        assert code == 0
        assert max(map(len, out.splitlines())) <= 80


def test_data(run):
    code, out, _ = run("can", "parity", "--model", "Mamba without convolution", "--json")
    assert code == 1
    assert {cell["answer"] for cell in json.loads(out)} == {"no", "open"}


def test_tables_show_the_models_of_which_something_is_known():
    tables = {p: {c["model"] for c in lm.can().at(p).data} for p in ("exact", "margin", "rounded", "log", "reals")}
    assert "transformer" in tables["log"]
    assert "transformer" not in tables["exact"]
    assert "transformer-fixed-precision" in tables["rounded"]
    assert "c-rasp" in tables["log"]


def test_rows_of_a_bare_name_must_agree_to_say_one_word():
    assert lm.can("regular", model="DeltaNet [0, 1]").says() == "no"
    with pytest.raises(ValueError, match=r"expected one model, got DeltaNet \[0, 1\] \(no\)"):
        lm.can("S5", model="DeltaNet").says()
    assert lm.can("flip-flop", model="DeltaNet").says() == "yes"


def test_an_unknown_name_names_near_ones(run):
    for arguments, near in ((["--model", "DeltaNett"], "DeltaNet"), (["partiy"], "parity"), (["--precision", "exat"], "exact")):
        code, _, err = run("can", *arguments)
        assert code == 2
        assert near in err
        assert err.count("\n") == 1


def test_a_task_is_named_as_the_library_names_it(run):
    for name in ("parity", "S5", "star-free"):
        assert json.loads(run("can", name, "--json")[1]) == lm.can(name).data


def test_what_is_no_input_is_refused_in_a_line(run):
    for given, said in (
        ("Mamba", "got the model Mamba: ask with --model"),
        ("partiy", "did you mean parity?"),
        ("(a", "expected a regular expression"),
    ):
        code, out, err = run("can", given)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert said in err


def test_what_is_no_task_is_a_group_or_else_an_expression(run):
    for given, option in (("C7", "--group"), ("(ab)*", "--regex")):
        assert run("can", given, "--model", "Mamba") == run("can", option, given, "--model", "Mamba")


def test_names_are_set_and_spelled_where_there_is_no_unicode(run, monkeypatch):
    for arguments in (["S5"], ["--model", "DeltaProduct_4"], ["S5", "--model", "DeltaProduct_4"], []):
        _, out, _ = run("can", *arguments)
        assert not {"S_5", "A_5", "DeltaProduct_4"} & set(out.replace(":", " ").replace(",", " ").split())
    assert "S₅" in run("can", "S5", "--model", "DeltaProduct_4")[1]
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.setattr(sys, "argv", ["lemmata", "can", "S5", "--model", "DeltaProduct_4"])
    with pytest.raises(SystemExit) as stop:
        cli.main()
    stream.flush()
    assert not stop.value.code
    assert "S_5" in stream.buffer.getvalue().decode("ascii")


def test_a_task_may_be_named_by_its_option(run):
    assert run("can", "--task", "parity", "--model", "DeltaNet") == run("can", "parity", "--model", "DeltaNet")
    code, _, err = run("can", "parity", "--task", "S5")
    assert code == 2
    assert "expected TASK or --task, got both 'parity' and 'S5'" in err
    assert run("can", "--task", "parity", "--regex", "ab")[0] == 2
