"""Games of the past replay for ever: these files are added to with a new format, never changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scoring.codec import VERSION, decode, encode
from scoring.game import replay

GOLDEN = Path(__file__).parent / "golden"
LOGS = sorted(GOLDEN.glob("*.jsonl"))


@pytest.mark.parametrize("path", LOGS, ids=lambda p: p.stem)
def test_a_game_of_the_past(path: Path) -> None:
    events = [decode(line) for line in path.read_text(encoding="utf-8").splitlines()]
    state = replay(events)
    expected = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    assert {
        "pads": {p.name: p.score for p in state.players},
        "out": [p.name for p in state.players if p.eliminated],
        "up": None if state.active is None else state.players[state.active].name,
        "turn": state.turn,
        "turn_points": state.turn_points,
        "ending": state.ending,
        "winners": [state.players[i].name for i in state.winners],
        "history": " ".join(str(e.id) if e.counted else f"({e.id})" for e in state.history),
        "points": [e.outcome.points if e.outcome else None for e in state.history],
    } == expected


def test_there_are_games_of_every_format() -> None:
    assert {path.stem.split("-")[0] for path in LOGS} == {f"v{n}" for n in range(1, VERSION + 1)}


@pytest.mark.parametrize("path", [p for p in LOGS if p.stem.startswith(f"v{VERSION}-")])
def test_todays_format_is_written_as_it_was(path: Path) -> None:
    for line in path.read_text(encoding="utf-8").splitlines():
        assert encode(decode(line)) == line
