"""Build the wheels of both projects, each from its source distribution.

    python -m tools.wheels FOLDER

The requirements in requirements/test.txt hold what it takes; nothing is downloaded.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROJECTS = ("library", "frontends")


def build_wheels(folder: Path) -> list[Path]:
    """Build one wheel for each project into `folder` and return their paths, the library's first.

    Each is built from a copy: setuptools leaves `build/` behind, and would put modules into the
    next wheel that have been deleted since. Raises `CalledProcessError` if a build fails.
    """
    wheels: list[Path] = []
    with tempfile.TemporaryDirectory() as scratch:
        for project in PROJECTS:
            source = Path(scratch, project)
            shutil.copytree(
                ROOT / project,
                source,
                ignore=shutil.ignore_patterns("__pycache__", "build", "dist", "*.egg-info"),
            )
            output = Path(scratch, "dist", project)
            done = subprocess.run(
                [sys.executable, "-m", "build", "--no-isolation", f"--outdir={output}", source],
                cwd=scratch,
                capture_output=True,
                check=False,
                text=True,
            )
            if done.returncode:
                print(done.stdout, done.stderr, sep="\n", file=sys.stderr)
                done.check_returncode()
            (wheel,) = output.glob("*.whl")
            wheels.append(Path(shutil.copy(wheel, folder)))
    return wheels


if __name__ == "__main__":
    print(*build_wheels(Path(sys.argv[1])), sep="\n")
