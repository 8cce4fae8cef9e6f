"""Make the demo clip and its truth from `datasets/demo/recipe.toml`.

    python scripts/make_demo.py                  films the recipe into datasets/demo
    python scripts/make_demo.py --search 300     lists what the first 300 seeds come to
    python scripts/make_demo.py --truth          only writes the truth file again

Needs the `render` extra; FFmpeg (`apt-get install ffmpeg`) for H.264, else MPEG-4 by OpenCV.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from tqdm import tqdm

from vision.artefacts import artefact_dir
from vision.synth.demo import Clip, DemoRecipe, load_demo_recipe
from vision.synth.renderers import open_renderer
from vision.synth.textures import texture_stack

MOST_BYTES = 4_000_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    folder = artefact_dir("datasets") / "demo"
    parser.add_argument("--recipe", type=Path, default=folder / "recipe.toml")
    parser.add_argument("--out", type=Path, default=folder)
    parser.add_argument("--search", type=int, metavar="SEEDS", help="list what seeds come to")
    parser.add_argument("--truth", action="store_true", help="write the truth, film nothing")
    parser.add_argument("--crf", type=int, default=25, help="H.264 quality, less is better")
    wanted = parser.parse_args()
    recipe = load_demo_recipe(wanted.recipe)
    clip = Clip(recipe)
    if wanted.search:
        search(clip, wanted.search)
        return
    wanted.out.mkdir(parents=True, exist_ok=True)
    truth = clip.truth()
    (wanted.out / "truth.json").write_text(json.dumps(truth, indent=1) + "\n", encoding="utf-8")
    if not wanted.truth:
        film(clip, recipe, wanted.out / "demo.mp4", wanted.crf, truth["frames"])


def search(clip: Clip, seeds: int) -> None:
    for seed in range(seeds):
        for seat in (0, 1):
            landed = clip.land(seed, seat)
            if landed is not None:
                poses = " ".join(sorted(landed.poses))
                gap, rest = landed.thrown.gap_mm, landed.thrown.track.rest_s
                print(f"seed {seed} seat {seat}: {poses}, gap {gap:.0f} mm, rest {rest:.2f} s",
                      flush=True)  # fmt: skip


def film(clip: Clip, recipe: DemoRecipe, path: Path, crf: int, count: int) -> None:
    seed, stack, _ = recipe.surface
    renderer = open_renderer("raster", texture_stack(seed, stack))
    frames = tqdm(clip.frames(renderer), total=count, unit="frame")
    write = write_h264 if shutil.which("ffmpeg") else write_mpeg4
    write(frames, path, recipe, crf)
    size = path.stat().st_size
    print(f"{path}: {count} frames, {size / 1e6:.2f} MB")
    if size > MOST_BYTES:
        sys.exit(f"the clip is larger than {MOST_BYTES / 1e6:.0f} MB; raise --crf")


def write_h264(frames: Iterable[np.ndarray], path: Path, recipe: DemoRecipe, crf: int) -> None:
    width, height = recipe.size
    command = [
        "ffmpeg", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24",
        "-s", f"{width}x{height}", "-r", str(recipe.fps), "-i", "-", "-an",
        "-c:v", "libx264", "-preset", "slow", "-crf", str(crf), "-pix_fmt", "yuv420p",
        "-g", str(recipe.fps * 2), "-movflags", "+faststart", "-threads", "1", str(path),
    ]  # fmt: skip
    with subprocess.Popen(command, stdin=subprocess.PIPE) as encoder:  # noqa: S603
        if encoder.stdin is None:
            sys.exit("FFmpeg takes no frames")
        for frame in frames:
            encoder.stdin.write(np.ascontiguousarray(frame).tobytes())
        encoder.stdin.close()
        if encoder.wait():
            sys.exit("FFmpeg could not write the clip")


def write_mpeg4(frames: Iterable[np.ndarray], path: Path, recipe: DemoRecipe, crf: int) -> None:
    import cv2  # noqa: PLC0415 - only where FFmpeg is missing

    del crf
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), recipe.fps, recipe.size)
    for frame in frames:
        writer.write(frame[..., ::-1])
    writer.release()


if __name__ == "__main__":
    main()
