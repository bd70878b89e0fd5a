"""The configurations that `sightline mcp` prints for agents."""

from __future__ import annotations

import json
import os
import shlex
import tomllib
from collections.abc import Iterable
from pathlib import Path

import pytest

from explorer_core.workspace import programs
from lsp_server.cli import run
from lsp_server.mcp import texts
from lsp_server.mcp.workspaces import Workspaces
from lsp_server.terminal.exits import UserError

FOLDERS = ["/a b", "/tmp/café.d", "/tmp/$HOME `x` 'q' \"d\"", "/tmp/😀/\\back", "/tmp/\x7f"]


@pytest.mark.parametrize("folder", FOLDERS)
@pytest.mark.parametrize("agent", texts.agents())
def test_printed_configuration_starts_the_server(
    agent: str, folder: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    program = str(Path(__file__).with_name("sightline"))

    def find_program(name: str, roots: Iterable[Path]) -> str:
        return program

    monkeypatch.setattr(programs, "find_program", find_program)
    absolute_folder = str(Path(folder).absolute())
    assert run(["mcp", "--config", agent, "--workspace", folder, "--set", "report_chars=900"]) == 0
    head, _, text = capsys.readouterr().out.partition("\n")
    assert head.startswith(("#", "//"))
    arguments = ["mcp", "--workspace", absolute_folder, "--set", "report_chars=900"]
    if text.startswith("{"):
        flat_json = json.dumps(json.loads(text))
        assert json.dumps(arguments)[1:-1] in flat_json
        assert json.dumps(program) in flat_json
    elif text.startswith("["):
        (server,) = tomllib.loads(text)["mcp_servers"].values()
        assert (server["command"], server["args"]) == (program, arguments)
    else:
        assert shlex.split(text)[-6:] == [program, *arguments]


def test_configured_folders_do_not_depend_on_the_current_one(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.chdir(tmp_path)
    assert run(["mcp", "--config", "codex", "-w", "below", "-w", "~/home"]) == 0
    (server,) = tomllib.loads(capsys.readouterr().out)["mcp_servers"].values()
    assert server["args"][2::2] == [str(tmp_path / "below"), "~/home"]


@pytest.mark.skipif(os.name == "nt", reason="programs are told by permissions here")
@pytest.mark.parametrize(("folders", "expected_folder"), [(["work"], "own"), (["other"], "work")])
def test_configuration_names_no_program_inside_the_workspace(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    folders: list[str],
    expected_folder: str,
):
    for folder in ("work", "own"):
        (tmp_path / folder / "bin").mkdir(parents=True)
        (tmp_path / folder / "bin" / "sightline").touch(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/work/bin:{tmp_path}/own/bin")
    monkeypatch.chdir(tmp_path)
    assert run(["mcp", "--config", "codex", *(f"-w={folder}" for folder in folders)]) == 0
    (server,) = tomllib.loads(capsys.readouterr().out)["mcp_servers"].values()
    assert server["command"] == str(tmp_path / expected_folder / "bin" / "sightline")


@pytest.mark.parametrize("folder", ["~", "~/home", "~/a/../home"])
async def test_home_folder_is_expanded_without_a_shell(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folder: str
):
    for variable in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(variable, str(tmp_path))
    expected = tmp_path if folder == "~" else tmp_path / "home"
    assert await Workspaces([folder], {}).name(()) == str(expected.resolve())


def test_unknown_agent_is_refused_with_the_known_ones():
    with pytest.raises(UserError, match="claude-code"):
        run(["mcp", "--config", "nobody"])


def test_the_instructions_are_printed(capsys: pytest.CaptureFixture[str]):
    assert run(["mcp", "--instructions"]) == 0
    assert capsys.readouterr().out == texts.instructions()
