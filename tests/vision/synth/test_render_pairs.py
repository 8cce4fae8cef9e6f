"""Renders of pairs: the label is what lies there, and the same seed gives the same picture."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scoring.throw import Contact
from vision.synth import compose, dataset
from vision.synth.compose_pairs import LIFTED_MM, compose_pair, contact_between
from vision.synth.dataset import Studio, frame_sidecar
from vision.synth.pair_library import PairLibrary


def test_a_library_gives_the_same_pair_again_and_of_the_contact_asked(pair_studio: Studio) -> None:
    library = pair_studio.props.pairs
    again = PairLibrary(pair_studio.props.pigs, 3, 24)
    for contact in Contact:
        pair = library.pick(np.random.default_rng(4), contact)
        same = again.pick(np.random.default_rng(4), contact)
        assert pair.contact is contact
        assert pair.labels == same.labels
        np.testing.assert_array_equal(pair.positions, same.positions)
    with pytest.raises(IndexError, match="0 to 23"):
        library[24]


@pytest.mark.parametrize("contact", list(Contact))
def test_a_composed_pair_lies_as_it_is_labelled(pair_studio: Studio, contact: Contact) -> None:
    for seed in range(6):
        made = compose_pair(
            np.random.default_rng(seed), pair_studio.recipe, pair_studio.props, contact
        )
        one, two = made.scene.pigs
        found, gap = contact_between(one, two)
        lowest = [float(p.world(p.pig.mesh.vertices)[:, 2].min()) for p in (one, two)]
        if contact is Contact.STACKED and max(lowest) <= LIFTED_MM:
            # A pig that leans with a hoof on the table is carried all the same.
            assert found is Contact.TOUCHING
            continue
        assert found is contact
        if contact is Contact.APART:
            assert made.gap_mm >= pair_studio.recipe.least_gap
            assert gap == pytest.approx(made.gap_mm, abs=1.0)
        for pig in (one, two):
            assert (
                compose.inside_share(
                    compose.projected_box(made.scene.camera, pig), made.scene.camera.full
                )
                > 0.95
            )


def test_pair_crops_go_into_a_folder_a_contact(
    tmp_path: Path, pair_studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(dataset._studios, ("pairs-test", "raster"), pair_studio)
    list(dataset.render_set("pairs-test", 8, 1, tmp_path / "set", workers=1))
    lines = (tmp_path / "set.blocks").glob("*.jsonl")
    notes = [json.loads(line) for p in lines for line in p.read_text().splitlines()]
    assert len(notes) == 8
    numbers = {"apart": 0, "touching": 1, "stacked": 2}
    for note in notes:
        assert note["image"].startswith(f"{numbers[note['label']]}_{note['label']}/")
        assert (tmp_path / "set" / note["image"]).exists()
        assert (note["gap_mm"] == 0.0) == (note["label"] != "apart")
    first, _, side = pair_studio.pair(1, 3)
    again, _, side_again = pair_studio.pair(1, 3)
    np.testing.assert_array_equal(first, again)
    assert side == side_again


def test_frames_of_laid_pairs_say_their_contact(pair_studio: Studio) -> None:
    recipe = replace(pair_studio.recipe, kind="frames", frame_px=(320, 240), pig_counts=(0, 0, 1.0))
    contacts = set()
    for seed in range(12):
        scene = compose.compose_frame(np.random.default_rng(seed), recipe, pair_studio.props)
        side = frame_sidecar(scene, recipe, seed)
        if len(scene.pigs) == 2:
            contacts.add(side["contact"])
            assert (side["gap_mm"] == 0.0) == (side["contact"] != "apart")
    assert {"apart", "touching"} <= contacts
