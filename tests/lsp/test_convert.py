"""Positions, URIs and paths."""

from __future__ import annotations

import gc
import sys
from pathlib import PurePosixPath, PureWindowsPath
from types import FrameType

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lsprotocol.types import (
    Position,
    Range,
    TextDocumentContentChangePartial,
    TextDocumentContentChangeWholeDocument,
)

from explorer_core.contracts import LineRange
from lsp_server.convert import (
    Folder,
    Places,
    column,
    split_lines,
    to_lines,
    to_range,
    uri_to_path,
    width,
)
from lsp_server.workspace.documents import Document

ENCODINGS = ("utf-8", "utf-16", "utf-32")
CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
encodings = st.sampled_from(ENCODINGS)
lines = st.text(st.sampled_from("ab \té🧺篮\u2028\x0c𝄞"), max_size=12)
texts = st.text(st.sampled_from("ab\n\ré🧺篮\u2028\x0c𝄞"), max_size=40)


@given(lines, encodings)
def test_width_is_the_number_of_code_units(line: str, encoding: str):
    codec, size = CODECS[encoding]
    assert width(line, encoding) == len(line.encode(codec)) // size


@given(lines, st.integers(0, 12), encodings)
def test_column_undoes_width(line: str, index: int, encoding: str):
    index = min(index, len(line))
    assert column(line, width(line[:index], encoding), encoding) == index


@given(lines, st.integers(0, 100), encodings)
def test_column_is_last_character_starting_before_offset(line: str, character: int, encoding: str):
    index = column(line, character, encoding)
    assert width(line[:index], encoding) <= character
    assert index == len(line) or width(line[: index + 1], encoding) > character


@given(texts, st.data(), encodings)
def test_lines_survive_the_round_trip(text: str, data: st.DataObject, encoding: str):
    file_lines = split_lines(text)
    start = data.draw(st.integers(1, len(file_lines)))
    end = data.draw(st.integers(start, len(file_lines)))
    span = to_range(LineRange(start=start, end=end), file_lines, encoding)
    assert split_lines(Document(text).text_in(span, encoding)) == file_lines[start - 1 : end]
    if file_lines[end - 1] or start == end:
        assert to_lines(span) == LineRange(start=start, end=end)


@given(st.integers(1, 50), st.integers(0, 50), texts, encodings)
def test_a_range_never_leaves_the_file(start: int, more: int, text: str, encoding: str):
    file_lines = split_lines(text)
    span = to_range(LineRange(start=start, end=start + more), file_lines, encoding)
    assert 0 <= span.start.line <= span.end.line < len(file_lines)


@given(texts, st.lists(st.tuples(texts, st.data()), max_size=4), encodings)
@example("a\x0cb\nc", [("x", (2, 3))], "utf-16")
@example("a\rb", [("\n", (2, 2)), ("", (1, 3))], "utf-16")
def test_edit_replaces_exactly_the_text_in_its_range(
    text: str, edits: list[tuple[str, st.DataObject | tuple[int, int]]], encoding: str
):
    """An edit between two positions replaces exactly the text between them."""
    document = Document(text)
    for new, where in edits:
        first, last = where if isinstance(where, tuple) else _two_offsets(text, where)
        span = Range(_position(text, first, encoding), _position(text, last, encoding))
        assert document.text_in(span, encoding) == text[first:last]
        document.edit(TextDocumentContentChangePartial(span, new), encoding)
        text = text[:first] + new + text[last:]
        assert document.text == text
        assert [line.rstrip("\r\n") for line in document.lines] == split_lines(text)


def _two_offsets(text: str, data: st.DataObject) -> list[int]:
    """Two offsets that have an LSP position, i.e. not between the characters of a line ending."""
    possible = [n for n in range(len(text) + 1) if text[n - 1 : n + 1] != "\r\n"]
    return sorted(data.draw(st.sampled_from(possible)) for _ in range(2))


def _position(text: str, at: int, encoding: str) -> Position:
    before = split_lines(text[:at])
    return Position(len(before) - 1, width(before[-1], encoding))


@given(texts, texts)
def test_whole_document_edit_replaces_everything(text: str, new: str):
    document = Document(text)
    document.edit(TextDocumentContentChangeWholeDocument(new), "utf-16")
    assert document.text == new


@given(texts, st.integers(0, 60), st.integers(0, 60), encodings)
def test_positions_beyond_the_text_are_clamped(text: str, line: int, at: int, encoding: str):
    beyond = Range(Position(line, at), Position(100, 100))
    assert text.endswith(Document(text).text_in(beyond, encoding))


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize(
    "text",
    ["let a = 1;\n" * 10, "🧺 let a = 1; " * 10, "a\r" * 10],
    ids=["many lines", "a long line beyond ASCII", "lone returns"],
)
def test_cost_of_an_edit_is_independent_of_text_length(text: str, encoding: str):
    """The work for edits at the end of a text does not depend on the text's length."""
    assert _count_edit_work(text * 100, encoding) == _count_edit_work(text, encoding)


