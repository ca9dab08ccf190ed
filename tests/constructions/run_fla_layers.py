"""What compiled layers of flash-linear-attention compute, in Triton's interpreter; run_flash.py calls it, or it runs alone (stage versions of .ci/run)."""

from __future__ import annotations

import json
import tempfile
from importlib.metadata import version
from pathlib import Path
from unittest.mock import patch

import lemmata as lm
import torch
from lemmata.constructions.automata import Automaton, compile_automaton, compile_group, compile_regex
from lemmata.constructions.automata.read.sources import named_group
from lemmata.constructions.automata.run.fla_layers import to_fla
from lemmata.experiments.certified import flash_parity
from lemmata.kernels.interpreter import patched
from lemmata.kernels.layer_cells import NETWORKS, Setting, measured

EVAL, TRAIN = Setting("bfloat16", False, False, False, 20), Setting("bfloat16", False, True, True, 20)
RESETS = Automaton({"p": (1, 2, 0), "q": (1, 0, 2), "r": (2, 2, 2)})


def spoilt() -> float:
    """The error with the usual keys (e_i - e_j) / sqrt(2): one row for each coordinate."""
    network = NETWORKS["GatedDeltaProduct"]()
    made = to_fla(network, train=True)
    n, m = len(made.plan.keys.signs), made.module
    with torch.no_grad():
        keys = m.k_proj.weight.view(-1, m.head_k_dim, m.hidden_size)
        keys[:, n:, :2] = 0
    words, seen = torch.tensor([[0, 1, 1, 0, 1, 0, 0, 1]]), []
    hook = m.o_norm.register_forward_pre_hook(lambda _, given: seen.append(given[0].detach().float()))
    with patched():
        made.states(words)
    hook.remove()
    return float((seen[0][:, made.before :] - torch.from_numpy(made.before_norm(words.numpy()))).abs().max())


def gradients() -> bool:
    """Whether a backward pass in train mode gives finite gradients."""
    made = to_fla(NETWORKS["GatedDeltaNet"](), "GatedDeltaNet", train=True)
    with patched():
        made.scores(torch.tensor([[0, 1, 1, 0]])).float().logsumexp(-1).sum().backward()
    return all(p.grad is None or bool(p.grad.isfinite().all()) for p in made.module.parameters())


def saved() -> dict:
    """What is written, and the states of a layer that is made from it."""
    import fla.layers
    from safetensors.torch import load_file

    made = to_fla(NETWORKS["Mamba2"](), "Mamba2")
    with tempfile.TemporaryDirectory() as folder:
        files = made.save(Path(folder) / "layer")
        config = json.loads(files[0].read_text(encoding="utf-8"))
        module = getattr(fla.layers, config["layer"])(**config["arguments"]).to(torch.bfloat16).eval()
        module.load_state_dict(load_file(files[1]))
    words = torch.tensor([[0, 1, 0, 2, 3, 0]])
    with patched(), torch.no_grad():
        same = bool((module(made.hidden(words))[0] == made.module(made.hidden(words))[0]).all())
        run = made.run(["hold", "a", "b", "hold"])
    return {"files": [file.name for file in files], "config": config, "same": same, "run": run}


def language_model() -> dict:
    """What the tokenizer makes of a text, and the likeliest tokens after each letter, by the classes that the library registers."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    network = compile_group([(1, 0)])
    with tempfile.TemporaryDirectory() as folder:
        files = network.to_huggingface(folder, "DeltaNet")
        names = [file.name for file in files]
        tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModelForCausalLM.from_pretrained(folder, dtype="auto").eval()
    word = "0" * 70
    ids = tokenizer(word, return_tensors="pt").input_ids
    with patched(), torch.no_grad():
        said = tokenizer.convert_ids_to_tokens(model(ids).logits[0, 1:].argmax(-1).tolist())
    expected = [f"={network.automaton.name(q)}" for q in network.automaton.run([network.automaton.letters[0]] * 70)]
    return {"files": names, "first": tokenizer.convert_ids_to_tokens(ids[0, :3].tolist()), "wrong": sum(map(str.__ne__, said, expected))}


def held() -> dict[str, str]:
    """What ``certify`` says of a layer that is held to its own kernel, and of one whose kernel halves its strengths."""
    import fla.layers.delta_net as module

    kernel, found = module.fused_recurrent_delta_rule, {}

    def halved(*, beta, **others):
        return kernel(beta=beta / 2, **others)

    for name, called in (("kernel", kernel), ("halved", halved)):
        with patched(), patch.object(module, "fused_recurrent_delta_rule", called):
            try:
                found[name] = lm.certify(flash_parity(), "parity", begin=(2,)).lines[-1]
            except ValueError as error:
                found[name] = str(error)
    return found


def refused(*arguments, **options) -> str:
    try:
        to_fla(*arguments, **options)
    except ValueError as error:
        return str(error)
    return "accepted"


def found() -> dict:
    resets, flips = compile_automaton(RESETS), compile_group(named_group("C2xC2"))
    S3 = NETWORKS["GatedDeltaProduct"]()
    return {
        "eval": {layer: measured(make(), layer, EVAL) for layer, make in NETWORKS.items()},
        "train": {layer: measured(make(), layer, TRAIN) for layer, make in NETWORKS.items()},
        "resets": [measured(resets, "GatedDeltaProduct", setting) for setting in (EVAL, TRAIN)],
        "signed": measured(compile_group(named_group("Q8")), "GatedDeltaProduct", TRAIN, 1),
        "steps": measured(flips, "GatedDeltaNet", Setting("bfloat16", False, False, False, 66, 2)),
        "float32 in chunks": measured(S3, "GatedDeltaProduct", Setting("float32", False, False, True, 4)),
        "wide chunks": measured(flips, "GatedDeltaNet", Setting("float32", False, True, True, 66)),
        "autocast": measured(flips, "GatedDeltaNet", Setting("float32", True, True, True, 20)),
        "no gates": measured(flips, "GatedDeltaNet", EVAL, use_short_conv=False, use_gate=False),
        "spoilt": spoilt(),
        "gradients": gradients(),
        "saved": saved(),
        "language model": language_model(),
        "held": held(),
        "version": version("flash-linear-attention"),
        "refused": {
            "factors": refused(S3, "DeltaNet"),
            "resets": refused(resets, "DeltaNet"),
            "permutations": refused(S3, "Mamba2"),
            "float32": refused(S3, dtype=torch.float32, train=True),
            "float64": refused(S3, dtype=torch.float64),
            "autocast": refused(S3, autocast=True),
            "sizes": refused(S3, hidden_size=64),
            "RWKV-7": refused(S3, "RWKV7Attention"),
            "unknown": refused(S3, "GLA"),
            "cascade": refused(compile_regex("a*b*")),
        },
    }


if __name__ == "__main__":
    print(json.dumps({"layers": found()}))
