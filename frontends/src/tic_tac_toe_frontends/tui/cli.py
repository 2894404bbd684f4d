"""The program of the full screen; only loaded if Textual is installed."""

from __future__ import annotations

import asyncio
import random
import signal
import sys

from ..table.background import SWITCH_SECONDS
from ..table.driver import DELAY_SECONDS
from .app import GameApp
from .args import Args


def play(args: Args) -> int:
    """Play until the person quits, and return the exit status."""
    app = GameApp(
        args.setup,
        language=args.language,
        opponents=args.opponents,
        rng=random.Random(args.seed),
        delay=DELAY_SECONDS if args.delay is None else args.delay,
    )
    if args.theme is not None:
        if args.theme not in app.available_themes:
            message = args.language.gettext("no theme is called {name}; choose from {names}")
            names = ", ".join(sorted(app.available_themes))
            args.parser.error(message.format(name=repr(args.theme[:40]), names=names))
        app.theme = args.theme
    if hasattr(signal, "SIGHUP"):
        # A closed terminal needs no restoring, and Textual would wait for it for ever.
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
    sys.setswitchinterval(SWITCH_SECONDS)
    try:
        asyncio.run(_run(app))
    finally:
        args.opponents.close()
    return app.return_code or 0


async def _run(app: GameApp) -> None:
    """Run the app; SIGTERM ends it cleanly."""
    loop = asyncio.get_running_loop()
    if hasattr(signal, "SIGHUP"):  # the event loop of Windows has no signal handlers
        loop.add_signal_handler(signal.SIGTERM, app.exit, None, 128 + signal.SIGTERM)
    await app.run_async()
