"""``make test-kernels``: the float tests and the float claims under every kernel of linear algebra that this processor can run.

NumPy and SciPy compute with OpenBLAS and NumPy's own loops, torch with ATen and MKL, all with the C library's functions. A setting chooses the kernels of all of them at once; they are
separate libraries, so that a test that fails names the one it uses. ``python tests/processors Haswell own`` takes settings by the beginning of their names. Float tests are those that ``tests/conftest.py`` marks. Float claims are those whose evidence is float, statistical or certified
(balls may start from floats); all other evidence is exact, and an exact comparison has one outcome. Under the oldest kernel all claims are decided nevertheless: instances may be drawn by floats.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

from lemmata.theorems.ledger import ledger

ROOT = Path(__file__).parents[2]

#: kinds of evidence in which a float may decide
FLOATS = ("float", "statistical", "certified")

#: the kernels of NumPy's loops and of the C library without fused multiply-adds and vectors of 256 bits
PLAIN = {"NPY_DISABLE_CPU_FEATURES": "X86_V3", "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4"}

#: OpenBLAS -> (ATen, MKL, the rest)
KERNELS = {
    "Prescott": ("default", "COMPATIBLE", PLAIN),
    "Nehalem": ("default", "SSE4_2", PLAIN),
    "Sandybridge": ("default", "AVX", {"NPY_DISABLE_CPU_FEATURES": "X86_V3"}),
    "Haswell": ("avx2", "AVX2", {}),
    "Zen": ("avx2", "AVX2", {}),
    "SkylakeX": ("avx512", "AVX512", {}),
}

#: asked in a process of its own: which kernels a setting gives, and whether they run here
PROBE = """
import numpy, threadpoolctl, torch
a = numpy.ones((64, 64))
numpy.linalg.svd(a @ a), numpy.exp(a), torch.linalg.svd(torch.ones(64, 64)), torch.exp(torch.ones(64))
found = next((x["architecture"] for x in threadpoolctl.threadpool_info() if x["internal_api"] == "openblas"), "none")
print(found, torch.backends.cpu.get_cpu_capability())
"""


@dataclass(frozen=True)
class Setting:
    """A choice of kernels by environment variables, with a number of threads; ``claims`` says whether all claims are decided or the float ones."""

    name: str
    variables: dict[str, str]
    threads: int = 1
    everything: bool = False

    @property
    def environment(self) -> dict[str, str]:
        counts = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), str(self.threads))
        return os.environ | self.variables | counts


def settings() -> list[Setting]:
    """One for each kernel, the oldest first, and the processor's own choice with two threads."""
    found = []
    for name, (aten, mkl, rest) in KERNELS.items():
        chosen = {"OPENBLAS_CORETYPE": name, "ATEN_CPU_CAPABILITY": aten, "MKL_CBWR": mkl} | rest
        found.append(Setting(f"{name}, ATen {aten}, MKL {mkl}", chosen, everything=name == "Prescott"))
    return [*found, Setting("own choice, 2 threads", {}, threads=2)]


def kernels_of(setting: Setting) -> str | None:
    """The kernels that a setting gives; None if this processor cannot run them."""
    done = subprocess.run([sys.executable, "-c", PROBE], env=setting.environment, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None


def tests_under(setting: Setting, jobs: int) -> tuple[int, list[str]]:
    """(float tests that passed, names of those that failed)."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-m", "floats", "-n", str(jobs), "--dist", "worksteal", f"--junitxml={report}", "tests"]
        done = subprocess.run(command, cwd=ROOT, env=setting.environment, stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode not in (0, 1):
            raise RuntimeError(f"pytest stopped with exit code {done.returncode} under {setting.name}:\n{done.stdout[-2000:]}")
        cases = list(ElementTree.parse(report).iter("testcase"))
    failed = [c for c in cases if c.find("failure") is not None or c.find("error") is not None]
    passed = [c for c in cases if c not in failed and c.find("skipped") is None]
    return len(passed), [f"{c.get('classname')}: {c.get('name')}" for c in failed]


def claims_under(setting: Setting, jobs: int) -> tuple[int, list[str]]:
    """(claims as pinned at standard effort, ids of the others)."""
    ids = [e.id for e in ledger().values() if setting.everything or e.how in FLOATS]
    command = [sys.executable, "-m", "lemmata", "verify", "--json", "--jobs", str(jobs), *ids]
    done = subprocess.run(command, cwd=ROOT, env=setting.environment, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"lemmata verify stopped with exit code {done.returncode} under {setting.name}")
    records = json.loads(done.stdout)["records"]
    other = [r["id"] for r in records if not r["as_expected"]]
    return len(records) - len(other), other


def row(*cells: object) -> None:
    name, *numbers = map(str, cells)
    print(f"{name:<40}{numbers[0]:<24}" + "".join(f"{x:>9}" for x in numbers[1:]), flush=True)


def main() -> int:
    """Print a row for each setting; 0 if nothing failed under any."""
    jobs = min(2, os.cpu_count() or 1)
    chosen = [s for s in settings() if not sys.argv[1:] or s.name.startswith(tuple(sys.argv[1:]))]
    if not chosen:
        print(
            f"expected settings among {', '.join(s.name.split(',')[0] for s in settings())}, got {', '.join(sys.argv[1:])}", file=sys.stderr
        )
        return 2
    row("setting", "OpenBLAS, ATen", "passed", "failed", "claims", "others", "seconds")
    seen: dict[str, str] = {}
    failures: list[str] = []
    for setting in chosen:
        kernels = kernels_of(setting)
        if kernels is None:
            row(setting.name, "not on this processor")
            continue
        same = f"{kernels}, {setting.threads}"
        if same in seen:
            row(setting.name, kernels, f"  as {seen[same]}")
            continue
        seen[same] = setting.name.split(",")[0]
        start = time.monotonic()
        passed, failed = tests_under(setting, jobs)
        claims, others = claims_under(setting, jobs)
        row(setting.name, kernels, passed, len(failed), claims, len(others), round(time.monotonic() - start))
        failures += [f"{setting.name}: {name}" for name in (*failed, *others)]
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
