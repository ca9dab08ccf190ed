"""Certificates are the same bytes in every process and under every kernel of linear algebra."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from lemmata.constructions.automata.read.sources import from_regex
from lemmata.constructions.bistable.compiler import compile_bistable, compile_hybrid
from lemmata.theorems import verify
from lemmata.theorems.certificates import write_certificates
from lemmata.theorems.recheck import check_file
from lemmata.theorems.recheck.statements.bistable.languages import COMPILED

#: claims whose certificates once depended on a random choice of SymPy's, or on the kernel of BLAS, and one whose networks are built from sets of letters
CLAIMS = ("new.automata.solvable", "orvieto24.prop2", "orvieto24.sec4.1.sparse", "new.bistable.languages")

#: another process: the order of its sets, and the kernels of BLAS, of NumPy and of the C library, differ from those here
OTHER = {
    "PYTHONHASHSEED": "0",
    "OPENBLAS_CORETYPE": "Prescott",
    "NPY_DISABLE_CPU_FEATURES": "X86_V3",
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4",
}


def write(folder):
    """The certificates of the claims, and the networks of new.bistable.compiler and new.bistable.hybrid: these claims decide thousands of automata more."""
    for record in verify(list(CLAIMS)):
        assert record.as_expected, record.reasons
        write_certificates(record, folder)
    for claim, compiler in (("new.bistable.compiler", compile_bistable), ("new.bistable.hybrid", compile_hybrid)):
        networks = {regex: compiler(from_regex(regex)).document() for regex in COMPILED[claim]}
        (folder / f"{claim}.networks").write_text(json.dumps(networks))


pytestmark = pytest.mark.programs


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    here, other = tmp_path_factory.mktemp("here"), tmp_path_factory.mktemp("other")
    write(here)
    done = subprocess.run([sys.executable, __file__, str(other)], env=os.environ | OTHER, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return {"here": here, "other": other}


def test_certificates_are_the_same_bytes(folders):
    here, other = ({path.name: path.read_bytes() for path in folder.iterdir()} for folder in folders.values())
    networks = {"new.bistable.compiler.networks", "new.bistable.hybrid.networks"}
    assert set(here) == set(other) == {f"{claim}.json" for claim in CLAIMS} | networks
    assert [name for name in here if here[name] != other[name]] == []


def test_they_hold_and_say_something(folders):
    for claim in CLAIMS:
        check_file(folders["here"] / f"{claim}.json")
    for path in folders["here"].glob("*.networks"):
        assert all(network["layers"] for network in json.loads(path.read_text()).values())


if __name__ == "__main__":
    write(Path(sys.argv[1]))
