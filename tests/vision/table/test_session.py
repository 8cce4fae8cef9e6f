"""A table watched without a page: an open hand banks, but not past a throw in question."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scoring.commands import MakeThrow
from scoring.ledger import Ledger
from scoring.notation import parse_throw
from scoring.rulefile import load_rules
from scoring.store import Store
from vision.recognize.reading import (
    CONTACT_CLASSES,
    POSE_CLASSES,
    ContactEvidence,
    Decision,
    PigDetection,
    Reading,
)
from vision.table.referee import Referee
from vision.table.session import play_through
from vision.table.state import HandHeld, TableEvent, ThrowSeen
from vision.table.telling import JsonTeller


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Store(tmp_path / "games.sqlite3") as store:
        yield Ledger.start(store, load_rules("classic"), ("Anna", "Bo"))


def sure(label: str, classes: tuple[str, ...]) -> dict[str, float]:
    return {c: float(c == label) for c in classes}


def seen(first: str, second: str, decision: Decision = Decision.ACCEPT) -> ThrowSeen:
    boxes = ((100, 100, 160, 150), (200, 120, 260, 175))
    pigs = [
        PigDetection(box, 0.9, sure(pose, POSE_CLASSES))
        for box, pose in zip(boxes, (first, second), strict=True)
    ]
    contact = ContactEvidence(sure("apart", CONTACT_CLASSES))
    return ThrowSeen(1, 1.0, Reading((pigs[0], pigs[1]), contact, decision, "as the test says"))


TEN = seen("trotter", "razorback")
PIG_OUT_ASKED = seen("dot_up", "dot_down", Decision.ASK)
HELD = HandHeld(2, 2.0, 0.0)


def told(ledger: Ledger, *events: TableEvent) -> list[dict[str, Any]]:
    lines: list[str] = []
    play_through(events, Referee(ledger), JsonTeller(lines.append))
    return [json.loads(line) for line in lines]


def test_an_open_hand_banks(ledger: Ledger) -> None:
    lines = told(ledger, TEN, HELD)
    assert [line["event"] for line in lines] == ["throw", "hand", "bank"]
    assert ledger.state.players[0].score == 10


def test_it_does_not_bank_past_a_throw_in_question(ledger: Ledger) -> None:
    lines = told(ledger, TEN, PIG_OUT_ASKED, HELD, TEN, HELD)
    assert [p.score for p in ledger.state.players] == [0, 0]
    assert "bank" not in {line["event"] for line in lines}
    assert [line["left_s"] for line in lines if line["event"] == "hand"] == [None, None]
    assert "a throw is not counted yet" in next(x["text"] for x in lines if x["event"] == "notice")


def test_it_banks_again_when_somebody_has_named_the_throw(ledger: Ledger) -> None:
    other = Ledger(ledger.store, ledger.game_id)

    def evening() -> Iterator[TableEvent]:
        yield from (TEN, PIG_OUT_ASKED)
        other.refresh()
        other.act(MakeThrow(parse_throw("trotter trotter")))
        yield HELD

    play_through(evening(), Referee(ledger), JsonTeller(lambda _: None))
    assert [p.score for p in ledger.state.players] == [30, 0]
