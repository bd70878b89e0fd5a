"""Answers where something is, and how to change it.

For "Where is X?" it shows a definition (`subject.py`) and its users. For "Add another X" it first
shows an example of the kind, and the places where all of that kind are named (`choice.py`).
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
from explorer_core.judges.offline.change.joined import Connections
from explorer_core.judges.offline.change.subject import Subject, Subjects
from explorer_core.judges.offline.change.users import Users
from explorer_core.judges.offline.telling.finder import Finder
from explorer_core.judges.offline.telling.step import Step
from explorer_core.judges.statements import called

_CHANGE_HERE, _POSSIBLY_CHANGE_HERE = "change here", "possibly change here"
_DECLARATIONS = 2
_CONNECTED_READ = 2
"""How many definitions that the question names beside the subject are to be read."""
_USERS_BESIDE_TABLE = 2
"""How many users of the subject are shown if a table is shown beside it."""
_USERS_OF_FAMILY = 2
"""How many users of a family's supertype are shown."""
_FEW_PLACES, _MANY_PLACES = 2, 4
"""If an enumeration has up to ``_FEW_PLACES`` places, itself included, everything else is shown
too; if up to ``_MANY_PLACES``, only the best definition is."""


@dataclass(frozen=True)
class Change(Finder):
    """The steps and the places to read for the subject of one case."""

    seeds: Sequence[Symbol]
    """The best ranked definitions."""
    near: Sequence[Symbol]
    """All definitions ranked not far behind the first."""

    @property
    def asks_for_one_definition(self) -> bool:
        """Whether the question asks for one definition, rather than how several work together."""
        return self.case.request.intent in ("locate", "edit")

    @property
    def is_edit(self) -> bool:
        return self.case.request.intent == "edit"

    @cached_property
    def subject(self) -> Subject | None:
        """The definition that is asked for."""
        return self._subjects.of(self.seeds, self.near)

    @property
    def _users(self) -> Users:
        return Users(self.exhibits)

    @cached_property
    def _subjects(self) -> Subjects:
        return Subjects(self.exhibits)

    @property
    def named_below_title(self) -> list[Symbol]:
        """What the question names below its title."""
        return [each.symbol for each in self._subjects.below]

    @property
    def named_by_phrase(self) -> list[Symbol]:
        """The definitions whose whole name is a keyword of several words."""
        return self._subjects.named_by_phrase

    @property
    def named_by_word(self) -> list[Symbol]:
        """The functions whose whole names are one-word keywords."""
        return self._subjects.named_by_word

    @cached_property
    def _choice(self) -> Choice | None:
        if not self.is_edit or self.subject is None:
            return None
        return Choice(self.exhibits, self.subject, self.seeds, self.near, self.named_below_title)

    @property
    def _example(self) -> Example | None:
        """For an edit that asks for a new one of a kind: what the new one is like."""
        return self._choice.leading if self._choice is not None else None

    @property
    def is_enumerated(self) -> bool:
        """Whether the answer begins with an enumeration and several places that tell its members
        apart."""
        if self._example is None or self._example.enumerated is None:
            return False
        return len(self._example.places) > _FEW_PLACES

    @property
    def is_connected(self) -> bool:
        """Whether the example is related to the best ranked definition: one is part of the other,
        or an edge joins them that does not go by a name alone. True without an example."""
        if self._example is None:
            return True
        if not self.seeds:
            return False
        places = [*(place.user for place in self._example.places), self._example.member]
        example_symbols = set[SymbolId]().union(*map(self._connections.whole, places))
        best = self.seeds[0]
        around_best = {best.id, *self._graph.containers(best.id)}
        return (
            not example_symbols.isdisjoint(around_best)
            or self._connections.edge_between(around_best, example_symbols) is not None
        )

    @property
    def is_proven(self) -> bool:
        """Whether more than the ranking says that the shown places have to change: others of the
        kind are named there, or the question has the subject's name, if only in words."""
        subject = self.subject
        if not self.is_edit or subject is None:
            return True
        if self._example is not None:
            return self._example.is_registered
        words = text.words_in(subject.symbol.name)
        is_spelled_out = self._words.title_terms.issuperset(words)
        return subject.is_named or is_spelled_out

    @property
    def change_prefix(self) -> str:
        """The words put before the best place if the question is to edit."""
        if not self.is_edit:
            return ""
        return _CHANGE_HERE if self.is_proven else _POSSIBLY_CHANGE_HERE

    def steps(self) -> list[Step]:
        """Returns all steps: those of the example, if there is one, before those of the subject."""
        if self.subject is None:
            return []
        if (head := self._head_of_new) is not None:
            return self._steps_of_family(head)
        example = list(self._steps_of(self._example))
        steps = self._steps_of_subject(self.subject)
        if self.is_enumerated:
            # The places that tell its members apart leave no room for more.
            steps = steps[: len(example) <= _MANY_PLACES]
        in_example = {step.symbol.id for step in example}
        return [*example, *(step for step in steps if step.symbol.id not in in_example)]

    def _steps_of_subject(self, subject: Subject) -> list[Step]:
        """Returns the subject, its users, and what is shown beside it."""
        users = self._users.of(subject)
        total = self._users.total(subject.symbol, users)
        steps = [Step(subject.symbol, "definition", further=total), *users]
        beside = list(self._steps_of(self._beside))
        if beside:
            steps = steps[: 1 + _USERS_BESIDE_TABLE]
        return _first_of_each(
            (
                *steps,
                *beside,
                *self._connected_steps,
                *self._connections.inside(subject, self.seeds),
            )
        )

    def _steps_of_family(self, head: Symbol) -> list[Step]:
        """Returns the supertype to derive from, an example, and users of the supertype. In such a
        family no place that names all members has to change."""
        users = self._users.of(Subject(head), derived=False)
        first = Step(head, "definition", further=self._users.derived(head))
        return _first_of_each(
            (
                first,
                *self._steps_of(self._example),
                *users[:_USERS_OF_FAMILY],
                *self._connected_steps,
            )
        )

    def places(self) -> Iterator[ReadTargetChoice]:
        """Yields what to read first, if that is more than the best ranked place."""
        prefix = f"{self.change_prefix}: " if self.change_prefix else ""
        if (head := self._head_of_new) is not None and self._example is not None:
            yield self._read_target(head, "base of a new one: ")
            yield self._read_target(self._example.member, "an example: ")
        elif self._example is not None:
            yield from self._places_of(self._example)
        elif self.subject is not None:
            best = self.subject.symbol in self.seeds[:1] and not self.subject.declarations
            if not best:
                yield self._read_target(self.subject.symbol, prefix)
            for declaration in self.subject.declarations[:_DECLARATIONS]:
                if self.exhibits.has(declaration.path):
                    # What data holds is written at its definition.
                    is_data = declaration.kind in VARIABLES
                    yield self._read_target(declaration, "declared here: " if is_data else prefix)
            if self._beside is not None:
                yield from self._places_of(self._beside)

    def _places_of(self, example: Example) -> Iterator[ReadTargetChoice]:
        for place in example.places:
            yield self._read_target(place.user, f"{_CHANGE_HERE}: ", line=place.line)
        if example.is_apart:
            yield self._read_target(example.member, "an example: ")
        for place in example.used:
            yield self._read_target(place.user, "a use: ", line=place.line)
        if example.head is not None:
            yield self._read_target(example.head, "what it derives from: ")

    def _read_target(
        self, symbol: Symbol, prefix: str, line: int | None = None
    ) -> ReadTargetChoice:
        place = self.exhibits.show(symbol, line)
        self.exhibits.record_symbols(symbol)
        return ReadTargetChoice(candidate_id=place, purpose=f"{prefix}{called(symbol)}")

    def beside(self) -> Iterator[ReadTargetChoice]:
        """Yields what to read after the best place: what else the question names, and the tests of
        the subject or the example. Tests of other places would be taken for tests of these."""
        if not self.is_edit or self.subject is None:
            return
        for step in self._connected_steps[:_CONNECTED_READ]:
            yield self._read_target(step.symbol, "")
        tested = self.subject.symbol if self._example is None else self._example.tested
        for found in Covering(self.exhibits).of(tested):
            place = self.exhibits.show(found.test, found.line)
            yield ReadTargetChoice(candidate_id=place, purpose=found.purpose, required=False)

    @property
    def _head_of_new(self) -> Symbol | None:
        """The supertype of the new one, if it is not known where else the new one is named."""
        example = self._example
        return example.head if example is not None and not example.places else None

    @property
    def _beside(self) -> Example | None:
        """The table that is shown beside the subject."""
        return self._choice.beside if self._choice is not None else None

    def _steps_of(self, example: Example | None) -> Iterator[Step]:
        """Yields the steps of an example: where it is named, the example itself, what uses it."""
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
    def _connections(self) -> Connections:
        return Connections(self.exhibits)

    @cached_property
    def _connected_steps(self) -> list[Step]:
        """For an edit: what else the question names below its title, if an edge joins it to the
        subject that does not go by a name alone."""
        if not self.is_edit or self.subject is None:
            return []
        return self._connections.connected_steps(self.subject, self.named_below_title)


def _first_of_each(steps: Iterable[Step]) -> list[Step]:
    """Keeps the first step of each definition."""
    found: dict[SymbolId, Step] = {}
    for step in steps:
        found.setdefault(step.symbol.id, step)
    return list(found.values())
