"""What a workspace reads, and what it refuses to read."""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer_core.contracts import Settings
from explorer_core.workspace import (
    FileMissing,
    OutsideWorkspace,
    SourceText,
    Unreadable,
    Workspace,
    WorkspaceError,
)
from tests.fixture import parse

needs_links = pytest.mark.skipif(os.name == "nt", reason="symbolic links need a privilege there")


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", ()),
        (b"a\n", ("a",)),
        (b"a\nb", ("a", "b")),
        (b"a\n\n", ("a", "")),
        (b"a\r\nb\rc\n", ("a", "b", "c")),
        (b"a\x0cb\xe2\x80\xa8c\n", ("a\x0cb\u2028c",)),
        (b"\xef\xbb\xbfa\n", ("a",)),
        ("ä\nb".encode("utf-16"), ("ä", "b")),
        (b"\xfe\xff\x00a", ("a",)),
        (b"caf\xe9", ("café",)),
    ],
)
def test_decoding(tmp_path: Path, data: bytes, lines: tuple[str, ...]) -> None:
    (tmp_path / "f").write_bytes(data)
    source = Workspace.open(tmp_path).read("f")
    assert source.lines == lines
    assert source.digest == hashlib.sha256(data).hexdigest()[:32]


@given(st.text(), st.integers(-3, 50), st.integers(-3, 50))
def test_segment_is_clamped_to_the_file(text: str, start: int, end: int) -> None:
    source = SourceText.of_text("f", text)
    segment = source.segment(start, end)
    lines = source.lines or ("",)
    assert segment.lines == lines[segment.start - 1 : segment.range.end]
    assert segment.lines


@pytest.mark.parametrize("path", ["a/b.py", "./a/b.py", "a//b.py", "a/../a/b.py"])
def test_file_has_one_path_however_spelled(tmp_path: Path, path: str) -> None:
    workspace = Workspace.open(parse("//- a/b.py\nx\n").write(tmp_path))
    for spelled in (path, f"{tmp_path.as_posix()}/{path}"):
        assert workspace.read(spelled).path == "a/b.py"


def test_overlays_mask_the_disk(tmp_path: Path) -> None:
    workspace = Workspace.open(parse("//- a.py\ndisk\n").write(tmp_path))
    workspace.overlays.set("a.py", "unsaved\r\n")
    assert workspace.read("a.py").lines == ("unsaved",)
    assert workspace.read("a.py").digest == hashlib.sha256(b"unsaved\r\n").hexdigest()[:32]
    workspace.overlays.discard("a.py")
    assert workspace.read("a.py").lines == ("disk",)


@pytest.mark.parametrize("fixed_ns", [None, 1_000_000_000])
def test_change_of_equal_size_and_time_is_noticed(tmp_path: Path, fixed_ns: int | None) -> None:
    workspace = Workspace.open(parse("//- a.py\nold\n").write(tmp_path))
    file = tmp_path / "a.py"
    stamp = file.stat().st_mtime_ns if fixed_ns is None else fixed_ns
    for text in ("old", "new"):
        file.write_text(text)
        os.utime(file, ns=(stamp, stamp))
        assert workspace.read("a.py").text == text


