"""Names in every script are names, and one name in two spellings is one player."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import commands as cm
from scoring.errors import PlayersError
from scoring.events import GameStarted, PlayerRenamed
from scoring.game import apply, decide, replay
from scoring.names import MAX_NAME, checked_name, checked_names, name_key
from scoring.rules import Rules
from scoring.statistics import statistics

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.scoring.conftest import Table

    Tables = Callable[..., Table]

COMPOSED, DECOMPOSED = "\u00c5se", "A\u030ase"
ALI_REZA = "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627"
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
KSHA = "\u0915\u094d\u200d\u0937\u093e"


@pytest.mark.parametrize("name", [ALI_REZA, FAMILY, KSHA, f"Bo {FAMILY}", f"{FAMILY} {ALI_REZA}"])
def test_characters_that_join_belong_to_names(name: str) -> None:
    assert checked_names([name, "Anna"]) == (name, "Anna")


@pytest.mark.parametrize(
    "name",
    [
        "\u200d", "\u200cAnna", "Anna\u200d", "An\u200d\u200dna", "An\u200c\u200dna", "An \u200dna",
        "An\u200d na", "An\u200bna", "An\u202ena", "An\u0007na",
    ],
)  # fmt: skip
def test_characters_that_join_nothing_do_not(name: str) -> None:
    with pytest.raises(PlayersError, match="a name has 1 to 40 printable characters"):
        checked_name(name)


@pytest.mark.parametrize(
    ("one", "other"),
    [(COMPOSED, DECOMPOSED), (COMPOSED, DECOMPOSED.upper()), ("Anna", "An\u200dna")],
)
def test_names_that_look_the_same_are_the_same(table: Tables, one: str, other: str) -> None:
    with pytest.raises(PlayersError, match="players need names of their own"):
        checked_names([one, other])
    game = table(f"{one} Bo")
    assert game.state.seat(other) == 0
    with pytest.raises(PlayersError, match="players need names of their own"):
        decide(game.state, cm.Rename(1, other))


def test_names_are_logged_composed(table: Tables) -> None:
    (started,) = decide(None, cm.StartGame(Rules(), (f" {DECOMPOSED} ", "Bo")))
    assert started == GameStarted(Rules(), (COMPOSED, "Bo"))
    assert decide(table().state, cm.Rename(0, DECOMPOSED)) == (PlayerRenamed(0, COMPOSED),)


def test_a_name_is_as_long_as_it_looks() -> None:
    assert checked_name("A\u030a" * MAX_NAME) == "\u00c5" * MAX_NAME
    with pytest.raises(PlayersError):
        checked_name("A\u030a" * (MAX_NAME + 1))


def test_a_game_of_two_spellings_is_still_read() -> None:
    started = GameStarted(Rules(), (COMPOSED, DECOMPOSED))
    state = replay([started, PlayerRenamed(0, "Bo"), PlayerRenamed(0, COMPOSED)])
    assert [p.name for p in state.players] == [COMPOSED, DECOMPOSED]


def test_one_player_of_two_spellings_has_one_record() -> None:
    games = [apply(None, GameStarted(Rules(), (name,))) for name in (COMPOSED, DECOMPOSED)]
    assert [p.games for p in statistics(games).players] == [2]


@given(st.text(max_size=MAX_NAME))
def test_a_checked_name_stays_as_it_is(text: str) -> None:
    try:
        name = checked_name(text)
    except PlayersError:
        return
    assert checked_name(name) == name
    assert unicodedata.is_normalized("NFC", name)
    spelled = unicodedata.normalize("NFD", name)
    assert name_key(spelled) == name_key(name)
    assert checked_name(spelled) == name
