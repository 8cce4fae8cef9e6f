"""Rule files: every one that comes along, and every mistake by key and line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scoring.effects import Effect
from scoring.rulefile import load_rules, load_variant, parse_variant, variant_names
from scoring.rules import (
    DicePoints,
    GameEnd,
    HogCallForm,
    MishapPolicy,
    PiggybackPolicy,
    PigPoints,
    Rules,
    RulesError,
)

GOOD = """\
schema = 1
title = { en = "Mine", da = "Min" }
targets = [30, "endless"]

[options]
target = 30
game_end = "on_bank"

[pigs]
sider = 2
"""


@pytest.mark.parametrize("name", variant_names())
def test_every_game_that_comes_along(name: str) -> None:
    variant = load_variant(name)
    assert variant.name == name
    assert variant.rules.variant == name
    assert {code for code, _ in variant.title} >= {"en", "da"}
    assert variant.rules.target == 100
    assert set(variant.targets) == {50, 100, 200, None}


def test_the_games_by_name() -> None:
    assert variant_names() == ("classic", "kastegris", "pig", "two-dice")
    assert load_rules() == Rules()
    kastegris = load_rules("kastegris")
    assert (kastegris.piggyback, kastegris.game_end) == (
        PiggybackPolicy.RETHROW,
        GameEnd.ON_REACH,
    )
    assert (kastegris.off_table, kastegris.leaning) == (MishapPolicy.RETHROW, MishapPolicy.RETHROW)
    assert load_rules("pig").points == DicePoints()
    assert load_rules("two-dice").points == DicePoints(2, 1, 2, 25)
    assert load_rules("two-dice").uses_dice
    assert not kastegris.uses_dice


def test_titles() -> None:
    assert load_variant("classic").title_in("da") == "Kaste gris (æsken)"
    assert load_variant("classic").title_in("sv") == "Pass the Pigs"
    untitled = parse_variant("schema = 1\n[pigs]\n", "plain", "plain.toml")
    assert untitled.title_in("en") == "plain"


def test_a_game_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(GOOD, encoding="utf-8")
    variant = load_variant(str(path))
    assert variant.rules == Rules(
        variant="mine", points=PigPoints(sider=2), target=30, game_end=GameEnd.ON_BANK
    )
    assert variant.targets == (30, None)


def test_a_rule_file_from_an_older_editor_of_windows(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    assert load_variant(str(path)) == parse_variant(GOOD, "mine", "mine.toml")
    path.write_text("\ufeff" + GOOD.replace("sider = 2", "sider = 0"), encoding="utf-8")
    with pytest.raises(RulesError, match="line 10: sider is a whole number"):
        load_variant(str(path))


def test_games_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match="no game 'chess'; games are classic, kastegris, pig"):
        load_rules("chess")
    with pytest.raises(RulesError, match=r"rule file \S+none\.toml: No such file or directory$"):
        load_rules(str(tmp_path / "none.toml"))
    broken = tmp_path / "broken.toml"
    broken.write_bytes(b"\xff\xfe")
    with pytest.raises(RulesError, match=r"the rule file \S+broken\.toml is no text"):
        load_rules(str(broken))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("schema = 1", "schema = 2", "mine.toml, line 1: schema is 1, got 2"),
        ("schema = 1", "schema = true", "mine.toml, line 1: schema is 1, got True"),
        ("schema = 1", "schema = 1.0", "mine.toml, line 1: schema is 1, got 1.0"),
        ("schema = 1\n", "", "mine.toml: schema is 1, got None"),
        ("sider = 2", "sider = 0", "mine.toml, line 10: sider is a whole number from 1 to"),
        ("sider = 2", "sider = 2.5", "line 10: sider is a whole number from 1 to 1000000, got 2.5"),
        ("sider = 2", "cow = 2", "line 10: unknown key cow; expected sider, razorback"),
        ("target = 30", "target = -5", "line 6: a target is a whole number above 0 or 'endless'"),
        ("target = 30", "target = true", "line 6: a target is a whole number above 0"),
        ('"on_bank"', '"later"', "line 7: game_end is one of on_reach, on_bank, finish_round, got"),
        ("game_end", "ends", "line 7: unknown key ends; expected target, game_end"),
        ('game_end = "on_bank"', "leaning = 3", "line 7: leaning is one of rethrow, pig_out"),
        ('[30, "endless"]', "[]", r"line 3: targets is a list, got \[\]"),
        ('[30, "endless"]', "30", "line 3: targets is a list, got 30"),
        ('[30, "endless"]', "[30, 0]", "line 3: a target is a whole number above 0"),
        ('{ en = "Mine", da = "Min" }', '"Mine"', "line 2: title is a table of language = text"),
        ('"Min"', "7", "line 2: title is a table of language = text"),
        ("[pigs]", "[cows]", "line 9: unknown key cows; expected schema, title"),
        ("[options]", "[[options]]", "line 5: options is a table, got"),
        ("[pigs]\nsider = 2\n", "", r"mine.toml: expected either a \[pigs\] or a \[dice\] table"),
        ("[pigs]", "[pigs", r"mine.toml: not TOML: .*line 9"),
        ("sider = 2", "sider = 2\n[dice]", r"line 9: expected either a \[pigs\] or a \[dice\]"),
    ],
)
def test_mistakes_are_named_by_key_and_line(old: str, new: str, message: str) -> None:
    assert old in GOOD
    with pytest.raises(RulesError, match=message):
        parse_variant(GOOD.replace(old, new), "mine", "mine.toml")


DICE = "schema = 1\n[dice]\ndice = 2\ndoubles = 2\ndouble_losing = 25\n"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("dice = 2", "dice = 3", "line 3: dice is 1 or 2, got 3"),
        ("dice = 2", "dice = true", "line 3: dice is 1 or 2, got True"),
        ("dice = 2", "dice = 2.0", "line 3: dice is 1 or 2, got 2.0"),
        ("doubles = 2", "losing_face = 7", "line 4: losing_face is a face from 1 to 6, got 7"),
        ("doubles = 2", "losing_face = true", "line 4: losing_face is a face from 1 to 6"),
        ("doubles = 2", "doubles = 0", "line 4: doubles is a whole number from 1 to"),
        ("= 25", '= "score"', "line 5: double_losing is a number of points, lose_turn or lose_all"),
        ("= 25", '= "win"', "line 5: double_losing is a whole number from 1 to"),
        ("= 25", "= 0", "line 5: double_losing is a whole number from 1 to 1000000, got 0"),
        ("doubles = 2", "sider = 2", "line 4: unknown key sider; expected dice, losing_face"),
    ],
)
def test_mistakes_in_dice(old: str, new: str, message: str) -> None:
    assert old in DICE
    with pytest.raises(RulesError, match=message):
        parse_variant(DICE.replace(old, new), "mine", "mine.toml")


@pytest.mark.parametrize("word", ["lose_turn", "lose_all"])
def test_two_losing_faces_can_lose(word: str) -> None:
    rules = parse_variant(DICE.replace("25", f'"{word}"'), "mine", "mine.toml").rules
    assert rules.points == DicePoints(2, 1, 2, Effect(word))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"target": 0}, "target is a whole number from 1 to 1000000, got 0"),
        ({"target": 1_000_001}, "target is a whole number from 1 to 1000000, got 1000001"),
        ({"target": 10.0}, "target is a whole number"),
        ({"target": "endless"}, "target is a whole number"),
        ({"touching_chance": 1.0}, "a chance from 0 to below 1, got 1.0"),
        ({"touching_chance": -0.1}, "a chance from 0 to below 1"),
        ({"touching_chance": float("nan")}, "a chance from 0 to below 1"),
        ({"touching_chance": False}, "a chance from 0 to below 1, got False"),
        ({"touching_chance": "often"}, "a chance from 0 to below 1, got 'often'"),
        ({"piggyback": "win"}, "piggyback is one of eliminate, oinker, rethrow, got 'win'"),
        ({"off_table": None}, "off_table is one of rethrow, pig_out, oinker, got None"),
        ({"hog_call": "loud"}, "hog_call is one of off, seed, official, got 'loud'"),
        ({"points": 3}, "no option points; options are target, game_end, piggyback"),
        ({"variant": "x"}, "no option variant; options are target, game_end, piggyback"),
        ({"taget": 50}, "no option taget; options are target, game_end, piggyback"),
    ],
)
def test_options_are_checked(options: dict[str, Any], message: str) -> None:
    with pytest.raises(RulesError, match=message):
        load_rules("classic", **options)


def test_options_by_their_names() -> None:
    rules = load_rules(
        "classic", target=1_000_000, game_end="finish_round", hog_call="official", leaning="oinker"
    )
    assert rules.target == 1_000_000
    assert rules.game_end is GameEnd.FINISH_ROUND
    assert rules.hog_call is HogCallForm.OFFICIAL
    assert rules.leaning is MishapPolicy.OINKER
    assert load_rules("classic", target=None).target is None
    assert load_rules("classic", target=1).target == 1
