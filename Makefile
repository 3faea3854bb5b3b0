# Two commands do everything on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# Tests run in two processes; more threads in each would only get in each other's way.
export OMP_NUM_THREADS ?= 1

# LOCKED=yes installs exactly what requirements/ci.txt lists, hashes checked; it is for the machine that `make lock`
# ran on: Python 3.11 on Linux, where pip finds torch's CPU build. Elsewhere pip chooses from pyproject.toml.
LOCKED ?= no
LOCK := requirements/ci.txt

.PHONY: demo test test-slow coverage fuzz fuzz-models mutants lint docs lock audit dist benchmark benchmark-speed clean

demo: $(VENV)/.installed
	$(BIN)/halflabel demo --out demo

test: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -n 2 --dist worksteal

test-slow: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -m slow

# Input: 20,000 cases of files, 5,000 each of tables, arrays and labels in memory, 400 of options; others every time.
fuzz: $(VENV)/.installed-dev
	HALFLABEL_FUZZ=20000 $(BIN)/python -m pytest -s tests/trust/test_fuzzed_files.py \
		tests/trust/test_fuzzed_objects.py tests/trust/test_fuzzed_options.py

# Saved models, graphs and runs: 5,000 damaged ones, which must be refused, and 5,000 forged ones.
fuzz-models: $(VENV)/.installed-dev
	HALFLABEL_MUTATIONS=5000 $(BIN)/python -m pytest -s tests/trust/test_mutated_files.py

# Lines and branches of the package that `make test` reaches; 90 % at least.
coverage: $(VENV)/.installed-dev
	$(BIN)/python -m pip install --quiet pytest-cov
	$(BIN)/python -m pytest -n 2 --cov --cov-report=term:skip-covered --cov-fail-under=90

# Small mistakes put into the heart of the package, which its tests must notice; most of an hour of one core. What
# has not changed is not tried again. MODULES="labels km" tries these only.
mutants: $(VENV)/.installed-dev
	nice -n 5 $(BIN)/python benchmarks/trust/mutants.py $(MODULES)

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check
	$(BIN)/pyright --pythonpath $(BIN)/python

# After a change of dependencies.
lock: | $(VENV)/bin/python
	$(BIN)/python requirements/lock.py

# Asks an advisory service about every locked package, over the network; --strict, so that one it could not
# look up is a failure.
audit: | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet pip-audit
	$(BIN)/pip-audit --strict --no-deps --disable-pip --requirement $(LOCK)

dist: $(VENV)/.installed-dev
	rm -rf dist
	$(BIN)/python -m hatchling build

# The documentation as a site that fetches nothing: open site/index.html. Its builder announces its successor.
docs: $(VENV)/.installed-docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@echo "Open site/index.html; its search wants a server: python -m http.server -d site"

# All tables and figures of the paper, hours; stop it and run it again at will. Needs HALFLABEL_DATA.
benchmark: $(VENV)/.installed
	$(BIN)/halflabel bench all --out bench

# A GPL epoch against plain torch_geometric, interleaved in one process.
benchmark-speed: $(VENV)/.installed
	$(BIN)/python benchmarks/speed/gpl_epoch.py

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	@echo "Installing halflabel into $(VENV) (the first time takes a few minutes)"
ifeq ($(LOCKED),yes)
	$(BIN)/python -m pip install --quiet --require-hashes --requirement $(LOCK)
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
else
	$(BIN)/python -m pip install --quiet --editable .
endif
	@touch $@

$(VENV)/.installed-docs: $(VENV)/.installed
ifneq ($(LOCKED),yes)
	$(BIN)/python -m pip install --quiet --editable '.[docs]'
endif
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
ifneq ($(LOCKED),yes)
	$(BIN)/python -m pip install --quiet --editable '.[test,lint,docs]'
endif
	@touch $@

clean:
	rm -rf $(VENV) demo site .pytest_cache .ruff_cache .hypothesis
