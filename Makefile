# Everything on a fresh machine with Python 3.11 or newer and a C++20 compiler. PYTHON chooses the interpreter.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
SOURCES := pyproject.toml CMakeLists.txt $(wildcard cpp/*.cpp cpp/*.hpp)
CPP := $(wildcard cpp/*.cpp cpp/*.hpp)

.PHONY: demo test bench lint format clean

demo: $(INSTALLED)  ## score the bundled sample and write its report
	@$(BIN)/recte sample demo >/dev/null
	@echo '$$ recte score demo/gold.m2 demo/systems/*.txt'
	@$(BIN)/recte score demo/gold.m2 demo/systems/*.txt
	@echo
	@echo '$$ recte explain demo/gold.m2 demo/systems/wren.txt --sentence 7'
	@$(BIN)/recte explain demo/gold.m2 demo/systems/wren.txt --sentence 7
	@echo
	@echo '$$ recte report demo/gold.m2 demo/systems/*.txt -m m2 imeasure gleu --labels demo/labels.tsv --to demo/report.html'
	@$(BIN)/recte report demo/gold.m2 demo/systems/*.txt -m m2 imeasure gleu --labels demo/labels.tsv --to demo/report.html

test: $(INSTALLED)
	$(BIN)/python -m pytest -n auto

bench: $(INSTALLED)
	$(BIN)/python -m benchmarks

lint: $(INSTALLED)
	$(BIN)/ruff format --check src tests benchmarks tools
	$(BIN)/ruff check src tests benchmarks tools
	$(BIN)/clang-format --dry-run --Werror $(CPP)
	$(BIN)/mypy

format: $(INSTALLED)
	$(BIN)/ruff check --fix src tests benchmarks tools
	$(BIN)/ruff format src tests benchmarks tools
	$(BIN)/clang-format -i $(CPP)

$(INSTALLED): $(SOURCES)
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "recte needs Python 3.11 or newer: make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@

clean:
	rm -rf $(VENV) build demo
