"""Texts that the page reads: links, settings, finished games, files, thoughts, what comes online.

Whatever else such a text holds is refused in one line, or passed over.
"""

from __future__ import annotations

import json
import random
from gettext import NullTranslations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.frontends.browser.pages import state_of_link
from tests.protocols.games import ADDRESS
from tic_tac_toe.game.match import Match
from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.notation import format_state, parse_state, play_moves
from tic_tac_toe.logic.records import Record, format_records
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules, variant_name
from tic_tac_toe.pictures.board import Look, look_of, looks_for
from tic_tac_toe_frontends.browser.cli import address_of
from tic_tac_toe_frontends.browser.page import thinker
from tic_tac_toe_frontends.browser.page.history import (
    LAST_MOMENT,
    MOST_CHARACTERS,
    MOST_GAMES,
    FinishedGame,
    finished_at,
    read_history,
    results,
    write_history,
)
from tic_tac_toe_frontends.browser.page.links import (
    LONGEST,
    LONGEST_TEXT,
    address_in,
    decoded,
    find_address,
    read_link,
    read_text,
    write_link,
)
from tic_tac_toe_frontends.browser.page.settings import Settings
from tic_tac_toe_frontends.browser.page.thinker import DrawTree
from tic_tac_toe_frontends.browser.page.view import game_view
from tic_tac_toe_frontends.program.process import Refused
from tic_tac_toe_frontends.table.looking_back import replayed
from tic_tac_toe_frontends.table.queries import AnalyseMoves, ChooseMove, ExplainMove, FindHint
from tic_tac_toe_frontends.table.table import (
    TWO_COMPUTERS,
    Setup,
    Table,
    opponent_in,
    with_opponent,
)
from tic_tac_toe_frontends.words.rules_text import FAMILIES, families
from tic_tac_toe_frontends.words.tree_text import tree_words

ENGLISH = NullTranslations()

# -- links -----------------------------------------------------------------------------------------

FLAGGED = [
    "connect-four,pie",
    "mnk:4,4,3,torus",
    "mnk:5,5,4,gravity,wild",
    "order-and-chaos:4,4,4",
]
LONG_GAMES = {"renju", "gomoku-caro", "gomoku-standard", "gomoku"}
#: Links that the code of commit 4d2afed wrote, in which a move was a cell: the game of each, and
#: its state in a line.
OLD_LINKS: dict[str, list[str]] = json.loads(
    (Path(__file__).parents[2] / "data" / "4d2afed" / "links.json").read_text("utf-8")
)
HOSTILE_LINKS = {
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
SHORT = "^.{1,599}$"


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.medium] if name in LONG_GAMES else [])
        for name in (*VARIANTS, *FLAGGED)
    ],
)
def test_a_link_leads_to_the_very_game_it_was_made_from(name: str) -> None:
    rng = random.Random(name)
    match = Match(GameState.new(find_rules(name), rng.choice(list(Mark))))

    while not match.over:
        link = write_link(match.start, match.history)
        assert len(link) <= LONGEST
        assert state_of_link(link) == match.state
        assert state_of_link(write_link(match.state)).position == match.state.position
        match.submit(match.state.current_mark, rng.choice(match.state.legal_moves))

    assert state_of_link(write_link(match.start, match.history)) == match.state


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
    assert state_of_link(link) == start


def test_links_of_the_version_before_lead_to_the_same_games_and_are_written_so_again() -> None:
    for link, (variant, text) in OLD_LINKS.items():
        linked = read_link(link, Setup(), ENGLISH)

        assert variant_name(linked.setup.rules) == variant
        assert format_state(state_of_link(link)) == text
        start = linked.start or GameState.new(linked.setup.rules, Mark(linked.setup.starting))
        assert write_link(start, replayed(start, linked.moves)) == link


