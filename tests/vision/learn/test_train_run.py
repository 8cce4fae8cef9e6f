"""A run is never written over; what was stopped goes on, what is finished says so."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from vision.cli import main
from vision.learn.offline import offline
from vision.learn.train_run import check_free, is_finished, stopped
from vision.learn.training import TrainingError


def lay(out: Path, *names: str) -> Path:
    for name in names:
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_text("x")
    return out


def test_a_new_run_needs_a_folder_of_its_own(tmp_path: Path) -> None:
    check_free(tmp_path / "not there")
    (tmp_path / "empty" / "weights").mkdir(parents=True)
    check_free(tmp_path / "empty")
    check_free(lay(tmp_path / "stopped at once", "args.yaml"))
    with pytest.raises(TrainingError, match=r"a run is in .*--resume goes on .* another --out"):
        check_free(lay(tmp_path / "run", "args.yaml", "weights/last.pt"))
    with pytest.raises(TrainingError, match="not empty and holds no run: name another --out"):
        check_free(lay(tmp_path / "photographs", "a.jpg"))


def test_the_command_refuses_before_it_makes_anything(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "renders").mkdir()
    out = lay(tmp_path / "run", "weights/last.pt")
    with pytest.raises(SystemExit) as ended:
        main(["train", "pose", "--renders", str(tmp_path / "renders"), "--out", str(out)])
    assert ended.value.code == 1
    assert "a run is in" in capsys.readouterr().err
    assert (out / "weights" / "last.pt").read_text() == "x"


def test_what_to_do_after_a_stop(tmp_path: Path) -> None:
    assert "the same command again" in stopped(tmp_path)
    assert "--resume goes on" in stopped(lay(tmp_path, "weights/last.pt"))


def test_a_last_checkpoint_is_told_from_one_to_go_on_with() -> None:
    assert is_finished({"epoch": -1, "optimizer": None})
    assert is_finished({})
    assert not is_finished({"epoch": 0, "optimizer": {"state": {}}})


def test_nothing_is_looked_up_meanwhile() -> None:
    before = socket.getaddrinfo
    with offline(), pytest.raises(socket.gaierror, match="does not ask example"):
        socket.create_connection(("example.invalid", 80))
    assert socket.getaddrinfo is before


class TestRuns:
    """Real trainings of a few pictures."""

    @pytest.fixture(autouse=True)
    def _needs_ultralytics(self) -> None:
        pytest.importorskip("ultralytics", reason="the train extra is not installed")

    @pytest.fixture
    def connected(self, monkeypatch: pytest.MonkeyPatch) -> list[object]:
        """Note each connection that is tried beyond this machine."""
        tried: list[object] = []
        connect = socket.socket.connect

        def noting(this: socket.socket, address: object) -> None:
            if this.family in (socket.AF_INET, socket.AF_INET6):
                tried.append(address)
            connect(this, address)  # type: ignore[arg-type]

        monkeypatch.setattr(socket.socket, "connect", noting)
        return tried

    @pytest.fixture
    def renders(self, tmp_path: Path) -> Path:
        import numpy as np
        from PIL import Image

        from vision.recognize.reading import POSE_CLASSES

        rng = np.random.default_rng(0)
        for split in ("train", "val"):
            for number, pose in enumerate(POSE_CLASSES):
                for n in range(2):
                    path = tmp_path / "renders" / split / f"{number}_{pose}" / f"{n}.png"
                    path.parent.mkdir(parents=True, exist_ok=True)
                    Image.fromarray(rng.integers(0, 255, (32, 32, 3), np.uint8)).save(path)
        return tmp_path / "renders"

    @pytest.fixture
    def tiny(self, tmp_path: Path) -> Path:
        path = tmp_path / "tiny.toml"
        path.write_text(
            'role = "pose"\nmodel = "yolo26n-cls.yaml"\nimage_px = 32\nepochs = 4\nbatch = 8\n'
            "bf16 = false\nstop_after = 2\n"
        )
        return path

    @pytest.mark.slow
    @pytest.mark.filterwarnings("default")
    def test_a_stopped_run_goes_on_and_a_finished_one_says_so(
        self,
        renders: Path,
        tiny: Path,
        tmp_path: Path,
        connected: list[object],
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        out = tmp_path / "run"
        best = out / "weights" / "best.onnx"
        words = ["train", str(tiny), "--renders", str(renders), "--out", str(out)]

        def run(*more: str) -> tuple[int, str]:
            with pytest.raises(SystemExit) as ended:
                main([*words, "--threads", "1", *more])
            told = capsys.readouterr()
            code = ended.value.code
            return (code if isinstance(code, int) else 0), told.out + told.err

        def stop(*_epoch: object) -> str:
            raise KeyboardInterrupt

        with monkeypatch.context() as patched:
            patched.setattr("vision.learn.follow.told", stop)
            code, told = run()
        assert code == 1
        assert "the same command with --resume goes on" in told
        away = renders.rename(tmp_path / "away")
        words[3] = str(away)
        code, told = run("--resume")
        assert (code, "is gone, which" in told) == (1, True)
        words[3] = str(away.rename(renders))
        code, told = run("--resume")
        assert (code, "exported" in told) == (0, True)
        epochs = (out / "results.csv").read_text().splitlines()[1:]
        assert len(epochs) == 2, "stop_after counts after a stop too"
        code, told = run("--resume")
        assert code == 1
        assert "is finished, its model is" in told
        assert "Traceback" not in told
        code, told = run()
        assert (code, "a run is in" in told) == (1, True)
        best.unlink()
        code, told = run("--resume")
        assert (code, best.exists()) == (0, True), "what was left is its export"
        assert connected == []
