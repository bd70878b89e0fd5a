"""Recognises stack frames and error messages in free text by their shape."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_LONGEST_LINE = 600


@dataclass(frozen=True, slots=True)
class Frame:
    """One line of a stack trace, or of a compiler's output.

    ``function`` is empty if the line names none; ``message`` is the text after the position.
    ``span`` is the line's range of character offsets.
    """

    path: str
    line: int
    function: str
    message: str
    span: tuple[int, int]


@dataclass(frozen=True, slots=True)
class ErrorMessage:
    """A message as the program printed it.

    ``kind`` is the name before its first colon, often the error's type. ``pieces`` are the parts
    that may occur verbatim in the source: without quoted values, numbers, paths and the like.
    """

    text: str
    kind: str
    pieces: tuple[str, ...]
    position: int


_PATH = r"(?P<path>(?:[A-Za-z]:(?=[\\/])|[a-z]{2,12}:/{2,3})?[^\s:*?\"<>|()]*[^\s:*?\"<>|()\d])"
# Not possessive: Python 3.11.2 (Debian 12) then loses the text matched before such a group.
_AT = r":(?P<line>\d{1,7})(?::\d+|(?!:\d))"
_LEAD = r"(?:[#>|*-]{0,3}\s{0,3}\d{0,5}:?\s{1,6})?(?:\([^()\n]*\)\s{1,6})?"
_FUNCTION = r"(?P<function>[^\s()\"]+(?:\s[^\s()\"]+){0,4})"

_SHAPES = tuple(
    re.compile(shape)
    for shape in (
        # File "src/app.py", line 12, in handle
        r"(?:\S+\s)?\"(?P<path>[^\"\n]+)\",\s\w+\s(?P<line>\d{1,7})(?:,\s\w+\s(?P<function>.+))?$",
        # at handle (src/app.js:12:5)     at shop.Cart.add(Cart.java:12)
        rf"{_LEAD}{_FUNCTION}\s?\({_PATH}{_AT}\)$",
        # at Shop.Cart.Add(Int32 id) in /src/Cart.cs:line 12
        rf"{_LEAD}{_FUNCTION}\([^()\n]*\)\s\w+\s(?P<path>\S.*?):\w+\s(?P<line>\d{{1,7}})$",
        # #0 /srv/src/Cart.php(12): Shop\Cart->add()
        r"(?:#\d+\s)?(?P<path>[^\s()]+\.\w+)\((?P<line>\d{1,7})(?:,\d+)?\):\s?(?P<message>.*)$",
        # #1 0x4f in add src/cart.c:12:5
        rf"#\d+\s+0x[0-9a-f]+\s\w+\s{_FUNCTION}(?:\s?\([^()\n]*\))?\s(?:\w+\s)?{_PATH}{_AT}$",
        # at src/main.rs:12:5     /src/cart.go:12 +0x1d     src/cart.rb:12:in `add'
        # src/cart.c:12:5: message     (shop 1.0) lib/cart.ex:12: Cart.add/1
        rf"{_LEAD}(?:\w+\s)?{_PATH}{_AT}(?:\s\+0x[0-9a-f]+|:\s*(?P<message>\S.*))?$",
    )
)
_MAY_BE_FRAME = re.compile(r"[:(]\d|,\s\w+\s\d|:\w+\s\d")
_NAMED = re.compile(
    r"^(?:\w+\s)?[`'\"]?(?P<function>[\w.:#$<>?!/\\-]+(?:->\w+)?)(?:\([^()]*\))?['`\"]?$"
)
_ALIAS = re.compile(r"\s\[[^\[\]]*\]$")
"""An alias that follows the function's own name."""
_LINE = re.compile(r"[^\n]+")
_KIND = re.compile(
    r"^\s*(?:\w+\s){0,3}?(?P<kind>[^\W\d][\w.$\\]*(?:::\w+)*)(?:\s?[(\[][^()\[\]\n]*[)\]])?:\s+(?=\S)"
)
_VARIABLE = re.compile(
    r"`[^`\n]*`|\"[^\"\n]*\"|(?<!\w)'[^'\n]*'|[\u2018\u201c][^\u2019\u201d\n]*[\u2019\u201d]"
    r"|<[^<>\n]*>|\{[^{}\n]*\}|\[[^\[\]\n]*\]"
    r"|(?:[A-Za-z]:)?[\w.~@-]*(?:[\\/][\w.@-]+)+|\b0x[0-9a-fA-F]+\b|\b\d[\w.:-]*"
)
_QUOTED_VALUE = re.compile(
    r"`[^`\n]+`|\"[^\"\n]+\"|(?<!\w)'[^'\n]+'(?!\w)|[\u2018\u201c][^\n]+[\u2019\u201d]"
)
_SHORTEST_PIECE = 4


