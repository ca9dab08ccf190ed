"""The commands that begin a paper, a claim, a model, an experiment and a notebook, and a copy of the tree in which they are run."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

PAPER = [
    *("new", "paper", "byron43", "--title", "Notes by the translator", "--author", "Ada Byron", "--author", "Luigi {Federico Menabrea}"),
    *("--link", "https://arxiv.org/abs/4301.00001", "--about", "An engine computes Bernoulli numbers."),
]
CLAIM = [
    *("new", "claim", "byron43.lemma1", "--topic", "gating", "--title", "twice n is n + n"),
    *("--says", r"$2n=n+n$ for all $n\in\mathbb N$.", "--place", "Lemma 1"),
]
NEW_CLAIM = [
    *("new", "claim", "new.gating.double", "--topic", "gating", "--title", "twice n is n + n"),
    *("--says", "$2n=n+n$.", "--place", "after Lemma 1", "--known", "Peano 1889."),
]
FINDING = [
    *("new", "claim", "grazzi25.thm1.doubled", "--topic", "gating", "--title", "twice n is not n n"),
    *("--says", "$n+n=n\\cdot n$ for all $n$.", "--place", "Theorem 1 (proof)", "--flaw", "misprint"),
    *("--letter", "In the proof of Theorem 1 the sum n + n should stand where the product stands."),
]
MODEL = [
    *("new", "model", "delta-binary", "--name", "delta rule, 0 or 1", "--transition", r"A(x)=I-\beta kk^\top,\ \beta\in\{0,1\}"),
    *("--says", "a projection or the identity", "--called", "binary DeltaNet", "--inside", "delta-nonnegative"),
    *("--because", "0 and 1 lie in [0, 1]", "--holds", "factors == 0 or factors == 1 and beta == 1"),
]
EXPERIMENT = ["new", "experiment", "new.made", "--topic", "parity", "--place", "to be written", "--finding", "Two layers on the parity"]
NOTEBOOK = ["new", "notebook", "gating_made", "--title", "A gate at work"]


def copied(folder):
    """A copy of the tree in a folder, named as its package."""
    ignored = shutil.ignore_patterns(".venv", ".git", "__pycache__", ".*_cache", ".hypothesis", "*-out", "build", "*.egg-info")
    shutil.copytree(ROOT, folder / "lemmata", ignore=ignored)
    return folder / "lemmata"


def go(tree, *arguments, code=0):
    """Run a module of Python in the copy; it has to exit with ``code``."""
    env = os.environ | {"PYTHONPATH": str(tree.parent), "NO_COLOR": "1", "OMP_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, "-m", *arguments], cwd=tree, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout
