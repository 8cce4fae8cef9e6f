"""Every action by REST: what it does, what it refuses, and that it is documented."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Reading = Callable[..., Any]


def test_starting_twice_at_once_starts_one_game(house: Any) -> None:
    body = {"players": ["Anna", "Bo"], "expected_game": None}
    first = house.http.post("/api/games", json=body)
    second = house.http.post("/api/games", json=body)
    assert first.status_code == 200
    assert (second.status_code, second.json()["error"]) == (409, "moved_on")
    assert len(house.http.get("/api/games").json()) == 1


def test_every_option_is_taken(house: Any) -> None:
    options = {
        "target": 75,
        "game_end": "finish_round",
        "piggyback": "oinker",
        "off_table": "pig_out",
        "leaning": "oinker",
        "hog_call": "official",
    }
    body = {"players": ["Anna"], "variant": "kastegris", "options": options}
    rules = house.http.post("/api/games", json=body).json()["game"]["rules"]
    assert {name: rules[name] for name in options} == options
    assert rules["outcomes"]["stacked"]["effect"] == "lose_all"
    assert rules["outcomes"]["off_table"]["effect"] == "lose_turn"


def test_outcomes_of_every_throw_come_with_the_rules(house: Any) -> None:
    outcomes = house.start()["rules"]["outcomes"]
    assert len(outcomes) == 21 + 2 + 3  # pairs of poses, contacts, mishaps
    assert outcomes["trotter snouter"] == {
        "landing": "mixed_combo",
        "effect": "score",
        "points": 15,
    }
    assert outcomes["leaning_jowler leaning_jowler"]["points"] == 60
    two = house.start(variant="two-dice")["rules"]["outcomes"]
    assert (two["1 1"]["points"], two["4 4"]["points"]) == (25, 16)


def test_a_stale_number_is_a_conflict_and_changes_nothing(house: Any) -> None:
    game = house.start()
    house.throw("trotter", "snouter")
    path = f"/api/games/{game['id']}/throws"
    body = {"throw": {"poses": ["trotter", "trotter"]}, "expected_seq": game["seq"]}
    answer = house.http.post(path, json=body)
    assert (answer.status_code, answer.json()["error"]) == (409, "conflict")
    assert house.game["turn_points"] == 15


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("bank", {}, 409, "turn"),
        ("redo", {}, 409, "undo"),
        ("undo", {"steps": 3}, 409, "undo"),
        ("call", {"caller": 1, "points": 5}, 409, "call"),
        ("rename", {"player": 7, "name": "X"}, 422, "player"),
        ("rename", {"player": 0, "name": "bo"}, 422, "players"),
        ("rename", {"player": 0, "name": "\u0000"}, 422, "players"),
        ("throws", {"throw": {"dice": [3]}}, 422, "throw"),
        ("throws", {"throw": {"poses": ["trotter"]}}, 422, "invalid"),
        ("throws", {"throw": {"poses": ["trotter", "pig"]}}, 422, "invalid"),
        ("throws", {"throw": {"dice": [7]}}, 422, "invalid"),
        ("throws", {"throw": {}}, 422, "invalid"),
        ("entries/99/correct", {"throw": {"mishap": "late"}}, 409, "correction"),
        ("entries/0/remove", {}, 422, "invalid"),
        ("entries/99/remove", {"later": "never"}, 422, "invalid"),
    ],
)
def test_what_the_game_does_not_allow_is_said_in_one_line(
    house: Any, path: str, body: dict[str, object], status: int, code: str
) -> None:
    house.start()
    before = house.game
    answer = house.act(path, **body)
    assert (answer.status_code, answer.json()["error"]) == (status, code)
    assert "\n" not in answer.json()["message"]
    assert house.game == before


def test_numbers_are_numbers(house: Any) -> None:
    game = house.start()
    for wrong in (True, "1", 1.0, None, -1):
        body = {"expected_seq": wrong}
        answer = house.http.post(f"/api/games/{game['id']}/stop", json=body)
        assert answer.status_code == 422
    assert not house.game["over"]


def test_acting_on_a_game_that_is_not_on_the_table(house: Any) -> None:
    first = house.start()
    house.start("Carl", "Dora")
    answer = house.http.post(f"/api/games/{first['id']}/stop", json={"expected_seq": 1})
    assert (answer.status_code, answer.json()["error"]) == (409, "moved_on")


def test_trying_out_a_correction_does_nothing(house: Any) -> None:
    house.start()
    house.throw("trotter", "snouter")
    before = house.game
    path = f"/api/games/{before['id']}/entries/{before['last']['id']}/preview"
    wish = {"change": "correct", "throw": {"poses": ["snouter", "snouter"]}, "later": "kept"}
    found = house.http.post(path, json=wish).json()
    assert found["players"][0]["total"] == 40
    assert house.game == before
    assert house.http.post(path, json={"change": "correct"}).status_code == 422


def test_the_history_tells_what_stood_after_each_line(house: Any) -> None:
    house.start()
    house.throw("trotter", "snouter")
    house.throw("razorback", "dot_up")
    house.bank()
    house.throw("dot_up", "dot_down")
    lines = house.http.get(f"/api/games/{house.game['id']}/history").json()
    told = [(e["kind"], e["player"], e["turn_points"], e["score"]) for e in lines]
    assert told == [
        ("throw", 0, 15, 0),
        ("throw", 0, 20, 0),
        ("bank", 0, 0, 20),
        ("throw", 1, 0, 0),
    ]
    assert all(e["at"] for e in lines)


def test_pictures_of_what_was_seen(house: Any, reading: Reading) -> None:
    house.start()
    house.see(reading(("trotter", "snouter")))
    sight = house.game["last"]["sight"]
    for name in ("table", "pair", "first", "second"):
        answer = house.http.get(f"/api/sights/{sight}/{name}.jpg")
        assert answer.headers["Content-Type"] == "image/jpeg"
        assert answer.content.startswith(b"\xff\xd8")
    assert house.http.get(f"/api/sights/{sight}/other.jpg").status_code == 422
    assert house.http.get("/api/sights/999/table.jpg").status_code == 404


def test_a_question_may_be_answered_by_a_program(house: Any, reading: Reading) -> None:
    house.start()
    house.see(reading(("trotter", "snouter"), ask=True))
    question = house.http.get("/api/table").json()["question"]
    body = {"throw": question["options"][0]["throw"], "expected_seq": house.game["seq"]}
    path = f"/api/questions/{question['id']}/answer"
    assert house.http.post(path, json=body).json()["game"]["turn_points"] == 15
    again = house.http.post(path, json=body | {"expected_seq": house.game["seq"]})
    assert (again.status_code, again.json()["error"]) == (409, "question")


def test_settings_are_changed_one_by_one_and_kept(house: Any, open_house: Any) -> None:
    house.http.patch("/api/settings", json={"guests": "watch"}).raise_for_status()
    found = house.http.patch("/api/settings", json={"contact_automatic": True}).json()
    assert (found["guests"], found["contact_automatic"]) == ("watch", True)
    from vision.web.settings import SettingsFile

    file = house.place.settings._path
    assert SettingsFile(file).now.guests == "watch"
    assert house.http.patch("/api/settings", json={"guests": "all"}).status_code == 422


@pytest.mark.parametrize("source", ["/etc/passwd", "film.mp4", "file:///etc/passwd", "", "0;ls"])
def test_the_page_cannot_make_the_camera_read_a_file(house: Any, source: str) -> None:
    answer = house.http.post("/api/camera", json={"source": source})
    assert answer.status_code in (409, 422)
    assert house.place.room.view.camera.mode == "off"


def test_advice_says_what_it_rests_on(house: Any) -> None:
    house.start("Anna", "Bo", target=50)
    house.throw("trotter", "dot_up")
    path = f"/api/games/{house.game['id']}/advice"
    found = house.http.get(path, params={"language": "da"}, timeout=120).json()
    assert found["basis"] == "exact"
    assert found["seq"] == house.game["seq"]
    assert found["throw"] > found["bank"] > 0
    assert found["sentence"].startswith("Kast igen")
    over = house.act("stop")
    assert over.status_code == 200
    assert house.http.get(path).json()["error"] == "over"


def test_a_game_goes_home_as_json_csv_and_sheet(house: Any) -> None:
    from scoring.exchange import from_text
    from scoring.game import replay

    house.start("Anna", "Bo")
    house.throw("trotter", "snouter")
    house.bank()
    game = house.game["id"]
    for kind in ("json", "csv"):
        answer = house.http.get(f"/api/games/{game}/export.{kind}")
        assert "attachment" in answer.headers["Content-Disposition"]
        assert replay(from_text(answer.text)).players[0].score == 15
    sheet = house.http.get(f"/api/games/{game}/sheet", params={"language": "da"})
    assert "Runde" in sheet.text
    assert sheet.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert house.http.get("/api/games/nothing/export.csv").status_code == 404


def test_every_action_is_in_the_document(house: Any) -> None:
    document = house.http.get("/api/openapi.json").json()
    actions = {op["operationId"] for path in document["paths"].values() for op in path.values()}
    assert {
        "table", "start", "open", "throw", "bank", "call", "stop", "undo", "redo", "rename",
        "correct", "remove", "add_throw", "add_bank", "preview", "answer", "dismiss", "sight",
        "history", "games", "variants", "advice", "export_json", "export_csv", "sheet", "join",
        "invitation", "choose_camera", "reset_camera", "settings", "change_settings",
    } <= actions  # fmt: skip
    assert all(
        "429" in op["responses"] for path in document["paths"].values() for op in path.values()
    )
