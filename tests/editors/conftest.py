"""Editors for the tests, from where `.ci/editors` installs them or from PATH."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]


def editor(name: str) -> str:
    """The path of an editor. If it is missing, the test is skipped, or fails in CI."""
    prefix = os.environ.get("SIGHTLINE_EDITORS", "/opt/sightline-editors")
    search_path = os.pathsep.join((f"{prefix}/bin", f"{prefix}/python/bin", os.environ["PATH"]))
    found = shutil.which(name, path=search_path) or shutil.which(
        name, path=f"{Path(sys.executable).parent}"
    )
    if found:
        return found
    if os.environ.get("CI"):
        pytest.fail(f"{name} is not installed; .ci/editors installs it")
    pytest.skip(f"{name} is not installed")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of a sample as its own repository."""
    folder = tmp_path / "webshop"
    shutil.copytree(REPOSITORY / "samples/webshop", folder)
    (folder / ".git").mkdir()
    return folder


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """An environment apart from the user's: own home, own cache, this repository's server."""
    home = tmp_path / "home"
    home.mkdir()
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_STATE_HOME": str(home / "state"),
        "XDG_CACHE_HOME": str(home / "cache"),
        "TMPDIR": os.environ.get("TMPDIR", "/tmp"),
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "PYTHONPATH": str(REPOSITORY),
        "SIGHTLINE_PYTHON": sys.executable,
        "SIGHTLINE_CACHE_DIR": str(tmp_path / "cache"),
    }
