"""Compiled layers in flash-linear-attention's own modules, DeltaNet and GatedDeltaProduct."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest


@pytest.mark.skipif(not all(map(find_spec, ("fla", "triton", "transformers"))), reason="needs the extra 'fla'")
def test_the_modules_of_flash_linear_attention_compute_the_automaton():
    environment = os.environ | {"TRITON_INTERPRET": "1", "OMP_NUM_THREADS": "1"}
    script = Path(__file__).with_name("run_flash_layers.py")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    lines = done.stdout.splitlines()
    assert [line.endswith(" right") for line in lines[:6]] == [True] * 6, lines
    said = {line.split(" ", 1)[0]: line.split(" ", 1)[1] for line in lines[6:]}
    assert said["eigenvalues"] == "expected allow_neg_eigval=True for a layer with beta above 1, got False"
    assert said["width"] == "expected heads with keys of 4 entries and values of 2 or more, got 3 and 3"
    assert said["letters"].startswith("expected a hidden size of at least 3, ")
    assert said["factors"].endswith("take GatedDeltaProduct with num_householder=2")
