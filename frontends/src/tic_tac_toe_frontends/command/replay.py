"""``tic-tac-toe replay``: recorded games, move by move."""

from __future__ import annotations

import time
from collections.abc import Sequence
from gettext import NullTranslations

from tic_tac_toe.logic.records import Record

from ..program.files import STDIN
from ..program.options import Parser
from ..program.process import DONE
from ..program.record_files import RecordFiles
from ..program.terminal import Terminal
from ..words.foreign import truncated
from ..words.game_text import describe_end
from ..words.rules_text import side_title, variant_title
from ..words.translation import N_

#: The pause between moves in seconds, if the input is no terminal, so that nobody can press Enter.
DELAY_SECONDS = 1.0
LEAVE = "q"


def main(arguments: Sequence[str], prog: str) -> int:
    """Show recorded games and return the exit status of the process."""
    parser = Parser(prog, arguments, N_("Step through recorded games, in text or JSON Lines."))
    language = parser.language
    _ = language.gettext
    parser.arguments.add_argument(
        "file", metavar="FILE", help=_("the file of records; - is standard input")
    )
    parser.add_variant(_("MODULE:CLASS, a game of your own that the records are of"))
    parser.add_delay(_("pause between moves, instead of waiting for Enter"))
    parser.add_plain()
    parser.add_language()
    options = parser.read()
    records = RecordFiles(language).read(options.file)
    terminal = Terminal.standard(plain=options.plain)
    asks = terminal.interactive and options.file != STDIN and options.delay is None
    usual_delay = DELAY_SECONDS if terminal.fancy else 0.0
    delay = usual_delay if options.delay is None else options.delay
    for number, record in enumerate(records, start=1):
        title = _("Game {number} of {count}").format(number=number, count=len(records))
        if not _show(record, title, terminal, language, None if asks else delay):
            break
    if not records:
        terminal.show(_("No games."))
    return DONE


def _show(
    record: Record,
    title: str,
    terminal: Terminal,
    language: NullTranslations,
    delay: float | None,
) -> bool:
    """Show a game move by move; return whether to show the next one.

    Args:
        delay: the pause after each move in seconds; ``None`` to wait for Enter.
    """
    from ..console.renderers import ConsoleRenderer  # lazy: a front end

    _ = language.gettext
    renderer = ConsoleRenderer(terminal, language)
    tags = (f"{name}: {truncated(value)}" for name, value in record.tags)
    renderer.show_with_next_board("; ".join([title, variant_title(record.rules, language), *tags]))
    for ply, state in enumerate(record.states):
        renderer.render(state)
        terminal.show_wrapped(*(text for at, text in record.comments if at == ply))
        last = ply == len(record.moves)
        if last and record.resigned:
            loser, rules = record.resigned, record.rules
            name = side_title(rules, loser, language)
            terminal.show(_("{mark} resigns.").format(mark=name))
            terminal.show_wrapped(describe_end(loser.other, rules, language))
        elif last and not state.game_over:
            terminal.show_wrapped(_("The record ends here: the game was not finished."))
        if delay is None:
            try:
                answer = terminal.ask(_("Enter for more, q to leave: "))
            except EOFError:
                return False
            if answer.strip().casefold() == LEAVE:
                return False
        else:
            time.sleep(delay)
    return True
