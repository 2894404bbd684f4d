"""Thoughts that are long enough to be shown."""

from __future__ import annotations

from typing import cast

from tic_tac_toe.limits import Progress
from tic_tac_toe_frontends.table.driver import LONG_SECONDS, LOOK_SECONDS, Driver, LongThought

LOOKS = round(LONG_SECONDS / LOOK_SECONDS)


class Thinker:
    """Stands for a driver: its computer thinks as the test says."""

    progress: Progress | None = None


def test_a_thought_is_shown_once_it_is_long_and_until_it_ends() -> None:
    thinker = Thinker()
    thought = LongThought(cast("Driver", thinker))
    thinker.progress = Progress(share=0.25)

    changed = [thought.look() for _ in range(LOOKS)]
    assert changed == [False] * (LOOKS - 1) + [True]
    assert thought.share == 0.25
    thinker.progress = Progress(share=0.5)
    assert not thought.look()
    assert thought.share == 0.5
    thinker.progress = None

    assert thought.look()
    assert thought.share is None


def test_two_short_thoughts_are_not_taken_for_a_long_one() -> None:
    thinker = Thinker()
    thought = LongThought(cast("Driver", thinker))
    for _ in range(3):
        thinker.progress = Progress()
        assert not any(thought.look() for _ in range(LOOKS - 1))
        thinker.progress = None
        assert not thought.look()
