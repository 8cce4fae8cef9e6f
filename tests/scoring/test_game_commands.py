"""The commands about games, as a person or a script types them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scoring.errors import ConflictError
from scoring.ledger import Ledger
from scoring.store import ENVIRONMENT, Store
from vision.cli import main


@pytest.fixture(autouse=True)
def own_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ENVIRONMENT, str(tmp_path / "games.sqlite3"))
    monkeypatch.setenv("SOOEE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")


class Program:
    """Runs `sooee`, and holds what it printed."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, *words: str, code: int = 0) -> str:
        with pytest.raises(SystemExit) as ended:
            main(list(words))
        printed = self.capsys.readouterr()
        assert ended.value.code == code, printed.err
        if code:
            assert printed.out == ""
            assert "Traceback" not in printed.err
            return printed.err
        assert printed.err == ""
        return printed.out

    def data(self, *words: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self(*words, "--json").splitlines()]


@pytest.fixture
def sooee(capsys: pytest.CaptureFixture[str]) -> Program:
    return Program(capsys)


def test_a_whole_game_without_a_page(sooee: Program) -> None:
    assert sooee("games") == ""
    name = sooee("games", "new", "--players", "Anna,Bo", "--target", "30").strip()
    assert sooee("games", "throw", "latest", "trotter snouter") == (
        "Anna 0, Bo 0. Anna's turn: 15.\n"
    )
    sooee("games", "bank", name[:6])
    sooee("games", "throw", "latest", "off-table")
    sooee("games", "throw", "latest", "dot_up snouter")
    sooee("games", "correct", "latest", "2", "snouter snouter", "--later", "kept")
    assert sooee.data("games")[0]["over"] is True
    sooee("games", "undo", "latest")
    sooee("games", "redo", "latest")
    sooee("games", "undo", "latest", "--steps", "1")
    assert sooee("games", "remove", "latest", "3") == "Anna 0, Bo 0. Anna's turn: 25.\n"
    assert sooee("games", "stop", "latest") == "Anna 0, Bo 0. Over: won by nobody.\n"
    (listed,) = sooee.data("games")
    assert (listed["game"], listed["rules"], listed["target"]) == (name, "classic", 30)
    assert [p["name"] for p in listed["players"]] == ["Anna", "Bo"]
    assert sooee("games").startswith(name[:8])
    assert "won by nobody" in sooee("games")


def test_options_and_calls(sooee: Program) -> None:
    sooee(
        "games", "new", "--players", "Anna,Bo", "--target", "endless",
        "--option", "hog_call=seed", "--option", "touching_chance=0.5",
    )  # fmt: skip
    for move in (["throw", "latest", "trotter trotter"], ["bank", "latest"]) * 2:
        sooee("games", *move)
    assert sooee.data("games", "call", "latest", "Bo", "5 points")[0]["players"][1]["score"] == 20
    sooee("games", "throw", "latest", "trotter dot_up")
    (shown,) = sooee.data("games", "show", "latest")
    assert [p["score"] for p in shown["players"]] == [10, 30]
    assert shown["throws"][-1] == {
        "id": 7, "player": 0, "throw": "dot_up trotter", "outcome": "trotter", "points": 5,
        "counted": True,
    }  # fmt: skip
    assert "Anna's turn" in sooee("games")
    assert "endless" in sooee("games")


