"""The layers of the zoo: classes of four libraries, in small sizes, and why some of them cannot be run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

#: how many numbers a token has
WIDTH = 16

FLASH, TRANSFORMERS, TORCH, OWN = "flash-linear-attention", "transformers", "torch", "lemmata"


@dataclass(frozen=True)
class Animal:
    """A layer of the zoo.

    Attributes:
        library: Whose layer it is.
        module: Where its class is.
        name: The class.
        options: Its arguments, beside the width; of a layer of transformers, those of its model's configuration.
        configuration: The class of that configuration, or empty.
        shown: The options that are no sizes.
        remark: An option that does nothing, or another thing that its user should know.
        reason: Why it is refused, in plain words; empty for a layer that can be run.
    """

    library: str
    module: str
    name: str
    options: dict[str, Any] = field(default_factory=dict)
    configuration: str = ""
    shown: tuple[str, ...] = ()
    remark: str = ""
    reason: str = ""

    @property
    def title(self) -> str:
        """The class, with the options that are no sizes."""
        return ", ".join((self.name, *(f"{k}={self.options[k]}" for k in self.shown)))


def _flash(name: str, *shown: str, module: str = "fla.layers", reason: str = "", remark: str = "", **options: Any) -> Animal:
    return Animal(FLASH, module, name, options, shown=shown, reason=reason, remark=remark)


def _hub(model: str, configuration: str, name: str, *shown: str, reason: str = "", remark: str = "", **options: Any) -> Animal:
    module = f"transformers.models.{model}"
    return Animal(TRANSFORMERS, module, name, COMMON | options, configuration, shown, remark, reason)


def _torch(name: str) -> Animal:
    return Animal(TORCH, "torch.nn", name)


def _own(module: str, name: str, *shown: str, remark: str = "", **options: Any) -> Animal:
    return Animal(OWN, f"lemmata.experiments.{module}", name, options, shown=shown, remark=remark)


#: sizes of a small model
COMMON: dict[str, Any] = {
    "hidden_size": WIDTH,
    "num_hidden_layers": 2,
    "vocab_size": 11,
    "pad_token_id": 0,
    "eos_token_id": 1,
    "bos_token_id": 1,
}

LINEAR_FIRST = ["linear_attention", "full_attention"]

Options = dict[str, Any]

HEADS: Options = {"num_heads": 2}
WIDE: Options = {"head_dim": 8, "num_heads": 2}
SELECTIVE: Options = {"state_size": 4, "expand": 1, "intermediate_size": 16}
MIXED: Options = {"mamba_d_state": 4, "mamba_expand": 1, "num_attention_heads": 2, "num_key_value_heads": 1, "intermediate_size": 16}
HEADED: Options = MIXED | {"mamba_n_heads": 2, "mamba_d_head": 8}
EXPERTS: Options = {"num_experts": 2, "num_experts_per_tok": 1, "moe_intermediate_size": 8, "shared_expert_intermediate_size": 8}
GATED: Options = EXPERTS | {
    **{"intermediate_size": 16, "num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 8, "layer_types": LINEAR_FIRST},
    **{"linear_num_key_heads": 1, "linear_num_value_heads": 1, "linear_key_head_dim": 8, "linear_value_head_dim": 4},
}
KIMI: Options = {
    **{"linear_num_heads": 1, "linear_head_dim": 8, "intermediate_size": 16, "moe_intermediate_size": 8, "layer_types": LINEAR_FIRST},
    **{"num_experts": 2, "num_experts_per_token": 1, "num_attention_heads": 2, "num_key_value_heads": 2},
    **{"kv_lora_rank": 4, "qk_rope_head_dim": 4, "v_head_dim": 4, "qk_nope_head_dim": 4},
}

GROWS = "it keeps keys and values of all tokens, so its state grows"
ATTENDS = "it attends to all tokens, and has no code for one token after others"
UNCACHED = "its code keeps nothing between two calls, so no step of it can be run"
NO_DEVICE = "its kernels need a CUDA device"

#: layers of the first kind that need no other arguments
GROWING = (
    *("ForgettingAttention", "Attention", "BitAttention", "MultiheadLatentAttention", "MoBA", "PaTHAttention", "WallAttention", "Parallax"),
    "SlidingWindowSharedKeyAttention",
)

#: what users of some layers should know; tests hold what is said of options
IGNORED = "past_key_values and use_cache are accepted and do nothing"
LIMITED = "time_step_limit bounds the steps of a whole text; token by token it does nothing"
LEAST = "time_step_min bounds the steps of a whole text; token by token it does nothing"
SUMMED = "its driver is the log-sum-exp of all keys so far"
PRECONDITIONED = "its driver is a preconditioner, whose logarithm is taken as the state"
GROWS_BELOW = f"{PRECONDITIONED}; eigenvalues go below -1, and with beta near 2 states grow; the documented bound of 2 for squash_x is for beta up to 1"
RESTARTS = "the cache leaves out the sum of all weights so far: a text continued from it gives other outputs than the whole text, and states can grow"
HALVED = "the kernel for several tokens rounds keys to float16, the one for one token does not"
COUPLED = "two memories that read each other: no lemma gives their eigenvalues yet"
ROUTED = "slots to which a token is not routed stay as they are"
SHORT_OF_PAPER = "the paper's transition has eigenvalues down to -1; this layer's floor of w keeps them above -0.455"

ZOO = (
    _flash("DeltaNet", **HEADS),
    _flash("DeltaNet", "allow_neg_eigval", **HEADS, allow_neg_eigval=True),
    _flash("DeltaNet", "use_beta", **HEADS, use_beta=False),
    _flash("GatedDeltaNet", **WIDE, expand_v=1),
    _flash("GatedDeltaNet", "allow_neg_eigval", **WIDE, expand_v=1, allow_neg_eigval=True),
    _flash("GatedDeltaProduct", "num_householder", head_dim=8, num_heads=1, expand_v=1, num_householder=2),
    _flash("KimiDeltaAttention", **WIDE),
    _flash("KimiDeltaAttention", "allow_neg_eigval", **WIDE, allow_neg_eigval=True),
    _flash("GatedDeltaNet2", **WIDE),
    _flash("GatedDeltaNet2", "allow_neg_eigval", **WIDE, allow_neg_eigval=True),
    _flash("Comba", **WIDE, expand_v=1),
    _flash("RWKV7Attention", head_dim=8, num_hidden_layers=2, remark=SHORT_OF_PAPER),
    _flash("RWKV6Attention", **HEADS),
    _flash("GatedLinearAttention", **HEADS),
    _flash("SimpleGatedLinearAttention", module="fla.layers.simple_gla", **HEADS),
    _flash("LinearAttention", **HEADS),
    _flash("MultiScaleRetention", **HEADS),
    _flash("HGRNAttention"),
    _flash("HGRN2Attention", **HEADS, expand_ratio=8),
    _flash("Mamba", state_size=4, intermediate_size=16),
    _flash("Mamba2", state_size=4, head_dim=8),
    _flash("MomentumDeltaNet", head_dim=8, num_heads=1, expand_v=0.25, remark=COUPLED),
    _flash("ABCAttention", num_heads=1, num_slots=2, remark=RESTARTS),
    _flash("MesaNet", head_dim=4, num_heads=1, remark=HALVED),
    _flash("LightNetAttention", num_heads=1, expand_ratio=2, remark=SUMMED),
    _flash("GatedSlotAttention", num_heads=1, num_slots=2),
    _flash("RodimusAttention", expand_ratio=2),
    _flash("PrecondGatedDeltaNet", head_dim=4, num_heads=1, expand_v=1, remark=PRECONDITIONED),
    _flash("PrecondGatedDeltaNet", "allow_neg_eigval", head_dim=4, num_heads=1, expand_v=1, allow_neg_eigval=True, remark=GROWS_BELOW),
    _flash("PrecondKDA", head_dim=4, num_heads=1, remark=PRECONDITIONED),
    _flash("PrecondKDA", "allow_neg_eigval", head_dim=4, num_heads=1, allow_neg_eigval=True, remark=GROWS_BELOW),
    _flash("YOCOGatedRetention", **HEADS),
    *(_flash(name, **HEADS, reason=GROWS) for name in GROWING),
    _flash("NativeSparseAttention", num_heads=16, num_kv_heads=1, head_dim=8, reason=GROWS),
    _flash("DeltaFormerAttention", **HEADS, reason=ATTENDS),
    _flash("StickBreakingAttention", **HEADS, reason=ATTENDS),
    _flash("YOCOCrossAttention", **HEADS, reason="it reads keys and values that another layer keeps"),
    _flash("BasedLinearAttention", reason=UNCACHED, remark=IGNORED),
    _flash("ReBasedLinearAttention", reason=UNCACHED, remark=IGNORED),
    _flash(
        "MomAttention", head_dim=8, num_heads=1, reason="it routes tokens to memories, which it keeps for all texts of a batch together"
    ),
    _flash("LogLinearMamba2", state_size=4, head_dim=8, num_heads=2, reason="its step for one token has no code on a processor"),
    _flash("Mamba3", head_dim=8, reason=NO_DEVICE),
    _flash("CyclicFlowAttention", **HEADS, reason=NO_DEVICE),
    _flash("Raven", num_heads=1, num_slots=4, topk=2, add_gumbel_noise=False, remark=ROUTED),
    _hub("mamba", "MambaConfig", "MambaMixer", **SELECTIVE, time_step_rank=2),
    _hub("mamba2", "Mamba2Config", "Mamba2Mixer", remark=LIMITED, state_size=4, expand=1, num_heads=2, head_dim=8, n_groups=1),
    _hub("falcon_mamba", "FalconMambaConfig", "FalconMambaMixer", **SELECTIVE, time_step_rank=2),
    _hub("jamba", "JambaConfig", "JambaMambaMixer", **MIXED, mamba_dt_rank=2, num_experts=2),
    _hub(
        "zamba",
        "ZambaConfig",
        "ZambaMambaMixer",
        **MIXED,
        mamba_dt_rank=2,
        attention_head_dim=8,
        n_mamba_heads=2,
        layers_block_type=["linear_attention"] * 2,
    ),
    _hub(
        "zamba2",
        "Zamba2Config",
        "Zamba2MambaMixer",
        remark=LEAST,
        mamba_d_state=4,
        mamba_expand=1,
        mamba_headdim=8,
        n_mamba_heads=2,
        num_attention_heads=2,
        intermediate_size=16,
        layer_types=["linear_attention", "hybrid"],
    ),
    _hub("bamba", "BambaConfig", "BambaMixer", remark=LIMITED, **HEADED),
    _hub("falcon_h1", "FalconH1Config", "FalconH1Mixer", remark=LIMITED, **HEADED, mamba_d_ssm=16),
    _hub("granitemoehybrid", "GraniteMoeHybridConfig", "GraniteMoeHybridMambaLayer", remark=LIMITED, **HEADED),
    _hub(
        "nemotron_h",
        "NemotronHConfig",
        "NemotronHMamba2Mixer",
        remark=LEAST,
        ssm_state_size=4,
        expand=1,
        mamba_num_heads=2,
        mamba_head_dim=8,
        n_groups=1,
        num_attention_heads=2,
    ),
    _hub("qwen3_next", "Qwen3NextConfig", "Qwen3NextGatedDeltaNet", **GATED),
    _hub("qwen3_5", "Qwen3_5TextConfig", "Qwen3_5GatedDeltaNet", **GATED),
    _hub("qwen3_5_moe", "Qwen3_5MoeTextConfig", "Qwen3_5MoeGatedDeltaNet", **GATED),
    _hub("olmo_hybrid", "OlmoHybridConfig", "OlmoHybridGatedDeltaNet", **GATED),
    _hub("olmo_hybrid", "OlmoHybridConfig", "OlmoHybridGatedDeltaNet", "linear_allow_neg_eigval", **GATED, linear_allow_neg_eigval=False),
    _hub("kimi_linear", "KimiLinearConfig", "KimiLinearDeltaAttention", **KIMI),
    _hub("bailing_hybrid", "BailingHybridConfig", "BailingHybridDeltaAttention", **KIMI),
    _hub("minimax", "MiniMaxConfig", "MiniMaxLightningAttention", num_attention_heads=2, head_dim=8, layer_types=LINEAR_FIRST),
    _hub("recurrent_gemma", "RecurrentGemmaConfig", "RecurrentGemmaRecurrentBlock", lru_width=16, num_attention_heads=2),
    _hub("xlstm", "xLSTMConfig", "xLSTMLayer", num_heads=2, embedding_dim=16, num_blocks=2),
    _hub("rwkv", "RwkvConfig", "RwkvSelfAttention", attention_hidden_size=16, intermediate_size=16),
    *map(_torch, ("RNNCell", "GRUCell", "LSTMCell", "RNN", "GRU", "LSTM")),
    _own("layers", "Diagonal", "values", inputs=5, units=8, values="positive"),
    _own("layers", "Diagonal", "values", inputs=5, units=8, values="signed"),
    _own("delta_layers", "Delta", inputs=5, n=8),
    _own("delta_layers", "Delta", "least", inputs=5, n=8, least=-1),
    _own("delta_layers", "GatedDelta", inputs=5, n=8),
    _own("delta_layers", "GatedDelta", "least", inputs=5, n=8, least=-1),
    _own("delta_layers", "Delta", "factors", "least", inputs=5, n=8, factors=2, least=-1),
    _own("affine_layers", "FullMatrix", inputs=5, n=4),
    _own("bilinear_layers", "SecondOrder", inputs=5, units=6),
)
