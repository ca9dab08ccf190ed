"""docs/how-to/flash-linear-attention.md runs as it stands, in a fresh process."""

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "flash-linear-attention.md"


@pytest.mark.programs
def test_every_line_of_the_page_runs(tmp_path):
    if not all(map(find_spec, ("fla", "triton", "transformers"))):
        pytest.skip("needs the extra 'fla'")
    blocks = re.findall(r"```(\w+)\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    [command] = [text.removeprefix("$ lemmata ").split() for language, text in blocks if language == "console"]
    program = "\n".join(text for language, text in blocks if language == "python")
    run = {"cwd": tmp_path, "capture_output": True, "text": True, "check": False}
    made = subprocess.run(
        [sys.executable, "-P", "-W", "ignore", "-m", "lemmata", *command], env=os.environ | {"OMP_NUM_THREADS": "1"}, **run
    )
    assert made.returncode == 0, made.stderr
    assert "every length" in made.stdout
    assert "not run on a GPU" in made.stdout
    environment = os.environ | {"TRITON_INTERPRET": "1", "OMP_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, "-P", "-W", "ignore", "-c", program], env=environment, **run)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.splitlines()[0] == "{'chunk': 'every length', 'fused_recurrent': 'every length'}"
