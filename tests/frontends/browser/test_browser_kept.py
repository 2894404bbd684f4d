"""What the page keeps between visits holds whatever the browser has under its names."""

from __future__ import annotations

import json
import random
from gettext import NullTranslations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tic_tac_toe.game.looks import Look, look_of, looks_for
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe_frontends.browser.page.history import (
    LAST_MOMENT,
    MOST_CHARACTERS,
    MOST_GAMES,
    Finished,
    finished_at,
    read_history,
    results,
    write_history,
)
from tic_tac_toe_frontends.browser.page.links import LONGEST, read_link
from tic_tac_toe_frontends.browser.page.settings import Settings
from tic_tac_toe_frontends.table.setup import Setup
from tic_tac_toe_frontends.table.table import Table

ENGLISH = NullTranslations()
GAME = Finished(1_000, "tic-tac-toe", "human", "easy", "X", "x=human&o=easy&moves=B2")


def kept_settings(kept: dict[str, str]) -> Settings:
    return Settings(kept.get, kept.__setitem__)


# -- settings --------------------------------------------------------------------------------------


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
        assert settings.look(rules) is look_of(rules)


def test_a_look_is_kept_for_the_games_that_usually_look_the_same() -> None:
    settings = kept_settings({})

    settings.choose_look(VARIANTS["connect-four"], Look.MARKS)

    for name, rules in VARIANTS.items():
        is_alike = look_of(rules) is Look.DISCS
        assert settings.look(rules) is (Look.MARKS if is_alike else look_of(rules)), name
        assert settings.look(rules) in looks_for(rules)


def test_settings_hold_for_the_visit_in_a_browser_that_keeps_nothing() -> None:
    settings = Settings(lambda _name: None, lambda _name, _value: None)

    settings.sound = True
    assert settings.sound

    settings.forget()
    assert not settings.sound


def test_each_change_is_told_once() -> None:
    settings, told = kept_settings({}), []
    settings.changed = lambda: told.append(settings.sound)

    settings.sound = True
    settings.sound = False

    assert told == [True, False]


def test_only_boards_of_nine_cells_go_without_names_until_the_reader_wants_them() -> None:
    settings = kept_settings({})
    shown = {name for name, rules in VARIANTS.items() if not settings.shows_names(rules)}
    assert shown == {name for name, rules in VARIANTS.items() if rules.shape.cells == 9}

    settings.names = True
    assert all(settings.shows_names(rules) for rules in VARIANTS.values())


# -- finished games --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", VARIANTS)
def test_a_finished_game_is_kept_and_opens_as_it_ended(name: str) -> None:
    rng = random.Random(name)
    table = Table(Setup(VARIANTS[name], "human", "easy"))
    while not table.match.over:
        table.match.submit(table.state.current_mark, rng.choice(table.state.legal_moves))

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


HOSTILE = {
    "nothing": "",
    "no JSON": "{",
    "no list": '{"games": []}',
    "too long": "[" + "1," * MOST_CHARACTERS + "1]",
    "nested deeply": "[" * 90_000,
    "a row of another length": "[[1]]",
    "a date that is no number": json.dumps([GAME._replace(when="soon")]),  # type: ignore[arg-type]
    "a date that is true": json.dumps([GAME._replace(when=True)]),
    "a date after all dates": json.dumps([GAME._replace(when=LAST_MOMENT + 1)]),
    "an unknown game": json.dumps([GAME._replace(game="<img src=x>")]),
    "an immense board": json.dumps([GAME._replace(game="mnk:999999,9,3")]),
    "an unknown player": json.dumps([GAME._replace(o="gomocup:/bin/sh")]),
    "an unknown winner": json.dumps([GAME._replace(winner="Z")]),
    "a link that is too long": json.dumps([GAME._replace(link="x" * (LONGEST + 1))]),
    "a link that is no text": json.dumps([GAME._replace(link=[])]),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_what_is_no_finished_game_is_passed_over(text: str) -> None:
    assert read_history(text) == []


def test_a_game_among_others_that_are_none_is_kept() -> None:
    assert read_history(json.dumps([["?"], GAME, None])) == [GAME]


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