def find_frames(text: str) -> tuple[Frame, ...]:
    """The frames in order. Lines too long for a frame are skipped."""
    return tuple(_frames(text))


def _frames(text: str) -> Iterator[Frame]:
    for line in _LINE.finditer(text):
        content = line[0].strip()
        if len(content) > _LONGEST_LINE or not _MAY_BE_FRAME.search(content):
            continue
        for shape in _SHAPES:
            match = shape.match(content)
            if match and _is_place(match["path"]) and int(match["line"]):
                groups = match.groupdict()
                function, message = groups.get("function") or "", groups.get("message") or ""
                named = _NAMED.match(message)
                if named and not function:
                    function, message = named["function"], ""
                function = _ALIAS.sub("", function).split()[-1] if function else ""
                path = re.sub(r"^[a-z]+://", "", match["path"]).replace("\\", "/")
                yield Frame(path, int(match["line"]), function, message, line.span())
                break


def _is_place(path: str) -> bool:
    return re.search(r"[\\/]|\w\.[A-Za-z]\w{0,9}$", path) is not None


def find_errors(
    text: str, frames: Sequence[Frame], code: Sequence[tuple[int, int]]
) -> tuple[ErrorMessage, ...]:
    """The messages in a text: the text after the position on a frame's line, the lines before and
    after a run of frames, and lines that contain a quoted value and either start with a name and a
    colon or lie inside ``code`` (character offsets)."""
    lines = [(match.start(), match[0]) for match in _LINE.finditer(text)]
    starts = [start for start, _ in lines]
    framed = {bisect_right(starts, frame.span[0]) - 1 for frame in frames}
    chosen: dict[int, str] = {
        frame.span[0]: frame.message for frame in frames if " " in frame.message
    }
    for number in _lines_beside_frames(lines, framed):
        chosen[lines[number][0]] = lines[number][1]
    for number, (start, line) in enumerate(lines):
        if number in framed or len(line) > _LONGEST_LINE or not _QUOTED_VALUE.search(line):
            continue
        if _KIND.match(line) or any(first <= start < last for first, last in code):
            chosen.setdefault(start, line)
    messages = (_message(line, start) for start, line in sorted(chosen.items()))
    return tuple(message for message in messages if message.pieces or message.kind)


def _lines_beside_frames(lines: Sequence[tuple[int, str]], framed: set[int]) -> Iterator[int]:
    """The line before each run of frames, and the first line after it that is not indented deeper.

    Lines indented deeper than a frame are the source code shown for it, and part of the run.
    """
    for number in framed:
        indent = _indent(lines[number][1])
        before = number - 1
        if before >= 0 and before not in framed and _indent(lines[before][1]) <= indent:
            yield before
        after = number + 1
        while after < len(lines) and _indent(lines[after][1]) > indent and after not in framed:
            after += 1
        if after < len(lines) and after not in framed:
            yield after


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _message(line: str, position: int) -> ErrorMessage:
    line = line[:_LONGEST_LINE]
    head = _KIND.match(line)
    body = line[head.end() :] if head else line
    pieces = (piece.strip(" \t:;,.()=-") for piece in _VARIABLE.split(body))
    kept = tuple(
        piece
        for piece in pieces
        if len(piece) >= _SHORTEST_PIECE and any(character.isalpha() for character in piece)
    )
    return ErrorMessage(line.strip(), head["kind"] if head else "", kept, position)