def _count_edit_work(text: str, encoding: str) -> tuple[int, int]:
    """The number of function calls for two edits, and of characters split into lines again."""
    end = _position(text, len(text) - 2, encoding)
    change = TextDocumentContentChangePartial(Range(end, end), "x")
    document = Document(text)
    document.edit(change, encoding)
    calls = split = 0

    def count(frame: FrameType, event: str, arg: object) -> None:
        nonlocal calls, split
        calls += event in ("call", "c_call")
        if event == "call" and frame.f_code.co_name == "_lines_with_ends":
            split += len(split_lines(frame.f_locals["text"]))

    gc.disable()  # collecting garbage makes calls of its own
    sys.setprofile(count)
    try:
        document.edit(change, encoding)
        document.edit(change, encoding)
    finally:
        sys.setprofile(None)
        gc.enable()
    return calls, split


@pytest.mark.parametrize(
    ("uri", "flavour", "expected"),
    [
        ("file:///home/me/a%20b.py", PurePosixPath, "/home/me/a b.py"),
        ("file:///home/me/%E7%AF%AE.py", PurePosixPath, "/home/me/篮.py"),
        ("FILE:///x", PurePosixPath, "/x"),
        ("file:///c%3A/Users/me/a.py", PureWindowsPath, "c:/Users/me/a.py"),
        ("file:///C:/Users/me/a.py", PureWindowsPath, "C:/Users/me/a.py"),
        ("file://server/share/a.py", PureWindowsPath, "//server/share/a.py"),
        ("untitled:Untitled-1", PurePosixPath, None),
        ("git:/home/me/a.py?ref", PurePosixPath, None),
        ("", PurePosixPath, None),
        ("file://[broken", PurePosixPath, None),
        ("file:///a%00b", PurePosixPath, None),
    ],
)
def test_uri_to_path(uri: str, flavour: type, expected: str | None):
    path = uri_to_path(uri, flavour)
    assert path == (None if expected is None else flavour(expected))


@given(
    st.text(
        st.characters(exclude_characters="/\\\0", exclude_categories=("Cs",)), min_size=1
    ).filter(lambda name: name not in (".", ".."))
)
def test_any_name_survives_the_round_trip(name: str):
    places = _places("file:///code/here", PurePosixPath)
    path = f"folder/{name}"
    assert places.path(places.uri(path)) == path


@pytest.mark.parametrize(
    ("root", "uri", "flavour", "expected"),
    [
        ("file:///w", "file:///w/a/b.py", PurePosixPath, "a/b.py"),
        ("file:///w/", "file:///w/a.py", PurePosixPath, "a.py"),
        ("file:///w", "file:///wx/a.py", PurePosixPath, None),
        ("file:///w", "file:///w/../x.py", PurePosixPath, None),
        ("file:///w", "file:///w/%2e%2e/x.py", PurePosixPath, None),
        ("file:///c%3A/w", "file:///C:/W/a.py", PureWindowsPath, "a.py"),
        ("file:///C:/w", "file:///c%3A/w/a%20b.py", PureWindowsPath, "a b.py"),
        ("file:///C:/w", "file:///D:/w/a.py", PureWindowsPath, None),
    ],
)
def test_uri_becomes_path_only_inside_its_folder(
    root: str, uri: str, flavour: type, expected: str | None
):
    assert _places(root, flavour).path(uri) == expected


def test_the_clients_own_spelling_of_the_folder_is_kept():
    places = _places("file:///c%3A/My%20Work", PureWindowsPath)
    assert places.uri("src/a b.py") == "file:///c%3A/My%20Work/src/a%20b.py"


def test_nested_folders_map_uris_by_innermost_folder():
    outer, inner = "file:///w/outer", "file:///w/outer/inner"
    folders = tuple((name, _folder(uri)) for name, uri in (("outer", outer), ("inner", inner)))
    places = Places(folders)
    assert places.uri("inner/a.py") == f"{inner}/a.py"
    assert places.uri("outer/b/c.py") == f"{outer}/b/c.py"
    assert places.path(f"{inner}/a.py") == "inner/a.py"
    assert places.path(f"{outer}/a.py") == "outer/a.py"
    with pytest.raises(ValueError, match="no workspace folder"):
        places.uri("elsewhere/a.py")


def _folder(uri: str, flavour: type = PurePosixPath) -> Folder:
    folder = Folder.of(uri, flavour)
    assert folder is not None
    return folder


def _places(uri: str, flavour: type) -> Places:
    return Places((("w", _folder(uri, flavour)),))
