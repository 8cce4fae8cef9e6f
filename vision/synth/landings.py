"""How often thrown pigs land how, beside what Kern counted of real ones."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from scoring.odds import KERN_COUNTS, KERN_THROWS, KERN_TOUCHING
from scoring.throw import Contact, Pose
from vision.synth.physics import Material
from vision.synth.pool import PigPool
from vision.synth.throws import HandThrow, Thrower, Thrown

RARE = (Pose.SNOUTER, Pose.LEANING_JOWLER)
"""Poses so rare that a factor is asked of them, not percentage points."""

RUBBER = Material(friction=1.2, restitution=0.2, give_mm=3.0, roll_mm=1.0, round_cone=True)
"""Soft rubber on a table, fitted to Kern's counts: ears and legs give, nothing slides far."""

STEP_MS = 0.4
"""A blow on `RUBBER` lasts 5 ms: this step is fine enough, and saves a third of the time."""

THROWN: dict[str, float] = {
    "ear_length": 1.0, "ear_lift_deg": -1.0, "ear_face_deg": 1.0, "ear_sweep_deg": 0.5,
    "hoof_z": 1.0, "snout_x": -1.0, "belly": 0.5, "front_hoof_x": 0.7, "front_hoof_y": 1.0,
    "hind_hoof_x": -1.0, "hind_hoof_y": -0.7, "tail_z": -0.7, "leg_thick": 0.5,
}  # fmt: skip
"""What sets the pigs that are thrown apart from those that are rendered, in deviations of
`SPREAD`: fitted with `RUBBER`, see docs/decisions/0021-landings.md."""

WITHIN_POINTS, WITHIN_FACTOR, MOST_UNNAMED = 0.03, 1.5, 0.005


def kern_share(pose: Pose) -> float:
    """Share of real pigs that Kern saw land so, both pigs of 5,977 throws apart."""
    i = list(Pose).index(pose)
    total = sum(map(sum, KERN_COUNTS))
    return (sum(KERN_COUNTS[i]) + sum(row[i] for row in KERN_COUNTS)) / (2 * total)


KERN_TOUCHING_SHARE = KERN_TOUCHING / KERN_THROWS


@dataclass(slots=True)
class Landings:
    """What so many throws came to; poses are counted of pigs that lay apart, as Kern's are."""

    throws: int = 0
    poses: Counter[Pose] = field(default_factory=Counter)
    unnamed: int = 0
    mirrored: int = 0
    contacts: Counter[Contact] = field(default_factory=Counter)
    unsettled: int = 0

    @property
    def pigs(self) -> int:
        """Pigs that lay apart and at rest."""
        return self.poses.total() + self.unnamed

    def add(self, thrown: Thrown) -> None:
        """Count one more throw."""
        self.throws += 1
        if not thrown.settled:
            self.unsettled += 1
            return
        self.contacts[thrown.contact] += 1
        if thrown.contact is not Contact.APART:
            return
        for pig in thrown.lying:
            if pig.pose is None:
                self.unnamed += 1
            else:
                self.poses[pig.pose] += 1
                self.mirrored += pig.mirrored


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the table: shares 0 to 1 with a 95 % interval, and whether Kern's is met."""

    name: str
    count: int
    share: float
    low: float
    high: float
    kern: float | None
    met: bool | None


def interval(count: int, of: int, z: float = 1.96) -> tuple[float, float]:
    """Wilson's 95 % interval of a share (Wilson 1927)."""
    if of == 0:
        return 0.0, 1.0
    p, spread = count / of, z * z / of
    middle = (p + spread / 2) / (1 + spread)
    half = z * math.sqrt(p * (1 - p) / of + spread / (4 * of)) / (1 + spread)
    # The share itself lies inside, whatever the last digit is rounded to.
    share = count / of
    return max(0.0, min(middle - half, share)), min(1.0, max(middle + half, share))


def compare(landings: Landings) -> tuple[Line, ...]:
    """Set the landings beside Kern's: every pose, the unnamed, and pigs that touch."""
    lines = [_pose_line(landings, pose) for pose in Pose]
    of = landings.pigs
    low, high = interval(landings.unnamed, of)
    share = landings.unnamed / max(of, 1)
    lines.append(
        Line("without a name", landings.unnamed, share, low, high, None, share <= MOST_UNNAMED)
    )
    settled = landings.contacts.total()
    for contact in (Contact.TOUCHING, Contact.STACKED):
        count = landings.contacts[contact]
        kern = KERN_TOUCHING_SHARE if contact is Contact.TOUCHING else None
        lines.append(
            Line(
                contact.value, count, count / max(settled, 1), *interval(count, settled), kern, None
            )
        )
    return tuple(lines)


def _pose_line(landings: Landings, pose: Pose) -> Line:
    count, of, kern = landings.poses[pose], landings.pigs, kern_share(pose)
    share = count / max(of, 1)
    met = abs(share - kern) <= WITHIN_POINTS
    if pose in RARE:
        met = kern / WITHIN_FACTOR <= share <= kern * WITHIN_FACTOR
    return Line(pose.value, count, share, *interval(count, of), kern, met)


def throw_many(
    pool: PigPool,
    throws: int,
    seed: int,
    hand: HandThrow | None = None,
    material: Material | None = None,
) -> Iterator[Landings]:
    """Throw pairs of the pool's pigs in turn; yields the tally so far after each pair of pigs.

    The two pigs of a pair are alike, as in a box. The same seed gives the same throws.
    Unless told otherwise they are of `RUBBER`.
    """
    tally = Landings()
    share, more = divmod(throws, len(pool))
    for i in range(len(pool)):
        count = share + (i < more)
        if count == 0:
            break
        rng = np.random.default_rng([seed, i])
        thrower = Thrower((pool[i], pool[i]), material or RUBBER, STEP_MS)
        for _ in range(count):
            tally.add(thrower.throw(rng, hand))
        yield tally
