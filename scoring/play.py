"""One step of play: what a throw, a bank, a call or the stop does to the game.

`play` is for what happens now and refuses what the rules do not allow. `replay_entry` is for what
happened already and is played through again after a correction: it never refuses, it marks what
has lost its meaning.
"""

from __future__ import annotations

from scoring.effects import Effect, Outcome
from scoring.errors import CallError, GameError, GameOverError, TurnError
from scoring.events import Banked, HogCalled, Stopped, ThrowMade
from scoring.hogcall import check_call
from scoring.outcome import judge
from scoring.rules import GameEnd, HogCallForm
from scoring.settlement import Settlement
from scoring.state import Ending, Entry, GameState, Player
from scoring.throw import AnyThrow

HOG_CALL_SCORE = 20  # what the thrower (seed) or the caller (official) needs on the pad
HOG_CALL_FACTOR = 2


def play(state: GameState, entry: Entry) -> GameState:
    """Return the game after one more entry; a `GameError` when the rules do not allow it."""
    if state.over:
        raise GameOverError("the game is over; correct or undo something, or start a new game")
    event = entry.event
    if isinstance(event, ThrowMade):
        return _throw(state, entry, event.throw)
    if isinstance(event, Banked):
        return _bank(state, entry)
    if isinstance(event, HogCalled):
        return _call(state, entry, event)
    return _stop(state, entry)


def replay_entry(state: GameState, entry: Entry, *, anew: bool = False) -> GameState:
    """Return the game after an entry of the past, which may no longer count.

    `anew` deals it to whoever is up; otherwise it stays with the player and turn it had. The stop
    is the whole table's and of no turn: it ends the game whoever is up by then.
    """
    resumed: GameState | None
    if anew or isinstance(entry.event, Stopped):
        entry = Entry(entry.id, entry.event, state.turn, state.up)
        resumed = state
    else:
        entry = entry.judged(None)
        resumed = _resume(state, entry)
    if resumed is not None:
        try:
            return play(resumed, entry)
        except GameError:
            state = resumed
    outcome = None if entry.throw is None else judge(entry.throw, state.rules)
    return state.but(history=state.history.plus(entry.judged(outcome, counted=False)))


def _resume(state: GameState, entry: Entry) -> GameState | None:
    """Return the game at the turn the entry was made in; None when that turn is past.

    When the players have moved on from a turn that a correction left open, they have moved on:
    its points count as banked.
    """
    if (entry.turn, entry.player) == (state.turn, state.up) or state.over:
        return state
    if entry.turn < state.turn or state.players[entry.player].eliminated:
        return None
    state = _write_down(state)
    moved = state if state.over else _move_to(state, entry.player)
    return moved if moved.over else moved.but(turn=entry.turn)


def _throw(state: GameState, entry: Entry, throw: AnyThrow) -> GameState:
    outcome = judge(throw, state.rules)
    if outcome.effect is Effect.RETHROW:
        return state.but(history=state.history.plus(entry.judged(outcome)))
    settled, players = _settle_call(state, outcome, throw)
    history = state.history.plus(entry.judged(outcome, settled=settled))
    if outcome.effect is not Effect.SCORE:
        return _bust(state.but(history=history), outcome.effect)
    scored = state.but(
        history=history,
        players=players,
        call=None,
        turn_points=state.turn_points + outcome.points,
        turn_throws=state.turn_throws + 1,
    )
    return _end_if_reached(scored)


def _bust(state: GameState, effect: Effect) -> GameState:
    thrower = state.players[state.up]
    if effect is Effect.LOSE_ALL:
        emptied = Player(thrower.name)
        state = state.but(players=_with(state.players, state.up, emptied))
    elif effect is Effect.ELIMINATE:
        out = Player(thrower.name, thrower.score, eliminated=True)
        state = state.but(players=_with(state.players, state.up, out))
        winners = state.standing
        if len(winners) <= 1:
            return _end(state, Ending.LAST_STANDING if winners else Ending.ALL_OUT, winners)
    return _next_turn(state)


def _bank(state: GameState, entry: Entry) -> GameState:
    if not state.turn_throws:
        name = state.players[state.up].name
        raise TurnError(f"{name} has not thrown yet; a turn starts with a throw")
    state = _write_down(state.but(history=state.history.plus(entry)))
    return state if state.over else _next_turn(state)


def _write_down(state: GameState) -> GameState:
    """Bring the running turn to the pad, which may end the game."""
    players = _with_score(state.players, state.up, state.turn_points)
    return _end_if_reached(state.but(players=players, turn_points=0))


