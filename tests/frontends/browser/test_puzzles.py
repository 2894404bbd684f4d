"""Puzzles and lessons in the page: chosen, failed, solved, and kept."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.chromium import violations
from tests.frontends.browser.pages import IN_CHROMIUM, PEOPLE, Screen
from tic_tac_toe.insight.collection import shipped
from tic_tac_toe.insight.lessons import LESSONS
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import play_moves

pytestmark = IN_CHROMIUM


def choose(screen: Screen, lesson: str) -> None:
    """Begin a lesson in the dialog."""
    screen.page.click("#way-puzzle")
    screen.page.click(f"#study-lessons [data-lesson='{lesson}']")
    screen.hides("#study")


def test_a_puzzle_is_failed_tried_again_and_solved(screen: Screen) -> None:
    screen.begin()
    screen.page.click("#way-puzzle")
    screen.page.select_option("#study-game", "tic-tac-toe")
    screen.page.select_option("#study-level", "easy")
    screen.page.click("#study-begin")
    screen.mentions("#status", "to move")
    expect(screen.page.locator("#way-puzzle")).to_have_attribute("aria-pressed", "true")
    state = GameState.new()
    for name in screen.moves:
        state = play_moves(state, name.split(".")[1].strip()[-2:])
    puzzle = next(each for each in shipped("tic-tac-toe") if each.state.position == state.position)
    before = screen.marks

    screen.click_cell(puzzle.turns[0].wrong[0].move)
    screen.says("#status", "Not this move.")
    screen.tells("#note")
    expect(screen.page.locator("#undo")).to_have_text("Try again")
    screen.page.click("#undo")
    screen.mentions("#status", "to move")
    assert screen.marks == before

    screen.page.click("#hint")
    screen.tells("#note")
    for number in puzzle.solution[::2]:
        screen.click_cell(number)
        screen.mentions("#status", "Right." if number != puzzle.solution[-1] else "Solved!")
    screen.shows("#next-level")
    screen.mentions("#note", "wins" if puzzle.outcome == "win" else "draw")
    screen.page.click("#way-puzzle")
    screen.mentions("#study-results", "1 puzzle solved.")
    assert violations(screen.page) == []
    screen.close_dialog("study")
    screen.page.click("#way-computer")
    screen.shows("#against")
    expect(screen.page.locator("#way-computer")).to_have_attribute("aria-pressed", "true")
    assert screen.page.input_value("#against") == "minimax"


def test_a_lesson_is_learnt_on_a_phone_and_its_progress_is_kept(phone: Screen) -> None:
    phone.begin()
    lesson = next(lesson for lesson in LESSONS if lesson.name == "win-and-stop")
    choose(phone, lesson.name)
    for exercise in lesson.exercises:
        phone.says("#status", str(exercise.task))
        phone.click_cell(exercise.solution[0])
        phone.says("#status", "Solved!")
        if phone.page.is_visible("#next-level"):
            phone.page.click("#next-level")
    count = len(lesson.exercises)
    phone.page.click("#way-puzzle")
    phone.mentions(f"#study-lessons [data-lesson='{lesson.name}']", f"{count}/{count}")


def test_a_reload_stays_in_the_puzzle_and_leads_back_to_the_game(screen: Screen) -> None:
    screen.begin(f"{PEOPLE}&moves=B2.A1")
    choose(screen, "fork")
    task, cells = screen.page.inner_text("#status"), screen.labels
    screen.page.click("#hint")
    screen.reload()
    screen.says("#status", task)
    assert screen.labels == cells
    expect(screen.page.locator("#way-puzzle")).to_have_attribute("aria-pressed", "true")

    screen.page.click("#more")
    screen.page.click("#restart")
    expect(screen.page.locator("#way-puzzle")).to_have_attribute("aria-pressed", "false")
    screen.reload()
    screen.says("#status", "Your turn: you are X.")
    expect(screen.page.locator("#way-puzzle")).to_have_attribute("aria-pressed", "false")


def test_a_four_that_can_be_stopped_is_refused_and_an_open_one_is_right(screen: Screen) -> None:
    screen.begin()
    choose(screen, "fours-and-threes")
    state = next(each for each in LESSONS if each.name == "fours-and-threes").exercises[0].state
    screen.says("#status", "Make a four with both ends open.")
    screen.click_cell(state.move("K8").number)
    screen.says("#status", "Not this move.")
    screen.mentions("#note", "White must stop it at G8")
    screen.page.click("#undo")
    screen.click_cell(state.move("G8").number)
    screen.says("#status", "Solved!")
    screen.mentions("#note", "Black makes an open four")


def test_the_solution_is_shown_when_it_is_asked_for(screen: Screen) -> None:
    screen.begin()
    choose(screen, "fork")
    screen.page.click("#solution")
    screen.says("#status", "This is the solution.")
    screen.hides("#solution")
    screen.shows("#next-level")
