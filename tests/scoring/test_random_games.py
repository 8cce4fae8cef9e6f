"""Ten thousand random games with all options, and what must hold in every one of them."""

from __future__ import annotations

from dataclasses import fields
from random import Random
from typing import Any

import pytest

from scoring import commands as cm
from scoring.effects import Effect
from scoring.errors import ScoringError
from scoring.events import Event, Later, Undone
from scoring.game import apply, decide, replay, walk
from scoring.hogcall import Call
from scoring.rulefile import load_rules
from scoring.rules import GameEnd, HogCallForm, MishapPolicy, PiggybackPolicy, Rules
from scoring.state import GameState
from scoring.throw import AnyThrow, Contact, DiceThrow, Mishap, MishapKind, Pose, Throw

GAMES = 10_000
BATCHES = 20
SEED = 20_260_827
POSES = list(Pose)


def random_rules(rng: Random) -> Rules:
    variant = rng.choice(["classic", "classic", "kastegris", "pig", "two-dice"])
    options: dict[str, Any] = {
        "target": rng.choice([1, 20, 50, 100, 200, None]),
        "game_end": rng.choice(list(GameEnd)),
        "piggyback": rng.choice(list(PiggybackPolicy)),
        "off_table": rng.choice(list(MishapPolicy)),
        "leaning": rng.choice(list(MishapPolicy)),
    }
    if variant in ("classic", "kastegris"):
        options["hog_call"] = rng.choice(list(HogCallForm))
    return load_rules(variant, **options)


def random_throw(rng: Random, rules: Rules) -> AnyThrow:
    if rng.random() < 0.05:
        return Mishap(rng.choice(list(MishapKind)))
    if rules.uses_dice:
        dice = 1 if rules.variant == "pig" else 2
        return DiceThrow(tuple(rng.randint(1, 6) for _ in range(dice)))
    # Bad contact far more often than real pigs, so that short games see all of it.
    contact = rng.choices(list(Contact), [90, 7, 3])[0]
    first, second = rng.choices(POSES, [30, 30, 20, 10, 6, 4], k=2)
    return Throw((first, second), contact)


def random_command(rng: Random, state: GameState) -> cm.Command:
    """Give something a table might ask for; every tenth is nonsense of some kind."""
    ids = [e.id for e in state.history] or [0]
    place = rng.choice([*ids[-5:], rng.randint(0, state.seq + 1)])
    throw = random_throw(rng, state.rules)
    later = rng.choice(list(Later))
    seats = len(state.players)
    kind = rng.random()
    if kind < 0.55:
        return cm.MakeThrow(throw)
    if kind < 0.72:
        return cm.Bank()
    if kind < 0.80:
        call = Call(points=rng.choice([1, 5, 5, 10, 15, 20, 7]))
        return cm.CallHog(rng.randint(0, seats), call)
    others: list[cm.Command] = [
        cm.Undo(rng.randint(1, 3)),
        cm.Undo(),
        cm.Redo(),
        cm.CorrectThrow(place, throw, later),
        cm.Remove(place, later),
        cm.AddThrow(place, throw, later=later),
        cm.AddBank(place, later),
        cm.MakeThrow(throw, player=rng.randint(-1, seats)),
        cm.Bank(player=rng.randint(-1, seats)),
        cm.Rename(rng.randint(0, seats), rng.choice(["Anna", "Bo", "P0"])),
    ]
    return cm.Stop() if kind > 0.998 else rng.choice(others)


BOOKKEEPING = ("seq", "done", "undone")


def check_state(state: GameState) -> None:
    assert all(p.score >= 0 for p in state.players)
    assert state.turn_points >= 0
    assert (state.active is None) == state.over == (state.ending is not None)
    if state.active is not None:
        assert not state.players[state.active].eliminated
        assert state.winners == ()
    else:
        assert (state.turn_points, state.turn_throws, state.call) == (0, 0, None)
    assert not any(state.players[w].eliminated for w in state.winners)
    assert len(state.history) <= state.seq
    ids = [e.id for e in state.history]
    assert len(set(ids)) == len(ids)


def check_undo(state: GameState) -> None:
    """Undo the newest event, redo it: the same game; only the numbering has gone on."""
    if not state.can_undo:
        return
    (undo,) = decide(state, cm.Undo())
    undone = apply(state, undo)
    (redo,) = decide(undone, cm.Redo())
    again = apply(undone, redo)
    for field in fields(GameState):
        if field.name != "seq":
            assert getattr(again, field.name) == getattr(state, field.name), field.name


def check_story(state: GameState) -> None:
    """Walk through the game: one end at most, nothing counts after it, calls move points only."""
    ends = 0
    last = None
    for before, entry, after in walk(state):
        ends += after.over and not before.over
        assert not (before.over and entry.counted)
        if before.call is not None and entry.outcome is not None and entry.counted:
            check_transfer(before, after)
        last = after
    assert ends == int(state.over)
    if last is not None:
        assert (last.players, last.history) == (state.players, state.history)
        assert (last.up, last.turn, last.call) == (state.up, state.turn, state.call)


def check_transfer(before: GameState, after: GameState) -> None:
    call, thrower = before.call, before.up
    outcome = after.history[-1].outcome
    assert call is not None
    assert outcome is not None
    if outcome.effect is not Effect.SCORE:
        return
    right = call.call.is_right(after.history[-1].throw, before.rules)  # type: ignore[arg-type]
    official = before.rules.hog_call is HogCallForm.OFFICIAL
    winner, loser = (call.caller, thrower) if right else (thrower, call.caller)
    amount = 2 * outcome.points if right or official else 0
    pads = [p.score for p in before.players]
    floored = max(0, amount - pads[loser])
    written = 0
    if after.over and before.rules.game_end is GameEnd.ON_REACH:
        written = before.turn_points + outcome.points
    assert sum(p.score for p in after.players) == sum(pads) + floored + written
    assert after.players[winner].score == pads[winner] + amount + written * (winner == thrower)


def play_one(rng: Random, moves: int) -> GameState:
    names = tuple(f"P{i}" for i in range(rng.choice([1, 2, 2, 3, 4, 12])))
    log: list[Event] = list(decide(None, cm.StartGame(random_rules(rng), names)))
    state = apply(None, log[0])
    for _ in range(moves):
        try:
            events = decide(state, random_command(rng, state))
        except ScoringError:
            continue
        for event in events:
            before, state = state, apply(state, event)
            log.append(event)
            if not isinstance(event, Undone) and rng.random() < 0.05:
                undone = apply(state, decide(state, cm.Undo())[0])
                for field in fields(GameState):
                    if field.name not in BOOKKEEPING:
                        assert getattr(undone, field.name) == getattr(before, field.name)
        check_state(state)
    check_undo(state)
    check_story(state)
    assert replay(log) == state
    return state


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(BATCHES))
def test_what_holds_in_every_game(batch: int) -> None:
    ended = 0
    for number in range(GAMES // BATCHES):
        rng = Random(f"{SEED} {batch} {number}")
        ended += play_one(rng, rng.randint(5, 35)).over
    assert ended > 0  # games are long enough to end
