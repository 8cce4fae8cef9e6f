"""`sooee photos` from the first picture to an exported, checked, split set."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from vision.cli import main
from vision.commands import annotate, photos
from vision.photos.labels import Labels, PigLabel
from vision.photos.photo_set import PhotoSet

MakePicture = Callable[..., bytes]
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run `sooee` with words; gives the exit code, what it said and what it complained of."""

    def go(*words: object) -> tuple[int, str, str]:
        code = 0
        try:
            main([str(w) for w in words])
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else 1
        told = capsys.readouterr()
        return code, told.out, told.err

    return go


def review(folder: Path) -> None:
    with PhotoSet.open(folder) as opened:
        for n, photo in enumerate(opened.photos()):
            pig = PigLabel((n, 1, n + 30, 30), "trotter" if n % 2 else "dot_up")
            opened.save(photo.id, Labels((pig,), reviewed=True), revision=photo.revision)


def test_from_pictures_to_a_split_and_exported_set(
    run: Run, tmp_path: Path, make_picture: MakePicture
) -> None:
    incoming, folder = tmp_path / "incoming", tmp_path / "pigs"
    for day in ("mon", "tue", "wed"):
        (incoming / day).mkdir(parents=True)
        for n in range(2):
            picture = make_picture(ord(day[0]) + 50 * n, size=(96, 64))
            (incoming / day / f"{day}{n}.png").write_bytes(picture)
        code, out, err = run("photos", "add", folder, incoming / day, "--session", day)
        assert (code, out, err) == (0, "2 new\n", "")
    (incoming / "letter.jpg").write_text("dear pig")
    code, out, err = run("photos", "add", folder, incoming)
    assert code == 0
    assert out == "6 here already, 1 left out\n"
    assert "letter.jpg: not a picture" in err
    review(folder)
    code, out, _ = run("photos", "origin", folder, "--match", "wed*", "--camera", "phone")
    assert out == "2 photographs\n"
    code, out, err = run("photos", "split", folder, "--shares", "50,25,25")
    assert (code, err) == (0, "")
    counted, *where = out.splitlines()
    assert sorted(counted.split(", ")) == ["2 test", "2 train", "2 val"]
    assert [line.split(": ")[0] for line in where] == ["train", "val", "test"]
    assert sorted(line.split(": ")[1] for line in where) == ["mon (2)", "tue (2)", "wed (2)"]
    page = tmp_path / "health.html"
    code, out, _ = run("photos", "check", folder, "--no-model", "--html", page)
    assert code == 0
    assert "6 photographs, 6 reviewed, 3 sessions" in out
    assert "No session and no look-alike lies in two parts" in page.read_text("utf-8")
    code, out, _ = run("photos", "check", folder, "--no-model", "--json")
    assert json.loads(out)["poses"]["all"]["trotter"] == 3
    for name in ("yolo", "yolo-classify", "coco", "label-studio", "cvat"):
        code, out, _ = run("photos", "export", folder, tmp_path / name, "--format", name)
        assert (code, out) == (0, f"{tmp_path / name}: 6 photographs, 6 pigs\n")
        code, out, _ = run(
            "photos", "import", tmp_path / f"{name}-back", tmp_path / name, "--format", name
        )
        assert code == 0
        assert out.startswith("6 new photographs, 0 labelled anew")


def test_a_leak_is_an_exit_code(run: Run, tmp_path: Path, make_picture: MakePicture) -> None:
    from vision.photos.split import Split

    for n in range(2):
        (tmp_path / f"{n}.png").write_bytes(make_picture(n))
    run("photos", "add", tmp_path)
    with PhotoSet.open(tmp_path) as opened:
        ids = [p.id for p in opened.photos()]
        opened.set_split({ids[0]: Split.TRAIN, ids[1]: Split.TEST})
    code, out, _ = run("photos", "check", tmp_path, "--no-model")
    assert code == 1
    assert "1 LEAKS" in out


def test_what_is_not_reviewed_is_named_before_another_day_is(
    run: Run, tmp_path: Path, make_picture: MakePicture
) -> None:
    folder = tmp_path / "pigs"
    for n, day in enumerate(("mon", "tue", "wed", "wed")):
        (tmp_path / f"{n}.png").write_bytes(make_picture(50 * n))
        run("photos", "add", folder, tmp_path / f"{n}.png", "--session", day)
    code, _, err = run("photos", "split", folder)
    assert code == 1
    assert "4 of 4 photographs are not reviewed" in err
    assert f"sooee annotate {folder}" in err
    assert "another day" not in err
    review(folder)
    assert run("photos", "split", folder, "--by", "camera")[0] == 1, "one camera, all reviewed"
    assert "another day" in run("photos", "split", folder, "--by", "camera")[2]
    assert run("photos", "split", folder)[0] == 0
    with PhotoSet.open(folder) as opened:
        before = [p.split for p in opened.photos()]
    assert run("photos", "split", folder, "--by", "camera", "--again")[0] == 1
    with PhotoSet.open(folder) as opened:
        assert [p.split for p in opened.photos()] == before, "a split is not lost for none"
    told = run("photos", "split", folder, "--again", "--shares", "100,0,0")[1]
    assert told == "4 train, 0 val, 0 test\ntrain: mon (1), tue (1), wed (2)\n"


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("photos", "check", "nowhere"), 1, "sooee: nowhere: no such folder"),
        (("photos", "split", "{set}"), 1, "0 groups by session"),
        (("photos", "origin", "{set}", "--match", "IMG*"), 1, "is called 'IMG*'; nothing is"),
        (("photos", "split", "{set}", "--shares", "1,2"), 2, "--shares takes three numbers"),
        (("photos", "split", "{set}", "--shares", "a,b,c"), 2, "--shares takes three numbers"),
        (("photos", "export", "{set}", "out", "--format", "voc"), 2, "voc"),
        (("photos", "export", "{set}", "{set}", "--format", "coco"), 1, "not empty"),
        (("photos", "import", "{set}", "x", "--format", "coco"), 1, "no such file"),
        (("photos", "import", "{set}", "x", "--format", "coco", "--map", "=a"), 2, "NAME=POSE"),
        (("annotate", "nowhere"), 1, "nowhere: no such folder"),
        (("annotate", "{set}", "--host", "256.0.0.1"), 1, "cannot listen on"),
    ],
)
def test_mistakes_are_one_line(
    run: Run, tmp_path: Path, words: tuple[str, ...], code: int, message: str
) -> None:
    PhotoSet.open(tmp_path).close()
    got, _, err = run(*(w.format(set=tmp_path) for w in words))
    assert got == code
    assert message in err
    assert "Traceback" not in err


def test_every_command_shows_an_example() -> None:
    commands = [annotate.command, *photos.command.commands.values()]
    for command in commands:
        assert command.help is not None
        assert "Example:" in command.help, command.name
