"""The messages that literals of some lines stand for: their words, with a gap for each value.

A message is written in as many ways as there are languages, yet all of them leave the fixed text as
it will be printed, and put something else where a value goes: a placeholder, an interpolated
expression, or code between two literals. Those shapes are recognised in every language alike: one
that a language does not have is merely a gap that nothing fills.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

_EXPRESSION = (
    r"\\\((?:[^()]|\([^()]{0,80}\)){0,200}\)"
    r"|[#$]?\{(?:[^{}]|\{[^{}]{0,80}\}){0,200}\}"
)
"""A value's expression inside a literal, which may hold marks of literals itself."""
_VALUE = re.compile(
    rf"{_EXPRESSION}|\$\w+(?:(?:->|\.)\w+)*"
    r"|%(?:\(\w+\)|\d+\$)?[-+#0]*(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:hh?|ll?|[jzqLt])?[a-zA-Z@](?!\w)"
)
_LITERAL = re.compile(
    r"(?:(?<!\w)|(?<=\b\w)|(?<=\b\w\w))'(?:\\.|[^'\\\n])*'"
    rf'|"(?:{_EXPRESSION}|\\.|[^"\\\n])*(?:"|$)|`(?:{_EXPRESSION}|\\.|[^`\\\n])*(?:`|$)',
    re.MULTILINE,
)
"""A literal as far as its line goes; one in apostrophes, which are also others', must end there."""
_MARK = re.compile(r"[\"'`]")
_MANY_LINES = re.compile("\"{3}|'{3}")
"""What heads text of many lines, such as documentation."""
_ESCAPE = re.compile(r"\\[a-zA-Z]\d*|\\\n")
_BRACKETED = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}")
_PART_OF_ANOTHER = re.compile(r"[,;?={}()\[\]]|(?<!:):(?!:)")
"""What stands between two literals only where they are not parts of one message."""
_FARTHEST = 200
"""Characters between two literals of one message, at most."""
_LONGEST_LEFT = 4
"""Words that a quotation leaves out beside a value, at most."""
_CONTINUES = re.compile(r"[-+.&~<|]\s*[a-zA-Z]?$")
"""What stands before a literal that continues a message; a letter may say what kind it is of."""
_WORD = re.compile(r"\w+")
_UNSAID = re.compile(r"[\s\\\"'`]+")
"""What a message may have lost, or got, where it was pasted: spaces and quotation marks."""


_SAYING = re.compile(
    r"\s*(?:[\w$@.:>-]+!?\s?\(\s*|[\w$@]+(?:\.|::|->)[\w.:>-]+\s)(?:[\w$@.]+,\s*){0,2}"
    r"(?:[\w$@.:>-]+!?\()?[a-zA-Z]{0,2}"
    r"(?P<mark>[\"'`])(?:(?!(?P=mark)).)*\s"
)
"""A call whose result nothing takes, given prose or what one call makes of prose, before which at
most two names stand: where it is said, or what of."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """A word that is printed as it stands, and where that is in the text of the lines.

    ``after_value`` says whether a value stands before it; else ``between`` is what does, if it is
    not the first of its literal.
    """

    text: str
    start: int
    end: int
    after_value: bool
    between: str


Literal = tuple[Fixed, ...]
"""The words of one literal."""


def literals_of(text: str) -> Iterator[list[Literal]]:
    """The literals of a text that have words, those of one message together."""
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
    """All literals of a text; to look for their marks first is far faster."""
    at = 0
    while (mark := _MARK.search(text, at)) is not None:
        match = _LITERAL.match(text, mark.start())
        at = mark.end()
        if match is not None:
            at = match.end()
            yield match


def only_telling(lines: Sequence[str], failing_words: Collection[str]) -> set[int]:
    """Which of some lines of code, counted from 0, do no more than say something, such as to a log,
    or that it failed, which begins with one of ``failing_words``. A statement goes on until its
    brackets are closed."""
    words = "|".join(map(re.escape, failing_words)) or "(?!)"
    failing = re.compile(rf"\s*(?:{words})\s+[\w(]")
    found: set[int] = set()
    depth = 0
    for at, line in enumerate(lines):
        if depth > 0 or _SAYING.match(line) or failing.match(line):
            found.add(at)
            code = without_literals(line)
            depth = max(0, depth + sum(map(code.count, "([{")) - sum(map(code.count, ")]}")))
    return found


def without_literals(line: str) -> str:
    """A line of code with its literals left blank, but not text of many lines."""
    line = _MANY_LINES.sub("   ", line)
    return _blanked(line, [match.span() for match in _literals(line)])


def without_escapes(text: str) -> str:
    """A text with a blank in place of each escape, so that words begin behind one."""
    return _ESCAPE.sub(" ", text) if "\\" in text else text


def between(text: str) -> str:
    """What stands between two words, without what pasting changes."""
    return _UNSAID.sub("", text)


def around_values(asked: Sequence[str], words: Sequence[Fixed]) -> list[Fixed]:
    """All of some words among those of a message, from its first on; left out are only values and
    a few words beside each."""
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
    """Whether code between two literals may join them."""
    if len(code) > _FARTHEST:
        return False
    return not _PART_OF_ANOTHER.search(_BRACKETED.sub("", code))


def _literal(written: str, offset: int, after_value: bool) -> Literal:
    values = [match.span() for match in _VALUE.finditer(written)]
    plain = _blanked(written, values)
    plain = _blanked(plain, [match.span() for match in _ESCAPE.finditer(plain)])
    words: list[Fixed] = []
    last, value = 0, 0
    for match in _WORD.finditer(plain):
        start, end = match.span()
        after_value = after_value and not words
        while value < len(values) and values[value][1] <= start:
            after_value, value = True, value + 1
        gap = between(plain[last:start])
        words.append(Fixed(match[0].lower(), offset + start, offset + end, after_value, gap))
        last = end
    return tuple(words)


def _blanked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text
