"""Compiled layers of flash-linear-attention with their default options: exact in bfloat16 by the library's own kernels."""

import pytest
from lemmata.constructions.automata.run import fla_layers


@pytest.mark.parametrize("mode", ["eval", "train"])
def test_layers_are_exact_before_their_output_norm(flash, mode):
    # (error, wrong letters, why it did not run); Mamba-2 has no such norm
    assert flash["layers"][mode] == {
        "GatedDeltaProduct": [0, 0, ""],
        "GatedDeltaNet": [0, 0, ""],
        "DeltaNet": [0, 0, ""],
        "Mamba2": [None, 0, ""],
    }


def test_resets_signs_single_letters_autocast_and_options(flash):
    said = flash["layers"]
    exact = [0, 0, ""]
    assert said["resets"] == [exact, exact]
    assert [said[name] for name in ("signed", "steps", "autocast", "no gates", "wide chunks")] == [exact] * 5
    assert said["gradients"]


def test_the_usual_keys_fail(flash):
    assert flash["layers"]["spoilt"] > 1e-3


def test_what_to_fla_refuses_does_not_run(flash):
    """But for the older version, whose chunk kernel takes float32 as well."""
    said = flash["layers"]["float32 in chunks"]
    assert "does not support float32" in said[2] if flash["layers"]["version"] == "0.6.0" else said == [0, 0, ""]


def test_files_make_the_same_layer(flash):
    said = flash["layers"]["saved"]
    assert said["files"] == ["config.json", "model.safetensors"]
    assert said["same"]
    # states 0, 1 and 2; the first letter leaves the start
    assert said["run"] == [0, 0, 1, 1]
    assert said["config"]["guarantees"] == {"scan": "every length"}
    assert (said["config"]["letters"], said["config"]["first_tokens"]) == (["hold", "a", "b", "c"], [4])
    assert said["config"]["run_on_gpu"] is False


def test_a_layer_that_is_certified_is_held_to_its_kernel(flash):
    said = flash["layers"]["held"]
    assert said["kernel"].startswith("read as Embedding, DeltaNet, Linear")
    assert "held to no kernel" not in said["kernel"]
    assert "it does more than was read" in said["halved"]


def test_a_language_model_says_the_state(flash):
    said = flash["layers"]["language model"]
    assert {"config.json", "model.safetensors", "tokenizer.json"} <= set(said["files"])
    assert (said["first"], said["wrong"]) == (["<first0>", "0", "0"], 0)


def test_refusals_say_what_would_work(flash):
    said = flash["layers"]["refused"]
    assert said["factors"] == "expected one reflection a letter, got 2, and DeltaNet has one: take GatedDeltaProduct"
    assert said["resets"].endswith("DeltaNet has no gate: take GatedDeltaProduct")
    assert said["permutations"].endswith("take GatedDeltaProduct")
    assert said["float32"].startswith("expected bfloat16, float16 or autocast=True for GatedDeltaProduct with train=True")
    assert said["float64"].startswith("expected bfloat16, float16 or float32, got")
    assert said["autocast"] == "expected weights in float32 with autocast=True, got bfloat16"
    assert said["sizes"].endswith("got hidden_size")
    assert "no eigenvalue -1" in said["RWKV-7"]
    assert said["unknown"].startswith("expected a layer among GatedDeltaProduct, ")
    assert said["cascade"].startswith("expected a network of one layer")


def test_other_versions_are_named(monkeypatch):
    monkeypatch.setattr(fla_layers, "version", lambda name: "0.1.0")
    with pytest.raises(ValueError, match=r"got 0\.1\.0"):
        fla_layers.require_version()


def test_an_older_version_asks_for_older_libraries(monkeypatch):
    found = {"flash-linear-attention": "0.5.2", "triton": "3.9.0", "transformers": "5.0.0"}
    monkeypatch.setattr(fla_layers, "version", found.get)
    with pytest.raises(ValueError, match=r"triton before 3\.9 with flash-linear-attention 0\.5\.2, got 3\.9\.0"):
        fla_layers.require_version()
    with pytest.raises(ValueError, match=r"transformers before 5\.0"):
        fla_layers.require_version("transformers")
    found |= {"triton": "3.8.0", "transformers": "4.57.6"}
    fla_layers.require_version()
    fla_layers.require_version("transformers")
