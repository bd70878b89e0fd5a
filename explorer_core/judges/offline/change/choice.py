"""What a change is to go by: of all that is found a member of a family, a file beside others, an
enumeration, or the row of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from explorer_core.index.symbols import Symbol
from explorer_core.index.terms import text
from explorer_core.judges.offline.change.enumerations import Enumerations
from explorer_core.judges.offline.change.example import Example
from explorer_core.judges.offline.change.listed import Listed
from explorer_core.judges.offline.change.overridden import Overridden
from explorer_core.judges.offline.change.registration import Registrations
from explorer_core.judges.offline.change.siblings import Siblings
from explorer_core.judges.offline.change.subject import Subject
from explorer_core.judges.offline.change.tables import Tables
from explorer_core.judges.offline.telling.finder import Finder
from explorer_core.judges.statements import called


@dataclass(frozen=True)
class Choice(Finder):
    """Chooses the example of one case, given the subject of the question, the best ranked
    definitions, all that are not far behind the first, and what is named below the title."""

    subject: Subject | None
    seeds: Sequence[Symbol]
    near: Sequence[Symbol]
    named_below: Sequence[Symbol]

    @cached_property
    def example(self) -> Example | None:
        """What a new one of the family that the question names is like; or, where it is not known
        where that goes, a table that the question says more of than of the subject."""
        subject = self.subject
        if not self._is_edit or subject is None:
            return None
        found = self._found_example(subject)
        if (found is not None and found.places) or (listed := self.listed) is None:
            return found
        told = max(found.said if found is not None else 0.0, self.worth_of(subject))
        return listed if listed.said > told or listed.member == subject.symbol else found

    @cached_property
    def listed(self) -> Example | None:
        """A table that ranks well, whose rows are listed elsewhere."""
        return Listed(self.case, self.exhibits).met() if self._is_edit else None

    def _found_example(self, subject: Subject) -> Example | None:
        listed = Listed(self.case, self.exhibits)
        is_best, worth = self._is_best(subject), self.worth_of(subject)
        registrations = Registrations(self.case, self.exhibits)
        family = registrations.example() if is_best else None
        if family is None and self.overridden is not None:
            family = registrations.like(self.overridden)
            is_best = is_best or family is not None
        if family is not None and family.places:
            return family
        siblings = Siblings(self.case, self.exhibits, subject.symbol)
        if is_best and (beside := siblings.beside_best()) is not None:
            return beside
        enumerated = Enumerations(self.case, self.exhibits, self.near).example(
            subject.symbol, worth
        )
        tables = Tables(self.case, self.exhibits)
        if enumerated is not None and enumerated.enumerated is not None:
            # Where many of a type are made side by side, one more is a row and no member of it.
            table = tables.of(enumerated.enumerated, enumerated.said)
            if table is not None:
                return table
        if enumerated is not None and enumerated.is_registered:
            return enumerated
        found = listed.example(subject)
        if found is None and is_best:
            told = family.said if family is not None else 0.0
            found = siblings.example(family, max(worth, told))
            if found is None and not subject.named:
                table = tables.example(told)
                found = table if table is not None and table.said > worth else None
        return found or enumerated or family

    @cached_property
    def overridden(self) -> Symbol | None:
        """The type of what the best ranked definitions override, unless the title names what is to
        be changed."""
        subject = self.subject
        if subject is None or (subject.named and subject.symbol not in self.named_below):
            return None
        return Overridden(self.case, self.exhibits).type()

    def _is_best(self, subject: Subject) -> bool:
        """Whether what is to be changed is what ranks best, or a member that this overrides."""
        overridden = (e.target for e in self._graph.overrides(self.seeds[0].id))
        return subject.symbol == self.seeds[0] or subject.symbol.id in overridden

    def worth_of(self, subject: Subject) -> float:
        """How much of what the question says is in the name of a subject."""
        words = self._words
        return words.worth(words.titled.intersection(text.words_in(called(subject.symbol))))

    @property
    def _is_edit(self) -> bool:
        return self.case.request.intent == "edit"
