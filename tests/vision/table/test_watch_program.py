"""`sooee watch`, run as a user runs it; only the recognizer is one that reads drawn pigs."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from sqlite3 import connect
from typing import TYPE_CHECKING, Any

import pytest

from scoring.events import ThrowMade
from scoring.state import GameState
from scoring.store import Store
from scoring.throw import Pose

if TYPE_CHECKING:
    from tests.conftest import Watchdog
    from tests.vision.table.conftest import Pig, Stage

Started = Callable[..., "subprocess.Popen[str]"]
PROGRAM = Path(__file__).with_name("blobs.py")

THROWS = [
    (Pose.SNOUTER, Pose.TROTTER),  # 15
    (Pose.RAZORBACK, Pose.RAZORBACK),  # 20: 35, banked
    (Pose.DOT_UP, Pose.DOT_DOWN),  # pig out
    (Pose.DOT_UP, Pose.DOT_UP),  # 1
    (Pose.RAZORBACK, Pose.DOT_UP),  # 5
    (Pose.TROTTER, Pose.TROTTER),  # 20: 26, banked
    (Pose.LEANING_JOWLER, Pose.SNOUTER),  # 25, banked
    (Pose.SNOUTER, Pose.SNOUTER),  # 40: 35 + 26 + 40 wins
]


def blobs_colour() -> Callable[[str], tuple[int, int, int]]:
    """Give the colours that the program's recognizer reads."""
    spec = importlib.util.spec_from_file_location("blobs", PROGRAM)
    assert spec is not None
    assert spec.loader is not None
    blobs = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(blobs)
    colour: Callable[[str], tuple[int, int, int]] = blobs.colour
    return colour


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory, film_stage: Stage, film_pig: type[Pig]) -> Path:
    """A filmed game of eight throws; `short.avi` beside it has the first two."""
    colour = blobs_colour()
    folder = tmp_path_factory.mktemp("clip")
    for i, (first, second) in enumerate(THROWS):
        film_stage.hold(0.4).throw(
            film_pig(150 + 20 * i, 120 + 10 * i, first, 36.0 * i),
            film_pig(500 - 20 * i, 280 - 12 * i, second, 20.0 * i),
            seconds=0.3,
        )
        film_stage.hold(0.7).pick_up()
        if i == 1:
            film_stage.film(folder / "short.avi", colour)
    return film_stage.film(folder / "game.avi", colour)


@pytest.fixture(scope="module")
def troubled(tmp_path_factory: pytest.TempPathFactory, dark_stage: Stage,
             film_pig: type[Pig]) -> Path:  # fmt: skip
    """A filmed game with a dark second after the first throw, and then a pig thrown alone."""
    film = dark_stage.hold(0.4)
    film.throw(film_pig(150, 120, Pose.SNOUTER), film_pig(500, 280, Pose.TROTTER), seconds=0.3)
    film.hold(0.7).hold(0.8, gain=0.0).hold(0.6, gain=1.0).pick_up().hold(0.3)
    film.throw(film_pig(200, 200, Pose.DOT_UP), seconds=0.3).hold(1.2).pick_up().hold(0.3)
    film.throw(film_pig(170, 130, Pose.RAZORBACK), film_pig(480, 260), seconds=0.3).hold(0.7)
    return film.film(tmp_path_factory.mktemp("troubled") / "game.avi", blobs_colour())


@dataclass(frozen=True)
class Played:
    """A run of the program over the whole clip, and the games it kept."""

    done: subprocess.CompletedProcess[str]
    database: Path


@pytest.fixture(scope="module")
def played(clip: Path, tmp_path_factory: pytest.TempPathFactory) -> Played:
    database = tmp_path_factory.mktemp("played") / "games.sqlite3"
    words = ("--json", "--bank-at", "20", "--players", "Anna,Bo")
    return Played(watch(clip, *words, database=database), database)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite3"


def watch(*words: str | Path, database: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, PROGRAM, "watch", *words, "--database", database]
    return subprocess.run(command, capture_output=True, text=True, timeout=480, check=False)


