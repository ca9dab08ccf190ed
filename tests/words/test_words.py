"""Words with exact labels: counts, uniform drawing, splits, shortcuts, files; labels against simulators that share no code."""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from lemmata.constructions.automata.automaton import Automaton
from lemmata.constructions.automata.read.sources import all_elements, from_permutations, from_regex, named_group
from lemmata.constructions.automata.read.tasks import TASKS, tomita
from lemmata.words import OVER, draw, reached, run, shortcuts, split, words_to
from lemmata.words.card import card, kind
from lemmata.words.drawing import MOST_NUMBERED, _by_shares, ending_in_each, numbered
from lemmata.words.splitting import _quotas, beginnings, hashes
from lemmata.words.writing import save

MACHINES = {
    "parity": TASKS["parity"](),
    "a*b*": from_regex("a*b*"),
    "arithmetic": TASKS["modular-arithmetic"](),
    "S4": from_permutations(named_group("S4")),
    "one state": Automaton({"x": (0,), "y": (0,)}, 0, frozenset({0})),
    "one letter": from_regex("(aaa)*"),
}


def everything(automaton, length):
    """Every word with its last state, by the automaton's own single steps."""
    for word in itertools.product(range(len(automaton.letters)), repeat=length):
        q = automaton.start
        for x in word:
            q = automaton.table[automaton.letters[x]][q]
        yield word, q


@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("length", [0, 1, 2, 4])
def test_counts_are_those_of_all_words(name, length):
    automaton = MACHINES[name]
    ends = Counter(q for _, q in everything(automaton, length))
    assert reached(automaton, length) == [ends[q] for q in range(automaton.n)]
    wanted = {0, automaton.n - 1}
    assert words_to(automaton, wanted, length)[-1][automaton.start] == sum(ends[q] for q in wanted)


@pytest.mark.parametrize("name", MACHINES)
def test_numbers_and_words_are_one_to_one(name):
    automaton = MACHINES[name]
    wanted = {automaton.n - 1}
    listed = [word for word, q in everything(automaton, 4) if q in wanted]
    left = words_to(automaton, wanted, 4)
    assert left[-1][automaton.start] == len(listed)
    assert [tuple(w) for w in numbered(automaton, left, np.arange(len(listed))).tolist()] == listed


@pytest.mark.parametrize("over", OVER)
@pytest.mark.parametrize("length", [1, 3, 200])
def test_draws_are_uniform(over, length):
    """Chi-squared of last states, and of words where there are few, below what a uniform draw exceeds once in 10^6."""
    from scipy.stats import chi2

    automaton, count = TASKS["cycle-navigation"](), 4000
    words = draw(automaton, length, count, np.random.default_rng(3), over)
    assert words.shape == (count, length)
    ways = reached(automaton, length)
    good = [q in automaton.accepting for q in range(automaton.n)]
    total = sum(ways)
    inside = sum(w for w, g in zip(ways, good, strict=True) if g)
    share = {
        "words": [Fraction(w, total) for w in ways],
        "states": [Fraction(int(w > 0), sum(map(bool, ways))) for w in ways],
        "accepted": [Fraction(w * g, inside) for w, g in zip(ways, good, strict=True)],
        "balanced": [Fraction(w, 2 * (inside if g else total - inside)) for w, g in zip(ways, good, strict=True)],
    }[over]
    ends = Counter(run(automaton, words)[:, -1].tolist())
    excess = sum((ends[q] - count * float(p)) ** 2 / (count * float(p)) for q, p in enumerate(share) if p)
    assert excess < chi2.isf(1e-6, max(sum(map(bool, share)) - 1, 1))
    assert all(ends[q] == 0 for q, p in enumerate(share) if not p)
    if length == 3 and over in ("words", "accepted"):
        seen = Counter(map(tuple, words.tolist()))
        among = [w for w, q in everything(automaton, 3) if share[q]]
        assert set(seen) <= set(among)
        assert sum((seen[w] - count / len(among)) ** 2 / (count / len(among)) for w in among) < chi2.isf(1e-6, len(among) - 1)


