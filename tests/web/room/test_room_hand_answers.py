"""A throw entered by hand answers the question that was looked at, never another one."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.commands import Bank, MakeThrow
from scoring.throw import Mishap, MishapKind, Pose, Throw
from vision.web.errors import QuestionError
from vision.web.room import Room

TROTTER_RAZORBACK = MakeThrow(Throw((Pose.TROTTER, Pose.RAZORBACK)))
OFF_TABLE = MakeThrow(Mishap(MishapKind.OFF_TABLE))


def game_of(room: Room) -> Any:
    assert room.view.game is not None
    return room.view.game


def asked(room: Room) -> int:
    assert room.view.question is not None
    return room.view.question.id


def test_a_throw_that_names_no_question_answers_none(room: Room, see: Any) -> None:
    """The older throw was put off; the pigs that lie there now are of another one."""
    see("snouter", "snouter", ask=True)
    question = asked(room)
    with pytest.raises(QuestionError):
        room.act(game_of(room).id, OFF_TABLE, game_of(room).seq)
    assert asked(room) == question
    assert game_of(room).last is None


def test_a_throw_meant_for_a_question_that_is_gone_does_not_answer_the_next(
    room: Room, see: Any
) -> None:
    see("trotter", "razorback", ask=True)
    see("snouter", "snouter", ask=True)
    first, seq = asked(room), game_of(room).seq
    room.dismiss(first)  # by somebody else, who changes no number by it
    with pytest.raises(QuestionError):
        room.act(game_of(room).id, TROTTER_RAZORBACK, seq, first)
    assert asked(room) != first
    assert game_of(room).last is None


def test_a_throw_meant_for_a_question_where_none_is_open_is_refused(room: Room, see: Any) -> None:
    see("trotter", "razorback", ask=True)
    question = asked(room)
    room.dismiss(question)
    with pytest.raises(QuestionError):
        room.act(game_of(room).id, TROTTER_RAZORBACK, game_of(room).seq, question)
    room.act(game_of(room).id, TROTTER_RAZORBACK, game_of(room).seq)
    assert game_of(room).turn_points == 10


def test_nothing_but_a_throw_answers(room: Room, see: Any) -> None:
    see("trotter", "razorback", ask=True)
    with pytest.raises(QuestionError):
        room.act(game_of(room).id, Bank(), game_of(room).seq, asked(room))


def test_by_request(house: Any, reading: Any) -> None:
    house.start()
    house.see(reading(("snouter", "snouter"), ask=True))
    question = house.place.room.view.question.id
    off = {"mishap": "off_table"}
    for wrong in (None, question + 1):
        answer = house.act("throws", throw=off, question=wrong)
        assert (answer.status_code, answer.json()["error"]) == (409, "question")
    assert house.act("throws", throw=off).status_code == 409
    throw = {"poses": ["snouter", "snouter"]}
    assert house.act("throws", throw=throw, question=question).status_code == 200
    assert house.game["turn_points"] == 40
