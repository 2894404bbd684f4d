"""The build: complete, small, the same each time; and the programs that serve and measure it."""

from __future__ import annotations

import gzip
import io
import re
import shutil
import signal
import subprocess
import sys
import urllib.request
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks import browser
from benchmarks.browser import OURS, PLAIN, PYSCRIPT
from benchmarks.measurement import Effort
from benchmarks.wire import relayed
from tests.frontends.programs import FRONTENDS, environment
from tests.machine import needs
from tic_tac_toe.insight.collection import GAMES
from tic_tac_toe.solver.book import FILE
from tic_tac_toe_frontends.browser import build as build_module
from tic_tac_toe_frontends.browser import first_view
from tic_tac_toe_frontends.browser.build import build, fingerprint
from tic_tac_toe_frontends.browser.cli import main
from tic_tac_toe_frontends.browser.contents import (
    FACTS,
    STATIC,
    find_imports,
    make_index,
    make_service_worker,
    make_zip,
)
from tic_tac_toe_frontends.browser.packages import BuildFailed, Missing, Package, fetch
from tic_tac_toe_frontends.browser.page.later import LATER, puzzle_file
from tic_tac_toe_frontends.browser.page.later import ONLINE as ONLINE_PART
from tic_tac_toe_frontends.browser.page.words import NAMES, WORDS
from tic_tac_toe_frontends.browser.server import Server
from tic_tac_toe_frontends.program.page_files import (
    CACHE_VARIABLE,
    INDEX,
    MANIFEST,
    ONLINE,
    TYPES,
    Manifest,
    PageFiles,
    read_manifest,
    was_built,
)
from tic_tac_toe_frontends.program.process import CLOSED_PIPE
from tic_tac_toe_frontends.words.translation import LANGUAGE_TITLES

#: What an earlier version wrote of a file.
OLD = '{"fingerprint": "f", "files": {"a": {"digest": "d", "size": 3, "packed": 2}}}'
#: In bytes, compressed: of all but what is asked for where it is of use.
MOST = 4_500_000
#: What is asked for: the opening book, what explains moves, online play, and the puzzles of games.
ASKED_FOR = (FILE, LATER, ONLINE_PART, *map(puzzle_file, GAMES))


@pytest.fixture
def manifest(site: Path) -> Manifest:
    manifest = read_manifest(site)
    assert manifest is not None
    return manifest


@needs("node", "npm")
@pytest.mark.xdist_group("browser")
class TestSite:
    """The page as it is built."""

    def test_it_weighs_no_more_than_is_allowed_and_its_manifest_names_every_file(
        self, site: Path, manifest: Manifest
    ) -> None:
        files = manifest.files
        asked_for = sum(files[name].least for name in ASKED_FOR if name in files)
        assert manifest.least - asked_for <= MOST
        assert {Path(name).suffix for name in manifest.files} <= TYPES.keys()
        present = {
            path.relative_to(site).as_posix(): path.read_bytes()
            for path in site.rglob("*")
            if path.is_file() and path.name != MANIFEST
        }
        assert Manifest.of(present, manifest.fingerprint) == manifest

    def test_every_compressed_file_holds_the_file_beside_it(
        self, site: Path, manifest: Manifest
    ) -> None:
        for name, file in manifest.files.items():
            if "gzip" in file.packed:
                packed = (site / f"{name}.gz").read_bytes()
                assert gzip.decompress(packed) == (site / name).read_bytes()
        wasm = manifest.files["pyodide/pyodide.asm.wasm"]
        assert wasm.packed["br"] < wasm.packed["gzip"] < wasm.size

    def test_the_service_worker_keeps_what_servers_do_not_answer_themselves(
        self, site: Path, manifest: Manifest
    ) -> None:
        text = (site / "service-worker.js").read_text(encoding="utf-8")
        digests = {name: file.digest for name, file in manifest.files.items()}
        del digests["service-worker.js"], digests[ONLINE]

        assert dict(re.findall(r'"([^"]+)": "(sha256-[^"]+)"', text)) == digests

    def test_no_file_names_another_host_to_load_from(self, site: Path) -> None:
        for name in ("index.html", "style.css", "start.js", "thinker.js", "service-worker.js"):
            text = (site / name).read_text(encoding="utf-8")
            assert not re.search(r"https?://|[\"'(]//", text), name

    def test_it_is_bytecode_without_the_fast_solver_and_what_nothing_imports(
        self, site: Path
    ) -> None:
        names = set[str]()
        for part, module in (
            ("app.zip", "tic_tac_toe/logic/models.pyc"),
            ("app.zip", "tic_tac_toe_frontends/browser/page/app.pyc"),
            (LATER, "tic_tac_toe/insight/explain.pyc"),
            (ONLINE_PART, "tic_tac_toe_frontends/browser/page/online/online.pyc"),
        ):
            with zipfile.ZipFile(site / part) as archive:
                assert module in archive.namelist()
                names.update(archive.namelist())
        assert all(name.endswith(".pyc") for name in names)
        assert not any("kernel" in name or "console/" in name for name in names)
        with zipfile.ZipFile(site / "pyodide" / "python_stdlib.zip") as archive:
            names = set(archive.namelist())
        assert {"asyncio/__init__.pyc", "dataclasses.pyc", "traceback.pyc"} <= names
        assert not any(name.startswith(("unittest", "sqlite3", "tkinter", "xml")) for name in names)

    def test_the_board_of_a_new_game_is_drawn_in_the_page_itself(self, site: Path) -> None:
        text = (site / "index.html").read_text(encoding="utf-8")
        cells = re.findall(r'<button type="button" role="gridcell"[^>]*>', text)

        assert re.search(r'<div id="picture"[^>]*><svg .*?</svg>', text, re.DOTALL)
        assert len(cells) == 9
        assert all('aria-disabled="false"' in cell for cell in cells)
        assert 'aria-label="B2: empty"' in cells[4]

    def test_it_is_built_once_and_the_same_each_time(
        self, site: Path, manifest: Manifest, tmp_path: Path
    ) -> None:
        begun: list[int] = []
        page = build(begin=lambda: begun.append(1))
        assert (page.folder, begun) == (site, [])

        assert build(tmp_path / "again").manifest == manifest