def test_score_sheets_speak_the_systems_language(
    sooee: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    sooee("games", "new", "--players", "Anna")
    assert "Anna's turn" in sooee("games", "show", "latest")
    assert "Anna har turen" in sooee("games", "show", "latest", "--language", "da")
    monkeypatch.setenv("LC_ALL", "da_DK.UTF-8")
    assert "Anna har turen" in sooee("games", "show", "latest")


@pytest.mark.parametrize("kind", ["json", "csv"])
def test_a_game_goes_out_and_comes_back(sooee: Program, tmp_path: Path, kind: str) -> None:
    name = sooee("games", "new", "--players", "Åse,Bo", "--rules", "two-dice").strip()
    sooee("roll", "--into", "latest", "--count", "3", "--seed", "1")
    file = tmp_path / f"game.{kind}"
    assert sooee("games", "export", name, "--format", kind, "--out", str(file)) == f"wrote {file}\n"
    back = sooee("games", "import", str(file)).strip()
    assert back != name
    with Store() as store:
        assert store.state(back) == store.state(name)
    assert len(sooee.data("games")) == 2
    assert sooee("games", "export", name, "--format", kind) == file.read_bytes().decode()
    assert sooee("games", "export", name, "--format", "sheet").startswith("Pig with two dice")


def test_virtual_throws(sooee: Program) -> None:
    first = sooee("roll", "--count", "5", "--seed", "7")
    assert first == sooee("roll", "--count", "5", "--seed", "7")
    assert first != sooee("roll", "--count", "5", "--seed", "8")
    assert len(first.splitlines()) == 5
    dice = sooee.data("roll", "--rules", "pig", "--count", "20", "--seed", "1")
    for throw in dice:
        (face,) = throw["dice"]
        assert throw["points"] == (0 if face == 1 else face)
        assert throw["effect"] == ("lose_turn" if face == 1 else "score")
    assert set(sooee.data("roll", "--seed", "1")[0]) == {
        "poses", "contact", "outcome", "effect", "points",
    }  # fmt: skip


def test_virtual_throws_into_a_game(sooee: Program) -> None:
    sooee("games", "new", "--players", "Anna,Bo", "--target", "endless")
    told = sooee("roll", "--into", "latest", "--count", "2", "--seed", "5")
    assert len(told.splitlines()) == 3
    assert len(sooee.data("roll", "--into", "latest", "--seed", "6")) == 1
    (found,) = sooee.data("stats")
    assert found["virtual"] == 3
    assert "3 of them virtual" in sooee("stats")


def test_advice(sooee: Program) -> None:
    by_numbers = ("advise", "--own", "5", "--other", "10", "--turn", "12", "--target", "20")
    (found,) = sooee.data(*by_numbers)
    assert (found["basis"], found["calls_ignored"]) == ("exact", False)
    assert found["advice"] == ("bank" if found["bank"] >= found["throw"] else "throw")
    assert found["sentence"] in sooee(*by_numbers)
    assert "Rule of thumb: Stop and bank with 23" in sooee(*by_numbers)
    danish = sooee(*by_numbers, "--language", "da")
    assert "Tommelfingerregel: Stop og bank" in danish
    second = sooee.data(*by_numbers, "--second")[0]
    assert second["throw"] == found["throw"]  # only the end of a round tells seats apart
    sooee("games", "new", "--players", "Anna,Bo", "--target", "endless")
    assert sooee("advise", "latest") == "Throw: a turn starts with a throw.\n"


def test_statistics(sooee: Program) -> None:
    sooee("games", "new", "--players", "Anna,Bo", "--target", "20")
    for move in ("trotter dot_up", "snouter dot_up"):
        sooee("games", "throw", "latest", move)
    sooee("games", "bank", "latest")
    (plain,) = sooee.data("stats")
    assert (plain["games"], plain["throws"], plain["players"][0]["decisions"]) == (1, 2, None)
    (held,) = sooee.data("stats", "latest", "--decisions")
    assert held["players"][0]["decisions"]["decisions"] == 2
    text = sooee("stats", "--decisions")
    assert "4 real pigs" in text
    assert "4 pigs are too few for a test of fit" in text
    assert "decisions were best" in text


def test_the_test_of_fit_is_told(sooee: Program) -> None:
    from itertools import islice
    from random import Random

    from scoring.commands import MakeThrow
    from scoring.odds import load_odds
    from scoring.rulefile import load_rules
    from scoring.virtual import draws

    rules = load_rules(target=None)
    with Store() as store:
        game = Ledger.start(store, rules, ["Anna", "Bo"])
        for throw in islice(draws(load_odds("kastegris", rules), Random(3)), 60):
            game.act(MakeThrow(throw))
    assert "degrees, p = " in sooee("stats")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("games", "bank", "nope"), "there is no game 'nope' in the store; `sooee games` lists"),
        (("games", "show", "latest"), "there is no game in the store yet"),
        (("games", "new", "--players", "A,a"), "players need names of their own"),
        (("games", "new", "--players", "A", "--rules", "chess"), "no game 'chess'"),
        (("games", "new", "--players", "A", "--target", "soon"), "a target is a whole number"),
        (("games", "new", "--players", "A", "--option", "x"), "written name=value, got 'x'"),
        (("games", "new", "--players", "A", "--option", "x=1"), "no option x; options are"),
        (
            ("games", "new", "--players", "A", "--option", "touching_chance=often"),
            "a chance from 0 to below 1, got 'often'",
        ),
        (
            ("games", "new", "--players", "A", "--option", "points=3"),
            "no option points; options are target, game_end",
        ),
        (
            ("games", "new", "--players", "A", "--option", "variant=x"),
            "no option variant; options are target, game_end",
        ),
        (
            ("games", "new", "--players", "A", "--option", "target=soon"),
            "a target is a whole number above 0 or endless, got 'soon'",
        ),
        (("games", "new", "--players", "A", "--target", "9" * 5000), "a target is a whole number"),
        (("games", "import", "nowhere.json"), "cannot read nowhere.json"),
        (("roll", "--odds", "guess"), "no odds 'guess'"),
        (("games", "--database", "mysql://x/y"), "games are kept in SQLite or PostgreSQL"),
    ],
)
def test_refusals_are_one_line(sooee: Program, words: tuple[str, ...], message: str) -> None:
    said = sooee(*words, code=1)
    assert said.startswith("sooee: ")
    assert len(said.splitlines()) == 1
    assert message in said


