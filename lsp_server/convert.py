"""Converts between the core's places and LSP's: lines, columns in any encoding, URIs, paths.

The core counts lines from 1, with both ends included, and has no columns. LSP counts lines from 0,
and columns in code units of the encoding agreed in ``initialize``; the end of a range is excluded.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePath, PureWindowsPath
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from cattrs import Converter
from lsprotocol.converters import get_converter
from lsprotocol.types import Location, Position, PositionEncodingKind, Range

from explorer_core.contracts import LineRange

Encoding = PositionEncodingKind | str
LINE_END = re.compile(r"\r\n?|\n")


def split_lines(text: str) -> list[str]:
    r"""The lines of a text without their ends, as LSP counts them: ``\n``, ``\r\n`` and ``\r``."""
    return LINE_END.split(text)


def width(text: str, encoding: Encoding) -> int:
    """Length of ``text`` in code units of ``encoding``."""
    if encoding == PositionEncodingKind.Utf8:
        return len(text.encode("utf-8", "surrogatepass"))
    if encoding == PositionEncodingKind.Utf32:
        return len(text)
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def column(line: str, character: int, encoding: Encoding) -> int:
    """Index into ``line`` of the column ``character``.

    As the protocol demands, a column beyond the line means its end, and one inside a character
    means that character's start.
    """
    before = line[: max(0, character)]  # every character has at least one code unit
    if encoding == PositionEncodingKind.Utf32 or before.isascii():
        return len(before)
    # Encoded as a whole: character by character, a line of a million takes seconds. Decoding drops
    # a character that was cut in the middle.
    codec, size = ("utf-8", 1) if encoding == PositionEncodingKind.Utf8 else ("utf-16-le", 2)
    units = before.encode(codec, "replace")[: character * size]
    return len(units.decode(codec, "ignore"))


def to_range(lines: LineRange, text: Sequence[str], encoding: Encoding) -> Range:
    """The LSP range of whole lines; ``text`` is the file's lines without their ends.

    The range ends at the end of the last line, not at the start of the next, which need not exist.
    """
    last = min(lines.end, max(len(text), 1))
    first = min(lines.start, last)
    end = width(text[last - 1], encoding) if text else 0
    return Range(Position(first - 1, 0), Position(last - 1, end))


def to_lines(span: Range) -> LineRange:
    """The lines that an LSP range touches, without a last line at whose start the range ends."""
    start, end = span.start.line + 1, span.end.line + 1
    if span.end.character == 0 and end > start:
        end -= 1
    return LineRange(start=start, end=max(start, end))


def is_outside_workspace(path: str) -> bool:
    """Whether a path names a file outside of the workspace, inside which paths are relative."""
    return PurePath(path).is_absolute()


def as_json(location: Location | None) -> Any:
    """A location in its JSON form."""
    return None if location is None else _converter().unstructure(location)


@cache
def _converter() -> Converter:
    return get_converter()  # takes milliseconds each time


def uri_to_path(uri: str, flavour: type[PurePath] = PurePath) -> PurePath | None:
    """The file that a ``file:`` URI names; None for any other URI.

    ``flavour`` is the path type of the system the URI comes from.
    """
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    if parts.scheme.lower() != "file":
        return None
    path = unquote(parts.path, errors="surrogateescape")
    if not path or "\0" in path:
        return None
    if not _is_windows(flavour):
        return flavour(path)
    if parts.netloc and parts.netloc != "localhost":
        return flavour(f"//{unquote(parts.netloc)}{path}")
    return flavour(path[1:] if re.match(r"/[A-Za-z]:", path) else path)


def _is_windows(flavour: type[PurePath]) -> bool:
    if flavour in (PurePath, Path):
        return os.name == "nt"
    return issubclass(flavour, PureWindowsPath)


@dataclass(frozen=True, slots=True)
class Folder:
    """One workspace folder as the client names it.

    ``uri`` is kept as it was sent. The URIs of documents must begin with the folder that the client
    opened, even if that is a symbolic link or has an unusual spelling of a drive letter.
    """

    uri: str
    path: PurePath

    @classmethod
    def of(cls, uri: str, flavour: type[PurePath] = Path) -> Folder | None:
        """The folder of a ``file:`` URI, None for other schemes."""
        path = uri_to_path(uri, flavour)
        return None if path is None else cls(uri.rstrip("/"), path)


@dataclass(frozen=True, slots=True)
class Places:
    """Converts workspace paths to URIs and back, given the folders and the names that prefix paths.

    With a single folder, paths have no prefix and its name does not matter.
    """

    folders: tuple[tuple[str, Folder], ...]

    def uri(self, path: str) -> str:
        """The URI of a workspace-relative path; raises ValueError if it is in no folder."""
        for name, folder in () if is_outside_workspace(path) else self.folders:
            inner = path
            if len(self.folders) > 1:
                first, _, inner = path.partition("/")
                if first != name:
                    continue
            quoted = quote(os.fsencode(inner), safe="/~")
            return f"{folder.uri}/{quoted}" if quoted else folder.uri
        raise ValueError(f"{path} is in no workspace folder")

    def path(self, uri: str) -> str | None:
        """The workspace-relative path of a URI, by the innermost folder; None outside."""
        candidates: list[tuple[int, str]] = []
        for name, folder in self.folders:
            file = uri_to_path(uri, type(folder.path))
            if file is None or ".." in file.parts or not file.is_relative_to(folder.path):
                continue
            inner = file.relative_to(folder.path).as_posix()
            candidates.append((len(folder.path.parts), self._prefixed(name, inner)))
        return max(candidates)[1] if candidates else None

    def _prefixed(self, name: str, inner: str) -> str:
        if len(self.folders) == 1:
            return inner
        return name if inner == "." else f"{name}/{inner}"
