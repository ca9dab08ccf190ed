"""``make test-kernels``: the float tests and the float claims under every kernel of linear algebra that this processor can run.

NumPy and SciPy compute with OpenBLAS and NumPy's own loops, torch with ATen and MKL, all with the C library's functions. A setting chooses the kernels of all of them at once; they are
separate libraries, so that a test that fails names the one it uses. ``python tests/processors Haswell own`` takes settings by the beginning of their names.

The row of the oldest kernel, the farthest from a modern one, is whole: all float tests (``tests/conftest.py`` marks them) and all claims, since instances may be drawn by floats.
The other rows take the core: float tests without those of :data:`ONE_KERNEL`, and the claims whose evidence is float or certified (balls may start from floats).
Rows of one thread run side by side on two cores, the row of two threads runs alone. The kernels that the processor chooses by itself are those of ``make test``, on one thread.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from lemmata.theorems.ledger import ledger

ROOT = Path(__file__).parents[2]

#: kinds of evidence in which a float decides; what is statistical has its margins, and takes long
FLOATS = ("float", "certified")

#: float tests that run under the oldest kernel only -> what decides them instead of a kernel of linear algebra
ONE_KERNEL = {
    "tests/kernels": "elementwise operations, against fractions",
    "tests/test_figures.py": "labels, files and pictures, from functions that other tests call",
    "tests/experiments/test_kept.py": "stored data",
    "tests/experiments/test_many.py::test_two_processes_find_the_same_numbers": "one kernel, twice",
    "tests/constructions/test_choice.py": "exact estimates",
    "tests/constructions/test_delta_rule.py::test_the_kernel_of_flash_linear_attention_is_right_as_long_as_it_must_be": "Triton's interpreter",
    "tests/constructions/test_trainable.py::test_an_onnx_graph_takes_words_of_any_length": "ONNX Runtime",
    "tests/constructions/test_trainable.py::test_an_exported_graph_takes_words_of_any_length": "the tracer of torch",
    "tests/gpu/test_folder.py": "files and killed processes",
}

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


@dataclass(frozen=True, eq=False)
class Setting:
    """A choice of kernels by environment variables, with a number of threads; ``everything`` says whether all is run or the core."""

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


def kernels_of(setting: Setting) -> tuple[str, bool]:
    """(the kernels that a setting gives, or why it has none, whether this processor can run them)."""
    done = subprocess.run([sys.executable, "-c", PROBE], env=setting.environment, capture_output=True, text=True, check=False)
    if done.returncode == -signal.SIGILL:
        return "illegal instruction", False
    if done.returncode:
        raise RuntimeError(f"the kernels of {setting.name} cannot be asked: exit code {done.returncode}\n{done.stderr[-2000:]}")
    return done.stdout.strip(), True


def tests_under(setting: Setting) -> tuple[int, list[str]]:
    """(float tests that passed, names of those that failed)."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        left_out = [] if setting.everything else [f"--deselect={name}" for name in ONE_KERNEL]
        command = [
            sys.executable,
            "-P",
            "-m",
            "pytest",
            "-m",
            "floats and not programs",
            "-n",
            "0",
            "-p",
            "no:cacheprovider",
            f"--junitxml={report}",
            *left_out,
            "tests",
        ]
        done = subprocess.run(command, cwd=ROOT, env=setting.environment, stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode not in (0, 1):
            raise RuntimeError(f"pytest stopped with exit code {done.returncode} under {setting.name}:\n{done.stdout[-2000:]}")
        cases = list(ElementTree.parse(report).iter("testcase"))
    failed = [c for c in cases if c.find("failure") is not None or c.find("error") is not None]
    passed = [c for c in cases if c not in failed and c.find("skipped") is None]
    return len(passed), [f"{c.get('classname')}: {c.get('name')}" for c in failed]


def claims_under(setting: Setting) -> tuple[int, list[str]]:
    """(claims as pinned at standard effort, ids of the others)."""
    ids = [e.id for e in ledger().values() if setting.everything or e.how in FLOATS]
    command = [sys.executable, "-m", "lemmata", "verify", "--json", *ids]
    done = subprocess.run(command, cwd=ROOT, env=setting.environment, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"lemmata verify stopped with exit code {done.returncode} under {setting.name}")
    records = json.loads(done.stdout)["records"]
    other = [r["id"] for r in records if not r["as_expected"]]
    return len(records) - len(other), other


def row(*cells: object) -> None:
    name, *numbers = map(str, cells)
    print(f"{name:<40}{numbers[0]:<24}" + "".join(f"{x:>9}" for x in numbers[1:]), flush=True)


def timed(part: Callable[[Setting], tuple[int, list[str]]], setting: Setting) -> tuple[int, list[str], float]:
    """What a part of a row finds, and the seconds that it took."""
    start = time.monotonic()
    passed, failed = part(setting)
    return passed, failed, time.monotonic() - start


def rows_of(some: list[Setting], at_once: int) -> Iterator[tuple[Setting, list[object], list[str]]]:
    """(setting, the numbers of its row, what failed). Tests and claims of a row are two parts; the long ones begin first, since nothing should wait for them."""
    with ThreadPoolExecutor(at_once) as side_by_side:
        parts = [(part, setting) for setting in sorted(some, key=lambda s: not s.everything) for part in (tests_under, claims_under)]
        running = {(setting, part): side_by_side.submit(timed, part, setting) for part, setting in parts}
        for setting in some:
            passed, failed, seconds = running[setting, tests_under].result()
            claims, others, more = running[setting, claims_under].result()
            yield setting, [passed, len(failed), claims, len(others), round(seconds + more)], [*failed, *others]


def main() -> int:
    """Print a row for each setting; 0 if nothing failed under any."""
    begun = time.monotonic()
    chosen = [s for s in settings() if not sys.argv[1:] or s.name.startswith(tuple(sys.argv[1:]))]
    if not chosen:
        print(
            f"expected settings among {', '.join(s.name.split(',')[0] for s in settings())}, got {', '.join(sys.argv[1:])}", file=sys.stderr
        )
        return 2
    row("setting", "OpenBLAS, ATen", "passed", "failed", "claims", "others", "seconds")
    seen: dict[tuple[str, int], str] = {}
    kernels: dict[Setting, str] = {}
    own, _ = kernels_of(settings()[-1])
    for setting in chosen:
        kernels[setting], here = kernels_of(setting)
        if not here:
            row(setting.name, kernels.pop(setting), "not on this processor")
        elif kernels[setting] == own and setting.threads == 1:
            row(setting.name, kernels.pop(setting), "this processor's own: make test")
        elif (same := (kernels[setting], setting.threads)) in seen:
            row(setting.name, kernels.pop(setting), f"the kernels of {seen[same]}")
        else:
            seen[same] = setting.name.split(",")[0]
    failures: list[str] = []
    for threads in sorted({setting.threads for setting in kernels}):
        some = [setting for setting in kernels if setting.threads == threads]
        for setting, numbers, failed in rows_of(some, max(1, min(2, os.cpu_count() or 1) // threads)):
            row(setting.name, kernels[setting], *numbers)
            failures += [f"{setting.name}: {name}" for name in failed]
    print(f"{len(kernels)} settings run, {len(failures)} failures, {time.monotonic() - begun:.0f} s")
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
