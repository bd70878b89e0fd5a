"""What a line has of a question word for word: a message as it is printed, or quoted text.

The variable parts of a message stand open. Where the line has literals with gaps for them
(`templates`), their words must all be in the question, in order; else the line is cut into runs of
words, and has those that are common to both. Nothing here knows any word; how much one tells is for
those who know how rare it is.
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
    Fixed,
    Literal,
    around_values,
    between,
    literals_of,
    without_escapes,
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
"""Share of what a quotation tells that a line must tell to be the one that is quoted."""
_LEAST_SOUGHT, _MOST_SOUGHT = 2, 6
"""How many telling words a text must have that is looked for in files, and how many are."""
_TELLING = 0.25
"""Share of what the most telling term of the question tells that another must tell to be one that
tells something."""
_LEAST_FILLED, _LEAST_HEADING = 3, 2
"""Words of a message with values that the question fills in: anywhere, and where a message can
begin. As many of them must tell, less one."""
_HEADING = re.compile(r"(?:^|\n|[\]:]\s|(?<!\w)[\"'`])\W*$")
"""What a message can begin after."""
_LONGEST_VALUE, _LONGEST_FIRST = 12, 3
"""Words of a value, at most, and of one with which a message begins."""


@dataclass(frozen=True, slots=True)
class Said:
    """The longest run of the question's words on a line, or its whole message, as written there,
    and what all that the line has tells; of equal ones, a message comes first, then what stands in
    a literal."""

    text: str
    worth: float
    literal: bool
    message: Message | None = None

    @property
    def rank(self) -> tuple[float, bool, bool]:
        """Order among lines, the best last."""
        return round(self.worth, 9), self.message is not None, self.literal


@dataclass(frozen=True, slots=True)
class Message:
    """Where a message is in the question, by its first word, and whether one can begin there."""

    begin: int
    heads: bool


@dataclass(frozen=True)
class Wording:
    """The text of one question; ``weights`` is how much its terms tell."""

    query: Query
    weights: Mapping[str, float]

    def within(self, lines: Sequence[str]) -> dict[int, Said]:
        """What lines have of the question word for word, by their positions; a message over several
        of them is on the one that has most of it."""
        found = {at: said for at, line in enumerate(lines) if (said := self._on(line))}
        for at, said in self.messages(lines):
            if at not in found or found[at].rank < said.rank:
                found[at] = said
        return found

    def _on(self, line: str) -> Said | None:
        """What the runs of a line say; None where that is nothing."""
        runs = list(self._runs.on(line))
        if not runs:
            return None
        longest = max(runs, key=lambda run: run.words)
        return Said(
            text=line[longest.start : longest.end],
            worth=self._worth(line[run.start : run.end] for run in runs),
            literal=any(in_literal(line, run.start, run.end) for run in runs),
        )

    def _worth(self, texts: Iterable[str]) -> float:
        """How much the terms of some texts tell, each once."""
        terms = dict.fromkeys(chain.from_iterable(map(text.analyse, texts)))
        return sum(self.weights.get(term, 0.0) for term in terms)

    def _telling(self, texts: Iterable[str]) -> int:
        """How many of the terms of some texts tell something."""
        bar = _TELLING * max(self.weights.values(), default=0.0)
        terms = set(chain.from_iterable(map(text.analyse, texts)))
        return sum(self.weights.get(term, 0.0) > bar for term in terms)

    # messages with values

    def messages(self, lines: Sequence[str], *, data: bool = False) -> Iterator[tuple[int, Said]]:
        """The messages of some lines that the question has with their values filled in, or quotes
        the part of that it was shown. In ``data`` text need not be a literal."""
        written = "\n".join(lines)
        if not data:
            yield from self._entries(lines)
        if not self._may_have_message(written.lower()):
            return
        yield from self._parts(lines, anywhere=data)
        starts = [0, *(match.end() for match in re.finditer("\n", written))]
        for literals in literals_of(written):
            words, begin = self._filled(literals)
            if not words:
                words, begin = self._left_open(literals)
            if not words:
                continue
            by_line: dict[int, list[Fixed]] = defaultdict(list)
            for word in words:
                by_line[bisect_right(starts, word.start) - 1].append(word)
            at = max(by_line, key=lambda each: (self._worth(map(_printed, by_line[each])), -each))
            said = written[by_line[at][0].start : by_line[at][-1].end]
            message = Message(begin, self._heads(words[0], begin))
            worth = self._worth(map(_printed, words))
            yield at, Said(said, worth, literal=True, message=message)

    def _parts(self, lines: Sequence[str], *, anywhere: bool) -> Iterator[tuple[int, Said]]:
        """Where a whole quotation stands in a literal that has more than it, or ``anywhere``. All
        of it is there, so that fewer of its words must tell."""
        for quotation in self.sought:
            if len(words_of(quotation.text)) < LEAST:
                continue
            begin = self._token_at(quotation.position)
            whole = re.compile(pattern_of(quotation.text), re.IGNORECASE)
            for at, line in enumerate(lines):
                match = whole.search(line)
                literal = match is not None and in_literal(line, *match.span())
                if match is not None and (literal or anywhere):
                    worth = self._worth([quotation.text])
                    yield at, Said(match[0], worth, literal, message=Message(begin, True))

    def _entries(self, lines: Sequence[str]) -> Iterator[tuple[int, Said]]:
        """Where code makes an entry that the question tells as JSON."""
        for begin, entry in self._told_entries:
            for at, line in enumerate(lines):
                if (match := entry.search(line)) is not None:
                    message = Message(begin, True)
                    yield at, Said(match[0], self._worth([match[0]]), True, message=message)

    @cached_property
    def _told_entries(self) -> list[tuple[int, re.Pattern[str]]]:
        """The entries of JSON that the question tells, each by its first word."""
        return [(self._token_at(start), written) for start, written in entries_of(self.query)]

    def _token_at(self, position: int) -> int:
        """The first word of the question that does not begin before a position."""
        return bisect_left(self._tokens, position, key=lambda token: token.start)

    @cached_property
    def quotations(self) -> list[Quoted]:
        """What the question quotes that is prose and long enough to be a message, or part of
        one."""
        return [
            each
            for each in self.query.quoted
            if is_prose(each.text) and self._telling([each.text]) >= LEAST
        ]

    @cached_property
    def sought(self) -> list[Quoted]:
        """What the question quotes, or pastes as a message, that may stand in a file as it is: all
        `quotations`, shorter ones, and what a message has beside its values; first what tells
        most."""
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
            if is_prose(each.text) and self._telling([each.text]) >= _LEAST_SOUGHT
        ]
        telling.sort(key=lambda each: -self._worth([each.text]))
        return telling[:_MOST_SOUGHT]

    @cached_property
    def lines(self) -> list[Quoted]:
        """The lines of the question, of which any may be a message that nothing marks as one."""
        lines = (
            Quoted(match[0], match.start())
            for match in re.finditer(r"\S[^\n]*", self.query.text)
            if self._telling([match[0]]) >= LEAST
        )
        return list(islice(lines, _MOST_SOUGHT))

    def lacked(self, quotations: Sequence[Quoted], texts: Iterable[Sequence[str]]) -> list[Quoted]:
        """Those of some quotations that no line of some texts has; of one that a line has, a
        message may have filled in a part."""
        left = {each: _LEAST_QUOTED * self._worth([each.text]) for each in quotations}
        for lines in texts:
            if not left:
                break
            most = max((said.worth for said in self.within(lines).values()), default=-1.0)
            left = {each: least for each, least in left.items() if most < least}
        return list(left)

    def may_have_most_of(self, quotation: Quoted, lines: Sequence[str]) -> bool:
        """Whether a line has a quotation (`lacked`), of lines of which few do: most can be told by
        less."""
        may = self._may_have_message("\n".join(lines).lower())
        return may and not self.lacked([quotation], [lines])

    def _may_have_message(self, lowered: str) -> bool:
        """Whether a text has two words of the question side by side, as the prose of a message must
        (`_says`), and one that tells or is quoted: few have both, and the others need not be taken
        apart."""
        if not any(map(lowered.__contains__, self._side_by_side.values())):
            return False  # which most texts are told by; to cut one into words takes far longer
        near = self._side_by_side.keys() & pairwise(WORD.findall(without_escapes(lowered)))
        return any(self._side_by_side[pair] in lowered for pair in near) and any(
            map(lowered.__contains__, self._telling_words)
        )

    @cached_property
    def _side_by_side(self) -> dict[tuple[str, str], str]:
        """Each two words of the question with nothing but a space between them, as written so."""
        pairs = pairwise(self._tokens)
        near = ((a.text, b.text) for a, b in pairs if not between(self._gap(a, b)))
        return {pair: " ".join(pair) for pair in near}

    @cached_property
    def _telling_words(self) -> list[str]:
        told = {each.text for each in self._tokens if self._telling([each.text])}
        ends = {self._tokens[begin + size - 1].text for begin, size in self._quoted_whole}
        return [*told, *ends - told]

    @cached_property
    def _quoted_whole(self) -> set[tuple[int, int]]:
        """Where each quotation of several words begins, and how many there are."""
        sizes = ((each.position, len(words_of(each.text))) for each in self.query.quoted)
        return {(self._token_at(at), size) for at, size in sizes if size >= _LEAST_HEADING}

    def _gap(self, one: Token, two: Token) -> str:
        return self.query.text[one.end : two.start]

    def _filled(self, literals: Sequence[Literal]) -> tuple[list[Fixed], int]:
        """The words of those literals in a row of one message, the most that are, that the question
        has with values between them, and where it has the first."""
        best: list[Fixed] = []
        best_begin = 0
        for first in range(len(literals)):
            for begin in self._places.get(literals[first][0].text, ()):
                words: list[Fixed] = []
                ends = {begin}
                for literal in literals[first:]:
                    ends = self._followed(literal, ends, begins=not words)
                    if not ends:
                        break
                    words += literal
                if len(words) > len(best) and self._says(words, begin):
                    best, best_begin = words, begin
        return best, best_begin

    def _left_open(self, literals: Sequence[Literal]) -> tuple[list[Fixed], int]:
        """The words of the literals of one message of which the question quotes all but a value and
        what stands beside it, and where it has the first."""
        words = list(chain.from_iterable(literals))
        if not any(word.after_value for word in words):
            return [], 0
        for quotation in self.quotations:
            asked = [token.text for token in words_of(quotation.text)]
            for at, word in enumerate(words):
                if word.text == asked[0] and (found := around_values(asked, words[at:])):
                    return found, self._token_at(quotation.position)
        return [], 0

    def _followed(self, literal: Literal, ends: set[int], *, begins: bool) -> set[int]:
        """Where in the question the last word of a literal may be, when what comes before it ends
        at one of some places; its first word is there where a message ``begins`` with it."""
        for at, word in enumerate(literal):
            if at or not begins:
                value = word.after_value or not at
                ends = {place for end in ends for place in self._next(word, end, value=value)}
        return ends

    def _next(self, word: Fixed, end: int, *, value: bool) -> Iterator[int]:
        tokens = self._tokens
        last = min(end + (_LONGEST_VALUE if value else 0) + 1, len(tokens) - 1)
        for place in range(end + 1, last + 1):
            gap = self._gap(tokens[place - 1], tokens[place])
            if value and "\n" in gap:
                return
            if tokens[place].text == word.text and (value or between(gap) == word.between):
                yield place

    def _says(self, words: Sequence[Fixed], begin: int) -> bool:
        """Whether so many words in a message say anything, if it begins at a place. Text without a
        value may be in any prose, so that it must begin where a message can. A message that is all
        of a quotation need not tell: whoever quotes it means it."""
        if not any(not word.after_value and not word.between for word in words[1:]):
            return False  # a key or a name, not prose
        if (begin, len(words)) in self._quoted_whole:
            return True
        telling = self._telling(map(_printed, words))
        if self._heads(words[0], begin):
            enough = _LEAST_HEADING + self._is_listed(begin, len(words))
            return len(words) >= enough and telling >= enough - 1
        is_open = any(word.after_value for word in words)
        return is_open and len(words) >= _LEAST_FILLED and telling >= _LEAST_FILLED - 1

    def _is_listed(self, begin: int, size: int) -> bool:
        """Whether a comma follows so many words of the question, as it does the first keyword."""
        return self.query.text[self._tokens[begin + size - 1].end :].startswith(",")

    def _heads(self, word: Fixed, begin: int) -> bool:
        """Whether a message can begin at a word in the question, or with a value before it."""
        first = max(0, begin - _LONGEST_FIRST) if word.after_value else begin
        before = (self._tokens[each].start for each in range(first, begin + 1))
        return any(_HEADING.search(self.query.text, 0, start) for start in before)

    @cached_property
    def _places(self) -> Mapping[str, list[int]]:
        """Where each word of the question stands."""
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
    """The text of a question of whose words it is not known how much each tells."""
    return Wording(query, dict.fromkeys(text.analyse(query.text), 1.0))


def _printed(word: Fixed) -> str:
    return word.text
