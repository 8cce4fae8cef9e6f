"""Corrections: the log grows, the game is played through again, everybody keeps what is theirs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from scoring import commands as cm
from scoring.errors import CorrectionError, GameError, LogError, ScoringError
from scoring.events import Banked, Later, Source, ThrowCorrected, ThrowMade
from scoring.game import apply, decide, replay
from scoring.notation import parse_throw
from scoring.state import Ending
from scoring.throw import ThrowError

if TYPE_CHECKING:
    from tests.scoring.conftest import Table

    Tables = Callable[..., Table]

OUT = "dot_up dot_down"
OINK = "trotter dot_up touching"
PIGGY = "trotter dot_up stacked"
FIVE = "trotter dot_up"
TEN = "snouter dot_up"
TWENTY = "trotter trotter"
FORTY = "snouter snouter"


def test_anyone_corrects_anything(table: Tables) -> None:
    game = table().do(FIVE, TEN, "bank", TWENTY, "bank", FIVE)
    assert game.do(f"fix 2 {TEN}").pad == {"Anna": 20, "Bo": 20}
    assert game.do(f"fix 5 {FORTY}").pad == {"Anna": 20, "Bo": 40}
    assert game.do("remove 3").pad == {"Anna": 10, "Bo": 40}
    assert game.do(f"add 4 {TWENTY}").pad == {"Anna": 30, "Bo": 40}
    assert (game.up, game.state.turn_points) == ("Anna", 5)


def test_the_log_is_never_rewritten(table: Tables) -> None:
    game = table().do(FIVE, TEN)
    log = list(game.events)
    game.do(f"fix 2 {TEN}", "remove 3", "undo", "redo", "undo 2")
    assert game.events[: len(log)] == log
    assert len(game.events) == len(log) + 6
    assert game.state.seq == len(game.events)
    assert game.state.turn_points == 15


def test_the_last_throw_gives_the_turn_back(table: Tables) -> None:
    game = table().do(TEN, OUT)
    assert game.up == "Bo"
    game.do(f"fix 3 {FIVE}")
    assert (game.up, game.state.turn_points, game.state.turn) == ("Anna", 15, 0)
    game.do(f"fix 3 {OINK}")
    assert (game.up, game.state.turn) == ("Bo", 1)


def test_kept_what_a_turn_still_held_does_not_count(table: Tables) -> None:
    game = table().do(TEN, FIVE, "bank", TWENTY, "bank")
    game.do(f"fix 2 {OINK}")
    assert game.pad == {"Anna": 0, "Bo": 20}
    assert game.counted == "2 (3) (4) 5 6"
    assert (game.up, game.state.turn) == ("Anna", 2)


def test_kept(table: Tables) -> None:
    game = table().do(TEN, OUT, TWENTY, "bank", FIVE)
    game.do(f"fix 3 {FIVE}")
    # Anna's turn stayed open, and Bo has thrown since: her 15 count as banked.
    assert game.pad == {"Anna": 15, "Bo": 20}
    assert (game.up, game.state.turn_points) == ("Anna", 5)
    assert game.counted == "2 3 4 5 6"


def test_kept_puts_a_corrected_correction_right_again(table: Tables) -> None:
    game = table("Anna Bo Carl").do(TEN, "bank", FIVE, "bank", TWENTY, "bank", TEN, "bank")
    before = game.state
    game.do(f"fix 4 {PIGGY}", f"fix 4 {FIVE}")
    assert game.state.players == before.players
    assert game.state.history == before.history
    assert (game.up, game.state.turn) == ("Bo", before.turn)


def test_kept_leaves_out_one_who_is_out_now(table: Tables) -> None:
    game = table("Anna Bo Carl").do(*[FIVE, "bank"] * 6)
    assert game.pad == {"Anna": 10, "Bo": 10, "Carl": 10}
    game.do(f"fix 4 {PIGGY}")
    assert game.pad == {"Anna": 10, "Bo": 0, "Carl": 10}
    assert [e.counted for e in game.state.history if e.player == 1] == [True] + [False] * 3
    assert game.up == "Anna"
    game.do(TEN, "bank", TEN, "bank", f"fix 4 {TEN}")
    assert game.pad == {"Anna": 20, "Bo": 15, "Carl": 20}
    assert game.up == "Anna"


def test_kept_one_who_was_wrongly_out_has_missed_those_turns(table: Tables) -> None:
    game = table("Anna Bo Carl").do(FIVE, "bank", PIGGY, FIVE, "bank", FIVE, "bank", FIVE)
    game.do(f"fix 4 {TEN}")
    assert game.pad == {"Anna": 10, "Bo": 10, "Carl": 5}
    assert (game.up, game.state.turn_points) == ("Carl", 5)
    game.do("bank", FIVE, "bank")
    assert game.up == "Bo"


def test_kept_a_game_that_was_over_earlier(table: Tables) -> None:
    game = table(target=30).do(TEN, "bank", TEN, "bank", FIVE)
    game.do(f"fix 2 {FORTY}")
    assert (game.winners, game.pad) == (["Anna"], {"Anna": 40, "Bo": 0})
    assert game.counted == "2 (3) (4) (5) (6)"
    assert game.do(f"fix 2 {TWENTY}").state.over is False
    assert game.pad == {"Anna": 20, "Bo": 10}
    assert game.state.turn_points == 5


def test_kept_an_implied_bank_can_end_the_game(table: Tables) -> None:
    game = table(target=30, game_end="on_bank").do(TEN, OUT, FIVE, "bank")
    game.do(f"fix 3 {TWENTY}")
    assert (game.winners, game.pad) == (["Anna"], {"Anna": 30, "Bo": 0})
    assert game.counted == "2 3 (4) (5)"
    assert (game.state.up, game.state.turn) == (0, 0)


def test_kept_a_turn_that_moved_on_can_end_the_round(table: Tables) -> None:
    # Bo's turn is the round's last, and the correction leaves it open at the target.
    game = table(target=30, game_end="finish_round").do(FIVE, "bank", TEN, OUT, FIVE, "bank", FIVE)
    game.do(f"fix 5 {TWENTY}")
    assert (game.winners, game.pad) == (["Bo"], {"Anna": 5, "Bo": 30})
    assert game.counted == "2 3 4 5 (6) (7) (8)"
    assert (game.state.up, game.state.turn) == (1, 1)


def test_a_game_that_was_over_can_go_on(table: Tables) -> None:
    game = table(target=30).do(FORTY)
    assert game.state.over
    game.do(f"fix 2 {TEN}")
    assert (game.state.over, game.state.winners, game.up) == (False, (), "Anna")
    assert game.do("bank").pad == {"Anna": 10, "Bo": 0}


def test_dealt_anew(table: Tables) -> None:
    # Anna's pig out was missed, so Bo's 20 went to Anna, and so on around.
    game = table("Anna Bo Carl").do(TEN, TWENTY, "bank", FIVE, "bank")
    assert game.pad == {"Anna": 30, "Bo": 5, "Carl": 0}
    game.do(f"add 3 {OUT}")
    assert game.pad == {"Anna": 0, "Bo": 20, "Carl": 5}
    assert (game.up, game.state.turn) == ("Anna", 3)
    assert [e.player for e in game.state.history] == [0, 0, 1, 1, 2, 2]
    assert game.counted == "2 7 3 4 5 6"


def test_dealt_anew_a_phantom_pig_out_removed(table: Tables) -> None:
    game = table().do(TEN, OUT, FIVE, "bank")
    assert game.pad == {"Anna": 0, "Bo": 5}
    game.do("remove 3")
    assert game.pad == {"Anna": 15, "Bo": 0}
    assert game.up == "Bo"


def test_dealt_anew_a_missed_bank(table: Tables) -> None:
    game = table().do(TEN, TWENTY, OUT)
    game.do("addbank 3")
    assert game.pad == {"Anna": 10, "Bo": 0}
    assert (game.up, game.counted) == ("Anna", "2 5 3 4")


def test_dealt_anew_a_call_by_the_thrower_is_void(table: Tables) -> None:
    game = table("Anna Bo Carl", hog_call="seed")
    game.do(TWENTY, "bank", TWENTY, "bank", TWENTY, "bank", "call Bo 5 points", FIVE)
    assert game.pad == {"Anna": 10, "Bo": 30, "Carl": 20}
    game.do(f"add 9 {OUT} dealt_anew")
    assert game.pad == {"Anna": 20, "Bo": 20, "Carl": 20}
    game.do(f"add 8 {OUT} dealt_anew")
    assert game.state.entry(8) is not None
    assert not game.state.entry(8).counted  # type: ignore[union-attr]


def test_later_can_be_chosen(table: Tables) -> None:
    kept = table().do(TEN, OUT, FIVE, "bank", "remove 3 kept")
    assert kept.pad == {"Anna": 10, "Bo": 5}
    anew = table().do(TEN, FIVE, TWENTY, "bank", f"fix 2 {OUT} dealt_anew")
    assert anew.pad == {"Anna": 0, "Bo": 25}
    kept = table().do(TEN, FIVE, "bank", TWENTY, f"add 3 {OUT} kept")
    assert kept.pad == {"Anna": 0, "Bo": 0}
    assert kept.counted == "2 6 (3) (4) 5"
    kept = table().do(TEN, FIVE, "bank", TWENTY, "addbank 3 kept")
    assert kept.pad == {"Anna": 10, "Bo": 0}
    assert kept.counted == "2 6 (3) (4) 5"


def test_the_corrected_throw_itself_stays_whose_it_was(table: Tables) -> None:
    game = table().do(TEN, OUT, TEN, f"fix 3 {FIVE}")
    assert (game.pad, game.up, game.state.turn_points) == ({"Anna": 15, "Bo": 0}, "Bo", 10)
    game.do(f"fix 4 {FIVE} dealt_anew")
    assert (game.pad, game.up, game.state.turn_points) == ({"Anna": 15, "Bo": 0}, "Bo", 5)


def test_what_was_added_says_whose_it_is_and_where_it_was_seen(table: Tables) -> None:
    game = table().do(OUT, TEN, FIVE)
    added = decide(game.state, cm.AddThrow(4, parse_throw(TWENTY), Source.CAMERA))
    entry = apply(game.state, added[0]).entry(5)
    assert entry is not None
    assert entry.event == ThrowMade(1, parse_throw(TWENTY), Source.CAMERA)
    banked = apply(game.state, decide(game.state, cm.AddBank(4))[0]).entry(5)
    assert banked is not None
    assert banked.event == Banked(1)


def test_what_was_dealt_anew_is_kept_afterwards(table: Tables) -> None:
    game = table("Anna Bo Carl").do(TEN, TWENTY, "bank", FIVE, "bank", f"add 3 {OUT}")
    game.do(f"fix 2 {FIVE}")
    assert game.pad == {"Anna": 0, "Bo": 20, "Carl": 5}


def test_an_added_throw_can_be_corrected(table: Tables) -> None:
    game = table().do(TEN, "bank", f"add 2 {FIVE}")
    assert game.pad["Anna"] == 15
    assert game.do(f"fix 4 {TWENTY}").pad["Anna"] == 30
    assert game.do("remove 4").pad["Anna"] == 10


def test_a_corrected_mishap_and_a_corrected_call(table: Tables) -> None:
    game = table(hog_call="seed").do(TWENTY, "bank", FIVE, "bank", "call Bo 5 points", "late", TEN)
    assert game.pad == {"Anna": 20, "Bo": 5}
    game.do(f"fix 7 {FIVE}")
    assert game.pad == {"Anna": 10, "Bo": 15}
    assert game.state.turn_points == 15


def test_a_call_whose_thrower_has_no_twenty_any_more_is_void(table: Tables) -> None:
    game = table(hog_call="seed").do(TWENTY, "bank", FIVE, "bank", "call Bo 5 points", FIVE)
    assert game.pad == {"Anna": 10, "Bo": 15}
    game.do(f"fix 2 {TEN}")
    assert game.pad == {"Anna": 10, "Bo": 5}
    assert game.counted == "2 3 4 5 (6) 7"


def test_a_stop_stays_a_stop(table: Tables) -> None:
    game = table().do(TEN, OUT, FIVE, "bank", "stop")
    assert game.winners == ["Bo"]
    game.do(f"fix 3 {FIVE}")
    assert game.winners == ["Anna"]
    assert game.do("remove 6").state.over is False


@pytest.mark.parametrize(
    ("players", "moves", "fix", "pad"),
    [
        ("Anna Bo", [FORTY, "bank", FIVE], f"fix 4 {OUT}", {"Anna": 40, "Bo": 0}),
        ("Anna Bo", [FORTY, "bank", FIVE], f"fix 4 {OINK}", {"Anna": 40, "Bo": 0}),
        ("Anna Bo", [FORTY, "bank", FIVE], f"fix 4 {OUT} dealt_anew", {"Anna": 40, "Bo": 0}),
        ("Anna Bo", [FORTY, "bank", FIVE], "remove 4 kept", {"Anna": 40, "Bo": 0}),
        (
            "Anna Bo Carl",
            [FORTY, "bank", FIVE, "bank", TEN],
            f"fix 6 {PIGGY}",
            {"Anna": 40, "Bo": 5, "Carl": 0},
        ),
        # One who stopped earlier is out of the game now, and the stop was in their turn.
        ("Anna Bo Carl", [FORTY, "bank", FIVE, "bank", TEN, "bank"], f"fix 2 {PIGGY}", None),
        # A turn that is open now was never banked, and nobody has thrown since.
        ("Anna Bo", [FORTY, "bank", FIVE, OUT], f"fix 5 {TEN}", {"Anna": 40, "Bo": 0}),
        ("Anna Bo", [FORTY, "bank", FIVE, "bank"], "remove 5 kept", {"Anna": 40, "Bo": 0}),
    ],
)
def test_a_stopped_game_stays_stopped_whatever_is_corrected(
    table: Tables, players: str, moves: list[str], fix: str, pad: dict[str, int] | None
) -> None:
    game = table(players, target=None).do(*moves, "stop")
    before = game.state
    game.do(fix)
    assert game.state.ending is Ending.STOPPED
    assert game.winners == (["Anna"] if pad else ["Carl"])
    assert game.pad == (pad or {"Anna": 0, "Bo": 5, "Carl": 10})
    assert game.state.history[-1].counted
    game.do("undo")
    assert (game.state.history, game.state.winners) == (before.history, before.winners)


def test_a_stop_after_the_end_does_not_count(table: Tables) -> None:
    game = table(target=30).do(TEN, "bank", FIVE, "stop", f"fix 2 {FORTY}")
    assert (game.state.ending, game.winners) == (Ending.TARGET, ["Anna"])
    assert game.counted == "2 (3) (4) (5)"
    game.do(f"fix 2 {TEN}")
    assert (game.state.ending, game.counted) == (Ending.STOPPED, "2 3 4 5")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (cm.CorrectThrow(99, parse_throw(FIVE)), "no throw, bank or call with the number 99"),
        (cm.CorrectThrow(1, parse_throw(FIVE)), "no throw, bank or call with the number 1"),
        (cm.Remove(0), "no throw, bank or call with the number 0"),
        (cm.AddThrow(99, parse_throw(FIVE)), "with the number 99"),
        (cm.AddBank(99), "with the number 99"),
        (cm.CorrectThrow(3, parse_throw(FIVE)), "event 3 is not a throw; only throws can be"),
        (cm.CorrectThrow(2, parse_throw(TEN)), "event 2 is that throw already"),
        (cm.AddBank(2), "nothing can be added before event 2: no turn is open"),
    ],
)
def test_corrections_that_cannot_be(table: Tables, command: cm.Command, message: str) -> None:
    game = table().do(TEN, "bank")
    before = game.state
    with pytest.raises(CorrectionError, match=message):
        decide(game.state, command)
    assert game.state == before


def test_nothing_is_added_to_a_turn_that_is_past(table: Tables) -> None:
    game = table().do(TEN, FIVE, "bank", f"fix 2 {OUT}")
    assert game.counted == "2 (3) (4)"
    with pytest.raises(CorrectionError, match="nothing can be added before event 3"):
        game.do(f"add 3 {FIVE} kept")


@pytest.mark.parametrize("command", [cm.CorrectThrow, cm.AddThrow])
def test_a_throw_of_another_game_corrects_nothing(
    table: Tables, command: type[cm.AddThrow]
) -> None:
    game = table().do(TEN, "bank")
    with pytest.raises(ThrowError, match="classic is thrown with two pigs, got dice"):
        decide(game.state, command(2, parse_throw("6")))


def test_a_log_with_a_correction_of_nothing(table: Tables) -> None:
    start = table().events[0]
    with pytest.raises(LogError, match="event 2 of the log cannot follow: this game has no throw"):
        replay([start, ThrowCorrected(7, parse_throw(FIVE))])
    with pytest.raises(ScoringError):
        apply(table().state, Banked(0))
    assert Later("kept") is Later.KEPT
    assert issubclass(CorrectionError, GameError)
