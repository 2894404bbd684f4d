"""What may only fall: the files that a move enters, and the lines and files of each room.

The numbers are in tests/data/ratchets.json. Where one has fallen, write the new one down there. A
tap on the page is followed in tests/frontends/browser/test_journey.py.
"""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe_frontends.table.driver import Driver
from tic_tac_toe_frontends.table.queries import ask_here
from tic_tac_toe_frontends.table.table import Setup, Table

ROOT = Path(__file__).resolve().parents[1]
SOURCES = tuple(f"{ROOT / project / 'src'}/" for project in ("library", "frontends"))
RATCHETS: dict[str, Any] = json.loads((ROOT / "tests/data/ratchets.json").read_text("utf-8"))


@contextmanager
def files_entered() -> Iterator[set[str]]:
    """Note the source files of the functions that are called meanwhile in this thread."""
    entered = set[str]()

    def note(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(SOURCES):
            entered.add(frame.f_code.co_filename)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield entered
    finally:
        sys.setprofile(before)


def test_a_move_of_gomoku_at_the_table_enters_no_more_files() -> None:
    table = Table(Setup(find_rules("gomoku"), o="hard"), random.Random(1))
    Driver(table, lambda: None, ask_here).start()
    for cell in (112, 113):
        table.place(table.state.legal_cells[cell])

    with files_entered() as entered:
        table.place(table.state.legal_cells[100])

    assert len(entered) <= RATCHETS["files entered"]["a move of gomoku at the table"]


@pytest.mark.parametrize("room", RATCHETS["rooms"])
def test_a_room_has_no_more_lines_and_files(room: str) -> None:
    most_lines, most_files = RATCHETS["rooms"][room]
    listed = subprocess.run(
        ["git", "ls-files", "-z", f"{room}/*.py"], cwd=ROOT, capture_output=True, check=True
    )
    paths = [ROOT / name for name in listed.stdout.decode().split("\0") if name]
    files = [path for path in paths if path.exists()]

    lines = sum(path.read_bytes().count(b"\n") for path in files)

    assert lines <= most_lines
    assert len(files) <= most_files


@pytest.mark.skipif(sys.version_info < (3, 11), reason="the server needs Python 3.11")
def test_a_move_online_enters_no_more_files(tmp_path: Path) -> None:
    from tests.online.world import opened, rest, seated

    async def play() -> list[set[str]]:
        files = []
        async with opened(tmp_path / "games.sqlite") as server:
            for _ in range(4):
                ann, _, _ = await seated(server)
                await rest(server)
                with files_entered() as entered:
                    await ann.move(4)
                    await rest(server)
                files.append(entered)
        return files

    # The same first move of four games: what a recurring job of the server enters at the same time
    # does not belong to it.
    fewest = min(asyncio.run(play()), key=len)
    assert len(fewest) <= RATCHETS["files entered"]["a move online"]
