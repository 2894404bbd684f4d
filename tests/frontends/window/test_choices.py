"""What is chosen in the window: players, games, who starts, colours, language, files, sizes."""

from __future__ import annotations

import tkinter as tk
from pathlib import Path
from tkinter import filedialog, font

import pytest

from tests.frontends.window.display import ON_DISPLAY, Open, Stage
from tic_tac_toe.logic.models import Mark
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules, variant_name
from tic_tac_toe_frontends.window.dialogs import SizeDialog
from tic_tac_toe_frontends.window.palettes import PALETTES
from tic_tac_toe_frontends.words.rules_text import FAMILIES, HUMAN, PLAYERS
from tic_tac_toe_frontends.words.translation import LANGUAGES

pytestmark = ON_DISPLAY


def submenu(menu: tk.Menu, label: str) -> tk.Menu:
    below = menu.nametowidget(menu.entrycget(label, "menu"))
    assert isinstance(below, tk.Menu)
    return below


def dialog_of(stage: Stage) -> SizeDialog:
    (dialog,) = [child for child in stage.root.winfo_children() if isinstance(child, SizeDialog)]
    return dialog


def test_a_game_is_chosen_from_the_list_with_mouse_and_keys(open_window: Open) -> None:
    stage = open_window()

    stage.click_widget(stage.app.view.choices["variant"].box)
    stage.press("Down", "Down", "Return")

    assert stage.table.state.rules == VARIANTS["wild"]
    assert stage.root.title() == "Wild tic-tac-toe"
    assert stage.root.focus_get() is stage.board


def test_all_games_fit_in_a_menu_on_a_low_screen_and_in_a_list_as_wide_as_their_titles(
    open_window: Open,
) -> None:
    stage = open_window()
    menu = submenu(stage.app.view.menus.bar, "Variant")
    box = stage.app.view.choices["variant"].box

    stage.click_widget(box)
    shown = str(stage.root.tk.call("ttk::combobox::PopdownWindow", box))
    width = stage.root.tk.getint(stage.root.tk.call("winfo", "width", shown))
    stage.press("Escape")

    assert menu.winfo_reqheight() < 500
    letters = font.nametofont("TkDefaultFont", root=stage.root)
    assert width > max(map(letters.measure, box.cget("values")))


def test_turning_the_wheel_over_a_list_chooses_nothing(open_window: Open) -> None:
    stage = open_window()
    stage.press("5")
    box = stage.app.view.choices["variant"].box

    box.event_generate("<Button-5>")
    box.event_generate("<MouseWheel>", delta=-120)
    stage.settle()

    assert stage.table.match.ply == 1


def test_every_player_can_be_chosen_in_the_menu_and_goes_on_with_the_game(
    open_window: Open,
) -> None:
    stage = open_window(starting="O")
    menu, table = submenu(submenu(stage.app.view.menus.bar, "Players"), "Player O"), stage.table
    for name in PLAYERS:
        table.begin()
        menu.invoke(PLAYERS.index(name))
        assert table.setup.o == name
        assert stage.app.view.choices["o"].box.current() == PLAYERS.index(name)
        if name != HUMAN:
            stage.until(lambda: table.match.ply == 1)


