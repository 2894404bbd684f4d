"""Links carry games, and whatever else they hold is refused in one line."""

from __future__ import annotations

import json
import random
from gettext import NullTranslations
from pathlib import Path

import pytest

from tic_tac_toe.game.match import Match
from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.notation import format_state, parse_state
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules, variant_name
from tic_tac_toe_frontends.browser.cli import address_of
from tic_tac_toe_frontends.browser.page.links import LONGEST, decoded, read_link, write_link
from tic_tac_toe_frontends.program.process import Refused
from tic_tac_toe_frontends.table.move_list import replayed
from tic_tac_toe_frontends.table.setup import Setup

ENGLISH = NullTranslations()

FLAGGED = [
    "connect-four,pie",
    "mnk:4,4,3,torus",
    "mnk:5,5,4,gravity,wild",
    "order-and-chaos:4,4,4",
]
#: Links that the code of commit 4d2afed wrote, in which a move was a cell: the game of each, and
#: its state in a line.
OLD_LINKS: dict[str, list[str]] = json.loads(
    (Path(__file__).parents[2] / "data" / "4d2afed" / "links.json").read_text("utf-8")
)

HOSTILE = {
    "markup": "<script>alert(1)</script>",
    "an unknown part": "speed=9",
    "a part twice": "game=gomoku&game=gomoku",
    "no value": "game",
    "an unknown game": "game=chess",
    "an immense board": "game=mnk:999,999,5",
    "an unknown player": "x=cheater",
    "an unknown starter": "first=Z",
    "a taken cell": "moves=B2.B2",
    "a cell that is not there": "moves=Z9",
    "a move after the end": "moves=A1.B1.A2.B2.A3.B3",
    "a full column": "game=mnk:1,1,1,gravity&moves=1.1",
    "a position that cannot be": "from=XXXXXXXXX",
    "a position of another board": "game=gomoku&from=XO.......",
    "control characters": "moves=B2.\x00\x1b[2J\u202e",
    "a line break": "game=gomoku\ngame=gomoku",
    "a megabyte": "moves=" + "A1." * 350_000,
    "many moves": "moves=" + ".".join(["A1"] * 1000),
    "many parts": "&".join(["game=gomoku"] * 100),
    "halves of characters": "game=\ud800",
}


def read(text: str, setup: Setup | None = None) -> GameState:
    linked = read_link(text, setup or Setup(), ENGLISH)
    first = Mark.CROSS if linked.setup.starting == "random" else Mark(linked.setup.starting)
    state = linked.start or GameState.new(linked.setup.rules, first)
    for cell in linked.moves:
        state = state.make_move_to(cell).after_state
    return state


@pytest.mark.parametrize("name", [*VARIANTS, *FLAGGED])
def test_a_link_leads_to_the_very_game_it_was_made_from(name: str) -> None:
    rng = random.Random(name)
    match = Match(GameState.new(find_rules(name), rng.choice(list(Mark))))

    while not match.over:
        link = write_link(match.start, match.history)
        assert len(link) <= LONGEST
        assert read(link) == match.state
        assert read(write_link(match.state)).position == match.state.position
        match.submit(match.state.current_mark, rng.choice(match.state.legal_moves))

    assert read(write_link(match.start, match.history)) == match.state


@pytest.mark.parametrize(
    ("variant", "text"),
    [
        ("3x3", "XXO/O.X/.O. x"),
        ("3x3", "X../.../... o"),
        ("connect-four", "/".join(["......."] * 5 + ["X..O..X"]) + " o"),
        ("ultimate", "/".join(["X........"] + ["........."] * 8) + " o A1"),
    ],
)
def test_a_link_carries_a_position_that_the_game_began_from(variant: str, text: str) -> None:
    start = parse_state(text, find_rules(variant))

    link = write_link(start)

    assert " " not in link
    assert read(link) == start


def test_links_of_the_version_before_lead_to_the_same_games_and_are_written_so_again() -> None:
    for link, (variant, text) in OLD_LINKS.items():
        linked = read_link(link, Setup(), ENGLISH)

        assert variant_name(linked.setup.rules) == variant
        assert format_state(read(link)) == text
        start = linked.start or GameState.new(linked.setup.rules, Mark(linked.setup.starting))
        assert write_link(start, replayed(start, linked.moves)) == link


def test_a_game_that_is_longer_than_a_link_is_kept_from_where_it_stands() -> None:
    start = GameState.new(find_rules("vanishing"))
    moves = replayed(start, [4, 0, 8, 1, 2, 6])
    around = moves * 300

    link = write_link(start, around)

    assert link == write_link(around[-1].after_state)
    assert read(link).position == around[-1].after_state.position


def test_a_link_names_players_only_if_it_wants_to() -> None:
    setup = Setup(x="easy", o="human")

    assert read_link("", setup, ENGLISH).start is None
    assert read_link("moves=B2", setup, ENGLISH).setup == setup
    assert read_link("o=mcts", setup, ENGLISH).setup == setup._replace(o="mcts")


def test_moves_are_read_as_players_write_them() -> None:
    assert read("game=connect-four&moves=4.4").position.marks == 2
    assert read("moves=5.A1.3c") == read("moves=B2.A1.C3")


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_link_that_holds_anything_else_is_refused_in_one_short_line(text: str) -> None:
    with pytest.raises(Refused) as refusal:
        read_link(text, Setup(), ENGLISH)

    message = str(refusal.value)
    assert message.isprintable()
    assert len(message) < 600


@pytest.mark.parametrize(
    ("escaped", "text"),
    [("game=mnk%3A4%2C4%2C3", "game=mnk:4,4,3"), ("moves=B2", "moves=B2"), ("%zz%ff", "%zz\ufffd")],
)
def test_the_escapes_of_browsers_are_undone(escaped: str, text: str) -> None:
    assert decoded(escaped) == text


def test_the_command_line_opens_the_page_with_the_game_it_names() -> None:
    setup = Setup(find_rules("connect-four"), "human", "easy", "random")

    address = address_of("http://localhost/", setup, "es")

    page, fragment = address.split("#")
    assert page == "http://localhost/?lang=es"
    assert read_link(fragment, Setup(), ENGLISH).setup == setup
    assert address_of("http://localhost/", Setup()) == "http://localhost/"


@pytest.mark.parametrize(("text", "seconds"), [("think=5", 5.0), ("think=0.5", 0.5), ("", None)])
def test_a_link_may_say_how_long_the_computer_thinks(text: str, seconds: float | None) -> None:
    assert read_link(text, Setup(), ENGLISH).think == seconds


@pytest.mark.parametrize("seconds", ["0", "-1", "60.5", "nan", "inf", "soon", ""])
def test_a_thought_that_a_link_asks_for_has_limits(seconds: str) -> None:
    with pytest.raises(Refused, match=r"The time to think .*; it can be up to 60 s"):
        read_link(f"think={seconds}", Setup(), ENGLISH)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_shared_link_keeps_the_players_and_the_time_to_think(name: str) -> None:
    state = GameState.new(VARIANTS[name])
    move = state.make_move_to(state.legal_moves[0])

    link = write_link(state, [move], ("easy", "human"), 2.5)
    linked = read_link(link, Setup(), ENGLISH)

    assert (linked.setup.x, linked.setup.o, linked.think) == ("easy", "human", 2.5)
    assert read(link) == move.after_state


def test_the_address_of_the_page_passes_the_thinking_time_on() -> None:
    address = address_of("http://localhost/", Setup(), think=2.5)
    assert address == "http://localhost/#think=2.5"
    assert read_link(address.partition("#")[2], Setup(), ENGLISH).think == 2.5
