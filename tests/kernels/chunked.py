"""The chunked kernel, right or with a fault, as a function: ``kernel(rule)`` or ``kernel(rule, format, name of a fault)``."""

from lemmata.kernels.chunked import Chunked
from lemmata.kernels.faults import FAULTS


def kernel(rule, fmt="float32", fault=None, chunk=64):
    made = (FAULTS[fault].kernel if fault else Chunked)(rule, fmt, chunk)

    def run(**inputs):
        return made(**inputs)

    return run
