# Everything below does its own set-up, in .venv: Python 3.10 or newer is all it needs.
#
#   make play     a game against the computer; options go in ARGS="--variant connect-four"
#   make serve    a game server for people anywhere, with the compiled solver, and with the page to
#                 play in where there is npm; options go in ARGS="--port 9000"
#   make quick    the tests that take less than 0.2 s each, about a minute: before each commit
#   make test     these and most of less than 2 s, some three minutes; options for pytest go in
#                 ARGS="-k match"
#   make check    everything a change has to pass; .ci/run calls it
#   make nightly  that the tests see faults which are built in, and long random runs
#   make browser  the page with Python in it: a folder for any web host, or TO=FOLDER
#   make bench    speed, measured beside other software
#   make online-bench  what one game server carries
#   make pictures take the pictures of the README and the pages anew
#   make locale   collect the messages of front ends and library, and compile their translations
#   make docs     the site of the pages, in build/docs
#   make changelog  what has changed since the last release, as the next one will show it
#   make words    the spelling of all texts
#   make release VERSION=0.2.0  all of a release but the upload
#   make lock     the versions in requirements/lock.txt anew; with LOCKED=1 the others install these
#   make clean    remove what the others made
#
# The tests of one room: make test ROOM=solver, or ROOM=frontends/window
# Another Python: make PYTHON=python3.12 test

# Without byte code each of the many processes of the tests would compile every module anew.
unexport PYTHONDONTWRITEBYTECODE

PYTHON ?= python3
VENV := .venv/bin
READY := .venv/ready-for-
PIP := $(VENV)/python -m pip install --quiet --disable-pip-version-check
PROJECTS := --editable ./library --editable ./frontends
#: With LOCKED=1 the versions of requirements/lock.txt are installed, and else the newest that fit.
CONSTRAINED := $(if $(LOCKED),--constraint requirements/lock.txt)
PYTEST := $(VENV)/python -m pytest --numprocesses=auto --maxprocesses=4 --dist=loadgroup
UV := $(VENV)/uv
TESTS = $(if $(ROOM),tests/$(ROOM))
#: What `make check` consists of; .github/workflows/check.yml runs each on a machine of its own.
CHECKS := lint types words site packages wheels bare tests
#: The Pythons that the wheels are tried on; one that is neither here nor to be had is left out.
PYTHONS := 3.10 3.11 3.13 3.14 3.14t
SMOKE := --quiet --numprocesses=2 -p no:cacheprovider -c ../../pyproject.toml --rootdir ../.. \
	-m "not (medium or slow or nightly)" --hypothesis-profile=quick \
	../../tests/classic ../../tests/conformance ../../tests/frontends/table

.PHONY: play serve quick test check $(CHECKS) nightly browser bench online-bench pictures locale \
	changelog built docs release lock clean

play: $(READY)play
	@$(VENV)/tic-tac-toe $(ARGS)

serve: $(READY)serve
	@if command -v npm >/dev/null; then $(VENV)/tic-tac-toe browser build >/dev/null; fi
	@$(VENV)/tic-tac-toe serve $(ARGS)

quick: $(READY)test
	@$(PYTEST) --hypothesis-profile=quick -m "not (medium or slow or nightly)" $(ARGS) $(TESTS)

test: $(READY)test
	@$(PYTEST) --hypothesis-profile=quick $(ARGS) $(TESTS)

# The tests come last, so that pytest has the last word; what comes before takes one core each.
check: $(READY)dev
	@$(MAKE) --no-print-directory --jobs=2 --output-sync $(filter-out tests,$(CHECKS))
	@$(MAKE) --no-print-directory tests

lint: $(READY)dev
	@echo "--- format and lint"
	@$(VENV)/python -m ruff format --check
	@$(VENV)/python -m ruff check
	@$(VENV)/lint-imports --no-logo --no-cache

# Pyright asks what is exported from another folder, for its configuration would be applied here.
types: $(READY)dev
	@echo "--- types"
	@$(VENV)/python -m mypy library/src frontends tests tools \
		$(wildcard benchmarks docs/examples docs/_ext)
	@$(VENV)/python -m pyright
	@cd docs && PYTHONPATH=../library/src ../$(VENV)/python -m pyright \
		--pythonpath ../$(VENV)/python --verifytypes tic_tac_toe --ignoreexternal

words: $(READY)dev
	@echo "--- spelling"
	@command -v aspell >/dev/null || { echo "The spelling of the pages needs aspell. On Debian and \
	Ubuntu: apt-get install aspell aspell-en" >&2; exit 1; }
	@$(VENV)/codespell
	@$(VENV)/pyspelling --config docs/spelling.yml || { echo "A right word that is unknown goes into \
	docs/spelling.txt." >&2; exit 1; }

built: $(READY)dev
	@rm -rf .venv/wheels
	@$(VENV)/python -m tools.packages build .venv/wheels

packages: built
	@echo "--- the packages, and the workflows that release them"
	@$(VENV)/python -m tools.packages check .venv/wheels
	@$(VENV)/zizmor --offline --quiet .github

