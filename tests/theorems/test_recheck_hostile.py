"""Whatever a file holds, it is settled or refused in one line, within 10 s and 1 GiB: a seeded sample; ``python tests/theorems/hostile.py DIRECTORY`` tries all."""

import json
import operator
import random
import subprocess
import sys
from fractions import Fraction
from functools import reduce
from pathlib import Path

import pytest
from lemmata.theorems import recheck, verify
from lemmata.theorems.certificates import write_certificates
from lemmata.theorems.recheck import Rejected, limits
from lemmata.theorems.recheck.exact import natural, number, one
from lemmata.theorems.recheck.files import check_bytes, check_file, files_of, main, parsed
from lemmata.theorems.recheck.rationals import Number, as_number

from . import hostile

#: claims whose files, one number changed, kept the checker busy for ever or took all memory
CLAIMS = (
    "degeeter26.sec3.convergence",
    "movahedi25.propG.2",
    "new.bilinear.degrees",
    "orvieto24.prop1.amended",
    "new.householder.decoder-margin",
)


@pytest.fixture(scope="module")
def genuine(tmp_path_factory):
    folder = tmp_path_factory.mktemp("genuine")
    for record in verify(list(CLAIMS)):
        write_certificates(record, folder)
    return folder


def test_a_sample_of_hostile_files_is_settled(genuine):
    run = subprocess.run([sys.executable, "-I", hostile.__file__, str(genuine), "4", "27"], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    assert ", 0 accepted without a reason, 0 not settled" in run.stdout
    refused = int(run.stdout.split()[0])
    assert refused > 50


def test_the_genuine_files_hold_and_the_hostile_ones_differ(genuine):
    for path in files_of(genuine):
        check_file(path)
        document = json.loads(path.read_text(encoding="utf-8"))
        texts = {what: json.dumps(x, sort_keys=True) for what, x in hostile.hostile_files(document) if "long list" not in what}
        assert len(texts) > 20
        assert json.dumps(document, sort_keys=True) not in texts.values()
        assert all(json.loads(text)["claim"] == document["claim"] for text in texts.values())


def test_fates():
    assert hostile.fate("is malformed", {}) == "refused"
    assert hostile.fate(None, {"hostile": "any value serves"}) == "accepted with a reason"
    assert hostile.fate(None, {"changed": "any value near it serves"}) == "accepted without a reason"
    assert {hostile.fate("TOO LONG: more", {"hostile": ""}), hostile.fate("two\nlines", {})} == {"not settled"}


def test_paths():
    data = {"a": [[1, 2], [3, 4]], "b": {"c": "5"}}
    assert set(hostile.paths(data)) == {("a",), ("a", "*"), ("a", "*", "*"), ("b", "c")}
    assert hostile.everywhere(data, ("a", "*", "*"), 0) == {"a": [[0, 0], [0, 0]], "b": {"c": "5"}}
    assert hostile.replaced(data, ("a", 1, 0), 9) == {"a": [[1, 2], [9, 4]], "b": {"c": "5"}}
    assert data["a"][1][0] == 3


def certificates(data):
    return json.dumps({"format": "lemmata-certificates", "certificates": [{"data": data}]}).encode()


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (["0"] * 100_001, "more than 100,000 values of certificates"),
        ("x" * 5_000_000, "more than 4,194,304 bytes of certificates"),
        (json.loads("[" * 48 + "]" * 48), "more than 50 lists and objects inside one another"),
        (10**1000, "more than 1,000 digits of a number"),
    ],
)
def test_a_size_beyond_a_limit_is_refused_before_anything_is_computed(data, why):
    with pytest.raises(Rejected, match=why) as caught:
        parsed(certificates(data))
    assert str(caught.value).endswith("recheck --limits 2 doubles every limit")
    with limits.raised(2):
        parsed(certificates(data))


def test_deep_nesting_is_refused():
    with pytest.raises(Rejected, match="nested too deeply"):
        check_bytes(b"[" * 1_000_000)