def test_long_words_by_shares_end_where_they_should_and_spread_as_they_should():
    """More than 2^62 words: the distribution of the place of the only b among the words a*ba*, 100 places, and of the last state."""
    automaton = from_regex("(a|c)*b(a|c)*")
    left = words_to(automaton, automaton.accepting, 100)
    assert left[-1][automaton.start] > MOST_NUMBERED
    words = _by_shares(automaton, left, 5000, np.random.default_rng(0))
    b = automaton.letters.index("b")
    assert ((words == b).sum(axis=1) == 1).all()
    places = np.bincount(np.argmax(words == b, axis=1), minlength=100)
    from scipy.stats import chi2

    assert ((places - 50) ** 2 / 50).sum() < chi2.isf(1e-6, 99)


def test_groups_of_states_are_drawn_together_or_apart_alike():
    automaton = from_permutations(named_group("S4"))
    groups = [{q} for q, count in enumerate(reached(automaton, 80)) if count]
    found = ending_in_each(automaton, groups, 80, [3] * len(groups), np.random.default_rng(0))
    assert [set(run(automaton, words)[:, -1].tolist()) for words in found] == groups


@pytest.mark.parametrize(
    ("sizes", "count", "shares"),
    [([5, 5], 3, [1, 2]), ([3, 100, 100], 50, [3, 23, 24]), ([0, 10], 4, [0, 4]), ([2, 2], 4, [2, 2]), ([], 0, []), ([7], 0, [0])],
)
def test_shares_are_even_where_they_can_be(sizes, count, shares):
    assert _quotas(sizes, count) == shares


@pytest.mark.parametrize("over", OVER)
@pytest.mark.parametrize("repeat", [False, True])
def test_no_test_word_is_a_train_word_and_none_comes_twice(over, repeat):
    made = split(TASKS["tomita-5"](), (range(2, 12), 300), (range(2, 12), 200), 5, over, repeat)
    trains = [(n, *w) for n, words in made.train.letters.items() for w in words.tolist()]
    tests = [(n, *w) for n, words in made.test.letters.items() for w in words.tolist()]
    assert (len(trains), len(tests)) == (300, 200)
    assert len(set(tests)) == 200
    assert not set(trains) & set(tests)
    assert repeat or len(set(trains)) == 300
    begins = {w[1:] for w in trains}
    assert made.prefixed == sum(any(w[1 : 1 + k] in begins for k in range(len(w))) for w in tests) / 200


def test_the_same_seed_gives_the_same_words_and_another_others():
    one, same, other = (split(TASKS["parity"](), ([40], 20), ([41], 20), seed) for seed in (1, 1, 2))
    assert np.array_equal(one.train.letters[40], same.train.letters[40])
    assert not np.array_equal(one.train.letters[40], other.train.letters[40])


def test_more_words_than_there_are_is_refused_with_their_number():
    with pytest.raises(ValueError, match="at most 6 different train words"):
        split(TASKS["parity"](), (range(1, 3), 7), ([1], 0), 0)
    with pytest.raises(ValueError, match="at most 2 different test words"):
        split(TASKS["parity"](), ([1], 0), ([1], 3), 0, repeat=True)
    assert len(split(TASKS["parity"](), ([3], 100), ([3], 7), 0, repeat=True).train) == 100
    with pytest.raises(ValueError, match="at most 0 different train words"):
        split(TASKS["parity"](), ([3], 100), ([3], 8), 0, repeat=True)


def test_lengths_that_cannot_be_balanced_are_named():
    made = split(from_regex("(aa)*", "ab"), (range(1, 6), 12), ([9], 0), 0, "balanced")
    assert made.uneven == [1, 2, 3, 4, 5, 9]


@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("over", OVER)
def test_shortcuts_are_those_of_all_words(name, over):
    automaton, length = MACHINES[name], 3
    words = list(everything(automaton, length))
    accepted = {q for _, q in words} & automaton.accepting
    rejected = {q for _, q in words} - automaton.accepting
    groups = {
        "words": [accepted | rejected],
        "states": [{q} for q in accepted | rejected],
        "accepted": [accepted],
        "balanced": [accepted, rejected],
    }[over]
    if not all(groups):
        with pytest.raises(ValueError, match="got none or only one kind"):
            shortcuts(automaton, length, over)
        return
    sizes = Counter(q for _, q in words)
    weight = {q: Fraction(1, len(groups) * sum(sizes[p] for p in group)) for group in groups for q in group}
    features = {"length": lambda w: 0, "last letter": lambda w: w[-1], "letter counts": lambda w: tuple(sorted(w))}
    for label in (lambda q: q, lambda q: q in automaton.accepting):
        expected = {}
        for feature, look in features.items():
            shares = Counter()
            for w, q in words:
                if q in weight:
                    shares[look(w), label(q)] += weight[q]
            best = {}
            for (seen, _), share in shares.items():
                best[seen] = max(best.get(seen, 0), share)
            expected[feature] = sum(best.values())
        assert shortcuts(automaton, length, over, label) == expected


