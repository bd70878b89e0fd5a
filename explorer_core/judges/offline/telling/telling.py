"""Writes the fact of a step and chooses the line to quote for it.

For a function that calls ``save``, the fact is "`put` calls `save`." and the quote is that line. A
fact is only about the place that is shown, and states only what is known: text of the question that
stands there word for word, an edge from or to it, or what its documentation says first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from msgspec.structs import replace

from explorer_core.contracts import FACT_LIMIT, FlowChoice, LineRange
from explorer_core.index.symbols import CALLABLES, VARIABLES, Edge, Symbol
from explorer_core.index.terms import text
from explorer_core.judges import statements
from explorer_core.judges.offline.telling.calls import Calls
from explorer_core.judges.offline.telling.conditions import Conditions
from explorer_core.judges.offline.telling.deciding import Deciding
from explorer_core.judges.offline.telling.edge_sentences import EdgeSentences
from explorer_core.judges.offline.telling.finder import Finder
from explorer_core.judges.offline.telling.step import Step

_FURTHER_LINES = 3
"""How many lines a sentence lists: those that have the same edge, or early exits."""
_LEAST_CALLED = 0.5
"""A line with a call is quoted rather than the line that says most about the question, if it says
at least this share as much: a call tells the reader more than words do."""

_LEAST_EXIT = 0.5
"""An early exit is quoted rather than the line that the fact is about, if it says at least this
share as much about the question."""

LineAndFact = tuple[int, str]
"""The line to quote for a step, and its fact."""


@dataclass(frozen=True)
class Telling(Finder):
    """Puts the steps of one case into sentences, each with its quote."""

    @cached_property
    def calls(self) -> Calls:
        return Calls(self.exhibits)

    @cached_property
    def edges(self) -> EdgeSentences:
        return EdgeSentences(self.exhibits, self.calls)

    @cached_property
    def deciding(self) -> Deciding:
        return Deciding(self.exhibits, self.calls, self.conditions)

    @cached_property
    def conditions(self) -> Conditions:
        return Conditions(self.exhibits)

    def choice(self, step: Step) -> FlowChoice | None:
        """Returns the link for a step, or None if its file has gone in the meantime."""
        symbol = step.symbol
        if not self.exhibits.has(symbol.path):
            return None
        self.exhibits.record_symbols(symbol)
        line, fact = self._line_and_fact(step)
        quote, remark = self._quote_and_remark(step, line)
        shown = self.exhibits.show(symbol, line)
        sentences = (fact, remark, *self._other_call_sentences(step, line), step.further)
        fact = _join_up_to_limit(filter(None, sentences))
        return FlowChoice(candidate_id=shown, role=step.role, fact=fact, quote=quote)

    def _quote_and_remark(self, step: Step, line: int) -> tuple[str, str]:
        """Returns the quote for a step whose fact is about ``line``, and a sentence about that line
        if another one is quoted. To debug, the quote shows what the line depends on: an exit or
        condition."""
        symbol, conditions = step.symbol, self.conditions
        early_exit = self._exit_before_call(step, line)
        if early_exit is not None:
            return conditions.quote_of_exit(symbol, *early_exit), statements.of_exit(early_exit[1])
        if self._is_debug and self.message_line(step) == line:
            return self._quote_of_message(symbol, line)
        if exit_quote := self._quote_of_exits(step, line):
            return exit_quote
        if self._is_debug or self._has_message(symbol.path, line):
            return conditions.guarded_quote(symbol, line), ""
        return self.exhibits.quote(symbol.path, line), ""

    def _quote_of_exits(self, step: Step, line: int) -> tuple[str, str] | None:
        """Returns a quote for the last step of a flow that may exit early, if the question is to
        debug and quotes no message: what somebody misses was most likely refused there. This is the
        exit whose condition says most about the question, unless ``line`` says far more."""
        symbol, worth = step.symbol, self.exhibits.worth
        is_end = step.role == "effect" and symbol.kind in CALLABLES
        if not (self._is_debug and is_end) or self.message_line(step) is not None:
            return None
        shown = self.exhibits.lines_of(symbol, line)
        exits = {
            each: max(worth(symbol, at) for at in each)
            for each in self.conditions.early_exits(symbol)
            if each[0] in shown and each[1] in shown
        }
        best = max(exits, key=exits.__getitem__, default=None)
        if best is None or exits[best] < _LEAST_EXIT * worth(symbol, line):
            return None
        remark = statements.of_exits([at for _, at in exits][:_FURTHER_LINES])
        return self.conditions.quote_of_exit(symbol, *best), remark

    def _quote_of_message(self, symbol: Symbol, line: int) -> tuple[str, str]:
        """Returns the quote for a line that has the question's message. If a condition further up
        decides whether it is reached, that is quoted, and a sentence says where the line is."""
        conditions, decision = self.conditions, None
        if not conditions.shows_its_condition(symbol, line):
            decision = self.deciding.on(symbol, line)
        shown, above = self.exhibits.lines_of(symbol, line), conditions.condition_of(symbol, line)
        is_far = decision is not None and decision.head.start != above
        if decision is None or not is_far or not shown.covers(decision.written):
            return conditions.guarded_quote(symbol, line), ""
        remark = statements.of_line_below(line, decision.head.start)
        return conditions.quote_of(symbol, decision.written), remark

    def message_line(self, step: Step) -> int | None:
        """Returns the line on which a step has the message of the question, or else its key, or the
        variable that holds it. None if it has none of them."""
        symbol, edge = step.symbol, step.edge
        if step.literal is not None:
            return step.literal.line
        verbatim = None if symbol.kind in VARIABLES else self.exhibits.verbatim_in(symbol)
        if verbatim is not None and self._has_message(symbol.path, verbatim[0]):
            return verbatim[0]
        if edge is None or edge.source != symbol.id or edge.path != symbol.path:
            return None
        variable = self._graph.symbol(edge.target)
        holds_message = variable.kind in VARIABLES and self.exhibits.prints_message(variable)
        return (
            self._line_most_asked_about(symbol, self._lines_of(edge, symbol))
            if holds_message
            else None
        )

    def _has_message(self, path: str, line: int) -> bool:
        """Whether a line has a message of the question."""
        return self.exhibits.has_message(path, LineRange(start=line, end=line))

    def _exit_before_call(self, step: Step, line: int) -> tuple[int, int] | None:
        """Returns the lines of a call and of the nearest early exit before ``line`` that depends on
        it, if the question is to debug: what somebody misses was most often refused there."""
        edge = step.edge
        if not self._is_debug or edge is None or edge.source != step.symbol.id:
            return None
        call_lines = {each.line for each in step.also if each.source == step.symbol.id}
        shown = self.exhibits.lines_of(step.symbol, line)
        exits = self.conditions.exits_before(step.symbol, line) if call_lines else []
        return next((each for each in exits if each[0] in call_lines and each[0] in shown), None)

    def _other_call_sentences(self, step: Step, line: int) -> Iterator[str]:
        """Yields the sentences about the step's other calls: those on the lines that are shown with
        ``line``, then its callers."""
        graph, own = self._graph, step.symbol.id
        shown = self.exhibits.lines_of(step.symbol, line)
        unstated = [each for each in step.also if not self.edges.is_stated(each)]
        calls = [edge for edge in unstated if edge.source == own and edge.line in shown]
        stated = [edge for edge in (step.edge, *calls) if edge is not None]
        calls = [
            each
            for at, each in enumerate(calls, 1)
            if not self._is_alternative_target(each, stated[:at])
        ]
        callers = [edge for edge in unstated if edge.source != own]
        self.edges.mark_stated(*calls, *callers)
        if calls:
            yield statements.of_further_edges(graph, calls)
        if callers:
            yield statements.of_further_targets(graph, callers)

    def _is_alternative_target(self, edge: Edge, stated: Sequence[Edge]) -> bool:
        """Whether an edge's target is only another possible target of a call that is already
        told."""
        same_line = (
            each for each in stated if each.line == edge.line and each.source == edge.source
        )
        return any(edge.target in self._graph.alternatives(each) for each in same_line)

    def _line_and_fact(self, step: Step) -> LineAndFact:
        """Chooses the fact: what the step is shown for, else text of the question that it has word
        for word, else its edge if that starts there, else what the symbol calls or what leads to
        it."""
        return (
            self._fact_of_place(step)
            or (None if step.part else self._fact_of_text(step.symbol))
            or self._fact_of_edge(step)
            or self._fact_of_calls(step)
        )

    def _fact_of_place(self, step: Step) -> LineAndFact | None:
        symbol, edge = step.symbol, step.edge
        if step.line is not None:
            return step.line, self._pointed_line_sentence(symbol, step.line)
        if step.literal is not None:
            return step.literal.line, statements.of_text(symbol, step.literal.name)
        if edge is not None and step.handover_text:
            return edge.line, self.edges.of_handover(edge, step.handover_text)
        return None

    def _fact_of_text(self, symbol: Symbol) -> LineAndFact | None:
        verbatim = None if symbol.id.is_file else self.exhibits.verbatim_in(symbol)
        return (
            (verbatim[0], statements.of_text(symbol, verbatim[1].text))
            if verbatim is not None
            else None
        )

    def _fact_of_edge(self, step: Step) -> LineAndFact | None:
        symbol, edge = step.symbol, step.edge
        if edge is None or edge.path != symbol.path or edge.line not in symbol.range:
            return None
        is_holder = edge.relation == "contains" and not step.exact
        if is_holder and (documented := self._documented(symbol)):
            return edge.line, documented
        lines = self._lines_of(edge, symbol)
        line = edge.line if step.exact else self._line_most_asked_about(symbol, lines)
        sentence = self.edges.of_edge(edge, step.via, step.meant)
        return line, self._with_further_lines(sentence, symbol, line, lines)

    def _fact_of_calls(self, step: Step) -> LineAndFact:
        symbol, edge = step.symbol, step.edge
        leads_here = edge is not None and edge.target == symbol.id and self.edges.is_news(edge)
        incoming = edge if leads_here else None
        line, own_fact = self._own_line_and_fact(symbol, step.part)
        if own_fact:
            return line, self.edges.with_incoming(
                own_fact, incoming
            ) if incoming is not None and step.states_incoming else own_fact
        if edge is not None and edge.source == symbol.id:
            return symbol.line, self.edges.of_edge(edge, step.via, step.meant)
        if incoming is None:
            return self._fact_without_calls(symbol, edge, line)
        if matching := self._matching_in_code(symbol, line):
            return line, self.edges.with_incoming(matching, incoming)
        if documented := self._documented(symbol):
            return symbol.line, self.edges.with_incoming(documented, incoming)
        return symbol.line, self.edges.of_incoming([incoming])

    def _matching_words(self, symbol: Symbol, line: int) -> str:
        """Says what a symbol is documented as or, failing that, which words of the question
        ``line`` has, for a symbol that calls nothing. Empty if the line is its head or has none of
        them."""
        words = (
            self.exhibits.telling_words_of_line(symbol.path, line) if line != symbol.line else []
        )
        return self._fact_of_line(symbol, words) if words else ""

    def _fact_of_line(self, symbol: Symbol, words: Sequence[str]) -> str:
        """The sentence for a line that is shown for its ``words``: the quote shows these, so the
        documentation says more."""
        return self._documented(symbol) or statements.of_line(symbol, words)

    def _matching_in_code(self, symbol: Symbol, line: int) -> str:
        """Does what `_matching_words` does for a line of code. Empty for a comment, which says less
        than a caller does."""
        return self._matching_words(symbol, line) if self.exhibits.is_code(symbol, line) else ""

    def _fact_without_calls(self, symbol: Symbol, edge: Edge | None, line: int) -> LineAndFact:
        """Chooses the fact for a symbol that calls nothing, given the ``edge`` that leads to it, if
        any, and the ``line`` that says most about the question."""
        if documented := self._documented(symbol):
            return line, documented
        known = edge is not None or self.edges.is_led_to(symbol)
        callers = [] if known else self.edges.relevant_callers(symbol)
        if callers and (matching_code := self._matching_in_code(symbol, line)):
            return line, self.edges.with_incoming(matching_code, callers[0])
        if callers:
            return symbol.line, self.edges.of_incoming(callers)
        if matching := self._matching_words(symbol, line):
            return line, matching
        if (use := self.calls.most_relevant_use(symbol)) is not None:
            return use.line, self.edges.of_edge(use)
        if edge is None and (callers := self.edges.relevant_callers(symbol)):
            return symbol.line, self.edges.of_incoming(callers)
        return symbol.line, statements.of_definition(symbol)

    def _documented(self, symbol: Symbol) -> str:
        """Says what a symbol is documented as: in the first sentence of its documentation. Empty if
        that is not prose or lost part of its markup."""
        sentence = statements.first_doc_sentence(symbol)
        is_written = sentence and self.exhibits.is_documented_as(symbol, sentence)
        return statements.of_documentation(symbol, sentence) if is_written else ""

    def _lines_of(self, edge: Edge, symbol: Symbol) -> list[int]:
        """Returns the lines of a symbol that have an edge to the same target as this one, or at
        least this one's."""
        lines = [
            each.line
            for each in self._graph.uses(edge.source)
            if replace(each, line=edge.line) == edge and each.line in symbol.range
        ]
        return lines or [edge.line]

    def _line_most_asked_about(self, symbol: Symbol, lines: Sequence[int]) -> int:
        """Picks the line that says most about the question: each may pass other arguments. Of equal
        lines it takes the one nested least, since what always happens says more, and then the
        first."""
        worth = self.exhibits.worth
        return max(lines, key=lambda at: (worth(symbol, at), -self._indent(symbol, at), -at))

    def _indent(self, symbol: Symbol, line: int) -> int:
        code = self.exhibits.line(symbol.path, line).expandtabs()
        return len(code) - len(code.lstrip())

    def _with_further_lines(
        self, stated: str, symbol: Symbol, line: int, lines: Sequence[int]
    ) -> str:
        """Appends the other lines that have the same edge, if the question is to debug: any of them
        may be the cause."""
        if not self._is_debug:
            return stated
        shown = self.exhibits.lines_of(symbol, line)
        others = sorted({at for at in lines if at in shown and at != line})[:_FURTHER_LINES]
        return f"{stated} {statements.of_further_lines(others)}" if others else stated

    @property
    def _is_debug(self) -> bool:
        return self.case.request.intent == "debug"

    def _pointed_line_sentence(self, symbol: Symbol, line: int) -> str:
        """Says what a line that the question points to calls, if it calls anything."""
        calls = [edge for edge in self.calls.sure(symbol) if edge.line == line]
        if calls:
            return self.edges.of_edge(max(calls, key=self.calls.worth_of_name))
        return statements.of_pointed(symbol)

    def _own_line_and_fact(self, symbol: Symbol, part: LineRange | None) -> LineAndFact:
        """Picks the line of a symbol or ``part`` that says most, and the statement about it: about
        its call, about the question's words if another line has far more of them, empty if there is
        neither. Calls of the symbol itself or its overloads count only if there are no others. So
        do calls that merely log or fail, unless the symbol has documentation or a better line: they
        have the question's words, not its answer."""
        calls = [each for each in self.calls.sure(symbol) if part is None or each.line in part]
        others = [edge for edge in calls if not self.calls.is_overload(edge.target, symbol.id)]
        acting = [edge for edge in others if not self.exhibits.only_reports(symbol, edge.line)]
        if others and not acting and (fact := self._fact_beside_reporting(symbol)):
            return fact
        edges: dict[int, Edge] = {}
        for edge in sorted(acting or others or calls, key=self.calls.worth_on_line, reverse=True):
            edges.setdefault(edge.line, edge)
        line, best = (self.exhibits.most_relevant_line(symbol, each, part) for each in (edges, {}))
        if not edges:
            return line, ""
        is_other_line = best not in {symbol.line, *(edge.line for edge in calls)}
        worth_of_call, worth_of_best = (self.exhibits.worth(symbol, each) for each in (line, best))
        if is_other_line and worth_of_call < _LEAST_CALLED * worth_of_best:
            words = self.exhibits.telling_words_of_line(symbol.path, best)
            # A single word may occur on a line for many other reasons.
            if len(list(chain.from_iterable(map(text.parts_of, words)))) > 1:
                return best, self._fact_of_line(symbol, words)
        if line not in edges:
            return line, ""
        return (line := self.calls.most_informative_line(symbol, edges)), self.edges.of_edge(
            edges[line]
        )

    def _fact_beside_reporting(self, symbol: Symbol) -> LineAndFact | None:
        """Chooses the fact for a symbol whose calls only report something: its documentation, or
        else the line that says most about the question and does more than report."""
        line = self.exhibits.most_relevant_line(symbol, {})
        if documented := self._documented(symbol):
            return line, documented
        return (line, matching) if (matching := self._matching_in_code(symbol, line)) else None


def _join_up_to_limit(sentences: Iterable[str]) -> str:
    """Joins as many of the sentences as fit into a fact. The first one is always kept whole."""
    fact = ""
    for each in sentences:
        if not fact:
            fact = each
        elif len(fact) + 1 + len(each) <= FACT_LIMIT:
            fact += f" {each}"
    return fact
