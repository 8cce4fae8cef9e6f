"""Training by Ultralytics: settings in, a checkpoint and an ONNX file out.

Two things differ from its defaults, and both matter here. Nothing is flipped. And the biases'
learning rate does not start at 0.1: that default is made for SGD; under AdamW it keeps a network
that starts from nothing at chance for many epochs (docs/decisions/0005-training-from-nothing.md).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from vision.learn.augment import crop_augmentations, crop_transforms, strained
from vision.learn.follow import follow
from vision.learn.offline import offline
from vision.learn.thaw import pictures_for, thaw
from vision.learn.train_run import best_of, check_free, finished, is_finished, last_of
from vision.learn.training import CLASSES, Training, TrainingError

ATTITUDE, STRAIN = 2.0, 0.5
"""How much the attitude counts, and how crops vary, where a training says neither."""

_BACKBONE = {"pose": 10, "contact": 10, "locator": 11}
"""Layers before the head, in `yolo26n-cls.yaml` and `yolo26n.yaml`."""


@offline()
def train(
    training: Training,
    renders: Path,
    out: Path,
    *,
    start: Path | None = None,
    resume: bool = False,
    threads: int | None = None,
    freeze: bool = False,
    tell: Callable[[str], None] = lambda _line: None,
) -> Path:
    """Train a model on `renders` (folders `train` and `val`); gives the best checkpoint's path.

    `start` is a checkpoint whose weights are taken where names and shapes fit (a classifier's
    backbone into a locator's too, and the other way), or a shipped ONNX file; with `freeze` all
    but the last layers stay as they are there; `resume` goes on with the last epoch of `out`.
    `tell` is given a line after each epoch; the curves are drawn into `out` each time.
    Raises `TrainingError` when the `train` extra or the renders are missing, when a new run would
    write over another, or when there is nothing to go on with.
    """
    ultralytics = _ultralytics()
    if resume:
        model = _stopped_run(ultralytics, out)
        _use_threads(model, threads)
        _follow(model, training, tell)
        model.train(resume=True, trainer=_trainer(_keeping(training, model)))
        return best_of(out)
    check_free(out)
    _check_renders(renders)
    model = _beginning(training, start, renders, out)
    _use_threads(model, threads)
    _follow(model, training, tell)
    settings = _settings(training, renders, out, start is not None)
    if freeze:
        settings["freeze"] = _BACKBONE[training.role]
    model.train(trainer=_trainer(_keeping(training, model)), **settings)
    return best_of(out)


def _keeping(training: Training, model: Any) -> Training:
    """Give a training that does not forget how pigs are turned, where the model knows it."""
    if (
        training.role != "pose"
        or training.attitude
        or not hasattr(model.model.model[-1], "attitude")
    ):
        return training
    return replace(training, attitude=ATTITUDE, strain=training.strain or STRAIN)


def _follow(model: Any, training: Training, tell: Callable[[str], None]) -> None:
    if training.stop_after:
        model.add_callback("on_fit_epoch_end", _stop_after(training.stop_after))
    follow(model, tell, training.stop_after)


@offline()
def is_over(out: Path) -> bool:
    """Whether a run is there and has come to its end."""
    return last_of(out).exists() and is_finished(_ultralytics().YOLO(str(last_of(out))).ckpt)


def _stopped_run(ultralytics: Any, out: Path) -> Any:
    """Give the model of a run that was stopped, its pictures still there."""
    last = last_of(out)
    if not last.exists():
        raise TrainingError(f"nothing to resume: {last} is not there; start without --resume")
    model = ultralytics.YOLO(str(last))
    if is_finished(model.ckpt):
        raise finished(out)
    pictures = Path(str(model.overrides.get("data")))
    if not pictures.exists():  # else Ultralytics would look for others, on the internet
        raise TrainingError(f"{pictures} is gone, which {out} was trained on: put it back")
    return model


def _beginning(training: Training, start: Path | None, renders: Path, out: Path) -> Any:
    """Give the model that a training begins with: new, another one's weights, or one of its own."""
    yolo = _ultralytics().YOLO
    if start is not None and start.suffix == ".onnx":
        pictures = pictures_for(renders / "train", training.image_px)
        return yolo(str(thaw(start, training, pictures, out.parent / f"{out.name}-start.pt")))
    model = yolo(training.model)
    if start is None:
        return model
    model.load(str(start))
    theirs = model.ckpt["model"]
    as_many = len(theirs.names) == len(CLASSES.get(training.role, ()))
    if as_many and type(theirs) is type(model.model):
        return yolo(str(start))  # the same network, its head and all
    if training.role != "locator":
        _carry_attention(theirs.float().state_dict(), model.model)
    return model


def _carry_attention(theirs: dict[str, Any], network: Any) -> None:
    """Take a detector's attention into a classifier, where it is layer 9 and not 10."""
    fitting = {}
    for name, mine in network.state_dict().items():
        weight = theirs.get(name.replace("model.9.", "model.10.", 1))
        if name.startswith("model.9.") and weight is not None and weight.shape == mine.shape:
            fitting[name] = weight
    network.load_state_dict(fitting, strict=False)


def _check_renders(renders: Path) -> None:
    for split in ("train", "val"):
        if not (renders / split).is_dir():
            raise TrainingError(
                f"no folder {renders / split}: render it first, see models/README.md"
            )


def _use_threads(model: Any, threads: int | None) -> None:
    """Let torch use so many threads, said after Ultralytics has set them to all cores but one."""
    if not threads:
        return

    def use(_trainer: Any) -> None:
        import torch

        torch.set_num_threads(threads)

    model.add_callback("on_train_start", use)


def _stop_after(epochs: int) -> Callable[[Any], None]:
    def stop(trainer: Any) -> None:
        trainer.stop = trainer.stop or trainer.epoch + 1 >= epochs

    return stop


def _ultralytics() -> Any:
    try:
        import ultralytics
    except ModuleNotFoundError as error:
        raise TrainingError(
            "training needs the train extra: python -m pip install 'sooee[train]'"
        ) from error
    # It would otherwise ask its makers for newer versions and send usage figures.
    ultralytics.settings.update({"sync": False})
    return ultralytics


def _settings(t: Training, renders: Path, out: Path, started: bool) -> dict[str, Any]:
    """Ultralytics' own settings for a training."""
    common: dict[str, Any] = {
        "project": str(out.resolve().parent), "name": out.name, "exist_ok": True,
        "imgsz": t.image_px, "epochs": t.epochs, "batch": t.batch, "nbs": t.batch,
        "optimizer": t.optimizer, "lr0": t.rate, "lrf": t.final_rate, "cos_lr": True,
        "warmup_epochs": t.warmup_epochs, "warmup_bias_lr": 0.0, "weight_decay": t.weight_decay,
        "fliplr": 0.0, "flipud": 0.0, "seed": t.seed, "deterministic": False, "amp": False,
        "device": "cpu", "pretrained": started, "plots": False, "patience": 0, "workers": 1,
    }  # fmt: skip
    if t.role == "locator":
        detect = {
            "data": str(_write_data_yaml(renders)), "degrees": 0.0, "mosaic": 0.6, "scale": 0.35,
            "translate": 0.1, "hsv_h": 0.02, "hsv_s": 0.4, "hsv_v": 0.3, "close_mosaic": 2,
            "erasing": 0.0,
        }  # fmt: skip
        return common | detect
    classify = {"data": str(renders.resolve()), "dropout": t.dropout, "cache": "ram"}
    return common | classify


def _write_data_yaml(renders: Path) -> Path:
    path = renders / "pigs.yaml"
    path.write_text(
        f"path: {renders.resolve()}\ntrain: train/images\nval: val/images\nnames:\n  0: pig\n",
        encoding="utf-8",
    )
    return path


def _trainer(training: Training) -> Any:
    """Give the trainer's class: crops get our own augmentation, frames Ultralytics' own."""
    if training.bf16:
        allow_bf16_on_cpu()
    if training.role == "locator":
        from ultralytics.models.yolo.detect import DetectionTrainer

        return with_channels_last(DetectionTrainer)
    from ultralytics.models.yolo.classify import ClassificationTrainer

    class CropTrainer(with_channels_last(ClassificationTrainer)):  # type: ignore[misc]
        """Ultralytics' classifier training with turned, never flipped, never cropped crops."""

        def build_dataset(self, img_path: str, mode: str = "train", batch: Any = None) -> Any:
            dataset = super().build_dataset(img_path, mode, batch)
            if mode == "train":
                dataset.torch_transforms = crop_augmentations(training)
            else:
                dataset.torch_transforms = crop_transforms(training)
            return dataset

    if training.attitude:
        return _with_attitudes(CropTrainer, training)
    return CropTrainer


def _with_attitudes(base: Any, training: Training) -> Any:
    """Give a trainer that learns how pigs are turned as well."""
    from vision.learn.attitude_head import AttitudeHead, AttitudeLoss, TurnedCrops, widen

    class AttitudeTrainer(base):  # type: ignore[misc]
        """The same training with a second layer, its own loss, and crops that know both."""

        def get_model(self, cfg: Any = None, weights: Any = None, verbose: bool = True) -> Any:
            model = super().get_model(cfg, None, verbose)
            if weights is not None and isinstance(weights.model[-1], AttitudeHead):
                widen(model).load(weights)
            elif weights is not None:
                model.load(weights)
            widen(model).criterion = AttitudeLoss(training.attitude)
            return model

        def build_dataset(self, img_path: str, mode: str = "train", batch: Any = None) -> Any:
            del batch
            learning = mode == "train"
            dataset = TurnedCrops(
                img_path, self.args, strained=strained(training) if learning else None,
                augment=learning, prefix=mode if learning else self.args.split,
                names=self.data["names"],
            )  # fmt: skip
            varied = crop_augmentations if learning else crop_transforms
            dataset.torch_transforms = varied(training)
            return dataset

    return AttitudeTrainer


def allow_bf16_on_cpu() -> None:
    """Let Ultralytics train in bfloat16 on a CPU, which its own check keeps for GPUs.

    Measured on one core of a CPU with AVX-512 BF16, yolo26n-cls at 96 px: 183 crops a second as
    it is, 240 with channels last, 342 with both. The weights stay float32.
    """
    import torch
    from ultralytics.engine import trainer

    def autocast(enabled: Any, device: str = "cpu") -> Any:
        del enabled
        return torch.autocast(device, torch.bfloat16)

    trainer.autocast = autocast


def with_channels_last(base: Any) -> Any:
    """Give a trainer whose tensors lie as CPUs convolve them quickest."""
    import torch

    class ChannelsLast(base):  # type: ignore[misc]
        """The same training, another order in memory."""

        def get_model(self, *args: Any, **kwargs: Any) -> Any:
            return super().get_model(*args, **kwargs).to(memory_format=torch.channels_last)

        def preprocess_batch(self, batch: dict[str, Any]) -> dict[str, Any]:
            batch = super().preprocess_batch(batch)
            batch["img"] = batch["img"].contiguous(memory_format=torch.channels_last)
            return batch

    return ChannelsLast


def trained_with() -> str:
    """Name the program that trains, with its version."""
    return f"ultralytics {_ultralytics().__version__}"


@offline()
def export(checkpoint: Path, training: Training, image_px: int | None = None) -> Path:
    """Export a checkpoint to ONNX beside it, batch and size free to vary; gives the file's path.

    The class names in the file are those of the manifest, in its order.
    """
    model = _ultralytics().YOLO(str(checkpoint))
    model.model.names = dict(enumerate(CLASSES[training.role]))
    exported = model.export(
        format="onnx",
        imgsz=image_px or training.image_px,
        dynamic=True,
        simplify=True,
        device="cpu",
    )
    return described(Path(str(exported)), training)


def described(model_file: Path, training: Training) -> Path:
    """Say in an ONNX file what it is, and not in which folder it learnt; gives the file's path."""
    import onnx

    model = onnx.load(str(model_file))
    for fact in model.metadata_props:
        if fact.key == "description":
            fact.value = f"{training.role} model of sooee, {training.model.removesuffix('.yaml')}"
    onnx.save(model, str(model_file))
    return model_file
