"""Finds what prints the message in a question.

The message may stand in the code that prints it, or in a table of texts (``"cart.empty": "Your cart
is empty"``). In the second case, the code that uses the key ``cart.empty`` prints it.
"""

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
_SEPARATORS = re.compile(r"[();]")
"""What may not stand between a key and its text."""
_TABLES, _UNITS = 12, 40
"""How many places are searched for a key, and how many units for its users."""


@dataclass(frozen=True, slots=True)
class _MessagePlace:
    """A line that has the message, the definition around it, and the user of the key on the
    line."""

    candidate: Candidate
    line: int
    message: str
    holder: Symbol | None
    user: Literal | None = None

    def has_text_of(self, other: _MessagePlace) -> bool:
        """Whether another place in the same file has the same text."""
        return (self.candidate.path, self.message) == (other.candidate.path, other.message)


class Printed(Finder):
    """The message of one case's question."""

    @property
    def by(self) -> Symbol | None:
        """What prints the message: the user of its key, or the definition that has the text."""
        if self.user is not None:
            return self.user.holder
        return self._place.holder if self._place is not None else None

    @property
    def user(self) -> Literal | None:
        """The user of the message's key, if the message is in a table."""
        return self._place.user if self._place is not None else None

    @property
    def text(self) -> FlowChoice | None:
        """A link for the message itself, if it is used by key or stands outside of definitions."""
        place = self._place
        if place is None or (place.user is None and place.holder is not None):
            return None
        if not self.exhibits.has(place.candidate.path):
            return None
        if place.holder is None:
            shown, fact = place.candidate.id, statements.of_text_alone(place.message)
        else:
            shown = self.exhibits.show(place.holder, place.line)
            fact = statements.of_text(place.holder, place.message)
        quote = self.exhibits.quote(place.candidate.path, place.line)
        return FlowChoice(candidate_id=shown, role="text", fact=fact, quote=quote)

    @cached_property
    def _place(self) -> _MessagePlace | None:
        """The first place whose key is used, or else the first place.

        Of several with the same text in one file it is the one whose key is used in the best ranked
        file. A message with open parts may only happen to use the question's words. Its place must
        be about as good as the best.
        """
        enclosing = self._graph.enclosing
        near_ids = {each.id for each in as_good_as_best(self.case.ranking)}
        places = [
            _MessagePlace(candidate, line, match.text, enclosing(candidate.path, line))
            for candidate, line, match in self._words.message_places
            if candidate.id in near_ids or self._question_has(match.text)
        ]
        used_places: list[_MessagePlace] = []
        for place in places[:_TABLES]:
            is_same_text = not used_places or place.has_text_of(used_places[0])
            if is_same_text and (user := self._first_user(place)) is not None:
                used_places.append(replace(place, user=user))
        first = places[0] if places else None
        return min(used_places, key=lambda each: self._use_rank(each.user), default=first)

    def _question_has(self, written: str) -> bool:
        """Whether the question has a text word for word, or a quotation with its first and last
        word."""
        question, normalised = (
            " ".join(each.split()).casefold() for each in (self.case.question, written)
        )
        words = text.words_in(written)
        ends = {*words[:1], *words[-1:]}
        quoted = (each.text for each in self._words.wording.quotations)
        return normalised in question or any(ends <= set(text.words_in(each)) for each in quoted)

    def _first_user(self, place: _MessagePlace) -> Literal | None:
        """Returns the first user of a text's key: a function if there is one, in the best ranked
        file."""
        key = self._key(place)
        users = self._users(key, place) if key is not None else ()
        return min(users, key=self._use_rank, default=None)

    def _use_rank(self, user: Literal | None) -> tuple[bool, int]:
        """Sort key for users of a key: functions first, then by the rank of the file."""
        if user is None:
            return True, len(self.exhibits.file_ranks)
        return user.holder.kind not in CALLABLES, self.exhibits.file_rank(user.holder.path)

    def _key(self, place: _MessagePlace) -> str | None:
        """Returns the key before a text on its line, or None.

        The line is in data, or in a table that is a variable, and the key has several words. The
        table's own name does not count: who uses that is in the graph.
        """
        is_data = self._words.is_text(place.candidate.path)
        holder = place.holder
        if not is_data and (holder is None or holder.kind not in VARIABLES):
            return None
        if not self.exhibits.has(place.candidate.path):
            return None
        written = self.exhibits.source(place.candidate.path).lines[place.line - 1]
        text_before = written[: max(written.find(place.message), 0)]
        keys = [
            match[0]
            for match in _KEY.finditer(text_before)
            if len(text.words_in(match[0])) > 1 and not _SEPARATORS.search(text_before, match.end())
        ]
        own_name = holder.name if holder is not None and not is_data else None
        return keys[-1] if keys and own_name not in keys else None

    def _users(self, key: str, place: _MessagePlace) -> Iterator[Literal]:
        """Yields each definition that has the whole key. Other data that has it does not count, as
        it is another table."""
        search, graph = self.case.index.search(), self._graph
        hits = search.units_having(
            text.analyse(key),
            share=1.0,
            limit=_UNITS,
            files=search.collection.has_references,
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
                if holder is None or holder.id in seen or self.case.is_set_apart(holder):
                    continue
                seen.add(holder.id)
                yield Literal(holder, line, key)
