"""A store detects that the analysis that filled it has changed."""

from __future__ import annotations

import shutil
from importlib import metadata
from pathlib import Path

import pytest

import explorer_core.index
from explorer_core.index.storage.engine import engine_version, libraries, version_of

FOLDER = Path(explorer_core.index.__file__).parent


@pytest.mark.parametrize(
    ("file", "matters"),
    [
        ("workers/analysis.py", True),
        ("extraction/extract.py", True),
        ("extraction/references.py", True),
        ("terms/units.py", True),
        ("terms/text.py", True),
        ("storage/segments.py", True),
        ("languages/__init__.py", True),
        ("languages/python.scm", True),
        ("languages/python.toml", True),
        ("graph.py", False),
        ("resolution/resolve.py", False),
        ("search/bm25f.py", False),
    ],
)
def test_version_depends_only_on_code_that_makes_rows(
    tmp_path: Path, file: str, *, matters: bool
) -> None:
    copy = tmp_path / "index"
    shutil.copytree(FOLDER, copy, ignore=shutil.ignore_patterns("__pycache__"))
    before = version_of(copy, [])
    assert before == version_of(FOLDER, [])
    (copy / file).write_text((copy / file).read_text() + "\n# changed\n")
    assert (version_of(copy, []) != before) is matters


def test_new_language_or_library_version_changes_version(tmp_path: Path) -> None:
    copy = tmp_path / "index"
    shutil.copytree(FOLDER, copy, ignore=shutil.ignore_patterns("__pycache__"))
    before = version_of(copy, ["parser 1"])
    assert version_of(copy, ["parser 2"]) != before
    (copy / "languages" / "klingon.toml").write_text('grammar = "klingon"\n')
    assert version_of(copy, ["parser 1"]) != before


@pytest.mark.parametrize("package", ["pystemmer", "snowballstemmer", "tree-sitter"])
def test_libraries_include_their_installed_versions(
    monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    installed, version = libraries(), metadata.version
    monkeypatch.setattr(metadata, "version", lambda name: "0" if name == package else version(name))
    assert set(libraries()) - set(installed) == {f"{package} 0"}


def test_engine_version_fits_sqlite_user_version() -> None:
    assert 0 < engine_version() < 2**31
