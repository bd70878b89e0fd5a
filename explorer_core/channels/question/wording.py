"""Finds text of a question verbatim in lines of code: a message as printed, or a quotation.

The variable parts of a message are open. If a line has literals with gaps for them (`templates`),
all their words must occur in the question in order. Otherwise the line is compared word by word,
and the runs of words common to both count. No word is known here; how much each tells is passed in
as weights, which depend on its rarity in the code.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice, pairwise

from explorer_core.channels.question.entries import entries_of
from explorer_core.channels.question.query import Query, Quoted
from explorer_core.channels.question.runs import LEAST, Runs
from explorer_core.channels.question.templates import (
    FixedWord,
    Literal,
    between,
    literals_of,
    without_escapes,
    words_around_values,
)
from explorer_core.channels.question.words import (
    WORD,
    Token,
    in_literal,
    is_prose,
    pattern_of,
    words_of,
)
from explorer_core.index.terms import text

_LEAST_QUOTED = 0.6
"""Share of a quotation's weight that a line must have to be the quoted one."""
_LEAST_WORDS_TO_FIND, _MOST_TEXTS_TO_FIND = 2, 6
"""How many telling words a text needs to be looked for in files, and how many texts are looked for
at most."""
_TELLING = 0.25
"""Share of the largest term weight that a term must exceed to count as telling."""
_LEAST_FILLED, _LEAST_HEADING = 3, 2
"""Minimum words of a message whose values the question fills in: anywhere, and where a message can
begin. All but one of that many must be telling."""
_HEADING = re.compile(r"(?:^|\n|[\]:]\s|(?<!\w)[\"'`])\W*$")
"""What precedes the start of a message."""
_LONGEST_VALUE, _LONGEST_FIRST = 12, 3
"""Maximum words of a value, and of a value that starts a message."""


@dataclass(frozen=True, slots=True)
class TextMatch:
    """The match on a line: its longest run in common with the question, or its whole message.

    ``text`` is as written on the line; ``worth`` is the total weight of all that matches there.
    Among equals, messages come before other matches, and text in literals before other text."""

    text: str
    worth: float
    literal: bool
    message: Message | None = None

    @property
    def rank(self) -> tuple[float, bool, bool]:
        """Sort key of matches, the best last."""
        return round(self.worth, 9), self.message is not None, self.literal


@dataclass(frozen=True, slots=True)
class Message:
    """Where the question has a message: the index of its first word, and whether one can begin
    there."""

    begin: int
    begins_message: bool


