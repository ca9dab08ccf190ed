"""A verdict, its scope and its counts do not depend on the processor; what git keeps of a check holds no data of one."""

import json
import os
import subprocess
import sys
from dataclasses import asdict, replace

import pytest
from lemmata.theorems import claims, entries
from lemmata.theorems.provenance import header
from lemmata.theorems.records import entry_of, record

#: what a run leaves that depends on when and where it ran
OF_A_RUN = {"seconds", "margin", "processor", "system", "machine", "model", "kernels", "failure", "held", "python", "packages"}


def of_floats():
    """Claims in which a float may decide: balls that start from floats, the fewest instances first, and a census."""
    sizes = sorted((sum(s["count"] for s in e.steps), e.id) for e in entries() if e.how == "certified")
    return [id for _, id in sizes[:5]] + ["new.parity.float.census"]


#: the kernel of OpenBLAS without vectors of 256 bits, and NumPy's own loops without them
OLDEST = {"OPENBLAS_CORETYPE": "Prescott", "NPY_DISABLE_CPU_FEATURES": "X86_V3"}

ASK = """
import json, sys
from lemmata.theorems import claims
from lemmata.theorems.records import entry_of, record
found = [entry_of(c, record(c, "quick")) for c in claims(sys.argv[1:])]
print(json.dumps([{name: getattr(e, name) for name in ("verdict", "how", "scope", "steps")} for e in found]))
"""


def words(value):
    """All keys in a nest of dictionaries and lists."""
    if isinstance(value, dict):
        return set(value).union(*map(words, value.values()))
    return set().union(*map(words, value)) if isinstance(value, list) else set()


def words_of(e):
    # given numbers of witnesses may have names of their own
    return words(asdict(replace(e, given=replace(e.evidence, counterexamples=[], exhibits=[]))))


def test_the_ledger_holds_no_data_of_a_run():
    assert not set().union(*map(words_of, entries())) & OF_A_RUN


def test_what_is_pinned_of_a_record_is_chosen_by_name():
    c = claims(["degeeter26.appB.thm2"])[0]
    found = record(c, "quick")
    assert found.seconds > 0
    assert not words_of(entry_of(c, found)) & OF_A_RUN


def test_the_header_says_versions_processor_and_seed():
    found = header("standard")
    assert {"lemmata", "python", "packages", "processor", "seed", "effort"} <= set(found)
    assert found["packages"]["numpy"]
    assert found["packages"]["python-flint"]
    assert found["processor"]["model"]
    assert json.loads(json.dumps(found, allow_nan=False)) == found


@pytest.mark.programs
@pytest.mark.skipif(sys.platform != "linux", reason="the kernels' variables are those of Linux wheels")
def test_float_claims_are_the_same_under_the_oldest_kernel():
    """``make test-kernels`` does this for all claims and all kernels."""
    outcomes, chosen = [], of_floats()
    for variables in ({}, OLDEST):
        command = [sys.executable, "-c", ASK, *chosen]
        done = subprocess.run(command, env=os.environ | variables, capture_output=True, text=True, check=True)
        outcomes.append(json.loads(done.stdout))
    assert len(chosen) == len(outcomes[0]) == len(outcomes[1])
    assert outcomes[0] == outcomes[1]
