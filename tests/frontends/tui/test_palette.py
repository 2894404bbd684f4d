"""The colours of the board in every theme."""

from __future__ import annotations

import pytest
from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

from tic_tac_toe_frontends.tui.app import GameApp
from tic_tac_toe_frontends.tui.palette import (
    DEFAULT,
    GROUNDS,
    INKS,
    LINE_CONTRAST,
    TEXT_CONTRAST,
    THEMES,
    UNCOLOURED,
    Palette,
    contrast,
)

COLOURED = [theme for theme in (*BUILTIN_THEMES.values(), *THEMES) if not theme.ansi]
LINES = {"grid", "wall", "empty"}


def test_contrast_is_that_of_the_guidelines() -> None:
    assert contrast(Color(0, 0, 0), Color(255, 255, 255)) == pytest.approx(21)
    assert contrast(Color.parse("#767676"), Color.parse("#FFFFFF")) == pytest.approx(4.54, abs=0.01)
    assert contrast(Color(9, 9, 9), Color(9, 9, 9)) == 1


@pytest.mark.parametrize("theme", COLOURED, ids=lambda theme: theme.name)
def test_everything_on_the_board_can_be_read_and_marks_differ_in_colour(theme: Theme) -> None:
    palette = Palette(theme.to_color_system().generate())
    crosses, naughts = (palette.ink(name, "board") for name in ("cross", "naught"))

    assert (crosses == naughts) == (theme.name == "black-and-white")
    for ink in INKS:
        least = LINE_CONTRAST if ink in LINES else TEXT_CONTRAST
        for ground in GROUNDS:
            assert contrast(palette.ink(ink, ground), palette.ground(ground)) >= least


def test_without_colours_all_is_shown_by_bold_underlined_and_reversed_text() -> None:
    palette = Palette({}, plain=True)

    style = palette.style("cross", "open", bold=True, inverted=True)

    assert (style.bold, style.reverse, style.color, style.bgcolor) == (True, True, None, None)


def test_the_usual_theme_is_textuals_own_unless_another_or_no_colour_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)

    assert GameApp().theme == DEFAULT
    assert GameApp(theme="high-contrast").theme == "high-contrast"

    monkeypatch.setenv("NO_COLOR", "1")

    assert GameApp().theme == UNCOLOURED
