"""A compiled network as a causal language model that flash-linear-attention's own classes load: one token a letter, its state as the likeliest next token.

The model has one block. Token y is embedded along axis y, so long that the norm before the layer makes exactly a unit vector of it: the width is a
power of four. The layer adds the scores of the states along axes of their own, the MLP adds nothing, and the head reads those axes.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from .fla_cells import KINDS
from .fla_layers import data_type, first_tokens, require_class, require_version, set_weights, sizes_of, unknown
from .fla_plan import plan_of

if TYPE_CHECKING:
    from ..compiler import Network

#: the module of fla.models that holds a class for the layer
FAMILIES = {"GatedDeltaProduct": "gated_deltaproduct", "GatedDeltaNet": "gated_deltanet", "DeltaNet": "delta_net"}
#: powers of four: what one entry of 32 sqrt(width) has as root mean square is 32
WIDTHS = (4, 16, 64, 256, 1024, 4096)


def to_huggingface(
    network: Network, path: str | Path, layer: str = "GatedDeltaProduct", dtype: torch.dtype | str = torch.bfloat16
) -> list[Path]:
    """Write a causal language model (config, safetensors) and its tokenizer into a folder.

    After every letter the likeliest token is ``=`` and the name of the automaton's state. The tokenizer puts the tokens that write the first state
    before each text. Letters of one character stand side by side; others are parted by blanks, and blanks within a letter become commas.

    Args:
        network: of one layer, as ``fla_layers.to_fla`` takes it.
        path: a folder, which is made if it is not there.
        layer: "GatedDeltaProduct", "GatedDeltaNet" or "DeltaNet".
        dtype: of the weights.

    Returns:
        The files that were written.

    Raises:
        ValueError: if the layer cannot hold the network, or the library has no model of it that this fits.
        ModuleNotFoundError: without the extra ``fla``.
    """
    if layer not in FAMILIES:
        raise ValueError(
            unknown(layer) if layer not in KINDS else f"expected a layer among {', '.join(FAMILIES)} for a language model, got {layer}"
        )
    dtype = data_type(dtype)
    require_version()
    require_version("transformers")
    plan, kind = plan_of(network), KINDS[layer]
    require_class(plan, layer)
    before = first_tokens(plan, kind)
    tokens = _texts(plan.letters) + [f"<first{i}>" for i in range(before)]
    states = [f"={network.automaton.name(q)}" for q in plan.answers]
    if len(set(states)) < len(states):
        raise ValueError("expected one state of the layer for each state of the automaton, got more")
    vocabulary = tokens + states
    width = next((w for w in WIDTHS if w >= len(vocabulary)), None)
    if width is None:
        raise ValueError(f"expected at most {WIDTHS[-1]:,} letters and states, got {len(vocabulary):,}")
    model = _model(layer, sizes_of(plan, kind, width), width, len(vocabulary), dtype)
    set_weights(model.model.layers[0].attn, plan, before, len(tokens))
    _neutral(model, len(tokens), width)
    target = Path(path)
    target.mkdir(parents=True, exist_ok=True)
    model.to(dtype).save_pretrained(target)
    _tokenizer(vocabulary, len(plan.letters), before).save_pretrained(target)
    return sorted(target.iterdir())


def _model(layer: str, sizes: dict[str, Any], width: int, tokens: int, dtype: torch.dtype) -> Any:
    """The library's model with one block, its layer with the default options of ``to_fla``."""
    module = import_module(f"fla.models.{FAMILIES[layer]}")
    gates = {"GatedDeltaProduct": {"use_forget_gate": True, "use_output_gate": True}, "GatedDeltaNet": {"use_gate": True}, "DeltaNet": {}}
    config = getattr(module, f"{layer}Config")(
        **sizes,
        **gates[layer],
        attn_mode="fused_recurrent" if dtype == torch.float32 and not KINDS[layer].wide_chunks else "chunk",
        num_hidden_layers=1,
        intermediate_size=width,
        vocab_size=tokens,
        bos_token_id=None,
        eos_token_id=None,
        dtype=dtype,
    )
    return getattr(module, f"{layer}ForCausalLM")(config)


def _neutral(model: Any, first: int, width: int) -> None:
    """Embeddings along axes, norms that make unit vectors of them, an MLP that adds nothing, and a head for the axes from ``first`` on."""
    root = int(width**0.5)
    block = model.model.layers[0]
    with torch.no_grad():
        for p in (*block.mlp.parameters(), model.model.embeddings.weight, model.lm_head.weight):
            p.zero_()
        for y in range(first):
            # root mean square 32: the norm's epsilon vanishes beside 1024
            model.model.embeddings.weight[y, y] = 32 * root
        block.attn_norm.weight.fill_(1 / root)
        block.mlp_norm.weight.fill_(1)
        model.model.norm.weight.fill_(1)
        for i in range(first, len(model.lm_head.weight)):
            model.lm_head.weight[i, i] = 1


def _texts(letters: Sequence[Hashable]) -> list[str]:
    """What a tokenizer reads. Raises ``ValueError`` if two letters would be written alike."""
    texts = [",".join(str(x).split()) for x in letters]
    if len(set(texts)) < len(texts) or not all(texts):
        raise ValueError(f"expected letters that differ as text without blanks, got {list(letters)}")
    return texts


def _tokenizer(vocabulary: Sequence[str], letters: int, before: int) -> Any:
    """A word-level tokenizer that puts the first state's tokens before each text."""
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    number = {text: i for i, text in enumerate(vocabulary)}
    first = vocabulary[letters : letters + before]
    tokenizer = Tokenizer(models.WordLevel(number, unk_token=None))  # pyright: ignore[reportArgumentType] # None is its default
    single = all(len(text) == 1 for text in vocabulary[:letters])
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex("."), "isolated") if single else pre_tokenizers.WhitespaceSplit()  # pyright: ignore[reportAttributeAccessIssue] # a setter
    tokenizer.post_processor = processors.TemplateProcessing(  # pyright: ignore[reportAttributeAccessIssue] # a setter
        single=" ".join([*first, "$A"]), special_tokens=[(text, number[text]) for text in first]
    )
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, additional_special_tokens=list(first))
