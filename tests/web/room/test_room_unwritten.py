"""A throw seen that cannot be written yet: nothing overtakes it, nothing counts it twice."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from scoring.commands import Bank, MakeThrow, Stop
from scoring.errors import ConflictError, StoreError
from scoring.rulefile import load_rules
from scoring.throw import Pose, Throw
from vision.web.errors import QuestionError
from vision.web.room import Room
from vision.web.table_view import TableView

SNOUTER_TROTTER = Throw((Pose.SNOUTER, Pose.TROTTER))


def game_of(room: Room) -> Any:
    assert room.view.game is not None
    return room.view.game


def landings(room: Room) -> list[tuple[int, str]]:
    """Who threw what, by the log."""
    throws = room.store.state(game_of(room).id).throws
    return [(e.player, str(e.outcome.landing)) for e in throws if e.outcome is not None]


def test_a_bank_does_not_overtake_a_throw_that_waits_to_be_written(
    room: Room, see: Any, held: Any
) -> None:
    see("trotter", "razorback")
    before = game_of(room)
    with held():
        see("dot_up", "dot_down")
    with pytest.raises(ConflictError):  # meant for a table without the Pig Out
        room.act(before.id, Bank(), before.seq)
    assert landings(room) == [(0, "mixed_combo"), (0, "pig_out")]
    assert [p.score for p in game_of(room).players] == [0, 0]
    assert (room.view.trouble, room.view.waiting) == (None, 0)


@pytest.mark.parametrize("command", [Bank(), Stop(), MakeThrow(SNOUTER_TROTTER)])
def test_while_it_cannot_be_written_everything_waits_and_says_why(
    room: Room, see: Any, held: Any, command: Any
) -> None:
    see("trotter", "razorback")
    before = game_of(room)
    with held():
        see("snouter", "trotter")
        with pytest.raises(StoreError, match="another program holds it"):
            room.act(before.id, command, before.seq)
    assert game_of(room).seq == before.seq
    room.refresh()
    assert landings(room) == [(0, "mixed_combo"), (0, "mixed_combo")]


def test_a_throw_entered_by_hand_meanwhile_does_not_count_twice(
    room: Room, see: Any, held: Any
) -> None:
    before = game_of(room)
    with held():
        see("snouter", "trotter")
    with pytest.raises(ConflictError):
        room.act(before.id, MakeThrow(SNOUTER_TROTTER), before.seq)
    room.refresh()
    assert landings(room) == [(0, "mixed_combo")]


def test_an_open_hand_banks_after_what_was_thrown_before(room: Room, see: Any, held: Any) -> None:
    see("trotter", "razorback")
    with held():
        see("dot_up", "dot_down")
        room.bank_by_hand()
    room.bank_by_hand()
    assert landings(room) == [(0, "mixed_combo"), (0, "pig_out")]
    assert [p.score for p in game_of(room).players] == [0, 0]


def test_a_tap_that_waited_for_the_cameras_write_comes_after_it(
    room: Room, see: Any, held: Any
) -> None:
    see("trotter", "razorback")
    before = game_of(room)
    outcome: list[str] = []

    def bank() -> None:
        try:
            room.act(before.id, Bank(), before.seq)
        except (ConflictError, StoreError) as error:
            outcome.append(type(error).__name__)

    tap = threading.Thread(target=bank)

    def in_trouble(view: TableView) -> None:
        if view.trouble is not None and not outcome and tap.ident is None:
            tap.start()  # the camera still has the room: the tap waits for it

    room.subscribe(in_trouble)
    with held():
        see("dot_up", "dot_down")
    tap.join()
    room.refresh()
    assert outcome
    assert landings(room) == [(0, "mixed_combo"), (0, "pig_out")]
    assert [p.score for p in game_of(room).players] == [0, 0]


def test_taking_the_same_game_to_the_table_again_keeps_what_waits(
    room: Room, see: Any, held: Any
) -> None:
    game = game_of(room).id
    with held():
        see("trotter", "razorback")
        room.open(game, game)
    room.refresh()
    assert landings(room) == [(0, "mixed_combo")]


def test_taking_the_same_game_to_the_table_again_keeps_its_question(room: Room, see: Any) -> None:
    game = game_of(room).id
    see("trotter", "razorback", ask=True)
    asked = room.view.question
    room.open(game, game)
    assert room.view.question == asked
    assert room.view.news is not None
    assert room.view.news.kind == "opened"


def test_the_game_is_not_stopped_before_the_answer(room: Room, see: Any) -> None:
    see("trotter", "razorback", ask=True)
    with pytest.raises(QuestionError):
        room.act(game_of(room).id, Stop(), game_of(room).seq)
    assert not game_of(room).over


def test_a_throw_that_is_none_of_the_game_holds_up_nobody(room: Room, see: Any) -> None:
    room.start(load_rules("pig"), ("Anna", "Bo"), game_of(room).id)
    see("trotter", "snouter")
    room.act(game_of(room).id, Stop(), game_of(room).seq)
    assert game_of(room).over
