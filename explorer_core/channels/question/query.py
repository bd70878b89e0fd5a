"""Parses a question into its names, paths, quotes, stack frames, messages and code.

Only shapes are recognised, in any natural language. How much a part matters is decided elsewhere,
by how rare it is in the code. `understand` takes time proportional to the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from explorer_core.channels.question.traces import ErrorMessage, Frame, find_errors, find_frames


@dataclass(frozen=True, slots=True)
class Identifier:
    """A name as code writes it: ``get_user``, ``HttpServer``, ``a.b.c``, ``std::move``, ``run()``,
    ``--dry-run``, or any name inside code. ``in_code``: it never occurs in prose."""

    text: str
    position: int
    in_code: bool = False


@dataclass(frozen=True, slots=True)
class PathMention:
    """Something that may be a file or folder; whether it exists is not checked here."""

    path: str
    position: int
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Quoted:
    """The text between quotation marks or back-ticks, without them."""

    text: str
    position: int
    code: bool = False


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """A fenced code block."""

    text: str
    position: int


@dataclass(frozen=True, slots=True)
class Query:
    """The parts of a question, each kind in order of first appearance. Positions count characters.

    ``title`` is the first line. If that makes a statement and then asks about it, ``asking`` is the
    question, and ``title`` the statement alone."""

    text: str
    title: str
    asking: str = ""
    identifiers: tuple[Identifier, ...] = ()
    paths: tuple[PathMention, ...] = ()
    quoted: tuple[Quoted, ...] = ()
    frames: tuple[Frame, ...] = ()
    errors: tuple[ErrorMessage, ...] = ()
    code_blocks: tuple[CodeBlock, ...] = ()


_FENCE = re.compile(
    r"^[ \t]*(?P<fence>`{3,}+|~{3,}+)[^\n`]*+\n"
    r"(?P<code>.*?)(?:^[ \t]*(?P=fence)[`~]*[ \t]*$|\Z)",
    re.MULTILINE | re.DOTALL,
)
_QUOTED = re.compile(
    r"(?P<tick>`{1,2})(?P<code>[^`\n]{1,300})(?P=tick)"
    r'|(?<!\w)"(?P<double>[^"\n]{1,300})"'
    r"|(?<!\w)'(?P<single>[^'\n]{1,300})'(?!\w)"
    r"|[\u201c\u201e\u00ab\u2039](?P<curly>[^\u201c\u201d\u00bb\u203a\n]{1,300})"
    r"[\u201c\u201d\u00bb\u203a]"
    r"|[\u300c\u300e\u300a](?P<corner>[^\u300d\u300f\u300b\n]{1,300})[\u300d\u300f\u300b]"
)
_URL = re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://[^\s<>\"'`)\]]+", re.IGNORECASE)
_URL_PATH = re.compile(r"^[a-z][a-z0-9+.-]*://[^/]*/(?P<path>[^?#]*)(?:\?[^#]*)?(?P<line>#\S*)?$")
_PATH = re.compile(
    r"(?<![\w./\\@~:-])(?=[\w.~/@\[+-]\S{0,200}?[./\\(#:]|[./~])"
    r"(?P<path>(?:[A-Za-z]:[\\/]|~/|/|\.{1,2}[\\/])?(?:[\w@.+\[\]-]{1,100}[\\/]+){0,40}"
    r"[\w@.+\[\]-]{0,100}\w[\\/]?)"
    r"(?P<line>(?::\d{1,7}(?::\d+|-\d{1,7})?|#L\d{1,7}(?:-L?\d{1,7})?|\(\d{1,7}(?:,\d+)?\))(?!\d))?"
)
_LINE = re.compile(r"\d{1,7}")
_EXTENSION = re.compile(r"[\w\])-]\.[A-Za-z]\w{0,7}$")
_NAME = re.compile(
    r"(?<![\w-])--[A-Za-z][\w-]*|[^\W\d]\w*(?:(?:\.|::|->|\?\.|#)[^\W\d]\w*)*(?P<call>\s?\()?"
)
_ASKING = re.compile(r"(?<=\w[.!;])\s+[^.!?`\"]*\?$")
"""A question at the end of a line, after a sentence that is not one, or after a semicolon."""
_CAPITAL_INSIDE = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]")


@lru_cache(maxsize=16)
def understand(text: str) -> Query:
    """The parts of ``text``: anything from a single word to a long issue with traces and code."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    blocks = tuple(
        CodeBlock(match["code"].rstrip("\n"), match.start("code"))
        for match in _FENCE.finditer(text)
    )
    frames = find_frames(text)
    frame_spans = [frame.span for frame in frames]
    prose = _blanked(text, (match.span() for match in _FENCE.finditer(text)))
    prose = _blanked(prose, frame_spans)
    paths = {mention.position: (mention, span) for mention, span in _paths(prose)}
    title, asking = _title(text)
    without_paths = _blanked(
        prose, (span for mention, span in paths.values() if _is_surely_path(mention))
    )
    return Query(
        text=text,
        title=title,
        asking=asking,
        identifiers=_identifiers(without_paths, _blanked(text, frame_spans), blocks, frames),
        paths=tuple(mention for mention, _ in paths.values()),
        quoted=tuple(_quoted(prose)),
        frames=frames,
        errors=find_errors(text, frames, [(b.position, b.position + len(b.text)) for b in blocks]),
        code_blocks=blocks,
    )


