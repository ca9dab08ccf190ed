"""What all vectors have in common: the bound of the state, the lengths, and a vector as arrays with names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

#: entries of the state are at most this large
BOUND = 7

#: lengths on both sides of every usual chunk length
LENGTHS = (1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 130, 1000, 4096)

#: logarithms of gates as kernels take them; exp(-1024) is 0 in every format and, unlike minus infinity, survives a difference
LOG_GATES = {1.0: 0.0, 0.5: float(np.float32(np.log(0.5))), 0.0: -1024.0}

#: inputs of the rules whose state is a matrix of keys and values
ARGUMENTS = ("q step", "k update", "v update", "beta update", "g step", "scale", "micro", "normalise")


@dataclass(frozen=True, eq=False)
class Vector:
    """Inputs of a kernel with the exact outputs and states.

    ``arguments`` names the inputs; "q step" has a row for each step along its second axis, "k update" ``micro`` rows, "scale" is handed over whole.
    Every kernel gets h0 and cu_seqlens too. ``arrays``, here of the rules with a matrix as state: q (B, T, H, K), k (B, mT, H, K), v (B, mT, HV, V), beta (B, mT, HV), gate and g, its logarithm (B, T, HV) or (B, T, HV, K),
    h0 (N, HV, K, V), o (B, T, HV, V), states (lengths, N, HV, K, V), lengths, cu_seqlens (empty unless sequences are packed). N counts sequences, m is
    ``micro``, the updates in a step. A value head reads the key head with its number divided by HV / H.
    """

    rule: str
    feature: str
    arrays: Mapping[str, np.ndarray]
    scale: float
    micro: int = 1
    normalise: bool = False
    formats: tuple[str, ...] = ("float32", "float16", "bfloat16")
    stress: str = ""
    arguments: tuple[str, ...] = ARGUMENTS

    @property
    def name(self) -> str:
        """The file's name: rule and feature."""
        return f"{self.rule}.{self.feature.replace(' ', '-')}"


def generator(rule: str, feature: str) -> np.random.Generator:
    """Random numbers that depend on the rule and the feature alone."""
    return np.random.default_rng(sum(ord(c) * 31**i for i, c in enumerate(f"{rule} {feature}")) % 2**31)
