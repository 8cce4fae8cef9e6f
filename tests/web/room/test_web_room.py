"""The room: throws of the camera and of people, one after another, none lost, none doubled."""

from __future__ import annotations

import sqlite3
import threading
from typing import Any

import pytest

from scoring.commands import (
    AddBank,
    Bank,
    CallHog,
    CorrectThrow,
    MakeThrow,
    Redo,
    Remove,
    Rename,
    Undo,
)
from scoring.errors import ConflictError, StoreError
from scoring.events import Banked, Source, ThrowMade
from scoring.hogcall import Call
from scoring.ledger import Ledger
from scoring.rulefile import load_rules
from scoring.store import Store
from scoring.throw import Contact, Mishap, MishapKind, Pose, Throw
from vision.table.state import ThrowSeen
from vision.web.errors import MovedOnError, QuestionError
from vision.web.room import Room
from vision.web.sights import Sight
from vision.web.views import history_view

TROTTER_SNOUTER = Throw((Pose.TROTTER, Pose.SNOUTER))
PIG_OUT = Throw((Pose.DOT_UP, Pose.DOT_DOWN))
NOTHING = Sight({}, ())


def shown(room: Room) -> Any:
    """What the page shows now; a fresh look each time."""
    return room.view


def game_of(room: Room) -> Any:
    assert room.view.game is not None
    return room.view.game


def act(room: Room, command: Any) -> None:
    game = game_of(room)
    room.act(game.id, command, game.seq)


def test_every_change_is_on_the_disk_before_it_is_shown(room: Room, store: Store) -> None:
    seqs: list[tuple[int, int]] = []

    def hear(view: Any) -> None:
        if view.game is not None:
            seqs.append((view.game.seq, len(store.events(view.game.id))))

    room.subscribe(hear)
    act(room, MakeThrow(TROTTER_SNOUTER))
    act(room, Bank())
    assert seqs
    assert all(seq <= kept for seq, kept in seqs)


def test_versions_grow_with_every_change(room: Room) -> None:
    versions: list[int] = []
    room.subscribe(lambda view: versions.append(view.version))
    act(room, MakeThrow(TROTTER_SNOUTER))
    room.set_viewers(3)
    act(room, Undo())
    assert versions == sorted(set(versions))
    assert len(versions) >= 3


def test_an_open_question_is_not_shown_for_a_throw_that_counts(room: Room, see: Any) -> None:
    asked: list[bool] = []
    room.subscribe(lambda view: asked.append(view.question is not None))
    see("trotter", "snouter")
    assert not any(asked)


def test_behind_a_question_everything_waits_also_what_is_sure(room: Room, see: Any) -> None:
    see("dot_up", "dot_down", ask=True)
    see("trotter", "snouter")
    see("razorback", "snouter")
    assert (shown(room).waiting, game_of(room).seq) == (2, 1)
    assert shown(room).question is not None
    room.answer(shown(room).question.id, PIG_OUT, 1)
    view = game_of(room)
    assert (view.up, view.turn_points, shown(room).question, shown(room).waiting) == (
        1,
        30,
        None,
        0,
    )


def test_a_second_question_comes_up_when_the_first_is_answered(room: Room, see: Any) -> None:
    see("dot_up", "dot_down", ask=True)
    see("trotter", "snouter", ask=True)
    first = shown(room).question
    assert first is not None
    room.dismiss(first.id)
    second = shown(room).question
    assert second is not None
    assert second.id != first.id
    with pytest.raises(QuestionError):
        room.dismiss(first.id)


def test_banking_waits_for_the_answer(room: Room, see: Any) -> None:
    act(room, MakeThrow(TROTTER_SNOUTER))
    see("dot_up", "dot_down", ask=True)
    with pytest.raises(QuestionError):
        act(room, Bank())
    assert game_of(room).turn_points == 15


