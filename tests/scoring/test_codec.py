"""Events and lines of JSON are two forms of one thing; what is broken is refused with a reason."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import events as ev
from scoring.codec import VERSION, decode, encode, event_from_data, event_to_data
from scoring.errors import LogError
from scoring.hogcall import Call
from scoring.rulefile import load_rules, rules_from_data, rules_to_data
from scoring.rules import GameEnd, MishapPolicy, PiggybackPolicy, Rules, RulesError
from scoring.throw import AnyThrow, Contact, DiceThrow, Mishap, MishapKind, Pose, Throw

NUMBERS = st.integers(0, 10**6)
THROWS: st.SearchStrategy[AnyThrow] = st.one_of(
    st.builds(
        Throw, st.tuples(st.sampled_from(Pose), st.sampled_from(Pose)), st.sampled_from(Contact)
    ),
    st.builds(DiceThrow, st.lists(st.integers(1, 6), min_size=1, max_size=2).map(tuple)),
    st.builds(Mishap, st.sampled_from(MishapKind)),
)
CALLS = st.one_of(
    NUMBERS.map(lambda n: Call(points=n + 1)),
    st.just(Call(poses=(Pose.DOT_DOWN, Pose.SNOUTER))),
)
RULES = st.builds(
    load_rules,
    st.sampled_from(["classic", "kastegris", "pig", "two-dice"]),
    target=st.one_of(st.none(), st.integers(1, 10**6)),
    game_end=st.sampled_from(GameEnd),
    piggyback=st.sampled_from(PiggybackPolicy),
    off_table=st.sampled_from(MishapPolicy),
    leaning=st.sampled_from(MishapPolicy),
    touching_chance=st.floats(0, 0.99),
)
LATER = st.sampled_from(ev.Later)
SOURCES = st.sampled_from(ev.Source)
EVENTS: st.SearchStrategy[ev.Event] = st.one_of(
    st.builds(ev.GameStarted, RULES, st.lists(st.text(), max_size=3).map(tuple)),
    st.builds(ev.ThrowMade, NUMBERS, THROWS, SOURCES),
    st.builds(ev.Banked, NUMBERS),
    st.builds(ev.HogCalled, NUMBERS, CALLS),
    st.just(ev.Stopped()),
    st.builds(ev.ThrowCorrected, NUMBERS, THROWS, LATER),
    st.builds(ev.Removed, NUMBERS, LATER),
    st.builds(ev.ThrowAdded, NUMBERS, THROWS, SOURCES, LATER),
    st.builds(ev.BankAdded, NUMBERS, LATER),
    st.builds(ev.PlayerRenamed, NUMBERS, st.text()),
    st.builds(ev.Undone, NUMBERS),
    st.builds(ev.Redone, NUMBERS),
)


@given(EVENTS)
def test_an_event_is_read_as_written(event: ev.Event) -> None:
    line = encode(event)
    assert "\n" not in line
    assert decode(line) == event
    assert event_from_data(json.loads(json.dumps(event_to_data(event)))) == event


@given(RULES)
def test_rules_are_read_as_written(rules: Rules) -> None:
    assert rules_from_data(json.loads(json.dumps(rules_to_data(rules)))) == rules


def test_the_format_as_it_is_written() -> None:
    event = ev.ThrowMade(1, Throw((Pose.SNOUTER, Pose.DOT_UP)), ev.Source.CAMERA)
    assert encode(event) == (
        '{"v":1,"type":"throw_made","player":1,'
        '"throw":{"poses":["dot_up","snouter"],"contact":"apart"},"source":"camera"}'
    )
    assert encode(ev.HogCalled(2, Call(points=5))) == (
        '{"v":1,"type":"hog_called","caller":2,"call":{"points":5}}'
    )


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "an event is one line of JSON"),
        ("{", "an event is one line of JSON"),
        ("[" * 100_000, "an event is one line of JSON"),
        ("[]", r"an event is an object, got \[\]"),
        ("{}", "a version v from 1 up, got None"),
        ('{"v":0}', "a version v from 1 up, got 0"),
        ('{"v":true}', "a version v from 1 up, got True"),
        ('{"v":2,"type":"banked"}', "written in format 2, and this program reads up to 1: please"),
        ('{"v":1}', "unknown event None; known are game_started, throw_made"),
        ('{"v":1,"type":"eaten"}', "unknown event 'eaten'"),
        ('{"v":1,"type":["banked"]}', r"unknown event \['banked'\]"),
        ('{"v":1,"type":"banked"}', "the event banked lacks 'player'"),
        ('{"v":1,"type":"banked","player":"0"}', "banked is broken: expected a whole number, got"),
        ('{"v":1,"type":"banked","player":true}', "expected a whole number, got True"),
        ('{"v":1,"type":"banked","player":1.0}', "expected a whole number, got 1.0"),
        ('{"v":1,"type":"player_renamed","player":0,"name":7}', "expected text, got 7"),
        ('{"v":1,"type":"throw_made","player":0,"throw":{},"source":"hand"}', "lacks 'poses'"),
        (
            '{"v":1,"type":"throw_made","player":0,"throw":{"poses":["a","b"]},"source":"hand"}',
            "not a pose or contact of the game",
        ),
        (
            '{"v":1,"type":"throw_made","player":0,"throw":{"poses":[[],{}]},"source":"hand"}',
            "throw_made is broken",
        ),
        (
            '{"v":1,"type":"throw_made","player":0,"throw":{"dice":[7]},"source":"hand"}',
            "a die shows 1 to 6, got 7",
        ),
        (
            '{"v":1,"type":"throw_made","player":0,"throw":{"dice":[1]},"source":"dream"}',
            "'dream' is not a valid Source",
        ),
        ('{"v":1,"type":"throw_made","player":0,"throw":7,"source":"hand"}', "is broken"),
        ('{"v":1,"type":"hog_called","caller":0,"call":{"points":0}}', "at least 1 point"),
        ('{"v":1,"type":"hog_called","caller":0,"call":{"poses":["trotter"]}}', "is broken"),
        ('{"v":1,"type":"game_started","rules":7,"players":[]}', "rules: expected a table, got 7"),
        ('{"v":1,"type":"game_started","rules":{},"players":[]}', "variant is a name, got None"),
        (
            '{"v":1,"type":"game_started","rules":{"variant":"x","pigs":{"cow":1}},"players":[]}',
            "rules: unknown key cow; expected sider",
        ),
    ],
)
def test_what_is_no_event_is_refused(line: str, message: str) -> None:
    with pytest.raises(LogError, match=message):
        decode(line)


JSON: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text()),
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(), inner)),
    max_leaves=8,
)


@given(EVENTS, st.data())
def test_damage_is_refused_or_gives_another_event(event: ev.Event, data: st.DataObject) -> None:
    damaged = event_to_data(event)
    key = data.draw(st.sampled_from(sorted(damaged)))
    damaged[key] = data.draw(JSON)
    with suppress(LogError):  # any other error is a fault
        read = event_from_data(damaged)
        assert decode(encode(read)) == read


def test_rules_may_be_a_part_only() -> None:
    rules = rules_from_data({"variant": "x", "pigs": {}})
    assert rules == Rules(variant="x")
    with pytest.raises(RulesError, match=r"either a \[pigs\] or a \[dice\] table"):
        rules_from_data({"variant": "x"})
    assert VERSION == 1
