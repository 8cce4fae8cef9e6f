"""Make a shipped model trainable again: ONNX weights back into a network of Ultralytics.

An exported model has its batch normalizations folded into its convolutions, and of a detector's
two heads only one. Training needs both: the normalizations are set from pictures so that the
network computes what the file computes, and the other head begins as a copy of the exported one.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.learn.training import CLASSES, Training, TrainingError

_SECOND_HEAD = "one2one_"
"""Prefix of the head that needs no suppression; the other has none."""


def thaw(model_file: Path, training: Training, pictures: NDArray[np.float32], out: Path) -> Path:
    """Write a checkpoint to `out` that computes what `model_file` does; gives `out`.

    `pictures` is float32[n, 3, height, width] in 0 to 1, such as the training's own; n of 64 and
    more tell what passes through each layer. Raises `TrainingError` when the file holds another
    network than the training's.
    """
    import torch
    from ultralytics import YOLO

    weights = _weights_of(model_file)
    wrapper = YOLO(training.model)
    network = _network(training, wrapper.model, weights)
    network.load_state_dict(_filled(network, weights, model_file), strict=True)
    _set_normalizations(network, weights, torch.from_numpy(pictures))
    network.task = wrapper.task
    wrapper.model = network
    out.parent.mkdir(parents=True, exist_ok=True)
    wrapper.save(out)
    return out


def pictures_for(renders: Path, image_px: int, count: int = 96) -> NDArray[np.float32]:
    """Read pictures of a training set, evenly spread: float32[count, 3, px, px] in 0 to 1."""
    import cv2

    files = sorted(p for p in renders.rglob("*") if p.suffix in {".jpg", ".png"})
    if not files:
        raise TrainingError(f"no pictures in {renders}: render them first, see models/README.md")
    chosen = files[:: max(len(files) // count, 1)][:count]
    read = [cv2.imread(str(path)) for path in chosen]
    small = [cv2.resize(p, (image_px, image_px))[..., ::-1] for p in read if p is not None]
    stacked = np.stack(small).transpose(0, 3, 1, 2).astype(np.float32)
    return np.ascontiguousarray(stacked / np.float32(255), np.float32)


def _weights_of(model_file: Path) -> dict[str, NDArray[np.float32]]:
    import onnx
    from google.protobuf.message import DecodeError
    from onnx import numpy_helper

    try:
        graph = onnx.load(str(model_file)).graph
    except DecodeError as error:
        raise TrainingError(f"{model_file} is no ONNX model: {error}") from error
    return {
        tensor.name: np.array(numpy_helper.to_array(tensor), np.float32)
        for tensor in graph.initializer
        if tensor.name.startswith("model.")
    }


def _network(training: Training, made: Any, weights: dict[str, NDArray[np.float32]]) -> Any:
    """Give the training's network with as many classes as its role, its head as wide as the file's.

    A detector's branch of classes is as wide as the classes of the network it began from, and
    stays so: Ultralytics builds it anew at that width when it loads a checkpoint.
    """
    from torch import nn

    names = CLASSES[training.role]
    network = type(made)(training.model, nc=len(names), verbose=False)
    network.names = dict(enumerate(names))
    if any(name.endswith(".attitude.weight") for name in weights):
        from vision.learn.attitude_head import widen

        widen(network)
    last = [value for name, value in weights.items() if re.search(r"cv3\.\d+\.2\.weight$", name)]
    if training.role == "locator" and last:
        width, head = last[0].shape[1], network.model[-1]
        as_wide = type(made)(training.model, nc=width, verbose=False).model[-1]
        for branch in ("cv3", f"{_SECOND_HEAD}cv3"):
            levels = getattr(as_wide, branch)
            for level in levels:
                level[2] = nn.Conv2d(level[2].in_channels, len(names), 1)
            setattr(head, branch, levels)
    return network


def _filled(network: Any, weights: dict[str, NDArray[np.float32]], source: Path) -> dict[str, Any]:
    """Give the network's state with every weight of the file in its place."""
    import torch

    state = network.state_dict()
    for name, mine in state.items():
        if ".bn." in name or "num_batches_tracked" in name or ".dfl." in name:
            continue
        value = weights.get(name, weights.get(_other_head(name)))
        if value is None or tuple(value.shape) != tuple(mine.shape):
            found = "nothing" if value is None else str(value.shape)
            raise TrainingError(
                f"{source.name} does not fit this training: {name} is {tuple(mine.shape)} "
                f"there, and {found} in the file"
            )
        state[name] = torch.from_numpy(value)
    return dict(state)


def _other_head(name: str) -> str:
    """Name the same weight in a detector's other head; any other name stays as it is."""
    first, number, part, *rest = (*name.split("."), "", "")
    if part.startswith(_SECOND_HEAD):
        part = part.removeprefix(_SECOND_HEAD)
    elif part in {"cv2", "cv3"}:
        part = _SECOND_HEAD + part
    return ".".join((first, number, part, *rest)).rstrip(".")


def _set_normalizations(
    network: Any, weights: dict[str, NDArray[np.float32]], pictures: Any
) -> None:
    """Set each normalization to what passes through it, its scale and shift undoing it.

    With m and v the mean and variance a channel, (x - m) / sqrt(v + e) * sqrt(v + e) + m + b is
    x + b: the folded convolution's own output, while training starts from true statistics.
    """
    import torch

    def hook(name: str, norm: Any) -> Any:
        def measure(_module: Any, _inputs: Any, output: Any) -> None:
            bias = weights.get(f"{name}.conv.bias", weights.get(f"{_other_head(name)}.conv.bias"))
            if bias is None:
                raise TrainingError(f"the file holds no bias of {name}: it was exported unfolded")
            mean = output.mean(dim=(0, 2, 3))
            spread = output.var(dim=(0, 2, 3), unbiased=False)
            norm.running_mean.copy_(mean)
            norm.running_var.copy_(spread)
            norm.weight.copy_(torch.sqrt(spread + norm.eps))
            norm.bias.copy_(mean + torch.from_numpy(bias))

        return measure

    folded = [(n, m) for n, m in network.named_modules() if hasattr(m, "conv") and hasattr(m, "bn")]
    with torch.no_grad():
        hooks = [m.conv.register_forward_hook(hook(n, m.bn)) for n, m in folded]
        network.eval()
        network(pictures)
        for handle in hooks:
            handle.remove()
