# make verify | test | lint | blas | formal | verified | mutants | forger | figures | atlas | notebook | benchmark: each sets up .venv first, from the pinned versions in constraints.txt

SHELL = /bin/bash
.SHELLFLAGS = -o pipefail -c
PYTHON ?= python3
BIN = .venv/bin
# two processes where there are two cores
JOBS ?= $(shell [ "$$(nproc 2>/dev/null || echo 1)" -ge 2 ] && echo 2 || echo 1)

.PHONY: verify test lint blas rocq formal verified mutants forger figures atlas notebook benchmark clean

verify: .venv/ready
	$(BIN)/lemmata verify --jobs $(JOBS)

test: .venv/ready-test
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n auto --dist worksteal --nbmake --nbmake-timeout=120

lint: .venv/ready-lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/basedpyright --pythonpath $(BIN)/python

# the same verdicts and scopes whatever kernel and number of threads OpenBLAS takes: the kernels that it does not take here by itself (that one
# runs in verify and test), and two threads with the one that it does; a kernel that this processor lacks is left out
OWN_KERNEL = import numpy, threadpoolctl; print(next((x["architecture"] for x in threadpoolctl.threadpool_info() if x["internal_api"] == "openblas"), ""))
blas: .venv/ready-test
	own=$$($(BIN)/python -c '$(OWN_KERNEL)'); \
	for run in $$(printf '%s\n' Prescott:1 Haswell:1 SkylakeX:1 | grep -v "^$$own:") $$own:2; do \
	  kernel=$${run%:*}; threads=$${run#*:}; \
	  if [ $$kernel = SkylakeX ] && ! grep -q avx512f /proc/cpuinfo; then echo "no SkylakeX: this processor has no AVX-512"; continue; fi; \
	  if [ $$kernel = Haswell ] && ! grep -q avx2 /proc/cpuinfo; then echo "no Haswell: this processor has no AVX2"; continue; fi; \
	  echo "OpenBLAS as $$kernel, threads: $$threads"; \
	  export OPENBLAS_CORETYPE=$$kernel OPENBLAS_NUM_THREADS=$$threads; \
	  $(BIN)/lemmata verify --jobs $$((3 - threads)) | tail -n 3 || exit 1; \
	  $(BIN)/python -m pytest -n $$((2 - threads + 1)) tests/numerics tests/constructions/test_householder.py || exit 1; \
	done

# Rocq and Mathematical Components come from Debian's packages, where they may be installed
rocq:
	@command -v coqc > /dev/null || ! command -v apt-get > /dev/null || [ "$$(id -u)" != 0 ] || \
	  (apt-get update -qq && apt-get install -y -qq coq libcoq-mathcomp libcoq-mathcomp-real-closed libcoq-mathcomp-algebra-tactics libcoq-mathcomp-zify) > /dev/null

formal: rocq
	$(PYTHON) formal/check.py

# the checker of formal/checker.v as a native program, for lemmata recheck --verified
verified:
	@command -v coqc > /dev/null && ocamlfind query zarith > /dev/null 2>&1 || ! command -v apt-get > /dev/null || [ "$$(id -u)" != 0 ] || \
	  (apt-get update -qq && apt-get install -y -qq coq ocaml-nox ocaml-findlib libzarith-ocaml-dev) > /dev/null
	$(PYTHON) -m formal.verified.build

mutants: .venv/ready-test
	$(BIN)/python -m pip install --quiet -c constraints.txt -e ".[mutants]"
	$(BIN)/python tests/mutants

# forged certificates, which the re-checker must refuse; FORGER="--share 10" takes a seeded tenth of the claims
forger: .venv/ready
	OMP_NUM_THREADS=1 $(BIN)/python tests/forger --jobs $(JOBS) $(FORGER)

figures: .venv/ready
	$(BIN)/python -m pip install --quiet -c constraints.txt -e ".[figures]"
	$(BIN)/lemmata figures --out figures-out
	$(BIN)/python -m pip install --quiet -c constraints.txt -e ".[torch]" && $(BIN)/lemmata train --scale desk --redraw --out figures-out

atlas: .venv/ready
	$(BIN)/python -m pip install --quiet -c constraints.txt -e ".[atlas]"
	$(BIN)/lemmata atlas --out atlas-out

notebook: .venv/ready
	$(BIN)/python -m pip install --quiet -c constraints.txt -e ".[notebooks]"
	$(BIN)/jupyter lab notebooks

benchmark: .venv/ready
	$(BIN)/python benchmarks/exact_algebra.py
	$(BIN)/python benchmarks/cascades.py
	$(BIN)/python -m pip install --quiet -c constraints.txt -e ".[fast]" && $(BIN)/python benchmarks/condition_numbers.py
	$(BIN)/python benchmarks/sweeps.py --quick
	$(BIN)/python -m pip install --quiet -c constraints.txt -e ".[torch]" && $(BIN)/python benchmarks/scan.py
	$(BIN)/python -m pip install --quiet -c constraints.txt -e ".[fla]" && $(BIN)/python benchmarks/delta_rule_kernel.py --length 1 10 1000

.venv/ready: pyproject.toml constraints.txt
	$(PYTHON) -c "import sys; sys.exit(0 if sys.version_info >= (3, 11) else 'lemmata needs Python 3.11 or newer, got ' + sys.version.split()[0] + '; try: make PYTHON=python3.11 ...')"
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet -c constraints.txt -e .
	touch $@

.venv/ready-test: .venv/ready
	$(BIN)/python -m pip install --quiet -c constraints.txt -e ".[test,torch,fla,onnx,figures,atlas,browser,fast,stream,dask,data]"
	touch $@

.venv/ready-lint: .venv/ready-test
	$(BIN)/python -m pip install --quiet -c constraints.txt -e ".[lint]"
	touch $@

clean:
	rm -rf .venv figures-out atlas-out certificates build *.egg-info .pytest_cache .ruff_cache .hypothesis
