"""A game as the page shows it: plain values, ready for JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations_with_replacement

from scoring.effects import Effect, Landing, Outcome
from scoring.events import Banked, HogCalled, Source, ThrowMade
from scoring.game import walk
from scoring.hogcall import Call, callable_points
from scoring.notation import format_throw
from scoring.outcome import judge
from scoring.play import HOG_CALL_SCORE
from scoring.rulefile import load_variant, variant_names
from scoring.rules import (
    DicePoints,
    GameEnd,
    HogCallForm,
    MishapPolicy,
    PiggybackPolicy,
    Rules,
)
from scoring.settlement import Settlement
from scoring.state import Ending, Entry, GameState
from scoring.store import Record
from scoring.throw import AnyThrow, Contact, DiceThrow, Mishap, MishapKind, Pose, Throw
from vision.web.wire import AnyThrowBody, body_of


@dataclass(frozen=True, slots=True)
class OutcomeView:
    """What a throw is worth; `points` is 0 unless the effect is `score`."""

    landing: Landing
    effect: Effect
    points: int


@dataclass(frozen=True, slots=True)
class CallView:
    """A Hog Call: who called, and two poses or a number of points."""

    caller: int
    poses: tuple[Pose, Pose] | None
    points: int | None


@dataclass(frozen=True, slots=True)
class EntryView:
    """One line of a game: a `throw`, `bank`, `call` or `stop`.

    `id` is what corrections name; `turn_points` and `score` stand after it (None where not
    asked for); `sight` is the number of its pictures in memory, `kept` whether they lie on the
    disk; `at` is UTC, ISO 8601. `settled` is what a throw made of the Hog Call that waited for
    it; in a whole history the call itself carries it too.
    """

    id: int
    kind: str
    turn: int
    player: int
    throw: AnyThrowBody | None = None
    outcome: OutcomeView | None = None
    counted: bool = True
    source: Source | None = None
    call: CallView | None = None
    sight: int | None = None
    at: str | None = None
    turn_points: int | None = None
    score: int | None = None
    kept: bool = False
    settled: Settlement | None = None


@dataclass(frozen=True, slots=True)
class PlayerView:
    """A player; `score` is the pad, `total` the pad and the running turn."""

    name: str
    score: int
    total: int
    out: bool
    winner: bool
    may_call: bool


@dataclass(frozen=True, slots=True)
class RulesView:
    """The rules of a game; `dice` is how many are thrown, 0 for pigs; `target` None is endless.

    `outcomes` gives what each throw is worth, by its notation (`trotter snouter`, `3 4`,
    `touching`, `stacked`, `off_table`); `calls` the points that a Hog Call may name.
    """

    variant: str
    title: Mapping[str, str]
    target: int | None
    game_end: GameEnd
    piggyback: PiggybackPolicy
    off_table: MishapPolicy
    leaning: MishapPolicy
    hog_call: HogCallForm
    dice: int
    outcomes: Mapping[str, OutcomeView]
    calls: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class VariantView:
    """A game to choose, with its own options and the targets a dialog offers."""

    rules: RulesView
    targets: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class GameView:
    """A game as it stands; `seq` is the number of its last event.

    `up` is the seat that throws, `throws` those of the running turn, `last` the newest throw.
    """

    id: str
    seq: int
    rules: RulesView
    players: tuple[PlayerView, ...]
    up: int
    turn: int
    turn_points: int
    throws: tuple[EntryView, ...]
    last: EntryView | None
    count: int
    call: CallView | None
    over: bool
    ending: Ending | None
    winners: tuple[int, ...]
    can_bank: bool
    can_undo: bool
    can_redo: bool


Sights = Mapping[int, int]
"""Entry id to the number of its pictures."""


def game_view(game_id: str, state: GameState, sights: Sights) -> GameView:
    """Return a game as the page shows it."""
    last = state.last_throw
    return GameView(
        id=game_id,
        seq=state.seq,
        rules=rules_view(state.rules),
        players=tuple(_player(state, seat) for seat in range(len(state.players))),
        up=state.up,
        turn=state.turn,
        turn_points=state.turn_points,
        throws=tuple(entry_view(e, sights) for e in running_turn(state)),
        last=None if last is None else entry_view(last, sights),
        count=sum(1 for _ in state.newest_throws()),
        call=None if state.call is None else call_view(state.call.caller, state.call.call),
        over=state.over,
        ending=state.ending,
        winners=state.winners,
        can_bank=state.can_bank,
        can_undo=state.can_undo,
        can_redo=state.can_redo,
    )


def running_turn(state: GameState) -> tuple[Entry, ...]:
    """Return the throws of the running turn, oldest first; none once the game is over."""
    found = []
    for entry in reversed(state.history):
        if entry.turn != state.turn or state.over:
            break
        if entry.throw is not None and entry.counted:
            found.append(entry)
    return tuple(reversed(found))


def entry_view(entry: Entry, sights: Sights) -> EntryView:
    """Return one line of a game."""
    event = entry.event
    throw, outcome = entry.throw, entry.outcome
    kind = {ThrowMade: "throw", Banked: "bank", HogCalled: "call"}.get(type(event), "stop")
    return EntryView(
        id=entry.id,
        kind=kind,
        turn=entry.turn,
        player=entry.player,
        throw=None if throw is None else body_of(throw),
        outcome=None if outcome is None else outcome_view(outcome),
        counted=entry.counted,
        source=event.source if isinstance(event, ThrowMade) else None,
        call=call_view(event.caller, event.call) if isinstance(event, HogCalled) else None,
        sight=sights.get(entry.id),
        settled=entry.settled,
    )


def history_view(
    state: GameState,
    records: tuple[Record, ...],
    sights: Sights,
    kept: frozenset[int] = frozenset(),
) -> tuple[EntryView, ...]:
    """Return every line of a game, with what stood after it and when it was stored."""
    at = {record.seq: record.at for record in records}
    lines: list[EntryView] = []
    for step in walk(state):
        entry, after = step.entry, step.after
        same_turn = after.turn == entry.turn and not after.over
        lines.append(
            replace(
                entry_view(entry, sights),
                at=at.get(entry.id),
                turn_points=after.turn_points if same_turn else 0,
                score=after.players[entry.player].score,
                kept=entry.id in kept,
            )
        )
        if entry.settled is not None:
            called = max(i for i, line in enumerate(lines) if line.kind == "call" and line.counted)
            lines[called] = replace(lines[called], settled=entry.settled)
    return tuple(lines)


def outcome_view(outcome: Outcome) -> OutcomeView:
    """Return what a throw is worth."""
    return OutcomeView(outcome.landing, outcome.effect, outcome.points)


def call_view(caller: int, call: Call) -> CallView:
    """Return a Hog Call."""
    return CallView(caller, call.poses, call.points)


@lru_cache(maxsize=64)
def rules_view(rules: Rules) -> RulesView:
    """Return the rules, with what every throw is worth under them."""
    title = dict(load_variant(rules.variant).title) if rules.variant in variant_names() else {}
    return RulesView(
        variant=rules.variant,
        title=title or {"en": rules.variant},
        target=rules.target,
        game_end=rules.game_end,
        piggyback=rules.piggyback,
        off_table=rules.off_table,
        leaning=rules.leaning,
        hog_call=rules.hog_call,
        dice=rules.points.dice if isinstance(rules.points, DicePoints) else 0,
        outcomes={name: outcome_view(judge(t, rules)) for name, t in _every_throw(rules)},
        calls=() if rules.uses_dice else callable_points(rules),
    )


def variants_view() -> tuple[VariantView, ...]:
    """Return every game that can be chosen, games of pigs first."""
    found = [load_variant(name) for name in variant_names()]
    found.sort(key=lambda v: (v.rules.uses_dice, v.name))
    return tuple(VariantView(rules_view(v.rules), v.targets) for v in found)


def _player(state: GameState, seat: int) -> PlayerView:
    player = state.players[seat]
    return PlayerView(
        name=player.name,
        score=player.score,
        total=state.total(seat),
        out=player.eliminated,
        winner=seat in state.winners,
        may_call=_may_call(state, seat),
    )


def _may_call(state: GameState, seat: int) -> bool:
    """Tell whether a Hog Call of this seat would be taken now; `scoring` has the last word."""
    form = state.rules.hog_call
    if form is HogCallForm.OFF or state.over or state.call is not None or seat == state.up:
        return False
    needing = state.players[state.up if form is HogCallForm.SEED else seat]
    return needing.score >= HOG_CALL_SCORE and not state.players[seat].eliminated


def _every_throw(rules: Rules) -> list[tuple[str, AnyThrow]]:
    throws: list[tuple[str, AnyThrow]] = [(kind, Mishap(kind)) for kind in MishapKind]
    if isinstance(rules.points, DicePoints):
        faces = combinations_with_replacement(range(1, 7), rules.points.dice)
        dice = [DiceThrow(f) for f in faces]
        return throws + [(format_throw(t), t) for t in dice]
    pigs = [Throw(pair) for pair in combinations_with_replacement(Pose, 2)]
    throws += [(format_throw(t), t) for t in pigs]
    lying = (Pose.DOT_UP, Pose.DOT_UP)
    throws += [(c, Throw(lying, c)) for c in (Contact.TOUCHING, Contact.STACKED)]
    return throws
