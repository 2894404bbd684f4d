"""What a database keeps of blocks and reports, the same for each of them."""

from __future__ import annotations

import pytest

from tests.online.logs import START
from tests.online.test_stores import GAME, OTHER, making, store
from tic_tac_toe_frontends.server.storage import store as limits
from tic_tac_toe_frontends.server.storage.store import ReportRow, Store, report_of

__all__ = ["making", "store"]  # fixtures


def test_both_sides_of_a_block_are_apart_until_it_is_taken_back(store: Store) -> None:
    assert store.blocked_keys("ann") == frozenset()
    store.block("ann", "bob", START)
    store.block("ann", "bob", START + 1)
    store.block("carl", "ann", START)
    assert store.blocked_keys("ann") == {"bob", "carl"}
    assert store.blocked_keys("bob") == store.blocked_keys("carl") == {"ann"}
    store.unblock("ann", "bob")
    store.unblock("ann", "carl")  # it was carl who blocked
    assert store.blocked_keys("ann") == {"carl"}
    assert store.blocked_keys("bob") == frozenset()


def test_the_oldest_blocks_of_a_token_make_room_for_new_ones(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "BLOCKS_OF_ONE", 3)
    for number in range(5):
        store.block("ann", f"p{number}", START + number)
        store.block(f"p{number}", "bob", START + number)
    assert store.blocked_keys("ann") == {"p2", "p3", "p4"}
    assert len(store.blocked_keys("bob")) == 5
    monkeypatch.setattr(limits, "BLOCKS_BY_OTHERS", 2)
    assert store.blocked_keys("bob") == {"p3", "p4"}


def told(number: int = 0, game: str = GAME, text: str = "rude") -> ReportRow:
    return report_of(game, "chat", str(number), f"line {number}", text, START + number)


def test_reports_of_one_line_are_one_and_are_read_the_newest_first(store: Store) -> None:
    assert store.reports(9) == []
    for report in (told(1), told(2), told(1, text="very rude"), told(3, OTHER)):
        store.report(report)
    assert store.reports(9) == [told(3, OTHER), told(2), told(1)._replace(times=2)]
    assert store.reports(1) == [told(3, OTHER)]


def test_a_report_that_is_closed_or_whose_game_is_erased_is_gone(store: Store) -> None:
    for number in range(3):
        store.report(told(number))
    store.report(told(9, OTHER))
    assert store.close_report(told(1).id)
    assert not store.close_report(told(1).id)
    assert store.reports(9) == [told(9, OTHER), told(2), told(0)]
    store.erase(GAME)
    assert store.reports(9) == [told(9, OTHER)]


def test_a_limited_number_of_reports_is_kept(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_REPORTS", 4)
    for number in range(10):
        store.report(told(number))
    assert store.reports(99) == [told(number) for number in (9, 8, 7, 6)]
