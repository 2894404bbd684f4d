"""The picture of the full screen in docs/tui.md, taken from the real app in a game from a seed.

`tools.pictures` writes it.
"""

from __future__ import annotations

import asyncio
import random
import re
import time

from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe_frontends.table.setup import Setup
from tic_tac_toe_frontends.tui.app import GameApp
from tic_tac_toe_frontends.words.rules_text import HUMAN

SIZE = (88, 27)
TITLE = "A game of Connect Four on the full screen: the board with a hint, the score and the moves"
#: What is pressed, each key once the one before it has been answered.
KEYS = ("4", "4", "5", "3", "h")
#: How long the app may think in all, in seconds.
PATIENCE = 60.0
#: A font of the reader's own, for a picture asks no other host for one.
FONTS = 'ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace'


def draw() -> str:
    """Return the picture as SVG."""
    setup = Setup(find_rules("connect-four-5x4"), HUMAN, "easy")
    app = GameApp(setup, rng=random.Random(5), delay=0, theme="textual-dark")
    return without_fonts(asyncio.run(_play(app)))


async def _play(app: GameApp) -> str:
    deadline = time.monotonic() + PATIENCE
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        for key in KEYS:
            await pilot.press(key)
            while app.table.thinker is not None or (key == "h" and app.advice.hint is None):
                if time.monotonic() > deadline:
                    raise TimeoutError("The game was not ready for its picture within a minute")
                await pilot.pause(0.05)
        await pilot.pause()
        return app.export_screenshot(title="tic-tac-toe tui")


def without_fonts(svg: str) -> str:
    """Return a picture of Textual's that fetches no font, says what it shows, and fits its page."""
    svg = re.sub(r"\s*@font-face \{.*?\n    \}", "", svg, flags=re.DOTALL)
    svg = re.sub(r"font-family: (Fira Code, monospace|arial);", f"font-family: {FONTS};", svg)
    svg = re.sub(r"\bterminal-\d+-", "terminal-", svg)
    svg = re.sub(r"\s*<!-- .*? -->", "", svg)
    head, end, rest = svg.partition(">")
    lines = f'{head} role="img"{end}\n<title>{TITLE}</title>{rest}'.splitlines()
    return "\n".join(line.rstrip() for line in lines) + "\n"