def test_a_game_that_is_longer_than_a_link_is_kept_from_where_it_stands() -> None:
    start = GameState.new(find_rules("vanishing"))
    around = replayed(start, [4, 0, 8, 1, 2, 6]) * 300

    link = write_link(start, around)

    assert link == write_link(around[-1].after_state)
    assert state_of_link(link).position == around[-1].after_state.position


@pytest.mark.parametrize("name", VARIANTS)
def test_a_shared_link_keeps_the_players_and_the_time_to_think(name: str) -> None:
    state = GameState.new(VARIANTS[name])
    move = state.make_move_to(state.legal_moves[0])

    link = write_link(state, [move], ("easy", "human"), 2.5)
    linked = read_link(link, Setup(), ENGLISH)

    assert (linked.setup.x, linked.setup.o, linked.think) == ("easy", "human", 2.5)
    assert state_of_link(link) == move.after_state


def test_a_link_names_players_and_a_time_only_if_it_wants_to() -> None:
    setup = Setup(x="easy", o="human")

    assert read_link("", setup, ENGLISH)[:2] == (setup, None)
    assert read_link("moves=B2", setup, ENGLISH).setup == setup
    assert read_link("o=mcts", setup, ENGLISH).setup == setup._replace(o="mcts")
    thoughts = [read_link(text, setup, ENGLISH).think for text in ("", "think=5", "think=0.5")]
    assert thoughts == [None, 5.0, 0.5]


def test_moves_are_read_as_players_write_them() -> None:
    assert state_of_link("game=connect-four&moves=4.4").position.marks == 2
    assert state_of_link("moves=5.A1.3c") == state_of_link("moves=B2.A1.C3")


@pytest.mark.parametrize("text", HOSTILE_LINKS.values(), ids=HOSTILE_LINKS)
def test_a_link_that_holds_anything_else_is_refused_in_one_short_line(text: str) -> None:
    with pytest.raises(Refused, match=SHORT) as refusal:
        read_link(text, Setup(), ENGLISH)
    assert str(refusal.value).isprintable()


def test_a_thought_that_a_link_asks_for_has_limits() -> None:
    for seconds in ("0", "-1", "60.5", "nan", "inf", "soon", ""):
        with pytest.raises(Refused, match=r"The time to think .*; it can be up to 60 s"):
            read_link(f"think={seconds}", Setup(), ENGLISH)


def test_the_escapes_of_browsers_are_undone() -> None:
    assert decoded("game=mnk%3A4%2C4%2C3") == "game=mnk:4,4,3"
    assert decoded("moves=B2") == "moves=B2"
    assert decoded("%zz%ff") == "%zz\ufffd"


def test_the_command_line_opens_the_page_with_the_game_it_names() -> None:
    setup = Setup(find_rules("connect-four"), "human", "easy", "random")

    page, fragment = address_of("http://localhost/", setup, "es").split("#")

    assert page == "http://localhost/?lang=es"
    assert read_link(fragment, Setup(), ENGLISH).setup == setup
    assert address_of("http://localhost/", Setup()) == "http://localhost/"
    assert address_of("http://localhost/", Setup(), think=2.5) == "http://localhost/#think=2.5"


# -- the choices before a game ---------------------------------------------------------------------


def test_each_game_of_the_catalogue_is_in_one_group() -> None:
    grouped = [name for names in FAMILIES.values() for name in names]

    assert sorted(grouped) == sorted(VARIANTS)
    assert [name for _, games in families(ENGLISH) for name, _ in games] == grouped


def test_the_opponent_is_whoever_the_person_plays_against() -> None:
    assert opponent_in(Setup(x="human", o="easy")) == "easy"
    assert opponent_in(Setup(x="hard", o="human")) == "hard"
    assert opponent_in(Setup(x="human", o="human")) == "human"
    assert opponent_in(Setup(x="easy", o="hard")) == TWO_COMPUTERS


