"""The independent checker accepts what the checks wrote and rejects what was tampered with."""

import copy
import json
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from lemmata.constructions.automata import compile_regex
from lemmata.theorems import recheck, verify
from lemmata.theorems.certificates import digest, write_certificates
from lemmata.theorems.ledger import ledger
from lemmata.theorems.recheck.registry import COVERS, DEMANDS, RULES

EXAMPLES = {
    "cast-of-sum": "grazzi25.lemma1",
    "eventually-periodic": "grazzi25.abstract.modulo3",
    "stepwise-orbit": "new.parity.half",
    "gh-product": "grazzi25.prop1.2.orthogonal",
    "contraction": "grazzi25.prop1.1",
    "not-below-one": "movahedi25.appD.orthogonal",
    "eigenvector": "new.householder.three-projections",
    "overlap-moment": "movahedi25.rmkG.4",
    "automaton": "grazzi25.thm2.discussion",
    "copy": "lizaire26.lemma2",
    "collision": "lizaire26.thm5.remark.amended",
    "network": "grazzi25.thm4",
    "bistable": "new.bistable.languages",
    "shared-head": "orvieto24.thm2.amended",
    "witness": "grazzi25.table1.norm",
}

#: claims whose files are written whole, as the ledger pins them
FILES = ("grazzi25.table1.norm", "grazzi25.prop1.2.orthogonal", "grazzi25.thm1.converse", "lizaire26.lemma2")


@pytest.fixture(scope="module")
def records():
    return {r.id: r for r in verify(sorted(set(EXAMPLES.values())), effort="quick")}


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("certificates")
    for r in verify(list(FILES)):
        write_certificates(r, folder)
    return folder


@pytest.fixture
def directory(written, tmp_path):
    shutil.copytree(written, tmp_path, dirs_exist_ok=True)
    return tmp_path


def the(records, kind):
    """The largest certificate of a kind, as a fresh copy."""
    found = [c for c in records[EXAMPLES[kind]].certificates if c.kind == kind]
    data = max((c.data for c in found), key=lambda d: len(json.dumps(d)))
    return copy.deepcopy(data)


def test_every_rule_has_an_example():
    assert set(EXAMPLES) == set(RULES)


def test_every_claim_with_certificates_has_demands_and_no_demand_is_idle():
    wanted = {(e.id, kind) for e in ledger().values() for kind in e.certificates}
    assert wanted == set(DEMANDS)
    assert set(COVERS) <= {id for id, _ in wanted}


def test_what_was_written_holds(directory):
    files = recheck.files_of(directory)
    assert [p.stem for p in files] == sorted(FILES)
    for path in files:
        claim, count = recheck.check_file(path)
        assert path.name == f"{claim}.json"
        assert count == len(ledger()[claim].certificates)


def test_a_directory_is_told_what_it_lacks():
    everything = {e.id for e in ledger().values() if e.certificates}
    assert recheck.missing(everything) == []
    assert recheck.missing(everything - {FILES[0]}) == [FILES[0]]


@pytest.mark.parametrize("kind", EXAMPLES)
def test_the_untampered_data_hold(records, kind):
    RULES[kind](the(records, kind))


def bump(x):
    return str(Fraction(x) + 1)


