"""Running a model file: the one place that knows the inference engine (ONNX Runtime).

Another engine is another class with the shape of `Network`; nothing else changes.
"""

from __future__ import annotations

import ast
import os
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from vision.errors import ModelError
from vision.recognize.manifest import MEND

if TYPE_CHECKING:
    from vision.recognize.manifest import Manifest, ModelEntry

Tensor = NDArray[np.float32]

# ONNX Runtime's official builds tell Microsoft of their use unless this stands before their import.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

MOST_THREADS = 4
"""More threads than this do not make networks this small faster."""

_FLOATS = ["tensor(float)"] * 2

SPIN_US = 20
"""Microseconds that a thread spins (docs/decisions/0013-backends.md)."""


class Network(Protocol):
    """A loaded model: one float32 input [N, 3, H, W] of RGB in 0 to 1, a float32 output or two.

    `input_shape` is (N, H, W), None where any size goes.
    """

    input_shape: tuple[int | None, int | None, int | None]

    def __call__(self, batch: Tensor) -> Tensor:
        """Run the model on one batch and give its first output."""
        ...


class ManyOutputs(Network, Protocol):
    """A loaded model that gives its other outputs too."""

    def all_of(self, batch: Tensor) -> tuple[Tensor, ...]:
        """Run the model on one batch and give all its outputs."""
        ...


def cores() -> int:
    """Give the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class OnnxNetwork:
    """A model in ONNX Runtime; the session is made once and may be called from any thread."""

    def __init__(self, content: bytes, entry: ModelEntry) -> None:
        import onnxruntime as ort
        from onnxruntime.capi import onnxruntime_pybind11_state as refused

        options = ort.SessionOptions()
        # A thread that spins a little while it waits starts the next layer sooner. Spinning long
        # would take the core from other programs, from the next model and from OpenCV.
        options.add_session_config_entry("session.intra_op.allow_spinning", "1")
        options.add_session_config_entry("session.intra_op.spin_duration_us", str(SPIN_US))
        options.add_session_config_entry("session.force_spinning_stop", "1")
        options.intra_op_num_threads = min(cores(), MOST_THREADS)
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        try:
            self._session = ort.InferenceSession(
                content, options, providers=["CPUExecutionProvider"]
            )
        except (
            refused.Fail,
            refused.InvalidArgument,
            refused.InvalidGraph,
            refused.InvalidProtobuf,
            refused.NotImplemented,
            refused.RuntimeException,
        ) as error:
            why = str(error).splitlines()[0]
            raise ModelError(f"ONNX Runtime cannot load {entry.file} ({why}): {MEND}") from error
        inputs, outputs = self._session.get_inputs(), self._session.get_outputs()
        takes = [(i.type, len(i.shape)) for i in inputs]
        gives = [o.type for o in outputs]
        if takes != [("tensor(float)", 4)] or gives not in (_FLOATS[:1], _FLOATS):
            raise ModelError(
                f"{entry.file}: expected one float input [N, 3, H, W] and one float output or two, "
                f"got {takes} and {gives}: {MEND}"
            )
        _check_names(self._session.get_modelmeta().custom_metadata_map.get("names"), entry)
        self._input = inputs[0].name
        batch, _, height, width = (d if isinstance(d, int) else None for d in inputs[0].shape)
        self.input_shape = (batch, height, width)

    def __call__(self, batch: Tensor) -> Tensor:
        """Run the model on one batch and give its first output."""
        return self.all_of(batch)[0]

    def all_of(self, batch: Tensor) -> tuple[Tensor, ...]:
        """Run the model on one batch and give all its outputs."""
        outputs = self._session.run(None, {self._input: batch})
        return tuple(np.asarray(output, np.float32) for output in outputs)


def open_network(manifest: Manifest, entry: ModelEntry) -> ManyOutputs:
    """Check a model file against its manifest and load it; `ModelError` says what to do."""
    return OnnxNetwork(manifest.read_checked(entry), entry)


def _check_names(names: str | None, entry: ModelEntry) -> None:
    """Compare the class names that Ultralytics writes into its exports with the manifest's."""
    if names is None:
        return
    try:
        by_index = ast.literal_eval(names)
        inside = tuple(by_index[i] for i in sorted(by_index))
    except (ValueError, SyntaxError, TypeError, KeyError) as error:
        raise ModelError(f"{entry.file} holds unreadable class names ({names}): {MEND}") from error
    if inside != entry.classes:
        raise ModelError(
            f"{entry.file} was trained on the classes {', '.join(map(str, inside))}, the manifest "
            f"says {', '.join(entry.classes)}: {MEND}"
        )
