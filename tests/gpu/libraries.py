"""The array libraries that are there, each as (name, from NumPy, to NumPy): the same tests run on a CPU and on a GPU."""

from importlib.util import find_spec

import array_api_strict
import numpy as np
from lemmata.gpu.devices import Device, choose, why_no_cuda

LIBRARIES = {
    "NumPy": choose("cpu"),
    "strict": Device("strict", "CPU (array-api-strict)", array_api_strict.asarray, np.asarray),
}
if find_spec("torch"):
    # on CUDA where torch has it
    LIBRARIES["torch"] = choose("torch")
if why_no_cuda() is None:
    LIBRARIES["CuPy"] = choose("cuda")
