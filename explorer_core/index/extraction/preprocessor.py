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
_LINE_LENGTH = 200
_PARAMETERS_LENGTH = 2000
_MAX_BODIES = 4000
"""How many macro bodies and conditions of a file are read; more are tables rather than code."""
_DIRECTIVE = re.compile(
    r"^[ \t]*#[ \t]*(define|if(?:n?def)?|el(?:if(?:n?def)?|se)|endif)\b((?:[^\n\\]|\\[\s\S])*)",
    re.MULTILINE,
)
_NEVER = re.compile(r"\s*(?:0|false)\s*(?:/[/*].*)?", re.DOTALL)
_ALWAYS = re.compile(r"\s*(?:1|true)\s*(?:/[/*].*)?", re.DOTALL)
_BLOCK_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_WORD = re.compile(r"[A-Za-z_]\w*")
_BRACKET = re.compile(r"""[()]|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'""")
"""A parenthesis, or a quotation, which may contain some that do not count."""
_PARENTHESIS = re.compile(r"[()]")
_STATEMENT_END = re.compile(r"\s*;")
_NAMESPACE = re.compile(r"\bnamespace\s+([A-Za-z_][\w:]*)\s*\{")


@dataclass(slots=True)
class Readable:
    """The text for the grammar, the places where macro names were removed, and the places of
    conditions and arguments."""

    raw: bytes
    macro_names: list[Span] = field(default_factory=list[Span])
    expressions: list[Span] = field(default_factory=list[Span])


def readable(source: Source, rules: ParsingRules) -> Readable:
    """Blanks the conditionals and the macros that the grammar does not expect."""
    result = Readable(source.raw)
    result.raw = _blanked(source.raw, _conditionals(source.flat, result.expressions))
    flat = result.raw.decode("latin-1")
    hidden_spans: list[Span] = []
    comments = [match.span() for match in _BLOCK_COMMENT.finditer(flat)]
    for start, end in _misplaced_macros(flat, rules):
        word = _WORD.search(flat, start, end)
        if word and _is_code(flat, word.start(), comments):
            hidden_spans.append((start, end))
            result.macro_names.append(word.span())
            result.expressions.append((word.end(), end))
    commas: list[int] = []
    for name, comma, closing in _declaring_macros(flat, rules):
        if _is_code(flat, name[0], comments):
            hidden_spans += [(name[0], flat.index("(", name[1]) + 1), (closing, closing + 1)]
            commas.append(comma)
            result.macro_names.append(name)
    text = bytearray(_blanked(result.raw, hidden_spans))
    for comma in commas:
        text[comma : comma + 1] = b";"
    result.raw = bytes(text)
    return result


def _misplaced_macros(flat: str, rules: ParsingRules) -> Iterator[Span]:
    """Yields the macros that the grammar does not expect."""
    for pattern in rules.stray_macros:
        yield from (match.span(1) for match in compiled(pattern, re.MULTILINE).finditer(flat))
    if rules.trailing_macros:
        declarator = compiled(rules.declarator, re.MULTILINE)
        for match in compiled(rules.trailing_macros, re.MULTILINE).finditer(flat):
            opening = _opening_parenthesis(flat, match.start())
            line = max(flat.rfind("\n", 0, opening) + 1, opening - _LINE_LENGTH)
            if declarator.search(flat, line, opening):
                yield match.span(1)


def _declaring_macros(flat: str, rules: ParsingRules) -> Iterator[tuple[Span, int, int]]:
    """Yields macros that are given a declaration and an expression: the name's span, the comma
    between the two, and the closing parenthesis."""
    if rules.declaring_macros:
        for match in compiled(rules.declaring_macros, re.MULTILINE).finditer(flat):
            closing = _closing_parenthesis(flat, match.start(2))
            if closing and _STATEMENT_END.match(flat, closing + 1):
                yield match.span(1), match.start(2), closing


def _closing_parenthesis(flat: str, inside: int) -> int:
    """Returns the parenthesis that closes the arguments around an offset; 0 if it is far away."""
    mark = closing_mark(
        _BRACKET.finditer(flat, inside, inside + _PARAMETERS_LENGTH), "(", ")", depth=1
    )
    return mark.start() if mark else 0


def _opening_parenthesis(flat: str, closing: int) -> int:
    """Returns the parenthesis that the one at ``closing`` closes; 0 if it is far away."""
    backwards = flat[max(0, closing - _PARAMETERS_LENGTH) + 1 : closing + 1][::-1]
    mark = closing_mark(_PARENTHESIS.finditer(backwards), ")", "(")
    return closing - mark.start() if mark else 0