def test_corrections_and_undo_do_not_wait(room: Room, see: Any) -> None:
    act(room, MakeThrow(TROTTER_SNOUTER))
    see("trotter", "snouter", ask=True)
    act(room, CorrectThrow(2, Throw((Pose.TROTTER, Pose.TROTTER))))
    act(room, Undo())
    assert game_of(room).turn_points == 15
    assert shown(room).question is not None


def test_a_throw_by_hand_answers_the_question(room: Room, see: Any, store: Store) -> None:
    see("trotter", "snouter", ask=True)
    asked = shown(room).question
    assert asked is not None
    throw = MakeThrow(Throw((Pose.RAZORBACK, Pose.SNOUTER)))
    room.act(game_of(room).id, throw, game_of(room).seq, asked.id)
    assert shown(room).question is None
    throws = [e for e in store.events(game_of(room).id) if isinstance(e, ThrowMade)]
    assert len(throws) == 1
    assert game_of(room).last.sight is not None  # the pictures belong to it


def test_an_answer_that_comes_too_late_changes_nothing(room: Room, see: Any) -> None:
    see("trotter", "snouter", ask=True)
    question = shown(room).question
    assert question is not None
    room.answer(question.id, TROTTER_SNOUTER, 1)
    with pytest.raises(QuestionError):
        room.answer(question.id, TROTTER_SNOUTER, 2)
    assert game_of(room).turn_points == 15


def test_an_answer_meant_for_an_older_score_leaves_the_question_open(room: Room, see: Any) -> None:
    see("trotter", "snouter", ask=True)
    act(room, Rename(0, "Ann"))
    question = shown(room).question
    assert question is not None
    with pytest.raises(ConflictError):
        room.answer(question.id, TROTTER_SNOUTER, 1)
    assert shown(room).question is not None


def test_a_camera_and_a_person_at_once_lose_and_double_nothing(
    room: Room, see: Any, store: Store
) -> None:
    game = game_of(room).id
    done = threading.Barrier(2)

    def people() -> None:
        done.wait()
        for _ in range(20):
            while True:
                try:
                    room.act(game, MakeThrow(TROTTER_SNOUTER), game_of(room).seq)
                    break
                except ConflictError:
                    continue

    thread = threading.Thread(target=people)
    room.start(load_rules("classic", target=None), ("Anna", "Bo"), game)
    game = game_of(room).id
    thread.start()
    done.wait()
    for _ in range(20):
        see("razorback", "snouter")
    thread.join(120)
    throws = [e for e in store.events(game) if isinstance(e, ThrowMade)]
    assert [t.source for t in throws].count(Source.CAMERA) == 20
    assert [t.source for t in throws].count(Source.HAND) == 20
    assert game_of(room).turn_points == 40 * 15


def test_what_another_program_does_is_taken_in(room: Room, store: Store) -> None:
    other = Ledger(store, game_of(room).id)
    other.act(MakeThrow(TROTTER_SNOUTER))
    room.refresh()
    assert game_of(room).turn_points == 15
    assert shown(room).news is not None
    assert shown(room).news.kind == "throw"


def test_looking_for_news_in_vain_changes_nothing(room: Room) -> None:
    version = shown(room).version
    room.refresh()
    assert shown(room).version == version


def test_a_throw_that_cannot_be_written_is_kept_until_it_can(
    room: Room, see: Any, store: Store
) -> None:
    path = store.url.database
    assert path is not None
    locking = sqlite3.connect(path, isolation_level=None)
    locking.execute("BEGIN IMMEDIATE")
    see("trotter", "snouter")
    see("razorback", "snouter")
    assert shown(room).trouble is not None
    assert game_of(room).seq == 1
    with pytest.raises(StoreError):
        act(room, MakeThrow(TROTTER_SNOUTER))
    locking.execute("COMMIT")
    locking.close()
    room.refresh()
    assert shown(room).trouble is None
    assert game_of(room).turn_points == 30


