"""Measures the scoring engine: appends, replay, best play. Run: python scripts/bench_scoring.py"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from scoring.commands import StartGame
from scoring.effects import Effect
from scoring.events import Banked, Event, Source, ThrowMade
from scoring.game import decide, replay
from scoring.odds import chances, load_odds
from scoring.outcome import judge
from scoring.rulefile import load_rules
from scoring.state import GameState, Player
from scoring.store import Store
from scoring.strategy import cache
from scoring.strategy.advice import advise
from scoring.strategy.solution import solution_of
from scoring.strategy.solve import Problem
from scoring.virtual import draws

EVENTS = 100_000
HOLD = 22


def timed(name: str, act: Callable[[], object]) -> float:
    """Print wall and processor time of one act; return the wall time."""
    wall, cpu = time.perf_counter(), time.process_time()
    act()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{name}: {wall:.3f} s, processor {cpu:.3f} s, peak memory {peak:.0f} MB", flush=True)
    return wall


def turns(count: int) -> list[list[Event]]:
    """Make a long game of two as people play it: turns of real pigs, banked at 22."""
    rules = load_rules(target=None)
    pigs = draws(load_odds("kern", rules), Random(1))  # noqa: S311
    made: list[list[Event]] = []
    total = 0
    while total < count:
        player, points = len(made) % 2, 0
        turn: list[Event] = []
        while points < HOLD:
            throw = next(pigs)
            turn.append(ThrowMade(player, throw, Source.CAMERA))
            outcome = judge(throw, rules)
            if outcome.effect is not Effect.SCORE:
                break
            points += outcome.points
        else:
            turn.append(Banked(player))
        made.append(turn)
        total += len(turn)
    return made


def append_and_replay(place: str) -> None:
    """Append a hundred thousand events a turn at a time, and read the game back."""
    start = decide(None, StartGame(load_rules(target=None), ("Anna", "Bo")))
    made = turns(EVENTS)
    count = sum(map(len, made))
    with Store(place) as store:
        game = store.create(start)

        def append() -> None:
            seq = 1
            for turn in made:
                seq = store.append(game, seq, turn)

        wall = timed(f"append {count} events in {len(made)} turns", append)
        print(f"  {count / wall:.0f} events a second, {len(made) / wall:.0f} commits a second")
        timed("read and replay from the store", lambda: store.state(game))
        events = store.events(game)
        timed("replay", lambda: replay(events))


def best_play() -> None:
    """Solve games, and ask for advice with a full cache."""
    rules = load_rules("classic")
    known = chances(load_odds("kern", rules), rules)
    for target in (100, 200):
        problem = Problem(known, target)
        found = []
        timed(f"solve classic, target {target}", lambda: found.append(solution_of(problem)))  # noqa: B023
        print(f"  residual {found[0].residual:.1e}, {found[0].values.rounds} rounds")
    state = GameState(rules, (Player("Anna", 41), Player("Bo", 49)), turn_points=22, turn_throws=1)
    with tempfile.TemporaryDirectory() as folder:
        advise(state, cache_folder=Path(folder))
        cache._solution.cache_clear()  # noqa: SLF001
        timed("advice, from the disk", lambda: advise(state, cache_folder=Path(folder)))
        timed("advice, from memory", lambda: advise(state, cache_folder=Path(folder)))


if __name__ == "__main__":
    if "--no-store" not in sys.argv:
        with tempfile.TemporaryDirectory(dir=".") as place:
            append_and_replay(str(Path(place) / "games.sqlite3"))
    if "--no-strategy" not in sys.argv:
        best_play()
