"""From frames to a reading, through real (tiny) models."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from scoring.throw import Contact, Pose, Throw
from vision.capture.frame import Frame
from vision.errors import ModelError
from vision.recognize.decide import Policy
from vision.recognize.reading import Decision
from vision.recognize.recognizer import Recognizer

ROWS = [(6.0, 26.0, 18.0, 38.0, 0.9), (44.0, 26.0, 56.0, 38.0, 0.8)]


def frame(image: np.ndarray, index: int = 0) -> Frame:
    return Frame(image.copy(), index, index / 30, "test")


def scene(left: tuple[int, int, int], right: tuple[int, int, int]) -> np.ndarray:
    """Paint two squares where the tiny locator looks, on a dark table of 128 by 128."""
    image = np.full((128, 128, 3), 60, np.uint8)
    image[52:76, 12:36] = left
    image[52:76, 88:112] = right
    return image


def test_two_pigs_become_a_throw(tiny_models: Any, pose_colours: Any) -> None:
    recognizer = Recognizer.load(tiny_models(ROWS))
    image = scene(pose_colours["snouter"], pose_colours["dot_up"])
    reading = recognizer.read([frame(image, i) for i in range(3)])
    assert reading.decision is Decision.ACCEPT, reading.reason
    assert reading.throw == Throw((Pose.SNOUTER, Pose.DOT_UP), Contact.APART)
    assert [p.box for p in reading.pigs] == [(12, 52, 36, 76), (88, 52, 112, 76)]
    assert reading.frames == 3
    assert reading.time_s == pytest.approx(2 / 30)


NEAR = [(18.0, 26.0, 30.0, 38.0, 0.9), (31.0, 26.0, 43.0, 38.0, 0.8)]


@pytest.mark.parametrize(
    ("between", "contact"),
    [
        ((60, 60, 60), Contact.APART),
        ((0, 160, 0), Contact.TOUCHING),
        ((0, 0, 160), Contact.STACKED),
    ],
)
def test_near_pigs_are_shown_to_the_contact_model(
    tiny_models: Any, pose_colours: Any, between: Any, contact: Contact
) -> None:
    """A checked table hides the outlines; what the network sees between the pigs counts."""
    image = np.random.default_rng(3).integers(0, 255, (128, 128, 3), dtype=np.uint8)
    image[52:76, 36:60] = pose_colours["trotter"]
    image[52:76, 62:86] = pose_colours["dot_down"]
    image[50:78, 50:72] = between
    reading = Recognizer.load(tiny_models(NEAR, contact=True)).read([frame(image)])
    assert reading.contact is not None
    assert reading.contact.state is contact
    wanted = Decision.ACCEPT if contact is Contact.APART else Decision.ASK
    assert reading.decision is wanted, reading.reason
    without = Recognizer.load(tiny_models(NEAR)).read([frame(image)])
    assert without.decision is Decision.ASK


def test_far_pigs_need_no_contact_model(tiny_models: Any, pose_colours: Any) -> None:
    recognizer = Recognizer.load(tiny_models(ROWS, contact=True))
    image = scene(pose_colours["trotter"], pose_colours["razorback"])
    image[52:76, 50:74] = (0, 0, 160)
    reading = recognizer.read([frame(image)])
    assert reading.contact is not None
    assert reading.contact.state is Contact.APART


def test_what_a_look_sees_is_what_a_reading_holds(tiny_models: Any, pose_colours: Any) -> None:
    recognizer = Recognizer.load(tiny_models(ROWS))
    one = frame(scene(pose_colours["trotter"], pose_colours["razorback"]))
    assert recognizer.look(one) == recognizer.read([one]).pigs
    assert [p.pose for p in recognizer.look(one)] == ["trotter", "razorback"]


def test_what_both_models_doubt_is_no_pig(tiny_models: Any, pose_colours: Any) -> None:
    """White is the tiny model's `other`: a doubtful box of it goes, a sure one stays."""
    image = scene(pose_colours["snouter"], pose_colours["other"])
    doubtful = [ROWS[0], (*ROWS[1][:4], 0.5)]
    recognizer = Recognizer.load(tiny_models(doubtful))
    assert [p.pose for p in recognizer.look(frame(image))] == ["snouter"]
    assert recognizer.read([frame(image)]).reason.startswith("Only one pig")
    sure = Recognizer.load(tiny_models(ROWS))
    assert [p.pose for p in sure.look(frame(image))] == ["snouter", "other"]
    assert "leans on something" in sure.read([frame(image)]).reason


def test_an_empty_table_is_asked_about(tiny_models: Any) -> None:
    reading = Recognizer.load(tiny_models()).read([frame(scene((0, 0, 0), (0, 0, 0)))])
    assert reading.decision is Decision.ASK
    assert reading.reason == "No pig is in sight."
    assert reading.throw is None


def test_a_policy_changes_what_is_accepted(tiny_models: Any, pose_colours: Any) -> None:
    folder = tiny_models(ROWS)
    image = scene(pose_colours["snouter"], pose_colours["dot_up"])
    strict = Recognizer.load(folder, Policy(least_confidence=0.85))
    assert strict.read([frame(image)]).decision is Decision.ASK


def test_reading_twice_gives_the_same(tiny_models: Any, pose_colours: Any) -> None:
    recognizer = Recognizer.load(tiny_models(ROWS))
    one = frame(scene(pose_colours["trotter"], (90, 200, 140)))
    assert recognizer.read([one]) == recognizer.read([one])


def test_missing_models_are_a_model_error(tmp_path: Any) -> None:
    with pytest.raises(ModelError, match=r"it has no manifest\.toml"):
        Recognizer.load(tmp_path)


def test_reading_loads_no_torch(tiny_models: Any) -> None:
    code = (
        "import sys, pathlib, numpy as np\n"
        "from vision.recognize.recognizer import Recognizer\n"
        "assert not {'cv2', 'onnxruntime', 'torch'} & set(sys.modules), 'imported too early'\n"
        "from vision.capture.frame import Frame\n"
        "r = Recognizer.load(pathlib.Path(sys.argv[1]))\n"
        "r.read([Frame(np.zeros((64, 64, 3), np.uint8), 0, 0.0, 't')])\n"
        "assert 'torch' not in sys.modules and 'ultralytics' not in sys.modules\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tiny_models(ROWS))],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