def test_numbers():
    assert number("-3/4") == Fraction(-3, 4)
    assert type(number("-3/4")) is type(number(5)) is Number
    for text in ("\uff11", "1\u0660", "+1", "--1", "1e3", "1_0", " 1", "1/0", "1/-2", "", "-", "/", "\u00b2"):
        with pytest.raises(Rejected):
            number(text)
    with pytest.raises(Rejected, match="more than 1,000 digits"):
        number("1/" + "9" * 1001)
    with pytest.raises(Rejected, match="more than 10,000 of what a natural number counts"):
        natural(10_001)
    assert natural(10_000) == 10_000
    assert natural(10**18, 10**18) == 10**18
    for wrong in (-1, True, "1", 1.0, None):
        with pytest.raises(Rejected):
            natural(wrong)


def values(rng):
    for _ in range(200):
        n = rng.choice((1, 3, 10**6, 10**40))
        yield Fraction(rng.randrange(-n, n + 1), rng.randrange(1, n + 1))


def test_metered_numbers_are_fractions():
    """Each operation, with a fraction and an integer on either side."""
    rng = random.Random(0)
    for x, y in zip(values(rng), values(rng), strict=True):
        a, b = as_number(x), as_number(y)
        for f in (operator.add, operator.sub, operator.mul, operator.truediv):
            for left, right, u, v in ((a, b, x, y), (a, y, x, y), (x, b, x, y), (a, 3, x, 3), (3, b, 3, y)):
                if f is operator.truediv and v == 0:
                    with pytest.raises(ZeroDivisionError):
                        f(left, right)
                    continue
                found = f(left, right)
                assert found == f(u, v)
                assert type(found) is Number
                assert (found.numerator, found.denominator) == (f(u, v).numerator, f(u, v).denominator)
        for f in (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne):
            assert f(a, b) == f(a, y) == f(x, b) == f(x, y)
            assert f(a, 1) == f(x, 1)
        for f in (operator.neg, operator.pos, abs, hash, bool, str, int, round):
            assert f(a) == f(x)
        for k in (0, 1, 2, 5, *((-1, -3) if x else ())):
            assert a**k == x**k
            assert type(a**k) is Number
    with pytest.raises(ZeroDivisionError):
        _ = as_number(0) ** -1
    with pytest.raises(TypeError):
        _ = as_number(1) + "1"


def test_work_is_paid_for_before_it_is_begun():
    with limits.metered(), pytest.raises(Rejected, match="too much work"):
        _ = as_number(3) ** 10**12
    with limits.metered(), pytest.raises(Rejected, match="too much work"):
        one(10**5)
    with limits.metered(), pytest.raises(Rejected, match="too much work"):
        reduce(lambda x, _: x * x, range(100), as_number(Fraction(1, 3)))
    # outside of a file nothing is counted
    assert as_number(3) ** 10**5 == 3**10**5


def test_one_budget_for_all_certificates_of_a_file(monkeypatch):
    monkeypatch.setitem(limits.BOUNDS, "work", (10_000, "operations"))
    with limits.metered():
        for _ in range(3):
            number("1/3")
        with pytest.raises(Rejected, match="more than 10,000 operations; recheck --limits 2 doubles every limit"):
            number("1/3")
    with limits.raised(2), limits.metered():
        for _ in range(6):
            number("1/3")


@pytest.mark.parametrize(
    "arguments", [[], ["a", "b"], ["--limits"], ["x", "--limits", "0"], ["x", "--limits", "\uff12"], ["x", "--limits", "-1"], [""]]
)
def test_wrong_arguments_are_one_line(arguments, capsys):
    assert main(arguments) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_limits_are_raised_on_request(genuine, capsys, monkeypatch):
    path = next(iter(files_of(genuine)))
    monkeypatch.setitem(limits.BOUNDS, "work", (10, "operations"))
    assert main([str(path)]) == 2
    assert "recheck --limits 2" in capsys.readouterr().err
    assert main([str(path), "--limits", "9999"]) == 2
    assert limits.times == 1


def test_the_folder_runs_alone(genuine):
    folder = Path(recheck.__file__).parent
    run = subprocess.run(
        [sys.executable, "-I", "-S", str(folder), str(genuine), "--limits", "3"], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    assert len(run.stdout.splitlines()) == len(CLAIMS)
