"""``lemmata recheck --verified --format``: stored numbers, every operation rounded, by the checker that is proved sound."""

import json
from math import inf

import pytest
from lemmata.constructions.automata import compile_group, compile_regex
from lemmata.constructions.automata.read.sources import named_group
from lemmata.constructions.automata.rounding.precision import guaranteed_lengths
from lemmata.constructions.automata.rounding.stored_numbers import STORED, stored_numbers

from .test_verified import needs_program

NETWORKS = {
    "parity": lambda: compile_regex("(b|ab*a)*"),
    "three layers": lambda: compile_regex("(a|b)*abb", construction="holonomy"),
    "a rotation": lambda: compile_group(named_group("Z5"), polygons=True),
}


@needs_program
@pytest.mark.parametrize("way", ["loop", "delta", "fused", "scan", "chunk"])
@pytest.mark.parametrize("dtype", STORED)
@pytest.mark.parametrize("name", NETWORKS)
def test_it_says_what_python_says(run, tmp_path, name, dtype, way):
    document, path = NETWORKS[name]().document(), tmp_path / "stored.json"
    path.write_text(json.dumps(stored_numbers(document, dtype)), encoding="utf-8")
    code, out, err = run("recheck", "--verified", "--format", dtype, "--path", way, str(path))
    # Python promises nothing of chunks; these networks are exact there where they are so step by step
    if guaranteed_lengths(document)["fused" if way == "chunk" else way][dtype] == inf:
        assert (code, err) == (0, "")
        assert out.startswith(f"holds  right at every length in {dtype} on the path {way}: ")
    else:
        assert code == 2
        assert (
            "has no successor on this path" if way in ("fused", "scan", "chunk") else "is decoded wrong; the first operation that rounds: "
        ) in err


def changed(first=0, unit=0, **map_of_b):
    """Parity, whose letters a and b multiply a state 1 or -1 by -1 and 1: in units of 2^unit, from 2^first, with other numbers for b."""

    def change(layer):
        layer["start"] = [[1, first]]
        for m in layer["maps"]:
            m["unit"] = unit
        layer["maps"][1] |= map_of_b

    return change


CHANGES = {
    "a wrong entry": (changed(A=[[[-1, 0]]]), "is decoded wrong; no operation that was met rounds"),
    "a product that rounds": (changed(A=[[[255, -8]]]), "the product in row 0, column 0 is rounded"),
    "a sum that rounds": (changed(B=[[3, -9]]), "the sum with B in row 0 is rounded"),
    "overflow": (changed(100, 100, A=[[[1, 100]]]), "the product in row 0, column 0 is infinite or not a number"),
    "a subnormal number": (changed(-100, -100, A=[[[1, -100]]]), "the product in row 0, column 0 is finer than the least subnormal number"),
    "no nearest code": (changed(codes=[[1], [1]]), "is strictly nearest to no code"),
    "a number that the format lacks": (changed(A=[[[257, -8]]]), "has a number that bfloat16 or float64 lacks"),
    "a matrix that is not square": (changed(A=[[[1, 0], [1, 0]]]), "matrices that are not square"),
    "a number of 65 bits": (changed(A=[[[2**64 + 1, -60]]]), "of at most 64 bits"),
}


@needs_program
@pytest.mark.parametrize("name", CHANGES)
def test_what_is_wrong_is_named(run, tmp_path, name):
    document, path = stored_numbers(NETWORKS["parity"]().document(), "bfloat16"), tmp_path / "stored.json"
    change, words = CHANGES[name]
    change(document["layers"][0])
    path.write_text(json.dumps(document), encoding="utf-8")
    code, _, err = run("recheck", "--verified", "--format", "bfloat16", str(path))
    assert code == 2
    assert words in err


