"""Whether a folder lies on another machine's disk, where the write-ahead log is no good.

That log needs memory shared between programs, which two machines do not have. In doubt a drive
counts as another machine's: the other journal works everywhere and is only slower.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

_LOCAL = frozenset(
    {"ext2", "ext3", "ext4", "xfs", "btrfs", "zfs", "bcachefs", "f2fs", "jfs", "reiserfs", "tmpfs",
     "ramfs", "overlay", "vfat", "exfat", "ntfs", "ntfs3", "fuseblk", "squashfs"}
)  # fmt: skip
_FIXED, _REMOVABLE, _RAM = 3, 2, 6  # of GetDriveTypeW


def is_local(folder: Path) -> bool:
    """Tell whether an existing folder lies on a disk of this machine, as far as can be known."""
    real = folder.resolve()
    if sys.platform == "win32":
        import ctypes

        kind = ctypes.windll.kernel32.GetDriveTypeW(real.anchor)
        return kind in (_FIXED, _REMOVABLE, _RAM)
    if sys.platform == "darwin":
        return not real.is_relative_to("/Volumes")  # where everything else is mounted
    return _kind(real.stat().st_dev) in _LOCAL


def _kind(device: int) -> str:
    """Give the kind of file system that Linux says a device number has, empty if unknown."""
    wanted = f"{os.major(device)}:{os.minor(device)}"
    try:
        lines = Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    for line in lines.splitlines():
        mount, _, kind = line.partition(" - ")
        if mount.split()[2] == wanted:
            return kind.split()[0]
    return ""
