"""Every rule of docs/rules.md has a test of its name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
RULES = re.findall(r"^- `(\w+)`", TEXT, re.MULTILINE)
TESTS = {
    name
    for path in sorted((ROOT / "tests" / "scoring").glob("test_*.py"))
    for name in re.findall(r"^def test_(\w+)\(", path.read_text(encoding="utf-8"), re.MULTILINE)
}


def test_there_are_rules() -> None:
    assert len(RULES) > 40
    assert len(set(RULES)) == len(RULES)


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_has_a_test_of_its_name(rule: str) -> None:
    assert rule in TESTS
