# Every target sets up what it needs: nothing has to be installed by hand besides Python 3.11 or newer.
SHELL := /bin/bash
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
TIMM_VENV ?= .venv-timm
TIMM_READY := $(TIMM_VENV)/.ready
OLDEST_VENV ?= .venv-oldest
OLDEST_READY := $(OLDEST_VENV)/.ready

ARGS ?=

.PHONY: help setup demo lock lint test test-browser test-slow test-timm test-versions prove prove-lock certify-demo bench fuzz check-exact

help: ## list the targets
	@grep -hE '^[a-z-]+:.*?## ' $(MAKEFILE_LIST) | awk -F ':.*?## ' '{printf "  make %-14s %s\n", $$1, $$2}'

setup: $(READY) ## make the virtual environment .venv from the lock file

$(READY): requirements/lock.txt requirements/torch.txt pyproject.toml
	@echo "Setting up $(VENV) (a few minutes, once)"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; name one with PYTHON=…" >&2; exit 2; }
	@rm -rf $(VENV)
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install --quiet --disable-pip-version-check -r requirements/torch.txt
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements/lock.txt
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@$(BIN)/python -I -c "import numpy, dobrushin; dobrushin.check(numpy.eye(2))" # compiles the kernels for this machine
	@touch $@

demo: $(READY) ## the exact check on trained models, real inputs (ARGS="--inputs FOLDER" for your own)
	@$(BIN)/dobrushin demo $(ARGS)

.PHONY: data
data: $(READY) ## fetch real data for surveys and experiments (Debian packages, unpacked into the user's cache; no root)
	@$(BIN)/python -I -m dobrushin.packaged

lock: ## pin all dependencies again, with their hashes
	requirements/compile.sh

lint: $(READY) ## ruff and mypy
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

check-exact: $(READY) ## exact cross-checks and counter-example search (QUICK=1: under a minute; ARGS="--profile stress")
	@$(BIN)/python -I -m dobrushin.crosscheck $(if $(QUICK),--quick) $(ARGS)

test: $(READY) ## the quick tests (under ten minutes on two cores)
	@HYPOTHESIS_PROFILE=$${HYPOTHESIS_PROFILE:-ci} $(BIN)/pytest -m 'not slow and not browser'

test-browser: $(READY) ## the report's page in headless Chromium (on Debian: apt-get install chromium)
	@$(BIN)/pytest -m browser

test-slow: $(READY) ## the heavy tests, with the packaged weights
	@HYPOTHESIS_PROFILE=$${HYPOTHESIS_PROFILE:-ci} $(BIN)/pytest -m slow

# An environment besides .venv: its folder, its requirements, what it takes on the disk.
define environment
@echo "Setting up $(1) (a few minutes and $(3), once)"
@rm -rf $(1)
@$(PYTHON) -m venv $(1)
@$(1)/bin/pip install --quiet --disable-pip-version-check -r $(2)
@$(1)/bin/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
@touch $@
endef

# A torchvision that fits the torch of the lock file does not exist, and one that does not fit breaks imports.
$(TIMM_READY): requirements/timm.txt pyproject.toml
	$(call environment,$(TIMM_VENV),requirements/timm.txt,6 GB)

test-timm: $(TIMM_READY) ## the tests of the timm adapter, in an environment of its own
	@HYPOTHESIS_PROFILE=$${HYPOTHESIS_PROFILE:-ci} $(TIMM_VENV)/bin/pytest tests/timm

# The newest transformers is that of the lock file; the oldest that pyproject.toml promises needs older companions.
$(OLDEST_READY): requirements/oldest.txt requirements/torch.txt pyproject.toml
	$(call environment,$(OLDEST_VENV),requirements/oldest.txt,2 to 6 GB)

# All tests that open models, so that every family is run, or fails: none is skipped for being too new.
test-versions: $(OLDEST_READY) ## the quick tests of models with the oldest transformers, in an environment of its own
	@HYPOTHESIS_PROFILE=$${HYPOTHESIS_PROFILE:-ci} $(OLDEST_VENV)/bin/pytest -m 'not slow and not browser' \
	  tests/capture tests/sources tests/collapse/test_network.py tests/packaged/test_packaged_models.py \
	  tests/packaged/test_packaged_zoo.py

prove: $(READY) ## check the Lean development and every gate; LEAN=lake takes an official Lean, QUICK=1 is shorter
	@$(BIN)/python -I -m dobrushin.lean prove $(if $(filter-out 0,$(QUICK)),--quick)

prove-lock: $(READY) ## write the locks of statements, bootstrap and symbolic proofs anew, and show what changed
	@$(BIN)/python -I -m dobrushin.lean lock

certify-demo: $(READY) ## maps of trained models, certified by Lean's kernel; QUICK=1 is shorter
	@$(BIN)/python -I -m dobrushin.certificate $(if $(filter-out 0,$(QUICK)),--quick)

bench: $(READY) ## time the exact kernels against what there is (QUICK=1: a short form)
	@$(BIN)/python experiments/benchmarks/run.py

fuzz: $(READY) ## every path of the kernels against brute-force integers (MATRICES=50000 SEED=0)
	@$(BIN)/python -I -m dobrushin.testing.fuzz --matrices $(if $(QUICK),2000,$${MATRICES:-50000}) --seed $${SEED:-0}

EXPERIMENTS := random-matrices dinov2 text tabular supervised why collapse collapse-toys
.PHONY: experiments $(EXPERIMENTS:%=experiment-%)

experiments: $(EXPERIMENTS:%=experiment-%) ## all experiments, each also as experiment-NAME (QUICK=1: minutes; a stopped run goes on)

$(EXPERIMENTS:%=experiment-%): experiment-%: $(READY)
	@$(BIN)/python experiments/$(subst -,_,$*)/run.py $(if $(filter-out 0,$(QUICK)),--quick) $(ARGS)
