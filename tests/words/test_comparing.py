"""Labels of others: right ones agree whatever the numbers, a wrong one is found with its row, another group is told apart."""

import itertools

import numpy as np
import pytest
from lemmata.constructions.automata.read.sources import all_elements, named_group
from lemmata.words.comparing import compared, main


def written(folder, name, group, wrong=None, count=200, length=6):
    """A file as others write it: numbers of their own, the identity first; ``wrong``: the row whose last label is off by one."""
    rng = np.random.default_rng(3)
    elements = [tuple(p) for p in all_elements(named_group(group)).values()]
    identity = tuple(range(len(elements[0])))
    order = [identity, *(elements[i] for i in rng.permutation(len(elements)) if elements[i] != identity)]
    number, lines = {p: i for i, p in enumerate(order)}, ["seed,input,target"]
    words = [*itertools.product(range(len(order)), repeat=2)] if len(order) <= 24 else []
    for row, word in enumerate([*words, *rng.integers(len(order), size=(count, length)).tolist()], 1):
        state, targets = identity, []
        for x in word:
            state = tuple(order[x][i] for i in state)
            targets.append(number[state])
        if row == wrong:
            targets[-1] = (targets[-1] + 1) % len(order)
        lines.append(f"1,{' '.join(map(str, word))},{' '.join(map(str, targets))}")
    path = folder / f"{name}.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(("name", "group"), [("S3=6", "S3"), ("Z6=6", "C6"), ("S3_x_Z2=6", "S3xC2"), ("D4=6", "D4")])
def test_right_labels_agree(tmp_path, name, group):
    found = compared(written(tmp_path, name, group))
    assert (found.wrong, found.undecided) == (0, "")
    assert found.line.endswith("labels, 0 differ from ours")


def test_a_wrong_label_is_found(tmp_path):
    found = compared(written(tmp_path, "S3=6", "S3", wrong=150))
    assert found.wrong == 1
    assert found.row == 150
    assert found.line.endswith("1 differ from ours, first in row 150")


@pytest.mark.parametrize(
    ("name", "group", "words"),
    [("C8=6", "Q8", "not those of our group"), ("S3=6", "C4", "4 elements, our group 6"), ("S4=6", "S4", None)],
)
def test_another_group_is_told_apart(tmp_path, name, group, words):
    found = compared(written(tmp_path, name, group))
    assert (words or "") in found.undecided
    assert bool(found.undecided) is (words is not None)


def test_what_is_no_such_file(tmp_path, capsys):
    (tmp_path / "S3=2.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(ValueError, match="expected the columns input and target"):
        main(tmp_path)
    (tmp_path / "S3=2.csv").write_text("input,target\n1 2 3,2\n", encoding="utf-8")
    main(tmp_path)
    assert "last letter of a word alone" in capsys.readouterr().out
    (tmp_path / "S3=2.csv").write_text("input,target\n1 2 3,2 1\n", encoding="utf-8")
    with pytest.raises(ValueError, match="got 2 for 3"):
        main(tmp_path)
    with pytest.raises(SystemExit, match="got none"):
        main(tmp_path / "nowhere")