def test_a_folder_of_somebody_elses_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work", encoding="utf-8")

    with pytest.raises(BuildFailed, match="not empty"):
        build(tmp_path)

    assert (tmp_path / "thesis.txt").exists()


def test_without_npm_one_line_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    monkeypatch.setattr(shutil, "which", lambda _name: None)

    status = main(["build", "--to", str(tmp_path / "site")])

    error = capsys.readouterr().err
    assert status == 1
    assert error.count("\n") == 1
    assert "which is not installed" in error


def test_a_reader_who_has_gone_is_not_told_as_a_page_that_cannot_be_built(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def tell_nobody(_target: Path | None, begin: Callable[[], None]) -> None:
        raise BrokenPipeError

    monkeypatch.setattr("tic_tac_toe_frontends.browser.cli.build", tell_nobody)
    assert main(["build"]) == CLOSED_PIPE
    assert capsys.readouterr().err == ""


def test_an_archive_that_is_not_the_one_that_is_meant_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    npm, cache = tmp_path / "npm", tmp_path / "cache"
    npm.write_text("#!/bin/sh\necho something else >archive.tgz\n", encoding="utf-8")
    npm.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(BuildFailed, match="not the archive that is meant"):
        fetch(Package("pyodide", "1", "digest"), cache)

    assert list(cache.iterdir()) == []


def test_the_fingerprint_follows_the_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    before = fingerprint()

    monkeypatch.setattr(build_module, "PYODIDE", Package("pyodide", "0", ""))

    assert fingerprint() != before


def test_a_page_that_is_damaged_or_of_an_earlier_version_counts_as_none(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_bytes(b"page")
    manifest = Manifest.of({"index.html": b"page"}, "made")
    (tmp_path / MANIFEST).write_text(manifest.text(), encoding="utf-8")
    assert read_manifest(tmp_path) == manifest

    (tmp_path / "index.html").unlink()
    for text in (manifest.text(), "", "[]", '{"files": 3}', '{"files": {"a": {}}}', OLD):
        (tmp_path / MANIFEST).write_text(text, encoding="utf-8")
        assert read_manifest(tmp_path) is None
    assert was_built(tmp_path)  # so that it is replaced


@pytest.mark.medium
def test_the_page_imports_what_it_needs_of_this_project_and_no_other_front_end() -> None:
    sources, others = find_imports()

    assert "tic_tac_toe/logic/rules/ultimate.py" in sources
    assert "tic_tac_toe/game/tree.py" in sources  # imported within a function
    assert "tic_tac_toe_frontends/__init__.py" in sources
    assert not any(name.startswith("tic_tac_toe_frontends/console") for name in sources)
    assert "tic_tac_toe_frontends/browser/build.py" not in sources
    assert {"asyncio", "gettext"} <= set(others)
    assert "numba" not in others


def test_archives_do_not_depend_on_the_order_or_the_time() -> None:
    one, other = make_zip({"a": b"1", "b": b"2"}), make_zip({"b": b"2", "a": b"1"})

    assert one == other
    with zipfile.ZipFile(io.BytesIO(one)) as archive:
        assert archive.read("b") == b"2"


def test_the_page_has_all_its_words_in_english_and_the_first_ones_in_every_language() -> None:
    text = (STATIC / "index.html").read_text(encoding="utf-8")

    page = make_index(text, {"app.zip": b"0" * 100}).decode()

    for code, title in LANGUAGE_TITLES.items():
        assert f'"{code}": {{' in page
        assert f'<option value="{code}" lang="{code}">{title}</option>' in page
    assert '"app.zip": 100' in page
    assert set(re.findall('data-word="([^"]+)"', text)) == WORDS.keys()
    assert set(re.findall('data-name="([^"]+)"', text)) == NAMES.keys()
    assert '<option value="light" data-word="theme-light">Light</option>' in page
    assert 'data-name="replay-last" aria-label="To the end"' in page


def test_words_cannot_end_the_script_that_they_stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_view, "FIRST_WORDS", {"loading": "</script>"})

    assert b'</script>"' not in make_index(FACTS, {"app.zip": b"0"})


def test_another_file_makes_another_version_of_the_service_worker() -> None:
    text = (STATIC / "service-worker.js").read_text(encoding="utf-8")

    one, other = (make_service_worker(text, {"a": content}) for content in (b"1", b"2"))

    assert one != other
    assert b'version: "none"' not in one


def test_to_play_nothing_is_imported_that_is_fetched_later() -> None:
    code = (
        "import sys\n"
        "from tic_tac_toe_frontends.browser.page import thinker, view\n"
        "from tic_tac_toe_frontends.browser.page.later import APP, archive_of\n"
        "print([name for name in sys.modules if archive_of(name) != APP])"
    )
    command = [sys.executable, "-c", code]
    found = subprocess.run(command, check=True, capture_output=True, text=True)
    assert found.stdout == "[]\n"


# -- programs --------------------------------------------------------------------------------------


@needs("node", "npm")
@pytest.mark.xdist_group("browser")
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_a_bare_checkout_serves_the_page_until_it_is_interrupted(
    site: Path, ending: signal.Signals
) -> None:
    command = [sys.executable, "-m", "browser", "--no-open", "--port", "0", "--lang", "en"]
    with subprocess.Popen(
        [*command, "-O", "hard"],
        cwd=FRONTENDS,
        env=environment(PYTHONUNBUFFERED="1"),
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        line = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/\S*", line)
        assert found is not None, line + process.stderr.read()
        with urllib.request.urlopen(found[0].split("?")[0], timeout=60) as response:
            page = response.read()
        process.send_signal(ending)
        _, errors = process.communicate(timeout=60)

    assert found[0].endswith("/?lang=en#o=hard")
    assert page == (site / "index.html").read_bytes()
    assert errors == ""
    assert process.returncode == (0 if ending is signal.SIGINT else 128 + ending)


@needs("chromium", "node", "npm")
@pytest.mark.xdist_group("browser")
@pytest.mark.parametrize(
    "names", [(OURS, PLAIN), pytest.param((OURS, PYSCRIPT, PLAIN), marks=pytest.mark.nightly)]
)
def test_all_pages_are_visited_and_weighed(
    monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...]
) -> None:
    monkeypatch.setattr(browser, "SITES", {name: browser.SITES[name] for name in names})
    sections = browser.measure(Effort(rounds=1))

    visits, slow, (answer, reply) = sections[:4], sections[4:6], sections[6:8]
    sent, sent_later, held = sections[8:]
    for section in slow:
        assert section.runs.samples.keys() == {OURS, PLAIN}
    for section in (*visits, held):
        assert list(section.runs.samples) == [*names]
        assert section.runs.absent == {}
    for section in (answer, reply):
        assert list(section.runs.samples) == [*browser.VISITS]
        assert all(sample.seconds > 0 for (sample,) in section.runs.samples.values())
    weights = {name: sample.megabytes for name, (sample,) in sent.runs.samples.items()}
    assert 0 < weights[PLAIN] < weights[OURS] < weights.get(PYSCRIPT, 100)
    assert sent_later.runs.samples[OURS][0].megabytes < 0.1


def test_without_npm_the_rows_say_why_they_are_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_folder: Path) -> None:
        raise Missing("npm")

    monkeypatch.setattr(browser, "SITES", dict.fromkeys(browser.SITES, missing))

    sections = browser.measure(Effort(rounds=1))

    assert all(section.runs.samples == {} for section in sections)
    for section in sections:
        assert set(section.runs.absent.values()) <= {"cannot be built: npm", "no Chromium"}


@pytest.mark.medium
def test_what_a_server_sends_is_counted_on_its_way(tmp_path: Path) -> None:
    content = b"x" * 100_000
    (tmp_path / INDEX).write_bytes(content)
    files = PageFiles(tmp_path, Manifest.of({INDEX: content}, "one page"))

    with (
        Server(files, 0) as server,
        server.answering(),
        relayed(server.server_port) as relay,
        urllib.request.urlopen(relay.url) as answer,
    ):
        received = answer.read()

    assert received == content
    assert len(content) < relay.sent < len(content) + 2_000
