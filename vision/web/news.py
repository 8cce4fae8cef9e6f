"""What has just happened in a game, as one small value that a page can say aloud."""

from __future__ import annotations

from dataclasses import dataclass

from scoring import events as ev
from scoring.effects import Effect
from scoring.ledger import News
from scoring.state import Entry, GameState
from vision.web.views import EntryView, Sights, entry_view

_KINDS: dict[type[object], str] = {
    ev.ThrowMade: "throw",
    ev.Banked: "bank",
    ev.HogCalled: "call",
    ev.Stopped: "stop",
    ev.ThrowCorrected: "corrected",
    ev.Removed: "removed",
    ev.ThrowAdded: "added",
    ev.BankAdded: "bank_added",
    ev.PlayerRenamed: "renamed",
    ev.Undone: "undone",
    ev.Redone: "redone",
}


@dataclass(frozen=True, slots=True)
class NewsView:
    """The newest change; pages announce each `id` once, and only the newest.

    `kind` names it, `what` the kind that was undone or redone. `points` are those won, banked or
    lost, `turn_points` the running turn's; `score` is the player's pad, `total` the pad and the
    player's own running turn. `caller` is who called the throw that the entry settled. `winners`
    are named when this ended the game.
    """

    id: int
    kind: str
    what: str | None = None
    player: str | None = None
    entry: EntryView | None = None
    points: int = 0
    turn_points: int = 0
    score: int = 0
    total: int = 0
    caller: str | None = None
    next: str | None = None
    over: bool = False
    winners: tuple[str, ...] = ()


def tell(number: int, news: News, sights: Sights) -> NewsView:
    """Return the newest of a ledger's news; several events told together are told as the last."""
    before, after, event = news.before, news.after, news.events[-1]
    kind = _KINDS[type(event)]
    what = None
    about: ev.Event = event
    done = after.seq
    if isinstance(event, ev.Undone | ev.Redone):
        done = event.id
        about = _event_of(before, after, event.id)
        what = _KINDS[type(about)]
    seat, entry = _whom(about, done, before, after)
    seat = min(seat, len(after.players) - 1)
    ended = after.over and not before.over
    settled = None if entry is None else entry.settled
    return NewsView(
        id=number,
        kind=kind,
        what=what,
        player=after.players[seat].name,
        entry=None if entry is None else entry_view(entry, sights),
        points=_points(event, before, after),
        turn_points=after.turn_points,
        score=after.players[seat].score,
        total=after.total(seat),
        caller=None if settled is None else after.players[settled.caller].name,
        next=None if after.over or after.up == seat else after.players[after.up].name,
        over=after.over,
        winners=tuple(after.players[w].name for w in after.winners) if ended else (),
    )


def _event_of(before: GameState, after: GameState, number: int) -> ev.Event:
    for state in (before, after):
        for items in (state.done, state.undone):
            for seq, event in items:
                if seq == number:
                    return event
    return after.done[0][1]


def _whom(
    event: ev.Event, number: int, before: GameState, after: GameState
) -> tuple[int, Entry | None]:
    """Return the seat that an event is about, and its entry as it stands, or stood before.

    `number` is the event's own: that of the step that was taken back, or stands again.
    """
    entry = after.entry(number) or before.entry(number)
    if isinstance(event, ev.HogCalled):
        return event.caller, entry
    if isinstance(event, ev.ThrowMade | ev.Banked):
        return event.player, entry
    if isinstance(event, ev.PlayerRenamed):
        return event.player, None
    if isinstance(event, ev.ThrowCorrected | ev.Removed):
        entry = after.entry(event.id) or before.entry(event.id)
    return (before.up if entry is None else entry.player), entry


def _points(event: ev.Event, before: GameState, after: GameState) -> int:
    if isinstance(event, ev.Banked):
        return before.turn_points
    if isinstance(event, ev.ThrowMade):
        entry = after.entry(after.seq)
        outcome = None if entry is None else entry.outcome
        if outcome is None:
            return 0
        if outcome.effect is Effect.SCORE:
            return outcome.points
        if outcome.effect is Effect.LOSE_TURN:
            return before.turn_points
        if outcome.effect is Effect.LOSE_ALL:
            return before.total(before.up)
    return 0
