"""The menus of the window."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Mapping, Sequence
from functools import partial

from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.logic.rules.statuses import status_of

from ..words.rules_text import describe_status
from .commands import COMMANDS, GAME_MENU, HELP_MENU, MOVES_MENU, SWITCHES, Context, Group
from .styles import menu_colours

#: The menus of the players and of the first side.
SEATS = ("x", "o", "starting")
#: A menu with more entries has several columns, to fit low screens.
LONGEST = 16


class Menus:
    """The menu bar of the window."""

    def __init__(self, context: Context) -> None:
        _ = context.language.gettext
        self._context = context
        self._chosen: dict[str, str] = {}
        self._named: dict[str, tuple[object, ...]] = {}
        self._places: dict[str, tuple[tk.Menu, int]] = {}
        self._colours = menu_colours(context.palette)
        self.bar = tk.Menu(context.root, self._colours, tearoff=False)
        self.game = self._add_commands(_("Game"), GAME_MENU)
        self.moves = self._add_commands(_("Moves"), MOVES_MENU)
        self._players = self._submenu(self.bar, _("Players"))
        self._groups = {name: self._add_group(self._players, name) for name in SEATS}
        variants = self._add_group(self.bar, "variant")
        variants.add_separator()
        self._add_command(variants, "size")
        view = self._submenu(self.bar, _("View"))
        for name in ("moves", "names"):
            self._add_command(view, name)
        self._groups["look"] = self._add_group(view, "look")
        self._add_group(view, "theme")
        self._add_group(self.bar, "language")
        self._add_commands(_("Help"), HELP_MENU)
        self.show(context.groups)
        context.root.configure(menu=self.bar)

    def show(self, groups: Mapping[str, Group]) -> None:
        """Update the entries, the selections and the names of the sides."""
        for name, menu in self._groups.items():
            group = groups[name]
            if self._named.get(name) != group[:2]:
                self._named[name] = group[:2]
                above, index = self._places[name]
                above.entryconfigure(index, label=group.title)
                menu.delete(0, "end")
                self._fill(menu, name, group)
        for name, group in groups.items():
            if group.chosen != self._chosen.get(name):
                self._chosen[name] = group.chosen
                self._context.variables[name].set(group.chosen)

    def allow(self, name: str, allowed: bool) -> None:
        """Enable or disable a command."""
        menu, index = self._places[name]
        menu.entryconfigure(index, state="normal" if allowed else "disabled")

    def _submenu(self, menu: tk.Menu, title: str) -> tk.Menu:
        below = tk.Menu(menu, self._colours, tearoff=False)
        menu.add_cascade(label=title, menu=below)
        return below

    def _add_commands(self, title: str, names: Sequence[str]) -> tk.Menu:
        menu = self._submenu(self.bar, title)
        for name in names:
            if name:
                self._add_command(menu, name)
            else:
                menu.add_separator()
        return menu

    def _add_command(self, menu: tk.Menu, name: str) -> None:
        command, label = COMMANDS[name], self._context.language.gettext(COMMANDS[name].title)
        action, key = self._context.actions[name], command.accelerator
        if name in SWITCHES:
            variable = self._context.variables[name]
            menu.add_checkbutton(
                label=label,
                accelerator=key,
                command=action,
                variable=variable,
                onvalue="on",
                offvalue="",
            )
        else:
            menu.add_command(label=label, accelerator=key, command=action)
        self._places[name] = menu, int(str(menu.index("end")))

    def _add_group(self, menu: tk.Menu, name: str) -> tk.Menu:
        group = self._context.groups[name]
        below = self._submenu(menu, group.title)
        self._places[name] = menu, int(str(menu.index("end")))
        self._named[name] = group[:2]
        self._fill(below, name, group)
        return below

    def _fill(self, menu: tk.Menu, name: str, group: Group) -> None:
        for index, (value, text) in enumerate(group.options):
            menu.add_radiobutton(
                label=text,
                accelerator=self._status(value) if name == "variant" else "",
                columnbreak=index > 0 and index % LONGEST == 0,
                value=value,
                variable=self._context.variables[name],
                command=partial(self._context.choose, name, value),
            )

    def _status(self, variant: str) -> str:
        return describe_status(status_of(find_rules(variant)), self._context.language)
