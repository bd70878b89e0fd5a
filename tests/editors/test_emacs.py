"""Emacs with eglot and without any plugin: start, explore, hover, lenses, code actions."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.editors.conftest import editor

pytestmark = pytest.mark.slow


def test_eglot(project: Path, environment: dict[str, str]):
    script = Path(__file__).parent / "eglot.el"
    ran = subprocess.run(
        [editor("emacs"), "--batch", "--quick", "-l", str(script)],
        cwd=project,
        env=environment,
        capture_output=True,
        text=True,
        timeout=150,
    )
    assert ran.returncode == 0, ran.stderr
    assert "PASSED" in ran.stderr, ran.stderr
