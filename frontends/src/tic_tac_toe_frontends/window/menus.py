"""The menus of the window."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Mapping, Sequence
from functools import partial

from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe.logic.rules.statuses import status_of

from ..table.commands import COMMANDS
from ..words.rules_text import describe_status, families, game_name
from .commands import GAME_MENU, HELP_MENU, MOVES_MENU, SWITCHES, Context, Group, key_title
from .styles import menu_colours

#: The menus of the players and of the first side.
SEATS = ("x", "o", "starting")


class Menus:
    """The menu bar of the window."""

    def __init__(self, context: Context) -> None:
        _ = context.language.gettext
        self._context = context
        self._shown: Mapping[str, Group] = {}
        self._chosen: dict[str, str] = {}
        self._places: dict[str, tuple[tk.Menu, int]] = {}
        self._menus: dict[str, tk.Menu] = {}
        self._colours = menu_colours(context.palette)
        self.bar = tk.Menu(context.root, self._colours, tearoff=False)
        self._add_commands(_("Game"), GAME_MENU)
        self._add_commands(_("Moves"), MOVES_MENU)
        players = self._submenu(self.bar, _("Players"))
        for name in SEATS:
            self._add_group(players, name)
        self._add_games()
        view = self._submenu(self.bar, _("View"))
        for name in ("moves", "names"):
            self._add_command(view, name)
        for name in ("look", "theme"):
            self._add_group(view, name)
        self._add_group(self.bar, "language")
        self._add_commands(_("Help"), HELP_MENU)
        self.show(context.groups)
        context.root.configure(menu=self.bar)

    def show(self, groups: Mapping[str, Group]) -> None:
        """Update the entries, the selections and the names of the sides."""
        before, self._shown = self._shown, groups
        for name, menu in self._menus.items():
            if name not in before or before[name][:2] != groups[name][:2]:
                above, index = self._places[name]
                above.entryconfigure(index, label=groups[name].title)
                menu.delete(0, "end")
                self.fill(menu, name)
        chosen = {name: group.chosen for name, group in groups.items()}
        chosen["variant"] = game_name(self._context.desk.table.setup.rules)
        for name in chosen:
            if chosen[name] != self._chosen.get(name):
                self._context.variables[name].set(chosen[name])
        self._chosen = chosen

    def fill(self, menu: tk.Menu, name: str) -> None:
        """Add the options of a group to a menu."""
        for value, text in self._shown[name].options:
            menu.add_radiobutton(
                label=text,
                value=value,
                variable=self._context.variables[name],
                command=partial(self._context.choose, name, value),
            )

    def allow(self, name: str, allowed: bool) -> None:
        """Enable or disable a command."""
        menu, index = self._places[name]
        menu.entryconfigure(index, state="normal" if allowed else "disabled")

    @property
    def commands(self) -> list[str]:
        """The commands with an entry."""
        return [name for name in COMMANDS if name in self._places]

    def _submenu(self, menu: tk.Menu, title: str) -> tk.Menu:
        below = tk.Menu(menu, self._colours, tearoff=False)
        menu.add_cascade(label=title, menu=below)
        return below

    def _add_commands(self, title: str, names: Sequence[str]) -> None:
        menu = self._submenu(self.bar, title)
        for name in names:
            if name:
                self._add_command(menu, name)
            else:
                menu.add_separator()

    def _add_command(self, menu: tk.Menu, name: str) -> None:
        command, label = COMMANDS[name], self._context.language.gettext(COMMANDS[name].title)
        action = partial(self._context.desk.do, name)
        key = key_title(next(iter(command.keys("window")), ""))
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

    def _add_games(self) -> None:
        """Add the menu of games by families, a family of one game as an entry."""
        language = self._context.language
        menu = self._submenu(self.bar, language.gettext("Variant"))
        self._add_command(menu, "setup")
        menu.add_separator()
        for title, games in families(language):
            below = menu if len(games) == 1 else self._submenu(menu, title)
            for name, label in games:
                below.add_radiobutton(
                    label=label,
                    accelerator=describe_status(status_of(VARIANTS[name]), language),
                    value=name,
                    variable=self._context.variables["variant"],
                    command=partial(self._context.choose, "variant", name),
                )
        menu.add_separator()
        self._add_command(menu, "size")

    def _add_group(self, menu: tk.Menu, name: str) -> None:
        self._menus[name] = self._submenu(menu, "")
        self._places[name] = menu, int(str(menu.index("end")))
