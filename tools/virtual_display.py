"""An invisible display for tests, pictures and measurements of the window."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

#: How long the display may take to start or to end on a loaded machine, in seconds.
PATIENCE = 60.0


@contextmanager
def virtual_display(size: str = "1000x900") -> Iterator[str]:
    """Start a display of a free number with Xvfb, and yield its name."""
    there, here = os.pipe()
    # It ends with this process, also where that one is killed.
    ends_too = ["setpriv", "--pdeathsig", "TERM"] if shutil.which("setpriv") else []
    command = ["Xvfb", "-displayfd", str(here), "-screen", "0", f"{size}x24", "-nolisten", "tcp"]
    server = subprocess.Popen(
        [*ends_too, *command],
        pass_fds=[here],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(here)
    try:
        ready, _, _ = select.select([there], [], [], PATIENCE)
        number = os.read(there, 16).decode().strip() if ready else ""
        if not number:
            raise TimeoutError("Xvfb has not started")
        yield f":{number}"
    finally:
        os.close(there)
        server.terminate()
        server.wait(PATIENCE)