@pytest.mark.parametrize("limit", ["0", "-1", "1000001", "9" * 21, "9" * 5000, "ten"])
def test_a_limit_that_cannot_be(sooee: Program, limit: str) -> None:
    assert "Invalid value for '--limit'" in sooee("games", "--limit", limit, code=2)


def test_the_target_is_an_option_too(sooee: Program) -> None:
    sooee("games", "new", "--players", "A", "--option", "target=50")
    sooee("games", "new", "--players", "A", "--option", "target=endless")
    assert [game["target"] for game in sooee.data("games")] == ["endless", 50]


def test_refusals_of_a_game_change_nothing(sooee: Program, tmp_path: Path) -> None:
    sooee("games", "new", "--players", "Anna,Bo")
    before = sooee.data("games")
    assert "Anna has not thrown yet" in sooee("games", "bank", "latest", code=1)
    assert "a throw is two of" in sooee("games", "throw", "latest", "cow", code=1)
    assert "with the number 9" in sooee("games", "remove", "latest", "9", code=1)
    assert "nothing to undo" in sooee("games", "undo", "latest", code=1)
    assert "without Hog Call" in sooee("games", "call", "latest", "Bo", "5 points", code=1)
    nowhere = str(tmp_path / "none" / "x.json")
    assert "cannot write" in sooee("games", "export", "latest", "--out", nowhere, code=1)
    assert sooee.data("games") == before


@pytest.mark.parametrize(
    "words",
    [
        ("advise",),
        ("advise", "latest", "--own", "3"),
        ("advise", "--own", "100", "--other", "3", "--turn", "1"),
        ("roll", "--count", "0"),
    ],
)
def test_usage_is_told_apart(sooee: Program, words: tuple[str, ...]) -> None:
    assert "Usage:" in sooee(*words, code=2)


def test_a_game_that_moved_on_meanwhile(sooee: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    sooee("games", "new", "--players", "Anna,Bo")
    appended = Store.append

    def overtaken(self: Store, game_id: str, expected_seq: int, events: Any) -> int:
        appended(self, game_id, expected_seq, events)
        raise ConflictError(game_id, expected_seq, expected_seq + 1)

    monkeypatch.setattr(Store, "append", overtaken)
    said = sooee("games", "throw", "latest", "trotter dot_up", code=1)
    assert "has moved on: expected event 1 to be the last, but it is 2" in said


@pytest.mark.parametrize("name", ["games", "roll", "advise", "stats"])
def test_help_has_an_example(sooee: Program, name: str) -> None:
    assert "Example:" in sooee(name, "--help")
