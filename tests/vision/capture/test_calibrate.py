"""The scale and tilt that the mat and a bank card tell, and what is kept of them."""

from __future__ import annotations

import math
import re
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.capture.area import Area
from vision.capture.calibrate import Calibration, Calibrations, source_key
from vision.capture.frame import Image
from vision.capture.mat import PAPERS, draw_mat, print_mat
from vision.capture.scale import CARD_MM, How, Scale, measure_card, measure_mat, measure_pigs
from vision.errors import CaptureError

SIZE = (1280, 720)
FOCAL = 1100.0


def view(tilt: float, distance: float, turn: float = 0.0) -> NDArray[np.float64]:
    """Map millimetres on the table (middle at 0, 0) to pixels of a pinhole camera."""
    t, r = math.radians(tilt), math.radians(turn)
    spin = np.array([[math.cos(r), -math.sin(r), 0], [math.sin(r), math.cos(r), 0], [0, 0, 1]])
    lean = np.array(
        [[1, 0, 0], [0, math.cos(t), 0], [0, math.sin(t), distance]],
    )
    camera = np.array([[FOCAL, 0, SIZE[0] / 2], [0, FOCAL, SIZE[1] / 2], [0, 0, 1]])
    return np.asarray(camera @ lean @ spin)


def table(seed: int = 0) -> Image:
    rng = np.random.default_rng(seed)
    grain = rng.integers(95, 125, (45, 80, 3), dtype=np.uint8)
    return np.asarray(cv2.resize(grain, SIZE, interpolation=cv2.INTER_CUBIC), np.uint8)


def lay(sheet: NDArray[np.uint8], mm: tuple[float, float], where: NDArray[np.float64]) -> Image:
    """Lay a drawn sheet of so many millimetres on the table, its middle in the middle."""
    height, width = sheet.shape[:2]
    to_mm = np.array([[mm[0] / width, 0, -mm[0] / 2], [0, mm[1] / height, -mm[1] / 2], [0, 0, 1]])
    matrix = where @ to_mm
    rgb = sheet if sheet.ndim == 3 else np.repeat(sheet[..., None], 3, axis=2)
    shown = cv2.warpPerspective(rgb, matrix, SIZE, flags=cv2.INTER_AREA)
    inside = cv2.warpPerspective(np.ones(sheet.shape[:2], np.uint8), matrix, SIZE)
    image = np.where(inside[..., None] > 0, shown, table())
    noisy = image + np.random.default_rng(1).normal(0, 3, image.shape)
    return np.asarray(noisy.clip(0, 255), np.uint8)


def check(scale: Scale | None, tilt: float, distance: float, within: float) -> None:
    assert scale is not None
    assert scale.mm_per_px == pytest.approx(distance / FOCAL, rel=within)
    assert scale.tilt_deg is not None
    assert math.cos(math.radians(scale.tilt_deg)) == pytest.approx(
        math.cos(math.radians(tilt)), abs=0.03
    )


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(("tilt", "turn"), [(0, 0), (25, 10), (45, -35), (10, 170)])
def test_the_mat_tells_scale_and_tilt(paper: str, tilt: float, turn: float) -> None:
    distance = 1.9 * PAPERS[paper][0]
    image = lay(draw_mat(paper), PAPERS[paper], view(tilt, distance, turn))
    scale = measure_mat(image)
    check(scale, tilt, distance, 0.01)
    assert scale is not None
    assert scale.how is How.MAT


def test_no_mat_is_none() -> None:
    assert measure_mat(table()) is None


def card() -> NDArray[np.uint8]:
    """Draw a bank card: round corners, a stripe, a chip."""
    width, height = (round(v * 8) for v in CARD_MM)
    drawn = np.full((height, width, 3), (30, 60, 140), np.uint8)
    cv2.rectangle(drawn, (0, 60), (width, 130), (20.0, 20.0, 25.0), -1)
    cv2.rectangle(drawn, (80, 190), (180, 260), (210.0, 180.0, 90.0), -1)
    return drawn


def lay_card(tilt: float, distance: float, turn: float) -> Image:
    image = lay(card(), CARD_MM, view(tilt, distance, turn))
    # The corners of a card are round, with a radius of 3.18 mm.
    width, height = CARD_MM
    radius = 3.18
    empty = table()
    for sx in (-1, 1):
        for sy in (-1, 1):
            cx, cy = sx * (width / 2 - radius), sy * (height / 2 - radius)
            arc = [
                (cx + sx * radius * math.cos(a), cy + sy * radius * math.sin(a))
                for a in np.linspace(0, math.pi / 2, 8)
            ]
            outside = np.array(
                [
                    (sx * width / 2, sy * height / 2),
                    *arc,
                ]
            )[None]
            pixels = cv2.perspectiveTransform(outside, view(tilt, distance, turn))[0]
            mask = np.zeros(SIZE[::-1], np.uint8)
            cv2.fillPoly(mask, [pixels.round().astype(np.int32)], (1,))
            image[mask > 0] = empty[mask > 0]
    return image


