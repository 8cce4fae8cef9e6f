"""A new model is let in only if throws read right do not fall; there is a way back."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from scoring.throw import Contact
from vision.cli import main
from vision.errors import ModelError
from vision.learn.gate import GateError, compare, held_out_photos
from vision.learn.mix import MOST_REPEATS, MixError, mix
from vision.photos import arrivals
from vision.photos.labels import Labels, PigLabel
from vision.photos.photo_set import PhotoSet
from vision.photos.split import Split
from vision.recognize.installed import SHIPPED, Installed, models_in_use
from vision.recognize.reading import POSE_CLASSES
from vision.recognize.recognizer import Recognizer

COLOURS = {
    "dot_up": (255, 0, 0),
    "dot_down": (0, 255, 0),
    "razorback": (0, 0, 255),
    "trotter": (255, 255, 0),
    "snouter": (255, 0, 255),
    "leaning_jowler": (0, 255, 255),
}
"""As the tiny pose model of `conftest.py` reads them."""

ROWS = [(8.0, 16.0, 24.0, 32.0, 0.9), (40.0, 16.0, 56.0, 32.0, 0.9)]
"""Where the tiny locator finds pigs, in its 64 x 64 pixels."""


def table(first: str, second: str, seed: int) -> Image.Image:
    image = np.full((64, 64, 3), 90, np.uint8)
    image[16:32, 8:24] = COLOURS[first]
    image[16:32, 40:56] = COLOURS[second]
    image[0, 0] = (seed % 256, seed // 256, 3)
    return Image.fromarray(image)


def png(image: Image.Image) -> bytes:
    import io

    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


@pytest.fixture
def throws(tmp_path: Path) -> Iterator[PhotoSet]:
    """Give forty-two labelled throws in three sessions, split."""
    folder = tmp_path / "throws"
    folder.mkdir()
    photos = PhotoSet.open(folder)
    poses = list(COLOURS)
    splits: dict[int, Split | None] = {}
    for n in range(42):
        pair = poses[n % 6], poses[(n // 6) % 6]
        photo, _ = arrivals.add(photos, png(table(*pair, n)), f"t{n}.png", session=f"s{n % 3}")
        pigs = (PigLabel((8, 16, 24, 32), pair[0]), PigLabel((40, 16, 56, 32), pair[1]))
        photos.save(photo.id, Labels(pigs, Contact.APART, reviewed=True), revision=0)
        splits[photo.id] = list(Split)[n % 3]
    photos.set_split(splits)
    yield photos
    photos.close()


@pytest.fixture
def all_test(throws: PhotoSet) -> PhotoSet:
    """Put all throws into the test part."""
    throws.set_split({p.id: Split.TEST for p in throws.photos()})
    return throws


TinyModels = Callable[..., Path]


@pytest.fixture
def good(tiny_models: TinyModels, tmp_path: Path) -> Path:
    """Give models that read every throw here."""
    return Path(shutil.copytree(tiny_models(ROWS), tmp_path / "good"))


@pytest.fixture
def shuffled(tiny_models: TinyModels, tmp_path: Path) -> Path:
    """Give models whose pose network was trained on shuffled labels."""
    colours = [*list(COLOURS.values())[::-1], (255, 255, 255)]
    return Path(shutil.copytree(tiny_models(ROWS, colours=colours), tmp_path / "shuffled"))


def test_a_model_trained_on_shuffled_labels_is_refused(
    all_test: PhotoSet, good: Path, shuffled: Path
) -> None:
    right, bad = Recognizer.load(good), Recognizer.load(shuffled)
    chosen = [held_out_photos(all_test)]
    verdict = compare(right, bad, chosen)
    assert not verdict.accepted
    assert "fall" in verdict.why
    (figures,) = verdict.comparisons
    assert figures.high < 0
    assert figures.broken > figures.mended
    better = compare(bad, right, chosen)
    assert better.accepted
    assert better.comparisons[0].low > 0
    assert all(c.mended and not c.broken for c in better.mistakes), "fewer wrong ones accepted"
    same = compare(right, right, chosen)
    assert same.accepted
    assert same.comparisons[0].difference == 0


def test_too_few_throws_decide_nothing(throws: PhotoSet, good: Path) -> None:
    right = Recognizer.load(good)
    verdict = compare(right, right, [held_out_photos(throws)])
    assert not verdict.accepted
    assert "only 14 throws" in verdict.why


def test_only_a_clean_test_part_is_compared_on(throws: PhotoSet) -> None:
    assert throws.photos()[0].session == throws.photos()[3].session
    throws.set_split({throws.photos()[0].id: Split.TEST})
    with pytest.raises(GateError, match="session"):
        held_out_photos(throws)
    throws.set_split({p.id: None for p in throws.photos()})
    with pytest.raises(GateError, match="no test part"):
        held_out_photos(throws)


class TestInstalled:
    def test_install_and_back(self, tmp_path: Path, good: Path) -> None:
        installed, candidate = Installed(tmp_path / "mine"), good
        assert installed.state.current == SHIPPED
        shipped = installed.path
        assert installed.install(candidate) == "0001"
        assert installed.install(candidate) == "0002"
        assert installed.path == tmp_path / "mine" / "0002"
        assert sorted(p.name for p in installed.path.iterdir()) == sorted(
            p.name for p in candidate.iterdir()
        )
        assert installed.back() == "0001"
        assert installed.back() == SHIPPED
        assert installed.path == shipped
        with pytest.raises(ModelError, match="nothing to go back to"):
            installed.back()
        assert installed.install(candidate) == "0003", "no name is used twice"

    def test_a_damaged_state_is_named(self, tmp_path: Path) -> None:
        (tmp_path / "state.json").write_text("{")
        with pytest.raises(ModelError, match=r"state\.json is damaged"):
            _ = Installed(tmp_path).path

    def test_the_environment_comes_first(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("SOOEE_MODELS", str(tmp_path))
        assert models_in_use() == tmp_path


def test_the_command_installs_what_passes_and_refuses_what_does_not(
    all_test: PhotoSet,
    good: Path,
    shuffled: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = all_test.folder
    monkeypatch.setattr("vision.recognize.installed._default_folder", lambda: tmp_path / "mine")
    monkeypatch.setattr("vision.commands._gate.FROZEN", ())
    monkeypatch.setattr("vision.commands._gate.PAIRS", ())

    def run(*words: object) -> tuple[int, str]:
        code = 0
        try:
            main([str(w) for w in words])
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else 1
        told = capsys.readouterr()
        return code, told.out + told.err

    Installed(tmp_path / "mine").install(shuffled)
    code, out = run("models", "use", good, "--photos", folder)
    assert code == 0, out
    assert "in use as 0002: throws read right do not fall" in out
    code, out = run("models", "use", shuffled, "--photos", folder)
    assert code == 1
    assert out.endswith("; the models in use are unchanged\n")
    code, out = run("models", "use", shuffled, "--photos", folder, "--json")
    assert code == 1
    told = json.loads(out)
    assert told["accepted"] is False
    assert {c["measure"] for c in told["sets"]} == {"throws read right"}
    assert {c["measure"] for c in told["mistakes"]} == {"wrong readings accepted"}
    assert Installed(tmp_path / "mine").state.current == "0002"
    code, out = run("models", "back")
    assert (code, out) == (0, "in use: 0001\n")
    code, out = run("models", "use", tmp_path / "nowhere", "--photos", folder)
    assert code == 1
    assert "Traceback" not in out


class TestMix:
    @pytest.fixture
    def renders(self, tmp_path: Path) -> Path:
        for split, count in (("train", 40), ("val", 4)):
            for number, pose in enumerate(POSE_CLASSES):
                folder = tmp_path / "renders" / split / f"{number}_{pose}"
                folder.mkdir(parents=True)
                for n in range(count):
                    Image.new("RGB", (16, 16), (n, number, 0)).save(folder / f"r{n}.jpg")
        return tmp_path / "renders"

    def test_photographs_are_a_share_of_the_renders_and_the_test_part_stays_out(
        self, throws: PhotoSet, renders: Path, tmp_path: Path
    ) -> None:
        made = mix(renders, throws, tmp_path / "mixed", "pose")
        assert (made.renders, made.photos) == (280, 28)
        assert made.repeats == pytest.approx(0.25 * 280 / 28, abs=0.51)
        train = list((made.folder / "train").rglob("*.*"))
        assert len(train) == 280 + 28 * made.repeats
        assert len(list((made.folder / "val").rglob("photo-*"))) == 28
        names = {p.name for p in made.folder.rglob("photo-*")}
        for photo in throws.photos():
            if photo.split is Split.TEST:
                assert not any(n.startswith(f"photo-{Path(photo.name).stem}-") for n in names)
        crop = next((made.folder / "train" / "3_trotter").glob("photo-*"))
        with Image.open(crop) as image:
            middle = np.asarray(image.convert("RGB"))[8:12, 8:12].mean(axis=(0, 1))
        assert middle == pytest.approx(COLOURS["trotter"], abs=3), "red is red"

    def test_frames_get_boxes_of_one_class(self, throws: PhotoSet, tmp_path: Path) -> None:
        for split in ("train", "val"):
            for kind in ("images", "labels"):
                (tmp_path / "frames" / split / kind).mkdir(parents=True)
            Image.new("RGB", (32, 32)).save(tmp_path / "frames" / split / "images" / "a.jpg")
            (tmp_path / "frames" / split / "labels" / "a.txt").write_text("0 .5 .5 .1 .1\n")
        made = mix(tmp_path / "frames", throws, tmp_path / "mixed", "locator")
        labels = list((made.folder / "train" / "labels").glob("photo-*.txt"))
        assert len(labels) == 14 * made.repeats
        assert all(line.startswith("0 ") for line in labels[0].read_text().splitlines())
        for label in labels:
            assert (made.folder / "train" / "images" / f"{label.stem}.png").is_file()

    def test_never_photographs_alone_and_never_from_a_leaking_set(
        self, throws: PhotoSet, renders: Path, tmp_path: Path
    ) -> None:
        with pytest.raises(MixError, match="together with renders"):
            mix(tmp_path / "none", throws, tmp_path / "mixed", "pose")
        with pytest.raises(MixError, match="pose or locator"):
            mix(renders, throws, tmp_path / "mixed", "contact")
        first, second = throws.photos()[0], throws.photos()[3]
        assert first.session == second.session
        throws.set_split({first.id: Split.TEST})
        with pytest.raises(MixError, match="lies in two parts"):
            mix(renders, throws, tmp_path / "mixed", "pose")
        throws.set_split({p.id: None for p in throws.photos()})
        with pytest.raises(MixError, match="nothing to train on"):
            mix(renders, throws, tmp_path / "mixed", "pose")

    def test_a_few_photographs_are_not_repeated_without_end(
        self, throws: PhotoSet, renders: Path, tmp_path: Path
    ) -> None:
        throws.set_split({p.id: None for p in throws.photos()})
        throws.set_split({throws.photos()[0].id: Split.TRAIN})
        made = mix(renders, throws, tmp_path / "mixed", "pose", share=0.9)
        assert made.repeats == MOST_REPEATS
