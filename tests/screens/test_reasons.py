"""Why a move is good or bad, on the screens that one program shows: at its prompt, and around it.

The page and the notebook, whose buttons are their own, have tests of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.machine import needs
from tests.screens.full_screen import Open as OpenFullScreen
from tests.screens.screen import SCREENS, Sit, tells

if TYPE_CHECKING:  # where Tkinter is missing
    from tests.screens.window import Window

ELSEWHERE = {"notebook": "it has tests of its own", "page": "it has tests of its own"}
TYPED = {"console": "the move is typed after the word"}
#: Which screens lack which scenarios, and why.
LACKING: dict[str, dict[str, str]] = {
    "test_the_last_move_is_explained_until_the_next_one": ELSEWHERE,
    "test_the_coach_objects_until_another_move_is_tried_or_the_game_goes_on": ELSEWHERE,
    "test_the_coach_says_whether_it_is_on": ELSEWHERE,
    "test_while_values_are_shown_a_chosen_move_is_explained_and_not_made": ELSEWHERE | TYPED,
    "test_a_taken_cell_is_refused_when_a_move_to_explain_is_chosen": ELSEWHERE | TYPED,
    "test_a_mistake_of_a_review_is_explained": ELSEWHERE,
}
#: X could draw with A3; A2 loses to the answer A3.
START, LOSING, ANSWER = ("A1", "B2", "B1", "C1"), "A2", "A3"
WHY = ("X loses with A2.", "O completes C1-A3 with A3.")


def test_the_table_of_what_is_lacking_names_scenarios_and_screens() -> None:
    assert [name for name in LACKING if name not in globals()] == []
    assert {screen for lacking in LACKING.values() for screen in lacking} <= {*SCREENS}


def test_the_last_move_is_explained_until_the_next_one(sit: Sit) -> None:
    screen = sit()
    screen.play(*START, LOSING)

    screen.press("explain")
    tells(screen, *WHY)

    screen.play(ANSWER)
    assert WHY[0] not in screen.told


def test_the_coach_objects_until_another_move_is_tried_or_the_game_goes_on(sit: Sit) -> None:
    screen = sit(o="minimax")
    screen.press("coach")
    screen.play("A1", "B1", LOSING)
    tells(screen, *WHY)
    assert screen.marks == "XXOXO    "

    screen.press("undo")
    assert screen.marks == "XXO O    "
    screen.play(LOSING)
    tells(screen, *WHY)

    screen.press("go-on")
    screen.until(lambda: screen.marks == "XXOXO O  ")


def test_the_coach_says_whether_it_is_on(sit: Sit) -> None:
    screen = sit(o="easy")

    for told in ("The coach is on.", "The coach is off."):
        screen.press("coach")
        tells(screen, told)


def test_while_values_are_shown_a_chosen_move_is_explained_and_not_made(sit: Sit) -> None:
    screen = sit()
    screen.play(*START)
    screen.press("analysis")
    screen.until(lambda: screen.values)

    screen.press("explain")
    tells(screen, "Choose a move")
    screen.play(LOSING)
    tells(screen, *WHY)
    assert screen.marks == "XXO O    "

    screen.press("explain", "explain")
    tells(screen, "O keeps the draw with C1.")

    screen.play(ANSWER)
    assert screen.marks == "XXO O X  "


def test_a_taken_cell_is_refused_when_a_move_to_explain_is_chosen(sit: Sit) -> None:
    screen = sit()
    screen.play(*START)
    screen.press("analysis")
    screen.until(lambda: screen.values)
    screen.press("explain")

    screen.play("A1")

    tells(screen, "Cell is not empty")


def test_a_mistake_of_a_review_is_explained(sit: Sit) -> None:
    screen = sit()
    screen.play(*START, LOSING, ANSWER)

    screen.press("review")

    tells(screen, "O completes C1-A3 with A3.")


@pytest.mark.parametrize("size", [(100, 30), (80, 24), (30, 10), (12, 8)])
@pytest.mark.medium
def test_the_full_screen_writes_the_signs_of_a_reason_at_every_size(
    open_full_screen: OpenFullScreen, size: tuple[int, int]
) -> None:
    screen = open_full_screen("connect-four", size=size)
    screen.play("4", "4", "3", "3")

    screen.press("explain")

    screen.until(lambda: [cell for cell in range(42) if "!" in "".join(screen.sign_at(cell))])
    found = [cell for cell in range(42) if "!" in "".join(screen.sign_at(cell))]
    assert found == [35, 36, 39]
    screen.play("2")
    assert "!" not in screen.drawing


@pytest.mark.medium
def test_without_colours_a_better_move_and_a_sign_share_a_cell(
    open_full_screen: OpenFullScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    screen = open_full_screen()
    screen.play(*START, LOSING, ANSWER)

    screen.press("review")

    screen.until(lambda: "◆ !" in screen.drawing)


@needs("tkinter", "Xvfb")
def test_the_window_writes_the_signs_of_a_reason_in_the_place_of_values(
    sit_at_window: Callable[[], Window],
) -> None:
    window = sit_at_window()
    window.play(*START)
    window.press("analysis")
    window.until(lambda: len(window.values) == 5)

    window.press("explain")
    window.play(LOSING)

    window.until(lambda: {"*", "!"} <= {*window.texts})
    assert len(window.values) == 3