@pytest.fixture
def started(database: Path, watchdog: Watchdog) -> Started:
    """Start the program, to be listened to while it runs."""

    def start(*words: str | Path) -> subprocess.Popen[str]:
        command = [sys.executable, PROGRAM, "watch", "--json", *words, "--database", database]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        watchdog(process)
        return process

    return start


def lines(text: str, event: str) -> list[dict[str, Any]]:
    return [d for d in map(json.loads, text.splitlines()) if d["event"] == event]


def test_a_filmed_game_is_scored(played: Played) -> None:
    done = played.done
    assert (done.returncode, done.stderr) == (0, "")
    throws = lines(done.stdout, "throw")
    assert [tuple(sorted(t["poses"])) for t in throws] == [tuple(sorted(t)) for t in THROWS]
    assert [t["points"] for t in throws] == [15, 20, 0, 1, 5, 20, 25, 40]
    assert [t["player"] for t in throws] == ["Anna", "Anna", "Bo", *["Anna"] * 3, "Bo", "Anna"]
    assert [b["score"] for b in lines(done.stdout, "bank")] == [35, 61, 25]
    (scores,) = lines(done.stdout, "scores")
    assert scores["winners"] == ["Anna"]
    assert [s["score"] for s in scores["scores"]] == [101, 25]
    with Store(played.database) as store:
        assert store.state(store.find("latest")).winners == (0,)


def test_the_contract_of_a_throw_line(played: Played) -> None:
    throw = lines(played.done.stdout, "throw")[0]
    kinds = {
        "event": str,
        "time_s": float,
        "frame": int,
        "poses": list,
        "contact": str,
        "decision": str,
        "outcome": str,
        "points": int,
    }
    assert {k: type(throw[k]) for k in kinds} == kinds
    assert (throw["outcome"], throw["decision"], throw["contact"]) == (
        "mixed_combo",
        "accept",
        "apart",
    )


def test_people_read_each_throw_and_the_score(clip: Path, database: Path) -> None:
    done = watch(clip, "--bank-at", "20", "--players", "Anna,Bo", database=database)
    assert "Anna: snouter and trotter: Mixed Combo, 15 points, 15 this turn" in done.stdout
    assert "Anna banks 35 and has 35" in done.stdout
    assert done.stdout.splitlines()[-3:] == ["Final score", "  Anna   101  wins", "  Bo      25"]


def test_a_second_run_is_a_second_game_unless_asked_to_go_on(clip: Path, database: Path) -> None:
    short = clip.with_name("short.avi")
    for words in (["--target", "endless"], ["--target", "endless"], ["--game", "latest"]):
        assert watch(short, *words, database=database).returncode == 0
    with Store(database) as store:
        assert len(store.games()) == 2
        throws = [sum(isinstance(e, ThrowMade) for e in store.events(g.id)) for g in store.games()]
    assert sorted(throws) == [2, 4]


def follow(process: subprocess.Popen[str]) -> Iterator[dict[str, Any]]:
    assert process.stdout is not None
    for line in process.stdout:
        if line.endswith("\n"):  # the last one may be cut off
            yield json.loads(line)


@pytest.mark.parametrize(
    ("event", "value", "times"),
    [
        ("throw", None, 1),
        ("throw", None, 4),
        ("bank", None, 1),
        ("state", "moving", 3),
        ("state", "settling", 4),
        ("state", "still", 2),
        ("state", "hand", 3),
        ("state", "empty", 3),
    ],
)
def test_killed_at_any_moment_the_log_has_what_was_told(
    event: str, value: str | None, times: int, clip: Path, database: Path, started: Started
) -> None:
    kill_at(started(clip, "--bank-at", "20"), (event, value, times), database)


@pytest.mark.parametrize("value", ["no_camera", "asking"])
def test_killed_in_trouble_the_log_has_what_was_told(
    value: str, troubled: Path, database: Path, started: Started
) -> None:
    assert len(kill_at(started(troubled), ("state", value, 1), database).throws) == 1


