"""Runs of words that a line of code and a question have in common.

A run counts where the question marks it as text, or where the line has it in a literal.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from explorer_core.channels.question.query import Query
from explorer_core.channels.question.words import WORD, Token, in_literal, stands_alone, words_of
from explorer_core.index.terms import text

LEAST, _LEAST_UNMARKED = 3, 4
"""Minimum words of a run: if the question quotes it or pastes it as a message, and elsewhere. At
least one of them (elsewhere two) must be telling, since any two texts share some words."""


@dataclass(frozen=True, slots=True)
class Run:
    """The start and end of a run on a line, as character offsets, and its number of words."""

    start: int
    end: int
    words: int


@dataclass(frozen=True)
class Runs:
    """Finds the runs that lines have in common with one question.

    ``tokens`` are the question's words, ``weights`` the weights of its terms. ``telling`` counts
    the telling terms in some texts."""

    query: Query
    tokens: Sequence[Token]
    weights: Mapping[str, float]
    telling: Callable[[Iterable[str]], int]

    def on(self, line: str) -> Iterator[Run]:
        """The runs on a line: those shared with the question, then its shorter quotations."""
        yield from self._common_runs(line)
        yield from self._quoted(line)

    def _common_runs(self, line: str) -> Iterator[Run]:
        """The runs of words that a line shares with the question and that count."""
        if self._word_sequences.isdisjoint(
            _word_sequences([word.lower() for word in WORD.findall(line)])
        ):
            return  # true of most lines, which need not be tokenised then
        words = words_of(line)
        at = 0
        while at < len(words):
            length, marked = self._common(words, at)
            run = Run(words[at].start, words[at + length - 1].end, length)
            in_question = length >= LEAST and marked
            question_words = length >= _LEAST_UNMARKED and in_literal(line, run.start, run.end)
            if in_question or question_words:
                telling = self.telling([line[run.start : run.end]])
                if (in_question and telling >= 1) or (question_words and telling >= 2):
                    yield run
            at += max(length - 1, 1)

    def _common(self, words: Sequence[Token], at: int) -> tuple[int, bool]:
        """The length of the longest run that starts at this word of a line, and whether the
        question marks all of it as text."""
        best = (1, False)
        for place in self._pairs.get(tuple(word.text for word in words[at : at + 2]), ()):
            length = 1
            while self._continues(words, at + length, place + length):
                length += 1
            best = max(best, (length, all(self._in_marked_text[place : place + length])))
        return best

    def _continues(self, words: Sequence[Token], at: int, place: int) -> bool:
        if at >= len(words) or place >= len(self.tokens):
            return False
        here, there = words[at], self.tokens[place]
        return here.joined and there.joined and here.text == there.text

    def _quoted(self, line: str) -> Iterator[Run]:
        """Quotations too short for a run that stand in a literal exactly as quoted."""
        for quoted in self._short:
            start = line.find(quoted)
            end = start + len(quoted)
            if start >= 0 and in_literal(line, start, end) and stands_alone(line, start, end):
                yield Run(start, end, 1)

    @cached_property
    def _word_sequences(self) -> set[tuple[str, ...]]:
        """All sequences of `LEAST` consecutive words of the question."""
        return set(_word_sequences([token.text for token in self.tokens]))

    @cached_property
    def _pairs(self) -> Mapping[tuple[str, ...], list[int]]:
        """The positions of each pair of consecutive words of the question."""
        pairs: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for place, (first, second) in enumerate(pairwise(self.tokens)):
            pairs[first.text, second.text].append(place)
        return pairs

    @cached_property
    def _in_marked_text(self) -> list[bool]:
        """For each word of the question, whether it lies in a quotation or in a message."""
        spans: list[tuple[int, int]] = []
        for each in (*self.query.quoted, *self.query.errors):
            start = self.query.text.find(each.text, each.position)
            spans.append((start, start + len(each.text)))
        return [
            any(start <= token.start and token.end <= end for start, end in spans)
            for token in self.tokens
        ]

    @cached_property
    def _short(self) -> list[str]:
        quoted = [each.text for each in self.query.quoted if not each.code]
        return [
            each
            for each in dict.fromkeys(quoted)
            if len(WORD.findall(each)) < LEAST
            and any(self.weights.get(term, 0.0) > 0.0 for term in text.analyse(each))
        ]


def _word_sequences(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """All sequences of `LEAST` consecutive words."""
    return zip(*(words[at:] for at in range(LEAST)), strict=False)
