"""Scopes given as absolute paths, converted to globs of a workspace."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer_core.workspace import Workspace
from lsp_server.mcp.workspaces import OpenWorkspace


@pytest.mark.parametrize(
    ("folders", "scope", "globs"),
    [
        (["a"], "TOP/a", ["/**"]),
        (["a"], "TOP/a/", ["/**"]),
        (["a"], "TOP/a/**", ["/**"]),
        (["a"], "TOP/a/b", ["/b"]),
        (["a"], "TOP/a/b/**", ["/b"]),
        (["a"], "TOP/a/*.py", ["/*.py"]),
        (["a"], "TOP/a/b/**/*.py", ["/b/**/*.py"]),
        (["a"], "!TOP/a/b/**", ["!/b"]),
        (["a"], "!TOP/a/b/*.py", ["!/b/*.py"]),
        (["a"], "!b/**", ["!b/**"]),
        (["a"], "!TOP/c/**", ["!TOP/c/**"]),
        (["a", "a/b", "c"], "TOP/a", ["/a", "/b"]),
        (["a", "a/b", "c"], "!TOP/a/**", ["!/a", "!/b"]),
        (["a", "a/b", "c"], "TOP/a/b", ["/b"]),
        (["a", "a/b", "c"], "TOP/c/*.py", ["/c/*.py"]),
    ],
)
def test_absolute_scope_paths_become_globs(
    tmp_path: Path, folders: list[str], scope: str, globs: list[str]
):
    top = tmp_path.resolve()
    for folder in ("a/b", "c"):
        (top / folder).mkdir(parents=True)
    opened = OpenWorkspace(Workspace.open(*(top / folder for folder in folders)))
    expected = tuple(glob.replace("TOP", str(top)) for glob in globs)
    assert opened.globs([scope.replace("TOP", top.as_posix())]) == expected
