"""The tool behind ``make mutants``: its lists agree with the code, its operators do what they say, and nothing that changes nothing falls."""

import json
import math
import re
import sys
import tomllib
from contextlib import nullcontext
from fractions import Fraction
from pathlib import Path

import flint
import numpy as np
import pytest
from lemmata.constructions.automata.automaton import Automaton
from lemmata.theorems import entries

FOLDER = Path(__file__).parent / "mutants"
sys.path.insert(0, str(FOLDER))

import drawing  # noqa: E402
import lists  # noqa: E402
import public  # noqa: E402
import wrong  # noqa: E402
from wrong import Fault  # noqa: E402


def test_every_public_function_is_named_by_a_claim_or_listed_with_a_reason():
    assert lists.unlisted() == [], "python tests/mutants --trace, or a line in tests/mutants/unspoken.toml"


def test_named_functions_and_claims_exist():
    named = lists.named_functions()
    assert set(named) <= set(public.public())
    assert {id for ids in named.values() for id in ids} <= {e.id for e in entries()}
    assert all(named.values())


def test_no_function_is_both_named_and_excused():
    reasons = tomllib.loads((FOLDER / "unspoken.toml").read_text(encoding="utf-8"))
    known, named = public.public(), lists.named_functions()
    for key, reason in reasons.items():
        assert len(reason) > 10
        members = [key] if ": " in key else [k for k in known if k.startswith(f"{key}: ")]
        assert members, key
        assert any(k in known and k not in named for k in members), key


def test_listed_mutants_still_find_their_text():
    found = lists.listed()
    assert len({m.title for m in found}) == len(found) >= 14
    for m in found:
        compile(m.text, m.file, "exec")


def test_survivors_have_a_kind_a_file_and_a_reason():
    kinds = lists.survivors()
    assert set(kinds) == {"unchanged", "cost", "passed"}
    titles = [title for reasons in kinds.values() for title in reasons]
    assert len(set(titles)) == len(titles)
    for reasons in kinds.values():
        for title, reason in reasons.items():
            assert (public.ROOT / title.split(": ")[0]).exists(), title
            assert len(reason.split()) >= 4, title


def test_the_lines_of_survivors_are_still_there():
    for title in [title for reasons in lists.survivors().values() for title in reasons if re.search(" => |: not run: | never to: ", title)]:
        file, _, rest = title.split(": ", 2)
        rest = re.split(r" => | \.\.\. never to: ", rest.removeprefix("not run: "))[0]
        assert rest in [line.strip() for line in public.source(file).splitlines()], title


def test_a_call_that_is_refused_has_no_wrong_result():
    fault = Fault("off", "negative")
    for x in (1, -1):
        with pytest.raises(ValueError, match="math domain error") if x < 0 else nullcontext():
            fault.call(math.sqrt, (x,), {})
    assert (fault.happened, fault.refused, fault.returned) == (0, 1, 0)
    assert fault.is_refused
    fault.call(abs, (-1,), {})
    assert not fault.is_refused


def test_what_calls_reach_is_noted_until_a_function_was_called_often():
    import reach

    def twice(x, count=2):
        if count < 0:
            raise ValueError("expected a number of times")
        return [x] * count

    seen = reach.Seen(twice, twice.__code__, left=5)
    for given in ((1.5,), (-3, 7), (1j, 4)):
        assert seen.call(twice, given, {}) == twice(*given)
    with pytest.raises(ValueError, match="number of times"):
        seen.call(twice, (1.0, -2), {})
    assert seen.classes == {
        "float",
        "exact",
        "complex",
        "negative",
        "3 steps",
        "6 steps",
        "size 7",
        "refused float",
        "refused exact",
        "refused negative",
    }
    assert list(seen.call(lambda n: (k for k in range(n)), (10,), {})) == list(range(10))
    assert "9 steps" in seen.classes
    assert seen.left == 0


def test_debts_are_lines_sides_and_classes_that_no_call_reaches():
    import reach

    file = "numerics/haar.py"
    (f,) = [f for f in public.functions(file) if f.name == "haar"]
    body = sorted(f.lines)
    none = {"arcs": {file: []}, "functions": {f.key: ["a claim"]}, "classes": {f.key: ["size 5"]}}
    (debt,) = [d for d in reach.debts(none) if d.function.key == f.key]
    assert set(debt.lines) <= set(body)
    assert debt.counts["lines"] > 5
    assert {"size 7", "size 12", "negative"} <= set(debt.classes)
    assert "size 3" not in debt.classes
    met = none | {"classes": {f.key: ["size 12", "refused negative", "3 steps", "6 steps", "9 steps"]}}
    (debt,) = [d for d in reach.debts(met) if d.function.key == f.key]
    assert debt.classes == ()
    assert all("raise" not in word for word in debt.words)


