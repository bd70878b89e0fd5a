"""What the offline judge tells of where something is and of how to change it: the definition, then
who uses it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from explorer_core.channels.question.templates import without_literals
from explorer_core.contracts import ReadTargetChoice
from explorer_core.index.graph import SymbolGraph
from explorer_core.index.symbols import Edge, Symbol, SymbolId
from explorer_core.index.terms import text
from explorer_core.judges.base import JudgeCase
from explorer_core.judges.offline.change.covering import TESTS, Covering
from explorer_core.judges.offline.change.enumerations import Enumerations
from explorer_core.judges.offline.change.listed import Listed
from explorer_core.judges.offline.change.registration import Example, Registrations, reached
from explorer_core.judges.offline.change.siblings import Siblings
from explorer_core.judges.offline.change.subject import Subject, Subjects
from explorer_core.judges.offline.change.tables import Tables
from explorer_core.judges.offline.telling.calls import is_certain_call
from explorer_core.judges.offline.telling.exhibit import Exhibits
from explorer_core.judges.offline.telling.telling import Step
from explorer_core.judges.statements import as_called, called
from explorer_core.registry.traits import is_test

_USERS = 4
_ALIKE = 40
"""Users whose lines are alike that are passed over for others."""
_FILES_THROUGH = 40
"""Files looked at for users of a member that the one asked for overrides."""
_DECLARATIONS = 2
_INSIDE = 3
_JOINED, _JOINED_READ = 3, 2
"""What else the question names that is told, and that is to be read."""
_FEW, _ENUMERATED = 2, 4
"""Most places of an enumeration, itself among them, beside which everything else is told, and most
beside which the best definition is."""
_NO_USE = ("contains", "imports")
_DERIVED = ("extends", "implements", "overrides")


@dataclass(frozen=True)
class Change:
    """The steps about the subject of one case, given the best ranked definitions, and all that
    are not far behind the first."""

    case: JudgeCase
    exhibits: Exhibits
    seeds: Sequence[Symbol]
    near: Sequence[Symbol]

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

    @cached_property
    def _subjects(self) -> Subjects:
        return Subjects(self.case, self.exhibits)

    @property
    def named_below(self) -> list[Symbol]:
        """What the question gives the name of below its title."""
        return [each.symbol for each in self._subjects.below]

    @cached_property
    def example(self) -> Example | None:
        """For a change: what a new one of the family that the question names is like."""
        subject = self.subject
        if not self.is_edit or subject is None:
            return None
        listed = Listed(self.case, self.exhibits)
        if subject.literals:
            return listed.example(subject)
        is_best, worth = self._is_best(subject), self._worth_of(subject)
        family = Registrations(self.case, self.exhibits).example() if is_best else None
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
            return tables.of(enumerated.enumerated, enumerated.said) or enumerated
        enumerated = enumerated or listed.example(subject)
        if enumerated is not None or not is_best:
            return enumerated
        told = family.said if family is not None else 0.0
        beside = siblings.example(family, max(worth, told))
        if beside is not None or subject.named:
            return beside or family
        table = tables.example(told)
        return table if table is not None and table.said > worth else family

    def _is_best(self, subject: Subject) -> bool:
        """Whether what is to be changed is what ranks best, or a member that this overrides."""
        overridden = (e.target for e in self._graph.overrides(self.seeds[0].id))
        return subject.symbol == self.seeds[0] or subject.symbol.id in overridden

    @property
    def is_enumerated(self) -> bool:
        """Whether an enumeration and more than one place that tells its members apart are told."""
        example = self.example if self._leads else None
        if example is None or example.enumerated is None:
            return False
        return len(example.places) > _FEW

    @property
    def hangs_together(self) -> bool:
        """Whether what is told of a new one has to do with what ranks best: that is of it, or
        certain edges join the two."""
        if self.example is None or not self._leads:
            return True
        places = [*(place.user for place in self.example.places), self.example.member]
        told = set[SymbolId]().union(*map(self._whole, places))
        best = self.seeds[0]
        around = {best.id, *self._graph.containers(best.id)}
        return not told.isdisjoint(around) or self._edge_between(around, told) is not None

    def steps(self) -> list[Step]:
        """The subject, its users, and the best ranked definitions inside of one named outright. A
        member of the family that the question asks for, and where it is registered, come before
        them, unless the question is rather about the subject (see `_leads`)."""
        if self.subject is None:
            return []
        found = self.subject.symbol
        users = self._users(self.subject)
        row = self.subject.literals[0] if self.subject.literals else None
        total = "" if row else self._total(found, users)
        inside = self._best_inside(self.subject)
        steps = [Step(found, "definition", further=total, literal=row), *users]
        for step in (*self._joined, *inside):
            if all(step.symbol.id != each.symbol.id for each in steps):
                steps.append(step)
        if not self._leads:
            return steps
        like = list(self._like())
        told = {step.symbol.id for step in like}
        if self.is_enumerated:
            # Beside all places that tell its members apart there is no room for more.
            steps = steps[: len(like) <= _ENUMERATED]
        return [*like, *(step for step in steps if step.symbol.id not in told)]

    def places(self) -> Iterator[ReadTargetChoice]:
        """What to read first, where that is not the best ranked place alone."""
        here = "change here: " if self.is_edit else ""
        if self.example is not None and self._leads:
            for place in self.example.places:
                yield self._target(place.user, here, line=place.line)
            if self.example.is_apart:
                yield self._target(self.example.member, "an example: ")
            derived = self.example.derivation
            head = self._graph.symbol(derived.target) if derived is not None else None
            if head is not None and self.exhibits.has(head.path):
                yield self._target(head, "what it derives from: ")
        elif self.subject is not None:
            for row in self.subject.literals[:1]:
                yield self._target(row.holder, here, line=row.line)
            best = self.subject.symbol in self.seeds[:1] and not self.subject.declarations
            if not best and not self.subject.literals:
                yield self._target(self.subject.symbol, here)
            for declaration in self.subject.declarations[:_DECLARATIONS]:
                if self.exhibits.has(declaration.path):
                    yield self._target(declaration, here)

    def _target(self, symbol: Symbol, said: str, line: int | None = None) -> ReadTargetChoice:
        place = self.exhibits.show(symbol, line)
        self.case.registry.learn_of([as_called(symbol)])
        return ReadTargetChoice(candidate_id=place, purpose=f"{said}{called(symbol)}")

    def beside(self) -> Iterator[ReadTargetChoice]:
        """What to read after the best: what else the question names, and the tests of what is to be
        changed, or of the example; of nothing else, or they would be taken for such."""
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
        """Whether the question asks for a new member of the family rather than for the subject: it
        is known where members are registered, or the family's name has as much of the question as
        the subject's."""
        if self.example is None or self.subject is None:
            return False
        if self.example.places or self.subject.within is not None:
            return bool(self.example.places)
        return self.example.said >= self._worth_of(self.subject)

    def _worth_of(self, subject: Subject) -> float:
        """How much of what the question says is in the name of a subject."""
        words = self.exhibits.words
        return words.worth(words.titled.intersection(text.words_in(called(subject.symbol))))

    def _like(self) -> Iterator[Step]:
        if self.example is not None:
            for place in self.example.places:
                yield Step(
                    place.user,
                    "definition" if place.user == self.example.enumerated else "registration",
                    place.edge,
                    further=place.total,
                    literal=place.literal,
                    exact=self.example.is_row,
                )
            if self.example.is_apart:
                yield Step(self.example.member, "example", self.example.derivation)
            if self.example.made is not None:
                yield Step(self.example.made, "definition")

    def _users(self, subject: Subject) -> list[Step]:
        found = subject.symbol
        used = chain(
            ((edge, None) for edge in self._uses_of(subject)),
            ((edge, found.id) for edge in self._uses_through(found)),
        )
        users = {
            called(each.holder): Step(each.holder, "user", literal=each)
            for each in subject.literals[1 : 1 + _USERS]
        }
        for edge, meant in self._told_apart(used):
            if len(users) == _USERS:
                break
            user = self._graph.symbol(edge.source)
            name = user.path if user.id.is_file else called(user)
            users.setdefault(name, Step(user, "user", edge, meant=meant))
        return list(users.values())

    def _told_apart(
        self, used: Iterable[tuple[Edge, SymbolId | None]]
    ) -> Iterator[tuple[Edge, SymbolId | None]]:
        """Some uses that count, those last whose line is that of one before but for its literals:
        it says nothing new."""
        lines: set[str] = set()
        alike: list[tuple[Edge, SymbolId | None]] = []
        for edge, meant in used:
            if self.case.set_apart(self._graph.symbol(edge.source)):
                continue
            line = self._line_of(edge)
            if line and line in lines and len(alike) < _ALIKE:
                alike.append((edge, meant))
            else:
                lines.add(line)
                yield edge, meant
        yield from alike

    def _line_of(self, edge: Edge) -> str:
        """The line of an edge without what stands in literals; empty where it cannot be read."""
        if not self.exhibits.has(edge.path):
            return ""
        line = self.exhibits.source(edge.path).lines[edge.line - 1 : edge.line]
        return without_literals("".join(line)).strip()

    def _uses_of(self, subject: Subject) -> Iterator[Edge]:
        """One edge per user, certain ones and calls first, and of these the best ranked users; of
        what is named outright, what derives from it before all others."""
        seen = {subject.symbol.id}
        edges = self._graph.incoming(subject.symbol.id)
        edges = [edge for edge in edges if edge.relation not in _NO_USE]
        edges.sort(
            key=lambda edge: (
                edge.witness == "graph:name",
                not (subject.named and edge.relation in _DERIVED),
                edge.relation != "calls",
                self._rank(edge.source),
            )
        )
        for edge in edges:
            if edge.source not in seen and not self._is_own(edge, subject.symbol):
                seen.add(edge.source)
                yield edge

    def _rank(self, user: SymbolId) -> float:
        symbol = self._graph.symbol(user)
        return self.exhibits.ranks.get((symbol.path, symbol.line), math.inf)

    def _is_own(self, edge: Edge, subject: Symbol) -> bool:
        """Whether an edge is of a part of what is asked for, which is no user of it."""
        part = subject.id in self._graph.containers(edge.source)
        return part and edge.relation not in _DERIVED

    def _uses_through(self, symbol: Symbol) -> Iterator[Edge]:
        """Certain uses of the members that a symbol overrides, near it."""
        for edge in self._graph.uses_through(symbol.id, files=_FILES_THROUGH):
            if edge.witness != "graph:name" and not edge.source.is_file:
                yield edge

    def _total(self, symbol: Symbol, users: Sequence[Step]) -> str:
        """How many places are known to use a symbol, and how many of tests, where that is more than
        are shown."""
        used: dict[bool, set[tuple[str, int]]] = {True: set(), False: set()}
        for edge in self._graph.incoming(symbol.id):
            known = edge.relation not in _NO_USE and edge.witness != "graph:name"
            if known and edge.source != symbol.id and not self._is_own(edge, symbol):
                used[is_test(self._graph.symbol(edge.source))].add((edge.path, edge.line))
        places = [_counted(used[False])] if len(used[False]) > len(users) else []
        if len(used[True]) > TESTS:
            places.append(f"{_counted(used[True])} of tests")
        return f"{called(symbol)} is used in {' and in '.join(places)}." if places else ""

    @cached_property
    def _joined(self) -> list[Step]:
        """For a change: what else the question names below its title, as far as certain edges join
        it to the subject or to another that they do."""
        subject = self.subject
        if not self.is_edit or subject is None:
            return []
        known = self._whole(subject.within or subject.symbol)
        around = set(self._graph.containers(subject.symbol.id))
        others = [each for each in self.named_below if each.id not in around]
        found: list[Step] = []
        while len(found) < _JOINED:
            left = (each for each in others if each.id not in known)
            met = ((each, self._edge_between(self._whole(each), known)) for each in left)
            each, edge = next(((each, edge) for each, edge in met if edge), (None, None))
            if each is None:
                break
            found.append(Step(each, "also", edge))
            known |= self._whole(each)
        return found

    def _whole(self, symbol: Symbol) -> set[SymbolId]:
        """A definition and all that is in it."""
        return reached({symbol.id}, lambda each: self._graph.members(each))

    def _edge_between(self, some: set[SymbolId], others: set[SymbolId]) -> Edge | None:
        """The first certain edge from one of some definitions to one of others, or back."""
        for sources, targets in ((others, some), (some, others)):
            for source in sorted(sources):
                for edge in self._graph.outgoing(source):
                    certain = edge.witness != "graph:name" and edge.relation not in _NO_USE
                    if certain and edge.target in targets:
                        return edge
        return None

    def _best_inside(self, subject: Subject) -> list[Step]:
        """The best ranked definition inside of one named outright, and the next that calls join to
        it: what is asked for is most often done there."""
        whole = subject.within or subject.symbol
        inside = [
            seed
            for seed in (self.seeds if subject.named or subject.within else ())
            if seed.id not in (whole.id, subject.symbol.id)
            and (seed.path == whole.path and whole.range.covers(seed.range))
        ]
        found = [Step(seed, "also") for seed in inside[:1]]
        while len(found) < _INSIDE:
            shown = [step.symbol for step in found]
            names = {called(each) for each in shown}
            joined = (
                Step(seed, "also", edge)
                for seed in inside
                if called(seed) not in names and (edge := self._call_between(seed, shown))
            )
            if (following := next(joined, None)) is None:
                break
            found.append(following)
        return found

    def _call_between(self, symbol: Symbol, others: Sequence[Symbol]) -> Edge | None:
        """The first certain call of a symbol by one of some others, or of one of them by it."""
        edges = chain.from_iterable(self._graph.between(each.id, symbol.id) for each in others)
        return next(filter(is_certain_call, edges), None)

    @property
    def _graph(self) -> SymbolGraph:
        return self.case.graph


def _counted(places: set[tuple[str, int]]) -> str:
    files = len({path for path, _ in places})
    times = "one place" if len(places) == 1 else f"{len(places)} places"
    return f"{times} of {'one file' if files == 1 else f'{files} files'}"
