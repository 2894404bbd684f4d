"""The built wheels hold all of the two projects and nothing else, and agree with each other."""

import re
import shutil
import subprocess
import sys
import zipfile
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pytest

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


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> tuple[Wheel, Wheel]:
    """Return the library's wheel and the front ends', each built from its source distribution.

    Each is built from a copy: setuptools leaves `build/` behind, and would put modules into the
    next wheel that have been deleted since.
    """
    folder = tmp_path_factory.mktemp("wheels")
    ignored = shutil.ignore_patterns("__pycache__", "build", "dist", "*.egg-info")
    for project in ("library", "frontends"):
        source = shutil.copytree(ROOT / project, folder / project, ignore=ignored)
        command = [
            sys.executable,
            "-m",
            "build",
            "--no-isolation",
            f"--outdir={folder}",
            f"{source}",
        ]
        subprocess.run(command, check=True, capture_output=True, text=True)
    return Wheel(*folder.glob("tictactoe_engine-*.whl")), Wheel(*folder.glob("*frontends-*.whl"))


@pytest.mark.parametrize(
    ("number", "folder", "patterns"),
    [
        (0, LIBRARY, ["*.book", "opening_data/*.json", "puzzle_data/*.gz"]),
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


def test_the_version_is_the_same_wherever_it_is_stated(wheels: tuple[Wheel, Wheel]) -> None:
    library, frontends = wheels
    version = library.metadata["Version"]
    stated_in_source = [
        stated
        for folder in (LIBRARY, FRONTENDS)
        for path in folder.rglob("*.py")
        for stated in re.findall(r"(?m)^__version__ = \"(.+)\"$", path.read_text(encoding="utf-8"))
    ]

    assert frontends.metadata["Version"] == version
    assert f"tictactoe-engine=={version}" in frontends.metadata.get_all("Requires-Dist", [])
    assert set(stated_in_source) <= {version}
