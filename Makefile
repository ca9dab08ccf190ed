# make verify | test | lint | test-kernels | formal | coqchk | verified | mutants | forger | intervals | zoo | fla | figures | papers | atlas | notebook | benchmark | race: each sets up .venv first, from the pinned versions in constraints.txt

SHELL = /bin/bash
.SHELLFLAGS = -o pipefail -c
PYTHON ?= python3
BIN = .venv/bin
# two processes where there are two cores
JOBS ?= $(shell [ "$$(nproc 2>/dev/null || echo 1)" -ge 2 ] && echo 2 || echo 1)

.PHONY: verify test lint test-kernels rocq formal coqchk verified mutants forger intervals zoo fla figures papers atlas notebook benchmark race clean

verify: .venv/ready
	$(BIN)/lemmata verify --jobs $(JOBS)

# not python -m pytest: with the current folder on the path, kernels/ would hide a package of that name, which transformers looks for
test: .venv/ready-test
	OMP_NUM_THREADS=1 $(BIN)/pytest -n auto --dist worksteal

lint: .venv/ready-lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/basedpyright --pythonpath $(BIN)/python

# float tests and float claims under every kernel of linear algebra that this processor can run (tests/processors)
test-kernels: .venv/ready-test
	$(BIN)/python tests/processors

# Rocq, Mathematical Components and Flocq come from Debian's packages, where they may be installed and a part is missing; without them it fails
rocq:
	@$(PYTHON) -m formal.check --installed > /dev/null 2>&1 || ! command -v apt-get > /dev/null || [ "$$(id -u)" != 0 ] || \
	  (apt-get update -qq && apt-get install -y -qq coq libcoq-mathcomp libcoq-mathcomp-real-closed libcoq-mathcomp-algebra-tactics libcoq-mathcomp-zify libcoq-mathcomp-analysis libcoq-flocq) > /dev/null || true
	@$(PYTHON) -m formal.check --installed

# what was compiled is kept in build/formal, and compiled again where it changed
formal: rocq
	$(PYTHON) -m formal.check --jobs $(JOBS)

# Rocq's second checker on the compiled files: minutes; no claim counts as proved by the kernel without it
coqchk: rocq
	$(PYTHON) -m formal.coqchk --jobs $(JOBS)

# the checker of formal/checker.v as a native program, for lemmata recheck --verified
verified:
	@command -v coqc > /dev/null && ocamlfind query zarith > /dev/null 2>&1 || ! command -v apt-get > /dev/null || [ "$$(id -u)" != 0 ] || \
	  (apt-get update -qq && apt-get install -y -qq coq ocaml-nox ocaml-findlib libzarith-ocaml-dev) > /dev/null
	$(PYTHON) -m formal.verified.build

# changes of the code that claims must notice; what is done is kept in build/mutants, and MUTANTS="--shard 2/6" runs a part
mutants: .venv/ready-test
	$(BIN)/python -m pip install --quiet -c constraints.txt -e ".[mutants]"
	$(BIN)/python tests/mutants $(MUTANTS)

# forged certificates, which the re-checker must refuse; FORGER="--share 10" takes a seeded tenth of the claims
forger: .venv/ready
	OMP_NUM_THREADS=1 $(BIN)/python tests/forger --jobs $(JOBS) $(FORGER)

# the checker's elementary functions against Arb, 100,000 intervals each
intervals: .venv/ready-test
	$(BIN)/python tests/theorems/interval_points.py 100000 $(JOBS)

# the table of layers that libraries ship, by Triton's interpreter
zoo: .venv/ready-test
	OMP_NUM_THREADS=1 $(BIN)/python -P -W ignore -m lemmata.probe.zoo > build-zoo.md && mv build-zoo.md docs/reference/zoo.md

