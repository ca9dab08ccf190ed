"""The independent checker accepts what the checks wrote and rejects what was tampered with."""

import copy
import json
import subprocess
import sys

import pytest
from lemmata.constructions.automata import compile_regex
from lemmata.theorems import recheck, verify
from lemmata.theorems.certificates import digest, write_certificates

EXAMPLES = {
    "cast-of-sum": "grazzi25.lemma1.amended",
    "eventually-periodic": "grazzi25.thm2.amended",
    "stepwise-orbit": "grazzi25.thm1.stepwise",
    "gh-product": "grazzi25.prop1.2.orthogonal",
    "contraction": "grazzi25.prop1.1",
    "not-below-one": "movahedi25.appD.orthogonal",
    "eigenvector": "new.householder.three-projections",
    "overlap-moment": "movahedi25.rmkG.4",
    "automaton": "grazzi25.thm2",
    "copy": "lizaire26.lemma2.amended",
    "collision": "lizaire26.thm5.remark.amended",
    "network": "grazzi25.thm4",
    "shared-head": "orvieto24.thm2.amended",
}


@pytest.fixture(scope="module")
def records():
    return {r.id: r for r in verify(sorted(set(EXAMPLES.values())), effort="quick")}


@pytest.fixture
def directory(records, tmp_path):
    for r in records.values():
        write_certificates(r, tmp_path)
    return tmp_path


def the(records, kind):
    """The largest certificate of a kind, as a fresh copy."""
    found = [c for c in records[EXAMPLES[kind]].certificates if c.kind == kind]
    data = max((c.data for c in found), key=lambda d: len(json.dumps(d)))
    return copy.deepcopy(data)


def test_every_rule_has_an_example():
    assert set(EXAMPLES) == set(recheck.RULES)


def test_what_was_written_holds(directory):
    for path in recheck.files_of(directory):
        claim, count = recheck.check_file(path)
        assert path.name == f"{claim}.json"
        assert count >= 1


@pytest.mark.parametrize("kind", EXAMPLES)
def test_the_untampered_data_hold(records, kind):
    recheck.check_certificate({"kind": kind, "data": the(records, kind)})


def bump(x):
    return str(recheck.Fraction(x) + 1)


def tamper(kind, data):
    """Versions of the data that no longer prove anything, whatever the digest says."""
    if kind == "cast-of-sum":
        yield "values swapped or shifted", data | {"even": bump(data["even"])}
        yield "D moved away from the values", data | {"D": [str(recheck.Fraction(x) + 100) for x in data["D"]]}
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
        yield "an output", data | {"outputs": ["?", *data["outputs"][1:]]}
        yield "a state", data | {"states": [data["states"][1], *data["states"][1:]]}
        yield "another field", data | {"field": data["field"] + 1}
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


def is_rejected(certificate):
    try:
        recheck.check_certificate(certificate)
    except recheck.Rejected:
        return True
    return False


@pytest.mark.parametrize("kind", EXAMPLES)
def test_tampered_data_are_rejected_by_the_mathematics(records, kind):
    versions = list(tamper(kind, the(records, kind)))
    assert versions
    accepted = [what for what, data in versions if not is_rejected({"kind": kind, "data": data})]
    assert accepted == []


def rewritten(path, change, fix_digest):
    document = json.loads(path.read_text(encoding="utf-8"))
    change(document)
    if fix_digest:
        document["sha256"] = digest(document)
    path.write_text(json.dumps(document), encoding="utf-8")


@pytest.mark.parametrize(
    ("change", "fix_digest", "message"),
    [
        (lambda d: d.update(claim="grazzi25.thm99"), False, "digest"),
        (lambda d: d.update(version=2), True, "version"),
        (lambda d: d.update(certificates=[]), True, "no certificate"),
        (lambda d: d["certificates"][0].update(kind="faith"), True, "unknown kind"),
        (lambda d: d["certificates"][0].update(data={}), True, "malformed"),
        (
            lambda d: d["certificates"][0].update(data={"matrix": [[0.5]], "factors": [], "low": "0", "high": "1", "fewest": False}),
            True,
            "exact number",
        ),
    ],
)
def test_changed_files_are_rejected(directory, change, fix_digest, message):
    path = directory / "grazzi25.prop1.2.orthogonal.json"
    rewritten(path, change, fix_digest)
    with pytest.raises(recheck.Rejected, match=message):
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
    path.write_text(text.replace('"version": 2', '"version": 1'), encoding="utf-8")
    with pytest.raises(recheck.Rejected, match="another version"):
        recheck.check_file(path)


def test_it_runs_without_lemmata_or_any_other_package(directory):
    """Isolated from site-packages and from the current directory: the standard library alone."""
    run = subprocess.run([sys.executable, "-I", "-S", recheck.__file__, str(directory)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert len(run.stdout.splitlines()) == len(set(EXAMPLES.values()))
    (directory / "grazzi25.thm2.json").write_text("{}", encoding="utf-8")
    run = subprocess.run([sys.executable, "-I", "-S", recheck.__file__, str(directory)], capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert run.stderr.startswith("grazzi25.thm2.json is malformed")


def test_nothing_half_written_is_left(records, tmp_path, monkeypatch):
    r = records["grazzi25.thm2"]
    monkeypatch.setattr("lemmata.theorems.certificates.os.replace", lambda *a: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        write_certificates(r, tmp_path)
    assert list(tmp_path.iterdir()) == []
