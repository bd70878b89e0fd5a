"""Which program of a given name is run: never one from the repository."""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path

import pytest

from explorer_core.channels.text_search.ripgrep import find_ripgrep
from explorer_core.workspace.programs import find_program

pytestmark = pytest.mark.skipif(os.name == "nt", reason="programs are told by permissions here")


def put_program(program: Path) -> Path:
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text("#!/bin/sh\nexit 0\n")
    program.chmod(0o755)
    return program


NAMES = ("inside", "outside", "linked", "no_program", "chosen")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("{outside}", "{outside}/tool"),
        (".:{outside}", "{outside}/tool"),
        (":{outside}", "{outside}/tool"),
        ("bin:{outside}", "{outside}/tool"),
        ("{inside}:{outside}", "{outside}/tool"),
        ("{inside}/bin:{outside}", "{outside}/tool"),
        ("{linked}:{outside}", "{outside}/tool"),
        ("{unlike}:{outside}", "{outside}/tool"),
        ("{no_program}:{outside}", "{outside}/tool"),
        ("{chosen}:{outside}", "{outside}/tool"),
        ("{inside}", None),
        (".", None),
        ("", None),
    ],
)
def test_programs_inside_the_workspace_are_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, expected: str | None
) -> None:
    places = {name: str(tmp_path / name) for name in NAMES}
    places["unlike"] = str(tmp_path / ("n" * 300))  # no folder can have that name
    for program in ("inside/tool", "inside/bin/tool", "outside/tool"):
        put_program(tmp_path / program)
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked/tool").symlink_to(tmp_path / "inside/tool")
    put_program(tmp_path / "no_program/tool").chmod(0o644)
    # A link inside the workspace decides which program runs, so it is refused whatever its target.
    (tmp_path / "inside/links").mkdir()
    (tmp_path / "inside/links/tool").symlink_to(put_program(tmp_path / "other/program"))
    (tmp_path / "chosen").symlink_to(tmp_path / "inside/links")
    monkeypatch.chdir(tmp_path / "inside")
    monkeypatch.setenv("PATH", path.format(**places))
    found = find_program("tool", [tmp_path / "inside"])
    assert found == (expected and expected.format(**places))


@pytest.mark.parametrize(
    ("files", "endings", "expected"),
    [
        ("tool.exe", None, "tool.exe"),
        ("tool.cmd", None, "tool.cmd"),
        ("tool.cmd tool.exe", None, "tool.exe"),
        ("tool.cmd tool.exe", ".CMD;.EXE", "tool.cmd"),
        ("tool.cmd tool.exe", ".EXE; ;", "tool.exe"),
        ("tool tool.py", None, None),
    ],
)
@pytest.mark.parametrize("ending", [True, False])
def test_programs_on_windows_need_an_executable_extension(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    files: str,
    endings: str | None,
    expected: str | None,
    ending: bool,
) -> None:
    """A file with an executable extension; the name may be given with its extension."""
    for name in files.split():
        put_program(tmp_path / name)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("PATHEXT", raising=False)
    if endings is not None:
        monkeypatch.setenv("PATHEXT", endings)
    name = expected if ending and expected else "tool"
    found = find_program(name, [], windows=True)
    assert found == (expected and str(tmp_path / expected))


@pytest.mark.parametrize(
    "application", ["C:/Program Files/Microsoft VS Code", "Applications/Visual Studio Code.app"]
)
def test_ripgrep_of_a_repository_resembling_an_editor_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, application: str
) -> None:
    below = "Contents/resources/app" if "Applications" in application else "resources/app"
    put_program(tmp_path / application / below / "node_modules/@vscode/ripgrep/bin/rg")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "none" / "python"))
    monkeypatch.setattr(sysconfig, "get_path", lambda _: str(tmp_path / "none"))
    monkeypatch.setenv("HOME", ".")
    monkeypatch.setenv("PATH", "")
    find_ripgrep.cache_clear()
    try:
        found = find_ripgrep(tmp_path)
    finally:
        find_ripgrep.cache_clear()
    assert found is None or (Path(found).is_absolute() and not found.startswith(str(tmp_path)))
