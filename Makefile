# The two commands a newcomer needs are `make demo` and `make test`.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: demo test coverage check install install-dev train-env render-env formats-env test-postgres clean

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

install: $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .

install-dev: $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'

demo: install
	$(BIN)/sooee watch demo

# On all cores, but no more than four: a browser and a server may run in each.
test: install-dev
	$(BIN)/python -m pytest --numprocesses=auto --maxprocesses=4 --dist=loadfile --durations=25

# The tests again, counting lines: which of them no test runs. It takes much longer.
coverage: install-dev
	$(BIN)/python -m pytest --cov --cov-report=term

# The store's tests on a PostgreSQL of their own, from Debian's packages.
test-postgres: $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev,postgres]'
	scripts/test_postgres.sh $(BIN)/python

check: install-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

train-env: $(BIN)/python
	$(BIN)/python -m pip install --disable-pip-version-check -e '.[train,render]'

# Blender as a module pins an old numpy, so the path-tracing renderer has an environment of its own.
render-env:
	$(PYTHON) -m venv .venv-render
	.venv-render/bin/python -m pip install --disable-pip-version-check bpy

# Annotation tools' own readers, for tests of import and export: they pin another Pillow and OpenCV.
formats-env:
	$(PYTHON) -m venv .venv-formats
	.venv-formats/bin/python -m pip install --disable-pip-version-check datumaro label-studio-sdk

clean:
	rm -rf build dist .coverage .mypy_cache .ruff_cache .pytest_cache