# compiled layers of flash-linear-attention in Triton's interpreter: the long cases, and the table of settings; an hour
fla: .venv/ready-test
	TRITON_INTERPRET=1 OMP_NUM_THREADS=1 $(BIN)/python -P -W ignore -m lemmata.kernels.layer_cells --long
	TRITON_INTERPRET=1 OMP_NUM_THREADS=1 $(BIN)/python -P -W ignore -m lemmata.kernels.layer_cells

figures: .venv/ready
	$(BIN)/python -m pip install --quiet -c constraints.txt -e ".[figures]"
	$(BIN)/lemmata figures --out figures-out
	$(BIN)/python -m pip install --quiet -c constraints.txt -e ".[torch]" && $(BIN)/lemmata train --scale desk --redraw --out figures-out

# the manuscripts of docs/papers, as build/papers/NAME.pdf; TeX comes from Debian's packages, where they may be installed and are missing
papers: .venv/ready
	@command -v pdflatex > /dev/null || ! command -v apt-get > /dev/null || [ "$$(id -u)" != 0 ] || \
	  (apt-get update -qq && apt-get install -y -qq texlive-latex-base texlive-latex-extra) > /dev/null || true
	@command -v pdflatex > /dev/null || (echo "no pdflatex: it comes with texlive-latex-base, and packages that the papers use with texlive-latex-extra" && exit 1)
	$(BIN)/python -P -m lemmata.cli.manuscript_audit
	$(BIN)/python -P -m lemmata.cli.manuscripts --build build/papers

atlas: .venv/ready
	$(BIN)/python -m pip install --quiet -c constraints.txt -e ".[atlas]"
	$(BIN)/lemmata atlas --out atlas-out

notebook: .venv/ready
	$(BIN)/python -m pip install --quiet -c constraints.txt -e ".[notebooks]"
	$(BIN)/jupyter lab notebooks

benchmark: .venv/ready
	$(BIN)/python benchmarks/exact_algebra.py
	$(BIN)/python benchmarks/cascades.py
	OMP_NUM_THREADS=1 $(BIN)/python benchmarks/condition_numbers.py
	$(BIN)/python benchmarks/sweeps.py --quick
	$(BIN)/python -m pip install --quiet -c constraints.txt -e ".[torch]" && $(BIN)/python benchmarks/scan.py
	OMP_NUM_THREADS=1 $(BIN)/python benchmarks/promises.py --check
	OMP_NUM_THREADS=1 $(BIN)/python benchmarks/training.py
	$(BIN)/python -m pip install --quiet -c constraints.txt -e ".[fla]" && $(BIN)/python benchmarks/delta_rule_kernel.py --length 1 10 1000
	$(PYTHON) -m formal.verified.build && OMP_NUM_THREADS=1 $(BIN)/python benchmarks/chunk_words.py --check && $(BIN)/python benchmarks/chunk_kernels.py --check

# labels of languages by other deciders, and seconds: RIVALS="FOLDER FOLDER" names checkouts of pentagonalize/crasp_reg and bveseli/state-tracking-crasp
race: .venv/ready
	OMP_NUM_THREADS=1 $(BIN)/python benchmarks/languages.py $(PAGE) $(RIVALS)

.venv/ready: pyproject.toml constraints.txt
	$(PYTHON) -c "import sys; sys.exit(0 if sys.version_info >= (3, 11) else 'lemmata needs Python 3.11 or newer, got ' + sys.version.split()[0] + '; try: make PYTHON=python3.11 ...')"
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet -c constraints.txt -e .
	touch $@

.venv/ready-test: .venv/ready
	$(BIN)/python -m pip install --quiet -c constraints.txt -e ".[test,torch,fla,onnx,figures,atlas,browser,stream,dask,data]"
	touch $@

.venv/ready-lint: .venv/ready-test
	$(BIN)/python -m pip install --quiet -c constraints.txt -e ".[lint]"
	touch $@

clean:
	rm -rf .venv figures-out atlas-out certificates build *.egg-info .pytest_cache .ruff_cache .hypothesis
