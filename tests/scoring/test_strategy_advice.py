"""Advice: exact where it says so, honest where it is not, one sentence in two languages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from scoring.errors import GameOverError
from scoring.odds import Chances, load_odds
from scoring.rulefile import load_rules
from scoring.strategy import advice as advice_module
from scoring.strategy import cache
from scoring.strategy.advice import Basis, advise, choice_of, known_chances
from scoring.strategy.cache import default_folder, is_cached, path_of, solution_for
from scoring.strategy.decisions import decisions, tally
from scoring.strategy.sentence import Facts, sentence
from scoring.strategy.solve import Problem

if TYPE_CHECKING:
    from tests.scoring.conftest import Table

    Tables = Callable[..., Table]

OUT = "dot_up dot_down"
FIVE = "trotter dot_up"
TEN = "snouter dot_up"
TWENTY = "trotter trotter"
FORTY = "snouter snouter"
SMALL = Chances(points=((1, 0.5), (3, 0.2)), lose_turn=0.3)


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv(cache.ENVIRONMENT, str(tmp_path / "cache"))
    yield
    cache._solution.cache_clear()


def test_two_players_get_the_exact_answer(table: Tables) -> None:
    game = table(target=30).do(TEN, "bank", FIVE, "bank", TEN)
    got = advise(game.state, "kastegris")
    assert got.basis is Basis.EXACT
    known = known_chances("kastegris", game.state.rules)
    solution = solution_for(Problem(known, 30))
    assert got.bank == pytest.approx(1 - solution.win(5, 20))
    assert got.throw == pytest.approx(solution.choice(10, 5, 10).throw)
    assert got.banks is ((got.bank or 0) >= (got.throw or 0))
    assert choice_of(game.state, known) == solution.choice(10, 5, 10)
    assert not got.calls_ignored
    assert got.residual is not None
    assert got.residual < 1e-12


def test_a_solution_that_did_not_settle_is_not_called_exact(
    table: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advice_module, "EXACT_WITHIN", -1.0)
    assert advise(table(target=20).do(TEN).state).basis is Basis.DUEL


def test_before_the_first_throw_there_is_nothing_to_bank(table: Tables) -> None:
    got = advise(table(target=20).state)
    assert (got.banks, got.bank, got.thumbs) == (False, None, ())
    assert got.throw is not None
    assert got.sentence() == "Throw: a turn starts with a throw."
    assert got.sentence("da") == "Kast: en tur begynder med et kast."


def test_banking_that_wins(table: Tables) -> None:
    got = advise(table(target=10, game_end="on_bank").do(TEN).state)
    assert (got.banks, got.bank) == (True, 1.0)
    assert got.sentence() == "Bank: that wins the game."
    assert got.sentence("da") == "Bank: så har du vundet."


def test_dice_have_advice_and_no_thumbs(table: Tables) -> None:
    got = advise(table(variant="pig", target=20).do("6", "6").state)
    assert got.basis is Basis.EXACT
    assert got.thumbs == ()


def test_three_players_get_a_rule_of_thumb_that_says_so(table: Tables) -> None:
    game = table("Anna Bo Carl", target=30).do(TEN, "bank", FIVE, "bank", TEN, "bank", FIVE)
    got = advise(game.state)
    assert got.basis is Basis.DUEL
    assert "rule of thumb: against Carl alone" in got.sentence()
    assert "tommelfingerregel: mod Carl alene" in got.sentence("da")
    assert choice_of(game.state, known_chances("kern", game.state.rules)) is None


def test_two_left_of_three_are_exact(table: Tables) -> None:
    game = table("Anna Bo Carl", target=30).do("trotter dot_up stacked", FIVE, "bank", FIVE)
    assert advise(game.state).basis is Basis.EXACT


def test_the_rival_is_the_strongest_and_the_next(table: Tables) -> None:
    game = table("Anna Bo Carl", target=30).do(FIVE, "bank", TEN, "bank", TEN, "bank", FIVE)
    assert "Bo alone" in advise(game.state).sentence()


@pytest.mark.parametrize("target", [None, 501])
def test_without_a_solved_target_only_the_turn_counts(table: Tables, target: int | None) -> None:
    few = advise(table(target=target).do(TEN, TEN).state, "kastegris")
    many = advise(table(target=target).do(TEN, TEN, FIVE).state, "kastegris")
    assert (few.basis, few.banks, few.throw, few.bank) == (Basis.TURN, False, None, None)
    assert many.banks
    assert "as a rule of thumb: a throw scores 79 % of the time" in few.sentence()
    assert "som tommelfingerregel: rundens 25 point er mere værd" in many.sentence("da")


def test_alone_only_the_turn_counts(table: Tables) -> None:
    assert advise(table("Anna").do(TEN).state).basis is Basis.TURN
    assert advise(table("Anna", target=20, game_end="on_bank").do(TWENTY).state).banks
    assert not advise(table("Anna").state).banks


def test_calls_are_left_out_and_said_to_be(table: Tables) -> None:
    assert advise(table(target=20, hog_call="seed").state).calls_ignored


def test_after_the_end_there_is_no_advice(table: Tables) -> None:
    with pytest.raises(GameOverError, match="nothing to advise"):
        advise(table(target=5).do(FIVE).state)


def test_the_last_turn_of_a_round(table: Tables) -> None:
    game = table(target=30, game_end="finish_round").do(FORTY, "bank", TWENTY, TEN)
    behind = advise(game.state)
    assert (behind.banks, behind.bank) == (False, 0.0)
    assert behind.sentence() == (
        f"Throw again: that wins {100 * (behind.throw or 0):.1f} % of games and banking 0.0 %, "
        "because Anna has the target and this is the last turn."
    )
    tie = advise(game.do(TEN).state)
    assert tie.bank == 0.5
    assert tie.throw == pytest.approx(known_chances("kern", game.state.rules).score)
    assert not tie.banks
    ahead = advise(game.do(FIVE).state)
    assert (ahead.bank, ahead.sentence()) == (1.0, "Bank: that wins the game.")
    assert ahead.throw == pytest.approx(known_chances("kern", game.state.rules).score)


def test_the_first_of_a_round_may_have_to_go_beyond_the_target(table: Tables) -> None:
    game = table(target=30, game_end="finish_round").do(TWENTY, "bank", TWENTY, FIVE, "bank", TEN)
    got = advise(game.state)
    assert got.basis is Basis.EXACT
    assert got.bank is not None
    assert got.bank < 0.5  # Bo would need only a tie at 30, and has the last turn
    assert not got.banks
    # The same pads when the first to the target wins.
    assert (
        advise(
            table(target=30, game_end="on_bank").do(TWENTY, "bank", TWENTY, FIVE, "bank", TEN).state
        ).bank
        == 1.0
    )


def test_a_pad_beyond_the_target_is_left_to_the_turn(table: Tables) -> None:
    game = table(target=45, game_end="finish_round", hog_call="seed")
    game.do(TWENTY, "bank", FORTY, "bank", "call Bo 5 points", FIVE, TEN)
    assert game.pad == {"Anna": 10, "Bo": 50}
    assert advise(game.state).basis is Basis.TURN


def facts(**changes: object) -> Facts:
    values: dict[str, object] = {
        "banks": False, "throw": 0.55, "bank": 0.5, "exact": True, "started": True,
        "turn_points": 8, "wins_now": False, "score_chance": 0.787, "mean_points": 4.74,
        "worth_it": 22.5, "rival": "Bo", "rival_reaches": 0.1,
    }  # fmt: skip
    return Facts(**(values | changes))  # type: ignore[arg-type]


SENTENCES = [
    (
        facts(),
        (
            "Throw again: that wins 55.0 % of games and banking 50.0 %, because a throw "
            "scores 79 % of the time and risks only 8 points."
        ),
        (
            "Kast igen: det vinder 55,0 % af spillene og at banke 50,0 %, fordi et kast giver"
            " point 79 % af gangene og sætter kun 8 point på spil."
        ),
    ),
    (
        facts(banks=True, throw=0.5, bank=0.6, turn_points=25),
        (
            "Bank: that wins 60.0 % of games and throwing again 50.0 %, because the 25 points"
            " of the turn are worth more than what a throw brings."
        ),
        (
            "Bank: det vinder 60,0 % af spillene og at kaste igen 50,0 %, fordi rundens 25 "
            "point er mere værd end det, et kast giver."
        ),
    ),
    (
        facts(rival_reaches=0.4),
        (
            "Throw again: that wins 55.0 % of games and banking 50.0 %, because Bo wins with "
            "the next turn 40 % of the time."
        ),
        (
            "Kast igen: det vinder 55,0 % af spillene og at banke 50,0 %, fordi Bo vinder i "
            "sin næste tur 40 % af gangene."
        ),
    ),
    (
        facts(turn_points=30),
        (
            "Throw again: that wins 55.0 % of games and banking 50.0 %, because the 30 points"
            " of the turn are too few to win with."
        ),
        (
            "Kast igen: det vinder 55,0 % af spillene og at banke 50,0 %, fordi rundens 30 "
            "point er for få til at vinde med."
        ),
    ),
    (
        facts(rival_reaches=1.0),
        (
            "Throw again: that wins 55.0 % of games and banking 50.0 %, because Bo has the "
            "target and this is the last turn."
        ),
        (
            "Kast igen: det vinder 55,0 % af spillene og at banke 50,0 %, fordi Bo har nået "
            "målet, og det her er den sidste tur."
        ),
    ),
    (
        facts(throw=0.5004),
        ("Throw or bank, it makes no difference: both win 50.0 % of games."),
        ("Kast eller bank, det er lige godt: begge dele vinder 50,0 % af spillene."),
    ),
    (
        facts(exact=False, banks=True, throw=0.4, bank=0.5),
        (
            "Bank, as a rule of thumb: against Bo alone it would win 50.0 % of games and "
            "throwing again 40.0 %, because the 8 points of the turn are worth more than what"
            " a throw brings."
        ),
        (
            "Bank, som tommelfingerregel: mod Bo alene ville det vinde 50,0 % af spillene og "
            "at kaste igen 40,0 %, fordi rundens 8 point er mere værd end det, et kast giver."
        ),
    ),
    (
        facts(throw=None, bank=None, exact=False),
        (
            "Throw again, as a rule of thumb: a throw scores 79 % of the time and risks only "
            "8 points, and brings 4.7 points on average."
        ),
        (
            "Kast igen, som tommelfingerregel: et kast giver point 79 % af gangene og sætter "
            "kun 8 point på spil, og giver 4,7 point i gennemsnit."
        ),
    ),
]


@pytest.mark.parametrize(("what", "english", "danish"), SENTENCES)
def test_sentences(what: Facts, english: str, danish: str) -> None:
    assert sentence(what) == english
    assert sentence(what, "en") == sentence(what, "sv") == english
    assert sentence(what, "da") == danish


def test_rules_of_thumb_are_called_that(table: Tables) -> None:
    def said(game: Table) -> dict[str, bool]:
        return {t.name: t.banks for t in advise(game.state, "kastegris").thumbs}

    assert said(table(target=None).do(TEN)) == {"bank_at_23": False}
    assert said(table(target=None).do(TEN, TEN, FIVE)) == {"bank_at_23": True}
    ahead = table(target=None).do(FORTY, "bank", FIVE, "bank", TEN, FIVE)
    assert said(ahead) == {"bank_at_23": False, "bank_early_when_ahead": True}
    behind = table(target=None).do(FIVE, "bank", FORTY, "bank", FIVE)
    assert said(behind) == {"bank_at_23": False, "throw_on_when_behind": False}
    near = table(target=48, game_end="on_bank").do(FORTY, "bank", FIVE, "bank", FIVE)
    assert said(near) == {"bank_at_23": False, "near_the_end_one_throw_at_a_time": True}
    thumb = advise(near.state).thumbs[-1]
    assert thumb.in_language("da") == "Mangler du under ti point, så kast, tjek, bank."
    assert thumb.in_language("sv") == "With fewer than ten points to go: throw, check, bank."
    assert said(table("Anna", target=None).do(TEN)) == {"bank_at_23": False}


# The cache


def test_a_solved_game_is_kept_and_found_again(tmp_path: Path) -> None:
    for finish in (False, True):
        problem = Problem(SMALL, 9, finish_round=finish)
        assert not is_cached(problem, tmp_path)
        first = solution_for(problem, tmp_path)
        assert is_cached(problem, tmp_path)
        assert solution_for(problem, tmp_path) is first  # from memory
        cache._solution.cache_clear()
        again = solution_for(problem, tmp_path)  # from the disk
        assert again is not first
        assert again.residual == first.residual
        assert again.values.rounds == first.values.rounds
        for mine, theirs in zip(again.values.win, first.values.win, strict=True):
            assert np.array_equal(mine, theirs)
    assert not list(tmp_path.glob("*.part"))


def test_rules_and_odds_have_files_of_their_own(tmp_path: Path) -> None:
    other = Chances(points=((1, 0.5), (3, 0.2)), lose_turn=0.2, lose_all=0.1)
    paths = {
        path_of(Problem(known, target, finish_round=finish), tmp_path)
        for known, target, finish in product((SMALL, other), (9, 10), (False, True))
    }
    assert len(paths) == 8
    assert path_of(Problem(SMALL, 9), tmp_path) == path_of(
        Problem(Chances(points=((1, 0.5), (3, 0.2)), lose_turn=0.3), 9), tmp_path
    )


@pytest.mark.parametrize("damage", ["empty", "text", "short", "wrong", "nan", "pickle"])
def test_a_damaged_file_is_solved_again(tmp_path: Path, damage: str) -> None:
    problem = Problem(SMALL, 9)
    first = solution_for(problem, tmp_path)
    cache._solution.cache_clear()
    path = path_of(problem, tmp_path)
    flat = np.load(path)
    if damage == "empty":
        path.write_bytes(b"")
    elif damage == "text":
        path.write_text("oink", encoding="utf-8")
    elif damage == "pickle":
        np.save(path, np.array([{}], dtype=object))
    else:
        broken = {"short": flat[:-1], "wrong": flat + 2.0, "nan": flat * np.nan}[damage]
        np.save(path, broken)
    again = solution_for(problem, tmp_path)
    assert np.array_equal(again.values.of(0), first.values.of(0))
    assert np.load(path).shape == flat.shape


def test_a_folder_that_cannot_be_written_costs_only_time(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert solution_for(Problem(SMALL, 9), tmp_path / "file" / "cache").residual < 1e-12


def test_where_solved_games_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert default_folder() == tmp_path / "cache"
    monkeypatch.delenv(cache.ENVIRONMENT)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert default_folder().name == "strategy"


# Decisions


def test_decisions_are_held_against_the_best(table: Tables) -> None:
    game = table(target=30).do(FIVE, "bank", TWENTY, FIVE, "bank", TEN, FIVE, "bank")
    made = decisions(game.state, "kastegris")
    assert [(d.entry, d.player, d.banked) for d in made] == [
        (3, 0, True), (5, 1, False), (6, 1, True), (8, 0, False), (9, 0, True),
    ]  # fmt: skip
    known = known_chances("kastegris", game.state.rules)
    first = solution_for(Problem(known, 30)).choice(0, 0, 5)
    assert (made[0].throw, made[0].bank) == (first.throw, first.bank)
    assert made[0].cost == pytest.approx(first.throw - (first.bank or 0))
    assert not made[0].is_best
    summed = tally(made)
    assert summed.decisions == 5
    assert summed.best == sum(d.is_best for d in made)
    assert summed.cost == pytest.approx(sum(d.cost for d in made))
    assert summed.worst is not None
    assert summed.worst.cost == max(d.cost for d in made)
    assert tally([]).worst is None


def test_what_is_no_decision(table: Tables) -> None:
    # The first throw of a turn, a call, a void entry, a turn that moved on.
    assert decisions(table(target=30).do(FIVE).state) == ()
    assert decisions(table("Anna Bo Carl", target=30).do(FIVE, "bank").state) == ()
    assert decisions(table(target=None).do(FIVE, "bank").state) == ()
    moved = table(target=30).do(TEN, OUT, FIVE, f"fix 3 {FIVE}")
    assert [d.entry for d in decisions(moved.state)] == [3]
    void = table(target=30).do(TEN, FIVE, "bank", f"fix 2 {OUT}")
    assert decisions(void.state) == ()


def test_odds_can_be_given_themselves(table: Tables) -> None:
    rules = load_rules(target=20)
    odds = load_odds("kastegris", rules)
    state = table(target=20).do(TEN).state
    assert advise(state, odds).throw == advise(state, "kastegris").throw
