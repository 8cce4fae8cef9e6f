"""A profile is let in by proof, not by chance: what the two tests say of shots made for them."""

from __future__ import annotations

import numpy as np
import pytest

from vision.learn.proof import LEVEL, SIGN_LEVEL, Proof, flip_test, sign_test
from vision.recognize.linear import log_softmax

SHOTS = 72


@pytest.mark.parametrize(
    ("more", "less", "chance"), [(0, 0, 1.0), (3, 0, 1 / 8), (6, 2, 37 / 256), (2, 6, 247 / 256)]
)
def test_the_sign_test_is_the_binomial_tail(more: int, less: int, chance: float) -> None:
    assert sign_test(more, less) == pytest.approx(chance)


def test_flipping_signs_knows_gains_from_losses() -> None:
    rng = np.random.default_rng(3)
    assert flip_test(np.zeros(SHOTS)) == 1.0
    assert flip_test(rng.normal(1.0, 1.0, SHOTS)) < 0.001
    assert flip_test(rng.normal(-1.0, 1.0, SHOTS)) > 0.99
    one_large = np.zeros(SHOTS)
    one_large[0] = 12.0
    assert flip_test(one_large) > 0.4, "one shot proves nothing, however surely it is read"


def readings(seed: int, gain: float, sharp: tuple[float, float] = (2.0, 2.0)) -> Proof:
    """Read shots of six poses twice.

    `gain` is what the second reading knows more of the true pose; `sharp` how sure each reading
    makes itself: much of it, and what is wrong is wrong for certain.
    """
    rng = np.random.default_rng(seed)
    labels = np.tile(np.arange(6), SHOTS // 6)
    said = 1.2 * np.eye(7)[labels] + rng.normal(size=(SHOTS, 7))
    changed = said + 0.4 * rng.normal(size=said.shape) + gain * np.eye(7)[labels]
    return Proof.of(log_softmax(sharp[0] * said), log_softmax(sharp[1] * changed), labels)


def test_chance_lets_hardly_anything_in() -> None:
    let_in = sum(readings(seed, 0.0).helps(2) for seed in range(200))
    assert let_in <= 200 * LEVEL


def test_a_gain_is_let_in() -> None:
    let_in = sum(readings(seed, 0.5).helps(2) for seed in range(100))
    assert let_in >= 90


def test_to_be_less_sure_is_no_gain() -> None:
    surer = [readings(seed, 0.0, sharp=(6.0, 2.0)) for seed in range(100)]
    assert np.mean([p.surer <= LEVEL / 2 for p in surer]) > 0.5, "the other test alone is deceived"
    assert np.mean([p.helps(2) for p in surer]) <= SIGN_LEVEL, "so the sign test is asked too"


def test_a_few_shots_more_are_no_proof() -> None:
    """66 of 72 became 69 and a profile was let in that harmed: 17 errors of 228 became 20."""
    labels = np.zeros(SHOTS, int)
    before = np.full((SHOTS, 7), -4.0)
    before[:, 0] = np.where(np.arange(SHOTS) < 66, 0.0, -5.0)
    after = before.copy()
    after[66:69, 0] = -3.0
    after[:66, 1] = -1.0  # everything that was right is less sure
    proof = Proof.of(log_softmax(before), log_softmax(after), labels)
    assert (int(proof.before.sum()), int(proof.after.sum())) == (66, 69)
    assert (proof.mended, proof.broken) == (3, 0)
    assert not proof.helps(1)
