"""A mat to print and lay under the pigs: four markers at known places tell the camera's scale."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.errors import CaptureError

if TYPE_CHECKING:
    import cv2

PAPERS = {"a4": (297.0, 210.0), "a3": (420.0, 297.0), "letter": (279.4, 215.9)}
"""Width and height of a sheet lying on its long side, in millimetres."""

MARKER_MM = 30.0
_MARGIN_MM = 8.0
_QUIET_MM = 4.0
_DPI = 200
_LETTERS = "Print at 100 %, do not fit to page.  The line is 100 mm long."


def marker_corners(paper: str) -> dict[int, NDArray[np.float32]]:
    """Give the four corners of each marker on the mat, float32[4, 2] in millimetres, by number.

    They begin at the marker's own top left and go round clockwise; x right, y down, from the
    sheet's top left. The numbers tell the papers apart: 0 to 3 on the first, 4 to 7 on the next.
    """
    width, height = PAPERS[paper]
    first = 4 * list(PAPERS).index(paper)
    near = _MARGIN_MM
    far_x, far_y = width - near - MARKER_MM, height - near - MARKER_MM
    places = [(near, near), (far_x, near), (far_x, far_y), (near, far_y)]
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32) * MARKER_MM
    return {first + k: square + np.array(place, np.float32) for k, place in enumerate(places)}


def draw_mat(paper: str = "a4") -> NDArray[np.uint8]:
    """Draw the mat as uint8[H, W], 200 dots an inch."""
    import cv2

    width, height = PAPERS[paper]
    page = np.full((_dots(height), _dots(width)), 255, np.uint8)
    dictionary = _dictionary()
    for number, corners in marker_corners(paper).items():
        x, y = (_dots(float(v)) for v in corners[0])
        side = _dots(MARKER_MM)
        marker = cv2.aruco.generateImageMarker(dictionary, number, side)
        page[y : y + side, x : x + side] = marker
    left, middle = _dots(width / 2 - 50), _dots(height - _MARGIN_MM - _QUIET_MM)
    cv2.line(page, (left, middle), (_dots(width / 2 + 50), middle), (0,), 3)
    for x in (left, _dots(width / 2 + 50)):
        cv2.line(page, (x, middle - 20), (x, middle + 20), (0,), 3)
    place = (left, middle - _dots(_QUIET_MM))
    cv2.putText(page, _LETTERS, place, cv2.FONT_HERSHEY_SIMPLEX, 0.8, (0,), 2, cv2.LINE_AA)
    return page


def print_mat(path: Path, paper: str = "a4") -> None:
    """Write the mat as a PDF of the paper's true size; `CaptureError` when that fails."""
    from PIL import Image as Pillow

    try:
        Pillow.fromarray(draw_mat(paper)).save(path, "PDF", resolution=_DPI)
    except OSError as error:
        raise CaptureError(f"the mat {path} cannot be written: {error}") from error


def find_markers(image: Image) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Find a mat's markers in a picture: their corners in pixels and on the mat, float32[N, 2].

    All of one mat, the one with the most markers in the picture; empty when there is none.
    """
    import cv2

    detector = cv2.aruco.ArucoDetector(_dictionary())
    grey = cv2.cvtColor(image, cv2.COLOR_RGB2GRAY)
    found, numbers, _ = detector.detectMarkers(grey)
    seen = {} if numbers is None else dict(zip(numbers.ravel().tolist(), found, strict=True))
    mats = [marker_corners(paper) for paper in PAPERS]
    mat = max(mats, key=lambda m: len(m.keys() & seen.keys()))
    both = sorted(mat.keys() & seen.keys())
    if not both:
        return np.zeros((0, 2), np.float32), np.zeros((0, 2), np.float32)
    pixels = np.concatenate([np.asarray(seen[k], np.float32).reshape(4, 2) for k in both])
    return pixels, np.concatenate([mat[k] for k in both])


def _dictionary() -> cv2.aruco.Dictionary:
    import cv2

    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)


def _dots(mm: float) -> int:
    return round(mm / 25.4 * _DPI)
