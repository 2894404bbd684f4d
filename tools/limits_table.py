"""The table of limits in docs/play/online.md, made from the one of the server.

    python -m tools.limits_table --write

`tests/online/test_operation.py` sees that it is up to date.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from tic_tac_toe_frontends.server.budgets import HOUR, ClientLimits, Limit

PATH = Path(__file__).resolve().parents[1] / "docs" / "play" / "online.md"
_MARKS = re.compile(r"(?<=<!-- limits -->\n).*?(?=<!-- end -->)", re.DOTALL)


def page_with_table(page: str) -> str:
    """Return the page with the table as it has to be."""
    head = (
        "| for each | what is limited | at once | and more | changed by |\n|---|---|---|---|---|\n"
    )
    table = head + "".join(map(_row, ClientLimits().rows.values()))
    return _MARKS.sub(lambda _: table, page)


def _row(limit: Limit) -> str:
    what = limit.help.partition(" (")[0]
    time = "hour" if limit.seconds == HOUR else "second"
    rate = f"{limit.rate * limit.seconds:,g} per {time}" if limit.rate else ""
    option = f"`--{limit.by.replace('_', '-')}`" if limit.by else ""
    return f"| {limit.per} | {what} | {limit.size:,.0f} | {rate} | {option} |\n"


if __name__ == "__main__":
    new = page_with_table(PATH.read_text(encoding="utf-8"))
    if "--write" in sys.argv:
        PATH.write_text(new, encoding="utf-8")
    else:
        print(new)
