"""Real source trees from the package registries, fetched with the registries' own clients.

``python -m tests.e2e.sources FOLDER`` fetches all of them. Existing trees are kept.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

_TIME_S = 900


class FetchError(Exception):
    """A registry's client failed; the message is its output."""


@dataclass(frozen=True, slots=True)
class Source:
    """A source tree. ``fetch`` puts it at a path that does not exist yet."""

    name: str
    suffix: str
    fetch: Callable[[str, Path], None]
    package: str


def _run(*command: str, cwd: Path) -> None:
    try:
        done = subprocess.run(
            command, cwd=cwd, capture_output=True, text=True, timeout=_TIME_S, check=False
        )
    except FileNotFoundError as error:
        raise FetchError(f"{command[0]} is not installed; it fetches a source tree.") from error
    if done.returncode:
        raise FetchError(f"{' '.join(command)}: {done.stderr.strip()[-2000:]}")


def _from_pypi(package: str, target: Path) -> None:
    """Unpack the source distribution to ``target``."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        options = ("--no-deps", "--no-binary", ":all:", "--quiet")
        _run(sys.executable, "-m", "pip", "download", *options, package, cwd=work)
        (archive,) = work.glob("*.tar.gz")
        _unpack(archive, work / "tree")
        shutil.copytree(work / "tree", target)


def _from_npm(package: str, target: Path) -> None:
    """Fetch a package that ships its sources, without the files built from them."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        _run("npm", "pack", "--silent", package, cwd=work)
        (archive,) = work.glob("*.tgz")
        _unpack(archive, work / "tree")
        shutil.copytree(work / "tree", target, ignore=shutil.ignore_patterns("_*"))


def _from_debian(package: str, target: Path) -> None:
    """Fetch the files of a Debian package of Go sources."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        try:
            _run("apt-get", "download", package, cwd=work)
        except FetchError:
            _update_lists(work)
            _run("apt-get", *_own_lists(work), "download", package, cwd=work)
        (archive,) = work.glob("*.deb")
        _run("dpkg-deb", "--extract", str(archive), "tree", cwd=work)
        (sources,) = (work / "tree").glob("usr/share/gocode/src")
        shutil.copytree(sources, target, symlinks=True)


def _own_lists(work: Path) -> tuple[str, ...]:
    """Options for apt to use its own package lists, if the system has none or they are too old."""
    state = work / "state"
    return ("-o", f"Dir::State::Lists={state}", "-o", f"Dir::Cache={work / 'cache'}")


def _update_lists(work: Path) -> None:
    for folder in ("state/partial", "cache/archives/partial"):
        (work / folder).mkdir(parents=True)
    _run("apt-get", *_own_lists(work), "update", cwd=work)


def _unpack(archive: Path, target: Path) -> None:
    """Unpack the only folder inside an archive as ``target``."""
    with tempfile.TemporaryDirectory(dir=archive.parent) as folder:
        with tarfile.open(archive) as opened:
            opened.extractall(folder, filter="data")
        (inside,) = Path(folder).iterdir()
        inside.rename(target)


SOURCES = {
    source.name: source
    for source in (
        Source("django", ".py", _from_pypi, "Django==5.2"),
        Source("flask", ".py", _from_pypi, "flask==3.1.3"),
        Source("viem", ".ts", _from_npm, "viem@2.57.20"),
        Source("docker", ".go", _from_debian, "golang-github-docker-docker-dev"),
    )
}


def tree(name: str, folder: Path) -> Path:
    """The tree of a source below ``folder``, fetched if it is missing. Raises FetchError."""
    target = folder / name
    if not target.is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        source = SOURCES[name]
        with tempfile.TemporaryDirectory(dir=folder) as work:
            source.fetch(source.package, Path(work) / "tree")
            (Path(work) / "tree").rename(target)
    return target


if __name__ == "__main__":
    for name in SOURCES:
        print(tree(name, Path(sys.argv[1])))
