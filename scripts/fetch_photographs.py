#!/usr/bin/env python3
"""Fetch photographs and cut-outs for table tops: fetch_photographs.py [OUT].

They come from Debian's packages of wallpapers, game textures, patterns and stamps (each under the
free licence its package names); nothing of them is shipped, only what networks learn in front of
them. Needs apt-get, dpkg and the network; OUT is where `sooee render` looks when it is left out.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from PIL import Image

from vision.synth.photographs import STAMPS, TABLES, photograph_folder

TABLE_PX, STAMP_PX = 1024, 256
"""Longer sides kept: a table top is 512 pixels, a stamp a fraction of one."""
PACKAGES = {
    TABLES: (
        "gnome-backgrounds", "mate-backgrounds", "plasma-workspace-wallpapers", "ukui-wallpapers",
        "lomiri-wallpapers-16.04", "lomiri-wallpapers-20.04", "colobot-common-textures",
    ),
    STAMPS: ("tuxpaint-stamps-default",),
}  # fmt: skip
NOT_THINGS = ("alphabets", "symbols", "frames", "speech", "braille")
"""Folders of stamps that show nothing that lies on a table."""
LEAST_PX = {TABLES: 128, STAMPS: 48}


def main() -> int:
    """Fetch every package, shrink its pictures and keep them under OUT."""
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else photograph_folder()
    for kind, packages in PACKAGES.items():
        (out / kind).mkdir(parents=True, exist_ok=True)
        for package in packages:
            with tempfile.TemporaryDirectory() as scratch:
                pictures = list(_pictures(package, Path(scratch)))
                kept = sum(_keep(path, package, out / kind, kind) for path in pictures)
            print(f"{package}: {kept} of {len(pictures)} pictures kept")
    return 0


def _pictures(package: str, scratch: Path) -> Iterator[Path]:
    _run(scratch, "apt-get", "download", "--quiet", package)
    (archive,) = scratch.glob("*.deb")
    _run(scratch, "dpkg", "-x", archive.name, "open")
    for path in sorted((scratch / "open").rglob("*")):
        small = "screenshot" in path.name or any(part in NOT_THINGS for part in path.parts)
        image = path.suffix in (".jpg", ".png", ".webp") and not path.is_symlink()
        if image and path.is_file() and not small:
            yield path


def _run(folder: Path, *command: str) -> None:
    subprocess.run(command, cwd=folder, check=True)  # noqa: S603


def _keep(path: Path, package: str, out: Path, kind: str) -> bool:
    """Shrink a picture into `out`; False for one too small, or the same at another size."""
    try:
        picture: Image.Image = Image.open(path)
        picture.load()
    except OSError:  # wallpapers hold files that are only names of others
        return False
    if min(picture.size) < LEAST_PX[kind]:
        return False
    stem = "-".join((package, *path.parts[-4:-1], path.stem)).replace(" ", "_")
    if kind == STAMPS:
        picture = picture.convert("RGBA")
        picture.thumbnail((STAMP_PX, STAMP_PX))
        picture.save(out / f"{stem}.png")
        return True
    # A wallpaper comes in many sizes: the largest of a folder stands for all.
    same = [p for p in path.parent.iterdir() if p.suffix == path.suffix and p.stem[0].isdigit()]
    if path.stem[0].isdigit() and path.stat().st_size < max(p.stat().st_size for p in same):
        return False
    picture = picture.convert("RGB")
    picture.thumbnail((TABLE_PX, TABLE_PX))
    picture.save(out / f"{stem}.jpg", quality=90)
    return True


if __name__ == "__main__":
    sys.exit(main())
