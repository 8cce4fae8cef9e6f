"""Nothing acknowledged is lost: the server killed, the disk full, two people on one picture."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx2 as httpx
import pytest

from vision.photos.labels import Labels
from vision.photos.photo_set import PhotoSet
from vision.photos.store import STORE_NAME

if TYPE_CHECKING:
    from tests.conftest import Until

MakeSet = Callable[..., tuple[Path, list[int]]]
LabelsOf = Callable[[Path, int], Labels]


def sound(folder: Path) -> bool:
    db = sqlite3.connect(folder / STORE_NAME)
    result: str = db.execute("PRAGMA integrity_check").fetchone()[0]
    db.close()
    return result == "ok"


def box(n: int) -> dict[str, Any]:
    return {"pigs": [{"box": [n, 0, n + 10, 10], "pose": "trotter"}]}


def reached(goals: dict[int, int], now: dict[int, int]) -> bool:
    return all(now[i] >= goal for i, goal in goals.items())


@pytest.mark.slow
def test_a_killed_server_loses_nothing_acknowledged(
    make_set: MakeSet, serve: Callable[..., Any], labels_of: LabelsOf, until: Until
) -> None:
    folder, ids = make_set(4)
    server = serve(folder)
    acknowledged = dict.fromkeys(ids, -1)
    for writes in (1, 4, 9):
        goals = {i: last + writes for i, last in acknowledged.items()}
        ended = threading.Event()

        def write(photo_id: int, ended: threading.Event = ended) -> None:
            with httpx.Client(base_url=server.url, timeout=120) as client:
                try:
                    revision = client.get(f"/api/photos/{photo_id}").json()["revision"]
                    while not ended.is_set():
                        said = {
                            "labels": box(revision),
                            "revision": revision,
                            "client": "killing-1",
                        }
                        answer = client.put(f"/api/photos/{photo_id}/labels", json=said)
                        assert answer.status_code == 200, answer.text
                        acknowledged[photo_id] = revision
                        revision = answer.json()["revision"]
                except httpx.TransportError:
                    return

        writers = [threading.Thread(target=write, args=(i,)) for i in ids]
        for writer in writers:
            writer.start()
        until(partial(reached, goals, acknowledged))
        server.end(signal.SIGKILL)
        ended.set()
        for writer in writers:
            writer.join()
        assert sound(folder)
        for photo_id, last in acknowledged.items():
            assert labels_of(folder, photo_id).pigs[0].box[0] >= last
        server.start()


def test_the_page_goes_on_after_the_server_was_killed(
    make_set: MakeSet,
    serve: Callable[..., Any],
    open_page: Callable[..., Any],
    labels_of: LabelsOf,
) -> None:
    folder, ids = make_set(3)
    server = serve(folder)
    desk = open_page(server.url, may_fail=True)
    desk.press("n", "4", "r")
    desk.at(ids[1])
    desk.saved()
    server.end(signal.SIGKILL)
    desk.press("n", "5", "r")
    desk.at(ids[2])
    desk.press("n", "6")
    desk.page.wait_for_selector(".save[data-state='failed']")
    desk.page.wait_for_selector(".trouble:has-text('Trying again')")
    server.start()
    desk.page.wait_for_selector(".save[data-state='saved']")
    poses = [[p.pose for p in labels_of(folder, i).pigs] for i in ids]
    assert poses == [["trotter"], ["snouter"], ["leaning_jowler"]]
    assert [labels_of(folder, i).reviewed for i in ids] == [True, True, False]
    desk.press("Control+z")
    desk.page.wait_for_selector(".pigs button:has-text('Not named')")


def test_what_was_not_acknowledged_survives_the_tab(
    make_set: MakeSet,
    serve: Callable[..., Any],
    open_page: Callable[..., Any],
    labels_of: LabelsOf,
) -> None:
    folder, ids = make_set(2)
    server = serve(folder)
    desk = open_page(server.url, may_fail=True)
    server.end(signal.SIGKILL)
    desk.press("n", "4")
    desk.page.wait_for_selector(".save[data-state='failed']")
    # The tab dies with what it knows; only what this browser keeps is left.
    desk.page.on("dialog", lambda dialog: dialog.accept())
    desk.page.goto("about:blank")
    server.start()
    with PhotoSet.open(folder) as photos:
        assert photos.photo(ids[0]).labels is None
    desk.page.goto(server.url)
    desk.page.wait_for_selector(".save[data-state='saved']")
    desk.page.wait_for_selector(".pigs button:has-text('Trotter')")
    assert [p.pose for p in labels_of(folder, ids[0]).pigs] == ["trotter"]


def test_two_browsers_on_one_picture(
    make_set: MakeSet,
    serve: Callable[..., Any],
    open_page: Callable[..., Any],
    labels_of: LabelsOf,
) -> None:
    folder, ids = make_set(3)
    url = serve(folder).url
    ada, bo = open_page(url, may_fail=True), open_page(url, may_fail=True)
    for desk, name in ((ada, "Ada"), (bo, "Bo")):
        desk.page.evaluate(f"localStorage.setItem('sooee.who', '\"{name}\"')")
        desk.page.reload()
        desk.at(ids[0])
    # Held up on the way, so that both say something about the same revision.
    bo.page.route("**/api/photos?*", lambda route: route.abort())
    ada.press("n", "3", "r")
    ada.at(ids[1])
    ada.saved()
    bo.press("n")
    bo.page.wait_for_selector(".note.warn:has-text('Ada changed this picture')")
    bo.press("5")  # said while the question stands
    assert [p.pose for p in labels_of(folder, ids[0]).pigs] == ["razorback"]
    bo.page.unroute("**/api/photos?*")
    bo.page.get_by_role("button", name="Mine").click()
    bo.saved()
    assert [p.pose for p in labels_of(folder, ids[0]).pigs] == ["snouter"]
    ada.press("j")
    ada.at(ids[0])
    ada.page.wait_for_selector(".pigs button:has-text('Snouter')")
    # Different pictures at once: both count, and each sees the other's.
    ada.press("k")
    ada.at(ids[1])
    ada.press("n", "4")
    bo.press("End")
    bo.at(ids[2])
    bo.press("n", "1")
    ada.saved()
    bo.saved()
    assert [p.pose for p in labels_of(folder, ids[1]).pigs] == ["trotter"]
    assert [p.pose for p in labels_of(folder, ids[2]).pigs] == ["dot_up"]
    bo.press("j")
    bo.at(ids[1])
    bo.page.wait_for_selector(".pigs button:has-text('Trotter')")


def test_many_clients_on_one_picture_never_lose_an_acknowledged_change(
    make_set: MakeSet, serve: Callable[..., Any]
) -> None:
    folder, (photo_id,) = make_set(1)
    server = serve(folder)
    won: list[tuple[int, str]] = []

    def write(name: str) -> None:
        with httpx.Client(base_url=server.url, timeout=120) as client:
            for _ in range(8):
                revision = client.get(f"/api/photos/{photo_id}").json()["revision"]
                labels = {"pigs": [], "reviewed": True, "reviewed_by": f"{name} {revision}"}
                said = {"labels": labels, "revision": revision, "client": f"client-{name}"}
                answer = client.put(f"/api/photos/{photo_id}/labels", json=said)
                if answer.status_code == 200:
                    won.append((revision, name))
                else:
                    assert answer.status_code == 409

    writers = [threading.Thread(target=write, args=(str(n),)) for n in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert len({revision for revision, _ in won}) == len(won), "two changed the same revision"
    with PhotoSet.open(folder) as photos:
        rows = photos.store.rows("SELECT after FROM change ORDER BY id")
        assert len(rows) == len(won) == photos.photo(photo_id).revision


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Give a folder on a disk of two megabytes."""
    place = tmp_path / "disk"
    place.mkdir()
    mount, unmount = shutil.which("mount"), shutil.which("umount")
    if mount is None or unmount is None or not hasattr(os, "geteuid") or os.geteuid() != 0:
        pytest.skip("a disk of two megabytes can only be made by root")
    made = subprocess.run([mount, "-t", "tmpfs", "-o", "size=2m", "tmpfs", place], check=False)
    if made.returncode != 0:
        pytest.skip("this machine lets nobody mount a disk")
    yield place
    subprocess.run([unmount, "-l", place], check=True)


