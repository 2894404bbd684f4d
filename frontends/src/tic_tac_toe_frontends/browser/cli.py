"""The command line of the page: build it, serve it, open it."""

from __future__ import annotations

import sys
import webbrowser
from collections.abc import Sequence
from gettext import NullTranslations
from pathlib import Path

from tic_tac_toe.logic.rules.catalogue import variant_name

from ..program.extras import about_solver
from ..program.options import Parser
from ..program.page_files import PageFiles
from ..program.process import DONE, Refused, reason_of, run
from ..program.terminal import Terminal
from ..table.setup import setup_of_options
from ..table.table import Setup
from ..words.translation import N_
from .build import build
from .own_game import code_of
from .packages import BuildFailed, Missing
from .page.links import LONGEST_THOUGHT
from .server import PORT, Server

BUILD = "build"


def main(argv: Sequence[str] | None = None, prog: str = "python -m browser") -> int:
    """Serve or only build the page, and return the exit status of the process."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    if arguments[:1] == [BUILD]:
        return run(lambda: _build(arguments[1:], f"{prog} {BUILD}"))
    return run(lambda: _serve(arguments, prog))


def address_of(
    base: str, setup: Setup, language_code: str | None = None, think: float | None = None
) -> str:
    """Return the address that opens the page with a game.

    Args:
        base: the address of the page itself.
        setup: the game; values equal to the defaults are left out.
        think: the computer's time for a move in seconds, if given.
    """
    usual = Setup()
    parts = (
        ("game", variant_name(setup.rules), variant_name(usual.rules)),
        ("x", setup.x, usual.x),
        ("o", setup.o, usual.o),
        ("first", setup.starting, usual.starting),
        ("think", "" if think is None else f"{think:g}", ""),
    )
    query = f"?lang={language_code}" if language_code else ""
    fragment = "&".join(f"{key}={wanted}" for key, wanted, usually in parts if wanted != usually)
    return f"{base}{query}#{fragment}" if fragment else f"{base}{query}"


def _serve(arguments: Sequence[str], prog: str) -> int:
    parser = Parser(prog, arguments, N_("Play in the browser, without a network."))
    language, terminal = parser.language, Terminal.standard()
    _ = language.gettext
    parser.epilog = _("To build the page for a web host: {command}").format(
        command=f"{prog} {BUILD} --to DIRECTORY"
    )
    parser.add_game(programs=False)
    about_port = _("where to serve the page ({port} unless given; 0 for any)").format(port=PORT)
    parser.add_port(about_port)
    parser.add_flag("--no-open", _("open no browser"))
    options = parser.read()
    if options.think is not None and options.think > LONGEST_THOUGHT:
        message = _("the page lets a computer think for at most {count} seconds")
        raise Refused(message.format(count=LONGEST_THOUGHT))
    page = _find_or_build(None, language, terminal)
    own_game = code_of(options.variant)
    with (
        _start_server(page, options.port, own_game, language) as server,
        server.answering() as thread,
    ):
        address = address_of(server.url, setup_of_options(options), options.lang, options.think)
        message = _("The game is at {address} until you press Ctrl-C.")
        try:
            terminal.show_entry(message.format(address=address))
            if advice := about_solver(language):
                terminal.show_entry(advice)
            if not options.no_open:
                webbrowser.open(address)
            thread.join()
        except KeyboardInterrupt:
            terminal.show()
    return DONE


def _build(arguments: Sequence[str], prog: str) -> int:
    parser = Parser(prog, arguments, N_("Build the page: a folder of files for any web host."))
    language, terminal = parser.language, Terminal.standard()
    parser.add_language()
    about = language.gettext("where to put it; what was there before is replaced")
    parser.add_value("--to", "DIRECTORY", about)
    options = parser.read()
    page = _find_or_build(Path(options.to) if options.to else None, language, terminal)
    for name, file in sorted(page.manifest.files.items(), key=lambda item: -item[1].least):
        terminal.show(f"{file.least:>11,}  {name}")
    message = language.gettext("{count} bytes in all, compressed; the page is in {folder}")
    terminal.show_entry(message.format(count=f"{page.manifest.least:,}", folder=page.folder))
    message = language.gettext(
        "a plain web host has no compiled solver for the page; “{command}” serves it with one"
    )
    terminal.show_entry(message.format(command="tic-tac-toe serve"))
    return DONE


def _find_or_build(
    target: Path | None, language: NullTranslations, terminal: Terminal
) -> PageFiles:
    """Return the page; build it if it is missing or out of date.

    Raises:
        Refused: it cannot be built.
    """
    _ = language.gettext
    try:
        return build(target, begin=lambda: terminal.show(_("Building the page …")))
    except Missing as program:
        message = _("building the page needs {program}, which is not installed")
        raise Refused(message.format(program=program)) from None
    except BrokenPipeError:  # of the output
        raise
    except (BuildFailed, OSError) as error:
        message = _("the page cannot be built: {reason}")
        raise Refused(message.format(reason=reason_of(error, language))) from None


def _start_server(
    page: PageFiles, port: int | None, own_game: str, language: NullTranslations
) -> Server:
    """Return a server on the named port, else on the usual port, else on any free one."""
    try:
        return Server(page, PORT if port is None else port, own_game=own_game)
    except OSError as error:
        if port is None:
            return Server(page, 0, own_game=own_game)
        message = language.gettext("cannot listen on port {port}: {reason}")
        raise Refused(message.format(port=port, reason=reason_of(error, language))) from None
