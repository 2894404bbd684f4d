"""``tic-tac-toe tui``: the full screen, or the console if the terminal does not support that."""

from __future__ import annotations

from collections.abc import Sequence

from ..program.process import print_error


def main(arguments: Sequence[str], prog: str) -> int:
    """Play on the full screen and return the exit status of the process."""
    from ..tui.args import find_hindrance, parse_args

    args = parse_args(arguments, prog)
    problem = find_hindrance(args.language)
    if problem is None:
        from ..tui.cli import play

        return play(args)

    from ..console.cli import Args as ConsoleArgs
    from ..console.cli import play as play_plainly

    message = args.language.gettext("{problem}; here is the plain console")
    print_error(message.format(problem=problem))
    plain = ConsoleArgs(args.setup, args.language, args.seed, args.delay, args.starting)
    return play_plainly(plain, note=message.format(problem=problem))
