"""Run commands as users do: mostly in this process, rarely in their own, which takes seconds."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from lsp_server import cli
from tests.workers import serve_all

REPOSITORY = Path(__file__).parents[1]

Sightline = Callable[..., subprocess.CompletedProcess[bytes]]
"""``sightline("explore", question, SIGHTLINE_DEBUG="1", stdin=b"")``: variables by name."""


def environment(tmp_path: Path) -> dict[str, str]:
    """The caller's environment variables, with the test's own cache and configuration."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("SIGHTLINE_")}
    return own | {
        "PYTHONPATH": str(REPOSITORY),
        "SIGHTLINE_CACHE_DIR": str(tmp_path / "cache"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "SIGHTLINE_INDEX_WORKERS": "1",  # starting a second one takes longer than these folders do
    }


@pytest.fixture(params=["here", pytest.param("in a process", marks=pytest.mark.slow)])
def sightline(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsysbinary: pytest.CaptureFixture[bytes],
) -> Sightline:
    """Runs a command in an empty folder, with the test's own cache."""

    def here(
        *arguments: str, stdin: bytes = b"", **variables: str
    ) -> subprocess.CompletedProcess[bytes]:
        with monkeypatch.context() as patch:
            serve_all(patch)
            patch.chdir(_folder(tmp_path))
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
            wanted = environment(tmp_path) | variables
            for name in os.environ.keys() - wanted:
                patch.delenv(name)
            for name, value in wanted.items():
                patch.setenv(name, value)
            with pytest.raises(SystemExit) as ended:
                cli.main(arguments)
        code = ended.value.code
        assert isinstance(code, int)
        return subprocess.CompletedProcess(arguments, code, *capsysbinary.readouterr())

    def apart(
        *arguments: str, stdin: bytes = b"", **variables: str
    ) -> subprocess.CompletedProcess[bytes]:
        return in_a_process(tmp_path, *arguments, stdin=stdin, **variables)

    return here if request.param == "here" else apart


def rarely(*cases: object) -> list[ParameterSet]:
    """Mark the cases of a test as slow, for tests that are slow in each case."""
    return [pytest.param(case, marks=pytest.mark.slow) for case in cases]


def in_a_process(
    tmp_path: Path,
    *arguments: str,
    stdin: bytes = b"",
    script: str = "lsp_server",
    **variables: str,
) -> subprocess.CompletedProcess[bytes]:
    """Run a command in its own process and return the result."""
    return subprocess.run(
        [sys.executable, "-m", script, *arguments],
        input=stdin,
        capture_output=True,
        env=environment(tmp_path) | variables,
        cwd=_folder(tmp_path),
        timeout=120,
        check=False,
    )


def _folder(tmp_path: Path) -> Path:
    """The workspace to use where none is named. The cache lies next to it."""
    folder = tmp_path / "here"
    folder.mkdir(exist_ok=True)
    return folder
