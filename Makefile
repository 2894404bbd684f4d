# Everything below does its own set-up, in .venv: Python 3.10 or newer is all it needs.
#
#   make play     a game against the computer; options go in ARGS="--variant connect-four"
#   make serve    a game server for people anywhere, with the compiled solver, and with the page to
#                 play in where there is npm; options go in ARGS="--port 9000"
#   make test     the quick tests, about three minutes; options for pytest go in ARGS="-k match"
#   make check    everything a change has to pass, about twenty minutes; .ci/run calls it
#   make browser  the page with Python in it: a folder for any web host, or TO=FOLDER
#   make bench    speed, measured beside other software
#   make online-bench  what one game server carries
#   make pictures take the pictures of the README and the pages anew
#   make locale   collect the messages of front ends and library, and compile their translations
#   make clean    remove what the others made
#
# Another Python: make PYTHON=python3.12 test

# Without byte code each of the many processes of the tests would compile every module anew.
unexport PYTHONDONTWRITEBYTECODE

PYTHON ?= python3
VENV := .venv/bin
PYTEST := $(VENV)/python -m pytest --numprocesses=auto --maxprocesses=4 --dist=loadgroup
LIBRARY := $(addprefix tests/,classic conformance contest engines game logic opponents protocols solver) $(wildcard tests/test_*.py)
COVERAGE := .venv/coverage.json

.PHONY: play serve test check lint types wheels machines browser bench online-bench pictures locale clean
.NOTPARALLEL:

play:
	@$(PYTHON) tools/environment.py play
	@$(VENV)/tic-tac-toe $(ARGS)

serve:
	@$(PYTHON) tools/environment.py serve
	@if command -v npm >/dev/null; then $(VENV)/tic-tac-toe browser build >/dev/null; fi
	@$(VENV)/tic-tac-toe serve $(ARGS)

test:
	@$(PYTHON) tools/environment.py test
	@$(PYTEST) --hypothesis-profile=quick $(ARGS)

# The tests come last, so that pytest has the last word.
check: lint types wheels machines
	@echo "--- the quick tests of the library and those with a cluster, with coverage"
	@$(PYTEST) --quiet -m "not slow or cluster" \
		--cov --cov-report=term --cov-report=json:$(COVERAGE) $(LIBRARY)
	@$(VENV)/python -m tools.coverage_check $(COVERAGE)
	@echo "--- the slow tests of the library"
	@$(PYTEST) --quiet -m "slow and not cluster" $(LIBRARY)
	@echo "--- all other tests"
	@$(PYTEST) -m "" $(addprefix --ignore=,$(LIBRARY))

lint:
	@echo "--- format and lint"
	@$(PYTHON) tools/environment.py dev
	@$(VENV)/python -m ruff format --check
	@$(VENV)/python -m ruff check
	@$(VENV)/lint-imports --no-logo --no-cache

types:
	@echo "--- types"
	@$(PYTHON) tools/environment.py dev
	@$(VENV)/python -m mypy library/src frontends tests tools \
		$(wildcard benchmarks docs/examples)
	@$(VENV)/python -m tools.pyright_check

wheels:
	@$(PYTHON) tools/environment.py dev
	@$(VENV)/python -m tools.wheel_check

machines:
	@$(PYTHON) tools/environment.py dev
	@$(VENV)/python -m tools.machine_check

browser:
	@$(PYTHON) tools/environment.py play
	@$(VENV)/tic-tac-toe browser build $(if $(TO),--to $(TO))

bench:
	@$(PYTHON) tools/environment.py bench
	@$(VENV)/python -m benchmarks $(ARGS)

online-bench:
	@$(PYTHON) tools/environment.py online
	@$(VENV)/python -m benchmarks.online $(ARGS)

# Headers keep their dates unless a message changes, so that running this twice changes nothing.
locale:
	@$(PYTHON) tools/environment.py test
	@$(VENV)/python -m tools.message_catalogues

pictures:
	@$(PYTHON) tools/environment.py dev
	@$(VENV)/python -m tools.pictures
	@$(VENV)/python -m tools.picture_window
	@$(VENV)/python -m tools.picture_browser
	@$(VENV)/python -m tools.picture_online
	@$(VENV)/python -m tools.picture_notebook

clean:
	rm -rf .venv .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache
	rm -rf frontends/build frontends/src/*.egg-info snapshot_report.html
	find . -name .git -prune -o -name __pycache__ -prune -exec rm -rf {} +
