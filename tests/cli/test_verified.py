"""``lemmata recheck --verified``: the checker that is proved sound in Rocq, and the one in Python; they share no code and must agree."""

import json
import os
import random
import resource
import subprocess
import sys
from functools import cache

import pytest
from lemmata.cli import verified
from lemmata.constructions.automata import compile_cascade, compile_group, compile_regex, krohn_rhodes
from lemmata.constructions.automata.read.sources import named_group
from lemmata.constructions.automata.read.tasks import TASKS
from lemmata.formal import seal
from lemmata.theorems.recheck import Rejected, check_file
from lemmata.theorems.recheck.limits import BOUNDS, raised

from ..theorems.hostile import hostile_networks
from . import tampering


@cache
def built():
    try:
        return verified.require_program()
    except ValueError:
        return None


needs_program = pytest.mark.skipif(built() is None, reason="the verified checker was not built: make verified")


def small_networks():
    """Fields 1, 20 and 3; one layer and a cascade of four; steps with and without a write."""
    return [
        compile_regex("(b|ab*a)*", construction="holonomy").document(),
        compile_regex("(a|b)*abb", construction="holonomy").document(),
        *(compile_group(named_group(name), polygons=True).document() for name in ("S3", "Z5", "Z3")),
    ]


def agreed(path):
    """Whether the file holds, by both checkers; it is an error if they differ."""
    try:
        check_file(path)
        why = None
    except Rejected as error:
        why = str(error)
    _, why_not = verified.verdict(built(), path)
    assert "stopped" not in (why_not or "")
    assert (why is None) == (why_not is None), f"one checker accepts, the other does not: {why!r}, {why_not!r}"
    return why is None


LARGE = {
    "S5": lambda: compile_group(named_group("S5")),
    "A5": lambda: compile_group(named_group("A5")),
    "Z60": lambda: compile_group(named_group("Z60"), polygons=True),
    "modular arithmetic": lambda: compile_cascade(krohn_rhodes(TASKS["modular-arithmetic"]().reachable())),
}


@needs_program
@pytest.mark.parametrize("name", LARGE)
def test_large_networks_hold(run, tmp_path, name):
    path = tmp_path / "network.json"
    path.write_text(LARGE[name]().to_json(), encoding="utf-8")
    code, out, err = run("recheck", "--verified", str(path))
    assert (code, err) == (0, "")
    assert out.startswith("holds  a network for ")
    assert agreed(path)


@needs_program
def test_both_checkers_agree_on_tampered_networks(tmp_path):
    chance, path, held = random.Random(14), tmp_path / "network.json", {}
    networks = small_networks()
    for round in range(300):
        document, change = tampering.tampered(networks[round % len(networks)], chance)
        path.write_text(json.dumps(document), encoding="utf-8")
        held.setdefault(change, []).append(agreed(path))
    assert set(held) == {change.__name__ for change in tampering.CHANGES}
    # changes that change nothing are accepted, and what is wrong is not
    assert all(held["shuffled_decoder"])
    assert any(held["same_number_written_otherwise"])
    assert any(held["swapped_states"])
    for change in ("missing_state", "state_twice", "idle_state", "missing_entry", "entry_twice"):
        assert not any(held[change])
    assert sum(not any(results) for results in held.values()) > 5


