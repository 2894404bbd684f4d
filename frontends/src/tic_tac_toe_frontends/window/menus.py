"""The menus of the window."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Mapping
from functools import partial

from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.logic.rules.statuses import status_of

from ..words.status_text import describe_status
from .commands import COMMANDS, GAME_MENU, Group, Kit
from .styles import menu_colours

#: The menus of who plays and who starts.
SEATS = ("x", "o", "starting")
#: A menu with more entries than this has several columns, which fit a low screen.
LONGEST = 16


class Menus:
    """The menu bar of a window, with the choices of the game as they stand."""

    def __init__(self, kit: Kit) -> None:
        _ = kit.language.gettext
        self._kit = kit
        self._chosen: dict[str, str] = {}
        self._named: dict[str, tuple[object, ...]] = {}
        self._colours = menu_colours(kit.palette)
        self.bar = tk.Menu(kit.root, self._colours, tearoff=False)
        self.game = self._submenu(self.bar, _("Game"))
        for name in GAME_MENU:
            if name:
                self._add_command(self.game, name)
            else:
                self.game.add_separator()
        self._players = self._submenu(self.bar, _("Players"))
        self._seats = {name: self._add_group(self._players, name) for name in SEATS}
        variants = self._add_group(self.bar, "variant", _("Variant"))
        variants.add_separator()
        self._add_command(variants, "size")
        view = self._add_group(self.bar, "theme", _("View"))
        view.add_separator()
        self._add_command(view, "moves")
        self._add_group(self.bar, "language")
        self.show(kit.groups)
        kit.root.configure(menu=self.bar)

    def show(self, groups: Mapping[str, Group]) -> None:
        """Mark what is chosen, and call the sides by their names."""
        for index, (name, menu) in enumerate(self._seats.items()):
            group = groups[name]
            if self._named.get(name) != group[:2]:
                self._named[name] = group[:2]
                self._players.entryconfigure(index, label=group.title)
                for at, (_, title) in enumerate(group.options):
                    menu.entryconfigure(at, label=title)
        for name, group in groups.items():
            if group.chosen != self._chosen.get(name):
                self._chosen[name] = group.chosen
                self._kit.variables[name].set(group.chosen)

    def allow(self, name: str, allowed: bool) -> None:
        """Let a command of the game be used, or not."""
        index = GAME_MENU.index(name)
        self.game.entryconfigure(index, state="normal" if allowed else "disabled")

    def _submenu(self, menu: tk.Menu, title: str) -> tk.Menu:
        below = tk.Menu(menu, self._colours, tearoff=False)
        menu.add_cascade(label=title, menu=below)
        return below

    def _add_command(self, menu: tk.Menu, name: str) -> None:
        command = COMMANDS[name]
        menu.add_command(
            label=self._kit.language.gettext(command.title),
            accelerator=command.accelerator.replace("Control", "Ctrl"),
            command=self._kit.actions[name],
        )

    def _add_group(self, menu: tk.Menu, name: str, title: str | None = None) -> tk.Menu:
        below = self._submenu(menu, title or self._kit.groups[name].title)
        for index, (value, text) in enumerate(self._kit.groups[name].options):
            below.add_radiobutton(
                label=text,
                accelerator=self._status(value) if name == "variant" else "",
                columnbreak=index > 0 and index % LONGEST == 0,
                value=value,
                variable=self._kit.variables[name],
                command=partial(self._kit.choose, name, value),
            )
        return below

    def _status(self, variant: str) -> str:
        """Return what is known of the value of a game."""
        return describe_status(status_of(find_rules(variant)), self._kit.language)