@needs_program
def test_compile_writes_what_it_reads(run, tmp_path):
    target = tmp_path / "s3.json"
    assert run("compile", "--group", "S3", "--out", str(target), "--stored", "float16")[0] == 0
    code, out, _ = run("recheck", "--verified", "--format", "float16", f"{target}.float16")
    assert (code, "no operation rounds" in out) == (0, True)
    assert "holds numbers of float16, not of bfloat16" in run("recheck", "--verified", "--format", "bfloat16", f"{target}.float16")[2]


def test_wrong_arguments_are_refused(run, tmp_path):
    path = tmp_path / "stored.json"
    path.write_text("{}", encoding="utf-8")
    assert "expected --format with --verified only" in run("recheck", "--format", "bfloat16", str(path))[2]
    assert "expected a data type among float32, float16, bfloat16" in run("recheck", "--verified", "--format", "float64", str(path))[2]
    assert (
        "expected a path among loop, delta, fused, scan, chunk, got 'chunks'"
        in run("recheck", "--verified", "--format", "float16", "--path", "chunks", str(path))[2]
    )
    chunk = ("--verified", "--format", "float16", "--path", "chunk", "--chunk")
    for steps in ("0", "16777217", "-1", "1e2", "x"):
        assert "expected --chunk with a number of micro-steps from 1 to 16777216" in run("recheck", *chunk, steps, str(path))[2]
    assert "expected --chunk with --path chunk only" in run("recheck", "--verified", "--format", "float16", "--chunk", "64", str(path))[2]
    assert "expected --chunk with --format and --path chunk only" in run("recheck", "--chunk", "64", str(path))[2]
    assert "expected --stored with --out FILE" in run("compile", "parity", "--stored", "float16")[2]
    assert "expected a data type among" in run("compile", "parity", "--stored", "int8", "--out", str(tmp_path / "x.json"))[2]


@needs_program
def test_scan_products_that_round_are_named(run, tmp_path):
    """A second coordinate is 0 and multiplied by 129/128: exact at every length by the loop, but powers of that number are not exact in binary32."""
    document, path = stored_numbers(NETWORKS["parity"]().document(), "bfloat16"), tmp_path / "stored.json"
    layer = document["layers"][0]
    layer["start"] = [*layer["start"], [0, 0]]
    for m in layer["maps"]:
        m["A"] = [[*m["A"][0], [0, 0]], [[0, 0], [129, -7]]]
        m["B"], m["codes"], m["steps"] = [[0, 0], [0, 0]], [[*code, 0] for code in m["codes"]], None
    path.write_text(json.dumps(document), encoding="utf-8")
    assert run("recheck", "--verified", "--format", "bfloat16", str(path))[0] == 0
    code, _, err = run("recheck", "--verified", "--format", "bfloat16", "--path", "scan", str(path))
    assert (
        code,
        "the first sum that is not exact in every order: layer 0, a composition of maps: the product in row 1, column 1" in err,
    ) == (2, True)


def beside_parity(*steps, scale=0, rest=0):
    """Parity with keys 2^scale, and two more coordinates, rest and 0: the letter a has these micro-steps too, (keys there, strength, value)."""

    def change(layer):
        layer["start"] = [*layer["start"], [rest, 0], [0, 0]]
        for m, more in zip(layer["maps"], (steps, ()), strict=True):
            m["codes"] = [[*code, rest, 0] for code in m["codes"]]
            m["A"], m["B"] = [[*m["A"][0], [0, 0], [0, 0]], [[0, 0]] * 3, [[0, 0]] * 3], [[0, 0]] * 3
            for s in m["steps"]:
                s["key"], s["strength"][1] = [[1, scale], [0, 0], [0, 0]], s["strength"][1] - 2 * scale
            m["steps"] += [{"key": [[0, 0], *key], "strength": strength, "value": value} for key, strength, value in more]

    return change


