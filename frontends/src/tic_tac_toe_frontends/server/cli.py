"""The command line of the game server and its subcommands."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from gettext import NullTranslations
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NoReturn

from ..program.extras import require_online
from ..program.options import Parser
from ..program.process import DONE, REFUSED, Refused, print_error, run
from ..program.terminal import Terminal
from ..words.foreign import escaped
from ..words.translation import N_
from .admin.cli import main as administer
from .admin.commands import COMMANDS as ADMIN_COMMANDS
from .args import ADMIN, BACKUP, RESTORE, UPGRADE, VERIFY, ServeArgs, parse_args
from .nodes.options import add_database, complete_options, data_file, store_at
from .storage.data_files import is_public
from .storage.statements import SCHEMA_VERSION
from .storage.store import StorageError, Store

if TYPE_CHECKING:
    from .storage.backup import Report

#: The packages that a server needs.
PACKAGES = (
    *("filelock", "h11", "jinja2", "markupsafe", "pebble", "platformdirs", "prometheus_client"),
    *("starlette", "websockets"),
)
#: Problems that are listed; more are only counted.
PROBLEMS_SHOWN = 20


def main(arguments: Sequence[str] | None = None, prog: str = "python -m server") -> int:
    """Serve games or run a subcommand, and return the exit status of the process."""
    given = sys.argv[1:] if arguments is None else arguments
    if given and given[0] == ADMIN:
        return administer(given[1:], f"{prog} {ADMIN}")
    return run(lambda: _run_command(given, prog))


def _run_command(given: Sequence[str], prog: str) -> int:
    if not given or given[0].startswith("-"):
        return _serve(parse_args(given, prog))
    if given[0] not in COMMANDS:
        _refuse(given, prog)
    try:
        return COMMANDS[given[0]](given[1:], f"{prog} {given[0]}")
    except StorageError as error:
        raise Refused(escaped(str(error))) from None


def _refuse(given: Sequence[str], prog: str) -> NoReturn:
    name = given[0]
    parser = Parser(prog, given, "")
    message = parser.language.gettext("no command is called {name}; choose from {names}")
    names = [f"{ADMIN} {name}"] if name in ADMIN_COMMANDS else [ADMIN, *COMMANDS]
    parser.error(message.format(name=repr(name[:40]), names=", ".join(names)))


def _serve(args: ServeArgs) -> int:
    require_online(args.language, PACKAGES)

    from .run import serve_games

    return serve_games(args)


def _backup(arguments: Sequence[str], prog: str) -> int:
    parser = Parser(prog, arguments, N_("Copy all games, also while the server runs."))
    _ = parser.language.gettext
    parser.add_value("--data", "FILE", _("where the games are kept"), Path)
    parser.add_flag("--overwrite", _("replace a file that is there already"))
    parser.add_language()
    parser.arguments.add_argument("to", metavar="TO", type=Path, help=_("the file to write"))
    options = parser.read()
    require_online(parser.language, ["filelock", "platformdirs"])
    from .storage.backup import backup

    source = options.data or data_file()
    backup(source, options.to, overwrite=options.overwrite)
    message = _("{source} has been copied to {target}; to look it over: {command}")
    command = f"{prog.removesuffix(BACKUP)}{VERIFY} {options.to}"
    Terminal.standard().show_entry(
        message.format(source=source, target=options.to, command=command)
    )
    return DONE


def _verify(arguments: Sequence[str], prog: str) -> int:
    about = N_("Replay every game of a backup, and compare it with what is kept of it.")
    parser = Parser(prog, arguments, about)
    _ = parser.language.gettext
    about_other = _("compare every game's replay with that of another file, too")
    parser.add_value("--against", "FILE", about_other, Path)
    parser.add_language()
    parser.arguments.add_argument(
        "file", metavar="FILE", type=Path, help=_("the file with the games")
    )
    options = parser.read()
    require_online(parser.language, ["filelock"])
    from .storage.backup import compare, verify

    with _opened(options.file) as store:
        report = verify(store)
        if options.against is not None:
            with _opened(options.against) as other:
                differences = tuple(compare(store, other))
            report = report._replace(problems=report.problems + differences)
    return _show_report(report, parser.language)


def _restore(arguments: Sequence[str], prog: str) -> int:
    about = N_("Replace all games by those of a backup, while no server runs.")
    parser = Parser(prog, arguments, about)
    _ = parser.language.gettext
    parser.add_value("--data", "FILE", _("where the games are kept"), Path)
    parser.add_flag("--damaged", _("restore a backup with damaged games, too"))
    parser.add_language()
    parser.arguments.add_argument("copy", metavar="COPY", type=Path, help=_("the backup"))
    options = parser.read()
    require_online(parser.language, ["filelock", "platformdirs"])
    target = options.data or data_file()
    from .storage.backup import restore

    report = restore(options.copy, target, damaged=options.damaged)
    status = _show_report(report, parser.language)
    if report.problems and not options.damaged:
        print_error(_("nothing has been replaced: the backup has problems"))
        return status
    message = _("{target} has the games of {source} now")
    Terminal.standard().show_entry(message.format(source=options.copy, target=target))
    return DONE


def _upgrade(arguments: Sequence[str], prog: str) -> int:
    about = N_("Bring the games of an older version to this one, while no server runs.")
    parser = Parser(prog, arguments, about)
    _ = parser.language.gettext
    parser.add_value("--data", "FILE", _("where the games are kept"), Path)
    add_database(parser, _("the PostgreSQL database where the games are kept"))
    parser.add_language()
    options = parser.read()
    complete_options(parser, options)
    done = store_at(options.data, options.database, parser.language).upgrade()
    if done.before == SCHEMA_VERSION:
        message = _("nothing to do: the games are of this version already")
    else:
        message = _("of version {version} now: games: {games}, events: {events}")
    Terminal.standard().show_entry(
        message.format(games=done.games, events=done.events, version=SCHEMA_VERSION)
    )
    if options.data is not None and is_public(options.data):
        print_error(
            escaped(_("everybody on this machine can read {file}").format(file=options.data))
        )
    return DONE


@contextmanager
def _opened(file: Path) -> Iterator[Store]:
    from .storage.backup import SqliteCopy

    with closing(SqliteCopy(file)) as store:
        store.open()
        yield store


def _show_report(report: Report, language: NullTranslations) -> int:
    for problem in report.problems[:PROBLEMS_SHOWN]:
        print_error(escaped(f"{problem.game}: {problem.text}"))
    if report.problems:
        message = language.ngettext(
            "{count} problem in {games} games",
            "{count} problems in {games} games",
            len(report.problems),
        )
        print_error(message.format(count=len(report.problems), games=report.games))
        return REFUSED
    message = language.gettext("every replay matches: games: {games}, events: {events}")
    Terminal.standard().show_entry(message.format(games=report.games, events=report.events))
    return DONE


#: The subcommands about the storage; each is given the arguments and the program's name.
COMMANDS: Mapping[str, Callable[[Sequence[str], str], int]] = MappingProxyType(
    {BACKUP: _backup, RESTORE: _restore, VERIFY: _verify, UPGRADE: _upgrade}
)