@needs_program
def test_what_is_wrong_is_rejected(tmp_path, run):
    path = tmp_path / "network.json"
    original = compile_group(named_group("S3")).document()
    layer = original["layers"][0]
    changes = {
        "an entry": (layer["maps"][0]["A"][0], 0, "1/3"),
        "a state": (layer["states"][1][0], 0, "1/3"),
        "the automaton's transition": (original["automaton"]["table"][0], 2, (original["automaton"]["table"][0][2] + 1) % 6),
        "the start": (original["automaton"], "start", 1),
        "what is handed on": (layer["decoder"][3], 2, (layer["decoder"][3][2] + 1) % 6),
        "the map of a letter": (layer["letters"][0], 3, 1),
        "a step's beta": (layer["maps"][0]["steps"][0], "beta", "1"),
        "a step's vector": (layer["maps"][0]["steps"][0]["v"], 0, "3"),
    }
    for what, (place, key, wrong) in changes.items():
        right, place[key] = place[key], wrong
        path.write_text(json.dumps(original), encoding="utf-8")
        assert not agreed(path), what
        place[key] = right
    path.write_text(json.dumps(original), encoding="utf-8")
    assert agreed(path)
    original["layers"][0]["decoder"].pop()
    path.write_text(json.dumps(original), encoding="utf-8")
    code, _, err = run("recheck", "--verified", str(path))
    assert code == 2
    assert err.startswith("REJECTED network.json is not proved right")
    assert json.loads(run("recheck", "--verified", str(path), "--json")[1])[0]["holds"] is False


