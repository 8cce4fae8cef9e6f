"""A profile: what the recognizer was taught about one pig set and table.

It is a small layer on the shipped pose network, kept in one file of the user's; the shipped
model is never touched. A profile belongs to the network it was taught on and to no other.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np

from vision.capture.frame import Image
from vision.errors import VisionError
from vision.recognize.attitude import together
from vision.recognize.decide import Policy
from vision.recognize.embedding import Embedder, Floats
from vision.recognize.gaze import SPARE, VIEWS, Gaze, Recolour
from vision.recognize.linear import Layer, log_softmax
from vision.recognize.locate import Locator
from vision.recognize.manifest import Role, load_manifest
from vision.recognize.pose import Seen
from vision.recognize.reading import POSE_CLASSES
from vision.recognize.recognizer import Recognizer, open_contact
from vision.recognize.runtime import open_network
from vision.recognize.slant import DIRECTIONS, Slant

if TYPE_CHECKING:
    from vision.recognize.pose import Classifier

SUFFIX = ".pigs"
ACTIVE = "active"
"""Stands for whichever profile is in use."""

NONE = "none"
"""Stands for the shipped model alone."""

_VERSION = 1
_NAME = re.compile(r"^[\w][\w .,-]{0,59}$")
_FILE_LIMIT = 16 * 2**20


class ProfileError(VisionError):
    """A profile that cannot be read, named or used; the message says why."""


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """What was taught.

    `model` is the sha256 of the pose network; `gaze` how its crops are looked at, `layer` what is
    added to its answers; `slant` log-shares [DIRECTIONS] of where up was before the camera that
    it was taught at, None where that is not known; `shots` counts the pigs it was taught on, by
    pose;
    `before` and `after` are the shares read right of held-out shots.
    """

    name: str
    model: str
    layer: Layer
    gaze: Gaze = field(default_factory=Gaze)
    shots: Mapping[str, int] = field(default_factory=dict)
    before: float = float("nan")
    after: float = float("nan")
    made: str = ""
    slant: Floats | None = None

    def __post_init__(self) -> None:
        check_name(self.name)
        classes = len(POSE_CLASSES)
        depth = len(self.layer.centre)
        shapes = (self.layer.weights.shape, self.layer.bias.shape)
        if shapes != ((depth, classes), (classes,)):
            raise ProfileError(f"{self.name}: expected weights for {classes} poses, got {shapes}")
        if self.slant is not None and self.slant.shape != (DIRECTIONS,):
            raise ProfileError(f"{self.name}: taught by another version; teach it again")

    def to_bytes(self) -> bytes:
        """Give the profile as one file."""
        about = {
            "version": _VERSION,
            "name": self.name,
            "model": self.model,
            "classes": list(POSE_CLASSES),
            "gaze": asdict(self.gaze),
            "shots": dict(self.shots),
            "before": self.before,
            "after": self.after,
            "made": self.made,
        }
        out = io.BytesIO()
        np.savez_compressed(
            out,
            about=np.frombuffer(json.dumps(about).encode(), np.uint8),
            centre=self.layer.centre.astype(np.float32),
            weights=self.layer.weights.astype(np.float32),
            bias=self.layer.bias,
            numbers=np.array([self.layer.scale, self.layer.trust]),
            slant=np.empty(0) if self.slant is None else self.slant.astype(np.float32),
        )
        return out.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes, source: str) -> Self:
        """Read what `to_bytes` gave; `source` is for messages. Nothing in it is executed."""
        if len(data) > _FILE_LIMIT:
            raise ProfileError(f"{source}: too large for a profile")
        try:
            with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
                about = json.loads(arrays["about"].tobytes())
                scale, trust = (float(v) for v in arrays["numbers"])
                layer = Layer(
                    np.asarray(arrays["centre"], np.float64),
                    scale,
                    np.asarray(arrays["weights"], np.float64),
                    np.asarray(arrays["bias"], np.float64),
                    trust,
                )
                # Profiles of before know nothing of it.
                slant = np.asarray(arrays.get("slant", ()), np.float64)
        except (OSError, EOFError, ValueError, KeyError, TypeError, zipfile.BadZipFile) as error:
            raise ProfileError(f"{source}: not a profile of sooee, or damaged ({error})") from error
        return cls._checked(about, layer, slant if slant.size else None, source)

    @classmethod
    def _checked(
        cls, about: dict[str, Any], layer: Layer, slant: Floats | None, source: str
    ) -> Self:
        if about.get("version") != _VERSION:
            raise ProfileError(f"{source}: a profile of another sooee ({about.get('version')})")
        if about.get("classes") != list(POSE_CLASSES):
            raise ProfileError(f"{source}: taught on other poses")
        numbers: list[Any] = [layer.centre, layer.weights, layer.bias, [layer.scale, layer.trust]]
        numbers += [] if slant is None else [slant]
        if not all(np.isfinite(a).all() for a in numbers) or layer.scale <= 0:
            raise ProfileError(f"{source}: damaged: numbers that are none")
        try:
            told = dict(about["gaze"])
            colour = told["recolour"]
            recolour = colour and Recolour(
                (float(colour["pig"][0]), float(colour["pig"][1]), float(colour["pig"][2])),
                float(colour["reach"]),
                float(colour["lightness"]),
            )
            gaze = Gaze(recolour, str(told["views"]))
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise ProfileError(f"{source}: damaged: {error!r}") from error
        return cls(
            str(about["name"]),
            str(about["model"]),
            layer,
            gaze,
            {str(k): int(v) for k, v in dict(about.get("shots", {})).items()},
            float(about.get("before", "nan")),
            float(about.get("after", "nan")),
            str(about.get("made", "")),
            slant,
        )


def check_name(name: str) -> None:
    """Refuse a name that would not do as a file's; raises `ProfileError`."""
    if not _NAME.match(name) or name in (ACTIVE, NONE):
        raise ProfileError(
            f"{name!r}: a profile's name has letters, figures, spaces and . , - _ (60 at most)"
        )


