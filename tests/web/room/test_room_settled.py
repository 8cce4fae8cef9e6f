"""What the camera hears: that a person has said how the pigs lie that lie there now."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.commands import Bank, CorrectThrow, Remove, Rename, Undo
from scoring.throw import Pose, Throw
from vision.web.room import Room

TROTTER_SNOUTER = Throw((Pose.TROTTER, Pose.SNOUTER))
TROTTERS = Throw((Pose.TROTTER, Pose.TROTTER))


def game_of(room: Room) -> Any:
    assert room.view.game is not None
    return room.view.game


def act(room: Room, command: Any) -> None:
    room.act(game_of(room).id, command, game_of(room).seq)


def question(room: Room) -> int:
    assert room.view.question is not None
    return room.view.question.id


@pytest.fixture
def heard(room: Room) -> list[int]:
    """One item for each time that the camera hears of it."""
    times: list[int] = []
    room.on_settled(lambda: times.append(1))
    return times


def test_the_camera_hears_that_a_question_is_settled(room: Room, see: Any) -> None:
    times: list[int] = []
    stop = room.on_settled(lambda: times.append(1))
    see("trotter", "snouter", ask=True)
    room.answer(question(room), TROTTER_SNOUTER, 1)
    see("trotter", "snouter", ask=True)
    stop()
    room.dismiss(question(room))
    assert times == [1]


def test_it_hears_what_is_said_of_the_newest_throw_alone(
    room: Room, see: Any, heard: list[int]
) -> None:
    """A throw of long ago that is corrected says nothing of the pigs that lie there now."""
    see("trotter", "snouter")
    older = game_of(room).seq
    see("razorback", "trotter")
    newest = game_of(room).seq
    assert not heard
    act(room, CorrectThrow(older, TROTTERS))
    assert not heard
    act(room, CorrectThrow(newest, TROTTER_SNOUTER))
    assert len(heard) == 1


def test_undoing_a_throw_says_that_it_was_none(room: Room, see: Any, heard: list[int]) -> None:
    see("trotter", "snouter")
    act(room, Undo())
    assert len(heard) == 1


def test_removing_a_throw_says_that_it_was_none(room: Room, see: Any, heard: list[int]) -> None:
    see("trotter", "snouter")
    act(room, Remove(game_of(room).seq))
    assert len(heard) == 1


@pytest.mark.parametrize("command", [Bank(), Rename(0, "Ann")])
def test_undoing_what_is_no_throw_says_nothing(
    room: Room, see: Any, heard: list[int], command: Any
) -> None:
    see("trotter", "snouter")
    act(room, command)
    act(room, Undo())
    assert not heard


def test_removing_a_bank_says_nothing(room: Room, see: Any, heard: list[int]) -> None:
    see("trotter", "snouter")
    act(room, Bank())
    act(room, Remove(game_of(room).seq))
    assert not heard


def test_undoing_a_correction_says_nothing(room: Room, see: Any, heard: list[int]) -> None:
    see("trotter", "snouter")
    act(room, CorrectThrow(game_of(room).seq, TROTTERS))
    assert len(heard) == 1
    act(room, Undo())
    assert len(heard) == 1


def test_several_steps_undone_at_once_count_if_a_throw_is_among_them(
    room: Room, see: Any, heard: list[int]
) -> None:
    see("trotter", "snouter")
    act(room, Bank())
    act(room, Undo(2))
    assert len(heard) == 1


def test_an_answer_to_an_older_question_says_nothing_of_a_newer_throw(
    room: Room, see: Any, heard: list[int]
) -> None:
    see("trotter", "snouter", ask=True)
    see("razorback", "snouter")
    room.answer(question(room), TROTTER_SNOUTER, game_of(room).seq)
    assert game_of(room).turn_points == 30
    assert not heard


def test_of_two_questions_the_newer_ones_answer_says_it(
    room: Room, see: Any, heard: list[int]
) -> None:
    see("trotter", "snouter", ask=True)
    see("razorback", "snouter", ask=True)
    room.answer(question(room), TROTTER_SNOUTER, game_of(room).seq)
    assert not heard
    room.dismiss(question(room))
    assert len(heard) == 1


def test_a_correction_says_nothing_of_a_throw_that_waits_to_be_written(
    room: Room, see: Any, heard: list[int], held: Any
) -> None:
    see("trotter", "snouter")
    older = game_of(room)
    with held():
        see("razorback", "snouter")
    room.ledger.act(CorrectThrow(older.seq, TROTTERS))  # type: ignore[union-attr]
    assert not heard
