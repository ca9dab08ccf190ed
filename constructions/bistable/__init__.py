"""Bistable memory recurrent units (degeeter26): one cell, stacks of them, and what they recognise.

``cell`` the unit, its approximations and the layer (Eqs. 4 to 11) · ``scan`` the convergent RNN by a parallel scan · ``depth`` stacks that
count blocks · ``logic`` stacks from formulas of past temporal logic · ``refusals`` words that no stack tells apart · ``units`` a cascade of
resets as units · ``compiler`` from an automaton to a proved stack · ``closure`` its proof · ``hybrids`` linear layers between · ``module``,
``torch`` PyTorch modules.
"""

from .cell import (
    BMRU,
    approximation,
    count_zeros,
    equilibria,
    flip_flops,
    fold_input,
    fold_state,
    gated,
    gradients,
    heaviside,
    sign,
    simplified,
    steady_input,
    surrogate_slope,
    thermometer,
    update,
)

__all__ = [
    "BMRU",
    "approximation",
    "count_zeros",
    "equilibria",
    "flip_flops",
    "fold_input",
    "fold_state",
    "gated",
    "gradients",
    "heaviside",
    "sign",
    "simplified",
    "steady_input",
    "surrogate_slope",
    "thermometer",
    "update",
]
