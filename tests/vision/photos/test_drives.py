"""Which journal a store has goes by whose disk it lies on."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from vision.photos import drives
from vision.photos.labels import Labels
from vision.photos.photo_set import Photo, PhotoSet
from vision.photos.store import STORE_NAME, Store

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="kinds of file systems of Linux")


def mode(store: Store) -> str:
    return str(store.rows("PRAGMA journal_mode")[0][0])


def test_a_disk_of_this_machine_is_known_and_its_store_has_a_log(tmp_path: Path) -> None:
    assert drives.is_local(tmp_path)
    with PhotoSet.open(tmp_path) as photos:
        assert mode(photos.store) == "wal"


@pytest.mark.parametrize("kind", ["nfs4", "cifs", "fuse.sshfs", ""])
def test_elsewhere_the_journal_is_the_classic_one(
    kind: str, photos: PhotoSet, photo: Photo, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = photos.save(photo.id, Labels(unsure=True), revision=0)
    photos.close()
    monkeypatch.setattr(drives, "_kind", lambda _device: kind)
    with PhotoSet.open(photos.folder) as moved:
        assert mode(moved.store) == "truncate", "also where the set had a log before"
        assert moved.photo(photo.id) == kept


def test_what_has_no_file_system_of_its_own_is_no_local_disk() -> None:
    assert not drives.is_local(Path("/proc"))


def test_closed_a_set_is_one_file_again(photos: PhotoSet, photo: Photo, tmp_path: Path) -> None:
    photos.save(photo.id, Labels(unsure=True), revision=0)
    photos.close()
    assert sorted(p.name for p in photos.folder.glob(f"{STORE_NAME}*")) == [STORE_NAME]
    alone = tmp_path / "alone"
    alone.mkdir()
    shutil.copyfile(photos.folder / STORE_NAME, alone / STORE_NAME)
    with PhotoSet.open(alone) as copy:
        assert copy.photo(photo.id).labels == Labels(unsure=True)
