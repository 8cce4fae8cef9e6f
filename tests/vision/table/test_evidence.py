"""Each throw's evidence is kept, within a cap, and never in the way of the game."""

from __future__ import annotations

import json
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PIL import Image as Pillow

from tests.vision.table.kept import FIVE, frame, seen
from vision.table.evidence import Evidence
from vision.table.replay import Ring, animate
from vision.table.shelf import FACTS, Shelf

if TYPE_CHECKING:
    from tests.conftest import Until


def size(picture: Path) -> tuple[int, int]:
    with Pillow.open(picture) as opened:
        return opened.size


def film(evidence: Evidence, frames: int, throws: dict[int, int | None]) -> list[str]:
    keys = []
    for index in range(frames):
        evidence.frame(frame(index))
        if index in throws:
            keys.append(evidence.keep("game", throws[index], seen(index)))
    evidence.close()
    return keys


def test_a_throw_keeps_pictures_replay_and_facts(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path, models={"pose": "abc"})
    (key,) = film(evidence, 200, {120: 7})
    assert key == "game/000007"
    folder = tmp_path / key
    sizes = {f.name: size(f) for f in folder.iterdir() if f.name != FACTS}
    assert sizes == {
        "still.jpg": (320, 180),
        "pig1.jpg": (320, 320),
        "pig2.jpg": (320, 320),
        "contact.jpg": (640, 640),
        "replay.webp": (320, 180),
    }
    facts = json.loads((folder / FACTS).read_text())
    assert facts["game"] == "game"
    assert (facts["event"], facts["frame"], facts["source"]) == (7, 120, "drawn")
    assert facts["models"] == {"pose": "abc"}
    assert facts["reading"]["pigs"][0]["probabilities"]["trotter"] == 1.0
    assert facts["reading"]["contact"]["gap_mm"] == 12.5
    assert facts["corrected"] is None
    assert evidence.trouble == ""


def test_the_replay_lasts_three_seconds_around_the_reading(tmp_path: Path) -> None:
    (key,) = film(Evidence(tmp_path), 200, {120: 7})
    with Pillow.open(tmp_path / key / "replay.webp") as replay:
        frames = replay.n_frames  # type: ignore[attr-defined]
        assert 40 <= frames <= 46


def test_a_throw_at_the_very_end_is_kept_too(tmp_path: Path) -> None:
    keys = film(Evidence(tmp_path), 10, {9: None})
    assert keys == ["game/q00001"]
    assert (tmp_path / keys[0] / "replay.webp").exists()


@pytest.mark.parametrize(("fps", "kept"), [(60.0, 46), (30.0, 46), (15.0, 46), (5.0, 16)])
def test_the_ring_keeps_a_few_seconds_whatever_the_rate(fps: float, kept: int) -> None:
    ring = Ring()
    for index in range(int(10 * fps)):
        ring.add(frame(index, fps))
    shots = ring.since(0.0)
    assert len(shots) == pytest.approx(kept, abs=2)
    assert shots[-1].time_s - shots[0].time_s == pytest.approx(3.0, abs=0.25)
    with Pillow.open(BytesIO(animate(shots))) as moving:
        assert moving.size == (320, 180)


def entries(folder: Path) -> list[str]:
    return sorted(f.parent.name for f in folder.glob(f"*/*/{FACTS}"))


def fill(shelf: Shelf, names: range, size: int = 900) -> None:
    for number in names:
        shelf.put(f"g/{number}", {FACTS: b"{}", "still.jpg": bytes(size)})


def test_the_cap_prunes_the_oldest_and_the_uncorrected_first(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, 5_000)
    fill(shelf, range(5))
    shelf.correct("g/0", {"poses": ["snouter", "snouter"]})
    fill(shelf, range(5, 9))
    kept = entries(tmp_path)
    assert "0" in kept
    assert "8" in kept
    assert "1" not in kept
    total = sum(f.stat().st_size for f in tmp_path.rglob("*") if f.is_file())
    assert total <= 5_000 + 200


def test_what_was_kept_before_is_known_and_pruned(tmp_path: Path) -> None:
    fill(Shelf(tmp_path, 5_000), range(5))
    fill(Shelf(tmp_path, 5_000), range(5, 8))
    assert "7" in entries(tmp_path)
    assert len(entries(tmp_path)) <= 5


def test_a_correction_of_what_is_gone_is_nothing(tmp_path: Path) -> None:
    Shelf(tmp_path, 5_000).correct("g/1", {})
    assert not list(tmp_path.iterdir())


@contextmanager
def full_disk(free: int) -> Iterator[None]:
    """Let no file grow beyond so many bytes, as a full disk would."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (free, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_is_told_and_leaves_nothing_half_written(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path)
    with full_disk(1500):
        film(evidence, 40, {10: 1})
        told = evidence.trouble
    assert "evidence is not kept" in told
    assert not [f for f in tmp_path.rglob("*") if f.is_file()]


def test_it_goes_on_when_the_disk_has_room_again(tmp_path: Path, until: Until) -> None:
    evidence = Evidence(tmp_path)
    with full_disk(1500):
        for index in range(40):
            evidence.frame(frame(index))
            if index == 10:
                evidence.keep("game", 1, seen(index))
        until(lambda: evidence.trouble)
    for index in range(40, 80):
        evidence.frame(frame(index))
        if index == 50:
            evidence.keep("game", 2, seen(index))
    evidence.close()
    assert entries(tmp_path) == ["000002"]
    assert evidence.trouble == ""


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    evidence = Evidence(blocked / "evidence")
    film(evidence, 40, {10: 1})
    assert "evidence is not kept" in evidence.trouble


@pytest.mark.parametrize("left", [b"", b'{"version": 1, "corr', b"\xff\xfe\x00", b"[1]", b"7"])
def test_one_damaged_throw_is_told_and_does_not_end_the_keeping(
    tmp_path: Path, until: Until, left: bytes
) -> None:
    film(Evidence(tmp_path), 10, {5: 1})
    damaged = tmp_path / "game" / "000001" / FACTS
    damaged.write_bytes(left)
    evidence = Evidence(tmp_path)
    evidence.answered("game/000001", 1, FIVE)
    until(lambda: evidence.trouble)
    assert "what is known of the throw game/000001 is damaged" in evidence.trouble
    film(evidence, 10, {5: 2})
    assert entries(tmp_path) == ["000001", "000002"]
    assert evidence.trouble == ""
    assert damaged.read_bytes() == left


def test_a_correction_that_cannot_be_written_leaves_the_old_facts(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, 5_000)
    shelf.put("g/1", {FACTS: b'{"event": 1}'})
    with full_disk(10), pytest.raises(OSError, match="too large"):
        shelf.correct("g/1", {"poses": ["snouter", "snouter"]})
    assert (tmp_path / "g" / "1" / FACTS).read_bytes() == b'{"event": 1}'


def test_a_slow_disk_never_holds_up_the_table(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path)
    told = set()
    for index in range(400):
        evidence.frame(frame(index, fps=2.0))
        evidence.keep("game", index, seen(index))
        told.add(evidence.trouble)
    # Far more than can be compressed in this time: the rest was left out, not waited for.
    assert any("too slow" in trouble for trouble in told)
