"""Files are written atomically, and a failure leaves nothing behind."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from explorer_core.workspace.writing import remove, write_atomically


def test_writing_replaces_the_file_and_leaves_no_others(tmp_path: Path) -> None:
    file = tmp_path / "a folder" / "report.md"
    for text in ("old\n", "new \N{SNOWMAN}\n", "half of a pair \ud83d\n"):
        write_atomically(file, text)
        assert file.read_bytes() == text.encode("utf-8", "replace")
    assert list(file.parent.iterdir()) == [file]


def test_failed_write_leaves_no_files(tmp_path: Path) -> None:
    (tmp_path / "taken" / "inside").mkdir(parents=True)
    with pytest.raises((IsADirectoryError, PermissionError)):
        write_atomically(tmp_path / "taken", "text", mode=0o444)
    assert [each.name for each in tmp_path.iterdir()] == ["taken"]


@pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
def test_private_file_is_readable_only_by_its_owner(tmp_path: Path) -> None:
    file = tmp_path / "token"
    write_atomically(file, "secret", mode=0o600)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_read_only_file_is_deleted(tmp_path: Path) -> None:
    file = tmp_path / "report.md"
    write_atomically(file, "text", mode=0o444)
    remove(file)
    assert not file.exists()