def unconditional(source: Source) -> Iterator[bytes]:
    """Yields the text without conditionals: with all branches that open no block, then with only
    the first branch of each conditional. Yields nothing if there are none."""
    spans = list(_conditionals(source.flat, []))
    if spans:
        yield _blanked(source.raw, spans)
        yield _blanked(source.raw, _conditionals(source.flat, [], first_only=True))


def opened_namespaces(source: Source, bodies: Iterable[Span]) -> Iterator[Span]:
    """Yields the names of namespaces that macros open (``#define BEGIN namespace a {``)."""
    for start, end in bodies:
        for match in _NAMESPACE.finditer(source.flat, start, end):
            yield match.span(1)


def joined(source: Source, bodies: Iterable[Span]) -> bytes:
    """Returns only the bodies and conditions, each in its place and ended like a statement. Empty
    if they name nothing."""
    naming = [span for span in bodies if _WORD.search(source.flat, *span)][:_MAX_BODIES]
    text = bytearray(b" " * (max((end for _, end in naming), default=-2) + 2))
    for start, end in sorted(naming):
        body = source.raw[start:end].replace(b"\\\n", b"  ").replace(b"defined", b"       ")
        text[start:end] = body
        text[end : end + 2] = b"\n;"
    return bytes(text)


def _conditionals(flat: str, conditions: list[Span], *, first_only: bool = False) -> Iterator[Span]:
    """Yields the directives of conditionals, and the branches to leave out."""
    open_conditionals: list[_Conditional] = []
    for match in _DIRECTIVE.finditer(flat):
        directive = match.group(1)
        if directive == "define":
            yield from (comment.span() for comment in _BLOCK_COMMENT.finditer(flat, *match.span(2)))
            continue
        yield match.span()
        if directive not in ("else", "endif"):
            conditions.append(match.span(2))
        if directive.startswith("if"):
            open_conditionals.append(_Conditional())
        elif open_conditionals:
            open_conditionals[-1].end_branch(match.start())
        if open_conditionals and directive != "endif":
            open_conditionals[-1].begin_branch(
                match.end(), match.group(2) if directive in ("if", "elif") else ""
            )
        elif open_conditionals:
            conditional = open_conditionals.pop()
            yield from conditional.dead
            if conditional.dead:
                conditions[:] = [
                    span for span in conditions if not _is_within(span, conditional.dead)
                ]
            if first_only or any(_open_brackets(flat, *branch) for branch in conditional.branches):
                yield from conditional.branches[1:]


class _Conditional:
    """The branches of a conditional so far; those that are never taken are kept apart."""

    def __init__(self) -> None:
        self.branches: list[Span] = []
        self.dead: list[Span] = []
        self._branch_start = 0
        self._may_be_taken = False
        self._is_decided = False
        """Whether some branch is always taken, so that none after it is."""

    def begin_branch(self, start: int, condition: str) -> None:
        self._branch_start = start
        self._may_be_taken = not self._is_decided and not _NEVER.fullmatch(condition)
        self._is_decided |= bool(_ALWAYS.fullmatch(condition))

    def end_branch(self, end: int) -> None:
        (self.branches if self._may_be_taken else self.dead).append((self._branch_start, end))


def _is_within(span: Span, others: Iterable[Span]) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in others)


def _open_brackets(flat: str, start: int, end: int) -> int:
    braces = flat.count("{", start, end) - flat.count("}", start, end)
    return braces or flat.count("(", start, end) - flat.count(")", start, end)


def _is_code(text: str, offset: int, comments: list[Span]) -> bool:
    """Whether an offset is outside of directives, comments and quotations, as far as its line
    shows."""
    start = text.rfind("\n", 0, offset) + 1
    prefix = text[start:offset]
    if prefix.lstrip().startswith(("#", "*", "//")) or "//" in prefix or prefix.count('"') % 2:
        return False
    index = bisect_right(comments, (offset, offset)) - 1
    return (index < 0 or comments[index][1] <= offset) and text[start - 2 : start - 1] != "\\"


def _blanked(raw: bytes, spans: Iterable[Span]) -> bytes:
    text = bytearray(raw)
    for start, end in spans:
        lines = raw[start:end].split(b"\n")
        text[start:end] = b"\n".join(b" " * len(line) for line in lines)
    return bytes(text)
