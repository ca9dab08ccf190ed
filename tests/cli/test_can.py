"""``lemmata can``."""

import json


def test_a_model_and_a_task(run):
    code, out, _ = run("can", "--model", "DeltaNet", "--task", "S5")
    assert code == 0
    assert "grazzi25.thm1" in out
    assert "no PROVED" in out


def test_the_command_that_builds_it(run):
    _, out, _ = run("can", "--model", "DeltaProduct_4", "--task", "s_5")
    assert "build it: lemmata compile --group S5" in out


def test_open_says_so(run):
    code, out, _ = run("can", "--model", "S4", "--task", "product")
    assert code == 0
    assert "open" in out


def test_a_row_a_column_and_the_table(run):
    for arguments in (["--model", "BMRU"], ["--task", "parity", "--precision", "rounded"], []):
        code, out, _ = run("can", *arguments)
        assert code == 0
        assert max(map(len, out.splitlines())) <= 80


def test_data(run):
    code, out, _ = run("can", "--model", "Mamba", "--task", "parity", "--json")
    assert code == 0
    assert {cell["answer"] for cell in json.loads(out)} == {"no", "open"}


def test_an_unknown_name_names_near_ones(run):
    for arguments, near in ((["--model", "DeltaNett"], "DeltaNet"), (["--task", "partiy"], "parity"), (["--precision", "stats"], "states")):
        code, _, err = run("can", *arguments)
        assert code == 2
        assert near in err
        assert err.count("\n") == 1
