"""Emacs with eglot and without any plugin: start, explore, hover, lenses, code actions."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.editors.conftest import editor

pytestmark = pytest.mark.slow


def test_eglot_explores_and_shows_the_report(project: Path, environment: dict[str, str]):
    script = Path(__file__).parent / "eglot.el"
    result = subprocess.run(
        [editor("emacs"), "--batch", "--quick", "-l", str(script)],
        cwd=project,
        env=environment,
        capture_output=True,
        text=True,
        timeout=150,
    )
    assert result.returncode == 0, result.stderr
    assert "PASSED" in result.stderr, result.stderr
