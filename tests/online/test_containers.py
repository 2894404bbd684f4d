"""The image and the compose file of the server, without a container engine.

The commands of the image run here in folders of the test instead of `/opt` and `/var`.
Where the tests run as root, the server that they make runs without capabilities on a read-only
system. What only an engine can show is not tried: the base images, the networks of the compose
file, and the other services in it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.frontends.programs import environment
from tests.machine import needs
from tests.online.processes import PATIENCE, free_port, get
from tic_tac_toe_frontends.browser.build import build
from tic_tac_toe_frontends.server.args import parse_args
from tic_tac_toe_frontends.server.nodes.options import DATABASE_VARIABLE, REDIS_VARIABLE

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "containers"
CONTAINERFILE = (FOLDER / "Containerfile").read_text(encoding="utf-8")
COMPOSE = (FOLDER / "compose.yaml").read_text(encoding="utf-8")
PROG = "tic-tac-toe serve"
#: The command that makes the page, which other tests have run already.
PAGE = "tic-tac-toe browser build"
#: Makes the system read-only but for the folders that follow, until `--`, and drops capabilities.
CONFINED = """
mount --make-rprivate /
while [ "$1" != -- ]; do mount --bind "$1" "$1"; shift; done
mount -o remount,bind,ro /
shift
exec setpriv --bounding-set=-all --inh-caps=-all --no-new-privs "$@"
"""


class Instruction(NamedTuple):
    """An instruction of a Containerfile."""

    name: str
    text: str


def instructions() -> list[list[Instruction]]:
    """Return the instructions of each stage, without the name of its image."""
    lines = re.sub(r"^#.*\n", "", CONTAINERFILE, flags=re.MULTILINE).replace("\\\n", " ")
    found = [Instruction(*line.split(maxsplit=1)) for line in lines.splitlines() if line]
    starts = [place for place, each in enumerate(found) if each.name == "FROM"]
    ends = [*starts[1:], len(found)]
    return [found[start + 1 : end] for start, end in zip(starts, ends, strict=True)]


def only(name: str) -> str:
    """Return the text of the one instruction of the last stage with this name."""
    (found,) = [each.text for each in instructions()[-1] if each.name == name]
    return found


def test_images_have_a_version_and_the_server_is_an_ordinary_user() -> None:
    images = re.findall(r"^ARG \w+=(.*)$", CONTAINERFILE, re.MULTILINE)
    images += re.findall(r"image: (docker\.io/.*)$", COMPOSE, re.MULTILINE)
    assert len(images) == 5
    assert all(re.search(r":\d+(\.\d+)?(-\w+)*$", image) for image in images)
    assert re.fullmatch(r"[1-9]\d+:[1-9]\d+", only("USER"))
    assert f"bin/{PAGE}\n" in CONTAINERFILE


def test_the_commands_and_variables_of_the_compose_file_are_those_of_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "database").write_text("postgresql://games:secret@database/games", "utf-8")
    monkeypatch.setenv(DATABASE_VARIABLE, f"@{tmp_path / 'database'}")
    (redis,) = re.findall(rf"{REDIS_VARIABLE}: (.*)", COMPOSE)
    monkeypatch.setenv(REDIS_VARIABLE, redis)
    options = re.findall(r"- (--\S+)$", COMPOSE.replace("${SITE}", "play.example.org"), re.M)

    args = parse_args([*options, "--lang", "en"], PROG)

    assert f'{DATABASE_VARIABLE}: "@/run/secrets/database"' in COMPOSE
    assert (args.data, args.redis, args.host) == (None, "redis://redis:6379/0", "0.0.0.0")
    assert (args.host_name, len(args.behind_proxy)) == (["play.example.org"], 3)


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder in which the commands of the image have been run."""
    folder = tmp_path_factory.mktemp("image")
    ignored = shutil.ignore_patterns("__pycache__", "build", "*.egg-info")
    (folder / "source").mkdir()
    for each in instructions()[1]:
        if each.name == "COPY" and not each.text.startswith("--from"):
            *names, _place = each.text.split()
            for path in (ROOT / name for name in names):
                if path.is_file():
                    shutil.copy(path, folder / "source")
                else:
                    shutil.copytree(path, folder / "source" / path.name, ignore=ignored)
        if each.name == "RUN" and "/opt/tic-tac-toe" in each.text and PAGE not in each.text:
            command = placed(each.text, folder)
            subprocess.run(command, shell=True, check=True, cwd=folder / "source")
    shutil.copytree(build().folder, folder / "opt/tic-tac-toe/page/site")
    shutil.rmtree(folder / "source")
    yield folder
    shutil.rmtree(folder)


def placed(text: str, folder: Path) -> str:
    """Return a text in which the folders of the image are in another folder."""
    return re.sub(r"(?<![\w.])/(?=(opt|var|tmp)\b)", f"{folder}/", text)


@pytest.mark.slow
@needs("npm", "node")
def test_the_server_of_the_image_serves_the_page_is_healthy_and_writes_into_its_volumes_alone(
    image: Path,
) -> None:
    volumes = [image / "tmp", *(Path(placed(each, image)) for each in only("VOLUME").split())]
    for volume in volumes:
        volume.mkdir(mode=0o700, parents=True)
    settings = dict(each.split("=") for each in placed(only("ENV"), image).split())
    settings["PATH"] = settings["PATH"].replace("$PATH", os.environ["PATH"])
    env = environment(**settings, TMPDIR=str(image / "tmp"))
    env.pop("PYTHONPATH", None)
    port = free_port()
    command = json.loads(only("ENTRYPOINT")) + json.loads(only("CMD")) + ["--port", str(port)]
    if os.geteuid() == 0:
        confined = ["unshare", "--mount", "sh", "-c", CONFINED, "sh", *map(str, volumes), "--"]
        command = [*confined, *command]
    (check,) = re.findall(r"CMD (\[.*\])$", only("HEALTHCHECK"))
    before = {path for path in image.rglob("*") if volumes[0] not in path.parents}

    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            assert str(port) in server.stdout.readline()
            words = [word.replace("8765", str(port)) for word in json.loads(check)]
            subprocess.run(words, env=env, check=True, timeout=PATIENCE)
            assert 'id="cells"' in get(f"http://127.0.0.1:{port}/")[1]
            asked = ["tic-tac-toe", "serve", "admin", "status", "--lang", "en"]
            status = subprocess.run(asked, env=env, check=True, capture_output=True, text=True)
            assert "ready" in status.stdout
        finally:
            server.send_signal(signal.SIGTERM)
            assert server.wait(PATIENCE) == 0
    after = {path for path in image.rglob("*") if volumes[0] not in path.parents}
    assert {path.parts[len(image.parts)] for path in after - before} == {"var"}
