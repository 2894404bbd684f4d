"""Check the library and a client of it by Pyright, and how much of the library has known types.

    python -m tools.pyright_check

Mypy checks everything else; Pyright is what many editors run, and it judges otherwise, for instance
what fits a protocol.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "tic_tac_toe"
#: The share of the library's public symbols whose types must be known.
LEAST_SCORE = 0.99


def main() -> int:
    """Run both checks and return the exit status."""
    pyright = [sys.executable, "-m", "pyright"]
    if subprocess.run(pyright, cwd=ROOT, check=False).returncode:
        return 1
    # An editable install is found by a path file, which this question does not follow.
    environ = os.environ | {"PYTHONPATH": str(ROOT / "library" / "src")}
    arguments = ["--verifytypes", PACKAGE, "--ignoreexternal", "--outputjson"]
    asked = subprocess.run(
        [*pyright, "--pythonpath", sys.executable, *arguments],
        cwd=ROOT / "docs",  # away from the configuration, which would be applied
        env=environ,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    report = json.loads(asked.stdout)["typeCompleteness"]
    for symbol in report["symbols"]:
        if symbol["isExported"] and not symbol["isTypeKnown"]:
            print(f"no known type: {symbol['name']}")
    score = float(report["completenessScore"])
    print(f"types known: {score:.1%} of the public symbols of {PACKAGE}")
    return 0 if score >= LEAST_SCORE else 1


if __name__ == "__main__":
    sys.exit(main())
