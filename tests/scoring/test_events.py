"""What is played in memory is what the log is read back to, however a program spells it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import commands as cm
from scoring import events as ev
from scoring.codec import decode, encode
from scoring.errors import FieldError, GameError, PlayersError
from scoring.game import apply, decide, replay
from scoring.hogcall import Call
from scoring.rules import Rules, RulesError
from scoring.throw import Pose, Throw

if TYPE_CHECKING:
    from tests.scoring.conftest import Table

    Tables = Callable[..., Table]

FIVE = Throw((Pose.TROTTER, Pose.DOT_UP))
LATER = st.sampled_from([*ev.Later, *map(str.__str__, ev.Later)])
SOURCE = st.sampled_from([*ev.Source, *map(str.__str__, ev.Source)])
NUMBER = st.integers(1, 9)
EVENTS = st.one_of(
    st.builds(ev.ThrowMade, NUMBER, st.just(FIVE), SOURCE),
    st.builds(ev.ThrowCorrected, NUMBER, st.just(FIVE), LATER),
    st.builds(ev.Removed, NUMBER, LATER),
    st.builds(ev.ThrowAdded, NUMBER, st.just(FIVE), SOURCE, LATER),
    st.builds(ev.BankAdded, NUMBER, LATER),
    st.builds(ev.Undone, NUMBER),
    st.builds(ev.Redone, NUMBER),
    st.builds(ev.GameStarted, st.just(Rules()), st.sampled_from([("A", "B"), ["A", "B"]])),
)


@given(EVENTS)
def test_an_event_is_read_back_as_it_is(event: ev.Event) -> None:
    again = decode(encode(event))
    assert again == event
    for name in event.__slots__:
        assert type(getattr(again, name)) is type(getattr(event, name))


@pytest.mark.parametrize("later", ["kept", "dealt_anew"])
@pytest.mark.parametrize(
    "command",
    [
        lambda later: cm.Remove(2, later),
        lambda later: cm.CorrectThrow(2, Throw((Pose.DOT_UP, Pose.DOT_DOWN)), later),
        lambda later: cm.AddBank(5, later),
        lambda later: cm.AddThrow(4, Throw((Pose.DOT_UP, Pose.DOT_DOWN)), later=later),
    ],
)
def test_words_play_as_they_are_logged(
    table: Tables, command: Callable[[Any], cm.Command], later: str
) -> None:
    game = table().do("trotter dot_up", "bank", "snouter dot_up", "trotter dot_up", "bank")
    (event,) = decide(game.state, command(later))
    assert (event,) == decide(game.state, command(ev.Later(later)))
    played = apply(game.state, event)
    assert played == replay([*game.events, decode(encode(event))])


@pytest.mark.parametrize(
    ("kind", "values", "message"),
    [
        (ev.Removed, (2, "later"), "later is one of kept, dealt_anew, got 'later'"),
        (ev.Removed, (2, None), "later is one of kept, dealt_anew, got None"),
        (ev.BankAdded, (2, "x"), "later is one of"),
        (ev.ThrowCorrected, (2, FIVE, "x"), "later is one of"),
        (ev.ThrowAdded, (2, FIVE, ev.Source.HAND, "x"), "later is one of"),
        (ev.ThrowAdded, (2, FIVE, "x"), "source is one of camera, hand, virtual, got 'x'"),
        (ev.ThrowMade, (0, FIVE, "x"), "source is one of camera, hand, virtual, got 'x'"),
        (ev.ThrowMade, (0, "trotter"), "a throw is two pigs, dice or a mishap, got 'tro"),
        (ev.ThrowCorrected, (2, None), "a throw is two pigs, dice or a mishap, got None"),
        (ev.ThrowAdded, (2, 7), "a throw is two pigs, dice or a mishap, got 7"),
        (ev.Removed, (2.0,), "id is the number of an event, got 2.0"),
        (ev.Removed, (True,), "id is the number of an event, got True"),
        (ev.ThrowCorrected, ("2", FIVE), "id is the number of an event, got '2'"),
        (ev.ThrowAdded, (2.0, FIVE), "before is the number of an event, got 2.0"),
        (ev.BankAdded, (2.0,), "before is the number of an event, got 2.0"),
        (ev.Undone, (2.0,), "id is the number of an event, got 2.0"),
        (ev.Redone, (2.0,), "id is the number of an event, got 2.0"),
        (ev.HogCalled, (0, 5), "a call names poses or points, got 5"),
        (ev.GameStarted, ("classic", ("A",)), "a game is started with rules, got 'class"),
        (ev.GameStarted, (Rules(), "Bo"), "players are several names, got 'Bo'"),
    ],
)
def test_what_does_not_belong_in_an_event(
    kind: Callable[..., ev.Event], values: tuple[Any, ...], message: str
) -> None:
    with pytest.raises(FieldError, match=message):
        kind(*values)


@pytest.mark.parametrize(
    "command",
    [
        cm.MakeThrow(FIVE, "x"),  # type: ignore[arg-type]
        cm.MakeThrow(None),  # type: ignore[arg-type]
        cm.MakeThrow(FIVE, player=0.0),  # type: ignore[arg-type]
        cm.MakeThrow(FIVE, player=False),
        cm.Bank(player=0.0),  # type: ignore[arg-type]
        cm.CallHog(1.0, Call(points=5)),  # type: ignore[arg-type]
        cm.CallHog(1, "sider"),  # type: ignore[arg-type]
        cm.CorrectThrow(2.0, Throw((Pose.SNOUTER, Pose.DOT_UP))),  # type: ignore[arg-type]
        cm.Remove(2, "x"),  # type: ignore[arg-type]
        cm.Remove(2.0),  # type: ignore[arg-type]
        cm.AddBank(3.0),  # type: ignore[arg-type]
        cm.AddThrow(2, "trotter"),  # type: ignore[arg-type]
        cm.Rename(0.0, "Bo"),  # type: ignore[arg-type]
        cm.Rename(0, None),  # type: ignore[arg-type]
        cm.Undo(1.0),  # type: ignore[arg-type]
    ],
    ids=repr,
)
def test_a_command_that_could_not_be_logged_is_refused(table: Tables, command: cm.Command) -> None:
    game = table(hog_call="seed").do("trotter dot_up", "trotter dot_up")
    with pytest.raises(GameError):
        decide(game.state, command)


def test_a_game_that_could_not_be_logged_is_not_started() -> None:
    with pytest.raises(FieldError, match="a game is started with rules"):
        decide(None, cm.StartGame("classic", ("Anna",)))  # type: ignore[arg-type]
    with pytest.raises(PlayersError, match="players are several names, got 'Bo'"):
        decide(None, cm.StartGame(Rules(), "Bo"))  # type: ignore[arg-type]
    with pytest.raises(RulesError, match="points are those of pigs or of dice, got 3"):
        Rules(points=3)  # type: ignore[arg-type]
    with pytest.raises(RulesError, match="variant is a name, got 3"):
        Rules(variant=3)  # type: ignore[arg-type]