def test_after_the_end_the_camera_is_idle_and_undo_brings_it_back(room: Room, see: Any) -> None:
    room.start(load_rules("classic", target=10), ("Anna", "Bo"), game_of(room).id)
    see("trotter", "snouter")
    assert game_of(room).over
    see("trotter", "snouter")
    assert shown(room).idle == "over"
    act(room, Undo())
    see("dot_up", "dot_up")
    assert (shown(room).idle, game_of(room).turn_points) == (None, 1)


def test_a_camera_over_dice_counts_nothing(room: Room, see: Any) -> None:
    room.start(load_rules("pig"), ("Anna", "Bo"), game_of(room).id)
    see("trotter", "snouter")
    assert shown(room).idle == "dice"
    assert game_of(room).last is None


def test_the_demo_banks_by_itself(store: Store, reading: Any) -> None:
    room = Room(store, bank_at=20)
    room.start(load_rules("classic"), ("Anna", "Bo"), None)
    for _ in range(2):
        room.seen(ThrowSeen(1, 1.0, reading(("trotter", "snouter"))), NOTHING)
    view = game_of(room)
    assert (view.up, view.players[0].score) == (1, 30)


def test_a_new_game_forgets_the_questions_of_the_old(room: Room, see: Any) -> None:
    see("trotter", "snouter", ask=True)
    room.start(load_rules("classic"), ("Carl",), game_of(room).id)
    assert (shown(room).question, shown(room).waiting) == (None, 0)


def test_the_last_game_is_gone_on_with_unless_it_is_over(room: Room, store: Store) -> None:
    act(room, MakeThrow(TROTTER_SNOUTER))
    again = Room(store)
    again.resume()
    assert game_of(again).turn_points == 15
    act(again, Bank())
    room.refresh()
    room.start(load_rules("classic", target=5), ("Anna",), game_of(room).id)
    act(room, MakeThrow(TROTTER_SNOUTER))
    third = Room(store)
    third.resume()
    assert shown(third).game is None


def test_only_one_starts_a_game_when_two_try(room: Room) -> None:
    game = game_of(room).id
    room.start(load_rules("classic"), ("Carl",), game)
    with pytest.raises(MovedOnError):
        room.start(load_rules("classic"), ("Dora",), game)
    with pytest.raises(MovedOnError):
        room.act(game, MakeThrow(TROTTER_SNOUTER), 1)


NEWS = [
    ([MakeThrow(TROTTER_SNOUTER)], ("throw", None, 15, 15)),
    ([MakeThrow(TROTTER_SNOUTER), Bank()], ("bank", None, 15, 15)),
    ([MakeThrow(TROTTER_SNOUTER), MakeThrow(PIG_OUT)], ("throw", None, 15, 0)),
    (
        [MakeThrow(TROTTER_SNOUTER), Bank(), MakeThrow(PIG_OUT), MakeThrow(TROTTER_SNOUTER),
         MakeThrow(Throw((Pose.TROTTER, Pose.SNOUTER), Contact.TOUCHING))],
        ("throw", None, 30, 0),
    ),
    ([MakeThrow(TROTTER_SNOUTER), Undo()], ("undone", "throw", 0, 0)),
    ([MakeThrow(TROTTER_SNOUTER), CorrectThrow(2, PIG_OUT)], ("corrected", None, 0, 0)),
    ([MakeThrow(TROTTER_SNOUTER), Remove(2)], ("removed", None, 0, 0)),
    ([Rename(1, "Bodil")], ("renamed", None, 0, 0)),
    ([MakeThrow(Mishap(MishapKind.LATE))], ("throw", None, 0, 0)),
]  # fmt: skip


@pytest.mark.parametrize(("commands", "expected"), NEWS)
def test_news_says_what_happened_and_what_it_cost(
    room: Room, commands: list[Any], expected: tuple[str, str | None, int, int]
) -> None:
    for command in commands:
        act(room, command)
    news = shown(room).news
    assert news is not None
    assert (news.kind, news.what, news.points, news.total) == expected


