"""``lemmata vectors``."""

import json

import numpy as np


def test_files_checker_and_table(run, tmp_path, monkeypatch):
    from lemmata.kernels import gradients, vectors, writing

    few = {key: plan for key, plan in vectors.VECTORS.items() if key in (("linear", "scale"), ("delta", "write"), ("delta", "hold"))}
    monkeypatch.setattr(vectors, "VECTORS", few)
    monkeypatch.setattr(writing, "VECTORS", few)
    monkeypatch.setattr(writing, "GRADIENTS", {})
    monkeypatch.setattr(gradients, "GRADIENTS", {})
    code, out, _ = run("vectors", "--rule", "delta", "--out", str(tmp_path), "--json")
    assert code == 0
    assert [row["vector"] for row in json.loads(out)] == ["delta.write", "delta.hold"]
    assert all(row["criterion"] and row["required in"] == ["float32", "float16", "bfloat16"] for row in json.loads(out))
    for row in json.loads(out):
        # the file itself says what its audit found for an algorithm that leaves the formats
        with np.load(tmp_path / f"{row['vector']}.npz") as file:
            assert file["needs"].item() == f"an inverse by repeated squaring needs {row['inverse by squaring']} bits"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["delta.hold.npz", "delta.write.npz", "exact_vectors.py"]
    code, out, _ = run("vectors", "--out", str(tmp_path))
    assert code == 0
    assert "3 files and exact_vectors.py written" in " ".join(out.split())


def test_an_unknown_rule_is_one_line(run, tmp_path):
    code, _, err = run("vectors", "--rule", "mamba", "--out", str(tmp_path))
    assert code == 2
    assert err.startswith("lemmata: expected a known rule, got 'mamba'")
