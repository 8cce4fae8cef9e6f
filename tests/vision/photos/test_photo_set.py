"""Labels are kept whole, undone by whoever made them, and never lost between two people."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from vision.photos import arrivals
from vision.photos.history import StaleError
from vision.photos.labels import Labels, PigLabel
from vision.photos.photo_set import Photo, PhotoSet, PhotoSetError
from vision.photos.proposal import Proposal

MakeProposal = Callable[..., Proposal]
MakePicture = Callable[..., bytes]


def pig(pose: str = "trotter", x: float = 0) -> Labels:
    return Labels((PigLabel((x, 0, x + 10, 10), pose),))


def test_saved_labels_are_there_after_opening_again(
    photos: PhotoSet, photo: Photo, two_pigs: Labels
) -> None:
    saved = photos.save(photo.id, two_pigs, revision=0, client="c", who="Ada")
    assert (saved.labels, saved.revision) == (two_pigs, 1)
    photos.close()
    with PhotoSet.open(photos.folder) as again:
        assert again.photo(photo.id) == saved


def test_a_stale_save_changes_nothing(photos: PhotoSet, photo: Photo) -> None:
    photos.save(photo.id, pig("trotter"), revision=0, client="a")
    with pytest.raises(StaleError, match="someone else"):
        photos.save(photo.id, pig("snouter"), revision=0, client="b")
    assert photos.photo(photo.id).labels == pig("trotter")


def test_saying_the_same_again_after_a_lost_answer_is_no_conflict(
    photos: PhotoSet, photo: Photo
) -> None:
    first = photos.save(photo.id, pig(), revision=0, client="a")
    assert photos.save(photo.id, pig(), revision=0, client="a") == first


def test_undo_and_redo_survive_a_restart(photos: PhotoSet, photo: Photo) -> None:
    photos.save(photo.id, pig("trotter"), revision=0, client="a")
    photos.save(photo.id, pig("snouter"), revision=1, client="a")
    photos.close()
    with PhotoSet.open(photos.folder) as again:
        assert again.undo("b") is None, "another's changes are not mine to undo"
        back = again.undo("a")
        assert back is not None
        assert back.labels == pig("trotter")
        first = again.undo("a")
        assert first is not None
        assert first.labels is None
        assert again.undo("a") is None
    with PhotoSet.open(photos.folder) as again:
        forth = again.redo("a")
        assert forth is not None
        assert forth.labels == pig("trotter")
        again.save(photo.id, pig("razorback"), revision=forth.revision, client="a")
        assert again.redo("a") is None, "a new change ends what could be done again"


def test_undo_never_takes_back_what_another_said_since(photos: PhotoSet, photo: Photo) -> None:
    photos.save(photo.id, pig("trotter"), revision=0, client="a")
    photos.save(photo.id, pig("snouter"), revision=1, client="b")
    with pytest.raises(StaleError):
        photos.undo("a")
    assert photos.photo(photo.id).labels == pig("snouter")
    assert photos.undo("a") is None, "the way is free for earlier changes"


def test_changes_are_found_by_stamp(
    photos: PhotoSet, photo: Photo, make_picture: MakePicture, propose: MakeProposal
) -> None:
    other = arrivals.add(photos, make_picture(9), "other.png")[0]
    seen = max(p.stamp for p in photos.photos())
    assert photos.photos(since=seen) == []
    photos.save(photo.id, pig(), revision=0)
    assert [p.id for p in photos.photos(since=seen)] == [photo.id]
    seen = photos.photo(photo.id).stamp
    photos.propose(other.id, propose(((0, 0, 9, 9), "trotter", 0.9)))
    photos.set_origin([photo.id], session="  friday \n night ")
    assert [p.id for p in photos.photos(since=seen)] == [photo.id, other.id]
    assert photos.photo(photo.id).session == "friday night"
    assert photos.photo(photo.id).camera == "unknown"


@pytest.mark.parametrize(
    ("labels", "disagrees"),
    [
        (pig("trotter"), False),
        (pig("snouter"), True),
        (pig("trotter", x=8), True),
        (Labels(), True),
    ],
)
def test_disagreement_between_model_and_label_is_known(
    photos: PhotoSet, photo: Photo, propose: MakeProposal, labels: Labels, disagrees: bool
) -> None:
    proposal = propose(((0, 0, 10, 10), "trotter", 0.8))
    photos.propose(photo.id, proposal)
    photos.save(photo.id, labels, revision=0)
    assert photos.photo(photo.id).disagrees is disagrees
    photos.propose(photo.id, None)
    assert not photos.photo(photo.id).disagrees
    photos.propose(photo.id, proposal)
    assert photos.photo(photo.id).disagrees is disagrees


def test_a_contact_can_disagree_too(propose: MakeProposal, two_pigs: Labels) -> None:
    pigs = [(p.box, p.pose, 0.9) for p in two_pigs.pigs]
    assert propose(*pigs, contact="touching").disagrees(two_pigs)
    assert not propose(*pigs, contact="apart").disagrees(two_pigs)


def test_proposals_survive_json(propose: MakeProposal) -> None:
    proposal = propose(
        ((0, 0, 10, 10), "trotter", 0.8), ((20, 0, 30, 10), "snouter", 0.6), contact="apart"
    )
    assert Proposal.from_json(proposal.to_json()) == proposal
    assert proposal.confidence == pytest.approx(0.6)
    assert proposal.labels().contact == "apart"
    assert not proposal.labels().reviewed
    assert propose().confidence == 0


def test_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PhotoSetError, match="no such folder"):
        PhotoSet.open(tmp_path / "nowhere")
    with PhotoSet.open(tmp_path) as photos, pytest.raises(PhotoSetError, match="no photograph 7"):
        photos.photo(7)


class TwoPeople(RuleBasedStateMachine):
    """Any mix of saves, undos and redos by two people is what a plain model of it says."""

    def __init__(self) -> None:
        super().__init__()
        import tempfile

        self.folder = tempfile.TemporaryDirectory()
        self.photos = PhotoSet.open(Path(self.folder.name))

    @initialize()
    def add(self) -> None:
        import io

        from PIL import Image

        out = io.BytesIO()
        Image.new("RGB", (9, 9)).save(out, "PNG")
        self.photo = arrivals.add(self.photos, out.getvalue(), "p.png")[0]
        self.labels: Labels | None = None
        self.done: list[tuple[str, Labels | None, Labels | None]] = []

    @rule(client=st.sampled_from("ab"), x=st.integers(0, 3))
    def save(self, client: str, x: int) -> None:
        now = self.photos.photo(self.photo.id)
        new = pig(x=x)
        saved = self.photos.save(now.id, new, revision=now.revision, client=client)
        assert saved.labels == new
        self.labels = new

    @rule(client=st.sampled_from("ab"))
    def undo_then_redo(self, client: str) -> None:
        before = self.photos.photo(self.photo.id).labels
        assert before == self.labels
        try:
            undone = self.photos.undo(client)
        except StaleError:
            assert self.photos.photo(self.photo.id).labels == before
            return
        if undone is None:
            return
        again = self.photos.redo(client)
        assert again is not None
        assert again.labels == before

    def teardown(self) -> None:
        self.photos.close()
        self.folder.cleanup()


TestTwoPeople = TwoPeople.TestCase
TestTwoPeople.settings = settings(max_examples=15, stateful_step_count=12, deadline=None)


def test_replaced_labels_keep_their_flags(two_pigs: Labels) -> None:
    assert replace(two_pigs, unsure=True).confirmed is False