def test_hashes_of_beginnings_are_those_of_the_words():
    words = np.random.default_rng(0).integers(3, size=(50, 30), dtype=np.uint8)
    for n in (0, 1, 8, 30):
        assert np.array_equal(beginnings(words, [n])[:, 0], beginnings(words[:, :n], [n])[:, 0])
    assert len(np.unique(hashes(words))) == len(np.unique(words, axis=0))
    assert len(hashes(words[:, :0])) == 50


@pytest.mark.parametrize(
    ("automaton", "expected"),
    [
        (TASKS["parity"](), "group"),
        (from_regex("a*b*"), "aperiodic"),
        (from_regex("(ab)*"), "aperiodic"),
        (from_regex("(aa)*b*"), "neither"),
        (TASKS["modular-arithmetic"](), "neither"),
        (tomita(4), "aperiodic"),
    ],
)
def test_class_of_a_language(automaton, expected):
    assert kind(automaton).startswith(expected)


# -- ten tasks, letter by letter, against simulators that share no code ------------------------------------------------------


def arithmetic(word):
    """The value modulo 5 of an expression by Python's own grammar; None for what is none."""
    text = "".join(word)
    return eval(text) % 5 if re.fullmatch(r"\d([-+*]\d)*", text) else None


def product_of(permutations, word):
    """Where each point goes when the letters act one after the other."""
    images = tuple(range(len(next(iter(permutations.values())))))
    for x in word:
        images = tuple(permutations[x][i] for i in images)
    return images


SIMULATORS = {
    "parity": (TASKS["parity"](), lambda w: w.count("1") % 2),
    "even pairs": (TASKS["even-pairs"](), lambda w: "".join(w).count("ab") + "".join(w).count("ba")),
    "cycle navigation": (TASKS["cycle-navigation"](), lambda w: (w.count("+") - w.count("-")) % 5),
    "arithmetic": (TASKS["modular-arithmetic"](), arithmetic),
    "tomita 3": (tomita(3), lambda w: not re.fullmatch("((0|1)*0)*1(11)*(0(0|1)*1)*0(00)*(1(0|1)*)*", "".join(w))),
    "tomita 6": (tomita(6), lambda w: (w.count("0") - w.count("1")) % 3),
    "tomita 7": (tomita(7), lambda w: bool(re.fullmatch("0*1*0*1*", "".join(w)))),
    "aba": (from_regex("(a|b)*aba(a|b)*"), lambda w: "aba" in "".join(w)),
    "S5": (from_permutations(named_group("S5")), lambda w: product_of(named_group("S5"), w)),
    "PSL(2,7)": (from_permutations(named_group("PSL(2,7)")), lambda w: product_of(named_group("PSL(2,7)"), w)),
}


@pytest.mark.parametrize("task", SIMULATORS)
def test_labels_agree_with_a_simulator(task):
    """The state after every letter determines what the simulator says; for groups it is the product, one to one; acceptance is the language."""
    automaton, simulator = SIMULATORS[task]
    made = split(automaton, (range(1, 10), 60), ([24], 40), 1)
    says: dict[int, set] = {}
    for part in (made.train, made.test):
        for n, words in part.letters.items():
            for word, states in zip(words.tolist(), part.states[n].tolist(), strict=True):
                letters = [automaton.letters[x] for x in word]
                for t, q in enumerate(states, start=1):
                    says.setdefault(q, set()).add(bool(said) if isinstance(said := simulator(letters[:t]), bool) else said)
    if task == "even pairs":
        says = {q: {value % 2 for value in values} for q, values in says.items()}
    assert all(len(values) == 1 for values in says.values())
    if task in ("S5", "PSL(2,7)"):
        assert len({next(iter(values)) for values in says.values()}) == len(says)
    if (task.startswith("tomita") and task != "tomita 6") or task == "aba":
        assert all(values == {q in automaton.accepting} for q, values in says.items())


# -- files -----------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def made():
    return split(from_permutations(all_elements(named_group("S3"))), (range(0, 5), 60), ([6, 7], 30), 0)


def listed(part):
    return [(w, s) for n in part.letters for w, s in zip(part.letters[n].tolist(), part.states[n].tolist(), strict=True)]