def _call(state: GameState, entry: Entry, event: HogCalled) -> GameState:
    form = state.rules.hog_call
    if form is HogCallForm.OFF:
        raise CallError("this game is played without Hog Call")
    state.check_seat(event.caller)
    caller, thrower = state.players[event.caller], state.players[state.up]
    if event.caller == state.up:
        raise CallError(f"{caller.name} is throwing, and the thrower may not call")
    if caller.eliminated:
        raise CallError(f"{caller.name} is out of the game and may not call")
    if state.call is not None:
        first = state.players[state.call.caller].name
        raise CallError(f"{first} called first, and only the first call counts")
    needing = thrower if form is HogCallForm.SEED else caller
    if needing.score < HOG_CALL_SCORE:
        raise CallError(
            f"{needing.name} needs {HOG_CALL_SCORE} points on the pad for a Hog Call, "
            f"and has {needing.score}"
        )
    check_call(event.call, state.rules)
    return state.but(call=event, history=state.history.plus(entry))


def _settle_call(
    state: GameState, outcome: Outcome, throw: AnyThrow
) -> tuple[Settlement | None, tuple[Player, ...]]:
    """Move twice the throw's points between caller and thrower; nobody falls below 0."""
    called = state.call
    if called is None:
        return None, state.players
    right = called.call.is_right(throw, state.rules)
    amount = HOG_CALL_FACTOR * outcome.points  # 0 for a throw without points
    if not amount or not (right or state.rules.hog_call is HogCallForm.OFFICIAL):
        return Settlement(called.caller, right), state.players
    winner, loser = (called.caller, state.up) if right else (state.up, called.caller)
    settled = Settlement(called.caller, right, amount, min(amount, state.players[loser].score))
    players = _with_score(state.players, winner, amount)
    return settled, _with_score(players, loser, -amount)


def _stop(state: GameState, entry: Entry) -> GameState:
    """End the game where it stands: the pad counts, a running turn does not."""
    state = state.but(history=state.history.plus(entry))
    best = max(state.players[i].score for i in state.standing)
    winners = _leaders(state, best) if best else ()
    return _end(state, Ending.STOPPED, winners)


def _end_if_reached(state: GameState) -> GameState:
    """End a game that does not wait for the round, once somebody has the points.

    Two can have them at once through a Hog Call; then the higher total wins, a tie is shared.
    """
    target = state.rules.target
    if target is None or state.rules.game_end is GameEnd.FINISH_ROUND:
        return state
    if state.rules.game_end is GameEnd.ON_REACH:
        totals = [state.total(i) for i in state.standing]
    else:
        totals = [state.players[i].score for i in state.standing]
    best = max(totals)
    if best < target:
        return state
    if state.rules.game_end is GameEnd.ON_REACH:
        players = _with_score(state.players, state.up, state.turn_points)
        state = state.but(players=players)
    return _end(state, Ending.TARGET, _leaders(state, best))


def _next_turn(state: GameState) -> GameState:
    """Give the turn to the next seat that is not out; there is one, or the game were over."""
    players = state.players
    seat = (state.up + 1) % len(players)
    while players[seat].eliminated:
        seat = (seat + 1) % len(players)
    return _move_to(state, seat)


def _move_to(state: GameState, seat: int) -> GameState:
    """Give the turn to a seat; a round that somebody reached the target in ends here."""
    target = state.rules.target
    round_over = seat <= state.up
    if round_over and target is not None and state.rules.game_end is GameEnd.FINISH_ROUND:
        best = max(state.players[i].score for i in state.standing)
        if best >= target:
            return _end(state, Ending.TARGET, _leaders(state, best))
    return state.but(up=seat, turn=state.turn + 1, turn_points=0, turn_throws=0, call=None)


def _leaders(state: GameState, score: int) -> tuple[int, ...]:
    return tuple(i for i in state.standing if state.players[i].score == score)


def _end(state: GameState, ending: Ending, winners: tuple[int, ...]) -> GameState:
    return state.but(ending=ending, winners=winners, turn_points=0, turn_throws=0, call=None)


def _with_score(players: tuple[Player, ...], seat: int, change: int) -> tuple[Player, ...]:
    """Add to a score, or take from it down to 0."""
    player = players[seat]
    changed = Player(player.name, max(0, player.score + change), player.eliminated)
    return _with(players, seat, changed)


def _with(players: tuple[Player, ...], seat: int, player: Player) -> tuple[Player, ...]:
    return (*players[:seat], player, *players[seat + 1 :])
