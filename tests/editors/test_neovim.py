"""The Neovim client in real, headless Neovims, with the real server and a real second one."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.editors.conftest import REPOSITORY, editor

pytestmark = pytest.mark.slow

SCRIPTS = sorted(
    file.stem for file in (Path(__file__).parent / "neovim").glob("*.lua") if file.stem != "harness"
)


@pytest.mark.parametrize("script", SCRIPTS)
@pytest.mark.parametrize("neovim", ["nvim-trixie", "nvim-pypi", "nvim-sid"])
def test_neovim_script_passes(neovim: str, script: str, project: Path, environment: dict[str, str]):
    folder = Path(__file__).parent / "neovim"
    script_variables = {
        "SIGHTLINE_PLUGIN": str(REPOSITORY / "client-nvim"),
        "SIGHTLINE_HARNESS": str(folder / "harness.lua"),
        "SIGHTLINE_TY": editor("ty"),
    }
    result = subprocess.run(
        [editor(neovim), "--headless", "--clean", "-c", f"luafile {folder / script}.lua"],
        cwd=project,
        env=environment | script_variables,
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert result.returncode == 0, result.stderr
    assert "PASSED" in result.stderr, result.stderr