@pytest.mark.parametrize(("tilt", "turn"), [(0, 20), (15, 100), (30, -40), (40, 5)])
def test_a_bank_card_tells_scale_and_tilt(tilt: float, turn: float) -> None:
    scale = measure_card(lay_card(tilt, 400.0, turn))
    assert scale is not None
    assert scale.mm_per_px == pytest.approx(400 / FOCAL, rel=0.05)
    assert scale.tilt_deg == pytest.approx(tilt, abs=12)


def test_no_card_and_two_cards_are_none() -> None:
    assert measure_card(table()) is None
    one = lay_card(0, 600.0, 0)
    two = one.copy()
    two[:, :640] = one[:, 320:960]
    two[:, 640:] = one[:, 320:960]
    assert measure_card(two) is None


def test_pigs_tell_the_scale_roughly() -> None:
    scale = measure_pigs([56.0, 50.0, 60.0], 28.0)
    assert scale == Scale(0.5, None, How.PIGS)
    assert measure_pigs([], 28.0) is None


@pytest.mark.parametrize("paper", PAPERS)
def test_the_pdf_has_the_paper_s_true_size(paper: str, tmp_path: Path) -> None:
    path = tmp_path / "mat.pdf"
    print_mat(path, paper)
    content = path.read_bytes()
    assert content.startswith(b"%PDF")
    box = re.search(rb"/MediaBox \[\s*0 0 ([\d.]+) ([\d.]+)", content)
    assert box is not None
    mm = tuple(float(v) / 72 * 25.4 for v in box.groups())
    assert mm == pytest.approx(PAPERS[paper], abs=0.2)


def test_a_pdf_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(CaptureError, match="cannot be written"):
        print_mat(tmp_path / "nowhere" / "mat.pdf")


AREA = Area(((0.1, 0.1), (0.9, 0.1), (0.9, 0.8), (0.1, 0.8)))


@pytest.mark.parametrize(
    "calibration",
    [
        Calibration(1280, 720),
        Calibration(1280, 720, Scale(0.5, 12.0, How.MAT), AREA),
        Calibration(640, 480, Scale(0.5, None, How.PIGS)),
        Calibration(640, 480, None, AREA),
    ],
)
def test_what_is_kept_comes_back(calibration: Calibration, tmp_path: Path) -> None:
    kept = Calibrations(tmp_path / "sub" / "c.json")
    assert kept.get("cam") is None
    kept.put("other", Calibration(1, 1))
    kept.put("cam", calibration)
    assert Calibrations(tmp_path / "sub" / "c.json").get("cam") == calibration
    kept.drop("cam")
    assert kept.get("cam") is None
    assert kept.get("other") is not None


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "cannot be read .*move the file away"),
        ('{"cam": {"size": [1]}}', "calibrate it again"),
        ('{"cam": {"size": [1, 2], "area": [[0.1, 0.1]]}}', "three corners"),
        ('{"cam": 3}', "calibrate it again"),
    ],
)
def test_a_broken_file_is_told(content: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "c.json"
    file.write_text(content)
    with pytest.raises(CaptureError, match=message):
        Calibrations(file).get("cam")


def test_the_scale_follows_the_picture_s_size() -> None:
    calibration = Calibration(1280, 720, Scale(0.5, None, How.MAT))
    assert calibration.mm_per_px(640) == 1.0
    assert Calibration(1280, 720).mm_per_px(640) is None


def test_sources_without_a_number_are_named_as_they_are() -> None:
    assert source_key("rtsp://anna:secret@host/table") == "rtsp://host/table"


@pytest.mark.parametrize(
    ("corners", "message"),
    [
        (((0.1, 0.1), (0.5, 0.5)), "three corners"),
        (((0.1, 0.1), (1.5, 0.5), (0.2, 0.9)), "inside the picture"),
        (((0.1, 0.1), (0.11, 0.1), (0.1, 0.11)), "a hundredth"),
    ],
)
def test_an_area_that_is_none(corners: tuple[tuple[float, float], ...], message: str) -> None:
    with pytest.raises(CaptureError, match=message):
        Area(corners)


def test_an_area_holds_what_lies_inside() -> None:
    area = Area.of_pixels(((100, 100), (500, 50), (700, 300), (90, 350)), 640, 360)
    assert area.corners[2] == (1.0, 300 / 360)
    mask = area.mask(360, 640)
    rng = np.random.default_rng(0)
    for x, y in rng.uniform(0, 1, (300, 2)):
        inside = bool(mask[int(y * 360), int(x * 640)])
        edges = cv2.dilate(mask, np.ones((5, 5))) != cv2.erode(mask, np.ones((5, 5)))
        assert area.holds(x, y) == inside or edges[int(y * 360), int(x * 640)]
    covered = area.covered(table()[:360, :640])
    assert (covered[mask == 0] == 128).all()
    assert (covered[mask == 1] == table()[:360, :640][mask == 1]).all()
