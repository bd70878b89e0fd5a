"""What the offline judge tells of where something is and of how to change it: the definition, then
who uses it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from explorer_core.contracts import ReadTargetChoice
from explorer_core.index.symbols import VARIABLES, Edge, Symbol, SymbolId
from explorer_core.index.terms import text
from explorer_core.judges.offline.change.asked import reached
from explorer_core.judges.offline.change.choice import Choice
from explorer_core.judges.offline.change.covering import Covering
from explorer_core.judges.offline.change.example import Example
from explorer_core.judges.offline.change.subject import Subject, Subjects
from explorer_core.judges.offline.change.users import NO_USE, Users
from explorer_core.judges.offline.telling.calls import is_certain_call
from explorer_core.judges.offline.telling.finder import Finder
from explorer_core.judges.offline.telling.step import Step
from explorer_core.judges.statements import as_called, called

_HERE, _PERHAPS = "change here", "perhaps change here"
_DECLARATIONS = 2
_INSIDE = 3
_JOINED, _JOINED_READ = 3, 2
"""What else the question names that is told, and that is to be read."""
_BESIDE = 2
"""Users of the subject that are told where a table is told beside it."""
_OF_FAMILY = 2
"""Users of what a new one derives from."""
_FEW, _ENUMERATED = 2, 4
"""Most places of an enumeration, itself among them, beside which everything else is told, and most
beside which the best definition is."""


@dataclass(frozen=True)
class Change(Finder):
    """The steps about the subject of one case, given the best ranked definitions, and all that
    are not far behind the first."""

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
        """For a change: what a new one of what is asked for is like."""
        return self._choice.example() if self._choice is not None else None

    @cached_property
    def _choice(self) -> Choice | None:
        if not self.is_edit or self.subject is None:
            return None
        given = (self.subject, self.seeds, self.near, self.named_below)
        return Choice(self.case, self.exhibits, *given)

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

    @property
    def is_proven(self) -> bool:
        """Whether more than the ranking says that what is told has to be changed: others of its
        kind are there, or the question has its name, be it in words."""
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
        """What is said of the best place to who wants to change something."""
        if not self.is_edit:
            return ""
        return _HERE if self.is_proven else _PERHAPS

    def steps(self) -> list[Step]:
        """The subject, its users, and the best ranked definitions inside of one named outright. A
        member of the family that the question asks for, and where it is registered, come before
        them, unless the question is rather about the subject (see `_leads`)."""
        if self.subject is None:
            return []
        if (head := self._head_of_new) is not None:
            return self._steps_of_family(head)
        found = self.subject.symbol
        users = self._users.of(self.subject)
        total = self._users.total(found, users)
        inside = self._best_inside(self.subject)
        steps = [Step(found, "definition", further=total), *users]
        beside = list(self._like(self._beside)) if self._beside is not None else []
        if beside:
            del steps[1 + _BESIDE :]
        for step in (*beside, *self._joined, *inside):
            if all(step.symbol.id != each.symbol.id for each in steps):
                steps.append(step)
        if not self._leads:
            return steps
        like = list(self._like(self.example))
        told = {step.symbol.id for step in like}
        if self.is_enumerated:
            # Beside all places that tell its members apart there is no room for more.
            steps = steps[: len(like) <= _ENUMERATED]
        return [*like, *(step for step in steps if step.symbol.id not in told)]

    def _steps_of_family(self, head: Symbol) -> list[Step]:
        """What a new one of a family derives from, one to go by, and who uses all of them: no
        place that names each has to be changed."""
        users = self._users.of(Subject(head), derived=False)
        first = Step(head, "definition", further=self._users.derived(head))
        steps: dict[SymbolId, Step] = {}
        for step in (first, *self._like(self.example), *users[:_OF_FAMILY], *self._joined):
            steps.setdefault(step.symbol.id, step)
        return list(steps.values())

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
        """What a new one derives from, if that is all that is known of where it goes."""
        leads = self.example is not None and self._leads and not self.example.places
        return self._head if leads else None

    @property
    def _head(self) -> Symbol | None:
        """What the example derives from."""
        head = self.example.head if self.example is not None else None
        return head if head is not None and self.exhibits.has(head.path) else None

    def _is_of_family(self, symbol: Symbol) -> bool:
        """Whether a definition, or the type that it is in, derives from what the example does."""
        around = (symbol.id, *self._graph.containers(symbol.id))
        if self._head is None or self._choice is None:
            return False
        return self._head.id in self._choice.above(set(around))

    @property
    def _beside(self) -> Example | None:
        """The table that is told beside the subject, if nothing comes before that and it is not far
        behind what ranks best."""
        listed = None if self._leads or self._choice is None else self._choice.listed
        return listed if listed is not None and listed.member in self.near else None

    def _like(self, example: Example | None) -> Iterator[Step]:
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
                    certain = not edge.is_by_name and edge.relation not in NO_USE
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
