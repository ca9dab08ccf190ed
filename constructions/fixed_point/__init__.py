"""Fixed-point RNNs (movahedi25): a diagonal recurrence whose fixed point in depth is a dense recurrence.

``layer`` the layer, its passes and fixed point · ``bases`` coordinates in which ungated layers have given transitions · ``one_gate`` one gated
layer for an automaton · ``sets`` gated tokens that act as given matrices.
"""

from .layer import (
    Selective,
    Token,
    dense_recurrence,
    dense_states,
    diagonal_layer,
    gated,
    gated_by_modulus,
    has_mixer,
    iterate,
    lag_one_layer,
    mixer_for,
    passes_needed,
    rotated_decay,
    ungated,
)

__all__ = [
    "Selective",
    "Token",
    "dense_recurrence",
    "dense_states",
    "diagonal_layer",
    "gated",
    "gated_by_modulus",
    "has_mixer",
    "iterate",
    "lag_one_layer",
    "mixer_for",
    "passes_needed",
    "rotated_decay",
    "ungated",
]
