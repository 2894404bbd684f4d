"""Fail unless lines and branches of the library are each covered well enough.

    python -m tools.coverage_check coverage.json

Silent when they are, so that pytest's closing line stays the last one.
"""

import json
import sys
from pathlib import Path

LOWEST_PERCENT = 95.0


def shortfalls(totals: dict[str, float]) -> list[str]:
    """Return a sentence for each kind of coverage that is too low, from coverage.py's totals."""
    return [
        f"Coverage of {kind} is {percent:.2f} %, and {LOWEST_PERCENT:g} % is required."
        for kind in ("statements", "branches")
        if (percent := totals[f"percent_{kind}_covered"]) < LOWEST_PERCENT
    ]


if __name__ == "__main__":
    report = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    sys.exit("\n".join(shortfalls(report["totals"])) or None)