TEXTS = {
    "as it is": (lambda text: text, True),
    "with blanks": (lambda text: "\n\t " + text + "\r\n", True),
    "escaped names": (lambda text: text.replace('"letters": ["a"', '"letters": ["\\u0061"'), True),
    "a name of two code units": (lambda text: text.replace('"letters": ["a"', '"letters": ["\\ud835\\udd38"'), True),
    "two names that are one": (lambda text: text.replace('"letters": ["a", "b"', '"letters": ["b", "\\u0062"'), False),
    "half a name": (lambda text: text.replace('"letters": ["a"', '"letters": ["\\ud835"'), False),
    "a byte order mark": (lambda text: "\ufeff" + text, False),
    "nothing": (lambda text: "", False),
    "half of it": (lambda text: text[: len(text) // 2], False),
    "something after it": (lambda text: text + "]", False),
    "a comma at the end": (lambda text: text.replace("}", ",}", 1), False),
    "a float": (lambda text: text.replace('"version": 3', '"version": 3.0'), False),
    "an exponent": (lambda text: text.replace('"version": 3', '"version": 3e0'), False),
    "another version": (lambda text: text.replace('"version": 3', '"version": 2'), False),
    "true for a number": (lambda text: text.replace('"field": 1', '"field": true'), False),
    "a zero in front": (lambda text: text.replace('"field": 1', '"field": 01'), False),
    "minus zero": (lambda text: text.replace('"start": 0', '"start": -0'), False),
    "not a number": (lambda text: text.replace('"start": 0', '"start": NaN'), False),
    "a long integer": (lambda text: text.replace('"start": 0', f'"start": {"9" * 5000}'), False),
    "a key twice": (lambda text: text.replace('"field": 1', '"field": 1, "field": 1'), False),
    "an unknown key": (lambda text: text.replace('"field": 1', '"field": 1, "Field": 1'), False),
    "a control character": (lambda text: text.replace('["a"', '["a\x01"'), False),
    "an unknown escape": (lambda text: text.replace('["a"', '["\\a"'), False),
    "nested deeply": (lambda text: text.replace('"field": 1', f'"field": {"[" * 900}{"]" * 900}'), False),
    "a number of 1201 digits": (lambda text: text.replace('"A": [["-1/2"', f'"A": [["-{"5" * 600}/{"1" * 600}0"'), False),
    "a number of 401 digits": (lambda text: text.replace('"A": [["-1/2"', f'"A": [["-{"5" * 200}/{"1" * 200}0"'), True),
    "certificates": (lambda text: text.replace("lemmata-network", "lemmata-certificates"), False),
}


@needs_program
@pytest.mark.parametrize("name", TEXTS)
def test_both_read_the_same_json(tmp_path, name):
    change, holds = TEXTS[name]
    path = tmp_path / "network.json"
    text = json.dumps(compile_regex("(b|ab*a)*", construction="holonomy").document())
    assert change(text) != text or name == "as it is"
    path.write_bytes(change(text).encode("utf-8"))
    assert agreed(path) == holds


def one_layer(alphabet, **layer):
    """A network of one layer and one state, for an automaton of one state."""
    automaton = {"states": ["q"], "table": [[0]] * alphabet, "start": 0, "accepting": [], "outputs": None}
    zero = {"states": [[["0"]]], "maps": [{"A": [["1"]], "B": [["0"]], "steps": None}], "letters": [[x, 0, 0, 0] for x in range(alphabet)]}
    whole = {**zero, "decoder": [[0, x, 0] for x in range(alphabet)], **layer}
    names = [str(x) for x in range(alphabet)]
    return {"format": "lemmata-network", "version": 3, "field": 1, "letters": names, "automaton": automaton, "layers": [whole]}


def real_element(order, factor):
    """All coefficients of a real number in Q(zeta_order), order prime: the sum of (factor k^2 mod 7) (zeta^k + zeta^-k)."""
    coefficients = [0, *(factor * min(k, order - k) ** 2 % 7 + 1 for k in range(1, order))]
    return [str(c - coefficients[-1]) for c in coefficients[:-1]]


def dense_product(order=4999):
    maps = [{"A": [[real_element(order, 1)]], "B": [["0"]], "steps": None}]
    return {**one_layer(1, states=[[[real_element(order, 3)]]], maps=maps), "field": order}


def resets(m):
    """m letters that reset m states."""
    maps = [{"A": [["0"]], "B": [[str(x)]], "steps": None} for x in range(m)]
    letters, decoder = [[x, 0, 0, x] for x in range(m)], [[x, x, x] for x in range(m)]
    network = one_layer(m, states=[[[str(x)]] for x in range(m)], maps=maps, letters=letters, decoder=decoder)
    return {**network, "automaton": {**network["automaton"], "states": [str(x) for x in range(m)], "table": [[x] * m for x in range(m)]}}


#: what once took minutes or the stack: the file, and what is said of it
HEAVY = {
    "a dense product": (lambda: json.dumps(dense_product()), "asks for too much work"),
    "a thousand resets": (lambda: json.dumps(resets(1000)), "asks for too much work"),
    "a hundred resets": (lambda: json.dumps(resets(100)), None),
    "a long alphabet": (lambda: json.dumps(one_layer(2_000)), None),
    "a decoder with one entry many times": (lambda: json.dumps(one_layer(1, decoder=[[0, 0, 0]] * 740_000)), "rejected"),
    "a decoder of 900,000 entries": (
        lambda: json.dumps(one_layer(1, decoder=[[0, 0, 0]] * 900_000)),
        "more than 3,000,000 values of a network",
    ),
    "a large file": (lambda: " " * (32 * 2**20 + 1), "more than 33,554,432 bytes of a network"),
    "brackets": (lambda: "[" * 2_900_000, "nested deeper"),
    "digits": (lambda: json.dumps(one_layer(1)).replace('"version": 3', f'"version": {"9" * 10**6}'), "more than 1000 digits"),
}


def settled(path):
    """(the process, its line) of the program on a file, in 10 s of processor time and 1 GiB; a program that crashed would say nothing."""

    def limited():
        resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))
        resource.setrlimit(resource.RLIMIT_CPU, (10, 10))

    done = subprocess.run([built(), path], capture_output=True, text=True, check=False, preexec_fn=limited)
    (line,) = done.stdout.splitlines()
    return done, line


@needs_program
@pytest.mark.parametrize("name", HEAVY)
def test_heavy_files_are_settled_or_refused_in_bounded_memory_and_stack(tmp_path, name):
    text, why = HEAVY[name]
    path = tmp_path / "network.json"
    path.write_text(text(), encoding="utf-8")

    done, line = settled(path)
    assert done.returncode == (2 if why else 0)
    assert line.startswith("holds ") if why is None else why in line


