"""The dialogs of the full screen: a new game, the colours, the help, the name of a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from gettext import NullTranslations
from typing import ClassVar, NamedTuple, TypeVar

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.message import Message
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Button, Input, Label, OptionList, Static
from textual.widgets.option_list import Option

from tic_tac_toe.logic.exceptions import InvalidMove, InvalidVariant
from tic_tac_toe.logic.models import MARKS
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import FLAGS, VARIANTS, find_rules

from ..program.files import unquoted
from ..program.process import Refused
from ..program.terminal import in_columns
from ..table.commands import key_rows
from ..table.table import Setup
from ..words.foreign import escaped, truncated
from ..words.game_text import describe_player, setup_menus, starter_titles
from ..words.how_to_win import how_to_win
from ..words.rules_text import (
    describe_game,
    describe_rules,
    families,
    game_name,
    seat_title,
    variant_title,
)
from ..words.translation import (
    LANGUAGE_TITLES,
    as_sentence,
    code_of,
    join_clauses,
    labelled,
    localise,
)
from .plan import LetterPlan
from .readout import describe_play, describe_signs


class Menu(Widget, can_focus=True):
    """One of several entries; the keys ← and →, or clicks on the arrows, change it.

    A letter goes to the next entry with that initial.

    Args:
        name: the id of the widget.
    """

    DEFAULT_CSS = """
    Menu { width: 1fr; height: 1; text-wrap: nowrap; text-overflow: ellipsis; }
    Menu:focus { text-style: bold reverse; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "go(-1)", show=False),
        Binding("right,space", "go(1)", show=False),
    ]

    class Changed(Message):
        """Another entry was chosen."""

    def __init__(self, entries: Iterable[tuple[str, str]], value: str, name: str) -> None:
        super().__init__(id=name)
        self._titles = dict(entries)
        self.value = value

    @property
    def title(self) -> str:
        """The title of the chosen entry."""
        return self._titles[self.value]

    def render(self) -> Text:
        """Return the chosen entry between arrows."""
        return Text(f"◂ {self.title} ▸")

    def fill(self, entries: Iterable[tuple[str, str]]) -> None:
        """Offer other entries, and choose the first one unless the chosen one is among them."""
        self._titles = dict(entries)
        if self.value not in self._titles:
            self.value = next(iter(self._titles))
        self.refresh()

    def rename(self, titles: Mapping[str, str]) -> None:
        """Change titles of entries, by their values."""
        self._titles |= titles
        self.refresh()

    def choose(self, value: str) -> None:
        """Choose an entry by its value."""
        self.value = value
        self.refresh()
        self.post_message(self.Changed())

    def action_go(self, steps: int) -> None:
        """Go forward or back, and wrap at the ends."""
        values = [*self._titles]
        self.choose(values[(values.index(self.value) + steps) % len(values)])

    def on_key(self, event: events.Key) -> None:
        """Go to the next entry with a typed initial."""
        if event.character is None or not event.character.isalnum():
            return
        event.stop()
        values, letter = [*self._titles], event.character.casefold()
        at = values.index(self.value) + 1
        for value in (*values[at:], *values[:at]):
            if self._titles[value].casefold().startswith(letter):
                self.choose(value)
                return

    def on_click(self, event: events.Click) -> None:
        """Go forward, or back at a click on the left arrow."""
        self.action_go(-1 if event.x < 2 else 1)


#: The menu's entry for a board of any size.
OWN_SIZE = "mnk"
#: The maximum length of a game's name.
LONGEST_NAME = 60

Answer = TypeVar("Answer")


class Choice(NamedTuple):
    """The chosen next game and language."""

    setup: Setup
    language: str


class Dialog(ModalScreen[Answer | None]):
    """A screen above the game, which ends only once."""

    def end(self, answer: Answer | None = None) -> None:
        """Return to the game, unless that has happened: two keys may arrive at once."""
        if self.is_current:
            self.dismiss(answer)

    @on(Button.Pressed, "#cancel")
    def action_leave(self) -> None:
        """Return to the game without an answer."""
        self.end()


