"""Watching a table loads what it needs when it needs it."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("cv2", "onnxruntime", "sqlalchemy", "PIL", "torch", "ultralytics", "mujoco")


@pytest.mark.parametrize(
    "module",
    [
        "vision.capture.supervise",
        "vision.capture.calibrate",
        "vision.capture.cameras",
        "vision.table.live",
        "vision.table.session",
        "vision.commands.watch",
        "vision.commands.cameras",
        "vision.commands.calibrate",
    ],
)
def test_importing_costs_little(module: str) -> None:
    code = f"import sys, {module}; print({{m.split('.')[0] for m in sys.modules}} & {set(HEAVY)})"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=480
    )
    assert done.stdout.strip() == "set()"
