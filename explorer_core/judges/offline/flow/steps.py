"""The steps of the offline judge's flow, and what is told beside them.

Of several definitions that work together the steps are those of a trace that the question has, else
those of the spine that the graph draws through the seeds, or of a fork, or the best definitions one
by one. Where one definition is asked for, they are about that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice

from explorer_core.index.flow import find_spine
from explorer_core.index.graph import SymbolGraph
from explorer_core.index.spine import STEPS, Spine, SpineStep
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS, Edge, Symbol, SymbolId
from explorer_core.judges import statements
from explorer_core.judges.offline.change.change import Change
from explorer_core.judges.offline.flow.fork import forked
from explorer_core.judges.offline.flow.handed import may_hand_over, with_handover
from explorer_core.judges.offline.flow.neighbours import with_neighbours
from explorer_core.judges.offline.flow.seeds import FAR, Seeds, wanted
from explorer_core.judges.offline.telling.deciding import Decision
from explorer_core.judges.offline.telling.declared import is_bodiless, only_declares
from explorer_core.judges.offline.telling.places import definitions_of, share_lines
from explorer_core.judges.offline.telling.step import Step
from explorer_core.judges.offline.telling.telling import Telling

_BEST, _BESIDES = 3, 2
"""Of so many best ranked definitions, those that the flow does not come by are told after it, but
no more than so many."""
_TELLING, _TESTED = 2, 2
"""Among how many first steps what tells the message is looked for, and how much of what is tested
there is told after the flow."""
_NAMED, _CALLED = 2, 1
"""How many others are told after it of what is named below the title, and of what its steps
call."""


@dataclass(frozen=True, slots=True)
class Steps:
    """Those of one case; ``trail`` leads back from a symptom, or is what alone is meant."""

    telling: Telling
    trail: Sequence[Symbol]
    seeds: Seeds
    change: Change
    explains_message: bool
    """Whether the trail begins at what prints a message that the question tells."""

    def all(self) -> list[Step]:
        """The steps in the order in which they are told."""
        if self.change.is_asked:
            return self.change.steps()
        if len(self.trail) > 1:
            return self._from_symptom(self._along_trail())
        steps = self._along_spine()
        if len(steps) < 2 and self.trail:
            return self.change.steps()
        joined = any(step.edge for step in steps)
        return self._from_symptom(steps) if joined else steps

    def _from_symptom(self, steps: list[Step]) -> list[Step]:
        """Steps that lead to a symptom, with that first where it is to be debugged."""
        return steps[::-1] if self._is_debug else steps

    def _along_trail(self) -> list[Step]:
        """The trail from where it began, each step with the call of the next where it is known."""
        symbols = self.trail[:STEPS][::-1]
        last = len(symbols) - 1
        return [
            Step(
                symbol,
                _role(at, last),
                self._call_of(symbols[at + 1], [symbol]) if at < last else None,
            )
            for at, symbol in enumerate(symbols)
        ]

    def _along_spine(self) -> list[Step]:
        """The spine; without a symptom that it must end at, a fork before it, and the best
        definitions one by one where there is neither."""
        path = self._path()
        if self.trail:
            return path
        near = self.seeds.near
        fork = forked(self.telling, path, near[:_BEST])
        path = fork if self._wanted(fork) >= self._wanted(path) else path
        apart = [Step(symbol, "definition") for symbol in near[:_BEST]]
        return with_neighbours(self.telling, with_handover(self.telling, path)) or apart

    def _wanted(self, steps: Sequence[Step]) -> float:
        """How much what some steps come by is wanted in all."""
        return sum(
            weight
            for symbol, weight in self.seeds.weighted
            if any(share_lines(symbol, step.symbol) for step in steps)
        )

    def _path(self) -> list[Step]:
        spine = self._spine()
        last = len(spine.steps) - 1
        path = [
            Step(
                self._graph.symbol(step.symbol),
                _role(at, last),
                step.edge_to_next,
                step.via,
                self._overriding(step, spine.steps[at + 1 :]),
            )
            for at, step in enumerate(spine.steps)
            if last > 0
        ]
        return self._to_symptom(path) if self._is_debug and not self.trail else path

    def _overriding(self, step: SpineStep, after: Sequence[SpineStep]) -> SymbolId | None:
        """The step after one, if it overrides what that one uses."""
        if len(step.via) != 1 or not after:
            return None
        overridden = (edge.target for edge in self._graph.overrides(after[0].symbol))
        return after[0].symbol if step.via[0] in overridden else None

    def _to_symptom(self, path: list[Step]) -> list[Step]:
        """A path as far as the last of those that may lead an answer to debug: the best definition,
        those that are as good, and those that the question names."""
        leading = [*self.seeds.close, *self._named_beside()]
        for at in range(len(path) - 1, -1, -1):
            if any(share_lines(each, path[at].symbol) for each in leading):
                return [*path[:at], replace(path[at], role="effect" if at else "definition")]
        return path

    def _spine(self) -> Spine:
        seeds = {symbol.id: weight for symbol, weight in self.seeds.weighted}
        for symbol in (*self._named_beside(), *self._functions(self.change.guessed)):
            seeds.setdefault(symbol.id, wanted(FAR))
        end = self.trail[0].id if self.trail else None
        return find_spine(
            self._graph,
            seeds,
            avoid=self.telling.case.set_apart,
            follows=partial(may_hand_over, self.telling.exhibits),
            end=end,
        )

    def _named_beside(self) -> list[Symbol]:
        """The functions that the question names below its title and a call joins to one of the
        best definitions: others of what it names there may be wrong guesses."""
        near = [] if self.change.is_asked else self.seeds.near
        return [
            each
            for each in self._functions(self.change.named_below)
            if self._call_of(each, near) or self._calls_one_of(each, near)
        ]

    def besides(self, steps: Sequence[Step]) -> list[Step]:
        """The best ranked definitions that the flow does not come by, and others about as good that
        its steps call. Those that steps call are told first, and among them the call of the last
        step, right after it."""
        callers = definitions_of(steps)
        shown = list(callers)
        found: list[Step] = []
        for beside, most in (
            (self._tested(steps), _TESTED),
            (self._best_beside(steps), _BESIDES),
            (self._called(callers, self._named_beside()), _NAMED),
            (self._called(callers, self._near_together()), _CALLED),
            (self._guessed(callers), _NAMED),
            (self._called(callers, self._functions(self.change.words_for)), _NAMED),
        ):
            for step in islice(filter(partial(self._is_apart, shown), beside), most):
                shown.append(step.symbol)
                found.append(step)
        last = steps[-1].symbol.id
        found.sort(key=lambda step: (step.edge is None, step.edge and step.edge.source != last))
        # A hop shows the call of what comes right after its caller, and no other.
        follows = [step for step in found[:1] if step.edge and step.edge.source == last]
        return [*follows, *(replace(step, led_to=True) for step in found[len(follows) :])]

    def _tested(self, steps: Sequence[Step]) -> Iterator[Step]:
        """To debug, what is tested where the first of some steps that does so tells the message of
        the question: the first of all, or else what uses that."""
        if not self.explains_message or not self._is_debug:
            return
        for step in steps[:_TELLING]:
            if (line := self.telling.told_on(step)) is not None:
                decision = self.telling.deciding.on(step.symbol, line)
                yield from _deciding(decision, step.symbol) if decision is not None else ()
                return

    def _best_beside(self, steps: Sequence[Step]) -> Iterator[Step]:
        """The best definitions that are not far behind the first, or that a call joins to one of
        some steps. Where these lead to the message that the question tells, it is clear what is
        asked for, and what only has words of it is not told; nor beside an enumeration."""
        callers = definitions_of(steps)
        leads = self.explains_message and any(step.role == "effect" for step in steps)
        near = [] if leads or self.change.is_enumerated else self.seeds.near
        for symbol in self.seeds.symbols[:_BEST]:
            edge = self._call_of(symbol, callers)
            if edge or symbol in near or self._calls_one_of(symbol, callers):
                yield Step(symbol, "also", edge)

    def _guessed(self, callers: Sequence[Symbol]) -> Iterator[Step]:
        """What keywords are the whole names of: functions, and for a change types as well."""
        types = [each for each in self.change.guessed if each.kind in MEMBER_HOLDERS]
        functions = self._functions(self.change.guessed)
        for symbol in (*functions, *(types if self.change.is_edit else ())):
            yield Step(symbol, "also", self._call_of(symbol, callers))

    def _functions(self, symbols: Sequence[Symbol]) -> list[Symbol]:
        """The functions among some definitions, without those that are only declared."""
        index = self.telling.case.index
        functions = (each for each in symbols if each.kind in CALLABLES)
        return [each for each in functions if not is_bodiless(index, each)]

    def _near_together(self) -> Sequence[Symbol]:
        """All definitions not far behind the first, where several work together: callers of a
        single definition that is asked for call other things, too."""
        return [] if self.trail or self.change.is_asked else self.seeds.near

    def _called(self, callers: Sequence[Symbol], symbols: Sequence[Symbol]) -> Iterator[Step]:
        """Of some symbols those that some ``callers`` certainly call."""
        for symbol in symbols:
            if (edge := self._call_of(symbol, callers)) is not None:
                yield Step(symbol, "also", edge)

    def _call_of(self, symbol: Symbol, callers: Sequence[Symbol]) -> Edge | None:
        """A certain call of a symbol by the first of some others that has one."""
        edges = chain.from_iterable(self.telling.calls.sure(caller) for caller in callers)
        return next((edge for edge in edges if edge.target == symbol.id), None)

    def _calls_one_of(self, symbol: Symbol, others: Sequence[Symbol]) -> bool:
        """Whether a symbol certainly calls one of some others."""
        targets = {edge.target for edge in self.telling.calls.sure(symbol)}
        return not targets.isdisjoint(other.id for other in others)

    def _is_apart(self, shown: Sequence[Symbol], step: Step) -> bool:
        """Whether a step shows nothing of what is shown, nor what only declares that."""
        if any(share_lines(step.symbol, other) for other in shown):
            return False
        return not only_declares(self.telling.case.index, step.symbol, shown)

    @property
    def _is_debug(self) -> bool:
        return self.telling.case.request.intent == "debug"

    @property
    def _graph(self) -> SymbolGraph:
        return self.telling.case.graph


def _deciding(decision: Decision, symbol: Symbol) -> Iterator[Step]:
    """What decides in a symbol, as far as it is known."""
    further = (statements.of_caught if decision.caught else statements.of_tested)(symbol)
    for meant, edge in decision.deciding:
        proof = edge if meant.id in (edge.source, edge.target) else None
        raises = edge.source == meant.id != edge.target
        yield Step(meant, "also", proof, further=further, exact=raises)


def _role(at: int, last: int) -> str:
    """What a step of a path is, by its place."""
    return "entry" if at == 0 else "effect" if at == last else "step"
