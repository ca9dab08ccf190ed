"""What flash-linear-attention computes, asked once for all test processes."""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from filelock import FileLock


@pytest.fixture(scope="session")
def flash(tmp_path_factory):
    """What ``run_flash.py``, or the file that ``LEMMATA_FLASH`` names, says; skips without the extra 'fla'."""
    if not all(map(find_spec, ("fla", "triton", "transformers"))):
        pytest.skip("needs the extra 'fla'")
    own = tmp_path_factory.getbasetemp()
    said = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "flash.json"
    with FileLock(f"{said}.lock"):
        if not said.exists():
            environment = os.environ | {"TRITON_INTERPRET": "1", "OMP_NUM_THREADS": "1"}
            command = [sys.executable, "-W", "ignore", str(Path(__file__).with_name(os.environ.get("LEMMATA_FLASH", "run_flash.py")))]
            done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
            assert done.returncode == 0, done.stderr[-2000:]
            said.write_text(done.stdout, encoding="utf-8")
    return json.loads(said.read_text(encoding="utf-8").splitlines()[-1])
