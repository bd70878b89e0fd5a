"""Reading and listing files on a judge's request."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer_core.channels.list_files import list_files
from explorer_core.channels.read_file import read_file
from explorer_core.contracts import ChannelResult, FileListed, FileRead, Settings
from explorer_core.workspace import Workspace
from tests.fixture import parse

FIXTURE = """
//- src/app.py
one
two
three
//- src/deep/er/util.py
x
//- README.md
hello
//- empty.py
//- .env
TOKEN=1
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace.open(parse(FIXTURE).write(tmp_path))


def read_lines(result: ChannelResult) -> tuple[str, ...]:
    (read,) = result.observations
    assert isinstance(read, FileRead)
    return read.segment.lines


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (1, None, ("one", "two", "three")),
        (2, 2, ("two",)),
        (2, 99, ("two", "three")),
        (-5, 1, ("one",)),
    ],
)
async def test_ranges_are_clamped_to_the_file(
    workspace: Workspace, start: int, end: int | None, expected: tuple[str, ...]
) -> None:
    result = await read_file(workspace, "src/app.py", start=start, end=end)
    assert read_lines(result) == expected
    assert result.diagnostics == ()


@pytest.mark.parametrize(("max_chars", "expected"), [(4, ("one",)), (8, ("one", "two"))])
async def test_long_text_is_truncated_at_a_line_boundary(
    workspace: Workspace, max_chars: int, expected: tuple[str, ...]
) -> None:
    result = await read_file(workspace, "src/app.py", max_chars=max_chars)
    assert read_lines(result) == expected
    (read,) = result.observations
    assert isinstance(read, FileRead)
    assert read.truncated
    assert read.total_lines == 3


@pytest.mark.parametrize(
    ("path", "start", "end", "expected"),
    [
        ("src/app.py", 9, None, "has 3 lines"),
        ("src/app.py", 3, 1, "has 3 lines"),
        ("empty.py", 1, None, "has 0 lines"),
        ("src", 1, None, "not a regular file"),
        (".env", 1, None, "secret_globs"),
        ("../x", 1, None, "outside the workspace"),
        ("src/apps.py", 1, None, "did you mean"),
        ("a\0b", 1, None, "cannot resolve"),
    ],
)
async def test_unreadable_place_yields_one_diagnostic(
    workspace: Workspace, path: str, start: int, end: int | None, expected: str
) -> None:
    result = await read_file(workspace, path, start=start, end=end)
    assert result.observations == ()
    (diagnostic,) = result.diagnostics
    assert expected in diagnostic.message
    assert "\n" not in diagnostic.message


async def test_a_missing_file_offers_structured_suggestions(workspace: Workspace) -> None:
    result = await read_file(workspace, "app.py")
    assert result.diagnostics[0].suggestions[0].path == "src/app.py"


async def test_line_longer_than_the_limit_is_a_diagnostic(workspace: Workspace) -> None:
    result = await read_file(workspace, "src/app.py", max_chars=2)
    assert result.observations == ()
    assert "characters long" in result.diagnostics[0].message


@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 200))
def test_read_lines_are_those_of_the_file_and_fit_the_limit(
    tmp_path_factory: pytest.TempPathFactory, start: int, end: int, room: int
) -> None:
    folder = tmp_path_factory.getbasetemp() / "fits"
    folder.mkdir(exist_ok=True)
    (folder / "f").write_text("".join(f"line {n}\n" for n in range(1, 31)))
    workspace = Workspace.open(folder, settings=Settings())
    result = asyncio.run(read_file(workspace, "f", start=start, end=end, max_chars=room))
    assert len(result.observations) + len(result.diagnostics) == 1
    for read in result.observations:
        assert isinstance(read, FileRead)
        assert read.segment == workspace.read("f").segment(start, read.segment.range.end)
        assert sum(len(line) + 1 for line in read.segment.lines) <= room
        assert read.truncated == (read.segment.range.end < min(end, 30))


@pytest.mark.parametrize(
    ("globs", "limit", "expected"),
    [
        ((), 9, ["README.md", "empty.py", "src/app.py", "src/deep/er/util.py"]),
        (("*.py",), 9, ["empty.py", "src/app.py", "src/deep/er/util.py"]),
        (("src/*.py", "*.md"), 9, ["README.md", "src/app.py"]),
        (("*.py",), 2, ["empty.py", "src/app.py"]),
    ],
)
async def test_listing_filters_by_globs_and_limit(
    workspace: Workspace, globs: tuple[str, ...], limit: int, expected: list[str]
) -> None:
    result = await list_files(workspace, globs, limit=limit)
    found = [entry for entry in result.observations if isinstance(entry, FileListed)]
    assert [entry.path for entry in found] == expected
    assert all(entry.size == len(workspace.read(entry.path).text) for entry in found)


async def test_listing_reports_omissions_near_matches_and_bad_globs(workspace: Workspace) -> None:
    assert "1 of 4 files" in (await list_files(workspace, limit=1)).diagnostics[0].message
    (missing,) = (await list_files(workspace, ["**/utils.py"])).diagnostics
    assert missing.suggestions[0].path == "src/deep/er/util.py"
    (bad,) = (await list_files(workspace, ["\\"])).diagnostics
    assert "cannot be read" in bad.message
