"""The version, which is stated here and nowhere else; between releases it says the commit."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

#: The version; on the way to a release it ends in ``.dev0``.
STATED = "0.2.0.dev0"
#: The distributions that hold the library: its own, and that of the repository's root.
_DISTRIBUTIONS = ("tictactoe-engine", "tictactoe-all")


def version_of(module: Path) -> str:
    """Return the version; between releases with the commit, as in ``0.2.0.dev0+g1b2c3d4e5f``.

    A checkout has the commit from Git's folder, an installed package from its metadata. Where both
    are missing, the version is the stated one.

    Args:
        module: the path of this module, or of a copy of it.
    """
    if ".dev" not in STATED:
        return STATED
    module = module.resolve()
    root = module.parents[min(3, len(module.parents) - 1)]
    if module == root / "library" / "src" / "tic_tac_toe" / "version.py":
        commit = _commit(root)
        return f"{STATED}+g{commit[:10]}" if commit else STATED
    return _installed(module)


def _commit(root: Path) -> str:
    """Return the commit that a checkout stands on; an empty text where Git's folder is missing."""
    git = root / ".git"
    with suppress(OSError):
        if git.is_file():  # a worktree, which names its folder
            git = root / git.read_text("utf-8").removeprefix("gitdir:").strip()
        head = (git / "HEAD").read_text("utf-8").strip()
        if not head.startswith("ref: "):
            return head
        branch = head.removeprefix("ref: ")
        common = git / "commondir"
        shared = git / common.read_text("utf-8").strip() if common.exists() else git
        if (shared / branch).exists():
            return (shared / branch).read_text("utf-8").strip()
        packed = (shared / "packed-refs").read_text("utf-8").splitlines()
        return next((line.split()[0] for line in packed if line.endswith(f" {branch}")), "")
    return ""


def _installed(module: Path) -> str:
    """Return the version of the distribution that installed this module."""
    from importlib.metadata import PackageNotFoundError, distribution

    for name in _DISTRIBUTIONS:
        with suppress(PackageNotFoundError):
            found = distribution(name)
            if Path(str(found.locate_file("tic_tac_toe/version.py"))).resolve() == module:
                return found.version
    return STATED


__version__ = version_of(Path(__file__))