def test_recently_written_file_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file may be written twice within the resolution of the clock."""
    workspace = Workspace.open(parse("//- a.py\nold\n").write(tmp_path))
    file, stat = tmp_path / "a.py", Path.stat
    stamped = file.stat()
    monkeypatch.setattr(
        Path, "stat", lambda self, **more: stamped if self.name == "a.py" else stat(self, **more)
    )
    for text in ("old", "new"):
        file.write_text(text)
        assert workspace.read("a.py").text == text


def check_unreadable(workspace: Workspace, path: str, why: str) -> None:
    with pytest.raises(Unreadable, match=why) as caught:
        workspace.read(path)
    assert "\n" not in str(caught.value)


def test_unreadable_kinds_of_file_are_refused(tmp_path: Path) -> None:
    parse("//- .git/config\nx\n//- .env\nx\n//- d/key.PEM\nx\n").write(tmp_path)
    (tmp_path / "big").write_bytes(b"x" * 2000)
    (tmp_path / "late.bin").write_bytes(b"x" * 500 + b"\0")
    workspace = Workspace.open(tmp_path, settings=Settings(file_size_limit_bytes=1024))
    check_unreadable(workspace, "big", "larger than file_size_limit_bytes")
    check_unreadable(workspace, "late.bin", "binary")
    check_unreadable(workspace, "d", "not a regular file")
    check_unreadable(workspace, ".env", "secret_globs")
    check_unreadable(workspace, "d/key.PEM", "secret_globs")
    check_unreadable(workspace, ".git/config", "version control")
    for path, why in (("big.py", "larger"), (".env", "secret"), (".git/config", "version control")):
        workspace.overlays.set(path, "x" * 2000)
        check_unreadable(workspace, path, why)


def test_listed_file_is_checked_again_when_read(tmp_path: Path) -> None:
    """Meanwhile it may have disappeared, or become something that is not read."""
    names = ["gone.py", "big.py", "late.bin", "folder", "d/moved.py", "e/a.py"]
    parse("".join(f"//- r/{name}\nx\n" for name in names)).write(tmp_path)
    workspace = Workspace.open(tmp_path / "r", settings=Settings(file_size_limit_bytes=1024))
    listed = {entry.path: entry for entry in workspace.files()}
    assert [workspace.read_listed(listed[name]).text for name in names[:4]] == ["x\n"] * 4
    root = tmp_path / "r"
    (root / "gone.py").unlink()
    (root / "big.py").write_bytes(b"x" * 2000)
    (root / "late.bin").write_bytes(b"\0")
    (root / "folder").unlink()
    (root / "folder").mkdir()
    (root / "d").rename(tmp_path / "d")
    if os.name != "nt":
        (root / "d").symlink_to(tmp_path / "d")
    errors = [FileMissing, Unreadable, Unreadable, Unreadable]
    errors.append(FileMissing if os.name == "nt" else OutsideWorkspace)
    for name, error in zip(names, errors, strict=False):
        with pytest.raises(error):
            workspace.read_listed(listed[name])
    assert workspace.read_listed(listed["e/a.py"]).text == "x\n"


def test_root_is_not_mistaken_for_a_folder_of_another(tmp_path: Path) -> None:
    parse("//- one/two/d/a.py\ninner\n//- two/d/a.py\nouter\n").write(tmp_path)
    workspace = Workspace.open(tmp_path / "one", tmp_path / "two")
    texts = {"one/two/d/a.py": "inner\n", "two/d/a.py": "outer\n"}
    assert {entry.path: workspace.read_listed(entry).text for entry in workspace.files()} == texts
    assert {path: workspace.read(path).text for path in texts} == texts


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes there")
def test_reading_a_pipe_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    check_unreadable(Workspace.open(tmp_path), "pipe", "not a regular file")


@needs_links
def test_symlinks_are_followed_inside_and_refused_outside(tmp_path: Path) -> None:
    inside = parse("//- a.py\nx\n//- .env\nx\n").write(tmp_path / "inside")
    parse("//- b.py\nx\n").write(tmp_path / "inside-too")
    (inside / "alias.py").symlink_to(inside / "a.py")
    (inside / "out.py").symlink_to(tmp_path / "inside-too" / "b.py")
    (inside / "up").symlink_to(tmp_path)
    (inside / "plain.txt").symlink_to(inside / ".env")
    (inside / "key.pem").symlink_to(inside / "a.py")
    (inside / "loop").symlink_to(inside / "loop")
    workspace = Workspace.open(inside)
    assert workspace.read("alias.py").path == "a.py"
    for path in ("out.py", "up/inside-too/b.py", "../inside-too/b.py"):
        with pytest.raises(OutsideWorkspace):
            workspace.read(path)
    for path in ("plain.txt", "key.pem"):
        assert workspace.is_secret(path)
        check_unreadable(workspace, path, "secret_globs")
    with pytest.raises(WorkspaceError):
        workspace.read("loop/x")
    with pytest.raises(WorkspaceError):
        workspace.read("loop")


def test_near_matches_are_searched_only_when_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = Workspace.open(parse("//- a.py\nx\n").write(tmp_path))
    searched: list[str] = []
    monkeypatch.setattr(workspace, "suggest", lambda path: searched.append(path) or ())
    with pytest.raises(FileMissing) as caught:
        workspace.read("b.py")
    assert not searched
    assert "no file 'b.py'" in str(caught.value)
    assert searched == ["b.py"]


@pytest.mark.parametrize(
    ("path", "suggestion"),
    [
        ("src/user.py", "src/app/users.py"),
        ("users.py", "src/app/users.py"),
        ("SRC/APP/USERS.PY", "src/app/users.py"),
        ("src/settings.py", "conf/settings.py"),
    ],
)
def test_missing_file_suggests_near_matches(tmp_path: Path, path: str, suggestion: str) -> None:
    source = "//- src/app/users.py\nx\n//- conf/settings.py\nx\n//- docs/index.md\nx\n"
    workspace = Workspace.open(parse(source).write(tmp_path))
    if (tmp_path / path).exists():
        pytest.skip("the file system ignores case")
    with pytest.raises(FileMissing) as caught:
        workspace.read(path)
    assert caught.value.suggestions[0].path == suggestion


@pytest.mark.parametrize(
    ("path", "scope", "expected"),
    [
        ("src/a.py", (), True),
        ("src/a.py", ("",), True),
        ("src/a.py", ("src",), True),
        ("src/a.py", ("./src/",), True),
        ("src/d/a.py", ("src/**/*.py",), True),
        ("lib/a.py", ("src/**", "lib/*"), True),
        ("src/a.py", ("src/**", "!*.py"), False),
        ("src/a.py", ("!tests",), True),
        ("tests/a.py", ("!tests",), False),
        ("#a.py", ("#a.py",), True),
        ("xsrc/a.py", ("src",), False),
    ],
)
def test_is_path_in_scope(
    tmp_path: Path, path: str, scope: tuple[str, ...], expected: bool
) -> None:
    assert Workspace.open(tmp_path).in_scope(path, scope) is expected


PARTS = st.one_of(
    st.sampled_from(["..", ".", "", "a", "d", "out", "loop", "~", "C:", "\\", "//", "\0", "a.py"]),
    st.text(max_size=6),
)


@given(st.lists(PARTS, max_size=8).map("/".join), st.booleans())
def test_no_path_leaves_the_workspace(
    tmp_path_factory: pytest.TempPathFactory, path: str, absolute: bool
) -> None:
    top = tmp_path_factory.getbasetemp() / "paths"
    inside = top / "inside"
    if not top.exists():
        parse("//- d/a.py\ninside\n").write(inside)
        parse("//- a.py\noutside\n").write(top / "outside")
        if os.name != "nt":
            (inside / "out").symlink_to(top / "outside")
            (inside / "d" / "loop").symlink_to(inside)
    workspace = Workspace.open(inside)
    spelled = f"{inside}/{path}" if absolute else path
    with contextlib.suppress(WorkspaceError):
        found = workspace.absolute(spelled)
        assert found.is_relative_to(inside.resolve())
        assert workspace.absolute(workspace.relative(spelled)) == found
        assert workspace.read(spelled).text == "inside\n"
