"""Make the checkout's `.venv` ready for a purpose: play, serve, online, test, dev or bench.

    python tools/environment.py test

It needs nothing but Python and returns at once when everything is ready. The environment is made
again when the checkout has moved or the Python has changed; packages are installed again when the
files that declare them have changed.
"""

import hashlib
import importlib.util
import os
import subprocess
import sys
import venv
from pathlib import Path

OLDEST = (3, 10)
if sys.version_info[:2] < OLDEST:  # said here, before anything that an older Python cannot run
    sys.exit(
        "This project needs Python 3.10 or newer, and this one is {}.{}. "
        "Name another, for instance: make PYTHON=python3.12 play".format(*sys.version_info[:2])
    )

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENT = ROOT / ".venv"
PYTHON = ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
PIP = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
PROJECTS = ["library", "frontends"]
REQUIREMENTS = {
    "play": [],
    "serve": ["requirements/online.txt"],  # and the compiled solver, where there is one
    "online": ["requirements/online.txt"],
    "test": ["requirements/test.txt", "requirements/online.txt"],
    "dev": ["requirements/test.txt", "requirements/online.txt", "requirements/dev.txt"],
    "bench": ["requirements/bench.txt"],
}


def create() -> None:
    """Create the virtual environment unless this Python has made it for this very folder."""
    stamp = ENVIRONMENT / "made-by.txt"
    maker = f"{ROOT}\n{sys.base_prefix}\n{sys.version}"
    if PYTHON.exists() and is_written(stamp, maker):
        return
    if importlib.util.find_spec("ensurepip") is None:
        sys.exit(
            "This Python cannot make virtual environments, for it lacks ensurepip. "
            "On Debian and Ubuntu: apt-get install python3-venv"
        )
    print("Making .venv with Python {}.{}.{} ...".format(*sys.version_info), flush=True)
    venv.create(ENVIRONMENT, clear=True, with_pip=True, symlinks=os.name != "nt")
    stamp.write_text(maker, encoding="utf-8")


def install(purpose: str) -> None:
    """Install both projects, editable, and what the purpose requires, in one pip command.

    In one command pip takes `tictactoe-engine` from this checkout, and looks for it nowhere else.
    """
    requirements = REQUIREMENTS[purpose]
    if is_written(ready_stamp(purpose), fingerprint(requirements)):
        return
    print(f"Installing into .venv, for {purpose} ...", flush=True)
    command = list(PIP)
    for project in PROJECTS:
        command += ["--editable", f"./{project}"]
    for requirement in requirements:
        command += ["--requirement", requirement]
    if subprocess.run(command, cwd=ROOT, check=False).returncode:
        sys.exit("pip could not install what is needed: see above.")
    for other, fewer in REQUIREMENTS.items():
        if set(fewer) <= set(requirements):
            ready_stamp(other).write_text(fingerprint(fewer), encoding="utf-8")


def install_solver() -> None:
    """Install the compiled solver; where that cannot be done, say so in one line and go on."""
    if is_written(ready_stamp("solving"), fingerprint([])):
        return
    print("Installing the compiled solver into .venv ...", flush=True)
    only = ["--only-binary", "llvmlite,numba,numpy"]  # their sources take many minutes, or fail
    command = [*PIP, *only, "--editable", "./library[fast]"]
    ended = subprocess.run(command, cwd=ROOT, check=False, stderr=subprocess.PIPE, text=True)
    if ended.returncode:
        lines = ended.stderr.splitlines()
        *_, reason = ["see pip", *(line for line in lines if line.startswith("ERROR: "))]
        reason = reason.replace("ERROR: ", "")
        print(f"The compiled solver cannot be installed: {reason}", file=sys.stderr)
    else:
        ready_stamp("solving").write_text(fingerprint([]), encoding="utf-8")


def ready_stamp(purpose: str) -> Path:
    """Return the file that says what the environment has been made ready with."""
    return ENVIRONMENT / f"ready-for-{purpose}.txt"


def fingerprint(requirements: list[str]) -> str:
    """Return a digest of everything that declares what has to be installed."""
    names = [f"{project}/pyproject.toml" for project in PROJECTS] + requirements
    return hashlib.sha256(b"\0".join((ROOT / name).read_bytes() for name in names)).hexdigest()


def is_written(path: Path, text: str) -> bool:
    """Return whether the file exists and says exactly this."""
    return path.is_file() and path.read_text(encoding="utf-8") == text


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in REQUIREMENTS:
        sys.exit(f"usage: environment.py {'|'.join(REQUIREMENTS)}")
    create()
    install(sys.argv[1])
    if sys.argv[1] == "serve":
        install_solver()