def test_listed_debts_are_of_functions_that_exist():
    kept = json.loads((FOLDER / "debts.json").read_text(encoding="utf-8"))
    known = {f.key for file in public.files() for f in public.functions(file)}
    assert set(kept["functions"]) <= known, "python tests/mutants --trace --debts"
    assert sum(sum(counts.values()) for counts in kept["rooms"].values()) == sum(map(len, kept["functions"].values()))


def test_faults_that_cannot_happen_are_not_drawn():
    import drawing

    functions = {f.key: f for file in ("constructions/automata/cascade/subsets.py", "numerics/jordan.py") for f in public.functions(file)}
    lot = bytes(32)
    made = {
        key: [drawing._make(f, kind, lot, {}) for kind in ("zero", "dropped", "size", "type", "negative", "steps")]
        for key, f in functions.items()
    }
    assert not any(made["constructions/automata/cascade/subsets.py: Family.__init__"])


def test_a_path_without_a_result_is_not_drawn():
    import drawing

    (f,) = [f for f in public.functions("constructions/languages/late.py") if f.name == "decide"]
    made = {m.title.split(" => ")[1] for k in range(20) if (m := drawing._path(f, bytes([0] * 31 + [k]), {}))}
    assert len(made) == 1
    assert "__off__(Witness(" in made.pop()


def test_what_is_said_of_a_function_holds_of_each_change():
    title = "numerics/enclosures.py: _log_condition_number_by_svd: returns zero"
    assert lists.reason_of(title) == lists.reason_of(title.rpartition(": ")[0] + ": *")
    assert lists.reason_of("numerics/enclosures.py: no such function: returns zero") is None


def test_only_sequences_owe_late_steps():
    import drawing

    sequences = ("list[int]", "tuple[Array, ...]", "Iterator[tuple[int, str]]", "np.ndarray | None", "torch.Tensor", "Sequence[list[int]]")
    others = (
        "tuple[Array, Array]",
        "tuple[int, ...] | None | str",
        "dict[int, list[int]]",
        "Callable[..., Array]",
        "SequenceModel",
        "int",
        "None",
    )
    assert [drawing._is_sequence(x) for x in sequences] == [True] * len(sequences)
    assert [drawing._is_sequence(x) for x in others] == [False, True, *[False] * 5]


def test_listed_reasons_are_about_faults_that_can_be_drawn():
    import drawing
    import reach

    known = {f.key: f for file in public.files() for f in public.functions(file)}
    for title in [title for reasons in lists.survivors().values() for title in reasons if ": wrong result" in title]:
        key, _, words = title.rpartition(": ")
        drawn = [str(reach._fault(c)) for c in drawing.classes(known[key])]
        size = re.fullmatch(r"wrong result from size \d+ on", words)
        assert any(x.startswith("wrong result from size") for x in drawn) if size else words in drawn, title


def test_git_keeps_nothing_of_a_processor():
    text = (FOLDER / "named.json").read_text(encoding="utf-8")
    assert set(json.loads(text)) == {"claims", "functions"}
    assert "seconds" not in text


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (2, 3),
        (True, False),
        ("a", "a'"),
        (flint.fmpq(1, 2), flint.fmpq(3, 2)),
        (Fraction(1, 2), Fraction(3, 2)),
        (1.0, 1.02),
        ([1, 2], [1, 3]),
    ],
)
def test_a_result_is_off(given, expected):
    assert wrong.off(given) == expected


def test_a_result_is_zero_or_loses_its_end():
    assert wrong.zero([1, (2.0, True), "x"]) == [0, (0.0, False), "x"]
    assert wrong.zero(np.array([1.0, 2.0])).tolist() == [0, 0]
    assert wrong.dropped([1, 2]) == [1]
    assert wrong.dropped(np.eye(2)).tolist() == [[1, 0]]
    assert wrong.dropped({"a": 1, "b": 2}) == {"a": 1}


def test_what_cannot_be_changed_is_the_same_object():
    for value in (None, [], object(), (), ""):
        for change in (wrong.off, wrong.zero, wrong.dropped):
            if value != "" or change is not wrong.off:
                assert change(value) is value


def test_a_field_whose_change_is_refused_is_passed_over():
    automaton = Automaton({"0": (1, 1), "1": (0, 1)}, 0, frozenset({1}))
    assert wrong.off(automaton) == Automaton({"0": (1, 1), "1": (0, 1)}, 1, frozenset({1}))
    assert wrong.off(Automaton({"0": (1, 0)})) == Automaton({"0": (1, 1)})


