"""What the pose network knows of a crop before it decides: its embedding.

The classifier ends in one linear layer; the numbers that go into it describe the crop better
than the seven that come out. ONNX Runtime gives only the outputs a model names, so the layer's
input is named as a second output in a copy of the model's bytes. Protocol buffers allow that
without reading the rest: a message's repeated fields go on in a second piece put after the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.errors import ModelError
from vision.recognize.crop import as_tensor
from vision.recognize.manifest import ModelEntry, Role, load_manifest
from vision.recognize.pose import LEAST, calibrate
from vision.recognize.runtime import MOST_THREADS, cores

Floats = NDArray[np.float64]

# Fields of ONNX's messages (onnx.proto): ModelProto.graph, GraphProto.node and .output,
# NodeProto.input and .op_type, ValueInfoProto.name.
_GRAPH, _NODE, _OUTPUT = 7, 1, 12
_INPUT, _OP_TYPE, _NAME = 1, 4, 1
_LINEAR = (b"Gemm", b"MatMul")
_BATCH = 16


class Embedder:
    """The pose network with its embedding: crops in, vectors and log-probabilities out."""

    def __init__(self, content: bytes, entry: ModelEntry) -> None:
        import onnxruntime as ort

        name = last_linear_input(content)
        if name is None:
            raise ModelError(
                f"{entry.file} ends in no linear layer, so it has no embedding to teach on"
            )
        options = ort.SessionOptions()
        options.intra_op_num_threads = min(cores(), MOST_THREADS)
        options.log_severity_level = 3
        self._session = ort.InferenceSession(
            with_output(content, name), options, providers=["CPUExecutionProvider"]
        )
        self._input = self._session.get_inputs()[0].name
        self._batch = self._session.get_inputs()[0].shape[0]
        outputs = [o.name for o in self._session.get_outputs()]
        self._names = [outputs[0], name.decode(), *outputs[1:-1]]
        self._entry = entry
        self.size = entry.input_px
        """The side of the crops it takes, in pixels."""
        self.stances = entry.stances
        """Where up is for a pig in each pose, as this network sees it turned."""
        self.sha256 = entry.sha256
        """The network's name: vectors of different networks do not compare."""

    @classmethod
    def load(cls, models_dir: Path | None = None) -> Self:
        """Load the pose network of a folder, by default the shipped; `ModelError` if it is bad."""
        manifest = load_manifest(models_dir)
        entry = manifest.need(Role.POSE)
        return cls(manifest.read_checked(entry), entry)

    def __call__(self, crops: Sequence[Image]) -> tuple[Floats, Floats]:
        """Give embeddings [N, D] and log-probabilities [N, 7] of crops uint8[size, size, 3] RGB."""
        vectors, logs, _turned = self.see(crops)
        return vectors, logs

    def see(self, crops: Sequence[Image]) -> tuple[Floats, Floats, Floats | None]:
        """Give the same, and how the pigs are turned, [N, 6], where the network says."""
        vectors, logs, turned = [], [], []
        step = self._batch if isinstance(self._batch, int) else _BATCH
        for begin in range(0, len(crops), step):
            part = list(crops[begin : begin + step])
            short = step - len(part) if isinstance(self._batch, int) else 0
            part += [np.zeros_like(part[0])] * short
            output, vector, *more = self._session.run(self._names, {self._input: as_tensor(part)})
            count = len(part) - short
            turned += [np.asarray(attitude[:count], np.float64) for attitude in more]
            logs.append(np.log(np.asarray(output[:count], np.float64).clip(LEAST)))
            vectors.append(np.asarray(vector[:count], np.float64).reshape(count, -1))
        if not vectors:
            return np.empty((0, 0)), np.empty((0, len(self._entry.classes))), None
        calibrated = calibrate(np.concatenate(logs), self._entry.temperature)
        return np.concatenate(vectors), calibrated, np.concatenate(turned) if turned else None


def with_output(model: bytes, name: bytes) -> bytes:
    """Give a model's bytes with one more output of this name."""
    info = _field(_NAME, name)
    return model + _field(_GRAPH, _field(_OUTPUT, info))


def last_linear_input(model: bytes) -> bytes | None:
    """Give the name of what goes into the model's last linear layer, None if it has none."""
    found = None
    for graph in _pieces(model, _GRAPH):
        for node in _pieces(graph, _NODE):
            kind = next(_pieces(node, _OP_TYPE), b"")
            if kind in _LINEAR:
                found = next(_pieces(node, _INPUT), None)
    return found


def _field(number: int, content: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _pieces(message: bytes, wanted: int) -> Iterator[bytes]:
    """Give every length-delimited field `wanted` of a message, in order."""
    view = memoryview(message)
    at = 0
    while at < len(view):
        key, at = _read_varint(view, at)
        number, kind = key >> 3, key & 7
        if kind == 0:
            _, at = _read_varint(view, at)
        elif kind in (1, 5):
            at += 8 if kind == 1 else 4
        elif kind == 2:
            length, at = _read_varint(view, at)
            if number == wanted:
                yield bytes(view[at : at + length])
            at += length
        else:
            raise ModelError(f"not an ONNX model: field kind {kind}")


def _read_varint(view: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        if at >= len(view) or shift > 63:
            raise ModelError("not an ONNX model: it ends in the middle")
        byte = view[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