@pytest.mark.parametrize(
    ("x", "o", "chosen", "players"),
    [
        ("human", "easy", "hard", ("human", "hard")),
        ("easy", "human", "hard", ("hard", "human")),
        ("easy", "human", "human", ("human", "human")),
        ("human", "human", "easy", ("human", "easy")),
        ("easy", "hard", "medium", ("human", "medium")),
        ("easy", "hard", TWO_COMPUTERS, ("easy", "hard")),
    ],
)
def test_another_opponent_leaves_the_person_on_their_side(
    x: str, o: str, chosen: str, players: tuple[str, str]
) -> None:
    setup = with_opponent(Setup(x=x, o=o), chosen)

    assert (setup.x, setup.o) == players


@pytest.mark.parametrize(
    ("name", "digits", "letters"),
    [
        ("tic-tac-toe", "number pad", False),
        ("connect-four", "column", False),
        ("gomoku", "", False),
        ("wild", "number pad", True),
        ("mnk:5,5,4,gravity,wild", "column", True),
    ],
)
def test_only_the_keys_that_play_a_game_are_named(name: str, digits: str, letters: bool) -> None:
    text = game_view(Setup(find_rules(name)), ENGLISH).keys

    assert ("1 to 9" in text) == bool(digits)
    assert digits in text
    assert ("X and O" in text) == letters


# -- settings --------------------------------------------------------------------------------------


def kept_settings(kept: dict[str, str]) -> Settings:
    return Settings(kept.get, kept.__setitem__)


def test_a_setting_is_as_usual_until_it_is_chosen_and_then_as_chosen_on_the_next_visit() -> None:
    kept: dict[str, str] = {}
    settings = kept_settings(kept)
    assert (settings.names, settings.sound, settings.theme) == (True, False, "auto")

    settings.names, settings.sound, settings.theme = False, True, "dark"

    again = kept_settings(kept)
    assert (again.names, again.sound, again.theme) == (False, True, "dark")


@pytest.mark.parametrize("text", ["", "yes", "<script>", "\x00", "neon", "ON"])
def test_a_kept_text_that_is_no_setting_is_passed_over(text: str) -> None:
    names = ("names", "sound", "vibration", "notifications", "theme", "look.marks", "look.discs")
    settings = kept_settings(dict.fromkeys(names, text))

    assert (settings.names, settings.sound, settings.notifications) == (True, False, False)
    assert settings.theme == "auto"
    for rules in VARIANTS.values():
        assert settings.look_of(rules) is look_of(rules)


def test_a_look_is_kept_for_the_games_that_usually_look_the_same() -> None:
    settings = kept_settings({})

    settings.choose_look(VARIANTS["connect-four"], Look.MARKS)

    for name, rules in VARIANTS.items():
        is_alike = look_of(rules) is Look.DISCS
        assert settings.look_of(rules) is (Look.MARKS if is_alike else look_of(rules)), name
        assert settings.look_of(rules) in looks_for(rules)


def test_settings_hold_for_the_visit_in_a_browser_that_keeps_nothing_and_changes_are_told() -> None:
    settings, told = Settings(lambda _name: None, lambda _name, _value: None), []
    settings.changed = lambda: told.append(settings.sound)

    settings.sound = True
    settings.sound = False
    settings.sound = True
    assert settings.sound
    assert told == [True, False, True]

    settings.reset()
    assert not settings.sound


def test_only_boards_of_nine_cells_go_without_names_until_the_reader_wants_them() -> None:
    settings = kept_settings({})
    shown = {name for name, rules in VARIANTS.items() if not settings.of_board(rules).names}
    assert shown == {name for name, rules in VARIANTS.items() if rules.shape.cells == 9}

    settings.names = True
    assert all(settings.of_board(rules).names for rules in VARIANTS.values())


# -- finished games --------------------------------------------------------------------------------