def test_faults_apply_when_they_say():
    def length(x):
        return len(x)

    from_three = Fault("off", "size", 3)
    assert [from_three.call(length, (range(n) if n == 9 else [0] * n,), {}) for n in (1, 2, 3, 4)] == [1, 2, 4, 5]
    assert from_three.happened == 2
    negative = Fault("off", "negative")
    assert [negative.call(sum, (x,), {}) for x in ([1, 2], [-1, 2], [flint.fmpq(-1)])] == [3, 2, flint.fmpq(0)]
    for kind, value in (("complex", 1j), ("float", 1.0), ("exact", flint.fmpq(1))):
        only = Fault("off", "type", kind)
        changed = [only.call(lambda x: 1, (y,), {}) == 2 for y in (1j, 1.0, flint.fmpq(1), np.array([value]))]
        assert changed == [kind == "complex", kind == "float", kind == "exact", True]
    nothing = [Fault("off", "steps", 2), Fault("off", "size", 2)]
    objects = [object(), object(), object()]
    assert [fault.call(list, (objects,), {}) for fault in nothing] == [objects, objects]
    assert [fault.happened for fault in nothing] == [0, 0]
    assert [fault.is_without_effect for fault in nothing] == [True, True]
    texts = [{"v": "1"}]
    assert wrong.zero(texts) is texts
    late = Fault("off", "steps", 2)
    assert late.call(list, ([0, 0, 0, 0],), {}) == [0, 0, 1, 1]
    assert list(late.call(lambda: (0 for _ in range(4)), (), {})) == [0, 0, 1, 1]


def test_who_reads_a_modules_constant():
    """By its own name in its own file, as imported elsewhere; another module's constant of the same name is another one."""
    orbits, stacks = "constructions/automata/rounding/orbits.py", "constructions/languages/monoid.py"
    assert drawing.readers(orbits, "LARGEST_MONOID") == (f"{orbits}: _products",)
    assert f"{stacks}: monoid_of" in drawing.readers(stacks, "MOST_ELEMENTS")
    assert "constructions/languages/clocked.py: lengths_of" in drawing.readers(stacks, "MOST_ELEMENTS")
    others = drawing.readers("constructions/languages/layers_of_norm_one.py", "MOST_ELEMENTS")
    assert others == ("constructions/languages/layers_of_norm_one.py: bound",)


@pytest.mark.programs
def test_a_hanging_claim_has_not_noticed_and_a_changed_one_has():
    """In a process of its own, since claims are imported and code is changed there."""
    import subprocess

    script = """
import sys
sys.path.insert(0, sys.argv[1])
from drawing import Mutant
from public import source
import runner
from runner import run
from parts import parts
from tracing import prepare
from wrong import Fault
prepare()
runner.LEAST = 1.0
id, file, name = "lizaire26.lemma2", "constructions/depth/networks.py", "least_width"
texts = [str(one) for one in parts(id)]
assert len(texts) > 1
seen = {"seconds": {"standard": 0.1, "quick": 0.01}, "stands": {"standard": True}, "lines": {}, "classes": {}}
trace = {"asked": {f"{file}: {name}": texts}, "parts": dict.fromkeys(texts, seen)}
old, new = "return -(-p * d // depth) + d", "while p == 12:\\n        pass\\n    return -(-p * d // depth) + d"
mutants = [
    Mutant("nothing", "size", file, name, fault=Fault("off", "size", 10**9)),
    Mutant("wrong", "size", file, name, fault=Fault("off", "size", 40)),
    Mutant("text", "line", file, name, text=source(file).replace(old, old + " + 1")),
    Mutant("hangs", "line", file, name, text=source(file).replace(old, new)),
]
try:
    runner.apply(Mutant("gone", "size", file, "gone", fault=Fault("off", "size", 3)))
except LookupError as error:
    print("gone:", error)
for m in mutants:
    one = run(m, trace, 30.0)
    print(m.title, one["by"], one["state"], len(one["slow"]))
"""
    done = subprocess.run([sys.executable, "-c", script, str(FOLDER)], capture_output=True, text=True, check=True)
    gone, *others, hangs = done.stdout.splitlines()
    assert gone.startswith("gone: expected gone among the functions")
    assert others == ["nothing None unreached 0", "wrong lizaire26.lemma2 changed 0", "text lizaire26.lemma2 changed 0"]
    assert hangs.startswith("hangs None")
    assert int(hangs.split()[-1]) >= 1