def kill_at(
    running: subprocess.Popen[str], at: tuple[str, str | None, int], database: Path
) -> GameState:
    """Kill the program when an event comes for the so-manieth time; gives the game it logged."""
    event, value, times = at
    told: list[dict[str, Any]] = []
    with running as process:
        for line in follow(process):
            told.append(line)
            if line["event"] == event and value in (None, line.get("state")):
                times -= 1
            if times == 0:
                process.kill()
    assert process.returncode == -9
    last = [t for t in told if "seq" in t][-1]
    with Store(database) as store:
        game = store.find("latest")
        state = store.state(game)
        assert game == told[0]["game"]
    # It may have died between the log and the line; nothing that was told may be missing.
    assert state.seq in (last["seq"], last["seq"] + 1)
    logged = [list(t.throw.poses) for t in state.throws if t.throw is not None]  # type: ignore[union-attr]
    said = [sorted(t["poses"], key=list(Pose).index) for t in told if t["event"] == "throw"]
    assert logged[: len(said)] == said
    assert len(logged) <= len(said) + 1
    return state


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nowhere.mp4"], "there is no video file"),
        (["9"], "there is no camera 9"),
        (["rtsp://127.0.0.1:1/"], "does not answer"),
        (["teapot"], "there is no 'teapot'"),
        (["{clip}", "--rules", "poker"], "no game 'poker'"),
        (["{clip}", "--rules", "pig"], "thrown with dice"),
        (["{clip}", "--target", "-5"], "a target is a whole number"),
        (["{clip}", "--players", "Bo,Bo"], "names of their own"),
        (["{clip}", "--game", "feed"], "there is no game"),
    ],
)
def test_refusals_are_one_line(words: list[str], message: str, clip: Path, database: Path) -> None:
    done = watch(*(w.format(clip=clip) for w in words), database=database)
    assert done.returncode == 1
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""


def test_a_video_cut_short_keeps_what_was_logged(
    clip: Path, database: Path, tmp_path: Path
) -> None:
    content = clip.read_bytes()
    short = tmp_path / "short.avi"
    short.write_bytes(content[: len(content) // 2])
    done = watch(short, "--json", database=database)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    throws = lines(done.stdout, "throw")
    assert 2 <= len(throws) <= 5
    with Store(database) as store:
        assert len(store.state(store.find("latest")).throws) == len(throws)


def test_a_broken_picture_begins_no_game(database: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(b"\xff\xd8 no picture")
    done = watch(broken, database=database)
    assert (done.returncode, done.stdout) == (1, "")
    assert len(done.stderr.splitlines()) == 1
    with Store(database) as store:
        assert not store.games()


def test_a_database_that_cannot_be_written(clip: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    done = watch(clip, database=blocked / "games.sqlite3")
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1


def test_no_torch_is_loaded(clip: Path, database: Path) -> None:
    code = (
        "import runpy, sys\n"
        f"sys.argv = ['sooee', 'watch', {str(clip)!r}, '--database', {str(database)!r}]\n"
        "try:\n"
        f"    runpy.run_path({str(PROGRAM)!r}, run_name='__main__')\n"
        "finally:\n"
        "    print('LOADED', sorted(m for m in sys.modules if m.split('.')[0] in "
        "{'torch', 'ultralytics', 'mujoco', 'moderngl'}))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=480, check=False
    )
    assert "LOADED []" in done.stdout, done.stderr


def test_ctrl_c_ends_with_the_score(clip: Path, started: Started) -> None:
    with started(clip) as process:
        told = []
        for line in follow(process):
            told.append(line["event"])
            if line["event"] == "throw":
                os.kill(process.pid, 2)
    assert process.returncode == 0
    assert told[-1] == "scores"


def test_a_database_locked_for_a_while_loses_nothing(
    clip: Path, database: Path, started: Started
) -> None:
    with Store(database):
        pass
    with started(clip) as process, closing(connect(database)) as other:
        for line in follow(process):
            if line["event"] == "throw":
                other.execute("BEGIN IMMEDIATE")
                time.sleep(10)  # it waits for fifteen
                other.rollback()
                break
        rest = list(follow(process))
    assert process.returncode == 0
    with Store(database) as store:
        assert len(store.state(store.find("latest")).throws) == 8
    assert sum(line["event"] == "throw" for line in rest) == 7
