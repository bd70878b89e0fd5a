"""What a line has of a question word for word: a message as it is printed, or quoted text.

The variable parts of a message stand open: it is cut into runs of words, and a line has those that
are common to both. Nothing here knows any word; how much one tells is for those who know how rare
it is.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from explorer_core.channels.query import Query
from explorer_core.index.terms import text

_WORD = re.compile(r"\w+")
_BETWEEN = re.compile(r"[^\w`/\\]*\s[^\w`/\\]*|['\u2019-]")
"""What may stand between two words of a run, so that neither code nor a path is one."""
_LEAST, _LEAST_UNMARKED = 3, 4
"""Words of a run: in what the question quotes or pastes as a message, and in its other text."""
_TELLING = 0.25
"""One word of a run, two where the question does not mark it as text, must tell this share of what
the most telling of the question does, since any text has some words in common with any other."""
_LITERAL_MARKS = "\"'`"


@dataclass(frozen=True, slots=True)
class Said:
    """The longest run of the question's words on a line, as written there, and what all runs of the
    line tell; of equal ones, what stands in a literal comes first."""

    text: str
    worth: float
    literal: bool

    @property
    def rank(self) -> tuple[float, bool]:
        """Order among lines, the best last."""
        return round(self.worth, 9), self.literal


@dataclass(frozen=True, slots=True)
class _Run:
    start: int
    end: int
    words: int


@dataclass(frozen=True)
class Wording:
    """The text of one question; ``weights`` is how much its terms tell."""

    query: Query
    weights: Mapping[str, float]

    def on(self, line: str) -> Said | None:
        """What a line has of the question word for word; None where that says nothing."""
        runs = [*self._runs(line), *self._quoted(line)]
        if not runs:
            return None
        longest = max(runs, key=lambda run: run.words)
        terms = {term for run in runs for term in text.analyse(line[run.start : run.end])}
        return Said(
            text=line[longest.start : longest.end],
            worth=sum(self.weights.get(term, 0.0) for term in terms),
            literal=any(_in_literal(line, run.start, run.end) for run in runs),
        )

    def _runs(self, line: str) -> Iterator[_Run]:
        """The runs of words that a line and the question have in common and that tell something."""
        words = _words(line)
        at = 0
        while at < len(words):
            length, marked = self._common(words, at)
            run = _Run(words[at].start, words[at + length - 1].end, length)
            asked = length >= _LEAST and marked
            said = length >= _LEAST_UNMARKED and _in_literal(line, run.start, run.end)
            telling = self._telling(line[run.start : run.end])
            if (asked and telling >= 1) or (said and telling >= 2):
                yield run
            at += max(length - 1, 1)

    def _common(self, words: Sequence[_Token], at: int) -> tuple[int, bool]:
        """The length of the longest run that begins at a word of a line, and whether all of it is
        text that the question marks as such."""
        best = (1, False)
        for place in self._pairs.get(tuple(word.text for word in words[at : at + 2]), ()):
            length = 1
            while self._goes_on(words, at + length, place + length):
                length += 1
            best = max(best, (length, all(self._marked[place : place + length])))
        return best

    def _goes_on(self, words: Sequence[_Token], at: int, place: int) -> bool:
        if at >= len(words) or place >= len(self._tokens):
            return False
        here, there = words[at], self._tokens[place]
        return here.joined and there.joined and here.text == there.text

    def _quoted(self, line: str) -> Iterator[_Run]:
        """Text too short to be a run that stands in a literal as the question quotes it."""
        for quoted in self._short:
            start = line.find(quoted)
            end = start + len(quoted)
            if start >= 0 and _in_literal(line, start, end) and _stands_alone(line, start, end):
                yield _Run(start, end, 1)

    def _telling(self, run: str) -> int:
        """How many of the words of a run tell something."""
        bar = _TELLING * max(self.weights.values(), default=0.0)
        return sum(self.weights.get(term, 0.0) > bar for term in set(text.analyse(run)))

    @cached_property
    def _tokens(self) -> list[_Token]:
        return _words(self.query.text)

    @cached_property
    def _pairs(self) -> Mapping[tuple[str, ...], list[int]]:
        """Where each two neighbouring words of the question stand."""
        pairs: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for place, (first, second) in enumerate(pairwise(self._tokens)):
            pairs[first.text, second.text].append(place)
        return pairs

    @cached_property
    def _marked(self) -> list[bool]:
        """For each word of the question whether it stands in a quote or in a message."""
        spans: list[tuple[int, int]] = []
        for each in (*self.query.quoted, *self.query.errors):
            start = self.query.text.find(each.text, each.position)
            spans.append((start, start + len(each.text)))
        return [
            any(start <= token.start and token.end <= end for start, end in spans)
            for token in self._tokens
        ]

    @cached_property
    def _short(self) -> list[str]:
        quoted = [each.text for each in self.query.quoted if not each.code]
        return [
            each
            for each in dict.fromkeys(quoted)
            if len(_WORD.findall(each)) < _LEAST
            and any(self.weights.get(term, 0.0) > 0.0 for term in text.analyse(each))
        ]


@dataclass(frozen=True, slots=True)
class _Token:
    """A word; ``joined`` says that nothing stands between it and the one before that would end a
    run."""

    text: str
    start: int
    end: int
    joined: bool


def _words(line: str) -> list[_Token]:
    found: list[_Token] = []
    for match in _WORD.finditer(line):
        joined = bool(found) and bool(_BETWEEN.fullmatch(line, found[-1].end, match.start()))
        found.append(_Token(match[0].lower(), match.start(), match.end(), joined))
    return found


def _in_literal(line: str, start: int, end: int) -> bool:
    """Whether a stretch of a line stands between two marks of a literal, as far as one line can
    tell. Three marks in a row head text of many lines, such as documentation."""
    for mark in _LITERAL_MARKS:
        before, after = (part.replace(3 * mark, "") for part in (line[:start], line[end:]))
        if before.count(mark) % 2 and mark in after:
            return True
    return False


def _stands_alone(line: str, start: int, end: int) -> bool:
    """Whether a stretch is no part of longer words."""
    before, after = line[max(0, start - 1) : start], line[end : end + 1]
    return not (_WORD.match(before) or _WORD.match(after))
