"""Everything the OpenAPI document allows, and much that it does not, asked of the real server."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode, checks

# These open ports and cameras, or send every guest away; their own tests ask them.
_LEFT_OUT = ["open_door", "phone_camera", "choose_camera", "renew_code", "join", "start", "open"]
_CHECKS = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
]


@pytest.fixture
def asked(house: Any) -> Any:
    """A page with a game in full swing."""
    house.start("Anna", "Bo", target=50, hog_call="seed")
    house.throw("trotter", "snouter")
    house.bank()
    house.throw("razorback", "dot_up")
    return house


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_the_server_answers_as_documented(asked: Any, mode: GenerationMode) -> None:
    document = schemathesis.openapi.from_url(f"{asked.url}api/openapi.json")
    operations = document.exclude(operation_id=_LEFT_OUT).get_all_operations()
    count = 0
    found: Any
    for found in operations:
        ask_all(asked, found.ok(), mode)
        count += 1
    assert count >= 30


def ask_all(house: Any, operation: Any, mode: GenerationMode) -> None:
    """Ask one operation many things."""

    @settings(
        max_examples=8,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case: schemathesis.Case[Any]) -> None:
        before = house.game
        if mode is GenerationMode.POSITIVE and "game" in case.path_parameters:
            case.path_parameters["game"] = before["id"]
        answer = case.call()
        case.validate_response(answer, checks=_CHECKS)
        for leak in ("Traceback", 'File "', "sqlalchemy", "/tmp/"):
            assert leak not in answer.text
        if answer.status_code >= 400:
            assert house.game == before

    with suppress(Unsatisfiable):  # an operation without parameters cannot be asked wrongly
        ask()
