"""Certificates are the same bytes in every process and under every kernel of linear algebra."""

import json
import os
import subprocess
import sys

import pytest
from lemmata.theorems.recheck import check_file

#: claims whose certificates once depended on a random choice of SymPy's, or on the kernel of BLAS, and one whose networks are built from sets of letters
CLAIMS = ("new.automata.solvable", "orvieto24.prop2", "orvieto24.sec4.1.sparse", "new.bistable.languages")

#: the networks of new.bistable.compiler and new.bistable.hybrid; the claims themselves decide thousands of automata more
WRITE = """
import json, sys
from pathlib import Path
from lemmata.constructions.automata.sources import from_regex
from lemmata.constructions.bistable_compiler import compile_bistable, compile_hybrid
from lemmata.theorems import verify
from lemmata.theorems.certificates import write_certificates
from lemmata.theorems.recheck.statements.bistable_languages import COMPILED
folder, *claims = sys.argv[1:]
for record in verify(claims):
    assert record.as_expected, record.reasons
    write_certificates(record, Path(folder))
for claim, compiler in (("new.bistable.compiler", compile_bistable), ("new.bistable.hybrid", compile_hybrid)):
    networks = {regex: compiler(from_regex(regex)).document() for regex in COMPILED[claim]}
    (Path(folder) / f"{claim}.networks").write_text(json.dumps(networks))
"""

#: two processes that differ in the order of sets and in the kernels of BLAS, of NumPy and of the C library
PROCESSES = {
    "plain": {
        "PYTHONHASHSEED": "0",
        "OPENBLAS_CORETYPE": "Prescott",
        "NPY_DISABLE_CPU_FEATURES": "X86_V3",
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4",
    },
    "fast": {"PYTHONHASHSEED": "1"},
}


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    found = {}
    for name, variables in PROCESSES.items():
        found[name] = tmp_path_factory.mktemp(name)
        done = subprocess.run(
            [sys.executable, "-c", WRITE, str(found[name]), *CLAIMS],
            env=os.environ | variables,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    return found


def test_certificates_are_the_same_bytes(folders):
    plain, fast = ({path.name: path.read_bytes() for path in folder.iterdir()} for folder in folders.values())
    assert (
        set(plain)
        == set(fast)
        == {*(f"{claim}.json" for claim in CLAIMS), "new.bistable.compiler.networks", "new.bistable.hybrid.networks"}
    )
    assert [name for name in plain if plain[name] != fast[name]] == []


def test_they_hold_and_say_something(folders):
    for claim in CLAIMS:
        check_file(folders["fast"] / f"{claim}.json")
    for path in folders["fast"].glob("*.networks"):
        assert all(network["layers"] for network in json.loads(path.read_text()).values())