class Form(Dialog[Answer]):
    """A dialog of menus; its action ``begin`` ends it with what they choose."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave"),
        Binding("up", "app.focus_previous"),
        Binding("down", "app.focus_next"),
        Binding("enter", "begin"),
    ]

    def _chosen(self, menu: str) -> str:
        """Return the chosen value of a menu, by its name."""
        return self.query_one(f"#{menu}", Menu).value


class SetupScreen(Form[Choice]):
    """Asks for the players and the game.

    Args:
        others: players beside those of `PLAYERS`.
    """

    def __init__(
        self, setup: Setup, language: NullTranslations, others: Iterable[str] = ()
    ) -> None:
        super().__init__()
        self._setup = setup
        self._others = (*others,)
        self._language = language
        self._families = {title: dict(games) for title, games in families(language)}

    def compose(self) -> ComposeResult:
        """Make the menus."""
        _, setup = self._language.gettext, self._setup
        menus = setup_menus(self._language, self._others, setup.rules)
        name = game_name(setup.rules)
        own = name not in VARIANTS
        kinds = [(title, title) for title in self._families]
        kinds.append((OWN_SIZE, _("Another size …")))
        kind = next((one for one, games in self._families.items() if name in games), OWN_SIZE)
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = _("New game")
            yield menu_row(_("Player X"), Menu(menus["x"], setup.x, "x"))
            yield menu_row(_("Player O"), Menu(menus["o"], setup.o, "o"))
            yield Static("", id="level")
            yield menu_row(_("Game"), Menu(kinds, kind, "family"))
            games = next(iter(self._families.values())) if own else self._families[kind]
            yield menu_row("", Menu(games.items(), next(iter(games)) if own else name, "game"))
            yield Input(
                name if own else "mnk:",
                id="size",
                max_length=LONGEST_NAME,
                compact=True,
                select_on_focus=False,
            )
            yield Static("", id="about")
            yield menu_row(_("First move"), Menu(menus["starting"], setup.starting, "starting"))
            yield menu_row(
                _("Language"), Menu(LANGUAGE_TITLES.items(), code_of(self._language), "language")
            )
            with Horizontal(classes="buttons"):
                yield Button(_("Play"), id="play", variant="primary", compact=True)
                yield Button(_("Cancel"), id="cancel", compact=True)

    @on(Input.Submitted)
    @on(Button.Pressed, "#play")
    def action_begin(self) -> None:
        """Start the game, or show why that is impossible."""
        try:
            rules = self._chosen_rules()
        except InvalidVariant as error:
            self._show_message(self._describe_size(error))
            self.query_one("#size", Input).focus()
            return
        setup = Setup(rules, self._chosen("x"), self._chosen("o"), self._chosen("starting"))
        self.end(Choice(setup, self._chosen("language")))

    @on(events.Mount)
    @on(Menu.Changed)
    @on(Input.Changed)
    def _show_game(self) -> None:
        """Describe a valid game, and ask for a size if “Another size …” is chosen."""
        levels = (describe_player(self._chosen(name), self._language) for name in ("o", "x"))
        level = self.query_one("#level", Static)
        level.update(Text(next(filter(None, levels), "")))
        size, games = self.query_one("#size", Input), self._families.get(self._chosen("family"))
        size.display = games is None
        self.query_one("#game-row").display = games is not None and len(games) > 1
        if games is not None:
            self.query_one("#game", Menu).fill(games.items())
        try:
            rules = self._chosen_rules()
        except InvalidVariant as error:
            is_begun = f"{OWN_SIZE}:".startswith(size.value)
            self._show_message(self._describe_size(None if is_begun else error))
            return
        self._show_message(describe_game(rules, self._language))
        self._name_sides(rules)

    def _describe_size(self, error: InvalidVariant | None) -> str:
        _ = self._language.gettext
        hint = _("columns, rows and line length, as in {example}")
        hint = hint.format(example="mnk:7,6,4,gravity")
        flags = _("the name of a game can have flags: {flags}").format(flags=", ".join(FLAGS))
        reason = truncated(escaped(localise(self._language, error))) if error else ""
        return "\n".join(filter(None, [reason, join_clauses([hint, flags], self._language)]))

    def _name_sides(self, rules: Rules) -> None:
        for mark in MARKS:
            label = self.query_one(f"#{mark.value.lower()}-title", Label)
            label.update(Text(seat_title(rules, mark, self._language)))
        self.query_one("#starting", Menu).rename(starter_titles(self._language, rules))

    def _show_message(self, text: str) -> None:
        self.query_one("#about", Static).update(Text(text))

    def _chosen_rules(self) -> Rules:
        if self._chosen("family") == OWN_SIZE:
            return find_rules(self.query_one("#size", Input).value)
        return VARIANTS[self._chosen("game")]


def menu_row(title: str, menu: Menu) -> Horizontal:
    """Return a menu with its title before it."""
    label = Label(title, id=f"{menu.id}-title")
    return Horizontal(label, menu, id=f"{menu.id}-row", classes="row")


class Themes(OptionList, inherit_bindings=False):
    """The list of themes, without the page keys: Textual fails at them if no line is visible."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "cursor_up"),
        Binding("down", "cursor_down"),
        Binding("home", "first"),
        Binding("end", "last"),
        Binding("enter,space", "select"),
    ]


