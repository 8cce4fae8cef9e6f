"""Games as files come back as the same game; score sheets read like a pad."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from scoring.codec import decode, encode
from scoring.effects import Landing
from scoring.errors import LogError
from scoring.events import Event
from scoring.exchange import COLUMNS, from_text, to_csv, to_json
from scoring.game import replay
from scoring.record import Record
from scoring.scoresheet import score_sheet
from scoring.state import Ending
from scoring.story import TurnEnd
from scoring.throw import Pose
from scoring.words import LANGUAGES, word

if TYPE_CHECKING:
    from tests.scoring.conftest import Table

    Tables = Callable[..., Table]

LOGS = sorted((Path(__file__).parent / "golden").glob("*.jsonl"))
OUT = "dot_up dot_down"
FIVE = "trotter dot_up"
TEN = "snouter dot_up"


def records(events: list[Event]) -> list[Record]:
    return [
        Record(seq, f"2026-08-27T20:00:{seq % 60:02d}.000+00:00", event)
        for seq, event in enumerate(events, start=1)
    ]


@pytest.mark.parametrize("path", LOGS, ids=lambda p: p.stem)
def test_a_game_comes_back(path: Path) -> None:
    events = [decode(line) for line in path.read_text(encoding="utf-8").splitlines()]
    log = records(events)
    for text in (to_json("game", log), to_csv(log), "\ufeff" + to_csv(log)):
        back = from_text(text)
        assert back == tuple(events)
        assert replay(back) == replay(events)


def test_json_says_the_result(table: Tables) -> None:
    game = table(target=10).do(TEN)
    data = json.loads(to_json("abc", records(game.events)))
    assert (data["format"], data["version"], data["id"]) == ("sooee-game", 1, "abc")
    assert data["result"] == {
        "players": [
            {"name": "Anna", "score": 10, "eliminated": False},
            {"name": "Bo", "score": 0, "eliminated": False},
        ],
        "over": True,
        "ending": "target",
        "winners": ["Anna"],
    }
    assert [e["seq"] for e in data["events"]] == [1, 2]


def test_csv_is_readable(table: Tables) -> None:
    game = table("=Anna Bo", hog_call="seed").do(
        "trotter trotter", "bank", TEN, "bank", "call Bo 5 points", FIVE, f"fix 2 {TEN}"
    )
    rows = list(csv.DictReader(io.StringIO(to_csv(records(game.events)))))
    assert tuple(rows[0]) == COLUMNS
    assert rows[0]["what"] == "game_started"
    throw = rows[1]
    assert (throw["player"], throw["throw"], throw["outcome"]) == (
        "'=Anna",
        "dot_up snouter",
        "snouter",
    )
    assert (throw["points"], throw["turn"], throw["counted"], throw["pads"]) == (
        "10",
        "1",
        "yes",
        "10 0",
    )
    call = rows[5]
    assert (call["what"], call["throw"], call["counted"]) == ("hog_called", "5 points", "no")
    assert rows[7]["what"] == "throw_corrected"
    assert rows[7]["turn"] == ""


def game_json(**changes: Any) -> str:
    event = json.loads(encode(decode(LOGS[0].read_text(encoding="utf-8").splitlines()[0])))
    data = {"format": "sooee-game", "version": 1, "events": [{"seq": 1, **event}]}
    return json.dumps(data | changes)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "a game file is JSON or CSV"),
        ("", "a game's CSV has the columns seq, at, what"),
        ("a,b\n1,2\n", "a game's CSV has the columns"),
        ('seq,event\n1,"{\n', "a game file is JSON or CSV|one line of JSON"),
        ("seq,event\n", "the log is empty"),
        ("seq,event\n1\n", "an event is one line of JSON"),
        ("seq,event\none,{}\n", "a version v from 1 up"),
        (game_json(format="other"), "a game file has format 'sooee-game', got 'other'"),
        (game_json(version=2), "this game file is of version 2, and this program reads 1"),
        (game_json(events=None), "a game file has a list of events, got None"),
        (game_json(events=[]), "the log is empty"),
        (game_json(events=[7]), "an event is an object, got 7"),
        (game_json(events=[{"seq": 1, "v": 9, "type": "x"}]), "written in format 9"),
        (game_json(events=[{"seq": 1, "v": 1, "type": "stopped"}]), "starts with a game started"),
    ],
)
def test_files_that_hold_no_game(text: str, message: str) -> None:
    with pytest.raises(LogError, match=message):
        from_text(text)


def test_a_gap_and_a_duplicate(table: Tables) -> None:
    log = records(table().do(TEN, FIVE).events)
    assert len(from_text(to_csv(log))) == 3
    data = json.loads(to_json("x", log))
    del data["events"][1]
    with pytest.raises(LogError, match="the log has a gap: expected event 2, got 3"):
        from_text(json.dumps(data))
    lines = to_csv(log).splitlines()
    with pytest.raises(LogError, match="the log has a duplicate: expected event 3, got 2"):
        from_text("\n".join([*lines[:3], lines[2]]))
    with pytest.raises(LogError, match="the log has a gap: expected event 2, got 'two'"):
        from_text("\n".join([*lines[:2], lines[2].replace("2,", "two,", 1)]))
    data["events"][1] = {"v": 1, "type": "banked", "player": 0}
    with pytest.raises(LogError, match="the log has a gap: expected event 2, got None"):
        from_text(json.dumps(data))


def test_the_pad(table: Tables) -> None:
    game = table("Anna Bo Carl", target=50, game_end="finish_round").do(
        TEN, FIVE, "bank", OUT, "snouter snouter", "bank", OUT, "trotter dot_up touching", FIVE
    )
    assert score_sheet(game.state, when="27 August") == (
        "Pass the Pigs, to 50, 27 August\n"
        "\n"
        "Round    Anna    Bo    Carl\n"
        "-----  ------  ----  ------\n"
        "    1  +15 15   - 0  +40 40\n"
        "    2    - 15  0! 0    (5)…\n"
        "-----  ------  ----  ------\n"
        "    =      15     0      40\n"
        "\n"
        "Carl's turn, 5 points so far\n"
        "- pig out, 0! oinker, … running\n"
    )


def test_the_pad_in_danish(table: Tables) -> None:
    game = table("Anna Bo", variant="kastegris", target=None).do(TEN, "bank", TEN, "bank", "stop")
    sheet = score_sheet(game.state, "da")
    assert sheet.startswith("Kastegris (appen), uendelig\n\nRunde")
    assert "Delt sejr: Anna, Bo (spillet blev stoppet)" in sheet
    nobody = table("Anna").do("trotter dot_up stacked")
    assert "Ingen vandt (alle er ude)" in score_sheet(nobody.state, "da")
    assert "Anna har turen, 10 point indtil nu" in score_sheet(table().do(TEN).state, "da")
    won = table(target=10).do(TEN)
    assert score_sheet(won.state, "da").endswith("Vinder: Anna (nåede målet)\n")


def test_the_pad_of_a_game_of_ones_own(tmp_path: Path, table: Tables) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("schema = 1\n[pigs]\n", encoding="utf-8")
    game = table("Anna", variant=str(path))
    assert score_sheet(game.state).startswith("mine, to 100\n")


@pytest.mark.parametrize("kind", [Landing, Pose, TurnEnd, Ending])
def test_everything_has_a_word_in_both_languages(kind: type[Landing]) -> None:
    for thing in kind:
        words = {language: word(thing, language) for language in LANGUAGES}
        assert all(words.values())
        assert word(thing, "sv") == words["en"]
