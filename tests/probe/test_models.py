"""Layers of transformers and whole models in its format. All that imports transformers runs in one process of its own: marker programs."""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="needs the extra 'torch'")

import lemmata as lm
import torch
from lemmata.probe.animals import LEAST, LIMITED, ZOO
from lemmata.probe.folders import WEIGHTS
from lemmata.probe.mixers import Memory, Wide
from lemmata.probe.steps import Refused, step_of
from typer.testing import CliRunner

BEYOND_ROUNDING = 1e-4


@pytest.fixture(scope="session")
def found():
    if not all(map(find_spec, ("fla", "triton", "transformers"))):
        pytest.skip("needs the extra 'fla'")
    command = [sys.executable, "-P", "-W", "ignore", str(Path(__file__).with_name("run_models.py"))]
    done = subprocess.run(
        command, capture_output=True, text=True, env=os.environ | {"OMP_NUM_THREADS": "1", "TRITON_INTERPRET": "1"}, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.programs
def test_every_recurrent_layer_of_a_model_has_a_row_by_its_name(found):
    gated, delta = found["folders"]["gated"], found["folders"]["delta"]
    assert [x["name"] for x in gated["layers"]] == ["model.layers.0.linear_attn", "model.layers.2.linear_attn"]
    assert gated["attention"] == ["model.layers.1.self_attn"]
    assert {x["found"]["row"] for x in gated["layers"]} == {"gated-delta-nonnegative-convolution"}
    # attention beside them: no row holds all layers
    assert gated["row"] is None
    assert [x["name"] for x in delta["layers"]] == ["model.layers.0.attn", "model.layers.1.attn"]
    assert delta["row"] == "delta-signed-convolution"


@pytest.mark.programs
def test_a_model_of_transformers_is_read_by_its_own_classes(found):
    """Flash-linear-attention has a model of the same name, whose weights have other shapes."""
    assert found["mamba"] == ["MambaMixer"] * 2


@pytest.mark.programs
def test_nothing_in_a_folder_is_run(found):
    said = found["folders"]
    assert said["trapped"] is False
    assert "code in a folder is not run" in said["code"]
    # a model that the library knows is the library's, whatever the folder says
    assert said["known"] == ["delta-signed-convolution"] * 2
    assert said["pickle"].startswith("expected a model that can be read")


@pytest.mark.programs
def test_weights_must_all_be_there(found):
    assert found["folders"]["no weights"].startswith("expected weights in")
    assert "b_proj" in found["folders"]["lacking"]


@pytest.mark.programs
@pytest.mark.parametrize(
    ("name", "eigenvalues", "row"),
    [
        ("Mamba2Mixer", "real, in (0, 1)", "open-diagonal-convolution"),
        ("RecurrentGemmaRecurrentBlock", "real, in (0, 1)", "open-diagonal-convolution"),
        ("Qwen3NextGatedDeltaNet", "real, in (0, 1)", "gated-delta-nonnegative-convolution"),
        ("KimiLinearDeltaAttention", "real, in (0, 1)", "channel-gated-delta-convolution"),
        ("MiniMaxLightningAttention", "real, in [0.939412, 0.996101]", "open-diagonal"),
        ("xLSTMLayer", "real, in (0, 1]", "none"),
        ("RwkvSelfAttention", "real, in (0, 1]", "none"),
    ],
)
def test_layers_of_transformers(found, name, eigenvalues, row):
    said = found["rows"][name]
    assert (said["eigenvalues"], said["row"]) == (eigenvalues, row)
    assert ("driven by a block" in said["transition"]) == (row == "none")


@pytest.mark.programs
def test_the_form_for_whole_texts_leaves_the_states_of_the_step(found):
    assert found["gaps"]
    assert max(found["gaps"].values()) < BEYOND_ROUNDING


@pytest.mark.programs
def test_what_the_zoo_remarks_is_so(found):
    assert set(found["limits"]) == {a.name for a in ZOO if a.remark in (LIMITED, LEAST)}
    # the option changes the form for whole texts and not the step
    assert min(found["limits"].values()) > 100 * BEYOND_ROUNDING
    assert found["caches"] == {"BasedLinearAttention": 0, "ReBasedLinearAttention": 0}
    assert found["rows"]["BasedLinearAttention"]["transition"].startswith("refused: its code keeps nothing")


@pytest.mark.parametrize("path", ["no such folder", "."])
def test_a_folder_without_a_model_is_refused(path, tmp_path):
    with pytest.raises(Refused, match=r"expected a folder with config\.json"):
        lm.probe_model(tmp_path / path)


def test_a_folder_without_weights_is_refused(tmp_path):
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(Refused, match=WEIGHTS[0]):
        lm.probe_model(tmp_path)


def test_the_command_refuses_what_does_not_go_together(tmp_path, monkeypatch):
    from lemmata.cli import app

    monkeypatch.setenv("TRITON_INTERPRET", "1")
    for arguments, reason in (
        (["--zoo", "--task", "parity"], "expected no --task with --zoo"),
        ([str(tmp_path), "--state", "3"], "expected no --state with a folder"),
        ([], "expected MODULE:CLASS, fla:CLASS, a folder or --zoo"),
        (["no such layer", "--zoo"], "expected a part of the title"),
    ):
        with pytest.raises(ValueError, match=reason):
            CliRunner().invoke(app, ["probe", *arguments], catch_exceptions=False)


@pytest.mark.parametrize("kind", [torch.nn.RNN, torch.nn.GRU, torch.nn.LSTM])
@pytest.mark.parametrize("layers", [1, 2])
def test_layers_of_pytorch_for_sequences_do_one_token_at_a_time(kind, layers):
    torch.manual_seed(0)
    layer = kind(3, 4, num_layers=layers, batch_first=True, dtype=torch.float64)
    shape = (2, layers, 4) if kind is torch.nn.LSTM else (layers, 4)
    step, state = step_of(layer, shape, 3), torch.randn(*shape, dtype=torch.float64)
    x = torch.randn(3, dtype=torch.float64)
    given = tuple(s[:, None] for s in state) if kind is torch.nn.LSTM else state[:, None]
    after = layer(x[None, None], given)[1]
    wanted = torch.cat([a.flatten() for a in after]) if kind is torch.nn.LSTM else after.flatten()
    assert torch.allclose(step(step.weights, state.flatten(), x), wanted)


@pytest.mark.parametrize("options", [{"bidirectional": True}, {"proj_size": 2}])
def test_layers_that_read_from_both_sides_or_project_are_refused(options):
    with pytest.raises(Refused, match="left to right"):
        step_of(torch.nn.LSTM(3, 4, **options), (2, 1, 4), 3)


def test_casts_to_float32_are_left_out_and_others_are_not():
    x = torch.randn(2, dtype=torch.float64)
    with Wide():
        assert x.float().dtype == x.to(torch.float32).dtype == x.type(torch.float32).dtype == torch.float64
        assert x.to(torch.float16).dtype == torch.float16
        assert torch.zeros(2).float().dtype == torch.float32


def test_a_memory_keeps_the_last_tokens_of_a_convolution():
    memory = Memory()
    assert memory.get_conv_state() is None
    assert memory.update_conv_state(torch.tensor([[[1.0, 2.0]]]), 0, conv_kernel_size=3).tolist() == [[[0, 1, 2]]]
    assert memory.update_conv_state(torch.tensor([[[3.0, 4.0, 5.0, 6.0]]]), 0, conv_kernel_size=3).tolist() == [[[0, 1, 2, 3, 4, 5, 6]]]
    assert memory.get_conv_state().tolist() == [[[4, 5, 6]]]