def fill(path: Path) -> None:
    with path.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))


def test_a_full_disk(
    small_disk: Path,
    make_set: MakeSet,
    serve: Callable[..., Any],
    open_page: Callable[..., Any],
    labels_of: LabelsOf,
    table_picture: Callable[..., bytes],
) -> None:
    folder, ids = make_set(2, name="disk/pigs")
    server = serve(folder)
    desk = open_page(server.url, may_fail=True)
    desk.press("n", "4", "r")
    desk.at(ids[1])
    desk.saved()
    filler = small_disk / "filler"
    with pytest.raises(OSError, match="No space"):
        fill(filler)
    desk.press("n", "5")
    desk.page.wait_for_selector(".trouble:has-text('disk is full')")
    with httpx.Client(base_url=server.url, timeout=120) as client:
        answer = client.post("/api/photos?name=more.png", content=table_picture(90, []))
        assert answer.status_code == 507
        assert "disk is full" in answer.json()["detail"]
        assert client.get(f"/api/photos/{ids[0]}").json()["labels"]["reviewed"]
    filler.unlink()
    desk.page.wait_for_selector(".save[data-state='saved']")
    assert sound(folder)
    assert [p.pose for p in labels_of(folder, ids[0]).pigs] == ["trotter"]
    assert [p.pose for p in labels_of(folder, ids[1]).pigs] == ["snouter"]
    assert not list(folder.rglob(".partial-*"))


def test_ended_by_a_person_it_ends_without_complaint(
    make_set: Callable[..., tuple[Path, list[int]]], serve: Callable[..., Any]
) -> None:
    folder, _ = make_set(1)
    process = serve(folder).process
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=120) == 0