class ProfileFolder:
    """Where this user's profiles lie, and which one is in use."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder if folder is not None else _default_folder()

    def names(self) -> list[str]:
        """Give every profile's name."""
        return sorted(p.stem for p in self.folder.glob(f"*{SUFFIX}"))

    @property
    def active(self) -> str | None:
        """The name of the profile in use, None for the shipped model alone."""
        try:
            name = (self.folder / ACTIVE).read_text(encoding="utf-8").strip()
        except OSError:
            return None
        return name if name and (self.folder / f"{name}{SUFFIX}").is_file() else None

    def use(self, name: str | None) -> None:
        """Take a profile into use; None goes back to the shipped model alone."""
        if name is None:
            (self.folder / ACTIVE).unlink(missing_ok=True)
            return
        self.load(name)
        _write(self.folder / ACTIVE, name.encode())

    def load(self, name: str) -> Profile:
        """Read a profile."""
        check_name(name)
        return read_profile(self.folder / f"{name}{SUFFIX}")

    def put(self, profile: Profile) -> Path:
        """Keep a profile, in the place of one of the same name."""
        path = self.folder / f"{profile.name}{SUFFIX}"
        _write(path, profile.to_bytes())
        return path

    def remove(self, name: str) -> None:
        """Delete a profile; the shipped model alone is used if it was in use."""
        self.load(name)
        if self.active == name:
            self.use(None)
        (self.folder / f"{name}{SUFFIX}").unlink()


def read_profile(path: Path) -> Profile:
    """Read a profile's file."""
    try:
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise ProfileError(f"there is no profile {path.stem!r} ({path})") from error
    except OSError as error:
        raise ProfileError(f"{path}: {error.strerror}") from error
    return Profile.from_bytes(data, str(path))


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.partial")
    beside.write_bytes(data)
    beside.replace(path)


def _default_folder() -> Path:
    import platformdirs

    return Path(platformdirs.user_data_dir("sooee", appauthor=False)) / "profiles"


class TaughtPose:
    """The pose network as a profile looks at it; takes the place of the plain classifier."""

    def __init__(self, embedder: Embedder, profile: Profile) -> None:
        self._embedder = embedder
        self._profile = profile
        self.size = round(embedder.size * SPARE)
        """The side of the crops it takes, in pixels."""

    def __call__(self, crops: Sequence[Image]) -> Floats:
        """Give log-probabilities [N, 7] of crops uint8[size, size, 3] RGB."""
        return self.see(crops).logs

    def see(self, crops: Sequence[Image]) -> Seen:
        """Give what the network sees in crops uint8[size, size, 3] RGB, as it was taught."""
        if not crops:
            return Seen(np.empty((0, len(POSE_CLASSES))))
        gaze = self._profile.gaze
        looks = [look for crop in crops for look in gaze(crop, self._embedder.size)]
        vectors, given, turned = self._embedder.see(looks)
        logs = self._profile.layer(vectors, given)
        named = log_softmax(logs.reshape(len(crops), -1, logs.shape[-1]).mean(axis=1))
        if turned is None:
            return Seen(named)
        views = VIEWS[gaze.views]
        return Seen(named, together(turned.reshape(len(crops), len(views), -1), views))


def load_taught(
    models_dir: Path | None = None,
    policy: Policy | None = None,
    profile: str = ACTIVE,
    folder: ProfileFolder | None = None,
) -> tuple[Recognizer, str | None]:
    """Load the models with a profile on them; gives the recognizer and the profile's name.

    `profile` is a name, `active` or `none`. The active profile is left out, its name None, when
    it was taught on another pose network; one that is named must fit, else `ProfileError`.
    """
    shelf = folder or ProfileFolder()
    name = shelf.active if profile == ACTIVE else profile
    if name is None or name == NONE:
        return Recognizer.load(models_dir, policy), None
    manifest = load_manifest(models_dir)
    locator, pose = manifest.need(Role.LOCATOR), manifest.need(Role.POSE)
    taught = shelf.load(name)
    if taught.model != pose.sha256:
        if profile == ACTIVE:
            return Recognizer.load(models_dir, policy), None
        raise ProfileError(
            f"profile {name!r} was taught on another model; teach it again on this one"
        )
    embedder = Embedder(manifest.read_checked(pose), pose)
    # The same calls as the plain classifier's, which is a class and no protocol.
    classifier = cast("Classifier", TaughtPose(embedder, taught))
    located = Locator(open_network(manifest, locator), locator)
    contact = open_contact(manifest)
    slant = None if taught.slant is None else Slant(taught.slant)
    return Recognizer(located, classifier, policy, contact, pose.stances, slant), name