class ThemeScreen(Dialog[str]):
    """Asks for a theme, and previews each one."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "leave")]

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title
        self._before = ""

    def compose(self) -> ComposeResult:
        """Make the list."""
        self._before = self.app.theme
        names = sorted(self.app.available_themes)
        with Vertical(classes="dialog") as dialog:
            dialog.border_title = self._title
            yield Themes(*(Option(name, id=name) for name in names), id="themes", compact=True)

    def on_mount(self) -> None:
        """Highlight the present theme."""
        themes = self.query_one(OptionList)
        themes.highlighted = themes.get_option_index(self._before)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Preview a theme."""
        if event.option.id is not None:
            self.app.theme = event.option.id

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Choose a theme."""
        self.end(event.option.id)

    def action_leave(self) -> None:
        """Return to the theme before."""
        self.app.theme = self._before
        self.end()


class HelpScreen(Dialog[None]):
    """Shows the rules, the keys and the signs."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,enter,space,question_mark", "leave")]

    def __init__(self, rules: Rules, plan: LetterPlan, language: NullTranslations) -> None:
        super().__init__()
        self._rules = rules
        self._plan = plan
        self._language = language

    def compose(self) -> ComposeResult:
        """Create the text."""
        _ = self._language.gettext
        title, rules = variant_title(self._rules, self._language), self._rules
        game = labelled(title, describe_rules(rules, self._language), self._language)
        with VerticalScroll(classes="dialog") as dialog:
            dialog.border_title = _("Help")
            yield Static(Text(as_sentence(game, self._language)))
            for text in (
                *how_to_win(self._rules, self._language),
                *describe_play(self._rules, self._language),
                "\n".join(in_columns(key_rows("terminal", self._language).values())),
                "\n".join(
                    describe_signs(self._rules, self._plan.scale, self._plan.look, self._language)
                ),
            ):
                yield Static(Text(text), classes="paragraph")


#: The default name of a file.
USUAL_NAME = "game.txt"
#: The maximum length of a path.
LONGEST_PATH = 4096


class FileScreen(Dialog[str]):
    """Asks for a file until it can be used; returns its name.

    Args:
        title: of the dialog, in English.
        use: called with the name; may refuse the file with a reason, which is shown.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave")]

    def __init__(
        self, title: str, use: Callable[[str], object], language: NullTranslations
    ) -> None:
        super().__init__()
        self._title = title
        self._use = use
        self._language = language

    def compose(self) -> ComposeResult:
        """Create the field and the buttons."""
        _ = self._language.gettext
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = _(self._title)
            yield Static(Text(_("Name of the file:")))
            yield Input(USUAL_NAME, id="file", max_length=LONGEST_PATH, compact=True)
            yield Static("", id="problem")
            with Horizontal(classes="buttons"):
                yield Button(_("OK"), id="ok", variant="primary", compact=True)
                yield Button(_("Cancel"), id="cancel", compact=True)

    @on(Input.Submitted)
    @on(Button.Pressed, "#ok")
    def action_use(self) -> None:
        """Use the file, or show why that is impossible."""
        field = self.query_one("#file", Input)
        name = unquoted(field.value.strip())
        if not name:
            return
        try:
            self._use(name)
        except (Refused, InvalidMove) as reason:
            self.query_one("#problem", Static).update(
                Text(as_sentence(localise(self._language, reason), self._language))
            )
            field.focus()
            return
        self.end(name)
