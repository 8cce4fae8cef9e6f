"""Several screens on one game: the same moment, a lost line, a killed server, who may what."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from scoring.events import Banked, ThrowMade, Undone
from scoring.store import Store

if TYPE_CHECKING:
    from tests.conftest import Watchdog

Visit = Callable[..., Any]


def events(house: Any, kind: type) -> int:
    """How many events of a kind the log holds."""
    ledger = house.place.room.ledger
    return sum(isinstance(e, kind) for e in ledger.store.events(ledger.game_id))


def at_once(screens: list[Any], what: str) -> None:
    """Press the same button on every screen before the server hears of any."""
    held: list[Any] = []

    def hold(request: Any) -> None:
        held.append(request)

    for screen in screens:
        screen.page.route(f"**/api/games/*/{what}", hold)
        screen.tap(what)
    while len(held) < len(screens):
        screens[0].page.wait_for_timeout(20)
    for request in held:
        request.continue_()


@pytest.mark.parametrize(("what", "kind"), [("bank", Banked), ("undo", Undone)])
def test_two_taps_in_the_same_moment_do_it_once(
    house: Any, visit: Visit, what: str, kind: type
) -> None:
    house.start()
    house.throw("trotter", "snouter")
    house.throw("razorback", "snouter")
    screens = [visit(house.url, may_fail=True) for _ in range(2)]
    for screen in screens:
        screen.wait_turn(30)
    at_once(screens, what)
    for screen in screens:
        screen.wait_turn(15 if what == "undo" else 0)
        screen.seen(house)
    assert events(house, kind) == 1


def test_a_double_click_throws_once(house: Any, visit: Visit) -> None:
    house.start()
    screen = visit(house.url)
    screen.page.click("[data-pad=table] .pad-row:nth-child(1) [data-pose=trotter]")
    screen.page.dblclick("[data-pad=table] .pad-row:nth-child(2) [data-pose=snouter]")
    screen.wait_turn(15)
    assert events(house, ThrowMade) == 1


def test_what_one_screen_does_the_other_shows_and_says_once(house: Any, visit: Visit) -> None:
    house.start()
    one, other = visit(house.url), visit(house.url, locale="da-DK")
    one.pad("trotter", "snouter")
    other.wait_turn(15)
    assert other.said == "Blandet kast, 15 point. 15 i denne tur."
    assert one.said == "Mixed Combo, 15 points. 15 this turn."
    one.tap("undo")
    other.wait_turn(0)
    assert other.said == "Fortrudt: Blandet kast (Anna)."


def test_a_tap_meant_for_what_was_there_a_moment_ago_is_refused(house: Any, visit: Visit) -> None:
    house.start()
    house.throw("trotter", "snouter")
    screen = visit(house.url, may_fail=True)
    screen.wait_turn(15)
    screen.page.evaluate(
        """() => new Promise(done => new MutationObserver(() => {
            document.querySelector('[data-do=bank]').click(); done(); })
            .observe(document.querySelector('[data-turn-points]'), {characterData: true,
             childList: true, subtree: true})) && null"""
    )
    house.throw("snouter", "dot_up")  # arrives in the very moment the finger comes down
    screen.page.wait_for_selector(".toast:has-text('Somebody else was first')")
    assert events(house, Banked) == 0
    screen.wait_turn(25)


@dataclass
class Program:
    """`sooee play` in a process of its own, to be killed and started again."""

    folder: Path
    watchdog: Watchdog
    port: int = 0
    process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def start(self, *more: str) -> Program:
        command = [
            sys.executable,
            "-c",
            "from vision.cli import main; main()",
            "play",
            "--no-camera",
            "--no-browser",
            f"--port={self.port}",
            f"--database={self.folder / 'games.sqlite3'}",
            f"--data={self.folder / 'page'}",
            *more,
        ]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env=dict(os.environ)
        )
        self.watchdog(self.process)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r":(\d+)/", line)
        assert found, f"the server did not start: {line!r}"
        self.port = int(found[1])
        return self

    def end(self, how: signal.Signals) -> int:
        if self.process is None:
            return 0
        self.process.send_signal(how)
        code = self.process.wait(timeout=120)
        if self.process.stdout is not None:
            self.process.stdout.close()
        self.process = None
        return code


@pytest.fixture
def program(tmp_path: Path, watchdog: Watchdog) -> Iterator[Program]:
    """The program, ended whatever happens."""
    started = Program(tmp_path, watchdog)
    yield started
    started.end(signal.SIGKILL)


def test_a_server_killed_in_the_middle_of_a_turn_loses_nothing(
    program: Program, visit: Visit
) -> None:
    program.start()
    httpx.post(f"{program.url}api/games", json={"players": ["Anna", "Bo"]}).raise_for_status()
    screen = visit(program.url, may_fail=True)
    screen.pad("trotter", "snouter")
    screen.wait_turn(15)
    program.end(signal.SIGKILL)
    screen.page.wait_for_selector("text=The line to the host is lost")
    screen.pad("snouter", "dot_up")  # goes nowhere, and says so
    screen.page.wait_for_selector(".toast:has-text('Nothing was changed')")
    program.start()
    screen.page.wait_for_selector("text=The line to the host is lost", state="detached")
    screen.wait_turn(15)
    screen.pad("razorback", "dot_up")
    screen.wait_turn(20)
    with Store(program.folder / "games.sqlite3") as store:
        game = store.games(limit=1)[0]
        assert sum(isinstance(e, ThrowMade) for e in store.events(game.id)) == 2


def test_ctrl_c_ends_the_program_with_screens_still_open(program: Program, visit: Visit) -> None:
    program.start("--language=da")
    screen = visit(program.url, may_fail=True, locale="en-GB")
    screen.page.wait_for_selector("text=Klar, når I er")  # the host's wish goes before the system
    assert program.end(signal.SIGINT) == 0


def test_a_second_program_on_the_same_port_says_what_to_do(program: Program) -> None:
    program.start()
    again = subprocess.run(
        [sys.executable, "-c", "from vision.cli import main; main()", "play", "--no-camera",
         f"--port={program.port}", f"--data={program.folder / 'page2'}",
         f"--database={program.folder / 'other.sqlite3'}"],
        capture_output=True, text=True, timeout=240, check=False,
    )  # fmt: skip
    assert again.returncode == 1
    assert again.stderr.count("\n") == 1
    assert "is sooee running already? Choose another port with --port" in again.stderr