ZERO, ONE = [0, 0], [1, 0]
SWAP = ([ONE, ONE], ONE, ZERO)
OPEN = "the vectors that bound it do not close"
CHUNKS = {
    "parity alone": (beside_parity(), None),
    "a key that is stretched": (beside_parity(scale=3), None),
    "a projection": (beside_parity(([ONE, ZERO], ONE, ZERO)), None),
    "powers of 1/4": (beside_parity(([ONE, ZERO], [3, -2], ZERO)), f"T = (I + A)^-1: {OPEN}"),
    "a strength of 3": (beside_parity(([ONE, ZERO], [3, 0], ZERO)), f"T = (I + A)^-1: {OPEN}"),
    "a key times its strength": (
        beside_parity(([ONE, ZERO], ONE, ZERO), ([[255, -8], ZERO], [255, -8], ZERO)),
        "beta K: a number that bfloat16 lacks",
    ),
    "an inner product of keys": (
        beside_parity(SWAP, ([ONE, [1, -9]], ZERO, ZERO)),
        "A = tril(beta K K^T, -1): a number that bfloat16 lacks",
    ),
    "keys of two sizes": (
        beside_parity(SWAP, ([[1, 13], ZERO], ZERO, ZERO), ([[1, -13], ZERO], ZERO, ZERO)),
        "A = tril(beta K K^T, -1): its terms may add up to more than 2^24 multiples",
    ),
    "a new value of 9 bits": (
        beside_parity(([ONE, ZERO], ONE, [255, 0]), ([ONE, ZERO], ONE, [-2, 0]), rest=-2),
        "U = T beta V: a number that bfloat16 lacks",
    ),
}


@needs_program
@pytest.mark.parametrize("name", CHUNKS)
def test_chunks(run, tmp_path, name):
    """All are right step by step in any order of sums."""
    document, path = stored_numbers(NETWORKS["parity"]().document(), "bfloat16"), tmp_path / "stored.json"
    change, words = CHUNKS[name]
    change(document["layers"][0])
    path.write_text(json.dumps(document), encoding="utf-8")
    assert run("recheck", "--verified", "--format", "bfloat16", "--path", "fused", str(path))[0] == 0
    code, out, err = run("recheck", "--verified", "--format", "bfloat16", "--path", "chunk", str(path))
    assert code == (0 if words is None else 2)
    assert (words or "every sum is exact in any order, in chunks of up to 128 micro-steps") in out + err


@needs_program
@pytest.mark.parametrize(
    ("chunk", "words"),
    [
        (1, "every sum is exact in any order, in chunks of up to 1 micro-step "),
        (1024, "every sum is exact in any order, in chunks of up to 1024 micro-steps"),
        # the new state adds up to 1 and 2 for each micro-step, and float32 has all integers up to 2^24
        (2**23 - 1, "every sum is exact in any order, in chunks of up to 8388607 micro-steps"),
        (2**23, "in chunks of up to 8388608 micro-steps: S + K^T (U - W S): its terms may add up to more than 2^24 multiples"),
    ],
)
def test_the_length_of_chunks(run, tmp_path, chunk, words):
    path = tmp_path / "stored.json"
    path.write_text(json.dumps(stored_numbers(NETWORKS["parity"]().document(), "bfloat16")), encoding="utf-8")
    code, out, err = run("recheck", "--verified", "--format", "bfloat16", "--path", "chunk", "--chunk", str(chunk), str(path))
    assert (code, words in out + err) == (2 if chunk == 2**23 else 0, True)


@needs_program
def test_chunks_need_micro_steps(run, tmp_path):
    document, path = stored_numbers(NETWORKS["parity"]().document(), "bfloat16"), tmp_path / "stored.json"
    document["layers"][0]["maps"][1]["steps"] = None
    path.write_text(json.dumps(document), encoding="utf-8")
    code, _, err = run("recheck", "--verified", "--format", "bfloat16", "--path", "chunk", str(path))
    assert (code, "a map has no micro-steps, or some of another width" in err) == (2, True)
