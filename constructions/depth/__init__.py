"""Deep linear recurrent networks (lizaire26): what layers add to width.

``networks`` transfer functions, copying, parameters · ``errors`` how far small networks stay from a copy · ``only`` activations in depth only.
"""

from .networks import (
    DeepLinear,
    as_one_layer,
    copy_network,
    deep_near_copy,
    delayed_links,
    hankel_rank,
    impulse_response,
    least_width,
    near_copy,
    parameters,
    printed_copy_network,
    resolvent,
)

__all__ = [
    "DeepLinear",
    "as_one_layer",
    "copy_network",
    "deep_near_copy",
    "delayed_links",
    "hankel_rank",
    "impulse_response",
    "least_width",
    "near_copy",
    "parameters",
    "printed_copy_network",
    "resolvent",
]
