"""Layers of transformers, whole models from folders, and what the zoo remarks; prints what was found as JSON. Run by test_models.py, with Triton's interpreter."""

import json
import pickle
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import torch
from lemmata.api.probe_model import probe_model
from lemmata.kernels.interpreter import patched
from lemmata.probe.animals import COMMON, IGNORED, LEAST, LIMITED, ZOO
from lemmata.probe.mixers import Mixer
from lemmata.probe.steps import Refused
from lemmata.probe.zoo import made, row

GATED = {
    **{"linear_num_key_heads": 1, "linear_num_value_heads": 1, "linear_key_head_dim": 4, "linear_value_head_dim": 2, "head_dim": 8},
    **{"num_attention_heads": 2, "num_key_value_heads": 1, "num_experts": 2, "num_experts_per_tok": 1, "moe_intermediate_size": 8},
    **{"shared_expert_intermediate_size": 8, "intermediate_size": 16},
}


class Trap:
    """An object whose loading writes a file."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return Path.touch, (Path(self.path),)


def named(name):
    return next(a for a in ZOO if a.name == name)


def whole_and_stepwise(animal):
    """The largest difference of the states after a text by the layer's form for whole texts and token by token, and the largest entry."""
    layer = Mixer(made(animal), 16)
    x = torch.randn(1, 6, 16, generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        whole, kept = layer._after(x, None).state, None
        for t in range(x.shape[1]):
            kept = layer._after(x[:, t : t + 1], kept)
    assert kept is not None
    gaps = [float((a - b).abs().max()) for a, b in zip(whole, kept.state, strict=True)]
    return max(gaps) / max(float(a.abs().max()) for a in whole)


def said(call):
    try:
        return call()
    except Refused as why:
        return str(why)


def folders(root):
    """Two models, and what is refused: code in the folder, a pickle that runs code, a lacking weight, no weights, no model."""
    import fla  # noqa: F401
    from fla.models import DeltaNetConfig
    from transformers import AutoModelForCausalLM, Qwen3NextConfig
    from transformers.utils import logging

    logging.set_verbosity_error()
    torch.manual_seed(0)
    first, second = root / "gated", root / "delta"
    AutoModelForCausalLM.from_config(
        Qwen3NextConfig(
            **COMMON | GATED | {"num_hidden_layers": 3, "layer_types": ["linear_attention", "full_attention", "linear_attention"]}
        )
    ).save_pretrained(first)
    AutoModelForCausalLM.from_config(DeltaNetConfig(**COMMON, num_heads=2, intermediate_size=16, allow_neg_eigval=True)).save_pretrained(
        second
    )
    found = {path.name: probe_model(path).data for path in (first, second)}
    trap = root / "run"
    config = json.loads((second / "config.json").read_text())
    for name, kind, weights in (
        ("code", "unheard", "safe"),
        ("known", config["model_type"], "safe"),
        ("pickle", config["model_type"], "trap"),
    ):
        path = root / name
        path.mkdir()
        (path / "trap.py").write_text(f"open({str(trap)!r}, 'w')\n")
        auto = {"AutoConfig": "trap.Config", "AutoModelForCausalLM": "trap.Model"}
        (path / "config.json").write_text(json.dumps(config | {"model_type": kind, "auto_map": auto}))
        if weights == "safe":
            (path / "model.safetensors").write_bytes((second / "model.safetensors").read_bytes())
        else:
            (path / "pytorch_model.bin").write_bytes(pickle.dumps({"model.norm.weight": Trap(trap)}))
        found[name] = said(lambda path=path: [x["found"]["row"] for x in probe_model(path).data["layers"]])
    lacking = root / "lacking"
    lacking.mkdir()
    (lacking / "config.json").write_text(json.dumps(config))
    found["no weights"] = said(lambda: probe_model(lacking))
    from safetensors.torch import load_file, save_file

    tensors = load_file(second / "model.safetensors")
    save_file({n: t for n, t in tensors.items() if "b_proj" not in n}, lacking / "model.safetensors", metadata={"format": "pt"})
    found["lacking"] = said(lambda: probe_model(lacking))
    found["trapped"] = trap.exists()
    return found


def mamba(root):
    """The classes of the layers of a model that both libraries name "mamba", before anything imports flash-linear-attention."""
    from transformers import AutoModelForCausalLM, MambaConfig

    assert "fla" not in sys.modules
    path = root / "mamba"
    AutoModelForCausalLM.from_config(MambaConfig(**COMMON, state_size=4, expand=1, time_step_rank=2)).save_pretrained(path)
    return [layer["class"] for layer in probe_model(path).data["layers"]]


def cached(name):
    """How many layers a cache has after a call of a layer that is given it."""
    import fla.layers
    from fla.models.utils import Cache

    cache = Cache()
    layer = getattr(fla.layers, name)(hidden_size=16, feature_dim=16, num_heads=1, num_key_value_heads=1)
    with torch.no_grad(), patched():
        layer(torch.randn(1, 3, 16), past_key_values=cache, use_cache=True)
    return len(cache.layers)


def main():
    torch.set_num_threads(1)
    kinds = (
        "Mamba2Mixer",
        "Qwen3NextGatedDeltaNet",
        "KimiLinearDeltaAttention",
        "MiniMaxLightningAttention",
        "RwkvSelfAttention",
        "xLSTMLayer",
    )
    with tempfile.TemporaryDirectory() as root:
        found = {"mamba": mamba(Path(root))} | {"folders": folders(Path(root))}
    found["rows"] = {n: row(named(n)).data for n in (*kinds, "RecurrentGemmaRecurrentBlock", "BasedLinearAttention")}
    found["gaps"] = {n: whole_and_stepwise(named(n)) for n in kinds}
    options = {LIMITED: {"time_step_limit": (0.0, 1e-3)}, LEAST: {"time_step_min": 1.0}}
    found["limits"] = {a.name: whole_and_stepwise(replace(a, options=a.options | options[a.remark])) for a in ZOO if a.remark in options}
    found["caches"] = {a.name: cached(a.name) for a in ZOO if a.remark == IGNORED}
    print(json.dumps(found))


if __name__ == "__main__":
    sys.exit(main())
