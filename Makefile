# Two commands do everything on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# Tests run in two processes; more threads in each would only get in each other's way.
export OMP_NUM_THREADS ?= 1

.PHONY: demo test test-slow lint benchmark benchmark-speed clean

demo: $(VENV)/.installed
	$(BIN)/halflabel demo --out demo

test: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -n 2

test-slow: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -m slow

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check
	$(BIN)/pyright --pythonpath $(BIN)/python

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
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --editable '.[test,lint]'
	@touch $@

clean:
	rm -rf $(VENV) demo .pytest_cache .ruff_cache .hypothesis