def tamper(kind, data):
    """Versions of the data that no longer prove anything, whatever the digest says."""
    if kind == "cast-of-sum":
        yield "values swapped or shifted", data | {"even": bump(data["even"])}
        yield "D moved away from the values", data | {"D": [str(Fraction(x) + 100) for x in data["D"]]}
        yield "the threshold", data | {"threshold": -1}
    if kind == "eventually-periodic":
        layer = data["layers"][0]
        for key, value in (
            ("cycle", [[[bump(x) for x in row] for row in h] for h in layer["cycle"]]),
            ("P", [[bump(x) for x in row] for row in layer["P"]]),
            ("blocks", [[bump(x), size] for x, size in layer["blocks"]]),
            ("settled", layer["threshold"] + 1),
            ("threshold", 10**9),
            ("period", []),
        ):
            yield key, data | {"layers": [layer | {key: value}, *data["layers"][1:]]}
        yield "outputs", data | {"outputs": {"before": [], "period": [str(i) for i in range(7)]}}
    if kind == "stepwise-orbit":
        yield "a state", data | {"orbit": [data["orbit"][0]] * len(data["orbit"])}
        yield "an eigenvalue", data | {"eigenvalues": [bump(x) for x in data["eigenvalues"]]}
        yield "not closed", data | {"orbit": data["orbit"][:-1]}
        yield "the matrix", data | {"A": [[bump(x) for x in row] for row in data["A"]]}
    if kind == "gh-product":
        yield "a beta", data | {"factors": [f | {"beta": "9/4"} for f in data["factors"]]}
        yield "a factor dropped", data | {"factors": data["factors"][1:]}
        yield "padded", data | {"factors": data["factors"] + [data["factors"][0]] * 2}
        yield "a zero vector", data | {"factors": [f | {"v": ["0"] * len(f["v"])} for f in data["factors"]]}
        yield "the matrix", data | {"matrix": [[bump(x) for x in row] for row in data["matrix"]]}
    if kind == "contraction":
        yield "the matrix", data | {"matrix": [[bump(x) for x in row] for row in data["matrix"]]}
    if kind == "not-below-one":
        yield "the matrix", data | {"matrix": [["1/2"]]}
        yield "the vector", data | {"vector": ["0"]}
    if kind == "eigenvector":
        yield "the eigenvalue", data | {"eigenvalue": bump(data["eigenvalue"])}
        yield "the vector", data | {"vector": ["0"] * len(data["vector"])}
    if kind == "overlap-moment":
        (a, b, count), *others = data["terms"]
        yield "a count", data | {"terms": [[a, b, count + 1], *others]}
        yield "a power of N", data | {"terms": [[a + 1, b, count], *others]}
        yield "a term dropped", data | {"terms": others}
        yield "a letter", data | {"J": [7, *data["J"][1:]]}
        yield "another number of copies", data | {"copies": 2}
    if kind == "automaton":
        yield "an edge dropped", data | {"edges": data["edges"][1:]}
        i, letter, read, j = data["edges"][0]
        yield "an edge bent", data | {"edges": [[i, letter, read, (j + 1) % len(data["states"])], *data["edges"][1:]]}
        yield "a state", data | {"states": [data["states"][1], *data["states"][1:]]}
    if kind == "copy":
        first, *rest = data["layers"]
        yield "a step more", data | {"p": data["p"] + 1}
        yield "the readout", data | {"readout": [[bump(x) for x in row] for row in data["readout"]]}
        yield "a transition", data | {"layers": [first | {"V": [[bump(x) for x in row] for row in first["V"]]}, *rest]}
    if kind == "collision":
        first, *rest = data["layers"]
        one, two = data["inputs"]
        yield "the same inputs", data | {"inputs": [one, one]}
        yield "another input", data | {"inputs": [one, [bump(two[0]), *two[1:]]]}
        yield "a transition", data | {"layers": [first | {"U": [[bump(x) for x in row] for row in first["U"]]}, *rest]}
        yield "a slope missing", data | {"layers": [first | {"slopes": first["slopes"][1:]}, *rest]}
    if kind == "network":
        yield from tampered_networks(data)
    if kind == "bistable":
        first, *rest = data["layers"]
        yield "the first layer", data | {"layers": [first | {"W_x": [[-w for w in row] for row in first["W_x"]]}, *rest]}
        yield "thresholds", data | {"layers": [layer | {"b_beta": [9 + b for b in layer["b_beta"]]} for layer in data["layers"]]}
        yield "alpha", data | {"layers": [first | {"alpha": [0] * len(first["alpha"])}, *rest]}
        yield "the readout", data | {"readout": data["readout"] | {"b": [b + 1 for b in data["readout"]["b"]]}}
        yield "the automaton", data | {"automaton": data["automaton"] | {"table": data["automaton"]["table"][::-1]}}
    if kind == "shared-head":
        head, heads = data["head"], data["heads"]
        yield "the offset", data | {"head": head | {"offset": bump(head["offset"])}}
        yield "a neuron dropped", data | {"head": {k: v[1:] if isinstance(v, list) else v for k, v in head.items()}}
        yield "biases", data | {"head": head | {"bias": [bump(x) for x in head["bias"]]}}
        yield "weights", data | {"head": head | {"outer": [bump(x) for x in head["outer"]]}}
        yield "the nodes", data | {"nodes": [bump(x) for x in data["nodes"]]}
        yield "larger tokens", data | {"largest": "1000"}
        yield "no steps", data | {"heads": []}
        yield "another head at the last step", data | {"heads": [*heads[:-1], heads[-1] | {"offset": bump(heads[-1]["offset"])}]}