@pytest.fixture
def called(room: Room) -> Room:
    """Anna has 45 and has called what Bo throws next; Bo's turn has 40 so far."""
    room.start(
        load_rules("classic", hog_call="official", target=200), ("Anna", "Bo"), game_of(room).id
    )
    double_snouter = Throw((Pose.SNOUTER, Pose.SNOUTER))
    five = Throw((Pose.TROTTER, Pose.DOT_UP))
    for command in (MakeThrow(double_snouter), MakeThrow(five), Bank(), MakeThrow(double_snouter)):
        act(room, command)
    act(room, CallHog(0, Call(poses=(Pose.TROTTER, Pose.TROTTER))))
    return room


def test_news_and_the_last_throw_tell_what_came_of_a_call(called: Room) -> None:
    act(called, MakeThrow(Throw((Pose.RAZORBACK, Pose.RAZORBACK))))
    settled = shown(called).news.entry.settled
    assert (settled.caller, settled.right, settled.gained, settled.lost) == (0, False, 40, 40)
    assert (shown(called).news.caller, shown(called).news.player) == ("Anna", "Bo")
    assert game_of(called).last.settled == settled
    assert [p.score for p in game_of(called).players] == [5, 40]
    lines = history_view(called.store.state(game_of(called).id), (), {})
    assert [(line.kind, line.settled) for line in lines[-2:]] == [
        ("call", settled),
        ("throw", settled),
    ]


def test_a_correction_tells_what_it_makes_of_the_call(called: Room) -> None:
    act(called, MakeThrow(Throw((Pose.RAZORBACK, Pose.RAZORBACK))))
    act(called, CorrectThrow(game_of(called).seq, Throw((Pose.TROTTER, Pose.TROTTER))))
    news = shown(called).news
    assert (news.entry.settled.right, news.entry.settled.lost, news.caller) == (True, 0, "Anna")
    assert (news.score, news.total) == (0, 60)


def test_a_step_taken_back_and_done_again_is_about_the_same_player(room: Room) -> None:
    act(room, MakeThrow(TROTTER_SNOUTER))
    act(room, MakeThrow(Throw((Pose.SNOUTER, Pose.DOT_UP))))
    act(room, AddBank(game_of(room).seq))
    for step in (None, Undo(), Redo()):
        if step is not None:
            act(room, step)
        assert shown(room).news.player == "Anna", step


def test_the_winner_is_news_once(room: Room) -> None:
    room.start(load_rules("classic", target=15), ("Anna", "Bo"), game_of(room).id)
    act(room, MakeThrow(TROTTER_SNOUTER))
    assert shown(room).news is not None
    assert shown(room).news.winners == ("Anna",)
    act(room, Rename(0, "Ann"))
    assert shown(room).news.winners == ()


def test_replay_of_the_log_gives_what_is_shown(room: Room, see: Any, store: Store) -> None:
    see("trotter", "snouter")
    act(room, Bank())
    see("dot_up", "dot_down", ask=True)
    assert shown(room).question is not None
    room.answer(shown(room).question.id, PIG_OUT, game_of(room).seq)
    state = store.state(game_of(room).id)
    assert [p.score for p in state.players] == [p.score for p in game_of(room).players]
    assert any(isinstance(e, Banked) for e in store.events(game_of(room).id))


def test_an_open_hand_banks_but_not_over_a_question(room: Room, see: Any) -> None:
    room.bank_by_hand()
    assert game_of(room).seq == 1  # nothing to bank, nothing said
    see("trotter", "snouter")
    see("razorback", "snouter", ask=True)
    room.bank_by_hand()
    assert game_of(room).turn_points == 15
    room.dismiss(shown(room).question.id)
    room.bank_by_hand()
    assert game_of(room).players[0].score == 15
