"""The colours of the board in every theme."""

from __future__ import annotations

import pytest
from textual.color import Color
from textual.theme import BUILTIN_THEMES

from tests.frontends.tui.stage import Stage, perform
from tic_tac_toe_frontends.tui.app import GameApp
from tic_tac_toe_frontends.tui.palette import (
    GROUNDS,
    INKS,
    LINE_CONTRAST,
    TEXT_CONTRAST,
    Palette,
    contrast,
)
from tic_tac_toe_frontends.tui.themes import DEFAULT, THEMES, UNCOLOURED

COLOURED = [theme for theme in (*BUILTIN_THEMES.values(), *THEMES) if not theme.ansi]
LINES = {"grid", "wall", "empty"}


def test_contrast_is_that_of_the_guidelines() -> None:
    assert contrast(Color(0, 0, 0), Color(255, 255, 255)) == pytest.approx(21)
    assert contrast(Color.parse("#767676"), Color.parse("#FFFFFF")) == pytest.approx(4.54, abs=0.01)
    assert contrast(Color(9, 9, 9), Color(9, 9, 9)) == 1


@pytest.mark.parametrize("theme", COLOURED, ids=lambda theme: theme.name)
def test_everything_on_the_board_can_be_read(theme: object) -> None:
    (found,) = (each for each in COLOURED if each is theme)
    palette = Palette(found.to_color_system().generate())

    for ink in INKS:
        least = LINE_CONTRAST if ink in LINES else TEXT_CONTRAST
        for ground in GROUNDS:
            assert contrast(palette.ink(ink, ground), palette.ground(ground)) >= least


def test_crosses_and_naughts_differ_in_colour_where_a_theme_has_colours() -> None:
    for theme in COLOURED:
        if theme.name != "black-and-white":
            palette = Palette(theme.to_color_system().generate())

            assert palette.ink("cross", "board") != palette.ink("naught", "board"), theme.name


def test_without_colours_all_is_shown_by_bold_underlined_and_reversed_text() -> None:
    palette = Palette({}, plain=True)

    style = palette.style("cross", "open", bold=True, inverted=True)

    assert (style.bold, style.reverse, style.color, style.bgcolor) == (True, True, None, None)


def test_no_color_is_respected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    async def scene(stage: Stage) -> None:
        await stage.press("5", "h")
        await stage.says("Best for O")
        styles = [
            segment.style
            for y in range(stage.app.size.height)
            for segment in stage.app.screen.render_lines(stage.app.screen.region)[y]
            if segment.style is not None
        ]

        assert stage.app.theme == UNCOLOURED
        assert styles
        assert stage.board.palette.plain

    perform(scene)


def test_the_usual_theme_is_textuals_own_unless_another_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)

    assert GameApp().theme == DEFAULT
    assert GameApp(theme="high-contrast").theme == "high-contrast"