def tampered_networks(data):
    """Changes to a layer, one at a time; each leaves a network or a proof that is not right."""

    def with_layer(k, **changes):
        layers = [*data["layers"]]
        layers[k] = layers[k] | changes
        return data | {"layers": layers}

    table = data["automaton"]["table"]
    yield "the automaton", data | {"automaton": data["automaton"] | {"table": [table[1], table[0], *table[2:]]}}
    yield "a partial automaton", data | {"automaton": data["automaton"] | {"table": [table[0][1:], *table[1:]]}}
    yield "the start", data | {"automaton": data["automaton"] | {"start": data["automaton"]["start"] + 1}}
    yield "a letter dropped", data | {"letters": data["letters"][1:]}
    yield "no layers", data | {"layers": []}
    for k, layer in enumerate(data["layers"]):
        (i, y, z), *others = layer["decoder"]
        yield (
            f"layer {k}: an entry of the decoder",
            with_layer(k, decoder=[[i, y, z + 1 if k < len(data["layers"]) - 1 else (z + 1) % len(table[0])], *others]),
        )
        yield f"layer {k}: an entry dropped", with_layer(k, decoder=others)
        yield f"layer {k}: the first state", with_layer(k, states=[layer["states"][1], *layer["states"][1:]])
        first, *maps = layer["maps"]
        yield f"layer {k}: A", with_layer(k, maps=[first | {"A": [[bump(x) for x in row] for row in first["A"]], "steps": None}, *maps])
        yield f"layer {k}: B", with_layer(k, maps=[first | {"B": [[bump(x) for x in row] for row in first["B"]], "steps": None}, *maps])
        step, *steps = first["steps"]
        yield f"layer {k}: a step dropped", with_layer(k, maps=[first | {"steps": steps}, *maps])
        yield f"layer {k}: a beta", with_layer(k, maps=[first | {"steps": [step | {"beta": bump(step["beta"])}, *steps]}, *maps])
        yield f"layer {k}: a scale", with_layer(k, maps=[first | {"steps": [step | {"scale": bump(step["scale"])}, *steps]}, *maps])
    (letter, before, after, f), *letters = data["layers"][-1]["letters"]
    yield "the letter behind a letter", with_layer(-1, letters=[[letter + 1, before, after, f], *letters])
    yield "the place after a letter", with_layer(-1, letters=[[letter, before, after + 1, f], *letters])


def is_rejected(kind, data):
    try:
        RULES[kind](data)
    except (recheck.Rejected, KeyError, TypeError, ValueError, IndexError, ZeroDivisionError):
        return True
    return False


@pytest.mark.parametrize("kind", [k for k in EXAMPLES if k != "witness"])
def test_tampered_data_are_rejected_by_the_mathematics(records, kind):
    versions = list(tamper(kind, the(records, kind)))
    assert versions
    accepted = [what for what, data in versions if not is_rejected(kind, data)]
    assert accepted == []


def rewritten(path, change, fix_digest=True):
    document = json.loads(path.read_text(encoding="utf-8"))
    change(document)
    if fix_digest:
        document["sha256"] = digest(document)
    path.write_text(json.dumps(document), encoding="utf-8")


@pytest.mark.parametrize(
    ("change", "fix_digest", "message"),
    [
        (lambda d: d.update(claim="grazzi25.thm99"), False, "digest"),
        (lambda d: d.update(version=1), True, "version"),
        (lambda d: d.update(certificates=[]), True, "holds 0 certificates"),
        (lambda d: d["certificates"].pop(), True, "certificates"),
        (lambda d: d["certificates"].append(d["certificates"][0]), True, "certificates"),
        (lambda d: d["certificates"][0].update(kind="faith"), True, "certificates"),
        (lambda d: d["certificates"][0].update(data={}), True, "expected the key"),
        (lambda d: d.update(claim="grazzi25.prop1.1"), True, "another"),
        (lambda d: d.update(claim="nobody.thm1"), True, "does not know"),
        (lambda d: d.update(verdict="REFUTED"), True, "another verdict"),
        (lambda d: d.update(how="statistical"), True, "another how"),
        (lambda d: d.update(scope="all n"), True, "another scope"),
        (lambda d: d.update(says="Every matrix is a product of two reflections."), True, "another title, says, kind or flaw"),
        (lambda d: d.update(title="every matrix is a product of two reflections"), True, "another title, says, kind or flaw"),
        (lambda d: d.update(flaw="gap"), True, "another title, says, kind or flaw"),
        (lambda d: d["certificates"][0]["data"].update(low=0.5), True, "floats"),
        (lambda d: d["certificates"][0]["data"].update(low="-1e0"), True, "expected a number such as"),
        (lambda d: d["certificates"][0]["data"].update(low=" -1_0/10 "), True, "expected a number such as"),
        (lambda d: d["certificates"][0]["data"].update(low="\uff11"), True, "expected a number such as"),
        (lambda d: d["certificates"][0]["data"].update(low="1e999999999"), True, "expected a number such as"),
        (lambda d: d["certificates"][0]["data"].update(low="1/0"), True, "expected a number such as"),
    ],
)
def test_changed_files_are_rejected(directory, change, fix_digest, message):
    path = directory / "grazzi25.prop1.2.orthogonal.json"
    rewritten(path, change, fix_digest)
    with pytest.raises(recheck.Rejected, match=message):
        recheck.check_file(path)