def test_npz(made, tmp_path):
    (path,) = save(made, tmp_path / "words.npz", "")
    with np.load(path) as file:
        for name, part in (("train", made.train), ("test", made.test)):
            lengths = file[f"{name}_lengths"]
            rows = [
                (w[:n].tolist(), s[:n].tolist()) for w, s, n in zip(file[f"{name}_letters"], file[f"{name}_states"], lengths, strict=True)
            ]
            assert rows == listed(part)
            assert all((w[n:] == -1).all() for w, n in zip(file[f"{name}_letters"], lengths, strict=True))
            ends = [s[-1] if s else 0 for _, s in rows]
            assert file[f"{name}_accepted"].tolist() == file["accepting"][ends].tolist()
    again = save(made, tmp_path / "again.npz", "")[0]
    assert path.read_bytes() == again.read_bytes()


def test_lines(made, tmp_path):
    (path,) = save(made, tmp_path / "words.jsonl", "")
    (again,) = save(made, tmp_path / "again.jsonl", "")
    assert path.read_bytes() == again.read_bytes()
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    names = [str(x) for x in made.automaton.letters]
    assert [(r["split"], [names.index(x) for x in r["letters"]], r["states"]) for r in rows] == [
        *(("train", *row) for row in listed(made.train)),
        *(("test", *row) for row in listed(made.test)),
    ]


def test_parquet_and_folder(made, tmp_path):
    pq = pytest.importorskip("pyarrow.parquet")
    (path,) = save(made, tmp_path / "words.parquet", "")
    rows = pq.read_table(path).to_pylist()
    assert [(r["letters"], r["states"]) for r in rows if r["split"] == "test"] == listed(made.test)
    save(made, tmp_path / "folder", "the card")
    assert sorted(p.name for p in (tmp_path / "folder").iterdir()) == ["README.md", "test.parquet", "train.parquet"]
    with pytest.raises(ValueError, match="new folder"):
        save(made, tmp_path / "folder", "the card")
    with pytest.raises(ValueError, match="expected a file that ends with"):
        save(made, tmp_path / "words.csv", "")


@pytest.mark.programs
def test_hugging_face_loads_the_folder(made, tmp_path, monkeypatch):
    """Whole, one part as a stream, and the lines and rows of one file."""
    for name, value in {"HF_HOME": str(tmp_path / "cache"), "HF_HUB_OFFLINE": "1"}.items():
        monkeypatch.setenv(name, value)
    datasets = pytest.importorskip("datasets", reason="needs Hugging Face's datasets")
    folder, cache = tmp_path / "folder", str(tmp_path / "cache")
    save(made, folder, card(made, "Words of S3", "lemmata data", [], ""))
    loaded = datasets.load_dataset(str(folder), cache_dir=cache)
    assert set(loaded) == {"train", "test"}
    for name, part in (("train", made.train), ("test", made.test)):
        assert [(row["letters"], row["states"]) for row in loaded[name]] == listed(part)
        assert set(loaded[name]["split"]) == {name}
    stream = datasets.load_dataset(str(folder), split="test", streaming=True)
    assert [(row["letters"], row["states"]) for row in stream] == listed(made.test)
    for ending, reader in ((".jsonl", "json"), (".parquet", "parquet")):
        (path,) = save(made, tmp_path / f"words{ending}", "")
        rows = datasets.load_dataset(reader, data_files=str(path), split="train", cache_dir=cache)
        assert [row["states"] for row in rows] == [states for _, states in [*listed(made.train), *listed(made.test)]]


def test_torch_reads_what_was_written_and_streams(made, tmp_path):
    pytest.importorskip("torch")
    from lemmata.words.torch_data import Words, WordStream

    (path,) = save(made, tmp_path / "words.npz", "")
    data = Words(path, "test")
    assert len(data) == 30
    letters, states = data[0]
    n = int((letters >= 0).sum())
    assert run(made.automaton, letters[:n].numpy()[None])[0].tolist() == states[:n].tolist()
    with pytest.raises(ValueError, match="validation"):
        Words(path, "validation")
    batches = [next(iter(WordStream(made.automaton, range(5, 9), 4, seed=3))) for _ in range(2)]
    assert all(bool((a == b).all()) for a, b in zip(*batches, strict=True))
    letters, states = batches[0]
    assert run(made.automaton, letters.numpy()).tolist() == states.tolist()
