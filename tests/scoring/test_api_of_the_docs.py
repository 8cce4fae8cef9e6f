"""The calls of docs/scoring.md, played once through."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoring.commands import AddThrow, Bank, CorrectThrow, MakeThrow, Redo, Remove, Undo
from scoring.errors import ConflictError
from scoring.events import Event, Source
from scoring.ledger import Ledger
from scoring.rulefile import load_rules
from scoring.store import Store
from scoring.throw import Contact, Mishap, MishapKind, Pose, Throw


def test_a_game_by_the_api(tmp_path: Path) -> None:
    heard: list[Event] = []
    with Store(tmp_path / "games.sqlite3") as store:
        game = Ledger.start(store, load_rules("classic", target=50), ["Anna", "Bo"])
        stop_listening = game.subscribe(lambda news: heard.extend(news.events))
        game.act(MakeThrow(Throw((Pose.TROTTER, Pose.DOT_UP)), Source.CAMERA))
        game.act(MakeThrow(Throw((Pose.TROTTER, Pose.DOT_UP), Contact.TOUCHING)))
        assert game.state.active == 1
        game.act(MakeThrow(Mishap(MishapKind.OFF_TABLE)))
        last = game.act(MakeThrow(Throw((Pose.TROTTER, Pose.SNOUTER)))).last_throw
        assert last is not None
        game.act(Bank(), expected_seq=game.state.seq)
        assert [p.score for p in game.state.players] == [0, 15]
        with pytest.raises(ConflictError):
            game.act(MakeThrow(Throw((Pose.SNOUTER, Pose.SNOUTER))), expected_seq=3)
        game.act(CorrectThrow(last.id, Throw((Pose.SNOUTER, Pose.DOT_UP))))
        assert [p.score for p in game.state.players] == [0, 10]
        game.act(AddThrow(before=last.id, throw=Throw((Pose.RAZORBACK, Pose.DOT_UP))))
        assert [p.score for p in game.state.players] == [0, 15]
        game.act(Remove(last.id))
        assert [p.score for p in game.state.players] == [0, 5]
        game.act(Undo(steps=3))
        assert [p.score for p in game.state.players] == [0, 15]
        game.act(Redo())
        assert [p.score for p in game.state.players] == [0, 10]
        stop_listening()
        game.act(Undo())
        assert len(heard) == game.state.seq - 2
        assert store.state(game.game_id) == game.state
        assert [g.id for g in store.games()] == [game.game_id]
