"""Games as hypothesis finds them: replay is the live state, undo takes back exactly one step."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from scoring import commands as cm
from scoring.errors import ScoringError
from scoring.events import Event, Later
from scoring.game import apply, decide, replay, walk
from scoring.hogcall import Call
from scoring.rulefile import load_rules
from scoring.rules import GameEnd, HogCallForm, MishapPolicy, PiggybackPolicy, RulesError
from scoring.state import GameState
from scoring.throw import AnyThrow, Contact, DiceThrow, Mishap, MishapKind, Pose, Throw

PIGS = st.builds(
    Throw,
    st.tuples(st.sampled_from(Pose), st.sampled_from(Pose)),
    st.sampled_from([Contact.APART] * 8 + [Contact.TOUCHING, Contact.STACKED]),
)
DICE = st.builds(DiceThrow, st.lists(st.integers(1, 6), min_size=1, max_size=2).map(tuple))
MISHAPS = st.builds(Mishap, st.sampled_from(MishapKind))
THROWS: st.SearchStrategy[AnyThrow] = st.one_of(PIGS, PIGS, PIGS, DICE, MISHAPS)
CALLS = st.one_of(
    st.sampled_from([1, 5, 10, 15, 20, 25, 40, 60]).map(lambda n: Call(points=n)),
    PIGS.filter(lambda t: t.poses != (Pose.DOT_UP, Pose.DOT_DOWN)).map(lambda t: Call(t.poses)),
)
LATER = st.sampled_from(Later)
OPTIONS = st.fixed_dictionaries(
    {
        "target": st.one_of(st.none(), st.integers(1, 200)),
        "game_end": st.sampled_from(GameEnd),
        "piggyback": st.sampled_from(PiggybackPolicy),
        "off_table": st.sampled_from(MishapPolicy),
        "leaning": st.sampled_from(MishapPolicy),
    },
    optional={"hog_call": st.sampled_from(HogCallForm)},
)
VARIANTS = st.sampled_from(["classic", "kastegris", "pig", "two-dice"])


class GameMachine(RuleBasedStateMachine):
    """One game, played by anybody who may do anything; refusals change nothing."""

    log: list[Event]
    state: GameState

    @initialize(variant=VARIANTS, options=OPTIONS, players=st.integers(1, 12))
    def start(self, variant: str, options: dict[str, Any], players: int) -> None:
        try:
            rules = load_rules(variant, **options)
        except RulesError:
            assert variant in ("pig", "two-dice")
            rules = load_rules(variant)
        names = tuple(f"P{i}" for i in range(players))
        self.log = list(decide(None, cm.StartGame(rules, names)))
        self.state = apply(None, self.log[0])

    def act(self, command: cm.Command) -> bool:
        before = self.state
        try:
            events = decide(before, command)
        except ScoringError:
            assert self.state is before
            return False
        for event in events:
            self.state = apply(self.state, event)
        self.log.extend(events)
        return True

    def entry_id(self, place: int) -> int:
        history = self.state.history
        return history[place % len(history)].id if history else 0

    @rule(throw=THROWS)
    def throw(self, throw: AnyThrow) -> None:
        self.act(cm.MakeThrow(throw))

    @rule()
    def bank(self) -> None:
        could = self.state.can_bank
        assert self.act(cm.Bank()) == could

    @rule(caller=st.integers(0, 12), call=CALLS)
    def call(self, caller: int, call: Call) -> None:
        self.act(cm.CallHog(caller, call))

    @precondition(lambda self: len(self.log) > 20)
    @rule()
    def stop(self) -> None:
        self.act(cm.Stop())

    @rule(place=st.integers(0, 50), throw=THROWS, later=LATER)
    def correct(self, place: int, throw: AnyThrow, later: Later) -> None:
        self.act(cm.CorrectThrow(self.entry_id(place), throw, later))

    @rule(place=st.integers(0, 50), later=LATER)
    def remove(self, place: int, later: Later) -> None:
        self.act(cm.Remove(self.entry_id(place), later))

    @rule(place=st.integers(0, 50), throw=THROWS, later=LATER)
    def add_throw(self, place: int, throw: AnyThrow, later: Later) -> None:
        self.act(cm.AddThrow(self.entry_id(place), throw, later=later))

    @rule(place=st.integers(0, 50), later=LATER)
    def add_bank(self, place: int, later: Later) -> None:
        self.act(cm.AddBank(self.entry_id(place), later))

    @rule(steps=st.integers(1, 4))
    def undo(self, steps: int) -> None:
        self.act(cm.Undo(steps))

    @rule(steps=st.integers(1, 4))
    def redo(self, steps: int) -> None:
        self.act(cm.Redo(steps))

    @rule(command=st.one_of(THROWS.map(cm.MakeThrow), st.just(cm.Bank())))
    def do_and_undo(self, command: cm.Command) -> None:
        before = self.state
        if self.act(command):
            assert self.act(cm.Undo())
            for field in fields(GameState):
                if field.name not in ("seq", "undone"):
                    assert getattr(self.state, field.name) == getattr(before, field.name)

    @invariant()
    def scores_are_sound(self) -> None:
        assert all(p.score >= 0 for p in self.state.players)
        assert self.state.seq == len(self.log)
        if self.state.active is not None:
            assert not self.state.players[self.state.active].eliminated

    def teardown(self) -> None:
        if not hasattr(self, "state"):
            return
        assert replay(self.log) == self.state
        ends = sum(s.after.over and not s.before.over for s in walk(self.state))
        assert ends == int(self.state.over)


GameMachine.TestCase.settings = settings(
    max_examples=300,
    stateful_step_count=30,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
TestGameMachine = GameMachine.TestCase