def hostile_settled(path, share, seed=28):
    """How many of a seeded one in ``share`` of the hostile networks both checkers accept and refuse; it is an error if they differ, or one does not end."""
    chance, held = random.Random(seed), [0, 0]
    for document in small_networks():
        for what, changed in hostile_networks(document):
            if chance.randrange(share):
                continue
            path.write_text(json.dumps(changed), encoding="utf-8")
            done, line = settled(path)
            accepted = agreed(path)
            assert (done.returncode, line.startswith("holds ")) == ((0, True) if accepted else (2, False)), what
            held[accepted] += 1
    return held


@needs_program
def test_a_sample_of_hostile_networks_is_settled(tmp_path):
    refused, accepted = hostile_settled(tmp_path / "network.json", 30)
    assert refused > 20
    assert accepted < refused / 5


@needs_program
def test_the_limits_are_those_of_the_python_checker(tmp_path):
    source = (seal.FOLDER / "verified" / "main.ml").read_text(encoding="utf-8")
    for name in ("values", "work"):
        assert f"let {name} = {BOUNDS[name][0]:_}\n" in source
    assert f"let bytes = {BOUNDS['bytes'][0] // 2**20} * 1024 * 1024\n" in source
    path = tmp_path / "network.json"
    path.write_text(json.dumps(one_layer(1, decoder=[[0, 0, 0]] * 900_000)), encoding="utf-8")
    with pytest.raises(Rejected) as said:
        check_file(path)
    assert verified.verdict(built(), path) == (0, str(said.value))
    path.write_text(" " * 2**27, encoding="utf-8")
    with pytest.raises(Rejected, match="recheck --limits 4 doubles"), raised(2):
        check_file(path)
    assert "recheck --limits 4 doubles" in verified.verdict(built(), path, limits=2)[1]


@needs_program
def test_text_that_is_no_utf8(tmp_path):
    path = tmp_path / "network.json"
    text = json.dumps(compile_regex("(b|ab*a)*", construction="holonomy").document()).encode("ascii")
    for wrong in (b"\xff", b"\xc0\xaf", b"\xe2\x28\xa1", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82"):
        path.write_bytes(text.replace(b'["a"', b'["a' + wrong + b'"'))
        assert not agreed(path)
    path.write_bytes(text.replace(b'["a"', '["a\u00e9\u20ac\U0001f600"'.encode()))
    assert agreed(path)


@needs_program
def test_what_it_is_not_for(run, tmp_path):
    assert run("recheck", "--verified", "--all", str(tmp_path))[0] == 2
    (tmp_path / "c.json").write_text('{"format": "lemmata-certificates"}', encoding="utf-8")
    code, _, err = run("recheck", "--verified", str(tmp_path))
    assert code == 2
    assert "is no exported network" in err


def test_without_the_program_it_says_what_to_do(run, tmp_path, monkeypatch):
    (tmp_path / "n.json").write_text("{}", encoding="utf-8")
    monkeypatch.setattr(seal, "FOLDER", tmp_path)
    code, _, err = run("recheck", "--verified", str(tmp_path / "n.json"))
    assert code == 2
    assert err.count("\n") == 1
    assert "make verified" in err


def build(environment):
    """The one line that ``make verified`` says when it cannot."""
    done = subprocess.run(
        [sys.executable, "-m", "formal.verified.build"],
        cwd=seal.FOLDER.parent,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("make verified: expected ")
    assert "apt-get install" in line
    return line


def test_what_building_it_needs(tmp_path):
    before = built()
    assert "coqc" in build(os.environ | {"PATH": str(tmp_path)})
    for name in ("coqc", "coqchk"):
        (tmp_path / name).write_text('#!/bin/sh\necho "The Coq Proof Assistant, version 8.16.1"\n', encoding="utf-8")
        (tmp_path / name).chmod(0o755)
    assert "ocamlfind" in build(os.environ | {"PATH": str(tmp_path)})
    (tmp_path / "ocamlfind").write_text("#!/bin/sh\nexit 2\n", encoding="utf-8")
    (tmp_path / "ocamlfind").chmod(0o755)
    assert "zarith" in build(os.environ | {"PATH": str(tmp_path)})
    assert built() == before
