"""The inference engine keeps no identity of this computer and tells nobody of its use."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from vision.artefacts import artefact_dir

LOAD = "from vision.recognize.recognizer import Recognizer; Recognizer.load()"


def test_loading_the_models_leaves_no_trace_in_the_home(tmp_path: Path) -> None:
    if not (artefact_dir("models") / "manifest.toml").exists():
        pytest.skip("there are no models here")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("XDG_", "ORT_"))}
    home = {"HOME": str(tmp_path), "LOCALAPPDATA": str(tmp_path)}
    subprocess.run([sys.executable, "-c", LOAD], env=kept | home, check=True, timeout=300)
    assert [p.name for p in tmp_path.rglob("*") if p.is_file()] == []