# The smoke tests import nothing from the checkout but themselves. The Pythons of pyenv are not on
# the PATH by their names.
wheels: export PATH := $(PATH):$(subst $() ,:,$(wildcard $(HOME)/.pyenv/versions/3.*/bin))
wheels: built
	@echo "--- the wheels on Python $(PYTHONS)"
	@cd .venv/wheels && tried=0 && for version in $(PYTHONS); do \
		../bin/uv python find --quiet $$version >/dev/null 2>&1 \
			|| ../bin/uv python install --quiet $$version 2>/dev/null \
			|| { echo "left out: Python $$version, which is neither here nor to be had"; continue; }; \
		echo "--- Python $$version"; \
		../bin/uv run --quiet --isolated --no-project --python $$version \
			--with-requirements ../../requirements/smoke.txt $$(printf -- ' --with ./%s' *.whl) \
			python -m pytest $(SMOKE) || exit; \
		tried=$$((tried + 1)); \
	done; [ $$tried -ge 2 ] || { echo "The wheels have to pass on two Pythons at least." >&2; exit 1; }

bare: $(READY)dev
	@echo "--- the tests on a machine without any optional program"
	@TICTACTOE_COMPLETE= TICTACTOE_WITHOUT=all $(VENV)/python -m pytest --quiet \
		-p no:cacheprovider -m "needs and not (slow or nightly)" $(TESTS)

tests: $(READY)dev
	@echo "--- all tests but the nightly ones, with coverage of the library"
	@$(PYTEST) -m "not nightly" --cov --cov-report=term:skip-covered --durations=40 $(ARGS) $(TESTS)

nightly: $(READY)dev
	@$(PYTEST) -m nightly $(ARGS) $(TESTS)

browser: $(READY)play
	@$(VENV)/tic-tac-toe browser build $(if $(TO),--to $(TO))

bench: $(READY)bench
	@$(VENV)/python -m benchmarks $(ARGS)

online-bench: $(READY)online
	@$(VENV)/python -m benchmarks.online $(ARGS)

# Headers keep their dates unless a message changes, so that running this twice changes nothing.
locale: $(READY)test
	@$(VENV)/python -m tools.message_catalogues

public: $(READY)dev
	@$(VENV)/python -m tools.public_pages
	@$(VENV)/python -m tools.server_page --write

pictures: $(READY)dev
	@$(VENV)/python -m tools.pictures $(ARGS)

docs: $(READY)docs
	@rm -rf build docs/reference/api docs/reference/commands.rst
	@$(VENV)/python -m sphinx --quiet --fail-on-warning --keep-going -d build/doctrees docs build/docs
	@echo "The site is ready; to see it: $(VENV)/python -m http.server --directory build/docs"

site: docs
	@echo "--- the links of the site and of all pages in the checkout"
	@$(VENV)/python -m tools.links build/docs

changelog: $(READY)dev
	@$(VENV)/towncrier build --draft --version Unreleased 2>/dev/null

release: $(READY)dev
	@$(VENV)/python -m tools.release $(VERSION)

# All packages of all Pythons and systems, without the places that this machine has them from.
lock: $(READY)dev
	@UV_CUSTOM_COMPILE_COMMAND="make lock" $(UV) pip compile --quiet --universal \
		--python-version 3.11 --no-annotate --no-emit-index-url --no-emit-find-links --upgrade \
		--output-file requirements/lock.txt requirements/dev.txt requirements/bench.txt

# A virtual environment is made again when the checkout has moved or the Python has changed.
MAKER := $(CURDIR) $(shell $(PYTHON) -c "import sys; print(sys.base_prefix, sys.version.split()[0])")
ifneq ($(MAKER),$(shell cat .venv/made-by.txt 2>/dev/null))
.PHONY: .venv/made-by.txt
endif

.venv/made-by.txt:
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 10) or sys.exit("This project needs \
	Python 3.10 or newer, and this one is {}.{}. Name another, for instance: \
	make PYTHON=python3.12 play".format(*sys.version_info[:2]))'
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "This Python cannot make virtual \
	environments, for it lacks ensurepip. On Debian and Ubuntu: apt-get install python3-venv" >&2; \
	exit 1; }
	@echo "Making .venv with $$($(PYTHON) --version) ..."
	@$(PYTHON) -m venv --clear .venv
	@echo "$(MAKER)" >$@

# In one command pip takes `tictactoe-engine` from this checkout, and looks for it nowhere else.
$(READY)%: .venv/made-by.txt library/pyproject.toml frontends/pyproject.toml requirements/*.txt
	@echo "Installing into .venv, for $* ..."
	@$(PIP) $(PROJECTS) $(CONSTRAINED) $(patsubst %,--requirement %,$(wildcard requirements/$*.txt)) \
		|| { echo "pip could not install what is needed: see above." >&2; exit 1; }
	@touch $(addprefix $(READY),$* $(HOLDS_$*))
HOLDS_dev := test docs online play
HOLDS_test := online play
HOLDS_online := play

# Where the compiled solver cannot be installed, a line says so, and the next `make` tries again.
$(READY)serve: $(READY)online
	@echo "Installing the compiled solver into .venv ..."
	@$(PIP) --only-binary llvmlite,numba,numpy --editable './library[fast]' 2>.venv/solver.txt \
		&& touch $@ || { printf 'The compiled solver cannot be installed: ' >&2; \
		sed -n 's/^ERROR: //p' .venv/solver.txt | tail -n 1 >&2; }

clean:
	rm -rf .venv .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache
	rm -rf build docs/reference/api docs/reference/commands.rst frontends/build frontends/src/*.egg-info snapshot_report.html
	find . -name .git -prune -o -name __pycache__ -prune -exec rm -rf {} +
