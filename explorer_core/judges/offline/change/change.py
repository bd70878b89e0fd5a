"""What the offline judge tells of where something is, and of how to change it.

That is a definition (`subject.py`), then who uses it; and where the question rather asks for a new
one of a kind, before these an example and the places where all of the kind are named (`choice.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from explorer_core.contracts import ReadTargetChoice
from explorer_core.index.symbols import VARIABLES, Symbol, SymbolId
from explorer_core.index.terms import text
from explorer_core.judges.offline.change.choice import Choice
from explorer_core.judges.offline.change.covering_tests import Covering
from explorer_core.judges.offline.change.example import Example
from explorer_core.judges.offline.change.joined import Joined
from explorer_core.judges.offline.change.reach import with_supertypes
from explorer_core.judges.offline.change.subject import Subject, Subjects
from explorer_core.judges.offline.change.users import Users
from explorer_core.judges.offline.telling.finder import Finder
from explorer_core.judges.offline.telling.step import Step
from explorer_core.judges.statements import as_called, called

_HERE, _PERHAPS = "change here", "perhaps change here"
_DECLARATIONS = 2
_JOINED_READ = 2
"""Definitions beside the subject that the question names and that are to be read."""
_BESIDE = 2
"""Users of the subject that are told, at most, where a table is told beside it."""
_OF_FAMILY = 2
"""Users of what a new one derives from that are told, at most."""
_FEW, _ENUMERATED = 2, 4
"""How many places of an enumeration, itself among them, may be told for everything else to be told
as well, and how many for the best definition to be."""


@dataclass(frozen=True)
class Change(Finder):
    """What is told of the subject of one case."""

    seeds: Sequence[Symbol]
    """The best ranked definitions."""
    near: Sequence[Symbol]
    """All definitions that rank not far behind the first."""

    @property
    def is_asked(self) -> bool:
        """Whether the question asks for a definition rather than for how several work together."""
        return self.case.request.intent in ("locate", "edit")

    @property
    def is_edit(self) -> bool:
        return self.case.request.intent == "edit"

    @cached_property
    def subject(self) -> Subject | None:
        """What is asked for."""
        return self._subjects.of(self.seeds, self.near)

    @property
    def _users(self) -> Users:
        return Users(self.case, self.exhibits)

    @cached_property
    def _subjects(self) -> Subjects:
        return Subjects(self.case, self.exhibits)

    @property
    def named_below(self) -> list[Symbol]:
        """What the question gives the name of below its title."""
        return [each.symbol for each in self._subjects.below]

    @property
    def guessed(self) -> list[Symbol]:
        """What keywords of several words are the whole names of."""
        return self._subjects.guessed

    @cached_property
    def example(self) -> Example | None:
        """To edit: what a new one of the kind that is asked for is like."""
        return self._choice.example() if self._choice is not None else None

    @cached_property
    def _choice(self) -> Choice | None:
        if not self.is_edit or self.subject is None:
            return None
        given = (self.subject, self.seeds, self.near, self.named_below)
        return Choice(self.case, self.exhibits, *given)

    @property
    def is_enumerated(self) -> bool:
        """Whether what is told leads with an enumeration and several places that tell its members
        apart."""
        example = self.example if self._leads else None
        if example is None or example.enumerated is None:
            return False
        return len(example.places) > _FEW

    @property
    def hangs_together(self) -> bool:
        """Whether what is told of a new one has to do with what ranks best: one is part of the
        other, or certain edges join the two."""
        if self.example is None or not self._leads:
            return True
        places = [*(place.user for place in self.example.places), self.example.member]
        told = set[SymbolId]().union(*map(self._joins.whole, places))
        best = self.seeds[0]
        around = {best.id, *self._graph.containers(best.id)}
        return not told.isdisjoint(around) or self._joins.edge_between(around, told) is not None

    @property
    def is_proven(self) -> bool:
        """Whether more than the ranking says that what is told has to be changed: others of the
        kind are named there, or the question has its name, if only in words."""
        subject = self.subject
        if not self.is_edit or subject is None:
            return True
        if self.example is not None and self._leads:
            return self.example.is_registered
        words = text.words_in(subject.symbol.name)
        said = self._words.titled.issuperset(words)
        return subject.named or said

    @property
    def says_here(self) -> str:
        """What is said of the best place to somebody who wants to change something."""
        if not self.is_edit:
            return ""
        return _HERE if self.is_proven else _PERHAPS

    def steps(self) -> list[Step]:
        """All steps. A member of the family that the question asks for, and where it is registered,
        come before those of the subject, unless the question is rather about that (see
        `_leads`)."""
        if self.subject is None:
            return []
        if (head := self._head_of_new) is not None:
            return self._steps_of_family(head)
        steps = self._steps_of_subject(self.subject)
        if not self._leads:
            return steps
        like = list(self._like(self.example))
        told = {step.symbol.id for step in like}
        if self.is_enumerated:
            # Beside all places that tell its members apart there is no room for more.
            steps = steps[: len(like) <= _ENUMERATED]
        return [*like, *(step for step in steps if step.symbol.id not in told)]

    def _steps_of_subject(self, subject: Subject) -> list[Step]:
        """The subject, its users, and what is told beside it."""
        users = self._users.of(subject)
        total = self._users.total(subject.symbol, users)
        steps = [Step(subject.symbol, "definition", further=total), *users]
        beside = list(self._like(self._beside))
        if beside:
            steps = steps[: 1 + _BESIDE]
        return _once((*steps, *beside, *self._joined, *self._joins.inside(subject, self.seeds)))

    def _steps_of_family(self, head: Symbol) -> list[Step]:
        """What a new one of a family derives from, one to go by, and who uses all of them: no
        place that names each has to be changed."""
        users = self._users.of(Subject(head), derived=False)
        first = Step(head, "definition", further=self._users.derived(head))
        return _once((first, *self._like(self.example), *users[:_OF_FAMILY], *self._joined))

    def places(self) -> Iterator[ReadTargetChoice]:
        """What to read first, where that is not the best ranked place alone."""
        here = f"{self.says_here}: " if self.says_here else ""
        if (head := self._head_of_new) is not None and self.example is not None:
            yield self._target(head, "what a new one derives from: ")
            yield self._target(self.example.member, "an example: ")
        elif self.example is not None and self._leads:
            yield from self._places_of(self.example)
        elif self.subject is not None:
            best = self.subject.symbol in self.seeds[:1] and not self.subject.declarations
            if not best:
                yield self._target(self.subject.symbol, here)
            for declaration in self.subject.declarations[:_DECLARATIONS]:
                if self.exhibits.has(declaration.path):
                    # What data holds is written where it is defined.
                    of_data = declaration.kind in VARIABLES
                    yield self._target(declaration, "declared here: " if of_data else here)
            if self._beside is not None:
                yield from self._places_of(self._beside)

    def _places_of(self, example: Example) -> Iterator[ReadTargetChoice]:
        for place in example.places:
            yield self._target(place.user, f"{_HERE}: ", line=place.line)
        if example.is_apart:
            yield self._target(example.member, "an example: ")
        for place in example.used:
            yield self._target(place.user, "a use: ", line=place.line)
        if (head := self._head) is not None:
            yield self._target(head, "what it derives from: ")

    def _target(self, symbol: Symbol, said: str, line: int | None = None) -> ReadTargetChoice:
        place = self.exhibits.show(symbol, line)
        self.case.registry.learn_of([as_called(symbol)])
        return ReadTargetChoice(candidate_id=place, purpose=f"{said}{called(symbol)}")

    def beside(self) -> Iterator[ReadTargetChoice]:
        """What to read after the best: what else the question names, and the tests of what is to be
        changed, or of the example. Tests of anything else would be taken for tests of these."""
        if not self.is_edit or self.subject is None:
            return
        for step in self._joined[:_JOINED_READ]:
            yield self._target(step.symbol, "")
        tested = self.subject.symbol
        if self.example is not None and self._leads:
            tested = self.example.tested
        for found in Covering(self.case, self.exhibits).of(tested):
            place = self.exhibits.show(found.test, found.line)
            yield ReadTargetChoice(candidate_id=place, purpose=found.purpose, required=False)

    @property
    def _leads(self) -> bool:
        """Whether the question asks for a new one of the example's kind rather than for the
        subject: it is known where those are named, or the name of the kind has as much of the
        question as that of the subject."""
        if self.example is None or self.subject is None or self._choice is None:
            return False
        if self.example.places or (self.subject.within is not None and not self.example.named):
            return bool(self.example.places)
        overridden = self._choice.overridden
        if overridden is not None and overridden == self._head:
            return True
        if self.example.named and self._is_of_family(self.subject.symbol):
            return True
        return self.example.said >= self._choice.worth

    @property
    def _head_of_new(self) -> Symbol | None:
        """What a new one derives from, if nothing else is known of where it goes."""
        leads = self.example is not None and self._leads and not self.example.places
        return self._head if leads else None

    @property
    def _head(self) -> Symbol | None:
        """What the example derives from."""
        head = self.example.head if self.example is not None else None
        return head if head is not None and self.exhibits.has(head.path) else None

    def _is_of_family(self, symbol: Symbol) -> bool:
        """Whether a definition, or the type that it is in, derives from what the example does."""
        if self._head is None:
            return False
        around = {symbol.id, *self._graph.containers(symbol.id)}
        return self._head.id in with_supertypes(self._graph, around)

    @property
    def _beside(self) -> Example | None:
        """The table that is told beside the subject: one that ranks not far behind the best, and
        only where no example comes before the subject."""
        listed = None if self._leads or self._choice is None else self._choice.listed
        return listed if listed is not None and listed.member in self.near else None

    def _like(self, example: Example | None) -> Iterator[Step]:
        """The steps that show an example: where it is named, the example itself, what uses it."""
        if example is not None:
            for place in example.places:
                yield Step(
                    place.user,
                    "definition" if place.user == example.enumerated else "registration",
                    place.edge,
                    further=place.total,
                    literal=place.literal,
                    exact=example.is_row,
                )
            if example.is_apart:
                yield Step(example.member, "example", example.derivation)
            if example.made is not None:
                yield Step(example.made, "definition")
            for place in example.used:
                yield Step(place.user, "user", place.edge, further=place.total)

    @cached_property
    def _joins(self) -> Joined:
        return Joined(self.case, self.exhibits)

    @cached_property
    def _joined(self) -> list[Step]:
        """For a change: what else the question names below its title, as far as certain edges join
        it to the subject."""
        if not self.is_edit or self.subject is None:
            return []
        return self._joins.named(self.subject, self.named_below)


def _once(steps: Iterable[Step]) -> list[Step]:
    """Some steps, the first of those that show one definition."""
    found: dict[SymbolId, Step] = {}
    for step in steps:
        found.setdefault(step.symbol.id, step)
    return list(found.values())
