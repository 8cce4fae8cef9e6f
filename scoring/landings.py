"""How pigs have landed: counts, what they say about the odds, and whether they fit a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from math import fsum

from scoring.odds import KASTEGRIS_FREQUENCIES, KERN_COUNTS
from scoring.special import beta_quantile, chi2_above
from scoring.throw import AnyThrow, Contact, DiceThrow, Pose, Throw

PRIOR_PIGS = 6.0  # the posterior starts as if so many pigs had landed by Kern's table
CREDIBLE = 0.95
POOL_BELOW = 5.0  # the test of fit pools what is expected less often
ENOUGH_PIGS = 100  # below it, a test of fit says next to nothing


def _kern_frequencies() -> dict[Pose, float]:
    counts = dict.fromkeys(Pose, 0.0)
    for (i, first), (j, second) in product(enumerate(Pose), repeat=2):
        counts[first] += KERN_COUNTS[i][j]
        counts[second] += KERN_COUNTS[i][j]
    total = fsum(counts.values())
    return {pose: n / total for pose, n in counts.items()}


REFERENCES: Mapping[str, Mapping[Pose, float]] = {
    "kern": _kern_frequencies(),
    "kastegris": KASTEGRIS_FREQUENCIES,
}
"""Published frequencies of one pig, by the name of the table."""


@dataclass(frozen=True, slots=True)
class PoseShare:
    """How often pigs lay in one pose: counted, and what that says about the true share.

    `share` is the posterior mean, `low` to `high` holds the true share with 95 % probability;
    `references` are the published shares by table.
    """

    pose: Pose
    count: int
    share: float
    low: float
    high: float
    references: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Fit:
    """A chi-square test of counts against a published table.

    `p_value` is the chance of counts at least as far off if the table were true; None when too
    little is expected to test anything. `pigs` is what it rests on, `enough` whether that is
    worth a judgement.
    """

    reference: str
    statistic: float
    freedom: int
    p_value: float | None
    pigs: int

    @property
    def enough(self) -> bool:
        """Whether the test rests on enough pigs to mean something."""
        return self.p_value is not None and self.pigs >= ENOUGH_PIGS


@dataclass(frozen=True, slots=True)
class Landings:
    """The landings of many throws of two pigs; a pig that touched or stacked lies in no pose."""

    throws: int
    touching: int
    stacked: int
    shares: tuple[PoseShare, ...]
    fits: tuple[Fit, ...]

    @property
    def pigs(self) -> int:
        """How many pigs the shares rest on."""
        return 2 * (self.throws - self.touching - self.stacked)


@dataclass(frozen=True, slots=True)
class Faces:
    """The faces of many dice, 1 to 6, with a test whether they are fair."""

    dice: int
    counts: tuple[int, ...]
    fit: Fit


def landings(throws: Iterable[AnyThrow]) -> Landings:
    """Count the pigs among the throws; dice and mishaps are left out."""
    pigs = [throw for throw in throws if isinstance(throw, Throw)]
    contacts = Counter(throw.contact for throw in pigs)
    counts = Counter(p for t in pigs if t.contact is Contact.APART for p in t.poses)
    total = sum(counts.values())
    return Landings(
        throws=len(pigs),
        touching=contacts[Contact.TOUCHING],
        stacked=contacts[Contact.STACKED],
        shares=tuple(_share(pose, counts[pose], total) for pose in Pose),
        fits=tuple(
            _fit(name, [(counts[pose], table[pose]) for pose in Pose])
            for name, table in REFERENCES.items()
        ),
    )


def faces(throws: Iterable[AnyThrow]) -> Faces:
    """Count the faces of the dice among the throws."""
    counts = Counter(f for t in throws if isinstance(t, DiceThrow) for f in t.faces)
    shown = tuple(counts[face] for face in range(1, 7))
    return Faces(sum(shown), shown, _fit("fair", [(n, 1 / 6) for n in shown]))


def _share(pose: Pose, count: int, total: int) -> PoseShare:
    """Return the marginal of the Dirichlet posterior, which is a Beta distribution."""
    prior = PRIOR_PIGS * REFERENCES["kern"][pose]
    a, b = count + prior, total - count + PRIOR_PIGS - prior
    tail = (1.0 - CREDIBLE) / 2
    return PoseShare(
        pose=pose,
        count=count,
        share=a / (a + b),
        low=beta_quantile(tail, a, b),
        high=beta_quantile(1.0 - tail, a, b),
        references=tuple((name, table[pose]) for name, table in REFERENCES.items()),
    )


def _fit(reference: str, cells: list[tuple[int, float]]) -> Fit:
    """Test counts against shares; cells expected too rarely are pooled, the rarest first."""
    total = sum(count for count, _ in cells)
    scale = total / fsum(share for _, share in cells)
    pooled: list[tuple[float, float]] = []
    pool = (0.0, 0.0)
    for count, share in sorted(cells, key=lambda cell: cell[1]):
        pool = (pool[0] + count, pool[1] + share * scale)
        if pool[1] >= POOL_BELOW:
            pooled.append(pool)
            pool = (0.0, 0.0)
    if pooled:
        pooled[-1] = (pooled[-1][0] + pool[0], pooled[-1][1] + pool[1])
    freedom = max(0, len(pooled) - 1)
    statistic = fsum((n - e) ** 2 / e for n, e in pooled) if freedom else 0.0
    p_value = chi2_above(statistic, freedom) if freedom else None
    return Fit(reference, statistic, freedom, p_value, total)
