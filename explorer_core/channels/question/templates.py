"""Extracts message templates from the literals of some lines: fixed words, and gaps for values.

Languages write messages in many ways, but all of them leave the fixed text as it will be printed
and put something else in place of a value: a placeholder, an interpolated expression, or code
between two literals. These shapes are recognised in every language alike. A shape that is foreign
to a language merely makes a gap that nothing fills.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

_EXPRESSION = (
    r"\\\((?:[^()]|\([^()]{0,80}\)){0,200}\)"
    r"|[#$]?\{(?:[^{}]|\{[^{}]{0,80}\}){0,200}\}"
)
"""An interpolated expression inside a literal; it may contain quotation marks itself."""
_VALUE = re.compile(
    rf"{_EXPRESSION}|\$\w+(?:(?:->|\.)\w+)*"
    r"|%(?:\(\w+\)|\d+\$)?[-+#0]*(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:hh?|ll?|[jzqLt])?[a-zA-Z@](?!\w)"
)
_LITERAL = re.compile(
    r"(?:(?<!\w)|(?<=\b\w)|(?<=\b\w\w))'(?:\\.|[^'\\\n])*'"
    rf'|"(?:{_EXPRESSION}|\\.|[^"\\\n])*(?:"|$)|`(?:{_EXPRESSION}|\\.|[^`\\\n])*(?:`|$)',
    re.MULTILINE,
)
"""A literal, up to the end of its line. One in apostrophes, which have other uses, must end
there."""
_MARK = re.compile(r"[\"'`]")
_MANY_LINES = re.compile("\"{3}|'{3}")
"""Delimiters of multi-line text, such as documentation."""
_ESCAPE = re.compile(r"\\[a-zA-Z]\d*|\\\n")
_BRACKETED = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}")
_PART_OF_ANOTHER = re.compile(r"[,;?={}()\[\]]|(?<!:):(?!:)")
"""Code that occurs between two literals only if they belong to different messages."""
_FARTHEST = 200
"""Maximum number of characters between two literals of one message."""
_LONGEST_LEFT = 4
"""Maximum number of words beside a value that a quotation may leave out."""
_CONTINUES = re.compile(r"[-+.&~<|]\s*[a-zA-Z]?$")
"""What precedes a literal that continues a message; a letter may be the literal's prefix."""
_WORD = re.compile(r"\w+")
_IGNORED_CHARACTERS = re.compile(r"[\s\\\"'`]+")
"""Characters that pasting a message may have removed or added: spaces and quotation marks."""


_REPORTING_CALL = re.compile(
    r"\s*(?:[\w$@.:>-]+!?\s?\(\s*|[\w$@]+(?:\.|::|->)[\w.:>-]+\s)(?:[\w$@.]+,\s*){0,2}"
    r"(?:[\w$@.:>-]+!?\()?[a-zA-Z]{0,2}"
    r"(?P<mark>[\"'`])(?:(?!(?P=mark)).)*\s"
)
"""A call whose result is unused and whose argument is prose, or another call on prose. Up to two
names may precede the prose: where the message goes, or what it is about."""


@dataclass(frozen=True, slots=True)
class FixedWord:
    """A word that is printed as it is, with its position in the text of the lines.

    ``after_value``: a value precedes it in the message. Otherwise ``between`` is the text between
    it and the preceding word of its literal, if any.
    """

    text: str
    start: int
    end: int
    after_value: bool
    between: str


Literal = tuple[FixedWord, ...]
"""The words of one literal."""


def literals_of(text: str) -> Iterator[list[Literal]]:
    """The literals in a text that contain words, grouped by message."""
    text = _MANY_LINES.sub("   ", text)
    message: list[Literal] = []
    last = 0
    for match in _literals(text):
        if message and not _one_message(text[last : match.start()]):
            yield message
            message = []
        before = text[max(0, match.start() - _FARTHEST) : match.start()]
        last = match.end()
        if literal := _literal(match[0], match.start(), bool(_CONTINUES.search(before))):
            message.append(literal)
    if message:
        yield message


def _literals(text: str) -> Iterator[re.Match[str]]:
    """All literals of a text. Searching for a quotation mark first is far faster."""
    at = 0
    while (mark := _MARK.search(text, at)) is not None:
        match = _LITERAL.match(text, mark.start())
        at = mark.end()
        if match is not None:
            at = match.end()
            yield match


def reporting_lines(lines: Sequence[str], failing_words: Collection[str]) -> set[int]:
    """Which lines of code (0-based) only report something: a call such as to a log, or a statement
    of failure, which starts with one of ``failing_words``. A statement goes on until its brackets
    are closed."""
    words = "|".join(map(re.escape, failing_words)) or "(?!)"
    failing = re.compile(rf"\s*(?:{words})\s+[\w(]")
    found: set[int] = set()
    depth = 0
    for at, line in enumerate(lines):
        if depth > 0 or _REPORTING_CALL.match(line) or failing.match(line):
            found.add(at)
            code = without_literals(line)
            depth = max(0, depth + sum(map(code.count, "([{")) - sum(map(code.count, ")]}")))
    return found


def without_literals(line: str) -> str:
    """A line of code with its literals blanked, except for multi-line text."""
    line = _MANY_LINES.sub("   ", line)
    return _blanked(line, [match.span() for match in _literals(line)])


def without_escapes(text: str) -> str:
    """A text with each escape replaced by a space, so that a word can begin right after it."""
    return _ESCAPE.sub(" ", text) if "\\" in text else text


def between(text: str) -> str:
    """The text between two words, without the characters that pasting may change."""
    return _IGNORED_CHARACTERS.sub("", text)


def words_around_values(asked: Sequence[str], words: Sequence[FixedWord]) -> list[FixedWord]:
    """The words of a message that match all the ``asked`` ones in order, from its first word on.
    Only values, and a few words beside each, may be left out. Empty if there is no match."""
    found = [words[0]]
    last = 0
    for each in asked[1:]:
        for at in range(last + 1, min(last + 2 + _LONGEST_LEFT, len(words))):
            beside_value = any(word.after_value for word in words[last + 1 : at + 1])
            if words[at].text == each and (at == last + 1 or beside_value):
                found.append(words[at])
                last = at
                break
        else:
            return []
    return found


def _one_message(code: str) -> bool:
    """Whether the code between two literals may join them into one message."""
    if len(code) > _FARTHEST:
        return False
    return not _PART_OF_ANOTHER.search(_BRACKETED.sub("", code))


def _literal(written: str, offset: int, after_value: bool) -> Literal:
    values = [match.span() for match in _VALUE.finditer(written)]
    plain = _blanked(written, values)
    plain = _blanked(plain, [match.span() for match in _ESCAPE.finditer(plain)])
    words: list[FixedWord] = []
    last, value = 0, 0
    for match in _WORD.finditer(plain):
        start, end = match.span()
        after_value = after_value and not words
        while value < len(values) and values[value][1] <= start:
            after_value, value = True, value + 1
        gap = between(plain[last:start])
        words.append(FixedWord(match[0].lower(), offset + start, offset + end, after_value, gap))
        last = end
    return tuple(words)


def _blanked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text