def _blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """``text`` with the spans replaced by spaces, so that positions stay valid."""
    pieces: list[str] = []
    position = 0
    for start, end in sorted(spans):
        if end > position:
            start = max(start, position)
            blank = "\n".join(" " * len(line) for line in text[start:end].split("\n"))
            pieces += [text[position:start], blank]
            position = end
    return "".join((*pieces, text[position:]))


def _title(text: str) -> tuple[str, str]:
    """The title, and a question split off from its end (or an empty string).

    It is split off if it is shorter than the statements before it and contains no name in code
    style: it then asks about what they say."""
    first = re.search(r"\S[^\n]*", text)
    title = first[0].strip("#* \t") if first else ""
    asking = _ASKING.search(title)
    if asking is None or any(map(_is_name, asking[0].strip(" ?").split())):
        return title, ""
    before = title[: asking.start()]
    return (before, asking[0]) if len(asking[0].split()) < len(before.split()) else (title, "")


def _quoted(text: str) -> Iterator[Quoted]:
    for match in _QUOTED.finditer(text):
        kind = match.lastgroup
        written = match[kind].lstrip() if kind is not None else ""
        if kind is not None and written:
            yield Quoted(written.rstrip(), match.end(kind) - len(written), code=kind == "code")


def _paths(text: str) -> Iterator[tuple[PathMention, tuple[int, int]]]:
    urls = [(match, match.span()) for match in _URL.finditer(text)]
    for match, span in urls:
        parts = _URL_PATH.match(match[0].rstrip(".,;:!?"))
        if parts and parts["path"]:
            yield _mention(parts["path"], parts["line"], match.start()), span
    for match in _PATH.finditer(_blanked(text, (span for _, span in urls))):
        path = match["path"].rstrip(".")
        if match["line"] or "/" in path or "\\" in path or _EXTENSION.search(path):
            if not any(character.isalpha() for character in path):
                continue
            line = match["line"] if _EXTENSION.search(path) or "/" in path else None
            if match["line"] and line is None:
                continue
            yield _mention(path, line, match.start()), match.span()


def _mention(path: str, suffix: str | None, position: int) -> PathMention:
    line = _LINE.search(suffix) if suffix else None
    return PathMention(path.replace("\\", "/"), position, int(line[0]) or None if line else None)


def _is_surely_path(mention: PathMention) -> bool:
    """Whether it is hardly anything but a path; ``a.b`` and ``a/b`` may be names or words."""
    return mention.line is not None or (
        "/" in mention.path and _EXTENSION.search(mention.path) is not None
    )


def _identifiers(
    prose: str, text: str, blocks: tuple[CodeBlock, ...], frames: tuple[Frame, ...]
) -> tuple[Identifier, ...]:
    found: dict[str, Identifier] = {}
    code = [quote for quote in _quoted(prose) if quote.code]
    in_ticks = {(quote.position, quote.position + len(quote.text)) for quote in code}
    for match in _NAME.finditer(_blanked(prose, in_ticks)):
        if match[0].isalpha() and match[0].islower() and match[0].isascii():
            continue
        name = match[0].rstrip("( \t\n")
        if _is_name(name) or (match["call"] and not match["call"].startswith((" ", "\n"))):
            _record(found, name, match.start(), in_code=False)
    coded = [(q.position, q.text, False) for q in code]
    coded += [
        (block.position, text[block.position : block.position + len(block.text)], True)
        for block in blocks
    ]
    coded += [(frame.span[0], frame.function, True) for frame in frames]
    for start, piece, in_code in coded:
        for match in _NAME.finditer(piece):
            name = match[0].rstrip("( \t\n")
            _record(found, name, start + match.start(), in_code=in_code)
    return tuple(sorted(found.values(), key=lambda name: name.position))


def _record(found: dict[str, Identifier], name: str, position: int, *, in_code: bool) -> None:
    """Record an occurrence of a name: keep the first position, and whether all are in code."""
    if (known := found.get(name)) is not None:
        position, in_code = min(known.position, position), known.in_code and in_code
    found[name] = Identifier(name, position, in_code)


def _is_name(token: str) -> bool:
    """Whether a token has a shape that is rare in prose."""
    if not token.isascii():
        inner = any(a.islower() and b.isupper() for a, b in pairwise(token))
        return inner or "_" in token or any(c.isdigit() for c in token)
    return not token.isalpha() or (
        _CAPITAL_INSIDE.search(token) is not None and not token.isupper()
    )
