"""Makes preprocessed text (C, C++) readable to a grammar that knows no preprocessor.

A macro where the grammar expects none (``API_EXPORT class Foo``, ``BEGIN_NAMESPACE``), or branches
of a conditional that each open the same block, make a parser lose its way for the rest of the
declaration or file. Misplaced macros and conditionals are therefore blanked byte for byte, which
keeps all offsets. If the branches do not stand on their own, all but the first are blanked too.
What was blanked still counts as a use of what it names, and so do macro bodies. A branch that is
never taken (``#if 0``) counts for nothing. A macro that is given a declaration and an expression
(``ASSIGN(auto a, make());``) is removed around them, and they become two statements.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from explorer_core.index.extraction.brackets import closing_mark
from explorer_core.index.extraction.patterns import compiled

if TYPE_CHECKING:
    from explorer_core.index.extraction.source import Source
    from explorer_core.index.languages.parsing_rules import ParsingRules

Span = tuple[int, int]
_LINE = 200
_PARAMETERS = 2000
_BODIES = 4000
"""How many macro bodies and conditions of a file are read; more are tables rather than code."""
_DIRECTIVE = re.compile(
    r"^[ \t]*#[ \t]*(define|if(?:n?def)?|el(?:if(?:n?def)?|se)|endif)\b((?:[^\n\\]|\\[\s\S])*)",
    re.MULTILINE,
)
_NEVER = re.compile(r"\s*(?:0|false)\s*(?:/[/*].*)?", re.DOTALL)
_ALWAYS = re.compile(r"\s*(?:1|true)\s*(?:/[/*].*)?", re.DOTALL)
_INLINE = re.compile(r"/\*.*?\*/", re.DOTALL)
_WORD = re.compile(r"[A-Za-z_]\w*")
_BRACKET = re.compile(r"""[()]|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'""")
"""A parenthesis, or a quotation, which may contain some that do not count."""
_PARENTHESIS = re.compile(r"[()]")
_ENDED = re.compile(r"\s*;")
_NAMESPACE = re.compile(r"\bnamespace\s+([A-Za-z_][\w:]*)\s*\{")


@dataclass(slots=True)
class Readable:
    """The text for the grammar, the places where macro names were removed, and the places of
    conditions and arguments."""

    raw: bytes
    uses: list[Span] = field(default_factory=list[Span])
    others: list[Span] = field(default_factory=list[Span])


def readable(source: Source, rules: ParsingRules) -> Readable:
    """Blanks the conditionals and the macros that the grammar does not expect."""
    found = Readable(source.raw)
    found.raw = _blanked(source.raw, _conditionals(source.flat, found.others))
    flat = found.raw.decode("latin-1")
    hidden: list[Span] = []
    comments = [match.span() for match in _INLINE.finditer(flat)]
    for start, end in _misplaced(flat, rules):
        word = _WORD.search(flat, start, end)
        if word and _is_code(flat, word.start(), comments):
            hidden.append((start, end))
            found.uses.append(word.span())
            found.others.append((word.end(), end))
    commas: list[int] = []
    for name, comma, closing in _declaring(flat, rules):
        if _is_code(flat, name[0], comments):
            hidden += [(name[0], flat.index("(", name[1]) + 1), (closing, closing + 1)]
            commas.append(comma)
            found.uses.append(name)
    text = bytearray(_blanked(found.raw, hidden))
    for comma in commas:
        text[comma : comma + 1] = b";"
    found.raw = bytes(text)
    return found


def _misplaced(flat: str, rules: ParsingRules) -> Iterator[Span]:
    """Yields the macros that the grammar does not expect."""
    for pattern in rules.stray_macros:
        yield from (match.span(1) for match in compiled(pattern, re.MULTILINE).finditer(flat))
    if rules.trailing_macros:
        declarator = compiled(rules.declarator, re.MULTILINE)
        for match in compiled(rules.trailing_macros, re.MULTILINE).finditer(flat):
            opening = _opening(flat, match.start())
            line = max(flat.rfind("\n", 0, opening) + 1, opening - _LINE)
            if declarator.search(flat, line, opening):
                yield match.span(1)


def _declaring(flat: str, rules: ParsingRules) -> Iterator[tuple[Span, int, int]]:
    """Yields macros that are given a declaration and an expression: the name's span, the comma
    between the two, and the closing parenthesis."""
    if rules.declaring_macros:
        for match in compiled(rules.declaring_macros, re.MULTILINE).finditer(flat):
            closing = _closing(flat, match.start(2))
            if closing and _ENDED.match(flat, closing + 1):
                yield match.span(1), match.start(2), closing


