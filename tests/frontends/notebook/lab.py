"""A real JupyterLab with a notebook in it, for a real browser."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

#: How long anything may take on a machine that has much else to do, in seconds.
PATIENCE = 90
KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}


def write_notebook(path: Path, cells: Sequence[str]) -> None:
    """Write a notebook; without a kernel in its metadata it would open behind a dialog."""
    import nbformat  # which takes a second that every collection of the tests would pay

    notebook = nbformat.v4.new_notebook(metadata={"kernelspec": KERNEL})
    notebook.cells = [nbformat.v4.new_code_cell(cell) for cell in cells]
    nbformat.write(notebook, path)


@contextlib.contextmanager
def jupyter_lab(folder: Path, theme: str = "JupyterLab Light") -> Iterator[str]:
    """Run a server on a folder, with settings of its own, and yield its address with the token."""
    home = folder / ".home"
    home.mkdir()
    environment = {
        **os.environ,
        "HOME": str(home),
        "IPYTHONDIR": str(home / "ipython"),
        **{
            f"JUPYTER_{kind}_DIR": str(home / kind.lower())
            for kind in ("CONFIG", "DATA", "RUNTIME")
        },
        "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
        "LC_ALL": "C.UTF-8",
    }
    _write_settings(home / "settings", theme)
    command = [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"),
        *("--ServerApp.ip=127.0.0.1", "--ServerApp.port=0", f"--ServerApp.root_dir={folder}"),
        *("--LabApp.news_url=None", "--ServerApp.terminals_enabled=False"),
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        "--LabApp.extension_manager=readonly",
    ]
    with (home / "log.txt").open("wb") as log:
        server = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=log, stderr=log, stdin=subprocess.DEVNULL
        )
        try:
            yield _address(server, home)
        finally:
            server.send_signal(signal.SIGTERM)  # it ends its kernels first
            try:
                server.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def _write_settings(folder: Path, theme: str) -> None:
    """Choose the colours, and answer the question about news, which would lie over the page."""
    extension = folder / "@jupyterlab" / "apputils-extension"
    extension.mkdir(parents=True)
    for name, settings in {
        "notification": {"fetchNews": "false", "checkForUpdates": False},
        "themes": {"theme": theme},
    }.items():
        path = extension / f"{name}.jupyterlab-settings"
        path.write_text(json.dumps(settings), encoding="utf-8")


def _address(server: subprocess.Popen[bytes], home: Path) -> str:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and server.poll() is None:
        for path in (home / "runtime").glob("jpserver-*.json"):
            with contextlib.suppress(ValueError):  # half written
                found = json.loads(path.read_text("utf-8"))
                return f"{found['url']}lab/tree/{{name}}?reset&token={found['token']}"
        time.sleep(0.1)
    raise TimeoutError((home / "log.txt").read_text("utf-8", "replace")[-2000:])


class Notebook:
    """A notebook that is open in JupyterLab.

    Args:
        page: a page of the browser, with nothing in it yet.
        address: of the server, with a place for the name.
        name: of the notebook.
    """

    def __init__(self, page: Page, address: str, name: str) -> None:
        self.page = page
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.set_default_timeout(PATIENCE * 1000)
        expect.set_options(timeout=PATIENCE * 1000)
        page.goto(address.format(name=name))
        self._cells.first.wait_for()
        # What is run before the kernel is there is forgotten.
        expect(page.locator("#jp-main-statusbar")).to_contain_text("| Idle")

    @property
    def game(self) -> Locator:
        """The widget that is shown first."""
        return self.page.locator(".ttt-game").first

    def cell(self, label: str) -> Locator:
        """Return the button of a cell, by its whole label."""
        return self.game.get_by_role("gridcell", name=label, exact=True)

    def button(self, name: str) -> Locator:
        """Return a button below the board."""
        return self.game.get_by_role("button", name=name)

    def run(self, number: int) -> Locator:
        """Run a cell once more and return its output, when there is one."""
        cell = self._cells.nth(number)
        prompt = cell.locator(".jp-InputArea-prompt")
        before = prompt.inner_text()  # such as [3]:
        cell.locator(".cm-content").click()
        self.page.keyboard.press("Control+Enter")
        expect(prompt).not_to_have_text(before)
        expect(prompt).to_have_text(re.compile(r"\d"))
        return cell.locator(".jp-OutputArea-output").last

    def save(self) -> None:
        """Save the notebook."""
        self._cells.last.locator(".cm-content").click()
        self.page.keyboard.press("Control+s")
        expect(self.page.locator(".jp-mod-dirty")).to_have_count(0)

    @property
    def _cells(self) -> Locator:
        return self.page.locator(".jp-CodeCell")