GAME = FinishedGame(1_000, "tic-tac-toe", "human", "easy", "X", "x=human&o=easy&moves=B2")
HOSTILE_HISTORIES = {
    "nothing": "",
    "no JSON": "{",
    "no list": '{"games": []}',
    "too long": "[" + "1," * MOST_CHARACTERS + "1]",
    "nested deeply": "[" * 90_000,
    "a row of another length": "[[1]]",
}
NO_GAMES: dict[str, dict[str, object]] = {
    "a date that is no number": {"when": "soon"},
    "a date that is true": {"when": True},
    "a date after all dates": {"when": LAST_MOMENT + 1},
    "an unknown game": {"game": "<img src=x>"},
    "an immense board": {"game": "mnk:999999,9,3"},
    "an unknown player": {"o": "gomocup:/bin/sh"},
    "an unknown winner": {"winner": "Z"},
    "a link that is too long": {"link": "x" * (LONGEST + 1)},
    "a link that is no text": {"link": []},
}


def table_after(name: str, most: int) -> Table:
    """Return a table after a random game, which is left after ``most`` moves."""
    rng = random.Random(name)
    table = Table(Setup(VARIANTS[name], "human", "easy"))
    while not table.match.over and table.match.ply < most:
        table.match.submit(table.state.current_mark, rng.choice(table.state.legal_moves))
    return table


@pytest.mark.parametrize("name", VARIANTS)
def test_a_finished_game_is_kept_and_opens_as_it_ended(name: str) -> None:
    table = table_after(name, 10_000)

    (game,) = read_history(write_history([finished_at(table, 1_000)]))
    linked = read_link(game.link, Setup(), ENGLISH)

    assert (game.rules, game.opponent, game.outcome) == (VARIANTS[name], "easy", table.outcome)
    assert linked.setup == table.setup
    assert len(game.link) <= LONGEST


def test_the_newest_games_are_kept_as_far_as_they_fit() -> None:
    many = [GAME._replace(when=2_000 - at) for at in range(MOST_GAMES + 20)]
    long = [game._replace(link="moves=" + "A1." * 1_300) for game in many]

    assert read_history(write_history(many)) == many[:MOST_GAMES]
    fitting = read_history(write_history(long))
    assert 0 < len(fitting) < MOST_GAMES
    assert fitting == long[: len(fitting)]


@pytest.mark.parametrize("text", HOSTILE_HISTORIES.values(), ids=HOSTILE_HISTORIES)
def test_what_is_no_list_of_finished_games_is_passed_over(text: str) -> None:
    assert read_history(text) == []


@pytest.mark.parametrize("changed", NO_GAMES.values(), ids=NO_GAMES)
def test_a_game_among_others_that_are_none_is_kept(changed: dict[str, object]) -> None:
    other = {**GAME._asdict(), **changed}

    assert read_history(json.dumps([["?"], [*other.values()], GAME, None])) == [GAME]


@given(st.recursive(st.none() | st.integers() | st.text(), st.lists, max_leaves=20))
def test_any_json_is_read_without_an_error(value: object) -> None:
    assert read_history(json.dumps(value)) == []


def test_results_are_counted_by_game_and_opponent() -> None:
    games = [
        GAME,
        GAME._replace(winner="O"),
        GAME._replace(winner=""),
        GAME._replace(x="easy", o="human", winner="O"),
        GAME._replace(o="hard"),
        GAME._replace(o="human"),
    ]

    assert results(games) == {
        ("tic-tac-toe", "easy"): {"win": 2, "loss": 1, "draw": 1},
        ("tic-tac-toe", "hard"): {"win": 1},
    }


# -- files -----------------------------------------------------------------------------------------

UNFIT_FILES = {
    "nothing": "",
    "markup": "<script>alert(1)</script>",
    "control characters": "\x00\x1b[2J",
    "an illegal move": '[Variant "3x3"]\n\n1. B2 B2 *',
    "an unknown game": '[Variant "<b>chess</b>"]\n\n*',
}


@pytest.mark.parametrize("name", VARIANTS)
def test_a_saved_game_opens_as_it_was(name: str) -> None:
    table = table_after(name, 30)

    opened = read_text(format_records([table.record]), Setup(), ENGLISH)

    assert opened.setup == table.setup
    assert opened.start == table.match.start
    assert opened.moves == tuple(move.number for move in table.match.history)