def _closing(flat: str, inside: int) -> int:
    """Returns the parenthesis that closes the arguments around an offset; 0 if it is far away."""
    mark = closing_mark(_BRACKET.finditer(flat, inside, inside + _PARAMETERS), "(", ")", depth=1)
    return mark.start() if mark else 0


def _opening(flat: str, closing: int) -> int:
    """Returns the parenthesis that the one at ``closing`` closes; 0 if it is far away."""
    backwards = flat[max(0, closing - _PARAMETERS) + 1 : closing + 1][::-1]
    mark = closing_mark(_PARENTHESIS.finditer(backwards), ")", "(")
    return closing - mark.start() if mark else 0


def unconditional(source: Source) -> Iterator[bytes]:
    """Yields the text without conditionals: with all branches that open no block, then with only
    the first branch of each conditional. Yields nothing if there are none."""
    spans = list(_conditionals(source.flat, []))
    if spans:
        yield _blanked(source.raw, spans)
        yield _blanked(source.raw, _conditionals(source.flat, [], first_only=True))


def namespaces(source: Source, bodies: Iterable[Span]) -> Iterator[Span]:
    """Yields the names of namespaces that macros open (``#define BEGIN namespace a {``)."""
    for start, end in bodies:
        for match in _NAMESPACE.finditer(source.flat, start, end):
            yield match.span(1)


def together(source: Source, bodies: Iterable[Span]) -> bytes:
    """Returns only the bodies and conditions, each in its place and ended like a statement. Empty
    if they name nothing."""
    naming = [span for span in bodies if _WORD.search(source.flat, *span)][:_BODIES]
    text = bytearray(b" " * (max((end for _, end in naming), default=-2) + 2))
    for start, end in sorted(naming):
        body = source.raw[start:end].replace(b"\\\n", b"  ").replace(b"defined", b"       ")
        text[start:end] = body
        text[end : end + 2] = b"\n;"
    return bytes(text)


def _conditionals(flat: str, conditions: list[Span], *, first_only: bool = False) -> Iterator[Span]:
    """Yields the directives of conditionals, and the branches to leave out."""
    opened: list[_Conditional] = []
    for match in _DIRECTIVE.finditer(flat):
        word = match.group(1)
        if word == "define":
            yield from (comment.span() for comment in _INLINE.finditer(flat, *match.span(2)))
            continue
        yield match.span()
        if word not in ("else", "endif"):
            conditions.append(match.span(2))
        if word.startswith("if"):
            opened.append(_Conditional())
        elif opened:
            opened[-1].end(match.start())
        if opened and word != "endif":
            opened[-1].begin(match.end(), match.group(2) if word in ("if", "elif") else "")
        elif opened:
            done = opened.pop()
            yield from done.dead
            if done.dead:
                conditions[:] = [span for span in conditions if not _is_within(span, done.dead)]
            if first_only or any(_balance(flat, *branch) for branch in done.branches):
                yield from done.branches[1:]


class _Conditional:
    """The branches of a conditional so far; those that are never taken are kept apart."""

    def __init__(self) -> None:
        self.branches: list[Span] = []
        self.dead: list[Span] = []
        self._begun = 0
        self._is_taken = False
        self._is_decided = False
        """Whether some branch is always taken, so that none after it is."""

    def begin(self, start: int, condition: str) -> None:
        self._begun = start
        self._is_taken = not self._is_decided and not _NEVER.fullmatch(condition)
        self._is_decided |= bool(_ALWAYS.fullmatch(condition))

    def end(self, end: int) -> None:
        (self.branches if self._is_taken else self.dead).append((self._begun, end))


def _is_within(span: Span, others: Iterable[Span]) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in others)


def _balance(flat: str, start: int, end: int) -> int:
    braces = flat.count("{", start, end) - flat.count("}", start, end)
    return braces or flat.count("(", start, end) - flat.count(")", start, end)


def _is_code(text: str, at: int, comments: list[Span]) -> bool:
    """Whether an offset is outside of directives, comments and quotations, as far as its line
    shows."""
    start = text.rfind("\n", 0, at) + 1
    before = text[start:at]
    if before.lstrip().startswith(("#", "*", "//")) or "//" in before or before.count('"') % 2:
        return False
    around = bisect_right(comments, (at, at)) - 1
    return (around < 0 or comments[around][1] <= at) and text[start - 2 : start - 1] != "\\"


def _blanked(raw: bytes, spans: Iterable[Span]) -> bytes:
    text = bytearray(raw)
    for start, end in spans:
        lines = raw[start:end].split(b"\n")
        text[start:end] = b"\n".join(b" " * len(line) for line in lines)
    return bytes(text)
