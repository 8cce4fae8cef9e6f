"""The engine needs only the standard library; the store and the strategy say what they add."""

from __future__ import annotations

import subprocess
import sys

import pytest

CORE = (
    "scoring, scoring.codec, scoring.commands, scoring.game, scoring.notation, scoring.odds, "
    "scoring.rulefile, scoring.virtual"
)
PROBE = """
import sys
before = set(sys.modules)
import {modules}
loaded = {{name.split(".")[0] for name in set(sys.modules) - before}}
print(sorted(loaded - set(sys.stdlib_module_names) - {{"scoring"}}))
"""


def third_party(modules: str) -> str:
    program = [sys.executable, "-I", "-c", PROBE.format(modules=modules)]
    return subprocess.run(program, capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.parametrize("modules", ["scoring", CORE])
def test_the_core_needs_only_the_standard_library(modules: str) -> None:
    assert third_party(modules) == "[]"


def test_the_store_needs_sqlalchemy_and_no_driver_of_a_server() -> None:
    loaded = third_party("scoring.ledger")
    assert "sqlalchemy" in loaded
    assert "psycopg" not in loaded
    assert "numpy" not in loaded