@dataclass(frozen=True)
class Wording:
    """The text of one question; ``weights`` are those of its terms."""

    query: Query
    weights: Mapping[str, float]

    def within(self, lines: Sequence[str]) -> dict[int, TextMatch]:
        """The matches on some lines, by index. A message that spans several lines is attributed to
        the line that has most of it."""
        found = {at: match for at, line in enumerate(lines) if (match := self._match_on(line))}
        for at, match in self.messages(lines):
            if at not in found or found[at].rank < match.rank:
                found[at] = match
        return found

    def _match_on(self, line: str) -> TextMatch | None:
        """The match made of a line's runs; None if it has none."""
        runs = list(self._runs.on(line))
        if not runs:
            return None
        longest = max(runs, key=lambda run: run.words)
        return TextMatch(
            text=line[longest.start : longest.end],
            worth=self._worth(line[run.start : run.end] for run in runs),
            literal=any(in_literal(line, run.start, run.end) for run in runs),
        )

    def _worth(self, texts: Iterable[str]) -> float:
        """The total weight of the distinct terms in some texts."""
        terms = dict.fromkeys(chain.from_iterable(map(text.analyse, texts)))
        return sum(self.weights.get(term, 0.0) for term in terms)

    def _telling(self, texts: Iterable[str]) -> int:
        """The number of distinct telling terms in some texts."""
        bar = _TELLING * max(self.weights.values(), default=0.0)
        terms = set(chain.from_iterable(map(text.analyse, texts)))
        return sum(self.weights.get(term, 0.0) > bar for term in terms)

    # messages with values

    def messages(
        self, lines: Sequence[str], *, data: bool = False
    ) -> Iterator[tuple[int, TextMatch]]:
        """The messages in some lines that the question has with the values filled in, or of which
        it quotes a part. In ``data``, text need not be in a literal."""
        written = "\n".join(lines)
        if not data:
            yield from self._entries(lines)
        if not self._may_have_message(written.lower()):
            return
        yield from self._quoted_parts(lines, anywhere=data)
        starts = [0, *(match.end() for match in re.finditer("\n", written))]
        for literals in literals_of(written):
            words, begin = self._filled_in_match(literals)
            if not words:
                words, begin = self._match_but_value(literals)
            if not words:
                continue
            by_line: dict[int, list[FixedWord]] = defaultdict(list)
            for word in words:
                by_line[bisect_right(starts, word.start) - 1].append(word)
            at = max(by_line, key=lambda each: (self._worth(map(_printed, by_line[each])), -each))
            match = written[by_line[at][0].start : by_line[at][-1].end]
            message = Message(begin, self._can_begin_message(words[0], begin))
            worth = self._worth(map(_printed, words))
            yield at, TextMatch(match, worth, literal=True, message=message)

    def _quoted_parts(
        self, lines: Sequence[str], *, anywhere: bool
    ) -> Iterator[tuple[int, TextMatch]]:
        """Lines on which a whole quotation occurs, within a literal unless ``anywhere``. Since all
        of it is there, fewer of its words need to be telling."""
        for quotation in self.texts_to_find:
            if len(words_of(quotation.text)) < LEAST:
                continue
            begin = self._token_at(quotation.position)
            whole = re.compile(pattern_of(quotation.text), re.IGNORECASE)
            for at, line in enumerate(lines):
                match = whole.search(line)
                literal = match is not None and in_literal(line, *match.span())
                if match is not None and (literal or anywhere):
                    worth = self._worth([quotation.text])
                    yield at, TextMatch(match[0], worth, literal, message=Message(begin, True))

    def _entries(self, lines: Sequence[str]) -> Iterator[tuple[int, TextMatch]]:
        """Lines on which code constructs a JSON entry that the question contains."""
        for begin, entry in self._entries_in_question:
            for at, line in enumerate(lines):
                if (match := entry.search(line)) is not None:
                    message = Message(begin, True)
                    yield at, TextMatch(match[0], self._worth([match[0]]), True, message=message)

    @cached_property
    def _entries_in_question(self) -> list[tuple[int, re.Pattern[str]]]:
        """The JSON entries in the question, each with the index of its first word."""
        return [(self._token_at(start), written) for start, written in entries_of(self.query)]

    def _token_at(self, position: int) -> int:
        """The index of the first word of the question at or after a character position."""
        return bisect_left(self._tokens, position, key=lambda token: token.start)

    @cached_property
    def quotations(self) -> list[Quoted]:
        """The question's quotations that are prose and long enough to be (part of) a message."""
        return [
            each
            for each in self.query.quoted
            if is_prose(each.text) and self._telling([each.text]) >= LEAST
        ]

    @cached_property
    def texts_to_find(self) -> list[Quoted]:
        """Texts that may occur verbatim in a file, the heaviest first: quotations, including those
        too short for `quotations`, and the fixed pieces of pasted messages."""
        find = self.query.text.find
        pieces = (
            Quoted(piece, find(piece, each.position))
            for each in self.query.errors
            for piece in each.pieces
        )
        texts = {each.text: each for each in (*pieces, *self.query.quoted)}
        telling = [
            each
            for each in texts.values()
            if is_prose(each.text) and self._telling([each.text]) >= _LEAST_WORDS_TO_FIND
        ]
        telling.sort(key=lambda each: -self._worth([each.text]))
        return telling[:_MOST_TEXTS_TO_FIND]

    @cached_property
    def lines(self) -> list[Quoted]:
        """Lines of the question that may be messages, although nothing marks them as such."""
        lines = (
            Quoted(match[0], match.start())
            for match in re.finditer(r"\S[^\n]*", self.query.text)
            if self._telling([match[0]]) >= LEAST
        )
        return list(islice(lines, _MOST_TEXTS_TO_FIND))

    def unmatched(
        self, quotations: Sequence[Quoted], texts: Iterable[Sequence[str]]
    ) -> list[Quoted]:
        """The quotations that no line of the texts matches. A match may be partial, since a message
        may have filled in the rest."""
        left = {each: _LEAST_QUOTED * self._worth([each.text]) for each in quotations}
        for lines in texts:
            if not left:
                break
            most = max((match.worth for match in self.within(lines).values()), default=-1.0)
            left = {each: least for each, least in left.items() if most < least}
        return list(left)

    def may_have_most_of(self, quotation: Quoted, lines: Sequence[str]) -> bool:
        """Whether a line matches a quotation, as in `unmatched`. For lines of which few match: a
        cheap test rejects most of them first."""
        may = self._may_have_message("\n".join(lines).lower())
        return may and not self.unmatched([quotation], [lines])

    def _may_have_message(self, lowered: str) -> bool:
        """A cheap necessary condition for messages: whether a text has two words of the question
        next to each other, as prose must (`_is_meaningful`), and one that is telling or quoted. The
        few texts that pass need to be parsed."""
        if not any(map(lowered.__contains__, self._side_by_side.values())):
            return False  # rejects most texts; splitting them into words takes far longer
        near = self._side_by_side.keys() & pairwise(WORD.findall(without_escapes(lowered)))
        return any(self._side_by_side[pair] in lowered for pair in near) and any(
            map(lowered.__contains__, self._telling_words)
        )

    @cached_property
    def _side_by_side(self) -> dict[tuple[str, str], str]:
        """The pairs of words with only space between them in the question, joined by a space."""
        pairs = pairwise(self._tokens)
        near = ((a.text, b.text) for a, b in pairs if not between(self._gap(a, b)))
        return {pair: " ".join(pair) for pair in near}

    @cached_property
    def _telling_words(self) -> list[str]:
        words = {each.text for each in self._tokens if self._telling([each.text])}
        ends = {self._tokens[begin + size - 1].text for begin, size in self._quoted_whole}
        return [*words, *ends - words]

    @cached_property
    def _quoted_whole(self) -> set[tuple[int, int]]:
        """The quotations of several words: the index of the first word, and their number."""
        sizes = ((each.position, len(words_of(each.text))) for each in self.query.quoted)
        return {(self._token_at(at), size) for at, size in sizes if size >= _LEAST_HEADING}

    def _gap(self, one: Token, two: Token) -> str:
        return self.query.text[one.end : two.start]

    def _filled_in_match(self, literals: Sequence[Literal]) -> tuple[list[FixedWord], int]:
        """The most words of consecutive literals of one message that the question contains with
        values between them, and the index of the first in the question."""
        best: list[FixedWord] = []
        best_begin = 0
        for first in range(len(literals)):
            for begin in self._places.get(literals[first][0].text, ()):
                words: list[FixedWord] = []
                ends = {begin}
                for literal in literals[first:]:
                    ends = self._positions_after(literal, ends, begins=not words)
                    if not ends:
                        break
                    words += literal
                if len(words) > len(best) and self._is_meaningful(words, begin):
                    best, best_begin = words, begin
        return best, best_begin

    def _match_but_value(self, literals: Sequence[Literal]) -> tuple[list[FixedWord], int]:
        """The words of a message of which the question quotes all but a value and its neighbours,
        and the index of the first in the question."""
        words = list(chain.from_iterable(literals))
        if not any(word.after_value for word in words):
            return [], 0
        for quotation in self.quotations:
            quoted_words = [token.text for token in words_of(quotation.text)]
            for at, word in enumerate(words):
                if word.text == quoted_words[0] and (
                    found := words_around_values(quoted_words, words[at:])
                ):
                    return found, self._token_at(quotation.position)
        return [], 0

    def _positions_after(self, literal: Literal, ends: set[int], *, begins: bool) -> set[int]:
        """The possible indices in the question of a literal's last word, given those (``ends``) of
        the word before it; ``begins``: ``ends`` are those of its own first word."""
        for at, word in enumerate(literal):
            if at or not begins:
                value = word.after_value or not at
                ends = {place for end in ends for place in self._next(word, end, value=value)}
        return ends

    def _next(self, word: FixedWord, end: int, *, value: bool) -> Iterator[int]:
        tokens = self._tokens
        last = min(end + (_LONGEST_VALUE if value else 0) + 1, len(tokens) - 1)
        for place in range(end + 1, last + 1):
            gap = self._gap(tokens[place - 1], tokens[place])
            if value and "\n" in gap:
                return
            if tokens[place].text == word.text and (value or between(gap) == word.between):
                yield place

    def _is_meaningful(self, words: Sequence[FixedWord], begin: int) -> bool:
        """Whether a match of these words, beginning at ``begin``, means anything.

        Text without a value may occur in any prose, so it must begin where a message can. A message
        that is a whole quotation need not be telling: whoever quotes it means it."""
        if not any(not word.after_value and not word.between for word in words[1:]):
            return False  # a key or a name, not prose
        if (begin, len(words)) in self._quoted_whole:
            return True
        telling = self._telling(map(_printed, words))
        if self._can_begin_message(words[0], begin):
            enough = _LEAST_HEADING + self._is_listed(begin, len(words))
            return len(words) >= enough and telling >= enough - 1
        is_open = any(word.after_value for word in words)
        return is_open and len(words) >= _LEAST_FILLED and telling >= _LEAST_FILLED - 1

    def _is_listed(self, begin: int, size: int) -> bool:
        """Whether a comma follows this many words, as it does after the first keyword."""
        return self.query.text[self._tokens[begin + size - 1].end :].startswith(",")

    def _can_begin_message(self, word: FixedWord, begin: int) -> bool:
        """Whether a message can begin at this word of the question, or at a value before it."""
        first = max(0, begin - _LONGEST_FIRST) if word.after_value else begin
        before = (self._tokens[each].start for each in range(first, begin + 1))
        return any(_HEADING.search(self.query.text, 0, start) for start in before)

    @cached_property
    def _places(self) -> Mapping[str, list[int]]:
        """The indices at which each word of the question occurs."""
        places: dict[str, list[int]] = defaultdict(list)
        for place, token in enumerate(self._tokens):
            places[token.text].append(place)
        return places

    @cached_property
    def _tokens(self) -> list[Token]:
        return words_of(self.query.text)

    @cached_property
    def _runs(self) -> Runs:
        return Runs(self.query, self._tokens, self.weights, self._telling)


def alike(query: Query) -> Wording:
    """The text of a question whose words all have the same weight, because none is known."""
    return Wording(query, dict.fromkeys(text.analyse(query.text), 1.0))


def _printed(word: FixedWord) -> str:
    return word.text
