"""The built wheels hold all of the two projects and nothing else, and agree with each other."""

import os
import re
import shutil
import subprocess
import tarfile
import venv
import zipfile
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pytest

from tic_tac_toe import version
from tools import packages

# One worker builds the wheels, and keeps them for all tests here.
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("wheels")]

ROOT = Path(__file__).resolve().parents[1]
LIBRARY = ROOT / "library" / "src" / "tic_tac_toe"
FRONTENDS = ROOT / "frontends" / "src" / "tic_tac_toe_frontends"


class Wheel:
    """What a wheel holds."""

    def __init__(self, path: Path) -> None:
        with zipfile.ZipFile(path) as archive:
            self.texts = {name: archive.read(name) for name in archive.namelist()}
        (self.information,) = {name.split("/")[0] for name in self.texts if ".dist-info/" in name}
        self.contents = {name for name in self.texts if not name.startswith(self.information)}

    @property
    def metadata(self) -> Message:
        return Parser().parsestr(self.texts[f"{self.information}/METADATA"].decode())


def copy_of_projects(folder: Path) -> Path:
    """Copy what packages are built of, without Git: then the version says no commit."""
    ignored = shutil.ignore_patterns("__pycache__", "build", "dist", "*.egg-info")
    for name in ("library", "frontends", "tests", "tools", "requirements"):
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    for name in ("pyproject.toml", "CHANGELOG.md", "LICENSE", "README.md"):
        shutil.copy(ROOT / name, folder / name)
    return folder


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return source distributions and wheels of both projects, as another day and user made them.

    The folder is another one, too, its files are private, and their times are of now.
    """
    source = copy_of_projects(tmp_path_factory.mktemp("elsewhere"))
    for path in source.rglob("*"):
        path.chmod(0o700 if path.is_dir() else 0o600)
        os.utime(path)
    before = os.umask(0o077)
    try:
        return packages.build(tmp_path_factory.mktemp("built"), source)
    finally:
        os.umask(before)


@pytest.fixture(scope="module")
def wheels(built: list[Path]) -> tuple[Wheel, Wheel]:
    """Return the library's wheel and the front ends'."""
    library, frontends = (path for path in built if path.suffix == ".whl")
    return Wheel(library), Wheel(frontends)


def test_the_same_sources_give_the_same_bytes(built: list[Path], tmp_path: Path) -> None:
    again = packages.build(tmp_path / "built", copy_of_projects(tmp_path / "sources"))

    assert [path.name for path in again] == [path.name for path in built]
    assert [path.read_bytes() for path in again] == [path.read_bytes() for path in built]


def test_the_sources_have_the_changes_and_those_of_the_library_its_tests(built: list[Path]) -> None:
    names = set()
    for path in built:
        if path.suffix == ".gz":
            with tarfile.open(path) as archive:
                names |= {re.sub(r"-[^/]+", "", name, count=1) for name in archive.getnames()}

    assert {f"tictactoe_{name}/CHANGELOG.md" for name in ("engine", "frontends")} <= names
    assert "tictactoe_engine/tests/classic/test_minimax.py" in names


@pytest.mark.parametrize(
    ("number", "folder", "patterns"),
    [
        (0, LIBRARY, ["*.book", "opening_data/*.json", "values/*.json", "puzzle_data/*.gz"]),
        (
            1,
            FRONTENDS,
            [
                "*.mo",
                "browser/node/*",
                "browser/static/*",
                "notebook/board.*",
                "server/web/plain.css",
                "server/web/templates/*.html",
            ],
        ),
    ],
)
def test_a_wheel_holds_every_file_of_its_package_and_nothing_else(
    number: int, folder: Path, patterns: list[str], wheels: tuple[Wheel, Wheel]
) -> None:
    paths = [path for each in ("*.py", "py.typed", *patterns) for path in folder.rglob(each)]

    assert wheels[number].contents == {path.relative_to(folder.parent).as_posix() for path in paths}


def test_the_opening_book_is_small(wheels: tuple[Wheel, Wheel]) -> None:
    assert len(wheels[0].texts["tic_tac_toe/solver/connect-four.book"]) <= 400_000


def test_the_wheels_install_one_command(wheels: tuple[Wheel, Wheel]) -> None:
    library, frontends = wheels
    entry_points = frontends.texts[f"{frontends.information}/entry_points.txt"].decode()

    assert f"{library.information}/entry_points.txt" not in library.texts
    assert entry_points.split() == [
        "[console_scripts]",
        "tic-tac-toe",
        "=",
        "tic_tac_toe_frontends.command.cli:main",
    ]


def test_both_wheels_carry_the_licence(wheels: tuple[Wheel, Wheel]) -> None:
    licence = (ROOT / "LICENSE").read_bytes()

    for wheel in wheels:
        assert wheel.metadata["License-Expression"] == "MIT"
        assert wheel.texts[f"{wheel.information}/licenses/LICENSE"] == licence


def test_the_library_requires_no_other_package(wheels: tuple[Wheel, Wheel]) -> None:
    requirements = wheels[0].metadata.get_all("Requires-Dist", [])

    assert [text for text in requirements if "extra ==" not in text] == []


def test_the_front_ends_require_the_library_of_the_same_version(
    wheels: tuple[Wheel, Wheel],
) -> None:
    library, frontends = (wheel.metadata for wheel in wheels)

    assert library["Version"] == frontends["Version"] == version.STATED
    assert f"tictactoe-engine=={version.STATED}" in frontends.get_all("Requires-Dist", [])


def test_between_releases_a_checkout_says_its_commit(tmp_path: Path) -> None:
    module = tmp_path / "library" / "src" / "tic_tac_toe" / "version.py"
    module.parent.mkdir(parents=True)
    shutil.copy(version.__file__, module)
    git = tmp_path / ".git"
    git.mkdir()
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    (git / "packed-refs").write_text(f"# pack-refs\n{'12345' * 8} refs/heads/main\n")

    assert ".dev" not in version.STATED or (
        version.version_of(module) == f"{version.STATED}+g1234512345"
    )


def test_descriptions_lead_to_the_repository_once_it_has_an_address(tmp_path: Path) -> None:
    source = copy_of_projects(tmp_path / "sources")
    settings = source / "pyproject.toml"
    text = settings.read_text("utf-8")
    settings.write_text(
        text.replace('address = ""', 'address = "https://example.org/a/b"'), encoding="utf-8"
    )
    for path in packages.build(tmp_path / "built", source):
        if path.suffix == ".whl":
            metadata = Wheel(path).metadata
            assert "Source, https://example.org/a/b" in metadata.get_all("Project-URL", [])
            assert "](https://example.org/a/b/raw/" in str(metadata.get_payload())


def test_without_an_address_descriptions_hold_no_dead_link(wheels: tuple[Wheel, Wheel]) -> None:
    for wheel in wheels:
        assert "](" not in str(wheel.metadata.get_payload())


def test_the_root_installs_into_an_empty_environment_and_plays(tmp_path: Path) -> None:
    venv.create(tmp_path / "venv", with_pip=True)
    scripts = tmp_path / "venv" / "bin"
    pip = [str(scripts / "pip"), "install", "--quiet", f"{copy_of_projects(tmp_path / 'sources')}"]
    subprocess.run(pip, check=True, capture_output=True)
    play = [str(scripts / "tic-tac-toe"), "-X", "minimax", "-O", "random"]
    play += ["--delay", "0", "--seed", "1"]
    done = subprocess.run(play, check=True, capture_output=True, text=True, cwd=tmp_path)

    assert "X wins" in done.stdout
