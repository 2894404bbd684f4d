"""In one turn of the event loop an address has a bounded number of bytes read."""

from __future__ import annotations

import asyncio

import pytest

from tic_tac_toe_frontends.server.reading import SLICE, TURN, Reading

pytestmark = pytest.mark.anyio


class Flood:
    """A connection with many slices that wait; notes each that is read."""

    def __init__(self, name: str, slices: int, read: list[str]) -> None:
        self.name, self.left, self.read = name, slices, read

    def read_on(self) -> bool:
        """Read a slice."""
        self.read.append(self.name)
        self.left -= 1
        return self.left > 0

    def give_up(self) -> None:
        """Note that the connection is cut."""
        self.read.append(f"no more of {self.name}")


class Faulty(Flood):
    """A connection that cannot be read."""

    def read_on(self) -> bool:
        """Fail."""
        raise ZeroDivisionError


async def turn() -> None:
    """Let the event loop go round once."""
    await asyncio.sleep(0)


async def test_an_address_has_little_read_at_once_in_one_turn() -> None:
    reading = Reading()
    assert [reading.takes("a", SLICE) for _ in range(4)] == [True] * (TURN // SLICE) + [False] * 2
    assert reading.takes("b", SLICE)
    await turn()
    assert reading.takes("a", SLICE)


async def test_what_is_more_than_a_slice_waits() -> None:
    assert not Reading().takes("a", SLICE + 1)


async def test_one_slice_is_read_in_a_turn_and_the_addresses_take_turns() -> None:
    reading, read = Reading(), list[str]()
    for _ in range(100):
        reading.add("attacker", Flood("attacker", 256, read))
    reading.add("other", Flood("other", 2, read))
    for number in range(1, 9):
        await turn()
        assert len(read) == number
    assert read == ["attacker", "other", "attacker", "other", *["attacker"] * 4]


async def test_what_comes_behind_waiting_bytes_of_the_address_waits_as_well() -> None:
    reading, read = Reading(), list[str]()
    reading.add("a", Flood("a", 1, read))
    assert not reading.takes("a", 1)
    assert reading.takes("b", 1)
    await turn()
    await turn()
    assert read == ["a"]
    assert reading.takes("a", 1)


async def test_a_connection_that_cannot_be_read_is_cut_and_keeps_nobody_waiting() -> None:
    reading, read = Reading(), list[str]()
    reading.add("a", Faulty("faulty", 1, read))
    reading.add("a", Flood("sound", 1, read))
    reading.add("b", Flood("other", 1, read))
    for _ in range(4):
        await turn()
    assert read == ["no more of faulty", "other", "sound"]