def test_a_certificate_of_another_claim_is_rejected(directory):
    """The same kind, a true certificate, resealed: but not of what this claim says."""
    other = json.loads((directory / "lizaire26.lemma2.json").read_text(encoding="utf-8"))["certificates"][0]
    for change in (
        lambda d: d.update(certificates=[other] * len(d["certificates"])),
        lambda d: d.update(certificates=[d["certificates"][0]] * len(d["certificates"])),
        lambda d: d["certificates"][0].update(data={"matrix": [[1]], "factors": [], "low": -1, "high": 1, "fewest": True}),
    ):
        path = directory / "grazzi25.prop1.2.orthogonal.json"
        intact = path.read_text(encoding="utf-8")
        rewritten(path, change)
        with pytest.raises(recheck.Rejected):
            recheck.check_file(path)
        path.write_text(intact, encoding="utf-8")


def test_the_automaton_must_be_the_one_that_the_claim_speaks_of(directory):
    path = directory / "grazzi25.thm1.converse.json"
    rewritten(path, lambda d: d["certificates"][0]["data"].update(outputs=["0"] * len(d["certificates"][0]["data"]["outputs"])))
    with pytest.raises(recheck.Rejected):
        recheck.check_file(path)


def test_duplicate_keys_are_rejected(directory):
    path = directory / "grazzi25.table1.norm.json"
    path.write_text(path.read_text(encoding="utf-8").replace('"claim":', '"claim": "grazzi25.thm1", "claim":', 1), encoding="utf-8")
    with pytest.raises(recheck.Rejected, match="twice"):
        recheck.check_file(path)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "[" * 100_000, '{"format": "lemmata-certificates"}', "\x00"])
def test_what_is_no_certificate_is_rejected(tmp_path, text):
    path = tmp_path / "x.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(recheck.Rejected):
        recheck.check_file(path)


def test_an_exported_network_is_a_certificate(tmp_path):
    path = tmp_path / "network.json"
    text = compile_regex("(ab|c)*d?").to_json()
    path.write_text(text, encoding="utf-8")
    assert recheck.files_of(path) == [path]
    assert recheck.check_file(path) == ("a network for 4 states", 1)
    path.write_text(text.replace('"version": 3', '"version": 1'), encoding="utf-8")
    with pytest.raises(recheck.Rejected, match="another version"):
        recheck.check_file(path)


def test_it_runs_without_lemmata_or_any_other_package(directory, tmp_path_factory):
    """Isolated from site-packages and from the current directory, a copy of two folders: the standard library alone."""
    alone, here = tmp_path_factory.mktemp("alone"), Path(recheck.__file__).parent
    for folder in (here, here.parent / "pins"):
        shutil.copytree(folder, alone / folder.name, ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-I", "-S", str(alone / "recheck"), str(directory)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert len(run.stdout.splitlines()) == len(FILES)
    (directory / "grazzi25.table1.norm.json").write_text("{}", encoding="utf-8")
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert run.stderr.startswith("grazzi25.table1.norm.json is malformed")
    run = subprocess.run([*command, "--all"], capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert "grazzi25.thm1: no certificates here" in run.stderr


def test_nothing_half_written_is_left(records, tmp_path, monkeypatch):
    r = records["grazzi25.table1.norm"]
    monkeypatch.setattr("lemmata.theorems.files.os.replace", lambda *a: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        write_certificates(r, tmp_path)
    assert list(tmp_path.iterdir()) == []
