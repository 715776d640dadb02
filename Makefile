# Two commands do everything on a fresh machine: make run, make test.
SHELL := /bin/bash
PYTHON_BIN := .venv/bin/python
SCREEN := scripts/headless.sh
QUESTION := In one sentence, what is a fountain pen?
FAST := not engine and not e2e and not race and not slow and not soak \
  and not x11 and not program and not integration
export PYTHONUNBUFFERED := 1

.DEFAULT_GOAL := run
.PHONY: run test check lint soak bench setup clean

run: setup ## Open the window; without a display, ask one question on a virtual one
	@if [ -n "$${DISPLAY:-}$${WAYLAND_DISPLAY:-}" ]; then \
	  exec $(PYTHON_BIN) -m rony_desktop; \
	else \
	  mkdir -p build && \
	  exec $(SCREEN) $(PYTHON_BIN) -m rony_desktop --demo "$(QUESTION)" --picture build/run.png; \
	fi

test: setup-tests check ## Lint, types, import contracts and every test but the long repeats
	@$(SCREEN) $(PYTHON_BIN) -m pytest -q -m "not slow and not soak and not ($(FAST))" --durations 15

check: setup lint ## The fast half of make test
	@env -u DISPLAY QT_QPA_PLATFORM=offscreen \
	  $(PYTHON_BIN) -m pytest -q -n 3 --dist loadfile -m "$(FAST)"

lint: setup ## Format, lint, types, import contracts, dependencies
	$(PYTHON_BIN) -m ruff format --check .
	$(PYTHON_BIN) -m ruff check .
	$(PYTHON_BIN) -m mypy
	.venv/bin/lint-imports
	$(PYTHON_BIN) -m deptry .

soak: setup-tests ## The long repeats: minutes
	@$(SCREEN) $(PYTHON_BIN) -m pytest -q -m "slow or soak"

bench: setup ## Measure the program against a bare client and a bare window
	@$(SCREEN) $(PYTHON_BIN) -m scripts.bench

setup: ## Install what is missing; fast where nothing is
	@scripts/bootstrap.sh

.PHONY: setup-tests
setup-tests:
	@scripts/bootstrap.sh --tests

clean: ## Remove what the commands above made here; your chats and models stay
	rm -rf .venv .setup-lock build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache \
	  .import_linter_cache .hypothesis .coverage*
