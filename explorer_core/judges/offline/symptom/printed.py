"""Where the message of a question stands: in what prints it, or in a table of texts, of which what
prints it has the key."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from explorer_core.contracts import Candidate, FlowChoice
from explorer_core.index.symbols import CALLABLES, VARIABLES, Symbol
from explorer_core.index.terms import text
from explorer_core.judges import statements
from explorer_core.judges.offline.telling.finder import Finder
from explorer_core.judges.offline.telling.places import as_good_as_best
from explorer_core.judges.offline.telling.step import Literal

_KEY = re.compile(r"[^\W\d_]\w*(?:[-.]\w+)*")
_APART = re.compile(r"[();]")
"""What does not stand between a key and its text."""
_TABLES, _UNITS = 12, 40
"""Places of which the key is looked for, and units that are read for who uses it, at most."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A line that has the message, the definition around it, and what uses the key it has there."""

    candidate: Candidate
    line: int
    said: str
    holder: Symbol | None
    user: Literal | None = None

    def says_what(self, other: _Place) -> bool:
        """Whether it has the same text as another one in its file."""
        return (self.candidate.path, self.said) == (other.candidate.path, other.said)


class Printed(Finder):
    """The message of one case."""

    @property
    def by(self) -> Symbol | None:
        """What prints it: what uses its key, or the definition that has it."""
        if self.user is not None:
            return self.user.holder
        return self._place.holder if self._place is not None else None

    @property
    def user(self) -> Literal | None:
        """What uses the key of the text, where that is in a table."""
        return self._place.user if self._place is not None else None

    @property
    def text(self) -> FlowChoice | None:
        """A link for a text in a table that somebody uses by its key, or outside of definitions."""
        place = self._place
        if place is None or (place.user is None and place.holder is not None):
            return None
        if not self.exhibits.has(place.candidate.path):
            return None
        if place.holder is None:
            shown, fact = place.candidate.id, statements.of_text_alone(place.said)
        else:
            shown = self.exhibits.show(place.holder, place.line)
            fact = statements.of_text(place.holder, place.said)
        quote = self.exhibits.quote(place.candidate.path, place.line)
        return FlowChoice(candidate_id=shown, role="text", fact=fact, quote=quote)

    @cached_property
    def _place(self) -> _Place | None:
        """The first place whose key is used, or else the first of all; of several in one file that
        say the same, the one whose key is used in the best ranked file. What has open parts may
        just be put in the same words: such a place must be about as good as the best."""
        enclosing = self._graph.enclosing
        near = {each.id for each in as_good_as_best(self.case.ranking)}
        places = [
            _Place(candidate, line, said.text, enclosing(candidate.path, line))
            for candidate, line, said in self._words.printed_at
            if candidate.id in near or self._is_told(said.text)
        ]
        used: list[_Place] = []
        for place in places[:_TABLES]:
            alike = not used or place.says_what(used[0])
            if alike and (user := self._first_user(place)) is not None:
                used.append(replace(place, user=user))
        first = places[0] if places else None
        return min(used, key=lambda each: self._use_rank(each.user), default=first)

    def _is_told(self, written: str) -> bool:
        """Whether the question has a text word for word, or quotes one that begins and ends so."""
        asked, found = (" ".join(each.split()).casefold() for each in (self.case.question, written))
        words = text.words_in(written)
        ends = {*words[:1], *words[-1:]}
        quoted = (each.text for each in self._words.wording.quotations)
        return found in asked or any(ends <= set(text.words_in(each)) for each in quoted)

    def _first_user(self, place: _Place) -> Literal | None:
        """Of those that use the key of a text, the first function, in the best ranked file."""
        key = self._key(place)
        users = self._users(key, place) if key is not None else ()
        return min(users, key=self._use_rank, default=None)

    def _use_rank(self, user: Literal | None) -> tuple[bool, int]:
        """Order among uses of a key: functions first, in the best ranked file."""
        if user is None:
            return True, len(self.exhibits.file_ranks)
        return user.holder.kind not in CALLABLES, self.exhibits.file_rank(user.holder.path)

    def _key(self, place: _Place) -> str | None:
        """The key that stands before a text on its line, in data or in a table that is no function;
        its name has several parts. None where it is the name of the table itself: who uses that is
        known to the graph."""
        is_data = self._words.is_text(place.candidate.path)
        holder = place.holder
        if not is_data and (holder is None or holder.kind not in VARIABLES):
            return None
        if not self.exhibits.has(place.candidate.path):
            return None
        written = self.exhibits.source(place.candidate.path).lines[place.line - 1]
        before = written[: max(written.find(place.said), 0)]
        keys = [
            match[0]
            for match in _KEY.finditer(before)
            if len(text.words_in(match[0])) > 1 and not _APART.search(before, match.end())
        ]
        own = holder.name if holder is not None and not is_data else None
        return keys[-1] if keys and own not in keys else None

    def _users(self, key: str, place: _Place) -> Iterator[Literal]:
        """What has a key as a whole, each once. Other data that has it are other tables."""
        search, graph = self.case.index.search(), self._graph
        hits = search.having(
            text.analyse(key),
            share=1.0,
            limit=_UNITS,
            files=search.collection.refers,
            allowed=self.case.in_scope,
        )
        whole = re.compile(rf"(?<![\w-]){re.escape(key)}(?![\w-])")
        seen = {place.holder.id if place.holder is not None else None}
        for hit in hits:
            if not self.exhibits.has(hit.path):
                continue
            lines = self.exhibits.source(hit.path).lines
            for line in range(hit.start, min(hit.end, len(lines)) + 1):
                holder = graph.enclosing(hit.path, line) if whole.search(lines[line - 1]) else None
                if holder is None or holder.id in seen or self.case.set_apart(holder):
                    continue
                seen.add(holder.id)
                yield Literal(holder, line, key)
