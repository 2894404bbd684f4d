"""The full screen from the command line to the end; only loaded where Textual is there."""

from __future__ import annotations

import asyncio
import random
import signal

from .app import DELAY_SECONDS, GameApp
from .args import Args

#: Ask a program to end: politely, or because its terminal is gone. Windows has the first only.
ENDINGS = ("SIGTERM", "SIGHUP")


def play(args: Args) -> int:
    """Play until people leave, and return the exit status."""
    app = GameApp(
        args.setup,
        language=args.language,
        rng=random.Random(args.seed),
        delay=DELAY_SECONDS if args.delay is None else args.delay,
    )
    if args.theme is not None:
        if args.theme not in app.available_themes:
            message = args.language.gettext("no theme is called {name}; choose from {names}")
            names = ", ".join(sorted(app.available_themes))
            args.parser.error(message.format(name=repr(args.theme[:40]), names=names))
        app.theme = args.theme
    asyncio.run(_run(app))
    return app.return_code or 0


async def _run(app: GameApp) -> None:
    loop = asyncio.get_running_loop()
    for name in ENDINGS:
        number = getattr(signal, name, None)
        if number is not None and hasattr(loop, "add_signal_handler"):
            loop.add_signal_handler(number, _leave, app, 128 + number)
    await app.run_async()


def _leave(app: GameApp, status: int) -> None:
    app.exit(return_code=status)
