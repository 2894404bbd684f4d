"""Whatever is typed, in whatever order, nothing breaks and every game stays legal."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.frontends.desk import Desk
from tic_tac_toe.game.match import Match
from tic_tac_toe.logic.notation import cell_name
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe_frontends.console.players import Left
from tic_tac_toe_frontends.console.session import Session
from tic_tac_toe_frontends.table.setup import Setup
from tic_tac_toe_frontends.table.table import Table
from tic_tac_toe_frontends.words.rules_text import HUMAN, RANDOM
from tic_tac_toe_frontends.words.translation import LANGUAGES, load

LINES = 1_000
WORDS = [
    *("hint", "undo", "undo", "redo", "moves", "save", "save a", "save b.json", "save ../c"),
    *("save ~nobody/x", "save \0", "help", "board", "?", "", " ", "\t", "-1", "99", "0", "5"),
    *("resign now", "undo undo", "deshacer", "悔棋", "отмена", "B2 B2", "\x1b[2J", "x" * 5000),
]


def typed(rng: random.Random, rules: Rules) -> str:
    """Return a line: mostly a cell, often a command, sometimes anything at all."""
    dice = rng.random()
    if dice < 0.45:
        return cell_name(rules.shape, rng.randrange(rules.shape.cells))
    if dice < 0.5:
        return str(rng.randrange(30))
    if dice < 0.9:
        return rng.choice(WORDS)
    if dice < 0.91:
        return "resign"
    return "".join(chr(rng.randrange(1, 0x2FFF)) for _ in range(rng.randrange(12)))


VARIANTS = ["3x3", "misere", "mnk:3,3,3,gravity", "mnk:1,1,1", "mnk:5,1,2", "mnk:2,4,2,misere"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_thousands_of_random_lines_break_nothing(
    variant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "deep"
    folder.mkdir()
    monkeypatch.chdir(folder)
    seed = VARIANTS.index(variant)
    rng = random.Random(seed)
    rules = find_rules(variant)
    lines = [typed(rng, rules).replace("\n", " ") for _ in range(LINES)]
    desk = Desk(*lines, language=load(list(LANGUAGES)[seed % 4], {}))
    games: list[Match] = []

    with pytest.raises(Left):
        play_on(desk, rules, rng, games)

    assert len(games) > 3
    assert all(match.over for match in games)
    assert "\x1b" not in desk.said
    assert all(sign == "\n" or sign.isprintable() or sign == "\ufffd" for sign in desk.said)


def play_on(desk: Desk, rules: Rules, rng: random.Random, games: list[Match]) -> None:
    """Play one game after the other, until there are no more lines."""
    table = Table(Setup(rules, HUMAN, HUMAN, RANDOM), rng)
    session = Session(table, desk.renderer)
    while True:
        session.play()
        assert table.record.final_position == table.state.position
        games.append(table.match)
        table.begin(table.setup._replace(o=HUMAN if len(games) % 2 else "random"))