def test_of_several_games_the_last_is_opened_and_strangers_in_it_are_people() -> None:
    records = [Record(moves=(0,)), Record(moves=(8,), tags=(("X", "Ann"), ("O", "minimax")))]

    opened = read_text(format_records(records), Setup(), ENGLISH)

    assert opened.moves == (8,)
    assert opened.setup == Setup(x="human", o="minimax")


@pytest.mark.parametrize("text", UNFIT_FILES.values(), ids=UNFIT_FILES)
def test_a_file_that_holds_no_game_is_refused_in_one_short_line(text: str) -> None:
    with pytest.raises(Refused, match=SHORT) as refusal:
        read_text(text, Setup(), ENGLISH)
    assert str(refusal.value).isprintable()


def test_a_file_of_another_program_is_named_and_a_large_one_refused_unread() -> None:
    with pytest.raises(Refused, match=r"^This text holds no game: this is an SGF file; .* yet\.$"):
        read_text("(;FF[4]GM[4]SZ[15];B[hh];W[hg])", Setup(), ENGLISH)
    with pytest.raises(Refused, match="longer than 256 kB"):
        read_text("X" * (LONGEST_TEXT + 1), Setup(), ENGLISH)


# -- thoughts --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "query",
    [
        ChooseMove(GameState.new(find_rules("ultimate"), Mark.NAUGHT), "rules", random.Random(3)),
        FindHint(play_moves(GameState.new(), "B2 A1 C3")),
        AnalyseMoves(play_moves(GameState.new(), "B2 A1 C3")),
        ExplainMove(play_moves(GameState.new(), "B2 A1 C3"), 1),
        pytest.param(  # takes too long
            AnalyseMoves(GameState.new(find_rules("gomoku"))), marks=pytest.mark.medium
        ),
        DrawTree(play_moves(GameState.new(), "B2 A1 C3 B1 C1"), tree_words(ENGLISH)),
        DrawTree(GameState.new(find_rules("gomoku")), tree_words(ENGLISH)),  # too large
    ],
    ids=lambda query: type(query).__name__,
)
def test_a_worker_answers_a_query_as_it_would_be_answered_here(query: Any) -> None:
    text = thinker.write((7, query))

    assert thinker.read(thinker.answer(text)) == (7, query())


def test_a_worker_posts_the_progress_of_a_thought_with_the_number_of_its_query() -> None:
    posted: list[str] = []
    state = GameState.new(find_rules("4x4x3"))
    query = ChooseMove(state, "mcts", random.Random(3))

    number, move = thinker.read(thinker.answer(thinker.write((7, query)), posted.append))

    numbers, told = zip(*map(thinker.read, posted))
    assert {*numbers} == {number} == {7}
    assert all(now.best in state.legal_moves for now in told)
    assert told[-1].share > 0.9
    assert move in state.legal_moves


# -- online ----------------------------------------------------------------------------------------


def test_an_address_behind_the_sign_is_told_from_a_game_on_this_device() -> None:
    assert address_in(f"game={ADDRESS}") == ADDRESS
    for fragment in ("", f"moves={ADDRESS}", "game=", *(f"game={name}" for name in VARIANTS)):
        assert address_in(fragment) == ""


@pytest.mark.parametrize("before", ["", " ", "https://a.b/#game=", "https://a.b/c/?lang=es#game="])
def test_a_link_to_a_game_is_found_in_what_people_paste(before: str) -> None:
    assert find_address(f"{before}{ADDRESS}\n") == ADDRESS
    assert find_address(f"{before}{ADDRESS}x") == ""


def test_the_address_of_a_plain_page_is_found_and_nothing_else() -> None:
    page = f"http://127.0.0.1:8765/games/{ADDRESS}"
    assert find_address(page) == find_address(f"{page}/?ply=3") == ADDRESS
    for text in ("", "hello", "https://example.org/", f"https://example.org/#{ADDRESS}"):
        assert find_address(text) == ""
