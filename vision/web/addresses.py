"""By which addresses this computer can be reached from others in the house."""

from __future__ import annotations

import ipaddress
import socket
from contextlib import suppress

# Nothing is sent there: asking for a way to it tells which of our addresses would be used.
_ELSEWHERE = ("10.254.254.254", 9)


def lan_addresses() -> tuple[str, ...]:
    """Return this computer's addresses in the local network, the likeliest first."""
    found: list[str] = []
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(_ELSEWHERE)
        found.append(probe.getsockname()[0])
    with suppress(OSError):
        infos = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
        found += [str(info[4][0]) for info in infos]
    usable = [a for a in dict.fromkeys(found) if _usable(a)]
    return tuple(usable)


def own_names() -> frozenset[str]:
    """Return the names this computer may be called by in the local network."""
    name = socket.gethostname().lower()
    short = name.partition(".")[0]
    return frozenset({name, short, f"{short}.local"} - {""})


def _usable(address: str) -> bool:
    found = ipaddress.ip_address(address)
    return not (found.is_loopback or found.is_unspecified or found.is_link_local)
