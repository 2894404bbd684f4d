"""The command line says what is to be played, and is refused in a line that says why."""

from __future__ import annotations

import pytest

from tests.frontends.desk import played
from tic_tac_toe.game.strategies import STRATEGIES
from tic_tac_toe.logic.models import Mark
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules
from tic_tac_toe.logic.rules.traits import side_name
from tic_tac_toe_frontends.console.cli import parse_args
from tic_tac_toe_frontends.program.options import PositionArgs, language_of
from tic_tac_toe_frontends.program.process import Refused
from tic_tac_toe_frontends.words.translation import load

ENGLISH = load("en", {})


@pytest.fixture(autouse=True)
def in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.delenv("LANGUAGE", raising=False)


def test_without_options_a_person_plays_x_against_the_easiest_level() -> None:
    args = parse_args([])

    assert args.setup.players == {Mark.CROSS: "human", Mark.NAUGHT: "easy"}
    assert args.starting is None
    assert args.setup.rules == VARIANTS["tic-tac-toe"]
    assert {args.seed, args.delay, args.record, args.position, args.moves} == {None}
    assert args.plain is False


def test_every_option_is_kept() -> None:
    args = parse_args(
        [
            *("-X", "random", "-O", "human", "--starting", "O", "--variant", "mnk:7,6,4,gravity"),
            *("--lang", "ru-RU", "--seed", "-7", "--delay", "0.5", "--plain"),
            *("--record", "games.txt", "--from", "X", "--moves", "1 2"),
        ]
    )

    assert args.setup.players == {Mark.CROSS: "random", Mark.NAUGHT: "human"}
    assert args.starting == "O"
    assert args.setup.rules == VARIANTS["connect-four"]
    assert args.language.pgettext("command", "yes") == "да"
    assert (args.seed, args.delay, args.plain) == (-7, 0.5, True)
    assert (args.record, args.position, args.moves) == ("games.txt", "X", "1 2")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--lang", "es"], "es"),
        (["--lang=ru_RU"], "ru"),
        (["--lang", "es", "--lang", "zh"], "zh"),
        (["--lang", "tlh"], "en"),
        (["--lang"], "en"),
        ([], "en"),
    ],
)
def test_the_language_is_known_before_the_options_are(arguments: list[str], code: str) -> None:
    assert language_of(arguments).info().get("language", "en") == code


def test_a_position_and_moves_from_there_make_the_first_state() -> None:
    rules = find_rules("3x3")

    state = PositionArgs(ENGLISH, rules, "X../.O./...", "C3 A3").state()
    assert state.grid.cells == "X   O O X"
    assert state.starting_mark is Mark.CROSS
    state = PositionArgs(ENGLISH, rules, "O../.../...", starter=Mark.NAUGHT).state()
    assert state.current_mark is Mark.CROSS
    state = PositionArgs(ENGLISH, rules, moves="5", starter=Mark.NAUGHT).state()
    assert state.grid.cells == "    O    "


@pytest.mark.parametrize(
    ("position", "moves", "starting_mark", "reason"),
    [
        ("XXX/OOO/...", None, None, "Both players own a line"),
        ("OO......X", None, Mark.CROSS, "Wrong starting mark"),
        ("X........ x", None, None, "Wrong starting mark"),
        ("X........ x", None, Mark.CROSS, "x to move means that O has started here, not X"),
        (None, "Q9", None, 'move 1 "Q9": there is no column Q: columns go from A to C'),
        ("\x1b........", None, None, '"\\x1b" in row 1, column 1'),
    ],
)
def test_what_is_no_position_is_refused_with_the_reason(
    position: str | None, moves: str | None, starting_mark: Mark | None, reason: str
) -> None:
    with pytest.raises(Refused) as refusal:
        PositionArgs(ENGLISH, VARIANTS["tic-tac-toe"], position, moves, starting_mark).state()
    assert str(refusal.value).startswith(reason)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            "--variant gomoku -O minimax",
            "Gomoku: 15 × 15, 5 in a row. X: Person, O: Strongest. On this board Strongest looks "
            "some moves ahead until it can solve the rest of the game.",
        ),
        ("-O rules --think 0,5", "Simple rules does not use the time of --think."),
        ("--variant misere-tic-tac-toe", "who makes a line loses"),
        (
            "--variant connect-four -O easy",
            "Connect Four: 7 × 6, 4 in a row; marks fall down in their column. X: Person, O: Easy.",
        ),
        ("-O easy --lang es", "Con X: Persona; con O: Fácil."),
        ("-O easy --lang zh", "X：真人，O：简单。"),
        ("-O easy --lang ru", "X — Человек, O — Лёгкий."),
    ],
)
def test_the_opening_words_tell_the_game_the_players_and_what_they_cannot_do(
    options: str, words: str
) -> None:
    said = " ".join(played(*options.split()).split("\n\n")[0].split())

    assert words in said
    assert said.count("some moves ahead") == words.count("some moves ahead")


@pytest.mark.parametrize(
    ("variant", "strategy", "mark"),
    [
        *(("tic-tac-toe", name, mark) for name in STRATEGIES for mark in "XO"),
        *((name, "easy", "X") for name in VARIANTS),
    ],
)
def test_every_strategy_for_either_mark_and_every_variant_can_be_named(
    variant: str, strategy: str, mark: str
) -> None:
    other = "O" if mark == "X" else "X"
    players = (f"-{mark}", strategy, f"-{other}", "human", "--starting", mark)
    said = played("--variant", variant, *players, "--seed", "1")

    rules = find_rules(variant)
    mover, person = (side_name(rules, Mark(letter).side) for letter in (mark, other))
    assert said.count(f"{mover} plays ") + said.count(f"{mover} puts ") == 1
    assert said.endswith(f"{person}'s move:\nThe game ends here. Goodbye!\n")
