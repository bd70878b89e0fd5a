"""What `sightline mcp` prints for agents."""

from __future__ import annotations

import json
import shlex
import shutil
import tomllib
from pathlib import Path

import pytest

from lsp_server.cli import run
from lsp_server.exits import UserError
from lsp_server.mcp import texts
from lsp_server.mcp.workspaces import Workspaces

FOLDERS = ["/a b", "/tmp/café.d", "/tmp/$HOME `x` 'q' \"d\"", "/tmp/😀/\\back", "/tmp/\x7f"]


@pytest.mark.parametrize("folder", FOLDERS)
@pytest.mark.parametrize("agent", texts.agents())
def test_a_configuration_starts_the_server(
    agent: str, folder: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    program = str(Path(__file__).with_name("sightline"))

    def which(name: str) -> str:
        return program

    monkeypatch.setattr(shutil, "which", which)
    whole = str(Path(folder).absolute())
    assert run(["mcp", "--config", agent, "--workspace", folder, "--set", "report_chars=900"]) == 0
    head, _, text = capsys.readouterr().out.partition("\n")
    assert head.startswith(("#", "//"))
    words = ["mcp", "--workspace", whole, "--set", "report_chars=900"]
    if text.startswith("{"):
        flat = json.dumps(json.loads(text))
        assert json.dumps(words)[1:-1] in flat
        assert json.dumps(program) in flat
    elif text.startswith("["):
        (server,) = tomllib.loads(text)["mcp_servers"].values()
        assert (server["command"], server["args"]) == (program, words)
    else:
        assert shlex.split(text)[-6:] == [program, *words]


def test_folders_are_named_so_that_they_are_found_from_anywhere(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.chdir(tmp_path)
    assert run(["mcp", "--config", "codex", "-w", "below", "-w", "~/home"]) == 0
    (server,) = tomllib.loads(capsys.readouterr().out)["mcp_servers"].values()
    assert server["args"][2::2] == [str(tmp_path / "below"), "~/home"]


@pytest.mark.parametrize("folder", ["~", "~/home", "~/a/../home"])
async def test_a_home_folder_that_no_shell_expanded(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folder: str
):
    for variable in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(variable, str(tmp_path))
    meant = tmp_path if folder == "~" else tmp_path / "home"
    assert await Workspaces([folder], {}).name(()) == str(meant.resolve())


def test_unknown_agents_are_named():
    with pytest.raises(UserError, match="claude-code"):
        run(["mcp", "--config", "nobody"])


def test_the_instructions_are_printed(capsys: pytest.CaptureFixture[str]):
    assert run(["mcp", "--instructions"]) == 0
    assert capsys.readouterr().out == texts.instructions()
