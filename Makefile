# Everything on a fresh machine with Python 3.11 or newer and a C++20 compiler. PYTHON chooses the interpreter.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
DEVELOPMENT := $(VENV)/.development
SOURCES := pyproject.toml CMakeLists.txt $(wildcard cpp/*/*.cpp cpp/*/*.hpp)
CPP := $(wildcard cpp/*/*.cpp cpp/*/*.hpp)
CHECKED := src tests benchmarks integrations tools
EXTRAS ?= report
BUILD ?=
SANITIZED_BUILD := -C build-dir=build/sanitize -C cmake.build-type=RelWithDebInfo -C cmake.define.RECTE_SANITIZE=ON

# What the sanitizers need to see: wrong calls, random ones, and the kernels beside their oracles.
SANITIZED ?= tests/test_hostile_calls.py tests/fuzz tests/edits tests/annotation/test_labelling.py \
  tests/extraction/test_alignment.py tests/extraction/test_chinese.py tests/formats/test_compiled_readers.py \
  tests/metrics/test_cleme.py tests/metrics/test_gleu.py tests/metrics/test_goto.py tests/metrics/test_green.py \
  tests/metrics/test_hoo.py tests/metrics/test_imeasure.py tests/metrics/test_maxmatch.py \
  tests/metrics/test_running_choice.py tests/metrics/test_metric_interface.py tests/metrics/test_weighted_edits.py \
  tests/statistics/test_drawing.py tests/studies/coverage/test_coverage.py tests/studies/human/test_rankings.py \
  tests/text/test_untidiness.py

.PHONY: demo test test-neural docs coverage sanitize fuzz bench lint format wheel clean

demo: $(INSTALLED)  ## score the bundled sample and write its report
	@echo 'make demo: scores the bundled sample and writes its report, a few seconds'
	@$(BIN)/recte sample demo >/dev/null
	@echo '$$ recte score demo/gold.m2 demo/systems/*.txt'
	@$(BIN)/recte score demo/gold.m2 demo/systems/*.txt
	@echo
	@echo '$$ recte explain demo/gold.m2 demo/systems/wren.txt --sentence 7'
	@$(BIN)/recte explain demo/gold.m2 demo/systems/wren.txt --sentence 7
	@echo
	@echo '$$ recte report demo/gold.m2 demo/systems/*.txt -m m2 imeasure gleu --labels demo/labels.tsv --to demo/report.html'
	@$(BIN)/recte report demo/gold.m2 demo/systems/*.txt -m m2 imeasure gleu --labels demo/labels.tsv --to demo/report.html

test: $(DEVELOPMENT)
	@echo 'make test: the whole suite on all cores, two to five minutes'
	$(BIN)/python -m pytest -n auto --dist loadgroup

docs: $(DEVELOPMENT)  ## the documentation as a site, in build/docs
	@echo 'make docs: makes a site of docs/, half a minute; then open build/docs/index.html'
	$(BIN)/python -m sphinx -q -W --keep-going -b html docs build/docs

test-neural: $(DEVELOPMENT)  ## metrics that ask models, with real ones; adds torch and transformers
	@echo 'make test-neural: adds torch and transformers (1.1 GB without a GPU, more with one), then half a minute'
	$(BIN)/python -m pip install --quiet --no-compile --editable '.[neural]'
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest tests/models tests/metrics/test_neural_interface.py

coverage: $(DEVELOPMENT)  ## lines and branches of src/recte that the tests reach
	@echo 'make coverage: the whole suite, measured; about ten minutes'
	$(BIN)/python -m pytest -n auto --dist loadgroup --cov --cov-report=term:skip-covered --cov-report=html:build/coverage

# Python itself is not built for the sanitizers: their runtime must be loaded before it, libstdc++ with it to see what is
# thrown. What Python never gives back at its end is no leak of ours, so leaks are not looked for.
SANITIZERS = LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)" \
  ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1

.PHONY: sanitized
sanitized:
	CXX=$(CXX) $(MAKE) VENV=.venv-sanitize BUILD='$(SANITIZED_BUILD)' .venv-sanitize/.development

sanitize: sanitized  ## the kernels' tests under AddressSanitizer and UndefinedBehaviorSanitizer
	@echo 'make sanitize: the kernels under the sanitizers, in .venv-sanitize; five to ten minutes'
	$(SANITIZERS) .venv-sanitize/bin/python -m pytest -n auto --dist loadgroup $(SANITIZED)

# Two minutes of random files and calls; FUZZ_SECONDS=3600 an hour, SANITIZE=1 under the sanitizers.
FUZZ_SECONDS ?= 120
fuzz: $(if $(SANITIZE),sanitized,$(DEVELOPMENT))  ## random input for every reader and kernel
	@echo 'make fuzz: random input for every reader and kernel, $(FUZZ_SECONDS) seconds from a seed of its own'
	PYTHONPATH=tests $(if $(SANITIZE),$(SANITIZERS) .venv-sanitize/bin/python,$(BIN)/python) -m fuzz \
	  --seconds $(FUZZ_SECONDS) --first $(or $(FUZZ_FIRST),$(shell date +%s)000)

# Every figure, or those of some modules: make bench ONLY="training report".
ONLY ?=
bench: $(DEVELOPMENT)
	$(BIN)/python -m benchmarks $(ONLY)

lint: $(DEVELOPMENT)
	$(BIN)/ruff format --check $(CHECKED)
	$(BIN)/ruff check $(CHECKED)
	$(BIN)/clang-format --dry-run --Werror $(CPP)
	$(BIN)/mypy
	$(BIN)/python tools/plain_words.py

format: $(DEVELOPMENT)
	$(BIN)/ruff check --fix $(CHECKED)
	$(BIN)/ruff format $(CHECKED)
	$(BIN)/clang-format -i $(CPP)

wheel: $(DEVELOPMENT)  ## sdist and wheel in dist/; the wheel is installed in an empty environment and tried
	@echo 'make wheel: builds sdist and wheel, installs the wheel in an empty environment and tries it; two minutes'
	rm -rf dist build/trial
	$(BIN)/python -m build --outdir dist -C wheel.py-api=cp312 -C 'cmake.version=>=3.26'
	$(PYTHON) -m venv build/trial
	build/trial/bin/python -m pip install --quiet "$$(echo dist/*.whl)[$(EXTRAS)]"
	build/trial/bin/python tools/try_install.py
	rm -rf build/trial

# What a user needs: recte and its report. EXTRAS=report,chinese adds to it.
$(INSTALLED): $(SOURCES)
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "recte needs Python 3.11 or newer: make PYTHON=python3.11")'
	@echo 'Installing recte[$(EXTRAS)] in $(VENV) and compiling its core: 92 MB to download, one to two minutes'
	$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --no-compile --upgrade pip
	$(BIN)/python -m pip install --quiet --no-compile $(BUILD) --editable '.[$(EXTRAS)]'
	@touch $@

# What a developer needs beside it: the group `dev` of pyproject.toml.
$(DEVELOPMENT): $(INSTALLED)
	@echo 'Adding what the tests need to $(VENV): about 100 MB to download, a minute'
	$(BIN)/python -m pip install --quiet --no-compile --group dev
	@touch $@

clean:
	rm -rf $(VENV) .venv-sanitize build dist demo