def test_every_game_of_the_menu_is_drawn_and_takes_a_click(open_window: Open) -> None:
    stage = open_window()
    names = [name for family in FAMILIES.values() for name in family]
    for index, name in enumerate(names):
        submenu(stage.app.view.menus.bar, "Variant").invoke(index)
        assert stage.app.view.choices["variant"].box.current() == index
        stage.settle()
        stage.click(VARIANTS[name].shape.cells // 2)

        assert variant_name(stage.table.state.rules) == name
        assert stage.table.match.ply == 1


def test_who_starts_holds_at_once_or_from_the_next_game_on(open_window: Open) -> None:
    stage = open_window()
    stage.app.choose("starting", "O")
    starters = [stage.table.state.current_mark]
    stage.press("5")
    stage.app.choose("starting", "X")
    assert stage.table.match.ply == 1
    assert stage.detail == "This holds from the next game on."
    stage.press("ctrl+n")
    starters.append(stage.table.state.current_mark)

    assert starters == [Mark.NAUGHT, Mark.CROSS]


def test_the_language_changes_at_once_also_in_tks_own_dialogs_and_the_game_stays(
    open_window: Open,
) -> None:
    stage = open_window()
    stage.press("7", "5")
    said = {stage.detail}
    for code in list(LANGUAGES)[1:]:
        stage.app.choose("language", code)
        stage.settle()
        said.add(stage.detail)
        assert stage.table.match.ply == 2
        if code == "es":
            assert stage.root.tk.eval('namespace eval ::tk {msgcat::mc "&Cancel"}') == "&Cancelar"
    stage.press("3")

    assert len(said) == len(LANGUAGES)
    assert stage.table.match.ply == 3


def test_the_colours_change_at_once_and_the_game_stays(open_window: Open) -> None:
    stage = open_window(theme="light")
    stage.press("7", "ctrl+l")
    for theme in ("dark", "auto", "light"):
        stage.app.choose("theme", theme)
        stage.settle()

        ground = str(stage.board.cget("background"))
        assert ground in {palette.ground for palette in PALETTES.values()}
        assert theme == "auto" or ground == PALETTES[theme].ground
    assert stage.table.match.ply == 1
    assert stage.app.view.moves.winfo_manager()


def test_a_board_of_another_size_is_asked_for(open_window: Open) -> None:
    stage = open_window()
    submenu(stage.app.view.menus.bar, "Variant").invoke("Another size …")
    dialog = dialog_of(stage)
    dialog.focus_force()
    for box, number in zip(dialog.numbers, (7, 5, 4)):
        box.set(number)
    stage.settle()
    stage.click_widget(dialog.flags["gravity"])

    dialog.begin()

    assert stage.table.state.rules == find_rules("mnk:7,5,4,gravity")
    assert stage.app.view.choices["variant"].box.get() == "mnk:7,5,4,gravity"


def test_flags_that_do_not_go_together_cannot_be_chosen_for_a_board_of_ones_own(
    open_window: Open,
) -> None:
    stage = open_window("mnk:4,4,3,torus")
    stage.app.ask_size()
    dialog = dialog_of(stage)
    stage.settle()

    def closed() -> set[str]:
        return {flag for flag, box in dialog.flags.items() if box.instate(["disabled"])}

    seen = [closed()]
    for flag in ("wild", "misere", "wild", "pie"):
        stage.click_widget(dialog.flags[flag])
        seen.append(closed())
    dialog.begin()

    assert seen == [{"gravity", *more} for more in ((), ["pie"], ["pie"], (), ["wild"])]
    assert stage.table.state.rules == find_rules("mnk:4,4,3,torus,misere,pie")


def test_an_impossible_size_is_refused_in_words_and_may_be_mended(open_window: Open) -> None:
    stage = open_window(language="es")
    stage.app.ask_size()
    dialog = dialog_of(stage)
    for text in ("27", "", "-1", "x" * 500, "3,3,3,exact"):
        dialog.numbers[0].set(text)
        dialog.begin()
        assert dialog.problem.cget("text")
    assert stage.table.state.rules == VARIANTS["tic-tac-toe"]

    dialog.numbers[0].set("4")
    dialog.begin()

    assert stage.table.state.rules.shape.columns == 4
    assert not dialog.winfo_exists()


def test_a_game_is_saved_where_it_can_be_written_and_opened_again(
    open_window: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = str(tmp_path / "game.txt")
    names = iter([str(tmp_path / "no" / "folder"), name])
    monkeypatch.setattr(filedialog, "asksaveasfilename", lambda **_options: next(names))
    monkeypatch.setattr(filedialog, "askopenfilename", lambda **_options: name)
    stage = open_window("connect-four", o="human")
    stage.press("4", "4", "1")

    stage.press("ctrl+s")
    assert stage.detail.startswith("cannot write ")
    stage.press("ctrl+s")
    assert stage.detail == f"Saved to {name}."
    stage.app.choose("variant", "tic-tac-toe")
    stage.press("ctrl+o")

    table = stage.table
    assert table.state.rules == VARIANTS["connect-four"]
    assert stage.cells == [38, 31, 35]
    stage.press("ctrl+z")
    assert table.match.ply == 2


def test_a_game_with_letters_is_saved_and_goes_on_with_the_moves_that_were_made(
    open_window: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = str(tmp_path / "game.txt")
    monkeypatch.setattr(filedialog, "asksaveasfilename", lambda **_options: name)
    monkeypatch.setattr(filedialog, "askopenfilename", lambda **_options: name)
    stage = open_window("wild")
    stage.press("o", "5", "x", "7", "ctrl+s")
    stage.app.choose("variant", "qubic")

    stage.press("ctrl+o")

    assert [str(move.mark) for move in stage.table.match.history] == ["O", "X"]
    assert stage.status == "Player 1 to move."


def test_a_file_that_is_not_a_game_is_refused_in_one_line(
    open_window: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = open_window()
    path = tmp_path / "game.txt"
    monkeypatch.setattr(filedialog, "askopenfilename", lambda **_options: str(path))
    stage.press("5")
    for content, reason in ((b"", "No games"), (b"1. A1 A1 *", "Cell is not empty")):
        path.write_bytes(content)
        stage.press("Escape", "ctrl+o")

        assert reason in stage.detail
        assert stage.detail.isprintable()
        assert stage.cells == [4]
