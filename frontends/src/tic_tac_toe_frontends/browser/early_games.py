"""The games that the page plays before Python has loaded, made from the library: see `early.js`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from gettext import NullTranslations
from random import Random
from typing import Any

from tic_tac_toe.game.strategies import EASY_CARE, MEDIUM_CARE, corners_and_centre
from tic_tac_toe.logic.models import MARKS, GameState, Mark
from tic_tac_toe.logic.notation import cell_name_in, move_name
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.logic.rules.traits import traits_of
from tic_tac_toe.pictures.board import Box, Look, look_of
from tic_tac_toe.pictures.svg import piece, svg
from tic_tac_toe.solver.answers import plain_python_solves

from ..table.driver import DELAY_SECONDS
from ..words.game_text import (
    describe_end,
    describe_move_of,
    describe_own_end,
    describe_own_turn,
    player_title,
)
from ..words.rules_text import FIRST_OPPONENT, HUMAN, Drawn, side_title, variant_title
from ..words.translation import labelled
from .page.board.plan import FALL, SMALL_SCREEN, Plan, cells_markup, picture_markup, ratio
from .page.settings import has_names

#: The games, by their names in addresses.
EARLY_GAMES: Mapping[str, Rules] = {
    name: find_rules(name) for name in ("tic-tac-toe", "connect-four")
}
#: A piece of its own, as `first-board.js` moves it to its cell.
_CORNER = Box(0, 0, 1, 1)


def early_facts() -> dict[str, Any]:
    """Return what the page needs to play, but for words."""
    return {
        "games": {name: _facts_of(rules) for name, rules in EARLY_GAMES.items()},
        "pieces": {
            look.value: {mark.value: piece(look, mark.side, _CORNER) for mark in MARKS}
            for look in Look
        },
        "players": f"{HUMAN} {FIRST_OPPONENT}",
        "smallScreen": SMALL_SCREEN,
        "pause": DELAY_SECONDS,
        "fall": FALL,
    }


def early_words(language: NullTranslations) -> dict[str, Any]:
    """Return what the page tells of these games."""
    _ = language.gettext
    levels = {level for rules in EARLY_GAMES.values() for level in levels_of(rules)}
    return {
        "games": {name: _words_of(rules, language) for name, rules in EARLY_GAMES.items()},
        "players": {name: player_title(name, language) for name in sorted({HUMAN, *levels})},
        "label": labelled("{name}", "{content}", language),
        "empty": _("empty"),
        "thinking": _("The computer is thinking …"),
        "ends": {end: describe_own_end(end, language) for end in ("win", "draw", "loss")},
        "drawn": describe_end(None, EARLY_GAMES["tic-tac-toe"], language),
        "again": _("Play again"),
        "tryAgain": _("Try again"),
    }


def levels_of(rules: Rules) -> dict[str, float]:
    """Return the share of careful moves of the levels that follow simple rules in a game."""
    is_solved = plain_python_solves(rules, Position())
    return {"easy": EASY_CARE} | ({"medium": MEDIUM_CARE} if is_solved else {})


def _facts_of(rules: Rules) -> dict[str, Any]:
    state, shape, traits = GameState.new(rules), rules.shape, traits_of(rules)
    falls, lines = traits.stacks is not None, traits.lines
    assert lines is not None, "these are games of lines"
    pad = [shape.columns * (2 - key // 3) + key % 3 for key in range(9)]
    keys = [*range(shape.columns)] if falls else pad
    return {
        "columns": shape.columns,
        "falls": falls,
        "lines": [sorted(line) for line in lines()],
        "groups": [sorted(group) for group in corners_and_centre(shape)],
        "levels": levels_of(rules),
        "names": [cell_name_in(rules, cell) for cell in range(shape.cells)],
        "moves": [move_name(state, cell) for cell in range(shape.cells)],
        "keys": {str(key): cell for key, cell in enumerate(keys, start=1)},
        "look": look_of(rules).value,
        "views": [*_views(state)],
        **_drawing_of(state),
    }


def _views(state: GameState) -> Iterator[dict[str, str]]:
    """Yield how the board lies in the page: on large screens, and on small ones."""
    rules, names = state.rules, has_names(state.rules)
    for is_small in (False, True):
        plan = Plan(rules, is_small=is_small, names=names)
        drawing = picture_markup(svg(state, names=names, styled=False), plan)
        yield {
            "head": drawing.partition("\n")[0],
            "ratio": ratio(plan),
            "cells": cells_markup(rules.shape, plan),
        }


def _drawing_of(state: GameState) -> dict[str, Any]:
    """Return the picture of an empty board in lines, and what others have more at which place."""
    empty, cell = _lines_of(state), state.legal_moves[0]
    moved = _added(_lines_of(state.make_move_to(cell).after_state, cell), empty)
    strikes, lit, is_last_marked = {}, None, False
    for ended in _ends(state.rules):
        line = sorted(ended.winning_cells)
        more = _added(_lines_of(ended, line[0]), empty)
        name = f"{line[1] - line[0]} {ended.grid.cells[line[0]]}"
        strikes[name] = [_part(each, line[0]) for each in more if "ttt-strike" in each[1]]
        lit = next((_part(each, line[0]) for each in more if "ttt-lit" in each[1]), None)
        is_last_marked = any("ttt-last" in text for _, text in more)
    return {
        "picture": empty,
        "pieceAt": next(place for place, text in moved if "ttt-latest" in text),
        "last": [_part(each, cell) for each in moved if "ttt-latest" not in each[1]],
        "strikes": strikes,
        "lit": lit,
        "marksLastAtEnd": is_last_marked,
    }


def _part(added: tuple[int, str], cell: int) -> dict[str, Any]:
    place, text = added
    return {"place": place, "cell": cell, "markup": text}


def _lines_of(state: GameState, last: int | None = None) -> list[str]:
    """Return the picture of a state in lines, without the first, which depends on the screen."""
    names = has_names(state.rules)
    return svg(state, last=last, label="", names=names, styled=False).splitlines()[1:]


def _added(drawing: list[str], base: list[str]) -> list[tuple[int, str]]:
    """Return the lines that only a picture has, each with the number of base lines before it."""
    found, place = [], 0
    for line in drawing:
        if place < len(base) and line == base[place]:
            place += 1
        else:
            found.append((place, line))
    assert place == len(base), "a move adds to the picture"
    return found


def _ends(rules: Rules) -> Iterator[GameState]:
    """Yield states that each side has won by one line in each direction."""
    lines = traits_of(rules).lines
    assert lines is not None, "these are games of lines"
    places = [sorted(line) for line in lines()]
    length = len(places[0])
    wanted = {(line[1] - line[0], mark) for line in places for mark in MARKS}
    dice = Random(0)
    while wanted:
        state = GameState.new(rules)
        while not state.game_over:
            move = state.make_random_move(dice)
            assert move is not None, "the game is not over"
            state = move.after_state
        line = sorted(state.winning_cells)
        if state.winner and len(line) == length and (line[1] - line[0], state.winner) in wanted:
            wanted.remove((line[1] - line[0], state.winner))
            yield state


def _words_of(rules: Rules, language: NullTranslations) -> dict[str, Any]:
    _, drawn = language.gettext, Drawn(look_of(rules))

    def side(mark: Mark) -> str:
        return side_title(rules, mark, language, drawn.look)

    def told(mark: Mark) -> str:
        """Return a move in words, with a place for its name."""
        text = describe_move_of(side(mark), 0, rules, language)
        return text.replace(move_name(GameState.new(rules), 0), "{cell}")

    return {
        "title": variant_title(rules, language),
        "firstTurn": {
            mark.value: describe_own_turn(mark, rules, language, drawn, first=True)
            for mark in MARKS
        },
        "turn": {mark.value: describe_own_turn(mark, rules, language, drawn) for mark in MARKS},
        "toMove": {
            mark.value: _("{mark} to move.").format(
                mark=side_title(rules, mark, language, drawn.look)
            )
            for mark in MARKS
        },
        "won": {mark.value: describe_end(mark, rules, language, drawn) for mark in MARKS},
        "told": {mark.value: told(mark) for mark in MARKS},
    }
