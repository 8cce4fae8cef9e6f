# ruff: noqa: PLC0415  (engines are imported where they are tried)
"""Time other engines and INT8 weights against ONNX Runtime, and compare what they read.

Usage: python scripts/bench_backends.py MODELS CROPS [RUNS]

MODELS is a models folder, CROPS labelled crops (a folder a pose). Needs `pip install openvino`,
and the `train` extra for quantizing. What it printed is in docs/decisions/0013-backends.md.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from vision.learn.evaluate import read_crop
from vision.learn.evaluate_sets import load_set
from vision.recognize.crop import as_tensor
from vision.recognize.locate import prepare
from vision.recognize.manifest import Role, load_manifest
from vision.recognize.picture import open_picture
from vision.recognize.reading import POSE_CLASSES
from vision.recognize.runtime import cores

Run = Callable[[Any], Any]
CALIBRATION = 64


def main() -> None:
    folder, crops = Path(sys.argv[1]), Path(sys.argv[2])
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 50
    manifest = load_manifest(folder)
    chosen = load_set(crops).pictures[:: max(1, len(load_set(crops).pictures) // 600)]
    size = manifest.need(Role.POSE).input_px
    batches = np.stack([blob(read_crop(p.path, size))[0] for p in chosen])
    truth = np.array([POSE_CLASSES.index(str(p.pigs[0].pose)) for p in chosen])
    image = np.asarray(open_picture(chosen[0].path))
    frame = np.tile(image, (9, 16, 1))[:1080, :1920]
    for role, sample in (
        (Role.LOCATOR, prepare(frame, (384, 640), 1 / 3)[0]),
        (Role.POSE, batches[:2]),
    ):
        entry = manifest.need(role)
        calibration = [sample] if role is Role.LOCATOR else list(batches[:CALIBRATION, None])
        engines = dict(make_engines(manifest.folder / entry.file, calibration))
        times: dict[str, list[float]] = {name: [] for name in engines}
        for _ in range(runs):
            for name, run in engines.items():
                started = time.perf_counter()
                run(sample)
                times[name].append(1000 * (time.perf_counter() - started))
        first = next(iter(engines))
        expected = engines[first](sample)
        print(f"{role}, {cores()} cores, {runs} runs")
        for name, run in engines.items():
            line = f"  {name:24}{np.median(times[name]):8.2f} ms"
            line += f"{np.median(times[first]) / np.median(times[name]):7.2f}x"
            if role is Role.POSE:
                read = np.concatenate([run(b[None]) for b in batches]).argmax(axis=1)
                line += f"   right {np.mean(read == truth):.4f} of {len(truth)}"
            else:
                line += f"   largest difference {np.abs(run(sample) - expected).max():.3f}"
            print(line)


def blob(image: np.ndarray) -> np.ndarray:
    return as_tensor([image])


def make_engines(path: Path, calibration: list[np.ndarray]) -> Iterator[tuple[str, Run]]:
    yield "onnxruntime", onnx_engine(path)
    with tempfile.TemporaryDirectory() as folder:
        small = Path(folder) / "int8.onnx"
        quantize(path, small, calibration)
        yield f"onnxruntime int8 ({small.stat().st_size / 1e6:.1f} MB)", onnx_engine(small)
        yield "openvino", openvino_engine(path)
        yield "openvino int8", openvino_engine(small)


def onnx_engine(path: Path) -> Run:
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.intra_op_num_threads = cores()
    options.log_severity_level = 3
    session = ort.InferenceSession(path.read_bytes(), options, providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name
    return lambda batch: session.run(None, {name: batch})[0]


def openvino_engine(path: Path) -> Run:
    import openvino

    compiled = openvino.Core().compile_model(
        str(path), "CPU", {"PERFORMANCE_HINT": "LATENCY", "INFERENCE_NUM_THREADS": cores()}
    )
    request = compiled.create_infer_request()
    return lambda batch: np.array(request.infer([batch])[compiled.output(0)])


def quantize(path: Path, target: Path, calibration: list[np.ndarray]) -> None:
    import onnxruntime as ort
    from onnxruntime.quantization import CalibrationDataReader, QuantType, quantize_static

    name = ort.InferenceSession(str(path)).get_inputs()[0].name

    class Reader(CalibrationDataReader):  # type: ignore[misc]
        def __init__(self) -> None:
            self.left = iter(calibration)

        def get_next(self) -> dict[str, np.ndarray] | None:
            batch = next(self.left, None)
            return None if batch is None else {name: batch}

    quantize_static(
        str(path),
        str(target),
        Reader(),
        per_channel=True,
        activation_type=QuantType.QUInt8,
        weight_type=QuantType.QInt8,
    )


if __name__ == "__main__":
    main()
